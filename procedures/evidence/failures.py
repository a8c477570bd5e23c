"""Failure contexts: where a procedure failed, and the risk that it fails in a similar situation.

A context is a set of features: short texts that describe the situation. At most K_fail failure
contexts per procedure are kept. A success in a similar context removes one. If there are too many,
the most redundant one goes. Old ones lose weight.

Risk is the share of failed runs in similar contexts (``default``). Failure contexts show where a
procedure failed, but not how often, since successes remove them. So each context also has counts
of its own, in which old runs lose weight, failed or not. In the paper, Risk is the share of past
failures whose contexts are similar (``paper``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from ..common.errors import MaclaError
from .ledger_rows import Outcome

K_FAIL = 15
"""Most failure contexts per procedure (the paper's value)."""


@dataclass(frozen=True, slots=True)
class FailureSettings:
    """The settings of the failure memory.

    Attributes:
        capacity: Most failure contexts, >= 1; twice as many contexts have counts.
        similar: Similarity from which two contexts are similar, in (0, 1].
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
    """A context, and the last run in it.

    Attributes:
        features: Features of the situation.
        at: Number of the run, counted from 0.
    """

    features: frozenset[str]
    at: int


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of a procedure in one context.

    Attributes:
        features: Features of the situation.
        worked: Successes, weighted by age, >= 0.
        failed: Failures, weighted by age, >= 0.
        at: Number of the latest run in this context, up to which the counts are aged.
    """

    features: frozenset[str]
    worked: float
    failed: float
    at: int


_DEFAULT = FailureSettings()
_T = TypeVar("_T", Event, Tally)


@dataclass(frozen=True, slots=True)
class FailureMemory:
    """The failure memory of one procedure; immutable.

    Attributes:
        failures: Failure contexts, at most ``settings.capacity``, oldest first.
        tallies: Counts of the latest contexts, at most twice as many, oldest first.
        runs: Number of runs so far; the clock of the decay.
        settings: Settings of the memory.
    """

    failures: tuple[Event, ...] = ()
    tallies: tuple[Tally, ...] = ()
    runs: int = 0
    settings: FailureSettings = field(default=_DEFAULT)

    def after(self, features: frozenset[str], *, worked: bool) -> FailureMemory:
        """Return the memory after one more run."""
        failures = list(self.failures)
        if worked:
            ranked_failures = [
                (context_similarity(each.features, features), -each.at, i)
                for i, each in enumerate(failures)
            ]
            if ranked_failures and max(ranked_failures)[0] >= self.settings.similar:
                del failures[max(ranked_failures)[2]]
        else:
            failures.append(Event(features, self.runs))
            if len(failures) > self.settings.capacity:
                del failures[_most_redundant(failures)]
        tallies = self._counted(features, worked=worked)
        return FailureMemory(tuple(failures), tallies, self.runs + 1, self.settings)

    def risk(self, features: frozenset[str]) -> float | None:
        """Return the share of failed runs in similar contexts, in [0, 1]; None without any.

        Each run is weighted by its similarity and its age, failed or not. So at a constant rate,
        the expected share is the rate.
        """
        failed = worked = 0.0
        for each, similarity in self._near(self.tallies, features):
            weight = similarity * self._weight(each.at, self.runs - 1)
            failed += weight * each.failed
            worked += weight * each.worked
        return failed / (failed + worked) if failed + worked > 0.0 else None

    def paper_risk(self, features: frozenset[str]) -> float:
        """Return the share of past failures whose contexts are similar, in [0, 1]."""
        if not self.failures:
            return 0.0
        return sum(1 for _ in self._near(self.failures, features)) / len(self.failures)

    def _counted(self, features: frozenset[str], *, worked: bool) -> tuple[Tally, ...]:
        """Return the tallies after a run; the context met longest ago goes for want of room."""
        same_context = [each for each in self.tallies if each.features == features]
        others = [each for each in self.tallies if each.features != features]
        good = sum(each.worked * self._weight(each.at, self.runs) for each in same_context)
        bad = sum(each.failed * self._weight(each.at, self.runs) for each in same_context)
        newest = Tally(features, good + worked, bad + (not worked), self.runs)
        return (*others, newest)[-2 * self.settings.capacity :]

    def _near(self, events: tuple[_T, ...], features: frozenset[str]) -> list[tuple[_T, float]]:
        rated = [(each, context_similarity(each.features, features)) for each in events]
        return [
            (each, similarity) for each, similarity in rated if similarity >= self.settings.similar
        ]

    def _weight(self, at: int, now: int) -> float:
        return math.pow(0.5, (now - at) / self.settings.half_life)


def risk_of(
    memory: FailureMemory | None,
    situation: frozenset[str],
    successes: float,
    failures: float,
    *,
    printed: bool,
) -> float:
    """Return the risk of a failure in a situation, in [0, 1].

    Without a similar situation in memory it is the share of failures in all runs, and 0 without
    any failure.

    Args:
        memory: Failure memory of the procedure, if any.
        situation: Features of the situation.
        successes: Successes of all its runs, >= 0.
        failures: Failures of all its runs, >= 0.
        printed: Whether to use the paper's formula, the share of its failures with similar
            situations.
    """
    if printed:
        return memory.paper_risk(situation) if memory is not None else 0.0
    similar_risk = memory.risk(situation) if memory is not None else None
    if similar_risk is not None:
        return similar_risk
    return failures / (successes + failures) if failures > 0.0 else 0.0


def memories(
    outcomes: Iterable[Outcome],
    settings: FailureSettings = _DEFAULT,
    earlier: Mapping[tuple[str, str], FailureMemory] | None = None,
) -> dict[tuple[str, str], FailureMemory]:
    """Return (kind, id) → failure memory, from the ledger's rows.

    Args:
        outcomes: Rows in order of time; rows without a ``situation`` in their context and neutral
            rows do not count.
        settings: Settings of the memory.
        earlier: Memories before these rows.
    """
    memory_by_subject: dict[tuple[str, str], FailureMemory] = dict(earlier or {})
    for row in outcomes:
        features = row.context.get("situation")
        if not isinstance(features, list) or row.successes == row.failures:
            continue
        key = (row.subject_kind, row.subject)
        memory = memory_by_subject.get(key) or FailureMemory(settings=settings)
        worked = row.successes > row.failures
        memory_by_subject[key] = memory.after(frozenset(map(str, features)), worked=worked)
    return memory_by_subject


def context_similarity(first: frozenset[str], second: frozenset[str]) -> float:
    """Return the Jaccard similarity of two contexts, in [0, 1]; 1 for two empty ones."""
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
