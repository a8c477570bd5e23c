"""What a program reproduces of a demonstration: as its own proof counts, and nothing else."""

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

__all__ = ["divergence_in", "predictions_of"]


def divergence_in(file: ProgramFile, shown: Trajectory) -> Divergence | None:
    """Return where a demonstration and a program part; None where it is reproduced."""
    made = _made(file.program)
    if made is None:
        return divergence_of(file.program, _lesson(file, shown))
    because = _not_made(made, shown)
    if not because:
        return None
    return Divergence(shown.task, len(shown.acts), (shown.acts[-1], ()), because, abstains=True)


def predictions_of(
    file: ProgramFile,
    shown: Trajectory,
    spelling: Callable[[str], str],
    shape: Callable[[str], str],
) -> list[Prediction]:
    """Return what a program says of each step; steps that it rightly leaves out count neither way.

    Args:
        file: The program.
        shown: The demonstration.
        spelling: Of an action, as it is compared.
        shape: Of an action, without names and values.
    """
    made = _made(file.program)
    if made is not None:  # which one was shown, its end tells: one of those possible
        done = [Prediction(spelling(a), a, shape(a), by=(file.id,)) for a in shown.acts]
        if because := _not_made(made, shown):
            done[-1] = Prediction(None, because=because, by=(file.id,))
        return done
    replayed = list(replay(file.program, _lesson(file, shown)))
    return [
        _prediction(file.id, each, act, spelling, shape, last=number == len(replayed))
        for number, (each, act) in enumerate(zip(replayed, shown.acts, strict=True), 1)
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
    would = action_of(decision.step.operator, decision.arguments)
    if each.diverges:
        return Prediction(spelling(would), would, shape(would), because="", by=(name,))
    if last:  # what is held possible there is as good, and the demonstration ends with it
        would = act
    others = [action_of(decision.step.operator, other) for other in decision.others]
    others = [*map(spelling, others), spelling(act)]
    possible = tuple(o for o in dict.fromkeys(others) if o != spelling(would))
    return Prediction(spelling(would), would, shape(would), possible, by=(name,))


def _made(program: Program) -> Arrangement | Composition | None:
    """Return what makes the ends of episodes as a whole; None where steps make them."""
    for step in program.steps:
        for source in step.sources:
            match source:
                case Arranged(arrangement, _):
                    return arrangement
                case Composed(composition):
                    return composition
    return None


def _not_made(made: Arrangement | Composition, shown: Trajectory) -> str:
    """Return why what was shown would not be made; "" where it is held possible."""
    if isinstance(made, Composition):
        return not_composed(made, shown)
    (read,) = read_shown([shown])
    if read is None:
        return "it hands in no list of records"
    return arrangement_proof.divergence_of(made, read)


def _lesson(file: ProgramFile, shown: Trajectory) -> Lesson:
    results, _ = file.readers()
    first = file.begin(shown.task, shown.obs[0])
    history = first.copy()
    calls = []
    for action, observation in zip(shown.acts, shown.obs[1:], strict=True):
        known = steps_of_action(file.program, action, history)
        operator, arguments = (known[0][0].operator, known[0][1]) if known else (action, ())
        told = results.read(observation)
        calls.append((operator, arguments, told))
        history.add(Done(known[0][0].id if known else None, operator, arguments), told)
    return Lesson(shown.task, first, tuple(calls))
