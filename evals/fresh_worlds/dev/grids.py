"""Grids of cells and of hours: a sheet addressed by cells, a call between time zones."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import CITIES, PEOPLE, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call
from ..shared import MONTHS, enumerated


class HoursGrid(World):
    """Hours are added to the cells where a person's row and a month's column meet."""

    name = "hours-grid"
    difficulty = "the address of a cell is made of its row and column; a sum goes into it"
    operators = (
        Operator("open", "open {sheet}", about="Show a sheet."),
        Operator("unlock", "unlock {sheet}", about="Take the protection off."),
        Operator("set", "{cell} = {value}", ("value",), "Put a number into a cell."),
        Operator("save", "save", about="Final."),
    )
    horizon = 9
    refusal = Fact("#N/A", {"error": "#N/A"})

    entries = ("{person} +{more} in {month}", "{more} more for {person} in {month}")
    wordings = (
        "Hours to book in {sheet}: {entries}.",
        "Please add to {sheet}: {entries}",
        "{entries} (sheet {sheet})",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a sheet of hours, and what is added."""
        sheets = [f"hours_{each}" for each in self.draw(TEAMS, 3)]
        self.sheet, self.sheets = sheets[0], self.arranged(sheets, sheets[0])
        people = self.draw(PEOPLE, self.rng.randint(3, 6))
        width, start = self.rng.randint(3, 5), self.rng.randint(0, 6)
        months = MONTHS[start : start + width]
        self.columns = "BCDEFG"[:width]
        header: dict[str, Value] = {"row": 1, "A": "Name"}
        self.rows = [header | dict(zip(self.columns, months, strict=True))]
        for number, person in enumerate(people, start=2):
            row: dict[str, Value] = {"row": number, "A": person}
            self.rows.append(row | {each: self.rng.randint(0, 40) for each in self.columns})
        pairs = [(p, m) for p in range(len(people)) for m in range(width)]
        self.right: dict[str, str] = {}
        self.decoys: list[int] = []
        said = []
        for at, month in self.rng.sample(pairs, self.rng.randint(1, 3)):
            more, column = self.rng.randint(1, 20), self.columns[month]
            old = int(str(self.rows[at + 1][column]))
            self.right[f"{column}{at + 2}"] = str(old + more)
            self.decoys += [more, old]
            entry = {"person": people[at], "more": more, "month": months[month]}
            said.append(self.rng.choice(self.entries).format(**entry))
        self.locked = self.rng.random() < 0.4
        self.cells: dict[str, str] = {}
        self.open, self.free = False, not self.locked
        wording = self.rng.choice(self.wordings)
        asked = wording.format(sheet=self.sheet, entries=enumerated(said))
        names = ", ".join(self.sheets)
        return asked, [Fact(f"Sheets: {names}", {"sheets": names})]

    def possible(self) -> list[Call]:
        """Every sheet; some numbers into every cell; saving."""
        calls = [call("open", sheet=each) for each in self.sheets]
        if not self.open:
            return [*calls, call("save")]
        calls += [call("unlock", sheet=self.sheet)]
        values = list(dict.fromkeys([*self.right.values(), *map(str, self.decoys)]))
        cells = [f"{column}{row['row']}" for row in self.rows[1:] for column in self.columns]
        pairs = [(cell, value) for cell in cells for value in values] if self.free else []
        return [*calls, *(call("set", cell=c, value=v) for c, v in pairs), call("save")]

    def accepts(self, wanted: Call) -> bool:
        """Any number goes into a cell of a sheet that is open and free."""
        if wanted.operator == "set":
            cells = {f"{column}{row['row']}" for row in self.rows[1:] for column in self.columns}
            right = wanted["cell"] in cells and wanted["value"].isdigit()
            return right and self.open and self.free
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Show, unlock, fill, or end."""
        if wanted.operator == "open":
            self.open = wanted["sheet"] == self.sheet
            if not self.open:
                return [Fact("(no rows)", {"rows": 0})]
            letters = " | ".join(("A", *self.columns))
            state = "yes" if not self.free else "no"
            head = Fact(f"protected: {state}\n|   | {letters} |", {"protected": state})
            line = "| {row} | {A} | " + " | ".join(f"{{{each}}}" for each in self.columns) + " |"
            return [head, Rows("cells", line, self.rows)]
        if wanted.operator == "unlock":
            self.free = True
            return [Fact("protected: no", {"protected": "no"})]
        if wanted.operator == "set":
            cell, value = wanted["cell"], wanted["value"]
            self.cells[cell] = value
            return [Fact(f"{cell}: {value}", {"cell": cell, "value": int(value)})]
        self.end(won=self.cells == self.right)
        return [Fact("Saved.", {"saved": True})]

    def expert(self) -> Iterator[Call]:
        """Open, unlock what is protected, fill in the order of the task, save."""
        yield call("open", sheet=self.sheet)
        if self.locked:
            yield call("unlock", sheet=self.sheet)
        for cell, value in self.right.items():
            yield call("set", cell=cell, value=value)
        yield call("save")


class ZoneCall(World):
    """A call is booked at the hour that the other side names, in the own time zone."""

    name = "zone-call"
    difficulty = "an hour is moved by the difference of two zones, and on to the next free hour"
    operators = (
        Operator("contact", "show contact {person}", about="Show a contact."),
        Operator("day", "show my {day}", about="Show what a day holds."),
        Operator("book", "book {kind} with {person} on {day} at {time}", about="Final."),
    )
    horizon = 6

    days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
    kinds = ("a video call", "a phone call")
    wordings = (
        "{person} would like to talk on {day} at {hour}:00 their time.",
        "Book a call with {person}: {day}, {hour}:00 where they are.",
        "Call {person}? They say {day} {hour}:00, local time over there.",
        "{day} {hour}:00 ({person}'s clock), a call please",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw zones, contacts and a calendar; the hours before a free one are taken."""
        people, cities = self.draw(PEOPLE, 3), self.draw(CITIES, 4)
        home = self.rng.randint(-3, 4)
        self.person, self.day = people[0], self.rng.choice(self.days)
        self.contacts: dict[str, dict[str, Value]] = {}
        zones = [home + self.rng.choice((-5, -4, -3, -2, -1, 1, 2, 3, 4, 5)) for _ in people]
        for person, city, zone in zip(people, cities, zones, strict=False):
            self.contacts[person] = {
                "name": person,
                "city": city,
                "zone": f"UTC{zone:+}",
                "reach by": self.rng.choice(("video", "phone")),
            }
        theirs = self.rng.randint(10, 16)
        first = theirs - zones[0] + home
        taken = self.rng.choice((0, 0, 1, 2))
        self.hour = first + taken
        hours = [*range(first, self.hour)]
        others = [each for each in range(5, 24) if not first <= each <= self.hour]
        hours += self.rng.sample(others, self.rng.randint(1, 3))
        self.busy = [f"{each:02}:00" for each in sorted(hours)]
        titles = ("stand-up", "review", "lunch", "dentist", "training", "interview")
        self.titles = [self.rng.choice(titles) for _ in self.busy]
        tries = (self.hour, first, theirs, theirs + zones[0] - home, first + 1)
        self.times = list(dict.fromkeys(f"{each:02}:00" for each in tries if 0 <= each < 24))
        listed = ", ".join(self.arranged(people, self.person))
        text = f"Your zone: UTC{home:+}\nContacts: {listed}"
        wording = self.rng.choice(self.wordings)
        asked = wording.format(person=self.person, day=self.day, hour=theirs)
        return asked, [Fact(text, {"zone": f"UTC{home:+}", "contacts": listed})]

    def possible(self) -> list[Call]:
        """Every contact and day; a call at some times."""
        calls = [call("contact", person=each) for each in self.contacts]
        calls += [call("day", day=each) for each in self.days]
        pairs = [(kind, time) for kind in self.kinds for time in self.times]
        return [*calls, *(self._booking(kind, time) for kind, time in pairs)]

    def _booking(self, kind: str, time: str) -> Call:
        return call("book", kind=kind, person=self.person, day=self.day, time=time)

    def accepts(self, wanted: Call) -> bool:
        """Any time can be booked."""
        if wanted.operator == "book":
            known = wanted["kind"] in self.kinds and wanted["person"] in self.contacts
            return known and wanted["day"] in self.days
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Show, or end."""
        if wanted.operator == "contact":
            fields = self.contacts[wanted["person"]]
            return [Fact("\n".join(f"{key}: {value}" for key, value in fields.items()), fields)]
        if wanted.operator == "day":
            if wanted["day"] != self.day:
                return [Fact("(nothing planned)", {"planned": 0})]
            pairs = zip(self.busy, self.titles, strict=True)
            rows = [{"time": time, "title": title} for time, title in pairs]
            return [Rows("planned", "{time}  {title}", rows)]
        self.end(won=wanted == self._right())
        return [Fact("Booked.", {"booked": True})]

    def _right(self) -> Call:
        video = self.contacts[self.person]["reach by"] == "video"
        return self._booking(self.kinds[0 if video else 1], f"{self.hour:02}:00")

    def expert(self) -> Iterator[Call]:
        """Look for the zone and for what is taken, then book."""
        yield call("contact", person=self.person)
        yield call("day", day=self.day)
        yield self._right()
