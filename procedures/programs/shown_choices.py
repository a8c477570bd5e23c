"""Where a program has several candidates in a demonstration, and which of them was shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..episodes.history import Done
from ..episodes.trajectories import Trajectory
from .documents import ProgramFile
from .program import Act, decide
from .text_calls import action_of, steps_of_action

__all__ = ["shown_choices"]


def shown_choices(file: ProgramFile, shown: Trajectory) -> Iterator[tuple[Sequence[str], str]]:
    """Yield the actions among which a program may choose, the first first, and what was shown.

    It ends where another step was shown; what is final is never one of several.
    """
    if file.program.planner is not None or not file.reads(shown.task, shown.obs[0]):
        return
    history, results = file.begin(shown.task, shown.obs[0]), file.readers()[0]
    for action, told in zip(shown.acts, shown.obs[1:], strict=True):
        decision = decide(file.program, history)
        if not isinstance(decision, Act):
            return
        step = decision.step
        known = steps_of_action(file.program, action, history)
        arguments = next((values for each, values in known if each.id == step.id), None)
        if arguments is None:
            return
        ways = [action_of(step.operator, way) for way in (decision.arguments, *decision.others)]
        if len(ways) > 1 and not step.commit:
            yield ways, action
        history.add(Done(step.id, step.operator, arguments), results.read(told))
