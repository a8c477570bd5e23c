"""Demonstrations that no program of a library reproduces, with the divergences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..episodes.trajectories import Trajectory
from .documents import ProgramFile
from .replaying import Divergence
from .reproducing import divergence_in


@dataclass(frozen=True, slots=True)
class Gap:
    """A demonstration that is not reproduced.

    Attributes:
        number: Its place among the demonstrations, from 1.
        demonstration: The demonstration.
        program: Id of the program that reads its task; empty if none does.
        divergence: Divergence of that program; None if no program reads the task.
    """

    number: int
    demonstration: Trajectory
    program: str = ""
    divergence: Divergence | None = None


def gaps(files: Iterable[ProgramFile], demonstrations: Sequence[Trajectory]) -> list[Gap]:
    """Return the successful demonstrations that no program reproduces."""
    programs = [file for file in files if file.status != "retired"]
    out: list[Gap] = []
    for number, demonstration in enumerate(demonstrations, 1):
        if not demonstration.success or not demonstration.acts:
            continue
        readers = [
            file for file in programs if file.reads(demonstration.task, demonstration.obs[0])
        ]
        if not readers:
            out.append(Gap(number, demonstration))
            continue
        file = max(
            readers, key=lambda each: each.exactness(demonstration.task, demonstration.obs[0])
        )
        divergence = divergence_in(file, demonstration)
        if divergence is not None:
            out.append(Gap(number, demonstration, file.id, divergence))
    return out
