"""What the worlds of the ladder share: calls, what they answer, and one episode from a seed.

A world is written once, in calls and results; :mod:`.forms` offers it as a text world and
:mod:`.tools` as tools with JSON results.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from random import Random
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar

from ...procedures.common.errors import DataError
from .names import Part, of_part

__all__ = ["Call", "Fact", "LadderTask", "Operator", "Result", "Rows", "World", "call"]

Value: TypeAlias = "str | int | float | bool | None"
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Operator:
    """One thing that can be done.

    Attributes:
        name: As a tool is named.
        text: The action, verb first, with ``{argument}`` for each argument.
        integers: Arguments that a tool takes as whole numbers; the others are texts.
        about: What the tool's description says.
    """

    name: str
    text: str
    integers: tuple[str, ...] = ()
    about: str = ""

    @property
    def arguments(self) -> tuple[str, ...]:
        """Names of the arguments, as they stand in ``text``."""
        return tuple(re.findall(r"\{(\w+)\}", self.text))


@dataclass(frozen=True, slots=True)
class Call:
    """An operator with the values of its arguments; values are texts throughout."""

    operator: str
    arguments: tuple[tuple[str, str], ...] = ()

    @property
    def values(self) -> dict[str, str]:
        """Argument → value."""
        return dict(self.arguments)

    def __getitem__(self, argument: str) -> str:
        """Return the value of one argument."""
        return self.values[argument]


def call(operator: str, /, **arguments: object) -> Call:
    """Make a call; values are written as texts."""
    # A list is faster than a generator; worlds make millions of calls.
    return Call(operator, tuple([(name, str(value)) for name, value in arguments.items()]))


@dataclass(frozen=True, slots=True)
class Fact:
    """One sentence, and the same as fields of a JSON object."""

    text: str
    data: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rows:
    """A list: one line a row in text, a list of objects in JSON.

    Attributes:
        name: Key of the list in JSON.
        line: How a row reads, for example ``"{id} | {name} | {price}"``.
        rows: The rows, in the order in which they are shown.
    """

    name: str
    line: str
    rows: Sequence[Mapping[str, Value]]


Result: TypeAlias = "Sequence[Fact | Rows]"
"""What a call answers, or what stands there at first."""


@dataclass(frozen=True, slots=True)
class LadderTask:
    """One episode; all of it follows from these.

    Attributes:
        seed: From 0.
        part: ``train`` or ``test``: which names are drawn.
        order: ``drawn``: rows and links stand in any order; ``right first``: the one that is
            wanted stands first.
    """

    seed: int
    part: Part = "test"
    order: Literal["drawn", "right first"] = "drawn"


class World(ABC):
    """Base of the worlds.

    A subclass lays out an episode in :meth:`begin` from ``self.rng``, and calls :meth:`end` when
    something that cannot be undone is done, rightly or wrongly. The same object plays one episode
    after the other.

    Attributes:
        name: Of the world; unique on the ladder.
        difficulty: The one difficulty, in a sentence.
        operators: All that can be done.
        horizon: Most actions of an episode.
        refusal: What is answered to a call that is not possible.
        abstaining: Whether half of the test episodes (those with an odd seed) are won only by
            finding out what was never demonstrated, and ending without the final call.
            :meth:`begin` sets ``self.unsettled`` in those, and :meth:`do` sets ``self.met`` where
            a call tells what is new.
    """

    name: ClassVar[str]
    difficulty: ClassVar[str]
    operators: ClassVar[tuple[Operator, ...]]
    horizon: ClassVar[int] = 20
    refusal: ClassVar[Fact] = Fact("Nothing happens.", {"error": "not possible"})
    abstaining: ClassVar[bool] = False

    rng: Random
    task: LadderTask
    unsettled: bool
    met: bool
    won: bool
    over: bool

    # ------------------------------------------------------------------ playing an episode
    def reset(self, task: LadderTask) -> tuple[str, Result]:
        """Lay out an episode; return what is asked and what stands there at first."""
        if not isinstance(task, LadderTask):
            raise DataError(f"an episode of the ladder is named by a LadderTask, not {task!r}")
        self.task = task
        self.rng = Random(f"{self.name}/{task.part}/{task.seed}")  # noqa: S311
        self._order = Random(f"{self.name}/{task.part}/{task.seed}/order")  # noqa: S311
        self.unsettled = self.met = self.won = self.over = False
        return self.begin()

    def step(self, wanted: Call) -> Result:
        """Do a call, where it is possible; return what it answers."""
        if self.over or not self.accepts(wanted):
            return [self.refusal]
        return self.do(wanted)

    @property
    def solved(self) -> bool:
        """Whether the episode went as it should, if it ends now."""
        return self.met and not self.over if self.unsettled else self.won

    @property
    def mark(self) -> str:
        """``1`` if the episode went as it should, ``x`` if it is spoiled for good, else ``0``."""
        return "1" if self.solved else "x" if self.spoiled else "0"

    @property
    def spoiled(self) -> bool:
        """Whether something wrong was done that cannot be undone."""
        return self.over and not self.won

    # ------------------------------------------------------------------ what a world defines
    @abstractmethod
    def begin(self) -> tuple[str, Result]:
        """Lay out the episode; return the task's text and the first result."""

    @abstractmethod
    def possible(self) -> list[Call]:
        """Return the calls that are listed as possible now.

        Free texts are listed with the values that the task names.
        """

    @abstractmethod
    def do(self, wanted: Call) -> Result:
        """Do a call that is accepted."""

    @abstractmethod
    def expert(self) -> Iterator[Call]:
        """Yield the calls of somebody who knows the rules, in an episode that can be solved.

        It may look at the world's own fields; what it looks up it does by calls first.
        """

    def accepts(self, wanted: Call) -> bool:
        """Say whether a call can be done now; by default those that are listed."""
        return wanted in self.possible()

    # ------------------------------------------------------------------ for subclasses
    def end(self, *, won: bool) -> None:
        """End the episode for good."""
        self.over, self.won = True, won

    def draw(self, pool: tuple[str, ...], count: int = 1) -> list[str]:
        """Draw names without repetition, of training or of the test."""
        return self.rng.sample(of_part(pool, self.task.part), count)

    def identifier(self, form: str = "AA-####") -> str:
        """Draw an identifier: ``A`` a capital, ``a`` a small letter, ``#`` a digit."""
        kinds = {"A": "ABCDEFGHJKLMNPQRSTUVWXYZ", "a": "abcdefghjkmnpqrstuvwxyz", "#": "0123456789"}
        return "".join(self.rng.choice(kinds[c]) if c in kinds else c for c in form)

    def arranged(self, items: Collection[_T], *right: _T) -> list[_T]:
        """Return items in the order in which they are shown; ``right`` are the wanted ones."""
        order = list(items)
        self._order.shuffle(order)
        if self.task.order == "right first":
            order.sort(key=lambda item: item not in right)
        return order

    # ------------------------------------------------------------------ calls as text
    def written(self, wanted: Call) -> str:
        """Return a call as an action."""
        return _operator(type(self), wanted.operator).text.format(**wanted.values)

    def read(self, action: str) -> Call | None:
        """Return the call that an action means: an accepted one before others, None if none."""
        readings = _readings(type(self), action)
        if len(readings) > 1 and not self.over:  # to ask what is accepted takes a world long
            readings = sorted(readings, key=lambda reading: not self.accepts(reading))
        return readings[0] if readings else None


def text_of(result: Result) -> str:
    """Return a result as text: a line each sentence and each row."""
    lines: list[str] = []
    for part in result:
        if isinstance(part, Fact):
            lines += [part.text] if part.text else []
        else:
            lines += [part.line.format(**row) for row in part.rows]
    return "\n".join(lines)


def data_of(result: Result) -> dict[str, Any]:
    """Return a result as an object of JSON."""
    data: dict[str, Any] = {}
    for part in result:
        if isinstance(part, Fact):
            data |= part.data
        else:
            data[part.name] = [dict(row) for row in part.rows]
    return data


@lru_cache(maxsize=4096)  # the actions of an episode, which are read at each of its steps
def _readings(world: type[World], action: str) -> Sequence[Call]:
    """Return the calls that an action may mean, in the order of the operators."""
    return tuple(
        Call(operator, tuple(match.groupdict().items()))
        for operator, pattern in _patterns(world)
        if (match := pattern.fullmatch(action))
    )


@cache
def _patterns(world: type[World]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    found = []
    for operator in world.operators:
        pieces = re.split(r"\{(\w+)\}", operator.text)
        pattern = "".join(
            f"(?P<{piece}>.+?)" if i % 2 else re.escape(piece) for i, piece in enumerate(pieces)
        )
        found.append((operator.name, re.compile(pattern)))
    return tuple(found)


@cache
def _operator(world: type[World], name: str) -> Operator:
    return next(operator for operator in world.operators if operator.name == name)
