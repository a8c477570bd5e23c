"""How much reward a candidate promises: points that add up, and are read as a share.

A score has a number of points for each trait of a candidate (:mod:`.traits`). The points add up,
and the logistic function makes a number between 0 and 1 of the sum: the reward that is expected.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Score:
    """Points for traits.

    Attributes:
        points: Trait → points for each whole of it; what is missing counts nothing.
        always: Points that every candidate has.
    """

    points: tuple[tuple[str, float], ...] = ()
    always: float = 0.0

    def of(self, traits: Mapping[str, float]) -> float:
        """Return the reward that is expected of a candidate with these traits, in (0, 1)."""
        total = self.always + sum(each * traits.get(name, 0.0) for name, each in self.points)
        return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, total))))


@dataclass(frozen=True, slots=True)
class Worth:
    """The scores by which the candidates of a choice are valued.

    Attributes:
        sight: Of one that was only listed.
        opened: Of one whose own result is known; None where candidates are not opened.
        opens: Operator that opens a candidate, with ``{}`` for it; empty where none does.
        between: Signs between which the task says what a candidate has to have; empty where it
            has no such signs.
        ignore: Words of tasks that say nothing of a candidate, in small letters.
    """

    sight: Score
    opened: Score | None = None
    opens: str = ""
    between: tuple[str, str] = ("", "")
    ignore: tuple[str, ...] = ()
