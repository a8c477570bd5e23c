"""The shop's search engine: BM25 as Lucene computes it.

Sources: S. Robertson and H. Zaragoza, The Probabilistic Relevance Framework, 2009; Lucene's
BM25Similarity (which keeps a document's length in one byte); Anserini's defaults k1 and b.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from .catalogue import Product
from .text_analysis import analyze

__all__ = ["MOST_HITS", "SearchEngine"]

MOST_HITS = 50
_LONGEST = 20_000
"""Letters of a text that are looked for."""
_K1 = np.float32(0.9)
_B = np.float32(0.4)
_EXACT_LENGTHS = 24
"""Lengths below this are kept exactly in Lucene's byte."""

_Floats = npt.NDArray[np.float32]
_Indices = npt.NDArray[np.int64]


class SearchEngine:
    """An index of products.

    Args:
        products: The catalogue, at least one product.
    """

    def __init__(self, products: Sequence[Product]) -> None:
        # Of equal scores the lower id comes first, so documents are numbered by id.
        self._products = sorted(products, key=lambda product: product.id)
        counts = [Counter(analyze(_document(product))) for product in self._products]
        lengths = [count.total() for count in counts]
        mean = np.float32(max(sum(lengths), 1) / max(sum(map(bool, lengths)), 1))
        kept = np.array([_kept_length(length) for length in lengths], dtype=np.float32)
        self._norms: _Floats = 1 / (_K1 * ((1 - _B) + _B * kept / mean))
        self._postings = _postings(counts)

    def search(self, text: str) -> list[Product]:
        """Return at most :data:`MOST_HITS` products that share a word with a text, best first.

        Of a text only the beginning counts: Lucene takes no query of more than 1,024 words.
        """
        scores = np.zeros(len(self._products), dtype=np.float64)
        for term, count in Counter(analyze(text[:_LONGEST])).items():
            if (posting := self._postings.get(term)) is not None:
                scores[posting[0]] += self._scores(*posting, count)
        rounded = scores.astype(np.float32)
        hits = np.flatnonzero(rounded)
        # A stable sort keeps equal scores in the order of ids.
        best = hits[np.argsort(-rounded[hits], kind="stable")][:MOST_HITS]
        return [self._products[index] for index in best]

    def _scores(self, documents: _Indices, frequencies: _Floats, count: int) -> _Floats:
        among, number = len(documents), len(self._products)
        idf = np.float32(math.log(1 + (number - among + 0.5) / (among + 0.5)))
        weight = np.float32(count) * idf
        scores: _Floats = weight - weight / (1 + frequencies * self._norms[documents])
        return scores


def _document(product: Product) -> str:
    """Return what is searched of a product: title, description, first bullet, options."""
    options = ", and ".join(
        f"{heading}: {', '.join(values)}" for heading, values in product.options.items()
    )
    first = product.bullets[0] if product.bullets else ""
    return " ".join((product.title, product.description, first, options)).lower()


def _postings(counts: Iterable[Counter[str]]) -> dict[str, tuple[_Indices, _Floats]]:
    """Return term → numbers of the documents that have it, and how often each has."""
    entries: dict[str, list[tuple[int, int]]] = {}
    for index, count in enumerate(counts):
        for term, frequency in count.items():
            entries.setdefault(term, []).append((index, frequency))
    return {
        term: (
            np.array([index for index, _ in found], dtype=np.int64),
            np.array([frequency for _, frequency in found], dtype=np.float32),
        )
        for term, found in entries.items()
    }


def _kept_length(length: int) -> int:
    """Return a length as it comes back from Lucene's byte: four bits and an exponent."""
    if length < _EXACT_LENGTHS:
        return length
    rest = length - _EXACT_LENGTHS
    shift = max(rest.bit_length() - 4, 0)
    return _EXACT_LENGTHS + (rest >> shift << shift)
