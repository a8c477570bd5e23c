"""Kinds 31 to 35: an airline, a hotel, a parcel service, a library and a theatre."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...desks import Desk, planted
from ...kinds import Draw, Kind, Scene, Talk, Work

__all__ = ["BOOK_ROOM", "EXTEND_LOAN", "MOVE_PARCEL", "REBOOK", "SWAP_SEATS"]

_ID = {"ticket": str}

# ------------------------------------------------------------------ 31: a limit a class
_LEAST_HOURS = {"flex": 0, "saver": 24, "group": 72}


def _flight(draw: Draw, different: bool) -> Scene:
    ticket, flight = draw.identifier("TK"), draw.identifier("FL")
    fare = draw.choice(tuple(_LEAST_HOURS))
    hours = draw.rng.randint(max(2, _LEAST_HOURS[fare]), 140)
    if different:
        fare = draw.scheduled(("saver", "group"))
        hours = draw.rng.randint(3, _LEAST_HOURS[fare] - 1)
    record = {"ticket": ticket, "fare": fare, "hours_left": hours, "cabin": draw.choice("YC")}
    return Scene({"ticket": ticket, "flight": flight}, planted({("get_ticket", ticket): record}))


def _rebook(values: Mapping[str, str], talk: Talk) -> Work:
    ticket, flight = values["ticket"], values["flight"]
    record = yield "get_ticket", {"ticket": ticket}
    if record["hours_left"] < _LEAST_HOURS[record["fare"]]:
        return f"It is too late to change the {record['fare']} ticket {ticket}."
    yield "rebook", {"ticket": ticket, "flight": flight}
    return f"{ticket} is now for {flight}."


REBOOK = Kind(
    31,
    "a limit for each class",
    (
        "Change ticket {ticket} to flight {flight}.",
        "The traveller with {ticket} wants to fly on {flight} instead.",
        "Put {ticket} on {flight}, please.",
    ),
    _flight,
    _rebook,
    desks=(
        Desk("get_ticket", "Look up a ticket.", _ID),
        Desk("rebook", "Change the flight of a ticket.", {**_ID, "flight": str}, True),
    ),
)


# ------------------------------------------------------------------ 33: the cheapest that fits
def _rooms(draw: Draw, different: bool) -> Scene:
    hotel, guests = draw.identifier("H"), draw.rng.randint(1, 3)
    rooms: list[dict[str, Any]] = [
        {"room": draw.identifier("RM"), "beds": draw.rng.randint(1, 4), "price": price}
        for price in draw.rng.sample(range(50, 240), draw.rng.randint(2, 5))
    ]
    if different:
        rooms = draw.scheduled(([], [each for each in rooms if each["beds"] < guests], []))
    elif all(each["beds"] < guests for each in rooms):
        rooms[0]["beds"] = guests
    answers = {("free_rooms", hotel): rooms}
    return Scene({"hotel": hotel, "guests": str(guests)}, planted(answers))


def _book_room(values: Mapping[str, str], talk: Talk) -> Work:
    rooms = yield "free_rooms", {"hotel": values["hotel"]}
    fit = [each for each in rooms if each["beds"] >= int(values["guests"])]
    if not fit:
        return f"There is no room for {values['guests']} in {values['hotel']}."
    room = min(fit, key=lambda each: each["price"])
    yield "book_room", {"room": room["room"], "guests": int(values["guests"])}
    return f"Room {room['room']} is booked for {room['price']} euros."


BOOK_ROOM = Kind(
    33,
    "the cheapest of those that are large enough; lists of any length",
    (
        "Book the cheapest room for {guests} in {hotel}.",
        "{guests} guests need a room in {hotel}, as cheap as possible.",
        "Find room for {guests} people at {hotel} and book it.",
    ),
    _rooms,
    _book_room,
    desks=(
        Desk("free_rooms", "List the free rooms of a hotel.", {"hotel": str}),
        Desk("book_room", "Book a room.", {"room": str, "guests": int}, True),
    ),
)


# ------------------------------------------------------------------ 35: texts, refusal by text
_REFUSALS = (
    "Sorry, this parcel is held by customs.",
    "Redirecting is not possible while the parcel is on the van.",
    "The sender does not allow redirecting.",
)


def _parcel(draw: Draw, different: bool) -> Scene:
    parcel, shop = draw.identifier("PX"), draw.identifier("SH")
    answers = {
        ("track", parcel): f"Parcel {parcel}: in depot {draw.rng.randint(10, 60)}, on its way.",
        ("redirect", parcel): "OK, redirected.",
    }
    if different:
        if draw.ordinal % 2:
            answers["redirect", parcel] = draw.scheduled(_REFUSALS)
        else:
            place = draw.scheduled(("handed over yesterday", "returned to sender", "lost"))
            answers["track", parcel] = f"Parcel {parcel}: {place}."
    return Scene({"parcel": parcel, "shop": shop}, planted(answers))


def _redirect(values: Mapping[str, str], talk: Talk) -> Work:
    parcel, shop = values["parcel"], values["shop"]
    state = yield "track", {"parcel": parcel}
    if not state.endswith("on its way."):
        return f"{parcel} cannot be redirected any more. {state}"
    answer = yield "redirect", {"parcel": parcel, "shop": shop}
    if not answer.startswith("OK"):
        return f"{parcel} stays where it is: {answer}"
    return f"{parcel} will wait in shop {shop}."


MOVE_PARCEL = Kind(
    35,
    "results that are texts, a refusal by text",
    (
        "Have parcel {parcel} sent to shop {shop}.",
        "I will not be at home: {parcel} should wait in {shop}.",
        "Redirect {parcel} to {shop}.",
    ),
    _parcel,
    _redirect,
    desks=(
        Desk("track", "Where a parcel is.", {"parcel": str}),
        Desk("redirect", "Send a parcel elsewhere.", {"parcel": str, "shop": str}, True),
    ),
)


# ------------------------------------------------------------------ 37: a date of the record
def _loan(draw: Draw, different: bool) -> Scene:
    loan = draw.identifier("LN")
    month, day = draw.rng.randint(2, 10), draw.rng.randint(10, 20)
    record = {
        "loan": loan,
        "today": f"2026-{month:02}-{day:02}",
        "due": f"2026-{month:02}-{day + draw.rng.randint(0, 8):02}",
        "new_due": f"2026-{month + 1:02}-{day:02}",
        "waiting": [],
        "renewals": draw.rng.randint(0, 2),
    }
    if different:
        late = {"due": f"2026-{month:02}-{day - draw.rng.randint(1, 8):02}"}
        record |= draw.scheduled((late, {"waiting": [draw.person()]}, {"renewals": 3}))
    return Scene({"loan": loan}, planted({("get_loan", loan): record}))


def _extend(values: Mapping[str, str], talk: Talk) -> Work:
    loan = values["loan"]
    record = yield "get_loan", {"loan": loan}
    if record["waiting"]:
        return f"{record['waiting'][0]} waits for {loan}."
    if record["renewals"] > 2:
        return f"{loan} was renewed too often."
    if record["due"] < record["today"]:
        return f"{loan} is overdue since {record['due']}."
    yield "extend_loan", {"loan": loan, "until": record["new_due"]}
    return f"{loan} is extended until {record['new_due']}."


EXTEND_LOAN = Kind(
    37,
    "an order of two dates of a record, a list that is empty as a rule",
    (
        "Extend loan {loan}.",
        "I need the book of {loan} a little longer.",
        "Please renew {loan} for me.",
    ),
    _loan,
    _extend,
    desks=(
        Desk("get_loan", "Look up a loan.", {"loan": str}),
        Desk("extend_loan", "Extend a loan.", {"loan": str, "until": str}, True),
    ),
)


# ------------------------------------------------------------------ 39: two records must agree
def _seats(draw: Draw, different: bool) -> Scene:
    one, two = draw.identifier("ST"), draw.identifier("ST")
    show, category = draw.choice(("Carmen", "Faust", "Tosca", "Aida")), draw.choice("ABC")
    first = {"seat": one, "show": show, "category": category, "row": draw.rng.randint(1, 20)}
    second = {"seat": two, "show": show, "category": category, "row": draw.rng.randint(1, 20)}
    if different:
        shows = [each for each in ("Carmen", "Faust", "Tosca", "Aida") if each != show]
        others = [each for each in "ABC" if each != category]
        second |= draw.scheduled(({"show": draw.choice(shows)}, {"category": draw.choice(others)}))
    answers = {("get_seat", one): first, ("get_seat", two): second}
    return Scene({"one": one, "two": two}, planted(answers))


def _swap(values: Mapping[str, str], talk: Talk) -> Work:
    first = yield "get_seat", {"seat": values["one"]}
    second = yield "get_seat", {"seat": values["two"]}
    if first["show"] != second["show"]:
        return "The two seats are for different shows."
    if first["category"] != second["category"]:
        return "The two seats have different prices."
    yield "swap_seats", {"one": values["one"], "two": values["two"]}
    return f"{values['one']} and {values['two']} changed places."


SWAP_SEATS = Kind(
    39,
    "equalities of two records of the same tool",
    (
        "Swap the seats {one} and {two}.",
        "{one} and {two} would like to change places.",
        "Please exchange {one} for {two}.",
    ),
    _seats,
    _swap,
    desks=(
        Desk("get_seat", "Look up a seat.", {"seat": str}),
        Desk("swap_seats", "Exchange two seats.", {"one": str, "two": str}, True),
    ),
)
