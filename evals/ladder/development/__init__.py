"""Worlds that may be looked at while the learner is worked on."""

from __future__ import annotations

from ..world import World
from .first import FIRST
from .second import SECOND

__all__ = ["WORLDS"]

WORLDS: tuple[type[World], ...] = (*FIRST, *SECOND)
