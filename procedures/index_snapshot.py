"""Where a persistent index is kept between processes: sealed, checked, swapped whole.

Chroma's files may not be opened by two processes at once, and a garbled one may bring
the process down. So no process ever opens the kept file: a writer seals a consistent
copy of Chroma's database under the name of its SHA-256, and a reader copies it into a
private folder and checks that sum first. ``current.json`` names the sealed file and is
replaced atomically: a reader sees the old index or the new one, never half of one.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import shutil
import sqlite3
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from .errors import IndexFailure
from .local.private import PrivateFolder
from .local.state import make_parent

__all__ = ["DATABASE", "Seal", "SnapshotStore", "private_folder"]

DATABASE = "chroma.sqlite3"
"""Chroma's own name for the file that holds everything."""

_FORMAT = 1
_LOCK_SECONDS = 60.0
_SHA256 = re.compile(r"[0-9a-f]{64}")
_PREFIX = "macla-index-"
_MEMORY = Path("/dev/shm")  # noqa: S108 (only unguessable folders are made in it)
_MEMORY_FREE = 48 * 2**20
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Seal:
    """What ``current.json`` says.

    Attributes:
        sha256: Sum, and name without suffix, of the sealed database.
        operations: Changes ever written to it, which Chroma replays on opening.
    """

    sha256: str
    operations: int


class SnapshotStore:
    """The folder of one persistent index; it needs not exist yet."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._current = folder / "current.json"

    @contextmanager
    def writer(self) -> Iterator[bool]:
        """Hold the folder's only write lock; yields whether the folder can be written.

        A library on a read-only medium is searched all the same: its index is then built
        in a private folder each time.

        Raises:
            IndexFailure: Another process held the lock for a minute.
        """
        lock = FileLock(self._folder / "lock", timeout=_LOCK_SECONDS)
        writable = True
        try:
            make_parent(self._folder / "lock")
            lock.acquire()
        except Timeout as error:
            raise IndexFailure(
                f"another process has been writing the index in {self._folder} for "
                f"{_LOCK_SECONDS:.0f} s; wait for it or end it"
            ) from error
        except OSError as error:
            _log.warning("the index cannot be kept in %s: %s", self._folder, error)
            writable = False
        try:
            yield writable
        finally:
            lock.release()

    def stamp(self) -> tuple[int, int, int] | None:
        """Return a cheap mark that changes with every seal, None where there is none."""
        try:
            status = os.stat(self._current)
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino

    def fetch(self, target: Path) -> Seal | None:
        """Copy the sealed database to ``target``; None if it is missing or damaged."""
        # A writer may remove the file between the two reads; then the name has changed.
        previous: Seal | None = None
        while (seal := self._read()) is not None and seal != previous:
            try:
                shutil.copyfile(self._folder / f"{seal.sha256}.sqlite3", target)
                if _sum(target) == seal.sha256:
                    return seal
            except OSError as error:
                _log.debug("sealed index %s: %s", seal.sha256, error)
            previous = seal
        target.unlink(missing_ok=True)
        return None

    def intact(self) -> bool:
        """Return whether ``current.json`` names a sealed database that is undamaged."""
        seal = self._read()
        try:
            return seal is not None and seal.sha256 == _sum(self._folder / f"{seal.sha256}.sqlite3")
        except OSError:
            return False

    def publish(self, database: Path, operations: int) -> Seal | None:
        """Seal a copy of a live database; the write lock must be held.

        Returns:
            None if the disk refused, which costs the next process a rebuild, no more.
        """
        partial = self._folder / f"{uuid.uuid4().hex}.tmp"
        try:
            # SQLite's own backup: a consistent copy although Chroma has the file open.
            with (
                closing(sqlite3.connect(database)) as source,
                closing(sqlite3.connect(partial)) as copy,
            ):
                # No waiting for the disk: what a crash tears does not fit its sum.
                copy.execute("PRAGMA synchronous=OFF")
                source.backup(copy)
            seal = Seal(_sum(partial), operations)
            partial.replace(self._folder / f"{seal.sha256}.sqlite3")
            text = json.dumps({"format": _FORMAT, "sha256": seal.sha256, "operations": operations})
            partial.write_text(text + "\n", encoding="utf-8")
            partial.replace(self._current)
            self._sweep(keep=seal)
        except (OSError, sqlite3.Error) as error:
            _log.warning("the index cannot be kept in %s: %s", self._folder, error)
            return None
        finally:
            partial.unlink(missing_ok=True)
        return seal

    def _read(self) -> Seal | None:
        try:
            value = json.loads(self._current.read_text(encoding="utf-8"))
            seal = Seal(value["sha256"], value["operations"])
            # The sum becomes a file name, so its shape matters.
            known = value["format"] == _FORMAT and type(seal.operations) is int
            if known and seal.operations >= 0 and _SHA256.fullmatch(seal.sha256):
                return seal
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            _log.debug("%s: %s", self._current, error)
        return None

    def _sweep(self, keep: Seal) -> None:
        for path in self._folder.iterdir():
            old = path.suffix == ".sqlite3" and path.stem != keep.sha256
            if (old or path.suffix == ".tmp") and path.is_file():
                path.unlink(missing_ok=True)


def private_folder() -> PrivateFolder:
    """Return a new folder for an index that is this process's alone."""
    return PrivateFolder(_temporary(), _PREFIX)


def _temporary() -> Path:
    # Chroma waits for the disk after every change. In memory that takes no time, and
    # nothing in these folders has to outlive the process.
    if "TMPDIR" not in os.environ and os.access(_MEMORY, os.W_OK | os.X_OK):
        status = os.statvfs(_MEMORY)
        if status.f_bavail * status.f_frsize >= _MEMORY_FREE:
            return _MEMORY
    return Path(tempfile.gettempdir())


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
