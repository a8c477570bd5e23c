"""Names that the worlds draw from; training and test share none.

Every second name of a pool belongs to training, the others to the test.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

__all__ = [
    "CITIES",
    "COLOURS",
    "PARTS",
    "PEOPLE",
    "PRODUCTS",
    "SURNAMES",
    "TEAMS",
    "Part",
    "of_part",
]

Part: TypeAlias = Literal["train", "test"]


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


PEOPLE = _names(
    "Ada Ben Carla Dmitri Elif Farid Greta Hugo Ines Jonas Kira Lars Mona Nils Olga Pavel Quentin "
    "Rosa Samir Tilda Umar Vera Wanda Xaver Yara Zeno Anouk Boris Celia Darius Emre Fiona Goran "
    "Hilde Igor Juno Kemal Lotte Marek Nadia Otto Petra Ravi Sanne Tariq Ulla Viktor Wilma"
)
SURNAMES = _names(
    "Abbott Bauer Castro Dahl Eriksen Fischer Greco Hansen Ibsen Jansen Keller Lopez Meyer Novak "
    "Okafor Petrov Quist Rossi Silva Tanaka Urban Vogel Weber Young Zander Almeida Brandt Conti "
    "Duarte Engel Ferro Gallo Hoffman Iversen Jung Kowalski"
)
CITIES = _names(
    "Aachen Bergen Cadiz Dublin Essen Florence Ghent Hamburg Izmir Jena Krakow Lisbon Malmo "
    "Nantes Oslo Porto Quimper Riga Seville Turin Utrecht Vienna Warsaw Xanten York Zurich Athens "
    "Basel Cork Delft Exeter Faro Graz Helsinki Innsbruck Jaen Kiel Leeds Madrid Nice"
)
PRODUCTS = (
    *("lamp", "desk chair", "kettle", "tea pot", "rug", "wall clock", "mirror", "coat rack"),
    *("stapler", "paper tray", "whiteboard", "marker set", "router", "network cable", "monitor"),
    *("keyboard", "headset", "web camera", "printer", "toner", "ladder", "tool box", "drill"),
    *("hand saw", "hammer", "paint roller", "bucket", "garden hose", "broom", "dust pan", "torch"),
    *("battery pack", "fan", "heater", "blanket", "pillow", "towel", "soap dish", "basket"),
    *("water jug", "bread knife", "cutting board", "mixing bowl", "ladle", "frying pan"),
)
PARTS = (
    *("pump", "valve", "gasket", "rotor", "belt", "filter", "sensor", "relay", "fuse", "bearing"),
    *("piston", "nozzle", "spring", "clutch", "gearbox", "shaft", "coil", "switch", "lever"),
    *("hinge", "bracket", "seal", "hose", "impeller", "turbine", "blower", "heater coil", "damper"),
)
COLOURS = (
    *("red", "blue", "green", "yellow", "black", "white", "purple", "orange", "grey", "brown"),
    *("pink", "teal", "amber", "violet", "silver", "gold", "crimson", "navy", "olive", "ivory"),
)
TEAMS = (
    *("sales", "billing", "support", "design", "finance", "research", "legal", "logistics"),
    *("security", "marketing", "training", "catering", "transport", "archive", "payroll", "press"),
)


def of_part(pool: tuple[str, ...], part: Part) -> tuple[str, ...]:
    """Return the half of a pool that belongs to ``part``."""
    return pool[0::2] if part == "train" else pool[1::2]
