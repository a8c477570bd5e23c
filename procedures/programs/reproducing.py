"""Checks whether a program reproduces a demonstration, by the rules of its proof."""

from __future__ import annotations

from collections.abc import Callable

from ..arrangements.arrangement import Arrangement
from ..arrangements.learning import arrangement_proof
from ..arrangements.learning.shown import read_shown
from ..compositions import Composition
from ..compositions.learning.composition_proof import divergence_of as not_composed
from ..episodes.history import Done
from ..episodes.trajectories import Trajectory
from ..proof.predictions import Prediction
from .documents import ProgramFile
from .learning.lessons import Lesson
from .program import Ask, Program
from .replaying import Divergence, Replayed, divergence_of, replay
from .sources import Arranged, Composed
from .text_calls import action_of, steps_of_action


def divergence_in(file: ProgramFile, demonstration: Trajectory) -> Divergence | None:
    """Return the divergence of a program from a demonstration; None where it is reproduced."""
    maker = _maker(file.program)
    if maker is None:
        return divergence_of(file.program, _lesson(file, demonstration))
    because = _why_not_made(maker, demonstration)
    if not because:
        return None
    return Divergence(
        demonstration.task,
        len(demonstration.acts),
        (demonstration.acts[-1], ()),
        because,
        abstains=True,
    )


def predictions_of(
    file: ProgramFile,
    demonstration: Trajectory,
    spelling: Callable[[str], str],
    shape: Callable[[str], str],
) -> list[Prediction]:
    """Return the prediction of a program for each step; idle steps count neither way.

    Args:
        file: The program.
        demonstration: The demonstration.
        spelling: Function from an action to the spelling that is compared.
        shape: Function from an action to its form without names and values.
    """
    maker = _maker(file.program)
    if maker is not None:  # the end tells which of the possible ones was shown
        predictions = [
            Prediction(spelling(a), a, shape(a), by=(file.id,)) for a in demonstration.acts
        ]
        if because := _why_not_made(maker, demonstration):
            predictions[-1] = Prediction(None, because=because, by=(file.id,))
        return predictions
    replayed = list(replay(file.program, _lesson(file, demonstration)))
    return [
        _prediction(file.id, each, act, spelling, shape, last=number == len(replayed))
        for number, (each, act) in enumerate(zip(replayed, demonstration.acts, strict=True), 1)
    ]


def _prediction(
    name: str,
    each: Replayed,
    act: str,
    spelling: Callable[[str], str],
    shape: Callable[[str], str],
    *,
    last: bool,
) -> Prediction:
    decision = each.decision
    if each.idle:
        return Prediction(None, by=(name,), abstains=True)
    if isinstance(decision, Ask):
        if each.diverges:
            return Prediction(None, because=decision.because, by=(name,))
        return Prediction(spelling(act), act, shape(act), by=(name,))
    predicted = action_of(decision.step.operator, decision.arguments)
    if each.diverges:
        return Prediction(spelling(predicted), predicted, shape(predicted), because="", by=(name,))
    if last:  # any possible call counts at the end
        predicted = act
    others = [action_of(decision.step.operator, other) for other in decision.others]
    others = [*map(spelling, others), spelling(act)]
    possible = tuple(o for o in dict.fromkeys(others) if o != spelling(predicted))
    return Prediction(spelling(predicted), predicted, shape(predicted), possible, by=(name,))


def _maker(program: Program) -> Arrangement | Composition | None:
    """Return the arrangement or composition that makes whole ends; None where steps make them."""
    for step in program.steps:
        for source in step.sources:
            match source:
                case Arranged(arrangement, _):
                    return arrangement
                case Composed(composition):
                    return composition
    return None


def _why_not_made(maker: Arrangement | Composition, demonstration: Trajectory) -> str:
    """Return why a maker would not give the demonstrated end; empty where it might."""
    if isinstance(maker, Composition):
        return not_composed(maker, demonstration)
    (example,) = read_shown([demonstration])
    if example is None:
        return "it hands in no list of records"
    return arrangement_proof.divergence_of(maker, example)


def _lesson(file: ProgramFile, demonstration: Trajectory) -> Lesson:
    results, _ = file.readers()
    first = file.begin(demonstration.task, demonstration.obs[0])
    history = first.copy()
    calls = []
    for action, observation in zip(demonstration.acts, demonstration.obs[1:], strict=True):
        steps = steps_of_action(file.program, action, history)
        operator, arguments = (steps[0][0].operator, steps[0][1]) if steps else (action, ())
        facts = results.read(observation)
        calls.append((operator, arguments, facts))
        history.add(Done(steps[0][0].id if steps else None, operator, arguments), facts)
    return Lesson(demonstration.task, first, tuple(calls))
