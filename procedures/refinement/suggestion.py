"""What a contrast suggests, and how candidates are counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .bayes_factors import Table, Trigger, bayes_factor, credible, information_gain, weights
from .cases import Case

__all__ = [
    "PATIENCE",
    "Effect",
    "Suggestion",
    "Wanting",
    "best_effect",
    "estimated",
    "ranked_effects",
    "table_of",
]

PATIENCE = 2.0
"""What may become certain, a repair or its guard, is waited for while it needs at most so many
times the cases there are."""


@dataclass(frozen=True, slots=True)
class Effect:
    """A candidate that makes a difference, or may.

    Attributes:
        candidates: The candidates that split the cases in this same way, the likeliest first.
        table: What was counted.
        weight: Share of the prior.
    """

    candidates: tuple[str, ...]
    table: Table
    weight: float

    @property
    def text(self) -> str:
        """The likeliest of the candidates."""
        return self.candidates[0]

    @property
    def log_factor(self) -> float:
        """Log Bayes factor."""
        return bayes_factor(self.table)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One change of a procedure or a plan.

    Attributes:
        kind: Of a procedure missing_step, moved_step, guard, precondition, postcondition or
            variant; of a plan place (one more), order, theta (when a place is skipped) or
            redundant (one less).
        document: The procedure or plan as it should be.
        why: Why, in plain words.
        effect: What was found; with it are the executions that were as the new version makes all
            of them, of a variant those of its own kind. None where all that is done stays the same,
            so that no execution was otherwise.
        successes: Episodes that worked.
        failures: Episodes that failed.
        guard: When a new step is called for; empty for always.
    """

    kind: str
    document: Mapping[str, Any] = field(hash=False)
    why: str
    effect: Effect | None
    successes: tuple[str, ...]
    failures: tuple[str, ...]
    guard: str = ""


@dataclass(frozen=True, slots=True)
class Wanting:
    """An effect that may be there, but is not certain enough yet.

    Attributes:
        kind: What would be changed.
        text: The candidate.
        more: About how many more executions it needs, if it is there; None where none would do.
    """

    kind: str
    text: str
    more: int | None


def table_of(cases: Iterable[Case], holds: Callable[[Case], bool]) -> Table:
    """Count cases with and without something."""
    cells = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for case in cases:
        cells[holds(case), case.worked] += 1
    return Table(cells[True, True], cells[True, False], cells[False, True], cells[False, False])


def estimated(cases: Iterable[Case], holds: Callable[[Case], bool]) -> Table:
    """Estimate how many cases there were with and without something, kept or not.

    All failures are kept, but only a share of the successes, each with a chance of its own: a kept
    one stands for ``1 / share`` (Horvitz and Thompson 1952). Whether there is a difference is
    asked of what was kept; how often it worked is told, and valued, by these whole numbers.
    """
    cells = {(True, True): 0.0, (True, False): 0.0, (False, True): 0.0, (False, False): 0.0}
    for case in cases:
        cells[holds(case), case.worked] += 1.0 / case.context.share if case.worked else 1.0
    s1, f1, s0, f0 = cells.values()
    return Table(round(s1), f1, round(s0), f0)


def ranked_effects(
    columns: Mapping[str, Sequence[bool]],
    outcomes: Sequence[bool],
    preferred: Callable[[str], bool],
    rank: Callable[[str], Any],
) -> list[Effect]:
    """Rank candidates by what they tell about the outcomes.

    Candidates that split the cases alike are one: they are told apart by rank alone.

    Args:
        columns: Candidate → whether it holds, for each case.
        outcomes: Whether each case came out well.
        preferred: Whether a candidate comes to mind first; half of the prior is theirs.
        rank: Sorts candidates that split alike; the first is taken.
    """
    groups: dict[tuple[bool, ...], list[str]] = {}
    for text, column in columns.items():
        if any(column) and not all(column):
            groups.setdefault(tuple(column), []).append(text)
    keys = sorted(groups)
    first = [any(map(preferred, groups[key])) for key in keys]
    effects = []
    for key, weight in zip(keys, weights(first), strict=True):
        cells = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
        for holds, good in zip(key, outcomes, strict=True):
            cells[holds, bool(good)] += 1
        table = Table(
            cells[True, True], cells[True, False], cells[False, True], cells[False, False]
        )
        effects.append(Effect(tuple(sorted(groups[key], key=rank)), table, weight))
    effects.sort(key=lambda e: (-e.log_factor, -information_gain(e.table), rank(e.text), e.text))
    return effects


def best_effect(
    columns: Mapping[str, Sequence[bool]],
    outcomes: Sequence[bool],
    trigger: Trigger,
    preferred: Callable[[str], bool],
    rank: Callable[[str], Any],
) -> tuple[Effect | None, Effect | None]:
    """Return the effect that is credible, and the best one whether credible or not.

    Args as for :func:`ranked_effects`, and ``trigger``: how sure one must be.
    """
    effects = ranked_effects(columns, outcomes, preferred, rank)
    believed = next((e for e in effects if credible(e.table, e.weight, trigger)), None)
    return believed, effects[0] if effects else None
