"""Look-ups: fields of a table whose rows a term names by its value."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from ...common.sampling import sample
from ...episodes.facts import UNREAD, Fact
from ...episodes.history import History
from ...episodes.tokens import magnitude
from ..program_conditions import Field, Own, Row, Term, ToldField
from .known_terms import known_terms
from .occurrences import Occurrence

_NAMED = 0.9
"""Share of the moments at which a term has to name a row, so that it is no chance."""
_MOSTLY = 0.5
"""Share of the tasks in which a name has to name a row once: it may stand on a later page."""
_LEAST_VALUES = 3
"""Least different rows that a term has to name."""
_LEAST_NAMES = 2
"""Least different rows where names do so: a name stands in two places by no chance."""
_MOST_MOMENTS = 60
"""Most moments that look-ups are learned from; more take time."""
_MOST_LISTS = 300
"""Most moments that memberships of lists are learned from: few of them may show one."""
_MOST_FIELDS = 8
"""Most fields of a fact that may name a row, or be looked up, the first ones."""
_Item = TypeVar("_Item")
_Said = Sequence[tuple[Term, str]]


def learn_lookups(histories: Sequence[History]) -> list[Row]:
    """Return look-ups of rows that the task, a result or an argument names.

    Args:
        histories: Moments.
    """
    examples = sample(histories, _MOST_MOMENTS)
    return _rows((history, list(known_terms(history, _MOST_FIELDS))) for history in examples)


def learn_memberships(histories: Sequence[History]) -> list[Row]:
    """Return look-ups that find a name of the task or a result in a list, or do not.

    Args:
        histories: Moments.
    """
    numbers: dict[Term, int] = {}
    hits: Counter[tuple[str, str, int]] = Counter()
    chances: Counter[tuple[str, str, int]] = Counter()
    examples = sample(histories, _MOST_LISTS)
    several = {k for h in examples for k in h.kinds if k != UNREAD and len(h.newest(k)) > 1}
    for history in examples if several else ():
        known = known_terms(history, _MOST_FIELDS)
        names = _numbered(((term, value) for term, value in known if _is_name(value)), numbers)
        for kind in history.kinds:
            rows = history.newest(kind) if kind in several else []
            for key in _first_fields(rows[0].fields) if rows else ():
                column = {row.fields.get(key) for row in rows}
                others = [(number, value) for of, number, value in names if of != kind]
                chances.update((kind, key, number) for number, _ in others)
                hits.update((kind, key, number) for number, value in others if value in column)
    terms = list(numbers)
    return [
        Row(kind, key, terms[number], key)
        for (kind, key, number), chance in chances.items()
        if _LEAST_VALUES <= hits[kind, key, number] <= chance - _LEAST_VALUES
    ]


def learn_own_lookups(index: int, occurrences: Sequence[Occurrence]) -> list[Row]:
    """Return look-ups of rows that the other arguments of a call name.

    Args:
        index: Place of the argument that is left out.
        occurrences: The calls.
    """
    return _rows(
        (each.history, [(Own(i), v) for i, v in enumerate(each.arguments) if i != index])
        for each in sample(occurrences, _MOST_MOMENTS)
    )


def learn_candidate_lookups(
    kind: str, moments: Iterable[tuple[History, Sequence[Fact]]]
) -> list[Row]:
    """Return look-ups of rows of other tables that the fields of candidates name.

    Args:
        kind: Kind of the candidates.
        moments: Each history with its candidates.
    """
    fields = (
        (history, [(Field(n), v) for row in rows for n, v in _first_fields(row.fields.items())])
        for history, rows in itertools.islice(moments, _MOST_MOMENTS)
    )
    return [row for row in _rows(fields) if row.kind != kind]


def _rows(moments: Iterable[tuple[History, _Said]]) -> list[Row]:
    """Return look-ups by terms that name a row of a table at nearly all moments with both."""
    numbers: dict[Term, int] = {}
    values_by_lookup: dict[tuple[str, str, int], set[str]] = defaultdict(set)
    tasks: dict[tuple[str, str, int], set[str]] = defaultdict(set)
    all_tasks: set[str] = set()
    hits: Counter[tuple[str, str, int]] = Counter()
    chances: Counter[tuple[str, int]] = Counter()
    fields: dict[str, set[str]] = defaultdict(set)
    for history, terms in moments:
        all_tasks.add(history.task)
        tables = list(_tables(history))
        said = _numbered(terms, numbers) if tables else []
        told = {kind for kind, _, _ in said if kind is not None}
        for kind, columns in tables:
            fields[kind].update(*(row.fields for row in history.table(kind)))
            repeating = {other for other in told if repeats_row(other, kind, history)}
            for term_kind, number, value in said:
                if term_kind in repeating:
                    continue
                chances[kind, number] += 1
                for key, column in columns.items():
                    if value in column:
                        hits[kind, key, number] += 1
                        values_by_lookup[kind, key, number].add(value)
                        tasks[kind, key, number].add(history.task)
    all_terms = list(numbers)
    return [
        Row(kind, key, all_terms[number], name)
        for (kind, key, number), count in hits.items()
        if len(values := values_by_lookup[kind, key, number]) >= _least_rows(values)
        if count >= _NAMED * chances[kind, number]
        or (_are_names(values) and len(tasks[kind, key, number]) > _MOSTLY * len(all_tasks))
        for name in _first_fields(sorted(fields[kind]))
        if name != key
    ]


def _numbered(
    terms: Iterable[tuple[Term, str]], numbers: dict[Term, int]
) -> list[tuple[str | None, int, str]]:
    """Return the kind of each told field, or None; the number of its term; and its value.

    Args:
        terms: Terms with their values.
        numbers: Term → number; new terms get the next ones. Numbers count faster than terms.
    """
    return [
        (
            term.kind if isinstance(term, ToldField) else None,
            numbers.setdefault(term, len(numbers)),
            value,
        )
        for term, value in terms
    ]


def _least_rows(values: Iterable[str]) -> int:
    return _LEAST_NAMES if _are_names(values) else _LEAST_VALUES


def _are_names(values: Iterable[str]) -> bool:
    """Whether no value is a size, as sizes stand in other columns by chance."""
    return all(map(_is_name, values))


def _is_name(value: str) -> bool:
    return magnitude(value) is None


def _tables(history: History) -> Iterator[tuple[str, Mapping[str, frozenset[str]]]]:
    """Yield kinds with several facts, and their fields that tell the facts apart."""
    for kind in history.kinds:
        rows = history.table(kind)
        if kind == UNREAD or len(rows) < 2 or len(rows[0].fields) < 2:
            continue
        columns: dict[str, frozenset[str]] = {}
        for name in _first_fields(rows[0].fields):
            values = frozenset(row.fields[name] for row in rows if name in row.fields)
            if len(values) == len(rows):
                columns[name] = values
        if columns:
            yield kind, columns


def repeats_row(kind: str, table: str, history: History) -> bool:
    """Whether a single fact repeats the values of a table's row, as special readings do."""
    fact = history.single(kind)
    values = set(fact.fields.values()) if fact else set()
    return len(values) > 1 and any(values <= {*r.fields.values()} for r in history.table(table))


def _first_fields(items: Iterable[_Item]) -> Iterable[_Item]:
    return itertools.islice(items, _MOST_FIELDS)
