"""Worlds in which something is done until it is right: checked again, repeated, tried again."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ..names import CITIES, PEOPLE
from ..world import Call, Fact, Operator, Result, Rows, World, call

__all__ = ["BadgePrinter", "DryerRepair", "FreezerCheck", "LensPolish"]


class FreezerCheck(World):
    """A freezer is too warm: read its thermometer, defrost it, read again, sign it off."""

    name = "freezer-check"
    difficulty = "the same look at the beginning and, after a fix, again at the end"
    operators = (
        Operator("read", "read the thermometer of {freezer}", about="Tells how cold it is."),
        Operator("defrost", "defrost {freezer}", about="Takes the ice off a freezer."),
        Operator("sign_off", "sign off {freezer}", about="Reports a freezer as in order."),
    )
    horizon = 12

    def begin(self) -> tuple[str, Result]:
        """Draw four freezers; one of them is warm until it is defrosted."""
        (person,) = self.draw(PEOPLE)
        freezers = [self.identifier("AA-###") for _ in range(4)]
        self.warm, self.freezers = freezers[0], self.arranged(freezers, freezers[0])
        self.celsius = {each: -self.rng.randint(18, 24) for each in freezers}
        self.at_first = -self.rng.randint(2, 9)
        self.checks = {"before": False, "after": False}
        self.icy = True
        rows = Rows("freezers", "freezer {freezer}", [{"freezer": each} for each in self.freezers])
        asked = f"{person} says that freezer {self.warm} is too warm. Put it right and sign it off."
        return asked, [Fact("Cold store.", {"place": "cold store"}), rows]

    def possible(self) -> list[Call]:
        """All three, with every freezer."""
        names = [operator.name for operator in self.operators]
        return [call(name, freezer=each) for name in names for each in self.freezers]

    def do(self, wanted: Call) -> Result:
        """Signing off ends the episode; it is right only after a second reading."""
        freezer = wanted["freezer"]
        mine = freezer == self.warm
        if wanted.operator == "read":
            if mine:
                self.checks["before" if self.icy else "after"] = True
            warm = mine and self.icy
            celsius = self.at_first if warm else self.celsius[freezer]
            state = "too warm" if warm else "cold enough"
            text = f"{freezer}: {celsius} C, {state}."
            return [Fact(text, {"freezer": freezer, "celsius": celsius, "state": state})]
        if wanted.operator == "defrost":
            if not mine or not self.checks["before"]:
                note = "no reading of it calls for that"
                return [Fact(f"{freezer}: {note}.", {"freezer": freezer, "note": note})]
            self.icy = False
            return [Fact(f"The ice is off {freezer}.", {"freezer": freezer, "ice": False})]
        self.end(won=mine and self.checks["after"])
        return [Fact(f"{freezer} is off the list.", {"freezer": freezer, "listed": False})]

    def expert(self) -> Iterator[Call]:
        """Read, defrost, read, sign off."""
        for name in ("read", "defrost", "read", "sign_off"):
            yield call(name, freezer=self.warm)


class LensPolish(World):
    """A lens is polished until it is clear; once more scratches it."""

    name = "lens-polish"
    difficulty = "an action is repeated until the answer says enough; once too often spoils it"
    operators = (
        Operator("polish", "polish the lens", about="One round of polishing."),
        Operator("mount", "set the lens into frame {frame}", about="Glues the lens into a frame."),
    )

    def begin(self) -> tuple[str, Result]:
        """Draw how many rounds the lens needs, and the frames on the bench."""
        (person,) = self.draw(PEOPLE)
        frames = [self.identifier("AA##") for _ in range(4)]
        self.frame, self.frames = frames[0], self.arranged(frames, frames[0])
        self.rounds = self.rng.randint(2, 7)
        rows = Rows("frames", "- frame {frame}", [{"frame": each} for each in self.frames])
        asked = f"{person} needs new glasses: polish the lens, then set it into frame {self.frame}."
        return asked, [Fact("On the bench lies a hazy lens.", {"lens": "hazy"}), rows]

    def possible(self) -> list[Call]:
        """Polishing, and every frame."""
        return [call("polish"), *(call("mount", frame=frame) for frame in self.frames)]

    def do(self, wanted: Call) -> Result:
        """Count the rounds; a frame ends the episode."""
        if wanted.operator == "mount":
            self.end(won=self.rounds == 0 and wanted["frame"] == self.frame)
            data = {"frame": wanted["frame"], "lens": "set"}
            return [Fact(f"The lens sits in {wanted['frame']}.", data)]
        self.rounds -= 1
        if self.rounds < 0:
            self.end(won=False)
            return [Fact("A scratch! The lens is ruined.", {"lens": "ruined"})]
        if self.rounds:
            return [Fact("You polish. The lens is still hazy.", {"lens": "still hazy"})]
        return [Fact("You polish. The lens is clear now.", {"lens": "clear now"})]

    def expert(self) -> Iterator[Call]:
        """Polish until it is clear."""
        while self.rounds:
            yield call("polish")
        yield call("mount", frame=self.frame)


class BadgePrinter(World):
    """A badge printer is busy now and then, and sometimes out of ribbon."""

    name = "badge-printer"
    difficulty = "an action is repeated after a passing fault; a lasting fault has another remedy"
    operators = (
        Operator("print", "print a badge for {person}", about="Sends a badge to the printer."),
        Operator("ribbon", "put in a new ribbon", about="Replaces the ribbon of the printer."),
        Operator("give", "give the badge to {person}", about="Hands the printed badge over."),
    )
    horizon = 24

    def begin(self) -> tuple[str, Result]:
        """Draw what the printer answers before it prints."""
        people = self.draw(PEOPLE, 4)
        self.person, self.people = people[0], self.arranged(people, people[0])
        self.faults = ["busy"] * self.rng.randint(0, 3)
        if self.rng.random() < 0.5:
            self.faults += ["empty", *["busy"] * self.rng.randint(0, 2)]
        self.badge: str | None = None
        rows = Rows("visitors", "{person} is here.", [{"person": each} for each in self.people])
        return f"Make a badge for {self.person} and hand it over.", [rows]

    def possible(self) -> list[Call]:
        """The ribbon, and every visitor."""
        prints = [call("print", person=each) for each in self.people]
        return [*prints, call("ribbon"), *(call("give", person=each) for each in self.people)]

    def do(self, wanted: Call) -> Result:
        """A fault passes, or waits for a ribbon; a ribbon or a badge too many ends the episode."""
        if wanted.operator == "ribbon":
            if self.faults[:1] != ["empty"]:
                self.end(won=False)
                return [Fact("The good ribbon tears.", {"printer": "broken"})]
            self.faults.pop(0)
            return [Fact("The new ribbon is in.", {"ribbon": "new"})]
        person = wanted["person"]
        if wanted.operator == "give":
            self.end(won=self.badge == person == self.person)
            return [Fact(f"{person} goes in.", {"inside": person})]
        if self.badge is not None:
            self.end(won=False)
            return [
                Fact(
                    "Printer: one badge too many, locked.",
                    {"printer": "one badge too many, locked"},
                )
            ]
        if self.faults[:1] == ["busy"]:
            self.faults.pop(0)
            return [Fact("Printer: busy at the moment.", {"printer": "busy at the moment"})]
        if self.faults:
            return [Fact("Printer: ribbon used up.", {"printer": "ribbon used up"})]
        self.badge = person
        return [Fact(f"Printer: done. Badge: {person}.", {"printer": "done", "badge": person})]

    def expert(self) -> Iterator[Call]:
        """Print until there is a badge; put in a ribbon where the printer asks for one."""
        while self.badge is None:
            empty = self.faults[:1] == ["empty"]
            yield call("print", person=self.person)
            if empty:
                yield call("ribbon")
        yield call("give", person=self.person)


_REMEDIES = {
    "fuse burnt": ("cut_power", "swap_fuse", "restore_power"),
    "cable loose": ("cut_power", "tighten_cable"),
    "belt torn": ("lift_lid", "change_belt", "oil_rollers"),
    "drum jammed": ("lift_lid", "free_drum"),
}
_STEPS = sorted({step for steps in _REMEDIES.values() for step in steps})
_LOOKS = ("check_lamp", "open_box", "open_flap")


class DryerRepair(World):
    """A dryer stands still for one of four causes; each has its own remedy."""

    name = "dryer-repair"
    difficulty = "look-ups tell one of four causes, each with its own short sequence of remedies"
    operators = (
        Operator("walk", "walk to dryer {dryer}"),
        *(Operator(each, each.replace("_", " ")) for each in (*_LOOKS, *_STEPS)),
        Operator("test_run", "test run", about="Ends the repair."),
    )

    def begin(self) -> tuple[str, Result]:
        """Draw the dryers of a laundry and the cause."""
        (person,), (city,) = self.draw(PEOPLE), self.draw(CITIES)
        dryers = [self.identifier("AA##A") for _ in range(4)]
        self.dryer, self.dryers = dryers[0], self.arranged(dryers, dryers[0])
        deal = Random(f"{self.name}/{self.task.part}/{self.task.seed // 4}")  # noqa: S311
        # Each four episodes in a row have all four causes.
        self.cause = deal.sample(list(_REMEDIES), 4)[self.task.seed % 4]
        self.there = False
        self.steps: tuple[str, ...] = ()
        rows = Rows("dryers", "dryer {dryer}", [{"dryer": each} for each in self.dryers])
        asked = f"{person} cannot get dryer {self.dryer} to turn. Repair it."
        return asked, [Fact(f"Laundry of {city}.", {"laundry": city}), rows]

    def possible(self) -> list[Call]:
        """Every dryer; and the tools, where one stands still."""
        walks = [call("walk", dryer=each) for each in self.dryers]
        tools = [call(each) for each in (*_LOOKS, *_STEPS, "test_run")]
        return [*walks, *tools] if self.there else walks

    def do(self, wanted: Call) -> Result:
        """A step that is not of the remedy, or not its turn, spoils the dryer."""
        step, electric = wanted.operator, self.cause in ("fuse burnt", "cable loose")
        if step == "walk":
            self.there = wanted["dryer"] == self.dryer
            state = "stands still" if self.there else "turns"
            data = {"dryer": wanted["dryer"], "state": state}
            return [Fact(f"Dryer {wanted['dryer']} {state}.", data)]
        if step == "check_lamp":
            lamp = "red" if electric else "green"
            return [Fact(f"A {lamp} lamp is on.", {"lamp": lamp})]
        if step in _LOOKS:
            part, mine = ("box", electric) if step == "open_box" else ("flap", not electric)
            inside = self.cause if mine else "nothing wrong"
            return [Fact(f"Behind the {part}: {inside}.", {"behind": part, "inside": inside})]
        remedy = _REMEDIES[self.cause]
        if step == "test_run":
            self.end(won=self.steps == remedy)
            return [Fact("The dryer starts." if self.won else "A bang.", {"turns": self.won})]
        self.steps = (*self.steps, step)
        if self.steps != remedy[: len(self.steps)]:
            self.end(won=False)
            return [Fact("Something breaks.", {"broken": True})]
        return [Fact(f"Done: {step.replace('_', ' ')}.", {"done": step.replace("_", " ")})]

    def expert(self) -> Iterator[Call]:
        """Look at the lamp, then behind the part that it points to."""
        yield call("walk", dryer=self.dryer)
        yield call("check_lamp")
        yield call("open_box" if self.cause in ("fuse burnt", "cable loose") else "open_flap")
        for step in _REMEDIES[self.cause]:
            yield call(step)
        yield call("test_run")
