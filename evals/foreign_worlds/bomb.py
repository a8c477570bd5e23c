"""A ticking device: a note, found by searching, names the one wire to cut."""

from __future__ import annotations

from collections.abc import Iterator

from .base import COLOURS, NEW_COLOURS, ForeignWorld, listed

SAYINGS = (
    "Cut the {} wire.",
    "To whom it may concern: cut the {} wire.",
    "The {} wire is the right one.",
    "Only the {} wire may be cut.",
)
PAPERS = ("folded note", "torn letter", "yellow slip", "old card")
NEW_PAPERS = ("grey leaflet", "thin scroll")
BOXES = ("drawer", "metal box", "leather bag")
NEW_BOXES = ("paper bin", "crate")


class Bomb(ForeignWorld):
    """Text met in play decides the last action, in several wordings; a mistake is final.

    One of two papers, each in a box, names the wire; the other one speaks of something else. The
    task says neither.
    """

    key = "W3"
    refusal = "You had better not."

    def set_up(self) -> str:
        self.wires = [f"{colour} wire" for colour in self.pick(COLOURS, NEW_COLOURS, 4)]
        self.right = self.rng.choice(self.wires)
        papers = self.pick(PAPERS, NEW_PAPERS, 2)
        self.note = papers[0]
        boxes = self.pick(BOXES, NEW_BOXES, 2)
        self.inside = dict(zip(boxes, papers, strict=True))
        self.device = self.rng.choice(["device", "bomb", "charge"])
        self.tool = self.rng.choice(["pliers", "scissors", "knife"])
        self.saying = self.rng.choice(SAYINGS)
        self.rng.shuffle(boxes)
        self.boxes = boxes
        self.opened: set[str] = set()
        self.held = False
        self.cut: str | None = None
        return f"Disarm the {self.device}."

    def first(self) -> str:
        near = listed([*self.boxes, self.tool])
        return (
            f"A {self.device} ticks on the table. It has {listed(self.wires)}. "
            f"Near it you see {near}."
        )

    def possible(self) -> list[str]:
        actions = [f"open {box}" for box in self.boxes if box not in self.opened]
        actions += [f"shake {box}" for box in self.boxes]
        actions += [f"read {self.inside[box]}" for box in self.opened]
        if not self.held:
            return [*actions, f"take {self.tool}"]
        return actions + [f"cut {wire} with {self.tool}" for wire in self.wires]

    def apply(self, action: str) -> str:
        verb, thing = action.split(" ", 1)
        if verb == "open":
            self.opened.add(thing)
            return f"You open the {thing}. In it lies {listed([self.inside[thing]])}."
        if verb == "shake":
            return "It rattles."
        if verb == "take":
            self.held = True
            return f"You take the {thing}."
        if verb == "read":
            said = self.saying.format(self.right.split()[0])
            return f'It reads: "{said if thing == self.note else "Buy milk and bread."}"'
        self.cut = thing.partition(" with ")[0]
        self.done = True
        return "The ticking stops." if self.is_won() else "There is a loud bang."

    def is_won(self) -> bool:
        return self.cut == self.right

    def expert(self) -> Iterator[str]:
        for box in self.boxes:
            yield f"open {box}"
            yield f"read {self.inside[box]}"
            if self.inside[box] == self.note:
                break
        yield f"take {self.tool}"
        yield f"cut {self.right} with {self.tool}"
