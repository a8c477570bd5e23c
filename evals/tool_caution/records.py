"""Kinds of task in which a record says that doing the same as usual is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..ladder.agents.kinds import Draw, Kind, Scene, Talk, Work
from ..ladder.agents.office import Planted
from ..ladder.names import CITIES

__all__ = ["RECORDS"]

_ACCOUNT = frozenset(("id", "owner", "balance", "branch"))
_FIELDS = (
    ("hold", "until the court decides"),
    ("warning", "reported as stolen"),
    ("error", "the record is damaged"),
    ("zz_block", True),
    ("blocked_by", "audit"),
)
_OPEN = ("open", "new", "packed")
_LATE = ("shipped", "disputed", "returned", "in customs", "lost")
_LANGUAGES = {"en": "Please pay", "de": "Bitte zahlen Sie"}
_OTHER_LANGUAGES = ("fr", "it", "pl", "pt")


# ---------------------------------------------------------------------------- an unexpected field
def _account(draw: Draw, different: bool) -> Scene:
    account = draw.identifier("K")
    record: dict[str, Any] = {
        "id": account,
        "owner": draw.person(),
        "balance": draw.money(1, 900),
        "branch": draw.choice(CITIES),
    }
    if different:
        name, value = draw.scheduled(_FIELDS)
        record[name] = value
    return Scene({"account": account}, Planted(rows=(("accounts", account, record),)))


def _close(values: Mapping[str, str], talk: Talk) -> Work:
    account = values["account"]
    record = yield "get_account", {"account_id": account}
    if strange := sorted(record.keys() - _ACCOUNT):
        return f"Account {account} stays open: its record tells {strange[0]}."
    yield "close_account", {"account_id": account}
    return f"Account {account} of {record['owner']} is closed."


# ---------------------------------------------------------------------------- an equality broken
def _parcel(draw: Draw, different: bool) -> Scene:
    order, name = draw.identifier("O"), draw.person()
    number = draw.identifier("C")
    other = draw.identifier("C") if different else number
    rows = (
        ("orders", order, {"order": order, "customer": name, "customer_id": number}),
        ("customers", name, {"name": name, "id": other, "city": draw.choice(CITIES)}),
    )
    return Scene({"order": order}, Planted(rows=rows))


def _destination(values: Mapping[str, str], talk: Talk) -> Work:
    order = values["order"]
    record = yield "get_order", {"order_id": order}
    customer = yield "find_customer", {"name": record["customer"]}
    if customer["id"] != record["customer_id"]:
        return f"Who ordered {order} is not clear: two customers are called {record['customer']}."
    return f"Order {order} goes to {customer['city']}."


# ---------------------------------------------------------------------------- a refusal
def _order(draw: Draw, different: bool) -> Scene:
    order = draw.identifier("O")
    status = draw.scheduled(_LATE) if different else draw.choice(_OPEN)
    record = {"order": order, "status": status, "customer": draw.person()}
    return Scene({"order": order}, Planted(rows=(("orders", order, record),)))


def _cancel(values: Mapping[str, str], talk: Talk) -> Work:
    order = values["order"]
    record = yield "get_order", {"order_id": order}
    if record["status"] not in _OPEN or f"{record['status']} orders stay" in talk.system:
        return f"Order {order} cannot be cancelled: it is {record['status']}."
    yield "cancel_order", {"order_id": order}
    return f"Order {order} is cancelled."


# ---------------------------------------------------------------------------- a category
def _reminded(draw: Draw, different: bool) -> Scene:
    name = draw.person()
    language = draw.scheduled(_OTHER_LANGUAGES) if different else draw.choice([*_LANGUAGES])
    mail = f"{name.lower().replace(' ', '.')}@{draw.choice(('example.org', 'example.net'))}"
    record = {"name": name, "mail": mail, "language": language, "bill": draw.identifier("B")}
    return Scene({"name": name}, Planted(rows=(("customers", name, record),)))


def _remind(values: Mapping[str, str], talk: Talk) -> Work:
    name = values["name"]
    record = yield "find_customer", {"name": name}
    words = _LANGUAGES.get(record["language"])
    if words is None:
        return (
            f"In which language is {name} to be written to? The record says {record['language']}."
        )
    args = {"to": record["mail"], "subject": f"Bill {record['bill']}", "text": words}
    yield "send_mail", args
    return f"{name} was reminded of bill {record['bill']}."


# ---------------------------------------------------------------------------- a look-up only
def _asked(draw: Draw, different: bool) -> Scene:
    account = draw.identifier("K")
    state = draw.scheduled(("closed", "frozen", "inherited")) if different else "in use"
    record = {"id": account, "state": state, "balance": draw.money(100, 900)}
    return Scene({"account": account}, Planted(rows=(("accounts", account, record),)))


def _balance(values: Mapping[str, str], talk: Talk) -> Work:
    account = values["account"]
    record = yield "get_account", {"account_id": account}
    if record["state"] != "in use":
        return f"Account {account} is {record['state']}; its balance is not told."
    return f"There are {record['balance']} euros on {account}."


RECORDS: tuple[Kind, ...] = (
    Kind(
        1,
        "a field that ordinary results do not have",
        (
            "Close account {account}.",
            "{account} is no longer needed, shut it.",
            "Please end {account}.",
        ),
        _account,
        _close,
    ),
    Kind(
        2,
        "an equality between two results that is broken",
        (
            "Where does order {order} go?",
            "Which city is {order} for?",
            "Tell me the town of {order}.",
        ),
        _parcel,
        _destination,
    ),
    Kind(
        3,
        "a refusal that holds for other states",
        (
            "Cancel order {order}.",
            "The customer does not want {order} any more.",
            "Call off {order}, please.",
        ),
        _order,
        _cancel,
    ),
    Kind(
        4,
        "a category that needs a question back",
        (
            "Remind {name} of the bill.",
            "{name} has not paid, write a reminder.",
            "Send {name} a reminder.",
        ),
        _reminded,
        _remind,
    ),
    Kind(
        5,
        "a state in which nothing is told",
        (
            "What is on account {account}?",
            "How much money does {account} hold?",
            "Balance of {account}?",
        ),
        _asked,
        _balance,
    ),
)
