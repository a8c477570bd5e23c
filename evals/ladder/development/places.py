"""Worlds in which things are looked for in several places."""

from __future__ import annotations

from collections.abc import Iterator

from ..names import PEOPLE, PRODUCTS
from ..world import Call, Fact, Operator, Result, Rows, World, call

__all__ = ["HouseErrand", "StockCount"]


class StockCount(World):
    """Two cartons of a product stand in two bays; both go on a list, each once."""

    name = "stock-count"
    difficulty = "two things of a kind, each at its own place, not the same one twice"
    operators = (
        Operator("ask", "ask where to find {product}", about="Tells the two bays of a product."),
        Operator("visit", "walk over to bay {bay}", ("bay",), "Shows the cartons of a bay."),
        Operator("enter", "put carton {carton} on the list"),
        Operator("send", "send the list off", about="Ends the count."),
    )

    def begin(self) -> tuple[str, Result]:
        """Draw six products with two cartons each, in different bays."""
        (person,), self.products = self.draw(PEOPLE), self.draw(PRODUCTS, 6)
        self.product = self.products[0]
        bays = self.rng.sample(range(1, 40), 5)
        self.homes = {each: self.rng.sample(bays, 2) for each in self.products}
        cartons = [
            (bay, self.identifier("#AA##"), p) for p, two in self.homes.items() for bay in two
        ]
        self.right = [carton for _, carton, _ in cartons[:2]]
        self.bays = {
            bay: self.arranged(
                [c[1:] for c in cartons if c[0] == bay], *(c[1:] for c in cartons[:2])
            )
            for bay in self.arranged(bays, *self.homes[self.product])
        }
        self.bay: int | None = None
        self.entries: list[str] = []
        rows = Rows("bays", "bay {bay}", [{"bay": bay} for bay in self.bays])
        asked = f"{person} counts stock: list the two cartons of {self.product} and send the list."
        return asked, [Fact("The list has 0 entries.", {"entries": 0}), rows]

    def possible(self) -> list[Call]:
        """Every product and bay, the cartons of this bay, the list."""
        asks = [call("ask", product=each) for each in sorted(self.products)]
        visits = [call("visit", bay=bay) for bay in self.bays]
        here = [] if self.bay is None else self.bays[self.bay]
        return [*asks, *visits, *(call("enter", carton=each) for each, _ in here), call("send")]

    def do(self, wanted: Call) -> Result:
        """Sending ends the episode; a carton that stands there twice is wrong."""
        if wanted.operator == "ask":
            product = wanted["product"]
            one, two = self.homes[product]
            text = f"Cartons of {product}: one in bay {one}, the other in bay {two}."
            return [Fact(text, {"product": product, "one_bay": one, "other_bay": two})]
        if wanted.operator == "visit":
            self.bay = int(wanted["bay"])
            rows = [{"carton": carton, "product": each} for carton, each in self.bays[self.bay]]
            bay = Fact(f"You stand in bay {self.bay}.", {"bay": self.bay})
            return [bay, Rows("cartons", "carton {carton} ({product})", rows)]
        if wanted.operator == "enter":
            self.entries.append(wanted["carton"])
            count = len(self.entries)
            return [Fact(f"Entries on the list: {count}.", {"entries": count})]
        self.end(won=sorted(self.entries) == sorted(self.right))
        return [Fact("The list is with the office.", {"list": "with the office"})]

    def expert(self) -> Iterator[Call]:
        """Ask for the bays, list a carton in each."""
        yield call("ask", product=self.product)
        for bay, carton in zip(self.homes[self.product], self.right, strict=True):
            yield call("visit", bay=bay)
            yield call("enter", carton=carton)
        yield call("send")


_ROOMS = ("laundry", "kitchen", "study", "archive", "garage", "studio", "cellar", "chapel")
_DIRECTIONS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}


class HouseErrand(World):
    """Somewhere in a house of five rooms lies a thing that belongs in another room."""

    name = "house-errand"
    difficulty = "a map that only separate looks describe; a thing is searched and brought"
    operators = (
        Operator("look_around", "look around", about="Tells the room, its doors and things."),
        Operator("go", "go {direction}"),
        Operator("take", "pick up the {thing}"),
        Operator("leave", "leave the {thing} for good", about="Ends the errand."),
    )
    horizon = 40

    def begin(self) -> tuple[str, Result]:
        """Draw a house without circles, and what lies where."""
        rooms = self.rng.sample(_ROOMS, 5)
        cells = {(0, 0): rooms[0]}
        self.doors: dict[str, dict[str, str]] = {room: {} for room in rooms}
        while len(cells) < len(rooms):
            (x, y), old = self.rng.choice(list(cells.items()))
            way, (right, up) = self.rng.choice(list(_DIRECTIONS.items()))
            if (x + right, y + up) not in cells:
                new = cells[x + right, y + up] = rooms[len(cells)]
                back = {"north": "south", "south": "north", "east": "west", "west": "east"}[way]
                self.doors[old][way], self.doors[new][back] = new, old
        self.here, place, self.goal = self.rng.sample(rooms, 3)
        if self.rng.random() < 0.2:
            self.goal = self.here
        self.thing, *others = self.draw(PRODUCTS, 6)
        spots = {self.thing: place} | {each: self.rng.choice(rooms) for each in others}
        self.things = {
            room: self.arranged([t for t, at in spots.items() if at == room], self.thing)
            for room in rooms
        }
        self.bag: list[str] = []
        asked = f"Search the house for the {self.thing}; it belongs in the {self.goal}."
        return asked, [Fact("You are inside a house of 5 rooms.", {"house_rooms": 5})]

    def possible(self) -> list[Call]:
        """Look, the doors, what lies here, what is in hand."""
        goes = [call("go", direction=each) for each in self._ways()]
        takes = [call("take", thing=each) for each in self.things[self.here]]
        leaves = [call("leave", thing=each) for each in self.bag]
        return [call("look_around"), *goes, *takes, *leaves]

    def do(self, wanted: Call) -> Result:
        """Walk, look, take; leaving a thing anywhere ends the episode."""
        if wanted.operator == "look_around":
            doors, things = ", ".join(self._ways()), ", ".join(self.things[self.here]) or "nothing"
            text = f"This is the {self.here}. Doors: {doors}."
            room = Fact(text, {"room": self.here, "doors": doors})
            return [room, Fact(f"On the floor: {things}.", {"floor": things})]
        if wanted.operator == "go":
            way = wanted["direction"]
            self.here = self.doors[self.here][way]
            return [Fact(f"You go {way}.", {"gone": way})]
        thing = wanted["thing"]
        if wanted.operator == "take":
            self.things[self.here].remove(thing)
            self.bag.append(thing)
            return [Fact(f"You hold the {thing}.", {"holding": thing})]
        self.end(won=thing == self.thing and self.here == self.goal)
        return [Fact(f"The {thing} stays here.", {"left": thing})]

    def expert(self) -> Iterator[Call]:
        """Look in every new room, walk to the nearest new one, or back to the goal."""
        tour: set[str] = set()
        while True:
            if self.here not in tour:
                tour.add(self.here)
                yield call("look_around")
            if self.thing in self.things[self.here]:
                yield call("take", thing=self.thing)
            ready = self.thing in self.bag
            if ready and self.here == self.goal:
                break
            back = ready and self.goal in tour
            yield call("go", direction=self._way({self.goal} if back else set(self.doors) - tour))
        yield call("leave", thing=self.thing)

    def _ways(self) -> list[str]:
        return [each for each in _DIRECTIONS if each in self.doors[self.here]]

    def _way(self, goals: set[str]) -> str:
        """Return the first direction towards the nearest goal."""
        paths = [(way, self.doors[self.here][way]) for way in self._ways()]
        past = {self.here}
        while True:
            first, room = paths.pop(0)
            if room in goals:
                return first
            past.add(room)
            paths += [(first, each) for each in self.doors[room].values() if each not in past]
