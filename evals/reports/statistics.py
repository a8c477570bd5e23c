"""Intervals and paired tests for results: what a difference between two arms is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...procedures.common.errors import DataError
from ...procedures.evidence.intervals import Interval, checked_confidence, wilson_interval

__all__ = [
    "Interval",
    "PairedDifference",
    "PairedTest",
    "bootstrap_mean_interval",
    "holm",
    "mcnemar_exact",
    "paired_difference",
    "paired_difference_interval",
    "sign_test",
    "wilson_interval",
]

# Resampling matrices are made in blocks of at most this many numbers (8 MB).
_BLOCK = 1_000_000


@dataclass(frozen=True, slots=True)
class PairedTest:
    """Two arms on the same episodes.

    Attributes:
        first_only: Episodes that favour the first arm.
        second_only: Episodes that favour the second arm.
        ties: Episodes that favour neither.
        p_value: Two-sided exact probability of a split at least as uneven, if the arms are alike.
    """

    first_only: int
    second_only: int
    ties: int
    p_value: float


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """How much one run has more than another, on the tasks of both.

    Attributes:
        n: Tasks of both.
        mean: Mean difference.
        interval: Its bootstrap interval.
        test: The exact sign test.
    """

    n: int
    mean: float
    interval: Interval
    test: PairedTest


def bootstrap_mean_interval(
    values: Sequence[float], confidence: float = 0.95, *, resamples: int = 10_000, seed: int = 0
) -> Interval:
    """Return the percentile bootstrap interval of a mean; the same for the same seed.

    Raises:
        DataError: If there is no value, one is not finite, or an argument is out of its range.
    """
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1 or sample.size == 0 or not np.isfinite(sample).all():
        raise DataError("a bootstrap interval needs a list of at least one finite number")
    if resamples < 1:
        raise DataError(f"the number of resamples must be at least 1, not {resamples}")
    tail = (1 - checked_confidence(confidence)) / 2
    low, high = np.quantile(_resampled_means(sample, resamples, seed), [tail, 1 - tail])
    return Interval(float(low), float(high))


def paired_difference_interval(
    first: Sequence[float],
    second: Sequence[float],
    confidence: float = 0.95,
    *,
    resamples: int = 10_000,
    seed: int = 0,
) -> Interval:
    """Return the bootstrap interval of mean(first) - mean(second), episodes resampled in pairs.

    Raises:
        DataError: If the two differ in length, and as :func:`bootstrap_mean_interval` does.
    """
    _check_lengths(first, second)
    differences = [float(a) - float(b) for a, b in zip(first, second, strict=True)]
    return bootstrap_mean_interval(differences, confidence, resamples=resamples, seed=seed)


def paired_difference(
    ours: Mapping[str, float], theirs: Mapping[str, float]
) -> PairedDifference | None:
    """Compare two runs, each task → value, on the tasks of both; None where there are none."""
    both = [task for task in theirs if task in ours]
    if not both:
        return None
    first, second = [ours[task] for task in both], [theirs[task] for task in both]
    mean = (sum(first) - sum(second)) / len(both)
    interval = paired_difference_interval(first, second)
    return PairedDifference(len(both), mean, interval, sign_test(first, second))


def mcnemar_exact(first: Sequence[bool], second: Sequence[bool]) -> PairedTest:
    """Test with McNemar's exact test whether two arms solve the same share of episodes.

    Raises:
        DataError: If the two differ in length or are empty.
    """
    return sign_test([float(bool(a)) for a in first], [float(bool(b)) for b in second])


def sign_test(first: Sequence[float], second: Sequence[float]) -> PairedTest:
    """Test with the exact sign test whether one arm's values tend to be higher, ties left out.

    Raises:
        DataError: If the two differ in length or are empty.
    """
    _check_lengths(first, second)
    higher = sum(a > b for a, b in zip(first, second, strict=True))
    lower = sum(a < b for a, b in zip(first, second, strict=True))
    return PairedTest(higher, lower, len(first) - higher - lower, _binomial_half(higher, lower))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected by Holm's method for how many there are, in the order given.

    Raises:
        DataError: If one lies outside [0, 1].
    """
    if not all(0.0 <= p <= 1.0 for p in p_values):
        raise DataError("p-values lie in [0, 1]; correct what a test returned, each only once")
    corrected, floor = [0.0] * len(p_values), 0.0
    for rank, i in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        floor = max(floor, min(1.0, (len(p_values) - rank) * p_values[i]))
        corrected[i] = floor
    return corrected


def _binomial_half(one: int, other: int) -> float:
    """Return the two-sided probability of a split as uneven as this in fair coin throws."""
    n = one + other
    # Whole numbers: exact for any n, where floating-point powers would underflow.
    term, tail = 1, 1
    for k in range(1, min(one, other) + 1):
        term = term * (n - k + 1) // k
        tail += term
    return min(1.0, float(2 * tail / 2**n))


def _resampled_means(
    sample: npt.NDArray[np.float64], resamples: int, seed: int
) -> npt.NDArray[np.float64]:
    generator = np.random.default_rng(seed)
    rows = max(1, _BLOCK // sample.size)
    means = [
        sample[generator.integers(0, sample.size, (min(rows, resamples - done), sample.size))].mean(
            axis=1
        )
        for done in range(0, resamples, rows)
    ]
    return np.concatenate(means)


def _check_lengths(first: Sequence[float], second: Sequence[float]) -> None:
    if len(first) != len(second) or not first:
        raise DataError(
            f"a paired comparison needs the same episodes in both arms and at least one, not "
            f"{len(first)} and {len(second)}"
        )
