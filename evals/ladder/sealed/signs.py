"""Worlds in which an answer decides what is done, or with which of the things at hand."""

from __future__ import annotations

from collections.abc import Iterator

from ..names import CITIES, COLOURS, SURNAMES
from ..world import Call, Fact, Operator, Result, Rows, World, call

__all__ = ["BrewingTanks", "PortersKeys"]


class BrewingTanks(World):
    """What is done with a tank depends on what its beer is like."""

    name = "brewing-tanks"
    difficulty = "a status that is read decides which of three commands is right"
    operators = (
        Operator("sample", "draw a sample from {tank}", about="See what the beer is like."),
        Operator("cool", "cool {tank}", about="Cool a tank."),
        Operator("drain", "drain {tank}", about="Empty a tank into the gutter."),
        Operator("bottle", "fill bottles from {tank}", about="Bottle the beer of a tank."),
    )
    horizon = 7
    remedies = (("cloudy and warm", "cool"), ("sour", "drain"), ("clear and mild", "bottle"))

    def begin(self) -> tuple[str, Result]:
        """Draw four tanks and what is in each."""
        tanks = self.draw(CITIES, 4)
        self.tank = tanks[0]
        self.state = {tank: self.rng.choice(self.remedies) for tank in tanks}
        self.shown = self.arranged(tanks, self.tank)
        rows: list[dict[str, str | int]] = [
            {"tank": tank, "litres": self.rng.randint(200, 900)} for tank in self.shown
        ]
        return f"It is time to see to tank {self.tank}.", [
            Fact("You come down into the cellar."),
            Rows("tanks", "Tank {tank}, {litres} litres", rows),
        ]

    def possible(self) -> list[Call]:
        """Everything with every tank."""
        return [call(each.name, tank=tank) for each in self.operators for tank in self.shown]

    def do(self, wanted: Call) -> Result:
        """Tell what a sample is like; whatever else is done is the end."""
        tank = wanted["tank"]
        beer, remedy = self.state[tank]
        if wanted.operator == "sample":
            return [Fact(f"The beer in {tank} is {beer}.", {"tank": tank, "beer": beer})]
        self.end(won=tank == self.tank and wanted.operator == remedy)
        return [Fact("The cellar is quiet again.", {"cellar": "quiet"})]

    def expert(self) -> Iterator[Call]:
        """Draw a sample, then do what it calls for."""
        yield call("sample", tank=self.tank)
        yield call(self.state[self.tank][1], tank=self.tank)


class PortersKeys(World):
    """The porter tells which of the keys on the rack opens a chest."""

    name = "porters-keys"
    difficulty = "an answer names the thing to act on, while others are listed too"
    operators = (
        Operator("ask", "ask the porter about the chest of {owner}", about="Ask which key fits."),
        Operator("turn", "turn the {key} key in the chest of {owner}", about="Use a key for good."),
    )
    horizon = 7

    def begin(self) -> tuple[str, Result]:
        """Draw three chests and eight keys."""
        owners, keys = self.draw(SURNAMES, 3), self.draw(COLOURS, 8)
        self.owner, self.fits = owners[0], dict(zip(owners, keys, strict=False))
        self.owners = self.arranged(owners, self.owner)
        self.keys = self.arranged(keys, keys[0])
        return f"{self.owner} has to get something out of the chest.", [
            Fact("You enter the lodge. On the rack:"),
            Rows("rack", "key: {key}", [{"key": key} for key in self.keys]),
            Fact("Along the wall:"),
            Rows("chests", "chest of {owner}", [{"owner": owner} for owner in self.owners]),
        ]

    def possible(self) -> list[Call]:
        """Ask about any chest, turn any key in it."""
        turns = [call("turn", key=key, owner=owner) for key in self.keys for owner in self.owners]
        return [*(call("ask", owner=owner) for owner in self.owners), *turns]

    def do(self, wanted: Call) -> Result:
        """Tell which key fits, or turn one."""
        owner = wanted["owner"]
        if wanted.operator == "ask":
            key = self.fits[owner]
            text = f"The porter nods: {key} is the one for {owner}."
            return [Fact(text, {"chest": owner, "key": key})]
        self.end(won=owner == self.owner and wanted["key"] == self.fits[owner])
        return [Fact(f"The {wanted['key']} key has been turned.", {"turned": wanted["key"]})]

    def expert(self) -> Iterator[Call]:
        """Ask, then turn that key."""
        yield call("ask", owner=self.owner)
        yield call("turn", key=self.fits[self.owner], owner=self.owner)
