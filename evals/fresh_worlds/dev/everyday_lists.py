"""Everyday lists: totals of a sheet, a stock check, settings, a queue of parcels."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import CITIES, PEOPLE, PRODUCTS, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call
from ..shared import enumerated


class SheetTotals(World):
    """Every row of a sheet that lacks its total gets it: pieces times price."""

    name = "sheet-totals"
    difficulty = "a product is computed and put into a cell, for every row that lacks it"
    operators = (
        Operator("open", "open the sheet {sheet}", about="Show a sheet."),
        Operator("write", "write {value} into {cell}", ("value",), "Fill a cell."),
        Operator("save", "save the sheet", about="Final."),
    )
    horizon = 9
    refusal = Fact("#REF!", {"error": "#REF!"})

    wordings = (
        "Complete the totals in the sheet {sheet}.",
        "Some totals in {sheet} are missing. Work them out and save.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw rows, some of them without a total."""
        sheets = [f"{team}-{self.rng.randint(2020, 2026)}" for team in self.draw(TEAMS, 3)]
        self.sheet, self.sheets = sheets[0], self.arranged(sheets, sheets[0])
        goods = self.draw(PRODUCTS, self.rng.randint(3, 6))
        missing = set(self.rng.sample(goods, self.rng.randint(1, 3)))
        self.rows: list[dict[str, Value]] = []
        self.right: dict[str, str] = {}
        for number, item in enumerate(goods, start=2):
            pieces, price = self.rng.randint(2, 40), self.rng.randint(3, 90)
            total = "" if item in missing else pieces * price
            row: dict[str, Value] = {"row": number, "item": item, "pieces": pieces}
            self.rows.append(row | {"price": price, "total": total})
            if item in missing:
                self.right[f"D{number}"] = str(pieces * price)
        self.written_cells: dict[str, str] = {}
        self.open = False
        names = "  ".join(self.sheets)
        asked = self.rng.choice(self.wordings).format(sheet=self.sheet)
        return asked, [Fact(f"Sheets: {names}", {"sheets": names})]

    def possible(self) -> list[Call]:
        """Every sheet; every total into every cell of the column; saving."""
        values = list(dict.fromkeys(self.right.values()))
        cells = [f"D{row['row']}" for row in self.rows] if self.open else []
        calls = [call("open", sheet=each) for each in self.sheets]
        calls += [call("write", value=value, cell=cell) for value in values for cell in cells]
        return [*calls, call("save")]

    def accepts(self, wanted: Call) -> bool:
        """Any number goes into a cell of the sheet that is open."""
        if wanted.operator == "write":
            cells = {f"D{row['row']}" for row in self.rows}
            return self.open and wanted["cell"] in cells and wanted["value"].isdigit()
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Show the sheet, fill a cell, or end."""
        if wanted.operator == "open":
            self.open = wanted["sheet"] == self.sheet
            if not self.open:
                return [Fact("(empty sheet)", {"rows": 0})]
            head = Fact("|   | A | B | C | D |\n| 1 | Item | Pieces | Price | Total |")
            line = "| {row} | {item} | {pieces} | {price} | {total} |"
            return [head, Rows("rows", line, self.rows)]
        if wanted.operator == "write":
            cell, value = wanted["cell"], wanted["value"]
            self.written_cells[cell] = value
            return [Fact(f"{cell}: {value}", {"cell": cell, "value": int(value)})]
        self.end(won=self.written_cells == self.right)
        return [Fact("Saved.", {"saved": True})]

    def expert(self) -> Iterator[Call]:
        """Open, fill what is missing from top to bottom, save."""
        yield call("open", sheet=self.sheet)
        for cell, value in self.right.items():
            yield call("write", value=value, cell=cell)
        yield call("save")


class StockCheck(World):
    """Each thing that the task names is counted, and ordered if there is too little of it."""

    name = "stock-check"
    difficulty = "for each of one to three things a count is compared with a minimum"
    operators = (
        Operator("look", "count the {product}", about="Tell what is on the shelf."),
        Operator("order", "order {count} of the {product} from {supplier}", ("count",), "Buy."),
        Operator("finish", "finish the check", about="Final."),
    )
    horizon = 10

    wordings = (
        "Check the stock of the {things}, and order what runs short.",
        "Stock check: {things}. Whatever is below its minimum has to be ordered.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a store room, and what of it is checked."""
        goods, self.suppliers = self.draw(PRODUCTS, 5), self.draw(SURNAMES, 3)
        (self.town,) = self.draw(CITIES)
        self.shelf: dict[str, dict[str, Value]] = {}
        for item in goods:
            least = self.rng.randint(8, 60)
            short = self.rng.random() < 0.5
            pieces = self.rng.randrange(least) if short else least + self.rng.randint(0, 50)
            self.shelf[item] = {"product": item, "pieces": pieces, "minimum": least}
            lot, supplier = self.rng.randrange(10, 210, 5), self.rng.choice(self.suppliers)
            self.shelf[item] |= {"lot": lot, "supplier": supplier}
        self.due = goods[: self.rng.randint(1, 3)]
        self.looked: list[str] = []
        self.ordered: set[str] = set()
        asked = self.rng.choice(self.wordings).format(things=enumerated(self.due))
        return asked, [Fact(f"Store room of {self.town}.", {"store_room": self.town})]

    def _purchase(self, item: str, supplier: str) -> Call:
        return call("order", count=self.shelf[item]["lot"], product=item, supplier=supplier)

    def _short(self, item: str) -> bool:
        row = self.shelf[item]
        return int(str(row["pieces"])) < int(str(row["minimum"]))

    def possible(self) -> list[Call]:
        """Everything on the shelf; orders of what was counted; the end."""
        calls = [call("look", product=each) for each in self.shelf]
        calls += [self._purchase(item, each) for item in self.looked for each in self.suppliers]
        return [*calls, call("finish")]

    def do(self, wanted: Call) -> Result:
        """Count, order or end; an order that is not needed, or another one, is a fault."""
        if wanted.operator == "finish":
            short = {item for item in self.due if self._short(item)}
            self.end(won=set(self.due) <= set(self.looked) and self.ordered == short)
            return [Fact("Check finished.", {"finished": True})]
        item = wanted["product"]
        if wanted.operator == "look":
            self.looked += [item] if item not in self.looked else []
            row = self.shelf[item]
            text = "{product}: {pieces} on the shelf, the minimum is {minimum}. "
            text += "{supplier} delivers in lots of {lot}."
            return [Fact(text.format(**row), row)]
        right = item in self.due and item not in self.ordered and self._short(item)
        if not right or wanted["supplier"] != self.shelf[item]["supplier"]:
            self.end(won=False)
        self.ordered.add(item)
        return [Fact(f"Ordered: {wanted['count']} x {item}.", {"ordered": item})]

    def expert(self) -> Iterator[Call]:
        """Count each, order where there is too little, finish."""
        for item in self.due:
            yield call("look", product=item)
            if self._short(item):
                yield self._purchase(item, str(self.shelf[item]["supplier"]))
        yield call("finish")


class ConfigKey(World):
    """A setting is changed and loaded, unless it already has the value."""

    name = "config-key"
    difficulty = "a value is changed only if it differs from the one that the file has"
    operators = (
        Operator("show", "config show {service}", about="Show the settings of a service."),
        Operator("set", "config set {service} {key} {value}", ("value",), "Change a setting."),
        Operator("reload", "service reload {service}", about="Final."),
        Operator("unchanged", "report {key} of {service} as unchanged", about="Final."),
    )
    horizon = 7
    refusal = Fact("error: unknown service or key", {"error": "unknown service or key"})

    keys = (
        *("max_connections", "timeout_s", "retries", "workers", "cache_mb", "port", "batch_size"),
        *("queue_length", "log_days", "rate_limit", "pool_size", "threads", "max_upload_mb"),
        *("session_minutes", "buffer_kb", "page_size"),
    )
    wordings = (
        "Set {key} of {service} to {value}.",
        "{service} should run with {key} {value} from now on.",
        "Please see to it that {key} is {value} in the settings of {service}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw settings, and a value that is there or not."""
        services, keys = self.draw(TEAMS, 3), self.draw(self.keys, 5)
        self.service, self.key = services[0], keys[0]
        self.settings: dict[str, dict[str, Value]] = {
            service: {key: self.rng.randint(2, 900) for key in self.arranged(keys, keys[0])}
            for service in services
        }
        present = int(str(self.settings[self.service][self.key]))
        self.same = self.rng.random() < 0.35
        others = [each for each in range(2, 999) if each != present]
        self.value = present if self.same else self.rng.choice(others)
        self.shown = False
        self.changes: dict[tuple[str, str], str] = {}
        asked = self.rng.choice(self.wordings).format(
            key=self.key, service=self.service, value=self.value
        )
        names = " ".join(sorted(services))
        return asked, [Fact(f"services: {names}", {"services": names})]

    def possible(self) -> list[Call]:
        """Every service, every key."""
        calls = [call(n, service=each) for n in ("show", "reload") for each in self.settings]
        keys = self.settings[self.service]
        calls += [call("set", service=self.service, key=key, value=self.value) for key in keys]
        return [*calls, *(call("unchanged", key=key, service=self.service) for key in keys)]

    def accepts(self, wanted: Call) -> bool:
        """Any number for any key."""
        if wanted.operator == "set":
            right = wanted["service"] in self.settings and wanted["value"].isdigit()
            return right and wanted["key"] in self.settings[self.service]
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Show, change, or end."""
        service = wanted["service"]
        if wanted.operator == "show":
            self.shown = self.shown or service == self.service
            data = self.settings[service]
            lines = [f"{key}: {value}" for key, value in data.items()]
            level = self.rng.choice(("info", "warning"))
            text = "\n".join([f"# /etc/{service}/settings.yaml", *lines, f"log_level: {level}"])
            return [Fact(text, data | {"log_level": level})]
        if wanted.operator == "set":
            key, value = wanted["key"], wanted["value"]
            self.changes[service, key] = value
            text = f"{key}: {self.settings[service][key]} -> {value} (not loaded yet)"
            return [Fact(text, {"key": key, "value": int(value), "loaded": False})]
        if wanted.operator == "unchanged":
            right = self.same and wanted["key"] == self.key and not self.changes
        else:
            due = {(self.service, self.key): str(self.value)}
            right = not self.same and service == self.service and self.changes == due
        self.end(won=right and self.shown)
        return [Fact("ok", {"ok": True})]

    def expert(self) -> Iterator[Call]:
        """Show; change and reload, or report that nothing changes."""
        yield call("show", service=self.service)
        if self.same:
            yield call("unchanged", key=self.key, service=self.service)
            return
        yield call("set", service=self.service, key=self.key, value=self.value)
        yield call("reload", service=self.service)


class ParcelQueue(World):
    """Parcels come one by one until there is none left; heavy ones go another way."""

    name = "parcel-queue"
    difficulty = "a queue is worked off until it is empty; a limit told at first decides each time"
    operators = (
        Operator("next", "take the next parcel", about="Show a parcel, if there is one."),
        Operator("belt", "put {parcel} on the belt", about="Final for this parcel."),
        Operator("pallet", "put {parcel} on the pallet", about="Final for this parcel."),
        Operator("leave", "sign off {person}", about="Final."),
    )
    horizon = 10

    wordings = (
        "{person} starts the shift in {town}: work off the parcels, then sign off.",
        "Clear the parcel queue in {town} for {person} and sign off when it is empty.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw parcels, and what the belt carries."""
        (self.person,), (town,) = self.draw(PEOPLE), self.draw(CITIES)
        self.limit = self.rng.randint(8, 30)
        self.parcels: list[dict[str, Value]] = []
        for _ in range(self.rng.randint(1, 3)):
            light = self.rng.random() < 0.5
            low, high = (1, self.limit) if light else (self.limit + 1, 60)
            weight = self.rng.randint(low, high)
            parcel: dict[str, Value] = {"parcel": self.identifier("P-#####"), "weight": weight}
            self.parcels.append(parcel | {"to": self.rng.choice(self.draw(CITIES, 4))})
        self.taken = self.stowed = 0
        self.empty = False
        asked = self.rng.choice(self.wordings).format(person=self.person, town=town)
        text = f"The belt carries up to {self.limit} kg; heavier parcels go on the pallet."
        return asked, [Fact(text, {"belt_limit_kg": self.limit})]

    def possible(self) -> list[Call]:
        """The next parcel; those that were taken; the end."""
        parcels = [each["parcel"] for each in self.parcels[: self.taken]]
        calls = [call(n, parcel=each) for n in ("belt", "pallet") for each in parcels]
        return [call("next"), *calls, call("leave", person=self.person)]

    def _way(self, number: int) -> Call:
        parcel = self.parcels[number]
        heavy = int(str(parcel["weight"])) > self.limit
        return call("pallet" if heavy else "belt", parcel=parcel["parcel"])

    def do(self, wanted: Call) -> Result:
        """Show a parcel, stow one, or end; stowing it wrongly is a fault."""
        if wanted.operator == "leave":
            self.end(won=self.empty)
            return [Fact("Good night.", {"signed_off": True})]
        if wanted.operator == "next":
            if self.taken > self.stowed:
                return [Fact("One parcel at a time, please.", {"error": "one at a time"})]
            if self.taken == len(self.parcels):
                self.empty = True
                return [Fact("The queue is empty.", {"empty": True})]
            parcel = self.parcels[self.taken]
            self.taken += 1
            text = "Parcel: {parcel}\nWeight: {weight} kg\nTo: {to}"
            return [Fact(text.format(**parcel), parcel)]
        if self.stowed == self.taken or wanted != self._way(self.stowed):
            self.end(won=False)
        self.stowed += 1
        return [Fact("Beep.", {"scanned": True})]

    def expert(self) -> Iterator[Call]:
        """Take and stow until the queue is empty, sign off."""
        for number in range(len(self.parcels)):
            yield call("next")
            yield self._way(number)
        yield call("next")
        yield call("leave", person=self.person)
