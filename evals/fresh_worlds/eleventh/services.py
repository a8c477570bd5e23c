"""Services: a hotline's menus, a node that is upgraded, a room that is heated."""

from __future__ import annotations

from ...ladder.names import CITIES
from ...ladder.world import Call, Fact, Operator, Result, Value, call
from ..cases import case_of
from ..desk import Desk


class PhoneMenu(Desk):
    """A hotline reads out its menus; 9 is for more, the other numbers are drawn anew."""

    name = "phone-menu"
    difficulty = "pages of a menu are turned until the topic is read out; then a second menu"
    operators = (
        Operator("press", "press {number}", ("number",), "A key of the phone."),
        Operator("say", "say {reference}", about="Says a number."),
        Operator("hang_up", "hang up", about="Final."),
    )
    changing, finals, free = ("say",), ("hang_up",), ("say",)
    horizon = 8

    wordings = (
        "Call about {topic}: {act} for {reference}.",
        "{reference}: call the hotline, {topic}, and ask for {act}.",
        "I need {act} on {reference}. The topic is {topic}.",
    )
    topics = (
        *("orders", "returns", "invoices", "delivery", "warranty", "repairs"),
        *("subscriptions", "complaints", "vouchers", "spare parts"),
    )
    acts = ("a status", "a change", "a cancellation", "a person")
    more = "9"

    def begin(self) -> tuple[str, Result]:
        """Draw menus."""
        reference = self.identifier("A######")
        topics = self.rng.sample(self.topics, 8)
        pages = [topics[:3], topics[3:6], topics[6:]]
        self.page, self.level = 0, 0
        place = case_of(self.name, self.task, (0, 1, 2))
        self.topic, self.act = self.rng.choice(pages[place]), self.rng.choice(self.acts)
        self.pages = [self._numbered(page) for page in pages]
        self.kinds = self._numbered(self.rng.sample(self.acts, len(self.acts)))
        keys = {text: number for page in self.pages for number, text in page.items()}
        kinds = {text: number for number, text in self.kinds.items()}
        plan = [call("press", number=self.more)] * place
        plan += [call("press", number=keys[self.topic]), call("press", number=kinds[self.act])]
        plan += [call("say", reference=reference), call("hang_up")]
        self.lay_out(plan, [call("press", number=n) for n in range(1, 10)])
        asked = self.rng.choice(self.wordings).format(
            topic=self.topic, act=self.act, reference=reference
        )
        return asked, self._menu(self.pages[0], more=True)

    def _numbered(self, texts: list[str]) -> dict[str, str]:
        numbers = sorted(self.rng.sample(range(1, 9), len(texts)))
        return {str(n): text for n, text in zip(numbers, texts, strict=True)}

    def _menu(self, menu: dict[str, str], *, more: bool) -> Result:
        lines = menu | ({self.more: "more"} if more else {})
        text = "\n".join(f"Press {number} for {text}." for number, text in lines.items())
        data: dict[str, Value] = {text: number for number, text in lines.items()}
        return [Fact(text, data)]

    def answer(self, wanted: Call) -> Result:
        """Take a key, a number or the end of the call."""
        if wanted.operator == "hang_up":
            return [Fact("The line is dead.", {"line": "dead"})]
        if wanted.operator == "say":
            self.out_of_turn |= self.level < 2
            return [Fact("Thank you, somebody will call you back.", {"thanks": True})]
        number = wanted["number"]
        if self.level == 0 and number == self.more and self.page < len(self.pages) - 1:
            self.page += 1
            return self._menu(self.pages[self.page], more=self.page < len(self.pages) - 1)
        menu = (self.pages[self.page], self.kinds, {})[self.level]
        if number not in menu:
            return [Fact("That is not a choice.", {"error": "not a choice"})]
        self.out_of_turn |= menu[number] != (self.topic, self.act)[self.level]
        self.level += 1
        if self.level == 1:
            return self._menu(self.kinds, more=False)
        return [Fact("Say your number after the tone.", {"say": "number"})]


class NodeUpgrade(Desk):
    """A node is upgraded by a runbook, and taken back where it does not get healthy."""

    name = "node-upgrade"
    difficulty = "a step before where a record says so, a wait, and one of two ends"
    operators = (
        Operator("status", "status {node}", about="A node's role and version."),
        Operator("failover", "failover {node} to {peer}", about="For the primary."),
        Operator("upgrade", "upgrade {node} to {version}", about="Installs a version."),
        Operator("health", "health {node}", about="Whether it runs."),
        Operator("rollback", "rollback {node} to {version}", about="Takes it back."),
        Operator("close", "close {change}", about="Final."),
        Operator("escalate", "escalate {change}", about="Final."),
    )
    changing = irrevocable = ("failover", "upgrade", "rollback")
    finals = ("close", "escalate")
    free = ("status", "failover", "upgrade", "health", "rollback", "close", "escalate")
    horizon = 12

    wordings = (
        "{change}: bring {node} to {version}.",
        "Upgrade {node} to version {version} (change {change}).",
        "Change {change} wants {version} on {node}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a node and what becomes of it."""
        (city,) = self.draw(CITIES)
        self.node, self.peer = (f"{city.lower()}-{n}" for n in self.rng.sample(range(1, 20), 2))
        change = self.identifier("CHG####")
        old = f"{self.rng.randint(2, 8)}.{self.rng.randint(0, 9)}.{self.rng.randint(0, 9)}"
        version = f"{int(old[0]) + 1}.{self.rng.randint(0, 9)}.{self.rng.randint(0, 9)}"
        self.old = old
        cases = (
            *(("primary", 0, "green"), ("replica", 1, "green"), ("primary", 2, "red")),
            *(("replica", 0, "green"), ("primary", 1, "green"), ("replica", 1, "red")),
            *(("replica", 2, "green"), ("primary", 0, "red")),
        )
        self.role, self.waits, self.end_state = case_of(self.name, self.task, cases)
        self.polled = 0
        failover = call("failover", node=self.node, peer=self.peer)
        back = call("rollback", node=self.node, version=old)
        ends = {"green": [call("close", change=change)]}
        ends["red"] = [back, call("escalate", change=change)]
        plan = [call("status", node=self.node)]
        plan += [failover] if self.role == "primary" else []
        plan.append(call("upgrade", node=self.node, version=version))
        plan += [call("health", node=self.node)] * (self.waits + 1)
        self.lay_out([*plan, *ends[self.end_state]], [failover, back, *ends["green"], *ends["red"]])
        asked = self.rng.choice(self.wordings).format(
            change=change, node=self.node, version=version
        )
        return asked, [Fact("runbook 14: upgrade of a node", {"runbook": 14})]

    def answer(self, wanted: Call) -> Result:
        """Show, change or end."""
        if wanted.operator in ("close", "escalate"):
            return [Fact("noted", {"ok": True})]
        if wanted["node"] != self.node:
            return [Fact("unknown node", {"error": "unknown node"})]
        if wanted.operator == "status":
            load = self.rng.randint(1, 90)
            data: dict[str, Value] = {"role": self.role, "version": self.old}
            data |= {"load": load, "peer": self.peer}
            return [Fact("\n".join(f"{key}: {value}" for key, value in data.items()), data)]
        if wanted.operator == "health":
            if not any(each.operator == "upgrade" for each in self.made):
                return [Fact("green", {"health": "green"})]
            self.polled += 1
            state = "starting" if self.polled <= self.waits else self.end_state
            return [Fact(state, {"health": state})]
        return [Fact("done", {"ok": True})]


class RoomThermostat(Desk):
    """A room is heated, unless the task says not to while somebody is in it and somebody is."""

    name = "room-thermostat"
    difficulty = "a condition that only some tasks name, and one more step where a window is open"
    operators = (
        Operator("look", "look into {room}", about="How a room is."),
        Operator("window", "close window of {room}", about="Closes it."),
        Operator("heat", "heat {room} to {degrees}", ("degrees",), "Sets the degrees."),
        Operator("done", "finish {room}", about="Final."),
        Operator("later", "put off {room}", about="Final."),
    )
    changing, irrevocable = ("window", "heat"), ("heat",)
    finals, free = ("done", "later"), ("look", "window", "heat", "done", "later")
    horizon = 7

    plain = (
        "Set room {room} to {degrees} degrees.",
        "Room {room} at {degrees} degrees, please.",
        "{degrees} degrees in room {room}.",
    )
    careful = (
        "Set room {room} to {degrees} degrees unless somebody is in it.",
        "Room {room} at {degrees} degrees, please, unless somebody is in it.",
        "{degrees} degrees in room {room}, but not while somebody is in it.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a room and who is in it."""
        self.room, degrees = self.identifier("A###"), self.rng.randint(15, 24)
        cases = tuple(
            (careful, used, window)
            for careful in (True, False)
            for used in (True, False)
            for window in (True, False)
        )
        careful, self.used, self.window = case_of(self.name, self.task, cases)
        window, heat = call("window", room=self.room), call("heat", room=self.room, degrees=degrees)
        done, later = call("done", room=self.room), call("later", room=self.room)
        plan = [call("look", room=self.room)]
        if careful and self.used:
            plan.append(later)
        else:
            plan += [*([window] if self.window else []), heat, done]
        self.lay_out(plan, [window, heat, done, later])
        wordings = self.careful if careful else self.plain
        asked = self.rng.choice(wordings).format(room=self.room, degrees=degrees)
        outside = self.rng.randint(-9, 14)
        return asked, [Fact(f"BUILDING 4, {outside} degrees outside", {"outside": outside})]

    def answer(self, wanted: Call) -> Result:
        """Show, close, heat or end."""
        if wanted["room"] != self.room:
            return [Fact("no such room", {"error": "no such room"})]
        if wanted.operator == "look":
            inside = self.rng.randint(12, 22)
            who, window = "occupied" if self.used else "empty", "open" if self.window else "shut"
            text = f"{self.room}: {inside} degrees, {who}, window {window}"
            return [Fact(text, {"degrees": inside, "people": who, "window": window})]
        return [Fact("ok", {"ok": True})]
