"""Kinds 117 to 122: a blood bank, dental bills, payroll, museum loans, a restaurant, machines."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from ..days import drawn_day, later, today, today_is
from ..desks import Desk, planted
from ..kinds import Draw, Kind, Scene, Talk, Work

__all__ = ["KINDS"]


# -------------------------------------------------------------- 117: what goes with what
_GIVES = {"O": "O A B AB", "A": "A AB", "B": "B AB", "AB": "AB"}


def _unit(draw: Draw, different: bool) -> Scene:
    unit, patient, day = draw.identifier("BU"), draw.identifier("PN"), drawn_day(draw)
    group = draw.choice(tuple(_GIVES))
    other = draw.choice((group, *_GIVES[group].split()))
    factor, theirs = draw.choice((("+", "+"), ("-", "-"), ("-", "+")))
    record: dict[str, Any] = {
        "unit": unit,
        "group": group,
        "rh": factor,
        "expires": later(day, draw.rng.randint(1, 35)),
        "kept_for": draw.choice((None, None, patient)),
        "fridge": draw.rng.randint(1, 6),
    }
    person = {"patient": patient, "group": other, "rh": theirs, "antibodies": []}
    if different:
        case = draw.late(("group", "expired", "group"), ("rh", "antibodies", "kept"))
        if case == "group":
            record["group"], person["group"] = draw.choice((("A", "O"), ("B", "A"), ("AB", "B")))
        elif case == "expired":
            record["expires"] = later(day, -draw.rng.randint(1, 9))
        elif case == "rh":
            record["rh"], person["rh"] = "+", "-"
        elif case == "antibodies":
            person["antibodies"] = [draw.choice(("Kell", "Duffy"))]
        else:
            record["kept_for"] = draw.identifier("PN")
    answers = {("get_unit", unit): record, ("get_blood", patient): person}
    return Scene({"unit": unit, "patient": patient}, planted(answers), system=today_is(day))


def _issue(values: Mapping[str, str], talk: Talk) -> Work:
    unit, patient = values["unit"], values["patient"]
    record = yield "get_unit", {"unit": unit}
    if record["expires"] < today(talk).isoformat():
        yield "discard", {"unit": unit}
        return f"{unit} expired on {record['expires']} and was discarded."
    if record["kept_for"] not in (None, patient):
        return f"{unit} is kept for {record['kept_for']}."
    person = yield "get_blood", {"patient": patient}
    if person["antibodies"]:
        yield "order_match", {"unit": unit, "patient": patient}
        return f"{unit} is matched against {person['antibodies'][0]} first."
    fits = person["group"] in _GIVES[record["group"]].split()
    if not fits or (record["rh"] == "+" and person["rh"] == "-"):
        return f"{unit} is {record['group']}{record['rh']} and does not fit {patient}."
    yield "issue_unit", {"unit": unit, "patient": patient, "fridge": record["fridge"]}
    return f"{unit} out of fridge {record['fridge']} goes to {patient}."


ISSUE = Kind(
    117,
    "what goes with what in two records, each of two ways; kept for somebody",
    (
        "Issue blood unit {unit} for {patient}.",
        "{patient} needs {unit} in theatre.",
        "Hand out {unit}, it is for patient {patient}.",
    ),
    _unit,
    _issue,
    desks=(
        Desk("get_unit", "Look up a unit.", {"unit": str}),
        Desk("get_blood", "Look up the blood group of a patient.", {"patient": str}),
        Desk("issue_unit", "Issue.", {"unit": str, "patient": str, "fridge": int}, True),
        Desk("discard", "Discard a unit.", {"unit": str}, True),
        Desk("order_match", "Order a match.", {"unit": str, "patient": str}, True),
    ),
)


# -------------------------------------------------------------- 118: what is left of a limit
def _dental(draw: Draw, different: bool) -> Scene:
    bill, member = draw.identifier("DB"), draw.identifier("MB")
    limits = {name: draw.rng.randrange(400, 3000, 100) for name in ("check", "crown", "brace")}
    kind = draw.choice(tuple(limits))
    share = draw.choice((50, 80, 100))
    rows: list[dict[str, Any]] = [
        {
            "bill": draw.identifier("DB"),
            "kind": each,
            "amount": draw.rng.randrange(10, 100 if each == kind else 900, 10),
        }
        for each in draw.rng.sample(tuple(limits), draw.rng.randint(1, 3))
    ]
    used = sum(each["amount"] for each in rows if each["kind"] == kind)
    amount = draw.rng.randrange(50, limits[kind] - used + 1, 10)
    record: dict[str, Any] = {
        "bill": bill,
        "member": member,
        "kind": kind,
        "amount": amount,
        "currency": "EUR",
        "on": f"2026-0{draw.rng.randint(1, 9)}-1{draw.rng.randint(0, 9)}",
    }
    cover: dict[str, Any] = {"member": member, "limits": limits, "share": share}
    if different:
        case = draw.late(("over", "kind", "over"), ("used", "paid", "waiting"))
        if case == "over":
            record["amount"] = (limits[kind] * 100 // share) + draw.rng.randrange(100, 900, 10)
        elif case == "kind":
            del limits[kind]
        elif case == "used":
            rows.append({"bill": draw.identifier("DB"), "kind": kind, "amount": limits[kind]})
        elif case == "paid":
            rows.append({"bill": bill, "kind": kind, "amount": 10})
        else:
            cover["waits_until"] = "2026-12-01"
    answers = {
        ("get_dental_bill", bill): record,
        ("get_cover", member): cover,
        ("paid_so_far", member): rows,
    }
    return Scene({"bill": bill}, planted(answers))


def _settle_dental(values: Mapping[str, str], talk: Talk) -> Work:
    bill = values["bill"]
    record = yield "get_dental_bill", {"bill": bill}
    cover = yield "get_cover", {"member": record["member"]}
    kind = record["kind"]
    if kind not in cover["limits"]:
        return f"{kind} is not covered for {record['member']}."
    if cover.get("waits_until", "") > record["on"]:
        return f"{record['member']} is covered from {cover['waits_until']} on."
    rows = yield "paid_so_far", {"member": record["member"]}
    if any(each["bill"] == bill for each in rows):
        return f"{bill} was paid already."
    rest = cover["limits"][kind] - sum(e["amount"] for e in rows if e["kind"] == kind)
    amount = record["amount"] * cover["share"] / 100
    if amount > rest:
        yield "ask_board", {"bill": bill}
        return f"{bill} is above what is left for {kind}."
    yield "pay_member", {"member": record["member"], "bill": bill, "amount": amount}
    return f"{amount} euros are paid for {bill}."


SETTLE_DENTAL = Kind(
    118,
    "a share of an amount against a limit under a key less the sum of some rows",
    (
        "Settle dental bill {bill}.",
        "The dentist's bill {bill} came in, deal with it.",
        "Check and pay {bill} of the dentist.",
    ),
    _dental,
    _settle_dental,
    desks=(
        Desk("get_dental_bill", "Look up a dental bill.", {"bill": str}),
        Desk("get_cover", "Look up a cover.", {"member": str}),
        Desk("paid_so_far", "List what was paid.", {"member": str}),
        Desk("pay_member", "Pay.", {"member": str, "bill": str, "amount": float}, True),
        Desk("ask_board", "Ask the board.", {"bill": str}, True),
    ),
)


# -------------------------------------------------------------- 119: changed not long ago
def _wages(draw: Draw, different: bool) -> Scene:
    employee, firm, day = draw.identifier("EE"), draw.identifier("CO"), drawn_day(draw)
    iban = f"DE{draw.rng.randint(10**9, 10**10)}"
    record: dict[str, Any] = {
        "employee": employee,
        "firm": firm,
        "wages": {
            "iban": f"DE{draw.rng.randint(10**9, 10**10)}",
            "changed_on": later(day, -draw.rng.randint(60, 900)),
        },
        "grade": draw.choice(("B1", "B2", "C1")),
    }
    run = {"firm": firm, "state": "open", "pays_on": later(day, draw.rng.randint(2, 25))}
    if different:
        case = draw.late(("recent", "same", "recent"), ("locked", "country", "leaves"))
        if case == "recent":
            record["wages"]["changed_on"] = later(day, -draw.rng.randint(1, 25))
        elif case == "same":
            record["wages"]["iban"] = iban
        elif case == "locked":
            run["state"] = "locked"
        elif case == "country":
            iban = f"{draw.choice(('LT', 'CY'))}{draw.rng.randint(10**9, 10**10)}"
        else:
            record["leaves_on"] = later(day, draw.rng.randint(3, 20))
    answers = {("get_staff", employee): record, ("payroll_run", firm): run}
    return Scene({"employee": employee, "iban": iban}, planted(answers), system=today_is(day))


def _set_wages(values: Mapping[str, str], talk: Talk) -> Work:
    employee, iban = values["employee"], values["iban"]
    record = yield "get_staff", {"employee": employee}
    wages = record["wages"]
    if wages["iban"] == iban:
        return f"{employee} has this account already."
    if "leaves_on" in record:
        return f"{employee} leaves on {record['leaves_on']}; the last pay goes to the old account."
    if (today(talk) - date.fromisoformat(wages["changed_on"])).days < 30 or iban[:2] != "DE":
        yield "call_back", {"employee": employee}
        return f"{employee} is called back about the new account."
    run = yield "payroll_run", {"firm": record["firm"]}
    if run["state"] != "open":
        return f"The payroll of {record['firm']} is {run['state']}."
    yield "set_account", {"employee": employee, "iban": iban, "from": run["pays_on"]}
    return f"{employee} is paid to {iban} from {run['pays_on']} on."


SET_WAGES = Kind(
    119,
    "days since a change, what is so already, an account abroad, a run that is locked",
    (
        "Pay {employee} to {iban} from now on.",
        "New bank account of {employee}: {iban}.",
        "{employee} changed banks, the account is {iban}.",
    ),
    _wages,
    _set_wages,
    desks=(
        Desk("get_staff", "Look up staff.", {"employee": str}),
        Desk("payroll_run", "Look up the payroll of a firm.", {"firm": str}),
        Desk("set_account", "Set.", {"employee": str, "iban": str, "from": str}, True),
        Desk("call_back", "Call back.", {"employee": str}, True),
    ),
)


# -------------------------------------------------------------- 120: some of several
def _loan(draw: Draw, different: bool) -> Scene:
    loan, museum = draw.identifier("ML"), draw.choice(("Prado", "Louvre", "Albertina", "Uffizi"))
    objects = [draw.identifier("OB") for _ in range(draw.rng.randint(2, 3))]
    cards: list[dict[str, Any]] = [
        {
            "object": each,
            "value": draw.rng.randrange(1000, 20000, 500),
            "fragile": False,
            "state": "store",
        }
        for each in objects
    ]
    total = sum(each["value"] for each in cards)
    record = {
        "loan": loan,
        "museum": museum,
        "objects": objects,
        "cover": total + draw.rng.randrange(0, 20000, 500),
    }
    if different:
        case = draw.late(("cover", "fragile", "cover"), ("museum", "shown", "fragile"))
        if case == "cover":
            record["cover"] = total - draw.rng.randrange(500, 1000, 100)
        elif case == "fragile":
            draw.choice(cards)["fragile"] = True
        elif case == "museum":
            record["museum"] = "Hermitage" if draw.rng.random() < 0.5 else "Rijksmuseum"
        else:
            draw.choice(cards)["state"] = "on show"
    answers: dict[tuple[str, ...], Any] = {("get_loan_file", loan): record}
    answers |= {("get_object", each["object"]): each for each in cards}
    return Scene({"loan": loan, "museum": museum}, planted(answers))


def _ship(values: Mapping[str, str], talk: Talk) -> Work:
    loan, museum = values["loan"], values["museum"]
    record = yield "get_loan_file", {"loan": loan}
    if record["museum"] != museum:
        return f"{loan} is for {record['museum']}, not for {museum}."
    cards = []
    for each in record["objects"]:
        card = yield "get_object", {"object": each}
        cards.append(card)
    if sum(each["value"] for each in cards) > record["cover"]:
        yield "ask_insurer", {"loan": loan}
        return f"The cover of {loan} does not do."
    ready = [e["object"] for e in cards if not e["fragile"] and e["state"] == "store"]
    yield "ship", {"loan": loan, "objects": ready}
    left = [e["object"] for e in cards if e["object"] not in ready]
    if left:
        return f"{len(ready)} objects go to {museum}; {', '.join(left)} stay."
    return f"{len(ready)} objects go to {museum}."


SHIP = Kind(
    120,
    "a sum over records that a list names, one of several that stays, another museum",
    (
        "Loan {loan}: ship what is ready to {museum}.",
        "{museum} waits for loan {loan}, send it off.",
        "Loan {loan} can go to {museum}.",
    ),
    _loan,
    _ship,
    desks=(
        Desk("get_loan_file", "Look up a loan.", {"loan": str}),
        Desk("get_object", "Look up an object.", {"object": str}),
        Desk("ship", "Ship objects.", {"loan": str, "objects": list}, True),
        Desk("ask_insurer", "Ask the insurer.", {"loan": str}, True),
    ),
)


# -------------------------------------------------------------- 121: the smallest that does
def _evening(draw: Draw, different: bool) -> Scene:
    house, name, day = draw.identifier("RH"), draw.person(), drawn_day(draw)
    party, hour = draw.rng.randint(2, 5), draw.rng.randint(17, 20)
    sizes = [*draw.rng.sample(range(party, 13), 2), draw.rng.randint(1, party)]
    tables: list[dict[str, Any]] = [
        {"table": draw.rng.randint(10 * n + 1, 10 * n + 9), "seats": size, "free": True}
        for n, size in enumerate(sizes, start=1)
    ]
    draw.rng.shuffle(tables)
    rules: dict[str, Any] = {
        "house": house,
        "deposit_from": draw.rng.randint(6, 8),
        "closed": [later(day, shift) for shift in (3, 9)],
        "kitchen_until": draw.choice((21, 22)),
    }
    if different:
        case = draw.late(("deposit", "closed", "deposit"), ("kitchen", "full", "kitchen"))
        if case == "deposit":
            party = rules["deposit_from"] + draw.rng.randint(0, 2)
            tables[0]["seats"] = party + 1
        elif case == "closed":
            rules["closed"].append(later(day, 0))
        elif case == "kitchen":
            hour = rules["kitchen_until"]
        else:
            for each in tables:
                each["free"] = False
    answers = {("house_rules", house): rules, ("list_tables", house): tables}
    values = {
        "house": house,
        "name": name,
        "party": str(party),
        "day": later(day, 0),
        "hour": str(hour),
    }
    return Scene(values, planted(answers))


def _book_table(values: Mapping[str, str], talk: Talk) -> Work:
    house, name, day = values["house"], values["name"], values["day"]
    party, hour = int(values["party"]), int(values["hour"])
    rules = yield "house_rules", {"house": house}
    if day in rules["closed"]:
        return f"{house} is closed on {day}."
    if hour >= rules["kitchen_until"]:
        return f"The kitchen of {house} closes at {rules['kitchen_until']}."
    if party >= rules["deposit_from"]:
        yield "ask_deposit", {"house": house, "name": name, "party": party}
        return f"{name} was asked for a deposit."
    tables = yield "list_tables", {"house": house}
    fitting = [each for each in tables if each["free"] and each["seats"] >= party]
    if not fitting:
        return f"{house} has no table for {party}."
    table = min(fitting, key=lambda each: (each["seats"], each["table"]))
    yield "book_table", {"house": house, "table": table["table"], "day": day, "hour": hour}
    return f"{name} has table {table['table']} in {house}."


BOOK_TABLE = Kind(
    121,
    "the smallest table that does, limits that each house has, a day in a list",
    (
        "In {house} a table for {party}, {day} at {hour}, name {name}.",
        "Book {house} for {name}: {party} people on {day} at {hour}.",
        "{name} comes to {house} on {day} at {hour} with {party} people in all.",
    ),
    _evening,
    _book_table,
    desks=(
        Desk("house_rules", "Show the rules of a house.", {"house": str}),
        Desk("list_tables", "List tables.", {"house": str}),
        Desk(
            "book_table",
            "Book a table.",
            {"house": str, "table": int, "day": str, "hour": int},
            True,
        ),
        Desk("ask_deposit", "Ask.", {"house": str, "name": str, "party": int}, True),
    ),
)


# -------------------------------------------------------------- 122: those that are idle
def _machines(draw: Draw, different: bool) -> Scene:
    project = draw.identifier("prj-")
    rows: list[dict[str, Any]] = [
        {
            "vm": draw.identifier("vm"),
            "cpu": draw.rng.randint(20, 95) if n else draw.rng.randint(0, 4),
            "env": draw.choice(("dev", "test")),
            "owner": draw.person(),
        }
        for n in range(3)
    ]
    idle = rows[0]
    draw.rng.shuffle(rows)
    if different:
        case = draw.late(("prod", "none", "prod"), ("two", "kept", "between"))
        if case == "prod":
            idle["env"] = "prod"
        elif case == "none":
            idle["cpu"] = draw.rng.randint(20, 95)
        elif case == "two":
            next(each for each in rows if each is not idle)["cpu"] = 2
        elif case == "kept":
            idle["keep_until"] = "2026-12-24"
        else:
            idle["cpu"] = 11
    return Scene({"project": project}, planted({("list_machines", project): rows}))


def _stop(values: Mapping[str, str], talk: Talk) -> Work:
    project = values["project"]
    rows = yield "list_machines", {"project": project}
    idle = [each for each in rows if each["cpu"] < 10]
    stopped = []
    for each in idle:
        if "keep_until" in each:
            continue
        if each["env"] == "prod":
            yield "ask_owner", {"vm": each["vm"], "owner": each["owner"]}
            continue
        yield "stop_vm", {"vm": each["vm"]}
        stopped.append(each["vm"])
    if not stopped:
        return f"Nothing of {project} was stopped."
    return f"{', '.join(stopped)} of {project} stopped."


STOP = Kind(
    122,
    "one row below a bound; none, two, one that is kept, one just above it",
    (
        "Shut down idle machines of {project}.",
        "{project} costs too much, stop what is idle.",
        "Stop the idle machines in {project}, please.",
    ),
    _machines,
    _stop,
    desks=(
        Desk("list_machines", "List machines.", {"project": str}),
        Desk("stop_vm", "Stop a machine.", {"vm": str}, True),
        Desk("ask_owner", "Ask an owner.", {"vm": str, "owner": str}, True),
    ),
)

KINDS: tuple[Kind, ...] = (ISSUE, SETTLE_DENTAL, SET_WAGES, SHIP, BOOK_TABLE, STOP)
