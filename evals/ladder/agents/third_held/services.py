"""Kinds 87 to 90: a utility, human resources, a car workshop and a town hall."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from ..days import drawn_day, later
from ..desks import Desk, Fault, planted
from ..kinds import Draw, Kind, Scene, Talk, Work

__all__ = ["BOOK_READING", "ENTER_LEAVE", "ISSUE_PERMIT", "ORDER_PART"]


# ------------------------------------------------------------------ 87: a reading and the last
def _reading(draw: Draw, different: bool) -> Scene:
    meter, last = draw.identifier("MTR"), draw.rng.randint(2000, 60000)
    yearly = draw.rng.randint(1500, 4500)
    value, unit = last + draw.rng.randint(200, yearly), "kWh"
    record: dict[str, Any] = {
        "meter": meter,
        "unit": "kWh",
        "last": {"value": last, "on": f"2025-{draw.rng.randint(1, 12):02d}-15"},
        "yearly": yearly,
        "state": "in use",
    }
    if different:
        case = draw.scheduled(("lower", "jump", "unit", "replaced", "removed", "zero"))
        if case == "lower":
            value = last - draw.rng.randint(1, 900)
        elif case == "jump":
            value = last + 3 * yearly + draw.rng.randint(1, 9000)
        elif case == "unit":
            unit = "m3"
        elif case == "replaced":
            record["replaced_by"] = draw.identifier("MTR")
        elif case == "removed":
            record["state"] = "removed"
        else:
            value = 0
    values = {"meter": meter, "reading": f"{value:,} {unit}"}
    return Scene(values, planted({("get_meter", meter): record}))


def _book_reading(values: Mapping[str, str], talk: Talk) -> Work:
    meter, (figure, unit) = values["meter"], values["reading"].split()
    value = int(figure.replace(",", ""))
    record = yield "get_meter", {"meter": meter}
    if "replaced_by" in record:
        return f"{meter} was replaced by {record['replaced_by']}; which one was read?"
    if record["state"] != "in use":
        return f"{meter} is {record['state']}."
    if unit != record["unit"]:
        return f"{meter} counts {record['unit']}, not {unit}."
    used = value - record["last"]["value"]
    if used < 0 or used > 3 * record["yearly"]:
        yield "order_visit", {"meter": meter, "reading": value}
        return f"{values['reading']} does not fit {meter}, somebody comes to read it."
    yield "book_reading", {"meter": meter, "reading": {"value": value, "unit": unit}}
    return f"{values['reading']} are booked for {meter}."


BOOK_READING = Kind(
    87,
    "a figure of the task below, or far above, one of the record; another unit; a new field",
    (
        "Book the reading {reading} for meter {meter}.",
        "New reading of {meter}: {reading}.",
        "{reading} was read off {meter} by the customer.",
    ),
    _reading,
    _book_reading,
    desks=(
        Desk("get_meter", "Look up a meter.", {"meter": str}),
        Desk("book_reading", "Book a reading.", {"meter": str, "reading": dict}, True),
        Desk("order_visit", "Send a reader.", {"meter": str, "reading": int}, True),
    ),
)


# ------------------------------------------------------------------ 88: days that are left
def _leave(draw: Draw, different: bool) -> Scene:
    employee, first = draw.identifier("HR"), drawn_day(draw)
    last = first + timedelta(days=draw.rng.randint(0, 6))
    length = (last - first).days + 1
    left = draw.rng.randint(length, 30)
    taken: list[dict[str, str]] = [
        {"from": later(first, -shift), "to": later(first, 3 - shift), "state": "approved"}
        for shift in draw.rng.sample((20, 40, 60, 80), draw.rng.randint(0, 3))
    ]
    away = draw.rng.sample(("Ibsen", "Marek", "Tanaka", "Silva"), draw.rng.randint(0, 1))
    extra = draw.choice(("", "", "Thank you.", "It was agreed in the team."))
    if different:
        case = draw.scheduled(("few", "overlap", "away", _NOT_LAST, _PROVISIONAL, "probation"))
        if case == "few":
            left = draw.rng.randint(-1, length - 1)
        elif case == "overlap":
            taken.append({"from": later(last, 0), "to": later(last, 2), "state": "approved"})
        elif case == "away":
            away = ["Ibsen", "Marek", "Tanaka"]
        elif case in (_NOT_LAST, _PROVISIONAL):
            extra = case
            last = first + timedelta(days=max(length - 1, 2))
            left = 25
    record: dict[str, Any] = {"employee": employee, "days_left": left, "team": f"T-{employee[-2:]}"}
    if different and case == "probation":
        record["probation_until"] = later(last, 30)
    answers = {
        ("get_leave", employee): record,
        ("list_leave", employee): {"rows": taken, "count": len(taken)},
        ("who_is_away", record["team"]): away,
    }
    values = {"employee": employee, "first": first.isoformat(), "last": last.isoformat()}
    return Scene({**values, "ending": extra}, planted(answers))


_NOT_LAST = "The last day is not needed after all."
_PROVISIONAL = "Just check it, do not enter anything yet."


def _enter_leave(values: Mapping[str, str], talk: Talk) -> Work:
    employee, first, last = values["employee"], values["first"], values["last"]
    ending = values.get("ending", "")
    if ending == _NOT_LAST:
        last = later(date.fromisoformat(last), -1)
    length = (date.fromisoformat(last) - date.fromisoformat(first)).days + 1
    record = yield "get_leave", {"employee": employee}
    if "probation_until" in record:
        return f"{employee} is on probation until {record['probation_until']}, ask the manager."
    if record["days_left"] < length:
        return f"{employee} has {record['days_left']} days left, {length} were asked for."
    taken = yield "list_leave", {"employee": employee}
    if any(each["from"] <= last and first <= each["to"] for each in taken["rows"]):
        return f"{employee} is on leave in these days already."
    away = yield "who_is_away", {"team": record["team"]}
    if len(away) > 2:
        yield "ask_team_lead", {"team": record["team"], "employee": employee}
        return f"{len(away)} of {record['team']} are away then, the team lead was asked."
    if ending == _PROVISIONAL:
        return f"{employee} could have leave from {first} to {last}."
    yield "enter_leave", {"employee": employee, "period": {"from": first, "to": last}}
    return f"{employee} is on leave from {first} to {last}."


ENTER_LEAVE = Kind(
    88,
    "a span against days left and other spans, the length of a list, a wish behind the task",
    (
        "Enter leave for {employee} from {first} to {last}.",
        "{employee} is on holiday from {first} until {last}.",
        "Leave request of {employee}: {first} to {last}.",
    ),
    _leave,
    _enter_leave,
    desks=(
        Desk("get_leave", "Look up how many days are left.", {"employee": str}),
        Desk("list_leave", "List the leave that is entered.", {"employee": str}),
        Desk("who_is_away", "List who of a team is away.", {"team": str}),
        Desk("enter_leave", "Enter leave.", {"employee": str, "period": dict}, True),
        Desk("ask_team_lead", "Ask the team lead.", {"team": str, "employee": str}, True),
    ),
    endings=("Thank you.", "It was agreed in the team.", _NOT_LAST, _PROVISIONAL),
)


# ------------------------------------------------------------------ 89: prose and faults
def _part(draw: Draw, different: bool) -> Scene:
    part, job = draw.identifier("PN"), draw.identifier("JOB")
    ceiling, price = draw.rng.randrange(300, 900, 50), draw.rng.randint(20, 290)
    brand = draw.choice(("Alto", "Brio", "Corvo"))
    fits, state, more = [brand, "Dart"], "in progress", ""
    if different:
        case = draw.scheduled(("dear", "brand", "closed", "gone", "replaced", "waiting"))
        if case == "dear":
            price = ceiling + draw.rng.randint(5, 300)
        elif case == "brand":
            fits = ["Dart"]
        elif case == "closed":
            state = "closed"
        elif case == "waiting":
            more = "\nThe customer wants to be called before anything is ordered."
    text = (
        f"{job} ({state})\nCar: {brand} {draw.rng.randint(2009, 2025)}\nAgreed up to {ceiling} EUR"
    )
    shown: Any = {"part": part, "fits": fits, "price": f"{price}.00 EUR", "stock": "supplier"}
    other = draw.identifier("PN")
    if different and case == "gone":
        shown = Fault(f"part {part} is not made any more")
    elif different and case == "replaced":
        shown = Fault(f"part {part} was replaced by {other}")
    substitute = {**shown, "part": other} if isinstance(shown, dict) else None
    answers: dict[tuple[str, str], Any] = {
        ("show_job", job): text + more,
        ("look_up_part", part): shown,
        ("look_up_part", other): substitute
        or {"part": other, "fits": fits, "price": f"{price}.00 EUR", "stock": "supplier"},
    }
    return Scene({"part": part, "job": job}, planted(answers))


def _order_part(values: Mapping[str, str], talk: Talk) -> Work:
    part, job = values["part"], values["job"]
    text = str((yield "show_job", {"job": job}))
    if "(in progress)" not in text:
        return f"{job} is closed, no part is ordered for it."
    if "wants to be called" in text:
        yield "note_call", {"job": job}
        return f"The customer of {job} is called before {part} is ordered."
    shown = yield "look_up_part", {"part": part}
    if isinstance(shown, str):
        other = re.search(r"replaced by (\w+)", shown)
        if other is None:
            return f"{part} is not to be had any more."
        part = other.group(1)
        shown = yield "look_up_part", {"part": part}
    brand = re.findall(r"Car: (\w+)", text)[0]
    if brand not in shown["fits"]:
        return f"{part} does not fit a {brand}."
    if float(shown["price"].split()[0]) > int(re.findall(r"up to (\d+) EUR", text)[0]):
        yield "note_call", {"job": job}
        return f"{part} costs {shown['price']}, the customer of {job} is called."
    yield "order_part", {"part": part, "job": job}
    return f"{part} is ordered for {job}."


ORDER_PART = Kind(
    89,
    "a price against what prose allows, a car not in a list, a fault that names another part",
    (
        "Order part {part} for {job}.",
        "{job} needs the part {part}.",
        "The mechanic wants {part} for {job}, please order it.",
    ),
    _part,
    _order_part,
    desks=(
        Desk("show_job", "Show a job of the workshop.", {"job": str}),
        Desk("look_up_part", "Look up a part.", {"part": str}),
        Desk("order_part", "Order a part.", {"part": str, "job": str}, True),
        Desk("note_call", "Note that a customer is to be called.", {"job": str}, True),
    ),
)


# ------------------------------------------------------------------ 90: keeper and resident
def _permit(draw: Draw, different: bool) -> Scene:
    name, plate = draw.person(), f"{draw.choice('ABKM')}-{draw.identifier('')}"
    zone = draw.choice(("north", "harbour", "old town"))
    people: list[dict[str, Any]] = [
        {"resident": draw.identifier("RS"), "name": name, "zone": zone, "permits": []}
    ]
    first, last = name.split()
    car: dict[str, Any] = {
        "plate": plate,
        "keeper": f"{last.upper()}, {first}",
        "weight_kg": draw.rng.randint(900, 2600),
        "emission": draw.choice(("euro 5", "euro 6", "electric")),
    }
    free = draw.rng.randint(1, 60)
    if different:
        case = draw.scheduled(("keeper", "two", "heavy", "full", "second", "weight"))
        if case == "keeper":
            car["keeper"] = f"{draw.person().split()[1].upper()}-OTT, {first}"
        elif case == "two":
            people.append({**people[0], "resident": draw.identifier("RS")})
        elif case == "heavy":
            car["weight_kg"] = draw.rng.randint(3501, 7000)
        elif case == "full":
            free = draw.choice((0, -2))
        elif case == "second":
            people[0]["permits"] = [f"A-{draw.identifier('')}"]
        else:
            car["emission"] = "unknown"
    answers = {
        ("find_residents", name): people,
        ("get_vehicle", plate): car,
        ("get_zone", zone): {"zone": zone, "free": free, "fee": {"amount": 30, "currency": "EUR"}},
    }
    written = draw.choice((plate, plate.lower(), plate.replace("-", " ")))
    return Scene({"name": name, "plate": written}, planted(answers))


def _issue_permit(values: Mapping[str, str], talk: Talk) -> Work:
    name, plate = values["name"], values["plate"].upper().replace(" ", "-")
    people = yield "find_residents", {"name": name}
    if len(people) > 1:
        return f"Which {name} is it: {' or '.join(each['resident'] for each in people)}?"
    person = people[0]
    car = yield "get_vehicle", {"plate": plate}
    first, last = name.split()
    if car["keeper"] != f"{last.upper()}, {first}":
        return f"{plate} is kept by {car['keeper']}, not by {name}."
    if car["weight_kg"] > 3500:
        return f"{plate} is too heavy for a permit."
    if car["emission"] == "unknown":
        yield "ask_proof", {"resident": person["resident"], "plate": plate}
        return f"{name} has to show how clean {plate} is."
    place = yield "get_zone", {"zone": person["zone"]}
    if place["free"] < 1:
        return f"There is no permit left in {person['zone']}."
    if person["permits"]:
        yield "put_on_list", {"resident": person["resident"]}
        return f"{name} has a permit already and is on the list for a second one."
    yield "issue_permit", {"resident": person["resident"], "plate": plate, "zone": person["zone"]}
    return f"{plate} may park in {person['zone']}."


ISSUE_PERMIT = Kind(
    90,
    "a name in two forms, two of a name, a list that is not empty, zero and less, a limit",
    (
        "Issue a parking permit to {name} for {plate}.",
        "{name} wants to park {plate} at home, a permit please.",
        "Resident {name} with the car {plate} needs a permit.",
    ),
    _permit,
    _issue_permit,
    desks=(
        Desk("find_residents", "Find residents by name.", {"name": str}),
        Desk("get_vehicle", "Look up a vehicle by its plate.", {"plate": str}),
        Desk("get_zone", "Look up a parking zone.", {"zone": str}),
        Desk(
            "issue_permit",
            "Issue a permit.",
            {"resident": str, "plate": str, "zone": str},
            True,
        ),
        Desk("ask_proof", "Ask for a proof.", {"resident": str, "plate": str}, True),
        Desk("put_on_list", "Put somebody on the list.", {"resident": str}, True),
    ),
)
