"""Kinds of task that may be looked at while memory for agents is worked on."""

from __future__ import annotations

from ..kinds import Kind
from .categories import PAY_INVOICE
from .choices import RESERVE_LOT
from .fields import CLOSE_ACCOUNT
from .partial import BOOK_SEATS
from .planted import PAY_BILL
from .refusals import CANCEL_ORDER
from .restrictions import TRANSFER
from .ways import SEND_STATEMENT

__all__ = ["KINDS"]

KINDS: tuple[Kind, ...] = (
    CLOSE_ACCOUNT,
    PAY_INVOICE,
    CANCEL_ORDER,
    TRANSFER,
    PAY_BILL,
    RESERVE_LOT,
    SEND_STATEMENT,
    BOOK_SEATS,
)
