"""Random small tool worlds: does memory ever do something else than the model would?

``python -m macla.evals.tool_caution.random_worlds --seeds 300`` makes worlds with distractors
(lists with names that look alike, states, limits, balances, currencies, instructions with a user
and a day), runs tasks in each with memory, and compares calls and answers with those of the
scripted model alone.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import BaseTool, StructuredTool

from ...adapters.langchain.middleware import MaclaMiddleware

__all__ = ["RandomWorld", "WorldResult", "run_world"]

_NAMES = (
    "ada",
    "adam",
    "ben",
    "benno",
    "carl",
    "carla",
    "dan",
    "dana",
    "eva",
    "evan",
    "finn",
    "jo",
)
_STATES = ("open", "new", "waiting", "locked", "closed")
_CURRENCIES = ("EUR", "EUR", "EUR", "USD", "GBP")
_DATES = ("%Y-%m-%d", "%d.%m.%Y", "%B %d, %Y", "%A", "%Y%m%d")
_WORDS = ("red", "round", "old", "plain", "heavy", "wet", "odd", "far")
_REFUSED = "That is not possible."


@dataclass(frozen=True)
class Situation:
    """What a run of the agent finds.

    Attributes:
        name: What the task names.
        figure: What the task says how many.
        rows: What a look shows: records, the right one among them or not.
        user: Whom the instructions say it serves.
        day: The day that they give.
    """

    name: str
    figure: int
    rows: tuple[dict[str, Any], ...]
    user: str
    day: date


@dataclass
class RandomWorld:
    """A task, two tools and the rules of a model, all drawn from a seed.

    Attributes:
        seed: Of everything.
        calls: What the agent called.
    """

    seed: int
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        draw = random.Random(self.seed)  # noqa: S311 (a simulation)
        self._draw = draw
        self.fields = draw.sample(
            ["amount", "balance", "currency", "state", "note", "owner", "rank"], draw.randint(2, 5)
        )
        self.form = draw.choice(["record", "record", "list", "nested", "text", "one"])
        self.asks_figure = draw.random() < 0.4
        self.limit = draw.randint(20, 90)
        self.fine = tuple(draw.sample(_STATES, draw.randint(2, 4)))
        self.passed = [
            f for f in ("amount", "currency") if f in self.fields and draw.random() < 0.6
        ]
        self.instructed = draw.choice(["", "", "user", "day"])
        self.date_form = draw.choice(_DATES)
        rules = {
            "state": "state" in self.fields,
            "limit": "amount" in self.fields,
            "balance": {"amount", "balance"} <= set(self.fields),
            "figure": self.asks_figure,
            "covered": self.asks_figure and "balance" in self.fields,
        }
        self.rules = [r for r, there in rules.items() if there and draw.random() < 0.6]
        self.reports = draw.random() < 0.5
        self._situation = self.situation()

    # ------------------------------------------------------------------------- drawing
    def situation(self) -> Situation:
        """Draw what the next run finds."""
        draw = self._draw
        name = draw.choice(_NAMES)
        others = [each for each in _NAMES if each != name and each[:2] == name[:2]]
        names = [name]
        if self.form in ("list", "one"):
            names += others if draw.random() < 0.7 else []
            draw.shuffle(names)
            names = names[:1] if self.form == "one" else names
        self._situation = Situation(
            name,
            draw.randint(1, 120),
            tuple(self._record(each) for each in names),
            draw.choice(("Ada", "Ben", "Ben")),
            date(2026, 11, 20) + timedelta(days=draw.randint(0, 2)),
        )
        return self._situation

    def _record(self, name: str) -> dict[str, Any]:
        draw = self._draw
        known: dict[str, Any] = {"id": draw.randint(100, 999), "name": name}
        values: dict[str, Callable[[], Any]] = {
            "amount": lambda: draw.randint(1, 120),
            "balance": lambda: draw.randint(1, 150),
            "currency": lambda: draw.choice(_CURRENCIES),
            "state": lambda: draw.choice(_STATES),
            "note": lambda: " ".join(draw.sample(_WORDS, 2)),
            "owner": lambda: draw.choice(_NAMES),
            "rank": lambda: draw.randint(0, 9),
        }
        return {**known, **{key: values[key]() for key in self.fields}}

    # ------------------------------------------------------------------------- the agent
    def task(self, now: Situation) -> str:
        """Return how the run is asked for."""
        return f"Ship {now.name}, {now.figure} pieces." if self.asks_figure else f"Ship {now.name}."

    def instructions(self, now: Situation) -> str:
        """Return the agent's system prompt."""
        return f"You serve {now.user}. Today is {now.day:%Y-%m-%d}." if self.instructed else ""

    def shown(self, now: Situation) -> str:
        """Return what a look answers."""
        rows = list(now.rows)
        if self.form == "text":
            return "; ".join(f"{key}: {value}" for key, value in rows[0].items())
        if self.form == "nested":
            return json.dumps({"found": {"item": rows[0], "count": 1}})
        return json.dumps(rows if self.form in ("list", "one") else rows[0])

    def plan(self, now: Situation, told: Sequence[str]) -> tuple[str, dict[str, Any]] | str:
        """Return what the model does next: a call, or the answer."""
        if not told:
            return "look", {"name": now.name}
        row = next((each for each in now.rows if each["name"] == now.name), None)
        if row is None or not self._allowed(now, row):
            return _REFUSED
        if len(told) == 1:
            args: dict[str, Any] = {"item": row["id"], **{key: row[key] for key in self.passed}}
            if self.asks_figure:
                args["pieces"] = now.figure
            if self.instructed == "user":
                args["user"] = f"{now.user.lower()}@example.org"
            if self.instructed == "day":
                args["day"] = now.day.strftime(self.date_form)
            return "ship", args
        said = f", at {row['amount']}" if self.reports and "amount" in row else ""
        return f"{now.name} is on its way{said}."

    def _allowed(self, now: Situation, row: dict[str, Any]) -> bool:
        checks: dict[str, Callable[[], bool]] = {
            "state": lambda: row["state"] in self.fine,
            "limit": lambda: row["amount"] <= self.limit,
            "balance": lambda: row["amount"] <= row["balance"],
            "figure": lambda: now.figure <= self.limit,
            "covered": lambda: now.figure <= row["balance"],
        }
        return all(checks[rule]() for rule in self.rules)

    def tools(self) -> list[BaseTool]:
        """Return the tools, which note what they were called with."""

        def look(name: str) -> str:
            """Look something up."""
            self.calls.append(("look", {"name": name}))
            return self.shown(self._situation)

        def ship(**args: Any) -> str:
            """Send something on its way."""
            self.calls.append(("ship", args))
            return json.dumps({"ok": True})

        free = {"type": "object", "properties": {}, "additionalProperties": True}
        return [
            StructuredTool.from_function(look),
            StructuredTool.from_function(ship, args_schema=free),
        ]

    def expected(self, now: Situation) -> tuple[list[tuple[str, dict[str, Any]]], str]:
        """Return the calls and the answer of the model alone."""
        calls: list[tuple[str, dict[str, Any]]] = []
        told: list[str] = []
        while True:
            wanted = self.plan(now, told)
            if isinstance(wanted, str):
                return calls, wanted
            calls.append(wanted)
            told.append("")


class _Scripted(BaseChatModel):
    """Carries out the plan of a world."""

    world: Any
    asked: list[int] = []  # noqa: RUF012 (pydantic copies it)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self.asked.append(1)
        start = max(i for i, m in enumerate(messages) if isinstance(m, HumanMessage))
        told = [m.text for m in messages[start:] if isinstance(m, ToolMessage)]
        wanted = self.world.plan(self.world._situation, told)
        if isinstance(wanted, str):
            reply = AIMessage(wanted)
        else:
            name, args = wanted
            call = {"name": name, "args": args, "id": f"c{len(self.asked)}", "type": "tool_call"}
            reply = AIMessage("", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=reply)])


@dataclass(frozen=True)
class WorldResult:
    """What came of one world.

    Attributes:
        wrong: Runs in which memory did or said something else than the model alone.
        model_calls: Calls of the model with memory.
        model_calls_without: Calls of the model alone.
    """

    wrong: tuple[str, ...]
    model_calls: int
    model_calls_without: int


def run_world(seed: int, runs: int = 12) -> WorldResult:
    """Run tasks in a random world with memory, and compare each with the model alone."""
    world = RandomWorld(seed)
    model = _Scripted(world=world)
    wrong: list[str] = []
    without = 0
    with tempfile.TemporaryDirectory() as folder:
        macla = MaclaMiddleware(Path(folder) / "library", shown=0, trust="demonstrations")
        tools = world.tools()
        for _ in range(runs):
            now = world.situation()
            world.calls.clear()
            agent = create_agent(
                model, tools, middleware=[macla], system_prompt=world.instructions(now) or None
            )
            end = agent.invoke({"messages": [HumanMessage(world.task(now))]})
            done = (list(world.calls), end["messages"][-1].text)
            meant = world.expected(now)
            without += len(meant[0]) + 1
            if done != meant:
                wrong.append(f"seed {seed}: {world.task(now)} -> {done}, not {meant}")
        macla.memory.close()
    return WorldResult(tuple(wrong), len(model.asked), without)


def _seeds(options: argparse.Namespace) -> range:
    return range(options.first, options.first + options.seeds)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--runs", type=int, default=12)
    options = parser.parse_args()
    results = [run_world(seed, options.runs) for seed in _seeds(options)]
    wrong = [text for each in results for text in each.wrong]
    calls = sum(each.model_calls for each in results)
    without = sum(each.model_calls_without for each in results)
    print(f"{options.seeds} worlds, {options.seeds * options.runs} runs: {len(wrong)} wrong")
    print(f"model calls: {calls}, {without} without memory ({100 * calls / without - 100:+.0f} %)")
    for text in wrong:
        print(f"  {text}")


if __name__ == "__main__":
    main()
