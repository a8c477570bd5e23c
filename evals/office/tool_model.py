"""A scripted chat model that solves the office's tasks by tool calls.

It reads the messages and nothing else; it knows nothing of macla.
"""

from __future__ import annotations

import json
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from pydantic import PrivateAttr

from .tool_tasks import KINDS, Work

__all__ = ["ScriptedModel"]


class ScriptedModel(BaseChatModel):
    """Solves the office's tasks in the plain ReAct way; counts how often it is called."""

    _calls: int = PrivateAttr(default=0)

    @property
    def calls(self) -> int:
        """How often it was called."""
        return self._calls

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Runnable[Any, AIMessage]:
        """Take note of nothing: it knows its tools."""
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self._calls += 1
        return ChatResult(generations=[ChatGeneration(message=self._reply(messages))])

    def _reply(self, messages: list[BaseMessage]) -> AIMessage:
        start = max(i for i, m in enumerate(messages) if isinstance(m, HumanMessage))
        task = str(messages[start].content)
        for kind in KINDS:
            for pattern in kind.patterns:
                if found := pattern.fullmatch(task):
                    return self._step(kind.work(**found.groupdict()), messages[start + 1 :])
        return AIMessage("I do not know how to do that.")

    def _step(self, work: Work, messages: list[BaseMessage]) -> AIMessage:
        results = {m.tool_call_id: m for m in messages if isinstance(m, ToolMessage)}
        asked = [m for m in messages if isinstance(m, AIMessage) and m.tool_calls]
        made = [call for message in asked for call in message.tool_calls]
        answer: Any = None
        try:
            wanted = next(work)
            while len(made) >= _count(wanted):
                told = [_data(str(results[str(c["id"])].content)) for c in made[: _count(wanted)]]
                made = made[_count(wanted) :]
                wanted = work.send(told if isinstance(wanted, list) else told[0])
        except StopIteration as end:
            answer = end.value
        if answer is not None:
            return AIMessage(answer)
        calls = wanted[len(made) :] if isinstance(wanted, list) else [wanted]
        turn = len(asked)
        return AIMessage(
            "",
            tool_calls=[
                {
                    "name": name,
                    "args": args,
                    "id": f"call-{self._calls}-{turn}-{i}",
                    "type": "tool_call",
                }
                for i, (name, args) in enumerate(calls)
            ],
        )


def _count(wanted: Any) -> int:
    return len(wanted) if isinstance(wanted, list) else 1


def _data(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
