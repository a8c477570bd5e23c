"""Worlds that nobody looks at: they are played when a change of the learner is finished."""

from __future__ import annotations

from ..world import World
from .first import FIRST
from .second import SECOND

__all__ = ["WORLDS"]

WORLDS: tuple[type[World], ...] = (*FIRST, *SECOND)
