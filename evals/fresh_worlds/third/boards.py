"""A board of issues that are moved, and a train that is taken instead."""

from __future__ import annotations

from ...ladder.names import CITIES, PARTS, PEOPLE
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk
from ..shared import enumerated


class SprintMove(Desk):
    """Each issue of the task goes on: finished ones are closed, others move to the next sprint."""

    name = "sprint-move"
    difficulty = (
        "each issue of the task is opened; its status decides; blocked ones get a comment too"
    )
    operators = (
        Operator("open", "open {issue}", about="Show an issue."),
        Operator("close", "close {issue}", about="It is finished."),
        Operator("move", "move {issue} to {sprint}", about="Into another sprint."),
        Operator("comment", "comment on {issue}: {text}", about="Write a comment."),
        Operator("report", "report to {person}", about="Final."),
    )
    changing, finals, free = ("close", "move", "comment"), ("report",), ("comment",)
    horizon = 14

    wordings = (
        "End of sprint: go through {issues}. The next one is {sprint}. Then tell {person}.",
        "{person} wants {issues} tidied up. What is not done goes to {sprint}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw issues."""
        person, *owners = self.draw(PEOPLE, 5)
        project, sprint = self.identifier("AAA"), f"Sprint {self.rng.randint(10, 99)}"
        issues = [f"{project}-{n}" for n in self.rng.sample(range(10, 999), self.rng.randint(2, 3))]
        titles = self.draw(PARTS, 3)
        self.text: dict[str, Fact] = {}
        plan, every = [], []
        for issue, owner, title in zip(issues, owners, titles, strict=False):
            status = self.rng.choice(("Done", "In Progress", "To Do", "Blocked"))
            self.text[issue] = Fact(
                f"[{issue}] Replace {title}\nStatus: {status} | Assignee: {owner} | "
                f"Points: {self.rng.randint(1, 8)}",
                {"key": issue, "summary": f"Replace {title}", "status": status, "assignee": owner},
            )
            comment = call("comment", issue=issue, text=f"@{owner} what is this waiting for?")
            close, move = call("close", issue=issue), call("move", issue=issue, sprint=sprint)
            every += [call("open", issue=issue), close, move, comment]
            plan.append(call("open", issue=issue))
            plan += [comment] if status == "Blocked" else []
            plan.append(close if status == "Done" else move)
        self.lay_out([*plan, call("report", person=person)], every)
        names = {"issues": enumerated(issues), "sprint": sprint, "person": person}
        asked = self.rng.choice(self.wordings).format(**names)
        return asked, [Fact(f"Board {project}", {"board": project})]

    def answer(self, wanted: Call) -> Result:
        """Show, change, or end."""
        if wanted.operator == "open":
            return [self.text[wanted["issue"]]]
        return [Fact("Saved.", {"saved": True})]


class TrainRebook(Desk):
    """The next train after a time that has enough seats is booked, and who travels is told."""

    name = "train-rebook"
    difficulty = (
        "the first row after the task's time with enough seats; a text is made of two fields"
    )
    operators = (
        Operator("search", "trains from {origin} to {goal}", about="All trains of the day."),
        Operator("book", "book {count} seats on {train}", ("count",), "Cannot be undone."),
        Operator("notify", "text {person}: {text}", about="Final."),
    )
    changing, irrevocable, finals, free = ("book",), ("book",), ("notify",), ("notify",)
    horizon = 6

    wordings = (
        "{person} missed the {time} from {origin} to {goal}. Book {count} seats on the next train.",
        "The {time} from {origin} to {goal} is cancelled. {person} needs {count} seats on the "
        "next one that has them.",
        "Sorry to bother you: {count} seats, {origin} to {goal}, first train after {time}, for "
        "{person}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw trains of a day."""
        (person,), (origin, goal) = self.draw(PEOPLE), self.draw(CITIES, 2)
        count, at = self.rng.randint(2, 5), self.rng.randint(1, 2)
        times = sorted(self.rng.sample(range(360, 1300), 6))
        seats = [self.rng.choice((0, 1, count - 1, count, count + 9)) for _ in times]
        seats[-1] = count + 3
        tracks = self.rng.sample(range(1, 20), 6)
        self.rows: list[dict[str, Value]] = [
            {
                "departs": f"{t // 60:02}:{t % 60:02}",
                "train": f"{self.rng.choice(('IC', 'RE', 'EC'))} {self.rng.randint(100, 999)}",
                "track": track,
                "seats": n,
            }
            for t, n, track in zip(times, seats, tracks, strict=True)
        ]
        right = next(
            row for row, n in zip(self.rows[at + 1 :], seats[at + 1 :], strict=True) if n >= count
        )
        self.route = (origin, goal)
        text = f"{right['train']} at {right['departs']}, track {right['track']}"
        every = [call("book", count=count, train=row["train"]) for row in self.rows]
        search = call("search", origin=origin, goal=goal)
        self.lay_out(
            [
                search,
                call("book", count=count, train=right["train"]),
                call("notify", person=person, text=text),
            ],
            [*every, call("search", origin=goal, goal=origin)],
        )
        names = {"person": person, "origin": origin, "goal": goal, "count": count}
        asked = self.rng.choice(self.wordings).format(**names, time=self.rows[at]["departs"])
        return asked, [Fact("Timetable 2024", {"timetable": 2024})]

    def answer(self, wanted: Call) -> Result:
        """Show trains, book, or tell."""
        if wanted.operator == "search":
            if (wanted["origin"], wanted["goal"]) != self.route:
                return [Fact("No trains today.", {"error": "no trains"})]
            line = "{departs}  {train:<8} track {track:>2}  {seats} seats left"
            return [Rows("trains", line, self.rows)]
        return [Fact("OK.", {"ok": True})]
