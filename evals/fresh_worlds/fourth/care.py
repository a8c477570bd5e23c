"""Customers and patients: letters in their language, appointments, goods that broke."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import CITIES, PEOPLE, PRODUCTS, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk

_LETTERS = {"German": "T-110", "French": "T-120", "Italian": "T-130", "Polish": "T-145"}


class NewsletterLanguage(Desk):
    """A customer gets a letter in the language of their card."""

    name = "newsletter-language"
    difficulty = "a template goes by the language that a card tells; so does the address"
    operators = (
        Operator("card", "card of {customer}", about="What is known of a customer."),
        Operator("notes", "notes on {customer}", about="What colleagues wrote."),
        Operator("send", "send {template} to {email}", about="Final."),
    )
    finals, free = ("send",), ("card", "notes", "send")
    horizon = 6

    wordings = (
        "Send {customer} the welcome letter.",
        "{customer} subscribed yesterday. Welcome letter in their language, please.",
        "Welcome {customer} by mail!",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a customer."""
        (first, other), (last,) = self.draw(PEOPLE, 2), self.draw(SURNAMES)
        (town,) = self.draw(CITIES)
        self.customer, self.language = f"{first} {last}", self.rng.choice([*_LETTERS])
        email = f"{self.rng.choice((first, last)).lower()}@{town.lower()}.example"
        self.data: dict[str, Value] = {
            "customer": self.customer,
            "since": self.rng.randint(2001, 2025),
            "language": self.language,
            "email": email,
            "contact": other,
            "newsletter": self.rng.choice(("weekly", "monthly")),
        }
        right = call("send", template=_LETTERS[self.language], email=email)
        plan = [call("notes", customer=self.customer)] if self.rng.random() < 0.3 else []
        plan += [call("card", customer=self.customer), right]
        every = [call("send", template=each, email=email) for each in _LETTERS.values()]
        every += [call("notes", customer=self.customer)]
        self.lay_out(plan, every)
        asked = self.rng.choice(self.wordings).format(customer=self.customer)
        return asked, [Fact("Mailing desk", {"queue": 0})]

    def answer(self, wanted: Call) -> Result:
        """Show a card or notes, or send."""
        if wanted.operator == "send":
            return [Fact("Sent.", {"sent": wanted["template"]})]
        if wanted["customer"] != self.customer:
            return [Fact("No such customer.", {"error": "no such customer"})]
        if wanted.operator == "notes":
            return [Fact("- likes to be called in the morning", {"notes": 1})]
        return [Fact("\n".join(f"{k}: {v}" for k, v in self.data.items()), self.data)]


class WardAppointment(Desk):
    """The earliest appointment of a department is held, or the next, and confirmed by its code."""

    name = "ward-appointment"
    difficulty = "the earliest row is tried, then the next one; a code that is told confirms it"
    operators = (
        Operator("free", "free appointments in {department}", about="Appointments."),
        Operator("hold", "hold {slot} for {patient}", about="Hold one."),
        Operator("confirm", "confirm with code {code}", about="Final."),
    )
    changing, finals, free = ("hold",), ("confirm",), ("free", "hold", "confirm")
    horizon = 9

    wordings = (
        "{patient} needs the earliest appointment in {department}.",
        "Earliest possible date in {department} for {patient}, please; if it is gone, the next.",
        "Book {department} for {patient}, as soon as they can.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw appointments and how many are just taken."""
        (first,), (last,), (team,) = self.draw(PEOPLE), self.draw(SURNAMES), self.draw(TEAMS)
        self.patient, doctors = f"{first} {last}", self.draw(CITIES, 3)
        self.department = f"{self.rng.choice(('eye', 'skin', 'heart', 'bone'))} clinic {team}"
        days = sorted(self.rng.sample(range(1, 29), 5))
        month = self.rng.randint(1, 12)
        rows: list[dict[str, Value]] = [
            {
                "slot": self.identifier("A##"),
                "date": f"2025-{month:02}-{day:02}",
                "time": f"{self.rng.randint(8, 16):02}:{self.rng.choice(('00', '20', '40'))}",
                "doctor": f"Dr {self.rng.choice(doctors)}",
            }
            for day in days
        ]
        while len({row["slot"] for row in rows}) < len(rows):
            for row in rows:
                row["slot"] = self.identifier("A##")
        gone = self.rng.choice((0, 0, 0, 1, 1, 2))
        self.rows = self.arranged(rows, rows[gone])
        self.gone = [str(row["slot"]) for row in rows[:gone]]
        self.codes = {str(row["slot"]): self.identifier("######") for row in rows}
        self.held = ""
        slots = [str(row["slot"]) for row in rows]
        tries = [call("hold", slot=each, patient=self.patient) for each in slots]
        end = call("confirm", code=self.codes[slots[gone]])
        self.calls = [call("free", department=self.department), *tries[: gone + 1], end]
        wrong = [call("confirm", code=self.identifier("######")) for _ in range(2)]
        self.lay_out([tries[gone], end], [self.calls[0], *tries, *wrong])
        names = {"patient": self.patient, "department": self.department}
        return self.rng.choice(self.wordings).format(**names), [Fact("Reception", {"open": True})]

    def expert(self) -> Iterator[Call]:
        """Yield the calls, with those that are refused."""
        yield from self.calls

    def answer(self, wanted: Call) -> Result:
        """List, hold or confirm."""
        if wanted.operator == "free":
            if wanted["department"] != self.department:
                return [Fact("No such department.", {"error": "no such department"})]
            line = "{slot}: {date} {time}, {doctor}"
            return [Fact(f"{len(self.rows)} free", {}), Rows("slots", line, self.rows)]
        if wanted.operator == "hold":
            slot = wanted["slot"]
            if slot not in self.codes:
                return [Fact("Unknown appointment.", {"error": "unknown"})]
            if slot in self.gone:
                return [Fact(f"Sorry, {slot} was just taken.", {"error": "just taken"})]
            self.made, self.held = [], slot
            code = self.codes[slot]
            return [Fact(f"{slot} is held for you. Code: {code}", {"held": slot, "code": code})]
        if wanted["code"] != self.codes.get(self.held):
            return [Fact("Wrong code.", {"error": "wrong code"})]
        return [Fact("Confirmed.", {"confirmed": self.held})]


_PLANS = ("Basic", "Plus", "Trade")


class WarrantyDesk(Desk):
    """A broken thing is replaced within its warranty and else quoted for; what is new is left."""

    name = "warranty-desk"
    difficulty = "a state decides between three ends, one with a sum; new states are left alone"
    operators = (
        Operator("serial", "serial {serial}", about="What was sold, when and how."),
        Operator("manual", "manual of {product}", about="A manual."),
        Operator("replace", "replace {serial}", about="Final."),
        Operator("quote", "quote {amount} for {serial}", ("amount",), "Repair. Final."),
        Operator("exchange", "exchange {serial} for {product}", about="Final."),
    )
    finals, free = ("replace", "quote", "exchange"), ("quote", "manual", "exchange")
    horizon = 6
    abstaining = True

    wordings = (
        "{person} says the {product} with serial {serial} is broken.",
        "Warranty case: {product}, {serial}, customer {person}.",
        "Please help {person}: {serial} ({product}) does not switch on any more.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a case; half of those of the test are in a state nobody has shown."""
        (person,), (product, heir) = self.draw(PEOPLE), self.draw(PRODUCTS, 2)
        self.serial, self.product = self.identifier("AA#####"), product
        state = self.rng.choice(("active", "active", "lapsed", "discontinued"))
        if self.task.part == "test" and self.task.seed % 2:
            self.unsettled, state = True, self.rng.choice(("stolen", "recalled", "on loan"))
        repair, labour = self.rng.randint(20, 200), self.rng.randint(15, 60)
        self.data: dict[str, Value] = {
            "serial": self.serial,
            "product": product,
            "plan": self.rng.choice(_PLANS),
            "warranty": state,
            "part": repair,
            "labour": labour,
            "successor": heir,
        }
        acts = {
            "active": call("replace", serial=self.serial),
            "lapsed": call("quote", amount=repair + labour, serial=self.serial),
            "discontinued": call("exchange", serial=self.serial, product=heir),
        }
        plan = [call("manual", product=product)] if self.rng.random() < 0.2 else []
        plan += [call("serial", serial=self.serial), acts.get(state, acts["active"])]
        wrong = [call("quote", amount=each, serial=self.serial) for each in (repair, labour)]
        self.lay_out(plan, [call("manual", product=product), *acts.values(), *wrong])
        names = {"person": person, "product": product, "serial": self.serial}
        return self.rng.choice(self.wordings).format(**names), [Fact("Service desk", {"desk": 1})]

    def answer(self, wanted: Call) -> Result:
        """Show what was sold, or end it."""
        if wanted.operator == "manual":
            return [Fact("1. Unplug. 2. Wait. 3. Plug in.", {"steps": 3})]
        if wanted["serial"] != self.serial:
            return [Fact("Unknown serial.", {"error": "unknown serial"})]
        if wanted.operator == "serial":
            self.met = self.unsettled
            text = (
                "{serial}: {product}\nplan: {plan}\nwarranty: {warranty}\n"
                "spare part EUR {part}, labour EUR {labour}\nsuccessor: {successor}"
            )
            return [Fact(text.format(**self.data), self.data)]
        self.out_of_turn |= self.unsettled
        return [Fact("Case closed.", {"closed": True})]
