"""Which case of its rule an episode shows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from random import Random
from typing import TypeVar

from ..ladder.world import LadderTask
from .shared import MONTHS

__all__ = ["case_of", "day_month", "worded"]

_T = TypeVar("_T")


def case_of(name: str, task: LadderTask, cases: Sequence[_T]) -> _T:
    """Return the case of an episode; each run of as many seeds as there are cases shows all."""
    block, place = divmod(task.seed, len(cases))
    order = list(cases)
    Random(f"{name}/{task.part}/{block}/case").shuffle(order)  # noqa: S311
    return order[place]


def worded(day: date) -> str:
    """Write a date as ``4 March 2026``."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def day_month(day: date) -> str:
    """Write a date as ``4 Mar 2026``."""
    return f"{day.day} {MONTHS[day.month - 1][:3]} {day.year}"
