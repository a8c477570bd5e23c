"""Guards of steps, by contrast: moments at which a step was done, and was not."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from ..conditions import Comparison, Condition, Known, OneOf, Said, Shown
from ..program import Guard
from ..sources import Offered
from .features import Features
from .moments import Guarding

__all__ = ["guards_against_rivals", "learn_guards"]

_MOST_CONDITIONS = 3
_MOST_GUARDS = 4
_BEAM = 6
"""Conjunctions that are made longer, the best."""
_Any = Condition | Offered
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
    left, wrong, cover = positives, negatives, 0
    total = positives.bit_count() + negatives.bit_count()
    distinct = list({truth: each for each in reversed(candidates) for truth in each[2:]}.values())
    distinct.reverse()
    while left and len(guards) < _MOST_GUARDS:
        best = _conjunction(distinct, left, negatives, total, features.tried)
        if best is None:
            break
        conditions, truth = best
        others = _others(features, candidates, conditions, truth & left, truth, negatives)
        guards.append(Guard(conditions, others))
        cover |= truth
        left &= ~truth
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


def _conjunction(
    candidates: Sequence[tuple[float, Condition | Offered, int]],
    positives: int,
    negatives: int,
    total: int,
    tried: int,
) -> tuple[tuple[Condition | Offered, ...], int] | None:
    """Return the conjunction that is the best description of positive moments."""
    best: tuple[float, tuple[Condition | Offered, ...], int] | None = None

    def consider(conditions: tuple[Condition | Offered, ...], truth: int, price: float) -> None:
        nonlocal best
        right, wrong = (truth & positives).bit_count(), (truth & negatives).bit_count()
        missed = positives.bit_count() - right
        score = price + _bits(wrong, total) + _bits(missed, total)
        if right and (best is None or score < best[0] - 1e-9):
            best = score, conditions, truth

    scored: list[tuple[float, int, _Any, int, float]] = []
    for price, condition, truth in candidates:
        consider((condition,), truth, price)
        right, wrong = (truth & positives).bit_count(), (truth & negatives).bit_count()
        scored.append(
            (
                _bits(wrong, total) + _bits(positives.bit_count() - right, total) + price,
                len(scored),
                condition,
                truth,
                price,
            )
        )
    scored.sort(key=lambda x: x[:2])
    if not scored or not scored[0][0] - scored[0][4]:  # it parts the moments without an error
        return (best[1], best[2]) if best else None
    beam: list[tuple[tuple[_Any, ...], int, float]] = [
        ((c,), t, p) for _, _, c, t, p in scored[:30]
    ]
    for _ in range(_MOST_CONDITIONS - 1):
        longer: list[tuple[float, int, tuple[_Any, ...], int, float]] = []
        for (conditions, truth, price), (_, _, condition, other, cost) in itertools.product(
            beam[:_BEAM], scored[:tried]
        ):
            both = truth & other
            if condition not in conditions and both != truth and both & positives:
                consider((*conditions, condition), both, price + cost + 1.0)
                right, wrong = (both & positives).bit_count(), (both & negatives).bit_count()
                bits = _bits(wrong, total) + _bits(positives.bit_count() - right, total)
                longer.append(
                    (
                        bits + price + cost,
                        len(longer),
                        (*conditions, condition),
                        both,
                        price + cost + 1.0,
                    )
                )
        longer.sort(key=lambda x: x[:2])
        beam = [(c, t, p) for _, _, c, t, p in longer[:_BEAM]]
    if best is None:
        return None
    right, wrong = (best[2] & positives).bit_count(), (best[2] & negatives).bit_count()
    if wrong * 2 > right:
        return None
    return best[1], best[2]


def _others(
    features: Features,
    candidates: Sequence[tuple[float, Condition | Offered, int]],
    conditions: tuple[Condition | Offered, ...],
    positives: int,
    truth: int,
    negatives: int,
) -> tuple[Condition, ...]:
    """Return conditions over what was told that part the moments as well as the guard does.

    A relation counts only if its opposite was met: one that is just not defined at the other
    moments always held, as relations of unrelated numbers do by chance.
    """
    if len(conditions) > 1 or truth & negatives:
        return ()
    return tuple(
        condition
        for _, condition, other in candidates
        if isinstance(condition, Comparison | Said)
        and condition not in conditions
        and not positives & ~other
        and not other & negatives
        and _opposition(features, condition) & negatives
    )


def _opposition(features: Features, condition: Condition) -> int:
    """Return the moments at which the opposite of a relation holds; all for what is none."""
    if not isinstance(condition, Comparison) or condition.relation not in _OPPOSITE:
        return features.all
    opposite = replace(condition, relation=_OPPOSITE[condition.relation])
    return features.truth.get(opposite, 0)
