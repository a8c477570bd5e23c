"""Similarity of short texts by an embedding, with cached vectors."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

_MOST_VECTORS = 20_000
"""Most cached vectors: about ten megabytes at 128 dimensions."""
_MOST_PAIRS = 50_000
"""Most cached similarities; it bounds memory."""


class Embedder(Protocol):
    """The part of LangChain's ``Embeddings`` that similarity uses."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed texts, one vector each."""
        ...

    def embed_query(self, text: str) -> list[float]:
        """Embed one text."""
        ...


class TextSimilarity:
    """Cosine similarity of two texts, in [-1, 1]; 0 where a text has no vector."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._pairs: dict[tuple[str, str], float] = {}

    def __call__(self, first: str, second: str) -> float:
        """Return the similarity of two texts."""
        key = (first, second) if first <= second else (second, first)
        value = self._pairs.get(key)
        if value is None:
            value = float(self.vector(first) @ self.vector(second))
            if len(self._pairs) >= _MOST_PAIRS:
                self._pairs.clear()
            self._pairs[key] = value
        return value

    def vector(self, text: str) -> NDArray[np.float32]:
        """Return the unit vector of a text (or zeros)."""
        unit_vector = self._vectors.get(text)
        if unit_vector is None:
            raw = np.asarray(self._embedder.embed_query(text), dtype=np.float32)
            norm = float(np.linalg.norm(raw))
            unit_vector = raw / norm if norm > 0 else raw
            if len(self._vectors) >= _MOST_VECTORS:
                self._vectors.clear()
            self._vectors[text] = unit_vector
        return unit_vector


class ExactSimilarity(TextSimilarity):
    """Similarity without an embedding: 1 for equal texts, else 0."""

    def __init__(self) -> None:
        pass

    def __call__(self, first: str, second: str) -> float:
        """Return 1 for two equal texts, else 0."""
        return float(first == second)

    def vector(self, text: str) -> NDArray[np.float32]:
        """Return the zero vector."""
        return np.zeros(1, dtype=np.float32)
