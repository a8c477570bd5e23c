"""Where might a thing be? Beta counts of (kind sought, kind of place), and the cost of looking.

Implements the search statistics of DESIGN.md: candidates are ranked by P(found) / cost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..words.word_clusters import Clusters

__all__ = ["ANY", "OBSTRUCTED", "SEARCH", "VISITS", "SearchEvidence", "pair"]

SEARCH = "@search"
"""Ledger subject of finds; binding ``thing|place``. No id of a procedure begins so."""
VISITS = "@visits"
"""Ledger subject of first visits; binding is the kind of place, all successes."""
OBSTRUCTED = "@obstructed"
"""Ledger subject of looks that something was in the way of; binding is the kind of place."""
ANY = "*"
"""Stands for all kinds that are ever sought."""

_PRIOR_WEIGHT = 2.0
_PSEUDO = 0.05
_NEIGHBOURS = 5

Similarity = Callable[[str, str], float]


def pair(thing: str, place: str) -> str:
    """Return the ledger's binding key for a thing sought at a kind of place."""
    return f"{thing}|{place}"


class SearchEvidence:
    """Read-only view of the search statistics in the ledger.

    Args:
        counts: (subject, binding) → (successes, failures).
        similarity: Similarity of two phrases in [-1, 1], for kinds that were never sought.
        clusters: Words that mean nearly the same; asked before similarity.
    """

    def __init__(
        self,
        counts: Mapping[tuple[str, str], tuple[float, float]],
        similarity: Similarity | None = None,
        clusters: Clusters | None = None,
    ) -> None:
        self._found: dict[tuple[str, str], tuple[float, float]] = {}
        self._base: dict[str, float] = {}
        self._visits: dict[str, float] = {}
        self._cost: dict[str, float] = {}
        self._known: set[str] = set()
        self._similarity = similarity
        self._clusters = clusters or Clusters()
        for (subject, binding), (successes, failures) in counts.items():
            if subject == SEARCH:
                thing, _, place = binding.partition("|")
                if thing == ANY:
                    chances = max(1.0, successes + failures)
                    self._base[place] = successes / chances
                else:
                    self._found[thing, place] = (successes, failures)
                    self._known.add(thing)
            elif subject == VISITS:
                self._visits[binding] = successes
            elif subject == OBSTRUCTED:
                looks = max(1.0, successes, failures)
                self._cost[binding] = 1.0 + successes / looks
        self._memo: dict[tuple[str, str], float] = {}

    def knows_place(self, kind: str) -> bool:
        """Tell whether places of this kind have ever been looked at."""
        return kind in self._visits

    def probability(self, thing: str, place: str) -> float:
        """Probability that a place of this kind holds a thing of that kind, in [0, 1].

        The posterior mean under a Beta prior whose mean is the place's base rate; for a thing
        never sought before, the average over the known words of its cluster, or else over its
        most similar known things.
        """
        key = (thing, place)
        value = self._memo.get(key)
        if value is None:
            value = self._memo[key] = self._probability(thing, place)
        return value

    def _probability(self, thing: str, place: str) -> float:
        if not self._visits and self._similarity is not None:
            # Without any evidence, likeness is all there is to go by.
            return _PSEUDO * (1.0 + max(0.0, self._similarity(thing, place)))
        visits = self._visits.get(place, 0.0)
        base = self._base_rate(place)
        if thing not in self._known:
            mates = [mate for mate in self._clusters.mates(thing) if mate in self._known]
            if mates:
                return sum(self._posterior(mate, place, base) for mate in mates) / len(mates)
        if thing not in self._known and self._similarity is not None and self._known:
            weights = sorted(
                ((max(0.0, self._similarity(thing, known)) ** 4, known) for known in self._known),
                reverse=True,
            )[:_NEIGHBOURS]
            total = sum(weight for weight, _ in weights)
            if total > 0:
                return sum(
                    weight * (self._found.get((known, place), (0.0, 0.0))[0] + _PSEUDO)
                    for weight, known in weights
                ) / (total * (visits + 1.0))
            return base
        return self._posterior(thing, place, base)

    def _posterior(self, thing: str, place: str, base: float) -> float:
        visits = self._visits.get(place, 0.0)
        successes, failures = self._found.get((thing, place), (0.0, visits))
        trials = successes + failures
        return (successes + _PRIOR_WEIGHT * base) / (trials + _PRIOR_WEIGHT)

    def posterior(self, thing: str, place: str) -> tuple[float, float]:
        """Return (α, β) of finding a thing of this kind at a place of that kind.

        The prior is worth two looks at the place's base rate; a kind that was sought, but never
        here, was looked for in vain at every visit. The mean is :meth:`probability`, save for kinds
        that were never sought, which go by kinds like them.
        """
        base = self._base_rate(place)
        found, missed = self._found.get((thing, place), (0.0, self._visits.get(place, 0.0)))
        return _PRIOR_WEIGHT * base + found, _PRIOR_WEIGHT * (1.0 - base) + missed

    def _base_rate(self, place: str) -> float:
        visits = self._visits.get(place, 0.0)
        return self._base.get(place, 0.0) * visits / (visits + 1.0) + _PSEUDO / (visits + 1.0)

    def cost(self, place: str) -> float:
        """Expected actions to look at a place of this kind, from 1 to 2."""
        return self._cost.get(place, 1.0)
