"""Kinds 105 to 110: a pharmacy, payables, a landlord, car rental, a help desk and tickets."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from ...names import CITIES, PRODUCTS
from ..days import drawn_day, later, today, today_is
from ..desks import Desk, planted
from ..kinds import Draw, Kind, Scene, Talk, Work

__all__ = ["KINDS"]


# -------------------------------------------------------------- 105: how long a pack lasts
_DRUGS = {
    "Ramilan": "ramipril",
    "Torasem": "torasemide",
    "Simvahex": "simvastatin",
    "Levothyr": "levothyroxine",
    "Amoxil": "amoxicillin",
}


def _script(draw: Draw, different: bool) -> Scene:
    patient, day = draw.identifier("PT"), drawn_day(draw)
    drugs = draw.rng.sample(tuple(_DRUGS), 3)
    rows: list[dict[str, Any]] = []
    for drug in drugs:
        supply, rest = draw.choice((30, 60, 90)), draw.rng.randint(-30, 7)
        rows.append(
            {
                "drug": drug,
                "substance": _DRUGS[drug],
                "refills_left": draw.rng.randint(1, 5),
                "last_filled": later(day, rest - supply),
                "days_supply": supply,
                "quantity": draw.choice((28, 50, 98, 100)),
            }
        )
    place = draw.rng.randrange(3)
    row, drug = rows[place], drugs[place]
    others = [each for name, each in _DRUGS.items() if name not in drugs]
    allergies = draw.rng.sample(others, draw.rng.randint(0, 2))
    if different:
        case = draw.late(("early", "used up", "early"), ("allergy", "paused", "allergy"))
        if case == "early":
            row["last_filled"] = later(day, draw.rng.randint(9, 25) - row["days_supply"])
        elif case == "used up":
            row["refills_left"] = 0
        elif case == "allergy":
            allergies = [*allergies[:1], row["substance"]]
        else:
            row["paused_by"] = draw.person()
    answers = {
        ("get_scripts", patient): {"patient": patient, "scripts": rows},
        ("get_allergies", patient): {"patient": patient, "substances": allergies},
    }
    return Scene({"patient": patient, "drug": drug}, planted(answers), system=today_is(day))


def _refill(values: Mapping[str, str], talk: Talk) -> Work:
    patient, drug = values["patient"], values["drug"]
    record = yield "get_scripts", {"patient": patient}
    row = next(each for each in record["scripts"] if each["drug"] == drug)
    if "paused_by" in row:
        return f"{row['paused_by']} paused {drug} for {patient}."
    if row["refills_left"] < 1:
        yield "ask_doctor", {"patient": patient, "drug": drug}
        return f"The doctor was asked for a new script of {drug}."
    age = (today(talk) - date.fromisoformat(row["last_filled"])).days
    if row["days_supply"] - age > 7:
        return f"{patient} still has {drug} for {row['days_supply'] - age} days."
    known = yield "get_allergies", {"patient": patient}
    if row["substance"] in known["substances"]:
        yield "call_pharmacist", {"patient": patient}
        return f"{patient} does not bear {row['substance']}; the pharmacist takes over."
    yield "dispense", {"patient": patient, "drug": drug, "quantity": row["quantity"]}
    return f"{row['quantity']} {drug} are ready for {patient}."


REFILL = Kind(
    105,
    "days that a pack still lasts, from a date and a figure of the row that is named; an allergy",
    (
        "Refill {drug} for {patient}.",
        "Patient {patient} is out of {drug}.",
        "Get {drug} ready for patient {patient}, please.",
    ),
    _script,
    _refill,
    desks=(
        Desk("get_scripts", "List the scripts of a patient.", {"patient": str}),
        Desk("get_allergies", "List the allergies of a patient.", {"patient": str}),
        Desk("dispense", "Dispense.", {"patient": str, "drug": str, "quantity": int}, True),
        Desk("ask_doctor", "Ask for a new script.", {"patient": str, "drug": str}, True),
        Desk("call_pharmacist", "Call the pharmacist.", {"patient": str}, True),
    ),
)


# -------------------------------------------------------------- 106: three papers that agree
def _bill(draw: Draw, different: bool) -> Scene:
    bill, order, supplier = (draw.identifier(each) for each in ("BL-", "PO-", "SUP"))
    iban = f"DE{draw.rng.randint(10**9, 10**10)}"
    lines: list[dict[str, Any]] = [
        {"item": item, "qty": draw.rng.randint(1, 20), "price": draw.rng.randint(3, 90)}
        for item in draw.rng.sample(PRODUCTS, draw.rng.randint(1, 3))
    ]
    received = {each["item"]: each["qty"] for each in lines}
    stated, slip = iban, 0
    if different:
        case = draw.late(("total", "short", "total"), ("iban", "credit", "iban"))
        if case == "total":
            slip = draw.choice((9, -9, 90))
        elif case == "short":
            received[lines[-1]["item"]] -= 1
        elif case == "iban":
            stated = f"DE{draw.rng.randint(10**9, 10**10)}"
        else:
            lines[-1]["qty"] = -lines[-1]["qty"]
            received[lines[-1]["item"]] = lines[-1]["qty"]
    total = sum(each["qty"] * each["price"] for each in lines) + slip
    record = {
        "bill": bill,
        "po": order,
        "supplier": supplier,
        "lines": lines,
        "total": total,
        "iban": stated,
    }
    answers = {
        ("get_bill", bill): record,
        ("get_delivery", order): {"po": order, "received": received},
        ("get_supplier", supplier): {"supplier": supplier, "iban": iban, "terms": "30 days"},
    }
    return Scene({"bill": bill}, planted(answers))


def _pay_bill(values: Mapping[str, str], talk: Talk) -> Work:
    bill = values["bill"]
    record = yield "get_bill", {"bill": bill}
    if any(each["qty"] < 0 for each in record["lines"]):
        return f"{bill} holds a credit; accounting books it by hand."
    if sum(each["qty"] * each["price"] for each in record["lines"]) != record["total"]:
        yield "dispute", {"bill": bill, "reason": "total"}
        return f"{bill} does not add up and was disputed."
    delivery = yield "get_delivery", {"po": record["po"]}
    if any(delivery["received"].get(each["item"]) != each["qty"] for each in record["lines"]):
        yield "dispute", {"bill": bill, "reason": "quantity"}
        return f"{bill} bills what was not received; it was disputed."
    supplier = yield "get_supplier", {"supplier": record["supplier"]}
    if supplier["iban"] != record["iban"]:
        return f"{bill} names another bank account than we have of {record['supplier']}."
    yield "pay_bill", {"bill": bill, "iban": record["iban"], "amount": record["total"]}
    return f"{bill} is paid, {record['total']} euros."


PAY_BILL = Kind(
    106,
    "a sum of products, pieces under the key of an article, an account that always coincided",
    (
        "Pay supplier bill {bill}.",
        "Bill {bill} is due, settle it after the usual checks.",
        "Take care of the supplier's bill {bill}.",
    ),
    _bill,
    _pay_bill,
    desks=(
        Desk("get_bill", "Look up a bill.", {"bill": str}),
        Desk("get_delivery", "Look up what was received.", {"po": str}),
        Desk("get_supplier", "Look up a supplier.", {"supplier": str}),
        Desk("pay_bill", "Pay.", {"bill": str, "iban": str, "amount": float}, True),
        Desk("dispute", "Dispute a bill.", {"bill": str, "reason": str}, True),
    ),
)


# -------------------------------------------------------------- 107: what is left of a deposit
def _flat(draw: Draw, different: bool) -> Scene:
    flat, tenant = draw.identifier("FL-"), draw.person()
    agreed = draw.rng.randrange(800, 3000, 50)
    rows = [
        {"for": draw.choice(("cleaning", "paint", "key")), "amount": draw.rng.randrange(20, 300, 5)}
        for _ in range(draw.choice((0, 0, 1, 2)))
    ]
    record: dict[str, Any] = {
        "flat": flat,
        "tenant": tenant,
        "deposit": {"agreed": agreed, "held": agreed},
        "deductions": rows,
        "moved_out": f"2026-0{draw.rng.randint(1, 6)}-{draw.rng.randint(10, 28)}",
        "iban": f"DE{draw.rng.randint(10**9, 10**10)}",
    }
    if different:
        case = draw.late(("tenant", "stays", "tenant"), ("held", "excess", "joint"))
        if case == "tenant":
            record["tenant"] = draw.person()
        elif case == "stays":
            record["moved_out"] = None
        elif case == "held":
            record["deposit"]["held"] = agreed - draw.rng.randrange(50, 400, 50)
        elif case == "excess":
            record["deductions"] = [*rows, {"for": "floor", "amount": agreed + 90}]
        else:
            record["joint_with"] = draw.person()
    return Scene({"flat": flat, "tenant": tenant}, planted({("get_tenancy", flat): record}))


def _pay_back(values: Mapping[str, str], talk: Talk) -> Work:
    flat, tenant = values["flat"], values["tenant"]
    record = yield "get_tenancy", {"flat": flat}
    if record["tenant"] != tenant:
        return f"{flat} was not let to {tenant}."
    if record["moved_out"] is None:
        return f"{tenant} still lives in {flat}."
    if "joint_with" in record:
        yield "ask_consent", {"flat": flat, "person": record["joint_with"]}
        return f"{record['joint_with']} has to agree first."
    rest = record["deposit"]["held"] - sum(each["amount"] for each in record["deductions"])
    if rest < 0:
        yield "send_bill", {"flat": flat, "amount": -rest}
        return f"{tenant} owes {-rest} euros for {flat}."
    yield "pay_deposit", {"flat": flat, "iban": record["iban"], "amount": rest}
    return f"{rest} euros of the deposit of {flat} go to {tenant}."


PAY_BACK = Kind(
    107,
    "a rest that is worked out, two figures that always coincided, a second tenant",
    (
        "Pay {tenant} back the deposit of {flat}.",
        "{tenant} has left {flat}, the deposit can go.",
        "Settle the deposit of {flat} with {tenant}.",
    ),
    _flat,
    _pay_back,
    desks=(
        Desk("get_tenancy", "Look up a tenancy.", {"flat": str}),
        Desk("pay_deposit", "Pay.", {"flat": str, "iban": str, "amount": float}, True),
        Desk("send_bill", "Send a bill.", {"flat": str, "amount": float}, True),
        Desk("ask_consent", "Ask for consent.", {"flat": str, "person": str}, True),
    ),
)


# -------------------------------------------------------------- 108: where the car has to be
def _rental(draw: Draw, different: bool) -> Scene:
    plate, rental = draw.identifier("KX-"), draw.identifier("RT")
    city, start = draw.choice(CITIES), draw.rng.randint(5000, 60000)
    included = draw.choice((200, 500, 1000))
    clock = start + draw.rng.randint(20, included)
    record: dict[str, Any] = {
        "rental": rental,
        "plate": plate,
        "out": {"km": start, "city": city},
        "return_to": city,
        "included_km": included,
        "euros_per_km": draw.rng.randint(1, 3),
        "damage": [],
    }
    if draw.number > 2:
        record["out"]["city"] = draw.choice(CITIES)
    if different:
        case = draw.late(("over", "backwards", "over"), ("city", "damage", "city"))
        if case == "over":
            clock = start + included + draw.rng.randint(5, 300)
        elif case == "backwards":
            clock = start - draw.rng.randint(1, 900)
        elif case == "city":
            record["out"]["city"] = city
            record["return_to"] = draw.choice([each for each in CITIES if each != city])
        else:
            record["damage"] = [{"part": draw.choice(("door", "mirror")), "new": True}]
    values = {"plate": plate, "city": city, "km": str(clock)}
    return Scene(values, planted({("get_rental", plate): record}))


def _take_back(values: Mapping[str, str], talk: Talk) -> Work:
    plate, clock = values["plate"], int(values["km"])
    record = yield "get_rental", {"plate": plate}
    driven = clock - record["out"]["km"]
    if driven < 0:
        return f"{plate} went out with {record['out']['km']} km; please read the clock again."
    if record["return_to"] != values["city"]:
        yield "ask_desk", {"rental": record["rental"], "about": "place"}
        return f"{plate} should have come back to {record['return_to']}."
    if record["damage"]:
        yield "ask_desk", {"rental": record["rental"], "about": record["damage"][0]["part"]}
        return f"{plate} has a damage that the desk looks at."
    if driven > record["included_km"]:
        amount = (driven - record["included_km"]) * record["euros_per_km"]
        yield "charge", {"rental": record["rental"], "amount": amount}
    yield "close_rental", {"rental": record["rental"], "km": clock}
    return f"{plate} is back."


TAKE_BACK = Kind(
    108,
    "kilometres against those included, a place of the task that two fields hold",
    (
        "{plate} is back in {city} with {km} km.",
        "Take back car {plate}: {city}, clock at {km}.",
        "Close the rental of {plate}, returned in {city} at {km} km.",
    ),
    _rental,
    _take_back,
    desks=(
        Desk("get_rental", "Look up the rental of a car.", {"plate": str}),
        Desk("close_rental", "Close a rental.", {"rental": str, "km": int}, True),
        Desk("charge", "Charge the customer.", {"rental": str, "amount": float}, True),
        Desk("ask_desk", "Ask the desk.", {"rental": str, "about": str}, True),
    ),
)


# -------------------------------------------------------------- 109: two reasons together
def _login(draw: Draw, different: bool) -> Scene:
    name, boss, user = draw.person(), draw.person(), draw.identifier("u")
    caller = draw.choice((name, boss))
    vip, site = draw.choice(((True, "home"), (False, "abroad"), (False, "home")))
    row: dict[str, Any] = {
        "user": user,
        "name": name,
        "manager": boss,
        "vip": vip,
        "site": site,
        "phone": f"+49 30 {draw.rng.randint(10**5, 10**6)}",
    }
    rows, state = [row], "employed"
    if draw.rng.random() < 0.3:
        rows.append({**row, "user": draw.identifier("u"), "name": f"{name}-Lee"})
    if different:
        case = draw.late(("stranger", "left", "stranger"), ("together", "namesake", "together"))
        if case == "stranger":
            caller = draw.choice([each for each in draw.people(5) if each not in (name, boss)])
        elif case == "left":
            state = "left"
        elif case == "together":
            row.update(vip=True, site="abroad")
        else:
            rows = [row, {**row, "user": draw.identifier("u"), "manager": draw.person()}]
    answers = {
        ("find_people", name): rows,
        ("hr_state", user): {
            "user": user,
            "state": state,
            "since": f"20{draw.rng.randint(10, 25)}",
        },
    }
    values = {"name": name, "caller": caller, "ticket": draw.identifier("T-")}
    return Scene(values, planted(answers))


def _reset(values: Mapping[str, str], talk: Talk) -> Work:
    name, caller = values["name"], values["caller"]
    rows = yield "find_people", {"name": name}
    named = [each for each in rows if each["name"] == name]
    if len(named) != 1:
        return f"There are {len(named)} people called {name}; who is meant?"
    row = named[0]
    if caller not in (name, row["manager"]):
        return f"{caller} may not ask for {name}."
    if row["vip"] and row["site"] == "abroad":
        yield "call_security", {"user": row["user"]}
        return f"Security calls {name}."
    state = yield "hr_state", {"user": row["user"]}
    if state["state"] != "employed":
        yield "disable", {"user": row["user"]}
        return f"{name} is {state['state']}; the account is disabled."
    yield "reset_password", {"user": row["user"], "phone": row["phone"]}
    return f"A new password went to the phone of {name}."


RESET = Kind(
    109,
    "two reasons that count only together, one of two who may ask, a namesake",
    (
        "{ticket}: new password for {name}, {caller} asks.",
        "{caller} wants a password reset for {name} ({ticket}).",
        "Reset the login of {name} as {caller} wrote in {ticket}.",
    ),
    _login,
    _reset,
    desks=(
        Desk("find_people", "Find people by name.", {"name": str}),
        Desk("hr_state", "Show whether a user is employed.", {"user": str}),
        Desk("reset_password", "Send a password.", {"user": str, "phone": str}, True),
        Desk("disable", "Disable a user.", {"user": str}, True),
        Desk("call_security", "Call security.", {"user": str}, True),
    ),
)


# -------------------------------------------------------------- 110: one of several tickets
def _tickets(draw: Draw, different: bool) -> Scene:
    order, event = draw.identifier("TO"), draw.identifier("EV")
    seats = [f"{draw.choice('ABCD')}{n}" for n in draw.rng.sample(range(1, 40), 8)]
    mine, free = seats[: draw.rng.randint(2, 4)], seats[4:]
    rows: list[dict[str, Any]] = [
        {
            "seat": seat,
            "state": draw.choice(("valid", "valid", "used", "passed on")),
            "price": draw.rng.randrange(40, 90, 5),
        }
        for seat in mine
    ]
    row = draw.choice(rows)
    row["state"] = "valid"
    there: list[dict[str, Any]] = [
        {"seat": seat, "price": draw.rng.randrange(20, 90, 5)} for seat in free
    ]
    target = draw.choice(there)
    target["price"] = row["price"] - draw.choice((0, 5, 10, 20))
    seat, wanted = str(row["seat"]), str(target["seat"])
    if different:
        case = draw.late(("used", "taken", "used"), ("dearer", "absent", "dearer"))
        if case == "used":
            row["state"] = draw.choice(("used", "passed on"))
        elif case == "taken":
            there.remove(target)
        elif case == "dearer":
            target["price"] = row["price"] + draw.choice((5, 10, 20))
        else:
            rows.remove(row)
    answers = {
        ("get_tickets", order): {"order": order, "event": event, "tickets": rows},
        ("free_seats", event): {"event": event, "free": there},
    }
    return Scene({"order": order, "seat": seat, "wanted": wanted}, planted(answers))


def _move(values: Mapping[str, str], talk: Talk) -> Work:
    order, seat, wanted = values["order"], values["seat"], values["wanted"]
    record = yield "get_tickets", {"order": order}
    row = next((each for each in record["tickets"] if each["seat"] == seat), None)
    if row is None:
        return f"{order} has no seat {seat}."
    if row["state"] != "valid":
        return f"Seat {seat} of {order} is {row['state']}."
    shown = yield "free_seats", {"event": record["event"]}
    target = next((each for each in shown["free"] if each["seat"] == wanted), None)
    if target is None:
        return f"Seat {wanted} is taken."
    if target["price"] > row["price"]:
        yield "ask_payment", {"order": order, "amount": target["price"] - row["price"]}
        return f"{wanted} costs {target['price'] - row['price']} euros more."
    yield "move_seat", {"order": order, "seat": seat, "to": wanted}
    return f"Seat {seat} of {order} is {wanted} now."


MOVE = Kind(
    110,
    "the rows of two lists that the task names, compared; what other rows say does not count",
    (
        "Move seat {seat} of {order} to {wanted}.",
        "{order}: seat {wanted} instead of {seat}, please.",
        "The guest of {order} in {seat} would rather sit in {wanted}.",
    ),
    _tickets,
    _move,
    desks=(
        Desk("get_tickets", "List the tickets of an order.", {"order": str}),
        Desk("free_seats", "List free seats.", {"event": str}),
        Desk("move_seat", "Move a seat.", {"order": str, "seat": str, "to": str}, True),
        Desk("ask_payment", "Ask for money.", {"order": str, "amount": int}, True),
    ),
)

KINDS: tuple[Kind, ...] = (REFILL, PAY_BILL, PAY_BACK, TAKE_BACK, RESET, MOVE)
