"""Demonstrated calls and choices, each with what was known before it."""

from __future__ import annotations

from dataclasses import dataclass

from ...episodes.facts import Fact
from ...episodes.history import History

__all__ = ["Occurrence", "Use"]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A demonstrated call, and what was known before it."""

    episode: int
    history: History
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Use:
    """A demonstrated choice.

    Attributes:
        history: Before it.
        value: What was chosen.
        rows: The candidates; at least one has the value.
    """

    history: History
    value: str
    rows: tuple[Fact, ...]
