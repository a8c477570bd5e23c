"""The prior Beta(α, β) of success rates.

The paper starts every procedure at Beta(1, 1). Its appendix proposes to learn the prior from the
procedures themselves (empirical Bayes): their outcomes are draws of a beta-binomial distribution,
whose parameters are fitted by maximum likelihood. A new procedure then starts at the library's
usual rate, and its posterior shrinks to that rate until it has evidence of its own.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..common.errors import MaclaError
from ..common.minimizing import minimum_of

if TYPE_CHECKING:  # slow to load, and only what learns needs it
    import numpy as np
    from numpy.typing import NDArray

UNIFORM = (1.0, 1.0)
"""Beta(1, 1), the paper's prior."""

_LEAST = 5
"""Subjects; fewer do not show the spread of rates, and the uniform prior stays."""
_STRENGTH = (0.02, 50.0)
"""Bounds of the prior's strength, in trials. Without spread between the rates the likelihood grows
with it forever; a new procedure gets at most 50 trials' worth of others' evidence."""
_MEAN = (0.01, 0.99)
"""Bounds of the mean, which keep its logit finite."""


@dataclass(frozen=True, slots=True)
class PriorFit:
    """A fitted prior.

    Attributes:
        alpha: Pseudo-count of successes, > 0.
        beta: Pseudo-count of failures, > 0.
        subjects: Number of procedures that it was fitted to.
        gain: Gain in log-likelihood over Beta(1, 1), in nats, >= 0.
    """

    alpha: float
    beta: float
    subjects: int
    gain: float


def beta_binomial_log_likelihood(
    counts: Iterable[tuple[float, float]], alpha: float, beta: float
) -> float:
    """Return the log-likelihood of sequences of outcomes, in nats.

    Each subject contributes ``log B(α + s, β + f) - log B(α, β)``: the probability of its
    outcomes in their order, so without the binomial coefficient.

    Args:
        counts: (successes, failures) of each subject, each >= 0.
        alpha: Pseudo-count of successes, > 0.
        beta: Pseudo-count of failures, > 0.
    """
    if not (0.0 < alpha < math.inf and 0.0 < beta < math.inf):
        raise MaclaError(f"a Beta prior needs parameters above 0, got {alpha!r} and {beta!r}")
    empty = log_beta(alpha, beta)
    total = 0.0
    for (successes, failures), times in Counter(counts).items():
        if successes < 0.0 or failures < 0.0:
            raise MaclaError(f"counts must not be negative, got {successes!r} and {failures!r}")
        total += times * (log_beta(alpha + successes, beta + failures) - empty)
    return total


def fit_prior(counts: Sequence[tuple[float, float]]) -> PriorFit:
    """Fit the prior to the outcomes of many procedures by maximum likelihood.

    Args:
        counts: (successes, failures) of each procedure, over all of its versions and without
            inherited ones, which would count twice; those without outcomes do not count.

    Returns:
        The fit; Beta(1, 1) where fewer than five procedures have outcomes.

    Raises:
        MaclaError: A count is negative.
    """
    outcomes = sorted((s, f) for s, f in counts if s + f > 0.0)
    uniform_likelihood = beta_binomial_log_likelihood(outcomes, *UNIFORM)
    if len(outcomes) < _LEAST:
        return PriorFit(*UNIFORM, len(outcomes), 0.0)
    import numpy as np

    def loss(point: NDArray[np.float64]) -> float:
        alpha, beta = _parameters(point)
        return -beta_binomial_log_likelihood(outcomes, alpha, beta)

    bounds = [
        (_logit(_MEAN[0]), _logit(_MEAN[1])),
        (math.log(_STRENGTH[0]), math.log(_STRENGTH[1])),
    ]
    pooled = sum(s for s, _ in outcomes) / sum(s + f for s, f in outcomes)
    start = _logit(min(max(pooled, _MEAN[0]), _MEAN[1]))
    best, least = min(
        (
            minimum_of(loss, np.array([start, strength]), bounds=bounds)
            for strength in (0.0, math.log(10.0))
        ),
        key=lambda minimum: minimum[1],
    )
    fitted_likelihood = -least
    if fitted_likelihood <= uniform_likelihood:
        return PriorFit(*UNIFORM, len(outcomes), 0.0)
    gain = fitted_likelihood - uniform_likelihood
    return PriorFit(*_parameters(best), len(outcomes), gain)


def _parameters(point: NDArray[np.float64]) -> tuple[float, float]:
    """Return (α, β) from (logit of the mean, log of the strength)."""
    mean = 1.0 / (1.0 + math.exp(-float(point[0])))
    strength = math.exp(float(point[1]))
    return mean * strength, (1.0 - mean) * strength


def _logit(share: float) -> float:
    return math.log(share / (1.0 - share))


def log_beta(alpha: float, beta: float) -> float:
    """Return the logarithm of B(α, β)."""
    return math.lgamma(alpha) + math.lgamma(beta) - math.lgamma(alpha + beta)
