"""Beta posteriors of success rates: moments, entropy, information and comparison.

Everything here is a pure function of the two parameters of a Beta distribution.
``alpha`` and ``beta`` are pseudo-counts of successes and failures, prior included,
and must be finite and greater than zero; anything else raises
:class:`~macla.procedures.common.errors.MaclaError`. Entropies and information are in nats.

The scalar functions that the loop calls for every candidate use :mod:`math` alone.
Quantiles and comparisons import :mod:`scipy.special` on first use, because that
import costs more than everything else in this module together.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

from ..common.errors import MaclaError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_HALF_LOG_2PI = 0.5 * math.log(2.0 * math.pi)
"""Constant term of Stirling's series."""
# From here on the asymptotic series below are exact to about 1e-14.
_SERIES_FROM = 10.0
_NODES = 128
"""Nodes of the quadrature, enough for the error that :func:`probability_better` states."""


def posterior_parameters(
    successes: float, failures: float, prior: tuple[float, float] = (1.0, 1.0)
) -> tuple[float, float]:
    """Return ``(alpha, beta)``: the prior plus the sums over the ledger's rows."""
    if successes < 0.0 or failures < 0.0:
        raise MaclaError(f"counts must not be negative, got {successes!r} and {failures!r}")
    alpha, beta = prior[0] + successes, prior[1] + failures
    _check(alpha, beta)
    return alpha, beta


def posterior_mean(alpha: float, beta: float) -> float:
    """Return the mean of Beta(alpha, beta), in (0, 1)."""
    _check(alpha, beta)
    return alpha / (alpha + beta)


def posterior_sd(alpha: float, beta: float) -> float:
    """Return the standard deviation of Beta(alpha, beta), in (0, 0.5)."""
    _check(alpha, beta)
    total = alpha + beta
    # Quotients first: the product alpha * beta could overflow for huge counts.
    return math.sqrt((alpha / total) * (beta / total) / (total + 1.0))


def digamma(x: float) -> float:
    """Return the digamma function of ``x > 0``, to about 1e-13."""
    shift = 0.0
    while x < _SERIES_FROM:
        shift -= 1.0 / x
        x += 1.0
    return shift + math.log(x) - 0.5 / x - _digamma_tail(x)


def differential_entropy(alpha: float, beta: float) -> float:
    """Return the differential entropy of Beta(alpha, beta) in nats, never above 0.

    The textbook formula subtracts terms of the size of the counts from each other.
    Here the parts that cancel are removed by hand, so that millions of trials lose
    no digits.
    """
    _check(alpha, beta)
    total = alpha + beta
    return _entropy_part(alpha) + _entropy_part(beta) - _entropy_part(total) - digamma(total)


def expected_information_gain(alpha: float, beta: float) -> float:
    """Return the expected information of one more trial about the rate, in nats, >= 0.

    This is the mutual information of the rate and the next outcome: the entropy of
    Beta(alpha, beta) less the expected entropy after one more trial.
    """
    _check(alpha, beta)
    total = alpha + beta
    p, q = alpha / total, beta / total
    after = digamma(total + 1.0)
    gain = p * (digamma(alpha + 1.0) - after - math.log(p))
    gain += q * (digamma(beta + 1.0) - after - math.log(q))
    # Rounding may leave a last negative bit where the true value is almost zero.
    return gain if gain > 0.0 else 0.0


@lru_cache(maxsize=4096)  # many procedures of a library have the same counts
def credible_interval(alpha: float, beta: float, mass: float = 0.95) -> tuple[float, float]:
    """Return the central credible interval that holds ``mass`` (in (0, 1)) of the posterior."""
    _check(alpha, beta)
    if not 0.0 < mass < 1.0:
        raise MaclaError(f"the mass of a credible interval lies between 0 and 1, got {mass!r}")
    from scipy.special import betaincinv  # type: ignore[import-untyped]  # SciPy ships no types

    tail = 0.5 * (1.0 - mass)
    return float(betaincinv(alpha, beta, tail)), float(betaincinv(alpha, beta, 1.0 - tail))


@lru_cache(10_000)
def probability_better(alpha: float, beta: float, other_alpha: float, other_beta: float) -> float:
    """Return P(X > Y) for independent X ~ Beta(alpha, beta), Y ~ Beta(other_alpha, other_beta).

    Computed by Gauss-Legendre quadrature over the quantiles of the narrower of the
    two, against which the other's distribution function is smooth. The absolute error
    is below 1e-7 for parameters of at least 0.5. Cached: counts are small, and the same ones are
    compared after each episode.
    """
    _check(alpha, beta)
    _check(other_alpha, other_beta)
    from scipy.special import betainc, betaincinv

    nodes, weights = _quadrature()
    if posterior_sd(alpha, beta) <= posterior_sd(other_alpha, other_beta):
        below = betainc(other_alpha, other_beta, betaincinv(alpha, beta, nodes))
        result = float(weights @ below)
    else:
        below = betainc(alpha, beta, betaincinv(other_alpha, other_beta, nodes))
        result = 1.0 - float(weights @ below)
    return min(1.0, max(0.0, result))


def posterior_tail(alpha: float, beta: float, rate: float) -> float:
    """Return P(X > rate) for X ~ Beta(alpha, beta); ``rate`` in [0, 1]."""
    _check(alpha, beta)
    if not 0.0 <= rate <= 1.0:
        raise MaclaError(f"a rate lies between 0 and 1, got {rate!r}")
    from scipy.special import betaincc

    return float(betaincc(alpha, beta, rate))


def _check(alpha: float, beta: float) -> None:
    # Written so that NaN fails too.
    if not (0.0 < alpha < math.inf and 0.0 < beta < math.inf):
        raise MaclaError(
            f"Beta parameters must be finite and above 0, got alpha={alpha!r}, beta={beta!r}; "
            "check the prior and the evidence"
        )


def _digamma_tail(x: float) -> float:
    """Return ``log(x) - 1/(2x) - digamma(x)`` for ``x >= 10`` (Stirling series)."""
    y = 1.0 / (x * x)
    return y * (
        1.0 / 12.0 - y * (1.0 / 120.0 - y * (1.0 / 252.0 - y * (1.0 / 240.0 - y * (1.0 / 132.0))))
    )


def _entropy_part(x: float) -> float:
    """Return ``x + lgamma(x) - (x - 1) digamma(x)`` without cancellation.

    The entropy is ``part(alpha) + part(beta) - part(n) - digamma(n)`` with
    ``n = alpha + beta``: the linear terms cancel exactly.
    """
    if x < _SERIES_FROM:
        return x + math.lgamma(x) - (x - 1.0) * digamma(x)
    r = 1.0 / x
    y = r * r
    lgamma_tail = r * (
        1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y * (1.0 / 1680.0 - y / 1188.0)))
    )
    return (
        0.5 * math.log(x)
        + _HALF_LOG_2PI
        + 0.5
        - 0.5 * r
        + lgamma_tail
        + (x - 1.0) * _digamma_tail(x)
    )


@lru_cache(maxsize=1)
def _quadrature() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return nodes and weights on [0, 1], shape ``(_NODES,)`` each."""
    import numpy as np

    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    t = 0.5 * (nodes + 1.0)
    # Quantile functions are steep at both ends; u(t) is flat there and compensates.
    u = t**4 * (35.0 - 84.0 * t + 70.0 * t**2 - 20.0 * t**3)
    # The upper half by symmetry: the polynomial rounds to a little above 1 there.
    u = np.where(t < 0.5, u, 1.0 - u[::-1])
    return u, 0.5 * weights * 140.0 * (t * (1.0 - t)) ** 3
