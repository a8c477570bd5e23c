"""Kinds 159 to 164: a car pool, meters, a zoo, notaries, a bakery and an archive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..days import drawn_day, later, today, today_is
from ..desks import Desk, planted
from ..kinds import Draw, Kind, Scene, Talk, Work

__all__ = ["KINDS"]


# -------------------------------------------------------------- 159: a car pool
_HOURS: Mapping[str, int] = {"bronze": 4, "silver": 24, "gold": 96}


def _booking(draw: Draw, different: bool) -> Scene:
    booking, driver, car = draw.identifier("BK"), draw.identifier("DV"), draw.identifier("CA")
    level = draw.choice(tuple(_HOURS))
    hours = draw.rng.randint(1, _HOURS[level])
    barred: list[dict[str, Any]] = [
        {"driver": draw.identifier("DV"), "why": draw.choice(("fine", "damage"))}
        for _ in range(draw.rng.randint(0, 3))
    ]
    second = draw.identifier("DV")
    if different:
        case = draw.late(("gold", "barred", "gold"), ("bronze", "second", "silver"))
        if case == "barred":
            barred.append({"driver": driver, "why": "damage"})
        elif case == "second":
            barred.append({"driver": second, "why": "fine"})
        else:
            level = case
            hours = _HOURS[level] + draw.rng.randint(1, _HOURS[level])
    draw.rng.shuffle(barred)
    answers = {
        ("pool_booking", booking): {
            "booking": booking,
            "car": car,
            "hours": hours,
            "drivers": [{"driver": driver, "first": True}, {"driver": second, "first": False}],
        },
        ("driver_level", driver): {"driver": driver, "level": level},
        ("car_sheet", car): {"car": car, "barred": barred},
    }
    return Scene({"booking": booking, "driver": driver}, planted(answers))


def _hand_over(values: Mapping[str, str], talk: Talk) -> Work:
    booking, driver = values["booking"], values["driver"]
    record = yield "pool_booking", {"booking": booking}
    card = yield "driver_level", {"driver": driver}
    if record["hours"] > _HOURS[card["level"]]:
        yield "shorten", {"booking": booking, "hours": _HOURS[card["level"]]}
        return f"{booking} was cut to {_HOURS[card['level']]} hours."
    sheet = yield "car_sheet", {"car": record["car"]}
    names = {each["driver"] for each in record["drivers"]}
    if names & {each["driver"] for each in sheet["barred"]}:
        yield "refuse_car", {"booking": booking}
        return f"{booking} is refused."
    yield "unlock_car", {"booking": booking, "car": record["car"]}
    return f"{record['car']} is open for {booking}."


HAND_OVER = Kind(
    159,
    "hours that another level may have; a second driver in a list of another tool",
    (
        "Open the pool car of {booking} for {driver}.",
        "{driver} stands at the car of {booking}.",
        "Car for {booking}, driver {driver}.",
    ),
    _booking,
    _hand_over,
    desks=(
        Desk("pool_booking", "Look up a booking.", {"booking": str}),
        Desk("driver_level", "Look up a driver.", {"driver": str}),
        Desk("car_sheet", "Look up a car.", {"car": str}),
        Desk("unlock_car", "Unlock.", {"booking": str, "car": str}, True),
        Desk("refuse_car", "Refuse.", {"booking": str}, True),
        Desk("shorten", "Shorten.", {"booking": str, "hours": int}, True),
    ),
)


# -------------------------------------------------------------- 160: meters
_EVENTS = ("reading", "visit", "letter", "call", "photo", "payment")


def _meter(draw: Draw, different: bool) -> Scene:
    meter = draw.identifier("MT")
    phase = draw.choice(("single", "three"))
    used = draw.rng.randrange(5, 60) if phase == "single" else draw.rng.randrange(80, 900)
    before = draw.rng.randint(1000, 90000)
    events = draw.rng.sample(_EVENTS, draw.rng.randint(1, 4))
    if different:
        case = draw.late(("back", "high", "back"), ("single", "event", "single"))
        if case == "back":
            used = -draw.rng.randint(1, 90)
        elif case == "high":
            phase, used = "three", draw.rng.randint(1100, 3000)
        elif case == "single":
            phase, used = "single", draw.rng.randint(90, 800)
        else:
            events.append(draw.choice(("tampering", "fire")))
            draw.rng.shuffle(events)
    now = before + used
    answers = {
        ("meter_card", meter): {"meter": meter, "phase": phase, "last": before},
        ("meter_log", meter): {"meter": meter, "events": events},
    }
    return Scene({"meter": meter, "reading": str(now)}, planted(answers))


def _book(values: Mapping[str, str], talk: Talk) -> Work:
    meter, reading = values["meter"], int(values["reading"])
    card = yield "meter_card", {"meter": meter}
    used = reading - card["last"]
    if used < 0:
        return f"{meter} stood at {card['last']} already."
    if used > (70 if card["phase"] == "single" else 1000):
        yield "send_engineer", {"meter": meter}
        return f"{meter} is looked at, {used} is much."
    log = yield "meter_log", {"meter": meter}
    if {"tampering", "fire"} & set(log["events"]):
        yield "stop_meter", {"meter": meter}
        return f"{meter} was stopped."
    yield "book_reading", {"meter": meter, "reading": reading}
    return f"{meter}: {used} used."


BOOK = Kind(
    160,
    "a use that another class has; a word in a log",
    (
        "Meter {meter} reads {reading}.",
        "Enter {reading} at meter {meter}.",
        "The dial of {meter} shows {reading}.",
    ),
    _meter,
    _book,
    desks=(
        Desk("meter_card", "Look up a meter.", {"meter": str}),
        Desk("meter_log", "Show the log of a meter.", {"meter": str}),
        Desk("book_reading", "Book.", {"meter": str, "reading": int}, True),
        Desk("send_engineer", "Send somebody.", {"meter": str}, True),
        Desk("stop_meter", "Stop a meter.", {"meter": str}, True),
    ),
)


# -------------------------------------------------------------- 161: a zoo
_ANIMALS = ("ibex", "lynx", "crane", "otter", "tapir", "serval", "gibbon", "puma", "emu", "dhole")


def _move(draw: Draw, different: bool) -> Scene:
    animal, pen = draw.identifier("AN"), draw.identifier("PN")
    species, *others = draw.rng.sample(_ANIMALS, 6)
    now = drawn_day(draw)
    inside = [{"animal": draw.identifier("AN"), "species": each} for each in others[:2]]
    fears, free = others[2:4], draw.rng.randint(1, 4)
    quarantine = later(now, -draw.rng.randint(1, 100)) if draw.rng.random() < 0.5 else None
    if different:
        case = draw.late(("full", "ill", "full"), ("enemy", "same", "enemy"))
        if case == "full":
            free = 0
        elif case == "ill":
            quarantine = later(now, draw.rng.randint(1, 30))
        elif case == "enemy":
            fears[draw.rng.randint(0, 1)] = inside[draw.rng.randint(0, 1)]["species"]
        else:
            inside[1]["species"] = species
    answers = {
        ("animal_card", animal): {
            "animal": animal,
            "species": species,
            "not_with": fears,
            "quarantine_until": quarantine,
        },
        ("pen_card", pen): {"pen": pen, "free": free, "inside": inside},
    }
    return Scene({"animal": animal, "pen": pen}, planted(answers), system=today_is(now))


def _move_animal(values: Mapping[str, str], talk: Talk) -> Work:
    animal, pen = values["animal"], values["pen"]
    card = yield "animal_card", {"animal": animal}
    if (card["quarantine_until"] or "") >= today(talk).isoformat():
        return f"{animal} stays in quarantine."
    there = yield "pen_card", {"pen": pen}
    if there["free"] < 1:
        return f"{pen} is full."
    species = {each["species"] for each in there["inside"]}
    if species & set(card["not_with"]):
        yield "ask_curator", {"animal": animal, "pen": pen}
        return f"{animal} does not get on with those in {pen}."
    if card["species"] in species:
        yield "watch_pen", {"pen": pen, "animal": animal}
        return f"{pen} is watched first, a {card['species']} is there."
    yield "move_animal", {"animal": animal, "pen": pen}
    return f"{animal} lives in {pen}."


MOVE = Kind(
    161,
    "a species that stands in two lists",
    (
        "Animal {animal} moves into {pen}.",
        "{pen} is ready for {animal}.",
        "{animal} changes to pen {pen}.",
    ),
    _move,
    _move_animal,
    desks=(
        Desk("animal_card", "Look up an animal.", {"animal": str}),
        Desk("pen_card", "Look up a pen.", {"pen": str}),
        Desk("move_animal", "Move.", {"animal": str, "pen": str}, True),
        Desk("ask_curator", "Ask.", {"animal": str, "pen": str}, True),
        Desk("watch_pen", "Watch.", {"pen": str, "animal": str}, True),
    ),
)


# -------------------------------------------------------------- 162: notaries
def _deed(draw: Draw, different: bool) -> Scene:
    deed = draw.identifier("DD")
    seller, buyer, witness, notary = draw.people(4)
    price = draw.rng.randrange(20_000, 900_000, 1_000)
    state = {"spoken": draw.choice(("de", "de", "en")), "interpreter": None}
    if state["spoken"] == "en":
        state["interpreter"] = draw.person()
    burden = {"amount": 0, "released": False}
    if draw.rng.random() < 0.4:
        burden = {"amount": draw.rng.randrange(1_000, 90_000, 500), "released": True}
    if different:
        case = draw.late(("burden", "tongue", "burden"), ("witness", "kin", "witness"))
        if case == "burden":
            burden = {"amount": draw.rng.randrange(1_000, 90_000, 500), "released": False}
        elif case == "tongue":
            state = {"spoken": "en", "interpreter": None}
        elif case == "witness":
            witness = draw.choice((seller, buyer))
        else:
            notary = draw.choice((seller, buyer))
    answers = {
        ("deed_draft", deed): {
            "deed": deed,
            "parties": {"seller": seller, "buyer": buyer},
            "price": price,
            "language": state,
        },
        ("land_register", deed): {"deed": deed, "burden": burden},
        ("session_of", deed): {"deed": deed, "notary": notary, "witness": witness},
    }
    return Scene({"deed": deed}, planted(answers))


def _sign(values: Mapping[str, str], talk: Talk) -> Work:
    deed = values["deed"]
    draft = yield "deed_draft", {"deed": deed}
    if draft["language"]["spoken"] != "de" and draft["language"]["interpreter"] is None:
        return f"{deed} needs an interpreter."
    land = yield "land_register", {"deed": deed}
    if land["burden"]["amount"] and not land["burden"]["released"]:
        yield "ask_bank", {"deed": deed}
        return f"The bank of {deed} was asked."
    session = yield "session_of", {"deed": deed}
    parties = set(draft["parties"].values())
    if session["witness"] in parties:
        yield "swap_witness", {"deed": deed}
        return f"{session['witness']} cannot witness {deed}."
    if session["notary"] in parties:
        yield "swap_notary", {"deed": deed}
        return f"{session['notary']} cannot sign {deed}."
    yield "sign_deed", {"deed": deed, "price": draft["price"]}
    return f"{deed} is signed at {draft['price']} euros."


SIGN = Kind(
    162,
    "one person in two parts, told by two tools",
    ("The parties sign {deed} now.", "{deed} is ready to be signed.", "Have deed {deed} signed."),
    _deed,
    _sign,
    desks=(
        Desk("deed_draft", "Look up a draft.", {"deed": str}),
        Desk("land_register", "Ask the register.", {"deed": str}),
        Desk("session_of", "Look up a session.", {"deed": str}),
        Desk("sign_deed", "Sign.", {"deed": str, "price": int}, True),
        Desk("ask_bank", "Ask the bank.", {"deed": str}, True),
        Desk("swap_witness", "Find a witness.", {"deed": str}, True),
        Desk("swap_notary", "Find a notary.", {"deed": str}, True),
    ),
)


# -------------------------------------------------------------- 163: a bakery
_PARTS = ("flour", "butter", "eggs", "milk", "sugar", "yeast", "cocoa", "honey", "walnuts", "cream")


def _cake(draw: Draw, different: bool) -> Scene:
    order, cake = draw.identifier("OR"), draw.identifier("CK")
    parts = draw.rng.sample(_PARTS, 4)
    rest = [each for each in _PARTS if each not in parts]
    avoid = draw.rng.sample(rest, draw.rng.randint(0, 2))
    size = draw.choice(("small", "large"))
    hours = draw.rng.randint(4, 60) if size == "small" else draw.rng.randint(30, 90)
    stock = draw.rng.randint(1, 9)
    if different:
        case = draw.late(("sold", "soon", "sold"), ("avoid", "large", "avoid"))
        if case == "sold":
            stock = 0
        elif case == "soon":
            hours = draw.rng.randint(0, 2)
        elif case == "avoid":
            avoid = [*avoid[:1], draw.choice(parts)]
        else:
            size, hours = "large", draw.rng.randint(5, 22)
    answers = {
        ("cake_order", order): {
            "order": order,
            "cake": cake,
            "size": size,
            "hours_left": hours,
            "without": avoid,
        },
        ("recipe", cake): {"cake": cake, "parts": parts, "boxes": stock},
    }
    return Scene({"order": order}, planted(answers))


def _bake(values: Mapping[str, str], talk: Talk) -> Work:
    order = values["order"]
    record = yield "cake_order", {"order": order}
    if record["hours_left"] < (24 if record["size"] == "large" else 3):
        yield "call_guest", {"order": order, "about": "time"}
        return f"{order} comes too late."
    recipe = yield "recipe", {"cake": record["cake"]}
    if set(record["without"]) & set(recipe["parts"]):
        yield "call_guest", {"order": order, "about": "parts"}
        return f"{order} asks for what cannot be left out."
    if recipe["boxes"] < 1:
        return f"There are no boxes for {order}."
    yield "bake", {"order": order, "cake": record["cake"]}
    return f"{order} is baked."


BAKE = Kind(
    163,
    "a part that somebody must not have; a time that is enough for another size",
    ("Bake {order}.", "{order} came in for the oven.", "Put order {order} on the list."),
    _cake,
    _bake,
    desks=(
        Desk("cake_order", "Look up an order.", {"order": str}),
        Desk("recipe", "Look up a recipe.", {"cake": str}),
        Desk("bake", "Bake.", {"order": str, "cake": str}, True),
        Desk("call_guest", "Call.", {"order": str, "about": str}, True),
    ),
)


# -------------------------------------------------------------- 164: an archive
def _paper(draw: Draw, different: bool) -> Scene:
    paper, reader = draw.identifier("AR"), draw.identifier("RD")
    now = drawn_day(draw)
    form = draw.choice(("letter", "map", "file"))
    year = draw.rng.randint(1820, 1925) if form == "file" else draw.rng.randint(1820, 1990)
    state, rank = draw.choice(("good", "good", "brittle")), draw.choice(("guest", "scholar"))
    if state == "brittle":
        rank = "scholar"
    until = later(now, draw.rng.randint(1, 300))
    if different:
        case = draw.late(("expired", "lost", "expired"), ("young", "brittle", "young"))
        if case == "expired":
            until = later(now, -draw.rng.randint(1, 200))
        elif case == "lost":
            state = "lost"
        elif case == "young":
            form, year, state = "file", draw.rng.randint(1940, 1988), "good"
        else:
            state, rank = "brittle", "guest"
    answers = {
        ("paper_card", paper): {"paper": paper, "form": form, "year": year, "state": state},
        ("reader_card", reader): {"reader": reader, "rank": rank, "until": until},
    }
    return Scene({"paper": paper, "reader": reader}, planted(answers), system=today_is(now))


def _lend_paper(values: Mapping[str, str], talk: Talk) -> Work:
    paper, reader = values["paper"], values["reader"]
    card = yield "paper_card", {"paper": paper}
    if card["state"] == "lost":
        return f"{paper} is lost."
    holder = yield "reader_card", {"reader": reader}
    if holder["until"] < today(talk).isoformat():
        yield "renew_card", {"reader": reader}
        return f"The card of {reader} has to be renewed."
    if card["form"] == "file" and card["year"] > 1930:
        yield "ask_office", {"paper": paper}
        return f"{paper} is still closed."
    if card["state"] == "brittle" and holder["rank"] == "guest":
        yield "show_scan", {"paper": paper, "reader": reader}
        return f"{reader} sees a scan of {paper}."
    yield "bring_paper", {"paper": paper, "reader": reader}
    return f"{paper} is brought to {reader}."


LEND_PAPER = Kind(
    164,
    "a year that is old enough for another form; two classes that do not go together",
    (
        "Bring {paper} to {reader}.",
        "The reading room wants {paper} for {reader}.",
        "Reader {reader}: {paper}.",
    ),
    _paper,
    _lend_paper,
    desks=(
        Desk("paper_card", "Look up a paper.", {"paper": str}),
        Desk("reader_card", "Look up a reader.", {"reader": str}),
        Desk("bring_paper", "Bring.", {"paper": str, "reader": str}, True),
        Desk("renew_card", "Renew.", {"reader": str}, True),
        Desk("ask_office", "Ask.", {"paper": str}, True),
        Desk("show_scan", "Show a scan.", {"paper": str, "reader": str}, True),
    ),
)

KINDS: tuple[Kind, ...] = (HAND_OVER, BOOK, MOVE, SIGN, BAKE, LEND_PAPER)
