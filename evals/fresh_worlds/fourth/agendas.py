"""Two agendas, and the first half hour that both have free."""

from __future__ import annotations

from ...ladder.names import PEOPLE, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk

_TITLES = ("stand-up", "review", "dentist", "call with {team}", "interview", "planning")


class CommonSlot(Desk):
    """Two people are invited at the first time that is free in both of their agendas."""

    name = "common-slot"
    difficulty = "the first of the rows of one list that is free there and in another list"
    operators = (
        Operator("agenda", "agenda of {person} on {date}", about="A day in half hours."),
        Operator("invite", "invite {first} and {second} on {date} at {time}", about="Final."),
    )
    finals, free = ("invite",), ("agenda", "invite")
    horizon = 6

    wordings = (
        "{first} and {second} have to meet on {date}. Take the first half hour that suits both.",
        "On {date}, please find a slot for {first} and {second}, as early as possible.",
        "Meeting of {first} with {second}, {date}, earliest common gap.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw two days."""
        people, surnames = self.draw(PEOPLE, 2), self.draw(SURNAMES, 2)
        first, second = (f"{a} {b}" for a, b in zip(people, surnames, strict=True))
        begin, teams = self.rng.randint(16, 20), self.draw(TEAMS, 3)
        self.date = f"2025-{self.rng.randint(1, 12):02}-{self.rng.randint(1, 28):02}"
        times = [f"{n // 2:02}:{n % 2 * 30:02}" for n in range(begin, begin + 9)]
        common = self.rng.randrange(2, 9)
        gaps = [(self.rng.random() < 0.5, self.rng.random() < 0.5) for _ in times]
        for i in range(common):
            gaps[i] = self.rng.choice(((True, False), (False, True), (False, False)))
        gaps[self.rng.randrange(common)] = (True, False)
        gaps[common] = (True, True)
        self.days: dict[str, list[dict[str, Value]]] = {first: [], second: []}
        for time, free in zip(times, gaps, strict=True):
            for person, gap in zip((first, second), free, strict=True):
                title = self.rng.choice(_TITLES).format(team=self.rng.choice(teams))
                row: dict[str, Value] = {"time": time, "state": "free" if gap else "busy"}
                self.days[person].append(row | {"title": "-" if gap else title})
        who = {"first": first, "second": second, "date": self.date}
        best = call("invite", **who, time=times[common])
        self.lay_out(
            [*(call("agenda", person=each, date=self.date) for each in (first, second)), best],
            [call("invite", **who, time=each) for each in times],
        )
        return self.rng.choice(self.wordings).format(**who), [Fact("Calendar", {"zone": "CET"})]

    def answer(self, wanted: Call) -> Result:
        """Show a day, or invite."""
        if wanted["date"] != self.date:
            return [Fact("Nothing on that day.", {"error": "nothing on that day"})]
        if wanted.operator == "agenda":
            person = wanted["person"]
            if person not in self.days:
                return [Fact("Nobody of this name.", {"error": "nobody of this name"})]
            head = Fact(f"{person}, {self.date}", {"person": person, "date": self.date})
            return [head, Rows("slots", "{time}  {state}  {title}", self.days[person])]
        return [Fact("Invitations are out.", {"invited": 2})]
