"""What remains of a played episode, whoever played it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["EpisodeOutcome"]


@dataclass(frozen=True, slots=True)
class EpisodeOutcome:
    """The outcome of one episode.

    Attributes:
        id: Name of the game or task within its suite.
        task: The task text that the agent was given.
        success: Whether the environment says that the task is solved.
        steps: How many actions were done, at least 0.
        reward: Sum of the rewards.
        actions: The actions, in order.
    """

    id: str
    task: str
    success: bool
    steps: int
    reward: float
    actions: tuple[str, ...]
