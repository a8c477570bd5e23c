"""Desks: tickets that are routed, people who start, probations that end."""

from __future__ import annotations

from datetime import date

from ...ladder.names import CITIES, PEOPLE, PRODUCTS, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class SupportRoute(Desk):
    """A ticket goes to the team of its product, as urgent as its customer's level says.

    Who wants to be reached by phone is put on the list of calls first.
    """

    name = "support-route"
    difficulty = "easy; a value from each of two tables by what a letter says; an optional step"
    operators = (
        Operator("read", "read ticket {ticket}", about="What was written."),
        Operator("customer", "look up customer {customer}", about="The level."),
        Operator("teams", "list the teams", about="Who sees to which product."),
        Operator("callback", "plan a call to {phone}", about="Where they want one."),
        Operator("route", "send {ticket} to {team} as {priority}", about="Final."),
    )
    changing = irrevocable = ("callback",)
    finals = ("route",)
    free = ("read", "customer", "teams", "callback", "route")
    horizon = 7

    wordings = (
        "Route ticket {ticket}.",
        "Ticket {ticket} has just come in, who gets it?",
        "{ticket} lies in the inbox. Send it on.",
    )
    troubles = ("makes a noise", "does not start", "came broken", "smells burnt", "is too slow")
    levels = ("gold", "silver", "bronze", "basic")
    priorities = ("urgent", "high", "normal", "low")

    def begin(self) -> tuple[str, Result]:
        """Draw a ticket, its customer and the teams."""
        phoned = case_of(self.name, self.task, (True, False, False))
        self.ticket, self.customer = self.identifier("T-#####"), self.identifier("K####")
        (self.person,), products = self.draw(SURNAMES), self.draw(PRODUCTS, 4)
        self.product, teams = products[0], self.rng.sample(TEAMS, 4)
        levels = dict(zip(self.levels, self.rng.sample(self.priorities, 4), strict=True))
        self.level = self.rng.choice(self.levels)
        self.phone, self.reach = self.identifier("0## ### ##"), "phone" if phoned else "mail"
        self.trouble = self.rng.choice(self.troubles)
        rows: list[dict[str, Value]] = [
            {"product": product, "team": team}
            for product, team in zip(products, teams, strict=True)
        ]
        self.rows = self.arranged(rows, rows[0])
        read, customer = call("read", ticket=self.ticket), call("customer", customer=self.customer)
        callback = call("callback", phone=self.phone)
        routes = {
            (team, each): call("route", ticket=self.ticket, team=team, priority=each)
            for team in teams
            for each in self.priorities
        }
        plan = [read, customer, call("teams"), *[callback] * phoned]
        plan.append(routes[teams[0], levels[self.level]])
        self.lay_out(plan, [read, customer, call("teams"), callback, *routes.values()])
        asked = self.rng.choice(self.wordings).format(ticket=self.ticket)
        table: list[dict[str, Value]] = [{"level": k, "priority": v} for k, v in levels.items()]
        return asked, [Rows("levels", "{level} customers: {priority}", table)]

    def answer(self, wanted: Call) -> Result:
        """Show, plan or end."""
        values = wanted.values
        known = (values.get("ticket", self.ticket), values.get("customer", self.customer))
        if known != (self.ticket, self.customer):
            return [Fact("Not found.", {"error": "not found"})]
        if wanted.operator == "read":
            text = f"Dear support, the {self.product} {self.trouble}.\nBest regards, {self.person}"
            text += f"\nCustomer: {self.customer}\nPhone: {self.phone}\nReach me by: {self.reach}"
            data: dict[str, Value] = {"product": self.product, "trouble": self.trouble}
            data |= {"customer": self.customer, "phone": self.phone, "reach_by": self.reach}
            return [Fact(text, data)]
        if wanted.operator == "customer":
            text = f"{self.person} is a {self.level} customer."
            return [Fact(text, {"name": self.person, "level": self.level})]
        if wanted.operator == "teams":
            return [Rows("teams", "The team {team} sees to: {product}.", self.rows)]
        return [Fact("Done.", {"done": True})]


class HrOnboard(Desk):
    """Who starts gets the laptop of the role and the first free desk; drivers a parking space.

    Who works from home gets no desk, and the desks are not looked at.
    """

    name = "hr-onboard"
    difficulty = "easy; a form; a value by the role, the first free row; parts that the task names"
    operators = (
        Operator("desks", "list desks in {city}", about="Who sits where."),
        Operator("fill", "fill {field} with {value}", about="A field of the form."),
        Operator("submit", "submit the form of {person}", about="Final."),
    )
    changing, finals = ("fill",), ("submit",)
    free = ("desks", "fill", "submit")
    horizon = 8

    wordings = (
        "{person} starts as {role} in {city}.",
        "New colleague in {city}: {person}, {role}.",
        "Fill in the form for {person}, who joins as {role} in {city}.",
    )
    driving = (" A parking space is needed.", " Comes by car.", " Needs parking.")
    home = (" Works from home.", " No desk, works from home.")
    roles = ("developer", "accountant", "recruiter", "designer", "buyer", "analyst", "planner")
    laptops = ("Air 13", "Pro 16", "Book 14", "Slate 12", "Works 15", "Mini 11", "Studio 17")

    def begin(self) -> tuple[str, Result]:
        """Draw somebody, laptops and desks."""
        cases = (("", ""), ("", "car"), ("home", ""), ("", ""), ("", "car"))
        where, way = case_of(self.name, self.task, cases)
        (first,), surnames = self.draw(PEOPLE), self.draw(SURNAMES, 6)
        (self.city,), self.person = self.draw(CITIES), f"{first} {surnames[0]}"
        roles, laptops = self.rng.sample(self.roles, 4), self.rng.sample(self.laptops, 4)
        table: list[dict[str, Value]] = [
            {"role": role, "laptop": laptop} for role, laptop in zip(roles, laptops, strict=True)
        ]
        floor = self.rng.choice("ABCDEFG")
        numbers = sorted(self.rng.sample(range(100, 400), 5))
        free = self.rng.randrange(4)
        taken = [*[True] * free, False, *(self.rng.random() < 0.5 for _ in range(4 - free))]
        self.rows: list[dict[str, Value]] = [
            {"desk": f"{floor}-{number}", "state": surname if full else "free"}
            for number, surname, full in zip(numbers, surnames[1:], taken, strict=True)
        ]
        look, submit = call("desks", city=self.city), call("submit", person=self.person)
        fits = [call("fill", field="laptop", value=each) for each in laptops]
        seats = [call("fill", field="desk", value=row["desk"]) for row in self.rows]
        park = call("fill", field="parking", value="yes")
        plan = [fits[0], *([] if where else [look, seats[free]]), *[park] * bool(way), submit]
        self.lay_out(plan, [look, *fits, *seats, park, submit])
        asked = self.rng.choice(self.wordings).format(
            person=self.person, role=roles[0], city=self.city
        )
        asked += self.rng.choice(self.home) if where else ""
        asked += self.rng.choice(self.driving) if way else ""
        head = Fact("Form: new colleague\nFields: laptop, desk, parking", {"form": "new colleague"})
        return asked, [head, Rows("laptops", "- {role}: {laptop}", self.arranged(table, table[0]))]

    def answer(self, wanted: Call) -> Result:
        """Show, fill or submit."""
        values = wanted.values
        if (values.get("city", self.city), values.get("person", self.person)) != (
            self.city,
            self.person,
        ):
            return [Fact("not known", {"error": "not known"})]
        if wanted.operator == "desks":
            return [Rows("desks", "desk {desk}: {state}", self.rows)]
        if wanted.operator == "fill":
            if wanted["field"] not in ("laptop", "desk", "parking"):
                return [Fact("no such field", {"error": "no such field"})]
            self.overwrite(wanted, "field")
            return [Fact(f"{wanted['field']}: {wanted['value']}", {"filled": wanted["field"]})]
        return [Fact("sent to HR", {"sent": True})]


class ProbationDate(Desk):
    """A probation ends so many months after the start as the contract says; the manager hears.

    Who was transferred has none. Half of the tests meet somebody who resigned: nobody has shown
    what to do then.
    """

    name = "probation-date"
    difficulty = "medium; JSON; months by a table added to a date; one status stops it; unshown"
    operators = (
        Operator("employee", '["employee", "{employee}"]', about="Contract, start and manager."),
        Operator("rules", '["rules"]', about="Months by contract."),
        Operator("end", '["probation", "{employee}", "{day}"]', about="When it ends."),
        Operator("remind", '["remind", "{manager}", "{day}"]', about="On the day it ends."),
        Operator("close", '["close", "{case}"]', about="Final."),
        Operator("waive", '["waive", "{case}"]', about="Final: no probation."),
    )
    changing = irrevocable = ("end", "remind")
    finals = ("close", "waive")
    free = ("employee", "rules", "end", "remind", "close", "waive")
    horizon = 8
    abstaining = True

    wordings = (
        "Case {case}: set the probation of {employee}.",
        "When does the probation of {employee} end? Enter it, case {case}.",
        "{case}: employee {employee} has started, do the probation.",
    )
    contracts = ("permanent", "fixed-term", "trainee", "seasonal", "part-time")

    def begin(self) -> tuple[str, Result]:
        """Draw an employee and the rules."""
        status = case_of(self.name, self.task, ("new", "new", "rehired", "transferred"))
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        status = "resigned" if self.unsettled else status
        self.case, self.employee = self.identifier("HR-####"), self.identifier("E####")
        (name,), managers = self.draw(PEOPLE), self.draw(SURNAMES, 2)
        contracts = self.rng.sample(self.contracts, 3)
        months = self.rng.sample(range(1, 10), 3)
        start = date(2026, self.rng.randint(1, 12), self.rng.randint(1, 28))
        self.data: dict[str, Value] = {"name": name, "contract": contracts[0]}
        self.data |= {"start": start.isoformat(), "manager": managers[0], "status": status}
        rows: list[dict[str, Value]] = [
            {"contract": contract, "months": count}
            for contract, count in zip(contracts, months, strict=True)
        ]
        self.rows = self.arranged(rows, rows[0])
        days = distinct(lambda: _later(start, self.rng.randint(1, 10)), 3)
        days = [_later(start, months[0]), *(_later(start, each) for each in months[1:]), *days]
        ends = [call("end", employee=self.employee, day=day) for day in days]
        reminders = [call("remind", manager=who, day=day) for day in days for who in managers]
        look, rules = call("employee", employee=self.employee), call("rules")
        close, waive = (call(each, case=self.case) for each in self.finals)
        done = [rules, ends[0], reminders[0], close]
        plan = [look, *([waive] if status == "transferred" else done)]
        self.lay_out(plan, [look, rules, *ends, *reminders, close, waive])
        asked = self.rng.choice(self.wordings).format(case=self.case, employee=self.employee)
        count = self.rng.randint(20, 900)
        return asked, [Fact(f'{{"system": "people", "staff": {count}}}', {"staff": count})]

    def answer(self, wanted: Call) -> Result:
        """Show, enter or end."""
        values = wanted.values
        known = (values.get("employee", self.employee), values.get("case", self.case))
        if known != (self.employee, self.case):
            return [Fact('{"error": "unknown"}', {"error": "unknown"})]
        if wanted.operator == "employee":
            self.met = self.unsettled
            fields = ", ".join(f'"{key}": "{value}"' for key, value in self.data.items())
            return [Fact(f"{{{fields}}}", self.data)]
        if wanted.operator == "rules":
            line = '{{"contract": "{contract}", "months": {months}}}'
            return [Rows("rules", line, self.rows)]
        return [Fact('{"ok": true}', {"ok": True})]


def _later(day: date, months: int) -> str:
    """Return the day so many months later."""
    years, month = divmod(day.month - 1 + months, 12)
    return date(day.year + years, month + 1, day.day).isoformat()
