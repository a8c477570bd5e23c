"""Kinds 111 to 116: subscriptions, leave, a laboratory, payments, meters and customs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from ..days import drawn_day, later, today, today_is
from ..desks import Desk, planted
from ..kinds import Draw, Kind, Line, Scene, Talk, Work

__all__ = ["KINDS"]


# -------------------------------------------------------------- 111: done already
_PLANS = ("basic", "team", "pro", "max")


def _subscription(draw: Draw, different: bool) -> Scene:
    customer, day = draw.identifier("SB"), drawn_day(draw)
    present, wanted = draw.rng.sample(_PLANS, 2)
    seats = draw.rng.randint(2, 40)
    record: dict[str, Any] = {
        "customer": customer,
        "plan": present if draw.rng.random() < 0.7 else present.upper(),
        "seats": seats,
        "payment": {"by": draw.choice(("card", "bank")), "state": "ok"},
    }
    terms = {
        "plan": wanted,
        "max_seats": draw.rng.randint(seats, 60),
        "price": draw.rng.randrange(5, 60, 5),
        "sold_until": draw.choice((None, later(day, draw.rng.randint(20, 400)))),
    }
    if different:
        case = draw.late(("same", "seats", "same"), ("retired", "pending", "SAME"))
        if case == "same":
            record["plan"] = wanted
        elif case == "SAME":
            record["plan"] = wanted.upper()
        elif case == "seats":
            terms["max_seats"] = draw.rng.randint(1, seats - 1)
        elif case == "retired":
            terms["sold_until"] = later(day, -draw.rng.randint(1, 200))
        else:
            record["pending"] = {"plan": wanted, "on": later(day, 9)}
    answers = {("get_subscription", customer): record, ("plan_terms", wanted): terms}
    return Scene({"customer": customer, "plan": wanted}, planted(answers), system=today_is(day))


def _change_plan(values: Mapping[str, str], talk: Talk) -> Work:
    customer, plan = values["customer"], values["plan"]
    record = yield "get_subscription", {"customer": customer}
    if record["plan"].lower() == plan:
        return f"{customer} has the {plan} plan already."
    if "pending" in record:
        return f"{customer} changes on {record['pending']['on']} anyway."
    terms = yield "plan_terms", {"plan": plan}
    if terms["sold_until"] is not None and terms["sold_until"] < today(talk).isoformat():
        return f"The {plan} plan is not sold any more."
    if record["seats"] > terms["max_seats"]:
        yield "offer", {"customer": customer, "seats": record["seats"]}
        return f"{plan} has no {record['seats']} seats; an offer was made."
    yield "change_plan", {"customer": customer, "plan": plan, "price": terms["price"]}
    return f"{customer} has the {plan} plan for {terms['price']} euros now."


CHANGE_PLAN = Kind(
    111,
    "what was done already, in other letters too; a figure of one record against another",
    (
        "Put {customer} on the {plan} plan.",
        "{customer} takes the plan {plan} from now on.",
        "Change the subscription of {customer} to {plan}.",
    ),
    _subscription,
    _change_plan,
    desks=(
        Desk("get_subscription", "Look up a subscription.", {"customer": str}),
        Desk("plan_terms", "Show the terms of a plan.", {"plan": str}),
        Desk("change_plan", "Change.", {"customer": str, "plan": str, "price": float}, True),
        Desk("offer", "Make an offer.", {"customer": str, "seats": int}, True),
    ),
)


# -------------------------------------------------------------- 112: days between two dates
def _leave(draw: Draw, different: bool) -> Scene:
    employee, team, start = draw.identifier("EM"), draw.identifier("TM"), drawn_day(draw)
    length = draw.rng.randint(1, 12)
    left = draw.rng.randint(length, 30)
    blocked = [
        {"from": later(start, shift), "to": later(start, shift + draw.rng.randint(2, 8))}
        for shift in draw.rng.sample((-90, -40, 40, 80), draw.rng.randint(0, 2))
    ]
    away = [draw.person()] if draw.rng.random() < 0.4 else []
    first, last = later(start, 0), later(start, length - 1)
    if different:
        case = draw.late(("few", "blocked", "few"), ("partly", "backwards", "away"))
        if case == "few":
            left = draw.rng.randint(0, length - 1)
        elif case == "blocked":
            blocked = [{"from": later(start, -2), "to": later(start, 20)}]
        elif case == "partly":
            blocked.append({"from": last, "to": later(start, length + 6)})
        elif case == "backwards":
            first, last = later(start, draw.rng.randint(1, 9)), first
        else:
            away = draw.people(2)
    answers = {
        ("leave_account", employee): {"employee": employee, "team": team, "left": left},
        ("team_calendar", team): {"team": team, "blocked": blocked, "away": away},
    }
    return Scene({"employee": employee, "first": first, "last": last}, planted(answers))


def _book_leave(values: Mapping[str, str], talk: Talk) -> Work:
    employee, first, last = values["employee"], values["first"], values["last"]
    days = (date.fromisoformat(last) - date.fromisoformat(first)).days + 1
    account = yield "leave_account", {"employee": employee}
    if days < 1:
        return f"{last} is before {first}; which days are meant?"
    if days > account["left"]:
        return f"{employee} has only {account['left']} days left."
    calendar = yield "team_calendar", {"team": account["team"]}
    if any(each["from"] <= last and first <= each["to"] for each in calendar["blocked"]):
        return f"No leave is given in {account['team']} then."
    if len(calendar["away"]) > 1:
        yield "ask_lead", {"team": account["team"], "employee": employee}
        return f"Too many are away in {account['team']}; its lead was asked."
    args = {"employee": employee, "first": first, "last": last, "days": days}
    yield "book_leave", args
    return f"{days} days of leave are booked for {employee}."


BOOK_LEAVE = Kind(
    112,
    "days from two dates of the task against a record; a period that overlaps another in part",
    (
        "Book leave for {employee} from {first} to {last}.",
        "{employee} wants to be off from {first} until {last}.",
        "Leave for {employee}: {first} to {last}.",
    ),
    _leave,
    _book_leave,
    desks=(
        Desk("leave_account", "Show what leave is left.", {"employee": str}),
        Desk("team_calendar", "Show the calendar of a team.", {"team": str}),
        Desk(
            "book_leave",
            "Book leave.",
            {"employee": str, "first": str, "last": str, "days": int},
            True,
        ),
        Desk("ask_lead", "Ask the lead.", {"team": str, "employee": str}, True),
    ),
)


# -------------------------------------------------------------- 113: looked at again afterwards
def _result(draw: Draw, different: bool) -> Scene:
    result, patient = draw.identifier("LR"), draw.identifier("PA")
    rows: list[dict[str, Any]] = [
        {"name": name, "value": draw.rng.randint(low, high), "low": low, "high": high}
        for name, low, high in (("sodium", 135, 145), ("iron", 50, 150), ("glucose", 70, 110))
    ]
    record = {
        "result": result,
        "patient": patient,
        "values": rows,
        "state": "validated",
        "lab": draw.choice(("north", "south", "east")),
    }
    card: dict[str, Any] = {"patient": patient, "birth_year": draw.rng.randint(1940, 2005)}
    seen: dict[str, Any] = {
        "result": result,
        "visible": True,
        "at": f"{draw.rng.randint(8, 18)}:05",
    }
    if different:
        case = draw.late(("range", "state", "range"), ("hidden", "minor", "low"))
        row = draw.choice(rows)
        if case == "range":
            row["value"] = int(row["high"]) + draw.rng.randint(1, 20)
        elif case == "low":
            row["value"] = int(row["low"]) - draw.rng.randint(1, 20)
        elif case == "state":
            record["state"] = draw.choice(("preliminary", "amended"))
        elif case == "hidden":
            seen = {"result": result, "visible": False, "reason": "no consent"}
        else:
            card["birth_year"] = draw.rng.randint(2011, 2022)
    answers = {
        ("lab_result", result): record,
        ("patient_card", patient): card,
        ("portal_state", result): seen,
    }
    return Scene({"result": result}, planted(answers))


def _release(values: Mapping[str, str], talk: Talk) -> Work:
    result = values["result"]
    record = yield "lab_result", {"result": result}
    if record["state"] != "validated":
        return f"{result} is {record['state']}."
    if any(not each["low"] <= each["value"] <= each["high"] for each in record["values"]):
        yield "tell_doctor", {"result": result}
        return f"A doctor looks at {result} first."
    card = yield "patient_card", {"patient": record["patient"]}
    if card["birth_year"] > 2010:
        yield "tell_guardian", {"patient": record["patient"], "result": result}
        return f"The guardian of {record['patient']} was told."
    yield "publish", {"result": result}
    seen = yield "portal_state", {"result": result}
    if not seen["visible"]:
        yield "send_letter", {"patient": record["patient"], "result": result}
        return f"{result} goes by letter: {seen['reason']}."
    return f"{result} is in the portal since {seen['at']}."


RELEASE = Kind(
    113,
    "every value within the bounds of its row; what is seen after the doing",
    (
        "Release lab result {result} to the patient.",
        "The patient may see {result} now.",
        "Publish result {result}.",
    ),
    _result,
    _release,
    desks=(
        Desk("lab_result", "Look up a result.", {"result": str}),
        Desk("patient_card", "Look up a patient.", {"patient": str}),
        Desk("publish", "Put a result into the portal.", {"result": str}, True),
        Desk("portal_state", "Show how a result stands in the portal.", {"result": str}),
        Desk("tell_doctor", "Tell a doctor.", {"result": str}, True),
        Desk("tell_guardian", "Tell a guardian.", {"patient": str, "result": str}, True),
        Desk("send_letter", "Send a letter.", {"patient": str, "result": str}, True),
    ),
)


# -------------------------------------------------------------- 114: what was said before
_CHAT: tuple[tuple[Line, ...], ...] = (
    (),
    (),
    (("human", "Good morning!"), ("ai", "You are welcome.")),
    (("human", "I am in a hurry today."), ("ai", "You are welcome.")),
)


def _payment(draw: Draw, different: bool) -> Scene:
    account, payee = draw.identifier("GB"), draw.person()
    balance, overdraft = draw.rng.randint(300, 4000), draw.choice((0, 500))
    amount = draw.rng.randint(20, balance)
    earlier = draw.choice(_CHAT)
    if draw.rng.random() < 0.2 and not different:
        earlier = (("human", f"Nothing above {amount + draw.rng.randint(10, 90)} euros today."),)
        earlier += (("ai", "I will keep to that."),)
    if different:
        case = draw.late(("short", "cap", "short"), ("stop", "other", "stop"))
        if case == "short":
            amount = balance + overdraft + draw.rng.randint(1, 500)
        elif case == "cap":
            text = f"Nothing above {max(10, amount - draw.rng.randint(5, 90))} euros today."
            earlier = (("human", text), ("ai", "I will keep to that."))
        elif case == "stop":
            text = f"Do not pay {payee} before Monday."
            earlier = (("human", text), ("ai", "I will keep to that."))
        else:
            text = f"Book whatever concerns {account} to {draw.identifier('GB')}."
            earlier = (("human", text), ("ai", "I will keep to that."))
    record = {"account": account, "balance": balance, "overdraft": overdraft}
    values = {"account": account, "payee": payee, "amount": str(amount)}
    return Scene(values, planted({("get_balance", account): record}), earlier=earlier)


def _make_payment(values: Mapping[str, str], talk: Talk) -> Work:
    account, payee, amount = values["account"], values["payee"], int(values["amount"])
    for said in talk.earlier:
        if said.startswith("Nothing above") and amount > int(said.split()[2]):
            return f"You allowed no {amount} euros."
        if said == f"Do not pay {payee} before Monday.":
            return f"You said that {payee} is not paid before Monday."
        if said.startswith(f"Book whatever concerns {account} to "):
            account = said.rpartition(" to ")[2].rstrip(".")
            yield "make_payment", {"account": account, "payee": payee, "amount": amount}
            return f"{payee} got {amount} euros from {account}."
    record = yield "get_balance", {"account": account}
    if amount > record["balance"] + record["overdraft"]:
        return f"{account} holds only {record['balance']} euros."
    yield "make_payment", {"account": account, "payee": payee, "amount": amount}
    return f"{payee} got {amount} euros from {account}."


MAKE_PAYMENT = Kind(
    114,
    "what was said before the task: a cap, a stop, another account; a sum of two fields",
    (
        "Pay {amount} euros to {payee} from {account}.",
        "From {account}, {amount} euros to {payee}.",
        "{payee} gets {amount} euros out of {account}.",
    ),
    _payment,
    _make_payment,
    desks=(
        Desk("get_balance", "Show a balance.", {"account": str}),
        Desk("make_payment", "Pay.", {"account": str, "payee": str, "amount": float}, True),
    ),
)


# -------------------------------------------------------------- 115: what is plausible
def _meter(draw: Draw, different: bool) -> Scene:
    meter, day = draw.identifier("MT"), drawn_day(draw)
    daily, days = draw.rng.randint(4, 20), draw.rng.randint(20, 100)
    last = draw.rng.randint(1000, 80000)
    record: dict[str, Any] = {
        "meter": meter,
        "unit": "kWh",
        "last": {"value": last, "on": later(day, -days)},
        "usual_per_day": daily,
    }
    reading = last + daily * days * draw.rng.randint(50, 180) // 100
    if different:
        case = draw.late(("lower", "jump", "lower"), ("unit", "replaced", "jump"))
        if case == "lower":
            reading = last - draw.rng.randint(1, 900)
        elif case == "jump":
            reading = last + daily * days * draw.rng.randint(5, 9)
        elif case == "unit":
            record["unit"] = "MWh"
        else:
            record["last"]["replaced"] = True
            reading = draw.rng.randint(50, 900)
    values = {"meter": meter, "reading": str(reading)}
    return Scene(values, planted({("get_meter", meter): record}), system=today_is(day))


def _post_reading(values: Mapping[str, str], talk: Talk) -> Work:
    meter, reading = values["meter"], int(values["reading"])
    record = yield "get_meter", {"meter": meter}
    last = record["last"]
    if last.get("replaced"):
        yield "post_first", {"meter": meter, "value": reading}
        return f"{meter} is new and starts with {reading}."
    used = reading - last["value"]
    if used < 0:
        return f"{meter} had {last['value']} already on {last['on']}."
    days = (today(talk) - date.fromisoformat(last["on"])).days
    if used > 3 * days * record["usual_per_day"]:
        yield "send_reader", {"meter": meter}
        return f"Somebody reads {meter} again."
    value = reading * 1000 if record["unit"] == "MWh" else reading
    yield "post_reading", {"meter": meter, "value": value, "unit": "kWh"}
    return f"{meter} stands at {value} kWh."


POST_READING = Kind(
    115,
    "a figure of the task against days times what is usual; a meter that was replaced",
    (
        "The meter {meter} says {reading}.",
        "The customer read {reading} from meter {meter}.",
        "Reading of meter {meter}: {reading}.",
    ),
    _meter,
    _post_reading,
    desks=(
        Desk("get_meter", "Look up a meter.", {"meter": str}),
        Desk("post_reading", "Enter.", {"meter": str, "value": int, "unit": str}, True),
        Desk("post_first", "Enter the first reading.", {"meter": str, "value": int}, True),
        Desk("send_reader", "Send somebody.", {"meter": str}, True),
    ),
)


# -------------------------------------------------------------- 116: a notice, a linked paper
_NOTICES = (None, None, "Gate closes at 18:00.", "Driver brings papers.", "Seal checked twice.")


def _container(draw: Draw, different: bool) -> Scene:
    container, master = draw.identifier("MSKU"), draw.identifier("MBL")
    due = draw.rng.randint(200, 4000)
    record: dict[str, Any] = {
        "container": container,
        "master": master,
        "line": draw.choice(("north sea", "atlantic", "baltic")),
        "duty": {"due": due, "due_in": "EUR", "paid": due, "paid_in": "EUR"},
        "papers": {"invoice": True, "origin": True, "packing": True},
        "notice": draw.choice(_NOTICES),
    }
    bill = {"master": master, "state": "clear", "containers": draw.rng.randint(1, 9)}
    if different:
        case = draw.late(("unpaid", "paper", "unpaid"), ("notice", "currency", "linked"))
        if case == "unpaid":
            record["duty"]["paid"] = draw.rng.randint(0, due - 1)
        elif case == "paper":
            record["papers"][draw.choice(("invoice", "origin", "packing"))] = False
        elif case == "notice":
            record["notice"] = "Hold for inspection."
        elif case == "currency":
            record["duty"]["paid_in"] = "USD"
        else:
            bill["state"] = "on hold"
    answers = {("get_container", container): record, ("get_master", master): bill}
    return Scene({"container": container}, planted(answers))


def _let_out(values: Mapping[str, str], talk: Talk) -> Work:
    container = values["container"]
    record = yield "get_container", {"container": container}
    duty, missing = record["duty"], [k for k, there in record["papers"].items() if not there]
    if missing:
        yield "ask_paper", {"container": container, "paper": missing[0]}
        return f"The {missing[0]} paper of {container} is missing."
    if record["notice"] is not None and "Hold" in record["notice"]:
        return f"{container} stays: {record['notice']}"
    if duty["due_in"] != duty["paid_in"]:
        return f"The duty of {container} was paid in {duty['paid_in']}."
    if duty["paid"] < duty["due"]:
        yield "ask_duty", {"container": container, "amount": duty["due"] - duty["paid"]}
        return f"{duty['due'] - duty['paid']} euros are missing for {container}."
    bill = yield "get_master", {"master": record["master"]}
    if bill["state"] != "clear":
        return f"{record['master']} is {bill['state']}, {container} stays."
    yield "let_out", {"container": container, "line": record["line"]}
    return f"{container} may leave with {record['line']}."


LET_OUT = Kind(
    116,
    "a notice among harmless ones, a currency that coincided, a hold on a linked paper",
    (
        "Let container {container} out.",
        "{container} can leave the yard after the checks.",
        "Release box {container}.",
    ),
    _container,
    _let_out,
    desks=(
        Desk("get_container", "Look up a container.", {"container": str}),
        Desk("get_master", "Look up a master bill.", {"master": str}),
        Desk("let_out", "Let a container out.", {"container": str, "line": str}, True),
        Desk("ask_paper", "Ask for a paper.", {"container": str, "paper": str}, True),
        Desk("ask_duty", "Ask for duty.", {"container": str, "amount": int}, True),
    ),
)

KINDS: tuple[Kind, ...] = (CHANGE_PLAN, BOOK_LEAVE, RELEASE, MAKE_PAYMENT, POST_READING, LET_OUT)
