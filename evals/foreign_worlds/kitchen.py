"""A kitchen: something is waited for, as long as it takes."""

from __future__ import annotations

from collections.abc import Iterator

from .base import ForeignWorld, listed

TEAS = ("mint", "rose", "lemon", "ginger", "apple")
NEW_TEAS = ("fennel", "sage", "thyme")
CUPS = ("blue cup", "white mug", "tin bowl", "glass jar")
NEW_CUPS = ("clay beaker", "old goblet")
KETTLES = ("copper kettle", "black kettle", "iron pot")


class Kitchen(ForeignWorld):
    """One action is repeated until an observation says enough; how often differs each time.

    Preparations come first, in any order: filling the kettle, setting it on, putting the tea in.
    Pouring too early does nothing.
    """

    key = "W2"
    refusal = "It does not work."

    def set_up(self) -> str:
        self.teas = [f"{herb} tea" for herb in self.pick(TEAS, NEW_TEAS, 3)]
        self.cups = self.pick(CUPS, NEW_CUPS, 2)
        self.kettle = self.rng.choice(KETTLES)
        self.patience = self.rng.randint(1, 6)
        self.tea, self.cup = self.rng.choice(self.teas), self.rng.choice(self.cups)
        self.filled = self.heated = False
        self.waited = 0
        self.holds: dict[str, str] = {}
        self.poured: set[str] = set()
        return f"Make {self.tea} in the {self.cup}."

    def first(self) -> str:
        things = [*self.teas, *self.cups, self.kettle]
        return f"This is a small kitchen. On the shelf: {listed(things)}. There is a stove."

    def possible(self) -> list[str]:
        actions = ["wait", f"wipe {self.kettle}"]
        actions += [f"put {t} in {c}" for t in self.teas for c in self.cups if c not in self.holds]
        if not self.filled:
            actions.append(f"fill {self.kettle}")
        if self.filled and not self.heated:
            actions.append(f"set {self.kettle} on stove")
        return actions + [f"pour {self.kettle} into {cup}" for cup in self.cups]

    def apply(self, action: str) -> str:
        verb, _, rest = action.partition(" ")
        if verb == "wait":
            return self._wait()
        if verb == "wipe":
            return f"The {self.kettle} gleams."
        if verb == "fill":
            self.filled = True
            return f"You fill the {self.kettle} with water."
        if verb == "set":
            self.heated = True
            return f"You set the {self.kettle} on the stove."
        if verb == "put":
            tea, cup = rest.split(" in ")
            self.holds[cup] = tea
            return f"You put the {tea} in the {cup}."
        cup = rest.split(" into ")[1]
        if not self.heated or self.waited < self.patience:
            return self._too_early()
        self.poured.add(cup)
        return f"You pour hot water from the {self.kettle} into the {cup}."

    def _wait(self) -> str:
        self.waited += self.heated
        if not self.heated or self.waited < self.patience:
            return "Time passes."
        return f"The {self.kettle} {'boils' if self.waited == self.patience else 'keeps boiling'}."

    def _too_early(self) -> str:
        return "The water is too cold for that."

    def is_won(self) -> bool:
        return self.holds.get(self.cup) == self.tea and self.cup in self.poured

    def expert(self) -> Iterator[str]:
        yield f"fill {self.kettle}"
        yield f"set {self.kettle} on stove"
        yield f"put {self.tea} in {self.cup}"
        for _ in range(self.patience):
            yield "wait"
        yield f"pour {self.kettle} into {self.cup}"


class HastyKitchen(Kitchen):
    """The same, but pouring too early ends the episode: waiting cannot be found by trying."""

    key = "W2b"

    def _too_early(self) -> str:
        self.done = True
        return super()._too_early()
