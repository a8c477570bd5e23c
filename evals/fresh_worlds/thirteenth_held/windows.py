"""Windows: people who wait, the calendar of a leaver, things that guests lost."""

from __future__ import annotations

from ...ladder.names import COLOURS, PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class TownWindow(Desk):
    """Who waits is called until nobody is left; a form is handed out or a window told."""

    name = "town-window"
    difficulty = "a queue until it is empty; each one handled by a state, else by a table"
    operators = (
        Operator("next", "call next at desk {desk}", about="Who is next."),
        Operator("form", "hand {person} the form", about="Whose form is missing."),
        Operator("direct", "direct {person} to window {window}", ("window",), "By the matter."),
        Operator("close", "close desk {desk}", about="Final."),
    )
    changing, irrevocable, finals = ("form", "direct"), ("form", "direct"), ("close",)
    free = ("next", "form", "direct", "close")
    horizon = 13

    wordings = (
        "Serve desk {desk} until nobody waits.",
        "You have desk {desk} today.",
        "Desk {desk}: please work off the queue.",
    )
    matters = ("passport", "car plate", "moving", "fishing licence", "marriage", "dog tax")

    def begin(self) -> tuple[str, Result]:
        """Draw windows and who waits."""
        self.desk = self.identifier("D-####")
        count = case_of(self.name, self.task, (2, 3, 4))
        people, matters = self.draw(SURNAMES, count), self.rng.sample(self.matters, 4)
        windows = dict(zip(matters, self.rng.sample(range(1, 30), 4), strict=True))
        self.waiting: list[dict[str, Value]] = []
        plan, every = [], []
        for person in people:
            matter, form = self.rng.choice(matters), self.rng.choice(("ready", "ready", "missing"))
            ticket = self.identifier("A##")
            self.waiting.append({"ticket": ticket, "name": person, "matter": matter, "form": form})
            hand = call("form", person=person)
            direct = call("direct", person=person, window=windows[matter])
            plan += [call("next", desk=self.desk), hand if form == "missing" else direct]
            every += [hand, direct]
        self.called = 0
        close = call("close", desk=self.desk)
        self.lay_out([*plan, call("next", desk=self.desk), close], [*every, close])
        asked = self.rng.choice(self.wordings).format(desk=self.desk)
        rows: list[dict[str, Value]] = [{"matter": m, "window": w} for m, w in windows.items()]
        return asked, [Rows("windows", "{matter}: window {window}", rows)]

    def answer(self, wanted: Call) -> Result:
        """Call, hand, direct or end."""
        if wanted.values.get("desk", self.desk) != self.desk:
            return [Fact("There is no such desk.", {"error": "no such desk"})]
        if wanted.operator == "next":
            if self.called == len(self.waiting):
                return [Fact("Nobody waits.", {"waiting": 0})]
            row = self.waiting[self.called]
            self.called += 1
            text = "Ticket {ticket}: {name}, {matter}, form {form}.".format(**row)
            return [Fact(text, row)]
        return [Fact("Done.", {"done": True})]


class LeaverCalendar(Desk):
    """What somebody who leaves organises later is cancelled, other meetings later are declined."""

    name = "leaver-calendar"
    difficulty = "function calls; rows behind a date of the task, each by a category"
    operators = (
        Operator("events", 'events("{user}")', about="Meetings of somebody."),
        Operator("cancel", 'cancel("{event}")', about="A meeting that the leaver organises."),
        Operator("decline", 'decline("{event}")', about="A meeting of others."),
        Operator("disable", 'disable("{user}")', about="Final."),
    )
    changing, irrevocable = ("cancel", "decline"), ("cancel", "decline")
    finals = ("disable",)
    free = ("events", "cancel", "decline", "disable")
    horizon = 9

    wordings = (
        "{user} leaves on {day}, clear the calendar.",
        "Last day of {user} is {day}.",
        "{day} is the last day of {user}, please tidy up.",
    )
    titles = ("Weekly", "Budget", "Design review", "Lunch", "Kick-off", "Interview", "Retro")

    def begin(self) -> tuple[str, Result]:
        """Draw meetings before and behind a day."""
        (first,), (last,) = self.draw(PEOPLE), self.draw(SURNAMES)
        self.user = f"{first}.{last}".lower()
        last_day = self.rng.randint(9, 20)
        month = f"2026-{self.rng.randint(1, 12):02}"
        mine, others = case_of(self.name, self.task, ((1, 0), (0, 1), (1, 1), (2, 1), (1, 2)))
        roles = ["organiser"] * mine + ["guest"] * others
        before = self.rng.randint(1, 2)
        days = self.rng.sample(range(last_day + 1, 29), len(roles))
        days += self.rng.sample(range(1, last_day), before)
        roles += [self.rng.choice(("organiser", "guest")) for _ in range(before)]
        names = distinct(lambda: self.identifier("E###"), len(roles))
        rows: list[dict[str, Value]] = [
            {
                "event": name,
                "day": f"{month}-{day:02}",
                "title": self.rng.choice(self.titles),
                "role": role,
            }
            for name, day, role in zip(names, days, roles, strict=True)
        ]
        self.rows = self.arranged(rows)
        ways = {"organiser": "cancel", "guest": "decline"}
        acts = {str(r["event"]): call(ways[str(r["role"])], event=r["event"]) for r in rows}
        later = set(names[: mine + others])
        plan = [call("events", user=self.user)]
        plan += [acts[str(row["event"])] for row in self.rows if row["event"] in later]
        disable = call("disable", user=self.user)
        self.lay_out([*plan, disable], [*acts.values(), disable])
        asked = self.rng.choice(self.wordings).format(user=self.user, day=f"{month}-{last_day:02}")
        return asked, [Fact("calendar ready", {"ready": True})]

    def answer(self, wanted: Call) -> Result:
        """Show, cancel, decline or end."""
        if wanted.values.get("user", self.user) != self.user:
            return [Fact("unknown user", {"error": "unknown user"})]
        if wanted.operator == "events":
            return [Rows("events", "{event}  {day}  {title} [{role}]", self.rows)]
        return [Fact("ok", {"ok": True})]


class LostThings(Desk):
    """A guest is asked for a colour and then how to get the thing; sent, kept or not there."""

    name = "lost-things"
    difficulty = "a conversation: the answer picks a row, another the way; or there is none"
    operators = (
        Operator("search", "Search for a {thing}.", about="What was found."),
        Operator("colour", "Ask {person} for the colour.", about="The guest answers."),
        Operator("way", "Ask {person} where it should go.", about="The guest answers."),
        Operator("ship", "Ship {item} to {town}.", about="Final."),
        Operator("hold", "Hold {item} for {person}.", about="Final."),
        Operator("sorry", "Tell {person} it was not found.", about="Final."),
    )
    finals = ("ship", "hold", "sorry")
    free = ("search", "colour", "way", "ship", "hold", "sorry")
    horizon = 7

    wordings = (
        "{person} left a {thing} in room {room}.",
        "Guest {person} (room {room}) misses a {thing}.",
        "A {thing} was lost by {person}, room {room}.",
    )
    things = ("scarf", "rain coat", "phone case", "hat", "wallet", "hand bag", "umbrella")
    towns = ("Mill Town", "Ashford", "Long Beach", "Kirkby", "Old Haven", "Stowe", "Brill")

    def begin(self) -> tuple[str, Result]:
        """Draw a guest, what was lost and what was found."""
        (self.person,), thing = self.draw(PEOPLE), self.rng.choice(self.things)
        kind = case_of(self.name, self.task, ("ship", "hold", "sorry"))
        colours = self.draw(COLOURS, 5)
        items = distinct(lambda: self.identifier("F###"), 3)
        self.thing, self.colour, self.town = thing, colours[0], self.rng.choice(self.towns)
        shown = colours[1:4] if kind == "sorry" else colours[:3]
        rows: list[dict[str, Value]] = [
            {"item": item, "colour": colour, "day": self.rng.randint(1, 28)}
            for item, colour in zip(items, shown, strict=True)
        ]
        self.rows = self.arranged(rows)
        self.ships = kind == "ship"
        ships = [call("ship", item=item, town=self.town) for item in items]
        holds = [call("hold", item=item, person=self.person) for item in items]
        sorry = call("sorry", person=self.person)
        ends = {"ship": ships[0], "hold": holds[0], "sorry": sorry}
        plan = [call("search", thing=thing), call("colour", person=self.person)]
        plan += [] if kind == "sorry" else [call("way", person=self.person)]
        self.lay_out([*plan, ends[kind]], [*ships, *holds, sorry])
        asked = self.rng.choice(self.wordings).format(
            person=self.person, thing=thing, room=self.rng.randint(100, 899)
        )
        boxes = self.rng.randint(3, 30)
        return asked, [Fact(f"{boxes} boxes of lost things", {"boxes": boxes})]

    def answer(self, wanted: Call) -> Result:
        """Search, ask or end."""
        if wanted.values.get("person", self.person) != self.person:
            return [Fact("Who is that?", {"error": "who is that?"})]
        if wanted.operator == "search":
            if wanted["thing"] != self.thing:
                return [Fact("None was found.", {"error": "none was found"})]
            return [Rows("found", "{item}: {colour}, found on day {day}", self.rows)]
        if wanted.operator == "colour":
            said = f"It was {self.colour}."
            return [Fact(f"{self.person}: {said}", {"reply": said})]
        if wanted.operator == "way":
            said = f"Please send it to {self.town}." if self.ships else "I will pick it up."
            return [Fact(f"{self.person}: {said}", {"reply": said})]
        return [Fact("Done.", {"done": True})]
