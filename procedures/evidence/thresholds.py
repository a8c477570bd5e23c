"""Derived thresholds: θ_conf and θ_dup.

The paper sets θ_conf = 0.4 and θ_dup = 0.85; its appendix asks for better-founded values. Here
θ_conf follows from the fallback's value and the loop's bonus for uncertainty, and θ_dup from the
description length of the library together with its evidence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..common.errors import MaclaError
from .priors import UNIFORM, beta_binomial_log_likelihood

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def confidence_threshold(fallback_value: float, bonuses: Sequence[float]) -> float:
    r"""Return θ_conf: the expected utility from which running a candidate beats the fallback.

    The loop compares ``x = v + b`` with θ_conf. ``v = Rel·ρ̂·R_max - Risk·(1 - ρ̂)·C_fail`` with
    the posterior mean ρ̂, and ``b = λ·information`` is the bonus that ranks candidates. Utility is
    linear in the success rate, and ρ̂ is its expectation given the counts, so v is the expected
    true utility given the counts: under a prior fitted to the library's rates, v is already
    shrunk. By the law of total variance

        Var(true) = Var(v) + E[Var(true | counts)],   Cov(true, v) = Var(v),

    so that true utility regresses on v with slope 1. To shrink v again would count its error
    twice, and the best of many such estimates is not too high on average. Hence candidate i is
    worth running exactly where ``v_i >= fallback``, that is ``x_i >= fallback + b_i``, whatever
    Rel and Risk are. One threshold t for all of them loses, with candidates of density g near the
    border, about ``g/2·Σ (t - fallback - b_i)²``, which is least at the mean:

        θ_conf = fallback + mean of b_i

    It contains the uncertainty of expected utilities twice: as the shrinkage of ρ̂, and as b.

    Args:
        fallback_value: Value of the fallback: its success rate × R_max - its cost.
        bonuses: b of the library's candidates: positive for a standard deviation, negative for an
            entropy. Without any the threshold is the fallback's value.

    Returns:
        The threshold, on the scale of EU; finite.

    Raises:
        MaclaError: A number is not finite.
    """
    not_finite = next(
        (each for each in (fallback_value, *bonuses) if not math.isfinite(each)), None
    )
    if not_finite is not None:
        raise MaclaError(f"the confidence threshold needs finite values, got {not_finite!r}")
    return fallback_value + (math.fsum(bonuses) / len(bonuses) if bonuses else 0.0)


def clusters_above(similarity: NDArray[np.float64], threshold: float) -> list[list[int]]:
    """Group items so that all pairs within a group reach a similarity (complete linkage).

    Args:
        similarity: Shape (n, n), symmetric, in [-1, 1].
        threshold: Least similarity of a pair, in [-1, 1].

    Returns:
        Groups of indices, each sorted, ordered by their first index.
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
    """Return the bits that describe a library with merged groups, and its evidence.

    A group is encoded as its cheapest representative in full, and the other members as differences
    from it. Its outcomes have one Beta-binomial code with a uniform prior. So merging saves text
    where members are similar, and costs outcome bits where their success rates differ.

    Args:
        groups: Indices of merged items; every item in one group.
        costs: Bits of each item in full, >= 0.
        differences: Shape (n, n); [i, j] is the bits of item j as a difference from i.
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
        default: Result where nothing is worth merging and it exceeds every similarity, or with
            fewer than two items.

    Returns:
        The middle between the lowest similarity that is merged and the next lower one.
    """
    import numpy as np

    n = len(costs)
    if n < 2:
        return default
    levels = sorted({float(v) for v in similarity[np.triu_indices(n, 1)] if v > 0.0}, reverse=True)
    singletons = [[i] for i in range(n)]
    best_level, shortest = None, description_length(singletons, costs, differences, counts)
    for level in levels:
        length = description_length(clusters_above(similarity, level), costs, differences, counts)
        if length < shortest - 1e-9:
            best_level, shortest = level, length
    if best_level is None:
        # Nothing is worth merging: stay above the most similar pair.
        return max(default, (levels[0] + 1.0) / 2.0) if levels else default
    next_level = max((level for level in levels if level < best_level), default=0.0)
    return (best_level + next_level) / 2.0
