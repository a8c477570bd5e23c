"""Programs: steps in order of preference with guards, and the decision about the next one."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from ..arrangements.arrangement_steps import accepted
from ..episodes.facts import UNREAD
from ..episodes.history import TASK, History
from ..episodes.tokens import magnitude
from .binding import bound, combinations, unanswered
from .box import Box
from .call_forms import ANSWER, Form
from .field_uses import decisive
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
    candidates,
    case_of,
    choices_in,
    chosen_values,
    meant_facts,
    rows,
    texts_instead,
)
from .terms import terms_of

_MOST = 40
"""Most combinations of arguments that are tried for one step."""


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
class ProgramStep:
    """One step.

    Attributes:
        id: Name in the program.
        operator: Text of the action, with ``{}`` for each argument.
        sources: Source of each argument.
        guards: Guards of which one has to hold; none: always.
        again: Whether the same call may be made more than once.
        commit: Whether no demonstration went on after it, so that it is never a trial.
        some: Whether demonstrations left some of the candidates that no rule tells apart.
        box: What was shown around the step.
        form: Form of a tool call or an answer; None for an action in words.
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
    def conditions(self) -> tuple[Condition | Offered, ...]:
        """All conditions of its guards, and those that fit as well."""
        return tuple(each for guard in self.guards for each in (*guard.when, *guard.others))

    @property
    def terms(self) -> frozenset[Term]:
        """Terms whose values tell it apart from other steps in its guards."""
        conditions = (condition for guard in self.guards for condition in guard.when)
        return frozenset(each.term for each in conditions if isinstance(each, OneOf))

    @property
    def unproved(self) -> bool:
        """Whether it commits, and was shown too seldom for a guard or a box."""
        return self.commit and not self.guards and self.box == Box()

    @property
    def says(self) -> bool:
        """Whether it only says something."""
        return self.form is not None and self.form.tool == ANSWER


@dataclass(frozen=True, slots=True)
class Act:
    """The next call: step and arguments, with other arguments that fit."""

    step: ProgramStep
    arguments: tuple[str, ...]
    others: tuple[tuple[str, ...], ...] = ()

    @property
    def valued(self) -> bool:
        """Whether the worth of candidates puts the first arguments first."""
        return any(map(_is_valued, self.step.sources))

    def gives(self, arguments: tuple[str, ...]) -> bool:
        """Whether arguments equal its own, or, where nothing commits, have most of their words."""
        if self.step.commit or len(arguments) != len(self.step.sources):
            return arguments == self.arguments
        arguments_by_source = zip(self.step.sources, self.arguments, arguments, strict=True)
        return all(
            one == other or (isinstance(source, Kept) and source.alike(one, other))
            for source, one, other in arguments_by_source
        )


@dataclass(frozen=True, slots=True)
class Ask:
    """No call: the reason, and the step in doubt."""

    because: str
    step: ProgramStep | None = None


Decision = Act | Ask


@dataclass(frozen=True)
class Program:
    """The program of one kind of task.

    Attributes:
        steps: Steps in order of preference: the first possible one whose guard holds is done.
        few: Term with few values → these; any other value was never shown.
        together: Pairs of their values that were shown. At another pair a step that commits, or
            looks at them, asks.
        any_order: Groups of possible steps that demonstrations did in any order.
        places: Rules for places, for a program that plans.
        planner: The planner; its operators are the steps, in no order.
    """

    steps: tuple[ProgramStep, ...]
    few: Mapping[Term, tuple[str, ...]] = field(default_factory=dict, hash=False)
    together: tuple[Together, ...] = ()
    any_order: tuple[tuple[str, ...], ...] = ()
    places: Places | None = None
    planner: Planner | None = None

    @cached_property
    def passed(self) -> frozenset[tuple[str, str]]:
        """Slots of the task, and fields of results, that steps pass on as arguments."""
        passed: set[tuple[str, str]] = set()
        for step in self.steps:
            for source in step.sources if not step.says else ():
                if isinstance(source, TaskSlot):
                    passed.add((TASK, source.slot))
                elif isinstance(source, Choice):
                    passed.add((source.kind, source.field))
        return frozenset(passed)

    @cached_property
    def decisive(self) -> frozenset[tuple[str, str]]:
        """Slots of the task, and fields of results, that the program decides by."""
        return decisive(self)

    def reads(self, task: str) -> bool:
        """Whether the program may be followed for a task: its planner, if any, has to read it."""
        return self.planner is None or self.planner.reads(task)

    def begin(self, history: History) -> History:
        """Return a history without calls, with the memory that the program needs."""
        if self.planner is None or self.places is None:
            return history.copy()
        return self.planner.begin(self.places, history)


def planning_program(planner: Planner, places: Places) -> Program:
    """Return a program that plans."""
    steps = [ProgramStep(each.id, each.text, (), again=True) for each in planner.operators]
    moves = (
        ProgramStep(f"move-{n}", text, (), again=True) for n, text in enumerate(places.moves, 1)
    )
    return Program((*steps, *moves), places=places, planner=planner)


Possible = Callable[[str, tuple[str, ...]], bool]
Grave = Callable[[ProgramStep], bool]


def _always_possible(operator: str, arguments: tuple[str, ...]) -> bool:
    """Return true: the world does not tell which calls are possible."""
    return True


def _commits(step: ProgramStep) -> bool:
    """Whether a step is grave by default: it commits."""
    return step.commit


def ready(step: ProgramStep, history: History) -> list[tuple[str, ...]]:
    """Return the arguments with which a step is possible now, the first choice first.

    A call that was made is left out, unless the step may be repeated.
    """
    most = _MOST + len(history.calls)  # each earlier call rules out at most one
    ways = itertools.islice(combinations(step.sources, history, most), most)
    allowed = (way for way in ways if _is_allowed(step, way, history))
    return list(itertools.islice(allowed, _MOST))


def _is_allowed(step: ProgramStep, arguments: tuple[str, ...], history: History) -> bool:
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


def guard_holds(step: ProgramStep, history: History) -> bool:
    """Whether one of the step's guards holds now."""
    return not step.guards or any(all_hold(guard.when, history) for guard in step.guards)


def shown_for(step: ProgramStep, history: History) -> int:
    """Return how many demonstrations did a step for a reason that holds now."""
    reasons = zip(step.guards, step.box.reasons, strict=False)
    holding = [runs for guard, runs in reasons if all_hold(guard.when, history)]
    return max(holding, default=0) if step.box.reasons else step.box.runs


def reason_for(step: ProgramStep, history: History) -> int | None:
    """Return which of a step's guards is the first that holds now."""
    return next((n for n, g in enumerate(step.guards) if all_hold(g.when, history)), None)


def decide(
    program: Program, history: History, can: Possible = _always_possible, grave: Grave = _commits
) -> Decision:
    """Return the next call of a program, or the reason why there is none.

    Args:
        program: The program.
        history: The history.
        can: Whether a call is possible now, where the world tells.
        grave: Whether a step needs a decision without doubt.
    """
    if program.planner is not None:
        return _planner_decision(program, program.planner, history, can)
    possible_steps = possible(program, history, can)
    for step, ways in possible_steps:
        doubt = _doubt(program, step, ways, history, grave=grave(step))
        if doubt is None and grave(step):
            doubt = (
                _unknown_class(program, history)
                or _missing_row(program, history)
                or _step_by_rivals(program, history)
            )
        if doubt is not None:
            return Ask(doubt, step)
        if step.unproved and (rival := next((s for s, _ in possible_steps if s.commit), None)):
            return Ask(f"{step.id} or {rival.id}? Of the two too little was shown", step)
        return Act(step, ways[0], tuple(ways[1:]))
    return Ask("no step of the program can be done here")


def _unknown_class(program: Program, history: History) -> str | None:
    """Return which candidate of any step has a class that was never shown; None if none has."""
    for step in program.steps:
        for choice in itertools.chain.from_iterable(map(choices_in, step.sources)):
            case = case_of(choice, history)
            why = _strange_class(case, choice, history) if case is not None else None
            if why is not None:
                return why
    return None


def _step_by_rivals(program: Program, history: History) -> str | None:
    """Return which step another fitting rule of its choice would do now; None if none."""
    for step in program.steps:
        if guard_holds(step, history):
            continue
        calls = (call for call in history.calls if call.operator == step.operator)
        done = {value for call in calls for value in call.arguments}
        for guard in step.guards:
            ways = itertools.product(*(_with_rivals(each, history, done) for each in guard.when))
            if any(all_hold(when, history) for when in itertools.islice(ways, _MOST)):
                return f"{step.id}? Another rule fits the demonstrations as well"
    return None


def _with_rivals(
    condition: Condition | Offered, history: History, done: Collection[str]
) -> Iterator[Condition | Offered]:
    """Yield a condition, and the same with each rule that fits as well and offers something new.

    A longer rule is far-fetched here: it would do a step that the shorter one leaves out.
    """
    yield condition
    if not isinstance(condition, Offered) or len(condition.choice.cases) != 1:
        return
    (case,) = condition.choice.cases
    length = len(case.rule.where) + len(case.rule.order)
    for other in case.others:
        choice = replace(condition.choice, cases=(replace(case, rule=other, others=()),))
        if len(other.where) + len(other.order) > length:
            continue
        if not any(value in done for value in candidates(choice, history)):
            yield replace(condition, choice=choice)


def _missing_row(program: Program, history: History) -> str | None:
    """Return for which arguments of a step no row was told; None if each has one.

    A step is not possible for them, so that a later one would leave them out.
    """
    for step in program.steps:
        if not guard_holds(step, history):
            continue
        for arguments in unanswered(step.sources, history, _MOST):
            given = [(place, value) for place, value in enumerate(arguments) if value]
            if given and not any(
                call.operator == step.operator and all(call.arguments[n] == v for n, v in given)
                for call in history.calls
            ):
                return f"no row tells what {step.id} takes for {' '.join(v for _, v in given)!r}"
    return None


def _strange_class(case: Case, choice: Choice, history: History) -> str | None:
    unknown = case.unknown(rows(choice, history), history) if case.known else None
    if unknown is None:
        return None
    term, value = unknown
    return f"{value!r} was never shown for {term_text(term)}"


def possible(
    program: Program, history: History, can: Possible = _always_possible
) -> Iterator[tuple[ProgramStep, list[tuple[str, ...]]]]:
    """Yield the possible steps in order, each with its arguments."""
    for step in program.steps:
        ways = ready(step, history) if guard_holds(step, history) else []
        ways = [way for way in ways if can(step.operator, way)]
        if ways:
            yield step, ways


def _planner_decision(
    program: Program, planner: Planner, history: History, can: Possible
) -> Decision:
    """Return the decision of the planner, with other arguments of the same operator."""
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
    program: Program,
    step: ProgramStep,
    ways: list[tuple[str, ...]],
    history: History,
    *,
    grave: bool,
) -> str | None:
    """Return which fact was never shown, or which rules disagree; None without a doubt."""
    for source in (bound(each, ways[0]) for each in step.sources):
        for choice in choices_in(source):
            if (why := _disagreement(choice, history, grave=grave)) is not None:
                return why
    for term, values in program.few.items():
        value = value_of(term, history)
        if value is not None and value not in values and not _was_argument(value, history):
            return f"{value!r} was never shown for {term_text(term)}"
    for pair in program.together:
        looks = grave or not step.terms.isdisjoint((pair.left, pair.right))
        if looks and not pair.holds(history):
            first_value, second_value = value_of(pair.left, history), value_of(pair.right, history)
            return f"{first_value!r} and {second_value!r} were never shown together"
    for guard in step.guards:
        if all_hold(guard.when, history):
            for other in guard.others:
                if (grave or _compares_like_guard(other, guard)) and not other.holds(history):
                    return f"in the demonstrations it always held that {condition_text(other)}"
            break
    if not grave:
        return None
    if (why := _ambiguous_text(program.steps, history)) is not None:
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
        or step.box.strange(history, _answered_operators(step, history), program.decisive)
    )


def _answered_operators(step: ProgramStep, history: History) -> frozenset[str]:
    """Return the operators whose refusals an arrangement takes into account."""
    arranged = (source.arrangement for source in step.sources if isinstance(source, Arranged))
    return frozenset(
        each.enquiry.do for each in arranged if each.enquiry and accepted(each, history)
    )


def unmet_need(steps: Iterable[ProgramStep], step: ProgramStep, history: History) -> str | None:
    """Return which needed step was not done yet; None if all were.

    For a guarded step any step with its operator counts.
    """
    for other in steps:
        if other.id in step.box.needs and not any(
            call.step == other.id or (other.guards and call.operator == other.operator)
            for call in history.calls
        ):
            return f"{other.id} was done before it in every demonstration"
    return None


def _compares_like_guard(other: Condition, guard: Guard) -> bool:
    """Whether a condition compares the same terms as a guard, perhaps at another limit."""
    if not isinstance(other, Comparison):
        return False
    terms = {other.left, other.right}
    return any(isinstance(c, Comparison) and {c.left, c.right} == terms for c in guard.when)


def _is_valued(source: Source) -> bool:
    """Whether the candidates of a source have a worth, so that the first one is best."""
    return isinstance(source, Choice) and source.worth is not None


def unsettled_choice(step: ProgramStep, history: History) -> str | None:
    """Return which choice of a step no rule explains; None if rules explain all."""
    for choice in itertools.chain.from_iterable(map(choices_in, step.sources)):
        case = case_of(choice, history)
        if case is not None and not case.settled and not _is_valued(choice):
            return f"no rule singles out the {choice.field!r} that was shown"
    return None


def _ambiguous_text(steps: Iterable[ProgramStep], history: History) -> str | None:
    """Return which earlier text might have been written otherwise; None if none might."""
    step_by_id = {step.id: step for step in steps}
    for call in history.calls:
        done_step = step_by_id.get(call.step or "")
        if done_step is None or len(done_step.sources) != len(call.arguments):
            continue
        for source, text in zip(done_step.sources, call.arguments, strict=True):
            if others := texts_instead(source, text, history):
                return f"{' or '.join((text, *others[:2]))}? All were written so in demonstrations"
    return None


def _unread_row(steps: Iterable[ProgramStep], history: History) -> str | None:
    """Return which unknown line stands among rows of a choice; None if there is none."""
    sources = (source for step in steps for source in step.sources)
    kinds = {choice.kind: None for source in sources for choice in choices_in(source)}
    for kind in kinds:
        rows = history.results[history.kinds[kind]] if kind in history.kinds else ()
        unread = next((fact for fact in rows if fact.kind == UNREAD), None)
        if unread is not None:
            return f"{unread.fields.get('1', '')!r} was never told"
    return None


def _unsteady_values(step: ProgramStep, history: History) -> str | None:
    """Return which values differ that were always equal; None if they are equal."""
    for choice in itertools.chain.from_iterable(map(choices_in, step.sources)):
        if choice.steady:
            told_values = {
                fact.fields.get(choice.field, ""): None for fact in history.all(choice.kind)
            }
            if len(told_values) > 1:
                return (
                    f"{' or '.join(sorted(told_values))}? They were the same in every demonstration"
                )
    return None


def _was_argument(value: str, history: History) -> bool:
    """Whether a word was an argument, so that a result may repeat it.

    Figures do not count, as they are alike by chance.
    """
    is_figure = magnitude(value) is not None
    return not is_figure and any(value in call.arguments for call in history.calls)


def _is_fully_told(rule: Rule, history: History) -> bool:
    """Whether all fields that a rule looks at were told in this episode."""
    terms = (term for each in rule.where for term in terms_of(each))
    told_terms = (term for term in terms if isinstance(term, ToldField))
    return all(value_of(term, history) is not None for term in told_terms)


def _disagreement(choice: Choice, history: History, *, grave: bool) -> str | None:
    """Return where another fitting rule would choose something else; None if all agree.

    A choice unlike all shown ones is a doubt only for a grave step: else a trial settles it.
    """
    case = case_of(choice, history)
    if case is not None and (why := _strange_class(case, choice, history)):
        return why
    if case is None or not case.settled:
        return None
    candidates = meant_facts(case, choice, history)
    first = list(dict.fromkeys(v for fact in candidates if (v := fact.fields.get(choice.field))))
    for condition in case.always if grave and len(first) == 1 else ():
        if not any(condition.holds(history, fact) for fact in candidates):
            return f"{first[0]}? Of what was chosen it always held that {condition_text(condition)}"
    for other in case.others:
        values = chosen_values(other, choice, history)
        if values != first and (values or _is_fully_told(other, history)):
            alternatives = " or ".join(dict.fromkeys([*first[:2], *values[:2]]))
            return f"{alternatives}? Another rule fits the demonstrations as well"
    return None
