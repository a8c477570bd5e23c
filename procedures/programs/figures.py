"""Figures that can be computed with: exact, in plain digits; days and times some steps apart."""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Context, Decimal

from ..episodes.dates import days_of, written_date
from ..episodes.tokens import figure, magnitude

__all__ = [
    "EXACT",
    "FIGURE",
    "SIGNS",
    "combined",
    "decimals_of",
    "moved",
    "number_of",
    "written_number",
]

SIGNS = ("+", "-", "*")
FIGURE = re.compile(r"\{([^{}]+)\} ([-+*]) \{([^{}]+)\}")
"""Name of a figure of two fields of one fact."""
_LONGEST = 24
"""Characters of a figure; what is longer is a name."""
_DAY = 24 * 60
"""Minutes."""
_MOST_DAYS = 100_000
EXACT = Context(prec=100)
"""Wide enough that sums and products of such figures are never rounded."""


def combined(left: str | None, sign: str, right: str | None) -> Decimal | None:
    """Return the sum, difference or product of two figures; None where one of them is none."""
    one, other = number_of(left), number_of(right)
    if one is None or other is None:
        return None
    match sign:
        case "+":
            return EXACT.add(one, other)
        case "-":
            return EXACT.subtract(one, other)
        case _:
            return EXACT.multiply(one, other)


def moved(moment: str | None, sign: str, steps: str | None) -> str | None:
    """Return the day so many days, or the time of that day so many minutes, later or earlier.

    None where one is no day and no time to the minute, or the other no whole number.
    """
    size, number = magnitude(moment or ""), number_of(steps)
    if moment is None or size is None or number is None or number % 1 or sign not in ("+", "-"):
        return None
    count = int(number) if sign == "+" else -int(number)
    if size[0] == "date" and abs(count) <= _MOST_DAYS:
        notation, day = next(iter(days_of(moment)))
        return written_date(day + timedelta(count), notation)
    minutes = int(size[1]) // 60 + count
    if size[0] == "time" and moment.count(":") == 1 and 0 <= minutes < _DAY:
        hours = str(minutes // 60)
        return f"{hours if moment[1] == ':' else hours.zfill(2)}:{minutes % 60:02}"
    return None


def written_number(number: Decimal, decimals: int | None = None) -> str | None:
    """Return a number in plain digits; None where that would have to be rounded.

    Args:
        number: The number.
        decimals: How many stand behind the point; None: no more than needed.
    """
    whole, _, part = format(number if number else Decimal(0), "f").partition(".")
    part = part.rstrip("0")
    if decimals is None:
        decimals = len(part)
    if len(part) > decimals:
        return None
    return f"{whole}.{part.ljust(decimals, '0')}" if decimals else whole


def decimals_of(text: str) -> int | None:
    """Return how many decimals a number in plain digits has; None if it is written otherwise."""
    number = number_of(text)
    if number is None:
        return None
    decimals = len(text.partition(".")[2])
    return decimals if written_number(number, decimals) == text else None


def number_of(text: str | None) -> Decimal | None:
    """Return the number that can be computed with; shares of a hundred are none."""
    computable = text and len(text) <= _LONGEST and not text.endswith("%")
    return figure(text) if text and computable else None
