"""Rulings: lines of a claim with limits, prescriptions; in both a case was never shown."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call


class ClaimLines(World):
    """Lines of a claim are passed, cut or rejected; a category may have no limit at all."""

    name = "claim-lines"
    difficulty = "each line is ruled by the limit of its category; one without a limit is new"
    operators = (
        Operator("policy", "open the policy", about="Show the limits."),
        Operator("open", "open claim {claim}", about="Show a claim."),
        Operator("pass", "pass line {line}", ("line",), "Pay a line."),
        Operator("cut", "cut line {line} to {amount}", ("line", "amount"), "Pay a part."),
        Operator("reject", "reject line {line}", ("line",), "Pay nothing."),
        Operator("submit", "submit {claim}", about="Final."),
    )
    horizon = 9
    abstaining = True

    categories = ("Meals", "Taxi", "Hotel", "Train", "Phone", "Parking", "Books")
    wordings = (
        "{person} has handed in claim {claim}.",
        "Please rule on claim {claim} ({person}).",
        "Claim {claim}: go through the lines and submit it.",
        "{claim} is yours.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw limits and a claim; half of the tests claim what has no limit."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        people, claims = self.draw(PEOPLE, 3), [self.identifier("C-#####") for _ in range(3)]
        self.claim, self.claims = claims[0], claims
        *known, missing = self.rng.sample(self.categories, 5)
        limits = {each: 5 * self.rng.randint(3, 40) for each in known}
        self.limits: list[dict[str, Value]] = [
            {"category": each, "limit": limit} for each, limit in limits.items()
        ]
        count = self.rng.randint(1, 4)
        kinds = [self.rng.choice(known) for _ in range(count)]
        if self.unsettled:
            kinds[self.rng.randrange(count)] = missing
        self.lines: list[dict[str, Value]] = []
        self.right: dict[str, Call] = {}
        for number, kind in enumerate(kinds, start=1):
            limit = limits.get(kind, 50)
            over = self.rng.random() < 0.4
            amount = limit + self.rng.randint(1, 60) if over else self.rng.randint(3, limit)
            receipt = self.rng.choice(("yes", "yes", "yes", "no"))
            receipt = "yes" if kind == missing else receipt
            line: dict[str, Value] = {"line": number, "category": kind, "amount": amount}
            self.lines.append(line | {"receipt": receipt})
            self.right[str(number)] = call("pass", line=number)
            if receipt == "no":
                self.right[str(number)] = call("reject", line=number)
            elif over:
                self.right[str(number)] = call("cut", line=number, amount=limit)
        self.made: dict[str, Call] = {}
        self.open = False
        rows = [{"claim": c, "person": p} for c, p in zip(claims, people, strict=True)]
        listed = self.arranged(rows, rows[0])
        asked = self.rng.choice(self.wordings).format(person=people[0], claim=self.claim)
        return asked, [Rows("inbox", "{claim} from {person}", listed)]

    def possible(self) -> list[Call]:
        """The policy and every claim; then every line."""
        calls = [call("policy"), *(call("open", claim=each) for each in self.claims)]
        if self.open:
            amounts = [each["limit"] for each in self.limits]
            for line in self.right:
                calls += [call("pass", line=line), call("reject", line=line)]
                calls += [call("cut", line=line, amount=each) for each in dict.fromkeys(amounts)]
        return [*calls, *(call("submit", claim=each) for each in self.claims)]

    def accepts(self, wanted: Call) -> bool:
        """Any amount for a line that was shown."""
        if wanted.operator == "cut":
            return self.open and wanted["line"] in self.right and wanted["amount"].isdigit()
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Show, rule, or end."""
        if wanted.operator == "policy":
            head = Fact("| Category | Limit |\n|---|---:|")
            return [head, Rows("limits", "| {category} | {limit} |", self.limits)]
        if wanted.operator == "open":
            mine = wanted["claim"] == self.claim
            self.open = mine
            self.met = self.met or (self.unsettled and mine)
            head = Fact("| # | Category | Amount | Receipt |\n|---|---|---:|---|")
            line = "| {line} | {category} | {amount} | {receipt} |"
            return [head, Rows("lines", line, self.lines if mine else [])]
        if wanted.operator == "submit":
            right = wanted["claim"] == self.claim and self.made == self.right
            self.end(won=right and not self.unsettled)
            return [Fact("Submitted.", {"submitted": True})]
        self.made[wanted["line"]] = wanted
        return [Fact(f"line {wanted['line']}: ok", {"line": int(wanted["line"]), "ok": True})]

    def expert(self) -> Iterator[Call]:
        """Read policy and claim, rule line by line, submit."""
        yield call("policy")
        yield call("open", claim=self.claim)
        yield from self.right.values()
        yield call("submit", claim=self.claim)


class RefillDesk(World):
    """A patient asks for a drug again; a prescription may have a state that is new."""

    name = "refill-desk"
    difficulty = "a state and a number of one row decide; an answer in words carries what was read"
    operators = (
        Operator("file", "open the file of {person}", about="Show prescriptions."),
        Operator("dispense", "dispense {drug} to {person}", about="Hand a drug out."),
        Operator("fax", "fax {doctor} about {drug} for {person}", about="Ask for a renewal."),
        Operator("tell", "tell {person}: {text}", about="Answer the patient; final."),
    )
    horizon = 7
    abstaining = True

    drugs = (
        *("Amlora", "Bisotan", "Cortimed", "Doxafin", "Elvaron", "Fenotil", "Glucosan", "Hexalin"),
        *("Inselor", "Jodorex", "Kalvital", "Lorvasin", "Metarol", "Nitrosan", "Optavit", "Prelox"),
    )
    ready = "{drug} is ready."
    later = "{drug} is due again in {days} days."
    renewal = "Dr {doctor} has to renew {drug}, we have asked."
    wordings = (
        "{person} asks for more {drug}.",
        "{person} is at the counter, {drug} has run out.",
        "Refill of {drug} for {person}",
        "phone message: {person} would like {drug} again",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw patients with their prescriptions."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        self.people, doctors = self.draw(PEOPLE, 3), self.draw(SURNAMES, 4)
        self.person = self.people[0]
        self.rows: list[dict[str, Value]] = []
        for drug, doctor in zip(self.draw(self.drugs, self.rng.randint(2, 4)), doctors):  # noqa: B905
            days = self.rng.choice((0, 0, self.rng.randint(2, 40)))
            row: dict[str, Value] = {"drug": drug, "doctor": f"Dr {doctor}", "due": days}
            self.rows.append(row | {"state": self.rng.choice(("valid", "valid", "used up"))})
        self.right = self.rows[0]
        if self.unsettled:
            self.right |= {"state": "withdrawn", "due": 0}
        self.rows = self.arranged(self.rows, self.right)
        self.drug, self.doctor = str(self.right["drug"]), str(self.right["doctor"])
        self.open = False
        self.made: list[Call] = []
        waiting = ", ".join(self.arranged(self.people, self.person))
        asked = self.rng.choice(self.wordings).format(person=self.person, drug=self.drug)
        return asked, [Fact(f"Waiting: {waiting}", {"waiting": waiting})]

    def possible(self) -> list[Call]:
        """Every patient; then everything about every prescription."""
        calls = [call("file", person=each) for each in self.people]
        for row in self.rows if self.open else []:
            drug, doctor = row["drug"], row["doctor"]
            calls.append(call("dispense", drug=drug, person=self.person))
            calls.append(call("fax", doctor=doctor, drug=drug, person=self.person))
            calls += [call("tell", person=self.person, text=each) for each in self._texts(row)]
        return calls

    def _texts(self, row: dict[str, Value]) -> tuple[str, str, str]:
        name = str(row["doctor"]).removeprefix("Dr ")
        values = {"drug": row["drug"], "doctor": name, "days": row["due"]}
        texts = (self.ready, self.later, self.renewal)
        ready, later, renewal = (each.format(**values) for each in texts)
        return ready, later, renewal

    def accepts(self, wanted: Call) -> bool:
        """Anything can be said to a patient."""
        if wanted.operator == "tell":
            return wanted["person"] in self.people
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Show, hand out, ask, or end."""
        if wanted.operator == "file":
            mine = wanted["person"] == self.person
            self.open = mine
            self.met = self.met or (self.unsettled and mine)
            line = "- {drug}, {doctor}, {state}, due in {due} days"
            head = Fact(f"Prescriptions of {wanted['person']}:", {"patient": wanted["person"]})
            return [head, Rows("prescriptions", line, self.rows if mine else [])]
        if wanted.operator == "tell":
            *steps, last = self._rest()
            self.end(won=not self.unsettled and wanted == last and self.made == steps)
            return [Fact("Goodbye.", {"ended": True})]
        self.made.append(wanted)
        if self.unsettled or wanted not in self._rest():
            self.end(won=False)  # what is handed out or sent is gone
        return [Fact("Done.", {"done": True})]

    def _rest(self) -> list[Call]:
        person, drug = self.person, self.drug
        ready, later, renewal = self._texts(self.right)
        if self.right["due"]:
            return [call("tell", person=person, text=later)]
        if self.right["state"] == "valid":
            step = call("dispense", drug=drug, person=person)
            return [step, call("tell", person=person, text=ready)]
        step = call("fax", doctor=self.doctor, drug=drug, person=person)
        return [step, call("tell", person=person, text=renewal)]

    def expert(self) -> Iterator[Call]:
        """Open the file, hand out or ask, answer."""
        yield call("file", person=self.person)
        yield from self._rest()
