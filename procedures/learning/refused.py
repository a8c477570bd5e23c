"""A log of refused changes: the latest, and their total number."""

from __future__ import annotations

_MOST = 100
"""Most entries; a practice may go on for months."""


class Refused(list[str]):
    """The latest refused changes with their reasons, oldest first.

    Attributes:
        total: Number of all refused changes, dropped ones included.
    """

    def __init__(self) -> None:
        super().__init__()
        self.total = 0

    def append(self, text: str) -> None:
        """Add one; drop the oldest beyond the limit."""
        super().append(text)
        self.total += 1
        del self[:-_MOST]
