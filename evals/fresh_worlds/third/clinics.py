"""A sheet of doses, and a search in a mailbox that is written down."""

from __future__ import annotations

from ...ladder.names import PEOPLE, PRODUCTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk
from ..shared import MONTHS


class DoseSheet(Desk):
    """A dose in milligrams becomes tablets of a strength; an allergy stops it."""

    name = "dose-sheet"
    difficulty = (
        "a dose is divided by a tablet's strength; an entry of the patient's sheet stops it"
    )
    operators = (
        Operator("sheet", "open sheet of {patient}", about="Show a patient."),
        Operator("drug", "look up {drug}", about="Show a drug."),
        Operator("give", "give {count} tablets of {drug} to {patient}", ("count",), "Final."),
        Operator("call", "call Dr {doctor} about {patient}", about="Final."),
    )
    finals, free = ("give", "call"), ("give",)
    horizon = 6

    drugs = ("amoxipen", "brufatol", "cetiral", "doxamin", "ibranol", "metrovan")
    wordings = (
        "{patient} gets {dose} mg {drug} now.",
        "Please give {patient} {dose} mg of {drug}.",
        "{drug} {dose} mg for {patient}, as ordered on the round.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a patient and a dose."""
        (first,), (last, doctor) = self.draw(PEOPLE), self.draw(SURNAMES, 2)
        self.patient, self.doctor = f"{first} {last}", doctor
        self.drug, other = self.rng.sample(self.drugs, 2)
        self.strength, count = self.rng.choice((50, 100, 125, 200, 250)), self.rng.randint(1, 4)
        self.allergy = self.rng.choice((self.drug, other, "none known", "none known"))
        self.born, self.bed = self.rng.randint(1930, 2005), self.identifier("#-A")
        stop = self.allergy == self.drug
        act = (
            call("call", doctor=doctor, patient=self.patient)
            if stop
            else call("give", count=count, drug=self.drug, patient=self.patient)
        )
        plan = [call("sheet", patient=self.patient)]
        plan += [] if stop else [call("drug", drug=self.drug)]
        offered = [
            call("give", count=n, drug=each, patient=self.patient)
            for n in range(1, 5)
            for each in (self.drug, other)
        ]
        offered += [call("drug", drug=each) for each in (self.drug, other)]
        offered += [call("call", doctor=doctor, patient=self.patient)]
        self.lay_out([*plan, act], offered)
        names = {"patient": self.patient, "dose": count * self.strength, "drug": self.drug}
        return self.rng.choice(self.wordings).format(**names), [Fact("Ward 4", {"ward": 4})]

    def answer(self, wanted: Call) -> Result:
        """Show the sheet or the drug, give, or call."""
        if wanted.operator == "sheet":
            text = (
                f"{self.patient}, born {self.born}\n  Bed: {self.bed}\n"
                f"  Allergies: {self.allergy}\n  Physician: Dr {self.doctor}"
            )
            data: dict[str, Value] = {
                "name": self.patient,
                "born": self.born,
                "allergies": self.allergy,
            }
            return [Fact(text, data | {"physician": self.doctor})]
        if wanted.operator == "drug":
            if wanted["drug"] != self.drug:
                return [Fact("Out of stock.", {"error": "out of stock"})]
            text = f"{self.drug.capitalize()} tablets, {self.strength} mg each"
            return [Fact(text, {"drug": self.drug, "strength_mg": self.strength})]
        if wanted.operator == "give" and wanted["patient"] != self.patient:
            return [Fact("No such patient.", {"error": "no such patient"})]
        return [Fact("Signed.", {"signed": True})]


class MailSearch(Desk):
    """A mailbox is searched with operators; the newest hit is forwarded, or nothing is there."""

    name = "mail-search"
    difficulty = "a search line is written from the task; the newest of its hits is passed on"
    operators = (
        Operator("search", "search {query}", about="Search the mailbox."),
        Operator("forward", "forward message {id} to {person}", ("id",), "Final."),
        Operator("nothing", "tell {person} there is none", about="Final."),
    )
    finals, free, horizon = ("forward", "nothing"), ("search",), 5

    wordings = (
        "{person} needs the latest mail with attachment from {sender} about the {thing}, "
        "sent after {day} {month} 2024.",
        "Find the newest message of {sender} on the {thing} with a file attached, after "
        "{day} {month} 2024, and forward it to {person}.",
        "{person}: {sender} sent something on the {thing} after {day} {month} 2024, with an "
        "attachment. Could you forward the newest?",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a search and its hits."""
        (person,), (sender,), (thing,) = (self.draw(each) for each in (PEOPLE, SURNAMES, PRODUCTS))
        month, day = self.rng.randint(1, 11), self.rng.randint(1, 28)
        self.query = (
            f'from:{sender.lower()} subject:"{thing}" after:2024/{month:02}/{day:02} has:attachment'
        )
        hits = self.rng.choice((0, 1, 2, 3, 3))
        ids = self.rng.sample(range(1000, 9999), 3)
        days = self.rng.sample(range(1, 29), hits)
        self.rows: list[dict[str, Value]] = [
            {"id": n, "date": f"2024-12-{d:02}", "from": sender, "subject": f"Re: {thing}"}
            for n, d in zip(ids, days, strict=False)
        ]
        newest = max(self.rows, key=lambda row: str(row["date"]), default=None)
        none = call("nothing", person=person)
        act = call("forward", id=newest["id"], person=person) if newest else none
        every = [call("forward", id=each, person=person) for each in ids]
        near = call("search", query=f"from:{sender.lower()}")
        self.lay_out([call("search", query=self.query), act], [*every, none, near])
        names = {"person": person, "sender": sender, "thing": thing, "day": day}
        asked = self.rng.choice(self.wordings).format(**names, month=MONTHS[month - 1])
        return asked, [Fact("Mailbox ready", {"ready": True})]

    def answer(self, wanted: Call) -> Result:
        """Show hits, pass one on, or tell."""
        if wanted.operator == "search":
            if wanted["query"] != self.query:
                return [Fact("Too many results.", {"error": "too many results"})]
            return [
                Fact(f"{len(self.rows)} result(s)", {"total": len(self.rows)}),
                Rows("results", "#{id}  {date}  {from}  {subject}", self.rows),
            ]
        return [Fact("Sent.", {"sent": True})]
