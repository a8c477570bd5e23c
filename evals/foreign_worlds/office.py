"""An office: names with capitals, apostrophes, hyphens and digits, some the beginning of others."""

from __future__ import annotations

from collections.abc import Iterator

from .base import ForeignWorld, listed

THINGS = (
    "key",
    "key card",
    "key card reader",
    "Mr. O'Neil's key-ring no 7",
    "Mrs. Smith-Jones's umbrella",
    "X-ray film B12",
    "key-ring",
    "umbrella",
)
NEW_THINGS = ("Dr. D'Arcy's key-ring no 12", "card", "USB-C cable 3m")
PEOPLE = ("Mr. O'Neil", "Mrs. Smith-Jones", "Agent 47", "Jean-Luc")
NEW_PEOPLE = ("Dr. D'Arcy", "Ms. St. John", "Agent 4")
BOXES = ("Locker 12-A", "porter's desk", "tool-box", "safe")
NEW_BOXES = ("Locker 12-B", "glass-topped case")


class Office(ForeignWorld):
    """Odd names, searched for in closed containers; capitals do not matter in actions.

    New names such as "Ms. St. John", with full stops and capitals within, are not found where
    the possible actions are hidden: nothing tells where such a name ends.
    """

    key = "W5"
    refusal = "Sorry, that is out of the question."
    case_matters = False

    def set_up(self) -> str:
        self.things = self.pick(THINGS, NEW_THINGS, 5)
        self.people = self.pick(PEOPLE, NEW_PEOPLE, 3)
        self.boxes = self.pick(BOXES, NEW_BOXES, 3)
        self.lies = {thing: self.rng.choice(self.boxes) for thing in self.things}
        self.thing, self.person = self.things[0], self.rng.choice(self.people)
        self.held: str | None = None
        self.opened: set[str] = set()
        self.given: dict[str, str] = {}
        return f"Give the {self.thing} to {self.person}."

    def first(self) -> str:
        people = ", ".join(self.people)
        return f"You are in an office. You see {listed(self.boxes)}. Here are {people}."

    def possible(self) -> list[str]:
        actions = [f"open {box}" for box in self.boxes if box not in self.opened]
        actions += [f"greet {person}" for person in self.people]
        if self.held is None:
            within = [(t, box) for t, box in self.lies.items() if box in self.opened]
            return actions + [f"take {thing} from {box}" for thing, box in within]
        actions += [f"give {self.held} to {person}" for person in self.people]
        return [*actions, f"drop {self.held}"]

    def apply(self, action: str) -> str:
        verb, rest = action.split(" ", 1)
        if verb == "open":
            self.opened.add(rest)
            inside = [thing for thing, box in self.lies.items() if box == rest]
            return f"You open the {rest}. Inside you find {listed(inside)}."
        if verb == "greet":
            return f"{rest} nods."
        if verb == "drop":
            self.held = None
            return "It is back where it was."
        if verb == "take":
            self.held = rest.rsplit(" from ", 1)[0]
            return f"You take the {self.held}."
        thing, person = rest.rsplit(" to ", 1)
        self.given[thing] = person
        self.held = None
        return f"{person} thanks you for the {thing}."

    def is_won(self) -> bool:
        return self.given.get(self.thing) == self.person

    def expert(self) -> Iterator[str]:
        for box in self.rng.sample(self.boxes, 3):
            yield f"open {box}"
            if self.lies[self.thing] == box:
                break
        yield f"take {self.thing} from {self.lies[self.thing]}"
        yield f"give {self.thing} to {self.person}"
