"""Texts that are composed, as tokens: words, numbers, quoted texts and signs, with their gaps."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

_TOKEN = re.compile(
    r"""'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|[^\W\d]\w*|\d+(?:\.\d+)?\w*|[<>=!]+|[^\w\s]"""
)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+|\d+")


@dataclass(frozen=True, slots=True)
class Token:
    """One token.

    Attributes:
        text: As it is written.
        gap: Whether space stands before it.
    """

    text: str
    gap: bool

    @property
    def is_word(self) -> bool:
        """Whether it begins with a letter."""
        return self.text[:1].isalpha() or self.text[:1] == "_"

    @property
    def is_number(self) -> bool:
        """Whether it begins with a digit."""
        return self.text[:1].isdigit()

    @property
    def quoted(self) -> str | None:
        """What stands between quotes; None of any other token."""
        return self.text[1:-1] if self.text[:1] in "'\"" and len(self.text) > 1 else None


@lru_cache(50_000)
def text_tokens(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text, in order; signs at its end that part statements are left out."""
    tokens = [
        Token(match[0], match.start() > 0 and text[match.start() - 1].isspace())
        for match in _TOKEN.finditer(text)
    ]
    while tokens and tokens[-1].text in (";", "."):
        tokens.pop()
    return tuple(tokens)


def join(tokens: Iterable[Token]) -> str:
    """Write tokens as a text, with their gaps."""
    return "".join(f" {each.text}" if each.gap else each.text for each in tokens).strip()


@lru_cache(50_000)
def key_of(text: str) -> str:
    """Return a text as it is compared: without capitals, other gaps, and signs at its end."""
    return " ".join(each.text.replace('"', "'").casefold() for each in text_tokens(text))


@lru_cache(50_000)
def words_of_name(name: str) -> tuple[str, ...]:
    """Return the words of which a name is made, in small letters.

    >>> words_of_name("Song_release_year"), words_of_name("DestAirport")
    (('song', 'release', 'year'), ('dest', 'airport'))
    """
    return tuple(part.lower() for part in _PART.findall(name))
