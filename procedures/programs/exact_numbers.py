"""Numbers that can be computed with: exact, in plain digits."""

from __future__ import annotations

import re
from decimal import Context, Decimal

from ..episodes.tokens import figure

__all__ = [
    "EXACT",
    "FIGURE",
    "SIGNS",
    "decimals_of",
    "number_of",
    "written_number",
]

SIGNS = ("+", "-", "*")
FIGURE = re.compile(r"\{([^{}]+)\} ([-+*]) \{([^{}]+)\}")
"""Name of a figure of two fields of one fact."""
_LONGEST = 24
"""Characters of a figure; what is longer is a name."""
EXACT = Context(prec=100)
"""Wide enough that sums and products of such figures are never rounded."""


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
