"""How far sizes lay apart, and what sums came to, whenever a step was done: as conditions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from ..episodes.history import INSTRUCTIONS, TASK, History
from ..episodes.tokens import magnitude
from .program_conditions import (
    Arithmetic,
    Comparison,
    Condition,
    Literal,
    TaskSlot,
    Term,
    ToldField,
    Total,
)
from .relations import Place

__all__ = ["gaps_of", "totals_of"]

_Hull = tuple[float, float]
_EXACT = 1e-6
"""What floats may be off; the condition itself counts exactly, and decides."""
_DIGITS = 6
"""Digits behind the point of a difference."""


def gaps_of(
    shown: Sequence[History],
    told: Sequence[Mapping[Place, str]],
    hulls: Mapping[Place, Mapping[str, _Hull]],
    hull: Callable[[Sequence[float]], _Hull],
) -> Iterator[Condition]:
    """Yield how far what a task says lay from what was told, and days from days.

    Each value by itself may be an ordinary one, and the difference none: a count far from the one
    on record, a date long before another.

    Args:
        shown: The moments at which a step was done.
        told: What was told once at each moment at which a step was done.
        hulls: Place → type of size → least and greatest.
        hull: Returns the least and greatest that is near what was shown.
    """
    if len(told) < 2:
        return
    each_time = set(told[0]).intersection(*told[1:])
    numbers = _numbers(told, each_time)
    places = sorted(p for p in each_time if hulls.get(p) or p[0] == INSTRUCTIONS)
    for one, other in itertools.combinations(places, 2):
        if other[0] in (TASK, INSTRUCTIONS):
            one, other = other, one
        pairs = [_sizes(fields[one], fields[other]) for fields in told]
        types = {pair and pair[0] for pair in pairs}
        (type_, *others) = types
        if type_ is None or others or not _comparable(type_, one, other, hulls):
            continue
        apart = [pair[1] - pair[2] for pair in pairs if pair is not None]
        low, high = hull(apart)
        whole = all(each.is_integer() for each in apart)
        yield from _bounds(_term(one), _term(other), low, high, whole=whole)
        gap = Arithmetic(_term(one), "-", _term(other))
        yield from _limits(gap, apart, shown, numbers)


def _limits(
    computed: Term,
    figures: Sequence[float],
    shown: Sequence[History],
    numbers: Mapping[Place, Sequence[float]],
) -> Iterator[Condition]:
    """Yield the numbers that a computed one never went beyond, though it might have.

    Args:
        computed: A difference, or a sum.
        figures: What it was at each moment.
        shown: The moments at which a step was done.
        numbers: Place → the number that it told at each moment.
    """
    for place, others in numbers.items():
        if min(figures) > max(others) or min(others) > max(figures):
            continue
        for relation, sign in (("<=", 1), (">=", -1)):
            # Floats first: of many fields few keep to an order, and to ask a condition is slow.
            beyond = (sign * (a - b) > _EXACT for a, b in zip(figures, others, strict=True))
            if not any(beyond):
                condition = Comparison(computed, relation, _term(place))
                if all(condition.holds(history) for history in shown):
                    yield condition


def _numbers(
    told: Sequence[Mapping[Place, str]], each_time: Collection[Place]
) -> dict[Place, list[float]]:
    """Return the fields that told a number at each moment, in order, and these numbers."""
    numbers: dict[Place, list[float]] = {}
    for place in sorted(each_time):
        sizes = [magnitude(fields[place]) for fields in told]
        figures = [each[1] for each in sizes if each is not None and each[0] == "number"]
        if len(figures) == len(told):
            numbers[place] = figures
    return numbers


def totals_of(
    shown: Sequence[History],
    told: Sequence[Mapping[Place, str]],
    hulls: Mapping[Place, Mapping[str, _Hull]],
) -> Iterator[Condition]:
    """Yield the numbers that the sum of a list never went beyond: it was the same, or a limit.

    Args:
        shown: The moments at which a step was done.
        told: What was told once at each.
        hulls: Places of sizes.
    """
    if len(told) < 2:
        return
    numbers = _numbers(told, set(told[0]).intersection(*told[1:]))
    for kind, name in sorted(hulls):
        if max(len(history.newest(kind)) for history in shown) < 2:
            continue
        total = Total(kind, name)
        sums = [total.number(history) for history in shown]
        figures = [float(each) for each in sums if each is not None]
        if len(figures) == len(sums):
            yield from _limits(total, figures, shown, numbers)


def _comparable(
    type_: str, one: Place, other: Place, hulls: Mapping[Place, Mapping[str, _Hull]]
) -> bool:
    """Whether a difference means something: of days, or of a figure said and one told like it."""
    if type_ == "date":
        return True
    if type_ != "number" or (one[0] == TASK) == (other[0] == TASK):
        return False
    (low, high), (least, most) = (hulls[place].get(type_, (1.0, 0.0)) for place in (one, other))
    return low <= most and least <= high


def _sizes(one: str, other: str) -> tuple[str, float, float] | None:
    left, right = magnitude(one), magnitude(other)
    if left is None or right is None or left[0] != right[0]:
        return None
    return left[0], left[1], right[1]


def _bounds(one: Term, other: Term, low: float, high: float, *, whole: bool) -> Iterator[Condition]:
    if math.isfinite(high):
        yield Comparison(one, "<=", _away(other, math.ceil(high) if whole else high))
    if math.isfinite(low):
        yield Comparison(one, ">=", _away(other, math.floor(low) if whole else low))


def _away(term: Term, steps: float) -> Term:
    """Return a size that lies so far behind another, or before it."""
    if not steps:
        return term
    text = f"{abs(steps):.{_DIGITS}f}".rstrip("0").rstrip(".")
    return Arithmetic(term, "+" if steps > 0 else "-", Literal(text))


def _term(place: Place) -> Term:
    kind, name = place
    return TaskSlot(name) if kind == TASK else ToldField(kind, name)
