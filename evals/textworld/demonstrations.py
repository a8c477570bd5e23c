"""Games and demonstrations by split: what learning and evaluation ask for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from ...procedures.common.errors import DataError
from ...procedures.episodes.trajectories import Trajectory, read_trajectories, write_trajectories
from .environment import TextWorldEnvironment
from .games import SPLITS, check_game, find_games, game_id
from .make import Progress, ensure_games

__all__ = ["SPLIT_SIZES", "list_games", "load_demonstrations", "record_demonstration"]

#: How many games a split has where no number is asked for.
SPLIT_SIZES: Final = {
    "cooking": {"train": 235, "dev": 40, "test": 80},
    "treasure": {"train": 60, "dev": 40, "test": 60},
    "hunt": {"train": 60, "dev": 40, "test": 60},
}


def list_games(
    game: str,
    split: str | Path,
    n: int | None = None,
    root: str | Path | None = None,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[Path]:
    """Return the files of the first ``n`` games of a split; games of a named split are made.

    Args:
        game: ``cooking``, ``treasure`` or ``hunt``.
        split: ``train``, ``dev`` or ``test``; or a folder of games; or a text file with one path
            of a game a line.
        n: How many; by default :data:`SPLIT_SIZES` of a named split, all of a folder or list.
        root: The data root; see :func:`~.games.data_root`.
        jobs: How many games to make at the same time.
        progress: Told after each game that is made.

    Raises:
        DataError: If there is no such split or game, or ``n`` is not positive.
        MissingExtraError: If games must be made and TextWorld is not installed.
    """
    check_game(game)
    if n is not None and n < 1:
        raise DataError(f"the number of TextWorld games must be at least 1, not {n}")
    if str(split) in SPLITS:
        name = str(split)
        wanted = SPLIT_SIZES[game][name] if n is None else n
        return ensure_games(game, name, wanted, root, jobs=jobs, progress=progress)
    return find_games(Path(split))[:n]


def load_demonstrations(
    game: str,
    split: str | Path = "train",
    n: int | None = None,
    root: str | Path | None = None,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[Trajectory]:
    """Return a demonstration of each of the games that :func:`list_games` returns.

    A demonstration plays the walkthrough that the game's maker stored with it. It is recorded
    once and kept beside the game as ``demo-<game>.jsonl``.

    Raises:
        DataError: As for :func:`list_games`, or if a game has no walkthrough.
        MissingExtraError: If a game must be made or played and TextWorld is not installed.
    """
    games = list_games(game, split, n, root, jobs=jobs, progress=progress)
    return list(_demonstrations(game, games))


def _demonstrations(game: str, games: list[Path]) -> Iterator[Trajectory]:
    environment: TextWorldEnvironment | None = None
    try:
        for path in games:
            kept = _kept_file(game, path)
            if kept.is_file():
                yield from read_trajectories(kept)
                continue
            environment = environment or TextWorldEnvironment(game)
            demonstration = record_demonstration(path, environment)
            _keep(demonstration, kept)
            yield demonstration
    finally:
        if environment is not None:
            environment.close()


def record_demonstration(path: Path, environment: TextWorldEnvironment) -> Trajectory:
    """Play the walkthrough of the game in ``path`` and return what happened.

    Commands of the walkthrough that the game refuses are part of it. ``success`` says whether
    the game was won.

    Raises:
        DataError: If the file is not a game or the game has no walkthrough.
    """
    with closing(environment):
        task, observation = environment.reset(path)
        observations, actions, won = [observation], [], False
        for action in environment.walkthrough():
            observation, _, done, info = environment.step(action)
            actions.append(action)
            observations.append(observation)
            won = bool(info["won"])
            if done:
                break
    return Trajectory(
        id=game_id(path),
        task=task,
        obs=tuple(observations),
        acts=tuple(actions),
        success=won,
    )


def _kept_file(game: str, path: Path) -> Path:
    name = f"demo-{game}.jsonl"
    return path.with_name(name if path.stem == "game" else f"{path.stem}.{name}")


def _keep(demonstration: Trajectory, kept: Path) -> None:
    """Write a demonstration beside its game; in a read-only folder it is made anew each time."""
    if os.access(kept.parent, os.W_OK):
        write_trajectories(kept, [demonstration])
