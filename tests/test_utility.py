"""Expected utility, selection rules and the pruning utility."""

from __future__ import annotations

import math
import time
import timeit
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.common.errors import MaclaError
from macla.procedures.evidence.posterior import differential_entropy, expected_information_gain
from macla.procedures.method.presets import PRESETS, Information, Preset, UtilityWeights
from macla.procedures.method.utility import (
    Candidate,
    RetentionWeights,
    Rule,
    best_first,
    expected_utility,
    retention_utility,
    score,
)

proven = Candidate("proven", 0.9, 3508, 1)
untested = Candidate("untested", 0.9, 1, 1)
units = st.floats(min_value=0, max_value=1)
candidates = st.builds(
    Candidate,
    st.text(max_size=5),
    units,
    st.floats(min_value=0.1, max_value=1e5),
    st.floats(min_value=0.1, max_value=1e5),
    units,
)


def test_as_printed_evidence_is_punished() -> None:
    """The figures of the design note: relevance 0.9, no risk."""
    paper = PRESETS["printed"]
    assert expected_utility(proven, paper).value == pytest.approx(0.18, abs=0.005)
    assert expected_utility(untested, paper).value == pytest.approx(0.45, abs=0.005)
    before = expected_utility(Candidate("", 0.9, 391, 1), paper).value
    after = expected_utility(Candidate("", 0.9, 401, 1), paper).value
    assert before > paper.weights.theta_conf > after


def test_by_default_evidence_is_rewarded() -> None:
    assert expected_utility(proven).value > 0.89 > expected_utility(untested).value


def test_formula() -> None:
    weights = UtilityWeights(reward_max=2.0, cost_failure=0.7, exploration=0.3)
    preset = Preset("mine", Information.GAIN, weights)
    result = expected_utility(Candidate("a", 0.8, 6, 2, 0.25), preset)
    gain = expected_information_gain(6, 2)
    assert result.rate == 0.75
    assert result.reward == pytest.approx(0.8 * 0.75 * 2.0)
    assert result.cost == pytest.approx(0.25 * 0.25 * 0.7)
    assert result.bonus == pytest.approx(0.3 * gain)
    assert result.value == pytest.approx(result.reward - result.cost + result.bonus)


def test_paper_preset_uses_the_entropy() -> None:
    result = expected_utility(Candidate("a", 1.0, 10, 3), PRESETS["printed"])
    assert result.bonus == pytest.approx(0.1 * -0.8176, abs=1e-5)
    assert result.bonus == pytest.approx(0.1 * differential_entropy(10, 3))


@given(candidates)
def test_default_bonus_is_never_negative(candidate: Candidate) -> None:
    assert expected_utility(candidate).bonus >= 0
    assert expected_utility(candidate, Preset("gain", Information.GAIN)).bonus >= 0


@given(st.lists(candidates, max_size=6), st.sampled_from(Rule), st.sampled_from(sorted(PRESETS)))
def test_every_rule_keeps_order_and_adds_up(given_: list[Candidate], rule: Rule, name: str) -> None:
    scores = score(given_, rule, name, Random(1))
    assert [each.id for each in scores] == [each.id for each in given_]
    for each in scores:
        assert each.value == pytest.approx(each.reward - each.cost + each.bonus)
        assert 0 <= each.rate <= 1


def test_seeded_rules_repeat() -> None:
    for rule in (Rule.THOMPSON, Rule.RANDOM):
        first = score([proven, untested], rule, rng=Random(7))
        assert first == score([proven, untested], rule, rng=Random(7))
        assert first != score([proven, untested], rule, rng=Random(8))


def test_thompson_prefers_the_better_but_tries_the_other() -> None:
    rng = Random(3)
    pair = [Candidate("good", 1.0, 9, 3), Candidate("new", 1.0, 1, 1)]
    wins = Counter(best_first(score(pair, "thompson", rng=rng))[0].id for _ in range(2000))
    assert wins["good"] > wins["new"] > 200


def test_ucb_is_optimistic_and_bounded() -> None:
    seen = score([Candidate("a", 1.0, 50, 50), Candidate("b", 1.0, 5, 5)], "ucb")
    assert best_first(seen)[0].id == "b"
    assert score([proven], Rule.UCB)[0].rate <= 1


def test_similarity_ignores_evidence_and_ties_go_by_id() -> None:
    tied = [Candidate("b", 0.7, 1, 9), Candidate("a", 0.7, 9, 1), Candidate("c", 0.8, 1, 99)]
    assert [each.id for each in best_first(score(tied, "similarity"))] == ["c", "a", "b"]


def test_random_is_uniform() -> None:
    rng = Random(5)
    wins = Counter(
        best_first(score([proven, untested], "random", rng=rng))[0].id for _ in range(2000)
    )
    assert 850 < wins["proven"] < 1150


@pytest.mark.parametrize("rule", ["thompson", "random"])
def test_chance_needs_a_seed(rule: str) -> None:
    with pytest.raises(MaclaError, match="seeded"):
        score([proven], rule)


@pytest.mark.parametrize(
    "bad",
    [
        Candidate("x", 1.1, 1, 1),
        Candidate("x", math.nan, 1, 1),
        Candidate("x", 0.5, 0, 1),
        Candidate("x", 0.5, 1, math.inf),
        Candidate("x", 0.5, 1, 1, -0.1),
    ],
)
@pytest.mark.parametrize("rule", list(Rule))
def test_numbers_out_of_range_are_refused(bad: Candidate, rule: Rule) -> None:
    with pytest.raises(MaclaError, match="'x'"):
        score([bad], rule, rng=Random(0))


def test_unknown_names_are_refused() -> None:
    with pytest.raises(MaclaError, match="choose one of default, paper, printed"):
        score([proven], preset="nice")
    with pytest.raises(MaclaError, match="thompson"):
        score([proven], "greedy")


@pytest.mark.parametrize("name", ["reward_max", "cost_failure", "exploration", "theta_conf"])
def test_impossible_weights_are_refused(name: str) -> None:
    with pytest.raises(MaclaError, match=name):
        UtilityWeights(**{name: math.nan})


def test_retention_utility() -> None:
    assert retention_utility(1, 1, 1) == pytest.approx(1)
    assert retention_utility(0.8, 0.5, 0.1) == pytest.approx(0.4 + 0.15 + 0.02)
    assert retention_utility(0.8, 0.5, 0.1, RetentionWeights(0, 0, 1)) == pytest.approx(0.1)
    with pytest.raises(MaclaError, match="frequency"):
        retention_utility(0.5, 1.5, 0)
    with pytest.raises(MaclaError, match="recency"):
        RetentionWeights(recency=-1)


@pytest.mark.speed
@pytest.mark.parametrize("name", sorted(PRESETS))
def test_one_candidate_takes_at_most_three_microseconds(name: str) -> None:
    preset = PRESETS[name]
    # Many short measurements: other work on the machine misses some of them.
    timer = timeit.Timer(lambda: expected_utility(untested, preset), timer=time.process_time)
    assert min(timer.repeat(number=500, repeat=100)) / 500 <= 3e-6
