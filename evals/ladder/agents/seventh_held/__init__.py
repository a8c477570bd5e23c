"""Kinds of task of a seventh hand; held until their first play."""

from __future__ import annotations

from ..kinds import Kind
from .appointments import KINDS as OF_APPOINTMENTS
from .grounds import KINDS as ON_GROUNDS
from .traffic import KINDS as OF_TRAFFIC

__all__ = ["KINDS"]

KINDS: tuple[Kind, ...] = (*OF_APPOINTMENTS, *ON_GROUNDS, *OF_TRAFFIC)
