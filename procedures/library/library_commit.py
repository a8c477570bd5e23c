"""Changing several files of a library as one: after a crash, all of them or none.

New files are first written to a staging folder inside ``.macla``. Renaming that folder
to ``commit`` is the moment from which the change counts; then the files are moved to
their places. Whoever next opens or writes the library after a crash finishes the move.
All of this happens under the library's lock.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from filelock import FileLock, Timeout

from ..common.errors import LibraryError, LockError, reason
from ..documents.yaml_io import atomic_write
from ..local.machine_folder import DECIDED, is_fresh, local_folder, local_path
from ..local.private import remove_abandoned
from ..local.regular import open_regular
from ..local.replacing import TEMPORARY, remove_if_abandoned, sync_folder
from .document_kinds import FOLDERS
from .journal import PENDING, note_before

_FOLDERS = (*FOLDERS.values(), "proposals")
_DELETIONS = "deletions.json"
_WRITERS = 8
"""Files that are written at the same time."""
_POLL = 0.003
"""How often a waiting writer tries again (seconds)."""
_tidy: dict[Path, tuple[int, int]] = {}
"""Folder → its stamp when nothing was left in it."""


def refuse_link(folder: Path) -> None:
    """Refuse a folder of a library that is a link.

    Raises:
        LibraryError: It is one.
    """
    if os.path.islink(folder):
        raise LibraryError(
            "is a link: it leads out of the library, or twice into it",
            file=folder,
            hint="put the folder itself there",
        )


@contextlib.contextmanager
def locked(root: Path, timeout: float) -> Iterator[None]:
    """Hold the library's lock, and finish what a crashed writer left.

    The lock belongs to the process: the system frees it when the process ends, however
    it ends, so a lock file that is left over means nothing.

    Raises:
        LockError: Another process holds it for longer than ``timeout`` seconds.
        LibraryError: The folder cannot be written, has links for folders, or its machine-local
            files may not be believed.
    """
    # Before anything is recovered, cleaned or written through one.
    for name in _FOLDERS:
        refuse_link(root / name)
    try:
        local = local_folder(root)
        lock = FileLock(local / "lock")
        # Who waits holds the turnstile, so that a busy writer cannot overtake for ever.
        until = time.monotonic() + timeout
        with FileLock(local / "turnstile").acquire(timeout, poll_interval=_POLL):
            lock.acquire(max(0.0, until - time.monotonic()), poll_interval=_POLL)
    except Timeout:
        raise LockError(
            f"is being written by another process for more than {timeout:g} seconds",
            file=root,
            hint="wait for it to end, or stop it; the lock is freed when it ends",
        ) from None
    except OSError as error:
        raise LibraryError(f"cannot be locked: {reason(error)}", file=root) from error
    try:
        recover(root)
        yield
    finally:
        lock.release()


def interrupted(root: Path) -> bool:
    """Say whether a change is under way, or was left half moved by a crash.

    Raises:
        LibraryError: The machine-local files may not be believed.
    """
    return local_path(root, "commit").is_dir()


def generation(root: Path) -> bytes:
    """Return a mark that differs after every change of several files."""
    try:
        with open_regular(local_path(root, "generation")) as stream:
            return stream.read()
    except OSError:
        return b""


def commit(root: Path, files: Mapping[str, bytes], deletions: Sequence[str] = ()) -> None:
    """Write and remove files as one change; the caller holds the lock.

    Args:
        root: The library's folder.
        files: Name below the root → content.
        deletions: Names below the root to remove.

    Raises:
        LibraryError: The folder cannot be written; nothing is changed then.
    """
    if not files and not deletions:
        return
    note_before(root, (*files, *deletions))
    try:
        if len(files) == 1 and not deletions:
            ((name, data),) = files.items()
            target = root / name
            target.parent.mkdir(exist_ok=True)
            atomic_write(target, data)
            _note_tidy(target.parent)
            return
        _stage(root, files, deletions)
    except OSError as error:
        raise LibraryError(f"cannot be written: {reason(error)}", file=root) from error
    recover(root)


def _stage(root: Path, files: Mapping[str, bytes], deletions: Sequence[str]) -> None:
    local = local_folder(root)
    staging = local / f"staging-{secrets.token_hex(6)}"
    staging.mkdir()
    try:
        folders = {staging}
        contents = {**files, _DELETIONS: json.dumps(list(deletions)).encode()}
        for folder in {(staging / name).parent for name in contents} - folders:
            folder.mkdir()
            folders.add(folder)
        with ThreadPoolExecutor(_WRITERS) as pool:
            # Side by side, because a disk makes many files durable as fast as one.
            list(
                pool.map(lambda item: _write_durably(staging / item[0], item[1]), contents.items())
            )
        for folder in folders:
            sync_folder(folder)
        os.rename(staging, local / "commit")
        sync_folder(local)
    except BaseException:
        shutil.rmtree(staging, ignore_errors=True)
        raise


def _write_durably(path: Path, data: bytes) -> None:
    with path.open("xb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def recover(root: Path) -> None:
    """Finish a change that counts, and throw away what never came to count."""
    local = local_folder(root)
    try:
        _clean(root, local)
        staged = local / "commit"
        if not staged.is_dir():
            return
        # Readers compare this before and after, so that none takes half of a change.
        atomic_write(local / "generation", secrets.token_hex(8).encode())
        deletions = _deletions(staged)
        for folder in (".", *_FOLDERS):
            _move(staged / folder, root / folder)
        for name in deletions:
            (root / name).unlink(missing_ok=True)
        for touched in (root, *(root / folder for folder in _FOLDERS)):
            if touched.is_dir():
                sync_folder(touched)
                _note_tidy(touched)
        shutil.rmtree(staged)
    except OSError as error:
        raise LibraryError(
            f"a change that was interrupted cannot be finished: {reason(error)}",
            file=root,
            hint="make the folder writable and try again",
        ) from error
    except ValueError as error:
        raise LibraryError(
            "what is left of an interrupted change cannot be read",
            file=local / "commit" / _DELETIONS,
            hint="look at the files beside it, and remove that folder",
        ) from error


def _deletions(staged: Path) -> list[str]:
    """Return what a change removes; its list is gone when all that is left is to tidy up."""
    try:
        names = json.loads((staged / _DELETIONS).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    # The names come from a file: only plain names in the folders may be removed.
    plain = re.compile(rf"(?:{'|'.join(_FOLDERS)})/[a-z0-9][a-z0-9._-]*\.yaml")
    return [name for name in names if isinstance(name, str) and plain.fullmatch(name)]


def _move(source: Path, target: Path) -> None:
    if not source.is_dir():
        return
    target.mkdir(exist_ok=True)
    for entry in sorted(os.scandir(source), key=lambda item: item.name):
        if entry.name.endswith(".yaml") and entry.is_file(follow_symlinks=False):
            os.replace(entry.path, target / entry.name)


def _clean(root: Path, local: Path) -> None:
    """Remove temporary files and folders whose makers are gone."""
    remove_abandoned(local, PENDING)
    folders = (root, *(root / folder for folder in _FOLDERS), local, local / DECIDED)
    for folder in folders:
        if not folder.is_dir() or _tidy.get(folder) == _stamp(folder):
            continue
        _note_tidy(folder)  # before: what is put there meanwhile changes it
        for entry in list(os.scandir(folder)):
            if TEMPORARY.fullmatch(entry.name):
                remove_if_abandoned(Path(entry.path))
            elif (folder == local and entry.name.startswith("staging-")) or (
                folder == root and is_fresh(Path(entry.path))
            ):
                shutil.rmtree(entry.path, ignore_errors=True)


def _note_tidy(folder: Path) -> None:
    """Note that nothing is left in a folder as it is now; the lock is held."""
    _tidy[folder] = _stamp(folder)


def _stamp(folder: Path) -> tuple[int, int]:
    status = folder.stat()
    return status.st_mtime_ns, status.st_ino
