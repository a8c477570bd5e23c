"""Days that a text speaks of, in words: ``from March 12th to 14th, 2022``."""

from __future__ import annotations

import re
from datetime import date

_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
_MONTH = "|".join((*_MONTHS, *(f"{month[:3]}\\b\\.?" for month in _MONTHS if month != "may")))
_ORDINAL = r"(?:st|nd|rd|th)"
_TO = r"\s*(?:-|\u2013|\b(?:to|till|until|through)\b)\s*"
_DAY = re.compile(
    rf"(?P<month>{_MONTH})\s+(?P<behind>\d{{1,2}}){_ORDINAL}?\b(?![.,]\d)"
    rf"(?:{_TO}(?P<last>\d{{1,2}}){_ORDINAL}?\b(?![.,]\d))?"
    rf"|\b(?P<first>\d{{1,2}}){_ORDINAL}?(?={_TO}\d{{1,2}}{_ORDINAL}?\s+(?:of\s+)?(?:{_MONTH})\b)"
    rf"|\b(?P<before>\d{{1,2}}){_ORDINAL}?\s+(?:of\s+)?(?P<later>{_MONTH})\b"
    rf"|\b(?P<alone>\d{{1,2}}){_ORDINAL}\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<![$€£¥])(?<![$€£¥] )\b(?:19|20)\d\d\b(?![.,]\d)")
_ISO = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")


def days_said(text: str) -> tuple[date, ...]:
    """Return the days that a text names, in order of time.

    A day without its month has the month that is named nearest; without a year in the text there
    is no day.
    """
    days = [_day(*map(int, match.groups())) for match in _ISO.finditer(text)]
    text = _ISO.sub(" ", text)
    year = _YEAR.search(text)
    mentions = [
        (match.start(), match["month"] or match["later"], int(number))
        for match in _DAY.finditer(text)
        for number in match.group("behind", "last", "first", "before", "alone")
        if number
    ]
    months = [(at, month) for at, month, _ in mentions if month]
    if year is not None and months:
        for at, month, number in mentions:
            month_name = month or min((abs(at - other), name) for other, name in months)[1]
            days.append(_day(int(year[0]), _month(month_name), number))
    return tuple(sorted(day for day in days if day is not None))


def without_days(text: str) -> str:
    """Return a text with space where it names days and their year: these are no other numbers."""
    if not days_said(text):
        return text
    for pattern in (_ISO, _DAY):
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    return _YEAR.sub(lambda match: " " * len(match[0]), text, count=1)


def _month(name: str) -> int:
    short = name.lower()[:3]
    return next(i for i, month in enumerate(_MONTHS, 1) if month.startswith(short))


def _day(year: int, month: int, number: int) -> date | None:
    try:
        return date(year, month, number)
    except ValueError:
        return None
