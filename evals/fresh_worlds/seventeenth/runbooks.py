"""Runbooks: a secret that is rotated, an import that stumbles, backups that are too old."""

from __future__ import annotations

from datetime import date, timedelta

from ...ladder.names import CITIES, PARTS, PEOPLE, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class SecretRotate(Desk):
    """A secret is rotated; then each service that does not reload by itself is restarted.

    The services are listed first and restarted in the order of the list. Half of the tests have a
    service that does not come up again: nobody has shown what to do then.
    """

    name = "secret-rotate"
    difficulty = "easy; all rows of a list that have one value; what nobody showed"
    operators = (
        Operator("users", "vault users {secret}", about="Services that use it."),
        Operator("rotate", "vault rotate {secret}", about="Makes a new version, once."),
        Operator("restart", "svc restart {service}", about="Where it does not reload by itself."),
        Operator("close", "change close {change}", about="Final."),
    )
    changing = irrevocable = ("rotate", "restart")
    finals = ("close",)
    free = ("users", "rotate", "restart", "close")
    counted = True
    horizon = 10
    abstaining = True

    wordings = (
        "Rotate {secret}, change {change}.",
        "{change}: the secret {secret} is due.",
        "{person} asks for a new version of {secret} ({change}).",
        "The secret {secret} leaked. Rotate it now under {change}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a secret and who uses it."""
        counts = ((1, 1), (2, 1), (1, 2), (2, 0), (0, 2), (3, 1), (2, 2))
        by_hand, alone = case_of(self.name, self.task, counts)
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        by_hand = max(by_hand, 1) if self.unsettled else by_hand
        self.change, (person,) = self.identifier("CHG####"), self.draw(PEOPLE)
        self.secret = f"{self.rng.choice(TEAMS)}/{self.identifier('aaa-##')}"
        parts = self.draw(PARTS, by_hand + alone)
        kinds = ("api", "web", "job", "mail")
        self.services = [f"{p.replace(' ', '-')}-{self.rng.choice(kinds)}" for p in parts]
        ways = ["manual"] * by_hand + ["auto"] * alone
        rows: list[dict[str, Value]] = [
            {"service": service, "pods": self.rng.randint(1, 9), "reload": way}
            for service, way in zip(self.services, ways, strict=True)
        ]
        self.rows = self.arranged(rows)
        due = [str(row["service"]) for row in self.rows if row["reload"] == "manual"]
        self.failing = due[-1] if self.unsettled else ""
        self.version = self.rng.randint(2, 90)
        users, rotate = (call(each, secret=self.secret) for each in ("users", "rotate"))
        restarts = {each: call("restart", service=each) for each in self.services}
        close = call("close", change=self.change)
        plan = [users, rotate, *(restarts[each] for each in due), close]
        self.lay_out(plan, [users, rotate, *restarts.values(), close])
        asked = self.rng.choice(self.wordings).format(
            secret=self.secret, change=self.change, person=person
        )
        sealed = self.rng.randint(2, 400)
        return asked, [Fact(f"vault: unsealed, {sealed} secrets", {"secrets": sealed})]

    def answer(self, wanted: Call) -> Result:
        """Show, rotate, restart or end."""
        values = wanted.values
        known = (values.get("secret", self.secret), values.get("change", self.change))
        if known != (self.secret, self.change):
            return [Fact("error: not found", {"error": "not found"})]
        if wanted.operator == "users":
            return [Rows("users", "{service} pods={pods} reload={reload}", self.rows)]
        if wanted.operator == "rotate":
            return [Fact(f"version={self.version}", {"version": self.version})]
        if wanted.operator == "restart":
            self.out_of_turn |= not self.made
            if wanted["service"] not in self.services:
                return [Fact("error: no such service", {"error": "no such service"})]
            self.met |= wanted["service"] == self.failing
            state = "crashed" if wanted["service"] == self.failing else "running"
            return [Fact(f"state={state}", {"state": state})]
        return [Fact("ok", {"ok": True})]


class ImportRun(Desk):
    """An import is run until it goes through; each error has its own remedy.

    A line that cannot be read is skipped, the session that locks the table is released, a number
    that is unknown is added. A full disk goes to the owner of the ticket.
    """

    name = "import-run"
    difficulty = "medium; a log; run, mend by the kind of error, run again; one kind is handed over"
    operators = (
        Operator("run", "import run {file}", about="Loads a file; its log."),
        Operator("skip", "import skip {file} {line}", ("line",), "Leaves a line out."),
        Operator("release", "lock release {session}", ("session",), "Frees a table."),
        Operator("add", "sku add {sku}", about="A number that is not known yet."),
        Operator("close", "ticket close {ticket}", about="Final: all is loaded."),
        Operator("hand", "ticket assign {ticket} {owner}", about="Final."),
    )
    changing = irrevocable = ("skip", "release", "add")
    finals = ("close", "hand")
    free = ("run", "skip", "release", "add", "close", "hand")
    horizon = 12

    wordings = (
        "{ticket}: the import of {file} did not run last night.",
        "Load {file}, please. Ticket {ticket}.",
        "Ticket {ticket}, {file} is still missing in the warehouse.",
    )
    ways = (
        *((), ("skip",), ("release",), ("add",), ("skip", "release"), ("add", "skip")),
        *(("disk",), ("release", "disk"), ("release", "add")),
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a file and what hinders it."""
        ways = case_of(self.name, self.task, self.ways)
        self.ticket, (owner, other) = self.identifier("IMP-####"), self.draw(SURNAMES, 2)
        team = self.rng.choice(TEAMS)
        self.file = f"{team}-{self.identifier('####')}.csv"
        lines = self.rng.sample(range(20, 4000), 4)
        sessions, skus = self.rng.sample(range(100, 999), 3), [self.identifier("A-####")]
        skus += [self.identifier("A-####")]
        self.rows = self.rng.randint(4000, 9000)
        self.noise, self.minute = lines[2:], self.rng.randint(0, 40)
        skips = [call("skip", file=self.file, line=each) for each in lines]
        frees = [call("release", session=each) for each in sessions]
        adds = [call("add", sku=each) for each in skus]
        remedies = {"skip": skips[0], "release": frees[0], "add": adds[0]}
        says = {
            "skip": f"line {lines[0]} unreadable",
            "release": f"table goods locked by session {sessions[0]}",
            "add": f"unknown sku {skus[0]}",
            "disk": "disk full",
        }
        self.faults = [(says[way], remedies.get(way)) for way in ways]
        self.loaded = False
        run = call("run", file=self.file)
        close = call("close", ticket=self.ticket)
        hands = [call("hand", ticket=self.ticket, owner=each) for each in (owner, other)]
        plan = [run]
        for way in ways:
            plan += [remedies[way], run] if way in remedies else []
        plan.append(hands[0] if "disk" in ways else close)
        self.lay_out(plan, [run, *skips, *frees, *adds, close, *hands])
        asked = self.rng.choice(self.wordings).format(ticket=self.ticket, file=self.file)
        text = f"{self.ticket} opened by {other}, owner {owner}"
        return asked, [Fact(text, {"opened_by": other, "owner": owner})]

    def answer(self, wanted: Call) -> Result:
        """Run, mend or end."""
        values = wanted.values
        known = (values.get("file", self.file), values.get("ticket", self.ticket))
        if known != (self.file, self.ticket):
            return [Fact("not found", {"error": "not found"})]
        if wanted.operator == "run":
            self.minute += 3
            self.loaded = not self.faults
            said = self.faults[0][0] if self.faults else f"{self.rows} rows loaded"
            level = "ERROR" if self.faults else "INFO "
            clock = f"06:{self.minute:02}"
            log = [f"{clock}:02 INFO  reading {self.file}"]
            log += [f"{clock}:09 WARN  line {self.noise[0]} trimmed", f"{clock}:31 {level} {said}"]
            return [Fact("\n".join(log), {"level": level.strip(), "message": said})]
        if self.faults and wanted == self.faults[0][1]:
            self.faults, self.loaded = self.faults[1:], False
        self.out_of_turn |= wanted.operator == "close" and not self.loaded
        return [Fact("ok", {"ok": True})]


class BackupAge(Desk):
    """A backup is started where the last one is older than its class allows; then the count.

    Hosts that are paused are left alone. As many days as the class allows are still in order.
    """

    name = "backup-age"
    difficulty = "hard; days between dates against a limit by class; an exception; a count"
    operators = (
        Operator("list", "backup list {site}", about="Hosts, classes and dates."),
        Operator("start", "backup start {host}", about="Cannot be stopped."),
        Operator("report", "backup report {site} started={count}", ("count",), "Final."),
    )
    changing, irrevocable, finals = ("start",), ("start",), ("report",)
    free = ("list", "start", "report")
    horizon = 9

    wordings = (
        "Morning round of the backups in {site}.",
        "Are the backups of {site} in order? Start what is missing.",
        "Check the backups of {site} for {person}.",
    )
    classes = ("gold", "silver", "bronze")

    def begin(self) -> tuple[str, Result]:
        """Draw hosts and when they were saved."""
        cases = ((1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 0), (3, 0))
        old, paused = case_of(self.name, self.task, cases)
        (self.site,), (person,) = self.draw(CITIES), self.draw(PEOPLE)
        self.site = f"{self.site.lower()}-{self.rng.randint(1, 40)}"
        limits = dict(zip(self.classes, sorted(self.rng.sample(range(1, 12), 3)), strict=True))
        today = date(2026, self.rng.randint(1, 12), self.rng.randint(1, 28))
        kinds = ["old"] * old + ["paused"] * paused
        kinds += ["fresh"] * (5 - len(kinds))
        self.hosts = distinct(lambda: self.identifier("aaa-##"), 5)
        rows: list[dict[str, Value]] = []
        for host, kind in zip(self.hosts, kinds, strict=True):
            rank = self.rng.choice(self.classes)
            limit = limits[rank]
            days = self.rng.randint(0, limit)
            if kind != "fresh":
                days = limit + self.rng.choice((1, 2, self.rng.randint(3, 15)))
            last = (today - timedelta(days)).isoformat()
            state = "paused" if kind == "paused" else "active"
            rows.append({"host": host, "class": rank, "last": last, "state": state})
        self.rows = self.arranged(rows)
        due = [str(r["host"]) for r in self.rows if str(r["host"]) in self.hosts[:old]]
        starts = {host: call("start", host=host) for host in self.hosts}
        look = call("list", site=self.site)
        reports = [call("report", site=self.site, count=count) for count in range(6)]
        plan = [look, *(starts[host] for host in due), reports[old]]
        self.lay_out(plan, [look, *starts.values(), *reports])
        asked = self.rng.choice(self.wordings).format(site=self.site, person=person)
        table: list[dict[str, Value]] = [{"class": k, "days": n} for k, n in limits.items()]
        head = Fact(f"today: {today.isoformat()}", {"today": today.isoformat()})
        return asked, [head, Rows("oldest_allowed", "{class}: at most {days} d old", table)]

    def answer(self, wanted: Call) -> Result:
        """Show, start or end."""
        if wanted.values.get("site", self.site) != self.site:
            return [Fact("no such site", {"error": "no such site"})]
        if wanted.operator == "list":
            head = Fact("HOST    CLASS   LAST        STATE")
            return [head, Rows("hosts", "{host:<8}{class:<8}{last:<12}{state}", self.rows)]
        if wanted.values.get("host", self.hosts[0]) not in self.hosts:
            return [Fact("no such host", {"error": "no such host"})]
        return [Fact("ok", {"ok": True})]
