"""What is done at a counter: pages of members, tickets of a shift, wishes, prices."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import ClassVar

from ...ladder.names import CITIES, COLOURS, PEOPLE, PRODUCTS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call


class MemberPages(World):
    """A row stands on some page of a table, or on none."""

    name = "member-pages"
    difficulty = "the row that is meant stands on a later page, or on none of them"
    operators = (
        Operator("next", "turn to the next page", about="Show the next page of the table."),
        Operator("change", "change plan of {member} to {plan}", about="Final."),
        Operator("missing", "report {person} as no member", about="Final."),
    )
    refusal = Fact("There is no such page or member.", {"error": "no such page or member"})
    horizon = 8
    length = 4

    def begin(self) -> tuple[str, Result]:
        """Draw members; some share the name, others the town."""
        pages = self.rng.randint(2, 5)
        people, towns = self.draw(PEOPLE, 8), self.draw(CITIES, 6)
        self.person, town = people[0], towns[0]
        self.plans = self.draw(COLOURS, 3)
        self.plan = self.plans[0]
        pairs = [(p, t) for p in people for t in towns if (p, t) != (self.person, town)]
        alike = [pair for pair in pairs if self.person in pair or town in pair]
        count = pages * self.length - self.rng.randrange(3)
        chosen = self.rng.sample(alike, 4)
        chosen += self.rng.sample([pair for pair in pairs if pair not in chosen], count - 5)
        self.member = "" if self.rng.random() < 0.25 else self.identifier("M#####")
        members = {self.identifier("M#####"): pair for pair in chosen}
        if self.member:
            members[self.member] = (self.person, town)
        rows = [
            {"member": m, "name": p, "town": t, "plan": self.rng.choice(self.plans[1:])}
            for m, (p, t) in members.items()
        ]
        self.rng.shuffle(rows)
        right = [row for row in rows if row["member"] == self.member]
        rows = self.arranged(rows, *right)
        self.pages = [rows[i : i + self.length] for i in range(0, len(rows), self.length)]
        self.page = 0
        asked = f"{self.person} in {town} wants the {self.plan} plan from now on."
        return asked, self._shown()

    def possible(self) -> list[Call]:
        """The next page, if there is one; the members of this page."""
        calls = [call("missing", person=self.person)]
        calls += [call("next")] if self.page + 1 < len(self.pages) else []
        members = [row["member"] for row in self.pages[self.page]]
        return [*calls, *(call("change", member=m, plan=p) for m in members for p in self.plans)]

    def do(self, wanted: Call) -> Result:
        """Turn the page, or end."""
        if wanted.operator == "next":
            self.page += 1
            return self._shown()
        if wanted.operator == "missing":
            self.end(won=not self.member and self.page + 1 == len(self.pages))
            return [Fact("The office will write to them.", {"reported": True})]
        self.end(won=wanted["member"] == self.member and wanted["plan"] == self.plan)
        return [Fact("1 row updated.", {"updated": 1})]

    def _shown(self) -> Result:
        head = "id     | name       | town         | plan\n" + "-" * 46
        line = "{member} | {name:<10} | {town:<12} | {plan}"
        last = self.page + 1 == len(self.pages)
        foot = f"page {self.page + 1} of {len(self.pages)}{'' if last else '   [next page >]'}"
        data = {"page": self.page + 1, "pages": len(self.pages), "more": not last}
        return [Fact(head), Rows("members", line, self.pages[self.page]), Fact(foot, data)]

    def expert(self) -> Iterator[Call]:
        """Turn pages until the member is there."""
        while self.member not in {row["member"] for row in self.pages[self.page]}:
            if self.page + 1 == len(self.pages):
                yield call("missing", person=self.person)
                return
            yield call("next")
        yield call("change", member=self.member, plan=self.plan)


class ShiftTriage(World):
    """All tickets of one town are sorted by category, the critical ones apart from that."""

    name = "shift-triage"
    difficulty = "every ticket of a town is sorted by category and severity; a category is new"
    operators = (
        Operator("open", "open {ticket}", about="Show a ticket."),
        Operator("move", "move {ticket} to {queue}", about="Final for this ticket."),
        Operator("finish", "end the shift", about="Final."),
    )
    horizon = 14
    abstaining = True

    queues: ClassVar[dict[str, str]] = {
        "refund": "billing",
        "crash": "engineering",
        "login": "support",
        "question": "support",
    }

    def begin(self) -> tuple[str, Result]:
        """Draw tickets of three towns."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        towns = self.draw(CITIES, 3)
        mine = self.rng.randint(1, 4)
        others = [self.rng.choice(towns[1:]) for _ in range(self.rng.randint(2, 4))]
        people = self.draw(PEOPLE, mine + len(others))
        self.tickets: dict[str, dict[str, str]] = {}
        for person, town in zip(people, [towns[0]] * mine + others, strict=True):
            self.tickets[self.identifier("T-####")] = {
                "by": person,
                "town": town,
                "category": self.rng.choice(list(self.queues)),
                "severity": self.rng.choices(("low", "normal", "critical"), (3, 3, 2))[0],
            }
        self.due = [each for each, data in self.tickets.items() if data["town"] == towns[0]]
        self.strange = ""
        if self.unsettled:
            self.strange = self.rng.choice(self.due)
            self.tickets[self.strange] |= {"category": "legal notice", "severity": "low"}
        shown = self.arranged(list(self.tickets), *self.due)
        self.due.sort(key=shown.index)
        rows = [{"ticket": t, "town": self.tickets[t]["town"]} for t in shown]
        asked = f"Sort everything that came in from {towns[0]}, then end the shift."
        return asked, [Fact(f"{len(rows)} new:"), Rows("new", "- {ticket}, {town}", rows)]

    def possible(self) -> list[Call]:
        """Every ticket that is not sorted, to every queue."""
        queues = (*dict.fromkeys(self.queues.values()), "on-call")
        moves = [call("move", ticket=t, queue=q) for t in self.tickets for q in queues]
        return [*(call("open", ticket=t) for t in self.tickets), *moves, call("finish")]

    def do(self, wanted: Call) -> Result:
        """Show, move or end; a ticket in a wrong queue is a fault."""
        if wanted.operator == "finish":
            self.end(won=not self.due)
            return [Fact("Good night.", {"ended": True})]
        ticket = wanted["ticket"]
        data = self.tickets[ticket]
        if wanted.operator == "open":
            self.met = self.met or ticket == self.strange
            shown = {"id": ticket, **data}
            return [Fact(json.dumps(shown, indent=2), shown)]
        if ticket not in self.due or wanted["queue"] != self._queue(ticket):
            self.end(won=False)
        else:
            self.due.remove(ticket)
        return [Fact(f'{{"moved": "{ticket}"}}', {"moved": ticket})]

    def _queue(self, ticket: str) -> str:
        data = self.tickets[ticket]
        critical = data["severity"] == "critical"
        return "on-call" if critical else self.queues.get(data["category"], "")

    def expert(self) -> Iterator[Call]:
        """Open each ticket of the town and move it."""
        for ticket in list(self.due):
            yield call("open", ticket=ticket)
            yield call("move", ticket=ticket, queue=self._queue(ticket))
        yield call("finish")


class NewestWish(World):
    """Of several messages of one sender the newest counts, wherever it stands in the list."""

    name = "newest-wish"
    difficulty = "the newest of somebody's messages counts; at times it is of another kind"
    operators = (
        Operator("open", "open message {number}", ("number",), "Show a message."),
        Operator("send", "send the {product} to {town}", about="Final."),
    )
    horizon = 6
    abstaining = True

    phrases = (
        "Hello, please send the {product} to {town}.\nThank you, {person}",
        "Dear all,\nthe {product} should go to {town}, please.\nRegards\n{person}",
        "Could you deliver the {product} to {town}?\nBest, {person}",
    )
    regret = "Dear all,\nI have found another {product} and need yours no longer.\n{person}"

    def begin(self) -> tuple[str, Result]:
        """Draw messages of three people."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        people, goods = self.draw(PEOPLE, 3), self.draw(PRODUCTS, 3)
        self.person, self.product = people[0], goods[0]
        senders = [0] * self.rng.randint(2, 3) + [1] * self.rng.randint(1, 3) + [2]
        self.goods, towns = goods, self.draw(CITIES, len(senders))
        days = self.rng.sample(range(1, 29), len(senders))
        numbers = self.rng.sample(range(100, 999), len(senders))
        self.texts: dict[int, tuple[str, dict[str, str]]] = {}
        rows: list[dict[str, Value]] = []
        for sender, town, day, number in zip(senders, towns, days, numbers, strict=True):
            when = f"2024-03-{day:02} {self.rng.randint(7, 21):02}:{self.rng.randint(0, 59):02}"
            fills = {"product": goods[sender], "town": town, "person": people[sender]}
            self.texts[number] = (self.rng.choice(self.phrases).format(**fills), fills)
            rows.append({"number": number, "when": when, "from": people[sender]})
        newest = max((r for r in rows if r["from"] == self.person), key=lambda r: str(r["when"]))
        self.newest = int(str(newest["number"]))
        fills = self.texts[self.newest][1]
        self.town, self.towns = fills["town"], towns
        if self.unsettled:
            self.texts[self.newest] = (self.regret.format(**fills), fills)
        self.rows = self.arranged(rows, newest)
        asked = f"Send {self.person} the {self.product} as last wished."
        inbox = Rows("inbox", "#{number}  {when}  from: {from}", self.rows)
        return asked, [Fact(f"Inbox ({len(rows)})", {"count": len(rows)}), inbox]

    def possible(self) -> list[Call]:
        """Every message; every product to every town that a message says."""
        calls = [call("open", number=row["number"]) for row in self.rows]
        return [*calls, *(call("send", product=p, town=t) for p in self.goods for t in self.towns)]

    def do(self, wanted: Call) -> Result:
        """Show a message, or end."""
        if wanted.operator == "open":
            number = int(wanted["number"])
            self.met = self.met or number == self.newest
            text, _ = self.texts[number]
            return [Fact(text, {"text": text})]
        right = wanted["product"] == self.product and wanted["town"] == self.town
        self.end(won=right and not self.unsettled)
        return [Fact("The courier comes at noon.", {"sent": True})]

    def expert(self) -> Iterator[Call]:
        """Open the newest message, do as it says."""
        yield call("open", number=self.newest)
        yield call("send", product=self.product, town=self.town)


class PriceTiers(World):
    """The price of the highest step that the number of pieces reaches."""

    name = "price-tiers"
    difficulty = "the price of the highest step that is reached; at times there is none to say"
    operators = (
        Operator("prices", "open the price list of the {product}", about="Show its steps."),
        Operator(
            "offer",
            "offer {person} {count} pieces at {price} EUR each",
            ("count",),
            "Final.",
        ),
    )
    horizon = 5
    abstaining = True

    def begin(self) -> tuple[str, Result]:
        """Draw prices and how many are wanted."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        self.goods = self.draw(PRODUCTS, 3)
        (self.person,) = self.draw(PEOPLE)
        self.product = self.goods[0]
        self.steps = {each: self._drawn() for each in self.goods}
        mine = self.steps[self.product]
        index = self.rng.randrange(len(mine))
        start = int(str(mine[index]["pieces"]))
        following = mine[index + 1]["pieces"] if index + 1 < len(mine) else start * 2
        self.count = self.rng.randrange(start, int(str(following)))
        self.price = mine[index]["price"]
        if self.unsettled:
            mine[index]["price"] = "ask us"
        self.looked: set[str] = set()
        names = ", ".join(self.arranged(self.goods, self.product))
        asked = f"{self.person} asks for an offer: {self.count} x {self.product}."
        return asked, [Fact(f"Price lists: {names}", {"lists": names})]

    def _drawn(self) -> list[dict[str, Value]]:
        starts = [1, *sorted(self.rng.sample(range(10, 500, 10), self.rng.randint(2, 4)))]
        cents = sorted(self.rng.sample(range(300, 9000, 5), len(starts)), reverse=True)
        return [
            {"pieces": start, "price": f"{price / 100:.2f}"}
            for start, price in zip(starts, cents, strict=True)
        ]

    def possible(self) -> list[Call]:
        """Every list; every price of those that were looked at."""
        prices = [step["price"] for each in sorted(self.looked) for step in self.steps[each]]
        calls = [call("prices", product=each) for each in self.goods]
        return [
            *calls,
            *(call("offer", person=self.person, count=self.count, price=p) for p in prices),
        ]

    def do(self, wanted: Call) -> Result:
        """Show a list, or end."""
        if wanted.operator == "prices":
            product = wanted["product"]
            self.looked.add(product)
            self.met = self.met or product == self.product
            head = Fact(f"## {product}\n\n| from pieces | EUR each |\n|---:|---:|")
            return [head, Rows("steps", "| {pieces} | {price} |", self.steps[product])]
        right = wanted["price"] == self.price and wanted["count"] == str(self.count)
        self.end(won=right and wanted["person"] == self.person and not self.unsettled)
        return [Fact("The offer is out.", {"offered": True})]

    def expert(self) -> Iterator[Call]:
        """Look up the steps, offer."""
        yield call("prices", product=self.product)
        yield call("offer", person=self.person, count=self.count, price=self.price)
