"""Kinds of task of a fourth hand, from many trades, that may be looked at."""

from __future__ import annotations

from ..kinds import Kind
from .desks_at_work import KINDS as AT_WORK
from .people_at_desks import KINDS as WITH_PEOPLE

__all__ = ["KINDS"]

KINDS: tuple[Kind, ...] = (*AT_WORK, *WITH_PEOPLE)
