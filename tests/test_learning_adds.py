"""A file of another world is learned on top: what was won before is won after.

``python -m macla.evals.bench.small_files`` measures the same with twenty files.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from macla.adapters.session import LibrarySession
from macla.evals.cells import LibraryPlayer, WorldCell
from macla.evals.foreign_worlds import (
    Bomb,
    House,
    Yard,
    demonstrations,
    held_out_tasks,
    horizon,
)
from macla.evals.teaching import teach
from macla.procedures.learning.learner import learn
from macla.procedures.learning.worlds import learn_worlds
from macla.procedures.local.state import local_path

TASKS = held_out_tasks(12)


@pytest.fixture(scope="module")
def bombs(tmp_path_factory):
    """A library of plans, as its folder."""
    path = tmp_path_factory.mktemp("bombs") / "library"
    teach(path, demonstrations(Bomb, 30), domain="small")
    return path


def marks(path):
    world = Bomb()
    cell = WorldCell("bomb", (), TASKS, world, world, horizon(Bomb), lambda: "01"[world.is_won()])
    with LibrarySession.open(path, read_only=True) as session:
        return [each.mark for each in LibraryPlayer(session).play(cell)]


def grown(path, kind, count=17):
    """Learn another world's demonstrations into a copy of a library that this machine made."""
    teach(path, demonstrations(Bomb, 30), domain="small")
    teach(path, demonstrations(kind, count), domain="small")
    return path


@pytest.mark.parametrize("kind", [House, Yard], ids=lambda kind: kind.__name__)
def test_what_another_world_teaches_costs_nothing(bombs, kind, tmp_path):
    alone = marks(bombs)
    assert alone.count("1") >= 9
    assert marks(grown(tmp_path / "library", kind)) == alone


def test_a_clone_keeps_its_evidence_when_it_learns_of_another_world(tmp_path):
    path = tmp_path / "library"
    teach(path, demonstrations(Bomb, 30), domain="small")
    before = evidence(path)
    local_path(path, "demonstrations.jsonl").unlink()
    teach(path, demonstrations(Yard, 17), domain="small")
    after = evidence(path)
    assert before
    assert {key: after.get(key) for key in before} == before


def test_the_same_episodes_again_count_once_in_a_clone(tmp_path):
    path = tmp_path / "library"
    teach(path, demonstrations(Bomb, 30), domain="small")
    before = evidence(path)
    local_path(path, "demonstrations.jsonl").unlink()
    teach(path, demonstrations(Bomb, 30), domain="small")
    assert evidence(path) == before


def evidence(path):
    with LibrarySession.open(path, read_only=True) as session:
        counts = session.knowledge().counts
    return {key: sums for key, sums in counts.items() if key[0] in ("procedure", "meta")}


def test_each_world_is_learned_as_if_it_were_alone():
    bombs, yard = demonstrations(Bomb, 12), demonstrations(Yard, 8)
    alone, joint = learn(bombs), learn_worlds([*yard, *bombs])
    assert alone.procedures.items() <= joint.procedures.items()
    assert alone.metas.items() <= joint.metas.items()
    assert len(joint.metas) == len(alone.metas) + len(learn(yard).metas)
    assert joint.episodes == 20


def test_two_worlds_may_have_things_of_one_name():
    bombs, yard = demonstrations(Bomb, 12), demonstrations(Yard, 8)
    renamed = [replace(e, acts=[a.replace("crate", "box") for a in e.acts]) for e in yard]
    joint = learn_worlds([*bombs, *renamed])
    runs = {
        place["run"] for meta in joint.metas.values() for place in meta["plan"] if "run" in place
    }
    assert runs <= joint.procedures.keys()
    assert all(name == document["id"] for name, document in joint.procedures.items())
    assert joint.procedures.keys().isdisjoint(joint.metas)
