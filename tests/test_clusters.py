"""Clusters of words and equivalent names of two schemas."""

from __future__ import annotations

import doctest
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.adapters.embeddings import load_embeddings
from macla.graph.knowledge import Knowledge
from macla.procedures.conditions.language import parse_condition
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.learning.analysis import read
from macla.procedures.learning.learner import learn
from macla.procedures.learning.ontology_document import word_counts
from macla.procedures.learning.store_learned import planned, store
from macla.procedures.library.library import Library
from macla.procedures.method.settings import Method
from macla.procedures.model.procedure import Cluster, MetaProcedure, Ontology, Procedure
from macla.procedures.model.semantics import check_ontology
from macla.procedures.planning.episode_memory import EpisodeMemory
from macla.procedures.planning.search_statistics import SEARCH, VISITS, SearchEvidence, pair
from macla.procedures.planning.synonym_linking import stand_ins
from macla.procedures.tooling.renamed_arguments import renamed_arguments
from macla.procedures.words import word_clusters as module
from macla.procedures.words.lexicon import Lexicon
from macla.procedures.words.similarity import ExactSimilarity, TextSimilarity
from macla.procedures.words.word_clusters import Clusters, equivalent_names, reworded, word_clusters
from scullery_world import SculleryTask, scullery_demonstration


@pytest.fixture(scope="module")
def similarity() -> TextSimilarity:
    return TextSimilarity(load_embeddings("static"))


def test_words_that_mean_the_same_are_grouped_and_others_are_not(similarity) -> None:
    counts = Counter({"mug": 9, "cup": 3, "lettuce": 5, "sofa": 4, "couch": 6, "desk lamp": 1})
    assert word_clusters(counts, similarity) == [("mug", "cup"), ("couch", "sofa")]


def test_a_compound_and_a_word_in_it_are_kept_apart() -> None:
    counts = Counter({"desk": 9, "desklamp": 8, "paper": 7, "toilet paper": 6, "desks": 5})
    found = word_clusters(counts, lambda first, second: 0.9)
    assert any({"desk", "desks"} <= set(words) for words in found)
    for words in found:
        assert not {"desk", "desklamp"} <= set(words)
        assert not {"paper", "toilet paper"} <= set(words)


def test_words_that_only_hold_a_sentence_together_are_not_counted() -> None:
    trajectory = Trajectory(
        "Find two mugs and put them on some shelf",
        ("There is a mug 1.", "You have the mug 1."),
        ("take mug 1",),
        success=True,
    )
    lexicon = Lexicon(numbered=True, kinds=["mug", "shelf", "some"], frames=["take {0}"])
    counts = word_counts([read(trajectory, lexicon)], lexicon)
    assert set(counts) == {"mug", "mugs", "find", "put", "shelf", "some"}


def test_only_the_most_frequent_words_are_looked_at(similarity) -> None:
    counts = Counter({"mug": 9, "lettuce": 5, "cup": 3})
    assert word_clusters(counts, similarity, most=2) == []


@given(
    st.lists(st.lists(st.floats(-1, 1), min_size=6, max_size=6), min_size=6, max_size=6),
    st.floats(0.0, 1.0),
)
def test_all_pairs_of_a_cluster_reach_the_threshold(table, threshold) -> None:
    words = "abcdef"

    def similar(first: str, second: str) -> float:
        i, j = sorted((words.index(first), words.index(second)))
        return table[i][j]

    groups = word_clusters(dict.fromkeys(words, 1), similar, threshold=threshold)
    seen = [word for group in groups for word in group]
    assert len(seen) == len(set(seen))
    for group in groups:
        assert len(group) > 1
        for i, first in enumerate(group):
            for second in group[:i]:
                assert similar(first, second) >= threshold - 1e-6


def test_mates_are_the_others_of_the_cluster() -> None:
    clusters = Clusters([("mug", "cup"), ("sofa", "couch", "cup")])
    assert clusters.mates("mug") == ("cup",)
    assert clusters.mates("cup") == ("mug",)
    assert clusters.mates("sofa") == ("couch", "cup")
    assert clusters.mates("lamp") == ()


def test_names_of_two_schemas_are_matched_one_to_one(similarity) -> None:
    found = equivalent_names(
        ["customer_id", "amount", "note"], ["clientId", "note", "colour"], similarity
    )
    assert found == {"customer_id": "clientId", "note": "note"}
    assert equivalent_names([], ["a"], similarity) == {}


def test_a_phrase_has_the_mates_of_its_words() -> None:
    clusters = Clusters([("mug", "cup"), ("red mug", "crimson mug")])
    assert clusters.mates("blue cup") == ("blue mug",)
    assert clusters.mates("red mug") == ("crimson mug",)


def test_only_unknown_words_are_replaced() -> None:
    clusters = Clusters([("clean", "wash", "rinse"), ("hot", "warm")])
    replacements = clusters.replacements({"clean", "rinse", "a"})
    assert replacements == {"wash": "clean"}
    assert reworded("Wash a washer, then rinse it", replacements) == "clean a washer, then rinse it"
    assert reworded("Wash it", {}) == "Wash it"


@given(st.dictionaries(st.text("abc", min_size=1), st.text("xyz", min_size=1)), st.text("abc "))
def test_no_word_that_is_to_be_replaced_is_left(replacements, text) -> None:
    told = reworded(text, replacements).split()
    assert told == [replacements.get(word, word) for word in text.split()]


def test_what_is_wrong_with_clusters_is_told() -> None:
    ontology = Ontology.from_document(
        {
            "clusters": [
                {"name": "a", "words": ["mug", "cup"]},
                {"name": "a", "words": ["pot"]},
                {"name": "b", "words": ["pan", "cup"]},
                {"name": "c", "words": ["lid"], "locked": True},
            ]
        }
    )
    assert [(i.severity, i.path) for i in check_ontology(ontology)] == [
        ("error", ("clusters", 1, "name")),
        ("warning", ("clusters", 1, "words")),
        ("warning", ("clusters", 2, "words", 1)),
    ]


# --------------------------------------------------------------------------- learning
def demonstrations(kinds=("mug", "cup", "plate"), count=20):
    return [
        scullery_demonstration(SculleryTask(i, kinds[i % len(kinds)], kinds[i % len(kinds)]))
        for i in range(count)
    ]


def words(learned) -> list[list[str]]:
    return [entry["words"] for entry in learned.ontology.get("clusters", [])]


def test_kinds_and_words_of_tasks_are_grouped(similarity) -> None:
    learned = learn(demonstrations(), similarity)
    assert words(learned) == [["cup", "mug"]]
    assert words(learn(demonstrations()[::-1], similarity)) == [["cup", "mug"]]
    assert words(learn(demonstrations())) == []
    assert words(learn(demonstrations(), ExactSimilarity())) == []
    assert words(learn(demonstrations(), similarity, theta_sim=0.9)) == []
    assert words(learn(demonstrations(), similarity, k_vocab=0)) == []


def test_the_settings_reach_the_learner() -> None:
    method = Method.from_settings({"thresholds": {"theta_sim": 0.7, "k_vocab": 50}})
    assert (method.theta_sim, method.k_vocab) == (0.7, 50)
    assert (Method().theta_sim, Method().k_vocab) == (module.THETA_SIM, module.K_VOCAB)


def test_locked_clusters_outlive_learning(tmp_path, similarity) -> None:
    library = Library.create(tmp_path / "library", domain="scullery", embedding="static")
    learned = learn(demonstrations(), similarity)
    locked = (Cluster("vessel", ("mug", "beaker"), locked=True), Cluster("alone", ("cup",), True))
    with Ledger.memory() as ledger:
        store(library, ledger, learned)
        assert [c.words for c in library.ontology.clusters] == [("cup", "mug")]
        edited = replace(library.ontology, clusters=(*library.ontology.clusters, *locked))
        library.write_all(ontology=edited)
        store(library, ledger, learned)
    assert Library.open(library.path).ontology.clusters == locked[::-1]  # in order of names


def test_a_learned_cluster_changes_by_new_words_alone(tmp_path) -> None:
    library = Library.create(tmp_path / "library", domain="scullery", embedding="static")

    def clusters_after(*groups: tuple[str, ...]) -> list[tuple[str, ...]]:
        learned = learn(demonstrations())
        learned.ontology["clusters"] = [{"name": g[0], "words": list(g)} for g in groups]
        store(library, ledger, learned)
        return [each.words for each in library.ontology.clusters]

    with Ledger.memory() as ledger:
        assert clusters_after(("cup", "mug")) == [("cup", "mug")]
        # Nearer to another word, as more are known; then as it was.
        assert clusters_after(("mug", "beaker")) == [("cup", "mug")]
        assert clusters_after(("mug", "cup", "tumbler")) == [("cup", "mug", "tumbler")]
        assert clusters_after(("mug", "can", "tin")) == [("can", "tin"), ("cup", "mug", "tumbler")]
        assert clusters_after() == [("can", "tin"), ("cup", "mug", "tumbler")]


def test_answers_that_showed_success_stay(tmp_path) -> None:
    library = Library.create(tmp_path / "library", domain="scullery", embedding="static")
    learned = learn(demonstrations())
    name, operator = next(i for i in learned.ontology["operators"].items() if "outcomes" in i[1])
    (frame, answers), *_ = operator["outcomes"].items()
    with Ledger.memory() as ledger:
        for outcomes in ([*answers, "Click."], answers, ["Clack."]):
            learned.ontology["operators"][name]["outcomes"] = {frame: list(outcomes)}
            store(library, ledger, learned)
    told = library.ontology.operators[name].extra["outcomes"][frame]
    assert list(told) == [*answers, "Click.", "Clack."]


def test_a_locked_cluster_takes_its_words_out_of_learned_ones(tmp_path) -> None:
    library = Library.create(tmp_path / "library", domain="scullery", embedding="static")
    library.write_all(ontology=Ontology(clusters=(Cluster("x", ("mug", "beaker"), True),)))
    learned = learn(demonstrations())
    group = ["mug", "cup", "goblet"]
    learned.ontology["clusters"] = [
        {"name": "mug", "words": group},
        {"name": "x", "words": ["a", "b"]},
    ]
    clusters = planned(library, learned).ontology.clusters
    assert [(c.name, c.words) for c in clusters] == [
        ("a", ("a", "b")),
        ("cup", ("cup", "goblet")),
        ("x", ("mug", "beaker")),
    ]


# --------------------------------------------------------------------------- use
LEXICON = Lexicon(
    numbered=True,
    kinds=["mug", "glass", "shelf"],
    frames=["take {0} from {1}"],
    clusters=Clusters([("mug", "cup"), ("glass", "mug")]),
)


def memory(text: str) -> EpisodeMemory:
    return EpisodeMemory(LEXICON, "Bring a cup.", text)


def test_a_kind_never_met_may_be_its_mates() -> None:
    condition = parse_condition('kind({x}) in ["mug"]')
    seen = memory("A cup 1, a mug 1, a glass 1, a lamp 1.")
    values = [
        condition.evaluate(seen, {"x": f"{k} 1"}).value for k in ("mug", "cup", "glass", "lamp")
    ]
    assert values == [True, None, False, False]
    assert "may be mug" in condition.evaluate(seen, {"x": "cup 1"}).because
    assert parse_condition('not kind({x}) in ["mug"]').evaluate(seen, {"x": "cup 1"}).value is None


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("A cup 1 and a mug 1.", "cup", [{}]),  # it is there
        ("A mug 1.", "cup", [{"x": "mug"}, {}]),  # the library never met a cup
        ("A shelf 1.", "cup", [{}]),  # nothing stands in for it
        ("A cup 1.", "mug", [{}, {"x": "cup"}]),  # the library knows mugs: they come first
        ("A mug 1.", "lamp", [{}]),
    ],
)
def test_what_stands_in_for_a_word(text, word, expected) -> None:
    assert stand_ins({"x": word}, memory(text)) == expected


def test_what_was_dealt_with_goes_on_standing_in() -> None:
    seen = memory("A cup 1 and a shelf 1.")
    seen.add("take cup 1 from shelf 1", "You take it.", worked=True)
    assert stand_ins({"x": "mug"}, seen) == [{"x": "cup"}, {}]


def test_a_kind_never_sought_is_sought_where_its_mates_were() -> None:
    counts = {
        (SEARCH, pair("mug", "shelf")): (9.0, 1.0),
        (SEARCH, pair("mug", "drawer")): (0.0, 10.0),
        (SEARCH, pair("cupboard", "drawer")): (9.0, 1.0),
        (VISITS, "shelf"): (10.0, 0.0),
        (VISITS, "drawer"): (10.0, 0.0),
    }

    def letters(first: str, second: str) -> float:
        return float(first[:3] == second[:3])

    misled = SearchEvidence(counts, letters)
    told = SearchEvidence(counts, letters, Clusters([("mug", "cup")]))
    assert misled.probability("cup", "shelf") < misled.probability("cup", "drawer")
    assert told.probability("cup", "shelf") == told.probability("mug", "shelf")
    assert told.probability("cup", "shelf") > told.probability("cup", "drawer")
    assert told.probability("mug", "shelf") == misled.probability("mug", "shelf")


def test_a_task_is_asked_and_read_in_the_words_of_goals() -> None:
    metas = [
        MetaProcedure.from_document(
            {"kind": "meta", "id": name, "version": 1, "goal": goal,
             "parameters": {"a": {"source": "task"}},
             "plan": [{"follow": "task"}]}
        )
        for name, goal in (("clean", "clean the {a}"), ("fill", "fill the {a}"))
    ]  # fmt: skip
    lexicon = Lexicon(
        numbered=True, kinds=["mug"], frames=[], clusters=Clusters([("clean", "wash")])
    )
    known = Knowledge(
        procedures={}, metas={meta.id: meta for meta in metas}, lexicon=lexicon, counts={},
        retriever=None, similarity=ExactSimilarity(), outcomes={},
    )  # fmt: skip
    assert known.query("Wash the mug") == "clean the mug"
    clean, fill = (known.fit(meta, ("wash", "the", "mug")) for meta in metas)
    assert clean.fillers == fill.fillers == {"a": "mug"}
    said = known.fit(metas[0], ("clean", "the", "mug")).cost
    assert clean.cost - said < 0.2 * (fill.cost - said)


def test_a_word_of_another_procedure_speaks_against_a_plan_that_does_not_run_it() -> None:
    goals = {"take": "take the {a}", "rinse": "rinse the {a}", "rinse-cold": "rinse the {a}"}

    def cost(plan: list[str], *others: str, said: str = "find two mug rinse") -> float:
        procedures = {
            name: Procedure.from_document(
                {"kind": "procedure", "id": name, "version": 1, "goal": goal,
                 "parameters": {"a": {"source": "goal"}}, "steps": [{"do": f"{name} {{a}}"}]}
            )
            for name, goal in goals.items() if name in (*plan, *others)
        }  # fmt: skip
        meta = MetaProcedure.from_document(
            {"kind": "meta", "id": "find", "version": 1, "goal": "find two {a}",
             "parameters": {"a": {"source": "task"}},
             "plan": [{"run": name, "with": {"a": "{a}"}} for name in plan]}
        )  # fmt: skip
        known = Knowledge(
            procedures=procedures, metas={"find": meta}, lexicon=Lexicon(
                numbered=True, kinds=["mug"], frames=[], clusters=Clusters(())
            ), counts={}, retriever=None, similarity=ExactSimilarity(), outcomes={},
        )  # fmt: skip
        return known.fit(meta, tuple(said.split())).cost

    plain = cost(["take"])
    assert cost(["take"], "rinse") == cost(["take"], "rinse", "rinse-cold") > plain + 2
    assert max(cost(["take", "rinse"]), cost(["take", "rinse"], "rinse-cold")) < plain + 2
    assert cost(["take"], "rinse", said="find two mug") <= plain


# --------------------------------------------------------------------------- tools
SCHEMA = {
    "properties": {"clientId": {}, "total": {}, "note": {}},
    "required": ["clientId"],
}


def test_renamed_arguments_are_told_only_as_a_whole(similarity) -> None:
    def renamed(given, schema=SCHEMA):
        return renamed_arguments(given, schema, similarity)

    assert renamed(["customer_id", "note"]) == {"customer_id": "clientId"}
    assert renamed(["customer_id", "amount"]) == {"customer_id": "clientId", "amount": "total"}
    assert renamed(["customer_id", "colour"]) == {}  # one has no name there
    assert renamed(["note", "amount"]) == {}  # the client is missing
    assert renamed(["clientId", "note"]) == {}  # nothing has changed
    assert renamed(["customer_id"], None) == {}
    assert renamed(["customer_id"], {"properties": 3}) == {}


def test_examples() -> None:
    assert doctest.testmod(module).failed == 0
