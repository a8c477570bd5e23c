"""Listings that only blanks part: containers of a host, lockers of a swimming pool."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import CITIES, COLOURS, PARTS, PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call
from ..shared import clock_times


class ContainerStop(World):
    """Of the containers of a host the one that takes most memory is stopped by its name."""

    name = "container-stop"
    difficulty = "columns are parted by one blank, and the last one holds the name that is wanted"
    operators = (
        Operator("login", "connect to {host}", about="Log in to a host."),
        Operator("list", "docker stats", about="List the containers."),
        Operator("stop", "docker stop {name}", about="Final."),
    )
    horizon = 6
    refusal = Fact("command not found", {"error": "command not found"})

    wordings = (
        "{host} is short of memory: stop the container that takes most of it.",
        "Stop whichever container uses the most memory on {host}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw hosts and containers."""
        self.hosts = [f"{town.lower()}-{self.rng.randint(1, 9)}" for town in self.draw(CITIES, 3)]
        self.host, self.at = self.hosts[0], ""
        parts = [each.replace(" ", "-") for each in self.draw(PARTS, 4)]
        owners = [each.lower() for each in self.draw(PEOPLE, 4)]
        memory = self.rng.sample(range(20, 990), 4)
        self.rows: list[dict[str, Value]] = [
            {
                "id": self.identifier("#a##a#"),
                "owner": owner,
                "memory": size,
                "up": self.rng.choice(("About an hour", "2 days", "12 minutes", "A week")),
                "name": f"{self.rng.choice(('api', 'web', 'job'))}-{part}",
            }
            for owner, size, part in zip(owners, memory, parts, strict=True)
        ]
        most = max(self.rows, key=lambda row: int(str(row["memory"])))
        self.right = str(most["name"])
        self.rows = self.arranged(self.rows, most)
        asked = self.rng.choice(self.wordings).format(host=self.host)
        return asked, [Fact("Hosts: " + ", ".join(self.arranged(self.hosts)), {"hosts": 3})]

    def possible(self) -> list[Call]:
        """Every host; on a host every container."""
        calls = [call("login", host=each) for each in self.hosts]
        if self.at == self.host:
            calls += [call("list"), *(call("stop", name=row["name"]) for row in self.rows)]
        return calls

    def do(self, wanted: Call) -> Result:
        """Log in, list, or end."""
        if wanted.operator == "login":
            self.at = wanted["host"]
            return [Fact(f"Welcome to {self.at}", {"host": self.at})]
        if wanted.operator == "list":
            return [Rows("containers", "{id} {owner} {memory} MB {up} {name}", self.rows)]
        self.end(won=wanted["name"] == self.right)
        return [Fact("ok", {"ok": True})]

    def expert(self) -> Iterator[Call]:
        """Log in, list, stop."""
        yield call("login", host=self.host)
        yield call("list")
        yield call("stop", name=self.right)


class LockerClear(World):
    """The locker of a guest is emptied: the book has time, guest, attendant and locker in a row."""

    name = "locker-clear"
    difficulty = "a row without signs: what stands first names it, what stands last is wanted"
    operators = (
        Operator("book", "read the book of {day}", about="Show who got which locker."),
        Operator("open", "open locker {locker}", about="Open a locker."),
        Operator("store", "store the things of {guest}", about="Final."),
    )
    horizon = 6

    days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
    wordings = (
        "{guest} left things in the locker on {day}. Clear it.",
        "Please clear the locker that {guest} had on {day}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw guests, lockers and a day."""
        count = self.rng.randint(3, 5)
        guests, lockers = self.draw(SURNAMES, count), self.draw(COLOURS, count)
        self.day = self.rng.choice(self.days)
        by = self.draw(PEOPLE, 2)
        times = clock_times(self.rng, count)
        rows = list(zip(times, self.arranged(guests, guests[0]), lockers, strict=True))
        self.rows: list[dict[str, Value]] = [
            {
                "time": time,
                "guest": guest,
                "by": self.rng.choice((by[0], f"{by[1]} for {by[0]}", "a trainee")),
                "locker": locker,
            }
            for time, guest, locker in rows
        ]
        self.guest = guests[0]
        self.right = next(str(r["locker"]) for r in self.rows if r["guest"] == self.guest)
        self.shown = self.opened = False
        asked = self.rng.choice(self.wordings).format(guest=self.guest, day=self.day)
        return asked, [Fact("The pool is closed.", {"closed": True})]

    def possible(self) -> list[Call]:
        """Every day, locker and guest."""
        calls = [call("book", day=each) for each in self.days]
        calls += [call("open", locker=row["locker"]) for row in self.rows if self.shown]
        return [*calls, *(call("store", guest=row["guest"]) for row in self.rows)]

    def do(self, wanted: Call) -> Result:
        """Show, open, or end."""
        if wanted.operator == "book":
            if wanted["day"] != self.day:
                return [Fact("(an empty page)", {"rows": 0})]
            self.shown = True
            return [Rows("book", "{time} {guest} {by} {locker}", self.rows)]
        if wanted.operator == "open":
            self.opened = wanted["locker"] == self.right
            if not self.opened:
                self.end(won=False)
            return [Fact("It is open.", {"open": True})]
        self.end(won=self.opened and wanted["guest"] == self.guest)
        return [Fact("Stored.", {"stored": True})]

    def expert(self) -> Iterator[Call]:
        """Read, open, store."""
        yield call("book", day=self.day)
        yield call("open", locker=self.right)
        yield call("store", guest=self.guest)
