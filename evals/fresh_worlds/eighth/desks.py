"""Desks: a badge, a loan, a new address, an appointment."""

from __future__ import annotations

from datetime import date, timedelta

from ...ladder.names import CITIES, COLOURS, PEOPLE, PRODUCTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import day_month, worded
from ..desk import Desk
from ..shared import distinct

STREETS = ("Mill Lane", "Station Road", "Elm Street", "Quay Side", "Park Avenue", "North Gate")


class BadgePrint(Desk):
    """A visitor's card is looked up, its lines go into the form of a badge."""

    name = "badge-print"
    difficulty = "four lines of a record go into a form, three of them under other names"
    operators = (
        Operator("look", "look up {visitor}", about="The card of a visitor."),
        Operator("type", "type {value} into {field}", about="Fills a field of the badge."),
        Operator("print", "print badge", about="Final."),
    )
    changing, finals, free = ("type",), ("print",), ("look", "type")
    horizon = 10

    wordings = (
        "{visitor} stands at the front desk. Make a badge.",
        "Badge for {visitor}, please.",
        "Print a visitor's badge for {visitor}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a visitor and a host."""
        first, last = self.draw(PEOPLE, 2), self.draw(SURNAMES, 3)
        (city,) = self.draw(CITIES)
        self.visitor, host = f"{first[0]} {last[0]}", f"{first[1]} {last[1]}"
        came, leaves = self.rng.randint(8, 11), self.rng.randint(12, 18)
        kind = self.rng.choice(("Ltd", "Partners", "Works"))
        self.card: dict[str, Value] = {
            "Visitor": self.visitor,
            "From": f"{city} {kind}",
            "Expected": f"{came}:{self.rng.choice(('00', '15', '45'))}",
            "Meets": host,
            "Room": self.identifier("A#.##"),
            "Leaves": f"{leaves}:{self.rng.choice(('00', '20', '30'))}",
        }
        fields = {"name": "Visitor", "company": "From", "host": "Meets", "valid until": "Leaves"}
        typed = [call("type", value=self.card[key], field=f) for f, key in fields.items()]
        wrong = [call("type", value=self.card["Expected"], field="valid until")]
        wrong += [call("type", value=self.card["Meets"], field="name")]
        plan = [call("look", visitor=self.visitor), *typed, call("print")]
        self.lay_out(plan, wrong)
        asked = self.rng.choice(self.wordings).format(visitor=self.visitor)
        waiting = self.rng.randint(1, 6)
        text = f"FRONT DESK   waiting: {waiting}\nBadge: name, company, host, valid until"
        return asked, [Fact(text, {"waiting": waiting, "fields": ", ".join(fields)})]

    def answer(self, wanted: Call) -> Result:
        """Show the card, fill a field or print."""
        if wanted.operator == "look":
            if wanted["visitor"] != self.visitor:
                return [Fact("Nobody of that name is announced.", {"error": "not announced"})]
            lines = "\n".join(f"{key + ' ':.<12} {value}" for key, value in self.card.items())
            return [Fact(lines, self.card)]
        if wanted.operator == "type":
            self.overwrite(wanted, "field")
            return [Fact(f"{wanted['field']}: {wanted['value']}", {wanted["field"]: True})]
        return [Fact("The badge is printed.", {"printed": True})]


class LoanRenewal(Desk):
    """A book of a reader is renewed; the new date goes on a slip."""

    name = "loan-renewal"
    difficulty = "the row of a title, then a value that only the renewal tells"
    operators = (
        Operator("card", "card {card}", about="What a reader has at home."),
        Operator("renew", "renew {barcode}", about="Adds time to a loan."),
        Operator("slip", "slip {card}: back by {day}", about="Prints a slip. Final."),
    )
    changing, irrevocable, finals = ("renew",), ("renew",), ("slip",)
    free = ("card", "slip")
    horizon = 6

    wordings = (
        'Reader {card} would like to keep "{title}" longer.',
        'Renew "{title}" for card {card}.',
        'Card {card} on the phone: one more round of "{title}", and a slip please.',
        '"{title}" is to be renewed, card {card}.',
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a reader and loans."""
        self.card = self.identifier("R######")
        count = self.rng.randint(3, 5)
        colours, things = self.draw(COLOURS, count), self.draw(PRODUCTS, count)
        codes = distinct(lambda: self.identifier("########"), count)
        start = date(2026, 1, 10) + timedelta(self.rng.randint(0, 300))
        rows: list[dict[str, Value]] = [
            {
                "barcode": code,
                "title": f"The {colour} {thing}",
                "due": day_month(start + timedelta(self.rng.randint(0, 20))),
            }
            for code, colour, thing in zip(codes, colours, things, strict=True)
        ]
        self.rows = self.arranged(rows, rows[0])
        self.day = day_month(start + timedelta(self.rng.randint(21, 45)))
        renewals = [call("renew", barcode=row["barcode"]) for row in rows]
        slips = [call("slip", card=self.card, day=d) for d in (self.day, rows[0]["due"])]
        self.lay_out([call("card", card=self.card), renewals[0], slips[0]], [*renewals, slips[1]])
        self.barcode = rows[0]["barcode"]
        title = rows[0]["title"]
        asked = self.rng.choice(self.wordings).format(card=self.card, title=title)
        return asked, [Fact("Lending desk, open until 19:00", {"desk": "lending"})]

    def answer(self, wanted: Call) -> Result:
        """Show, renew or print."""
        if wanted.operator in ("card", "slip") and wanted["card"] != self.card:
            return [Fact("No such card.", {"error": "no such card"})]
        if wanted.operator == "card":
            line = "| {barcode} | {title} | {due} |"
            return [
                Fact("| barcode | title | due |\n|---|---|---|"),
                Rows("loans", line, self.rows),
            ]
        if wanted.operator == "renew":
            return [Fact(f"Renewed. New date: {self.day}", {"new_date": self.day})]
        return [Fact("Slip printed.", {"printed": True})]


class AddressMail(Desk):
    """A letter tells a new address; the customer's record gets it."""

    name = "address-mail"
    difficulty = "three values and an id out of sentences that are worded in three ways"
    operators = (
        Operator("read", "read mail {number}", about="A mail."),
        Operator("customer", "customer {customer}", about="A customer's record."),
        Operator("set", "set {field} of {customer} to {value}", about="Changes a field."),
        Operator("save", "save {customer}", about="Final."),
    )
    changing, finals, free = ("set",), ("save",), ("read", "customer", "set")
    horizon = 10

    wordings = (
        "Mail {number} is a change of address. Enter it.",
        "Somebody has moved, see mail {number}. Please change the record.",
        "Take the new address from mail {number} into the customer's record.",
    )
    letters = (
        "Hello, my number with you is {customer}. I have moved: {street}, {postcode} {city}. "
        "Regards, {person}",
        "Dear all,\nfrom {day} on please send everything to {street}, {postcode} {city}.\n"
        "{person}, customer {customer}",
        "This is {person} ({customer}). New address as of {day}: {street}, {postcode} {city}. "
        "Thank you!",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a customer, an old and a new address."""
        (first,), (last,), cities = self.draw(PEOPLE), self.draw(SURNAMES), self.draw(CITIES, 2)
        self.person, self.customer = f"{first} {last}", self.identifier("K-#####")
        self.number = self.identifier("#####")
        streets = [f"{self.rng.randint(1, 140)} {s}" for s in self.rng.sample(STREETS, 2)]
        codes = distinct(lambda: self.identifier("####"), 2)
        old, new = (
            dict(zip(("street", "postcode", "city"), values, strict=True))
            for values in zip(streets, codes, cities, strict=True)
        )
        self.old: dict[str, Value] = {"name": self.person, **old}
        day = worded(date(2026, 2, 1) + timedelta(self.rng.randint(0, 250)))
        self.letter = self.rng.choice(self.letters).format(
            customer=self.customer, person=self.person, day=day, **new
        )
        plan = [call("read", number=self.number), call("customer", customer=self.customer)]
        plan += [call("set", field=f, customer=self.customer, value=v) for f, v in new.items()]
        plan.append(call("save", customer=self.customer))
        wrong = [call("set", field=f, customer=self.customer, value=v) for f, v in old.items()]
        self.lay_out(plan, wrong)
        asked = self.rng.choice(self.wordings).format(number=self.number)
        unread = self.rng.randint(1, 30)
        return asked, [Fact(f"Inbox ({unread} unread)", {"unread": unread})]

    def answer(self, wanted: Call) -> Result:
        """Show, change or save."""
        if wanted.operator == "read":
            if wanted["number"] != self.number:
                return [Fact("There is no such mail.", {"error": "no such mail"})]
            return [Fact(self.letter, {"text": self.letter})]
        if wanted["customer"] != self.customer:
            return [Fact("There is no such customer.", {"error": "no such customer"})]
        if wanted.operator == "customer":
            lines = "\n".join(f"{key}: {value}" for key, value in self.old.items())
            return [Fact(f"[{self.customer}]\n{lines}", self.old)]
        if wanted.operator == "set":
            self.overwrite(wanted, "field")
            return [Fact("changed (not saved)", {"changed": wanted["field"]})]
        return [Fact("saved", {"saved": True})]


class DoctorSlot(Desk):
    """The free slot of the patient's own doctor is booked; the patient gets a message."""

    name = "doctor-slot"
    difficulty = "a row that two columns decide, one of them named in another record"
    operators = (
        Operator("patient", "patient {patient}", about="A patient's card."),
        Operator("slots", "slots on {day}", about="All slots of a day."),
        Operator("book", "book {slot} for {patient}", about="Takes a slot."),
        Operator("message", "message {phone}: your appointment is at {time}", about="Final."),
    )
    changing, irrevocable, finals = ("book",), ("book",), ("message",)
    free = ("patient", "slots", "message")
    horizon = 8

    wordings = (
        "Patient {patient} wants to come on {day}.",
        "Find a slot on {day} for patient {patient} with the usual doctor.",
        "{day}: please fit in patient {patient}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a patient and a day."""
        (self.person,), doctors = self.draw(PEOPLE), self.draw(SURNAMES, 3)
        self.patient, self.phone = self.identifier("P-####"), self.identifier("01## ######")
        self.day = (date(2026, 1, 5) + timedelta(self.rng.randint(0, 330))).isoformat()
        self.doctor = f"Dr {doctors[0]}"
        states = [(0, "free"), *[(0, "taken")] * self.rng.randint(1, 2)]
        states += [(1, "free"), (2, "free"), (self.rng.randint(1, 2), "taken")]
        times = [
            f"{self.rng.randint(8, 16):02}:{self.rng.choice(('00', '10', '20', '40'))}"
            for _ in states
        ]
        numbers = distinct(lambda: self.identifier("A##"), len(states))
        rows: list[dict[str, Value]] = [
            {"slot": slot, "time": time, "doctor": f"Dr {doctors[d]}", "state": state}
            for slot, time, (d, state) in zip(numbers, times, states, strict=True)
        ]
        self.rows = self.arranged(rows, rows[0])
        books = [call("book", slot=row["slot"], patient=self.patient) for row in rows]
        texts = [call("message", phone=self.phone, time=time) for time in dict.fromkeys(times)]
        plan = [call("patient", patient=self.patient), call("slots", day=self.day)]
        self.lay_out([*plan, books[0], texts[0]], [*books, *texts])
        asked = self.rng.choice(self.wordings).format(patient=self.patient, day=self.day)
        return asked, [Fact("Surgery, appointments", {"desk": "appointments"})]

    def answer(self, wanted: Call) -> Result:
        """Show, book or send."""
        if wanted.operator == "patient":
            if wanted["patient"] != self.patient:
                return [Fact("unknown patient", {"error": "unknown patient"})]
            data: dict[str, Value] = {"name": self.person, "doctor": self.doctor}
            data["phone"] = self.phone
            return [Fact("\n".join(f"{key:<8}{value}" for key, value in data.items()), data)]
        if wanted.operator == "slots":
            if wanted["day"] != self.day:
                return [Fact("closed", {"error": "closed"})]
            line = "{slot}  {time}  {doctor:<14}{state}"
            return [Fact("SLOT TIME   DOCTOR        STATE"), Rows("slots", line, self.rows)]
        return [Fact("ok", {"ok": True})]
