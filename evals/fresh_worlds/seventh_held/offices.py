"""Offices: an interview is arranged, tickets are handed out, a flight, a request about data."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import ClassVar

from ...ladder.names import CITIES, PEOPLE, PRODUCTS, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of, worded
from ..desk import Desk
from ..shared import MONTHS

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


class InterviewSlot(Desk):
    """The first time a candidate offers at which the interviewer is free; else others are asked."""

    name = "interview-slot"
    difficulty = "two lookups name a calendar; the first of the offered rows that is free there"
    operators = (
        Operator("mail", "open the latest mail from {candidate}", about="A mail."),
        Operator("opening", "open job {code}", about="Who does what for a job."),
        Operator("calendar", "show the calendar of {person}", about="The next days."),
        Operator("invite", "invite {candidate} and {person} for {slot}", about="Final."),
        Operator("ask", "ask {candidate} for other times", about="Final."),
    )
    finals = ("invite", "ask")
    horizon = 8

    wordings = (
        "Arrange the interview with {candidate}.",
        "{candidate} has written about the interview. Please fix a time.",
        "Interview {candidate} - first time that suits, please.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw times and a calendar."""
        people, surnames = self.draw(PEOPLE, 4), self.draw(SURNAMES, 4)
        names = [f"{a} {b}" for a, b in zip(people, surnames, strict=True)]
        self.candidate, self.manager, self.interviewer, self.recruiter = names
        self.code, (self.team,) = self.identifier("J-####"), self.draw(TEAMS)
        first = date(2026, 1, 5) + timedelta(7 * self.rng.randint(0, 48))
        picked = sorted(self.rng.sample(range(40), 9))
        slots = [self._slot(first, number) for number in picked]
        offered = sorted(self.rng.sample(range(9), 3))
        best = case_of(self.name, self.task, (0, 1, 2, None))
        free = {i for i in range(9) if i not in offered and self.rng.random() < 0.5}
        if best is not None:
            free |= {offered[best]}
            free |= {i for i in offered[best + 1 :] if self.rng.random() < 0.5}
        notes = ("budget", "review", "planning", "customer call", "training")
        self.rows: list[dict[str, Value]] = [
            {
                "slot": slot,
                "state": "free" if i in free else self.rng.choice(("busy", "busy", "away")),
                "note": "-" if i in free else self.rng.choice(notes),
            }
            for i, slot in enumerate(slots)
        ]
        self.offers: list[dict[str, Value]] = [{"slot": slots[i]} for i in offered]
        ask = call("ask", candidate=self.candidate)
        invites = [self._invite(self.interviewer, slots[i]) for i in offered]
        plan = [call("mail", candidate=self.candidate), call("opening", code=self.code)]
        plan.append(call("calendar", person=self.interviewer))
        plan.append(ask if best is None else invites[best])
        others = [self._invite(self.interviewer, slot) for slot in slots[:3]]
        others += [self._invite(self.manager, slots[offered[0]]), ask]
        others.append(call("calendar", person=self.manager))
        self.lay_out(plan, [*invites, *others])
        asked = self.rng.choice(self.wordings).format(candidate=self.candidate)
        return asked, [Fact("Recruiting inbox: 1 unread", {"unread": 1})]

    def _slot(self, first: date, number: int) -> str:
        day = first + timedelta(number // 8)
        return f"{_DAYS[number // 8]} {day.day} {MONTHS[day.month - 1]} {9 + number % 8:02}:00"

    def _invite(self, person: str, slot: str) -> Call:
        return call("invite", candidate=self.candidate, person=person, slot=slot)

    def answer(self, wanted: Call) -> Result:
        """Show, invite or ask."""
        if wanted.operator == "mail":
            text = f"From: {self.candidate}\nTo: {self.recruiter}\nSubject: job {self.code}\n\n"
            text += f"Thanks a lot for the invitation! For {self.code} I could come on"
            data: dict[str, Value] = {"from": self.candidate, "to": self.recruiter}
            offers = Rows("times", "  - {slot}", self.offers)
            return [Fact(text, data | {"job": self.code}), offers, Fact("Best regards")]
        if wanted.operator == "opening":
            data = {"job": self.code, "team": self.team, "manager": self.manager}
            data |= {"interviewer": self.interviewer, "recruiter": self.recruiter}
            return [Fact("\n".join(f"{key.title()}: {value}" for key, value in data.items()), data)]
        if wanted.operator == "calendar":
            if wanted["person"] != self.interviewer:
                return [Fact("This calendar is not shared.", {"error": "not shared"})]
            return [Rows("entries", "{slot}  {state:<4}  {note}", self.rows)]
        return [Fact("Sent.", {"sent": True})]


class TicketSla(Desk):
    """A ticket that is too old for its priority goes to the lead, others to who has least to do."""

    name = "ticket-sla"
    difficulty = "time gone by against hours of a class; else the least of the rows of one state"
    operators = (
        Operator("ticket", "ticket {ticket}", about="A ticket."),
        Operator("limits", "limits", about="Hours until the first reply."),
        Operator("queue", "queue {queue}", about="Who works there."),
        Operator("assign", "assign {ticket} to {agent}", about="Final."),
        Operator("escalate", "escalate {ticket} to {lead}", about="Final."),
    )
    finals = ("assign", "escalate")
    horizon = 8

    wordings = (
        "{ticket} has no owner yet.",
        "Please route {ticket}.",
        "{person} waits for an answer on {ticket}; who takes it?",
        "Ticket {ticket}: hand it out, or escalate if it is late.",
    )
    hours: ClassVar[dict[str, tuple[int, int]]] = {
        "critical": (1, 2),
        "high": (3, 4),
        "normal": (6, 8),
    }

    def begin(self) -> tuple[str, Result]:
        """Draw a ticket and a queue."""
        (self.person, *agents), (self.lead,) = self.draw(PEOPLE, 6), self.draw(SURNAMES)
        self.ticket, self.queue = self.identifier("SD-#####"), self.draw(TEAMS, 2)
        late = case_of(self.name, self.task, (True, False))
        self.priority = self.rng.choice([*self.hours])
        limits = {kind: self.rng.randint(*span) for kind, span in self.hours.items()}
        self.limits: list[dict[str, Value]] = [
            {"priority": kind, "hours": hours} for kind, hours in limits.items()
        ]
        limit = 60 * limits[self.priority]
        age = limit + self.rng.randint(5, 150) if late else self.rng.randint(8, limit - 5)
        opened = datetime(2026, 1, 5, 5) + timedelta(
            days=self.rng.randint(0, 330), minutes=self.rng.randint(0, 400)
        )
        self.opened, now = (
            f"{opened:%Y-%m-%d %H:%M}",
            f"{opened + timedelta(minutes=age):%Y-%m-%d %H:%M}",
        )
        loads = self.rng.sample(range(15), 5)
        states = ["online", "online", "online", "away", self.rng.choice(("away", "online"))]
        self.rng.shuffle(states)
        rows: list[dict[str, Value]] = [
            {"agent": agent, "open": load, "state": state}
            for agent, load, state in zip(agents, loads, states, strict=True)
        ]
        ready = [row for row in rows if row["state"] == "online"]
        best = min(ready, key=lambda row: int(str(row["open"])))
        self.rows = self.arranged(rows, best)
        assigned = [call("assign", ticket=self.ticket, agent=row["agent"]) for row in rows]
        escalate = call("escalate", ticket=self.ticket, lead=self.lead)
        plan = [call("ticket", ticket=self.ticket), call("limits")]
        plan.append(call("queue", queue=self.queue[0]))
        plan.append(escalate if late else assigned[rows.index(best)])
        offered = [*assigned, escalate, *(call("queue", queue=each) for each in self.queue)]
        self.lay_out(plan, offered)
        asked = self.rng.choice(self.wordings).format(ticket=self.ticket, person=self.person)
        return asked, [Fact(f"Service desk, it is {now}", {"now": now})]

    def answer(self, wanted: Call) -> Result:
        """Show, assign or escalate."""
        if wanted.operator == "ticket":
            data: dict[str, Value] = {"opened": self.opened, "from": self.person}
            data |= {"priority": self.priority, "queue": self.queue[0], "owner": "nobody"}
            lines = "\n".join(f"  {key:<10}{value}" for key, value in data.items())
            return [Fact(f"{self.ticket}\n{lines}", data)]
        if wanted.operator == "limits":
            line = "- {priority}: first reply within {hours} h"
            return [Rows("limits", line, self.limits)]
        if wanted.operator == "queue":
            if wanted["queue"] != self.queue[0]:
                return [Fact("Nobody works here today.", {"error": "nobody here"})]
            head = f"Queue {self.queue[0]}, lead {self.lead}\nAGENT       OPEN  STATE"
            line = "{agent:<10}  {open:>4}  {state}"
            return [Fact(head, {"lead": self.lead}), Rows("agents", line, self.rows)]
        return [Fact("Done, the ticket moves on.", {"done": True})]


class FlightPolicy(Desk):
    """The cheapest flight that is there in time, booked or sent to the manager for a yes."""

    name = "flight-policy"
    difficulty = "the cheapest row before a time; its price against the limit of a grade"
    operators = (
        Operator("profile", "profile {person}", about="A traveller."),
        Operator("policy", "policy", about="Fare limits."),
        Operator("flights", "flights {origin} {destination} {day}", about="What flies."),
        Operator("book", "book {flight} for {person}", about="Final."),
        Operator("request", "request {flight} for {person} from {manager}", about="Final."),
    )
    finals, free = ("book", "request"), ("profile", "flights")
    horizon = 9

    wordings = (
        "{person} has to be in {town} on {day} by {time}. Cheapest flight, please.",
        "Flight for {person} to {town}, {day}, arriving before {time}, as cheap as it gets.",
        "Please get {person} to {town} by {time} on {day}, at the lowest fare.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a traveller, limits and flights."""
        people, surnames, towns = self.draw(PEOPLE, 2), self.draw(SURNAMES, 2), self.draw(CITIES, 3)
        self.person, self.manager = (f"{a} {b}" for a, b in zip(people, surnames, strict=True))
        self.home, self.town = towns[0], towns[1]
        when = date(2026, 1, 10) + timedelta(self.rng.randint(0, 330))
        self.day, self.grade = when.isoformat(), self.rng.choice(("junior", "senior", "partner"))
        over = case_of(self.name, self.task, (True, False))
        limits = sorted(self.rng.sample(range(150, 1500, 10), 3))
        grades = ("junior", "senior", "partner")
        self.limits: list[dict[str, Value]] = [
            {"grade": grade, "fare_limit": f"{limit:,}"}
            for grade, limit in zip(grades, limits, strict=True)
        ]
        limit = limits[grades.index(self.grade)]
        until = self.rng.randint(20, 40)
        count = self.rng.randint(2, 3)
        low, high = (limit + 5, limit + 400) if over else (limit // 2, limit - 5)
        best = self.rng.randint(low, high)
        prices = [best, *(best + n for n in self.rng.sample(range(10, 600), count - 1))]
        ends = self.rng.sample(range(14, until), count)
        late = self.rng.randint(1, 2)
        prices += [best + self.rng.randint(-best // 3, 60) or 1 for _ in range(late)]
        ends += self.rng.sample(range(until + 1, 46), late)
        rows: list[dict[str, Value]] = [
            {
                "flight": self.identifier("AA###"),
                "departs": self._clock(end - self.rng.randint(3, 8)),
                "arrives": self._clock(end),
                "price": f"{price:,}",
            }
            for price, end in zip(prices, ends, strict=True)
        ]
        self.rows = self.arranged(rows, rows[0])
        books = [call("book", flight=row["flight"], person=self.person) for row in rows]
        asks = [
            call("request", flight=row["flight"], person=self.person, manager=self.manager)
            for row in rows
        ]
        plan = [call("profile", person=self.person), call("policy"), self._flights(self.home)]
        plan.append(asks[0] if over else books[0])
        self.lay_out(plan, [*books, *asks, self._flights(towns[2])])
        names = {"person": self.person, "town": self.town, "day": worded(when)}
        asked = self.rng.choice(self.wordings).format(**names, time=self._clock(until))
        return asked, [Fact("travel> ready", {"ready": True})]

    def _flights(self, origin: str) -> Call:
        return call("flights", origin=origin, destination=self.town, day=self.day)

    @staticmethod
    def _clock(half_hours: int) -> str:
        return f"{half_hours // 2:02}:{half_hours % 2 * 30:02}"

    def answer(self, wanted: Call) -> Result:
        """Show, book or ask."""
        if wanted.operator == "profile":
            if wanted["person"] != self.person:
                return [Fact("no such traveller", {"error": "no such traveller"})]
            data: dict[str, Value] = {"home": self.home, "grade": self.grade}
            data |= {"manager": self.manager, "seat": self.rng.choice(("aisle", "window"))}
            lines = "\n".join(f"  {key}: {value}" for key, value in data.items())
            return [Fact(f"traveller:\n{lines}", data)]
        if wanted.operator == "policy":
            line = "  - grade: {grade}\n    fare_limit: EUR {fare_limit}"
            return [Fact("fares:"), Rows("fares", line, self.limits)]
        if wanted.operator == "flights":
            if wanted != self._flights(self.home):
                return [Fact("no flights found", {"error": "no flights found"})]
            line = "{flight} | {departs} | {arrives} | EUR {price}"
            return [Fact("flight | departs | arrives | fare"), Rows("flights", line, self.rows)]
        text = "Booked." if wanted.operator == "book" else "Waiting for a yes."
        return [Fact(text, {"done": wanted.operator})]


class PrivacyRequest(Desk):
    """Whoever is proven gets data erased, held or copied, system by system."""

    name = "privacy-request"
    difficulty = "each row with records; what is done, two classes decide; a proof may be missing"
    operators = (
        Operator("open", "open request {request}", about="A request."),
        Operator("search", "search all systems for {mail}", about="Where records are."),
        Operator("erase", "erase {mail} from {system}", about="Cannot be undone."),
        Operator("restrict", "restrict {mail} in {system}", about="Keeps, but locks."),
        Operator("export", "export {mail} from {system}", about="A copy."),
        Operator("answer", "answer request {request}", about="Final."),
        Operator("proof", "ask for proof on request {request}", about="Final."),
    )
    changing, finals = ("erase", "restrict", "export"), ("answer", "proof")
    irrevocable = ("erase", "restrict", "export")
    horizon = 11

    wordings = (
        "Privacy request {request} is due.",
        "Please work on request {request} of {person}.",
        "{person} has written about personal data, request {request}. See it through.",
    )
    systems = ("crm", "billing", "newsletter", "webshop", "helpdesk")

    def begin(self) -> tuple[str, Result]:
        """Draw a request and the records."""
        (first,), (last,), (product,) = self.draw(PEOPLE), self.draw(SURNAMES), self.draw(PRODUCTS)
        self.person, self.request = f"{first} {last}", self.identifier("DSR-####")
        domain = product.replace(" ", "-")
        self.mail = f"{first.lower()}.{last.lower()}@{domain}.example"
        case = case_of(self.name, self.task, ("unproven", "erasure", "erasure", "access"))
        self.proven = case != "unproven"
        self.kind = case if self.proven else self.rng.choice(("erasure", "access"))
        systems = self.rng.sample(self.systems, 5)[: self.rng.randint(4, 5)]
        holding = self.rng.sample(systems, self.rng.randint(1, 3))
        legal = {each for each in systems if self.rng.random() < 0.45}
        rows: list[dict[str, Value]] = [
            {
                "system": system,
                "records": self.rng.randint(1, 60) if system in holding else 0,
                "keep": "legal" if system in legal else "none",
            }
            for system in systems
        ]
        held = [row for row in rows if row["records"]]
        self.rows = self.arranged(rows, *held)
        plan = [call("open", request=self.request)]
        if self.proven:
            plan.append(call("search", mail=self.mail))
            for row in self.rows:
                if row in held:
                    name = "restrict" if row["keep"] == "legal" else "erase"
                    name = "export" if self.kind == "access" else name
                    plan.append(call(name, mail=self.mail, system=row["system"]))
        plan.append(call("answer" if self.proven else "proof", request=self.request))
        offered = [
            call(name, mail=self.mail, system=row["system"])
            for row in rows
            for name in ("erase", "restrict", "export")
        ]
        offered += [call(name, request=self.request) for name in ("answer", "proof")]
        self.lay_out(plan, [*offered, call("search", mail=self.mail)])
        asked = self.rng.choice(self.wordings).format(request=self.request, person=self.person)
        return asked, [Fact("Privacy desk: 1 request is due", {"due": 1})]

    def answer(self, wanted: Call) -> Result:
        """Show, work on a system, or end."""
        if wanted.operator == "open":
            data: dict[str, Value] = {"person": self.person, "mail": self.mail}
            data |= {"kind": self.kind, "identity": "proven" if self.proven else "not proven"}
            lines = "\n".join(f"* {key}: {value}" for key, value in data.items())
            return [Fact(f"Request {self.request}\n{lines}", data)]
        if wanted.operator == "search":
            line = "- {system}\n    - records: {records}\n    - retention: {keep}"
            return [Fact(f"{self.mail}:"), Rows("systems", line, self.rows)]
        return [Fact("Done.", {"done": True})]
