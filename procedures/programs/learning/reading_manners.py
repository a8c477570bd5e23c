"""Manners of reading demonstrations: line by line, by what lines mean, or as running text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeVar

from ...episodes.action_operators import learn_grammar
from ...episodes.trajectories import Trajectory
from .lessons import Lesson, Reading, read_lesson

__all__ = ["Manner", "Readings", "sample"]

Manner = Literal["plain", "paraphrases", "prose", "whole"]
"""Line by line; so, with lines that tell the same as one kind; as text with names in it; or line by
line, but with typed words that are whole."""
_Item = TypeVar("_Item")


def sample(items: Sequence[_Item], most: int) -> list[_Item]:
    """Return so many items at most, evenly drawn."""
    return list(items[:: max(1, -(-len(items) // most))])


class Readings:
    """Demonstrations of one kind, all or so many of them, read in several manners, each once.

    Args:
        demonstrations: All demonstrations.
    """

    def __init__(self, demonstrations: Sequence[Trajectory]) -> None:
        self.all = demonstrations
        self._read: dict[tuple[Manner, int], tuple[Reading, list[Lesson]]] = {}

    def read(self, most: int, manner: Manner) -> tuple[Reading, list[Lesson]]:
        """Read so many demonstrations."""
        members = sample(self.all, most)
        key = manner, len(members)
        if key not in self._read:
            if manner in ("plain", "whole"):
                self._read[key] = read_lesson(members, whole=manner == "whole")
            else:
                plain = self.read(most, "plain")[0]
                reading = (
                    plain.with_names(members)
                    if manner == "prose"
                    else plain.with_paraphrases(members)
                )
                self._read[key] = reading, reading.lessons(members)
        return self._read[key]

    def manners(self, most: int) -> Iterator[Manner]:
        """Yield the manners in which so many demonstrations may be read, line by line first."""
        yield "plain"
        reading, _ = self.read(most, "paraphrases")
        if any(template.means for template in reading.results.templates):
            yield "paraphrases"
        members = sample(self.all, most)
        episodes = [(each.task, each.obs, each.acts) for each in members]
        grammar = self.read(most, "plain")[0].grammar
        if learn_grammar(episodes, whole=True) != grammar:
            yield "whole"
