"""A workshop: things are made out of others, in stages."""

from __future__ import annotations

from collections.abc import Iterator

from .base import ForeignWorld, listed

WOODS = ("oak", "pine", "birch", "elm")
NEW_WOODS = ("ash", "larch")
PRODUCTS = ("table", "stool", "bench", "shelf")


class Workshop(ForeignWorld):
    """What later steps act on does not exist at first; one step is needed only sometimes.

    A log becomes boards, boards become furniture; the task names only a word of both. The saw is
    sharpened if it is found dull. Burning the boards is possible and spoils them.
    """

    key = "W7"
    refusal = "You fumble."

    def set_up(self) -> str:
        self.woods = self.pick(WOODS, NEW_WOODS, 3)
        self.saw = self.rng.choice(["hand saw", "bow saw", "fret saw"])
        self.dull = self.rng.random() < 0.5
        self.product = self.pick(PRODUCTS[:3], PRODUCTS[3:], 1)[0]
        self.wood = self.rng.choice(self.woods)
        self.stage = dict.fromkeys(self.woods, "log")
        self.made: set[tuple[str, str]] = set()
        return f"Make a {self.product} of {self.wood}."

    def first(self) -> str:
        things = [*(f"{wood} log" for wood in self.woods), self.saw, "whetstone", "glue pot"]
        return f"You stand at a work-bench. You see {listed(things)}."

    def possible(self) -> list[str]:
        actions = [f"inspect {self.saw}", f"sharpen {self.saw} with whetstone"]
        for wood, stage in self.stage.items():
            boards = f"{wood} boards"
            if stage == "log":
                actions.append(f"cut {wood} log with {self.saw}")
            elif stage == "rough":
                actions += [f"plane {boards}", f"burn {boards}"]
            elif stage == "smooth":
                actions.append(f"glue {boards} with glue pot")
            elif stage == "glued":
                actions += [f"assemble {boards} into {product}" for product in PRODUCTS]
        return actions

    def apply(self, action: str) -> str:
        verb, thing = action.split(" ", 1)
        wood = thing.split()[0]
        if verb == "inspect":
            return f"The {thing} is {'dull' if self.dull else 'sharp'}."
        if verb == "sharpen":
            self.dull = False
            return f"You sharpen the {self.saw}."
        if verb == "cut":
            if self.dull:
                return f"The {self.saw} only scratches the {wood} log."
            self.stage[wood] = "rough"
            return f"You cut the {wood} log into {wood} boards."
        if verb == "burn":
            self.stage[wood] = "ash"
            return f"The {wood} boards go up in flames."
        if verb == "plane":
            self.stage[wood] = "smooth"
            return f"You plane the {wood} boards."
        if verb == "glue":
            self.stage[wood] = "glued"
            return f"You glue the {wood} boards with the glue pot."
        product = thing.split(" into ")[1]
        self.stage[wood] = product
        self.made.add((product, wood))
        return f"You assemble the {wood} boards into a {product}."

    def is_won(self) -> bool:
        return (self.product, self.wood) in self.made

    def expert(self) -> Iterator[str]:
        yield f"inspect {self.saw}"
        if self.dull:
            yield f"sharpen {self.saw} with whetstone"
        yield f"cut {self.wood} log with {self.saw}"
        yield f"plane {self.wood} boards"
        yield f"glue {self.wood} boards with glue pot"
        yield f"assemble {self.wood} boards into {self.product}"
