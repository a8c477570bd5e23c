# ruff: noqa: S608 - the world shows queries and runs none
"""Consoles: queries, configuration files, logs and files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...ladder.names import CITIES, PEOPLE, PRODUCTS, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, World, call
from ..shared import clock_times

_SELECT = re.compile(r"SELECT (\w+) FROM (\w+) WHERE (.+)")
_EQUAL = re.compile(r"(\w+) = (?:'([^']*)'|(\d+))")


class SqlOrders(World):
    """Two tables hang together by an id; queries are composed texts."""

    name = "sql-orders"
    difficulty = "two queries are composed, the second with the id that the first one returns"
    operators = (
        Operator("run", "run {sql}", about="Run a query of one column; nothing changes."),
        Operator("reply", "reply {ref}", about="Answer with a reference; final."),
    )
    horizon = 8
    refusal = Fact("ERROR: syntax error", {"error": "syntax error"})

    def begin(self) -> tuple[str, Result]:
        """Draw customers, some of one name, and what each of them ordered."""
        names, towns, goods = self.draw(PEOPLE, 3), self.draw(CITIES, 3), self.draw(PRODUCTS, 4)
        ids = self.rng.sample(range(100, 999), 5)
        pairs = [(names[0], towns[0]), (names[0], towns[1])]
        pairs += [(names[1], towns[0]), (names[1], towns[2]), (names[2], towns[1])]
        customers = [
            {"id": i, "name": name, "city": town}
            for i, (name, town) in zip(ids, pairs, strict=True)
        ]
        orders = [
            {"ref": self.identifier("AA-####"), "customer": i, "item": item}
            for i in ids
            for item in goods[:3]
        ]
        self.tables = {"customers": customers, "orders": self.arranged(orders, orders[0])}
        self.items, self.right = goods[:3], orders[0]["ref"]
        self.person, self.town, self.item = names[0], towns[0], goods[0]
        self.ids: list[str] = []
        self.refs: list[str] = []
        asked = f"Which reference has the {goods[0]} that {names[0]} of {towns[0]} ordered?"
        schema = "customers (id, name, city); orders (ref, customer, item)"
        return asked, [Fact(f"sqlite> .schema\n{schema}", {"schema": schema})]

    def possible(self) -> list[Call]:
        """Queries for every customer, for every id and item that is known, and all references."""
        first = [
            f"SELECT id FROM customers WHERE name = '{c['name']}' AND city = '{c['city']}'"
            for c in self.tables["customers"]
        ]
        second = [
            f"SELECT ref FROM orders WHERE customer = {i} AND item = '{item}'"
            for i in self.ids
            for item in self.items
        ]
        runs = [call("run", sql=each) for each in (*first, *second)]
        return [*runs, *(call("reply", ref=each) for each in self.refs)]

    def accepts(self, wanted: Call) -> bool:
        """Every query of one column of a table; every reply."""
        return wanted.operator == "reply" or self._rows(wanted["sql"]) is not None

    def _rows(self, sql: str) -> list[str] | None:
        match = _SELECT.fullmatch(sql)
        if not match or match[2] not in self.tables:
            return None
        table, wanted = self.tables[match[2]], []
        if match[1] not in table[0]:
            return None
        for condition in match[3].split(" AND "):
            equal = _EQUAL.fullmatch(condition)
            if not equal or equal[1] not in table[0]:
                return None
            wanted.append((equal[1], equal[2] if equal[2] is not None else equal[3]))
        return [str(row[match[1]]) for row in table if all(str(row[k]) == v for k, v in wanted)]

    def do(self, wanted: Call) -> Result:
        """Return rows, or end."""
        if wanted.operator == "reply":
            self.end(won=wanted["ref"] == self.right)
            return [Fact("Thank you.", {"thanks": True})]
        rows = self._rows(wanted["sql"]) or []
        column = wanted["sql"].split()[1]
        seen = self.ids if column == "id" else self.refs
        seen += [each for each in rows if each not in seen]
        values = [{column: int(each) if each.isdigit() else each} for each in rows]
        body = Rows("rows", f" {{{column}}}", values)
        count = f"({len(rows)} row{'s' * (len(rows) != 1)})"
        return [Fact(f" {column}\n-------"), body, Fact(count, {"count": len(rows)})]

    def expert(self) -> Iterator[Call]:
        """Ask for the id, then for the reference."""
        where = f"name = '{self.person}' AND city = '{self.town}'"
        yield call("run", sql=f"SELECT id FROM customers WHERE {where}")
        where = f"customer = {self.ids[-1]} AND item = '{self.item}'"
        yield call("run", sql=f"SELECT ref FROM orders WHERE {where}")
        yield call("reply", ref=self.refs[-1])


class IniPorts(World):
    """A configuration file with sections that all have the same keys, in any order."""

    name = "ini-ports"
    difficulty = "the keys of all sections are alike; the section's head, lines above, tells whose"
    operators = (
        Operator("cat", "cat {file}", about="Show a file."),
        Operator("probe", "nc -z {host} {port}", ("port",), "Try a port; the final step."),
    )
    horizon = 5
    refusal = Fact("bash: no such thing", {"error": "no such thing"})

    def begin(self) -> tuple[str, Result]:
        """Draw sections, each with host, port and owner."""
        teams, towns = self.draw(TEAMS, 5), self.draw(CITIES, 5)
        people, ports = self.draw(PEOPLE, 5), self.rng.sample(range(2000, 9999), 5)
        sections: list[dict[str, str | int]] = [
            {
                "section": team,
                "host": f"{town.lower()}-{self.rng.randint(1, 9)}",
                "port": port,
                "owner": person,
            }
            for team, town, port, person in zip(teams, towns, ports, people, strict=True)
        ]
        self.right = sections[0]
        self.sections = self.arranged(sections, self.right)
        lines: list[str] = []
        for section in self.sections:
            lines.append(f"[{section['section']}]")
            keys = self.rng.sample(("host", "port", "owner"), 3)
            lines += [f"{key} = {section[key]}" for key in keys]
            if self.rng.random() < 0.3:
                lines.append("; keep in step with the firewall")
        self.text = "\n".join(lines)
        self.file = f"{self.identifier('aaa')}.ini"
        self.open = False
        asked = f"Does the service [{teams[0]}] in {self.file} listen? Probe it."
        start = Fact(f"$ ls\n{self.file}\nREADME", {"files": f"{self.file}, README"})
        return asked, [start]

    def possible(self) -> list[Call]:
        """Showing the file; then probing all hosts and ports."""
        hosts = [s["host"] for s in self.sections] if self.open else []
        ports = [s["port"] for s in self.sections]
        probes = [call("probe", host=h, port=p) for h in hosts for p in ports]
        return [call("cat", file=self.file), call("cat", file="README"), *probes]

    def accepts(self, wanted: Call) -> bool:
        """Everything can be probed."""
        return wanted.operator == "probe" or wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Show the file, or end."""
        if wanted.operator == "probe":
            right = (str(self.right["host"]), str(self.right["port"]))
            self.end(won=(wanted["host"], wanted["port"]) == right)
            return [Fact("exit status 0", {"status": 0})]
        if wanted["file"] == "README":
            return [Fact("Nothing to read yet.", {"text": "Nothing to read yet."})]
        self.open = True
        return [Fact(self.text, {"sections": self.sections})]  # type: ignore[dict-item]

    def expert(self) -> Iterator[Call]:
        """Show the file, probe what stands in the section."""
        yield call("cat", file=self.file)
        yield call("probe", host=self.right["host"], port=self.right["port"])


class LogRestart(World):
    """One line of a log, among lines of many shapes, tells what has failed."""

    name = "log-restart"
    difficulty = "of the lines of a log, which read in many ways, the one marked ERROR counts"
    operators = (
        Operator("tail", "tail the log of {host}", about="Show the last lines."),
        Operator("restart", "restart {service} on {host}", about="Restart a service; final."),
    )
    horizon = 5

    quiet = (
        ("INFO", "{service}: {n} requests served"),
        ("INFO", "{service} took over from the night shift"),
        ("INFO", "0 errors in {service} since midnight"),
        ("WARN", "slow answer ({n} ms) from {service}"),
        ("WARN", "{service} uses {n} MB, which is much"),
        ("DEBUG", "cache of {service} has {n} entries"),
    )
    loud = (
        "{service}: connection refused",
        "no heartbeat from {service} for {n} s",
        "{service} left with code {n}",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw hosts and the lines of a log."""
        self.hosts = [f"{town.lower()}-{self.rng.randint(1, 9)}" for town in self.draw(CITIES, 3)]
        self.host = self.hosts[0]
        self.services = self.draw(TEAMS, 6)
        self.service = self.services[0]
        kinds = [(*self.rng.choice(self.quiet), self.rng.choice(self.services)) for _ in range(6)]
        place = self.rng.randint(0, 6)
        kinds.insert(place, ("ERROR", self.rng.choice(self.loud), self.service))
        times = clock_times(self.rng, 7)
        self.entries = [
            {"time": time, "level": level, "service": service}
            | {"message": text.format(service=service, n=self.rng.randint(2, 900))}
            for time, (level, text, service) in zip(times, kinds, strict=True)
        ]
        self.open = False
        self.listed = self.arranged(self.hosts, self.host)
        names = " ".join(self.listed)
        asked = f"Something has died on {self.host}. Bring it back."
        return asked, [Fact(f"Hosts in reach: {names}", {"hosts": names})]

    def possible(self) -> list[Call]:
        """Logs of all hosts; then all services on the host."""
        tails = [call("tail", host=each) for each in self.listed]
        services = self.services if self.open else []
        return [*tails, *(call("restart", service=s, host=self.host) for s in services)]

    def do(self, wanted: Call) -> Result:
        """Show a log, or end."""
        if wanted.operator == "restart":
            self.end(won=wanted["service"] == self.service)
            return [Fact(f"{wanted['service']} is starting.", {"starting": wanted["service"]})]
        if wanted["host"] != self.host:
            return [Fact("(the log is empty)", {"entries": []})]  # type: ignore[dict-item]
        self.open = True
        return [Rows("entries", "{time} {level} {message}", self.entries)]

    def expert(self) -> Iterator[Call]:
        """Read the log, restart what has failed."""
        yield call("tail", host=self.host)
        yield call("restart", service=self.service, host=self.host)


class FileExport(World):
    """A file is converted and mailed under its own name with another suffix."""

    name = "file-export"
    difficulty = "a path with another suffix is typed, made of the path that the task names"
    operators = (
        Operator("convert", "soffice {source} --out {target}", about="Convert a file."),
        Operator("mail", "mail {file} to {person}", about="Mail a file; final."),
    )
    horizon = 6

    def begin(self) -> tuple[str, Result]:
        """Draw files in folders."""
        people, teams, goods = self.draw(PEOPLE, 3), self.draw(TEAMS, 4), self.draw(PRODUCTS, 4)
        self.files = []
        for team, thing in zip(teams, goods, strict=True):
            stem = thing.replace(" ", "_")
            stem += self.rng.choice(("", "-v1.2", "-final", f".{self.rng.randint(2019, 2025)}"))
            suffix = self.rng.choice(("docx", "odt", "rtf", "txt"))
            self.files.append(f"{team}/{self.rng.choice(('in', 'drafts', '2024'))}/{stem}.{suffix}")
        self.source, self.person, self.people = self.files[0], people[0], people
        self.listed = self.arranged(self.files, self.source)
        self.made: list[str] = []
        rows = Rows("files", "-rw-r--r--  {path}", [{"path": each} for each in self.listed])
        return f"{self.person} needs {self.source}, but as a PDF.", [rows]

    @staticmethod
    def _target(source: str) -> str:
        return f"{source.rpartition('.')[0]}.pdf"

    def possible(self) -> list[Call]:
        """Convert each file to its own name, or mail what there is."""
        converts = [call("convert", source=s, target=self._target(s)) for s in self.listed]
        files = [*self.listed, *self.made]
        return [*converts, *(call("mail", file=f, person=p) for f in files for p in self.people)]

    def accepts(self, wanted: Call) -> bool:
        """A file that exists, to any target."""
        if wanted.operator == "convert":
            return wanted["source"] in self.files and wanted["target"] not in self.files
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Convert, or end."""
        if wanted.operator == "convert":
            source, target = wanted["source"], wanted["target"]
            self.made += [target] if target not in self.made else []
            data = {"source": source, "target": target}
            return [Fact(f"convert {source} -> {target} using filter : writer_pdf_Export", data)]
        right = self._target(self.source)
        self.end(won=wanted["file"] == right and wanted["person"] == self.person)
        return [Fact("250 queued", {"status": 250})]

    def expert(self) -> Iterator[Call]:
        """Convert, then mail."""
        target = self._target(self.source)
        yield call("convert", source=self.source, target=target)
        yield call("mail", file=target, person=self.person)
