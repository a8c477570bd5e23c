"""What is done at a desk: a form, a wizard, calendars, signatures."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress
from typing import ClassVar

from ...ladder.names import CITIES, COLOURS, PEOPLE, PRODUCTS, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call


class CustomsForm(World):
    """A form that asks for one field more where the value is high, and a summary at its end."""

    name = "customs-form"
    difficulty = "a field is asked for only at times; the summary says whether all is well"
    operators = (
        Operator("enter", "enter {value} as {field}", about="Fill in a field."),
        Operator("summary", "go to the summary", about="Show the declaration as it stands."),
        Operator("submit", "submit the declaration", about="Final."),
    )
    horizon = 8
    abstaining = True

    limit = 150
    titles: ClassVar[dict[str, str]] = {
        "sender": "Sender",
        "contents": "Contents",
        "value": "Value in EUR",
        "invoice": "Invoice number (over 150 EUR)",
    }

    def begin(self) -> tuple[str, Result]:
        """Draw a parcel, and the invoices in the tray."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        people, goods = self.draw(PEOPLE, 4), self.draw(PRODUCTS, 4)
        rows = [
            {"invoice": self.identifier("AA/####"), "person": person, "about": about}
            for person, about in zip(people, goods, strict=True)
        ]
        dear = self.rng.random() < 0.5
        euros = self.rng.randint(151, 600) if dear else self.rng.randint(20, 150)
        self.right = {"sender": people[0], "contents": goods[0], "value": str(euros)}
        if dear:
            self.right["invoice"] = rows[0]["invoice"]
        self.given = dict.fromkeys(self.right, "")
        self.given.pop("invoice", None)
        self.rows = self.arranged(rows, rows[0])
        asked = f"Declare a parcel for {people[0]}: one {goods[0]}, worth {euros} EUR."
        tray = Rows("tray", "Invoice {invoice}: {person}, {about}", self.rows)
        return asked, [tray, *self._page()]

    def possible(self) -> list[Call]:
        """What the task and the tray say, in each field that the form has."""
        texts = [*list(self.right.values())[:3], *(row["invoice"] for row in self.rows)]
        entries = [call("enter", value=text, field=field) for text in texts for field in self.given]
        return [*entries, call("summary"), call("submit")]

    def do(self, wanted: Call) -> Result:
        """Fill in, show, or end."""
        if wanted.operator == "enter":
            self.given[wanted["field"]] = wanted["value"]
            over = self.given["value"].isdigit() and int(self.given["value"]) > self.limit
            if over:
                self.given.setdefault("invoice", "")
            elif "invoice" in self.given:
                del self.given["invoice"]
            return self._page()
        if wanted.operator == "summary":
            state = "complete" if all(self.given.values()) else "incomplete"
            if state == "complete" and self.unsettled:
                state, self.met = "held for inspection", True
            text = "\n".join(f"  {f.capitalize()}: {v or '?'}" for f, v in self.given.items())
            return [Fact(f"SUMMARY\n{text}\n  State: {state}", {**self.given, "state": state})]
        self.end(won=self.given == self.right and not self.unsettled)
        return [Fact("The declaration is on its way.", {"submitted": True})]

    def _page(self) -> Result:
        lines = [f"{self.titles[f]:.<32} {v or '-'}" for f, v in self.given.items()]
        return [Fact("\n".join(["CN 23, page 1", *lines]), {**self.given})]

    def expert(self) -> Iterator[Call]:
        """Fill in what is asked for, look at the summary, submit."""
        for field, value in self.right.items():
            yield call("enter", value=value, field=field)
        yield call("summary")
        yield call("submit")


class SimWizard(World):
    """A wizard asks for more than some tasks say; the customer's card knows the rest."""

    name = "sim-wizard"
    difficulty = "a wizard asks; what the task does not say is looked up in the middle"
    operators = (
        Operator("answer", "answer {value}", about="Answer the wizard's question."),
        Operator("card", "look up {person}", about="Show a customer's card."),
        Operator("order", "place the order", about="Final."),
    )
    horizon = 9
    questions: ClassVar[dict[str, str]] = {
        "customer": "Who is the SIM card for?",
        "tariff": "Which tariff shall it be?",
        "town": "Where do we send it?",
        "payment": "How is it paid?",
    }

    def begin(self) -> tuple[str, Result]:
        """Draw a customer, and what the task leaves out."""
        self.people, towns = self.draw(PEOPLE, 3), self.draw(CITIES, 4)
        ways = ("invoice", "card", "debit", "voucher")
        self.cards = {
            person: {"town": town, "payment": self.rng.choice(ways)}
            for person, town in zip(self.people, towns, strict=False)
        }
        self.person = self.people[0]
        (tariff,) = self.draw(COLOURS)
        card = self.cards[self.person]
        self.right = {"customer": self.person, "tariff": tariff, **card}
        asked = f"Order a SIM card for {self.person}: tariff {tariff}"
        self.missing = {"town", "payment"}
        if self.rng.random() < 0.5:
            self.missing.remove("town")
            self.right["town"] = towns[3]
            asked += f", sent to {towns[3]}"
        if self.rng.random() < 0.5:
            self.missing.remove("payment")
            others = [way for way in ways if way != card["payment"]]
            self.right["payment"] = self.rng.choice(others)
            asked += f", paid by {self.right['payment']}"
        self.given: list[str] = []
        names = ", ".join(self.arranged(self.people, self.person))
        customers = Fact(f"Customers waiting: {names}", {"customers": names})
        return f"{asked}.", [customers, *self._question()]

    def possible(self) -> list[Call]:
        """What the task and the cards say; everybody's card."""
        cards = [call("card", person=each) for each in self.people]
        values = [*self.right.values(), *self.people[1:], *(c["town"] for c in self.cards.values())]
        values += ["invoice", "card", "debit", "voucher"]
        answers = [call("answer", value=each) for each in dict.fromkeys(values)]
        return [*cards, *(answers if len(self.given) < len(self.right) else [call("order")])]

    def do(self, wanted: Call) -> Result:
        """Show a card, go on, or end."""
        if wanted.operator == "card":
            person = wanted["person"]
            card = self.cards[person]
            text = f"{person} lives in {card['town']} and pays by {card['payment']}."
            return [Fact(text, {"person": person, **card})]
        if wanted.operator == "answer":
            self.given.append(wanted["value"])
            return self._question()
        self.end(won=self.given == list(self.right.values()))
        return [Fact("Ordered. A letter follows.", {"ordered": True})]

    def _question(self) -> Result:
        if len(self.given) == len(self.right):
            return [Fact("That is all we need.", {"question": ""})]
        question = list(self.questions.values())[len(self.given)]
        return [Fact(question, {"question": question})]

    def expert(self) -> Iterator[Call]:
        """Answer; look at the card before the first answer that the task does not say."""
        looked = False
        for field, value in self.right.items():
            if field in self.missing and not looked:
                yield call("card", person=self.person)
                looked = True
            yield call("answer", value=value)
        yield call("order")


class ClinicSlots(World):
    """The first time of the day that is free in two calendars."""

    name = "clinic-slots"
    difficulty = "the first time that is free both in the doctor's calendar and in the room's"
    operators = (
        Operator("doctor", "open Dr {surname}'s calendar", about="Show a doctor's day."),
        Operator("room", "open the calendar of room {room}", about="Show a room's day."),
        Operator("book", "book {person} at {time} with Dr {surname}", about="Final."),
    )
    horizon = 6
    times = tuple(f"{minutes // 60:02}:{minutes % 60:02}" for minutes in range(480, 780, 30))

    def begin(self) -> tuple[str, Result]:
        """Draw doctors, their rooms, and who is in which calendar."""
        surnames, rooms = self.draw(SURNAMES, 3), self.draw(COLOURS, 3)
        self.person, *others = self.draw(PEOPLE, 6)
        self.patients = others
        self.surname, self.room = surnames[0], rooms[0]
        self.free: dict[str, list[bool]] = {
            name: [self.rng.random() < 0.4 for _ in self.times] for name in (*surnames, *rooms)
        }
        first = self.rng.randrange(1, len(self.times) - 1)
        for index in range(first):
            if self.free[self.surname][index]:
                self.free[self.room][index] = False
        self.free[self.surname][first] = self.free[self.room][first] = True
        alone, other = self.rng.sample([self.surname, self.room], 2)
        self.free[alone][first - 1], self.free[other][first - 1] = True, False
        self.free[self.surname][-1] = self.free[self.room][-1] = True
        self.time = self.times[first]
        self.pairs = list(zip(surnames, rooms, strict=True))
        rows = [{"doctor": s, "room": r} for s, r in self.arranged(self.pairs, self.pairs[0])]
        asked = f"{self.person} needs the first possible scan with Dr {self.surname} today."
        return asked, [Rows("doctors", "Dr {doctor} scans in room {room}", rows)]

    def possible(self) -> list[Call]:
        """Every calendar; every time."""
        calls = [call("doctor", surname=s) for s, _ in self.pairs]
        calls += [call("room", room=r) for _, r in self.pairs]
        books = [
            call("book", person=self.person, time=t, surname=s)
            for t in self.times
            for s, _ in self.pairs
        ]
        return [*calls, *books]

    def do(self, wanted: Call) -> Result:
        """Show a day, or end."""
        if wanted.operator == "book":
            right = wanted["surname"] == self.surname and wanted["time"] == self.time
            self.end(won=right)
            return [Fact("The appointment is printed.", {"printed": True})]
        name = wanted.values.get("surname") or wanted["room"]
        head = f"Dr {name}" if wanted.operator == "doctor" else f"Room {name}"
        rows = [
            {"time": time, "state": "free" if free else f"taken, {self.patients[i % 5]}"}
            for i, (time, free) in enumerate(zip(self.times, self.free[name], strict=True))
        ]
        return [Fact(f"*** {head} ***", {"calendar": head}), Rows("slots", "{time} {state}", rows)]

    def expert(self) -> Iterator[Call]:
        """Open both calendars, book."""
        yield call("doctor", surname=self.surname)
        yield call("room", room=self.room)
        both = compress(self.times, map(all, zip(*self._calendars, strict=True)))
        yield call("book", person=self.person, time=next(both), surname=self.surname)

    @property
    def _calendars(self) -> tuple[list[bool], list[bool]]:
        return self.free[self.surname], self.free[self.room]


class OrderSignatures(World):
    """A second signature is fetched where the amount is above the team's limit."""

    name = "order-signatures"
    difficulty = "who signs stands in a table, whether a second one signs depends on its limit"
    operators = (
        Operator("open", "open order {order}", about="Show an order."),
        Operator("rules", "show the signature rules", about="Show who signs, and up to what."),
        Operator("sign", "have {person} sign {order}", about="Fetch a signature."),
        Operator("send", "send {order} to the supplier", about="Final."),
    )
    horizon = 8

    def begin(self) -> tuple[str, Result]:
        """Draw orders, teams, their leads and limits."""
        self.teams, people = self.draw(TEAMS, 4), self.draw(PEOPLE, 5)
        goods, towns = self.draw(PRODUCTS, 3), self.draw(CITIES, 3)
        limits = self.rng.sample(range(200, 2000, 50), 4)
        self.rules = dict(zip(self.teams, zip(people, limits, strict=False), strict=True))
        self.director = people[4]
        self.people = people
        self.orders: dict[str, dict[str, Value]] = {}
        for about, town in zip(goods, towns, strict=True):
            team = self.rng.choice(self.teams)
            away = self.rng.randint(1, 180)
            euros = self.rules[team][1] + self.rng.choice((-away, 3 * away))
            number = self.identifier("PO-#####")
            self.orders[number] = {"item": about, "to": town, "team": team, "euros": euros}
        self.order = next(iter(self.orders))
        self.shown = self.arranged(self.orders, self.order)
        self.signed: list[str] = []
        names = ", ".join(self.shown)
        asked = f"Get {self.order} signed and out of the house."
        return asked, [Fact(f"Orders to be signed: {names}", {"orders": names})]

    def possible(self) -> list[Call]:
        """Everybody's signature on every order."""
        calls = [call(n, order=each) for n in ("open", "send") for each in self.shown]
        signatures = [call("sign", person=p, order=o) for p in self.people for o in self.shown]
        return [call("rules"), *calls, *signatures]

    def do(self, wanted: Call) -> Result:
        """Show, sign, or end."""
        if wanted.operator == "rules":
            rows: list[dict[str, Value]] = [
                {"team": t, "lead": p, "limit": e} for t, (p, e) in self.rules.items()
            ]
            line = "| {team} | {lead} | {limit} EUR |"
            end = f"Above the team's limit {self.director} (director) signs as well."
            head = Fact("| Team | Lead | Limit |\n|---|---|---|")
            return [head, Rows("teams", line, rows), Fact(end, {"director": self.director})]
        order = wanted["order"]
        data = self.orders[order]
        if wanted.operator == "open":
            text = f"Order    {order}\nSupplier {data['to']}\nItem     {data['item']}\n"
            text += f"Team     {data['team']}\nAmount   {data['euros']} EUR"
            return [Fact(text, {"order": order, **data})]
        if wanted.operator == "sign":
            self.signed.append(f"{wanted['person']} {order}")
            text = f"{wanted['person']} signs {order}."
            return [Fact(text, {"signed": order, "by": wanted["person"]})]
        right = sorted(f"{person} {self.order}" for person in self._signers)
        self.end(won=order == self.order and sorted(self.signed) == right)
        return [Fact("Sent.", {"sent": True})]

    @property
    def _signers(self) -> list[str]:
        data = self.orders[self.order]
        lead, limit = self.rules[str(data["team"])]
        return [lead, self.director] if int(str(data["euros"])) > limit else [lead]

    def expert(self) -> Iterator[Call]:
        """Look at order and rules, fetch what is needed, send."""
        yield call("open", order=self.order)
        yield call("rules")
        for person in self._signers:
            yield call("sign", person=person, order=self.order)
        yield call("send", order=self.order)
