"""Find words of texts that are classes, the first or the last of a field, and sizes with units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from .tokens import magnitude

Place = Literal["first", "last", "size"]
"""Place of a word in a text; the size is what stands before a unit."""
_CLASSES: Mapping[Place, int] = {"first": 0, "last": -1}
_MOST_CLASSES = 12
"""Most different words that are classes; more are values."""
_MOST_SINGLE = 0.2
"""Greatest share of the texts with a word that no other text has."""
_TEXTS_PER_WORD = 2
"""Least texts per class word: if texts are classes themselves, their words are none."""


def words_of_class(texts: Mapping[str, int]) -> Iterator[Place]:
    """Yield the places in a field's texts that hold a class word.

    Class words are few, and each recurs in texts that differ otherwise. A last word that all sizes
    share is their unit.

    Args:
        texts: Text → number of occurrences.
    """
    words_by_text = [text.split() for text in texts]
    if not words_by_text or any(len(each) < 2 for each in words_by_text):
        return
    units = {each[-1] for each in words_by_text}
    are_sizes = all(len(each) == 2 and magnitude(each[0]) for each in words_by_text)
    if are_sizes and len(units) == 1 < len(texts) and not any(map(magnitude, (*units, *texts))):
        yield "size"
    for place, at in _CLASSES.items():
        text_count: dict[str, int] = {}
        for each in words_by_text:
            text_count[each[at]] = text_count.get(each[at], 0) + 1
        single_count = sum(number == 1 for number in text_count.values())
        is_small_set = 1 < len(text_count) <= _MOST_CLASSES and len(
            text_count
        ) * _TEXTS_PER_WORD <= len(words_by_text)
        if (
            is_small_set
            and single_count <= _MOST_SINGLE * len(words_by_text)
            and all(map(_is_word, text_count))
        ):
            yield place


def words_told(
    fields: Mapping[str, str], words: Mapping[str, Sequence[Place]]
) -> Iterator[tuple[str, str]]:
    """Yield the class words, and the sizes, of fields as fields of their own.

    Args:
        fields: Field → text.
        words: Field → places of its class words.
    """
    for name, places in words.items():
        parts = fields.get(name, "").split()
        for place in places if len(parts) > 1 else ():
            if place == "size":
                yield f"size of {name}", parts[0]
            else:
                yield f"{place} word of {name}", parts[_CLASSES[place]]


def _is_word(text: str) -> bool:
    return text[0].isalpha() and text[-1].isalpha() and magnitude(text) is None
