"""A scripted model that carries out a plan, and a bank of which one tool changes something."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from macla.adapters.langchain.middleware import MaclaMiddleware
from pydantic import PrivateAttr

Plan = Callable[[str, list[str]], Any]
"""The task's last word and the results so far → a call, several in a list, or an answer."""
TAUGHT = ("Ada", "Ben", "Cleo")


class Planner(BaseChatModel):
    """Carries out a plan; counts how often it is asked."""

    plan: Any
    _calls: int = PrivateAttr(default=0)

    @property
    def calls(self) -> int:
        return self._calls

    @property
    def _llm_type(self) -> str:
        return "planner"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        self._calls += 1
        start = max(i for i, m in enumerate(messages) if isinstance(m, HumanMessage))
        told = [m.text for m in messages[start:] if isinstance(m, ToolMessage)]
        wanted = self.plan(messages[start].text.split()[-1].rstrip("."), told)
        if isinstance(wanted, str):
            return ChatResult(generations=[ChatGeneration(message=AIMessage(wanted))])
        calls = [
            {"name": name, "args": args, "id": f"c{self._calls}.{number}", "type": "tool_call"}
            for number, (name, args) in enumerate(wanted if isinstance(wanted, list) else [wanted])
        ]
        return ChatResult(generations=[ChatGeneration(message=AIMessage("", tool_calls=calls))])


class Bank:
    """Two tools, of which one changes something, and what the model does with them."""

    def __init__(self, *, marked: bool = True, about: str = "") -> None:
        self.closed: list[str] = []

        @tool
        def find(name: str) -> str:
            """Find a customer."""
            return json.dumps({"number": f"K{sum(map(ord, name))}", "name": name})

        @tool(description=f"Close an account.{about}")
        def close(number: str) -> str:
            self.closed.append(number)
            return json.dumps({"done": True})

        find.metadata = {"readOnlyHint": True} if marked else None
        self.tools = [find, close]

    @staticmethod
    def plan(word: str, told: list[str]) -> Any:
        if not told:
            return "find", {"name": word}
        if len(told) == 1:
            return "close", {"number": json.loads(told[0])["number"]}
        return f"The account of {word} is closed."


def ask(
    macla: MaclaMiddleware,
    tools: list[Any],
    *names: str,
    plan: Plan = Bank.plan,
    prompt: str | None = None,
) -> list[int]:
    """Return the model's calls for each name."""
    spent = []
    for name in names:
        model = Planner(plan=plan)
        agent = create_agent(model, tools, middleware=[macla], system_prompt=prompt)
        agent.invoke({"messages": [("user", f"Close the account of {name}.")]})
        spent.append(model.calls)
    return spent
