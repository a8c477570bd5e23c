"""Failure contexts: where a procedure failed, and the risk that it fails in a situation like this.

A context is a set of features: short texts that say what the situation was. At most K_fail failures
a procedure are kept. A success in a similar context takes one away (what failed there works now);
when there are too many, the one that says least beside the others goes; and old ones fade.

Risk is the share of the failures among what is remembered of similar contexts (``default``), or,
as the paper words it, the share of past failures whose contexts are similar (``paper``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from .errors import MaclaError
from .ledger_rows import Outcome

__all__ = [
    "K_FAIL",
    "Event",
    "FailureMemory",
    "FailureSettings",
    "context_similarity",
    "memories",
    "remember",
]

K_FAIL = 15
"""Most failure contexts a procedure (paper)."""


@dataclass(frozen=True, slots=True)
class FailureSettings:
    """How failures are remembered.

    Attributes:
        capacity: Most contexts of each outcome, >= 1.
        similar: Similarity from which two contexts are alike, in (0, 1].
        half_life: Runs of the procedure after which a failure counts half, > 0.
    """

    capacity: int = K_FAIL
    similar: float = 0.5
    half_life: float = 100.0

    def __post_init__(self) -> None:
        if self.capacity < 1 or not 0.0 < self.similar <= 1.0 or not self.half_life > 0.0:
            raise MaclaError(
                "failure contexts need a capacity from 1, a similarity in (0, 1] and a half-life "
                f"above 0, got {self.capacity!r}, {self.similar!r}, {self.half_life!r}"
            )


@dataclass(frozen=True, slots=True)
class Event:
    """A context and when it was last met.

    Attributes:
        features: What the situation was.
        at: Number of the run, counted from 0.
    """

    features: frozenset[str]
    at: int


_DEFAULT = FailureSettings()


@dataclass(frozen=True, slots=True)
class FailureMemory:
    """What is remembered of one procedure's runs; immutable.

    Attributes:
        failures: At most ``settings.capacity``, oldest first.
        successes: At most as many, oldest first.
        runs: Runs seen so far; the clock of the decay.
        settings: How failures are remembered.
    """

    failures: tuple[Event, ...] = ()
    successes: tuple[Event, ...] = ()
    runs: int = 0
    settings: FailureSettings = field(default=_DEFAULT)

    def after(self, features: frozenset[str], *, worked: bool) -> FailureMemory:
        """Return the memory after one more run."""
        event = Event(features, self.runs)
        failures, successes = list(self.failures), list(self.successes)
        if worked:
            others = [each for each in successes if each.features != features]
            successes = [*others, event][-self.settings.capacity :]
            alike = [
                (context_similarity(each.features, features), -each.at, i)
                for i, each in enumerate(failures)
            ]
            if alike and max(alike)[0] >= self.settings.similar:
                del failures[max(alike)[2]]
        else:
            failures.append(event)
            if len(failures) > self.settings.capacity:
                del failures[_most_redundant(failures)]
        return FailureMemory(tuple(failures), tuple(successes), self.runs + 1, self.settings)

    def risk(self, features: frozenset[str]) -> float | None:
        """Return the share of failures among similar remembered runs, in [0, 1].

        Each run counts with its similarity, and a failure the less the older it is. None where
        nothing similar is remembered.
        """
        failed = sum(
            self._weight(each) * near for each, near in self._near(self.failures, features)
        )
        worked = sum(near for _, near in self._near(self.successes, features))
        return failed / (failed + worked) if failed + worked > 0.0 else None

    def paper_risk(self, features: frozenset[str]) -> float:
        """Return the share of past failures whose contexts are similar, in [0, 1]."""
        if not self.failures:
            return 0.0
        return sum(1 for _ in self._near(self.failures, features)) / len(self.failures)

    def _near(
        self, events: tuple[Event, ...], features: frozenset[str]
    ) -> list[tuple[Event, float]]:
        rated = [(each, context_similarity(each.features, features)) for each in events]
        return [(each, near) for each, near in rated if near >= self.settings.similar]

    def _weight(self, event: Event) -> float:
        return math.pow(0.5, (self.runs - 1 - event.at) / self.settings.half_life)


def remember(
    runs: Iterable[tuple[frozenset[str], bool]], settings: FailureSettings = _DEFAULT
) -> FailureMemory:
    """Return the memory of runs in the order in which they happened: (features, worked)."""
    memory = FailureMemory(settings=settings)
    for features, worked in runs:
        memory = memory.after(features, worked=worked)
    return memory


def memories(
    outcomes: Iterable[Outcome],
    settings: FailureSettings = _DEFAULT,
    known: Mapping[tuple[str, str], FailureMemory] | None = None,
) -> dict[tuple[str, str], FailureMemory]:
    """Return what the ledger's rows tell: (kind, id) → its memory.

    Args:
        outcomes: In the order in which they happened; those whose context has no ``situation``
            and those that charge nobody say nothing.
        settings: How failures are remembered.
        known: What was remembered before them.
    """
    found: dict[tuple[str, str], FailureMemory] = dict(known or {})
    for row in outcomes:
        features = row.context.get("situation")
        if not isinstance(features, list) or row.successes == row.failures:
            continue
        key = (row.subject_kind, row.subject)
        memory = found.get(key) or FailureMemory(settings=settings)
        worked = row.successes > row.failures
        found[key] = memory.after(frozenset(map(str, features)), worked=worked)
    return found


def context_similarity(first: frozenset[str], second: frozenset[str]) -> float:
    """Return the Jaccard similarity of two contexts, in [0, 1]; two empty ones are the same."""
    if not first and not second:
        return 1.0
    return len(first & second) / len(first | second)


def _most_redundant(events: list[Event]) -> int:
    """Return the index of the older one of the two most similar contexts."""
    pairs = [
        (context_similarity(events[i].features, events[j].features), -i, -j)
        for i in range(len(events))
        for j in range(i + 1, len(events))
    ]
    return -max(pairs)[1]
