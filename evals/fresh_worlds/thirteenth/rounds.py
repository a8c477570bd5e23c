"""Rounds: a book that strayed, the rooms of a hotel, an autoclave."""

from __future__ import annotations

from ...ladder.names import SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class LibraryStray(Desk):
    """A book is looked for in the places of its record; shelved, mended or given up."""

    name = "library-stray"
    difficulty = "places of a list until it is there; then by its state; or nowhere"
    operators = (
        Operator("record", "look up {barcode}", about="Record of a book."),
        Operator("search", "search the {place}", about="What stands there."),
        Operator("shelve", "put {barcode} on shelf {shelf}", about="Final."),
        Operator("bindery", "send {barcode} to the bindery", about="Final."),
        Operator("lost", "declare {barcode} lost", about="Final."),
    )
    finals = ("shelve", "bindery", "lost")
    free = ("record", "search", "shelve", "bindery", "lost")
    horizon = 8

    wordings = (
        "A reader cannot find book {barcode}.",
        "Book {barcode} is not in its place, please see to it.",
        "{person} asks where {barcode} is.",
    )
    places = (
        *("returns trolley", "repair desk", "reading room", "copy corner", "loading bay"),
        *("front counter", "window shelf", "staff room"),
    )
    subjects = ("History of salt", "Birds of the coast", "Old bridges", "A winter", "Two rivers")

    def begin(self) -> tuple[str, Result]:
        """Draw a book and where it is."""
        cases = tuple((where, torn) for where in range(3) for torn in (True, False))
        self.where, self.torn = case_of(self.name, self.task, (*cases, (3, False), (3, False)))
        (self.person,) = self.draw(SURNAMES)
        codes = distinct(lambda: self.identifier("3#######"), 8)
        self.barcode, others = codes[0], codes[1:]
        self.shelf = f"{self.rng.randint(100, 999)}-{self.identifier('AAA')}"
        self.title = self.rng.choice(self.subjects)
        self.found = self.rng.sample(self.places, 3)
        self.books: dict[str, list[dict[str, Value]]] = {}
        for index, place in enumerate(self.found):
            rows = [self._book(others.pop()) for _ in range(self.rng.randint(1, 2))]
            if index == self.where:
                state = "torn" if self.torn else "good"
                rows.append({"barcode": self.barcode, "state": state})
            self.books[place] = self.arranged(rows)
        self.searched: set[str] = set()
        shelve = call("shelve", barcode=self.barcode, shelf=self.shelf)
        bind, lost = call("bindery", barcode=self.barcode), call("lost", barcode=self.barcode)
        searches = [call("search", place=place) for place in self.found]
        end = lost if self.where == 3 else bind if self.torn else shelve
        plan = [call("record", barcode=self.barcode), *searches[: self.where + 1], end]
        self.lay_out(plan, [*searches, shelve, bind, lost])
        asked = self.rng.choice(self.wordings).format(barcode=self.barcode, person=self.person)
        readers = self.rng.randint(2, 60)
        return asked, [Fact(f"{readers} readers in the house", {"readers": readers})]

    def _book(self, code: str) -> dict[str, Value]:
        """Draw another book."""
        return {"barcode": code, "state": self.rng.choice(("torn", "good"))}

    def answer(self, wanted: Call) -> Result:
        """Show, search or end."""
        if wanted.operator == "search":
            if wanted["place"] not in self.books:
                return [Fact("There is no such place.", {"error": "no such place"})]
            self.searched.add(wanted["place"])
            head = Fact(f"In the {wanted['place']}:", {"place": wanted["place"]})
            return [head, Rows("books", "{barcode} ({state})", self.books[wanted["place"]])]
        if wanted["barcode"] != self.barcode:
            return [Fact("Unknown barcode.", {"error": "unknown barcode"})]
        if wanted.operator == "record":
            text = f"Title: {self.title}\nShelf: {self.shelf}\nSearch in this order:"
            places: list[dict[str, Value]] = [{"place": place} for place in self.found]
            fact = Fact(text, {"title": self.title, "shelf": self.shelf})
            return [fact, Rows("places", "- {place}", places)]
        held = self.where < 3 and self.found[self.where] in self.searched
        self.out_of_turn = len(self.searched) < 3 if wanted.operator == "lost" else not held
        return [Fact("Done.", {"done": True})]


class HotelRounds(Desk):
    """In each room of a list what lacks is done; guests that leave get sheets; a sign is obeyed."""

    name = "hotel-rounds"
    difficulty = "rooms of a list, each with a sentence of states; one kind of room is different"
    operators = (
        Operator("list", "open round {number}", about="The rooms of a round."),
        Operator("enter", "go to room {room}", ("room",), "Tells how it looks."),
        Operator("bed", "make the bed in {room}", ("room",), "Where guests stay."),
        Operator("sheets", "change the sheets in {room}", ("room",), "Where guests left."),
        Operator("towels", "replace the towels in {room}", ("room",), "New towels."),
        Operator("bin", "empty the bin in {room}", ("room",), "Takes the waste."),
        Operator("close", "close round {number}", about="Final."),
    )
    changing, finals = ("bed", "sheets", "towels", "bin"), ("close",)
    free = ("list", "enter", "bed", "sheets", "towels", "bin", "close")
    horizon = 18

    wordings = (
        "Please do round {number}.",
        "Round {number} is yours today.",
        "{person} is ill, take over round {number}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw rooms and how they look."""
        self.number, (person,) = self.identifier("R-####"), self.draw(SURNAMES)
        rooms = sorted(self.rng.sample(range(101, 560), 3))
        self.guests = {str(room): self.rng.choice(("stays", "stays", "left")) for room in rooms}
        self.looks = {str(room): self._look() for room in rooms}
        asleep = case_of(self.name, self.task, (0, 1, 2, None, None, None))
        if asleep is not None:
            self.looks[str(rooms[asleep])] = {"sign": "do not disturb"}
        self.at = ""
        plan = [call("list", number=self.number)]
        for room in self.looks:
            plan += [call("enter", room=room), *self._work(room)]
        every = [call(each, room=room) for room in self.looks for each in self.changing]
        self.lay_out([*plan, call("close", number=self.number)], every)
        asked = self.rng.choice(self.wordings).format(number=self.number, person=person)
        guests = self.rng.randint(20, 200)
        return asked, [Fact(f"{guests} guests in the house", {"guests": guests})]

    def _look(self) -> dict[str, Value]:
        """Draw how a room looks."""
        return {
            "bed": self.rng.choice(("made", "unmade", "unmade")),
            "towels": self.rng.choice(("fresh", "used")),
            "bin": self.rng.choice(("empty", "full")),
        }

    def _work(self, room: str) -> list[Call]:
        """Return what a room needs."""
        look = self.looks[room]
        if "sign" in look:
            return []
        work = []
        if self.guests[room] == "left":
            work.append(call("sheets", room=room))
        elif look["bed"] == "unmade":
            work.append(call("bed", room=room))
        work += [call("towels", room=room)] if look["towels"] == "used" else []
        return [*work, call("bin", room=room)] if look["bin"] == "full" else work

    def answer(self, wanted: Call) -> Result:
        """Show, go, work or end."""
        if wanted.operator in ("list", "close"):
            if wanted["number"] != self.number:
                return [Fact("There is no such round.", {"error": "no such round"})]
            if wanted.operator == "close":
                return [Fact("Thank you.", {"done": True})]
            rows: list[dict[str, Value]] = [
                {"room": int(room), "guest": guest} for room, guest in self.guests.items()
            ]
            return [Rows("rooms", "room {room}, guest {guest}", rows)]
        room = wanted["room"]
        if wanted.operator == "enter" and room in self.looks:
            self.at, look = room, self.looks[room]
            if "sign" in look:
                return [Fact("A sign hangs on the door: do not disturb.", look)]
            text = f"Bed {look['bed']}, towels {look['towels']}, bin {look['bin']}."
            return [Fact(text, look)]
        if room != self.at:
            return [Fact("You are not there.", {"error": "not there"})]
        return [Fact("Done.", {"done": True})]


class AutoclaveRun(Desk):
    """A load is sterilised: what stands in the way is done first, the strip decides at the end."""

    name = "autoclave-run"
    difficulty = "a machine with a door and a tank; a programme by a table; wait; then a strip"
    operators = (
        Operator("label", "label: {load}", about="What a load holds."),
        Operator("panel", "panel", about="State of the machine."),
        Operator("fill", "fill tank", about="Fills the tank."),
        Operator("door", "door: {state}", about="Opens or closes the door."),
        Operator("load", "load: {load}", about="Puts a load in."),
        Operator("start", "start: {programme}", about="Starts a programme."),
        Operator("release", "release: {load}", about="Final."),
        Operator("quarantine", "quarantine: {load}", about="Final."),
    )
    changing, irrevocable = ("fill", "start"), ("start",)
    finals = ("release", "quarantine")
    free = ("label", "panel", "fill", "door", "load", "start", "release", "quarantine")
    horizon = 14

    wordings = (
        "Sterilise {load}.",
        "Load {load} has to go through the autoclave.",
        "{load} from {person} is next.",
    )
    kinds = ("fluids", "wrapped sets", "hollow tools", "textiles", "glass", "rubber tubes")

    def begin(self) -> tuple[str, Result]:
        """Draw a load, the programmes and the state of the machine."""
        self.batch, (self.person,) = self.identifier("LD-####"), self.draw(SURNAMES)
        cases = tuple((low, good) for low in (True, False) for good in (True, False))
        low, self.good = case_of(self.name, self.task, cases)
        self.opened, self.low = self.rng.random() < 0.5, low
        kinds = self.rng.sample(self.kinds, 3)
        programmes = distinct(lambda: self.identifier("P##"), 3)
        rows: list[dict[str, Value]] = [
            {"programme": p, "for": k} for p, k in zip(programmes, kinds, strict=True)
        ]
        self.kind, self.kilos = kinds[0], self.rng.randint(1, 9)
        self.cycle, self.inside = "idle", False
        self.late, self.looked = self.rng.randint(0, 2), 0
        starts = [call("start", programme=programme) for programme in programmes]
        ends = [call("release", load=self.batch), call("quarantine", load=self.batch)]
        opening, closing = call("door", state="open"), call("door", state="close")
        plan = [call("label", load=self.batch), call("panel")]
        plan += [call("fill")] if low else []
        plan += [] if self.opened else [opening]
        plan += [call("load", load=self.batch), closing, starts[0]]
        plan += [call("panel")] * (self.late + 1)
        self.lay_out([*plan, ends[0] if self.good else ends[1]], [*starts, *ends, opening])
        asked = self.rng.choice(self.wordings).format(load=self.batch, person=self.person)
        return asked, [Rows("programmes", "{programme}: {for}", self.arranged(rows))]

    def answer(self, wanted: Call) -> Result:
        """Show, work or end."""
        if wanted.values.get("load", self.batch) != self.batch:
            return [Fact("unknown load", {"error": "unknown load"})]
        if wanted.operator == "label":
            text = f"from: {self.person}\nholds: {self.kind}\nweight: {self.kilos} kg"
            return [Fact(text, {"from": self.person, "holds": self.kind, "kg": self.kilos})]
        if wanted.operator == "panel":
            return self._panel()
        if wanted.operator in self.finals:
            self.out_of_turn = self.cycle != "done"
            return [Fact("booked", {"booked": True})]
        why = self._hindrance(wanted)
        if why:
            return [Fact(why, {"error": why})]
        if wanted.operator == "fill":
            self.low = False
        elif wanted.operator == "door":
            self.opened = wanted["state"] == "open"
        elif wanted.operator == "load":
            self.inside = True
        else:
            self.cycle = "running"
        return [Fact("ok", {"ok": True})]

    def _hindrance(self, wanted: Call) -> str:
        """Say why something cannot be done now."""
        if self.cycle != "idle":
            return "the machine runs"
        if wanted.operator == "load" and not self.opened:
            return "the door is closed"
        if wanted.operator == "door" and wanted["state"] not in ("open", "close"):
            return "open or close?"
        if wanted.operator == "start" and (self.opened or self.low or not self.inside):
            return "not ready"
        return ""

    def _panel(self) -> Result:
        """Tell the state; a cycle that runs may be done now."""
        if self.cycle == "running":
            self.looked += 1
            self.cycle = "done" if self.looked > self.late else "running"
        data: dict[str, Value] = {
            "door": "open" if self.opened else "closed",
            "tank": "low" if self.low else "full",
            "cycle": self.cycle,
            "strip": ("black" if self.good else "pale") if self.cycle == "done" else "-",
        }
        return [Fact(" | ".join(f"{key} {value}" for key, value in data.items()), data)]
