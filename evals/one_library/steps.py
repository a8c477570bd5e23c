"""What a cell does: learn domains into a library, play one with it, ask its index.

python -m macla.evals.one_library.steps learn LIBRARY '["alfworld", "webshop"]' '["programs"]'
python -m macla.evals.one_library.steps crowd LIBRARY 10
python -m macla.evals.one_library.steps play LIBRARY '["alfworld"]' '["programs"]' 40
python -m macla.evals.one_library.steps alone FOLDER '["alfworld"]' '["programs"]' 40
python -m macla.evals.one_library.steps recall LIBRARY '["alfworld"]' 40

Each prints a document of JSON.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

from ...adapters.embeddings import DEFAULT_EMBEDDING
from ...adapters.session import LibrarySession
from ...adapters.teaching.teaching import teach
from ...procedures.library.library import Library
from ..index_recall import recall_of
from ..selection.rival_library import rivals_of
from ..selection.worlds import KINDS, make_world
from .sources import Opened, source

__all__ = ["alone", "crowded", "learned", "played", "recall"]

_ROOM = 10_000
"""Capacity of the libraries: what is asked is not which procedures are pruned."""
_QUERIES = 2_000
"""Most tasks that the index is asked with."""


def learned(folder: str, names: Sequence[str], without: Sequence[str]) -> dict[str, Any]:
    """Learn domains into a new library, all at once, and say what is in it."""
    path = Path(folder)
    shutil.rmtree(path, ignore_errors=True)
    settings = {"capacity": {"procedures": _ROOM, "metas": _ROOM}}
    Library.create(path, domain="everything", embedding=DEFAULT_EMBEDDING, settings=settings)
    lesson = [shown for name in names for shown in source(name).lesson()]
    teach(path, lesson, domain="everything", without=without)
    library = Library.open(path)
    return {
        "demonstrations": len(lesson),
        "programs": sum(each.status == "active" for each in library.programs.values()),
        "procedures": len(library.procedures),
        "plans": len(library.metas),
    }


def crowded(folder: str, many: int) -> dict[str, Any]:
    """Add procedures for goals that no domain has: the rivals of :mod:`macla.evals.selection`.

    Args:
        folder: The library.
        many: How many worlds of each kind they come from.
    """
    library = Library.open(folder)
    library.write_all(rivals_of([make_world(kind, n, 1) for n in range(many) for kind in KINDS]))
    return {"procedures": len(library.procedures)}


def played(
    folder: str, names: Sequence[str], without: Sequence[str], limit: int
) -> dict[str, list[dict[str, Any]]]:
    """Play domains with a library; return domain → its episodes."""
    with LibrarySession.open(folder, read_only=True) as session:
        library = Opened(session, without)
        return {
            name: [asdict(each) for each in source(name).play(library, limit)] for name in names
        }


def alone(
    folder: str, names: Sequence[str], without: Sequence[str], limit: int
) -> dict[str, list[dict[str, Any]]]:
    """Learn each domain into a library of its own in a folder, and play it; as ``played``."""
    told: dict[str, list[dict[str, Any]]] = {}
    for number, name in enumerate(names):
        library = f"{folder}/{number}"
        learned(library, [name], without)
        told |= played(library, [name], without, limit)
    return told


def recall(folder: str, names: Sequence[str], limit: int) -> dict[str, Any]:
    """Compare what a library's index finds for the domains' demonstrated tasks with exact search.

    Args:
        folder: The library.
        names: Of the domains.
        limit: Most tasks of each.
    """
    asked = [list(dict.fromkeys(each.task for each in source(n).lesson()))[:limit] for n in names]
    queries = [task for tasks in asked for task in tasks]
    Random(0).shuffle(queries)  # noqa: S311 (not cryptography)
    queries = queries[:_QUERIES]
    with LibrarySession.open(folder, read_only=True) as session:
        return recall_of(session, queries)


def main(arguments: Sequence[str]) -> None:
    """Do what the arguments say, and print what came of it."""
    verb, folder, names, *rest = arguments
    told: dict[str, Any]
    if verb == "learn":
        told = learned(folder, json.loads(names), json.loads(rest[0]))
    elif verb == "crowd":
        told = crowded(folder, int(names))
    elif verb == "play":
        told = played(folder, json.loads(names), json.loads(rest[0]), int(rest[1]))
    elif verb == "alone":
        told = alone(folder, json.loads(names), json.loads(rest[0]), int(rest[1]))
    elif verb == "recall":
        told = recall(folder, json.loads(names), int(rest[0]))
    else:
        raise SystemExit(f"no {verb!r}; learn, crowd, play, alone or recall")
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1:])
