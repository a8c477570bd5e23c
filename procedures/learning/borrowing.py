"""Plans for goals that were only ever failed at, borrowed from goals that were reached.

The words of reached goals tell which procedures they call for: those that every plan of a goal
with that word has, so many times. A goal whose words together call for just what some plan does
is given that plan; with a word that no reached goal has, nothing is guessed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

from ..lexicon import slots
from .analysis import Episode
from .plans import Plan

__all__ = ["borrow_plans"]

_LEAST_EPISODES = 3
"""A goal met less often than this may be a slip of the task's text."""
_MOST_SLOTS = 4


def borrow_plans(
    plans: Sequence[Plan], reached: Iterable[Episode], failed: Iterable[Episode]
) -> list[Plan]:
    """Give goals that were only failed at the plans that their words call for.

    Args:
        plans: Of the goals that were reached.
        reached: Successes; they say what usually fills a goal's slots.
        failed: Failures, parsed.

    Returns:
        New plans, with no support of their own, in the order of their goals.
    """
    best: dict[str, Plan] = {}
    for plan in plans:
        if plan.goal not in best or plan.support > best[plan.goal].support:
            best[plan.goal] = plan
    calls = _called_for(best.values())
    usual = _fillers(reached)
    met = Counter(episode.goal for episode in failed)
    wanted = _fillers(failed)
    found: list[Plan] = []
    for goal in sorted(met):
        words = _words(goal)
        if goal in best or goal in usual or met[goal] < _LEAST_EPISODES or words - calls.keys():
            continue
        needed: Counter[str] = Counter()
        for word in words:
            needed |= calls[word]
        fitting = [
            plan
            for plan in best.values()
            if Counter(plan.shape) == needed and slots(plan.goal) == slots(goal) <= _MOST_SLOTS
        ]
        if fitting:
            plan = min(fitting, key=lambda p: (-len(_words(p.goal) & words), -p.support, p.goal))
            found.append(_lent(plan, goal, usual.get(plan.goal, {}), wanted[goal]))
    return found


def _words(goal: str) -> set[str]:
    return {word for word in goal.split() if not word.startswith("{")}


def _called_for(plans: Iterable[Plan]) -> dict[str, Counter[str]]:
    """Word → procedures, by final frame, that every plan of a goal with this word has."""
    calls: dict[str, Counter[str]] = {}
    for plan in plans:
        for word in _words(plan.goal):
            shape = Counter(plan.shape)
            calls[word] = calls[word] & shape if word in calls else shape
    return calls


_Fillers = Mapping[int, Counter[str]]


def _fillers(episodes: Iterable[Episode]) -> dict[str, dict[int, Counter[str]]]:
    """Goal → slot → what filled it."""
    found: dict[str, dict[int, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for episode in episodes:
        for slot, filler in enumerate(episode.fillers):
            found[episode.goal][slot][filler] += 1
    return found


def _lent(plan: Plan, goal: str, usual: _Fillers, wanted: _Fillers) -> Plan:
    """Copy a plan to a goal; each slot becomes the one with the most like fillers."""
    count = slots(goal)

    def alike(order: Sequence[int]) -> int:
        return sum(
            (usual.get(old, Counter()) & wanted.get(new, Counter())).total()
            for old, new in enumerate(order)
        )

    order = max(permutations(range(count)), key=alike)
    return replace(
        plan,
        goal=goal,
        slots={name: order[slot] for name, slot in plan.slots.items()},
        avoid={name: [order[slot] for slot in listed] for name, listed in plan.avoid.items()},
        support=0,
        played=0,
        others=0,
        borrowed_from=plan.goal,
    )
