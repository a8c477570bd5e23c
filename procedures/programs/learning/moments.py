"""Moments of demonstrations: the history, the step that was done, and the possible steps."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ...episodes.history import History
from ..program import Guard

_LEAST_ORDERS = 2
"""Least times that two steps have to be done in either order, so that none is a slip."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a demonstration.

    Attributes:
        history: The history before the step.
        step: Id of the step that was done; None at the end.
        open: Ids of the steps that were possible without their guards.
        explained: Whether every argument of its demonstration is explained.
        later: Ids of other open steps that the demonstration did later with the same arguments.
    """

    history: History
    step: str | None
    open: frozenset[str]
    explained: bool = True
    later: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Guarding:
    """Guards of a step, the moments at which one of them holds, and their bits."""

    guards: tuple[Guard, ...]
    truth: int
    bits: float


def in_any_order(moments: Sequence[Moment]) -> tuple[tuple[str, ...], ...]:
    """Return groups of steps that demonstrations did in either order."""
    count_by_pair = Counter((m.step, other) for m in moments if m.step for other in m.later)
    groups: dict[str, set[str]] = {}
    for (one, other), times in sorted(count_by_pair.items()):
        if one < other and min(times, count_by_pair[other, one]) >= _LEAST_ORDERS:
            group = groups.get(one, {one}) | groups.get(other, {other})
            groups |= dict.fromkeys(group, group)
    return tuple(sorted({tuple(sorted(group)) for group in groups.values()}))


def order_of_steps(moments: Sequence[Moment]) -> list[str]:
    """Return step ids in an order whose first possible step is mostly the one that was done.

    Of two possible steps the one that was done more often comes first. Time decides between others.
    """
    free = {step: frozenset(group) for group in in_any_order(moments) for step in group}
    wins: Counter[tuple[str, str]] = Counter()
    times: dict[str, list[int]] = defaultdict(list)
    for moment in moments:
        if moment.step is None:
            continue
        times[moment.step].append(len(moment.history.calls))
        movable = free.get(moment.step, frozenset()) & moment.later
        for other in moment.open - movable - {moment.step}:
            wins[moment.step, other] += 1
    remaining = sorted(times, key=lambda s: (sum(times[s]) / len(times[s]), s))
    order: list[str] = []
    while remaining:
        losses = {
            step: sum(
                wins[other, step] / (wins[other, step] + wins[step, other])
                for other in remaining
                if wins[other, step]
            )
            for step in remaining
        }
        best = min(remaining, key=lambda s: (round(losses[s], 6), remaining.index(s)))
        order.append(best)
        remaining.remove(best)
    return order
