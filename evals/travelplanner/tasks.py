"""Tasks: what was asked, and what only the evaluator reads."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...adapters.missing_split import no_file
from ...procedures.common.errors import DataError, MissingDataError
from .plan import Plan, read_plan

__all__ = ["SPLITS", "Trip", "data_root", "read_trips", "trips_of_split"]

SPLITS: Mapping[str, str] = {"train": "train.json", "dev": "validation_half.json"}
_FOLDS = 3
"""The folds of the train tasks, ``fold0`` to ``fold2`` (and ``notfold0`` …): each third task."""
_MOST_BYTES = 256 * 1_048_576


@dataclass(frozen=True, slots=True)
class Trip:
    """One task.

    The agent reads ``query`` and nothing else.

    Attributes:
        id: Name of the task.
        query: The sentence.
        origin: City of departure.
        destination: A city for trips of up to three days, else a state.
        days: How many days.
        cities: How many cities are to be visited.
        dates: Of each day, ``2022-03-16``.
        people: How many travel.
        budget: In dollars.
        house_rule: ``smoking``, ``pets``, …: what has to be allowed; or None.
        cuisines: What has to be eaten.
        room_type: ``private room``, ``not shared room``, …, or None.
        transportation: ``no flight``, ``no self-driving``, or None.
        level: ``easy``, ``medium`` or ``hard``.
        human_plan: How a person solved it; () where nobody did.
    """

    id: str
    query: str
    origin: str
    destination: str
    days: int
    cities: int
    dates: tuple[str, ...]
    people: int
    budget: float
    house_rule: str | None = None
    cuisines: tuple[str, ...] = ()
    room_type: str | None = None
    transportation: str | None = None
    level: str = ""
    human_plan: tuple[Mapping[str, Any], ...] = ()

    @property
    def wishes(self) -> int:
        """How many requirements there are beside the budget."""
        return sum(map(bool, (self.house_rule, self.cuisines, self.room_type, self.transportation)))


def data_root(argument: str | Path | None = None) -> Path:
    """Return the folder of the benchmark: below the argument, ``$MACLA_DATA`` or the default."""
    chosen = argument or os.environ.get("MACLA_DATA") or "~/.cache/macla/bench"
    return Path(chosen).expanduser() / "travelplanner"


def trips_of_split(split: str, root: str | Path | None = None) -> list[Trip]:
    """Return the tasks of a split.

    Args:
        split: ``train``, ``dev``, ``fold0`` to ``fold2`` (every third train task), ``notfold0`` to
            ``notfold2`` (the other train tasks), or a JSON file like those.
        root: The data root.

    Raises:
        MissingDataError: The data is not there.
        DataError: There is no such split, or it is not what it should be.
    """
    if split in SPLITS:
        return read_trips(data_root(root) / SPLITS[split])
    for number in range(_FOLDS):
        if split in (f"fold{number}", f"notfold{number}"):
            trips = trips_of_split("train", root)
            inside = not split.startswith("not")
            return [trip for i, trip in enumerate(trips) if (i % _FOLDS == number) is inside]
    if os.path.isfile(os.path.expanduser(split)):
        return read_trips(Path(split).expanduser())
    raise DataError(
        f"no split {split[:200]!r} of travelplanner; there are train, dev, fold0 to fold"
        f"{_FOLDS - 1}, notfold0 to notfold{_FOLDS - 1}, and JSON files in the format of train.json"
        f"{no_file(split)}"
    )


def read_trips(file: Path) -> list[Trip]:
    """Read a file of tasks.

    Raises:
        MissingDataError: It is not there.
        DataError: It is no list of tasks; the message names the task and the field.
    """
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise DataError(f"{file}: larger than {_MOST_BYTES:,} bytes; split it")
        documents = json.loads(file.read_bytes())
    except OSError as error:
        raise MissingDataError(
            f"{file}: cannot be read ({error.strerror}); set MACLA_DATA to the folder "
            "that holds 'travelplanner'"
        ) from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"{file}: no JSON ({str(error)[:100]})") from None
    if not isinstance(documents, list) or not documents:
        raise DataError(f"{file}: is no list of tasks")
    trips = [_checked_trip(document, number, file) for number, document in enumerate(documents)]
    if len({trip.id for trip in trips}) < len(trips):
        raise DataError(f"{file}: two tasks have one idx; number them")
    return trips


def _checked_trip(document: Any, number: int, file: Path) -> Trip:
    try:
        return _trip(document, number)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        match error:
            case KeyError():
                what = f"{error} is missing"
            case TypeError() | AttributeError():
                what = "a field is of another type than in train.json"
            case _:
                what = str(error)[:200]
        raise DataError(f"{file}: task {number} is not in the format: {what}") from None


def _trip(document: Any, number: int) -> Trip:
    if not isinstance(document, dict):
        raise ValueError("a task is an object with query, org, dest and so on")
    wishes = document["local_constraint"]
    plan = document.get("annotated_plan")
    query = document["query"]
    if not isinstance(query, str) or not query.strip():
        raise ValueError("query is no text")
    return Trip(
        id=str(document.get("idx", number)),
        query=query,
        origin=_name(document, "org"),
        destination=_name(document, "dest"),
        days=_count(document, "days"),
        cities=_count(document, "visiting_city_number"),
        dates=_dates(document),
        people=_count(document, "people_number"),
        budget=_budget(document),
        house_rule=wishes["house rule"],
        cuisines=tuple(wishes["cuisine"] or ()),
        room_type=wishes["room type"],
        transportation=wishes["transportation"],
        level=str(document.get("level", "")),
        human_plan=_human_plan(plan) if plan else (),
    )


def _count(document: Mapping[str, Any], key: str) -> int:
    text = str(document[key])
    value = int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0
    if not 1 <= value <= 1_000:
        raise ValueError(f"{key} must be a whole number from 1 to 1000, not {text[:40]!r}")
    return value


def _name(document: Mapping[str, Any], key: str) -> str:
    name = document[key]
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"{key} must be the name of a place, not {str(name)[:40]!r}")
    return name


def _dates(document: Mapping[str, Any]) -> tuple[str, ...]:
    dates, days = document["date"], _count(document, "days")
    if not isinstance(dates, list) or len(dates) != days:
        raise ValueError(f"date must be a list of {days} dates, one for each of the days")
    return tuple(map(str, dates))


def _budget(document: Mapping[str, Any]) -> float:
    budget = float(document["budget"])
    if not 0 <= budget < math.inf:
        raise ValueError(f"budget must be a sum of money, not {budget}")
    return budget


def _human_plan(value: Sequence[Any]) -> tuple[Mapping[str, Any], ...]:
    """Return the days that are planned; the file pads them with empty records."""
    days = [day for day in value[1] if day]
    _: Plan = read_plan(days)
    return tuple(days)
