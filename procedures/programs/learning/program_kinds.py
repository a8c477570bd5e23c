"""Kinds of tasks in demonstrations, and the programs that are proposed for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ...episodes.trajectories import Trajectory
from ..documents import ProgramFile
from ..program_proof import ProgramProof


@dataclass(frozen=True, slots=True)
class ProgramProposal:
    """A program and its proof."""

    file: ProgramFile
    proof: ProgramProof

    @property
    def trusted(self) -> bool:
        """Whether the program is used."""
        return self.file.status == "active"

    def as_draft(self, reason: str) -> ProgramProposal:
        """Return the proposal with a program that is not used."""
        return replace(self, file=self.file.as_draft(reason))


@dataclass(frozen=True, slots=True)
class TaskKind:
    """Demonstrations that ask for the same, and the program that is proposed for them.

    Attributes:
        demonstrations: Demonstrations of one world.
        proposal: Program and proof; None where too few demonstrations are reproduced.
        world: Number of the world, from 0.
    """

    demonstrations: tuple[Trajectory, ...]
    proposal: ProgramProposal | None = None
    world: int = 0

    @property
    def trusted(self) -> bool:
        """Whether there is a program that is used."""
        return self.proposal is not None and self.proposal.trusted

    @property
    def id(self) -> str:
        """Id of the program; empty where there is none."""
        return self.proposal.file.id if self.proposal is not None else ""

    def others(self, demonstrations: Iterable[Trajectory]) -> list[Trajectory]:
        """Return the demonstrations of other kinds."""
        own_ids = set(map(id, self.demonstrations))
        return [each for each in demonstrations if id(each) not in own_ids]
