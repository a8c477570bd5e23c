"""Kinds 145 to 148: building permits, rented flats, a calibration laboratory and energy meters."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from ..days import drawn_day, later
from ..desks import Desk, planted
from ..kinds import Draw, Kind, Scene, Talk, Work

__all__ = ["KINDS"]


# -------------------------------------------------------------- 145: building permits
def _building(draw: Draw, different: bool) -> Scene:
    application, plot = draw.identifier("BA"), draw.identifier("PL")
    cellar, flooded = draw.choice(((True, False), (False, True), (False, False)))
    plan: dict[str, Any] = {
        "application": application,
        "plot": plot,
        "applicant": draw.person(),
        "building": draw.choice(("house", "two-family house", "workshop", "office")),
        "storeys": draw.rng.randint(1, 4),
        "cellar": cellar,
        "heating": draw.choice(("heat pump", "district heating", "pellets")),
    }
    if draw.rng.random() < 0.4:
        plan["parking_places"] = draw.rng.randint(1, 6)
    sheet: dict[str, Any] = {
        "plot": plot,
        "size_m2": draw.rng.randrange(320, 1_900, 10),
        "use": draw.choice(("residential", "mixed", "village")),
        "flood_area": flooded,
        "near_railway": draw.rng.random() < 0.3,
    }
    if different:
        plan["cellar"], sheet["flood_area"] = True, True
    answers = {("building_plan", application): plan, ("plot_sheet", plot): sheet}
    return Scene({"application": application}, planted(answers))


def _permit(values: Mapping[str, str], talk: Talk) -> Work:
    application = values["application"]
    plan = yield "building_plan", {"application": application}
    sheet = yield "plot_sheet", {"plot": plan["plot"]}
    args = {"application": application, "plot": plan["plot"]}
    if plan["cellar"] and sheet["flood_area"]:
        yield "ask_water_board", args
        return f"{application} has a cellar where it floods; the water board is asked."
    yield "issue_building_permit", args
    return f"The permit for {application} is issued."


PERMIT = Kind(
    145,
    "two flags of two records, each harmless alone",
    (
        "Issue the building permit for {application}.",
        "Application {application} is complete, give them the permit to build.",
        "Building permit please: {application}.",
    ),
    _building,
    _permit,
    desks=(
        Desk("building_plan", "Look up an application to build.", {"application": str}),
        Desk("plot_sheet", "Look up a plot of land.", {"plot": str}),
        Desk(
            "issue_building_permit",
            "Issue a permit to build.",
            {"application": str, "plot": str},
            True,
        ),
        Desk("ask_water_board", "Ask the water board.", {"application": str, "plot": str}, True),
    ),
)


# -------------------------------------------------------------- 146: rented flats
_DEFECTS = ("scratched floor", "broken blind", "stained sink", "hole in a door", "torn seal")


def _flat(draw: Draw, different: bool) -> Scene:
    lease, account, day = draw.identifier("LS"), draw.identifier("AC"), drawn_day(draw)
    deposit, interest = draw.rng.randrange(900, 3_600, 50), draw.money(1, 40)
    tenants: list[dict[str, Any]] = [
        {"name": name, "moved_out": later(day, -draw.choice((0, 0, 0, 30, 200)))}
        for name in draw.people(draw.choice((1, 1, 2, 3)))
    ]
    defects: list[dict[str, Any]] = [
        {
            "what": each,
            "cost": draw.rng.randrange(30, 250, 5),
            "state": draw.choice(("waived", "wear and tear")),
        }
        for each in draw.rng.sample(_DEFECTS, draw.rng.randint(0, 3))
    ]
    kept: dict[str, Any] = {"form": "savings book", "amount": deposit, "interest": interest}
    if draw.rng.random() < 0.4:
        kept["form"] = "cash account"
    record: dict[str, Any] = {"lease": lease, "day": day.isoformat(), "defects": defects}
    if draw.rng.random() < 0.5:
        record["keys_back"] = draw.rng.randint(2, 6)
    if different:
        case = draw.scheduled(("agreed", "guarantee", "stays"))
        if case == "agreed":
            known = {str(each["what"]) for each in defects}
            fresh = [each for each in _DEFECTS if each not in known]
            defects += [
                {"what": each, "cost": draw.rng.randrange(30, 250, 5), "state": "agreed"}
                for each in fresh[: draw.rng.randint(1, 2)]
            ]
        elif case == "guarantee":
            kept = {"form": "bank guarantee", "amount": deposit, "bank": draw.identifier("BK")}
        else:
            lasting = {"name": draw.person(), "moved_out": None}
            tenants.append(lasting)
    draw.rng.shuffle(defects)
    draw.rng.shuffle(tenants)
    answers = {
        ("flat_lease", lease): {
            "lease": lease,
            "tenants": tenants,
            "deposit": kept,
            "account": account,
        },
        ("handover_record", lease): record,
    }
    return Scene({"lease": lease}, planted(answers))


def _pay_back(values: Mapping[str, str], talk: Talk) -> Work:
    lease = values["lease"]
    file = yield "flat_lease", {"lease": lease}
    staying = [each["name"] for each in file["tenants"] if each["moved_out"] is None]
    if staying:
        return f"{staying[0]} still lives there; the deposit of {lease} stays where it is."
    kept = file["deposit"]
    if kept["form"] == "bank guarantee":
        yield "return_guarantee", {"lease": lease, "bank": kept["bank"]}
        return f"The guarantee of {lease} goes back to {kept['bank']}."
    record = yield "handover_record", {"lease": lease}
    owed = sum(each["cost"] for each in record["defects"] if each["state"] == "agreed")
    amount = round(kept["amount"] + kept["interest"] - owed, 2)
    yield "pay_deposit_back", {"lease": lease, "amount": amount, "account": file["account"]}
    return f"{amount} euros of the deposit of {lease} are paid back."


PAY_BACK = Kind(
    146,
    "rows of a list that lessen the amount by their state; somebody of several who stays",
    (
        "Pay back the deposit of lease {lease}.",
        "The flat of {lease} is handed over, the deposit can go back.",
        "Deposit back, lease {lease}.",
    ),
    _flat,
    _pay_back,
    desks=(
        Desk("flat_lease", "Look up the lease of a flat.", {"lease": str}),
        Desk("handover_record", "Show what was found when a flat was left.", {"lease": str}),
        Desk(
            "pay_deposit_back",
            "Pay a deposit back.",
            {"lease": str, "amount": float, "account": str},
            True,
        ),
        Desk("return_guarantee", "Return a guarantee.", {"lease": str, "bank": str}, True),
    ),
)


# -------------------------------------------------------------- 147: a calibration laboratory
_IN_MICROMETRES = {"µm": 1, "mm": 1_000}


def _micrometres(shown: Mapping[str, Any]) -> float:
    return round(float(shown["value"]) * _IN_MICROMETRES[shown["unit"]], 3)


def _length(micrometres: int, unit: str) -> dict[str, Any]:
    value = micrometres if unit == "µm" else micrometres / 1_000
    return {"value": value, "unit": unit}


def _gauge(draw: Draw, different: bool) -> Scene:
    job, reference = draw.identifier("CJ"), draw.identifier("RF")
    measured = drawn_day(draw)
    asking, technician = draw.people(2)
    if draw.rng.random() < 0.3:
        technician = f"{asking.split()[0]} {technician.split()[1]}"
    tolerance = draw.rng.randrange(5, 60)
    readings: list[dict[str, Any]] = [
        {
            "nominal_mm": nominal,
            "deviation": _length(
                draw.rng.randint(-tolerance, tolerance), draw.choice(("µm", "µm", "mm"))
            ),
        }
        for nominal in sorted(draw.rng.sample((1, 5, 10, 25, 50, 100, 150), draw.rng.randint(2, 4)))
    ]
    issued = measured - timedelta(days=draw.choice((0, 12, 150, 365, 700)))
    until = measured + timedelta(days=draw.choice((0, 1, 9, 60, 400)))
    papers = [{"issued": issued.isoformat(), "valid_until": until.isoformat()}]
    if draw.rng.random() < 0.6:
        papers.append(
            {"issued": later(issued, -740), "valid_until": later(issued, -draw.rng.randint(1, 10))}
        )
    if different:
        case = draw.late(("outside", "same", "outside"), ("reference", "same", "reference"))
        if case == "outside":
            over = (tolerance + draw.rng.randint(1, 30)) * draw.choice((1, -1))
            row = draw.choice(readings)
            row["deviation"] = _length(over, draw.choice(("µm", "mm")))
        elif case == "same":
            technician = asking
        else:
            since, gap = draw.choice(((False, 1), (False, 20), (True, 1), (True, 8)))
            if since:
                papers[0]["issued"] = later(measured, gap)
                papers[0]["valid_until"] = later(measured, gap + 730)
                papers[1:] = [
                    {"issued": later(measured, -760), "valid_until": later(measured, -gap)}
                ]
            else:
                papers[0]["issued"] = later(measured, -gap - 730)
                papers[0]["valid_until"] = later(measured, -gap)
                papers[1:] = []
    draw.rng.shuffle(papers)
    sheet = {
        "job": job,
        "instrument": draw.choice(("caliper", "micrometer", "dial gauge", "height gauge")),
        "measured_on": measured.isoformat(),
        "technician": technician,
        "reference": reference,
        "tolerance": _length(tolerance, draw.choice(("µm", "mm"))),
        "readings": readings,
    }
    answers = {
        ("calibration_job", job): sheet,
        ("reference_standard", reference): {"reference": reference, "certificates": papers},
    }
    return Scene({"job": job, "name": asking}, planted(answers))


def _certify(values: Mapping[str, str], talk: Talk) -> Work:
    job, name = values["job"], values["name"]
    sheet = yield "calibration_job", {"job": job}
    if sheet["technician"] == name:
        yield "ask_second_signature", {"job": job, "technician": name}
        return f"{name} measured {job}; somebody else has to sign."
    shown = yield "reference_standard", {"reference": sheet["reference"]}
    day = sheet["measured_on"]
    if not any(each["issued"] <= day <= each["valid_until"] for each in shown["certificates"]):
        yield "measure_again", {"job": job, "reference": sheet["reference"]}
        return f"{sheet['reference']} was not calibrated on {day}; {job} is measured again."
    bound = _micrometres(sheet["tolerance"])
    passed = all(abs(_micrometres(each["deviation"])) <= bound for each in sheet["readings"])
    verdict = "pass" if passed else "fail"
    yield "release_calibration", {"job": job, "verdict": verdict, "signed_by": name}
    return f"The certificate of {job} is released: {verdict}."


CERTIFY = Kind(
    147,
    "who asks; spans of days in another record; lengths of two units and either sign",
    (
        "This is {name}, I sign the certificate of {job}, please release it.",
        "Release the calibration {job}; {name} signs.",
        "Calibration certificate for {job}, signed by {name}, can go out.",
    ),
    _gauge,
    _certify,
    desks=(
        Desk("calibration_job", "Look up a calibration.", {"job": str}),
        Desk("reference_standard", "Look up a standard of reference.", {"reference": str}),
        Desk(
            "release_calibration",
            "Release a certificate of calibration.",
            {"job": str, "verdict": str, "signed_by": str},
            True,
        ),
        Desk("measure_again", "Have it measured again.", {"job": str, "reference": str}, True),
        Desk(
            "ask_second_signature",
            "Ask somebody else to sign.",
            {"job": str, "technician": str},
            True,
        ),
    ),
)


# -------------------------------------------------------------- 148: energy meters
_TOO_MUCH = 3
"""So many times the usual use of the days is not believed."""


def _meter(draw: Draw, different: bool) -> Scene:
    meter, connection, day = draw.identifier("ME"), draw.identifier("CN"), drawn_day(draw)
    digits, factor = draw.choice((5, 5, 6)), draw.choice((1, 1, 1, 20, 40))
    days = draw.choice((30, 91, 180, 365, 365))
    usual = draw.rng.randrange(1_500, 6_000, 100) * factor
    expected = usual * days / 365
    used = max(1, int(expected * draw.choice((0.4, 0.8, 1.0, 1.2, 2.5)) / factor))
    before = draw.rng.randrange(20_000, 60_000)
    reading = before + used
    newest = {"day": later(day, -days), "value": before, "how": "read"}
    past: list[dict[str, Any]] = [newest]
    if draw.rng.random() < 0.3:
        newest["how"] = "estimated"
    value, ago = before, days
    for _ in range(draw.rng.randint(0, 3)):
        ago += draw.choice((91, 180, 365))
        value -= draw.rng.randrange(300, 4_000)
        how = draw.choice(("read", "read", "estimated"))
        past.append({"day": later(day, -ago), "value": value, "how": how})
    installed = later(day, -ago - draw.rng.randint(5, 2_000))
    card: dict[str, Any] = {
        "meter": meter,
        "connection": connection,
        "digits": digits,
        "factor": factor,
        "installed": installed,
    }
    if draw.rng.random() < 0.3:
        card["follows"] = draw.identifier("ME")
    if draw.rng.random() < 0.2:
        card["taken_out_on"] = later(day, draw.choice((1, 7, 30)))
        card["followed_by"] = draw.identifier("ME")
    if different:
        case = draw.scheduled(("exchanged", "estimate", "rolled", "high", "impossible"))
        if case == "exchanged":
            card["taken_out_on"] = later(day, -draw.choice((0, 1, 14, 60)))
            card["followed_by"] = draw.identifier("ME")
        elif case == "estimate":
            newest["how"] = "estimated"
            _move(past, reading + draw.rng.randint(5, 400) - before)
        elif case == "rolled":
            reading = draw.rng.randrange(max(1, min(used, 3_000)))
            newest["how"] = "read"
            _move(past, 10**digits + reading - used - before)
        elif case == "high":
            newest["how"] = "read"
            high = int(expected * draw.choice((3.2, 4, 10)) / factor) + 1
            reading = before + high
        else:
            newest["how"] = "read"
            _move(past, used + draw.rng.randint(40, 900))
    draw.rng.shuffle(past)
    answers = {
        ("meter_card", meter): card,
        ("past_readings", meter): {"meter": meter, "readings": past},
        ("usual_use", connection): {
            "connection": connection,
            "kwh_a_year": usual,
            "tariff": draw.choice(("basic", "green", "night")),
        },
    }
    named = {"meter": meter, "reading": str(reading), "day": day.isoformat()}
    return Scene(named, planted(answers))


def _move(past: list[dict[str, Any]], by: int) -> None:
    for each in past:
        each["value"] += by


def _book_reading(values: Mapping[str, str], talk: Talk) -> Work:
    meter, day, reading = values["meter"], values["day"], int(values["reading"])
    card = yield "meter_card", {"meter": meter}
    if card.get("taken_out_on", "9999-12-31") <= day:
        args = {"connection": card["connection"], "meter": card["followed_by"]}
        yield "ask_for_reading", args
        return f"{meter} was taken out, the reading of {card['followed_by']} is asked for."
    shown = yield "past_readings", {"meter": meter}
    newest = max(shown["readings"], key=lambda each: str(each["day"]))
    units = reading - newest["value"]
    if units < 0 and newest["how"] == "estimated":
        args = {"meter": meter, "estimated_on": newest["day"], "reading": reading}
        yield "correct_estimate", args
        return f"The estimate of {newest['day']} for {meter} was too high, it is corrected."
    rolled = units < 0
    if rolled:
        units += 10 ** card["digits"]
    kwh = units * card["factor"]
    use = yield "usual_use", {"connection": card["connection"]}
    days = (date.fromisoformat(day) - date.fromisoformat(newest["day"])).days
    if kwh > _TOO_MUCH * use["kwh_a_year"] * days / 365:
        yield "send_meter_reader", {"connection": card["connection"], "meter": meter}
        return f"{reading} cannot be right for {meter}; somebody goes and reads it."
    yield "book_reading", {"meter": meter, "day": day, "reading": reading, "kwh": kwh}
    return f"{reading} is booked for {meter}, {kwh} kWh{' over the zero' if rolled else ''}."


BOOK_READING = Kind(
    148,
    "a number below the newest of a list, for three causes; a product against a share of a year",
    (
        "Book the reading {reading} of meter {meter}, read on {day}.",
        "Meter {meter} stood at {reading} on {day}; book that.",
        "Reading of {day}: {meter} shows {reading}.",
    ),
    _meter,
    _book_reading,
    desks=(
        Desk("meter_card", "Look up an energy meter.", {"meter": str}),
        Desk("past_readings", "List the readings of a meter.", {"meter": str}),
        Desk("usual_use", "Show the usual use of a connection.", {"connection": str}),
        Desk(
            "book_reading",
            "Book a reading and what was used.",
            {"meter": str, "day": str, "reading": int, "kwh": int},
            True,
        ),
        Desk(
            "correct_estimate",
            "Correct an estimate by a reading.",
            {"meter": str, "estimated_on": str, "reading": int},
            True,
        ),
        Desk(
            "ask_for_reading",
            "Ask the customer for the reading of a meter.",
            {"connection": str, "meter": str},
            True,
        ),
        Desk(
            "send_meter_reader",
            "Send somebody who reads a meter.",
            {"connection": str, "meter": str},
            True,
        ),
    ),
)

KINDS: tuple[Kind, ...] = (PERMIT, PAY_BACK, CERTIFY, BOOK_READING)
