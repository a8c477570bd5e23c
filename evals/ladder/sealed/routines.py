"""Worlds in which the same is done every time, a slip is filled in, or layers have an order."""

from __future__ import annotations

from collections.abc import Iterator

from ..names import CITIES, COLOURS, PRODUCTS
from ..world import Call, Fact, Operator, Result, Rows, World, call

__all__ = ["CoatsOfPaint", "KilnFiring", "LostAndFound"]


class KilnFiring(World):
    """A kiln is fired by the same six actions."""

    name = "kiln-firing"
    difficulty = "a constant script: the same actions in every episode"
    operators = (
        Operator("slide", "slide the {piece} open", about="Open the damper or the gas tap."),
        Operator("close", "close the {piece}", about="Close the damper or the gas tap."),
        Operator("light", "light the burner", about="Light the burner of the kiln."),
        Operator("wait", "wait a while", about="Let some time pass."),
        Operator("log", "write the log", about="Write the log; this ends the work."),
    )
    horizon = 14

    _script = (
        (call("slide", piece="damper"), "Air moves through the kiln."),
        (call("slide", piece="tap"), "Gas hisses."),
        (call("light"), "A small flame burns."),
        (call("wait"), "The bricks glow."),
        (call("close", piece="damper"), "The heat stays inside."),
        (call("log"), "The log is written."),
    )

    def begin(self) -> tuple[str, Result]:
        """Choose how politely it is asked."""
        self.done = 0
        asked = ("Fire the kiln.", "Please fire the kiln.", "Fire the kiln, if you please.")
        return self.rng.choice(asked), [Fact("The kiln is cold.", {"kiln": "The kiln is cold."})]

    def possible(self) -> list[Call]:
        """Every handle can be used at any time."""
        pieces = [call(o, piece=p) for o in ("slide", "close") for p in ("damper", "tap")]
        return [*pieces, call("light"), call("wait"), call("log")]

    def do(self, wanted: Call) -> Result:
        """Go on where it is the next action; fire or log at the wrong time spoil all."""
        right, answer = self._script[self.done]
        if wanted == right:
            self.done += 1
            if self.done == len(self._script):
                self.end(won=True)
        elif wanted.operator in ("light", "log"):
            self.end(won=False)
            answer = "The clay cracks."
        else:
            answer = "The kiln stays as it is."
        return [Fact(answer, {"kiln": answer})]

    def expert(self) -> Iterator[Call]:
        """Do the script."""
        for wanted, _ in self._script:
            yield wanted


class LostAndFound(World):
    """A slip of the lost property office: three values of the task under three headings."""

    name = "lost-and-found"
    difficulty = "three values of the task are noted under their headings, then the slip is filed"
    operators = (
        Operator("take", "take a blank slip", about="Begin a slip."),
        Operator("note", "note {value} under {heading}", about="Write a value under a heading."),
        Operator("file", "file the slip", about="Put the slip away for good."),
        Operator("tear", "tear up the slip", about="Throw the slip away."),
    )
    horizon = 14
    headings = ("article", "colour", "station")

    def begin(self) -> tuple[str, Result]:
        """Draw what was left where."""
        drawn = (self.draw(PRODUCTS), self.draw(COLOURS), self.draw(CITIES))
        self.right = {key: each[0] for key, each in zip(self.headings, drawn, strict=True)}
        self.slip: dict[str, str] | None = None
        text = "Left behind at {station} station: {article}, {colour}.".format(**self.right)
        return text, [self._desk()]

    def possible(self) -> list[Call]:
        """A slip, and the task's values under any of its headings."""
        if self.slip is None:
            return [call("take")]
        values = self.right.values()
        notes = [call("note", value=v, heading=h) for v in values for h in self.headings]
        return [*notes, call("file"), call("tear")]

    def accepts(self, wanted: Call) -> bool:
        """Any text may be noted under a heading of the slip."""
        if wanted.operator == "note" and self.slip is not None:
            return wanted["heading"] in self.headings
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Show the slip as it stands."""
        if wanted.operator == "file":
            self.end(won=self.slip == self.right)
            return [Fact("The slip is in the cabinet.", {"slip": "filed"})]
        if wanted.operator == "tear":
            self.slip = None
            return [self._desk()]
        slip = dict.fromkeys(self.headings, "") if self.slip is None else self.slip
        if wanted.operator == "note":
            slip[wanted["heading"]] = wanted["value"]
        self.slip = slip
        text = "; ".join(f"{heading} {value or '...'}" for heading, value in slip.items())
        return [Fact(f"On the slip: {text}", dict(slip))]

    def expert(self) -> Iterator[Call]:
        """Take a slip, fill it in, file it."""
        yield call("take")
        for heading, value in self.right.items():
            yield call("note", value=value, heading=heading)
        yield call("file")

    def _desk(self) -> Fact:
        return Fact("The desk is empty; blank slips lie in a tray.", {"desk": "blank slips"})


class CoatsOfPaint(World):
    """A thing gets three coats; the kind of coat says which comes before which."""

    name = "coats-of-paint"
    difficulty = "parts are done in the order of their kinds, not in the order of the task"
    operators = (
        Operator("brush", "brush {coat} out of tin {tin}", about="Brush on a coat."),
        Operator("stir", "stir tin {tin}", about="Stir the paint in a tin."),
    )
    horizon = 10
    coats = ("filler", "primer", "stain", "gloss")

    def begin(self) -> tuple[str, Result]:
        """Draw three of the four coats, their tins, and two tins more."""
        (self.thing,) = self.draw(PRODUCTS)
        tins = self.draw(CITIES, 5)
        coats = self.rng.sample(self.coats, 3)
        self.tin = dict(zip(coats, tins[:3], strict=True))
        self.left = sorted(coats, key=self.coats.index)
        self.tins = self.arranged(tins, *tins[:3])
        first, second, third = (f"{coat} from tin {self.tin[coat]}" for coat in coats)
        text = f"The {self.thing} is to get {first}, {second} and {third}."
        return text, [
            Fact("On the shelf:"),
            Rows("shelf", "tin {tin}", [{"tin": tin} for tin in self.tins]),
        ]

    def possible(self) -> list[Call]:
        """Any coat out of any tin."""
        brush = [call("brush", coat=coat, tin=tin) for coat in self.coats for tin in self.tins]
        return [*brush, *(call("stir", tin=tin) for tin in self.tins)]

    def do(self, wanted: Call) -> Result:
        """Brush on a coat; the wrong coat or tin spoils the thing."""
        if wanted.operator == "stir":
            return [Fact(f"Tin {wanted['tin']} is smooth.", {"smooth": wanted["tin"]})]
        coat = self.left.pop(0)
        if wanted != call("brush", coat=coat, tin=self.tin[coat]):
            self.end(won=False)
            return [Fact("The paint peels off.", {"paint": "peels off"})]
        if not self.left:
            self.end(won=True)
        return [Fact(f"The {coat} is dry.", {"dry": coat})]

    def expert(self) -> Iterator[Call]:
        """Brush on the coats in the order of their kinds."""
        for coat in list(self.left):
            yield call("brush", coat=coat, tin=self.tin[coat])
