"""Rooms that are booked by size and time, and packs that are ordered by the piece."""

from __future__ import annotations

from ...ladder.names import CITIES, PEOPLE, PRODUCTS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk
from ..shared import MONTHS


class RoomBooking(Desk):
    """The smallest free room that is large enough is booked from a time to another."""

    name = "room-booking"
    difficulty = "the smallest of the free rooms that seat enough; the end is start plus minutes"
    operators = (
        Operator("search", "show rooms on {date}", about="Rooms and whether they are free."),
        Operator("book", "book {room} on {date} from {start} to {end}", about="Final."),
    )
    finals, free = ("book",), ("search", "book")
    horizon = 5

    wordings = (
        "Book a room for {people} people on {day} {month} 2025, {start}, for {minutes} minutes.",
        "{host} needs a room on {day} {month} 2025 at {start}: {people} people, {minutes} minutes.",
        "Room for {people} please. {day} {month} 2025, from {start}, {minutes} minutes. Cheers!",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw rooms and a meeting."""
        (host,), rooms = self.draw(PEOPLE), self.draw(CITIES, 6)
        people, day, month = (self.rng.randint(*r) for r in ((3, 14), (1, 28), (1, 12)))
        begin, minutes = self.rng.randint(16, 32) * 30, self.rng.choice((30, 45, 60, 90, 120))
        start, end = (f"{t // 60:02}:{t % 60:02}" for t in (begin, begin + minutes))
        self.date = f"2025-{month:02}-{day:02}"
        seats = self.rng.sample(range(2, people), min(2, people - 2))
        seats += self.rng.sample(range(people, people + 12), 6 - len(seats))
        rows: list[dict[str, Value]] = [
            {"room": room, "seats": n, "status": "free" if self.rng.random() < 0.6 else "booked"}
            for room, n in zip(rooms, seats, strict=True)
        ]
        fits = [row for row in rows if int(str(row["seats"])) >= people]
        if not any(row["status"] == "free" for row in fits):
            fits[0]["status"] = "free"
        right = min(
            (row for row in fits if row["status"] == "free"), key=lambda row: int(str(row["seats"]))
        )
        order = self.arranged(range(6), rows.index(right))
        self.rows = [rows[i] for i in order]
        best = call("book", room=right["room"], date=self.date, start=start, end=end)
        self.lay_out(
            [call("search", date=self.date), best],
            [call("book", room=each, date=self.date, start=start, end=end) for each in rooms],
        )
        names = {"people": people, "day": day, "month": MONTHS[month - 1], "start": start}
        asked = self.rng.choice(self.wordings).format(**names, minutes=minutes, host=host)
        return asked, [Fact("Room planner 2025", {"year": 2025})]

    def answer(self, wanted: Call) -> Result:
        """Show the rooms, or book one."""
        if wanted["date"] != self.date:
            return [Fact("No plan for that date.", {"error": "no plan"})]
        if wanted.operator == "search":
            line = "{room:<12} {seats:>5}   {status}"
            return [Fact(f"{'ROOM':<12} SEATS   STATUS"), Rows("rooms", line, self.rows)]
        return [Fact(f"{wanted['room']} is yours.", {"booked": wanted["room"]})]


class PackOrder(Desk):
    """What is short of a number of pieces is ordered in whole packs."""

    name = "pack-order"
    difficulty = "stock is told in packs and loose pieces; what is short is ordered in whole packs"
    operators = (
        Operator("stock", "stock card of {product}", about="What there is."),
        Operator("order", "order {packs} packs of {product} from {supplier}", ("packs",), "Final."),
        Operator("reserve", "reserve {pieces} pieces of {product}", ("pieces",), "Final."),
    )
    finals, free = ("order", "reserve"), ("order", "reserve")
    horizon = 5

    wordings = (
        "{person} needs {pieces} pieces of {product}. Reserve them, or order what is missing.",
        "We need {pieces} x {product} for {person}. Order only if stock is short.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a stock."""
        (person,), (product, other), suppliers = (
            self.draw(PEOPLE),
            self.draw(PRODUCTS, 2),
            self.draw(CITIES, 2),
        )
        self.product, self.size = product, self.rng.choice((6, 10, 12, 20))
        self.packs, self.loose = self.rng.randint(1, 9), self.rng.randint(0, self.size - 1)
        there = self.packs * self.size + self.loose
        short = self.rng.random() < 0.65
        pieces = there + self.rng.randint(1, 5 * self.size) if short else self.rng.randint(5, there)
        self.supplier = f"{suppliers[0]} Trading"
        self.shelf = self.identifier("A-##-#")
        packs = -(-(pieces - there) // self.size)
        act = (
            call("order", packs=packs, product=product, supplier=self.supplier)
            if short
            else call("reserve", pieces=pieces, product=product)
        )
        offered = [call("stock", product=each) for each in (product, other)]
        offered += [
            call("order", packs=n, product=product, supplier=f"{each} Trading")
            for n in range(1, 6)
            for each in suppliers
        ]
        offered += [call("reserve", pieces=pieces, product=product)]
        self.lay_out([call("stock", product=product), act], offered)
        names = {"person": person, "pieces": pieces, "product": product}
        return self.rng.choice(self.wordings).format(**names), [Fact("Stores.", {"site": "main"})]

    def answer(self, wanted: Call) -> Result:
        """Show a card, order or reserve."""
        if wanted["product"] != self.product:
            return [Fact("No card.", {"error": "no card"})]
        if wanted.operator == "stock":
            text = (
                f"{self.product.upper()}  shelf {self.shelf}\n"
                f"on hand: {self.packs} packs + {self.loose} loose\n"
                f"1 pack = {self.size} pcs\nsupplier: {self.supplier}"
            )
            data: dict[str, Value] = {"shelf": self.shelf, "packs": self.packs, "loose": self.loose}
            return [Fact(text, data | {"pack_size": self.size, "supplier": self.supplier})]
        return [Fact("Done.", {"done": True})]
