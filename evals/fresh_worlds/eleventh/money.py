"""Money: a deposit, a claim in another currency, a line of a long ledger."""

from __future__ import annotations

from datetime import date, timedelta

from ...ladder.names import PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of, worded
from ..desk import Desk
from ..shared import distinct


class DepositReturn(Desk):
    """What damages leave of a deposit goes back; what they cost beyond it is claimed."""

    name = "deposit-return"
    difficulty = (
        "a sum of rows against an amount of a record: the difference goes one way or another"
    )
    operators = (
        Operator("lease", "lease {flat}", about="The lease of a flat."),
        Operator("damages", "damages {flat}", about="What is broken."),
        Operator("photos", "photos {flat}", about="Pictures."),
        Operator("refund", "refund {amount} to {account}", ("amount",), "Pays back."),
        Operator("claim", "claim {amount} from {tenant}", ("amount",), "Asks for more."),
        Operator("close", "close {flat}", about="Final."),
    )
    changing, irrevocable, finals = ("refund", "claim"), ("refund", "claim"), ("close",)
    free = ("lease", "damages", "photos", "refund", "claim", "close")
    horizon = 8

    wordings = (
        "The tenant of flat {flat} has moved out. Settle the deposit.",
        "Flat {flat} is empty, handed over by {who}. Settle the deposit.",
        "Deposit of {flat}, please ({who} has the keys).",
    )
    things = ("door", "wall", "floor", "window", "sink", "oven", "blinds", "carpet")

    def begin(self) -> tuple[str, Result]:
        """Draw a lease and damages."""
        self.flat, (who,) = self.identifier("##/AA"), self.draw(PEOPLE)
        self.tenant, self.account = self.identifier("T-####"), self.identifier("AA## #### ####")
        count, over = case_of(
            self.name, self.task, ((1, False), (2, False), (3, False), (2, True), (3, True))
        )
        costs = [self.rng.randrange(20, 400, 5) for _ in range(count)]
        total = sum(costs)
        by = self.rng.randrange(10, 800, 5)
        self.deposit = max(total - min(by, total - 10), 5) if over else total + by
        items = self.rng.sample(self.things, count)
        self.rows: list[dict[str, Value]] = [
            {"item": item, "cost": cost} for item, cost in zip(items, costs, strict=True)
        ]
        rest = abs(self.deposit - total)
        refund = call("refund", amount=rest, account=self.account)
        claim = call("claim", amount=rest, tenant=self.tenant)
        whole = call("refund", amount=self.deposit, account=self.account)
        plan = [call("lease", flat=self.flat), call("damages", flat=self.flat)]
        plan += [call("photos", flat=self.flat)] if self.rng.random() < 0.25 else []
        plan += [claim if over else refund, call("close", flat=self.flat)]
        self.lay_out(plan, [refund, claim, whole, call("photos", flat=self.flat)])
        asked = self.rng.choice(self.wordings).format(flat=self.flat, who=who)
        flats = self.rng.randint(40, 400)
        return asked, [Fact(f"HOUSEKEEPER: {flats} flats", {"flats": flats})]

    def answer(self, wanted: Call) -> Result:
        """Show, pay, claim or close."""
        if wanted.operator in ("refund", "claim"):
            return [Fact("booked", {"booked": True})]
        if wanted["flat"] != self.flat:
            return [Fact("no such flat", {"error": "no such flat"})]
        if wanted.operator == "lease":
            rent = self.rng.randrange(300, 1500, 10)
            text = f"flat {self.flat}; tenant {self.tenant}; rent {rent}; deposit {self.deposit}; "
            data: dict[str, Value] = {"flat": self.flat, "tenant": self.tenant, "rent": rent}
            data |= {"deposit": self.deposit, "account": self.account}
            return [Fact(f"{text}account {self.account}", data)]
        if wanted.operator == "damages":
            return [Rows("damages", "* {item}: {cost} EUR", self.rows)]
        if wanted.operator == "photos":
            return [Fact(f"{self.rng.randint(2, 30)} pictures", {"pictures": True})]
        return [Fact("closed", {"closed": True})]


class FxClaim(Desk):
    """An amount in another currency goes into a claim in euros, with a receipt above a limit."""

    name = "fx-claim"
    difficulty = (
        "an amount of the task times a rate of its day and currency; a limit on the first page"
    )
    operators = (
        Operator("rates", "rates {day}", about="Rates of a day, YYYY-MM-DD."),
        Operator("line", "add line {amount} EUR to {claim}", about="Enters an amount."),
        Operator("receipt", "attach receipt to {claim}", about="Above a limit."),
        Operator("submit", "submit {claim}", about="Final."),
    )
    changing, finals = ("line", "receipt"), ("submit",)
    free = ("rates", "line", "submit")
    horizon = 7

    wordings = (
        "{person} paid {amount} {currency} on {day}. Claim {claim}.",
        "Claim {claim}: {amount} {currency}, paid by {person} on {day}.",
        "On {day} {person} spent {amount} {currency}; put it into {claim}.",
    )
    currencies = ("USD", "GBP", "CHF", "SEK", "PLN", "CZK")
    limit = 60

    def begin(self) -> tuple[str, Result]:
        """Draw a payment and rates."""
        (person,), claim = self.draw(PEOPLE), self.identifier("C-#####")
        self.day = date(2025, 1, 1) + timedelta(self.rng.randint(0, 500))
        large = case_of(self.name, self.task, (True, False))
        rates = {each: self.rng.randint(8, 130) for each in self.currencies}
        currency = self.rng.choice(self.currencies)
        least = self.limit * 100 // rates[currency] + 1
        amount = least + self.rng.randint(1, 400) if large else self.rng.randint(2, least - 1)
        cents = amount * rates[currency]
        euros = f"{cents // 100}.{cents % 100:02}"
        rows: list[dict[str, Value]] = [
            {"currency": each, "rate": f"{rate / 100:.2f}"} for each, rate in rates.items()
        ]
        right = next(row for row in rows if row["currency"] == currency)
        self.rows = self.arranged(rows, right)
        line, receipt = call("line", amount=euros, claim=claim), call("receipt", claim=claim)
        wrong = call("line", amount=f"{amount}.00", claim=claim)
        plan = [call("rates", day=self.day.isoformat()), line]
        plan += [receipt] if large else []
        self.lay_out([*plan, call("submit", claim=claim)], [line, wrong, receipt])
        asked = self.rng.choice(self.wordings).format(
            person=person, amount=amount, currency=currency, day=worded(self.day), claim=claim
        )
        text = f"Claims in EUR. A receipt is needed above {self.limit} EUR."
        return asked, [Fact(text, {"receipt_above": self.limit})]

    def answer(self, wanted: Call) -> Result:
        """Show rates, enter, attach or submit."""
        if wanted.operator == "rates":
            if wanted["day"] != self.day.isoformat():
                return [Fact("no rates", {"error": "no rates"})]
            return [Fact("1 unit in EUR"), Rows("rates", "{currency} {rate}", self.rows)]
        if wanted.operator == "line":
            self.overwrite(wanted, "claim")
        return [Fact("ok", {"ok": True})]


class LedgerMatch(Desk):
    """An invoice is found among some thirty lines by its supplier and amount, and seen to."""

    name = "ledger-match"
    difficulty = (
        "a long table with much noise; a row by two criteria, whose state decides what is done"
    )
    operators = (
        Operator("ledger", "open ledger {book}", about="All lines of a ledger."),
        Operator("free", "lift hold {line}", about="Takes a line out of hold."),
        Operator("pay", "pay {line}", about="Orders a payment."),
        Operator("tell", "tell {supplier} paid as {line}", about="Answers a supplier."),
        Operator("done", "done {ticket}", about="Final."),
    )
    changing = irrevocable = ("free", "pay", "tell")
    finals, free = ("done",), ("ledger", "done")
    horizon = 7

    wordings = (
        "{ticket}: {supplier} asks about an invoice of {amount} EUR in ledger {book}.",
        "{supplier} still waits for {amount} EUR. Ledger {book}, ticket {ticket}.",
        "See ledger {book} for {amount} EUR of {supplier} and finish {ticket}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a ledger."""
        self.book, ticket = self.identifier("AA-##"), self.identifier("#####")
        suppliers, users = self.draw(SURNAMES, 8), self.draw(PEOPLE, 4)
        supplier = suppliers[0]
        amounts = distinct(lambda: f"{self.rng.randint(2000, 400000) / 100:.2f}", 14)
        state = case_of(self.name, self.task, ("open", "paid", "hold", "open"))
        states = ("open", "paid", "hold", "paid", "paid")
        pairs = [(supplier, amounts[0])]
        pairs += [(supplier, each) for each in amounts[1 : self.rng.randint(4, 6)]]
        pairs += [(each, amounts[0]) for each in suppliers[1 : self.rng.randint(3, 5)]]
        while len(pairs) < self.rng.randint(24, 34):
            pairs.append((self.rng.choice(suppliers[1:]), self.rng.choice(amounts[1:])))
        lines = distinct(lambda: self.identifier("L####"), len(pairs))
        rows: list[dict[str, Value]] = [
            {
                "line": line,
                "day": (date(2026, 1, 1) + timedelta(self.rng.randint(0, 200))).isoformat(),
                "supplier": name,
                "amount": amount,
                "user": self.rng.choice(users),
                "state": self.rng.choice(states),
            }
            for line, (name, amount) in zip(lines, pairs, strict=True)
        ]
        rows[0]["state"] = state
        self.rows = self.arranged(rows, rows[0])
        free, pay = call("free", line=lines[0]), call("pay", line=lines[0])
        tell = call("tell", supplier=supplier, line=lines[0])
        courses = {"open": [pay], "hold": [free, pay], "paid": [tell]}
        plan = [call("ledger", book=self.book), *courses[state], call("done", ticket=ticket)]
        wrong = [call("pay", line=line) for line in lines[:7]]
        wrong += [call("tell", supplier=supplier, line=line) for line in lines[:7]]
        self.lay_out(plan, [free, *wrong])
        asked = self.rng.choice(self.wordings).format(
            ticket=ticket, supplier=supplier, amount=amounts[0], book=self.book
        )
        return asked, [Fact("LEDGERS 2026, read and pay", {"year": 2026})]

    def answer(self, wanted: Call) -> Result:
        """Show, free, pay, tell or end."""
        if wanted.operator == "ledger":
            if wanted["book"] != self.book:
                return [Fact("no such ledger", {"error": "no such ledger"})]
            head = "line  | day        | supplier   |    amount | by      | state"
            line = "{line} | {day} | {supplier:<10} | {amount:>9} | {user:<7} | {state}"
            return [Fact(head), Rows("lines", line, self.rows)]
        return [Fact("ok", {"ok": True})]
