"""A wreck in invented words: all episodes begin in one cabin, whose heading has no ornament.

Something lies in one cabin and belongs into something in another. Moves are bare (``fore``) or
name where they lead (``clamber into the galley``); headings are titles or sentences.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from random import Random

from macla.procedures.episodes.trajectories import Trajectory

__all__ = ["Hulk", "HulkTask", "ListedHulk", "hulk_demonstration", "hulk_task"]

NOTHING = "Nope."
_WAYS = {"fore": (0, 1), "aft": (0, -1), "port": (-1, 0), "starboard": (1, 0)}
_CABINS = ("galley", "brig", "orlop", "forecastle", "bilge")
_THINGS = ("sextant", "brass gimlet", "oilskin", "marlinspike")
_BINS = ("locker", "tar barrel", "hamper")

Spot = tuple[int, int]


@dataclass(frozen=True)
class HulkTask:
    """A wreck and what is to be stowed where.

    Attributes:
        named: Whether moves name where they lead.
        titles: Whether headings are titles, or sentences.
        cabins: Spot → cabin.
        things: Thing → spot.
        bins: Bin → spot.
        thing: What is to be stowed.
        into: Where.
    """

    named: bool
    titles: bool
    cabins: dict[Spot, str]
    things: dict[str, Spot]
    bins: dict[str, Spot]
    thing: str
    into: str


def hulk_task(seed: int, *, named: bool = False, titles: bool = True) -> HulkTask:
    """Make the wreck of a seed."""
    rng = Random(f"hulk/{seed}")
    cabins: dict[Spot, str] = {(0, 0): "wheelhouse"}
    for cabin in rng.sample(_CABINS, 4):
        free = sorted(
            (x + dx, y + dy)
            for x, y in cabins
            for dx, dy in _WAYS.values()
            if (x + dx, y + dy) not in cabins
        )
        cabins[rng.choice(free)] = cabin
    spots = sorted(cabins)
    things = {thing: rng.choice(spots) for thing in rng.sample(_THINGS, 3)}
    bins = {each: rng.choice(spots) for each in rng.sample(_BINS, 2)}
    return HulkTask(named, titles, cabins, things, bins, next(iter(things)), next(iter(bins)))


class Hulk:
    """Plays a :class:`HulkTask`; possible commands stay hidden."""

    def reset(self, task: HulkTask) -> tuple[str, str]:
        self.task = task
        self.here: Spot = (0, 0)
        self.lying = dict(task.things)
        self.held: set[str] = set()
        self.stowed: set[tuple[str, str]] = set()
        return f"Stow the {task.thing} inside the {task.into}.", self._seen()

    def step(self, action: str) -> tuple[str, float, bool, dict[str, object]]:
        observation = self._apply(action) if action in self.possible() else NOTHING
        won = (self.task.thing, self.task.into) in self.stowed
        return observation, float(won), won, {"won": won}

    def ways(self, spot: Spot) -> dict[str, Spot]:
        """Moves that are possible at a spot, and where they lead."""
        x, y = spot
        led = {way: (x + dx, y + dy) for way, (dx, dy) in _WAYS.items()}
        there = {way: to for way, to in led.items() if to in self.task.cabins}
        if self.task.named:
            return {f"clamber into the {self.task.cabins[to]}": to for to in there.values()}
        return there

    def possible(self) -> list[str]:
        bins = [each for each, spot in self.task.bins.items() if spot == self.here]
        return [
            *self.ways(self.here),
            *(f"heave {thing}" for thing, spot in self.lying.items() if spot == self.here),
            *(f"jettison {thing}" for thing in self.held),
            *(f"stow {thing} inside {each}" for thing in self.held for each in bins),
        ]

    def _apply(self, action: str) -> str:
        ways = self.ways(self.here)
        if action in ways:
            self.here = ways[action]
            return self._seen()
        verb, rest = action.split(" ", 1)
        if verb == "heave":
            del self.lying[rest]
            self.held.add(rest)
            return f"You heave up the {rest}."
        thing, _, into = rest.partition(" inside ")
        self.held.discard(thing)
        if verb == "jettison":
            self.lying[thing] = self.here
            return f"You jettison the {thing}."
        self.stowed.add((thing, into))
        return f"You stow the {thing} inside the {into}."

    def _seen(self) -> str:
        cabin = self.task.cabins[self.here]
        near = [
            each
            for each, spot in [*self.lying.items(), *self.task.bins.items()]
            if spot == self.here
        ]
        lines = [cabin.title() if self.task.titles else f"Rot fills the {cabin}."]
        lines += [f"There lies the {each}." for each in near]
        ways = self.ways(self.here)
        if self.task.named:
            led = ", ".join(f"the {self.task.cabins[to]}" for to in ways.values())
            lines.append(f"One can clamber into {led}.")
        else:
            lines.append(f"Hatches: {', '.join(ways)}.")
        return ("\n" if self.task.titles else " ").join(lines)


class ListedHulk(Hulk):
    """A wreck that shows which commands are possible."""

    def admissible(self) -> list[str]:
        return sorted(self.possible())


def hulk_demonstration(seed: int, *, named: bool = False, titles: bool = True) -> Trajectory:
    """Play one wreck as somebody who goes cabin by cabin until the thing, then the bin, is met."""
    world = Hulk()
    text, first = world.reset(hulk_task(seed, named=named, titles=titles))
    task = world.task
    observations, actions = [first], []
    visited = {world.here}

    def do(action: str) -> bool:
        observation, _, won, _ = world.step(action)
        actions.append(action)
        observations.append(observation)
        return won

    def go_to(spot: Spot) -> None:
        while world.here != spot:
            goal = {spot} if spot in visited else set(task.cabins) - visited
            for action in _route(world, goal):
                do(action)
            visited.add(world.here)

    go_to(task.things[task.thing])
    do(f"heave {task.thing}")
    go_to(task.bins[task.into])
    won = do(f"stow {task.thing} inside {task.into}")
    return Trajectory(text, tuple(observations), tuple(actions), won, id=f"hulk-{seed}")


def _route(world: Hulk, wanted: set[Spot]) -> list[str]:
    """Moves to the nearest spot that is wanted; there is one."""
    queue: deque[tuple[Spot, list[str]]] = deque([(world.here, [])])
    seen = {world.here}
    while True:
        spot, moves = queue.popleft()
        if spot in wanted:
            return moves
        for action, to in world.ways(spot).items():
            if to not in seen:
                seen.add(to)
                queue.append((to, [*moves, action]))
