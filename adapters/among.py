"""A part of an index: what is nearest to a text among the entries of one world."""

from __future__ import annotations

from collections.abc import Collection

from ..procedures.index.index_entries import Hit
from ..procedures.index.procedure_index import ProcedureIndex


class Among:
    """Finds what is nearest to a text among some entries of an index.

    Args:
        index: Holds more than these.
        ids: Of the entries.
    """

    def __init__(self, index: ProcedureIndex, ids: Collection[str]) -> None:
        self._index = index
        self._ids = ids

    def search(self, text: str, k: int, *, kind: str | None = None) -> list[Hit]:
        """Return the ``k`` entries most similar to ``text``, best first."""
        ask = k
        while True:
            hits = self._index.search(text, ask, kind=kind)
            matches = [hit for hit in hits if hit.id in self._ids]
            if len(matches) >= k or len(hits) < ask:
                return matches[:k]
            ask *= 4
