"""Places and things: a robot that tidies, a lighthouse, a bench of samples."""

from __future__ import annotations

from ...ladder.names import COLOURS, PEOPLE
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class RobotTidy(Desk):
    """A thing is looked for in one place after the other, rinsed if dirty, and put away."""

    name = "robot-tidy"
    difficulty = "places in their order until it is there; some are opened first; rinsed if dirty"
    operators = (
        Operator("walk", "walk to the {place}", about="Goes to a place."),
        Operator("open", "open the {place}", about="Opens a place where one stands."),
        Operator("take", "take the {thing}", about="Takes a thing that is seen."),
        Operator("rinse", "rinse the {thing}", about="At the sink."),
        Operator("put", "put the {thing} into the {place}", about="Final."),
    )
    changing, finals = ("rinse",), ("put",)
    free = ("walk", "open", "take", "rinse", "put")
    horizon = 20

    wordings = (
        "Put the {thing} into the {target}.",
        "The {thing} belongs in the {target}.",
        "Find the {thing} and put it into the {target}.",
    )
    closing = ("wooden chest", "corner cupboard", "desk drawer", "toy box", "oven", "suitcase")
    flat = ("low shelf", "window sill", "dining table", "night stand", "sofa", "work bench")
    targets = ("dishwasher", "picnic basket", "pantry", "display case", "moving crate")
    nouns = ("mug", "plate", "bowl", "jar", "vase", "bottle", "spoon", "tray")

    def begin(self) -> tuple[str, Result]:
        """Draw places and where the thing is."""
        cases = tuple((where, dirty) for where in range(4) for dirty in (True, False))
        where, self.dirty = case_of(self.name, self.task, cases)
        colours, nouns = self.draw(COLOURS, 4), self.rng.sample(self.nouns, 6)
        self.thing = f"{colours[0]} {nouns[0]}"
        self.target = self.rng.choice(self.targets)
        places = [*self.rng.sample(self.closing, 2), *self.rng.sample(self.flat, 2)]
        self.rng.shuffle(places)
        others = [f"{colours[1]} {nouns[0]}", f"{colours[0]} {nouns[1]}"]
        others += [f"{self.rng.choice(colours)} {noun}" for noun in nouns[2:]]
        self.rng.shuffle(others)
        self.things = {place: [others.pop()] for place in places}
        self.things[places[where]].insert(self.rng.randint(0, 1), self.thing)
        self.closed = {p for p in (*places, self.target) if p in self.closing}
        self.closed |= {self.target} if self.rng.random() < 0.5 else set()
        self.at, self.held = "", ""
        walks = [call("walk", place=place) for place in (*places, "sink", self.target)]
        opens = [call("open", place=place) for place in (*places, self.target)]
        self.lay_out(self._tour(places[: where + 1]), [*walks, *opens])
        asked = self.rng.choice(self.wordings).format(thing=self.thing, target=self.target)
        shown: list[dict[str, Value]] = [{"place": place} for place in places]
        return asked, [
            Fact("You look around the room and see:"),
            Rows("places", "- {place}", shown),
        ]

    def _tour(self, places: list[str]) -> list[Call]:
        """Return what is done where the last of the places has the thing."""
        plan: list[Call] = []
        for place in places:
            plan += self._reached(place)
        plan.append(call("take", thing=self.thing))
        if self.dirty:
            plan += [call("walk", place="sink"), call("rinse", thing=self.thing)]
        put = call("put", thing=self.thing, place=self.target)
        return [*plan, *self._reached(self.target), put]

    def _reached(self, place: str) -> list[Call]:
        """Return how one gets to see into a place."""
        walk = call("walk", place=place)
        return [walk, call("open", place=place)] if place in self.closed else [walk]

    def answer(self, wanted: Call) -> Result:
        """Go, open, take, rinse or put."""
        known = (*self.things, self.target, "sink")
        if wanted.operator == "walk" and wanted["place"] in known:
            self.at = wanted["place"]
            return self._seen()
        if wanted.operator == "open" and wanted["place"] == self.at and self.at in self.closed:
            self.closed.remove(self.at)
            return self._seen()
        if wanted.operator == "take" and wanted["thing"] in self._here():
            self.held = wanted["thing"]
            self.things[self.at].remove(self.held)
            state = "dirty" if self.held == self.thing and self.dirty else "clean"
            return [Fact(f"You hold the {self.held}. It is {state}.", {"state": state})]
        if wanted.operator == "rinse" and (self.at, wanted["thing"]) == ("sink", self.held):
            return [Fact(f"The {self.held} is clean now.", {"state": "clean"})]
        ready = self.at == wanted.values.get("place") and self.at not in self.closed
        if wanted.operator == "put" and ready and wanted["thing"] == self.held:
            return [Fact("Done.", {"done": True})]
        return [Fact("You cannot do that.", {"error": "not possible"})]

    def _here(self) -> list[str]:
        """Return what can be taken."""
        return [] if self.at in self.closed else self.things.get(self.at, [])

    def _seen(self) -> Result:
        """Tell what is seen where the robot stands."""
        if self.at in self.closed:
            return [Fact(f"The {self.at} is closed.", {"at": self.at, "state": "closed"})]
        things: list[dict[str, Value]] = [{"thing": thing} for thing in self._here()]
        if not things:
            return [Fact(f"You are at the {self.at}.", {"at": self.at, "state": "open"})]
        head = Fact(f"At the {self.at} there is:", {"at": self.at, "state": "open"})
        return [head, Rows("things", "- {thing}", things)]


class LampKeeper(Desk):
    """What the lamp lacks is fetched from where the board says; the bell is rung in fog."""

    name = "lamp-keeper"
    difficulty = (
        "what lacks is fetched, each thing from a place of the first page; a step by weather"
    )
    operators = (
        Operator("go", "go to the {room}", about="Walks there."),
        Operator("look", "look at the lamp", about="In the lamp room."),
        Operator("take", "take the {thing}", about="Takes a thing."),
        Operator("fit", "fit the {thing}", about="In the lamp room."),
        Operator("light", "light the lamp", about="In the lamp room."),
        Operator("ring", "ring the bell", about="So that ships hear it."),
        Operator("log", "sign the log", about="Final."),
    )
    changing, finals = ("fit", "light", "ring"), ("log",)
    free = ("go", "take", "fit")
    horizon = 14

    wordings = (
        "The {ship} is due. Light the lamp.",
        "Light the lamp for the {ship}, please.",
        "It gets dark and the {ship} is not in yet: the lamp must burn.",
    )
    rooms = ("cellar", "boat house", "workshop", "old kitchen", "tool shed")
    ships = ("Marigold", "Otter", "Star", "Anna", "Petrel", "Hen", "Gannet", "Fortune", "Heron")

    def begin(self) -> tuple[str, Result]:
        """Draw what lacks, and where things are kept."""
        cases = (
            *(((), True), ((), False), (("oil",), True), (("oil",), False)),
            *((("wick",), True), (("wick",), False), (("oil", "wick"), True)),
            (("oil", "wick"), False),
        )
        self.lacks, fog = case_of(self.name, self.task, cases)
        self.stores = dict(zip(("oil", "wick"), self.rng.sample(self.rooms, 2), strict=True))
        self.at, self.held, self.fitted = "hall", set[str](), set[str]()
        fetched = [
            each
            for thing in self.lacks
            for each in (call("go", room=self.stores[thing]), call("take", thing=thing))
        ]
        up = call("go", room="lamp room")
        back = [up, *(call("fit", thing=thing) for thing in self.lacks)] if self.lacks else []
        plan = [up, call("look"), *fetched, *back, call("light")]
        plan += [*([call("ring")] if fog else []), call("log")]
        goes = [call("go", room=room) for room in (*self.rooms, "lamp room")]
        takes = [call("take", thing=thing) for thing in self.stores]
        fits = [call("fit", thing=thing) for thing in self.stores]
        last = [call("look"), call("light"), call("ring"), call("log")]
        self.lay_out(plan, [*goes, *takes, *fits, *last])
        ship = f"{self.rng.choice(self.ships)} {self.identifier('AA ###')}"
        asked = self.rng.choice(self.wordings).format(ship=ship)
        weather = "thick fog" if fog else "clear sky"
        text = f"You are in the hall of the lighthouse. Outside there is a {weather}.\n"
        text += "The board on the wall says:\n"
        text += "\n".join(f"{thing}: in the {room}" for thing, room in self.stores.items())
        return asked, [Fact(text, {"outside": weather, **self.stores})]

    def answer(self, wanted: Call) -> Result:
        """Go, look, take, fit, light, ring or sign."""
        if wanted.operator == "go" and wanted["room"] in (*self.rooms, "lamp room", "hall"):
            self.at = wanted["room"]
            return [Fact(f"You are in the {self.at}.", {"at": self.at})]
        if wanted.operator == "take" and self.stores.get(wanted["thing"]) == self.at:
            self.held.add(wanted["thing"])
            return [Fact(f"You have the {wanted['thing']}.", {"taken": wanted["thing"]})]
        if wanted.operator in ("ring", "log"):
            return [Fact("Done.", {"done": True})]
        if self.at == "lamp room" and wanted.operator in ("look", "light", "fit"):
            return self._at_lamp(wanted)
        return [Fact("That does not work here.", {"error": "not here"})]

    def _at_lamp(self, wanted: Call) -> Result:
        """Look, fit or light in the lamp room."""
        gone = [thing for thing in self.lacks if thing not in self.fitted]
        if wanted.operator == "look":
            states = {t: "missing" if t in gone else "in place" for t in self.stores}
            text = ", ".join(f"{thing} {state}" for thing, state in states.items())
            return [Fact(f"The lamp: glass clean, {text}.", dict(states))]
        if wanted.operator == "fit" and wanted["thing"] in self.held:
            self.fitted.add(wanted["thing"])
            return [Fact("It fits.", {"fitted": True})]
        if wanted.operator == "light" and not gone:
            return [Fact("The lamp burns.", {"burns": True})]
        return [Fact("That does not work.", {"error": "not possible"})]


class SampleBench(Desk):
    """Tubes are scanned one by one; bad ones are binned or recalled, others go by their kind."""

    name = "sample-bench"
    difficulty = "each row is looked up, then one of three things; where to by a list of the start"
    operators = (
        Operator("rack", "rack {rack}", about="Tubes of a rack."),
        Operator("scan", "scan {tube}", about="What a tube is."),
        Operator("load", "load {tube} on {analyser}", about="Puts a tube on an analyser."),
        Operator("bin", "bin {tube}", about="Throws a tube away."),
        Operator("recall", "recall {tube}", about="Asks for more blood."),
        Operator("finish", "finish {rack}", about="Final."),
    )
    changing, irrevocable = ("load", "bin", "recall"), ("load", "bin", "recall")
    finals = ("finish",)
    free = ("rack", "scan", "load", "bin", "recall", "finish")
    horizon = 12

    wordings = (
        "Work through rack {rack}, it is from {person}.",
        "Rack {rack} came in. Sort it.",
        "{person} brought rack {rack}, please see to the tubes.",
    )
    kinds = ("serum", "EDTA", "citrate")
    counts = ((0, 0), (1, 0), (0, 1), (1, 1), (0, 0))

    def begin(self) -> tuple[str, Result]:
        """Draw a rack of tubes."""
        self.rack, (person,) = self.identifier("R-###"), self.draw(PEOPLE)
        spoilt, short = case_of(self.name, self.task, self.counts)
        least = self.rng.randint(8, 15)
        analysers = dict(zip(self.kinds, distinct(lambda: self.identifier("A##"), 3), strict=True))
        faults = ["haemolysed"] * spoilt + ["short"] * short
        faults += [""] * (self.rng.randint(3, 4) - len(faults))
        self.rng.shuffle(faults)
        self.tubes: dict[str, dict[str, Value]] = {}
        plan = [call("rack", rack=self.rack)]
        for tube, fault in zip(
            distinct(lambda: self.identifier("####"), len(faults)), faults, strict=True
        ):
            kind = self.rng.choice(self.kinds)
            low, high = (3, least - 1) if fault == "short" else (least, 50)
            self.tubes[tube] = {
                "kind": kind,
                "ml": f"{self.rng.randint(low, high) / 10:.1f}",
                "look": fault if fault == "haemolysed" else "clear",
            }
            ends = {"haemolysed": call("bin", tube=tube), "short": call("recall", tube=tube)}
            load = call("load", tube=tube, analyser=analysers[kind])
            plan += [call("scan", tube=tube), ends.get(fault, load)]
        every = [call(name, tube=tube) for name in ("scan", "bin", "recall") for tube in self.tubes]
        every += [call("load", tube=t, analyser=a) for t in self.tubes for a in analysers.values()]
        self.lay_out([*plan, call("finish", rack=self.rack)], every)
        asked = self.rng.choice(self.wordings).format(rack=self.rack, person=person)
        text = f"LAB BENCH. Least volume {least / 10:.1f} mL.\n"
        text += "\n".join(f"{kind} -> {analyser}" for kind, analyser in analysers.items())
        return asked, [Fact(text, {"least_ml": least / 10, **analysers})]

    def answer(self, wanted: Call) -> Result:
        """Show, sort or end."""
        if wanted.values.get("rack", self.rack) != self.rack:
            return [Fact("unknown rack", {"error": "unknown rack"})]
        if wanted.operator == "rack":
            return [Rows("tubes", "tube {tube}", [{"tube": tube} for tube in self.tubes])]
        if wanted.operator == "finish":
            return [Fact("rack done", {"done": True})]
        tube = self.tubes.get(wanted["tube"])
        if tube is None:
            return [Fact("unknown tube", {"error": "unknown tube"})]
        if wanted.operator == "scan":
            text = "{kind}, {ml} mL, {look}".format(**tube)
            return [Fact(text, tube | {"ml": float(str(tube["ml"]))})]
        return [Fact("ok", {"ok": True})]
