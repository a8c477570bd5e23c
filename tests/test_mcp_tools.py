"""Tools of an MCP server, over a real pipe: memory believes what they say of themselves."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from macla.adapters.langchain.middleware import MaclaMiddleware
from tool_planner import TAUGHT, Bank, Planner

_SERVER = """
from mcp.server.fastmcp import FastMCP
from mcp.types import ToolAnnotations

server = FastMCP("bank", log_level="ERROR")


@server.tool(annotations=ToolAnnotations(readOnlyHint={marked}))
def find(name: str) -> dict:
    "Find a customer."
    return {{"number": f"K{{sum(map(ord, name))}}", "name": name}}


@server.tool(annotations=ToolAnnotations(destructiveHint=True))
def close(number: str) -> dict:
    "Close an account."
    return {{"done": True}}


server.run("stdio")
"""


async def spent(server: Path, macla: MaclaMiddleware, names: Sequence[str]) -> list[int]:
    """Return the model's calls for each name."""
    client = pytest.importorskip("langchain_mcp_adapters.client")
    connection = {
        "transport": "stdio", "command": sys.executable, "args": [str(server)],
        "env": dict(os.environ),
    }  # fmt: skip
    bank = client.MultiServerMCPClient({"bank": connection})
    calls = []
    async with bank.session("bank") as session:
        load = pytest.importorskip("langchain_mcp_adapters.tools").load_mcp_tools
        tools = await load(session)
        for name in names:
            model = Planner(plan=Bank.plan)
            agent = create_agent(model, tools, middleware=[macla])
            asked: Any = {"messages": [("user", f"Close the account of {name}.")]}
            end = await agent.ainvoke(asked)
            assert end["messages"][-1].text == f"The account of {name} is closed."
            calls.append(model.calls)
    return calls


@pytest.mark.parametrize("marked", [True, False])
def test_annotations_say_what_only_reads(tmp_path: Path, marked: bool) -> None:
    pytest.importorskip("mcp")
    server = tmp_path / "server.py"
    server.write_text(_SERVER.format(marked=marked))
    macla = MaclaMiddleware(tmp_path / "library", audit=0)
    assert asyncio.run(spent(server, macla, [*TAUGHT, "Dan"])) == [3, 3, 3, 1 if marked else 2]
    macla.accept()
    assert asyncio.run(spent(server, macla, ["Eva"])) == [0]
    macla.memory.close()
