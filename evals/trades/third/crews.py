"""Shifts handed on and swapped between people who are looked up by name, all at once."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

from ..trade import Policy, Record, Result
from .desk import Desk

__all__ = ["Crews"]


class Crews(Desk):
    """Shifts handed on and swapped between people who are looked up by name, all at once."""

    name = "crews"
    prompt = "You keep the roster of crews. Today is 2026-04-06. A week has 40 hours at most."
    reading = ("find_people", "get_shift", "list_shifts")
    traps = (
        "twins",
        "nottheirs",
        "noskill",
        "sameday",
        "exactly40",
        "locked",
        "othersite",
        "past",
        "onleave",
        "silent",
        "unknown",
    )
    tools = (
        "find_people",
        "get_shift",
        "list_shifts",
        "assign",
        "release",
        "swap",
        "record_absence",
        "ask_manager",
        "message",
    )

    def find_people(self, name: str) -> Result:
        """People of a name."""
        return {"people": self.row("people", name)}

    def get_shift(self, shift: str) -> Result:
        """Look up a shift."""
        return self.row("shift", shift)

    def list_shifts(self, person: str, week: int) -> Result:
        """Shifts of a person in a week."""
        return self.row("week", person)

    def assign(self, shift: str, person: str) -> Result:
        """Give a shift to a person."""
        return {"shift": shift, "person": person}

    def release(self, shift: str) -> Result:
        """Leave a shift open."""
        return {"shift": shift, "person": None}

    def swap(self, shifts: list[str]) -> Result:
        """Swap two shifts."""
        return {"swapped": shifts}

    def record_absence(self, person: str, first: str, last: str) -> Result:
        """Record that a person is away."""
        return {"days": 1}

    def ask_manager(self, site: str, about: dict[str, str]) -> Result:
        """Ask the manager of a site."""
        return True

    def message(self, people: list[str], text: str) -> Result:
        """Send people a message."""
        return True

    def _add(self, rng: Random, site: str) -> Record:
        row: Record = {
            "id": self.fresh(rng, "E", 5),
            "name": self.person(rng),
            "site": {"id": site, "floor": rng.randrange(4)},
            "skills": rng.choice([["desk"], ["desk", "forklift"], ["forklift", "desk"]]),
            "active": True,
        }
        self.put("people", row["name"], [row])
        self.put("week", row["id"], [])
        return row

    def _shift(self, rng: Random, person: Record, date: str) -> Record:
        row: Record = {
            "shift": self.fresh(rng, "sh-", 5),
            "person": person["id"],
            "site": person["site"]["id"],
            "date": date,
            "hours": rng.choice([6, 8, 8]),
            "needs": "desk",
            "week": 16,
        }
        self.put("shift", row["shift"], row)
        return row

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        kind = rng.choice(["over", "over", "swap", "ill"])
        if trap in ("sameday", "exactly40", "noskill", "othersite", "onleave"):
            kind = "over"
        elif trap:
            kind = rng.choice(["over", "swap"])
        site = rng.choice(["Kiel", "Bonn", "Ulm"])
        first, second = self._add(rng, site), self._add(rng, site)
        dates = [f"2026-04-{number}" for number in rng.sample(range(13, 18), 4)]
        one, two = self._shift(rng, first, dates[0]), self._shift(rng, second, dates[1])
        busy = [
            {"shift": self.fresh(rng, "sh-", 5), "date": date, "hours": 8}
            for date in dates[1 : rng.choice([2, 3, 4])]
        ]
        if rng.random() < 0.2:
            one["needs"] = "forklift"
        if rng.random() < 0.12:
            busy[0]["hours"] = 34
        if trap:
            one["needs"], one["hours"], busy = "desk", 8, busy[:1]
            busy[0]["hours"] = 8
        silent = False
        match trap:
            case "twins":
                self.put("people", second["name"], [second, {**second, "id": "E1"}])
            case "nottheirs":
                one["person"] = self.fresh(rng, "E", 5)
            case "noskill":
                one["needs"] = "crane"
            case "sameday":
                busy[0]["date"] = one["date"]
            case "exactly40":
                busy[0]["hours"] = 32
            case "locked":
                one["locked"] = "payroll"
            case "othersite":
                second["site"]["id"] = "Jena"
            case "past":
                one["date"] = "2026-04-02"
            case "onleave":
                second["active"] = False
            case "silent":
                silent = True
            case "unknown":
                self.put("people", second["name"], [])
        self.put("week", second["id"], busy)
        self.put("week", first["id"], [one])
        until = f"2026-04-{rng.randrange(18, 29)}"
        wording = {
            "over": [
                "{a} cannot do {s}, {b} takes it.",
                "Give {s} of {a} to {b}.",
                "{b} works {s} instead of {a}.",
                "Please put {b} on {s}, {a} has no time.",
            ],
            "swap": [
                "{a} and {b} swap {s} and {t}.",
                "Swap {s} of {a} with {t} of {b}.",
                "{a} would do {t} if {b} does {s}.",
            ],
            "ill": [
                "{a} is ill until {u}, so {s} is open.",
                "Ill until {u}: {a}. Release {s}.",
                "{a} stays at home until {u}; free {s}.",
            ],
        }[kind]
        text = rng.choice(wording).format(
            a=first["name"], b=second["name"], s=one["shift"], t=two["shift"], u=until
        )
        asked = SimpleNamespace(
            kind=kind,
            first=first["name"],
            second=second["name"],
            one=one["shift"],
            two=two["shift"],
            until=until,
            silent=silent,
        )
        return text + (" Do not message them, they know." if silent else ""), asked

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        names = [asked.first] + ([] if asked.kind == "ill" else [asked.second])
        shifts = [asked.one] + ([asked.two] if asked.kind == "swap" else [])
        told = yield [
            *(("find_people", {"name": name}) for name in names),
            *(("get_shift", {"shift": shift}) for shift in shifts),
        ]
        found = [each["people"] for each in told[: len(names)]]
        rows = told[len(names) :]
        for name, people in zip(names, found, strict=True):
            if len(people) != 1:
                return f"There are {len(people)} people called {name}."
        people = [each[0] for each in found]
        one = rows[0]
        for person, row in zip(people, rows, strict=False):
            if row["person"] != person["id"]:
                return f"{row['shift']} is not a shift of {person['name']}."
            if row["date"] <= "2026-04-06":
                return f"{row['shift']} was on {row['date']}."
            if row.get("locked"):
                return f"{row['shift']} is locked by {row['locked']}."
        first = people[0]
        if asked.kind == "ill":
            yield (
                "record_absence",
                {"person": first["id"], "first": "2026-04-06", "last": asked.until},
            )
            yield ("release", {"shift": asked.one})
            return f"{first['name']} is away until {asked.until}; {asked.one} is open."
        second = people[1]
        if not second["active"]:
            return f"{second['name']} is on leave."
        if asked.kind == "swap":
            if any(
                row["needs"] not in person["skills"]
                for row, person in zip(rows, [second, first], strict=True)
            ):
                yield (
                    "ask_manager",
                    {"site": one["site"], "about": {"shift": one["shift"], "why": "skills"}},
                )
                return "The manager is asked about the skills."
            yield ("swap", {"shifts": [asked.one, asked.two]})
            if not asked.silent:
                yield (
                    "message",
                    {"people": [first["id"], second["id"]], "text": "Your shifts are swapped."},
                )
            return f"{first['name']} works on {rows[1]['date']}, {second['name']} on {one['date']}."
        if one["needs"] not in second["skills"] or second["site"]["id"] != one["site"]:
            why = "site" if second["site"]["id"] != one["site"] else one["needs"]
            yield (
                "ask_manager",
                {"site": one["site"], "about": {"shift": one["shift"], "why": why}},
            )
            return f"The manager of {one['site']} is asked about {second['name']}."
        own = yield ("list_shifts", {"person": second["id"], "week": one["week"]})
        if any(each["date"] == one["date"] for each in own):
            return f"{second['name']} works on {one['date']} already."
        hours = sum(each["hours"] for each in own) + one["hours"]
        if hours > 40:
            return f"{second['name']} would have {hours} hours."
        yield ("assign", {"shift": asked.one, "person": second["id"]})
        if not asked.silent:
            yield (
                "message",
                {"people": [second["id"], first["id"]], "text": f"{asked.one} is handed on."},
            )
        return f"{second['name']} works {asked.one} on {one['date']}."
