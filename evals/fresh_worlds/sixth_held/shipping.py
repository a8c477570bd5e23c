"""Goods on their way: a parcel's trace, offers of carriers, Polish lots, the bill of a tour."""

from __future__ import annotations

from ...ladder.names import CITIES, PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk
from ..shared import clock_times, distinct


class ParcelTrace(Desk):
    """Whoever asks for a parcel is told who signed for it, or a search begins where it was last."""

    name = "parcel-trace"
    difficulty = "the last line of a log of varying length decides, and gives a value"
    operators = (
        Operator("trace", "trace {parcel}", about="Where it has been."),
        Operator("reply", "tell {person} that {signer} signed for {parcel}", about="Final."),
        Operator("seek", "start search for {parcel} in {town}", about="Final."),
    )
    finals, free = ("reply", "seek"), ("trace", "reply", "seek")
    horizon = 5

    wordings = (
        "{person} asks where parcel {parcel} is.",
        "Parcel {parcel} has not turned up, says {person}. Please see to it.",
        "Where is {parcel}? {person} waits for an answer.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a way."""
        people, lasts, towns = self.draw(PEOPLE, 2), self.draw(SURNAMES, 2), self.draw(CITIES, 5)
        person, self.parcel = f"{people[0]} {lasts[0]}", self.identifier("AA#######")
        signer = f"{people[1][0]}. {lasts[1]}"
        events = ["ACCEPTED", *self.rng.choices(("SORTED", "LOADED", "HELD"), k=4)]
        count = self.rng.randint(2, 5)
        days = sorted(self.rng.choices(range(1, 29), k=count))
        month = self.rng.randint(1, 12)
        self.rows: list[dict[str, Value]] = [
            {"at": f"2025-{month:02}-{day:02} {time}", "event": event, "town": town}
            for day, time, event, town in zip(
                days, clock_times(self.rng, count), events[:count], towns[:count], strict=True
            )
        ]
        delivered = self.rng.random() < 0.5
        if delivered:
            self.rows[-1]["event"] = "DELIVERED"
        self.signer = signer if delivered else "nobody yet"
        reply = [
            call("reply", person=person, signer=each, parcel=self.parcel)
            for each in (signer, "nobody", lasts[1])
        ]
        seek = [call("seek", parcel=self.parcel, town=row["town"]) for row in self.rows[::-1]]
        plan = [call("trace", parcel=self.parcel), reply[0] if delivered else seek[0]]
        self.lay_out(plan, [*reply, *seek])
        asked = self.rng.choice(self.wordings).format(person=person, parcel=self.parcel)
        return asked, [Fact("Parcel service", {"hub": self.rng.randint(1, 9)})]

    def answer(self, wanted: Call) -> Result:
        """Trace, tell or search."""
        if wanted["parcel"] != self.parcel:
            return [Fact("unknown parcel", {"error": "unknown parcel"})]
        if wanted.operator == "trace":
            tail = Fact(f"signed by: {self.signer}", {"signed by": self.signer})
            return [Rows("events", "{at} {event} {town}", self.rows), tail]
        return [Fact("Done, thank you.", {"done": True})]


class CourierOffer(Desk):
    """The cheapest offer that carries the weight in time is booked; at times there is none."""

    name = "courier-offer"
    difficulty = "of the rows that meet two limits of the task the cheapest; none may meet them"
    operators = (
        Operator("offers", "offers to {town}", about="What carriers offer."),
        Operator("book", "book {offer} for {weight} kg", ("weight",), "Final."),
        Operator("decline", "tell {person} that nothing fits", about="Final."),
    )
    finals, free = ("book", "decline"), ("offers", "book", "decline")
    horizon = 5

    wordings = (
        "Send {weight} kg to {town} for {person}; it has to be there in {days} days at the latest.",
        "{person} has a parcel of {weight} kg for {town}. At most {days} days, as cheap as can be.",
        "Parcel to {town}: {weight} kg, within {days} days, cheapest courier. It is {person}'s.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw offers."""
        (first,), (last,), (town,) = self.draw(PEOPLE), self.draw(SURNAMES), self.draw(CITIES)
        self.town, firms = town, self.draw(SURNAMES, 6)
        self.person = f"{first} {last}"
        weight, days = self.rng.randint(6, 24), self.rng.randint(2, 5)
        none = self.rng.random() < 0.2
        prices = sorted(self.rng.sample(range(900, 9_900), 6))
        bad = 6 if none else self.rng.randint(0, 4)
        kinds = self.rng.choices(("light", "slow"), k=bad)
        kinds += ["good"] * (not none)
        kinds += self.rng.choices(("light", "slow", "good"), k=6 - len(kinds))
        self.rows: list[dict[str, Value]] = []
        codes = distinct(lambda: self.identifier("A##"), len(kinds))
        for code, firm, kind, cents in zip(codes, firms, kinds, prices, strict=True):
            light, slow = kind == "light", kind == "slow"
            limit = self.rng.randint(1, weight - 1) if light else weight + self.rng.randint(0, 12)
            takes = days + self.rng.randint(1, 4) if slow else self.rng.randint(1, days)
            self.rows.append(
                {
                    "offer": code,
                    "carrier": f"{firm} {self.rng.choice(('Express', 'Freight', 'Post'))}",
                    "max_kg": limit,
                    "days": takes,
                    "price": f"{cents // 100}.{cents % 100:02}",
                }
            )
        book = [call("book", offer=code, weight=weight) for code in codes]
        decline = call("decline", person=self.person)
        right = kinds.index("good") if not none else 0
        self.lay_out(
            [call("offers", town=town), decline if none else book[right]], [*book, decline]
        )
        self.rows = self.arranged(self.rows, *([] if none else [self.rows[right]]))
        names = {"weight": weight, "days": days, "town": town, "person": self.person}
        return self.rng.choice(self.wordings).format(**names), [
            Fact("Courier exchange", {"exchange": "couriers"})
        ]

    def answer(self, wanted: Call) -> Result:
        """List, book or decline."""
        if wanted.operator == "offers":
            if wanted["town"] != self.town:
                return [Fact("no offers", {"error": "no offers"})]
            head = Fact("offer | carrier | max kg | days | EUR", {"to": self.town})
            line = "{offer} | {carrier} | {max_kg} | {days} | {price}"
            return [head, Rows("offers", line, self.rows)]
        if wanted.operator == "book":
            if all(row["offer"] != wanted["offer"] for row in self.rows):
                return [Fact("unknown offer", {"error": "unknown offer"})]
            return [Fact("Booked, the label is on its way.", {"booked": wanted["offer"]})]
        if wanted["person"] != self.person:
            return [Fact("unknown customer", {"error": "unknown customer"})]
        return [Fact("Message sent.", {"sent": True})]


_TOWARY = (
    *("mleko", "jogurt", "masło", "kefir", "śmietana", "twaróg", "ser żółty", "sok jabłkowy"),
    *("mąka pszenna", "olej", "kasza gryczana", "ryż", "cukier", "dżem", "miód", "makaron"),
)


class WydanieTowaru(Desk):
    """Goods are issued from the free lot that keeps shortest and holds enough, or none does."""

    name = "wydanie-towaru"
    difficulty = "Polish; of the rows that are free and hold enough the earliest date; or none"
    operators = (
        Operator("lots", "pokaż partie: {towar}", about="Partie towaru."),
        Operator("issue", "wydaj {ilosc} szt. z partii {partia}", ("ilosc",), "Ostateczne."),
        Operator("lack", "zgłoś brak: {towar}, {ilosc} szt.", ("ilosc",), "Ostateczne."),
    )
    finals, free = ("issue", "lack"), ("lots", "issue", "lack")
    horizon = 5

    wordings = (
        "Do wydania: {towar}, {ilosc} szt., odbiorca {osoba}.",
        "{osoba} czeka w magazynie na towar ({towar}, {ilosc} szt.). Wydaj, proszę.",
        "Zamówienie od {osoba}: {towar}, sztuk {ilosc}. Najpierw to, co ma najkrótszy termin.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw lots."""
        (self.towar,), (first,), (last,) = (
            self.draw(_TOWARY),
            self.draw(PEOPLE),
            self.draw(SURNAMES),
        )
        count = self.rng.randint(10, 90)
        none = self.rng.random() < 0.2
        bad = 5 if none else self.rng.randint(0, 3)
        kinds = self.rng.choices(("blocked", "small"), k=bad)
        kinds += ["good"] * (not none)
        kinds += self.rng.choices(("blocked", "small", "good"), k=5 - len(kinds))
        ends = sorted(self.rng.sample(range(12 * 28), len(kinds)))
        rows: list[dict[str, Value]] = []
        codes = distinct(lambda: self.identifier("A###"), len(kinds))
        for code, kind, end in zip(codes, kinds, ends, strict=True):
            low, high = (1, count - 1) if kind == "small" else (count, count + 60)
            rows.append(
                {
                    "partia": code,
                    "termin": f"2025-{end // 28 + 1:02}-{end % 28 + 1:02}",
                    "sztuk": self.rng.randint(low, high),
                    "stan": "blokada" if kind == "blocked" else "wolna",
                }
            )
        issue = [call("issue", ilosc=count, partia=row["partia"]) for row in rows]
        lack = call("lack", towar=self.towar, ilosc=count)
        right = 0 if none else kinds.index("good")
        self.rows = self.arranged(rows, *([] if none else [rows[right]]))
        self.lay_out(
            [call("lots", towar=self.towar), lack if none else issue[right]], [*issue, lack]
        )
        names = {"towar": self.towar, "ilosc": count, "osoba": f"{first} {last}"}
        return self.rng.choice(self.wordings).format(**names), [
            Fact(f"Magazyn nr {self.rng.randint(2, 9)}", {"magazyn": True})
        ]

    def answer(self, wanted: Call) -> Result:
        """Show lots, issue or report."""
        if wanted.operator == "issue":
            if all(row["partia"] != wanted["partia"] for row in self.rows):
                return [Fact("Nie ma takiej partii.", {"error": "nie ma takiej partii"})]
            return [Fact("Wydano.", {"wydano": True})]
        if wanted["towar"] != self.towar:
            return [Fact("Nie ma takiego towaru.", {"error": "nie ma takiego towaru"})]
        if wanted.operator == "lots":
            head = Fact("partia;termin;sztuk;stan", {"towar": self.towar})
            return [head, Rows("partie", "{partia};{termin};{sztuk};{stan}", self.rows)]
        return [Fact("Zgłoszono.", {"zgłoszono": True})]


class FreightAudit(Desk):
    """A carrier's bill is checked against the tour and the tariff of its vehicle's class."""

    name = "freight-audit"
    difficulty = "a sum of two products from two documents is compared; an open tour comes first"
    operators = (
        Operator("bill", "open bill {bill}", about="What a carrier asks for."),
        Operator("tour", "show tour {tour}", about="A tour."),
        Operator("tariff", "tariff of {carrier}", about="Rates by class."),
        Operator("approve", "approve {bill}", about="Final."),
        Operator("cut", "cut {bill} to {amount}", ("amount",), "Too much is asked. Final."),
        Operator("park", "park {bill} until {tour} is over", about="Final."),
    )
    finals = ("approve", "cut", "park")
    free = ("bill", "tour", "tariff", "approve", "cut", "park")
    horizon = 7

    wordings = (
        "Check freight bill {bill}.",
        "{person} put bill {bill} on the pile. Is it right?",
        "Bill {bill} came in this morning; settle it as always.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a bill, a tour and a tariff."""
        (person,), lasts, self.towns = (
            self.draw(PEOPLE),
            self.draw(SURNAMES, 2),
            self.draw(CITIES, 2),
        )
        self.bill, self.tour = f"FB-{self.identifier('#####')}", f"T{self.identifier('####')}"
        self.carrier, self.driver = f"{lasts[0]} Haulage", lasts[1]
        self.km, self.stops = self.rng.randint(60, 980), self.rng.randint(2, 9)
        classes = self.rng.sample("ABCDE", 4)
        self.kind = classes[0]
        rows: list[dict[str, Value]] = [
            {"class": name, "km": per_km, "stop": per_stop}
            for name, per_km, per_stop in zip(
                classes,
                self.rng.sample(range(2, 9), 4),
                self.rng.sample(range(11, 60), 4),
                strict=True,
            )
        ]
        self.rows = self.arranged(rows, rows[0])
        due = [self.km * int(str(r["km"])) + self.stops * int(str(r["stop"])) for r in rows]
        outcome = self.rng.choice(("approve", "approve", "cut", "cut", "park"))
        self.state = "on the road" if outcome == "park" else "finished"
        over = self.rng.random() < 0.5 if outcome == "park" else outcome == "cut"
        self.amount = due[0] + (self.rng.randint(3, 240) if over else 0)
        if not over and self.rng.random() < 0.3:
            self.amount -= self.rng.randint(3, 40)
        acts = {
            "approve": call("approve", bill=self.bill),
            "cut": call("cut", bill=self.bill, amount=due[0]),
            "park": call("park", bill=self.bill, tour=self.tour),
        }
        looks = [
            call("bill", bill=self.bill),
            call("tour", tour=self.tour),
            call("tariff", carrier=self.carrier),
        ]
        if outcome == "park":
            looks.pop()
        wrong = [call("cut", bill=self.bill, amount=each) for each in due[1:]]
        self.lay_out([*looks, acts[outcome]], [*acts.values(), *wrong])
        asked = self.rng.choice(self.wordings).format(bill=self.bill, person=person)
        return asked, [Fact("Freight bills", {"open": self.rng.randint(3, 40)})]

    def answer(self, wanted: Call) -> Result:
        """Show a document, or decide."""
        if wanted.operator == "tariff":
            if wanted["carrier"] != self.carrier:
                return [Fact("no tariff", {"error": "no tariff"})]
            head = Fact("class  per km  per stop", {"carrier": self.carrier})
            return [head, Rows("rates", "{class:<5}  {km:>6}  {stop:>8}", self.rows)]
        if wanted.operator in ("tour", "park") and wanted["tour"] != self.tour:
            return [Fact("no such tour", {"error": "no such tour"})]
        if wanted.operator == "tour":
            start, end = self.towns
            text = (
                f"{self.tour} from {start} to {end}: {self.km} km, {self.stops} stops, "
                f"class {self.kind}, driver {self.driver}, {self.state}."
            )
            data: dict[str, Value] = {"from": start, "to": end, "km": self.km}
            data |= {"stops": self.stops, "class": self.kind, "driver": self.driver}
            return [Fact(text, data | {"state": self.state})]
        if wanted["bill"] != self.bill:
            return [Fact("no such bill", {"error": "no such bill"})]
        if wanted.operator == "bill":
            data = {"bill": self.bill, "carrier": self.carrier, "tour": self.tour}
            data |= {"amount": self.amount, "currency": "EUR"}
            return [Fact("\n".join(f"{name}: {value}" for name, value in data.items()), data)]
        return [Fact("Settled.", {"settled": self.bill})]
