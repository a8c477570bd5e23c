"""Replacing a file as a whole: readers see the old one or the new one, never a part.

What is written stands in a temporary file beside it, on which its writer holds a lock. So what a
killed writer left can be told from what a living one is about to put in place.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
from collections.abc import Iterator
from glob import escape
from pathlib import Path
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows, where nobody removes what is open
    fcntl = None  # type: ignore[assignment]

TEMPORARY = re.compile(r"\..+\.[0-9a-f]{12}\.tmp")
"""Names of temporary files."""


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Yield a stream; what is written to it takes the place of a file's content, durably.

    Where the block raises, the file stays as it is.

    Raises:
        OSError: The folder cannot be written.
    """
    temporary, stream = _open_temporary(path)
    try:
        with stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            if fcntl is not None:
                os.replace(temporary, path)
        if fcntl is None:  # pragma: no cover
            os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def _open_temporary(path: Path) -> tuple[Path, BinaryIO]:
    while True:
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        locked = True
        with contextlib.suppress(OSError):  # a file system without locks
            locked = _take_lock(descriptor)
        # Between the two steps somebody may have taken it for abandoned.
        if locked and os.fstat(descriptor).st_nlink:
            return temporary, os.fdopen(descriptor, "wb")
        os.close(descriptor)


def remove_if_abandoned(temporary: Path) -> None:
    """Remove a temporary file unless its writer lives."""
    try:
        # A pipe of such a name, as an archive may hold, is not waited for, and stays.
        at_once = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        descriptor = os.open(temporary, os.O_RDONLY | at_once)
    except OSError:
        return
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return
        with contextlib.suppress(OSError):  # without locks it stays
            if _take_lock(descriptor):
                temporary.unlink(missing_ok=True)
    finally:
        os.close(descriptor)


def remove_beside(path: Path) -> None:
    """Remove what killed writers of a file left beside it; for files outside of libraries."""
    for temporary in path.parent.glob(f".{escape(path.name)}.*.tmp"):
        if TEMPORARY.fullmatch(temporary.name):
            remove_if_abandoned(temporary)


def sync_folder(folder: Path) -> None:
    """Make renames and removals in a folder durable, where the system can."""
    if os.name == "nt":  # pragma: no cover - folders cannot be opened there
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _take_lock(descriptor: int) -> bool:
    """Take the lock of an open file; say whether nobody else has it."""
    if fcntl is None:  # pragma: no cover
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
