"""Kinds of task of a ninth hand that may be looked at: what offices do with tools every day."""

from __future__ import annotations

from ..kinds import Kind
from .money import KINDS as OF_MONEY
from .staff import KINDS as OF_STAFF

__all__ = ["KINDS"]

KINDS: tuple[Kind, ...] = (*OF_MONEY, *OF_STAFF)
