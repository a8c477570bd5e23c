"""Stores and rooms: pieces that are counted in crates, rooms that are held and let go."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import PRODUCTS, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call
from ..shared import enumerated


class CrateOrders(World):
    """Pieces are wanted, crates are packed; what the shelf lacks is ordered."""

    name = "crate-orders"
    difficulty = "pieces are turned into units of a size that a page shows, and split by the shelf"
    operators = (
        Operator("show", "show {product}", about="Show how a product is kept."),
        Operator("pack", "pack {count} {unit} of {product} from {bay}", ("count",), "Pack units."),
        Operator("order", "back-order {count} {unit} of {product}", ("count",), "Order units."),
        Operator("ship", "ship to {customer}", about="Final."),
    )
    horizon = 10

    units = (("crate", (6, 12, 20)), ("box", (4, 8, 10)), ("tray", (5, 15)), ("pallet", (40, 60)))
    wordings = (
        "{customer} ordered {things}.",
        "Please get {things} ready for {customer}.",
        "For {customer}: {things}",
        "{things} go to {customer} today.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw products with their units, and what is wanted of them."""
        goods = self.draw(PRODUCTS, 4)
        customers = [f"{each} & Co" for each in self.draw(SURNAMES, 3)]
        self.pages: dict[str, dict[str, Value]] = {}
        self.wanted: dict[str, int] = {}
        bays = [f"{self.rng.choice('ABCDE')}-{n}" for n in self.rng.sample(range(1, 60), 4)]
        named = self.rng.choice((1, 1, 2))
        for number, (item, bay) in enumerate(zip(goods, bays, strict=True)):
            unit, sizes = self.rng.choice(self.units)
            size, count = self.rng.choice(sizes), self.rng.randint(2, 9)
            short = self.rng.choice((0, 0, self.rng.randint(1, count), count))
            left = count - short if short else count + self.rng.randint(0, 9)
            self.pages[item] = {"product": item, "unit": unit, "pieces per unit": size}
            self.pages[item] |= {"units on the shelf": left, "bay": bay}
            if number < named:
                self.wanted[item] = count
        self.customer, self.customers = customers[0], customers
        self.seen: list[str] = []
        self.done: list[Call] = []
        things = [f"{n * self._size(item)} x {item}" for item, n in self.wanted.items()]
        wording = self.rng.choice(self.wordings)
        asked = wording.format(customer=self.customer, things=enumerated(things))
        open_orders = ", ".join(self.arranged(customers, self.customer))
        return asked, [Fact(f"Open orders: {open_orders}", {"customers": open_orders})]

    def _size(self, item: str) -> int:
        return int(str(self.pages[item]["pieces per unit"]))

    def _left(self, item: str) -> int:
        return int(str(self.pages[item]["units on the shelf"]))

    def possible(self) -> list[Call]:
        """Every product; some counts of those that were shown; every customer."""
        calls = [call("show", product=each) for each in self.pages]
        for item in self.seen:
            page, count = self.pages[item], self.wanted.get(item, 1)
            left = self._left(item)
            counts = {count, left, count - left, count * self._size(item)}
            for each in sorted(c for c in counts if c > 0):
                unit = page["unit"]
                calls.append(call("pack", count=each, unit=unit, product=item, bay=page["bay"]))
                calls.append(call("order", count=each, unit=unit, product=item))
        return [*calls, *(call("ship", customer=each) for each in self.customers)]

    def accepts(self, wanted: Call) -> bool:
        """Any count of a product that was shown, in its unit."""
        if wanted.operator in ("pack", "order"):
            page = self.pages.get(wanted["product"], {})
            here = wanted.values.get("bay", page.get("bay")) == page.get("bay")
            unit = wanted["unit"] == page.get("unit") and wanted["product"] in self.seen
            return here and unit and wanted["count"].isdigit()
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Show, pack, order, or end."""
        if wanted.operator == "show":
            item = wanted["product"]
            self.seen += [item] if item not in self.seen else []
            page = self.pages[item]
            return [Fact("\n".join(f"{key}: {value}" for key, value in page.items()), page)]
        if wanted.operator == "ship":
            right = self.done == [each for item in self.wanted for each in self._steps(item)]
            self.end(won=right and wanted["customer"] == self.customer)
            return [Fact("On its way.", {"shipped": True})]
        if wanted.operator == "pack" and int(wanted["count"]) > self._left(wanted["product"]):
            return [Fact("There are not so many.", {"error": "too many"})]
        self.done.append(wanted)
        return [Fact("ok", {"ok": True})]

    def _steps(self, item: str) -> list[Call]:
        page, count = self.pages[item], self.wanted[item]
        here = min(count, self._left(item))
        steps = []
        if here:
            unit, bay = page["unit"], page["bay"]
            steps.append(call("pack", count=here, unit=unit, product=item, bay=bay))
        if count > here:
            steps.append(call("order", count=count - here, unit=page["unit"], product=item))
        return steps

    def expert(self) -> Iterator[Call]:
        """Show each product, pack what there is, order the rest; ship."""
        for item in self.wanted:
            yield call("show", product=item)
            yield from self._steps(item)
        yield call("ship", customer=self.customer)


class RoomHold(World):
    """Rooms that are large enough are held one by one until one has what is needed."""

    name = "room-hold"
    difficulty = "a choice shows only afterwards whether it was wrong; then it is taken back"
    operators = (
        Operator("list", "list rooms on {day}", about="List free rooms."),
        Operator("hold", "hold {room}", about="Keep a room for a while."),
        Operator("release", "release {reference}", about="Let a room go."),
        Operator("confirm", "confirm {reference}", about="Final."),
        Operator("none", "tell {person} that no room fits", about="Final."),
    )
    horizon = 12

    days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
    things = ("beamer", "whiteboard", "piano", "sink", "video screen", "microphone")
    wordings = (
        "{team} ({person}) needs a room for {seats} with a {thing} on {day}.",
        "A room on {day}, please: {seats} people of {team}, a {thing} must be there. {person}",
        "{person} from {team} asks for {seats} seats and a {thing}, {day}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw rooms; one of them fits, or none."""
        (self.person,), (team,) = self.draw(SURNAMES), self.draw(TEAMS)
        self.day, self.seats = self.rng.choice(self.days), self.rng.randint(6, 60)
        self.thing = self.rng.choice(self.things)
        fits = self.rng.random() < 0.8
        others = [each for each in self.things if each != self.thing]
        self.equipment: dict[str, str] = {}
        rows: list[dict[str, Value]] = []
        numbers = self.rng.sample(range(100, 999), self.rng.randint(4, 6))
        for at, number in enumerate(numbers):
            room = f"room {number}"
            small = at > 2 and self.rng.random() < 0.8
            has = (at == 0 and fits) or (small and self.rng.random() < 0.5)
            size = self.rng.randint(2, self.seats - 1) if small else self.seats
            size += 0 if small else self.rng.choice((0, self.rng.randint(1, 30)))
            kept = self.rng.sample(others, self.rng.randint(1, 2)) + [self.thing] * has
            self.equipment[room] = ", ".join(sorted(kept))
            rows.append({"room": room, "seats": size})
        self.rows = self.arranged(rows, rows[0]) if fits else self.arranged(rows)
        self.room = str(rows[0]["room"]) if fits else ""
        self.references: dict[str, str] = {}
        self.open = False
        wording = self.rng.choice(self.wordings)
        asked = wording.format(
            team=team, person=self.person, seats=self.seats, thing=self.thing, day=self.day
        )
        return asked, [Fact("Room desk", {"desk": "rooms"})]

    def possible(self) -> list[Call]:
        """The list; then every room, and every room that is held."""
        calls = [call("list", day=each) for each in self.days]
        if self.open and not self.references:
            calls += [call("hold", room=row["room"]) for row in self.rows]
        for reference in self.references:
            calls += [call("release", reference=reference), call("confirm", reference=reference)]
        return [*calls, call("none", person=self.person)]

    def do(self, wanted: Call) -> Result:
        """List, hold, let go, or end."""
        if wanted.operator == "list":
            self.open = wanted["day"] == self.day
            head = Fact("| Room | Seats |\n|---|---|")
            return [head, Rows("rooms", "| {room} | {seats} |", self.rows if self.open else [])]
        if wanted.operator == "hold":
            room, reference = wanted["room"], self.identifier("H####")
            self.references = {reference: room}
            kept = self.equipment[room]
            text = f"{room} is held.\nreference: {reference}\nequipment: {kept}"
            return [Fact(text, {"room": room, "reference": reference, "equipment": kept})]
        if wanted.operator == "release":
            self.references = {}
            return [Fact("Released.", {"released": True})]
        if wanted.operator == "confirm":
            self.end(won=self.references[wanted["reference"]] == self.room)
            return [Fact("Confirmed.", {"confirmed": True})]
        self.end(won=not self.room and not self.references)
        return [Fact("Told.", {"told": True})]

    def expert(self) -> Iterator[Call]:
        """Hold the rooms that are large enough from top to bottom."""
        yield call("list", day=self.day)
        for row in self.rows:
            if int(str(row["seats"])) < self.seats:
                continue
            yield call("hold", room=row["room"])
            (reference,) = self.references
            if row["room"] == self.room:
                yield call("confirm", reference=reference)
                return
            yield call("release", reference=reference)
        yield call("none", person=self.person)
