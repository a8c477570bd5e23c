"""Kind 16: what is asked for was done already."""

from __future__ import annotations

from collections.abc import Mapping

from ...names import PRODUCTS, TEAMS
from ..kinds import Draw, Kind, Scene, Talk, Work
from ..office import Planted

__all__ = ["ORDER_GOODS"]


def _scene(draw: Draw, different: bool) -> Scene:
    products, team = draw.rng.sample(PRODUCTS, 4), draw.choice(TEAMS)
    pieces = draw.rng.randint(2, 30)
    requests = [
        {"request": draw.identifier("Z"), "product": product, "pieces": draw.rng.randint(1, 30)}
        for product in products[1 : 1 + draw.rng.randint(0, 3)]
    ]
    if different:
        same = {"request": draw.identifier("Z"), "product": products[0], "pieces": pieces}
        requests.insert(draw.rng.randint(0, len(requests)), same)
    values = {"pieces": str(pieces), "product": products[0], "team": team}
    return Scene(values, Planted(pages={f"/requests/{team}": requests}))


def _work(values: Mapping[str, str], talk: Talk) -> Work:
    pieces, product, team = int(values["pieces"]), values["product"], values["team"]
    requests = yield "http_get", {"path": f"/requests/{team}"}
    for each in requests:
        if (each["product"], each["pieces"]) == (product, pieces):
            return f"Nothing is ordered: {each['request']} of {team} asks for the same already."
    body = {"team": team, "product": product, "pieces": pieces}
    yield "http_post", {"path": "/requests", "body": body}
    return f"{pieces} pieces of the {product} are ordered for {team}."


ORDER_GOODS = Kind(
    16,
    "a thing done already",
    (
        "Order {pieces} pieces of the {product} for {team}.",
        "The {team} team needs {pieces} of the {product}, order them.",
        "Please order the {product} for {team}, {pieces} times.",
    ),
    _scene,
    _work,
)
