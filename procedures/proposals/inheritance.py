"""Evidence of a new version: what it inherits of its parent, and what it was learned from.

A new version does most of what its parent did, so it starts from a part of the parent's evidence:
half of its trials, at most 20 of them, at the parent's rate. Where a contrast made it, they are at
the rate of the executions that were as the change has it, and no more than there were of these. A
variant, which stands under an id of its own, starts in the same way from the parent that its
provenance names: of a contrast only the executions of its own kind count, since the others say
nothing about it. What a person edited before it was accepted starts from what it was learned from.
The setting ``inheritance: {share: 0.5, trials: 20}`` in ``library.yaml`` changes that; with the
preset ``paper`` a version inherits all of its parent's counts, whatever the contrast. The part is a
row of the ledger of its own (run ``inherit:<proposal>``), so that it is counted once and can be
told from trials.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from ..common.clock import now
from ..evidence.ledger import CountKey, Ledger, Outcome
from ..evidence.ledger_rows import DEMONSTRATIONS, INHERITED, Counts
from ..library.document_kinds import VERSIONED, Versioned, kind_of
from ..library.library import Library
from ..method.presets import PRESETS
from ..planning.search_statistics import OBSTRUCTED, SEARCH, VISITS
from .proposal import Document, Proposal

Version: TypeAlias = tuple[str, int]
"""Id and version."""

REVIEWED = f"{DEMONSTRATIONS}reviewed"
"""Run of demonstrations of a library in which every change was reviewed."""

SHARE = 0.5
"""Share of the parent's trials that a new version inherits by default, in [0, 1]."""
TRIALS = 20.0
"""Most of the parent's trials that a new version inherits by default."""


def live_counts(
    library: Library, ledger: Ledger, subject: str | None = None
) -> Mapping[CountKey, Counts]:
    """Sum the evidence that counts: of demonstrations only the run that the library names.

    What there is on one subject is found without reading all.
    """
    return _sum_counts(ledger, subject, superseded=(DEMONSTRATIONS, _named_run(library)))


def played_counts(ledger: Ledger, subject: str | None = None) -> Mapping[CountKey, Counts]:
    """Sum the evidence of use, as above: neither demonstrations nor what was inherited."""
    return _sum_counts(ledger, subject, without=(DEMONSTRATIONS, INHERITED))


def _sum_counts(ledger: Ledger, subject: str | None, **which: Any) -> dict[CountKey, Counts]:
    counts: dict[CountKey, Counts] = {}
    for kind in (None,) if subject is None else VERSIONED:
        counts |= ledger.counts(kind, subject, **which)
    return counts


def _named_run(library: Library) -> str:
    """Return the run of demonstrations that a library names; empty if it names none."""
    return str(library.settings.settings.get("evidence_from", ""))


def counts_of(
    counts: Mapping[CountKey, Counts], item: Versioned, version: int | None = None
) -> Counts:
    """Return the successes and failures of a version, by default of that which stands."""
    counted_version = item.version if version is None else version
    return counts.get((kind_of(item), item.id, counted_version, ""), (0.0, 0.0))


def own_rates(library: Library, ledger: Ledger, without: str = "") -> Iterator[tuple[float, float]]:
    """Yield the successes and failures of each procedure and plan, as a prior is fitted to them.

    All versions are one subject, and nothing inherited counts, so that no trial counts twice. The
    ledger is read when the first of them is asked for. A run, or a family of runs, may be left out.
    """
    run = _named_run(library)
    prefixes = (INHERITED, without) if without else (INHERITED,)
    sums: dict[tuple[str, str], tuple[float, float]] = {}
    for kind in VERSIONED:
        counts = ledger.counts(kind, superseded=(DEMONSTRATIONS, run), without=prefixes)
        for (_, name, _, _), (good, bad) in counts.items():
            sums_before = sums.get((kind, name), (0.0, 0.0))
            sums[kind, name] = sums_before[0] + good, sums_before[1] + bad
    yield from sums.values()


def inherited(
    library: Library,
    ledger: Ledger,
    kind: str,
    parent: tuple[str, int],
    *,
    learned: bool,
    contrast: tuple[float, float] | None = None,
    whole: bool = False,
) -> tuple[float, float]:
    """Return the successes and failures that a new version of ``parent`` starts from.

    Where the change comes from a contrast, the parent's trials count at the rate of those
    executions that were as the new version makes all of them: failures that the change mends say
    nothing against it. There are never more trials than such executions.

    Args:
        library: Says how much is inherited.
        ledger: The evidence.
        kind: ``procedure`` or ``meta``.
        parent: Id and version.
        learned: Whether the new version has its own counts of demonstrations; the parent's are
            not inherited as well then.
        contrast: Successes and failures of the executions that were as the change has it, of a
            variant those of its own kind; None where the change alters nothing that is done.
        whole: Whether all of it is inherited, and not a part.
    """
    if learned:
        counts = ledger.counts(kind, parent[0], without=DEMONSTRATIONS)
    else:
        counts = dict(live_counts(library, ledger, parent[0]))
    good, bad = counts.get((kind, *parent, ""), (0.0, 0.0))
    scale = 1.0 if whole else _inherited_share(library, good + bad)
    if contrast is not None and sum(contrast) > 0.0 and not _inherits_all(library):
        trials = min(scale * (good + bad), sum(contrast))
        return trials * contrast[0] / sum(contrast), trials * contrast[1] / sum(contrast)
    return good * scale, bad * scale


def _contrast_counts(proposal: Proposal, name: str) -> Counts | None:
    """Return the outcomes of executions that were as a refinement has it, if it tells them."""
    counts = proposal.part(name).counts
    if "with_successes" not in counts or all(d.get("id") != name for d in proposal.new):
        return None
    return float(counts["with_successes"]), float(counts.get("with_failures", 0.0))


def _inherited_share(library: Library, total: float) -> float:
    """Return the share of a number of trials that is inherited, in [0, 1]."""
    limits = library.settings.settings.get("inheritance", {})
    inherits_all = _inherits_all(library)
    share = limits.get("share", 1.0 if inherits_all else SHARE)
    trials = limits.get("trials", math.inf if inherits_all else TRIALS)
    return float(min(share, trials / total)) if total else 0.0


def _inherits_all(library: Library) -> bool:
    """Say whether the preset of a library lets versions inherit all of their parents' counts."""
    return PRESETS[library.settings.settings.get("preset", "default")].inherits


def start_of(
    library: Library,
    ledger: Ledger,
    proposal: Proposal,
    key: tuple[str, str],
    parent: Version,
    *,
    learned: bool,
) -> tuple[Version, Counts]:
    """Return the parent of a version that a proposal makes, and the counts that it inherits.

    That is its parent, or the one that it goes back to; see :func:`inherited`.
    """
    kind, name = key
    if proposal.change == "rollback" and name == proposal.target.id and "to" in proposal.counts:
        parent = name, int(proposal.counts["to"])
    contrast = _contrast_counts(proposal, name)
    return parent, inherited(library, ledger, kind, parent, learned=learned, contrast=contrast)


def rows_of(
    library: Library,
    ledger: Ledger,
    proposal: Proposal,
    stored: Mapping[tuple[str, str], int],
    parents: Mapping[tuple[str, str], Version],
) -> list[Outcome]:
    """Return the rows that give new versions their first evidence; recording them twice is one.

    Args:
        library: Names the run of demonstrations that counts.
        ledger: Where the parents' rows and those of the learning run are.
        proposal: What was accepted.
        stored: (kind, id) → version that stands in the library now.
        parents: (kind, id) → id and version that it came from, where there was one.
    """
    rows: list[Outcome] = []
    run, run_of = _named_run(library) or REVIEWED, f"{INHERITED}{proposal.id}"
    for (kind, name), version in stored.items():
        learning_rows = (
            list(_learning_rows(ledger, proposal, kind, name, version, run)) if proposal.run else []
        )
        if proposal.edited:
            scale = _inherited_share(
                library, sum(row.successes + row.failures for row in learning_rows)
            )
            learning_rows = [
                replace(row, successes=row.successes * scale, failures=row.failures * scale)
                for row in learning_rows
                if row.subject_kind == kind
            ]
        rows += learning_rows
        parent = parents.get((kind, name), (name, version))
        if parent != (name, version):
            parent, (good, bad) = start_of(
                library, ledger, proposal, (kind, name), parent, learned=bool(learning_rows)
            )
            if good or bad:
                context = {"parent": f"{parent[0]}@{parent[1]}"}
                key = (kind, name, version, "")
                rows.append(Outcome.of_sums(run_of, key, (good, bad), now(), context=context))
    if stored and not any(row.run == run_of for row in rows):
        # Says that this was done, so that trials of the parent to come are not inherited as well.
        (kind, name), version = next(iter(stored.items()))
        rows.append(Outcome.of_sums(run_of, (kind, name, version, ""), (0.0, 0.0), now()))
    if proposal.run:
        for subject in (SEARCH, VISITS, OBSTRUCTED):
            binding_rows = ledger.rows("binding", subject, run=proposal.run)
            rows += [replace(row, run=run) for row in binding_rows]
    return rows


def was_given(ledger: Ledger, proposal: Proposal) -> bool:
    """Say whether the new versions of a proposal have their first evidence."""
    return next(ledger.rows(run=f"{INHERITED}{proposal.id}"), None) is not None


def _learning_rows(
    ledger: Ledger, proposal: Proposal, kind: str, name: str, version: int, run: str
) -> Iterator[Outcome]:
    """Yield what a version was learned from: the rows of its learning.

    Where another machine's ledger has these, it is the evidence as the proposal has it.
    """
    rows = ledger.rows(subject=name, run=proposal.run)
    learned_rows = [row for row in rows if row.subject_kind in (kind, "binding")]
    yield from (replace(row, run=run, version=version) for row in learned_rows)
    counts = proposal.part(name).counts
    good, bad = counts.get("successes", 0.0), counts.get("failures", 0.0)
    if not learned_rows and name in proposal.changed and (good or bad):
        key, context = (kind, name, version, ""), {"proposal": proposal.id}
        yield Outcome.of_sums(run, key, (good, bad), now(), context=context)


def inherited_by(ledger: Ledger, name: str) -> dict[int, tuple[str, float, float]]:
    """Return what the versions of a procedure or plan inherited, as the ledger has it.

    Returns:
        Version → the parent (``id@version``), successes and failures.
    """
    return {
        row.version: (str(row.context.get("parent", "")), row.successes, row.failures)
        for row in ledger.rows(subject=name)
        if row.run.startswith(INHERITED)
        and row.subject_kind in VERSIONED
        and row.successes + row.failures > 0
    }


def parents_of(documents: Mapping[tuple[str, str], Document]) -> dict[tuple[str, str], Version]:
    """Return (kind, id) → id and version of the parent that each document's provenance names."""
    parent_by_key = {}
    for key, document in documents.items():
        name, _, version = document.get("provenance", {}).get("parent", "").rpartition("@")
        if name and version.isdigit():
            parent_by_key[key] = name, int(version)
    return parent_by_key
