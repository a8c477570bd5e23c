"""``macla learn --review``: what was proposed, for people and machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import output
from .learn import print_filled
from .proposals import NOTES

if TYPE_CHECKING:
    from ..adapters.reasoners.models import ReasonerName
    from ..graph.budget import Budget
    from ..procedures.trajectories import Trajectory

__all__ = ["review_learned"]


def review_learned(
    library: Path,
    found: Sequence[Trajectory],
    domain: str,
    record: Mapping[str, Any],
    scramble: int | None,
    reasoner: ReasonerName,
    budget: Budget,
    bar: output.Bar,
    as_json: bool,
) -> None:
    """Learn by way of review and say what is proposed."""
    from ..evals.reviewing import teach_by_review

    done = teach_by_review(
        library,
        found,
        domain=domain,
        source=record,
        scramble=scramble,
        reasoner=reasoner,
        budget=budget,
        stage=bar.stage,
        progress=bar,
    )
    if as_json:
        document: dict[str, Any] = {
            "library": str(done.library),
            "domain": done.domain,
            "created": done.created,
            "episodes": done.episodes,
            "proposals": [
                {"id": each.proposal.id, "note": each.note, "where": each.where}
                for each in done.placed
            ],
            "refused": dict(done.refused),
            "seconds": round(done.seconds, 3),
        }
        if done.filled is not None:
            document["model"] = asdict(done.filled)
        output.emit_json(document)
        return
    for each in done.placed:
        where = f" ({each.where})" if each.where else ""
        click.echo(f"{each.proposal.title}: {NOTES[each.note]}{where}")
    for name, why in done.refused.items():
        output.warn(f"{name}: {why}")
    if done.filled is not None:
        print_filled(done.filled)
    counts = Counter(each.note for each in done.placed)
    fresh = counts["made"] + counts["replaced"]
    click.echo(f"\n{fresh} proposals from {done.episodes} episodes; nothing in the library changed")
    if fresh:
        click.echo(f"\nTry next:\n  macla proposals list {library}")
