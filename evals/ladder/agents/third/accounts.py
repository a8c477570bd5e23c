"""Kinds 80 to 82: a bank's back office, a facility and a telephone company."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from ..days import drawn_day, later, today, today_is
from ..desks import Desk, planted
from ..kinds import Draw, Kind, Scene, Talk, Work

__all__ = ["GRANT_ACCESS", "RAISE_LIMIT", "SWAP_SIM"]


# ------------------------------------------------------------------ 80: a limit by class
_CLASSES = {"basic": 1000, "plus": 5000, "premier": 20000}
_RULE = "Card limits without approval: basic 1,000, plus 5,000, premier 20,000 EUR."


def _limit(draw: Draw, different: bool) -> Scene:
    name, card, day = draw.person(), draw.identifier("CD"), drawn_day(draw)
    kind = draw.choice(tuple(_CLASSES))
    present = draw.rng.randrange(100, _CLASSES[kind] // 2, 50)
    wanted, currency = draw.rng.randrange(present + 50, _CLASSES[kind] + 1, 50), "EUR"
    age, status = draw.rng.randint(5, 350), "active"
    copies = 1
    if different:
        case = draw.scheduled(("over", "currency", "twice", "old", "lower", "status"))
        if case == "over":
            kind, present = draw.choice(("basic", "plus")), draw.rng.randrange(100, 900, 50)
            wanted = _CLASSES[kind] + draw.rng.randrange(50, 900, 50)
        elif case == "currency":
            currency = draw.choice(("USD", "GBP"))
        elif case == "twice":
            copies = 2
        elif case == "old":
            age = draw.rng.randint(370, 900)
        elif case == "lower":
            wanted = present - draw.choice((0, 50))
        else:
            status = draw.choice(("blocked", "lost"))
    people = [
        {
            "customer": draw.identifier("CU"),
            "name": name,
            "class": kind,
            "verified": later(day, -age),
            "card": card if n == 0 else draw.identifier("CD"),
        }
        for n in range(copies)
    ]
    record = {
        "card": card,
        "status": status,
        "limit": {"amount": present, "currency": "EUR"},
        "until": f"{draw.rng.randint(1, 12):02d}/2{draw.rng.randint(7, 9)}",
    }
    answers = {("search_customers", name): people, ("get_card", card): record}
    values = {"name": name, "amount": f"{currency} {wanted:,}"}
    return Scene(values, planted(answers), system=f"{_RULE} {today_is(day)}")


def _raise_limit(values: Mapping[str, str], talk: Talk) -> Work:
    name, wanted = values["name"], values["amount"]
    currency, amount = wanted[:3], int(wanted[4:].replace(",", ""))
    people = yield "search_customers", {"name": name}
    if len(people) != 1:
        return f"There are {len(people)} customers called {name}; which number?"
    person = people[0]
    if (today(talk) - date.fromisoformat(person["verified"])).days > 365:
        yield "ask_identity", {"customer": person["customer"]}
        return f"{name} was verified on {person['verified']} and has to show a paper first."
    record = yield "get_card", {"card": person["card"]}
    if record["status"] != "active":
        return f"Card {person['card']} of {name} is {record['status']}."
    if currency != record["limit"]["currency"]:
        return f"Limits are in {record['limit']['currency']}; how much is {wanted} meant to be?"
    if amount <= record["limit"]["amount"]:
        return f"The limit of {name} is {record['limit']['amount']} EUR already."
    if amount > _CLASSES[person["class"]]:
        yield "request_approval", {"card": person["card"], "amount": amount}
        return f"{wanted} is above what {person['class']} may have, approval was requested."
    limit = {"amount": amount, "currency": currency}
    yield "set_limit", {"card": person["card"], "limit": limit}
    return f"The card limit of {name} is {wanted} now."


RAISE_LIMIT = Kind(
    80,
    "a wanted amount against a limit by class and the present one; an old record; currencies",
    (
        "Raise the card limit of {name} to {amount}.",
        "{name} asks for a card limit of {amount}.",
        "Card limit {amount} for {name}, please.",
    ),
    _limit,
    _raise_limit,
    desks=(
        Desk("search_customers", "Find customers by name.", {"name": str}),
        Desk("get_card", "Look up a card.", {"card": str}),
        Desk("set_limit", "Set the limit of a card.", {"card": str, "limit": dict}, True),
        Desk("request_approval", "Ask the supervisor.", {"card": str, "amount": int}, True),
        Desk("ask_identity", "Ask for a paper.", {"customer": str}, True),
    ),
)


# ------------------------------------------------------------------ 81: groups and trainings
_ZONES = {"office": None, "lab": "chemicals", "workshop": "machines", "roof": "heights"}


def _badge(draw: Draw, different: bool) -> Scene:
    digits, room = draw.identifier(""), f"{draw.choice('NSW')}.{draw.rng.randint(100, 499)}"
    day, zone = drawn_day(draw), draw.choice(tuple(_ZONES))
    groups = draw.rng.sample(("staff", "science", "craft", "guests", "cleaning"), 3)
    allowed = [draw.choice(groups), "security"]
    kind, until = "staff", None
    if draw.rng.random() < 0.3:
        kind, until = "contractor", later(day, draw.rng.randint(10, 200))
    held = draw.rng.sample(("chemicals", "machines", "heights"), 3)
    trainings = [
        {"course": each, "valid_until": later(day, draw.rng.randint(0, 700))} for each in held
    ]
    if different:
        case = draw.scheduled(("group", "lapsed", "untrained", "ended", "lost"))
        if case in ("lapsed", "untrained"):
            zone = draw.choice(("lab", "workshop", "roof"))
        if case == "group":
            allowed = ["security"]
        elif case == "lapsed":
            next(e for e in trainings if e["course"] == _ZONES[zone])["valid_until"] = later(
                day, -9
            )
        elif case == "untrained":
            trainings = [each for each in trainings if each["course"] != _ZONES[zone]]
        elif case == "ended":
            kind, until = "contractor", later(day, -draw.rng.randint(1, 90))
    badge = f"B-{digits}"
    record: dict[str, Any] = {
        "badge": badge,
        "holder": {"name": draw.person(), "kind": kind, "until": until},
        "groups": groups,
        "trainings": trainings,
    }
    if different and case == "lost":
        record["reported_lost"] = later(day, -1)
    place = {"room": room, "zone": zone, "groups": allowed, "training": _ZONES[zone]}
    answers = {("get_badge", badge): record, ("get_room", room): place}
    written = draw.choice((f"B-{digits}", f"b{digits}", f"B {digits}"))
    return Scene({"badge": written, "room": room}, planted(answers), system=today_is(day))


def _grant_access(values: Mapping[str, str], talk: Talk) -> Work:
    badge, room = f"B-{re.sub('[^0-9]', '', values['badge'])}", values["room"]
    record = yield "get_badge", {"badge": badge}
    if "reported_lost" in record:
        yield "block_badge", {"badge": badge}
        return f"{badge} was reported lost and is blocked now."
    place = yield "get_room", {"room": room}
    if not set(record["groups"]) & set(place["groups"]):
        return f"{badge} is in no group that may enter {room}."
    day, until = today(talk).isoformat(), record["holder"]["until"]
    if place["training"]:
        dates = [e["valid_until"] for e in record["trainings"] if e["course"] == place["training"]]
        if not dates or max(dates) < day:
            return f"The holder of {badge} needs a training for {place['training']} first."
    if until is None:
        yield "grant_access", {"badge": badge, "room": room}
        return f"{badge} opens {room} now."
    if until < day:
        return f"The contract of the holder of {badge} ended on {until}."
    yield "grant_access", {"badge": badge, "room": room, "until": until}
    return f"{badge} opens {room} until {until}."


GRANT_ACCESS = Kind(
    81,
    "lists that share an entry, a row for a course, dates against today, ids in other forms",
    (
        "Give badge {badge} access to room {room}.",
        "Room {room} should open for badge {badge}.",
        "Please let the holder of {badge} into room {room}.",
    ),
    _badge,
    _grant_access,
    desks=(
        Desk("get_badge", "Look up a badge, B- and digits.", {"badge": str}),
        Desk("get_room", "Look up a room.", {"room": str}),
        Desk(
            "grant_access",
            "Let a badge open a room.",
            {"badge": str, "room": str},
            True,
            {"until": str},
        ),
        Desk("block_badge", "Block a badge.", {"badge": str}, True),
    ),
)


# ------------------------------------------------------------------ 82: what is said behind it
_USUAL = ("Thanks!", "The customer is in the shop.", "It is somewhat urgent.")
_NO_BLOCK = "Leave the old card working."
_ONLY_IF = "But only if nothing is owed."
_UNLESS = "Unless the contract ends this year."
_AND = "And send them a paper invoice from now on."


def _sim(draw: Draw, different: bool) -> Scene:
    phone, sim = f"0{draw.identifier('17')}", draw.identifier("8949")
    ending, status, owed = draw.choice(("", "", *_USUAL)), "active", draw.choice((0, 0, 12.5, 30))
    ends = f"20{draw.rng.randint(26, 29)}-0{draw.rng.randint(1, 9)}-01"
    if different:
        case = draw.scheduled((_NO_BLOCK, _ONLY_IF, _UNLESS, _AND, "ported_out", "barred"))
        if case in ("ported_out", "barred"):
            status = case
        else:
            ending = case
            owed, ends = draw.money(5, 90), "2026-09-01"
    record = {
        "line": phone,
        "account": {"owed": owed, "ends": ends, "paper": False},
        "sim": {"number": draw.identifier("8949"), "status": status},
    }
    values = {"phone": phone, "sim": sim, "ending": ending}
    return Scene(values, planted({("get_phone_line", phone): record}))


def _swap_sim(values: Mapping[str, str], talk: Talk) -> Work:
    phone, sim, ending = values["phone"], values["sim"], values.get("ending", "")
    record = yield "get_phone_line", {"phone": phone}
    status, account = record["sim"]["status"], record["account"]
    if status != "active":
        return f"The line {phone} is {status}, no card can be swapped."
    if ending == _ONLY_IF and account["owed"] > 0:
        return f"{account['owed']} EUR are owed for {phone}, the card stays."
    if ending == _UNLESS and account["ends"].startswith("2026"):
        return f"The contract of {phone} ends on {account['ends']}, the card stays."
    options = {"block_old": ending != _NO_BLOCK, "old": record["sim"]["number"]}
    yield "swap_sim", {"phone": phone, "sim": sim, "options": options}
    if ending == _AND:
        yield "set_invoice", {"phone": phone, "paper": True}
        return f"{phone} has card {sim}, and invoices come on paper."
    return f"{phone} has card {sim} now."


SWAP_SIM = Kind(
    82,
    "only if, unless, leave out, and two things at once behind the task; a status never seen",
    (
        "Swap the SIM of {phone} for {sim}.",
        "The line {phone} gets the new SIM card {sim}.",
        "Please activate SIM {sim} on {phone}.",
    ),
    _sim,
    _swap_sim,
    desks=(
        Desk("get_phone_line", "Look up a line.", {"phone": str}),
        Desk("swap_sim", "Swap a card.", {"phone": str, "sim": str, "options": dict}, True),
        Desk("set_invoice", "Say how invoices go out.", {"phone": str, "paper": bool}, True),
    ),
    endings=(*_USUAL, _NO_BLOCK, _ONLY_IF, _UNLESS, _AND),
)
