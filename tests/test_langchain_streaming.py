"""Memory's answers are heard as a chat model's: events, tokens, tags, no usage."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.callbacks import UsageMetadataCallbackHandler
from langchain_core.tracers.run_collector import RunCollectorCallbackHandler
from macla.adapters.langchain.middleware import MaclaMiddleware
from tool_planner import TAUGHT, Bank, Planner, ask

ASKED: Any = {"messages": [("user", "Close the account of Dan.")]}
SAID = "The account of Dan is closed."


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Any]:
    """One that memory answers for."""
    macla, bank = MaclaMiddleware(tmp_path / "library", audit=0), Bank()
    ask(macla, bank.tools, *TAUGHT)
    macla.accept()
    yield create_agent(Planner(plan=Bank.plan), bank.tools, middleware=[macla])
    macla.memory.close()


def test_tokens_stream_and_no_message_is_told_twice(agent: Any) -> None:
    parts = [chunk for chunk, _ in agent.stream(ASKED, stream_mode="messages")]
    said = [part.text for part in parts if part.type == "AIMessageChunk"]
    assert "".join(said) == SAID
    assert len([text for text in said if text]) == 6
    assert not [part for part in parts if part.type == "ai"]
    called = [c["name"] for p in parts for c in getattr(p, "tool_call_chunks", [])]
    assert called == ["find", "close"]


def test_events_are_those_of_a_chat_model(agent: Any) -> None:
    async def events() -> list[Any]:
        return [event async for event in agent.astream_events(ASKED, version="v2")]

    told = [each for each in asyncio.run(events()) if each["event"].startswith("on_chat_model")]
    assert {each["event"] for each in told} == {
        "on_chat_model_start", "on_chat_model_stream", "on_chat_model_end",
    }  # fmt: skip
    assert {each["name"] for each in told} == {"from memory"}
    assert all("macla" in each["tags"] for each in told)
    assert all(each["metadata"]["ls_provider"] == "macla" for each in told)
    assert len([each for each in told if each["event"] == "on_chat_model_end"]) == 3


@pytest.mark.parametrize("asynchronous", [False, True])
def test_traces_name_memory_and_count_no_tokens(agent: Any, asynchronous: bool) -> None:
    usage, runs = UsageMetadataCallbackHandler(), RunCollectorCallbackHandler()
    config: Any = {"callbacks": [usage, runs]}
    invoke = lambda: asyncio.run(agent.ainvoke(ASKED, config))  # noqa: E731
    end = invoke() if asynchronous else agent.invoke(ASKED, config)
    last = end["messages"][-1]
    assert (last.text, last.usage_metadata["total_tokens"]) == (SAID, 0)
    assert last.response_metadata["macla"]["program"].startswith("close-the-account-of@")
    assert sum(each["total_tokens"] for each in usage.usage_metadata.values()) == 0
    (root,) = runs.traced_runs

    def names(run: Any) -> list[str]:
        own = [run.name] if run.run_type in ("llm", "chat_model") else []
        return own + [name for child in run.child_runs for name in names(child)]

    assert names(root) == ["from memory"] * 3
