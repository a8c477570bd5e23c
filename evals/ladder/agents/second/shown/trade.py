"""Kinds 56 to 60: a car rental, a telephone company, a restaurant, a museum and a warehouse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...desks import Desk, planted
from ...kinds import Draw, Kind, Scene, Talk, Work

__all__ = ["LEND", "RETURN_CAR", "SEAT_GUESTS", "SHIP", "SWITCH_TARIFF"]


# ------------------------------------------------------------------ 56: a side not shown
def _car(draw: Draw, different: bool) -> Scene:
    rental = draw.identifier("RT")
    record: dict[str, Any] = {
        "rental": rental,
        "deposit": draw.rng.randrange(200, 900, 50),
        "fuel": draw.rng.randint(90, 100),
        "driven": {"value": draw.rng.randint(50, 900), "unit": "km"},
        "damages": [],
    }
    if different:
        record |= draw.scheduled(
            (
                {"fuel": draw.rng.randint(5, 60)},
                {"damages": [{"part": draw.choice(("door", "mirror"))}]},
                {"driven": {"value": draw.rng.randint(1200, 3000), "unit": "km"}},
                {"driven": {"value": draw.rng.randint(50, 900), "unit": "miles"}},
            )
        )
    return Scene({"rental": rental}, planted({("get_rental", rental): record}))


def _return_car(values: Mapping[str, str], talk: Talk) -> Work:
    rental = values["rental"]
    record = yield "get_rental", {"rental": rental}
    driven = record["driven"]
    if record["damages"]:
        return f"{rental} came back with damages: {record['damages'][0]['part']}."
    if record["fuel"] < 80:
        return f"The tank of {rental} is not full."
    if driven["unit"] != "km" or driven["value"] > 1000:
        return f"{driven['value']} {driven['unit']} with {rental} have to be charged first."
    yield "pay_back", {"rental": rental, "amount": record["deposit"]}
    return f"The deposit of {rental}, {record['deposit']} euros, is paid back."


RETURN_CAR = Kind(
    56,
    "figures on a side that was not shown, a nested unit, a list that is empty as a rule",
    (
        "The car of {rental} is back.",
        "Close rental {rental} and pay the deposit back.",
        "{rental} was returned, please settle it.",
    ),
    _car,
    _return_car,
    desks=(
        Desk("get_rental", "Look up a rental.", {"rental": str}),
        Desk("pay_back", "Pay a deposit back.", {"rental": str, "amount": int}, True),
    ),
)


# ------------------------------------------------------------------ 57: an answer that asks back
def _line(draw: Draw, different: bool) -> Scene:
    line, tariff = draw.identifier("LI"), draw.choice(("Plus", "Flat", "Basic", "Max"))
    answers: dict[tuple[str, str], Any] = {
        ("get_line", line): {"line": line, "contract": draw.identifier("CT")},
        ("switch_tariff", line): {"line": line, "tariff": tariff},
    }
    if different:
        answers["switch_tariff", line] = draw.scheduled(
            (
                {"question": "The contract then runs for another year. Go on?"},
                {"line": line, "tariff": tariff, "fee": draw.rng.randint(5, 30)},
                {"line": line, "tariff": "Basic" if tariff != "Basic" else "Plus"},
            )
        )
    return Scene({"line": line, "tariff": tariff}, planted(answers))


def _switch(values: Mapping[str, str], talk: Talk) -> Work:
    line, tariff = values["line"], values["tariff"]
    yield "get_line", {"line": line}
    done = yield "switch_tariff", {"line": line, "tariff": tariff}
    if "question" in done:
        return f"Before {line} is switched: {done['question']}"
    if done["tariff"] != tariff:
        return f"{line} has {done['tariff']}; {tariff} is not to be had."
    if "fee" in done:
        return f"{line} has {tariff}, for a fee of {done['fee']} euros."
    return f"{line} has {tariff} now."


SWITCH_TARIFF = Kind(
    57,
    "a tool that asks back, or does something else than asked",
    (
        "Switch {line} to the tariff {tariff}.",
        "{line} should get {tariff}.",
        "Please book {tariff} for line {line}.",
    ),
    _line,
    _switch,
    desks=(
        Desk("get_line", "Look up a line.", {"line": str}),
        Desk("switch_tariff", "Switch a line.", {"line": str, "tariff": str}, True),
    ),
)


# ------------------------------------------------------------------ 58: the smallest that fits
def _tables(draw: Draw, different: bool) -> Scene:
    evening, guests = draw.identifier("EV"), draw.rng.randint(2, 5)
    tables: list[dict[str, Any]] = [
        {"table": f"T{number}", "seats": seats, "terrace": draw.choice((True, False))}
        for number, seats in zip(
            draw.rng.sample(range(1, 60), 4), draw.rng.sample(range(2, 12), 4), strict=True
        )
    ][: draw.rng.randint(2, 4)]
    if max(each["seats"] for each in tables) < guests:
        tables[0]["seats"] = guests
    if different:
        small = [{**each, "seats": 1} for each in tables]
        tables = draw.scheduled(([], small, [{**tables[0], "seats": guests, "closed": True}]))
    answers = {("free_tables", evening): tables}
    return Scene({"evening": evening, "guests": str(guests)}, planted(answers))


def _seat(values: Mapping[str, str], talk: Talk) -> Work:
    evening, guests = values["evening"], int(values["guests"])
    tables = yield "free_tables", {"evening": evening}
    fit = [each for each in tables if each["seats"] >= guests and "closed" not in each]
    if not fit:
        return f"There is no table for {guests} on {evening}."
    best = min(fit, key=lambda each: each["seats"])
    yield "keep_table", {"table": best["table"], "evening": evening}
    return f"Table {best['table']} is kept."


SEAT_GUESTS = Kind(
    58,
    "the smallest of those that are large enough; none",
    (
        "A table for {guests} on {evening}.",
        "{guests} people come on {evening}, keep them a table.",
        "Keep a table on {evening}, we are {guests}.",
    ),
    _tables,
    _seat,
    desks=(
        Desk("free_tables", "List the free tables of an evening.", {"evening": str}),
        Desk("keep_table", "Keep a table.", {"table": str, "evening": str}, True),
    ),
)


# ------------------------------------------------------------------ 59: two fields that agree
def _piece(draw: Draw, different: bool) -> Scene:
    piece, museum = draw.identifier("AR"), draw.identifier("MU")
    fragile, insured = draw.choice(((True, True), (False, False)))
    if different:
        fragile = draw.scheduled((True, False))
        insured = not fragile
    answers = {
        ("get_piece", piece): {
            "piece": piece,
            "fragile": fragile,
            "weight": draw.rng.randint(1, 90),
        },
        ("get_museum", museum): {"museum": museum, "insured": insured},
    }
    return Scene({"piece": piece, "museum": museum}, planted(answers))


def _lend(values: Mapping[str, str], talk: Talk) -> Work:
    piece, museum = values["piece"], values["museum"]
    work = yield "get_piece", {"piece": piece}
    house = yield "get_museum", {"museum": museum}
    if work["fragile"] != house["insured"]:
        return f"Whether {museum} may have {piece} is for the director."
    yield "lend", {"piece": piece, "museum": museum}
    return f"{museum} gets {piece}."


LEND = Kind(
    59,
    "two fields of two records that agree",
    (
        "Lend {piece} to {museum}.",
        "{museum} asks for {piece}, please lend it.",
        "Send {piece} over to {museum}.",
    ),
    _piece,
    _lend,
    desks=(
        Desk("get_piece", "Look up a piece.", {"piece": str}),
        Desk("get_museum", "Look up a museum.", {"museum": str}),
        Desk("lend", "Lend a piece.", {"piece": str, "museum": str}, True),
    ),
)


# ------------------------------------------------------------------ 60: changed in between
def _delivery(draw: Draw, different: bool) -> Scene:
    delivery, place = draw.identifier("DL"), f"aisle {draw.rng.randint(1, 30)}"
    record = {"delivery": delivery, "place": place, "version": draw.rng.randint(1, 9)}
    answers: dict[tuple[str, str], Any] = {("get_delivery", delivery): record}
    answers["ship", delivery] = f"shipped {delivery}"
    system = ""
    if different:
        case = draw.scheduled(("stale", "prompt", "text"))
        if case == "stale":
            answers["ship", delivery] = f"not shipped, {delivery} was changed by somebody"
        elif case == "prompt":
            system = f"Gate {draw.rng.randint(2, 9)} is closed: nothing is shipped today."
        else:
            answers["get_delivery", delivery] = f"{delivery} is being counted"
    return Scene({"delivery": delivery}, planted(answers), system=system)


def _ship(values: Mapping[str, str], talk: Talk) -> Work:
    delivery = values["delivery"]
    if "nothing is shipped" in talk.system:
        return f"{delivery} has to wait, the gate is closed."
    record = yield "get_delivery", {"delivery": delivery}
    if isinstance(record, str):
        return f"{delivery} cannot be shipped: {record}."
    answer = yield "ship", {"delivery": delivery, "version": record["version"]}
    if answer.startswith("not"):
        return f"Somebody changed {delivery}, please look at it again."
    return f"{delivery} left {record['place']}."


SHIP = Kind(
    60,
    "a record that was changed before the call, a text in place of a record, a stop in the prompt",
    (
        "Ship {delivery}.",
        "{delivery} may leave the house.",
        "Please send {delivery} off.",
    ),
    _delivery,
    _ship,
    desks=(
        Desk("get_delivery", "Look up a delivery.", {"delivery": str}),
        Desk("ship", "Ship a delivery.", {"delivery": str, "version": int}, True),
    ),
)
