"""Where things of a kind were seen: the order in which places are searched."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from ...episodes.tokens import words_of

__all__ = ["Sightings"]

_GROWN = 1.5
"""Share of the visits of before from which they are counted anew: that of lists of kinds."""
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

    def grown(self, before: Sightings) -> bool:
        """Whether so much more was seen that an order of search from before is of another time."""
        return sum(self.visits.values()) >= _GROWN * sum(before.visits.values())

    def chance(self, place: str, kinds: Collection[str]) -> float:
        """Return how likely something of some kinds is seen at a place.

        The posterior mean of a Beta distribution, whose prior is the mean of all places. Of kinds
        that were never seen, a place is as good as what was seen there is much.
        """
        words = words_of(place)
        visits = sum(self.visits.get(word, 0) for word in words)
        wanted = [word for kind in sorted(kinds) for word in words_of(kind) if word in self.seen]
        return sum(
            self._mean(self.seen[word], words, visits) for word in wanted or self.seen
        ) / len(wanted or self.seen or (1,))

    def _mean(self, seen: Mapping[str, int], kinds: tuple[str, ...], visits: int) -> float:
        prior = sum(seen.values()) / max(1, sum(self.visits.values()))
        here = sum(seen.get(kind, 0) for kind in kinds)
        return (here + _STRENGTH * prior) / (visits + _STRENGTH)
