"""Figures that nobody tells and that may be a reason: counts and sums of rows, margins, products.

One generator makes them, and a box holds them as it holds fields that are told: in ranges,
relations and pairs.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from ..episodes.facts import KEYS_OF, OF_LIST, Fact
from ..episodes.history import INSTRUCTIONS, TASK, History, kinds_of_any
from ..episodes.tokens import magnitude
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
from .ranges import Range, overlap, range_of
from .relations import COMPUTED, Named, Place, single_fields, values_at
from .terms import parts_of

_MOST_FIGURES = 80
"""Most figures of a step; it bounds the time that learning takes."""
_MOST_ROWS = 200
"""Most rows of a list that is counted; it bounds the time that learning takes."""
_MOST_CLASSES = 6
"""Most values of a field whose rows are counted apart; of more each is seldom shown."""
_TIMES = frozenset({"date", "time", "moment"})
"""Types of sizes whose differences tell how long it was."""
_MARGINS = ("-", "/")
"""Operations that tell how near one figure comes to another: by how much, and by which part."""

_Moments = Sequence[Mapping[Place, str]]


@lru_cache(10_000)
def computed_term(place: Place) -> Term:
    """Return the term of a computed figure."""
    return read_term(place[1])


def computed_fields(places: Iterable[Place], history: History) -> Named:
    """Return the computed figures among some places, with their values."""
    fields: dict[Place, tuple[Place, str]] = {}
    for place in places:
        if place[0] == COMPUTED:
            if place not in history.memo:
                history.memo[place] = _value(computed_term(place), history)
            if (value := history.memo[place]) is not None:
                fields[place] = place, value
    return fields


def _value(term: Term, history: History) -> str | None:
    """Return the value of a figure; rows that were not told are none, and the least one counts."""
    if isinstance(term, Total) and term.kind not in history.kinds:
        return "0"
    values = (value_of(each, history) for each in _by_row(term, history))
    figures = [value for value in values if value is not None]
    return min(figures, key=lambda figure: magnitude(figure) or ("", 0.0), default=None)


def _by_row(term: Term, history: History) -> Iterator[Term]:
    """Yield a difference for each row of a list, so that the nearest one counts."""
    match term:
        case Arithmetic(ToldField() as field, "-", other) if _is_list(field, history):
            for value in values_at((field.kind, field.field), history):
                yield Arithmetic(Literal(value), "-", other)
        case Arithmetic(other, "-", ToldField() as field) if _is_list(field, history):
            for value in values_at((field.kind, field.field), history):
                yield Arithmetic(other, "-", Literal(value))
        case _:
            yield term


def _is_list(field: ToldField, history: History) -> bool:
    return len(history.newest(field.kind)) > 1


# ---------------------------------------------------------------------------- what they mean
def computed_range(place: Place, values: Sequence[str]) -> Range:
    """Return the range of a computed figure; a margin is never too wide."""
    span = range_of(place, values, opened=False, growing=False)
    if not _is_margin(computed_term(place)):
        return span
    return replace(span, hulls={type_: (low, math.inf) for type_, (low, _) in span.hulls.items()})


def is_count_or_sum(place: Place) -> bool:
    """Whether a place is a number of rows, or a sum of theirs."""
    return place[0] == COMPUTED and isinstance(computed_term(place), Total)


def is_sum(place: Place) -> bool:
    """Whether a place is the sum of a field of rows."""
    term = computed_term(place) if place[0] == COMPUTED else None
    return isinstance(term, Total) and term.field is not None


def has_telling_sign(place: Place) -> bool:
    """Whether it counts whether a figure is nothing, or less: differences, and related rows."""
    match computed_term(place):
        case Total(_, None, (Comparison(), *_)) | Arithmetic(_, "-", _):
            return True
    return False


def has_limit(place: Place, other: Place) -> bool:
    """Whether a computed figure may be held against another one: no ratio, and none of its own."""
    term = computed_term(place)
    is_ratio = isinstance(term, Arithmetic) and term.sign == "/"
    return other[0] != COMPUTED and not is_ratio and _term(other) not in parts_of(term)


def _is_margin(term: Term) -> bool:
    """Whether a term compares figures that always lay in one order."""
    match term:
        case Arithmetic(_, "/", _) | Arithmetic(TaskSlot(), "-", TaskSlot()):
            return True
        case Arithmetic(ToldField(kind), "-", ToldField()):
            return kind != INSTRUCTIONS
    return False


# ---------------------------------------------------------------------------- which there are
def computed_places(
    histories: Sequence[History], moments: _Moments, ranges: Mapping[Place, Range]
) -> list[Place]:
    """Return the figures that can be computed before a step, as places.

    Args:
        histories: Histories before the step; one alone shows nothing.
        moments: Single values of each history.
        ranges: Ranges of what was told.
    """
    if len(histories) < 2:
        return []
    places_by_column = {
        tuple(each[place] for each in moments): place
        for place in sorted(set(moments[0]).intersection(*moments[1:]), reverse=True)
        if place in ranges or place[0] == INSTRUCTIONS
    }
    singles = {place: ranges.get(place, Range()) for place in sorted(places_by_column.values())}
    terms: Iterator[Term] = itertools.chain(
        _time_differences(histories, ranges),
        _differences(moments, singles),
        _totals(histories, moments, singles, ranges),
        _products(moments, singles),
    )
    return [(COMPUTED, term_text(term)) for term in itertools.islice(terms, _MOST_FIGURES)]


def _totals(
    histories: Sequence[History],
    moments: _Moments,
    singles: Mapping[Place, Range],
    ranges: Mapping[Place, Range],
) -> Iterator[Total]:
    """Yield the numbers of rows, of all and of those of a sort, and the sums of their fields."""
    for kind in kinds_of_any(histories):
        rows = [history.newest(kind) for history in histories]
        most = max(map(len, rows))
        if kind.startswith(KEYS_OF) or not (most > 1 or kind.endswith(OF_LIST)):
            continue
        yield Total(kind)
        if not 1 < most <= _MOST_ROWS:
            continue
        spans = {name: span for (of, name), span in sorted(ranges.items()) if of == kind}
        yield from (Total(kind, n) for n, span in spans.items() if "number" in span.hulls)
        for where in (*_classes(spans), *_relations(rows, moments, spans, singles)):
            yield Total(kind, None, where)


def _classes(spans: Mapping[str, Range]) -> Iterator[tuple[Condition, ...]]:
    """Yield the classes of rows by one field: its values, or more than nothing."""
    for name, span in spans.items():
        if span.closed_set and 1 < span.different <= _MOST_CLASSES:
            yield from ((OneOf(Field(name), (value,)),) for value in sorted(span.values))
        if span.has_sign_of("0"):
            yield (Comparison(Field(name), ">", Literal("0")),)


def _relations(
    rows: Sequence[Sequence[Fact]],
    moments: _Moments,
    spans: Mapping[str, Range],
    singles: Mapping[Place, Range],
) -> Iterator[tuple[Condition, ...]]:
    """Yield what sets rows apart: a field with a told value, and one below a told size."""
    names = [place for place, span in singles.items() if not span.hulls and span.different > 1]
    for name, place in itertools.product(spans, names):
        counts = {
            sum(row.fields.get(name) == fields[place] for row in each)
            for each, fields in zip(rows, moments, strict=True)
        }
        if len(counts) > 1:
            same = Comparison(Field(name), "=", _term(place))
            yield (same,)
            for other, limit in itertools.product(spans, singles):
                if overlap(spans[other], singles[limit]):
                    yield same, Comparison(Field(other), "<", _term(limit))


def _time_differences(
    histories: Sequence[History], ranges: Mapping[Place, Range]
) -> Iterator[Arithmetic]:
    """Yield differences of told days and times; of the times in a list the nearest one counts.

    Each time by itself may be ordinary while the difference is not: a deploy just before an alert.
    Times of a list have to lie in one order.
    """
    places = {*ranges, *(place for history in histories for place, _ in single_fields(history))}
    columns = {
        place: [[magnitude(value) for value in values_at(place, history)] for history in histories]
        for place in sorted(places)
    }
    times = [p for p, column in columns.items() if _type_of(column) in _TIMES]
    for one, other in itertools.combinations(times, 2):
        if other[0] in (TASK, INSTRUCTIONS):
            one, other = other, one
        gaps = [
            [a[1] - b[1] for a, b in itertools.product(*pair) if a and b]
            for pair in zip(columns[one], columns[other], strict=True)
            if min(map(len, pair)) == 1
        ]
        if _type_of(columns[one]) != _type_of(columns[other]) or len(gaps) < 2:
            continue
        is_list = max(map(len, gaps)) > 1
        least, most = min(map(min, gaps)), max(map(max, gaps))
        if is_list and least < 0 < most:
            continue
        if is_list and most <= 0:
            one, other = other, one
        yield Arithmetic(_term(one), "-", _term(other))


def _type_of(column: Iterable[Iterable[tuple[str, float] | None]]) -> str | None:
    """Return the type that all sizes of a field have; None where one has another, or none."""
    types = {size and size[0] for sizes in column for size in sizes}
    return types.pop() if len(types) == 1 else None


def _differences(moments: _Moments, singles: Mapping[Place, Range]) -> Iterator[Arithmetic]:
    """Yield differences between similar figures.

    Each figure by itself may be ordinary while the difference is not: a count far from the one on
    record. Figures of results have to lie in one order each time.
    """
    places = [place for place, span in singles.items() if span.hulls]
    sizes = {place: [magnitude(fields[place]) for fields in moments] for place in places}
    for one, other in itertools.combinations(places, 2):
        types = {size and size[0] for place in (one, other) for size in sizes[place]}
        if types != {"number"} or not overlap(singles[one], singles[other]):
            continue
        if (one[0] == TASK) != (other[0] == TASK):
            one, other = (other, one) if other[0] == TASK else (one, other)
            yield Arithmetic(_term(one), "-", _term(other))
            continue
        gaps = [a[1] - b[1] for a, b in zip(sizes[one], sizes[other], strict=True) if a and b]
        if max(gaps) <= 0:
            one, other = other, one
        if max(gaps) <= 0 or min(gaps) >= 0:
            yield from (Arithmetic(_term(one), sign, _term(other)) for sign in _MARGINS)


def _products(moments: _Moments, singles: Mapping[Place, Range]) -> Iterator[Arithmetic]:
    """Yield products of a number that only the task says and a told one: so many at such a price.

    What a record repeats is its key, and no quantity; nor is a number that may be any other.
    """
    columns = {p: tuple(each[p] for each in moments) for p, span in singles.items() if span.hulls}
    numbers = [p for p, column in columns.items() if _is_number_as_shown(singles[p], column)]
    places = set(moments[0]).intersection(*moments[1:])
    told_columns = {
        tuple(m[p] for m in moments) for p in places if p[0] not in (TASK, INSTRUCTIONS)
    }
    quantities = [p for p in numbers if p[0] == TASK and columns[p] not in told_columns]
    told = [place for place in numbers if place[0] not in (TASK, INSTRUCTIONS)]
    for quantity, other in itertools.product(quantities, told):
        yield Arithmetic(_term(quantity), "*", _term(other))


def _is_number_as_shown(span: Range, column: Sequence[str]) -> bool:
    """Whether a range is that of shown numbers: not widened, and without growth to come."""
    sizes = [size[1] for value in column if (size := magnitude(value)) is not None]
    return len(sizes) == len(column) and span.hulls == {"number": (min(sizes), max(sizes))}


def _term(place: Place) -> Term:
    kind, name = place
    return TaskSlot(name) if kind == TASK else ToldField(kind, name)
