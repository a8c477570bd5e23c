"""Changes that could not be made: the latest of them, and how many there were."""

from __future__ import annotations

__all__ = ["Refused"]

_MOST = 100
"""Most that are kept: a practice may go on for months."""


class Refused(list[str]):
    """The latest changes that could not be made, with reasons, oldest first.

    Attributes:
        total: How many there were, those that are no longer kept included.
    """

    def __init__(self) -> None:
        super().__init__()
        self.total = 0

    def append(self, text: str) -> None:
        """Add one; the oldest goes where there are too many."""
        super().append(text)
        self.total += 1
        del self[:-_MOST]
