"""Versions that turned out worse than their parents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..ledger import Ledger
from ..library import Library
from ..model import MetaProcedure, Procedure
from ..refinement.evidence import Table, Trigger, credible
from .history import Revision, reverting
from .model import Proposal, digest
from .trust import played_counts

__all__ = ["CREDIBLE", "Worse", "propose_rollbacks", "worse_than_parents"]

CREDIBLE = 0.95
"""Probability above which a version counts as worse; the threshold ``rollback`` changes it.

One less it is also the chance to take back ever, however often one looks, a version that is as good
as its parent: a Bayes factor is asked for besides (:mod:`..refinement.evidence`)."""
_LEAST_ERROR = 1e-9
LEAST_TRIALS = 5
"""Trials of the new version before it is judged; ``rollback_trials`` among the thresholds."""


@dataclass(frozen=True, slots=True)
class Worse:
    """A version that is credibly worse than the one it came from.

    Attributes:
        id: Of the procedure or plan.
        version: The present version.
        parent: The version before.
        probability: P(its success rate is lower than the parent's).
        counts: Its own (successes, failures) in use.
        parent_counts: The parent's.
    """

    id: str
    version: int
    parent: int
    probability: float
    counts: tuple[float, float]
    parent_counts: tuple[float, float]


def worse_than_parents(library: Library, ledger: Ledger) -> list[Worse]:
    """Compare each version with its parent by their trials in use; nothing inherited counts."""
    limits = library.settings.settings.get("thresholds", {})
    sure = float(limits.get("rollback", CREDIBLE))
    trigger = Trigger(error=max(_LEAST_ERROR, 1.0 - sure), probability=sure, least=(0, 0))
    least = float(limits.get("rollback_trials", LEAST_TRIALS))
    counts = played_counts(library, ledger)
    found = []
    items: list[Procedure | MetaProcedure] = [*library.procedures.values()]
    for item in [*items, *library.metas.values()]:
        name, _, version = item.provenance.get("parent", "").partition("@")
        if name != item.id or not version.isdigit() or int(version) >= item.version:
            continue
        kind = "procedure" if isinstance(item, Procedure) else "meta"
        own = counts.get((kind, name, item.version, ""), (0.0, 0.0))
        before = counts.get((kind, name, int(version), ""), (0.0, 0.0))
        if sum(own) < least or not sum(before):
            continue
        table = Table(*before, *own)
        if credible(table, 1.0, trigger):
            found.append(Worse(name, item.version, int(version), table.probability, own, before))
    return found


def propose_rollbacks(
    library: Library, ledger: Ledger, revisions: Callable[[str], Sequence[Revision]]
) -> Iterator[Proposal]:
    """Yield a proposal for each version that is credibly worse than its parent.

    Args:
        library: What stands.
        ledger: What happened.
        revisions: Returns the history of a file, where the parent's content is.
    """
    for worse in worse_than_parents(library, ledger):
        item = library.procedures.get(worse.id) or library.metas.get(worse.id)
        if item is None or item.locked:
            continue
        why = (
            f"Version {worse.version} is worse than version {worse.parent} with probability "
            f"{worse.probability:.3f}: in use it worked {worse.counts[0]:g} times and failed "
            f"{worse.counts[1]:g} times, its parent {worse.parent_counts[0]:g} and "
            f"{worse.parent_counts[1]:g}."
        )
        key = digest([worse.id, worse.version, *worse.counts, *worse.parent_counts])
        yield reverting(library, revisions(worse.id), worse.id, worse.parent, why, key)
