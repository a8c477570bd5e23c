"""Rooms that all episodes begin in one of: moves are told, and led by, without any ornament."""

from __future__ import annotations

import pytest
from invented_hulk import Hulk, ListedHulk, hulk_demonstration, hulk_task

UNSEEN = range(1000, 1012)
SHAPES = [
    {"named": False, "titles": True},
    {"named": True, "titles": True},
    {"named": False, "titles": False},
    {"named": True, "titles": False},
]


@pytest.fixture(
    scope="module",
    params=SHAPES,
    ids=["bare, titles", "named, titles", "bare, sentences", "named, sentences"],
)
def wreck(request, learn_small):
    """A small library of one shape of wreck, and that shape."""
    shape = request.param
    return learn_small([hulk_demonstration(seed, **shape) for seed in range(30)]), shape


def test_moves_are_told(wreck):
    small, shape = wreck
    effects = {
        frame: operator["effect"]
        for operator in small.learned.ontology["operators"].values()
        for frame in operator["frames"]
    }
    moving = {frame for frame, effect in effects.items() if effect == "moves"}
    ways = {"clamber into the {0}"} if shape["named"] else {"fore", "aft", "port", "starboard"}
    assert moving == ways
    assert effects["heave {0}"] == effects["stow {0} inside {1}"] == "acts"


def test_ways_are_no_part_of_the_plan(wreck):
    small, _ = wreck
    (meta,) = small.learned.metas.values()
    assert [item["run"] for item in meta["plan"]] == ["heave@1", "stow-inside@1"]


@pytest.mark.parametrize("world", [Hulk, ListedHulk])
def test_unseen_wrecks_are_won(wreck, world):
    small, shape = wreck
    states = [small.play(world(), hulk_task(seed, **shape), horizon=40) for seed in UNSEEN]
    assert all(state["won"] for state in states)
