"""Worlds 16 to 30."""

from __future__ import annotations

from ..world import World
from .as_it_was_read import LeakPlan, ParcelCode, ParcelScale, SlotRelease
from .at_the_counter import BookLoan, CabOrder, ToolHire
from .left_open import CourierOffers, ReturnsDesk
from .places import HouseErrand, StockCount
from .until_right import BadgePrinter, DryerRepair, FreezerCheck, LensPolish

__all__ = ["SECOND"]

SECOND: tuple[type[World], ...] = (
    ParcelCode,
    FreezerCheck,
    LensPolish,
    BadgePrinter,
    StockCount,
    ParcelScale,
    SlotRelease,
    LeakPlan,
    BookLoan,
    ToolHire,
    CabOrder,
    HouseErrand,
    ReturnsDesk,
    CourierOffers,
    DryerRepair,
)
