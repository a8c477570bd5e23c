"""Tables: batches of a fridge, marks of a class, lines of an expense report."""

from __future__ import annotations

from datetime import date, timedelta

from ...ladder.names import CITIES, PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class VaccineFridge(Desk):
    """Doses are taken of the batch that expires first; a batch that gets low is reordered."""

    name = "vaccine-fridge"
    difficulty = (
        "function calls; earliest date among rows that are fit and enough; a rest below a limit"
    )
    operators = (
        Operator("list_batches", 'list_batches(vaccine="{vaccine}")', about="What is there."),
        Operator(
            "dispense",
            'dispense(batch="{batch}", doses={doses})',
            ("doses",),
            "Takes doses out of a batch.",
        ),
        Operator("reorder", 'reorder(vaccine="{vaccine}")', about="Orders a new batch."),
        Operator("close_request", 'close_request(ref="{ref}")', about="Final."),
    )
    changing, irrevocable = ("dispense", "reorder"), ("dispense", "reorder")
    finals, free = ("close_request",), ("list_batches", "dispense", "reorder", "close_request")
    horizon = 7

    wordings = (
        "Request {ref}: {city} clinic needs {doses} doses of {vaccine}.",
        "{doses} doses of {vaccine} for the clinic in {city}, request {ref}.",
        "The clinic of {city} asks for {vaccine}, {doses} doses. Its request is {ref}.",
    )
    vaccines = ("influenza", "hepatitis B", "tetanus", "MMR", "HPV", "rabies", "yellow fever")

    def begin(self) -> tuple[str, Result]:
        """Draw a request, a limit and batches."""
        ref, self.vaccine = self.identifier("RQ-####"), self.rng.choice(self.vaccines)
        (city,) = self.draw(CITIES)
        low = case_of(self.name, self.task, (True, False))
        doses, minimum = self.rng.randint(3, 15), self.rng.randint(8, 20)
        while True:
            rows = self._batches()
            fit = [r for r in rows if r["state"] == "ok" and int(str(r["doses"])) >= doses]
            right = min(fit, key=lambda row: str(row["expires"]), default=None)
            if right and (int(str(right["doses"])) - doses < minimum) == low:
                break
        self.rows = self.arranged(rows, right)
        takes = [call("dispense", batch=row["batch"], doses=doses) for row in rows]
        reorder = call("reorder", vaccine=self.vaccine)
        plan = [call("list_batches", vaccine=self.vaccine)]
        plan += [takes[rows.index(right)], *([reorder] if low else [])]
        self.lay_out([*plan, call("close_request", ref=ref)], [*takes, reorder])
        asked = self.rng.choice(self.wordings).format(
            ref=ref, city=city, doses=doses, vaccine=self.vaccine
        )
        fridge = self.rng.randint(1, 9)
        text = f"Fridge {fridge}: 4.2 °C. Reorder when fewer than {minimum} doses stay in a batch."
        return asked, [Fact(text, {"fridge": fridge, "reorder_below": minimum})]

    def _batches(self) -> list[dict[str, Value]]:
        """Draw batches with different dates."""
        names = distinct(lambda: self.identifier("A####"), 5)
        days = self.rng.sample(range(20, 600), 5)
        return [
            {
                "batch": name,
                "expires": (date(2026, 3, 1) + timedelta(day)).isoformat(),
                "doses": self.rng.randint(4, 45),
                "state": self.rng.choice(("ok", "ok", "quarantine")),
            }
            for name, day in zip(names, days, strict=True)
        ]

    def answer(self, wanted: Call) -> Result:
        """Show, take, order or end."""
        if wanted.operator == "list_batches":
            if wanted["vaccine"] != self.vaccine:
                return [Fact("[]", {"error": "no batches"})]
            line = "batch={batch} expires={expires} doses={doses} state={state}"
            return [Rows("batches", line, self.rows)]
        return [Fact("True", {"ok": True})]


class GradebookSheet(Desk):
    """Empty marks become EX where there is a note from home, else 0; then the sheet is locked."""

    name = "gradebook-sheet"
    difficulty = "each row with an empty cell, by whether its name stands in another table"
    operators = (
        Operator("marks", "SHOW marks OF {klass}", about="Marks of a class."),
        Operator("notes", "SHOW notes OF {klass}", about="Notes from home."),
        Operator("put", "SET {cell} = {value}", about="Fills a cell."),
        Operator("lock", "LOCK {klass}", about="Final."),
    )
    changing, finals = ("put",), ("lock",)
    free = ("marks", "notes", "put", "lock")
    horizon = 9

    wordings = (
        "Finish the {exam} marks of class {klass}.",
        "Class {klass}: fill the gaps in the {exam} sheet and lock it.",
        "The {exam} sheet of {klass} has gaps, please complete it.",
    )
    counts = ((1, 1), (2, 0), (0, 1), (1, 0), (0, 2), (2, 1), (1, 2), (0, 0))

    def begin(self) -> tuple[str, Result]:
        """Draw a class, marks and notes."""
        self.klass = (
            f"{self.rng.randint(5, 12)}{self.rng.choice('ABCDEF')}{self.rng.randint(1, 40)}"
        )
        exam = self.rng.choice(("algebra", "history", "biology", "French", "music theory", "Latin"))
        excused, absent = case_of(self.name, self.task, self.counts)
        pupils, gaps = self.draw(PEOPLE, 7), excused + absent
        cells = [f"C{number}" for number in range(2, 9)]
        self.rng.shuffle(cells)
        rows: list[dict[str, Value]] = [
            {"cell": cell, "pupil": pupil, "mark": "" if i < gaps else self.rng.randint(20, 100)}
            for i, (cell, pupil) in enumerate(zip(cells, pupils, strict=True))
        ]
        noted = [*pupils[:excused], *self.rng.sample(pupils[gaps:], self.rng.randint(1, 2))]
        reasons = ("flu", "dentist", "family", "match", "migraine")
        self.notes = self.arranged(
            [{"pupil": pupil, "reason": self.rng.choice(reasons)} for pupil in noted]
        )
        self.rows = sorted(rows, key=lambda row: str(row["cell"]))
        puts = [
            call("put", cell=row["cell"], value="EX" if row["pupil"] in noted else "0")
            for row in self.rows
            if not row["mark"]
        ]
        plan = [call("marks", klass=self.klass), call("notes", klass=self.klass), *puts]
        every = [call("put", cell=cell, value=value) for cell in cells for value in ("EX", "0")]
        self.lay_out([*plan, call("lock", klass=self.klass)], every)
        asked = self.rng.choice(self.wordings).format(exam=exam, klass=self.klass)
        term = self.rng.randint(1, 3)
        return asked, [Fact(f"Gradebook, term {term}", {"term": term})]

    def answer(self, wanted: Call) -> Result:
        """Show, fill or lock."""
        if wanted.operator == "put":
            self.overwrite(wanted, "cell")
            return [Fact(f"{wanted['cell']} saved", {"saved": True})]
        if wanted["klass"] != self.klass:
            return [Fact("#REF!", {"error": "#REF!"})]
        if wanted.operator == "marks":
            head = Fact("cell\tpupil\tmark")
            return [head, Rows("marks", "{cell}\t{pupil}\t{mark}", self.rows)]
        if wanted.operator == "notes":
            return [Fact("pupil\treason"), Rows("notes", "{pupil}\t{reason}", self.notes)]
        return [Fact("locked", {"locked": True})]


class ReceiptAudit(Desk):
    """Each line is accepted, flagged or asked about; the report is paid if all are accepted."""

    name = "receipt-audit"
    difficulty = (
        "each row one of three verdicts, a limit by its kind; the end by whether all passed"
    )
    operators = (
        Operator("open", "open: {report}", about="Lines of a report."),
        Operator("accept", "accept: {line}", about="A line is in order."),
        Operator("flag", "flag: {line}", about="A line is above its limit."),
        Operator("ask", "ask receipt: {line}", about="A receipt lacks."),
        Operator("pay", "pay: {report}", about="Final."),
        Operator("back", "send back: {report}", about="Final."),
    )
    changing, finals = ("accept", "flag", "ask"), ("pay", "back")
    irrevocable = ("accept", "flag", "ask")
    free = ("open", "accept", "flag", "ask", "pay", "back")
    horizon = 9

    wordings = (
        "Check expense report {report} of {person}.",
        "{person} handed in {report}. Go through it.",
        "Expense report {report}, by {person}, waits for a check.",
    )
    limits = (("meal", 20, 60), ("hotel", 110, 200), ("taxi", 30, 80))

    def begin(self) -> tuple[str, Result]:
        """Draw limits and lines."""
        self.report = self.identifier("EX-####")
        (first,), (last,) = self.draw(PEOPLE), self.draw(SURNAMES)
        cases = ((0, 0), (1, 0), (0, 1), (1, 1), (0, 0))
        above, lacking = case_of(self.name, self.task, cases)
        limits = {kind: self.rng.randrange(low, high, 5) for kind, low, high in self.limits}
        verdicts = ["flag"] * above + ["ask"] * lacking
        verdicts += ["accept"] * (self.rng.randint(3, 4) - len(verdicts))
        self.rng.shuffle(verdicts)
        names = distinct(lambda: self.identifier("L##"), len(verdicts))
        self.rows = [self._line(n, v, limits) for n, v in zip(names, verdicts, strict=True)]
        judged = [call(v, line=n) for n, v in zip(names, verdicts, strict=True)]
        clean = set(verdicts) == {"accept"}
        ends = [call("pay", report=self.report), call("back", report=self.report)]
        plan = [call("open", report=self.report), *judged, ends[0] if clean else ends[1]]
        every = [call(v, line=n) for n in names for v in ("accept", "flag", "ask")]
        self.lay_out(plan, [*every, *ends])
        asked = self.rng.choice(self.wordings).format(report=self.report, person=f"{first} {last}")
        text = "Limits\n" + "\n".join(f"{k}: {amount} EUR" for k, amount in limits.items())
        return asked, [Fact(text, dict(limits))]

    def _line(self, name: str, verdict: str, limits: dict[str, int]) -> dict[str, Value]:
        """Draw a line of a report."""
        kind = self.rng.choice(list(limits))
        high = verdict == "flag" or (verdict == "ask" and self.rng.random() < 0.3)
        limit = limits[kind]
        amount = limit + self.rng.randint(1, 60) if high else self.rng.randint(limit // 3, limit)
        return {
            "line": name,
            "kind": kind,
            "amount": amount,
            "receipt": "no" if verdict == "ask" else "yes",
        }

    def answer(self, wanted: Call) -> Result:
        """Show, judge or end."""
        if wanted.operator in ("open", "pay", "back") and wanted["report"] != self.report:
            return [Fact("unknown report", {"error": "unknown report"})]
        if wanted.operator == "open":
            line = "{line} | {kind} | {amount} EUR | receipt: {receipt}"
            return [Rows("lines", line, self.rows)]
        return [Fact("noted", {"noted": True})]
