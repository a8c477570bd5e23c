"""Coincidences: one value at two places, such as a person who approves what she asked for.

A name inside of a longer one counts as well: the group ``use-crm-4303`` is one of ``crm-4303``.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

from ..episodes.facts import KEYS_OF, UNREAD, Fact
from ..episodes.history import EARLIER, History
from ..episodes.tokens import magnitude, tokens
from .relations import Named, Place, fields_of

Coincidence: TypeAlias = tuple[Place, Place]
"""Two places with one value, in order; of sizes days count: two equal ones mean nothing else."""
_INNER = re.compile(r"([-_/.:@#]+)")
"""Signs that part a name."""
_MOST_PARTS = 8
"""Most parts of a name that are looked into; bounds the time."""


def coincidences(
    history: History, fields_of_rows: Named, secret: Collection[Place] = ()
) -> dict[Coincidence, str]:
    """Return the coincidences of a moment, each with a value.

    Of facts of one kind the values of each are compared.

    Args:
        history: The moment.
        fields_of_rows: Fields of the rows that are named.
        secret: Places of which only marks were shown, which hold no names.
    """
    spots: dict[frozenset[str], dict[Place, set[int]]] = defaultdict(lambda: defaultdict(set))
    within: dict[frozenset[str], dict[Place, set[int]]] = defaultdict(lambda: defaultdict(set))
    values: dict[frozenset[str], str] = {}
    for place, at, value in (*_told(history), *_named(fields_of_rows)):
        if words := _words(value):
            spots[words][place].add(at)
            values.setdefault(words, value)
        for part in _inner_names(value) if place not in secret else ():
            within[frozenset({part})][place].add(at)
    pairs: dict[Coincidence, str] = {}
    for words, places in spots.items():
        longer = within.get(words, {})
        for one, other in (
            *itertools.combinations(sorted(places), 2),
            *itertools.product(sorted(places), sorted(longer)),
        ):
            origin = {fields_of_rows[p][0] if p in fields_of_rows else p for p in (one, other)}
            facts = places[other] if other in places else longer[other]
            is_beside = one[0] != other[0] or not places[one].isdisjoint(facts)
            if len(origin) > 1 and is_beside:
                pairs.setdefault((min(one, other), max(one, other)), values[words])
    return pairs


def _told(history: History) -> Iterator[tuple[Place, int, str]]:
    """Yield the places of the task and of what was told, the number of the fact, and the value."""
    facts: Iterable[tuple[int, Fact]] = (
        each
        for kind in history.kinds
        if kind not in (UNREAD, EARLIER) and not kind.startswith(KEYS_OF)
        for each in enumerate(history.newest(kind))
    )
    for at, fact in ((0, history.asked), *facts):
        for place, value in fields_of(fact):
            yield place, at, value


def _named(fields_of_rows: Named) -> Iterator[tuple[Place, int, str]]:
    """Yield the places of named rows, each the only one of its kind."""
    for place, (_, value) in fields_of_rows.items():
        yield place, 0, value


@lru_cache(100_000)
def _words(value: str) -> frozenset[str]:
    """Return the words of a value, whatever their order, capitals and signs; none of sizes.

    A day is a name: of two records with one day either may stand in the way of the other.
    """
    if _is_day(value):
        return frozenset({value})
    words = (word.casefold() for word in tokens(value))
    names = frozenset(word for word in words if word[0].isalnum())
    return names if any(magnitude(word) is None for word in names) else frozenset()


def _is_day(value: str) -> bool:
    size = magnitude(value)
    return size is not None and size[0] == "date"


@lru_cache(100_000)
def _inner_names(value: str) -> tuple[str, ...]:
    """Return the names inside of a longer one: ``mail`` is one of ``mail.example.org``."""
    pieces = _INNER.split(value.casefold())
    count = len(pieces) // 2 + 1
    if not 1 < count <= _MOST_PARTS or len(tokens(value)) > 1:
        return ()
    runs = itertools.combinations(range(count + 1), 2)
    names = ("".join(pieces[2 * a : 2 * b - 1]) for a, b in runs if b - a < count)
    return tuple(each for each in names if any(map(str.isalpha, each)))
