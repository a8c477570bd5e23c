"""A trade: its tools, what they act on, the policy of who knows it, its tasks and their traps."""

from __future__ import annotations

import copy
import functools
import inspect
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from random import Random
from types import SimpleNamespace
from typing import Any, ClassVar, TypeAlias, get_type_hints

from langchain_core.tools import StructuredTool, ToolException

from ..ladder.agents.exchanges import Step

__all__ = [
    "FIRST",
    "LAST",
    "Policy",
    "Record",
    "Reference",
    "Result",
    "Trade",
    "day",
    "next_move",
]

Record: TypeAlias = dict[str, Any]
"""Arguments of a call, or a row that a tool reads."""

Result: TypeAlias = Any
"""What a tool tells: a document, or a text."""

Call: TypeAlias = tuple[str, Record]
"""A tool's name and arguments."""

Policy: TypeAlias = "Generator[Call | list[Call], Any, str]"
"""Calls, each of which is sent its result (lists of calls: their results); the answer at last."""

FIRST = (  # noqa: SIM905
    "Ana Bob Cem Dora Eli Fay Gus Hal Ida Jon Kim Lea Max "
    "Nia Oto Pia Quin Ron Sue Tom Uma Vic Wes Xia Yan Zoe"
).split()
"""First names."""

LAST = (  # noqa: SIM905
    "Abt Bell Cole Diaz Ek Frey Gray Hurt Ibe Jung Katz Lund Moss "
    "Nash Orr Pike Quill Rose Sato Tran Ude Voss Webb Xu York Zorn"
).split()
"""Last names."""


def day(rng: Random, month: int | None = None) -> str:
    """Day of 2026."""
    return f"2026-{month or rng.randrange(1, 13):02d}-{rng.randrange(1, 29):02d}"


@dataclass(frozen=True)
class Reference:
    """What comes of a task without memory.

    Attributes:
        changes: The calls that change something, in order.
        answer: The answer.
        model_calls: How often the model is called.
    """

    changes: list[tuple[str, str]]
    answer: str
    model_calls: int


class Trade(ABC):
    """Base of the trades. Each tool is a method, whose docstring the model reads.

    Attributes:
        name: Names the trade, and its stream of random numbers.
        prompt: Of the system.
        reading: Names of the tools that change nothing.
        traps: What is unlike ordinary tasks in some of the later ones.
        tools: Names of all tools.
        db: What the tools act on.
        texts: Each task's text → what it asks for.
    """

    name: ClassVar[str]
    prompt: ClassVar[str]
    reading: ClassVar[tuple[str, ...]]
    traps: ClassVar[tuple[str, ...]]
    tools: ClassVar[tuple[str, ...]]

    def __init__(self) -> None:
        self.db: Record = {}
        self.texts: dict[str, SimpleNamespace] = {}
        self._log: list[Call] = []

    # ---------------------------------------------------------------- what a trade defines
    @abstractmethod
    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""

    @abstractmethod
    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""

    # ------------------------------------------------------------------------------- draws
    def person(self, rng: Random) -> str:
        """Name that nobody had so far."""
        names = self.db.setdefault("names", set())
        while True:
            name = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
            if name not in names:
                names.add(name)
                return name

    def fresh(self, rng: Random, prefix: str, digits: int = 5) -> str:
        """Identifier that nothing had so far."""
        ids = self.db.setdefault("ids", set())
        while True:
            made = f"{prefix}{rng.randrange(10 ** (digits - 1), 10**digits)}"
            if made not in ids:
                ids.add(made)
                return made

    # ------------------------------------------------------------------------------- tasks
    def posed(self, rng: Random, trap: str | None) -> str:
        """Text of a new task."""
        text, asked = self.task(rng, trap)
        if text in self.texts:
            raise ValueError(f"asked before: {text}")
        self.texts[text] = asked
        return text

    def changes(self) -> list[tuple[str, str]]:
        """Calls that changed something since the last :meth:`reference`, in order."""
        return [
            (tool, json.dumps(args, sort_keys=True))
            for tool, args in self._log
            if tool not in self.reading
        ]

    def reference(self, text: str) -> Reference:
        """What comes of a task without memory; nothing is changed."""
        kept, self._log = copy.deepcopy(self.db), []
        tools = {tool.name: tool for tool in self.structured_tools(declared=False)}
        steps: list[Step] = []
        moves = 1
        while not isinstance(move := next_move(self, text, steps), str):
            moves += 1
            for tool, args in [move] if isinstance(move, tuple) else move:
                steps.append(Step(tool, args, str(tools[tool].invoke(args))))
        reference = Reference(changes=self.changes(), answer=move, model_calls=moves)
        self.db, self._log = kept, []
        return reference

    # ------------------------------------------------------------------------------- tools
    def structured_tools(self, *, declared: bool) -> list[StructuredTool]:
        """Tools of the trade; where declared, each says whether it changes something."""
        return [
            StructuredTool.from_function(
                self._logged(getattr(self, name)),
                name=name,
                description=getattr(self, name).__doc__,
                handle_tool_error=True,
                metadata={"readOnlyHint": name in self.reading} if declared else None,
            )
            for name in self.tools
        ]

    def _logged(self, method: Callable[..., Result]) -> Callable[..., str]:
        def run(**args: Any) -> str:
            self._log.append((method.__name__, args))
            try:
                told = method(**args)
                return told if isinstance(told, str) else json.dumps(told)
            except KeyError as error:
                raise ToolException(f"not found: {error}") from None

        hints = get_type_hints(method)
        parameters = [
            parameter.replace(annotation=hints[name])
            for name, parameter in inspect.signature(method).parameters.items()
        ]
        functools.update_wrapper(run, method)
        del run.__wrapped__  # type: ignore[attr-defined]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        return run


def next_move(trade: Trade, text: str, steps: Sequence[Step]) -> Call | list[Call] | str:
    """Call or calls the policy makes next, or its answer; in which order it was told is all one."""
    told = list(steps)
    policy = trade.policy(trade.texts[text])
    try:
        wanted = next(policy)
        while True:
            results: list[Any] = []
            missing: list[Call] = []
            for call in [wanted] if isinstance(wanted, tuple) else wanted:
                step = next((each for each in told if (each.tool, each.args) == call), None)
                if step is None:
                    missing.append(call)
                else:
                    told.remove(step)
                    results.append(_data(step.result))
            if missing:
                return missing[0] if isinstance(wanted, tuple) else missing
            wanted = policy.send(results[0] if isinstance(wanted, tuple) else results)
    except StopIteration as end:
        return str(end.value)


def _data(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
