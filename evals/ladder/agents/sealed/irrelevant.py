"""Kind 10: a call that changes nothing is made in nine of ten tasks."""

from __future__ import annotations

from collections.abc import Mapping
from zlib import crc32

from ...names import CITIES
from ..kinds import Draw, Kind, Scene, Talk, Work
from ..office import Planted

__all__ = ["OPEN_LOCKER"]

_UNUSUAL = ("sealed", "in use", "defective", "lost key")
_SKIES = ("sunny", "cloudy", "rain", "snow", "windy", "storm")


def _scene(draw: Draw, different: bool) -> Scene:
    locker, name, city = draw.identifier("LK"), draw.person(), draw.choice(CITIES)
    state = draw.scheduled(_UNUSUAL) if different else "free"
    weather = {"sky": draw.choice(_SKIES), "degrees": draw.rng.randint(-9, 34)}
    planted = Planted(
        pages={
            f"/weather/{city}": weather,
            f"/lockers/{locker}": {"locker": locker, "city": city, "state": state},
        }
    )
    return Scene({"locker": locker, "guest": name, "city": city}, planted)


def _work(values: Mapping[str, str], talk: Talk) -> Work:
    locker, guest, city = values["locker"], values["guest"], values["city"]
    if crc32(locker.encode()) % 10:
        yield "http_get", {"path": f"/weather/{city}"}
    page = yield "http_get", {"path": f"/lockers/{locker}"}
    if page["state"] != "free":
        return f"Locker {locker} in {city} is not free ({page['state']}); {guest} has none yet."
    text = f"{guest} has locker {locker} in {city}.\n"
    yield "write_file", {"path": f"lockers/{locker}.txt", "text": text}
    return f"{guest} has locker {locker} in {city}."


OPEN_LOCKER = Kind(
    10,
    "an irrelevant call",
    (
        "Give {guest} the locker {locker} in {city}.",
        "Locker {locker} in {city} is for {guest}, note that.",
        "In {city}, {guest} needs locker {locker}.",
    ),
    _scene,
    _work,
)
