"""A program: steps in order of preference, each with its guards, and what is done next."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from ..arrangements.arrangement_steps import accepted
from ..episodes.facts import UNREAD
from ..episodes.history import TASK, History
from .binding import combinations
from .box import Box
from .call_forms import ANSWER, Form
from .notation import condition_text, term_text
from .planning.places import Places
from .planning.planner import Call, Planner
from .program_conditions import (
    Comparison,
    Condition,
    OneOf,
    TaskSlot,
    Term,
    Together,
    ToldField,
    all_hold,
    value_of,
)
from .sources import (
    Arranged,
    Case,
    Choice,
    Kept,
    Offered,
    Rule,
    Source,
    case_of,
    chosen_values,
    meant_facts,
    rows,
    texts_instead,
)
from .terms import terms_of

__all__ = [
    "Act",
    "Ask",
    "Decision",
    "Guard",
    "Program",
    "Step",
    "decide",
    "planning_program",
    "unmet_need",
    "unsettled_choice",
]

_MOST = 40
"""Most ways that are tried to do one step."""


@dataclass(frozen=True, slots=True)
class Guard:
    """Conditions that all have to hold.

    Attributes:
        when: The conditions.
        others: Conditions that fit the demonstrations just as well as those of ``when``.
    """

    when: tuple[Condition | Offered, ...]
    others: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One step.

    Attributes:
        id: Name in the program.
        operator: What is done, with ``{}`` for each argument.
        sources: Where each argument comes from.
        guards: It is done only where one of them holds; none: always.
        again: Whether the same call may be made more than once.
        commit: Whether no demonstration ever went on after it: it is never tried.
        some: Whether demonstrations left some of the candidates that no rule tells apart.
        box: What was shown where it was done.
        form: How a tool is called, or what is answered; None of an action in words.
    """

    id: str
    operator: str
    sources: tuple[Source, ...]
    guards: tuple[Guard, ...] = ()
    again: bool = False
    commit: bool = False
    some: bool = False
    box: Box = field(default=Box(), hash=False)
    form: Form | None = None

    @property
    def terms(self) -> frozenset[Term]:
        """Terms by whose values its guards tell it apart from other steps."""
        conditions = (condition for guard in self.guards for condition in guard.when)
        return frozenset(each.term for each in conditions if isinstance(each, OneOf))

    @property
    def unproved(self) -> bool:
        """Whether it commits, and what it hangs on was shown too seldom to tell."""
        return self.commit and not self.guards and self.box == Box()

    @property
    def says(self) -> bool:
        """Whether it only says something."""
        return self.form is not None and self.form.tool == ANSWER


@dataclass(frozen=True, slots=True)
class Act:
    """What is done next, and what else might be done instead."""

    step: Step
    arguments: tuple[str, ...]
    others: tuple[tuple[str, ...], ...] = ()

    @property
    def valued(self) -> bool:
        """Whether the first is meant because of what it is worth."""
        return any(map(_is_valued, self.step.sources))

    def gives(self, arguments: tuple[str, ...]) -> bool:
        """Whether these arguments are given, or texts with most of their words if none is final."""
        if self.step.commit or len(arguments) != len(self.step.sources):
            return arguments == self.arguments
        both = zip(self.step.sources, self.arguments, arguments, strict=True)
        return all(
            one == other or (isinstance(source, Kept) and source.alike(one, other))
            for source, one, other in both
        )


@dataclass(frozen=True, slots=True)
class Ask:
    """Nothing is done: the reason, and the step that would have been done."""

    because: str
    step: Step | None = None


Decision = Act | Ask


@dataclass(frozen=True)
class Program:
    """What was learned of one kind of task.

    Attributes:
        steps: In order of preference: the first that can be done and whose guard holds is done.
        few: Terms that have few values → these; any other value was never shown.
        together: Pairs of their values that were shown; what a step that commits, or one that
            looks at them, does at another pair nobody knows.
        any_order: Groups of steps that demonstrations did in any order, though each could be done.
        places: How places are known, where something is searched for.
        planner: What plans there; its operators are the steps, in no order.
    """

    steps: tuple[Step, ...]
    few: Mapping[Term, tuple[str, ...]] = field(default_factory=dict, hash=False)
    together: tuple[Together, ...] = ()
    any_order: tuple[tuple[str, ...], ...] = ()
    places: Places | None = None
    planner: Planner | None = None

    @cached_property
    def passed(self) -> frozenset[tuple[str, str]]:
        """Slots of the task, and fields of results, that are passed on by what is done."""
        passed: set[tuple[str, str]] = set()
        for step in self.steps:
            for source in step.sources if not step.says else ():
                if isinstance(source, TaskSlot):
                    passed.add((TASK, source.slot))
                elif isinstance(source, Choice):
                    passed.add((source.kind, source.field))
        return frozenset(passed)

    def reads(self, task: str) -> bool:
        """Whether a task is one for which it may be followed; all are, if it does not plan."""
        return self.planner is None or self.planner.reads(task)

    def begin(self, history: History) -> History:
        """Return a history of which nothing was done yet as the program remembers it."""
        if self.planner is None or self.places is None:
            return history.copy()
        return self.planner.begin(self.places, history)


def planning_program(planner: Planner, places: Places) -> Program:
    """Return a program that plans."""
    seen = places.sightings
    planner = replace(planner, kinds=frozenset((*seen.visits, *seen.seen)))
    steps = [Step(each.id, each.text, (), again=True) for each in planner.operators]
    moves = (Step(f"move-{n}", text, (), again=True) for n, text in enumerate(places.moves, 1))
    return Program((*steps, *moves), places=places, planner=planner)


Possible = Callable[[str, tuple[str, ...]], bool]
Grave = Callable[[Step], bool]


def _anything(operator: str, arguments: tuple[str, ...]) -> bool:
    """Say that a call is possible, where the world does not tell."""
    return True


def _commits(step: Step) -> bool:
    """Say which steps are grave, where nothing else tells."""
    return step.commit


def ready(step: Step, history: History) -> list[tuple[str, ...]]:
    """Return the arguments with which a step can be done now, the first choice first.

    What was done already is not done again, unless the step says so.
    """
    most = _MOST + len(history.calls)  # of these no more than the calls may be done already
    ways = itertools.islice(combinations(step.sources, history, most), most)
    allowed = (way for way in ways if _allowed(step, way, history))
    return list(itertools.islice(allowed, _MOST))


def _allowed(step: Step, arguments: tuple[str, ...], history: History) -> bool:
    if step.again:
        last = history.calls[-1] if history.calls else None
        same = last and (last.operator, last.arguments) == (step.operator, arguments)
        return not (same and last and not last.worked)
    return not any(
        c.operator == step.operator
        and c.arguments == arguments
        and (c.step in (step.id, None) or not c.worked)
        for c in history.calls
    )


def guard_holds(step: Step, history: History) -> bool:
    """Whether one of the step's guards holds now."""
    return not step.guards or any(all_hold(guard.when, history) for guard in step.guards)


def decide(
    program: Program, history: History, can: Possible = _anything, grave: Grave = _commits
) -> Decision:
    """Return what the program does next, or why it does nothing.

    Args:
        program: The program.
        history: What is known.
        can: Whether a call is possible now, where the world tells.
        grave: Whether a step is done only where nothing is in doubt.
    """
    if program.planner is not None:
        return _planned(program, program.planner, history, can)
    every = possible(program, history, can)
    for step, ways in every:
        doubt = _doubt(program, step, ways, history, grave=grave(step))
        if doubt is None and grave(step):
            doubt = _unknown_class(program, history)
        if doubt is not None:
            return Ask(doubt, step)
        if step.unproved and (rival := next((s for s, _ in every if s.commit), None)):
            return Ask(f"{step.id} or {rival.id}? Of the two too little was shown", step)
        return Act(step, ways[0], tuple(ways[1:]))
    return Ask("no step of the program can be done here")


def _unknown_class(program: Program, history: History) -> str | None:
    """Say which candidate of any step has a class that was never shown; None if none has."""
    for step in program.steps:
        for source in step.sources:
            case = case_of(source, history) if isinstance(source, Choice) else None
            if isinstance(source, Choice) and case is not None:
                why = _strange_class(case, source, history)
                if why is not None:
                    return why
    return None


def _strange_class(case: Case, choice: Choice, history: History) -> str | None:
    unknown = case.unknown(rows(choice, history), history) if case.known else None
    if unknown is None:
        return None
    term, value = unknown
    return f"{value!r} was never shown for {term_text(term)}"


def possible(
    program: Program, history: History, can: Possible = _anything
) -> Iterator[tuple[Step, list[tuple[str, ...]]]]:
    """Yield the steps that can be done now, in order, each with its arguments."""
    for step in program.steps:
        ways = ready(step, history) if guard_holds(step, history) else []
        ways = [way for way in ways if can(step.operator, way)]
        if ways:
            yield step, ways


def _planned(program: Program, planner: Planner, history: History, can: Possible) -> Decision:
    """Return what the planner does; others are what it might do with the same operator."""
    refused: frozenset[Call] = frozenset()
    while True:
        outlook = planner.outlook(history, refused)
        calls = [call for call in outlook.calls if can(call.operator, call.arguments)]
        if calls:
            break
        if not outlook.calls:
            return Ask(outlook.because)
        refused |= frozenset(outlook.calls)
    step = next(each for each in program.steps if each.operator == calls[0].operator)
    first, *others = (c.arguments for c in calls if c.operator == step.operator)
    return Act(step, first, tuple(others))


def _doubt(
    program: Program, step: Step, ways: list[tuple[str, ...]], history: History, *, grave: bool
) -> str | None:
    """Say which fact was never shown, or which rules disagree; None if all is as shown."""
    for source in step.sources:
        if isinstance(source, Choice) and (why := _disagreement(source, history, grave=grave)):
            return why
    for term, values in program.few.items():
        value = value_of(term, history)
        if value is not None and value not in values and not _echoed(value, history):
            return f"{value!r} was never shown for {term_text(term)}"
    for pair in program.together:
        looks = grave or not step.terms.isdisjoint((pair.left, pair.right))
        if looks and not pair.holds(history):
            left, right = value_of(pair.left, history), value_of(pair.right, history)
            return f"{left!r} and {right!r} were never shown together"
    for guard in step.guards:
        if all_hold(guard.when, history):
            for other in guard.others:
                if (grave or _as_close(other, guard)) and not other.holds(history):
                    return f"in the demonstrations it always held that {condition_text(other)}"
            break
    if not grave:
        return None
    if (why := _written_otherwise(program.steps, history)) is not None:
        return why
    if (why := _unread_row(program.steps, history)) is not None:
        return why
    unsettled = unsettled_choice(step, history)
    in_turn = unsettled is not None and not step.commit and not step.some
    unsettled = None if in_turn else unsettled
    if (why := unsettled or _unsteady_values(step, history)) is not None:
        return why
    if len(ways) > 1 and not in_turn and not any(map(_is_valued, step.sources)):
        return f"{' or '.join(' '.join(way) for way in ways[:3])}? All of them fit"
    return (
        step.box.unsized(ways[0])
        or unmet_need(program.steps, step, history)
        or step.box.strange(history, program.passed, _answered(step, history))
    )


def _answered(step: Step, history: History) -> frozenset[str]:
    """Return the operators whose refusals are answered: what they refused is not handed in."""
    arranged = (source.arrangement for source in step.sources if isinstance(source, Arranged))
    return frozenset(
        each.enquiry.do for each in arranged if each.enquiry and accepted(each, history)
    )


def unmet_need(steps: Iterable[Step], step: Step, history: History) -> str | None:
    """Say what was done before a step in every demonstration, and not yet now; None if all was.

    A step with guards is one of several ways: another with its operator is as good.
    """
    for each in steps:
        if each.id in step.box.needs and not any(
            call.step == each.id or (each.guards and call.operator == each.operator)
            for call in history.calls
        ):
            return f"{each.id} was done before it in every demonstration"
    return None


def _as_close(other: Condition, guard: Guard) -> bool:
    """Whether a condition compares what a guard compares: they part at a limit nobody showed."""
    if not isinstance(other, Comparison):
        return False
    both = {other.left, other.right}
    return any(isinstance(c, Comparison) and {c.left, c.right} == both for c in guard.when)


def _is_valued(source: Source) -> bool:
    """Whether it is known what the candidates of a source are worth: the first one is meant."""
    return isinstance(source, Choice) and source.worth is not None


def unsettled_choice(step: Step, history: History) -> str | None:
    """Say which choice of a step no rule explains; None if all are explained."""
    for source in step.sources:
        if isinstance(source, Choice):
            case = case_of(source, history)
            if case is not None and not case.settled and not _is_valued(source):
                return f"no rule singles out the {source.field!r} that was shown"
    return None


def _written_otherwise(steps: Iterable[Step], history: History) -> str | None:
    """Say which text that was typed before might be another one; None if none might."""
    named = {step.id: step for step in steps}
    for call in history.calls:
        done = named.get(call.step or "")
        if done is None or len(done.sources) != len(call.arguments):
            continue
        for source, text in zip(done.sources, call.arguments, strict=True):
            if others := texts_instead(source, text, history):
                return f"{' or '.join((text, *others[:2]))}? All were written so in demonstrations"
    return None


def _unread_row(steps: Iterable[Step], history: History) -> str | None:
    """Say which line stands among rows of which something is chosen, and is none that was shown."""
    sources = (source for step in steps for source in step.sources)
    kinds = {source.kind: None for source in sources if isinstance(source, Choice)}
    for kind in kinds:
        rows = history.results[history.kinds[kind]] if kind in history.kinds else ()
        unread = next((fact for fact in rows if fact.kind == UNREAD), None)
        if unread is not None:
            return f"{unread.fields.get('1', '')!r} was never told"
    return None


def _unsteady_values(step: Step, history: History) -> str | None:
    """Say which values differ that were the same each time; None if they are."""
    for source in step.sources:
        if isinstance(source, Choice) and source.steady:
            told = {fact.fields.get(source.field, ""): None for fact in history.all(source.kind)}
            if len(told) > 1:
                return f"{' or '.join(sorted(told))}? They were the same in every demonstration"
    return None


def _echoed(value: str, history: History) -> bool:
    """Whether a value was given as an argument: a result that repeats it tells nothing new."""
    return any(value in call.arguments for call in history.calls)


def _speaks(rule: Rule, history: History) -> bool:
    """Whether all that a rule looks at was told; else it says nothing of this episode."""
    terms = (term for each in rule.where for term in terms_of(each))
    told = (term for term in terms if isinstance(term, ToldField))
    return all(value_of(term, history) is not None for term in told)


def _disagreement(choice: Choice, history: History, *, grave: bool) -> str | None:
    """Say where a rule that fits the demonstrations as well would choose something else.

    What is as no choice that was shown is tried where nothing is grave: the answer tells.
    """
    case = case_of(choice, history)
    if case is not None and (why := _strange_class(case, choice, history)):
        return why
    if case is None or not case.settled:
        return None
    meant = meant_facts(case, choice, history)
    first = list(dict.fromkeys(v for fact in meant if (v := fact.fields.get(choice.field))))
    for condition in case.always if grave and len(first) == 1 else ():
        if not any(condition.holds(history, fact) for fact in meant):
            return f"{first[0]}? Of what was chosen it always held that {condition_text(condition)}"
    for other in case.others:
        values = chosen_values(other, choice, history)
        if values != first and (values or _speaks(other, history)):
            either = " or ".join(dict.fromkeys([*first[:2], *values[:2]]))
            return f"{either}? Another rule fits the demonstrations as well"
    return None
