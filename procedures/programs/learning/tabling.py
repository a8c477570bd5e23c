"""The smallest decision tables that explain an argument in all demonstrations."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ...episodes.history import TASK, History
from ..decision_tables import DecisionTable, Tabled
from ..program_conditions import Row, TaskSlot, Term, ToldField, value_of
from ..terms import bound_term
from .joins import learn_own_lookups
from .occurrences import Few, Occurrence, Setting

_MOST_CLASSES = 3
"""Most classes that decide together: people fill in no larger tables."""
_MOST_TERMS = 16
"""Most classes that tables combine, so that some hundred tables are tried at most."""
_MOST_VALUES = 12
"""Most values that a table gives: more are names."""
_CHANCE_BITS = 10.0
"""Bits that repeated combinations have to confirm: by chance one in 1,000 tables does."""


def tabled(index: int, occurrences: Sequence[Occurrence], setting: Setting) -> Iterator[Tabled]:
    """Yield the smallest decision tables that give an argument each time, if there are any.

    A table counts where combinations come again, always with the same value, and more often than by
    chance among so many tables.

    Args:
        index: Place of the argument.
        occurrences: All calls of the operator.
        setting: Of the calls.
    """
    values = [occurrence.arguments[index] for occurrence in occurrences]
    counts = Counter(values)
    if not 2 <= len(counts) <= min(_MOST_VALUES, len(values) // 2):
        return
    entropy = -sum(n / len(values) * math.log2(n / len(values)) for n in counts.values())
    lookups = (*setting.lookups, *learn_own_lookups(index, occurrences))
    columns = _columns(occurrences, _terms(occurrences[0].history, setting.few, lookups))
    for size in range(1, _MOST_CLASSES + 1):
        table_count = math.comb(len(columns), size)
        least = math.log2(table_count or 1) + _CHANCE_BITS
        tables: list[DecisionTable] = []
        for terms in itertools.combinations(columns, size):
            rows: dict[tuple[str, ...], str] = {}
            keys = list(zip(*(columns[term] for term in terms), strict=True))
            pairs = zip(keys, values, strict=True)
            fits = all(rows.setdefault(key, value) == value for key, value in pairs)
            if fits and (len(values) - len(rows)) * entropy >= least:
                tables.append(DecisionTable(terms, tuple(sorted(rows.items()))))
        if tables:
            yield Tabled(tuple(tables))
            return


def _columns(
    occurrences: Sequence[Occurrence], terms: Iterable[Term]
) -> dict[Term, tuple[str, ...]]:
    """Return class → values, for classes that are known each time; one of equal partitions."""
    columns: dict[Term, tuple[str, ...]] = {}
    partitions: set[tuple[int, ...]] = set()
    for term in terms:
        values = [value_of(bound_term(term, o.arguments), o.history) for o in occurrences]
        column = tuple(value for value in values if value)
        numbers = {value: number for number, value in enumerate(dict.fromkeys(column))}
        partition = tuple(numbers[value] for value in column)
        if len(column) == len(occurrences) and len(numbers) > 1 and partition not in partitions:
            partitions.add(partition)
            columns[term] = column
        if len(columns) == _MOST_TERMS:
            break
    return columns


def _terms(history: History, few: Few, lookups: Iterable[Row]) -> Iterator[Term]:
    for slot in sorted(few.get(TASK, ())):
        yield TaskSlot(slot)
    for kind in history.kinds:
        fact = history.single(kind)
        for name in sorted(few.get(kind, ())):
            if fact is not None and name in fact.fields:
                yield ToldField(kind, name)
    for row in lookups:
        if row.field in few.get(row.kind, ()):
            yield row
