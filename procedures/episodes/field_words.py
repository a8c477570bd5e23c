"""Words of the texts of a field that are classes: with what each of its texts begins, or ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from .tokens import magnitude

__all__ = ["Place", "words_of_class", "words_told"]

Place = Literal["first", "last"]
"""Where in a text a word stands."""
_AT: Mapping[Place, int] = {"first": 0, "last": -1}
_MOST = 12
"""Words from which on they are no classes."""
_ONCE = 0.2
"""Share of the texts that may have a word that no other has."""
_TEXTS = 2
"""So many times as many texts as words there are: of what is a class itself no word is one."""


def words_of_class(texts: Mapping[str, int]) -> Iterator[Place]:
    """Yield the places in texts of a field where a word stands that is a class.

    It comes again in texts that differ in all else, and there are few of them.

    Args:
        texts: Text → how often it was told.
    """
    words = [text.split() for text in texts]
    if not words or any(len(each) < 2 for each in words):
        return
    for place, at in _AT.items():
        counts: dict[str, int] = {}
        for each in words:
            counts[each[at]] = counts.get(each[at], 0) + 1
        once = sum(number == 1 for number in counts.values())
        few = 1 < len(counts) <= _MOST and len(counts) * _TEXTS <= len(words)
        if few and once <= _ONCE * len(words) and all(map(_is_word, counts)):
            yield place


def words_told(
    fields: Mapping[str, str], words: Mapping[str, Sequence[Place]]
) -> Iterator[tuple[str, str]]:
    """Yield the words of fields that are classes, as fields of their own.

    Args:
        fields: Field → text.
        words: Field → where such a word stands.
    """
    for name, places in words.items():
        parts = fields.get(name, "").split()
        if len(parts) > 1:
            yield from ((f"{place} word of {name}", parts[_AT[place]]) for place in places)


def _is_word(text: str) -> bool:
    return text[0].isalpha() and text[-1].isalpha() and magnitude(text) is None
