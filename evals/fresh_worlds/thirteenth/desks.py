"""Desks: a chat about a line that is down, a bicycle that comes back, a form of claims."""

from __future__ import annotations

from ...ladder.names import CITIES, PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import MONTHS


class RouterChat(Desk):
    """A customer is asked what the box shows; what is answered says what to do and to ask next."""

    name = "router-chat"
    difficulty = "a conversation: each answer decides the next turn; earliest free slot at worst"
    operators = (
        Operator("customer", "/customer {phone}", about="Who calls."),
        Operator("ask", "/ask {topic}", about="Asks the customer: lights, or works."),
        Operator("guide", "/guide {name}", about="Sends a guide to a customer."),
        Operator("adapter", "/adapter {line}", about="Sends a new power adapter."),
        Operator("reset", "/reset {line}", about="Resets a line."),
        Operator("slots", "/slots {area}", about="When technicians come."),
        Operator("book", "/book {line} {slot}", about="Books a technician."),
        Operator("close", "/close {case}", about="Final."),
        Operator("billing", "/billing {case}", about="Final: the account is blocked."),
    )
    changing = ("guide", "adapter", "reset", "book")
    irrevocable, finals = ("guide", "adapter", "book"), ("close", "billing")
    free = ("customer", "ask", "guide", "adapter", "reset", "slots", "book", "close", "billing")
    horizon = 10

    wordings = (
        "Chat from {phone}: my internet is down.",
        "{phone} writes: no connection since this morning.",
        "Customer {phone} has no internet.",
    )
    lights = (
        ("green", ("All of them are green.", "They are all green, I think.")),
        ("dark", ("No light is on at all.", "It is dark, no light anywhere.")),
        ("red", ("The second one is red.", "One is red, the others are green.")),
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a customer and what is wrong."""
        self.phone, self.case = self.identifier("0###-#####"), self.identifier("C-#####")
        self.line, self.area = self.identifier("LN####"), self.identifier("A-##")
        (self.person,) = self.draw(PEOPLE)
        kind = case_of(self.name, self.task, ("blocked", "green", "dark", "red", "worse"))
        self.state = "blocked" if kind == "blocked" else "active"
        self.light = "red" if kind == "worse" else kind
        self.works, self.done = kind != "worse", False
        self.seen = self.rng.choice(dict(self.lights).get(self.light, ("I cannot tell.",)))
        days = self.rng.sample(range(1, 29), 5)
        slots: list[dict[str, Value]] = [
            {"slot": f"2026-10-{day:02}", "state": self.rng.choice(("free", "taken"))}
            for day in days
        ]
        slots[0]["state"] = slots[1]["state"] = "free"
        free = [slot for slot in slots if slot["state"] == "free"]
        best = min(free, key=lambda slot: str(slot["slot"]))
        self.rows = self.arranged(slots, best)
        books = [call("book", line=self.line, slot=slot["slot"]) for slot in slots]
        ends = [call("close", case=self.case), call("billing", case=self.case)]
        plan = [call("customer", phone=self.phone)]
        plan += [] if kind == "blocked" else [call("ask", topic="lights")]
        plan += self._work(kind, books[slots.index(best)])
        others = [call("guide", name=self.person), call("adapter", line=self.line)]
        others += [call("reset", line=self.line), *books, *ends]
        self.lay_out([*plan, ends[1] if kind == "blocked" else ends[0]], others)
        asked = self.rng.choice(self.wordings).format(phone=self.phone)
        waiting = self.rng.randint(1, 20)
        text = f"Case {self.case} opened, {waiting} in the queue"
        return asked, [Fact(text, {"case": self.case, "queue": waiting})]

    def _work(self, kind: str, book: Call) -> list[Call]:
        """Return what is done behind the first answer."""
        reset = [call("reset", line=self.line), call("ask", topic="works")]
        return {
            "green": [call("guide", name=self.person)],
            "dark": [call("adapter", line=self.line)],
            "red": reset,
            "worse": [*reset, call("slots", area=self.area), book],
        }.get(kind, [])

    def answer(self, wanted: Call) -> Result:
        """Show, ask, mend or end."""
        if wanted.operator == "customer" and wanted["phone"] == self.phone:
            text = f"{self.person}, line {self.line}, area {self.area}, account {self.state}"
            data: dict[str, Value] = {"name": self.person, "line": self.line}
            return [Fact(text, data | {"area": self.area, "account": self.state})]
        if wanted.operator == "ask":
            return [self._reply(wanted["topic"])]
        if wanted.operator == "slots" and wanted["area"] == self.area:
            return [Rows("slots", "{slot} {state}", self.rows)]
        if wanted.operator in ("customer", "slots"):
            return [Fact("not found", {"error": "not found"})]
        if wanted.operator == "reset":
            self.done = True
        return [Fact("ok", {"ok": True})]

    def _reply(self, topic: str) -> Fact:
        """Return what the customer says."""
        if topic == "lights":
            return Fact(f"{self.person}: {self.seen}", {"reply": self.seen})
        if topic == "works":
            said = "Yes, it works now." if self.done and self.works else "No, still nothing."
            return Fact(f"{self.person}: {said}", {"reply": said})
        return Fact(f"{self.person}: What do you mean?", {"reply": "What do you mean?"})


class BikeReturn(Desk):
    """What lacks on a bicycle and a late return are charged; the rest of the deposit goes back."""

    name = "bike-return"
    difficulty = "a sentence of states; a charge for each that lacks; a time; the rest is computed"
    operators = (
        Operator("rental", "Show rental {rental}.", about="Who has what until when."),
        Operator("inspect", "Inspect bike {bike}.", about="What is in place."),
        Operator(
            "charge", "Charge {price} euros for the {item}.", ("price",), "By the price list."
        ),
        Operator("refund", "Refund {amount} euros to {person}.", ("amount",), "The rest."),
        Operator("close", "Close rental {rental}.", about="Final."),
    )
    changing, irrevocable, finals = ("charge", "refund"), ("charge", "refund"), ("close",)
    free = ("rental", "inspect", "charge", "refund", "close")
    horizon = 9

    wordings = (
        "Rental {rental} came back at {time}.",
        "At {time} the bike of rental {rental} was returned.",
        "Take back rental {rental}, returned {time}.",
    )
    items = ("bell", "front light", "rear light", "lock", "basket", "air pump")

    def begin(self) -> tuple[str, Result]:
        """Draw a rental, prices and what lacks."""
        self.rental, self.bike = self.identifier("RN####"), self.identifier("B-###")
        (self.person,) = self.draw(SURNAMES)
        cases = tuple((count, late) for count in (0, 1, 2) for late in (True, False))
        count, late = case_of(self.name, self.task, cases)
        due, by = self.rng.randrange(600, 1080, 15), self.rng.randint(3, 110)
        back = due + by if late else due - by
        self.due, self.deposit = _clock(due), self.rng.randrange(100, 200, 10)
        items = self.rng.sample(self.items, 4)
        prices = {item: self.rng.randint(4, 29) for item in (*items, "late return")}
        lacking = items[:count]
        shown = self.arranged(items)
        self.states = {i: "missing" if i in lacking else "in place" for i in shown}
        charged = [item for item in shown if item in lacking] + ["late return"] * late
        charges = {i: call("charge", price=price, item=i) for i, price in prices.items()}
        rest = self.deposit - sum(prices[item] for item in charged)
        wrong = call("refund", amount=rest + self.rng.randint(1, 9), person=self.person)
        refund = call("refund", amount=rest, person=self.person)
        close = call("close", rental=self.rental)
        plan = [call("rental", rental=self.rental), call("inspect", bike=self.bike)]
        plan += [*(charges[item] for item in charged), refund, close]
        self.lay_out(plan, [*charges.values(), refund, wrong, close])
        asked = self.rng.choice(self.wordings).format(rental=self.rental, time=_clock(back))
        rows: list[dict[str, Value]] = [{"item": i, "price": p} for i, p in prices.items()]
        return asked, [Fact("Prices"), Rows("prices", "{item}: {price} euros", rows)]

    def answer(self, wanted: Call) -> Result:
        """Show, charge, refund or end."""
        if wanted.values.get("rental", self.rental) != self.rental:
            return [Fact("There is no such rental.", {"error": "no such rental"})]
        if wanted.operator == "rental":
            text = f"{self.person} has bike {self.bike} until {self.due}. "
            text += f"The deposit is {self.deposit} euros."
            data: dict[str, Value] = {"person": self.person, "bike": self.bike}
            return [Fact(text, data | {"until": self.due, "deposit": self.deposit})]
        if wanted.operator == "inspect":
            if wanted["bike"] != self.bike:
                return [Fact("There is no such bike.", {"error": "no such bike"})]
            text = ", ".join(f"{item} {state}" for item, state in self.states.items())
            return [Fact(f"{text[0].upper()}{text[1:]}.", dict(self.states))]
        return [Fact("Done.", {"done": True})]


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


class ClaimForm(Desk):
    """A letter is typed into a form whose fields depend on what happened; or it is declined."""

    name = "claim-form"
    difficulty = "a form asks for the next field, by an earlier answer; a letter in prose"
    operators = (
        Operator("letter", "open letter {claim}", about="What a customer writes."),
        Operator("fill", "{name}: {value}", about="Fills the field that is asked for."),
        Operator("send", "send form {claim}", about="Final."),
        Operator("decline", "decline {claim}", about="Final: below the excess."),
    )
    changing, irrevocable, finals = ("fill",), (), ("send", "decline")
    free = ("letter", "fill", "send", "decline")
    horizon = 9

    wordings = (
        "Claim {claim} has arrived.",
        "Please handle claim {claim}.",
        "Type in the letter of {claim}.",
    )
    events = (
        ("theft", "my {thing} was stolen in {city}. The police gave me number {extra}."),
        ("water", "a pipe burst and ruined my {thing}. The plumber was {extra}."),
        ("glass", "my {thing} broke in a storm."),
    )
    things = ("bicycle", "carpet", "camera", "sofa", "window", "table", "lamp")
    extras = (("theft", "police number"), ("water", "plumber"))

    def begin(self) -> tuple[str, Result]:
        """Draw a claim and its letter."""
        self.claim, self.policy = self.identifier("CL-#####"), self.identifier("PA######")
        kind, small = case_of(
            self.name,
            self.task,
            (("theft", False), ("water", False), ("glass", False), ("any", True)),
        )
        kind = self.rng.choice(("theft", "water", "glass")) if kind == "any" else kind
        (person,), (extra,), (self.city,) = (
            self.draw(PEOPLE),
            self.draw(SURNAMES),
            self.draw(CITIES),
        )
        self.extra = extra if kind == "water" else self.identifier("##/####")
        self.person, self.day = person, f"{self.rng.randint(1, 28)} {self.rng.choice(MONTHS)}"
        excess = self.rng.randrange(100, 300, 50)
        self.amount = self.rng.randint(excess - 90, excess - 1) if small else 0
        self.amount = self.amount or self.rng.randint(excess + 1, 900)
        self.kind, self.thing = kind, self.rng.choice(self.things)
        asked_for = {"policy": self.policy, "date": self.day, "kind": kind}
        asked_for |= {dict(self.extras)[kind]: self.extra} if kind in dict(self.extras) else {}
        self.fields = asked_for | {"amount": str(self.amount)}
        self.at = 0
        fills = [call("fill", name=name, value=value) for name, value in self.fields.items()]
        send, decline = call("send", claim=self.claim), call("decline", claim=self.claim)
        body = [decline] if small else [*fills, send]
        others = [call("fill", name="kind", value=each) for each, _ in self.events]
        self.lay_out([call("letter", claim=self.claim), *body], [*others, send, decline])
        asked = self.rng.choice(self.wordings).format(claim=self.claim)
        text = f"Excess: {excess} euros\nFirst field: policy"
        return asked, [Fact(text, {"excess": excess, "field": "policy"})]

    def answer(self, wanted: Call) -> Result:
        """Show, fill or end."""
        if wanted.values.get("claim", self.claim) != self.claim:
            return [Fact("no such claim", {"error": "no such claim"})]
        if wanted.operator == "letter":
            return [self._letter()]
        names = list(self.fields)
        if wanted.operator != "fill":
            self.out_of_turn = wanted.operator == "send" and self.at < len(names)
            return [Fact("ok", {"ok": True})]
        if self.at == len(names) or wanted["name"] != names[self.at]:
            return [Fact("that field is not asked for", {"error": "not asked for"})]
        self.at += 1
        following = names[self.at] if self.at < len(names) else "none, form complete"
        return [Fact(f"Next field: {following}", {"field": following})]

    def _letter(self) -> Fact:
        """Return what the customer writes."""
        event = dict(self.events)[self.kind].format(
            thing=self.thing, city=self.city, extra=self.extra
        )
        text = f"I am {self.person}, my policy is {self.policy}. On {self.day} {event} "
        text += f"It will cost {self.amount} euros."
        return Fact(text, {"letter": text})
