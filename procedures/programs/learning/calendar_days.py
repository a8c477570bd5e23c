"""Days that are a period of the calendar after, or before, another day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

import numpy as np

from ..program_conditions import Arithmetic, Literal, Period
from ..quantities import PERIODS
from .expressions import Expression, Floats

_LEAST_DAYS = 3
"""Least different days from which on a constant period is learned."""


def periods_between(days: Floats, leaves: Sequence[Expression]) -> Iterator[Arithmetic]:
    """Yield sums and differences of a day and a period that may give some days.

    Only the months are compared, so that the caller checks the days.

    Args:
        days: The days, since year 1; shape (moments,).
        leaves: Terms with a quantity.
    """
    target = _months(days)
    if target is None:
        return
    numbers = [each for each in leaves if each.type == "number"]
    for start in leaves:
        first = _months(start.sizes) if start.type == "date" else None
        if first is None:
            continue
        months = target - first
        for unit, length in PERIODS.items():
            for sign, needed in (("+", months / length), ("-", -months / length)):
                for each in numbers:
                    if (each.sizes == needed).all():
                        yield Arithmetic(start.term, sign, Period(each.term, unit))
                constant = needed[0]
                if (
                    constant > 0
                    and not constant % 1
                    and (needed == constant).all()
                    and len(set(days.tolist())) >= _LEAST_DAYS
                ):
                    literal = Literal(str(int(constant)))
                    yield Arithmetic(start.term, sign, Period(literal, unit))


def _months(days: Floats) -> Floats | None:
    """Return the month of each day, counted from year 0; None where one is no day."""
    if not ((days >= 1) & (days < date.max.toordinal()) & (days % 1 == 0)).all():
        return None
    dates = map(date.fromordinal, days.astype(int).tolist())
    return np.array([12.0 * each.year + each.month for each in dates])
