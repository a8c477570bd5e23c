"""Tables that are looked up: a field of a table whose rows what was said elsewhere names."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...episodes.facts import UNREAD, Fact
from ...episodes.history import History
from ..conditions import Argument, Asked, Field, Row, Term, Told

__all__ = ["looked_up", "looked_up_by_candidates"]

_NAMED = 0.9
"""Share of the moments at which a term has to name a row, so that it is no chance."""
_LEAST_VALUES = 3
"""Different rows that have to be named."""
_MOST_MOMENTS = 60
_MOST_FIELDS = 8
_Join = tuple[str, str, Term]


def looked_up(histories: Sequence[History]) -> list[Row]:
    """Return look-ups of what the task, a result or an argument names.

    Args:
        histories: Moments.
    """
    named: dict[_Join, set[str]] = defaultdict(set)
    hits: Counter[_Join] = Counter()
    of: Counter[tuple[str, Term]] = Counter()
    fields: dict[str, set[str]] = defaultdict(set)
    for history in histories[:: max(1, -(-len(histories) // _MOST_MOMENTS))]:
        tables = list(_tables(history, fields))
        if not tables:
            continue
        terms = list(_terms(history))
        for kind, columns in tables:
            for term, value in terms:
                if isinstance(term, Told) and _repeats(term.kind, kind, history):
                    continue
                of[kind, term] += 1
                for key, column in columns.items():
                    if value in column:
                        hits[kind, key, term] += 1
                        named[kind, key, term].add(value)
    return [
        Row(kind, key, term, name)
        for (kind, key, term), count in hits.items()
        if count >= _NAMED * of[kind, term] and len(named[kind, key, term]) >= _LEAST_VALUES
        for name in sorted(fields[kind])[:_MOST_FIELDS]
        if name != key
    ]


def looked_up_by_candidates(
    kind: str, moments: Iterable[tuple[History, Sequence[Fact]]]
) -> list[Row]:
    """Return look-ups of what the fields of candidates name.

    Args:
        kind: Of the candidates.
        moments: What was known, and the candidates.
    """
    named: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    hits: Counter[tuple[str, str, str]] = Counter()
    of: Counter[tuple[str, str]] = Counter()
    fields: dict[str, set[str]] = defaultdict(set)
    for history, rows in itertools.islice(moments, _MOST_MOMENTS):
        for other, columns in _tables(history, fields):
            if other == kind:
                continue
            for row in rows:
                for name, value in itertools.islice(row.fields.items(), _MOST_FIELDS):
                    of[other, name] += 1
                    for key, column in columns.items():
                        if value in column:
                            hits[other, key, name] += 1
                            named[other, key, name].add(value)
    return [
        Row(other, key, Field(name), field)
        for (other, key, name), count in hits.items()
        if count >= _NAMED * of[other, name] and len(named[other, key, name]) >= _LEAST_VALUES
        for field in sorted(fields[other])[:_MOST_FIELDS]
        if field != key
    ]


def _tables(
    history: History, fields: dict[str, set[str]]
) -> Iterator[tuple[str, Mapping[str, frozenset[str]]]]:
    """Yield kinds of which several facts were told, with the fields that tell them apart."""
    for kind in history.kinds:
        rows = history.newest(kind)
        if kind == UNREAD or len(rows) < 2 or len(rows[0].fields) < 2:
            continue
        columns: dict[str, frozenset[str]] = {}
        for name in itertools.islice(rows[0].fields, _MOST_FIELDS):
            values = [row.fields[name] for row in rows if name in row.fields]
            if len(set(values)) == len(rows):
                columns[name] = frozenset(values)
        fields[kind].update(*(row.fields for row in rows))
        if columns:
            yield kind, columns


def _repeats(kind: str, table: str, history: History) -> bool:
    """Whether a single fact says again what a row of a table says, as special readings do."""
    fact = history.single(kind)
    told = set(fact.fields.values()) if fact else set()
    return len(told) > 1 and any(told <= {*r.fields.values()} for r in history.newest(table))


def _terms(history: History) -> Iterator[tuple[Term, str]]:
    for slot, value in history.asked.fields.items():
        yield Asked(slot), value
    for kind in history.kinds:
        fact = history.single(kind) if kind != UNREAD else None
        for name, value in itertools.islice(fact.fields.items(), _MOST_FIELDS) if fact else ():
            yield Told(kind, name), value
    for operator in {call.operator: None for call in history.calls}:
        for index, value in enumerate(history.arguments(operator)):
            yield Argument(operator, index), value
