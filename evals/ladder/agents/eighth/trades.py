"""Kinds 153 to 158: parcels, fees of a town, film permits, containers, a gym and cranes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..days import drawn_day, later, today, today_is
from ..desks import Desk, planted
from ..kinds import Draw, Kind, Scene, Talk, Work

__all__ = ["KINDS"]


# -------------------------------------------------------------- 153: a limit for each service
_MOST_KG: Mapping[str, float] = {"letter": 2.0, "parcel": 30.0, "pallet": 800.0}


def _parcel(draw: Draw, different: bool) -> Scene:
    item, station = draw.identifier("PX"), draw.identifier("ST")
    service = draw.choice(tuple(_MOST_KG))
    most = _MOST_KG[service]
    weight = round(most * draw.rng.randint(5, 100) / 100, 1)
    contents = draw.rng.sample(("books", "clothes", "tools", "toys", "tea"), draw.rng.randint(1, 3))
    closed = False
    if different:
        case = draw.late(("pallet", "closed", "pallet"), ("letter", "parcel", "letter"))
        if case == "closed":
            closed = True
        else:
            service = case
            weight = round(_MOST_KG[service] * draw.rng.randint(110, 190) / 100, 1)
    record = {"item": item, "service": service, "kg": weight, "contents": contents}
    answers = {
        ("get_item", item): record,
        ("get_station", station): {"station": station, "closed": closed, "crew": draw.person()},
    }
    return Scene({"item": item, "station": station}, planted(answers))


def _forward(values: Mapping[str, str], talk: Talk) -> Work:
    item, station = values["item"], values["station"]
    record = yield "get_item", {"item": item}
    if record["kg"] > _MOST_KG[record["service"]]:
        yield "return_item", {"item": item, "reason": "weight"}
        return f"{item} is too heavy for a {record['service']}."
    there = yield "get_station", {"station": station}
    if there["closed"]:
        return f"{station} is closed, {item} waits."
    yield "forward_item", {"item": item, "station": station}
    return f"{item} goes to {station}."


FORWARD = Kind(
    153,
    "a limit for each class, all of them within what was shown",
    ("Forward {item} to {station}.", "{item} goes on to {station}.", "Send on {item}: {station}."),
    _parcel,
    _forward,
    desks=(
        Desk("get_item", "Look up an item.", {"item": str}),
        Desk("get_station", "Look up a station.", {"station": str}),
        Desk("forward_item", "Forward an item.", {"item": str, "station": str}, True),
        Desk("return_item", "Return an item.", {"item": str, "reason": str}, True),
    ),
)


# -------------------------------------------------------------- 154: two reasons, either is enough
def _fee(draw: Draw, different: bool) -> Scene:
    case_id, person = draw.identifier("FC"), draw.identifier("RS")
    now = drawn_day(draw)
    status = draw.choice(("employed", "employed", "student", "retired"))
    card: dict[str, Any] = {
        "resident": person,
        "status": status,
        "children": draw.rng.randint(0, 3),
    }
    benefits: list[dict[str, Any]] = [
        {
            "kind": draw.choice(("housing", "heating")),
            "until": later(now, -draw.rng.randint(20, 300)),
        }
        for _ in range(draw.rng.randint(0, 2))
    ]
    fee = draw.rng.randrange(20, 200, 5)
    if different:
        case = draw.late(("running", "many", "running"), ("carer", "both", "carer"))
        if case in ("running", "both"):
            benefits.append({"kind": "housing", "until": later(now, draw.rng.randint(5, 200))})
        if case == "many":
            card["children"] = draw.rng.randint(4, 6)
        if case in ("carer", "both"):
            card["status"] = "carer"
    draw.rng.shuffle(benefits)
    answers = {
        ("fee_case", case_id): {"case": case_id, "resident": person, "fee": fee},
        ("resident_card", person): card,
        ("benefits_of", person): {"resident": person, "benefits": benefits},
    }
    return Scene({"case": case_id}, planted(answers), system=today_is(now))


def _charge(values: Mapping[str, str], talk: Talk) -> Work:
    case_id = values["case"]
    case = yield "fee_case", {"case": case_id}
    card = yield "resident_card", {"resident": case["resident"]}
    shown = yield "benefits_of", {"resident": case["resident"]}
    running = any(each["until"] >= today(talk).isoformat() for each in shown["benefits"])
    if card["status"] == "carer" or running or card["children"] > 3:
        yield "waive_fee", {"case": case_id, "resident": case["resident"]}
        return f"The fee of {case_id} is waived."
    yield "charge_fee", {"case": case_id, "amount": case["fee"]}
    return f"{case['fee']} euros were charged for {case_id}."


CHARGE = Kind(
    154,
    "three reasons of which one is enough; a benefit among those that ran out",
    ("Charge the fee of {case}.", "{case}: send the fee notice.", "Settle fee case {case}."),
    _fee,
    _charge,
    desks=(
        Desk("fee_case", "Look up a case.", {"case": str}),
        Desk("resident_card", "Look up a resident.", {"resident": str}),
        Desk("benefits_of", "List the benefits of a resident.", {"resident": str}),
        Desk("charge_fee", "Charge a fee.", {"case": str, "amount": int}, True),
        Desk("waive_fee", "Waive a fee.", {"case": str, "resident": str}, True),
    ),
)


# -------------------------------------------------------------- 155: names in two lists
_STUDIOS = ("Aster", "Bluebird", "Corvus", "Delta Nine", "Ember", "Foxglove", "Gull", "Harlow")


def _shoot(draw: Draw, different: bool) -> Scene:
    permit, place = draw.identifier("FP"), draw.identifier("LO")
    crew, hour = draw.people(4), draw.rng.randint(7, 18)
    studio, other, third = draw.rng.sample(_STUDIOS, 3)
    barred = [{"name": name, "since": draw.rng.randint(2010, 2025)} for name in draw.people(2)]
    barred = [each for each in barred if each["name"] not in crew]
    backed = [other] if draw.rng.random() < 0.5 else []
    ends = hour + draw.rng.randint(1, 3)
    if different:
        case = draw.late(("late", "studio", "late"), ("crew", "backer", "crew"))
        if case == "late":
            ends = draw.rng.randint(22, 23)
        elif case == "studio":
            barred.append({"name": studio, "since": 2021})
        elif case == "crew":
            barred.append({"name": draw.choice(crew), "since": 2022})
        else:
            backed = [other, third]
            barred.append({"name": third, "since": 2020})
    draw.rng.shuffle(barred)
    answers = {
        ("permit_form", permit): {
            "permit": permit,
            "place": place,
            "studio": studio,
            "backed_by": backed,
            "crew": [{"name": each, "role": "crew"} for each in crew],
            "hours": {"from": hour, "to": ends},
        },
        ("place_rules", place): {"place": place, "barred": barred, "quiet_from": 22},
    }
    return Scene({"permit": permit}, planted(answers))


def _permit(values: Mapping[str, str], talk: Talk) -> Work:
    permit = values["permit"]
    form = yield "permit_form", {"permit": permit}
    rules = yield "place_rules", {"place": form["place"]}
    if form["hours"]["to"] >= rules["quiet_from"]:
        yield "ask_neighbours", {"permit": permit, "place": form["place"]}
        return f"{permit} lasts until {form['hours']['to']}, the neighbours are asked."
    names = {form["studio"], *form["backed_by"], *(each["name"] for each in form["crew"])}
    if names & {each["name"] for each in rules["barred"]}:
        yield "refuse_permit", {"permit": permit}
        return f"{permit} is refused, somebody is barred from {form['place']}."
    yield "grant_permit", {"permit": permit, "place": form["place"]}
    return f"{permit} is granted."


PERMIT = Kind(
    155,
    "one name that stands in two lists of different tools",
    ("Grant film permit {permit}.", "{permit}: they want to film.", "Decide on permit {permit}."),
    _shoot,
    _permit,
    desks=(
        Desk("permit_form", "Look up a form.", {"permit": str}),
        Desk("place_rules", "Look up the rules of a place.", {"place": str}),
        Desk("grant_permit", "Grant a permit.", {"permit": str, "place": str}, True),
        Desk("refuse_permit", "Refuse a permit.", {"permit": str}, True),
        Desk("ask_neighbours", "Ask the neighbours.", {"permit": str, "place": str}, True),
    ),
)


# -------------------------------------------------------------- 156: containers
_GOODS = ("coffee", "tyres", "rice", "paper", "furniture", "tiles", "cotton", "glass")


def _box(draw: Draw, different: bool) -> Scene:
    box, seal, slot = draw.identifier("CT"), draw.identifier("SL"), draw.identifier("YD")
    cooled = draw.rng.random() < 0.4
    goods = draw.rng.sample(_GOODS, draw.rng.randint(1, 3))
    degrees = draw.rng.randint(-22, 6) if cooled else draw.rng.randint(-5, 30)
    seen, temperature = seal, {"degrees": degrees, "cooled": cooled}
    if different:
        case = draw.late(("seal", "freeze", "seal"), ("warm", "goods", "warm"))
        if case == "seal":
            seen = draw.identifier("SL")
        elif case == "freeze":
            temperature = {"degrees": draw.rng.randint(-18, -8), "cooled": False}
        elif case == "warm":
            temperature = {"degrees": draw.rng.randint(9, 28), "cooled": True}
        else:
            goods.insert(draw.rng.randint(0, len(goods)), draw.choice(("batteries", "fireworks")))
    answers = {
        ("box_papers", box): {"box": box, "seal": seal, "goods": goods},
        ("gate_photo", box): {"box": box, "seal": seen, "temperature": temperature},
    }
    return Scene({"box": box, "slot": slot}, planted(answers))


def _take_in(values: Mapping[str, str], talk: Talk) -> Work:
    box, slot = values["box"], values["slot"]
    papers = yield "box_papers", {"box": box}
    photo = yield "gate_photo", {"box": box}
    if photo["seal"] != papers["seal"]:
        yield "call_customs", {"box": box, "seal": photo["seal"]}
        return f"The seal of {box} is another one, customs were called."
    if {"batteries", "fireworks"} & set(papers["goods"]):
        yield "put_apart", {"box": box}
        return f"{box} is dangerous and stands apart."
    heat = photo["temperature"]
    low, high = (-25, 8) if heat["cooled"] else (-7, 99)
    if not low <= heat["degrees"] <= high:
        yield "open_case", {"box": box, "about": "temperature"}
        return f"{box} is at {heat['degrees']} degrees, a case was opened."
    yield "store_box", {"box": box, "slot": slot}
    return f"{box} stands in {slot}."


TAKE_IN = Kind(
    156,
    "a temperature that is fine for another class; one word among several that means danger",
    ("Store {box} in {slot}.", "{box} came in, put it in {slot}.", "Slot {slot} is for box {box}."),
    _box,
    _take_in,
    desks=(
        Desk("box_papers", "Look up the papers of a box.", {"box": str}),
        Desk("gate_photo", "Show what the gate saw.", {"box": str}),
        Desk("store_box", "Store a box.", {"box": str, "slot": str}, True),
        Desk("call_customs", "Call customs.", {"box": str, "seal": str}, True),
        Desk("put_apart", "Put a box apart.", {"box": str}, True),
        Desk("open_case", "Open a case.", {"box": str, "about": str}, True),
    ),
)


# -------------------------------------------------------------- 157: a gym
_PLANS = ("day", "month", "year")


def _member(draw: Draw, different: bool) -> Scene:
    member, now = draw.identifier("GM"), drawn_day(draw)
    plan = draw.choice(_PLANS)
    name, friend = draw.people(2)
    paid_until = later(now, draw.rng.randint(1, 40))
    visits = [
        {"day": later(now, -draw.rng.randint(1, 90)), "door": draw.choice(("north", "south"))}
        for _ in range(draw.rng.randint(1, 4))
    ]
    frozen = {"from": later(now, -90), "to": later(now, -draw.rng.randint(5, 40))}
    card: dict[str, Any] = {"member": member, "name": name, "plan": plan, "paid_until": paid_until}
    card["emergency"] = friend
    card["frozen"] = frozen if draw.rng.random() < 0.4 else None
    if different:
        case = draw.late(("unpaid", "frozen", "unpaid"), ("open", "self", "open"))
        if case == "unpaid":
            card["paid_until"] = later(now, -draw.rng.randint(1, 30))
        elif case == "frozen":
            card["frozen"] = {"from": later(now, -20), "to": later(now, draw.rng.randint(3, 60))}
        elif case == "open":
            card["frozen"] = {"from": later(now, -draw.rng.randint(20, 60)), "to": None}
        else:
            card["emergency"] = name
    answers = {
        ("member_card", member): card,
        ("visits_of", member): {"member": member, "visits": visits},
    }
    return Scene({"member": member}, planted(answers), system=today_is(now))


def _renew(values: Mapping[str, str], talk: Talk) -> Work:
    member, now = values["member"], today(talk).isoformat()
    card = yield "member_card", {"member": member}
    frozen = card["frozen"]
    if frozen is not None and (frozen["to"] is None or frozen["to"] >= now):
        return f"{member} pauses at the moment."
    if card["paid_until"] < now:
        yield "send_reminder", {"member": member}
        return f"{member} has not paid, a reminder was sent."
    if card["emergency"] == card["name"]:
        yield "ask_contact", {"member": member}
        return f"{member} is asked for somebody else to call."
    shown = yield "visits_of", {"member": member}
    yield "renew_plan", {"member": member, "plan": card["plan"]}
    return f"{member} goes on with a {card['plan']}, after {len(shown['visits'])} visits."


RENEW = Kind(
    157,
    "an end that is open, a person who stands for another and is the same",
    (
        "Renew membership {member}.",
        "{member} wants to go on.",
        "Membership {member}: one more time.",
    ),
    _member,
    _renew,
    desks=(
        Desk("member_card", "Look up a member.", {"member": str}),
        Desk("visits_of", "List visits.", {"member": str}),
        Desk("renew_plan", "Renew.", {"member": str, "plan": str}, True),
        Desk("send_reminder", "Remind.", {"member": str}, True),
        Desk("ask_contact", "Ask for a contact.", {"member": str}, True),
    ),
)


# -------------------------------------------------------------- 158: cranes
_CRANES: Mapping[str, tuple[int, int]] = {"tower": (50, 72), "mobile": (35, 50), "gantry": (70, 90)}


def _lift(draw: Draw, different: bool) -> Scene:
    lift, crane, driver = draw.identifier("LF"), draw.identifier("CR"), draw.identifier("DR")
    model = draw.choice(tuple(_CRANES))
    most = _CRANES[model][0]
    wind, load = draw.rng.randint(0, most), draw.rng.randrange(100, 4000, 50)
    licences = sorted({model, draw.choice(tuple(_CRANES))})
    people = draw.people(2)
    site = {"signaller": people[0], "lookout": people[1]}
    if different:
        case = draw.late(("storm", "licence", "storm"), ("gust", "one", "gust"))
        if case == "storm":
            wind = draw.rng.randint(92, 120)
        elif case == "licence":
            licences = [each for each in _CRANES if each != model][:1]
        elif case == "gust":
            model = "mobile"
            wind, licences = draw.rng.randint(40, 66), ["mobile"]
        else:
            site["lookout"] = site["signaller"]
    answers = {
        ("lift_plan", lift): {"lift": lift, "crane": crane, "kg": load, "people": site},
        ("crane_card", crane): {"crane": crane, "model": model, "driver": driver},
        ("driver_card", driver): {"driver": driver, "licences": licences},
        ("wind_now", crane): {"crane": crane, "kmh": wind, "from": draw.choice("NESW")},
    }
    return Scene({"lift": lift}, planted(answers))


def _approve(values: Mapping[str, str], talk: Talk) -> Work:
    lift = values["lift"]
    plan = yield "lift_plan", {"lift": lift}
    card = yield "crane_card", {"crane": plan["crane"]}
    driver = yield "driver_card", {"driver": card["driver"]}
    if card["model"] not in driver["licences"]:
        yield "find_driver", {"lift": lift, "model": card["model"]}
        return f"{card['driver']} may not drive a {card['model']} crane."
    wind = yield "wind_now", {"crane": plan["crane"]}
    if wind["kmh"] > _CRANES[card["model"]][0]:
        yield "lock_crane", {"crane": plan["crane"]}
        return f"{plan['crane']} is locked, the wind is at {wind['kmh']}."
    if plan["people"]["signaller"] == plan["people"]["lookout"]:
        return f"{lift} needs two people on the ground."
    yield "release_lift", {"lift": lift, "crane": plan["crane"]}
    return f"{lift} may begin."


APPROVE = Kind(
    158,
    "a wind that another crane stands; two duties of one person",
    (
        "Release {lift} on the site.",
        "{lift} is up, may they lift?",
        "Crane job {lift} wants to start.",
    ),
    _lift,
    _approve,
    desks=(
        Desk("lift_plan", "Look up a plan.", {"lift": str}),
        Desk("crane_card", "Look up a crane.", {"crane": str}),
        Desk("driver_card", "Look up a driver.", {"driver": str}),
        Desk("wind_now", "Show the wind.", {"crane": str}),
        Desk("release_lift", "Release.", {"lift": str, "crane": str}, True),
        Desk("lock_crane", "Lock a crane.", {"crane": str}, True),
        Desk("find_driver", "Find a driver.", {"lift": str, "model": str}, True),
    ),
)

KINDS: tuple[Kind, ...] = (FORWARD, CHARGE, PERMIT, TAKE_IN, RENEW, APPROVE)
