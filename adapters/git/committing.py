"""Committing files of the work tree and no others, whatever else is changed or staged."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...procedures.errors import GitError
from .recording import record
from .repository import Person, Repository
from .staging import stage

__all__ = ["commit_here"]

_ATTEMPTS = 20


def commit_here(
    repository: Repository,
    index: Path,
    names: Sequence[str],
    text: str,
    people: tuple[Person, Person],
    at: tuple[str | None, str] | None = None,
) -> None:
    """Commit files as the work tree has them; the index is held.

    Args:
        repository: Where.
        index: The index that is held.
        names: Of the files, from the top of the work tree.
        text: The message.
        people: Author and committer.
        at: The commit that is checked out, and its branch, where that was just asked for.

    Raises:
        GitError: HEAD is detached, a merge or the like is under way, or the branch moves on and on.
    """
    branch = ""
    files = {name: _content(repository.top / name) for name in names}
    stage(repository, index, files)
    for attempt in range(_ATTEMPTS):
        head, branch = at if at is not None and not attempt else repository.ready()
        if record(repository, branch, head, files, text, people):
            return
    lock = repository.folder / f"{branch}.lock"
    why = f"is locked; remove {lock} if no git runs" if lock.exists() else "moves all the time"
    raise GitError(f"the branch {branch} {why}; the change is in the work tree, commit it")


def _content(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
