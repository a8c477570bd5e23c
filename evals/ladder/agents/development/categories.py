"""Kind 3: a currency, a state or a country that was never met before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kinds import Draw, Kind, Scene, Talk, Work
from ..office import Planted

__all__ = ["PAY_INVOICE"]

_USUAL = {
    "currency": ("EUR", "EUR", "CHF", "GBP"),
    "state": ("approved", "approved", "checked"),
    "country": ("FR", "DE", "IT", "PT", "GB", "CH"),
}
_UNUSUAL = (
    ("currency", "SEK"),
    ("state", "disputed"),
    ("country", "KY"),
    ("currency", "BRL"),
    ("state", "draft"),
    ("country", "PA"),
    ("currency", "XBT"),
    ("state", "recalled"),
)


def _scene(draw: Draw, different: bool) -> Scene:
    invoice = draw.identifier("I-")
    record: dict[str, Any] = {
        "id": invoice,
        "account": f"{draw.choice(('FR', 'DE', 'PT'))}{draw.rng.randint(10**11, 10**12)}",
        "amount": draw.money(20, 3000),
        **{field: draw.choice(pool) for field, pool in _USUAL.items()},
    }
    if different:
        field, value = draw.scheduled(_UNUSUAL)
        record[field] = value
    return Scene({"invoice": invoice}, Planted(rows=(("invoices", invoice, record),)))


def _work(values: Mapping[str, str], talk: Talk) -> Work:
    invoice = values["invoice"]
    record = yield "get_invoice", {"invoice_id": invoice}
    for field, pool in _USUAL.items():
        if record[field] not in pool:
            body = {"invoice": invoice, "because": f"{field} {record[field]}"}
            yield "http_post", {"path": "/queues/treasury", "body": body}
            return f"Invoice {invoice} is not paid; the treasury looks at it: {body['because']}."
    args = {"account": record["account"], "amount": record["amount"], "reference": invoice}
    receipt = yield "pay", args
    return (
        f"Invoice {invoice} is paid: {record['amount']} {record['currency']}, "
        f"receipt {receipt['receipt']}."
    )


PAY_INVOICE = Kind(
    3,
    "a category never met before",
    (
        "Pay the invoice {invoice}.",
        "Invoice {invoice} is due, please pay it.",
        "Could you settle {invoice}?",
    ),
    _scene,
    _work,
)
