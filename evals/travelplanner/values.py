"""What the texts of a plan say: names with their city, legs from one city to another.

A plan is texts: ``"Subway, Rockford"``, ``"from Rockford to St. Petersburg"``, and ``"-"`` for
nothing. The official evaluator reads them with the expressions below, and so does this package.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["NOTHING", "Leg", "NamedPlace", "filled", "leg_of", "named_place", "sights_of"]

NOTHING = "-"
_NAMED = re.compile(r"(.*?),\s*([^,]+)(\(\w[\w\s]*\))?$")
_LEG = re.compile(r"from\s+(.+?)\s+to\s+([^,]+)(?=[,\s]|$)")
_LONGEST = 1_000
"""Characters of a text that says anything: these expressions take the square of its length."""
_BRACKETED = re.compile(r"^(.*?)\([^)]*\)")


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A place to eat, see or sleep at, and the city it is in."""

    name: str
    city: str


@dataclass(frozen=True, slots=True)
class Leg:
    """The way from one city to another."""

    origin: str
    destination: str


def filled(text: str | None) -> bool:
    """Whether a field says anything."""
    return bool(text) and text != NOTHING


def named_place(text: str) -> NamedPlace:
    """Return what ``"name, city"`` says; both are ``"-"`` where the text is built otherwise.

    So they are where it is longer than any name and city.
    """
    match = _NAMED.search(text) if len(text) <= _LONGEST else None
    if match is None:
        return NamedPlace(NOTHING, NOTHING)
    return NamedPlace(match[1].strip(), before_bracket(match[2].strip()).strip())


def leg_of(text: str) -> Leg | None:
    """Return what ``"from A to B"`` says, if the text says it."""
    match = _LEG.search(text) if len(text) <= _LONGEST else None
    return Leg(before_bracket(match[1]), before_bracket(match[2])) if match else None


def sights_of(text: str) -> list[str]:
    """Return the items that end with a semicolon.

    What follows the last semicolon is not read: so the official evaluator does.
    """
    return text.split(";")[:-1]


def before_bracket(text: str) -> str:
    """Return ``"Helena"`` of ``"Helena(Montana)"``."""
    match = _BRACKETED.search(text) if len(text) <= _LONGEST else None
    return match[1] if match else text
