"""Programs as tests let them act."""

from __future__ import annotations

from collections.abc import Callable

from macla.procedures.episodes.history import Done
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.program import Act, decide
from macla.procedures.programs.text_calls import action_of

__all__ = ["played", "replayed"]


def played(
    file: ProgramFile,
    task: str,
    first: str,
    answer: Callable[[str], str | None],
    most: int = 40,
) -> list[str]:
    """Return what a program does, up to where it hands over.

    Args:
        file: The program.
        task: Text of the task.
        first: What stands there at first.
        answer: Action → what it is told; None ends the episode.
        most: Most actions.
    """
    history, results = file.begin(task, first), file.readers()[0]
    acts: list[str] = []
    while len(acts) < most:
        decision = decide(file.program, history)
        if not isinstance(decision, Act):
            break
        step, arguments = decision.step, decision.arguments
        acts.append(action_of(step.operator, arguments))
        told = answer(acts[-1])
        if told is None:
            break
        history.add(Done(step.id, step.operator, arguments), results.read(told))
    return acts


def replayed(file: ProgramFile, shown: Trajectory) -> list[str]:
    """Return what a program does where a demonstration was made; it is told the same."""
    told = iter(shown.obs[1:])
    return played(file, shown.task, shown.obs[0], lambda _: next(told), len(shown.acts))
