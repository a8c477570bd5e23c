"""Choices of rows that other arguments of the same call name, directly or by a look-up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...episodes.history import History
from ..sources import Choice
from .choices import learn_cases
from .joins import learn_own_lookups
from .occurrences import Occurrence, Setting, Use, uses_by_field

_LEAST_VALUES = 3
"""Least different values that other arguments have to tell apart."""


def named_by_others(
    index: int, occurrences: Sequence[Occurrence], setting: Setting
) -> Iterator[Choice]:
    """Yield choices whose rules look at other arguments of their call, and single out the value.

    ``badge {1} for {2}``: the door is that of the team for which the person works.

    Args:
        index: Place of the argument that is chosen.
        occurrences: All calls of the operator.
        setting: Of the calls.
    """
    own_lookups = learn_own_lookups(index, occurrences)
    beside = replace(setting, lookups=(*setting.lookups, *own_lookups))
    choices = uses_by_field(index, occurrences, History.newest, beside=True)
    for (kind, name), uses in sorted(choices.items()):
        if len({use.value for use in uses}) < _LEAST_VALUES:
            continue
        if not own_lookups and not _mostly_named(uses, name):
            continue
        cases = learn_cases(uses, name, beside)
        choice = Choice(kind, name, "newest", cases)
        if choice.looks_at and all(case.settled for case in cases):
            yield choice


def _mostly_named(uses: Sequence[Use], name: str) -> bool:
    """Whether most chosen rows have another argument of their call as a field."""
    count = sum(
        any(
            row.fields[name] == use.value and other in row.fields.values()
            for row in use.rows
            if name in row.fields
            for other in use.others
            if other
        )
        for use in uses
        if len(use.rows) > 1
    )
    return count * 2 > len(uses)
