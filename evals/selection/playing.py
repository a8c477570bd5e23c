"""Play a world with an arm: what it chose, what it regrets, how well it knew."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from .arms import Arm, Memory
from .worlds import World

__all__ = ["Played", "play"]


@dataclass(frozen=True, slots=True)
class Played:
    """One arm in one world.

    Attributes:
        regrets: By episode, the best rate less the rate of what was chosen, in [0, 1].
        expected: By episode, the success rate that was expected of what was chosen.
        worked: By episode, whether it worked.
    """

    regrets: tuple[float, ...]
    expected: tuple[float, ...]
    worked: tuple[bool, ...]

    @property
    def regret(self) -> float:
        """The sum over episodes, in successes lost."""
        return sum(self.regrets)


def play(world: World, arm: Arm, seed: int = 0) -> Played:
    """Play all episodes of a world; the same luck for every arm, so that worlds are pairs."""
    memory, chance = Memory(arm), Random(f"{seed}/{arm.name}")  # noqa: S311
    regrets, expected, worked = [], [], []
    for number, told in enumerate(world.episodes):
        rivals, rates = world.goals[told.goal], world.rates(number)
        situation = frozenset({f"goal={told.goal}", f"thing={told.context}"})
        chosen, hope = memory.choice(rivals, situation, chance)
        success = told.luck[chosen] < rates[chosen]
        memory.note(rivals[chosen], situation, worked=success)
        regrets.append(max(rates) - rates[chosen])
        expected.append(hope)
        worked.append(success)
    return Played(tuple(regrets), tuple(expected), tuple(worked))
