"""Search statistics: Beta counts of (searched kind, kind of place), and the cost of looking.

Candidates are ranked by P(found) / cost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..words.word_clusters import Clusters

SEARCH = "@search"
"""Ledger subject of finds; binding ``thing|place``. No id of a procedure begins with ``@``."""
VISITS = "@visits"
"""Ledger subject of first visits; binding is the kind of place, all successes."""
OBSTRUCTED = "@obstructed"
"""Ledger subject of obstructed looks; binding is the kind of place."""
ANY = "*"
"""Stands for all searched kinds."""

_PRIOR_WEIGHT = 2.0
"""Weight of the base rate in a posterior, in looks."""
_PSEUDO = 0.05
"""Pseudo-count of finds at any place; it keeps chances above 0."""
_NEIGHBOURS = 5
"""Most similar kinds that stand in for a kind without evidence."""

Similarity = Callable[[str, str], float]


def pair(thing: str, place: str) -> str:
    """Return the ledger's binding key for a kind searched for at a kind of place."""
    return f"{thing}|{place}"


class SearchEvidence:
    """Read-only view of the search statistics in the ledger.

    Args:
        counts: (subject, binding) → (successes, failures).
        similarity: Similarity of two phrases in [-1, 1], for kinds that were never searched for.
        clusters: Words that mean nearly the same; they have precedence over similarity.
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
        """Tell whether a place of this kind was ever looked at."""
        return kind in self._visits

    def probability(self, thing: str, place: str) -> float:
        """Return the probability that a place of this kind holds a thing of that kind, in [0, 1].

        It is the posterior mean under a Beta prior whose mean is the place's base rate. A kind
        that was never searched for gets the average over the known words of its cluster, or else
        over its most similar known kinds.
        """
        key = (thing, place)
        value = self._memo.get(key)
        if value is None:
            value = self._memo[key] = self._probability(thing, place)
        return value

    def _probability(self, thing: str, place: str) -> float:
        if not self._visits and self._similarity is not None:
            # Without evidence only similarity is left.
            return _PSEUDO * (1.0 + max(0.0, self._similarity(thing, place)))
        visits = self._visits.get(place, 0.0)
        base = self._base_rate(place)
        if thing not in self._known:
            mates = [mate for mate in self._clusters.mates(thing) if mate in self._known]
            if mates:
                return sum(self._posterior(mate, place, base) for mate in mates) / len(mates)
        if thing not in self._known and self._similarity is not None and self._known:
            weights = sorted(
                (
                    (max(0.0, self._similarity(thing, known_kind)) ** 4, known_kind)
                    for known_kind in self._known
                ),
                reverse=True,
            )[:_NEIGHBOURS]
            total = sum(weight for weight, _ in weights)
            if total > 0:
                return sum(
                    weight * (self._found.get((known_kind, place), (0.0, 0.0))[0] + _PSEUDO)
                    for weight, known_kind in weights
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

        The prior is worth two looks at the place's base rate. A searched kind without finds here
        counts as missed at every visit. The mean is :meth:`probability`, except for kinds that
        were never searched for.
        """
        base = self._base_rate(place)
        find_count, miss_count = self._found.get(
            (thing, place), (0.0, self._visits.get(place, 0.0))
        )
        return _PRIOR_WEIGHT * base + find_count, _PRIOR_WEIGHT * (1.0 - base) + miss_count

    def _base_rate(self, place: str) -> float:
        visits = self._visits.get(place, 0.0)
        return self._base.get(place, 0.0) * visits / (visits + 1.0) + _PSEUDO / (visits + 1.0)

    def cost(self, place: str) -> float:
        """Return the expected number of actions to look at a place of this kind, from 1 to 2."""
        return self._cost.get(place, 1.0)
