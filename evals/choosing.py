"""Which demonstrations are left to the learner of plans: those that it is proved to end rightly.

What a program is trusted with needs no plan. Of the other kinds of tasks half of the demonstrations
are learned, and the other half is predicted step by step: where actions that end
demonstrations never come out right, or more often wrong or too early, there is no plan, for a
wrong end cannot be made good.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..procedures.episodes.trajectories import Trajectory
from ..procedures.local.private import PrivateFolder
from ..procedures.programs.learning.program_kinds import TaskKind
from ..procedures.proof.predictions import PredictedStep
from ..procedures.proof.proof import EpisodeProof, prove
from .predictors import text_predictor

__all__ = ["Endings", "endings", "ends_well", "rest_for_plans"]

Plan = Callable[[Path, Sequence[Trajectory]], None]
_VALUE = re.compile(r"\{\d+\}|\S*\d\S*")
_MOST = 40
"""Demonstrations of a kind that are looked at."""
_LEAST = 6
"""Demonstrations of a kind from which something can be said of it."""
_FOLDS = 5
"""Parts of few demonstrations, each held out once."""
_SPARED = 20
"""Demonstrations of a kind of which half can be spared."""


@dataclass(frozen=True, slots=True)
class Endings:
    """How predicted demonstrations end.

    Attributes:
        right: The last step is what was shown.
        wrong: Another action of those that end demonstrations is done in its place.
        early: Such an action is done before: another one, or the right one where not yet all was
            done that most demonstrations do.
    """

    right: int
    wrong: int
    early: int


def endings(episodes: Sequence[EpisodeProof]) -> Endings:
    """Count how predicted demonstrations end."""
    last = {episode.steps[-1].shown.shape for episode in episodes}
    last -= {step.shown.shape for episode in episodes for step in episode.steps[:-1]}
    before_end = [{_deed(step) for step in episode.steps[:-1]} for episode in episodes]
    users = Counter(shape for shapes in before_end for shape in shapes)
    usual = {shape for shape, number in users.items() if 2 * number > len(episodes)}
    right = wrong = early = 0
    for episode in episodes:
        *before, end = episode.steps
        final = last | {end.shown.shape}
        too_early = any(
            step.diverges
            and step.prediction.shape in last
            and not (
                step.prediction.action == end.shown.action
                and usual.issubset(map(_deed, before[:at]))
            )
            for at, step in enumerate(before)
        )
        early += too_early
        right += not too_early and end.prediction.action is not None and not end.diverges
        wrong += not too_early and end.diverges and end.prediction.shape in final
    return Endings(right, wrong, early)


def _deed(step: PredictedStep) -> str:
    """Return what a step does, whichever number or name it does it with."""
    return _VALUE.sub("#", step.shown.shape)


def ends_well(counts: Endings) -> bool:
    """Whether plans are used: they end demonstrations rightly, and not rather wrongly."""
    return 0 < counts.right >= counts.wrong + counts.early


def rest_for_plans(
    kinds: Sequence[TaskKind], episodes: Sequence[Trajectory], plan: Plan
) -> tuple[list[Trajectory], list[TaskKind]]:
    """Return the episodes from which plans are learned, and the kinds whose ends are in doubt.

    Args:
        kinds: Demonstrations by what they ask for, and whether a program is trusted with them.
        episodes: All of them, also those that failed.
        plan: Learns plans into a folder that is not there.
    """
    untrusted = [kind for kind in kinds if not kind.trusted]
    # What one world's plans do says nothing of another's.
    doubtful = [
        kind
        for world in sorted({kind.world for kind in untrusted})
        for kind in _doubtful([kind for kind in untrusted if kind.world == world], plan)
    ]
    settled = [*doubtful, *(kind for kind in kinds if kind.trusted)]
    # What people say in other words, plans have a model of, and programs have none.
    gone = {id(each) for kind in settled for each in kind.demonstrations if not each.also}
    left = [each for each in episodes if id(each) not in gone]
    if settled and not any(each.success and each.acts for each in left):
        left = []  # programs do it all
    return left, doubtful


def _doubtful(untrusted: Sequence[TaskKind], plan: Plan) -> list[TaskKind]:
    """Return the kinds, of those of one world, that plans do not end rightly."""
    groups = _judged_together(untrusted)
    counts = _predicted_endings(
        [[e for k in each for e in k.demonstrations] for each in groups], plan
    )
    wrong = [kinds for kinds, each in zip(groups, counts, strict=True) if not ends_well(each)]
    doubtful = [kind for each in wrong for kind in each]
    if wrong:  # nor is anything known of kinds that are too small
        doubtful += (k for k in untrusted if not any(k in each for each in groups))
    return doubtful


def _judged_together(kinds: Sequence[TaskKind]) -> list[list[TaskKind]]:
    """Return kinds in groups of which something can be said: all that are too small in one."""
    small = [kind for kind in kinds if len(kind.demonstrations) < _LEAST]
    groups = [*([kind] for kind in kinds if kind not in small), small]
    return [each for each in groups if sum(len(kind.demonstrations) for kind in each) >= _LEAST]


def _predicted_endings(kinds: Sequence[Sequence[Trajectory]], plan: Plan) -> list[Endings]:
    """Learn plans from some demonstrations of each kind, and count how they would end the others.

    Of many demonstrations half are held out; of few all are, a part at a time.
    """
    drawn = [kind[:: max(1, -(-len(kind) // _MOST))] for kind in kinds]
    predicted: list[list[EpisodeProof]] = [[] for _ in drawn]
    for fold in range(_FOLDS if any(len(kind) < _SPARED for kind in drawn) else 1):
        parts = [_parted(kind, fold) for kind in drawn]
        rest = [each for known, _ in parts for each in known]
        each_held = _predicted(rest, [held for _, held in parts], plan)
        for proofs, each in zip(predicted, each_held, strict=True):
            proofs += each
    return list(map(endings, predicted))


def _parted(
    kind: Sequence[Trajectory], fold: int
) -> tuple[Sequence[Trajectory], Sequence[Trajectory]]:
    """Return the demonstrations that are learned from in one fold, and those held out."""
    if len(kind) >= _SPARED:
        return kind[::2], [] if fold else kind[1::2]
    return [e for i, e in enumerate(kind) if i % _FOLDS != fold], kind[fold::_FOLDS]


def _predicted(
    known: Sequence[Trajectory], kinds: Sequence[Sequence[Trajectory]], plan: Plan
) -> list[list[EpisodeProof]]:
    """Learn plans, and predict the demonstrations of each kind by them."""
    with PrivateFolder(Path(tempfile.gettempdir()), "macla-learn-") as own:
        folder = own.path / "library"
        if not known:
            return [[] for _ in kinds]
        plan(folder, known)
        with text_predictor(folder) as predictor:
            return [
                list(prove([(at, e.task, e) for at, e in enumerate(kind)], predictor))
                for kind in kinds
            ]
