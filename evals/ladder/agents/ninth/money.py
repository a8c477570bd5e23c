"""Kinds 165 to 168: returns, expense claims, parcels and reorders."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from ...names import CITIES, PARTS
from ..days import drawn_day, later, today, today_is
from ..desks import Desk, planted
from ..kinds import Draw, Kind, Scene, Talk, Work

# -------------------------------------------------------------- 165: a limit by class and date
_CLASSES = {"electronics": 14, "clothing": 30, "furniture": 60}
_GOODS = {
    "electronics": ("headset", "router", "monitor"),
    "clothing": ("coat", "scarf", "boots"),
    "furniture": ("desk", "shelf", "armchair"),
}


def _return(draw: Draw, different: bool) -> Scene:
    order, day = draw.identifier("RO-"), drawn_day(draw)
    group = draw.choice(tuple(_CLASSES))
    age = draw.rng.randint(0, _CLASSES[group])
    record: dict[str, Any] = {
        "order": order,
        "customer": {"id": draw.identifier("CU"), "tier": draw.choice(("basic", "plus"))},
        "item": {"name": draw.choice(_GOODS[group]), "class": group},
        "price": draw.money(8, 900),
        "paid_with": draw.choice(("card", "card", "invoice", "wallet")),
        "delivered_on": later(day, -age),
        "opened": draw.rng.random() < 0.5,
    }
    if different:
        case = draw.late(("late", "voucher", "late"), ("undated", "returned", "class"))
        if case == "late":
            # What is late for this class of goods is in time for another.
            group = draw.choice(("electronics", "clothing"))
            record["item"] = {"name": draw.choice(_GOODS[group]), "class": group}
            age = _CLASSES[group] + draw.rng.randint(1, 14)
            record["delivered_on"] = later(day, -age)
        elif case == "voucher":
            record["paid_with"] = "gift voucher"
        elif case == "undated":
            record["delivered_on"] = None
        elif case == "returned":
            record["returns"] = [{"on": later(day, -1), "amount": record["price"]}]
        else:
            record["item"] = {"name": "ear plugs", "class": "hygiene"}
            record["opened"] = True
    return Scene({"order": order}, planted({("get_purchase", order): record}), system=today_is(day))


def _give_back(values: Mapping[str, str], talk: Talk) -> Work:
    order = values["order"]
    record = yield "get_purchase", {"order": order}
    if record.get("returns"):
        return f"{order} was given back on {record['returns'][0]['on']}."
    if record["delivered_on"] is None:
        yield "ask_carrier", {"order": order}
        return f"The carrier was asked when {order} came."
    group = record["item"]["class"]
    if group not in _CLASSES:
        return f"Goods of the class {group} are not taken back."
    age = (today(talk) - date.fromisoformat(record["delivered_on"])).days
    if age > _CLASSES[group]:
        yield "refuse_return", {"order": order, "reason": "too late"}
        return f"{order} came {age} days ago, that is too late."
    if record["paid_with"] == "gift voucher":
        customer = record["customer"]["id"]
        yield "issue_voucher", {"customer": customer, "amount": record["price"]}
        return f"{customer} got a voucher of {record['price']} euros."
    yield "pay_back", {"order": order, "amount": record["price"], "by": record["paid_with"]}
    return f"{record['price']} euros for {order} go back by {record['paid_with']}."


RETURN = Kind(
    165,
    "days since a delivery against a limit of its class; a way of payment, a null, a second return",
    (
        "The customer sends back {order}, give the money back.",
        "Refund the return {order}.",
        "Return of {order} has arrived at the desk; settle it by the rules.",
        "Money back for {order}, please.",
    ),
    _return,
    _give_back,
    desks=(
        Desk("get_purchase", "Look up what was bought.", {"order": str}),
        Desk("pay_back", "Pay money back.", {"order": str, "amount": float, "by": str}, True),
        Desk("refuse_return", "Refuse a return.", {"order": str, "reason": str}, True),
        Desk("issue_voucher", "Issue a voucher.", {"customer": str, "amount": float}, True),
        Desk("ask_carrier", "Ask the carrier for the day.", {"order": str}, True),
    ),
)


# -------------------------------------------------------------- 166: limits of lines and a budget
_LIMITS = {"meal": 60, "taxi": 90, "hotel": 220}


def _claim(draw: Draw, different: bool) -> Scene:
    claim, centre = draw.identifier("XC-"), draw.identifier("CC")
    day = drawn_day(draw)
    kinds = [draw.choice(tuple(_LIMITS)) for _ in range(draw.rng.randint(1, 4))]
    ages = draw.rng.sample(range(2, 30), len(kinds))
    rows: list[dict[str, Any]] = [
        {
            "day": later(day, -age),
            "what": what,
            "amount": draw.rng.randint(6, _LIMITS[what]),
            "currency": "EUR",
            "receipt": draw.identifier("rc"),
        }
        for what, age in zip(kinds, ages, strict=True)
    ]
    if draw.rng.random() < 0.3:
        # A small line without receipt is in order.
        rows[0]["receipt"] = None
        rows[0]["amount"] = draw.rng.randint(3, 25)
    row = draw.choice(rows)
    case = ""
    if different:
        case = draw.late(("limit", "receipt", "budget"), ("twice", "currency", "budget"))
        if case == "limit":
            row["what"] = draw.choice(("meal", "taxi"))
            row["amount"] = _LIMITS[row["what"]] + draw.rng.randint(2, 40)
        elif case == "receipt":
            row["what"] = "hotel"
            row["amount"] = draw.rng.randint(70, 200)
            row["receipt"] = None
        elif case == "twice":
            rows.append({**row, "receipt": draw.identifier("rc")})
        elif case == "currency":
            row["currency"] = draw.choice(("CHF", "GBP"))
    total = sum(each["amount"] for each in rows)
    budget = draw.rng.randrange(3000, 9000, 500)
    left = draw.rng.randint(1, total - 1) if case == "budget" else total + draw.rng.randint(0, 1500)
    text = f"Cost centre {centre}: budget {budget} EUR, spent {budget - left} EUR, left {left} EUR"
    answers = {
        ("get_claim", claim): {
            "claim": claim,
            "by": draw.person(),
            "centre": centre,
            "lines": rows,
            "note": draw.choice(("", "", "Trade fair", f"Visit in {draw.choice(CITIES)}")),
        },
        ("cost_centre", centre): text,
    }
    return Scene({"claim": claim}, planted(answers))


def _pay_claim(values: Mapping[str, str], talk: Talk) -> Work:
    claim = values["claim"]
    record = yield "get_claim", {"claim": claim}
    rows = record["lines"]
    foreign = [each for each in rows if each["currency"] != "EUR"]
    if foreign:
        yield "to_accounting", {"claim": claim, "reason": f"in {foreign[0]['currency']}"}
        return f"Accounting converts {claim}."
    lines = [(each["day"], each["what"], each["amount"]) for each in rows]
    if len(set(lines)) < len(lines):
        yield "send_claim_back", {"claim": claim, "reason": "a line stands there twice"}
        return f"A line of {claim} stands there twice."
    for each in rows:
        if each["amount"] > _LIMITS[each["what"]]:
            reason = f"{each['what']} above {_LIMITS[each['what']]} EUR"
            yield "send_claim_back", {"claim": claim, "reason": reason}
            return f"{claim} went back: {reason}."
        if each["receipt"] is None and each["amount"] > 25:
            reason = f"no receipt for {each['what']}"
            yield "send_claim_back", {"claim": claim, "reason": reason}
            return f"{claim} went back: {reason}."
    total = sum(each["amount"] for each in rows)
    text = yield "cost_centre", {"centre": record["centre"]}
    left = int(text.rpartition("left ")[2].split()[0])
    if total > left:
        yield "ask_budget", {"centre": record["centre"], "amount": total - left}
        return f"{record['centre']} lacks {total - left} euros for {claim}."
    yield "pay_claim", {"claim": claim, "amount": total, "centre": record["centre"]}
    return f"{claim} is paid: {total} euros from {record['centre']}."


CLAIM = Kind(
    166,
    "each line against a limit of its class, a sum against what a text says is left, a double line",
    (
        "Check the expense claim {claim} and pay it if it is in order.",
        "Expenses {claim}: please settle.",
        "Process claim {claim}.",
    ),
    _claim,
    _pay_claim,
    desks=(
        Desk("get_claim", "Look up an expense claim.", {"claim": str}),
        Desk("cost_centre", "Tell what a cost centre has left.", {"centre": str}),
        Desk("pay_claim", "Pay.", {"claim": str, "amount": float, "centre": str}, True),
        Desk("send_claim_back", "Send back.", {"claim": str, "reason": str}, True),
        Desk("to_accounting", "Hand over.", {"claim": str, "reason": str}, True),
        Desk("ask_budget", "Ask for budget.", {"centre": str, "amount": int}, True),
    ),
)


# -------------------------------------------------------------- 167: a success with a warning
_ABROAD = ("Switzerland", "Norway", "United Kingdom")
_WITHIN = ("Germany", "France", "Austria", "Italy", "Spain", "Poland")


def _parcel(draw: Draw, different: bool) -> Scene:
    parcel = draw.identifier("SH")
    weight = draw.choice((draw.rng.randint(1, 5), draw.rng.randint(6, 30)))
    record: dict[str, Any] = {
        "shipment": parcel,
        "to": {"name": draw.person(), "city": draw.choice(CITIES), "country": draw.choice(_WITHIN)},
        "weight": weight,
        "unit": "kg",
        "contents": draw.choice(("papers", "samples", "spare parts", "books")),
        "insured": draw.choice((True, False)),
    }
    tracking = draw.identifier("TRK")
    booked: dict[str, Any] = {"booked": True, "tracking": tracking}
    if draw.rng.random() < 0.4:
        booked["collected"] = draw.choice(("today", "tomorrow"))
    if different:
        case = draw.late(("country", "heavy", "country"), ("warning", "unit", "lithium"))
        if case == "country":
            record["to"]["country"] = draw.choice(_ABROAD)
        elif case == "heavy":
            record["weight"] = draw.rng.randint(31, 90)
        elif case == "warning":
            booked["warning"] = "The receiver's address could not be confirmed."
        elif case == "unit":
            record["unit"] = "g"
            record["weight"] = draw.rng.randint(12, 28)
        else:
            record["contents"] = "lithium batteries"
    answers = {("get_shipment", parcel): record, ("book_carrier", parcel): booked}
    return Scene({"parcel": parcel}, planted(answers))


def _send(values: Mapping[str, str], talk: Talk) -> Work:
    parcel = values["parcel"]
    record = yield "get_shipment", {"shipment": parcel}
    if "lithium" in record["contents"]:
        yield "declare_danger", {"shipment": parcel, "contents": record["contents"]}
        return f"{parcel} waits for the dangerous goods desk."
    weight = record["weight"] / 1000 if record["unit"] == "g" else record["weight"]
    if weight > 30:
        yield "ask_freight", {"shipment": parcel, "weight": record["weight"]}
        return f"{parcel} goes as freight; an offer was asked for."
    if record["to"]["country"] in _ABROAD:
        yield "make_customs_form", {"shipment": parcel, "country": record["to"]["country"]}
    carrier = "post" if weight <= 5 else "courier"
    booked = yield "book_carrier", {"shipment": parcel, "carrier": carrier}
    if "warning" in booked:
        yield "tell_sender", {"shipment": parcel, "text": booked["warning"]}
        return f"{parcel} is booked, but: {booked['warning']}"
    return f"{parcel} goes by {carrier}, tracking {booked['tracking']}."


SEND = Kind(
    167,
    "a carrier by weight and unit, a form before the booking, a booking that comes with a warning",
    (
        "Parcel {parcel} is packed and can go.",
        "Parcel {parcel} has to go out, book a carrier.",
        "Get {parcel} on its way to the receiver.",
    ),
    _parcel,
    _send,
    desks=(
        Desk("get_shipment", "Look up a shipment.", {"shipment": str}),
        Desk("book_carrier", "Book a carrier.", {"shipment": str, "carrier": str}, True),
        Desk("make_customs_form", "Make a form.", {"shipment": str, "country": str}, True),
        Desk("ask_freight", "Ask for freight.", {"shipment": str, "weight": float}, True),
        Desk("declare_danger", "Declare.", {"shipment": str, "contents": str}, True),
        Desk("tell_sender", "Tell the sender.", {"shipment": str, "text": str}, True),
    ),
)


# -------------------------------------------------------------- 168: what is still to be ordered
def _stock(draw: Draw, different: bool) -> Scene:
    part, supplier = draw.identifier("PN-"), draw.identifier("SU")
    target = draw.rng.randrange(40, 400, 10)
    shelf = draw.rng.randint(0, target // 2)
    coming = [
        {"po": draw.identifier("PO"), "pieces": draw.rng.randint(1, max(1, target // 8))}
        for _ in range(draw.choice((0, 0, 1, 2)))
    ]
    record: dict[str, Any] = {
        "part": part,
        "name": draw.choice(PARTS),
        "target": target,
        "on_shelf": shelf,
        "on_order": coming,
        "supplier": supplier,
        "state": "active",
    }
    offer: dict[str, Any] = {
        "part": part,
        "price": draw.money(1, 40),
        "minimum": draw.rng.randint(1, 10),
        "lead_days": draw.rng.randint(2, 21),
    }
    answers: dict[tuple[str, str], Any] = {}
    if different:
        case = draw.late(("covered", "ending", "covered"), ("minimum", "replaced", "negative"))
        if case == "covered":
            rest = target - shelf + draw.rng.randint(0, 30)
            record["on_order"] = [{"po": draw.identifier("PO"), "pieces": rest}]
        elif case == "ending":
            record["state"] = "phasing out"
        elif case == "minimum":
            offer["minimum"] = target + draw.rng.randint(10, 300)
        elif case == "negative":
            record["on_shelf"] = -draw.rng.randint(1, 12)
        else:
            offer["replaced_by"] = draw.identifier("PN-")
    answers |= {("part_stock", part): record, ("supplier_offer", part): offer}
    return Scene({"part": part}, planted(answers))


def _reorder(values: Mapping[str, str], talk: Talk) -> Work:
    part = values["part"]
    record = yield "part_stock", {"part": part}
    if record["on_shelf"] < 0:
        yield "count_again", {"part": part}
        return f"The shelf of {part} is counted again."
    if record["state"] != "active":
        return f"{part} is {record['state']}; nothing is ordered."
    coming = sum(each["pieces"] for each in record["on_order"])
    pieces = record["target"] - record["on_shelf"] - coming
    if pieces <= 0:
        return f"{part} has enough on its way: {coming}."
    offer = yield "supplier_offer", {"part": part}
    if "replaced_by" in offer:
        yield "ask_planner", {"part": part, "about": offer["replaced_by"]}
        return f"{part} was replaced by {offer['replaced_by']}; planning decides."
    if pieces < offer["minimum"]:
        yield "ask_planner", {"part": part, "about": "minimum"}
        return f"At least {offer['minimum']} of {part} have to be ordered; planning decides."
    args = {"part": part, "supplier": record["supplier"], "pieces": pieces}
    yield "order_parts", {**args, "price": offer["price"]}
    return f"{pieces} {record['name']} ({part}) are ordered at {offer['price']}."


REORDER = Kind(
    168,
    "a difference with a list that may be empty, pieces on their way that suffice, a replacement",
    (
        "Fill up {part} to its target.",
        "Part {part} runs low, reorder it.",
        "Order what is missing of part {part}.",
    ),
    _stock,
    _reorder,
    desks=(
        Desk("part_stock", "Show the stock of a part.", {"part": str}),
        Desk("supplier_offer", "Show what a part costs.", {"part": str}),
        Desk(
            "order_parts",
            "Order parts.",
            {"part": str, "supplier": str, "pieces": int, "price": float},
            True,
        ),
        Desk("ask_planner", "Ask planning.", {"part": str, "about": str}, True),
        Desk("count_again", "Have a shelf counted.", {"part": str}, True),
    ),
)

KINDS: tuple[Kind, ...] = (RETURN, CLAIM, SEND, REORDER)
