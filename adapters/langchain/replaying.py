"""Structured output through the agent's own machinery, and what memory would have done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain.agents.middleware.types import ExtendedModelResponse, ModelRequest, ModelResponse
from langchain.agents.structured_output import AutoStrategy, ToolStrategy
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langgraph.types import Command

from ...procedures.model import Procedure
from ...procedures.tooling.execution import Execution, arguments_of
from .messages import message_text

__all__ = [
    "counted",
    "structured_tools",
    "through_the_agent",
    "with_state",
    "would_have_done",
]


class _Told(BaseChatModel):
    """Says one message that is there already; no model is called."""

    message: AIMessage

    @property
    def _llm_type(self) -> str:
        return "macla"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Runnable[Any, AIMessage]:
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self.message)])


def through_the_agent(request: ModelRequest[Any], message: AIMessage) -> ModelRequest[Any]:
    """Return a request that the agent answers with this message, structured output parsed."""
    return request.override(model=_Told(message=message))


def structured_tools(response_format: Any) -> dict[str, Mapping[str, Any] | None]:
    """Return the pseudo-tools through which a model gives structured output by tool calls."""
    if response_format is None:
        return {}
    if isinstance(response_format, AutoStrategy):
        response_format = ToolStrategy(schema=response_format.schema)
    if not isinstance(response_format, ToolStrategy):
        return {}
    return {spec.name: spec.json_schema for spec in response_format.schema_specs}


def would_have_done(procedure: Procedure, run: Sequence[BaseMessage]) -> tuple[bool, list[Any]]:
    """Compare a procedure with what was done.

    Returns:
        Whether its calls are those that were made, and its calls as far as they can be told.
    """
    execution = Execution.start(procedure, message_text(run[0]).strip())
    results = {m.tool_call_id: message_text(m) for m in run if isinstance(m, ToolMessage)}
    made = [c for m in run if isinstance(m, AIMessage) for c in m.tool_calls]
    would: list[Any] = []
    if execution is None:
        return False, would
    steps = [step for step in procedure.steps if step.tool is not None]
    for index, step in enumerate(steps):
        try:
            args = arguments_of(step, execution)
        except (LookupError, KeyError):
            return False, would
        would.append({"tool": step.tool, "args": args})
        if index >= len(made) or made[index]["name"] != step.tool or made[index]["args"] != args:
            return False, would
        execution = execution.with_result(index, results.get(str(made[index]["id"]), ""))
    return len(made) == len(steps), would


def with_state(
    response: ModelResponse[Any], known: Mapping[str, Any] | None
) -> ModelResponse[Any] | ExtendedModelResponse[Any]:
    """Return a response, with what is to be kept of the run in the agent's state."""
    if known is None:
        return response
    return ExtendedModelResponse(response, Command(update={"macla": known}))


def counted(
    response: ModelResponse[Any], request: ModelRequest[Any], known: Mapping[str, Any] | None
) -> ModelResponse[Any] | ExtendedModelResponse[Any]:
    """Return a response with what is to be kept of the run, its answers counted."""
    state: Mapping[str, Any] = request.state
    before: Mapping[str, Any] = state.get("macla") or {}
    if "answers" in before:
        count = before["answers"] + sum(isinstance(each, AIMessage) for each in response.result)
        known = {**(before if known is None else known), "answers": count}
    return with_state(response, known)
