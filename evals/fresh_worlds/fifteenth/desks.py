"""Desks: a guest who leaves, a prescription whose product is out, what a budget has left."""

from __future__ import annotations

from ...ladder.names import CITIES, PEOPLE, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk


class MinibarFolio(Desk):
    """Who leaves pays for the minibar, but gold members do not; a bill is mailed where asked."""

    name = "minibar-folio"
    difficulty = "a sum of a column of money; one level is spared; a sentence that few tasks have"
    operators = (
        Operator("room", "open room {room}", about="Guest and level."),
        Operator("minibar", "list the minibar of {room}", about="What was taken."),
        Operator("charge", "charge {euro} EUR to {room}", ("euro",), "The minibar, in one sum."),
        Operator("email", "email the bill of {room} to {address}", about="Where asked for."),
        Operator("check_out", "check out {room}", about="Final."),
    )
    changing, irrevocable, finals = ("charge", "email"), ("charge", "email"), ("check_out",)
    free = ("room", "minibar", "charge", "email", "check_out")
    horizon = 8

    wordings = (
        "The guest of room {room} is leaving.",
        "Room {room} checks out now.",
        "{person}, room {room}, wants to check out.",
        "Please check out {person} from room {room}.",
    )
    mailing = (
        "The bill goes to {address}.",
        "They would like to have the bill at {address}.",
        "Send the bill to {address}, please.",
    )
    items = ("cola", "water", "beer", "nuts", "crisps", "juice", "wine", "chocolate", "tonic")

    def begin(self) -> tuple[str, Result]:
        """Draw a guest and what was taken."""
        cases = (
            *(("pays", 1, 0), ("pays", 1, 1), ("gold", 1, 0), ("pays", 1, 0)),
            *(("gold", 1, 1), ("pays", 0, 0), ("pays", 1, 1)),
        )
        kind, some, mailed = case_of(self.name, self.task, cases)
        self.room, (self.person,) = self.identifier("#-###"), self.draw(SURNAMES)
        (city,) = self.draw(CITIES)
        levels = ("silver", "blue", "none")
        self.level = "gold" if kind == "gold" else self.rng.choice(levels)
        self.nights = self.rng.randint(1, 9)
        items = self.rng.sample(self.items, self.rng.randint(2, 4))
        self.rows: list[dict[str, Value]] = [
            {"item": item, "count": self.rng.randint(1, 4), "euro": self.rng.randint(3, 24)}
            for item in items
        ]
        amounts = [int(str(row["euro"])) for row in self.rows]
        total = sum(amounts)
        self.rows = self.rows if some else []
        self.own = f"{self.person.lower()}@mail.example"
        address = f"{self.rng.choice(('office', 'accounts', 'travel'))}@{city.lower()}.example"
        wrong = {*amounts, total + self.rng.randint(1, 9), total - 1, max(amounts) + 1} - {total}
        charges = [call("charge", euro=each, room=self.room) for each in (total, *sorted(wrong))]
        emails = [call("email", room=self.room, address=each) for each in (address, self.own)]
        room, minibar = (call(each, room=self.room) for each in ("room", "minibar"))
        out = call("check_out", room=self.room)
        plan = [room, *([] if kind == "gold" else [minibar])]
        plan += [charges[0]] if kind == "pays" and some else []
        plan += [emails[0]] if mailed else []
        offered = emails if mailed else emails[1:]
        self.lay_out([*plan, out], [room, minibar, *charges, *offered, out])
        asked = self.rng.choice(self.wordings).format(room=self.room, person=self.person)
        if mailed:
            asked += " " + self.rng.choice(self.mailing).format(address=address)
        leaving = self.rng.randint(3, 40)
        return asked, [Fact(f"departures today: {leaving}", {"departures_today": leaving})]

    def answer(self, wanted: Call) -> Result:
        """Show, charge, mail or end."""
        if wanted["room"] != self.room:
            return [Fact("no such room", {"error": "no such room"})]
        if wanted.operator == "room":
            data: dict[str, Value] = {
                "guest": self.person,
                "nights": self.nights,
                "member level": self.level,
                "mail": self.own,
            }
            return [Fact("\n".join(f"{key}: {value}" for key, value in data.items()), data)]
        if wanted.operator == "minibar":
            if not self.rows:
                return [Fact("nothing was taken", {"minibar": "nothing was taken"})]
            head = Fact("item\tcount\tamount")
            return [head, Rows("taken", "{item}\t{count}\t{euro} EUR", self.rows)]
        return [Fact("done", {"done": True})]


class GenericSwap(Desk):
    """A product that is out is replaced by the cheapest one; an allergy sends it to the doctor.

    Half of the tests ask for a product that was recalled: nobody has shown what to do then.
    """

    name = "generic-swap"
    difficulty = "a member of a list stops it; the least price that is in stock; what nobody showed"
    operators = (
        Operator("patient", "look up patient {patient}", about="Allergies."),
        Operator("product", "look up product {product}", about="Substance and stock."),
        Operator("same", "list products with {substance}", about="Others that are the same."),
        Operator("dispense", "dispense {product} to {patient}", about="Cannot be taken back."),
        Operator("courier", "book the courier for {patient}", about="Where asked for."),
        Operator("close", "close prescription {number}", about="Final."),
        Operator("refer", "send prescription {number} to the doctor", about="Final: an allergy."),
    )
    changing, irrevocable = ("dispense", "courier"), ("dispense", "courier")
    finals = ("close", "refer")
    free = ("patient", "product", "same", "dispense", "courier", "close", "refer")
    horizon = 9
    abstaining = True

    wordings = (
        "Prescription {number}: {product} for patient {patient}.",
        "Patient {patient} hands in prescription {number} for {product}.",
        "There is a prescription, {number}, {product}, patient {patient}.",
    )
    delivered = ("It is to be delivered.", "Please have it delivered.", "The patient cannot come.")
    brands = (
        *("Algotan", "Brevix", "Calmora", "Dolipan", "Ebrofen", "Fludor", "Gastrel", "Humacin"),
        *("Iproval", "Kardox", "Lumival", "Migrasan", "Nervil", "Oxadin", "Pirolex", "Quietal"),
    )
    substances = (
        *("aspirin", "ibuprofen", "codeine", "penicillin", "naproxen", "cetirizine"),
        *("ramipril", "metformin"),
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a patient, a product and those that are the same."""
        cases = (
            *(("here", 0), ("swap", 0), ("swap", 1), ("allergy", 0)),
            *(("here", 1), ("swap", 0), ("swap", 1), ("allergy", 1)),
        )
        kind, brought = case_of(self.name, self.task, cases)
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        kind = "here" if self.unsettled and kind == "allergy" else kind
        self.number, self.patient = self.identifier("RX-####"), self.identifier("P#####")
        self.substance, *others = self.rng.sample(self.substances, 5)
        self.allergies = others[: self.rng.randint(1, 3)]
        if kind == "allergy":
            self.allergies[-1] = self.substance
            self.rng.shuffle(self.allergies)
        names = self.rng.sample(self.brands, 5)
        self.product = names[0]
        cents = sorted(self.rng.sample(range(310, 2490, 5), 4))
        packs = [self.rng.choice((0, self.rng.randint(1, 20))), *self._packs(3)]
        self.packs = 0 if kind == "swap" else self.rng.randint(1, 30)
        mine = (self.rng.choice([*range(300, 2500, 5)]), self.packs)
        pairs = [mine, *zip(cents, packs, strict=True)]
        rows: list[dict[str, Value]] = [
            {"product": name, "price": f"{price / 100:.2f}", "packs": count}
            for name, (price, count) in zip(names, pairs, strict=True)
        ]
        best = next(row for row in rows[1:] if row["packs"])
        self.rows = self.arranged(rows, best)
        self.names = names
        patient, product = call("patient", patient=self.patient), call("product", product=names[0])
        same = call("same", substance=self.substance)
        gives = {name: call("dispense", product=name, patient=self.patient) for name in names}
        courier = call("courier", patient=self.patient)
        close, refer = (call(each, number=self.number) for each in self.finals)
        given = [same, gives[str(best["product"])]] if kind == "swap" else [gives[self.product]]
        end = [refer] if kind == "allergy" else [*given, *[courier] * brought, close]
        offered = [patient, product, same, *gives.values(), courier, close, refer]
        self.lay_out([patient, product, *end], offered)
        asked = self.rng.choice(self.wordings).format(
            number=self.number, product=self.product, patient=self.patient
        )
        asked += f" {self.rng.choice(self.delivered)}" if brought else ""
        text = f"Good morning, counter {self.rng.randint(1, 6)} is open."
        return asked, [Fact(text, {"greeting": text})]

    def _packs(self, count: int) -> list[int]:
        """Draw numbers of packs; the first is not nought."""
        return [self.rng.randint(1, 20), *(self.rng.randint(0, 9) for _ in range(count - 1))]

    def answer(self, wanted: Call) -> Result:
        """Show, give or end."""
        values = wanted.values
        if values.get("patient", self.patient) != self.patient:
            return [Fact("I do not find this patient.", {"error": "not found"})]
        if values.get("number", self.number) != self.number:
            return [Fact("I do not find this prescription.", {"error": "not found"})]
        if wanted.operator == "patient":
            said = ", ".join(self.allergies)
            return [Fact(f"Patient {self.patient} is allergic to {said}.", {"allergies": said})]
        if wanted.operator == "same":
            if wanted["substance"] != self.substance:
                return [Fact("There is nothing with that.", {"error": "nothing"})]
            return [Rows("products", "{product}: {price} EUR, {packs} packs", self.rows)]
        if values.get("product", self.product) not in self.names:
            return [Fact("I do not find this product.", {"error": "not found"})]
        if wanted.operator == "product":
            if wanted["product"] != self.product:
                return [Fact("That is another product.", {"error": "another product"})]
            self.met = self.unsettled
            state = "recalled by the maker" if self.unsettled else "on sale"
            text = f"{self.product} contains {self.substance}. "
            text += f"We have {self.packs} packs. It is {state}."
            data: dict[str, Value] = {"substance": self.substance, "packs": self.packs}
            return [Fact(text, data | {"state": state})]
        return [Fact("That is done.", {"done": True})]


class BudgetCarry(Desk):
    """What a row of a budget has left is carried over; who spent too much hears of it."""

    name = "budget-carry"
    difficulty = "a difference with its sign; an owner from another tab; one note that stops it"
    operators = (
        Operator("sheet", "open sheet {sheet}", about="Rows of a budget."),
        Operator("owners", "open the tab owners", about="Who answers for what."),
        Operator("put", "set {cell} to {euro}", ("euro",), "What is carried over."),
        Operator("comment", "mention {person} at {cell}", about="Where too much was spent."),
        Operator("save", "save {sheet}", about="Final."),
        Operator("leave", "leave {sheet} as it is", about="Final: a frozen row."),
    )
    changing, irrevocable = ("put", "comment"), ("comment",)
    finals = ("save", "leave")
    free = ("sheet", "owners", "put", "comment", "save", "leave")
    horizon = 8

    wordings = (
        "Carry over what {team} has left in {sheet}.",
        "{sheet}: the row of {team} goes to next month.",
        "Do the carry-over of {team}, the sheet is {sheet}.",
        "Next month of {team} in {sheet}, please.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a sheet and the owners of its rows."""
        kind = case_of(self.name, self.task, ("left", "over", "left", "frozen", "over"))
        self.title = self.identifier("B##-####")
        teams = self.rng.sample(TEAMS, 5)
        people = self.draw(PEOPLE, 5)
        column, first = self.rng.choice("EFGHK"), self.rng.randint(2, 40)
        order = self.arranged(teams, teams[0])
        rows: list[dict[str, Value]] = []
        for place, team in enumerate(order):
            budget = self.rng.randrange(400, 4000, 10)
            more = self.rng.choice((-1, 1)) * self.rng.randint(11, 390)
            note = self.rng.choice(("", "checked", "estimate", "frozen"))
            if team == teams[0]:
                more = {"left": -abs(more), "over": abs(more)}.get(kind, more)
                note = "frozen" if kind == "frozen" else note.replace("frozen", "")
            row: dict[str, Value] = {"team": team, "budget": budget, "spent": budget + more}
            rows.append(row | {"note": note, "next": f"{column}{first + place}"})
        self.rows = rows
        mine = next(row for row in rows if row["team"] == teams[0])
        cell = str(mine["next"])
        table: list[dict[str, Value]] = [
            {"team": team, "owner": person} for team, person in zip(teams, people, strict=True)
        ]
        self.table = self.arranged(table)
        left = int(str(mine["budget"])) - int(str(mine["spent"]))
        cells = [str(row["next"]) for row in rows]
        puts = [
            call("put", cell=each, euro=euro)
            for each in (cell, self.rng.choice(cells))
            for euro in (left, -left, left + 10, mine["budget"], 0)
        ]
        mentions = [call("comment", person=person, cell=cell) for person in people]
        sheet, owners = call("sheet", sheet=self.title), call("owners")
        save, leave = call("save", sheet=self.title), call("leave", sheet=self.title)
        plan = {
            "left": [sheet, puts[0], save],
            "over": [sheet, puts[0], owners, mentions[0], save],
            "frozen": [sheet, leave],
        }[kind]
        self.lay_out(plan, [sheet, owners, *puts, *mentions, save, leave])
        asked = self.rng.choice(self.wordings).format(team=teams[0], sheet=self.title)
        text = f"{self.rng.randint(3, 40)} sheets in this folder"
        return asked, [Fact(text, {"folder": text})]

    def answer(self, wanted: Call) -> Result:
        """Show, write or end."""
        if wanted.values.get("sheet", self.title) != self.title:
            return [Fact("not found", {"error": "not found"})]
        if wanted.operator == "sheet":
            head = "| team | budget | spent | note | next |\n|---|---|---|---|---|"
            line = "| {team} | {budget} EUR | {spent} EUR | {note} | {next} |"
            return [Fact(head), Rows("rows", line, self.rows)]
        if wanted.operator == "owners":
            return [
                Fact("| team | owner |\n|---|---|"),
                Rows("owners", "| {team} | {owner} |", self.table),
            ]
        if wanted.operator == "put":
            self.overwrite(wanted, "cell")
        return [Fact("ok", {"ok": True})]
