"""Kinds 177 to 180: rooms, badges, leave and customers' addresses."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from ...names import CITIES, TEAMS
from ..days import drawn_day, later, today, today_is
from ..desks import Desk, planted
from ..kinds import Draw, Kind, Line, Scene, Talk, Work

# -------------------------------------------------------------- 177: the smallest that suffices
_ASIDE: tuple[tuple[Line, ...], ...] = (
    (),
    (),
    (("human", "The coffee machine works again."), ("ai", "Good news.")),
)


def _room(draw: Draw, different: bool) -> Scene:
    meeting, site, day = draw.identifier("MG"), draw.identifier("SI"), drawn_day(draw)
    people = draw.rng.randint(2, 12)
    sizes = draw.rng.sample(range(people, people + 20), draw.rng.randint(1, 3))
    small = draw.rng.sample(range(1, people), min(people - 1, draw.rng.randint(0, 2)))
    rooms: list[dict[str, Any]] = [
        {
            "room": f"R{draw.rng.randint(100, 899)}",
            "seats": seats,
            "screen": draw.rng.random() < 0.8,
            "state": "bookable",
        }
        for seats in (*sizes, *small)
    ]
    rooms[0]["screen"] = True
    draw.rng.shuffle(rooms)
    record: dict[str, Any] = {
        "meeting": meeting,
        "site": site,
        "inside": people,
        "guests": 0,
        "screen": draw.rng.random() < 0.3,
        "on": later(day, draw.rng.randint(1, 30)),
    }
    if draw.rng.random() < 0.4 and people > 3:
        record["guests"] = draw.rng.randint(1, people - 2)
        record["inside"] = people - record["guests"]
    talk = draw.choice(_ASIDE)
    if different:
        case = draw.scheduled(("none", "repair", "reserved", "shut"))
        fitting = [each for each in rooms if each["seats"] >= people]
        best = min(fitting, key=lambda each: int(each["seats"]))
        if case == "none":
            rooms = [each for each in rooms if each["seats"] < people]
        elif case == "repair":
            best["screen"] = True
            best["state"] = "under repair"
        elif case == "reserved":
            best["screen"] = True
            talk = (
                ("human", f"Leave {best['room']} at {site} to the board this month."),
                ("ai", "I will leave it."),
            )
        else:
            record["site_shut"] = True
    answers = {("get_meeting", meeting): record, ("rooms_of", site): rooms}
    return Scene({"meeting": meeting}, planted(answers), earlier=talk)


def _find_room(values: Mapping[str, str], talk: Talk) -> Work:
    meeting = values["meeting"]
    record = yield "get_meeting", {"meeting": meeting}
    site, people = record["site"], record["inside"] + record["guests"]
    if record.get("site_shut"):
        yield "ask_organizer", {"meeting": meeting, "about": "another site"}
        return f"{site} is shut on {record['on']}."
    rooms = yield "rooms_of", {"site": site}
    kept = {
        each["room"]
        for each in rooms
        for said in talk.earlier
        if said.startswith(f"Leave {each['room']} at {site} ")
    }
    fitting = [
        each
        for each in rooms
        if each["seats"] >= people
        and each["state"] == "bookable"
        and each["room"] not in kept
        and (each["screen"] or not record["screen"])
    ]
    if not fitting:
        yield "ask_organizer", {"meeting": meeting, "about": "fewer people"}
        return f"{site} has no room for {people}."
    best = min(fitting, key=lambda each: int(each["seats"]))
    yield "book_room", {"meeting": meeting, "room": best["room"], "people": people}
    if record["guests"]:
        yield "announce_guests", {"site": site, "meeting": meeting, "guests": record["guests"]}
    return f"{meeting} takes place in {best['room']} with {best['seats']} seats."


ROOM = Kind(
    177,
    "the smallest room for a sum of people, one out of order, one that an earlier turn keeps",
    (
        "Book a room for meeting {meeting}.",
        "{meeting} needs a room.",
        "Find the smallest fitting room for {meeting} and take it.",
    ),
    _room,
    _find_room,
    desks=(
        Desk("get_meeting", "Look up a meeting.", {"meeting": str}),
        Desk("rooms_of", "List the rooms of a site.", {"site": str}),
        Desk("book_room", "Book.", {"meeting": str, "room": str, "people": int}, True),
        Desk("announce_guests", "Tell.", {"site": str, "meeting": str, "guests": int}, True),
        Desk("ask_organizer", "Ask.", {"meeting": str, "about": str}, True),
    ),
)


# -------------------------------------------------------------- 178: the next number
def _badge(draw: Draw, different: bool) -> Scene:
    person, site = draw.person(), draw.identifier("HQ")
    start = draw.rng.randint(100, 5000)
    count = draw.rng.randint(2, 5)
    rows: list[dict[str, Any]] = [
        {
            "badge": start + place,
            "holder": f"{draw.choice(('Nora', 'Paul', 'Tom', 'Edda'))} {draw.choice(CITIES)}",
            "state": draw.choice(("active", "active", "returned")),
        }
        for place in range(count)
    ]
    rows[-1]["state"] = "active"
    hall = {"site": site, "places": count + draw.rng.randint(1, 200), "turnstile": "east"}
    request: dict[str, Any] = {"person": person, "valid_from": "at once", "sponsor": draw.person()}
    if different:
        case = draw.late(("holds", "full", "holds"), ("spelt", "lost", "sponsor"))
        first, last = person.split()
        if case == "holds":
            rows[0] |= {"holder": person, "state": "active"}
        elif case == "full":
            hall["places"] = sum(each["state"] == "active" for each in rows)
        elif case == "spelt":
            rows[0] |= {"holder": f"{last.upper()}, {first}", "state": "active"}
        elif case == "lost":
            rows[0] |= {"holder": person, "state": "lost"}
        else:
            request["sponsor"] = None
    answers = {
        ("badge_request", person): request,
        ("list_badges", site): {"site": site, "badges": rows},
        ("hall_plan", site): hall,
    }
    return Scene({"person": person, "site": site}, planted(answers))


def _same(one: str, other: str) -> bool:
    return set(one.lower().replace(",", "").split()) == set(other.lower().split())


def _give_badge(values: Mapping[str, str], talk: Talk) -> Work:
    person, site = values["person"], values["site"]
    request = yield "badge_request", {"person": person}
    if request["sponsor"] is None:
        return f"Nobody vouches for {person}."
    shown = yield "list_badges", {"site": site}
    rows = shown["badges"]
    mine = [each for each in rows if _same(each["holder"], person)]
    if any(each["state"] == "active" for each in mine):
        return f"{person} holds badge {mine[0]['badge']} already."
    hall = yield "hall_plan", {"site": site}
    if sum(each["state"] == "active" for each in rows) >= hall["places"]:
        yield "queue_badge", {"person": person, "site": site}
        return f"{site} is full; {person} waits."
    for each in mine:
        if each["state"] == "lost":
            yield "block_badge", {"badge": each["badge"], "site": site}
    number = max(each["badge"] for each in rows) + 1
    yield "issue_badge", {"person": person, "site": site, "badge": number}
    return f"{person} got badge {number} of {site}; {request['sponsor']} vouches."


BADGE = Kind(
    178,
    "the next number of a list, a holder in other letters, a lost one that is blocked first",
    (
        "Give {person} a badge for {site}.",
        "A badge of {site} for {person}, please.",
        "{person} starts at {site} and needs a badge.",
    ),
    _badge,
    _give_badge,
    desks=(
        Desk("badge_request", "Look up a request for a badge.", {"person": str}),
        Desk("list_badges", "List the badges of a site.", {"site": str}),
        Desk("hall_plan", "Show how many places a site has.", {"site": str}),
        Desk("issue_badge", "Issue.", {"person": str, "site": str, "badge": int}, True),
        Desk("queue_badge", "Put on the list.", {"person": str, "site": str}, True),
        Desk("block_badge", "Block a badge.", {"badge": int, "site": str}, True),
    ),
)


# -------------------------------------------------------------- 179: leave that needs a notice
def _absence(draw: Draw, different: bool) -> Scene:
    employee, group, day = draw.identifier("wk"), draw.identifier("GR"), drawn_day(draw)
    length = draw.rng.randint(1, 14)
    notice = draw.rng.randint(31, 90) if length > 9 else draw.rng.randint(8, 60)
    first = day + timedelta(days=notice)
    last = first + timedelta(days=length - 1)
    present = draw.rng.randint(3, 9)
    need = draw.rng.randint(1, present - 1)
    text = f"{length} working days"
    card: dict[str, Any] = {
        "employee": employee,
        "group": group,
        "name": draw.person(),
        "balance": {"days": draw.rng.randint(length, 35), "carried": draw.rng.randint(0, 4)},
        "status": draw.choice(("permanent", "permanent", "part time")),
    }
    cover = {"group": group, "present": present, "needed": need, "unit": draw.choice(TEAMS)}
    if different:
        case = draw.late(("notice", "cover", "notice"), ("probation", "none", "carried"))
        if case == "notice":
            # A notice that suffices for a short leave is too short for a long one.
            length = draw.rng.randint(10, 14)
            text = f"{length} working days"
            card["balance"]["days"] = draw.rng.randint(length, 35)
            first = day + timedelta(days=draw.rng.randint(9, 29))
            last = first + timedelta(days=length - 1)
        elif case == "cover":
            cover["needed"] = cover["present"]
        elif case == "probation":
            card["status"] = "on probation"
        elif case == "none":
            text = "0 working days: public holiday or weekend"
        else:
            card["balance"] = {"days": length - 1, "carried": 3}
            if length == 1:
                card["balance"] = {"days": 0, "carried": 0}
    span = f"{first.isoformat()}..{last.isoformat()}"
    answers = {
        ("leave_card", employee): card,
        ("group_cover", group): cover,
        ("working_days", span): text,
    }
    return Scene({"employee": employee, "span": span}, planted(answers), system=today_is(day))


def _enter(values: Mapping[str, str], talk: Talk) -> Work:
    employee, span = values["employee"], values["span"]
    text = yield "working_days", {"span": span}
    days = int(text.split()[0])
    if days == 0:
        return f"No leave is needed for {span}."
    card = yield "leave_card", {"employee": employee}
    if card["status"] == "on probation":
        yield "ask_head", {"employee": employee, "about": "probation"}
        return f"{card['name']} is on probation; the head decides."
    balance = card["balance"]
    if days > balance["days"] + balance["carried"]:
        return f"{card['name']} has only {balance['days'] + balance['carried']} days."
    ahead = (date.fromisoformat(span[:10]) - today(talk)).days
    if ahead < (30 if days > 9 else 7):
        yield "ask_head", {"employee": employee, "about": "notice"}
        return f"{ahead} days are a short notice for {days} days; the head decides."
    cover = yield "group_cover", {"group": card["group"]}
    if cover["present"] - 1 < cover["needed"]:
        yield "ask_head", {"employee": employee, "about": "cover"}
        return f"{card['group']} needs {cover['needed']} people; the head decides."
    if days > balance["days"]:
        yield "use_carried", {"employee": employee, "days": days - balance["days"]}
    yield "enter_leave", {"employee": employee, "span": span, "days": days}
    return f"{card['name']} is off for {days} working days."


LEAVE = Kind(
    179,
    "a notice that depends on the length, a cover by two figures, days carried over that are used",
    (
        "Enter leave {span} for {employee}.",
        "{employee} asks for leave, {span}.",
        "Request for leave by {employee}: {span}",
    ),
    _absence,
    _enter,
    desks=(
        Desk("working_days", "Count the working days of a span.", {"span": str}),
        Desk("leave_card", "Show the leave card of an employee.", {"employee": str}),
        Desk("group_cover", "Show how many a group needs.", {"group": str}),
        Desk("enter_leave", "Enter.", {"employee": str, "span": str, "days": int}, True),
        Desk("use_carried", "Use days carried over.", {"employee": str, "days": int}, True),
        Desk("ask_head", "Ask the head.", {"employee": str, "about": str}, True),
    ),
)


# -------------------------------------------------------------- 180: goods under way to somebody
def _address(draw: Draw, different: bool) -> Scene:
    name, customer = draw.person(), draw.identifier("KD")
    born = f"{draw.rng.randint(1945, 2004)}-{draw.rng.randint(10, 12)}-{draw.rng.randint(10, 28)}"
    code = str(draw.rng.randint(10_000, 99_999))
    city = draw.choice(CITIES)
    row: dict[str, Any] = {
        "customer": customer,
        "name": name,
        "born": born,
        "address": {"city": draw.choice(CITIES), "code": str(draw.rng.randint(10_000, 99_999))},
    }
    rows = [row]
    if draw.rng.random() < 0.3:
        # A namesake with another birthday is somebody else.
        rows.append({**row, "customer": draw.identifier("KD"), "born": "1951-03-04"})
        draw.rng.shuffle(rows)
    goods: list[dict[str, Any]] = [
        {"parcel": draw.identifier("pk"), "state": draw.choice(("delivered", "ordered"))}
        for _ in range(draw.choice((0, 1, 1, 2)))
    ]
    place: dict[str, Any] = {"code": code, "city": city, "country": "DE"}
    if different:
        case = draw.late(("under way", "born", "under way"), ("two", "code", "country"))
        if case == "under way":
            goods.append({"parcel": draw.identifier("pk"), "state": "under way"})
        elif case == "born":
            row["born"] = "1960-01-31"
        elif case == "two":
            rows = [row, {**row, "customer": draw.identifier("KD")}]
        elif case == "code":
            place["city"] = draw.choice([each for each in CITIES if each != city])
        else:
            place["country"] = draw.choice(("CH", "GB"))
    answers = {
        ("search_customers", name): {"hits": len(rows), "customers": rows},
        ("goods_of", customer): goods,
        ("check_code", code): place,
    }
    values = {"name": name, "born": born, "code": code, "city": city}
    return Scene(values, planted(answers))


def _change_address(values: Mapping[str, str], talk: Talk) -> Work:
    name, code, city = values["name"], values["code"], values["city"]
    shown = yield "search_customers", {"name": name}
    rows = [each for each in shown["customers"] if each["born"] == values["born"]]
    if len(rows) != 1:
        yield "ask_caller", {"name": name, "about": "customer number"}
        return f"{len(rows)} customers are called {name} and born then."
    customer = rows[0]["customer"]
    place = yield "check_code", {"code": code}
    if place["city"] != city:
        yield "ask_caller", {"name": name, "about": "postal code"}
        return f"{code} is in {place['city']}."
    goods = yield "goods_of", {"customer": customer}
    for each in goods:
        if each["state"] == "under way":
            yield "redirect_parcel", {"parcel": each["parcel"], "code": code}
    yield "set_address", {"customer": customer, "code": code, "city": city}
    if place["country"] != "DE":
        yield "set_tax_zone", {"customer": customer, "country": place["country"]}
    return f"{name} ({customer}) lives in {code} {city} now."


ADDRESS = Kind(
    180,
    "two hits that a birthday tells apart or not, goods under way, a code of another place",
    (
        "{name}, born {born}, moved to {code} {city}.",
        "New address for {name} ({born}): {code} {city}",
        "Customer {name} with birthday {born} lives in {code} {city} from now on.",
    ),
    _address,
    _change_address,
    desks=(
        Desk("search_customers", "Search customers by name.", {"name": str}),
        Desk("goods_of", "List the parcels of a customer.", {"customer": str}),
        Desk("check_code", "Show the place of a postal code.", {"code": str}),
        Desk("set_address", "Change.", {"customer": str, "code": str, "city": str}, True),
        Desk("redirect_parcel", "Redirect.", {"parcel": str, "code": str}, True),
        Desk("set_tax_zone", "Set the tax zone.", {"customer": str, "country": str}, True),
        Desk("ask_caller", "Ask the caller.", {"name": str, "about": str}, True),
    ),
)

KINDS: tuple[Kind, ...] = (ROOM, BADGE, LEAVE, ADDRESS)
