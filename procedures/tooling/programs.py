"""Learning the program of one kind of task from its runs, proved by playing them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from ..episodes.facts import Fact
from ..episodes.history import Done, History
from ..programs.leaves import Leaf, learn_leaf, open_fields
from ..programs.learning.learner import Lesson, learn_program
from ..programs.program import Program, possible
from .calls import ANSWER
from .episodes import ToolEpisode
from .reading import learn_reading
from .running import ToolProgram

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
    leaves, doubted = _proved(program, lessons)
    return ToolProgram(name, reading, program, leaves, doubted)


def _proved(
    program: Program, lessons: Sequence[Lesson]
) -> tuple[dict[str, Leaf], Counter[str]]:
    """Play the demonstrations: what each step was shown at, and where it would do otherwise."""
    shown: dict[str, list[History]] = defaultdict(list)
    runs: Counter[str] = Counter()
    ends: list[tuple[frozenset[str], History]] = []
    strays: list[tuple[str, History]] = []
    for lesson in lessons:
        history = lesson.first.copy()
        done: set[str] = set()
        strayed = False
        for at, (operator, arguments, result) in enumerate(lesson.calls):
            step = _reproduced(program, history, operator, arguments)
            if step is not None:
                done.add(step)
                if strayed:
                    strays.append((step, history.copy()))
                else:
                    shown[step].append(history.copy())
            elif (wanted := _never(program, history, lesson.calls[at:])) is not None:
                strays.append((wanted, history.copy()))
                strayed = True
            history.add(Done(step, operator, arguments), result)
        runs.update(done)
        ends.append((frozenset(done), history))
    opened = open_fields([history for _, history in ends])
    leaves = {
        step: learn_leaf(runs[step], each, [h for done, h in ends if step not in done], opened)
        for step, each in shown.items()
    }
    # Where a demonstration did something else outside of what was shown, nothing is done anyway.
    inside = (s for s, h in strays if s in leaves and leaves[s].strange(h) is None)
    return leaves, Counter(inside)


def _reproduced(
    program: Program, history: History, operator: str, arguments: tuple[str, ...]
) -> str | None:
    """Return the step that does what was shown; None if the program does something else."""
    for step, ways in possible(program, history):
        if step.operator == operator and arguments in ways:
            return step.id
        return None
    return None


def _never(
    program: Program,
    history: History,
    later: Sequence[tuple[str, tuple[str, ...], tuple[Fact, ...]]],
) -> str | None:
    """Return the step that the program does here, if the demonstration did not go on to do it."""
    wanted = next(possible(program, history), None)
    if wanted is None:
        return None
    step, ways = wanted
    return None if any(op == step.operator and args in ways for op, args, _ in later) else step.id
