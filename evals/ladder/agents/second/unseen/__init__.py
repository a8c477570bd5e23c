"""Kinds of task of another hand that are played and not looked at."""

from __future__ import annotations

from ...kinds import Kind
from .households import ADVANCE, BOOK_READING, ORDER_REPAIR, PAY_CLAIM, VACCINATE
from .journeys import BOOK_ROOM, EXTEND_LOAN, MOVE_PARCEL, REBOOK, SWAP_SEATS

__all__ = ["KINDS"]

KINDS: tuple[Kind, ...] = (
    REBOOK,
    PAY_CLAIM,
    BOOK_ROOM,
    BOOK_READING,
    MOVE_PARCEL,
    ORDER_REPAIR,
    EXTEND_LOAN,
    VACCINATE,
    SWAP_SEATS,
    ADVANCE,
)
