"""What is typed is made of what was read."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import CITIES, PEOPLE, PRODUCTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, World, call
from ..shared import MONTHS, clock_times


class VisitDates(World):
    """The task writes a date as people do; the form takes it in the ISO notation."""

    name = "visit-dates"
    difficulty = "a date of the task is typed in another notation (9 March 2025 as 2025-03-09)"
    operators = (
        Operator("date", "type {date} under Date of visit"),
        Operator("name", "type {name} under Visitor"),
        Operator("send", "press Register", about="Send the form; final."),
    )
    horizon = 6
    refusal = Fact("The form does not take that.", {"error": "not taken"})

    def begin(self) -> tuple[str, Result]:
        """Draw a visitor and a day."""
        (self.person,), (town,) = self.draw(PEOPLE), self.draw(CITIES)
        year, month = self.rng.randint(2024, 2029), self.rng.randint(1, 12)
        day = self.rng.randint(1, 28)
        self.day = f"{year}-{month:02}-{day:02}"
        others = [(year, day % 12 + 1, month), (year, month, day % 28 + 1), (year + 1, month, day)]
        self.days = [self.day, *(f"{y}-{m:02}-{d:02}" for y, m, d in others)]
        self.fields: dict[str, str] = {}
        asked = f"{self.person} visits the plant in {town} on {day} {MONTHS[month - 1]} {year}. "
        form = "Visitor: [          ]   Date of visit: [YYYY-MM-DD]   <Register>"
        return f"{asked}Register this.", [Fact(form, {"visitor": "", "date_of_visit": ""})]

    def possible(self) -> list[Call]:
        """Some dates, the name, sending."""
        days = [call("date", date=each) for each in self.days]
        return [*days, call("name", name=self.person), call("send")]

    def accepts(self, wanted: Call) -> bool:
        """Dates have to be written as the form says; any name."""
        if wanted.operator == "date":
            date = wanted["date"]
            pieces = [len(each) for each in date.split("-")]
            return pieces == [4, 2, 2] and date.replace("-", "").isdigit()
        return True

    def do(self, wanted: Call) -> Result:
        """Fill a field, or end."""
        if wanted.operator == "send":
            self.end(won=self.fields == {"date": self.day, "name": self.person})
            return [Fact("Thank you!", {"sent": True})]
        (value,) = wanted.values.values()
        self.fields[wanted.operator] = value
        name, day = self.fields.get("name", ""), self.fields.get("date", "")
        form = f"Visitor: [{name or '          '}]   Date of visit: [{day or 'YYYY-MM-DD'}]   "
        return [Fact(f"{form}<Register>", {"visitor": name, "date_of_visit": day})]

    def expert(self) -> Iterator[Call]:
        """Fill both fields, send."""
        yield call("name", name=self.person)
        yield call("date", date=self.day)
        yield call("send")


class SealedBids(World):
    """The highest bid wins, and pays what the second highest bid says."""

    name = "sealed-bids"
    difficulty = "the greatest row and the second greatest each give one argument of a call"
    operators = (
        Operator("unseal", "unseal the bids for the {thing}"),
        Operator("sell", "sell to {bidder} for {price}", ("price",), "Final."),
    )
    horizon = 5

    def begin(self) -> tuple[str, Result]:
        """Draw lots and bids."""
        goods = self.draw(PRODUCTS, 4)
        self.thing, self.goods = goods[0], self.arranged(goods, goods[0])
        count = self.rng.randint(3, 6)
        prices = sorted(self.rng.sample(range(20, 900), count), reverse=True)
        bids: list[dict[str, str | int]] = [
            {"bidder": name, "price": price}
            for name, price in zip(self.draw(SURNAMES, count), prices, strict=True)
        ]
        self.right = (str(bids[0]["bidder"]), str(bids[1]["price"]))
        self.bids, self.open = self.arranged(bids, bids[0]), False
        rule = "The highest bid wins and pays the price of the second highest."
        lots = ", ".join(self.goods)
        start = [Fact(rule, {"rule": rule}), Fact(f"Lots: {lots}", {"lots": lots})]
        return f"Auction the {self.thing} off.", start

    def possible(self) -> list[Call]:
        """All lots; then every bidder at every price."""
        bids = self.bids if self.open else []
        sells = [call("sell", bidder=a["bidder"], price=b["price"]) for a in bids for b in bids]
        return [*(call("unseal", thing=each) for each in self.goods), *sells]

    def do(self, wanted: Call) -> Result:
        """Show bids, or end."""
        if wanted.operator == "sell":
            self.end(won=(wanted["bidder"], wanted["price"]) == self.right)
            return [Fact("Sold!", {"sold": True})]
        if wanted["thing"] != self.thing:
            return [Fact("Nobody wants that.", {"bids": []})]  # type: ignore[dict-item]
        self.open = True
        return [Rows("bids", "{bidder} would pay {price}", self.bids)]

    def expert(self) -> Iterator[Call]:
        """Unseal, sell."""
        yield call("unseal", thing=self.thing)
        yield call("sell", bidder=self.right[0], price=self.right[1])


class LetterOut(World):
    """A letter is composed of what the task says and what a record says."""

    name = "letter-out"
    difficulty = "a text is composed of a frame, values of the task and values of a record"
    operators = (
        Operator("record", "pull the record of {person}"),
        Operator("send", "send {person} this: {text}", about="Send a letter; final."),
    )
    horizon = 5

    def begin(self) -> tuple[str, Result]:
        """Draw orders."""
        people, goods, towns = self.draw(PEOPLE, 4), self.draw(PRODUCTS, 4), self.draw(CITIES, 4)
        self.orders = {
            person: {"order": self.identifier("#####"), "item": thing, "town": town}
            | {"weekday": self.rng.choice(("Monday", "Tuesday", "Thursday", "Friday"))}
            for person, thing, town in zip(people, goods, towns, strict=True)
        }
        self.person, self.people = people[0], self.arranged(people, people[0])
        self.pulled: list[str] = []
        names = ", ".join(self.people)
        asked = f"{self.person} asks when the {goods[0]} arrives. Answer with the usual letter."
        return asked, [Fact(f"Open questions of {names}.", {"questions": names})]

    def _letter(self, person: str) -> str:
        order = self.orders[person]
        return (
            f"Dear {person}, your {order['item']} (order {order['order']}) leaves {order['town']} "
            f"on {order['weekday']}. Kind regards"
        )

    def possible(self) -> list[Call]:
        """All records; letters about what was read, to everybody."""
        sends = [
            call("send", person=p, text=self._letter(q)) for p in self.people for q in self.pulled
        ]
        return [*(call("record", person=each) for each in self.people), *sends]

    def accepts(self, wanted: Call) -> bool:
        """Any text can be sent."""
        return wanted["person"] in self.people

    def do(self, wanted: Call) -> Result:
        """Show a record, or end."""
        person = wanted["person"]
        if wanted.operator == "send":
            right = person == self.person and wanted["text"] == self._letter(person)
            self.end(won=right)
            return [Fact("It is in the mail.", {"mailed": True})]
        self.pulled += [person] if person not in self.pulled else []
        order = self.orders[person]
        text = f"no. {order['order']} <{order['item']}> ex {order['town']}, {order['weekday']}"
        return [Fact(text, order)]

    def expert(self) -> Iterator[Call]:
        """Read, then write."""
        yield call("record", person=self.person)
        yield call("send", person=self.person, text=self._letter(self.person))


class Forwarding(World):
    """Several people change their minds on one board; the last word of one of them counts."""

    name = "forwarding"
    difficulty = (
        "the last of a person's messages counts, among those of others, worded in many ways"
    )
    operators = (
        Operator("board", "read the board"),
        Operator("forward", "forward it to {town}", about="Send the mail off; final."),
    )
    horizon = 5

    words = (
        "{person}: please forward my mail to {town}",
        "{person} has moved to {town}",
        "change of plan, {person} stays in {town}",
        "{town} is where {person} is now",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw messages, two or three of the person, in the order of their times."""
        people, towns = self.draw(PEOPLE, 3), self.draw(CITIES, 8)
        self.person = people[0]
        writers = [self.person] * self.rng.randint(2, 3)
        writers += [self.rng.choice(people[1:]) for _ in range(4)]
        self.rng.shuffle(writers)
        self.messages = []
        for time, person, town in zip(
            clock_times(self.rng, len(writers)), writers, towns, strict=False
        ):
            text = self.rng.choice(self.words).format(person=person, town=town)
            self.messages.append({"time": time[:5], "person": person, "town": town, "text": text})
        own = [each["town"] for each in self.messages if each["person"] == self.person]
        self.town, self.towns, self.open = own[-1], towns, False
        asked = f"A letter for {self.person} is here. See that it gets there."
        return asked, [Fact("Porter's lodge; there is a board.", {"place": "porter's lodge"})]

    def possible(self) -> list[Call]:
        """The board; then all towns on it."""
        towns = [each["town"] for each in self.messages] if self.open else []
        return [call("board"), *(call("forward", town=each) for each in towns)]

    def accepts(self, wanted: Call) -> bool:
        """Mail goes everywhere."""
        return True

    def do(self, wanted: Call) -> Result:
        """Show the board, or end."""
        if wanted.operator == "forward":
            self.end(won=wanted["town"] == self.town)
            return [Fact("Off it goes.", {"sent": True})]
        self.open = True
        return [Rows("messages", "{time} {text}", self.messages)]

    def expert(self) -> Iterator[Call]:
        """Read the board, forward to the last place."""
        yield call("board")
        yield call("forward", town=self.town)
