"""Markers: values of a field that stand for nothing, such as ``none`` among names of devices."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Set

from ...episodes.facts import UNREAD
from ...episodes.history import History
from ...episodes.tokens import magnitude

_LEAST = 4
"""Least episodes with a marker, so that it is no name that came again by chance."""
_SHARE = 0.15
"""Least share of the episodes with a marker."""
_OFTENER = 3
"""Least ratio of the episodes with a marker to those with any other value."""


def marker_of(episodes: Iterable[Set[str]]) -> str | None:
    """Return the value that recurs where all others are names; None if no value stands out.

    Args:
        episodes: For each episode the values of a field.
    """
    all_values = list(episodes)
    counts = Counter(value for values in all_values for value in values)
    (most, second) = (*counts.most_common(2), ("", 0), ("", 0))[:2]
    value, number = most
    if number < max(_LEAST, _SHARE * len(all_values)) or number < _OFTENER * second[1]:
        return None
    # A size has no marker, as a limit says more.
    return value if second[1] and magnitude(value) is None else None


def learn_markers(ends: Iterable[History]) -> Mapping[tuple[str, str], str]:
    """Return kind and field of facts → marker.

    Args:
        ends: Whole episodes.
    """
    values_by_episode: dict[tuple[str, str], list[Set[str]]] = defaultdict(list)
    for history in ends:
        values_by_field: dict[tuple[str, str], set[str]] = defaultdict(set)
        for fact in (fact for result in history.results for fact in result):
            for name, value in fact.fields.items() if fact.kind != UNREAD else ():
                values_by_field[fact.kind, name].add(value)
        for field_key, values in values_by_field.items():
            values_by_episode[field_key].append(values)
    markers = (
        (field_key, marker_of(values_by_episode[field_key]))
        for field_key in sorted(values_by_episode)
    )
    return {field_key: value for field_key, value in markers if value is not None}
