"""What the fields of a moment had to do with each other whenever a step was done."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

from ..episodes.facts import UNREAD, Fact
from ..episodes.history import TASK, History
from ..episodes.tokens import magnitude

__all__ = ["Place", "Relation", "fields_of", "related", "relations_of", "single_fields"]

Place: TypeAlias = tuple[str, str]
"""Kind of fact, and field."""
Relation: TypeAlias = tuple[Place, str, Place]
"""Two places and how their values are related: ``=``, ``has`` (one is) or ``>=`` (all are)."""
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


def related(relation: Relation, history: History) -> bool:
    """Whether the values of two places are so related now."""
    one, how, other = relation
    left, right = _values(one, history), _values(other, history)
    if how == "=":
        return left == right and len(left) < 2
    if how == "has":
        return len(right) == 1 and right[0] in left
    return _ordered(_sizes(left), _sizes(right))


def relations_of(shown: Sequence[History], sized: Collection[tuple[Place, Place]]) -> set[Relation]:
    """Return how fields were related at all moments, though values differ from time to time.

    Args:
        shown: The moments; one alone shows no relation.
        sized: Places whose values are sizes and could lie in either order.
    """
    if len(shown) < 2:
        return set()
    told = [dict(single_fields(history)) for history in shown]
    singles = set(told[0]).intersection(*told[1:])
    ordered = [(one, ">=", other) for pair in sized for one, other in (pair, pair[::-1])]
    return {
        *(each for each in ordered if all(related(each, history) for history in shown)),
        *_equal(told, singles),
        *_members(shown, told, singles),
    }


def _equal(told: Sequence[Mapping[Place, str]], singles: Collection[Place]) -> Iterator[Relation]:
    columns: dict[tuple[str, ...], list[Place]] = defaultdict(list)
    for place in sorted(singles):
        columns[tuple(each[place] for each in told)].append(place)
    for values, places in columns.items():
        if len(set(values)) > 1:
            for one, other in itertools.pairwise(places):
                yield one, "=", other


def _members(
    shown: Sequence[History], told: Sequence[Mapping[Place, str]], singles: Collection[Place]
) -> Iterator[Relation]:
    """Yield lists that had a value each time: items that stand alone, or fields of all items."""
    for kind in sorted(set(shown[0].kinds).intersection(*(h.kinds for h in shown[1:])) - {UNREAD}):
        lists = [history.newest(kind) for history in shown]
        if max(map(len, lists)) < 2:
            continue
        for name in sorted({name for fact in lists[0] for name in fact.fields}):
            items = [{fact.fields.get(name) for fact in facts} for facts in lists]
            for place in sorted(singles):
                values = [each[place] for each in told]
                if len(set(values)) > 1 and all(map(set.__contains__, items, values)):
                    yield (kind, name), "has", place


def _values(place: Place, history: History) -> list[str]:
    kind, name = place
    facts = [history.asked] if kind == TASK else history.newest(kind)
    return [fact.fields[name] for fact in facts if name in fact.fields]


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
