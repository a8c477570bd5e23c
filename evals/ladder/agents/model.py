"""A scripted chat model that keeps the office's policy to the letter.

It reads the messages and nothing else; it knows nothing of macla.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from ...office.tool_model import ScriptedModel
from .kinds import Call, Kind, Talk, Work

__all__ = ["OfficeModel"]


class OfficeModel(ScriptedModel):
    """Solves the tasks of some kinds; counts how often it is called.

    A call that was answered already, whoever made it, is not made again.

    Attributes:
        kinds: What it can do.
        told: What it knows of the policy besides the messages, as after an update of the model.
    """

    kinds: tuple[Any, ...]
    told: str = ""

    def _reply(self, messages: list[BaseMessage]) -> AIMessage:
        start = max(i for i, m in enumerate(messages) if isinstance(m, HumanMessage))
        work = _work(self.kinds, messages[: start + 1], self.told)
        if work is None:
            return AIMessage("I do not know how to do that.")
        wanted = _next(work, _answered(messages[start + 1 :]))
        if isinstance(wanted, str):
            return AIMessage(wanted)
        name, args = wanted
        call = {"name": name, "args": args, "id": f"call-{self.calls}", "type": "tool_call"}
        return AIMessage("", tool_calls=[call])


def _work(kinds: Sequence[Kind], messages: Sequence[BaseMessage], more: str) -> Work | None:
    system = "\n".join([*(m.text for m in messages if isinstance(m, SystemMessage)), more])
    *earlier, task = [m.text for m in messages if isinstance(m, HumanMessage)]
    talk = Talk(system, tuple(earlier))
    for kind in kinds:
        values = kind.read(task)
        if values is not None:
            return kind.work(values, talk)
    for kind in kinds:
        work = kind.remark(task, talk) if kind.remark else None
        if work is not None:
            return work
    return None


def _answered(messages: Sequence[BaseMessage]) -> list[tuple[str, Any]]:
    """Return calls (as canonical text) and their results, in the order in which they were made."""
    results = {m.tool_call_id: m.text for m in messages if isinstance(m, ToolMessage)}
    return [
        (_canonical((call["name"], call["args"])), _data(results[str(call["id"])]))
        for message in messages
        if isinstance(message, AIMessage)
        for call in message.tool_calls
        if str(call["id"]) in results
    ]


def _next(work: Work, answered: list[tuple[str, Any]]) -> Call | str:
    try:
        wanted = next(work)
        while True:
            place = _canonical(wanted)
            index = next((i for i, each in enumerate(answered) if each[0] == place), None)
            if index is None:
                return wanted
            wanted = work.send(answered.pop(index)[1])
    except StopIteration as end:
        return str(end.value)


def _canonical(call: Call) -> str:
    name, args = call
    return f"{name} {json.dumps(args, sort_keys=True)}"


def _data(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
