"""The commit of a proposal, made beside the work tree on what is checked out."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from ...procedures.common.errors import GitError
from ...procedures.documents.plain_data import behaves_alike, thaw
from ...procedures.documents.yaml_io import atomic_write
from ...procedures.files.lazy_documents import without_notes
from ...procedures.library.library import Library
from ...procedures.proposals.apply import Prepared, prepare
from ...procedures.proposals.proposal import Document, Proposal
from ...procedures.proposals.proposal_words import message
from .branches import Branch
from .committing import commit_beside
from .layout import Layout, record_of
from .merging import combined, document_of, rendered
from .repository import Contents, Person, Repository


def draft(
    layout: Layout,
    people: tuple[Person, Person],
    library: Library,
    proposal: Proposal,
    comments: Branch | None,
) -> tuple[str, str]:
    """Make the commit of a proposal; no ref names it yet.

    The comments of a branch are kept, where one is given.

    Returns:
        The commit and its parent.

    Raises:
        GitError: There is no commit yet, or files that it changes are not committed.
        ProposalError: What is proposed cannot be accepted.
    """
    repository = layout.repository
    head = repository.head()
    if head is None:
        raise GitError(f"{repository.top} has no commit yet; make the first one")
    library.refresh()
    prepared = prepare(library, proposal)
    key_and_document_by_file = {
        layout.file(key): (key, document) for key, document in prepared.documents.items()
    }
    committed = repository.read_all((head, name) for name in key_and_document_by_file)
    edited: Contents = {}
    if comments is not None:
        edited = repository.read_all(
            (commit, name)
            for commit in (comments.base, comments.tip)
            for name in key_and_document_by_file
        )
    files: dict[str, bytes | None] = {}
    for name, (key, document) in key_and_document_by_file.items():
        committed_content = committed[head, name]
        _require_committed(layout, library, key, committed_content)
        if key[0] == "types" and not document["kinds"]:
            files[name] = None
            continue
        content = rendered(committed_content, without_notes(document))
        if comments is not None:
            content = with_comments(repository, comments, edited, name, content, document)
        files[name] = content
    files |= dict.fromkeys(removed(layout, prepared))
    drafted = dataclasses.replace(proposal, new=prepared.proposal.new)
    files[layout.record(drafted)] = record_of(drafted)
    return commit_beside(repository, head, files, message(drafted), people), head


def with_comments(
    repository: Repository,
    branch: Branch,
    contents: Contents,
    name: str,
    content: bytes,
    document: Document,
) -> bytes:
    """Take the comments that people wrote on a branch into a file, by its contents there."""
    theirs = contents[branch.tip, name]
    if theirs is None or b"#" not in theirs:
        return content
    return combined(
        repository.git, contents[branch.base, name], content, theirs, thaw(without_notes(document))
    )


def keep_comments(
    repository: Repository,
    branch: Branch,
    names: Iterable[str],
    contents: Contents,
) -> None:
    """Take the comments that people wrote on a branch into the files of the work tree.

    The library is locked; ``contents`` are of these files at the base and the tip of the branch.
    """
    for name in names:
        file = repository.top / name
        if name.endswith("library.yaml") or not file.is_file():
            continue
        content = file.read_bytes()
        text = with_comments(repository, branch, contents, name, content, document_of(content))
        if text != content:
            atomic_write(file, text)


def removed(layout: Layout, prepared: Prepared) -> list[str]:
    """Return the files that a prepared proposal removes."""
    kinds = {d.get("id"): d["kind"] for d in prepared.proposal.old}
    return [layout.file((kinds[name], name)) for name in prepared.remove]


def _require_committed(
    layout: Layout, library: Library, key: tuple[str, str], committed: bytes | None
) -> None:
    item = library.contents.get(key)
    if item is None and committed is None:
        return
    document = item.to_document() if item is not None else None
    committed_document = document_of(committed) if committed is not None else None
    if (
        document is None
        or committed_document is None
        or not behaves_alike(document, committed_document)
    ):
        raise GitError(
            f"{layout.file(key)} in the work tree is not what is committed; commit it first, "
            "so that the proposal is a change of what people see"
        )
