"""Worlds in which things are fetched from where they lie."""

from __future__ import annotations

from collections.abc import Iterator

from ..names import PRODUCTS, SURNAMES
from ..world import Call, Fact, Operator, Result, Rows, World, call

__all__ = ["BasementErrand", "DeedVaults"]


class DeedVaults(World):
    """The deeds of two families are fetched from vaults."""

    name = "deed-vaults"
    difficulty = "two things of a kind are fetched, each from where it lies, not the same twice"
    operators = (
        Operator("ask", "ask the clerk about {family}", about="Ask where papers are."),
        Operator("unlock", "unlock vault {vault}", ("vault",), "Go into a vault."),
        Operator("carry", "carry off the deeds of {family}", about="Take deeds of this vault."),
        Operator("submit", "submit everything", about="Hand over what you carry, for good."),
    )
    horizon = 20

    def begin(self) -> tuple[str, Result]:
        """Draw families, and in which vaults their deeds and maps are."""
        self.families = self.draw(SURNAMES, 8)
        self.wanted = self.families[:2]
        self.vaults = self.rng.sample(range(2, 40), 4)
        places = self.vaults * 2
        self.rng.shuffle(places)
        self.deeds = dict(zip(self.families, places, strict=True))
        self.maps = {
            family: self.rng.choice([vault for vault in self.vaults if vault != self.deeds[family]])
            for family in self.families
        }
        self.turned = {family: self.rng.random() < 0.5 for family in self.families}
        self.shelves = self.arranged(self.families, *self.wanted)
        self.inside, self.carried = 0, set[str]()
        right = [self.deeds[family] for family in self.wanted]
        rows = [{"vault": vault} for vault in self.arranged(self.vaults, *right)]
        asked = f"The notary needs the deeds of {self.wanted[0]} and of {self.wanted[1]}."
        return asked, [Rows("vaults", "There is a vault {vault}.", rows)]

    def possible(self) -> list[Call]:
        """Questions, vaults, the deeds of this vault."""
        listed = [call("ask", family=family) for family in self.families]
        listed += [call("unlock", vault=vault) for vault in self.vaults]
        listed += [call("carry", family=family) for family in self._here()]
        return [*listed, call("submit")]

    def do(self, wanted: Call) -> Result:
        """Tell, show or take; handing over ends it."""
        if wanted.operator == "submit":
            self.end(won=self.carried == set(self.wanted))
            return [Fact("The notary nods.", {"notary": "nods"})]
        if wanted.operator == "unlock":
            self.inside = int(wanted["vault"])
            rows = [{"deeds_of": family} for family in self._here()]
            head = Fact(f"This is vault {self.inside}.", {"vault": self.inside})
            return [head, Rows("shelf", "Deeds of {deeds_of}", rows)]
        family = wanted["family"]
        if wanted.operator == "carry":
            self.carried.add(family)
            return [Fact(f"The deeds of {family} are in your bag.", {"bag": family})]
        deeds, plan = self.deeds[family], self.maps[family]
        told = [
            Fact(f"The deeds of {family} are kept in vault {deeds}.", {"deeds_in_vault": deeds}),
            Fact(f"A map of {family} is kept in vault {plan}.", {"map_in_vault": plan}),
        ]
        return told[::-1] if self.turned[family] else told

    def expert(self) -> Iterator[Call]:
        """Fetch the one, then the other, then hand both over."""
        for family in self.wanted:
            yield call("ask", family=family)
            yield call("unlock", vault=self.deeds[family])
            yield call("carry", family=family)
        yield call("submit")

    def _here(self) -> list[str]:
        lie = [family for family in self.shelves if self.deeds[family] == self.inside]
        return [family for family in lie if family not in self.carried]


DIRECTIONS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
ROOMS = (
    *("laundry", "boiler room", "wine cellar", "workshop", "cloakroom", "store", "bike shed"),
    *("vestry", "studio", "pantry", "garage", "nursery", "gym", "attic"),
)


class BasementErrand(World):
    """A thing is looked for in rooms behind doors and brought to a room that must be seen."""

    name = "basement-errand"
    difficulty = "a map: a thing is searched for from room to room and brought to another room"
    operators = (
        Operator("go", "go {direction}", about="Walk through a door."),
        Operator("look", "look around", about="See the room."),
        Operator("lift", "lift the {thing}", about="Take a thing of the room."),
        Operator("lower", "lower the {thing}", about="Leave a thing in the room, for good."),
    )
    horizon = 36
    refusal = Fact("That cannot be done here.", {"error": "cannot be done here"})

    def begin(self) -> tuple[str, Result]:
        """Draw five rooms on a grid, joined as a tree, and things in them."""
        rng, cells = self.rng, [(0, 0)]
        doors: dict[int, dict[str, int]] = {0: {}}
        while len(cells) < 5:
            old, direction = rng.randrange(len(cells)), rng.choice(tuple(DIRECTIONS))
            (x, y), (right, up) = cells[old], DIRECTIONS[direction]
            if (x + right, y + up) in cells:
                continue
            back = next(d for d, move in DIRECTIONS.items() if move == (-right, -up))
            doors[old][direction], doors[len(cells)] = len(cells), {back: old}
            cells.append((x + right, y + up))
        self.doors, self.rooms, things = doors, self.draw(ROOMS, 5), self.draw(PRODUCTS, 6)
        self.at, self.goal = rng.randrange(5), rng.randrange(5)
        self.thing = things[0]
        places = [rng.choice([room for room in range(5) if room not in (self.at, self.goal)])]
        places += [rng.randrange(5) for _ in things[1:]]
        shown = self.arranged(things, self.thing)
        self.lying: dict[str, int | None] = {x: places[things.index(x)] for x in shown}
        start = Fact("You stand in a house without windows.", {"place": "a house without windows"})
        return f"Bring the {self.thing} to the {self.rooms[self.goal]}.", [start]

    def possible(self) -> list[Call]:
        """Doors and things here; what is held."""
        held = [thing for thing, room in self.lying.items() if room is None]
        listed = [call("look"), *(call("go", direction=x) for x in self.doors[self.at])]
        listed += [call("lower", thing=thing) for thing in held]
        here = [thing for thing, room in self.lying.items() if room == self.at]
        return [*listed, *(call("lift", thing=thing) for thing in here if not held)]

    def do(self, wanted: Call) -> Result:
        """Walk, see, take; leaving the thing that is wanted anywhere ends it."""
        if wanted.operator == "go":
            self.at = self.doors[self.at][wanted["direction"]]
            return [Fact(f"You go {wanted['direction']}.", {"went": wanted["direction"]})]
        if wanted.operator == "look":
            exits = [{"direction": x} for x in DIRECTIONS if x in self.doors[self.at]]
            here = [{"thing": thing} for thing, room in self.lying.items() if room == self.at]
            room = self.rooms[self.at]
            head = Fact(f"This is the {room}.", {"room": room})
            seen = Rows("things", "You see the {thing}.", here)
            return [head, Rows("doors", "A door leads {direction}.", exits), seen]
        thing = wanted["thing"]
        if wanted.operator == "lift":
            self.lying[thing] = None
            return [Fact(f"You hold the {thing}.", {"held": thing})]
        self.lying[thing] = self.at
        if thing == self.thing:
            self.end(won=self.at == self.goal)
        return [Fact(f"The {thing} stands there.", {"left": thing})]

    def expert(self) -> Iterator[Call]:
        """Look into the nearest room not seen; once thing and goal are seen, walk there."""
        seen: set[int] = set()
        while True:
            if self.at not in seen:
                seen.add(self.at)
                yield call("look")
            if self.lying[self.thing] == self.at:
                yield call("lift", thing=self.thing)
            held = self.lying[self.thing] is None
            if held and self.at == self.goal:
                break
            ends = {self.goal} if held and self.goal in seen else set(range(5)) - seen
            yield call("go", direction=self._way(ends, seen))
        yield call("lower", thing=self.thing)

    def _way(self, ends: set[int], seen: set[int]) -> str:
        """Return the first direction of the shortest way through rooms that were seen."""
        ways = [(self.doors[self.at][d], d) for d in DIRECTIONS if d in self.doors[self.at]]
        for room, direction in ways:
            if room in ends:
                return direction
            if room in seen:
                ways += [(beyond, direction) for beyond in self.doors[room].values()]
        raise AssertionError(ends)
