"""Plain-text primitives: tokens, sentences, and what a word is."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["is_number", "normalise", "sentences", "tokens", "words"]

_TOKEN = re.compile(r"[^\W\d_][\w'\-]*|\d+|[^\w\s]|_")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_SPACE = re.compile(r"\s+")


@lru_cache(maxsize=65536)
def tokens(text: str) -> tuple[str, ...]:
    """Split text into lower-case words, numbers and single punctuation marks."""
    return tuple(_TOKEN.findall(text.lower()))


@lru_cache(maxsize=65536)
def sentences(text: str) -> tuple[str, ...]:
    """Split text at sentence ends and line breaks; white space inside is folded."""
    parts = (_SPACE.sub(" ", part).strip() for part in _SENTENCE.split(text))
    return tuple(part for part in parts if part)


def words(text: str) -> tuple[str, ...]:
    """Return the tokens that are words or numbers, in order."""
    return tuple(token for token in tokens(text) if token[0].isalnum())


def is_number(token: str) -> bool:
    """Tell whether a token is written in digits."""
    return token.isdigit()


def normalise(text: str) -> str:
    """Fold white space, so that two spellings of one action compare equal."""
    return _SPACE.sub(" ", text).strip()
