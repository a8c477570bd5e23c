"""Accounts: a transfer that pays an invoice, hours of a week, contacts that are there twice."""

from __future__ import annotations

from ...ladder.names import CITIES, PEOPLE, PRODUCTS, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk


class PaymentMatch(Desk):
    """A transfer is booked: an invoice is paid, part of it is, or too much came in."""

    name = "payment-match"
    difficulty = "two amounts in different spelling are compared; a difference is typed"
    operators = (
        Operator("transfer", "show transfer {transfer}", about="A line of the bank's."),
        Operator("invoice", "show invoice {invoice}", about="An invoice."),
        Operator("paid", "mark {invoice} paid", about="Final."),
        Operator("part", "mark {invoice} open with {rest}", about="Partly paid. Final."),
        Operator("back", "mark {invoice} paid and return {rest}", about="Too much. Final."),
    )
    finals, free = ("paid", "part", "back"), ("invoice", "part", "back")
    horizon = 6

    wordings = (
        "Book transfer {transfer} against the invoice it names.",
        "Transfer {transfer} came in today. Please match it.",
        "{person} asks whether {transfer} settles the invoice. Book it accordingly.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a transfer and an invoice."""
        (person,), (last,), (town,) = self.draw(PEOPLE), self.draw(SURNAMES), self.draw(CITIES)
        number = self.rng.randint(500, 4999) * 2 + (self.task.part == "train")
        self.transfer, self.invoice = f"T{number}", self.identifier("INV-#####")
        due = self.rng.randint(5_000, 900_000)
        kind = self.rng.choice(("paid", "part", "back"))
        low, high = {"paid": (0, 0), "part": (-due + 100, -50), "back": (50, 40_000)}[kind]
        came = due + self.rng.randint(low, high)
        self.due = f"{due // 100}.{due % 100:02}"
        self.came = f"{came // 100:,}".replace(",", ".") + f",{came % 100:02}"
        self.payer, self.iban = f"{last} {town}", f"DE{self.identifier('## #### ####')}"
        rest = abs(due - came)
        amount = f"{rest // 100}.{rest % 100:02}"
        acts = {
            "paid": call("paid", invoice=self.invoice),
            "part": call("part", invoice=self.invoice, rest=amount),
            "back": call("back", invoice=self.invoice, rest=amount),
        }
        first = [call("transfer", transfer=self.transfer), call("invoice", invoice=self.invoice)]
        wrong = [call(n, invoice=self.invoice, rest=self.due) for n in ("part", "back")]
        self.lay_out([*first, acts[kind]], [*acts.values(), *wrong])
        asked = self.rng.choice(self.wordings).format(transfer=self.transfer, person=person)
        return asked, [Fact("Ledger 2025", {"year": 2025})]

    def answer(self, wanted: Call) -> Result:
        """Show, or book."""
        if wanted.operator == "transfer":
            text = (
                f"{self.transfer}  {self.iban}\nfrom: {self.payer}\namount: {self.came} EUR\n"
                f"purpose: thank you / invoice {self.invoice}"
            )
            data = {"from": self.payer, "iban": self.iban, "amount": f"{self.came} EUR"}
            return [Fact(text, data | {"purpose": f"thank you / invoice {self.invoice}"})]
        if wanted["invoice"] != self.invoice:
            return [Fact("No such invoice.", {"error": "no such invoice"})]
        if wanted.operator == "invoice":
            text = f"{self.invoice}\nto: {self.payer}\ntotal: EUR {self.due}\nstate: open"
            return [Fact(text, {"to": self.payer, "total": self.due, "state": "open"})]
        return [Fact("Booked.", {"booked": True})]


class TimesheetTotals(Desk):
    """The hours of one project in a week are added up and entered for it."""

    name = "timesheet-totals"
    difficulty = "the rows of one project are added up; each of the projects asked for, in turn"
    operators = (
        Operator("week", "entries of {person} in week {week}", ("week",), "Hours by day."),
        Operator("enter", "enter {hours} hours for {project}", ("hours",), "Fill in a total."),
        Operator("send", "send sheet of {person}", about="Final."),
    )
    changing, finals, free = ("enter",), ("send",), ("week", "enter")
    horizon = 8

    wordings = (
        "Timesheet of {person}, week {week}: total for {projects}.",
        "{person} forgot to hand in week {week}. Fill in {projects} and send it.",
        "Enter the hours {person} spent on {projects} in week {week}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a week."""
        (first,), (last,), teams = self.draw(PEOPLE), self.draw(SURNAMES), self.draw(TEAMS, 3)
        self.person, self.week = f"{first} {last}", self.rng.randint(1, 52)
        count = self.rng.randint(1, 2)
        days = [d for d in ("Mon", "Tue", "Wed", "Thu", "Fri") for _ in range(2)]
        picked = sorted(self.rng.sample(range(10), 7))
        projects = [*teams, *(self.rng.choice(teams) for _ in picked[3:])]
        self.rng.shuffle(projects)
        hours = [self.rng.randint(1, 6) for _ in picked]
        notes = ("call", "draft", "tests", "travel", "notes")
        self.rows: list[dict[str, Value]] = [
            {"day": days[i], "project": project, "hours": n, "note": self.rng.choice(notes)}
            for i, project, n in zip(picked, projects, hours, strict=True)
        ]
        sums = {t: sum(n for p, n in zip(projects, hours, strict=True) if p == t) for t in teams}
        plan = [call("week", person=self.person, week=self.week)]
        plan += [call("enter", hours=sums[each], project=each) for each in teams[:count]]
        plan.append(call("send", person=self.person))
        offered = [call("enter", hours=n, project=t) for t in teams for n in sorted(set(hours))]
        self.lay_out(plan, offered)
        names = {"person": self.person, "week": self.week, "projects": " and ".join(teams[:count])}
        return self.rng.choice(self.wordings).format(**names), [Fact("Timesheets", {"open": 1})]

    def answer(self, wanted: Call) -> Result:
        """Show a week, take a total or send."""
        if wanted.operator == "week":
            if (wanted["person"], wanted["week"]) != (self.person, str(self.week)):
                return [Fact("No entries.", {"error": "no entries"})]
            line = "{day}  {project:<10} {hours} h  {note}"
            head = Fact(f"Week {self.week}", {"week": self.week})
            return [head, Rows("entries", line, self.rows)]
        if wanted.operator == "enter":
            self.overwrite(wanted, "project")
            text = f"{wanted['project']}: {wanted['hours']} h"
            return [Fact(text, {"project": wanted["project"], "hours": wanted["hours"]})]
        if wanted["person"] != self.person:
            return [Fact("No such sheet.", {"error": "no such sheet"})]
        return [Fact("Sent.", {"sent": True})]


class ContactDedupe(Desk):
    """Of the entries of one address the one that was changed last is kept."""

    name = "contact-dedupe"
    difficulty = "of the rows that share an address all are deleted but the newest"
    operators = (
        Operator("find", "find contacts named {name}", about="Contacts of a name."),
        Operator("delete", "delete contact {id}", about="Cannot be undone."),
        Operator("tidy", "finish tidying", about="Final."),
    )
    changing, irrevocable, finals, free = ("delete",), ("delete",), ("tidy",), ("find",)
    horizon = 9

    wordings = (
        "{first} {last} ({mail}) is in our contacts more than once. Keep the latest entry only.",
        "Contacts named {last}: remove the outdated ones of {mail}, {first} complained.",
        "Please clean up {last}, {first}, {mail}: just the entry that was changed last stays.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw contacts of a name."""
        people, (last,), (product,) = self.draw(PEOPLE, 3), self.draw(SURNAMES), self.draw(PRODUCTS)
        self.last, count = last, self.rng.randint(2, 4)
        mails = [f"{p.lower()}.{last.lower()}@{product.replace(' ', '')}.example" for p in people]
        owners = [0] * count + [1, self.rng.choice((1, 2))]
        dates = self.rng.sample(range(1, 337), len(owners))
        rows: list[dict[str, Value]] = [
            {
                "id": f"K{self.identifier('####')}",
                "mail": mails[owner],
                "changed": f"2024-{(n - 1) // 28 + 1:02}-{(n - 1) % 28 + 1:02}",
                "source": self.rng.choice(("fair", "web", "import", "card")),
            }
            for owner, n in zip(owners, dates, strict=True)
        ]
        newest = dates.index(max(dates[:count]))
        due = [row for i, row in enumerate(rows[:count]) if i != newest]
        self.rows = self.arranged(rows, *due)
        plan = [call("find", name=last)]
        plan += [call("delete", id=row["id"]) for row in self.rows if row in due]
        plan.append(call("tidy"))
        self.lay_out(plan, [call("delete", id=row["id"]) for row in rows])
        asked = self.rng.choice(self.wordings).format(first=people[0], last=last, mail=mails[0])
        return asked, [Fact("Contacts", {"contacts": self.rng.randint(200, 900)})]

    def answer(self, wanted: Call) -> Result:
        """Find, delete or finish."""
        if wanted.operator == "find":
            rows = self.rows if wanted["name"] == self.last else []
            head = Fact(f"{len(rows)} found", {"found": len(rows)})
            return [head, Rows("contacts", "{id} <{mail}> changed {changed}, {source}", rows)]
        if wanted.operator == "delete":
            return [Fact(f"{wanted['id']} deleted.", {"deleted": wanted["id"]})]
        return [Fact("All tidy.", {"tidy": True})]
