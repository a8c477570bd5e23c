"""Exact numbers in plain digits, for computations."""

from __future__ import annotations

import re
from decimal import Context, Decimal

from ..episodes.tokens import figure

SIGNS = ("+", "-", "*")
POINTS = (".", ",")
"""Decimal signs, in the order in which they are tried."""
FIGURE = re.compile(r"\{([^{}]+)\} ([-+*]) \{([^{}]+)\}")
"""Name of a figure that combines two fields of one fact."""
_NUMBER = re.compile(
    r"(?<![\w.,:/])(?<!\w-)"  # neither behind a letter or figure, nor the rest of a date
    r"(?:\d{1,3}(?:([.,' ])\d{3})(?:\1\d{3})*|\d+)(?:[.,](\d+))?"
    r"(?![\w:/]|[-.,]\d)"
)
"""Number in a text, perhaps with groups of three figures, and its decimals."""
_LONGEST = 24
"""Most characters of a figure; a longer text is a name."""
EXACT = Context(prec=100)
"""Context with enough digits that sums and products of figures are never rounded."""


def written_number(number: Decimal, decimals: int | None = None, point: str = ".") -> str | None:
    """Return a number in plain digits; None where that would have to be rounded.

    Args:
        number: The number.
        decimals: Number of decimals; None: no more than needed.
        point: Decimal sign.
    """
    integer_part, _, fraction = format(number if number else Decimal(0), "f").partition(".")
    fraction = fraction.rstrip("0")
    if decimals is None:
        decimals = len(fraction)
    if len(fraction) > decimals:
        return None
    return f"{integer_part}{point}{fraction.ljust(decimals, '0')}" if decimals else integer_part


def decimals_of(text: str, point: str = ".") -> int | None:
    """Return the number of decimals of a number in plain digits; None for another notation."""
    number = number_of(text)
    if number is None:
        return None
    decimals = len(text.partition(point)[2])
    return decimals if written_number(number, decimals, point) == text else None


def decimals_in(text: str) -> frozenset[int]:
    """Return the counts of decimals of the numbers in a text; names, dates and times are none.

    A group of three figures behind a single sign, as in ``1.250``, may be decimals and has a count.
    """
    return frozenset(
        len(match[2] or "") or 3 * bool(match[1] and match[0].count(match[1]) == 1)
        for match in _NUMBER.finditer(text)
    )


def number_of(text: str | None) -> Decimal | None:
    """Return a text as an exact number; None for other texts and for percentages."""
    computable = text and len(text) <= _LONGEST and not text.endswith("%")
    return figure(text) if text and computable else None
