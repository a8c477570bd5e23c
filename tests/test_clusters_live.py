"""Episodes whose tasks use other words than the world: won with clusters, lost without."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from macla.adapters.scramble import Scrambler, scramble_environment
from macla.adapters.session import LibrarySession
from macla.evals.foreign_worlds import ForeignTask, demonstration
from macla.evals.foreign_worlds.house import House
from macla.graph.build import create_macla_graph, recursion_limit
from macla.graph.context import MaclaContext
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.learning.learner import learn
from macla.procedures.learning.store_learned import store
from macla.procedures.library.library import Library
from macla.procedures.model.procedure import Cluster
from scullery_world import Scullery, SculleryTask, scullery_demonstration

GAMES = range(1000, 1006)
WITHOUT = frozenset({"ontology"})


class Taught:
    """A library learned with similarity of words, and perhaps clusters that a person added."""

    def __init__(
        self, path: Path, shown: Sequence[Trajectory], added: Sequence[tuple[str, ...]] = ()
    ) -> None:
        Library.create(path, domain="test", embedding="static")
        self.session = LibrarySession.open(path)
        library = self.session.library
        self.learned = learn(shown, self.session.similarity)
        store(library, self.session.ledger, self.learned)
        if added:
            clusters = tuple(Cluster(words[0], words, locked=True) for words in added)
            library.write_all(ontology=replace(library.ontology, clusters=clusters))

    def play(self, world: Any, task: Any, ablated: frozenset[Any] = frozenset()) -> dict[str, Any]:
        knowledge = self.session.knowledge(ablated=ablated)
        text, observation = world.reset(task)
        settings = self.session.loop_settings(horizon=30, ablated=ablated)
        reasoner = self.session.reasoner(knowledge)
        return (
            create_macla_graph()
            .compile()
            .invoke(
                {"task": text, "observation": observation},
                context=MaclaContext(knowledge, world, reasoner, settings=settings),
                config={"recursion_limit": recursion_limit(30)},
            )
        )

    def steps(self, tasks: Sequence[SculleryTask], ablated: Any = frozenset()) -> list[int | None]:
        """Return how many actions each task took, None where it was not solved."""
        states = [self.play(Scullery(), task, ablated) for task in tasks]
        return [len(state["history"]) if state["won"] else None for state in states]


def shown(kinds: Sequence[str], count: int = 30) -> list[Trajectory]:
    tasks = [SculleryTask(i, kinds[i % len(kinds)], kinds[i % len(kinds)]) for i in range(count)]
    return [scullery_demonstration(task) for task in tasks]


def tasks(thing: str, said: str, **changes: Any) -> list[SculleryTask]:
    return [SculleryTask(seed, thing, said, **changes) for seed in GAMES]


@pytest.fixture(scope="module")
def both_known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Taught]:
    """Some houses of the demonstrations have mugs and some have cups."""
    taught = Taught(tmp_path_factory.mktemp("both") / "library", shown(("mug", "cup", "plate")))
    yield taught
    taught.session.close()


def test_where_both_are_known_the_other_is_taken_when_nothing_else_is_left(both_known):
    assert [c.words for c in both_known.session.library.ontology.clusters] == [("cup", "mug")]
    solved = both_known.steps(tasks("mug", "cup"))
    assert None not in solved
    assert both_known.steps(tasks("mug", "cup"), WITHOUT) == [None] * len(GAMES)


def test_where_both_are_there_they_stay_two_things(both_known):
    there = tasks("mug", "mug", others=("cup", "plate"))
    solved = both_known.steps(there)
    assert None not in solved
    for task, number in zip(there, solved, strict=True):
        state = both_known.play(Scullery(), task)
        assert len(state["history"]) == number
        assert not [entry for entry in state["history"] if "cup" in entry[0]]


def test_a_word_that_the_library_never_met_is_understood_at_once(tmp_path):
    taught = Taught(tmp_path / "library", shown(("mug", "plate")), [("mug", "cup")])
    with taught.session:
        said, exact = taught.steps(tasks("mug", "cup")), taught.steps(tasks("mug", "mug"))
        assert said == exact
        assert None not in said
        assert taught.steps(tasks("mug", "cup"), WITHOUT) == [None] * len(GAMES)


def test_invented_words_are_no_hindrance(tmp_path):
    """Words without a meaning: whatever is grouped by their letters, all is won as before."""
    scrambler = Scrambler(7)
    demonstrations = [scrambler.trajectory(each) for each in shown(("mug", "cup", "plate"))]
    taught = Taught(tmp_path / "library", demonstrations)

    with taught.session:
        for task in tasks("mug", "mug", others=("cup", "plate")):
            assert taught.play(scramble_environment(Scullery(), scrambler), task)["won"]


class SaidOtherwise(House):
    """Rooms to be walked through; the tasks name things by words that no room's text has."""

    otherwise = (("lamp", "lantern"), ("rope", "cord"), ("basket", "hamper"), ("chest", "trunk"))

    def set_up(self) -> str:
        text = super().set_up()
        for word, other in self.otherwise:
            text = text.replace(f"the {word} ", f"the {other} ").replace(f" {word}.", f" {other}.")
        return text


def test_in_rooms_a_thing_is_found_by_another_word(tmp_path):
    houses = [demonstration(House(), f"train{i}") for i in range(20)]
    taught = Taught(tmp_path / "library", houses, SaidOtherwise.otherwise)
    games = [ForeignTask(f"play{i}", held_out=False) for i in range(8)]
    with taught.session:
        plain = [len(taught.play(House(), game)["history"]) for game in games]
        states = [taught.play(SaidOtherwise(), game) for game in games]
        assert all(state["won"] for state in states)
        assert [len(state["history"]) for state in states] == plain
        renamed = [g for g in games if House().reset(g)[0] != SaidOtherwise().reset(g)[0]]
        without = [taught.play(SaidOtherwise(), game, WITHOUT)["won"] for game in renamed]
        assert len(renamed) > 4
        assert sum(without) < len(renamed) / 2
