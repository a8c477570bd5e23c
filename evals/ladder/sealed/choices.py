"""Worlds in which a list is read and one of its rows is acted on for good."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from random import Random
from typing import ClassVar, TypeAlias

from ..names import CITIES, COLOURS, PEOPLE, SURNAMES
from ..world import Call, Fact, Operator, Result, Rows, World, call

__all__ = [
    "Choice",
    "CoachHire",
    "CostumeStore",
    "PumpkinFair",
    "RidingStable",
    "ShipsAtAnchor",
]

Row: TypeAlias = "dict[str, str | int]"


class Choice(World):
    """A list is looked at; then something is done with one of its rows, and that is the end.

    The first operator shows the list, the second acts on a row (its argument is the field by
    which a row is meant), others are of no use.

    Attributes:
        heading: What stands above the list.
        line: How a row reads.
        closing: What is answered at the end, with the field by which the row was meant.
    """

    heading: ClassVar[str]
    line: ClassVar[str]
    closing: ClassVar[str]
    horizon = 6

    def begin(self) -> tuple[str, Result]:
        """Lay out the rows; the list is not shown yet."""
        text, start, rows, self.wanted = self.layout()
        self.rows = self.arranged(rows, self.wanted)
        self.visible = False
        return text, [start]

    @abstractmethod
    def layout(self) -> tuple[str, Fact, list[Row], Row]:
        """Return the task's text, what stands there at first, all rows, the wanted one."""

    def possible(self) -> list[Call]:
        """The look and what is of no use; the rows, once they were shown."""
        look, act, *idle = self.operators
        (key,) = act.arguments
        rows = [call(act.name, **{key: row[key]}) for row in self.rows] if self.visible else []
        return [call(look.name), *(call(each.name) for each in idle), *rows]

    def do(self, wanted: Call) -> Result:
        """Show the list, or act on a row."""
        look, act, *_ = self.operators
        (key,) = act.arguments
        if wanted.operator == look.name:
            self.visible = True
            rows = Rows("rows", self.line, self.rows)
            return [Fact(self.heading, {"list": self.heading}), rows]
        if wanted.operator == act.name:
            self.end(won=wanted[key] == str(self.wanted[key]))
            value = int(wanted[key]) if key in act.integers else wanted[key]
            return [Fact(self.closing.format(value), {"done": self.closing.format(value)})]
        return [Fact("It makes no difference.", {"answer": "It makes no difference."})]

    def expert(self) -> Iterator[Call]:
        """Look, then act on the wanted row."""
        look, act, *_ = self.operators
        (key,) = act.arguments
        yield call(look.name)
        yield call(act.name, **{key: self.wanted[key]})


class ShipsAtAnchor(Choice):
    """A ship gets water; the board tells its berth."""

    name = "ships-at-anchor"
    difficulty = "a row by its name, acted on by its number"
    operators = (
        Operator("board", "read the harbour board", about="See which ship lies where."),
        Operator("send", "send water to berth {berth}", ("berth",), "Send the water cart."),
        Operator("horn", "sound the horn", about="Sound the harbour's horn."),
    )
    heading = "At anchor today:"
    line = "berth {berth}: {ship}, {crew} on board"
    closing = "The water cart rolls to berth {}."

    def layout(self) -> tuple[str, Fact, list[Row], Row]:
        """Twelve ships."""
        ships, berths = self.draw(PEOPLE, 12), self.rng.sample(range(2, 60), 12)
        rows: list[Row] = [
            {"berth": berth, "ship": ship, "crew": self.rng.randint(3, 40)}
            for ship, berth in zip(ships, berths, strict=True)
        ]
        start = Fact("You are in the harbour office.", {"place": "harbour office"})
        return f"The ship {ships[0]} has asked for water.", start, rows, rows[0]


class RidingStable(Choice):
    """A horse is meant by its coat, its groom or where it was bred."""

    name = "riding-stable"
    difficulty = "a row by one attribute, whose kind the task tells; acted on by its name"
    operators = (
        Operator("walk", "walk along the boxes", about="See all horses."),
        Operator("saddle", "saddle {horse}", about="Saddle a horse."),
        Operator("sweep", "sweep the floor", about="Sweep the floor of the stable."),
    )
    heading = "Boxes from left to right:"
    line = "{horse} ({coat} coat, bred in {bred}, groom {groom})"
    closing = "{} is ready to be ridden."

    def layout(self) -> tuple[str, Fact, list[Row], Row]:
        """Ten horses, which differ in everything."""
        pools = {"horse": PEOPLE, "coat": COLOURS, "bred": CITIES, "groom": SURNAMES}
        drawn = {key: self.draw(pool, 10) for key, pool in pools.items()}
        rows: list[Row] = [{key: drawn[key][i] for key in pools} for i in range(10)]
        asked = self.rng.choice(
            (
                "A rider would like the horse with the {coat} coat.",
                "A rider would like the horse bred in {bred}.",
                "A rider would like the horse that {groom} grooms.",
            )
        )
        start = Fact("The stable door is open.", {"stable": "open"})
        return asked.format(**rows[0]), start, rows, rows[0]


_COSTUMES = (
    *("cloak", "gown", "vest", "tunic", "cape", "kilt", "sash", "bonnet", "apron", "robe"),
    *("doublet", "corset", "bodice", "frock", "toga", "mantle"),
)


class CostumeStore(Choice):
    """A costume is meant by colour, kind and size; any two of them fit another one too."""

    name = "costume-store"
    difficulty = "a row by three attributes together, of which any two leave decoys"
    operators = (
        Operator("rail", "wheel out the rail", about="See all costumes."),
        Operator("fetch", "fetch hanger {hanger}", ("hanger",), "Bring a costume to the stage."),
        Operator("iron", "heat the iron", about="Heat the iron."),
    )
    heading = "On the rail:"
    line = "{hanger} | {colour} | {kind} | size {size}"
    closing = "Hanger {} is on stage."

    def layout(self) -> tuple[str, Fact, list[Row], Row]:
        """The wanted costume, another one, and for both those that differ in one thing."""
        kinds, colours = self.draw(_COSTUMES, 3), self.draw(COLOURS, 3)
        sizes = self.rng.sample(range(34, 58, 2), 3)
        places = [(0, 0, 0), (2, 0, 0), (0, 2, 0), (0, 0, 2)]
        places += [(1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2), (2, 2, 0), (2, 2, 1)]
        hangers = self.rng.sample(range(1, 90), len(places))
        rows: list[Row] = [
            {"hanger": hanger, "colour": colours[c], "kind": kinds[k], "size": sizes[s]}
            for hanger, (c, k, s) in zip(hangers, places, strict=True)
        ]
        start = Fact("The rail stands behind a curtain.", {"rail": "behind a curtain"})
        text = "The actor waits for the {colour} {kind} in size {size}.".format(**rows[0])
        return text, start, rows, rows[0]


class CoachHire(Choice):
    """The smallest coach of a town in which a group finds room."""

    name = "coach-hire"
    difficulty = "of a category's rows, the smallest that has at least the number of the task"
    operators = (
        Operator("garages", "call up the garages", about="See all coaches that are free."),
        Operator("hire", "hire coach {plate}", about="Hire a coach for good."),
        Operator("music", "listen to the waiting music", about="Hear some music."),
    )
    heading = "Free coaches:"
    line = "{plate} in {town} seats {seats}"
    closing = "Coach {} is yours."

    def layout(self) -> tuple[str, Fact, list[Row], Row]:
        """Of the town two or three coaches are big enough, others not; so elsewhere."""
        town, *others = self.draw(CITIES, 3)
        between = self.rng.randint
        # Of each four episodes one wants just as many seats as people, two have three big enough.
        deal = Random(f"{self.name}/{self.task.part}/{self.task.seed // 4}")  # noqa: S311
        turn = self.task.seed % 4
        gap = deal.sample((0, between(1, 4), between(5, 15), between(5, 15)), 4)[turn]
        larger = deal.sample((1, 1, 2, 2), 4)[turn]
        least = between(16, 90)
        right = least + gap
        small = [least - less for less in self.rng.sample(range(1, 12), between(1, 5))]
        large = [right + more for more in self.rng.sample(range(1, 31), larger)]
        here = [right, *small, *large]
        there = [between(least, right), right + between(1, 30), between(least, least + 60)]
        there += [least - between(1, 3), least - between(4, 12)]
        towns = [*[town] * len(here), *others, *self.rng.choices(others, k=3)]
        rows: list[Row] = [
            {"plate": self.identifier("AA-###"), "town": place, "seats": seats}
            for place, seats in zip(towns, here + there, strict=True)
        ]
        start = Fact("The telephone is on the table.", {"table": "telephone"})
        text = f"A group of {least} wants the smallest coach in {town} with a seat for everybody."
        return text, start, rows, rows[0]


class PumpkinFair(Choice):
    """The heaviest pumpkin of a town gets the ribbon."""

    name = "pumpkin-fair"
    difficulty = "the greatest number of one column among the rows of a category"
    operators = (
        Operator("table", "study the weighing table", about="See all pumpkins."),
        Operator("pin", "pin the ribbon on {grower}", about="Award the ribbon for good."),
        Operator("taste", "taste the soup", about="Taste the soup."),
    )
    heading = "Weighed so far:"
    line = "{grower} of {town}: {weight} kg, {girth} cm round"
    closing = "The crowd claps for {}."

    def layout(self) -> tuple[str, Fact, list[Row], Row]:
        """Four pumpkins of the town, six of two others; weights of one to three digits."""
        town, *others = self.draw(CITIES, 3)
        growers = self.draw(SURNAMES, 10)
        weights = self.rng.sample([*range(5, 10), *range(60, 140, 3), *range(20, 60, 3)], 10)
        towns = [town] * 4 + others * 3
        rows: list[Row] = [
            {"grower": g, "town": t, "weight": w, "girth": self.rng.randint(40, 250)}
            for g, t, w in zip(growers, towns, weights, strict=True)
        ]
        wanted = rows[weights.index(max(weights[:4]))]
        start = Fact("The judge hands you a ribbon.", {"hand": "ribbon"})
        return f"Honour the heaviest pumpkin from {town}.", start, rows, wanted
