"""Demonstrated calls, each with what was known before it."""

from __future__ import annotations

from dataclasses import dataclass

from ...episodes.history import History

__all__ = ["Occurrence"]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A demonstrated call, and what was known before it."""

    episode: int
    history: History
    arguments: tuple[str, ...]
