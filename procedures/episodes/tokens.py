"""Words, numbers and signs of a text, in their spelling."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from unicodedata import category

from .date_notations import NAMED_MONTHS, day_of

Tokens = tuple[str, ...]

_KANA = "\u3041-\u309f"
_KATAKANA = "\u30a0-\u30ff\u31f0-\u31ff"
_ALONE = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_STACKED = (
    "\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46"  # Thai
    "\u0e81-\u0eb0\u0eb2\u0eb3\u0ec0-\u0ec6\u1000-\u102a\u1780-\u17b3"  # Lao, Burmese, Khmer
)
_MARKS = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3"
)
_UNPARTED = f"{_KANA}{_KATAKANA}{_ALONE}{_STACKED}{_MARKS}"
"""Letters of scripts that put no blanks between words: Chinese, Japanese, Thai and others."""
_GLUED = re.compile(f"[{_UNPARTED}]")
_W = rf"[^\W{_UNPARTED}]"
"""A letter or figure of a script with blanks between words."""

WORD = re.compile(
    rf"{NAMED_MONTHS}|"
    r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?Z?(?![\w:]|\.\d)|"
    r"(?<![\d,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,])"
    r"|(?<![\d.])\d{1,3}(?:\.\d{3})*,\d\d?(?![\w,.-])"
    rf"|\d+(?::\d+)+|(?:(?<![^\s(=:,])-(?=\d))?{_W}+(?:[-.@/]{_W}+)*%?"
    # Where no blanks part words a letter is one, and so is a run of kana.
    rf"|[{_KANA}]+|[{_KATAKANA}]+|[{_ALONE}]|[{_STACKED}][{_MARKS}]*|\w|([^\w\s])\1*"
)
"""A word, a number with its separators, or a sign, repeated or not."""
_AROUND = ".,;:!?\"'()[]{}"
_QUOTED = re.compile(
    r"(?<!\w)'([^'\n]+)'(?!\w)|\"([^\"\n]+)\"|“([^”\n]+)”|„([^“\n]+)“|«([^»\n]+)»|`([^`\n]+)`"
    r"|(?<!\w)\u2018([^\u2019\n]+)\u2019(?!\w)"
)
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?%?")
_GROUPED = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_GROUPED_BY_DOTS = re.compile(r"[-+]?\d{1,3}(?:\.\d{3})+,\d+|[-+]?\d+,\d{1,2}")
_QUANTITY = re.compile(r"(\D*?)([-+]?\d(?:[\d.,]*\d)?)(\D*)")
_CLOCK = re.compile(r"(\d\d?):(\d\d)(?::(\d\d))?")
_MOMENT = re.compile(r"([^:]*\d)(?: |, |T)(\d\d?:\d\d(?::\d\d)?)Z?")


@lru_cache(100_000)
def tokens(text: str) -> Tokens:
    """Return the words, numbers and signs of a text, in order."""
    return tuple(match.group() for match in WORD.finditer(text))


def spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of a text's tokens."""
    return [match.span() for match in WORD.finditer(text)]


@lru_cache(100_000)
def has_digit(text: str) -> bool:
    """Tell whether a text has a digit, as numbers, dates and identifiers do."""
    return any(character.isdigit() for character in text)


@lru_cache(100_000)
def letters_of(phrase: str) -> str:
    """Return the letters and figures of a phrase, case-folded."""
    return "".join(filter(str.isalnum, phrase.casefold()))


@lru_cache(100_000)
def figure(text: str) -> Decimal | None:
    """Return a text's exact number, with or without groups of three digits, or None."""
    if _NUMBER.fullmatch(text):
        return Decimal(text.rstrip("%"))
    if _GROUPED.fullmatch(text):
        return Decimal(text.replace(",", ""))
    if _GROUPED_BY_DOTS.fullmatch(text):
        return Decimal(text.replace(".", "").replace(",", "."))
    return None


@lru_cache(100_000)
def magnitude(text: str) -> tuple[str, float] | None:
    """Return the type and size of an orderable value, or None.

    Orderable values are numbers (also in groups of three digits), dates (year-month-day,
    day.month.year, or with the month's name), times of the day, and moments (date and time). Two
    sizes are comparable if their types are the same.
    """
    number = figure(text)
    if number is not None:
        return "number", float(number)
    if match := _MOMENT.fullmatch(text):
        day, time = day_of(match[1]), magnitude(match[2])
        return ("moment", day * 86_400.0 + time[1]) if day is not None and time else None
    if match := _CLOCK.fullmatch(text):
        hours, minutes, seconds = (int(part or 0) for part in match.groups())
        return "time", hours * 3600.0 + minutes * 60.0 + seconds
    day = day_of(text)
    return None if day is None else ("date", float(day))


@lru_cache(100_000)
def quantity(text: str) -> tuple[str, float] | None:
    """Return the unit of a number, with ``#`` for it, and its size: ``4.4 kg``, ``€12``, or None.

    Letters before a number may begin an identifier, as in ``P7``, so that they are a unit only
    before a fraction (``EUR 4.40``), behind which nothing stands.
    """
    match = _QUANTITY.fullmatch(text)
    if match is None:
        return None
    before, written, behind = match.groups()
    number = figure(written)
    if number is None or bool(before) == bool(behind):
        return None
    if not all(map(_is_unit_sign, (before + behind).strip())):
        return None
    if any(map(str.isalpha, before)) and not (before[-1].isspace() and "." in str(number)):
        return None
    return f"{before}#{behind}", float(number)


def _is_unit_sign(sign: str) -> bool:
    return sign.isalpha() or sign in "%°/²³" or category(sign) == "Sc"


@lru_cache(200_000)
def is_cell(phrase: str, text: str) -> bool:
    """Tell whether a phrase of several words stands in a text between signs or ends of lines."""
    if " " not in phrase:
        return False
    at = text.find(phrase)
    while at >= 0:
        before = text[:at].rstrip(" ")[-1:]
        behind = text[at + len(phrase) :].lstrip(" ")[:1]
        if not before.isalnum() and not behind.isalnum():
            return True
        at = text.find(phrase, at + 1)
    return False


@lru_cache(200_000)
def occurs(phrase: str, text: str) -> bool:
    """Tell whether a phrase stands in a text as whole words, spelled exactly so."""
    at = text.find(phrase) if phrase else -1
    while at >= 0:
        end = at + len(phrase)
        before, behind = text[at - 1 : at], text[end : end + 2]
        inside = (before.isalnum() and not _is_boundary(text, at)) or before in ("-", "_")
        joined = (behind[:1].isalnum() and not _is_boundary(text, end)) or (
            behind[:1] in ("-", "_", ".", "/", "@") and behind[1:2].isalnum()
        )
        if not inside and not joined:
            return True
        at = text.find(phrase, at + 1)
    return False


PARTS = ("begins", "ends", "contains")
"""Places of a part within a value."""


def has_part(text: str, place: str, part: str) -> bool:
    """Tell whether a value begins with, ends with or contains another one as whole parts.

    Any character but letters and figures separates parts: ``web-7f9`` begins with ``web``,
    ``webui-7f9`` does not.

    Args:
        text: The value.
        place: One of ``PARTS``.
        part: The other value.
    """
    at = text.find(part) if part else -1
    while at >= 0:
        end = at + len(part)
        first, last = at == 0, end == len(text)
        is_bounded = (first or _is_boundary(text, at)) and (last or _is_boundary(text, end))
        if is_bounded and (place == "contains" or (first if place == "begins" else last)):
            return True
        at = text.find(part, at + 1)
    return False


def _is_boundary(text: str, at: int) -> bool:
    """Tell whether the characters before and at a place belong to two parts."""
    before, behind = text[at - 1], text[at]
    if not (before.isalnum() and behind.isalnum()):
        return True
    return not (before.isascii() and behind.isascii()) and (is_glued(before) or is_glued(behind))


def is_glued(text: str) -> bool:
    """Tell whether a text begins with a letter of a script without blanks between words."""
    return _GLUED.match(text) is not None


def quoted(text: str) -> list[str]:
    """Return the texts in quotation marks."""
    return [text[begin:end] for begin, end in quoted_spans(text)]


def quoted_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of the texts in quotation marks, without the marks."""
    return [match.span(match.lastindex or 0) for match in _QUOTED.finditer(text)]


def plain_words(text: str) -> list[str]:
    """Return the words between blanks, without the signs around them."""
    return [word for each in text.split() if (word := each.strip(_AROUND))]


@lru_cache(50_000)
def words_of(name: str) -> Tokens:
    """Return the words of a name, without its numbers."""
    return tuple(word for word in tokens(name) if word[0].isalpha())
