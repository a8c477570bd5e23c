"""Kinds 77 to 79: payroll, a library and a school."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..days import drawn_day, later, today, today_is
from ..desks import Desk, planted
from ..kinds import Draw, Kind, Scene, Talk, Work

__all__ = ["PAY_EXPENSES", "RENEW_LOAN", "SEND_HOME"]


# ------------------------------------------------------------------ 77: lines and their total
_GRADES = {"A": 300.0, "B": 600.0, "C": 1500.0}


def _expenses(draw: Draw, different: bool) -> Scene:
    claim, employee = draw.identifier("EX"), draw.identifier("E-")
    grade = draw.choice(tuple(_GRADES))
    count = draw.rng.randint(1, 4)
    lines: list[dict[str, Any]] = [
        {
            "kind": draw.choice(("hotel", "train", "meal", "taxi")),
            "amount": f"{draw.money(8, int(_GRADES[grade]) // 4):.2f}",
            "currency": "EUR",
            "receipt": True,
        }
        for _ in range(count)
    ]
    person = {"employee": employee, "grade": grade, "iban": f"DE{draw.rng.randint(10**9, 10**10)}"}
    person["active"] = "yes"
    slip = 0.0
    if different:
        case = draw.scheduled(("limit", "receipt", "currency", "total", "left"))
        if case == "limit":
            lines[0]["amount"] = f"{_GRADES[grade] + draw.money(5, 90):.2f}"
        elif case == "receipt":
            lines[-1].update(amount=f"{draw.money(30, 70):.2f}", receipt=False)
        elif case == "currency":
            lines[-1]["currency"] = draw.choice(("USD", "CHF"))
        elif case == "total":
            slip = draw.choice((9.0, -9.0, 0.9))
        else:
            person["active"] = "until 2025-12-31"
    total = sum(float(each["amount"]) for each in lines) + slip
    record = {"claim": claim, "employee": employee, "lines": lines, "total": f"{total:.2f}"}
    answers = {("get_claim", claim): record, ("get_employee", employee): person}
    return Scene({"claim": claim}, planted(answers))


def _pay_expenses(values: Mapping[str, str], talk: Talk) -> Work:
    claim = values["claim"]
    record = yield "get_claim", {"claim": claim}
    person = yield "get_employee", {"employee": record["employee"]}
    if person["active"] != "yes":
        return f"{record['employee']} left the company, {claim} goes to the head of payroll."
    for each in record["lines"]:
        if each["currency"] != "EUR":
            return f"{claim} has a line in {each['currency']}, which has to be converted first."
        if float(each["amount"]) > 25 and not each["receipt"]:
            yield "send_back", {"claim": claim, "reason": f"no receipt for {each['kind']}"}
            return f"{claim} goes back: the receipt for {each['kind']} is missing."
    total = sum(float(each["amount"]) for each in record["lines"])
    if abs(total - float(record["total"])) > 0.005:
        yield "send_back", {"claim": claim, "reason": "lines and total differ"}
        return f"{claim} goes back: its lines do not add up to {record['total']}."
    if total > _GRADES[person["grade"]]:
        yield "ask_manager", {"claim": claim}
        return f"{claim} is above the limit of grade {person['grade']}, the manager decides."
    args = {"claim": claim, "iban": person["iban"], "amount": record["total"]}
    yield "pay_out", args
    return f"{record['total']} EUR of {claim} are paid out."


PAY_EXPENSES = Kind(
    77,
    "lines that must add up, be in one currency and have receipts; a limit by grade",
    (
        "Pay out expense claim {claim}.",
        "{claim} came in, please check the expenses and pay.",
        "Expenses {claim}: pay them, please.",
    ),
    _expenses,
    _pay_expenses,
    desks=(
        Desk("get_claim", "Look up an expense claim.", {"claim": str}),
        Desk("get_employee", "Look up an employee.", {"employee": str}),
        Desk("pay_out", "Pay a claim.", {"claim": str, "iban": str, "amount": str}, True),
        Desk("send_back", "Send a claim back.", {"claim": str, "reason": str}, True),
        Desk("ask_manager", "Let the manager decide.", {"claim": str}, True),
    ),
)


# ------------------------------------------------------------------ 78: results in prose
_TITLES = ("Tides", "Of Bees", "The North Wall", "Salt and Silver", "A Short Winter", "Clay")


def _loan(draw: Draw, different: bool) -> Scene:
    loan, reader, day = draw.identifier("LN"), draw.identifier("R"), drawn_day(draw)
    renewed, owed, holds = draw.rng.randint(0, 2), draw.money(0, 10), "No holds."
    standing, more, system = "in good standing", "", ""
    if different:
        case = draw.scheduled(("hold", "often", "fees", "blocked", "reference", "summer"))
        if case == "hold":
            holds = f"1 hold, by {draw.identifier('R')} since {later(day, -3)}."
        elif case == "often":
            renewed = 3
        elif case == "fees":
            owed = draw.money(11, 60)
        elif case == "blocked":
            standing = "blocked"
        elif case == "reference":
            more = "\nReference copy, reading room only"
        else:
            system = "During the summer break loans are renewed for 6 weeks."
    text = (
        f'Loan {loan}: "{draw.choice(_TITLES)}"\nReader: {reader}\nDue: {later(day, 5)}\n'
        f"Renewed {renewed} of 3 times{more}"
    )
    answers = {
        ("show_loan", loan): text,
        ("show_holds", loan): holds,
        ("show_reader", reader): f"{reader} is {standing} and owes {owed:.2f} EUR.",
    }
    return Scene({"loan": loan}, planted(answers), system=system)


def _renew_loan(values: Mapping[str, str], talk: Talk) -> Work:
    loan = values["loan"]
    text = str((yield "show_loan", {"loan": loan}))
    reader = re.findall(r"Reader: (\w+)", text)[0]
    if "Reference copy" in text:
        return f"{loan} is a reference copy and cannot be renewed."
    if "Renewed 3 of 3" in text:
        return f"{loan} was renewed three times already."
    holds = yield "show_holds", {"loan": loan}
    if holds != "No holds.":
        return f"{loan} cannot be renewed, somebody waits for it."
    account = str((yield "show_reader", {"reader": reader}))
    if "good standing" not in account:
        return f"{reader} may not borrow at present, {loan} stays as it is."
    if float(re.findall(r"owes ([\d.]+)", account)[0]) > 10:
        return f"{reader} has to pay the fees before {loan} is renewed."
    weeks = 6 if "6 weeks" in talk.system else 3
    yield "renew", {"loan": loan, "weeks": weeks}
    return f"{loan} is renewed for {weeks} weeks."


RENEW_LOAN = Kind(
    78,
    "figures and words in prose, a line that is new, a rule of the season in the prompt",
    (
        "Renew loan {loan}.",
        "The reader wants to keep {loan} a while longer.",
        "Please extend {loan}, it is nearly due.",
    ),
    _loan,
    _renew_loan,
    desks=(
        Desk("show_loan", "Show a loan.", {"loan": str}),
        Desk("show_holds", "Show who waits for what is on loan.", {"loan": str}),
        Desk("show_reader", "Show the account of a reader.", {"reader": str}),
        Desk("renew", "Renew a loan.", {"loan": str, "weeks": int}, True),
    ),
)


# ------------------------------------------------------------------ 79: one of two, not both
def _pupil(draw: Draw, different: bool) -> Scene:
    pupil, day, time = draw.identifier("PL"), drawn_day(draw), f"{draw.rng.randint(11, 14)}:15"
    guardians = draw.people(2)
    walks = draw.choice((True, False))
    fetched: str | None = None if walks else draw.choice(guardians)
    noted, signed = day.isoformat(), True
    if different:
        case = draw.scheduled(("both", "neither", "stranger", "yesterday", "unsigned"))
        if case == "both":
            walks, fetched = True, draw.choice(guardians)
        elif case == "neither":
            walks, fetched = False, None
        elif case == "stranger":
            walks, fetched = False, f"{draw.person()}-Roth"
        elif case == "yesterday":
            noted = later(day, -draw.choice((1, 7)))
        else:
            signed = False
    record = {
        "pupil": pupil,
        "class": f"{draw.rng.randint(1, 4)}{draw.choice('abc')}",
        "walks_home": walks,
        "guardians": [{"name": each, "phone": "on file"} for each in guardians],
    }
    note = {"pupil": pupil, "for": noted, "fetched_by": fetched, "signed": signed}
    answers = {("get_pupil_card", pupil): record, ("get_parents_note", pupil): note}
    values = {"pupil": pupil, "time": time}
    return Scene(values, planted(answers), system=today_is(day))


def _send_home(values: Mapping[str, str], talk: Talk) -> Work:
    pupil, time = values["pupil"], values["time"]
    card = yield "get_pupil_card", {"pupil": pupil}
    note = yield "get_parents_note", {"pupil": pupil}
    if note["for"] != today(talk).isoformat():
        return f"The note for {pupil} is of {note['for']}, not of today."
    if not note["signed"]:
        return f"The note for {pupil} is not signed."
    if card["walks_home"] == (note["fetched_by"] is not None):
        yield "call_parents", {"pupil": pupil}
        return f"It is not clear how {pupil} gets home, the parents are called."
    names = [each["name"] for each in card["guardians"]]
    if note["fetched_by"] is not None and note["fetched_by"] not in names:
        yield "call_parents", {"pupil": pupil}
        return f"{note['fetched_by']} is no guardian of {pupil}, the parents are called."
    way = f"with {note['fetched_by']}" if note["fetched_by"] else "alone"
    yield "sign_out", {"pupil": pupil, "time": time, "way": way}
    return f"{pupil} leaves at {time} {way}."


SEND_HOME = Kind(
    79,
    "exactly one of two reasons; somebody who is on a list; a note of another day",
    (
        "Let pupil {pupil} go home at {time}.",
        "{pupil} leaves school early today, at {time}.",
        "Sign {pupil} out for {time}, there is a note.",
    ),
    _pupil,
    _send_home,
    desks=(
        Desk("get_pupil_card", "Look up the card of a pupil.", {"pupil": str}),
        Desk("get_parents_note", "Look up the parents' note.", {"pupil": str}),
        Desk("sign_out", "Sign a pupil out.", {"pupil": str, "time": str, "way": str}, True),
        Desk("call_parents", "Have the parents called.", {"pupil": str}, True),
    ),
)
