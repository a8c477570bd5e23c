"""What is done at a console or a bench: a runbook, a query, a release, a scale."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import ClassVar

from ...ladder.names import CITIES, COLOURS, PEOPLE, TEAMS, of_part
from ...ladder.world import Call, Fact, Operator, Result, Rows, World, call
from ..shared import clock_times


class HostRunbook(World):
    """A fix, a check, and the next fix where the check still fails."""

    name = "host-runbook"
    difficulty = "each fix is checked, the next is tried if it did not help; a state is never shown"
    operators = (
        Operator("check", "check {host}", about="Tell the health of a host."),
        Operator("flush", "flush the queue of {host}", about="The first fix of the runbook."),
        Operator("restart", "restart the worker on {host}", about="The second fix."),
        Operator("failover", "fail {host} over to {standby}", about="The last fix."),
        Operator("close", "close {incident} as solved", about="Final."),
    )
    horizon = 12
    abstaining = True

    fixes: ClassVar[tuple[str, ...]] = ("flush", "restart", "failover")

    def begin(self) -> tuple[str, Result]:
        """Draw incidents, and how many fixes the host needs."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        towns = [town.lower() for town in self.draw(CITIES, 3)]
        kinds = [self.rng.choice(("db", "web", "mq")) for _ in towns]
        numbers = [self.rng.randint(1, 8) for _ in towns]
        stems = [f"{kind}-{town}" for kind, town in zip(kinds, towns, strict=True)]
        rows = [
            {
                "incident": self.identifier("INC-#####"),
                "host": f"{stem}-{number}",
                "standby": f"{stem}-{number + 1}",
                "since": since,
            }
            for stem, number, since in zip(stems, numbers, clock_times(self.rng, 3), strict=True)
        ]
        self.wanted = rows[0]
        self.rows = self.arranged(rows, rows[0])
        self.needs = self.rng.randint(0, 3)
        self.strange = self.rng.randint(0, self.needs)
        self.load = self.rng.randint(60, 99)
        self.fixed: list[str] = []
        self.checked = False
        asked = f"Work through {self.wanted['incident']}."
        line = "{incident}  {since}  {host} (standby: {standby})"
        return asked, [Fact("OPEN INCIDENTS"), Rows("incidents", line, rows=self.rows)]

    def possible(self) -> list[Call]:
        """All fixes on all hosts; every incident."""
        calls = [call(n, host=r["host"]) for n in ("check", "flush", "restart") for r in self.rows]
        calls += [call("failover", host=r["host"], standby=r["standby"]) for r in self.rows]
        return [*calls, *(call("close", incident=r["incident"]) for r in self.rows)]

    def do(self, wanted: Call) -> Result:
        """Tell the health, fix, or end; a fix that the runbook does not ask for is a fault."""
        if wanted.operator == "close":
            right = wanted["incident"] == self.wanted["incident"] and not self.unsettled
            self.end(won=right and self.checked and len(self.fixed) == self.needs)
            return [Fact(f"{wanted['incident']} closed.", {"closed": wanted["incident"]})]
        host = wanted["host"]
        mine = host == self.wanted["host"]
        if wanted.operator == "check":
            return self._health(host, mine=mine)
        due = self.fixes[len(self.fixed)] if len(self.fixed) < self.needs else ""
        if not mine or not self.checked or wanted.operator != due or self.met:
            self.end(won=False)
        self.fixed.append(wanted.operator)
        self.checked = False
        text = {
            "flush": f"purged {self.load * 17} messages on {host}",
            "restart": f"worker.service on {host}: restarted",
            "failover": f"traffic of {host} now goes to {wanted.values.get('standby')}",
        }[wanted.operator]
        return [Fact(text, {"done": text})]

    def _health(self, host: str, *, mine: bool) -> Result:
        health = "ok"
        if mine:
            self.checked = True
            health = "ok" if len(self.fixed) == self.needs else "failing"
            if self.unsettled and len(self.fixed) == self.strange:
                health, self.met = "read-only", True
        load = self.load - 9 * len(self.fixed)
        text = f"host:    {host}\nload:    {load} %\nhealth:  {health}"
        return [Fact(text, {"host": host, "load": load, "health": health})]

    def expert(self) -> Iterator[Call]:
        """Check, and fix until the check is fine."""
        host, standby = self.wanted["host"], self.wanted["standby"]
        yield call("check", host=host)
        for fix in self.fixes[: self.needs]:
            yield call(fix, host=host, **({"standby": standby} if fix == "failover" else {}))
            yield call("check", host=host)
        yield call("close", incident=self.wanted["incident"])


class ShipmentSums(World):
    """A query is put together of the task's words and of columns that the table's comments name."""

    name = "shipment-sums"
    difficulty = "a query of the task's words and of column names that comments translate"
    operators = (
        Operator("describe", r"\d {table}", about="Describe a table."),
        Operator(
            "select",
            "SELECT {function}({column}) FROM {table} WHERE {key} = '{value}'",
            about="Compute one number.",
        ),
        Operator("answer", "answer {number}", ("number",), "Final."),
    )
    refusal = Fact("ERROR:  syntax error or unknown name", {"error": "syntax or unknown name"})
    horizon = 7

    functions: ClassVar[dict[str, str]] = {
        "total": "SUM",
        "average": "AVG",
        "highest": "MAX",
        "lowest": "MIN",
    }
    tables = ("shipments", "invoices", "repairs", "loans", "trips", "visits", "claims", "rentals")
    measures = (
        *("weight=net_kg", "cost=amt_eur", "length=len_cm", "fee=fee_eur", "duration=mins"),
        *("deposit=dep_eur", "volume=vol_l", "discount=disc_pct", "mileage=km", "delay=late_d"),
    )
    attributes = ("city=dest", "town=loc", "clerk=emp_name", "driver=drv", "colour=col", "tint=hue")

    def begin(self) -> tuple[str, Result]:
        """Draw a table's columns and the question."""
        tables = self.draw(self.tables, 3)
        measures = [each.split("=") for each in self.draw(self.measures, 3)]
        attributes = [each.split("=") for each in self.draw(self.attributes, 3)]
        pools = {"dest": CITIES, "loc": CITIES, "col": COLOURS, "hue": COLOURS}
        self.table = tables[0]
        word, self.column = measures[0]
        about, self.key = attributes[0]
        (self.value,) = self.draw(pools.get(self.key, PEOPLE))
        adjective = self.rng.choice(list(self.functions))
        self.function = self.functions[adjective]
        numbers = [("integer", comment, column) for comment, column in measures]
        texts = [("text", comment, column) for comment, column in attributes]
        self.columns = self.arranged([*numbers, *texts], numbers[0], texts[0])
        self.tables_here = self.arranged(tables, self.table)
        self.described: set[str] = set()
        self.numbers: list[int] = []
        names = ", ".join(self.tables_here)
        asked = f"What is the {adjective} {word} of the {self.table} whose {about} is {self.value}?"
        return asked, [Fact(f"psql (15.4)\nTables in schema public: {names}", {"tables": names})]

    def possible(self) -> list[Call]:
        """Descriptions; queries of a table that was described; numbers that were told."""
        calls = [call("describe", table=each) for each in self.tables_here]
        names = [column for kind, _, column in self.columns if kind == "integer"]
        keys = [column for kind, _, column in self.columns if kind == "text"]
        calls += [
            call("select", function=f, column=c, table=t, key=k, value=self.value)
            for f in self.functions.values()
            for c in names
            for t in sorted(self.described)
            for k in keys
        ]
        return [*calls, *(call("answer", number=n) for n in self.numbers)]

    def accepts(self, wanted: Call) -> bool:
        """Any number can be the answer."""
        if wanted.operator == "answer":
            return wanted["number"].isdigit()
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Describe, compute, or end."""
        if wanted.operator == "describe":
            self.described.add(wanted["table"])
            rows = [{"column": c, "type": kind, "comment": w} for kind, w, c in self.columns]
            head = " Column | Type | Description\n--------+------+------------"
            line = " {column} | {type} | {comment}"
            return [Fact(f'Table "public.{wanted["table"]}"\n{head}'), Rows("columns", line, rows)]
        if wanted.operator == "answer":
            self.end(won=bool(self.numbers) and wanted["number"] == str(self._number(self._query)))
            return [Fact("Thank you.", {"answered": True})]
        number = self._number(wanted)
        self.numbers.append(number)
        head = wanted["function"].lower()
        return [Fact(f" {head}\n------\n {number}\n(1 row)", {"rows": 1, "value": number})]

    def _number(self, query: Call) -> int:
        return Random(f"{self.task.part}/{self.task.seed}/{query}").randint(1000, 99999)  # noqa: S311

    @property
    def _query(self) -> Call:
        return call(
            "select",
            function=self.function,
            column=self.column,
            table=self.table,
            key=self.key,
            value=self.value,
        )

    def expert(self) -> Iterator[Call]:
        """Describe the table, ask it, answer."""
        yield call("describe", table=self.table)
        yield self._query
        yield call("answer", number=self.numbers[-1])


class ReleaseFlags(World):
    """Commands whose flags take what earlier commands printed; production needs one flag more."""

    name = "release-flags"
    difficulty = "flags take ids that earlier output printed, and depend on where it goes"
    operators = (
        Operator("build", "build --service {service} --tag v{version}"),
        Operator("deploy", "deploy --image {image} --env {env} --region {region}"),
        Operator("status", "status --release {release}"),
        Operator("promote", "promote --release {release}", about="Final."),
        Operator(
            "promote_approved", "promote --release {release} --approved-by {person}", about="Final."
        ),
    )
    refusal = Fact("error: invalid argument (see --help)", {"error": "invalid argument"})
    horizon = 9

    regions = ("eu-west-1", "eu-north-1", "us-east-2", "us-west-2", "ap-south-1", "ap-east-1")

    def begin(self) -> tuple[str, Result]:
        """Draw what is rolled out, and where."""
        services = self.draw(TEAMS, 3)
        self.service = services[0]
        self.services = self.arranged(services, self.service)
        major, minor, patch = (self.rng.randint(0, top) for top in (9, 20, 9))
        self.version = f"{major}.{minor}.{patch}"
        self.env = self.rng.choice(("staging", "production"))
        (self.region,) = self.draw(self.regions)
        (self.person,) = self.draw(PEOPLE)
        self.image = "".join(self.rng.choice("0123456789abcdef") for _ in range(12))
        self.release = f"r-{self.rng.randint(1000, 9999)}"
        self.waits = self.rng.randint(0, 3)
        self.built = self.deployed = self.ready = False
        agreed = f"; {self.person} agreed" if self.env == "production" else ""
        asked = f"Roll out {self.service} {self.version} to {self.env} in {self.region}{agreed}."
        names = " ".join(self.services)
        return asked, [Fact(f"Logged in as deploy-bot.\nServices: {names}", {"services": names})]

    def possible(self) -> list[Call]:
        """Builds; what was built in each place; what was deployed."""
        calls = [call("build", service=s, version=self.version) for s in self.services]
        if self.built:
            calls += [
                call("deploy", image=self.image, env=env, region=region)
                for env in ("staging", "production")
                for region in of_part(self.regions, self.task.part)
            ]
        if self.deployed:
            calls += [call("status", release=self.release), call("promote", release=self.release)]
            calls.append(call("promote_approved", release=self.release, person=self.person))
        return calls

    def do(self, wanted: Call) -> Result:
        """Build, deploy, tell how far it is, or end."""
        if wanted.operator == "build":
            self.built = True
            self.right = wanted["service"] == self.service
            log = "Step 1/2 : FROM base\nStep 2/2 : RUN make"
            tag = f"{wanted['service']}:v{self.version}"
            text = f"{log}\nSuccessfully built {self.image}\nSuccessfully tagged {tag}"
            return [Fact(text, {"image": self.image, "tag": tag})]
        if wanted.operator == "deploy":
            self.deployed = True
            self.right &= wanted["env"] == self.env and wanted["region"] == self.region
            text = f"release {self.release} created in {wanted['region']}"
            return [Fact(text, {"release": self.release, "region": wanted["region"]})]
        if wanted.operator == "status":
            self.ready, self.waits = self.waits == 0, max(0, self.waits - 1)
            pods = 3 if self.ready else self.rng.randint(0, 2)
            state = "ready" if self.ready else "pending"
            text = f"RELEASE  PODS  STATE\n{self.release}   {pods}/3   {state}"
            return [Fact(text, {"release": self.release, "pods": pods, "state": state})]
        due = "promote" if self.env == "staging" else "promote_approved"
        self.end(won=self.right and self.ready and wanted.operator == due)
        return [Fact(f"{self.release} is live.", {"live": self.release})]

    def expert(self) -> Iterator[Call]:
        """Build, deploy, wait, promote."""
        yield call("build", service=self.service, version=self.version)
        yield call("deploy", image=self.image, env=self.env, region=self.region)
        while not self.ready:
            yield call("status", release=self.release)
        if self.env == "staging":
            yield call("promote", release=self.release)
        else:
            yield call("promote_approved", release=self.release, person=self.person)


class ScaleSettles(World):
    """A scale is read until it says the same twice running."""

    name = "scale-settles"
    difficulty = "a reading counts once two of them, one after the other, are equal"
    operators = (
        Operator("put", "put batch {batch} on the scale"),
        Operator("read", "read the display"),
        Operator("record", "record {grams} g for batch {batch}", about="Final."),
    )
    horizon = 10

    def begin(self) -> tuple[str, Result]:
        """Draw batches, and how the display drifts."""
        batches = [self.identifier("A-###") for _ in range(3)]
        self.batch = batches[0]
        self.batches = self.arranged(batches, self.batch)
        drift = self.rng.randint(1, 4)
        start = self.rng.randint(2000, 9000)
        steps = self.rng.sample(range(3, 40), drift)
        values = [start + sum(steps[:count]) for count in range(1, drift + 1)]
        self.drift = [f"{value / 10:.1f}" for value in [*values, values[-1]]]
        self.times = clock_times(self.rng, self.horizon + 1)
        self.lying, self.readings = "", list[str]()
        names = ", ".join(self.batches)
        asked = f"Weigh batch {self.batch}, please."
        return asked, [Fact(f"Lab 3. On the bench: {names}.", {"bench": names})]

    def possible(self) -> list[Call]:
        """Any batch; any value that was read."""
        values = sorted(set(self.readings))
        calls = [call("put", batch=each) for each in self.batches]
        calls += [call("read")] if self.lying else []
        return [*calls, *(call("record", grams=v, batch=b) for v in values for b in self.batches)]

    def do(self, wanted: Call) -> Result:
        """Load the scale, tell what it displays, or end."""
        if wanted.operator == "put":
            self.lying = wanted["batch"]
            self.readings.clear()
            return [Fact(f"{self.lying} lies on the pan.", {"pan": self.lying})]
        if wanted.operator == "read":
            value = self.drift[min(len(self.readings), len(self.drift) - 1)]
            self.readings.append(value)
            time = self.times[min(len(self.readings), self.horizon)]
            return [Fact(f"[{time}] NET {value} g", {"time": time, "net_g": value})]
        settled = len(self.readings) > 1 and self.readings[-1] == self.readings[-2]
        right = wanted["batch"] == self.lying == self.batch
        self.end(won=settled and right and wanted["grams"] == self.readings[-1])
        return [Fact("Recorded.", {"recorded": True})]

    def expert(self) -> Iterator[Call]:
        """Read until two readings are equal."""
        yield call("put", batch=self.batch)
        yield from (call("read") for _ in self.drift)
        yield call("record", grams=self.drift[-1], batch=self.batch)
