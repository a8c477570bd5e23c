"""Ways to learn a program: plainly, or as a search through places, with names read in prose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...trajectories import Trajectory
from ..program import Program
from ..searching.places import Places
from .learner import Lesson, Reading, learn_program, read_lesson
from .places import learn_places

__all__ = ["Way", "ways"]


@dataclass(frozen=True, slots=True)
class Way:
    """How demonstrations are read, and a program is learned from them.

    Attributes:
        prose: Whether results are read as running text, with the names in it.
        moves: Operators that lead from place to place; none where nothing is searched for.
        told_by: Operators whose results tell of places.
    """

    prose: bool = False
    moves: tuple[str, ...] = ()
    told_by: tuple[str, ...] = ()

    def read(self, demonstrations: Sequence[Trajectory]) -> tuple[Reading, list[Lesson]]:
        """Read demonstrations."""
        reading, lessons = read_lesson(demonstrations)
        if not self.prose:
            return reading, lessons
        prose = reading.with_names(demonstrations)
        return prose, prose.lessons(demonstrations)

    def learn(self, lessons: Sequence[Lesson]) -> Program:
        """Learn a program."""
        return learn_program(lessons, places=self._places(lessons))

    def _places(self, lessons: Sequence[Lesson]) -> Places | None:
        proposals = learn_places(lessons) if self.moves else []
        of_mine = (p for p in proposals if (p.moves, p.told_by) == (self.moves, self.told_by))
        return next(of_mine, None)


def ways(demonstrations: Sequence[Trajectory]) -> Iterator[Way]:
    """Yield the ways in which demonstrations may be learned from, the simplest first."""
    yield Way()
    for prose in (False, True):
        _, lessons = Way(prose).read(demonstrations)
        for places in learn_places(lessons):
            yield Way(prose, places.moves, places.told_by)
