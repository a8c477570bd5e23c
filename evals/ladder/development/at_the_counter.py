"""Worlds at a counter: a few things have to be said or written, among much that is idle or new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..names import PEOPLE, PRODUCTS
from ..world import Call, Fact, Operator, Result, Rows, World, call

__all__ = ["BookLoan", "CabOrder", "ToolHire"]


class BookLoan(World):
    """A book is lent: card, book, date, slip; the counter offers idle things as well."""

    name = "book-loan"
    difficulty = "useless actions are listed, harmless ones work unlisted, needed ones come late"
    operators = (
        Operator("card", "scan the card of {person}"),
        Operator("book", "scan book {book}"),
        Operator("stamp", "stamp {date} into it", about="Stamps the day of return."),
        Operator("slip", "print the slip", about="Ends the loan."),
        Operator("clock", "watch the clock"),
        Operator("tidy", "tidy the counter"),
        Operator("leaf", "leaf through the calendar"),
        Operator("inspect", "inspect {thing}"),
        Operator("wait", "wait a moment"),
    )
    horizon = 9

    def begin(self) -> tuple[str, Result]:
        """Draw cards, books and days."""
        people, books = self.draw(PEOPLE, 3), [self.identifier("AA ###.#") for _ in range(3)]
        self.days = [f"2026-{self.rng.randint(1, 12):02}-{day}" for day in (11, 17, 23)]
        self.rng.shuffle(self.days)
        self.wanted = {"card": people[0], "book": books[0], "stamp": self.days[0]}
        self.scans: dict[str, str] = {}
        self.people, self.books = self.arranged(people, people[0]), self.arranged(books, books[0])
        cards = Rows("cards", "card: {person}", [{"person": each} for each in self.people])
        pile = Rows("books", "book: {book}", [{"book": each} for each in self.books])
        asked = f"Lend {people[0]} the book {books[0]}, due back {self.days[0]}."
        return asked, [Fact("Loans counter.", {"place": "loans counter"}), cards, pile]

    def possible(self) -> list[Call]:
        """Scans, a stamp after both scans, the slip after the stamp, and idle things."""
        idle = [call(each) for each in ("clock", "tidy", "leaf")]
        cards = [call("card", person=each) for each in self.people]
        books = [call("book", book=each) for each in self.books]
        stamps = [call("stamp", date=each) for each in sorted(self.days)]
        late = stamps if {"card", "book"} <= set(self.scans) else []
        return [*idle, *cards, *books, *late, *([call("slip")] if "stamp" in self.scans else [])]

    def accepts(self, wanted: Call) -> bool:
        """Waiting and inspecting anything are always possible, though not listed."""
        if wanted.operator == "stamp":
            return {"card", "book"} <= set(self.scans)
        return wanted.operator in ("inspect", "wait") or wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Note what was scanned and stamped; the slip ends the episode."""
        kind = wanted.operator
        if kind == "slip":
            self.end(won=self.scans == self.wanted)
            return [Fact("The slip is printed.", {"slip": "printed"})]
        if kind == "inspect":
            thing = wanted["thing"]
            return [Fact(f"There is nothing odd about {thing}.", {"thing": thing, "odd": False})]
        if kind == "wait":
            return [Fact("A moment passes.", {"note": "a moment passes"})]
        if kind == "clock":
            return [Fact("The clock ticks.", {"clock": "ticks"})]
        if kind == "tidy":
            return [Fact("The counter looks neat.", {"counter": "neat"})]
        if kind == "leaf":
            bold = ", ".join(sorted(self.days))
            return [Fact(f"Days in bold: {bold}.", {"bold": bold})]
        (self.scans[kind],) = wanted.values.values()
        return [Fact(f"Beep: {self.scans[kind]}.", {"beep": self.scans[kind]})]

    def expert(self) -> Iterator[Call]:
        """Card, book, stamp, slip."""
        yield call("card", person=self.wanted["card"])
        yield call("book", book=self.wanted["book"])
        yield call("stamp", date=self.wanted["stamp"])
        yield call("slip")


class ToolHire(World):
    """A tool is hired out; who shows it also sweeps, greets and hums now and then."""

    name = "tool-hire"
    difficulty = "demonstrations hold useless steps of varying kind at any point"
    operators = (
        Operator("fetch", "fetch the {tool}", about="From the store room to the counter."),
        Operator("fill", "put down {value} for {field}", about="Writes a field of the slip."),
        Operator("hand", "hand the {tool} over the counter", about="Ends the hire."),
        Operator("sweep", "sweep the floor"),
        Operator("hum", "hum a tune"),
        Operator("price", "read the price of the {tool}"),
        Operator("greet", "greet {person}"),
    )
    horizon = 16

    def begin(self) -> tuple[str, Result]:
        """Draw tools and customers, the hire, and where something useless is done."""
        tools, people = self.draw(PRODUCTS, 5), self.draw(PEOPLE, 3)
        self.tool, self.tools = tools[0], self.arranged(tools, tools[0])
        self.people = self.arranged(people, people[0])
        day = f"2026-{self.rng.randint(1, 12):02}-{self.rng.randint(1, 28):02}"
        self.wanted = {"customer": people[0], "return": day}
        self.prices = {tool: self.rng.randint(4, 40) for tool in tools}
        self.slip: dict[str, str] = {}
        self.counter: str | None = None
        idle = self._idle()
        self.breaks = [
            self.rng.choice(idle) if self.rng.random() < 1 / 3 else None for _ in range(4)
        ]
        store = Rows("store", "in store: {tool}", [{"tool": each} for each in self.tools])
        waiting = Rows("waiting", "in line: {person}", [{"person": each} for each in self.people])
        return f"{people[0]} hires the {self.tool} and returns it on {day}.", [store, waiting]

    def possible(self) -> list[Call]:
        """Tools, both fields with the task's values, and useless things."""
        tools = [call(name, tool=each) for name in ("fetch", "hand") for each in self.tools]
        values = self.wanted.values()
        fills = [call("fill", value=each, field=field) for each in values for field in self.wanted]
        return [*tools, *fills, *self._idle()]

    def accepts(self, wanted: Call) -> bool:
        """Any text may be put down for a field."""
        if wanted.operator == "fill":
            return wanted["field"] in self.wanted
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Handing over ends the episode; what is useless changes nothing."""
        kind = wanted.operator
        if kind == "fetch":
            self.counter = wanted["tool"]
            return [Fact(f"On the counter: {self.counter}.", {"counter": self.counter})]
        if kind == "fill":
            self.slip[wanted["field"]] = wanted["value"]
            text = ", ".join(f"{field} {value}" for field, value in self.slip.items())
            return [Fact(f"Slip: {text}.", {**self.slip})]
        if kind == "hand":
            right = wanted["tool"] == self.counter == self.tool
            self.end(won=right and self.slip == self.wanted)
            return [Fact("Next, please!", {"call": "next, please"})]
        if kind == "price":
            tool = wanted["tool"]
            text = f"{tool}: {self.prices[tool]} a day."
            return [Fact(text, {"tool": tool, "a_day": self.prices[tool]})]
        if kind == "greet":
            return [Fact(f"{wanted['person']} nods.", {"nods": wanted["person"]})]
        note = "The floor is clean." if kind == "sweep" else "La la la."
        return [Fact(note, {"note": note})]

    def expert(self) -> Iterator[Call]:
        """Fetch, fill in, hand over; something useless before each with a chance of a third."""
        fills = [call("fill", value=value, field=field) for field, value in self.wanted.items()]
        steps = [call("fetch", tool=self.tool), *fills, call("hand", tool=self.tool)]
        for step, idle in zip(steps, self.breaks, strict=True):
            if idle is not None:
                yield idle
            yield step

    def _idle(self) -> list[Call]:
        prices = [call("price", tool=each) for each in self.tools]
        greets = [call("greet", person=each) for each in self.people]
        return [call("sweep"), call("hum"), *prices, *greets]


def _pool(plain: str, other: Sequence[str]) -> tuple[str, ...]:
    """Return a pool of which training draws ``plain`` and the test ``other`` names."""
    return tuple(name for pair in zip(plain.split(), other, strict=True) for name in pair)


_GUESTS = _pool(
    "Ada Ben Carla Dmitri Elif Farid Greta Hugo Ines Jonas",
    (
        *("Ms. O'Neil", "Dr. Jean-Luc Picot", "J. P. van Dyke", "Mrs. McKay", "DJ 9Lives"),
        *("Sir Alan B. Moss", "Prof. D'Arcy", "LeAnn St. John", "Agent 99", "al-Amin Haddad"),
    ),
)
_PLACES = _pool(
    "harbour museum theatre stadium library market hospital castle chapel airport",
    (
        *("Route 66 Diner", "St. Mary's", "Joe's Bar & Grill", "Gate B12", "No. 10 Mill Lane"),
        *("McLeod House", "7th Avenue Deli", "U.S. Embassy", "Hotel de l'Europe", "Pier 39"),
    ),
)
_CARS = _pool(
    "van saloon coupe minibus",
    ("7-seater", "people carrier", "Model T", "stretch limo"),
)


class CabOrder(World):
    """A cab is ordered: passenger, place, kind of car; the test has names of other shapes."""

    name = "cab-order"
    difficulty = "names of several words, with dots, digits, capitals, never met in training"
    operators = (
        Operator("note", "note {guest} as passenger"),
        Operator("mark", "mark {place} on the map"),
        Operator("send", "send out the {car}", about="Ends the order."),
    )
    horizon = 9

    def begin(self) -> tuple[str, Result]:
        """Draw guests, places and cars."""
        guests, places, cars = self.draw(_GUESTS, 4), self.draw(_PLACES, 4), self.draw(_CARS, 4)
        guest, place, car = guests[0], places[0], cars[0]
        self.wanted = {"note": guest, "mark": place, "send": car}
        self.guests = self.arranged(guests, guest)
        self.places, self.cars = self.arranged(places, place), self.arranged(cars, car)
        self.order: dict[str, str] = {}
        rows = [
            Rows("guests", "guest - {guest}", [{"guest": each} for each in self.guests]),
            Rows("places", "place - {place}", [{"place": each} for each in self.places]),
            Rows("cars", "car - {car}", [{"car": each} for each in self.cars]),
        ]
        return f"Order the {car} for {guest}, picking up at {place}.", rows

    def possible(self) -> list[Call]:
        """Everything on the three lists."""
        notes = [call("note", guest=each) for each in self.guests]
        marks = [call("mark", place=each) for each in self.places]
        return [*notes, *marks, *(call("send", car=each) for each in self.cars)]

    def do(self, wanted: Call) -> Result:
        """Note a choice; a car ends the episode."""
        (self.order[wanted.operator],) = wanted.values.values()
        if wanted.operator == "send":
            self.end(won=self.order == self.wanted)
            return [Fact("A car is on its way.", {"status": "on its way"})]
        text = "; ".join(self.order.values())
        return [Fact(f"So far: {text}", {"so_far": text})]

    def expert(self) -> Iterator[Call]:
        """Passenger, place, car."""
        yield call("note", guest=self.wanted["note"])
        yield call("mark", place=self.wanted["mark"])
        yield call("send", car=self.wanted["send"])
