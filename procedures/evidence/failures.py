"""Failure contexts: where a procedure failed, and the risk that it fails in a situation like this.

A context is a set of features: short texts that say what the situation was. At most K_fail failures
a procedure are kept. A success in a similar context takes one away (what failed there works now);
when there are too many, the one that says least beside the others goes; and old ones fade.

Risk is the share of the runs in similar contexts that failed (``default``). Successes take failure
contexts away and failures add to them, so that these say where it failed, and not how often: each
context that was met has counts of its own, in which old runs fade, failed or not. As the paper
words it, Risk is the share of past failures whose contexts are similar (``paper``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from ..common.errors import MaclaError
from .ledger_rows import Outcome

__all__ = [
    "K_FAIL",
    "Event",
    "FailureMemory",
    "FailureSettings",
    "Tally",
    "context_similarity",
    "memories",
    "remember",
    "risk_of",
]

K_FAIL = 15
"""Most failure contexts a procedure (paper)."""


@dataclass(frozen=True, slots=True)
class FailureSettings:
    """How failures are remembered.

    Attributes:
        capacity: Most failure contexts, >= 1; counts are kept of twice as many contexts.
        similar: Similarity from which two contexts are alike, in (0, 1].
        half_life: Runs of the procedure after which a run counts half, > 0.
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


@dataclass(frozen=True, slots=True)
class Tally:
    """How a procedure fared in one context.

    Attributes:
        features: What the situation was.
        worked: Successes, each the less the older it is, >= 0.
        failed: Failures, likewise.
        at: Number of the run up to which they are aged: the latest in this context.
    """

    features: frozenset[str]
    worked: float
    failed: float
    at: int


_DEFAULT = FailureSettings()
_T = TypeVar("_T", Event, Tally)


@dataclass(frozen=True, slots=True)
class FailureMemory:
    """What is remembered of one procedure's runs; immutable.

    Attributes:
        failures: Failure contexts, at most ``settings.capacity``, oldest first.
        tallies: Counts of contexts, at most twice as many; those met last, in that order.
        runs: Runs seen so far; the clock of the decay.
        settings: How failures are remembered.
    """

    failures: tuple[Event, ...] = ()
    tallies: tuple[Tally, ...] = ()
    runs: int = 0
    settings: FailureSettings = field(default=_DEFAULT)

    def after(self, features: frozenset[str], *, worked: bool) -> FailureMemory:
        """Return the memory after one more run."""
        failures = list(self.failures)
        if worked:
            alike = [
                (context_similarity(each.features, features), -each.at, i)
                for i, each in enumerate(failures)
            ]
            if alike and max(alike)[0] >= self.settings.similar:
                del failures[max(alike)[2]]
        else:
            failures.append(Event(features, self.runs))
            if len(failures) > self.settings.capacity:
                del failures[_most_redundant(failures)]
        tallies = self._counted(features, worked=worked)
        return FailureMemory(tuple(failures), tallies, self.runs + 1, self.settings)

    def risk(self, features: frozenset[str]) -> float | None:
        """Return the share of the remembered runs in similar contexts that failed, in [0, 1].

        Each run counts with its similarity, and the less the older it is, whether it failed or
        not: where the rate does not change, the expectation of the share is the rate. None where
        nothing similar is remembered.
        """
        failed = worked = 0.0
        for each, near in self._near(self.tallies, features):
            weight = near * self._weight(each.at, self.runs - 1)
            failed += weight * each.failed
            worked += weight * each.worked
        return failed / (failed + worked) if failed + worked > 0.0 else None

    def paper_risk(self, features: frozenset[str]) -> float:
        """Return the share of past failures whose contexts are similar, in [0, 1]."""
        if not self.failures:
            return 0.0
        return sum(1 for _ in self._near(self.failures, features)) / len(self.failures)

    def _counted(self, features: frozenset[str], *, worked: bool) -> tuple[Tally, ...]:
        """Count a run; what goes for want of room was not met for longest, however it fared."""
        known = [each for each in self.tallies if each.features == features]
        others = [each for each in self.tallies if each.features != features]
        good = sum(each.worked * self._weight(each.at, self.runs) for each in known)
        bad = sum(each.failed * self._weight(each.at, self.runs) for each in known)
        new = Tally(features, good + worked, bad + (not worked), self.runs)
        return (*others, new)[-2 * self.settings.capacity :]

    def _near(self, events: tuple[_T, ...], features: frozenset[str]) -> list[tuple[_T, float]]:
        rated = [(each, context_similarity(each.features, features)) for each in events]
        return [(each, near) for each, near in rated if near >= self.settings.similar]

    def _weight(self, at: int, now: int) -> float:
        return math.pow(0.5, (now - at) / self.settings.half_life)


def risk_of(
    memory: FailureMemory | None,
    situation: frozenset[str],
    successes: float,
    failures: float,
    *,
    printed: bool = False,
) -> float:
    """Return how likely a failure is in such a situation, in [0, 1], by what is remembered.

    Where no similar situation is remembered it is the share of all runs that failed, and 0 without
    any failure.

    Args:
        memory: What is remembered of its runs.
        situation: Features of where it would run.
        successes: Of all its runs, >= 0.
        failures: Likewise.
        printed: Whether it is the share of its failures whose situations are similar.
    """
    if printed:
        return memory.paper_risk(situation) if memory is not None else 0.0
    near = memory.risk(situation) if memory is not None else None
    if near is not None:
        return near
    return failures / (successes + failures) if failures > 0.0 else 0.0


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
