"""Rounds: trays for a ward, tickets with a priority, steps of a schema."""

from __future__ import annotations

from ...ladder.names import PARTS, PEOPLE, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class WardTrays(Desk):
    """Every bed gets the dish of its diet; who is fasting gets none.

    A dish that is out is replaced by the one that the kitchen's note names.
    """

    name = "ward-trays"
    difficulty = "each row of one list by a row of another; one class is left out; one is replaced"
    operators = (
        Operator("beds", "list beds of {ward}", about="Who lies where, and diets."),
        Operator("menu", "read the {meal} menu", about="Dishes by diet."),
        Operator("tray", "tray for {bed}: {dish}", about="Fills a tray."),
        Operator("send", "send the trolley to {ward}", about="Final."),
    )
    changing, irrevocable, finals = ("tray",), ("tray",), ("send",)
    free = ("beds", "menu", "tray", "send")
    horizon = 10

    wordings = (
        *("Get the {meal} trays for {ward} ready.", "Here in {ward} they wait for {meal}."),
        *("Please load the trolley of {ward}, it is {meal} time.", "Do the {meal} for {ward}."),
    )
    diets = ("normal", "soft", "vegan", "low salt", "diabetic", "lactose-free")
    dishes = (
        *("pea soup", "baked fish", "bean stew", "omelette", "pasta bake", "lentil curry"),
        *("potato mash", "chicken broth", "tofu bowl", "oat porridge", "rice pudding"),
    )

    def begin(self) -> tuple[str, Result]:
        """Draw beds, diets and a menu."""
        fasting, gone = case_of(self.name, self.task, ((0, 0), (1, 0), (0, 1), (1, 1), (1, 0)))
        self.ward, self.meal = self.identifier("A-##"), self.rng.choice(("lunch", "supper"))
        diets = self.rng.sample(self.diets, 4)
        spare, *dishes = self.rng.sample(self.dishes, 5)
        count = self.rng.randint(3, 4)
        eats = self.rng.sample(diets, 2) + self.rng.choices(diets, k=count - 2)
        out = self.rng.choice(eats) if gone else ""
        place = self.rng.randrange(count)
        while fasting and out in eats and out not in eats[:place] + eats[place + 1 :]:
            place = self.rng.randrange(count)
        shown = ["fasting" if fasting and i == place else each for i, each in enumerate(eats)]
        beds = distinct(lambda: self.identifier("##a"), count)
        people = self.draw(SURNAMES, count)
        self.rows = [
            {"bed": bed, "patient": person, "diet": diet}
            for bed, person, diet in zip(beds, people, shown, strict=True)
        ]
        menu = [
            {"diet": diet, "dish": dish, "left": "out" if diet == out else self.rng.randint(6, 40)}
            for diet, dish in zip(diets, dishes, strict=True)
        ]
        self.menu = self.arranged(menu)
        serves = {diet: spare if diet == out else d for diet, d in zip(diets, dishes, strict=True)}
        beds_of, send = call("beds", ward=self.ward), call("send", ward=self.ward)
        menu_of = call("menu", meal=self.meal)
        plan = [
            call("tray", bed=row["bed"], dish=serves[row["diet"]])
            for row in self.rows
            if row["diet"] in serves
        ]
        every = [call("tray", bed=bed, dish=dish) for bed in beds for dish in (spare, *dishes)]
        self.lay_out([beds_of, menu_of, *plan, send], [beds_of, menu_of, *every, send])
        asked = self.rng.choice(self.wordings).format(meal=self.meal, ward=f"ward {self.ward}")
        text = f"Kitchen's note: what is out is replaced by {spare}."
        return asked, [Fact(text, {"instead": spare})]

    def answer(self, wanted: Call) -> Result:
        """Show, fill or end."""
        values = wanted.values
        known = (values.get("ward", self.ward), values.get("meal", self.meal))
        if known != (self.ward, self.meal):
            return [Fact("That does not exist.", {"error": "does not exist"})]
        if wanted.operator == "beds":
            return [Rows("beds", "bed {bed}: {patient} ({diet})", self.rows)]
        if wanted.operator == "menu":
            head = Fact("diet; dish; portions")
            return [head, Rows("menu", "{diet}; {dish}; {left}", self.menu)]
        return [Fact("Done.", {"done": True})]


class ImpactQueue(Desk):
    """Impact and urgency give the priority by a table; the category gives the queue by another.

    Priority P1 also pages whoever is on call for the queue. A ticket that is a duplicate is linked
    to the other one and nothing else is done.
    """

    name = "impact-queue"
    difficulty = "a table with two keys and a table with one; one class pages; a stop before all"
    operators = (
        Operator("ticket", "ticket {ticket}", about="A ticket."),
        Operator("queues", "queues", about="Queues and who is on call."),
        Operator("rate", "priority {ticket} {priority}", about="Sets the priority."),
        Operator("page", "page {person}", about="Where it is P1."),
        Operator("route", "route {ticket} {queue}", about="Final."),
        Operator("link", "duplicate {ticket} {other}", about="Final: it is a duplicate."),
    )
    changing, irrevocable, finals = ("rate", "page"), ("page",), ("route", "link")
    free = ("ticket", "queues", "rate", "page", "route", "link")
    horizon = 8

    wordings = ("Triage {ticket}.", "{ticket} is new, sort it in.", "Rate and route {ticket}.")
    levels = ("low", "medium", "high")
    tables = (
        ("P4", "P4", "P3", "P4", "P3", "P2", "P3", "P2", "P1"),
        ("P4", "P3", "P2", "P3", "P2", "P1", "P2", "P1", "P1"),
        ("P3", "P3", "P2", "P3", "P3", "P1", "P2", "P2", "P1"),
    )
    kinds = ("mail", "network", "phones", "printing", "accounts", "database")

    def begin(self) -> tuple[str, Result]:
        """Draw a ticket and the tables."""
        kind = case_of(self.name, self.task, ("plain", "top", "plain", "linked", "plain", "top"))
        self.ticket, self.other = distinct(lambda: self.identifier("T#####"), 2)
        cells = [(impact, urgency) for impact in self.levels for urgency in self.levels]
        table = dict(zip(cells, self.rng.choice(self.tables), strict=True))
        fit = [cell for cell in cells if (table[cell] == "P1") == (kind == "top")]
        self.impact, self.urgency = cell = self.rng.choice(fit if kind != "linked" else cells)
        kinds, queues = self.rng.sample(self.kinds, 4), self.rng.sample(TEAMS, 4)
        self.category, self.linked = kinds[0], kind == "linked"
        self.reporter, *people = self.draw(PEOPLE, 5)
        rows = [
            {"category": category, "queue": f"q-{queue}", "on_call": person}
            for category, queue, person in zip(kinds, queues, people, strict=True)
        ]
        self.rows = self.arranged(rows, rows[0])
        marks = ("P1", "P2", "P3", "P4")
        rates = {each: call("rate", ticket=self.ticket, priority=each) for each in marks}
        pages = [call("page", person=each) for each in people]
        routes = [call("route", ticket=self.ticket, queue=row["queue"]) for row in rows]
        link = call("link", ticket=self.ticket, other=self.other)
        look, lists = call("ticket", ticket=self.ticket), call("queues")
        plan = [look, lists, rates[table[cell]], *[pages[0]] * (kind == "top"), routes[0]]
        plan = [look, link] if self.linked else plan
        self.lay_out(plan, [look, lists, *rates.values(), *pages, *routes])
        matrix: list[dict[str, Value]] = [
            {"impact": impact, "urgency": urgency, "priority": priority}
            for (impact, urgency), priority in table.items()
        ]
        line = "| {impact:<6} | {urgency:<6} | {priority} |"
        head = Fact("| impact | urgency | priority |")
        asked = self.rng.choice(self.wordings).format(ticket=self.ticket)
        return asked, [head, Rows("matrix", line, matrix)]

    def answer(self, wanted: Call) -> Result:
        """Show, rate, page or end."""
        if wanted.values.get("ticket", self.ticket) != self.ticket:
            return [Fact("no such ticket", {"error": "no such ticket"})]
        if wanted.operator == "ticket":
            data: dict[str, Value] = {"from": self.reporter, "category": self.category}
            data |= {"impact": self.impact, "urgency": self.urgency}
            data |= {"duplicate_of": self.other if self.linked else "-"}
            return [Fact("\n".join(f"{key}={value}" for key, value in data.items()), data)]
        if wanted.operator == "queues":
            return [Rows("queues", "{category} -> {queue} (on call: {on_call})", self.rows)]
        if wanted.operator == "rate":
            self.overwrite(wanted, "ticket")
        return [Fact("ok", {"ok": True})]


class SchemaSteps(Desk):
    """Steps above a database's version are applied upwards, as far as its target.

    A database of production is backed up first. A manual step is not applied: it is handed to its
    author, and that is the end.
    """

    name = "schema-steps"
    difficulty = "rows between two numbers, upwards though listed downwards; a first step; a stop"
    operators = (
        Operator("status", "db status {base}", about="Version, target and stage."),
        Operator("steps", "db steps", about="All steps, the newest first."),
        Operator("backup", "db backup {base}", about="Before steps in production."),
        Operator("apply", "db apply {step} {base}", ("step",), "In order."),
        Operator("verify", "db verify {base}", about="Final."),
        Operator("hand", "db handover {step} {person}", ("step",), "Final: a manual step."),
    )
    changing, irrevocable, finals = ("backup", "apply"), ("apply",), ("verify", "hand")
    free = ("status", "steps", "backup", "apply", "verify", "hand")
    horizon = 10

    wordings = (
        "Migrate {base}.",
        "Bring the schema of {base} to its target.",
        "{base} is behind, apply what it lacks.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a database and its steps."""
        cases = ((2, 0, 0), (1, 0, 1), (2, 1, 0), (3, 0, 1), (1, 1, 1), (3, 0, 0))
        count, manual, self.live = case_of(self.name, self.task, cases)
        (part,) = self.draw(PARTS)
        self.base = f"{part.replace(' ', '_')}_{self.identifier('a#')}"
        steps = sorted(self.rng.sample(range(100, 420), 7))
        start = self.rng.randint(0, 6 - count - manual)
        due = steps[start + 1 : start + 1 + count + manual]
        self.version, self.target = steps[start], due[-1]
        if manual and start + 1 + len(due) < len(steps) and self.rng.random() < 0.5:
            self.target = steps[start + 1 + len(due)]
        stop = due[-1] if manual else 0
        authors = [self.rng.choice(self.draw(PEOPLE, 3)).lower() for _ in steps]
        verbs = ("add", "drop", "index", "rename", "split")
        titles = [f"{self.rng.choice(verbs)}_{self.identifier('aaa')}" for _ in steps]
        ways = ["manual" if step == stop else "auto" for step in steps]
        self.rows: list[dict[str, Value]] = [
            {"step": step, "title": title, "way": way, "author": author}
            for step, title, way, author in zip(steps, titles, ways, authors, strict=True)
        ]
        self.rows.reverse()
        applies = {step: call("apply", step=step, base=self.base) for step in steps}
        hands = {s: call("hand", step=s, person=p) for s, p in zip(steps, authors, strict=True)}
        names = ("status", "backup", "verify")
        status, backup, verify = (call(each, base=self.base) for each in names)
        self.order = [applies[step] for step in due if step != stop]
        plan = [status, call("steps"), *[backup] * self.live, *self.order]
        plan.append(hands[stop] if manual else verify)
        looks = [status, call("steps"), backup]
        self.lay_out(plan, [*looks, *applies.values(), verify, *hands.values()])
        mb = self.rng.randint(20, 9000)
        asked = self.rng.choice(self.wordings).format(base=self.base)
        return asked, [Fact(f"disk used: {mb} MB", {"disk_used_mb": mb})]

    def answer(self, wanted: Call) -> Result:
        """Show, save, apply or end."""
        if wanted.values.get("base", self.base) != self.base:
            return [Fact("no such database", {"error": "no such database"})]
        if wanted.operator == "status":
            stage = "production" if self.live else "staging"
            data: dict[str, Value] = {"version": self.version, "target": self.target}
            text = f"{self.base}: version {self.version}, target {self.target}, stage {stage}"
            return [Fact(text, data | {"stage": stage})]
        if wanted.operator == "steps":
            return [Rows("steps", "{step} {title} {way} by {author}", self.rows)]
        if wanted.operator == "apply":
            applied = [each for each in self.made if each.operator == "apply"]
            late = self.live and len(applied) == len(self.made)
            self.out_of_turn |= bool(late) or wanted not in self.order[len(applied) :][:1]
        return [Fact("ok", {"ok": True})]
