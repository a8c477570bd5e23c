"""Idle actions: what is done by chance is told from what a goal needs."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.learning.analysis import Episode
from macla.procedures.learning.idle import chance_of_evenness, idle_frames
from macla.procedures.trajectories import Trajectory


def episode(goal: str, *frames: str) -> Episode:
    told = Trajectory(goal, ("",) * (len(frames) + 1), frames, success=True)
    return Episode(told, tuple((frame, ()) for frame in frames), ((),) * len(told.obs), goal, ())


WAY = [f"step {i}" for i in range(12)]


def anywhere(rng: random.Random, *frames: str) -> list[str]:
    """Put frames between the steps of the way, each anywhere."""
    found = list(WAY)
    for frame in frames:
        found.insert(rng.randrange(1, len(found)), frame)
    return found


def test_what_is_done_by_chance_is_idle() -> None:
    rng = random.Random(0)
    told = [
        episode(goal, *anywhere(rng, *["hum"] * rng.choice([0, 0, 1, 2, 3])))
        for goal in ("gift", "meal")
        for _ in range(40)
    ]
    assert idle_frames(told) == {"hum"}


def test_what_one_goal_needs_is_not_idle_however_often_it_was_tried_elsewhere() -> None:
    rng = random.Random(0)
    gifts = [episode("gift", *anywhere(rng, "wrap")) for _ in range(30)]
    meals = [episode("meal", *WAY) for _ in range(4)]
    tried = episode("meal", *anywhere(rng, *["wrap"] * 15))
    assert idle_frames([*gifts, *meals, tried]) == frozenset()
    spared = episode("gift", *WAY)
    assert idle_frames([*gifts, spared, *meals, tried]) == {"wrap"}


def exact(uses: list[int]) -> float:
    """By counting all ways in which so many uses fall into so many episodes."""
    total, count = sum(uses), len(uses)

    def spread(counts: list[int]) -> float:
        return sum((n - total / count) ** 2 for n in counts)

    ways = list(itertools.product(range(count), repeat=total))
    as_even = sum(spread([way.count(i) for i in range(count)]) <= spread(uses) for way in ways)
    return as_even / len(ways)


@pytest.mark.parametrize("uses", [[1, 1], [1, 1, 1], [1, 1, 1, 1], [2, 2, 2], [1, 1, 1, 1, 1]])
def test_evenness_that_cannot_be_greater_is_exact(uses: list[int]) -> None:
    assert chance_of_evenness(uses) == pytest.approx(exact(uses))


@pytest.mark.parametrize("uses", [[1, 1, 1, 2], [1, 1, 1, 1, 3], [0, 1, 1, 2]])
def test_evenness_else_is_about_right(uses: list[int]) -> None:
    assert chance_of_evenness(uses) == pytest.approx(exact(uses), abs=0.35)


@given(st.lists(st.integers(0, 9), min_size=2, max_size=12).filter(any))
def test_evenness_is_a_probability_in_any_order(uses: list[int]) -> None:
    chance = chance_of_evenness(uses)
    assert 0 <= chance <= 1
    assert chance_of_evenness(uses[::-1]) == pytest.approx(chance)
