"""What stands in a household, and what belongs where: the generator's knowledge.

Kinds are written as in the PDDL of official games (``SoapBottle``). The proportions are
rough figures for the official training games; which kind may be put on which is the same
there and here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["FITS", "OPENABLE", "RECEPTACLE_OBJECTS", "ROOMS", "TOGGLEABLE", "TRAITS", "Room"]


@dataclass(frozen=True, slots=True)
class Room:
    """A kind of room.

    Attributes:
        receptacles: Kind to (chance that the room has any, fewest, most).
        things: Object kind to the receptacle kinds where it is usually kept, the most
            usual first.

    """

    receptacles: Mapping[str, tuple[float, int, int]]
    things: Mapping[str, tuple[str, ...]]


def _table(text: str) -> dict[str, tuple[str, ...]]:
    """Read lines of the form ``Key: Word Word …``."""
    rows = (line.split(":") for line in text.strip().splitlines())
    return {key.strip(): tuple(words.split()) for key, words in rows}


OPENABLE = frozenset({"Cabinet", "Drawer", "Fridge", "Microwave", "Safe"})
"""Receptacle kinds with a door; in official games some cabinets and drawers lack one."""

TOGGLEABLE = frozenset({"DeskLamp"})
"""Object kinds that can be switched on. They cannot be carried."""

RECEPTACLE_OBJECTS = frozenset({"Bowl", "Box", "Cup", "Mug", "Pan", "Plate", "Pot"})
"""Object kinds of which the domain says that they can hold something themselves."""

TRAITS = {
    trait: frozenset(kinds)
    for trait, kinds in _table("""
cleanable: Apple Bowl ButterKnife Cloth Cup DishSponge Egg Fork Kettle Knife Ladle Lettuce Mug \
Pan Plate Pot Potato SoapBar Spatula Spoon Tomato
heatable: Apple Bread Cup Egg Mug Plate Potato Tomato
coolable: Apple Bowl Bread Cup Egg Lettuce Mug Pan Plate Pot Potato Tomato WineBottle
sliceable: Apple Bread Egg Lettuce Potato Tomato
""").items()
}
"""What can be done with which object kinds."""

FITS = _table("""
ArmChair: Book Box CellPhone Cloth CreditCard KeyChain Laptop Newspaper Pillow RemoteControl
BathtubBasin: Cloth DishSponge HandTowel SoapBar
Bed: Book CellPhone Laptop Pillow
Cabinet: Book Bowl Candle Cloth Cup DishSponge HandTowel Kettle Ladle Mug Pan PepperShaker \
Plate Pot SaltShaker SoapBar SoapBottle SprayBottle TissueBox ToiletPaper Vase WineBottle
CoffeeMachine: Mug
CoffeeTable: Book Bowl Box CellPhone CreditCard KeyChain Laptop Newspaper Pencil Pen Plate \
RemoteControl Statue TissueBox Vase Watch
CounterTop: Apple Bowl Bread ButterKnife Candle Cloth Cup DishSponge Egg Fork HandTowel Kettle \
Knife Ladle Lettuce Mug Pan PepperShaker Plate Potato Pot SaltShaker SoapBar SoapBottle Spatula \
Spoon SprayBottle TissueBox ToiletPaper Tomato WineBottle
Desk: AlarmClock Book Bowl CD CellPhone CreditCard KeyChain Laptop Mug Pencil Pen RemoteControl \
Statue TissueBox Vase Watch
DiningTable: Apple Book Bowl Box Bread ButterKnife Cup DishSponge Egg Fork Kettle Knife Ladle \
Laptop Lettuce Mug Newspaper Pan PepperShaker Plate Potato Pot RemoteControl SaltShaker \
SoapBottle Spatula Spoon Statue TissueBox Tomato Vase Watch WineBottle
Drawer: Book ButterKnife Candle CD CellPhone Cloth CreditCard DishSponge Fork HandTowel KeyChain \
Knife Ladle Newspaper Pencil Pen PepperShaker RemoteControl SaltShaker SoapBar SoapBottle \
Spatula Spoon SprayBottle TissueBox ToiletPaper Watch
Dresser: AlarmClock Book Bowl Box CD CellPhone CreditCard KeyChain Laptop Mug Newspaper Pencil \
Pen Plate RemoteControl SprayBottle Statue TissueBox ToiletPaper Vase Watch
Fridge: Apple Bowl Bread Cup Egg Lettuce Mug Pan Plate Potato Pot Tomato WineBottle
GarbageCan: Apple Bread CD Cloth DishSponge Egg HandTowel Lettuce Newspaper Pencil Pen Potato \
SoapBar SoapBottle SprayBottle TissueBox ToiletPaper Tomato WineBottle
HandTowelHolder: HandTowel
Microwave: Apple Bowl Bread Cup Egg Mug Plate Potato Tomato
Safe: CD CellPhone CreditCard KeyChain Statue Vase
Shelf: AlarmClock Book Bowl Box Candle CD CellPhone Cloth CreditCard Cup DishSponge HandTowel \
KeyChain Mug Newspaper Pencil Pen PepperShaker Plate RemoteControl SaltShaker SoapBar \
SoapBottle SprayBottle Statue TissueBox ToiletPaper Vase Watch WineBottle
SideTable: AlarmClock Book Bowl Box CD CellPhone CreditCard KeyChain Laptop Mug Newspaper Pencil \
Pen PepperShaker Plate RemoteControl SaltShaker Statue TissueBox ToiletPaper Vase Watch
SinkBasin: Apple Bowl ButterKnife Cloth Cup DishSponge Egg Fork HandTowel Kettle Knife Ladle \
Lettuce Mug Pan Plate Potato Pot SoapBar Spatula Spoon Tomato
Sofa: Book Box CellPhone CreditCard KeyChain Laptop Newspaper Pillow RemoteControl
StoveBurner: Kettle Pan Pot
Toaster:
Toilet: Candle Cloth DishSponge HandTowel SoapBar SoapBottle SprayBottle TissueBox ToiletPaper
ToiletPaperHanger: ToiletPaper
""")
"""Receptacle kind to the object kinds that may be put there."""

_KITCHEN = Room(
    receptacles={
        "Cabinet": (1.0, 3, 8),
        "CoffeeMachine": (1.0, 1, 1),
        "CounterTop": (1.0, 1, 3),
        "DiningTable": (0.6, 1, 2),
        "Drawer": (1.0, 2, 5),
        "Fridge": (1.0, 1, 1),
        "GarbageCan": (1.0, 1, 1),
        "Microwave": (1.0, 1, 1),
        "Shelf": (0.25, 1, 3),
        "SinkBasin": (1.0, 1, 1),
        "StoveBurner": (1.0, 2, 4),
        "Toaster": (1.0, 1, 1),
    },
    things=_table("""
Apple: Fridge CounterTop DiningTable GarbageCan SinkBasin
Bowl: Cabinet CounterTop Fridge DiningTable
Bread: CounterTop DiningTable Fridge
ButterKnife: CounterTop DiningTable Drawer SinkBasin
Cup: Cabinet CounterTop Fridge SinkBasin
DishSponge: Cabinet CounterTop Drawer SinkBasin
Egg: CounterTop Fridge SinkBasin GarbageCan Microwave
Fork: CounterTop DiningTable Drawer SinkBasin
Kettle: StoveBurner CounterTop Cabinet
Knife: CounterTop DiningTable Drawer
Ladle: CounterTop Cabinet Drawer
Lettuce: CounterTop DiningTable Fridge
Mug: CounterTop CoffeeMachine Cabinet Microwave
Pan: StoveBurner CounterTop Cabinet
PepperShaker: Cabinet CounterTop DiningTable Drawer Shelf
Plate: Cabinet CounterTop DiningTable
Potato: CounterTop Fridge DiningTable SinkBasin
Pot: StoveBurner CounterTop
SaltShaker: Cabinet CounterTop Drawer DiningTable Shelf
SoapBottle: CounterTop Cabinet GarbageCan
Spatula: CounterTop Drawer DiningTable
Spoon: CounterTop Drawer DiningTable SinkBasin
Tomato: Fridge CounterTop DiningTable GarbageCan
WineBottle: CounterTop Cabinet DiningTable
"""),
)

_LIVING_ROOM = Room(
    receptacles={
        "ArmChair": (0.9, 1, 2),
        "CoffeeTable": (0.9, 1, 1),
        "DiningTable": (0.4, 1, 1),
        "Drawer": (0.8, 1, 5),
        "Dresser": (0.5, 1, 1),
        "GarbageCan": (1.0, 1, 1),
        "Shelf": (0.4, 1, 4),
        "SideTable": (0.9, 1, 3),
        "Sofa": (1.0, 1, 1),
    },
    things=_table("""
Book: CoffeeTable Dresser Sofa
Box: Sofa CoffeeTable DiningTable
CellPhone: Sofa CoffeeTable Dresser
CreditCard: Sofa SideTable CoffeeTable ArmChair Drawer
DeskLamp: SideTable CoffeeTable
KeyChain: Drawer CoffeeTable SideTable Sofa
Laptop: Sofa CoffeeTable DiningTable
Newspaper: Sofa DiningTable CoffeeTable Shelf
Pillow: Sofa ArmChair
Plate: DiningTable CoffeeTable Shelf
RemoteControl: CoffeeTable Sofa SideTable Dresser ArmChair
Statue: CoffeeTable Shelf SideTable
TissueBox: CoffeeTable SideTable Shelf
Vase: Shelf CoffeeTable SideTable
Watch: CoffeeTable Drawer SideTable
"""),
)

_BEDROOM = Room(
    receptacles={
        "ArmChair": (0.2, 1, 1),
        "Bed": (1.0, 1, 1),
        "Desk": (0.7, 1, 2),
        "Drawer": (1.0, 2, 6),
        "Dresser": (0.5, 1, 1),
        "GarbageCan": (1.0, 1, 1),
        "Safe": (0.2, 1, 1),
        "Shelf": (0.6, 1, 4),
        "SideTable": (0.8, 1, 2),
    },
    things=_table("""
AlarmClock: Desk Shelf SideTable Dresser
Book: Bed Desk Drawer
CD: Drawer Desk SideTable GarbageCan
CellPhone: Bed Desk Drawer
CreditCard: Drawer Desk Shelf SideTable
DeskLamp: SideTable Desk Dresser Shelf
KeyChain: Drawer SideTable Shelf Safe
Laptop: Bed Desk
Mug: Desk Shelf Dresser SideTable
Pencil: SideTable Desk Drawer Shelf
Pen: Desk Drawer Dresser SideTable
Pillow: Bed
"""),
)

_BATHROOM = Room(
    receptacles={
        "BathtubBasin": (0.7, 1, 1),
        "Cabinet": (0.7, 2, 5),
        "CounterTop": (1.0, 1, 2),
        "Drawer": (0.6, 1, 4),
        "GarbageCan": (1.0, 1, 1),
        "HandTowelHolder": (1.0, 1, 2),
        "Shelf": (0.2, 1, 3),
        "SinkBasin": (1.0, 1, 2),
        "Toilet": (1.0, 1, 1),
        "ToiletPaperHanger": (1.0, 1, 1),
    },
    things=_table("""
Candle: CounterTop Toilet Cabinet Drawer
Cloth: BathtubBasin Drawer Cabinet CounterTop
DishSponge: Drawer BathtubBasin CounterTop
HandTowel: HandTowelHolder CounterTop
SoapBar: CounterTop SinkBasin Drawer Toilet
SoapBottle: CounterTop Toilet Cabinet GarbageCan
SprayBottle: CounterTop Toilet Cabinet
TissueBox: CounterTop Shelf Drawer
ToiletPaper: CounterTop Toilet Cabinet GarbageCan
"""),
)

ROOMS: Mapping[str, Room] = {
    "kitchen": _KITCHEN,
    "living room": _LIVING_ROOM,
    "bedroom": _BEDROOM,
    "bathroom": _BATHROOM,
}
