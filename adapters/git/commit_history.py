"""The versions of a file of a library, as commits tell them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...procedures.common.errors import GitError, LibraryError
from ...procedures.files.lazy_documents import without_notes
from ...procedures.library.document_kinds import FOLDERS, VERSIONED
from ...procedures.library.library import Library
from ...procedures.model.procedure_parts import Evidence
from ...procedures.proposals.proposal import AUTOMATIC, Proposal
from ...procedures.proposals.proposal_store import FileStore
from ...procedures.proposals.records import read_record, records
from ...procedures.proposals.version_history import Revision, episodes_of, from_records
from .merging import document_of
from .repository import Repository

_FORMAT = (
    "%H%x00%an <%ae>%x00%cn <%ce>%x00%cI%x00%s%x00%(trailers:key=Proposal,valueonly)%x00"
    "%(trailers:key=Accepted,valueonly)%x00%(trailers:key=Reviewed-by,valueonly)%x00"
    "%(trailers:key=Co-authored-by,valueonly)%x00%(trailers:key=Starts-from,valueonly)%x00%b%x00"
)
_FIELDS = 11
"""Fields of a commit in this format."""
_BETA = re.compile(r"(?:(?P<of>\S+) )?Beta\((?P<alpha>[\d.e+-]+), (?P<beta>[\d.e+-]+)\)")


def revisions_of(library: Library, name: str) -> list[Revision]:
    """Return the revisions of a procedure or plan, oldest first; the work tree's last.

    In git these are the commits that changed its file, outside git the accepted proposals.

    Raises:
        LibraryError: There is no such file, and never was.
    """
    repository = Repository.around(library.path)
    if repository is None or repository.head() is None:
        revisions = from_records(library, FileStore(library.path).decided(), name)
    else:
        revisions = _from_commits(repository, library, name)
    if not revisions:
        library.get(name)  # raises with the nearest name
        raise GitError(f"{name!r} is in no commit yet")
    return revisions


def _from_commits(repository: Repository, library: Library, name: str) -> list[Revision]:
    prefix = library.path.relative_to(repository.top)
    revisions: list[Revision] = []
    record_by_id = {proposal.id: proposal for proposal in records(library.path, [])}
    for kind in VERSIONED:
        file = (prefix / FOLDERS[kind] / f"{name}.yaml").as_posix()
        out = repository.git.run(
            "log", "-z", f"--format={_FORMAT}", "--no-ext-diff", "--no-textconv", "HEAD", "--", file
        )  # fmt: skip
        fields = out.decode("utf-8", "replace").split("\0")
        rows = [fields[i : i + _FIELDS] for i in range(0, len(fields) - _FIELDS, _FIELDS + 1)]
        for commit, author, by, at, subject, trailer, *trailers in reversed(rows):
            data = repository.read(commit, file)
            document = None
            if data is not None:
                try:
                    document = document_of(data)
                except LibraryError:
                    continue  # broken at that commit; the ones around it can be read
            proposal = trailer.strip()
            revision = Revision(document, at, author, by, subject, commit, proposal)
            if proposal:
                record = _record(repository, prefix, commit, proposal) or record_by_id.get(proposal)
                automatic, reviewer, edited, start, body = (each.strip() for each in trailers)
                merged = _merged_by(repository, commit) if by == author and not reviewer else ""
                revision = dataclasses.replace(
                    revision,
                    by=AUTOMATIC if automatic == AUTOMATIC else merged or by,
                    reason=_reason(body, subject, name),
                    episodes=episodes_of(record) if record is not None else (),
                    edited=edited.partition("\n")[0],
                    start=_start(start, document, name),
                )
            revisions.append(revision)
    item = library.find(name)
    current = item.to_document() if item is not None else None
    last = revisions[-1].document if revisions else None
    if current is not None and (last is None or without_notes(current) != without_notes(last)):
        revisions.append(Revision(current, "", "", "", "in the work tree, not committed"))
    return revisions


def _start(text: str, document: Mapping[str, Any] | None, name: str) -> Evidence | None:
    """Return the posterior that a commit tells of, or, of an earlier macla, the file."""
    snapshot = (document or {}).get("evidence")
    if snapshot is not None:
        return Evidence.from_document(snapshot)
    matches = (_BETA.fullmatch(line.strip()) for line in text.splitlines())
    match = next((m for m in matches if m is not None and m["of"] in (None, name)), None)
    return Evidence(float(match["alpha"]), float(match["beta"])) if match else None


def _reason(body: str, subject: str, name: str) -> str:
    """Return what a message's body says of a file: its own paragraph, else the first one."""
    paragraphs = body.split("\n\n")
    paragraph = next((each for each in paragraphs if each.startswith(f"{name}: ")), "")
    lines = paragraph.removeprefix(f"{name}: ").splitlines() or paragraphs[0].splitlines()
    plain_lines = (line for line in lines if not line.startswith("  "))
    return " ".join(" ".join(plain_lines).split()) or subject


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
