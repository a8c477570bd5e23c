"""Where things of a kind were seen: the order in which places are searched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...episodes.history import History
from ..conditions import words_of

__all__ = ["Sightings"]

_STRENGTH = 2.0
"""Visits that what is known of all places counts at a place."""


@dataclass(frozen=True, slots=True)
class Sightings:
    """What was seen at which kinds of places. A kind is a word of a name.

    Attributes:
        visits: Kind of place → how often one was visited.
        seen: Kind of thing → kind of place → at how many of the visits it was seen.
    """

    visits: Mapping[str, int] = field(default_factory=dict, hash=False)
    seen: Mapping[str, Mapping[str, int]] = field(default_factory=dict, hash=False)

    def chance(self, place: str, history: History) -> float:
        """Return how likely something that the task says is seen at a place.

        The posterior mean of a Beta distribution, whose prior is the mean of all places. Where the
        task says nothing that was ever seen, a place is as good as what was seen there is much.
        """
        kinds = words_of(place)
        visits = sum(self.visits.get(kind, 0) for kind in kinds)
        wanted = [kind for kind in self.seen if history.said(kind)]
        return sum(
            self._mean(self.seen[kind], kinds, visits) for kind in wanted or self.seen
        ) / len(wanted or self.seen or (1,))

    def _mean(self, seen: Mapping[str, int], kinds: tuple[str, ...], visits: int) -> float:
        prior = sum(seen.values()) / max(1, sum(self.visits.values()))
        here = sum(seen.get(kind, 0) for kind in kinds)
        return (here + _STRENGTH * prior) / (visits + _STRENGTH)
