"""What a reasoner is asked and what it answers: plain, immutable values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..procedures.documents.plain_data import frozen
from ..procedures.episodes.trajectories import Trajectory
from ..procedures.planning.episode_memory import EpisodeMemory, HistoryEntry


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a trajectory that achieves one thing.

    Attributes:
        trajectory: Where it was cut from.
        goal: What it achieves, in words.
        start: Index of its first action.
        stop: Index after its last action; ``start < stop <= len(trajectory.acts)``.
        preconditions: Sentences seen before its first action that it needs.
        postconditions: Sentences seen after its last action that show that it worked.
    """

    trajectory: Trajectory
    goal: str
    start: int
    stop: int
    preconditions: tuple[str, ...] = ()
    postconditions: tuple[str, ...] = ()

    @property
    def actions(self) -> tuple[str, ...]:
        """Its actions."""
        return self.trajectory.acts[self.start : self.stop]

    @property
    def observations(self) -> tuple[str, ...]:
        """What followed each of its actions."""
        return self.trajectory.obs[self.start + 1 : self.stop + 1]


@dataclass(frozen=True, slots=True)
class Situation:
    """Where an episode stands when an action is to be chosen.

    Attributes:
        memory: What was observed and done, and what follows from it; holds the task.
        first: The first observation.
        history: (action, observation, whether it worked), oldest first.
        admissible: Possible actions, or None where the world hides them.
        seed: Breaks ties.
    """

    memory: EpisodeMemory
    first: str
    history: tuple[HistoryEntry, ...]
    admissible: tuple[str, ...] | None
    seed: int


@dataclass(frozen=True, slots=True)
class KnownGoal:
    """A goal that the library knows how to reach.

    Attributes:
        kind: ``meta``, ``procedure`` or ``program``.
        ref: ``id@version`` of what reaches it.
        goal: Template with ``{slot}``.
        slots: The slots that a task must fill, in order.
    """

    kind: str
    ref: str
    goal: str
    slots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TaskReading:
    """What a task means: one of the known goals with its slots filled.

    Attributes:
        goal: The known goal.
        fillers: Slot → word for what is meant, for every slot of the goal.
    """

    goal: KnownGoal
    fillers: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        frozen(self, "fillers")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What successes and failures of one procedure suggest to change; all conditions parse.

    Attributes:
        preconditions: Conditions to add, in the language of conditions.
        postconditions: Likewise.
        steps: The steps as they should be (documents as in a procedure file), or None to keep
            them.
        rationale: Why, for people.
    """

    preconditions: tuple[str, ...] = ()
    postconditions: tuple[str, ...] = ()
    steps: tuple[Mapping[str, Any], ...] | None = field(default=None, hash=False)
    rationale: str = ""


@dataclass(frozen=True, slots=True)
class PlacePolicy:
    """Θ of one place of a plan; each a condition that parses, or None to leave it out."""

    proceed: str | None = None
    skip: str | None = None
    repeat: str | None = None
    abort: str | None = None
