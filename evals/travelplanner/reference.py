"""What an agent may know of the world: the tables that concern a trip, as JSON.

The task files do not hold the official reference information, so it is put together from the
database. With the source ``reference`` it tells of the cities of one route, as the official one
does: those of the human plan, or, where there is none, of the two routes that are most likely.
With ``database`` it tells of every city of the destination. Dates, origin and destination are the
task's; of what the travellers want nothing is looked at.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...procedures.common.errors import DataError
from .database import Database
from .plan import read_plan
from .route import cities_of_day
from .tasks import Trip

__all__ = ["SOURCES", "cities_told", "reference_information"]

SOURCES = ("reference", "database")
_MOST_CITIES = 60
"""Cities that are told at most: the largest state has 23."""
_MOST_ROUTES = 50_000


def reference_information(trip: Trip, database: Database, source: str) -> str:
    """Return the tables of a trip as JSON: name of the table to its rows.

    Raises:
        DataError: There is no such source.
    """
    cities = cities_told(trip, database, source)
    around = list(dict.fromkeys([trip.origin, *cities]))
    tables = {
        "cities": [{"city": city, "state": database.states.get(city, "")} for city in cities],
        "flights": list(_flights(around, trip.dates, database)),
        "self-driving": list(_roads(around, database, "driving_cost")),
        "taxi": list(_roads(around, database, "taxi_cost")),
        "restaurants": [
            {
                "Name": entry.name,
                "City": entry.city,
                "Cuisines": entry.cuisines,
                "Average Cost": entry.cost,
                "Aggregate Rating": entry.rating,
            }
            for entry in _of(database.restaurants, cities)
        ],
        "accommodations": [
            {
                "NAME": entry.name,
                "city": entry.city,
                "room type": entry.room_type,
                "house_rules": entry.house_rules,
                "price": entry.price,
                "minimum nights": entry.minimum_nights,
                "maximum occupancy": entry.maximum_occupancy,
                "review rate number": entry.rating,
            }
            for entry in _of(database.accommodations, cities)
        ],
        "attractions": [
            {
                "Name": entry.name,
                "City": entry.city,
                "Address": entry.address,
                "Phone": entry.phone,
                "Website": entry.website,
            }
            for entry in _of(database.attractions, cities)
        ],
    }
    return json.dumps(tables, ensure_ascii=False)


def cities_told(trip: Trip, database: Database, source: str) -> list[str]:
    """Return the cities that are told of.

    Raises:
        DataError: There is no such source.
    """
    if source not in SOURCES:
        raise DataError(f"TravelPlanner has the sources {' and '.join(SOURCES)}, not {source!r}")
    all_cities = [city for city in database.cities_of(trip.destination) if city != trip.origin]
    if trip.destination in database.states and trip.cities == 1:
        all_cities = [trip.destination]
    if source == "database" or trip.cities >= len(all_cities):
        return all_cities[:_MOST_CITIES]
    if trip.human_plan:
        route = [c for day in read_plan(list(trip.human_plan)) for c in cities_of_day(day)]
        return [city for city in dict.fromkeys(route) if city != trip.origin]
    return _likely_cities(trip, all_cities, database)


def _likely_cities(trip: Trip, cities: Sequence[str], database: Database) -> list[str]:
    """Return the cities of two routes: the most flown one, and the shortest by road.

    The table of flights holds just those of the official reference information, so the route with
    a flight on the day of most legs is likely to be the one that speaks of; of several the first in
    the table's order. Where nobody flies the other is as likely.
    """
    nights = (trip.days - 1) // max(1, trip.cities)
    days = [min(trip.days - 1, leg * nights) for leg in range(trip.cities)] + [trip.days - 1]
    dates = [trip.dates[day] if day < len(trip.dates) else "" for day in days]
    complete = [
        city
        for city in cities
        if city in database.restaurants
        and city in database.accommodations
        and city in database.attractions
    ]

    def rank(route: tuple[str, ...]) -> tuple[int, int, float]:
        legs = list(itertools.pairwise((trip.origin, *route, trip.origin)))
        flown = [
            any(flight.date == date for flight in database.flights_between.get(leg, ()))
            for leg, date in zip(legs, dates, strict=True)
        ]
        roads = [database.road(a, b) for a, b in legs]
        cut = sum(road is None and not flying for road, flying in zip(roads, flown, strict=True))
        return cut, -sum(flown), sum(road.kilometres if road else math.inf for road in roads)

    routes = itertools.islice(itertools.permutations(complete or cities, trip.cities), _MOST_ROUTES)
    ranked = [(rank(route), route) for route in routes]
    most_flown = min(ranked, key=lambda each: each[0][:2])[1]
    shortest = min(ranked, key=lambda each: (each[0][0], each[0][2]))[1]
    return list(dict.fromkeys((*most_flown, *shortest)))


def _of(table: Mapping[str, tuple[Any, ...]], cities: Iterable[str]) -> Iterator[Any]:
    for city in cities:
        yield from table.get(city, ())


def _flights(
    cities: Sequence[str], dates: Sequence[str], database: Database
) -> Iterator[dict[str, Any]]:
    for origin, destination in itertools.permutations(cities, 2):
        for flight in database.flights_between.get((origin, destination), ()):
            if flight.date in dates:
                yield {
                    "Flight Number": flight.number,
                    "Price": flight.price,
                    "DepTime": flight.departure,
                    "ArrTime": flight.arrival,
                    "ActualElapsedTime": flight.duration,
                    "FlightDate": flight.date,
                    "OriginCityName": flight.origin,
                    "DestCityName": flight.destination,
                    "Distance": flight.distance,
                }


def _roads(cities: Sequence[str], database: Database, cost: str) -> Iterator[dict[str, Any]]:
    for origin, destination in itertools.permutations(cities, 2):
        road = database.road(origin, destination)
        if road is not None:
            yield {
                "origin": origin,
                "destination": destination,
                "duration": road.duration,
                "distance": road.distance,
                "cost": getattr(road, cost),
            }
