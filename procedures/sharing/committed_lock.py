"""The lock file of git's last commit, for one that is missing, cut off or edited by hand.

A clone has no other source of its evidence, of where versions come from and of what was rejected.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ..common.errors import GitError
from ..local.safe_git import Git
from .lock_file import LOCK, LockFile, is_missing, read_lock


def known_lock(root: Path) -> LockFile | None:
    """Return what a library's lock file says, and what it lost of the one that is committed.

    Raises:
        LibraryError: As :func:`.lock_file.read_lock` does.
    """
    lock = read_lock(root)
    if not (is_missing(root) if lock is None else lock.is_damaged):
        return lock
    try:
        committed = Git(root).run("cat-file", "blob", f"HEAD:./{LOCK}")
    except GitError:
        return lock  # no repository, or none of its commits has it
    before = lock or LockFile()
    known = LockFile.of(before.to_bytes() + committed)
    return replace(known, faults=before.faults, is_cut=before.is_cut)
