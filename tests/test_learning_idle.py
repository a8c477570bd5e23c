"""Idle actions: what is done by chance is told from what a goal needs."""

from __future__ import annotations

import random

import pytest
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.learning.analysis import Episode
from macla.procedures.learning.idle import idle_frames, needed_frames
from scipy.stats import fisher_exact


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


@pytest.mark.parametrize(
    ("goals", "elsewhere", "needed"), [(8, 0, True), (8, 6, True), (8, 30, False), (3, 5, False)]
)
def test_what_is_needed_is_told_by_fishers_exact_test(goals, elsewhere, needed) -> None:
    told = [episode("gift", "wrap")] * goals + [episode("meal", "wrap")] * elsewhere
    told += [episode("meal", "cook")] * (40 - elsewhere)
    table = [[goals, elsewhere], [0, 40 - elsewhere]]
    assert bool(fisher_exact(table, "greater").pvalue < 0.001) is needed
    assert (needed_frames(told, ["wrap"]) == {"wrap"}) is needed


def test_what_one_success_did_without_is_not_needed() -> None:
    told = [episode("gift", "wrap")] * 20 + [episode("gift", "cook")]
    assert needed_frames([*told, *[episode("meal", "cook")] * 40], ["wrap"]) == set()


def test_thousands_of_episodes_are_no_number_too_large() -> None:
    told = [episode("gift", "wrap")] * 600 + [episode("meal", "cook")] * 3000
    assert needed_frames(told, ["wrap"]) == {"wrap"}
