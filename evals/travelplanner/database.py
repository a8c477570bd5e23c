"""The benchmark's tables, in memory, with the look-ups that the evaluator makes."""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from ...procedures.common.errors import DataError, MissingDataError
from .tasks import data_root

__all__ = [
    "Accommodation",
    "Attraction",
    "Database",
    "Flight",
    "Restaurant",
    "Road",
    "open_database",
]

_MISSING = frozenset({"", "NA", "N/A", "NaN", "nan", "None", "NULL", "null", "n/a", "<NA>"})
"""What a table's reader takes for no value; such rows are dropped, as the official reader does."""
_DRIVING = 0.05
"""Dollars a kilometre of self-driving; a taxi takes one dollar."""


@dataclass(frozen=True, slots=True)
class Accommodation:
    """Where one sleeps; ``price`` in dollars a night and room, ``house_rules`` as they stand."""

    name: str
    city: str
    room_type: str
    price: float
    minimum_nights: float
    rating: float
    house_rules: str
    maximum_occupancy: int


@dataclass(frozen=True, slots=True)
class Restaurant:
    """Where one eats; ``cost`` in dollars a person and meal."""

    name: str
    city: str
    cuisines: str
    cost: int
    rating: float


@dataclass(frozen=True, slots=True)
class Attraction:
    """What one sees."""

    name: str
    city: str
    address: str
    phone: str
    website: str


@dataclass(frozen=True, slots=True)
class Flight:
    """One flight; ``price`` in dollars a person."""

    number: str
    price: int
    departure: str
    arrival: str
    duration: str
    date: str
    origin: str
    destination: str
    distance: float


@dataclass(frozen=True, slots=True)
class Road:
    """A way on the ground that takes less than a day; ``distance`` in kilometres."""

    origin: str
    destination: str
    duration: str
    distance: str
    kilometres: float

    @property
    def driving_cost(self) -> int:
        """Dollars a car."""
        return int(self.kilometres * _DRIVING)

    @property
    def taxi_cost(self) -> int:
        """Dollars a taxi."""
        return int(self.kilometres)


_Named = TypeVar("_Named", Accommodation, Restaurant, Attraction)


@dataclass(frozen=True, slots=True)
class Database:
    """All tables, by the keys that are asked for.

    Attributes:
        accommodations: By city, in the table's order, like ``restaurants`` and ``attractions``.
        restaurants: By city.
        attractions: By city.
        flights: By number; a number may have several rows.
        roads: By origin and destination; only ways that can be gone.
        states: City to state, in the table's order.
    """

    accommodations: Mapping[str, tuple[Accommodation, ...]]
    restaurants: Mapping[str, tuple[Restaurant, ...]]
    attractions: Mapping[str, tuple[Attraction, ...]]
    flights: Mapping[str, tuple[Flight, ...]]
    flights_between: Mapping[tuple[str, str], tuple[Flight, ...]]
    roads: Mapping[tuple[str, str], Road]
    states: Mapping[str, str]

    def road(self, origin: str, destination: str) -> Road | None:
        """Return the way on the ground, if there is one."""
        return self.roads.get((origin, destination))

    def cities_of(self, destination: str) -> list[str]:
        """Return the cities of a state, or the one that has this name."""
        return [city for city, state in self.states.items() if state == destination] or [
            city for city in self.states if city == destination
        ]


def entries_named(
    table: Mapping[str, tuple[_Named, ...]], name: str, city: str
) -> tuple[_Named, ...]:
    """Return a city's entries whose name contains ``name``: so the official evaluator looks up."""
    return tuple(entry for entry in table.get(city, ()) if name in entry.name)


def open_database(root: str | Path | None = None) -> Database:
    """Read the tables, once for each folder.

    Raises:
        MissingDataError: A table is not there.
        DataError: It is not what it should be.
    """
    return _open(str(data_root(root) / "database"))


@lru_cache(maxsize=4)
def _open(folder: str) -> Database:
    base = Path(folder)
    flights = [*_read(base / "flights" / "clean_Flights_2022.csv", _flight)]
    roads = _read(base / "googleDistanceMatrix" / "distance.csv", _road, optional=("cost",))
    return Database(
        accommodations=_by(
            _read(base / "accommodations" / "clean_accommodations_2022.csv", _accommodation),
            lambda entry: entry.city,
        ),
        restaurants=_by(
            _read(base / "restaurants" / "clean_restaurant_2022.csv", _restaurant),
            lambda entry: entry.city,
        ),
        attractions=_by(
            _read(base / "attractions" / "attractions.csv", _attraction), lambda entry: entry.city
        ),
        flights=_by(flights, lambda flight: flight.number),
        flights_between=_by(flights, lambda flight: (flight.origin, flight.destination)),
        roads=_first_roads(roads),
        states=_states(base / "background" / "citySet_with_states.txt"),
    )


_Row = TypeVar("_Row")
_Key = TypeVar("_Key")


def _read(
    file: Path, make: Callable[[Mapping[str, str]], _Row | None], optional: tuple[str, ...] = ()
) -> list[_Row]:
    """Return the rows that have a value in every column."""
    rows = []
    try:
        with file.open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream):
                if any(row[key] in _MISSING for key in row if key not in optional):
                    continue
                made = make(row)
                if made is not None:
                    rows.append(made)
    except OSError as error:
        raise MissingDataError(
            f"{file}: cannot be read ({error.strerror}); set MACLA_DATA to the folder "
            "that holds 'travelplanner'"
        ) from None
    except (AttributeError, KeyError, TypeError, ValueError, csv.Error) as error:
        raise DataError(f"{file}: not the official table, or cut off ({error})") from None
    return rows


def _by(rows: Iterable[_Row], key: Callable[[_Row], _Key]) -> dict[_Key, tuple[_Row, ...]]:
    groups: dict[_Key, list[_Row]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return {value: tuple(group) for value, group in groups.items()}


def _first_roads(roads: Iterable[Road]) -> dict[tuple[str, str], Road]:
    """Return each road that takes less than a day; of two rows the first counts."""
    first: dict[tuple[str, str], Road] = {}
    for road in roads:
        first.setdefault((road.origin, road.destination), road)
    return {key: road for key, road in first.items() if "day" not in road.duration}


def _accommodation(row: Mapping[str, str]) -> Accommodation:
    return Accommodation(
        row["NAME"],
        row["city"],
        row["room type"],
        float(row["price"]),
        float(row["minimum nights"]),
        float(row["review rate number"]),
        row["house_rules"],
        int(row["maximum occupancy"]),
    )


def _restaurant(row: Mapping[str, str]) -> Restaurant:
    return Restaurant(
        row["Name"],
        row["City"],
        row["Cuisines"],
        int(row["Average Cost"]),
        float(row["Aggregate Rating"]),
    )


def _attraction(row: Mapping[str, str]) -> Attraction:
    return Attraction(row["Name"], row["City"], row["Address"], row["Phone"], row["Website"])


def _flight(row: Mapping[str, str]) -> Flight:
    return Flight(
        row["Flight Number"],
        int(row["Price"]),
        row["DepTime"],
        row["ArrTime"],
        row["ActualElapsedTime"],
        row["FlightDate"],
        row["OriginCityName"],
        row["DestCityName"],
        float(row["Distance"]),
    )


def _road(row: Mapping[str, str]) -> Road | None:
    text = row["distance"].replace("km", "").replace(",", "").strip()
    try:
        kilometres = float(text)
    except ValueError:  # metres: the same place twice
        return None
    if not math.isfinite(kilometres):
        return None
    return Road(row["origin"], row["destination"], row["duration"], row["distance"], kilometres)


def _states(file: Path) -> dict[str, str]:
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise MissingDataError(f"{file}: cannot be read ({error.strerror})") from None
    return {city: state for city, _, state in (line.partition("\t") for line in lines) if city}
