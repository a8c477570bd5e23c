"""Worlds of a third hand that may be looked at: twelve businesses."""

from __future__ import annotations

from ..kinds import Kind
from .accounts import GRANT_ACCESS, RAISE_LIMIT, SWAP_SIM
from .hospitality import BOOK_FLIGHT, CANCEL_STAY, SEE_DOCTOR
from .operations import HANDLE_ALERT, ORDER_PICK_UP, PICK_GOODS
from .people import PAY_EXPENSES, RENEW_LOAN, SEND_HOME

__all__ = ["KINDS"]

KINDS: tuple[Kind, ...] = (
    CANCEL_STAY,
    SEE_DOCTOR,
    BOOK_FLIGHT,
    PICK_GOODS,
    HANDLE_ALERT,
    ORDER_PICK_UP,
    PAY_EXPENSES,
    RENEW_LOAN,
    SEND_HOME,
    RAISE_LIMIT,
    GRANT_ACCESS,
    SWAP_SIM,
)
