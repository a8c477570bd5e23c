"""Demonstrations that a library's programs do not reproduce, and where they part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..episodes.trajectories import Trajectory
from .documents import ProgramFile
from .replaying import Divergence
from .reproducing import divergence_in

__all__ = ["Gap", "gaps"]


@dataclass(frozen=True, slots=True)
class Gap:
    """A demonstration that is not reproduced.

    Attributes:
        number: Its place among the demonstrations, from 1.
        demonstration: What was shown.
        program: Id of the program that reads its task; empty if none does.
        divergence: Where they part; None if no program reads the task.
    """

    number: int
    demonstration: Trajectory
    program: str = ""
    divergence: Divergence | None = None


def gaps(files: Iterable[ProgramFile], demonstrations: Sequence[Trajectory]) -> list[Gap]:
    """Return the successful demonstrations that no program reproduces."""
    programs = [file for file in files if file.status != "retired"]
    out: list[Gap] = []
    for number, shown in enumerate(demonstrations, 1):
        if not shown.success or not shown.acts:
            continue
        reading = [file for file in programs if file.reads(shown.task, shown.obs[0])]
        if not reading:
            out.append(Gap(number, shown))
            continue
        file = max(reading, key=lambda each: each.exactness(shown.task, shown.obs[0]))
        divergence = divergence_in(file, shown)
        if divergence is not None:
            out.append(Gap(number, shown, file.id, divergence))
    return out
