"""Fitting a library's settings to its evidence: simulations whose right answer is known."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from macla.adapters.session import LibrarySession
from macla.procedures.common.errors import LibraryError
from macla.procedures.evidence.ledger import Outcome
from macla.procedures.evidence.priors import fit_prior
from macla.procedures.method.presets import PRESETS, Confidence
from macla.procedures.method.settings import Method
from macla.procedures.method.tuning import (
    fit_retention_weights,
    fit_theta_conf,
    fit_theta_dup,
    hit_rate,
)
from macla.procedures.method.utility import (
    Candidate,
    RetentionWeights,
    Rule,
    expected_utility,
    trusted_value,
)
from review_library import make_library

DEFAULT = PRESETS["default"]


def test_well_known_procedures_need_only_beat_the_fallback() -> None:
    posteriors = [(900.0, 100.0), (300.0, 700.0), (500.0, 500.0)]
    assert fit_theta_conf(posteriors, 0.4, DEFAULT) == pytest.approx(0.4, abs=0.01)


def test_little_evidence_asks_for_more_than_the_fallback_above_the_mean() -> None:
    rough = [(2.0, 1.0), (4.0, 1.0), (1.0, 3.0), (1.0, 4.0)]
    by_utility = replace(DEFAULT, confidence=Confidence.EU)
    assert fit_theta_conf(rough, 0.9, by_utility) > 0.9
    assert fit_theta_conf([(2.0, 1.0)], 0.3, by_utility) == 0.3
    # The information term has no part in what is compared with it by default.
    assert fit_theta_conf(rough, 0.9, DEFAULT) == 0.9


def _values(posteriors, relevance, preset):
    """What is compared with a threshold, of each procedure."""
    scored = (
        expected_utility(Candidate("", rel, alpha, beta), preset)
        for (alpha, beta), rel in zip(posteriors, relevance, strict=True)
    )
    return [trusted_value(each.value, each.rate, each.bonus, preset) for each in scored]


def _lost(threshold, true, values, fallback, relevance, preset):
    """Expected utility that a threshold loses to knowing the rates, a decision."""
    lost = 0.0
    for rate, value, rel in zip(true, values, relevance, strict=True):
        worth = rel * rate * preset.weights.reward_max
        lost += max(worth, fallback) - (worth if value >= threshold else fallback)
    return lost / len(true)


@pytest.mark.parametrize("preset", sorted(PRESETS))
@pytest.mark.parametrize("trials", [8, 40])
def test_the_fitted_threshold_loses_less_than_all_none_or_the_papers(preset, trials):
    """Whole libraries of known rates; the prior is fitted as ``macla evidence fit`` fits it."""
    chosen = PRESETS[preset]
    losses = defaultdict(float)
    rng = np.random.default_rng(11)
    for mean, fallback in product((0.4, 0.6, 0.8), (0.2, 0.5, 0.7)):
        for _ in range(6):
            total = mean * (1.0 - mean) / 0.13**2 - 1.0  # a standard deviation of 0.13
            true = rng.beta(mean * total, (1.0 - mean) * total, 40)
            good = rng.binomial(trials, true)
            counts = [(float(g), float(trials - g)) for g in good]
            prior = fit_prior(counts)
            posteriors = [(prior.alpha + s, prior.beta + f) for s, f in counts]
            relevance = rng.uniform(0.5, 1.0, 40)
            fitted = fit_theta_conf(posteriors, fallback, chosen)
            assert abs(fitted) < 1.0
            values = _values(posteriors, relevance, chosen)
            for name, each in (("fitted", fitted), ("all", -1.0), ("none", 1.0), ("paper", 0.4)):
                losses[name] += _lost(each, true, values, fallback, relevance, chosen)
    assert losses["fitted"] < 0.5 * min(losses["all"], losses["none"], losses["paper"])


_TAKE = (
    "goal: take {x} from {y}\nsteps:\n- do: go to {y}\n- do: open {y}\n- do: take {x} from {y}\n"
)
_CALL = (
    "goal: ask {person} for a date\nsteps:\n- do: ring {person}\n- do: hang up politely at once\n"
)


def test_duplicates_in_other_words_fall_below_the_threshold_and_others_do_not() -> None:
    texts = [_TAKE, _TAKE.replace("take", "pick"), _CALL]
    likeness = {(0, 1): 0.8, (0, 2): 0.3, (1, 2): 0.28}
    found = fit_theta_dup(texts, [(20, 1), (18, 1), (9, 3)], lambda i, j: likeness[i, j], 0.85)
    assert 0.3 < found < 0.8


def test_what_is_used_in_bursts_is_kept_by_recency() -> None:
    """Uses come in runs of one name; the most frequent names of the past are of no more use."""
    rng = random.Random(2)
    uses = [("old", True)] * 40 + [("older", True)] * 40
    for burst in range(40):
        uses += [(f"n{burst}", True), (f"m{burst}", rng.random() < 0.9)] * 4
    recency, frequency = RetentionWeights(0.0, 0.0, 1.0), RetentionWeights(0.0, 1.0, 0.0)
    assert hit_rate(uses, 6, recency) > hit_rate(uses, 6, frequency) + 0.2
    fitted = fit_retention_weights(uses, 6, RetentionWeights())
    assert hit_rate(uses, 6, fitted) >= hit_rate(uses, 6, RetentionWeights())
    assert hit_rate(uses, 6, fitted) == pytest.approx(hit_rate(uses, 6, recency), abs=0.02)


def test_room_for_all_keeps_all() -> None:
    assert hit_rate([("a", True), ("b", True)] * 9, 2, RetentionWeights()) == 1.0
    assert hit_rate([], 2, RetentionWeights()) == 1.0


def test_settings_of_a_library_are_read() -> None:
    method = Method.from_settings(
        {
            "preset": "paper",
            "rule": "ucb",
            "prior": [2, 3],
            "capacity": {"procedures": 7},
            "thresholds": {"theta_conf": 0.2, "theta_dup": 0.7},
            "weights": {"cost_failure": 0.9, "recency": 1.0},
            "failures": {"capacity": 4},
        }
    )
    assert method.preset.name == "paper"
    assert method.preset.weights.theta_conf == 0.2
    assert method.preset.weights.cost_failure == 0.9
    assert (method.rule, method.prior, method.retention) == (Rule.UCB, (2.0, 3.0), "paper")
    assert (method.procedures, method.metas, method.theta_dup) == (7, 50, 0.7)
    assert method.retention_weights.recency == 1.0
    assert method.failures.capacity == 4
    assert Method.from_settings({}) == Method()


def test_an_empirical_prior_is_fitted_to_the_evidence() -> None:
    method = Method.from_settings({"prior": "empirical"})
    alpha, beta = method.prior_from([(19.0, 1.0), (18.0, 2.0), (20.0, 0.0), (17.0, 3.0)] * 3)
    assert alpha / (alpha + beta) == pytest.approx(0.925, abs=0.02)
    assert Method().prior_from([(1.0, 9.0)] * 20) == (1.0, 1.0)


def test_an_empirical_prior_follows_the_evidence_while_a_library_is_played(tmp_path) -> None:
    library = make_library(tmp_path / "lib", prior="empirical")
    with LibrarySession.open(library.path) as session:
        before = session.knowledge()
        for step in range(1, 8):
            row = Outcome("r", step, "procedure", f"fetch-{step}", 1, "success", 9.0, 1.0, "2026")
            session.ledger.record([row])
        after = session.with_new_evidence(before)
        assert before.prior == (1.0, 1.0)
        assert after.prior[0] > 5 * after.prior[1]
        assert after.prior == session.knowledge().prior


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"preset": "papers"}, "settings.preset"),
        ({"rule": "best"}, "settings.rule"),
        ({"prior": [0, 1]}, "settings.prior"),
        ({"prior": "flat"}, "settings.prior"),
        ({"retention": "all"}, "settings.retention"),
        ({"weights": {"cost_failure": -1}}, "settings.weights"),
        ({"failures": {"capacity": 0}}, "settings.failures"),
        ({"failures": {"size": 3}}, "settings.failures"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path, settings, named) -> None:
    with pytest.raises(LibraryError, match=named):
        make_library(tmp_path / "lib", **settings)
