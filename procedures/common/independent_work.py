"""Units of work that do not depend on each other: who does them, and where, changes no result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

_Item = TypeVar("_Item")
_Made = TypeVar("_Made")


class Each(Protocol):
    """Does something with each of some items."""

    def __call__(self, work: Callable[[_Item], _Made], items: Sequence[_Item]) -> Iterable[_Made]:
        """Return what comes of each item, in the order of the items.

        Args:
            work: A pure function; it may be called again for an item whose worker died.
            items: What it is called with.
        """
        ...


def here(work: Callable[[_Item], _Made], items: Sequence[_Item]) -> Iterable[_Made]:
    """Do it in this process, one after the other."""
    return map(work, items)
