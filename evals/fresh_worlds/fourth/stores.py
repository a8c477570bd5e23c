"""Stores: goods that come in through an SQL shell, and shelves that are filled up again."""

from __future__ import annotations

from ...ladder.names import CITIES, PEOPLE, PRODUCTS, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk


class SqlGoodsIn(Desk):
    """A stock is raised in a transaction, which is undone if not just one row was changed."""

    name = "sql-goods-in"
    difficulty = "a sum goes into a statement; how many rows it changed decides how to end"
    operators = (
        Operator(
            "select",
            "SELECT sku, warehouse, qty FROM stock WHERE product = '{product}';",
            about="Where a product is in stock.",
        ),
        Operator("begin_work", "BEGIN;", about="Start a transaction."),
        Operator(
            "update",
            "UPDATE stock SET qty = {qty} WHERE sku = '{sku}';",
            ("qty",),
            "Change a quantity; in a transaction only.",
        ),
        Operator("commit", "COMMIT;", about="Keep the changes. Final."),
        Operator("rollback", "ROLLBACK;", about="Undo the changes. Final."),
    )
    changing, finals, free = ("update",), ("commit", "rollback"), ("select", "update")
    horizon = 9

    wordings = (
        "{n} pieces of '{product}' came in at {town}. Book them.",
        "Goods in, warehouse {town}: '{product}', quantity {n}. Please add to stock.",
        "Add {n} to the stock of '{product}' in {town}; roll back if anything looks odd.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a product's stock."""
        (self.product,), towns = self.draw(PRODUCTS), self.draw(CITIES, 4)
        number, stock = self.rng.randint(2, 60), [self.rng.randint(0, 300) for _ in towns]
        rows: list[dict[str, Value]] = [
            {"sku": self.identifier("AA####"), "warehouse": town, "qty": qty}
            for town, qty in zip(towns, stock, strict=True)
        ]
        self.rows = self.arranged(rows, rows[0])
        self.changes = self.rng.choice((1, 1, 1, 1, 0, 2, 3))
        sku, total = rows[0]["sku"], stock[0] + number
        end = call("commit" if self.changes == 1 else "rollback")
        first = call("select", product=self.product)
        self.open = False
        offered = [call("update", qty=q, sku=r["sku"]) for r in rows for q in (number, total)]
        self.lay_out(
            [first, call("begin_work"), call("update", qty=total, sku=sku), end],
            [first, call("begin_work"), *offered, call("commit"), call("rollback")],
        )
        names = {"n": number, "product": self.product, "town": towns[0]}
        return self.rng.choice(self.wordings).format(**names), [Fact("stock=#", {"db": "stock"})]

    def answer(self, wanted: Call) -> Result:
        """Answer as a shell does."""
        if wanted.operator == "select":
            rows = self.rows if wanted["product"] == self.product else []
            head = f" {'sku':<8}| {'warehouse':<12}| qty\n{'-' * 9}+{'-' * 13}+{'-' * 5}"
            line = " {sku:<8}| {warehouse:<12}| {qty}"
            tail = Fact(f"({len(rows)} rows)", {"rows": len(rows)})
            return [Fact(head), Rows("stock", line, rows), tail]
        if wanted.operator == "begin_work":
            self.open = True
            return [Fact("BEGIN", {"command": "BEGIN"})]
        if not self.open:
            text = "WARNING: there is no transaction in progress"
            return [Fact(text, {"error": "no transaction in progress"})]
        if wanted.operator == "update":
            self.overwrite(wanted, "sku")
            known = wanted["sku"] in [row["sku"] for row in self.rows]
            count = self.changes if known else 0
            return [Fact(f"UPDATE {count}", {"command": "UPDATE", "changed": count})]
        return [Fact(wanted.operator.upper(), {"command": wanted.operator.upper()})]


class ReorderRound(Desk):
    """What is below its minimum is ordered up to its maximum, where it is cheapest in time."""

    name = "reorder-round"
    difficulty = "for each row that is short: offers, the cheapest in time, a difference to order"
    operators = (
        Operator("shelf", "shelf {room}", about="What is on a shelf."),
        Operator("offers", "offers for {sku}", about="Who sells it."),
        Operator("order", "order {qty} of {sku} from {supplier}", ("qty",), "Binding."),
        Operator("sign", "sign off {room}", about="The round is done. Final."),
    )
    changing, irrevocable, finals, free = ("order",), ("order",), ("sign",), ("order",)
    horizon = 12

    wordings = (
        "Reorder round for {room}; {days} days' delivery at most.",
        "{person} wants {room} filled up. Suppliers must deliver within {days} days.",
        "Please check {room} and reorder what is short. Delivery: {days} days or less, cheapest.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a shelf and offers."""
        (person,), (team,), products = self.draw(PEOPLE), self.draw(TEAMS), self.draw(PRODUCTS, 5)
        sellers, days = self.draw(CITIES, 4), self.rng.randint(3, 8)
        self.room, short = f"store {team} {self.rng.randint(1, 40)}", self.rng.randint(1, 3)
        rows: list[dict[str, Value]] = []
        right: dict[str, list[Call]] = {}
        self.sold: dict[str, list[dict[str, Value]]] = {}
        for i, product in enumerate(products):
            least = self.rng.randint(5, 20)
            most = least + self.rng.randint(5, 40)
            there = self.rng.randint(0, least - 1) if i < short else self.rng.randint(least, most)
            sku = self.identifier("AA-###")
            times = [self.rng.randint(1, days), self.rng.randint(days + 1, days + 9)]
            times += [self.rng.randint(1, days + 4) for _ in sellers[2:]]
            prices = self.rng.sample(range(300, 9900), len(sellers))
            best = min((p, s) for p, s, t in zip(prices, sellers, times, strict=True) if t <= days)
            offers: list[dict[str, Value]] = [
                {"supplier": s, "price": f"{p // 100}.{p % 100:02}", "days": t}
                for s, p, t in zip(sellers, prices, times, strict=True)
            ]
            self.sold[sku] = self.arranged(offers, offers[sellers.index(best[1])])
            row: dict[str, Value] = {"sku": sku, "product": product}
            rows.append(row | {"there": there, "min": least, "max": most})
            if i < short:
                order = call("order", qty=most - there, sku=sku, supplier=best[1])
                right[sku] = [call("offers", sku=sku), order]
        self.rows = self.arranged(rows, *rows[:short])
        done = [each for item in self.rows for each in right.get(str(item["sku"]), [])]
        offered = [call("offers", sku=row["sku"]) for row in rows]
        offered += [
            call("order", qty=row["min"], sku=row["sku"], supplier=each)
            for row in rows
            for each in sellers
        ]
        self.lay_out(
            [call("shelf", room=self.room), *done, call("sign", room=self.room)],
            [call("shelf", room=self.room), *offered, call("sign", room=self.room)],
        )
        names = {"room": self.room, "days": days, "person": person}
        return self.rng.choice(self.wordings).format(**names), [Fact("Stores.", {"stores": 9})]

    def answer(self, wanted: Call) -> Result:
        """Show a shelf or offers, order or sign."""
        if wanted.operator == "shelf":
            line = "{sku} {product:<16} on hand {there:>3}  min {min:>3}  max {max:>3}"
            return [
                Fact(f"{self.room}: 5 articles", {"articles": 5}),
                Rows("shelf", line, self.rows),
            ]
        if wanted.operator == "sign":
            return [Fact("Signed.", {"signed": self.room})]
        sku = wanted["sku"]
        if sku not in self.sold:
            return [Fact(f"No article {sku}.", {"error": "no such article"})]
        if wanted.operator == "order":
            return [Fact(f"Ordered {wanted['qty']} x {sku}.", {"ordered": sku})]
        line = "{supplier}: EUR {price} each, {days} days"
        return [Fact(f"Offers for {sku}", {"sku": sku}), Rows("offers", line, self.sold[sku])]
