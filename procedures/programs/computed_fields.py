"""Figures that nobody tells and that may be a reason: counts and sums of rows, and differences.

A box holds them as it holds fields that are told.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from ..episodes.facts import KEYS_OF, UNREAD
from ..episodes.history import INSTRUCTIONS, TASK, History
from ..episodes.tokens import magnitude
from .exact_numbers import written_number
from .notation import term_text
from .notation_reading import read_term
from .program_conditions import (
    Arithmetic,
    Comparison,
    Condition,
    Field,
    Literal,
    OneOf,
    TaskSlot,
    Term,
    ToldField,
    Total,
    value_of,
)
from .ranges import Range
from .relations import Named, Place

__all__ = ["COMPUTED", "computed_fields", "computed_places"]

COMPUTED = "computed"
"""Kind of the figures that are computed; the name of each is the text of its term."""
_MOST_CLASSES = 6
"""Most values of a field whose rows are counted apart."""

_Hulls = Mapping[Place, Mapping[str, tuple[float, float]]]
_term_of = lru_cache(10_000)(read_term)


def computed_fields(places: Iterable[Place], history: History) -> Named:
    """Return the computed figures among some places, with their values."""
    fields: dict[Place, tuple[Place, str]] = {}
    for place in places:
        if place[0] == COMPUTED:
            if place not in history.memo:
                history.memo[place] = _value(_term_of(place[1]), history)
            if (value := history.memo[place]) is not None:
                fields[place] = place, value
    return fields


def parts_rows(place: Place) -> bool:
    """Whether a figure counts the rows that are related to what was told."""
    match _term_of(place[1]):
        case Total(_, None, (Comparison(), *_)):
            return True
    return False


def is_difference(place: Place) -> bool:
    return isinstance(_term_of(place[1]), Arithmetic)


def _value(term: Term, history: History) -> str | None:
    """Return the value of a figure; rows that were not told are none."""
    if isinstance(term, Total) and term.kind not in history.kinds:
        return "0"
    return value_of(term, history)


def computed_places(
    histories: Sequence[History],
    single_values: Sequence[Mapping[Place, str]],
    ranges: Mapping[Place, Range],
) -> list[Place]:
    """Return the figures that may be computed before a step, as places.

    Args:
        histories: Histories before the step; one alone shows nothing.
        single_values: Single values of each history.
        ranges: Ranges of what was told.
    """
    if len(histories) < 2:
        return []
    terms = (
        *_totals(histories, single_values, ranges),
        *_differences(single_values, {place: span.hulls for place, span in ranges.items()}),
    )
    return [(COMPUTED, term_text(term)) for term in terms]


def _totals(
    histories: Sequence[History],
    single_values: Sequence[Mapping[Place, str]],
    ranges: Mapping[Place, Range],
) -> Iterator[Total]:
    """Yield the numbers of rows, of all and of each class, and the sums of their fields."""
    common = sorted(set(single_values[0]).intersection(*single_values[1:]))
    singles = set({tuple(each[place] for each in single_values): place for place in reversed(common) if place in ranges}.values())
    varied = (place for place, span in ranges.items() if not span.hulls and span.different > 1)
    names = sorted(set(singles).intersection(varied))
    figures = [p for p in sorted(singles) if p in ranges and ranges[p].hulls]
    for kind in sorted({kind for history in histories for kind in history.kinds} - {UNREAD}):
        rows = [history.newest(kind) for history in histories]
        if kind.startswith(KEYS_OF) or max(map(len, rows)) < 2:
            continue
        yield Total(kind)
        for name in sorted({name for each in rows for row in each for name in row.fields}):
            span = ranges.get((kind, name), Range())
            if span.hulls.get("number"):
                yield Total(kind, name)
                if span.has_sign_of("0"):
                    yield Total(kind, None, (Comparison(Field(name), ">", Literal("0")),))
            if span.closed_set and 1 < span.different <= _MOST_CLASSES:
                for value in sorted(span.values):
                    yield Total(kind, None, (OneOf(Field(name), (value,)),))
            for place in names:
                counts = [
                    sum(row.fields.get(name) == fields[place] for row in each)
                    for each, fields in zip(rows, single_values, strict=True)
                ]
                if len(set(counts)) > 1:
                    same = Comparison(Field(name), "=", _term(place))
                    yield Total(kind, None, (same,))
                    for other in sorted({name for each in rows for row in each for name in row.fields}):
                        if not ranges.get((kind, other), Range()).hulls: continue
                        for figure in figures:
                            if not _may_be(ranges[kind, other].hulls, ranges[figure].hulls): continue
                            yield Total(kind, None, (same, Comparison(Field(other), "<", _term(figure))))


def _may_be(one, other):
    return any(t in other and low <= other[t][1] and other[t][0] <= high for t, (low, high) in one.items())

def _differences(
    single_values: Sequence[Mapping[Place, str]], hulls: _Hulls
) -> Iterator[Arithmetic]:
    """Yield the differences between days, and between figures of the task and told ones.

    Each value by itself may be ordinary while the difference is not: a count far from the one on
    record, a date long before another.
    """
    common_places = set(single_values[0]).intersection(*single_values[1:])
    places = sorted(p for p in common_places if hulls.get(p) or p[0] == INSTRUCTIONS)
    for one, other in itertools.combinations(places, 2):
        if other[0] in (TASK, INSTRUCTIONS):
            one, other = other, one
        sizes = [magnitude(fields[place]) for fields in single_values for place in (one, other)]
        (type_, *other_types) = {size and size[0] for size in sizes}
        if type_ and not other_types and _is_comparable(type_, one, other, hulls):
            yield Arithmetic(_term(one), "-", _term(other))


def _is_comparable(type_: str, one: Place, other: Place, hulls: _Hulls) -> bool:
    """Whether a difference has a meaning: of days, or of similar figures of task and result."""
    if type_ == "date":
        return True
    if type_ != "number" or (one[0] == TASK) == (other[0] == TASK):
        return False
    (low, high), (least, most) = (hulls[place].get(type_, (1.0, 0.0)) for place in (one, other))
    return low <= most and least <= high


def _term(place: Place) -> Term:
    kind, name = place
    return TaskSlot(name) if kind == TASK else ToldField(kind, name)
