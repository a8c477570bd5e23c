"""Where the files of a library are in its repository, and how records name documents there."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...procedures.documents.yaml_dump import dump_yaml
from ...procedures.files.parsing import file_of
from ...procedures.proposals.proposal import Document, Proposal
from ...procedures.proposals.records import FOLDER
from .repository import Repository

_NAMES = ("kind", "id", "of", "version", "provenance")


class Layout:
    """Names of a library's files from the top of its repository, with forward slashes.

    Attributes:
        root: The library's folder.
        repository: The repository around it.
        proposals: Name of the folder with the records of proposals.
    """

    def __init__(self, root: Path, repository: Repository) -> None:
        self.root = root
        self.repository = repository
        self._prefix = root.relative_to(repository.top).as_posix()
        self.proposals = self.name(FOLDER)

    def name(self, inside: str) -> str:
        """Return the name of a file by its name inside the library."""
        return inside if self._prefix == "." else f"{self._prefix}/{inside}"

    def file(self, key: tuple[str, str]) -> str:
        """Return the name of the file of a document by (kind, id)."""
        return self.name(file_of(Path(), *key).as_posix())

    def record(self, proposal: Proposal) -> str:
        """Return the name of the record of a proposal."""
        return self.name(f"{FOLDER}/{proposal.id}.yaml")


def without_documents(proposal: Proposal) -> Proposal:
    """Name documents by kind, id and version, and say where they come from: commits hold the rest.

    Where the status is what changes, the title needs it.
    """
    keys = _NAMES if proposal.change != "status" else (*_NAMES, "status")
    return dataclasses.replace(
        proposal, old=_stubs(proposal.old, keys), new=_stubs(proposal.new, keys)
    )


def record_of(proposal: Proposal) -> bytes:
    """Return a record as a branch has it: accepted, as it is where the branch is merged."""
    accepted = dataclasses.replace(without_documents(proposal), status="accepted")
    return dump_yaml(accepted.to_document()).encode()


def _stubs(documents: Sequence[Document], keys: Sequence[str]) -> tuple[dict[str, Any], ...]:
    return tuple({key: document[key] for key in keys if key in document} for document in documents)
