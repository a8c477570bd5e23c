"""Headings of tables: the line above rows that says what stands in their columns."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set

from .templates import Line, Template, literal_text, readings_of
from .tokens import has_digit

__all__ = ["with_headings"]

_LEAST_TABLES = 3
"""Tables that begin alike, so that it is no chance."""
_SHARE = 0.9
"""Share of the tables that begin so."""


def with_headings(
    templates: Sequence[Template], lines: Sequence[Line], phrases: Set[str] = frozenset()
) -> list[Template]:
    """Return templates, and the headings that would else be read as rows.

    A heading is no candidate, and its words are no figures that a sum lacks. A row of which
    something was used is none, though a list may always begin with it.

    Args:
        templates: Templates.
        lines: All lines.
        phrases: What is used as an argument.
    """
    headings = (
        heading
        for template, readings in readings_of(templates, lines).items()
        if len(template.slots) > 1
        for heading in _heading(line for line, _ in readings)
        if phrases.isdisjoint(template.read(heading) or ())
    )
    return [*templates, *(Template(literal_text(heading)) for heading in headings)]


def _heading(rows: Iterable[Line]) -> list[str]:
    """Return the line with which nearly all tables begin, and which is no other row of them."""
    tables: dict[tuple[int, int], list[str]] = defaultdict(list)
    for row in rows:
        tables[row.episode, row.at].append(row.text)
    several = [each for each in tables.values() if len(each) > 1]
    if len(several) < _LEAST_TABLES:
        return []
    ((first, _),) = Counter(each[0] for each in several).most_common(1)
    above = sum(each[0] == first for each in tables.values())
    if above < _SHARE * len(tables) or has_digit(first):
        return []
    if any(first in each[1:] for each in tables.values()):
        return []
    return [first]
