"""Coincidences: one value at two places, such as a person who approves what she asked for."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

from ..episodes.facts import KEYS_OF, UNREAD, Fact
from ..episodes.history import EARLIER, INSTRUCTIONS, History
from ..episodes.tokens import magnitude, tokens
from .relations import Named, Place, fields_of

Coincidence: TypeAlias = tuple[Place, Place]
"""Two places with one value, in order; sizes are left out, as two equal ones mean nothing."""


def coincidences(history: History, fields_of_rows: Named) -> dict[Coincidence, str]:
    """Return the coincidences of a moment, each with a value.

    Of facts of one kind the values of each are compared.

    Args:
        history: The moment.
        fields_of_rows: Fields of the rows that are named.
    """
    spots: dict[frozenset[str], dict[Place, set[int]]] = defaultdict(lambda: defaultdict(set))
    values: dict[frozenset[str], str] = {}
    for place, at, value in (*_told(history), *_named(fields_of_rows)):
        if words := _words(value):
            spots[words][place].add(at)
            values.setdefault(words, value)
    pairs: dict[Coincidence, str] = {}
    for words, places in spots.items():
        for one, other in itertools.combinations(sorted(places), 2):
            origin = {fields_of_rows[p][0] if p in fields_of_rows else p for p in (one, other)}
            is_beside = one[0] != other[0] or not places[one].isdisjoint(places[other])
            if len(origin) > 1 and is_beside:
                pairs.setdefault((one, other), values[words])
    return pairs


def _told(history: History) -> Iterator[tuple[Place, int, str]]:
    """Yield the places of the task and of what was told, the number of the fact, and the value."""
    facts: Iterable[tuple[int, Fact]] = (
        each
        for kind in history.kinds
        if kind not in (UNREAD, EARLIER, INSTRUCTIONS) and not kind.startswith(KEYS_OF)
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
    """Return the words of a value, whatever their order, capitals and signs; none of sizes."""
    words = (word.casefold() for word in tokens(value))
    names = frozenset(word for word in words if word[0].isalnum())
    return names if any(magnitude(word) is None for word in names) else frozenset()
