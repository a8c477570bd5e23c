"""How much of what exact search finds a library's index finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from ..adapters.session import LibrarySession
from .reports.figures import Table

__all__ = ["DEPTHS", "recall_of", "recall_table"]

DEPTHS: Final = (1, 4, 16)
"""Numbers of nearest entries that are looked at; the loop retrieves the last."""
_EQUAL = 2e-6
"""Cosines that differ by less are equal: the index rounds them."""


def recall_of(session: LibrarySession, queries: Sequence[str]) -> dict[str, Any]:
    """Compare what the index finds with exact search.

    Goals that are equally near are equally right. Each kind is searched by itself, as the loop
    does; a library without one has no figure for it.

    Args:
        session: The open library.
        queries: Tasks.
    """
    told: dict[str, Any] = {"queries": len(queries)}
    session.sync_index()
    library, embed = session.library, session.embeddings
    for kind, held in (("procedure", library.procedures), ("meta", library.metas)):
        goals = [each.goal for each in held.values()]
        if not goals or not queries:
            continue
        likeness = (
            _unit(embed.embed_documents(list(queries))) @ _unit(embed.embed_documents(goals)).T
        )
        found = [
            [hit.similarity for hit in session.index.search(query, max(DEPTHS), kind=kind)]
            for query in queries
        ]
        told[kind] = {"entries": len(goals)} | {
            str(k): _share_found(found, likeness, k) for k in DEPTHS
        }
    return told


def recall_table(found: Mapping[str, Any]) -> Table:
    """Return what :func:`recall_of` found as a table."""
    rows = tuple(
        (kind, str(told["entries"]), *(f"{told[str(k)]:.4f}" for k in DEPTHS))
        for kind in ("procedure", "meta")
        if (told := found.get(kind)) is not None
    )
    columns = ("kind", "entries", *(f"recall at {k}" for k in DEPTHS))
    return Table(f"The index against exact search, {found['queries']} tasks", columns, rows)


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
