"""What a school's office does: marks, trips, records."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import CITIES, PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call


class ClassRegister(World):
    """A pupil is named one way in the task and the other way round in the register."""

    name = "class-register"
    difficulty = "a name is matched that the register writes as 'Surname, First'"
    operators = (
        Operator("open", "open the register of class {name}", about="Show who is in a class."),
        Operator("enter", "enter {mark} for no. {number}", ("number",), "Final."),
    )
    horizon = 4

    def begin(self) -> tuple[str, Result]:
        """Draw a class in which both of the pupil's names occur again."""
        first, other, third = self.draw(PEOPLE, 3)
        last, second, fourth = self.draw(SURNAMES, 3)
        pairs = [(first, last), (other, last), (first, second), (third, second), (other, fourth)]
        numbers = self.rng.sample(range(1, 33), len(pairs))
        self.rows: list[dict[str, Value]] = [
            {"no": number, "name": f"{late}, {early}"}
            for number, (early, late) in zip(numbers, pairs, strict=True)
        ]
        self.number = numbers[0]
        self.shown = self.arranged(self.rows, self.rows[0])
        self.classes = self.rng.sample([f"{year}{c}" for year in range(5, 11) for c in "abc"], 3)
        self.mark_given = self.rng.choice("ABCDE")
        subject = self.rng.choice(("maths", "music", "chemistry", "history"))
        asked = f"{first} {last} of {self.classes[0]} gets {self.mark_given} in {subject}."
        names = " | ".join(self.arranged(self.classes, self.classes[0]))
        return asked, [Fact(f"[ Registers ]  {names}", {"registers": names})]

    def possible(self) -> list[Call]:
        """Every register; the mark for everybody."""
        calls = [call("open", name=each) for each in self.classes]
        marks = [call("enter", mark=self.mark_given, number=row["no"]) for row in self.rows]
        return [*calls, *marks]

    def do(self, wanted: Call) -> Result:
        """Show a class, or end."""
        if wanted.operator == "enter":
            self.end(won=wanted["number"] == str(self.number))
            return [Fact("Saved.", {"saved": True})]
        rows = self.shown if wanted["name"] == self.classes[0] else []
        head = Fact(f"Class {wanted['name']}", {"class": wanted["name"]})
        return [head, Rows("pupils", "({no}) {name}", rows)]

    def expert(self) -> Iterator[Call]:
        """Open the register, enter the mark."""
        yield call("open", name=self.classes[0])
        yield call("enter", mark=self.mark_given, number=self.number)


class TripSeats(World):
    """As many seats are booked as there are answers that say yes."""

    name = "trip-seats"
    difficulty = "an argument is the number of the rows that say yes"
    operators = (
        Operator("answers", "show the answers for {town}", about="Show who comes on a trip."),
        Operator("book", "book {count} seats to {town}", ("count",), "Final."),
    )
    horizon = 4
    most = 12

    def begin(self) -> tuple[str, Result]:
        """Draw trips, and who answered what."""
        self.towns = self.draw(CITIES, 3)
        self.town = self.towns[0]
        people = self.draw(PEOPLE, self.rng.randint(5, self.most))
        self.rows = [{"name": p, "answer": self.rng.choice(("yes", "no", "?"))} for p in people]
        self.rows[0]["answer"] = "yes"
        self.count = sum(row["answer"] == "yes" for row in self.rows)
        names = ", ".join(self.arranged(self.towns, self.town))
        asked = f"Get the bus for the trip to {self.town}."
        return asked, [Fact(f"Trips this term: {names}.", {"trips": names})]

    def possible(self) -> list[Call]:
        """Every trip; every number of seats."""
        calls = [call("answers", town=each) for each in self.towns]
        counts = range(1, self.most + 1)
        return [*calls, *(call("book", count=each, town=self.town) for each in counts)]

    def do(self, wanted: Call) -> Result:
        """Show the answers, or end."""
        if wanted.operator == "book":
            self.end(won=wanted["count"] == str(self.count))
            return [Fact("The bus company says thank you.", {"booked": True})]
        rows = self.rows if wanted["town"] == self.town else []
        head = Fact(f"Who comes to {wanted['town']}?", {"trip": wanted["town"]})
        return [head, Rows("answers", "* {name} ... {answer}", rows)]

    def expert(self) -> Iterator[Call]:
        """Show the answers, book."""
        yield call("answers", town=self.town)
        yield call("book", count=self.count, town=self.town)


class RecordFixes(World):
    """A record is set right where it differs from a signed form, and only there."""

    name = "record-fixes"
    difficulty = "two texts of the same fields are compared; each field that differs is set"
    operators = (
        Operator("record", "open the record of {person}", about="Show a pupil's record."),
        Operator("form", "open the form of {person}", about="Show what the parents signed."),
        Operator("set", "set {field} to {value}", about="Change a field of the open record."),
        Operator("save", "save the record", about="Final."),
    )
    horizon = 9
    fields = ("town", "phone", "doctor", "bus")

    def begin(self) -> tuple[str, Result]:
        """Draw a form, and a record that differs in one field, in two or in three."""
        self.people = self.draw(PEOPLE, 3)
        self.person = self.people[0]
        towns, doctors = self.draw(CITIES, 2), self.draw(SURNAMES, 2)
        phones = [self.identifier("0###-#####") for _ in range(2)]
        buses = [str(each) for each in self.rng.sample(range(10, 99), 2)]
        pairs = list(zip(towns, phones, doctors, buses, strict=True))
        self.form = dict(zip(self.fields, pairs[0], strict=True))
        others = dict(zip(self.fields, pairs[1], strict=True))
        wrong = self.rng.sample(self.fields, self.rng.randint(1, 3))
        self.record = {f: others[f] if f in wrong else self.form[f] for f in self.fields}
        self.before = dict(self.record)
        self.sets = 0
        names = ", ".join(self.arranged(self.people, self.person))
        asked = f"The parents of {self.person} signed a form. Bring the record up to date."
        return asked, [Fact(f"In the tray: {names}", {"tray": names})]

    def possible(self) -> list[Call]:
        """Everybody's papers; every field as the form or the record has it."""
        calls = [call(n, person=each) for n in ("record", "form") for each in self.people]
        for field in self.fields:
            values = dict.fromkeys((self.form[field], self.before[field]))
            calls += [call("set", field=field, value=each) for each in values]
        return [*calls, call("save")]

    def do(self, wanted: Call) -> Result:
        """Show, change, or end."""
        if wanted.operator == "set":
            self.sets += 1
            self.record[wanted["field"]] = wanted["value"]
            return [Fact(f"{wanted['field']} changed.", {"changed": wanted["field"]})]
        if wanted.operator == "save":
            self.end(won=self.record == self.form and self.sets == len(self._wrong))
            return [Fact("Record saved.", {"saved": True})]
        person = wanted["person"]
        if person != self.person:
            return [Fact("The folder is empty.", {"empty": True})]
        if wanted.operator == "record":
            lines = "\n".join(f"{f:<8}{v}" for f, v in self.record.items())
            return [Fact(f"RECORD {person}\n{lines}", {"record": person, **self.record})]
        form = self.form
        text = f"I, parent of {person}, declare: town = {form['town']}; phone = {form['phone']}; "
        text += f"doctor = {form['doctor']}; bus = {form['bus']}. (signed)"
        return [Fact(text, {"form": person, **form})]

    @property
    def _wrong(self) -> list[str]:
        return [field for field in self.fields if self.before[field] != self.form[field]]

    def expert(self) -> Iterator[Call]:
        """Open both, set what differs, save."""
        yield call("record", person=self.person)
        yield call("form", person=self.person)
        for field in self._wrong:
            yield call("set", field=field, value=self.form[field])
        yield call("save")
