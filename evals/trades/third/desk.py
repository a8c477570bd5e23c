"""Base of the third stranger's trades."""

from __future__ import annotations

from ..trade import Result, Trade

__all__ = ["Desk"]


class Desk(Trade):
    """Trade whose rows lie in named tables."""

    def put(self, table: str, key: str, row: Result) -> None:
        """Row laid under its key."""
        self.db.setdefault(table, {})[key] = row

    def row(self, table: str, key: str) -> Result:
        """Row under a key; a wrong key is an error of the tool."""
        return self.db.get(table, {})[key]
