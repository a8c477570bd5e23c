"""What the middleware costs where memory does not answer: 200 procedures, a model at once."""

from pathlib import Path
from typing import Any

import pytest
from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage
from macla.adapters.langchain.middleware import MaclaMiddleware
from macla.procedures.tooling.tool_episodes import ToolCall, ToolEpisode

VERBS = ("close", "open", "find", "move", "count", "print", "check", "mail", "copy", "sort")
THINGS = (
    "account",
    "ticket",
    "order",
    "file",
    "room",
    "invoice",
    "parcel",
    "device",
    "user",
    "note",
)


@pytest.fixture(scope="module")
def middleware(tmp_path_factory: pytest.TempPathFactory) -> MaclaMiddleware:
    made = MaclaMiddleware(
        Path(tmp_path_factory.mktemp("speed")) / "library", trust="demonstrations"
    )
    episodes = []
    for verb in VERBS:
        for thing in THINGS:
            for how in ("now", "later"):
                for i, value in enumerate(("Ada", "Ben")):
                    call = ToolCall(f"{verb}_{thing}_{how}", {"of": value}, '{"ok": true}')
                    task = f"Please {verb} the {thing} of {value} {how}."
                    name = f"{verb}{thing}{how}{i}"
                    episodes.append(ToolEpisode(task, (call,), "Done.", id=name))
    made.memory.learn(episodes)
    assert len(made.memory.programs.files) == 200
    return made


@pytest.mark.parametrize("fresh", [True, False], ids=["first call of a run", "later calls"])
def test_overhead_of_a_call_that_memory_does_not_answer(
    middleware: MaclaMiddleware, benchmark: Any, fresh: bool
) -> None:
    model = FakeListChatModel(responses=["x"])
    answer = ModelResponse(result=[AIMessage("x")])
    numbers = iter(range(10**9))

    def call() -> None:
        number = next(numbers) if fresh else 0
        messages: list[Any] = [
            HumanMessage(f"Please paint the fence of number {number} green.", id="1")
        ]
        noted = {"run": "r"} if fresh else {"run": "r", "instructions": "", "tools": {}}
        state: Any = {"messages": messages, "macla": noted}
        request = ModelRequest(model=model, messages=messages, tools=[], state=state)
        made = middleware.wrap_model_call(request, lambda r: answer)
        assert getattr(made, "model_response", made) is answer

    call()
    benchmark(call)
    if benchmark.stats is not None:
        assert benchmark.stats.stats.median < 0.005
