"""Versions that learning replaced outside git, where neither a commit nor a record has them.

The latest of them stand in ``.macla/replaced.jsonl``, beside the evidence of how well they did.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from ..library import LOCK_TIMEOUT, Library
from ..library_commit import locked
from ..model import MetaProcedure, Procedure
from ..yaml_io import atomic_write
from .model import Document

__all__ = ["keep_replaced", "replaced"]

_FILE = "replaced.jsonl"
_KEPT = 10
"""Versions of one procedure or plan that are kept."""
_MOST = 500
"""Versions that are kept in all."""


def keep_replaced(library: Library, items: Iterable[Procedure | MetaProcedure]) -> None:
    """Keep versions that are about to be replaced; the oldest go where there are too many."""
    new = [item.to_document() for item in items]
    if not new:
        return
    with locked(library.path, LOCK_TIMEOUT):
        again = {(d["id"], d["version"]) for d in new}
        known = [d for d in _read(library) if (d["id"], d["version"]) not in again]
        left: list[Document] = []
        counts: dict[str, int] = {}
        for document in reversed([*known, *new]):
            counts[document["id"]] = counts.get(document["id"], 0) + 1
            if counts[document["id"]] <= _KEPT and len(left) < _MOST:
                left.append(document)
        lines = (json.dumps(each, ensure_ascii=False) + "\n" for each in reversed(left))
        atomic_write(library.path / ".macla" / _FILE, "".join(lines).encode())


def replaced(library: Library, name: str) -> list[Document]:
    """Return the versions of a procedure or plan that learning replaced, oldest first."""
    return [document for document in _read(library) if document["id"] == name]


def _read(library: Library) -> Sequence[Document]:
    file = library.path / ".macla" / _FILE
    if not file.exists():
        return []
    try:
        found = [json.loads(line) for line in file.read_bytes().splitlines()]
        return [each for each in found if each["id"] and each["version"]]
    except (ValueError, TypeError, KeyError):
        return []  # nothing but a way back is lost
