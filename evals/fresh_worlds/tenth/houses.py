"""Houses: a greenhouse, a gallery, a bank, an archive."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, ClassVar

from ...ladder.names import COLOURS, PARTS, PRODUCTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of, worded
from ..desk import Desk
from ..shared import distinct, enumerated

CROPS = (
    *("tomato", "basil", "cucumber", "pepper", "orchid", "lettuce", "melon", "chilli"),
    *("fern", "aubergine", "begonia", "strawberry", "cress", "lemon", "mint", "vanilla"),
)


class GreenhouseClimate(Desk):
    """What a house reads is held against its crop's limits; two of them decide together."""

    name = "greenhouse-climate"
    difficulty = "two numbers, each above a limit of another record or not, decide between four"
    operators = (
        Operator("read", "house {house}: read", about="What its instruments say."),
        Operator("card", "card {crop}", about="What a crop bears."),
        Operator("vents", "house {house}: vents", about="Opens the roof."),
        Operator("mist", "house {house}: mist", about="Sprays water."),
        Operator("fans", "house {house}: fans", about="Moves the air."),
        Operator(
            "log",
            "house {house}: log {celsius}/{humidity}",
            ("celsius", "humidity"),
            "Final.",
        ),
    )
    changing = irrevocable = ("vents", "mist", "fans")
    finals, free = ("log",), ("read", "card", "log")
    horizon = 8

    wordings = (
        "See to house {house}.",
        "House {house} is due for its round.",
        "Read house {house}, do what its crop needs and log what you read.",
    )
    courses: ClassVar[dict[tuple[bool, bool], str | None]] = {
        (True, True): "vents",
        (True, False): "mist",
        (False, True): "fans",
        (False, False): None,
    }

    def begin(self) -> tuple[str, Result]:
        """Draw a house, a crop and what is read."""
        (self.crop,) = self.draw(CROPS)
        self.house = self.identifier("A###")
        hot, damp = case_of(self.name, self.task, tuple(self.courses))
        self.most = (self.rng.randint(20, 32), self.rng.randrange(55, 90, 5))
        celsius, humidity = (
            limit + self.rng.randint(1, 8) if over else limit - self.rng.randint(1, 12)
            for limit, over in zip(self.most, (hot, damp), strict=True)
        )
        self.reading: dict[str, Value] = {"crop": self.crop, "celsius": celsius}
        self.reading |= {"humidity": humidity, "lux": self.rng.randrange(900, 60_000, 100)}
        plan = [call("read", house=self.house), call("card", crop=self.crop)]
        course = self.courses[hot, damp]
        plan += [call(course, house=self.house)] if course else []
        plan.append(call("log", house=self.house, celsius=celsius, humidity=humidity))
        self.lay_out(plan, [call(each, house=self.house) for each in self.changing])
        asked = self.rng.choice(self.wordings).format(house=self.house)
        return asked, [Fact("Nursery, all houses on line", {"houses": "on line"})]

    def answer(self, wanted: Call) -> Result:
        """Read, show, act or log."""
        if wanted.operator == "card":
            if wanted["crop"] != self.crop:
                return [Fact("There is no card of it.", {"error": "no card"})]
            celsius, humidity = self.most
            days = self.rng.randint(30, 200)
            text = f"{self.crop}: up to {celsius} C, up to {humidity} % damp, {days} days"
            return [Fact(text, {"celsius_to": celsius, "humidity_to": humidity, "days": days})]
        if wanted["house"] != self.house:
            return [Fact("There is no such house.", {"error": "no such house"})]
        if wanted.operator == "read":
            text = "{crop} | {celsius} C | {humidity} % | {lux} lx".format(**self.reading)
            return [Fact(text, self.reading)]
        return [Fact("Done.", {"done": True})]


class GalleryLight(Desk):
    """Works hang in cases of rooms of a wing; those that are too bright are dimmed."""

    name = "gallery-light"
    difficulty = "a nested table: a line, the case and the room above it; not what is dark enough"
    operators = (
        Operator("list", "gallery list --wing {wing}", about="Rooms, cases and works."),
        Operator(
            "dim",
            "gallery dim --room {room} --case {case} --lux {lux}",
            ("case", "lux"),
            "Sets the light of a case.",
        ),
        Operator("done", "gallery done --job {job}", about="Final."),
    )
    changing, irrevocable, finals = ("dim",), ("dim",), ("done",)
    free = ("list", "dim", "done")
    horizon = 9

    wordings = (
        "Job {job}: {works} in the {wing} wing must have no more than {lux} lux.",
        "{works} ({wing} wing) to {lux} lux at most. The job is {job}.",
        "No more than {lux} lux on {works} in wing {wing}, job {job}.",
    )
    wings = ("north", "south", "east", "west")

    def begin(self) -> tuple[str, Result]:
        """Draw a wing, its rooms and the works that are meant."""
        self.wing, job = self.rng.choice(self.wings), self.identifier("J-####")
        lux = self.rng.randrange(50, 130, 10)
        rooms = distinct(lambda: self.identifier("A#"), self.rng.randint(2, 3))
        cases = [(room, n) for room in rooms for n in range(1, self.rng.randint(3, 4))]
        things, colours = self.draw(PRODUCTS, 20), self.draw(COLOURS, 10)
        self.rows: list[dict[str, Value]] = []
        for room, n in cases:
            for _ in range(self.rng.randint(1, 2)):
                title = f"The {self.rng.choice(colours)} {things.pop()}"
                light = lux + self.rng.choice((-20, -10, 10, 30, 60))
                row: dict[str, Value] = {"room": room, "case": n, "title": title, "lux": light}
                self.rows.append(row)
        # the works stand in cases of their own, and each case of theirs has to be done
        chosen = self.rng.sample(cases, case_of(self.name, self.task, (2, 3, 2)))
        meant = [
            self.rng.choice([r for r in self.rows if (r["room"], r["case"]) == place])
            for place in chosen
        ]
        plan = [call("list", wing=self.wing)]
        plan += [
            call("dim", room=row["room"], case=row["case"], lux=lux)
            for row in meant
            if int(str(row["lux"])) > lux
        ]
        wrong = [call("dim", room=room, case=n, lux=lux) for room, n in cases]
        self.lay_out([*plan, call("done", job=job)], wrong)
        asked = self.rng.choice(self.wordings).format(
            job=job,
            works=enumerated([f'"{row["title"]}"' for row in meant]),
            wing=self.wing,
            lux=lux,
        )
        return asked, [Fact("gallery 1.9, lights on", {"lights": "on"})]

    def listing(self) -> Fact:
        """Return the works under the cases and rooms in which they hang."""
        rooms: dict[str, dict[str, list[dict[str, Value]]]] = {}
        for row in self.rows:
            cases = rooms.setdefault(str(row["room"]), {})
            work: dict[str, Value] = {"title": row["title"], "lux": row["lux"]}
            cases.setdefault(str(row["case"]), []).append(work)
        lines = []
        for room, cases in rooms.items():
            lines.append(f"room {room}")
            for case, works in cases.items():
                lines.append(f"  case {case}")
                lines += [f'    - "{work["title"]}": {work["lux"]} lux' for work in works]
        data: dict[str, Any] = {
            "rooms": [
                {
                    "room": room,
                    "cases": [{"case": int(n), "works": works} for n, works in cases.items()],
                }
                for room, cases in rooms.items()
            ]
        }
        return Fact("\n".join(lines), data)

    def answer(self, wanted: Call) -> Result:
        """List, dim or end."""
        if wanted.operator == "list":
            if wanted["wing"] != self.wing:
                return [Fact("no such wing", {"error": "no such wing"})]
            return [self.listing()]
        return [Fact("ok", {"ok": True})]


class BankTransfer(Desk):
    """A payment is written as a bank's file wants it: no blanks, cents, six digits of a day."""

    name = "bank-transfer"
    difficulty = "an account without its blanks, an amount in cents and a date of six digits"
    operators = (
        Operator("payee", "PAYEE;{name}", about="Somebody's account."),
        Operator("transfer", "TRANSFER;{account};{cents};{day}", about="Lays a payment down."),
        Operator("sign", "SIGN;{code}", about="Signs what was laid down."),
        Operator("print", "PRINT;{slip}", about="Final."),
    )
    changing, irrevocable, finals = ("transfer", "sign"), ("transfer",), ("print",)
    free = ("payee", "transfer", "sign", "print")
    horizon = 6

    wordings = (
        "Pay {amount} EUR to {name} on {day}.",
        "{name} is to get {amount} EUR on {day}.",
        "On {day}, transfer EUR {amount} to {name}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a payee and a payment."""
        (self.payee,) = self.draw(SURNAMES)
        country = self.rng.choice(("DE", "FR", "IT"))
        self.account = self.identifier("## #### #### #### ####")
        self.account = f"{country}{self.account}"
        self.code, self.slip = self.identifier("###-###"), self.identifier("A####")
        day = date(2026, 1, 5) + timedelta(self.rng.randint(0, 350))
        large = case_of(self.name, self.task, (False, True))
        cents = self.rng.randint(100_000, 999_999) if large else self.rng.randint(2_000, 99_999)
        account = self.account.replace(" ", "")
        transfers = [
            call("transfer", account=account, cents=n, day=day.strftime("%d%m%y"))
            for n in (cents, cents // 100)
        ]
        transfers.append(call("transfer", account=account, cents=cents, day=day.strftime("%y%m%d")))
        plan = [call("payee", name=self.payee), transfers[0], call("sign", code=self.code)]
        self.lay_out([*plan, call("print", slip=self.slip)], transfers)
        asked = self.rng.choice(self.wordings).format(
            amount=f"{cents / 100:,.2f}", name=self.payee, day=worded(day)
        )
        return asked, [Fact("HOST LINK READY", {"state": "ready"})]

    def answer(self, wanted: Call) -> Result:
        """Show, lay down or sign."""
        if wanted.operator == "payee":
            if wanted["name"] != self.payee:
                return [Fact("NAK;UNKNOWN PAYEE", {"error": "unknown payee"})]
            text = f"ACK;{self.payee};{self.account}"
            return [Fact(text, {"payee": self.payee, "account": self.account})]
        if wanted.operator == "transfer":
            return [Fact(f"ACK;CODE {self.code}", {"code": self.code})]
        if wanted.operator == "print":
            signed = call("sign", code=self.code)
            if wanted["slip"] != self.slip or not self.times(signed):
                return [Fact("NAK;SLIP", {"error": "slip"})]
            return [Fact("ACK", {"ack": True})]
        if wanted["code"] != self.code or not self.made:
            return [Fact("NAK;CODE", {"error": "code"})]
        return [Fact(f"ACK;SLIP {self.slip}", {"slip": self.slip})]


class CabinetSearch(Desk):
    """Cabinets are looked through until a file is found; some of them stand open."""

    name = "cabinet-search"
    difficulty = "a search along a list; a step before each look is left out where it is done"
    operators = (
        Operator("open", "open the {cabinet} cabinet", about="Opens a cabinet."),
        Operator("look", "look into the {cabinet} cabinet", about="What is in it."),
        Operator("take", "take {file}", about="Takes a file."),
        Operator("put", "put {file} on the desk of {person}", about="Final."),
    )
    changing, irrevocable = ("take",), ("take",)
    finals, free = ("put",), ("open", "look", "take", "put")
    horizon = 14

    wordings = (
        "{person} wants file {file}.",
        "Fetch {file} for {person}.",
        "Put {file} on the desk of {person}, it is in one of the cabinets.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw cabinets and what is in them."""
        (person,), (part,) = self.draw(SURNAMES), self.draw(PARTS)
        count = self.rng.randint(3, 4)
        place = case_of(self.name, self.task, (0, 1, 2, 1)) % count
        cabinets = self.draw(COLOURS, count)
        files = distinct(lambda: self.identifier("##-A"), 2 * count + 1)
        self.file = files.pop()
        self.inside = {each: [files.pop(), files.pop()] for each in cabinets}
        self.inside[cabinets[place]].insert(self.rng.randint(0, 2), self.file)
        self.closed = {each for each in cabinets if self.rng.random() < 0.5}
        plan: list[Call] = []
        for each in cabinets[: place + 1]:
            plan += [call("open", cabinet=each)] if each in self.closed else []
            plan.append(call("look", cabinet=each))
        plan += [call("take", file=self.file), call("put", file=self.file, person=person)]
        self.lay_out(plan, [call(o, cabinet=c) for o in ("open", "look") for c in cabinets])
        self.looked: set[str] = set()
        asked = self.rng.choice(self.wordings).format(person=person, file=self.file)
        told = [(each, "closed" if each in self.closed else "open") for each in cabinets]
        rows: list[dict[str, Value]] = [{"cabinet": each, "state": state} for each, state in told]
        head = f"The archive smells of {part} oil. You see:"
        return asked, [Fact(head), Rows("cabinets", "- the {cabinet} cabinet ({state})", rows)]

    def answer(self, wanted: Call) -> Result:
        """Open, look, take or put."""
        if wanted.operator in ("open", "look"):
            cabinet = wanted["cabinet"]
            if cabinet not in self.inside:
                return [Fact("You see no such cabinet.", {"error": "no such cabinet"})]
            if wanted.operator == "open":
                if cabinet not in self.closed:
                    return [Fact("It stands open.", {"error": "stands open"})]
                self.closed.remove(cabinet)
                return [Fact(f"The {cabinet} cabinet is open.", {"open": True})]
            if cabinet in self.closed:
                return [Fact("It is closed.", {"error": "closed"})]
            self.looked.add(cabinet)
            files = ", ".join(self.inside[cabinet])
            return [Fact(f"In it: {files}.", {"files": files})]
        holder = next((each for each, files in self.inside.items() if wanted["file"] in files), "")
        if holder not in self.looked:
            return [Fact("You do not see it.", {"error": "not seen"})]
        if wanted.operator == "put" and not self.made:
            return [Fact("You do not have it.", {"error": "not held"})]
        return [Fact("Done.", {"done": True})]
