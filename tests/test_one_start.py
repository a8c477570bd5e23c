"""Rooms that all episodes begin in one of: moves are told, and led by, without any ornament."""

from __future__ import annotations

import pytest
from invented_hulk import Hulk, ListedHulk, hulk_demonstration, hulk_task
from macla.adapters.session import LibrarySession
from macla.adapters.teaching.teaching import teach
from macla.graph.build import create_macla_graph, recursion_limit
from macla.graph.context import MaclaContext

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
    assert [item["run"] for item in meta["plan"]] == ["heave", "stow-inside"]


def test_unseen_wrecks_are_won(wreck, tmp_path):
    small, shape = wreck
    teach(tmp_path / "wrecks", small.trajectories, domain="wrecks")
    graph = create_macla_graph().compile()
    with LibrarySession.open(tmp_path / "wrecks", read_only=True) as session:
        knowledge = session.knowledge()
        reasoner = session.reasoner(knowledge)
        for world in (Hulk(), ListedHulk()):
            context = MaclaContext(knowledge, world, reasoner)
            for seed in UNSEEN:
                task, observation = world.reset(hulk_task(seed, **shape))
                start = {"task": task, "observation": observation, "horizon": 40}
                limit = {"recursion_limit": recursion_limit(40)}
                assert graph.invoke(start, context=context, config=limit)["won"], (world, seed)
