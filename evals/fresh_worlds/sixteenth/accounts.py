"""Accounts: payments on a statement, vehicles on a ferry, a bill that is shared."""

from __future__ import annotations

from ...ladder.names import CITIES, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class StatementMatch(Desk):
    """Each payment of a statement is held against the invoice that it names.

    The full amount settles it; too little is claimed and too much paid back, as a difference; a
    payment whose invoice does not exist is parked.
    """

    name = "statement-match"
    difficulty = "each row is looked up; four outcomes by a comparison; a difference either way"
    operators = (
        Operator("statement", "open statement {statement}", about="Payments."),
        Operator("invoice", "find invoice {invoice}", about="What is open."),
        Operator("settle", "settle {invoice}", about="Paid in full."),
        Operator("claim", "claim {euro} EUR on {invoice}", ("euro",), "What is missing."),
        Operator("repay", "repay {euro} EUR on {invoice}", ("euro",), "What is too much."),
        Operator("park", "park line {line}", about="No such invoice."),
        Operator("close", "close statement {statement}", about="Final."),
    )
    changing = irrevocable = ("settle", "claim", "repay", "park")
    finals = ("close",)
    free = ("statement", "invoice", "settle", "claim", "repay", "park", "close")
    horizon = 12

    wordings = (
        "Book statement {statement}.",
        "Go through bank statement {statement}.",
        "Statement {statement} came in, match the payments.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw payments and invoices."""
        cases = (
            *(("settle", "claim"), ("repay", "settle"), ("park", "claim"), ("settle", "repay")),
            *(("claim", "park", "settle"), ("settle", "settle"), ("repay", "claim", "park")),
        )
        kinds = case_of(self.name, self.task, cases)
        self.statement = self.identifier("ST-####")
        names = distinct(lambda: self.identifier("R#####"), len(kinds))
        people = self.draw(SURNAMES, len(kinds))
        lines = sorted(self.rng.sample(range(1, 60), len(kinds)))
        self.open: dict[str, int] = {}
        self.customer = dict(zip(names, people, strict=True))
        self.rows: list[dict[str, Value]] = []
        plan, every = [call("statement", statement=self.statement)], []
        for name, person, line, kind in zip(names, people, lines, kinds, strict=True):
            due, more = self.rng.randint(60, 900), self.rng.randint(5, 55)
            paid = due + {"claim": -more, "repay": more}.get(kind, 0)
            self.rows.append({"line": line, "payer": person, "invoice": name, "paid": paid})
            find, settle = call("invoice", invoice=name), call("settle", invoice=name)
            claims = [call("claim", euro=each, invoice=name) for each in (more, due)]
            repays = [call("repay", euro=each, invoice=name) for each in (more, paid)]
            park = call("park", line=line)
            if kind != "park":
                self.open[name] = due
            right = {"settle": settle, "claim": claims[0], "repay": repays[0], "park": park}
            plan += [find, right[kind]]
            every += [find, settle, *claims, *repays, park]
        close = call("close", statement=self.statement)
        self.lay_out([*plan, close], [plan[0], *every, close])
        asked = self.rng.choice(self.wordings).format(statement=self.statement)
        euro = self.rng.randint(1000, 90000)
        return asked, [Fact(f"balance {euro} EUR", {"balance": euro})]

    def answer(self, wanted: Call) -> Result:
        """Show, book or end."""
        if wanted.values.get("statement", self.statement) != self.statement:
            return [Fact("no such statement", {"error": "no such statement"})]
        if wanted.operator == "statement":
            head = Fact("line | payer | reference | amount")
            return [head, Rows("payments", "{line} | {payer} | {invoice} | {paid} EUR", self.rows)]
        if wanted.operator == "invoice":
            name = wanted["invoice"]
            if name not in self.open:
                return [Fact("not found", {"state": "not found"})]
            text = f"{name}, customer {self.customer[name]}, open {self.open[name]} EUR"
            data: dict[str, Value] = {"customer": self.customer[name], "open": self.open[name]}
            return [Fact(text, data | {"state": "found"})]
        return [Fact("booked", {"booked": True})]


class FerryDeck(Desk):
    """Vehicles board while the deck has metres left: priority first, then as they stand in line.

    One that does not fit any more is moved to the next sailing; a shorter one behind it may fit.
    """

    name = "ferry-deck"
    difficulty = "a number that shrinks along rows; one class goes first; who does not fit moves on"
    operators = (
        Operator("sailing", "sailing {sailing}", about="Free metres and the next sailing."),
        Operator("queue", "queue {sailing}", about="Vehicles in line."),
        Operator("board", "board {plate}", about="It drives on."),
        Operator("move", "move {plate} to {sailing}", about="It waits for the next."),
        Operator("depart", "depart {sailing}", about="Final."),
    )
    changing = irrevocable = ("board", "move")
    finals = ("depart",)
    free = ("sailing", "queue", "board", "move", "depart")
    horizon = 10

    wordings = (
        "Load {sailing}.",
        "Boarding of {sailing} has started.",
        "{sailing} to {city}: let the vehicles on.",
        "See to the queue of {sailing}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a deck and a queue."""
        left_out, first = case_of(
            self.name, self.task, ((0, 0), (1, 0), (1, 1), (2, 1), (0, 1), (1, 0), (1, 1))
        )
        self.code, self.next = distinct(lambda: self.identifier("F####"), 2)
        (self.city,) = self.draw(CITIES)
        plates = distinct(lambda: self.identifier("AA-###"), self.rng.randint(4, 5))
        last = self.rng.randrange(1, len(plates))
        classes = ["priority" if first and i == last else "normal" for i in range(len(plates))]
        order = sorted(range(len(plates)), key=lambda i: (classes[i] == "normal", i))
        while True:
            lengths = [self.rng.randint(4, 18) for _ in plates]
            self.metres = sum(lengths) + self.rng.randint(0, 9)
            self.metres -= self.rng.randint(10, 40) if left_out else 0
            on, room = set[int](), self.metres
            for i in order:
                if lengths[i] <= room:
                    on.add(i)
                    room -= lengths[i]
            if on and len(plates) - len(on) == left_out:
                break
        self.rows: list[dict[str, Value]] = [
            {"plate": plate, "metres": length, "class": sort}
            for plate, length, sort in zip(plates, lengths, classes, strict=True)
        ]
        boards = [call("board", plate=each) for each in plates]
        moves = [call("move", plate=each, sailing=self.next) for each in plates]
        looks = [call(each, sailing=self.code) for each in ("sailing", "queue", "depart")]
        plan = [*looks[:2], *(boards[i] if i in on else moves[i] for i in order), looks[2]]
        self.lay_out(plan, [*looks, *boards, *moves])
        asked = self.rng.choice(self.wordings).format(sailing=self.code, city=self.city)
        knots = self.rng.randint(2, 30)
        return asked, [Fact(f"wind {knots} knots", {"wind_knots": knots})]

    def answer(self, wanted: Call) -> Result:
        """Show, board, move or end."""
        sailing = self.next if wanted.operator == "move" else self.code
        if wanted.values.get("sailing", sailing) != sailing:
            return [Fact("not today", {"error": "not today"})]
        if wanted.operator == "sailing":
            text = f"{self.code} to {self.city}\nfree deck: {self.metres} m\n"
            data: dict[str, Value] = {"to": self.city, "free_deck": self.metres}
            return [Fact(f"{text}next sailing: {self.next}", data | {"next_sailing": self.next})]
        if wanted.operator == "queue":
            return [Rows("queue", "{plate}  {metres} m  {class}", self.rows)]
        return [Fact("ok", {"ok": True})]


class HeatingShares(Desk):
    """A bill is shared by floor space; the share of a flat that is empty goes to the owner."""

    name = "heating-shares"
    difficulty = "each row's share of a total by its part of a sum; one class pays by another name"
    operators = (
        Operator("bill", "bill {house}", about="Amount and owner."),
        Operator("flats", "flats {house}", about="Space and tenants."),
        Operator("charge", "charge {person},{flat},{euro}", ("euro",), "One share."),
        Operator("close", "close {house}", about="Final."),
    )
    changing, irrevocable, finals = ("charge",), ("charge",), ("close",)
    free = ("bill", "flats", "charge", "close")
    horizon = 9

    wordings = (
        "Share out the heating bill of house {house}.",
        "House {house}: who pays how much of the heating?",
        "Heating of {house}, please charge all flats.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a house and its bill."""
        empty = case_of(self.name, self.task, (0, 1, 0, 1))
        self.house, rate = self.identifier("H-####"), self.rng.randint(4, 19)
        count = self.rng.randint(2, 4)
        self.owner, *tenants = self.draw(SURNAMES, count + 1)
        spaces = self.rng.sample(range(28, 140), count)
        flats = distinct(lambda: self.identifier("#A"), count)
        bare = self.rng.randrange(count) if empty else -1
        self.total, self.year = rate * sum(spaces), self.rng.randint(2015, 2025)
        self.rows: list[dict[str, Value]] = [
            {"flat": flat, "m2": space, "tenant": "empty" if i == bare else tenant}
            for i, (flat, space, tenant) in enumerate(zip(flats, spaces, tenants, strict=True))
        ]
        payers = [self.owner if i == bare else each for i, each in enumerate(tenants)]
        plan = [
            call("charge", person=person, flat=flat, euro=rate * space)
            for person, flat, space in zip(payers, flats, spaces, strict=True)
        ]
        wrong = [
            call("charge", person=person, flat=flat, euro=euro)
            for flat in flats
            for person in (self.owner, *tenants)
            for euro in (self.total // count, *(rate * space for space in spaces))
        ]
        bill, lists, close = (call(each, house=self.house) for each in ("bill", "flats", "close"))
        self.lay_out([bill, lists, *plan, close], [bill, lists, *wrong, close])
        asked = self.rng.choice(self.wordings).format(house=self.house)
        return asked, [Fact("ledger open", {"ledger": "open"})]

    def answer(self, wanted: Call) -> Result:
        """Show, charge or end."""
        if wanted.values.get("house", self.house) != self.house:
            return [Fact("unknown house", {"error": "unknown house"})]
        if wanted.operator == "bill":
            text = f"year,{self.year}\nowner,{self.owner}\ntotal,{self.total}"
            data: dict[str, Value] = {"year": self.year, "owner": self.owner}
            return [Fact(text, data | {"total": self.total})]
        if wanted.operator == "flats":
            return [Fact("flat,m2,tenant"), Rows("flats", "{flat},{m2},{tenant}", self.rows)]
        return [Fact("ok", {"ok": True})]
