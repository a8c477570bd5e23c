"""Idle actions: what is done by chance is told from what a goal needs."""

from __future__ import annotations

import random

from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.learning.analysis import Episode
from macla.procedures.learning.idle import idle_frames


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
