"""A world of the ladder as tools with JSON results, learned from logs and played by an agent.

The agent's model only hands over, so that what is done is done by memory alone.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.errors import GraphRecursionError

from ...adapters.langchain import store
from ...adapters.langchain.messages import episodes_from_messages
from ...adapters.langchain.middleware import MaclaMiddleware
from ...adapters.langchain.store import AgentMemory
from ...adapters.session import LibrarySession
from ...procedures.common.errors import DataError
from ...procedures.tooling.call_trust import Trust
from ..cells import CellResult, proved
from ..office.tool_model import ScriptedModel
from .world import Call, LadderTask, Operator, Result, World, data_of

__all__ = [
    "WorldAsTools",
    "conversation",
    "library_of_runs",
    "play_tools",
    "play_with",
    "prove_tools",
]

_LOOK = "begin"
"""The tool that tells what stands there at first; text worlds tell it unasked."""
_DONE = "Done."
_SUPERSTEPS = 4
"""Supersteps of an agent a call, with room to spare: model, its hooks, tools."""


class WorldAsTools:
    """A world whose operators are tools.

    Attributes:
        world: The world; after an episode it tells how it went.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self._first: Result = ()

    def reset(self, task: LadderTask) -> str:
        """Start an episode; return what is asked."""
        asked, self._first = self.world.reset(task)
        self._calls = 0
        return asked

    def call(self, name: str, arguments: dict[str, Any]) -> str:
        """Do a call; return its result as JSON. Behind the horizon nothing is possible."""
        if name == _LOOK:
            return _json(self._first)
        self._calls += 1
        if self._calls > self.world.horizon:
            return _json([self.world.refusal])
        operator = next(each for each in self.world.operators if each.name == name)
        given = tuple((each, str(arguments.get(each, ""))) for each in operator.arguments)
        return _json(self.world.step(Call(name, given)))

    def tools(self) -> list[BaseTool]:
        """Return the tools."""
        look = {"type": "object", "properties": {}}
        made = [self._tool(_LOOK, "Tell what stands there at first.", look)]
        for each in self.world.operators:
            about = each.about or each.text
            made.append(self._tool(each.name, about, _schema(each)))
        return made

    def _tool(self, name: str, about: str, schema: dict[str, Any]) -> BaseTool:
        def run(**arguments: Any) -> str:
            return self.call(name, arguments)

        return StructuredTool(name=name, description=about, args_schema=schema, func=run)


def conversation(world: World, task: LadderTask) -> list[BaseMessage]:
    """Return an episode that the world's expert plays, as the messages of an agent.

    Raises:
        DataError: The expert does not solve it.
    """
    place = WorldAsTools(world)
    messages: list[BaseMessage] = [HumanMessage(place.reset(task))]

    def add(name: str, arguments: dict[str, Any]) -> None:
        known = f"call-{len(messages)}"
        request = {"name": name, "args": arguments, "id": known, "type": "tool_call"}
        messages.append(AIMessage("", tool_calls=[request]))
        messages.append(ToolMessage(place.call(name, arguments), tool_call_id=known, name=name))

    add(_LOOK, {})
    for wanted in world.expert():
        add(wanted.operator, _typed(world, wanted))
    if not world.won:
        raise DataError(f"{world.name} {task}: the expert does not solve it")
    return [*messages, AIMessage(_DONE)]


def play_tools(
    kind: type[World],
    lessons: Sequence[LadderTask],
    tasks: Sequence[LadderTask],
    *,
    accepted: bool = False,
) -> str:
    """Learn from conversations, play the tasks as an agent, and return a mark for each.

    Args:
        kind: The world.
        lessons: To be learned from.
        tasks: To be played.
        accepted: Whether a person accepts all that was learned; else the agreement of
            demonstrations lets memory act.
    """
    with library_of_runs([kind], lessons) as folder:
        if not accepted:
            return play_with(folder, kind, tasks)
        with AgentMemory.open(folder) as memory:
            memory.accept()
        return play_with(folder, kind, tasks, trust="acceptance")


def play_with(
    folder: Path,
    kind: type[World],
    tasks: Sequence[LadderTask],
    beside: Sequence[type[World]] = (),
    trust: Trust = "demonstrations",
) -> str:
    """Play tasks as an agent with what was learned, and return a mark for each.

    The library is opened for reading only, so that no task changes what the next one meets.

    Args:
        folder: Of the library.
        kind: The world of the tasks.
        tasks: To be played.
        beside: Worlds whose tools the agent has as well; of those of one name it has its own.
        trust: What lets memory make a call that may change something.
    """
    world = kind()
    place = WorldAsTools(world)
    others = [WorldAsTools(other()) for other in beside]
    for other in others:
        other.reset(tasks[0])
    tools = {tool.name: tool for each in (*others, place) for tool in each.tools()}
    marks: list[str] = []
    with LibrarySession.open(folder, read_only=True) as session, _unrecorded():
        macla = MaclaMiddleware(session, learn=False, shown=0, trust=trust, audit=0)
        agent = create_agent(_HandingOver(), list(tools.values()), middleware=[macla])
        limit = RunnableConfig(recursion_limit=_SUPERSTEPS * (kind.horizon + 2))
        for task in tasks:
            asked = HumanMessage(place.reset(task))
            with suppress(GraphRecursionError):  # the horizon: the episode stands as it is
                agent.invoke({"messages": [asked]}, config=limit)
            marks.append(world.mark)
    return "".join(marks)


@contextmanager
def _unrecorded() -> Iterator[None]:
    """Keep the log from saying after every task that its outcome is not recorded."""
    log = logging.getLogger(store.__name__)
    before, log.disabled = log.disabled, True
    try:
        yield
    finally:
        log.disabled = before


def prove_tools(kind: type[World], lessons: Sequence[LadderTask], form: str) -> CellResult:
    """Learn from conversations and prove them, held out by folds."""
    with library_of_runs([kind], lessons) as folder:
        return proved(folder, form, (kind().reset(task)[0] for task in lessons))


@contextmanager
def library_of_runs(kinds: Sequence[type[World]], lessons: Sequence[LadderTask]) -> Iterator[Path]:
    """Learn conversations of worlds, in turn, into a library; yield its folder."""
    with TemporaryDirectory(prefix="macla-cell-", ignore_cleanup_errors=True) as name:
        folder = Path(name) / "library"
        worlds = [kind() for kind in kinds]
        runs = [
            episode
            for task in lessons
            for world in worlds
            for episode in episodes_from_messages(
                conversation(world, task), thread=f"{world.name}/{task.seed}"
            )
        ]
        with AgentMemory.open(folder) as memory:
            memory.learn(runs)
        yield folder


class _HandingOver(ScriptedModel):
    """A model that can do nothing: whatever memory does not do stays undone."""

    def _reply(self, messages: list[BaseMessage]) -> AIMessage:
        return AIMessage("I do not know how to go on.")


def _schema(operator: Operator) -> dict[str, Any]:
    kinds = {
        name: {"type": "integer" if name in operator.integers else "string"}
        for name in operator.arguments
    }
    return {"type": "object", "properties": kinds, "required": list(kinds)}


def _typed(world: World, wanted: Call) -> dict[str, Any]:
    operator = next(each for each in world.operators if each.name == wanted.operator)
    return {
        name: int(value) if name in operator.integers else value for name, value in wanted.arguments
    }


def _json(result: Result) -> str:
    return json.dumps(data_of(result), ensure_ascii=False)
