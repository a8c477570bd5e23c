"""Kinds 51 to 55: a clinic, a laboratory, a pharmacy and a school."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...desks import Desk, planted
from ...kinds import Draw, Kind, Scene, Talk, Work

__all__ = ["ANALYSE", "APPOINTMENT", "HAND_OUT", "REGISTER", "TRIP"]

_INSURERS = ("Alba", "Borea", "Corona", "Delphi", "Etna", "Fides", "Gaia")


# ------------------------------------------------------------------ 51: membership
def _patient(draw: Draw, different: bool) -> Scene:
    patient, doctor = draw.identifier("PT"), draw.identifier("DR")
    accepted = draw.rng.sample(_INSURERS, draw.rng.randint(2, 4))
    insurer = draw.choice(accepted)
    if different:
        insurer = draw.choice([each for each in _INSURERS if each not in accepted])
    answers = {
        ("get_patient", patient): {"patient": patient, "insurer": insurer},
        ("get_doctor", doctor): {"doctor": doctor, "insurers": accepted},
    }
    return Scene({"patient": patient, "doctor": doctor}, planted(answers))


def _appointment(values: Mapping[str, str], talk: Talk) -> Work:
    patient, doctor = values["patient"], values["doctor"]
    person = yield "get_patient", {"patient": patient}
    practice = yield "get_doctor", {"doctor": doctor}
    if person["insurer"] not in practice["insurers"]:
        return f"{doctor} does not work with {person['insurer']}."
    yield "book_visit", {"patient": patient, "doctor": doctor}
    return f"{patient} has an appointment with {doctor}."


APPOINTMENT = Kind(
    51,
    "a value of one record in the list of another",
    (
        "Make an appointment for {patient} with {doctor}.",
        "{patient} would like to see {doctor}.",
        "When can {patient} come to {doctor}? Just book it.",
    ),
    _patient,
    _appointment,
    desks=(
        Desk("get_patient", "Look up a patient.", {"patient": str}),
        Desk("get_doctor", "Look up a doctor.", {"doctor": str}),
        Desk("book_visit", "Book a visit.", {"patient": str, "doctor": str}, True),
    ),
)


# ------------------------------------------------------------------ 52: days between two dates
_MATERIALS = {"blood": 2, "tissue": 6}


def _sample(draw: Draw, different: bool) -> Scene:
    sample, material = draw.identifier("SM"), draw.choice(tuple(_MATERIALS))
    day, month = draw.rng.randint(1, 18), draw.rng.randint(1, 9)
    age = draw.rng.randint(0, _MATERIALS[material])
    if different:
        age = _MATERIALS[material] + draw.scheduled((1, 3, 2))
    record = {
        "sample": sample,
        "material": material,
        "taken": f"2026-0{month}-{day:02}",
        "arrived": f"2026-0{month}-{day + age:02}",
    }
    return Scene({"sample": sample}, planted({("get_sample", sample): record}))


def _analyse(values: Mapping[str, str], talk: Talk) -> Work:
    sample = values["sample"]
    record = yield "get_sample", {"sample": sample}
    age = int(record["arrived"][-2:]) - int(record["taken"][-2:])
    if age > _MATERIALS[record["material"]]:
        return f"{sample} is too old: {age} days."
    yield "start_analysis", {"sample": sample}
    return f"The analysis of {sample} has begun."


ANALYSE = Kind(
    52,
    "days between two dates of a record, with a limit for each material",
    (
        "Analyse {sample}.",
        "Sample {sample} is here, please start.",
        "Begin the analysis of {sample}.",
    ),
    _sample,
    _analyse,
    desks=(
        Desk("get_sample", "Look up a sample.", {"sample": str}),
        Desk("start_analysis", "Start an analysis.", {"sample": str}, True),
    ),
)


# ------------------------------------------------------------------ 53: figures, other units
def _prescription(draw: Draw, different: bool) -> Scene:
    paper, drug = draw.identifier("RX"), draw.identifier("MD")
    dose = draw.choice((5, 10, 20, 40, 50))
    first: dict[str, Any] = {"paper": paper, "drug": drug, "dose": dose, "unit": "mg"}
    second: dict[str, Any] = {"drug": drug, "highest": draw.choice((50, 60, 80)), "unit": "mg"}
    second["stock"] = draw.rng.randint(3, 60)
    if different:
        cases: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = (
            ({"dose": second["highest"] + draw.choice((1, 10, 30))}, {}),
            ({"unit": "g"}, {}),
            ({}, {"stock": 0}),
            ({}, {"unit": "ug"}),
            ({"Repeat": "not before June"}, {}),
        )
        mine, theirs = draw.scheduled(cases)
        first, second = {**first, **mine}, {**second, **theirs}
    answers = {("get_prescription", paper): first, ("get_drug", drug): second}
    return Scene({"paper": paper}, planted(answers))


def _hand_out(values: Mapping[str, str], talk: Talk) -> Work:
    paper = values["paper"]
    first = yield "get_prescription", {"paper": paper}
    if "Repeat" in first:
        return f"{paper}: {first['Repeat']}."
    second = yield "get_drug", {"drug": first["drug"]}
    if first["unit"] != second["unit"]:
        return f"{paper} is in {first['unit']}, {first['drug']} in {second['unit']}."
    if first["dose"] > second["highest"]:
        return f"The dose of {paper} is too high."
    if second["stock"] < 1:
        return f"{first['drug']} is out of stock."
    yield "hand_out", {"drug": first["drug"], "dose": first["dose"]}
    return f"{first['drug']} was handed out."


HAND_OUT = Kind(
    53,
    "orders and equalities of figures with units, and a field that is new",
    (
        "Hand out what {paper} says.",
        "A customer brings {paper}.",
        "Please fill prescription {paper}.",
    ),
    _prescription,
    _hand_out,
    desks=(
        Desk("get_prescription", "Look up a prescription.", {"paper": str}),
        Desk("get_drug", "Look up a drug.", {"drug": str}),
        Desk("hand_out", "Hand out a drug.", {"drug": str, "dose": int}, True),
    ),
)


# ------------------------------------------------------------------ 54: two fields together
def _pupil(draw: Draw, different: bool) -> Scene:
    pupil, trip = draw.identifier("PU"), draw.identifier("TR")
    abroad, passport = draw.choice(((True, True), (False, True), (False, False)))
    if different:
        abroad, passport = True, False
    answers = {
        ("get_pupil", pupil): {
            "pupil": pupil,
            "passport": passport,
            "age": draw.choice((8, 9, 10)),
        },
        ("get_trip", trip): {"trip": trip, "abroad": abroad, "days": draw.choice((2, 3, 5))},
    }
    return Scene({"pupil": pupil, "trip": trip}, planted(answers))


def _trip(values: Mapping[str, str], talk: Talk) -> Work:
    pupil, trip = values["pupil"], values["trip"]
    child = yield "get_pupil", {"pupil": pupil}
    journey = yield "get_trip", {"trip": trip}
    if journey["abroad"] and not child["passport"]:
        return f"{pupil} needs a passport for {trip}."
    yield "enrol", {"pupil": pupil, "trip": trip}
    return f"{pupil} goes on {trip}."


TRIP = Kind(
    54,
    "an exception that holds in two fields together",
    (
        "Put {pupil} on the list for {trip}.",
        "{pupil} comes along on {trip}.",
        "Enrol {pupil} for {trip}, please.",
    ),
    _pupil,
    _trip,
    desks=(
        Desk("get_pupil", "Look up a pupil.", {"pupil": str}),
        Desk("get_trip", "Look up a school trip.", {"trip": str}),
        Desk("enrol", "Put a pupil on the list of a trip.", {"pupil": str, "trip": str}, True),
    ),
)


# ------------------------------------------------------------------ 55: the same name twice
def _newcomer(draw: Draw, different: bool) -> Scene:
    name, course = f"{draw.person()} {draw.identifier('')}", draw.identifier("CO")
    pupils: list[dict[str, Any]] = [{"pupil": draw.identifier("PU"), "class": draw.choice("ab")}]
    seats = draw.rng.randint(1, 12)
    if different:
        case = draw.scheduled(("two", "full", "nobody"))
        if case == "two":
            pupils.insert(draw.rng.randint(0, 1), {**pupils[0], "pupil": draw.identifier("PU")})
        elif case == "nobody":
            pupils = []
        else:
            seats = 0
    answers = {
        ("search_pupils", name): pupils,
        ("get_course", course): {"course": course, "free": seats},
    }
    return Scene({"name": name, "course": course}, planted(answers))


def _register(values: Mapping[str, str], talk: Talk) -> Work:
    name, course = values["name"], values["course"]
    pupils = yield "search_pupils", {"name": name}
    if not pupils:
        return f"Nobody is called {name}."
    if len(pupils) > 1:
        return f"Which one: {' or '.join(each['pupil'] for each in pupils)}?"
    record = yield "get_course", {"course": course}
    if record["free"] < 1:
        return f"{course} is full."
    yield "register", {"pupil": pupils[0]["pupil"], "course": course}
    return f"{name} is in {course} now."


REGISTER = Kind(
    55,
    "nobody, or two, of a name; a zero",
    (
        "Register {name} for course {course}.",
        "{name} wants to take {course}.",
        "Add {name} to {course}.",
    ),
    _newcomer,
    _register,
    desks=(
        Desk("search_pupils", "Find pupils by name.", {"name": str}),
        Desk("get_course", "Look up a course.", {"course": str}),
        Desk("register", "Register a pupil.", {"pupil": str, "course": str}, True),
    ),
)
