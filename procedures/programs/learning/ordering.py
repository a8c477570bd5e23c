"""The order of steps with their guards, and the steps that are left out as idle."""

from __future__ import annotations

import itertools
import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...episodes.tokens import magnitude
from ..decision_tables import Tabled
from ..notation import term_text
from ..program import Program, ProgramStep
from ..program_conditions import DoneStep, TaskSlot, Term, Together, ToldField
from ..sources import Choice, Source, Written, choices_in
from .features import Features
from .guarding import guards_against_rivals, learn_guards
from .moments import Guarding, Moment, in_any_order, order_of_steps
from .provisions import learn_needs, learn_provisions
from .truths import mask_of
from .turns import with_some

LATER = "{}-again"
"""Id of a step that comes again, by the id of the first one."""
_MOST_STUCK = 8
"""Most steps that no condition calls for; which of so many is idle takes minutes to tell."""
_SOME_ENDS = 3
"""Least ends with a step, and without it, from which on their difference is no chance."""


def guarded_program(
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
            free = kept_groups(in_any_order(features.moments), program)
            together = _shown_pairs(features, _of_words(values_by_term), looking)
            return Program(tuple(program), values_by_term, together, free), dropped
        if len(in_order.stuck) > _MOST_STUCK:
            return Program(()), set(steps)
        idle = _idle(in_order, features, steps, final, dropped)
        if _leaves_a_mark(idle, features, final):
            return Program(()), set(steps)
        dropped |= _with_later(idle)
        features.forget(dropped)


def _idle(
    in_order: _InOrder,
    features: Features,
    steps: Mapping[str, ProgramStep],
    final: set[str],
    dropped: set[str],
) -> str:
    """Return the idle step. Demonstrations hold it, the program does not.

    A step is idle if no condition calls for it. One that is done now and then hides the conditions
    of others, so that it is the one without which the fewest moments are unexplained, its own
    included. What all demonstrations do is idle only if nothing else is, not even a step that a
    condition calls for by chance.

    Args:
        in_order: The steps for which a condition calls, and those for which none does.
        features: The conditions.
        steps: All steps.
        final: Steps that end a demonstration.
        dropped: Idle steps that were found before.
    """
    everywhere = _done_everywhere(features, steps, final)
    if stuck := {name: n for name, n in in_order.stuck.items() if name not in everywhere}:
        return _least_missed(stuck, features, steps, final, dropped)
    _, _, done_at = _opportunities(features.moments, steps, dropped, dropped - final)
    called = {
        name: done_at[name].bit_count()
        for name in in_order.guardings.keys() - everywhere - final
        if not _leaves_a_mark(name, features, final)
    }
    unexplained = in_order.errors + sum(in_order.stuck.values())
    return _least_missed(called, features, steps, final, dropped, unexplained) or _least_missed(
        in_order.stuck, features, steps, final, dropped
    )


def _done_everywhere(
    features: Features, steps: Iterable[str], final: Container[str]
) -> frozenset[str]:
    """Return the steps that are done before all ends."""
    ends = mask_of(moment.step in final for moment in features.moments)
    return frozenset(each for each in steps if not ends & ~features.truth.get(DoneStep(each), 0))


def _least_missed(
    moments_by_step: Mapping[str, int],
    features: Features,
    steps: Mapping[str, ProgramStep],
    final: set[str],
    dropped: set[str],
    least: float = math.inf,
) -> str:
    """Return the step without which the fewest moments are unexplained, and fewer than a number.

    Empty if there is none.
    """
    if len(moments_by_step) == 1 and least == math.inf:
        return next(iter(moments_by_step))
    missed = ""
    for name in sorted(moments_by_step, key=lambda name: (moments_by_step[name], name)):
        own = moments_by_step[name]
        if own >= least:
            break
        others = _in_order(features, steps, final, dropped | _with_later(name), least - own)
        unexplained = own + others.errors + sum(others.stuck.values())
        if unexplained < least:
            missed, least = name, unexplained
    return missed


def _with_later(step: str) -> set[str]:
    return {step, LATER.format(step)}


def _leaves_a_mark(idle: str, features: Features, final: Container[str]) -> bool:
    """Whether some value at the end differs by whether a step was done, so that the step counts."""
    ends = mask_of(moment.step in final for moment in features.moments)
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
    moments_of_steps = mask_of(moment.step in steps for moment in features.moments)
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
    explained = mask_of(moment.explained for moment in features.moments)
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


def kept_groups(
    groups: Iterable[tuple[str, ...]], steps: Iterable[ProgramStep]
) -> tuple[tuple[str, ...], ...]:
    """Return the groups of steps that a program has."""
    kept_ids = {step.id for step in steps}
    return tuple(group for group in groups if kept_ids.issuperset(group))
