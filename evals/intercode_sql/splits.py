"""Splits: which tasks are played, and which must not be learned from when they are.

``own`` is for tasks that were demonstrated, played again. ``gold`` holds tasks whose right query
no other part of the data has, so that paraphrases of one question never stand on both sides.
``db`` holds whole databases. A file holds anything, in the format of ``tasks.json``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from ...adapters.missing_split import no_file
from ...procedures.common.errors import DataError
from .tasks import SqlTask, read_tasks

__all__ = ["HELD_DATABASES", "SPLITS", "allowed", "split_tasks"]

SPLITS = ("own", "gold", "db")
HELD_DATABASES = ("concert_singer", "museum_visit", "tvshow", "voter_1", "wta_1")
"""Databases of the split ``db``: 184 of the 796 tasks."""
_GOLD_SHARE = 5
"""One right query of so many is in the split ``gold``."""


def split_tasks(name: str, tasks: Sequence[SqlTask], folder: Path) -> list[SqlTask]:
    """Return the tasks of a split; for ``own`` all, of which only those demonstrated are meant.

    Args:
        name: One of :data:`SPLITS`, or a file, also below ``folder``.
        tasks: All tasks.
        folder: Where relative files may lie.

    Raises:
        DataError: There is no such split or file, or it is no list of tasks.
    """
    if name == "own":
        return list(tasks)
    if name == "gold":
        return [task for task in tasks if _draw(task.gold_key) == 0]
    if name == "db":
        return [task for task in tasks if task.database in HELD_DATABASES]
    file = Path(name).expanduser()
    if not file.is_file() and not (folder / name).is_file():
        raise DataError(
            f"no split {name[:200]!r}; choose {', '.join(SPLITS)}, or name a JSON file with tasks "
            f"in the format of tasks.json{no_file(name)}"
        )
    return read_tasks(file if file.is_file() else folder / name)


def allowed(
    tasks: Iterable[SqlTask], held: Iterable[SqlTask], databases: Iterable[str] = ()
) -> list[SqlTask]:
    """Return the tasks that may be learned from.

    Args:
        tasks: All.
        held: Tasks to be played: neither they nor paraphrases of them remain.
        databases: None of their tasks remains either.
    """
    golds, left_out = {task.gold_key for task in held}, {name.lower() for name in databases}
    return [t for t in tasks if t.gold_key not in golds and t.database not in left_out]


def _draw(key: str) -> int:
    """Return a number below :data:`_GOLD_SHARE` that depends on the text alone."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") % _GOLD_SHARE
