"""Within sandbox: everything that a plan names is in the data."""

from __future__ import annotations

from .cost import flight_number, leg_travelled
from .database import Database, entries_named
from .plan import MEALS, Day, Plan
from .tasks import Trip
from .values import filled, named_place, sights_of
from .verdict import PASSED, Verdict, failed

__all__ = ["within_sandbox"]


def within_sandbox(trip: Trip, plan: Plan, database: Database) -> Verdict:
    """Check that flights, roads, restaurants, sights and rooms exist, each in its city."""
    for number, day in enumerate(plan, 1):
        if filled(day.transportation) and not _transport_exists(day, database):
            return failed(f"the transport of day {number} does not exist")
        for name, meal in zip(MEALS, day.meals, strict=True):
            place = named_place(meal)
            if filled(meal) and not entries_named(database.restaurants, place.name, place.city):
                return failed(f"the {name} of day {number} does not exist: {meal}")
        for sight in sights_of(day.attraction) if filled(day.attraction) else ():
            place = named_place(sight)
            if not entries_named(database.attractions, place.name, place.city):
                return failed(f"the attraction of day {number} does not exist: {sight}")
        place = named_place(day.accommodation)
        if filled(day.accommodation) and not entries_named(
            database.accommodations, place.name, place.city
        ):
            return failed(f"the accommodation of day {number} does not exist")
    return PASSED


def _transport_exists(day: Day, database: Database) -> bool:
    leg = leg_travelled(day)
    number = flight_number(day.transportation)
    if number is not None:
        return leg is not None and any(
            (flight.origin, flight.destination) == (leg.origin, leg.destination)
            for flight in database.flights.get(number, ())
        )
    lowered = day.transportation.lower()
    if "self-driving" in lowered or "taxi" in lowered:
        return leg is not None and database.road(leg.origin, leg.destination) is not None
    return True
