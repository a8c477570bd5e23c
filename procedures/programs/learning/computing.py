"""Arguments that nobody said, computed of what was said: counts, sums, differences, products."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from ...episodes.facts import UNREAD
from ...episodes.history import History
from ...episodes.tokens import magnitude
from ..computing import Computation, Total
from ..conditions import (
    Argument,
    Arithmetic,
    Comparison,
    Condition,
    Field,
    OneOf,
    Row,
    TaskSlot,
    Term,
    ToldField,
    value_of,
)
from ..figures import SIGNS, decimals_of, number_of, written_number
from ..sources import Computed
from .occurrences import Occurrence

__all__ = ["computed"]

_MOST = 4
"""Computations that are kept where several fit."""
_MOST_TERMS = 12
_LEAST_SUMS = 3
"""Times at which a sum has several figures: else it is a row that is looked up."""


def computed(
    index: int,
    occurrences: Sequence[Occurrence],
    few: Mapping[str, frozenset[str]],
    lookups: Sequence[Row] = (),
) -> Iterator[Computed]:
    """Yield the source that computes an argument, if all its values are explained exactly.

    Args:
        index: Of the argument.
        occurrences: All calls.
        few: Kind of facts → its fields that have few values.
        lookups: Fields of tables that what is known names a row of.
    """
    values = [each.arguments[index] for each in occurrences]
    if moments := tuple(_moments(values, [each.history for each in occurrences], lookups)):
        yield Computed(moments)
        return
    precisions = {decimals_of(value) for value in values}
    if None in precisions:
        return
    numbers = [Decimal(value) for value in values]
    decimals = precisions.pop() if len(precisions) == 1 else None
    if [written_number(number, decimals) for number in numbers] != values:
        return
    histories = [each.history for each in occurrences]
    terms = _terms(histories, ())
    kinds = set.intersection(*(set(history.kinds) for history in histories)) - {UNREAD}
    totals, pairs = _totals(sorted(kinds), histories, terms, few), _pairs(terms)
    proposals: Iterator[Computation] = itertools.chain(totals, pairs)
    right = (each for each in proposals if _fits(each, histories, numbers))
    computations = tuple(itertools.islice(right, _MOST))
    if computations:
        counts = all(isinstance(each, Total) and each.field is None for each in computations)
        yield Computed(computations, None if counts else decimals)


def _fits(
    computation: Computation, histories: Sequence[History], numbers: Sequence[Decimal]
) -> bool:
    pairs = zip(histories, numbers, strict=True)
    if not all(computation.number(history) == number for history, number in pairs):
        return False
    if isinstance(computation, Arithmetic) or computation.field is None:
        return True
    several = sum(len(computation.figures(history)) > 1 for history in histories)
    return several >= _LEAST_SUMS


_Columns = Mapping[Term, Sequence[str]]


def _moments(
    values: Sequence[str], histories: Sequence[History], lookups: Sequence[Row]
) -> Iterator[Arithmetic]:
    """Yield what moves a day or a time by so many days or minutes to all values."""
    types = {size[0] if (size := magnitude(value)) else "" for value in values}
    if not types <= {"date", "time"}:
        return
    terms = _terms(histories, lookups)
    for left, column in terms.items():
        if all((size := magnitude(text)) and size[0] in types for text in column):
            each = (Arithmetic(left, sign, right) for right in terms for sign in "+-")
            right = (e for e in each if [e.moment(history) for history in histories] == [*values])
            yield from itertools.islice(right, _MOST)


def _terms(histories: Sequence[History], lookups: Sequence[Row]) -> _Columns:
    """Return what was said each time; of terms that always said the same, the first."""
    first = histories[0]
    terms: list[Term] = [TaskSlot(slot) for slot in first.asked.fields]
    for kind in first.kinds:
        fact = first.single(kind) if kind != UNREAD else None
        terms += [ToldField(kind, name) for name in (fact.fields if fact else ())]
    for operator in dict.fromkeys(call.operator for call in first.calls):
        terms += [Argument(operator, at) for at in range(len(first.arguments(operator)))]
    terms += lookups
    columns: dict[tuple[str, ...], Term] = {}
    for term in terms:
        column = tuple(value_of(term, history) or "" for history in histories)
        if all(column):
            columns.setdefault(column, term)
    return {term: column for column, term in columns.items()}


def _pairs(terms: _Columns) -> Iterator[Arithmetic]:
    """Two figures that were said."""
    figures = [t for t, column in terms.items() if None not in map(number_of, column)]
    for left, right in itertools.permutations(figures[:_MOST_TERMS], 2):
        first = figures.index(left) < figures.index(right)
        yield from (Arithmetic(left, sign, right) for sign in SIGNS if first or sign == "-")


def _totals(
    kinds: Iterable[str],
    histories: Sequence[History],
    terms: _Columns,
    few: Mapping[str, frozenset[str]],
) -> Iterator[Total]:
    """Rows that are counted, or figures that are added up: all, or those with a certain value."""
    for kind in kinds:
        rows = [row for history in histories for row in history.newest(kind)]
        if len(rows) in (0, len(histories)):  # what was told elsewhere does not hold here
            continue
        names = sorted(set.intersection(*(set(row.fields) for row in rows)))
        values = {name: list(dict.fromkeys(row.fields[name] for row in rows)) for name in names}
        figures = [n for n in names if None not in map(number_of, values[n])]
        wheres: list[tuple[Condition, ...]] = [()]
        for name in names:
            different = set(values[name])
            told = (term for term, column in terms.items() if not different.isdisjoint(column))
            wheres += [(Comparison(Field(name), "=", term),) for term in told]
            if name in few.get(kind, ()):
                wheres += [(OneOf(Field(name), (value,)),) for value in sorted(values[name])]
        for where in wheres:
            yield Total(kind, None, where)
            yield from (Total(kind, name, where) for name in figures)
