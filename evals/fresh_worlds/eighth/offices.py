"""Offices: a claim, a count, a payslip, an invoice."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import ClassVar

from ...ladder.names import CITIES, PEOPLE, PRODUCTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import enumerated


class ClaimLimit(Desk):
    """A claim is paid up to the limit of its kind, goes to a manager or comes back."""

    name = "claim-limit"
    difficulty = "a number beside the limit of its kind; a second record only where it is needed"
    operators = (
        Operator("claim", "GET /claims/{claim}", about="A claim."),
        Operator("limits", "GET /limits", about="Limits of all kinds."),
        Operator("staff", "GET /staff/{person}", about="Somebody's record."),
        Operator("approve", "POST /claims/{claim}/approve", about="Final."),
        Operator("refuse", "POST /claims/{claim}/return", about="Back to who wrote it. Final."),
        Operator("forward", "POST /claims/{claim}/forward?to={manager}", about="Final."),
    )
    finals, free = ("approve", "refuse", "forward"), ("claim", "staff", "forward")
    horizon = 7

    wordings = (
        "Decide claim {claim}.",
        "Claim {claim} is waiting for a decision.",
        "Go through expense claim {claim}, please.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a claim, limits and a manager."""
        people, (city,) = self.draw(PEOPLE, 3), self.draw(CITIES)
        self.number, self.person, self.manager = self.identifier("C-#####"), people[0], people[1]
        case = case_of(self.name, self.task, ("within", "over", "within", "no receipt", "over"))
        kinds = ("hotel", "meal", "taxi", "train")
        self.limits: dict[str, Value] = {k: self.rng.randrange(40, 300, 5) for k in kinds}
        kind = self.rng.choice(kinds)
        limit = int(str(self.limits[kind]))
        more = case == "over" or (case == "no receipt" and self.rng.random() < 0.5)
        amount = self.rng.randint(limit + 1, limit * 2) if more else self.rng.randint(9, limit)
        self.record: dict[str, Value] = {"claim": self.number, "by": self.person, "kind": kind}
        self.record |= {"town": city, "amount": amount, "receipt": case != "no receipt"}
        approve, refuse = (call(each, claim=self.number) for each in ("approve", "refuse"))
        forwards = [call("forward", claim=self.number, manager=m) for m in people[1:]]
        plan = [call("claim", claim=self.number)]
        if case == "no receipt":
            plan.append(refuse)
        elif case == "over":
            plan += [call("limits"), call("staff", person=self.person), forwards[0]]
        else:
            plan += [call("limits"), approve]
        self.lay_out(plan, [approve, refuse, *forwards, call("limits")])
        return self.rng.choice(self.wordings).format(claim=self.number), [
            Fact("200 OK", {"status": 200})
        ]

    def answer(self, wanted: Call) -> Result:
        """Show or decide."""
        if wanted.operator == "limits":
            return [Fact(json.dumps(self.limits), self.limits)]
        if wanted.operator == "staff":
            if wanted["person"] != self.person:
                return [Fact("404 Not Found", {"error": "not found"})]
            data: dict[str, Value] = {"person": self.person, "manager": self.manager}
            return [Fact(json.dumps(data), data)]
        if wanted["claim"] != self.number:
            return [Fact("404 Not Found", {"error": "not found"})]
        if wanted.operator == "claim":
            return [Fact(json.dumps(self.record), self.record)]
        return [Fact("204 No Content", {"status": 204})]


class CountSheet(Desk):
    """Counted goods stand in the task; where the book says otherwise it is put right."""

    name = "count-sheet"
    difficulty = "a list of pairs in the task; the difference of each to a record, if there is one"
    operators = (
        Operator("stock", "stock {product}", about="What the book says."),
        Operator("adjust", "adjust {product} by {pieces}", ("pieces",), "Changes the book."),
        Operator("post", "post sheet {sheet}", about="Final."),
    )
    changing, irrevocable, finals = ("adjust",), ("adjust",), ("post",)
    free, counted = ("stock", "adjust"), True
    horizon = 14

    wordings = (
        "Sheet {sheet}, counted: {counts}. Put the book right.",
        "We counted {counts} today. Enter that as sheet {sheet}.",
        "Sheet {sheet} is in. There are {counts} on the shelves.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw goods, counts and what the book says."""
        self.sheet = self.identifier("S###")
        goods = self.draw(PRODUCTS, case_of(self.name, self.task, (2, 3, 4, 3)))
        counts = [self.rng.randint(3, 90) for _ in goods]
        differences = [
            self.rng.choice((0, self.rng.randint(1, min(count, 9)), -self.rng.randint(1, 9)))
            for count in counts
        ]
        self.book = {
            good: (count - d, self.identifier("A-##"))
            for good, count, d in zip(goods, counts, differences, strict=True)
        }
        plan = []
        for good, d in zip(goods, differences, strict=True):
            plan.append(call("stock", product=good))
            plan += [call("adjust", product=good, pieces=d)] if d else []
        plan.append(call("post", sheet=self.sheet))
        wrong = [
            call("adjust", product=good, pieces=n)
            for good, d, count in zip(goods, differences, counts, strict=True)
            for n in {-d, count} - {d, 0}
        ]
        self.lay_out(plan, wrong)
        pairs = enumerated([f"{c} x {good}" for c, good in zip(counts, goods, strict=True)])
        asked = self.rng.choice(self.wordings).format(sheet=self.sheet, counts=pairs)
        return asked, [Fact(f"Stock book, sheet {self.sheet} open", {"sheet": self.sheet})]

    def answer(self, wanted: Call) -> Result:
        """Show, change or post."""
        if wanted.operator == "post":
            return [Fact("Posted.", {"posted": True})]
        good = wanted["product"]
        if good not in self.book:
            return [Fact("Not in the book.", {"error": "not in the book"})]
        if wanted.operator == "stock":
            count, place = self.book[good]
            data: dict[str, Value] = {"product": good, "on_book": count, "bin": place}
            return [Fact(f"{good}: {count} on book, bin {place}", data)]
        return [Fact("Changed.", {"changed": good})]


class OvertimeHours(Desk):
    """Hours of a week are added up; those above the contract are entered."""

    name = "overtime-hours"
    difficulty = "a sum of a column less a number of another record, entered if it is above nought"
    operators = (
        Operator("sheet", "timesheet {person}", about="Hours of the week."),
        Operator("contract", "contract {person}", about="What is agreed."),
        Operator("overtime", "overtime {hours} h for {person}", ("hours",), "Pays extra hours."),
        Operator("release", "release payslip {person}", about="Final."),
    )
    changing, irrevocable, finals = ("overtime",), ("overtime",), ("release",)
    free = ("sheet", "contract", "overtime")
    horizon = 7

    wordings = (
        "Finish the payslip of {person}.",
        "{person} waits for the payslip. Check the hours first.",
        "Payroll: {person} is next.",
    )
    grades: ClassVar[tuple[str, ...]] = ("E4", "E6", "E7", "E9")

    def begin(self) -> tuple[str, Result]:
        """Draw somebody, a week and a contract."""
        (first,), (last,) = self.draw(PEOPLE), self.draw(SURNAMES)
        self.person = f"{first} {last}"
        case = case_of(self.name, self.task, ("more", "more", "equal", "less"))
        hours = [self.rng.randint(4, 11) for _ in range(self.rng.randint(4, 6))]
        days = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
        self.week: list[dict[str, Value]] = [
            {"day": day, "hours": h} for day, h in zip(days, hours, strict=False)
        ]
        total, extra = sum(hours), self.rng.randint(1, 9)
        self.agreed = total - {"more": extra, "equal": 0, "less": -extra}[case]
        plan = [call(each, person=self.person) for each in ("sheet", "contract")]
        enter = call("overtime", hours=extra, person=self.person)
        plan += [enter] if case == "more" else []
        plan.append(call("release", person=self.person))
        wrong = [call("overtime", hours=total, person=self.person), enter]
        self.lay_out(plan, wrong)
        week = self.rng.randint(1, 52)
        asked = self.rng.choice(self.wordings).format(person=self.person)
        return asked, [Fact(f"*** PAYROLL *** week {week}", {"week": week})]

    def answer(self, wanted: Call) -> Result:
        """Show, enter or release."""
        if wanted["person"] != self.person:
            return [Fact("?? no such person", {"error": "no such person"})]
        if wanted.operator == "sheet":
            return [Rows("days", "{day}  {hours:>2} h", self.week)]
        if wanted.operator == "contract":
            grade = self.rng.choice(self.grades)
            text = f"{self.person} is in grade {grade} and works {self.agreed} hours a week."
            return [Fact(text, {"grade": grade, "hours_a_week": self.agreed})]
        return [Fact("ok", {"ok": wanted.operator})]


class InvoicePay(Desk):
    """An invoice is paid on its date plus the supplier's days, less the supplier's discount."""

    name = "invoice-pay"
    difficulty = "a record leads to another; a date plus days and an amount less a percentage"
    operators = (
        Operator("invoice", "show invoice {invoice}", about="An invoice."),
        Operator("supplier", "show supplier {supplier}", about="A supplier's terms."),
        Operator(
            "pay",
            "pay {amount} EUR for {invoice} on {day}",
            ("amount",),
            "Orders a payment. Final.",
        ),
    )
    finals, free = ("pay",), ("invoice", "supplier", "pay")
    horizon = 5

    wordings = (
        "Invoice {invoice} came in. Order the payment.",
        "Please schedule payment of {invoice} on the last day, with discount.",
        "Pay {invoice} when it is due, less the discount.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw an invoice and terms."""
        (self.maker,), (self.city,) = self.draw(SURNAMES), self.draw(CITIES)
        self.invoice, self.supplier = self.identifier("INV-#####"), self.identifier("V###")
        self.dated = date(2026, 1, 3) + timedelta(self.rng.randint(0, 330))
        self.days = case_of(self.name, self.task, (10, 14, 30, 45))
        self.total, self.percent = self.rng.randrange(200, 9000, 100), self.rng.choice((1, 2, 3, 5))
        net = self.total - self.total * self.percent // 100
        due, plain = (self.dated + timedelta(self.days)).isoformat(), self.dated.isoformat()
        pays = [
            call("pay", amount=amount, invoice=self.invoice, day=day)
            for amount in (net, self.total)
            for day in (due, plain)
        ]
        plan = [call("invoice", invoice=self.invoice), call("supplier", supplier=self.supplier)]
        self.lay_out([*plan, pays[0]], pays)
        asked = self.rng.choice(self.wordings).format(invoice=self.invoice)
        return asked, [Fact("Accounts payable", {"desk": "payable"})]

    def answer(self, wanted: Call) -> Result:
        """Show or pay."""
        if wanted.operator == "supplier":
            if wanted["supplier"] != self.supplier:
                return [Fact("No such supplier.", {"error": "no such supplier"})]
            text = f"{self.supplier} {self.maker} & Co, {self.city}\n"
            text += f"Terms: {self.days} days, {self.percent} % discount"
            data: dict[str, Value] = {"name": f"{self.maker} & Co", "days": self.days}
            return [Fact(text, data | {"discount_percent": self.percent})]
        if wanted["invoice"] != self.invoice:
            return [Fact("No such invoice.", {"error": "no such invoice"})]
        if wanted.operator == "invoice":
            day = self.dated.isoformat()
            text = f"Invoice {self.invoice}\nSupplier: {self.supplier}\nDate: {day}\n"
            data = {"supplier": self.supplier, "date": day, "total": self.total}
            return [Fact(f"{text}Total: {self.total} EUR", data)]
        return [Fact("Payment ordered.", {"ordered": True})]
