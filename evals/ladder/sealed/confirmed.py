"""Worlds in which something is looked up or read again before it is made final."""

from __future__ import annotations

from collections.abc import Iterator

from ..names import CITIES, COLOURS, PEOPLE, PRODUCTS, SURNAMES
from ..world import Call, Fact, Operator, Result, Rows, World, call

__all__ = ["HarbourBarriers", "RentalTill", "WineClubCards"]


class RentalTill(World):
    """Three things are rung up; the sum that the till tells at last is collected."""

    name = "rental-till"
    difficulty = "the total that the last result tells is confirmed, not an earlier or partial one"
    operators = (
        Operator("ring_up", "ring up the {thing}", about="Add a thing to the bill."),
        Operator(
            "collect",
            "collect {amount} from {customer}",
            ("amount",),
            "Take the money, once and for all.",
        ),
    )
    horizon = 10

    def begin(self) -> tuple[str, Result]:
        """Draw things with prices, three of them wanted."""
        self.things, (self.customer,) = self.draw(PRODUCTS, 6), self.draw(SURNAMES)
        self.wanted = sorted(self.things[:3])
        prices = self.rng.sample(range(3, 80), 6)
        self.prices = dict(zip(self.things, prices, strict=True))
        self.order = self.rng.sample(range(3), 3)
        self.bill: list[str] = []
        self.amounts: list[int] = []
        rows = [{"thing": thing} for thing in self.arranged(self.things, *self.wanted)]
        one, two, three = self.wanted
        asked = f"{self.customer} rents the {one}, the {two} and the {three}. Take the money."
        return asked, [Rows("counter", "On the counter: {thing}", rows)]

    def possible(self) -> list[Call]:
        """Things, and the amounts that have been on the screen."""
        listed = [call("ring_up", thing=thing) for thing in self.things]
        paid = [call("collect", amount=x, customer=self.customer) for x in self.amounts]
        return [*listed, *paid]

    def accepts(self, wanted: Call) -> bool:
        """Any amount can be asked of the customer."""
        if wanted.operator == "collect":
            return wanted["amount"].isdecimal() and wanted["customer"] == self.customer
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Add to the bill, or take the money."""
        if wanted.operator == "collect":
            right = sorted(self.bill) == self.wanted and int(wanted["amount"]) == self._sum()
            self.end(won=right)
            return [Fact("The drawer of the till slams.", {"drawer": "slams"})]
        thing, before = wanted["thing"], self._sum()
        self.bill.append(thing)
        price, due = self.prices[thing], self._sum()
        self.amounts += [x for x in dict.fromkeys((price, before, due)) if x not in self.amounts]
        told = [
            Fact(f"One {thing} makes {price}.", {"thing": thing, "price": price}),
            Fact(f"Before it stood {before}.", {"before": before}),
            Fact(f"Now {due} is due.", {"due": due}),
        ]
        return [told[i] for i in self.order]

    def expert(self) -> Iterator[Call]:
        """Ring up the three, collect what is due."""
        for thing in self.wanted:
            yield call("ring_up", thing=thing)
        yield call("collect", amount=self._sum(), customer=self.customer)

    def _sum(self) -> int:
        return sum(self.prices[thing] for thing in self.bill)


class WineClubCards(World):
    """Cards tell surnames only; whose card it is says the question that is asked back."""

    name = "wine-club-cards"
    difficulty = "a final action asks back whom it means; another than the wanted one is declined"
    operators = (
        Operator("strike", "strike off card {card}", ("card",), "Ask for a card to be removed."),
        Operator("reply", "reply {word}", about="Answer the question with yes or no."),
    )
    horizon = 14

    def begin(self) -> tuple[str, Result]:
        """Draw the cards: three members share the surname."""
        first, surnames = self.draw(PEOPLE, 8), self.draw(SURNAMES, 6)
        families = [surnames[0]] * 3 + surnames[1:]
        cards = [str(card) for card in self.rng.sample(range(10, 100), 8)]
        self.members = dict(zip(cards, zip(first, families, strict=True), strict=True))
        self.wanted = self.members[cards[0]]
        self.card: str | None = None
        shown = self.arranged(cards, *cards[:3])
        self.rows: list[dict[str, str | int]]
        self.rows = [
            {"family": self.members[c][1], "since": self.rng.randint(1990, 2023), "card": int(c)}
            for c in shown
        ]
        asked = f"{' '.join(self.wanted)} leaves the wine club. Strike off the card."
        return asked, self._list()

    def possible(self) -> list[Call]:
        """Cards, or the two answers."""
        if self.card is not None:
            return [call("reply", word=word) for word in ("yes", "no")]
        return [call("strike", card=row["card"]) for row in self.rows]

    def do(self, wanted: Call) -> Result:
        """Ask back; a yes is final."""
        if wanted.operator == "strike":
            self.card = wanted["card"]
            name = " ".join(self.members[self.card])
            return [Fact(f"Do you really mean {name}?", {"really_mean": name})]
        card, self.card = self.card, None
        if wanted["word"] == "no":
            return self._list()
        self.end(won=card is not None and self.members[card] == self.wanted)
        return [Fact("The card is torn up.", {"card": "torn up"})]

    def expert(self) -> Iterator[Call]:
        """Try the cards of the surname from the top."""
        for row in self.rows:
            if row["family"] == self.wanted[1]:
                card = str(row["card"])
                yield call("strike", card=card)
                if self.members[card] == self.wanted:
                    yield call("reply", word="yes")
                    return
                yield call("reply", word="no")

    def _list(self) -> Result:
        head = Fact("The box of cards is open.", {"box": "open"})
        return [head, Rows("cards", "{family}, member since {since}, card {card}", self.rows)]


class HarbourBarriers(World):
    """Barriers could be raised all the time; only the ship tells which one is right."""

    name = "harbour-barriers"
    difficulty = "final actions are open all the time; the right one is looked up before acting"
    operators = (
        Operator("radio", "radio the ship {ship}", about="Ask a ship where it goes."),
        Operator("raise", "raise the {colour} barrier", about="Let a ship in, for good."),
    )
    horizon = 8

    def begin(self) -> tuple[str, Result]:
        """Draw ships, each bound for one dock and coming from another."""
        ships, self.colours = self.draw(CITIES, 3), self.draw(COLOURS, 5)
        self.ship = ships[0]
        self.routes = {ship: self.rng.sample(self.colours, 2) for ship in ships}
        self.turned = {ship: self.rng.random() < 0.5 for ship in ships}
        self.called: set[str] = set()
        near = [{"ship": ship} for ship in self.arranged(ships, self.ship)]
        shown = self.arranged(self.colours, self.routes[self.ship][0])
        bars = [{"barrier": colour} for colour in shown]
        seen = [
            Rows("ships", "Ship {ship} waits.", near),
            Rows("barriers", "{barrier} barrier", bars),
        ]
        return f"Let the ship {self.ship} into its dock.", seen

    def possible(self) -> list[Call]:
        """All of it at any time."""
        listed = [call("raise", colour=colour) for colour in self.colours]
        return [*listed, *(call("radio", ship=ship) for ship in self.routes)]

    def do(self, wanted: Call) -> Result:
        """Answer on the radio, or raise: too early is wrong as well."""
        if wanted.operator == "raise":
            bound = self.routes[self.ship][0]
            self.end(won=self.ship in self.called and wanted["colour"] == bound)
            return [Fact("The barrier is up.", {"barrier": "up"})]
        ship = wanted["ship"]
        self.called.add(ship)
        bound, left = self.routes[ship]
        told = [
            Fact(f"We are bound for the {bound} dock.", {"bound_for": bound}),
            Fact(f"We left the {left} dock at dawn.", {"left": left}),
        ]
        return told[::-1] if self.turned[ship] else told

    def expert(self) -> Iterator[Call]:
        """Ask the ship, raise its barrier."""
        yield call("radio", ship=self.ship)
        yield call("raise", colour=self.routes[self.ship][0])
