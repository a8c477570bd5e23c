"""Learning a program from demonstrations: read, cover, order, guard."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...episodes.facts import UNREAD, Fact
from ...episodes.history import Done
from ...episodes.tokens import magnitude
from ..binding import values_with
from ..decision_tables import Tabled
from ..notation import term_text
from ..parameter_names import step_id
from ..program import Program, ProgramStep, ready
from ..program_conditions import (
    DoneStep,
    TaskSlot,
    Term,
    Together,
    ToldField,
)
from ..replaying import divergence_of
from ..sources import (
    Choice,
    Constant,
    Source,
    Written,
    choices_in,
)
from .covering import cover
from .features import Features
from .guarding import guards_against_rivals, learn_guards
from .lessons import Lesson
from .moments import Guarding, Moment, in_any_order, order_of_steps
from .occurrences import Few, Occurrence
from .provisions import learn_needs, learn_provisions
from .turns import with_some, with_turns

_NEW_SHARE = 0.2
"""Good and Turing's chance of a new value below which values of a field are classes, not names.

The reasoner handles any value that was never shown, so a rare one may be missing."""
_MOST_VALUES = 12
"""Most values of a field that has few."""
_MOST_STEPS = 24
"""Most steps of a program. More are a list of tried arguments that nobody would read."""
_MOST_LISTED = 8
"""Most steps whose arguments are all constants that nothing said before."""
_MOST_STUCK = 8
"""Most steps that no condition calls for; which of so many is idle takes minutes to tell."""
_SOME = 20
"""Demonstrations by which failures are counted; more take time."""
_SOME_ENDS = 3
"""Least ends with a step, and without it, from which on their difference is no chance."""
_LATER = "{}-again"


def _few_fields(facts: Iterable[tuple[int, Fact]]) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return kind → field → values, for fields whose values all seem to have been shown.

    Args:
        facts: Episode and fact. By Good and Turing the chance of a new value is the share of
            values that only one episode shows.
    """
    episodes_by_value: dict[tuple[str, str], dict[str, set[int]]] = defaultdict(
        lambda: defaultdict(set)
    )
    for episode, fact in facts:
        if fact.kind != UNREAD:
            for name, value in fact.fields.items():
                episodes_by_value[fact.kind, name][value].add(episode)
    few: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for (kind, name), values in sorted(episodes_by_value.items()):
        single_uses = sum(len(episodes) == 1 for episodes in values.values())
        total = sum(len(episodes) for episodes in values.values())
        if (
            len(values) <= _MOST_VALUES
            and single_uses <= _NEW_SHARE * total
            and len(values) * 2 < total
        ):
            few[kind][name] = tuple(sorted(values))
    return dict(few)


def learn_program(
    lessons: Sequence[Lesson],
    saying: frozenset[str] = frozenset(),
    explained: float = 0.0,
) -> Program:
    """Learn the program of one kind of task.

    Args:
        lessons: The demonstrations.
        saying: Operators that only say something. The step before them may be the end.
        explained: Share of the demonstrations of which steps have to explain all calls; else the
            program has no steps.
    """
    few = _few_fields(
        (number, fact)
        for number, lesson in enumerate(lessons)
        for result in (
            [lesson.first.asked],
            *lesson.first.results,
            *(result for _, _, result in lesson.calls),
        )
        for fact in result
    )
    field_names = {kind: frozenset(fields) for kind, fields in few.items()}
    steps, offers = _steps(lessons, field_names)
    if _too_many(steps.values()):
        return Program(())
    runs = [_steps_of(lesson, steps) for lesson in lessons]
    if sum(None not in run for run in runs) < explained * len(runs):
        return Program(())
    steps, runs = _with_repetitions(steps, lessons, runs)
    moments = _moments(lessons, steps, runs)
    final = _final_steps(lessons, runs, saying)
    # The order is free only where no observation tells it, as the question of a form does.
    ordered = [replace(moment, later=frozenset()) for moment in moments]
    program, dropped = _guarded_program(Features(ordered, field_names, offers), steps, final)
    if not (groups := in_any_order(moments)):
        return program
    program = replace(program, any_order=_kept_groups(groups, program.steps))
    failures = _failures_of(program, lessons)
    if not dropped and not failures:
        return program
    steps = with_turns(steps, moments)
    moments = _moments(lessons, steps, runs)
    other, other_dropped = _guarded_program(Features(moments, field_names, offers), steps, final)
    return (
        other
        if (len(other_dropped), _failures_of(other, lessons)) < (len(dropped), failures)
        else program
    )


def _kept_groups(
    groups: Iterable[tuple[str, ...]], steps: Iterable[ProgramStep]
) -> tuple[tuple[str, ...], ...]:
    """Return the groups of steps that a program has."""
    kept_ids = {step.id for step in steps}
    return tuple(group for group in groups if kept_ids.issuperset(group))


def _failures_of(program: Program, lessons: Sequence[Lesson]) -> int:
    """Return how many of the first demonstrations a program does not reproduce."""
    return sum(divergence_of(program, lesson) is not None for lesson in lessons[:_SOME])


def _guarded_program(
    features: Features, steps: Mapping[str, ProgramStep], final: set[str]
) -> tuple[Program, set[str]]:
    """Return a program of steps, and the steps that it leaves out."""
    steps = with_some(steps, features.moments)
    dropped: set[str] = set()
    while True:
        in_order = _in_order(features, steps, final, dropped)
        if not in_order.stuck:
            program = _with_guards(features, steps, in_order.guardings, final, dropped)
            values_by_term = _telling_terms(program, features)
            looking = final.union(step.id for step in program if step.terms)
            free = _kept_groups(in_any_order(features.moments), program)
            together = _shown_pairs(features, _of_words(values_by_term), looking)
            return Program(tuple(program), values_by_term, together, free), dropped
        if len(in_order.stuck) > _MOST_STUCK:
            return Program(()), set(steps)
        idle = _idle(in_order.stuck, features, steps, final, dropped)
        if _leaves_a_mark(idle, features, final):
            return Program(()), set(steps)
        dropped |= _with_later(idle)
        features.forget(dropped)


def _idle(
    stuck: Mapping[str, int],
    features: Features,
    steps: Mapping[str, ProgramStep],
    final: set[str],
    dropped: set[str],
) -> str:
    """Return the idle step. Demonstrations hold it, the program does not.

    A step is idle if no condition calls for it. One that is done now and then hides the conditions
    of others, so that it is the one without which the fewest moments are unexplained, its own
    included. What all demonstrations do is idle only if nothing else is.

    Args:
        stuck: Steps for which no condition calls, with the number of their moments.
        features: The conditions.
        steps: All steps.
        final: Steps that end a demonstration.
        dropped: Idle steps that were found before.
    """
    if len(stuck) == 1:
        return next(iter(stuck))

    ends = _mask(features.moments, lambda moment: moment.step in final)
    seldom = [name for name in stuck if ends & ~features.truth.get(DoneStep(name), 0)]
    idle, least = "", math.inf
    for name in sorted(seldom or stuck, key=lambda name: (stuck[name], name)):
        if stuck[name] >= least:
            break
        most = least - stuck[name]
        others = _in_order(features, steps, final, dropped | _with_later(name), most)
        unexplained = stuck[name] + others.errors + sum(others.stuck.values())
        if unexplained < least:
            idle, least = name, unexplained
    return idle


def _with_later(step: str) -> set[str]:
    return {step, _LATER.format(step)}


def _leaves_a_mark(idle: str, features: Features, final: Container[str]) -> bool:
    """Whether some value at the end differs by whether a step was done, so that the step counts."""
    ends = _mask(features.moments, lambda moment: moment.step in final)
    ends_after_step = ends & features.truth.get(DoneStep(idle), 0)
    if min(ends_after_step.bit_count(), (ends & ~ends_after_step).bit_count()) < _SOME_ENDS:
        return False
    for values in features.values.values():
        masks = [truth & ends for truth in values.values() if truth & ends]
        everywhere = len(masks) > 1 and sum(mask.bit_count() for mask in masks) == ends.bit_count()
        if everywhere and all(
            not mask & ends_after_step or not mask & ~ends_after_step for mask in masks
        ):
            return True
    return False


def _is_listed(step: ProgramStep) -> bool:
    """Whether the arguments of a step are values that nothing says before."""
    return bool(step.sources) and all(
        isinstance(source, Constant) and not source.said for source in step.sources
    )


def _telling_terms(
    program: Sequence[ProgramStep], features: Features
) -> dict[Term, tuple[str, ...]]:
    """Return the terms that tell steps apart, with all values that were shown."""
    terms = frozenset[Term]().union(*(step.terms for step in program))
    # A step whose table has no row is not replaced by the next step.
    table_terms = (
        each for step in program for source in step.sources for each in _table_terms(source)
    )
    terms |= {term for term in table_terms if term in features.values}
    values = {term: tuple(sorted(features.values[term])) for term in terms}
    return dict(sorted(values.items(), key=lambda x: term_text(x[0])))


def _of_words(values_by_term: Mapping[Term, Sequence[str]]) -> list[Term]:
    """Return the terms that have words; of numbers few pairs are shown, and most are possible."""
    return [t for t, values in values_by_term.items() if not all(map(magnitude, values))]


def _table_terms(source: Source) -> Iterator[Term]:
    """Yield the terms that are the keys of a source's tables."""
    match source:
        case Tabled():
            yield from (term for table in source.tables for term in table.by)
        case Written():
            for piece in source.pieces:
                if piece.writing.table and isinstance(piece.base, Choice):
                    yield ToldField(piece.base.kind, piece.base.field)
                elif piece.writing.table and isinstance(piece.base, TaskSlot):
                    yield piece.base


def _shown_pairs(
    features: Features, terms: Iterable[Term], steps: Container[str]
) -> tuple[Together, ...]:
    """Return the pairs of values that were shown at the moments of some steps."""
    moments_of_steps = _mask(features.moments, lambda moment: moment.step in steps)
    values = {
        term: {
            v: t & moments_of_steps
            for v, t in features.values[term].items()
            if t & moments_of_steps
        }
        for term in terms
    }
    out: list[Together] = []
    for first_term, second_term in itertools.combinations(values, 2):
        pairs = [
            (a, b)
            for a, t in values[first_term].items()
            for b, u in values[second_term].items()
            if t & u
        ]
        if 0 < len(pairs) < len(values[first_term]) * len(values[second_term]):
            out.append(Together(first_term, second_term, tuple(sorted(pairs))))
    return tuple(out)


@dataclass(frozen=True, slots=True)
class _InOrder:
    """Steps in their order, with what calls for them.

    Attributes:
        guardings: Step → its guards.
        stuck: Steps that no condition calls for, with the number of their moments.
        errors: Number of moments at which the guards call for another step than was done.
    """

    guardings: Mapping[str, Guarding]
    stuck: Mapping[str, int]
    errors: int


def _in_order(
    features: Features,
    steps: Mapping[str, ProgramStep],
    final: set[str],
    dropped: set[str],
    most: float = math.inf,
) -> _InOrder:
    """Return the order of the steps, as far as there is one.

    Args:
        features: The conditions.
        steps: All steps.
        final: Steps that end a demonstration.
        dropped: Idle steps.
        most: Errors at which the order does not matter any more, so that the rest is left out.
    """
    moments = _moments_without(features, dropped, final)
    alive, open_at, done_at = _opportunities(features.moments, steps, dropped, dropped - final)
    order = [name for name in order_of_steps(moments) if done_at[name]]
    remaining = alive
    errors = 0
    guardings: dict[str, Guarding] = {}
    while order and errors < most:
        candidate = _next_step(order, features, open_at, done_at, remaining, final)
        if candidate is None:
            break
        identifier, guarding = candidate
        order.remove(identifier)
        guardings[identifier] = guarding
        called = guarding.truth & open_at[identifier]
        errors += ((called ^ done_at[identifier]) & remaining).bit_count()
        remaining &= ~called
    stuck = {name: (done_at[name] & remaining).bit_count() for name in order}
    return _InOrder(guardings, stuck, errors)


def _moments_without(features: Features, dropped: set[str], final: set[str]) -> list[Moment]:
    """Return the moments as they are without idle steps.

    Where a demonstration ended with an idle step, no other step is right.
    """
    return [
        replace(m, step=None if m.step in dropped else m.step, open=m.open - dropped)
        for m in features.moments
        if m.step not in dropped - final
    ]


def _with_guards(
    features: Features,
    steps: Mapping[str, ProgramStep],
    guardings: Mapping[str, Guarding],
    final: set[str],
    dropped: set[str],
) -> list[ProgramStep]:
    """Return the steps with their guards, those that end a demonstration with their boxes."""
    program: list[ProgramStep] = []
    _, open_at, done_at = _opportunities(features.moments, steps, dropped, dropped - final)
    explained = _mask(features.moments, lambda moment: moment.explained)
    sources = (source for step in steps.values() for source in step.sources)
    tables = {choice.kind for source in sources for choice in choices_in(source)}
    for identifier, guarding in guardings.items():
        step = replace(steps[identifier], guards=guarding.guards)
        if identifier in final:
            step_moments, rivals = done_at[identifier], 0
            for other in final - {identifier}:
                rivals |= done_at[other] & open_at[identifier]
            guards = guards_against_rivals(features, step.guards, step_moments, rivals)
            shown_moments = step_moments & explained if step_moments & explained else step_moments
            box = learn_provisions(step, features, shown_moments, tables)
            step = replace(step, guards=guards, commit=True, box=box)
        program.append(step)
    moments = _moments_without(features, dropped, final)
    return [
        replace(s, box=replace(s.box, needs=learn_needs(s, program, moments))) if s.commit else s
        for s in program
    ]


def _opportunities(
    moments: Sequence[Moment], steps: Iterable[str], dropped: set[str], idle: set[str]
) -> tuple[int, dict[str, int], dict[str, int]]:
    """Return the moments that count, and step → moments at which it is possible, and was done."""
    alive = 0
    open_at, done_at = dict.fromkeys(steps, 0), dict.fromkeys(steps, 0)
    free = {step: frozenset(group) for group in in_any_order(moments) for step in group}
    for i, moment in enumerate(moments):
        if moment.step in idle:
            continue
        alive |= 1 << i
        # A step that comes later, and might have come now, is no evidence against it.
        for step in (
            moment.open - dropped - (free.get(moment.step or "", frozenset()) & moment.later)
        ):
            open_at[step] |= 1 << i
        if moment.step is not None:
            done_at[moment.step] |= 1 << i
    return alive, open_at, done_at


def _next_step(
    order: Sequence[str],
    features: Features,
    open_at: Mapping[str, int],
    done_at: Mapping[str, int],
    remaining: int,
    final: set[str],
) -> tuple[str, Guarding] | None:
    """Return the next step: the first that needs no guard, else the one with the shortest guard."""
    for step in order:
        if not open_at[step] & ~done_at[step] & remaining:
            return step, Guarding((), done_at[step] & remaining, 0.0)
    best: tuple[str, Guarding] | None = None
    for step in order:
        positives = done_at[step] & remaining
        if not positives:
            continue
        negatives = open_at[step] & ~done_at[step] & remaining
        guarding = learn_guards(features, positives, negatives, seldom=step in final)
        if guarding is not None and (best is None or guarding.bits < best[1].bits - 1e-6):
            best = step, guarding
    return best


# ---------------------------------------------------------------------------- steps
def _steps(lessons: Sequence[Lesson], few: Few) -> tuple[dict[str, ProgramStep], list[Choice]]:
    """Return the steps by id, and the choices that may matter by having a candidate.

    The search ends as soon as there are too many steps.
    """
    occurrences: dict[str, list[Occurrence]] = defaultdict(list)
    for number, lesson in enumerate(lessons):
        history = lesson.first.copy()
        for operator, arguments, result in lesson.calls:
            occurrences[operator].append(Occurrence(number, history.copy(), arguments))
            history.add(Done(None, operator, arguments), result)
    steps: dict[str, ProgramStep] = {}
    offers: dict[Choice, None] = {}
    for operator, calls in occurrences.items():
        for shape in cover(operator, calls, few):
            identifier = step_id(operator, steps)
            steps[identifier] = ProgramStep(identifier, operator, shape.sources)
            offers.update(dict.fromkeys(shape.offers))
        if _too_many(steps.values()):
            break
    return steps, list(offers)


def _too_many(steps: Collection[ProgramStep]) -> bool:
    """Whether steps are more than a person would read."""
    return len(steps) > _MOST_STEPS or sum(map(_is_listed, steps)) > _MOST_LISTED


def _steps_of(lesson: Lesson, steps: Mapping[str, ProgramStep]) -> list[str | None]:
    """Return the step that explains each call best; None where none does."""
    history = lesson.first.copy()
    out: list[str | None] = []
    for operator, arguments, result in lesson.calls:
        fits = []
        for place, step in enumerate(steps.values()):
            if step.operator != operator:
                continue
            lists = [
                values_with(index, step.sources, arguments, history)
                for index in range(len(step.sources))
            ]
            if all(v in each for v, each in zip(arguments, lists, strict=True)):
                fits.append((sum(len(each) for each in lists), place, step.id))
        out.append(min(fits)[2] if fits else None)
        history.add(Done(out[-1], operator, arguments), result)
    return out


def _with_repetitions(
    steps: Mapping[str, ProgramStep],
    lessons: Sequence[Lesson],
    runs: Sequence[Sequence[str | None]],
) -> tuple[dict[str, ProgramStep], list[list[str | None]]]:
    """Return steps and runs with a separate step for each later return of a call.

    The same call at a later place is a step of its own. One that follows itself, or comes more
    than twice, may be repeated instead. A call with other values is the next one of its step.
    """
    repeated: set[str] = set()
    later_steps: set[str] = set()
    calls_by_run = [
        [(step, arguments) for step, (_, arguments, _) in zip(run, lesson.calls, strict=True)]
        for lesson, run in zip(lessons, runs, strict=True)
    ]
    for calls in calls_by_run:
        for (step, _), count in Counter(calls).items():
            if step and count > 1:
                (repeated if count > 2 else later_steps).add(step)
        repeated.update(a[0] for a, b in itertools.pairwise(calls) if a[0] and a == b)
    steps_by_id = {
        each.id: ProgramStep(each.id, each.operator, each.sources, again=each.id in repeated)
        for each in steps.values()
    }
    returning = later_steps - repeated
    for step in sorted(returning):
        later_step = _LATER.format(step)
        steps_by_id[later_step] = replace(steps[step], id=later_step)
    return steps_by_id, [
        [
            _LATER.format(call[0]) if call[0] in returning and call in calls[:at] else call[0]
            for at, call in enumerate(calls)
        ]
        for calls in calls_by_run
    ]


def _moments(
    lessons: Sequence[Lesson],
    steps: Mapping[str, ProgramStep],
    runs: Sequence[Sequence[str | None]],
) -> list[Moment]:
    moments: list[Moment] = []
    for lesson, run in zip(lessons, runs, strict=True):
        history = lesson.first.copy()
        explained = _is_explained(lesson, run)
        operators = {steps[step].operator for step in run if step is not None}
        for place, ((operator, arguments, result), step) in enumerate(
            zip(lesson.calls, run, strict=True)
        ):
            if step is None and place == len(run) - 1:  # no other step is right at an end
                open_steps = frozenset(each.id for each in steps.values() if ready(each, history))
                moments.append(Moment(history.copy(), None, open_steps, explained))
            if step is not None:
                values_by_step = {each.id: ready(each, history) for each in steps.values()}
                open_steps = frozenset(name for name, each in values_by_step.items() if each)
                later_calls = set(
                    zip(run[place + 1 :], (c[1] for c in lesson.calls[place + 1 :]), strict=True)
                )
                movable = {n for n in open_steps - {step} if any(map(_is_chosen, steps[n].sources))}
                later = frozenset(
                    n
                    for n in movable
                    if not later_calls.isdisjoint((n, w) for w in values_by_step[n])
                )
                moments.append(Moment(history.copy(), step, open_steps | {step}, explained, later))
            # Other calls are glances that no step explains.
            if step is not None or operator not in operators:
                history.add(Done(step, operator, arguments), result)
        open_steps = frozenset(each.id for each in steps.values() if ready(each, history))
        moments.append(Moment(history, None, open_steps, explained))
    return moments


def _is_chosen(source: Source) -> bool:
    """Whether a source chooses among candidates, so that a step may take several turns."""
    return isinstance(source, Choice) and not source.looks_at


def _is_explained(lesson: Lesson, run: Sequence[str | None]) -> bool:
    """Whether every call without a step uses values that were mentioned before."""
    history = lesson.first.copy()
    for (operator, arguments, result), step in zip(lesson.calls, run, strict=True):
        if step is None and not all(map(history.mentions, arguments)):
            return False
        history.add(Done(step, operator, arguments), result)
    return True


def _mask(moments: Sequence[Moment], test: Callable[[Moment], bool]) -> int:
    mask = 0
    for i, moment in enumerate(moments):
        if test(moment):
            mask |= 1 << i
    return mask


# ---------------------------------------------------------------------------- what commits
def _final_steps(
    lessons: Sequence[Lesson], runs: Sequence[Sequence[str | None]], saying: frozenset[str]
) -> set[str]:
    """Return the steps after which no demonstration went on, except by saying something."""
    ends: set[str | None] = set()
    others: set[str | None] = set()
    for lesson, run in zip(lessons, runs, strict=True):
        at = len(run)
        while at and lesson.calls[at - 1][0] in saying:
            at -= 1
        ends.update(run[max(0, at - 1) :])
        others.update(run[: max(0, at - 1)])
    return {end for end in ends - others if end}
