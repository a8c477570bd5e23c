"""Notations of dates: how one is read, and written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from functools import lru_cache

__all__ = ["NAMED_MONTHS", "NOTATIONS", "day_of", "days_of", "written_date"]

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_SHORT = tuple(name[:3] for name in _MONTHS)
_MONTH = "|".join((*_MONTHS, *(name for name in _SHORT if name not in _MONTHS)))
NAMED_MONTHS = rf"\d{{1,2}}\.? (?:{_MONTH})\.? \d{{4}}\b|(?:{_MONTH})\.? \d{{1,2}}, \d{{4}}\b"
"""Dates that name the month, as one word of a text."""
NOTATIONS = (
    "YYYY-MM-DD",
    "DD.MM.YYYY",
    "D.M.YYYY",
    "DD/MM/YYYY",
    "MM/DD/YYYY",
    "D/M/YYYY",
    "M/D/YYYY",
    "YYYY/MM/DD",
    "YYYYMMDD",
    "DD-MM-YYYY",
    "DD.MM.YY",
    "D Month YYYY",
    "D. Month YYYY",
    "Month D, YYYY",
    "D Mon YYYY",
    "Mon D, YYYY",
)
_PLAIN = ("YYYY-MM-DD", "D.M.YYYY", *(each for each in NOTATIONS if "Mon" in each))
"""Notations in which a text can be nothing but this one day: no number, and no month first."""
_PART = re.compile(r"YYYY|YY|Month|Mon|MM|DD|M|D")
_PATTERNS = {
    "YYYY": r"(?P<year>\d{4})",
    "YY": r"(?P<short>\d\d)",
    "MM": r"(?P<month>\d\d)",
    "M": r"(?P<month>\d{1,2})",
    "DD": r"(?P<day>\d\d)",
    "D": r"(?P<day>\d{1,2})",
    "Month": rf"(?P<name>{'|'.join(_MONTHS)})",
    "Mon": rf"(?P<name>{'|'.join(_SHORT)})",
}


@lru_cache(len(NOTATIONS))
def _pattern(notation: str) -> re.Pattern[str]:
    out, end = "", 0
    for match in _PART.finditer(notation):
        out += re.escape(notation[end : match.start()]) + _PATTERNS[match[0]]
        end = match.end()
    return re.compile(out + re.escape(notation[end:]))


@lru_cache(10_000)
def _read(text: str, notation: str) -> date | None:
    match = _pattern(notation).fullmatch(text)
    if match is None:
        return None
    parts = match.groupdict()
    year = int(parts.get("year") or 2000 + int(parts.get("short") or 0))
    name = parts.get("name")
    names = _MONTHS if name in _MONTHS else _SHORT
    month = names.index(name) + 1 if name else int(parts["month"] or 0)
    try:
        return date(year, month, int(parts["day"] or 0))
    except ValueError:
        return None


def days_of(text: str) -> Iterator[tuple[str, date]]:
    """Yield the notations in which a text is a date, and the date."""
    return _readings(text, NOTATIONS)


def day_of(text: str) -> int | None:
    """Return the number of the day that a text names without doubt, or None."""
    return next((day.toordinal() for _, day in _readings(text, _PLAIN)), None)


def _readings(text: str, notations: Iterable[str]) -> Iterator[tuple[str, date]]:
    if any(character.isdigit() for character in text):
        for notation in notations:
            day = _read(text, notation)
            if day is not None:
                yield notation, day


def written_date(day: date, notation: str) -> str:
    """Write a date."""
    values = {
        "YYYY": f"{day.year:04}",
        "YY": f"{day.year % 100:02}",
        "MM": f"{day.month:02}",
        "M": str(day.month),
        "DD": f"{day.day:02}",
        "D": str(day.day),
        "Month": _MONTHS[day.month - 1],
        "Mon": _SHORT[day.month - 1],
    }
    return _PART.sub(lambda match: values[match[0]], notation)
