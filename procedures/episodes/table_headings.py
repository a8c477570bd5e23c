"""Headings of tables: the line above rows that names their columns."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set

from .templates import Line, Template, literal_text, readings_of
from .tokens import has_digit

_LEAST_TABLES = 3
"""Tables with the same first line; fewer may be chance."""
_SHARE = 0.9
"""Least share of the tables that begin with the heading."""


def with_headings(
    templates: Sequence[Template], lines: Sequence[Line], phrases: Set[str] = frozenset()
) -> list[Template]:
    """Return templates, and those of headings that would otherwise be read as rows.

    A heading is no candidate of a choice and no row of a sum. A row with an argument is no
    heading, even if lists always begin with it.

    Args:
        templates: Templates.
        lines: All lines.
        phrases: Argument values.
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
    """Return the first line of nearly all tables, if it is no other row of them."""
    rows_by_result: dict[tuple[int, int], list[str]] = defaultdict(list)
    for row in rows:
        rows_by_result[row.episode, row.at].append(row.text)
    longer_tables = [each for each in rows_by_result.values() if len(each) > 1]
    if len(longer_tables) < _LEAST_TABLES:
        return []
    ((first, _),) = Counter(each[0] for each in longer_tables).most_common(1)
    heading_count = sum(each[0] == first for each in rows_by_result.values())
    if heading_count < _SHARE * len(rows_by_result) or has_digit(first):
        return []
    if any(first in each[1:] for each in rows_by_result.values()):
        return []
    return [first]
