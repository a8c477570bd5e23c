"""Reading the files of waiting proposals, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ...schemas import first_misfit
from ..common.errors import ConditionError, LibraryError, SchemaError
from ..documents.plain_data import is_reference
from ..documents.yaml_io import line_of, load_yaml, read_bytes
from ..files.contents import Contents
from ..files.parsing import yaml_files
from ..library.consistency import Finding, unread_place
from ..library.document_kinds import KINDS, VERSIONED
from ..model.procedure import Ontology, Procedure
from ..model.semantics import check_ontology, check_procedure
from .instructing import instructing_document

FOLDER: Final = "proposals"
"""Folder of a library with a file for each proposal."""


@dataclass(frozen=True, slots=True)
class ProposalFile:
    """One proposal as it stands in its file.

    Attributes:
        file: The file.
        data: Its content.
        document: What it says; fits ``proposal.schema.json``.
    """

    file: Path
    data: bytes
    document: Mapping[str, Any]

    def line(self, path: tuple[str | int, ...]) -> int | None:
        """Return the line of a value."""
        return line_of(self.data, path)


def read_proposals(
    root: Path, sink: Callable[[LibraryError], None], folder: Path | str = FOLDER
) -> Iterator[ProposalFile]:
    """Yield the proposals of a library in order of their names."""
    try:
        files = yaml_files(root / folder)
    except LibraryError as error:
        sink(error)
        return
    for file in files:
        try:
            yield _read_file(file)
        except LibraryError as error:  # noqa: PERF203 - a broken file hides no other
            sink(error)


def _read_file(file: Path) -> ProposalFile:
    if file.is_symlink() or not file.is_file():
        raise LibraryError("is not a regular file", file=file)
    data = read_bytes(file)
    document = proposal_in(data, file)
    if document["id"] != file.name.removesuffix(".yaml"):
        raise LibraryError(
            f"the id is {document['id']!r}, but the file is called {file.name}",
            file=file,
            line=line_of(data, ("id",)),
            path=("id",),
            hint="rename one of them",
        )
    return ProposalFile(file, data, document)


def proposal_in(data: bytes, file: Path) -> Mapping[str, Any]:
    """Return what the file of a proposal says.

    Raises:
        SchemaError: It is not one; carries the file.
    """
    document: Mapping[str, Any] = load_yaml(data, file)
    misfit = first_misfit("proposal", document)
    if misfit is not None:
        line = line_of(data, misfit.path)
        raise SchemaError(misfit.problem, file=file, line=line, path=misfit.path)
    return document


def check_proposals(
    root: Path, contents: Contents | None, unread: Collection[Path] = ()
) -> Iterator[Finding]:
    """Yield what is wrong with the proposals of a library.

    Args:
        root: The library's folder.
        contents: What could be read of it; None if nothing could.
        unread: Files and folders that could not.
    """
    faults: list[LibraryError] = []
    for proposal in read_proposals(root, faults.append):
        yield from _document_findings(proposal)
        if contents is not None and proposal.document["status"] == "pending":
            yield from _target_findings(root, proposal, contents, unread)
    for fault in faults:
        message = f"{fault.problem} ({fault.hint})" if fault.hint else fault.problem
        yield Finding("error", message, fault.file, fault.line, fault.path, "proposal")


def instructing_proposals(root: Path) -> Iterator[Finding]:
    """Yield an error for each text of a pending proposal that tries to instruct a model."""
    for proposal in read_proposals(root, lambda fault: None):
        if proposal.document["status"] != "pending":
            continue
        for path, message in instructing_document(proposal.document):
            line = proposal.line(path)
            yield Finding("error", message, proposal.file, line, path, "instructing")


def _document_findings(proposal: ProposalFile) -> Iterator[Finding]:
    """Hold the documents inside to their schemas and check them by themselves."""
    for side in ("old", "new"):
        for index, document in enumerate(proposal.document.get(side, ())):
            if is_reference(document):
                continue
            kind = KINDS[document["kind"]]
            base = (side, index)
            misfit = first_misfit(kind.schema, document)
            if misfit is not None:
                yield _finding(proposal, (*base, *misfit.path), misfit.problem)
                continue
            try:
                item = kind.type.from_document(document)
            except (ConditionError, LibraryError) as error:
                yield _finding(proposal, (*base, *error.path), error.problem)
                continue
            if side == "new":
                issues = check_procedure(item) if isinstance(item, Procedure) else []
                issues += check_ontology(item) if isinstance(item, Ontology) else []
                for issue in issues:
                    if issue.severity == "error":
                        yield _finding(proposal, (*base, *issue.path), issue.message)


def _target_findings(
    root: Path, proposal: ProposalFile, contents: Contents, unread: Collection[Path]
) -> Iterator[Finding]:
    """Compare what is to be changed with what is there."""
    target = proposal.document["target"]
    version = target.get("version")
    item = contents.find(target["id"])
    if version is None or target["id"] == "ontology":
        return
    keys = [(kind, target["id"]) for kind in VERSIONED]
    if item is None and unread_place(root, keys, unread) is not None:
        return  # it may well be there
    if item is None:
        message = f"is about {target['id']!r}, which is not in the library; reject it"
        yield _finding(proposal, ("target", "id"), message, "warning")
    elif item.version != version:
        message = f"was made for version {version}; on disk is {item.version}: rebase or reject it"
        yield _finding(proposal, ("target", "version"), message, "warning")


def _finding(
    proposal: ProposalFile, path: tuple[str | int, ...], message: str, severity: Any = "error"
) -> Finding:
    return Finding(severity, message, proposal.file, proposal.line(path), path, "proposal")
