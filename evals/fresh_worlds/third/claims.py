"""Money: a claim with several fields, and who may approve what."""

from __future__ import annotations

from ...ladder.names import CITIES, PEOPLE, PRODUCTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk
from ..shared import MONTHS

_CODES = {"taxi": "TRV-02", "train": "TRV-01", "hotel": "LDG-10", "dinner": "MEA-30"}


class ExpenseClaim(Desk):
    """A claim is typed field by field; a receipt is attached from 25 EUR on."""

    name = "expense-claim"
    difficulty = "type, date and amount are written as the form wants them; 25 EUR need a receipt"
    operators = (
        Operator("new", "new claim", about="Open the form."),
        Operator("type", "select expense type {code}", about="A code."),
        Operator("date", "enter date {date}", about="When it was spent."),
        Operator("amount", "enter amount {amount}", about="In EUR."),
        Operator("attach", "attach {file}", about="A receipt."),
        Operator("submit", "submit claim", about="Final."),
    )
    changing, finals = ("type", "date", "amount", "attach"), ("submit",)
    free = ("date", "amount", "attach")
    horizon = 10

    wordings = (
        "I paid {amount} EUR for a {kind} in {town} on {day} {month}. The receipt is {file}.",
        "Claim: {kind}, {town}, {month} {day}, {amount} EUR ({file}).",
        "Hello! Could you file {amount} EUR for the {kind} in {town}? It was on {day} {month}, "
        "receipt in {file}. Many thanks",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw what was paid."""
        (town,) = self.draw(CITIES)
        kind, day, month = (
            self.rng.choice([*_CODES]),
            self.rng.randint(1, 28),
            self.rng.randint(1, 12),
        )
        cents = self.rng.choice((self.rng.randint(400, 2499), self.rng.randint(2500, 39999)))
        amount, file = f"{cents // 100}.{cents % 100:02}", self.identifier("rcpt-####.pdf")
        date = f"2024-{month:02}-{day:02}"
        plan = [call("new"), call("type", code=_CODES[kind]), call("date", date=date)]
        plan += [call("amount", amount=amount)]
        plan += [call("attach", file=file)] if cents >= 2500 else []
        offered = [call("new"), *(call("type", code=each) for each in _CODES.values())]
        offered += [call("date", date=f"{day} {MONTHS[month - 1]}"), call("amount", amount=amount)]
        offered += [call("attach", file=file), call("submit")]
        self.lay_out([*plan, call("submit")], offered)
        self.open = False
        names = {"kind": kind, "town": town, "day": day, "month": MONTHS[month - 1]}
        asked = self.rng.choice(self.wordings).format(**names, amount=amount, file=file)
        return asked, [Fact("Claims 2024 - no drafts", {"drafts": 0})]

    def answer(self, wanted: Call) -> Result:
        """Open the form, fill it in, or send it."""
        if wanted.operator == "new":
            self.open = True
            rows: list[dict[str, Value]] = [
                {"code": "LDG-10", "label": "Accommodation"},
                {"code": "MEA-30", "label": "Meals and entertainment"},
                {"code": "TRV-01", "label": "Rail"},
                {"code": "TRV-02", "label": "Taxi, ride hailing"},
            ]
            foot = "Receipts: mandatory from 25.00 EUR"
            head = "NEW CLAIM\nType     [select]\nDate     [yyyy-mm-dd]\nAmount   [EUR]"
            return [
                Fact(head, {"form": "claim"}),
                Rows("types", "    {code}  {label}", rows),
                Fact(foot, {"receipt_from": 25}),
            ]
        if not self.open:
            return [Fact("No draft is open.", {"error": "no draft"})]
        if wanted.operator == "submit":
            return [Fact("Claim submitted.", {"submitted": True})]
        return [Fact("Draft saved.", {"saved": True})]


class ApprovalLimits(Desk):
    """A request goes to the lowest role whose limit for the category covers it."""

    name = "approval-limits"
    difficulty = "the first column of a category's row that reaches the amount says who approves"
    operators = (
        Operator("request", "open request {id}", about="Show a request."),
        Operator("policy", "show approval matrix", about="Limits by category and role."),
        Operator("route", "route {id} to the {role}", about="Final."),
    )
    finals = ("route",)
    horizon = 7

    wordings = (
        "Route {id} to the right approver.",
        "Purchase request {id} by {person} is waiting. Who has to sign? Send it there.",
        "{person} asks when {id} will be approved; please pass it on.",
    )
    roles = ("team lead", "department head", "director")
    categories = ("Hardware", "Software", "Travel", "Training", "Facilities")

    def begin(self) -> tuple[str, Result]:
        """Draw a matrix and a request; limits differ in every episode."""
        self.id, (first,), (last,) = (
            self.identifier("PR-#####"),
            self.draw(PEOPLE),
            self.draw(SURNAMES),
        )
        (self.item,) = self.draw(PRODUCTS)
        self.rows: list[dict[str, Value]] = []
        limits = {}
        for category in self.categories:
            low = self.rng.randint(2, 9) * 100
            limits[category] = (low, low * self.rng.randint(2, 5), 50000)
            named = dict(zip(("lead", "head", "director"), limits[category], strict=True))
            self.rows.append({"category": category, **named})
        self.category, at = self.rng.choice(self.categories), self.rng.randrange(3)
        bounds = (50, *limits[self.category])
        top = min(bounds[at + 1], bounds[at] * 4)
        self.amount = self.rng.choice(
            (bounds[at + 1] if at < 2 else top, self.rng.randint(bounds[at] + 1, top))
        )
        self.by = f"{first} {last}"
        self.lay_out(
            [
                call("request", id=self.id),
                call("policy"),
                call("route", id=self.id, role=self.roles[at]),
            ],
            [
                call("request", id=self.id),
                call("policy"),
                *(call("route", id=self.id, role=each) for each in self.roles),
            ],
        )
        asked = self.rng.choice(self.wordings).format(id=self.id, person=self.by)
        return asked, [Fact("Procurement > Inbox", {"folder": "Inbox"})]

    def answer(self, wanted: Call) -> Result:
        """Show the request or the matrix, or pass it on."""
        if wanted.operator == "request":
            text = (
                f"Request {self.id}\n  Requested by   {self.by}\n  Item           {self.item}\n"
                f"  Category       {self.category}\n  Total          EUR {self.amount:,}"
            )
            data = {"id": self.id, "requested_by": self.by, "item": self.item}
            return [Fact(text, data | {"category": self.category, "total": self.amount})]
        if wanted.operator == "policy":
            line = "| {category:<12} | {lead:>9} | {head:>15} | {director:>8} |"
            head = "| Category     | Team lead | Department head | Director |"
            rule = "|--------------|-----------|-----------------|----------|"
            return [Fact(f"{head}\n{rule}"), Rows("limits", line, self.rows)]
        return [Fact(f"Sent to the {wanted['role']}.", {"sent_to": wanted["role"]})]
