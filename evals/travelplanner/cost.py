"""What a day costs, and what of it cannot be had."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .database import Database, entries_named
from .plan import Day
from .values import Leg, filled, leg_of, named_place

__all__ = ["DayCost", "Transport", "cost_of_day", "flight_number", "leg_travelled", "transport_of"]

_IN_A_CAR = 5
_IN_A_TAXI = 4
_FLIGHT_NUMBER = "Flight Number: "


class Transport:
    """Kinds of transport, as the texts of a plan name them."""

    FLIGHT = "Flight"
    TAXI = "Taxi"
    DRIVING = "Self-driving"


@dataclass(frozen=True, slots=True)
class DayCost:
    """Dollars of all that can be had, for all travellers, and the fields that cannot be had."""

    dollars: float
    unknown: tuple[str, ...] = ()


def transport_of(text: str) -> str | None:
    """Return the kind of transport that a text names; a taxi before a car before a flight."""
    lowered = text.lower()
    for kind in (Transport.TAXI, Transport.DRIVING, Transport.FLIGHT):
        if kind.lower() in lowered:
            return kind
    return None


def flight_number(text: str) -> str | None:
    """Return the number in a text that speaks of a flight number, "" where none stands there."""
    if "flight number" not in text.lower():
        return None
    _, _, after = text.partition(_FLIGHT_NUMBER)
    return after.split(",")[0]


def leg_travelled(day: Day) -> Leg | None:
    """Return the way of a day's transport: what it says, else what the day's city says."""
    return leg_of(day.transportation) or leg_of(day.current_city)


def cost_of_day(day: Day, people: int, database: Database, *, exact: bool = False) -> DayCost:
    """Return what a day costs.

    Args:
        day: The day.
        people: How many travel.
        database: Prices.
        exact: Whether names must be spelled out, as ``CostEnquiry`` wants them, or may be a part
            of an entry's name, as the evaluator reads them.

    The price of a flight is a person's, as is that of a meal; a car takes five people, a taxi
    four; rooms are taken by the night, as many as the travellers need.
    """
    dollars: float = 0
    unknown = []
    if filled(day.transportation):
        price = _transport_cost(day, people, database)
        if price is None:
            unknown.append("transportation")
        dollars += price or 0
    for name in ("breakfast", "lunch", "dinner"):
        text = getattr(day, name)
        if filled(text):
            place = named_place(text)
            meals = entries_named(database.restaurants, place.name, place.city)
            if exact:
                meals = tuple(meal for meal in meals if meal.name == place.name)
            if meals:
                dollars += meals[0].cost * people
            else:
                unknown.append(name)
    if filled(day.accommodation):
        place = named_place(day.accommodation)
        rooms = entries_named(database.accommodations, place.name, place.city)
        if exact:
            rooms = tuple(room for room in rooms if room.name == place.name)
        if rooms:
            dollars += rooms[0].price * math.ceil(people / rooms[0].maximum_occupancy)
        else:
            unknown.append("accommodation")
    return DayCost(dollars, tuple(unknown))


def _transport_cost(day: Day, people: int, database: Database) -> float | None:
    """Return dollars for all travellers, or None where the transport cannot be had."""
    number = flight_number(day.transportation)
    if number is not None:
        flights = database.flights.get(number, ())
        return flights[0].price * people if flights else None
    lowered = day.transportation.lower()
    leg = leg_travelled(day)
    road = database.road(leg.origin, leg.destination) if leg is not None else None
    if "self-driving" in lowered:
        return road.driving_cost * math.ceil(people / _IN_A_CAR) if road else None
    if "taxi" in lowered:
        return road.taxi_cost * math.ceil(people / _IN_A_TAXI) if road else None
    return 0
