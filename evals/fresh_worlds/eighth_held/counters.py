"""Counters: a child signs up, a meeting moves, a meter is read, a table is reserved."""

from __future__ import annotations

from datetime import date, timedelta

from ...ladder.names import CITIES, COLOURS, PEOPLE, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of, worded
from ..desk import Desk
from ..shared import distinct


class NurserySignup(Desk):
    """A form gets two values of the task and three of a family's card."""

    name = "nursery-signup"
    difficulty = "five fields: two from the task, three from a record"
    operators = (
        Operator("family", "family {family}", about="A family's card."),
        Operator("enter", "enter {field}: {value}", about="Fills a field."),
        Operator("submit", "submit", about="Final."),
    )
    changing, finals, free = ("enter",), ("submit",), ("family", "enter")
    horizon = 10

    wordings = (
        "Sign up {child} for the {group} group, family {family}.",
        "Family {family} wants a place in the {group} group for {child}.",
        "New child: {child}, family {family}, {group} group.",
    )
    fields = ("child", "group", "guardian", "street", "phone")

    def begin(self) -> tuple[str, Result]:
        """Draw a child and a family."""
        child, parent = self.draw(PEOPLE, 2)
        (last,), (group,) = self.draw(SURNAMES), self.draw(COLOURS)
        self.family = self.identifier("F-###")
        street = self.rng.choice(("Hill Road", "Church Lane", "Harbour Street", "Long Row"))
        self.card: dict[str, Value] = {
            "guardian": f"{parent} {last}",
            "street": f"{street} {self.rng.randint(1, 99)}",
            "doctor": f"Dr {self.draw(SURNAMES)[0]}",
            "phone": self.identifier("0### ####"),
        }
        values: dict[str, Value] = {"child": child, "group": group, **self.card}
        entries = [call("enter", field=field, value=values[field]) for field in self.fields]
        wrong = [call("enter", field="child", value=self.card["guardian"])]
        self.lay_out([call("family", family=self.family), *entries, call("submit")], wrong)
        asked = self.rng.choice(self.wordings).format(child=child, group=group, family=self.family)
        blank = "\n".join(f"{field} = ____" for field in self.fields)
        return asked, [Fact(f"SIGN-UP\n{blank}", {"fields": ", ".join(self.fields)})]

    def answer(self, wanted: Call) -> Result:
        """Show the card, fill a field or submit."""
        if wanted.operator == "family":
            if wanted["family"] != self.family:
                return [Fact("no such family", {"error": "no such family"})]
            return [Fact("\n".join(f"{k} = {v}" for k, v in self.card.items()), self.card)]
        if wanted.operator == "enter":
            self.overwrite(wanted, "field")
            return [Fact(f"{wanted['field']} = {wanted['value']}", {wanted["field"]: True})]
        return [Fact("received, thank you", {"received": True})]


class MeetingMove(Desk):
    """A meeting of a day moves to another time; who called it is told."""

    name = "meeting-move"
    difficulty = "the row of a title; two of its columns are used, one after the other"
    operators = (
        Operator("agenda", "agenda {day}", about="Meetings of a day."),
        Operator("move", "move {meeting} to {time}", about="Changes the time."),
        Operator("tell", "tell {person}", about="Sends the news. Final."),
    )
    changing, irrevocable, finals = ("move",), ("move",), ("tell",)
    free = ("agenda", "move")
    horizon = 6

    wordings = (
        "Move the {title} on {day} to {time}.",
        "The {title} of {day} cannot be held as planned, make it {time}.",
        "{day}: {title} at {time} instead, please.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a day and meetings."""
        count = self.rng.randint(3, 5)
        people, teams = self.draw(PEOPLE, count), self.draw(TEAMS, count)
        numbers = distinct(lambda: self.identifier("m###"), count)
        self.day = worded(date(2026, 1, 5) + timedelta(self.rng.randint(0, 320)))
        times = distinct(
            lambda: f"{self.rng.randint(8, 17):02}:{self.rng.choice(('00', '15', '30', '45'))}",
            count + 1,
        )
        *old, new = times
        kinds = ("review", "planning", "stand-up", "retrospective")
        rows: list[dict[str, Value]] = [
            {
                "meeting": number,
                "time": time,
                "title": f"{team} {self.rng.choice(kinds)}",
                "by": person,
            }
            for number, time, team, person in zip(numbers, old, teams, people, strict=True)
        ]
        self.rows = self.arranged(rows, rows[0])
        moves = [call("move", meeting=row["meeting"], time=new) for row in rows]
        tells = [call("tell", person=row["by"]) for row in rows]
        self.lay_out([call("agenda", day=self.day), moves[0], tells[0]], [*moves, *tells])
        title = rows[0]["title"]
        asked = self.rng.choice(self.wordings).format(title=title, day=self.day, time=new)
        return asked, [Fact("calendar>", {"app": "calendar"})]

    def answer(self, wanted: Call) -> Result:
        """Show, move or tell."""
        if wanted.operator == "agenda":
            if wanted["day"] != self.day:
                return [Fact("nothing on that day", {"error": "nothing"})]
            line = "* {time} {title} [{meeting}], called by {by}"
            return [Rows("meetings", line, self.rows)]
        return [Fact("calendar> ok", {"ok": True})]


class MeterMail(Desk):
    """A mail tells a meter and a reading; the reading is booked for the meter's contract."""

    name = "meter-mail"
    difficulty = "two values out of sentences, one of them leads to a third"
    operators = (
        Operator("open", "open {mail}", about="A mail."),
        Operator("meter", "meters find {meter}", about="Where a meter is."),
        Operator("submit", "readings add {contract} {reading}", ("reading",), "Final."),
    )
    finals, free = ("submit",), ("open", "meter", "submit")
    horizon = 6

    wordings = (
        "There is a meter reading in {mail}. Book it.",
        "Book the reading of mail {mail}.",
        "{mail} is from a customer with a meter reading, please enter it.",
    )
    letters = (
        "Hello, my meter {meter} stands at {reading} kWh. Best, {person}",
        "Good day,\nreading today: {reading}\nmeter: {meter}\n{person}, {city}",
        "{person} here from {city}. We read {reading} on meter {meter} this morning.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a mail and a meter."""
        (person,), (self.city,) = self.draw(PEOPLE), self.draw(CITIES)
        self.mail, self.meter = self.identifier("msg-######"), self.identifier("ZX######")
        self.contract, other = distinct(lambda: self.identifier("4#######"), 2)
        reading = self.rng.randint(2_000, 98_000)
        self.last = reading - self.rng.randint(100, 1900)
        self.letter = self.rng.choice(self.letters).format(
            meter=self.meter, reading=reading, person=person, city=self.city
        )
        plan = [call("open", mail=self.mail), call("meter", meter=self.meter)]
        plan.append(call("submit", contract=self.contract, reading=reading))
        wrong = [call("submit", contract=self.contract, reading=self.last)]
        wrong.append(call("submit", contract=other, reading=reading))
        wrong.append(call("submit", contract=other, reading=self.last))
        self.lay_out(plan, wrong)
        asked = self.rng.choice(self.wordings).format(mail=self.mail)
        return asked, [Fact("$", {"shell": True})]

    def answer(self, wanted: Call) -> Result:
        """Show or book."""
        if wanted.operator == "open":
            if wanted["mail"] != self.mail:
                return [Fact("not there", {"error": "not there"})]
            return [Fact(self.letter, {"body": self.letter})]
        if wanted.operator == "meter":
            if wanted["meter"] != self.meter:
                return [Fact("0 meters", {"error": "no such meter"})]
            text = f"meter={self.meter} contract={self.contract} last={self.last} city={self.city}"
            data: dict[str, Value] = {"contract": self.contract, "last": self.last}
            return [Fact(text, data | {"city": self.city})]
        return [Fact("1 reading added", {"added": 1})]


class TableReserve(Desk):
    """A table in the wished place with enough seats is reserved; big parties pay ahead."""

    name = "table-reserve"
    difficulty = "a row that a place and a least number decide; a step above a limit"
    operators = (
        Operator("tables", "tables at {time}", about="What is free."),
        Operator("deposit", "deposit from {guest}", about="Asks for money."),
        Operator("reserve", "reserve {table} at {time} for {guest}", about="Final."),
    )
    changing, irrevocable, finals = ("deposit",), ("deposit",), ("reserve",)
    free = ("tables", "reserve")
    horizon = 6

    wordings = (
        "{guest} would like a table for {count} at {time}, {place}.",
        "Table for {count}, {place}, {time}, name {guest}.",
        "At {time} {guest} comes with {count} people in all and wants to sit {place}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a party and tables."""
        (self.guest,) = self.draw(SURNAMES)
        big = case_of(self.name, self.task, (False, True))
        count = self.rng.randint(6, 9) if big else self.rng.randint(2, 5)
        self.time = f"{self.rng.randint(17, 21)}:{self.rng.choice(('00', '15', '30', '45'))}"
        places = self.rng.sample(("inside", "outside", "upstairs"), 3)
        seats = [(0, count + self.rng.randint(0, 2)), (0, self.rng.randint(1, count - 1))]
        seats += [(1, count + self.rng.randint(0, 3)), (2, self.rng.randint(1, 10))]
        seats += [(0, self.rng.randint(1, count - 1))][: self.rng.randint(0, 1)]
        names = distinct(lambda: f"T{self.rng.randint(1, 40)}", len(seats))
        rows: list[dict[str, Value]] = [
            {"table": name, "seats": n, "place": places[p]}
            for name, (p, n) in zip(names, seats, strict=True)
        ]
        self.rows = self.arranged(rows, rows[0])
        ends = [call("reserve", table=t, time=self.time, guest=self.guest) for t in names]
        deposit = call("deposit", guest=self.guest)
        plan = [call("tables", time=self.time), *([deposit] if big else []), ends[0]]
        self.lay_out(plan, [*ends, deposit])
        asked = self.rng.choice(self.wordings).format(
            guest=self.guest, count=count, time=self.time, place=places[0]
        )
        rule = "Parties of 6 or more pay ahead."
        return asked, [Fact(f"RESERVATIONS\n{rule}", {"house_rule": rule})]

    def answer(self, wanted: Call) -> Result:
        """Show, ask or reserve."""
        if wanted.operator == "tables":
            if wanted["time"] != self.time:
                return [Fact("The house is full.", {"error": "full"})]
            return [Rows("tables", "{table:<5}{seats:>3} seats   {place}", self.rows)]
        return [Fact("Noted.", {"noted": True})]
