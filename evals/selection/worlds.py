"""Libraries in which choosing matters: goals with rivals that work at different rates.

A world has a few goals, each with three to ten rivals: procedures that say that they reach it. A
rival has a rate of success in each context; contexts are things, which the loop sees as
situations. Five kinds of worlds are made:

- ``plain``: rates of 30 to 95 %, the same in all contexts;
- ``context``: half of the rivals work at 80 to 95 % in one context and at 5 to 30 % in the others;
- ``poisoned``: one rival of each goal, the first one, has 20 recorded successes and works at 5 %;
- ``outdated``: the rivals have recorded trials at the rates of old, and the best of old works at
  20 %;
- ``drift``: in mid-course the rival that worked best stops working, and another begins to work.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Literal, get_args

__all__ = ["CONTEXTS", "GOALS", "KINDS", "Episode", "Kind", "Rival", "World", "make_world"]

Kind = Literal["plain", "context", "poisoned", "outdated", "drift"]
KINDS: tuple[Kind, ...] = get_args(Kind)

GOALS = 3
CONTEXTS = 3
_RECORDED = 20
"""Recorded trials of what is poisoned or outdated."""


@dataclass(frozen=True, slots=True)
class Rival:
    """A procedure among others for one goal.

    Attributes:
        before: Rates of success by context until the change, in [0, 1].
        after: The same from the change on.
        recorded: (successes, failures) that are recorded before the first episode.
    """

    before: tuple[float, ...]
    after: tuple[float, ...]
    recorded: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Episode:
    """One task.

    Attributes:
        goal: Index of its goal.
        context: Index of its context.
        luck: For each rival of the goal a number in [0, 1); it works where its rate is above.
    """

    goal: int
    context: int
    luck: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class World:
    """Goals, their rivals and the tasks that come.

    Attributes:
        kind: Which kind.
        goals: Rivals of each goal.
        episodes: Tasks, in order.
        change: Index of the first episode with the rates of after.
    """

    kind: Kind
    goals: tuple[tuple[Rival, ...], ...]
    episodes: tuple[Episode, ...]
    change: int

    def rates(self, number: int) -> list[float]:
        """Return the true rates of an episode's rivals."""
        told = self.episodes[number]
        late = number >= self.change
        return [
            (rival.after if late else rival.before)[told.context] for rival in self.goals[told.goal]
        ]


def make_world(kind: Kind, seed: int, episodes: int = 300) -> World:
    """Make a world and its tasks; the same for the same arguments.

    Args:
        kind: One of :data:`KINDS`.
        seed: Of all chance.
        episodes: Tasks, >= 1.
    """
    chance = random.Random(f"{kind}/{seed}")  # noqa: S311
    goals = tuple(_goal(kind, chance) for _ in range(GOALS))
    told = []
    for _ in range(episodes):
        goal = chance.randrange(GOALS)
        luck = tuple(chance.random() for _ in goals[goal])
        told.append(Episode(goal, chance.randrange(CONTEXTS), luck))
    return World(kind, goals, tuple(told), episodes // 2 if kind == "drift" else 0)


def _goal(kind: Kind, chance: random.Random) -> tuple[Rival, ...]:
    rivals = []
    for place in range(chance.randint(3, 10)):
        rate = chance.uniform(0.30, 0.95)
        rates = (rate,) * CONTEXTS
        if kind == "context" and place % 2 == 0:
            own = chance.randrange(CONTEXTS)
            good, bad = chance.uniform(0.80, 0.95), chance.uniform(0.05, 0.30)
            rates = tuple(good if each == own else bad for each in range(CONTEXTS))
        rivals.append(Rival(rates, rates))
    best = max(range(len(rivals)), key=lambda i: rivals[i].after[0])
    if kind == "poisoned":
        worst = min(range(len(rivals)), key=lambda i: rivals[i].after[0])
        rates = (0.05,) * CONTEXTS
        del rivals[worst]
        rivals.insert(0, Rival(rates, rates, (float(_RECORDED), 0.0)))
    elif kind == "outdated":
        recorded = [_recorded(rival.before[0], chance) for rival in rivals]
        rivals = [replace(r, recorded=known) for r, known in zip(rivals, recorded, strict=True)]
        rivals[best] = replace(rivals[best], before=(0.2,) * CONTEXTS, after=(0.2,) * CONTEXTS)
    elif kind == "drift":
        rivals[best] = replace(rivals[best], after=(0.2,) * CONTEXTS)
        other = chance.choice([i for i in range(len(rivals)) if i != best])
        rivals[other] = replace(rivals[other], after=(0.95,) * CONTEXTS)
    return tuple(rivals)


def _recorded(rate: float, chance: random.Random) -> tuple[float, float]:
    good = sum(chance.random() < rate for _ in range(_RECORDED))
    return float(good), float(_RECORDED - good)
