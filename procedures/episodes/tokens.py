"""Words, numbers and signs of a text; nothing is changed in spelling."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

__all__ = ["Tokens", "has_digit", "magnitude", "occurs", "spans", "tokens"]

Tokens = tuple[str, ...]

_TOKEN = re.compile(r"\d+(?::\d+)+|\w+(?:[-.@'/]\w+)*%?|[^\w\s]")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?%?")
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_DAY_FIRST = re.compile(r"(\d\d?)\.(\d\d?)\.(\d{4})")
_CLOCK = re.compile(r"(\d\d?):(\d\d)(?::(\d\d))?")


@lru_cache(100_000)
def tokens(text: str) -> Tokens:
    """Return the words, numbers and signs of a text, in order."""
    return tuple(_TOKEN.findall(text))


def spans(text: str) -> list[tuple[int, int]]:
    """Return where the tokens of a text stand."""
    return [match.span() for match in _TOKEN.finditer(text)]


@lru_cache(100_000)
def has_digit(text: str) -> bool:
    """Whether a digit occurs in the text, as in numbers, dates and identifiers."""
    return any(character.isdigit() for character in text)


@lru_cache(100_000)
def magnitude(text: str) -> tuple[str, float] | None:
    """Return the type and size of what can be ordered, or None.

    Numbers, dates (year first, or day.month.year) and times of the day can be ordered; two sizes
    are comparable if their types are the same.
    """
    if _NUMBER.fullmatch(text):
        return "number", float(text.rstrip("%"))
    if match := _CLOCK.fullmatch(text):
        hours, minutes, seconds = (int(part or 0) for part in match.groups())
        return "time", hours * 3600.0 + minutes * 60.0 + seconds
    if match := _ISO.fullmatch(text):
        parts = tuple(int(part) for part in match.groups())
    elif match := _DAY_FIRST.fullmatch(text):
        parts = tuple(int(part) for part in reversed(match.groups()))
    else:
        return None
    try:
        return "date", float(date(*parts).toordinal())
    except ValueError:
        return None


@lru_cache(200_000)
def occurs(phrase: str, text: str) -> bool:
    """Whether a phrase stands in a text as whole words, spelled exactly so."""
    at = text.find(phrase) if phrase else -1
    while at >= 0:
        end = at + len(phrase)
        before, behind = text[at - 1 : at], text[end : end + 2]
        inside = before.isalnum() or (before in ("-", "_") and bool(before))
        joined = behind[:1].isalnum() or (
            behind[:1] in ("-", "_", ".", "/", "@") and behind[1:2].isalnum()
        )
        if not inside and not joined:
            return True
        at = text.find(phrase, at + 1)
    return False
