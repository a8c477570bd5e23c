"""From a tool that changed to a refined procedure: at once, by review, or after asking."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from macla.adapters.git.stores import open_store
from macla.adapters.langchain.middleware import MaclaMiddleware
from macla.procedures.library import Library
from pydantic import PrivateAttr

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")


class Clerk(BaseChatModel):
    """Closes accounts; gives a reason where the tool wants one."""

    _calls: int = PrivateAttr(default=0)
    _strict: bool = PrivateAttr(default=False)

    @property
    def calls(self) -> int:
        return self._calls

    @property
    def _llm_type(self) -> str:
        return "clerk"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        close = next(each for each in tools if each.name == "close")
        self._strict = "reason" in close.args
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        self._calls += 1
        start = max(i for i, m in enumerate(messages) if isinstance(m, HumanMessage))
        name = messages[start].text.split()[-1].rstrip(".")
        told = [json.loads(m.text) for m in messages[start:] if isinstance(m, ToolMessage)]
        if len(told) == 2:
            reply = AIMessage(f"The account of {name} is closed.")
        else:
            extra = {"reason": "asked"} if self._strict else {}
            call = ("find", {"name": name}) if not told else ("close", {**told[0], **extra})
            made = {"name": call[0], "args": call[1], "id": f"c{self._calls}", "type": "tool_call"}
            reply = AIMessage("", tool_calls=[made])
        return ChatResult(generations=[ChatGeneration(message=reply)])


@tool
def find(name: str) -> str:
    """Find a customer."""
    return json.dumps({"account_id": 10 + NAMES.index(name)})


@tool("close")
def plain(account_id: int) -> str:
    """Close an account."""
    return json.dumps({"closed": True})


@tool("close")
def strict(account_id: int, reason: str) -> str:
    """Close an account, with a reason."""
    return json.dumps({"closed": True})


def ask(macla: MaclaMiddleware, close: Any, *names: str) -> list[int]:
    """Return the model's calls for each name."""
    model = Clerk()
    agent = create_agent(model, [find, close], middleware=[macla])
    spent = []
    for name in names:
        before = model.calls
        end = agent.invoke({"messages": [("user", f"Close the account of {name}.")]})
        assert end["messages"][-1].text == f"The account of {name} is closed."
        spent.append(model.calls - before)
    return spent


def only(macla: MaclaMiddleware) -> Any:
    library = macla.memory.session.library
    library.refresh()
    (found,) = library.procedures.values()
    return found


def test_it_is_refined_at_once_outside_git(tmp_path: Path) -> None:
    macla = MaclaMiddleware(tmp_path / "library")
    assert ask(macla, plain, "Ada", "Ben", "Cleo") == [3, 3, 0]
    old = only(macla)
    assert macla.refinements_due() == []
    assert ask(macla, strict, "Dan") == [2]  # the number was found from memory
    # Due as soon as it may not act any more, and refined by the second run that shows how.
    assert ask(macla, strict, "Eva") == [2]
    new = only(macla)
    assert (new.id, new.version, new.goal) == (old.id, 2, old.goal)
    assert "reason" in new.steps[1].args
    assert new.provenance["parent"] == old.ref
    assert "it now requires 'reason'" in new.provenance["reason"]
    assert macla.refinements_due() == []
    assert ask(macla, strict, "Finn", "Ada") == [0, 0]
    macla.memory.close()
    # Another process knows it too, and does not refine again.
    again = MaclaMiddleware(tmp_path / "library")
    assert ask(again, strict, "Cleo") == [0]
    assert only(again).version == 2
    again.memory.close()


def test_by_review_it_waits_and_is_due(tmp_path: Path) -> None:
    macla = MaclaMiddleware(tmp_path / "library", policy="review")
    ask(macla, plain, "Ada", "Ben")
    old = only(macla)
    ask(macla, strict, "Dan", "Eva")
    assert only(macla) == old
    assert macla.refinements_due() == [old.ref]
    store = open_store(tmp_path / "library")
    (proposal,) = store.pending()
    assert proposal.change == "refine"
    assert proposal.target.id == old.id
    assert "It failed 2 times, the last time because close: it now requires" in proposal.rationale
    assert len(proposal.contrast.successes) == len(proposal.contrast.failures) == 2
    # Until somebody decides, the model is asked, and nothing else is proposed.
    assert ask(macla, strict, "Finn") == [3]
    assert len(store.pending()) == 1
    (waiting,) = store.pending()
    session = macla.memory.session
    store.accept(session.library, session.ledger, waiting, "ada")
    assert ask(macla, strict, "Cleo") == [0]
    macla.memory.close()


def test_what_was_rejected_is_not_proposed_again(tmp_path: Path) -> None:
    macla = MaclaMiddleware(tmp_path / "library", policy="review")
    ask(macla, plain, "Ada", "Ben")
    ask(macla, strict, "Dan", "Eva")
    store = open_store(tmp_path / "library")
    (proposal,) = store.pending()
    store.reject(macla.memory.session.library, proposal, "no reasons, please", "ada")
    macla.memory.learn([])
    assert store.pending() == []
    macla.memory.close()


def test_in_git_it_waits_on_a_branch(tmp_path: Path) -> None:
    def git(*words: str) -> str:
        command = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b", *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    macla = MaclaMiddleware(tmp_path / "library")
    ask(macla, plain, "Ada", "Ben")
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "library")
    macla.memory.close()
    macla = MaclaMiddleware(tmp_path / "library")
    old = only(macla)
    ask(macla, strict, "Dan", "Eva")
    assert only(macla) == old
    assert f"macla/refine/{old.id}-v2" in git("branch", "--list")
    macla.memory.close()


@pytest.mark.parametrize("answer", [True, False])
def test_a_person_is_asked(tmp_path: Path, answer: bool) -> None:
    macla = MaclaMiddleware(tmp_path / "library", policy="interrupt")
    ask(macla, plain, "Ada", "Ben")
    old = only(macla)
    ask(macla, strict, "Dan")
    model = Clerk()
    agent = create_agent(model, [find, strict], middleware=[macla], checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "1"}}
    stopped = agent.invoke({"messages": [("user", "Close the account of Eva.")]}, config)
    (question,) = stopped["__interrupt__"]
    assert question.value["title"] == f"Refine {old.id} to version 2"
    assert "reason" in question.value["text"]
    assert only(macla) == old
    calls = model.calls
    end = agent.invoke(Command(resume=answer), config)
    assert "__interrupt__" not in end
    assert model.calls == calls
    assert only(macla).version == (2 if answer else 1)
    assert ask(macla, strict, "Finn") == ([0] if answer else [3])
    macla.memory.close()


def test_the_library_stays_valid(tmp_path: Path) -> None:
    macla = MaclaMiddleware(tmp_path / "library")
    ask(macla, plain, "Ada", "Ben")
    ask(macla, strict, "Dan", "Eva", "Finn")
    ask(macla, plain, "Ada", "Ben", "Cleo")  # and back again
    assert only(macla).version >= 3
    macla.memory.close()
    assert Library.open(tmp_path / "library").procedures
