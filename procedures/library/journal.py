"""A journal of the contents of a library's files before they are changed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import TypeAlias

Before: TypeAlias = dict[str, bytes | None]
"""Name below the library's folder → what stood there; None where there was no file."""

PENDING = "undo-"
"""Prefix of folders in ``.macla`` in which a command keeps what an undo needs."""

_open: ContextVar[tuple[Path, Before] | None] = ContextVar("macla_journal", default=None)


@contextlib.contextmanager
def recorded(root: Path) -> Iterator[Before]:
    """Yield what stood in the files of a library that are changed from here on, as it grows.

    Args:
        root: The library's folder.
    """
    before: Before = {}
    token = _open.set((root.resolve(), before))
    try:
        yield before
    finally:
        _open.reset(token)


def note_before(root: Path, names: Iterable[str]) -> None:
    """Note what stands in files that are about to be changed; the first note of a file counts.

    Args:
        root: The library's folder.
        names: Names below it, with forward slashes.
    """
    journal = _open.get()
    if journal is None or journal[0] != root.resolve():
        return
    for name in names:
        if name not in journal[1]:
            file = root / name
            journal[1][name] = file.read_bytes() if file.is_file() else None
