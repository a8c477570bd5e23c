"""Conditions over differences, sums and numbers of items that always held before a step."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from ..episodes.facts import KEYS_OF, OF_LIST, UNREAD
from ..episodes.history import INSTRUCTIONS, TASK, History
from ..episodes.tokens import magnitude
from .program_conditions import (
    Arithmetic,
    Comparison,
    Condition,
    Field,
    OneOf,
    Literal,
    TaskSlot,
    Term,
    ToldField,
    Total,
)
from .relations import Place

__all__ = ["gaps_of", "lengths_of", "totals_of"]

_Hull = tuple[float, float]
_EXACT = 1e-6
"""Tolerance of floats; the condition itself is exact, and decides."""
_DIGITS = 6
"""Digits behind the point of a difference."""


def gaps_of(
    histories: Sequence[History],
    single_values: Sequence[Mapping[Place, str]],
    hulls: Mapping[Place, Mapping[str, _Hull]],
    hull: Callable[[Sequence[float]], _Hull],
) -> Iterator[Condition]:
    """Yield bounds of the differences between values of the task and told values, and between days.

    Each value by itself may be ordinary while the difference is not: a count far from the one on
    record, a date long before another.

    Args:
        histories: Histories before the step.
        single_values: Single values of each history.
        hulls: Place → type of size → least and greatest.
        hull: Function from sizes to the least and greatest that are ordinary.
    """
    if len(single_values) < 2:
        return
    common_places = set(single_values[0]).intersection(*single_values[1:])
    numbers = _numbers(single_values, common_places)
    places = sorted(p for p in common_places if hulls.get(p) or p[0] == INSTRUCTIONS)
    for one, other in itertools.combinations(places, 2):
        if other[0] in (TASK, INSTRUCTIONS):
            one, other = other, one
        pairs = [_sizes(fields[one], fields[other]) for fields in single_values]
        types = {pair and pair[0] for pair in pairs}
        (type_, *other_types) = types
        if type_ is None or other_types or not _comparable(type_, one, other, hulls):
            continue
        differences = [pair[1] - pair[2] for pair in pairs if pair is not None]
        low, high = hull(differences)
        are_integers = all(each.is_integer() for each in differences)
        yield from _bounds(_term(one), _term(other), low, high, whole=are_integers)
        gap = Arithmetic(_term(one), "-", _term(other))
        yield from _limits(gap, differences, histories, numbers)


def _limits(
    computed: Term,
    figures: Sequence[float],
    histories: Sequence[History],
    numbers: Mapping[Place, Sequence[float]],
) -> Iterator[Condition]:
    """Yield the numbers that a computed one never passed, up or down, though it might have.

    Args:
        computed: A difference, or a sum.
        figures: Its value in each history.
        histories: Histories before the step.
        numbers: Place → its number in each history.
    """
    for place, others in numbers.items():
        reach = max(figures) - min(figures)
        if min(figures) - reach > max(others) or min(others) > max(figures) + reach:
            continue
        for relation, sign in (("<=", 1), (">=", -1)):
            # Floats come first: few fields keep an order, and conditions are slow.
            gaps = [sign * (a - b) for a, b in zip(figures, others, strict=True)]
            if not any(gap > _EXACT for gap in gaps):
                if all(gap < -_EXACT for gap in gaps): relation = relation[0]
                condition = Comparison(computed, relation, _term(place))
                if all(condition.holds(history) for history in histories):
                    yield condition


def _numbers(
    single_values: Sequence[Mapping[Place, str]], common_places: Collection[Place]
) -> dict[Place, list[float]]:
    """Return the fields that always held a number, with these numbers, in order."""
    numbers: dict[Place, list[float]] = {}
    for place in sorted(common_places):
        sizes = [magnitude(fields[place]) for fields in single_values]
        figures = [each[1] for each in sizes if each is not None and each[0] == "number"]
        if len(figures) == len(single_values):
            numbers[place] = figures
    return numbers


def totals_of(
    histories: Sequence[History],
    single_values: Sequence[Mapping[Place, str]],
    hulls: Mapping[Place, Mapping[str, _Hull]],
    classes: Mapping[Place, Collection[str]],
) -> Iterator[Condition]:
    """Yield the numbers that the sum of a list never passed, up or down.

    Args:
        histories: Histories before the step.
        single_values: Single values of each history.
        hulls: Places of sizes.
    """
    if len(single_values) < 2:
        return
    numbers = _numbers(single_values, set(single_values[0]).intersection(*single_values[1:]))
    for total in _totals(histories, hulls, classes):
        sums = [total.number(history) for history in histories]
        figures = [float(each) for each in sums if each is not None]
        if len(figures) == len(sums):
            yield from _limits(total, figures, histories, numbers)


def _totals(histories, hulls, classes):
    kinds = {k for h in histories for k in h.kinds if k != UNREAD and not k.startswith(KEYS_OF)}
    for kind in sorted(kinds):
        if max(len(history.newest(kind)) for history in histories) < 2:
            continue
        yield Total(kind)
        for (k, name), values in sorted(classes.items()):
            if k == kind and len(values) > 1:
                for value in sorted(values):
                    yield Total(kind, None, (OneOf(Field(name), (value,)),))
        for k, name in sorted(hulls):
            if k == kind:
                yield Total(kind, name)


def lengths_of(histories: Sequence[History]) -> Iterator[Condition]:
    """Yield the numbers of items that lists always had.

    Args:
        histories: Histories before the step; one alone shows nothing.
    """
    if len(histories) < 2:
        return
    common_kinds = set(histories[0].kinds).intersection(*(each.kinds for each in histories[1:]))
    for kind in sorted(k for k in common_kinds - {UNREAD} if not k.startswith(KEYS_OF)):
        lengths = {len(history.told(kind)) for history in histories}
        if len(lengths) == 1 and (max(lengths) > 1 or kind.endswith(OF_LIST)):
            yield Comparison(Total(kind), "=", Literal(str(lengths.pop())))


def _comparable(
    type_: str, one: Place, other: Place, hulls: Mapping[Place, Mapping[str, _Hull]]
) -> bool:
    """Whether a difference has a meaning: of days, or of similar figures of task and result."""
    if type_ == "date":
        return True
    if type_ != "number" or (one[0] == TASK) == (other[0] == TASK):
        return False
    (low, high), (least, most) = (hulls[place].get(type_, (1.0, 0.0)) for place in (one, other))
    return low <= most and least <= high


def _sizes(one: str, other: str) -> tuple[str, float, float] | None:
    first_size, second_size = magnitude(one), magnitude(other)
    if first_size is None or second_size is None or first_size[0] != second_size[0]:
        return None
    return first_size[0], first_size[1], second_size[1]


def _bounds(one: Term, other: Term, low: float, high: float, *, whole: bool) -> Iterator[Condition]:
    if math.isfinite(high):
        yield Comparison(one, "<=", _shifted(other, math.ceil(high) if whole else high))
    if math.isfinite(low):
        yield Comparison(one, ">=", _shifted(other, math.floor(low) if whole else low))


def _shifted(term: Term, steps: float) -> Term:
    """Return the term of a size plus or minus a number."""
    if not steps:
        return term
    text = f"{abs(steps):.{_DIGITS}f}".rstrip("0").rstrip(".")
    return Arithmetic(term, "+" if steps > 0 else "-", Literal(text))


def _term(place: Place) -> Term:
    kind, name = place
    return TaskSlot(name) if kind == TASK else ToldField(kind, name)
