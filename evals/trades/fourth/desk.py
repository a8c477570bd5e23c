"""Base of the fourth stranger's trades."""

from __future__ import annotations

from langchain_core.tools import ToolException

from ..third.desk import Desk

__all__ = ["BUSY", "Counter"]

BUSY = "503 service unavailable, try again"
"""What a tool tells that is busy for once; nothing was done then."""


class Counter(Desk):
    """Trade whose tools may be busy once."""

    def busy_once(self, key: str) -> None:
        """Let the next call about a key fail."""
        self.db.setdefault("busy", set()).add(key)

    def serve(self, key: str) -> None:
        """Fail if calls about a key are to fail, this once."""
        busy = self.db.setdefault("busy", set())
        if key in busy:
            busy.discard(key)
            raise ToolException(BUSY)
