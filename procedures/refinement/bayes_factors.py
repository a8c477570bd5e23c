r"""Does a condition make a difference to success? Bayes factors that noise does not pass.

A candidate splits executions into those with it and those without it. Under *no effect* both have
one success rate ρ ~ Beta(1, 1); under *an effect* each has its own, and that with it is higher:

    BF₊ = [B(1+s₁, 1+f₁) B(1+s₀, 1+f₀) / B(1+s₁+s₀, 1+f₁+f₀)] · P(ρ₁ > ρ₀ | D) / ½

(Jeffreys 1961; the one-sided factor after Klugkist et al. 2005). Looked at after every episode and
for many candidates, P(ρ₁ > ρ₀ | D) > 0.95 alone would find something sooner or later. A Bayes
factor is a martingale under *no effect*, and so is a weighted mean of several; by Ville's
inequality it ever reaches 1/α with probability at most α. So a candidate of weight w must reach
w · BF₊ ≥ 1/α: it may be asked for at any time, and for any number of candidates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..common.errors import MaclaError
from ..evidence.posterior import probability_better

__all__ = [
    "Table",
    "Trigger",
    "bayes_factor",
    "credible",
    "credibly_not_worse",
    "information_gain",
    "more_needed",
    "probability_not_worse",
    "weights",
]

_MOST_NEEDED = 10_000


@dataclass(frozen=True, slots=True)
class Table:
    """Executions with and without something: successes and failures of each, >= 0."""

    with_successes: float
    with_failures: float
    without_successes: float
    without_failures: float

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
    """When a contrast is believed.

    Attributes:
        error: α: probability of ever refining where there is nothing but noise, in (0, 1).
        probability: P(ρ_with > ρ_without | D) that is asked for besides, in (0, 1).
        least: Successes and failures before anything is contrasted (the paper's n_min).
        counts_only: The paper's rule: enough of both, and what is true in every success and in no
            failure is taken; no test.
    """

    error: float = 0.05
    probability: float = 0.95
    least: tuple[int, int] = (2, 2)
    counts_only: bool = False

    @classmethod
    def paper(cls) -> Trigger:
        """Return the paper's n_min = 3 successes and 3 failures."""
        return cls(least=(3, 3), counts_only=True)


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def bayes_factor(table: Table) -> float:
    """Return log BF₊ for *likelier with it* against *no difference*; see above."""
    s1, f1, s0, f0 = table.cells
    two_sided = (
        _log_beta(1.0 + s1, 1.0 + f1)
        + _log_beta(1.0 + s0, 1.0 + f0)
        - _log_beta(1.0 + s1 + s0, 1.0 + f1 + f0)
    )
    return two_sided + math.log(max(table.probability, 1e-300) / 0.5)


def information_gain(table: Table) -> float:
    """Return how many bits the candidate tells about success, in [0, 1]."""
    s1, f1, s0, f0 = table.cells
    total = sum(table.cells)
    if not total:
        return 0.0
    before = _entropy(s1 + s0, f1 + f0)
    after = ((s1 + f1) * _entropy(s1, f1) + (s0 + f0) * _entropy(s0, f0)) / total
    return max(0.0, before - after)


def credible(table: Table, weight: float, trigger: Trigger) -> bool:
    """Say whether an effect is believed.

    Args:
        table: What was counted.
        weight: The candidate's share of the prior, in (0, 1]; those of all candidates sum to 1.
        trigger: How sure one must be.
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
    """Return about how many more executions are needed until the effect seen so far is believed.

    The power analysis: if the four rates stay what they are (posterior means, so that two
    executions promise no certainty), how large must the sample be? None where the effect goes the
    other way, or more than 10,000 would be needed.
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
        table: What was counted.
        margin: How much worse still counts as not worse, in [0, 1).
    """
    import numpy as np
    from scipy.special import betainc, betaincinv  # type: ignore[import-untyped]

    s1, f1, s0, f0 = table.cells
    quantiles = betaincinv(1.0 + s1, 1.0 + f1, (np.arange(2000) + 0.5) / 2000)
    return float(np.mean(betainc(1.0 + s0, 1.0 + f0, np.clip(quantiles + margin, 0.0, 1.0))))


def credibly_not_worse(table: Table, margin: float, weight: float, trigger: Trigger) -> bool:
    """Say whether it is believed that success is not less likely with it, but for a margin.

    Of *not worse* against *worse* the Bayes factor is the posterior odds over the prior odds, as
    both are parts of one uniform prior; P(ρ₁ > ρ₀ - m) is ½ + m - m²/2 before anything was seen.

    Args:
        table: What was counted.
        margin: How much less likely it may be, in [0, 1).
        weight: The candidate's share of the prior, in (0, 1].
        trigger: How sure one must be.
    """
    after = probability_not_worse(table, margin)
    if after <= trigger.probability:
        return False
    before = 0.5 + margin - 0.5 * margin**2
    factor = math.log(after / max(1.0 - after, 1e-300)) - math.log(before / (1.0 - before))
    return math.log(weight) + factor >= -math.log(trigger.error)


def _entropy(a: float, b: float) -> float:
    return sum(-n / (a + b) * math.log2(n / (a + b)) for n in (a, b) if n) if a + b else 0.0


def weights(preferred: Sequence[bool]) -> list[float]:
    """Share the prior among candidates: half to the preferred ones, half to all the others.

    Args:
        preferred: For each candidate whether it is among those that come to mind first.
    """
    many = sum(preferred)
    few = len(preferred) - many
    if not many or not few:
        return [1.0 / len(preferred)] * len(preferred) if preferred else []
    return [0.5 / many if each else 0.5 / few for each in preferred]
