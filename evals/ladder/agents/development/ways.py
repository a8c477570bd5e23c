"""Kind 13: one goal in two ways, by what the customer's record says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...names import CITIES
from ..kinds import Draw, Kind, Scene, Talk, Work
from ..office import Planted

__all__ = ["SEND_STATEMENT"]

_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August")
_UNUSUAL = ("neither", "no mail", "both", "no street", "fax")


def _scene(draw: Draw, different: bool) -> Scene:
    name, month, number = draw.person(), draw.choice(_MONTHS), draw.identifier("C")
    first, last = name.lower().split()
    record: dict[str, Any] = {
        "id": number,
        "name": name,
        "contact": draw.choice(("mail", "mail", "post")),
        "mail": f"{first}.{last}@example.org",
        "street": f"{draw.rng.randint(1, 99)} {draw.choice(CITIES)} Road",
    }
    if different:
        match draw.scheduled(_UNUSUAL):
            case "no mail":
                record.update(contact="mail", mail="")
            case "no street":
                record.update(contact="post", street="")
            case contact:
                record.update(contact=contact)
    text = f"Statement of {month} for {number}\nturnover: {draw.money(100, 9000)} euros\n"
    planted = Planted(
        rows=(("customers", name, record),), files={f"statements/{number}-{month}.txt": text}
    )
    return Scene({"customer": name, "month": month}, planted)


def _work(values: Mapping[str, str], talk: Talk) -> Work:
    name, month = values["customer"], values["month"]
    record = yield "find_customer", {"name": name}
    ways = {"mail": ("mail",), "post": ("street",), "both": ("mail", "street")}
    fields = ways.get(record["contact"], ())
    if not fields or not all(record[field] for field in fields):
        return f"The statement of {month} is not sent: how does {name} want to get it?"
    number = record["id"]
    text = yield "read_file", {"path": f"statements/{number}-{month}.txt"}
    sentences = []
    if "mail" in fields:
        args = {"to": record["mail"], "subject": f"Statement of {month}", "text": text}
        yield "send_mail", args
        sentences.append(f"The statement of {month} went to {record['mail']}.")
    if "street" in fields:
        letter = f"{name}\n{record['street']}\n\n{text}"
        yield "write_file", {"path": f"post/{number}-{month}.txt", "text": letter}
        sentences.append(f"The statement of {month} goes by post to {record['street']}.")
    return " ".join(sentences)


SEND_STATEMENT = Kind(
    13,
    "two ways of one goal",
    (
        "Send {customer} the statement of {month}.",
        "{customer} needs the statement for {month}, please send it.",
        "Let {customer} have our {month} statement.",
    ),
    _scene,
    _work,
)
