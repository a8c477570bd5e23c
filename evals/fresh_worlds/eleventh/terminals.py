"""Terminals: a scanner, a database, a shell, a table of jobs."""

from __future__ import annotations

from ...ladder.names import PRODUCTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class PutawayBay(Desk):
    """A pallet goes into the fullest bin of its class that still has room for it."""

    name = "putaway-bay"
    difficulty = (
        "of a list that a field of the record names, the tightest row; one class gets a label"
    )
    operators = (
        Operator("scan", "SCAN {pallet}", about="What a pallet is."),
        Operator("bins", "BINS {klass}", about="Bins of a class."),
        Operator("label", "LABEL {pallet}", about="Prints a label of danger."),
        Operator("drop", "DROP {bin} CHECK {check}", about="Puts the pallet down."),
        Operator("end", "F10", about="Final."),
    )
    changing, irrevocable, finals = ("label", "drop"), ("drop",), ("end",)
    free = ("scan", "bins")
    horizon = 8

    wordings = (
        "Put pallet {pallet} away, it stands at dock {dock}.",
        "Dock {dock} has {pallet} on it. Find it a bin.",
        "{pallet} must leave dock {dock}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a pallet and bins."""
        self.pallet, dock = self.identifier("P#######"), self.rng.randint(1, 24)
        (self.item,) = self.draw(PRODUCTS)
        self.klass = case_of(self.name, self.task, ("DRY", "COLD", "HAZ"))
        self.boxes = self.rng.randint(12, 60)
        spare = sorted(self.rng.sample(range(40), 3))
        free = [self.boxes + each for each in spare]
        free += self.rng.sample(range(1, self.boxes), 2)
        names = distinct(lambda: f"{self.identifier('A')}{self.identifier('#-##')}", len(free))
        checks = distinct(lambda: self.identifier("##"), len(free))
        rows: list[dict[str, Value]] = [
            {"bin": name, "free": room, "check": check}
            for name, room, check in zip(names, free, checks, strict=True)
        ]
        self.rows = self.arranged(rows, rows[0])
        drops = [call("drop", bin=n, check=c) for n, c in zip(names, checks, strict=True)]
        label = call("label", pallet=self.pallet)
        plan = [call("scan", pallet=self.pallet), call("bins", klass=self.klass)]
        plan += [label] if self.klass == "HAZ" else []
        self.lay_out([*plan, drops[0], call("end")], [*drops, label])
        asked = self.rng.choice(self.wordings).format(pallet=self.pallet, dock=dock)
        gun = self.rng.randint(1, 40)
        return asked, [Fact(f"RF GUN {gun:02} READY", {"gun": gun})]

    def answer(self, wanted: Call) -> Result:
        """Show, print, put down or end."""
        if wanted.operator == "scan":
            if wanted["pallet"] != self.pallet:
                return [Fact("UNKNOWN PALLET", {"error": "unknown pallet"})]
            weight = self.rng.randint(80, 900)
            text = f"{self.pallet} {self.item.upper()}\nBOXES {self.boxes}  KG {weight}\n"
            data: dict[str, Value] = {"item": self.item, "boxes": self.boxes, "kg": weight}
            return [Fact(f"{text}CLASS {self.klass}", data | {"class": self.klass})]
        if wanted.operator == "bins":
            if wanted["klass"] != self.klass:
                return [Fact("NO BINS", {"error": "no bins"})]
            return [Rows("bins", "{bin}  FREE {free:>3}  CHK {check}", self.rows)]
        return [Fact("OK", {"ok": True})]


class SeatSwap(Desk):
    """Two travellers change seats, if both sit in the same class."""

    name = "seat-swap"
    difficulty = "SQL; the values of two look-ups change places, unless two others of them differ"
    operators = (
        Operator("begin_work", "BEGIN;", about="Opens a transaction."),
        Operator(
            "select",
            "SELECT seat, cabin FROM pax WHERE flight = '{flight}' AND name = '{name}';",
            about="Where somebody sits.",
        ),
        Operator(
            "update",
            "UPDATE pax SET seat = '{seat}' WHERE flight = '{flight}' AND name = '{name}';",
            about="Gives somebody a seat.",
        ),
        Operator("commit", "COMMIT;", about="Final."),
        Operator("rollback", "ROLLBACK;", about="Final."),
    )
    changing, irrevocable, finals = ("update",), ("update",), ("commit", "rollback")
    free = ("select", "update")
    horizon = 9

    wordings = (
        "{first} and {second} want to change seats on {flight}.",
        "Flight {flight}: swap {first} with {second}.",
        "On {flight}, {second} is to sit where {first} sits now and the other way round.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw two travellers of a flight."""
        self.flight = self.identifier("AA###")
        first, second = self.draw(SURNAMES, 2)
        same = case_of(self.name, self.task, (True, True, False))
        cabins = self.rng.sample(("economy", "business", "premium"), 2)
        cabins = [cabins[0]] * 2 if same else cabins
        seats = distinct(
            lambda: f"{self.rng.randint(1, 38)}{self.rng.choice('ABCDEF')}", len(cabins)
        )
        self.pax = dict(zip((first, second), zip(seats, cabins, strict=True), strict=True))
        people = ((first, seats[1]), (second, seats[0]))
        updates = [call("update", seat=s, flight=self.flight, name=n) for n, s in people]
        wrong = [
            call("update", seat=s, flight=self.flight, name=n) for n, (s, _) in self.pax.items()
        ]
        plan = [call("begin_work")]
        plan += [call("select", flight=self.flight, name=name) for name in (first, second)]
        plan += [*updates, call("commit")] if same else [call("rollback")]
        self.lay_out(plan, [*updates, *wrong, call("commit"), call("rollback")])
        asked = self.rng.choice(self.wordings).format(
            first=first, second=second, flight=self.flight
        )
        return asked, [Fact("departures=#", {"database": "departures"})]

    def answer(self, wanted: Call) -> Result:
        """Show, move or end."""
        if wanted.operator == "select":
            if wanted["flight"] != self.flight or wanted["name"] not in self.pax:
                return [Fact("(0 rows)", {"error": "0 rows"})]
            seat, cabin = self.pax[wanted["name"]]
            text = f" seat | cabin\n------+---------\n {seat} | {cabin}\n(1 row)"
            return [Fact(text, {"seat": seat, "cabin": cabin})]
        words = {"begin_work": "BEGIN", "update": "UPDATE 1"}
        return [Fact(words.get(wanted.operator, wanted.operator.upper()), {"ok": True})]


class LogSqueeze(Desk):
    """Logs that are larger than the task says are compressed, those that are already are not."""

    name = "log-squeeze"
    difficulty = "each row above a number of the task, unless its name ends as those that are done"
    operators = (
        Operator("sizes", "du -m {folder}/*", about="Sizes in MB."),
        Operator("gzip", "gzip {path}", about="Compresses a file."),
        Operator("leave", "exit", about="Final."),
    )
    changing, irrevocable, finals = ("gzip",), ("gzip",), ("leave",)
    free = ("sizes",)
    horizon = 9

    wordings = (
        "Compress all logs in {folder} above {limit} MB.",
        "{folder} is too large: gzip what is bigger than {limit} MB there.",
        "Anything over {limit} MB in {folder} gets gzipped.",
    )
    stems = ("access", "error", "audit", "worker", "cron", "mail", "debug", "slow", "sync")

    def begin(self) -> tuple[str, Result]:
        """Draw a folder of logs."""
        self.folder = f"/var/log/{self.identifier('aaa')}-{self.rng.randint(1, 99)}"
        limit = self.rng.randrange(50, 900, 10)
        large, packed, small = case_of(
            self.name, self.task, ((1, 1, 3), (2, 1, 2), (3, 0, 2), (2, 0, 3), (1, 2, 2), (0, 1, 3))
        )
        stems = self.rng.sample(self.stems, large + packed + small)

        def big() -> int:
            return limit + self.rng.randint(1, 900)

        files = [(big(), f"{stem}.log") for stem in stems[:large]]
        files += [(big(), f"{stem}.log.gz") for stem in stems[large : large + packed]]
        files += [(self.rng.randint(1, limit), f"{s}.log") for s in stems[large + packed :]]
        rows: list[dict[str, Value]] = [
            {"mb": size, "path": f"{self.folder}/{name}"} for size, name in files
        ]
        self.rows = self.arranged(rows, *rows[:large])
        zips = [call("gzip", path=row["path"]) for row in self.rows]
        wanted = {str(row["path"]) for row in rows[:large]}
        plan = [call("sizes", folder=self.folder)]
        plan += [each for each in zips if each["path"] in wanted]
        self.lay_out([*plan, call("leave")], zips)
        asked = self.rng.choice(self.wordings).format(folder=self.folder, limit=limit)
        days = self.rng.randint(2, 400)
        return asked, [Fact(f"up {days} days, 1 user\n$", {"days_up": days})]

    def answer(self, wanted: Call) -> Result:
        """Show, compress or leave."""
        if wanted.operator == "sizes":
            if wanted["folder"] != self.folder:
                return [Fact("du: no such file or directory", {"error": "no such file"})]
            return [Rows("files", "{mb}\t{path}", self.rows)]
        return [Fact("logout" if wanted.operator == "leave" else "$", {"ok": True})]


class CronMove(Desk):
    """A job gets another time; a paused one is resumed."""

    name = "cron-move"
    difficulty = "words of the task for days and a clock time become five fields"
    operators = (
        Operator("show", "cron show {job}", about="A job's line and state."),
        Operator(
            "line",
            'cron set {job} "{minute} {hour} {day} * {weekday}"',
            ("minute", "hour"),
            "Sets when a job runs.",
        ),
        Operator("resume", "cron resume {job}", about="Takes a job out of its pause."),
        Operator("save", "cron save", about="Final."),
    )
    changing, finals, free = ("line", "resume"), ("save",), ("show", "line")
    horizon = 7

    wordings = (
        "{job} is to run {when} at {time}.",
        "Run {job} at {time} {when}.",
        "Please move {job}: {when}, {time}.",
    )
    whens = (
        ("every day", "*", "*"),
        ("on weekdays", "*", "1-5"),
        ("on Sundays", "*", "0"),
        ("on the first of each month", "1", "*"),
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a job and a time."""
        self.job = (
            f"{self.rng.choice(('backup', 'report', 'sync', 'purge'))}-{self.identifier('###')}"
        )
        cases = tuple((when, paused) for when in self.whens for paused in (False, True))
        (when, day, weekday), self.paused = case_of(self.name, self.task, cases)
        hour, minute = self.rng.randint(0, 23), self.rng.randrange(0, 60, 5)
        self.old = f"{self.rng.randrange(0, 60, 5)} {self.rng.randint(0, 23)} * * *"
        line = call("line", job=self.job, minute=minute, hour=hour, day=day, weekday=weekday)
        others = [
            call("line", job=self.job, minute=minute, hour=hour, day=d, weekday=w)
            for _, d, w in self.whens
        ]
        resume = call("resume", job=self.job)
        plan = [call("show", job=self.job), line, *([resume] if self.paused else [])]
        self.lay_out([*plan, call("save")], [*others, resume])
        asked = self.rng.choice(self.wordings).format(
            job=self.job, when=when, time=f"{hour:02}:{minute:02}"
        )
        jobs = self.rng.randint(3, 30)
        return asked, [Fact(f"cron 3.0, {jobs} jobs", {"jobs": jobs})]

    def answer(self, wanted: Call) -> Result:
        """Show, set, resume or save."""
        if wanted.operator == "save":
            return [Fact("saved", {"saved": True})]
        if wanted["job"] != self.job:
            return [Fact("cron: no such job", {"error": "no such job"})]
        if wanted.operator == "show":
            state = "paused" if self.paused else "active"
            text = f"{self.old}  /opt/jobs/{self.job}.sh  # {state}"
            return [Fact(text, {"line": self.old, "state": state})]
        if wanted.operator == "line":
            self.overwrite(wanted, "job")
        return [Fact("ok", {"ok": True})]
