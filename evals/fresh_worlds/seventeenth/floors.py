"""Floors: doors of a dock, goods that expire, a German run of payments."""

from __future__ import annotations

from datetime import date, timedelta

from ...ladder.names import CITIES, PARTS, PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class DockDoor(Desk):
    """A truck gets the first free door of its load's kind, and its driver is called; else parks.

    A driver who waits in the yard is not called.
    """

    name = "dock-door"
    difficulty = "easy; a terminal; the first row of a list with two right values; or none"
    operators = (
        Operator("show", "SHOW {truck}", about="Load and driver."),
        Operator("doors", "DOORS", about="All doors, by number."),
        Operator("dock", "DOCK {truck} {door}", about="Gives a door."),
        Operator("radio", "CALL {driver}", about="Final."),
        Operator("park", "PARK {truck}", about="Final: no door is free."),
    )
    changing = irrevocable = ("dock",)
    finals = ("radio", "park")
    free = ("show", "doors", "dock", "radio", "park")
    horizon = 6

    wordings = (
        "Truck {truck} is at the gate.",
        "{truck} from {city} has come, where does it go?",
        "Find a door for {truck}.",
    )
    loads = ("DRY", "CHILL", "FROZEN", "BULK")

    def begin(self) -> tuple[str, Result]:
        """Draw a truck and the doors."""
        found = case_of(self.name, self.task, (True, True, True, False))
        self.truck, (self.driver, other) = self.identifier("AA-####"), self.draw(SURNAMES, 2)
        (city,), self.load = self.draw(CITIES), self.rng.choice(self.loads)
        self.pallets = self.rng.randint(4, 33)
        numbers = sorted(self.rng.sample(range(10, 80), 7))
        loads = [self.load, self.load, *(self.rng.choice(self.loads) for _ in range(5))]
        self.rng.shuffle(loads)
        states = [self.rng.choice(("FREE", "BUSY")) for _ in numbers]
        mine = [place for place, load in enumerate(loads) if load == self.load]
        for place in [self.rng.choice(mine)] if found else mine:
            states[place] = "FREE" if found else "BUSY"
        pairs = list(zip(loads, states, strict=True))
        self.rows: list[dict[str, Value]] = [
            {"door": f"D{number}", "kind": load, "state": state}
            for number, (load, state) in zip(numbers, pairs, strict=True)
        ]
        docks = [call("dock", truck=self.truck, door=row["door"]) for row in self.rows]
        calls = [call("radio", driver=each) for each in (self.driver, other)]
        show, park = call("show", truck=self.truck), call("park", truck=self.truck)
        plan = [show, call("doors")]
        plan += [docks[pairs.index((self.load, "FREE"))], calls[0]] if found else [park]
        self.lay_out(plan, [show, call("doors"), *docks, *calls, park])
        asked = self.rng.choice(self.wordings).format(truck=self.truck, city=city)
        waiting = self.rng.randint(1, 20)
        return asked, [Fact(f"YARD {waiting} WAITING", {"waiting": waiting})]

    def answer(self, wanted: Call) -> Result:
        """Show, dock or end."""
        if wanted.values.get("truck", self.truck) != self.truck:
            return [Fact("? NO SUCH TRUCK", {"error": "no such truck"})]
        if wanted.operator == "show":
            text = f"LOAD {self.load}\nPALLETS {self.pallets}\nDRIVER {self.driver}"
            data: dict[str, Value] = {"load": self.load, "pallets": self.pallets}
            return [Fact(text, data | {"driver": self.driver})]
        if wanted.operator == "doors":
            return [Rows("doors", "{door} {kind:<6} {state}", self.rows)]
        return [Fact("OK", {"ok": True})]


class PickExpiry(Desk):
    """Each line is picked from the bin that expires first, the rest from the one after it.

    A line that all bins together cannot fill is marked short, nothing of it is picked, and the
    order is held.
    """

    name = "pick-expiry"
    difficulty = "hard; for each line the earliest date, a rest from the next, or none; the end"
    operators = (
        Operator("order", "ORDER {order}", about="Lines of an order."),
        Operator("bins", "BINS {item}", about="Where an item lies."),
        Operator("pick", "PICK {count} {item} FROM {bin}", ("count",), "Takes it out."),
        Operator("short", "SHORT {item}", about="There is not enough."),
        Operator("ship", "SHIP {order}", about="Final."),
        Operator("hold", "HOLD {order}", about="Final: a line is short."),
    )
    changing = irrevocable = ("pick", "short")
    finals = ("ship", "hold")
    free = ("order", "bins", "pick", "short", "ship", "hold")
    horizon = 10

    wordings = (
        "Pick order {order}.",
        "Order {order} for {person} is next.",
        "Take {order} to the packing table.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw an order and what lies in the bins."""
        cases = (
            *(("one", "split"), ("split", "one"), ("one", "short"), ("one", "one")),
            *(("split", "split"), ("short", "split"), ("split",), ("one",)),
        )
        kinds = case_of(self.name, self.task, cases)
        self.order, (person,) = self.identifier("SO-#####"), self.draw(PEOPLE)
        self.items = [f"{p.split()[0]}-{self.identifier('##')}" for p in self.draw(PARTS, 2)]
        self.items, self.bins = self.items[: len(kinds)], {}
        order = call("order", order=self.order)
        plan, offered, lines = [order], [order], list[dict[str, Value]]()
        for item, kind in zip(self.items, kinds, strict=True):
            wanted, rows = self._stocked(kind)
            lines.append({"item": item, "count": wanted})
            self.bins[item] = self.arranged(rows)
            look = call("bins", item=item)
            taken = [int(str(row["count"])) for row in rows]
            best = min(wanted, taken[0])
            counts = sorted({wanted, best, wanted - best, *taken} - {0})
            every = {
                (count, row["bin"]): call("pick", count=count, item=item, bin=row["bin"])
                for count in counts
                for row in rows
            }
            short = call("short", item=item)
            offered += [look, *every.values(), short]
            picks = [every[best, rows[0]["bin"]]]
            picks += [every[wanted - best, rows[1]["bin"]]] if kind == "split" else []
            plan += [look, *([short] if kind == "short" else picks)]
        self.lines = lines
        ship, hold = call("ship", order=self.order), call("hold", order=self.order)
        self.lay_out([*plan, hold if "short" in kinds else ship], [*offered, ship, hold])
        asked = self.rng.choice(self.wordings).format(order=self.order, person=person)
        shift = self.rng.choice(("EARLY", "LATE", "NIGHT"))
        return asked, [Fact(f"SHIFT {shift}", {"shift": shift})]

    def _stocked(self, kind: str) -> tuple[int, list[dict[str, Value]]]:
        """Draw what is wanted of an item, and its bins, those that expire first at the front."""
        bins = distinct(lambda: self.identifier("A##"), 3)
        counts = [self.rng.randint(4, 30) for _ in bins]
        first, second, _ = counts
        wanted = {
            "one": self.rng.randint(2, first),
            "split": first + self.rng.randint(1, second),
            "short": sum(counts) + self.rng.randint(1, 12),
        }[kind]
        day = date(2026, self.rng.randint(1, 12), self.rng.randint(1, 28))
        later = sorted(self.rng.sample(range(200), 3))
        rows: list[dict[str, Value]] = [
            {"bin": each, "count": count, "expires": (day + timedelta(more)).isoformat()}
            for each, count, more in zip(bins, counts, later, strict=True)
        ]
        return wanted, rows

    def answer(self, wanted: Call) -> Result:
        """Show, pick or end."""
        values = wanted.values
        if values.get("order", self.order) != self.order:
            return [Fact("? NO SUCH ORDER", {"error": "no such order"})]
        if values.get("item", self.items[0]) not in self.items:
            return [Fact("? NO SUCH ITEM", {"error": "no such item"})]
        if wanted.operator == "order":
            return [Rows("lines", "{item} x {count}", self.lines)]
        if wanted.operator == "bins":
            return [Rows("bins", "{bin} QTY {count} EXP {expires}", self.bins[wanted["item"]])]
        return [Fact("OK", {"ok": True})]


class SkontoLauf(Desk):
    """German: a bill is paid less the supplier's discount while its days last, else in full.

    A bill whose account is not the one of the supplier is blocked.
    """

    name = "skonto-lauf"
    difficulty = "hard; German; days since a date against a limit; per cent off, or all; a mismatch"
    operators = (
        Operator("rechnung", "zeige Rechnung {nummer}", about="Betrag, Datum und Konto."),
        Operator("lieferant", "zeige Lieferant {firma}", about="Konto und Skonto."),
        Operator("zahlen", "zahle {betrag} EUR an {konto}", ("betrag",), "Nicht umkehrbar."),
        Operator("buchen", "buche Rechnung {nummer}", about="Letzter Schritt."),
        Operator("sperren", "sperre Rechnung {nummer}", about="Letzter Schritt: falsches Konto."),
    )
    changing = irrevocable = ("zahlen",)
    finals = ("buchen", "sperren")
    free = ("rechnung", "lieferant", "zahlen", "buchen", "sperren")
    horizon = 7

    wordings = (
        "Bitte Rechnung {nummer} zahlen.",
        "Rechnung {nummer} von {firma} ist freigegeben.",
        "{nummer} liegt im Zahlungslauf.",
        "Prüfe und zahle die Rechnung {nummer} ({firma}).",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a bill and its supplier."""
        kind = case_of(self.name, self.task, ("früh", "spät", "früh", "spät", "falsch"))
        self.nummer, (name,) = self.identifier("R-#####"), self.draw(SURNAMES)
        self.firma = f"{name} {self.rng.choice(('GmbH', 'AG', 'KG'))}"
        self.days, self.percent = self.rng.randint(5, 20), self.rng.choice((2, 3, 4, 5))
        today = date(2026, self.rng.randint(1, 12), self.rng.randint(1, 28))
        ago = self.rng.randint(0, self.days)
        ago = self.days + self.rng.randint(1, 14) if kind == "spät" else ago
        self.dated = today - timedelta(ago)
        self.amount = self.rng.randrange(200, 9000, 100)
        konten = distinct(lambda: self.identifier("DE########"), 2)
        self.konto, self.own = konten[kind == "falsch"], konten[0]
        less = self.amount * (100 - self.percent) // 100
        sums = (less, self.amount, self.amount - self.percent, self.amount * 2 - less)
        pays = {
            (betrag, konto): call("zahlen", betrag=betrag, konto=konto)
            for betrag in sums
            for konto in konten
        }
        look, firm = call("rechnung", nummer=self.nummer), call("lieferant", firma=self.firma)
        book, block = (call(each, nummer=self.nummer) for each in self.finals)
        paid = [pays[less if kind == "früh" else self.amount, self.own], book]
        plan = [look, firm, *([block] if kind == "falsch" else paid)]
        self.lay_out(plan, [look, firm, *pays.values(), book, block])
        asked = self.rng.choice(self.wordings).format(nummer=self.nummer, firma=self.firma)
        return asked, [Fact(f"Heute ist der {today:%d.%m.%Y}.", {"heute": f"{today:%d.%m.%Y}"})]

    def answer(self, wanted: Call) -> Result:
        """Show, pay or end."""
        values = wanted.values
        known = (values.get("nummer", self.nummer), values.get("firma", self.firma))
        if known != (self.nummer, self.firma):
            return [Fact("Nicht gefunden.", {"error": "nicht gefunden"})]
        data: dict[str, Value] = {}
        if wanted.operator == "rechnung":
            data = {"Lieferant": self.firma, "Betrag": f"{self.amount} EUR"}
            data |= {"Datum": f"{self.dated:%d.%m.%Y}", "Konto": self.konto}
        if wanted.operator == "lieferant":
            data = {"Firma": self.firma, "Konto": self.own}
            data |= {"Skonto": f"{self.percent} %", "Skontofrist": f"{self.days} Tage"}
        if data:
            return [Fact("\n".join(f"{key}: {value}" for key, value in data.items()), data)]
        return [Fact("Erledigt.", {"erledigt": True})]
