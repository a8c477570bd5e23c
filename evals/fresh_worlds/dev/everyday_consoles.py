"""Everyday consoles: a shop's API, a shell, a database, a search through logs."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ...ladder.names import CITIES, PARTS, PEOPLE, PRODUCTS, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call
from ..shared import MONTHS, clock_times


class RestOrders(World):
    """A customer is looked up, then the orders; a status says how one of them is undone."""

    name = "rest-orders"
    difficulty = "an id of one answer goes into the next path; a status decides the last request"
    operators = (
        Operator("find", "GET /customers?name={name}", about="Find a customer."),
        Operator("orders", "GET /customers/{customer}/orders", ("customer",), "List the orders."),
        Operator("cancel", "POST /orders/{order}/cancel", ("order",), "Cancel; final."),
        Operator("back", "POST /orders/{order}/return", ("order",), "Take back; final."),
    )
    horizon = 7
    refusal = Fact('HTTP/1.1 404 Not Found\n{"error": "not found"}', {"error": "not found"})

    wordings = (
        "{person} no longer wants the {item}. Undo the order.",
        "Please undo the order of the {item} that {person} placed.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw customers, and what each of them ordered."""
        people, towns = self.draw(PEOPLE, 3), self.draw(CITIES, 3)
        ids = self.rng.sample(range(1000, 9999), 3)
        self.customers: dict[str, dict[str, Value]] = {
            person: {"id": i, "name": person, "city": town}
            for person, i, town in zip(people, ids, towns, strict=True)
        }
        numbers = iter(self.rng.sample(range(10000, 99999), 12))
        self.orders: dict[int, list[dict[str, Value]]] = {}
        for i in ids:
            goods = self.draw(PRODUCTS, self.rng.randint(2, 4))
            self.orders[i] = [
                {"order": next(numbers), "item": item, "status": self._status()} for item in goods
            ]
        right = self.orders[ids[0]][0]
        self.person, self.customer, self.right = people[0], ids[0], right
        self.orders[ids[0]] = self.arranged(self.orders[ids[0]], right)
        self.known: list[int] = []
        self.seen: list[Value] = []
        wording = self.rng.choice(self.wordings)
        asked = wording.format(person=self.person, item=right["item"])
        url = "https://api.shop.example/v2"
        return asked, [Fact(f"Base URL: {url}", {"base_url": url})]

    def _status(self) -> str:
        return self.rng.choice(("open", "paid", "shipped", "delivered"))

    def possible(self) -> list[Call]:
        """Every customer; the orders of those that were found; undoing what was listed."""
        calls = [call("find", name=each) for each in self.customers]
        calls += [call("orders", customer=each) for each in self.known]
        return [*calls, *(call(n, order=each) for n in ("cancel", "back") for each in self.seen)]

    def do(self, wanted: Call) -> Result:
        """Return JSON, or end."""
        if wanted.operator == "find":
            customer = self.customers[wanted["name"]]
            i = int(str(customer["id"]))
            self.known += [i] if i not in self.known else []
            return [Fact(f"HTTP/1.1 200 OK\n{json.dumps(customer)}", customer)]
        if wanted.operator == "orders":
            rows = self.orders[int(wanted["customer"])]
            self.seen += [row["order"] for row in rows if row["order"] not in self.seen]
            line = '{{"order": {order}, "item": "{item}", "status": "{status}"}}'
            return [Fact("HTTP/1.1 200 OK"), Rows("orders", line, rows)]
        early = self.right["status"] in {"open", "paid"}
        due = "cancel" if early else "back"
        self.end(won=wanted.operator == due and wanted["order"] == str(self.right["order"]))
        return [Fact("HTTP/1.1 202 Accepted", {"status": 202})]

    def expert(self) -> Iterator[Call]:
        """Find the customer and the order; cancel it before it is shipped, else take it back."""
        yield call("find", name=self.person)
        yield call("orders", customer=self.customer)
        early = self.right["status"] in {"open", "paid"}
        yield call("cancel" if early else "back", order=self.right["order"])


class ShellDisk(World):
    """The largest file of a folder is removed; its path is the folder's and its name."""

    name = "shell-disk"
    difficulty = "the largest row of a listing is chosen, and its path put together"
    operators = (
        Operator("connect", "ssh {host}", about="Log in to a host."),
        Operator("list", "ls -l {folder}", about="List a folder."),
        Operator("remove", "rm {path}", about="Remove a file for good; final."),
    )
    horizon = 7
    refusal = Fact("bash: no such file or directory", {"error": "no such file or directory"})

    wordings = (
        "{host} is running out of disk space: delete the largest file in {folder}.",
        "Free some space on {host}. The biggest file under {folder} can go.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw hosts, folders and files of many sizes."""
        towns, teams = self.draw(CITIES, 3), self.draw(TEAMS, 3)
        self.hosts = [f"{town.lower()}-{self.rng.randint(1, 9)}" for town in towns]
        self.host, self.prompt = self.hosts[0], ""
        self.files: dict[str, list[dict[str, Value]]] = {}
        for team in teams:
            names = [part.replace(" ", "-") for part in self.draw(PARTS, self.rng.randint(3, 6))]
            sizes = self.rng.sample(range(900, 9_999_999), len(names))
            self.files[f"/var/log/{team}"] = [
                {"size": size, "date": self._date(), "file": f"{name}{self._suffix()}"}
                for name, size in zip(names, sizes, strict=True)
            ]
        self.folder = f"/var/log/{teams[0]}"
        rows = self.files[self.folder]
        largest = max(rows, key=lambda row: int(str(row["size"])))
        self.files[self.folder] = self.arranged(rows, largest)
        self.path = f"{self.folder}/{largest['file']}"
        self.seen: list[str] = []
        asked = self.rng.choice(self.wordings).format(host=self.host, folder=self.folder)
        return asked, [Fact("ops@bastion:~$", {"prompt": "ops@bastion:~$"})]

    def _date(self) -> str:
        day, minutes = self.rng.randint(1, 28), self.rng.randrange(24 * 60)
        clock = f"{minutes // 60:02}:{minutes % 60:02}"
        return f"{self.rng.choice(MONTHS)[:3]} {day:>2} {clock}"

    def _suffix(self) -> str:
        return self.rng.choice((".log", ".log.1", ".log.2.gz", "-trace.txt"))

    def possible(self) -> list[Call]:
        """Every host; on a host every folder, and the files that were listed."""
        folders = self.files if self.prompt else ()
        calls = [call("connect", host=each) for each in self.hosts]
        calls += [call("list", folder=each) for each in folders]
        return [*calls, *(call("remove", path=each) for each in self.seen)]

    def do(self, wanted: Call) -> Result:
        """Log in, list, or end."""
        if wanted.operator == "connect":
            self.prompt = f"ops@{wanted['host']}:~$"
            load = f"{self.rng.randint(3, 400) / 100:.2f}"
            used = self.rng.randint(91, 99)
            text = "Welcome to Ubuntu 22.04.3 LTS\n"
            text += f"  System load: {load}     Usage of /: {used}%\n{self.prompt}"
            return [Fact(text, {"load": load, "usage_percent": used, "prompt": self.prompt})]
        if wanted.operator == "list":
            folder = wanted["folder"]
            rows = self.files[folder]
            self.seen += [path for r in rows if (path := f"{folder}/{r['file']}") not in self.seen]
            line = "-rw-r--r-- 1 root adm {size:>8} {date} {file}"
            return [Fact(f"total {8 * len(rows)}"), Rows("files", line, rows)]
        right = self.prompt == f"ops@{self.host}:~$" and wanted["path"] == self.path
        self.end(won=right)
        return [Fact(self.prompt, {"prompt": self.prompt})]

    def expert(self) -> Iterator[Call]:
        """Log in, list, remove."""
        yield call("connect", host=self.host)
        yield call("list", folder=self.folder)
        yield call("remove", path=self.path)


class SqlTransfer(World):
    """One of several people of a name is moved to another team by the id of the row."""

    name = "sql-transfer"
    difficulty = "of the rows that a query returns the one of the task's team gives the id"
    operators = (
        Operator("query", "SELECT * FROM staff WHERE name = '{name}';", about="Show rows."),
        Operator(
            "update", "UPDATE staff SET team = '{team}' WHERE id = {id};", ("id",), "Change a row."
        ),
        Operator("commit", "COMMIT;", about="Make the changes last; final."),
    )
    horizon = 6
    refusal = Fact("ERROR 1064 (42000): nothing to do", {"error": "nothing to do"})

    wordings = (
        "{person} of {old} moves to {new}. Change the staff table.",
        "In the staff table, transfer {person} ({old}) to {new}.",
        "Please put {person}, so far in {old}, into {new} in the database.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw people, up to three of one name, in several teams and towns."""
        people, self.teams = self.draw(PEOPLE, 3), self.draw(TEAMS, 5)
        self.person, (old, self.new, *_) = people[0], self.teams
        others = [old, *self.teams[2:]]
        rows: list[dict[str, Value]] = []
        for person in people:
            teams = self.rng.sample(others, self.rng.randint(1, 3))
            if person == self.person:
                teams = [old, *self.rng.sample(self.teams[2:], self.rng.randint(1, 3))]
            rows += [{"name": person, "team": team} for team in teams]
        ids = self.rng.sample(range(10, 999), len(rows))
        for row, i in zip(rows, ids, strict=True):
            row |= {"id": i, "city": self.rng.choice(self.draw(CITIES, 4))}
        self.right = ids[0]
        self.rows = self.arranged(rows, rows[0])
        self.seen: list[Value] = []
        self.changes: dict[str, str] = {}
        asked = self.rng.choice(self.wordings).format(person=self.person, old=old, new=self.new)
        text = "Database changed\nmysql> SET autocommit = 0;\nQuery OK, 0 rows affected"
        return asked, [Fact(text, {"autocommit": 0})]

    def possible(self) -> list[Call]:
        """Every name; every team for the ids that were shown."""
        names = dict.fromkeys(str(row["name"]) for row in self.rows)
        calls = [call("query", name=each) for each in names]
        calls += [call("update", team=t, id=i) for t in self.teams for i in self.seen]
        return [*calls, call("commit")]

    def do(self, wanted: Call) -> Result:
        """Show rows, change one, or end."""
        if wanted.operator == "query":
            rows = [row for row in self.rows if row["name"] == wanted["name"]]
            self.seen += [row["id"] for row in rows if row["id"] not in self.seen]
            border = "+-----+------------+------------+------------+"
            head = Fact(f"{border}\n| id  | name       | team       | city       |\n{border}")
            line = "| {id:>3} | {name:<10} | {team:<10} | {city:<10} |"
            count = f"{len(rows)} row{'s' * (len(rows) != 1)} in set"
            foot = Fact(f"{border}\n{count} (0.00 sec)", {"count": len(rows)})
            return [head, Rows("staff", line, rows), foot]
        if wanted.operator == "update":
            self.changes[wanted["id"]] = wanted["team"]
            text = "Query OK, 1 row affected (0.01 sec)\nRows matched: 1  Changed: 1"
            return [Fact(text, {"matched": 1, "changed": 1})]
        self.end(won=self.changes == {str(self.right): self.new})
        return [Fact("Query OK, 0 rows affected (0.02 sec)", {"committed": True})]

    def expert(self) -> Iterator[Call]:
        """Find the row, change it, commit."""
        yield call("query", name=self.person)
        yield call("update", team=self.new, id=self.right)
        yield call("commit")


class LogSearch(World):
    """One log after the other is searched for a request until it is there."""

    name = "log-search"
    difficulty = "files are searched until one has the request; its error line gives two values"
    operators = (
        Operator("search", "grep {request} {file}", about="Show the lines of a request."),
        Operator(
            "report",
            "file a bug against {service}: code {code}",
            ("code",),
            "Report what failed; final.",
        ),
    )
    horizon = 8
    refusal = Fact("grep: no such file or directory", {"error": "no such file or directory"})

    wordings = (
        "Request {request} failed some days ago. Find out why and file a bug.",
        "A customer complains: request {request} went wrong. File a bug for what failed.",
    )
    quiet = (
        ("INFO", "accepted, {n} bytes"),
        ("INFO", "answered in {n} ms"),
        ("WARN", "slow answer, {n} ms"),
        ("DEBUG", "cache miss, {n} entries"),
    )
    loud = ("timeout, code {n}", "refused by the backend, code {n}", "gave up with code {n}")

    def begin(self) -> tuple[str, Result]:
        """Draw files, the one that has the request, and its lines."""
        self.request = self.identifier("aa##-####")
        self.services = self.draw(TEAMS, 4)
        (stem,) = self.draw(PARTS)
        stem = stem.replace(" ", "-")
        self.files = [f"{stem}.log", *(f"{stem}.log.{n}" for n in range(1, 5))]
        self.place = self.rng.randrange(len(self.files))
        self.codes = self.rng.sample(range(1000, 9999), 4)
        self.service, self.code = self.services[0], self.codes[0]
        kinds = [
            (self.rng.choice(self.services), *self.rng.choice(self.quiet), self.rng.randint(2, 900))
            for _ in range(self.rng.randint(1, 3))
        ]
        failure = (self.service, "ERROR", self.rng.choice(self.loud), self.code)
        kinds.insert(self.rng.randint(0, len(kinds)), failure)
        day = f"2025-{self.rng.randint(1, 12):02}-{self.rng.randint(1, 28):02}"
        (start,) = clock_times(self.rng, 1)
        self.lines: list[dict[str, Value]] = [
            {
                "time": f"{day} {start}.{millisecond:03}",
                "level": level,
                "service": service,
                "message": text.format(n=number),
            }
            for millisecond, (service, level, text, number) in zip(
                sorted(self.rng.sample(range(1000), len(kinds))), kinds, strict=True
            )
        ]
        self.found = False
        asked = self.rng.choice(self.wordings).format(request=self.request)
        listed = Rows("files", "{file}", [{"file": each} for each in self.files])
        return asked, [Fact("$ ls -t"), listed]

    def possible(self) -> list[Call]:
        """Every file; then every service with every code."""
        services = self.services if self.found else []
        calls = [call("search", request=self.request, file=each) for each in self.files]
        return [*calls, *(call("report", service=s, code=c) for s in services for c in self.codes)]

    def do(self, wanted: Call) -> Result:
        """Show lines, or end."""
        if wanted.operator == "search":
            if wanted["file"] != self.files[self.place]:
                return [Fact("(no matches)", {"matches": 0})]
            self.found = True
            line = f"{{time}} {{level:<5}} [{{service}}] {self.request}: {{message}}"
            return [Rows("lines", line, self.lines)]
        right = wanted["service"] == self.service and wanted["code"] == str(self.code)
        self.end(won=right)
        return [Fact(f"BUG-{self.rng.randint(100, 999)} filed.", {"filed": True})]

    def expert(self) -> Iterator[Call]:
        """Search the files as they are listed, report the error."""
        for file in self.files[: self.place + 1]:
            yield call("search", request=self.request, file=file)
        yield call("report", service=self.service, code=self.code)
