"""Counters and stores: parcels are packed, cars come back, goods are recalled, stays move."""

from __future__ import annotations

from datetime import date, timedelta
from typing import ClassVar

from ...ladder.names import CITIES, COLOURS, PEOPLE, PRODUCTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of, worded
from ..desk import Desk


class BoxCarrier(Desk):
    """The smallest box that holds the weight; where it goes decides papers and carrier."""

    name = "box-carrier"
    difficulty = "a product of two numbers, the least row that holds it, a class mapped to another"
    operators = (
        Operator("order", "order {order}", about="An order as CSV."),
        Operator("boxes", "boxes", about="What boxes there are."),
        Operator("zone", "zone of {town}", about="Where a town is."),
        Operator("pack", "pack {order} into {box}", about="Uses the box up."),
        Operator("customs", "print customs form for {order}", about="Papers."),
        Operator("hand", "hand {order} to {carrier}", about="Final."),
    )
    changing, irrevocable, finals = ("pack", "customs"), ("pack", "customs"), ("hand",)
    horizon = 10

    wordings = (
        "Get order {order} out of the house.",
        "{person} at the ramp: order {order} is next. Pack it and hand it over.",
        "Ship {order}, smallest box that will do.",
    )
    carriers: ClassVar[dict[str, str]] = {
        "inland": "post",
        "union": "roadline",
        "world": "airfreight",
    }

    def begin(self) -> tuple[str, Result]:
        """Draw an order and boxes."""
        (self.item,), (person,) = self.draw(PRODUCTS), self.draw(PEOPLE)
        self.town, other = self.draw(CITIES, 2)
        self.order = self.identifier("W#####")
        self.zone = case_of(self.name, self.task, ("inland", "union", "world"))
        self.count, self.each = self.rng.randint(2, 7), self.rng.randint(2, 9)
        weight, boxes = self.count * self.each, self.draw(COLOURS, 5)
        small = self.rng.randint(1, 3)
        holds = self.rng.sample(range(1, weight), small) if weight > small else [1]
        holds += self.rng.sample(range(weight + 1, weight + 40), 5 - len(holds))
        rows: list[dict[str, Value]] = [
            {"box": f"{colour} box", "max_kg": kg, "left": self.rng.randint(3, 80)}
            for colour, kg in zip(boxes, holds, strict=True)
        ]
        best = min(
            (row for row in rows if int(str(row["max_kg"])) >= weight),
            key=lambda row: int(str(row["max_kg"])),
        )
        self.rows = self.arranged(rows, best)
        packs = [call("pack", order=self.order, box=row["box"]) for row in rows]
        customs = call("customs", order=self.order)
        plan = [call("order", order=self.order), call("boxes"), packs[rows.index(best)]]
        plan += [call("zone", town=self.town), *([customs] if self.zone == "world" else [])]
        plan.append(call("hand", order=self.order, carrier=self.carriers[self.zone]))
        offered = [*packs, customs, call("zone", town=other)]
        offered += [call("hand", order=self.order, carrier=c) for c in self.carriers.values()]
        self.lay_out(plan, offered)
        asked = self.rng.choice(self.wordings).format(order=self.order, person=person)
        return asked, [Fact("Packing station 4", {"station": 4})]

    def answer(self, wanted: Call) -> Result:
        """Show, pack, print or hand over."""
        if wanted.operator == "order":
            data: dict[str, Value] = {"order": self.order, "item": self.item}
            data |= {"quantity": self.count, "kg_each": self.each, "town": self.town}
            return [Fact(f"{','.join(data)}\n{','.join(str(v) for v in data.values())}", data)]
        if wanted.operator == "boxes":
            return [Fact("box,max_kg,left"), Rows("boxes", "{box},{max_kg},{left}", self.rows)]
        if wanted.operator == "zone":
            if wanted["town"] != self.town:
                return [Fact("Not on the list of today.", {"error": "not on the list"})]
            return [Fact(f"{self.town} is in zone {self.zone}.", {"zone": self.zone})]
        if wanted.operator == "hand":
            return [Fact(f"Taken by {wanted['carrier']}.", {"taken": True})]
        return [Fact("OK", {"ok": True})]


class CarReturn(Desk):
    """What is owed for kilometres and fuel is charged; a damaged car goes to the workshop."""

    name = "car-return"
    difficulty = (
        "a difference is charged if there is one; an optional step; a class decides the end"
    )
    operators = (
        Operator("contract", "contract {contract}", about="A contract."),
        Operator("inspect", "inspect {plate}", about="What the yard says."),
        Operator("distance", "charge {km} km on {contract}", ("km",), "Kilometres too many."),
        Operator("fuel", "charge refuelling on {contract}", about="Fuel is missing."),
        Operator("release", "release {plate}", about="Ready for the next. Final."),
        Operator("workshop", "send {plate} to the workshop", about="Final."),
    )
    changing, irrevocable = ("distance", "fuel"), ("distance", "fuel")
    finals, free = ("release", "workshop"), ("distance", "inspect")
    horizon = 9

    wordings = (
        "{person} brings back the car of contract {contract}.",
        "Check in contract {contract}, please.",
        "Car return, contract {contract} ({person}): charge what is owed.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a contract and the state of the car."""
        (first,), (last,), (self.town,) = (self.draw(p) for p in (PEOPLE, SURNAMES, CITIES))
        self.person, self.contract = f"{first} {last}", self.identifier("RC-#####")
        self.plate = self.identifier("AA ### AA")
        cases = tuple((a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1))
        far, empty, hurt = case_of(self.name, self.task, cases)
        start = self.rng.randint(8_000, 90_000)
        paid = start + self.rng.randrange(200, 2000, 50)
        extra = self.rng.randint(6, 640) if far else 0
        came = paid + extra if far else self.rng.randint(start + 30, paid - 5)
        self.start, self.paid, self.came = (f"{n:,}" for n in (start, paid, came))
        self.tank = self.rng.choice(("half", "quarter", "three quarters")) if empty else "full"
        self.damage = self.rng.choice(("dent", "scratch", "broken glass")) if hurt else "none"
        ends = [call("release", plate=self.plate), call("workshop", plate=self.plate)]
        fuel = call("fuel", contract=self.contract)
        plan = [call("contract", contract=self.contract), call("inspect", plate=self.plate)]
        plan += [call("distance", km=extra, contract=self.contract)] if far else []
        plan += [fuel] if empty else []
        wrong = [
            call("distance", km=n, contract=self.contract) for n in (extra + 100, came - start)
        ]
        self.lay_out([*plan, ends[hurt]], [*ends, fuel, *wrong])
        asked = self.rng.choice(self.wordings).format(person=self.person, contract=self.contract)
        return asked, [Fact("Return desk", {"lane": self.rng.randint(1, 4)})]

    def answer(self, wanted: Call) -> Result:
        """Show, charge or end."""
        if wanted.operator == "contract":
            data: dict[str, Value] = {"plate": self.plate, "renter": self.person}
            data |= {"station": self.town, "odometer_out": f"{self.start} km"}
            data |= {"paid_up_to": f"{self.paid} km"}
            lines = "\n".join(
                f"| {key.replace('_', ' ')} | {value} |" for key, value in data.items()
            )
            return [Fact(f"| field | value |\n|---|---|\n{lines}", data)]
        if wanted.operator == "inspect":
            if wanted["plate"] != self.plate:
                return [Fact("No such car in the yard.", {"error": "no such car"})]
            text = f"Odometer: {self.came} km\nTank: {self.tank}\nDamage: {self.damage}"
            data = {"odometer": f"{self.came} km", "tank": self.tank, "damage": self.damage}
            return [Fact(text, data)]
        if wanted.operator == "distance" and wanted["contract"] != self.contract:
            return [Fact("No such contract.", {"error": "no such contract"})]
        return [Fact("Noted.", {"noted": wanted.operator})]


class RecallNotice(Desk):
    """Batches of a maker up to a date leave the shelf, and how many pieces that were is told."""

    name = "recall-notice"
    difficulty = "each row of a maker up to a date in another notation; their sum is typed"
    operators = (
        Operator("notice", "read notice {notice}", about="A recall."),
        Operator("stock", "stock of {product}", about="Batches of a product."),
        Operator("pull", "pull batch {batch}", about="Off the shelf, into the bin."),
        Operator("report", "report {pieces} pieces on {notice}", ("pieces",), "Final."),
    )
    changing, irrevocable, finals, free = ("pull",), ("pull",), ("report",), ("report",)
    horizon = 8

    wordings = (
        "Notice {notice} came in this morning.",
        "Please carry out recall notice {notice} in our store.",
        "{person} asks you to work through notice {notice} and to report.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a notice and batches."""
        (person,), makers, (self.product,) = (
            self.draw(PEOPLE),
            self.draw(SURNAMES, 2),
            self.draw(PRODUCTS),
        )
        self.notice, self.maker = self.identifier("RN-####"), makers[0]
        self.until = date(2026, 2, 1) + timedelta(self.rng.randint(0, 300))
        bad = case_of(self.name, self.task, (0, 1, 2, 3))
        kinds = [(makers[0], -1)] * bad + [(makers[0], 1)] * self.rng.randint(1, 2)
        kinds += [(makers[1], -1), (makers[1], 1)][: self.rng.randint(1, 2)]
        rows: list[dict[str, Value]] = [
            {
                "batch": self.identifier("A####"),
                "maker": maker,
                "best_before": (self.until + timedelta(s * self.rng.randint(1, 80))).isoformat(),
                "pieces": self.rng.randint(2, 60),
            }
            for maker, s in kinds
        ]
        due = rows[:bad]
        self.rows = self.arranged(rows, *due)
        total = sum(int(str(row["pieces"])) for row in due)
        plan = [call("notice", notice=self.notice), call("stock", product=self.product)]
        plan += [call("pull", batch=row["batch"]) for row in self.rows if row in due]
        plan.append(call("report", pieces=total, notice=self.notice))
        offered = [call("pull", batch=row["batch"]) for row in rows]
        wrong = (0, total + 3, sum(int(str(row["pieces"])) for row in rows))
        offered += [call("report", pieces=n, notice=self.notice) for n in wrong]
        self.lay_out(plan, offered)
        asked = self.rng.choice(self.wordings).format(notice=self.notice, person=person)
        return asked, [Fact("Store 12, recalls: 1 new", {"new": 1})]

    def answer(self, wanted: Call) -> Result:
        """Show, pull or report."""
        if wanted.operator == "notice":
            day = worded(self.until)
            text = f"Recall {self.notice}\n\nProduct: {self.product}\nMaker: {self.maker}\n"
            text += f"Take all batches best before {day} or earlier off the shelf."
            data: dict[str, Value] = {"product": self.product, "maker": self.maker}
            return [Fact(text, data | {"best_before_until": day})]
        if wanted.operator == "stock":
            head = (
                "| batch | maker | best before | pieces |\n|-------|-------|-------------|--------|"
            )
            line = "| {batch} | {maker} | {best_before} | {pieces} |"
            return [Fact(head), Rows("batches", line, self.rows)]
        if wanted.operator == "report" and wanted["notice"] != self.notice:
            return [Fact("No such notice.", {"error": "no such notice"})]
        return [Fact("Thank you, noted.", {"noted": True})]


class StayChange(Desk):
    """A guest's stay moves if the fare lets it and a room is free; a fee is charged first."""

    name = "stay-change"
    difficulty = (
        "a chat tells a code; a class decides whether and for what fee; a row has room or not"
    )
    operators = (
        Operator("ask", "ask {guest} for the booking code", about="Writes in the chat."),
        Operator("booking", "open booking {code}", about="A booking."),
        Operator("fares", "fare rules", about="What a change costs."),
        Operator("rooms", "rooms on {day}", about="What is free."),
        Operator("charge", "charge {fee} EUR to {code}", ("fee",), "Takes money."),
        Operator("move", "move {code} to {day}", about="Final."),
        Operator("wait", "waitlist {code} for {day}", about="Final."),
        Operator("decline", "decline change of {code}", about="Final."),
    )
    changing, irrevocable = ("charge",), ("charge",)
    finals, free = ("move", "wait", "decline"), ("booking", "rooms")
    horizon = 10

    wordings = (
        "{guest} is in the chat and wants another date.",
        "Answer the chat of {guest}, please: change of a stay.",
        "Chat with {guest} is waiting, it is about moving a booking.",
    )
    openings = (
        "Hi, something came up. Could I come on {day} instead?",
        "Good morning! Please move my stay to {day}, if possible.",
        "hello i need a new date, {day} would be great",
    )
    replies = ("It is {code}.", "sure: {code}, thanks", "My code? {code}, I think.")

    def begin(self) -> tuple[str, Result]:
        """Draw a guest, a booking, fares and rooms."""
        (self.guest,), (self.last,) = self.draw(PEOPLE), self.draw(SURNAMES)
        (self.hotel,) = self.draw(CITIES)
        self.code = self.identifier("AA####")
        day = date(2026, 1, 20) + timedelta(self.rng.randint(0, 320))
        self.day, other = day.isoformat(), (day + timedelta(7)).isoformat()
        case = case_of(self.name, self.task, ("flex", "standard", "saver", "full"))
        self.fare = self.rng.choice(("flex", "standard")) if case == "full" else case
        fee = self.rng.randint(15, 95)
        self.fares: list[dict[str, Value]] = [
            {"fare": "flex", "change": "allowed", "fee": 0},
            {"fare": "standard", "change": "allowed", "fee": fee},
            {"fare": "saver", "change": "not allowed", "fee": 0},
        ]
        kinds = self.rng.sample(("single", "double", "family", "suite"), 4)
        self.kind = kinds[0]
        rooms: list[dict[str, Value]] = [
            {"kind": kind, "free": self.rng.choice((0, *range(1, 6))), "price": 40 + 9 * i}
            for i, kind in enumerate(kinds)
        ]
        rooms[0]["free"] = 0 if case == "full" else self.rng.randint(1, 6)
        self.rooms = self.arranged(rooms, rooms[0])
        moves = [call("move", code=self.code, day=each) for each in (self.day, other)]
        waits = [call("wait", code=self.code, day=each) for each in (self.day, other)]
        decline = call("decline", code=self.code)
        charges = [call("charge", fee=n, code=self.code) for n in (fee, fee + 10)]
        plan = [call("ask", guest=self.guest), call("booking", code=self.code), call("fares")]
        if case == "saver":
            plan.append(decline)
        else:
            plan.append(call("rooms", day=self.day))
            plan += [charges[0]] if case == "standard" else []
            plan.append(waits[0] if case == "full" else moves[0])
        self.lay_out(plan, [*moves, *waits, *charges, decline, call("rooms", day=self.day)])
        said = self.rng.choice(self.openings).format(day=self.day)
        self.reply = self.rng.choice(self.replies).format(code=self.code)
        asked = self.rng.choice(self.wordings).format(guest=f"{self.guest} {self.last}")
        return asked, [Fact(f"{self.guest}: {said}", {"guest": self.guest, "message": said})]

    def answer(self, wanted: Call) -> Result:
        """Ask, show, charge or end."""
        if wanted.operator == "ask":
            return [Fact(f"{self.guest}: {self.reply}", {"message": self.reply})]
        if wanted.operator == "booking":
            if wanted["code"] != self.code:
                return [Fact("No such booking.", {"error": "no such booking"})]
            data: dict[str, Value] = {"hotel": self.hotel, "name": f"{self.guest} {self.last}"}
            data |= {"fare": self.fare, "room": self.kind}
            text = f"{self.code}: {self.kind} room in {self.hotel}, fare {self.fare}, "
            return [Fact(f"{text}booked by {self.guest} {self.last}", data)]
        if wanted.operator == "fares":
            line = "- {fare}: change {change}, fee EUR {fee}"
            return [Rows("fares", line, self.fares)]
        if wanted.operator == "rooms":
            if wanted["day"] != self.day:
                return [Fact("Nothing known of that day.", {"error": "nothing known"})]
            line = "{kind:<8}  {free} free  EUR {price}"
            return [Rows("rooms", line, self.rooms)]
        return [Fact("Done.", {"done": wanted.operator})]
