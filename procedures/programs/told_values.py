"""Values of a moment that boxes look at: single ones, and those in lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..episodes.history import OTHER, History
from .ranges import Range
from .relations import Named, Place, fields_of, single_fields


def single_values(history: History, fields_of_rows: Named) -> dict[Place, str]:
    """Return the single values: of the task, of single facts, and of rows that are named."""
    return {
        **dict(single_fields(history)),
        **{place: each[1] for place, each in fields_of_rows.items()},
    }


def fields_of_lists(history: History) -> Iterator[tuple[Place, str]]:
    """Yield the fields of kinds with several facts."""
    for kind in history.kinds:
        facts = history.newest(kind)
        if len(facts) > 1:
            for fact in facts:
                yield from fields_of(fact)


def origin(place: Place) -> Place:
    """Return the place in the record itself of a field that stands apart."""
    return place[0].removeprefix(OTHER), place[1]


def secret_places(ranges: Mapping[Place, Range]) -> frozenset[Place]:
    """Return the fields of which only marks were shown."""
    return frozenset(place for place, span in ranges.items() if span.secret)
