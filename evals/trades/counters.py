"""Trades across a counter: a clinic, a library and a hotel."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

from .trade import LAST, Policy, Record, Result, Trade, day

__all__ = ["Clinic", "Hotel", "Library"]


class Clinic(Trade):
    """Appointments: the first free time, and who pays."""

    name = "clinic"
    prompt = "You book appointments for a clinic."
    reading = ("find_patient", "list_slots")
    traps = (
        "deceased",
        "samename",
        "noslots",
        "expired",
        "blocked",
        "nonotify",
        "otherorder",
        "nullins",
    )
    tools = ("find_patient", "list_slots", "book", "notify")

    def find_patient(self, name: str) -> Result:
        """Find patients by name."""
        return {"matches": [each for each in self.db["patients"] if each["name"] == name]}

    def list_slots(self, doctor: str, date: str) -> Result:
        """List free appointment times of a doctor."""
        return {"slots": self.db["slots"][doctor, date]}

    def book(self, patient_id: str, slot_id: str, billing: str) -> Result:
        """Book a slot."""
        self.db["n"] = self.db.get("n", 0) + 1
        return {"booking": f"BK{self.db['n']:04d}", "slot_id": slot_id}

    def notify(self, patient_id: str, message: str) -> Result:
        """Send a patient a message."""
        return {"sent": True}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        name, doctor, date = self.person(rng), "Dr. " + rng.choice(LAST), day(rng, 6)
        while (doctor, date) in self.db.setdefault("slots", {}):
            date = day(rng, rng.choice([6, 7]))
        patient: Record = {
            "patient_id": self.fresh(rng, "P"),
            "name": name,
            "status": rng.choice(["active"] * 3 + ["inactive"]),
            "insured_until": rng.choice(["2026-12-31", "2027-06-30", "2027-12-31"]),
        }
        if rng.random() < 0.25:
            patient["insured_until"] = rng.choice(["2026-03-31", "2025-12-31"])
        slots = sorted(
            [
                {"slot_id": self.fresh(rng, "S"), "time": f"{hour:02d}:{rng.choice(['00', '30'])}"}
                for hour in rng.sample(range(8, 18), rng.randrange(1, 4))
            ],
            key=lambda each: each["time"],
        )
        if rng.random() < 0.15:
            slots = []
        if trap:
            patient["status"] = "active"
            slots = slots or [{"slot_id": self.fresh(rng, "S"), "time": "09:00"}]
        if trap and trap != "expired":
            patient["insured_until"] = "2027-12-31"
        self.db.setdefault("patients", []).append(patient)
        wish = None
        match trap:
            case "deceased":
                patient["status"] = "deceased"
            case "samename":
                self.db["patients"].append(
                    {**patient, "patient_id": self.fresh(rng, "P"), "insured_until": "2026-12-31"}
                )
            case "noslots":
                slots = []
            case "expired":
                patient["insured_until"] = date  # insured to the very day: still insured
            case "blocked":
                patient["blocked"] = True
            case "otherorder":
                slots = [
                    {"slot_id": self.fresh(rng, "S"), "time": "16:00"},
                    {"slot_id": self.fresh(rng, "S"), "time": "08:30"},
                ]
            case "nullins":
                patient["insured_until"] = None
        self.db["slots"][doctor, date] = slots
        if trap == "nonotify":
            wish = "nonotify"
        text = rng.choice(
            [
                "Book {n} with {d} on {t}.",
                "Please get {n} an appointment with {d} on {t}.",
                "{n} wants to see {d} on {t}.",
                "Appointment for {n}, {d}, {t}.",
            ]
        ).format(n=name, d=doctor, t=date)
        if wish:
            text = text[:-1] + ", but do not notify them."
        return text, SimpleNamespace(name=name, doctor=doctor, date=date, wish=wish)

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        matches = (yield ("find_patient", {"name": asked.name}))["matches"]
        if len(matches) != 1:
            return f"There are {len(matches)} patients named {asked.name}; which one?"
        patient = matches[0]
        if patient["status"] != "active" or patient.get("blocked"):
            blocked = " and blocked" if patient.get("blocked") else ""
            return f"{asked.name} cannot be booked: {patient['status']}{blocked}."
        slots = (yield ("list_slots", {"doctor": asked.doctor, "date": asked.date}))["slots"]
        if not slots:
            return f"{asked.doctor} has no free time on {asked.date}."
        first = min(slots, key=lambda each: each["time"])
        billing = (
            "insurance"
            if patient["insured_until"] and patient["insured_until"] >= asked.date
            else "self-pay"
        )
        booking = yield (
            "book",
            {"patient_id": patient["patient_id"], "slot_id": first["slot_id"], "billing": billing},
        )
        if asked.wish != "nonotify":
            yield (
                "notify",
                {
                    "patient_id": patient["patient_id"],
                    "message": f"Your appointment is on {asked.date} at {first['time']}.",
                },
            )
        return f"{asked.name} is booked at {first['time']} as {booking['booking']} ({billing})."


class Library(Trade):
    """Books lent, held or refused."""

    name = "library"
    prompt = "You serve readers of a library."
    reading = ("find_book", "get_reader")
    traps = (
        "twotitles",
        "age",
        "credit",
        "already",
        "newstatus",
        "reserved",
        "exactfine",
        "nullfine",
        "finecur",
        "quiet",
        "zeroholds",
    )
    tools = ("find_book", "get_reader", "check_out", "place_hold", "send_mail")
    volumes = ("I", "II", "III", "IV", "V")
    adjectives = ("Red", "Blue", "Dark", "Old", "New", "Last", "Lost", "Cold", "Wild", "Deep")
    nouns = (
        "River",
        "Garden",
        "House",
        "Winter",
        "Road",
        "Mirror",
        "Island",
        "Door",
        "Bridge",
        "Forest",
    )

    def find_book(self, title: str) -> Result:
        """Find books."""
        return {"books": [each for each in self.db["bk"] if each["title"] == title]}

    def get_reader(self, card: str) -> Result:
        """Look up a reader."""
        return self.db["rd"][card]

    def check_out(self, card: str, book_id: str, weeks: int) -> Result:
        """Lend a book."""
        return {"lent": book_id}

    def place_hold(self, card: str, book_id: str) -> Result:
        """Place a hold."""
        return {"hold": "H-" + book_id}

    def send_mail(self, card: str, text: str) -> Result:
        """Send a mail."""
        return {"sent": True}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        while True:
            words = rng.choice(self.adjectives), rng.choice(self.nouns), rng.choice(self.volumes)
            title = f"The {' '.join(words)}"
            if not any(book["title"] == title for book in self.db.setdefault("bk", [])):
                break
        card = self.fresh(rng, "C")
        book: Record = {
            "book_id": self.fresh(rng, "B"),
            "title": title,
            "available": rng.choice([0, 0, 1, 2, 3]),
            "holds": [self.fresh(rng, "C") for _ in range(rng.randrange(0, 3))],
        }
        reader: Record = {
            "card": card,
            "status": rng.choice(["adult", "adult", "child", "staff"]),
            "fines": rng.choice([0, 0, 0, 2, 4, 15, 20]),
        }
        wish = None
        if trap:
            reader["status"] = "adult"
            reader["fines"] = 0
            book["available"] = rng.choice([0, 1])
        self.db["bk"].append(book)
        match trap:
            case "twotitles":
                self.db["bk"].append({**book, "book_id": self.fresh(rng, "B")})
            case "age":
                reader["status"] = "child"
                book["rating"] = "18"
                book["available"] = 2
            case "credit":
                reader["fines"] = -5
            case "already":
                book["available"] = 0
                book["holds"] = book["holds"] + [card]
            case "newstatus":
                reader["status"] = "visitor"
            case "reserved":
                book["available"] = 1
                book["holds"] = [self.fresh(rng, "C"), self.fresh(rng, "C"), self.fresh(rng, "C")]
                book["reference_only"] = True
            case "exactfine":
                reader["fines"] = 10
            case "nullfine":
                reader["fines"] = None
            case "finecur":
                reader["fines_currency"] = "USD"
                reader["fines"] = 4
            case "quiet":
                book["available"] = 0
                wish = 1
            case "zeroholds":
                book["available"] = -1
        self.db.setdefault("rd", {})[card] = reader
        text = rng.choice(
            [
                'Card {c} wants "{t}".',
                'Get "{t}" for card {c}.',
                'Please lend "{t}" to the reader {c}.',
            ]
        ).format(c=card, t=title)
        if wish:
            text += " No mail, please."
        return text, SimpleNamespace(card=card, title=title, wish=wish)

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        reader = yield ("get_reader", {"card": asked.card})
        if reader["status"] == "visitor":
            return f"Card {asked.card} is a visitor's: nothing is lent."
        if reader["fines"] is None or reader.get("fines_currency"):
            return f"The fines of {asked.card} are not known."
        if reader["fines"] >= 10:
            return f"Card {asked.card} owes {reader['fines']} euros: nothing is lent."
        books = (yield ("find_book", {"title": asked.title}))["books"]
        if len(books) != 1:
            return f"{len(books)} books are called {asked.title}."
        book = books[0]
        if book.get("reference_only") or (
            book.get("rating") == "18" and reader["status"] == "child"
        ):
            return f"{asked.title} cannot be lent to {asked.card}."
        if book["available"] > 0:
            weeks = {"adult": 4, "child": 3, "staff": 8}[reader["status"]]
            yield ("check_out", {"card": asked.card, "book_id": book["book_id"], "weeks": weeks})
            return f"{asked.title} is lent to {asked.card} for {weeks} weeks."
        if asked.card in book["holds"]:
            return f"{asked.card} waits for {asked.title} already."
        if book["available"] < 0:
            return f"The stock of {asked.title} is wrong."
        hold = yield ("place_hold", {"card": asked.card, "book_id": book["book_id"]})
        if not asked.wish:
            yield (
                "send_mail",
                {
                    "card": asked.card,
                    "text": f"{asked.title} is on hold; {len(book['holds'])} are before you.",
                },
            )
        return f"{asked.title} is on hold for {asked.card}: {hold['hold']}."


class Hotel(Trade):
    """Folios settled as a guest leaves."""

    name = "hotel"
    prompt = "You settle hotel folios."
    reading = ("get_room", "get_folio")
    traps = (
        "disputed",
        "negcharge",
        "currency",
        "noemail",
        "otherguest",
        "closed",
        "zero",
        "nomail",
        "emptycharges",
        "keyvip",
        "depositnull",
        "order",
    )
    tools = ("get_room", "get_folio", "charge_card", "refund_card", "email_invoice", "close_folio")

    def get_room(self, room: str) -> Result:
        """Who stays in a room."""
        return self.db["rm"][room]

    def get_folio(self, folio: str) -> Result:
        """Charges of a stay."""
        return self.db["fo"][folio]

    def charge_card(self, folio: str, amount: int) -> Result:
        """Charge the card."""
        return {"receipt": "RC-" + folio}

    def refund_card(self, folio: str, amount: int) -> Result:
        """Refund to the card."""
        return {"receipt": "RC-" + folio}

    def email_invoice(self, folio: str, to: str) -> Result:
        """Mail the invoice."""
        return {"mailed": True}

    def close_folio(self, folio: str) -> Result:
        """Close a folio."""
        return {"closed": folio}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        room, folio_id, guest = self.fresh(rng, "", 4), self.fresh(rng, "FO"), self.person(rng)
        stay: Record = {
            "room": room,
            "guest": guest,
            "folio": folio_id,
            "contact": guest.replace(" ", ".").lower() + "/inbox",
            "state": rng.choice(["departing"] * 5 + ["staying"]),
        }
        charges: list[Record] = [
            {
                "item": rng.choice(["room", "bar", "spa", "minibar"]),
                "amount": rng.randrange(10, 200),
            }
            for _ in range(rng.randrange(1, 4))
        ]
        total = sum(each["amount"] for each in charges)
        folio: Record = {
            "folio": folio_id,
            "guest": guest,
            "currency": "EUR",
            "charges": charges,
            "paid": rng.choice([0, total, total + 20, max(0, total - 30), 50]),
        }
        wish = None
        if trap:
            stay["state"] = "departing"
            folio["paid"] = 0
        match trap:
            case "disputed":
                charges[0]["disputed"] = True
            case "negcharge":
                charges.append({"item": "bar", "amount": -30})
            case "currency":
                folio["currency"] = "USD"
            case "noemail":
                stay["contact"] = None
            case "otherguest":
                folio["guest"] = self.person(rng)
            case "closed":
                folio["state"] = "closed"
            case "zero":
                folio["paid"] = total
            case "nomail":
                wish = 1
            case "emptycharges":
                folio["charges"] = []
                folio["paid"] = 40
            case "keyvip":
                stay["vip"] = True
            case "depositnull":
                folio["paid"] = None
            case "order":
                charges.reverse()
                charges.append({"item": "gift", "amount": 0})
        self.db.setdefault("rm", {})[room] = stay
        self.db.setdefault("fo", {})[folio_id] = folio
        text = rng.choice(
            [
                "Check out room {r}.",
                "Room {r} leaves; settle the folio.",
                "Please settle and close room {r}.",
                "The guest in {r} wants to check out.",
            ]
        ).format(r=room)
        if wish:
            text = text[:-1] + ", but do not mail an invoice."
        return text, SimpleNamespace(room=room, wish=wish)

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        stay = yield ("get_room", {"room": asked.room})
        if stay["state"] != "departing":
            return f"Room {asked.room} is {stay['state']}; nothing is settled."
        folio = yield ("get_folio", {"folio": stay["folio"]})
        folio_id = stay["folio"]
        if (
            folio["guest"] != stay["guest"]
            or folio["currency"] != "EUR"
            or folio["paid"] is None
            or folio.get("state")
        ):
            return f"Folio {folio_id} needs the front office."
        if any(each.get("disputed") for each in folio["charges"]):
            return f"Folio {folio_id} has a disputed charge."
        if stay.get("vip"):
            return f"Room {asked.room}: the manager settles {folio_id}."
        balance = sum(each["amount"] for each in folio["charges"]) - folio["paid"]
        if balance > 0:
            yield ("charge_card", {"folio": folio_id, "amount": balance})
        if balance < 0:
            yield ("refund_card", {"folio": folio_id, "amount": -balance})
        if stay["contact"] and (not asked.wish):
            yield ("email_invoice", {"folio": folio_id, "to": stay["contact"]})
        yield ("close_folio", {"folio": folio_id})
        return f"Room {asked.room} is settled: {balance} EUR."
