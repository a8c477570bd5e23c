"""Plain-text primitives: tokens, sentences, and what a word is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

CACHEABLE = 2_000
"""Characters of the longest text whose tokens are cached: a megabyte is not worth it."""
REMEMBERED = 8_192
"""Most texts of which a cache remembers what is in them. What comes up again does so soon, and an
agent that plays for days meets new texts all the time."""

_TOKEN = re.compile(r"[^\W\d_][\w'\-]*|\d+|[^\w\s]|_")
_CONSONANTS = "bcdfghjklmnpqrstvwxz"
# A capital and one or two consonants are no word: they are short for one, and a name follows.
_SHORTENED = "".join(rf"(?<!\b[A-Z]{f'[{_CONSONANTS}]' * n}\.)" for n in (1, 2))
_SENTENCE = re.compile(rf"(?<=[.!?]){_SHORTENED}\s+|\n+")


def counted(number: float, noun: str) -> str:
    """Return a number and a noun, in the plural where it takes one: ``1 time``, ``2.5 times``."""
    return f"{number:g} {noun}" if number == 1 else f"{number:g} {noun}s"


def tokens(text: str) -> tuple[str, ...]:
    """Split text into lower-case words, numbers and single punctuation marks."""
    return _short_tokens(text) if len(text) <= CACHEABLE else _tokens(text)


def _tokens(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(text.lower()))


def first_token(text: str) -> str:
    """Return the first token of a lower-case text, or an empty text."""
    match = _TOKEN.search(text)
    return match[0] if match else ""


def token_spans(text: str) -> list[tuple[int, int]]:
    """Return where the tokens of a lower-case text stand, as (start, end)."""
    return [match.span() for match in _TOKEN.finditer(text)]


def sentences(text: str) -> tuple[str, ...]:
    """Split text at sentence ends and line breaks; white space inside is folded.

    A full stop after what is short for a word ends no sentence.

    >>> sentences("Mr. Hill nods. You see a TV. It is on.")
    ('Mr. Hill nods.', 'You see a TV.', 'It is on.')
    """
    return _short_sentences(text) if len(text) <= CACHEABLE else _sentences(text)


def _sentences(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(fold_space, _SENTENCE.split(text))))


_short_tokens = lru_cache(maxsize=REMEMBERED)(_tokens)
_short_sentences = lru_cache(maxsize=REMEMBERED)(_sentences)


def words(text: str) -> tuple[str, ...]:
    """Return the tokens that are words or numbers, in order."""
    return tuple(token for token in tokens(text) if token[0].isalnum())


def speaks_of(kind: str, wanted: str, usual: Iterable[str] | None = None) -> bool:
    """Tell whether a kind is the one wanted, or has that word and else what usual kinds have.

    >>> speaks_of("elm boards", "elm", ["oak boards"])
    True
    >>> speaks_of("elm log", "elm", ["oak boards"])
    False
    """
    if kind == wanted:
        return True
    if f" {wanted} " not in f" {kind} ":
        return False
    rest = set(kind.split()) - set(wanted.split())
    return usual is None or any(rest <= set(each.split()) for each in usual)


@lru_cache(maxsize=4096)
def phrase_pattern(phrase: str) -> re.Pattern[str]:
    """Return what finds a phrase in text as whole words, in capitals or not."""
    return re.compile(rf"(?<![\w\-]){re.escape(phrase)}(?![\w\-])", re.IGNORECASE)


def mentions(text: str, phrase: str) -> bool:
    """Tell whether a text holds a phrase as whole words."""
    return phrase_pattern(phrase).search(text) is not None


def is_number(token: str) -> bool:
    """Tell whether a token is written in digits."""
    return token.isdigit()


def fold_space(text: str) -> str:
    """Fold white space, so that two spellings of one action compare equal."""
    return " ".join(text.split())
