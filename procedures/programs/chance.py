"""Test of whether a condition always held by chance."""

from __future__ import annotations

import math
from collections.abc import Iterable

_CHANCE = 0.01
"""Probability below which a condition did not hold by chance."""


def is_no_chance(shares: Iterable[float]) -> bool:
    """Whether a condition that always held would hardly have done so by chance.

    Args:
        shares: For each time the share of all cases in which the condition holds, from 0 to 1.
    """
    return math.prod(shares) < _CHANCE
