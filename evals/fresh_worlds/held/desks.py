# ruff: noqa: RUF001 - Cyrillic text is meant
"""Desks and forms: menus, two languages, optional extras, and people of the same name."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import CITIES, PEOPLE, PRODUCTS, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, World, call

_FOREIGN = (
    "Анна",
    "Борис",
    "Вера",
    "Григорий",
    "Дарья",
    "Егор",
    "Жанна",
    "Захар",
    "Ирина",
    "Кирилл",
    "Лидия",
    "Максим",
    "ليلى",
    "يوسف",
    "مريم",
    "كريم",
    "سارة",
    "عمر",
    "נועה",
    "דוד",
    "Zoë",
    "Ångström",
    "Łukasz",
    "Çelik",
    "Ñáñez",
    "Søren",
)


class Hotline(World):
    """Two menus, read out as sentences; the keys change from call to call."""

    name = "hotline"
    difficulty = "options are numbered anew in each call, and a sentence tells which key is which"
    operators = (
        Operator("dial", "dial the hotline"),
        Operator("press", "press {key}", ("key",), "Press a key."),
    )
    horizon = 5

    def begin(self) -> tuple[str, Result]:
        """Draw the options of both menus."""
        teams, towns = self.draw(TEAMS, 4), self.draw(CITIES, 4)
        self.right: list[str] = []
        self.menus = []
        for topics in (teams, towns):
            keys = self.rng.sample(range(1, 10), 4)
            options = [
                {"key": key, "topic": topic} for key, topic in zip(keys, topics, strict=True)
            ]
            self.right.append(str(keys[0]))
            self.menus.append(self.arranged(options, options[0]))
        self.place = -1
        asked = f"Get me {teams[0]} on the phone, the branch in {towns[0]}."
        return asked, [Fact("The telephone is free.", {"telephone": "free"})]

    def possible(self) -> list[Call]:
        """Dialling; then every key that is told."""
        if self.place < 0:
            return [call("dial")]
        return [call("press", key=option["key"]) for option in self.menus[self.place]]

    def do(self, wanted: Call) -> Result:
        """Tell the next menu, or end."""
        if wanted.operator == "press" and wanted["key"] != self.right[self.place]:
            self.end(won=False)
            return [Fact("A wrong number; they ring off.", {"connected": False})]
        self.place += 1
        if self.place == 2:
            self.end(won=True)
            return [Fact("You are put through.", {"connected": True})]
        options = self.menus[self.place]
        pattern = ("press {key} for {topic}", "for {topic}, it is {key}")[self.place]
        said = "; ".join(pattern.format(**each) for each in options)
        text = f'"{said[0].upper()}{said[1:]}."'
        return [Fact(text, {"options": options})]  # type: ignore[dict-item]

    def expert(self) -> Iterator[Call]:
        """Dial, press what is told."""
        yield call("dial")
        for key in self.right:
            yield call("press", key=key)


class Bilingual(World):
    """Requests come in two languages that name the places in another order."""

    name = "bilingual"
    difficulty = "requests in two languages, places in either order, names in several scripts"
    operators = (
        Operator("ride", "{origin} >> {target}, {person}", about="Enter a ride."),
        Operator("book", "book it", about="Book what is entered; final."),
    )
    horizon = 5

    requests = (
        "Please book a ride to {target} for {person}, starting in {origin}.",
        "Bitte buche für {person} eine Fahrt von {origin} nach {target}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a person, two places and the language."""
        (self.person,) = self.draw(_FOREIGN)
        self.origin, self.target = self.draw(CITIES, 2)
        names = {"origin": self.origin, "target": self.target, "person": self.person}
        asked = self.rng.choice(self.requests).format(**names)
        self.entry: Call | None = None
        return asked, [Fact("Keine Fahrt / no ride", {"ride": None})]

    def possible(self) -> list[Call]:
        """Both directions, booking."""
        towns = [self.origin, self.target]
        ways = [(towns[0], towns[1]), (towns[1], towns[0])]
        rides = [call("ride", origin=a, target=b, person=self.person) for a, b in ways]
        return [*rides, *([call("book")] if self.entry else [])]

    def accepts(self, wanted: Call) -> bool:
        """Any ride; booking one that is entered."""
        return wanted.operator == "ride" or self.entry is not None

    def do(self, wanted: Call) -> Result:
        """Enter, or end."""
        if wanted.operator == "book":
            right = call("ride", origin=self.origin, target=self.target, person=self.person)
            self.end(won=self.entry == right)
            return [Fact("Gebucht / booked", {"booked": True})]
        self.entry = wanted
        text = f"{wanted['origin']} >> {wanted['target']} ({wanted['person']})? OK?"
        return [Fact(text, wanted.values)]

    def expert(self) -> Iterator[Call]:
        """Enter and book."""
        yield call("ride", origin=self.origin, target=self.target, person=self.person)
        yield call("book")


class OptionalExtras(World):
    """What the task does not ask for is left alone."""

    name = "optional-extras"
    difficulty = "up to three optional steps, each only if a part of the task asks for it"
    operators = (
        Operator("pick", "put the {thing} into the cart"),
        Operator("wrap", "tick gift wrap"),
        Operator("note", "write the card: {words}"),
        Operator("shop", "collect it in {town}"),
        Operator("pay", "pay", about="Final."),
    )
    horizon = 9
    wishes = ("Get well soon", "Many thanks", "Happy birthday", "Good luck", "Welcome home")

    def begin(self) -> tuple[str, Result]:
        """Draw which extras are asked for."""
        goods, (person,), (town,) = self.draw(PRODUCTS, 4), self.draw(PEOPLE), self.draw(CITIES)
        self.goods, wish = self.arranged(goods, goods[0]), self.rng.choice(self.wishes)
        self.extras = [
            (", gift-wrapped", call("wrap")),
            (f', with a card that says "{wish} {person}"', call("note", words=f"{wish} {person}")),
            (f", to be collected in {town}", call("shop", town=town)),
        ]
        asked = [extra for extra in self.extras if self.rng.random() < 0.5]
        self.right = [call("pick", thing=goods[0]), *(wanted for _, wanted in asked)]
        self.steps: list[Call] = []
        text = f"Order a {goods[0]}{''.join(words for words, _ in asked)}."
        rows = Rows("shelf", "- {thing}", [{"thing": each} for each in self.goods])
        return text, [Fact("The cart is empty. We have:", {"cart": "empty"}), rows]

    def possible(self) -> list[Call]:
        """All goods, all extras, paying."""
        picks = [call("pick", thing=each) for each in self.goods]
        return [*picks, *(wanted for _, wanted in self.extras), call("pay")]

    def accepts(self, wanted: Call) -> bool:
        """Any words and town; goods on the shelf."""
        return wanted.operator != "pick" or wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Take a step that stays, or end."""
        if wanted.operator == "pay":
            steps = [(each.operator, each.arguments) for each in self.steps]
            right = [(each.operator, each.arguments) for each in self.right]
            self.end(won=sorted(set(steps)) == sorted(right))
            return [Fact("Paid. Thanks for your order.", {"paid": True})]
        self.steps.append(wanted)
        return [Fact("OK, that is in your order.", {"steps": len(self.steps)})]

    def expert(self) -> Iterator[Call]:
        """Pick, add what is asked for, pay."""
        yield from self.right
        yield call("pay")


class TwinCards(World):
    """Half of the test has two people of the full name that the task says."""

    name = "twin-cards"
    difficulty = "a row has the full name of the task; in half of the test two rows have it"
    operators = (
        Operator("find", "find {surname}"),
        Operator("block", "block card {card}", about="Final."),
    )
    horizon = 5
    abstaining = True

    def begin(self) -> tuple[str, Result]:
        """Draw people of one surname."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        surnames, first = self.draw(SURNAMES, 3), self.draw(PEOPLE, 5)
        towns = self.draw(CITIES, 5)
        if self.unsettled:
            first[1] = first[0]
        cards = [self.identifier("##-###-A") for _ in range(5)]
        rows: list[dict[str, str]] = [
            {"card": card, "first": name, "surname": surnames[0], "town": town}
            for card, name, town in zip(cards, first, towns, strict=True)
        ]
        self.card, self.rows = cards[0], self.arranged(rows, rows[0])
        self.surname, self.surnames = surnames[0], self.arranged(surnames, surnames[0])
        asked = f"{first[0]} {self.surname} has lost the card. Block it."
        names = ", ".join(self.surnames)
        return asked, [Fact(f"Card office. Files: {names}", {"files": names})]

    def possible(self) -> list[Call]:
        """All files; cards that were shown."""
        cards = [row["card"] for row in self.rows] if self.met else []
        return [*(call("find", surname=s) for s in self.surnames)] + [
            call("block", card=each) for each in cards
        ]

    def do(self, wanted: Call) -> Result:
        """Show people, or end."""
        if wanted.operator == "block":
            self.end(won=wanted["card"] == self.card and not self.unsettled)
            return [Fact("The card is blocked.", {"blocked": wanted["card"]})]
        if wanted["surname"] != self.surname:
            return [Fact("Nobody of that name.", {"people": []})]  # type: ignore[dict-item]
        self.met = True
        return [Rows("people", "{first} {surname} from {town} ({card})", self.rows)]

    def expert(self) -> Iterator[Call]:
        """Find, block."""
        yield call("find", surname=self.surname)
        yield call("block", card=self.card)
