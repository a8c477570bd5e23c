"""Tables: columns in any order, and rows that are not there."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import COLOURS, PEOPLE, PRODUCTS
from ...ladder.world import Call, Fact, Operator, Result, Rows, World, call


class ColumnOrder(World):
    """A table in Markdown whose columns stand in another order each time."""

    name = "column-order"
    difficulty = "the head of a table tells which of three columns of numbers is meant"
    operators = (
        Operator("open", "open stock.md"),
        Operator("fetch", "fetch it from bay {bay}", ("bay",), "Final."),
    )
    horizon = 4

    def begin(self) -> tuple[str, Result]:
        """Draw rows and the order of the columns."""
        goods = self.draw(PRODUCTS, 6)
        bays, pieces = self.rng.sample(range(10, 99), 6), self.rng.sample(range(10, 99), 6)
        prices = self.rng.sample(range(10, 99), 6)
        columns = ["item", "bay", "pieces", "euros"]
        self.rng.shuffle(columns)
        rows: list[dict[str, str | int]] = [
            dict(zip(("item", "bay", "pieces", "euros"), values, strict=True))
            for values in zip(goods, bays, pieces, prices, strict=True)
        ]
        self.bay, listed = bays[0], self.arranged(rows, rows[0])
        self.rows = [{each: row[each] for each in columns} for row in listed]
        self.columns, self.open = columns, False
        return f"Fetch the {goods[0]}.", [Fact("$ ls\nstock.md", {"files": "stock.md"})]

    def possible(self) -> list[Call]:
        """The table; then every number of it."""
        numbers = {
            str(row[k]) for row in self.rows for k in ("bay", "pieces", "euros") if self.open
        }
        return [call("open"), *(call("fetch", bay=each) for each in sorted(numbers))]

    def accepts(self, wanted: Call) -> bool:
        """Any bay."""
        return True

    def do(self, wanted: Call) -> Result:
        """Show the table, or end."""
        if wanted.operator == "fetch":
            self.end(won=wanted["bay"] == str(self.bay))
            return [Fact("Got something.", {"fetched": True})]
        self.open = True
        head = f"| {' | '.join(self.columns)} |\n|{'---|' * 4}"
        line = f"| {' | '.join(f'{{{each}}}' for each in self.columns)} |"
        return [Fact(head), Rows("stock", line, self.rows)]

    def expert(self) -> Iterator[Call]:
        """Open the table, fetch."""
        yield call("open")
        yield call("fetch", bay=self.bay)


class MissingHook(World):
    """Whoever is asked for has a key on the board, except in half of the test."""

    name = "missing-hook"
    difficulty = "the row of the person gives a number; in half of the test there is no such row"
    operators = (
        Operator("board", "look at the key board"),
        Operator("take", "take the key from hook {hook}", ("hook",), "Final."),
    )
    horizon = 4
    abstaining = True

    def begin(self) -> tuple[str, Result]:
        """Draw who has which hook."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        people, hooks = self.draw(PEOPLE, 7), self.rng.sample(range(1, 60), 6)
        self.person, owners = people[0], people[:6]
        if self.unsettled:
            owners[0] = people[6]
        tags = self.rng.sample(COLOURS, 6)
        rows: list[dict[str, str | int]] = [
            {"hook": hook, "tag": tag, "owner": owner}
            for hook, tag, owner in zip(hooks, tags, owners, strict=True)
        ]
        self.hook, self.rows = hooks[0], self.arranged(rows, rows[0])
        return f"Bring me {self.person}'s key.", [Fact("Caretaker's room.", {"place": "room"})]

    def possible(self) -> list[Call]:
        """The board; then all hooks."""
        hooks = [row["hook"] for row in self.rows] if self.met else []
        return [call("board"), *(call("take", hook=each) for each in hooks)]

    def do(self, wanted: Call) -> Result:
        """Show the board, or end."""
        if wanted.operator == "take":
            self.end(won=wanted["hook"] == str(self.hook) and not self.unsettled)
            return [Fact("You have a key.", {"key": True})]
        self.met = True
        return [Rows("hooks", "{hook}, {tag} tag, belongs to {owner}", self.rows)]

    def expert(self) -> Iterator[Call]:
        """Look, take."""
        yield call("board")
        yield call("take", hook=self.hook)
