r"""Test whether a condition makes a difference to success, with Bayes factors that noise fails.

A candidate splits executions into those with it and those without it. Under *no effect* both have
one success rate ρ ~ Beta(1, 1); under *an effect* each has its own, and that with it is higher:

    BF₊ = [B(1+s₁, 1+f₁) B(1+s₀, 1+f₀) / B(1+s₁+s₀, 1+f₁+f₀)] · P(ρ₁ > ρ₀ | D) / ½

(Jeffreys 1961; the one-sided factor after Klugkist et al. 2005). Tested after every episode and for
many candidates, P(ρ₁ > ρ₀ | D) > 0.95 alone would find something sooner or later. A Bayes factor
is a martingale under *no effect*, and so is a weighted mean of several. By Ville's inequality it
ever reaches 1/α with probability at most α. So a candidate of weight w must reach w · BF₊ ≥ 1/α,
at any time and for any number of candidates.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..common.errors import MaclaError
from ..evidence.posterior import probability_better
from ..evidence.priors import log_beta

_MOST_NEEDED = 10_000
"""Executions; an effect that needs more to be credible is not waited for."""


@dataclass(frozen=True, slots=True)
class Table:
    """Executions with and without something: successes and failures of each, >= 0."""

    with_successes: float
    with_failures: float
    without_successes: float
    without_failures: float

    @classmethod
    def counted(cls, executions: Iterable[tuple[bool, bool]]) -> Table:
        """Count executions: whether something holds of each, and whether it succeeded."""
        count = Counter(executions)
        s1, f1, s0, f0 = (count[held, good] for held in (True, False) for good in (True, False))
        return cls(s1, f1, s0, f0)

    def __post_init__(self) -> None:
        if min(self.cells) < 0 or not all(map(math.isfinite, self.cells)):
            raise MaclaError(f"counts are finite and not negative, got {self.cells!r}")

    @property
    def cells(self) -> tuple[float, float, float, float]:
        """All four counts."""
        return (
            self.with_successes,
            self.with_failures,
            self.without_successes,
            self.without_failures,
        )

    @property
    def probability(self) -> float:
        """P(success is likelier with it than without it | D), under Beta(1, 1)."""
        s1, f1, s0, f0 = self.cells
        return probability_better(1.0 + s1, 1.0 + f1, 1.0 + s0, 1.0 + f0)


@dataclass(frozen=True, slots=True)
class Trigger:
    """The rule that decides when a contrast is credible.

    Attributes:
        error: α: probability of ever refining on noise alone, in (0, 1).
        probability: Least P(ρ_with > ρ_without | D), in (0, 1).
        least: Least successes and failures of a contrast (the paper's n_min).
        counts_only: The paper's rule, without a test: enough of both, and the candidate holds in
            every success and in no failure.
    """

    error: float = 0.05
    probability: float = 0.95
    least: tuple[int, int] = (2, 2)
    counts_only: bool = False

    @classmethod
    def paper(cls) -> Trigger:
        """Return the paper's n_min = 3 successes and 3 failures."""
        return cls(least=(3, 3), counts_only=True)


def bayes_factor(table: Table) -> float:
    """Return log BF₊ for *likelier with it* against *no difference*; see the module's text."""
    s1, f1, s0, f0 = table.cells
    log_two_sided = (
        log_beta(1.0 + s1, 1.0 + f1)
        + log_beta(1.0 + s0, 1.0 + f0)
        - log_beta(1.0 + s1 + s0, 1.0 + f1 + f0)
    )
    return log_two_sided + math.log(max(table.probability, 1e-300) / 0.5)


def information_gain(table: Table) -> float:
    """Return the candidate's information about success in bits, in [0, 1]."""
    s1, f1, s0, f0 = table.cells
    total = sum(table.cells)
    if not total:
        return 0.0
    entropy_before = _entropy(s1 + s0, f1 + f0)
    entropy_after = ((s1 + f1) * _entropy(s1, f1) + (s0 + f0) * _entropy(s0, f0)) / total
    return max(0.0, entropy_before - entropy_after)


def credible(table: Table, weight: float, trigger: Trigger) -> bool:
    """Tell whether an effect is credible.

    Args:
        table: Counts with and without the candidate.
        weight: The candidate's share of the prior, in (0, 1]; those of all candidates sum to 1.
        trigger: When an effect is credible.
    """
    s1, f1, s0, f0 = table.cells
    if s1 + s0 < trigger.least[0] or f1 + f0 < trigger.least[1]:
        return False
    if trigger.counts_only:
        return s1 > 0 and f0 > 0 and f1 == 0 and s0 == 0
    if table.probability <= trigger.probability:
        return False
    return math.log(weight) + bayes_factor(table) >= -math.log(trigger.error)


def more_needed(table: Table, weight: float, trigger: Trigger) -> int | None:
    """Return about how many more executions would make the observed effect credible.

    This power analysis assumes that the four rates stay at their posterior means. None where the
    effect goes the other way, or where more than 10,000 executions would be needed.
    """
    if credible(table, weight, trigger):
        return 0
    total = sum(table.cells)
    if not total or trigger.counts_only:
        return None
    s1, f1, s0, f0 = (cell + 0.25 for cell in table.cells)
    if s1 / (s1 + f1) <= s0 / (s0 + f0):
        return None
    low, high = total, max(2.0 * total, 4.0)
    share = [cell / (total + 1.0) for cell in (s1, f1, s0, f0)]
    while not credible(Table(*(high * each for each in share)), weight, trigger):
        low, high = high, 2.0 * high
        if high > _MOST_NEEDED:
            return None
    while high - low > 0.5:
        middle = 0.5 * (low + high)
        if credible(Table(*(middle * each for each in share)), weight, trigger):
            high = middle
        else:
            low = middle
    return max(1, math.ceil(high - total))


def probability_not_worse(table: Table, margin: float) -> float:
    """Return P(ρ_with > ρ_without - margin | D), under Beta(1, 1); to about 1e-4.

    Args:
        table: Counts with and without the candidate.
        margin: Greatest difference that still counts as not worse, in [0, 1).
    """
    import numpy as np
    from scipy.special import betainc, betaincinv  # type: ignore[import-untyped]

    s1, f1, s0, f0 = table.cells
    quantiles = betaincinv(1.0 + s1, 1.0 + f1, (np.arange(2000) + 0.5) / 2000)
    return float(np.mean(betainc(1.0 + s0, 1.0 + f0, np.clip(quantiles + margin, 0.0, 1.0))))


def credibly_not_worse(table: Table, margin: float, weight: float, trigger: Trigger) -> bool:
    """Tell whether it is credible that success is not less likely with it, up to a margin.

    The Bayes factor of *not worse* against *worse* is the posterior odds over the prior odds, as
    both are parts of one uniform prior. The prior P(ρ₁ > ρ₀ - m) is ½ + m - m²/2.

    Args:
        table: Counts with and without the candidate.
        margin: Greatest loss that still counts as not worse, in [0, 1).
        weight: The candidate's share of the prior, in (0, 1].
        trigger: When an effect is credible.
    """
    posterior = probability_not_worse(table, margin)
    if posterior <= trigger.probability:
        return False
    prior = 0.5 + margin - 0.5 * margin**2
    log_factor = math.log(posterior / max(1.0 - posterior, 1e-300)) - math.log(
        prior / (1.0 - prior)
    )
    return math.log(weight) + log_factor >= -math.log(trigger.error)


def _entropy(a: float, b: float) -> float:
    return sum(-n / (a + b) * math.log2(n / (a + b)) for n in (a, b) if n) if a + b else 0.0


def weights(preferred: Sequence[bool]) -> list[float]:
    """Share the prior among candidates: half to the preferred ones, half to all the others.

    Args:
        preferred: Whether each candidate is a preferred one.
    """
    preferred_count = sum(preferred)
    other_count = len(preferred) - preferred_count
    if not preferred_count or not other_count:
        return [1.0 / len(preferred)] * len(preferred) if preferred else []
    return [0.5 / preferred_count if each else 0.5 / other_count for each in preferred]
