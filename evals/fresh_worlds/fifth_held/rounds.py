"""Rounds: a rollout by steps, tasks out of minutes, lots for an order, and a chat on a parcel."""

from __future__ import annotations

from datetime import date, timedelta

from ...ladder.names import CITIES, PARTS, PEOPLE, PRODUCTS, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk


class FlagRollout(Desk):
    """A flag goes up step by step as long as errors stay within the budget, else one step back."""

    name = "flag-rollout"
    difficulty = "steps of a list, each checked against a limit; one that fails is taken back"
    operators = (
        Operator("get", 'flag("{flag}")', about="State and steps of a flag."),
        Operator("set", 'flag("{flag}").percent = {percent}', ("percent",), "Goes live."),
        Operator("metrics", 'metrics("{flag}")', about="Errors since the last step."),
        Operator("page", 'page("{owner}", "{flag}")', about="Wakes somebody."),
        Operator("close", 'close("{change}")', about="Final."),
    )
    changing, finals, counted = ("set", "page"), ("close",), True
    irrevocable = changing
    horizon = 14

    wordings = (
        "Roll out {flag} as far as it goes. Change {change}.",
        "{change}: {flag} to everybody, step by step.",
        "{person} wants {flag} out today; please run the rollout and close {change}.",
        "Continue the rollout of {flag} ({change}).",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw steps and what they do."""
        (part,), (team,), people = self.draw(PARTS), self.draw(TEAMS), self.draw(PEOPLE, 2)
        self.flag = f"{team}.{part.replace(' ', '_')}_v{self.rng.randint(2, 9)}"
        self.owner, self.change = people[0].lower(), self.identifier("C-####")
        self.budget = self.rng.randint(15, 60)
        ladder = [*sorted(self.rng.sample((5, 10, 20, 25, 40, 50, 75), 3)), 100]
        self.now = self.rng.randint(1, 4)
        before, self.errors = self.now, dict[int, int]()
        self.steps: list[dict[str, Value]] = [
            {"percent": percent, "wait": f"{self.rng.randint(5, 30)} min"} for percent in ladder
        ]
        fails = self.rng.choice((None, None, 0, 1, 2, 3))
        plan = [call("get", flag=self.flag)]
        for i, percent in enumerate(ladder):
            self.errors[percent] = self.rng.randint(0, self.budget)
            plan += [call("set", flag=self.flag, percent=percent), call("metrics", flag=self.flag)]
            if i == fails:
                self.errors[percent] += self.budget + 1
                plan += [call("set", flag=self.flag, percent=before)]
                plan += [call("page", owner=self.owner, flag=self.flag)]
                break
            before = percent
        plan.append(call("close", change=self.change))
        offered = [call("set", flag=self.flag, percent=each) for each in (self.now, *ladder)]
        offered += [call("page", owner=each.lower(), flag=self.flag) for each in people]
        self.start = self.now
        self.lay_out(plan, [*offered, call("metrics", flag=self.flag)])
        names = {"flag": self.flag, "change": self.change, "person": people[1]}
        return self.rng.choice(self.wordings).format(**names), [Fact(">>> ready", {"ready": True})]

    def answer(self, wanted: Call) -> Result:
        """Tell the state or errors, set, page or close."""
        if wanted.operator == "get":
            text = f"at {self.start} %, owner {self.owner}, budget {self.budget} errors"
            data: dict[str, Value] = {"percent": self.start, "owner": self.owner}
            head = Fact(text, data | {"budget": self.budget})
            return [head, Rows("steps", "step {percent} % then {wait}", self.steps)]
        if wanted.operator == "set":
            self.now = int(wanted["percent"])
            return [Fact(f"{self.flag} is at {self.now} %", {"percent": self.now})]
        if wanted.operator == "metrics":
            errors = self.errors.get(self.now, 0)
            text = f"{errors} errors in {1000 + 37 * self.now} requests"
            return [Fact(text, {"errors": errors, "requests": 1000 + 37 * self.now})]
        if wanted.operator == "page":
            return [Fact(f"{wanted['owner']} is paged", {"paged": wanted["owner"]})]
        return [Fact(f"{self.change} closed", {"closed": self.change})]


_DOINGS = (
    "order a {item}",
    "return the {item}",
    "ask {town} about the {item}",
    "repair the {item}",
)


class MinutesTasks(Desk):
    """Every open point of some minutes becomes a task; how many there were is told back."""

    name = "minutes-tasks"
    difficulty = "a mail is found by two values; each open line becomes a task; lines are counted"
    operators = (
        Operator("inbox", "inbox", about="Mails of the month."),
        Operator("read", "read {mail}", about="One mail."),
        Operator("task", "add task | {person} | {title} | {due}", about="Tells the person."),
        Operator("reply", "reply {mail} | {count} tasks", ("count",), "Final."),
    )
    changing, irrevocable, finals, free = ("task",), ("task",), ("reply",), ("task", "reply")
    horizon = 10

    wordings = (
        "Turn the minutes of {team} from {day} into tasks and answer with their number.",
        "{team} met on {day}. The open points of the minutes should become tasks.",
        "Minutes {day}, {team}: please create the tasks.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw mails and points."""
        teams, people, towns = self.draw(TEAMS, 3), self.draw(PEOPLE, 9), self.draw(CITIES, 5)
        items, start = (
            self.draw(PRODUCTS, 5),
            date(2025, 1, 8) + timedelta(self.rng.randint(0, 300)),
        )
        days = [(start + timedelta(each)).isoformat() for each in self.rng.sample(range(28), 2)]
        pairs = [(teams[0], days[0]), (teams[0], days[1]), (teams[1], days[0]), (teams[2], days[1])]
        numbers = self.rng.sample(range(100, 999), 4)
        mails: list[dict[str, Value]] = [
            {"mail": f"m{number}", "sender": sender, "subject": f"Minutes {team}, {day}"}
            for number, sender, (team, day) in zip(numbers, people, pairs, strict=False)
        ]
        self.mail, self.sender = str(mails[0]["mail"]), people[0]
        self.mails = self.arranged(mails, mails[0])
        self.points: list[dict[str, Value]] = []
        states = ["open", *self.rng.choices(("open", "open", "done"), k=self.rng.randint(1, 4))]
        self.rng.shuffle(states)
        plan, offered = [call("inbox"), call("read", mail=self.mail)], []
        for state, person, item, town in zip(states, people[4:], items, towns, strict=False):
            title = self.rng.choice(_DOINGS).format(item=item, town=town)
            due = (date.fromisoformat(days[0]) + timedelta(self.rng.randint(2, 30))).isoformat()
            point: dict[str, Value] = {"person": person, "title": title, "due": due}
            self.points.append(point | {"state": state})
            offered.append(call("task", **point))
            plan += [offered[-1]] if state == "open" else []
        plan.append(call("reply", mail=self.mail, count=states.count("open")))
        offered += [call("reply", mail=self.mail, count=n) for n in range(1, 6)]
        self.lay_out(plan, [*offered, *(call("read", mail=row["mail"]) for row in mails)])
        asked = self.rng.choice(self.wordings).format(team=teams[0], day=days[0])
        return asked, [Fact("4 mails", {"mails": 4})]

    def answer(self, wanted: Call) -> Result:
        """List, read, add or reply."""
        if wanted.operator == "inbox":
            return [Rows("inbox", "{mail} | {sender} | {subject}", self.mails)]
        if wanted.operator == "task":
            return [Fact(f"Added for {wanted['person']}.", {"added": wanted["person"]})]
        if wanted["mail"] != self.mail and wanted.operator == "read":
            return [Fact("All points are done.", {"note": "all points are done"})]
        if wanted.operator == "read":
            head = Fact(f"From: {self.sender}\nPoints:", {"from": self.sender})
            return [head, Rows("points", "* {person}: {title}, until {due} ({state})", self.points)]
        return [Fact("Sent.", {"sent": True})]


class LotPicking(Desk):
    """Each line of an order comes from the lot that expires first; its weight names the carrier."""

    name = "lot-picking"
    difficulty = (
        "for each line the earliest of the rows under two conditions; then a step by weight"
    )
    operators = (
        Operator("order", "order {order} show", about="Lines of an order."),
        Operator("lots", "lots {sku} show", about="Lots of an article."),
        Operator("pick", "lot {lot} pick {quantity}", ("quantity",), "Books it out."),
        Operator("carriers", "carriers show", about="Carriers by weight."),
        Operator("ship", "order {order} ship {carrier}", about="Final."),
    )
    changing, irrevocable, finals, free = ("pick",), ("pick",), ("ship",), ("pick",)
    horizon = 11

    wordings = (
        "Pick and ship order {order}.",
        "{order} for {town} has to leave today.",
        "Please get {order} out, oldest stock first.",
        "Order {order} is ready to be picked. Destination {town}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw lines, lots and carriers."""
        towns, items = self.draw(CITIES, 4), self.draw(PRODUCTS, self.rng.randint(1, 3))
        self.order, self.weight = self.identifier("SO-#####"), self.rng.randint(2, 60)
        self.lines: list[dict[str, Value]] = []
        self.lots: dict[str, list[dict[str, Value]]] = {}
        plan, offered = [call("order", order=self.order)], []
        for item in items:
            sku, quantity = self.identifier("A-####"), self.rng.randint(3, 40)
            self.lines.append({"sku": sku, "item": item, "quantity": quantity})
            lots, fits = [], [True, *(self.rng.random() < 0.5 for _ in range(4))]
            days = self.rng.sample(range(600), 5)
            for fit, day in zip(fits, days, strict=True):
                held = not fit and self.rng.random() < 0.5
                stock = quantity + self.rng.randint(0, 60)
                if not fit and not held:
                    stock = self.rng.randint(1, quantity - 1)
                expires = (date(2026, 1, 1) + timedelta(day)).isoformat()
                row: dict[str, Value] = {"lot": self.identifier("L#####"), "expires": expires}
                lots.append(row | {"stock": stock, "state": "held" if held else "ok"})
            good = [row for row, fit in zip(lots, fits, strict=True) if fit]
            best = min(good, key=lambda row: str(row["expires"]))
            self.lots[sku] = self.arranged(lots, best)
            picked = call("pick", lot=best["lot"], quantity=quantity)
            plan += [call("lots", sku=sku), picked]
            offered += [call("pick", lot=row["lot"], quantity=quantity) for row in lots]
        tops = sorted(self.rng.sample(range(5, 90), 3))
        tops[-1] = max(tops[-1], self.weight + self.rng.randint(0, 20))
        carriers: list[dict[str, Value]] = [
            {"carrier": f"{town} Freight", "upto": top}
            for town, top in zip(towns, tops, strict=False)
        ]
        right = next(row for row, top in zip(carriers, tops, strict=True) if top >= self.weight)
        self.carriers = self.arranged(carriers, right)
        plan += [call("carriers"), call("ship", order=self.order, carrier=right["carrier"])]
        offered += [call("ship", order=self.order, carrier=r["carrier"]) for r in carriers]
        self.lay_out(plan, offered)
        asked = self.rng.choice(self.wordings).format(order=self.order, town=towns[3])
        return asked, [Fact("terminal 4, picker logged in", {"terminal": 4})]

    def answer(self, wanted: Call) -> Result:
        """Show, pick or ship."""
        if wanted.operator == "order":
            head = Fact(f"{self.order}, {self.weight} kg gross", {"weight": self.weight})
            return [head, Rows("lines", "{sku} {item}, {quantity} pieces", self.lines)]
        if wanted.operator == "lots":
            line = "{lot}  exp {expires}  {stock} pcs  {state}"
            return [Rows("lots", line, self.lots[wanted["sku"]])]
        if wanted.operator == "carriers":
            return [Rows("carriers", "{carrier}: up to {upto} kg", self.carriers)]
        if wanted.operator == "pick":
            return [Fact(f"{wanted['quantity']} from {wanted['lot']}", {"picked": wanted["lot"]})]
        return [Fact("label printed", {"shipped": self.order})]


class RedeliveryChat(Desk):
    """A parcel comes again on the day the customer names, or the next that has room."""

    name = "redelivery-chat"
    difficulty = (
        "an answer is compared first; a day is told late, and counted on until there is room"
    )
    operators = (
        Operator("track", "/track {parcel}", about="Where a parcel is."),
        Operator("postcode", "/ask postcode", about="Ask the customer."),
        Operator("day", "/ask day", about="Ask the customer."),
        Operator("room", "/capacity {depot} {day}", about="Free places on a tour."),
        Operator("book", "/book {parcel} {day}", about="Final."),
        Operator("decline", "/decline {parcel}", about="Final."),
        Operator("returned", "/refund {parcel}", about="Final."),
    )
    finals, free = ("book", "decline", "returned"), ("room", "book")
    horizon = 10

    wordings = (
        "Chat: I was not at home, where is my parcel {parcel}?",
        "Chat: please deliver {parcel} again",
        "Chat: hello, {person} here. Missed {parcel} today, can you come again?",
        "Chat: nobody rang! {parcel}",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a parcel, answers of the customer and tours."""
        (person,), (town,) = self.draw(PEOPLE), self.draw(CITIES)
        self.parcel = self.identifier("PA#######")
        self.depot = f"{town.upper()}{self.rng.randint(1, 9)}"
        self.code = str(self.rng.randint(10_000, 99_999))
        case = self.rng.choice(("book", "book", "book", "book", "stranger", "returned"))
        self.state = self.rng.choice(("missed", "at depot"))
        if case == "returned":
            self.state = "returned"
        self.said = self.code
        if case == "stranger":
            self.said = str(self.rng.randint(10_000, 99_999))
        self.tries = self.rng.randint(1, 2)
        first = date(2025, 1, 2) + timedelta(self.rng.randint(0, 350))
        days = [(first + timedelta(n)).isoformat() for n in range(5)]
        full = self.rng.choice((0, 0, 1, 2, 3))
        self.day, self.rooms = days[0], dict.fromkeys(days[:full], 0)
        self.places = self.rng.randint(1, 9)
        plan = [call("track", parcel=self.parcel)]
        if case == "returned":
            plan.append(call("returned", parcel=self.parcel))
        elif case == "stranger":
            plan += [call("postcode"), call("decline", parcel=self.parcel)]
        else:
            plan += [call("postcode"), call("day")]
            plan += [call("room", depot=self.depot, day=each) for each in days[: full + 1]]
            plan.append(call("book", parcel=self.parcel, day=days[full]))
        offered = [call("postcode"), call("day")]
        offered += [call("room", depot=self.depot, day=each) for each in days]
        offered += [call("book", parcel=self.parcel, day=each) for each in days]
        offered += [call(name, parcel=self.parcel) for name in ("decline", "returned")]
        self.lay_out(plan, offered)
        asked = self.rng.choice(self.wordings).format(parcel=self.parcel, person=person)
        return asked, [Fact("1 customer waits", {"waiting": 1})]

    def answer(self, wanted: Call) -> Result:
        """Track, ask, look for room, or do what ends it."""
        if wanted.operator == "track":
            data: dict[str, Value] = {"state": self.state, "depot": self.depot}
            data |= {"postcode": self.code, "tries": self.tries}
            text = f"{self.parcel}: {self.state}, depot {self.depot}, addressee in {self.code}"
            return [Fact(f"{text}, tries so far: {self.tries}", data)]
        if wanted.operator == "postcode":
            return [Fact(f"Customer: it is {self.said}", {"customer": self.said})]
        if wanted.operator == "day":
            return [Fact(f"Customer: {self.day} would be fine", {"customer": self.day})]
        if wanted.operator == "room":
            if wanted["depot"] != self.depot:
                return [Fact("No such depot.", {"error": "no such depot"})]
            free = self.rooms.get(wanted["day"], self.places)
            return [Fact(f"{wanted['day']}: {free} places", {"places": free})]
        return [Fact("Done, chat closed.", {"closed": True})]
