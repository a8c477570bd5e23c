"""A yard: numbered things, and tasks of one or two goals in free wording."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from .base import COLOURS, NEW_COLOURS, ForeignWorld, listed

BOTH = (
    "Stack {c} on {p}, then paint it {k}.",
    "Put {c} onto {p} and afterwards give it a {k} coat.",
    "Paint {c} {k} once it sits on {p}.",
    "{C} belongs on {p}; when it is there, make it {k}.",
    "I want {c} on {p}. After that it should be painted {k}.",
    "Please move {c} to {p} and paint it {k} there.",
)
STACK_ONLY = (
    "Stack {c} on {p}.",
    "Put {c} onto {p}, please.",
    "{C} belongs on {p}.",
    "I want {c} on {p}.",
)


class Yard(ForeignWorld):
    """One goal or two in a task, in ten wordings; a colour of the task is part of a thing's name.

    Things are a word and a number. Once stacked, a crate cannot be lifted again.
    """

    key = "W8"
    refusal = "The foreman shakes his head."
    wordings: ClassVar[int] = 6

    def set_up(self) -> str:
        self.crates = [f"crate {n}" for n in range(1, self.rng.randint(3, 5))]
        self.pallets = [f"pallet {n}" for n in range(1, self.rng.randint(3, 5))]
        self.colours = self.pick(COLOURS, NEW_COLOURS, 3)
        self.crate, self.pallet = self.rng.choice(self.crates), self.rng.choice(self.pallets)
        self.colour = self.rng.choice(self.colours)
        self.both = self.rng.random() < 0.7
        self.lifted: str | None = None
        self.mixed: str | None = None
        self.stacked: dict[str, str] = {}
        self.painted: dict[str, str] = {}
        text = self.rng.choice((BOTH if self.both else STACK_ONLY)[: self.wordings])
        crate = self.crate
        return text.format(c=crate, C=crate.capitalize(), p=self.pallet, k=self.colour)

    def first(self) -> str:
        paints = ", ".join(f"{colour} paint" for colour in self.colours)
        return f"A yard. You see {listed(self.crates + self.pallets)}. Paints: {paints}."

    def possible(self) -> list[str]:
        actions = [f"mix {colour} paint" for colour in self.colours]
        actions += [f"kick {crate}" for crate in self.crates]
        if self.lifted:
            actions += [f"stack {self.lifted} on {pallet}" for pallet in self.pallets]
        else:
            actions += [f"lift {crate}" for crate in self.crates if crate not in self.stacked]
        if self.mixed:
            bare = [crate for crate in self.stacked if crate not in self.painted]
            actions += [f"paint {crate} with {self.mixed} paint" for crate in bare]
        return actions

    def apply(self, action: str) -> str:
        verb, thing = action.split(" ", 1)
        if verb == "mix":
            self.mixed = thing.split()[0]
            return f"You mix the {thing}."
        if verb == "kick":
            return "Ouch."
        if verb == "lift":
            self.lifted = thing
            return f"You lift {thing}."
        if verb == "stack":
            crate, pallet = thing.split(" on ")
            self.stacked[crate] = pallet
            self.lifted = None
            return f"You stack {crate} on {pallet}."
        crate, paint = thing.split(" with ")
        self.painted[crate] = paint.split()[0]
        return f"You paint {crate} with {paint}."

    def is_won(self) -> bool:
        stacked = self.stacked.get(self.crate) == self.pallet
        return stacked and (not self.both or self.painted.get(self.crate) == self.colour)

    def expert(self) -> Iterator[str]:
        yield f"lift {self.crate}"
        yield f"stack {self.crate} on {self.pallet}"
        if self.both:
            yield f"mix {self.colour} paint"
            yield f"paint {self.crate} with {self.colour} paint"


class PlainYard(Yard):
    """One wording a goal."""

    key = "W8b"
    wordings = 1
