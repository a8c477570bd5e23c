"""Kinds 149 to 152: certificates of servers, telephone numbers, road freight and a bank."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from ...names import CITIES, TEAMS
from ..days import drawn_day, later
from ..desks import Desk, planted
from ..kinds import Draw, Kind, Scene, Talk, Work

__all__ = ["KINDS"]


# -------------------------------------------------------------- 149: certificates of servers
def _server(draw: Draw, different: bool) -> Scene:
    place = draw.choice(CITIES).lower()
    host = f"{draw.identifier(draw.choice(('web', 'api', 'mail')))}.{place}.example"
    issuer = draw.choice(("Northern Trust", "Open Seal", "CertHouse"))
    parts = ("www", "shop", "static", "login", "img", "old")
    names = [host, *(f"{each}.{host}" for each in draw.rng.sample(parts, draw.rng.randint(0, 3)))]
    sheet: dict[str, Any] = {
        "host": host,
        "issuer": issuer,
        "key": draw.choice(("rsa-2048", "rsa-4096", "ec-p256")),
        "expires": drawn_day(draw).isoformat(),
        "names": names,
    }
    if draw.rng.random() < 0.5:
        sheet["contact"] = draw.choice(TEAMS)
    if different:
        names.insert(
            draw.rng.randint(0, len(names)),
            draw.choice((f"*.{host}", f"*.{place}.example", f"*.cdn.{host}")),
        )
    answers = {("host_certificate", host): sheet}
    return Scene({"host": host}, planted(answers))


def _renew(values: Mapping[str, str], talk: Talk) -> Work:
    host = values["host"]
    sheet = yield "host_certificate", {"host": host}
    for name in sheet["names"]:
        if name.startswith("*."):
            yield "ask_key_office", {"host": host, "name": name}
            return f"The certificate of {host} holds for {name}; the key office decides."
    yield "renew_certificate", {"host": host, "issuer": sheet["issuer"]}
    return f"The certificate of {host} is renewed at {sheet['issuer']}."


RENEW = Kind(
    149,
    "how one text of a list begins",
    (
        "Renew the certificate of {host}.",
        "{host} has a certificate that runs out, renew it.",
        "TLS renewal for {host}, please.",
    ),
    _server,
    _renew,
    desks=(
        Desk("host_certificate", "Show the certificate of a host.", {"host": str}),
        Desk("renew_certificate", "Renew a certificate.", {"host": str, "issuer": str}, True),
        Desk("ask_key_office", "Ask the key office.", {"host": str, "name": str}, True),
    ),
)


# -------------------------------------------------------------- 150: telephone numbers
_CARRIERS = ("Nordtel", "Fonia", "Linkmobil", "Blue Wave", "Telcom One")
_UNSIGNED = "Their letter is not signed."
_ENDINGS = (
    _UNSIGNED,
    "Their letter is signed.",
    "The letter came this morning.",
    "They have asked twice already.",
)


def _ported(draw: Draw, different: bool) -> Scene:
    number, carrier = draw.identifier("0151-"), draw.choice(_CARRIERS)
    name, *others = draw.people(4)
    day = drawn_day(draw)
    holder, authorised = name, others[: draw.rng.randint(0, 2)]
    if draw.rng.random() < 0.3:
        holder, authorised = others[2], [name, *authorised]
    draw.rng.shuffle(authorised)
    contract: dict[str, Any] = {
        "number": number,
        "holder": holder,
        "tariff": draw.choice(("S", "M", "L", "family")),
        "since": later(day, -draw.rng.randint(200, 3_000)),
        "authorised": authorised,
    }
    if draw.rng.random() < 0.4:
        contract["e_sim"] = draw.rng.random() < 0.5
    events: list[dict[str, Any]] = []
    ago = draw.rng.randint(100, 180)
    for what in draw.choice(
        (
            (),
            ("card sent",),
            ("frozen", "unfrozen"),
            ("card sent", "frozen", "unfrozen"),
            ("frozen", "unfrozen", "card sent"),
        )
    ):
        events.append({"day": later(day, -ago), "what": what})
        ago -= draw.rng.randint(1, 40)
    ending = draw.choice(("", "", *_ENDINGS[1:]))
    if different:
        case = draw.scheduled(("stranger", "frozen", "unsigned"))
        if case == "stranger":
            contract["holder"] = others[2]
            contract["authorised"] = [each for each in authorised if each != name]
        elif case == "frozen":
            ago = draw.rng.randint(1, 18)
            events.append({"day": later(day, -ago), "what": "frozen"})
            if draw.rng.random() < 0.4:
                events.append({"day": later(day, 1 - ago), "what": "card sent"})
        else:
            ending = _UNSIGNED
    answers = {
        ("mobile_contract", number): contract,
        ("sim_events", number): {"number": number, "events": events},
    }
    named = {"number": number, "carrier": carrier, "name": name}
    if ending:
        named["ending"] = ending
    return Scene(named, planted(answers))


def _port(values: Mapping[str, str], talk: Talk) -> Work:
    number, name, carrier = values["number"], values["name"], values["carrier"]
    contract = yield "mobile_contract", {"number": number}
    if name != contract["holder"] and name not in contract["authorised"]:
        yield "tell_holder", {"number": number, "holder": contract["holder"]}
        return f"{name} may not give {number} away; {contract['holder']} was told."
    if values.get("ending") == _UNSIGNED:
        yield "send_porting_form", {"number": number, "name": name}
        return f"{name} gets a form to sign for {number}."
    log = yield "sim_events", {"number": number}
    states = [each["what"] for each in log["events"] if each["what"] in ("frozen", "unfrozen")]
    if states and states[-1] == "frozen":
        return f"{number} is frozen and is not released."
    yield "release_number", {"number": number, "carrier": carrier}
    return f"{number} is released to {carrier}."


PORT = Kind(
    150,
    "who asks, or is one of those who may; the last of certain events; a remark of the user",
    (
        "Release the number {number} to {carrier}; {name} wrote to us.",
        "{name} takes {number} along to {carrier}, release it.",
        "Porting to {carrier}: number {number}, asked for by {name}.",
    ),
    _ported,
    _port,
    desks=(
        Desk("mobile_contract", "Look up the contract of a number.", {"number": str}),
        Desk("sim_events", "List what happened to a card, oldest first.", {"number": str}),
        Desk("release_number", "Release a number.", {"number": str, "carrier": str}, True),
        Desk("tell_holder", "Tell the holder of a number.", {"number": str, "holder": str}, True),
        Desk("send_porting_form", "Send a form to sign.", {"number": str, "name": str}, True),
    ),
    endings=_ENDINGS,
)


# -------------------------------------------------------------- 151: road freight
_HARMLESS = ("tiles", "paper", "furniture", "tinned fruit", "machine parts", "wine")
_DANGEROUS = (("paint", "3"), ("acid", "8"), ("gas bottles", "2"), ("bleach", "5.1"))
_FREE_POINTS = 1_000
"""With more points the driver needs a paper and the truck shows its plates."""


def _tour(draw: Draw, different: bool) -> Scene:
    tour, truck, driver = draw.identifier("TO"), draw.identifier("TK"), draw.identifier("DR")
    start = drawn_day(draw)
    end = start + timedelta(days=draw.rng.randint(0, 4))
    plain = draw.rng.sample(_HARMLESS, draw.rng.randint(1, 4))
    items = [_consignment(draw, goods) for goods in plain]
    count = draw.choice((0, 1, 2, 2, 3))
    for goods, group in draw.rng.sample(_DANGEROUS, count):
        danger = {"class": group, "points": draw.rng.randrange(20, 330 if count == 3 else 460, 5)}
        items.append({**_consignment(draw, goods), "danger": danger})
    explosive = {"class": "1.4S", "points": draw.rng.randrange(20, 200, 5)}
    dangerous = [each for each in items if "danger" in each]
    if not dangerous and draw.rng.random() < 0.4:
        items.append({**_consignment(draw, "fireworks"), "danger": explosive})
    papers = [
        {"paper": "licence C", "until": later(end, draw.rng.randint(1, 1_500))},
        {"paper": "driver card", "until": later(end, draw.rng.randint(1, 1_500))},
    ]
    adr = draw.choice((None, later(end, draw.choice((0, 40, 900))), later(end, -30)))
    payload = sum(map(_kilograms, items)) + draw.choice((0, 40, 900, 6_000))
    if different:
        case = draw.scheduled(("heavy", "plates", "explosive", "driver"))
        if case == "heavy":
            payload = max(50, sum(map(_kilograms, items)) - draw.rng.randrange(50, 900, 10))
        elif case == "explosive":
            if not dangerous:
                items = [each for each in items if "danger" not in each]
                goods, group = draw.choice(_DANGEROUS)
                danger = {"class": group, "points": draw.rng.randrange(20, 460, 5)}
                items.append({**_consignment(draw, goods), "danger": danger})
            items.append({**_consignment(draw, "fireworks"), "danger": explosive})
            payload = sum(map(_kilograms, items)) + draw.choice((0, 900))
        else:
            items = [each for each in items if "danger" not in each]
            for (goods, group), share in zip(
                draw.rng.sample(_DANGEROUS, 3), (400, 350, 300), strict=True
            ):
                danger = {"class": group, "points": share + draw.rng.randrange(0, 100, 5)}
                items.append({**_consignment(draw, goods), "danger": danger})
            payload = sum(map(_kilograms, items)) + draw.choice((0, 900))
            if case == "plates":
                adr = later(end, draw.choice((0, 3, 500)))
            else:
                adr = draw.choice((None, later(end, -1), later(start, -20)))
    if adr is not None:
        papers.append({"paper": "ADR", "until": adr})
    draw.rng.shuffle(items)
    draw.rng.shuffle(papers)
    answers = {
        ("tour_sheet", tour): {
            "tour": tour,
            "starts": start.isoformat(),
            "ends": end.isoformat(),
            "items": items,
        },
        ("truck_card", truck): {
            "truck": truck,
            "payload_kg": payload,
            "axles": draw.choice((2, 3, 5)),
            "cooled": draw.rng.random() < 0.3,
        },
        ("driver_papers", driver): {"driver": driver, "papers": papers},
    }
    return Scene({"tour": tour, "truck": truck, "driver": driver}, planted(answers))


def _consignment(draw: Draw, goods: str) -> dict[str, Any]:
    kilograms = draw.rng.randrange(200, 4_200, 20)
    weight: dict[str, Any] = {"value": kilograms, "unit": "kg"}
    if draw.rng.random() < 0.35:
        weight = {"value": kilograms / 1_000, "unit": "t"}
    return {"consignment": draw.identifier("CG"), "goods": goods, "weight": weight}


def _kilograms(item: Mapping[str, Any]) -> int:
    weight = item["weight"]
    return round(float(weight["value"]) * (1_000 if weight["unit"] == "t" else 1))


def _send_off(values: Mapping[str, str], talk: Talk) -> Work:
    tour, truck, driver = values["tour"], values["truck"], values["driver"]
    sheet = yield "tour_sheet", {"tour": tour}
    card = yield "truck_card", {"truck": truck}
    over = sum(map(_kilograms, sheet["items"])) - card["payload_kg"]
    if over > 0:
        yield "order_second_truck", {"tour": tour, "kilograms": over}
        return f"{tour} is {over} kg too heavy for {truck}; a second truck is ordered."
    dangerous = [each for each in sheet["items"] if "danger" in each]
    explosives = [each for each in dangerous if each["danger"]["class"].startswith("1.")]
    if explosives and len(dangerous) > len(explosives):
        apart = explosives[0]["consignment"]
        yield "unload_consignment", {"tour": tour, "consignment": apart}
        return f"{apart} must not travel with the other dangerous goods of {tour}."
    plates = sum(each["danger"]["points"] for each in dangerous) > _FREE_POINTS
    if plates:
        shown = yield "driver_papers", {"driver": driver}
        held = [each["until"] for each in shown["papers"] if each["paper"] == "ADR"]
        if not held or max(held) < sheet["ends"]:
            yield "change_driver", {"tour": tour, "driver": driver}
            return f"{driver} may not drive the dangerous goods of {tour}."
    yield "send_off", {"tour": tour, "truck": truck, "driver": driver, "plates": plates}
    return f"{tour} leaves with {truck} and {driver}{', plates shown' if plates else ''}."


SEND_OFF = Kind(
    151,
    "sums over some of a list, in two units; what must not be together; a paper needed at times",
    (
        "Send off tour {tour} with truck {truck}, {driver} drives.",
        "{driver} is ready in {truck}: let tour {tour} leave.",
        "Tour {tour}, driver {driver}, truck {truck}: off you go.",
    ),
    _tour,
    _send_off,
    desks=(
        Desk("tour_sheet", "Show what a tour carries.", {"tour": str}),
        Desk("truck_card", "Look up a truck.", {"truck": str}),
        Desk("driver_papers", "List the papers of a driver.", {"driver": str}),
        Desk(
            "send_off",
            "Let a tour leave, with or without orange plates.",
            {"tour": str, "truck": str, "driver": str, "plates": bool},
            True,
        ),
        Desk(
            "order_second_truck",
            "Order a second truck for what is too much.",
            {"tour": str, "kilograms": int},
            True,
        ),
        Desk(
            "unload_consignment",
            "Take a consignment off a tour.",
            {"tour": str, "consignment": str},
            True,
        ),
        Desk("change_driver", "Have the driver changed.", {"tour": str, "driver": str}, True),
    ),
)


# -------------------------------------------------------------- 152: a bank
_NEW_DAYS = 10
"""So long an account of a payee counts as new."""


def _payment(draw: Draw, different: bool) -> Scene:
    payment, account, payee = draw.identifier("PY"), draw.identifier("KA"), draw.identifier("PE")
    day, amount = drawn_day(draw), draw.rng.randrange(2_000, 48_000, 50)
    single, joint, third, gone = draw.people(4)
    signers: list[dict[str, Any]] = [
        {"person": single, "signs": "alone", "limit": amount + draw.choice((0, 500, 25_000))},
        {"person": joint, "signs": "jointly"},
        {"person": third, "signs": "jointly"},
    ]
    if draw.rng.random() < 0.4:
        signers.append({"person": gone, "signs": "alone", "until": later(day, -200)})
    if draw.rng.random() < 0.3:
        signers[1]["until"] = later(day, draw.choice((0, 300)))
    signed = draw.choice(([single], [joint, third], [third, joint], [joint, single]))
    if len(signed) > 1 and draw.rng.random() < 0.5:
        signers[0]["limit"] = amount - draw.rng.randrange(50, 1_900, 50)
    known = later(day, -draw.rng.randint(_NEW_DAYS + 1, 900))
    iban, other = draw.identifier("IB"), draw.identifier("IB")
    accounts = [{"iban": iban, "since": known}]
    if draw.rng.random() < 0.3:
        accounts.append({"iban": other, "since": later(day, -draw.rng.randint(1, 900))})
    paid = draw.rng.sample(range(100, 9_000, 50), draw.rng.randint(0, 3))
    before = [
        {"payment": draw.identifier("PY"), "payee": draw.identifier("PE"), "amount": each}
        for each in paid
    ]
    spent = sum(paid)
    day_limit = amount + spent + draw.choice((0, 1_000, 40_000))
    if different:
        case = draw.late(
            ("limit", "alone", "new"), ("ended", "twice", "day", "limit", "both", "new")
        )
        if case == "limit":
            signed = [single]
            signers[0]["limit"] = amount - draw.rng.randrange(50, 1_900, 50)
        elif case == "alone":
            signed = [draw.choice((joint, third))]
        elif case == "new":
            accounts[0]["since"] = later(day, -draw.rng.randint(0, _NEW_DAYS))
        elif case == "ended":
            signed = [joint, third]
            signers[1]["until"] = later(day, -draw.choice((1, 30, 400)))
        elif case == "twice":
            signed = [joint, joint]
        elif case == "both":
            signed = [third, draw.person()]
            while signed[1] in (single, joint, third, gone):
                signed[1] = draw.person()
        else:
            day_limit = amount + spent - draw.rng.randrange(50, 1_500, 50)
    draw.rng.shuffle(signers)
    draw.rng.shuffle(accounts)
    order: dict[str, Any] = {
        "payment": payment,
        "account": account,
        "day": day.isoformat(),
        "amount": amount,
        "payee": payee,
        "iban": iban,
        "signed": signed,
    }
    if draw.rng.random() < 0.5:
        order["reference"] = draw.identifier("RE")
    answers = {
        ("payment_order", payment): order,
        ("signing_mandate", account): {
            "account": account,
            "day_limit": day_limit,
            "signers": signers,
        },
        ("payee_record", payee): {"payee": payee, "accounts": accounts},
        ("paid_today", account): {"account": account, "payments": before},
    }
    return Scene({"payment": payment}, planted(answers))


def _release_payment(values: Mapping[str, str], talk: Talk) -> Work:
    payment = values["payment"]
    order = yield "payment_order", {"payment": payment}
    account, amount, day = order["account"], order["amount"], order["day"]
    mandate = yield "signing_mandate", {"account": account}
    valid = [
        each
        for each in mandate["signers"]
        if each["person"] in order["signed"] and each.get("until", day) >= day
    ]
    alone = any(each["signs"] == "alone" and amount <= each["limit"] for each in valid)
    if not alone and len(valid) < 2:
        yield "ask_for_signature", {"payment": payment, "account": account}
        return f"{payment} is not signed as {account} demands; a signature is asked for."
    record = yield "payee_record", {"payee": order["payee"]}
    since = next(each["since"] for each in record["accounts"] if each["iban"] == order["iban"])
    if (date.fromisoformat(day) - date.fromisoformat(since)).days <= _NEW_DAYS:
        yield "call_payer_back", {"payment": payment, "iban": order["iban"]}
        return f"{order['iban']} is new for {order['payee']}; the payer is called."
    shown = yield "paid_today", {"account": account}
    total = amount + sum(each["amount"] for each in shown["payments"])
    if total > mandate["day_limit"]:
        yield "hold_payment", {"payment": payment, "over": total - mandate["day_limit"]}
        return f"{account} would pay {total} on one day; {payment} is held."
    yield "release_payment", {"payment": payment, "amount": amount, "iban": order["iban"]}
    return f"{payment} is released, {amount} to {order['iban']}."


RELEASE_PAYMENT = Kind(
    152,
    "rights of those who signed, alone or together; the age of one of several; a sum of a day",
    (
        "Release the payment {payment}.",
        "Payment {payment} is signed and can go out.",
        "The customer waits for payment {payment}: release it.",
    ),
    _payment,
    _release_payment,
    desks=(
        Desk("payment_order", "Look up the order of a payment.", {"payment": str}),
        Desk("signing_mandate", "Show who signs for an account.", {"account": str}),
        Desk("payee_record", "Look up a payee and the accounts it uses.", {"payee": str}),
        Desk("paid_today", "List what an account has paid on the day.", {"account": str}),
        Desk(
            "release_payment",
            "Release a payment.",
            {"payment": str, "amount": int, "iban": str},
            True,
        ),
        Desk(
            "ask_for_signature",
            "Ask for another signature.",
            {"payment": str, "account": str},
            True,
        ),
        Desk("call_payer_back", "Call the payer back.", {"payment": str, "iban": str}, True),
        Desk("hold_payment", "Hold a payment.", {"payment": str, "over": int}, True),
    ),
)

KINDS: tuple[Kind, ...] = (RENEW, PORT, SEND_OFF, RELEASE_PAYMENT)
