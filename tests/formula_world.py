"""A workbook of which nothing is told: sheets, their columns, and formulas over these.

Nothing of it is SQL: look-ups answer in lines, formulas have other signs and another order.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from macla.procedures.episodes.trajectories import Trajectory

BEGINNING = "A workbook is open."
BOOKS: tuple[dict[str, dict[str, str]], ...] = (
    {
        "orders": {"customer": "text", "price": "number", "weight": "number"},
        "drivers": {"driver_name": "text", "wage": "number", "town": "text"},
    },
    {
        "plants": {"species": "text", "height": "number", "region": "text"},
        "gardens": {"owner": "text", "area": "number", "rent": "number"},
    },
    {
        "books": {"author": "text", "pages": "number", "price": "number"},
        "readers": {"reader_name": "text", "age": "number", "town": "text"},
    },
    {
        "boats": {"skipper": "text", "length": "number", "harbour": "text"},
        "races": {"winner": "text", "distance": "number", "duration": "number"},
    },
    {
        "songs": {"singer": "text", "duration": "number", "genre": "text"},
        "concerts": {"hall": "text", "attendance": "number", "revenue": "number"},
    },
)
VALUES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Fritz", "Gerda", "Hans")
_NUMBER = {
    "average": ("What is the average {n} of the {s}?", "={s}!{n} -> MEAN"),
    "total": ("Give the total {n} of all {s}.", "={s}!{n} -> SUM"),
    "largest": ("What is the largest {n} among the {s}?", "={s}!{n} -> MAX"),
    "smallest": ("Find the smallest {n} among the {s}.", "={s}!{n} -> MIN"),
}
_TEXT = {
    "count": ("How many {s} are there?", "={s}!{first} -> COUNT"),
    "different": ("How many different {t} do the {s} have?", "={s}!{t} -> UNIQUE -> COUNT"),
    "list": ("List the {t} of the {s}.", "={s}!{t}"),
    "where": ("What is the {n} of the {s} whose {t} is {v}?", '={s}!{n} | {t} IS "{v}"'),
    "above": ("Show the {t} of the {s} with a {n} above {k}.", "={s}!{t} | {n} OVER {k}"),
}


@dataclass
class Workbook:
    """One episode: a question, and the formula that answers it.

    Attributes:
        sheets: Sheet → column → type.
        task: The question.
        right: The formula that answers it.
    """

    sheets: dict[str, dict[str, str]]
    task: str
    right: str
    entered: str = ""
    done: bool = False
    won: bool = False
    actions: list[str] = field(default_factory=list)

    def step(self, action: str) -> str:
        """Do an action; ``enter`` hands in the formula that was typed last."""
        self.actions.append(action)
        if action == "sheets":
            return "\n".join(f"- {sheet}" for sheet in self.sheets)
        if action.startswith("columns of "):
            columns = self.sheets.get(action.removeprefix("columns of "))
            return (
                "\n".join(f"- {n} {t}" for n, t in columns.items()) if columns else "No sheet here"
            )
        if action == "enter":
            self.done, self.won = True, self.entered == self.right
            return "Entered."
        names = {w for columns in self.sheets.values() for w in columns} | set(self.sheets)
        words = action.replace("!", " ").replace("=", " ").split()
        self.entered = action
        return "42 found" if names & set(words) else "No such name"


def tasks(book: int, sheets: dict[str, dict[str, str]] | None = None) -> list[Workbook]:
    """Return every question about a workbook, its values drawn by its number."""
    rng = random.Random(book)
    made: list[Workbook] = []
    for sheet, columns in (sheets or BOOKS[book]).items():
        numbers = [name for name, kind in columns.items() if kind == "number"]
        texts = [name for name, kind in columns.items() if kind == "text"]
        for asked, formula in (*_NUMBER.values(), *_TEXT.values()):
            parts = {
                "s": sheet,
                "n": rng.choice(numbers),
                "t": rng.choice(texts),
                "v": rng.choice(VALUES),
                "k": str(rng.randrange(20, 90)),
                "first": next(iter(columns)),
            }
            spoken = {k: v.replace("_", " ") if k in "nt" else v for k, v in parts.items()}
            made.append(
                Workbook(sheets or BOOKS[book], asked.format(**spoken), formula.format(**parts))
            )
    return made


def demonstration(episode: Workbook, number: int) -> Trajectory:
    """Play the formula that answers a question, after looking at all sheets.

    Every fifth demonstrator guesses first, and is refused.
    """
    looks = [f"columns of {sheet}" for sheet in episode.sheets]
    guess = ["=table!column"] if number % 5 == 0 else []
    actions = (*guess, "sheets", *looks, episode.right, "enter")
    told = [episode.step(action) for action in actions]
    return Trajectory(episode.task, (BEGINNING, *told), actions, episode.won, reward=1.0)
