"""Files: a number deep in a YAML file, rows of two CSV files."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import CITIES, PEOPLE, PRODUCTS, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call


class YamlPaths(World):
    """Replicas of a service are changed; where it stands in the file, the file shows."""

    name = "yaml-paths"
    difficulty = "a path and an old value are read from nested text; the new value has a ceiling"
    operators = (
        Operator("cat", "cat {file}", about="Show a file."),
        Operator("edit", "yq -i '.{group}.{service}.replicas = {value}' {file}", ("value",)),
        Operator("apply", "apply {file}", about="Final."),
        Operator("mail", "mail {person} -s '{service} is locked in {file}'", about="Final."),
    )
    horizon = 7
    refusal = Fact("Error: no such path", {"error": "no such path"})

    wordings = (
        ("double", "Double the replicas of {service} in {place}."),
        ("double", "{service} in {place} needs twice as many replicas."),
        ("halve", "Halve the replicas of {service} in {place}."),
        ("halve", "{place}: half of the replicas are enough for {service}."),
        ("more", "One replica more for {service} in {place}, please."),
        ("more", "{service} in {place} could do with one more replica"),
        ("fewer", "Take one replica away from {service} in {place}."),
        ("fewer", "{place} wants to save money: one replica less for {service}."),
    )
    groups = ("services", "jobs", "workers", "frontends")

    def begin(self) -> tuple[str, Result]:
        """Draw files and what is in the one that matters."""
        places = [each.lower() for each in self.draw(CITIES, 3)]
        self.files = [f"{each}.yaml" for each in places]
        self.file = self.files[0]
        names, people = self.draw(TEAMS, 6), self.draw(PEOPLE, 6)
        groups = self.rng.sample(self.groups, 2)
        self.group_of = {name: groups[at % 2] for at, name in enumerate(names)}
        self.entries: dict[str, dict[str, Value]] = {}
        for name, person in zip(names, people, strict=True):
            replicas = 2 * self.rng.randint(1, 6)
            locked = self.rng.random() < 0.25
            entry: dict[str, Value] = {"service": name, "owner": person}
            entry |= {"locked": "true" if locked else "false", "replicas": replicas}
            self.entries[name] = entry | {"ceiling": replicas + self.rng.randint(0, 12)}
        self.service = names[0]
        entry = self.entries[self.service]
        kind, wording = self.rng.choice(self.wordings)
        old, ceiling = int(str(entry["replicas"])), int(str(entry["ceiling"]))
        new = {"double": 2 * old, "halve": old // 2, "more": old + 1, "fewer": old - 1}[kind]
        self.value = min(new, ceiling)
        self.values = sorted({2 * old, old // 2, old + 1, old - 1, ceiling})
        self.locked, self.owner = entry["locked"] == "true", str(entry["owner"])
        self.shown = self.arranged(names, self.service)
        self.listed = self.arranged(self.files, self.file)
        self.made: list[Call] = []
        self.open = False
        text = "  ".join(self.listed)
        asked = wording.format(service=self.service, place=places[0])
        return asked, [Fact(f"$ ls\n{text}", {"files": text})]

    def possible(self) -> list[Call]:
        """Every file; then some values for every service."""
        calls = [call("cat", file=each) for each in self.files]
        if self.open:
            for name, entry in self.entries.items():
                where = {"group": self.group_of[name], "service": name}
                calls += [call("edit", **where, value=each, file=self.file) for each in self.values]
                calls.append(call("mail", person=entry["owner"], service=name, file=self.file))
        return [*calls, *(call("apply", file=each) for each in self.files)]

    def accepts(self, wanted: Call) -> bool:
        """Any number for a service of the file that is open."""
        if wanted.operator == "edit":
            known = self.open and wanted["file"] == self.file and wanted["value"].isdigit()
            return known and self.group_of.get(wanted["service"]) == wanted["group"]
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Show, edit, or end."""
        if wanted.operator == "cat":
            self.open = wanted["file"] == self.file
            if not self.open:
                return [Fact("{}", {"empty": True})]
            line = (
                "  {service}:\n    owner: {owner}\n    locked: {locked}\n"
                "    replicas: {replicas}\n    ceiling: {ceiling}"
            )
            parts: list[Fact | Rows] = []
            for group in dict.fromkeys(self.group_of[each] for each in self.shown):
                rows = [self.entries[each] for each in self.shown if self.group_of[each] == group]
                parts += [Fact(f"{group}:"), Rows(group, line, rows)]
            return parts
        if wanted.operator == "edit":
            self.made.append(wanted)
            return [Fact("(written)", {"written": True})]
        *steps, last = self._rest()
        self.end(won=wanted == last and self.made == steps)
        return [Fact("ok", {"ok": True})]

    def _rest(self) -> list[Call]:
        if self.locked:
            return [call("mail", person=self.owner, service=self.service, file=self.file)]
        group = self.group_of[self.service]
        edit = call("edit", group=group, service=self.service, value=self.value, file=self.file)
        return [edit, call("apply", file=self.file)]

    def expert(self) -> Iterator[Call]:
        """Read, then edit and apply, or tell the owner."""
        yield call("cat", file=self.file)
        yield from self._rest()


class CsvShort(World):
    """Orders of one file are compared with the stock of another."""

    name = "csv-short"
    difficulty = "for every row of a table a row of another is looked up, and a difference told"
    operators = (
        Operator("cat", "cat {file}", about="Show a file."),
        Operator("release", "release {order}", about="Let an order through."),
        Operator("flag", "flag {order} short by {count}", ("count",), "Hold an order back."),
        Operator("unknown", "flag {order} unknown item", about="Hold an order back."),
        Operator("done", "submit {file}", about="Final."),
    )
    horizon = 9
    refusal = Fact("no such file or order", {"error": "not found"})

    wordings = (
        "Check {file} against {stock}.",
        "Which of the orders in {file} can go out? The stock is in {stock}.",
        "{file} is new. Release what {stock} covers, flag the rest, submit.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw orders and a stock that covers some of them."""
        places = [each.lower() for each in self.draw(CITIES, 4)]
        week = self.rng.randint(10, 52)
        self.file, self.stock = f"orders_{places[0]}_{week}.csv", f"stock_{places[1]}.csv"
        others = [f"orders_{places[2]}_{week}.csv", f"stock_{places[3]}.csv"]
        self.files = self.arranged([self.file, self.stock, *others], self.file)
        goods = self.draw(PRODUCTS, 8)
        orders: list[dict[str, Value]] = []
        left: list[dict[str, Value]] = []
        self.right: dict[str, Call] = {}
        for item in goods[: self.rng.randint(2, 4)]:
            order, count = self.identifier("A###"), self.rng.randint(1, 60)
            orders.append({"order": order, "item": item, "count": count})
            kind = self.rng.choice(("covered", "covered", "short", "short", "unknown"))
            self.right[order] = call("release", order=order)
            if kind == "unknown":
                self.right[order] = call("unknown", order=order)
                continue
            more = self.rng.choice((0, self.rng.randint(1, 40)))
            have = count + more if kind == "covered" else self.rng.randint(0, count - 1)
            left.append({"item": item, "left": have})
            if have < count:
                self.right[order] = call("flag", order=order, count=count - have)
        left += [{"item": item, "left": self.rng.randint(0, 90)} for item in goods[5:]]
        self.orders, self.left = self.arranged(orders), self.arranged(left)
        self.made: dict[str, Call] = {}
        self.open = False
        wording = self.rng.choice(self.wordings)
        asked = wording.format(file=self.file, stock=self.stock)
        names = "\n".join(self.files)
        return asked, [Fact(f"$ ls\n{names}", {"files": ", ".join(self.files)})]

    def possible(self) -> list[Call]:
        """Every file; then everything for every order."""
        calls = [call("cat", file=each) for each in self.files]
        counts = [each["count"] for each in self.right.values() if each.operator == "flag"]
        for row in self.orders if self.open else []:
            order = row["order"]
            calls += [call("release", order=order), call("unknown", order=order)]
            values = dict.fromkeys((*counts, str(row["count"])))
            calls += [call("flag", order=order, count=each) for each in values]
        return [*calls, call("done", file=self.file)]

    def accepts(self, wanted: Call) -> bool:
        """Any count for an order that was shown."""
        if wanted.operator == "flag":
            return self.open and wanted["order"] in self.right and wanted["count"].isdigit()
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Show, decide, or end."""
        if wanted.operator == "cat":
            file = wanted["file"]
            if file == self.file:
                self.open = True
                return [
                    Fact("order,item,qty"),
                    Rows("orders", "{order},{item},{count}", self.orders),
                ]
            rows = self.left if file == self.stock else []
            return [Fact("item,left"), Rows("stock", "{item},{left}", rows)]
        if wanted.operator == "done":
            self.end(won=self.made == self.right)
            return [Fact("submitted", {"submitted": True})]
        order = wanted["order"]
        self.made[order] = wanted
        if self.right[order].operator != "release" and wanted.operator == "release":
            self.end(won=False)  # it has left the house
        return [Fact(f"{order}: noted", {"order": order, "noted": True})]

    def expert(self) -> Iterator[Call]:
        """Read both files, decide row by row, submit."""
        yield call("cat", file=self.file)
        yield call("cat", file=self.stock)
        for row in self.orders:
            yield self.right[str(row["order"])]
        yield call("done", file=self.file)
