"""A mill whose rule can change after it was learned: what worked needs something else now."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from macla.procedures.episodes.trajectories import Trajectory

GRAINS = ("vorn", "pesk", "drail", "omble", "quist", "tarn")
MILLS = ("grindle", "stamper", "roller")


class Mill:
    """Grain is fetched from a bin and ground in a mill; some tasks ask to crank the mill first.

    Args:
        rule: What grinding takes: ``plain`` nothing, ``cranked`` that the mill was cranked,
            ``jammed`` that it was where it is seen to be jammed, ``kind`` that it was if it is a
            stamper, ``noise`` luck, in 6 of 10 cases.
    """

    def __init__(self, rule: str = "plain") -> None:
        self.rule = rule

    def reset(self, seed: str) -> tuple[str, str]:
        self.rng = Random(f"mill/{seed}")
        self.grain = self.rng.choice(GRAINS)
        self.mill = f"{self.rng.choice(MILLS)} 1"
        self.bins = [f"bin {i}" for i in range(1, 4)]
        self.place = {f"{grain} 1": self.rng.choice(self.bins) for grain in GRAINS}
        self.jammed = self.rng.random() < 0.5
        self.first_crank = self.rng.random() < 0.5
        self.held: str | None = None
        self.here: str | None = None
        self.cranked = self.won = False
        first = f"crank the {self.mill.split()[0]} and " if self.first_crank else ""
        seen = ", ".join(f"a {each}" for each in (*self.bins, self.mill))
        return f"Now {first}make some ground {self.grain}.", f"You see {seen}."

    def admissible(self) -> list[str]:
        actions = [f"walk to {each}" for each in (*self.bins, self.mill) if each != self.here]
        if self.here in self.bins and self.held is None:
            lying = [thing for thing, place in self.place.items() if place == self.here]
            actions += [f"lift {thing} from {self.here}" for thing in lying]
        if self.here == self.mill:
            actions += [f"crank {self.mill}", f"polish {self.mill}"]
            if self.held is not None:
                actions.append(f"grind {self.held} in {self.mill}")
        return sorted(actions)

    def step(self, action: str) -> tuple[str, float, bool, dict[str, bool]]:
        if action not in self.admissible():
            return "Nothing comes of it.", 0.0, False, {"won": False}
        observation = self._apply(action)
        return observation, float(self.won), self.won, {"won": self.won}

    def _apply(self, action: str) -> str:
        verb, *rest = action.split()
        if verb == "walk":
            self.here = " ".join(rest[1:])
            if self.here in self.bins:
                lying = [thing for thing, place in self.place.items() if place == self.here]
                seen = ", ".join(f"a {thing}" for thing in lying) or "nothing"
                return f"You stand at {self.here}. In it you see {seen}."
            state = "jammed" if self.jammed else "loose"
            return f"You stand at {self.here}. The {self.here} is {state}."
        if verb == "lift":
            self.held = " ".join(rest[:2])
            self.place[self.held] = ""
            return f"You lift the {self.held} from the {self.here}."
        if verb != "grind":
            self.cranked = self.cranked or verb == "crank"
            return f"You {verb} the {self.mill}."
        if not self._turns():
            return f"The {self.mill} does not move."
        held, self.held = str(self.held), None
        self.won = held.startswith(self.grain) and (self.cranked or not self.first_crank)
        return f"You grind the {held} in the {self.mill}."

    def _turns(self) -> bool:
        if self.rule == "jammed":
            return self.cranked or not self.jammed
        if self.rule == "kind":
            return self.cranked or not self.mill.startswith("stamper")
        if self.rule == "noise":
            return self.rng.random() < 0.6
        return self.cranked or self.rule == "plain"

    def expert(self) -> Iterator[str]:
        if self.first_crank:
            yield f"walk to {self.mill}"
            yield f"crank {self.mill}"
        thing = f"{self.grain} 1"
        for each in self.bins:
            yield f"walk to {each}"
            if self.place[thing] == each:
                break
        yield f"lift {thing} from {each}"
        yield f"walk to {self.mill}"
        yield f"grind {thing} in {self.mill}"


def mill_demonstration(seed: int) -> Trajectory:
    """Play one episode as somebody who knows the old rule."""
    world = Mill()
    task, first = world.reset(f"train{seed}")
    observations, actions = [first], []
    for action in world.expert():
        actions.append(action)
        observations.append(world.step(action)[0])
    assert world.won
    return Trajectory(task, tuple(observations), tuple(actions), True, id=f"mill-{seed}")
