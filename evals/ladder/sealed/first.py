"""Worlds 1 to 15."""

from __future__ import annotations

from ..world import World
from .archives import FrozenTubes, NurseryLedger, XrayFilms
from .choices import CoachHire, CostumeStore, PumpkinFair, RidingStable, ShipsAtAnchor
from .passages import FerryTicket, MillTerminal
from .routines import CoatsOfPaint, KilnFiring, LostAndFound
from .signs import BrewingTanks, PortersKeys

__all__ = ["FIRST"]

FIRST: tuple[type[World], ...] = (
    KilnFiring,
    LostAndFound,
    CoatsOfPaint,
    ShipsAtAnchor,
    FrozenTubes,
    RidingStable,
    CostumeStore,
    CoachHire,
    PumpkinFair,
    XrayFilms,
    NurseryLedger,
    MillTerminal,
    FerryTicket,
    BrewingTanks,
    PortersKeys,
)
