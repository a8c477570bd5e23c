"""Kinds 129 to 133: a sample bank, a pharmacy, schools, elections and waste collection."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from ..days import drawn_day, later, today, today_is
from ..desks import Desk, planted
from ..kinds import Draw, Kind, Scene, Talk, Work

__all__ = ["KINDS"]


# -------------------------------------------------------------- 129: a sample bank
_LABS = ("Lindholm", "Marchetti", "Okada", "Petersen", "Ramos", "Sokolov")
_LEAST_ML = 0.5
_MOST_THAWS = 2


def _sample(draw: Draw, different: bool) -> Scene:
    sample, donor, freezer = draw.identifier("SM"), draw.identifier("DN"), draw.identifier("FZ-")
    columns = draw.rng.sample("ABCDEFGH", 3)
    place, next_place, last_place = (f"{each}{draw.rng.randint(1, 12)}" for each in columns)
    volume: dict[str, Any] = {"value": draw.rng.randint(6, 50) / 10, "unit": "mL"}
    if draw.rng.random() < 0.3:
        volume = {"value": draw.rng.randrange(600, 4000, 50), "unit": "uL"}
    consent: dict[str, Any] = {"given": later(drawn_day(draw), -800), "withdrawn": None}
    card: dict[str, Any] = {
        "sample": sample,
        "donor": donor,
        "volume": volume,
        "stored": {"freezer": freezer, "place": place},
        "thaws": draw.rng.randint(0, _MOST_THAWS),
    }
    held: list[dict[str, Any]] = [
        {"place": place, "sample": sample},
        {"place": next_place, "sample": None},
    ]
    if different:
        case = draw.scheduled(("little", "elsewhere", "withdrawn", "gone", "thawed"))
        if case == "little":
            card["volume"] = {"value": draw.rng.randrange(60, 480, 10), "unit": "uL"}
        elif case == "elsewhere":
            held[0]["sample"] = draw.identifier("SM")
            held.append({"place": last_place, "sample": sample})
        elif case == "withdrawn":
            consent["withdrawn"] = later(drawn_day(draw), -30)
        elif case == "gone":
            held[0]["sample"] = None
        else:
            card["thaws"] = _MOST_THAWS + draw.rng.randint(1, 3)
    draw.rng.shuffle(held)
    answers = {
        ("sample_card", sample): card,
        ("donor_file", donor): {"donor": donor, "consent": consent},
        ("freezer_map", freezer): {"freezer": freezer, "places": held},
    }
    return Scene({"sample": sample, "lab": draw.choice(_LABS)}, planted(answers))


def _ship_sample(values: Mapping[str, str], talk: Talk) -> Work:
    sample, lab = values["sample"], values["lab"]
    card = yield "sample_card", {"sample": sample}
    donor = yield "donor_file", {"donor": card["donor"]}
    if donor["consent"]["withdrawn"] is not None:
        yield "destroy_sample", {"sample": sample, "donor": card["donor"]}
        return f"{card['donor']} took the consent back, {sample} is destroyed."
    volume = card["volume"]["value"] / (1000 if card["volume"]["unit"] == "uL" else 1)
    if volume < _LEAST_ML:
        return f"There is too little left of {sample} to share."
    if card["thaws"] > _MOST_THAWS:
        return f"{sample} was thawed {card['thaws']} times, it is not fit to be sent."
    freezer, place = card["stored"]["freezer"], card["stored"]["place"]
    shown = yield "freezer_map", {"freezer": freezer}
    found = next((each["place"] for each in shown["places"] if each["sample"] == sample), None)
    if found is None:
        yield "search_sample", {"sample": sample, "freezer": freezer}
        return f"{sample} is not in {freezer}, it is searched for."
    if found != place:
        yield "mend_card", {"sample": sample, "place": found}
        return f"{sample} lies in {found}; its card was mended, a person checks the label first."
    yield "ship_sample", {"sample": sample, "lab": lab, "freezer": freezer}
    return f"{sample} goes from {freezer} to {lab}."


SHIP_SAMPLE = Kind(
    129,
    "a quantity in another unit; a card and a map that disagree; the owner of the thing",
    (
        "Sample {sample} is for the {lab} lab, send it off.",
        "The {lab} lab asks for {sample}, ship it.",
        "Parcel up {sample} for the lab of {lab}.",
    ),
    _sample,
    _ship_sample,
    desks=(
        Desk("sample_card", "Look up a sample.", {"sample": str}),
        Desk("donor_file", "Look up a donor.", {"donor": str}),
        Desk("freezer_map", "Show what lies where in a freezer.", {"freezer": str}),
        Desk("ship_sample", "Ship.", {"sample": str, "lab": str, "freezer": str}, True),
        Desk("destroy_sample", "Destroy a sample.", {"sample": str, "donor": str}, True),
        Desk("search_sample", "Have it searched for.", {"sample": str, "freezer": str}, True),
        Desk("mend_card", "Correct the place of a sample.", {"sample": str, "place": str}, True),
    ),
)


# -------------------------------------------------------------- 130: a pharmacy
_ACTIVES: Mapping[str, tuple[tuple[str, ...], str]] = {
    "amoxicillin": (("amoxycillin",), "penicillins"),
    "cefalexin": (("cephalexin",), "cephalosporins"),
    "aciclovir": (("acyclovir",), "nucleosides"),
    "furosemide": (("frusemide",), "sulfonamides"),
    "salbutamol": (("albuterol",), "beta agonists"),
    "metamizole": (("dipyrone", "analgin"), "pyrazolones"),
    "paracetamol": (("acetaminophen",), "anilides"),
}
_ELSE = ("latex", "pollen", "peanut", "nickel", "iodine", "wasp venom")


def _prescription(draw: Draw, different: bool) -> Scene:
    number, patient, medicine = draw.identifier("RX"), draw.identifier("PT"), draw.identifier("MD")
    active = draw.choice(tuple(_ACTIVES))
    names, family = _ACTIVES[active]
    allergies = [
        {"to": each, "state": "confirmed", "since": draw.rng.randint(1990, 2024)}
        for each in draw.rng.sample(_ELSE, draw.rng.randint(0, 2))
    ]
    if draw.rng.random() < 0.25:
        allergies.append({"to": active, "state": "refuted", "since": draw.rng.randint(1990, 2020)})
    record: dict[str, Any] = {
        "prescription": number,
        "patient": patient,
        "medicine": medicine,
        "packs": draw.rng.randint(1, 4),
        "repeats": {"allowed": draw.rng.randint(3, 5), "used": draw.rng.randint(0, 2)},
    }
    if different:
        case = draw.late(("allergy", "used", "allergy"), ("spelling", "family", "spelling"))
        if case == "used":
            record["repeats"]["used"] = record["repeats"]["allowed"]
        else:
            new = {"allergy": active, "spelling": draw.choice(names), "family": family}[case]
            allergies = [each for each in allergies if each["to"] != active]
            allergies.append({"to": new, "state": "confirmed", "since": 2019})
    draw.rng.shuffle(allergies)
    leaf = {"medicine": medicine, "active": active, "also_called": list(names), "family": family}
    answers = {
        ("prescription", number): record,
        ("leaflet", medicine): leaf,
        ("patient_notes", patient): {"patient": patient, "allergies": allergies},
    }
    return Scene({"prescription": number}, planted(answers))


def _dispense(values: Mapping[str, str], talk: Talk) -> Work:
    number = values["prescription"]
    record = yield "prescription", {"prescription": number}
    if record["repeats"]["used"] >= record["repeats"]["allowed"]:
        return f"{number} was used {record['repeats']['used']} times, it needs a new one."
    leaf = yield "leaflet", {"medicine": record["medicine"]}
    notes = yield "patient_notes", {"patient": record["patient"]}
    names = {leaf["active"], leaf["family"], *leaf["also_called"]}
    for each in notes["allergies"]:
        if each["state"] == "confirmed" and each["to"] in names:
            yield "call_doctor", {"prescription": number, "about": each["to"]}
            return f"The doctor is asked about {each['to']} before {number} is handed out."
    args = {"prescription": number, "medicine": record["medicine"], "packs": record["packs"]}
    yield "dispense", args
    return f"{record['packs']} packs of {record['medicine']} were handed out on {number}."


DISPENSE = Kind(
    130,
    "one thing under several spellings and under its class; a note that was refuted",
    (
        "Hand out prescription {prescription}.",
        "The patient of {prescription} is at the counter, dispense it.",
        "Fill {prescription}, please.",
    ),
    _prescription,
    _dispense,
    desks=(
        Desk("prescription", "Look up a prescription.", {"prescription": str}),
        Desk("leaflet", "Show what a medicine is made of.", {"medicine": str}),
        Desk("patient_notes", "Show the notes on a patient.", {"patient": str}),
        Desk(
            "dispense",
            "Hand out a medicine.",
            {"prescription": str, "medicine": str, "packs": int},
            True,
        ),
        Desk("call_doctor", "Call the doctor.", {"prescription": str, "about": str}, True),
    ),
)


# -------------------------------------------------------------- 131: schools
_ZONES = ("north", "mill", "harbour", "hill", "park", "station")


def _child(draw: Draw, different: bool) -> Scene:
    child, school, other = draw.identifier("CH"), draw.identifier("SC"), draw.identifier("SC")
    mine, second, *away = draw.rng.sample(_ZONES, 4)
    day = f"{draw.rng.randint(1, 9):02d}-{draw.rng.randint(1, 28):02d}"
    zone, last = mine, draw.choice((4, 6))
    stays = {"school": school, "grade": draw.rng.randint(1, last - 1)}
    elsewhere = {"school": other, "grade": draw.rng.randint(1, last)}
    leaves = {"school": school, "grade": last}
    siblings = draw.choice(([], [elsewhere], [leaves], [stays]))
    if draw.rng.random() < 0.35:
        zone, siblings = away[0], draw.choice(([stays], [leaves, stays], [stays, elsewhere]))
    places = {
        "school": school,
        "zones": sorted((mine, second)),
        "free": draw.rng.randint(1, 25),
        "last_grade": last,
        "six_by": "2026-09-30",
    }
    if different:
        case = draw.scheduled(("outside", "leaves", "elsewhere", "full", "young"))
        if case == "full":
            places["free"] = 0
        elif case == "young":
            day = f"{draw.rng.randint(10, 12)}-{draw.rng.randint(1, 28):02d}"
        else:
            zone = away[1]
            siblings = {"outside": [], "leaves": [leaves], "elsewhere": [elsewhere]}[case]
    file = {"child": child, "born": f"2020-{day}", "zone": zone, "siblings": siblings}
    answers = {("child_file", child): file, ("school_places", school): places}
    return Scene({"child": child, "school": school}, planted(answers))


def _enrol(values: Mapping[str, str], talk: Talk) -> Work:
    child, school = values["child"], values["school"]
    file = yield "child_file", {"child": child}
    places = yield "school_places", {"school": school}
    six = f"{int(file['born'][:4]) + 6}{file['born'][4:]}"
    if six > places["six_by"]:
        yield "book_test", {"child": child, "school": school}
        return f"{child} is six on {six} only, a test of readiness is booked."
    stays = any(
        each["school"] == school and each["grade"] < places["last_grade"]
        for each in file["siblings"]
    )
    if file["zone"] not in places["zones"] and not stays:
        yield "ask_district", {"child": child, "zone": file["zone"]}
        return f"{child} belongs to {file['zone']}, the district decides."
    if places["free"] < 1:
        yield "put_on_list", {"child": child, "school": school}
        return f"{school} is full, {child} waits."
    yield "enrol", {"child": child, "school": school, "born": file["born"]}
    return f"{child} goes to {school}."


ENROL = Kind(
    131,
    "an exception to a rule, and an exception to the exception; a day by which an age counts",
    (
        "Enrol {child} at {school}.",
        "{child} shall go to school {school}, enter it.",
        "A place at {school} for child {child}, please.",
    ),
    _child,
    _enrol,
    desks=(
        Desk("child_file", "Look up a child.", {"child": str}),
        Desk("school_places", "Show what places a school has.", {"school": str}),
        Desk("enrol", "Enrol a child.", {"child": str, "school": str, "born": str}, True),
        Desk("put_on_list", "Put on the waiting list.", {"child": str, "school": str}, True),
        Desk("ask_district", "Ask the district.", {"child": str, "zone": str}, True),
        Desk("book_test", "Book a test of readiness.", {"child": str, "school": str}, True),
    ),
)


# -------------------------------------------------------------- 132: elections
def _voter(draw: Draw, different: bool) -> Scene:
    voter, ward, paper = draw.identifier("VT"), draw.identifier("WD"), draw.identifier("BP")
    now = drawn_day(draw)
    held = date.fromisoformat(later(now, draw.rng.randint(12, 40)))
    came = f"{held.year - draw.rng.randint(19, 80)}-{draw.rng.randint(1, 12):02d}-17"
    if draw.rng.random() < 0.2:
        came = f"{held.year - 18}-{held.isoformat()[5:]}"
    story = ["registered", "applied"]
    if draw.rng.random() < 0.4:
        story = draw.choice(
            (
                ["registered", "applied", "withdrew", "applied"],
                ["registered", "applied", "issued", "voided", "applied"],
            )
        )
    home = {"voter": voter, "ward": ward, "since": later(now, -draw.rng.randint(60, 4000))}
    ballots = {
        "ward": ward,
        "paper": paper,
        "election": held.isoformat(),
        "last_post": later(held, -draw.rng.randint(4, 10)),
    }
    if different:
        case = draw.scheduled(("withdrew", "issued", "moved", "young", "late"))
        if case in ("withdrew", "issued"):
            story = [*story, case]
        elif case == "moved":
            home["ward"] = draw.identifier("WD")
        elif case == "young":
            came = f"{held.year - 18}{later(held, draw.rng.randint(1, 9))[4:]}"
            if came[5:] < held.isoformat()[5:]:
                came = f"{held.year - 17}{came[4:]}"
        else:
            ballots["last_post"] = later(now, -draw.rng.randint(1, 3))
            ballots["election"] = later(now, 4)
            came = f"{held.year - draw.rng.randint(20, 80)}-05-17"
    rows = [{"no": n + 1, "what": what} for n, what in enumerate(story)]
    draw.rng.shuffle(rows)
    entry = {"voter": voter, "ward": ward, "born": came, "entries": rows}
    answers = {
        ("voter_entry", voter): entry,
        ("residence", voter): home,
        ("ward_ballots", ward): ballots,
    }
    return Scene({"voter": voter}, planted(answers), system=today_is(now))


def _send_ballot(values: Mapping[str, str], talk: Talk) -> Work:
    voter = values["voter"]
    entry = yield "voter_entry", {"voter": voter}
    state = max(entry["entries"], key=lambda each: int(each["no"]))["what"]
    if state != "applied":
        return f"{voter} has no open application, the last entry says {state}."
    home = yield "residence", {"voter": voter}
    if home["ward"] != entry["ward"]:
        yield "hand_over", {"voter": voter, "ward": home["ward"]}
        return f"{voter} lives in {home['ward']}, the application was handed over."
    ballots = yield "ward_ballots", {"ward": entry["ward"]}
    adult = f"{int(entry['born'][:4]) + 18}{entry['born'][4:]}"
    if adult > ballots["election"]:
        yield "reject", {"voter": voter, "reason": "age"}
        return f"{voter} is not of age on {ballots['election']}."
    if today(talk).isoformat() > ballots["last_post"]:
        yield "invite", {"voter": voter, "ward": entry["ward"]}
        return f"The post is too slow now, {voter} is asked to come to the office."
    yield "send_ballot", {"voter": voter, "paper": ballots["paper"], "ward": entry["ward"]}
    return f"{ballots['paper']} was sent to {voter}."


SEND_BALLOT = Kind(
    132,
    "rows in no order of which the highest number counts; two registers; a birthday on a day",
    (
        "Send voter {voter} the postal ballot.",
        "{voter} votes by post, get the papers out.",
        "Postal vote for {voter}: post the ballot.",
    ),
    _voter,
    _send_ballot,
    desks=(
        Desk("voter_entry", "Look up a voter on the roll.", {"voter": str}),
        Desk("residence", "Ask the register of residents.", {"voter": str}),
        Desk("ward_ballots", "Show the ballot of a ward.", {"ward": str}),
        Desk("send_ballot", "Send a ballot.", {"voter": str, "paper": str, "ward": str}, True),
        Desk("hand_over", "Hand an application over.", {"voter": str, "ward": str}, True),
        Desk("reject", "Reject an application.", {"voter": str, "reason": str}, True),
        Desk("invite", "Ask a voter to come.", {"voter": str, "ward": str}, True),
    ),
)


# -------------------------------------------------------------- 133: waste collection
_PIECES = ("sofa", "wardrobe", "mattress", "carpet", "shelf", "bicycle", "door", "table", "lamp")


def _waste(draw: Draw, different: bool) -> Scene:
    request, house, round_ = draw.identifier("WR"), draw.identifier("HH"), draw.identifier("RD")
    pieces = draw.rng.sample(_PIECES, draw.rng.randint(1, 5))
    allowed = draw.rng.randint(2, 3)
    done = ["done"] * draw.rng.randint(0, allowed - 1)
    states = [*done, *["dropped"] * draw.rng.randint(0, 3)]
    if different:
        case = draw.scheduled(("none", "more", "fridge", "twice", "often"))
        if case == "none":
            pieces = []
        elif case == "more":
            pieces.append(f"and {draw.rng.randint(2, 14)} more")
        elif case == "fridge":
            pieces.insert(draw.rng.randint(0, len(pieces)), draw.choice(("fridge", "freezer")))
        elif case == "twice":
            states.append("open")
        else:
            states = [*["done"] * allowed, "dropped"]
    rows = [{"request": draw.identifier("WR"), "state": state} for state in states]
    rows.append({"request": request, "state": "open"})
    draw.rng.shuffle(rows)
    answers = {
        ("waste_request", request): {
            "request": request,
            "household": house,
            "round": round_,
            "pieces": pieces,
        },
        ("household", house): {"household": house, "free_a_year": allowed, "requests": rows},
        ("waste_round", round_): {"round": round_, "next": later(drawn_day(draw), 0)},
    }
    return Scene({"request": request}, planted(answers))


def _collect(values: Mapping[str, str], talk: Talk) -> Work:
    request = values["request"]
    record = yield "waste_request", {"request": request}
    pieces = record["pieces"]
    if not pieces:
        return f"{request} names no pieces; what is to be fetched?"
    if pieces[-1].startswith("and "):
        yield "ask_household", {"household": record["household"], "about": request}
        return f"The list of {request} is not whole, the household was asked for it."
    house = yield "household", {"household": record["household"]}
    twin = [
        each["request"]
        for each in house["requests"]
        if each["state"] == "open" and each["request"] != request
    ]
    if twin:
        return f"{record['household']} has {twin[0]} open as well; which one counts?"
    if sum(each["state"] == "done" for each in house["requests"]) >= house["free_a_year"]:
        yield "bill_household", {"household": record["household"], "request": request}
        return f"{record['household']} pays for {request} first."
    if {"fridge", "freezer"} & set(pieces):
        yield "book_cooling_van", {"request": request}
        return f"The van for cooling units fetches {request}."
    shown = yield "waste_round", {"round": record["round"]}
    yield "book_round", {"request": request, "round": record["round"], "day": shown["next"]}
    return f"{request} is fetched on {shown['next']}."


COLLECT = Kind(
    133,
    "a list that is empty or cut off, one piece among several, rows of one state counted",
    (
        "Book the bulky waste of {request}.",
        "{request} came in for bulky waste, put it on the round.",
        "Have the things of request {request} fetched.",
    ),
    _waste,
    _collect,
    desks=(
        Desk("waste_request", "Look up a request.", {"request": str}),
        Desk("household", "Look up a household.", {"household": str}),
        Desk("waste_round", "Show when a round goes.", {"round": str}),
        Desk("book_round", "Book.", {"request": str, "round": str, "day": str}, True),
        Desk("book_cooling_van", "Book the van for cooling units.", {"request": str}, True),
        Desk("ask_household", "Ask a household.", {"household": str, "about": str}, True),
        Desk("bill_household", "Send a bill.", {"household": str, "request": str}, True),
    ),
)

KINDS: tuple[Kind, ...] = (SHIP_SAMPLE, DISPENSE, ENROL, SEND_BALLOT, COLLECT)
