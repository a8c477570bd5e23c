"""Old and new version of a proposal, played on the same tasks."""

from __future__ import annotations

import dataclasses
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ..procedures.ledger import Ledger
from ..procedures.library import Library
from ..procedures.proposals.apply import accept
from ..procedures.proposals.model import Proposal, Replay
from ..procedures.proposals.replay import compare
from .arms import Setting
from .runner import play_all
from .suites import EvalTask, Suite

__all__ = ["LiveReplay"]


class LiveReplay:
    """Plays a sample of tasks with the library as it is, and with a proposal accepted.

    Both are copies in a temporary folder, evidence included; the library itself is not touched.

    Args:
        suite: Where the tasks are played.
        split: Which tasks.
        library: The library.
        waiting: Proposals that wait; those that a proposal needs are accepted in both copies.
        limit: How many tasks.
        seed: Of the sample and of everything random.
    """

    def __init__(
        self,
        suite: Suite,
        split: str,
        *,
        library: Library,
        waiting: Sequence[Proposal],
        limit: int,
        seed: int,
    ) -> None:
        self._suite = suite
        self._library = library
        self._waiting = {proposal.id: proposal for proposal in waiting}
        self._seed = seed
        self._tasks: list[EvalTask] = suite.tasks(split, limit=limit, seed=seed)

    def replay(self, proposal: Proposal) -> Replay:
        """Play all tasks under both versions; an episode is right if it was won."""
        needed = [self._waiting[name] for name in proposal.requires if name in self._waiting]
        old = self._won(needed)
        new = self._won([*needed, proposal])
        return compare(zip(old, new, strict=True))

    def _won(self, accepted: Sequence[Proposal]) -> list[bool]:
        with tempfile.TemporaryDirectory(prefix="macla-") as folder:
            copy = Path(folder) / "library"
            shutil.copytree(self._library.path, copy, ignore=shutil.ignore_patterns("chroma"))
            library = Library.open(copy)
            with Ledger.open(copy / ".macla" / "evidence.db") as ledger:
                for proposal in accepted:
                    accept(library, ledger, dataclasses.replace(proposal))
            setting = Setting(
                self._suite,
                library=str(copy),
                max_steps=self._suite.max_steps,
                seed=self._seed,
            )
            return [outcome.success for outcome in play_all(setting, self._tasks)]
