"""The protocols that adapters implement so that the loop can use them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from ..procedures.episode import EpisodeMemory
from ..procedures.ledger import Outcome

__all__ = [
    "AdmissibleEnvironment",
    "Environment",
    "OutcomeSink",
    "Reasoner",
    "ResumableEnvironment",
]


@runtime_checkable
class Environment(Protocol):
    """A text world: one episode at a time, nothing but text in and out."""

    def reset(self, task: Any) -> tuple[str, str]:
        """Start an episode; return ``(task text, first observation)``."""
        ...

    def step(self, action: str) -> tuple[str, float, bool, Mapping[str, Any]]:
        """Do one action; return ``(observation, reward, done, info)``.

        ``info["won"]`` says whether the task is solved. Where it is missing,
        ``reward >= 1`` at the end of the episode counts as solved.
        """
        ...


@runtime_checkable
class AdmissibleEnvironment(Environment, Protocol):
    """An environment that can also list the actions that are possible now."""

    def admissible(self) -> Sequence[str]:
        """Return the actions that are possible now, in a stable order."""
        ...


@runtime_checkable
class ResumableEnvironment(Environment, Protocol):
    """An environment that goes on where an episode was cut off, without repeating an action."""

    def step_after(
        self, history: Sequence[Sequence[Any]], action: str
    ) -> tuple[str, float, bool, Mapping[str, Any]]:
        """Do the action that follows a history of ``[action, observation, worked]``.

        What was done already, by this call in an attempt that was cut off, is not done again.
        """
        ...


class OutcomeSink(Protocol):
    """Where outcomes are kept; the ledger is one."""

    def record(self, outcomes: Iterable[Outcome]) -> int:
        """Store outcomes for good; return how many were new."""
        ...


class Reasoner(Protocol):
    """Chooses an action where no procedure is trusted."""

    @property
    def confidence(self) -> float:
        """Expected utility of letting it act, in [0, 1]; below it a procedure is not better."""
        ...

    def act(self, memory: EpisodeMemory, admissible: Sequence[str] | None, seed: int) -> str | None:
        """Return the next action, or None where nothing is worth trying."""
        ...
