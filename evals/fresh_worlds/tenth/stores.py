"""Stores: a vaccine, tools, collecting tins."""

from __future__ import annotations

from datetime import date, timedelta

from ...ladder.names import CITIES, PEOPLE, PRODUCTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct, enumerated


class VaccineLot(Desk):
    """Of the lots of a fridge the one that expires first, but is not yet expired, is issued."""

    name = "vaccine-lot"
    difficulty = "SQL; of the rows with enough left and a date to come the one with the least date"
    operators = (
        Operator("start", "BEGIN;", about="Opens a transaction."),
        Operator("select", "SELECT * FROM lots WHERE fridge = '{fridge}';", about="Lots."),
        Operator(
            "update",
            "UPDATE lots SET doses = doses - {count} WHERE lot = '{lot}';",
            ("count",),
            "Takes doses out of a lot.",
        ),
        Operator(
            "insert", "INSERT INTO issues VALUES ('{lot}', '{city}');", about="Notes an issue."
        ),
        Operator("commit", "COMMIT;", about="Final."),
    )
    changing, irrevocable, finals = ("update", "insert"), ("update", "insert"), ("commit",)
    free = ("select", "update", "insert")
    horizon = 9

    wordings = (
        "The surgery in {city} needs {count} doses out of fridge {fridge}.",
        "{count} doses for {city}, fridge {fridge}. Oldest first, but nothing expired.",
        "Issue {count} doses from {fridge} to {city}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a fridge and its lots."""
        (city,), self.fridge = self.draw(CITIES), self.identifier("F##")
        today = date(2026, 1, 10) + timedelta(self.rng.randint(0, 340))
        count = self.rng.randint(4, 30)

        def enough() -> int:
            return count + self.rng.randint(1, 60)

        gone, soon, right = self.rng.randint(2, 60), self.rng.randint(2, 20), 21
        right += self.rng.randint(0, 40)
        lots = [(right, enough())]
        lots += [(right + self.rng.randint(3, 300), enough()) for _ in range(2)]
        case = case_of(self.name, self.task, ("both", "expired", "short", "neither"))
        lots += [(-gone, enough())] if case in ("both", "expired") else []
        lots += [(soon, self.rng.randint(1, count - 1))] if case in ("both", "short") else []
        names = distinct(lambda: self.identifier("A####"), len(lots))
        rows: list[dict[str, Value]] = [
            {"lot": lot, "expires": (today + timedelta(days)).isoformat(), "doses": doses}
            for lot, (days, doses) in zip(names, lots, strict=True)
        ]
        self.rows = self.arranged(rows, rows[0])
        updates = [call("update", count=count, lot=lot) for lot in names]
        inserts = [call("insert", lot=lot, city=city) for lot in names]
        plan = [call("select", fridge=self.fridge), call("start"), updates[0], inserts[0]]
        self.lay_out([*plan, call("commit")], [*updates, *inserts])
        asked = self.rng.choice(self.wordings).format(city=city, count=count, fridge=self.fridge)
        day = today.isoformat()
        return asked, [Fact(f"cold_chain=> -- {day}", {"today": day})]

    def answer(self, wanted: Call) -> Result:
        """Show, take or enter."""
        if wanted.operator == "select":
            if wanted["fridge"] != self.fridge:
                return [Fact("(0 rows)", {"error": "no rows"})]
            head = "  lot  |  expires   | doses\n-------+------------+------"
            return [Fact(head), Rows("lots", " {lot} | {expires} | {doses}", self.rows)]
        if wanted.operator in ("start", "commit"):
            return [Fact(self.written(wanted).rstrip(";"), {"ok": True})]
        return [Fact(f"{wanted.operator.upper()} 1", {"rows": 1})]


class ToolCrib(Desk):
    """Tools of the task are issued one by one; some are tested first, some are out."""

    name = "tool-crib"
    difficulty = "two to four things in the task; the state of each decides between three courses"
    operators = (
        Operator("find", 'find "{tool}"', about="A tool's tag and state."),
        Operator("test", "test #{tag}", about="A test of safety."),
        Operator("issue", 'issue #{tag} to "{person}"', about="Hands a tool out."),
        Operator("reserve", 'reserve "{tool}" for "{person}"', about="For when it is back."),
        Operator("sign", "sign {sheet}", about="Final."),
    )
    changing = irrevocable = ("test", "issue", "reserve")
    finals, free = ("sign",), ("find", "issue", "reserve", "sign")
    horizon = 16

    wordings = (
        "{person} needs {tools}. Write it on {sheet}.",
        "Give {tools} to {person} (sheet {sheet}).",
        "{sheet}: {tools} for {person}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw somebody and tools."""
        (first,), (last,) = self.draw(PEOPLE), self.draw(SURNAMES)
        person, sheet = f"{first} {last}", self.identifier("S-###")
        tools = self.draw(PRODUCTS, case_of(self.name, self.task, (2, 3, 2, 3, 4)))
        tags = distinct(lambda: self.identifier("####"), len(tools))
        states = [self.rng.choice(("in, tested", "in, test due", "out")) for _ in tools]
        self.cards = dict(zip(tools, zip(tags, states, strict=True), strict=True))
        plan, wrong = [], []
        for tool, (tag, state) in self.cards.items():
            test, issue = call("test", tag=tag), call("issue", tag=tag, person=person)
            reserve = call("reserve", tool=tool, person=person)
            plan.append(call("find", tool=tool))
            if state == "out":
                plan.append(reserve)
            else:
                plan += [issue] if state == "in, tested" else [test, issue]
            wrong += [test, issue, reserve]
        self.lay_out([*plan, call("sign", sheet=sheet)], wrong)
        asked = self.rng.choice(self.wordings).format(
            person=person, tools=enumerated([f"the {tool}" for tool in tools]), sheet=sheet
        )
        return asked, [Fact("TOOL CRIB 3, Mon to Sat", {"crib": 3})]

    def answer(self, wanted: Call) -> Result:
        """Show, test, hand out, reserve or sign."""
        if wanted.operator == "find":
            if wanted["tool"] not in self.cards:
                return [Fact("no such tool", {"error": "no such tool"})]
            tag, state = self.cards[wanted["tool"]]
            shelf = self.identifier("A-##")
            text = f"#{tag} {wanted['tool']} / shelf {shelf} / {state}"
            return [Fact(text, {"tag": tag, "shelf": shelf, "state": state})]
        if wanted.operator == "issue":
            test, tag = call("test", tag=wanted["tag"]), wanted["tag"]
            if (tag, "in, test due") in self.cards.values() and not self.times(test):
                self.out_of_turn = True
        return [Fact("passed" if wanted.operator == "test" else "noted", {"ok": True})]


class TinCount(Desk):
    """Tins of a round are counted, each tells the next; the sum goes to the bank."""

    name = "tin-count"
    difficulty = "each page names the next one, until the last; a sum over all of them is typed"
    operators = (
        Operator("count", "Count tin {tin}", about="What is in it, and which tin is next."),
        Operator("bank", "Bank {total} euros on slip {slip}", ("total",), "Final."),
    )
    finals, free = ("bank",), ("count", "bank")
    horizon = 10

    wordings = (
        "The tins of {city} are back, the first is {tin}. Bank the money on slip {slip}.",
        "Round of {city}: start with tin {tin}; the slip is {slip}.",
        "Slip {slip} is for {city}. Begin with {tin}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a round of tins."""
        (city,), slip = self.draw(CITIES), self.identifier("B#####")
        count = case_of(self.name, self.task, (3, 4, 5, 6))
        tins = distinct(lambda: self.identifier("A##"), count)
        euros = [self.rng.randint(8, 220) for _ in tins]
        self.tins = {
            tin: (amount, after)
            for tin, amount, after in zip(tins, euros, [*tins[1:], None], strict=True)
        }
        sums = [sum(euros), sum(euros[1:]), sum(euros[:-1]), *euros]
        banks = [call("bank", total=n, slip=slip) for n in sums]
        self.lay_out([*(call("count", tin=tin) for tin in tins), banks[0]], banks)
        asked = self.rng.choice(self.wordings).format(city=city, tin=tins[0], slip=slip)
        return asked, [Fact("The counting room is quiet.", {"room": "quiet"})]

    def answer(self, wanted: Call) -> Result:
        """Count or bank."""
        if wanted.operator == "bank":
            return [Fact("The slip is stamped.", {"stamped": True})]
        if wanted["tin"] not in self.tins:
            return [Fact("There is no such tin.", {"error": "no such tin"})]
        euros, after = self.tins[wanted["tin"]]
        coins = self.rng.randint(9, 300)
        data: dict[str, Value] = {"coins": coins, "euros": euros, "next": after}
        text = f"{coins} coins and some notes, {euros} euros. "
        text += f"The next tin is {after}." if after else "That was the last tin."
        return [Fact(text, data)]
