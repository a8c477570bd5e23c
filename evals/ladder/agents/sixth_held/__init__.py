"""Kinds of task of a sixth hand; they were held until their first play."""

from __future__ import annotations

from ..kinds import Kind
from .culture import KINDS as OF_CULTURE
from .public import KINDS as OF_PUBLIC_SERVICES
from .yards import KINDS as IN_YARDS

__all__ = ["KINDS"]

KINDS: tuple[Kind, ...] = (*OF_PUBLIC_SERVICES, *OF_CULTURE, *IN_YARDS)
