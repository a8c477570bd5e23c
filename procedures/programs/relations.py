"""Relations of fields that always held before a step."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

from ..episodes.facts import UNREAD, Fact
from ..episodes.history import TASK, History, kinds_of_all
from ..episodes.tokens import magnitude
from .chance import is_no_chance

Place: TypeAlias = tuple[str, str]
"""Kind of fact and name of a field."""
Relation: TypeAlias = tuple[Place, str, Place]
"""Two places and the relation of their values.

``=``; ``has`` (one is equal) and ``has once`` (exactly one
is); ``>=`` and ``>`` (all are; for one kind of fact the values of each fact are compared).
"""
WHERE_TOLD = "= where told"
"""Relation of a field that is not always there to one whose value it has whenever it is."""
SOME_AT_LEAST, SOME_AT_MOST = ">= by some", "<= by some"
"""Relations of a list: a row of it is at least, or at most, the other one."""
COMPUTED = "computed"
"""Kind of the figures that are computed; the name of each is the text of its term."""
Named: TypeAlias = Mapping[Place, tuple[Place, str]]
"""Place in a named row → the same place in any row, and its value."""
_SAME_NAME = 0.05
"""Probability that two fields hold one name by chance: two such moments are enough."""
BELOW = "."
"""Sign between the key of an inner object and its own keys."""
_LONG = 200
"""Most characters of a compared value; longer texts are read line by line."""


def fields_of(fact: Fact) -> Iterator[tuple[Place, str]]:
    """Yield the fields of a fact that are short enough to be compared."""
    for name, value in fact.fields.items():
        if len(value) <= _LONG and "\n" not in value:
            yield (fact.kind, name), value


def single_fields(history: History) -> Iterator[tuple[Place, str]]:
    """Yield the fields of the task and of kinds with a single fact."""
    for name, value in history.asked.fields.items():
        yield (TASK, name), value
    for kind in history.kinds:
        if kind == UNREAD:
            continue
        facts = history.newest(kind)
        if len(facts) == 1:
            yield from fields_of(facts[0])


def related(relation: Relation, history: History, named: Named) -> bool:
    """Whether a relation holds now."""
    one, relation_name, other = relation
    if relation_name in (">=", ">") and one[0] == other[0] and one not in named:
        return all(
            _are_ordered(
                _sizes([row.fields[one[1]]]),
                _sizes([row.fields[other[1]]]),
                strictly=relation_name == ">",
            )
            for row in _facts(one[0], history)
            if one[1] in row.fields and other[1] in row.fields
        )
    first_values, second_values = (
        [named[place][1]] if place in named else values_at(place, history) for place in (one, other)
    )
    if relation_name == "=":
        return first_values == second_values and len(first_values) < 2
    if relation_name == WHERE_TOLD:
        return not first_values or first_values == second_values
    if relation_name == "has":
        return len(second_values) == 1 and second_values[0] in first_values
    if relation_name == "has once":
        return len(second_values) == 1 and first_values.count(second_values[0]) == 1
    if not first_values or not second_values:
        return True  # a list without rows, or a field that is told at times only
    first_sizes, second_sizes = _sizes(first_values), _sizes(second_values)
    if relation_name == SOME_AT_LEAST:
        return any(_are_ordered([each], second_sizes, strictly=False) for each in first_sizes)
    if relation_name == SOME_AT_MOST:
        return any(_are_ordered(second_sizes, [each], strictly=False) for each in first_sizes)
    return _are_ordered(first_sizes, second_sizes, strictly=relation_name == ">")


def relations_of(
    histories: Sequence[History],
    single_values: Sequence[Mapping[Place, str]],
    fields_of_rows: Sequence[Named],
    sized: Collection[tuple[Place, Place]],
) -> set[Relation]:
    """Return the relations of fields that always held while the values varied.

    Args:
        histories: The moments; one alone shows no relation.
        single_values: Single values of each moment, those of named rows included.
        fields_of_rows: Fields of named rows at each moment.
        sized: Places whose values are sizes and could lie in either order.
    """
    if len(histories) < 2:
        return set()
    singles = set(single_values[0]).intersection(*single_values[1:])
    moments = list(zip(histories, fields_of_rows, strict=True))
    return {
        *_ordered_fields(sized, moments, singles),
        *_equal_fields(single_values, singles),
        *(
            each
            for each in _equal_where_told(single_values, singles)
            if all(related(each, *moment) for moment in moments)
        ),
    }


def _ordered_fields(
    sized: Collection[tuple[Place, Place]],
    moments: Sequence[tuple[History, Named]],
    singles: Collection[Place],
) -> Iterator[Relation]:
    """Yield sizes that always lay in one order; computed ones that were equal at times, too.

    A single moment with both shows no order.
    """
    for one, other in (places for pair in sized for places in (pair, pair[::-1])):
        if sum(all(_has(place, *moment) for place in (one, other)) for moment in moments) < 2:
            continue
        if all(related((one, ">=", other), *moment) for moment in moments):
            may_be_equal = COMPUTED not in (one[0], other[0]) or not all(
                related((one, ">", other), *moment) for moment in moments
            )
            yield one, ">=" if may_be_equal else ">", other
        elif other in singles and one not in singles:
            is_below = all(related((other, ">=", one), *moment) for moment in moments)
            for how in (SOME_AT_LEAST,) if is_below else (SOME_AT_LEAST, SOME_AT_MOST):
                if all(related((one, how, other), *moment) for moment in moments):
                    yield one, how, other


def _has(place: Place, history: History, named: Named) -> bool:
    """Whether a place has a value."""
    return place in named or bool(values_at(place, history))


def _equal_fields(
    single_values: Sequence[Mapping[Place, str]], singles: Collection[Place]
) -> Iterator[Relation]:
    """Yield fields that always had one value; small figures are computed alike by chance."""
    columns: dict[tuple[str, ...], list[Place]] = defaultdict(list)
    for place in sorted(singles):
        columns[tuple(each[place] for each in single_values)].append(place)
    for values, places in columns.items():
        if len(set(values)) > 1:
            for one, other in itertools.pairwise(places):
                shares = (_share(value, one, single_values) for value in values)
                if COMPUTED not in (one[0], other[0]) or is_no_chance(shares):
                    yield one, "=", other


def _equal_where_told(
    single_values: Sequence[Mapping[Place, str]], singles: Collection[Place]
) -> Iterator[Relation]:
    """Yield fields that facts do not always have, each with the first one whose value it then has.

    The facts themselves are always there: of rows that happen to be alone this says nothing.
    """
    kinds = {kind for kind, _ in singles}
    fields = (place for place in set().union(*single_values) if place[0] in kinds)
    for place in sorted(set(fields).difference(singles)):
        moments = [each for each in single_values if place in each]
        if len({each[place] for each in moments}) > 1:
            others = (
                other
                for other in sorted(moments[0], key=lambda each: (each[0] != TASK, each))
                if other != place
                and all(each.get(other) == each[place] for each in moments)
                and is_no_chance(_share(each[place], other, single_values) for each in moments)
            )
            for other in itertools.islice(others, 1):
                yield place, WHERE_TOLD, other


def _share(value: str, place: Place, single_values: Sequence[Mapping[Place, str]]) -> float:
    """Return how likely a field has a value by chance, in (0, 1].

    A value that it had once names something, as a person or a number does, and hardly comes again.
    """
    count = sum(each.get(place) == value for each in single_values)
    return _SAME_NAME if count == 1 else count / len(single_values)


def _object_keys(
    single_values: Sequence[Mapping[Place, str]], singles: Collection[Place]
) -> Iterator[Relation]:
    """Yield objects that always had a value as one of several keys."""
    objects = {
        (k, n.rpartition(BELOW)[0] + BELOW) for each in single_values for k, n in each if BELOW in n
    }
    for kind, name in sorted(objects):
        keys = [
            {n.removeprefix(name) for k, n in each if k == kind and n.startswith(name)}
            for each in single_values
        ]
        for place in sorted(singles) if max(map(len, keys)) > 1 else ():
            values = [each[place] for each in single_values]
            if len(set(values)) > 1 and all(map(set.__contains__, keys, values)):
                yield (kind, name), "has once", place


def members_of(histories: Sequence[History]) -> Iterator[Relation]:
    """Yield lists that always had a value, as items or as fields of items.

    Args:
        histories: The moments; one alone shows nothing.
    """
    if len(histories) < 2:
        return
    single_values = [dict(single_fields(history)) for history in histories]
    singles = set(single_values[0]).intersection(*single_values[1:])
    yield from _object_keys(single_values, singles)
    for kind in kinds_of_all(histories):
        lists = [history.newest(kind) for history in histories]
        if max(map(len, lists)) < 2:
            continue
        for name in sorted({name for fact in lists[0] for name in fact.fields}):
            items = [Counter(fact.fields.get(name) for fact in facts) for facts in lists]
            for place in sorted(singles):
                values = [each[place] for each in single_values]
                times = {each[value] for each, value in zip(items, values, strict=True)}
                if len(set(values)) > 1 and 0 not in times:
                    yield (kind, name), "has once" if times == {1} else "has", place


def _facts(kind: str, history: History) -> list[Fact]:
    return [history.asked] if kind == TASK else history.newest(kind)


def values_at(place: Place, history: History) -> list[str]:
    """Return the values of a place, one for each fact that has it; of an object its keys."""
    kind, name = place
    if name.endswith(BELOW):
        keys = (key for fact in _facts(kind, history) for key in fact.fields)
        return [key.removeprefix(name) for key in keys if key.startswith(name)]
    return [fact.fields[name] for fact in _facts(kind, history) if name in fact.fields]


def _sizes(values: Sequence[str]) -> list[tuple[str, float] | None]:
    return [magnitude(value) for value in values]


def _are_ordered(
    first_sizes: Sequence[tuple[str, float] | None],
    second_sizes: Sequence[tuple[str, float] | None],
    *,
    strictly: bool,
) -> bool:
    """Whether all first sizes are at least as great as all second ones, in one type."""
    types = {size and size[0] for size in (*first_sizes, *second_sizes)}
    if len(types) != 1 or None in types or not first_sizes or not second_sizes:
        return False
    least, most = min(s[1] for s in first_sizes if s), max(s[1] for s in second_sizes if s)
    return least > most if strictly else least >= most
