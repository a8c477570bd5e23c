"""Rows of lists that a single value names, or that are foremost in their list, as the newest is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ..episodes.facts import Fact
from ..episodes.history import TASK, History, kinds_of_any
from ..episodes.tokens import magnitude
from .relations import BELOW, Named, Place, Relation, fields_of, values_at

_FOREMOST: Place = ("all", "the greatest")
"""Mark in the place of the value that names a row: the greatest of the list names it."""
_FOREMOST_ROW = re.compile(r"(.+) whose (.+) is the greatest of all")
"""Kind of a row that is foremost."""


def naming_rows(members: Sequence[Relation], histories: Sequence[History]) -> list[Relation]:
    """Return the memberships that name a row, one for each row, those of the task first."""
    naming: dict[tuple[frozenset[tuple[str, str]], ...], Relation] = {}
    memberships = [each for each in members if each[1] == "has once"]
    ordered = sorted(memberships, key=lambda each: (each[2][0] != TASK, each))
    for each in (*ordered, *_foremost_of(histories)):
        rows = [
            frozenset(row.fields.items()) for h in histories for _, row in _named_rows([each], h)
        ]
        naming.setdefault(tuple(rows), each)
    return list(naming.values())


def naming_of(kinds: Iterable[str], relations: Iterable[Relation]) -> Iterator[Relation]:
    """Yield the memberships that name the rows of some kinds.

    Args:
        kinds: Kinds of named rows.
        relations: Relations that always held.
    """
    kinds = sorted(kinds)
    memberships = (each for each in sorted(relations) if each[1] == "has once")
    yield from (each for each in memberships if _row_kind(each[0], each[2]) in kinds)
    for kind in kinds:
        if match := _FOREMOST_ROW.fullmatch(kind):
            yield (match[1], match[2]), "has once", _FOREMOST


def is_foremost(kind: str) -> bool:
    """Whether a kind is that of the foremost row of a list."""
    return _FOREMOST_ROW.fullmatch(kind) is not None


def named_fields(memberships: Iterable[Relation], history: History) -> Named:
    """Return the fields of named rows that are short enough to be compared.

    Args:
        memberships: ``has once`` relations.
        history: The moment.
    """
    return {
        (kind, name): ((row.kind, name), value)
        for kind, row in _named_rows(memberships, history)
        for (_, name), value in fields_of(row)
    }


def _named_rows(memberships: Iterable[Relation], history: History) -> Iterator[tuple[str, Fact]]:
    """Yield the rows that a single value names, each with its kind as a named row."""
    for (kind, key), _, by in memberships:
        if by == _FOREMOST:
            row = _foremost_row(kind, key, history)
            if row is not None:
                yield _row_kind((kind, key), by), row
            continue
        values = values_at(by, history)
        if key.endswith(BELOW):
            fact = history.single(kind)
            name = f"{key}{values[0]}" if len(values) == 1 else ""
            if fact is not None and name in fact.fields:
                yield _row_kind((kind, key), by), Fact(kind, {key: fact.fields[name]})
            continue
        rows = history.keyed(kind, key).get(values[0], ()) if len(values) == 1 else ()
        if len(rows) == 1:
            yield _row_kind((kind, key), by), rows[0]


def _row_kind(of: Place, by: Place) -> str:
    """Return the kind of a row whose field has the value of a place."""
    return f"{of[0]} whose {of[1]} is {by[1]} of {by[0]}"


def _foremost_of(histories: Sequence[History]) -> Iterator[Relation]:
    """Yield lists of several rows, each with a field whose sizes put the rows in an order."""
    for kind in kinds_of_any(histories):
        rows = [row for history in histories for row in history.newest(kind)]
        for key in sorted({name for row in rows for name in row.fields}):
            is_ordered = all(_foremost_row(kind, key, h) for h in histories if kind in h.kinds)
            if is_ordered and len(rows) > len(histories):
                yield (kind, key), "has once", _FOREMOST


def _foremost_row(kind: str, key: str, history: History) -> Fact | None:
    """Return the row with the greatest size; None if rows have no size, or the same.

    Only its words count: its sizes are among those of its list.
    """
    rows = history.newest(kind)
    sizes = [magnitude(row.fields.get(key, "")) for row in rows]
    places = {size: place for place, size in enumerate(sizes) if size is not None}
    if not rows or len(places) < len(rows) or len({type_ for type_, _ in places}) > 1:
        return None
    row = rows[places[max(places)]]
    return Fact(kind, {n: value for n, value in row.fields.items() if magnitude(value) is None})
