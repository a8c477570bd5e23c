"""Worlds 16 to 30."""

from __future__ import annotations

from ..world import World
from .confirmed import HarbourBarriers, RentalTill, WineClubCards
from .fetched import BasementErrand, DeedVaults
from .idle_steps import ParcelChutes, TeaKitchen
from .left_open import CoachYard, SuitcaseHall
from .machines import BottlingLine, FaxRoom, PoolFlag, StationClocks
from .names_and_codes import CleaningLocker, GuideTables

__all__ = ["SECOND"]

SECOND: tuple[type[World], ...] = (
    CleaningLocker,
    PoolFlag,
    StationClocks,
    FaxRoom,
    DeedVaults,
    RentalTill,
    WineClubCards,
    HarbourBarriers,
    TeaKitchen,
    ParcelChutes,
    GuideTables,
    BasementErrand,
    SuitcaseHall,
    CoachYard,
    BottlingLine,
)
