"""Choices of a program in a demonstration, with the candidate that was shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..episodes.history import Done
from ..episodes.trajectories import Trajectory
from .documents import ProgramFile
from .program import Act, decide
from .text_calls import action_of, steps_of_action


def shown_choices(
    file: ProgramFile, demonstration: Trajectory
) -> Iterator[tuple[Sequence[str], str]]:
    """Yield the possible actions of a program, the preferred first, and the demonstrated one.

    It ends where another step was shown. A committing step is no choice.
    """
    if file.program.planner is not None or not file.reads(demonstration.task, demonstration.obs[0]):
        return
    history, results = file.begin(demonstration.task, demonstration.obs[0]), file.readers()[0]
    for action, observation in zip(demonstration.acts, demonstration.obs[1:], strict=True):
        decision = decide(file.program, history)
        if not isinstance(decision, Act):
            return
        step = decision.step
        steps = steps_of_action(file.program, action, history)
        arguments = next((values for each, values in steps if each.id == step.id), None)
        if arguments is None:
            return
        ways = [action_of(step.operator, way) for way in (decision.arguments, *decision.others)]
        if len(ways) > 1 and not step.commit:
            yield ways, action
        history.add(Done(step.id, step.operator, arguments), results.read(observation))
