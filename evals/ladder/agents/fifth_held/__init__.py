"""Kinds of task of a fifth hand that are not looked at while memory is worked on."""

from __future__ import annotations

from ..kinds import Kind
from .claims import KINDS as OF_CLAIMS
from .houses import KINDS as OF_HOUSES

__all__ = ["KINDS"]

KINDS: tuple[Kind, ...] = (*OF_CLAIMS, *OF_HOUSES)
