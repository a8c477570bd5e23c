"""Consoles of people who run systems: a name server, snapshots, a pipeline with failed jobs."""

from __future__ import annotations

from ...ladder.names import CITIES, PARTS, PEOPLE, PRODUCTS, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk
from ..shared import clock_times


class DnsRecord(Desk):
    """A record is added, asked for until it is there, and then the ticket is closed."""

    name = "dns-record"
    difficulty = "a lookup is repeated until it shows the new value; then the ticket is closed"
    operators = (
        Operator("zone", "zone {domain}", about="Show the records of a zone."),
        Operator("add", "add {name} {type} {value}", about="Add a record."),
        Operator("dig", "dig {name}", about="Ask the name server."),
        Operator("close", "close {ticket}", about="Close a ticket. Final."),
    )
    changing, irrevocable, finals = ("add",), ("add",), ("close",)
    free = ("add", "dig", "zone")
    horizon = 10

    wordings = (
        "Please add a {type} record for {name} that points to {value}.",
        "{person} needs {name} ({type}) to resolve to {value}. Close the ticket once it does.",
        "New {type} record: {name} -> {value}. Make sure it is live before closing.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a record and how long it takes."""
        (town,), (person,), parts = self.draw(CITIES), self.draw(PEOPLE), self.draw(PARTS, 3)
        labels = [each.replace(" ", "-") for each in parts]
        self.domain = f"{town.lower()}.example"
        self.record = f"{labels[0]}.{self.domain}"
        numbers = [self.rng.randint(1, 250) for _ in range(6)]
        addresses = [f"10.{a}.{b}.{c}" for a, b, c in (numbers[:3], numbers[3:])]
        self.type = self.rng.choice(("A", "A", "CNAME"))
        self.value = addresses[0] if self.type == "A" else f"{labels[1]}.cdn.example"
        self.old = (f"{labels[2]}.{self.domain}", addresses[1])
        self.ticket, other = self.identifier("OPS-####"), self.identifier("OPS-####")
        self.slow, self.asks = self.rng.randint(1, 4), 0
        self.clock = iter(clock_times(self.rng, 12))
        right = call("add", name=self.record, type=self.type, value=self.value)
        plan = [call("zone", domain=self.domain)] if self.rng.random() < 0.3 else []
        plan += [right, *[call("dig", name=self.record)] * self.slow]
        plan.append(call("close", ticket=self.ticket))
        self.lay_out(
            plan,
            [
                call("zone", domain=self.domain),
                *(call("add", name=self.old[0], type=self.type, value=v) for v in addresses),
                *(call("dig", name=each) for each in (self.record, self.old[0])),
                *(call("close", ticket=each) for each in (self.ticket, other)),
            ],
        )
        names = {"person": person, "name": self.record, "type": self.type, "value": self.value}
        asked = self.rng.choice(self.wordings).format(**names)
        priority = self.rng.choice(("low", "normal", "high"))
        text = f"ticket {self.ticket} | dns | priority {priority} | assigned to you"
        return asked, [Fact(text, {"ticket": self.ticket, "priority": priority})]

    def answer(self, wanted: Call) -> Result:
        """Show, add, look up or close."""
        added = any(each.operator == "add" for each in self.made)
        name, address = self.old
        if wanted.operator == "zone":
            text = f"$ORIGIN {self.domain}.\n{name}. 300 IN A {address}"
            return [Fact(text, {"zone": self.domain, "records": 1})]
        if wanted.operator == "add":
            return [Fact("record queued, serial raised", {"queued": True})]
        if wanted.operator == "close":
            self.out_of_turn = self.asks < self.slow
            return [Fact(f"{wanted['ticket']} closed", {"closed": wanted["ticket"]})]
        when = next(self.clock)
        if wanted["name"] == name:
            return [Fact(f"{name}. 300 IN A {address}\n;; {when}", {"answer": address})]
        self.asks += added and wanted["name"] == self.record
        if wanted["name"] != self.record or self.asks < self.slow:
            return [Fact(f";; status: NXDOMAIN\n;; {when}", {"status": "NXDOMAIN", "at": when})]
        text = f";; status: NOERROR\n{self.record}. 300 IN {self.type} {self.value}\n;; {when}"
        return [Fact(text, {"status": "NOERROR", "answer": self.value, "at": when})]


class SnapshotRestore(Desk):
    """The newest snapshot that is complete is brought back."""

    name = "snapshot-restore"
    difficulty = "the newest of those rows whose state is complete"
    operators = (
        Operator("list", "snapshots {volume}", about="Snapshots of a volume."),
        Operator("uptime", "uptime", about="How long the machine is up."),
        Operator("restore", "restore {volume} from {snapshot}", about="Cannot be undone. Final."),
    )
    finals = ("restore",)
    horizon = 6

    wordings = (
        "Bring {volume} back to its last good snapshot.",
        "{person} deleted half of {volume} by mistake. Restore it from the latest usable snapshot!",
        "Restore volume {volume}, newest complete snapshot.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw snapshots."""
        (person,), (part,) = self.draw(PEOPLE), self.draw(PARTS)
        self.volume = f"vol-{part.replace(' ', '-')}-{self.rng.randint(1, 99):02}"
        days = sorted(self.rng.sample(range(1, 29), 6))
        month, bad = self.rng.randint(1, 12), ("partial", "failed", "expired")
        states = ["complete" if self.rng.random() < 0.5 else self.rng.choice(bad) for _ in days]
        states[self.rng.randrange(4)] = "complete"
        rows: list[dict[str, Value]] = [
            {
                "id": f"snap-{self.identifier('#a#a##')}",
                "created": f"2025-{month:02}-{day:02} {clock[:5]}",
                "gib": self.rng.randint(20, 400),
                "state": state,
            }
            for day, clock, state in zip(days, clock_times(self.rng, 6), states, strict=True)
        ]
        best = rows[max(i for i, state in enumerate(states) if state == "complete")]
        self.rows = self.arranged(rows, best)
        plan = [call("uptime")] if self.rng.random() < 0.25 else []
        plan += [call("list", volume=self.volume)]
        plan += [call("restore", volume=self.volume, snapshot=best["id"])]
        every = [call("restore", volume=self.volume, snapshot=row["id"]) for row in rows]
        self.lay_out(plan, [call("list", volume=self.volume), call("uptime"), *every])
        asked = self.rng.choice(self.wordings).format(volume=self.volume, person=person)
        return asked, [Fact("storage-cli 4.2, type a command", {"version": "4.2"})]

    def answer(self, wanted: Call) -> Result:
        """List, or restore."""
        if wanted.operator == "uptime":
            return [Fact("up 41 days, 3 users, load 0.7", {"days": 41, "users": 3})]
        if wanted.operator == "list":
            line = "{id:<14}{created:<19}{gib:>4} GiB  {state}"
            head = Fact(f"{'SNAPSHOT':<14}{'CREATED':<19}{'SIZE':>8}  STATE", {})
            return [head, Rows("snapshots", line, self.rows)]
        return [Fact(f"restoring {wanted['snapshot']} ...", {"restoring": wanted["snapshot"]})]


_AGAIN = ("runner_lost", "image_pull", "timeout")
_REPORTED = ("unit_tests", "lint", "compile")


class PipelineJobs(Desk):
    """Failed jobs of a pipeline are run again or told to their owner, as their log says."""

    name = "pipeline-jobs"
    difficulty = "each failed row is looked into; what its log says decides which of two is done"
    operators = (
        Operator("pipeline", "open pipeline {number}", ("number",), "Jobs of a pipeline."),
        Operator("log", "show log of {job}", about="Tail of a job's log."),
        Operator("rerun", "rerun {job}", about="Run a job again."),
        Operator("report", "report {job} to {owner}", about="Open an issue; mails its owner."),
        Operator("archive", "archive pipeline {number}", ("number",), "Final."),
    )
    changing, irrevocable, finals = ("rerun", "report"), ("rerun", "report"), ("archive",)
    horizon = 12

    wordings = (
        "Please triage pipeline {number} ({product} service) and archive it.",
        "Pipeline {number} is red. Rerun what failed for no reason of its own, report the rest.",
        "{person} asks what is wrong in {number}. Deal with all failed jobs, then archive.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw jobs and why they failed."""
        (product,), (person,), parts = self.draw(PRODUCTS), self.draw(PEOPLE), self.draw(PARTS, 6)
        number, failed = self.rng.randint(10_000, 99_999), self.rng.randint(1, 3)
        jobs = [f"{self.rng.choice(('build', 'test'))}-{p.replace(' ', '-')}" for p in parts]
        calm = ("passed", "skipped", "passed", "manual")
        states = ["failed"] * failed + [self.rng.choice(calm) for _ in jobs[failed:]]
        rows: list[dict[str, Value]] = [
            {"job": job, "state": state, "seconds": self.rng.randint(8, 900)}
            for job, state in zip(jobs, states, strict=True)
        ]
        self.rows = self.arranged(rows, *rows[:failed])
        self.number, owners = number, self.draw(TEAMS, 3)
        self.logs: dict[str, tuple[str, str, list[str]]] = {}
        plan = [call("pipeline", number=number)]
        for row in self.rows:
            job, owner = str(row["job"]), f"@{self.rng.choice(owners)}"
            why = self.rng.choice((*_AGAIN, *_REPORTED)) if row["state"] == "failed" else "none"
            noise = [f"{t} step {i} ok" for i, t in enumerate(clock_times(self.rng, 3))]
            self.logs[job] = (why, owner, noise[: self.rng.randint(1, 3)])
            if why != "none":
                again = why in _AGAIN
                act = call("rerun", job=job) if again else call("report", job=job, owner=owner)
                plan += [call("log", job=job), act]
        plan.append(call("archive", number=number))
        offered = [call(name, job=job) for name in ("log", "rerun") for job in jobs]
        offered += [call("report", job=j, owner=f"@{o}") for j in jobs for o in owners]
        self.lay_out(plan, [plan[0], *offered])
        names = {"number": number, "product": product, "person": person}
        return self.rng.choice(self.wordings).format(**names), [Fact("CI console", {"ci": "ok"})]

    def answer(self, wanted: Call) -> Result:
        """Show jobs or a log, run again, report or archive."""
        if wanted.operator == "pipeline":
            head = Fact(f"Pipeline {self.number} on main", {"branch": "main"})
            return [head, Rows("jobs", "{job:<20} {state:<8} {seconds} s", self.rows)]
        if wanted.operator == "log":
            why, owner, noise = self.logs[wanted["job"]]
            lines = [*noise, f"failure class: {why}", f"code owner: {owner}"]
            data: dict[str, Value] = {"failure_class": why, "code_owner": owner}
            data["lines"] = len(noise)
            return [Fact("\n".join(lines), data)]
        if wanted.operator == "archive":
            return [Fact("Archived.", {"archived": self.number})]
        if wanted.operator == "rerun":
            return [Fact(f"{wanted['job']} is pending.", {"pending": wanted["job"]})]
        return [Fact(f"Told {wanted['owner']}.", {"told": wanted["owner"]})]
