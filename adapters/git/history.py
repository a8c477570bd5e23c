"""The versions of a file of a library, as commits tell them."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from ...procedures.document_kinds import FOLDERS
from ...procedures.errors import GitError, LibraryError
from ...procedures.library import Library
from ...procedures.proposals.history import Revision, episodes_of, from_records
from ...procedures.proposals.model import AUTOMATIC, Proposal
from ...procedures.proposals.store import FileStore, read_record
from .merging import document_of
from .repository import Repository

__all__ = ["revisions_of"]

_FORMAT = "%H%x00%an <%ae>%x00%cn <%ce>%x00%cI%x00%s%x00%(trailers:key=Proposal,valueonly)%x00"


def revisions_of(library: Library, name: str) -> list[Revision]:
    """Return the revisions of a procedure or plan, oldest first; the work tree's last.

    In git these are the commits that changed its file, outside git the accepted proposals.

    Raises:
        LibraryError: There is no such file, and never was.
    """
    repository = Repository.around(library.path)
    if repository is None or repository.head() is None:
        found = from_records(library, FileStore(library.path).decided(), name)
    else:
        found = _from_commits(repository, library, name)
    if not found:
        library.get(name)  # raises with the nearest name
        raise GitError(f"{name!r} is in no commit yet")
    return found


def _from_commits(repository: Repository, library: Library, name: str) -> list[Revision]:
    prefix = library.path.relative_to(repository.top)
    revisions: list[Revision] = []
    for folder in FOLDERS.values():
        file = (prefix / folder / f"{name}.yaml").as_posix()
        out = repository.git.run(
            "log", "-z", f"--format={_FORMAT}", "--no-ext-diff", "--no-textconv", "HEAD", "--", file
        )  # fmt: skip
        fields = out.decode("utf-8", "replace").split("\0")
        rows = [fields[i : i + 6] for i in range(0, len(fields) - 6, 7)]
        for commit, author, by, at, subject, trailer in reversed(rows):
            data = repository.read(commit, file)
            document = None
            if data is not None:
                try:
                    document = document_of(data)
                except LibraryError:
                    continue  # broken at that commit; the ones around it can be read
            proposal = trailer.strip()
            record = _record(repository, prefix, commit, proposal)
            found = Revision(document, at, author, by, subject, commit, proposal)
            if record is not None:
                merged = _merged_by(repository, commit) if by == author else ""
                found = dataclasses.replace(
                    found,
                    by=AUTOMATIC if record.by == AUTOMATIC else merged or by,
                    reason=" ".join(record.rationale.split()),
                    episodes=episodes_of(record),
                    edited=record.edited,
                )
            revisions.append(found)
    item = library.find(name)
    here = item.to_document() if item is not None else None
    last = revisions[-1].document if revisions else None
    if here is not None and here != last:
        revisions.append(Revision(here, "", "", "", "in the work tree, not committed"))
    return revisions


def _merged_by(repository: Repository, commit: str) -> str:
    """Return who merged a commit that nobody accepted by hand; empty if nobody did."""
    merges = repository.git.text(
        "log", "--merges", "--ancestry-path", "--reverse", "--format=%an <%ae>", f"{commit}..HEAD"
    )
    return merges.partition("\n")[0]


def _record(repository: Repository, prefix: Path, commit: str, proposal: str) -> Proposal | None:
    """Return the record of the proposal that a commit accepted."""
    if not proposal:
        return None
    name = (prefix / "proposals" / f"{proposal}.yaml").as_posix()
    data = repository.read(commit, name)
    try:
        return read_record(data, Path(name)) if data is not None else None
    except LibraryError:
        return None
