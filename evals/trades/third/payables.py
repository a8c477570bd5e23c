"""Invoices paid against orders and deliveries; amounts are strings."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

from ..trade import Policy, Record, Result
from .desk import Desk

__all__ = ["Payables"]


class Payables(Desk):
    """Invoices paid against orders and deliveries; amounts are strings."""

    name = "payables"
    prompt = "You pay invoices of suppliers. Today is 2026-03-10."
    reading = ("get_invoice", "get_supplier", "get_order", "list_deliveries")
    traps = (
        "newaccount",
        "seenbefore",
        "creditnote",
        "dollars",
        "exactlimit",
        "stopped",
        "noorder",
        "undelivered",
        "lastday",
        "netofdiscount",
        "ownbuyer",
    )
    tools = (
        "get_invoice",
        "get_supplier",
        "get_order",
        "list_deliveries",
        "pay",
        "dispute",
        "postpone",
        "ask_approval",
        "write_note",
    )

    def get_invoice(self, invoice: str) -> Result:
        """Look up an invoice."""
        return self.row("invoice", invoice)

    def get_supplier(self, supplier: str) -> Result:
        """Look up a supplier."""
        return self.row("supplier", supplier)

    def get_order(self, order: str) -> Result:
        """Look up an order."""
        return self.row("po", order)

    def list_deliveries(self, order: str) -> Result:
        """Deliveries on an order."""
        return self.row("deliveries", order)

    def pay(self, invoice: str, account: str, amount: float) -> Result:
        """Pay an amount to an account."""
        return {"paid": f"{amount:.2f}"}

    def dispute(self, invoice: str, reasons: list[str]) -> Result:
        """Dispute an invoice."""
        return {"invoice": invoice, "state": "disputed"}

    def postpone(self, invoice: str, on: str) -> Result:
        """Have an invoice paid on another day."""
        return {"due": on}

    def ask_approval(self, invoice: str, person: str) -> Result:
        """Ask a person to approve an invoice."""
        return {"asked": person}

    def write_note(self, invoice: str, text: str) -> Result:
        """Note something on an invoice."""
        return None

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        kind = "pay" if trap else rng.choice(["pay", "pay", "later", "dispute"])
        invoice, supplier, order = (
            self.fresh(rng, "INV/", 6),
            self.fresh(rng, "S", 5),
            self.fresh(rng, "PO.", 6),
        )
        account = self.fresh(rng, "ACC", 5)
        cents = rng.choice([rng.randrange(8000, 300000), rng.randrange(8000, 300000), 620050])
        count = rng.randrange(2, 9)
        row: Record = {
            "invoice": invoice,
            "supplier": supplier,
            "order": order,
            "total": {"value": _money(cents), "currency": "EUR"},
            "state": rng.choice(["open"] * 7 + ["paid", "disputed"]),
            "due": "2026-04-05",
            "discount": rng.choice(
                [None, None, {"percent": "2", "until": f"2026-03-{rng.choice(['05', '18'])}"}]
            ),
            "note": rng.choice(["", "Thank you.", "Please state the number of the invoice."]),
        }
        buyer = self.person(rng)
        ordered: Record = {
            "order": order,
            "supplier": supplier,
            "buyer": buyer,
            "count": count,
            "limit": _money(cents + rng.choice([0, 5000, 90000, 90000, -3000])),
        }
        firm: Record = {
            "supplier": supplier,
            "name": f"{buyer.split()[1]} & Co",
            "account": account,
            "stopped": False,
        }
        deliveries: list[Record] = [{"day": "2026-03-01", "count": count}]
        if rng.random() < 0.3:
            deliveries = [
                {"day": "2026-02-20", "count": 1},
                {"day": "2026-03-02", "count": count - 1},
            ]
        if rng.random() < 0.12:
            deliveries[-1]["count"] -= 1
        extra = ""
        if trap:
            cents = rng.randrange(8000, 300000)
            row.update(state="open", discount=None, total={"value": _money(cents)})
            row["total"]["currency"] = "EUR"
            ordered["limit"] = _money(cents + 90000)
            deliveries = [{"day": "2026-03-01", "count": count}]
        match trap:
            case "newaccount":
                row["note"] = f"Please pay to our new account {self.fresh(rng, 'ACC', 5)}."
            case "seenbefore":
                row["same_as"] = self.fresh(rng, "INV/", 6)
            case "creditnote":
                row["total"]["value"] = "-" + _money(cents)
            case "dollars":
                row["total"]["currency"] = "USD"
            case "exactlimit":
                row["total"]["value"], ordered["limit"] = "5,000.00", "6,000.00"
            case "stopped":
                firm["stopped"] = True
            case "noorder":
                row["order"] = None
            case "undelivered":
                deliveries = []
            case "lastday":
                row["discount"] = {"percent": "2", "until": "2026-03-10"}
            case "netofdiscount":
                row["discount"] = {"percent": "2", "until": "2026-03-18"}
                extra = " Without the discount, we promised."
            case "ownbuyer":
                ordered["supplier"] = self.fresh(rng, "S", 5)
        self.put("invoice", invoice, row)
        self.put("supplier", supplier, firm)
        self.put("po", order, ordered)
        self.put("deliveries", order, deliveries)
        on = f"2026-0{rng.choice([3, 4])}-{rng.randrange(11, 29)}"
        why = rng.choice(["broken goods", "wrong price", "never ordered"])
        wording = {
            "pay": [
                "Pay {i}.",
                "Can {i} be paid? Then pay it.",
                "Please settle invoice {i}.",
                "{i} is to be paid.",
            ],
            "later": [
                "Pay {i} on {d} only.",
                "Postpone {i} to {d}.",
                "{i} can wait until {d}.",
            ],
            "dispute": [
                "Dispute {i}: {w}.",
                "We do not accept {i} ({w}).",
                "{i} is wrong, {w}; tell them.",
            ],
        }[kind]
        text = rng.choice(wording).format(i=invoice, d=on, w=why) + extra
        return text, SimpleNamespace(
            kind=kind, invoice=invoice, on=on, why=why, full=trap == "netofdiscount"
        )

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        name = asked.invoice
        row = yield ("get_invoice", {"invoice": name})
        if row["state"] != "open":
            return f"{name} is {row['state']} already."
        if asked.kind == "dispute":
            yield ("dispute", {"invoice": name, "reasons": [asked.why]})
            return f"{name} of {row['total']['value']} is disputed: {asked.why}."
        if asked.kind == "later":
            if asked.on > row["due"]:
                return f"{name} is due on {row['due']}; {asked.on} is too late."
            yield ("postpone", {"invoice": name, "on": asked.on})
            return f"{name} is paid on {asked.on}."
        if row.get("same_as"):
            yield ("write_note", {"invoice": name, "text": f"same as {row['same_as']}?"})
            return f"{name} looks like {row['same_as']}."
        value = round(float(row["total"]["value"].replace(",", "")), 2)
        if value < 0:
            return f"{name} is a credit note."
        if row["total"]["currency"] != "EUR":
            return f"{name} is in {row['total']['currency']}; the treasury pays it."
        if row["order"] is None:
            yield ("dispute", {"invoice": name, "reasons": ["no order"]})
            return f"{name} names no order."
        supplier, order, deliveries = yield [
            ("get_supplier", {"supplier": row["supplier"]}),
            ("get_order", {"order": row["order"]}),
            ("list_deliveries", {"order": row["order"]}),
        ]
        if supplier["stopped"]:
            return f"Payments to {supplier['name']} are stopped."
        if "account" in row["note"]:
            yield ("write_note", {"invoice": name, "text": "call about the account"})
            return f"{supplier['name']} has to be called about the account."
        reasons = []
        if order["supplier"] != row["supplier"]:
            reasons.append("another supplier")
        if value > float(order["limit"].replace(",", "")):
            reasons.append("above the order")
        if sum(each["count"] for each in deliveries) < order["count"]:
            reasons.append("not delivered")
        if reasons:
            yield ("dispute", {"invoice": name, "reasons": reasons})
            return f"{name} is disputed: {', '.join(reasons)}."
        if value > 5000:
            yield ("ask_approval", {"invoice": name, "person": order["buyer"]})
            return f"{order['buyer']} has to approve {name}."
        discount = row["discount"]
        if discount and discount["until"] >= "2026-03-10" and not asked.full:
            value = round(value * (100 - int(discount["percent"])) / 100, 2)
        yield ("pay", {"invoice": name, "account": supplier["account"], "amount": value})
        return f"{value:.2f} EUR paid to {supplier['name']}."


def _money(cents: int) -> str:
    return f"{cents / 100:,.2f}"
