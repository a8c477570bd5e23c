"""Kinds 141 to 144: a vet, a radiology, leave of employees and a restaurant."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from ...names import TEAMS
from ..days import drawn_day, later, today_is
from ..desks import Desk, planted
from ..kinds import Draw, Kind, Scene, Talk, Work

__all__ = ["KINDS"]


# -------------------------------------------------------------- 141: a vet
_ABROAD = ("Norway", "Ireland", "Finland", "Malta", "Switzerland", "Croatia", "Portugal")
_OTHER_SHOTS = ("distemper", "parvovirus", "leptospirosis", "kennel cough")


def _shot(against: str, given: date, years: int) -> dict[str, Any]:
    until = later(given, 365 * years)
    return {"against": against, "given_on": given.isoformat(), "valid_until": until}


def _pet(draw: Draw, different: bool) -> Scene:
    animal, country, day = draw.identifier("AN"), draw.choice(_ABROAD), drawn_day(draw)
    latest = day - timedelta(days=draw.rng.randint(35, 300))
    chipped = latest - timedelta(days=draw.choice((0, 0, 3, 14, 90, 400)))
    shots = [_shot("rabies", latest, draw.choice((1, 3)))]
    if draw.rng.random() < 0.6:
        shots.append(_shot("rabies", latest - timedelta(days=draw.rng.randint(330, 700)), 1))
    for against in draw.rng.sample(_OTHER_SHOTS, draw.rng.randint(0, 3)):
        given = day - timedelta(days=draw.rng.randint(20, 500))
        shots.append(_shot(against, given, 1))
    draw.rng.shuffle(shots)
    card: dict[str, Any] = {
        "animal": animal,
        "species": draw.choice(("dog", "dog", "cat", "ferret")),
        "owner": draw.person(),
        "born": later(latest, -draw.rng.randint(900, 3_000)),
        "weight_kg": draw.rng.randint(1, 48),
        "chip": {"number": draw.identifier("276"), "set_on": chipped.isoformat()},
    }
    if draw.rng.random() < 0.4:
        card["remark"] = draw.choice(("bites", "afraid of the table", "needs a muzzle"))
    if different:
        card["chip"]["set_on"] = later(latest, draw.choice((1, 2, 7, 20, 34)))
    answers = {
        ("pet_card", animal): card,
        ("pet_shots", animal): {"animal": animal, "shots": shots},
    }
    return Scene({"animal": animal, "country": country}, planted(answers), today_is(day))


def _sign_pet(values: Mapping[str, str], talk: Talk) -> Work:
    animal, country = values["animal"], values["country"]
    card = yield "pet_card", {"animal": animal}
    book = yield "pet_shots", {"animal": animal}
    given = max(each["given_on"] for each in book["shots"] if each["against"] == "rabies")
    if card["chip"]["set_on"] > given:
        yield "book_pet_shot", {"animal": animal, "against": "rabies"}
        return f"{animal} had its chip only after the rabies shot of {given}; it needs a new one."
    yield "sign_pet_papers", {"animal": animal, "country": country, "rabies_shot": given}
    return f"The papers of {animal} for {country} are signed."


SIGN_PET = Kind(
    141,
    "the order of two dates of two records, one of them the latest of its sort in a list",
    (
        "Sign the travel papers of {animal} for {country}.",
        "{animal} goes to {country} with its owner, please sign its papers.",
        "Pet papers for {country}: animal {animal}.",
    ),
    _pet,
    _sign_pet,
    desks=(
        Desk("pet_card", "Look up an animal of the practice.", {"animal": str}),
        Desk("pet_shots", "List the vaccinations of an animal.", {"animal": str}),
        Desk(
            "sign_pet_papers",
            "Sign the travel papers of an animal.",
            {"animal": str, "country": str, "rabies_shot": str},
            True,
        ),
        Desk("book_pet_shot", "Book a vaccination.", {"animal": str, "against": str}, True),
    ),
)


# -------------------------------------------------------------- 142: a radiology
_REGIONS = ("chest", "abdomen", "pelvis", "neck", "liver")
_MEDICINES = ("ramipril", "metformin", "atorvastatin", "pantoprazole", "bisoprolol", "apixaban")
_CONTRAST = "iodinated contrast"


def _scan(draw: Draw, different: bool) -> Scene:
    patient, region, day = draw.identifier("PT"), draw.choice(_REGIONS), drawn_day(draw)
    age = draw.choice((3, 10, 21, 40, 60, 85, 90))
    values = [{"taken": later(day, -age), "egfr": draw.rng.randint(30, 110)}]
    for _ in range(draw.rng.randint(0, 3)):
        age += draw.rng.randint(20, 200)
        values.append({"taken": later(day, -age), "egfr": draw.rng.randint(18, 110)})
    allergies = [
        {"to": each, "grade": draw.choice(("mild", "moderate", "severe"))}
        for each in draw.rng.sample(
            ("penicillin", "latex", "nuts", "pollen"), draw.rng.randint(0, 2)
        )
    ]
    if draw.rng.random() < 0.25:
        allergies.append({"to": _CONTRAST, "grade": "mild"})
    file: dict[str, Any] = {
        "patient": patient,
        "born": later(day, -draw.rng.randint(7_000, 30_000)),
        "weight_kg": draw.rng.randint(48, 120),
        "medicines": draw.rng.sample(_MEDICINES, draw.rng.randint(0, 4)),
        "allergies": allergies,
    }
    if draw.rng.random() < 0.3:
        file["wheelchair"] = True
    if different:
        case = draw.scheduled(("allergy", "kidneys", "old"))
        if case == "allergy":
            file["allergies"] = [
                *(each for each in allergies if each["to"] != _CONTRAST),
                {"to": _CONTRAST, "grade": "severe"},
            ]
        elif case == "kidneys":
            values[0]["egfr"] = draw.rng.randint(12, 29)
        else:
            late = draw.rng.randint(1, 250)
            newest = date.fromisoformat(str(values[0]["taken"]))
            back = 90 + late - (day - newest).days
            for each in values:
                each["taken"] = later(date.fromisoformat(str(each["taken"])), -back)
    draw.rng.shuffle(values)
    draw.rng.shuffle(file["allergies"])
    answers = {
        ("radiology_patient", patient): file,
        ("kidney_values", patient): {"patient": patient, "values": values},
    }
    named = {"patient": patient, "region": region, "day": day.isoformat()}
    return Scene(named, planted(answers))


def _book_scan(values: Mapping[str, str], talk: Talk) -> Work:
    patient, region, day = values["patient"], values["region"], values["day"]
    file = yield "radiology_patient", {"patient": patient}
    args = {"patient": patient, "region": region, "day": day}
    if any(each["to"] == _CONTRAST and each["grade"] == "severe" for each in file["allergies"]):
        yield "book_ct", {**args, "contrast": False}
        return f"{patient} must not have contrast; the scan of the {region} is booked without."
    shown = yield "kidney_values", {"patient": patient}
    newest = max(shown["values"], key=lambda each: str(each["taken"]))
    if (date.fromisoformat(day) - date.fromisoformat(newest["taken"])).days > 90:
        yield "order_kidney_test", {"patient": patient, "before": day}
        return f"The last value of {patient} is of {newest['taken']}; a new one is ordered."
    if newest["egfr"] < 30:
        yield "ask_radiologist", {"patient": patient, "egfr": newest["egfr"]}
        return f"The kidneys of {patient} are weak, the radiologist decides."
    yield "book_ct", {**args, "contrast": True}
    return f"The scan of the {region} of {patient} is booked for {day}, with contrast."


BOOK_SCAN = Kind(
    142,
    "the newest value of a list without order, its age and size; a severe allergy among others",
    (
        "Book a CT of the {region} with contrast for {patient} on {day}.",
        "{patient} needs a contrast CT on {day}, {region}; please book it.",
        "CT with contrast, {day}: {patient}, {region}.",
    ),
    _scan,
    _book_scan,
    desks=(
        Desk("radiology_patient", "Look up a patient of the radiology.", {"patient": str}),
        Desk("kidney_values", "List the kidney values of a patient.", {"patient": str}),
        Desk(
            "book_ct",
            "Book a CT scan.",
            {"patient": str, "region": str, "day": str, "contrast": bool},
            True,
        ),
        Desk("order_kidney_test", "Order a blood test.", {"patient": str, "before": str}, True),
        Desk("ask_radiologist", "Ask the radiologist.", {"patient": str, "egfr": int}, True),
    ),
)


# -------------------------------------------------------------- 143: leave of employees
def _leave(draw: Draw, different: bool) -> Scene:
    request, person, stand_in = draw.identifier("LR"), draw.identifier("EM"), draw.identifier("EM")
    team = f"{draw.choice(TEAMS)}-{draw.identifier('')}"
    first = date(2026, 1, 12) + timedelta(days=draw.rng.randrange(300))
    length = draw.rng.randint(1, 20)
    last = first + timedelta(days=length)
    span = (first + timedelta(days=each) for each in range(length + 1))
    needed = max(1, sum(each.weekday() < 5 for each in span))
    accounts: list[dict[str, Any]] = [
        {"year": 2026, "left": needed + draw.choice((0, 1, 4, 11, 18))},
    ]
    if draw.rng.random() < 0.5:
        carried = draw.rng.randint(1, 6)
        use_by = draw.choice((date(2026, 3, 31), last, last + timedelta(days=40)))
        accounts.append({"year": 2025, "left": carried, "use_by": use_by.isoformat()})
        if use_by >= last and draw.rng.random() < 0.5:
            accounts[0]["left"] = max(0, needed - carried)
    away: list[dict[str, Any]] = []
    for _ in range(draw.rng.randint(0, 2)):
        gone = first + timedelta(days=draw.rng.randint(-8, length))
        away.append(
            {
                "employee": draw.identifier("EM"),
                "why": draw.choice(("holiday", "training", "parental leave")),
                "first": gone.isoformat(),
                "last": later(gone, draw.rng.randint(0, 15)),
            }
        )
    if draw.rng.random() < 0.5:
        start, end = draw.choice(((-12, -1), (length + 1, length + 9), (-30, -20)))
        away.append(_gone(stand_in, first, start, end))
    record: dict[str, Any] = {
        "request": request,
        "employee": person,
        "first": first.isoformat(),
        "last": last.isoformat(),
        "working_days": needed,
    }
    if draw.rng.random() < 0.3:
        record["reachable"] = draw.choice((True, False))
    if different:
        case = draw.scheduled(("short", "stand_in", "lapsed"))
        if case == "short":
            accounts = [{"year": 2026, "left": max(0, needed - draw.rng.randint(1, 5))}]
        elif case == "lapsed":
            carried = draw.rng.randint(1, needed)
            use_by = draw.choice((last - timedelta(days=1), first - timedelta(days=12)))
            accounts = [
                {"year": 2026, "left": needed - carried},
                {"year": 2025, "left": carried + 1, "use_by": use_by.isoformat()},
            ]
        else:
            start, end = draw.choice(((-5, 0), (length, length + 6), (0, length), (-3, length + 3)))
            away = [each for each in away if each["employee"] != stand_in]
            away.append(_gone(stand_in, first, start, end))
    draw.rng.shuffle(accounts)
    draw.rng.shuffle(away)
    answers = {
        ("leave_request", request): record,
        ("leave_account", person): {
            "employee": person,
            "team": team,
            "stand_in": stand_in,
            "accounts": accounts,
        },
        ("team_absences", team): {"team": team, "away": away},
    }
    return Scene({"request": request}, planted(answers))


def _gone(person: str, first: date, start: int, end: int) -> dict[str, Any]:
    return {
        "employee": person,
        "why": "holiday",
        "first": later(first, start),
        "last": later(first, end),
    }


def _grant(values: Mapping[str, str], talk: Talk) -> Work:
    request = values["request"]
    record = yield "leave_request", {"request": request}
    person, first, last = record["employee"], record["first"], record["last"]
    account = yield "leave_account", {"employee": person}
    left = sum(each["left"] for each in account["accounts"] if each.get("use_by", last) >= last)
    if left < record["working_days"]:
        missing = record["working_days"] - left
        yield "return_leave_request", {"request": request, "missing_days": missing}
        return f"{person} lacks {missing} days for {request}."
    calendar = yield "team_absences", {"team": account["team"]}
    for each in calendar["away"]:
        overlaps = each["first"] <= last and each["last"] >= first
        if each["employee"] == account["stand_in"] and overlaps:
            args = {"request": request, "team": account["team"]}
            yield "find_stand_in", args
            return f"The stand-in of {person} is away then, {account['team']} looks for another."
    yield "grant_leave", {"request": request, "days": record["working_days"]}
    return f"{request} is granted: {first} to {last}."


GRANT = Kind(
    143,
    "a sum of days of which some lapse before; dates of one certain colleague that overlap",
    (
        "Grant the leave request {request}.",
        "Leave request {request} is waiting, approve it.",
        "Holidays: please grant {request}.",
    ),
    _leave,
    _grant,
    desks=(
        Desk("leave_request", "Look up a request for leave.", {"request": str}),
        Desk("leave_account", "Show the days of leave of an employee.", {"employee": str}),
        Desk("team_absences", "List who of a team is away.", {"team": str}),
        Desk("grant_leave", "Grant leave.", {"request": str, "days": int}, True),
        Desk(
            "return_leave_request",
            "Return a request for leave.",
            {"request": str, "missing_days": int},
            True,
        ),
        Desk("find_stand_in", "Have a stand-in found.", {"request": str, "team": str}, True),
    ),
)


# -------------------------------------------------------------- 144: a restaurant
def _party(draw: Draw, different: bool) -> Scene:
    booking, guests = draw.identifier("RV"), draw.rng.randint(5, 22)
    tables: list[dict[str, Any]] = []
    open_seats = guests + draw.choice((0, 0, 1, 2, 4))
    while open_seats > 0:
        seats = min(open_seats, draw.choice((2, 4, 4, 6, 8)))
        tables.append({"table": draw.rng.randint(1, 60), "seats": seats})
        open_seats -= seats
    sheet: dict[str, Any] = {
        "booking": booking,
        "name": draw.person(),
        "evening": drawn_day(draw).isoformat(),
        "arrival": draw.choice(("18:00", "18:30", "19:00", "20:15")),
        "tables": tables,
    }
    if draw.rng.random() < 0.4:
        sheet["wishes"] = draw.choice((["window"], ["quiet"], ["window", "high chair"], []))
    if different:
        lacking = draw.rng.randint(1, 3)
        free = sum(each["seats"] for each in tables) - guests + lacking
        while free > 0:
            largest = max(tables, key=lambda each: int(each["seats"]))
            largest["seats"] -= 1
            free -= 1
    draw.rng.shuffle(tables)
    answers = {("table_booking", booking): sheet}
    return Scene({"booking": booking, "guests": str(guests)}, planted(answers))


def _confirm_party(values: Mapping[str, str], talk: Talk) -> Work:
    booking, guests = values["booking"], int(values["guests"])
    sheet = yield "table_booking", {"booking": booking}
    if sum(each["seats"] for each in sheet["tables"]) < guests:
        yield "offer_back_room", {"booking": booking, "guests": guests}
        return f"The tables of {booking} are too small for {guests}; the back room was offered."
    yield "confirm_party", {"booking": booking, "guests": guests}
    return f"{booking} is confirmed for {guests} guests."


CONFIRM_PARTY = Kind(
    144,
    "the sum over a list against a number of the task",
    (
        "Confirm the table booking {booking} for {guests} guests.",
        "They will be {guests} people: confirm reservation {booking}.",
        "Reservation {booking}, party of {guests}: please confirm.",
    ),
    _party,
    _confirm_party,
    desks=(
        Desk("table_booking", "Look up a booking of tables.", {"booking": str}),
        Desk("confirm_party", "Confirm a party.", {"booking": str, "guests": int}, True),
        Desk("offer_back_room", "Offer the back room.", {"booking": str, "guests": int}, True),
    ),
)

KINDS: tuple[Kind, ...] = (SIGN_PET, BOOK_SCAN, GRANT, CONFIRM_PARTY)
