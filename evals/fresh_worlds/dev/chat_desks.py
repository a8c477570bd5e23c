"""Desks that answer in words: a chat about orders, a sign-up whose form objects."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import PEOPLE, PRODUCTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call
from ..shared import MONTHS


class OrderChat(World):
    """A customer asks in a chat where an order is, sometimes where another one is too."""

    name = "order-chat"
    difficulty = "a sentence made of fields that a result shows is sent; which one a state decides"
    operators = (
        Operator("look", "look up order {order}", about="Show an order."),
        Operator("reply", "reply: {text}", about="Write to the customer; cannot be taken back."),
        Operator("close", "close the chat", about="Final."),
    )
    horizon = 10

    pause = "One moment, please."
    replies = (
        ("shipped", "Order {order} is on its way with {carrier}. Tracking number: {tracking}."),
        ("delivered", "Order {order} was delivered on {date} and {signed} signed for it."),
        ("packing", "Order {order} is being packed. It leaves us on {date}."),
    )
    wordings = (
        "Answer {person} in the chat.",
        "{person} has written to us. Help, then close the chat.",
        "A chat is waiting: {person}.",
    )
    questions = (
        "Hi, where is my order {order}?",
        "hello? I am still waiting for {order}",
        "Good morning, could you tell me what has become of {order}?",
        "{order}, {item}. Any news?",
    )
    further = ("And {order}?", "Good. What about {order}, the {item}?", "ok. {order} too please")
    thanks = ("Thank you, that was all.", "thanks, bye", "Great, I have no more questions.")

    def begin(self) -> tuple[str, Result]:
        """Draw the orders of a customer, and which of them are asked for."""
        self.person, *signing = self.draw(PEOPLE, 4)
        goods = self.draw(PRODUCTS, 3)
        carriers = [f"{each} Parcels" for each in self.draw(SURNAMES, 3)]
        self.orders: dict[str, dict[str, str]] = {}
        for item, signed in zip(goods, signing, strict=True):
            state, _ = self.rng.choice(self.replies)
            order = self.identifier("A-####")
            fields = {"order": order, "item": item, "total": str(self.rng.randint(9, 400))}
            fields |= {"status": state}
            if state != "packing":
                fields |= {"carrier": self.rng.choice(carriers)}
                fields |= {"tracking": self.identifier("AA#######")}
            fields["date"] = f"{self.rng.randint(1, 28)} {self.rng.choice(MONTHS)}"
            if state == "delivered":
                fields["signed"] = signed
            self.orders[order] = fields
        self.asked = list(self.orders)[: self.rng.choice((1, 1, 2))]
        self.answered = 0
        self.pausing = self.rng.random() < 0.3
        self.seen: list[str] = []
        self.minute = self.rng.randint(0, 30)
        known = ", ".join(self.arranged(list(self.orders), self.asked[0]))
        said = self.rng.choice(self.questions).format(**self.orders[self.asked[0]])
        head = Fact(f"Orders of {self.person}: {known}", {"customer": self.person, "orders": known})
        return self.rng.choice(self.wordings).format(person=self.person), [head, self._says(said)]

    def _says(self, text: str) -> Fact:
        self.minute += 1
        time = f"10:{self.minute:02}"
        return Fact(f"[{time}] {self.person}: {text}", {"time": time, "message": text})

    def _answer(self, order: str) -> str:
        fields = self.orders[order]
        return dict(self.replies)[fields["status"]].format(**fields)

    def possible(self) -> list[Call]:
        """Every order; what can be said of those that were looked up."""
        texts = [self.pause]
        for order in self.seen:
            blank = {"carrier": "the post", "tracking": "unknown", "signed": self.person}
            texts += [text.format(**blank | self.orders[order]) for _, text in self.replies]
        return [
            *(call("look", order=each) for each in self.orders),
            *(call("reply", text=each) for each in texts),
            call("close"),
        ]

    def accepts(self, wanted: Call) -> bool:
        """Anything can be said."""
        return wanted.operator == "reply" or wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Show an order, or say something; a wrong answer makes the customer leave."""
        if wanted.operator == "look":
            order = wanted["order"]
            self.seen += [order] if order not in self.seen else []
            fields: dict[str, Value] = {**self.orders[order]}
            return [Fact("\n".join(f"{key}: {value}" for key, value in fields.items()), fields)]
        if wanted.operator == "close":
            self.end(won=self.answered == len(self.asked))
            return [Fact("The chat is closed.", {"closed": True})]
        if wanted["text"] == self.pause:
            return [self._says(self.rng.choice(("sure", "ok", "No hurry.")))]
        done = self.answered == len(self.asked)
        if done or wanted["text"] != self._answer(self.asked[self.answered]):
            self.end(won=False)
            return [Fact(f"{self.person} has left the chat.", {"left": True})]
        self.answered += 1
        if self.answered == len(self.asked):
            return [self._says(self.rng.choice(self.thanks))]
        fields_asked = self.orders[self.asked[self.answered]]
        return [self._says(self.rng.choice(self.further).format(**fields_asked))]

    def expert(self) -> Iterator[Call]:
        """Look up and answer each order; some people ask for patience first."""
        if self.pausing:
            yield call("reply", text=self.pause)
        for order in self.asked:
            yield call("look", order=order)
            yield call("reply", text=self._answer(order))
        yield call("close")


class SignupRetry(World):
    """A form of three pages objects to what is typed, and says what it wants."""

    name = "signup-retry"
    difficulty = "a validation error says how a value is to be written; then it is typed again"
    operators = (
        Operator("type", "type {value} into {field}", about="Fill a field."),
        Operator("next", "press next", about="Go on to the next page."),
        Operator("choose", "choose {option}", about="Choose from a list."),
        Operator("submit", "press submit", about="Send the form; final."),
    )
    horizon = 16
    refusal = Fact("There is no such field here.", {"error": "no such field"})

    courses = (
        *("Pottery", "First Aid", "Bookkeeping", "Welding", "Sign Language", "Beekeeping"),
        *("Carpentry", "Life Drawing", "Sailing", "Cheese Making"),
    )
    days = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
    wordings = (
        "Sign {name} up for {course}. Phone: {phone}",
        "{name} (tel. {phone}) wants to take the course {course}.",
        "New participant for {course}: {name}, phone {phone}",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a person, what the form objects to, and the courses."""
        (first,), (last,) = self.draw(PEOPLE), self.draw(SURNAMES)
        self.full = f"{first} {last}"
        self.user = f"{first}.{last}".lower()
        self.free = f"{self.user}{self.rng.randint(2, 99)}" if self.rng.random() < 0.5 else ""
        self.phone = self.identifier("0### ######")
        self.phone_rule = self.rng.choice(("any", "digits", "country"))
        self.country = self.rng.choice(("+44", "+49", "+43", "+31"))
        courses = self.rng.sample(self.courses, 4)
        self.options = {
            each: f"{self.identifier('A##')} {each} ({self.rng.choice(self.days)})"
            for each in courses
        }
        self.course = courses[0]
        self.listed = self.arranged(list(self.options.values()), self.options[self.course])
        self.page, self.option, self.objected = 1, "", False
        self.fields: dict[str, str] = {}
        wording = self.rng.choice(self.wordings)
        asked = wording.format(name=self.full, course=self.course, phone=self.phone)
        return asked, [self._shown()]

    @property
    def _phone(self) -> str:
        digits = self.phone.replace(" ", "")
        written = {"digits": digits, "country": f"{self.country}{digits[1:]}"}
        return written.get(self.phone_rule, self.phone)

    def _shown(self) -> Fact:
        heads = {
            1: "Step 1 of 3: account\n[ full name ] [ user name ]",
            2: "Step 2 of 3: contact\n[ phone ]",
        }
        return Fact(heads[self.page], {"step": self.page})

    def possible(self) -> list[Call]:
        """What the task and the form name, into the fields of the page."""
        if self.page == 3:
            return [*(call("choose", option=each) for each in self.listed), call("submit")]
        if self.page == 2:
            digits = self.phone.replace(" ", "")
            values = [self.phone]
            values += [digits, f"{self.country}{digits[1:]}"] if self.objected else []
            return [*(call("type", value=v, field="phone") for v in values), call("next")]
        values = [self.full, self.user, *([self.free] if self.objected else [])]
        pairs = [(value, field) for value in values for field in ("full name", "user name")]
        return [*(call("type", value=v, field=f) for v, f in pairs), call("next")]

    def accepts(self, wanted: Call) -> bool:
        """Anything can be typed into a field of the page."""
        fields = {1: ("full name", "user name"), 2: ("phone",), 3: ()}[self.page]
        if wanted.operator == "type":
            return wanted["field"] in fields
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Fill a field, go on where nothing is wrong, or end."""
        if wanted.operator == "type":
            field, value = wanted["field"], wanted["value"]
            self.fields[field] = value
            return [Fact(f"{field}: {value}", {"field": field, "value": value})]
        if wanted.operator == "choose":
            self.option = wanted["option"]
            return [Fact(f"(x) {self.option}", {"chosen": self.option})]
        if wanted.operator == "submit":
            right = {"full name": self.full, "user name": self.free or self.user}
            right["phone"] = self._phone
            self.end(won=self.fields == right and self.option == self.options[self.course])
            return [Fact("Thank you for your registration.", {"registered": True})]
        return self._next()

    def _next(self) -> Result:
        if self.page == 1:
            name, user = self.fields.get("full name"), self.fields.get("user name")
            if not name or not user:
                return [Fact("! Both fields are required.", {"error": "required"})]
            if user == self.user and self.free:
                self.objected = True
                text = f"! {user} is taken. Still free: {self.free}"
                return [Fact(text, {"error": "taken", "free": self.free})]
            self.page, self.objected = 2, False
            return [self._shown()]
        if self.fields.get("phone") != self._phone:
            self.objected = True
            wanted = {"digits": "Digits only, no spaces.", "any": "Not a phone number."}
            other = f"Begin with the country code {self.country} instead of 0, no spaces."
            text = wanted.get(self.phone_rule, other)
            return [Fact(f"! {text}", {"error": text})]
        self.page = 3
        line = "( ) {option}"
        rows = [{"option": each} for each in self.listed]
        return [Fact("Step 3 of 3: course", {"step": 3}), Rows("options", line, rows)]

    def expert(self) -> Iterator[Call]:
        """Fill what the task says; where the form objects, do what it asks."""
        yield call("type", value=self.full, field="full name")
        yield call("type", value=self.user, field="user name")
        yield call("next")
        if self.free:
            yield call("type", value=self.free, field="user name")
            yield call("next")
        yield call("type", value=self.phone, field="phone")
        yield call("next")
        if self.phone_rule != "any":
            yield call("type", value=self._phone, field="phone")
            yield call("next")
        yield call("choose", option=self.options[self.course])
        yield call("submit")
