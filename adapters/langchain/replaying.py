"""Structured output through the agent's own machinery, and what is kept of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain.agents.middleware.types import ExtendedModelResponse, ModelRequest, ModelResponse
from langchain.agents.structured_output import AutoStrategy, ToolStrategy
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langgraph.types import Command

__all__ = [
    "counted",
    "structured_tools",
    "through_the_agent",
    "with_state",
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
