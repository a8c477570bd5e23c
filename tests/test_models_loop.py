"""Episodes in which a model reads the task or acts: budget, evidence, resuming, failures."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from fake_ollama import kind_of_question
from invented_worlds import Burrow, burrow_task
from langgraph.checkpoint.memory import InMemorySaver
from macla.graph.budget import Budget, Meter
from macla.graph.build import create_macla_graph, recursion_limit
from macla.graph.context import LoopSettings, MaclaContext
from macla.procedures.common.errors import BudgetError
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.method.presets import PRESETS
from macla.procedures.programs.documents import ProgramFile
from scripted_world import TASK, Scripted, knowledge, meta, procedure
from test_models_reasoner import reasoner

PRIED = {"pry lid 1": ["You pry the lid 1."]}
READ = {"goal": 1, "fillers": {"a": "lid"}}
ODD = "Lever one of those off."
"""A task that no goal's words match; with the metas' similarity it is not trusted."""


def play(asks, environment, *, task=TASK, known=None, ledger=None, budget=None, horizon=6, **more):
    settings = LoopSettings(horizon=horizon, budget=budget or Budget())
    context = MaclaContext(
        known if known is not None else knowledge([procedure()], [meta()]),
        environment,
        asks,
        ledger,
        settings=settings,
        clock=lambda: "2026-11-20T10:00:00+00:00",
    )
    text, observation = environment.reset(task)
    graph = create_macla_graph().compile(**more)
    config = {
        "recursion_limit": recursion_limit(horizon),
        "configurable": {"thread_id": "t"},
    }
    state = {"task": text, "observation": observation, "run": "r"}
    return graph, state, context, config


def finish(*arguments, **options):
    graph, state, context, config = play(*arguments, **options)
    return graph.invoke(state, context=context, config=config)


def test_a_known_task_costs_a_hybrid_nothing():
    asks, model = reasoner(READ)
    state = finish(asks, Scripted(PRIED, "pry lid 1"))
    assert state["won"]
    assert model.asked == []
    assert state["counters"]["llm_calls"] == 0


def test_a_model_that_goes_first_reads_the_task_once():
    asks, model = reasoner(READ, reads_first=True)
    state = finish(asks, Scripted(PRIED, "pry lid 1"))
    assert state["won"]
    assert len(model.asked) == state["counters"]["llm_calls"] == 1
    assert state["counters"]["llm_tokens"] > 0
    assert state["counters"]["metas"] == ["pry-some@1"]


def test_a_hybrid_reads_what_symbols_cannot():
    asks, model = reasoner(READ)
    state = finish(asks, Scripted(PRIED, "pry lid 1"), task=ODD)
    assert state["won"]
    assert [entry[0] for entry in state["history"]] == ["pry lid 1"]
    assert state["counters"]["llm_calls"] == len(model.asked) == 1
    assert state["counters"]["fallback_actions"] == 0


def test_a_reading_is_followed_only_as_far_as_evidence_goes():
    failing = {
        ("procedure", "pry", 1, ""): (0.0, 40.0),
        ("meta", "pry-some", 1, ""): (0.0, 40.0),
    }
    known = knowledge([procedure()], [meta()], failing)
    asks, _ = reasoner(READ, {"action": "wait"})
    state = finish(asks, Scripted(PRIED, "wait"), task=ODD, known=known)
    assert [entry[0] for entry in state["history"]] == ["wait"]
    assert state["counters"]["fallback_actions"] == 1


def test_a_precondition_holds_for_a_reading_too():
    known = knowledge([procedure()], [meta(preconditions=['observed("It is night.")'])])
    asks, _ = reasoner(READ, {"action": "wait"}, reads_first=True)
    state = finish(asks, Scripted(PRIED, "wait"), task=ODD, known=known)
    assert [entry[0] for entry in state["history"]] == ["wait"]


def test_a_reading_that_fails_is_charged_and_the_model_is_asked_once_more():
    told = [READ, {"goal": None}, {"action": "wait"}, {"action": "dig"}]
    asks, model = reasoner(*told, reads_first=True)
    with Ledger.memory() as ledger:
        state = finish(asks, Scripted({}, "dig"), ledger=ledger, horizon=20)
        counts = ledger.counts()
    assert state["won"]
    assert counts["meta", "pry-some", 1, ""][0] == 0.0
    assert counts["meta", "pry-some", 1, ""][1] >= 1.0
    questions = [kind_of_question(messages) for messages in model.asked]
    assert questions == ["parse_task", "parse_task", "act", "act"]
    assert "(none)" in model.asked[0][1]["content"]
    assert "(none)" not in model.asked[1][1]["content"]


@pytest.mark.parametrize("calls", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("first", [False, True])
def test_no_episode_goes_beyond_its_budget(calls, first):
    asks, model = reasoner("no JSON at all", reads_first=first)
    state = finish(
        asks, Scripted({}), task=ODD, known=knowledge(), budget=Budget(calls=calls), horizon=8
    )
    assert len(model.asked) == state["counters"]["llm_calls"] == calls
    assert len(state["history"]) == 8  # symbols went on to the horizon
    assert state["done"] is False


@pytest.mark.parametrize("tokens", [0, 300, 900, 3000])
def test_no_episode_goes_beyond_its_tokens(tokens):
    asks, _ = reasoner(*[{"action": f"dig {i}"} for i in range(20)])
    state = finish(
        asks, Scripted({}), task=ODD, known=knowledge(), budget=Budget(50, tokens), horizon=8
    )
    assert state["counters"]["llm_tokens"] <= tokens
    assert len(state["history"]) == 8


def test_a_model_that_acts_wins():
    asks, _ = reasoner(*[{"action": f"dig {i}"} for i in range(20)])
    state = finish(asks, Scripted({"dig 2": ["Gold!"]}, "dig 2"), known=knowledge())
    assert state["won"]
    assert state["counters"]["llm_calls"] == 3
    assert state["counters"]["fallback_actions"] == 3


def test_a_resumed_episode_goes_on_with_its_budget():
    """The count of calls is part of the state: after a crash the cap is still the same."""
    asks, model = reasoner(*[{"action": f"dig {i}"} for i in range(20)])
    saver = InMemorySaver()
    world = Scripted({})
    graph, state, context, config = play(
        asks,
        world,
        known=knowledge(),
        budget=Budget(calls=3),
        checkpointer=saver,
        interrupt_after=["execute"],
    )
    state = graph.invoke(state, context=context, config=config)
    while state.get("route") != "end":
        asks, model = reasoner(*[{"action": f"dip {i}"} for i in range(20)])
        _, _, context, _ = play(asks, world, known=knowledge(), budget=Budget(calls=3))
        world.done = [entry[0] for entry in state["history"]]
        before = state["counters"]["llm_calls"]
        state = graph.invoke(None, context=context, config=config)
        assert len(model.asked) == state["counters"]["llm_calls"] - before
    assert state["counters"]["llm_calls"] == 3
    assert len(state["history"]) == 6
    json.dumps(state["counters"])


def test_the_paper_preset_has_a_model_too():
    asks, _ = reasoner(READ)
    graph, state, context, config = play(asks, Scripted(PRIED, "pry lid 1"), task=ODD)
    context.settings = LoopSettings(preset=PRESETS["printed"], horizon=6)
    assert graph.invoke(state, context=context, config=config)["won"]


def test_what_the_nodes_say_when_a_model_reads():
    asks, _ = reasoner(READ, reads_first=True)
    graph, state, context, config = play(asks, Scripted(PRIED, "pry lid 1"))
    events = list(graph.stream(state, context=context, config=config, stream_mode="custom"))
    assert events[0] == {
        "node": "parse_task",
        "step": 0,
        "llm_calls": 1,
        "ref": "pry-some@1",
        "goal": "pry some {a}",
        "fillers": {"a": "lid"},
    }


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize(
    "said", ["", "{}", '{"goal": 99}', RuntimeError("gone"), {"goal": None}, {"goal": 1}]
)
def test_a_broken_model_loses_nothing(burrow, said, first):
    """Known tasks are won as without a model, whatever it says, with two calls at most."""
    asks, _ = reasoner(said, reads_first=first)
    for seed in range(1000, 1006):
        text, observation = (world := Burrow()).reset(burrow_task(seed))
        context = MaclaContext(burrow.knowledge, world, asks)
        state = (
            create_macla_graph()
            .compile()
            .invoke(
                {"task": text, "observation": observation, "run": f"r{seed}"},
                context=context,
                config={"recursion_limit": recursion_limit(50)},
            )
        )
        assert state["won"]
        assert state["counters"]["llm_calls"] <= 2


def test_the_meter():
    meter = Meter(Budget(calls=2, tokens=100))
    meter.begin_call(50)
    meter.end_call(60)
    assert meter.tokens_left == 40
    with pytest.raises(BudgetError, match="40 of 100"):
        meter.begin_call(40)
    meter.begin_call(39)
    with pytest.raises(BudgetError, match="2 model calls"):
        meter.begin_call(1)
    meter.end_call(-5)
    assert (meter.calls, meter.tokens) == (2, 60)


PROGRAM = ProgramFile.from_document(
    {
        "kind": "program",
        "id": "pry-open",
        "version": 1,
        "goal": "Pry the {1} open.",
        "parameters": {"thing": {"source": "task", "slot": 1}},
        "steps": [{"id": "pry", "do": "pry {thing} 1"}],
    }
)


def with_program():
    known = knowledge([procedure()], [meta()])
    counts = {**known.counts, ("program", PROGRAM.id, 1, ""): (30.0, 0.0)}
    return replace(known, programs={PROGRAM.id: PROGRAM}, counts=counts)


def test_a_model_says_a_task_in_the_words_of_a_program():
    asks, model = reasoner({"goal": 1, "fillers": {"1": "lid"}})
    state = finish(asks, Scripted(PRIED, "pry lid 1"), task=ODD, known=with_program())
    assert state["won"]
    assert [entry[0] for entry in state["history"]] == ["pry lid 1"]
    assert state["readings"]["meaning"] == "Pry the lid open."
    assert len(model.asked) == 1
    assert "1. Pry the {1} open." in model.asked[0][1]["content"]


def test_a_reading_that_comes_to_nothing_is_asked_about_again_and_is_no_fault_of_the_program():
    told = [{"goal": 1, "fillers": {"1": thing}} for thing in ("cup", "lid")]
    asks, model = reasoner(*told)
    world = Scripted(PRIED, "pry lid 1")
    with Ledger.memory() as ledger:
        state = finish(asks, world, task=ODD, known=with_program(), ledger=ledger)
        good, bad = ledger.counts()["program", PROGRAM.id, 1, ""]
    assert state["won"]
    assert [entry[0] for entry in state["history"]] == ["pry cup 1", "pry lid 1"]
    assert "Pry the cup open." in model.asked[1][1]["content"]
    assert (good, bad) == (1.0, 0.0)


def test_a_reading_that_is_rather_wrong_is_for_the_model():
    asks, model = reasoner(READ)
    state = finish(asks, Scripted(PRIED, "pry lid 1"), task="Please pry one lid quickly now.")
    assert state["won"]
    assert len(model.asked) <= 1
