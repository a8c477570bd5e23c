"""What held each time, and might as well have held by chance."""

from __future__ import annotations

import math
from collections.abc import Iterable

__all__ = ["is_no_chance"]

_CHANCE = 0.01
"""Chance below which something is none."""


def is_no_chance(shares: Iterable[float]) -> bool:
    """Whether what held each time would hardly have held by chance.

    Args:
        shares: For each time the share of all that might have come in which it holds, from 0 to 1.
    """
    return math.prod(shares) < _CHANCE
