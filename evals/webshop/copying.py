"""A copy of what demonstrators bought: what a learner of this shop has to be better than."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from ...procedures.common.errors import DataError
from ...procedures.common.text import words
from ...procedures.episodes.trajectories import Trajectory

__all__ = ["ProductCopy"]

_BUY = "Buy Now"


class ProductCopy:
    """Buys the product of the demonstration whose task shares most words, with the task's options.

    The demonstration's actions are repeated until its product is open. Then, under each heading of
    the page that the task names (``size: 7``), the value that the task says is clicked, or else the
    one that is spelled most like it; and the product is bought.

    Args:
        shown: The demonstrations; where some succeeded, only those are used.

    Raises:
        DataError: If there is no demonstration.
    """

    def __init__(self, shown: Sequence[Trajectory]) -> None:
        chosen = [each for each in shown if each.success] or shown
        if not chosen:
            raise DataError("the copy of a product needs at least one demonstration")
        self._shown = [(set(words(each.task)), _until_open(each)) for each in chosen]
        self._task = ""
        self._left: list[str] = []
        self._open = False

    def start(self, task: str, observation: str) -> None:
        """Begin an episode: look the demonstration up."""
        said = set(words(task))
        _, near = max(self._shown, key=lambda s: len(said & s[0]) / max(1, len(said | s[0])))
        self._task, self._left, self._open = task, list(near), False

    def choose(self, observation: str, admissible: Sequence[str] | None) -> str | None:
        """Return the demonstration's next action; then those of the task's options."""
        if not self._left and not self._open:
            self._open = True
            self._left = [*(f"click[{each}]" for each in self._options(observation))]
            self._left.append(f"click[{_BUY}]")
        return self._left.pop(0) if self._left else None

    def _options(self, page: str) -> list[str]:
        wanted: dict[str, str] = {}
        values: dict[str, list[str]] = {}
        heading = ""
        for line in page.split(" [SEP] ")[2:]:  # behind the instruction
            if line.startswith("Price: "):
                break
            if said := re.search(rf"{re.escape(line)}: (.*?)(?:, and |$)", self._task):
                heading, wanted[line] = line, said[1]
            elif heading:
                values.setdefault(heading, []).append(line)
        return [
            max(each, key=lambda value: SequenceMatcher(None, value, wanted[name]).ratio())
            for name, each in values.items()
        ]


def _until_open(shown: Trajectory) -> tuple[str, ...]:
    """Return a purchase's actions up to the one that opened what was bought."""
    opened = [at for at, page in enumerate(shown.obs[1:]) if page.endswith(f" [SEP] {_BUY}")]
    before = [at for at in opened if not shown.obs[at].endswith(f" [SEP] {_BUY}")]
    return shown.acts[: before[-1] + 1] if before else shown.acts
