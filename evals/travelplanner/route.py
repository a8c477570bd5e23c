"""Reasonable city route: from home through the destination and back, no city twice."""

from __future__ import annotations

from itertools import groupby

from .database import Database
from .plan import Day, Plan
from .tasks import Trip
from .values import before_bracket, leg_of
from .verdict import PASSED, Verdict, failed

__all__ = ["cities_of_day", "reasonable_route"]

_LONG = 3
"""Trips of more days go to a state, whose cities the route has to stay in."""


def cities_of_day(day: Day) -> tuple[str, ...]:
    """Return the city of a day, or both of a day on which one travels; () where neither is told."""
    if "from" in day.current_city:
        leg = leg_of(day.current_city)
        return (leg.origin, leg.destination) if leg is not None else ()
    return (before_bracket(day.current_city),)


def reasonable_route(trip: Trip, plan: Plan, database: Database) -> Verdict:
    """Check that the route starts at home, closes, visits no city twice, and stays in the state."""
    route: list[str] = []
    for number, day in enumerate(plan):
        cities = cities_of_day(day)
        if not cities:
            return failed(f"day {number + 1} says from where to where in no way that can be read")
        if number == 0 and len(cities) == 2 and cities[0] != trip.origin:
            return failed(f"the first day starts at {cities[0]}, not {trip.origin}")
        route += cities
    if not route or route[0] != route[-1]:
        return failed("the route does not end where it started")
    if not _visits_once(route):
        return failed("the route visits a city twice, or only passes through one")
    for place, city in enumerate(route):
        if city not in database.states:
            return failed(f"{city} is no city of the data")
        inner = 0 < place < len(route) - 1
        if inner and trip.days > _LONG and database.states[city] != trip.destination:
            return failed(f"{city} is not in {trip.destination}")
    return PASSED


def _visits_once(route: list[str]) -> bool:
    """Whether each city but the ends comes up in one run of at least two."""
    if len(route) < 3:
        return False
    visited: set[str] = set()
    place = 0
    for city, run in groupby(route):
        length = sum(1 for _ in run)
        if city in visited and 0 < place < len(route) - 1:
            return False
        place += length
        if length == 1 and 0 < place - 1 < len(route) - 1:
            return False
        visited.add(city)
    return True
