"""Kinds of tasks in demonstrations, and the programs that are proposed for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ...common.sampling import sample
from ...episodes.trajectories import Trajectory
from ..documents import ProgramFile
from ..program_proof import ProgramProof
from ..reproducing import divergence_in

_MOST = 40
"""Most demonstrations of another kind that are checked; more take time."""
_OTHERWISE = 0.1
"""Most share of contradicted demonstrations that counts as slips."""
_REASON = "it reads tasks of other demonstrations, and does otherwise than these show"


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


def without_disputed(kinds: Sequence[TaskKind]) -> list[TaskKind]:
    """Return kinds in which a program that takes up tasks of other kinds, and fails, is a draft.

    The proof of a program covers its own demonstrations only. Its wordings may read more tasks.
    """
    return [replace(kind, proposal=_checked_proposal(kind, kinds)) for kind in kinds]


def _checked_proposal(kind: TaskKind, kinds: Sequence[TaskKind]) -> ProgramProposal | None:
    """Return the proposal of a kind, a draft if it is disputed."""
    proposal = kind.proposal
    if proposal is None or not proposal.trusted:
        return proposal
    file, reproduced = proposal.file, proposal.proof.reproduced
    contradictions = sum(_count_contradictions(file, other) for other in kinds if other is not kind)
    if contradictions <= _OTHERWISE * (reproduced + contradictions):
        return proposal
    return proposal.as_draft(_REASON)


def _count_contradictions(file: ProgramFile, other: TaskKind) -> int:
    """Return how many demonstrations of another kind a program takes up and contradicts."""
    partings = (
        divergence_in(file, demonstration) for demonstration in _taken_demonstrations(file, other)
    )
    return sum(parting is not None and not parting.abstains for parting in partings)


def _taken_demonstrations(file: ProgramFile, other: TaskKind) -> Iterator[Trajectory]:
    own_file = other.proposal.file if other.proposal is not None and other.trusted else None
    for demonstration in sample(other.demonstrations, _MOST):
        exactness = file.exactness(demonstration.task, demonstration.obs[0])
        if exactness >= 0 and (
            own_file is None
            or exactness >= own_file.exactness(demonstration.task, demonstration.obs[0])
        ):
            yield demonstration
