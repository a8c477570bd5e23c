"""Where a persistent index is kept between processes: sealed whole, then change by change.

Chroma's files may not be opened by two processes at once, and a garbled one may bring
the process down. So no process ever opens the kept files: a writer seals a copy of
Chroma's folder as one file, ``sealed``, which begins with the SHA-256 of its rest, and a
reader unpacks it into a private folder and checks that sum first. ``sealed`` is replaced
atomically: a reader sees the old index or the new one, never half of one.

Changes since are lines of ``changes``, each of one synchronisation and with a sum of its
own. Its first line names the sealed file that they follow, and what comes after the first
line that is cut off or garbled was never written. After :data:`CHANGES` entries the whole
is sealed anew.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import sqlite3
import tempfile
import uuid
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from filelock import FileLock, Timeout

from ..common.errors import IndexFailure
from ..local.machine_folder import make_parent
from ..local.private import PrivateFolder
from .index_changes import Change, change_in, line_of, sum_of

CHANGES = 500
"""Entries added and removed after which an index is sealed anew: opening it takes in each."""
_PARTIAL = re.compile(r"[0-9a-f]{32}\.tmp")

_DATABASE = "chroma.sqlite3"
_FORMAT = 2
"""Format of the sealed file; one of another format is built anew."""
_LOCK_SECONDS = 60.0
"""Seconds that a writer waits for another one."""
_SUM = 64
"""Characters of a SHA-256 in hexadecimal."""
_HEAD = 1 << 16
"""Bytes of the longest head of a sealed file; bounds the memory."""
_CHUNK = 1 << 20
"""Bytes that are read at once."""
_FILE = re.compile(r"chroma\.sqlite3|[\w-]+/\w[\w.-]*")
_PREFIX = "macla-index-"
_MEMORY = Path("/dev/shm")  # noqa: S108 (only unguessable folders are made in it)
_MEMORY_FREE = 48 * 2**20
"""Bytes that have to be free in memory, so that a folder is made there."""
_log = logging.getLogger(__name__)

Stamp = tuple[tuple[int, int, int] | None, ...]


@dataclass(frozen=True, slots=True)
class Seal:
    """The state of a kept index that was read, or written.

    Attributes:
        sha256: Sum of the sealed file.
        operations: Entries ever added to what is sealed.
        status: Mark of the sealed file on the disk.
        length: Bytes of ``changes`` that count.
        prefix: Their sum.
        changes: Entries that they add and remove.
    """

    sha256: str
    operations: int
    status: tuple[int, int, int] | None
    length: int = 0
    prefix: str = ""
    changes: int = 0


class SnapshotStore:
    """The folder of one persistent index; it needs not exist yet."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sealed = folder / "sealed"
        self._changes = folder / "changes"

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

    def stamp(self) -> Stamp | None:
        """Return a cheap mark that changes with the files, None where nothing is sealed."""
        sealed = _status(self._sealed)
        return None if sealed is None else (sealed, _status(self._changes))

    def size(self) -> int:
        """Return the bytes of the sealed file, 0 where there is none."""
        status = _status(self._sealed)
        return 0 if status is None else status[1]

    def fetch(self, target: Path) -> Seal | None:
        """Unpack what is sealed into a folder; None if it is missing or damaged.

        Changes since are not in it: see :meth:`since`.
        """
        try:
            with self._sealed.open("rb") as stream:
                status = os.fstat(stream.fileno())
                claimed_sum = stream.readline(_SUM + 1).decode("ascii").rstrip("\n")
                operations = _unpack(stream, claimed_sum, target)
            mark = (status.st_mtime_ns, status.st_size, status.st_ino)
            return Seal(claimed_sum, operations, mark)
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            _log.debug("%s: %s", self._sealed, error)
            return None

    def since(self, seal: Seal) -> tuple[Seal | None, list[Change]] | None:
        """Return the state of the files now, and the changes that lead to it.

        The state is None where a part of them is damaged: what was read goes on to hold,
        with the changes that can be read, and is to be sealed anew.

        Returns:
            None if another history is there, to be fetched from its beginning.
        """
        if seal.status is None or _status(self._sealed) != seal.status:
            return None
        try:
            data = self._changes.read_bytes()
        except OSError as error:
            _log.debug("%s: %s", self._changes, error)
            data = b""
        if seal.length and sum_of(data[: seal.length]) != seal.prefix:
            # A history that is whole was written by a process that never saw ours.
            state, changes = self._read(replace(seal, length=0, changes=0), data)
            return None if changes and state and state.length == len(data) else (None, [])
        return self._read(seal, data)

    def _read(self, seal: Seal, data: bytes) -> tuple[Seal | None, list[Change]]:
        first_line = _first_line(seal.sha256)
        if not data.startswith(first_line):  # it follows another sealed file
            return seal, []
        start = seal.length or len(first_line)
        changes: list[Change] = []
        while (end := data.find(b"\n", start)) >= 0:
            change = change_in(data[start:end])
            if change is None:
                return None, changes
            changes.append(change)
            start = end + 1
        size = seal.changes + sum(change.size for change in changes)
        return replace(seal, length=start, prefix=sum_of(data[:start]), changes=size), changes

    def append(self, seal: Seal, change: Change) -> Seal | None:
        """Add a change to a state that was read; the write lock must be held.

        Returns:
            None if it cannot be added: enough were, or the disk refused. Then all is to be
            sealed anew.
        """
        size = seal.changes + change.size
        if size > CHANGES:
            return None
        try:
            with self._changes.open("r+b" if seal.length else "w+b") as stream:
                data = stream.read(seal.length)
                if sum_of(data) != seal.prefix and seal.length:
                    return None
                line = line_of(change) if data else _first_line(seal.sha256) + line_of(change)
                stream.truncate(len(data))  # what a killed writer left does not count
                stream.seek(len(data))
                stream.write(line)
        except OSError as error:
            _log.warning("the index cannot be kept in %s: %s", self._folder, error)
            return None
        data += line
        return replace(seal, length=len(data), prefix=sum_of(data), changes=size)

    def publish(self, source: Path, operations: int) -> Seal | None:
        """Seal a copy of Chroma's folder; the write lock must be held.

        Returns:
            None if the disk refused, which costs the next process a rebuild, no more.
        """
        partial = self._folder / f"{uuid.uuid4().hex}.tmp"
        copy = source / f"{uuid.uuid4().hex}.copy"
        try:
            # SQLite's own backup: a consistent copy although Chroma has the file open.
            with (
                closing(sqlite3.connect(source / _DATABASE)) as live,
                closing(sqlite3.connect(copy)) as still,
            ):
                # No waiting for the disk: what a crash tears does not fit its sum.
                still.execute("PRAGMA synchronous=OFF")
                live.backup(still)
            files = {_DATABASE: copy}
            for path in sorted(source.glob("*/*")):
                files[path.relative_to(source).as_posix()] = path
            with partial.open("w+b") as stream:
                sha256 = _pack(stream, files, operations)
            partial.replace(self._sealed)
            self._changes.unlink(missing_ok=True)
            self._sweep()
        except (OSError, sqlite3.Error) as error:
            _log.warning("the index cannot be kept in %s: %s", self._folder, error)
            return None
        finally:
            partial.unlink(missing_ok=True)
            copy.unlink(missing_ok=True)
        return Seal(sha256, operations, _status(self._sealed))

    def _sweep(self) -> None:
        for path in self._folder.iterdir():
            if _PARTIAL.fullmatch(path.name) and path.is_file():
                path.unlink(missing_ok=True)


def private_folder(need: int) -> PrivateFolder:
    """Return a new folder for an index that is this process's alone.

    Args:
        need: Bytes that it will probably hold.
    """
    return PrivateFolder(_temporary(need), _PREFIX)


def _temporary(need: int) -> Path:
    # Chroma waits for the disk after every change. In memory that takes no time, and
    # nothing in these folders has to outlive the process.
    if "TMPDIR" not in os.environ and os.access(_MEMORY, os.W_OK | os.X_OK):
        status = os.statvfs(_MEMORY)
        if status.f_bavail * status.f_frsize >= max(_MEMORY_FREE, 2 * need):
            return _MEMORY
    return Path(tempfile.gettempdir())


def _status(path: Path) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


# -- the sealed file -------------------------------------------------------------------


def _pack(stream: IO[bytes], files: Mapping[str, Path], operations: int) -> str:
    sizes = {name: path.stat().st_size for name, path in files.items()}
    head = json.dumps({"format": _FORMAT, "operations": operations, "files": sizes})
    total = hashlib.sha256()
    stream.write(b"0" * _SUM + b"\n")
    for data in _contents(head, files):
        total.update(data)
        stream.write(data)
    stream.seek(0)
    stream.write(total.hexdigest().encode())
    return total.hexdigest()


def _contents(head: str, files: Mapping[str, Path]) -> Iterator[bytes]:
    yield head.encode() + b"\n"
    for path in files.values():
        with path.open("rb") as stream:
            while data := stream.read(_CHUNK):
                yield data


def _unpack(stream: IO[bytes], claimed_sum: str, target: Path) -> int:
    """Unpack into a folder; return the number of operations.

    Raises:
        ValueError: The sum or the form is not right; what was unpacked may not be used.
        OSError, TypeError, KeyError: Likewise.
    """
    total = hashlib.sha256()
    head = stream.readline(_HEAD)
    total.update(head)
    value = json.loads(head)
    operations, files = value["operations"], value["files"]
    if value["format"] != _FORMAT or type(operations) is not int or operations < 0:
        raise ValueError("another format")
    for name, size in files.items():
        # The sum is no signature, so what becomes a path has to have the shape of one.
        if not _FILE.fullmatch(name) or type(size) is not int:
            raise ValueError(f"a file {name!r}")
        path = target / name
        path.parent.mkdir(exist_ok=True)
        with path.open("wb") as out:
            while size > 0:
                data = stream.read(min(size, _CHUNK))
                if not data:
                    raise ValueError("cut off")
                total.update(data)
                out.write(data)
                size -= len(data)
    if stream.read(1) or total.hexdigest() != claimed_sum:
        raise ValueError("the sum does not fit")
    return operations


def _first_line(sha256: str) -> bytes:
    return f"{sha256}\n".encode()
