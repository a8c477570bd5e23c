"""Decision tables that explain an argument: the smallest that contradict no demonstration."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ...episodes.history import TASK, History
from ..decision_tables import DecisionTable, Tabled
from ..program_conditions import Row, TaskSlot, Term, ToldField, value_of
from ..terms import bound_term
from .joins import learn_own_lookups
from .occurrences import Occurrence

__all__ = ["tabled"]

_MOST_CLASSES = 3
"""Classes that decide together: people fill in no larger tables."""
_MOST_TERMS = 16
"""Classes of which such a table is made, so that there are no more than some hundred of them."""
_MOST_VALUES = 12
"""Values that a table gives: more are names."""
_CHANCE_BITS = 10.0
"""What repeated combinations have to say, so that a table that fits is no chance: one of 1,000."""


def tabled(
    index: int,
    occurrences: Sequence[Occurrence],
    few: Mapping[str, frozenset[str]],
    lookups: Sequence[Row],
) -> Iterator[Tabled]:
    """Yield the smallest decision tables that give an argument each time, if there are any.

    A table counts where combinations come again, and always with the same value, more often than
    chance would have it among so many tables.

    Args:
        index: The argument.
        occurrences: All calls of the operator.
        few: Kind of facts → its fields that have few values.
        lookups: Fields of tables of the world that may be looked up.
    """
    given = [occurrence.arguments[index] for occurrence in occurrences]
    counts = Counter(given)
    if not 2 <= len(counts) <= min(_MOST_VALUES, len(given) // 2):
        return
    entropy = -sum(n / len(given) * math.log2(n / len(given)) for n in counts.values())
    columns = _columns(occurrences, few, (*lookups, *learn_own_lookups(index, occurrences)))
    for size in range(1, _MOST_CLASSES + 1):
        every = math.comb(len(columns), size)
        least = math.log2(every or 1) + _CHANCE_BITS
        tables: list[DecisionTable] = []
        for terms in itertools.combinations(columns, size):
            rows: dict[tuple[str, ...], str] = {}
            keys = list(zip(*(columns[term] for term in terms), strict=True))
            pairs = zip(keys, given, strict=True)
            fits = all(rows.setdefault(key, value) == value for key, value in pairs)
            if fits and (len(given) - len(rows)) * entropy >= least:
                tables.append(DecisionTable(terms, tuple(sorted(rows.items()))))
        if tables:
            yield Tabled(tuple(tables))
            return


def _columns(
    occurrences: Sequence[Occurrence], few: Mapping[str, frozenset[str]], lookups: Sequence[Row]
) -> dict[Term, tuple[str, ...]]:
    """Return classes that are known each time, with values; one of those that say the same."""
    columns: dict[Term, tuple[str, ...]] = {}
    alike: set[tuple[int, ...]] = set()
    for term in _terms(occurrences[0].history, few, lookups):
        values = [value_of(bound_term(term, o.arguments), o.history) for o in occurrences]
        column = tuple(value for value in values if value)
        numbers = {value: number for number, value in enumerate(dict.fromkeys(column))}
        parted = tuple(numbers[value] for value in column)
        if len(column) == len(occurrences) and len(numbers) > 1 and parted not in alike:
            alike.add(parted)
            columns[term] = column
        if len(columns) == _MOST_TERMS:
            break
    return columns


def _terms(
    history: History, few: Mapping[str, frozenset[str]], lookups: Sequence[Row]
) -> Iterator[Term]:
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
