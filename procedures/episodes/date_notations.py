"""Notations of dates, for reading and writing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_SHORT = tuple(name[:3] for name in _MONTHS)
_MONTH = "|".join((*_MONTHS, *(name for name in _SHORT if name not in _MONTHS)))
SHORT_MONTHS = "|".join(_SHORT)
NAMED_MONTHS = rf"\d{{1,2}}\.? (?:{_MONTH})\.? \d{{4}}\b|(?:{_MONTH})\.? \d{{1,2}}, \d{{4}}\b"
"""Pattern of dates that name the month, each one word of a text."""
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
_LANGUAGES = {
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
    "dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro "
    "dezembro",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października "
    "listopada grudnia",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
}
_NAMES = {"": _MONTHS, **{language: tuple(each.split()) for language, each in _LANGUAGES.items()}}
"""Names of the months by language; English is ``""``."""
_NUMBER_OF = {
    name.casefold(): month
    for names in (_SHORT, *_NAMES.values())
    for month, name in enumerate(names, 1)
}
"""Name of a month, in any of the languages → its number; no name stands for two months."""
PARTIAL_NOTATIONS = (
    *("D Month", "D. Month", "Month D", "D Mon", "Mon D", "D de Month", "D de Month de YYYY"),
    *("MM-DD", "DD.MM.", "DD.MM", "D.M.", "MM/DD", "DD/MM", "DD-MM", "MMDD", "DDMM", "M/D", "D/M"),
    *("YYYY-MM", "MM/YYYY", "MM.YYYY", "Month YYYY", "YYYYMM", "YYMMDD", "DD/MM/YY", "YY-MM-DD"),
    *("Month", "Mon", "MM", "M", "DD", "D", "YYYY", "YY"),
)
"""Notations of parts of dates; a month may be named in any language, such as ``(de)``."""
_PLAIN = ("YYYY-MM-DD", "D.M.YYYY", *(each for each in NOTATIONS if "Mon" in each))
"""Unambiguous notations: neither numbers nor dates with the month first."""
_LEAP = 2000
"""A leap year, which has every day of a year."""
_LONGEST_DATE = 40
"""Characters; longer texts are no dates."""
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
    regex, end = "", 0
    for match in _PART.finditer(notation):
        regex += re.escape(notation[end : match.start()]) + _PATTERNS[match[0]]
        end = match.end()
    return re.compile(regex + re.escape(notation[end:]))


@lru_cache(10_000)
def _parse_date(text: str, notation: str) -> date | None:
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


@dataclass(frozen=True, slots=True)
class PartialDate:
    """The parts of a date that a text holds; None for the others."""

    year: int | None
    month: int | None
    day: int | None


@lru_cache(10_000)
def partial_dates_of(text: str) -> tuple[tuple[str, PartialDate], ...]:
    """Return the notations in which a text is a date or a part of one, with its parts.

    A number alone counts only as another notation of a part, such as 5 and 05.
    """
    if len(text) > _LONGEST_DATE:
        return ()
    return tuple(_partial_readings(text))


def _partial_readings(text: str) -> Iterator[tuple[str, PartialDate]]:
    for notation in (*NOTATIONS, *PARTIAL_NOTATIONS):
        match = _named_pattern(notation).fullmatch(text)
        if match is None:
            continue
        groups = match.groupdict()
        name, number = groups.get("name"), groups.get("month")
        month = _NUMBER_OF[name.casefold()] if name else int(number) if number else None
        year = int(groups["year"]) if groups.get("year") else None
        if groups.get("short"):
            year = 2000 + int(groups["short"])
        day = int(groups["day"]) if groups.get("day") else None
        try:
            date(year or _LEAP, month or 1, day or 1)
        except ValueError:
            continue
        yield notation, PartialDate(year, month, day)


@lru_cache
def _named_pattern(notation: str) -> re.Pattern[str]:
    names = "|".join(sorted(_NUMBER_OF, key=len, reverse=True))
    regex, end = "", 0
    for match in _PART.finditer(notation):
        part = rf"(?P<name>{names})" if match[0] == "Month" else _PATTERNS[match[0]]
        regex += re.escape(notation[end : match.start()]) + part
        end = match.end()
    return re.compile(regex + re.escape(notation[end:]), re.IGNORECASE)


@lru_cache(10_000)
def written_partial(day: PartialDate) -> tuple[tuple[str, str], ...]:
    """Return the notations that the known parts of a date allow, each with its text."""
    value_by_letter = {"Y": day.year, "M": day.month, "D": day.day}
    notations: list[tuple[str, str]] = []
    for notation in (*NOTATIONS, *PARTIAL_NOTATIONS):
        parts = _PART.findall(notation)
        if any(value_by_letter[part[0]] is None for part in parts):
            continue
        full = date(day.year or _LEAP, day.month or 1, day.day or 1)
        text = written_date(full, notation)
        for language, names in _NAMES.items() if "Month" in parts else ():
            translated = text.replace(_MONTHS[full.month - 1], names[full.month - 1])
            notations.append((f"{notation} ({language})" if language else notation, translated))
        if "Month" not in parts:
            notations.append((notation, text))
    return tuple(notations)


def days_of(text: str) -> Iterator[tuple[str, date]]:
    """Yield the notations in which a text is a date, and the date."""
    return _readings(text, NOTATIONS)


def day_of(text: str) -> int | None:
    """Return the ordinal of the day that a text names unambiguously, or None."""
    return next((day.toordinal() for _, day in _readings(text, _PLAIN)), None)


def _readings(text: str, notations: Iterable[str]) -> Iterator[tuple[str, date]]:
    if any(character.isdigit() for character in text):
        for notation in notations:
            day = _parse_date(text, notation)
            if day is not None:
                yield notation, day


def written_date(day: date, notation: str) -> str:
    """Write a date in a notation."""
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
