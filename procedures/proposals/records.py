"""The records of proposals: files of those that wait, and what is remembered of the decided."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...schemas import first_misfit
from ..checks.proposal_files import FOLDER, proposal_in, read_proposals
from ..common.errors import LibraryError, ProposalError, SchemaError
from ..documents.yaml_dump import dump_yaml
from ..documents.yaml_io import atomic_write
from ..library import library_commit as commits
from ..library.library import LOCK_TIMEOUT
from ..local.machine_folder import DECIDED, local_path
from ..sharing.committed_lock import known_lock
from .proposal import Proposal

__all__ = [
    "FOLDER",
    "keep_accepted",
    "read_record",
    "records",
    "records_in_folder",
    "refuse_decided",
    "write_record",
]


def read_record(data: bytes, file: Path) -> Proposal:
    """Read a file of a proposal.

    Raises:
        SchemaError: It is not one; carries the file.
    """
    return Proposal.from_document(proposal_in(data, file))


def records(root: Path, faults: list[str]) -> Iterator[Proposal]:
    """Yield the proposals that a library knows of; what is broken goes to ``faults``.

    They are in its folder, among the machine-local files, and, if they were rejected, in its lock
    file.
    """
    yield from records_in_folder(root, faults)
    try:
        yield from _in_folder(root, local_path(root, DECIDED), faults)
        lock = known_lock(root)
        yield from map(Proposal.from_document, lock.rejected.values() if lock is not None else ())
    except LibraryError as error:
        faults.append(str(error))


def records_in_folder(root: Path, faults: list[str]) -> Iterator[Proposal]:
    """Yield the proposals of the files in a library's folder ``proposals/`` alone."""
    return _in_folder(root, FOLDER, faults)


def _in_folder(root: Path, folder: Path | str, faults: list[str]) -> Iterator[Proposal]:
    for file in read_proposals(root, lambda error: faults.append(str(error)), folder):
        yield Proposal.from_document(file.document)


def refuse_decided(root: Path, proposal: Proposal) -> None:
    """Raise if a record that this machine knows says that a proposal was decided.

    Raises:
        ProposalError: It was.
    """
    for record in records(root, []):
        if record.id == proposal.id and record.status != "pending":
            by = f" by {record.by}" if record.by else ""
            raise ProposalError(f"{proposal.id} was {record.status} meanwhile{by}")


def write_record(root: Path, proposal: Proposal) -> Path:
    """Write a proposal's file and return it."""
    return _write(root, root / FOLDER, proposal)


def keep_accepted(root: Path, proposal: Proposal) -> Path:
    """Keep on this machine what a proposal was made from, since its commit only tells of it."""
    return _write(root, local_path(root, DECIDED), proposal)


def _write(root: Path, folder: Path, proposal: Proposal) -> Path:
    document = proposal.to_document()
    misfit = first_misfit("proposal", document)
    if misfit is not None:
        raise SchemaError(f"{proposal.id!r}: {misfit.problem}", path=misfit.path)
    file = folder / f"{proposal.id}.yaml"
    with commits.locked(root, LOCK_TIMEOUT):
        file.parent.mkdir(exist_ok=True)
        atomic_write(file, dump_yaml(document).encode())
    return file
