"""Tables: buses of a school trip, fuel of a fleet, settings that drifted."""

from __future__ import annotations

from ...ladder.names import CITIES, PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk


class BusRoster(Desk):
    """Each pupil without a bus gets the one of the stop; where none goes, a taxi."""

    name = "bus-roster"
    difficulty = "function calls; empty cells are filled from a second table, or with a fixed word"
    operators = (
        Operator("range", 'getRange("{sheet}")', about="Rows of a sheet."),
        Operator("put", 'setValue("{cell}", "{value}")', about="Fills a cell."),
        Operator("publish", 'publish("{sheet}")', about="Final."),
    )
    changing, finals = ("put",), ("publish",)
    free = ("range", "put", "publish")
    horizon = 9

    wordings = (
        "Give every pupil of {sheet} a bus and publish it.",
        "{sheet}: some pupils have no bus yet.",
        "Please complete the buses in {sheet}.",
    )
    stops = (
        *("Mill Lane", "Church Square", "Station", "Old Bridge", "Harbour", "Park Gate"),
        *("Town Hall", "Long Hill"),
    )

    def begin(self) -> tuple[str, Result]:
        """Draw pupils, stops and buses."""
        self.sheet = f"Trip {self.rng.randint(1000, 9999)}"
        cases = ((1, 0), (2, 0), (1, 1), (0, 1), (2, 1))
        gaps, taxis = case_of(self.name, self.task, cases)
        stops, pupils = self.rng.sample(self.stops, 7), self.draw(PEOPLE, 6)
        buses = {stop: self.identifier("#A") for stop in stops[:4]}
        kinds = ["bus"] * gaps + ["taxi"] * taxis + ["given"] * (6 - gaps - taxis)
        self.rng.shuffle(kinds)
        first = self.rng.randint(2, 9)
        self.rows: list[dict[str, Value]] = []
        puts = []
        for number, (pupil, kind) in enumerate(zip(pupils, kinds, strict=True), first):
            stop = self.rng.choice(stops[4:] if kind == "taxi" else stops[:4])
            bus = buses.get(stop, "taxi")
            shown = bus if kind == "given" else ""
            self.rows.append({"cell": f"D{number}", "pupil": pupil, "stop": stop, "bus": shown})
            if kind != "given":
                puts.append(call("put", cell=f"D{number}", value=bus))
        lines: list[dict[str, Value]] = [{"stop": s, "bus": b} for s, b in buses.items()]
        self.lines = self.arranged(lines)
        ranges = [call("range", sheet=self.sheet), call("range", sheet="Stops")]
        every = [
            call("put", cell=row["cell"], value=value)
            for row in self.rows
            for value in (*buses.values(), "taxi")
        ]
        self.lay_out([*ranges, *puts, call("publish", sheet=self.sheet)], every)
        asked = self.rng.choice(self.wordings).format(sheet=self.sheet)
        return asked, [Fact(f"Sheets: Stops, {self.sheet}", {"sheets": f"Stops, {self.sheet}"})]

    def answer(self, wanted: Call) -> Result:
        """Show, fill or publish."""
        if wanted.operator == "put":
            self.overwrite(wanted, "cell")
            return [Fact("saved", {"saved": True})]
        if wanted["sheet"] == "Stops" and wanted.operator == "range":
            return [Fact("stop\tbus"), Rows("stops", "{stop}\t{bus}", self.lines)]
        if wanted["sheet"] != self.sheet:
            return [Fact("no such sheet", {"error": "no such sheet"})]
        if wanted.operator == "range":
            line = "{cell}\t{pupil}\t{stop}\t{bus}"
            return [Fact("cell\tpupil\tstop\tbus"), Rows("pupils", line, self.rows)]
        return [Fact("published", {"published": True})]


class FleetFuel(Desk):
    """The diesel of a month is summed and posted; what is above the allowance is asked about."""

    name = "fleet-fuel"
    difficulty = "flags; a sum of some rows; a difference if it is above a limit; or no rows"
    operators = (
        Operator("van", "fleet van --plate {plate}", about="Driver and allowance."),
        Operator("receipts", "fleet receipts --plate {plate} --month {month}", about="Receipts."),
        Operator(
            "post", "fleet post --plate {plate} --litres {litres}", ("litres",), "Diesel of it."
        ),
        Operator(
            "query", "fleet query --driver {driver} --litres {litres}", ("litres",), "Too much."
        ),
        Operator("close", "fleet close --plate {plate} --month {month}", about="Final."),
        Operator("remind", "fleet remind --driver {driver}", about="Final."),
    )
    changing, irrevocable = ("post", "query"), ("post", "query")
    finals = ("close", "remind")
    free = ("van", "receipts", "post", "query", "close", "remind")
    horizon = 8

    wordings = (
        "Close the fuel of {plate} for {month}.",
        "Van {plate}, month {month}: settle the fuel.",
        "Fuel settlement of {month} for {plate}, please.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a van and its receipts."""
        self.plate, (self.driver,) = self.identifier("AA-###-AA"), self.draw(SURNAMES)
        self.month = f"2026-{self.rng.randint(1, 12):02}"
        kind = case_of(self.name, self.task, ("below", "above", "below", "above", "none"))
        self.rows = [] if kind == "none" else self._receipts()
        total = sum(int(str(r["litres"])) for r in self.rows if r["product"] == "diesel")
        excess = self.rng.randint(3, 30)
        self.allowance = total - excess if kind == "above" else total + self.rng.randint(0, 40)
        self.allowance += 180 if kind == "none" else 0
        post = call("post", plate=self.plate, litres=total)
        query = call("query", driver=self.driver, litres=excess)
        close = call("close", plate=self.plate, month=self.month)
        remind = call("remind", driver=self.driver)
        looks = [
            call("van", plate=self.plate),
            call("receipts", plate=self.plate, month=self.month),
        ]
        ends = {"below": [post, close], "above": [post, query, close], "none": [remind]}
        wrong = call("post", plate=self.plate, litres=total + self.rng.randint(1, 20))
        self.lay_out([*looks, *ends[kind]], [post, query, wrong, close, remind])
        asked = self.rng.choice(self.wordings).format(plate=self.plate, month=self.month)
        vans = self.rng.randint(8, 70)
        return asked, [Fact(f"fleet 4.2, {vans} vans", {"vans": vans})]

    def _receipts(self) -> list[dict[str, Value]]:
        """Draw the receipts of a month, some of them not of diesel."""
        products = ["diesel"] * self.rng.randint(2, 3) + ["adblue"] * self.rng.randint(1, 2)
        self.rng.shuffle(products)
        days = sorted(self.rng.sample(range(1, 29), len(products)))
        return [
            {
                "date": f"{self.month}-{day:02}",
                "place": self.rng.choice(CITIES),
                "product": product,
                "litres": self.rng.randint(35, 80) if product == "diesel" else 10,
            }
            for day, product in zip(days, products, strict=True)
        ]

    def answer(self, wanted: Call) -> Result:
        """Show, post or end."""
        values = wanted.values
        if (values.get("plate", self.plate), values.get("month", self.month)) != (
            self.plate,
            self.month,
        ):
            return [Fact("error: nothing known", {"error": "nothing known"})]
        if wanted.operator == "van":
            text = f"driver: {self.driver}\nallowance: {self.allowance} litres"
            return [Fact(text, {"driver": self.driver, "allowance": self.allowance})]
        if wanted.operator == "receipts":
            if not self.rows:
                return [Fact("no receipts", {"receipts": 0})]
            line = "{date}  {place:<10} {product:<7} {litres} l"
            return [Rows("receipts", line, self.rows)]
        return [Fact("ok", {"ok": True})]


class ConfigDrift(Desk):
    """Settings that differ from the baseline of a role are set back; a static one needs more."""

    name = "config-drift"
    difficulty = "two lists compared by key; each difference mended; the end by kind of those"
    operators = (
        Operator("dump", "cfgctl dump {host}", about="Settings of a host."),
        Operator("baseline", "cfgctl baseline {role}", about="Settings of a role."),
        Operator("set", "cfgctl set {host} {key} {value}", about="Sets one."),
        Operator("reload", "cfgctl reload {host}", about="Final."),
        Operator("restart", "cfgctl restart {host}", about="Final: needed for static ones."),
        Operator("ok", "cfgctl mark-clean {host}", about="Final."),
    )
    changing, finals = ("set",), ("reload", "restart", "ok")
    free = ("dump", "baseline", "set", "reload", "restart", "ok")
    horizon = 8

    wordings = (
        "Check {host} for drift and put it right.",
        "{host} may have drifted from its baseline.",
        "Bring {host} back in line.",
    )
    keys = (
        *(("max_conn", "", 50, 900), ("timeout", "s", 5, 120), ("cache", "MB", 64, 2048)),
        *(("workers", "", 2, 64), ("log_keep", "d", 3, 90), ("queue", "", 10, 500)),
        *(("buffer", "kB", 4, 256), ("retries", "", 1, 40)),
    )
    roles = ("cache", "proxy", "mailer", "indexer", "gateway", "worker")

    def begin(self) -> tuple[str, Result]:
        """Draw a baseline and what drifted."""
        self.role = self.rng.choice(self.roles)
        self.host = f"{self.identifier('aaa')}-{self.rng.randint(1000, 9999)}"
        cases = ((0, 0), (1, 0), (0, 1), (1, 1), (2, 0))
        dynamic, static = case_of(self.name, self.task, cases)
        keys = self.rng.sample(self.keys, 5)
        kinds = ["dynamic"] * 3 + ["static"] * 2
        drifted = {k[0] for k in (*keys[:dynamic], *keys[3 : 3 + static])}
        self.base: list[dict[str, Value]] = [
            {"key": key, "value": f"{self.rng.randint(low, high)}{unit}", "kind": kind}
            for (key, unit, low, high), kind in zip(keys, kinds, strict=True)
        ]
        self.rng.shuffle(self.base)
        units = {key: unit for key, unit, *_ in keys}
        found: list[dict[str, Value]] = [
            {
                "key": row["key"],
                "value": f"{self.rng.randint(1000, 4000)}{units[str(row['key'])]}"
                if row["key"] in drifted
                else row["value"],
            }
            for row in self.base
        ]
        self.rows = self.arranged(found)
        right = {str(row["key"]): row["value"] for row in self.base}
        order = [str(row["key"]) for row in self.rows]
        sets = {k: call("set", host=self.host, key=k, value=right[k]) for k in order}
        ends = [call(each, host=self.host) for each in self.finals]
        plan = [call("dump", host=self.host), call("baseline", role=self.role)]
        plan += [sets[key] for key in order if key in drifted]
        plan.append(ends[1] if static else ends[0] if dynamic else ends[2])
        self.lay_out(plan, [*sets.values(), *ends])
        asked = self.rng.choice(self.wordings).format(host=self.host)
        hosts = self.rng.randint(30, 400)
        return asked, [Fact(f"{hosts} hosts known", {"hosts": hosts})]

    def answer(self, wanted: Call) -> Result:
        """Show, set or end."""
        if wanted.operator == "baseline":
            if wanted["role"] != self.role:
                return [Fact("unknown role", {"error": "unknown role"})]
            return [Rows("baseline", "{key} = {value} ({kind})", self.base)]
        if wanted["host"] != self.host:
            return [Fact("unknown host", {"error": "unknown host"})]
        if wanted.operator == "dump":
            head = Fact(f"role: {self.role}", {"role": self.role})
            return [head, Rows("settings", "{key} = {value}", self.rows)]
        if wanted.operator == "set":
            self.overwrite(wanted, "key")
        return [Fact("ok", {"ok": True})]
