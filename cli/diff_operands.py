"""Operands of ``macla diff``: files, libraries, versions, git revisions."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..adapters.git.commit_history import revisions_of
from ..adapters.git.revisions import Revision, RevisionReader
from ..procedures.common.errors import DanglingReferenceError, GitError, LibraryError, ProposalError
from ..procedures.documents.yaml_io import read_bytes
from ..procedures.files.contents import Contents
from ..procedures.files.parsing import parse
from ..procedures.files.scanning import load
from ..procedures.library.document_kinds import Document
from ..procedures.library.library import Library
from ..procedures.proposals.proposal_documents import item_of
from ..procedures.proposals.version_history import content_of

_VERSIONED: Final = re.compile(r"([a-z0-9][a-z0-9._-]{0,79})@([1-9][0-9]{0,8})")
_HELP: Final = "give a file, a library folder, ID@VERSION, a git revision, or REVISION:PATH"


@dataclass(frozen=True, slots=True)
class Operand:
    """One side of a comparison.

    Attributes:
        name: The operand as it was given.
        value: A document, or the contents of a library.
    """

    name: str
    value: Document | Contents


def resolve(name: str, library: Path) -> Operand:
    """Read one side.

    Args:
        name: A path, ``ID@VERSION``, a git revision, or ``REVISION:PATH``.
        library: The library of versions and revisions.

    Raises:
        LibraryError: The side cannot be read.
    """
    if _exists(name):
        return Operand(name, _on_disk(Path(name)))
    if (match := _VERSIONED.fullmatch(name)) is not None:
        return Operand(name, _version(match[1], int(match[2]), library))
    revision, colon, path = name.partition(":")
    if colon:
        return Operand(name, _at_path(revision, path, library))
    return Operand(name, _at(name, library))


def _exists(name: str) -> bool:
    try:
        return os.path.exists(name)
    except ValueError:  # a NUL
        return False


def _on_disk(path: Path) -> Document | Contents:
    if not path.is_dir():
        return parse(read_bytes(path), None, path)
    contents = load(path.resolve())
    assert contents is not None, "a fault raises"  # noqa: S101
    return contents


def _revision(name: str, library: Path) -> tuple[RevisionReader, Revision]:
    """Return the repository around a library, and a revision of it."""
    folder = library if library.is_dir() else Path()
    reader = RevisionReader.around(folder)
    if reader is None:
        problem = (
            f"{name[:200]!r} is no file or folder, and {str(folder)!r} is in no git repository"
        )
        raise LibraryError(problem, hint=_HELP)
    if (revision := reader.resolve(name)) is None:
        raise LibraryError(
            f"{name[:200]!r} is no file or folder here and no git revision", hint=_HELP
        )
    return reader, revision


def _at(name: str, library: Path) -> Contents:
    """Return the library as it was at a revision."""
    reader, revision = _revision(name, library)
    return reader.library(revision, reader.below(library))


def _at_path(name: str, path: str, library: Path) -> Document | Contents:
    """Return the file or the library at a path of a revision."""
    reader, revision = _revision(name, library)
    path = path.rstrip("/")
    if path.startswith("./"):
        path = "/".join(part for part in (reader.below(Path()), path[2:]) if part)
    data = reader.file(revision, path) if path else None
    if data is not None:
        return parse(data, None, Path(f"{name}:{path}"))
    if reader.is_folder(revision, path):
        return reader.library(revision, "" if path == "." else path)
    raise LibraryError(f"there is no {path[:200]!r} at {name}", file=reader.top)


def _version(name: str, version: int, library: Path) -> Document:
    """Return a version of a file: the one on disk, or one from git's history."""
    contents = _on_disk(library)
    item = None
    if isinstance(contents, Contents):
        item = contents.find(name)
    if item is not None and item.version == version:
        return item
    opened = Library.open(library)
    try:
        return item_of(content_of(revisions_of(opened, name), name, version))
    except (GitError, ProposalError) as error:
        present_state = "is not there" if item is None else f"has version {item.version} on disk"
        raise DanglingReferenceError(
            f"{name!r} {present_state}, and no accepted proposal made version {version}: {error}",
            file=library,
        ) from error
