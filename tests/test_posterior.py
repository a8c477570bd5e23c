"""Beta posteriors against SciPy and closed forms."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from macla.procedures.common.errors import MaclaError
from macla.procedures.evidence.posterior import (
    credible_interval,
    differential_entropy,
    digamma,
    expected_information_gain,
    posterior_mean,
    posterior_parameters,
    posterior_sd,
    posterior_tail,
    probability_better,
)
from scipy import special
from scipy.stats import beta as beta_distribution

counts = st.floats(min_value=0.1, max_value=1e6)
grid = [(a, b) for a in (0.3, 1.0, 2.5, 10.0, 400.0, 3508.0) for b in (0.5, 1.0, 3.0, 77.0)]


@pytest.mark.parametrize(
    ("alpha", "beta", "entropy"),
    [
        (10, 3, -0.8176),
        (11, 3, -0.8827),
        (1, 1, 0.0),
        (2, 1, 0.5 - math.log(2)),  # density 2x
        (391, 1, 1 - 1 / 391 - math.log(391)),  # density 391 x^390
    ],
)
def test_entropy_of_known_cases(alpha: float, beta: float, entropy: float) -> None:
    assert differential_entropy(alpha, beta) == pytest.approx(entropy, abs=5e-5)


@pytest.mark.parametrize(("alpha", "beta"), grid)
def test_moments_and_entropy_agree_with_scipy(alpha: float, beta: float) -> None:
    reference = beta_distribution(alpha, beta)
    assert posterior_mean(alpha, beta) == pytest.approx(reference.mean(), rel=1e-12)
    assert posterior_sd(alpha, beta) == pytest.approx(reference.std(), rel=1e-12)
    assert differential_entropy(alpha, beta) == pytest.approx(reference.entropy(), abs=1e-9)
    assert credible_interval(alpha, beta) == pytest.approx(reference.interval(0.95), abs=1e-9)


@given(counts, counts)
def test_entropy_is_symmetric_and_never_positive(alpha: float, beta: float) -> None:
    entropy = differential_entropy(alpha, beta)
    assert entropy <= 1e-12
    assert entropy == pytest.approx(differential_entropy(beta, alpha), abs=1e-9)


def test_entropy_of_huge_counts_keeps_its_digits() -> None:
    # There a Beta is as good as normal: H = log(sd) + log(2 pi e) / 2.
    normal = math.log(posterior_sd(4e9, 6e9)) + 0.5 * math.log(2 * math.pi * math.e)
    assert differential_entropy(4e9, 6e9) == pytest.approx(normal, abs=1e-8)


@given(st.floats(min_value=1e-3, max_value=1e9))
def test_digamma_agrees_with_scipy(x: float) -> None:
    assert digamma(x) == pytest.approx(float(special.digamma(x)), rel=1e-12, abs=1e-12)


@given(counts, counts)
def test_information_gain_is_the_expected_fall_of_entropy(alpha: float, beta: float) -> None:
    gain = expected_information_gain(alpha, beta)
    p = alpha / (alpha + beta)
    after = p * differential_entropy(alpha + 1, beta) + (1 - p) * differential_entropy(
        alpha, beta + 1
    )
    assert gain >= 0
    assert gain == pytest.approx(differential_entropy(alpha, beta) - after, abs=1e-8)


def test_information_gain_of_the_uniform_prior() -> None:
    # I = log 2 - E[binary entropy of a uniform rate] = log 2 - 1/2.
    assert expected_information_gain(1, 1) == pytest.approx(math.log(2) - 0.5, rel=1e-12)


def test_information_gain_falls_with_evidence() -> None:
    gains = [expected_information_gain(n, 1) for n in (1, 2, 5, 20, 100, 5000)]
    assert all(after < before for before, after in pairwise(gains))


def exact_better(a1: int, b1: float, a2: float, b2: float) -> float:
    """P(X > Y) for whole a1: a finite sum over Y's moments."""
    return sum(
        math.exp(
            special.betaln(a2 + i, b1 + b2)
            - math.log(b1 + i)
            - special.betaln(1 + i, b1)
            - special.betaln(a2, b2)
        )
        for i in range(a1)
    )


@pytest.mark.parametrize(
    "case",
    [
        (1, 1, 1, 1),
        (11, 3, 3, 11),
        (3508, 1, 1, 1),
        (1, 1, 3508, 1),
        (40, 60, 45, 55),
        (400, 1, 390, 4),
        (2, 9, 300, 900),
        (1000, 1000, 1000, 1000),
        (1902, 5, 769, 1828),
        (1, 0.5, 0.5, 0.5),
        (3, 0.7, 26.4, 0.6),
    ],
)
def test_probability_better_agrees_with_the_exact_sum(
    case: tuple[int, float, float, float],
) -> None:
    assert probability_better(*case) == pytest.approx(exact_better(*case), abs=1e-7)


@given(*(st.floats(min_value=0.5, max_value=500),) * 4)
def test_probability_better_of_two_sides_adds_up(a: float, b: float, c: float, d: float) -> None:
    assert probability_better(a, b, c, d) + probability_better(c, d, a, b) == pytest.approx(
        1, abs=1e-9
    )


def test_posterior_adds_the_prior() -> None:
    assert posterior_parameters(10, 2) == (11, 3)
    assert posterior_parameters(0, 0, prior=(0.5, 0.5)) == (0.5, 0.5)
    with pytest.raises(MaclaError, match="negative"):
        posterior_parameters(-1, 0)


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
@pytest.mark.parametrize(
    "function",
    [
        posterior_mean,
        posterior_sd,
        differential_entropy,
        expected_information_gain,
        credible_interval,
        lambda a, b: probability_better(a, b, 1, 1),
    ],
)
def test_impossible_parameters_are_refused(function: object, bad: float) -> None:
    assert callable(function)
    with pytest.raises(MaclaError, match="finite and above 0"):
        function(bad, 1.0)


@pytest.mark.parametrize("mass", [0.0, 1.0, math.nan])
def test_impossible_mass_is_refused(mass: float) -> None:
    with pytest.raises(MaclaError, match="mass"):
        credible_interval(1, 1, mass)


@example(0.125, 1.0, 1.2e-38)
@given(counts, counts, st.floats(0.0, 1.0))
def test_tail_agrees_with_scipy(alpha: float, beta: float, rate: float) -> None:
    expected = beta_distribution.sf(rate, alpha, beta)
    assert posterior_tail(alpha, beta, rate) == pytest.approx(expected, abs=1e-9)


def test_a_tail_needs_a_rate() -> None:
    with pytest.raises(MaclaError, match="between 0 and 1"):
        posterior_tail(1.0, 1.0, 1.5)
