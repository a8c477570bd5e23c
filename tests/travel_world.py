"""An invented country with four cities, in the format of the official tables."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

_TABLES: dict[str, tuple[list[str], list[list[Any]]]] = {
    "accommodations/clean_accommodations_2022.csv": (
        [
            "",
            "NAME",
            "room type",
            "price",
            "minimum nights",
            "review rate number",
            "house_rules",
            "maximum occupancy",
            "city",
        ],
        [
            [0, "Cosy loft", "Private room", 80.0, 1.0, 4.0, "No pets & No parties", 2, "Brill"],
            [1, "Villa", "Entire home/apt", 210.0, 2.0, 5.0, "No smoking", 4, "Brill"],
            [2, "Bunk", "Shared room", 20.0, 1.0, 3.0, "No visitors", 1, "Brill"],
            [3, "Barn", "Entire home/apt", 90.0, 1.0, 3.0, "No parties", 6, "Crome"],
            [4, "Unruled", "Entire home/apt", 9.0, 1.0, 3.0, "", 6, "Crome"],
        ],
    ),
    "restaurants/clean_restaurant_2022.csv": (
        ["", "Name", "City", "Cuisines", "Average Cost", "Aggregate Rating"],
        [
            [i, f"{city} diner {i}", city, kind, 10 + i, 4.0]
            for city in ("Brill", "Crome", "Arden")
            for i, kind in enumerate(["Tea, Pizza", "French, BBQ", "Mexican", "Indian", "Cafe"] * 2)
        ],
    ),
    "attractions/attractions.csv": (
        ["Name", "Latitude", "Longitude", "Address", "Phone", "Website", "City"],
        [
            [f"{city} museum {i}", 1.5, 2.5, f"{i} Road, {city}", "1", "http://x", city]
            for city in ("Brill", "Crome")
            for i in range(5)
        ],
    ),
    "flights/clean_Flights_2022.csv": (
        [
            "Flight Number",
            "Price",
            "DepTime",
            "ArrTime",
            "ActualElapsedTime",
            "FlightDate",
            "OriginCityName",
            "DestCityName",
            "Distance",
        ],
        [
            ["F1", 100, "08:00", "09:00", "1 hours", "2022-03-01", "Arden", "Brill", 400.0],
            ["F2", 120, "18:00", "19:00", "1 hours", "2022-03-03", "Brill", "Arden", 400.0],
        ],
    ),
    "googleDistanceMatrix/distance.csv": (
        ["origin", "destination", "cost", "duration", "distance"],
        [
            [a, b, "", "2 hours", "190 km"]
            for a in ("Arden", "Brill", "Crome")
            for b in ("Arden", "Brill", "Crome")
            if a != b
        ]
        + [["Arden", "Dole", "", "1 day 2 hours", "2,100 km"], ["Dole", "Arden", "", "", ""]],
    ),
}


def task(**changes: Any) -> dict[str, Any]:
    """Return a task: three days from Arden to Brill for two."""
    document: dict[str, Any] = {
        "idx": 0,
        "org": "Arden",
        "dest": "Brill",
        "days": 3,
        "visiting_city_number": 1,
        "date": ["2022-03-01", "2022-03-02", "2022-03-03"],
        "people_number": 2,
        "local_constraint": {
            "house rule": None,
            "cuisine": None,
            "room type": None,
            "transportation": None,
        },
        "budget": 1000,
        "query": "Plan 3 days from Arden to Brill for two, from March 1st to March 3rd, 2022.",
        "level": "easy",
    }
    wishes = changes.pop("wishes", {})
    document["local_constraint"] |= wishes
    return document | changes


def good_plan() -> list[dict[str, Any]]:
    """Return a plan that passes everything: 2·(100+120) + 2·80 + 2·(meals) dollars."""
    return [
        {
            "days": 1,
            "current_city": "from Arden to Brill",
            "transportation": "Flight Number: F1, from Arden to Brill",
            "breakfast": "-",
            "attraction": "-",
            "lunch": "-",
            "dinner": "Brill diner 0, Brill",
            "accommodation": "Cosy loft, Brill",
        },
        {
            "days": 2,
            "current_city": "Brill",
            "transportation": "-",
            "breakfast": "Brill diner 1, Brill",
            "attraction": "Brill museum 0, Brill;Brill museum 1, Brill;",
            "lunch": "Brill diner 2, Brill",
            "dinner": "Brill diner 3, Brill",
            "accommodation": "Cosy loft, Brill",
        },
        {
            "days": 3,
            "current_city": "from Brill to Arden",
            "transportation": "Flight Number: F2, from Brill to Arden",
            "breakfast": "Brill diner 4, Brill",
            "attraction": "-",
            "lunch": "-",
            "dinner": "-",
            "accommodation": "-",
        },
    ]


def write_world(root: Path, *tasks: dict[str, Any]) -> Path:
    """Write tables and tasks (as ``train.json``) below a data root, and return it."""
    base = root / "travelplanner"
    for name, (header, rows) in _TABLES.items():
        file = base / "database" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([header, *rows])
    background = base / "database" / "background"
    background.mkdir(parents=True, exist_ok=True)
    states = {"Arden": "Westmark", "Brill": "Eastmark", "Crome": "Eastmark", "Dole": "Westmark"}
    lines = "\n".join(f"{city}\t{state}" for city, state in states.items())
    (background / "citySet_with_states.txt").write_text(lines, encoding="utf-8")
    (base / "train.json").write_text(json.dumps(list(tasks or (task(),))), encoding="utf-8")
    return root
