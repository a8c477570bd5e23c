"""Worlds with ways to try: menus of which one holds the thing, pages in an order of their own."""

from __future__ import annotations

from collections.abc import Iterator

from ..names import CITIES, COLOURS, PARTS, PEOPLE
from ..world import Call, Fact, Operator, Result, Rows, World, call

__all__ = ["FerryTicket", "MillTerminal"]


class MillTerminal(World):
    """A part of a mill is reset; it stands in one of five menus."""

    name = "mill-terminal"
    difficulty = "the wanted thing is in one of several menus, which are tried one after the other"
    operators = (
        Operator("enter", "go into {menu}", about="Open a menu."),
        Operator("up", "go up", about="Leave a menu."),
        Operator("reset", "reset {part}", about="Reset a part for good."),
    )
    horizon = 24

    def begin(self) -> tuple[str, Result]:
        """Draw menus and what they hold.

        Which menu holds the part is drawn in every form, or dead ends would never be shown.
        """
        self.part, *others = self.draw(PARTS, 12)
        held = [[others.pop() for _ in range(size)] for size in (2, 3, 3, 3, 0)]
        held[0].append(self.part)
        self.rng.shuffle(held)
        names = self.draw(CITIES, 5)
        self.menus = {
            name: self.arranged(parts, self.part) for name, parts in zip(names, held, strict=True)
        }
        self.menu = ""
        return f"Someone must reset the {self.part}.", self._main()

    def possible(self) -> list[Call]:
        """The menus, or what the open one holds."""
        if not self.menu:
            return [call("enter", menu=menu) for menu in self.menus]
        return [call("up"), *(call("reset", part=part) for part in self.menus[self.menu])]

    def do(self, wanted: Call) -> Result:
        """Go into a menu, leave it, or reset a part."""
        if wanted.operator == "reset":
            self.end(won=wanted["part"] == self.part)
            return [Fact(f"Reset done: {wanted['part']}.", {"reset": wanted["part"]})]
        if wanted.operator == "up":
            self.menu = ""
            return self._main()
        self.menu = wanted["menu"]
        parts = [{"part": part} for part in self.menus[self.menu]]
        text = f"Menu {self.menu} has {len(parts)} entries."
        return [
            Fact(text, {"menu": self.menu, "count": len(parts)}),
            Rows("entries", "* {part}", parts),
        ]

    def expert(self) -> Iterator[Call]:
        """Try one menu after the other, as they are listed."""
        for menu, parts in self.menus.items():
            yield call("enter", menu=menu)
            if self.part in parts:
                yield call("reset", part=self.part)
                return
            yield call("up")

    def _main(self) -> Result:
        rows = [{"menu": menu} for menu in self.menus]
        return [Fact("Main screen", {"menu": "main screen"}), Rows("menus", "> {menu}", rows)]


class FerryTicket(World):
    """A ticket machine asks three to six questions in any order."""

    name = "ferry-ticket"
    difficulty = "pages of questions in an order that differs; some pages are not always there"
    operators = (
        Operator("touch", "touch {sign}", about="Touch a sign on the screen."),
        Operator("answer", "answer {value}", about="Type the answer to the question."),
    )
    horizon = 20
    questions = (
        ("traveller", "Who will be on board?"),
        ("start", "Which port do you leave from?"),
        ("goal", "Which port do you sail to?"),
        ("day", "Which day do you sail?"),
        ("bags", "How many bags go with you?"),
        ("deck", "Which colour of deck do you prefer?"),
    )

    def begin(self) -> tuple[str, Result]:
        """Draw the values, which questions are asked, and their order."""
        start, goal = self.draw(CITIES, 2)
        month, day = self.rng.randint(1, 12), self.rng.randint(1, 28)
        self.right = {
            "traveller": self.draw(PEOPLE)[0],
            "start": start,
            "goal": goal,
            "day": f"{self.rng.randint(2026, 2039)}-{month:02}-{day:02}",
            "bags": str(self.rng.randint(2, 19)),
            "deck": self.draw(COLOURS)[0],
        }
        self.pages = self.rng.sample(self.questions, self.rng.randint(3, 6))
        self.answers: dict[str, str] | None = None
        text = (
            "{traveller} sails from {start} to {goal} on {day} with {bags} bags on the {deck} deck."
        )
        return text.format(**self.right), [self._screen()]

    def possible(self) -> list[Call]:
        """The values of the task while a question stands there; signs before and after."""
        if self.answers is None:
            return [call("touch", sign="begin"), call("touch", sign="timetable")]
        if len(self.answers) == len(self.pages):
            return [call("touch", sign="print"), call("touch", sign="cancel")]
        values = [call("answer", value=value) for value in self.right.values()]
        return [*values, call("touch", sign="cancel")]

    def accepts(self, wanted: Call) -> bool:
        """Any text may answer a question."""
        if wanted.operator == "answer":
            return self.answers is not None and len(self.answers) < len(self.pages)
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Take an answer and show what follows."""
        if wanted.operator == "answer" and self.answers is not None:
            self.answers[self.pages[len(self.answers)][0]] = wanted["value"]
        elif wanted["sign"] == "print":
            right = {name: self.right[name] for name, _ in self.pages}
            self.end(won=self.answers == right)
            return [Fact("The ticket drops into the tray.", {"ticket": "in the tray"})]
        elif wanted["sign"] == "timetable":
            return [Fact("Ferries leave at 8 and at 17.", {"ferries": "at 8 and at 17"})]
        else:
            self.answers = {} if wanted["sign"] == "begin" else None
        return [self._screen()]

    def expert(self) -> Iterator[Call]:
        """Answer what is asked, then print."""
        yield call("touch", sign="begin")
        for name, _ in self.pages:
            yield call("answer", value=self.right[name])
        yield call("touch", sign="print")

    def _screen(self) -> Fact:
        if self.answers is None:
            text = "Welcome aboard. Signs: begin, timetable."
            return Fact(text, {"screen": "welcome", "signs": "begin, timetable"})
        if len(self.answers) == len(self.pages):
            text = "Nothing else is asked. Signs: print, cancel."
            return Fact(text, {"screen": "nothing else is asked", "signs": "print, cancel"})
        question = self.pages[len(self.answers)][1]
        return Fact(question, {"question": question})
