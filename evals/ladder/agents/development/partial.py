"""Kind 15: only what a change answers tells that it was done in part."""

from __future__ import annotations

from collections.abc import Mapping

from ...names import CITIES
from ..kinds import Draw, Kind, Scene, Talk, Work
from ..office import Planted

__all__ = ["BOOK_SEATS"]


def _scene(draw: Draw, different: bool) -> Scene:
    train, seats = draw.identifier("T"), draw.rng.randint(2, 9)
    booked = draw.rng.randint(1, seats - 1) if different else seats
    leaves = f"{draw.rng.randint(6, 21):02d}:{draw.rng.randrange(0, 60, 5):02d}"
    planted = Planted(
        pages={f"/trains/{train}": {"train": train, "to": draw.choice(CITIES), "leaves": leaves}},
        replies={
            f"/trains/{train}/seats": {"booking": draw.identifier("S"), "seats": booked},
        },
    )
    return Scene({"train": train, "seats": str(seats)}, planted)


def _work(values: Mapping[str, str], talk: Talk) -> Work:
    train, seats = values["train"], int(values["seats"])
    page = yield "http_get", {"path": f"/trains/{train}"}
    reply = yield "http_post", {"path": f"/trains/{train}/seats", "body": {"seats": seats}}
    if reply["seats"] != seats:
        body = {"booking": reply["booking"]}
        yield "http_post", {"path": f"/trains/{train}/releases", "body": body}
        return f"Train {train} has {reply['seats']} seats left; none was kept."
    return (
        f"{seats} seats on train {train} to {page['to']} at {page['leaves']} are booked: "
        f"{reply['booking']}."
    )


BOOK_SEATS = Kind(
    15,
    "a change that was done in part",
    (
        "Book {seats} seats on train {train}.",
        "We are {seats} people for train {train}, get us seats.",
        "Please get {seats} places in the train {train}.",
    ),
    _scene,
    _work,
)
