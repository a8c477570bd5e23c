"""Time stamps, as every file and row writes them."""

from __future__ import annotations

from datetime import datetime, timezone

__all__ = ["now"]


def now() -> str:
    """Return the time, ISO 8601, to the second, in UTC."""
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
