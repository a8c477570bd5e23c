"""Two small text worlds in invented words, each with a demonstrator that writes trajectories.

*Burrow*: entities are a kind and a number, every place is one step away, some are shut.
*Ruin*: entities are phrases, rooms are joined by moves, and a notice says what to do.

Neither shares a word of its commands with any benchmark, so that what is learned of them is
learned from their text alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from macla.procedures.episodes.trajectories import Trajectory

NOTHING = "Nothing stirs."


@dataclass(frozen=True)
class BurrowTask:
    """A burrow and what is to be done in it; all of it follows from the seed.

    Attributes:
        goal: ``lodge`` (a thing of one kind into a place of another) or ``rinse`` (and first
            rinse it).
        thing: Kind of thing.
        place: Kind of place.
        contents: Place → things in it, to begin with.
        shut: Places that have to be unlatched.
    """

    goal: str
    thing: str
    place: str
    contents: dict[str, tuple[str, ...]]
    shut: frozenset[str]

    @property
    def text(self) -> str:
        rinsed = "rinsed " if self.goal == "rinse" else ""
        return f"Lodge a {rinsed}{self.thing} into some {self.place}."


_THINGS = ("zib", "mokka", "trell", "quorn", "pliv", "snarf")
_OPEN_PLACES = ("glurp", "hesk", "dorn")
_SHUT_PLACES = ("vand", "yarrick")
# Where a thing mostly lies: what search statistics should find out.
_USUAL = {"zib": "vand", "mokka": "glurp", "trell": "yarrick", "quorn": "hesk", "pliv": "dorn"}


def burrow_task(seed: int, goals: Sequence[str] = ("lodge", "rinse")) -> BurrowTask:
    """Make the burrow of a seed."""
    rng = Random(f"burrow/{seed}")
    places = [
        f"{kind} {n}"
        for kind in (*_OPEN_PLACES, *_SHUT_PLACES)
        for n in range(1, rng.randint(1, 3) + 1)
    ]
    contents: dict[str, list[str]] = {place: [] for place in [*places, "sploon 1"]}
    for kind in _THINGS:
        for n in range(1, rng.randint(1, 2) + 1):
            usual = [p for p in places if p.split()[0] == _USUAL.get(kind)]
            place = rng.choice(usual) if usual and rng.random() < 0.8 else rng.choice(places)
            contents[place].append(f"{kind} {n}")
    thing = rng.choice(_THINGS)
    # A place of a kind that holds none of them yet, or the task would be done already.
    target = rng.choice(
        [
            kind
            for kind in _OPEN_PLACES
            if not any(
                item.split()[0] == thing
                for place, items in contents.items()
                if place.split()[0] == kind
                for item in items
            )
        ]
        or ["sploon"]
    )
    shut = frozenset(place for place in places if place.split()[0] in _SHUT_PLACES)
    fixed = {place: tuple(items) for place, items in contents.items()}
    return BurrowTask(rng.choice(list(goals)), thing, target, fixed, shut)


class Burrow:
    """Plays a :class:`BurrowTask`; possible commands stay hidden."""

    def reset(self, task: BurrowTask) -> tuple[str, str]:
        self.task = task
        self.contents = {place: list(items) for place, items in task.contents.items()}
        self.shut = set(task.shut)
        self.here = ""
        self.held: list[str] = []
        self.rinsed: set[str] = set()
        around = ", ".join(f"a {place}" for place in self.contents)
        return task.text, f"You squat amid a burrow. Around you, you make out {around}."

    def step(self, action: str) -> tuple[str, float, bool, dict[str, object]]:
        observation = self._apply(action) if action in self._possible() else NOTHING
        won = self._won()
        return observation, float(won), won, {"won": won}

    def _won(self) -> bool:
        return any(
            item.split()[0] == self.task.thing
            and (self.task.goal == "lodge" or item in self.rinsed)
            for place, items in self.contents.items()
            if place.split()[0] == self.task.place
            for item in items
        )

    def _possible(self) -> list[str]:
        here = self.here
        actions = [f"hop to {place}" for place in self.contents if place != here]
        if here in self.shut:
            return [*actions, f"unlatch {here}"]
        if here:
            if not self.held:
                actions += [f"grab {item} out of {here}" for item in self.contents[here]]
            actions += [f"lodge {item} into {here}" for item in self.held]
            if here.startswith("sploon"):
                actions += [f"rinse {item} by {here}" for item in self.held]
        return actions

    def _apply(self, action: str) -> str:
        verb = action.split()[0]
        if verb == "hop":
            self.here = action.removeprefix("hop to ")
            seen = f"The {self.here} is latched." if self.here in self.shut else self._seen()
            return f"You reach {self.here}. {seen}"
        if verb == "unlatch":
            self.shut.discard(self.here)
            return f"You unlatch the {self.here}. {self._seen()}"
        item = " ".join(action.split()[1:3])
        if verb == "grab":
            self.contents[self.here].remove(item)
            self.held.append(item)
            return f"You grab the {item} out of the {self.here}."
        if verb == "lodge":
            self.held.remove(item)
            self.contents[self.here].append(item)
            return f"You lodge the {item} into the {self.here}."
        self.rinsed.add(item)
        return f"You rinse the {item} by the {self.here}."

    def _seen(self) -> str:
        items = ", ".join(f"a {item}" for item in self.contents[self.here])
        return f"There you spot {items or 'not a thing'}."


class ListedBurrow(Burrow):
    """A burrow that shows which commands are possible."""

    def admissible(self) -> list[str]:
        return sorted(self._possible())


def burrow_demonstration(seed: int, goals: Sequence[str] = ("lodge", "rinse")) -> Trajectory:
    """Play one burrow as somebody who looks in the usual places first."""
    task = burrow_task(seed, goals)
    rng = Random(f"burrow demonstration/{seed}")
    world = Burrow()
    text, first = world.reset(task)
    observations, actions, won = [first], [], False

    def do(action: str) -> str:
        nonlocal won
        observation, _, won, _ = world.step(action)
        actions.append(action)
        observations.append(observation)
        return observation

    places = [place for place in task.contents if place != "sploon 1"]
    rng.shuffle(places)
    places.sort(key=lambda place: place.split()[0] != _USUAL.get(task.thing))
    for place in places:
        observation = do(f"hop to {place}")
        if place in world.shut:
            observation = do(f"unlatch {place}")
        found = re.search(rf"\b{task.thing} \d+", observation)
        if found:
            do(f"grab {found.group(0)} out of {place}")
            break
    (item,) = world.held
    if task.goal == "rinse":
        do("hop to sploon 1")
        do(f"rinse {item} by sploon 1")
    target = rng.choice([p for p in task.contents if p.split()[0] == task.place])
    if world.here != target:
        do(f"hop to {target}")
    do(f"lodge {item} into {target}")
    return Trajectory(text, tuple(observations), tuple(actions), won, id=f"burrow-{seed}")


# ------------------------------------------------------------------------------ the ruin
_MOVES = {"northward": (0, 1), "southward": (0, -1), "eastward": (1, 0), "westward": (-1, 0)}
_BACK = {
    "northward": "southward",
    "southward": "northward",
    "eastward": "westward",
    "westward": "eastward",
}
_ROOMS = ("Amber Gallery", "Mossy Vault", "Hollow Stair", "Crooked Attic", "Salt Cellar")
_HALL = "Echoing Hall"
_RELICS = (
    "brass whistle",
    "woollen cap",
    "pewter jug",
    "cracked lantern",
    "ivory comb",
    "tin drum",
    "velvet sash",
    "walnut flute",
)
_WORK = {"burnish": "waxen rag", "tint": "ochre vial"}


@dataclass(frozen=True)
class RuinTask:
    """A ruin: where its rooms and relics are, and what the notice asks for.

    Attributes:
        rooms: Position → name of the room there.
        start: Position of the room where it begins.
        relics: Relic → its room.
        orders: (verb, relic) in the notice's order; every one has to be done.
    """

    rooms: dict[tuple[int, int], str]
    start: tuple[int, int]
    relics: dict[str, str]
    orders: tuple[tuple[str, str], ...]
    text: str = field(default="Do what the notice asks, then toll the gong.")


def ruin_task(seed: int) -> RuinTask:
    """Make the ruin of a seed."""
    rng = Random(f"ruin/{seed}")
    rooms = {(0, 0): _HALL}
    for name in rng.sample(_ROOMS, 3):
        free = sorted(
            {
                (x + dx, y + dy)
                for x, y in rooms
                for dx, dy in _MOVES.values()
                if (x + dx, y + dy) not in rooms
            }
        )
        rooms[rng.choice(free)] = name
    names = list(rooms.values())
    relics = {relic: rng.choice(names) for relic in rng.sample(_RELICS, 4)}
    asked = rng.sample(sorted(relics), 2)
    orders = tuple((rng.choice(sorted(_WORK)), relic) for relic in asked)
    return RuinTask(rooms, rng.choice(list(rooms)), relics, orders)


class Ruin:
    """Plays a :class:`RuinTask`; possible commands stay hidden."""

    def reset(self, task: RuinTask) -> tuple[str, str]:
        self.task = task
        self.at = task.start
        self.lying = dict(task.relics)
        self.held: list[str] = []
        self.done: set[tuple[str, str]] = set()
        return task.text, self._room()

    def step(self, action: str) -> tuple[str, float, bool, dict[str, object]]:
        if action not in self._possible():
            return NOTHING, 0.0, False, {"won": False}
        observation = self._apply(action)
        tolled = action == "toll gong"
        won = tolled and set(self.task.orders) <= self.done
        return observation, float(won), tolled, {"won": won}

    def _possible(self) -> list[str]:
        here = self.task.rooms[self.at]
        actions = [f"stride {name}" for name in self._exits()]
        actions += [f"collect {relic}" for relic, room in self.lying.items() if room == here]
        for relic in self.held:
            actions += [f"{verb} {relic} with {tool}" for verb, tool in _WORK.items()]
        if here == _HALL:
            actions += ["peruse notice", "toll gong"]
        return actions

    def _exits(self) -> Iterator[str]:
        x, y = self.at
        for name, (dx, dy) in _MOVES.items():
            if (x + dx, y + dy) in self.task.rooms:
                yield name

    def _room(self) -> str:
        here = self.task.rooms[self.at]
        lines = [f"~ {here} ~", "You are amid old stones."]
        lines += [f"A {relic} lies here." for relic, room in self.lying.items() if room == here]
        if here == _HALL:
            lines.append("A notice hangs beside a gong.")
        return "\n".join([*lines, f"Ways lead {', '.join(self._exits())}."])

    def _apply(self, action: str) -> str:
        verb, _, rest = action.partition(" ")
        if verb == "stride":
            dx, dy = _MOVES[rest]
            self.at = (self.at[0] + dx, self.at[1] + dy)
            return self._room()
        if verb == "collect":
            del self.lying[rest]
            self.held.append(rest)
            return f"You now carry the {rest}."
        if verb == "peruse":
            asked = "\n".join(f"{v.capitalize()} the {relic}." for v, relic in self.task.orders)
            return f"The notice reads:\n{asked}\nThat is all."
        if verb == "toll":
            return "The gong booms."
        relic = rest.partition(" with ")[0]
        self.done.add((verb, relic))
        return f"You {verb} the {relic}; it looks better."


class ListedRuin(Ruin):
    """A ruin that shows which commands are possible."""

    def admissible(self) -> list[str]:
        return sorted(self._possible())


def ruin_demonstration(seed: int) -> Trajectory:
    """Play one ruin: read the notice, fetch and treat each relic, return, toll."""
    task = ruin_task(seed)
    world = Ruin()
    text, first = world.reset(task)
    observations, actions, won = [first], [], False

    def do(action: str) -> None:
        nonlocal won
        observation, _, _, info = world.step(action)
        won = bool(info["won"])
        actions.append(action)
        observations.append(observation)

    def go(room: str) -> None:
        for move in _way(task, world.at, room):
            do(f"stride {move}")

    go(_HALL)
    do("peruse notice")
    for verb, relic in task.orders:
        go(task.relics[relic])
        do(f"collect {relic}")
        do(f"{verb} {relic} with {_WORK[verb]}")
    go(_HALL)
    do("toll gong")
    return Trajectory(text, tuple(observations), tuple(actions), won, id=f"ruin-{seed}")


def _way(task: RuinTask, start: tuple[int, int], room: str) -> list[str]:
    ways: dict[tuple[int, int], list[str]] = {start: []}
    queue = [start]
    while queue:
        at = queue.pop(0)
        if task.rooms[at] == room:
            return ways[at]
        for name, (dx, dy) in _MOVES.items():
            following = (at[0] + dx, at[1] + dy)
            if following in task.rooms and following not in ways:
                ways[following] = [*ways[at], name]
                queue.append(following)
    raise AssertionError(f"no way to {room}")
