"""Hard constraints: the budget, and what a traveller asked for."""

from __future__ import annotations

from collections.abc import Iterator

from .cost import Transport, cost_of_day
from .database import Accommodation, Database, entries_named
from .plan import Plan
from .tasks import Trip
from .values import filled, named_place
from .verdict import PASSED, Verdict, failed

__all__ = ["cuisine", "house_rule", "room_type", "transportation", "within_budget"]

_ROOMS = {
    "shared room": "Shared room",
    "private room": "Private room",
    "entire room": "Entire home/apt",
}


def within_budget(trip: Trip, plan: Plan, database: Database) -> Verdict:
    """Check that all days together cost no more than the budget."""
    dollars = sum(cost_of_day(day, trip.people, database).dollars for day in plan)
    return PASSED if dollars <= trip.budget else failed(f"{dollars:g} dollars are too much")


def house_rule(trip: Trip, plan: Plan, database: Database) -> Verdict:
    """Check that no house forbids what the travellers do."""
    for house in _houses(plan, database):
        if f"No {trip.house_rule}" in house.house_rules:
            return failed(f"{house.name} does not allow {trip.house_rule}")
    return PASSED


def room_type(trip: Trip, plan: Plan, database: Database) -> Verdict:
    """Check that all rooms are of the kind that was asked for."""
    for house in _houses(plan, database):
        if trip.room_type == "not shared room":
            fits = house.room_type != "Shared room"
        else:
            fits = house.room_type == _ROOMS.get(trip.room_type or "", house.room_type)
        if not fits:
            return failed(f"{house.name} is a {house.room_type}, not a {trip.room_type}")
    return PASSED


def cuisine(trip: Trip, plan: Plan, database: Database) -> Verdict:
    """Check that each cuisine is eaten once at least; meals at home do not count."""
    eaten: set[str] = set()
    for day in plan:
        for meal in filter(filled, day.meals):
            place = named_place(meal)
            restaurants = entries_named(database.restaurants, place.name, place.city)
            if place.city == trip.origin:
                break  # the official evaluator goes on with the next day then
            if restaurants:
                eaten |= {name for name in trip.cuisines if name in restaurants[0].cuisines}
    missing = [name for name in trip.cuisines if name not in eaten]
    return failed(f"no {missing[0]} cuisine") if missing else PASSED


def transportation(trip: Trip, plan: Plan, database: Database) -> Verdict:
    """Check that nobody travels as the travellers will not."""
    forbidden = {"no flight": Transport.FLIGHT, "no self-driving": Transport.DRIVING}.get(
        trip.transportation or ""
    )
    for day in plan:
        if forbidden and forbidden in day.transportation:
            return failed(f"{forbidden}, in spite of {trip.transportation}")
    return PASSED


def _houses(plan: Plan, database: Database) -> Iterator[Accommodation]:
    for day in plan:
        if filled(day.accommodation):
            place = named_place(day.accommodation)
            yield from entries_named(database.accommodations, place.name, place.city)[:1]
