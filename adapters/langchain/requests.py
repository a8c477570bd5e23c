"""Reading an agent's requests, messages and tools."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.config import get_config

from ...procedures.programs.fingerprints import tool_mark
from .memory_messages import structured_tools
from .messages import Success, latest_run, message_text, run_name

_LOG = logging.getLogger(__name__)
_MOST_TOOLS = 1_000
"""Tools whose schemas are remembered; with one more all are let go."""
_LONGEST_INSTRUCTIONS = 20_000
"""Most characters of the agent's instructions that are looked at."""


def instructions_of(request: Any) -> str:
    """Return the agent's instructions, its system prompt, as text."""
    message = request.system_message
    return "" if message is None else message_text(message)[:_LONGEST_INSTRUCTIONS]


def foreign(run: Sequence[BaseMessage], answers: int | None) -> bool:
    """Whether somebody else, another middleware, answered in the place of model and memory.

    Args:
        run: The messages of a run.
        answers: How many of its answers went through this middleware; None if not known.
    """
    return answers is not None and answers_in(run) > answers


def answers_in(messages: Sequence[BaseMessage]) -> int:
    """Return how many messages are a model's, or memory's."""
    return sum(isinstance(each, AIMessage) for each in messages)


def verdict_of(success: Success, run: Sequence[BaseMessage]) -> bool | None:
    """Return what the success signal says; None, with a warning, where it fails itself."""
    try:
        return success(run)
    except Exception as error:
        _LOG.warning("success= failed, so nothing is learned from this run: %r", error)
        return None


def run_of(state: Mapping[str, Any]) -> str:
    """Return the name of the present run; empty where the user has said nothing."""
    run = latest_run(state["messages"])
    if not run:
        return ""
    try:
        thread = get_config().get("configurable", {}).get("thread_id", "")
    except RuntimeError:
        thread = ""
    return run_name(run, str(thread))


def any_called(run: Sequence[BaseMessage], ids: Collection[str]) -> bool:
    """Whether one of some calls was made in a run."""
    calls = (call for m in run if isinstance(m, AIMessage) for call in m.tool_calls)
    return any(call["id"] in ids for call in calls)


def begun(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is kept of a run when it begins."""
    return {"run": run_of(state), "answers": answers_in(latest_run(state["messages"]))}


def ours(message: BaseMessage) -> bool:
    """Whether a message came from memory."""
    return "macla" in message.response_metadata


def not_only_text(message: BaseMessage) -> bool:
    """Whether a message has pictures or the like."""
    if isinstance(message.content, str):
        return False
    return any(
        not isinstance(block, str) and block.get("type") not in ("text", "text-plain")
        for block in message.content
    )


def effects_of(request: Any, read_only: Collection[str] = ()) -> dict[str, bool]:
    """Return tool → whether it changes anything, for the tools that say so.

    The hint is that of MCP: ``metadata={"readOnlyHint": True}``.

    Args:
        request: The agent's request.
        read_only: Tools that only read, whatever they say themselves.
    """
    changes_by_tool: dict[str, bool] = {}
    for tool in request.tools:
        hint = (getattr(tool, "metadata", None) or {}).get("readOnlyHint")
        if isinstance(hint, bool):
            changes_by_tool[tool.name] = not hint
    return {**changes_by_tool, **dict.fromkeys(read_only, False)}


class ToolSchemas:
    """The schemas of tools' arguments, as a model is told them; each is made once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Any, str, Mapping[str, Any] | None, str]] = {}

    def of(self, request: Any) -> dict[str, Mapping[str, Any] | None]:
        """Return the tools that there are now, by name, with the schemas of their arguments."""
        schema_by_tool = {name: schema for name, schema, _ in self._each(request)}
        schema_by_tool.update(structured_tools(request.response_format))
        return schema_by_tool

    def marks(self, request: Any) -> dict[str, str]:
        """Return tool → mark of its description, as a model gets it."""
        return {name: mark for name, _, mark in self._each(request)}

    def _each(self, request: Any) -> Iterator[tuple[str, Mapping[str, Any] | None, str]]:
        for tool in request.tools:
            arguments = getattr(tool, "args_schema", None)
            entry = self._known.get(id(tool))
            if entry is None or entry[0] is not tool or entry[1] is not arguments:
                entry = (tool, arguments, *_schema(tool))
                if len(self._known) > _MOST_TOOLS:
                    self._known.clear()
                self._known[id(tool)] = entry
            yield entry[2:]


def _schema(tool: BaseTool | dict[str, Any]) -> tuple[str, Mapping[str, Any] | None, str]:
    """Return a tool's name, the schema of its arguments and a mark, as a model is told them."""
    try:
        function = convert_to_openai_tool(tool)["function"]
        return str(function["name"]), function.get("parameters"), tool_mark(function)
    except (KeyError, ValueError, TypeError, NotImplementedError):
        if isinstance(tool, dict):
            return str(tool.get("name", tool.get("type", ""))), None, tool_mark(tool)
        return tool.name, None, tool_mark({"description": tool.description})
