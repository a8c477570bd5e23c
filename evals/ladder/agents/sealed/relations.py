"""Kind 2: two results agreed in all ordinary tasks, and now do not."""

from __future__ import annotations

from collections.abc import Mapping

from ...names import CITIES
from ..kinds import Draw, Kind, Scene, Talk, Work
from ..office import Planted

__all__ = ["RETURN_ORDER"]


def _scene(draw: Draw, different: bool) -> Scene:
    name, order = draw.person(), draw.identifier("R")
    customer = {"id": draw.identifier("P"), "name": name, "city": draw.choice(CITIES)}
    buyer = draw.identifier("P") if different else customer["id"]
    record = {
        "order": order,
        "status": draw.choice(("returned", "back in store")),
        "buyer": buyer,
        "amount": draw.money(15, 600),
    }
    rows = (("customers", name, customer), ("orders", order, record))
    return Scene({"order": order, "customer": name}, Planted(rows=rows))


def _work(values: Mapping[str, str], talk: Talk) -> Work:
    order, name = values["order"], values["customer"]
    customer = yield "find_customer", {"name": name}
    record = yield "get_order", {"order_id": order}
    if record["buyer"] != customer["id"]:
        return f"Nothing is given back: order {order} is not one of {name}."
    yield "refund", {"order_id": order, "amount": record["amount"]}
    return f"{name} gets {record['amount']} euros back for order {order}."


RETURN_ORDER = Kind(
    2,
    "a relation between two results that is broken",
    (
        "Refund order {order} to {customer}.",
        "{customer} sent {order} back and wants the money.",
        "Please give {customer} the money for the order {order} back.",
    ),
    _scene,
    _work,
)
