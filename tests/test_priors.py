"""The empirical prior against SciPy's beta-binomial and against simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.common.errors import MaclaError
from macla.procedures.evidence.priors import beta_binomial_log_likelihood, fit_prior
from scipy.stats import betabinom

_counts = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=20)
_shape = st.floats(0.05, 40.0)


@given(_counts, _shape, _shape)
def test_likelihood_is_scipys_beta_binomial_up_to_the_coefficient(counts, alpha, beta) -> None:
    expected = sum(
        betabinom.logpmf(s, s + f, alpha, beta) - math.log(math.comb(s + f, s)) for s, f in counts
    )
    assert beta_binomial_log_likelihood(counts, alpha, beta) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("alpha", "beta"), [(8.0, 2.0), (2.0, 6.0), (1.0, 1.0)])
def test_fit_finds_the_prior_that_the_rates_came_from(alpha: float, beta: float) -> None:
    rng = np.random.default_rng(3)
    rates = rng.beta(alpha, beta, 600)
    wins = rng.binomial(40, rates)
    fit = fit_prior([(float(w), float(40 - w)) for w in wins])
    assert fit.alpha == pytest.approx(alpha, rel=0.2)
    assert fit.beta == pytest.approx(beta, rel=0.2)
    assert fit.gain >= 0.0


def test_fit_is_at_least_as_likely_as_any_other_prior_in_its_bounds() -> None:
    counts = [(9.0, 1.0), (7.0, 4.0), (3.0, 3.0), (12.0, 0.0), (5.0, 2.0), (1.0, 6.0)]
    fit = fit_prior(counts)
    grid = [(a, b) for a in np.linspace(0.2, 12, 25) for b in np.linspace(0.2, 12, 25)]
    found = beta_binomial_log_likelihood(counts, fit.alpha, fit.beta)
    assert found >= max(beta_binomial_log_likelihood(counts, *p) for p in grid) - 1e-6


def test_the_order_of_what_it_is_fitted_to_changes_nothing() -> None:
    rng = np.random.default_rng(5)
    counts = [(float(w), float(30 - w)) for w in rng.binomial(30, rng.beta(6.0, 2.0, 60))]
    fits = {fit_prior(counts)}
    for _ in range(5):
        rng.shuffle(counts)
        fits.add(fit_prior(counts))
    assert len(fits) == 1


def test_few_procedures_keep_the_uniform_prior_and_those_without_outcomes_do_not_count() -> None:
    fit = fit_prior([(5.0, 1.0)] * 4 + [(0.0, 0.0)] * 50)
    assert (fit.alpha, fit.beta, fit.subjects, fit.gain) == (1.0, 1.0, 4, 0.0)


def test_rates_without_spread_stay_bounded() -> None:
    fit = fit_prior([(50.0, 50.0)] * 40)
    assert fit.alpha + fit.beta <= 50.0 + 1e-6
    assert fit.alpha / (fit.alpha + fit.beta) == pytest.approx(0.5, abs=0.01)


def test_all_successes_stay_a_proper_prior() -> None:
    fit = fit_prior([(20.0, 0.0)] * 10)
    assert 0.0 < fit.beta < fit.alpha < math.inf


@pytest.mark.parametrize("counts", [[(-1.0, 2.0)], [(2.0, -0.5)] * 8])
def test_negative_counts_are_refused(counts) -> None:
    with pytest.raises(MaclaError, match="negative"):
        fit_prior(counts)


def test_a_prior_must_be_proper() -> None:
    with pytest.raises(MaclaError, match="above 0"):
        beta_binomial_log_likelihood([(1.0, 1.0)], 0.0, 1.0)
