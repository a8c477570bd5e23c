"""Worlds of machines that have to be watched: measured, wound, dialled again, repaired."""

from __future__ import annotations

from collections.abc import Iterator

from ..names import CITIES, PRODUCTS
from ..world import Call, Fact, Operator, Result, Rows, World, call

__all__ = ["BottlingLine", "FaxRoom", "PoolFlag", "StationClocks"]


class PoolFlag(World):
    """A pool is measured, given chlorine, measured again, and opened."""

    name = "pool-flag"
    difficulty = "the same look at the beginning and at the end, with the remedy between"
    operators = (
        Operator("measure", "measure pool {pool}", about="Measure the water of a pool."),
        Operator("drop", "drop {number} tablets into pool {pool}", ("number",), "Add chlorine."),
        Operator("hoist", "hoist the flag at pool {pool}", about="Open a pool for good."),
    )
    horizon = 12

    def begin(self) -> tuple[str, Result]:
        """Draw two pools, and how many tablets each lacks."""
        pools = self.draw(CITIES, 2)
        self.pool = pools[0]
        self.short = dict(zip(pools, self.rng.sample(range(1, 10), 2), strict=True))
        self.waiting = {pool: self.rng.randint(1, 9) for pool in pools}
        self.turned = self.rng.random() < 0.5
        self.checked: set[str] = set()
        rows = [{"pool": pool} for pool in self.arranged(pools, self.pool)]
        return f"Open pool {self.pool} for the swimmers.", [Rows("pools", "Pool {pool}", rows)]

    def possible(self) -> list[Call]:
        """All of it at any time."""
        listed = []
        for pool in self.short:
            listed += [call("measure", pool=pool), call("hoist", pool=pool)]
            listed += [call("drop", number=number, pool=pool) for number in range(1, 10)]
        return listed

    def do(self, wanted: Call) -> Result:
        """Measure, add, or open: only right once the water was measured and right."""
        pool = wanted["pool"]
        if wanted.operator == "hoist":
            self.end(won=pool == self.pool and pool in self.checked)
            return [Fact("The flag is up.", {"flag": "up"})]
        if wanted.operator == "drop":
            self.short[pool] -= int(wanted["number"])
            self.checked.discard(pool)
            return [Fact("The tablets sink.", {"tablets": "sink"})]
        lack, queue = self.short[pool], self.waiting[pool]
        if lack > 0:
            water = Fact(f"Chlorine low, {lack} short.", {"chlorine": "low", "short": lack})
        elif lack < 0:
            water = Fact("Chlorine far too high.", {"chlorine": "far too high"})
        else:
            self.checked.add(pool)
            water = Fact("Chlorine right.", {"chlorine": "right"})
        people = Fact(f"At the gate {queue} in line.", {"in_line": queue})
        return [people, water] if self.turned else [water, people]

    def expert(self) -> Iterator[Call]:
        """Measure, add what is short, measure, open."""
        yield call("measure", pool=self.pool)
        yield call("drop", number=self.short[self.pool], pool=self.pool)
        yield call("measure", pool=self.pool)
        yield call("hoist", pool=self.pool)


class StationClocks(World):
    """A clock is wound until its spring is taut, and no further."""

    name = "station-clocks"
    difficulty = "an action is repeated until an observation says that it is enough"
    operators = (
        Operator("unlatch", "unlatch the clock of {city}", about="Open the case of a clock."),
        Operator("wind", "wind once", about="Turn the key of the open clock."),
        Operator("dust", "dust the dial", about="Wipe the dial of the open clock."),
        Operator("latch", "latch the case", about="Shut the case for good."),
    )
    horizon = 20

    def begin(self) -> tuple[str, Result]:
        """Draw the clock, the turns that it needs, and the times that it shows on the way."""
        cities = self.draw(CITIES, 3)
        self.cities, self.city = cities, cities[0]
        self.turns, self.wound = self.rng.randint(2, 7), 0
        self.times = [f"{self.rng.randint(10, 23)}:{self.rng.randint(10, 59)}" for _ in range(8)]
        self.words = [self.rng.choice(("slack", "loose")) for _ in range(8)]
        self.open: str | None = None
        rows = [{"city": city} for city in self.arranged(cities, self.city)]
        asked = f"The clock of {self.city} has stopped. Wind it."
        return asked, [Rows("clocks", "The clock of {city} hangs here.", rows)]

    def possible(self) -> list[Call]:
        """Clocks; what can be done to an open one."""
        if self.open is None:
            return [call("unlatch", city=city) for city in self.cities]
        return [call("wind"), call("dust"), call("latch")]

    def do(self, wanted: Call) -> Result:
        """Say how the spring is; it breaks when it is wound further than taut."""
        if wanted.operator == "latch":
            self.end(won=self.open == self.city and self.wound == self.turns)
            return [Fact("The case is shut.", {"case": "shut"})]
        if wanted.operator == "dust":
            return [Fact("The dial shines.", {"dial": "shines"})]
        if wanted.operator == "wind":
            self.wound += 1
            if self.wound > self.turns:
                self.end(won=False)
                return [Fact("The spring breaks.", {"spring": "broken"})]
        else:
            self.open = wanted["city"]
        spring = "taut" if self.wound == self.turns else self.words[self.wound]
        time = self.times[self.wound]
        hands = Fact(f"The hands show {time}.", {"hands": time})
        return [hands, Fact(f"The spring is {spring}.", {"spring": spring})]

    def expert(self) -> Iterator[Call]:
        """Wind until the spring is taut."""
        yield call("unlatch", city=self.city)
        while self.wound < self.turns:
            yield call("wind")
        yield call("latch")


class FaxRoom(World):
    """A number is dialled again while the line is bad, and looked up where it has changed."""

    name = "fax-room"
    difficulty = "a transient fault is tried again; a permanent one has another remedy"
    operators = (
        Operator("dial", "dial {city}", about="Call an office."),
        Operator("consult", "consult the card of {city}", about="Read the number of an office."),
        Operator("feed", "feed the sheet about the {topic}", about="Send a sheet for good."),
    )
    horizon = 24

    def begin(self) -> tuple[str, Result]:
        """Draw offices and sheets, and what the line will answer."""
        self.cities, self.topics = self.draw(CITIES, 4), self.draw(PRODUCTS, 4)
        self.city, self.topic = self.cities[0], self.topics[0]
        self.faults = [self._faults(self.rng.randint(0, 3))]
        self.moved = self.rng.random() < 0.45
        if self.moved:
            self.faults.append(self._faults(self.rng.randint(0, 2)))
        self.warned, self.line = False, ""
        cards = [{"card": city} for city in self.arranged(self.cities, self.city)]
        sheets = [{"topic": topic} for topic in self.arranged(self.topics, self.topic)]
        asked = f"Fax the sheet about the {self.topic} to {self.city}."
        return asked, [
            Rows("cards", "A card: {card}", cards),
            Rows("sheets", "A sheet: {topic}", sheets),
        ]

    def possible(self) -> list[Call]:
        """All of it at any time."""
        listed = [call(name, city=city) for name in ("dial", "consult") for city in self.cities]
        return [*listed, *(call("feed", topic=topic) for topic in self.topics)]

    def do(self, wanted: Call) -> Result:
        """Call, look up, or send: only right on the line to the right office."""
        if wanted.operator == "feed":
            self.end(won=(self.line, wanted["topic"]) == (self.city, self.topic))
            return [Fact("The sheet goes through the rollers.", {"sheet": "gone"})]
        city = wanted["city"]
        if wanted.operator == "consult":
            if city != self.city or not self.moved or not self.warned:
                return [Fact("The number is the usual one.", {"card": "the usual number"})]
            self.moved = False
            self.faults.pop(0)
            return [Fact("A fresh number stands there; you note it.", {"card": "a fresh number"})]
        if self.line:
            self.end(won=False)
            return [Fact("They feel mocked and hang up.", {"line": "hung up"})]
        if city == self.city and self.faults[0]:
            return [self.faults[0].pop()]
        if city == self.city and self.moved:
            self.warned = True
            return [Fact("A voice: this number is abandoned.", {"line": "abandoned"})]
        self.line = city
        return [Fact(f"A whistle: {city} listens.", {"line": f"{city} listens"})]

    def expert(self) -> Iterator[Call]:
        """Dial until there is a whistle; look the number up where it is abandoned."""
        while not self.line:
            silent, moved = bool(self.faults[0]), self.moved
            yield call("dial", city=self.city)
            if moved and not silent:
                yield call("consult", city=self.city)
        yield call("feed", topic=self.topic)

    def _faults(self, count: int) -> list[Fact]:
        faults = (
            Fact("The line is engaged.", {"line": "engaged"}),
            Fact("Only crackling.", {"line": "crackling"}),
        )
        return [self.rng.choice(faults) for _ in range(count)]


PARTS = {
    "lamps": ("All lamps burn.", "The fuse lamp is dark.", ("fetch a fuse", "swap the fuse")),
    "belt": (
        "The belt runs true.",
        "The belt has slipped off.",
        ("slacken the roller", "hang up the belt", "tighten the roller"),
    ),
    "motor": ("The motor is cool.", "The motor is hot.", ("open the tap", "close the tap")),
    "chute": (
        "The chute is clear.",
        "Splinters block the chute.",
        ("lock the chute", "sweep the chute", "unlock the chute"),
    ),
}
STEPS: tuple[str, ...] = tuple(
    dict.fromkeys(step for _, _, steps in PARTS.values() for step in steps)
)


class BottlingLine(World):
    """A bottling line stands still; one of four parts is the cause, each with its remedy."""

    name = "bottling-line"
    difficulty = "look-ups tell which of four causes it is; each has its own sequence of remedies"
    operators = (
        Operator("check", "check the {part} of line {city}", about="Look at a part."),
        *(Operator(step.replace(" ", "_"), step, about=f"{step.capitalize()}.") for step in STEPS),
        Operator("start", "start line {city}", about="Start a line for good."),
    )
    horizon = 20

    def begin(self) -> tuple[str, Result]:
        """Draw the line and the cause."""
        self.cities = self.draw(CITIES, 3)
        self.city = self.cities[0]
        self.cause = self.rng.choice(tuple(PARTS))
        self.ahead = list(PARTS[self.cause][2])
        rows = [{"line": city} for city in self.arranged(self.cities, self.city)]
        start = Fact("No bottle moves anywhere.", {"bottles": "none moves"})
        asked = f"Line {self.city} stands still. Get it going."
        return asked, [start, Rows("lines", "Line {line}", rows)]

    def possible(self) -> list[Call]:
        """All of it at any time."""
        listed = [call("start", city=city) for city in self.cities]
        listed += [call("check", part=part, city=self.city) for part in PARTS]
        return [*listed, *(call(step.replace(" ", "_")) for step in STEPS)]

    def do(self, wanted: Call) -> Result:
        """Tell about a part; a step that does not come next spoils the line."""
        if wanted.operator == "check":
            part = wanted["part"]
            fine, faulty, _ = PARTS[part]
            says = faulty if part == self.cause and self.ahead else fine
            return [Fact(says, {part: says})]
        if wanted.operator == "start":
            self.end(won=wanted["city"] == self.city and not self.ahead)
            return [Fact("The line jerks.", {"line": "jerks"})]
        if not self.ahead or wanted.operator != self.ahead[0].replace(" ", "_"):
            self.end(won=False)
            return [Fact("Something snaps.", {"sound": "something snaps"})]
        self.ahead.pop(0)
        return [Fact("That is done.", {"done": True})]

    def expert(self) -> Iterator[Call]:
        """Look at one part after the other, do what the cause needs, start the line."""
        for part in PARTS:
            yield call("check", part=part, city=self.city)
            if part == self.cause:
                break
        for step in PARTS[self.cause][2]:
            yield call(step.replace(" ", "_"))
        yield call("start", city=self.city)
