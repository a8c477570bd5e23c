"""Guards of steps, by contrast: moments at which a step was done, and was not."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ..program import Guard
from ..program_conditions import Comparison, Condition, Known, OneOf, Said, Shown
from ..sources import Offered
from .features import Features
from .moments import Guarding

__all__ = ["guards_against_rivals", "learn_guards"]

_MOST_CONDITIONS = 3
_MOST_GUARDS = 4
_TRIED = 40
"""Conditions, the best alone, by which conjunctions are made longer."""
_PLAIN = 7.0
"""Bits of a condition up to which no two are looked for in its place."""
_OFTEN = 4
"""Moments at which a step was done from which on it tells what holds at all of them."""
_BEAM = 6
"""Conjunctions that are made longer, the best."""
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

    None where what they save is less than what they cost.

    Args:
        features: The conditions.
        positives: Moments at which the step was done.
        negatives: Moments at which it could have been done, and something else was.
        seldom: Whether a guard without an error is learned even if it saves nothing: what ends a
            demonstration is never idle.
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
    """Return the best guards, whether they save anything or not; None if there are none."""
    candidates = features.candidates(positives, negatives)
    guards: list[Guard] = []
    left, cover = positives, 0
    total = positives.bit_count() + negatives.bit_count()
    cheapest = {truth: (price, each, truth) for price, each, truth in reversed(candidates)}
    distinct = list(reversed(cheapest.values()))
    while left and len(guards) < _MOST_GUARDS:
        best = _conjunction(distinct, left, negatives, total)
        if best is None:
            break
        others = _others(features, candidates, best, left, negatives)
        guards.append(Guard(best.conditions, others))
        cover |= best.truth
        left &= ~best.truth
    wrong = cover & negatives
    bits = _bits(left.bit_count(), total) + _bits(wrong.bit_count(), total)
    # To name one of so many conditions costs their logarithm.
    bits += sum(len(guard.when) for guard in guards) * math.log2(len(distinct) + 1)
    return Guarding(tuple(guards), cover, bits) if guards else None


def guards_against_rivals(
    features: Features, guards: tuple[Guard, ...], positives: int, rivals: int
) -> tuple[Guard, ...]:
    """Add to the guards of a step that commits what tells it apart from its rivals.

    The order of steps may make a guard superfluous as long as nothing new is told; a value that
    was never told must not lead to whichever step stands last.

    Args:
        features: The conditions.
        guards: What was learned with the order of steps.
        positives: Moments at which the step was done.
        rivals: Moments at which it could have been done, and another that commits was.
    """
    if not rivals:
        return guards
    for _, condition, truth in features.candidates(positives, rivals):
        told = isinstance(condition, OneOf | Comparison | Said | Known | Shown)
        if told and not positives & ~truth and not rivals & truth:
            if any(condition in guard.when for guard in guards):
                return guards
            return tuple(Guard((*g.when, condition), g.others) for g in guards or (Guard(()),))
    return guards


@lru_cache(100_000)
def _bits(errors: int, total: int) -> float:
    """Bits to say which of the moments are exceptions."""
    if not errors:
        return 0.0
    return (
        math.lgamma(total + 1) - math.lgamma(errors + 1) - math.lgamma(total - errors + 1)
    ) / math.log(2) + math.log2(total + 1)


@dataclass(frozen=True, slots=True)
class _Conjunction:
    """Conditions that hold together.

    Attributes:
        conditions: The conditions.
        truth: Moments at which all of them hold.
        price: What they cost, in bits.
        bits: What they and the exceptions to them cost.
    """

    conditions: tuple[Condition | Offered, ...]
    truth: int
    price: float
    bits: float


def _conjunction(
    candidates: Sequence[tuple[float, Condition | Offered, int]],
    positives: int,
    negatives: int,
    total: int,
) -> _Conjunction | None:
    """Return the conjunction that is the best description of positive moments."""

    def bits_of(truth: int, price: float) -> float:
        wrong, missed = (truth & negatives).bit_count(), (positives & ~truth).bit_count()
        return _bits(wrong, total) + _bits(missed, total) + price

    singles = [
        _Conjunction((condition,), truth, price, bits_of(truth, price))
        for price, condition, truth in candidates
    ]
    best = _shortest(None, singles, positives)
    ranked = sorted(singles, key=lambda each: each.bits)
    # What parts the moments without an error is enough, unless two plain conditions say it in less.
    if not ranked or ranked[0].bits == ranked[0].price <= _PLAIN:
        return best
    # What holds wherever the step was done may be worth little alone, and all together; of a step
    # that was hardly ever done nearly everything holds.
    often = positives.bit_count() >= _OFTEN
    sound = [each for each in ranked if often and not positives & ~each.truth]
    pairs = itertools.chain(
        itertools.product(ranked[:_BEAM], ranked[:_TRIED]),
        itertools.combinations(sound[:_TRIED], 2),
    )
    for _ in range(_MOST_CONDITIONS - 1):
        longer: list[_Conjunction] = []
        for one, other in pairs:
            price = one.price + other.price + 1.0
            if best is not None and price >= best.bits:
                continue  # no exception is told for less than nothing
            truth = one.truth & other.truth
            if truth != one.truth and truth & positives:
                conditions = (*one.conditions, *other.conditions)
                longer.append(_Conjunction(conditions, truth, price, bits_of(truth, price)))
        best = _shortest(best, longer, positives)
        beam = sorted(longer, key=lambda each: each.bits)[:_BEAM]
        pairs = itertools.chain(itertools.product(beam, ranked[:_TRIED]))
    if best is None:
        return None
    right, wrong = (best.truth & positives).bit_count(), (best.truth & negatives).bit_count()
    return None if wrong * 2 > right else best


def _shortest(
    best: _Conjunction | None, others: Iterable[_Conjunction], positives: int
) -> _Conjunction | None:
    """Return the first of the shortest that hold at a positive moment."""
    for other in others:
        if other.truth & positives and (best is None or other.bits < best.bits - 1e-9):
            best = other
    return best


def _others(
    features: Features,
    candidates: Sequence[tuple[float, Condition | Offered, int]],
    best: _Conjunction,
    left: int,
    negatives: int,
) -> tuple[Condition, ...]:
    """Return conditions over what was told that part the moments as well as the guard does.

    A relation counts only if its opposite was met: one that is just not defined at the other
    moments always held, as relations of unrelated numbers do by chance.
    """
    if len(best.conditions) > 1 or best.truth & negatives:
        return ()
    needed = best.truth & left
    return tuple(
        condition
        for _, condition, truth in candidates
        if not truth & negatives  # first: it is seldom so, and quickly told
        and not needed & ~truth
        and isinstance(condition, Comparison | Said)
        and condition not in best.conditions
        and _opposition(features, condition) & negatives
    )


def _opposition(features: Features, condition: Condition) -> int:
    """Return the moments at which the opposite of a relation holds; all for what is none."""
    if not isinstance(condition, Comparison) or condition.relation not in _OPPOSITE:
        return features.all
    opposite = replace(condition, relation=_OPPOSITE[condition.relation])
    return features.truth.get(opposite, 0)
