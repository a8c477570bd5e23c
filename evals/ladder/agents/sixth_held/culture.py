"""Kinds 134 to 136: concerts, museums and a translation bureau."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...names import PEOPLE, SURNAMES
from ..days import drawn_day, later
from ..desks import Desk, planted
from ..kinds import Draw, Kind, Scene, Talk, Work

__all__ = ["KINDS"]


# -------------------------------------------------------------- 134: concerts
def _concert(draw: Draw, different: bool) -> Scene:
    order, show, day = draw.identifier("CO"), draw.identifier("SW"), drawn_day(draw)
    paid = draw.money(30, 400)
    rows: list[dict[str, Any]] = [{"booking": draw.identifier("PB"), "amount": paid}]
    disputes = []
    if draw.rng.random() < 0.3:
        disputes = [{"opened": later(day, -draw.rng.randint(5, 40)), "state": "lost"}]
    if draw.number > 2 and draw.rng.random() < 0.5:
        rows.append({"booking": draw.identifier("PB"), "amount": 0.0})
    state: dict[str, Any] = {"show": show, "state": "cancelled", "new_date": None}
    if different:
        case = draw.late(("postponed", "disputed", "postponed"), ("part", "twice", "part"))
        if case == "postponed":
            state.update(state="postponed", new_date=later(day, draw.rng.randint(30, 200)))
        elif case == "disputed":
            disputes = [*disputes, {"opened": later(day, -2), "state": "open"}]
        elif case == "part":
            back = round(-paid * draw.rng.randint(20, 70) / 100, 2)
            rows.append({"booking": draw.identifier("PB"), "amount": back})
        else:
            rows.append({"booking": draw.identifier("PB"), "amount": paid})
    record = {"order": order, "show": show, "seats": draw.rng.randint(1, 6), "paid": rows}
    answers = {
        ("concert_order", order): record,
        ("show_state", show): state,
        ("charge_backs", order): {"order": order, "cases": disputes},
    }
    return Scene({"order": order}, planted(answers))


def _give_back(values: Mapping[str, str], talk: Talk) -> Work:
    order = values["order"]
    record = yield "concert_order", {"order": order}
    shown = yield "show_state", {"show": record["show"]}
    if shown["state"] != "cancelled":
        yield "offer_new_date", {"order": order, "date": shown["new_date"]}
        return f"{record['show']} is {shown['state']}; {order} was offered {shown['new_date']}."
    disputes = yield "charge_backs", {"order": order}
    if any(each["state"] == "open" for each in disputes["cases"]):
        return f"The bank of the buyer fetches the money of {order} already."
    amount = round(sum(each["amount"] for each in record["paid"]), 2)
    yield "give_back", {"order": order, "amount": amount}
    return f"{amount} euros go back for {order}."


GIVE_BACK = Kind(
    134,
    "a negative row and a second one in a list of bookings; a case of another office",
    (
        "Give the buyer of {order} the money back.",
        "{order} wants a refund for the concert.",
        "Concert off: refund {order}.",
    ),
    _concert,
    _give_back,
    desks=(
        Desk("concert_order", "Look up an order of concert tickets.", {"order": str}),
        Desk("show_state", "Show whether a concert takes place.", {"show": str}),
        Desk("charge_backs", "List the charge-backs of an order.", {"order": str}),
        Desk("give_back", "Give money back.", {"order": str, "amount": float}, True),
        Desk("offer_new_date", "Offer the new date.", {"order": str, "date": str}, True),
    ),
)


# -------------------------------------------------------------- 135: museums
_MONEY = ("EUR", "CHF", "GBP", "SEK")


def _loan(draw: Draw, different: bool) -> Scene:
    thing, museum, part = draw.identifier("OB"), draw.identifier("MU"), draw.identifier("CL")
    whole, start = draw.identifier("CL"), drawn_day(draw)
    first, last = later(start, 0), later(start, draw.rng.randint(40, 120))
    currency, other = draw.rng.sample(_MONEY, 2)
    value = draw.rng.randrange(5_000, 90_000, 500)
    cover = {"amount": value + draw.rng.choice((0, 500, 7_500, 60_000)), "currency": currency}
    card: dict[str, Any] = {
        "object": thing,
        "collection": part,
        "condition": draw.choice(("good", "good", "fair")),
        "value": {"amount": value, "currency": currency},
    }
    collection: dict[str, Any] = {"collection": part, "hold": None, "within": None}
    parent: dict[str, Any] = {"collection": whole, "hold": None, "within": None}
    if draw.rng.random() < 0.4:
        collection["within"] = whole
    if different:
        case = draw.late(("cover", "worn", "cover"), ("held", "currency", "held"))
        if case == "cover":
            cover["amount"] = value - draw.rng.randrange(500, 4_500, 500)
        elif case == "worn":
            card["condition"] = draw.choice(("poor", "unstable"))
        elif case == "held":
            collection["within"] = whole
            parent["hold"] = {"since": later(start, -200), "by": draw.person()}
        else:
            cover["currency"] = other
    answers = {
        ("object_card", thing): card,
        ("borrower", museum): {"museum": museum, "city_cover": cover},
        ("collection_card", part): collection,
        ("collection_card", whole): parent,
    }
    values = {"object": thing, "museum": museum, "first": first, "last": last}
    return Scene(values, planted(answers))


def _lend(values: Mapping[str, str], talk: Talk) -> Work:
    thing, museum = values["object"], values["museum"]
    card = yield "object_card", {"object": thing}
    if card["condition"] not in ("good", "fair"):
        yield "send_to_workshop", {"object": thing}
        return f"{thing} is {card['condition']}, the workshop looks at it."
    above = card["collection"]
    while above is not None:
        shown = yield "collection_card", {"collection": above}
        if shown["hold"] is not None:
            yield "ask_holder", {"object": thing, "person": shown["hold"]["by"]}
            return f"{shown['hold']['by']} decides on {thing}."
        above = shown["within"]
    borrower = yield "borrower", {"museum": museum}
    value, cover = card["value"], borrower["city_cover"]
    if value["currency"] != cover["currency"]:
        yield "ask_insurer", {"museum": museum, "currency": value["currency"]}
        return f"The cover of {museum} is in {cover['currency']}, the insurer is asked."
    if value["amount"] > cover["amount"]:
        return f"{thing} is worth more than {museum} has insured."
    args = {"object": thing, "museum": museum, "first": values["first"], "last": values["last"]}
    yield "lend_object", args
    return f"{thing} is lent to {museum} until {values['last']}."


LEND = Kind(
    135,
    "a hold on the parent of a parent; two amounts of different currencies",
    (
        "Approve the loan of {object} to {museum}, {first} to {last}.",
        "{museum} asks for {object}, {first} until {last}: approve the loan.",
        "Loan of {object} ({first} to {last}) for museum {museum}.",
    ),
    _loan,
    _lend,
    desks=(
        Desk("object_card", "Look up an object.", {"object": str}),
        Desk("collection_card", "Look up a collection.", {"collection": str}),
        Desk("borrower", "Look up a museum that borrows.", {"museum": str}),
        Desk(
            "lend_object",
            "Lend an object.",
            {"object": str, "museum": str, "first": str, "last": str},
            True,
        ),
        Desk("send_to_workshop", "Send an object to the workshop.", {"object": str}, True),
        Desk("ask_holder", "Ask who holds it.", {"object": str, "person": str}, True),
        Desk("ask_insurer", "Ask the insurer.", {"museum": str, "currency": str}, True),
    ),
)


# -------------------------------------------------------------- 136: a translation bureau
_TONGUES = ("de", "en", "fr", "it", "pl", "sv", "es")


def _inverted(name: str) -> str:
    first, _, last = name.partition(" ")
    return f"{last}, {first}"


def _job(draw: Draw, different: bool) -> Scene:
    job, name = draw.identifier("JB"), draw.person()
    first, last = name.split()
    source, target, third = draw.rng.sample(_TONGUES, 3)
    words = draw.rng.randrange(300, 9_000, 50)
    pairs = [f"{source}>{target}", f"{third}>{target}", f"{target}>{third}"]
    sworn, needs = draw.choice(((True, True), (True, False), (False, False)))
    reviser = draw.choice(
        (
            f"{first} {draw.choice([each for each in SURNAMES if each != last])}",
            f"{draw.choice([each for each in PEOPLE if each != first])} {last}",
            f"{last[0]}. {draw.choice([each for each in SURNAMES if each != last])}",
        )
    )
    if draw.rng.random() < 0.5 and "." not in reviser:
        reviser = _inverted(reviser)
    free = words + draw.choice((0, 50, 1_000, 5_000))
    if different:
        case = draw.scheduled(("direction", "reviser", "inverted", "sworn", "room"))
        if case == "direction":
            pairs[0] = f"{target}>{source}"
        elif case == "reviser":
            reviser = name
        elif case == "inverted":
            reviser = _inverted(name)
        elif case == "sworn":
            sworn, needs = False, True
        else:
            free = words - draw.rng.randrange(50, 300, 50)
    draw.rng.shuffle(pairs)
    answers = {
        ("job_sheet", job): {
            "job": job,
            "pair": f"{source}>{target}",
            "words": words,
            "reviser": reviser,
            "must_be_sworn": needs,
        },
        ("translator", name): {"name": name, "pairs": pairs, "sworn": sworn, "free_words": free},
    }
    return Scene({"job": job, "name": name}, planted(answers))


def _assign(values: Mapping[str, str], talk: Talk) -> Work:
    job, name = values["job"], values["name"]
    sheet = yield "job_sheet", {"job": job}
    card = yield "translator", {"name": name}
    if sheet["reviser"] in (name, _inverted(name)):
        yield "find_reviser", {"job": job, "pair": sheet["pair"]}
        return f"{name} revises {job}; somebody else has to do that first."
    if sheet["pair"] not in card["pairs"]:
        return f"{name} does not translate {sheet['pair']}."
    if sheet["must_be_sworn"] and not card["sworn"]:
        return f"{job} needs a sworn translator, {name} is none."
    if sheet["words"] > card["free_words"]:
        yield "offer_part", {"job": job, "name": name, "words": card["free_words"]}
        return f"{name} was offered {card['free_words']} words of {job}."
    yield "assign_job", {"job": job, "name": name, "words": sheet["words"]}
    return f"{name} translates {job}, {sheet['words']} words."


ASSIGN = Kind(
    136,
    "a person in two parts, the name written another way; the direction of a pair",
    (
        "Give translation {job} to {name}.",
        "{name} takes over the translation {job}.",
        "Translator for {job}: {name}.",
    ),
    _job,
    _assign,
    desks=(
        Desk("job_sheet", "Look up a translation.", {"job": str}),
        Desk("translator", "Look up a translator.", {"name": str}),
        Desk("assign_job", "Assign.", {"job": str, "name": str, "words": int}, True),
        Desk("offer_part", "Offer a part.", {"job": str, "name": str, "words": int}, True),
        Desk("find_reviser", "Find another reviser.", {"job": str, "pair": str}, True),
    ),
)

KINDS: tuple[Kind, ...] = (GIVE_BACK, LEND, ASSIGN)
