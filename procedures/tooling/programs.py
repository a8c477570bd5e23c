"""Learning the program of one kind of task from its runs, proved by playing them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from ..episodes.facts import Fact
from ..episodes.history import Done, History
from ..programs.learning.learner import Lesson, learn_program
from ..programs.leaves import Leaf, learn_leaf, open_fields
from ..programs.program import Program, Step, possible, ready
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
    leaves, doubted = _proved(program, lessons)
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
        leaves,
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


def _proved(program: Program, lessons: Sequence[Lesson]) -> tuple[dict[str, Leaf], Counter[str]]:
    """Play the demonstrations: what each step was shown at, and where it would do otherwise."""
    shown: dict[str, list[History]] = defaultdict(list)
    rivals: dict[str, list[History]] = defaultdict(list)
    runs: Counter[str] = Counter()
    ends: list[tuple[set[str], History]] = []
    strays: list[tuple[str, History]] = []
    for lesson in lessons:
        history = lesson.first.copy()
        done: set[str] = set()
        strayed = False
        for at, (operator, arguments, result) in enumerate(lesson.calls):
            now = history.copy()
            step, right = _planned(program, now, operator, arguments)
            if right and step is not None:
                done.add(step.id)
                if strayed:
                    strays.append((step.id, now))
                else:
                    shown[step.id].append(now)
            elif step is not None:
                rivals[step.id].append(now)
                if not _still_to_come(step, now, lesson.calls[at:]):
                    strays.append((step.id, now))
                    strayed = True
            history.add(Done(step.id if right and step else None, operator, arguments), result)
        runs.update(done)
        ends.append((done, history))
    opened = open_fields([history for _, history in ends])
    leaves = {
        step: learn_leaf(
            runs[step],
            each,
            [*rivals[step], *(history for done, history in ends if step not in done)],
            opened,
        )
        for step, each in shown.items()
    }
    # Where a demonstration did something else outside of what was shown, nothing is done anyway.
    inside = (s for s, h in strays if s in leaves and leaves[s].strange(h) is None)
    return leaves, Counter(inside)


def _planned(
    program: Program, history: History, operator: str, arguments: tuple[str, ...]
) -> tuple[Step | None, bool]:
    """Return the step that the program does, and whether that is what was shown."""
    for step, ways in possible(program, history):
        return step, step.operator == operator and arguments in ways
    return None, False


def _still_to_come(
    step: Step,
    history: History,
    later: Sequence[tuple[str, tuple[str, ...], tuple[Fact, ...]]],
) -> bool:
    """Whether a demonstration went on to do a step: then it only took another order."""
    ways = ready(step, history)
    return any(operator == step.operator and given in ways for operator, given, _ in later)
