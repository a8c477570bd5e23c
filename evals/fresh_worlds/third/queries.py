"""Queries that are written, and quotes among which one is chosen."""

from __future__ import annotations

from ...ladder.names import CITIES, PRODUCTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk
from ..shared import MONTHS

_SELECT = "SELECT order_id, total FROM orders"


class SqlRanking(Desk):
    """A ranking is queried; words choose a direction, a month becomes a date."""

    name = "sql-ranking"
    difficulty = "a query takes town, date and number of the task; a word chooses the direction"
    operators = (
        Operator("describe", "DESCRIBE {table};", about="Columns of a table."),
        Operator("run", "{query}", about="Run a query that begins with SELECT."),
        Operator("export", "\\copy result to {file}", about="Final."),
    )
    changing, finals, free = ("run",), ("export",), ("run", "export")
    horizon = 6

    wordings = (
        "List the {n} {most} orders from {town} since {month} 2024 and export them to {file}.",
        "Which are the {n} {most} orders of customers in {town}, from {month} 2024 on? "
        "I need them as {file}.",
        "{file} should have the {n} {most} orders, {town} only, since {month} 2024.",
    )
    ranks = (("most expensive", "DESC"), ("cheapest", "ASC"))

    def begin(self) -> tuple[str, Result]:
        """Draw what is asked for."""
        (town,), n, month = self.draw(CITIES), self.rng.randint(3, 20), self.rng.randint(1, 12)
        words, direction = self.rng.choice(self.ranks)
        file = self.identifier("aaaa_##.csv")
        where = f"city = '{town}' AND placed_on >= '2024-{month:02}-01'"
        query = f"{_SELECT} WHERE {where} ORDER BY total {direction} LIMIT {n};"
        self.rows: list[dict[str, Value]] = [
            {"id": self.rng.randint(1000, 9999), "total": self.rng.randint(10, 900)}
            for _ in range(2)
        ]
        other = query.replace(direction, "ASC" if direction == "DESC" else "DESC")
        plain = f"{_SELECT};"
        self.lay_out(
            [call("describe", table="orders"), call("run", query=query), call("export", file=file)],
            [call("run", query=each) for each in (other, plain)],
        )
        names = {"n": n, "most": words, "town": town, "month": MONTHS[month - 1], "file": file}
        return self.rng.choice(self.wordings).format(**names), [Fact("shop=>", {"db": "shop"})]

    def accepts(self, wanted: Call) -> bool:
        """A query is what begins so."""
        if wanted.operator == "run":
            return wanted["query"].startswith("SELECT ") and wanted["query"].endswith(";")
        return super().accepts(wanted)

    def answer(self, wanted: Call) -> Result:
        """Describe, run, or export."""
        if wanted.operator == "describe":
            rows: list[dict[str, Value]] = [
                {"field": "order_id", "type": "int", "null": "NO", "key": "PRI"},
                {"field": "city", "type": "varchar(40)", "null": "NO", "key": "MUL"},
                {"field": "placed_on", "type": "date", "null": "NO", "key": ""},
                {"field": "total", "type": "decimal(8,2)", "null": "YES", "key": ""},
            ]
            rule = "+-----------+--------------+------+-----+"
            head = f"{rule}\n| Field     | Type         | Null | Key |\n{rule}"
            line = "| {field:<9} | {type:<12} | {null:<4} | {key:<3} |"
            return [Fact(head), Rows("columns", line, rows), Fact(rule)]
        if wanted.operator == "run":
            head = " order_id | total\n----------+--------"
            return [Fact(head), Rows("rows", " {id:>8} | {total:>6}.00", self.rows)]
        return [Fact("COPY 2", {"copied": 2})]


class QuoteChoice(Desk):
    """The cheapest of the quotes that are still valid is taken; the faster one where they tie."""

    name = "quote-choice"
    difficulty = (
        "of the valid rows the cheapest, by days where two tie; the next one is the reserve"
    )
    operators = (
        Operator("quotes", "list quotes for {rfq}", about="All quotes."),
        Operator("reserve", "mark {quote} as reserve", about="The second best."),
        Operator("accept", "accept {quote}", about="Final."),
    )
    changing, finals = ("reserve",), ("accept",)
    horizon = 6

    wordings = (
        "Take the best valid quote for {rfq} ({product}) and keep the runner-up in reserve.",
        "{rfq}, {product}: accept the best offer. Remember the second best as reserve, please.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw quotes; often two of them have the same price."""
        self.rfq, (product,) = self.identifier("RFQ-####"), self.draw(PRODUCTS)
        names = self.draw(SURNAMES, 5)
        prices = sorted(self.rng.sample(range(80, 900), 5))
        valid = [True, True, True, *(self.rng.random() < 0.5 for _ in range(2))]
        self.rng.shuffle(valid)
        best = [i for i in range(5) if valid[i]]
        if self.rng.random() < 0.5:  # the best two tie
            prices[best[1]] = prices[best[0]]
        days = self.rng.sample(range(2, 30), 5)
        rows: list[dict[str, Value]] = [
            {
                "quote": f"Q-{self.rng.randint(10000, 99999)}",
                "supplier": f"{names[i]} {self.rng.choice(('Ltd', 'GmbH', 'SARL'))}",
                "price": f"{prices[i]}.00",
                "days": days[i],
                "status": "valid" if valid[i] else "expired",
            }
            for i in range(5)
        ]
        ranked = [rows[i] for i in sorted(best, key=lambda i: (prices[i], days[i]))]
        order = self.arranged(range(5), rows.index(ranked[0]))
        self.rows = [rows[i] for i in order]
        first, second = (str(row["quote"]) for row in ranked[:2])
        all_of_them = [str(row["quote"]) for row in rows]
        self.lay_out(
            [
                call("quotes", rfq=self.rfq),
                call("reserve", quote=second),
                call("accept", quote=first),
            ],
            [call(name, quote=each) for name in ("reserve", "accept") for each in all_of_them],
        )
        asked = self.rng.choice(self.wordings).format(rfq=self.rfq, product=product)
        return asked, [Fact("Sourcing", {"page": "sourcing"})]

    def answer(self, wanted: Call) -> Result:
        """List, mark or accept."""
        if wanted.operator == "quotes":
            line = "{quote:<9} {supplier:<16} {price:>9} {days:>5}  {status}"
            head = line.format(
                quote="Quote", supplier="Supplier", price="EUR", days="Days", status="Status"
            )
            return [Fact(f"{head}\n{'-' * len(head)}"), Rows("quotes", line, self.rows)]
        return [Fact(f"{wanted['quote']}: ok", {"quote": wanted["quote"]})]
