"""What demonstrations of other kinds say of a program that reads their tasks as well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...episodes.trajectories import Trajectory
from ..documents import REASON, ProgramFile
from ..reproducing import divergence_in
from .program_kinds import Kind, Proposal
from .reading_manners import sample

__all__ = ["without_disputed"]

_MOST = 40
"""Demonstrations of another kind that are looked at."""
_OTHERWISE = 0.1
"""Share of what it would do up to which that is a slip."""
_REASON = "it reads tasks of other demonstrations, and does otherwise than these show"


def without_disputed(kinds: Sequence[Kind]) -> list[Kind]:
    """Return kinds; programs that would take tasks from others, and do them wrong, are drafts.

    A program is proved on the demonstrations that it was made of. Its wordings may read more.
    """
    return [replace(kind, proposal=_agreed(kind, kinds)) for kind in kinds]


def _agreed(kind: Kind, kinds: Sequence[Kind]) -> Proposal | None:
    """Return the proposal of a kind, a draft if it is disputed."""
    proposal = kind.proposal
    if proposal is None or not proposal.trusted:
        return proposal
    file, reproduced = proposal.file, proposal.proof.reproduced
    otherwise = sum(_does_otherwise(file, other) for other in kinds if other is not kind)
    if otherwise <= _OTHERWISE * (reproduced + otherwise):
        return proposal
    file = replace(file, status="draft", provenance={**file.provenance, REASON: _REASON})
    return replace(proposal, file=file)


def _does_otherwise(file: ProgramFile, other: Kind) -> int:
    """Return how many demonstrations a program would take up, and part from by what it does."""
    partings = (divergence_in(file, shown) for shown in _taken_up(file, other))
    return sum(parting is not None and not parting.abstains for parting in partings)


def _taken_up(file: ProgramFile, other: Kind) -> Iterator[Trajectory]:
    own = other.proposal.file if other.proposal is not None and other.trusted else None
    for shown in sample(other.demonstrations, _MOST):
        exactness = file.exactness(shown.task, shown.obs[0])
        if exactness >= 0 and (own is None or exactness >= own.exactness(shown.task, shown.obs[0])):
            yield shown
