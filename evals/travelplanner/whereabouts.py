"""Within current city: what is done on a day is done where one is."""

from __future__ import annotations

from .database import Database
from .plan import MEALS, Plan
from .route import cities_of_day
from .tasks import Trip
from .values import filled, sights_of
from .verdict import PASSED, Verdict, failed

__all__ = ["within_current_city"]


def within_current_city(trip: Trip, plan: Plan, database: Database) -> Verdict:
    """Check that each text names a city of its day: transport all, a bed the last, others any."""
    for number, day in enumerate(plan, 1):
        cities = cities_of_day(day)
        if not cities:
            return failed(f"day {number} says from where to where in no way that can be read")
        # The official evaluator goes through the letters of a lone city's name here, and so
        # accepts nearly any text on a day without travel.
        places = cities if len(cities) == 2 else tuple(cities[0])
        if filled(day.transportation) and not all(city in day.transportation for city in places):
            return failed(f"the transport of day {number} does not go the way of the day")
        texts = [*zip(MEALS, day.meals, strict=True)]
        texts += [("attraction", sight) for sight in sights_of(day.attraction)]
        for name, text in texts:
            if filled(text) and not any(city in text for city in places):
                return failed(f"the {name} of day {number} is elsewhere: {text}")
        if filled(day.accommodation) and places and places[-1] not in day.accommodation:
            return failed(f"the accommodation of day {number} is elsewhere")
    return PASSED
