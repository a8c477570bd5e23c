"""Kinds 173 to 176: vendor invoices, requests on one budget, delays and time sheets."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from ...names import CITIES
from ..days import drawn_day, later, today, today_is
from ..desks import Desk, planted
from ..kinds import Draw, Kind, Line, Scene, Talk, Work


# -------------------------------------------------------------- 173: an invoice that came before
def _invoice(draw: Draw, different: bool) -> Scene:
    invoice, vendor, day = draw.identifier("VI-"), draw.identifier("VN"), drawn_day(draw)
    amount = draw.money(40, 4000)
    digits = draw.rng.randint(10_000, 99_999)
    record: dict[str, Any] = {
        "invoice": invoice,
        "vendor": {"id": vendor, "name": f"{draw.choice(CITIES)} Supplies"},
        "their_number": f"{draw.choice(('A', 'B', 'R'))}-{digits}",
        "amount": amount,
        "currency": "EUR",
        "due": later(day, draw.rng.randint(-5, 30)),
        "approved_by": draw.person(),
    }
    changed = later(day, -draw.rng.randint(40, 900))
    earlier = [
        {
            "their_number": f"{draw.choice(('A', 'B', 'R'))}-{digits - draw.rng.randint(3, 900)}",
            "amount": draw.money(40, 4000),
            "paid_on": later(day, -draw.rng.randint(5, 200)),
        }
        for _ in range(draw.choice((0, 1, 2, 3)))
    ]
    if different:
        case = draw.late(("twice", "unapproved", "twice"), ("bank", "spelt", "currency"))
        if case == "unapproved":
            record["approved_by"] = None
        elif case == "bank":
            changed = later(day, -draw.rng.randint(0, 12))
        elif case == "currency":
            record["currency"] = draw.choice(("USD", "SEK"))
        else:
            number = str(record["their_number"])
            if case == "spelt":
                number = number.replace("-", " ").lower()
            paid = later(day, -draw.rng.randint(5, 60))
            earlier.append({"their_number": number, "amount": amount, "paid_on": paid})
    account = {"vendor": vendor, "iban": f"DE{draw.rng.randint(10**9, 10**10)}"}
    answers = {
        ("vendor_invoice", invoice): record,
        ("paid_before", vendor): earlier,
        ("vendor_bank", vendor): {**account, "changed_on": changed},
    }
    return Scene({"invoice": invoice}, planted(answers), system=today_is(day))


def _plain(number: str) -> str:
    return "".join(each for each in number.lower() if each.isalnum())


def _settle(values: Mapping[str, str], talk: Talk) -> Work:
    invoice = values["invoice"]
    record = yield "vendor_invoice", {"invoice": invoice}
    if record["approved_by"] is None:
        yield "request_approval", {"invoice": invoice}
        return f"{invoice} is not approved yet."
    if record["currency"] != "EUR":
        yield "hand_to_treasury", {"invoice": invoice, "currency": record["currency"]}
        return f"Treasury pays {invoice} in {record['currency']}."
    vendor = record["vendor"]["id"]
    rows = yield "paid_before", {"vendor": vendor}
    for each in rows:
        if _plain(each["their_number"]) == _plain(record["their_number"]):
            yield "void_invoice", {"invoice": invoice, "reason": "paid before"}
            return f"{record['their_number']} was paid on {each['paid_on']}."
    bank = yield "vendor_bank", {"vendor": vendor}
    if (today(talk) - date.fromisoformat(bank["changed_on"])).days < 14:
        yield "call_vendor", {"vendor": vendor}
        return f"The bank account of {vendor} is new; somebody calls first."
    yield "pay_vendor", {"invoice": invoice, "iban": bank["iban"], "amount": record["amount"]}
    return f"{record['amount']} euros for {invoice} are on their way to {record['vendor']['name']}."


SETTLE = Kind(
    173,
    "an invoice paid before in other letters, a bank account that changed lately, no approval",
    (
        "Settle vendor invoice {invoice}.",
        "Invoice {invoice} of the vendor can be paid, check it as always.",
        "The vendor waits for {invoice}, settle it.",
    ),
    _invoice,
    _settle,
    desks=(
        Desk("vendor_invoice", "Look up an invoice.", {"invoice": str}),
        Desk("paid_before", "List what a vendor was paid.", {"vendor": str}),
        Desk("vendor_bank", "Show the bank account of a vendor.", {"vendor": str}),
        Desk("pay_vendor", "Pay.", {"invoice": str, "iban": str, "amount": float}, True),
        Desk("void_invoice", "Void.", {"invoice": str, "reason": str}, True),
        Desk("call_vendor", "Have a vendor called.", {"vendor": str}, True),
        Desk("request_approval", "Ask for approval.", {"invoice": str}, True),
        Desk("hand_to_treasury", "Hand over.", {"invoice": str, "currency": str}, True),
    ),
)


# -------------------------------------------------------------- 174: one budget, several requests
def _requests(draw: Draw, different: bool) -> Scene:
    team, lead = draw.identifier("TE"), draw.identifier("em")
    count = draw.rng.randint(1, 3)
    rows: list[dict[str, Any]] = [
        {
            "request": draw.identifier("RQ"),
            "by": draw.identifier("em"),
            "for": draw.choice(("training", "licence", "travel", "books")),
            "amount": draw.rng.randrange(40, 700, 10),
        }
        for _ in range(count)
    ]
    case = ""
    if different:
        case = draw.scheduled(("exceeds", "empty", "own", "closed"))
        if case == "empty":
            rows = []
        elif case == "own":
            rows[-1]["by"] = lead
        elif case == "exceeds" and count == 1:
            rows.append({**rows[0], "request": draw.identifier("RQ"), "by": draw.identifier("em")})
    total = sum(each["amount"] for each in rows)
    left = total + draw.rng.randint(0, 900)
    if case == "exceeds":
        left = total - draw.rng.randint(1, rows[-1]["amount"])
    state = "closed" if case == "closed" else "open"
    budget = {"left": left, "period": f"Q{draw.rng.randint(1, 4)}", "state": state}
    answers = {
        ("team_sheet", team): {"team": team, "lead": lead, "budget": budget},
        ("waiting_requests", team): rows,
    }
    return Scene({"team": team}, planted(answers))


def _work_off(values: Mapping[str, str], talk: Talk) -> Work:
    team = values["team"]
    sheet = yield "team_sheet", {"team": team}
    if sheet["budget"]["state"] != "open":
        return f"The budget of {team} is {sheet['budget']['state']}."
    rows = yield "waiting_requests", {"team": team}
    if not rows:
        return f"Nothing waits in {team}."
    left, granted = sheet["budget"]["left"], 0
    for each in rows:
        if each["by"] == sheet["lead"]:
            yield "escalate_request", {"request": each["request"]}
        elif each["amount"] > left:
            yield "postpone_request", {"request": each["request"]}
        else:
            yield "grant_request", {"request": each["request"], "amount": each["amount"]}
            left, granted = left - each["amount"], granted + 1
    return f"{granted} of {len(rows)} requests of {team} are granted, {left} euros are left."


REQUESTS = Kind(
    174,
    "a budget that earlier calls of the run use up, a request of the lead's own, an empty list",
    (
        "Work off the budget requests of {team}.",
        "Decide on what waits in team {team}.",
        "Grant the open requests of {team} as far as the budget goes.",
    ),
    _requests,
    _work_off,
    desks=(
        Desk("team_sheet", "Show lead and budget of a team.", {"team": str}),
        Desk("waiting_requests", "List the requests that wait.", {"team": str}),
        Desk("grant_request", "Grant.", {"request": str, "amount": int}, True),
        Desk("postpone_request", "Postpone.", {"request": str}, True),
        Desk("escalate_request", "Hand to the next level.", {"request": str}, True),
    ),
)


# -------------------------------------------------------------- 175: a share of a fare
def _trip(draw: Draw, different: bool) -> Scene:
    booking, day = draw.identifier("BK"), drawn_day(draw)
    fare = draw.rng.randrange(20, 400, 4)
    delay = draw.choice((draw.rng.randint(60, 119), draw.rng.randint(120, 300)))
    start = draw.rng.randint(6 * 60, 17 * 60)
    record: dict[str, Any] = {
        "booking": booking,
        "passenger": draw.person(),
        "fare": {"amount": fare, "currency": "EUR", "class": draw.choice(("first", "second"))},
        "planned": f"{start // 60:02}:{start % 60:02}",
        "arrived": f"{(start + delay) // 60:02}:{(start + delay) % 60:02}",
        "cause": draw.choice(("signal fault", "staff", "engine", "connection missed")),
        "date": later(day, -draw.rng.randint(1, 20)),
    }
    ledger: list[dict[str, Any]] = []
    if draw.rng.random() < 0.3:
        ledger = [{"booking": booking, "what": draw.choice(("seat", "bicycle")), "amount": 5}]
    if different:
        case = draw.late(("short", "paid", "short"), ("never", "storm", "free"))
        if case == "short":
            end = start + draw.rng.randint(5, 59)
            record["arrived"] = f"{end // 60:02}:{end % 60:02}"
        elif case == "paid":
            ledger.append({"booking": booking, "what": "delay", "amount": fare // 4})
        elif case == "never":
            record["arrived"] = None
        elif case == "storm":
            record["cause"] = draw.choice(("storm", "strike"))
        else:
            record["fare"]["class"] = "staff pass"
    answers = {("get_trip", booking): record, ("trip_ledger", booking): ledger}
    return Scene({"booking": booking}, planted(answers))


def _minutes(text: str) -> int:
    hours, _, minutes = text.partition(":")
    return int(hours) * 60 + int(minutes)


def _compensate(values: Mapping[str, str], talk: Talk) -> Work:
    booking = values["booking"]
    record = yield "get_trip", {"booking": booking}
    fare = record["fare"]
    if fare["class"] == "staff pass":
        return "Nothing is paid on a staff pass."
    if record["arrived"] is None:
        yield "refund_fare", {"booking": booking, "amount": fare["amount"]}
        return f"The trip did not end; {fare['amount']} euros go back to {record['passenger']}."
    if record["cause"] in ("storm", "strike"):
        yield "send_regrets", {"booking": booking, "cause": record["cause"]}
        return f"Nothing is owed because of a {record['cause']}."
    delay = _minutes(record["arrived"]) - _minutes(record["planned"])
    if delay < 60:
        yield "send_regrets", {"booking": booking, "cause": "too short"}
        return f"{delay} minutes are too few."
    rows = yield "trip_ledger", {"booking": booking}
    if any(each["what"] == "delay" for each in rows):
        return f"The delay of {booking} was paid already."
    amount = fare["amount"] / (4 if delay < 120 else 2)
    yield "pay_delay", {"booking": booking, "amount": amount}
    return f"{record['passenger']} gets {amount} euros for {delay} minutes."


DELAY = Kind(
    175,
    "a share of a fare by minutes between two times, a cause for which nothing is owed, no arrival",
    (
        "Compensate the delay of booking {booking}.",
        "{booking} was late, pay what is owed.",
        "The passenger of {booking} claims for a late arrival.",
    ),
    _trip,
    _compensate,
    desks=(
        Desk("get_trip", "Look up a trip.", {"booking": str}),
        Desk("trip_ledger", "List what was paid on a booking.", {"booking": str}),
        Desk("pay_delay", "Pay for a delay.", {"booking": str, "amount": float}, True),
        Desk("refund_fare", "Pay back a fare.", {"booking": str, "amount": float}, True),
        Desk("send_regrets", "Send regrets.", {"booking": str, "cause": str}, True),
    ),
)


# -------------------------------------------------------------- 176: hours of a week
_CHAT: tuple[tuple[Line, ...], ...] = (
    (),
    (),
    (("human", "Payroll closes today."), ("ai", "I will be quick.")),
)


def _sheet(draw: Draw, different: bool) -> Scene:
    sheet, employee, day = draw.identifier("TS"), draw.identifier("ep"), drawn_day(draw)
    monday = day - timedelta(days=day.weekday() + 7)
    project = draw.identifier("PJ")
    contract = draw.choice((20, 30, 35, 40))
    workdays = contract // 5
    rows: list[dict[str, Any]] = [
        {"day": later(monday, each), "hours": max(1, workdays + draw.rng.randint(-2, 1))}
        for each in sorted(draw.rng.sample(range(5), draw.rng.randint(2, 5)))
    ]
    talk = draw.choice(_CHAT)
    project_record: dict[str, Any] = {
        "project": project,
        "state": draw.choice(("active", "active", "warranty")),
        "bill_to": draw.choice(("client", "house")),
    }
    record: dict[str, Any] = {
        "sheet": sheet,
        "employee": employee,
        "project": project,
        "contract": contract,
        "unit": "h",
        "rows": rows,
    }
    if different:
        case = draw.late(("over", "closed", "over"), ("sunday", "minutes", "held"))
        if case == "over":
            rows[-1]["hours"] += contract
        elif case == "closed":
            project_record["state"] = "closed"
        elif case == "sunday":
            rows.append({"day": later(monday, 6), "hours": 1})
        elif case == "minutes":
            record["unit"] = "min"
            for each in rows:
                each["hours"] = draw.choice((15, 30))
        else:
            said = f"Keep the sheets of {employee} back until I have talked to them."
            talk = (("human", said), ("ai", "I will."))
    total = f"{employee} holds a contract of {contract} hours"
    answers = {
        ("get_sheet", sheet): record,
        ("project_state", project): project_record,
        ("contract_of", employee): total,
    }
    return Scene({"sheet": sheet}, planted(answers), earlier=talk)


def _book_sheet(values: Mapping[str, str], talk: Talk) -> Work:
    sheet = values["sheet"]
    record = yield "get_sheet", {"sheet": sheet}
    employee = record["employee"]
    if any(each.startswith(f"Keep the sheets of {employee} back") for each in talk.earlier):
        return f"The sheets of {employee} wait for your talk."
    if any(date.fromisoformat(each["day"]).weekday() == 6 for each in record["rows"]):
        yield "ask_works_council", {"sheet": sheet}
        return f"{sheet} holds a Sunday; the works council was asked."
    hours = sum(each["hours"] for each in record["rows"])
    if record["unit"] == "min":
        hours /= 60
    text = yield "contract_of", {"employee": employee}
    if hours > int(text.split()[-2]) + 5:
        yield "return_sheet", {"sheet": sheet, "hours": hours}
        return f"{hours} hours are too many; {sheet} went back."
    project = yield "project_state", {"project": record["project"]}
    if project["state"] == "closed":
        yield "return_sheet", {"sheet": sheet, "hours": 0}
        return f"{record['project']} is closed; {sheet} went back."
    yield "post_hours", {"sheet": sheet, "hours": hours, "bill_to": project["bill_to"]}
    return f"{hours} hours of {employee} are booked on the {project['bill_to']}."


SHEET = Kind(
    176,
    "a sum of hours against a contract told in words, a Sunday, minutes, an earlier turn",
    (
        "Check and book time sheet {sheet}.",
        "Time sheet {sheet} is handed in.",
        "Post the hours of sheet {sheet}.",
    ),
    _sheet,
    _book_sheet,
    desks=(
        Desk("get_sheet", "Look up a time sheet.", {"sheet": str}),
        Desk("contract_of", "Tell what contract an employee holds.", {"employee": str}),
        Desk("project_state", "Show how a project stands.", {"project": str}),
        Desk("post_hours", "Book.", {"sheet": str, "hours": float, "bill_to": str}, True),
        Desk("return_sheet", "Send back.", {"sheet": str, "hours": float}, True),
        Desk("ask_works_council", "Ask the works council.", {"sheet": str}, True),
    ),
)

KINDS: tuple[Kind, ...] = (SETTLE, REQUESTS, DELAY, SHEET)
