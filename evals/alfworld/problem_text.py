"""Writes a generated household as a PDDL problem in the form of ALFWorld's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .household import FITS, OPENABLE, RECEPTACLE_OBJECTS, TOGGLEABLE, TRAITS

__all__ = ["Household", "Item", "problem_text"]

_START = "loc_bar_0_bar_0_bar_0_bar_30"


@dataclass(frozen=True, slots=True)
class Item:
    """A receptacle or an object: its kind and its coordinates, in centimetres."""

    kind: str
    spot: tuple[int, int, int]

    @property
    def identifier(self) -> str:
        """PDDL id, such as ``Mug_bar__plus_01_dot_20_bar__plus_00_dot_90_bar__minus_00_dot_45``.

        A basin is part of a sink or bathtub there, and so it is here.
        """
        coordinates = "_bar_".join(_coordinate(number) for number in self.spot)
        whole = self.kind.removesuffix("Basin")
        return f"{whole}_bar_{coordinates}" + (f"_bar_{self.kind}" if whole != self.kind else "")

    @property
    def location(self) -> str:
        """PDDL id of the place where the agent stands to reach a receptacle."""
        x, y, z = (str(number).replace("-", "_minus_") for number in self.spot)
        return f"loc_bar_{x}_bar_{z}_bar_1_bar_{y}"


@dataclass(frozen=True, slots=True)
class Household:
    """A furnished room.

    Attributes:
        receptacles: What things can be put in or on.
        places: Object to the receptacle that holds it.
        ajar: Receptacles with a door that are open at the start.

    """

    receptacles: tuple[Item, ...]
    places: Mapping[Item, Item]
    ajar: frozenset[Item]


def problem_text(name: str, home: Household, goal: str) -> str:
    """Return the PDDL problem of a household.

    Args:
        name: Name of the problem; letters, digits and underscores.
        home: The room.
        goal: The PDDL expression that has to hold.

    """
    declared = "\n    ".join(_declarations(home))
    facts = "\n    ".join(_facts(home))
    return f"""
(define (problem plan_{name})
  (:domain alfred)
  (:objects
    {declared}
  )
  (:init
    {facts}
  )
  (:goal
    {goal}
  )
)
"""


def _coordinate(number: int) -> str:
    sign = "_minus_" if number < 0 else "_plus_"
    metres, rest = divmod(abs(number), 100)
    return f"{sign}{metres:02d}_dot_{rest:02d}"


def _object_kinds() -> list[str]:
    """Every object kind that some fact or action of the domain names."""
    return sorted({kind for kinds in FITS.values() for kind in kinds} | TOGGLEABLE)


def _declarations(home: Household) -> Iterator[str]:
    yield "agent1 - agent"
    yield from (f"{kind}Type - otype" for kind in _object_kinds())
    yield "SinkType - otype"  # the domain's action for cleaning names it
    yield from (f"{kind}Type - rtype" for kind in sorted(FITS))
    yield from (f"{item.identifier} - object" for item in home.places)
    yield from (f"{item.identifier} - receptacle" for item in home.receptacles)
    yield from (f"{item.location} - location" for item in home.receptacles)
    yield f"{_START} - location"


def _facts(home: Household) -> Iterator[str]:
    yield f"(atLocation agent1 {_START})"
    for receptacle in home.receptacles:
        yield f"(receptacleType {receptacle.identifier} {receptacle.kind}Type)"
        yield f"(receptacleAtLocation {receptacle.identifier} {receptacle.location})"
        if receptacle.kind in OPENABLE:
            yield f"(openable {receptacle.identifier})"
        if receptacle in home.ajar:
            yield f"(opened {receptacle.identifier})"
    for kind in sorted({receptacle.kind for receptacle in home.receptacles}):
        yield from (f"(canContain {kind}Type {thing}Type)" for thing in FITS[kind])
    for thing, receptacle in home.places.items():
        yield f"(objectType {thing.identifier} {thing.kind}Type)"
        yield f"(objectAtLocation {thing.identifier} {receptacle.location})"
        yield f"(inReceptacle {thing.identifier} {receptacle.identifier})"
        yield from (f"({trait} {thing.identifier})" for trait in _traits(thing.kind))


def _traits(kind: str) -> Iterator[str]:
    yield "toggleable" if kind in TOGGLEABLE else "pickupable"
    yield from (trait for trait, kinds in TRAITS.items() if kind in kinds)
    if kind in RECEPTACLE_OBJECTS:
        yield "isReceptacleObject"
