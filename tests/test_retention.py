"""What is kept when memory is full: values against closed forms, choices that spare rare goals."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.common.errors import MaclaError
from macla.procedures.method.retention import Item, discounted_value, keep
from scipy.integrate import quad


def test_value_is_the_integral_of_discounted_uses() -> None:
    rate, delta, success = (9.0 + 1.0) / (200.0 + 100.0), 0.01, 0.8
    worth, _ = quad(lambda t: rate * math.exp(-delta * t), 0.0, math.inf)
    expected = worth * (success * 1.0 - 0.2 * 0.5)
    assert discounted_value(success, 9.0, 200.0, 0.0) == pytest.approx(expected)


def test_value_fades_with_idleness_and_turns_negative_for_what_mostly_fails() -> None:
    used = discounted_value(0.9, 50, 500, 0)
    assert discounted_value(0.9, 50, 500, 100) == pytest.approx(used * math.exp(-1.0))
    assert discounted_value(0.2, 50, 500, 0) < 0.0 < discounted_value(0.9, 0, 500, 500)


@pytest.mark.parametrize(
    "bad", [(1.1, 0, 0, 0), (math.nan, 0, 0, 0), (0.5, -1, 0, 0), (0.5, 0, math.inf, 0)]
)
def test_numbers_out_of_range_are_refused(bad) -> None:
    with pytest.raises(MaclaError):
        discounted_value(*bad)


_items = st.lists(st.tuples(st.floats(-5, 5), st.sampled_from("abc")), max_size=30).map(
    lambda rows: [Item(f"p{i}", value, cluster) for i, (value, cluster) in enumerate(rows)]
)


@given(_items, st.integers(0, 12))
def test_capacity_is_used_in_full_and_never_exceeded(items, capacity) -> None:
    assert len(keep(items, capacity)) == min(capacity, len(items))


@given(_items, st.integers(3, 12))
def test_no_goal_is_forgotten_while_there_is_room(items, capacity) -> None:
    kept = keep(items, capacity)
    clusters = {item.cluster for item in items}
    assert {item.cluster for item in items if item.id in kept} == clusters


@given(_items, st.integers(0, 12))
def test_within_a_goal_the_better_stays(items, capacity) -> None:
    kept = keep(items, capacity)
    for gone in (item for item in items if item.id not in kept):
        for stays in (item for item in items if item.id in kept and item.cluster == gone.cluster):
            assert stays.value >= gone.value


def test_what_is_protected_stays_even_beyond_the_capacity() -> None:
    items = [Item("a", 1.0), Item("b", 2.0), Item("c", -9.0)]
    assert keep(items, 1, protected={"b", "c"}) == {"b", "c"}
    assert keep(items, 2, protected={"c"}) == {"b", "c"}
