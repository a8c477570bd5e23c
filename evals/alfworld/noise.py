"""Demonstrations that look around, err and try what cannot be done, as people do.

The expert's actions stay as they are; before each one, with a given probability, another action is
really done in the game, so that all that is observed is true.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

from ...procedures.common.errors import DataError
from ...procedures.episodes.trajectories import Trajectory
from .engine import NOTHING, NativeEngine
from .games import find_games, load_game
from .problem import Problem, parse_problem

__all__ = ["NOISE", "noisy_episode", "noisy_episodes"]

NOISE = ("look", "examine", "wrong", "invalid")
"""Kinds of noise: looking around, examining a thing, doing something possible that serves nothing,
and trying something impossible. Each is as likely as the others; where one kind is not possible,
another one is taken."""
_TRIES = 10
_COLLECT_EVERY = 200
"""Episodes after which memory is freed: engines hold themselves, and collecting may be off."""


def noisy_episodes(
    episodes: Iterable[Trajectory],
    probability: float,
    seed: int,
    root: str | Path | None = None,
) -> Iterator[Trajectory]:
    """Stream the expert's episodes with noise; see :func:`noisy_episode`.

    Args:
        episodes: Expert episodes, whose ids are those of their games.
        probability: Of noise before each action, in [0, 1].
        seed: Decides, with an episode's id, which noise it gets.
        root: The data root, see :func:`~.games.data_root`.

    Raises:
        DataError: A game is not there, or an episode is not of its game.
    """
    for number, episode in enumerate(episodes, 1):
        if number % _COLLECT_EVERY == 0:
            gc.collect()
        game = load_game(find_games(episode.id, root)[0])
        problem = parse_problem(game.problem, game.task, where=str(game.path))
        random = Random(f"noise {seed} {episode.id}")  # noqa: S311 (games, not secrets)
        yield noisy_episode(episode, problem, probability, random)


def noisy_episode(
    episode: Trajectory, problem: Problem, probability: float, random: Random
) -> Trajectory:
    """Play an episode again with noise in it.

    Args:
        episode: A success, in today's dialect.
        problem: Its game.
        probability: Of noise before each action, in [0, 1].
        random: Decides when, and which.

    Raises:
        DataError: The actions do not solve the game.
    """
    engine, trial = NativeEngine(problem), NativeEngine(problem)
    acts: list[str] = []
    obs = [episode.obs[0]]

    def do(action: str) -> None:
        answer, _ = engine.step(action)
        acts.append(action)
        obs.append(answer)

    for at, action in enumerate(episode.acts):
        if random.random() < probability:
            do(_noise(engine, trial, problem, acts, episode.acts[at:], random))
        do(action)
    if not engine.won:
        raise DataError(f"episode {episode.id!r}: its actions do not solve its game")
    return Trajectory(episode.task, tuple(obs), tuple(acts), success=True, id=episode.id)


def _noise(
    engine: NativeEngine,
    trial: NativeEngine,
    problem: Problem,
    done: Sequence[str],
    rest: Sequence[str],
    random: Random,
) -> str:
    possible = engine.admissible()
    kind = random.choice(NOISE)
    if kind == "wrong":
        others = [each for each in possible if not _looks(each) and each != rest[0]]
        for action in random.sample(others, min(_TRIES, len(others))):
            if _still_solves(trial, done, action, rest):
                return action
    if kind == "invalid":
        names = sorted(problem.names[entity] for entity in problem.kinds)
        for _ in range(_TRIES):
            action = _with_another_thing(random.choice([*possible, *rest]), names, random)
            if action not in possible:
                return action
    if kind == "examine":
        examined = [each for each in possible if each.startswith("examine ")]
        if examined:
            return random.choice(examined)
    return random.choice(["look", "inventory"])


def _looks(action: str) -> bool:
    return action in ("look", "inventory", "help") or action.startswith("examine ")


def _still_solves(
    engine: NativeEngine, done: Sequence[str], wrong: str, rest: Sequence[str]
) -> bool:
    """Whether each of the expert's actions still works after a wrong one, the last one at last."""
    engine.reset()
    for action in [*done, wrong]:
        engine.step(action)
    for action in rest:
        if engine.won or engine.step(action)[0] == NOTHING:
            return False
    return engine.won


def _with_another_thing(action: str, names: Sequence[str], random: Random) -> str:
    """Put another thing for one that an action names."""
    named = [name for name in names if f" {name} " in f"{action} "]
    if not named:
        return f"{action} {random.choice(names)}"
    return f"{action} ".replace(f" {random.choice(named)} ", f" {random.choice(names)} ").strip()
