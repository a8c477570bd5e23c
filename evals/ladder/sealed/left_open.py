"""Worlds in which demonstrations leave something open that half of the tests ask for."""

from __future__ import annotations

from collections.abc import Iterator

from ..names import CITIES, SURNAMES
from ..world import Call, Fact, Operator, Result, Rows, World, call

__all__ = ["CoachYard", "SuitcaseHall"]

DESTINATIONS = {"arrived": "carousel", "connecting": "transfer desk", "oversized": "goods lift"}
STRANGE = ("confiscated", "leaking", "unclaimed")


class SuitcaseHall(World):
    """The tag of a suitcase decides where it goes; some tags no demonstration has."""

    name = "suitcase-hall"
    difficulty = "the status that is read may be one that no demonstration shows"
    operators = (
        Operator("scan", "scan the suitcase of {owner}", about="Read the tag of a suitcase."),
        Operator(
            "wheel", "wheel the suitcase of {owner} to the {place}", about="Move it for good."
        ),
    )
    horizon = 8
    abstaining = True

    def begin(self) -> tuple[str, Result]:
        """Draw suitcases with tags."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        owners = self.draw(SURNAMES, 4)
        self.owner = owners[0]
        tags, strange = tuple(DESTINATIONS), self.rng.choice(STRANGE)
        self.tags = {owner: self.rng.choice(tags) for owner in owners}
        if self.unsettled:
            self.tags[self.owner] = strange
        self.weights = {owner: self.rng.randint(5, 40) for owner in owners}
        self.scanned: set[str] = set()
        rows = [{"owner": owner} for owner in self.arranged(owners, self.owner)]
        asked = f"See to the suitcase of {self.owner}."
        return asked, [Rows("hall", "A suitcase of {owner}", rows)]

    def possible(self) -> list[Call]:
        """All of it at any time."""
        listed = []
        for owner in self.tags:
            listed += [call("scan", owner=owner)]
            listed += [call("wheel", owner=owner, place=x) for x in DESTINATIONS.values()]
        return listed

    def do(self, wanted: Call) -> Result:
        """Tell the tag, or move the suitcase: without a scan that is wrong."""
        owner = wanted["owner"]
        tag, weight = self.tags[owner], self.weights[owner]
        if wanted.operator == "scan":
            self.scanned.add(owner)
            self.met = self.met or owner == self.owner
            kilos = Fact(f"Weight {weight} kg.", {"weight": weight})
            return [kilos, Fact(f"Tag: {tag}.", {"tag": tag})]
        right = owner == self.owner and owner in self.scanned
        self.end(won=right and DESTINATIONS.get(tag) == wanted["place"])
        return [Fact("Off it rolls.", {"suitcase": "rolls off"})]

    def expert(self) -> Iterator[Call]:
        """Scan the suitcase, wheel it where its tag says."""
        yield call("scan", owner=self.owner)
        place = DESTINATIONS[self.tags[self.owner]]
        yield call("wheel", owner=self.owner, place=place)


class CoachYard(World):
    """The coach that is sent is always the largest and the newest, until the two are not one."""

    name = "coach-yard"
    difficulty = "demonstrations fit two rules: the most seats, and the newest; they may disagree"
    operators = (
        Operator("unroll", "unroll the yard list", about="See which coaches there are."),
        Operator("phone", "phone the driver of {plate}", about="Ask whether a driver is awake."),
        Operator("send", "send {plate} to {city}", about="Send a coach for good."),
    )
    horizon = 8
    abstaining = True

    def begin(self) -> tuple[str, Result]:
        """Draw coaches; where two rules disagree the largest is not the newest."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        rng = self.rng
        (self.city, self.yard), (self.guest,) = self.draw(CITIES, 2), self.draw(SURNAMES)
        seats = sorted(rng.sample(range(20, 80), 7), reverse=True)
        years = rng.sample(range(1998, 2025), 7)
        newest = years.index(max(years))
        other = rng.randrange(1, 7) if newest == 0 and self.unsettled else newest
        if not self.unsettled or newest == 0:
            years[0], years[other] = years[other], years[0]
        rows: list[dict[str, str | int]]
        rows = [
            {"plate": self.identifier("AA-###"), "seats": number, "built": year}
            for number, year in zip(seats, years, strict=True)
        ]
        self.plates = [str(row["plate"]) for row in rows]
        self.plate = self.plates[0]
        self.rows = self.arranged(rows, rows[0])
        self.listed = False
        start = Fact(f"The coach yard of {self.yard}.", {"yard": self.yard})
        return f"Send a coach to {self.city} for the outing of {self.guest}.", [start]

    def possible(self) -> list[Call]:
        """The list, and what can be done with the coaches on it."""
        listed = [call("unroll")]
        for plate in self.plates if self.listed else ():
            listed += [call("phone", plate=plate)]
            listed += [call("send", plate=plate, city=city) for city in (self.city, self.yard)]
        return listed

    def do(self, wanted: Call) -> Result:
        """Show the list, or send a coach."""
        if wanted.operator == "unroll":
            self.listed = self.met = True
            return [Rows("coaches", "{plate}: {seats} seats, built in {built}", self.rows)]
        if wanted.operator == "phone":
            return [Fact("The driver is awake.", {"driver": "awake"})]
        right = (wanted["plate"], wanted["city"]) == (self.plate, self.city)
        self.end(won=right and not self.unsettled)
        return [Fact("The gate opens for it.", {"gate": "open"})]

    def expert(self) -> Iterator[Call]:
        """Read the list, send the largest and newest coach."""
        yield call("unroll")
        yield call("send", plate=self.plate, city=self.city)
