"""Which demonstrations are left to the learner of plans: those that it is proved to end rightly.

What a program is trusted with needs no plan. Of the other kinds of tasks half of the demonstrations
are learned, and the other half is predicted step by step: where actions that end
demonstrations never come out right, or more often wrong or too early, there is no plan, for a
wrong end cannot be made good.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..procedures.local.private import PrivateFolder
from ..procedures.programs.learning.kinds import Kind
from ..procedures.proof.proof import EpisodeProof, prove
from ..procedures.trajectories import Trajectory
from .predictors import text_predictor

__all__ = ["Endings", "endings", "ends_well", "rest_for_plans"]

Plan = Callable[[Path, Sequence[Trajectory]], None]
_MOST = 40
"""Demonstrations of a kind that are looked at."""
_LEAST = 6
"""Demonstrations of a kind from which something can be said of it."""
_SPARED = 20
"""Demonstrations of a kind of which half can be spared."""


@dataclass(frozen=True, slots=True)
class Endings:
    """How predicted demonstrations end.

    Attributes:
        right: The last step is what was shown.
        wrong: Another action of those that end demonstrations is done in its place.
        early: Such an action is done before: another one, or the right one where not yet all was
            done that every demonstration does.
    """

    right: int
    wrong: int
    early: int


def endings(episodes: Sequence[EpisodeProof]) -> Endings:
    """Count how predicted demonstrations end."""
    last = {episode.steps[-1].shown.shape for episode in episodes}
    last -= {step.shown.shape for episode in episodes for step in episode.steps[:-1]}
    before_end = [{step.shown.shape for step in episode.steps[:-1]} for episode in episodes]
    always = set.intersection(*before_end) if before_end else set()
    right = wrong = early = 0
    for episode in episodes:
        *before, end = episode.steps
        final = last | {end.shown.shape}
        too_early = any(
            step.diverges
            and step.prediction.shape in last
            and not (
                step.prediction.action == end.shown.action
                and always.issubset(earlier.shown.shape for earlier in before[:at])
            )
            for at, step in enumerate(before)
        )
        early += too_early
        right += not too_early and end.prediction.action is not None and not end.diverges
        wrong += not too_early and end.diverges and end.prediction.shape in final
    return Endings(right, wrong, early)


def ends_well(counts: Endings) -> bool:
    """Whether plans are used: they end demonstrations rightly, and not rather wrongly."""
    return 0 < counts.right >= counts.wrong + counts.early


def rest_for_plans(
    kinds: Sequence[Kind], episodes: Sequence[Trajectory], plan: Plan
) -> tuple[list[Trajectory], list[Kind]]:
    """Return the episodes from which plans are learned, and the kinds whose ends are in doubt.

    Args:
        kinds: Demonstrations by what they ask for, and whether a program is trusted with them.
        episodes: All of them, also those that failed.
        plan: Learns plans into a folder that is not there.
    """
    judged = [k for k in kinds if not k.trusted and len(k.demonstrations) >= _LEAST]
    counts = _predicted_endings([kind.demonstrations for kind in judged], plan)
    doubtful = [kind for kind, each in zip(judged, counts, strict=True) if not ends_well(each)]
    settled = [*doubtful, *(kind for kind in kinds if kind.trusted)]
    # What people say in other words, plans have a model of, and programs have none.
    gone = {id(each) for kind in settled for each in kind.demonstrations if not each.also}
    left = [each for each in episodes if id(each) not in gone]
    if settled and not any(each.success and each.acts for each in left):
        left = []  # programs do it all
    return left, doubtful


def _predicted_endings(kinds: Sequence[Sequence[Trajectory]], plan: Plan) -> list[Endings]:
    """Learn plans from half of some demonstrations, and count how they would end the others."""
    drawn = [kind[:: max(1, -(-len(kind) // _MOST))] for kind in kinds]
    with PrivateFolder(Path(tempfile.gettempdir()), "macla-learn-") as own:
        folder = own.path / "library"
        known = [each for kind in drawn for each in _half_to_learn(kind)]
        if not known:
            return []
        plan(folder, known)
        with text_predictor(folder) as predictor:
            return [
                endings(
                    prove(
                        [(at, e.task, e) for at, e in enumerate(_half_to_predict(kind))], predictor
                    )
                )
                for kind in drawn
            ]


def _half_to_learn(kind: Sequence[Trajectory]) -> Sequence[Trajectory]:
    return kind[::2] if len(kind) >= _SPARED else kind


def _half_to_predict(kind: Sequence[Trajectory]) -> Sequence[Trajectory]:
    """Return the demonstrations that are predicted; of few those that are learned from."""
    return kind[1::2] if len(kind) >= _SPARED else kind
