"""Round limits: comparisons of a number that part moments with a step from those without it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache

from ...episodes.tokens import magnitude
from ..program_conditions import Comparison, Condition, Literal, Term
from .truths import Sizes

LEAST_SIZES = 3
"""Least sizes on either side of a limit; with fewer a limit may be chance."""


def finite(text: str) -> float | None:
    """Return the number that a text is; None where it is none, or is infinite."""
    size = magnitude(text)
    return size[1] if size and size[0] == "number" and math.isfinite(size[1]) else None


def number_columns(columns: Mapping[Term, Mapping[int, str]]) -> dict[Term, Sizes]:
    """Return the columns that hold a number at each of their moments, as numbers."""
    out: dict[Term, Sizes] = {}
    for term, column in columns.items():
        numbers = {i: number for i, text in column.items() if (number := finite(text)) is not None}
        if len(numbers) == len(column):
            out[term] = Sizes(numbers)
    return out


def limits_between(
    sizes: Mapping[Term, Sizes], positives: int, negatives: int
) -> Iterator[tuple[Condition, int]]:
    """Yield limits that part the positive moments from the negative ones.

    Where some negative moments lie among the positive ones, all others have to hold one number,
    such as 0: else a limit may part them by chance.

    People set round limits, so that the roundest number between both sides is taken.

    Args:
        sizes: Term → its sizes.
        positives: Moments, as bits.
        negatives: The same.
    """
    if min(positives.bit_count(), negatives.bit_count()) < LEAST_SIZES:
        return
    for term, column in sizes.items():
        positive, negative = column.places & positives, column.places & negatives
        if min(positive.bit_count(), negative.bit_count()) < LEAST_SIZES:
            continue
        least, most = column.span(positive)
        below, above = (negative & side for side in column.beside(least, most))
        numbers = column.values
        sides: list[tuple[str, float]] = []
        if below:
            lowest, highest = column.span(below)
            if lowest == highest and below.bit_count() >= LEAST_SIZES:
                sides.append((">", numbers[lowest]))
            elif below == negative:
                sides.append((">=", _roundest(numbers[highest], numbers[least])))
        if above:
            lowest, highest = column.span(above)
            if lowest == highest and above.bit_count() >= LEAST_SIZES:
                sides.append(("<", numbers[lowest]))
            elif above == negative:
                sides.append(("<", _roundest(numbers[most], numbers[lowest])))
        for relation, limit in sides:
            condition = Comparison(term, relation, Literal(_plain_number(limit)))
            yield condition, column.related(relation, limit)


def _roundest(low: float, high: float) -> float:
    """Return the number above ``low``, up to ``high``, with the fewest figures."""
    for digits in range(-9, 7):
        unit = 10.0**-digits
        candidate = math.floor(high / unit + 1e-9) * unit
        if low < candidate <= high:
            return round(candidate, max(0, digits))
    return high


@lru_cache(20_000)
def _plain_number(number: float) -> str:
    """Return a number as people write it, with all its figures and no exponent."""
    return f"{Decimal(repr(number)):f}".removesuffix(".0")
