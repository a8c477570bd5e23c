"""Consoles and sheets: seats of a plan, prices of a category, a cost that is shared."""

from __future__ import annotations

from ...ladder.names import CITIES, PRODUCTS, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class SqlSeats(Desk):
    """Seats are added to an account; where its plan has too few, it gets the next plan first.

    An account that is past due gets nothing: the transaction is rolled back.
    """

    name = "sql-seats"
    difficulty = "medium; SQL; a sum against a limit of a second table; one status stops it"
    operators = (
        Operator("account", "SELECT * FROM accounts WHERE name = '{name}'", about="An account."),
        Operator("plan", "SELECT * FROM plans WHERE plan = '{plan}'", about="What a plan allows."),
        Operator("move", "UPDATE accounts SET plan = '{plan}' WHERE name = '{name}'"),
        Operator("seats", "UPDATE accounts SET seats = {seats} WHERE name = '{name}'", ("seats",)),
        Operator("commit", "COMMIT", about="Final."),
        Operator("rollback", "ROLLBACK", about="Final: nothing is changed."),
    )
    changing, finals = ("move", "seats"), ("commit", "rollback")
    irrevocable = ("move",)
    free = ("account", "plan", "move", "seats", "commit", "rollback")
    horizon = 8

    wordings = (
        "{name} wants {more} more seats.",
        "Add {more} seats for {name}.",
        "Customer {name} has hired people: {more} seats on top, please.",
        "Please give {more} extra seats to {name}.",
    )
    plans = ("starter", "team", "studio", "business", "campus", "group")

    def begin(self) -> tuple[str, Result]:
        """Draw an account and its plan."""
        kind = case_of(self.name, self.task, ("fits", "fits", "grows", "grows", "past_due"))
        (surname,), (city,) = self.draw(SURNAMES), self.draw(CITIES)
        self.account = self.rng.choice((f"{surname} Ltd", f"{surname} {city}", f"{city} Labs"))
        plans = self.rng.sample(self.plans, 4)
        most = self.rng.randrange(20, 120, 5)
        more = self.rng.randint(2, 15)
        free = more + self.rng.randint(0, 6) if kind != "grows" else self.rng.randint(0, more - 1)
        seats = most - free
        due = kind == "past_due"
        status = "past_due" if due else self.rng.choice(("active", "trial"))
        self.row: dict[str, Value] = {
            "name": self.account,
            "plan": plans[0],
            "seats": seats,
            "status": status,
        }
        self.table: dict[str, dict[str, Value]] = {
            plan: {"plan": plan, "max_seats": most * (place + 1), "next_plan": plans[place + 1]}
            for place, plan in enumerate(plans[:2])
        }
        account, plan = call("account", name=self.account), call("plan", plan=plans[0])
        moves = [call("move", plan=each, name=self.account) for each in plans[1:]]
        totals = (seats + more, more, seats, most, seats + more + 1, seats - more)
        sets = [call("seats", seats=each, name=self.account) for each in totals]
        commit, rollback = call("commit"), call("rollback")
        done = [plan, *[moves[0]] * (kind == "grows"), sets[0], commit]
        steps = [account, *([rollback] if due else done)]
        self.lay_out(steps, [account, plan, *moves, *sets, commit, rollback])
        asked = self.rng.choice(self.wordings).format(name=self.account, more=more)
        return asked, [Fact("BEGIN", {"transaction": "BEGIN"})]

    def answer(self, wanted: Call) -> Result:
        """Select, update or end."""
        nothing = [Fact("(0 rows)", {"error": "0 rows"})]
        if wanted.values.get("name", self.account) != self.account:
            return nothing
        if wanted.operator == "account":
            line = "{name} | {plan} | {seats} | {status}"
            return [Fact("name | plan | seats | status"), Rows("rows", line, [self.row])]
        if wanted.operator == "plan":
            if wanted["plan"] not in self.table:
                return nothing
            line, rows = "{plan} | {max_seats} | {next_plan}", [self.table[wanted["plan"]]]
            return [Fact("plan | max_seats | next_plan"), Rows("rows", line, rows)]
        if wanted.operator == "seats":
            self.overwrite(wanted, "name")
        said = wanted.operator.upper() if wanted.operator in self.finals else "UPDATE 1"
        return [Fact(said, {"said": said})]


class SqlPriceRise(Desk):
    """Each item of a category that is on sale is priced up or down by a share of its price.

    Items that are discontinued keep theirs. Where nothing is on sale it is rolled back.
    """

    name = "sql-price-rise"
    difficulty = "medium; CSV; per cent up or down for each row of one state; or nothing at all"
    operators = (
        Operator("items", "SELECT sku, price, state FROM items WHERE category = '{category}'"),
        Operator(
            "price", "UPDATE items SET price = {price} WHERE sku = '{sku}'", ("price",), "One item."
        ),
        Operator("commit", "COMMIT", about="Final."),
        Operator("rollback", "ROLLBACK", about="Final: nothing to change."),
    )
    changing, finals = ("price",), ("commit", "rollback")
    free = ("items", "price", "commit", "rollback")
    horizon = 8

    up = (
        "Raise the prices in category {category} by {share} %.",
        "Category {category}: prices go up by {share} %.",
        "From today {category} costs {share} % more.",
    )
    down = (
        "Lower the prices in category {category} by {share} %.",
        "Category {category}: prices go down by {share} %.",
        "From today {category} costs {share} % less.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw items and their prices."""
        cases = ((2, 1, 1), (2, 1, -1), (1, 2, 1), (3, 0, -1), (0, 2, 1), (1, 1, -1), (3, 1, 1))
        selling, gone, sign = case_of(self.name, self.task, cases)
        (self.category,), share = self.draw(PRODUCTS), self.rng.choice((5, 10, 15, 20, 25, 30))
        self.skus = distinct(lambda: self.identifier("AA###"), selling + gone)
        prices = self.rng.sample(range(20, 900, 20), selling + gone)
        rows: list[dict[str, Value]] = [
            {"sku": sku, "price": price, "state": "on sale" if i < selling else "discontinued"}
            for i, (sku, price) in enumerate(zip(self.skus, prices, strict=True))
        ]
        self.rows = self.arranged(rows)
        items = call("items", category=self.category)
        offered, plan = [items], [items]
        for row in self.rows:
            price = int(str(row["price"]))
            right = price + sign * price * share // 100
            values = (right, price + share, price - share, price - sign * price * share // 100)
            puts = [call("price", price=each, sku=row["sku"]) for each in values]
            offered += puts
            plan += puts[:1] if row["state"] == "on sale" else []
        commit, rollback = call("commit"), call("rollback")
        self.lay_out([*plan, commit if selling else rollback], [*offered, commit, rollback])
        wordings = self.up if sign > 0 else self.down
        asked = self.rng.choice(wordings).format(category=self.category, share=share)
        return asked, [Fact("connected to shop, autocommit off", {"database": "shop"})]

    def answer(self, wanted: Call) -> Result:
        """Select, update or end."""
        if wanted.operator == "items":
            if wanted["category"] != self.category:
                return [Fact("no rows", {"error": "no rows"})]
            return [Fact("sku,price,state"), Rows("rows", "{sku},{price},{state}", self.rows)]
        if wanted.operator == "price":
            if wanted["sku"] not in self.skus:
                return [Fact("0 rows changed", {"error": "0 rows changed"})]
            self.overwrite(wanted, "sku")
            return [Fact("1 row changed", {"changed": 1})]
        return [Fact("ok", {"ok": True})]


class SheetSplit(Desk):
    """A bill is shared among departments by their heads; those that are exempt bear nothing.

    A share is the bill, divided by the heads of all that pay, times the heads of the department.
    """

    name = "sheet-split"
    difficulty = "hard; tabs; a quotient by a sum of a column, times each row; some rows left out"
    operators = (
        Operator("open", "open {sheet}", about="Departments and their heads."),
        Operator("put", "set {cell} to {euro}", ("euro",), "A share."),
        Operator("save", "save {sheet}", about="Final."),
    )
    changing, finals = ("put",), ("save",)
    free = ("open", "put", "save")
    horizon = 8

    wordings = (
        "Split {bill} EUR for {what} over the departments in {sheet}.",
        "{sheet}: {what} cost {bill} EUR, share it out.",
        "The {what} bill is {bill} EUR. Spread it by heads in {sheet}.",
    )
    whats = ("cloud", "licences", "cleaning", "heating", "printing", "phones", "training", "coffee")

    def begin(self) -> tuple[str, Result]:
        """Draw departments and a bill."""
        paying, exempt = case_of(self.name, self.task, ((2, 1), (3, 0), (2, 0), (3, 1), (4, 1)))
        self.sheet = self.identifier("COST-###A")
        teams = self.rng.sample(TEAMS, paying + exempt)
        heads = [self.rng.randint(2, 40) for _ in teams]
        rate = self.rng.randint(3, 60)
        bill = rate * sum(heads[:paying])
        column, first = self.rng.choice("DEFGH"), self.rng.randint(2, 40)
        entries = list(zip(teams, heads, range(len(teams)), strict=True))
        self.rows: list[dict[str, Value]] = [
            {
                "cell": f"{column}{first + place}",
                "department": team,
                "heads": count,
                "note": "" if index < paying else "exempt",
            }
            for place, (team, count, index) in enumerate(self.arranged(entries))
        ]
        look, save = call("open", sheet=self.sheet), call("save", sheet=self.sheet)
        plan, offered = [look], [look]
        for row in self.rows:
            share = rate * int(str(row["heads"]))
            values = (share, bill // len(teams), bill * int(str(row["heads"])) // sum(heads))
            puts = [call("put", cell=row["cell"], euro=each) for each in (*values, share + rate)]
            offered += puts
            plan += [] if row["note"] else puts[:1]
        self.lay_out([*plan, save], [*offered, save])
        what = self.rng.choice(self.whats)
        asked = self.rng.choice(self.wordings).format(bill=bill, what=what, sheet=self.sheet)
        recent = self.rng.randint(2, 30)
        return asked, [Fact(f"{recent} recent sheets", {"recent_sheets": recent})]

    def answer(self, wanted: Call) -> Result:
        """Show, fill or save."""
        if wanted.values.get("sheet", self.sheet) != self.sheet:
            return [Fact("no such sheet", {"error": "no such sheet"})]
        if wanted.operator == "open":
            head = Fact("cell\tdepartment\theads\tnote")
            return [head, Rows("rows", "{cell}\t{department}\t{heads}\t{note}", self.rows)]
        if wanted.operator == "put":
            if wanted["cell"] not in [row["cell"] for row in self.rows]:
                return [Fact("that cell is protected", {"error": "protected"})]
            self.overwrite(wanted, "cell")
            return [Fact(f"{wanted['cell']} = {wanted['euro']}", {"saved": True})]
        return [Fact("saved", {"saved": True})]
