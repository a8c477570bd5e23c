"""Forms at a front desk: a visitor's badge, and a parking permit over three pages."""

from __future__ import annotations

from ...ladder.names import CITIES, PEOPLE, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk
from ..shared import MONTHS


class VisitorBadge(Desk):
    """A badge is asked for; the host's address and building stand in the directory."""

    name = "visitor-badge"
    difficulty = "fields come from the task and from an entry; the plate only where a car is named"
    operators = (
        Operator("directory", "look up {person}", about="Entry of an employee."),
        Operator("fill", "fill {field} with {value}", about="One field of the form."),
        Operator("submit", "submit the request", about="Final."),
    )
    changing, finals, free = ("fill",), ("submit",), ("fill",)
    horizon = 12

    wordings = (
        "Badge for {visitor} from {company}, who visits {host} on {date}.{car}",
        "{host} expects a guest on {date}: {visitor} ({company}). Order a badge, please.{car}",
        "On {date} {visitor} of {company} comes to see {host}.{car} Please prepare a badge.",
    )
    cars = (" Comes by car, plate {plate}.", " Needs a parking space ({plate}).")

    def begin(self) -> tuple[str, Result]:
        """Draw a guest and a host."""
        people, surnames = self.draw(PEOPLE, 3), self.draw(SURNAMES, 3)
        visitor, host, other = (f"{a} {b}" for a, b in zip(people, surnames, strict=True))
        (town,), (team,) = self.draw(CITIES), self.draw(TEAMS)
        company = f"{town} {self.rng.choice(('Ltd', 'Works', 'Systems', 'Freight'))}"
        date = f"{self.rng.randint(1, 28)} {self.rng.choice(MONTHS)} 2025"
        plate = f"{self.identifier('AA')}-{self.identifier('AA')} {self.rng.randint(10, 999)}"
        car = self.rng.random() < 0.4
        self.entries: dict[str, dict[str, Value]] = {}
        for each in (host, other):
            self.entries[each] = {
                "name": each,
                "team": team,
                "room": f"{self.rng.randint(1, 5)}.{self.rng.randint(10, 60)}",
                "mail": f"{each.lower().replace(' ', '.')}@corp.example",
                "extension": self.rng.randint(1000, 9999),
                "building": self.rng.choice(("North", "South", "Harbour", "Annex")),
            }
        entry = self.entries[host]
        fields = {"visitor": visitor, "company": company, "date": date}
        fields |= {"contact": str(entry["mail"]), "building": str(entry["building"])}
        fields |= {"plate": plate} if car else {}
        fills = [call("fill", field=name, value=value) for name, value in fields.items()]
        wrong = [call("fill", field="contact", value=self.entries[other]["mail"])]
        wrong += [call("fill", field="building", value=each) for each in ("North", "Annex")]
        wrong += [call("fill", field="plate", value="none"), call("submit")]
        self.typed: set[str] = set()
        self.lay_out(
            [call("directory", person=host), *fills, call("submit")],
            [*(call("directory", person=each) for each in (host, visitor, other)), *wrong],
        )
        names = {"visitor": visitor, "host": host, "company": company, "date": date}
        tail = self.rng.choice(self.cars).format(plate=plate) if car else ""
        asked = self.rng.choice(self.wordings).format(**names, car=tail)
        return asked, [Fact("New badge request: all fields are empty.", {"form": "badge"})]

    def answer(self, wanted: Call) -> Result:
        """Show an entry, fill in a field or submit."""
        if wanted.operator == "directory":
            entry = self.entries.get(wanted["person"])
            if entry is None:
                return [Fact("No such employee.", {"error": "no such employee"})]
            text = (
                "{name}\n{team}, room {room}, ext. {extension}\nmail: {mail}\nbuilding: {building}"
            )
            return [Fact(text.format(**entry), entry)]
        if wanted.operator == "fill":
            self.overwrite(wanted, "field")
            self.typed.add(wanted["field"])
            return [Fact(f"{wanted['field']}: {wanted['value']}", {"filled": wanted["field"]})]
        for needed in ("visitor", "company", "date", "contact", "building"):
            if needed not in self.typed:
                return [Fact(f"Please fill in {needed}.", {"error": f"{needed} is empty"})]
        return [Fact("Request sent.", {"sent": True})]


_PAGES = (("name", "email"), ("plate", "months"), ("zone", "amount"))


class PermitWizard(Desk):
    """A parking permit is bought in three pages; the last has a table of zones and rates."""

    name = "permit-wizard"
    difficulty = "a plate is written in the form the page wants; the rate times months is typed"
    operators = (
        Operator("enter", "enter {value} as {field}", about="Fill in a field of this page."),
        Operator("proceed", "continue", about="Go to the next page."),
        Operator("pay", "pay and finish", about="Final."),
    )
    changing, finals, free = ("enter",), ("pay",), ("enter",)
    horizon = 14

    wordings = (
        "Resident permit for {person}, {email}, who lives in {district}. Car {plate}, {n} months.",
        "{person} ({district}) wants to park for {n} months; the car is {plate}, mail {email}.",
        "Please buy a permit: {n} months, {district}, plate {plate}, for {person} <{email}>.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a resident, a car and a table."""
        (first,), (last,), districts = (
            self.draw(PEOPLE),
            self.draw(SURNAMES),
            self.draw(CITIES, 4),
        )
        person, district = f"{first} {last}", districts[0]
        email = f"{first.lower()}{self.rng.randint(10, 99)}@mail.example"
        plate = f"{self.identifier('aa')} {self.identifier('###')} {self.identifier('a')}"
        months = self.rng.randint(2, 11)
        zones, rates = self.rng.sample("ABCDEFG", 4), self.rng.sample(range(11, 40), 4)
        rows: list[dict[str, Value]] = [
            {"district": d, "zone": z, "rate": r}
            for d, z, r in zip(districts, zones, rates, strict=True)
        ]
        self.table = self.arranged(rows, rows[0])
        values = (person, email, plate.upper().replace(" ", ""), months, zones[0])
        fields = dict(zip(sum(_PAGES, ()), (*values, rates[0] * months), strict=True))
        plan: list[Call] = []
        for page in _PAGES:
            plan += [call("enter", value=fields[name], field=name) for name in page]
            plan.append(call("proceed"))
        plan[-1] = call("pay")
        wrong = [call("enter", value=z, field="zone") for z in zones]
        wrong += [call("enter", value=r * months, field="amount") for r in rates]
        self.page, self.form = 0, dict[str, str]()
        self.lay_out(plan, [*wrong, call("proceed"), call("pay")])
        names = {"person": person, "email": email, "plate": plate, "n": months}
        asked = self.rng.choice(self.wordings).format(**names, district=district)
        return asked, self._shown()

    def answer(self, wanted: Call) -> Result:
        """Take a field, turn the page or pay."""
        fields = _PAGES[self.page]
        if wanted.operator == "enter":
            field, value = wanted["field"], wanted["value"]
            if field not in fields:
                return [Fact("This page has no such field.", {"error": "no such field"})]
            if field == "plate" and not (value.isalnum() and value == value.upper()):
                text = "Plate: capital letters and digits only, no spaces."
                return [Fact(text, {"error": "plate not valid"})]
            self.overwrite(wanted, "field")
            self.form[field] = value
            return [Fact(f"{field} = {value}", {"field": field, "value": value})]
        empty = [name for name in fields if name not in self.form]
        if empty:
            return [Fact(f"Please fill in: {', '.join(empty)}", {"error": f"{empty[0]} is empty"})]
        if wanted.operator == "pay":
            if self.page < 2:
                return [Fact("You are not there yet.", {"error": "pages are missing"})]
            return [Fact("Thank you. The permit will be mailed.", {"paid": True})]
        if self.page == 2:
            return [Fact("This is the last page.", {"error": "last page"})]
        self.page += 1
        return self._shown()

    def _shown(self) -> Result:
        head = f"Page {self.page + 1} of 3"
        if self.page == 0:
            return [Fact(f"{head}: who are you?\nFields: name, email", {"page": 1})]
        if self.page == 1:
            text = f"{head}: your car\nFields: plate (capitals, no spaces), months (1-12)"
            return [Fact(text, {"page": 2})]
        rates = Rows("rates", "{district}: zone {zone}, EUR {rate} per month", self.table)
        return [Fact(f"{head}: zone and amount\nFields: zone, amount", {"page": 3}), rates]
