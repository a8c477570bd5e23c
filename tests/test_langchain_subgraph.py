"""The loop as a node of a parent graph: shared messages, private state, resumption."""

from __future__ import annotations

import asyncio
import operator
import threading
from collections.abc import Iterator
from typing import Annotated, Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.store.memory import InMemoryStore
from langgraph.types import Command, interrupt
from macla.adapters.langchain.subgraph import create_macla_subgraph
from macla.adapters.resuming import Resuming, ResumingListed, resuming
from macla.graph.context import MaclaContext
from macla.procedures.common.errors import EnvironmentFailure, MaclaError
from macla.procedures.evidence.ledger import Ledger
from scripted_world import Scripted, context, knowledge, meta, procedure

ASKED = "Pry some lid."
OPENED = {"pry lid 1": ["You pry the lid 1."]}


class Parent(MessagesState):
    """A parent's state with something of its own."""

    log: Annotated[list[str], operator.add]


def parent_graph(subgraph: Any) -> StateGraph[Parent]:
    def before(state: Parent) -> dict[str, Any]:
        return {"log": ["before"]}

    graph = StateGraph(Parent)
    graph.add_node("before", before)
    graph.add_node("macla", subgraph.compile())
    graph.add_edge(START, "before")
    graph.add_edge("before", "macla")
    graph.add_edge("macla", END)
    return graph


def known() -> Any:
    return knowledge([procedure()], [meta()])


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with Ledger.memory() as opened:
        yield opened


def make(world: Any, ledger: Ledger | None = None, **changes: Any) -> Any:
    return create_macla_subgraph(lambda task: context(known(), world, ledger=ledger), **changes)


def asked() -> dict[str, Any]:
    return {"messages": [HumanMessage(ASKED)], "log": []}


def test_shares_messages_and_nothing_else(ledger: Ledger) -> None:
    world = Scripted(OPENED, wins="pry lid 1")
    end = parent_graph(make(world, ledger)).compile().invoke(asked())
    assert set(end) == {"messages", "log"}
    assert isinstance(end["messages"][-1], AIMessage)
    assert end["messages"][-1].content.startswith("Done, in 1 steps.")
    assert end["log"] == ["before"]
    assert world.done == ["pry lid 1"]
    assert ledger.counts("procedure") == {("procedure", "pry", 1, ""): (1.0, 0.0)}


def test_async_and_streams_of_the_inner_loop() -> None:
    world = Scripted(OPENED, wins="pry lid 1")
    graph = parent_graph(make(world)).compile()

    async def run() -> list[Any]:
        stream = graph.astream(asked(), stream_mode=["custom", "updates"], subgraphs=True)
        return [each async for each in stream]

    told = asyncio.run(run())
    nodes = [part["node"] for _, mode, part in told if mode == "custom"]
    assert nodes[:3] == ["retrieve", "score", "check_pre"]
    assert "execute" in nodes
    assert any(mode == "updates" and "macla" in part for _, mode, part in told)


def test_callbacks_reach_the_inner_loop() -> None:
    seen: list[str] = []

    class Watch(BaseCallbackHandler):
        def on_chain_start(self, serialized: Any, inputs: Any, **kwargs: Any) -> None:
            seen.append(str(kwargs.get("name")))

    world = Scripted(OPENED, wins="pry lid 1")
    parent_graph(make(world)).compile().invoke(asked(), {"callbacks": [Watch()]})
    assert {"before", "macla", "play", "execute", "check_post"} <= set(seen)


class Stop(BaseException):
    """What a killed process looks like from inside."""


LONG = {
    "pry lid 1": ["Nothing stirs."],
    "pry lid 2": ["You pry the lid 2."],
}


def long_world() -> Scripted:
    return Scripted(LONG, wins="pry lid 2", first="Before you: a lid 1 and a lid 2.")


@pytest.mark.parametrize("lasting", [True, False])
@pytest.mark.parametrize("where", ["after the action", "before the record", "after the record"])
def test_resumes_after_a_crash_without_repeating(
    ledger: Ledger, where: str, lasting: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = long_world()
    worlds: list[Scripted] = []

    def make_context(task: str) -> Any:
        worlds.append(shared if lasting else long_world())
        return context(known(), worlds[-1], ledger=ledger)

    graph = parent_graph(create_macla_subgraph(make_context, lasting=lasting)).compile(
        checkpointer=InMemorySaver(), store=InMemoryStore()
    )
    config = {"configurable": {"thread_id": "t"}}
    died: list[bool] = []
    record, step_after = MaclaContext.record, Resuming.step_after

    def recording(self: Any, state: Any, rows: Any) -> None:
        if where == "after the record":
            record(self, state, rows)
        if rows and not died and where != "after the action":
            died.append(True)
            raise Stop
        if where != "after the record":
            record(self, state, rows)

    def stepping(self: Any, history: Any, action: str) -> Any:
        told = step_after(self, history, action)
        if where == "after the action" and not died:
            died.append(True)
            raise Stop
        return told

    monkeypatch.setattr(MaclaContext, "record", recording)
    monkeypatch.setattr(Resuming, "step_after", stepping)
    with pytest.raises(Stop):
        graph.invoke(asked(), config)
    end = graph.invoke(None, config)
    assert end["messages"][-1].content.startswith("Done, in 2 steps.")
    assert end["log"] == ["before"]
    # Each world saw each action once at most; the lasting one saw all.
    assert all(world.done in ([], ["pry lid 1"], ["pry lid 1", "pry lid 2"]) for world in worlds)
    assert not lasting or shared.done == ["pry lid 1", "pry lid 2"]
    rows = list(ledger.rows("procedure"))
    assert [(row.successes, row.failures) for row in rows] == [(1.0, 0.0)]


def test_an_interrupt_in_the_world_is_answered_by_a_command(ledger: Ledger) -> None:
    class Careful(Scripted):
        def step(self, action: str) -> Any:
            if interrupt({"may I": action}) != "yes":
                return "Nothing stirs.", 0.0, False, {"won": False}
            return super().step(action)

    world = Careful(OPENED, wins="pry lid 1")
    graph = parent_graph(make(world, ledger, lasting=True)).compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}}
    stopped = graph.invoke(asked(), config)
    assert stopped["__interrupt__"][0].value == {"may I": "pry lid 1"}
    assert world.done == []
    end = graph.invoke(Command(resume="yes"), config)
    assert end["messages"][-1].content.startswith("Done")
    assert world.done == ["pry lid 1"]
    assert ledger.counts("procedure") == {("procedure", "pry", 1, ""): (1.0, 0.0)}


@pytest.mark.parametrize("lasting", [True, False])
@pytest.mark.parametrize("allowed", [True, False])
def test_a_person_allows_an_action(lasting: bool, allowed: bool) -> None:
    world = long_world()
    made = make(world, lasting=lasting, confirm=lambda action: action.endswith("2"))
    graph = parent_graph(made).compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}}
    stopped = graph.invoke(asked(), config)
    assert stopped["__interrupt__"][0].value == {"action": "pry lid 2", "task": ASKED}
    assert world.done == ["pry lid 1"]
    end = graph.invoke(Command(resume=allowed), config)
    assert end["messages"][-1].content.startswith("Done" if allowed else "Not done")
    assert ("pry lid 2" in world.done) == allowed


def test_a_lasting_world_is_the_one_that_was_reset(ledger: Ledger) -> None:
    class Late(Scripted):
        """Has nothing before its reset."""

        def reset(self, task: str) -> Any:
            self.ready = True
            return super().reset(task)

        def step(self, action: str) -> Any:
            assert self.ready
            return super().step(action)

    worlds: list[Late] = []

    def make_context(task: str) -> Any:
        worlds.append(Late(OPENED, wins="pry lid 1"))
        return context(known(), worlds[-1], ledger=ledger)

    graph = parent_graph(create_macla_subgraph(make_context, lasting=True)).compile()
    assert graph.invoke(asked())["messages"][-1].content.startswith("Done")
    assert [world.done for world in worlds if world.done] == [["pry lid 1"]]


def test_checkpoints_are_there_before_the_next_action(ledger: Ledger) -> None:
    """A saver that is slow does not fall behind the world, whatever the parent's durability."""
    saver = InMemorySaver()
    put, behind = saver.put, threading.Event()
    steps: list[int] = []

    class Slow(InMemorySaver):
        def put(self, *args: Any, **kwargs: Any) -> Any:
            behind.wait(0.01)
            return put(*args, **kwargs)

    class Watching(Scripted):
        def step(self, action: str) -> Any:
            inner = [c for c in saver.list(None) if "play" in str(c.config)]
            known_steps = [len(c.checkpoint["channel_values"].get("history") or []) for c in inner]
            steps.append(max(known_steps, default=0))
            return super().step(action)

    slow = Slow()
    slow.storage, slow.writes, slow.blobs = saver.storage, saver.writes, saver.blobs
    graph = parent_graph(make(Watching(LONG, wins="pry lid 2"), ledger, lasting=True))
    graph.compile(checkpointer=slow).invoke(asked(), {"configurable": {"thread_id": "t"}})
    assert steps == list(range(len(steps)))
    assert len(steps) > 1


def test_a_parent_that_comes_back_begins_another_episode(ledger: Ledger) -> None:
    class Slow(Scripted):
        """Gives up in its first episode."""

        def step(self, action: str) -> Any:
            told = super().step(action)
            return (told[0], 0.0, True, {"won": False}) if len(self.done) == 1 else told

    world = Slow({"pry lid 1": ["Nothing stirs.", "You pry the lid 1."]}, wins="pry lid 1")
    world.reset = lambda task: (task, world.first)  # type: ignore[method-assign]
    graph = StateGraph(MessagesState)
    graph.add_node("macla", make(world, ledger, lasting=True).compile())
    graph.add_edge(START, "macla")
    graph.add_conditional_edges(
        "macla", lambda s: END if s["messages"][-1].text.startswith("Done") else "macla"
    )
    compiled = graph.compile(checkpointer=InMemorySaver(), store=InMemoryStore())
    end = compiled.invoke({"messages": [HumanMessage(ASKED)]}, {"configurable": {"thread_id": "t"}})
    assert [m.text.split(",")[0] for m in end["messages"][1:]] == [
        "Not done. The last thing seen: Nothing stirs.",
        "Done",
    ]
    assert world.done == ["pry lid 1", "pry lid 1"]
    assert len({row.run for row in ledger.rows()}) == 2


def test_without_a_task_says_so() -> None:
    graph = make(Scripted()).compile()
    with pytest.raises(MaclaError, match="no message of the user"):
        graph.invoke({"messages": [AIMessage("hello")]})


class TestResuming:
    def test_a_repeated_step_is_answered_from_what_is_known(self) -> None:
        world = Scripted({"a": ["one", "two"]})
        wrapped = Resuming(world, "t", "r")
        wrapped.reset("t")
        assert wrapped.step_after([], "a")[0] == "one"
        assert wrapped.step_after([], "a")[0] == "one"
        assert wrapped.step_after([["a", "one", True]], "a")[0] == "two"
        assert world.done == ["a", "a"]

    def test_a_fresh_world_is_brought_to_where_the_history_ends(self) -> None:
        world = Scripted({"a": ["one", "two"]})
        wrapped = Resuming(world, "t", "r", first=world.first)
        assert wrapped.step_after([["a", "one", True]], "a")[0] == "two"

    def test_a_world_that_answers_otherwise_is_an_error(self) -> None:
        wrapped = Resuming(Scripted({"a": ["one"]}), "t", "r")
        with pytest.raises(EnvironmentFailure, match="cannot be built again"):
            wrapped.step_after([["a", "another", True]], "a")

    def test_the_store_keeps_answers_for_another_process(self) -> None:
        store = InMemoryStore()
        world = Scripted({"a": ["one", "two"]})
        first = Resuming(world, "t", "r", store, lasting=True)
        assert first.step_after([], "a")[0] == "one"
        second = Resuming(world, "t", "r", store, lasting=True)
        assert second.step_after([], "a")[0] == "one"
        assert world.done == ["a"]

    def test_another_action_than_the_one_that_is_done_is_refused(self) -> None:
        store, world = InMemoryStore(), Scripted({"a": ["one"], "b": ["two"]})
        Resuming(world, "t", "r", store, lasting=True).step_after([], "a")
        later = Resuming(world, "t", "r", store, lasting=True)
        with pytest.raises(
            EnvironmentFailure, match=r"action 1 was 'a', and it is done .* durability"
        ):
            later.step_after([], "b")
        assert world.done == ["a"]
        # A world that is built again has not seen it.
        fresh = Scripted({"a": ["one"], "b": ["two"]})
        assert Resuming(fresh, "t", "r", store).step_after([], "b")[0] == "two"

    def test_lists_what_is_possible_where_the_world_does(self) -> None:
        class Listed(Scripted):
            def admissible(self) -> list[str]:
                return ["a"]

        assert type(resuming(Scripted(), "t", "r")) is Resuming
        wrapped = resuming(Listed(), "t", "r")
        assert isinstance(wrapped, ResumingListed)
        assert wrapped.admissible() == ["a"]
