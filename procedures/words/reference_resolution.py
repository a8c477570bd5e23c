"""Resolve which of several entities a text names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ..common.text import words


def told_apart(entities: Iterable[str], text: str) -> set[str]:
    """Return the entities that a text distinguishes from most of the others.

    An entity's whole name distinguishes it, or else a word of it that few of the others have.

    >>> sorted(told_apart(["red lever", "blue lever", "key"], "The dial shows blue."))
    ['blue lever']
    """
    names = sorted(set(entities))
    text_words = set(words(text))
    padded_text = f" {' '.join(words(text))} "
    fully_named = {e for e in names if f" {' '.join(words(e))} " in padded_text}
    if fully_named:
        return fully_named
    common = Counter(word for entity in names for word in set(words(entity)))
    limit = max(1, len(names) // 3)
    return {e for e in names if any(w in text_words and common[w] <= limit for w in words(e))}
