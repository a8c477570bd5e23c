"""More kinds of task of the fifth hand; they may be looked at, too."""

from __future__ import annotations

from ..kinds import Kind
from .claims import KINDS as OF_CLAIMS
from .houses import KINDS as OF_HOUSES

__all__ = ["KINDS"]

KINDS: tuple[Kind, ...] = (*OF_CLAIMS, *OF_HOUSES)
