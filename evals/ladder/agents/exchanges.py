"""One turn of a conversation with an agent, as the judge and the baselines see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import BaseTool
from typing_extensions import Self

from ....adapters.langchain.middleware import MaclaMiddleware
from .kinds import Kind
from .model import OfficeModel
from .office import Office
from .tasks import Task
from .tools import tools_of

__all__ = ["AgentPlayer", "Exchange", "Step", "steps_of"]


@dataclass(frozen=True)
class Step:
    """A call and its result."""

    tool: str
    args: dict[str, Any]
    result: str


@dataclass(frozen=True)
class Exchange:
    """What came of one line of the user.

    Attributes:
        text: The line.
        steps: The calls that followed, and their results.
        answer: The final answer; what was raised, if something was.
        model_calls: How often the model was called.
    """

    text: str
    steps: tuple[Step, ...]
    answer: str
    model_calls: int


class AgentPlayer:
    """An agent in an office of its own, with or without memory; a context manager.

    Args:
        folder: For the office and the library.
        kinds: What the model can do.
        memory: Options of the middleware that stands before the model; None for none.
    """

    def __init__(
        self, folder: Path, kinds: Sequence[Kind], *, memory: Mapping[str, Any] | None
    ) -> None:
        self.office = Office(folder)
        self.model = OfficeModel(kinds=tuple(kinds))
        self._tools = tools_of(self.office, kinds)
        self._agents: dict[str, Any] = {}
        self.memory = None if memory is None else MaclaMiddleware(folder / "library", **memory)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.office.close()
        if self.memory is not None:
            self.memory.memory.close()

    def play(self, task: Task) -> tuple[Exchange, ...]:
        """Plant what the task finds, and carry out its turns in one conversation."""
        self.office.plant(task.planted)
        messages: list[BaseMessage] = [
            (HumanMessage if side == "human" else AIMessage)(text) for side, text in task.earlier
        ]
        exchanges: list[Exchange] = []
        for turn in task.turns:
            before, start = self.model.calls, len(messages)
            messages.append(HumanMessage(turn))
            try:
                messages = self._answered(task.system, messages)
                answer = str(messages[-1].text)
            except Exception as error:  # a fault of memory like any other, counted as such
                answer = f"raised {type(error).__name__}: {error}"
            calls = self.model.calls - before
            exchanges.append(Exchange(turn, steps_of(messages[start + 1 :]), answer, calls))
        return tuple(exchanges)

    def _answered(self, system: str, messages: list[BaseMessage]) -> list[BaseMessage]:
        """Return a conversation with what the agent did; it keeps nothing of one itself."""
        if self.memory is None:
            return _plain(self.model, self._tools, system, messages)
        if system not in self._agents:
            self._agents[system] = create_agent(
                self.model, self._tools, middleware=[self.memory], system_prompt=system
            )
        return list(self._agents[system].invoke({"messages": messages})["messages"])


def _plain(
    model: OfficeModel, tools: Sequence[BaseTool], system: str, messages: Sequence[BaseMessage]
) -> list[BaseMessage]:
    """Ask the model and call its tools by turns, as ``create_agent`` without middleware does.

    A graph would take longer than model and tools together.
    """
    by_name = {tool.name: tool for tool in tools}
    done = list(messages)
    while True:
        reply = model.invoke([SystemMessage(system), *done])
        done.append(reply)
        if not reply.tool_calls:
            return done
        done += [
            by_name[call["name"]].invoke({**call, "type": "tool_call"}) for call in reply.tool_calls
        ]


def steps_of(messages: Sequence[BaseMessage]) -> tuple[Step, ...]:
    """Return the calls of some messages, each with its result."""
    results = {m.tool_call_id: m.text for m in messages if isinstance(m, ToolMessage)}
    return tuple(
        Step(call["name"], dict(call["args"]), results.get(str(call["id"]), ""))
        for message in messages
        if isinstance(message, AIMessage)
        for call in message.tool_calls
    )
