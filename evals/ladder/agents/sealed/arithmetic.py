"""Kind 14: an amount and a text are worked out of three results."""

from __future__ import annotations

from collections.abc import Mapping

from ...names import CITIES
from ..kinds import Draw, Kind, Scene, Talk, Work
from ..office import Planted

__all__ = ["PAY_TRIP"]

_GRADES = ("junior", "senior", "partner")


def _scene(draw: Draw, different: bool) -> Scene:
    trip, name, grade = draw.identifier("W"), draw.person(), draw.choice(_GRADES)
    kilometres, nights = draw.rng.randint(20, 700), draw.rng.randint(1, 6)
    rates = {"per_km": draw.rng.randint(20, 45) / 100, "per_night": draw.rng.randint(60, 140)}
    total = kilometres * rates["per_km"] + nights * rates["per_night"]
    most = int(total * 0.8) if different else int(total * (1 + draw.rng.random())) + 1
    account = f"LU{draw.rng.randint(10**9, 10**10 - 1)}"
    planted = Planted(
        rows=(("customers", name, {"name": name, "grade": grade, "account": account}),),
        pages={
            f"/trips/{trip}": {
                "trip": trip,
                "traveller": name,
                "to": draw.choice(CITIES),
                "km": kilometres,
                "nights": nights,
            },
            f"/rates/{grade}": {"grade": grade, **rates, "most": most},
        },
    )
    return Scene({"trip": trip}, planted)


def _work(values: Mapping[str, str], talk: Talk) -> Work:
    trip = values["trip"]
    page = yield "http_get", {"path": f"/trips/{trip}"}
    name = page["traveller"]
    record = yield "find_customer", {"name": name}
    rates = yield "http_get", {"path": f"/rates/{record['grade']}"}
    amount = round(page["km"] * rates["per_km"] + page["nights"] * rates["per_night"], 2)
    if amount > rates["most"]:
        body = {"trip": trip, "over": round(amount - rates["most"], 2)}
        yield "http_post", {"path": "/travel/questions", "body": body}
        return f"Trip {trip} of {name} costs {amount} euros, {body['over']} too much: not paid."
    reference = f"{page['to']}: {page['km']} km and {page['nights']} nights"
    yield "pay", {"account": record["account"], "amount": amount, "reference": reference}
    return f"{name} gets {amount} euros for {reference}."


PAY_TRIP = Kind(
    14,
    "a chain with arithmetic",
    (
        "Pay the costs of trip {trip}.",
        "Trip {trip} is over, please pay for it.",
        "Settle the travel costs of {trip}, please.",
    ),
    _scene,
    _work,
)
