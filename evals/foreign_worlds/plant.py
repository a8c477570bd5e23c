"""A plant room: what a gauge shows names the button; whether a chest is locked is checked."""

from __future__ import annotations

from collections.abc import Iterator

from .base import COLOURS, NEW_COLOURS, ForeignWorld, listed

BOILERS = ("brass boiler", "steam engine", "steel tank", "copper still")
NEW_BOILERS = ("iron furnace", "tin pump")
CHESTS = ("oak chest", "tall locker", "pine box", "green safe")
NEW_CHESTS = ("tool cabinet", "elm trunk")


class Plant(ForeignWorld):
    """A value that is read decides the argument of the next action; a check decides a detour.

    Two goals. *Vent*: read the gauge, press the button of the colour read; a wrong button ends
    all chances. *Open*: check the chest; if it is locked, fetch the key and unlock it first.
    """

    key = "W1"
    refusal = "You cannot do that."

    def set_up(self) -> str:
        self.boilers = self.pick(BOILERS, NEW_BOILERS, 2)
        self.chests = self.pick(CHESTS, NEW_CHESTS, 2)
        self.spare = self.rng.choice(["spare key", "rusty key", "small key"])
        colours = self.pick(COLOURS, NEW_COLOURS, 4)
        self.buttons = [f"{colour} button" for colour in colours]
        self.shows = {boiler: self.rng.choice(colours) for boiler in self.boilers}
        self.locked = {chest: self.rng.random() < 0.5 for chest in self.chests}
        self.held = self.dark = False
        self.solved: set[str] = set()
        self.read: str | None = None
        self.vents = self.rng.choice(["vent", "open"]) == "vent"
        self.target = self.rng.choice(self.boilers if self.vents else self.chests)
        return f"{'Vent' if self.vents else 'Open'} the {self.target}."

    def first(self) -> str:
        things = [*self.boilers, *self.chests, *self.buttons, self.spare]
        return f"You are in a plant room. You see {listed(things)}."

    def possible(self) -> list[str]:
        actions = [f"{verb} {boiler}" for verb in ("read", "dust") for boiler in self.boilers]
        actions += [f"check {chest}" for chest in self.chests]
        actions += [f"press {button}" for button in self.buttons]
        actions += [f"open {chest}" for chest in self.chests if chest not in self.solved]
        if not self.held:
            return [*actions, f"fetch {self.spare}"]
        return actions + [f"unlock {c} with {self.spare}" for c in self.chests if self.locked[c]]

    def apply(self, action: str) -> str:
        verb, thing = action.split(" ", 1)
        if verb == "read":
            self.read = thing
            return f"The gauge of the {thing} shows {self.shows[thing]}."
        if verb == "check":
            return f"The {thing} is {'locked' if self.locked[thing] else 'not locked'}."
        if verb == "dust":
            return f"The {thing} is shiny now."
        if verb == "fetch":
            self.held = True
            return f"You fetch the {thing}."
        if verb == "unlock":
            chest = thing.partition(" with ")[0]
            self.locked[chest] = False
            return f"You unlock the {chest} with the {self.spare}."
        if verb == "open":
            if self.locked[thing]:
                return f"The {thing} does not give way."
            self.solved.add(thing)
            return f"You open the {thing}."
        return self._press(thing)

    def _press(self, button: str) -> str:
        if self.dark or self.read is None:
            return "Nothing happens."
        if button != f"{self.shows[self.read]} button":
            self.dark = True
            return "The panel goes dark."
        self.solved.add(self.read)
        return f"The {self.read} blows off steam."

    def is_won(self) -> bool:
        return self.target in self.solved

    def expert(self) -> Iterator[str]:
        if self.vents:
            yield f"read {self.target}"
            yield f"press {self.shows[self.target]} button"
            return
        yield f"check {self.target}"
        if self.locked[self.target]:
            yield f"fetch {self.spare}"
            yield f"unlock {self.target} with {self.spare}"
        yield f"open {self.target}"
