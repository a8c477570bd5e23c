"""Confidence intervals of success rates, and of the difference of two paired rates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from ..common.errors import DataError


@dataclass(frozen=True, slots=True)
class Interval:
    """A two-sided confidence interval."""

    low: float
    high: float


def wilson_interval(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """Return Wilson's score interval of a success rate (Wilson 1927, no continuity correction).

    Args:
        successes: 0 to ``n``.
        n: Number of trials, at least 1.
        confidence: Between 0 and 1, both excluded.

    Raises:
        DataError: If an argument is out of its range.
    """
    if n < 1 or not 0 <= successes <= n:
        raise DataError(f"a success rate needs 0 <= successes <= n and n >= 1, not {successes}/{n}")
    z = NormalDist().inv_cdf((1 + checked_confidence(confidence)) / 2)
    rate, spread = successes / n, z * z / n
    centre = (rate + spread / 2) / (1 + spread)
    reach = z / (1 + spread) * math.sqrt(rate * (1 - rate) / n + spread / (4 * n))
    # The ends are exact where rounding would leave a residue such as 1e-17.
    low = 0.0 if successes == 0 else max(0.0, centre - reach)
    high = 1.0 if successes == n else min(1.0, centre + reach)
    return Interval(low, high)


def paired_interval(both: int, first_only: int, second_only: int, neither: int) -> Interval:
    """Return the interval of the difference of two success rates on the same episodes.

    Newcombe's hybrid score interval for paired proportions (Newcombe 1998, method 10): Wilson's
    interval of each rate, joined by the correlation of the two.

    Args:
        both: Episodes in which both succeed.
        first_only: Episodes in which only the first succeeds.
        second_only: Episodes in which only the second succeeds.
        neither: Episodes in which neither succeeds.

    Returns:
        Interval of first minus second, within [-1, 1]; [-1, 1] itself without episodes.

    Raises:
        DataError: A count is negative.
    """
    cells = (both, first_only, second_only, neither)
    if min(cells) < 0:
        raise DataError(f"counts of episodes must not be negative: {cells}")
    n = sum(cells)
    if n == 0:
        return Interval(-1.0, 1.0)
    rates = ((both + first_only) / n, (both + second_only) / n)
    sides = [wilson_interval(round(rate * n), n) for rate in rates]
    phi = _correlation(both, first_only, second_only, neither)
    difference = rates[0] - rates[1]
    down, up = rates[0] - sides[0].low, sides[0].high - rates[0]
    other_down, other_up = rates[1] - sides[1].low, sides[1].high - rates[1]
    low = math.sqrt(max(0.0, down**2 - 2 * phi * down * other_up + other_up**2))
    high = math.sqrt(max(0.0, up**2 - 2 * phi * up * other_down + other_down**2))
    return Interval(max(-1.0, difference - low), min(1.0, difference + high))


def _correlation(both: int, first_only: int, second_only: int, neither: int) -> float:
    """Return the correlation of two answers, with Newcombe's correction where it is positive."""
    margins = (
        (both + first_only)
        * (second_only + neither)
        * (both + second_only)
        * (first_only + neither)
    )
    if margins == 0:
        return 0.0
    product = float(both * neither - first_only * second_only)
    if product > 0:
        product = max(product - sum((both, first_only, second_only, neither)) / 2, 0.0)
    return float(product / math.sqrt(margins))


def checked_confidence(confidence: float) -> float:
    """Return a confidence level, checked to lie between 0 and 1.

    Raises:
        DataError: It lies outside.
    """
    if not 0 < confidence < 1:
        raise DataError(f"a confidence level lies between 0 and 1, not {confidence}")
    return confidence
