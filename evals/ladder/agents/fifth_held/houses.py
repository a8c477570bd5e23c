"""Kinds 123 to 128: an exam board, baggage, school trips, returns, numbers and a kitchen."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from ..days import drawn_day, later, today, today_is
from ..desks import Desk, planted
from ..kinds import Draw, Kind, Line, Scene, Talk, Work

__all__ = ["KINDS"]


# -------------------------------------------------------------- 123: two marks
def _marks(draw: Draw, different: bool) -> Scene:
    script, names = draw.identifier("SC"), draw.people(2)
    first = draw.rng.randint(40, 90)
    second = first + 2 * draw.rng.randint(-5, 5)
    record: dict[str, Any] = {
        "script": script,
        "first": {"by": names[0], "mark": first},
        "second": {"by": names[1], "mark": second},
        "state": "open",
    }
    if different:
        case = draw.late(("apart", "final", "apart"), ("absent", "same", "appeal"))
        if case == "apart":
            record["second"]["mark"] = first + draw.choice((-20, -16, -12))
        elif case == "final":
            record["state"] = "final"
        elif case == "absent":
            record["second"]["mark"] = None
        elif case == "same":
            record["second"]["by"] = names[0]
        else:
            record["appeal"] = {"on": "2026-06-02"}
    return Scene({"script": script}, planted({("get_marks", script): record}))


def _set_mark(values: Mapping[str, str], talk: Talk) -> Work:
    script = values["script"]
    record = yield "get_marks", {"script": script}
    first, second = record["first"], record["second"]
    if record["state"] != "open" or "appeal" in record:
        return f"{script} is with the board."
    if second["mark"] is None or first["by"] == second["by"]:
        return f"{script} needs a second examiner."
    if abs(first["mark"] - second["mark"]) > 10:
        yield "third_marker", {"script": script}
        return f"A third examiner reads {script}."
    mark = (first["mark"] + second["mark"]) // 2
    yield "set_mark", {"script": script, "mark": mark}
    return f"{script} has {mark} points."


SET_MARK = Kind(
    123,
    "the mean of two figures that are not too far apart, by two people",
    (
        "Settle the mark of script {script}.",
        "Script {script} was read twice, set its mark.",
        "What is the mark of {script}? Enter it.",
    ),
    _marks,
    _set_mark,
    desks=(
        Desk("get_marks", "Show the marks of a script.", {"script": str}),
        Desk("set_mark", "Set a mark.", {"script": str, "mark": int}, True),
        Desk("third_marker", "Send to a third examiner.", {"script": str}, True),
    ),
)


# -------------------------------------------------------------- 124: no more than a cap
def _bag(draw: Draw, different: bool) -> Scene:
    claim, day = draw.identifier("BG"), drawn_day(draw)
    travel = draw.choice(("eco", "flex", "first"))
    cap = {"eco": 800, "flex": 1200, "first": 2500}[travel]
    tag = draw.identifier("TAG")
    record: dict[str, Any] = {
        "claim": claim,
        "tag": tag,
        "class": travel,
        "flight_on": later(day, -draw.rng.randint(30, 200)),
        "asked": {"amount": draw.rng.randint(60, cap), "currency": "EUR"},
    }
    record["reported_on"] = later(date.fromisoformat(record["flight_on"]), draw.rng.randint(0, 15))
    trace = {"tag": tag, "state": "missing", "searched": draw.rng.randint(3, 9)}
    if different:
        case = draw.late(("above", "currency", "above"), ("found", "late", "settled"))
        if case == "above":
            record["asked"]["amount"] = cap + draw.rng.randint(10, 900)
        elif case == "currency":
            record["asked"]["currency"] = draw.choice(("USD", "CHF"))
        elif case == "found":
            trace["state"] = "found"
        elif case == "late":
            record["reported_on"] = later(date.fromisoformat(record["flight_on"]), 25)
        else:
            record["settled_on"] = later(day, -3)
    answers = {
        ("get_bag_claim", claim): record,
        ("trace_bag", tag): trace,
        ("class_cap", travel): {"class": travel, "cap": cap},
    }
    return Scene({"claim": claim}, planted(answers), system=today_is(day))


def _pay_bag(values: Mapping[str, str], talk: Talk) -> Work:
    claim = values["claim"]
    record = yield "get_bag_claim", {"claim": claim}
    if "settled_on" in record:
        return f"{claim} was settled on {record['settled_on']}."
    flight, reported = (date.fromisoformat(record[k]) for k in ("flight_on", "reported_on"))
    if (reported - flight).days > 21:
        yield "reject", {"claim": claim}
        return f"{claim} came too late."
    asked = record["asked"]
    if asked["currency"] != "EUR":
        return f"{claim} is in {asked['currency']} and has to be converted first."
    trace = yield "trace_bag", {"tag": record["tag"]}
    if trace["state"] != "missing":
        yield "deliver_bag", {"tag": record["tag"]}
        return f"The bag of {claim} is {trace['state']} and is delivered."
    limit = yield "class_cap", {"travel": record["class"]}
    amount = min(asked["amount"], limit["cap"])
    yield "pay_claim", {"claim": claim, "amount": amount}
    return f"{amount} euros are paid for {claim}."


PAY_BAG = Kind(
    124,
    "the lesser of an amount and a cap by class; days between two dates of a record",
    (
        "Pay claim {claim} for a lost bag.",
        "The lost bag of {claim}: settle it.",
        "Bag claim {claim} can be closed, I think.",
    ),
    _bag,
    _pay_bag,
    desks=(
        Desk("get_bag_claim", "Look up a claim.", {"claim": str}),
        Desk("trace_bag", "Trace a bag.", {"tag": str}),
        Desk("class_cap", "Show the cap of a class.", {"travel": str}),
        Desk("pay_claim", "Pay.", {"claim": str, "amount": float}, True),
        Desk("reject", "Reject a claim.", {"claim": str}, True),
        Desk("deliver_bag", "Deliver a bag.", {"tag": str}, True),
    ),
)


# -------------------------------------------------------------- 125: an age on a day
def _trip(draw: Draw, different: bool) -> Scene:
    pupil, trip, day = draw.identifier("PP"), draw.identifier("TR"), drawn_day(draw)
    least = draw.choice((10, 12, 14))
    age = least + draw.rng.randint(0, 4)
    born = date(day.year - age, day.month, day.day)
    places = draw.rng.randint(10, 30)
    record: dict[str, Any] = {
        "pupil": pupil,
        "born": later(born, -draw.rng.randint(1, 300)),
        "consent": {"trip": trip, "signed_on": later(day, -draw.rng.randint(5, 30))},
    }
    sheet = {
        "trip": trip,
        "on": later(day, 0),
        "least_age": least,
        "places": places,
        "booked": draw.rng.randint(0, places - 1),
    }
    if different:
        case = draw.late(("full", "young", "full"), ("other", "unsigned", "allergy"))
        if case == "full":
            sheet["booked"] = places
        elif case == "young":
            record["born"] = later(date(day.year - least, day.month, day.day), 30)
        elif case == "other":
            record["consent"]["trip"] = draw.identifier("TR")
        elif case == "unsigned":
            record["consent"]["signed_on"] = None
        else:
            record["allergies"] = ["peanuts"]
    answers = {("pupil_sheet", pupil): record, ("trip_sheet", trip): sheet}
    return Scene({"pupil": pupil, "trip": trip}, planted(answers))


def _sign_up(values: Mapping[str, str], talk: Talk) -> Work:
    pupil, trip = values["pupil"], values["trip"]
    record = yield "pupil_sheet", {"pupil": pupil}
    if record["consent"]["trip"] != trip or record["consent"]["signed_on"] is None:
        yield "ask_parents", {"pupil": pupil, "trip": trip}
        return f"The parents of {pupil} were asked."
    if "allergies" in record:
        return f"{pupil} needs a plan for {record['allergies'][0]} first."
    sheet = yield "trip_sheet", {"trip": trip}
    if sheet["booked"] >= sheet["places"]:
        yield "wait_list", {"pupil": pupil, "trip": trip}
        return f"{trip} is full, {pupil} waits."
    born, on = date.fromisoformat(record["born"]), date.fromisoformat(sheet["on"])
    age = on.year - born.year - ((on.month, on.day) < (born.month, born.day))
    if age < sheet["least_age"]:
        return f"{pupil} is only {age} on {sheet['on']}."
    yield "sign_up", {"pupil": pupil, "trip": trip}
    return f"{pupil} goes on {trip} on {sheet['on']}."


SIGN_UP = Kind(
    125,
    "an age on the day of another record, places against bookings, consent for another trip",
    (
        "Sign {pupil} up for trip {trip}.",
        "{pupil} goes on the school trip {trip}.",
        "Put {pupil} on the list of {trip}.",
    ),
    _trip,
    _sign_up,
    desks=(
        Desk("pupil_sheet", "Look up a pupil.", {"pupil": str}),
        Desk("trip_sheet", "Look up a trip.", {"trip": str}),
        Desk("sign_up", "Sign up.", {"pupil": str, "trip": str}, True),
        Desk("wait_list", "Put on the list.", {"pupil": str, "trip": str}, True),
        Desk("ask_parents", "Ask the parents.", {"pupil": str, "trip": str}, True),
    ),
)


# -------------------------------------------------------------- 126: a part of the price
def _returned(draw: Draw, different: bool) -> Scene:
    order, day = draw.identifier("RO"), drawn_day(draw)
    price = draw.rng.randrange(10, 900, 10)
    record: dict[str, Any] = {
        "order": order,
        "delivered": later(day, -draw.rng.randint(1, 29)),
        "price": price,
        "condition": draw.choice(("sealed", "sealed", "opened")),
        "paid_by": draw.choice(("card", "bank")),
    }
    if different:
        case = draw.late(("late", "damaged", "late"), ("done", "voucher", "partly"))
        if case == "late":
            record["delivered"] = later(day, -draw.rng.randint(32, 200))
        elif case == "damaged":
            record["condition"] = "damaged"
        elif case == "done":
            record["refunded_on"] = later(day, -2)
        elif case == "voucher":
            record["paid_by"] = "voucher"
        else:
            record["refunded"] = price // 2
    return Scene({"order": order}, planted({("get_return", order): record}), system=today_is(day))


def _give_money(values: Mapping[str, str], talk: Talk) -> Work:
    order = values["order"]
    record = yield "get_return", {"order": order}
    if "refunded_on" in record:
        return f"{order} was refunded on {record['refunded_on']}."
    if (today(talk) - date.fromisoformat(record["delivered"])).days > 30:
        return f"{order} came back too late."
    if record["condition"] == "damaged":
        yield "inspect", {"order": order}
        return f"{order} is looked at."
    price = record["price"] if record["condition"] == "sealed" else record["price"] * 8 // 10
    amount = price - record.get("refunded", 0)
    if record["paid_by"] == "voucher":
        yield "give_voucher", {"order": order, "amount": amount}
        return f"A voucher of {amount} euros was made for {order}."
    yield "give_money", {"order": order, "amount": amount, "to": record["paid_by"]}
    return f"{amount} euros of {order} go back to the {record['paid_by']}."


GIVE_MONEY = Kind(
    126,
    "a share by condition, days since a date, what was given back already in whole or in part",
    (
        "Give the money for {order} back, it was returned.",
        "{order} came back, refund what is due.",
        "Refund return {order}.",
    ),
    _returned,
    _give_money,
    desks=(
        Desk("get_return", "Look up a return.", {"order": str}),
        Desk("give_money", "Pay.", {"order": str, "amount": float, "to": str}, True),
        Desk("give_voucher", "Make a voucher.", {"order": str, "amount": float}, True),
        Desk("inspect", "Have it looked at.", {"order": str}, True),
    ),
)


# -------------------------------------------------------------- 127: a secret that has to match
def _port(draw: Draw, different: bool) -> Scene:
    number, day = draw.identifier("0176"), drawn_day(draw)
    pin = str(draw.rng.randint(1000, 9999))
    record: dict[str, Any] = {
        "number": number,
        "secret": pin,
        "account": {"owed": 0, "kind": "private"},
        "contract": {"ends": later(day, -draw.rng.randint(1, 400)), "lock": False},
    }
    if different:
        case = draw.late(("pin", "owed", "pin"), ("lock", "runs", "zero"))
        if case == "pin":
            record["secret"] = str(draw.rng.randint(1000, 9999))
        elif case == "owed":
            record["account"]["owed"] = draw.rng.randint(5, 90)
        elif case == "lock":
            record["contract"]["lock"] = True
        elif case == "runs":
            record["contract"]["ends"] = later(day, draw.rng.randint(5, 300))
        else:
            record["secret"] = f"0{pin[1:]}"
            pin = pin[1:]
    values = {"number": number, "pin": pin}
    return Scene(values, planted({("get_number", number): record}), system=today_is(day))


def _port_out(values: Mapping[str, str], talk: Talk) -> Work:
    number, pin = values["number"], values["pin"]
    record = yield "get_number", {"number": number}
    if record["secret"] != pin:
        yield "note_try", {"number": number}
        return f"The PIN of {number} is wrong."
    if record["contract"]["lock"]:
        return f"{number} is locked against leaving."
    if record["account"]["owed"] > 0:
        return f"{record['account']['owed']} euros are owed for {number}."
    if record["contract"]["ends"] > today(talk).isoformat():
        yield "ask_fee", {"number": number}
        return f"The contract of {number} runs until {record['contract']['ends']}."
    yield "port_out", {"number": number}
    return f"{number} leaves us."


PORT_OUT = Kind(
    127,
    "a secret of the task and of the record, with a zero in front; a contract that still runs",
    (
        "Port {number} out, PIN {pin}.",
        "{number} goes to another provider, the PIN is {pin}.",
        "With PIN {pin}: let {number} go.",
    ),
    _port,
    _port_out,
    desks=(
        Desk("get_number", "Look up a number.", {"number": str}),
        Desk("port_out", "Let a number go.", {"number": str}, True),
        Desk("note_try", "Note a wrong PIN.", {"number": str}, True),
        Desk("ask_fee", "Ask for a fee.", {"number": str}, True),
    ),
)


# -------------------------------------------------------------- 128: what a guest must not eat
_FOODS = ("milk", "egg", "soy", "wheat", "fish", "nuts", "celery", "sesame")


def _dinner(draw: Draw, different: bool) -> Scene:
    guest, dish = draw.identifier("GS"), draw.identifier("DI")
    foods = draw.rng.sample(_FOODS, 6)
    inside, harmful = foods[: draw.rng.randint(1, 3)], foods[3 : draw.rng.randint(3, 5)]
    price = draw.rng.randint(8, 40)
    earlier: tuple[Line, ...] = ()
    if draw.rng.random() < 0.3:
        text = draw.choice(("The kitchen is slow today.", f"{guest} sits on the terrace."))
        earlier = (("human", text), ("ai", "I see."))
    card: dict[str, Any] = {"guest": guest, "must_not": harmful, "room": draw.rng.randint(101, 499)}
    food = {"dish": dish, "inside": inside, "price": price, "left": draw.rng.randint(1, 20)}
    if different:
        case = draw.late(("out", "harmful", "out"), ("said", "budget", "may contain"))
        if case == "out":
            food["left"] = 0
        elif case == "harmful":
            card["must_not"] = [*harmful, inside[0]]
        elif case == "said":
            earlier = (("human", f"No {inside[-1]} for {guest}, ever."), ("ai", "I see."))
        elif case == "budget":
            text = f"{guest} pays at most {price - 3} euros a dish."
            earlier = (("human", text), ("ai", "I see."))
        else:
            card["must_not"] = [foods[5]]
            food["may_contain"] = [foods[5]]
    answers = {("guest_card", guest): card, ("dish_card", dish): food}
    return Scene({"guest": guest, "dish": dish}, planted(answers), earlier=earlier)


def _serve(values: Mapping[str, str], talk: Talk) -> Work:
    guest, dish = values["guest"], values["dish"]
    card = yield "guest_card", {"guest": guest}
    food = yield "dish_card", {"dish": dish}
    if food["left"] < 1:
        return f"{dish} is sold out."
    said = [text for text in talk.earlier if guest in text]
    never = {*card["must_not"], *(text.split()[1] for text in said if text.startswith("No "))}
    if never & {*food["inside"], *food.get("may_contain", [])}:
        yield "tell_kitchen", {"guest": guest, "dish": dish}
        return f"{guest} must not eat {dish}; the kitchen was told."
    limits = [int(text.split()[4]) for text in said if "at most" in text]
    if limits and food["price"] > limits[0]:
        return f"{dish} costs {food['price']} euros, {guest} wants to pay {limits[0]}."
    yield "serve_dish", {"room": card["room"], "dish": dish}
    return f"{dish} goes to room {card['room']}."


SERVE = Kind(
    128,
    "two lists that share something, what was said of a guest before, a list that is new",
    (
        "Serve {dish} to {guest}.",
        "{guest} would like {dish} tonight.",
        "One {dish} for {guest}, please.",
    ),
    _dinner,
    _serve,
    desks=(
        Desk("guest_card", "Look up a guest.", {"guest": str}),
        Desk("dish_card", "Look up a dish.", {"dish": str}),
        Desk("serve_dish", "Serve.", {"room": int, "dish": str}, True),
        Desk("tell_kitchen", "Tell the kitchen.", {"guest": str, "dish": str}, True),
    ),
)

KINDS: tuple[Kind, ...] = (SET_MARK, PAY_BAG, SIGN_UP, GIVE_MONEY, PORT_OUT, SERVE)
