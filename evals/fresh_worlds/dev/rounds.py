"""Rounds of people who also look at what is no matter of theirs: a porter, a gardener."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import COLOURS, PARTS, PEOPLE
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call
from ..shared import enumerated


class KeyRound(World):
    """The porter locks the rooms that are named, those that are still open."""

    name = "key-round"
    difficulty = "some demonstrations look at rooms that nobody named; nothing comes of it"
    operators = (
        Operator("board", "look at the board", about="Which guest has which room."),
        Operator("look", "look into room {room}", ("room",), "Show a room."),
        Operator("lock", "lock room {room}", ("room",), "Cannot be undone."),
        Operator("report", "report back to {person}", about="Final."),
    )
    horizon = 14

    wordings = (
        "Lock up rooms {rooms} for {person}.",
        "{person} wants rooms {rooms} locked tonight.",
        "Rooms {rooms}: see that they are locked, then tell {person}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw rooms, and what the porter looks at besides."""
        self.rooms = [str(each) for each in self.rng.sample(range(100, 999), 7)]
        self.person, *guests = self.draw(PEOPLE, 8)
        self.guests = dict(zip(self.rooms, guests, strict=True))
        count = self.rng.randint(2, 4)
        self.named = self.rooms[:count]
        self.state = {each: self.rng.choice(("open", "open", "locked")) for each in self.rooms}
        self.due = {each for each in self.named if self.state[each] == "open"}
        self.round = list(self.named)
        if self.rng.random() < 0.3:
            self.round.insert(self.rng.randint(0, count), self.rooms[-1])
        self.glances = self.rng.random() < 0.25
        rooms = enumerated(self.named)
        asked = self.rng.choice(self.wordings).format(rooms=rooms, person=self.person)
        return asked, [Fact("The lobby is quiet.", {"quiet": True})]

    def possible(self) -> list[Call]:
        """Every room."""
        calls = [call(n, room=each) for n in ("look", "lock") for each in self.rooms]
        return [call("board"), *calls, call("report", person=self.person)]

    def do(self, wanted: Call) -> Result:
        """Look, lock, or end."""
        if wanted.operator == "board":
            rows: list[dict[str, Value]] = [
                {"room": int(room), "guest": guest} for room, guest in self.guests.items()
            ]
            return [Rows("board", "{room}: {guest}", rows)]
        if wanted.operator == "report":
            self.end(won=not self.due)
            return [Fact("Good night.", {"over": True})]
        room = wanted["room"]
        if wanted.operator == "look":
            state = self.state[room]
            text = f"Room {room} ({self.guests[room]}). The door is {state}."
            return [Fact(text, {"room": int(room), "guest": self.guests[room], "door": state})]
        if room not in self.due:
            self.end(won=False)
        self.due.discard(room)
        self.state[room] = "locked"
        return [Fact(f"Click. {room} is shut.", {"shut": int(room)})]

    def expert(self) -> Iterator[Call]:
        """Look into each room and lock it; glance at others."""
        if self.glances:
            yield call("board")
        for room in self.round:
            yield call("look", room=room)
            if room in self.due:
                yield call("lock", room=room)
        yield call("report", person=self.person)


class PlantWatering(World):
    """Of the plants in a bed those that are drier than the card says are watered."""

    name = "plant-watering"
    difficulty = "some demonstrations feel the soil of plants of another bed; a limit decides"
    operators = (
        Operator("bed", "walk to the {bed} bed", about="List its plants."),
        Operator("feel", "feel the soil of {plant}", about="Tell how moist it is."),
        Operator("water", "water {plant}", about="Cannot be undone."),
        Operator("leave", "put the can away", about="Final."),
    )
    horizon = 14

    wordings = (
        "Look after the {bed} bed: water what is below {limit} %.",
        "Water the plants of the {bed} bed that have less than {limit} %.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw beds, plants and how moist they are."""
        self.bed, other = self.draw(COLOURS, 2)
        names = [f"{self.identifier('A')}-{each.replace(' ', '')}" for each in self.draw(PARTS, 6)]
        count = self.rng.randint(2, 4)
        self.plants = self.arranged(names[:count])
        self.others = names[count:]
        self.beds = {self.bed: self.plants, other: self.others}
        self.limit = 5 * self.rng.randint(4, 14)
        self.moist: dict[str, int] = {}
        for name in names:
            low, high = (5, self.limit - 1) if self.rng.random() < 0.5 else (self.limit + 1, 95)
            self.moist[name] = self.rng.randint(low, high)
        self.due = {each for each in self.plants if self.moist[each] < self.limit}
        self.strays = self.rng.random() < 0.3
        wording = self.rng.choice(self.wordings)
        asked = wording.format(bed=self.bed, limit=self.limit)
        near = ", ".join(self.others[:2])
        text = f"Beds: {' / '.join(self.arranged(list(self.beds)))}\nBeside you: {near}"
        return asked, [Fact(text, {"near": near})]

    def possible(self) -> list[Call]:
        """Every bed and plant."""
        calls = [call("bed", bed=each) for each in self.beds]
        plants = [*self.plants, *self.others]
        calls += [call(n, plant=each) for n in ("feel", "water") for each in plants]
        return [*calls, call("leave")]

    def do(self, wanted: Call) -> Result:
        """Show, feel, water, or end."""
        if wanted.operator == "bed":
            rows: list[dict[str, Value]] = [{"plant": each} for each in self.beds[wanted["bed"]]]
            return [Rows("plants", "* {plant}", rows)]
        if wanted.operator == "leave":
            self.end(won=not self.due)
            return [Fact("Done for today.", {"over": True})]
        plant = wanted["plant"]
        if wanted.operator == "feel":
            text = f"{plant}: {self.moist[plant]} % moist"
            return [Fact(text, {"plant": plant, "moist": self.moist[plant]})]
        if plant not in self.due:
            self.end(won=False)
        self.due.discard(plant)
        return [Fact(f"{plant} has had its water.", {"watered": plant})]

    def expert(self) -> Iterator[Call]:
        """Feel each plant, water the dry ones; some stop at another plant first."""
        yield call("bed", bed=self.bed)
        if self.strays:
            yield call("feel", plant=self.others[0])
        for plant in self.plants:
            yield call("feel", plant=plant)
            if plant in self.due:
                yield call("water", plant=plant)
        yield call("leave")
