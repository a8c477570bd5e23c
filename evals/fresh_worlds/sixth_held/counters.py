"""Counters: a thing that was lost, a meter's reading, a book that is wanted, prices on a shelf."""

from __future__ import annotations

import json

from ...ladder.names import CITIES, COLOURS, PEOPLE, PRODUCTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk
from ..shared import MONTHS


class LostProperty(Desk):
    """A thing is handed over from its bay, or ordered from the depot that it was sent to."""

    name = "lost-property"
    difficulty = "a sentence of one of two kinds decides, and gives both arguments"
    operators = (
        Operator("search", "search register for {item}", about="Things that were found."),
        Operator("hand", "hand over {receipt} from bay {bay}", about="Final."),
        Operator("order", "order {receipt} from {depot}", about="Send for it. Final."),
    )
    finals, free = ("hand", "order"), ("search", "hand", "order")
    horizon = 5

    wordings = (
        "{person} asks for the {item} that stayed on the train to {town}.",
        "At the counter: {person}, who misses the {item} since the train to {town}.",
        "Train to {town}, {item}. {person} would like to have it back.",
    )
    things = ("umbrella", "rucksack", "scarf", "wallet", "suitcase", "jacket")

    def begin(self) -> tuple[str, Result]:
        """Draw a thing and where it is."""
        (first,), (last,), towns = self.draw(PEOPLE), self.draw(SURNAMES), self.draw(CITIES, 3)
        (colour,) = self.draw(COLOURS)
        self.item, self.receipt = (
            f"{colour} {self.rng.choice(self.things)}",
            self.identifier("F-####"),
        )
        self.town, self.depot, _ = towns
        self.found, self.sent = self.rng.randint(1, 14), self.rng.randint(15, 28)
        self.month = self.rng.choice(MONTHS)
        self.bays = self.rng.sample(range(2, 60), 3)
        self.here = self.rng.random() < 0.5
        hand = [call("hand", receipt=self.receipt, bay=bay) for bay in self.bays]
        order = [call("order", receipt=self.receipt, depot=town) for town in (self.depot, *towns)]
        plan = [call("search", item=self.item), hand[0] if self.here else order[0]]
        self.lay_out(plan, [*hand, *order])
        names = {"person": f"{first} {last}", "item": self.item, "town": self.town}
        return self.rng.choice(self.wordings).format(**names), [
            Fact(f"Lost property, {self.rng.randint(200, 900)} things", {"desk": "lost property"})
        ]

    def answer(self, wanted: Call) -> Result:
        """Search, hand over or order."""
        if wanted.operator == "search":
            if wanted["item"] != self.item:
                return [Fact("Nothing of this kind.", {"error": "nothing of this kind"})]
            text = (
                f"{self.receipt}: {self.item}, found on {self.found} {self.month} "
                f"on the train to {self.town}."
            )
            data: dict[str, Value] = {"receipt": self.receipt, "item": self.item}
            data |= {"train": self.town, "found": f"{self.found} {self.month}"}
            if self.here:
                return [
                    Fact(f"{text}\nIt lies in bay {self.bays[0]}.", data | {"bay": self.bays[0]})
                ]
            sent = f"{self.sent} {self.month}"
            text += f"\nIt was sent to the depot in {self.depot} on {sent}."
            return [Fact(text, data | {"depot": self.depot, "sent": sent})]
        if wanted["receipt"] != self.receipt:
            return [Fact("No such receipt.", {"error": "no such receipt"})]
        return [Fact("Noted in the register.", {"noted": self.receipt})]


class MeterReading(Desk):
    """A customer's reading is booked, unless it is below the last one: then it is queried."""

    name = "meter-reading"
    difficulty = "a number of the task is compared with one that is looked up; a field is passed on"
    operators = (
        Operator("contract", "show contract {contract}", about="A contract."),
        Operator("book", "book {reading} for meter {meter}", ("reading",), "Final."),
        Operator("query", "query {reading} of meter {meter}", ("reading",), "Final."),
    )
    finals, free = ("book", "query"), ("contract", "book", "query")
    horizon = 5

    wordings = (
        "Contract {contract}: {person} reports a reading of {reading}.",
        "{person} wrote in: the meter of contract {contract} stands at {reading}.",
        "Please take down {reading} for contract {contract} ({person}).",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a contract and a reading."""
        (first,), (last,), (town,) = self.draw(PEOPLE), self.draw(SURNAMES), self.draw(CITIES)
        self.person, self.town = f"{first} {last}", town
        self.contract = f"{self.identifier('###')}-{self.identifier('####')}"
        self.meter, self.former = (self.identifier("AA######") for _ in range(2))
        self.last = self.rng.randint(4_000, 60_000)
        lower = self.rng.random() < 0.45
        self.reading = self.last + (-1 if lower else 1) * self.rng.randint(20, 3_500)
        self.advance, self.read_in = self.rng.randint(30, 190), self.rng.choice(MONTHS)
        every = [
            call(name, reading=reading, meter=meter)
            for name in ("book", "query")
            for reading in (self.reading, self.last)
            for meter in (self.meter, self.former)
        ]
        act = call("query" if lower else "book", reading=self.reading, meter=self.meter)
        self.lay_out([call("contract", contract=self.contract), act], every)
        names = {"contract": self.contract, "person": self.person, "reading": self.reading}
        return self.rng.choice(self.wordings).format(**names), [
            Fact("Customer service, meters", {"service": "meters"})
        ]

    def answer(self, wanted: Call) -> Result:
        """Show a contract, or take a reading."""
        if wanted.operator == "contract":
            if wanted["contract"] != self.contract:
                return [Fact("No such contract.", {"error": "no such contract"})]
            data: dict[str, Value] = {
                "customer": self.person,
                "town": self.town,
                "meter": self.meter,
                "former meter": self.former,
                "last reading": self.last,
                "read in": self.read_in,
                "advance": self.advance,
            }
            return [Fact("\n".join(f"{name}: {value}" for name, value in data.items()), data)]
        if wanted["meter"] not in (self.meter, self.former):
            return [Fact("No such meter.", {"error": "no such meter"})]
        return [Fact("Saved.", {"saved": True})]


class TitleHold(Desk):
    """A book that is in is laid aside at a branch; for one that is out the reader is queued."""

    name = "title-hold"
    difficulty = "a title is looked up; one field of the record decides, the rest is of the task"
    operators = (
        Operator("find", "find title {title}", about="The catalogue."),
        Operator("hold", "hold {copy} at {branch} for card {card}", about="Lay aside. Final."),
        Operator("queue", "queue card {card} for {copy}", about="Waiting list. Final."),
    )
    finals, free = ("hold", "queue"), ("find", "hold", "queue")
    horizon = 5

    wordings = (
        'Card {card} would like "{title}", to be collected in {branch}.',
        '"{title}" for card {card}, please; branch {branch}.',
        'The reader with card {card} wants to pick up "{title}" in {branch}.',
    )
    starts = ("Letters from", "The Bridges of", "A Winter in", "Songs of", "The Road to")

    def begin(self) -> tuple[str, Result]:
        """Draw a title and a reader."""
        towns, (last,) = self.draw(CITIES, 4), self.draw(SURNAMES)
        self.title = f"{self.rng.choice(self.starts)} {towns[0]}"
        self.branch, self.home = towns[1], towns[2]
        self.card, other = (f"{self.identifier('##')}-{self.identifier('####')}" for _ in "ab")
        self.copy = f"B{self.identifier('#####')}"
        self.entry: dict[str, Value] = {
            "title": self.title,
            "author": last,
            "copy": self.copy,
            "home": self.home,
            "shelf": f"{self.identifier('AA')} {self.rng.randint(10, 99)}",
        }
        out = self.rng.random() < 0.45
        due = f"2025-{self.rng.randint(1, 12):02}-{self.rng.randint(1, 28):02}"
        self.entry |= {"status": "out", "due": due} if out else {"status": "in", "due": None}
        hold = [
            call("hold", copy=self.copy, branch=branch, card=card)
            for branch in (self.branch, self.home)
            for card in (self.card, other)
        ]
        queue = [call("queue", card=card, copy=self.copy) for card in (self.card, other)]
        self.lay_out(
            [call("find", title=self.title), queue[0] if out else hold[0]], [*hold, *queue]
        )
        names = {"card": self.card, "title": self.title, "branch": self.branch}
        return self.rng.choice(self.wordings).format(**names), [
            Fact("Catalogue and circulation", {"system": "circulation"})
        ]

    def answer(self, wanted: Call) -> Result:
        """Find, hold or queue."""
        if wanted.operator == "find":
            if wanted["title"] != self.title:
                return [Fact("0 records", {"error": "0 records"})]
            return [Fact(json.dumps(self.entry), self.entry)]
        if wanted["copy"] != self.copy:
            return [Fact("unknown copy", {"error": "unknown copy"})]
        return [Fact("ok", {"ok": True})]


class ShelfLabels(Desk):
    """Labels are printed for what the till charges otherwise; what it does not know is reported."""

    name = "shelf-labels"
    difficulty = "each row whose two prices differ, and each that lacks one, asks for another call"
    operators = (
        Operator("prices", "compare prices of aisle {aisle}", ("aisle",), "Shelf and till."),
        Operator("label", "print label for {item} at {price}", about="A new label."),
        Operator("report", "report {item} to the office", about="The till does not know it."),
        Operator("close", "close aisle {aisle}", ("aisle",), "Final."),
    )
    changing, finals = ("label", "report"), ("close",)
    free = ("prices", "label", "report", "close")
    horizon = 10

    wordings = (
        "Check the labels in aisle {aisle}.",
        "{person} changed prices at the till last night; aisle {aisle} needs its labels.",
        "Aisle {aisle}: shelf labels up to date, please, then close it.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw an aisle."""
        (person,), items = self.draw(PEOPLE), self.draw(PRODUCTS, 6)
        self.aisle = self.rng.randint(10, 499) * 2 + (self.task.part == "train")
        kinds = ["differs", "same", "same", "same"]
        kinds += [self.rng.choice(("differs", "same", "none")) for _ in range(2)]
        rows: list[dict[str, Value]] = []
        for item, kind in zip(items, kinds, strict=True):
            shelf = self.rng.randint(99, 8_999)
            till = shelf + self.rng.choice((-1, 1)) * self.rng.randint(5, 90)
            prices = {"same": self.money(shelf), "differs": self.money(till), "none": "none"}
            rows.append({"item": item, "shelf": self.money(shelf), "till": prices[kind]})
        due = [row for row in rows if row["shelf"] != row["till"]]
        self.rows = self.arranged(rows, *due)
        plan = [call("prices", aisle=self.aisle)]
        for row in self.rows:
            if row["till"] == "none":
                plan.append(call("report", item=row["item"]))
            elif row["till"] != row["shelf"]:
                plan.append(call("label", item=row["item"], price=row["till"]))
        plan.append(call("close", aisle=self.aisle))
        wrong = [call("label", item=row["item"], price=row["shelf"]) for row in rows]
        wrong += [call("report", item=row["item"]) for row in rows]
        self.lay_out(plan, wrong)
        asked = self.rng.choice(self.wordings).format(aisle=self.aisle, person=person)
        return asked, [Fact("Store terminal", {"terminal": self.rng.randint(1, 9)})]

    @staticmethod
    def money(cents: int) -> str:
        """Write an amount."""
        return f"{cents // 100}.{cents % 100:02}"

    def answer(self, wanted: Call) -> Result:
        """Compare, print, report or close."""
        if wanted.operator in ("prices", "close") and wanted["aisle"] != str(self.aisle):
            return [Fact("No such aisle.", {"error": "no such aisle"})]
        if wanted.operator == "prices":
            head = Fact("| item | shelf | till |", {"aisle": self.aisle})
            return [head, Rows("prices", "| {item} | {shelf} | {till} |", self.rows)]
        if wanted.operator == "close":
            return [Fact("Aisle closed.", {"closed": self.aisle})]
        if all(row["item"] != wanted["item"] for row in self.rows):
            return [Fact("No such item.", {"error": "no such item"})]
        if wanted.operator == "label":
            self.overwrite(wanted, "item")
            return [Fact("Label printed.", {"printed": wanted["item"]})]
        return [Fact("The office is told.", {"reported": wanted["item"]})]
