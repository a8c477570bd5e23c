"""From a tool that changed to a program learned anew: at once, by review, or after asking."""

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
from macla.procedures.library.library import Library
from macla.procedures.model.procedure import Parameter, Procedure, Step
from macla.procedures.programs.documents import ProgramFile
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


def only(macla: MaclaMiddleware) -> ProgramFile:
    library = macla.memory.session.library
    library.refresh()
    (program,) = library.programs.values()
    return program


def reasons(file: ProgramFile) -> list[bool]:
    """Whether calls of ``close`` give a reason."""
    forms = [step.form for step in file.program.steps if step.form is not None]
    return ["reason" in dict(form.texts) for form in forms if form.tool == "close"]


def test_it_is_learned_anew_at_once_outside_git(tmp_path: Path) -> None:
    macla = MaclaMiddleware(tmp_path / "library", trust="demonstrations", audit=0)
    assert ask(macla, plain, "Ada", "Ben", "Cleo", "Dan") == [3, 3, 3, 0]
    old = only(macla)
    assert reasons(old) == [False]
    # The old way is not begun, and the new one is known as soon as it was shown three times.
    assert ask(macla, strict, "Dan", "Eva", "Finn", "Ada") == [3, 3, 3, 0]
    new = only(macla)
    assert (new.id, new.goal, reasons(new)) == (old.id, old.goal, [True])
    assert new.version > old.version
    macla.memory.close()
    # Another process knows it too, and learns nothing again.
    again = MaclaMiddleware(tmp_path / "library", trust="demonstrations", audit=0)
    assert ask(again, strict, "Cleo") == [0]
    assert only(again).version == new.version
    again.memory.close()


def test_by_review_it_waits(tmp_path: Path) -> None:
    macla = MaclaMiddleware(tmp_path / "library", policy="review", audit=0)
    assert ask(macla, plain, "Ada", "Ben", "Cleo", "Dan") == [3, 3, 3, 3]
    assert [file.status for file in macla.memory.programs.files.values()] == ["draft"]
    store = open_store(tmp_path / "library")
    (first, *_) = store.pending()
    assert first.change == "new"
    assert "runs of an agent" in first.rationale
    session = macla.memory.session
    store.accept(session.library, session.ledger, first, "ada")
    assert ask(macla, plain, "Eva") == [0]
    macla.memory.close()


def test_what_was_rejected_is_not_proposed_again(tmp_path: Path) -> None:
    macla = MaclaMiddleware(tmp_path / "library", policy="review", audit=0)
    ask(macla, plain, "Ada", "Ben", "Cleo")
    store = open_store(tmp_path / "library")
    (proposal,) = store.pending()
    session = macla.memory.session
    store.reject(session.library, session.ledger, proposal, "no, please", "ada")
    macla.memory.learn([])
    assert store.pending() == []
    macla.memory.close()


def test_in_git_it_waits_on_a_branch(tmp_path: Path) -> None:
    def git(*words: str) -> str:
        command = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b", *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    macla = MaclaMiddleware(tmp_path / "library", trust="demonstrations", audit=0)
    ask(macla, plain, "Ada", "Ben", "Cleo")
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "library")
    macla.memory.close()
    macla = MaclaMiddleware(tmp_path / "library", trust="demonstrations", audit=0)
    old = only(macla)
    ask(macla, strict, "Dan", "Eva", "Finn")
    assert only(macla) == old
    assert f"macla/refine/{old.id}-v2" in git("branch", "--list")
    macla.memory.close()


@pytest.mark.parametrize("answer", [True, False])
def test_a_person_is_asked(tmp_path: Path, answer: bool) -> None:
    macla = MaclaMiddleware(tmp_path / "library", policy="interrupt", audit=0)
    ask(macla, plain, "Ada", "Ben")
    model = Clerk()
    agent = create_agent(model, [find, plain], middleware=[macla], checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "1"}}
    stopped = agent.invoke({"messages": [("user", "Close the account of Eva.")]}, config)
    (question,) = stopped["__interrupt__"]
    assert question.value["title"] == "Add close-the-account-of"
    calls = model.calls
    end = agent.invoke(Command(resume=answer), config)
    assert "__interrupt__" not in end
    assert model.calls == calls
    assert "close-the-account-of" in macla.memory.programs.files or not answer
    if answer:
        assert ask(macla, plain, "Finn") == [0]
    macla.memory.close()


def test_the_library_stays_valid(tmp_path: Path) -> None:
    macla = MaclaMiddleware(tmp_path / "library", trust="demonstrations", audit=0)
    ask(macla, plain, "Ada", "Ben", "Cleo")
    ask(macla, strict, "Dan", "Eva", "Finn")
    ask(macla, plain, "Ada", "Ben", "Cleo")  # and back again
    assert only(macla).version >= 3
    macla.memory.close()
    assert Library.open(tmp_path / "library").programs


def test_procedures_of_an_earlier_macla_are_replaced_by_programs(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    macla = MaclaMiddleware(tmp_path / "library", trust="demonstrations", audit=0)
    ask(macla, plain, "Ada", "Ben", "Cleo")
    library = macla.memory.session.library
    library.delete(*library.programs)
    steps = (Step(tool="find", args={"name": "{name}"}),)
    name = {"name": Parameter(source="task")}
    library.write_procedure(Procedure("old-way", 1, "Close the account of {name}.", steps, name))
    macla.memory.close()
    again = MaclaMiddleware(tmp_path / "library", trust="demonstrations", audit=0)
    assert "procedures of an earlier macla that call tools" in caplog.text
    assert ask(again, plain, "Dan") == [0]
    again.memory.close()
