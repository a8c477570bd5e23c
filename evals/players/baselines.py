"""Players that know nothing, or only copy: what a learner has to be better than."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Protocol

from ...graph.answers import solved
from ...graph.protocols import AdmissibleEnvironment, Environment
from ...procedures.common.errors import DataError, EnvironmentFailure
from ...procedures.episodes.trajectories import Trajectory
from ...procedures.proof.nearest import Nearest
from ...procedures.proof.rebound import Rebound
from ..running.episode import EpisodeOutcome

__all__ = ["NearestRebound", "NearestReplay", "Player", "RandomAdmissible", "play"]


class Player(Protocol):
    """Something that chooses actions, one episode at a time."""

    def start(self, task: str, observation: str) -> None:
        """Begin an episode."""
        ...

    def choose(self, observation: str, admissible: Sequence[str] | None) -> str | None:
        """Return the next action, or ``None`` to give up.

        ``admissible`` is ``None`` where the environment does not tell.
        """
        ...


def play(
    player: Player, environment: Environment, task: Any, *, max_steps: int = 50, name: str = ""
) -> EpisodeOutcome:
    """Play one episode of at most ``max_steps`` actions.

    Args:
        player: Who chooses.
        environment: Where.
        task: What the environment's ``reset`` takes.
        max_steps: At least 1.
        name: Name of the task in the outcome; by default the text of ``task``.
    """
    if max_steps < 1:
        raise DataError(f"an episode needs at least one step, not {max_steps}")
    text, observation = environment.reset(task)
    player.start(text, observation)
    actions: list[str] = []
    total, success = 0.0, False
    while len(actions) < max_steps:
        listed = None
        if isinstance(environment, AdmissibleEnvironment):
            listed = environment.admissible()
        action = player.choose(observation, listed)
        if action is None:
            break
        observation, reward, done, info = environment.step(action)
        actions.append(action)
        total += reward
        if done:
            success = solved(reward, done, info)
            break
    return EpisodeOutcome(name or str(task), text, success, len(actions), total, tuple(actions))


class RandomAdmissible:
    """Takes any of the possible actions, all alike likely.

    An episode depends on the seed and on how it begins, not on the episodes before it.

    Raises:
        EnvironmentFailure: While playing, if the environment does not list its actions.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._random = random.Random(seed)  # noqa: S311 - a baseline, not cryptography

    def start(self, task: str, observation: str) -> None:
        """Begin an episode."""
        self._random.seed(f"{self._seed}\n{task}\n{observation}")

    def choose(self, observation: str, admissible: Sequence[str] | None) -> str | None:
        """Return one of the admissible actions; ``None`` if there is none."""
        if admissible is None:
            raise EnvironmentFailure(
                "the random baseline needs an environment with admissible(); show the commands"
            )
        return self._random.choice(admissible) if admissible else None


class NearestReplay:
    """Repeats, action by action, the demonstration that begins most alike.

    Nothing is adapted to the new episode; see :class:`macla.procedures.proof.nearest.Nearest`.

    Args:
        trajectories: The demonstrations; where some succeeded, only those are used.

    Raises:
        DataError: If there is no demonstration.
    """

    def __init__(self, trajectories: Sequence[Trajectory]) -> None:
        self._nearest = Nearest(trajectories)
        self._left: list[str] = []

    def start(self, task: str, observation: str) -> None:
        """Begin an episode: look the demonstration up."""
        self._left = list(reversed(self._nearest.nearest(task, observation).acts))

    def choose(self, observation: str, admissible: Sequence[str] | None) -> str | None:
        """Return the demonstration's next action; ``None`` at its end."""
        return self._left.pop() if self._left else None


class NearestRebound:
    """Repeats the nearest demonstration with the new task's names and values in place of the old.

    This is the floor that a learner must not fall below; see
    :class:`macla.procedures.proof.rebound.Rebound`.

    Args:
        trajectories: The demonstrations; where some succeeded, only those are used.

    Raises:
        DataError: If there is no demonstration.
    """

    def __init__(self, trajectories: Sequence[Trajectory]) -> None:
        self._rebound = Rebound(trajectories)
        self._left: list[str] = []

    def start(self, task: str, observation: str) -> None:
        """Begin an episode: look the demonstration up and exchange its words."""
        self._left = list(reversed(self._rebound.actions(task, observation)))

    def choose(self, observation: str, admissible: Sequence[str] | None) -> str | None:
        """Return the next action; ``None`` at the end."""
        return self._left.pop() if self._left else None
