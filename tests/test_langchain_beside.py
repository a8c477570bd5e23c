"""Beside other middleware: memory learns and acts as without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import (
    ContextEditingMiddleware,
    HumanInTheLoopMiddleware,
    LLMToolSelectorMiddleware,
    ModelCallLimitMiddleware,
    ModelFallbackMiddleware,
    ModelRetryMiddleware,
    PIIMiddleware,
    SummarizationMiddleware,
    TodoListMiddleware,
    ToolCallLimitMiddleware,
    ToolRetryMiddleware,
)
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from macla.adapters.langchain.middleware import MaclaMiddleware
from tool_planner import TAUGHT, Bank, Planner

BESIDE: dict[str, Callable[[], Any]] = {
    "retry": lambda: ModelRetryMiddleware(max_retries=2),
    "tool retry": lambda: ToolRetryMiddleware(max_retries=2),
    "fallback": lambda: ModelFallbackMiddleware(Planner(plan=Bank.plan)),
    "model limit": lambda: ModelCallLimitMiddleware(run_limit=5),
    "tool limit": lambda: ToolCallLimitMiddleware(run_limit=5),
    "personal data": lambda: PIIMiddleware("email", strategy="redact", apply_to_input=True),
    "context": ContextEditingMiddleware,
    "todos": TodoListMiddleware,
    "summaries": lambda: SummarizationMiddleware(
        Planner(plan=lambda *_: "Accounts were closed."), trigger=("messages", 50)
    ),
}


@pytest.fixture
def macla(tmp_path: Path) -> Iterator[MaclaMiddleware]:
    made = MaclaMiddleware(tmp_path / "library", audit=0)
    yield made
    made.memory.close()


def closed(agent: Any, *names: str, config: Any = None) -> str:
    for name in names:
        end = agent.invoke({"messages": [("user", f"Close the account of {name}.")]}, config)
    return str(end["messages"][-1].text)


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("name", BESIDE)
def test_beside_others_it_saves_the_same_calls(
    macla: MaclaMiddleware, name: str, first: bool
) -> None:
    model, bank, other = Planner(plan=Bank.plan), Bank(), BESIDE[name]()
    middleware: list[Any] = [macla, other] if first else [other, macla]
    agent = create_agent(model, bank.tools, middleware=middleware)
    closed(agent, *TAUGHT)
    assert model.calls == 9
    assert len(macla.accept()) == 1
    assert closed(agent, "Dan") == "The account of Dan is closed."
    assert (model.calls, len(bank.closed)) == (9, 4)


def test_a_person_still_approves_what_memory_calls(macla: MaclaMiddleware) -> None:
    model, bank = Planner(plan=Bank.plan), Bank()
    closed(create_agent(model, bank.tools, middleware=[macla]), *TAUGHT)
    macla.accept()
    careful = HumanInTheLoopMiddleware(interrupt_on={"close": True})
    agent = create_agent(
        model, bank.tools, middleware=[macla, careful], checkpointer=InMemorySaver()
    )
    config: Any = {"configurable": {"thread_id": "1"}}
    asked: Any = {"messages": [("user", "Close the account of Dan.")]}
    stopped = agent.invoke(asked, config)
    assert stopped["__interrupt__"]
    assert (model.calls, len(bank.closed)) == (9, 3)
    agent.invoke(Command(resume={"decisions": [{"type": "approve"}]}), config)
    assert (model.calls, len(bank.closed)) == (9, 4)


def test_a_talk_that_is_summarised(macla: MaclaMiddleware) -> None:
    model, bank = Planner(plan=Bank.plan), Bank()
    shorten = SummarizationMiddleware(
        Planner(plan=lambda *_: "Accounts were closed."),
        trigger=("messages", 9),
        keep=("messages", 6),
    )
    agent = create_agent(
        model, bank.tools, middleware=[macla, shorten], checkpointer=InMemorySaver()
    )
    config: Any = {"configurable": {"thread_id": "1"}}
    said = closed(agent, *TAUGHT, "Dan", "Eva", config=config)
    assert said == "The account of Eva is closed."
    assert len(bank.closed) == 5


def test_a_selector_of_tools_sees_what_goes_to_the_model(macla: MaclaMiddleware) -> None:
    model, bank = Planner(plan=Bank.plan), Bank()
    closed(create_agent(model, bank.tools, middleware=[macla]), *TAUGHT)
    macla.accept()
    chooser = Planner(plan=Bank.plan)
    agent = create_agent(
        model, bank.tools, middleware=[macla, LLMToolSelectorMiddleware(model=chooser)]
    )
    closed(agent, "Dan")
    assert (model.calls, chooser.calls) == (9, 0)


def test_in_a_deep_agent(tmp_path: Path) -> None:
    deep = pytest.importorskip("deepagents")
    macla = MaclaMiddleware(tmp_path / "library", audit=0)
    model, bank = Planner(plan=Bank.plan), Bank()
    agent = deep.create_deep_agent(model=model, tools=bank.tools, middleware=[macla])
    closed(agent, *TAUGHT)
    assert model.calls == 9
    macla.accept()
    assert closed(agent, "Dan") == "The account of Dan is closed."
    assert (model.calls, len(bank.closed)) == (9, 4)
    end = agent.invoke({"messages": [HumanMessage("Close the account of Eva.")]})
    assert "macla" in end["messages"][-1].response_metadata
    macla.memory.close()
