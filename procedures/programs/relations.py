"""What the fields of a moment had to do with each other whenever a step was done."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from ..episodes.facts import UNREAD, Fact
from ..episodes.history import TASK, History
from ..episodes.tokens import magnitude

__all__ = [
    "Named",
    "Place",
    "Relation",
    "fields_of",
    "members_of",
    "named_fields",
    "named_rows",
    "related",
    "relations_of",
    "row_kind",
    "single_fields",
]

Place: TypeAlias = tuple[str, str]
"""Kind of fact, and field."""
Relation: TypeAlias = tuple[Place, str, Place]
"""Two places and how their values are related.

``=``; ``≠`` (none is, in whichever capitals); ``has`` (one is) and ``has once`` (just one is);
``>=``: all are, or of one kind of fact each is in its own fact.
"""
Named: TypeAlias = Mapping[Place, tuple[Place, str]]
"""Place in a row that is named → the place in any row, and the value that it has there."""
BELOW = "."
"""Stands between the key of an object within an object and the keys that it has."""
_LONG = 200
"""Longer texts are read line by line, not compared as a whole."""


def fields_of(fact: Fact) -> Iterator[tuple[Place, str]]:
    """Yield the fields of a fact that are short enough to be compared."""
    for name, value in fact.fields.items():
        if len(value) <= _LONG and "\n" not in value:
            yield (fact.kind, name), value


def single_fields(history: History) -> Iterator[tuple[Place, str]]:
    """Yield what is told once, and the task."""
    for name, value in history.asked.fields.items():
        yield (TASK, name), value
    for kind in history.kinds:
        if kind == UNREAD:
            continue
        facts = history.newest(kind)
        if len(facts) == 1:
            yield from fields_of(facts[0])


def named_rows(memberships: Iterable[Relation], history: History) -> Iterator[tuple[str, Fact]]:
    """Yield the rows that a single value names, and of which kind they are as such.

    Args:
        memberships: Lists that had a value just once.
        history: The moment.
    """
    for (kind, key), _, by in memberships:
        values = _values(by, history)
        if key.endswith(BELOW):
            fact = history.single(kind)
            name = f"{key}{values[0]}" if len(values) == 1 else ""
            if fact is not None and name in fact.fields:
                yield row_kind((kind, key), by), Fact(kind, {key: fact.fields[name]})
            continue
        rows = history.keyed(kind, key).get(values[0], ()) if len(values) == 1 else ()
        if len(rows) == 1:
            yield row_kind((kind, key), by), rows[0]


def row_kind(of: Place, by: Place) -> str:
    """Return the kind of a row in which one field has the value of a place."""
    return f"{of[0]} whose {of[1]} is {by[1]} of {by[0]}"


def named_fields(memberships: Iterable[Relation], history: History) -> Named:
    """Return the fields of the rows that are named, short enough to be compared."""
    return {
        (kind, name): ((row.kind, name), value)
        for kind, row in named_rows(memberships, history)
        for (_, name), value in fields_of(row)
    }


def related(relation: Relation, history: History, named: Named) -> bool:
    """Whether the values of two places are so related now."""
    one, how, other = relation
    if how == ">=" and one[0] == other[0] and one not in named:
        return all(
            _ordered([magnitude(row.fields[one[1]])], [magnitude(row.fields[other[1]])])
            for row in _facts(one[0], history)
            if one[1] in row.fields and other[1] in row.fields
        )
    left, right = (
        [named[place][1]] if place in named else _values(place, history) for place in (one, other)
    )
    if how == "=":
        return left == right and len(left) < 2
    if how == "≠":
        return len(right) != 1 or right[0].casefold() not in map(str.casefold, left)
    if how == "has":
        return len(right) == 1 and right[0] in left
    if how == "has once":
        return len(right) == 1 and left.count(right[0]) == 1
    return _ordered(_sizes(left), _sizes(right))


def relations_of(
    shown: Sequence[History],
    told: Sequence[Mapping[Place, str]],
    named: Sequence[Named],
    sized: Collection[tuple[Place, Place]],
) -> set[Relation]:
    """Return how fields were related at all moments, though values differ from time to time.

    Args:
        shown: The moments; one alone shows no relation.
        told: What each told once, the rows that are named among it.
        named: The fields of these rows.
        sized: Places whose values are sizes and could lie in either order.
    """
    if len(shown) < 2:
        return set()
    singles = set(told[0]).intersection(*told[1:])
    ordered = [(one, ">=", other) for pair in sized for one, other in (pair, pair[::-1])]
    moments = list(zip(shown, named, strict=True))
    return {
        *(each for each in ordered if all(related(each, *moment) for moment in moments)),
        *_equal(told, singles),
        *_apart(shown, told, singles),
    }


def _equal(told: Sequence[Mapping[Place, str]], singles: Collection[Place]) -> Iterator[Relation]:
    columns: dict[tuple[str, ...], list[Place]] = defaultdict(list)
    for place in sorted(singles):
        columns[tuple(each[place] for each in told)].append(place)
    for values, places in columns.items():
        if len(set(values)) > 1:
            for one, other in itertools.pairwise(places):
                yield one, "=", other


def _apart(
    shown: Sequence[History], told: Sequence[Mapping[Place, str]], singles: Collection[Place]
) -> Iterator[Relation]:
    """Yield fields, or lists, that never had a value which they might have had: another field's.

    Sizes are ordered instead: two that are the same by chance mean nothing.
    """
    alone = {place: [{each[place].casefold()} for each in told] for place in sorted(singles)}
    every = {**dict(_lists(shown)), **alone}
    values = {
        place: {v for v in set().union(*column) if v and magnitude(v) is None}
        for place, column in every.items()
    }
    for one, other in itertools.product(every, alone):
        both = (one not in alone or one < other) and not values[one].isdisjoint(values[other])
        if both and all(map(set.isdisjoint, every[one], alone[other])):
            yield one, "≠", other


def _lists(shown: Sequence[History]) -> Iterator[tuple[Place, list[set[str]]]]:
    """Yield the fields of kinds that were not told just once each time, and their values."""
    for kind in sorted(frozenset().union(*(history.kinds for history in shown)) - {UNREAD}):
        facts = [history.newest(kind) for history in shown]
        if set(map(len, facts)) != {1}:
            for name in sorted({name for each in facts for fact in each for name in fact.fields}):
                place = kind, name
                yield place, [{v.casefold() for v in _values(place, h)} for h in shown]


def _keys(told: Sequence[Mapping[Place, str]], singles: Collection[Place]) -> Iterator[Relation]:
    """Yield objects of which a value was a key each time, one of several."""
    above = {(k, n.rpartition(BELOW)[0] + BELOW) for each in told for k, n in each if BELOW in n}
    for kind, name in sorted(above):
        keys = [
            {n.removeprefix(name) for k, n in each if k == kind and n.startswith(name)}
            for each in told
        ]
        for place in sorted(singles) if max(map(len, keys)) > 1 else ():
            values = [each[place] for each in told]
            if len(set(values)) > 1 and all(map(set.__contains__, keys, values)):
                yield (kind, name), "has once", place


def members_of(shown: Sequence[History]) -> Iterator[Relation]:
    """Yield lists that had a value each time: items that stand alone, or fields of all items.

    Args:
        shown: The moments; one alone shows nothing.
    """
    if len(shown) < 2:
        return
    told = [dict(single_fields(history)) for history in shown]
    singles = set(told[0]).intersection(*told[1:])
    yield from _keys(told, singles)
    for kind in sorted(set(shown[0].kinds).intersection(*(h.kinds for h in shown[1:])) - {UNREAD}):
        lists = [history.newest(kind) for history in shown]
        if max(map(len, lists)) < 2:
            continue
        for name in sorted({name for fact in lists[0] for name in fact.fields}):
            items = [Counter(fact.fields.get(name) for fact in facts) for facts in lists]
            for place in sorted(singles):
                values = [each[place] for each in told]
                times = {each[value] for each, value in zip(items, values, strict=True)}
                if len(set(values)) > 1 and 0 not in times:
                    yield (kind, name), "has once" if times == {1} else "has", place


def _facts(kind: str, history: History) -> list[Fact]:
    return [history.asked] if kind == TASK else history.newest(kind)


def _values(place: Place, history: History) -> list[str]:
    kind, name = place
    if name.endswith(BELOW):
        keys = (key for fact in _facts(kind, history) for key in fact.fields)
        return [key.removeprefix(name) for key in keys if key.startswith(name)]
    return [fact.fields[name] for fact in _facts(kind, history) if name in fact.fields]


def _sizes(values: Sequence[str]) -> list[tuple[str, float] | None]:
    return [magnitude(value) for value in values]


def _ordered(
    left: Sequence[tuple[str, float] | None], right: Sequence[tuple[str, float] | None]
) -> bool:
    """Whether all of the left are at least as great as all of the right, in the same type."""
    types = {size and size[0] for size in (*left, *right)}
    if len(types) != 1 or None in types or not left or not right:
        return False
    return min(s[1] for s in left if s) >= max(s[1] for s in right if s)
