"""Memory's messages as a chat model's: streamed, traced, parsed; and what is kept of a run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from langchain.agents.middleware.types import ExtendedModelResponse, ModelRequest, ModelResponse
from langchain.agents.structured_output import AutoStrategy, ToolStrategy
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models.base import LangSmithParams
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable, RunnableConfig, ensure_config
from langchain_core.runnables.config import get_callback_manager_for_config
from langgraph.types import Command

_FROM = "from memory"
"""Name of memory's answers in traces."""
_NO_TOKENS: Mapping[str, int] = {"input_tokens": 0, "output_tokens": 0, "total_tokens": 0}
_WORD = re.compile(r"\s*\S+\s*$|\s*\S+|\s+")


class _MemoryModel(BaseChatModel):
    """Says one message that is there already, as a chat model says it; no model is called."""

    message: AIMessage
    cache: Literal[False] = False

    @property
    def _llm_type(self) -> str:
        return "macla"

    def _get_ls_params(self, stop: list[str] | None = None, **kwargs: Any) -> LangSmithParams:
        metadata = self.message.response_metadata.get("macla") or {}
        name = str(metadata.get("program", "macla"))
        return LangSmithParams(ls_provider="macla", ls_model_type="chat", ls_model_name=name)

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

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for word in _WORD.findall(self.message.text):
            yield ChatGenerationChunk(message=AIMessageChunk(content=word))
        calls = [
            tool_call_chunk(
                name=call["name"], args=json.dumps(call["args"]), id=call["id"], index=index
            )
            for index, call in enumerate(self.message.tool_calls)
        ]
        end = AIMessageChunk(
            content="",
            tool_call_chunks=calls,
            response_metadata=self.message.response_metadata,
            usage_metadata=self.message.usage_metadata,
        )
        yield ChatGenerationChunk(message=end)


def spoken(request: ModelRequest[Any], message: AIMessage) -> AIMessage:
    """Say a message as a chat model does: callbacks, streams and traces are told of it.

    Returns:
        The message, with the id under which it was told, and a usage of no tokens.
    """
    model, config = _model_and_config(message)
    if not _is_anybody_listening():
        return model.message
    answer = model.invoke(request.messages, config)
    return model.message.model_copy(update={"id": answer.id})


async def aspoken(request: ModelRequest[Any], message: AIMessage) -> AIMessage:
    """See :func:`spoken`."""
    model, config = _model_and_config(message)
    if not _is_anybody_listening():
        return model.message
    answer = await model.ainvoke(request.messages, config)
    return model.message.model_copy(update={"id": answer.id})


def _is_anybody_listening() -> bool:
    """Whether there are callbacks: streams, traces, or handlers of the user."""
    return bool(get_callback_manager_for_config(ensure_config()).handlers)


def _model_and_config(message: AIMessage) -> tuple[_MemoryModel, RunnableConfig]:
    metered = message.model_copy(update={"usage_metadata": dict(_NO_TOKENS)})
    metadata = {"macla": message.response_metadata.get("macla")}
    return _MemoryModel(message=metered), {
        "run_name": _FROM,
        "tags": ["macla"],
        "metadata": metadata,
    }


def through_the_agent(request: ModelRequest[Any], message: AIMessage) -> ModelRequest[Any]:
    """Return a request that the agent answers with this message, structured output parsed."""
    model, _ = _model_and_config(message)
    return request.override(model=model)


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
    """Return a response that updates what the agent's state keeps of the run."""
    if known is None:
        return response
    return ExtendedModelResponse(response, Command(update={"macla": known}))


def counted(
    response: ModelResponse[Any], request: ModelRequest[Any], known: Mapping[str, Any] | None
) -> ModelResponse[Any] | ExtendedModelResponse[Any]:
    """Return a response that updates what is kept of the run, its answers counted."""
    state: Mapping[str, Any] = request.state
    before: Mapping[str, Any] = state.get("macla") or {}
    if "answers" in before:
        count = before["answers"] + sum(isinstance(each, AIMessage) for each in response.result)
        known = {**(before if known is None else known), "answers": count}
    return with_state(response, known)
