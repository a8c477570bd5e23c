"""Versions that turned out worse than their parents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from ..common.text import counted
from ..documents.plain_data import does_the_same
from ..evidence.ledger import Ledger
from ..library.library import Library
from ..model.procedure import MetaProcedure, Procedure
from ..refinement.bayes_factors import Table, Trigger, credible
from .inheritance import counts_of, played_counts
from .proposal import Proposal, digest
from .version_history import Revision, reverting

CREDIBLE = 0.95
"""Probability above which a version counts as worse; the threshold ``rollback`` changes it.

One less it is also the chance to take back ever, however often one looks, a version that is as good
as its parent: a Bayes factor is asked for besides (:mod:`.refinement.bayes_factors`)."""
_LEAST_ERROR = 1e-9
"""Smallest chance of an error that a threshold of 1 or more stands for: none is zero."""
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


def worse_than_parents(
    library: Library, ledger: Ledger, among: Collection[str] | None = None
) -> list[Worse]:
    """Compare each version with its parent by their trials in use; nothing inherited counts.

    With ``among`` only those of these ids.
    """
    worse_versions = []
    items: list[Procedure | MetaProcedure] = [*library.procedures.values()]
    for item in [*items, *library.metas.values()]:
        name, _, version = item.provenance.get("parent", "").partition("@")
        if name != item.id or not version.isdigit() or int(version) >= item.version:
            continue
        if among is not None and name not in among:
            continue
        counts = played_counts(ledger, name)
        trials = counts_of(counts, item)
        parent = int(version)
        while parent > 1 and not sum(counts_of(counts, item, parent)):
            parent -= 1  # nobody tried that one
        before = counts_of(counts, item, parent)
        worse = credibly_worse(library, trials, before)
        if worse is not None:
            worse_versions.append(Worse(name, item.version, parent, worse, trials, before))
    return worse_versions


def credibly_worse(
    library: Library, trials: tuple[float, float], earlier_trials: tuple[float, float]
) -> float | None:
    """Return P(a success rate is lower than another) if that is credible; else None.

    Both are successes and failures in use; the library says what is credible, and after how many.
    """
    limits = library.settings.settings.get("thresholds", {})
    sure = float(limits.get("rollback", CREDIBLE))
    trigger = Trigger(error=max(_LEAST_ERROR, 1.0 - sure), probability=sure, least=(0, 0))
    if sum(trials) < float(limits.get("rollback_trials", LEAST_TRIALS)) or not sum(earlier_trials):
        return None
    table = Table(*earlier_trials, *trials)
    return table.probability if credible(table, 1.0, trigger) else None


def propose_rollbacks(
    library: Library,
    ledger: Ledger,
    revisions: Callable[[str], Sequence[Revision]],
    among: Collection[str] | None = None,
) -> Iterator[Proposal]:
    """Yield a proposal for each version that is credibly worse than its parent.

    ``revisions`` tells the history of a file, where the parent's content is.
    """
    for worse in worse_than_parents(library, ledger, among):
        item = library.procedures.get(worse.id) or library.metas.get(worse.id)
        if item is None or item.locked:
            continue
        revisions_here = revisions(worse.id)
        if not _is_other(item, revisions_here, worse.parent):
            continue
        why = (
            f"Version {worse.version} is worse than version {worse.parent} with probability "
            f"{worse.probability:.3f}: in use it worked {counted(worse.counts[0], 'time')} and "
            f"failed {counted(worse.counts[1], 'time')}, its parent {worse.parent_counts[0]:g} and "
            f"{worse.parent_counts[1]:g}."
        )
        key = digest([worse.id, worse.version, *worse.counts, *worse.parent_counts])
        yield reverting(library, revisions_here, worse.id, worse.parent, why, key)


def _is_other(item: Procedure | MetaProcedure, revisions: Sequence[Revision], version: int) -> bool:
    """Whether an earlier version is known still, and did something else than the present one."""
    documents = [r.document for r in revisions if r.version == version and r.document is not None]
    return bool(documents) and not does_the_same(documents[-1], item.to_document())
