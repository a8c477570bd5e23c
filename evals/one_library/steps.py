"""What a cell does: learn domains into a library, play one with it, ask its index.

python -m macla.evals.one_library.steps learn LIBRARY '["alfworld", "webshop"]' '["programs"]'
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

import numpy as np

from ...adapters.embeddings import DEFAULT_EMBEDDING
from ...adapters.session import LibrarySession
from ...procedures.library import Library
from ..teaching import teach
from .sources import Opened, source

__all__ = ["DEPTHS", "alone", "learned", "played", "recall"]

DEPTHS = (1, 4, 16)
"""Numbers of nearest entries that are looked at; the loop retrieves the last."""
_ROOM = 10_000
"""Capacity of the libraries: what is asked is not which procedures are pruned."""
_QUERIES = 2_000
"""Most tasks that the index is asked with."""
_EQUAL = 2e-6
"""Cosines that differ by less are equal: the index rounds them."""


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

    Goals that are equally near are equally right. Each kind is searched by itself, as the loop
    does; a library without one has no figure for it.

    Args:
        folder: The library.
        names: Of the domains.
        limit: Most tasks of each.
    """
    asked = [list(dict.fromkeys(each.task for each in source(n).lesson()))[:limit] for n in names]
    queries = [task for tasks in asked for task in tasks]
    Random(0).shuffle(queries)  # noqa: S311 (not cryptography)
    queries = queries[:_QUERIES]
    told: dict[str, Any] = {"queries": len(queries)}
    with LibrarySession.open(folder, read_only=True) as session:
        session.sync_index()
        library, embed = session.library, session.embeddings
        for kind, held in (("procedure", library.procedures), ("meta", library.metas)):
            goals = [each.goal for each in held.values()]
            if not goals or not queries:
                continue
            likeness = _unit(embed.embed_documents(queries)) @ _unit(embed.embed_documents(goals)).T
            found = [
                [hit.similarity for hit in session.index.search(query, max(DEPTHS), kind=kind)]
                for query in queries
            ]
            told[kind] = {"entries": len(goals)} | {
                str(k): _share_found(found, likeness, k) for k in DEPTHS
            }
    return told


def _share_found(found: Sequence[Sequence[float]], likeness: Any, k: int) -> float:
    """Return the share of the exactly nearest that was found."""
    k = min(k, int(likeness.shape[1]))
    least = np.sort(likeness, axis=1)[:, -k]
    hits = [
        sum(each >= bound - _EQUAL for each in near[:k])
        for near, bound in zip(found, least, strict=True)
    ]
    return float(sum(hits)) / (k * len(found))


def _unit(vectors: Any) -> Any:
    table = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    return table / np.where(lengths == 0.0, 1.0, lengths)


def main(arguments: Sequence[str]) -> None:
    """Do what the arguments say, and print what came of it."""
    verb, folder, names, *rest = arguments
    told: dict[str, Any]
    if verb == "learn":
        told = learned(folder, json.loads(names), json.loads(rest[0]))
    elif verb == "play":
        told = played(folder, json.loads(names), json.loads(rest[0]), int(rest[1]))
    elif verb == "alone":
        told = alone(folder, json.loads(names), json.loads(rest[0]), int(rest[1]))
    elif verb == "recall":
        told = recall(folder, json.loads(names), int(rest[0]))
    else:
        raise SystemExit(f"no {verb!r}; learn, play, alone or recall")
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1:])
