"""The index of a work tree, held while a commit is made, so that it is one step for others."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from ...procedures.errors import GitError
from .repository import Repository, Tree

__all__ = ["index_locked", "stage"]

_WAIT = 10.0
_POLL = 0.02


@contextlib.contextmanager
def index_locked(repository: Repository) -> Iterator[Path]:
    """Hold git's own lock on the index; yields the index that replaces it at the end.

    While it is held nobody commits in this work tree, so that moving the branch and the index
    is one step for everybody else.

    Raises:
        GitError: Another git holds the lock for too long.
    """
    index = repository.folder / "index"
    lock = index.with_name(index.name + ".lock")
    until = time.monotonic() + _WAIT
    while True:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
            break
        except FileExistsError:
            if time.monotonic() > until:
                raise GitError(
                    f"another git is at work in {repository.top} ({lock} is there); wait for it to "
                    "end, or remove that file if none is running"
                ) from None
            time.sleep(_POLL)
        except OSError as error:
            raise GitError(f"{lock} cannot be made: {error.strerror}") from error
    fresh = index.with_name(f"{index.name}.macla")
    try:
        if index.exists():
            shutil.copy2(index, fresh)  # with its time, by which git knows files as young as it
        else:
            repository.git.run("read-tree", "--empty", environment={"GIT_INDEX_FILE": str(fresh)})
        yield fresh
        os.replace(fresh, index)
    finally:
        fresh.unlink(missing_ok=True)
        lock.unlink(missing_ok=True)


def stage(repository: Repository, index: Path, tree: Tree) -> None:
    """Take the changed files of a tree into an index that is held."""
    repository.git.run(
        "update-index", "-z", "--index-info",
        data=tree.entries, environment={"GIT_INDEX_FILE": str(index)},
    )  # fmt: skip
    # Not refreshed: that could run a filter that the repository names.
