"""The floor for runs of tools: the nearest run, with the new task's names and values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..tooling.tool_episodes import ToolCall, ToolEpisode
from .nearest import Nearest
from .rebound import exchanged, exchanges


class ToolRebound:
    """Repeats the calls of the run whose task is the nearest, its words exchanged.

    Args:
        episodes: The runs; where some succeeded, only those are used.

    Raises:
        DataError: If there is none.
    """

    def __init__(self, episodes: Sequence[ToolEpisode]) -> None:
        trajectories = [each.to_trajectory() for each in episodes]
        self._nearest = Nearest(trajectories)
        self._episodes = {id(t): e for t, e in zip(trajectories, episodes, strict=True)}

    def calls(self, task: str) -> tuple[ToolCall, ...]:
        """Return the calls for a task."""
        near = self._episodes[id(self._nearest.nearest(task, ""))]
        words = exchanges(near.task, task)
        return tuple(
            ToolCall(call.tool, _exchanged(call.arguments, words), turn=call.turn)
            for call in near.calls
            if call.ok
        )


def _exchanged(value: Any, words: Mapping[str, str]) -> Any:
    """Return a value of arguments with words exchanged; a number stays one if it can."""
    if isinstance(value, dict):
        return {key: _exchanged(inner, words) for key, inner in value.items()}
    if isinstance(value, list):
        return [_exchanged(inner, words) for inner in value]
    if isinstance(value, str):
        return exchanged(value, words)
    if isinstance(value, int | float) and not isinstance(value, bool):
        text = words.get(str(value), "")
        try:
            return type(value)(text)
        except ValueError:
            return value
    return value
