"""``macla serve``: recall, record and feedback over MCP, with a real client on a real pipe."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from macla.adapters.langchain.store import AgentMemory
from macla.adapters.mcp_server import LibraryTools
from macla.procedures.common.errors import MaclaError

_SERVE = "from macla.cli.main import main; main()"


def closing(name: str) -> dict[str, Any]:
    number = f"K{sum(map(ord, name))}"
    return {
        "task": f"Close the account of {name}.",
        "calls": [
            {"tool": "find", "args": {"name": name}, "result": {"number": number, "name": name}},
            {"tool": "close", "args": {"number": number}, "result": '{"done": true}'},
        ],
        "answer": f"The account of {name} is closed.",
    }


def test_a_client_records_recalls_and_judges(tmp_path: Path) -> None:
    mcp = pytest.importorskip("mcp")
    stdio = pytest.importorskip("mcp.client.stdio")
    library = str(tmp_path / "library")
    server = mcp.StdioServerParameters(
        command=sys.executable, args=["-c", _SERVE, "serve", library], env=dict(os.environ)
    )

    async def talk() -> list[Any]:
        told: list[Any] = []
        async with (
            stdio.stdio_client(server) as (read, write),
            mcp.ClientSession(read, write) as session,
        ):
            await session.initialize()
            tools = {tool.name: tool for tool in (await session.list_tools()).tools}
            told.append({name: tool.annotations.readOnlyHint for name, tool in tools.items()})

            async def call(name: str, **args: Any) -> Any:
                answer = await session.call_tool(name, args)
                assert not answer.isError, answer
                content = answer.structuredContent or {}
                return content.get("result", content)

            told.append([await call("record", **closing(n)) for n in ("Ada", "Ben", "Cleo")])
            told.append(await call("recall", task="Close the account of Dan."))
            told.append(await call("feedback", about=told[1][2]["run"], ok=False, note="wrong"))
            told.append(await call("recall", task="Close the account of Dan."))
            bad = await session.call_tool("record", {"task": "x", "calls": [{"args": {}}]})
            told.append((bad.isError, bad.content[0].text))
            return told

    hints, runs, before, judged, after, bad = asyncio.run(talk())
    assert hints == {"recall": True, "record": False, "feedback": False}
    assert runs[2]["changed"]
    (procedure,) = before
    assert [call["tool"] for call in procedure["calls"]] == ["find", "close"]
    assert (procedure["fits"], procedure["accepted_by_a_person"]) == (True, False)
    assert procedure["values"] == {"name": "Dan"}
    assert judged == {"about": [procedure["procedure"]]}
    assert after[0]["procedure"] != procedure["procedure"]
    assert bad[0]
    assert "call 1 is not of the form" in bad[1]


def test_what_is_recorded_twice_counts_once(tmp_path: Path) -> None:
    with AgentMemory.open(tmp_path / "library") as memory:
        tools = LibraryTools(memory)
        first, again = tools.record(**closing("Ada")), tools.record(**closing("Ada"))
        assert first["run"] == again["run"]
        assert (bool(first["changed"]), again["changed"]) == (True, [])


def test_what_is_recalled_has_room_for_so_much(tmp_path: Path) -> None:
    def told(task: str, text: str) -> dict[str, Any]:
        return {"task": task, "calls": [{"tool": "send", "args": {"text": text}, "result": "ok"}]}

    with AgentMemory.open(tmp_path / "library") as memory:
        tools = LibraryTools(memory)
        tools.record(**told("Send the greeting to everybody.", "word " * 3_000))
        tools.record(**told("Send the note to everybody.", "hello"))
        (found,) = tools.recall("Send the greeting to everybody.")
        assert found["goal"] == "Send the note to everybody."


def test_feedback_on_a_recalled_procedure_is_evidence(tmp_path: Path) -> None:
    with AgentMemory.open(tmp_path / "library") as memory:
        tools = LibraryTools(memory)
        for name in ("Ada", "Ben", "Cleo"):
            tools.record(**closing(name))
        (before,) = tools.recall("Close the account of Dan.")
        told = tools.feedback(before["procedure"], ok=False, note="no such tool")
        assert told == {"about": [before["procedure"]]}
        (after,) = tools.recall("Close the account of Dan.")
        assert after["success_rate"] < before["success_rate"]
        unknown = tools.feedback("run-unknown", ok=True)
        assert unknown["about"] == []
        assert "'run-unknown'" in unknown["note"]
        bare = tools.feedback(before["procedure"].partition("@")[0], ok=False)
        assert bare["about"] == []
        assert before["procedure"] in bare["note"]
        with pytest.raises(MaclaError, match="use a name that recall gave"):
            tools.feedback(f"{before['procedure']}9", ok=True)


def test_it_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner
    from macla.cli.serving import command

    monkeypatch.setitem(sys.modules, "mcp.server.fastmcp", None)
    done = CliRunner().invoke(command, [str(tmp_path / "library")])
    assert "macla[mcp]" in str(done.exception)
    assert done.output == ""
