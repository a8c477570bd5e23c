"""Everyday desks: tickets that are assigned, a help-desk script, chat-ops, mail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ...ladder.names import CITIES, PEOPLE, PRODUCTS, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call
from ..shared import clock_times


class TicketShift(World):
    """The oldest ticket that is open goes to somebody; older ones are closed."""

    name = "ticket-shift"
    difficulty = "of the open rows of a table the one with the earliest date is chosen"
    operators = (
        Operator("list", "list tickets", about="Show the queue."),
        Operator("assign", "assign {ticket} to {person}", about="Final."),
    )
    horizon = 5

    wordings = (
        "{person} is free: assign the oldest open ticket to them.",
        "Hand {person} the open ticket that has waited longest.",
        "Next ticket for {person}, please (the oldest one that is still open).",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw tickets of several states and days."""
        self.people = self.draw(PEOPLE, 3)
        self.person = self.people[0]
        count = self.rng.randint(5, 8)
        states = ["open", "open", "waiting", "closed"]
        states += self.rng.choices(("open", "waiting", "closed"), k=count - 4)
        days = self.rng.sample(range(28 * 12), count)
        goods = self.draw(PRODUCTS, count)
        rows: list[dict[str, Value]] = [
            {
                "ticket": self.identifier("T-####"),
                "opened": f"2025-{day // 28 + 1:02}-{day % 28 + 1:02}",
                "status": state,
                "subject": f"{thing} {self.rng.choice(('broken', 'missing', 'late'))}",
            }
            for state, day, thing in zip(states, days, goods, strict=True)
        ]
        still = [row for row in rows if row["status"] == "open"]
        right = min(still, key=lambda row: str(row["opened"]))
        self.ticket = str(right["ticket"])
        self.rows, self.open = self.arranged(rows, right), False
        names = ", ".join(self.arranged(self.people, self.person))
        asked = self.rng.choice(self.wordings).format(person=self.person)
        return asked, [Fact(f"On shift today: {names}", {"on_shift": names})]

    def possible(self) -> list[Call]:
        """The list; then every ticket for everybody."""
        rows = self.rows if self.open else []
        pairs = [(row["ticket"], person) for row in rows for person in self.people]
        return [call("list"), *(call("assign", ticket=t, person=p) for t, p in pairs)]

    def do(self, wanted: Call) -> Result:
        """Show the queue, or end."""
        if wanted.operator == "list":
            self.open = True
            head = Fact("| Ticket | Opened | Status | Subject |\n|---|---|---|---|")
            line = "| {ticket} | {opened} | {status} | {subject} |"
            return [head, Rows("tickets", line, self.rows)]
        self.end(won=wanted["ticket"] == self.ticket and wanted["person"] == self.person)
        return [Fact(f"{wanted['ticket']} is with {wanted['person']} now.", {"assigned": True})]

    def expert(self) -> Iterator[Call]:
        """List, assign."""
        yield call("list")
        yield call("assign", ticket=self.ticket, person=self.person)


class HelpDesk(World):
    """A script: a device is reset; if that does not help, its warranty decides."""

    name = "help-desk"
    difficulty = "a result decides whether the call is closed, else a field read before decides"
    operators = (
        Operator("look", "look up the devices of {person}", about="Show what they have."),
        Operator("reset", "reset {serial} remotely", about="Try to revive a device."),
        Operator("close", "close the call of {person}", about="Final."),
        Operator("replace", "ship a replacement for {serial} to {city}", about="Final."),
        Operator("quote", "send {person} a repair quote for {serial}", about="Final."),
    )
    horizon = 7

    devices = (
        *("laptop", "printer", "scanner", "desk phone", "monitor", "docking station", "tablet"),
        *("label printer", "projector", "card reader", "headset", "web camera"),
    )
    wordings = (
        "{person} calls: the {device} is dead.",
        "Help {person}, whose {device} no longer starts.",
        "{person} is on the line about a {device} that does nothing.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a caller's devices, and whether a reset helps."""
        people, cities = self.draw(PEOPLE, 3), self.draw(CITIES, 3)
        self.cities = dict(zip(people, cities, strict=True))
        self.person, self.city = people[0], cities[0]
        devices = self.draw(self.devices, 5)
        owned: dict[str, list[dict[str, Value]]] = {}
        for person in people:
            kinds = devices[: self.rng.randint(2, 3)] if person == self.person else devices[3:]
            owned[person] = [
                {
                    "device": kind,
                    "serial": self.identifier("AA####"),
                    "warranty": self.rng.choice(("valid", "expired")),
                }
                for kind in kinds
            ]
        self.right = owned[self.person][0]
        self.serial = str(self.right["serial"])
        owned[self.person] = self.arranged(owned[self.person], self.right)
        self.owned, self.helps = owned, self.rng.random() < 0.35
        self.seen: list[Value] = []
        self.tried = False
        wording = self.rng.choice(self.wordings)
        asked = wording.format(person=self.person, device=self.right["device"])
        waiting = ", ".join(self.arranged(people, self.person))
        return asked, [Fact(f"Callers in line: {waiting}", {"callers": waiting})]

    def possible(self) -> list[Call]:
        """Everybody; every device that was looked up."""
        calls = [call(n, person=p) for n in ("look", "close") for p in self.cities]
        calls += [call("reset", serial=s) for s in self.seen]
        cities = self.cities.values()
        calls += [call("replace", serial=s, city=c) for s in self.seen for c in cities]
        return [
            *calls,
            *(call("quote", person=p, serial=s) for p in self.cities for s in self.seen),
        ]

    def do(self, wanted: Call) -> Result:
        """Look up, reset, or end."""
        if wanted.operator == "look":
            person = wanted["person"]
            rows = self.owned[person]
            self.seen += [row["serial"] for row in rows if row["serial"] not in self.seen]
            line = "  - device: {device}\n    serial: {serial}\n    warranty: {warranty}"
            city = self.cities[person]
            head = Fact(f"name: {person}\ncity: {city}\ndevices:", {"name": person, "city": city})
            return [head, Rows("devices", line, rows)]
        if wanted.operator == "reset":
            serial = wanted["serial"]
            mine = serial == self.serial
            self.tried = self.tried or mine
            answers = self.helps if mine else self.rng.random() < 0.5
            said = "is back online" if answers else "still does not answer"
            return [Fact(f"{serial} {said}.", {"serial": serial, "online": answers})]
        self.end(won=self.tried and wanted == self._last())
        return [Fact("Call ended.", {"ended": True})]

    def _last(self) -> Call:
        if self.helps:
            return call("close", person=self.person)
        if self.right["warranty"] == "valid":
            return call("replace", serial=self.serial, city=self.city)
        return call("quote", person=self.person, serial=self.serial)

    def expert(self) -> Iterator[Call]:
        """Look up, reset, then do what the script says."""
        yield call("look", person=self.person)
        yield call("reset", serial=self.serial)
        yield self._last()


class ChatOps(World):
    """A bot is asked how a service is; its state decides what follows, one state is new."""

    name = "chat-ops"
    difficulty = "a state decides between three commands; half of the test shows another state"
    operators = (
        Operator("status", "!status {service}", about="Tell how a service is."),
        Operator("oncall", "!oncall {service}", about="Tell who is on call."),
        Operator("resolve", "!resolve {alert}", about="Close an alert; final."),
        Operator("restart", "!restart {service}", about="Final."),
        Operator("page", "!page @{person} {alert}", about="Final."),
    )
    horizon = 6
    refusal = Fact("bot: I do not know that.", {"error": "unknown"})
    abstaining = True

    states = ("healthy", "degraded", "down")
    wordings = ("Handle {alert}.", "{alert} has just come in. Take care of it.")

    def begin(self) -> tuple[str, Result]:
        """Draw alerts of some services, and how each service is."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        services, self.people = self.draw(TEAMS, 3), self.draw(PEOPLE, 4)
        self.service, self.duty = services[0], self.people[0]
        self.on_duty = dict(zip(services, self.people, strict=False))
        self.state = {each: self.rng.choice(self.states) for each in services}
        if self.unsettled:
            self.state[self.service] = "paused"
        texts = ("no heartbeat", "many errors", "slow answers", "queue is growing")
        alerts: list[dict[str, Value]] = [
            {"alert": self.identifier("INC-####"), "service": s, "text": self.rng.choice(texts)}
            for s in services
        ]
        self.alert = str(alerts[0]["alert"])
        self.alerts = self.arranged(alerts, alerts[0])
        for alert, time in zip(self.alerts, clock_times(self.rng, 3), strict=True):
            alert["time"] = time[:5]
        self.asked: set[str] = set()
        line = "[{time}] alertbot: {alert} {service}, {text}"
        asked = self.rng.choice(self.wordings).format(alert=self.alert)
        return asked, [Fact("#alerts"), Rows("alerts", line, self.alerts)]

    def possible(self) -> list[Call]:
        """Every service, every alert, everybody."""
        services = [str(each["service"]) for each in self.alerts]
        alerts = [str(each["alert"]) for each in self.alerts]
        names = ("status", "oncall", "restart")
        calls = [call(n, service=each) for n in names for each in services]
        calls += [call("resolve", alert=each) for each in alerts]
        return [*calls, *(call("page", person=p, alert=a) for p in self.people for a in alerts)]

    def do(self, wanted: Call) -> Result:
        """Tell, or end."""
        if wanted.operator == "status":
            service = wanted["service"]
            self.asked |= {"status"} if service == self.service else set()
            self.met = self.met or (self.unsettled and service == self.service)
            state = self.state[service]
            total = self.rng.randint(3, 6)
            some = self.rng.randint(1, total - 1)
            up = {"healthy": total, "degraded": some}.get(state, 0)
            text = f"bot: {service} is {state}, {up} of {total} instances are up"
            data: dict[str, Value] = {"service": service, "state": state, "up": up, "of": total}
            return [Fact(text, data)]
        if wanted.operator == "oncall":
            service = wanted["service"]
            self.asked |= {"oncall"} if service == self.service else set()
            person, until = self.on_duty[service], self.rng.randint(6, 22)
            text = f"bot: @{person} is on call for {service} until {until}:00"
            return [Fact(text, {"service": service, "on_call": person, "until": until})]
        right = "status" in self.asked and wanted == self._last() and not self.unsettled
        self.end(won=right and (wanted.operator != "page" or "oncall" in self.asked))
        return [Fact("bot: done", {"done": True})]

    def _last(self) -> Call:
        state = self.state[self.service]
        if state == "healthy":
            return call("resolve", alert=self.alert)
        if state == "degraded":
            return call("restart", service=self.service)
        return call("page", person=self.duty, alert=self.alert)

    def expert(self) -> Iterator[Call]:
        """Ask for the state; resolve, restart, or page whoever is on call."""
        yield call("status", service=self.service)
        if self.state[self.service] == "down":
            yield call("oncall", service=self.service)
        yield self._last()


class MailDesk(World):
    """Mails are answered or forwarded, as their subject says; a subject is new."""

    name = "mail-desk"
    difficulty = "a subject decides between forwarding and an answer that is composed"
    operators = (
        Operator("open", "open mail {number}", ("number",), "Show a mail."),
        Operator("price", "look up the price of the {product}", about="Show a price."),
        Operator("reply", "reply to {sender}: {text}", about="Final."),
        Operator("forward", "forward mail {number} to {team}", ("number",), "Final."),
    )
    horizon = 7
    abstaining = True

    bodies: ClassVar[dict[str, tuple[str, ...]]] = {
        "Price": (
            "Hello, what does the {product} cost?",
            "Good morning,\nhow much is the {product} at the moment?",
            "Could you tell me the price of the {product}?",
        ),
        "Invoice": (
            "Please find attached invoice {number} for the {product}.",
            "Our bill {number} is attached. We delivered the {product} last week.",
        ),
        "Application": (
            "I would like to work with you, my papers are attached.",
            "Do you still look for somebody in {city}? I apply.",
        ),
        "Complaint": ("The {product} arrived in pieces. What now?",),
    }
    teams: ClassVar[dict[str, str]] = {"Invoice": "accounts", "Application": "personnel"}
    wordings = (
        "Deal with the mail from {sender}.",
        "{sender} has written. Answer it, or forward it to whoever is concerned.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw an inbox."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        people, surnames, goods = (
            self.draw(PEOPLE, 4),
            self.draw(SURNAMES, 4),
            self.draw(PRODUCTS, 4),
        )
        senders = [f"{first} {last}" for first, last in zip(people, surnames, strict=True)]
        kinds = [self.rng.choice(("Price", "Price", "Invoice", "Application")) for _ in senders]
        kinds[0] = "Complaint" if self.unsettled else kinds[0]
        numbers = self.rng.sample(range(100, 999), 4)
        self.mails: dict[str, dict[str, str]] = {}
        for number, sender, kind, thing in zip(numbers, senders, kinds, goods, strict=True):
            bill, (city,) = self.identifier("R-#####"), self.draw(CITIES)
            body = self.rng.choice(self.bodies[kind])
            text = body.format(product=thing, number=bill, city=city)
            self.mails[str(number)] = {"from": sender, "subject": kind, "body": text}
        self.prices = {each: f"{self.rng.randint(300, 19900) / 100:.2f}" for each in goods}
        self.sender, self.kind, self.product = senders[0], kinds[0], goods[0]
        self.number = str(numbers[0])
        self.looked: list[str] = []
        mails = self.arranged(list(zip(numbers, senders, strict=True)), (numbers[0], senders[0]))
        rows: list[dict[str, Value]] = [
            {"number": number, "when": time[:5], "sender": sender}
            for (number, sender), time in zip(mails, clock_times(self.rng, 4), strict=True)
        ]
        asked = self.rng.choice(self.wordings).format(sender=self.sender)
        line = "{number}  {when}  {sender}"
        return asked, [Fact("INBOX (4 unread)"), Rows("inbox", line, rows)]

    def _answer(self, sender: str, product: str) -> Call:
        price = self.prices[product]
        text = f"Dear {sender}, the {product} costs {price} EUR. Kind regards, the shop"
        return call("reply", sender=sender, text=text)

    def possible(self) -> list[Call]:
        """Every mail, every price; answers with prices that were looked up."""
        calls = [call("open", number=each) for each in self.mails]
        calls += [call("price", product=each) for each in self.prices]
        teams = self.teams.values()
        calls += [call("forward", number=each, team=team) for each in self.mails for team in teams]
        senders = [mail["from"] for mail in self.mails.values()]
        return [*calls, *(self._answer(s, product) for s in senders for product in self.looked)]

    def accepts(self, wanted: Call) -> bool:
        """Any text can be sent to whoever wrote."""
        if wanted.operator == "reply":
            return wanted["sender"] in {mail["from"] for mail in self.mails.values()}
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Show a mail or a price, or end."""
        if wanted.operator == "open":
            mail = self.mails[wanted["number"]]
            self.met = self.met or (self.unsettled and wanted["number"] == self.number)
            text = "From: {from}\nTo: shop@example.org\nSubject: {subject}\n\n{body}"
            return [Fact(text.format(**mail), mail)]
        if wanted.operator == "price":
            product = wanted["product"]
            self.looked += [product] if product not in self.looked else []
            price, left = self.prices[product], self.rng.randint(0, 80)
            text = f"{product}: {price} EUR ({left} in stock)"
            return [Fact(text, {"product": product, "euros": price, "in_stock": left})]
        self.end(won=wanted == self._last() and not self.unsettled)
        return [Fact("Sent.", {"sent": True})]

    def _last(self) -> Call:
        if self.kind in self.teams:
            return call("forward", number=self.number, team=self.teams[self.kind])
        return self._answer(self.sender, self.product)

    def expert(self) -> Iterator[Call]:
        """Open the mail; forward it, or look up the price and answer."""
        yield call("open", number=self.number)
        if self.kind == "Price":
            yield call("price", product=self.product)
        yield self._last()
