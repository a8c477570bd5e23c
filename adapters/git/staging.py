"""The index of a work tree, held while a commit is made, so that it is one step for others."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from filelock import FileLock, Timeout

from ...procedures.common.errors import LockError, reason
from .repository import Repository, blob_name

_WAIT = 10.0
"""Seconds that git's own lock is waited for."""
_QUEUE = 60.0
"""Seconds that other processes of macla are waited for."""
_OURS = b"macla\n"
_POLL = 0.02
"""Seconds between two tries for a lock."""


@contextlib.contextmanager
def index_locked(repository: Repository) -> Iterator[Path]:
    """Hold git's own lock on the index; yields the index that replaces it at the end.

    While it is held nobody commits in this work tree, so that moving the branch and the index
    is one step for everybody else. A lock that a killed macla left is known by its content, and
    by the lock beside it, which the system frees when a process ends; it is removed.

    Raises:
        LockError: Another git or macla holds the lock for too long.
    """
    index = repository.folder / "index"
    with _queue_lock(repository):
        lock = _take_lock(repository, index)
        fresh = index.with_name(f"{index.name}.macla")
        try:
            if index.exists():
                shutil.copy2(index, fresh)  # with its time, by which git knows files as young
            else:
                empty = {"GIT_INDEX_FILE": str(fresh)}
                repository.git.run("read-tree", "--empty", environment=empty)
            yield fresh
            os.replace(fresh, index)
        finally:
            fresh.unlink(missing_ok=True)
            lock.unlink(missing_ok=True)


@contextlib.contextmanager
def _queue_lock(repository: Repository) -> Iterator[None]:
    """Hold the lock that only macla takes."""
    lock = FileLock(repository.folder / "macla-queue")
    try:
        lock.acquire(_QUEUE, poll_interval=_POLL)
    except Timeout:
        what = f"is being committed to by another macla for more than {_QUEUE:g} seconds"
        raise LockError(what, file=repository.top) from None
    except OSError as error:
        raise LockError(f"cannot be locked: {reason(error)}", file=repository.folder) from error
    try:
        yield
    finally:
        lock.release()


def _take_lock(repository: Repository, index: Path) -> Path:
    """Make git's lock and return it; no other macla is alive that could hold it."""
    lock = index.with_name(index.name + ".lock")
    until = time.monotonic() + _WAIT
    while True:
        try:
            _make_lock(lock)
        except FileExistsError:  # noqa: PERF203 - it is tried again
            with contextlib.suppress(OSError):
                if lock.read_bytes() == _OURS:
                    lock.unlink()
                    continue
            if time.monotonic() > until:
                raise LockError(
                    f"another git is at work ({lock} is there)",
                    file=repository.top,
                    hint="wait for it to end, or remove that file if none is running",
                ) from None
            time.sleep(_POLL)
        except OSError as error:
            raise LockError(f"cannot be made: {reason(error)}", file=lock) from error
        else:
            return lock


def _make_lock(lock: Path) -> None:
    """Make the lock with its content in one step: an empty one, after a kill, would be git's.

    Raises:
        FileExistsError: It is there.
        OSError: It cannot be made.
    """
    temporary = lock.with_name(f"{lock.name}.macla")
    temporary.write_bytes(_OURS)
    try:
        os.link(temporary, lock)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        handle = os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
        os.write(handle, _OURS)
        os.close(handle)
    finally:
        temporary.unlink(missing_ok=True)


def stage(repository: Repository, index: Path, files: Mapping[str, bytes | None]) -> None:
    """Take files as a commit has them, or is going to have them, into an index that is held."""
    length = repository.name_length
    lines = (
        f"0 {'0' * length}\t{name}"
        if content is None
        else f"100644 {blob_name(content, length)}\t{name}"
        for name, content in files.items()
    )
    repository.git.run(
        "update-index", "-z", "--index-info",
        data="".join(f"{line}\0" for line in lines).encode("utf-8", "surrogateescape"),
        environment={"GIT_INDEX_FILE": str(index)},
    )  # fmt: skip
    # Not refreshed: that could run a filter that the repository names.
