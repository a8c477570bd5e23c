"""Demonstrated calls and choices, each with what was known before it."""

from __future__ import annotations

from dataclasses import dataclass

from ...episodes.facts import Fact
from ...episodes.history import History

__all__ = ["Occurrence", "Use", "take_several"]

_LEAST_SEVERAL = 3
"""Episodes that have to take several candidates, so that it is no chance."""
_SEVERAL = 0.2
"""Share of the episodes that have to."""


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
        episode: Number of its demonstration.
        history: Before it.
        value: What was chosen.
        rows: The candidates; at least one has the value.
    """

    episode: int
    history: History
    value: str
    rows: tuple[Fact, ...]


def take_several(several: int, episodes: int) -> bool:
    """Whether so many of the episodes take several candidates that each of some is meant."""
    return several >= max(_LEAST_SEVERAL, _SEVERAL * episodes)
