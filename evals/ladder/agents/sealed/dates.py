"""Kind 12: a rule on days: no weekends, nothing in the past, two days ahead."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta

from ...names import CITIES
from ..kinds import Draw, Kind, Scene, Talk, Work
from ..office import Planted

__all__ = ["BOOK_VISIT"]

_TODAY = re.compile(r"Today is (\d{4}-\d\d-\d\d)")
_AHEAD = 2
_SATURDAY = 5


def _scene(draw: Draw, different: bool) -> Scene:
    today = date(2026, 3, 2) + timedelta(days=7 * draw.number + draw.rng.randint(0, 4))
    offsets = {
        "ordinary": [n for n in range(_AHEAD, 25) if _works(today + timedelta(days=n))],
        "weekend": [n for n in range(_AHEAD, 25) if not _works(today + timedelta(days=n))],
        "past": [n for n in range(-20, 0) if _works(today + timedelta(days=n))],
        "soon": [n for n in range(_AHEAD) if _works(today + timedelta(days=n))],
    }
    unusual = draw.scheduled(("weekend", "past", "soon", "weekend"))
    sort = unusual if different and offsets[unusual] else "weekend" if different else "ordinary"
    day = today + timedelta(days=draw.choice(offsets[sort]))
    name, number = draw.person(), draw.identifier("N")
    record = {"id": number, "name": name, "city": draw.choice(CITIES)}
    planted = Planted(rows=(("customers", name, record),))
    values = {"customer": name, "day": day.isoformat()}
    return Scene(values, planted, f"Today is {today.isoformat()}.")


def _works(day: date) -> bool:
    return day.weekday() < _SATURDAY


def _work(values: Mapping[str, str], talk: Talk) -> Work:
    name, day = values["customer"], date.fromisoformat(values["day"])
    record = yield "find_customer", {"name": name}
    today = _TODAY.search(talk.system)
    if not _works(day):
        return f"No visit to {name} is booked: {day} is on a weekend."
    if today is None or day < date.fromisoformat(today[1]):
        return f"No visit to {name} is booked: {day} is over."
    if day < date.fromisoformat(today[1]) + timedelta(days=_AHEAD):
        return f"No visit to {name} is booked: {day} is too soon."
    body = {"customer": record["id"], "day": values["day"]}
    yield "http_post", {"path": "/visits", "body": body}
    return f"A visit to {name} in {record['city']} is booked for {day}."


BOOK_VISIT = Kind(
    12,
    "a rule on dates",
    (
        "Book a visit to {customer} on {day}.",
        "On {day} somebody should visit {customer}, book that.",
        "{customer} expects a visit on {day}, please enter it.",
    ),
    _scene,
    _work,
)
