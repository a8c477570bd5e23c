"""Committing files of the work tree and no others, whatever else is changed or staged."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...procedures.errors import GitError
from .repository import Person, Repository
from .staging import stage

__all__ = ["commit_here"]

_ATTEMPTS = 20


def commit_here(
    repository: Repository,
    index: Path,
    names: Sequence[str],
    text: str,
    author: Person,
    committer: Person,
) -> None:
    """Commit files as the work tree has them; the index is held.

    Raises:
        GitError: HEAD is detached, a merge or the like is under way, or the branch moves on and on.
    """
    branch = ""
    for _ in range(_ATTEMPTS):
        head, branch = repository.ready()
        files = {name: _content(repository.top / name) for name in names}
        gone = [name for name, content in files.items() if content is None]
        there = repository.read_all((head, name) for name in gone) if head and gone else {}
        for name in gone:
            if there.get((head or "", name)) is None:
                del files[name]
        tree = repository.tree(head, files)
        commit = repository.commit(tree, head, text, author, committer)
        stage(repository, index, tree)
        if repository.move(branch, commit, head, f"macla: {text.splitlines()[0]}"):
            return
    raise GitError(
        f"the branch {branch} moves all the time; the change is in the work tree, commit it"
    )


def _content(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
