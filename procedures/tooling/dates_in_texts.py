"""Dates in texts, in the forms in which people and programs write them."""

from __future__ import annotations

import re

from ..common.clock import now

_MONTHS = (
    "jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|june|july|"
    "august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember|"
    "janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|"
    "febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"
)
_DAYS = (
    "monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|"
    "freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|"
    "miércoles|jueves|viernes|sábado|domingo"
)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_MONTH = r"(?:0?[1-9]|1[0-2])"
_YEAR = r"(?:19|20)\d\d"
_FORMS = re.compile(
    rf"(?<![\w.])(?:{_YEAR}[-/.]{_MONTH}(?:[-/.]{_DAY})?(?:[T ]\d\d:\d\d(?::\d\d)?\S*)?|"
    rf"{_DAY}[-/.]{_DAY}[-/.](?:{_YEAR}|\d\d)|{_YEAR}-?W\d\d|"
    rf"{_YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|1[5-9]\d{{8}}(?:\d{{3}})?|"
    rf"{_DAY}(?:st|nd|rd|th|\.)?\s(?:of\s|de\s)?(?:{_MONTHS})\.?(?:,?\s(?:de\s)?{_YEAR})?|"
    rf"(?:{_MONTHS})\.?\s{_DAY}(?:st|nd|rd|th)?(?:,?\s{_YEAR})?|(?:{_MONTHS})\.?\s{_YEAR}|"
    rf"{_DAYS})(?!\w)",
    re.I,
)
_YEAR_ALONE = re.compile(r"(?<![\w.-])(?:19|20)\d\d(?![\w-]|\.\d)")


def dates_in(text: str) -> list[str]:
    """Return the dates, days of the week and time stamps in a text, and the years around now."""
    dates = [each[0] for each in _FORMS.finditer(text)]
    year_now = int(now()[:4])
    rest = _FORMS.sub(" ", text)
    return dates + [y for y in _YEAR_ALONE.findall(rest) if abs(int(y) - year_now) <= 1]


def without_dates(text: str) -> str:
    """Return a text in which all dates are alike, and the time of day."""
    return re.sub(r"\d{1,2}:\d\d(?::\d\d)?", "#", _FORMS.sub("#", text))
