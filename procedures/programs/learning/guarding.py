"""Guards of steps, learned by contrast of the moments with and without a step."""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from ..program import Guard
from ..program_conditions import Comparison, Condition, Known, OneOf, Said, Shown
from ..sources import Offered
from .features import Features
from .moments import Guarding

_MOST_CONDITIONS = 3
"""Most conditions of a guard; nobody reads longer ones."""
_MOST_GUARDS = 4
"""Most alternative guards of a step; nobody reads more."""
_TRIED = 40
"""Conditions, the best alone, that extend conjunctions; more take time."""
_PLAIN = 7.0
"""Most bits of a condition that no conjunction may replace."""
_OFTEN = 4
"""Least moments of a step from which on a condition of all of them is worth a trial."""
_BEAM = 6
"""Conjunctions that are extended, the best ones; more take time."""
_CONTEXTS = 3
"""Conditions, those that leave fewest other moments, within which limits are sought."""
_LEAST_PARTED = 8
"""Least moments on either side of a limit within a condition; with fewer it may be chance."""
_OPPOSITE = {
    "has": "lacks",
    "lacks": "has",
    "=": "≠",
    "≠": "=",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}


def learn_guards(
    features: Features, positives: int, negatives: int, *, seldom: bool = False
) -> Guarding | None:
    """Return guards that hold at the positive and not at the negative moments.

    Return None where the guards cost more bits than they save.

    Args:
        features: The conditions.
        positives: Moments at which the step was done.
        negatives: Moments at which the step was possible, and another was done.
        seldom: Whether a guard without an error is learned even if it saves nothing. Steps that end
            a demonstration are never idle.
    """
    if not negatives:
        return Guarding((), positives, 0.0)
    key = positives, negatives
    if key not in features.guardings:
        features.guardings[key] = _best_guarding(features, positives, negatives)
    guarding = features.guardings[key]
    if guarding is None:
        return None
    exact = not guarding.truth & negatives and not positives & ~guarding.truth
    saves = guarding.bits < _bits(positives.bit_count(), (positives | negatives).bit_count())
    return guarding if saves or (seldom and exact) else None


def _best_guarding(features: Features, positives: int, negatives: int) -> Guarding | None:
    """Return the best guards, whether or not they save bits; None if there are none."""
    guards: list[Guard] = []
    uncovered, cover = positives, 0
    total = positives.bit_count() + negatives.bit_count()
    number = 0
    while uncovered and len(guards) < _MOST_GUARDS:
        # Each reason is contrasted for itself: a limit may hold of one, and not of the others.
        candidates = features.candidates(uncovered, negatives)
        cheapest = {truth: (price, each, truth) for price, each, truth in reversed(candidates)}
        distinct = list(reversed(cheapest.values()))
        number = max(number, len(distinct))
        best = _conjunction(distinct, uncovered, negatives, total)
        if best is None or best.truth & negatives:
            limits = _limits_within(features, distinct, uncovered, negatives)
            if limits:
                best = _conjunction([*distinct, *limits], uncovered, negatives, total)
            # Limits that are not chosen make no other condition dearer.
            if best is not None and any(condition in best.conditions for _, condition, _ in limits):
                number = max(number, len(distinct) + len(limits))
        if best is None:
            break
        alternatives = _equivalent_conditions(features, candidates, best, uncovered, negatives)
        guards.append(Guard(best.conditions, alternatives))
        cover |= best.truth
        uncovered &= ~best.truth
    wrong = cover & negatives
    bits = _bits(uncovered.bit_count(), total) + _bits(wrong.bit_count(), total)
    # A condition costs the logarithm of the number of conditions.
    bits += sum(len(guard.when) for guard in guards) * math.log2(number + 1)
    return Guarding(tuple(guards), cover, bits) if guards else None


def _limits_within(
    features: Features,
    candidates: Sequence[tuple[float, Condition | Offered, int]],
    positives: int,
    negatives: int,
) -> list[tuple[float, Condition | Offered, int]]:
    """Return limits that part the moments which a condition of all positive moments leaves.

    A limit may hold of the rows that are listed now, and not of those that were listed before.
    Among so many limits some part few moments by chance.
    """
    if positives.bit_count() < _LEAST_PARTED:
        return []
    left = {truth & negatives for _, _, truth in candidates if not positives & ~truth}
    parted = (each for each in left - {negatives} if each.bit_count() >= _LEAST_PARTED)
    contexts = sorted(parted, key=lambda each: (each.bit_count(), each))
    return [
        limit
        for context in contexts[:_CONTEXTS]
        for limit in features.limits(positives, negatives, context)
        if positives & limit[2] and limit[2] != positives | negatives
    ]


def guards_against_rivals(
    features: Features, guards: tuple[Guard, ...], positives: int, rivals: int
) -> tuple[Guard, ...]:
    """Return the guards of a committing step with a condition that rules out its rivals.

    The order of steps may make a guard superfluous for known values. A new value must not lead to
    whichever step stands last.

    Args:
        features: The conditions.
        guards: The guards that were learned with the order of steps.
        positives: Moments at which the step was done.
        rivals: Moments at which the step was possible, and another committing step was done.
    """
    if not rivals:
        return guards
    for _, condition, truth in features.candidates(positives, rivals):
        is_observed = isinstance(condition, OneOf | Comparison | Said | Known | Shown)
        if is_observed and not positives & ~truth and not rivals & truth:
            if any(condition in guard.when for guard in guards):
                return guards
            return tuple(Guard((*g.when, condition), g.others) for g in guards or (Guard(()),))
    return guards


@lru_cache(256)
def _costs(total: int) -> Sequence[float]:
    """Return the bits of each number of exceptions among some moments."""
    return [_bits(errors, total) for errors in range(total + 1)]


@lru_cache(100_000)
def _bits(errors: int, total: int) -> float:
    """Return the bits that say which of the moments are exceptions."""
    if not errors:
        return 0.0
    return (
        math.lgamma(total + 1) - math.lgamma(errors + 1) - math.lgamma(total - errors + 1)
    ) / math.log(2) + math.log2(total + 1)


class _Conjunction(NamedTuple):
    """Conditions that hold together; a tuple, as hundreds are made for each guard.

    Attributes:
        conditions: The conditions.
        truth: Moments at which all of them hold.
        price: Bits of the conditions.
        bits: Bits of the conditions and of the exceptions to them.
    """

    conditions: tuple[Condition | Offered, ...]
    truth: int
    price: float
    bits: float


_BITS = attrgetter("bits")


def _conjunction(
    candidates: Sequence[tuple[float, Condition | Offered, int]],
    positives: int,
    negatives: int,
    total: int,
) -> _Conjunction | None:
    """Return the best conjunction for the positive moments; None if it is wrong too often."""
    costs = _costs(total)
    count = positives.bit_count()
    singles = [
        _Conjunction(
            (condition,),
            truth,
            price,
            costs[(truth & negatives).bit_count()]
            + costs[count - (truth & positives).bit_count()]
            + price,
        )
        for price, condition, truth in candidates
    ]
    best = _shortest(None, singles, positives)
    ranked = sorted(singles, key=_BITS)
    # A condition without an error is enough, unless two plain conditions cost less.
    if not ranked or ranked[0].bits == ranked[0].price <= _PLAIN:
        return best
    # Conditions that hold at all moments of the step may be worth little alone, and much together.
    # At few moments nearly everything holds.
    enough = count >= _OFTEN
    sound = [each for each in ranked if enough and not positives & ~each.truth][:_TRIED]
    beam, tried = ranked[:_BEAM], ranked[:_TRIED]
    pairs = [(one, tried) for one in beam]
    pairs += [(one, sound[place:]) for place, one in enumerate(sound, 1)]
    for _ in range(_MOST_CONDITIONS - 1):
        dear = most = math.inf if best is None else best.bits
        beam = []
        for one, others in pairs:
            for conditions, other_truth, other_price, _bits_alone in others:
                price = one.price + other_price + 1.0
                if price >= dear:
                    continue  # exceptions cost at least nothing
                truth = one.truth & other_truth
                if truth == one.truth or not (right := truth & positives):
                    continue
                bits = costs[(truth & negatives).bit_count()]
                bits += costs[count - right.bit_count()] + price
                is_best = best is None or bits < best.bits - 1e-9
                if is_best or len(beam) < _BEAM or bits < beam[-1].bits:
                    pair = _Conjunction(one.conditions + conditions, truth, price, bits)
                    insort(beam, pair, key=_BITS)
                    del beam[_BEAM:]
                    best = pair if is_best else best
                    if best is not None and len(beam) == _BEAM:
                        dear = min(most, max(best.bits, beam[-1].bits))
        pairs = [(one, tried) for one in beam]
    if best is None:
        return None
    right_count, wrong = (best.truth & positives).bit_count(), (best.truth & negatives).bit_count()
    return None if wrong * 2 > right_count else best


def _shortest(
    best: _Conjunction | None, others: Iterable[_Conjunction], positives: int
) -> _Conjunction | None:
    """Return the first of the shortest conjunctions that hold at a positive moment."""
    for other in others:
        if other.truth & positives and (best is None or other.bits < best.bits - 1e-9):
            best = other
    return best


def _equivalent_conditions(
    features: Features,
    candidates: Sequence[tuple[float, Condition | Offered, int]],
    best: _Conjunction,
    uncovered: int,
    negatives: int,
) -> tuple[Condition, ...]:
    """Return conditions that part the moments as well as a guard does.

    A relation counts only if its opposite holds at a negative moment. One that is undefined there
    may always hold by chance, as relations of unrelated numbers do.
    """
    if len(best.conditions) > 1 or best.truth & negatives:
        return ()
    covered = best.truth & uncovered
    return tuple(
        condition
        for _, condition, truth in candidates
        if not truth & negatives  # first, as it seldom holds and is quick
        and not covered & ~truth
        and isinstance(condition, Comparison | Said)
        and condition not in best.conditions
        and _opposition(features, condition) & negatives
    )


def _opposition(features: Features, condition: Condition) -> int:
    """Return the moments at which the opposite of a relation holds; all for other conditions."""
    if not isinstance(condition, Comparison) or condition.relation not in _OPPOSITE:
        return features.all
    opposite = replace(condition, relation=_OPPOSITE[condition.relation])
    return features.truth.get(opposite, 0)
