"""Numbers, days, times, moments and periods, and operations on two of them.

Days count in days, times and moments in minutes, periods in months. A day minus a day is a number
of days. A time plus a number of minutes is another time of that day. A day plus a period is the
same day of a later month, or the last one where that month is shorter.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache

from ..episodes.date_notations import days_of, written_date
from ..episodes.tokens import magnitude
from .exact_numbers import EXACT, number_of, written_number

OPERATIONS = ("+", "-", "*", "/")
ROUNDINGS = {"up": ROUND_CEILING, "down": ROUND_FLOOR, "nearest": ROUND_HALF_UP}
"""Word for a manner of rounding → mode; ``nearest`` rounds a half away from zero."""
PERIODS = {"months": 1, "years": 12}
"""Unit of a period of the calendar → its months."""
DURATIONS = ("HH:MM:SS", "HH:MM", "H:MM")
"""Notations of a length of time."""
_DAY = 24 * 60
"""Minutes of a day."""
_MOST_MONTHS = 12 * date.max.year
"""Months of the calendar."""
_HIDDEN = 9
"""Decimals of a second to which a duration is rounded: thirds of a minute have no end."""
_MOST_MINUTES = 10**6
"""Minutes from which on a length of time has no clock notation."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A size of a type.

    Attributes:
        type: ``number``, ``date``, ``time``, ``moment`` or ``period``.
        size: The number; days since year 1; minutes; months.
        notation: Notation of a day or a time, such as ``H:MM``.
    """

    type: str
    size: Decimal
    notation: str = ""

    def text(self, decimals: int | None = None, point: str = ".") -> str | None:
        """Return it in its notation; None where that would have to be rounded.

        Args:
            decimals: Number of decimals of a number; None: no more than needed.
            point: Decimal sign of a number.
        """
        if self.type == "number":
            return written_number(self.size, decimals, point)
        if self.type == "date" and 0 < self.size < date.max.toordinal() and not self.size % 1:
            return written_date(date.fromordinal(int(self.size)), self.notation)
        return self.duration(self.notation) if self.type == "time" else None

    def duration(self, notation: str) -> str | None:
        """Return minutes in a clock notation; None where that is not possible."""
        seconds = round(EXACT.multiply(self.size, Decimal(60)), _HIDDEN)
        if not 0 <= self.size < _MOST_MINUTES or seconds % 1 or notation not in DURATIONS:
            return None
        minutes, second = divmod(int(seconds), 60)
        hours, minute = divmod(minutes, 60)
        if notation == "HH:MM:SS":
            return f"{hours:02}:{minute:02}:{second:02}"
        if second:
            return None
        return f"{hours}:{minute:02}" if notation == "H:MM" else f"{hours:02}:{minute:02}"


@lru_cache(100_000)
def quantity_of(text: str | None) -> Quantity | None:
    """Return the quantity of a text; None where it has none."""
    number = number_of(text)
    if number is not None:
        return Quantity("number", number)
    size = magnitude(text or "")
    if text is None or size is None or size[0] == "number":
        return None
    if size[0] == "date":
        return Quantity("date", Decimal(int(size[1])), next(days_of(text))[0])
    minutes = EXACT.divide(Decimal(size[1]), Decimal(60))
    if size[0] == "moment":
        return Quantity("moment", minutes)
    return Quantity("time", minutes, _clock_notation(text))


def _clock_notation(text: str) -> str:
    hours, *rest = text.split(":")
    return "HH:MM:SS" if len(rest) == 2 else "H" * len(hours) + ":MM"


def combine(left: Quantity | None, sign: str, right: Quantity | None) -> Quantity | None:
    """Return the result of an operation on two quantities; None where it has none.

    A quotient without end has a hundred digits, so that it has to be rounded.
    """
    if left is None or right is None:
        return None
    types = left.type, right.type
    if types == ("number", "number"):
        number = _number(left.size, sign, right.size)
        return None if number is None else Quantity("number", number)
    if sign == "-" and left.type == right.type:
        return Quantity("number", EXACT.subtract(left.size, right.size))
    if types == ("date", "period") and sign in ("+", "-"):
        day = _same_day(left.size, right.size if sign == "+" else -right.size)
        return None if day is None else Quantity("date", day, left.notation)
    if right.type == "number" and sign in ("+", "-"):
        size = _number(left.size, sign, right.size)
        if size is None or (left.type == "time" and not 0 <= size < _DAY):
            return None
        return Quantity(left.type, size, left.notation)
    return None


def period(quantity: Quantity | None, unit: str) -> Quantity | None:
    """Return a number of months or years as a period; None where it is no whole number."""
    if quantity is None or quantity.type != "number":
        return None
    if quantity.size != quantity.size.to_integral_value():
        return None
    return Quantity("period", EXACT.multiply(quantity.size, Decimal(PERIODS[unit])))


def _same_day(day: Decimal, months: Decimal) -> Decimal | None:
    """Return the day so many months later, as days since year 1; None outside the calendar."""
    if not 0 < day < date.max.toordinal() or abs(months) > _MOST_MONTHS or day % 1:
        return None
    first = date.fromordinal(int(day))
    year, month = divmod(12 * first.year + first.month - 1 + int(months), 12)
    if not date.min.year <= year <= date.max.year:
        return None
    last = monthrange(year, month + 1)[1]
    return Decimal(date(year, month + 1, min(first.day, last)).toordinal())


def _number(left: Decimal, sign: str, right: Decimal) -> Decimal | None:
    match sign:
        case "+":
            return EXACT.add(left, right)
        case "-":
            return EXACT.subtract(left, right)
        case "*":
            return EXACT.multiply(left, right)
        case _:
            return EXACT.divide(left, right) if right else None


def without_sign(quantity: Quantity | None) -> Quantity | None:
    """Return the absolute value of a number; None for other quantities."""
    if quantity is None or quantity.type != "number":
        return None
    return Quantity("number", abs(quantity.size))


def rounded(quantity: Quantity | None, how: str, decimals: int) -> Quantity | None:
    """Return a number rounded to some decimals; None for other quantities."""
    if quantity is None or quantity.type != "number":
        return None
    try:
        size = quantity.size.quantize(Decimal(1).scaleb(-decimals), ROUNDINGS[how], EXACT)
    except InvalidOperation:  # of more than a hundred digits
        return None
    return Quantity("number", size)
