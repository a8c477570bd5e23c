"""What the foreign worlds share: episodes that follow from a seed, and recording demonstrations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from macla.procedures.episodes.trajectories import Trajectory

COLOURS = ("red", "blue", "green", "white", "black", "yellow")
NEW_COLOURS = ("amber", "violet", "orange")


@dataclass(frozen=True)
class ForeignTask:
    """One episode; all of it follows from the seed.

    Attributes:
        seed: Any text.
        held_out: Whether about half of the names are ones that no demonstration has.
    """

    seed: str
    held_out: bool = True


class ForeignWorld:
    """Base of the worlds: a domain as ``docs/domains.md`` describes it, with possible actions.

    Attributes:
        key: Names the world's stream of random numbers.
        refusal: What is answered to an impossible action.
        case_matters: Whether actions must be spelled with the capitals they are listed with.
    """

    key: ClassVar[str]
    refusal: ClassVar[str]
    case_matters: ClassVar[bool] = True

    def reset(self, task: ForeignTask) -> tuple[str, str]:
        self.rng = Random(f"{self.key}/{task.seed}")
        self.held_out = task.held_out
        self.done = False
        return self.set_up(), self.first()

    def step(self, action: str) -> tuple[str, float, bool, dict[str, object]]:
        possible = self.possible()
        if not self.case_matters:
            action = {each.lower(): each for each in possible}.get(action.lower(), action)
        allowed = action in possible and not self.done
        observation = self.apply(action) if allowed else self.refusal
        won = self.is_won()
        self.done = self.done or won
        return observation, float(won), self.done, {"won": won}

    def admissible(self) -> list[str]:
        return sorted(self.possible())

    # ------------------------------------------------------------- what a world defines
    def set_up(self) -> str:
        """Lay out the episode from ``self.rng``; return the text of the task."""
        raise NotImplementedError

    def first(self) -> str:
        """Return the first observation."""
        raise NotImplementedError

    def possible(self) -> list[str]:
        """Return the actions that are possible now."""
        raise NotImplementedError

    def apply(self, action: str) -> str:
        """Do a possible action; return the observation. May set ``self.done``."""
        raise NotImplementedError

    def is_won(self) -> bool:
        """Say whether the task is solved."""
        raise NotImplementedError

    def expert(self) -> Iterator[str]:
        """Yield the actions of somebody who knows the world's rules, but not the episode."""
        raise NotImplementedError

    # ---------------------------------------------------------------------------- names
    def pick(self, usual: Sequence[str], new: Sequence[str], count: int) -> list[str]:
        """Return names; in held-out episodes about half of them are new."""
        if not self.held_out:
            return self.rng.sample(list(usual), count)
        chosen = self.rng.sample(list(new), min(len(new), max(1, count // 2)))
        rest = [name for name in (*usual, *new) if name not in chosen]
        chosen += self.rng.sample(rest, count - len(chosen))
        self.rng.shuffle(chosen)
        return chosen


def listed(items: Sequence[str]) -> str:
    """Return "a cup, an urn and a pot"."""
    shown = [f"{'an' if item[0].lower() in 'aeiou' else 'a'} {item}" for item in items]
    if len(shown) < 2:
        return shown[0] if shown else "nothing"
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


def demonstration(world: ForeignWorld, seed: str, *, held_out: bool = False) -> Trajectory:
    """Play one episode as the world's expert; it is always won."""
    text, first = world.reset(ForeignTask(seed, held_out))
    observations, actions = [first], []
    for action in world.expert():
        assert action in world.possible(), (action, world.possible())
        actions.append(action)
        observations.append(world.step(action)[0])
    assert world.is_won(), (text, actions, observations)
    return Trajectory(text, tuple(observations), tuple(actions), True, id=f"{world.key}-{seed}")


def demonstrations(kind: type[ForeignWorld], count: int) -> list[Trajectory]:
    """Return demonstrations without any of the new names."""
    return [demonstration(kind(), f"train{i}") for i in range(count)]


def held_out_tasks(count: int) -> list[ForeignTask]:
    """Return tasks that no demonstration shows."""
    return [ForeignTask(f"test{i}") for i in range(count)]
