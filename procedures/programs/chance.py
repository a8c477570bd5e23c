"""Tests of whether a condition always held, or parted moments, by chance."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

_CHANCE = 0.01
"""Probability below which a condition did not hold by chance."""
_BY_CHANCE = 0.05
"""Expected number of fields above which names that part moments may do so by chance."""


def is_no_chance(shares: Iterable[float]) -> bool:
    """Whether a condition that always held would hardly have done so by chance.

    Args:
        shares: For each time the share of all cases in which the condition holds, from 0 to 1.
    """
    return math.prod(shares) < _CHANCE


def parts_by_chance(columns: Iterable[Sequence[str]], positives: int) -> bool:
    """Whether some field's values part moments as well, were they dealt out blindly.

    Each set of values of a field that covers as many moments as there are positive ones could have
    been the one that parts them.

    Args:
        columns: For each field its value at each moment, positive or not.
        positives: Number of positive moments.
    """
    expected = 0.0
    for column in columns:
        ways = Counter({0: 1})
        for count in Counter(column).values():
            ways.update({number + count: times for number, times in ways.items()})
        expected += ways[positives] / math.comb(len(column), positives)
    return expected > _BY_CHANCE
