"""Merging files of a library: first what they say, key by key, then their comments as text."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...procedures.common.errors import MaclaError, SchemaError
from ...procedures.documents.yaml_comments import merge_comments
from ...procedures.documents.yaml_dump import dump_yaml
from ...procedures.documents.yaml_io import load_yaml
from ...procedures.documents.yaml_update import updated
from ...procedures.files.parsing import parse
from ...procedures.library.document_kinds import KINDS
from ...procedures.local.private import PrivateFolder
from ...procedures.local.safe_git import Git
from ...procedures.model.procedure import LibrarySettings, Procedure
from ...procedures.model.semantics import check_procedure
from ...procedures.proposals.proposal_documents import canonical
from ...procedures.proposals.rebase import Conflict, merge_documents


def document_of(data: bytes, file: Path | None = None) -> dict[str, Any]:
    """Return what a file of a document says, in our own spelling.

    Raises:
        LibraryError: It cannot be read or does not fit its schema; carries file, line and path.
    """
    item = parse(data, None, file)
    if isinstance(item, LibrarySettings):
        raise SchemaError("is no procedure, plan, program, ontology or list of types", file=file)
    return item.to_document()


def _canonical(document: Any) -> Any:
    return KINDS[document["kind"]].type.from_document(document).to_document()


def rendered(data: bytes | None, document: dict[str, Any]) -> bytes:
    """Return a file's content changed to say ``document``; comments and layout stay."""
    fresh = dump_yaml(document).encode()
    if data is None or data == dump_yaml(_canonical(load_yaml(data))).encode():
        return fresh
    return updated(data, document, _canonical)


def merge_text(
    git: Git, base: bytes, ours: bytes, theirs: bytes, labels: Sequence[str]
) -> tuple[bytes, bool]:
    """Merge three texts line by line as git does; returns the result and whether it is clean."""
    with PrivateFolder(Path(tempfile.gettempdir()), "macla-git-") as folder:
        files = [folder.path / name for name in ("ours", "base", "theirs")]
        for file, data in zip(files, (ours, base, theirs), strict=True):
            file.write_bytes(data)
        options = [option for label in labels for option in ("-L", label)]
        code, out, err = git.attempt("merge-file", "-p", *options, *map(str, files))
    if code > 127:
        raise MaclaError(f"git merge-file: {err.decode('utf-8', 'replace').strip()}")
    return out, code == 0


def combined(
    git: Git, base: bytes | None, ours: bytes, theirs: bytes, document: dict[str, Any]
) -> bytes:
    """Return a file that says ``document`` and has the comments of both sides.

    All three files are first made to say the same, so that only comments and layout are left to
    merge, as text. Where lines are in conflict, the layout is ours, and comments are merged by
    what they belong to: those at the same place stand one after the other.
    """
    base_text, our_text, their_text = (
        rendered(d, document) if d else b"" for d in (base, ours, theirs)
    )
    text, clean = merge_text(git, base_text, our_text, their_text, ("ours", "base", "theirs"))
    with contextlib.suppress(MaclaError):
        if clean and document_of(text) == document:
            return text
    return merge_comments(base_text, our_text, their_text)


def merge_files(
    git: Git, base: bytes, ours: bytes, theirs: bytes, labels: Sequence[str]
) -> tuple[bytes, list[str]]:
    """Merge three versions of a file.

    Args:
        git: Merges text.
        base: The common ancestor; empty where both sides added the file.
        ours: The side that the result goes to.
        theirs: The other.
        labels: Names of ours, base and theirs beside conflict markers.

    Returns:
        The content, and what is in the way of a clean merge, for people; with markers then.
    """
    try:
        their_document, our_document = document_of(theirs), document_of(ours)
        base_document = document_of(base) if base.strip() else {}  # both sides added the file
        merged = merge_documents(base_document, their_document, our_document, renumber=False)
        problems = [_conflict_text(conflict) for conflict in merged.conflicts]
        if not problems:
            document = canonical(merged.document)
            problems = _faults(document)
    except MaclaError as error:
        text, clean = merge_text(git, base, ours, theirs, labels)
        return text, [] if clean else [f"merged as plain text: {error}"]
    if problems:
        return merge_text(git, base, ours, theirs, labels)[0], problems
    return combined(git, base, ours, theirs, document), []


def _conflict_text(conflict: Conflict) -> str:
    where = ".".join(map(str, conflict.path))
    return f"{where}: both sides changed it"


def _faults(document: dict[str, Any]) -> list[str]:
    """Return why a merged document makes no sense, such as a parameter that is gone."""
    if document["kind"] != "procedure":
        return []
    issues = check_procedure(Procedure.from_document(document))
    return [
        f"{'.'.join(map(str, issue.path))}: {issue.message}"
        for issue in issues
        if issue.severity == "error"
    ]
