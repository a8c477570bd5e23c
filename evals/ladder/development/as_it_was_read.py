"""Worlds in which what was read decides what is typed, confirmed or closed."""

from __future__ import annotations

from collections.abc import Iterator

from ..names import CITIES, PEOPLE, SURNAMES
from ..world import Call, Fact, Operator, Result, Rows, World, call

__all__ = ["LeakPlan", "ParcelCode", "ParcelScale", "SlotRelease"]


class ParcelCode(World):
    """A parcel locker opens with the code that a book tells."""

    name = "parcel-code"
    difficulty = "an observation tells a code that is listed nowhere and is typed as it stands"
    operators = (
        Operator("look_up", "look up {person} in the book", about="Tells what is noted there."),
        Operator("key_in", "key in {code}", about="Types a code at the locker. There is one try."),
    )
    horizon = 6

    def begin(self) -> tuple[str, Result]:
        """Draw people, and for each the number of a parcel and a code."""
        people = self.draw(PEOPLE, 5)
        self.person, self.people = people[0], self.arranged(people, people[0])
        forms = ("aA#-##a", "##-Aaa", "A#a#A", "aaa-###", "####.aA")
        self.notes = {
            each: tuple(self.identifier(self.rng.choice(forms)) for _ in range(2))
            for each in people
        }
        self.codes: list[str] = []
        rows = Rows("book", "* {person}", [{"person": each} for each in self.people])
        asked = f"Open the locker to get the parcel of {self.person} out."
        return asked, [Fact("The book has these names:", {"place": "parcel room"}), rows]

    def possible(self) -> list[Call]:
        """Every name of the book, and all codes and numbers that were read."""
        looks = [call("look_up", person=each) for each in self.people]
        return [*looks, *(call("key_in", code=each) for each in self.codes)]

    def accepts(self, wanted: Call) -> bool:
        """Anything may be keyed in."""
        return wanted.operator == "key_in" or wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Tell the note of a person, or try a code."""
        if wanted.operator == "key_in":
            self.end(won=wanted["code"] == self.notes[self.person][1])
            return [Fact("Click." if self.won else "Alarm!", {"open": self.won})]
        person = wanted["person"]
        parcel, code = self.notes[person]
        self.codes += [each for each in (parcel, code) if each not in self.codes]
        text = f"{person}: parcel {parcel}, locker code {code}, not yet collected"
        return [Fact(text, {"person": person, "parcel": parcel, "code": code, "collected": False})]

    def expert(self) -> Iterator[Call]:
        """Read the note, key in its code."""
        yield call("look_up", person=self.person)
        yield call("key_in", code=self.notes[self.person][1])


class ParcelScale(World):
    """Parcels are put on one scale, and what they weigh together is written down."""

    name = "parcel-scale"
    difficulty = "the total that the last result tells is confirmed, after other running totals"
    operators = (
        Operator("put", "put {parcel} on the scale", about="The scale shows all that is on it."),
        Operator("write", "write {grams} grams on the slip", ("grams",), "Ends the weighing."),
    )
    horizon = 12

    def begin(self) -> tuple[str, Result]:
        """Draw parcels; two to four of them are to be weighed."""
        (person,) = self.draw(PEOPLE)
        self.weights = {self.identifier("AA-##"): self.rng.randint(120, 980) for _ in range(7)}
        self.wanted = list(self.weights)[: self.rng.randint(2, 4)]
        self.parcels = self.arranged(self.weights, *self.wanted)
        self.scale: list[str] = []
        self.totals: list[int] = []
        *others, last = self.wanted
        asked = f"Weigh {', '.join(others)} and {last} together for {person} and fill in the slip."
        rows = Rows("table", "parcel {parcel}", [{"parcel": each} for each in self.parcels])
        return asked, [Fact("The scale shows 0 g.", {"grams": 0}), rows]

    def possible(self) -> list[Call]:
        """What is not on the scale yet, and every total that was shown."""
        puts = [call("put", parcel=each) for each in self.parcels if each not in self.scale]
        return [*puts, *(call("write", grams=each) for each in self.totals)]

    def accepts(self, wanted: Call) -> bool:
        """Anything may be written."""
        return wanted.operator == "write" or wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Show the total, or close the slip."""
        if wanted.operator == "write":
            right = sorted(self.scale) == sorted(self.wanted)
            self.end(won=right and wanted["grams"] == str(self.totals[-1]))
            return [Fact("The slip is in the box.", {"slip": "in the box"})]
        self.scale.append(wanted["parcel"])
        self.totals.append(sum(self.weights[each] for each in self.scale))
        return [Fact(f"The scale shows {self.totals[-1]} g.", {"grams": self.totals[-1]})]

    def expert(self) -> Iterator[Call]:
        """Put the parcels on the scale, write what it shows last."""
        for each in self.wanted:
            yield call("put", parcel=each)
        yield call("write", grams=self.totals[-1])


class SlotRelease(World):
    """A clinic's list shows surnames only; who it is stands in the question that comes back."""

    name = "slot-release"
    difficulty = "a final action asks back and names what it would act on, sometimes the wrong one"
    operators = (
        Operator("choose", "choose slot {slot}", ("slot",), "Begins to free a slot."),
        Operator("answer", "answer {reply}", about="Answers the question: yes or no."),
    )

    def begin(self) -> tuple[str, Result]:
        """Draw four people of one surname among others."""
        surname, *others = self.draw(SURNAMES, 7)
        first, *people = self.draw(PEOPLE, 10)
        self.person = f"{first} {surname}"
        surnames = [*[surname] * 3, *others]
        names = [f"{a} {b}" for a, b in zip(people, surnames, strict=True)]
        slots = self.rng.sample(range(10, 99), 10)
        self.slots = dict(zip(slots, [self.person, *names], strict=True))
        self.order = self.arranged(slots, *slots[:4])
        self.slot: int | None = None
        return f"{self.person} cannot come to the clinic. Free the slot.", self._list()

    def possible(self) -> list[Call]:
        """The slots, or the answers."""
        if self.slot is None:
            return [call("choose", slot=slot) for slot in self.order]
        return [call("answer", reply=reply) for reply in ("yes", "no")]

    def do(self, wanted: Call) -> Result:
        """Ask back; yes ends the episode."""
        if wanted.operator == "choose":
            self.slot = int(wanted["slot"])
            person = self.slots[self.slot]
            question = Fact(f"Really free it for {person}?", {"really_free_it_for": person})
            return [question, Fact("Replies: yes, no.", {"replies": "yes, no"})]
        if wanted["reply"] == "no":
            self.slot = None
            return self._list()
        self.end(won=self.slot is not None and self.slots[self.slot] == self.person)
        return [Fact("The slot is free.", {"free": True})]

    def expert(self) -> Iterator[Call]:
        """Try the slots of the surname from above."""
        surname = self.person.split()[1]
        for slot in self.order:
            if self.slots[slot].endswith(f" {surname}"):
                yield call("choose", slot=slot)
                yield call("answer", reply="yes" if self.slots[slot] == self.person else "no")
            if self.over:
                return

    def _list(self) -> Result:
        rows: list[dict[str, str | int]] = [
            {"slot": slot, "surname": self.slots[slot].split()[1]} for slot in self.order
        ]
        return [Rows("slots", "slot {slot}: {surname}", rows)]


class LeakPlan(World):
    """A leak is cut off by one of many valves; plans tell which."""

    name = "leak-plan"
    difficulty = "similar final actions are open all the time; look-ups have to come first"
    operators = (
        Operator("plan", "unroll the plan of hall {hall}", about="Tells the line of a hall."),
        Operator("trace", "trace line {line}", about="Tells the valve of a line."),
        Operator("close", "close valve {valve}", ("valve",), "Cannot be undone."),
        Operator("vent", "vent valve {valve}", ("valve",), "Cannot be undone."),
    )
    horizon = 8

    def begin(self) -> tuple[str, Result]:
        """Draw halls, a line for each hall and a valve for each line."""
        halls = self.draw(CITIES, 4)
        self.hall = halls[0]
        self.lines = {hall: self.identifier("AA##-#") for hall in halls}
        valves = self.rng.sample(range(2, 60), 4)
        self.valves = dict(zip(self.lines.values(), valves, strict=True))
        self.valve = valves[0]
        self.halls, self.row = self.arranged(halls, self.hall), self.arranged(valves, self.valve)
        self.plans: list[str] = []
        self.traces: list[str] = []
        rows = Rows("halls", "hall {hall}", [{"hall": hall} for hall in self.halls])
        wheels = Rows("valves", "valve {valve}", [{"valve": valve} for valve in self.row])
        return f"Water is coming from the ceiling of hall {self.hall}. Stop it.", [rows, wheels]

    def possible(self) -> list[Call]:
        """Every plan, every line of a plan that was unrolled, every valve."""
        plans = [call("plan", hall=hall) for hall in self.halls]
        traces = [call("trace", line=self.lines[hall]) for hall in self.plans]
        valves = [call(verb, valve=each) for verb in ("close", "vent") for each in self.row]
        return [*plans, *traces, *valves]

    def do(self, wanted: Call) -> Result:
        """A valve ends the episode, rightly only after its line was traced."""
        if wanted.operator == "plan":
            hall = wanted["hall"]
            self.plans += [hall] if hall not in self.plans else []
            line = self.lines[hall]
            return [Fact(f"Hall {hall} gets water by line {line}.", {"hall": hall, "line": line})]
        if wanted.operator == "trace":
            line = wanted["line"]
            self.traces.append(line)
            valve = self.valves[line]
            return [Fact(f"Line {line} begins at valve {valve}.", {"line": line, "valve": valve})]
        right = wanted == call("close", valve=self.valve)
        self.end(won=right and self.lines[self.hall] in self.traces)
        return [Fact("The wheel turns.", {"wheel": "turns"})]

    def expert(self) -> Iterator[Call]:
        """From the hall to the line, from the line to the valve."""
        yield call("plan", hall=self.hall)
        yield call("trace", line=self.lines[self.hall])
        yield call("close", valve=self.valve)
