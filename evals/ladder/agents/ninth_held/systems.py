"""Kinds 181 to 184: deployments, subscriptions, documents and data that is to be deleted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..days import drawn_day, later, today, today_is
from ..desks import Desk, planted
from ..kinds import Draw, Kind, Scene, Talk, Work


# -------------------------------------------------------------- 181: before and after a deployment
def _release(draw: Draw, different: bool) -> Scene:
    build, service, day = draw.identifier("b"), draw.identifier("app-"), drawn_day(draw)
    major, minor = draw.rng.randint(1, 8), draw.rng.randint(2, 40)
    record: dict[str, Any] = {
        "build": build,
        "service": service,
        "version": f"{major}.{minor}",
        "tests": {"state": "passed", "count": draw.rng.randint(40, 900), "failed": 0},
        "migrations": [],
        "by": draw.person(),
    }
    if draw.rng.random() < 0.3:
        record["migrations"] = [f"m{draw.rng.randint(100, 999)}"]
    running = f"{major}.{minor - draw.rng.randint(1, 2)}"
    health = f"{service}: up, error rate {draw.rng.randint(0, 9) / 10} %"
    system = today_is(day)
    if draw.rng.random() < 0.3:
        system += " Releases are announced in the channel."
    if different:
        case = draw.late(("tests", "older", "tests"), ("sick", "frozen", "flaky"))
        if case == "tests":
            record["tests"]["failed"] = draw.rng.randint(1, 9)
            record["tests"]["state"] = "failed"
        elif case == "older":
            running = f"{major}.{minor + draw.rng.randint(0, 3)}"
        elif case == "sick":
            health = f"{service}: up, error rate {draw.rng.randint(30, 400) / 10} %"
        elif case == "frozen":
            system = f"{today_is(day)} {service} is frozen until {later(day, 5)}."
        else:
            record["tests"]["failed"] = draw.rng.randint(1, 3)
    answers = {
        ("get_build", build): record,
        ("running_version", service): {"service": service, "version": running, "nodes": 3},
        ("health_of", service): health,
    }
    return Scene({"build": build}, planted(answers), system=system)


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(each) for each in version.split("."))


def _deploy(values: Mapping[str, str], talk: Talk) -> Work:
    build = values["build"]
    record = yield "get_build", {"build": build}
    service = record["service"]
    if f"{service} is frozen" in talk.system:
        return f"{service} is frozen, {build} waits."
    if record["tests"]["state"] != "passed" or record["tests"]["failed"]:
        yield "tell_builder", {"build": build, "failed": record["tests"]["failed"]}
        return f"{record['tests']['failed']} tests of {build} failed."
    running = yield "running_version", {"service": service}
    if _number(running["version"]) >= _number(record["version"]):
        return f"{service} runs {running['version']} already."
    if record["migrations"]:
        yield "back_up", {"service": service}
    yield "deploy_build", {"build": build, "service": service}
    text = yield "health_of", {"service": service}
    if float(text.split()[-2]) >= 1:
        yield "roll_back", {"service": service, "version": running["version"]}
        return f"{service} is back on {running['version']}: {text.split(', ')[-1]}"
    return f"{service} runs {record['version']} instead of {running['version']}."


DEPLOY = Kind(
    181,
    "a version compared by numbers, a back-up before, an error rate in words after the deployment",
    (
        "Deploy build {build}.",
        "{build} is ready, bring it to production.",
        "Roll out {build} with the usual checks.",
    ),
    _release,
    _deploy,
    desks=(
        Desk("get_build", "Look up a build.", {"build": str}),
        Desk("running_version", "Show what runs.", {"service": str}),
        Desk("health_of", "Tell how a service does.", {"service": str}),
        Desk("back_up", "Back up a service.", {"service": str}, True),
        Desk("deploy_build", "Deploy.", {"build": str, "service": str}, True),
        Desk("roll_back", "Roll back.", {"service": str, "version": str}, True),
        Desk("tell_builder", "Tell the builder.", {"build": str, "failed": int}, True),
    ),
)


# -------------------------------------------------------------- 182: a partial failure
def _contract(draw: Draw, different: bool) -> Scene:
    contract, day = draw.identifier("SC"), drawn_day(draw)
    extras = [draw.identifier("ad") for _ in range(draw.rng.randint(0, 2))]
    notice = draw.choice((14, 30, 60))
    ends = later(day, notice + draw.rng.randint(0, 200))
    record: dict[str, Any] = {
        "contract": contract,
        "customer": draw.identifier("CL"),
        "ends_on": ends,
        "notice_days": notice,
        "add_ons": extras,
        "sold_by": "house",
        "open_balance": 0,
    }
    stopped = {
        each: {"add_on": each, "stopped": True, "credit": draw.rng.randint(0, 30)}
        for each in extras
    }
    if different:
        case = draw.late(("notice", "balance", "notice"), ("partly", "reseller", "null"))
        if case == "notice":
            record["ends_on"] = later(day, draw.rng.randint(1, notice - 1))
        elif case == "balance":
            record["open_balance"] = draw.money(5, 300)
        elif case == "partly":
            broken = draw.identifier("ad")
            record["add_ons"] = [*extras[:1], broken]
            stopped[broken] = {"add_on": broken, "stopped": False, "reason": "in use"}
        elif case == "reseller":
            record["sold_by"] = draw.identifier("RS")
        else:
            record["ends_on"] = None
    answers: dict[tuple[str, str], Any] = {("get_contract", contract): record}
    answers |= {("stop_add_on", each): shown for each, shown in stopped.items()}
    return Scene({"contract": contract}, planted(answers), system=today_is(day))


def _end(values: Mapping[str, str], talk: Talk) -> Work:
    contract = values["contract"]
    record = yield "get_contract", {"contract": contract}
    if record["sold_by"] != "house":
        yield "forward_case", {"contract": contract, "to": record["sold_by"]}
        return f"{record['sold_by']} sold {contract} and ends it."
    if record["open_balance"] > 0:
        yield "send_reminder", {"contract": contract, "amount": record["open_balance"]}
        return f"{record['open_balance']} euros of {contract} are open."
    day = today(talk)
    ends = record["ends_on"]
    if ends is None:
        # A contract without an end is ended with its notice.
        ends = later(day, record["notice_days"])
    elif later(day, record["notice_days"]) > ends:
        yield "offer_pause", {"contract": contract}
        return f"{contract} goes on after {ends}; the notice came too late."
    failed = []
    for each in record["add_ons"]:
        shown = yield "stop_add_on", {"add_on": each}
        if not shown["stopped"]:
            failed.append(f"{each} ({shown['reason']})")
    if failed:
        yield "open_case", {"contract": contract, "about": ", ".join(failed)}
        return f"{contract} is not ended: {', '.join(failed)}."
    yield "end_contract", {"contract": contract, "on": ends}
    return f"{contract} ends on {ends}."


END = Kind(
    182,
    "a notice by days before an end, add-ons of which one is not stopped, an end that is missing",
    (
        "End contract {contract}.",
        "The customer gives notice for {contract}.",
        "Cancel subscription contract {contract} to its next date.",
    ),
    _contract,
    _end,
    desks=(
        Desk("get_contract", "Look up a contract.", {"contract": str}),
        Desk("stop_add_on", "Stop an add-on.", {"add_on": str}, True),
        Desk("end_contract", "End a contract.", {"contract": str, "on": str}, True),
        Desk("offer_pause", "Offer a pause.", {"contract": str}, True),
        Desk("send_reminder", "Remind.", {"contract": str, "amount": float}, True),
        Desk("forward_case", "Forward.", {"contract": str, "to": str}, True),
        Desk("open_case", "Open a case.", {"contract": str, "about": str}, True),
    ),
)


# -------------------------------------------------------------- 183: changed between two reads
_GRADES = {"clerk": 500, "lead": 5000, "director": 50_000}


def _document(draw: Draw, different: bool) -> Scene:
    document, approver = draw.identifier("DC-"), draw.identifier("ap")
    author = draw.identifier("ap")
    grade = draw.choice(tuple(_GRADES))
    version = draw.rng.randint(1, 9)
    record: dict[str, Any] = {
        "document": document,
        "author": author,
        "version": version,
        "value": draw.rng.randint(20, _GRADES[grade]),
        "reviews": [
            {"by": draw.identifier("ap"), "version": version, "verdict": "fine"}
            for _ in range(draw.choice((1, 1, 2)))
        ],
        "pages": draw.rng.randint(1, 60),
    }
    card: dict[str, Any] = {"approver": approver, "grade": grade, "deputy": draw.identifier("ap")}
    lock: dict[str, Any] = {"document": document, "locked": True, "version": version}
    if different:
        case = draw.late(("value", "author", "value"), ("changed", "verdict", "away"))
        if case == "value":
            # What is too much for one grade is in order for the next.
            card["grade"] = draw.choice(("clerk", "lead"))
            limit = _GRADES[card["grade"]]
            record["value"] = limit + draw.rng.randint(1, limit)
        elif case == "author":
            record["author"] = approver
        elif case == "changed":
            lock["version"] = version + 1
        elif case == "verdict":
            record["reviews"][-1]["verdict"] = draw.choice(("objection", "open questions"))
        else:
            card["away"] = True
    answers = {
        ("get_document", document): record,
        ("approver_card", approver): card,
        ("lock_document", document): lock,
    }
    return Scene({"document": document, "approver": approver}, planted(answers))


def _approve(values: Mapping[str, str], talk: Talk) -> Work:
    document, approver = values["document"], values["approver"]
    record = yield "get_document", {"document": document}
    if record["author"] == approver:
        return f"{approver} wrote {document} and may not approve it."
    bad = [each for each in record["reviews"] if each["verdict"] != "fine"]
    if bad:
        yield "return_document", {"document": document, "reason": bad[0]["verdict"]}
        return f"{bad[0]['by']} has: {bad[0]['verdict']}."
    card = yield "approver_card", {"approver": approver}
    if card.get("away"):
        yield "ask_deputy", {"document": document, "deputy": card["deputy"]}
        return f"{approver} is away; {card['deputy']} was asked."
    if record["value"] > _GRADES[card["grade"]]:
        yield "next_level", {"document": document, "value": record["value"]}
        return f"A {card['grade']} may not approve {record['value']} euros."
    lock = yield "lock_document", {"document": document}
    if lock["version"] != record["version"]:
        yield "unlock_document", {"document": document}
        yield "return_document", {"document": document, "reason": "changed meanwhile"}
        return f"{document} was changed to version {lock['version']} meanwhile."
    args = {"document": document, "approver": approver, "version": record["version"]}
    yield "approve_document", args
    return f"Version {record['version']} of {document} is approved by {approver}."


APPROVE = Kind(
    183,
    "a version that changed between two reads, a limit by grade, an author who would approve",
    (
        "Approve {document} in the name of {approver}.",
        "{approver} approves {document}; book it if the rules allow.",
        "Document {document}: approval by {approver}.",
    ),
    _document,
    _approve,
    desks=(
        Desk("get_document", "Look up a document.", {"document": str}),
        Desk("approver_card", "Show the card of an approver.", {"approver": str}),
        Desk("lock_document", "Lock a document.", {"document": str}, True),
        Desk("unlock_document", "Unlock a document.", {"document": str}, True),
        Desk(
            "approve_document",
            "Approve.",
            {"document": str, "approver": str, "version": int},
            True,
        ),
        Desk("return_document", "Send back.", {"document": str, "reason": str}, True),
        Desk("next_level", "Hand up.", {"document": str, "value": int}, True),
        Desk("ask_deputy", "Ask a deputy.", {"document": str, "deputy": str}, True),
    ),
)


# -------------------------------------------------------------- 184: what is to be deleted
def _person(draw: Draw, different: bool) -> Scene:
    first, last = draw.person().split()
    mail = f"{first.lower()}.{last.lower()}{draw.rng.randint(100, 9999)}@mail.example"
    account, day = draw.identifier("ac"), drawn_day(draw)
    row: dict[str, Any] = {"account": account, "mail": mail, "name": f"{first} {last}"}
    rows = [row]
    if draw.rng.random() < 0.4:
        # The search shows similar addresses, too.
        rows.append({**row, "account": draw.identifier("ac"), "mail": mail.replace(".", "_", 1)})
        draw.rng.shuffle(rows)
    state: dict[str, Any] = {
        "account": account,
        "holds": [],
        "open_orders": 0,
        "last_seen": later(day, -draw.rng.randint(1, 500)),
        "newsletter": draw.rng.random() < 0.5,
    }
    exported = f"{draw.rng.randint(2, 300)} records written to exports/{account}"
    deleted: dict[str, Any] = {"deleted": draw.rng.randint(2, 300), "left": []}
    if different:
        case = draw.late(("hold", "orders", "hold"), ("similar", "left", "archive"))
        if case == "hold":
            state["holds"] = [{"by": draw.choice(("legal", "tax")), "until": later(day, 200)}]
        elif case == "orders":
            state["open_orders"] = draw.rng.randint(1, 4)
        elif case == "similar":
            rows = [{**row, "mail": mail.replace(".", "_", 1)}]
        elif case == "left":
            deleted["left"] = [draw.choice(("backup", "crm", "mailing"))]
        else:
            exported = f"0 records written to exports/{account}"
    answers = {
        ("search_accounts", mail): rows,
        ("account_state", account): state,
        ("export_account", account): exported,
        ("delete_account", account): deleted,
    }
    return Scene({"mail": mail}, planted(answers))


def _forget(values: Mapping[str, str], talk: Talk) -> Work:
    mail = values["mail"]
    rows = yield "search_accounts", {"mail": mail}
    row = next((each for each in rows if each["mail"] == mail), None)
    if row is None:
        return f"There is no account of {mail}."
    account = row["account"]
    state = yield "account_state", {"account": account}
    if state["holds"]:
        hold = state["holds"][0]
        yield "mark_account", {"account": account, "until": hold["until"]}
        return f"{hold['by']} keeps {account} until {hold['until']}."
    if state["open_orders"]:
        return f"{account} has {state['open_orders']} open orders."
    text = yield "export_account", {"account": account}
    if text.startswith("0 "):
        yield "report_fault", {"account": account, "system": "export"}
        return f"Nothing was exported; {account} is kept."
    deleted = yield "delete_account", {"account": account}
    for each in deleted["left"]:
        yield "report_fault", {"account": account, "system": each}
    if deleted["left"]:
        return f"{account} is deleted but for {', '.join(deleted['left'])}."
    yield "confirm_deletion", {"mail": mail, "count": deleted["deleted"]}
    return f"{deleted['deleted']} records of {account} are deleted."


FORGET = Kind(
    184,
    "an export before the deletion, an address of similar shape, a system that keeps something",
    (
        "Delete what we hold of {mail}.",
        "{mail} wants to be forgotten.",
        "Erase the data of {mail}, as the law says.",
    ),
    _person,
    _forget,
    desks=(
        Desk("search_accounts", "Search accounts by mail address.", {"mail": str}),
        Desk("account_state", "Show how an account stands.", {"account": str}),
        Desk("export_account", "Export an account.", {"account": str}, True),
        Desk("delete_account", "Delete an account.", {"account": str}, True),
        Desk("mark_account", "Mark for later.", {"account": str, "until": str}, True),
        Desk("report_fault", "Report.", {"account": str, "system": str}, True),
        Desk("confirm_deletion", "Confirm.", {"mail": str, "count": int}, True),
    ),
)

KINDS: tuple[Kind, ...] = (DEPLOY, END, APPROVE, FORGET)
