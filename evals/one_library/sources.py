"""The domains: what each is learned from, and how it is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Protocol

from ...adapters.session import LibrarySession
from ...procedures.common.errors import DataError
from ...procedures.episodes.trajectories import Trajectory
from ..cells import LibraryPlayer, WorldCell
from ..foreign_worlds import WORLDS as FOREIGN
from ..foreign_worlds import ForeignWorld
from ..foreign_worlds.cells import foreign_cell
from ..fresh_worlds import dev, third
from ..ladder.cells import world_cell
from ..ladder.world import World
from ..ladder.worlds import DEVELOPMENT
from ..players.arms import Setting
from ..running.runner import evaluate
from ..suites.suites import make_suite

__all__ = ["GROUPS", "SOURCES", "Opened", "Played", "Source", "source"]


@dataclass(frozen=True, slots=True)
class Played:
    """An episode.

    Attributes:
        task: What was asked.
        reward: What it came to, in [0, 1].
        won: Whether it was won.
        expected: The success that was expected of what was chosen first, in [0, 1]; None where
            nothing was.
    """

    task: str
    reward: float
    won: bool
    expected: float | None


class Opened:
    """A library that domains are played with; small worlds share what was opened once.

    Args:
        session: The open library.
        without: Parts of the method that are left out.
    """

    def __init__(self, session: LibrarySession, without: Sequence[str]) -> None:
        self._session = session
        self.without = tuple(without)
        self.path = session.library.path

    @cached_property
    def player(self) -> LibraryPlayer:
        """Plays small worlds."""
        return LibraryPlayer(self._session, self.without)


class Source(Protocol):
    """A domain."""

    def lesson(self) -> Sequence[Trajectory]:
        """Return its demonstrations."""
        ...

    def play(self, library: Opened, limit: int) -> list[Played]:
        """Play its first tasks, at most ``limit``, with a library."""
        ...


@dataclass(frozen=True, slots=True)
class SuiteSource:
    """A benchmark.

    Attributes:
        name: Of the suite.
        split: What is played.
        episodes: How many demonstrations are learned from; None for all.
        options: Of the suite.
        seed: Of the choice of demonstrations; None for the first ones.
    """

    name: str
    split: str
    episodes: int | None
    options: Mapping[str, Any]
    seed: int | None = 0

    def lesson(self) -> Sequence[Trajectory]:
        """Return its demonstrations."""
        return make_suite(self.name, **self.options).demonstrations(self.episodes, self.seed)[0]

    def play(self, library: Opened, limit: int) -> list[Played]:
        """Play its tasks with a library."""
        suite = make_suite(self.name, **self.options)
        setting = Setting(
            suite,
            library=str(library.path),
            max_steps=suite.max_steps,
            without=library.without,
        )
        return [
            Played(o.task, o.reward, o.success, o.choices[0][1] if o.choices else None)
            for o in evaluate(setting, self.split, limit=limit).outcomes
        ]


@dataclass(frozen=True, slots=True)
class CellSource:
    """A small world.

    Attributes:
        cell: Makes the cell anew.
    """

    cell: Callable[[], WorldCell]

    def lesson(self) -> Sequence[Trajectory]:
        """Return its demonstrations."""
        return self.cell().lesson

    def play(self, library: Opened, limit: int) -> list[Played]:
        """Play its tasks with a library."""
        cell = self.cell()
        tasks = [cell.environment.reset(task)[0] for task in cell.tasks[:limit]]
        return [
            Played(
                task, float(m.mark == "1"), m.mark == "1", m.choices[0][1] if m.choices else None
            )
            for task, m in zip(tasks, library.player.play(cell, limit), strict=True)
        ]


_SUITES: Final[Mapping[str, Source]] = {
    "alfworld": SuiteSource("alfworld", "valid_seen", 300, {}),
    "webshop": SuiteSource("webshop", "dev", 60, {}),
    "intercode-sql": SuiteSource("intercode-sql", "gold", None, {"hold_out": "gold"}),
    "travelplanner": SuiteSource("travelplanner", "dev", None, {}),
    "textworld-cooking": SuiteSource("textworld", "dev", 30, {"game": "cooking"}, seed=None),
    "textworld-treasure": SuiteSource("textworld", "dev", 60, {"game": "treasure"}, seed=None),
    "textworld-hunt": SuiteSource("textworld", "dev", 60, {"game": "hunt"}, seed=None),
}
_FOREIGN_SHOWN = 30


def _world(kind: type[World]) -> Source:
    return CellSource(lambda: world_cell(kind, "hidden"))


def _foreign(kind: type[ForeignWorld]) -> Source:
    return CellSource(lambda: foreign_cell(kind, _FOREIGN_SHOWN, "hidden")[0])


SOURCES: Final[Mapping[str, Source]] = {
    **_SUITES,
    **{f"ladder/{kind.name}": _world(kind) for kind in DEVELOPMENT},
    **{f"fresh/{kind.name}": _world(kind) for kind in (*dev.WORLDS, *third.WORLDS)},
    **{f"foreign/{kind.__name__}": _foreign(kind) for kind in FOREIGN},
}
"""Domains by name, small worlds with their possible actions hidden; nothing sealed or held."""

GROUPS: Final[Mapping[str, Callable[[str], bool]]] = {
    **{name: name.__eq__ for name in _SUITES},
    "ladder, development": lambda each: each.startswith("ladder/"),
    "fresh worlds that may be looked at": lambda each: each.startswith("fresh/"),
    "foreign worlds": lambda each: each.startswith("foreign/"),
}
"""What is told of domains together: name → whether one belongs to it."""


def source(name: str) -> Source:
    """Return a domain by its name.

    Raises:
        DataError: There is none.
    """
    if name not in SOURCES:
        raise DataError(f"there is no domain {name!r}; --list names them")
    return SOURCES[name]
