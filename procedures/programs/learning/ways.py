"""Ways to learn a program: plainly, or as a search through places, with names read in prose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...trajectories import Trajectory
from ..program import Program
from ..searching.places import Places
from .learner import learn_program
from .lessons import Lesson, Reading, read_lesson
from .places import learn_places

__all__ = ["Readings", "Way", "ways"]


@dataclass(frozen=True, slots=True)
class Way:
    """How a program is learned from demonstrations.

    Attributes:
        prose: Whether results are read as running text, with the names in it.
        moves: Operators that lead from place to place; none where nothing is searched for.
        told_by: Operators whose results tell of places.
    """

    prose: bool = False
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
    """Demonstrations of one kind, read plainly or as prose, all or so many of them; each once.

    Args:
        demonstrations: All demonstrations.
    """

    def __init__(self, demonstrations: Sequence[Trajectory]) -> None:
        self.all = demonstrations
        self._read: dict[tuple[bool, int], tuple[Reading, list[Lesson]]] = {}

    def drawn(self, most: int) -> list[Trajectory]:
        """Draw whole episodes evenly."""
        return list(self.all[:: max(1, -(-len(self.all) // most))])

    def read(self, most: int, *, prose: bool) -> tuple[Reading, list[Lesson]]:
        """Read so many demonstrations."""
        members = self.drawn(most)
        key = prose, len(members)
        if key not in self._read:
            if prose:
                reading = self.read(most, prose=False)[0].with_names(members)
                self._read[key] = reading, reading.lessons(members)
            else:
                self._read[key] = read_lesson(members)
        return self._read[key]


def ways(readings: Readings, most: int) -> Iterator[Way]:
    """Yield the ways in which demonstrations may be learned from, the simplest first.

    Args:
        readings: The demonstrations.
        most: Of so many it is seen which ways there are.
    """
    yield Way()
    for prose in (False, True):
        for places in learn_places(readings.read(most, prose=prose)[1]):
            yield Way(prose, places.moves, places.told_by)
