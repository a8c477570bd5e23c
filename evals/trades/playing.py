"""Plays a trade by an agent with memory; judges it by the policy alone."""

from __future__ import annotations

import random
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from ...adapters.langchain.middleware import MaclaMiddleware
from ...procedures.tooling.call_trust import Trust
from ..ladder.agents.exchanges import steps_of
from ..office.tool_model import ScriptedModel
from .counters import Clinic, Hotel, Library
from .fifth import FIFTH
from .fourth import FOURTH
from .goods import Freight, Returns
from .machines import Dns, Triage
from .offices import Disputes, Grades, Leave
from .second import SECOND
from .third import THIRD
from .trade import Trade, next_move

__all__ = [
    "FIFTH_TRADES",
    "FOURTH_TRADES",
    "SECOND_TRADES",
    "THIRD_TRADES",
    "TRADES",
    "PassResult",
    "WrongTask",
    "play_trade",
]

TRADES: dict[str, type[Trade]] = {
    kind.name: kind
    for kind in (
        Clinic,
        Returns,
        Leave,
        Disputes,
        Dns,
        Triage,
        Grades,
        Freight,
        Library,
        Hotel,
    )
}
"""Name → trade of the first stranger."""

SECOND_TRADES: dict[str, type[Trade]] = {kind.name: kind for kind in SECOND}
"""Name → trade of the second stranger."""

THIRD_TRADES: dict[str, type[Trade]] = {kind.name: kind for kind in THIRD}
"""Name → trade of the third stranger."""

FOURTH_TRADES: dict[str, type[Trade]] = {kind.name: kind for kind in FOURTH}
"""Name → trade of the fourth stranger."""

FIFTH_TRADES: dict[str, type[Trade]] = {kind.name: kind for kind in FIFTH}
"""Name → trade of the fifth stranger."""

_SIZE = 20
"""Tasks of a pass."""

_ORDINARY = 10
"""How many tasks of a pass are ordinary at least."""

_TRAPPED = 3
"""The first pass with traps."""

_TRAPS = 7
"""How many tasks of such a pass have traps at least."""

_ACCEPTED = 2
"""The first pass after which a person accepts what was learned, under trust in acceptance."""

_AUDIT = 0.02
"""How often the model is asked although memory knows."""

_RECURSION = 60
"""Steps of the agent's graph on a task at most."""


@dataclass(frozen=True)
class WrongTask:
    """A task that came out otherwise than without memory.

    Attributes:
        text: Of the task.
        trap: What is unlike ordinary tasks in it, if anything.
        expected: Calls that change something without memory, and the answer.
        actual: Those with memory.
    """

    text: str
    trap: str | None
    expected: str
    actual: str


@dataclass(frozen=True)
class PassResult:
    """What came of one pass over a trade.

    Attributes:
        tasks: How many there were.
        without: Calls of the model without memory.
        model_calls: Calls of the model with memory.
        wrong: Tasks with other changes or another answer than without memory.
    """

    tasks: int
    without: int
    model_calls: int
    wrong: tuple[WrongTask, ...]


class _TradeModel(ScriptedModel):
    """Keeps the policy of a trade.

    Attributes:
        trade: The trade.
    """

    trade: Any

    def _reply(self, messages: list[BaseMessage]) -> AIMessage:
        start = max(i for i, m in enumerate(messages) if isinstance(m, HumanMessage))
        move = next_move(self.trade, messages[start].text, steps_of(messages[start + 1 :]))
        if isinstance(move, str):
            return AIMessage(move)
        calls = [
            {"name": tool, "args": args, "id": f"c{self.calls}.{i}", "type": "tool_call"}
            for i, (tool, args) in enumerate([move] if isinstance(move, tuple) else move)
        ]
        return AIMessage("", tool_calls=calls)


def play_trade(
    kind: type[Trade],
    *,
    trust: Trust = "demonstrations",
    seed: int = 0,
    passes: int = 4,
    size: int = _SIZE,
    declared: bool = True,
    keep: Path | None = None,
) -> list[PassResult]:
    """Play a trade on a library that is empty at first.

    Args:
        kind: Which trade.
        trust: What lets memory make calls that may change something.
        seed: Of the tasks.
        passes: How many.
        size: Tasks of a pass.
        declared: Whether each tool says if it changes something.
        keep: Where a copy of the library after each pass stays.
    """
    with tempfile.TemporaryDirectory(prefix="macla-trades-") as folder:
        trade = kind()
        memory = MaclaMiddleware(Path(folder) / "library", trust=trust, audit=_AUDIT)
        model = _TradeModel(trade=trade)
        agent = create_agent(
            model,
            trade.structured_tools(declared=declared),
            middleware=[memory],
            system_prompt=trade.prompt,
        )
        results: list[PassResult] = []
        try:
            for number in range(1, passes + 1):
                results.append(_pass(trade, agent, model, number, seed, size))
                if keep:
                    shutil.copytree(Path(folder) / "library", keep / f"{kind.name}-{number}")
                if trust == "acceptance" and number >= _ACCEPTED:
                    memory.accept()
        finally:
            memory.memory.close()
        return results


def _pass(
    trade: Trade, agent: Any, model: ScriptedModel, number: int, seed: int, size: int
) -> PassResult:
    rng = random.Random(f"{seed}/{number}/{trade.name}")  # noqa: S311
    before, without = model.calls, 0
    wrong: list[WrongTask] = []
    traps = _traps_of(trade, rng, number, size)
    for trap in traps:
        text = trade.posed(rng, trap)
        reference = trade.reference(text)
        without += reference.model_calls
        answer = _answer(agent, text)
        expected, actual = (reference.changes, reference.answer), (trade.changes(), answer)
        if actual != expected:
            wrong.append(WrongTask(text, trap, _told(*expected), _told(*actual)))
    return PassResult(len(traps), without, model.calls - before, tuple(wrong))


def _traps_of(trade: Trade, rng: random.Random, number: int, size: int) -> list[str | None]:
    """Trap of each task of a pass, or None."""
    traps: list[str] = []
    if number >= _TRAPPED:
        traps = list(trade.traps)
        rng.shuffle(traps)
        traps = (traps * 3)[: max(_TRAPS, len(traps))]
    kinds = [None] * (size - min(len(traps), size - _ORDINARY)) + traps
    rng.shuffle(kinds)
    return kinds


def _answer(agent: Any, text: str) -> str:
    conversation: Any = {"messages": [HumanMessage(text)]}
    try:
        messages = agent.invoke(conversation, {"recursion_limit": _RECURSION})["messages"]
    except Exception as error:  # a fault of memory like any other, counted as such
        return f"raised {type(error).__name__}: {error}"
    return str(messages[-1].text)


def _told(changes: list[tuple[str, str]], answer: str) -> str:
    return " ".join([*(f"{tool} {args};" for tool, args in changes), repr(answer)])
