"""A program is judged by all demonstrations whose tasks it reads."""

from __future__ import annotations

from dataclasses import replace

import pytest
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.programs.learning.program_kinds import TaskKind, without_disputed
from macla.procedures.programs.learning.proposing import propose_for_kinds

_THINGS = ("lamp", "key", "book", "cup", "pen", "hat", "jar", "rug")


def _shown(verb: str, thing: str, number: int) -> Trajectory:
    return Trajectory(f"{thing} number {number}", ("ready", "done"), (f"{verb} {number}",), True)


def _kind(verb: str, first: int) -> TaskKind:
    shown = [_shown(verb, thing, first + n) for n, thing in enumerate(_THINGS)]
    (kind,) = propose_for_kinds(shown)
    assert kind.trusted
    return kind


@pytest.mark.parametrize(("verb", "status"), [("paint", "active"), ("sell", "draft")])
def test_a_program_that_would_do_other_demonstrations_otherwise_is_a_draft(
    verb: str, status: str
) -> None:
    others = TaskKind(tuple(_shown(verb, "sofa", 700 + n) for n in range(8)))
    kind, rest = without_disputed([_kind("paint", 100), others])
    assert kind.proposal is not None
    assert kind.proposal.file.status == status
    assert ("otherwise" in str(kind.proposal.file.provenance)) is (status == "draft")
    assert rest == others


def test_what_reads_more_of_a_task_itself_is_meant() -> None:
    """The other kind's own program says more of its tasks, so that they are not taken from it."""
    kind, other = _kind("paint", 100), _kind("sell", 300)
    assert kind.proposal is not None
    assert other.proposal is not None
    wordings = tuple(replace(w, text="the " + w.text) for w in other.proposal.file.wordings)
    more = replace(other.proposal, file=replace(other.proposal.file, wordings=wordings))
    shown = tuple(replace(each, task="the " + each.task) for each in other.demonstrations)
    both = without_disputed([kind, TaskKind(shown, more)])
    assert [each.trusted for each in both] == [True, True]
