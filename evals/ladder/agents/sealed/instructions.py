"""Kind 6: the policy in the system prompt changes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..kinds import Draw, Kind, Scene, Talk, Work
from ..office import Planted

__all__ = ["GIVE_CREDIT"]

_LIMITS = (200, 200, 120, 160, 160, 90)
_FROZEN = "All credits are frozen today."
_LIMIT = re.compile(r"Credits of up to (\d+) euros are yours to give")


def _scene(draw: Draw, different: bool) -> Scene:
    limit = _LIMITS[draw.number % len(_LIMITS)]
    highest = max(_LIMITS)
    system = f"Credits of up to {limit} euros are yours to give; more goes to the manager."
    amount = draw.rng.randint(5, limit)
    if different:
        if draw.ordinal % 3 == 1 or limit == highest:
            system = f"{system} {_FROZEN}"
        else:
            amount = draw.rng.randint(limit + 1, highest)
    name = draw.person()
    customer = {"id": draw.identifier("G"), "name": name, "credit": draw.identifier("GC")}
    planted = Planted(rows=(("customers", name, customer),))
    return Scene({"customer": name, "amount": str(amount)}, planted, system)


def _work(values: Mapping[str, str], talk: Talk) -> Work:
    name, amount = values["customer"], int(values["amount"])
    record = yield "find_customer", {"name": name}
    if _FROZEN in talk.system:
        return f"{name} gets no credit now: all credits are frozen today."
    limit = _LIMIT.search(talk.system)
    if limit is None or amount > int(limit[1]):
        body = {"customer": record["id"], "amount": amount}
        yield "http_post", {"path": "/manager", "body": body}
        return f"A credit of {amount} euros for {name} is for the manager to decide."
    args = {"account": record["credit"], "amount": amount, "reference": f"credit {record['id']}"}
    yield "pay", args
    return f"{name} has a credit of {amount} euros."


GIVE_CREDIT = Kind(
    6,
    "a policy that changes",
    (
        "Give {customer} a credit of {amount} euros.",
        "{customer} is to get {amount} euros credit.",
        "Please credit {customer} with {amount} euros.",
    ),
    _scene,
    _work,
)
