"""Replay of demonstrations: the decision of a program at each step, with the real results before.

A step that the program does not know is idle and passed over, unless the demonstration ends with
it. Where a step does not commit, another candidate of the same choice counts as well.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from ..episodes.history import Done, History
from ..episodes.tokens import occurs
from .decision_tables import Tabled
from .learning.lessons import Lesson
from .planning.planner import Call
from .program import Act, Ask, Decision, Program, ProgramStep, decide, possible
from .program_conditions import TaskSlot
from .sources import (
    Choice,
    Computed,
    Rule,
    Source,
    Written,
    candidates,
    case_of,
    chosen_facts,
    is_settled,
    rows,
)


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first step at which a program does otherwise than a demonstration.

    Attributes:
        task: Task of the demonstration.
        number: Number of the step, from 1.
        shown: Operator and arguments of the demonstrated call.
        because: The call of the program, or the reason why there is none.
        abstains: Whether the program does nothing, or repeats an earlier call.
        unknown: Whether the call is no step of the program, and has a value of the task.
        makes_another: Whether the program makes another value for the same call.
    """

    task: str
    number: int
    shown: tuple[str, tuple[str, ...]]
    because: str
    abstains: bool
    unknown: bool = False
    makes_another: bool = False


def operators_of(program: Program) -> frozenset[str]:
    """Return the operators of a program."""
    return frozenset(step.operator for step in program.steps)


@dataclass(frozen=True, slots=True)
class Replayed:
    """A call of a demonstration, and the decision of the program.

    Attributes:
        operator: Operator of the demonstrated call.
        arguments: Arguments of the demonstrated call.
        decision: Decision of the program.
        step: The step of the call, if the program would make it or holds it possible.
        idle: Whether the program rightly leaves the call out.
    """

    operator: str
    arguments: tuple[str, ...]
    decision: Decision
    step: ProgramStep | None
    idle: bool

    @property
    def diverges(self) -> bool:
        """Whether the program does otherwise, or nothing."""
        return self.step is None and not self.idle

    @property
    def makes_another(self) -> bool:
        """Whether the program makes another value for the same call, which no answer corrects."""
        if not isinstance(self.decision, Act) or self.decision.step.operator != self.operator:
            return False
        sources = self.decision.step.sources
        return any(
            value != demonstrated and (_is_made(source) or _is_cut(source, value, demonstrated))
            for source, value, demonstrated in zip(
                sources, self.decision.arguments, self.arguments, strict=False
            )
        )


def _is_made(source: Source) -> bool:
    """Whether a source makes values, none of which stands for another candidate of a choice."""
    return isinstance(source, Written | Computed | Tabled) and is_settled(source)


def _is_cut(source: Source, value: str, demonstrated: str) -> bool:
    """Whether a slot of the task holds more or less of the sentence than was demonstrated."""
    return isinstance(source, TaskSlot) and (
        occurs(demonstrated, value) or occurs(value, demonstrated)
    )


def replay(
    program: Program,
    lesson: Lesson,
    needed: Collection[str] = (),
    unexplained: Collection[str] = (),
) -> Iterator[Replayed]:
    """Yield the decision of a program at each call of a demonstration.

    Args:
        program: The program.
        lesson: The demonstration.
        needed: Operators that are not idle, even if the program does not know them.
        unexplained: Needed operators whose calls are no glances either.
    """
    history = program.begin(lesson.first)
    operators = operators_of(program).union(needed)
    for number, (operator, arguments, result) in enumerate(lesson.calls, 1):
        last = number == len(lesson.calls)
        decision = decide(program, history)
        later_arguments = {a for o, a, _ in lesson.calls[number:] if o == operator}
        step = _step(decision, operator, arguments, several=bool(later_arguments), last=last)
        step_of_operator = next((each for each in program.steps if each.operator == operator), None)
        if planned(program, history, operator, arguments):
            step = step_of_operator
        if step is None and isinstance(decision, Act) and not last:
            step = _step_in_any_order(program, history, decision, lesson, number)
        idle = step is None and not last and operator not in operators
        may_be_glance = step is None and operator not in unexplained
        glance = may_be_glance and is_glance(program, history, decision, lesson, number)
        yield Replayed(operator, arguments, decision, step, idle or glance)
        step = step or step_of_operator
        # The program does not see the results of calls that it would not make.
        if step is not None and not glance:
            history.add(Done(step.id, operator, arguments), result)


def _step_in_any_order(
    program: Program, history: History, decision: Act, lesson: Lesson, number: int
) -> ProgramStep | None:
    """Return the step of a call that any order allows before the program's own; else None.

    Args:
        program: The program.
        history: The history before the call.
        decision: Decision of the program.
        lesson: The demonstration.
        number: Number of the call, from 1.
    """
    operator, arguments, _ = lesson.calls[number - 1]
    if (decision.step.operator, decision.arguments) not in (c[:2] for c in lesson.calls[number:]):
        return None
    possible_steps = {
        step.id: step for step, ways in possible(program, history) if arguments in ways
    }
    return next(
        (
            possible_steps[name]
            for group in program.any_order
            if decision.step.id in group
            for name in group
            if name in possible_steps and possible_steps[name].operator == operator
        ),
        None,
    )


def is_glance(
    program: Program, history: History, decision: Decision, lesson: Lesson, number: int
) -> bool:
    """Whether a call is a glance: the program never makes it, and its own call comes later.

    People look at other things, and go on. The only call of a step that a committing one needs is
    no glance, as the program could not commit without it.

    Args:
        program: The program.
        history: The history before the call.
        decision: Decision of the program.
        lesson: The demonstration.
        number: Number of the call, from 1.
    """
    if isinstance(decision, Ask) or program.planner is not None:
        return False
    operator, arguments, _ = lesson.calls[number - 1]
    later_calls = [call[:2] for call in lesson.calls[number:]]
    steps = [step for step in program.steps if step.operator == operator]
    needed_ids = frozenset[str]().union(*(step.box.needs for step in program.steps))
    needed_operators = {step.operator for step in program.steps if step.id in needed_ids}
    is_only = sum(other == operator for other, _, _ in lesson.calls) == 1
    return (
        (decision.step.operator, decision.arguments) in later_calls
        and not (is_only and operator in needed_operators)
        and not any(
            step.commit or all(map(_may_give, step.sources, arguments, itertools.repeat(history)))
            for step in steps
        )
    )


def left_out(program: Program, lesson: Lesson, *, bare: bool = False) -> frozenset[tuple[str, str]]:
    """Return the operators whose calls a program passes over, each with the step behind it.

    An operator that few demonstrations call so only looks at other things.

    Args:
        program: The program.
        lesson: The demonstration.
        bare: Whether calls without arguments count: in a text they look around, as a tool need not.
    """
    operators = operators_of(program)
    glances: set[str] = set()
    passed_over: set[tuple[str, str]] = set()
    for outcome in replay(program, lesson):
        if outcome.step is not None:
            passed_over |= {(each, outcome.step.id) for each in glances}
            glances = set()
        elif outcome.idle and (bare or outcome.operator in operators or outcome.arguments):
            glances.add(outcome.operator)
    return frozenset(passed_over)


def _may_give(source: Source, value: str, history: History) -> bool:
    """Whether a source may give a value, now or at a later turn."""
    if not isinstance(source, Choice) or source.looks_at:
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
    """Return the first divergence of a program from a demonstration; see :func:`replay`."""
    earlier: list[tuple[str, tuple[str, ...]]] = []
    for number, outcome in enumerate(replay(program, lesson, needed, unexplained), 1):
        call, decision = (outcome.operator, outcome.arguments), outcome.decision
        if outcome.diverges:
            if isinstance(decision, Ask):
                return Divergence(lesson.task, number, call, decision.because, abstains=True)
            again = (decision.step.operator, decision.arguments) in earlier
            abstains = again and not decision.step.commit  # a repetition says nothing new
            unknown = any(
                value in lesson.first.asked.fields.values() for value in outcome.arguments
            )
            unknown &= outcome.operator not in operators_of(program)
            return Divergence(
                lesson.task,
                number,
                call,
                _act_text(decision),
                abstains,
                unknown,
                makes_another=not abstains and outcome.makes_another,
            )
        if outcome.step is not None:
            earlier.append(call)
    return None


def planned(program: Program, history: History, operator: str, arguments: tuple[str, ...]) -> bool:
    """Whether a planner holds a call possible.

    While the planner explores, any exploring call counts: demonstrators look twice, and fetch what
    they will need.
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
) -> ProgramStep | None:
    """Return the step of a call, if the program would make it; else None.

    Another candidate counts where the demonstration goes on with others.

    Args:
        decision: Decision of the program.
        operator: Operator of the call.
        arguments: Arguments of the call.
        several: Whether the operator comes later with other values: then the order is free.
        last: Whether the demonstration ends with the call.
    """
    if isinstance(decision, Ask) or decision.step.operator != operator:
        return None
    if decision.gives(arguments):
        return decision.step
    free = not last and not decision.step.commit and several
    return decision.step if free and arguments in decision.others else None


def _act_text(act: Act) -> str:
    return f"{act.step.operator} {' | '.join(act.arguments)}".strip()
