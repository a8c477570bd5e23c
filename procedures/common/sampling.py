"""Samples of what would take too long to look at as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

_Item = TypeVar("_Item")


def sample(items: Sequence[_Item], most: int) -> list[_Item]:
    """Return at most a number of items, evenly drawn."""
    return list(items[:: max(1, -(-len(items) // most))])
