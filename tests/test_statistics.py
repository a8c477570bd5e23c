from __future__ import annotations

import math
import random

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from macla.evals.reports.statistics import (
    bootstrap_mean_interval,
    mcnemar_exact,
    paired_difference_interval,
    sign_test,
    wilson_interval,
)
from macla.procedures.common.errors import DataError


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_scipys(pair):
    successes, n = pair
    for confidence in (0.5, 0.95, 0.999):
        found = wilson_interval(successes, n, confidence)
        expected = scipy.stats.binomtest(successes, n).proportion_ci(confidence, method="wilson")
        assert found.low == pytest.approx(expected.low, abs=1e-12)
        assert found.high == pytest.approx(expected.high, abs=1e-12)
        assert 0 <= found.low <= successes / n <= found.high <= 1


def test_wilson_of_none_and_all():
    assert wilson_interval(0, 40).low == 0
    assert wilson_interval(140, 140).high == 1
    assert wilson_interval(140, 140).low == pytest.approx(0.9733, abs=1e-4)


@pytest.mark.parametrize(
    ("successes", "n", "level"),
    [(1, 0, 0.95), (3, 2, 0.95), (-1, 2, 0.95), (1, 2, 1.0), (1, 2, 0.0)],
)
def test_wilson_refuses_nonsense(successes, n, level):
    with pytest.raises(DataError):
        wilson_interval(successes, n, level)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=200))
def test_mcnemar_is_scipys_binomial_test(pairs):
    first, second = zip(*pairs, strict=True)
    found = mcnemar_exact(first, second)
    b = sum(x and not y for x, y in pairs)
    c = sum(y and not x for x, y in pairs)
    assert (found.first_only, found.second_only) == (b, c)
    assert found.ties == len(pairs) - b - c
    expected = scipy.stats.binomtest(b, b + c).pvalue if b + c else 1.0
    assert found.p_value == pytest.approx(expected, rel=1e-9)


def test_mcnemar_of_many_episodes_does_not_underflow():
    assert 0 <= mcnemar_exact([True] * 3000, [False] * 3000).p_value < 1e-300


def test_sign_test_counts_higher_and_lower():
    found = sign_test([1, 2, 3, 4], [0, 2, 1, 5])
    assert (found.first_only, found.second_only, found.ties) == (2, 1, 1)
    assert found.p_value == 1.0


def test_bootstrap_agrees_with_scipy():
    generator = random.Random(4)
    values = [generator.gauss(8, 3) for _ in range(140)]
    found = bootstrap_mean_interval(values, seed=1)
    expected = scipy.stats.bootstrap(
        (np.array(values),), np.mean, method="percentile", rng=np.random.default_rng(2)
    ).confidence_interval
    assert found.low == pytest.approx(expected.low, abs=0.05)
    assert found.high == pytest.approx(expected.high, abs=0.05)
    assert found == bootstrap_mean_interval(values, seed=1)
    assert found != bootstrap_mean_interval(values, seed=2)


def test_bootstrap_of_equal_values_is_a_point():
    found = bootstrap_mean_interval([2.0] * 30)
    assert (found.low, found.high) == (2.0, 2.0)
    single = bootstrap_mean_interval([5])
    assert (single.low, single.high) == (5.0, 5.0)


def test_bootstrap_works_in_blocks():
    found = bootstrap_mean_interval(list(range(3000)), resamples=1000)
    half = 1.96 * math.sqrt((3000**2 - 1) / 12 / 3000)
    assert found.high - found.low == pytest.approx(2 * half, rel=0.1)


def test_bootstrap_covers_as_often_as_it_says():
    generator = np.random.default_rng(7)
    hits = 0
    for seed in range(200):
        values = list(generator.normal(0, 1, 50))
        found = bootstrap_mean_interval(values, 0.9, resamples=500, seed=seed)
        hits += found.low <= 0 <= found.high
    assert 160 <= hits <= 197


def test_paired_difference_is_narrower_than_an_unpaired_one():
    generator = random.Random(1)
    base = [generator.gauss(10, 5) for _ in range(80)]
    better = [x - 1 + generator.gauss(0, 0.5) for x in base]
    found = paired_difference_interval(base, better)
    assert 0.8 < found.low < 1 < found.high < 1.25
    mirrored = paired_difference_interval(better, base)
    assert mirrored.low == pytest.approx(-found.high, abs=0.02)


@pytest.mark.parametrize("values", [[], [float("nan")], [1, float("inf")]])
def test_bootstrap_refuses_nonsense(values):
    with pytest.raises(DataError):
        bootstrap_mean_interval(values)


def test_other_arguments_are_checked():
    with pytest.raises(DataError, match="resamples"):
        bootstrap_mean_interval([1], resamples=0)
    with pytest.raises(DataError, match="confidence"):
        bootstrap_mean_interval([1], 95)
    for first, second in (([], []), ([1], [1, 2])):
        with pytest.raises(DataError, match="same episodes"):
            sign_test(first, second)
        with pytest.raises(DataError, match="same episodes"):
            paired_difference_interval(first, second)
