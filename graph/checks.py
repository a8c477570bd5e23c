"""Checking conditions so that each verdict can be shown with the text that decided it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..procedures.conditions.language import Condition
from ..procedures.planning.episode_memory import EpisodeMemory
from .state import Event

__all__ = ["checked"]


def checked(
    conditions: Sequence[Condition], memory: EpisodeMemory, bindings: Mapping[str, str]
) -> list[Event]:
    """Evaluate conditions for a binding.

    Returns:
        For each its ``condition`` as text, its ``value`` (True, False, or None for unknown) and
        ``because``, the text that decided.
    """
    verdicts = [(each, each.evaluate(memory, bindings)) for each in conditions]
    return [
        {"condition": each.to_text(), "value": verdict.value, "because": verdict.because}
        for each, verdict in verdicts
    ]
