"""Forms with one action for every field: an intake at a surgery, a device that asks its owner."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import CITIES, PEOPLE, PRODUCTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, World, call
from ..shared import MONTHS


class PatientIntake(World):
    """A patient is registered; each field wants its value written in its own way."""

    name = "patient-intake"
    difficulty = "one action fills every field; capitals, a date and digits are written anew"
    operators = (
        Operator("form", "open a new record", about="Show the fields."),
        Operator("fill", "fill {field} with {value}", about="Fill a field."),
        Operator("keep", "keep the record", about="Final."),
    )
    horizon = 9

    fields = ("first name", "surname", "born", "phone")
    wordings = (
        "Register {first} {last}, born on {born}. Phone {phone}",
        "{first} {last} is new here: please register. Born {born}, phone {phone}",
        "New patient {first} {last} (born {born}, phone {phone}): make a record.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a patient."""
        (first,), (last,) = self.draw(PEOPLE), self.draw(SURNAMES)
        year, month, day = (self.rng.randint(*r) for r in ((1940, 2015), (1, 12), (1, 28)))
        born, phone = f"{day} {MONTHS[month - 1]} {year}", self.identifier("0### ######")
        self.right = {
            "first name": first,
            "surname": last.upper(),
            "born": f"{year}-{month:02}-{day:02}",
            "phone": phone.replace(" ", ""),
        }
        self.said = {"first name": first, "surname": last, "born": born, "phone": phone}
        self.filled: dict[str, str] = {}
        self.open = False
        names = {"first": first, "last": last, "born": born, "phone": phone}
        return self.rng.choice(self.wordings).format(**names), [Fact("Ready.", {"ready": True})]

    def possible(self) -> list[Call]:
        """All values into all fields."""
        calls = [call("form")]
        values = [*dict.fromkeys([*self.right.values(), *self.said.values()])]
        if self.open:
            calls += [call("fill", field=f, value=v) for f in self.fields for v in values]
        return [*calls, call("keep")]

    def accepts(self, wanted: Call) -> bool:
        """Anything goes into a field of a record that is open."""
        if wanted.operator == "fill":
            return self.open and wanted["field"] in self.fields
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Show, fill, or end."""
        if wanted.operator == "form":
            self.open = True
            text = "first name: ____\nsurname (CAPITALS): ____\nborn (YYYY-MM-DD): ____"
            return [Fact(f"{text}\nphone (digits only): ____", {"fields": 4})]
        if wanted.operator == "fill":
            self.filled[wanted["field"]] = wanted["value"]
            return [Fact(f"{wanted['field']} is filled.", {"filled": wanted["field"]})]
        self.end(won=self.filled == self.right)
        return [Fact("Kept.", {"kept": True})]

    def expert(self) -> Iterator[Call]:
        """Fill all fields from top to bottom."""
        yield call("form")
        for field in self.fields:
            yield call("fill", field=field, value=self.right[field])
        yield call("keep")


class DeviceSetup(World):
    """A device asks its owner some questions, in any order, and takes the answers as they are."""

    name = "device-setup"
    difficulty = "one action answers every question; the question says how a value is written"
    operators = (
        Operator("start", "switch the device on", about="The first question is asked."),
        Operator("enter", "enter {value}", about="Answer the question."),
        Operator("finish", "finish the setup", about="Final."),
    )
    horizon = 9

    questions = (
        ("host", "Host name (small letters, no blanks)?"),
        ("owner", "Owner?"),
        ("place", "Place, in capitals?"),
        ("account", "Account (the address without what follows the @)?"),
    )
    wordings = (
        "Set up the {device} of {owner} in {town}, {mail}.",
        "{owner} ({mail}) has a new {device} in {town}. Set it up.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a device and its owner."""
        (owner,), (town,), (last,) = self.draw(PEOPLE), self.draw(CITIES), self.draw(SURNAMES)
        (device,) = self.draw(PRODUCTS)
        account = f"{owner[0]}{last}{self.rng.randint(1, 99)}".lower()
        self.right = {"host": device.lower().replace(" ", "-"), "owner": owner}
        self.right |= {"place": town.upper(), "account": account}
        names = {"device": device, "owner": owner, "town": town, "mail": f"{account}@mail.example"}
        self.said = list(names.values())
        self.order = self.rng.sample(self.questions, 4)
        self.at = -1
        self.wrong = False
        asked = self.rng.choice(self.wordings).format(**names)
        return asked, [Fact("The device is off.", {"on": False})]

    def possible(self) -> list[Call]:
        """Some answers."""
        values = [*dict.fromkeys([*self.right.values(), *self.said])]
        answers = [call("enter", value=each) for each in values] if 0 <= self.at < 4 else []
        return [call("start"), *answers, *([call("finish")] if self.at >= 4 else [])]

    def accepts(self, wanted: Call) -> bool:
        """Any text is an answer to a question."""
        if wanted.operator == "enter":
            return 0 <= self.at < 4
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Ask, take an answer, or end."""
        if wanted.operator == "finish":
            self.end(won=not self.wrong)
            return [Fact("The device restarts.", {"restarts": True})]
        if wanted.operator == "start":
            self.at = max(self.at, 0)
        else:
            self.wrong = self.wrong or wanted["value"] != self.right[self.order[self.at][0]]
            self.at += 1
        if self.at >= 4:
            return [Fact("That is all.", {"question": None})]
        return [Fact(self.order[self.at][1], {"question": self.order[self.at][0]})]

    def expert(self) -> Iterator[Call]:
        """Answer each question as it is asked."""
        yield call("start")
        for key, _ in self.order:
            yield call("enter", value=self.right[key])
        yield call("finish")
