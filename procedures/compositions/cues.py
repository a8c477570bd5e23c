"""Cues for the filling of a slot: weights of events, by the place of the slot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Event = str
"""Family and value, such as ``row 1:int``."""


@dataclass(frozen=True)
class Cues:
    """Weights of a log-linear model of the choice among the fillers that fit a slot.

    Attributes:
        weights: Place → event → by how much it speaks for a filler there; the place is the context
            of a slot, or its level for what holds anywhere.
    """

    weights: Mapping[str, Mapping[Event, float]] = field(default_factory=dict)

    def score(self, context: str, level: int, events: Iterable[Event]) -> float:
        """Return how much events speak for a filler."""
        weights_of_level = self.weights.get(str(level), _NOTHING)
        weights_in_context = self.weights.get(context, _NOTHING)
        total = 0.0
        for event in events:
            total += weights_of_level.get(event, 0.0) + weights_in_context.get(event, 0.0)
        return total


_NOTHING: Mapping[Event, float] = {}
