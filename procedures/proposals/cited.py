"""The evidence that a proposal's text cites, as the ledger has it: of that very procedure alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..evidence.ledger import Ledger
from ..evidence.ledger_rows import DEMONSTRATIONS, INHERITED
from ..library.document_kinds import WORDS
from ..library.library import Library
from .proposal import Proposal, document_key
from .word_support import grown_types

_BINDING = "binding"


@dataclass(frozen=True, slots=True)
class Cited:
    """One sum of outcomes.

    Attributes:
        what: ``proposed`` (what the proposal was learned from), ``demonstrations``, ``use`` or
            ``inherited`` (of a version that the proposal is of).
        kind: procedure, meta or program.
        id: Whose.
        version: Of which version; 0 where the proposal has not been accepted.
        successes: How often it worked.
        failures: How often it failed.
        runs: Runs that the rows are of, in order of their names.
    """

    what: str
    kind: str
    id: str
    version: int
    successes: float
    failures: float
    runs: tuple[str, ...]


def cited_kinds(ledger: Ledger, proposal: Proposal) -> dict[str, dict[str, float]]:
    """Return type → kind → how often it was done so, of the kinds that a proposal adds to types.

    They are those that the proposal was learned from.
    """
    if not proposal.run:
        return {}
    kinds_by_type: dict[str, dict[str, float]] = {}
    for name, kinds in grown_types(proposal).items():
        owner, _, parameter = name.rpartition(".")
        rows = ledger.rows(_BINDING, owner, run=proposal.run)
        times = {row.binding: row.successes for row in rows}
        kinds_by_type[name] = {kind: times.get(f"{parameter}|{kind}", 0.0) for kind in kinds}
    return kinds_by_type


def cited(library: Library, ledger: Ledger, proposal: Proposal) -> Iterator[Cited]:
    """Yield what the ledger has of each procedure, plan or program that a proposal is about.

    The versions are those of the proposal, whatever the library holds by now.
    """
    versions: dict[tuple[str, str], set[int]] = {document_key(d): set() for d in proposal.new}
    accepted = proposal.new if proposal.status == "accepted" else ()
    for document in (*accepted, *proposal.old):
        versions.setdefault(document_key(document), set()).add(document.get("version", 0))
    counted_run = str(library.settings.settings.get("evidence_from", ""))
    for (kind, name), own_versions in versions.items():
        if kind in WORDS:
            continue
        if proposal.run:
            rows = [
                r for r in ledger.rows(subject=name, run=proposal.run) if r.subject_kind == kind
            ]
            if rows:
                good, bad = sum(r.successes for r in rows), sum(r.failures for r in rows)
                yield Cited("proposed", kind, name, 0, good, bad, (proposal.run,))
        sums: dict[tuple[int, str], tuple[float, float, set[str]]] = {}
        for row in ledger.rows(subject=name):
            if row.subject_kind != kind or row.version not in own_versions or row.binding:
                continue
            if row.run.startswith(DEMONSTRATIONS) and row.run != counted_run:
                continue  # of a learning that another took the place of
            what = (
                "demonstrations"
                if row.run.startswith(DEMONSTRATIONS)
                else "inherited"
                if row.run.startswith(INHERITED)
                else "use"
            )
            good, bad, runs = sums.get((row.version, what), (0.0, 0.0, set()))
            sums[row.version, what] = good + row.successes, bad + row.failures, runs | {row.run}
        for version in sorted(own_versions):
            for what in ("demonstrations", "use", "inherited"):
                if (version, what) in sums:
                    good, bad, runs = sums[version, what]
                    yield Cited(what, kind, name, version, good, bad, tuple(sorted(runs)))
