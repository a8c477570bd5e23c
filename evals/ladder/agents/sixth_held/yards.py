"""Kinds 137 to 140: a port, insurance of boats, a farm co-op and a data centre."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from ..days import drawn_day, later
from ..desks import Desk, planted
from ..kinds import Draw, Kind, Scene, Talk, Work

__all__ = ["KINDS"]


# -------------------------------------------------------------- 137: a port
def _check_digit(digits: str) -> int:
    return (
        sum(int(digit) * weight for digit, weight in zip(digits, range(7, 1, -1), strict=True)) % 10
    )


def _needed(draught: float) -> float:
    """Return the depth that a ship needs: a tenth more than its draught, in whole decimetres."""
    return -(-round(draught * 10) * 11 // 10) / 10


def _ship(draw: Draw, different: bool) -> Scene:
    digits, berth = draw.identifier(""), draw.identifier("BE")
    check = _check_digit(digits)
    draught, length = draw.rng.randint(40, 130) / 10, draw.rng.randint(60, 320)
    depth = round(_needed(draught) + draw.choice((0.0, 0.1, 0.6, 2.3)), 1)
    quay = length + draw.choice((20, 21, 35, 90))
    if different:
        case = draw.late(("shallow", "short", "shallow"), ("digit", "margin", "digit"))
        if case == "shallow":
            depth = round(draught - draw.rng.randint(1, 15) / 10, 1)
        elif case == "short":
            quay = length - draw.rng.randint(1, 40)
        elif case == "margin":
            depth = round(_needed(draught) - 0.1, 1)
        else:
            check = (check + draw.rng.randint(1, 9)) % 10
    vessel = f"IMO{digits}{check}"
    answers = {
        ("vessel_call", vessel): {
            "vessel": vessel,
            "agent": draw.person(),
            "draught_m": draught,
            "length_m": length,
        },
        ("berth_card", berth): {"berth": berth, "depth_m": depth, "quay_m": quay},
    }
    values = {"vessel": vessel, "berth": berth, "day": later(drawn_day(draw), 0)}
    return Scene(values, planted(answers))


def _moor(values: Mapping[str, str], talk: Talk) -> Work:
    vessel, berth, day = values["vessel"], values["berth"], values["day"]
    call = yield "vessel_call", {"vessel": vessel}
    digits = vessel.removeprefix("IMO")
    if _check_digit(digits[:6]) != int(digits[6]):
        yield "ask_agent", {"agent": call["agent"], "about": vessel}
        return f"{vessel} is no number that ships have, {call['agent']} was asked."
    card = yield "berth_card", {"berth": berth}
    if card["quay_m"] < call["length_m"]:
        return f"{berth} is too short for {vessel}."
    if card["depth_m"] < _needed(call["draught_m"]):
        yield "anchor", {"vessel": vessel, "day": day}
        return f"{berth} is too shallow for {vessel}, it anchors outside."
    yield "assign_berth", {"vessel": vessel, "berth": berth, "day": day}
    return f"{vessel} lies at {berth} on {day}."


MOOR = Kind(
    137,
    "a check digit; a margin that is rounded up",
    (
        "Berth {vessel} at {berth} on {day}.",
        "{vessel} comes in on {day}, it gets {berth}.",
        "On {day} quay {berth} is for ship {vessel}.",
    ),
    _ship,
    _moor,
    desks=(
        Desk("vessel_call", "Look up what a ship has announced.", {"vessel": str}),
        Desk("berth_card", "Look up a berth.", {"berth": str}),
        Desk("assign_berth", "Assign.", {"vessel": str, "berth": str, "day": str}, True),
        Desk("anchor", "Have a ship anchor outside.", {"vessel": str, "day": str}, True),
        Desk("ask_agent", "Ask the agent of a ship.", {"agent": str, "about": str}, True),
    ),
)


# -------------------------------------------------------------- 138: insurance of boats
_WATERS = ("Skagerrak", "Kattegat", "Adriatic", "Solent", "Aegean", "Wadden Sea", "Gulf of Lion")
_WINTER = {"from": "11-01", "to": "03-20"}


def _trip(draw: Draw, different: bool) -> Scene:
    boat, policy = draw.identifier("BO"), draw.identifier("YP")
    waters, *others = draw.rng.sample(_WATERS, 5)
    summer = date(2026, 4, 10) + timedelta(days=draw.rng.randint(0, 200))
    autumn = date(2026, 11, 1) + timedelta(days=draw.rng.randint(0, 60))
    spring = date(2027, 1, 1) + timedelta(days=draw.rng.randint(0, 78))
    day, laid_up = draw.choice(
        (
            (summer, _WINTER),
            (summer, _WINTER),
            (summer, {"from": "01-05", "to": "02-28"}),
            (draw.choice((autumn, spring)), None),
            (autumn, {"from": "01-05", "to": "02-28"}),
        )
    )
    insured = [waters, *others[: draw.rng.randint(0, 2)]]
    survey = later(day, draw.rng.randint(0, 900))
    if different:
        case = draw.late(("autumn", "waters", "autumn"), ("spring", "survey", "spring"))
        if case == "autumn":
            day, laid_up = autumn, _WINTER
        elif case == "spring":
            day, laid_up = spring, _WINTER
        elif case == "waters":
            insured = others[: draw.rng.randint(1, 3)]
        else:
            survey = later(day, -draw.rng.randint(1, 25))
        if case in ("autumn", "spring"):
            survey = later(day, draw.rng.randint(0, 900))
    draw.rng.shuffle(insured)
    record = {
        "boat": boat,
        "policy": policy,
        "waters": insured,
        "laid_up": laid_up,
        "paid": True,
    }
    answers = {
        ("boat_policy", boat): record,
        ("boat_survey", boat): {"boat": boat, "by": draw.person(), "valid_until": survey},
    }
    values = {"boat": boat, "waters": waters, "day": day.isoformat()}
    return Scene(values, planted(answers))


def _cover_trip(values: Mapping[str, str], talk: Talk) -> Work:
    boat, waters, day = values["boat"], values["waters"], values["day"]
    record = yield "boat_policy", {"boat": boat}
    policy, laid_up = record["policy"], record["laid_up"]
    if laid_up is not None:
        start, end, then = laid_up["from"], laid_up["to"], day[5:]
        inside = start <= then <= end if start <= end else then >= start or then <= end
        if inside:
            yield "offer_winter_cover", {"policy": policy, "day": day}
            return f"{boat} is laid up on {day}, cover for the winter was offered."
    if waters not in record["waters"]:
        yield "ask_underwriter", {"policy": policy, "waters": waters}
        return f"{policy} does not include the {waters}."
    survey = yield "boat_survey", {"boat": boat}
    if survey["valid_until"] < day:
        return f"The survey of {boat} runs out on {survey['valid_until']}, before the trip."
    yield "confirm_trip", {"policy": policy, "waters": waters, "day": day}
    return f"The trip of {boat} on {day} is covered by {policy}."


COVER_TRIP = Kind(
    138,
    "a season over the end of the year; a paper that is good today but not on the day",
    (
        "Cover the trip of {boat} to the {waters} on {day}.",
        "{boat} sails for the {waters} on {day}, confirm the cover.",
        "The owner of {boat} needs cover on {day}: {waters}.",
    ),
    _trip,
    _cover_trip,
    desks=(
        Desk("boat_policy", "Look up the policy of a boat.", {"boat": str}),
        Desk("boat_survey", "Look up the survey of a boat.", {"boat": str}),
        Desk("confirm_trip", "Confirm.", {"policy": str, "waters": str, "day": str}, True),
        Desk("offer_winter_cover", "Offer more cover.", {"policy": str, "day": str}, True),
        Desk("ask_underwriter", "Ask the underwriter.", {"policy": str, "waters": str}, True),
    ),
)


# -------------------------------------------------------------- 139: a farm co-op
_CROPS: Mapping[str, float] = {"wheat": 14.5, "barley": 14.0, "rye": 15.0, "maize": 15.5}


def _delivery(draw: Draw, different: bool) -> Scene:
    delivery, member = draw.identifier("DV"), draw.identifier("FM")
    crop = draw.choice(tuple(_CROPS))
    tare, net = draw.rng.randrange(4_000, 9_000, 20), draw.rng.randrange(3_000, 20_000, 20)
    most = _CROPS[crop]
    moisture: float | None = round(most - draw.rng.randint(0, 25) / 10, 1)
    delivered = draw.rng.randrange(0, 60_000, 20)
    quota = delivered + net + draw.choice((0, 20, 4_000, 30_000))
    balance = draw.choice((0.0, draw.money(10, 4_000)))
    gross = tare + net
    if different:
        case = draw.scheduled(("swapped", "wet", "debt", "quota", "blank"))
        if case == "swapped":
            gross, tare = tare, gross
        elif case == "wet":
            moisture = round(most + draw.rng.randint(1, 30) / 10, 1)
        elif case == "debt":
            balance = -draw.money(10, 4_000)
        elif case == "quota":
            quota = delivered + net - draw.rng.randrange(20, min(net, 2_500), 20)
        else:
            moisture = None
    answers = {
        ("delivery_note", delivery): {
            "delivery": delivery,
            "member": member,
            "crop": crop,
            "kg": {"gross": gross, "tare": tare, "net": gross - tare},
            "moisture": moisture,
        },
        ("crop_terms", crop): {"crop": crop, "most_moisture": most},
        ("member_account", member): {
            "member": member,
            "balance": balance,
            "year": {"quota_kg": quota, "delivered_kg": delivered},
        },
    }
    return Scene({"delivery": delivery}, planted(answers))


def _credit(values: Mapping[str, str], talk: Talk) -> Work:
    delivery = values["delivery"]
    note = yield "delivery_note", {"delivery": delivery}
    member, net = note["member"], note["kg"]["net"]
    if net <= 0:
        yield "weigh_again", {"delivery": delivery}
        return f"The weights of {delivery} cannot be right, it is weighed again."
    if note["moisture"] is None:
        return f"Nobody has measured how moist {delivery} is."
    terms = yield "crop_terms", {"crop": note["crop"]}
    if note["moisture"] > terms["most_moisture"]:
        yield "send_to_dryer", {"delivery": delivery, "crop": note["crop"]}
        return f"{delivery} is too moist and goes to the dryer."
    account = yield "member_account", {"member": member}
    year = account["year"]
    more = year["delivered_kg"] + net - year["quota_kg"]
    if more > 0:
        yield "credit_delivery", {"member": member, "delivery": delivery, "kg": net - more}
        yield "buy_surplus", {"member": member, "delivery": delivery, "kg": more}
        return f"{more} kg of {delivery} are above the quota of {member}."
    if account["balance"] < 0:
        yield "set_off", {"member": member, "delivery": delivery, "kg": net}
        return f"{delivery} is set off against what {member} owes."
    yield "credit_delivery", {"member": member, "delivery": delivery, "kg": net}
    return f"{net} kg of {note['crop']} are credited to {member}."


CREDIT = Kind(
    139,
    "a quantity that crosses what is left of a year; a balance and a weight below nothing",
    (
        "Credit delivery {delivery} to its member.",
        "{delivery} is unloaded, book it for the farmer.",
        "Settle the harvest of {delivery}.",
    ),
    _delivery,
    _credit,
    desks=(
        Desk("delivery_note", "Look up a delivery.", {"delivery": str}),
        Desk("crop_terms", "Show the terms of a crop.", {"crop": str}),
        Desk("member_account", "Look up a member.", {"member": str}),
        Desk("credit_delivery", "Credit.", {"member": str, "delivery": str, "kg": int}, True),
        Desk("buy_surplus", "Buy.", {"member": str, "delivery": str, "kg": int}, True),
        Desk("set_off", "Set off a debt.", {"member": str, "delivery": str, "kg": int}, True),
        Desk("weigh_again", "Have a delivery weighed.", {"delivery": str}, True),
        Desk("send_to_dryer", "Dry it first.", {"delivery": str, "crop": str}, True),
    ),
)


# -------------------------------------------------------------- 140: a data centre
def _change_of_host(draw: Draw, different: bool) -> Scene:
    change, host, cluster = draw.identifier("CHG"), draw.identifier("dc-"), draw.identifier("cl-")
    edits = draw.rng.randint(1, 9)
    record: dict[str, Any] = {
        "change": change,
        "edit": edits,
        "host": host,
        "state": "approved",
        "about": draw.choice(("firmware", "memory", "power supply", "fan tray")),
    }
    again = {**record, "edit": edits + draw.choice((0, 0, 1, 2))}
    machine = {"host": host, "cluster": cluster, "role": "standby"}
    if different:
        case = draw.late(("primary", "open", "primary"), ("stopped", "rewritten", "stopped"))
        if case == "primary":
            machine["role"] = "primary"
        elif case == "open":
            record["state"] = draw.choice(("submitted", "in review"))
            again["state"] = record["state"]
        elif case == "stopped":
            again.update(edit=edits + 1, state=draw.choice(("stopped", "in review")))
        else:
            again.update(edit=edits + 1, host=draw.identifier("dc-"))
    answers: dict[tuple[str, ...], Any] = {
        ("change_record", change): record,
        ("change_record", change, "again"): again,
        ("host_state", host): machine,
    }
    return Scene({"change": change}, planted(answers))


def _carry_out(values: Mapping[str, str], talk: Talk) -> Work:
    change = values["change"]
    record = yield "change_record", {"change": change}
    host = record["host"]
    if record["state"] != "approved":
        return f"{change} is {record['state']}."
    machine = yield "host_state", {"host": host}
    if machine["role"] != "standby":
        yield "fail_over", {"cluster": machine["cluster"], "away_from": host}
    yield "drain_host", {"host": host}
    again = yield "change_record", {"change": change, "look": "again"}
    if again["state"] != "approved" or again["host"] != host:
        yield "put_back", {"host": host}
        return f"{change} was altered meanwhile, {host} works as before."
    yield "start_change", {"change": change, "host": host}
    return f"{change} runs on {host}: {record['about']}."


CARRY_OUT = Kind(
    140,
    "a record that has changed at the second look, among edits that do not matter",
    (
        "Carry out change {change}.",
        "{change} is due now, go ahead with it.",
        "Do what {change} says in the data centre.",
    ),
    _change_of_host,
    _carry_out,
    desks=(
        Desk("change_record", "Look up a change.", {"change": str}, optional={"look": str}),
        Desk("host_state", "Look up a host.", {"host": str}),
        Desk("drain_host", "Take the load off a host.", {"host": str}, True),
        Desk("put_back", "Put a host back to work.", {"host": str}, True),
        Desk("fail_over", "Move a cluster.", {"cluster": str, "away_from": str}, True),
        Desk("start_change", "Start a change.", {"change": str, "host": str}, True),
    ),
)

KINDS: tuple[Kind, ...] = (MOOR, COVER_TRIP, CREDIT, CARRY_OUT)
