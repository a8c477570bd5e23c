"""Which of several things does a text speak of?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ..common.text import words

__all__ = ["told_apart"]


def told_apart(entities: Iterable[str], text: str) -> set[str]:
    """Return the entities of which a text holds what tells them from most of the others.

    A thing is told by its whole name, or by a word of it that few of the others have.

    >>> sorted(told_apart(["red lever", "blue lever", "key"], "The dial shows blue."))
    ['blue lever']
    """
    listed = sorted(set(entities))
    said = set(words(text))
    whole = f" {' '.join(words(text))} "
    named = {e for e in listed if f" {' '.join(words(e))} " in whole}
    if named:
        return named
    common = Counter(word for entity in listed for word in set(words(entity)))
    most = max(1, len(listed) // 3)
    return {e for e in listed if any(w in said and common[w] <= most for w in words(e))}
