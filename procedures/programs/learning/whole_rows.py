"""Rows that several arguments of a call name together, as a room and a case in it do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...episodes.facts import Fact
from .occurrences import Occurrence, Use

_LEAST_SHARED = 3
"""Least choices whose value several rows have, so that it is no chance."""


def whole_rows(
    index: int, field: str, occurrences: Sequence[Occurrence], uses: Sequence[Use]
) -> list[Use]:
    """Return choices that say which row was meant where several have the chosen value.

    The row is the one that has another argument of the call in a field, the same in all calls.
    Empty where no argument tells rows apart.

    Args:
        index: Place of the argument that is chosen.
        field: The field that it has in the rows.
        occurrences: All calls of the operator.
        uses: The choices of some of these calls.
    """
    shared_counts = [len(_rows(use, field)) for use in uses]
    if sum(count > 1 for count in shared_counts) < _LEAST_SHARED:
        return []
    arguments = {id(each.history): each.arguments for each in occurrences}
    names = sorted(set.intersection(*(set(row.fields) for use in uses for row in use.rows)))
    for place in range(len(occurrences[0].arguments)):
        for name in names if place != index else ():
            whole = [
                replace(use, whole=((name, arguments[id(use.history)][place]),)) for use in uses
            ]
            if name == field or not all(_rows(use, field) for use in whole):
                continue
            counts = zip(shared_counts, whole, strict=True)
            if sum(len(_rows(use, field)) < count for count, use in counts) >= _LEAST_SHARED:
                return whole
    return []


def _rows(use: Use, field: str) -> list[Fact]:
    return [row for row in use.rows if use.takes(row, field)]
