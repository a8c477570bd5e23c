"""Worlds in which something is fetched from a store: by its label, by its date, on a later page."""

from __future__ import annotations

from collections.abc import Iterator

from ..names import PEOPLE
from ..world import Call, Fact, Operator, Result, Rows, World, call

__all__ = ["FrozenTubes", "NurseryLedger", "XrayFilms"]


class FrozenTubes(World):
    """A tube is thawed; others have labels that differ in a digit or in capitals."""

    name = "frozen-tubes"
    difficulty = "a row by its identifier, which has to be spelled exactly"
    operators = (
        Operator("scan", "scan the freezer", about="List all tubes with their drawers."),
        Operator("open", "open drawer {drawer}", ("drawer",), "Open a drawer; others shut."),
        Operator("thaw", "thaw tube {label}", about="Thaw a tube of the open drawer for good."),
    )
    horizon = 9

    def begin(self) -> tuple[str, Result]:
        """Draw twelve labels in six drawers; two are nearly the wanted one."""
        self.label = self.identifier("AaA#-a##A")
        other = self.rng.choice([digit for digit in "0123456789" if digit != self.label[3]])
        near = [self.label[:3] + other + self.label[4:], self.label.swapcase()]
        labels = [self.label, *near, *(self.identifier("AaA#-a##A") for _ in range(9))]
        drawers = self.rng.sample(range(1, 40), 6)
        rest = [drawer for drawer in drawers for _ in range(2)][1:]
        self.rng.shuffle(rest)
        places = zip(labels, [drawers[0], *rest], strict=True)
        self.drawers = dict(self.arranged(list(places), (self.label, drawers[0])))
        self.drawer: int | None = None
        return f"The laboratory needs tube {self.label}.", [
            Fact("The freezer hums. Its drawers are shut.", {"freezer": "shut"})
        ]

    def possible(self) -> list[Call]:
        """The scan, every drawer, the tubes of the open one."""
        opened = [call("open", drawer=drawer) for drawer in sorted(set(self.drawers.values()))]
        return [call("scan"), *opened, *(call("thaw", label=label) for label in self._inside())]

    def accepts(self, wanted: Call) -> bool:
        """Any label may be asked for while a drawer is open."""
        if wanted.operator == "thaw":
            return self.drawer is not None
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """List, open, or thaw what is there under exactly this label."""
        if wanted.operator == "scan":
            rows: list[dict[str, str | int]] = [
                {"tube": label, "drawer": drawer} for label, drawer in self.drawers.items()
            ]
            return [Rows("tubes", "{tube} -> drawer {drawer}", rows)]
        if wanted.operator == "open":
            self.drawer = int(wanted["drawer"])
            inside = [{"tube": label} for label in self._inside()]
            heading = Fact(f"Drawer {self.drawer} slides out:", {"open": self.drawer})
            return [heading, Rows("tubes", "tube {tube}", inside)]
        label = wanted["label"]
        if label not in self._inside():
            return [Fact(f"There is no tube {label} here.", {"error": f"no tube {label} here"})]
        self.end(won=label == self.label)
        return [Fact(f"Tube {label} is warm.", {"warm": label})]

    def expert(self) -> Iterator[Call]:
        """Scan, open the drawer of the tube, thaw it."""
        yield call("scan")
        yield call("open", drawer=self.drawers[self.label])
        yield call("thaw", label=self.label)

    def _inside(self) -> list[str]:
        return [label for label, drawer in self.drawers.items() if drawer == self.drawer]


class XrayFilms(World):
    """The newest film of a patient goes on the light box."""

    name = "x-ray-films"
    difficulty = "the latest date among the rows"
    operators = (
        Operator("open", "open the folder of {patient}", about="See a patient's films."),
        Operator("hang", "hang film {film} on the light box", ("film",), "Show a film for good."),
    )
    horizon = 7

    def begin(self) -> tuple[str, Result]:
        """Four folders of six films; film numbers say nothing of their dates."""
        patients = self.draw(PEOPLE, 4)
        numbers = self.rng.sample(range(100, 999), 24)
        self.films: dict[str, list[dict[str, str | int]]] = {}
        for i, patient in enumerate(patients):
            dates: set[str] = set()
            year = self.rng.randint(2011, 2028)
            while len(dates) < 6:
                month, day = self.rng.randint(1, 12), self.rng.randint(1, 28)
                dates.add(f"{year + self.rng.randint(0, 2)}-{month:02}-{day:02}")
            rows: list[dict[str, str | int]] = [
                {"film": number, "part": self.rng.choice(("hand", "knee", "foot")), "date": date}
                for number, date in zip(numbers[6 * i :], sorted(dates, reverse=True))  # noqa: B905
            ]
            self.films[patient] = self.arranged(rows, rows[0])
            if i == 0:
                self.patient, self.film = patient, rows[0]["film"]
        self.folders = self.arranged(patients, self.patient)
        self.folder = ""
        return f"The doctor asks for the latest film of {self.patient}.", [
            Fact("Folders in the tray:"),
            Rows("folders", "{patient}", [{"patient": patient} for patient in self.folders]),
        ]

    def possible(self) -> list[Call]:
        """Every folder, and the films of the open one."""
        films = [call("hang", film=row["film"]) for row in self.films.get(self.folder, ())]
        return [*(call("open", patient=patient) for patient in self.folders), *films]

    def do(self, wanted: Call) -> Result:
        """Show the films of a folder, or hang one."""
        if wanted.operator == "open":
            self.folder = wanted["patient"]
            heading = Fact(f"Folder {self.folder}:", {"folder": self.folder})
            return [heading, Rows("films", "film {film}, {part}, {date}", self.films[self.folder])]
        film = int(wanted["film"])
        self.end(won=film == self.film)
        return [Fact(f"Film {film} glows on the wall.", {"on the wall": film})]

    def expert(self) -> Iterator[Call]:
        """Open the patient's folder, hang the latest film."""
        yield call("open", patient=self.patient)
        yield call("hang", film=self.film)


_PLANTS = (
    *("aster", "begonia", "camellia", "dahlia", "edelweiss", "fern", "geranium", "hibiscus"),
    *("iris", "jasmine", "kalmia", "lilac", "magnolia", "narcissus", "oleander", "peony"),
    *("quince", "ranunculus", "salvia", "tulip", "ursinia", "verbena", "wisteria", "yarrow"),
    *("zinnia", "acanthus", "bamboo", "clematis", "daphne", "erica", "foxglove", "gardenia"),
    *("heather", "ivy", "juniper", "lavender", "mallow", "nettle", "orchid", "primrose"),
    *("rosemary", "sage", "thistle", "viola", "willow", "yucca", "anemone", "crocus"),
)


class NurseryLedger(World):
    """A plant is sold from a ledger with several leaves."""

    name = "nursery-ledger"
    difficulty = "the wanted row may be on a later page and is acted on where it is shown"
    operators = (
        Operator("open", "open the ledger", about="See the first leaf."),
        Operator("forward", "turn a leaf forward", about="See the next leaf."),
        Operator("back", "turn a leaf back", about="See the leaf before."),
        Operator("sell", "sell pot {pot}", ("pot",), "Sell a pot of this leaf for good."),
    )
    horizon = 14

    def begin(self) -> tuple[str, Result]:
        """Draw two to four leaves of five pots.

        Which leaf holds the plant is drawn in every form, or turning leaves would never be shown.
        """
        leaves = self.rng.randint(2, 4)
        plants = self.draw(_PLANTS, 5 * leaves)
        pots = self.rng.sample(range(1, 99), 5 * leaves)
        rows: list[dict[str, str | int]] = [
            {"pot": pot, "plant": plant, "height": self.rng.randint(5, 80)}
            for pot, plant in zip(pots, plants, strict=True)
        ]
        self.wanted = self.rng.choice(rows)
        self.leaves = [self.arranged(rows[i : i + 5], self.wanted) for i in range(0, len(rows), 5)]
        self.leaf: int | None = None
        return f"A customer pays for the {self.wanted['plant']}.", [
            Fact("The ledger lies on the counter.", {"counter": "ledger"})
        ]

    def possible(self) -> list[Call]:
        """The leaves beside this one, and the pots on it."""
        if self.leaf is None:
            return [call("open")]
        pots = [call("sell", pot=row["pot"]) for row in self.leaves[self.leaf]]
        forward = [call("forward")] if self.leaf + 1 < len(self.leaves) else []
        return [*pots, *forward, *([call("back")] if self.leaf else [])]

    def do(self, wanted: Call) -> Result:
        """Show a leaf, or sell a pot."""
        if wanted.operator == "sell":
            pot = int(wanted["pot"])
            self.end(won=pot == self.wanted["pot"])
            return [Fact(f"Pot {pot} is wrapped up.", {"wrapped": pot})]
        turn = {"forward": 1, "back": -1}.get(wanted.operator, 0)
        self.leaf = (self.leaf or 0) + turn
        number, count = self.leaf + 1, len(self.leaves)
        return [
            Fact(f"Leaf {number} of {count}", {"leaf": number, "leaves": count}),
            Rows("pots", "{plant} ... pot {pot} ... {height} cm", self.leaves[self.leaf]),
        ]

    def expert(self) -> Iterator[Call]:
        """Turn leaves until the plant is there."""
        yield call("open")
        assert self.leaf is not None  # noqa: S101 (the ledger is open)
        while self.wanted not in self.leaves[self.leaf]:
            yield call("forward")
        yield call("sell", pot=self.wanted["pot"])
