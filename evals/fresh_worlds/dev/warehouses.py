"""Stock, labels and bills: what a warehouse and its shop do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ...ladder.names import CITIES, PEOPLE, PRODUCTS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call


class StockTransfer(World):
    """Goods come from the store that has most left once what is reserved is taken off."""

    name = "stock-transfer"
    difficulty = "the row with the greatest difference of two columns; stock may fall short"
    operators = (
        Operator("stock", "show stock of {item}", about="Show what each store has."),
        Operator("reserve", "reserve {count} {item} in {store}", ("count",), "Set goods aside."),
        Operator("send", "send {count} {item} from {store} to {town}", ("count",), "Final."),
    )
    horizon = 6
    abstaining = True

    def begin(self) -> tuple[str, Result]:
        """Draw stores with what they have and what is reserved there."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        self.items = self.draw(PRODUCTS, 3)
        self.item = self.items[0]
        self.town, *stores = self.draw(CITIES, 8)
        left = dict(zip(stores, self.rng.sample(range(5, 60), 7), strict=True))
        self.stores = stores
        self.store = max(stores, key=lambda store: left[store])
        most = left[self.store]
        self.count = most + self.rng.randint(2, 9) if self.unsettled else self.rng.randint(2, most)
        reserved = {store: self.rng.randint(0, 70) for store in stores}
        self.rows: list[dict[str, Value]] = [
            {"store": s, "on_hand": left[s] + reserved[s], "reserved": reserved[s]} for s in stores
        ]
        self.shown = self.arranged(self.rows, self.rows[stores.index(self.store)])
        names = " / ".join(self.items)
        asked = f"Our shop in {self.town} needs {self.count} of article {self.item}."
        return asked, [Fact(f"STOCK MANAGER 4.2   articles: {names}", {"articles": names})]

    def possible(self) -> list[Call]:
        """Every article's stock; the count from every store."""
        count, item, town = self.count, self.item, self.town
        calls = [call("stock", item=each) for each in self.items]
        calls += [call("reserve", count=count, item=item, store=each) for each in self.stores]
        sends = [call("send", count=count, item=item, store=s, town=town) for s in self.stores]
        return [*calls, *sends]

    def do(self, wanted: Call) -> Result:
        """Show, set aside, or end."""
        if wanted.operator == "stock":
            item = wanted["item"]
            head = f"ARTICLE {item.upper()}\nSTORE            ON HAND  RESERVED"
            rows = self.shown if item == self.item else []
            line = "{store:<16} {on_hand:>7}  {reserved:>8}"
            return [Fact(head, {"article": item}), Rows("stores", line, rows)]
        store = wanted["store"]
        if wanted.operator == "reserve":
            (row,) = (row for row in self.rows if row["store"] == store)
            left = int(str(row["on_hand"])) - int(str(row["reserved"]))
            if left >= self.count:
                text = f"Reserved in {store}."
                return [Fact(text, {"state": "reserved", "store": store})]
            self.met = self.unsettled and store == self.store
            text = f"Not enough in {store}: {self.count - left} on back order."
            return [Fact(text, {"state": "back order", "store": store})]
        self.end(won=store == self.store and not self.unsettled)
        return [Fact("The van is loaded.", {"sent": True})]

    def expert(self) -> Iterator[Call]:
        """Show the stock, set aside, send."""
        yield call("stock", item=self.item)
        yield call("reserve", count=self.count, item=self.item, store=self.store)
        yield call("send", count=self.count, item=self.item, store=self.store, town=self.town)


class PostalLabels(World):
    """Postcode and town change places by the country."""

    name = "postal-labels"
    difficulty = "the country says which of two fields comes first; a country is new"
    operators = (
        Operator("address", "open the address of {person}", about="Show a customer's address."),
        Operator("label", "print label {person}, {first}, {second}", about="Final."),
    )
    horizon = 5
    abstaining = True

    postcode_first = ("Germany", "France", "Spain", "Poland")
    town_first = ("Great Britain", "Canada", "Australia", "Ireland")
    other = ("Hungary", "Japan", "Brazil", "Iran")

    def begin(self) -> tuple[str, Result]:
        """Draw customers, and where the one lives."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        self.people = self.draw(PEOPLE, 4)
        self.person = self.people[0]
        countries = (*self.postcode_first, *self.town_first)
        towns = self.draw(CITIES, 4)
        self.addresses: dict[str, dict[str, Value]] = {
            person: {
                "postcode": self.identifier("#####"),
                "town": town,
                "country": self.rng.choice(countries),
            }
            for person, town in zip(self.people, towns, strict=True)
        }
        if self.unsettled:
            self.addresses[self.person]["country"] = self.rng.choice(self.other)
        names = "; ".join(self.arranged(self.people, self.person))
        asked = f"A parcel goes to {self.person}. Print its label."
        return asked, [Fact(f"Address book: {names}", {"address_book": names})]

    def possible(self) -> list[Call]:
        """Every address; every label in both orders."""
        calls = [call("address", person=each) for each in self.people]
        for address in self.addresses.values():
            pair = address["postcode"], address["town"]
            for first, second in (pair, pair[::-1]):
                calls.append(call("label", person=self.person, first=first, second=second))
        return calls

    def do(self, wanted: Call) -> Result:
        """Show an address, or end."""
        person = wanted["person"]
        if wanted.operator == "address":
            self.met = self.met or (self.unsettled and person == self.person)
            address = self.addresses[person]
            text = f"{person}\nTown: {address['town']}\nPostcode: {address['postcode']}\n"
            text += f"Country: {address['country']}"
            return [Fact(text, {"name": person, **address})]
        right = not self.unsettled and wanted == self._label
        self.end(won=right)
        return [Fact("The printer hums.", {"printed": True})]

    @property
    def _label(self) -> Call:
        address = self.addresses[self.person]
        pair = address["postcode"], address["town"]
        first, second = pair if address["country"] in self.postcode_first else pair[::-1]
        return call("label", person=self.person, first=first, second=second)

    def expert(self) -> Iterator[Call]:
        """Open the address, print."""
        yield call("address", person=self.person)
        yield self._label


class MemberDiscount(World):
    """A bill's discount follows from the level of its customer's card, if there is a card."""

    name = "member-discount"
    difficulty = "bill, customer, level, percentage: each is looked up by the one before"
    operators = (
        Operator("bill", "open bill {bill}", about="Show a bill."),
        Operator("card", "scan the card of {person}", about="Show a customer's member card."),
        Operator("discount", "take {percent} % off bill {bill}", ("percent",), "Give a discount."),
        Operator("charge", "charge bill {bill}", about="Final."),
    )
    horizon = 7
    abstaining = True
    levels: ClassVar[tuple[str, ...]] = ("bronze", "silver", "gold")

    def begin(self) -> tuple[str, Result]:
        """Draw bills, customers, cards, and what a level is worth."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        self.people, goods = self.draw(PEOPLE, 3), self.draw(PRODUCTS, 3)
        self.percents = dict(zip(self.levels, self.rng.sample(range(3, 30), 3), strict=True))
        self.cards = {p: self.rng.choice(("", "", *self.levels, *self.levels)) for p in self.people}
        self.bills: dict[str, dict[str, Value]] = {
            self.identifier("#####"): {"customer": p, "item": g, "total": self.rng.randint(9, 300)}
            for p, g in zip(self.people, goods, strict=True)
        }
        self.bill = next(iter(self.bills))
        self.person = self.people[0]
        self.taken: list[Call] = []
        rows: list[dict[str, Value]] = [
            {"level": level, "percent": p} for level, p in self.percents.items()
        ]
        shown = self.arranged(rows, *(r for r in rows if r["level"] == self.cards[self.person]))
        head = Fact("=== TILL 3 ===   today's member discounts", {"till": 3})
        return f"Cash bill {self.bill}.", [head, Rows("discounts", "  {level}: {percent} %", shown)]

    def possible(self) -> list[Call]:
        """Every bill, every card, every discount."""
        calls = [call(n, bill=each) for n in ("bill", "charge") for each in self.bills]
        calls += [call("card", person=each) for each in self.people]
        for percent in self.percents.values():
            calls += [call("discount", percent=percent, bill=each) for each in self.bills]
        return calls

    def do(self, wanted: Call) -> Result:
        """Show, give a discount, or end."""
        if wanted.operator == "bill":
            number = wanted["bill"]
            data = self.bills[number]
            text = f"Bill {number}\n1 x {data['item']}\nTOTAL EUR {data['total']}.00\n"
            return [Fact(f"{text}Customer: {data['customer']}", {"bill": number, **data})]
        if wanted.operator == "card":
            return [self._card(wanted["person"])]
        if wanted.operator == "discount":
            self.taken.append(wanted)
            text = f"-{wanted['percent']} % on bill {wanted['bill']}"
            return [Fact(text, {"discounted": wanted["bill"]})]
        right = wanted["bill"] == self.bill and self.taken == self._discounts
        self.end(won=right and not self.unsettled)
        return [Fact("THANK YOU", {"charged": True})]

    def _card(self, person: str) -> Fact:
        if person == self.person and self.unsettled:
            self.met = True
            return Fact(f"{person}: card reported lost.", {"person": person, "card": "lost"})
        if level := self.cards[person]:
            text = f"{person}: {level} member."
            return Fact(text, {"person": person, "card": "valid", "level": level})
        return Fact(f"{person}: not a member.", {"person": person, "card": "none"})

    @property
    def _discounts(self) -> list[Call]:
        level = self.cards[self.person]
        percent = self.percents.get(level)
        return [call("discount", percent=percent, bill=self.bill)] if level else []

    def expert(self) -> Iterator[Call]:
        """Open the bill, scan the card, give what it is worth, charge."""
        yield call("bill", bill=self.bill)
        yield call("card", person=self.person)
        yield from self._discounts
        yield call("charge", bill=self.bill)
