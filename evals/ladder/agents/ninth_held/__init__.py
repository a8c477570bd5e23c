"""Twelve kinds of task of a ninth hand that nobody looks at."""

from __future__ import annotations

from ..kinds import Kind
from .books import KINDS as OF_BOOKS
from .houses import KINDS as OF_HOUSES
from .systems import KINDS as OF_SYSTEMS

__all__ = ["KINDS"]

KINDS: tuple[Kind, ...] = (*OF_BOOKS, *OF_HOUSES, *OF_SYSTEMS)
