"""Sightings: where things of a kind were seen, which orders the search of places."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from ...episodes.tokens import words_of

_GROWN = 1.5
"""Ratio of visits to earlier visits from which on sightings count as new."""
_STRENGTH = 2.0
"""Visits that the mean of all places weighs at one place."""


@dataclass(frozen=True, slots=True)
class Sightings:
    """Counts of things seen at kinds of places. A kind is a word of a name.

    Attributes:
        visits: Kind of place → number of visits.
        seen: Kind of thing → kind of place → number of visits that saw it.
    """

    visits: Mapping[str, int] = field(default_factory=dict, hash=False)
    seen: Mapping[str, Mapping[str, int]] = field(default_factory=dict, hash=False)

    def grown(self, before: Sightings) -> bool:
        """Whether there are so many more visits that the order of search is a new one."""
        return sum(self.visits.values()) >= _GROWN * sum(before.visits.values())

    def chance(self, place: str, kinds: Collection[str]) -> float:
        """Return the chance to see a thing of some kinds at a place.

        It is the posterior mean of a Beta distribution whose prior is the mean of all places. For
        kinds that were never seen it is the mean over all things.
        """
        words = words_of(place)
        visits = sum(self.visits.get(word, 0) for word in words)
        kind_words = [
            word for kind in sorted(kinds) for word in words_of(kind) if word in self.seen
        ]
        return sum(
            self._mean(self.seen[word], words, visits) for word in kind_words or self.seen
        ) / len(kind_words or self.seen or (1,))

    def _mean(
        self, count_by_place: Mapping[str, int], kinds: tuple[str, ...], visits: int
    ) -> float:
        prior = sum(count_by_place.values()) / max(1, sum(self.visits.values()))
        count_here = sum(count_by_place.get(kind, 0) for kind in kinds)
        return (count_here + _STRENGTH * prior) / (visits + _STRENGTH)
