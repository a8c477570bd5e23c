"""Decisions that follow from what is read, or that nothing settles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ...ladder.names import CITIES, PARTS, PEOPLE, PRODUCTS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call
from ..shared import enumerated


class PolicyExceptions(World):
    """A sentence of the policy enumerates what is not taken back."""

    name = "policy-exceptions"
    difficulty = "whether a thing is in an enumeration of varying length, in a sentence, decides"
    operators = (
        Operator("policy", "read the policy", about="Show the policy of the day."),
        Operator("accept", "refund {person}", about="Grant the refund; final."),
        Operator("decline", "turn {person} away", about="Refuse the refund; final."),
    )
    horizon = 5

    def begin(self) -> tuple[str, Result]:
        """Draw who brings what, and the exceptions of the day."""
        goods, self.people = self.draw(PRODUCTS, 8), self.draw(PEOPLE, 3)
        self.person, (town,) = self.people[0], self.draw(CITIES)
        barred = goods[1 : 1 + self.rng.randint(1, 4)]
        self.barred = self.rng.random() < 0.5
        if self.barred:
            barred[self.rng.randrange(len(barred))] = goods[0]
        days = self.rng.choice((14, 30, 60))
        self.text = f"We take goods back for {days} days, except for: {enumerated(barred)}. "
        self.text += f"Questions go to the head office in {town}."
        queue = ", ".join(self.arranged(self.people, self.person))
        asked = f"{self.person} wants the money for a {goods[0]} back. Decide."
        return asked, [Fact(f"In the queue: {queue}", {"queue": queue})]

    def possible(self) -> list[Call]:
        """Everything with everybody."""
        decisions = [call(n, person=p) for n in ("accept", "decline") for p in self.people]
        return [call("policy"), *decisions]

    def do(self, wanted: Call) -> Result:
        """Show the policy, or end."""
        if wanted.operator == "policy":
            return [Fact(self.text, {"policy": self.text})]
        right = "decline" if self.barred else "accept"
        self.end(won=wanted.operator == right and wanted["person"] == self.person)
        return [Fact("Next, please.", {"next": True})]

    def expert(self) -> Iterator[Call]:
        """Read the policy, decide."""
        yield call("policy")
        yield call("decline" if self.barred else "accept", person=self.person)


class SeverityTable(World):
    """Plan and impact decide together; one combination of them is never demonstrated."""

    name = "severity-table"
    difficulty = "two attributes decide together; half of the test has a pair that was never shown"
    operators = (
        Operator("view", "view ticket {ticket}", about="Show a ticket."),
        Operator("page", "page the engineer for {ticket}", about="Final."),
        Operator("mail", "mail the team about {ticket}", about="Final."),
        Operator("park", "park {ticket} in the backlog", about="Final."),
    )
    horizon = 6
    abstaining = True

    remedies: ClassVar[dict[tuple[str, str], str]] = {
        ("gold", "outage"): "page",
        ("gold", "glitch"): "mail",
        ("basic", "glitch"): "park",
    }

    def begin(self) -> tuple[str, Result]:
        """Draw tickets."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        tickets = [self.identifier("AAA-###") for _ in range(4)]
        people, goods = self.draw(PEOPLE, 4), self.draw(PRODUCTS, 4)
        self.kinds = {each: self.rng.choice(list(self.remedies)) for each in tickets}
        self.ticket = tickets[0]
        if self.unsettled:
            self.kinds[self.ticket] = ("basic", "outage")
        self.raised = dict(zip(tickets, zip(people, goods, strict=True), strict=True))
        self.tickets = self.arranged(tickets, self.ticket)
        rows = [{"ticket": each, "about": self.raised[each][1]} for each in self.tickets]
        return f"Triage {self.ticket}.", [Rows("inbox", "{ticket} ({about})", rows)]

    def possible(self) -> list[Call]:
        """Everything with every ticket."""
        return [call(o.name, ticket=each) for o in self.operators for each in self.tickets]

    def do(self, wanted: Call) -> Result:
        """Show a ticket, or end."""
        ticket = wanted["ticket"]
        plan, impact = self.kinds[ticket]
        if wanted.operator == "view":
            self.met = self.met or ticket == self.ticket
            person, about = self.raised[ticket]
            text = f"{person} ({plan} plan) reports a {impact} with the {about}."
            data = {"ticket": ticket, "by": person, "plan": plan, "impact": impact, "about": about}
            return [Fact(text, data)]
        right = self.remedies.get((plan, impact)) == wanted.operator
        self.end(won=right and ticket == self.ticket and not self.unsettled)
        return [Fact(f"{ticket} is triaged.", {"triaged": ticket})]

    def expert(self) -> Iterator[Call]:
        """View, then do what plan and impact ask for."""
        yield call("view", ticket=self.ticket)
        yield call(self.remedies[self.kinds[self.ticket]], ticket=self.ticket)


class TwoGauges(World):
    """Two gauges always agreed; in half of the test they do not."""

    name = "two-gauges"
    difficulty = "two readings always agreed; in half of the test they differ"
    operators = (
        Operator("north", "read the {part}'s north gauge"),
        Operator("south", "read the {part}'s south gauge"),
        Operator("log", "log {mbar} mbar for the {part}", ("mbar",), "Final."),
    )
    horizon = 8
    abstaining = True

    def begin(self) -> tuple[str, Result]:
        """Draw parts and pressures."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        parts = self.draw(PARTS, 3)
        self.part, self.parts = parts[0], self.arranged(parts, parts[0])
        self.north = {each: self.rng.randint(100, 980) for each in parts}
        self.south = dict(self.north)
        if self.unsettled:
            self.south[self.part] += self.rng.choice((-1, 1)) * self.rng.randint(9, 60)
        self.looks: set[str] = set()
        self.values: list[int] = []
        names = " / ".join(self.parts)
        asked = f"Log today's pressure of the {self.part}."
        return asked, [Fact(f"Boiler house. Gauges hang at: {names}", {"parts": names})]

    def possible(self) -> list[Call]:
        """All gauges; every reading for every part."""
        reads = [call(n, part=each) for n in ("north", "south") for each in self.parts]
        logs = [call("log", mbar=v, part=each) for v in self.values for each in self.parts]
        return [*reads, *logs]

    def accepts(self, wanted: Call) -> bool:
        """Any number can be logged."""
        if wanted.operator == "log":
            return wanted["part"] in self.parts and wanted["mbar"].isdigit()
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Tell a reading, or end."""
        part = wanted["part"]
        if wanted.operator == "log":
            right = part == self.part and wanted["mbar"] == str(self.north[part])
            self.end(won=right and self.looks == {"north", "south"} and not self.unsettled)
            return [Fact("Noted in the book.", {"noted": True})]
        if part == self.part:
            self.looks.add(wanted.operator)
            self.met = self.looks == {"north", "south"}
        value = (self.north if wanted.operator == "north" else self.south)[part]
        self.values += [value] if value not in self.values else []
        text = f"The {wanted.operator} needle stands at {value} mbar."
        return [Fact(text, {"gauge": wanted.operator, "mbar": value})]

    def expert(self) -> Iterator[Call]:
        """Read both, log what both say."""
        yield call("north", part=self.part)
        yield call("south", part=self.part)
        yield call("log", mbar=self.north[self.part], part=self.part)


class ExpenseLimits(World):
    """An amount is compared with the limit of its own category."""

    name = "expense-limits"
    difficulty = "an amount is compared with the limit that a table gives for its category"
    operators = (
        Operator("view", "open the claim of {person}"),
        Operator("limits", "look at the limits"),
        Operator("approve", "approve the claim of {person}", about="Final."),
        Operator("bounce", "send the claim of {person} back", about="Final."),
    )
    horizon = 7
    kinds = ("hotel", "taxi", "meal", "train", "phone", "books")

    def begin(self) -> tuple[str, Result]:
        """Draw limits of the month, and claims above or below them."""
        people = self.draw(PEOPLE, 4)
        self.limits = {kind: self.rng.randint(20, 300) for kind in self.kinds}
        self.claims = {}
        for each in people:
            kind = self.rng.choice(self.kinds)
            away = self.rng.randint(1, 19)
            amount = self.limits[kind] + self.rng.choice((-away, away * 5))
            self.claims[each] = (kind, max(1, amount))
        self.person, self.people = people[0], self.arranged(people, people[0])
        self.shown = self.rng.sample(self.kinds, 6)
        names = "; ".join(self.people)
        asked = f"Please deal with what {self.person} spent."
        return asked, [Fact(f"Claims of the week: {names}", {"claims": names})]

    def possible(self) -> list[Call]:
        """Everything with everybody."""
        names = ("view", "approve", "bounce")
        return [call("limits"), *(call(n, person=p) for n in names for p in self.people)]

    def do(self, wanted: Call) -> Result:
        """Show a claim or the limits, or end."""
        if wanted.operator == "limits":
            rows: list[dict[str, Value]] = [
                {"category": kind, "euros": self.limits[kind]} for kind in self.shown
            ]
            return [Rows("limits", "{category}, up to {euros} EUR", rows)]
        person = wanted["person"]
        kind, amount = self.claims[person]
        if wanted.operator == "view":
            data: dict[str, Value] = {"person": person, "category": kind, "euros": amount}
            return [Fact(f"{person} paid {amount} EUR ({kind}).", data)]
        right = "approve" if amount <= self.limits[kind] else "bounce"
        self.end(won=wanted.operator == right and person == self.person)
        return [Fact("Filed.", {"filed": True})]

    def expert(self) -> Iterator[Call]:
        """Look at claim and limits, then decide."""
        yield call("view", person=self.person)
        yield call("limits")
        kind, amount = self.claims[self.person]
        yield call("approve" if amount <= self.limits[kind] else "bounce", person=self.person)
