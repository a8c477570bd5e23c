"""Diverse restaurants and diverse attractions: none twice."""

from __future__ import annotations

from .database import Database
from .plan import MEALS, Plan
from .tasks import Trip
from .values import filled, sights_of
from .verdict import PASSED, Verdict, failed

__all__ = ["diverse_attractions", "diverse_restaurants"]


def diverse_restaurants(trip: Trip, plan: Plan, database: Database) -> Verdict:
    """Check that no two meals are eaten at the same place."""
    eaten: set[str] = set()
    for number, day in enumerate(plan, 1):
        for name, meal in zip(MEALS, day.meals, strict=True):
            if filled(meal):
                if meal in eaten:
                    return failed(f"the {name} of day {number} is eaten at {meal} again")
                eaten.add(meal)
    return PASSED


def diverse_attractions(trip: Trip, plan: Plan, database: Database) -> Verdict:
    """Check that nothing is seen twice."""
    seen: set[str] = set()
    for number, day in enumerate(plan, 1):
        for sight in sights_of(day.attraction):
            if sight in seen:
                return failed(f"{sight} is seen on day {number} again")
            seen.add(sight)
    return PASSED
