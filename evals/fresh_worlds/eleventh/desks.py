"""Desks: leave, slots, a code by mail, a library's counter."""

from __future__ import annotations

from datetime import date, timedelta

from ...ladder.names import PEOPLE, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class LeaveLedger(Desk):
    """Leave is granted where enough days are left, else what lacks is told."""

    name = "leave-ledger"
    difficulty = "key=value; a rest and a day are computed, or what lacks"
    operators = (
        Operator("get", "get emp={emp}", about="Somebody's record."),
        Operator("set", "set emp={emp} left={left}", ("left",), "Days that are left."),
        Operator("approve", "approve emp={emp} back={day} cc={lead}", about="Final."),
        Operator("decline", "decline emp={emp} short={days}", ("days",), "Final."),
    )
    changing, irrevocable, finals = ("set",), ("set",), ("approve", "decline")
    free = ("get", "set", "approve", "decline")
    horizon = 6

    wordings = (
        "{person} ({emp}) asks for {days} days of leave from {day}.",
        "Leave for {emp}, {days} days, first day {day}. It is {person}.",
        "From {day} on {person}, number {emp}, wants {days} days off.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw somebody who wants leave."""
        self.emp, (person,) = self.identifier("E####"), self.draw(PEOPLE)
        (self.team,) = self.draw(TEAMS)
        enough = case_of(self.name, self.task, (True, True, False))
        days = self.rng.randint(3, 18)
        self.left = days + self.rng.randint(0, 14) if enough else self.rng.randint(0, days - 1)
        self.lead = self.identifier("E####")
        first = date(2026, 1, 5) + timedelta(self.rng.randint(0, 330))
        back = (first + timedelta(days)).isoformat()
        rest = call("set", emp=self.emp, left=self.left - days)
        approve = call("approve", emp=self.emp, day=back, lead=self.lead)
        decline = call("decline", emp=self.emp, days=abs(days - self.left))
        plan = [call("get", emp=self.emp), *([rest, approve] if enough else [decline])]
        self.lay_out(plan, [rest, approve, decline])
        asked = self.rng.choice(self.wordings).format(
            person=person, emp=self.emp, days=days, day=first.isoformat()
        )
        waiting = self.rng.randint(1, 30)
        return asked, [Fact(f"ledger=leave year=2026 open={waiting}", {"open": waiting})]

    def answer(self, wanted: Call) -> Result:
        """Show, change or decide."""
        if wanted["emp"] != self.emp:
            return [Fact("error=not_found", {"error": "not_found"})]
        if wanted.operator == "get":
            used, carried = self.rng.randint(0, 20), self.rng.randint(0, 5)
            data: dict[str, Value] = {"emp": self.emp, "team": self.team, "used": used}
            data |= {"left": self.left, "carried": carried, "lead": self.lead}
            return [Fact(" ".join(f"{key}={value}" for key, value in data.items()), data)]
        return [Fact("status=ok", {"status": "ok"})]


class PhysioSlots(Desk):
    """Weeks are turned over until there is a free hour of the therapist in the half of a day."""

    name = "physio-slots"
    difficulty = (
        "a number is counted up page by page; a row by three criteria, one a range of hours"
    )
    operators = (
        Operator("week", "week {number}", ("number",), "Hours of a week."),
        Operator("book", "book {day} {time} in week {number} for {person}", ("number",), "Final."),
    )
    finals, free = ("book",), ("week", "book")
    horizon = 6

    wordings = (
        "{person} needs an appointment with {who} in the {half}, from week {number} on.",
        "Find the first {half} hour of {who} for {person}. Start at week {number}.",
        "From week {number}: {half} slot, {who}, patient {person}.",
    )
    days = ("Mon", "Tue", "Wed", "Thu", "Fri")
    hours: tuple[tuple[str, tuple[int, ...]], ...] = (
        ("morning", (8, 9, 10, 11)),
        ("afternoon", (13, 14, 15, 16)),
    )

    def begin(self) -> tuple[str, Result]:
        """Draw weeks of hours."""
        (first,), (last, *staff) = self.draw(PEOPLE), self.draw(SURNAMES, 4)
        person, who = f"{first} {last}", staff[0]
        cases = tuple((half, late) for half in self.hours for late in (0, 1, 2))
        (half, hours), late = case_of(self.name, self.task, cases)
        start = self.rng.randint(2, 48)
        self.weeks: dict[int, list[dict[str, Value]]] = {}
        for number in range(start, start + late + 1):
            rows = self._hours(staff)
            fitting = [row for row in rows if int(str(row["time"])[:2]) in hours]
            if number == start + late:
                self.rng.choice(fitting).update(who=who, state="free")
            else:
                for row in fitting:
                    row["state"] = "taken" if row["who"] == who else row["state"]
            self.weeks[number] = rows
        books = [
            call("book", day=row["day"], time=row["time"], number=number, person=person)
            for number, rows in self.weeks.items()
            for row in rows
        ]
        right = next(
            row
            for row in self.weeks[start + late]
            if (row["who"], row["state"]) == (who, "free") and int(str(row["time"])[:2]) in hours
        )
        book = call(
            "book", day=right["day"], time=right["time"], number=start + late, person=person
        )
        self.lay_out([*(call("week", number=n) for n in self.weeks), book], books)
        asked = self.rng.choice(self.wordings).format(
            person=person, who=who, half=half, number=start
        )
        return asked, [Fact("PHYSIO AT THE PARK, open Mon to Fri", {"open": "Mon to Fri"})]

    def _hours(self, staff: list[str]) -> list[dict[str, Value]]:
        """Draw hours of a week, four of them in the morning and four in the afternoon."""
        times = [
            (day, f"{hour:02}:{minute:02}")
            for _, hours in self.hours
            for day, hour, minute in self.rng.sample(
                [(d, h, m) for d in range(5) for h in hours for m in (0, 30)], 4
            )
        ]
        return [
            {
                "day": self.days[day],
                "time": time,
                "who": self.rng.choice(staff),
                "state": self.rng.choice(("free", "taken", "taken")),
            }
            for day, time in sorted(times)
        ]

    def answer(self, wanted: Call) -> Result:
        """Show a week or book."""
        if wanted.operator == "book":
            return [Fact("Booked.", {"booked": True})]
        rows = self.weeks.get(int(wanted["number"]) if wanted["number"].isdigit() else 0)
        if rows is None:
            return [Fact("That week is not planned yet.", {"error": "not planned"})]
        return [Rows("hours", "{day} {time}  {who:<10} {state}", rows)]


class CodeVerify(Desk):
    """A code comes by mail, at times late and at times too old; then a number is changed."""

    name = "code-verify"
    difficulty = "look again until it is there; ask for another one where it has expired"
    operators = (
        Operator("open", "open member {member}", about="A member's page."),
        Operator("send", "send a code to {mail}", about="Sends a code."),
        Operator("inbox", "read inbox", about="The inbox of the office."),
        Operator("enter", "enter code {code}", about="Types a code."),
        Operator("phone", "change phone to {phone}", about="Sets the number."),
        Operator("save", "save", about="Final."),
    )
    changing, finals = ("phone",), ("save",)
    free = ("open", "send", "enter", "phone")
    horizon = 14

    wordings = (
        "Member {member} has a new phone number: {phone}.",
        "Enter {phone} as the phone of member {member}.",
        "The number of {member} is {phone} now. Please change it.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a member and how the mail behaves."""
        self.member, phone = self.identifier("M#####"), self.identifier("01## ######")
        (self.who,) = self.draw(SURNAMES)
        self.mail = f"{self.who.lower()}@{self.identifier('aaaa')}.org"
        cases = ((0, False), (1, False), (2, False), (0, True), (1, True))
        self.late, self.old = case_of(self.name, self.task, cases)
        self.codes = distinct(lambda: self.identifier("######"), 2)
        self.sent = self.looked = 0
        self.verified = False
        looks = [call("inbox")] * (self.late + 1)
        plan = [call("open", member=self.member), call("send", mail=self.mail), *looks]
        plan.append(call("enter", code=self.codes[0]))
        if self.old:
            again = [call("send", mail=self.mail), *looks, call("enter", code=self.codes[1])]
            plan += again
        plan += [call("phone", phone=phone), call("save")]
        self.lay_out(plan, [call("inbox")])
        asked = self.rng.choice(self.wordings).format(member=self.member, phone=phone)
        members = self.rng.randint(200, 4000)
        return asked, [Fact(f"Members' office. {members} members.", {"members": members})]

    def answer(self, wanted: Call) -> Result:
        """Show, send, read, type or save."""
        if wanted.operator == "open":
            if wanted["member"] != self.member:
                return [Fact("No such member.", {"error": "no such member"})]
            text = f"Member {self.member}, {self.who}. Mail: {self.mail}. Phone: hidden."
            return [Fact(text, {"name": self.who, "mail": self.mail, "phone": "hidden"})]
        if wanted.operator == "send":
            if wanted["mail"] != self.mail:
                return [Fact("No such address.", {"error": "no such address"})]
            self.sent, self.looked = self.sent + 1, 0
            return [Fact("A code is on its way.", {"state": "sent"})]
        if wanted.operator == "inbox":
            self.looked += 1
            if not self.sent or self.looked <= self.late:
                return [Fact("The inbox is empty.", {"code": None})]
            code = self.codes[min(self.sent, 2) - 1]
            return [Fact(f"One mail: your code is {code}.", {"code": code})]
        if wanted.operator == "enter":
            current = self.codes[min(self.sent, 2) - 1] if self.sent else None
            if wanted["code"] != current:
                return [Fact("Wrong code.", {"error": "wrong code"})]
            if self.old and self.sent == 1:
                return [Fact("This code has expired.", {"state": "expired"})]
            self.verified = True
            return [Fact("Verified.", {"state": "verified"})]
        if wanted.operator == "phone":
            self.made = []
            if not self.verified:
                return [Fact("Verify first.", {"error": "verify first"})]
        return [Fact("Done.", {"state": "done"})]


class BoeteBalie(Desk):
    """Dutch: who is late pays for each day, by the kind of card; then the loan is renewed."""

    name = "boete-balie"
    difficulty = (
        "Dutch; days times a rate of the first page, with a decimal comma, where days are due"
    )
    operators = (
        Operator("lid", "zoek lid {lid}", about="De kaart van een lid."),
        Operator("innen", "inn {bedrag} euro van {lid}", about="Int een boete."),
        Operator("verleng", "verleng {boek} voor {lid}", about="Verlengt een uitlening."),
        Operator("klaar", "klaar", about="Laatste stap."),
    )
    changing, irrevocable, finals = ("innen", "verleng"), ("innen",), ("klaar",)
    free = ("lid", "innen", "verleng")
    horizon = 7

    wordings = (
        "Lid {lid} wil boek {boek} verlengen.",
        "Verleng boek {boek}, het ligt bij lid {lid}.",
        "Voor lid {lid} moet boek {boek} langer blijven.",
    )
    kinds = ("volwassene", "student", "jeugd")

    def begin(self) -> tuple[str, Result]:
        """Draw a member, rates and days."""
        self.lid, boek = self.identifier("L#####"), self.identifier("AA###")
        cases = tuple((kind, late) for kind in self.kinds for late in (True, True, False))
        self.kind, late = case_of(self.name, self.task, cases)
        self.days = self.rng.randint(1, 25) if late else 0
        ranges = zip(self.kinds, ((30, 51), (20, 31), (5, 16)), strict=True)
        rates = {kind: self.rng.randrange(low, high, 5) for kind, (low, high) in ranges}
        fines = {kind: _euros(rate * max(self.days, 1)) for kind, rate in rates.items()}
        collects = {k: call("innen", bedrag=fine, lid=self.lid) for k, fine in fines.items()}
        plan = [call("lid", lid=self.lid)]
        plan += [collects[self.kind]] if late else []
        plan += [call("verleng", boek=boek, lid=self.lid), call("klaar")]
        self.lay_out(plan, [*collects.values()])
        asked = self.rng.choice(self.wordings).format(lid=self.lid, boek=boek)
        text = "Boete per dag:\n"
        text += "\n".join(f"- {kind}: {_euros(rate)} euro" for kind, rate in rates.items())
        return asked, [Fact(text, {kind: _euros(rate) for kind, rate in rates.items()})]

    def answer(self, wanted: Call) -> Result:
        """Show, collect, renew or end."""
        if wanted.operator == "klaar":
            return [Fact("Tot ziens.", {"klaar": True})]
        if wanted["lid"] != self.lid:
            return [Fact("Dit lid bestaat niet.", {"error": "onbekend lid"})]
        if wanted.operator == "lid":
            loans = self.rng.randint(1, 9)
            text = f"Lid {self.lid} ({self.kind}), {loans} boeken geleend, "
            text += f"{self.days} dagen te laat."
            data: dict[str, Value] = {"soort": self.kind, "geleend": loans, "te_laat": self.days}
            return [Fact(text, data)]
        return [Fact("Gedaan.", {"gedaan": True})]


def _euros(cents: int) -> str:
    """Write an amount as the Dutch do."""
    return f"{cents // 100},{cents % 100:02}"
