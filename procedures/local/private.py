"""Temporary folders of one process: what a killed one leaves, the next one removes.

A lock beside the folder says whether its owner lives: the system frees it when the process ends,
however it ends.
"""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import shutil
from pathlib import Path

from filelock import FileLock, Timeout

_ALIVE = ".alive"
_log = logging.getLogger(__name__)


class PrivateFolder:
    """A folder for temporary files that is this process's alone; a context manager.

    Those that killed processes left under the same prefix are removed first.

    Args:
        parent: Where it is made.
        prefix: Of its name; what follows cannot be guessed.

    Attributes:
        path: The folder. It may be renamed: then what was made stays, and only its lock goes.

    Raises:
        OSError: It cannot be made.
    """

    def __init__(self, parent: Path, prefix: str) -> None:
        remove_abandoned(parent, prefix)
        while True:
            self.path = parent / f"{prefix}{secrets.token_hex(6)}"
            self._lock = parent / f"{self.path.name}{_ALIVE}"
            self._alive = FileLock(self._lock, timeout=0, thread_local=False)
            with contextlib.suppress(Timeout):  # another process is about to clean up
                self._alive.acquire()
                if self._lock.exists():
                    break
                self._alive.release()
        try:
            self.path.mkdir(0o700)
        except BaseException:
            self.remove()
            raise

    def __enter__(self) -> PrivateFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    def remove(self) -> None:
        """Delete the folder; doing so twice does no harm."""
        shutil.rmtree(self.path, ignore_errors=True)
        self._lock.unlink(missing_ok=True)
        self._alive.release()


def remove_abandoned(parent: Path, prefix: str) -> None:
    """Remove the folders of a prefix whose owners are gone.

    Args:
        parent: Where to look; it need not be there.
        prefix: Of their names.
    """
    try:
        names = [n for n in os.listdir(parent) if n.startswith(prefix) and n.endswith(_ALIVE)]
    except OSError:
        return
    for lock in (parent / name for name in names):
        try:
            # Where everybody may write, another user's is none of our business.
            if hasattr(os, "getuid") and lock.lstat().st_uid != os.getuid():
                continue
            with FileLock(lock, timeout=0):
                shutil.rmtree(lock.with_suffix(""), ignore_errors=True)
                lock.unlink(missing_ok=True)
        except (OSError, Timeout) as error:
            _log.debug("%s stays: %s", lock, error)
