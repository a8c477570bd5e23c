"""Choice between programs and plans for each kind of task, by held-out demonstrations.

A program that reproduces nearly all held-out demonstrations of a kind needs no plan. Of the other
kinds plans learn some demonstrations and predict the others step by step. A program that reproduces
fewer than plans do becomes a draft. Plans that never end demonstrations rightly, or more often
wrongly or too early, are not used, for a wrong end cannot be made good. Nor are plans that
reproduce none of many demonstrations, or leave out what all of these do. Where programs do all
other kinds of a world, plans of a kind too small to be held out are not used either.

What does the tasks of a kind in a library gives way only to what is credibly better, so that a few
more demonstrations lose nothing.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path

from ...procedures.episodes.trajectories import Trajectory
from ...procedures.local.private import PrivateFolder
from ...procedures.programs.learning.program_kinds import TaskKind
from ...procedures.programs.play_evidence import CLAIMED
from ...procedures.proof.predictions import PredictedStep
from ...procedures.proof.proof import EpisodeProof, prove
from ...procedures.refinement.bayes_factors import Table, Trigger, credible
from .predictors import text_predictor

__all__ = ["By", "Choice", "Endings", "choose", "endings", "ends_well"]

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
_SURPASSED = "plans reproduce more of the held-out demonstrations"


class By(Enum):
    """What does the tasks of a kind."""

    PROGRAM = auto()
    PLANS = auto()
    NEITHER = auto()


@dataclass(frozen=True, slots=True)
class Endings:
    """How predicted demonstrations end.

    Attributes:
        right: The last step is what was shown, and no step is left out that all demonstrations do.
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
    lacking = _lacks_some({deed for deed, n in users.items() if n == len(episodes)}, episodes)
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
        ended = end.prediction.action is not None and not end.diverges
        right += ended and not too_early and not lacking
        wrong += not too_early and end.diverges and end.prediction.shape in final
    return Endings(right, wrong, early)


def _lacks_some(deeds: set[str], episodes: Sequence[EpisodeProof]) -> bool:
    """Whether nothing is ever predicted where one of these deeds was shown."""
    steps = [step for episode in episodes for step in episode.steps]
    return not deeds.issubset(_deed(step) for step in steps if not step.prediction.abstains)


def _deed(step: PredictedStep) -> str:
    """Return what a step does, whichever number or name it does it with."""
    return _VALUE.sub("#", step.shown.shape)


def ends_well(counts: Endings) -> bool:
    """Whether plans are used: they end demonstrations rightly, and not rather wrongly."""
    return 0 < counts.right >= counts.wrong + counts.early


@dataclass(frozen=True, slots=True)
class Choice:
    """Choice between programs and plans.

    Attributes:
        kinds: All kinds of tasks. The proposal of a program that plans surpass is a draft.
        planned: Episodes from which plans are learned, also failed ones.
        doubtful: Kinds whose ends are in doubt, so that neither is used.
    """

    kinds: tuple[TaskKind, ...]
    planned: tuple[Trajectory, ...]
    doubtful: tuple[TaskKind, ...]


def choose(
    kinds: Sequence[TaskKind],
    episodes: Sequence[Trajectory],
    plan: Plan,
    present: Callable[[TaskKind], By] = lambda _: By.NEITHER,
) -> Choice:
    """Choose between programs and plans for each kind of task.

    Args:
        kinds: Demonstrations by what they ask for, and proposed programs.
        episodes: All of them, also those that failed.
        plan: Learns plans into a folder that is not there.
        present: Returns what does the tasks of a kind in the library.
    """
    here = {id(kind): present(kind) for kind in kinds}
    rivals = [k for k in kinds if here[id(k)] is By.PLANS or not _is_settled(k)]
    done = {id(kind): By.PROGRAM for kind in kinds}
    # What one world's plans do says nothing of another's.
    for world in sorted({kind.world for kind in rivals}):
        by_programs = any(kind.world == world and _is_settled(kind) for kind in kinds)
        of_world = [kind for kind in rivals if kind.world == world]
        done |= _chosen(of_world, plan, here, by_programs=by_programs)
    by_plans = {key for key, chosen in done.items() if chosen is By.PLANS}
    others = [each for kind in kinds if id(kind) not in by_plans for each in kind.demonstrations]
    # What people say in other words, plans have a model of, and programs have none.
    gone = {id(each) for each in others if not each.also}
    planned = [each for each in episodes if id(each) not in gone]
    if others and not any(each.success and each.acts for each in planned):
        planned = []  # programs do it all
    return Choice(
        tuple(_as_draft(kind) if id(kind) in by_plans else kind for kind in kinds),
        tuple(planned),
        tuple(kind for kind in kinds if done[id(kind)] is By.NEITHER),
    )


def _is_settled(kind: TaskKind) -> bool:
    """Whether a program reproduces so many demonstrations that no plans are tried."""
    return kind.proposal is not None and kind.trusted and kind.proposal.proof.share >= CLAIMED


def _as_draft(kind: TaskKind) -> TaskKind:
    """Return a kind without a program that is used."""
    if kind.proposal is None or not kind.trusted:
        return kind
    return replace(kind, proposal=kind.proposal.as_draft(_SURPASSED))


def _chosen(
    rivals: Sequence[TaskKind], plan: Plan, here: Mapping[int, By], *, by_programs: bool
) -> dict[int, By]:
    """Return what does each kind of one world, by the kind's identity.

    Args:
        rivals: Kinds of which plans may do the tasks.
        plan: Learns plans into a folder that is not there.
        here: What does the tasks in the library.
        by_programs: Whether programs do other kinds of the world, so that no plan was held out
            against their demonstrations.
    """
    groups = _judged_together(rivals)
    parts = [[e for k in each for e in k.demonstrations] for each in groups]
    standing = [any(here[id(kind)] is By.PLANS for kind in each) for each in groups]
    proofs = _plan_proofs(parts, standing, plan)
    chosen: dict[int, By] = {}
    for group, episodes in zip(groups, proofs, strict=True):
        reproduced = sum(episode.reproduced for episode in episodes)
        shown = sum(len(kind.demonstrations) for kind in group)
        good = _reproduces_some(reproduced, shown) and ends_well(endings(episodes))
        for kind in group:
            if kind.proposal is not None and kind.trusted:
                proof = kind.proposal.proof
                missed = len(episodes) - reproduced
                counts = proof.reproduced, proof.of - proof.reproduced, reproduced, missed
                by_plans = good and _surpassed(Table(*map(float, counts)), here[id(kind)])
                chosen[id(kind)] = By.PLANS if by_plans else By.PROGRAM
            else:
                chosen[id(kind)] = By.PLANS if good else By.NEITHER
    # Of kinds that are too small nothing is known but what does the others.
    judged = {*chosen.values(), *([By.PROGRAM] if by_programs else [])}
    doubt = _in_doubt(judged)
    for kind in rivals:
        doubted = doubt and here[id(kind)] is not By.PLANS
        rest = By.PROGRAM if kind.trusted else By.NEITHER if doubted else By.PLANS
        by_plans = here[id(kind)] is By.PLANS and rest is By.PROGRAM
        chosen.setdefault(id(kind), By.PLANS if by_plans else rest)
    return chosen


def _in_doubt(judged: set[By]) -> bool:
    """Whether plans are not known to end tasks of a world rightly, by what does its other kinds."""
    return By.NEITHER in judged or judged == {By.PROGRAM}


def _reproduces_some(reproduced: int, demonstrations: int) -> bool:
    """Whether plans reproduce some of many demonstrations; of few, the others may lack too much."""
    return reproduced > 0 or demonstrations < _SPARED


def _surpassed(table: Table, here: By) -> bool:
    """Whether plans do the tasks of a kind, by what a program (with) and they reproduce."""
    if here is By.PLANS:
        return not credible(table, 1.0, Trigger())
    if here is By.PROGRAM:
        good, bad, others_good, others_bad = table.cells
        return credible(Table(others_good, others_bad, good, bad), 1.0, Trigger())
    good, bad, others_good, others_bad = table.cells
    return others_good * (good + bad) > good * (others_good + others_bad)


def _judged_together(kinds: Sequence[TaskKind]) -> list[list[TaskKind]]:
    """Return kinds in groups of which something can be said.

    Small kinds without a program are one group.
    """
    small = [k for k in kinds if len(k.demonstrations) < _LEAST and not k.trusted]
    groups = [*([kind] for kind in kinds if kind not in small), small]
    return [each for each in groups if sum(len(kind.demonstrations) for kind in each) >= _LEAST]


def _plan_proofs(
    kinds: Sequence[Sequence[Trajectory]], standing: Sequence[bool], plan: Plan
) -> list[list[EpisodeProof]]:
    """Learn plans from some demonstrations of each kind, and predict the others.

    Of many demonstrations half are held out; of few all are, a part at a time. Plans that stand in
    a library were learned from all, so that only a small part is held out of theirs.
    """
    drawn = [
        kind if stands else kind[:: max(1, -(-len(kind) // _MOST))]
        for kind, stands in zip(kinds, standing, strict=True)
    ]
    predicted: list[list[EpisodeProof]] = [[] for _ in drawn]
    for fold in range(_FOLDS if any(len(kind) < _SPARED for kind in drawn) else 1):
        parts = [
            _parted(kind, fold, stands=stands) for kind, stands in zip(drawn, standing, strict=True)
        ]
        rest = [each for known, _ in parts for each in known]
        each_held = _predicted(rest, [held for _, held in parts], plan)
        for proofs, each in zip(predicted, each_held, strict=True):
            proofs += each
    return predicted


def _parted(
    kind: Sequence[Trajectory], fold: int, *, stands: bool
) -> tuple[Sequence[Trajectory], Sequence[Trajectory]]:
    """Return the demonstrations that are learned from in one fold, and those held out."""
    if len(kind) < _SPARED:
        return [e for i, e in enumerate(kind) if i % _FOLDS != fold], kind[fold::_FOLDS]
    every = max(_FOLDS, -(-len(kind) // _MOST)) if stands else 2
    known = [e for i, e in enumerate(kind, 1) if i % every]
    return known, [] if fold else kind[every - 1 :: every]


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
