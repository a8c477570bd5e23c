"""Ways to learn a program: plainly, or as a search through places, with names read in prose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from ...trajectories import Trajectory
from ..program import Program
from ..searching.places import Places
from .learner import learn_program
from .lessons import Lesson, Reading, read_lesson
from .places import learn_places

__all__ = ["Manner", "Readings", "Way", "sample", "ways"]

Manner = Literal["plain", "paraphrases", "prose"]
"""Line by line; so, with lines that tell the same as one kind; or as text with names in it."""
_Item = TypeVar("_Item")


def sample(items: Sequence[_Item], most: int) -> list[_Item]:
    """Return so many items at most, evenly drawn."""
    return list(items[:: max(1, -(-len(items) // most))])


@dataclass(frozen=True, slots=True)
class Way:
    """How a program is learned from demonstrations.

    Attributes:
        manner: How results are read.
        moves: Operators that lead from place to place; none where nothing is searched for.
        told_by: Operators whose results tell of places.
    """

    manner: Manner = "plain"
    moves: tuple[str, ...] = ()
    told_by: tuple[str, ...] = ()

    def learn(self, lessons: Sequence[Lesson]) -> Program:
        """Learn a program."""
        return learn_program(lessons, places=self._places(lessons))

    def _places(self, lessons: Sequence[Lesson]) -> Places | None:
        proposals = learn_places(lessons) if self.moves else []
        of_mine = (p for p in proposals if (p.moves, p.told_by) == (self.moves, self.told_by))
        return next(of_mine, None)


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
            if manner == "plain":
                self._read[key] = read_lesson(members)
            else:
                plain = self.read(most, "plain")[0]
                reading = (
                    plain.with_names(members)
                    if manner == "prose"
                    else plain.with_paraphrases(members)
                )
                self._read[key] = reading, reading.lessons(members)
        return self._read[key]


def ways(readings: Readings, most: int) -> Iterator[Way]:
    """Yield the ways in which demonstrations may be learned from, the simplest first.

    Args:
        readings: The demonstrations.
        most: Of so many it is seen which ways there are.
    """
    yield Way()
    reading, _ = readings.read(most, "paraphrases")
    if any(template.means for template in reading.results.templates):
        yield Way("paraphrases")
    manners: tuple[Manner, ...] = ("plain", "prose")
    for manner in manners:
        for places in learn_places(readings.read(most, manner)[1]):
            yield Way(manner, places.moves, places.told_by)
