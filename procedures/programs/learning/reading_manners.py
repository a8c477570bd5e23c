"""Manners of reading demonstrations: by lines, tasks by sentences, or with paraphrases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from ...common.sampling import sample
from ...episodes.action_operators import learn_grammar
from ...episodes.mentions import sentences_of
from ...episodes.trajectories import Trajectory
from .lessons import Lesson, Reading, read_lesson

Manner = Literal["plain", "sentences", "paraphrases", "whole"]
"""A manner of reading: line by line (plain); tasks sentence by sentence; with paraphrases as one
kind; or line by line with whole typed words."""


class Readings:
    """Demonstrations of one kind, read in several manners. Each reading is cached.

    Args:
        demonstrations: All demonstrations.
    """

    def __init__(self, demonstrations: Sequence[Trajectory]) -> None:
        self.all = demonstrations
        self._read: dict[tuple[Manner, int], tuple[Reading, list[Lesson]]] = {}

    def read(self, most: int, manner: Manner) -> tuple[Reading, list[Lesson]]:
        """Return the reading of a sample of the demonstrations, and its lessons."""
        members = sample(self.all, most)
        key = manner, len(members)
        if key not in self._read:
            if manner == "paraphrases":
                reading = self.read(most, "plain")[0].with_paraphrases(members)
                self._read[key] = reading, reading.lessons(members)
            else:
                whole, sentences = manner == "whole", manner == "sentences"
                self._read[key] = read_lesson(members, whole=whole, sentences=sentences)
        return self._read[key]

    def manners(self, most: int) -> Iterator[Manner]:
        """Yield the manners that may read a sample of the demonstrations, line by line first."""
        yield "plain"
        if self._have_sentences(most):
            yield "sentences"
        reading, _ = self.read(most, "paraphrases")
        if any(template.means for template in reading.results.templates):
            yield "paraphrases"
        members = sample(self.all, most)
        episodes = [(each.task, each.obs, each.acts) for each in members]
        grammar = self.read(most, "plain")[0].grammar
        if learn_grammar(episodes, whole=True) != grammar:
            yield "whole"

    def _have_sentences(self, most: int) -> bool:
        """Whether tasks read sentence by sentence have other wordings than as a whole."""
        if all(len(sentences_of(each.task)) < 2 for each in sample(self.all, most)):
            return False
        parted = self.read(most, "sentences")[0].tasks.templates
        return parted not in ((), self.read(most, "plain")[0].tasks.templates)
