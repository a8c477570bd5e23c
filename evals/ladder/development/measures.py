"""Worlds in which a row is wanted for a number or a date."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from ..names import CITIES, PEOPLE, SURNAMES
from ..world import Call, Fact, Operator, Result, call
from .lists import Listing, Row

__all__ = ["DentistDiary", "FreightOffers", "HotelRooms"]


class HotelRooms(Listing):
    """A guest wants the dearest room of a kind that costs at most so much."""

    name = "hotel-rooms"
    difficulty = "of a category's rows, the one nearest below the limit of the task is chosen"
    operators = (
        Operator("rooms", "check the vacant rooms", about="See the rooms."),
        Operator("select", "select {room} for the guest", ("room",), "Select a room."),
        Operator("confirm", "confirm the stay", about="Book the room that is selected; final."),
        Operator("decline", "decline the guest", about="Send the guest away; final."),
    )
    horizon = 12
    title = "Vacant tonight"
    subject = "rooms"
    line = "Room {room} ({kind}): {metres} square metres, {price} euros"

    def begin(self) -> tuple[str, Result]:
        """Draw a limit; rooms of this kind and of others on both sides of it."""
        (person,), self.choice = self.draw(PEOPLE), ""
        kind, *others = self.rng.sample(("single", "double", "triple", "family"), 4)
        limit, between = self.rng.randint(61, 159), self.rng.randint
        below = self.rng.choice((0, between(1, 9), between(10, 25), between(10, 25)))
        prices = [limit - below, limit - below - between(2, 20)]
        prices += [limit + between(1, 4), limit + self.rng.choice((-1, 1)) * between(46, 60)]
        kinds = [kind] * 4 + [self.rng.choice(others) for _ in range(6)]
        prices += [limit - between(26, 40), limit - between(0, below), limit - between(0, 40)]
        prices += [limit + between(1, 4), limit + between(1, 60), between(25, 200)]
        rooms = self.rng.sample(range(101, 600), 10)
        self.lay(
            [
                {"room": room, "kind": k, "metres": between(12, 48), "price": price}
                for room, k, price in zip(rooms, kinds, prices, strict=True)
            ]
        )
        wish = f"{person} wants the dearest {kind} room for at most {limit} euros."
        return wish, [Fact("A guest stands at the desk.", {"desk": "a guest"})]

    def uses(self) -> list[Call]:
        """Select any room, book the one that is selected, or send the guest away."""
        calls = [call("select", room=row["room"]) for row in self.rows]
        return [*calls, call("decline"), *([call("confirm")] if self.choice else [])]

    def use(self, wanted: Call) -> Result:
        """Select a room; booking another than the fitting one is wrong."""
        if wanted.operator == "select":
            self.choice = wanted["room"]
            return [Fact(f"The guest gets key {self.choice}.", {"key": int(self.choice)})]
        self.end(won=wanted.operator == "confirm" and self.choice == str(self.goal["room"]))
        return [Fact("The desk is empty.", {"desk": "empty"})]

    def expert(self) -> Iterator[Call]:
        """See the rooms, book the one within the limit."""
        yield self.look()
        yield call("select", room=self.goal["room"])
        yield call("confirm")


class FreightOffers(Listing):
    """Of the carriers that go the wanted way, the one that asks least is hired."""

    name = "freight-offers"
    difficulty = "among the rows of a category the one with the least number is chosen"
    operators = (
        Operator("offers", "request offers", about="See what carriers ask."),
        Operator("hire", "hire {carrier} at {price} euros", ("price",), "Hire a carrier; final."),
    )
    horizon = 8
    title = "Offers received:"
    subject = "offers"
    line = "{days} days by {way}, {price} euros: {carrier}"

    def begin(self) -> tuple[str, Result]:
        """Draw four offers for the wanted way, six for others, one of them the cheapest of all."""
        (city,), carriers = self.draw(CITIES), self.draw(SURNAMES, 10)
        way, *others = self.rng.sample(("rail", "road", "sea", "air"), 4)
        least = self.rng.randint(70, 990)
        prices = [least, *self.rng.sample(range(least + 1, least + 40), 2)]
        prices.append(least + self.rng.randint(40, 900))
        prices += [least - self.rng.randint(5, 50), least - self.rng.randint(1, 9)]
        prices += [self.rng.randint(50, 1500) for _ in range(4)]
        ways = [way] * 4 + [self.rng.choice(others) for _ in range(6)]
        days = self.rng.sample(range(2, 40), 10)
        table = zip(carriers, ways, prices, days, strict=True)
        rows: list[Row] = [{"carrier": c, "way": w, "price": p, "days": d} for c, w, p, d in table]
        self.lay(rows)
        start = Fact("A crate is packed.", {"crate": "packed"})
        return f"The crate goes to {city} by {way}. Take the cheapest carrier for that.", [start]

    def uses(self) -> list[Call]:
        """Hire a carrier at its price or at that of the row below."""
        prices = [row["price"] for row in self.rows]
        pairs = [*zip(self.rows, prices, strict=True)]
        pairs += zip(self.rows, [*prices[1:], prices[0]], strict=True)
        return [call("hire", carrier=row["carrier"], price=price) for row, price in pairs]

    def use(self, wanted: Call) -> Result:
        """Hire a carrier, rightly or wrongly."""
        right = call("hire", carrier=self.goal["carrier"], price=self.goal["price"])
        self.end(won=wanted == right)
        return [Fact("The crate is on its way.", {"crate": "on its way"})]

    def expert(self) -> Iterator[Call]:
        """See the offers, hire the cheapest for this way."""
        yield self.look()
        yield call("hire", carrier=self.goal["carrier"], price=self.goal["price"])


class DentistDiary(Listing):
    """A patient gets the first appointment on or after a date."""

    name = "dentist-diary"
    difficulty = "the row with the first date on or after the date of the task is chosen"
    operators = (
        Operator("diary", "go to the diary", about="See the free appointments."),
        Operator("note", "note {patient} in line {number}", ("number",), "Give it away; final."),
    )
    horizon = 8
    title = "Free appointments"
    subject = "appointments"
    line = "line {number}; {day} at {time} with Dr. {doctor}"

    def begin(self) -> tuple[str, Result]:
        """Draw a date, appointments a little and long before it and after it."""
        (patient,), doctors = self.draw(PEOPLE), self.draw(SURNAMES, 3)
        self.patient, between = patient, self.rng.randint
        soonest = date(2024, 1, 1) + timedelta(days=between(60, 900))
        wait = self.rng.choice((0, between(1, 3), between(4, 20), between(4, 20)))
        waits = [wait, wait + 1, wait + between(2, 9), wait + between(10, 90), wait + 365]
        waits += [wait + between(91, 300), -1, -between(2, 6), -between(7, 50), -between(51, 300)]
        numbers = self.rng.sample(range(10, 100), len(waits))
        self.lay(
            [
                {
                    "number": number,
                    "day": (soonest + timedelta(days=days)).isoformat(),
                    "time": f"{between(8, 17):02}:30",
                    "doctor": self.rng.choice(doctors),
                }
                for number, days in zip(numbers, waits, strict=True)
            ]
        )
        start = Fact("The telephone rings.", {"telephone": "rings"})
        wish = f"the first free appointment on {soonest.isoformat()} or later"
        return f"{patient} would like {wish}.", [start]

    def uses(self) -> list[Call]:
        """Note the patient in any line."""
        return [call("note", patient=self.patient, number=row["number"]) for row in self.rows]

    def use(self, wanted: Call) -> Result:
        """Give an appointment away, rightly or wrongly."""
        self.end(won=wanted["number"] == str(self.goal["number"]))
        return [Fact(f"It is noted for {self.patient}.", {"patient": self.patient})]

    def expert(self) -> Iterator[Call]:
        """See the diary, take the first date that is late enough."""
        yield self.look()
        yield call("note", patient=self.patient, number=self.goal["number"])
