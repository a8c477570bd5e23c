"""Worlds in which a row of a list is wanted that has what the task says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, TypeAlias

from ..names import COLOURS, PEOPLE, PRODUCTS
from ..world import Call, Fact, Operator, Result, Rows, World, call

__all__ = ["BikeHire", "Listing", "OfficeSupplies", "ParcelLockers", "QuayList", "Row"]

Row: TypeAlias = "dict[str, str | int]"


class Listing(World):
    """Base of worlds with one list, which a look shows, and one row of it that is wanted.

    The look is the first operator. What a row is used for, the subclass says.

    Attributes:
        title: What stands above the list.
        subject: Key of the list in JSON.
        line: How a row reads.
    """

    title: ClassVar[str]
    subject: ClassVar[str]
    line: ClassVar[str]

    rows: list[Row]
    goal: Row
    view: bool

    def lay(self, rows: Sequence[Row]) -> None:
        """Take the rows of an episode; the first of them is the wanted one."""
        self.goal, self.view = rows[0], False
        self.rows = self.arranged(rows, rows[0])

    def look(self) -> Call:
        """Return the call that shows the list."""
        return call(self.operators[0].name)

    def possible(self) -> list[Call]:
        """The look; what can be done with rows only after it."""
        return [self.look(), *(self.uses() if self.view else [])]

    def uses(self) -> list[Call]:
        """Return what can be done with the rows."""
        raise NotImplementedError

    def do(self, wanted: Call) -> Result:
        """Show the list, or use a row."""
        if wanted != self.look():
            return self.use(wanted)
        self.view = True
        return [Fact(self.title, {"title": self.title}), Rows(self.subject, self.line, self.rows)]

    def use(self, wanted: Call) -> Result:
        """Do what is done with a row."""
        raise NotImplementedError


class ParcelLockers(Listing):
    """A parcel lies in the locker that the list gives for a name."""

    name = "parcel-lockers"
    difficulty = "a row is chosen by its name; the number that stands with it is used"
    operators = (
        Operator("read", "read the list", about="Read which locker is whose."),
        Operator("open", "open locker {number}", ("number",), "Open a locker."),
        Operator("hand", "hand the parcel over", about="Hand over what the open locker holds."),
        Operator("return", "return the parcel", about="Give the parcel back to the postman."),
    )
    horizon = 12
    title = "Parcels that came today:"
    subject = "parcels"
    line = "locker {locker}: {person}"

    def begin(self) -> tuple[str, Result]:
        """Draw ten people and their lockers."""
        people, self.door = self.draw(PEOPLE, 10), ""
        numbers = self.rng.sample(range(11, 100), 10)
        self.lay([{"locker": n, "person": p} for n, p in zip(numbers, people, strict=True)])
        start = Fact("Ten lockers are in use. A list hangs there.", {"lockers": 10, "list": "here"})
        return f"{people[0]} is at the counter for a parcel.", [start]

    def uses(self) -> list[Call]:
        """Open any locker; hand over or return what is in it."""
        calls = [call("open", number=row["locker"]) for row in self.rows]
        return [*calls, call("hand"), call("return")] if self.door else calls

    def use(self, wanted: Call) -> Result:
        """Open a locker; what it holds is told only by the list."""
        if wanted.operator == "open":
            self.door = wanted["number"]
            text = f"Locker {self.door} is open. A parcel lies in it."
            return [Fact(text, {"open": int(self.door), "content": "parcel"})]
        self.end(won=wanted.operator == "hand" and self.door == str(self.goal["locker"]))
        return [Fact("The parcel is gone.", {"parcel": "gone"})]

    def expert(self) -> Iterator[Call]:
        """Read the list, open the locker of this person."""
        yield self.look()
        yield call("open", number=self.goal["locker"])
        yield call("hand")


class QuayList(Listing):
    """A container is brought to its dock; other containers have codes that look like its own."""

    name = "quay-list"
    difficulty = "a row is chosen by an identifier that has to be spelled exactly"
    operators = (
        Operator("quay", "view the quay list", about="View containers and their docks."),
        Operator("bring", "bring {code} to dock {dock}", ("dock",), "Bring a container."),
    )
    horizon = 8
    title = "On the quay:"
    subject = "containers"
    line = "{code}, load: {load}, dock {dock}"

    def begin(self) -> tuple[str, Result]:
        """Draw a code, and codes that differ from it in a digit, a capital or the dash."""
        code = self.identifier("Aa#-##A#")
        digit = self.rng.choice([d for d in "0123456789" if d != code[7]])
        other = self.rng.choice([d for d in "0123456789" if d != code[4]])
        codes = [
            code,
            code[:7] + digit,
            code[:4] + other + code[5:],
            code[:2].swapcase() + code[2:],
            code[:6] + code[6].lower() + code[7:],
            code[:3] + code[4] + "-" + code[5:],
            self.identifier("A##-a##A"),
        ]
        docks = self.rng.sample(range(2, 60), len(codes))
        loads = self.draw(PRODUCTS, len(codes))
        pairs = zip(codes, docks, loads, strict=True)
        self.lay([{"code": c, "dock": d, "load": p} for c, d, p in pairs])
        start = Fact("The crane is ready.", {"crane": "ready"})
        return f"Container {code} has to go to its dock.", [start]

    def uses(self) -> list[Call]:
        """Bring a container to its dock, or this one to another."""
        calls = [call("bring", code=row["code"], dock=row["dock"]) for row in self.rows]
        docks = [row["dock"] for row in self.rows if row != self.goal]
        return calls + [call("bring", code=self.goal["code"], dock=dock) for dock in docks]

    def accepts(self, wanted: Call) -> bool:
        """Any code can be given to the crane once the list is there."""
        return wanted == self.look() or (wanted.operator == "bring" and self.view)

    def use(self, wanted: Call) -> Result:
        """Bring a container; a code that no row has does nothing."""
        code, dock = wanted["code"], wanted["dock"]
        if all(row["code"] != code for row in self.rows):
            return [Fact(f"There is no {code}.", {"error": f"there is no {code}"})]
        self.end(won=(code, dock) == (self.goal["code"], str(self.goal["dock"])))
        return [Fact("The crane swings round.", {"crane": "swings round"})]

    def expert(self) -> Iterator[Call]:
        """View the list, bring the container to the dock in its row."""
        yield self.look()
        yield call("bring", code=self.goal["code"], dock=self.goal["dock"])


class BikeHire(Listing):
    """A bike is wanted by the colour of its frame; baskets have colours too."""

    name = "bike-hire"
    difficulty = "a row is chosen by one attribute that the task gives; its number is used"
    operators = (
        Operator("walk", "walk through the shed", about="See which bikes are there."),
        Operator("lend", "lend {person} bike {number}", ("number",), "Lend a bike; final."),
    )
    horizon = 8
    title = "In the shed:"
    subject = "bikes"
    line = "bike {bike} - {gears} gears, basket {basket}, frame {frame}"

    def begin(self) -> tuple[str, Result]:
        """Draw colours of seven frames and baskets; a basket or two have the wanted colour."""
        frames = self.draw(COLOURS, 7)
        baskets = [*frames[:1] * self.rng.choice((1, 2)), *frames[1:]][:6]
        self.rng.shuffle(baskets)
        baskets.insert(0, self.rng.choice(frames))
        numbers = self.rng.sample(range(10, 90), 7)
        self.lay(
            [
                {"bike": n, "gears": self.rng.randint(3, 9), "basket": basket, "frame": frame}
                for n, basket, frame in zip(numbers, baskets, frames, strict=True)
            ]
        )
        people = self.draw(PEOPLE, 2)
        self.person, self.people = people[0], self.arranged(people, people[0])
        names = " and ".join(self.people)
        start = Fact(f"{names} stand at the gate.", {"at the gate": names})
        return f"{self.person} asks for a bike whose frame is {frames[0]}.", [start]

    def uses(self) -> list[Call]:
        """Lend any bike to anybody."""
        bikes = [row["bike"] for row in self.rows]
        return [call("lend", person=p, number=bike) for p in self.people for bike in bikes]

    def use(self, wanted: Call) -> Result:
        """Lend a bike, rightly or wrongly."""
        self.end(won=wanted == call("lend", person=self.person, number=self.goal["bike"]))
        return [Fact(f"{wanted['person']} rides away.", {"away": wanted["person"]})]

    def expert(self) -> Iterator[Call]:
        """See the bikes, lend the one with this frame."""
        yield self.look()
        yield call("lend", person=self.person, number=self.goal["bike"])


class OfficeSupplies(Listing):
    """An article is wanted by kind, colour and size; others share two of the three."""

    name = "office-supplies"
    difficulty = "a row is chosen by three attributes together; each alone leaves others"
    operators = (
        Operator("browse", "browse the catalogue", about="See all articles."),
        Operator("put", "put article {article} into the basket", ("article",), "Add an article."),
        Operator("empty", "empty the basket", about="Take everything out of the basket."),
        Operator("order", "order the basket", about="Order what is in the basket; final."),
    )
    horizon = 12
    title = "Catalogue, page 1 of 1"
    subject = "articles"
    line = "{article} | {colour} | {size} | {kind} | {price} euros"

    kinds = ("folder", "notebook", "envelope", "poster", "card")
    sizes = ("A3", "A4", "A5", "A6")

    def begin(self) -> tuple[str, Result]:
        """Draw an article, five that differ in one attribute, two that differ in more."""
        kinds, sizes = self.rng.sample(self.kinds, 3), self.rng.sample(self.sizes, 3)
        colours, self.basket = self.draw(COLOURS, 3), list[str]()
        numbers = self.rng.sample(range(100, 1000), 8)
        places = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 2), (2, 0, 0), (0, 2, 1)]
        places.append((1, 1, 0))
        rows: list[Row] = [
            {"article": number, "colour": colours[c], "size": sizes[s], "kind": kinds[k]}
            for number, (k, c, s) in zip(numbers, places, strict=True)
        ]
        self.lay([row | {"price": self.rng.randint(2, 30)} for row in rows])
        start = Fact("Supplies. The basket is empty.", {"basket": "empty"})
        team = self.rng.choice(("first", "second", "third"))
        wish = f"one {colours[0]} {kinds[0]} in {sizes[0]}"
        return f"The people on the {team} floor need {wish}.", [start]

    def uses(self) -> list[Call]:
        """Put articles into the basket, empty it, order it."""
        calls = [call("put", article=row["article"]) for row in self.rows]
        return [*calls, call("empty"), call("order")] if self.basket else calls

    def use(self, wanted: Call) -> Result:
        """Fill the basket; ordering anything else than the one article is wrong."""
        if wanted.operator == "order":
            self.end(won=self.basket == [str(self.goal["article"])])
            return [Fact("Thank you for your order.", {"order": "sent"})]
        if wanted.operator == "put":
            self.basket.append(wanted["article"])
        else:
            self.basket = []
        basket = ", ".join(self.basket) or "empty"
        return [Fact(f"The basket: {basket}.", {"basket": basket})]

    def expert(self) -> Iterator[Call]:
        """Browse, put in the one that has all three, order it."""
        yield self.look()
        yield call("put", article=self.goal["article"])
        yield call("order")
