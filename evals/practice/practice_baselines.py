"""What practice has to be better than: random actions, and exploring without learning."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ...adapters.embeddings import DEFAULT_EMBEDDING
from ...procedures.library.library import Library
from ..players.arms import Setting, open_arm, play_task
from ..reports.statistics import mcnemar_exact
from ..suites.suites import EvalTask
from .practice_loop import Played

__all__ = ["Comparison", "compare_practice"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Practice against a player that does not learn, on the same games, each played once.

    The player is shown what is possible, whether or not practice was.

    Attributes:
        player: ``random`` or ``exploration only``.
        games: Number of games.
        practice: Games that practice solved when it first met them.
        other: Games that the other solved.
        only_practice: Games that only practice solved.
        only_other: Games that only the other solved.
        p_value: Of McNemar's exact test, two-sided.
    """

    player: str
    games: int
    practice: int
    other: int
    only_practice: int
    only_other: int
    p_value: float

    def to_document(self) -> dict[str, Any]:
        """Return plain values."""
        return {**asdict(self), "admissible": True}


def compare_practice(
    setting: Setting,
    tasks: Sequence[EvalTask],
    played: Sequence[Played],
    experiments: int,
    progress: Callable[[int, int], None] | None = None,
) -> list[Comparison]:
    """Let players that do not learn play the games of a practice.

    Possible actions are shown to them, also where practice was not shown any: both choose among
    these.

    Args:
        setting: How the practice's episodes were played.
        tasks: Its tasks.
        played: Its episodes; games that were played again count as when they were first met.
        experiments: Most actions that exploring may spend on experiments in an episode.
        progress: Told about games played, and of how many.
    """
    known = {each.id: each.won for each in played}
    met = [task for task in tasks if task.id in known]
    practice = [known[task.id] for task in met]
    shown = replace(setting, admissible=True, record=False)
    found: list[Comparison] = []
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder) / "empty"
        Library.create(empty, domain=setting.suite.domain, embedding=DEFAULT_EMBEDDING)
        arms = {
            "random": replace(shown, arm="random", library=None),
            "exploration only": replace(
                shown, arm="macla", library=str(empty), experiments=experiments
            ),
        }
        for number, (name, each) in enumerate(arms.items()):
            other: list[bool] = []
            with open_arm(each) as arm:
                environment = None
                for task in met:
                    outcome, environment = play_task(arm, each, environment, task)
                    other.append(outcome.success)
                    if progress is not None:
                        progress(number * len(met) + len(other), len(arms) * len(met))
            pairs = list(zip(practice, other, strict=True))
            found.append(
                Comparison(
                    player=name,
                    games=len(met),
                    practice=sum(practice),
                    other=sum(other),
                    only_practice=sum(a and not b for a, b in pairs),
                    only_other=sum(b and not a for a, b in pairs),
                    p_value=mcnemar_exact(practice, other).p_value,
                )
            )
    return found
