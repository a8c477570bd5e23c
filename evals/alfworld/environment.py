"""ALFWorld as an :class:`~macla.graph.protocols.Environment`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from ...graph.answers import checked_action
from ...procedures.common.errors import DataError, EnvironmentFailure
from .dialects import dialect_named
from .engine import NativeEngine
from .games import Game, load_game
from .problem import parse_problem

__all__ = [
    "ENGINES",
    "AlfworldEnvironment",
    "Engine",
    "OpenAlfworldEnvironment",
    "make_environment",
    "make_native_engine",
]


class Engine(Protocol):
    """What both engines can do with the game that they were made for."""

    def reset(self) -> str:
        """Start again; return the first observation without the task sentence."""
        ...

    def step(self, command: str) -> tuple[str, bool]:
        """Do a command; return the game's answer and whether the game is won."""
        ...

    def admissible(self) -> list[str]:
        """Return the commands that are possible now, in alphabetical order."""
        ...


def make_native_engine(game: Game, dialect: str = "2.1.3") -> NativeEngine:
    """Make the pure-Python engine for a game."""
    problem = parse_problem(game.problem, game.task, where=str(game.path))
    return NativeEngine(problem, dialect)


def _make_official_engine(game: Game, dialect: str = "2.1.3") -> Engine:
    from .official import OfficialEngine  # imports TextWorld, which takes seconds

    return OfficialEngine(game, dialect)


ENGINES: Mapping[str, Callable[[Game, str], Engine]] = {
    "native": make_native_engine,
    "textworld": _make_official_engine,
}


class AlfworldEnvironment:
    """ALFWorld with the possible commands hidden: nothing but text in and out.

    Args:
        engine: ``native`` (pure Python) or ``textworld`` (the official engine; it needs the
            extra ``[alfworld]``).
        dialect: ``2.1.3``, the wording of today's data, or ``2.1.1``.

    Raises:
        DataError: There is no such engine or dialect.

    """

    def __init__(self, engine: str = "native", dialect: str = "2.1.3") -> None:
        if engine not in ENGINES:
            raise DataError(
                f"ALFWorld engine {engine!r} is not known; choose {' or '.join(ENGINES)}"
            )
        self._make_engine = ENGINES[engine]
        self._dialect = dialect_named(dialect).name
        self._engine: Engine | None = None
        self._loaded: Game | None = None

    def reset(self, task: Game | str | Path) -> tuple[str, str]:
        """Start a game and return ``(task sentence, first observation)``.

        Args:
            task: The game, or the path of its file or folder.

        Raises:
            DataError: The game cannot be read.
            MissingExtraError: The official engine is wanted and not installed.

        """
        game = task if isinstance(task, Game) else load_game(task)
        if self._engine is None or self._loaded != game:
            self._engine = self._make_engine(game, self._dialect)
            self._loaded = game
        return game.task, self._engine.reset()

    def step(self, action: str) -> tuple[str, float, bool, Mapping[str, Any]]:
        """Do one action; the episode is done, with reward 1, as soon as it is won."""
        observation, won = self._running().step(checked_action(self, action))
        return observation, float(won), won, {"won": won}

    def _running(self) -> Engine:
        if self._engine is None:
            raise EnvironmentFailure("no game is running; call reset with a game first")
        return self._engine


class OpenAlfworldEnvironment(AlfworldEnvironment):
    """ALFWorld that also shows which commands are possible."""

    def admissible(self) -> list[str]:
        """Return the commands that are possible now, in alphabetical order."""
        return self._running().admissible()


def make_environment(
    engine: str = "native", dialect: str = "2.1.3", *, show_admissible: bool = False
) -> AlfworldEnvironment:
    """Make an environment whose type says whether the possible commands are shown.

    With ``show_admissible`` it has a method ``admissible``; without, there is none, so that
    an agent cannot use it by accident.
    """
    kind = OpenAlfworldEnvironment if show_admissible else AlfworldEnvironment
    return kind(engine, dialect)
