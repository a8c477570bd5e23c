"""Small text worlds that no part of macla was written for, one shape of world each.

In held-out episodes about half of the names are ones that no demonstration has.
"""

from .base import (
    ForeignTask,
    ForeignWorld,
    demonstration,
    demonstrations,
    held_out_tasks,
)
from .bomb import Bomb
from .house import House, HouseAnyStart, HouseByName
from .kitchen import HastyKitchen, Kitchen
from .office import Office
from .plant import Plant
from .workshop import Workshop
from .yard import PlainYard, Yard

__all__ = [
    "WORLDS",
    "Bomb",
    "ForeignTask",
    "ForeignWorld",
    "HastyKitchen",
    "House",
    "HouseAnyStart",
    "HouseByName",
    "Kitchen",
    "Office",
    "PlainYard",
    "Plant",
    "Workshop",
    "Yard",
    "demonstration",
    "demonstrations",
    "held_out_tasks",
    "horizon",
]

WORLDS: tuple[type[ForeignWorld], ...] = (
    Plant,
    Kitchen,
    HastyKitchen,
    Bomb,
    House,
    HouseByName,
    HouseAnyStart,
    Office,
    Workshop,
    Yard,
    PlainYard,
)


def horizon(world: type[ForeignWorld]) -> int:
    """Return how many actions an episode may take."""
    return 40 if issubclass(world, House) else 25
