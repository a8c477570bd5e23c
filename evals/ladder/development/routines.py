"""Worlds in which the same is always done, or done in a fixed order."""

from __future__ import annotations

from collections.abc import Iterator

from ..names import PEOPLE
from ..world import Call, Fact, Operator, Result, World, call

__all__ = ["BloodTubes", "TillAtNight"]


class TillAtNight(World):
    """A till is closed in the evening: the same six actions every time."""

    name = "till-at-night"
    difficulty = "the same actions always: a constant script"
    operators = (
        Operator("pull", "pull the drawer out", about="Pull the drawer out of the till."),
        Operator("count", "count {money}", about="Count money of the drawer."),
        Operator("print", "print the {paper}", about="Print a paper."),
        Operator("lock", "lock {thing}", about="Lock something."),
        Operator("leave", "leave the shop", about="Leave; this is the end of the day."),
    )
    horizon = 18

    requests = (
        "Close the till for tonight.",
        "Please close the till for tonight.",
        "Close the till for tonight, please.",
        "Could you close the till for tonight?",
    )
    script = (
        call("pull"),
        call("count", money="coins"),
        call("count", money="notes"),
        call("print", paper="day sheet"),
        call("lock", thing="safe"),
        call("leave"),
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a way to ask; nothing else varies."""
        self.progress = 0
        start = Fact("The shop is empty. The till is on.", {"shop": "empty", "till": "on"})
        return self.rng.choice(self.requests), [start]

    def possible(self) -> list[Call]:
        """Everything, all the time."""
        other = [call("print", paper="receipt"), call("lock", thing="till")]
        return [*self.script, *other, call("count", money="vouchers")]

    def do(self, wanted: Call) -> Result:
        """Do it; only the script leads on, and leaving ends the day."""
        if wanted == self.script[self.progress]:
            self.progress += 1
        if wanted.operator == "leave":
            self.end(won=self.progress == len(self.script))
            return [Fact("The door falls shut.", {"door": "shut"})]
        if wanted.operator == "pull":
            return [Fact("Coins, notes and vouchers lie in it.", {"drawer": "out"})]
        if wanted.operator == "count":
            return [Fact(f"The {wanted['money']} are all there.", {wanted["money"]: "all there"})]
        if wanted.operator == "print":
            return [Fact(f"A {wanted['paper']} comes out.", {"paper": wanted["paper"]})]
        return [Fact(f"The {wanted['thing']} is now locked.", {wanted["thing"]: "locked"})]

    def expert(self) -> Iterator[Call]:
        """Follow the script."""
        yield from self.script


class BloodTubes(World):
    """Blood is drawn into tubes; their colours have an order that the task does not tell."""

    name = "blood-tubes"
    difficulty = "parts are done in an order that is a rule, whatever the order of mention"
    operators = (
        Operator("call", "call {patient} in", about="Call somebody from the waiting room."),
        Operator("fill", "fill a {colour} tube", about="Fill a tube with blood."),
        Operator("send", "send the rack to the lab", about="Send all tubes; the final step."),
    )
    horizon = 16

    order = ("yellow", "blue", "red", "green", "grey")

    def begin(self) -> tuple[str, Result]:
        """Draw a patient and three or four of the colours."""
        people = self.draw(PEOPLE, 3)
        self.patient = people[0]
        self.colours = self.rng.sample(self.order, self.rng.choice((3, 4)))
        self.people = self.arranged(people, self.patient)
        self.chair, self.rack = "", list[str]()
        names = ", ".join(self.people)
        start = Fact(f"Blood lab. In the waiting room: {names}.", {"waiting room": names})
        tubes = ", ".join(self.colours[:-1]) + " and " + self.colours[-1]
        return f"For {self.patient} the doctor wants these tubes: {tubes}.", [start]

    def possible(self) -> list[Call]:
        """Call somebody in; then fill tubes of any colour."""
        calls = [call("call", patient=person) for person in self.people if person != self.chair]
        if self.chair:
            tubes = [colour for colour in sorted(self.order) if colour not in self.rack]
            calls += [call("fill", colour=colour) for colour in tubes]
            calls.append(call("send"))
        return calls

    def do(self, wanted: Call) -> Result:
        """Fill tubes; one out of turn or from somebody else spoils them all."""
        if wanted.operator == "call":
            self.chair, self.rack = wanted["patient"], []
            return [Fact(f"{self.chair} sits down.", {"chair": self.chair})]
        if wanted.operator == "fill":
            self.rack.append(wanted["colour"])
            if self.chair != self.patient or self.rack != self._turns()[: len(self.rack)]:
                self.end(won=False)
            rack = ", ".join(self.rack)
            return [Fact(f"In the rack: {rack}.", {"rack": rack})]
        self.end(won=self.rack == self._turns())
        return [Fact("The rack is on its way.", {"rack": "on its way"})]

    def expert(self) -> Iterator[Call]:
        """Fill the tubes in the order of the rule."""
        yield call("call", patient=self.patient)
        for colour in self._turns():
            yield call("fill", colour=colour)
        yield call("send")

    def _turns(self) -> list[str]:
        return sorted(self.colours, key=self.order.index)
