"""Hosts: a backup supply, a record of a zone, a job that fails now and then."""

from __future__ import annotations

from ...ladder.names import CITIES, PARTS, PEOPLE, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class UpsBattery(Desk):
    """A backup supply that would last too few minutes gets a new battery of its kind.

    The owner of its rack is warned before the battery is changed. A supply that lasts as many
    minutes as the rule asks for, or more, is left as it is.
    """

    name = "ups-battery"
    difficulty = "a number below a limit decides; two values of one look; else nothing but the end"
    operators = (
        Operator("show", "ups show {ups}", about="A backup supply."),
        Operator("warn", "mail {owner} rack {rack}", about="Before a battery is changed."),
        Operator("change", "ups battery {ups} --kind {battery}", about="Where it is weak."),
        Operator("close", "ticket close {ticket}", about="Final."),
    )
    changing, irrevocable, finals = ("warn", "change"), ("warn", "change"), ("close",)
    free = ("show", "warn", "change", "close")
    horizon = 7

    wordings = (
        "{ticket}: check the battery of {ups}.",
        "Is {ups} still good for a power cut? Ticket {ticket}.",
        "Monthly battery check, unit {ups} ({ticket}).",
    )
    batteries = ("RBC7", "RBC24", "LP12", "HR34", "NP7", "GT18")

    def begin(self) -> tuple[str, Result]:
        """Draw a supply and its state."""
        weak = case_of(self.name, self.task, (True, False, True))
        (city,), number = self.draw(CITIES), self.rng.randint(1, 40)
        self.ups, self.ticket = f"{city.lower()}-ups{number}", self.identifier("OPS-####")
        self.battery, other = self.rng.sample(self.batteries, 2)
        self.owner, stranger = (each.lower() for each in self.draw(PEOPLE, 2))
        self.rack, limit = self.identifier("A#-##"), self.rng.randint(8, 40)
        self.minutes = limit + (-self.rng.randint(1, 7) if weak else self.rng.randint(0, 30))
        self.load = self.rng.randint(20, 95)
        changes = [call("change", ups=self.ups, battery=each) for each in (self.battery, other)]
        warns = [call("warn", owner=each, rack=self.rack) for each in (self.owner, stranger)]
        show, close = call("show", ups=self.ups), call("close", ticket=self.ticket)
        plan = [show, *([warns[0], changes[0]] if weak else []), close]
        self.lay_out(plan, [show, *warns, *changes, close])
        asked = self.rng.choice(self.wordings).format(ups=self.ups, ticket=self.ticket)
        text = f"rule: a supply must last {limit} minutes"
        return asked, [Fact(text, {"must_last_minutes": limit})]

    def answer(self, wanted: Call) -> Result:
        """Show, warn, change or end."""
        values = wanted.values
        known = (values.get("ups", self.ups), values.get("ticket", self.ticket))
        if known != (self.ups, self.ticket):
            return [Fact("error: unknown", {"error": "unknown"})]
        if wanted.operator == "show":
            data: dict[str, Value] = {"unit": self.ups, "load": f"{self.load}%"}
            data |= {"battery": self.battery, "minutes_left": self.minutes}
            data |= {"rack": self.rack, "owner": self.owner}
            return [Fact("\n".join(f"{key}: {value}" for key, value in data.items()), data)]
        if wanted.operator == "change":
            self.out_of_turn = self.out_of_turn or not self.made
        return [Fact("ok", {"ok": True})]


class ZoneRecord(Desk):
    """An address record is changed where there is one, and made where there is none.

    Only type A counts: other records may have the same name. A new one gets the default time to
    live. A record that is right already is left, and nothing is published.
    """

    name = "zone-record"
    difficulty = "a row by name and type: change it, make it, or find that it is right already"
    operators = (
        Operator("records", "GET /zones/{zone}/records", about="All records of a zone."),
        Operator("change", "PATCH /zones/{zone}/records/{record} value={address}", about="One."),
        Operator(
            "make",
            "POST /zones/{zone}/records name={label}&type=A&value={address}&ttl={ttl}",
            ("ttl",),
            "A record more.",
        ),
        Operator("publish", "POST /zones/{zone}/publish", about="Final: after a change."),
        Operator("discard", "POST /zones/{zone}/discard", about="Final: nothing to do."),
    )
    changing, irrevocable, finals = ("change", "make"), ("change", "make"), ("publish", "discard")
    free = ("records", "change", "make", "publish", "discard")
    horizon = 6

    wordings = (
        "Point {label}.{zone} to {address}.",
        "{label}.{zone} has moved, its address is {address} now.",
        "In zone {zone}, let {label} resolve to {address}.",
        "New address {address} for host {label} of {zone}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a zone and its records."""
        kind = case_of(self.name, self.task, ("change", "make", "change", "right", "make"))
        (city,), teams = self.draw(CITIES), self.rng.sample(TEAMS, 4)
        self.zone, (self.label, *others) = f"{city.lower()}.example", teams
        addresses = distinct(self._address, 5)
        self.ttl = self.rng.choice((300, 600, 900, 1800, 3600, 7200))
        names = distinct(lambda: self.identifier("a##"), 7)
        held = [(each, "A", addresses[1 + i]) for i, each in enumerate(others)]
        held += [(self.label, "TXT", self.identifier("aaaa##")), (others[0], "MX", "10 mail")]
        if kind != "make":
            held.append((self.label, "A", addresses[0 if kind == "right" else 4]))
        ttls = [self.rng.choice((60, 120, 1200, 86400)) for _ in held]
        rows: list[dict[str, Value]] = [
            {"id": key, "name": label, "type": sort, "value": value, "ttl": ttl}
            for key, (label, sort, value), ttl in zip(names, held, ttls, strict=False)
        ]
        self.rows = self.arranged(rows, rows[-1]) if kind != "make" else self.arranged(rows)
        changes = [
            call("change", zone=self.zone, record=row["id"], address=addresses[0]) for row in rows
        ]
        makes = [
            call("make", zone=self.zone, label=self.label, address=addresses[0], ttl=ttl)
            for ttl in (self.ttl, ttls[0])
        ]
        records, publish, discard = (
            call(each, zone=self.zone) for each in ("records", "publish", "discard")
        )
        plan = {
            "change": [records, changes[-1], publish],
            "make": [records, makes[0], publish],
            "right": [records, discard],
        }[kind]
        self.lay_out(plan, [records, *changes, *makes, publish, discard])
        asked = self.rng.choice(self.wordings).format(
            label=self.label, zone=self.zone, address=addresses[0]
        )
        text = f'{{"api": "v2", "default_ttl": {self.ttl}}}'
        return asked, [Fact(text, {"api": "v2", "default_ttl": self.ttl})]

    def _address(self) -> str:
        """Draw an address."""
        return ".".join(str(self.rng.randint(2, 250)) for _ in range(4))

    def answer(self, wanted: Call) -> Result:
        """Show, change, make or end."""
        if wanted["zone"] != self.zone:
            return [Fact('{"error": "no such zone"}', {"error": "no such zone"})]
        if wanted.operator == "records":
            keys = ("id", "name", "type", "value")
            line = ", ".join(f'"{key}": "{{{key}}}"' for key in keys)
            return [Rows("records", f'{{{{{line}, "ttl": {{ttl}}}}}}', self.rows)]
        return [Fact('{"status": "ok"}', {"status": "ok"})]


class FlakyJob(Desk):
    """A job runs again while its failure is temporary, at most as often as its card allows.

    The rows of a run that went well are reported. After the last try that is allowed the person
    on call of the job's team is paged; any other failure goes to the job's owner at once.
    """

    name = "flaky-job"
    difficulty = "again while it is temporary, up to a number; three ends; a name looked up for one"
    operators = (
        Operator("card", "card {job}", about="Owner, team and tries."),
        Operator("run", "run {job}", about="Counts: each run is a try."),
        Operator("on_call", "oncall {team}", about="Who is on call."),
        Operator("report", "report {job}: {rows} rows", ("rows",), "Final: it went well."),
        Operator("page", "page {person} about {job}", about="Final: no try is left."),
        Operator("assign", "assign {job} to {person}", about="Final: another failure."),
    )
    changing, finals = ("run",), ("report", "page", "assign")
    free = ("card", "run", "on_call", "report", "page", "assign")
    counted = True
    horizon = 9

    wordings = (
        "Start {job}.",
        "Please run the job {job} for today.",
        "{job} has not run yet; see that it does.",
        "Nightly load: {job}.",
    )
    temporary = ("connection reset", "lock timeout", "host busy")
    lasting = ("bad config", "missing column", "permission denied")

    def begin(self) -> tuple[str, Result]:
        """Draw a job and how its runs go."""
        cases = (
            *(("good", 0), ("good", 1), ("spent", 0), ("broken", 0), ("good", 2)),
            *(("spent", 0), ("broken", 1), ("good", 1)),
        )
        kind, fails = case_of(self.name, self.task, cases)
        (part,) = self.draw(PARTS)
        self.job = f"{part.replace(' ', '_')}_{self.identifier('aa##')}"
        self.owner, self.caller, *_ = people = [each.lower() for each in self.draw(PEOPLE, 3)]
        self.team, self.tries = self.rng.choice(TEAMS), self.rng.randint(max(2, fails + 1), 4)
        fails = self.tries if kind == "spent" else fails
        self.rows = self.rng.randint(120, 98000)
        self.seconds = self.rng.randint(4, 300)
        self.runs = [f"exit 75 temporary: {self.rng.choice(self.temporary)}" for _ in range(fails)]
        last = f"exit 0 rows={self.rows}"
        self.runs += {"good": [last], "broken": [f"exit 1: {self.rng.choice(self.lasting)}"]}.get(
            kind, []
        )
        card, run, on_call = (
            call("card", job=self.job),
            call("run", job=self.job),
            call("on_call", team=self.team),
        )
        report = call("report", job=self.job, rows=self.rows)
        pages = [call("page", person=each, job=self.job) for each in people]
        assigns = [call("assign", job=self.job, person=each) for each in people]
        ends = {"good": [report], "spent": [on_call, pages[1]], "broken": [assigns[0]]}
        plan = [card, *[run] * len(self.runs), *ends[kind]]
        self.lay_out(plan, [card, run, on_call, report, *pages, *assigns])
        queue = self.rng.randint(0, 12)
        asked = self.rng.choice(self.wordings).format(job=self.job)
        return asked, [Fact(f"scheduler up, {queue} jobs queued", {"queued": queue})]

    def answer(self, wanted: Call) -> Result:
        """Show, run or end."""
        if wanted.values.get("job", self.job) != self.job:
            return [Fact("no such job", {"error": "no such job"})]
        if wanted.values.get("team", self.team) != self.team:
            return [Fact("no such team", {"error": "no such team"})]
        if wanted.operator == "card":
            text = f"owner={self.owner} team={self.team} tries={self.tries}"
            data: dict[str, Value] = {"owner": self.owner, "team": self.team, "tries": self.tries}
            return [Fact(text, data)]
        if wanted.operator == "run":
            text = self.runs[min(len(self.made), len(self.runs) - 1)]
            head, _, rest = text.partition(" rows=")
            return [Fact(text, {"result": head, **({"rows": int(rest)} if rest else {})})]
        if wanted.operator == "on_call":
            return [Fact(f"on call: {self.caller}", {"on_call": self.caller})]
        return [Fact("ok", {"ok": True})]
