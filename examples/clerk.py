"""A stand-in for a chat model, so that the examples need no server: it closes accounts.

In your agent, use a real one: ``init_chat_model("ollama:llama3.1")``.
"""

from __future__ import annotations

import json
from typing import Any

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from pydantic import PrivateAttr


@tool
def find_customer(name: str) -> str:
    """Find a customer by name."""
    return json.dumps({"account_id": 100 + sum(map(ord, name)), "name": name})


@tool
def close_account(account_id: int) -> str:
    """Close the account of a customer."""
    return json.dumps({"closed": account_id})


find_customer.metadata = {
    "readOnlyHint": True
}  # as tools of MCP say it; all others may change something
TOOLS = [find_customer, close_account]


class Clerk(BaseChatModel):
    """Solves 'Close the account of NAME.' by two tool calls."""

    _calls: int = PrivateAttr(default=0)
    _reason: bool = PrivateAttr(default=False)

    @property
    def calls(self) -> int:
        """How often the model was called."""
        return self._calls

    @property
    def _llm_type(self) -> str:
        return "clerk"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        self._reason = any("reason" in getattr(each, "args", {}) for each in tools)
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        self._calls += 1
        start = max(i for i, m in enumerate(messages) if isinstance(m, HumanMessage))
        name = messages[start].text.removeprefix("Close the account of ").rstrip(".")
        told = [json.loads(m.text) for m in messages[start:] if isinstance(m, ToolMessage)]
        if not told:
            reply = self._call("find_customer", name=name)
        elif len(told) == 1:
            more = {"reason": "asked by the customer"} if self._reason else {}
            reply = self._call("close_account", account_id=told[0]["account_id"], **more)
        else:
            reply = AIMessage(f"The account {told[1]['closed']} of {name} is closed.")
        return ChatResult(generations=[ChatGeneration(message=reply)])

    def _call(self, tool_name: str, /, **args: Any) -> AIMessage:
        call = {"name": tool_name, "args": args, "id": f"call-{self._calls}", "type": "tool_call"}
        return AIMessage("", tool_calls=[call])
