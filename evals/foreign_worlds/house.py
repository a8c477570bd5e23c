"""A house of rooms: a thing is found in one and put into a container in another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from .base import ForeignWorld, listed

Spot = tuple[int, int]
WAYS: dict[str, Spot] = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
START = "Kitchen"
ROOMS = ("Hall", "Cellar", "Attic", "Pantry", "Garden", "Library")
NEW_ROOMS = ("Studio", "Boiler Room", "Porch")
THINGS = ("lamp", "silver spoon", "rope", "old book", "clay pot")
NEW_THINGS = ("hammer", "wool scarf")
BOXES = ("chest", "iron safe", "basket", "shelf")
NEW_BOXES = ("crate", "tray")


class House(ForeignWorld):
    """Rooms shown by a plain title; moves are bare directions; all episodes start in one room."""

    key = "W4"
    refusal = "You can't."
    by_name: ClassVar[bool] = False
    one_start: ClassVar[bool] = True

    def set_up(self) -> str:
        count = self.rng.randint(4, 6)
        rooms = [START, *self.pick(ROOMS, NEW_ROOMS, count - 1)]
        if not self.one_start:
            self.rng.shuffle(rooms)
        spots = [(0, 0)]
        self.rooms: dict[Spot, str] = {(0, 0): rooms[0]}
        for room in rooms[1:]:
            spots.append(self._free_beside(spots))
            self.rooms[spots[-1]] = room
        self.here: Spot = (0, 0)
        things = self.pick(THINGS, NEW_THINGS, 3)
        boxes = self.pick(BOXES, NEW_BOXES, 2)
        # A thing lies at a spot until it is held (None) or put into a box (its name).
        self.lies: dict[str, Spot | str | None] = {t: self.rng.choice(spots) for t in things}
        self.boxes = {box: self.rng.choice(spots) for box in boxes}
        self.thing, self.box = things[0], boxes[0]
        return f"Put the {self.thing} into the {self.box}."

    def _free_beside(self, spots: list[Spot]) -> Spot:
        while True:
            x, y = self.rng.choice(spots)
            dx, dy = self.rng.choice(list(WAYS.values()))
            if (x + dx, y + dy) not in self.rooms:
                return x + dx, y + dy

    def _exits(self, spot: Spot) -> dict[str, Spot]:
        x, y = spot
        beside = {way: (x + dx, y + dy) for way, (dx, dy) in WAYS.items()}
        return {way: to for way, to in beside.items() if to in self.rooms}

    def _moves(self) -> dict[str, Spot]:
        exits = self._exits(self.here)
        if not self.by_name:
            return exits
        return {f"walk to the {self.rooms[to].lower()}": to for to in exits.values()}

    def _things_here(self) -> list[str]:
        return [thing for thing, place in self.lies.items() if place == self.here]

    def _held(self) -> list[str]:
        return [thing for thing, place in self.lies.items() if place is None]

    def first(self) -> str:
        here = self._things_here() + [box for box, spot in self.boxes.items() if spot == self.here]
        exits = self._exits(self.here)
        if self.by_name:
            rooms = ", ".join(f"the {self.rooms[to].lower()}" for to in exits.values())
            ways = f"From here you can walk to {rooms}."
        else:
            ways = f"Exits: {', '.join(exits)}."
        seen = f"You see {listed(here)} here. " if here else ""
        return f"{self.rooms[self.here]}\n{seen}{ways}"

    def possible(self) -> list[str]:
        held, here = self._held(), self._things_here()
        near = [box for box, spot in self.boxes.items() if spot == self.here]
        actions = [*self._moves(), *(f"take {t}" for t in here), *(f"drop {t}" for t in held)]
        actions += [f"put {thing} into {box}" for thing in held for box in near]
        return actions + [f"examine {thing}" for thing in here]

    def apply(self, action: str) -> str:
        moves = self._moves()
        if action in moves:
            self.here = moves[action]
            return self.first()
        verb, thing = action.split(" ", 1)
        if verb == "take":
            self.lies[thing] = None
            return f"You take the {thing}."
        if verb == "drop":
            self.lies[thing] = self.here
            return f"You drop the {thing}."
        if verb == "examine":
            return f"The {thing} looks ordinary."
        thing, box = thing.split(" into ")
        self.lies[thing] = box
        return f"You put the {thing} into the {box}."

    def is_won(self) -> bool:
        return self.lies[self.thing] == self.box

    def expert(self) -> Iterator[str]:
        seen = {self.here}
        while self.lies[self.thing] != self.here:
            yield from self._walk(lambda spot: spot not in seen)
            seen.add(self.here)
        yield f"take {self.thing}"
        wanted = self.boxes[self.box]
        while wanted != self.here:
            yield from self._walk(
                (lambda spot: spot == wanted) if wanted in seen else (lambda spot: spot not in seen)
            )
            seen.add(self.here)
        yield f"put {self.thing} into {self.box}"

    def _walk(self, wanted: Callable[[Spot], bool]) -> Iterator[str]:
        """Yield the moves to the nearest spot that is wanted."""
        routes: dict[Spot, list[Spot]] = {self.here: []}
        queue = [self.here]
        while not wanted(queue[0]):
            at = queue.pop(0)
            for to in self._exits(at).values():
                if to not in routes:
                    routes[to] = [*routes[at], to]
                    queue.append(to)
        for to in routes[queue[0]]:
            yield next(action for action, spot in self._moves().items() if spot == to)


class HouseByName(House):
    """Moves name the room they lead to: ``walk to the cellar``."""

    key = "W4b"
    by_name = True


class HouseAnyStart(House):
    """Episodes start in any room."""

    key = "W4c"
    one_start = False
