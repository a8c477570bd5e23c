"""Counters: letters, spare parts, freight."""

from __future__ import annotations

from datetime import date, timedelta

from ...ladder.names import CITIES, PARTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class MailTriage(Desk):
    """A tray of letters is sorted to desks; a registered letter gets a receipt first."""

    name = "mail-triage"
    difficulty = "one after the other until none is left; a table of the first page says where to"
    operators = (
        Operator("next", "take the next letter", about="The next one of the tray."),
        Operator("receipt", "write a receipt to {sender}", about="For a registered letter."),
        Operator("put", "put {letter} on desk {desk}", ("desk",), "Hands it on."),
        Operator("lock", "lock tray {tray}", about="Final."),
    )
    changing, irrevocable, finals = ("receipt", "put"), ("put",), ("lock",)
    free = ("receipt", "lock")
    horizon = 16

    wordings = (
        "Sort tray {tray}.",
        "The letters in tray {tray} are to be on their desks by noon.",
        "Tray {tray} is full, work it off.",
    )
    kinds = ("invoice", "complaint", "application", "contract")

    def begin(self) -> tuple[str, Result]:
        """Draw letters and desks."""
        tray = self.identifier("A#-##")
        desks = dict(zip(self.kinds, self.rng.sample(range(1, 12), len(self.kinds)), strict=True))
        count, special = case_of(self.name, self.task, ((2, 1), (3, 1), (3, 2), (4, 1), (2, 0)))
        senders = self.draw(SURNAMES, count)
        letters = distinct(lambda: self.identifier("L-###"), count)
        kinds = [self.rng.choice(self.kinds) for _ in letters]
        marked = set(self.rng.sample(letters, special))
        self.letters = [
            (letter, kind, sender, letter in marked)
            for letter, kind, sender in zip(letters, kinds, senders, strict=True)
        ]
        self.taken = 0
        plan, wrong = [], []
        for letter, kind, sender, registered in self.letters:
            receipt = call("receipt", sender=sender)
            plan += [call("next"), *([receipt] if registered else [])]
            plan.append(call("put", letter=letter, desk=desks[kind]))
            wrong += [receipt, *(call("put", letter=letter, desk=n) for n in desks.values())]
        plan += [call("next"), call("lock", tray=tray)]
        self.lay_out(plan, wrong)
        asked = self.rng.choice(self.wordings).format(tray=tray)
        text = "\n".join(f"{kind:<12} desk {desk}" for kind, desk in desks.items())
        return asked, [Fact(text, dict(desks))]

    def answer(self, wanted: Call) -> Result:
        """Show a letter, or note what is done with it."""
        if wanted.operator == "lock":
            self.out_of_turn |= self.taken < len(self.letters)
            return [Fact("The tray is locked.", {"locked": True})]
        if wanted.operator != "next":
            return [Fact("Done.", {"done": True})]
        if self.taken >= len(self.letters):
            return [Fact("The tray is empty.", {"letter": None})]
        letter, kind, sender, registered = self.letters[self.taken]
        self.taken += 1
        text = f"{letter}: {kind} from {sender}{', registered' if registered else ''}."
        data: dict[str, Value] = {"letter": letter, "kind": kind, "sender": sender}
        return [Fact(text, data | {"registered": registered})]


class OfficinaRicambi(Desk):
    """Italian: a part is ordered; where it is sold out, the one that replaces it."""

    name = "officina-ricambi"
    difficulty = "Italian; a state leads to a second record; pieces times a price is told"
    operators = (
        Operator("cerca", "cerca codice {codice}", about="La scheda di un ricambio."),
        Operator("ordina", "ordina {pezzi} pezzi di {codice}", ("pezzi",), "Ordina un ricambio."),
        Operator("scrivi", "scrivi a {officina} totale {totale}", ("totale",), "Ultimo passo."),
    )
    changing, irrevocable, finals = ("ordina",), ("ordina",), ("scrivi",)
    free = ("cerca", "ordina", "scrivi")
    horizon = 6

    wordings = (
        "L'officina {officina} vuole {pezzi} pezzi del codice {codice}.",
        "Servono {pezzi} pezzi di {codice} per l'officina {officina}.",
        "Codice {codice}, {pezzi} pezzi, officina {officina}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw parts and a garage."""
        (officina,), (self.part,) = self.draw(SURNAMES), self.draw(PARTS)
        self.codes = distinct(lambda: self.identifier("AA-####"), 2)
        self.there = case_of(self.name, self.task, (True, False))
        pieces = self.rng.randint(2, 12)
        self.prices = self.rng.sample(range(4, 150), 2)
        orders = [call("ordina", pezzi=pieces, codice=code) for code in self.codes]
        ends = [call("scrivi", officina=officina, totale=pieces * p) for p in self.prices]
        plan = [call("cerca", codice=self.codes[0])]
        if not self.there:
            plan.append(call("cerca", codice=self.codes[1]))
        place = 0 if self.there else 1
        self.lay_out([*plan, orders[place], ends[place]], [*orders, *ends])
        asked = self.rng.choice(self.wordings).format(
            officina=officina, pezzi=pieces, codice=self.codes[0]
        )
        return asked, [Fact("Magazzino ricambi, aperto", {"stato": "aperto"})]

    def answer(self, wanted: Call) -> Result:
        """Show, order or write."""
        if wanted.operator != "cerca":
            return [Fact("Fatto.", {"fatto": True})]
        if wanted["codice"] not in self.codes:
            return [Fact("Codice sconosciuto.", {"error": "sconosciuto"})]
        place = self.codes.index(wanted["codice"])
        price = self.prices[place]
        if place == 0 and not self.there:
            text = f"{self.codes[0]}: esaurito, {price} euro, sostituito da {self.codes[1]}"
            data: dict[str, Value] = {"stato": "esaurito", "prezzo": price}
            return [Fact(text, data | {"sostituito_da": self.codes[1]})]
        text = f"{self.codes[place]}: disponibile, {price} euro"
        return [Fact(text, {"stato": "disponibile", "prezzo": price, "sostituito_da": None})]


class TariffQuote(Desk):
    """A price by the zone of a city, and the day of arrival by the days that it takes."""

    name = "tariff-quote"
    difficulty = "two tables: a city's zone, a zone's price and days; a product and a day are typed"
    operators = (
        Operator("zone", "zone of {city}", about="Which zone a city is in."),
        Operator("tariff", "tariff table", about="Prices and days of all zones."),
        Operator(
            "quote",
            "quote {customer}: {price} EUR, there on {day}",
            ("price",),
            "Final.",
        ),
    )
    finals, free = ("quote",), ("zone", "quote")
    horizon = 6

    wordings = (
        "{customer} wants to send {kg} kg to {city} on {day}.",
        "Quote for {customer}: {kg} kg, {city}, leaves on {day}.",
        "What is {kg} kg to {city}, sent on {day}? Tell {customer}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a parcel and tables."""
        (customer,), (self.city,) = self.draw(SURNAMES), self.draw(CITIES)
        zones = ("N", "S", "E", "W")
        self.zone = case_of(self.name, self.task, zones)
        kg, day = self.rng.randint(3, 90), date(2026, 1, 2) + timedelta(self.rng.randint(0, 350))
        prices = self.rng.sample(range(2, 20), 4)
        takes = self.rng.sample(range(1, 9), 4)
        rows: list[dict[str, Value]] = [
            {"zone": zone, "per_kg": price, "days": days}
            for zone, price, days in zip(zones, prices, takes, strict=True)
        ]
        right = next(row for row in rows if row["zone"] == self.zone)
        self.rows = self.arranged(rows, right)
        quotes = {
            (price, days): call(
                "quote",
                customer=customer,
                price=kg * price,
                day=(day + timedelta(days)).isoformat(),
            )
            for price in prices
            for days in takes
        }
        quote = quotes[prices[zones.index(self.zone)], takes[zones.index(self.zone)]]
        plan = [call("zone", city=self.city), call("tariff"), quote]
        self.lay_out(plan, [*quotes.values()])
        asked = self.rng.choice(self.wordings).format(
            customer=customer, kg=kg, city=self.city, day=day.isoformat()
        )
        return asked, [Fact("FREIGHT DESK", {"desk": "freight"})]

    def answer(self, wanted: Call) -> Result:
        """Show or quote."""
        if wanted.operator == "zone":
            if wanted["city"] != self.city:
                return [Fact("not served", {"error": "not served"})]
            return [Fact(f"{self.city} is in zone {self.zone}.", {"zone": self.zone})]
        if wanted.operator == "tariff":
            head = "zone | EUR per kg | days"
            return [Fact(head), Rows("tariff", "{zone:<4} | {per_kg:>10} | {days:>4}", self.rows)]
        return [Fact("sent", {"sent": True})]
