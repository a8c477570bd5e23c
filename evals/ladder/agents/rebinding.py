"""A careless memory: the nearest earlier conversation, replayed with the new names and values.

It looks at no state, field or limit and never asks the model where anything is near. What it does
wrong is what a memory of this kind of work can do wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.tools import BaseTool

from ....procedures.proof.rebound import exchanged, exchanges
from .exchanges import Exchange, Step
from .kinds import Kind
from .office import Office
from .tools import tools_of

__all__ = ["RunRebound", "replayed"]

_TOKEN = re.compile(r"\w+(?:[-.@/:]\w+)*|\S")
_NEAR = 0.5
"""The least share of words in common at which a line counts as near."""


class RunRebound:
    """Replays the nearest earlier line of the same run; asks the model where none is near.

    Args:
        office: Where it works.
        kinds: What it is asked.
    """

    def __init__(self, office: Office, kinds: Sequence[Kind] = ()) -> None:
        self._tools = {tool.name: tool for tool in tools_of(office, kinds)}
        self._memory: list[tuple[frozenset[str], Exchange]] = []

    def play(self, shown: Sequence[Exchange]) -> tuple[Exchange, ...]:
        """Carry out the lines of a task.

        Args:
            shown: What the twin without memory did, for lines that nothing is near to.
        """
        return tuple(map(self._exchange, shown))

    def learn(self, shown: Sequence[Exchange]) -> None:
        """Keep what the twin without memory did."""
        self._memory += [(_words(each.text), each) for each in shown]

    def _exchange(self, shown: Exchange) -> Exchange:
        words = _words(shown.text)
        score, place = max(
            ((_alike(words, other), i) for i, (other, _) in enumerate(self._memory)),
            default=(0.0, 0),
        )
        if score >= _NEAR:
            return replayed(self._memory[place][1], shown.text, self._tools)
        for step in shown.steps:
            self._tools[step.tool].invoke(step.args)
        return shown


def replayed(exchange: Exchange, text: str, tools: Mapping[str, BaseTool]) -> Exchange:
    """Do for another line what was done for an earlier one.

    What differs between the two lines takes the place of what stood there, in arguments and in the
    answer; so does what differs between a result and the earlier one.
    """
    values = _Values()
    values.align(exchange.text, text)
    steps = []
    for step in exchange.steps:
        args = {key: values.put_in(value) for key, value in step.args.items()}
        try:
            result = str(tools[step.tool].invoke(args))
        except Exception as error:  # a tool that does not take such arguments
            result = f"raised {error}"
        values.compare(step.result, result)
        steps.append(Step(step.tool, args, result))
    return Exchange(text, tuple(steps), str(values.put_in(exchange.answer)), 0)


class _Values:
    """Earlier values and those that take their place; the first to come keeps its place."""

    def __init__(self) -> None:
        self._pairs: dict[str, str] = {}

    def align(self, old: str, new: str) -> None:
        """Take what differs between two texts, word by word."""
        for one, other in exchanges(old, new).items():
            self._pairs.setdefault(one, other)

    def compare(self, old: str, new: str) -> None:
        """Take what differs between two results: at the same place, or word by word."""
        try:
            before, after = _leaves(json.loads(old)), _leaves(json.loads(new))
        except ValueError:
            self.align(old, new)
            return
        for place, value in before.items():
            if value and place in after and after[place] != value:
                self._pairs.setdefault(value, after[place])

    def put_in(self, value: Any) -> Any:
        """Put the new values in the places of the earlier ones."""
        if isinstance(value, Mapping):
            return {key: self.put_in(each) for key, each in value.items()}
        if isinstance(value, str):
            return self._pairs.get(value, exchanged(value, self._pairs))
        if isinstance(value, int | float) and not isinstance(value, bool):
            other = self._pairs.get(str(value), str(value))
            try:
                return type(value)(other)
            except ValueError:
                return other
        return value


def _leaves(value: Any, place: str = "") -> dict[str, str]:
    if isinstance(value, Mapping):
        parts = value.items()
    elif isinstance(value, list):
        parts = dict(enumerate(value)).items()
    else:
        return {place: str(value)}
    return {
        inner: leaf
        for key, each in parts
        for inner, leaf in _leaves(each, f"{place}/{key}").items()
    }


def _words(text: str) -> frozenset[str]:
    return frozenset(_TOKEN.findall(text.lower()))


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other)
