"""The demonstration that begins most like an episode."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from ..errors import DataError
from ..text import words
from ..trajectories import Trajectory

__all__ = ["Nearest"]


class Nearest:
    """Finds the demonstration that begins most like an episode.

    Likeness is the cosine of TF-IDF vectors over the words of task and first observation; among
    equals, the earlier demonstration is taken.

    Args:
        trajectories: The demonstrations; where some succeeded, only those are used.

    Raises:
        DataError: If there is no demonstration.
    """

    def __init__(self, trajectories: Sequence[Trajectory]) -> None:
        chosen = [t for t in trajectories if t.success] or list(trajectories)
        if not chosen:
            raise DataError("the nearest demonstration needs at least one demonstration")
        self._trajectories = chosen
        texts = [Counter(_beginning(t.task, t.obs[0] if t.obs else "")) for t in chosen]
        seen = Counter(word for text in texts for word in text)
        # The smoothed form, which is positive for a word that every demonstration has.
        n = len(chosen)
        self._rarity = {word: math.log((1 + n) / (1 + k)) + 1 for word, k in seen.items()}
        self._unseen = math.log(1 + n) + 1
        self._vectors = [self._vector(text) for text in texts]

    def nearest(self, task: str, observation: str) -> Trajectory:
        """Return the demonstration whose beginning is the most similar."""
        asked = self._vector(Counter(_beginning(task, observation)))
        best, similarity = 0, -1.0
        for index, vector in enumerate(self._vectors):
            product = math.fsum(weight * vector.get(word, 0.0) for word, weight in asked.items())
            if product > similarity:
                best, similarity = index, product
        return self._trajectories[best]

    def _vector(self, text: Counter[str]) -> dict[str, float]:
        weights = {word: k * self._rarity.get(word, self._unseen) for word, k in text.items()}
        length = math.sqrt(math.fsum(weight * weight for weight in weights.values())) or 1.0
        return {word: weight / length for word, weight in weights.items()}


def _beginning(task: str, observation: str) -> tuple[str, ...]:
    return words(task) + words(observation)
