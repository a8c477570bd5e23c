"""What an index holds and finds, free of Chroma."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from .errors import IndexFailure

__all__ = ["Embedder", "Hit", "IndexEntry", "digest_of", "hit_of", "keyed", "name_of"]

# Distances are 32-bit floats: digits beyond these are rounding, and would break ties.
_DIGITS = 6


class Embedder(Protocol):
    """What the index needs of embeddings; LangChain's ``Embeddings`` has it."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector for each text."""
        ...

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a text to search for."""
        ...


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One thing to find.

    Attributes:
        id: Its name, unique within its kind and version.
        kind: Such as ``procedure`` or ``meta``; without colon.
        version: Its version.
        text: What is embedded.
        content_hash: Hash of the file that it stands for.
    """

    id: str
    kind: str
    version: int
    text: str
    content_hash: str


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing found; ``similarity`` is the cosine, in [-1, 1]."""

    id: str
    kind: str
    version: int
    similarity: float


def _key(entry: IndexEntry) -> str:
    return f"{entry.kind}:{entry.id}@{entry.version}"


def hit_of(key: str, distance: float) -> Hit:
    """Read a key and Chroma's cosine distance."""
    kind, _, rest = key.partition(":")
    name, _, version = rest.rpartition("@")
    similarity = round(1.0 - float(distance), _DIGITS)
    return Hit(name, kind, int(version), min(1.0, max(-1.0, similarity)))


def digest_of(entry: IndexEntry) -> str:
    """Return what tells a changed entry from an unchanged one."""
    # The text too: another macla may word it differently for the same file.
    text = f"{entry.content_hash}\0{entry.text}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()


def keyed(entries: Sequence[IndexEntry]) -> dict[str, IndexEntry]:
    """Return entries by key, ``kind:id@version``.

    Raises:
        IndexFailure: A key cannot be read back, or is there twice.
    """
    found: dict[str, IndexEntry] = {}
    for entry in entries:
        key = _key(entry)
        if ":" in entry.kind or not entry.kind or not entry.id:
            raise IndexFailure(
                f"{key!r} cannot be indexed: kinds and ids are not empty, kinds have no colon"
            )
        if key in found:
            raise IndexFailure(
                f"{entry.kind} {entry.id!r} version {entry.version} was given twice; ids must be "
                "unique in a library"
            )
        found[key] = entry
    return found


def name_of(embeddings: Embedder) -> str:
    """Return what tells the vectors of one model from those of another."""
    name = getattr(embeddings, "name", None)
    if isinstance(name, str) and name:
        return name
    kind = type(embeddings)
    return f"{kind.__module__}.{kind.__qualname__}:{getattr(embeddings, 'model', '')}"
