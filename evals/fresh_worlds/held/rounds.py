"""Rounds of several steps: trying, undoing, remembering, counting tries."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import CITIES, COLOURS, PARTS, PEOPLE, PRODUCTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, World, call


class TryUndo(World):
    """Profiles are tried in their order; one that fails its test is undone first."""

    name = "try-undo"
    difficulty = "after a failed test the change is undone, and the next one of a list is tried"
    operators = (
        Operator("load", "load profile {profile}"),
        Operator("test", "run the self-test"),
        Operator("undo", "undo the last change"),
        Operator("keep", "keep the profile", about="Final."),
    )
    horizon = 16

    def begin(self) -> tuple[str, Result]:
        """Draw profiles; one of them passes."""
        (self.part,) = self.draw(PARTS)
        self.profiles = self.draw(COLOURS, 4)
        self.right = self.rng.choice(self.profiles)
        self.active, self.tests = "", 0
        names = ", ".join(self.profiles)
        asked = f"Give the {self.part} a profile that passes the self-test."
        start = Fact(f"No profile is loaded. There are: {names}", {"profiles": names})
        return asked, [start]

    def possible(self) -> list[Call]:
        """Loading where nothing is loaded; else testing, undoing, keeping."""
        if not self.active:
            return [call("load", profile=each) for each in self.profiles]
        return [call("test"), call("undo"), call("keep")]

    def do(self, wanted: Call) -> Result:
        """Change, test, or end."""
        if wanted.operator == "keep":
            self.end(won=self.active == self.right and self.tests > 0)
            return [Fact("Written to flash.", {"kept": True})]
        if wanted.operator == "test":
            self.tests += 1
            passed = self.active == self.right
            text = "Self-test: all green." if passed else "Self-test: vibration too high!"
            return [Fact(text, {"self_test": "green" if passed else "vibration"})]
        self.active, self.tests = wanted.values.get("profile", ""), 0
        text = f"{self.active} is in effect." if self.active else "Back to the bare machine."
        return [Fact(text, {"active": self.active or "none"})]

    def expert(self) -> Iterator[Call]:
        """Try one profile after the other."""
        for each in self.profiles:
            yield call("load", profile=each)
            yield call("test")
            if each == self.right:
                yield call("keep")
                return
            yield call("undo")


class Cloakroom(World):
    """A token that the first step tells is needed in the last one, after others like it."""

    name = "cloakroom"
    difficulty = "the number told first is needed last, after one to three other numbers"
    operators = (
        Operator("leave", "leave the {thing} at the cloakroom"),
        Operator("buy", "buy a ticket to {town}"),
        Operator("collect", "show {token} at the cloakroom", ("token",), "Final."),
    )
    horizon = 8

    def begin(self) -> tuple[str, Result]:
        """Draw the thing and the tickets."""
        (self.thing,), (self.person,) = self.draw(PRODUCTS), self.draw(PEOPLE)
        self.towns = self.draw(CITIES, self.rng.randint(1, 3))
        self.numbers = self.rng.sample(range(100, 999), 8)
        self.told: list[int] = []
        self.steps: list[str] = []
        towns = " and then ".join(self.towns)
        asked = f"Leave the {self.thing} of {self.person}, buy tickets to {towns}, and collect it."
        return asked, [Fact("Station hall.", {"place": "station hall"})]

    def possible(self) -> list[Call]:
        """Leaving the thing; tickets that are wanted; all numbers that were told."""
        leaves = [] if "cloakroom" in self.steps else [call("leave", thing=self.thing)]
        buys = [call("buy", town=each) for each in self.towns if each not in self.steps]
        return [*leaves, *buys, *(call("collect", token=each) for each in self.told)]

    def accepts(self, wanted: Call) -> bool:
        """Any number can be shown."""
        return wanted.operator == "collect" or wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Tell a number, or end."""
        if wanted.operator == "collect":
            right = wanted["token"] == str(self.numbers[0]) and "cloakroom" in self.steps
            self.end(won=right and len(self.steps) == 1 + len(self.towns))
            return [Fact("The attendant nods.", {"attendant": "nods"})]
        if wanted.operator == "leave":
            self.steps.append("cloakroom")
            self.told.append(self.numbers[0])
            return [Fact(f"They hand you number {self.numbers[0]}.", {"number": self.numbers[0]})]
        self.steps.append(wanted["town"])
        number = self.numbers[len(self.told) + 1]
        self.told.append(number)
        text = f"To {wanted['town']}: here you are, number {number}."
        return [Fact(text, {"town": wanted["town"], "number": number})]

    def expert(self) -> Iterator[Call]:
        """Leave, buy in the order of mention, collect."""
        yield call("leave", thing=self.thing)
        for each in self.towns:
            yield call("buy", town=each)
        yield call("collect", token=self.numbers[0])


class OnDuty(World):
    """At most three restarts, all failing alike; then whoever is on duty is called."""

    name = "on-duty"
    difficulty = "a restart is tried three times at most; failures are alike, so they are counted"
    operators = (
        Operator("restart", "restart the {part}"),
        Operator("check", "check the {part}"),
        Operator("close", "close the case", about="Final."),
        Operator("phone", "phone {surname}", about="Final."),
    )
    horizon = 10

    def begin(self) -> tuple[str, Result]:
        """Draw after how many restarts it runs, if ever."""
        (self.part,), names = self.draw(PARTS), self.draw(SURNAMES, 3)
        self.duty, self.names = names[0], self.arranged(names, names[0])
        self.needed = self.rng.choice((1, 2, 3, 9, 9))
        self.restarts, self.checks = 0, 0
        rule = "Runbook: three restarts at most, a check after each; then phone the one on duty."
        off = [each for each in self.names if each != self.duty]
        text = f"{rule}\nOn duty is {self.duty}; {' and '.join(off)} are off."
        data = {"runbook": rule, "on_duty": self.duty, "off": ", ".join(off)}
        return f"The {self.part} does not answer.", [Fact(text, data)]

    def possible(self) -> list[Call]:
        """Everything all the time."""
        work = [call("restart", part=self.part), call("check", part=self.part), call("close")]
        return [*work, *(call("phone", surname=each) for each in self.names)]

    def do(self, wanted: Call) -> Result:
        """Restart, check, or end."""
        if wanted.operator == "restart":
            self.restarts += 1
            return [Fact(f"The {self.part} starts up.", {"started": True})]
        if wanted.operator == "check":
            running = self.restarts >= self.needed
            text = "It answers." if running else "Still no answer."
            return [Fact(text, {"answers": running})]
        if wanted.operator == "close":
            self.end(won=self.restarts == self.needed)
            return [Fact("Case closed.", {"case": "closed"})]
        right = wanted["surname"] == self.duty and self.needed > 3 and self.restarts == 3
        self.end(won=right)
        return [Fact(f"{wanted['surname']} comes.", {"case": "handed on"})]

    def expert(self) -> Iterator[Call]:
        """Restart and check up to three times."""
        for _ in range(3):
            yield call("restart", part=self.part)
            yield call("check", part=self.part)
            if self.restarts >= self.needed:
                yield call("close")
                return
        yield call("phone", surname=self.duty)
