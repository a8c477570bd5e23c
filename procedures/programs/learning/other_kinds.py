"""Checks of a program by demonstrations of other kinds whose tasks it reads, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...common.sampling import sample
from ...episodes.trajectories import Trajectory
from ..documents import ProgramFile
from ..reproducing import divergence_in
from .program_kinds import ProgramProposal, TaskKind

_MOST = 40
"""Most demonstrations of another kind that are checked; more take time."""
_OTHERWISE = 0.1
"""Most share of contradicted demonstrations that counts as slips."""
_REASON = "it reads tasks of other demonstrations, and does otherwise than these show"


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
