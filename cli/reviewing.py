"""``macla learn`` by way of proposals: what became of each, for people and machines."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import output
from .learn_lesson import print_filled, print_segmented
from .proposals import NOTES, locked_in

if TYPE_CHECKING:
    from ..evals.reviewed_learning import Reviewed
    from ..procedures.proposals.policy import Policy
    from ..procedures.proposals.proposal import Proposal
    from .learn_options import LearnOptions

__all__ = ["domain_of_library", "print_reviewed", "way_of"]


_NAMED = 20
"""Most names that are told."""


def way_of(library: Path, asked: Policy | None) -> Policy | None:
    """Return the policy if what is learned becomes proposals, else None; say why if not asked."""
    from ..evals.reviewed_learning import by_proposals

    way = by_proposals(library, asked)
    if way == "review" and asked is None:
        output.note(
            f"{library} is under review: each difference is proposed and nothing is written "
            "(--policy auto, or proposals: {policy: auto} in library.yaml, writes at once)"
        )
    return way


def domain_of_library(library: Path) -> str | None:
    """Return the domain of a library that is there: a day's file of episodes has any name."""
    from ..procedures.library.library import Library

    there = (library / "library.yaml").exists()
    return Library.open(library).settings.domain if there else None


def print_reviewed(done: Reviewed, policy: Policy, wanted: LearnOptions) -> None:
    """Say what became of each proposal."""
    from ..procedures.library.library import Library

    if wanted.as_json:
        output.emit_json(_document(done, policy))
        return
    for each in done.placed:
        where = f" ({each.where})" if each.where else ""
        note = "accepted" if policy == "auto" and each.note == "accepted" else NOTES[each.note]
        if each.note == "rejected":
            note = f"{note} ({each.proposal.why})"
        output.say(f"{each.proposal.title}: {note}{where}")
    for proposal in done.left_out:
        output.say(f"{proposal.title}: not proposed, {_why_left_out(proposal)}")
    for name, why in done.refused.items():
        output.warn(f"{name}: {why}")
    if done.elsewhere:
        more = f" and {len(done.elsewhere) - _NAMED} more" if len(done.elsewhere) > _NAMED else ""
        output.note(
            "learned from episodes that are not here, so nothing about them is proposed "
            "(--replace learns everything anew from what is here): "
            f"{', '.join(done.elsewhere[:_NAMED])}{more}"
        )
    if locked := locked_in(Library.open(done.library)):
        output.say(f"locked by people, so as they were: {', '.join(item.id for item in locked)}")
    if done.filled is not None:
        print_filled(done.filled)
    if done.segmented is not None:
        print_segmented(done.segmented)
    counts = Counter(each.note for each in done.placed)
    if policy == "auto":
        output.say(f"\n{counts['accepted']} changes from {done.episodes} episodes, a commit each")
        return
    fresh = counts["made"] + counts["replaced"]
    output.say(f"\n{fresh} proposals from {done.episodes} episodes; nothing in the library changed")
    if fresh:
        output.say(f"\nTry next:\n  macla proposals list {wanted.library}")


def _why_left_out(proposal: Proposal) -> str:
    """Say why learning does not propose a change."""
    replay = proposal.replay
    if replay is None or replay.wins == replay.losses:
        return "the stored episodes are no reason for it"
    return f"replayed, {replay.wins} episodes favour it and {replay.losses} what stands"


def _document(done: Reviewed, policy: Policy) -> dict[str, Any]:
    document: dict[str, Any] = {
        "library": str(done.library),
        "domain": done.domain,
        "policy": policy,
        "created": done.created,
        "episodes": done.episodes,
        "proposals": [
            {"id": each.proposal.id, "note": each.note, "where": each.where} for each in done.placed
        ],
        "refused": dict(done.refused),
        "elsewhere": list(done.elsewhere),
        "left_out": {each.id: _why_left_out(each) for each in done.left_out},
        "seconds": round(done.seconds, 3),
    }
    if done.filled is not None:
        document["model"] = asdict(done.filled)
    if done.segmented is not None:
        document["segmenter"] = asdict(done.segmented)
    return document
