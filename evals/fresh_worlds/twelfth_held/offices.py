"""Offices: parcels, two teachers' diaries, keys of flats."""

from __future__ import annotations

from ...ladder.names import CITIES, PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk


class ShipLabel(Desk):
    """The cheapest carrier that is in time gets the parcel; some countries need a form."""

    name = "ship-label"
    difficulty = "flags; a least price among rows within the days of the task; a form by a list"
    operators = (
        Operator("show", "ship show {order}", about="An order."),
        Operator("quote", "ship quote --to {country} --kg {kg}", about="Prices of carriers."),
        Operator("customs", "ship customs {order} --value {value}", ("value",), "A form."),
        Operator("label", "ship label {order} --carrier {carrier}", about="Final."),
        Operator("hold", "ship hold {order}", about="Final."),
    )
    changing, irrevocable, finals = ("customs",), ("customs",), ("label", "hold")
    free = ("show", "quote", "customs", "label", "hold")
    horizon = 7

    wordings = (
        "Ship order {order}, it must arrive within {days} days.",
        "{order} has {days} days at most. Send it off.",
        "Print a label for {order} ({days} days or fewer).",
    )
    inside = ("France", "Spain", "Italy", "Poland", "Austria", "Finland")
    outside = ("Norway", "Japan", "Canada", "Brazil", "Serbia", "Kenya")
    carriers = ("dhx", "ups-saver", "postline", "gls", "tnt-eco", "fedway")

    def begin(self) -> tuple[str, Result]:
        """Draw an order and prices."""
        self.order = self.identifier("SO-#####")
        cases = ((True, True), (True, True), (False, True), (False, True), (True, False))
        near, some = case_of(self.name, self.task, cases)
        self.country = self.rng.choice(self.inside if near else self.outside)
        self.kg, self.value = f"{self.rng.randint(3, 250) / 10:.1f}", self.rng.randint(20, 900)
        days = self.rng.randint(2, 8)
        while True:
            rows = self._quotes()
            fit = [row for row in rows if int(str(row["days"])) <= days]
            if bool(fit) == some:
                break
        right = min(fit or rows, key=lambda row: float(str(row["price"])))
        self.rows = self.arranged(rows, right)
        labels = [call("label", order=self.order, carrier=row["carrier"]) for row in rows]
        customs = call("customs", order=self.order, value=self.value)
        hold = call("hold", order=self.order)
        plan = [call("show", order=self.order), call("quote", country=self.country, kg=self.kg)]
        plan += [] if near or not some else [customs]
        plan.append(labels[rows.index(right)] if some else hold)
        self.lay_out(plan, [*labels, customs, hold])
        asked = self.rng.choice(self.wordings).format(order=self.order, days=days)
        self.items = self.rng.randint(1, 9)
        listed = ", ".join(self.inside)
        return asked, [Fact(f"No customs form for: {listed}.", {"no_customs_form": listed})]

    def _quotes(self) -> list[dict[str, Value]]:
        """Draw prices of carriers."""
        prices = self.rng.sample(range(480, 6000), 4)
        return [
            {"carrier": carrier, "days": self.rng.randint(1, 12), "price": f"{price / 100:.2f}"}
            for carrier, price in zip(self.rng.sample(self.carriers, 4), prices, strict=True)
        ]

    def answer(self, wanted: Call) -> Result:
        """Show, quote, fill in or end."""
        if wanted.operator == "quote":
            if (wanted["country"], wanted["kg"]) != (self.country, self.kg):
                return [Fact("no quotes", {"error": "no quotes"})]
            return [Rows("quotes", "{carrier:<10} {days:>2} days  EUR {price}", self.rows)]
        if wanted["order"] != self.order:
            return [Fact("no such order", {"error": "no such order"})]
        if wanted.operator == "show":
            text = f"to: {self.country}\nitems: {self.items}\nweight: {self.kg} kg\n"
            data: dict[str, Value] = {"to": self.country, "items": self.items, "kg": self.kg}
            return [Fact(f"{text}value: {self.value} EUR", data | {"value": self.value})]
        return [Fact("ok", {"ok": True})]


class TwoDiaries(Desk):
    """Parents meet two teachers together at the first time that both have free."""

    name = "two-diaries"
    difficulty = "the first value that two lists have in common among free rows; or none"
    operators = (
        Operator("diary", "diary of {teacher} on {day}", about="Times of a teacher."),
        Operator("book", "book {time} on {day} for {family}", about="Final."),
        Operator("phone", "call back {family}", about="Final: no time fits."),
    )
    finals, free = ("book", "phone"), ("diary", "book", "phone")
    horizon = 5

    wordings = (
        "Family {family} wants to see {one} and {two} together on {day}.",
        "On {day}: {one} and {two} at once, for family {family}.",
        "Find family {family} the first time on {day} that suits both {one} and {two}.",
    )
    days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")

    def begin(self) -> tuple[str, Result]:
        """Draw two diaries."""
        family, *teachers = self.draw(SURNAMES, 3)
        self.day = self.rng.choice(self.days)
        some = case_of(self.name, self.task, (True, True, False))
        times = [f"{hour}:{minute:02}" for hour in (14, 15, 16) for minute in (0, 20, 40)]
        while True:
            self.diaries = {who: self._times(times) for who in teachers}
            free = [
                {str(row["time"]) for row in rows if row["state"] == "free"}
                for rows in self.diaries.values()
            ]
            both = sorted(free[0] & free[1])
            if bool(both) == some and all(free):
                break
        books = [call("book", time=time, day=self.day, family=family) for time in times]
        phone = call("phone", family=family)
        plan = [call("diary", teacher=who, day=self.day) for who in teachers]
        plan.append(books[times.index(both[0])] if both else phone)
        self.lay_out(plan, [*books, phone])
        asked = self.rng.choice(self.wordings).format(
            family=family, one=teachers[0], two=teachers[1], day=self.day
        )
        week = self.rng.randint(2, 50)
        return asked, [Fact(f"School office, week {week}.", {"week": week})]

    def _times(self, times: list[str]) -> list[dict[str, Value]]:
        """Draw what a teacher does at some times."""
        chosen = sorted(self.rng.sample(times, 6))
        states = ("free", "free", "lesson", "meeting")
        return [{"time": time, "state": self.rng.choice(states)} for time in chosen]

    def answer(self, wanted: Call) -> Result:
        """Show a diary or end."""
        if wanted.operator == "diary":
            rows = self.diaries.get(wanted["teacher"])
            if rows is None or wanted["day"] != self.day:
                return [Fact("No diary.", {"error": "no diary"})]
            return [Rows("times", "{time} {state}", rows)]
        return [Fact("Noted.", {"noted": True})]


class SchluesselAusgabe(Desk):
    """German: keys are handed over once the deposit is there; else what lacks is asked for."""

    name = "schluessel-ausgabe"
    difficulty = "German; two numbers of two records, their difference; a protocol by category"
    operators = (
        Operator("vertrag", "Vertrag {nummer} öffnen", about="Ein Mietvertrag."),
        Operator("konto", "Konto {konto} ansehen", about="Ein Kautionskonto."),
        Operator("protokoll", "Protokoll für {wohnung} anlegen", about="Bei Möblierung."),
        Operator("ausgabe", "{anzahl} Schlüssel an {person} ausgeben", ("anzahl",), "Endgültig."),
        Operator("mahnen", "{person} an {betrag} Euro erinnern", ("betrag",), "Endgültig."),
    )
    changing, irrevocable, finals = ("protokoll",), ("protokoll",), ("ausgabe", "mahnen")
    free = ("vertrag", "konto", "protokoll", "ausgabe", "mahnen")
    horizon = 6

    wordings = (
        "{person} möchte die Schlüssel zu Vertrag {nummer}.",
        "Schlüsselübergabe, Vertrag {nummer}, {person}.",
        "Zu Vertrag {nummer} holt {person} heute die Schlüssel.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a contract and what was paid."""
        self.nummer, self.konto = self.identifier("MV-####"), self.identifier("K######")
        (first,), (last,), (self.ort,) = self.draw(PEOPLE), self.draw(SURNAMES), self.draw(CITIES)
        person, self.wohnung = f"{first} {last}", self.identifier("#.##")
        cases = ((True, True), (False, True), (True, False), (False, False))
        self.furnished, paid = case_of(self.name, self.task, cases)
        self.due, self.keys = self.rng.randrange(600, 3000, 50), self.rng.randint(2, 6)
        lacking = self.rng.randrange(50, self.due, 25)
        self.there = self.due + self.rng.choice((0, 0, 50)) if paid else self.due - lacking
        protocol = call("protokoll", wohnung=self.wohnung)
        out = call("ausgabe", anzahl=self.keys, person=person)
        remind = call("mahnen", person=person, betrag=lacking)
        plan = [call("vertrag", nummer=self.nummer), call("konto", konto=self.konto)]
        plan += [*([protocol] if self.furnished else []), out] if paid else [remind]
        self.lay_out(plan, [protocol, out, remind])
        asked = self.rng.choice(self.wordings).format(person=person, nummer=self.nummer)
        text = f"Hausverwaltung {self.ort}"
        self.interest = self.rng.randint(1, 20)
        return asked, [Fact(text, {"verwaltung": self.ort})]

    def answer(self, wanted: Call) -> Result:
        """Show, write down or end."""
        known = {"nummer": self.nummer, "konto": self.konto, "wohnung": self.wohnung}
        if any(known.get(key, value) != value for key, value in wanted.values.items()):
            return [Fact("Nicht gefunden.", {"error": "nicht gefunden"})]
        if wanted.operator == "vertrag":
            kind = "möbliert" if self.furnished else "leer"
            text = f"Wohnung {self.wohnung} ({kind}), {self.keys} Schlüssel\n"
            text += f"Kaution: {self.due} Euro, Konto {self.konto}"
            data: dict[str, Value] = {"wohnung": self.wohnung, "art": kind}
            data |= {"schluessel": self.keys, "kaution": self.due, "konto": self.konto}
            return [Fact(text, data)]
        if wanted.operator == "konto":
            text = f"Eingezahlt: {self.there} Euro, Zinsen: {self.interest} Euro"
            return [Fact(text, {"eingezahlt": self.there, "zinsen": self.interest})]
        return [Fact("Erledigt.", {"erledigt": True})]
