"""Arguments computed from earlier values: counts, sums, differences, products."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from ...episodes.history import History, kinds_of_all
from ...episodes.tokens import has_digit
from ..exact_numbers import number_of
from ..program_conditions import (
    Arithmetic,
    Comparison,
    Computation,
    Condition,
    Field,
    Literal,
    OneOf,
    Own,
    Row,
    Term,
    Total,
    Unused,
    value_of,
)
from ..sources import Computed
from ..terms import bound_term
from .explaining import explain, explain_shares, notation_of, sums_of
from .joins import learn_own_lookups
from .known_terms import known_terms
from .occurrences import Few, Occurrence, Setting

_MOST = 4
"""Most computations that are kept where several fit."""
_LEAST_SUMS = 3
"""Least sums of several figures; a sum of one figure is a look-up of a row."""


def computed(index: int, occurrences: Sequence[Occurrence], setting: Setting) -> Iterator[Computed]:
    """Yield the source that computes an argument, if it gives all values exactly.

    Args:
        index: Place of the argument.
        occurrences: All calls.
        setting: Of the calls.
    """
    values = [each.arguments[index] for each in occurrences]
    if not all(map(has_digit, values)):
        return
    histories = [each.history for each in occurrences]
    own_columns = _own_terms(index, occurrences)
    told_columns = dict(_terms(histories, setting.lookups))
    explained = explain(index, occurrences, told_columns)
    # Values that equal a column are a look-up.
    if explained is None and own_columns and tuple(values) not in own_columns.values():
        explained = explain(index, occurrences, {**own_columns, **told_columns})
    written = notation_of(values)
    totals: tuple[Total, ...] = ()
    if written is not None:
        numbers = [number_of(value) for value in values]
        terms: dict[Term, Sequence[str]] = {
            term: column for term, column in told_columns.items() if not isinstance(term, Row)
        }
        all_totals = _totals(
            kinds_of_all(histories), histories, {**terms, **own_columns}, setting.few
        )
        fitting = (each for each in all_totals if _fits(each, occurrences, numbers))
        totals = tuple(itertools.islice(fitting, _MOST))
    is_simple = explained is not None and all(map(_is_simple, explained.computations))
    others = explained.computations if explained and (is_simple or not totals) else ()
    if not totals and explained is not None:
        yield explained
    elif totals and written is not None:
        if not others and all(each.field is None for each in totals):
            written = Computed(())  # counts have no decimals
        yield replace(written, computations=(*totals, *others)[:_MOST])
    else:
        yield from _of_sums(index, occurrences, told_columns, own_columns, setting.few)


def _of_sums(
    index: int,
    occurrences: Sequence[Occurrence],
    terms: _Columns,
    own_terms: _Columns,
    few: Few,
) -> Iterator[Computed]:
    """Yield the source that adds up what was told, perhaps with another value.

    The last of several pages often has a line of another kind, so that its figure is another value.
    A sum of rows is compared with a figure of another result, and the rest is typed.

    Args:
        index: Place of the argument.
        occurrences: All calls.
        terms: Term → its value at each call.
        own_terms: Other arguments of the call and what tables say of them; of such a row, a share
            of a sum may be asked.
        few: Kind of facts → its fields that have few values.
    """
    values = [each.arguments[index] for each in occurrences]
    histories = [each.history for each in occurrences]
    sums = dict(_sums(histories))
    written = notation_of(values)
    if not sums or written is None:
        return
    numbers = [number_of(value) for value in values]
    whole = [total for total, column in sums.items() if list(map(number_of, column)) == numbers]
    if whole:
        yield replace(written, computations=tuple(whole[:_MOST]))
    else:
        columns: dict[Term, Sequence[str]] = dict((*sums.items(), *terms.items()))
        explained = explain(index, occurrences, columns)
        if explained is None:
            shared_out = [*sums, *_sums_of_classes(sums, histories, few)]
            explained = explain_shares(index, occurrences, own_terms, terms, shared_out)
        if explained is not None:
            yield explained


def _sums(histories: Sequence[History]) -> Iterator[tuple[Total, Sequence[str]]]:
    """Yield the sums of told figures, each with its value in each history.

    Where several results told the figures, all count, else the rows of the one result.
    """
    for kind in kinds_of_all(histories):
        facts = [history.told_by_each_call(kind) for history in histories]
        newest = [history.told(kind) for history in histories]
        ever = _seldom_one(len(a) - len(b) for a, b in zip(facts, newest, strict=True))
        if not ever and not _seldom_one(len(each) - 1 for each in newest):
            continue
        for name in sorted(set.intersection(*(set(f.fields) for each in facts for f in each))):
            total = Total(kind, name, ever=ever)
            if (texts := sums_of(total, histories)) is not None:
                yield total, texts


def _sums_of_classes(
    sums: Iterable[Total], histories: Sequence[History], few: Few
) -> Iterator[Total]:
    """Yield sums over the rows of all classes but one."""
    for total in sums:
        rows = [row for history in histories for row in history.told(total.kind)]
        for name in sorted(few.get(total.kind, ())):
            for value in sorted({row.fields[name] for row in rows if name in row.fields}):
                yield replace(total, where=(Comparison(Field(name), "≠", Literal(value)),))


def _seldom_one(others: Iterable[int]) -> bool:
    """Whether a figure has others beside it often enough that their sum is no look-up."""
    return sum(each > 0 for each in others) >= _LEAST_SUMS


def _is_simple(computation: Computation) -> bool:
    """Whether a computation has two plain operands. Others are far-fetched where totals fit."""
    return isinstance(computation, Arithmetic) and not any(
        isinstance(each, Arithmetic | Literal) for each in (computation.left, computation.right)
    )


def _fits(
    total: Total, occurrences: Sequence[Occurrence], numbers: Sequence[Decimal | None]
) -> bool:
    sums = 0
    for occurrence, number in zip(occurrences, numbers, strict=True):
        bound_total = bound_term(total, occurrence.arguments)
        if not isinstance(bound_total, Total) or bound_total.number(occurrence.history) != number:
            return False
        sums += len(bound_total.figures(occurrence.history)) > 1
    return total.field is None or sums >= _LEAST_SUMS


_Columns = Mapping[Term, Sequence[str]]


def _terms(histories: Sequence[History], lookups: Sequence[Row]) -> _Columns:
    """Return term → its values; of terms with the same values only the first."""
    terms = [term for term, _ in known_terms(histories[0])]
    columns: dict[tuple[str, ...], Term] = {}
    for term in (*terms, *lookups):
        texts = (value_of(term, history) for history in histories)
        column = tuple(text for text in itertools.takewhile(bool, texts) if text)
        if len(column) == len(histories):
            columns.setdefault(column, term)
    return {term: column for column, term in columns.items()}


def _own_terms(index: int, occurrences: Sequence[Occurrence]) -> _Columns:
    """Return the other arguments of the calls and their look-ups, with values."""
    others = [Own(i) for i in range(len(occurrences[0].arguments)) if i != index]
    columns: dict[Term, tuple[str, ...]] = {}
    terms: list[Term] = [*others, *learn_own_lookups(index, occurrences)]
    for term in terms:
        column = tuple(
            value_of(bound_term(term, each.arguments), each.history) or "" for each in occurrences
        )
        if all(column) and column not in columns.values():
            columns[term] = column
    return columns


def _totals(
    kinds: Iterable[str],
    histories: Sequence[History],
    terms: _Columns,
    few: Few,
) -> Iterator[Total]:
    """Yield counts of rows and sums of figures.

    They are over all rows, those with a certain value, or those that were an argument of a call.
    """
    used_in: dict[str, set[str]] = defaultdict(set)
    for call in (call for history in histories for call in history.calls):
        used_in[call.operator].update(call.arguments)
    for kind in kinds:
        rows = [row for history in histories for row in history.newest(kind)]
        if len(rows) in (0, len(histories)):  # one row each time is no table
            continue
        names = sorted(set.intersection(*(set(row.fields) for row in rows)))
        values = {name: list(dict.fromkeys(row.fields[name] for row in rows)) for name in names}
        figures = [n for n in names if None not in map(number_of, values[n])]
        filters: list[tuple[Condition, ...]] = [()]
        for name in names:
            distinct_values = set(values[name])
            matching_terms = (
                term for term, column in terms.items() if not distinct_values.isdisjoint(column)
            )
            filters += [(Comparison(Field(name), "=", term),) for term in matching_terms]
            if name in few.get(kind, ()):
                filters += [(OneOf(Field(name), (value,)),) for value in sorted(values[name])]
            operators = (
                op
                for op, call_arguments in used_in.items()
                if not distinct_values.isdisjoint(call_arguments)
            )
            filters += [(Unused(Field(name), operator, negated=True),) for operator in operators]
        for where in filters:
            yield Total(kind, None, where)
            yield from (Total(kind, name, where) for name in figures)
