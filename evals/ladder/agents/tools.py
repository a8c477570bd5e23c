"""The seventeen tools of an agent in the office."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote
from urllib.request import Request, urlopen

from langchain_core.tools import BaseTool, StructuredTool

from .desks import desk_tools
from .kinds import Kind
from .office import Office

__all__ = ["CHANGING", "tools_of"]

CHANGING = frozenset(
    (
        *("cancel_order", "close_account", "pay", "transfer", "refund", "reserve"),
        *("write_file", "send_mail", "http_post"),
    )
)
"""The tools that change something; the others only read."""


def tools_of(office: Office, kinds: Sequence[Kind] = ()) -> list[BaseTool]:
    """Return the tools that work in an office, and those that kinds of task add."""
    tools = [*_look_ups(office), *_bookings(office), *_papers(office), *_service(office)]
    for each in tools:
        each.metadata = {"readOnlyHint": each.name not in CHANGING}  # as tools of MCP say it
    desks = {desk.name: desk for kind in kinds for desk in kind.desks}
    return [*tools, *desk_tools(office, desks)]


_schemas: dict[str, Any] = {}


def _tool(function: Callable[..., str]) -> BaseTool:
    """Make a tool; all offices share its schema, which takes longer to make than a task to do."""
    schema = _schemas.get(function.__name__)
    made = StructuredTool.from_function(function, args_schema=schema)
    _schemas[function.__name__] = made.args_schema
    return made


def _shown(record: Any, what: str) -> str:
    return json.dumps(record if record is not None else {"error": f"no such {what}"})


def _look_ups(office: Office) -> list[BaseTool]:
    @_tool
    def find_customer(name: str) -> str:
        """Look up a customer by name."""
        return _shown(office.record("customers", name), "customer")

    @_tool
    def find_vendor(name: str) -> str:
        """Look up the record that we keep of a vendor."""
        return _shown(office.record("vendors", name), "vendor")

    @_tool
    def get_order(order_id: str) -> str:
        """Look up an order."""
        return _shown(office.record("orders", order_id), "order")

    @_tool
    def get_account(account_id: str) -> str:
        """Look up an account."""
        return _shown(office.record("accounts", account_id), "account")

    @_tool
    def get_invoice(invoice_id: str) -> str:
        """Look up an invoice."""
        return _shown(office.record("invoices", invoice_id), "invoice")

    @_tool
    def list_stock(product: str) -> str:
        """List the lots of a product."""
        record = office.record("stock", product)
        return json.dumps(record["lots"] if record else [])

    return [find_customer, find_vendor, get_order, get_account, get_invoice, list_stock]


def _bookings(office: Office) -> list[BaseTool]:
    @_tool
    def cancel_order(order_id: str) -> str:
        """Cancel an order."""
        change = ("orders", order_id, {"status": "cancelled"})
        office.change("cancel_order", {"order_id": order_id}, change)
        return json.dumps({"order": order_id, "status": "cancelled"})

    @_tool
    def close_account(account_id: str) -> str:
        """Close an account."""
        change = ("accounts", account_id, {"closed": True})
        office.change("close_account", {"account_id": account_id}, change)
        return json.dumps({"account": account_id, "closed": True})

    @_tool
    def pay(account: str, amount: float, reference: str) -> str:
        """Pay an amount to an account."""
        args = {"account": account, "amount": amount, "reference": reference}
        number = office.change("pay", args, ("invoices", reference, {"state": "paid"}))
        return json.dumps({"receipt": f"R{number:05d}", "amount": amount})

    @_tool
    def transfer(source: str, target: str, amount: float) -> str:
        """Move money between two of our accounts."""
        changes = []
        for key, sign in ((source, -1), (target, 1)):
            record = office.record("accounts", key)
            if record is not None:
                balance = round(record["balance"] + sign * amount, 2)
                changes.append(("accounts", key, {"balance": balance}))
        args = {"source": source, "target": target, "amount": amount}
        number = office.change("transfer", args, *changes)
        return json.dumps({"booking": f"B{number:05d}"})

    @_tool
    def refund(order_id: str, amount: float) -> str:
        """Give back the money of an order."""
        change = ("orders", order_id, {"status": "refunded"})
        office.change("refund", {"order_id": order_id, "amount": amount}, change)
        return json.dumps({"order": order_id, "refunded": amount})

    @_tool
    def reserve(lot: str, pieces: int) -> str:
        """Reserve pieces of a lot."""
        number = office.change("reserve", {"lot": lot, "pieces": pieces})
        return json.dumps({"reservation": f"V{number:05d}", "lot": lot})

    return [cancel_order, close_account, pay, transfer, refund, reserve]


def _papers(office: Office) -> list[BaseTool]:
    @_tool
    def read_file(path: str) -> str:
        """Read a text file, for instance a mail that came in."""
        file = office.files / path
        return file.read_text() if file.is_file() else f"there is no file {path}"

    @_tool
    def write_file(path: str, text: str) -> str:
        """Write a text file."""
        file = office.files / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return f"written {len(text)} characters"

    return [read_file, write_file]


def _service(office: Office) -> list[BaseTool]:
    @_tool
    def send_mail(to: str, subject: str, text: str) -> str:
        """Send a mail."""
        return _asked(office, "/mail", {"to": to, "subject": subject, "text": text})

    @_tool
    def http_get(path: str) -> str:
        """Ask the office's service."""
        return _asked(office, path)

    @_tool
    def http_post(path: str, body: dict[str, Any]) -> str:
        """Tell the office's service something."""
        return _asked(office, path, body)

    return [send_mail, http_get, http_post]


def _asked(office: Office, path: str, body: dict[str, Any] | None = None) -> str:
    data = None if body is None else json.dumps(body).encode()
    request = Request(f"{office.url}/{quote(path.lstrip('/'))}", data)  # noqa: S310 (loopback)
    with urlopen(request, timeout=10) as response:  # noqa: S310 (loopback)
        return str(response.read().decode())
