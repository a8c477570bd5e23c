"""Kind 11: one of several rows is picked; sometimes none fits, or two do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...names import COLOURS, PRODUCTS
from ..kinds import Draw, Kind, Scene, Talk, Work
from ..office import Planted

__all__ = ["RESERVE_LOT"]

_SIDES = ("north", "south")


def _scene(draw: Draw, different: bool) -> Scene:
    product, side = draw.choice(PRODUCTS), draw.choice(_SIDES)
    colours = draw.rng.sample(COLOURS, 3)
    prices = draw.rng.sample(range(300, 4000, 5), 8)
    lots: list[dict[str, Any]] = [
        {"lot": draw.identifier("L"), "colour": colour, "store": store, "price": prices.pop() / 100}
        for colour, store in (
            *((colours[0], side),) * draw.rng.randint(1, 3),
            (colours[0], _SIDES[side == "north"]),
            (colours[1], side),
            *((draw.choice(colours[1:]), draw.choice(_SIDES)),) * draw.rng.randint(0, 2),
        )
    ]
    if different:
        fitting = [each for each in lots if (each["colour"], each["store"]) == (colours[0], side)]
        if draw.scheduled(("none", "two", "none", "two")) == "none":
            lots = [each for each in lots if each not in fitting]
        else:
            least = min(fitting, key=lambda each: float(each["price"]))
            lots.append({**least, "lot": draw.identifier("L")})
    draw.rng.shuffle(lots)
    values = {
        "pieces": str(draw.rng.randint(2, 40)),
        "colour": colours[0],
        "product": product,
        "store": side,
    }
    return Scene(values, Planted(rows=(("stock", product, {"lots": lots}),)))


def _work(values: Mapping[str, str], talk: Talk) -> Work:
    pieces, colour, product, store = (
        values[key] for key in ("pieces", "colour", "product", "store")
    )
    lots = yield "list_stock", {"product": product}
    fitting = [each for each in lots if (each["colour"], each["store"]) == (colour, store)]
    if not fitting:
        return f"The {store} store has no {colour} {product}; nothing is reserved."
    least = min(each["price"] for each in fitting)
    cheapest = [each for each in fitting if each["price"] == least]
    if len(cheapest) > 1:
        names = " and ".join(each["lot"] for each in cheapest)
        return f"The lots {names} cost the same, {least} euros. Which of them is it to be?"
    lot = cheapest[0]["lot"]
    booking = yield "reserve", {"lot": lot, "pieces": int(pieces)}
    return (
        f"{pieces} pieces of lot {lot} are reserved at {least} euros each, "
        f"number {booking['reservation']}."
    )


RESERVE_LOT = Kind(
    11,
    "a pick from a list",
    (
        "Reserve {pieces} pieces of the cheapest {colour} {product} in the {store} store.",
        "From the {store} store, put {pieces} of the {product} in {colour} aside, the cheapest.",
        "We need {pieces} times the {product} in {colour}, cheapest lot of the {store} store.",
    ),
    _scene,
    _work,
)
