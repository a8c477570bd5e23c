"""Players that know nothing, or only copy: what a learner has to be better than."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

from ..graph.answers import solved
from ..graph.protocols import AdmissibleEnvironment, Environment
from ..procedures.errors import DataError, EnvironmentFailure
from ..procedures.text import words
from ..procedures.trajectories import Trajectory
from .episode import EpisodeOutcome

__all__ = ["NearestReplay", "Player", "RandomAdmissible", "play"]


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

    Likeness is the cosine of TF-IDF vectors over the words of task and first observation; among
    equals, the earlier demonstration is taken. Nothing is adapted to the new episode.

    Args:
        trajectories: The demonstrations; where some succeeded, only those are used.

    Raises:
        DataError: If there is no demonstration.
    """

    def __init__(self, trajectories: Sequence[Trajectory]) -> None:
        chosen = [t for t in trajectories if t.success] or list(trajectories)
        if not chosen:
            raise DataError("nearest-trajectory replay needs at least one demonstration")
        self._trajectories = chosen
        texts = [Counter(_beginning(t.task, t.obs[0] if t.obs else "")) for t in chosen]
        seen = Counter(word for text in texts for word in text)
        # The smoothed form, which is positive for a word that every demonstration has.
        n = len(chosen)
        self._rarity = {word: math.log((1 + n) / (1 + k)) + 1 for word, k in seen.items()}
        self._unseen = math.log(1 + n) + 1
        self._vectors = [self._vector(text) for text in texts]
        self._left: list[str] = []

    def nearest(self, task: str, observation: str) -> Trajectory:
        """Return the demonstration whose beginning is the most similar."""
        asked = self._vector(Counter(_beginning(task, observation)))
        best, similarity = 0, -1.0
        for index, vector in enumerate(self._vectors):
            product = math.fsum(weight * vector.get(word, 0.0) for word, weight in asked.items())
            if product > similarity:
                best, similarity = index, product
        return self._trajectories[best]

    def start(self, task: str, observation: str) -> None:
        """Begin an episode: look the demonstration up."""
        self._left = list(reversed(self.nearest(task, observation).acts))

    def choose(self, observation: str, admissible: Sequence[str] | None) -> str | None:
        """Return the demonstration's next action; ``None`` at its end."""
        return self._left.pop() if self._left else None

    def _vector(self, text: Counter[str]) -> dict[str, float]:
        weights = {word: k * self._rarity.get(word, self._unseen) for word, k in text.items()}
        length = math.sqrt(math.fsum(weight * weight for weight in weights.values())) or 1.0
        return {word: weight / length for word, weight in weights.items()}


def _beginning(task: str, observation: str) -> tuple[str, ...]:
    return words(task) + words(observation)
