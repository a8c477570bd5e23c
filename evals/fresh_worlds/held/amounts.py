"""Numbers that stand nowhere: converted, counted, added up."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import CITIES, PEOPLE, PRODUCTS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call


class Franking(World):
    """The task gives a weight in kilograms or grams, the machine takes grams."""

    name = "franking"
    difficulty = "a weight that the task gives in kilograms or in grams is typed in grams"
    operators = (
        Operator("weight", "set the weight to {grams}", ("grams",)),
        Operator("label", "print the label", about="Final."),
    )
    horizon = 5

    def begin(self) -> tuple[str, Result]:
        """Draw a weight and how it is written."""
        (person,), (town,) = self.draw(PEOPLE), self.draw(CITIES)
        if self.rng.random() < 0.6:
            tens = self.rng.randint(101, 995)
            self.grams = tens * 10
            written = f"{tens / 100:g} kg"
        else:
            self.grams = self.rng.randint(150, 980)
            written = f"{self.grams} g"
        self.guesses = sorted({self.grams, self.grams // 10, self.grams * 10, self.grams + 100})
        self.set = ""
        asked = f"{person} sends a parcel of {written} to {town}. Frank it."
        return asked, [Fact("FRANKING MACHINE -- weight: ---- grams", {"weight_in_grams": None})]

    def possible(self) -> list[Call]:
        """Some weights, printing."""
        return [*(call("weight", grams=each) for each in self.guesses), call("label")]

    def accepts(self, wanted: Call) -> bool:
        """Whole numbers of grams."""
        return wanted.operator == "label" or wanted["grams"].isdigit()

    def do(self, wanted: Call) -> Result:
        """Set the weight, or end."""
        if wanted.operator == "label":
            self.end(won=self.set == str(self.grams))
            return [Fact("The label drops out.", {"label": True})]
        self.set = wanted["grams"]
        text = f"FRANKING MACHINE -- weight: {self.set} grams"
        return [Fact(text, {"weight_in_grams": int(self.set)})]

    def expert(self) -> Iterator[Call]:
        """Set the weight, print."""
        yield call("weight", grams=self.grams)
        yield call("label")


class OpenCount(World):
    """How many rows of one person are in one state is counted."""

    name = "open-count"
    difficulty = "the answer is how many rows have the person of the task and one fixed state"
    operators = (
        Operator("overview", "show the overview"),
        Operator("say", "say {count}", ("count",), "Answer; final."),
    )
    horizon = 4

    def begin(self) -> tuple[str, Result]:
        """Draw tickets of three people."""
        people, goods = self.draw(PEOPLE, 3), self.draw(PRODUCTS, 12)
        rows = [
            {"ticket": self.identifier("#####"), "person": self.rng.choice(people)}
            | {"about": thing, "state": self.rng.choice(("open", "open", "closed", "waiting"))}
            for thing in goods
        ]
        rows[0] |= {"person": people[0], "state": "open"}
        self.person, self.rows = people[0], self.arranged(rows, rows[0])
        self.count = sum(r["person"] == people[0] and r["state"] == "open" for r in rows)
        asked = f"How many open tickets does {self.person} have?"
        return asked, [Fact("Ticket system, 12 tickets in all.", {"tickets": 12})]

    def possible(self) -> list[Call]:
        """The overview; every number up to twelve."""
        return [call("overview"), *(call("say", count=n) for n in range(13))]

    def do(self, wanted: Call) -> Result:
        """Show tickets, or end."""
        if wanted.operator == "say":
            self.end(won=wanted["count"] == str(self.count))
            return [Fact("All right.", {"said": int(wanted["count"])})]
        return [Rows("tickets", "{ticket}  {state:<8} {about:<14} {person}", self.rows)]

    def expert(self) -> Iterator[Call]:
        """Look, then say."""
        yield call("overview")
        yield call("say", count=self.count)


class TabSum(World):
    """What stands on the tab of a table is added up."""

    name = "tab-sum"
    difficulty = "the amounts of two to four rows are added up and typed"
    operators = (
        Operator("tab", "open the tab of {person}"),
        Operator("charge", "charge {person} {euros} euros", ("euros",), "Final."),
    )
    horizon = 5

    def begin(self) -> tuple[str, Result]:
        """Draw tabs."""
        people = self.draw(PEOPLE, 3)
        self.person, self.people = people[0], self.arranged(people, people[0])
        self.tabs = {
            each: [
                (thing, self.rng.randint(2, 45))
                for thing in self.draw(PRODUCTS, self.rng.randint(2, 4))
            ]
            for each in people
        }
        self.seen: list[str] = []
        names = " and ".join(self.people)
        return f"{self.person} wants to pay.", [Fact(f"Guests: {names}", {"guests": names})]

    def _total(self, person: str) -> int:
        return sum(euros for _, euros in self.tabs[person])

    def possible(self) -> list[Call]:
        """All tabs; totals and amounts that were seen."""
        amounts = {self._total(p) for p in self.seen}
        amounts |= {euros for p in self.seen for _, euros in self.tabs[p]}
        charges = [call("charge", person=p, euros=a) for p in self.people for a in sorted(amounts)]
        return [*(call("tab", person=p) for p in self.people), *charges]

    def accepts(self, wanted: Call) -> bool:
        """Any amount."""
        return wanted["person"] in self.people

    def do(self, wanted: Call) -> Result:
        """Show a tab, or end."""
        person = wanted["person"]
        if wanted.operator == "charge":
            right = str(self._total(self.person))
            self.end(won=person == self.person and wanted["euros"] == right)
            return [Fact(f"{person} pays.", {"paid": True})]
        self.seen += [person] if person not in self.seen else []
        rows: list[dict[str, Value]] = [
            {"item": item, "euros": euros} for item, euros in self.tabs[person]
        ]
        return [Rows("tab", "{item} ..... {euros}", rows)]

    def expert(self) -> Iterator[Call]:
        """Open the tab, charge the sum."""
        yield call("tab", person=self.person)
        yield call("charge", person=self.person, euros=self._total(self.person))
