"""Where the proposals of a library wait: on branches in a git work tree, else in files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...procedures.common.errors import GitError
from ...procedures.library.document_kinds import FOLDERS
from ...procedures.proposals.proposal_store import FileStore
from .proposal_branches import GitStore
from .repository import Repository


def open_store(path: Path | str) -> FileStore | GitStore:
    """Return the store of a library.

    Raises:
        GitError: The library is in a repository that git does not open, or not committed there.
    """
    root = Path(path).resolve()
    store = _git_store(root)
    if store is None:
        return FileStore(root)
    if not store.is_committed():
        raise GitError(
            f"{root / 'library.yaml'} is not committed, so there is nothing to propose changes "
            f"to; run: git add {root} && git commit"
        )
    return store


def is_tracked(path: Path | str) -> bool:
    """Say whether the commit that is checked out around a library has it.

    Raises:
        GitError: The library is in a repository that git does not open.
    """
    return _tracked(path) is not None


def in_work_tree(path: Path | str) -> bool:
    """Say whether a library, there or not, is in a work tree that does not ignore it.

    Raises:
        GitError: The repository around it is not opened by git.
    """
    return _git_store(Path(path)) is not None


def start_library(path: Path | str) -> bool:
    """Commit a library that was just made, if it is in a work tree; say whether it was done."""
    return commit_library(path, f"Start the library {Path(path).resolve().name}\n")


def commit_library(path: Path | str, text: str) -> bool:
    """Commit all files of a library, if it is in a work tree; say whether it was done."""
    root = Path(path).resolve()
    store = _git_store(root)
    if store is None:
        return False
    files = (file for folder in ("", *FOLDERS.values()) for file in (root / folder).glob("*.yaml"))
    names = sorted(file.relative_to(root).as_posix() for file in files)
    store.commit_files(names, text, store.author)
    return True


def require_ready(path: Path | str) -> None:
    """Refuse to change files of a library that git tracks where nothing can be committed now.

    Raises:
        GitError: HEAD is detached, or a merge is under way.
    """
    if (store := _tracked(path)) is not None:
        store.repository.ready()


def commit_changed(path: Path | str, names: Sequence[str], text: str) -> bool:
    """Commit files of a library that git tracks, and no others; say whether it was done."""
    store = _tracked(path)
    if store is None:
        return False
    store.commit_files(names, text, store.author)
    return True


def _tracked(path: Path | str) -> GitStore | None:
    """Return the store of a library that the commit checked out around it has."""
    store = _git_store(Path(path))
    return store if store is not None and store.is_committed() else None


def _git_store(root: Path) -> GitStore | None:
    """Return the store in git; None outside git, or where people told git to ignore the folder."""
    root = root.resolve()
    repository = Repository.around(root)
    if repository is None:
        return None
    store = GitStore(root, repository)
    return None if repository.is_ignored(store.layout.name("library.yaml")) else store
