"""Days of the tasks: drawn, counted from, and told by the system prompt."""

from __future__ import annotations

import re
from datetime import date, timedelta

from .kinds import Draw, Talk

__all__ = ["drawn_day", "later", "today", "today_is"]

_TODAY = re.compile(r"Today is (\d{4}-\d{2}-\d{2})\.")


def drawn_day(draw: Draw) -> date:
    """Return a day of the year 2026."""
    return date(2026, 1, 10) + timedelta(days=draw.rng.randrange(320))


def later(day: date, days: int) -> str:
    """Return the day so many days later, or earlier, as text."""
    return (day + timedelta(days=days)).isoformat()


def today_is(day: date) -> str:
    """Return what the system prompt says of a day."""
    return f"Today is {day.isoformat()}."


def today(talk: Talk) -> date:
    """Return the day that the system prompt tells."""
    match = _TODAY.search(talk.system)
    if match is None:
        raise ValueError("the system prompt tells no day")
    return date.fromisoformat(match.group(1))
