"""What a kind of task is: its wordings, what its tasks find, and how the model solves them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, TypeVar

from ..names import PEOPLE, SURNAMES
from .desks import Desk
from .office import Planted

__all__ = ["Call", "Draw", "Kind", "Line", "Scene", "Talk", "Work"]

Call: TypeAlias = tuple[str, dict[str, Any]]
Work: TypeAlias = Generator[Call, Any, str]
Line: TypeAlias = tuple[Literal["human", "ai"], str]
_T = TypeVar("_T")
_PRIME = 899_981
"""Numbers of identifiers do not meet again before so many were drawn."""


@dataclass(frozen=True)
class Scene:
    """What one task is about.

    Attributes:
        values: What the wordings name.
        planted: What the office holds for it.
        system: What the system prompt says besides the usual.
        earlier: The lines of the conversation before the task.
        later: What the user says after the first answer: a remark, or values asked for in the same
            wording.
    """

    values: Mapping[str, str]
    planted: Planted
    system: str = ""
    earlier: tuple[Line, ...] = ()
    later: tuple[str | Mapping[str, str], ...] = ()


@dataclass(frozen=True)
class Talk:
    """What the model reads besides the task and the results.

    Attributes:
        system: The system prompt.
        earlier: What users said before the task, oldest first.
    """

    system: str
    earlier: tuple[str, ...]


@dataclass
class Draw:
    """Draws the values of one task.

    Attributes:
        seed: Of the whole run.
        number: Of the pass, from 0.
        kind: Of the task.
        index: Of the task among those of its kind in the pass.
        ordinal: How many look-alikes of the kind there were in the run before.
    """

    seed: int
    number: int
    kind: int
    index: int
    ordinal: int
    rng: random.Random = field(init=False)
    _identifiers: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        text = f"{self.seed}/{self.number}/{self.kind}/{self.index}"
        self.rng = random.Random(text)  # noqa: S311 (a simulation)

    def identifier(self, prefix: str) -> str:
        """Return an identifier that no other task has."""
        place = ((self.number * 20 + self.kind) * 32 + self.index) * 16 + self._identifiers
        self._identifiers += 1
        return f"{prefix}{100_000 + (place * 48_271 + self.seed * 7_919) % _PRIME}"

    def person(self) -> str:
        """Return a name."""
        return f"{self.rng.choice(PEOPLE)} {self.rng.choice(SURNAMES)}"

    def people(self, count: int) -> list[str]:
        """Return different names."""
        firsts, lasts = self.rng.sample(PEOPLE, count), self.rng.sample(SURNAMES, count)
        return [f"{first} {last}" for first, last in zip(firsts, lasts, strict=True)]

    def money(self, least: int, most: int) -> float:
        """Return an amount with cents."""
        return self.rng.randrange(least * 100, most * 100) / 100

    def choice(self, pool: Sequence[_T]) -> _T:
        """Return one of a pool."""
        return self.rng.choice(pool)

    def scheduled(self, pool: Sequence[_T]) -> _T:
        """Return what look-alikes show now: new at two of three, the one before at the third."""
        order = list(pool)
        random.Random(f"{self.seed}/{self.kind}").shuffle(order)  # noqa: S311
        return order[(2 * self.ordinal + 2) // 3 % len(order)]

    def late(self, early: Sequence[_T], rare: Sequence[_T]) -> _T:
        """Return what look-alikes show now: after three of the early ones only what is rare."""
        pool, place = (early, self.ordinal) if self.ordinal < 3 else (rare, self.ordinal - 3)
        order = list(pool)
        random.Random(f"{self.seed}/{self.kind}").shuffle(order)  # noqa: S311
        return order[place % len(order)]


@dataclass(frozen=True)
class Kind:
    """A kind of task.

    Attributes:
        number: Its number on the ladder; odd ones are for development.
        trap: What the trap is, in a few words.
        wordings: How it is asked; ``{name}`` are its values.
        scene: Draws a task, ordinary or (True) a look-alike.
        work: How the model solves it: values of the task and the talk around it → calls, answer.
        remark: What the model does about a line that is no task.
        desks: The tools that it has besides those of the office.
        endings: What may be said behind a task, in sentences; it is the value ``ending``.
    """

    number: int
    trap: str
    wordings: tuple[str, ...]
    scene: Callable[[Draw, bool], Scene]
    work: Callable[[Mapping[str, str], Talk], Work]
    remark: Callable[[str, Talk], Work | None] | None = None
    desks: tuple[Desk, ...] = ()
    endings: tuple[str, ...] = ()
    patterns: tuple[re.Pattern[str], ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "patterns", tuple(map(_pattern, self.wordings)))

    def read(self, text: str) -> dict[str, str] | None:
        """Return the values of a task of this kind, or None."""
        for ending in sorted(self.endings, key=len, reverse=True):
            if text.endswith(f" {ending}"):
                values = self._read(text.removesuffix(f" {ending}"))
                return None if values is None else {**values, "ending": ending}
        return self._read(text)

    def said(self, wording: str, values: Mapping[str, str]) -> str:
        """Return what a user says for values, in a wording."""
        ending = values.get("ending", "")
        return f"{wording.format(**values)} {ending}".rstrip()

    def _read(self, text: str) -> dict[str, str] | None:
        for pattern in self.patterns:
            match = pattern.fullmatch(text)
            if match is not None:
                return match.groupdict()
        return None


def _pattern(wording: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", wording)
    return re.compile(
        "".join(f"(?P<{part}>.+?)" if i % 2 else re.escape(part) for i, part in enumerate(parts))
    )
