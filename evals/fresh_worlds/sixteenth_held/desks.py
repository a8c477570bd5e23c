"""Desks: a zone of a greenhouse, animals that were found, snapshots of a volume."""

from __future__ import annotations

from datetime import date, timedelta

from ...ladder.names import COLOURS, PARTS, PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class GreenhouseZone(Desk):
    """A zone is too cold, too warm or right for its crop: heat it, open its vent, or leave it.

    It is heated up to the lowest temperature of the crop. After either, the zone is logged.
    """

    name = "greenhouse-zone"
    difficulty = "a number against a range from another look; three ways; a setting from the range"
    operators = (
        Operator("zone", "read zone {zone}", about="Crop and temperature."),
        Operator("crop", "crop sheet {crop}", about="What it likes."),
        Operator("heat", "heat zone {zone} to {degrees}", ("degrees",), "Where it is too cold."),
        Operator("vent", "open vent {vent}", about="Where it is too warm."),
        Operator("log", "log zone {zone}", about="Final."),
    )
    changing, irrevocable, finals = ("heat", "vent"), ("heat", "vent"), ("log",)
    free = ("zone", "crop", "heat", "vent", "log")
    horizon = 6

    wordings = (
        "Evening round: zone {zone}.",
        "Check the climate of zone {zone}.",
        "Zone {zone}, please see that it is as it should be.",
    )
    crops = ("tomato", "basil", "orchid", "lettuce", "pepper", "cucumber", "melon", "fern")

    def begin(self) -> tuple[str, Result]:
        """Draw a zone and its crop."""
        kind = case_of(self.name, self.task, ("cold", "warm", "right", "cold", "warm"))
        self.zone, self.crop = self.identifier("A###"), self.rng.choice(self.crops)
        self.low = self.rng.randint(11, 22)
        self.high = self.low + self.rng.randint(4, 9)
        self.vent, other = distinct(lambda: self.identifier("V-###"), 2)
        self.now = {
            "cold": self.low - self.rng.randint(1, 7),
            "warm": self.high + self.rng.randint(1, 7),
            "right": self.rng.randint(self.low, self.high),
        }[kind]
        self.wet = self.rng.randint(35, 90)
        heats = [
            call("heat", zone=self.zone, degrees=each) for each in (self.low, self.high, self.now)
        ]
        vents = [call("vent", vent=each) for each in (self.vent, other)]
        zone, log = call("zone", zone=self.zone), call("log", zone=self.zone)
        crop = call("crop", crop=self.crop)
        plan = [zone, crop, *{"cold": heats[:1], "warm": vents[:1], "right": []}[kind], log]
        self.lay_out(plan, [zone, crop, *heats, *vents, log])
        outside = self.rng.randint(-9, 30)
        asked = self.rng.choice(self.wordings).format(zone=self.zone)
        return asked, [Fact(f"outside {outside} C", {"outside": outside})]

    def answer(self, wanted: Call) -> Result:
        """Show, heat, vent or end."""
        values = wanted.values
        known = (values.get("zone", self.zone), values.get("crop", self.crop))
        if known != (self.zone, self.crop):
            return [Fact("not here", {"error": "not here"})]
        if wanted.operator == "zone":
            data: dict[str, Value] = {"crop": self.crop, "temperature": self.now}
            data |= {"humidity": self.wet, "vent": self.vent}
            text = f"{self.crop} | {self.now} C | {self.wet} % | vent {self.vent}"
            return [Fact(text, data)]
        if wanted.operator == "crop":
            text = f"{self.crop}: from {self.low} C to {self.high} C"
            return [Fact(text, {"from": self.low, "to": self.high})]
        return [Fact("ok", {"ok": True})]


class StrayShelter(Desk):
    """A lost animal is looked for by kind and colour; the only fit is given back.

    Where several fit, the one that was found at the place of the task is given back. Where none
    fits, a notice with kind and colour is put up.
    """

    name = "stray-shelter"
    difficulty = "a row by two words of the task, by a third where two fit; or none at all"
    operators = (
        Operator("cages", "walk along the cages", about="Animals that were found."),
        Operator("give", "give {tag} back to {person}", about="Final."),
        Operator("notice", "notice for {person}: {colour} {kind}", about="Final: it is not there."),
    )
    finals = ("give", "notice")
    free = ("cages", "give", "notice")
    horizon = 4

    wordings = (
        "{person} has lost a {colour} {kind} near the {place}.",
        "A {colour} {kind} ran away at the {place}, it belongs to {person}.",
        "{person} asks for a {kind}, {colour}, last seen by the {place}.",
        "Missing since today: {kind} ({colour}), place: {place}, owner: {person}.",
    )
    kinds = ("cat", "dog", "rabbit", "parrot", "tortoise", "ferret", "hamster", "goose")
    places = ("station", "market", "church", "river", "school", "bridge", "harbour", "park")

    def begin(self) -> tuple[str, Result]:
        """Draw a loss and the cages."""
        fits = case_of(self.name, self.task, ("one", "two", "none", "one", "two"))
        (person,), (colour, *colours) = self.draw(SURNAMES), self.draw(COLOURS, 4)
        thing, *things = self.rng.sample(self.kinds, 4)
        place, *places = self.rng.sample(self.places, 4)
        found = [(each, colour, place) for each in things[:2]]
        found += [(thing, each, self.rng.choice([place, *places])) for each in colours[:2]]
        found += [(things[2], colours[2], places[0])]
        if fits != "none":
            found.append((thing, colour, place if fits == "two" else self.rng.choice(places)))
        if fits == "two":
            found.append((thing, colour, places[1]))
        tags = distinct(lambda: self.identifier("F###"), len(found))
        rows = [
            {"tag": tag, "kind": what, "colour": shade, "place": where}
            for tag, (what, shade, where) in zip(tags, found, strict=True)
        ]
        best = rows[5] if fits != "none" else rows[0]
        self.rows, self.tags = self.arranged(rows, *([best] if fits != "none" else [])), tags
        hands = {tag: call("give", tag=tag, person=person) for tag in tags}
        note = call("notice", person=person, colour=colour, kind=thing)
        cages, end = call("cages"), note if fits == "none" else hands[best["tag"]]
        self.lay_out([cages, end], [cages, *hands.values(), note])
        asked = self.rng.choice(self.wordings).format(
            person=person, colour=colour, kind=thing, place=place
        )
        text = f"Animal shelter, {self.rng.randint(20, 90)} cages."
        return asked, [Fact(text, {"greeting": text})]

    def answer(self, wanted: Call) -> Result:
        """Show or end."""
        if wanted.operator == "cages":
            return [Rows("animals", "{tag}: {colour} {kind}, found at the {place}", self.rows)]
        if wanted.operator == "give" and wanted["tag"] not in self.tags:
            return [Fact("There is no such tag.", {"error": "no such tag"})]
        return [Fact("Thank you.", {"thanks": True})]


class SnapshotPrune(Desk):
    """The newest snapshots of a volume stay, as many as its rule says; older ones are deleted.

    A snapshot on hold stays as well, and does not count. Half of the tests have a volume that is
    being restored: nobody has shown what to do then.
    """

    name = "snapshot-prune"
    difficulty = "all but the newest so many of unsorted dates; one mark spares a row; unshown"
    operators = (
        Operator("volume", "volume show {volume}", about="Rule and state."),
        Operator("snapshots", "snapshot list {volume}", about="Snapshots, in any order."),
        Operator("delete", "snapshot delete {snapshot}", about="Cannot be taken back."),
        Operator("report", "report {volume}", about="Final."),
    )
    changing = irrevocable = ("delete",)
    finals = ("report",)
    free = ("volume", "snapshots", "delete", "report")
    horizon = 9
    abstaining = True

    wordings = (
        "Prune {volume}.",
        "Clean up the snapshots of {volume}.",
        "{volume} has too many snapshots.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a volume and its snapshots."""
        cases = ((2, 1, 0), (3, 2, 1), (2, 2, 0), (3, 0, 1), (2, 1, 1))
        self.keep, old, held = case_of(self.name, self.task, cases)
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        (part,), (self.owner,) = self.draw(PARTS), self.draw(PEOPLE)
        self.volume = f"{part.replace(' ', '-')}-{self.identifier('##')}"
        count = self.keep + old + held
        names = distinct(lambda: f"snap-{self.identifier('####')}", count)
        days = sorted(self.rng.sample(range(3, 300), count))
        start = date(2026, 12, 20)
        on_hold = self.rng.sample(range(count), held)
        rest = [i for i in range(count) if i not in on_hold]
        rows = [
            {
                "snapshot": name,
                "made": f"{start - timedelta(ago):%Y-%m-%d}",
                "hold": "yes" if i in on_hold else "no",
            }
            for i, (name, ago) in enumerate(zip(names, days, strict=True))
        ]
        right = [rows[i] for i in rest[self.keep :]]
        self.rows, self.names = self.arranged(rows, *right), names
        deletes = {name: call("delete", snapshot=name) for name in names}
        volume, snapshots, report = (
            call(each, volume=self.volume) for each in ("volume", "snapshots", "report")
        )
        gone = [deletes[row["snapshot"]] for row in self.rows if row in right]
        self.lay_out(
            [volume, snapshots, *gone, report], [volume, snapshots, *deletes.values(), report]
        )
        asked = self.rng.choice(self.wordings).format(volume=self.volume)
        used = self.rng.randint(60, 99)
        return asked, [Fact(f"pool usage {used}%", {"pool_usage": used})]

    def answer(self, wanted: Call) -> Result:
        """Show, delete or end."""
        if wanted.values.get("volume", self.volume) != self.volume:
            return [Fact("no such volume", {"error": "no such volume"})]
        if wanted.values.get("snapshot", self.names[0]) not in self.names:
            return [Fact("no such snapshot", {"error": "no such snapshot"})]
        if wanted.operator == "volume":
            self.met = self.unsettled
            state = "restoring" if self.unsettled else "online"
            data: dict[str, Value] = {"owner": self.owner, "keep": self.keep, "state": state}
            return [Fact(f"owner={self.owner} keep={self.keep} state={state}", data)]
        if wanted.operator == "snapshots":
            return [Rows("snapshots", "{snapshot}  {made}  hold={hold}", self.rows)]
        return [Fact("ok", {"ok": True})]
