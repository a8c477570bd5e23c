"""Kinds of task of a fifth hand that may be looked at; half of the traps come late and rarely."""

from __future__ import annotations

from ..kinds import Kind
from .contracts import KINDS as OF_CONTRACTS
from .counters import KINDS as AT_COUNTERS

__all__ = ["KINDS"]

KINDS: tuple[Kind, ...] = (*AT_COUNTERS, *OF_CONTRACTS)
