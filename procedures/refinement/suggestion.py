"""Suggestions of a contrast, and the counting of its candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .bayes_factors import (
    Table,
    Trigger,
    bayes_factor,
    credible,
    information_gain,
    more_needed,
    weights,
)
from .cases import Case

PATIENCE = 2.0
"""Greatest number of further cases, as a multiple of those at hand, for which a repair or guard
that may become credible is waited for."""


@dataclass(frozen=True, slots=True)
class Effect:
    """A candidate that makes a difference, or may.

    Attributes:
        candidates: The candidates that split the cases in this same way, the likeliest first.
        table: Counts with and without it.
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
        kind: For a procedure missing_step, moved_step, guard, precondition, postcondition or
            variant; for a plan place (one more), order, theta (when a place is skipped) or
            redundant (one less).
        document: The changed procedure or plan.
        why: The reason, in plain words.
        effect: The effect; its "with" side counts the executions that went as the new version
            does, for a variant those of its own kind. None where the change alters no action.
        successes: Episodes that worked.
        failures: Episodes that failed.
        guard: Condition of a new step; empty for always.
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
    """An effect that may be real, but is not credible yet.

    Attributes:
        kind: Kind of the change that it would support.
        text: The candidate.
        more: About how many more executions would make it credible; None where none would.
    """

    kind: str
    text: str
    more: int | None

    @classmethod
    def of(cls, kind: str, best: Effect | None, trigger: Trigger) -> Wanting | None:
        """Return the best effect as one that is waited for; None where it speaks for nothing."""
        if best is None or best.table.probability <= 0.5:
            return None
        return cls(kind, best.text, more_needed(best.table, best.weight, trigger))


def table_of(cases: Iterable[Case], holds: Callable[[Case], bool]) -> Table:
    """Count successes and failures of the cases where something holds and where it does not."""
    return Table.counted((holds(case), case.worked) for case in cases)


def estimated(cases: Iterable[Case], holds: Callable[[Case], bool]) -> Table:
    """Estimate the table of all cases from the stored sample.

    All failures are stored, but only a share of the successes, so a stored success stands for
    ``1 / share`` (Horvitz and Thompson 1952). The stored cases decide whether there is a
    difference; these estimates give the rates.
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

    Candidates that split the cases in the same way are one effect, ordered by ``rank`` alone.

    Args:
        columns: Candidate → whether it holds, for each case.
        outcomes: Whether each case succeeded.
        preferred: Whether a candidate is a preferred one; these share half of the prior.
        rank: Sort key of candidates with the same split; the first represents the effect.
    """
    candidates_by_split: dict[tuple[bool, ...], list[str]] = {}
    for text, column in columns.items():
        if any(column) and not all(column):
            candidates_by_split.setdefault(tuple(column), []).append(text)
    splits = sorted(candidates_by_split)
    preferred_groups = [any(map(preferred, candidates_by_split[split])) for split in splits]
    effects = []
    for split, weight in zip(splits, weights(preferred_groups), strict=True):
        table = Table.counted(zip(split, map(bool, outcomes), strict=True))
        effects.append(Effect(tuple(sorted(candidates_by_split[split], key=rank)), table, weight))
    effects.sort(key=lambda e: (-e.log_factor, -information_gain(e.table), rank(e.text), e.text))
    return effects


def best_effect(
    columns: Mapping[str, Sequence[bool]],
    outcomes: Sequence[bool],
    trigger: Trigger,
    preferred: Callable[[str], bool],
    rank: Callable[[str], Any],
) -> tuple[Effect | None, Effect | None]:
    """Return the first credible effect, and the best one whether credible or not.

    Args as for :func:`ranked_effects`, and ``trigger``: when an effect is credible.
    """
    effects = ranked_effects(columns, outcomes, preferred, rank)
    credible_effect = next((e for e in effects if credible(e.table, e.weight, trigger)), None)
    return credible_effect, effects[0] if effects else None
