"""A small house whose tasks may be worded in words that the house itself does not use."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from macla.procedures.episodes.trajectories import Trajectory

PLACES = ("shelf", "drawer", "table", "hearth", "bench")
NOTHING = "Nothing happens."


@dataclass(frozen=True)
class SculleryTask:
    """A thing of a kind is to be put on a place; all of it follows from the seed.

    Attributes:
        seed: Of the layout.
        thing: Kind of the thing that the house holds.
        said: The word for it that the task uses.
        others: Kinds of the other things.
    """

    seed: int
    thing: str = "mug"
    said: str = "mug"
    others: tuple[str, ...] = ("plate", "candle")

    @property
    def goal(self) -> str:
        return Random(f"goal/{self.seed}").choice(PLACES)

    @property
    def text(self) -> str:
        return f"Put a {self.said} on the {self.goal}."


class Scullery:
    """Plays a :class:`SculleryTask`; possible commands stay hidden."""

    def reset(self, task: SculleryTask) -> tuple[str, str]:
        rng = Random(f"scullery/{task.seed}")
        self.task = task
        self.places = [f"{kind} {n}" for kind in PLACES for n in (1, 2)]
        elsewhere = [place for place in self.places if not place.startswith(task.goal)]
        self.at: dict[str, str] = {f"{task.thing} 1": rng.choice(elsewhere)}
        self.at |= {f"{kind} {n}": rng.choice(self.places) for kind in task.others for n in (1, 2)}
        self.here = self.held = ""
        return task.text, f"A scullery with a {', a '.join(self.places)}."

    def step(self, action: str) -> tuple[str, float, bool, dict[str, object]]:
        text = self._apply(action)
        place = self.at.get(f"{self.task.thing} 1", "")
        won = place.startswith(self.task.goal)
        return text, float(won), won, {"won": won}

    def _apply(self, action: str) -> str:
        for place in self.places:
            if action == f"go to {place}":
                self.here = place
                things = sorted(thing for thing, at in self.at.items() if at == place)
                return f"On the {place} you see {', '.join(f'a {t}' for t in things) or 'nothing'}."
        for thing, at in self.at.items():
            if action == f"take {thing} from {self.here}" and at == self.here and not self.held:
                self.at[thing], self.held = "", thing
                return f"You take the {thing} from the {self.here}."
            if action == f"put {thing} on {self.here}" and self.held == thing:
                self.at[thing], self.held = self.here, ""
                return f"You put the {thing} on the {self.here}."
        return NOTHING


def scullery_demonstration(task: SculleryTask) -> Trajectory:
    """Look from place to place, take the thing and put it where it belongs."""
    world = Scullery()
    text, first = world.reset(task)
    obs, acts = [first], []

    def do(action: str) -> None:
        acts.append(action)
        obs.append(world.step(action)[0])

    thing = f"{task.thing} 1"
    order = list(world.places)
    Random(f"order/{task.seed}").shuffle(order)
    for place in order:
        do(f"go to {place}")
        if world.at[thing] == place:
            break
    do(f"take {thing} from {world.here}")
    do(f"go to {task.goal} 1")
    do(f"put {thing} on {task.goal} 1")
    return Trajectory(task=text, obs=tuple(obs), acts=tuple(acts), success=True)
