"""Files that a commit of a decision includes: the lock file, and records of merges by hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ...procedures.evidence.ledger import Ledger
from ...procedures.library.document_kinds import VERSIONED
from ...procedures.library.library import Library
from ...procedures.model.procedure_parts import Evidence
from ...procedures.proposals.inheritance import live_counts
from ...procedures.proposals.proposal import Document, Proposal, document_key
from ...procedures.proposals.records import FOLDER, keep_accepted, records_in_folder
from ...procedures.sharing.committed_lock import known_lock
from ...procedures.sharing.exchange import write_lock
from ...procedures.sharing.lock_file import LOCK, LockFile
from .layout import Layout


def generated(
    layout: Layout,
    library: Library,
    ledger: Ledger,
    rejected: Mapping[str, Document] | None = None,
) -> list[str]:
    """Write the lock file anew; return the files that go with it into a commit."""
    return [layout.name(name) for name in write_lock(library, ledger, rejected)]


def merged_records(root: Path, layout: Layout) -> list[str]:
    """Keep the records that merges by hand brought on this machine alone; return their names.

    The commit is the record of a decision; what a branch had beside its files goes.
    """
    names = []
    for proposal in records_in_folder(root, []):
        if proposal.status != "pending":
            keep_accepted(root, proposal)
            (root / FOLDER / f"{proposal.id}.yaml").unlink(missing_ok=True)
            names.append(layout.record(proposal))
    return names


def rejected_in(root: Path) -> Mapping[str, Document]:
    """Return the records of what was rejected, by id, as a library's lock file has them."""
    lock = known_lock(root)
    return lock.rejected if lock is not None else {}


def rejected_at(layout: Layout, commit: str) -> Mapping[str, Document]:
    """Return the records of what was rejected, by id, as a commit's lock file has them."""
    data = layout.repository.read(commit, layout.name(LOCK))
    return LockFile.of(data).rejected if data is not None else {}


def starts_of(library: Library, ledger: Ledger, accepted: Proposal) -> dict[str, Evidence]:
    """Return the posteriors that the versions which were accepted start from, by id."""
    starts: dict[str, Evidence] = {}
    for document in accepted.new:
        kind, name = document_key(document)
        if name in accepted.changed and kind in VERSIONED:
            counts = live_counts(library, ledger, name)
            good, bad = counts.get((kind, name, int(document["version"]), ""), (0.0, 0.0))
            starts[name] = Evidence(1.0 + good, 1.0 + bad)
    return starts
