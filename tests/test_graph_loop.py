"""Whole episodes through the loop: winning, checkpoints, resuming, streaming, rules."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from invented_worlds import Burrow, ListedBurrow, ListedRuin, Ruin, burrow_task, ruin_task
from langgraph.checkpoint.memory import InMemorySaver
from macla.graph.build import create_macla_graph, recursion_limit
from macla.graph.context import LoopSettings
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.method.presets import PRESETS
from macla.procedures.method.utility import Candidate, Rule, best_first, score
from scripted_world import FIRST, TASK, Scripted, context, knowledge

UNSEEN = range(1000, 1030)
STEPS = ("retrieve", "score", "check_pre", "execute", "check_post", "update", "refine")


@pytest.mark.parametrize("world", [Burrow, ListedBurrow])
def test_unseen_burrows_are_won(burrow, world):
    states = [burrow.play(world(), burrow_task(seed)) for seed in UNSEEN]
    assert all(state["won"] for state in states)
    assert sum(len(state["history"]) for state in states) / len(states) < 9
    assert all(state["counters"]["fallback_actions"] == 0 for state in states)


@pytest.mark.parametrize("world", [Ruin, ListedRuin])
def test_unseen_ruins_are_won(ruin, world):
    """Phrases as entities, instructions read from a notice, rooms to be explored."""
    states = [ruin.play(world(), ruin_task(seed)) for seed in UNSEEN]
    assert all(state["won"] for state in states)
    assert sum(len(state["history"]) for state in states) / len(states) < 14


def test_the_same_seed_plays_the_same_episode(burrow):
    first, second = (burrow.play(Burrow(), burrow_task(1001), run="r") for _ in range(2))
    assert first == second


def start(environment, task, run="r"):
    text, observation = environment.reset(task)
    return {"task": text, "observation": observation, "run": run}


def config(thread="t", horizon=50):
    return {"configurable": {"thread_id": thread}, "recursion_limit": recursion_limit(horizon)}


@pytest.mark.parametrize(
    ("name", "world", "task"),
    [
        ("burrow", Burrow, burrow_task(1003)),
        ("ruin", ListedRuin, ruin_task(1003)),
    ],
)
def test_every_action_is_a_superstep_of_plain_values(request, name, world, task):
    small = request.getfixturevalue(name)
    environment = world()
    graph = create_macla_graph().compile(checkpointer=InMemorySaver())
    lengths = []
    for state in graph.stream(
        start(environment, task),
        config(),
        context=small.context(environment),
        stream_mode="values",
        durability="sync",
    ):
        assert json.loads(json.dumps(state)) == state
        lengths.append(len(state.get("history") or []))
    assert all(later - earlier in (0, 1) for earlier, later in pairwise(lengths))
    assert lengths[-1] >= 3
    kept = [len(s.values.get("history") or []) for s in graph.get_state_history(config())]
    assert set(kept) == set(range(lengths[-1] + 1))


@pytest.mark.parametrize(
    ("name", "world", "make"),
    [
        ("burrow", Burrow, burrow_task),
        ("burrow", ListedBurrow, burrow_task),
        ("ruin", Ruin, ruin_task),
        ("ruin", ListedRuin, ruin_task),
    ],
)
@pytest.mark.parametrize("seed", [1004, 1005])
def test_resumed_after_every_node_it_plays_as_if_never_stopped(request, name, world, make, seed):
    """A context that lives one superstep: all that the next needs is in the state."""
    small = request.getfixturevalue(name)
    task = make(seed)
    whole = small.play(world(), task, run="r")
    environment = world()
    graph = create_macla_graph().compile(checkpointer=InMemorySaver())
    given: Any = start(environment, task)
    supersteps = 0
    with Ledger.memory() as ledger:
        while given is not None or graph.get_state(config()).next:
            state = graph.invoke(
                given,
                config(),
                context=small.context(environment, ledger=ledger),
                interrupt_after="*",
            )
            given = None
            supersteps += 1
        rows = {(row.subject, row.step, row.outcome) for row in ledger.rows()}
        assert ledger.total() >= len(rows) > 0
    assert supersteps > len(whole["history"])
    assert state == whole


def test_stopped_in_the_middle_and_resumed(burrow):
    """A process that dies between two supersteps, at each place where it may."""
    task = burrow_task(1006)
    whole = burrow.play(Burrow(), task, run="r")
    count = 1
    while True:
        environment = Burrow()
        graph = create_macla_graph().compile(checkpointer=InMemorySaver())
        stream = graph.stream(
            start(environment, task),
            config(),
            context=burrow.context(environment),
            stream_mode="updates",
            durability="sync",
        )
        for _ in range(count):
            next(stream, None)
        stream.close()
        if not graph.get_state(config()).next:
            break
        state = graph.invoke(None, config(), context=burrow.context(environment))
        assert state["history"] == whole["history"], count
        count += 3
    assert count > 10


def test_asynchronous_play_is_the_same(burrow):
    task = burrow_task(1007)
    environment = Burrow()
    given = start(environment, task)
    graph = create_macla_graph().compile()
    state = asyncio.run(graph.ainvoke(given, config(), context=burrow.context(environment)))
    assert state == burrow.play(Burrow(), task, run="r")


def test_several_at_once_in_one_loop(burrow):
    """Asynchronous episodes share the knowledge, each with a context of its own."""

    async def one(seed: int) -> dict[str, Any]:
        environment = Burrow()
        given = start(environment, burrow_task(seed), run=str(seed))
        graph = create_macla_graph().compile()
        return await graph.ainvoke(given, config(), context=burrow.context(environment))

    async def all_of_them() -> list[dict[str, Any]]:
        return await asyncio.gather(*(one(seed) for seed in range(1000, 1008)))

    for seed, state in zip(range(1000, 1008), asyncio.run(all_of_them()), strict=True):
        assert state == burrow.play(Burrow(), burrow_task(seed), run=str(seed))


def test_threads_share_one_knowledge(burrow):
    def one(seed: int) -> dict[str, Any]:
        return burrow.play(Burrow(), burrow_task(seed), run=str(seed))

    with ThreadPoolExecutor(4) as pool:
        parallel = list(pool.map(one, UNSEEN))
    assert parallel == [one(seed) for seed in UNSEEN]


def test_threads_write_one_ledger(burrow):
    with Ledger.memory() as ledger:

        def one(seed: int) -> dict[str, Any]:
            return burrow.play(Burrow(), burrow_task(seed), run=str(seed), ledger=ledger)

        with ThreadPoolExecutor(2) as pool:
            assert all(state["won"] for state in pool.map(one, range(1000, 1012)))
        assert len({row.run for row in ledger.rows()}) == 12
        counted = ledger.total()
        one(1000)  # the same run again
        assert ledger.total() == counted


def events(small, environment, given, **settings):
    graph = create_macla_graph().compile()
    chosen = LoopSettings(**settings)
    return list(
        graph.stream(
            given,
            config(),
            context=small.context(environment, settings=chosen),
            stream_mode="custom",
        )
    )


def test_the_nodes_are_the_seven_steps_of_the_method():
    """What else is done is done in one of them."""
    graph = create_macla_graph().compile().get_graph()
    assert tuple(node for node in graph.nodes if not node.startswith("__")) == STEPS
    edges = {(edge.source, edge.target) for edge in graph.edges}
    assert set(zip(("__start__", *STEPS), STEPS, strict=False)) <= edges
    assert ("refine", "retrieve") in edges
    assert {source for source, target in edges if target == "__end__"} == {"refine"}


def test_each_node_streams_what_it_decided(burrow):
    environment = Burrow()
    given = start(environment, burrow_task(1008))
    told = events(burrow, environment, given)
    told += list(
        create_macla_graph()
        .compile()
        .stream(
            {"task": TASK, "observation": FIRST, "horizon": 1},
            context=context(knowledge(), Scripted()),
            stream_mode="custom",
        )
    )
    assert {event["node"] for event in told} == {*STEPS, "fallback", "conclude"}
    assert all(isinstance(event["step"], int) for event in told)
    assert json.loads(json.dumps(told)) == told
    scores = [event for event in told if event["node"] == "score"]
    assert all(scores)
    assert {"utility", "alpha", "beta", "relevance"} <= scores[0]["candidates"][0].keys()
    acted = [event for event in told if event["node"] == "execute" and "action" in event]
    assert all({"action", "observation", "worked", "skipped"} <= event.keys() for event in acted)


def test_each_action_is_streamed_once(burrow):
    environment = Burrow()
    told = events(burrow, environment, start(environment, burrow_task(1009)))
    actions = [event["action"] for event in told if event.get("action")]
    whole = burrow.play(Burrow(), burrow_task(1009), run="r")
    assert actions == [entry[0] for entry in whole["history"]]


@pytest.mark.parametrize("horizon", [1, 2, 3, 5])
@pytest.mark.parametrize(
    ("name", "world", "make"),
    [
        ("burrow", Burrow, burrow_task),
        ("ruin", ListedRuin, ruin_task),
    ],
)
def test_the_horizon_is_kept(request, name, world, make, horizon):
    small = request.getfixturevalue(name)
    for seed in range(1000, 1004):
        state = small.play(world(), make(seed), horizon=horizon)
        assert len(state["history"]) <= horizon
        assert state["won"] or len(state["history"]) == horizon


@pytest.mark.parametrize("preset", sorted(PRESETS))
@pytest.mark.parametrize("rule", list(Rule))
def test_every_rule_and_preset_plays(burrow, preset, rule):
    settings = {"preset": PRESETS[preset], "rule": rule, "horizon": 20, "seed": 3}
    for seed in (1010, 1011):
        first, second = (
            burrow.play(Burrow(), burrow_task(seed), run="r", **settings) for _ in range(2)
        )
        assert first == second
        assert 1 <= len(first["history"]) <= 20
        if rule in (Rule.EXPECTED_UTILITY, Rule.UCB, Rule.THOMPSON) and preset == "default":
            assert first["won"]


def test_what_rules_and_presets_choose_differs():
    """Two plans of one goal: one worked 300 of 302 times, of the other little is known."""

    def chosen(preset="default", rule=Rule.EXPECTED_UTILITY, seed=0):
        known = [
            Candidate("usual", 0.8, 301.0, 3.0),
            Candidate("rare", 0.9, 2.0, 2.0),
            Candidate("new", 0.7, 1.0, 1.0),
        ]
        return [each.id for each in best_first(score(known, rule, preset, Random(seed)))]

    assert chosen() == ["usual", "rare", "new"]
    # As printed, evidence is punished: the entropy of what is well known is far below 0.
    assert chosen("printed") == ["rare", "usual", "new"]
    assert chosen(rule=Rule.SIMILARITY) == ["rare", "usual", "new"]
    drawn = {tuple(chosen(rule=Rule.RANDOM, seed=seed)) for seed in range(60)}
    assert len(drawn) == 6


def test_after_the_episode_the_learner_is_called_once(burrow):
    finished = []
    environment = Burrow()
    create_macla_graph().compile().invoke(
        start(environment, burrow_task(1013)),
        config(),
        context=burrow.context(environment, after_episode=finished.append),
    )
    (state,) = finished
    assert state["won"]
    assert state["history"]


def test_a_megabyte_from_the_world(burrow):
    class Wordy(Burrow):
        def step(self, action):
            observation, reward, done, info = super().step(action)
            return observation + " Blather on and on." * 55_000, reward, done, info

    state = burrow.play(Wordy(), burrow_task(1014), horizon=6)
    assert len(state["observation"]) > 1_000_000


def test_the_schemas_say_what_goes_in_and_what_comes_out():
    graph = create_macla_graph().compile()
    given = graph.get_input_jsonschema()
    assert given["properties"].keys() == {"task", "observation", "run", "horizon"}
    assert given["required"] == ["task", "observation"]
    end = graph.get_output_jsonschema()
    assert {"history", "won", "execution", "counters"} <= end["properties"].keys()
    assert {"attempt", "tried"} <= end["$defs"]["Execution"]["properties"].keys()
