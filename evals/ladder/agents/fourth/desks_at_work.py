"""Kinds 91 to 97: on call, payroll, warehouse, logistics, keys, facility and insurance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...names import CITIES
from ..desks import Desk, planted
from ..kinds import Draw, Kind, Scene, Talk, Work

__all__ = ["KINDS"]


# -------------------------------------------------------------- 91: every row has to be well
def _service(draw: Draw, different: bool) -> Scene:
    service = draw.identifier("svc-")
    checks = [
        {"name": name, "state": "ok", "since": f"{draw.rng.randint(1, 40)}h"}
        for name in draw.rng.sample(("disk", "queue", "replica", "cache", "certificate"), 3)
    ]
    record: dict[str, Any] = {"service": service, "checks": checks, "owner": draw.person()}
    if different:
        checks[draw.rng.randrange(3)]["state"] = draw.scheduled(("critical", "warning", "unknown"))
    return Scene({"service": service}, planted({("health", service): record}))


def _restart(values: Mapping[str, str], talk: Talk) -> Work:
    service = values["service"]
    record = yield "health", {"service": service}
    bad = [each["name"] for each in record["checks"] if each["state"] != "ok"]
    if bad:
        yield "page", {"person": record["owner"], "about": f"{service}: {bad[0]}"}
        return f"{record['owner']} was paged about {bad[0]} of {service}."
    yield "restart", {"service": service}
    return f"{service} was restarted."


RESTART = Kind(
    91,
    "a state in any row of a list",
    ("Restart {service}.", "{service} hangs, restart it please.", "Please bounce {service}."),
    _service,
    _restart,
    desks=(
        Desk("health", "Show the checks of a service.", {"service": str}),
        Desk("restart", "Restart a service.", {"service": str}, True),
        Desk("page", "Page a person.", {"person": str, "about": str}, True),
    ),
)


# -------------------------------------------------------------- 92: a sum over rows
def _week(draw: Draw, different: bool) -> Scene:
    worker = draw.identifier("W")
    days = [draw.rng.randint(8, 10) for _ in range(5)]
    if different:
        days = [draw.rng.randint(6, 8) for _ in range(5)]
    sheet = {"worker": worker, "days": [{"day": n + 1, "hours": h} for n, h in enumerate(days)]}
    rate = {"worker": worker, "hourly": draw.rng.randrange(18, 40), "currency": "EUR"}
    answers = {("time_sheet", worker): sheet, ("rate_of", worker): rate}
    return Scene({"worker": worker}, planted(answers))


def _overtime(values: Mapping[str, str], talk: Talk) -> Work:
    worker = values["worker"]
    sheet = yield "time_sheet", {"worker": worker}
    over = sum(each["hours"] for each in sheet["days"]) - 40
    if over <= 0:
        return f"{worker} has no overtime this week."
    rate = yield "rate_of", {"worker": worker}
    yield "pay_out", {"worker": worker, "amount": over * rate["hourly"]}
    return f"{over} hours of {worker} were paid."


OVERTIME = Kind(
    92,
    "a sum over rows, and an amount that is computed",
    (
        "Pay the overtime of {worker}.",
        "{worker} asks for the overtime of this week.",
        "Overtime for {worker}, please.",
    ),
    _week,
    _overtime,
    desks=(
        Desk("time_sheet", "Show the hours of a week.", {"worker": str}),
        Desk("rate_of", "Show what an hour pays.", {"worker": str}),
        Desk("pay_out", "Pay overtime.", {"worker": str, "amount": float}, True),
    ),
)


# -------------------------------------------------------------- 93: a figure said, a share of it
def _bin(draw: Draw, different: bool) -> Scene:
    place, there = draw.identifier("BIN-"), draw.rng.randint(80, 400)
    counted = there + draw.rng.randint(-there // 25, there // 25)
    if different:
        counted = draw.scheduled((there // 2, 0, there * 2))
    record = {"bin": place, "on_hand": there, "last_count": f"2026-0{draw.rng.randint(1, 6)}-11"}
    return Scene({"bin": place, "count": str(counted)}, planted({("bin_info", place): record}))


def _count(values: Mapping[str, str], talk: Talk) -> Work:
    place, counted = values["bin"], int(values["count"])
    record = yield "bin_info", {"bin": place}
    if abs(counted - record["on_hand"]) > record["on_hand"] / 10:
        yield "ask_recount", {"bin": place}
        return f"{place} is counted once more."
    yield "set_count", {"bin": place, "count": counted}
    return f"{place} holds {counted} now."


COUNT = Kind(
    93,
    "a figure of the task far from that of a record",
    (
        "We counted {count} pieces in {bin}.",
        "{bin} has {count} pieces, correct the system.",
        "Set bin {bin} to {count} pieces.",
    ),
    _bin,
    _count,
    desks=(
        Desk("bin_info", "Show what a bin holds.", {"bin": str}),
        Desk("set_count", "Correct the count of a bin.", {"bin": str, "count": int}, True),
        Desk("ask_recount", "Have a bin counted again.", {"bin": str}, True),
    ),
)


# -------------------------------------------------------------- 94: a state of its own history
def _parcel(draw: Draw, different: bool) -> Scene:
    parcel, city = draw.identifier("PX"), draw.choice(CITIES)
    events = [{"event": "posted"}, {"event": "sorted"}, {"event": "loaded"}][
        : draw.rng.randint(1, 3)
    ]
    record: dict[str, Any] = {"parcel": parcel, "events": events, "service": "standard"}
    if different:
        last = draw.scheduled(("delivered", "held by customs", "returned"))
        record["events"] = [*events, {"event": last}]
    return Scene({"parcel": parcel, "city": city}, planted({("track", parcel): record}))


def _reroute(values: Mapping[str, str], talk: Talk) -> Work:
    parcel, city = values["parcel"], values["city"]
    record = yield "track", {"parcel": parcel}
    last = record["events"][-1]["event"]
    if last not in ("posted", "sorted", "loaded"):
        return f"{parcel} cannot be sent elsewhere: {last}."
    yield "reroute", {"parcel": parcel, "city": city}
    return f"{parcel} goes to {city}."


REROUTE = Kind(
    94,
    "the last row of a list that grows",
    (
        "Send parcel {parcel} to {city} instead.",
        "{parcel} should go to {city}.",
        "Please reroute {parcel} to our branch in {city}.",
    ),
    _parcel,
    _reroute,
    desks=(
        Desk("track", "Show what happened to a parcel.", {"parcel": str}),
        Desk("reroute", "Send a parcel elsewhere.", {"parcel": str, "city": str}, True),
    ),
)


# -------------------------------------------------------------- 95: the oldest that is free
def _keys(draw: Draw, different: bool) -> Scene:
    account = draw.identifier("acct-")
    dates = draw.rng.sample(range(10, 29), 3)
    rows = [
        {"key": draw.identifier("k"), "created": f"2025-11-{day}", "state": "active"}
        for day in dates
    ]
    oldest = min(rows, key=lambda each: each["created"])
    if different:
        change = draw.scheduled(("pinned", "leaked"))
        oldest["state"] = change
        if change == "pinned":
            oldest["pinned_by"] = draw.choice(("deploy", "backup"))
    return Scene({"account": account}, planted({("keys_of", account): rows}))


def _rotate(values: Mapping[str, str], talk: Talk) -> Work:
    account = values["account"]
    rows = yield "keys_of", {"account": account}
    oldest = min(rows, key=lambda each: each["created"])
    if oldest["state"] == "leaked":
        return f"{oldest['key']} has leaked; security looks at it."
    if oldest["state"] == "pinned":
        return f"{oldest['key']} is pinned by {oldest['pinned_by']}; nothing was rotated."
    yield "rotate", {"key": oldest["key"]}
    return f"{oldest['key']} was rotated."


ROTATE = Kind(
    95,
    "the first by date, in a state never seen",
    (
        "Rotate the oldest key of {account}.",
        "{account} needs a fresh key in the place of its oldest.",
        "Oldest key of {account}: rotate it.",
    ),
    _keys,
    _rotate,
    desks=(
        Desk("keys_of", "List the keys of an account.", {"account": str}),
        Desk("rotate", "Rotate a key.", {"key": str}, True),
    ),
)


# -------------------------------------------------------------- 96: a unit in the record
def _room(draw: Draw, different: bool) -> Scene:
    room, wanted = draw.identifier("R"), draw.rng.randint(18, 23)
    record: dict[str, Any] = {"room": room, "now": draw.rng.randint(15, 26), "scale": "C"}
    if different:
        change = draw.scheduled(("scale", "high", "locked"))
        if change == "scale":
            record |= {"now": draw.rng.randint(60, 78), "scale": "F"}
        elif change == "high":
            wanted = draw.rng.randint(28, 35)
        else:
            record["locked_until"] = "2026-12-01"
    return Scene({"room": room, "degrees": str(wanted)}, planted({("thermostat", room): record}))


def _warm(values: Mapping[str, str], talk: Talk) -> Work:
    room, wanted = values["room"], int(values["degrees"])
    record = yield "thermostat", {"room": room}
    if "locked_until" in record:
        return f"The thermostat of {room} is locked until {record['locked_until']}."
    if not 16 <= wanted <= 25:
        return f"{wanted} degrees are not allowed in {room}."
    if record["scale"] == "F":
        wanted = round(wanted * 9 / 5 + 32)
    yield "set_thermostat", {"room": room, "degrees": wanted}
    return f"{room} is set to {values['degrees']} degrees."


WARM = Kind(
    96,
    "a unit in which an argument has to be told, bounds of what is said",
    (
        "Set room {room} to {degrees} degrees.",
        "Make it {degrees} degrees in {room}.",
        "{room} should have {degrees} degrees.",
    ),
    _room,
    _warm,
    desks=(
        Desk("thermostat", "Show the thermostat of a room.", {"room": str}),
        Desk("set_thermostat", "Set a thermostat.", {"room": str, "degrees": int}, True),
    ),
)


# -------------------------------------------------------------- 97: a limit for each class, nested
def _claim(draw: Draw, different: bool) -> Scene:
    claim, policy = draw.identifier("CL"), draw.identifier("PO")
    limits = {name: draw.rng.randrange(500, 3000, 100) for name in ("glass", "theft", "water")}
    kind = draw.choice(tuple(limits))
    amount = draw.rng.randint(50, limits[kind])
    cover: dict[str, Any] = {"policy": policy, "limits": limits, "paid_until": "2027-01-31"}
    if different:
        change = draw.scheduled(("over", "uncovered", "lapsed"))
        if change == "over":
            amount = limits[kind] + draw.rng.randint(1, 400)
        elif change == "uncovered":
            del limits[kind]
        else:
            cover["paid_until"] = "2026-01-31"
    answers = {
        ("get_claim", claim): {
            "claim": claim,
            "policy": policy,
            "kind": kind,
            "amount": amount,
            "date": "2026-05-20",
        },
        ("get_policy", policy): cover,
    }
    return Scene({"claim": claim}, planted(answers))


def _settle(values: Mapping[str, str], talk: Talk) -> Work:
    claim = values["claim"]
    record = yield "get_claim", {"claim": claim}
    cover = yield "get_policy", {"policy": record["policy"]}
    limit = cover["limits"].get(record["kind"], 0)
    if cover["paid_until"] < record["date"] or record["amount"] > limit:
        yield "refer", {"claim": claim}
        return f"{claim} is referred to an adjuster."
    yield "settle", {"claim": claim, "amount": record["amount"]}
    return f"{claim} is settled with {record['amount']}."


SETTLE = Kind(
    97,
    "a limit under a key that another record names; two dates",
    (
        "Deal with claim {claim}.",
        "Claim {claim} can be paid, I think.",
        "Please look after claim {claim}.",
    ),
    _claim,
    _settle,
    desks=(
        Desk("get_claim", "Look up a claim.", {"claim": str}),
        Desk("get_policy", "Look up a policy.", {"policy": str}),
        Desk("settle", "Pay a claim.", {"claim": str, "amount": float}, True),
        Desk("refer", "Hand a claim to an adjuster.", {"claim": str}, True),
    ),
)

KINDS: tuple[Kind, ...] = (RESTART, OVERTIME, COUNT, REROUTE, ROTATE, WARM, SETTLE)
