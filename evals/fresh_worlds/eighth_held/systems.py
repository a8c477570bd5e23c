"""Systems: water is dosed, tickets are routed, marks are added up, goods are ordered."""

from __future__ import annotations

from typing import ClassVar

from ...ladder.names import CITIES, PEOPLE, PRODUCTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import clock_times, distinct, enumerated


class PoolDose(Desk):
    """Water is measured and dosed until the measure is good; the last measure is logged."""

    name = "pool-dose"
    difficulty = "measure, dose, measure: which of two depends on what is told; the last is logged"
    operators = (
        Operator("measure", "measure {pool}", about="Tells the pH."),
        Operator("acid", "add acid to {pool}", about="Lowers the pH."),
        Operator("base", "add base to {pool}", about="Raises the pH."),
        Operator("log", "log {value} for {pool}", about="Final."),
    )
    changing, irrevocable, finals = ("acid", "base"), ("acid", "base"), ("log",)
    free, counted = ("log",), True
    horizon = 12

    wordings = (
        "Morning round: see to the water of the {pool}.",
        "Bring the {pool} into range and log it.",
        "{person} asks for the {pool} to be checked and logged.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a pool and its measures."""
        (city,), (person,) = self.draw(CITIES), self.draw(PEOPLE)
        self.pool = f"{city} pool"
        cases = (("acid", 1), ("base", 1), ("acid", 2), ("base", 2), ("", 0), ("acid", 3))
        self.dose, count = case_of(self.name, self.task, cases)
        sign = 1 if self.dose == "acid" else -1
        self.measures = [f"{self.rng.randint(701, 739) / 100:.2f}"]
        for n in range(count):
            drawn = (740 if sign > 0 else 700) + sign * (self.rng.randint(3, 19) + 20 * n)
            self.measures.insert(0, f"{drawn / 100:.2f}")
        self.state = "too high" if sign > 0 else "too low"
        measure = call("measure", pool=self.pool)
        plan = [measure, *[call(self.dose, pool=self.pool), measure] * count]
        plan.append(call("log", value=self.measures[-1], pool=self.pool))
        logs = [call("log", value=each, pool=self.pool) for each in self.measures]
        doses = [call(each, pool=self.pool) for each in ("acid", "base")]
        self.lay_out(plan, [*logs, *doses])
        asked = self.rng.choice(self.wordings).format(pool=self.pool, person=person)
        return asked, [Fact("Plant room", {"room": "plant"})]

    def answer(self, wanted: Call) -> Result:
        """Measure, dose or log."""
        doses = sum(self.times(call(each, pool=self.pool)) for each in ("acid", "base"))
        if wanted.operator == "measure":
            value = self.measures[min(doses, len(self.measures) - 1)]
            state = self.state if doses < len(self.measures) - 1 else "good"
            degrees = self.rng.randint(22, 29)
            text = f"pH {value} ({state}), water {degrees} C"
            return [Fact(text, {"ph": value, "state": state, "degrees": degrees})]
        if wanted.operator == "log":
            return [Fact("logged", {"logged": True})]
        (time,) = clock_times(self.rng, 1)
        return [Fact(f"{time} pump ran", {"time": time})]


class TicketRoute(Desk):
    """A ticket's kind decides its queue, its customer's plan decides whether it is urgent."""

    name = "ticket-route"
    difficulty = "a class mapped to another; a step that another record decides"
    operators = (
        Operator("ticket", "ticket {ticket}", about="A ticket."),
        Operator("account", "account {account}", about="A customer."),
        Operator("urgent", "flag {ticket} urgent", about="Puts it ahead."),
        Operator("assign", "assign {ticket} --queue {queue}", about="Final."),
    )
    changing, irrevocable, finals = ("urgent",), ("urgent",), ("assign",)
    free = ("ticket", "account")
    horizon = 7

    wordings = (
        "Route ticket {ticket}.",
        "Ticket {ticket} is new. Where does it go?",
        "Please triage {ticket}.",
    )
    queues: ClassVar[dict[str, str]] = {
        "login": "identity",
        "invoice": "finance",
        "outage": "network",
        "laptop": "field",
    }

    def begin(self) -> tuple[str, Result]:
        """Draw a ticket and a customer."""
        (self.person,), (self.city,) = self.draw(PEOPLE), self.draw(CITIES)
        self.ticket, self.account = self.identifier("#####"), self.identifier("ac-aa##")
        cases = tuple((kind, plan) for kind in self.queues for plan in ("gold", "basic", "trial"))
        self.kind, self.plan_name = case_of(self.name, self.task, cases)
        ends = {q: call("assign", ticket=self.ticket, queue=q) for q in self.queues.values()}
        urgent = call("urgent", ticket=self.ticket)
        plan = [call("ticket", ticket=self.ticket), call("account", account=self.account)]
        plan += [urgent] if self.plan_name == "gold" else []
        self.lay_out([*plan, ends[self.queues[self.kind]]], [*ends.values(), urgent])
        asked = self.rng.choice(self.wordings).format(ticket=self.ticket)
        queues = ", ".join(self.queues.values())
        text = f"{self.rng.randint(2, 60)} tickets open\nqueues: {queues}"
        return asked, [Fact(text, {"queues": queues})]

    def answer(self, wanted: Call) -> Result:
        """Show, flag or assign."""
        if wanted.operator == "account":
            if wanted["account"] != self.account:
                return [Fact("no such account", {"error": "no such account"})]
            since = self.rng.randint(2009, 2025)
            data: dict[str, Value] = {"account": self.account, "plan": self.plan_name}
            text = f"{self.account}; plan {self.plan_name}; customer since {since}"
            return [Fact(text, data | {"since": since})]
        if wanted.operator == "ticket":
            if wanted["ticket"] != self.ticket:
                return [Fact("no such ticket", {"error": "no such ticket"})]
            data = {"type": self.kind, "from": self.person, "account": self.account}
            data["office"] = self.city
            text = "\n".join(f"{key.upper():>8} | {value}" for key, value in data.items())
            return [Fact(text, data)]
        return [Fact("ok", {"ok": True})]


class GradeSheet(Desk):
    """Points of listed pupils are added up and typed; who stays below fifty is named."""

    name = "grade-sheet"
    difficulty = "a list in the task; a sum of three for each, a step below a limit"
    operators = (
        Operator("row", "row {pupil}", about="Points of a pupil."),
        Operator("total", "set total of {pupil} = {points}", ("points",), "Types a sum."),
        Operator("resit", "resit {pupil}", about="Puts a pupil on the list of resits."),
        Operator("publish", "publish {course}", about="Final."),
    )
    changing, irrevocable, finals = ("total", "resit"), ("total", "resit"), ("publish",)
    free = ("row", "total")
    horizon = 16

    wordings = (
        "Course {course}: add up {pupils}. Below 50 is a resit.",
        "Finish {pupils} in course {course} (fewer than 50 points: resit) and publish.",
        "{pupils} are still without totals in {course}. Pass mark 50.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a course, pupils and points."""
        self.course = self.identifier("AA-##")
        pupils = self.draw(PEOPLE, case_of(self.name, self.task, (2, 3, 3, 4)))
        self.points: dict[str, dict[str, Value]] = {}
        plan, wrong = [], []
        for pupil in pupils:
            low = self.rng.random() < 0.4
            top = (14, 20, 15) if low else (30, 50, 20)
            least = (1, 1, 1) if low else (14, 28, 8)
            points = [self.rng.randint(a, b) for a, b in zip(least, top, strict=True)]
            names = ("oral", "written", "project")
            self.points[pupil] = dict(zip(names, points, strict=True))
            plan.append(call("row", pupil=pupil))
            plan.append(call("total", pupil=pupil, points=sum(points)))
            plan += [call("resit", pupil=pupil)] if low else []
            wrong += [call("total", pupil=pupil, points=points[0] + points[1])]
            wrong.append(call("resit", pupil=pupil))
        plan.append(call("publish", course=self.course))
        self.lay_out(plan, wrong)
        names_said = enumerated(pupils)
        asked = self.rng.choice(self.wordings).format(course=self.course, pupils=names_said)
        return asked, [Fact(f"Sheet {self.course}", {"course": self.course})]

    def answer(self, wanted: Call) -> Result:
        """Show, type, list or publish."""
        if wanted.operator == "publish":
            return [Fact("published", {"published": True})]
        pupil = wanted["pupil"]
        if pupil not in self.points:
            return [Fact("not in this course", {"error": "not in this course"})]
        if wanted.operator == "row":
            points = self.points[pupil]
            cells = ", ".join(f"{name} {value}" for name, value in points.items())
            return [Fact(f"{pupil}: {cells}, total -", points)]
        return [Fact("ok", {"ok": True})]


class SqlReorder(Desk):
    """Each of a supplier's goods below its least stock is ordered up to its most."""

    name = "sql-reorder"
    difficulty = "a table leads to another; rows under their own limit; a difference for each"
    operators = (
        Operator(
            "suppliers", "SELECT id FROM suppliers WHERE name = '{supplier}';", about="An id."
        ),
        Operator(
            "stock", "SELECT * FROM stock WHERE supplier_id = {number};", ("number",), "Goods."
        ),
        Operator(
            "order",
            "INSERT INTO orders (sku, pieces) VALUES ('{sku}', {pieces});",
            ("pieces",),
            "Orders goods.",
        ),
        Operator("commit", "COMMIT;", about="Final."),
    )
    changing, irrevocable, finals = ("order",), ("order",), ("commit",)
    free, counted = ("suppliers", "stock", "order"), True
    horizon = 10

    wordings = (
        "Reorder what runs low from {supplier}.",
        "Supplier {supplier}: fill up all goods that are below their minimum.",
        "{supplier} delivers tomorrow. Order what is short, up to the maximum.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a supplier and goods."""
        (last,) = self.draw(SURNAMES)
        self.supplier = f"{last} {self.rng.choice(('AG', 'Ltd', 'Bros'))}"
        self.number = str(self.rng.randint(11, 990))
        low = case_of(self.name, self.task, (1, 2, 2, 3))
        count = low + self.rng.randint(1, 2)
        names, skus = self.draw(PRODUCTS, count), distinct(lambda: self.identifier("A-###"), count)
        rows: list[dict[str, Value]] = []
        orders, wrong = [], []
        for n, (name, sku) in enumerate(zip(names, skus, strict=True)):
            least = self.rng.randint(10, 40)
            most = least + self.rng.randint(20, 90)
            here = self.rng.randint(0, least - 1) if n < low else self.rng.randint(least, most)
            rows.append({"sku": sku, "name": name, "on_hand": here, "min": least, "max": most})
            orders.append(call("order", sku=sku, pieces=most - here))
            wrong.append(call("order", sku=sku, pieces=most))
        due = [row for n, row in enumerate(rows) if n < low]
        self.rows = self.arranged(rows, *due)
        plan = [call("suppliers", supplier=self.supplier), call("stock", number=self.number)]
        plan += [orders[rows.index(row)] for row in self.rows if row in due]
        self.lay_out([*plan, call("commit")], [*orders, *wrong])
        asked = self.rng.choice(self.wordings).format(supplier=self.supplier)
        return asked, [Fact("psql (16.2)\nstore=>", {"database": "store"})]

    def answer(self, wanted: Call) -> Result:
        """Select, insert or commit."""
        took = Fact(f"Time: {self.rng.randint(300, 9000) / 1000:.3f} ms")
        if wanted.operator == "suppliers":
            if wanted["supplier"] != self.supplier:
                return [Fact("(0 rows)", {"error": "no rows"})]
            return [Fact(f" id\n----\n {self.number}\n(1 row)", {"id": int(self.number)}), took]
        if wanted.operator == "stock":
            if wanted["number"] != self.number:
                return [Fact("(0 rows)", {"error": "no rows"})]
            line = " {sku} | {name} | {on_hand} | {min} | {max}"
            head = Fact(" sku | name | on_hand | min | max\n-----+------+---------+-----+-----")
            return [head, Rows("stock", line, self.rows), Fact(f"({len(self.rows)} rows)"), took]
        said = "INSERT 0 1" if wanted.operator == "order" else "COMMIT"
        return [Fact(said, {"said": said}), took]
