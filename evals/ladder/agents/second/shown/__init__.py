"""Kinds of task of another hand that may be looked at."""

from __future__ import annotations

from ...kinds import Kind
from .care import ANALYSE, APPOINTMENT, HAND_OUT, REGISTER, TRIP
from .trade import LEND, RETURN_CAR, SEAT_GUESTS, SHIP, SWITCH_TARIFF

__all__ = ["KINDS"]

KINDS: tuple[Kind, ...] = (
    APPOINTMENT,
    ANALYSE,
    HAND_OUT,
    TRIP,
    REGISTER,
    RETURN_CAR,
    SWITCH_TARIFF,
    SEAT_GUESTS,
    LEND,
    SHIP,
)
