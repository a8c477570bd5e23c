"""Failure contexts and the risk that follows from them."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.common.errors import MaclaError
from macla.procedures.evidence.failures import (
    FailureMemory,
    FailureSettings,
    context_similarity,
)

_features = st.frozensets(st.sampled_from("abcdef"), max_size=4)
_runs = st.lists(st.tuples(_features, st.booleans()), max_size=60)
WET, DRY = frozenset({"wet", "stone"}), frozenset({"dry", "wood"})


def remember(runs, settings=None) -> FailureMemory:
    memory = FailureMemory(settings=settings) if settings else FailureMemory()
    for features, worked in runs:
        memory = memory.after(features, worked=worked)
    return memory


@given(_runs, st.integers(1, 15))
def test_memory_is_bounded_and_risk_is_a_share(runs, capacity) -> None:
    memory = remember(runs, FailureSettings(capacity=capacity))
    assert len(memory.failures) <= capacity
    assert len(memory.tallies) <= 2 * capacity
    assert memory.runs == len(runs)
    for features, _ in runs:
        risk = memory.risk(features)
        assert risk is None or 0.0 <= risk <= 1.0
        assert 0.0 <= memory.paper_risk(features) <= 1.0


def test_risk_is_high_only_where_it_failed() -> None:
    memory = remember([(WET, False), (DRY, True), (WET, False), (DRY, True)])
    assert memory.risk(WET) == 1.0
    assert memory.risk(DRY) == 0.0
    assert memory.risk(frozenset({"never", "seen"})) is None
    assert memory.paper_risk(WET) == 1.0
    assert memory.paper_risk(DRY) == 0.0


def test_a_success_in_a_similar_context_takes_a_failure_away() -> None:
    memory = remember([(WET, False), (WET, False), (WET, True)])
    assert len(memory.failures) == 1
    assert len(memory.after(WET, worked=True).failures) == 0
    assert len(memory.after(DRY, worked=True).failures) == 1


def test_old_failures_fade() -> None:
    settings = FailureSettings(half_life=10)
    older = remember([(WET, False), (WET, True), *[(DRY, True)] * 50], settings)
    assert len(older.failures) == 0
    risk = remember([(WET, False), *[(DRY, True)] * 9, (WET, True)], settings).risk(WET)
    # A failure that is a half-life old, of weight 1/2, beside a success of weight 1.
    assert risk == pytest.approx(0.5 / 1.5)


@pytest.mark.parametrize("rate", [0.1, 0.3, 0.5, 0.7])
@pytest.mark.parametrize("contexts", [1, 12, 100])
def test_risk_is_on_average_the_rate_of_failure(rate, contexts) -> None:
    """Also where there are more contexts than are kept: what is forgotten does not depend on how
    it fared."""
    rng = random.Random(1)
    features = [frozenset({f"x={i}", f"y={i}"}) for i in range(contexts)]
    memory, risks = FailureMemory(), []
    for i in range(6000):
        here = rng.choice(features)
        risk = memory.risk(here)
        if i > 200 and risk is not None:
            risks.append(risk)
        memory = memory.after(here, worked=rng.random() >= rate)
    assert len(risks) > 1000
    assert sum(risks) / len(risks) == pytest.approx(rate, abs=0.03)


def test_risk_tells_contexts_with_different_rates_apart() -> None:
    rng = random.Random(2)
    memory = FailureMemory()
    for _ in range(4000):
        here, rate = rng.choice([(WET, 0.6), (DRY, 0.2)])
        memory = memory.after(here, worked=rng.random() >= rate)
    assert memory.risk(WET) == pytest.approx(0.6, abs=0.12)
    assert memory.risk(DRY) == pytest.approx(0.2, abs=0.12)


def test_what_says_least_goes_first() -> None:
    """Sixteen failures, fifteen of one sort: the rare sort is not the one to be forgotten."""
    rare = frozenset({"rare", "thing"})
    common = [frozenset({"common", "thing", str(i)}) for i in range(15)]
    memory = remember([(rare, False), *((each, False) for each in common)])
    assert len(memory.failures) == 15
    assert rare in {each.features for each in memory.failures}


@given(_features, _features)
def test_similarity_is_symmetric_and_one_for_the_same(first, second) -> None:
    assert context_similarity(first, second) == context_similarity(second, first)
    assert context_similarity(first, first) == 1.0
    assert 0.0 <= context_similarity(first, second) <= 1.0


@pytest.mark.parametrize("bad", [{"capacity": 0}, {"similar": 0.0}, {"half_life": 0.0}])
def test_settings_out_of_range_are_refused(bad) -> None:
    with pytest.raises(MaclaError, match="failure contexts"):
        FailureSettings(**bad)


def test_nothing_remembered_says_nothing() -> None:
    assert FailureMemory().risk(WET) is None
    assert FailureMemory().paper_risk(WET) == 0.0
