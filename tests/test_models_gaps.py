"""A model fills what symbolic learning leaves open, and can spoil nothing of what it found."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from fake_ollama import cuts_and_abstracts
from gap_world import Shelf, episodes, swap
from macla.adapters.reasoners.gaps import fill_gaps, gaps_of
from macla.adapters.session import LibrarySession
from macla.graph.budget import Budget
from macla.graph.build import create_macla_graph, recursion_limit
from macla.graph.context import MaclaContext
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.learning.learner import learn
from macla.procedures.learning.store_learned import store
from macla.procedures.library.library import Library
from test_models_reasoner import Scripted, reasoner


class Answering(Scripted):
    """Answers each question by a function of it."""

    by: object

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        told = [{"role": m.type, "content": m.content} for m in messages]
        self.said = [self.by(told, {})]
        return super()._generate(messages)


def answering(by):
    asks, model = reasoner("")
    other = Answering(said=[""], asked=model.asked, by=by)
    asks._client._model = other
    return asks, other


@pytest.fixture(scope="module")
def learned():
    return learn(episodes())


def play(folder: Path, first: str, last: str):
    with LibrarySession.open(folder) as session:
        known = session.knowledge()
        world = Shelf()
        text, observation = world.reset((first, last))
        context = MaclaContext(known, world, session.reasoner(known))
        return (
            create_macla_graph()
            .compile()
            .invoke(
                {"task": text, "observation": observation},
                context=context,
                config={"recursion_limit": recursion_limit(50)},
            )
        )


def stored(folder: Path, learned) -> Path:
    Library.create(folder, domain="shelf", embedding="static")
    with LibrarySession.open(folder) as session:
        store(session.library, session.ledger, learned)
    return folder


def test_symbols_leave_a_gap(learned):
    assert [each.task for each in gaps_of(learned, episodes())] == [
        swap("cup", "jar").task,
        swap("pan", "pot").task,
    ]


def test_a_gap_is_filled_and_the_plan_wins(learned, tmp_path):
    asks, model = answering(cuts_and_abstracts)
    more, filled = fill_gaps(learned, episodes(), asks, maker="scripted")
    assert (filled.gaps, filled.asked, filled.plans, filled.procedures) == (2, 1, 1, 0)
    assert filled.calls == len(model.asked) == 1  # known procedures do all three segments
    assert gaps_of(more, episodes()) == []
    folder = stored(tmp_path / "library", more)
    library = Library.open(folder)
    [made] = [meta for meta in library.metas.values() if "abstracted_by" in meta.provenance]
    assert made.provenance["abstracted_by"] == "scripted"
    state = play(folder, "jar", "pan")  # things that were never swapped in the episodes
    assert state["won"]
    assert len(state["history"]) == 3
    assert state["counters"]["metas"] == [made.ref]


def test_without_it_no_plan_does_the_task(learned, tmp_path):
    state = play(stored(tmp_path / "library", learned), "jar", "pan")
    assert len(state["history"]) > 3


def test_what_symbols_learned_is_all_there_as_it_was(learned):
    before = copy.deepcopy((learned.procedures, learned.metas, learned.meta_counts))
    more, _ = fill_gaps(learned, episodes(), answering(cuts_and_abstracts)[0])
    assert (learned.procedures, learned.metas, learned.meta_counts) == before
    for old, new in (
        (learned.procedures, more.procedures),
        (learned.metas, more.metas),
        (learned.procedure_counts, more.procedure_counts),
        (learned.meta_counts, more.meta_counts),
        (learned.kind_counts, more.kind_counts),
    ):
        assert old.items() <= new.items()
    assert (more.ontology, more.search) == (learned.ontology, learned.search)


def drafts(change):
    """A model that makes one segment of an episode, and of it a draft that is then changed."""
    draft = {
        "goal": "swap {x} for {y}",
        "parameters": {"x": "cup 1", "y": "jar 1"},
        "steps": ["grab {x}", "ring bell 1", "hand over {y}"],
        "effect": "You hand over the {y}.",
    }

    def answer(messages, body):
        if "cut a recorded episode" in messages[0]["content"]:
            return json.dumps({"segments": [{"goal": "swap", "first": 1, "last": 3}]})
        return json.dumps(draft | change)

    return answer


@pytest.fixture(scope="module")
def unknown(learned):
    """What was learned, without the procedure for the episodes' last action."""
    rest = copy.copy(learned)
    rest.procedures = {k: v for k, v in learned.procedures.items() if k != "hand-over"}
    rest.procedure_counts = {
        name: counts for name, counts in learned.procedure_counts.items() if name != "hand-over"
    }
    rest.kind_counts = {
        key: count for key, count in learned.kind_counts.items() if key[0] != "hand-over"
    }
    rest.metas, rest.meta_counts = {}, {}
    return rest


def test_a_draft_becomes_a_procedure(unknown, tmp_path):
    more, filled = fill_gaps(unknown, [swap("cup", "jar")], answering(drafts({}))[0], maker="m")
    assert (filled.plans, filled.procedures, filled.calls) == (1, 1, 2)
    document = more.procedures["swap-for"]
    assert document["steps"] == [
        {"do": "grab {x}", "expect": ["You grab the {x}."], "unless": "done"},
        {"do": "ring bell 1", "expect": ["The bell 1 rings."], "unless": "done"},
        {"do": "hand over {y}", "expect": ["You hand over the {y}."]},
    ]
    assert document["postconditions"] == ['observed("You hand over the {y}.")']
    assert document["parameters"]["x"] == {"source": "choice", "kinds": ["cup"]}
    assert more.procedure_counts["swap-for"] == (1.0, 0.0)
    assert play(stored(tmp_path / "library", more), "pan", "cup")["won"]


def test_an_effect_that_was_not_seen_is_not_expected(unknown):
    made = drafts({"effect": "Thunder rolls over the {y}."})
    more, _ = fill_gaps(unknown, [swap("cup", "jar")], answering(made)[0])
    [document] = [each for name, each in more.procedures.items() if name == "swap-for"]
    assert document["postconditions"] == ['observed("You hand over the {y}.")']


def test_what_is_found_during_the_segment_is_searched_for(unknown):
    episode = Trajectory(
        task="fetch the gem",
        obs=("A chest 1.", "In the chest 1 lies a gem 1.", "You lift the gem 1."),
        acts=("unlatch chest 1", "lift gem 1"),
        success=True,
    )

    def answer(messages, body):
        if "cut a recorded episode" in messages[0]["content"]:
            return json.dumps({"segments": [{"goal": "fetch", "first": 1, "last": 2}]})
        return json.dumps(
            {
                "goal": "fetch {x}",
                "parameters": {"x": "gem 1", "place": "chest 1"},
                "steps": ["unlatch {place}", "lift {x}"],
                "effect": "You lift the {x}.",
            }
        )

    more, filled = fill_gaps(unknown, [episode], answering(answer)[0])
    assert filled.refused == ()
    assert more.procedures["fetch"]["parameters"] == {
        "x": {"source": "search", "via": "place", "kinds": ["gem"]},
        "place": {"source": "place", "kinds": ["chest"]},
    }


@pytest.mark.parametrize(
    "said",
    [
        "",
        "Of course! Which episode?",
        json.dumps({"segments": [{"goal": "x", "first": 3, "last": 9}]}),
        json.dumps({"segments": [{"goal": "x", "first": 1, "last": 3}]}),  # then no draft
        RuntimeError("gone"),
    ],
    ids=lambda said: str(said)[:24],
)
def test_a_model_that_is_no_help_adds_nothing(unknown, said):
    more, filled = fill_gaps(unknown, [swap("cup", "jar")], reasoner(said)[0])
    assert (more.procedures, more.metas) == (unknown.procedures, unknown.metas)
    assert more.procedure_counts == unknown.procedure_counts
    assert filled.plans == filled.procedures == 0
    assert filled.refused


@pytest.mark.parametrize(
    "change",
    [
        {"goal": "bad \u0007 bell {x} {y}"},
        {"steps": ["grab {x}", "hand over {y}", "hand over {y}"]},
        {"goal": "} {"},
    ],
)
def test_a_document_that_is_not_valid_is_not_taken(unknown, change):
    more, filled = fill_gaps(unknown, [swap("cup", "jar")], answering(drafts(change))[0])
    assert more.procedures == unknown.procedures
    assert filled.refused
    assert all(text.isprintable() for text in filled.refused)


def test_learning_has_its_own_hard_budget(unknown):
    asks, model = reasoner("no")
    _, filled = fill_gaps(unknown, [swap("cup", "jar")], asks, budget=Budget(calls=1))
    assert filled.calls == len(model.asked) == 1
