"""What playing the ladder for agents gave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["SHOWN", "AgentsResult", "Arm", "Half", "PassResult", "TaskOutcome"]

SHOWN = (
    *("development", "second", "third", "fourth", "fifth", "fifth-held", "sixth-held"),
    *("eighth", "eighth-held", "ninth"),
)
"""The halves whose tasks may be looked at."""

Half: TypeAlias = Literal[
    "development",
    "sealed",
    "second",
    "second-unseen",
    "third",
    "third-held",
    "fourth",
    "fifth",
    "fifth-held",
    "sixth-held",
    "seventh-held",
    "eighth",
    "eighth-held",
    "ninth",
    "ninth-held",
]


@dataclass(frozen=True)
class TaskOutcome:
    """What came of one task; comparable with that of the same id in another arm or run.

    Attributes:
        id: Pass, kind and index of the task.
        kind: The number of its kind.
        task: What the user says, all lines of it.
        look_alike: Whether doing the same as usual would be wrong.
        model_calls: How often the model was called.
        differences: What differs from the twin without memory, in short texts.
    """

    id: str
    kind: int
    task: str
    look_alike: bool
    model_calls: int
    differences: tuple[str, ...]

    @property
    def wrong(self) -> bool:
        """Whether anything differs."""
        return bool(self.differences)


@dataclass(frozen=True)
class PassResult:
    """One pass.

    Attributes:
        outcomes: Of its tasks, in the order in which they were asked.
        model_calls_without: How often the model is called without memory.
    """

    outcomes: tuple[TaskOutcome, ...]
    model_calls_without: int

    @property
    def tasks(self) -> int:
        """How many tasks there were."""
        return len(self.outcomes)

    @property
    def model_calls(self) -> int:
        """How often the model was called."""
        return sum(each.model_calls for each in self.outcomes)

    @property
    def wrong(self) -> tuple[str, ...]:
        """The wrong tasks: kind, task, and what differs."""
        return tuple(
            f"kind {each.kind}{' (look-alike)' if each.look_alike else ''}: {each.task} "
            f"-> {'; '.join(each.differences)}"
            for each in self.outcomes
            if each.wrong
        )


@dataclass(frozen=True)
class Arm:
    """All passes with one way to answer.

    Attributes:
        name: ``memory``, ``without memory`` or ``nearest re-bound``.
        passes: One after the other.
    """

    name: str
    passes: tuple[PassResult, ...]

    def __iter__(self) -> Iterator[TaskOutcome]:
        """Iterate over the outcomes of all tasks."""
        return (outcome for each in self.passes for outcome in each.outcomes)

    @property
    def model_calls(self) -> int:
        """How often the model was called."""
        return sum(each.model_calls for each in self)

    @property
    def wrong(self) -> int:
        """How many tasks were wrong."""
        return sum(each.wrong for each in self)

    @property
    def wrong_by_kind(self) -> dict[int, int]:
        """Number of the kind → wrong tasks, kinds without any too."""
        counts: Counter[int] = Counter({each.kind: 0 for each in self})
        counts.update(each.kind for each in self if each.wrong)
        return dict(sorted(counts.items()))


@dataclass(frozen=True)
class AgentsResult:
    """What one half of the ladder gave.

    Attributes:
        half: Which half.
        trust: What let memory make calls that may change something, in words.
        seed: Of the tasks.
        memory: With macla's middleware.
        without: The model alone: it never acts from memory, and is the judge.
        rebound: The nearest earlier conversation re-bound; where none is near the model is asked.
    """

    half: Half
    trust: str
    seed: int
    memory: Arm
    without: Arm
    rebound: Arm

    @property
    def passes(self) -> tuple[PassResult, ...]:
        """The passes with memory."""
        return self.memory.passes
