"""Learning the program of one kind of task from its runs, proved by playing them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from ..programs.learning.boxing import boxed
from ..programs.learning.learner import learn_program
from .calls import ANSWER
from .episodes import ToolEpisode
from .reading import form_of, learn_reading
from .running import BREAKS_OUT, ToolProgram

__all__ = ["learn_tool_program"]


def learn_tool_program(name: str, runs: Sequence[ToolEpisode]) -> ToolProgram:
    """Learn the program of one kind of task.

    Args:
        name: Its id.
        runs: Its runs, the oldest first; those in which a model refused or asked back as well.
    """
    reading, lessons = learn_reading(runs)
    saying = frozenset(form.operator for form in reading.calls.forms if form.tool == ANSWER)
    program = learn_program(lessons, saying)
    steps = (replace(step, says=step.operator in saying) for step in program.steps)
    program, doubted = boxed(
        replace(program, steps=tuple(steps)),
        [(each.first, each.calls) for each in lessons],
    )
    signs: dict[tuple[str, int], set[str]] = defaultdict(set)
    forms: dict[str, set[str]] = defaultdict(set)
    for run, lesson in zip(runs, lessons, strict=True):
        for operator, arguments, _ in lesson.calls:
            for index, value in enumerate(arguments):
                signs[operator, index].update(BREAKS_OUT.findall(value))
        for call, (operator, _, _) in zip(run.calls, lesson.calls, strict=False):
            forms[operator].add(form_of(call.result))
    return ToolProgram(
        name,
        reading,
        program,
        doubted,
        {place: frozenset(each) for place, each in signs.items()},
        {operator: frozenset(each) for operator, each in forms.items()},
        frozenset(
            tuple(operator for operator, _, _ in lesson.calls[:at])
            for lesson in lessons
            for at, (operator, _, _) in enumerate(lesson.calls)
            if operator not in saying
        ),
    )
