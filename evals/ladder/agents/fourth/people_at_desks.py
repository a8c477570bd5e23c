"""Kinds 98 to 104: a bank, a school, a telephone company, a gym, a hotel, travel and a library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..desks import Desk, planted
from ..kinds import Draw, Kind, Scene, Talk, Work

__all__ = ["KINDS"]


# -------------------------------------------------------------- 98: today, and what was before
def _fee(draw: Draw, different: bool) -> Scene:
    account, month = draw.identifier("AC"), draw.rng.randint(2, 8)
    fee = {
        "kind": "late",
        "amount": draw.rng.randint(5, 25),
        "on": f"2026-0{month}-{draw.rng.randint(10, 27)}",
    }
    record: dict[str, Any] = {"account": account, "fee": fee, "reversed": []}
    today = f"2026-0{month}-28"
    if different:
        change = draw.scheduled(("before", "old", "high"))
        if change == "before":
            record["reversed"] = [{"on": "2026-01-04", "amount": 12}]
        elif change == "old":
            today = f"2026-0{month + 1}-28"
        else:
            fee["amount"] = draw.rng.randint(40, 90)
    return Scene({"account": account}, planted({("fees", account): record}), f"Today is {today}.")


def _reverse(values: Mapping[str, str], talk: Talk) -> Work:
    account = values["account"]
    record = yield "fees", {"account": account}
    fee, today = record["fee"], talk.system.rpartition("Today is ")[2][:10]
    if record["reversed"] or fee["amount"] > 30 or fee["on"][:7] != today[:7]:
        return f"The fee of {account} stays."
    yield "give_back", {"account": account, "amount": fee["amount"]}
    return f"{fee['amount']} were given back to {account}."


REVERSE = Kind(
    98,
    "today's date in the prompt, a list that is empty as a rule",
    (
        "Give {account} the late fee back.",
        "{account} complains about a fee, reverse it.",
        "Please reverse the fee of {account}.",
    ),
    _fee,
    _reverse,
    desks=(
        Desk("fees", "Show the fees of an account.", {"account": str}),
        Desk("give_back", "Give a fee back.", {"account": str, "amount": float}, True),
    ),
)


# -------------------------------------------------------------- 99: a remark in words
def _pupil(draw: Draw, different: bool) -> Scene:
    pupil, allowed = draw.identifier("PU"), draw.people(3)
    person = draw.choice(allowed)
    record: dict[str, Any] = {"pupil": pupil, "may_collect": allowed, "note": ""}
    if different:
        change = draw.scheduled(("stranger", "order", "first name"))
        if change == "stranger":
            person = draw.choice([p for p in draw.people(6) if p not in allowed])
        elif change == "order":
            record["note"] = f"Court order: not to {person}."
        else:
            person = f"{person.split()[0]} {draw.person().split()[1]}-Lane"
    return Scene({"pupil": pupil, "person": person}, planted({("pupil_card", pupil): record}))


def _collect(values: Mapping[str, str], talk: Talk) -> Work:
    pupil, person = values["pupil"], values["person"]
    record = yield "pupil_card", {"pupil": pupil}
    if person not in record["may_collect"] or person in record["note"]:
        yield "call_office", {"pupil": pupil}
        return f"The office was called about {pupil}."
    yield "sign_out", {"pupil": pupil, "person": person}
    return f"{pupil} left with {person}."


COLLECT = Kind(
    99,
    "a name of the task in a list of the record; a note in words",
    (
        "{person} is here to collect {pupil}.",
        "{pupil} goes home with {person}.",
        "Sign {pupil} out, {person} is waiting.",
    ),
    _pupil,
    _collect,
    desks=(
        Desk("pupil_card", "Show the card of a pupil.", {"pupil": str}),
        Desk("sign_out", "Sign a pupil out.", {"pupil": str, "person": str}, True),
        Desk("call_office", "Call the office.", {"pupil": str}, True),
    ),
)


# -------------------------------------------------------------- 100: who asks is who owns
def _line(draw: Draw, different: bool) -> Scene:
    line, owner = draw.identifier("+49 "), draw.person()
    caller = owner
    record: dict[str, Any] = {"line": line, "owner": owner, "tries": draw.rng.randint(0, 2)}
    if different:
        change = draw.scheduled(("caller", "tries", "stolen"))
        if change == "caller":
            caller = draw.person()
        elif change == "tries":
            record["tries"] = draw.rng.randint(3, 9)
        else:
            record["reported"] = "stolen"
    return Scene({"line": line, "caller": caller}, planted({("line_card", line): record}))


def _unlock(values: Mapping[str, str], talk: Talk) -> Work:
    line, caller = values["line"], values["caller"]
    record = yield "line_card", {"line": line}
    if record["owner"] != caller or "reported" in record:
        return f"{caller} has no right to {line}."
    if record["tries"] > 2:
        yield "send_card", {"line": line}
        return f"A new card is sent for {line}."
    yield "unlock", {"line": line}
    return f"{line} is unlocked."


UNLOCK = Kind(
    100,
    "a name said and a name on record; a count",
    (
        "{caller} is on the phone and asks to unlock {line}.",
        "Unlock {line} for {caller}.",
        "This is {caller}. My card of {line} is locked.",
    ),
    _line,
    _unlock,
    desks=(
        Desk("line_card", "Show the card of a line.", {"line": str}),
        Desk("unlock", "Unlock a card.", {"line": str}, True),
        Desk("send_card", "Send a new card.", {"line": str}, True),
    ),
)


# -------------------------------------------------------------- 101: one of two reasons, not both
def _member(draw: Draw, different: bool) -> Scene:
    member = draw.identifier("ME")
    yearly = draw.choice((True, False))
    note = not yearly
    if different:
        note = yearly
    record = {"member": member, "contract": "yearly" if yearly else "monthly", "doctor_note": note}
    return Scene({"member": member}, planted({("membership", member): record}))


def _freeze(values: Mapping[str, str], talk: Talk) -> Work:
    member = values["member"]
    record = yield "membership", {"member": member}
    if (record["contract"] == "yearly") == record["doctor_note"]:
        return f"{member} should talk to the manager."
    yield "freeze", {"member": member, "months": 2}
    return f"{member} is frozen for two months."


FREEZE = Kind(
    101,
    "one of two reasons, not both and not none",
    (
        "Freeze the membership of {member}.",
        "{member} wants to pause.",
        "Please put {member} on hold.",
    ),
    _member,
    _freeze,
    desks=(
        Desk("membership", "Show a membership.", {"member": str}),
        Desk("freeze", "Freeze a membership.", {"member": str, "months": int}, True),
    ),
)


# -------------------------------------------------------------- 102: what there is left
def _stay(draw: Draw, different: bool) -> Scene:
    guest, hotel = draw.identifier("GU"), draw.identifier("HO")
    nights = draw.rng.randint(1, 3)
    stay: dict[str, Any] = {
        "guest": guest,
        "hotel": hotel,
        "room": draw.rng.randint(101, 520),
        "leaves": "2026-07-10",
    }
    rooms: dict[str, Any] = {"hotel": hotel, "free_nights": draw.rng.randint(nights, 6)}
    if different:
        change = draw.scheduled(("few", "owes", "group"))
        if change == "few":
            rooms["free_nights"] = draw.rng.randint(0, nights - 1)
        elif change == "owes":
            stay["balance_due"] = draw.rng.randint(50, 400)
        else:
            stay["group"] = draw.identifier("GR")
    answers = {("stay_of", guest): stay, ("free_rooms", hotel): rooms}
    return Scene({"guest": guest, "nights": str(nights)}, planted(answers))


def _extend(values: Mapping[str, str], talk: Talk) -> Work:
    guest, nights = values["guest"], int(values["nights"])
    stay = yield "stay_of", {"guest": guest}
    if "group" in stay or "balance_due" in stay:
        return f"{guest} has to come to the desk first."
    rooms = yield "free_rooms", {"hotel": stay["hotel"]}
    if rooms["free_nights"] < nights:
        return f"There is no room for {guest} that long."
    yield "extend", {"room": stay["room"], "nights": nights}
    return f"Room {stay['room']} is kept {nights} nights more."


EXTEND = Kind(
    102,
    "a figure of the task against a record; fields that are new",
    (
        "{guest} wants to stay {nights} nights longer.",
        "Extend the stay of {guest} by {nights} nights.",
        "{nights} more nights for {guest}, please.",
    ),
    _stay,
    _extend,
    desks=(
        Desk("stay_of", "Show the stay of a guest.", {"guest": str}),
        Desk("free_rooms", "Show how long a room is free.", {"hotel": str}),
        Desk("extend", "Extend a stay.", {"room": int, "nights": int}, True),
    ),
)


# -------------------------------------------------------------- 103: a condition in the task
def _booking(draw: Draw, different: bool) -> Scene:
    booking = draw.identifier("BK")
    price = draw.rng.randrange(200, 900, 20)
    fee = 0
    how = draw.choice(("if that is free", "in any case"))
    if different:
        how, fee = draw.scheduled(
            (
                ("if that is free", draw.rng.randint(20, 120)),
                ("unless it costs more than half", price),
            )
        )
    record = {"booking": booking, "price": price, "cancellation_fee": fee, "status": "confirmed"}
    return Scene({"booking": booking, "how": how}, planted({("booking_info", booking): record}))


def _cancel(values: Mapping[str, str], talk: Talk) -> Work:
    booking, how = values["booking"], values["how"]
    record = yield "booking_info", {"booking": booking}
    fee = record["cancellation_fee"]
    keep = {"if that is free": fee > 0, "in any case": False}.get(how, fee > record["price"] / 2)
    if keep:
        return f"{booking} was kept: cancelling costs {fee}."
    yield "cancel_booking", {"booking": booking}
    return f"{booking} is cancelled for {fee}."


CANCEL = Kind(
    103,
    "a condition that the task names",
    (
        "Call off {booking} {how}.",
        "Please drop {booking} {how}.",
        "The trip {booking} is off; cancel it {how}.",
    ),
    _booking,
    _cancel,
    desks=(
        Desk("booking_info", "Show a booking.", {"booking": str}),
        Desk("cancel_booking", "Cancel a booking.", {"booking": str}, True),
    ),
)


# -------------------------------------------------------------- 104: several reasons in a text
def _loan(draw: Draw, different: bool) -> Scene:
    loan = draw.identifier("LN")
    due, renewed = f"2026-06-{draw.rng.randint(10, 28)}", draw.rng.randint(0, 1)
    text = f"Loan {loan}\nDue: {due}\nRenewed: {renewed}\nReserved by others: 0"
    if different:
        change = draw.scheduled(("reserved", "renewed", "note"))
        if change == "reserved":
            text = text[:-1] + str(draw.rng.randint(1, 4))
        elif change == "renewed":
            text = text.replace(f"Renewed: {renewed}", f"Renewed: {draw.rng.randint(2, 5)}")
        else:
            text += "\nReader is barred"
    return Scene({"loan": loan}, planted({("loan_slip", loan): text}))


def _renew(values: Mapping[str, str], talk: Talk) -> Work:
    loan = values["loan"]
    text = yield "loan_slip", {"loan": loan}
    lines = dict(line.split(": ") for line in text.splitlines() if ": " in line)
    if "barred" in text or int(lines["Reserved by others"]) or int(lines["Renewed"]) > 1:
        return f"{loan} cannot be renewed."
    yield "renew", {"loan": loan}
    return f"{loan} is renewed; it was due on {lines['Due']}."


RENEW = Kind(
    104,
    "figures of a text, and a line that is new",
    ("Give loan {loan} more time.", "{loan} again, please.", "Can {loan} be renewed? Do it."),
    _loan,
    _renew,
    desks=(
        Desk("loan_slip", "Print the slip of a loan.", {"loan": str}),
        Desk("renew", "Renew a loan.", {"loan": str}, True),
    ),
)

KINDS: tuple[Kind, ...] = (REVERSE, COLLECT, UNLOCK, FREEZE, EXTEND, CANCEL, RENEW)
