"""Time stamps, as every file and row writes them."""

from __future__ import annotations

from datetime import datetime, timezone


def now() -> str:
    """Return the time, ISO 8601, to the second, in UTC."""
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
