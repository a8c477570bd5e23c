"""A TextWorld game as an environment: text in, text out, and the list of what is possible."""

from __future__ import annotations

import importlib
import threading
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...graph.answers import checked_action
from ...procedures.common.errors import DataError, EnvironmentFailure
from .game_text import clean_feedback, first_observation, is_meta_command, last_sentence
from .games import check_game, find_games
from .make import require_textworld

__all__ = ["NOT_UNDERSTOOD", "TextWorldEnvironment"]

#: The game's own answer to a command that it does not know.
NOT_UNDERSTOOD = "That's not a verb I recognise."

# warnings.catch_warnings changes the state of the whole process.
_LOADING = threading.Lock()


class TextWorldEnvironment:
    """Plays TextWorld games; fits :class:`~macla.graph.protocols.AdmissibleEnvironment`.

    The agent gets text only: the objective as the task, and what the game prints. Commands for
    the interpreter or for TextWorld's debugger (``undo``, ``tw-…``) are answered as unknown verbs.
    An episode ends when the game is won or lost.

    Args:
        game: ``cooking``, ``treasure`` or ``hunt``. ``hunt`` plays treasure games but tells only
            the last sentence of the objective that names the treasure, without the route.

    Raises:
        MissingExtraError: If TextWorld is not installed.
    """

    def __init__(self, game: str = "cooking") -> None:
        require_textworld()
        self._game = check_game(game)
        self._engine: Any = None
        self._state: Any = None
        self._over = True
        self._score = 0

    def reset(self, task: Any) -> tuple[str, str]:
        """Start the game in file ``task``; return ``(objective, first scene)``.

        Raises:
            DataError: If ``task`` is not the path of a TextWorld game.
        """
        if not isinstance(task, (str, Path)):
            raise DataError(f"a TextWorld task is the path of a game, not {type(task).__name__}")
        games = find_games(Path(task))
        if len(games) != 1:
            raise DataError(f"{task}: one game is needed, but here are {len(games)}")
        self.close()
        self._start(games[0])
        state = self._state
        objective = " ".join(str(state.objective or "").split())
        if not objective:
            raise DataError(f"{games[0]}: the game has no objective")
        scene = first_observation(str(state.feedback), str(state.objective))
        if self._game == "hunt":
            return last_sentence(objective, _treasure(state)), scene
        return objective, scene

    def step(self, action: str) -> tuple[str, float, bool, Mapping[str, Any]]:
        """Type ``action``; return ``(observation, points gained, done, info)``.

        ``info`` holds ``won``, ``lost``, ``score`` and ``max_score`` (points of the whole game).

        Raises:
            EnvironmentFailure: If no game is running, the action is no text, or the interpreter
                fails.
        """
        if self._state is None:
            raise EnvironmentFailure("no TextWorld game is running; call reset first")
        if self._over:
            raise EnvironmentFailure("the TextWorld game is over; call reset to play another")
        command = " ".join(checked_action(self, action).split())
        if is_meta_command(command):
            return NOT_UNDERSTOOD, 0.0, False, self._info()
        try:
            self._state, _, _ = self._engine.step(command)
        except Exception as error:
            raise EnvironmentFailure(
                f"TextWorld failed on {command!r}: {type(error).__name__}: {error}"
            ) from error
        state = self._state
        self._over = bool(state.won or state.lost)
        before, self._score = self._score, int(state.score or 0)
        if state.won:
            # The status line that carries the score stops one move before the end.
            self._score = int(state.max_score)
        observation = clean_feedback(str(state.feedback))
        return observation, float(self._score - before), self._over, self._info()

    def admissible(self) -> list[str]:
        """Return the commands that the game would accept now, sorted; none when it is over."""
        if self._state is None or self._over:
            return []
        return list(self._state.admissible_commands)

    def walkthrough(self) -> list[str]:
        """Return the solution stored with the running game; for demonstrations, never for agents.

        Raises:
            DataError: If the game has none.
        """
        stored = self._state["extra.walkthrough"] if self._state is not None else None
        if not stored:
            raise DataError("the TextWorld game carries no walkthrough")
        return [str(command) for command in stored]

    def close(self) -> None:
        """End the running game, if any, and free its interpreter."""
        if self._engine is not None:
            self._engine.close()
        self._engine = self._state = None
        self._over = True

    def _start(self, path: Path) -> None:
        textworld: Any = importlib.import_module("textworld")  # slow to import, and untyped
        wanted = textworld.EnvInfos(
            feedback=True,
            objective=True,
            max_score=True,
            score=True,
            won=True,
            lost=True,
            admissible_commands=True,
            extras=["walkthrough"],
        )
        try:
            with _LOADING, warnings.catch_warnings():
                # Jericho warns that it does not know the game; TextWorld tracks it itself.
                warnings.simplefilter("ignore")
                self._engine = textworld.start(str(path), wanted)
                self._state = self._engine.reset()
        except Exception as error:
            self._engine = self._state = None
            raise DataError(
                f"{path}: TextWorld cannot start this game: {type(error).__name__}: {error}"
            ) from error
        self._over, self._score = False, 0

    def _info(self) -> dict[str, Any]:
        state = self._state
        return {
            "won": bool(state.won),
            "lost": bool(state.lost),
            "score": self._score,
            "max_score": int(state.max_score),
        }


def _treasure(state: Any) -> str:
    """Return what the last command of a treasure game's solution takes."""
    stored = state["extra.walkthrough"]
    words = str(stored[-1]).split() if stored else []
    taken = words[1 : words.index("from")] if "from" in words else words[1:]
    return " ".join(taken)
