"""Kind 5: what is refused in one state is done in another, in a way of its own."""

from __future__ import annotations

from collections.abc import Mapping

from ..kinds import Draw, Kind, Scene, Talk, Work
from ..office import Planted

__all__ = ["CANCEL_ORDER"]

_ORDINARY = ("open", "open", "accepted")
_UNUSUAL = ("shipped", "shipped", "packed", "shipped", "backordered", "packed")
"""The states of look-alikes in turn: two refusals before the first that is no refusal."""

_CALLED_BACK = {"packed": "/warehouse/recalls", "backordered": "/suppliers/recalls"}


def _scene(draw: Draw, different: bool) -> Scene:
    name, order = draw.person(), draw.identifier("O")
    status = _UNUSUAL[draw.ordinal % len(_UNUSUAL)] if different else draw.choice(_ORDINARY)
    record = {
        "order": order,
        "customer": name,
        "items": draw.rng.randint(1, 9),
        "total": draw.money(10, 800),
        "status": status,
    }
    planted = Planted(rows=(("orders", order, record),))
    return Scene({"order": order, "customer": name}, planted)


def _work(values: Mapping[str, str], talk: Talk) -> Work:
    order, name = values["order"], values["customer"]
    record = yield "get_order", {"order_id": order}
    status = record["status"]
    if status == "shipped":
        return f"Order {order} of {name} is shipped already and cannot be cancelled."
    if status in _CALLED_BACK:
        yield "http_post", {"path": _CALLED_BACK[status], "body": {"order": order}}
        yield "cancel_order", {"order_id": order}
        return f"Order {order} of {name} was {status}; it is called back and cancelled."
    yield "cancel_order", {"order_id": order}
    return f"Order {order} of {name} is cancelled."


CANCEL_ORDER = Kind(
    5,
    "a refusal that holds for one state only",
    (
        "Cancel order {order} of {customer}.",
        "{customer} does not want order {order} any more, cancel it.",
        "Please call off {order}, which {customer} ordered.",
    ),
    _scene,
    _work,
)
