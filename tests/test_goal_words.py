"""Goals in people's words: the lexicon, its readings, and whole episodes in other words."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from invented_worlds import Burrow, BurrowTask, burrow_demonstration, burrow_task
from macla.adapters.scramble import Scrambler
from macla.graph.build import create_macla_graph, recursion_limit
from macla.procedures.common.errors import TrajectoryError
from macla.procedures.episodes.trajectories import Trajectory, read_trajectories, write_trajectories
from macla.procedures.learning.goal_words import fit_weights
from macla.procedures.library.library import Library
from macla.procedures.model.procedure import Ontology
from macla.procedures.tasks.goal_interpretation import GoalReader, plan_roles
from macla.procedures.words.goal_lexicon import ALWAYS, GoalLexicon, features, likeness

UNSEEN = range(1000, 1030)
_CALLED = {
    "zib": ("oogle", "oog"),
    "mokka": ("fennet", "fen pot"),
    "trell": ("brask",),
    "quorn": ("stilt", "wem"),
    "pliv": ("aunder",),
    "snarf": ("dibble",),
    "glurp": ("ledge",),
    "hesk": ("nook", "corner"),
    "dorn": ("tray",),
    "sploon": ("trough",),
}


def said(task: BurrowTask, seed: object) -> str:
    """Ask for it in words of which the world has none."""
    rng = Random(f"said/{seed}")
    thing, place = rng.choice(_CALLED[task.thing]), rng.choice(_CALLED[task.place])
    wish = rng.choice(["Would you stow", "Kindly stow", "Have"])
    clean = rng.choice(["a swabbed", "one wiped"]) if task.goal == "rinse" else "a"
    return f"{wish} {clean} {thing} on the {place}"


class Asked(Burrow):
    """The burrow, asked for in people's words."""

    words = staticmethod(lambda text: text)

    def reset(self, task: BurrowTask) -> tuple[str, str]:
        _, observation = super().reset(task)
        return self.words(said(task, "now")), observation


def demonstrations(count: int) -> list[Trajectory]:
    """Episodes with two sentences each that ask for the same."""
    return [
        replace(
            burrow_demonstration(seed),
            also=tuple(said(burrow_task(seed), (seed, k)) for k in range(2)),
        )
        for seed in range(count)
    ]


@pytest.fixture(scope="module")
def worded(learn_small):
    return learn_small(demonstrations(60))


def test_features_are_words_and_pairs():
    assert features("Stow it, stow it!") == (
        *(ALWAYS, "stow", "it", "^ stow", "stow it", "it stow", "it ^"),
    )


_things = st.dictionaries(st.text(min_size=1, max_size=3), st.integers(1, 9), max_size=5)


@given(_things, _things)
def test_likeness_is_symmetric_and_one_for_the_same(first, second):
    value = likeness(first, second)
    assert value == likeness(second, first)
    assert 0.0 <= value <= 1.0
    assert (value == 1.0) == (first == second)


def test_expected_counts_agree_with_observed_ones():
    """At the optimum of a logistic regression the unpenalised weights match moments."""
    rng = Random(0)
    meanings = [rng.choice("aab") for _ in range(400)]
    sentences = [("*", m if rng.random() < 0.7 else rng.choice("ab")) for m in meanings]
    weights = fit_weights(sentences, meanings)
    scores = np.array(
        [[sum(weights[m].get(f, 0.0) for f in each) for m in "ab"] for each in sentences]
    )
    shares = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    assert shares.mean(axis=0)[0] == pytest.approx(meanings.count("a") / 400, abs=0.01)


def test_a_sentence_in_other_words_is_carried_out(worded):
    states = [worded.play(Asked(), burrow_task(seed)) for seed in UNSEEN]
    assert sum(state["won"] for state in states) >= 28
    assert sum(state["won"] and not state["readings"]["refuted"] for state in states) >= 25


def test_templates_are_read_as_before(worded, burrow):
    for seed in UNSEEN:
        with_words, without = (
            small.play(Burrow(), burrow_task(seed)) for small in (worded, burrow)
        )
        assert with_words["won"] == without["won"]
        assert not with_words["readings"]["refuted"]


def test_it_works_with_every_word_replaced(learn_small):
    scrambler = Scrambler(3)

    class Invented(Asked):
        words = staticmethod(scrambler.text)

        def reset(self, task):
            text, observation = super().reset(task)
            return text, scrambler.text(observation)

        def step(self, action):
            observation, *rest = super().step(scrambler.unscramble(action))
            return scrambler.text(observation), *rest

    small = learn_small([scrambler.trajectory(t) for t in demonstrations(60)])
    states = [small.play(Invented(), burrow_task(seed)) for seed in UNSEEN]
    assert sum(state["won"] for state in states) >= 28


def test_readings_are_ranked_and_probable(worded):
    reader = worded.knowledge.reader
    ranked = reader.readings("Kindly stow a swabbed oogle on the tray", {"dorn": 1}, {"dorn"})
    assert ranked[0].fillers == {"a": "zib", "b": "dorn"}
    assert sum(reading.probability for reading in ranked) == pytest.approx(1.0)
    assert all(a.probability >= b.probability for a, b in pairwise(ranked))


@pytest.mark.parametrize(
    ("kind", "name"),
    [("wum", "wum"), ("wum pak", "wumpak"), ("wum pak dol", "wum pak dol"),
     ("wumpakdolfi", "wum pak dol fi"), ("wum pak dol fi", "wumpak dolfi")],
)  # fmt: skip
def test_a_kind_that_was_never_asked_for_is_known_by_a_name_of_any_length(worded, kind, name):
    known = worded.knowledge
    reader = GoalReader(known.goals, known.metas, [*known.lexicon.kinds, kind])
    here = {kind: 1, "dorn": 1}
    asked = reader.readings(f"Kindly stow a {name} on the tray", here, here)
    assert kind in {each.fillers["a"] for each in asked}
    unasked = reader.readings("Kindly stow a wum-pak pakdol on the tray", here, here)
    assert kind not in {each.fillers["a"] for each in unasked}


def test_a_sentence_is_compared_with_the_vocabulary_once(worded):
    compared: list[tuple[str, str]] = []

    def similarity(one: str, other: str) -> float:
        compared.append((one, other))
        return 0.0

    known = worded.knowledge
    reader = GoalReader(known.goals, known.metas, known.lexicon.kinds, similarity)
    first = reader.readings("Kindly stow a wumpak on the tray", {"dorn": 1}, {"dorn"})
    assert compared
    compared.clear()
    assert reader.readings("Kindly stow a wumpak on the tray", {"dorn": 1}, {"dorn"}) == first
    assert not compared
    for number in range(1000):
        reader.readings(f"Kindly stow {number} zib", {"dorn": 1}, {"dorn"})
    assert len(reader._texts) < 1000


def test_each_reading_has_the_similarity_of_its_plan(worded):
    environment = Asked()
    text, observation = environment.reset(burrow_task(UNSEEN[0]))
    told = create_macla_graph().compile().stream(
        {"task": text, "observation": observation, "run": "r"},
        context=worded.context(environment),
        config={"recursion_limit": recursion_limit(50)},
        stream_mode="custom",
    )  # fmt: skip
    first = next(event for event in told if event["node"] == "retrieve")
    hits = worded.knowledge.retriever.search(text, 16, kind="meta")
    near = {hit.id: hit.similarity for hit in hits}
    found = {each["ref"].partition("@")[0]: each["similarity"] for each in first["candidates"]}
    assert found
    assert all(found[name] == pytest.approx(near[name], abs=1e-6) for name in found)
    assert any(abs(value) > 0.01 for value in found.values())


def test_a_kind_that_is_not_here_falls(worded):
    reader = worded.knowledge.reader
    sentence = "Would you stow a brask on the nook"
    here = {"hesk": 1, "dorn": 2}
    best = reader.readings(sentence, here, here)[0]
    assert best.fillers["b"] == "hesk"
    without = reader.readings(sentence, {"dorn": 2}, {"dorn"})[0]
    assert without.fillers == {"a": "trell", "b": "dorn"}


def test_what_was_tried_in_vain_comes_last(worded):
    class Odd(Asked):
        def reset(self, task):
            _, observation = super().reset(task)
            return "Would you stow a brask on the nook", observation

    wrong = [
        task
        for task in (burrow_task(seed, ("lodge",)) for seed in range(1000, 1200))
        if task.thing not in ("trell", "snarf") and task.place == "dorn"
    ]
    states = [worded.play(Odd(), task, horizon=40) for task in wrong[:8]]
    tried = [state["counters"]["metas"] for state in states]
    assert all(len(state["readings"]["refuted"]) > 1 for state in states if not state["won"])
    assert any(len(state["readings"]["refuted"]) > 1 for state in states), tried


def test_the_lexicon_stands_in_the_ontology(worded):
    library = Library.open(worded.path)
    goals = library.ontology.goals
    assert goals.plans.keys() <= library.metas.keys()
    assert set(goals.roles) == {
        role for plan in goals.plans for role in plan_roles(library.metas[plan]).values()
    }
    document = library.ontology.to_document()
    assert Ontology.from_document(document).to_document() == document
    assert GoalLexicon.from_document(document["goals"]) == goals


def test_learning_again_gives_the_same_file(worded, learn_small):
    again = learn_small(worded.trajectories)
    first, second = ((each.path / "ontology.yaml").read_bytes() for each in (worded, again))
    assert first == second


def test_without_sentences_nothing_is_read(burrow):
    assert not burrow.knowledge.reader
    assert not burrow.knowledge.goals
    assert not GoalReader(GoalLexicon(), {}, ())


def test_sentences_are_kept_in_files(tmp_path):
    file = tmp_path / "episodes.jsonl"
    written = demonstrations(2)
    write_trajectories(file, written)
    assert list(read_trajectories(file)) == written
    file.write_text(file.read_text().replace('"also": [', '"also": [7, ', 1))
    with pytest.raises(TrajectoryError, match=r"'also\.0' must be a text"):
        list(read_trajectories(file))
