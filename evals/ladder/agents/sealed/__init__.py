"""Kinds of task that nobody looks at while memory for agents is worked on.

They are played only at the end of big changes. Nobody reads their code, their traces or their
wrong tasks in between; what counts of them is numbers.
"""

from __future__ import annotations

from ..kinds import Kind
from .arithmetic import PAY_TRIP
from .corrections import FORWARD_TICKET
from .dates import BOOK_VISIT
from .instructions import GIVE_CREDIT
from .irrelevant import OPEN_LOCKER
from .limits import PAY_CLAIM
from .relations import RETURN_ORDER
from .repeats import ORDER_GOODS

__all__ = ["KINDS"]

KINDS: tuple[Kind, ...] = (
    RETURN_ORDER,
    PAY_CLAIM,
    GIVE_CREDIT,
    FORWARD_TICKET,
    OPEN_LOCKER,
    BOOK_VISIT,
    PAY_TRIP,
    ORDER_GOODS,
)
