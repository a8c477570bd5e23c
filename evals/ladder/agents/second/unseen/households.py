"""Kinds 32 to 40, even: insurance, energy, housing, an animal hospital and pay slips."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...desks import Desk, planted
from ...kinds import Draw, Kind, Scene, Talk, Work

__all__ = ["ADVANCE", "BOOK_READING", "ORDER_REPAIR", "PAY_CLAIM", "VACCINATE"]


# ------------------------------------------------------------------ 32: across two records
def _claim(draw: Draw, different: bool) -> Scene:
    claim, policy = draw.identifier("CL"), draw.identifier("PO")
    holder, other = draw.people(2)
    cover = draw.rng.randint(20, 90) * 100
    first: dict[str, Any] = {
        "claim": claim,
        "policy": policy,
        "person": holder,
        "amount": draw.rng.randint(200, cover),
    }
    second: dict[str, Any] = {"policy": policy, "holder": holder, "cover": cover, "paid_up": True}
    if different:
        more = cover + draw.rng.randint(1, 900)
        cases: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = (
            ({"amount": more}, {}),
            ({"person": other}, {}),
            ({}, {"paid_up": False}),
        )
        mine, theirs = draw.scheduled(cases)
        first, second = {**first, **mine}, {**second, **theirs}
    answers = {("get_claim", claim): first, ("get_policy", policy): second}
    return Scene({"claim": claim}, planted(answers))


def _settle(values: Mapping[str, str], talk: Talk) -> Work:
    claim = values["claim"]
    first = yield "get_claim", {"claim": claim}
    second = yield "get_policy", {"policy": first["policy"]}
    if first["person"] != second["holder"]:
        return f"{claim} is not by the holder of {first['policy']}."
    if not second["paid_up"]:
        return f"The premium of {first['policy']} is not paid."
    if first["amount"] > second["cover"]:
        return f"{claim} is more than {first['policy']} covers."
    yield "settle", {"claim": claim, "amount": first["amount"]}
    return f"{claim} is settled with {first['amount']} euros."


PAY_CLAIM = Kind(
    32,
    "an equality and an order across two records",
    (
        "Settle claim {claim}.",
        "Please pay out {claim} if all is in order.",
        "What about {claim}? Pay it.",
    ),
    _claim,
    _settle,
    desks=(
        Desk("get_claim", "Look up a claim.", {"claim": str}),
        Desk("get_policy", "Look up a policy.", {"policy": str}),
        Desk("settle", "Pay a claim.", {"claim": str, "amount": int}, True),
    ),
)


# ------------------------------------------------------------------ 34: units, a figure of the task
def _meter(draw: Draw, different: bool) -> Scene:
    meter, last = draw.identifier("MT"), draw.rng.randint(2_000, 40_000)
    now, unit = last + draw.rng.randint(50, 900), "kWh"
    if different:
        case = draw.scheduled(("less", "unit", "less"))
        now = last - draw.rng.randint(1, 900) if case == "less" else now
        unit = "MWh" if case == "unit" else unit
    record = {"meter": meter, "last": last, "unit": unit}
    answers = {("get_meter", meter): record}
    return Scene({"meter": meter, "now": str(now)}, planted(answers))


def _book_reading(values: Mapping[str, str], talk: Talk) -> Work:
    meter, now = values["meter"], int(values["now"])
    record = yield "get_meter", {"meter": meter}
    if record["unit"] != "kWh":
        return f"Is {now} in kWh? {meter} shows {record['unit']}."
    if now < record["last"]:
        return f"{now} is less than the last reading, {record['last']}. Please look again."
    yield "book_reading", {"meter": meter, "reading": now}
    return f"{now} is booked for {meter}."


BOOK_READING = Kind(
    34,
    "a figure of the task against one of a record; another unit",
    (
        "Meter {meter} shows {now}.",
        "The reading of {meter} is {now}, please book it.",
        "I read {now} on my meter {meter}.",
    ),
    _meter,
    _book_reading,
    desks=(
        Desk("get_meter", "Look up a meter.", {"meter": str}),
        Desk("book_reading", "Book a reading.", {"meter": str, "reading": int}, True),
    ),
)


# ------------------------------------------------------------------ 36: exclusive or
def _flat(draw: Draw, different: bool) -> Scene:
    flat = draw.identifier("FT")
    old, own = draw.choice(((True, False), (False, True)))
    if different:
        old = own = draw.scheduled((True, False))
    record = {"flat": flat, "old_pipes": old, "own_fault": own, "floor": draw.rng.randint(0, 9)}
    return Scene({"flat": flat}, planted({("get_flat", flat): record}))


def _repair(values: Mapping[str, str], talk: Talk) -> Work:
    flat = values["flat"]
    record = yield "get_flat", {"flat": flat}
    if record["old_pipes"] == record["own_fault"]:
        return f"The case of {flat} has to be looked at by the landlord."
    payer = "tenant" if record["own_fault"] else "landlord"
    yield "send_plumber", {"flat": flat, "payer": payer}
    return f"A plumber comes to {flat}, paid by the {payer}."


ORDER_REPAIR = Kind(
    36,
    "either of two reasons, but not both",
    (
        "The tap in {flat} drips, send somebody.",
        "Please send a plumber to {flat}.",
        "Water runs in {flat}: get a plumber.",
    ),
    _flat,
    _repair,
    desks=(
        Desk("get_flat", "Look up a flat.", {"flat": str}),
        Desk("send_plumber", "Order a plumber.", {"flat": str, "payer": str}, True),
    ),
)


# ------------------------------------------------------------------ 38: a second one of that name
def _animal(draw: Draw, different: bool) -> Scene:
    owner, pet = draw.person(), draw.choice(("Rex", "Mia", "Luna", "Bello", "Tom"))
    key = draw.identifier("AN")
    animals: list[dict[str, Any]] = [
        {"animal": key, "name": pet, "file": {"allergic": False, "weight": draw.rng.randint(2, 40)}}
    ]
    if different:
        case = draw.scheduled(("two", "allergic", "none"))
        if case == "two":
            animals.append({**animals[0], "animal": draw.identifier("AN")})
        elif case == "allergic":
            animals[0]["file"]["allergic"] = True
        else:
            animals = []
    name = f"{owner} {key[2:]}"
    return Scene({"owner": name, "pet": pet}, planted({("animals_of", name): animals}))


def _vaccinate(values: Mapping[str, str], talk: Talk) -> Work:
    animals = yield "animals_of", {"owner": values["owner"]}
    mine = [each for each in animals if each["name"] == values["pet"]]
    if len(mine) != 1:
        return f"Which animal is meant? {len(mine)} of that name are known."
    if mine[0]["file"]["allergic"]:
        return f"{values['pet']} must not be vaccinated."
    yield "book_shot", {"animal": mine[0]["animal"]}
    return f"{values['pet']} has an appointment."


VACCINATE = Kind(
    38,
    "a second animal of the same name; a nested field",
    (
        "{owner} wants {pet} vaccinated.",
        "Book a vaccination for {pet} of {owner}.",
        "Appointment for {pet}, please; the owner is {owner}.",
    ),
    _animal,
    _vaccinate,
    desks=(
        Desk("animals_of", "List the animals of a person.", {"owner": str}),
        Desk("book_shot", "Book a vaccination.", {"animal": str}, True),
    ),
)


# ------------------------------------------------------------------ 40: a policy in a document
def _employee(draw: Draw, different: bool) -> Scene:
    person, amount = draw.identifier("EM"), draw.rng.randint(100, 800)
    record: dict[str, Any] = {
        "employee": person,
        "account": draw.identifier("AC"),
        "months": draw.rng.randint(7, 90),
    }
    system = ""
    if different:
        case = draw.scheduled(("months", "prompt", "aside"))
        if case == "months":
            record["months"] = draw.rng.randint(0, 5)
        elif case == "prompt":
            system = "Advances are stopped until the books are closed."
        else:
            record[draw.choice(("a_garnishment", "m_lien", "zz_seizure"))] = draw.person()
    answers = {("get_employee", person): record}
    return Scene({"person": person, "amount": str(amount)}, planted(answers), system=system)


def _advance(values: Mapping[str, str], talk: Talk) -> Work:
    person, amount = values["person"], int(values["amount"])
    record = yield "get_employee", {"employee": person}
    if "stopped" in talk.system:
        return "No advances are paid at the moment."
    if set(record) != {"employee", "account", "months"}:
        return f"The wages of {person} are not theirs alone."
    if record["months"] < 6:
        return f"{person} has not been here for half a year."
    yield "pay_advance", {"account": record["account"], "amount": amount}
    return f"{person} gets {amount} euros in advance."


ADVANCE = Kind(
    40,
    "a stop in the prompt, a field that is new, a figure on the side not shown",
    (
        "Pay {person} an advance of {amount} euros.",
        "{person} asks for {amount} euros in advance.",
        "An advance for {person}, please: {amount} euros.",
    ),
    _employee,
    _advance,
    desks=(
        Desk("get_employee", "Look up an employee.", {"employee": str}),
        Desk("pay_advance", "Pay an advance.", {"account": str, "amount": int}, True),
    ),
)
