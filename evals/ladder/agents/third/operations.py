"""Kinds 74 to 76: a warehouse, the people on call, and a freight forwarder."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from ..desks import Desk, Fault, planted
from ..kinds import Draw, Kind, Scene, Talk, Work

__all__ = ["HANDLE_ALERT", "ORDER_PICK_UP", "PICK_GOODS"]


# ------------------------------------------------------------------ 74: a sum over bins
def _bins(draw: Draw, different: bool) -> Scene:
    order, sku, pieces = draw.identifier("SO-"), draw.identifier("SKU"), draw.rng.randint(4, 30)
    bins: list[dict[str, Any]] = [
        {
            "bin": f"{draw.choice('ABCDEF')}{draw.rng.randint(1, 9)}-{level:02d}",
            "qty": {"value": draw.rng.randint(1, 12), "unit": "pc"},
            "status": "free",
        }
        for level in draw.rng.sample(range(1, 30), draw.rng.randint(1, 3))
    ]
    short = pieces - sum(each["qty"]["value"] for each in bins)
    bins[0]["qty"]["value"] += max(short, 0) + draw.choice((0, 5))
    if different:
        case = draw.scheduled(("short", "blocked", "carton", "negative", "none"))
        if case == "short":
            for each in bins:
                each["qty"]["value"] = draw.rng.randint(0, max(1, pieces // 4))
        elif case == "blocked":
            bins[0]["status"] = "quarantine"
            bins[1:] = []
        elif case == "carton":
            bins = [{**bins[0], "qty": {"value": pieces, "unit": "ctn", "pieces_per_ctn": 12}}]
        elif case == "negative":
            bins.append({**bins[0], "bin": "Z9-99", "qty": {"value": -3, "unit": "pc"}})
        else:
            bins = []
    values = {"order": order, "sku": sku, "pieces": str(pieces)}
    return Scene(values, planted({("list_bins", sku): bins}))


def _pick_goods(values: Mapping[str, str], talk: Talk) -> Work:
    order, sku, wanted = values["order"], values["sku"], int(values["pieces"])
    bins = yield "list_bins", {"sku": sku}
    if any(each["qty"]["value"] < 0 for each in bins):
        yield "order_recount", {"sku": sku}
        return f"The stock of {sku} is wrong, it is counted anew before {order} is picked."
    picks, rest = [], wanted
    for each in bins:
        held = each["qty"]["value"] * each["qty"].get("pieces_per_ctn", 1)
        taken = min(rest, held) if each["status"] == "free" else 0
        if taken:
            picks.append({"bin": each["bin"], "pieces": taken})
            rest -= taken
    if rest:
        yield "back_order", {"order": order, "sku": sku, "missing": rest}
        return f"{rest} of {wanted} {sku} are missing for {order}, they are on back order."
    yield "create_pick", {"order": order, "sku": sku, "picks": picks}
    return f"{wanted} {sku} are picked for {order} from {', '.join(p['bin'] for p in picks)}."


PICK_GOODS = Kind(
    74,
    "the sum of rows of one status against what is asked, cartons and negative stock",
    (
        "Pick {pieces} pieces of {sku} for {order}.",
        "{order} needs {pieces} of {sku}, get them picked.",
        "Have {sku} picked for order {order}, {pieces} pieces.",
    ),
    _bins,
    _pick_goods,
    desks=(
        Desk("list_bins", "List the bins that hold an article.", {"sku": str}),
        Desk("create_pick", "Have bins picked.", {"order": str, "sku": str, "picks": list}, True),
        Desk("back_order", "Order back.", {"order": str, "sku": str, "missing": int}, True),
        Desk("order_recount", "Have an article counted.", {"sku": str}, True),
    ),
)


# ------------------------------------------------------------------ 75: minutes before an alert
_PARTS = ("api", "auth", "billing", "search", "mailer", "gateway")


def _alert(draw: Draw, different: bool) -> Scene:
    alert, service = draw.identifier("ALR-"), f"{draw.choice(_PARTS)}-{draw.rng.randint(10, 999)}"
    start = datetime(
        2026, draw.rng.randint(1, 12), draw.rng.randint(2, 28), draw.rng.randint(0, 23)
    )
    start += timedelta(minutes=draw.rng.randint(0, 59))
    ages = sorted(draw.rng.randint(90, 5000) for _ in range(draw.rng.randint(0, 3)))
    record: dict[str, Any] = {
        "alert": alert,
        "service": service,
        "state": "firing",
        "severity": draw.choice((2, 3)),
        "started": f"{start.isoformat()}Z",
        "labels": {"region": draw.choice(("eu-1", "eu-2", "us-1")), "pod": f"pod-{alert[-3:]}"},
    }
    home = {"service": service, "team": draw.choice(("core", "edge", "data")), "freeze": False}
    if different:
        case = draw.scheduled(("deploy", "freeze", "resolved", "silenced", "severity", "gone"))
        if case == "deploy":
            ages = [draw.rng.randint(3, 58), *ages]
        elif case == "freeze":
            home["freeze"] = True
        elif case == "resolved":
            record["state"] = "resolved"
        elif case == "silenced":
            record["silenced_until"] = f"{(start + timedelta(hours=8)).isoformat()}Z"
        elif case == "severity":
            record["severity"] = 1
    deploys = [
        {
            "deploy": draw.identifier("D"),
            "at": f"{(start - timedelta(minutes=age)).isoformat()}Z",
            "by": draw.choice(("ci", "ci", "hand")),
        }
        for age in ages
    ]
    answers: dict[tuple[str, ...], Any] = {
        ("get_alert", alert): record,
        ("get_service", service): home,
        ("list_deploys", service): {"items": deploys, "total": len(deploys)},
    }
    if different and case == "gone":
        answers["get_service", service] = Fault(f"404: no service {service}")
    return Scene({"alert": alert}, planted(answers))


def _handle_alert(values: Mapping[str, str], talk: Talk) -> Work:
    alert = values["alert"]
    record = yield "get_alert", {"alert": alert}
    service = record["service"]
    if record["state"] != "firing":
        return f"{alert} is {record['state']} by now, nothing was done."
    if "silenced_until" in record:
        return f"{alert} is silenced until {record['silenced_until']}."
    home = yield "get_service", {"service": service}
    if isinstance(home, str):
        yield "page_team", {"team": "platform", "alert": alert}
        return f"{service} of {alert} is not in the catalogue, the platform team was paged."
    if home["freeze"] or record["severity"] == 1:
        yield "page_team", {"team": home["team"], "alert": alert}
        return f"Team {home['team']} was paged for {alert}."
    deploys = yield "list_deploys", {"service": service}
    start = datetime.fromisoformat(record["started"].rstrip("Z"))
    for each in deploys["items"][:1]:
        minutes = (start - datetime.fromisoformat(each["at"].rstrip("Z"))).total_seconds() / 60
        if minutes <= 60:
            yield "roll_back", {"service": service, "deploy": each["deploy"]}
            return f"{each['deploy']} of {service} was rolled back because of {alert}."
    region = record["labels"]["region"]
    yield "restart_service", {"service": service, "region": region}
    return f"{service} in {region} was restarted because of {alert}."


HANDLE_ALERT = Kind(
    75,
    "the minutes between an alert and the latest of a list, a state, a class, a lost service",
    (
        "Handle alert {alert}.",
        "{alert} is ringing, take care of it.",
        "The pager shows {alert}: please do what the runbook says.",
    ),
    _alert,
    _handle_alert,
    desks=(
        Desk("get_alert", "Look up an alert.", {"alert": str}),
        Desk("get_service", "Look up a service in the catalogue.", {"service": str}),
        Desk("list_deploys", "List deploys, latest first.", {"service": str}),
        Desk("restart_service", "Restart a service.", {"service": str, "region": str}, True),
        Desk("roll_back", "Take a deploy back.", {"service": str, "deploy": str}, True),
        Desk("page_team", "Page a team.", {"team": str, "alert": str}, True),
    ),
)


# ------------------------------------------------------------------ 76: pages of parcels
def _parcels(draw: Draw, different: bool) -> Scene:
    shipment = draw.identifier("SH/")
    pages = draw.choice((1, 1, 2))
    parcels: list[dict[str, Any]] = [
        {
            "parcel": n + 1,
            "kg": draw.rng.randint(4, 120),
            "class": draw.choice(("std", "std", "frg")),
        }
        for n in range(2 * pages)
    ]
    if different:
        case = draw.scheduled(("hazard", "heavy", "truck", "empty", "pounds"))
        if case == "hazard":
            parcels[-1]["class"] = draw.choice(("UN1263", "UN3480"))
        elif case == "heavy":
            parcels[-1]["kg"] = draw.rng.randint(3001, 5000)
        elif case == "truck":
            parcels[0]["kg"] = draw.rng.randint(850, 1900)
        elif case == "empty":
            parcels, pages = [], 1
        else:
            parcels[-1] = {"parcel": len(parcels), "lb": 55, "class": "std"}
    answers: dict[tuple[str, ...], Any] = {}
    for page in range(1, pages + 1):
        shown = {"page": page, "pages": pages, "parcels": parcels[2 * page - 2 : 2 * page]}
        answers["list_parcels", shipment, str(page)] = shown
    answers["list_parcels", shipment] = answers["list_parcels", shipment, "1"]
    return Scene({"shipment": shipment}, planted(answers))


def _order_pick_up(values: Mapping[str, str], talk: Talk) -> Work:
    shipment = values["shipment"]
    shown = yield "list_parcels", {"shipment": shipment}
    parcels = list(shown["parcels"])
    for page in range(2, shown["pages"] + 1):
        parcels += (yield "list_parcels", {"shipment": shipment, "page": page})["parcels"]
    if not parcels:
        return f"{shipment} has no parcels yet."
    if any(each["class"].startswith("UN") for each in parcels):
        yield "tell_safety", {"shipment": shipment}
        return f"{shipment} holds dangerous goods, safety was told."
    if not all("kg" in each for each in parcels):
        return f"Not all parcels of {shipment} are weighed in kg, please check."
    weight = sum(each["kg"] for each in parcels)
    if weight > 3000:
        return f"{shipment} weighs {weight} kg, that is too much for one vehicle."
    vehicle = "van" if weight <= 800 else "truck"
    yield "order_vehicle", {"shipment": shipment, "vehicle": vehicle}
    return f"A {vehicle} fetches the {len(parcels)} parcels of {shipment}."


ORDER_PICK_UP = Kind(
    76,
    "a sum and a class over rows on several pages, another unit, no rows",
    (
        "Order a pick-up for {shipment}.",
        "{shipment} is packed, have it fetched.",
        "Someone should come for shipment {shipment}.",
    ),
    _parcels,
    _order_pick_up,
    desks=(
        Desk("list_parcels", "List parcels.", {"shipment": str}, optional={"page": int}),
        Desk("order_vehicle", "Order a vehicle.", {"shipment": str, "vehicle": str}, True),
        Desk("tell_safety", "Tell the safety officer.", {"shipment": str}, True),
    ),
)
