"""Worlds of the third hand that are only played: nobody who works on memory reads them."""

from __future__ import annotations

from ..kinds import Kind
from .money import BUY_CHEAPEST, SEND_RECEIPT, SETTLE_LOSS, TAKE_BACK
from .services import BOOK_READING, ENTER_LEAVE, ISSUE_PERMIT, ORDER_PART

__all__ = ["KINDS"]

KINDS: tuple[Kind, ...] = (
    SETTLE_LOSS,
    TAKE_BACK,
    BUY_CHEAPEST,
    SEND_RECEIPT,
    BOOK_READING,
    ENTER_LEAVE,
    ORDER_PART,
    ISSUE_PERMIT,
)
