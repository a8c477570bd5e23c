"""Kind 4: a limit that only the policy of the model names."""

from __future__ import annotations

from collections.abc import Mapping

from ..kinds import Draw, Kind, Scene, Talk, Work
from ..office import Planted

__all__ = ["PAY_CLAIM"]

_LIMIT = 400
_PURPOSES = ("travel", "tools", "training", "catering")


def _scene(draw: Draw, different: bool) -> Scene:
    claim = draw.identifier("X")
    near, far = draw.money(_LIMIT, _LIMIT + 30), draw.money(_LIMIT + 30, 900)
    amount = draw.money(20, _LIMIT)
    if different:
        amount = near + 0.01 if draw.ordinal % 3 == 2 else far
    page = {
        "claim": claim,
        "employee": draw.person(),
        "purpose": draw.choice(_PURPOSES),
        "amount": round(amount, 2),
        "account": f"BE{draw.rng.randint(10**9, 10**10 - 1)}",
    }
    return Scene({"claim": claim}, Planted(pages={f"/claims/{claim}": page}))


def _work(values: Mapping[str, str], talk: Talk) -> Work:
    claim = values["claim"]
    page = yield "http_get", {"path": f"/claims/{claim}"}
    amount, employee = page["amount"], page["employee"]
    if amount > _LIMIT:
        body = {"claim": claim, "amount": amount}
        yield "http_post", {"path": "/approvals", "body": body}
        return f"Claim {claim} of {employee} over {amount} euros has to be approved first."
    yield "pay", {"account": page["account"], "amount": amount, "reference": claim}
    return f"{employee} gets {amount} euros for claim {claim}."


PAY_CLAIM = Kind(
    4,
    "a limit",
    (
        "Pay out the claim {claim}.",
        "Expense claim {claim} came in, handle it.",
        "Please see to the claim with the number {claim}.",
    ),
    _scene,
    _work,
)
