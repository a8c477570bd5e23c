"""``macla learn`` by proposals: the result of each, for people and machines."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import output
from .learn_lesson import print_filled, print_segmented
from .proposals import NOTES, locked_in

if TYPE_CHECKING:
    from ..adapters.teaching.reviewed_learning import Reviewed
    from ..procedures.proposals.policy import Policy
    from ..procedures.proposals.proposal import Proposal
    from .learn_options import LearnOptions

_NAMED = 20
"""Most names that one line holds."""
_UNFIT = "it needs a change that is not proposed"
"""Why a plan is not proposed that does not fit what stands."""


def way_of(library: Path, requested: Policy | None) -> Policy | None:
    """Return the policy if learning makes proposals, else None; note a policy of the library."""
    from ..adapters.teaching.reviewed_learning import by_proposals

    policy = by_proposals(library, requested)
    if policy == "review" and requested is None:
        output.note(
            f"{library} is under review: each difference is proposed and nothing is written "
            "(--policy auto, or proposals: {policy: auto} in library.yaml, writes at once)"
        )
    return policy


def domain_of_library(library: Path) -> str | None:
    """Return the domain of an existing library; None where there is none."""
    from ..procedures.library.library import Library

    exists = (library / "library.yaml").exists()
    return Library.open(library).settings.domain if exists else None


def print_reviewed(reviewed: Reviewed, policy: Policy, arguments: LearnOptions) -> None:
    """Print the result of each proposal."""
    from ..procedures.library.library import Library

    if arguments.as_json:
        output.emit_json(_document(reviewed, policy))
        return
    for placed in reviewed.placed:
        where = f" ({placed.where})" if placed.where else ""
        note = "accepted" if policy == "auto" and placed.note == "accepted" else NOTES[placed.note]
        if placed.note == "rejected":
            note = f"{note} ({placed.proposal.why})"
        output.say(f"{placed.proposal.title}: {note}{where}")
    for proposal in reviewed.left_out:
        output.say(f"{proposal.title}: not proposed, {_why_left_out(proposal)}")
    for proposal in reviewed.unfit:
        output.say(f"{proposal.title}: not proposed, {_UNFIT}")
    for name, lacking in reviewed.withdrawn.items():
        output.say(f"{name}: withdrawn, it does not fit any more: {lacking}")
    for name, why in reviewed.refused.items():
        output.warn(f"{name}: {why}")
    if reviewed.elsewhere:
        rest_text = (
            f" and {len(reviewed.elsewhere) - _NAMED} more"
            if len(reviewed.elsewhere) > _NAMED
            else ""
        )
        output.note(
            "learned from episodes that are not here, so nothing about them is proposed "
            "(--replace learns everything anew from what is here): "
            f"{', '.join(reviewed.elsewhere[:_NAMED])}{rest_text}"
        )
    if locked := locked_in(Library.open(reviewed.library)):
        output.say(f"locked by people, so as they were: {', '.join(item.id for item in locked)}")
    if reviewed.filled is not None:
        print_filled(reviewed.filled)
    if reviewed.segmented is not None:
        print_segmented(reviewed.segmented)
    counts = Counter(placed.note for placed in reviewed.placed)
    if policy == "auto":
        output.say(
            f"\n{counts['accepted']} changes from {reviewed.episodes} episodes, a commit each"
        )
        return
    fresh = counts["made"] + counts["replaced"]
    output.say(
        f"\n{fresh} proposals from {reviewed.episodes} episodes; nothing in the library changed"
    )
    if fresh:
        output.say(f"\nTry next:\n  macla proposals list {arguments.library}")


def _why_left_out(proposal: Proposal) -> str:
    """Return why learning does not propose a change."""
    replay = proposal.replay
    if replay is None or replay.wins == replay.losses:
        return "the stored episodes are no reason for it"
    return f"replayed, {replay.wins} episodes favour it and {replay.losses} what stands"


def _document(reviewed: Reviewed, policy: Policy) -> dict[str, Any]:
    document: dict[str, Any] = {
        "library": str(reviewed.library),
        "domain": reviewed.domain,
        "policy": policy,
        "created": reviewed.created,
        "episodes": reviewed.episodes,
        "proposals": [
            {"id": each.proposal.id, "note": each.note, "where": each.where}
            for each in reviewed.placed
        ],
        "refused": dict(reviewed.refused),
        "elsewhere": list(reviewed.elsewhere),
        "left_out": {each.id: _why_left_out(each) for each in reviewed.left_out}
        | {each.id: _UNFIT for each in reviewed.unfit},
        "withdrawn": dict(reviewed.withdrawn),
        "seconds": round(reviewed.seconds, 3),
    }
    if reviewed.filled is not None:
        document["model"] = asdict(reviewed.filled)
    if reviewed.segmented is not None:
        document["segmenter"] = asdict(reviewed.segmented)
    return document
