"""What a program says of each step of a demonstration, given what was really told before it.

A step that the program does not know is idle and passed over, unless the demonstration ends with
it. Where a step does not commit, another candidate of the same choice counts as well.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from ..episodes.history import Done, History
from .learning.lessons import Lesson
from .planning.planner import Call
from .program import Act, Ask, Decision, Program, Step, decide, possible
from .sources import Choice, Rule, Source, candidates, case_of, chosen_facts, rows

__all__ = [
    "Divergence",
    "Replayed",
    "divergence_of",
    "left_out",
    "operators_of",
    "planned",
    "replay",
]


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where a demonstration and a program part.

    Attributes:
        task: Of the demonstration.
        number: Of the step, from 1.
        shown: Operator and arguments of what was shown.
        because: What the program would have done, or why nothing.
        abstains: Whether it would have done nothing, or only again what it did before.
        unknown: Whether what was shown is no step of the program, and takes what the task says.
    """

    task: str
    number: int
    shown: tuple[str, tuple[str, ...]]
    because: str
    abstains: bool
    unknown: bool = False


def operators_of(program: Program) -> frozenset[str]:
    """Return what a program does."""
    return frozenset(step.operator for step in program.steps)


@dataclass(frozen=True, slots=True)
class Replayed:
    """A step of a demonstration, and what the program says of it.

    Attributes:
        operator: Of what was shown.
        arguments: Of what was shown.
        decision: What the program would do.
        step: The step that it is, if the program would do it or holds it possible.
        idle: Whether it is none of the program's, and rightly left out.
    """

    operator: str
    arguments: tuple[str, ...]
    decision: Decision
    step: Step | None
    idle: bool

    @property
    def diverges(self) -> bool:
        """Whether the program would do something else, or nothing."""
        return self.step is None and not self.idle


def replay(
    program: Program,
    lesson: Lesson,
    needed: Collection[str] = (),
    unexplained: Collection[str] = (),
) -> Iterator[Replayed]:
    """Yield what a program says of each step of a demonstration, given what was told before it.

    Args:
        program: The program.
        lesson: The demonstration.
        needed: Operators that are not idle, though the program may not know them.
        unexplained: Those of them that are no glances either.
    """
    history = program.begin(lesson.first)
    operators = operators_of(program).union(needed)
    for number, (operator, arguments, result) in enumerate(lesson.calls, 1):
        last = number == len(lesson.calls)
        decision = decide(program, history)
        later = {a for o, a, _ in lesson.calls[number:] if o == operator}
        step = _step(decision, operator, arguments, several=bool(later), last=last)
        known = next((each for each in program.steps if each.operator == operator), None)
        if planned(program, history, operator, arguments):
            step = known
        if step is None and isinstance(decision, Act) and not last:
            step = _sooner(program, history, decision, lesson, number)
        idle = step is None and not last and operator not in operators
        looks = step is None and operator not in unexplained
        glance = looks and is_glance(program, history, decision, lesson, number)
        yield Replayed(operator, arguments, decision, step, idle or glance)
        step = step or known
        # What the program would not have done, it would not have been told.
        if step is not None and not glance:
            history.add(Done(step.id, operator, arguments), result)


def _sooner(
    program: Program, history: History, decision: Act, lesson: Lesson, number: int
) -> Step | None:
    """Return the step that was shown before the one that the program would do, in any order.

    Args:
        program: The program.
        history: Before the call.
        decision: What the program would do.
        lesson: The demonstration.
        number: Of the call, from 1.
    """
    operator, arguments, _ = lesson.calls[number - 1]
    if (decision.step.operator, decision.arguments) not in (c[:2] for c in lesson.calls[number:]):
        return None
    able = {step.id: step for step, ways in possible(program, history) if arguments in ways}
    return next(
        (
            able[name]
            for group in program.any_order
            if decision.step.id in group
            for name in group
            if name in able and able[name].operator == operator
        ),
        None,
    )


def is_glance(
    program: Program, history: History, decision: Decision, lesson: Lesson, number: int
) -> bool:
    """Whether a call that the program would never make stands before the one that it would.

    People look at what is no matter of theirs, and go on. The only call of a step that a committing
    one needs is no glance: without it the program would never come there.

    Args:
        program: The program.
        history: Before the call.
        decision: What the program would do.
        lesson: The demonstration.
        number: Of the call, from 1.
    """
    if isinstance(decision, Ask) or program.planner is not None:
        return False
    operator, arguments, _ = lesson.calls[number - 1]
    later = [call[:2] for call in lesson.calls[number:]]
    steps = [step for step in program.steps if step.operator == operator]
    wanted = frozenset[str]().union(*(step.box.needs for step in program.steps))
    needed = {step.operator for step in program.steps if step.id in wanted}
    only = sum(other == operator for other, _, _ in lesson.calls) == 1
    return (
        (decision.step.operator, decision.arguments) in later
        and not (only and operator in needed)
        and not any(
            step.commit
            or all(map(_in_question, step.sources, arguments, itertools.repeat(history)))
            for step in steps
        )
    )


def left_out(program: Program, lesson: Lesson) -> frozenset[str]:
    """Return the operators behind which a program goes on, though they did something to a thing.

    Where few demonstrations call one so, it is a look at other things.
    """
    operators = operators_of(program)
    beside: set[str] = set()
    left: set[str] = set()
    for each in replay(program, lesson):
        if each.step is not None:
            left |= beside
        elif each.idle and (each.operator in operators or each.arguments):
            beside.add(each.operator)
    return frozenset(left)


def _in_question(source: Source, value: str, history: History) -> bool:
    """Whether a source may give a value, now or in its turn."""
    if not isinstance(source, Choice) or source.beside is not None:
        return value in candidates(source, history)
    case = case_of(source, history)
    facts = chosen_facts(Rule(case.rule.where), rows(source, history), history) if case else []
    return any(fact.fields.get(source.field) == value for fact in facts)


def divergence_of(
    program: Program,
    lesson: Lesson,
    needed: Collection[str] = (),
    unexplained: Collection[str] = (),
) -> Divergence | None:
    """Return the first step at which a program would do something else; see :func:`replay`."""
    earlier: list[tuple[str, tuple[str, ...]]] = []
    for number, each in enumerate(replay(program, lesson, needed, unexplained), 1):
        shown, decision = (each.operator, each.arguments), each.decision
        if each.diverges:
            if isinstance(decision, Ask):
                return Divergence(lesson.task, number, shown, decision.because, abstains=True)
            again = (decision.step.operator, decision.arguments) in earlier
            abstains = again and not decision.step.commit  # doing it again says nothing new
            unknown = any(value in lesson.first.asked.fields.values() for value in each.arguments)
            unknown &= each.operator not in operators_of(program)
            return Divergence(lesson.task, number, shown, _act_text(decision), abstains, unknown)
        if each.step is not None:
            earlier.append(shown)
    return None


def planned(program: Program, history: History, operator: str, arguments: tuple[str, ...]) -> bool:
    """Whether a call is one of those that a planner holds possible.

    Where it looks for something, to look about is as good: demonstrators look twice, and bring what
    they know that it takes to go on.
    """
    if program.planner is None or program.places is None:
        return False
    outlook = program.planner.outlook(history)
    free = program.planner.exploring.union(program.places.moves)
    looking = outlook.exploring and operator in free
    return looking or Call(operator, arguments) in outlook.calls


def _step(
    decision: Act | Ask,
    operator: str,
    arguments: tuple[str, ...],
    *,
    several: bool,
    last: bool,
) -> Step | None:
    """Return the step that was shown, if the program would have done it.

    Another candidate counts where the demonstration goes on with others: it tries, or does all.

    Args:
        decision: What the program would do.
        operator: What was shown.
        arguments: With these values.
        several: Whether the same is shown with other values later: then what is met first is as
            good as what was.
        last: Whether the demonstration ends with it.
    """
    if isinstance(decision, Ask) or decision.step.operator != operator:
        return None
    if decision.gives(arguments):
        return decision.step
    free = not last and not decision.step.commit and several
    return decision.step if free and arguments in decision.others else None


def _act_text(act: Act) -> str:
    return f"{act.step.operator} {' | '.join(act.arguments)}".strip()
