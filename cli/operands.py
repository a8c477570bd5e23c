"""Operands of ``macla diff``: files, libraries, versions, git revisions."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..adapters.git.revisions import RevisionReader
from ..procedures.common.errors import DanglingReferenceError, LibraryError
from ..procedures.documents.yaml_io import load_yaml, read_bytes
from ..procedures.files.contents import Contents
from ..procedures.files.parsing import parse
from ..procedures.files.scanning import load
from ..procedures.library.document_kinds import FOLDERS, VERSIONED, Document, Versioned
from ..procedures.library.library import Library
from ..procedures.proposals.proposal_documents import item_of
from ..procedures.proposals.proposal_store import FileStore
from ..procedures.proposals.version_history import from_records

__all__ = ["Operand", "resolve"]

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


def _repository(library: Path, name: str) -> RevisionReader:
    folder = library if library.is_dir() else Path()
    reader = RevisionReader.around(folder)
    if reader is None:
        raise LibraryError(
            f"{name[:200]!r} is no file or folder, and {str(folder)!r} is in no git repository",
            hint=_HELP,
        )
    return reader


def _at(name: str, library: Path) -> Contents:
    """Return the library as it was at a revision."""
    repository = _repository(library, name)
    revision = repository.resolve(name)
    if revision is None:
        raise LibraryError(
            f"{name[:200]!r} is no file or folder here and no git revision", hint=_HELP
        )
    return _tree(repository, name, repository.below(library))


def _tree(repository: RevisionReader, name: str, folder: str) -> Contents:
    revision = repository.resolve(name)
    if revision is None:
        raise LibraryError(f"{name[:200]!r} is no git revision", file=repository.top)
    return repository.library(revision, folder)


def _at_path(name: str, path: str, library: Path) -> Document | Contents:
    """Return the file or the library at a path of a revision."""
    repository = _repository(library, name)
    revision = repository.resolve(name)
    if revision is None:
        raise LibraryError(f"{name[:200]!r} is no git revision", file=repository.top, hint=_HELP)
    path = path.rstrip("/")
    if path.startswith("./"):
        path = "/".join(part for part in (repository.below(Path()), path[2:]) if part)
    data = repository.file(revision, path) if path else None
    if data is not None:
        return parse(data, None, Path(f"{name}:{path}"))
    if repository.is_folder(revision, path):
        return _tree(repository, name, "" if path == "." else path)
    raise LibraryError(f"there is no {path[:200]!r} at {name}", file=repository.top)


def _version(name: str, version: int, library: Path) -> Document:
    """Return a version of a file: the one on disk, or one from git's history."""
    contents = _on_disk(library)
    item = None
    if isinstance(contents, Contents):
        item = contents.find(name)
    if item is not None and item.version == version:
        return item
    repository = RevisionReader.around(library)
    if repository is not None:
        below = repository.below(library)
        for kind in VERSIONED:
            path = "/".join(part for part in (below, FOLDERS[kind], f"{name}.yaml") if part)
            old = _in_history(repository, path, version)
            if old is not None:
                return old
    elif (old := _in_records(library, name, version)) is not None:
        return old
    present_state = "is not there" if item is None else f"has version {item.version} on disk"
    absence = "git's history holds no" if repository is not None else "no accepted proposal made"
    raise DanglingReferenceError(
        f"{name!r} {present_state}, and {absence} version {version}", file=library
    )


def _in_records(library: Path, name: str, version: int) -> Document | None:
    """Return a version that an accepted proposal made or replaced, outside git."""
    opened = Library.open(library)
    for revision in reversed(from_records(opened, FileStore(library).decided(), name)):
        if revision.document is not None and revision.version == version:
            return item_of(revision.document)
    return None


def _in_history(repository: RevisionReader, path: str, version: int) -> Document | None:
    """Return the newest state of a file that says it is this version."""
    for data in _states(repository, path):
        # A broken state is not the version.
        with contextlib.suppress(LibraryError):
            document = load_yaml(data)
            if isinstance(document, dict) and document.get("version") == version:
                item = parse(data, None, Path(path))
                if isinstance(item, Versioned):
                    return item
    return None


def _states(repository: RevisionReader, path: str) -> Iterable[bytes]:
    for revision in repository.history(path):
        data = repository.file(revision, path)
        if data is not None:
            yield data
