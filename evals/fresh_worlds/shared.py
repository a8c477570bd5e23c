"""What several of the worlds use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


def enumerated(items: Sequence[str]) -> str:
    """Write items as a sentence does: ``a, b and c``."""
    *others, last = items
    return f"{', '.join(others)} and {last}" if others else last


def distinct(draw: Callable[[], str], count: int) -> list[str]:
    """Draw texts until there are so many of which no two are alike."""
    drawn: dict[str, None] = {}
    while len(drawn) < count:
        drawn[draw()] = None
    return list(drawn)


def clock_times(rng: Random, count: int) -> list[str]:
    """Draw ascending times of one day, to the second."""
    seconds = sorted(rng.sample(range(6 * 3600, 22 * 3600), count))
    return [f"{s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}" for s in seconds]
