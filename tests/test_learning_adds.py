"""A file of another world is learned on top: what was won before is won after.

``python -m macla.evals.bench.small_files`` measures the same with twenty files.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from library_copies import copy_library
from macla.adapters.session import LibrarySession
from macla.adapters.teaching.teaching import teach
from macla.evals.cells import LibraryPlayer, WorldCell
from macla.evals.foreign_worlds import (
    Bomb,
    House,
    Yard,
    demonstrations,
    held_out_tasks,
    horizon,
)
from macla.procedures.learning.learner import learn
from macla.procedures.learning.several_worlds import learn_worlds
from macla.procedures.library.consistency import findings_of
from macla.procedures.library.library import Library
from macla.procedures.local.machine_folder import local_path
from mill_world import mill_demonstration

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


@pytest.fixture(scope="module")
def alone(bombs):
    """What the library of plans wins."""
    return marks(bombs)


@pytest.mark.parametrize("kind", [House, Yard], ids=lambda kind: kind.__name__)
def test_what_another_world_teaches_costs_nothing(bombs, alone, kind, tmp_path):
    assert alone.count("1") >= 9
    path = copy_library(bombs, tmp_path / "library")
    teach(path, demonstrations(kind, 17), domain="small")
    assert marks(path) == alone


@pytest.mark.parametrize(
    ("more", "same"),
    [(demonstrations(Yard, 17), False), (demonstrations(Bomb, 30), True)],
    ids=["another world", "the same again"],
)
def test_a_clone_keeps_its_evidence_and_counts_none_of_it_twice(bombs, more, same, tmp_path):
    path = copy_library(bombs, tmp_path / "library")
    before = evidence(path)
    local_path(path, "demonstrations.jsonl").unlink()
    teach(path, more, domain="small")
    after = evidence(path)
    assert before
    assert {key: after.get(key) for key in before} == before
    assert (after == before) == same


def test_each_world_is_learned_as_if_it_were_alone():
    bombs, yard = demonstrations(Bomb, 12), demonstrations(Yard, 8)
    alone, joint = learn(bombs), learn_worlds([*yard, *bombs], learn)
    (name,) = joint.ontology["worlds"]

    def placed(documents):
        return {key: {**each, "world": name} for key, each in documents.items()}

    assert placed(alone.procedures).items() <= joint.procedures.items()
    assert placed(alone.metas).items() <= joint.metas.items()
    assert len(joint.metas) == len(alone.metas) + len(learn(yard).metas)
    assert joint.episodes == 20
    words = {"kind": "ontology", "version": 1, **joint.ontology["worlds"][name]}
    assert words.pop("told")
    assert words == alone.ontology


def test_two_worlds_may_have_plans_of_one_name():
    def things(text):
        names = {"crate": "bale", "pallet": "dock", **dict(zip("1234", "pqrs", strict=True))}
        return re.sub("|".join(names), lambda match: names[match[0]], text)

    def deeds(text):
        verbs = {"lift": "hoist", "stack": "pile", "mix": "stir", "paint": "daub", "yard": "quay"}
        return things(re.sub("|".join(verbs), lambda match: verbs[match[0]], text))

    yard = demonstrations(Yard, 8)
    elsewhere = [
        replace(e, task=things(e.task), obs=[*map(deeds, e.obs)], acts=[*map(deeds, e.acts)])
        for e in yard
    ]
    alone = learn(yard)
    joint = learn_worlds([*yard, *elsewhere], learn)
    assert len(joint.metas) == len(alone.metas) + len(learn(elsewhere).metas)
    assert alone.metas.items() <= joint.metas.items()
    for documents in (joint.procedures, joint.metas):
        assert all(name == document["id"] for name, document in documents.items())
    places = [place for meta in joint.metas.values() for place in meta["plan"]]
    assert {place["run"] for place in places if "run" in place} <= joint.procedures.keys()
    assert joint.procedures.keys().isdisjoint(joint.metas)


def test_worlds_whose_things_are_named_in_two_ways_share_a_library(tmp_path):
    """Each has words of its own, and an episode's first observation tells which hold."""
    numbered, named = [mill_demonstration(i) for i in range(12)], demonstrations(Yard, 20)
    shapes = [learn(each).ontology["entities"]["shape"] for each in (numbered, named)]
    assert shapes == ["kind and number", "phrase"]
    path = tmp_path / "library"
    teach(path, [*numbered, *named], domain="small", without=("programs",))
    with LibrarySession.open(path, read_only=True) as session:
        known = session.knowledge()
        for shown, numbers in ((numbered, True), (named, False)):
            here = known.of(shown[0].task, shown[0].obs[0])
            assert here.lexicon.numbered is numbers
            assert {**here.metas}.keys() == {
                name for name, meta in session.library.metas.items() if meta.world == _world(here)
            }
            assert len(here.metas) == len(learn(shown).metas)
        assert findings_of(path, session.library.contents, []) == []


def test_worlds_keep_their_names_however_often_they_are_taught(tmp_path):
    path = tmp_path / "library"
    numbered, named = [mill_demonstration(i) for i in range(12)], demonstrations(Yard, 20)
    teach(path, [*numbered, *named], domain="small", without=("programs",))
    before = Library.open(path)
    teach(path, [*named, *numbered], domain="small", without=("programs",))
    after = Library.open(path)
    assert after.ontology == before.ontology
    assert after.metas == before.metas
    local_path(path, "demonstrations.jsonl").unlink()
    teach(path, demonstrations(Yard, 25)[20:], domain="small", without=("programs",))
    assert Library.open(path).ontology.by_world.keys() == before.ontology.by_world.keys()


def _world(knowledge):
    return next(iter(knowledge.metas.values())).world


def evidence(path):
    with LibrarySession.open(path, read_only=True) as session:
        counts = session.knowledge().counts
    return {key: sums for key, sums in counts.items() if key[0] in ("procedure", "meta")}
