"""Complete information: all days, all cities, and on each day what belongs to it."""

from __future__ import annotations

from .database import Database
from .plan import FIELDS, Day, Plan
from .route import cities_of_day
from .tasks import Trip
from .values import NOTHING
from .verdict import PASSED, Verdict, failed

__all__ = ["complete_information"]

_EMPTY = ("", NOTHING)
_LEAST = 0.5
"""Share of the fields that have to say something."""


def complete_information(trip: Trip, plan: Plan, database: Database) -> Verdict:
    """Check days, number of cities, fields of each day, and that half of the fields are filled."""
    if sum(1 for day in plan if day.planned) != trip.days:
        return failed(f"the plan has not {trip.days} days")
    visited: set[str] = set()
    for number, day in enumerate(plan):
        cities = cities_of_day(day)
        if not cities or (number == 0 and len(cities) == 2 and cities[0] != trip.origin):
            return failed(f"day {number + 1} does not say where one is, or starts elsewhere")
        visited |= set(cities)
    if len(visited - {trip.origin}) != trip.cities:
        return failed(f"the plan does not visit {trip.cities} cities")
    for number, day in enumerate(plan):
        missing = _missing(day, last=number == trip.days - 1)
        if missing:
            return failed(f"day {number + 1} does not say its {missing}")
    entries = sum(day.entries for day in plan)
    if entries / (len(FIELDS) * trip.days) < _LEAST:
        return failed("less than half of the plan is filled in")
    return PASSED


def _missing(day: Day, *, last: bool) -> str:
    """Return what a day should say and does not; "" where nothing is missing."""
    for name in FIELDS:
        if name not in day.present:
            return name
    travelling = "from " in day.current_city
    if (travelling or "to " in day.current_city) and day.transportation in _EMPTY:
        return "transportation"
    if not travelling and " to " not in day.current_city and day.attraction in _EMPTY:
        return "attraction"
    if not last and day.accommodation in _EMPTY:
        return "accommodation"
    if not travelling and any(meal in _EMPTY for meal in day.meals):
        return "meals"
    return ""
