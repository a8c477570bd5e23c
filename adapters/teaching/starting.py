"""A library that is new appears complete or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...procedures.common.errors import LibraryError, reason
from ...procedures.library.library import Library
from ...procedures.local.private import PrivateFolder, remove_abandoned
from ..embeddings import DEFAULT_EMBEDDING

__all__ = ["Overtaken", "beside", "is_new", "put_in_place", "start_empty"]


class Overtaken(LibraryError):  # noqa: N818 (the other learner is no error)
    """Another learner wrote the library first."""

    def __init__(self, root: Path) -> None:
        hint = "nothing was lost of it; run the same command again, and both are learned from"
        super().__init__("was written by another learner meanwhile", file=root, hint=hint)


def start_empty(root: Path, domain: str, settings: Mapping[str, Any]) -> None:
    """Make a library in which nothing is known yet; it appears complete or not at all.

    Raises:
        LibraryError: The folder cannot be written, or is there and not empty.
    """
    with beside(root) as folder:
        place = folder.path
        Library.create(place, domain=domain, embedding=DEFAULT_EMBEDDING, settings=settings)
        put_in_place(place, root)


def is_new(root: Path, domain: str) -> bool:
    """Say whether there is no library in a folder yet; what was begun beside it and left goes.

    Raises:
        LibraryError: There is something else, or a library of another domain.
    """
    remove_abandoned(root.parent, _prefix(root))
    if not root.exists():
        return True
    if not root.is_dir():
        raise LibraryError("is a file; a library is a folder", file=root)
    if not any(root.iterdir()):
        return True
    if not (root / "library.yaml").exists():
        raise LibraryError(
            "is no library, and not empty", file=root, hint="name another or a new folder"
        )
    known = Library.open(root).settings.domain
    if known != domain:
        raise LibraryError(
            f"holds what was learned of the domain {known!r}, not of {domain!r}",
            file=root,
            hint="name another or a new folder, or if it is the same domain: "
            f"--world domain={known}",
        )
    return False


def beside(root: Path) -> PrivateFolder:
    """Return a new folder beside a library's place, in which it is made.

    Raises:
        LibraryError: It cannot be made.
    """
    try:
        root.parent.mkdir(parents=True, exist_ok=True)
        return PrivateFolder(root.parent, _prefix(root))
    except OSError as error:
        raise LibraryError(f"cannot be made: {reason(error)}", file=root) from error


def _prefix(root: Path) -> str:
    return f".{root.name}.new-"


def put_in_place(place: Path, root: Path) -> None:
    """Put a new library in its place; an empty folder may be there, another library not."""
    try:
        os.rename(place, root)
    except OSError as error:
        if (root / "library.yaml").exists():
            raise Overtaken(root) from error
        problem = f"cannot be put in place: {reason(error)}"
        hint = "empty the folder, or name another one"
        raise LibraryError(problem, file=root, hint=hint) from error
