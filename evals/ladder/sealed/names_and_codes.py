"""Worlds in which names and codes must be written as they stand."""

from __future__ import annotations

from collections.abc import Iterator

from ..names import PEOPLE
from ..world import Call, Fact, Operator, Result, Rows, World, call

__all__ = ["CleaningLocker", "GuideTables"]


class CleaningLocker(World):
    """A locker opens with a code that only a message tells."""

    name = "cleaning-locker"
    difficulty = "an observation tells a code that is listed nowhere and must be typed as it stands"
    operators = (
        Operator("unfold", "unfold the message to {person}", about="Read a message."),
        Operator(
            "key_in", "key in {text}", about="Type something on the keypad, once and for all."
        ),
    )
    horizon = 8
    refusal = Fact("The attendant shrugs.", {"attendant": "shrugs"})

    def begin(self) -> tuple[str, Result]:
        """Draw the messages: a code and a receipt each, told in either order."""
        people = self.draw(PEOPLE, 4)
        self.person = people[0]
        form = self.rng.choice(("Aa#-##a", "a##A#", "###-Aa-#"))
        self.codes = {person: (self.identifier(form), self.identifier(form)) for person in people}
        self.turned = {person: self.rng.random() < 0.5 for person in people}
        self.screen = [self.person]
        lies = [{"to": person} for person in self.arranged(people, self.person)]
        start = Fact("Lockers with a keypad. On the shelf:", {"place": "lockers with a keypad"})
        asked = f"Get the dry cleaning of {self.person} out of the locker."
        return asked, [start, Rows("messages", "a message to {to}", lies)]

    def possible(self) -> list[Call]:
        """Messages, and what has been on the screen."""
        messages = [call("unfold", person=person) for person in self.codes]
        return [*messages, *(call("key_in", text=text) for text in self.screen)]

    def accepts(self, wanted: Call) -> bool:
        """Any text can be keyed in."""
        return wanted.operator == "key_in" or wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Show a message, or open the locker."""
        if wanted.operator == "unfold":
            code, receipt = self.codes[wanted["person"]]
            self.screen += [text for text in (receipt, code) if text not in self.screen]
            told = [
                Fact(f"The locker opens with {code}.", {"locker_code": code}),
                Fact(f"The receipt has the number {receipt}.", {"receipt_number": receipt}),
            ]
            return told[::-1] if self.turned[wanted["person"]] else told
        won = wanted["text"] == self.codes[self.person][0]
        self.end(won=won)
        says = "A door springs open." if won else "The keypad locks for good."
        return [Fact(says, {"keypad": says})]

    def expert(self) -> Iterator[Call]:
        """Read the message, key in the code."""
        yield call("unfold", person=self.person)
        yield call("key_in", text=self.codes[self.person][0])


PLACES = {
    "train": (
        *("Lantern", "Harbour", "Olive", "Magnolia", "Swan", "Anchor", "Pepper", "Bamboo"),
        *("Juniper", "Falcon", "Saffron", "Willow"),
    ),
    "test": (
        *("Route 66 Diner", "O'Malley's", "Bar No. 7", "St. Mary's Inn", "The Cat & Fiddle"),
        *("Chez Anne-Marie", "Pier 39", "D'Angelo", "Mr. Wu's Noodles", "1001 Nights", "McBride"),
    ),
}
GUESTS = {
    "train": PEOPLE[0::2],
    "test": (
        *(
            "Ms. O'Neil",
            "Dr. J. Abbott",
            "Jean-Luc",
            "van der Meer",
            "Mrs. Smith-Jones",
            "Agent 47",
        ),
        *("Prof. Li", "MacArthur", "T. J. Hooker Jr.", "D'Souza", "de la Cruz", "Louis XIV"),
    ),
}
KINDS = {
    "train": ("garden", "window", "corner", "balcony", "kitchen"),
    "test": ("roof terrace", "fire-side", "chef's", "No. 1", "lower deck", "VIP"),
}


class GuideTables(World):
    """A table is booked from a guide; the test has names of another make."""

    name = "guide-tables"
    difficulty = "names and kinds of the test are longer and written otherwise than in training"
    operators = (
        Operator("turn", "turn to leaf {leaf}", ("leaf",), "Open the guide at a leaf."),
        Operator("book", "book table {table} under {guest}", ("table",), "Book for good."),
    )
    horizon = 8

    def begin(self) -> tuple[str, Result]:
        """Draw places on leaves, each with tables of several kinds."""
        part, rng = self.task.part, self.rng
        places, self.guest = rng.sample(PLACES[part], 5), rng.choice(GUESTS[part])
        kinds = rng.sample(KINDS[part], 4)
        self.kind, self.place = kinds[0], places[0]
        numbers = iter(rng.sample(range(10, 100), 25))
        self.leaves = {str(next(numbers)): place for place in places}
        self.tables: dict[str, list[dict[str, str | int]]] = {}
        for place in places:
            rows: list[dict[str, str | int]]
            rows = [{"kind": kind, "table": next(numbers)} for kind in kinds]
            self.tables[place] = self.arranged(rows, rows[0])
            if place == self.place:
                self.wanted = str(rows[0]["table"])
        self.open: str | None = None
        right = next(leaf for leaf, place in self.leaves.items() if place == self.place)
        rows = [
            {"place": self.leaves[leaf], "leaf": int(leaf)}
            for leaf in self.arranged(self.leaves, right)
        ]
        asked = f"{self.guest} wants a {self.kind} table at {self.place} tonight."
        return asked, [Rows("guide", "{place}, see leaf {leaf}", rows)]

    def possible(self) -> list[Call]:
        """Leaves, and the tables of the open one under a name of the task."""
        tables = self.tables[self.open] if self.open else []
        booked = [
            call("book", table=row["table"], guest=guest)
            for row in tables
            for guest in (self.guest, self.place)
        ]
        return [*(call("turn", leaf=leaf) for leaf in self.leaves), *booked]

    def do(self, wanted: Call) -> Result:
        """Show a leaf, or book."""
        if wanted.operator == "turn":
            self.open = self.leaves[wanted["leaf"]]
            line = "Table {table} is a {kind} table."
            head = Fact(f"You read about {self.open}.", {"place": self.open})
            return [head, Rows("tables", line, self.tables[self.open])]
        self.end(won=(wanted["table"], wanted["guest"]) == (self.wanted, self.guest))
        return [Fact("It is booked.", {"booked": True})]

    def expert(self) -> Iterator[Call]:
        """Open the leaf of the place, book the table of the kind."""
        yield call("turn", leaf=next(x for x, place in self.leaves.items() if place == self.place))
        yield call("book", table=self.wanted, guest=self.guest)
