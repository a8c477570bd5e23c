"""Thresholds that are derived instead of set by hand: θ_conf and θ_dup.

The paper sets θ_conf = 0.4 and θ_dup = 0.85; its appendix asks for better-founded values. Here
θ_conf follows from what the fallback is worth and how uncertain expected utilities are, and θ_dup
from the length of a description of the library together with its evidence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .errors import MaclaError
from .priors import UNIFORM, beta_binomial_log_likelihood

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["clusters_above", "confidence_threshold", "description_length", "duplicate_threshold"]


def confidence_threshold(fallback_value: float, mean: float, spread: float, error: float) -> float:
    """Return θ_conf: the expected utility from which running a procedure beats the fallback.

    An estimate of EU is noisy, and the best of many estimates is too high on average. With true
    values ~ N(mean, spread²) and estimates ~ N(true, error²), the posterior mean of a procedure
    estimated at x is ``mean + κ (x - mean)``, ``κ = spread² / (spread² + error²)``. It is worth
    more than the fallback where x is above ``mean + (fallback_value - mean) / κ``. Without error
    that is the fallback's value itself.

    Args:
        fallback_value: What the fallback is worth: its success rate × R_max - what it costs.
        mean: Mean expected utility of the library's candidates.
        spread: Standard deviation of their true values, >= 0.
        error: Standard deviation of an estimate around the true value, >= 0.

    Returns:
        The threshold, on the scale of EU. With no spread all candidates are worth the mean:
        minus infinity if that beats the fallback, else plus infinity.

    Raises:
        MaclaError: A number is not finite, or a deviation is negative.
    """
    numbers = (fallback_value, mean, spread, error)
    if not all(math.isfinite(value) for value in numbers) or spread < 0.0 or error < 0.0:
        raise MaclaError(
            "the confidence threshold needs finite values and deviations of at least 0, got "
            f"fallback {fallback_value!r}, mean {mean!r}, spread {spread!r}, error {error!r}"
        )
    if error == 0.0:
        return fallback_value
    if spread == 0.0:
        return -math.inf if mean > fallback_value else math.inf
    trust = spread**2 / (spread**2 + error**2)
    return mean + (fallback_value - mean) / trust


def clusters_above(similarity: NDArray[np.float64], threshold: float) -> list[list[int]]:
    """Group items so that all pairs within a group are at least so similar (complete linkage).

    Args:
        similarity: Shape (n, n), symmetric, in [-1, 1].
        threshold: In [-1, 1].

    Returns:
        Groups of indices, each in order, ordered by their first.
    """
    import numpy as np
    from scipy.cluster.hierarchy import fcluster, linkage  # type: ignore[import-untyped]

    n = len(similarity)
    if n < 2:
        return [[i] for i in range(n)]
    distance = np.clip(1.0 - np.asarray(similarity, dtype=np.float64), 0.0, 2.0)
    upper = distance[np.triu_indices(n, 1)]
    # Half a unit in the last place that matters: "at least as similar" includes equality.
    labels = fcluster(linkage(upper, "complete"), 1.0 - threshold + 1e-9, "distance")
    groups: dict[int, list[int]] = {}
    for index, label in enumerate(labels):
        groups.setdefault(int(label), []).append(index)
    return sorted(groups.values())


def description_length(
    groups: Sequence[Sequence[int]],
    costs: Sequence[float],
    differences: NDArray[np.float64],
    counts: Sequence[tuple[float, float]],
) -> float:
    """Return the bits that describe a library whose groups are merged, and its evidence.

    Each group is told by its cheapest representative in full and the other members as their
    differences from it; its outcomes by one Beta-binomial code with a uniform prior. So merging
    saves text where members are alike, and costs outcome bits where their success rates differ.

    Args:
        groups: Indices of merged items; every item in one group.
        costs: Bits of each item told in full, >= 0.
        differences: Shape (n, n); [i, j] is the bits of item j told as its difference from i.
        counts: (successes, failures) of each item.
    """
    total = 0.0
    for group in groups:
        total += min(
            costs[head] + sum(float(differences[head, other]) for other in group if other != head)
            for head in group
        )
        pooled = (sum(counts[i][0] for i in group), sum(counts[i][1] for i in group))
        total -= beta_binomial_log_likelihood([pooled], *UNIFORM) / math.log(2.0)
    return total


def duplicate_threshold(
    similarity: NDArray[np.float64],
    costs: Sequence[float],
    differences: NDArray[np.float64],
    counts: Sequence[tuple[float, float]],
    default: float,
) -> float:
    """Return θ_dup: the threshold whose merged library has the shortest description.

    Args:
        similarity: Shape (n, n), symmetric, in [-1, 1].
        costs: See :func:`description_length`.
        differences: See :func:`description_length`.
        counts: See :func:`description_length`.
        default: Returned where merging nothing is shortest and below every similarity that
            should not be merged, or where there are fewer than two items.

    Returns:
        The middle between the lowest similarity that is merged and the next below it.
    """
    import numpy as np

    n = len(costs)
    if n < 2:
        return default
    levels = sorted({float(v) for v in similarity[np.triu_indices(n, 1)] if v > 0.0}, reverse=True)
    apart = [[i] for i in range(n)]
    best, shortest = None, description_length(apart, costs, differences, counts)
    for level in levels:
        length = description_length(clusters_above(similarity, level), costs, differences, counts)
        if length < shortest - 1e-9:
            best, shortest = level, length
    if best is None:
        # Nothing is worth merging: stay above the most similar pair.
        return max(default, (levels[0] + 1.0) / 2.0) if levels else default
    below = max((level for level in levels if level < best), default=0.0)
    return (best + below) / 2.0
