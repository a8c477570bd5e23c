"""Moments of demonstrations: what was known and done, and what could have been done instead."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ...episodes.history import History
from ..program import Guard

__all__ = ["Guarding", "Moment", "order_of_steps"]


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a demonstration.

    Attributes:
        history: What was known.
        step: What was done; None at the end.
        open: Steps that could have been done, were it not for their guards.
        explained: Whether all that its demonstration typed is explained.
    """

    history: History
    step: str | None
    open: frozenset[str]
    explained: bool = True


@dataclass(frozen=True, slots=True)
class Guarding:
    """Guards of a step, the moments at which one of them holds, and what they cost in bits."""

    guards: tuple[Guard, ...]
    truth: int
    bits: float


def order_of_steps(moments: Sequence[Moment]) -> list[str]:
    """Order steps so that the first that can be done is, as far as possible, what was done.

    Of two steps that could both be done the one that was done rather comes first; steps between
    which that does not decide stand in the order of time.
    """
    wins: Counter[tuple[str, str]] = Counter()
    times: dict[str, list[int]] = defaultdict(list)
    for moment in moments:
        if moment.step is None:
            continue
        times[moment.step].append(len(moment.history.calls))
        for other in moment.open - {moment.step}:
            wins[moment.step, other] += 1
    left = sorted(times, key=lambda s: (sum(times[s]) / len(times[s]), s))
    order: list[str] = []
    while left:
        losses = {
            step: sum(
                wins[other, step] / (wins[other, step] + wins[step, other])
                for other in left
                if wins[other, step]
            )
            for step in left
        }
        best = min(left, key=lambda s: (round(losses[s], 6), left.index(s)))
        order.append(best)
        left.remove(best)
    return order
