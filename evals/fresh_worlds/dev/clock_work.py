"""Times and days that are reckoned: a parking ticket, a book that is stamped."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from ...ladder.names import PEOPLE, PRODUCTS, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call


class ParkingTicket(World):
    """A ticket is bought from a time on, for so many minutes; the machine wants when it ends."""

    name = "parking-ticket"
    difficulty = "a time of the day and a number of minutes give another time of the day"
    operators = (
        Operator("zone", "choose zone {zone}", about="Show a zone."),
        Operator("until", "park until {time}", about="Set the end."),
        Operator("pay", "pay", about="Final."),
    )
    horizon = 6

    wordings = (
        "Parking ticket for zone {zone}, please: from {start}, for {minutes} minutes.",
        "I park in zone {zone} at {start} and need {minutes} minutes. Get a ticket.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a zone, a time and minutes."""
        zones = [self.identifier("A#") for _ in range(4)]
        self.zone, self.zones = zones[0], self.arranged(list(dict.fromkeys(zones)), zones[0])
        start, self.minutes = self.rng.randint(6 * 60, 18 * 60), 5 * self.rng.randint(3, 40)
        self.start, self.right = self._time(start), self._time(start + self.minutes)
        near = (start + self.minutes + 60, start + self.minutes - 60, start)
        self.times = [self.right, *map(self._time, near)]
        self.chosen = self.until = ""
        wording = self.rng.choice(self.wordings)
        asked = wording.format(zone=self.zone, start=self.start, minutes=self.minutes)
        return asked, [Fact(f"Zones: {', '.join(self.zones)}", {"zones": len(self.zones)})]

    def _time(self, minutes: int) -> str:
        return f"{minutes // 60:02}:{minutes % 60:02}"

    def possible(self) -> list[Call]:
        """Every zone; some times."""
        calls = [call("zone", zone=each) for each in self.zones]
        return [*calls, *(call("until", time=each) for each in self.times), call("pay")]

    def accepts(self, wanted: Call) -> bool:
        """Any time can be set."""
        return wanted.operator == "until" or wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Choose, set, or end."""
        if wanted.operator == "zone":
            self.chosen = wanted["zone"]
            return [Fact(f"Zone {self.chosen} is chosen.", {"zone": self.chosen})]
        if wanted.operator == "until":
            self.until = wanted["time"]
            return [Fact(f"Until {self.until}.", {"until": self.until})]
        self.end(won=(self.chosen, self.until) == (self.zone, self.right))
        return [Fact("Paid.", {"paid": True})]

    def expert(self) -> Iterator[Call]:
        """Choose, set, pay."""
        yield call("zone", zone=self.zone)
        yield call("until", time=self.right)
        yield call("pay")


class LoanStamp(World):
    """A thing is lent; its class says for how many days, and the slip is stamped with the day."""

    name = "loan-stamp"
    difficulty = "today and a number of days in a table give the day that is stamped"
    operators = (
        Operator("look", "look up {thing}", about="Show a thing."),
        Operator("stamp", "stamp {day} on the slip of {person}", about="Set the day."),
        Operator("hand", "hand {thing} to {person}", about="Final."),
    )
    horizon = 6

    wordings = ("Lend the {thing} to {person}.", "{person} would like to borrow the {thing}.")

    def begin(self) -> tuple[str, Result]:
        """Draw things, classes and today."""
        things, (self.person,) = self.draw(PRODUCTS, 3), self.draw(PEOPLE)
        classes = self.draw(TEAMS, 3)
        days = self.rng.sample(range(3, 60), 3)
        self.rows: list[dict[str, Value]] = [
            {"class": name, "days": number} for name, number in zip(classes, days, strict=True)
        ]
        self.things = dict(zip(things, classes, strict=True))
        self.thing = things[0]
        today = date(2025, 1, 1) + timedelta(self.rng.randint(0, 900))
        self.right = str(today + timedelta(days[0]))
        self.days = [self.right, *(str(today + timedelta(each)) for each in (0, *days[1:]))]
        self.stamped: list[Call] = []
        wording = self.rng.choice(self.wordings)
        asked = wording.format(thing=self.thing, person=self.person)
        table = Rows("classes", "class {class} | {days} days", self.arranged(self.rows))
        return asked, [Fact(f"Today is {today}", {"today": str(today)}), table]

    def possible(self) -> list[Call]:
        """Every thing; some days."""
        calls = [call("look", thing=each) for each in self.things]
        calls += [call("stamp", day=each, person=self.person) for each in self.days]
        return [*calls, *(call("hand", thing=t, person=self.person) for t in self.things)]

    def accepts(self, wanted: Call) -> bool:
        """Any day can be stamped."""
        if wanted.operator == "stamp":
            return wanted["person"] == self.person
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Show, stamp, or end."""
        if wanted.operator == "look":
            name = self.things[wanted["thing"]]
            return [Fact(f"{wanted['thing']}: belongs to {name}", {"class": name})]
        if wanted.operator == "stamp":
            self.stamped.append(wanted)
            return [Fact("Stamped.", {"stamped": True})]
        right = [call("stamp", day=self.right, person=self.person)]
        self.end(won=self.stamped == right and wanted["thing"] == self.thing)
        return [Fact("Lent.", {"lent": True})]

    def expert(self) -> Iterator[Call]:
        """Look it up, stamp, hand over."""
        yield call("look", thing=self.thing)
        yield call("stamp", day=self.right, person=self.person)
        yield call("hand", thing=self.thing, person=self.person)
