"""The demonstration that begins most like an episode."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..common.errors import DataError
from ..common.text import words
from ..episodes.trajectories import Trajectory


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
        usable = [t for t in trajectories if t.success] or list(trajectories)
        if not usable:
            raise DataError("the nearest demonstration needs at least one demonstration")
        self._trajectories = usable
        texts = [Counter(_beginning(t.task, t.obs[0] if t.obs else "")) for t in usable]
        count_by_word = Counter(word for text in texts for word in text)
        # The smoothed form, which is positive for a word that every demonstration has.
        count = len(usable)
        self._rarity = {
            word: math.log((1 + count) / (1 + k)) + 1 for word, k in count_by_word.items()
        }
        # Of a demonstration that is left out no other has these.
        self._own = frozenset(word for word, k in count_by_word.items() if k == 1)
        self._unseen = math.log(1 + count) + 1
        having: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for index, text in enumerate(texts):
            for word, weight in self._vector(text).items():
                having[word].append((index, weight))
        # Of each word the demonstrations that have it, and its weight in them.
        self._having: dict[str, tuple[NDArray[np.intp], NDArray[np.float64]]] = {
            word: (np.array([index for index, _ in each]), np.array([weight for _, weight in each]))
            for word, each in having.items()
        }

    def nearest(self, task: str, observation: str) -> Trajectory:
        """Return the demonstration whose beginning is the most similar."""
        return self.found(task, observation)[1]

    def found(
        self, task: str, observation: str, without: int | None = None
    ) -> tuple[float, Trajectory]:
        """Return the likeness, from 0 to 1, and the demonstration whose beginning is most similar.

        Args:
            task: What is asked.
            observation: The first one.
            without: Place of a demonstration that is left out.
        """
        weights = self._vector(Counter(_beginning(task, observation)), own=without is not None)
        likeness = np.zeros(len(self._trajectories))
        for word, weight in weights.items():
            if word in self._having:
                indices, others = self._having[word]
                likeness[indices] += weight * others
        if without is not None:
            likeness[without] = -1.0
        best = int(np.argmax(likeness))
        return min(1.0, float(likeness[best])), self._trajectories[best]

    def _vector(self, text: Counter[str], *, own: bool = False) -> dict[str, float]:
        """Return the weights of words; with ``own`` of a demonstration that is left out."""
        weights = {word: k * self._weight(word, own=own) for word, k in text.items()}
        length = math.sqrt(math.fsum(weight * weight for weight in weights.values())) or 1.0
        return {word: weight / length for word, weight in weights.items()}

    def _weight(self, word: str, *, own: bool) -> float:
        return self._unseen if own and word in self._own else self._rarity.get(word, self._unseen)


def _beginning(task: str, observation: str) -> tuple[str, ...]:
    return words(task) + words(observation)
