"""Demonstrations that contradict a program: it leaves a step to the model because of them.

Where some runs did something else in the same case, one of two ways is wrong by now, or nothing
that is known tells them apart. Only a person knows which, and may withdraw the runs that are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..programs.documents import DEFAULT_STATUS
from ..programs.program import Act, decide
from .program_run import ToolProgram, harmless
from .tool_episodes import ToolEpisode, worth_learning


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A demonstration that did something else than a step.

    Attributes:
        program: Id of the program.
        step: Id of the step that the program leaves to the model.
        run: Name of the run.
        task: Its task.
    """

    program: str
    step: str
    run: str
    task: str


def contradictions_of(program: ToolProgram, runs: Iterable[ToolEpisode]) -> Iterator[Contradiction]:
    """Yield the demonstrations because of which a program leaves steps to the model.

    Args:
        program: The program.
        runs: The runs that are kept, the oldest first.
    """
    if program.file.status != DEFAULT_STATUS:
        return
    steps = program.program.steps
    doubted_ids = {step.id for step in steps if step.box.doubted}
    if not doubted_ids:
        return
    for run in filter(None, map(worth_learning, runs)):
        if program.reads(run.task) and not program.under.differs(run.under):
            step = _contradicted(program, run)
            if step in doubted_ids:
                yield Contradiction(program.file.id, step, run.id, run.task)


def _contradicted(program: ToolProgram, run: ToolEpisode) -> str:
    """Return the first step in whose place a run did something else; empty if it did none."""
    history = program.reading.begin(run.task, run.earlier, run.under.days)
    for call in run.calls:
        if call.tool in program.idle:
            continue
        planned = decide(program.program, history, grave=harmless)
        if isinstance(planned, Act) and not program.makes(program.planned(history), call):
            return planned.step.id
        program.take(history, call)
    return ""
