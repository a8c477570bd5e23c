"""Moments of demonstrations: what was known and done, and what could have been done instead."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ...episodes.history import History
from ..program import Guard

__all__ = ["Guarding", "Moment", "in_any_order", "order_of_steps"]

_LEAST_ORDERS = 2
"""Times that steps were done in either order, so that none is a slip."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a demonstration.

    Attributes:
        history: What was known.
        step: What was done; None at the end.
        open: Steps that could have been done, were it not for their guards.
        explained: Whether all that its demonstration typed is explained.
        later: Others of them that the demonstration did later, just as they could be done now.
    """

    history: History
    step: str | None
    open: frozenset[str]
    explained: bool = True
    later: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Guarding:
    """Guards of a step, the moments at which one of them holds, and what they cost in bits."""

    guards: tuple[Guard, ...]
    truth: int
    bits: float


def in_any_order(moments: Sequence[Moment]) -> tuple[tuple[str, ...], ...]:
    """Return groups of steps of which demonstrations did now the one, now the other first."""
    sooner = Counter((m.step, other) for m in moments if m.step for other in m.later)
    groups: dict[str, set[str]] = {}
    for (one, other), times in sorted(sooner.items()):
        if one < other and min(times, sooner[other, one]) >= _LEAST_ORDERS:
            group = groups.get(one, {one}) | groups.get(other, {other})
            groups |= dict.fromkeys(group, group)
    return tuple(sorted({tuple(sorted(group)) for group in groups.values()}))


def order_of_steps(moments: Sequence[Moment]) -> list[str]:
    """Order steps so that the first that can be done is, as far as possible, what was done.

    Of two steps that could both be done the one that was done rather comes first; steps between
    which that does not decide stand in the order of time.
    """
    free = {step: frozenset(group) for group in in_any_order(moments) for step in group}
    wins: Counter[tuple[str, str]] = Counter()
    times: dict[str, list[int]] = defaultdict(list)
    for moment in moments:
        if moment.step is None:
            continue
        times[moment.step].append(len(moment.history.calls))
        own = free.get(moment.step, frozenset()) & moment.later
        for other in moment.open - own - {moment.step}:
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
