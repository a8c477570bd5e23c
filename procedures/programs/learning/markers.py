"""Values that stand for nothing among names: ``none`` where others tell which device it is."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Set

from ...episodes.facts import UNREAD
from ...episodes.history import History
from ...episodes.tokens import magnitude

__all__ = ["learn_markers", "marker_of"]

_LEAST = 4
"""Episodes that have the value, so that it is no name that came again by chance."""
_SHARE = 0.15
"""Share of the episodes that have it."""
_OFTENER = 3
"""So many times as many episodes have it as have any other value."""


def marker_of(episodes: Iterable[Set[str]]) -> str | None:
    """Return the value that recurs where all others are names; None if none stands out.

    Args:
        episodes: For each episode the values that a field had.
    """
    every = list(episodes)
    counts = Counter(value for values in every for value in values)
    (most, second) = (*counts.most_common(2), ("", 0), ("", 0))[:2]
    value, number = most
    if number < max(_LEAST, _SHARE * len(every)) or number < _OFTENER * second[1]:
        return None
    # Of sizes a limit says more than a single one of them.
    return value if second[1] and magnitude(value) is None else None


def learn_markers(ends: Iterable[History]) -> Mapping[tuple[str, str], str]:
    """Return kind and field of facts → the value that stands for nothing there.

    Args:
        ends: Whole episodes.
    """
    told: dict[tuple[str, str], list[Set[str]]] = defaultdict(list)
    for history in ends:
        own: dict[tuple[str, str], set[str]] = defaultdict(set)
        for fact in (fact for result in history.results for fact in result):
            for name, value in fact.fields.items() if fact.kind != UNREAD else ():
                own[fact.kind, name].add(value)
        for place, values in own.items():
            told[place].append(values)
    markers = ((place, marker_of(told[place])) for place in sorted(told))
    return {place: value for place, value in markers if value is not None}
