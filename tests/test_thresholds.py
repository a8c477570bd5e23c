"""θ_conf and θ_dup against closed forms and simulation; weights by evolution."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.common.errors import MaclaError
from macla.procedures.evidence.thresholds import (
    clusters_above,
    confidence_threshold,
    description_length,
    duplicate_threshold,
)
from macla.procedures.method.evolution import evolve_weights
from scipy.special import betaln


def test_without_a_bonus_the_threshold_is_what_the_fallback_is_worth() -> None:
    assert confidence_threshold(0.37, []) == 0.37
    assert confidence_threshold(0.37, [0.0, 0.0]) == 0.37


def test_threshold_maximises_what_is_gained_in_simulation() -> None:
    """Rates are drawn and tried; what is compared is the posterior mean and a bonus."""
    rng = np.random.default_rng(5)
    fallback, n = 0.6, 400_000
    true = rng.beta(5.0, 5.0, n)
    trials = rng.integers(1, 30, n)
    alpha = 5.0 + rng.binomial(trials, true)
    beta = 10.0 + trials - alpha
    bonus = 0.5 * np.sqrt(alpha * beta / (alpha + beta) ** 2 / (alpha + beta + 1.0))
    shown = alpha / (alpha + beta) + bonus

    def gained(threshold: float) -> float:
        return float(np.where(shown >= threshold, true, fallback).mean())

    best = confidence_threshold(fallback, list(bonus))
    assert best == pytest.approx(fallback + bonus.mean())
    for other in (best - 0.1, best + 0.1, fallback):
        assert gained(best) > gained(other)


@given(st.floats(-1, 1), st.lists(st.floats(-3, 3), min_size=1), st.floats(-1, 1))
def test_the_threshold_moves_with_the_fallback_and_the_bonuses(fallback, bonuses, more):
    near = confidence_threshold(fallback, bonuses)
    assert confidence_threshold(fallback + more, bonuses) == pytest.approx(near + more)
    raised = [bonus + more for bonus in bonuses]
    assert confidence_threshold(fallback, raised) == pytest.approx(near + more)
    assert fallback + min(bonuses) - 1e-9 <= near <= fallback + max(bonuses) + 1e-9


@pytest.mark.parametrize("bad", [(math.nan, [0.1]), (0.0, [math.inf]), (0.0, [0.1, -math.inf])])
def test_numbers_out_of_range_are_refused(bad) -> None:
    with pytest.raises(MaclaError, match="confidence threshold"):
        confidence_threshold(*bad)


def test_what_is_refused_is_named_and_nothing_else() -> None:
    with pytest.raises(MaclaError, match=r"needs finite values, got nan$"):
        confidence_threshold(math.nan, [0.1] * 65)


def test_groups_hold_only_pairs_above_the_threshold() -> None:
    similarity = np.array([[1, 0.9, 0.5], [0.9, 1, 0.86], [0.5, 0.86, 1.0]])
    assert clusters_above(similarity, 0.85) == [[0, 1], [2]]
    assert clusters_above(similarity, 0.5) == [[0, 1, 2]]
    assert clusters_above(similarity, 0.95) == [[0], [1], [2]]


def test_two_items_are_merged_exactly_if_the_bits_say_so() -> None:
    """Closed form: cost of b told whole against its difference and the pooled outcome code."""
    counts = [(10.0, 2.0), (9.0, 3.0)]
    similarity = np.array([[1.0, 0.8], [0.8, 1.0]])
    codes = [-betaln(1 + s, 1 + f) / math.log(2) for s, f in counts]
    pooled = -betaln(1 + 19, 1 + 5) / math.log(2)
    apart = 100.0 + 100.0 + sum(codes)
    for bits in (30.0, 90.0, 99.9, 150.0):
        differences = np.array([[0.0, bits], [bits, 0.0]])
        together = 100.0 + bits + pooled
        assert description_length([[0, 1]], [100, 100], differences, counts) == pytest.approx(
            together
        )
        assert description_length([[0], [1]], [100, 100], differences, counts) == pytest.approx(
            apart
        )
        threshold = duplicate_threshold(similarity, [100, 100], differences, counts, 0.85)
        assert (threshold < 0.8) == (together < apart)


def test_items_that_fare_differently_are_kept_apart() -> None:
    similarity = np.array([[1.0, 0.95], [0.95, 1.0]])
    differences = np.array([[0.0, 20.0], [20.0, 0.0]])
    alike = duplicate_threshold(similarity, [40, 40], differences, [(50, 5), (48, 6)], 0.85)
    unlike = duplicate_threshold(similarity, [40, 40], differences, [(50, 0), (0, 50)], 0.85)
    assert alike < 0.95 < unlike


def test_threshold_separates_planted_duplicates() -> None:
    rng = np.random.default_rng(1)
    family = np.repeat(np.arange(6), 3)
    same = family[:, None] == family[None, :]
    similarity = np.where(same, 0.93, 0.55) + rng.uniform(-0.04, 0.04, same.shape)
    similarity = (similarity + similarity.T) / 2
    np.fill_diagonal(similarity, 1.0)
    differences = np.where(same, 15.0, 140.0)
    counts = [(20.0, 2.0)] * len(family)
    threshold = duplicate_threshold(similarity, [120.0] * len(family), differences, counts, 0.85)
    assert 0.55 < threshold < 0.93
    assert clusters_above(similarity, threshold) == [
        [3 * i, 3 * i + 1, 3 * i + 2] for i in range(6)
    ]


def test_one_item_keeps_the_default() -> None:
    assert duplicate_threshold(np.ones((1, 1)), [5.0], np.zeros((1, 1)), [(1, 0)], 0.85) == 0.85


def test_evolution_finds_the_top_of_a_hill() -> None:
    target = np.array([0.2, 0.7, 0.1])

    def hill(weights: tuple[float, ...]) -> float:
        return -float(np.sum((np.array(weights) - target) ** 2))

    found = evolve_weights(hill, (0.5, 0.3, 0.2), generations=80, seed=4)
    assert sum(found) == pytest.approx(1.0)
    assert found == pytest.approx(tuple(target), abs=0.03)


def test_evolution_is_never_worse_than_its_start_and_repeats_itself() -> None:
    def steps(weights: tuple[float, ...]) -> float:
        return float(weights[0] > 0.45)  # flat save for one step, and the start is on it

    first = evolve_weights(steps, (0.5, 0.3, 0.2), seed=9)
    assert steps(first) == 1.0
    assert first == evolve_weights(steps, (0.5, 0.3, 0.2), seed=9)


@pytest.mark.parametrize("start", [(), (0.5, 0.0), (math.inf, 1.0)])
def test_evolution_needs_weights_above_zero(start) -> None:
    with pytest.raises(MaclaError, match="above 0"):
        evolve_weights(sum, start)
