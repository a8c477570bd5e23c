"""Paperwork: a travel allowance, a stock count, a Spanish invoice, and a round of grants."""

from __future__ import annotations

from datetime import date, timedelta

from ...ladder.names import CITIES, PARTS, PEOPLE, PRODUCTS, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk


class PerDiem(Desk):
    """An allowance follows from days and a table; breakfasts that were free are taken off."""

    name = "per-diem"
    difficulty = "days between two dates, a rate from a table, products and a difference are typed"
    operators = (
        Operator("trip", "open trip {trip}", about="What the traveller told."),
        Operator("rates", "open rates", about="Rates by place."),
        Operator("fill", "fill {field} with {value}", about="Fill in a field of the claim."),
        Operator("submit", "submit claim {trip}", about="Final."),
    )
    changing, finals, free = ("fill",), ("submit",), ("fill",)
    horizon = 9

    wordings = (
        "Work out the allowance for trip {trip} of {person} and submit the claim.",
        "{person} is back from {town}. Claim for trip {trip}, please.",
        "Trip {trip}: please do the travel allowance.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a trip and rates."""
        (first,), (last,), towns = self.draw(PEOPLE), self.draw(SURNAMES), self.draw(CITIES, 5)
        self.trip = self.identifier("TR####")
        begin = date(2025, 1, 5) + timedelta(self.rng.randint(0, 340))
        length, self.breakfasts = self.rng.randint(2, 7), 0
        if self.rng.random() < 0.6:
            self.breakfasts = self.rng.randint(1, length - 1)
        rates: list[dict[str, Value]] = [
            {"place": town, "day": self.rng.randint(20, 70), "breakfast": self.rng.randint(4, 14)}
            for town in towns
        ]
        self.rates = self.arranged(rates, rates[0])
        self.person, self.town = f"{first} {last}", towns[0]
        self.dates = (begin.isoformat(), (begin + timedelta(length - 1)).isoformat())
        allowance = length * int(str(rates[0]["day"]))
        off = self.breakfasts * int(str(rates[0]["breakfast"]))
        fields = [("days", length), ("allowance", allowance)]
        fields += [("deduction", off)] if off else []
        fields.append(("payable", allowance - off))
        plan = [call("trip", trip=self.trip), call("rates")]
        plan += [call("fill", field=field, value=value) for field, value in fields]
        plan.append(call("submit", trip=self.trip))
        wrong = (length - 1, allowance, allowance + 5, off + 1)
        names = ("days", "allowance", "deduction", "payable")
        offered = [call("fill", field=field, value=value) for field in names for value in wrong]
        self.lay_out(plan, offered)
        asked = self.rng.choice(self.wordings).format(
            trip=self.trip, person=self.person, town=self.town
        )
        return asked, [Fact("Travel desk - empty claim", {"claim": "empty"})]

    def answer(self, wanted: Call) -> Result:
        """Show the trip or the rates, fill in or submit."""
        if wanted.operator == "trip":
            start, end = self.dates
            text = f"Traveller: {self.person}\nPlace: {self.town}\nFirst day: {start}\n"
            text += f"Last day: {end}\nFree breakfasts: {self.breakfasts}"
            data: dict[str, Value] = {"traveller": self.person, "place": self.town}
            data |= {"first_day": start, "last_day": end, "free_breakfasts": self.breakfasts}
            return [Fact(text, data)]
        if wanted.operator == "rates":
            head = Fact("Place / EUR a day / EUR off a free breakfast")
            return [head, Rows("rates", "{place} / {day} / {breakfast}", self.rates)]
        if wanted.operator == "fill":
            self.overwrite(wanted, "field")
            return [Fact(f"{wanted['field']}: {wanted['value']}", {"filled": wanted["field"]})]
        return [Fact("Claim is with accounting.", {"submitted": self.trip})]


class Stocktake(Desk):
    """Differences go into a sheet; those beyond the tolerance are marked for another count."""

    name = "stocktake"
    difficulty = "a difference in each row that was counted; an absolute value against a limit"
    operators = (
        Operator("sheet", "view {sheet}", about="Show a sheet."),
        Operator("put", "{cell} := {value}", about="Write into a cell."),
        Operator("mark", "recount {cell}", about="Mark a cell for another count."),
        Operator("lock", "lock {sheet}", about="Final."),
    )
    changing, finals, free = ("put", "mark"), ("lock",), ("put",)
    horizon = 15

    wordings = (
        "Finish the stock count in sheet {sheet} and lock it.",
        "Sheet {sheet}: the differences are missing. Fill them in, mark, lock.",
        "{person} has counted. Please complete {sheet}.",
        "Please complete and lock {sheet}, counted by {person}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a sheet."""
        (town,), (person,) = self.draw(CITIES), self.draw(PEOPLE)
        self.sheet, self.limit = f"{town}-{self.rng.randint(1, 52):02}", self.rng.randint(2, 6)
        items = self.draw(PRODUCTS, self.rng.randint(3, 5))
        top = self.rng.randint(2, 4)
        self.rows: list[dict[str, Value]] = []
        plan, offered = [call("sheet", sheet=self.sheet)], []
        for number, item in enumerate(items, top):
            booked = self.rng.randint(20, 90)
            gap = self.rng.choice((0, *range(-self.limit - 5, self.limit + 6)))
            cell, missed = f"D{number}", number > top and self.rng.random() < 0.2
            counted = "-" if missed else str(booked + gap)
            row: dict[str, Value] = {"number": number, "item": item, "booked": booked}
            self.rows.append(row | {"counted": counted})
            offered += [call("put", cell=cell, value=each) for each in (gap, gap + 1, -gap)]
            offered.append(call("mark", cell=cell))
            if not missed:
                plan.append(call("put", cell=cell, value=gap))
                plan += [call("mark", cell=cell)] if abs(gap) > self.limit else []
        plan.append(call("lock", sheet=self.sheet))
        self.lay_out(plan, offered)
        asked = self.rng.choice(self.wordings).format(sheet=self.sheet, person=person)
        return asked, [Fact("Workbook open, 3 sheets.", {"sheets": 3})]

    def answer(self, wanted: Call) -> Result:
        """Show, write, mark or lock."""
        if wanted.operator == "sheet":
            text = f"Sheet {self.sheet}, tolerance {self.limit}\nrow\tA\tB booked\tC counted\tD"
            head = Fact(text, {"sheet": self.sheet, "tolerance": self.limit})
            return [head, Rows("rows", "{number}\t{item}\t{booked}\t{counted}\t", self.rows)]
        if wanted.operator == "put":
            self.overwrite(wanted, "cell")
            return [Fact(f"{wanted['cell']} holds {wanted['value']}", {"cell": wanted["cell"]})]
        if wanted.operator == "mark":
            return [Fact(f"{wanted['cell']} is yellow", {"marked": wanted["cell"]})]
        return [Fact("Locked.", {"locked": True})]


_CLASSES = ("general", "reducido", "especial")
_REGIONS = {"península": (21, 10, 4), "Canarias": (7, 3, 0), "Ceuta": (10, 4, 1)}


class FacturaAlta(Desk):
    """An invoice is booked with its tax; of some suppliers a part is kept back."""

    name = "factura-alta"
    difficulty = "Spanish; a percentage from a table of a region; a share is kept back at times"
    operators = (
        Operator("invoice", "ver factura {numero}", about="Muestra una factura."),
        Operator("supplier", "ver proveedor {nif}", about="Ficha de un proveedor."),
        Operator("rates", "ver tipos de {territorio}", about="Tipos de impuesto."),
        Operator("keep", "retener {importe} de {numero}", ("importe",), "Retención."),
        Operator(
            "book",
            "contabilizar {numero} cuota {cuota} total {total}",
            ("cuota", "total"),
            "Definitivo.",
        ),
    )
    changing, irrevocable, finals, free = ("keep",), ("keep",), ("book",), ("keep", "book")
    horizon = 7

    wordings = (
        "Contabiliza la factura {numero} de {empresa}, por favor.",
        "Ha llegado la factura {numero}. Dala de alta.",
        "Factura {numero} ({empresa}): alta en contabilidad.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw an invoice, its supplier and the rates."""
        (town,), (surname,), (item,) = self.draw(CITIES), self.draw(SURNAMES), self.draw(PRODUCTS)
        self.company, self.item = f"{surname} {town}", item
        self.numero = f"F{self.rng.randint(24, 26)}/{self.rng.randint(1000, 9999)}"
        self.nif, self.base = self.identifier("A########"), 100 * self.rng.randint(2, 60)
        self.tax, self.region = self.rng.choice(_CLASSES), self.rng.choice([*_REGIONS])
        self.kept = self.rng.choice((0, 0, 7, 15, 19))
        rows: list[dict[str, Value]] = [
            {"clase": kind, "porcentaje": rate}
            for kind, rate in zip(_CLASSES, _REGIONS[self.region], strict=True)
        ]
        right = rows[_CLASSES.index(self.tax)]
        self.rates = self.arranged(rows, right)
        quota = self.base * int(str(right["porcentaje"])) // 100
        booked = call("book", numero=self.numero, cuota=quota, total=self.base + quota)
        plan = [call("invoice", numero=self.numero), call("supplier", nif=self.nif)]
        plan.append(call("rates", territorio=self.region))
        if self.kept:
            plan.append(call("keep", importe=self.base * self.kept // 100, numero=self.numero))
        offered = [call("rates", territorio=each) for each in _REGIONS]
        offered += [call("keep", importe=self.base // n, numero=self.numero) for n in (10, 20)]
        offered += [
            call("book", numero=self.numero, cuota=self.base * n // 100, total=self.base)
            for n in (21, 10, 7)
        ]
        self.lay_out([*plan, booked], offered)
        asked = self.rng.choice(self.wordings).format(numero=self.numero, empresa=self.company)
        return asked, [Fact("Contabilidad, ejercicio 2025", {"ejercicio": 2025})]

    def answer(self, wanted: Call) -> Result:
        """Show an invoice, a supplier or rates, keep back or book."""
        if wanted.operator == "rates":
            if wanted["territorio"] != self.region:
                return [Fact("No es el territorio.", {"error": "no es el territorio"})]
            head = Fact(f"Tipos en {self.region}", {"territorio": self.region})
            return [head, Rows("tipos", "{clase}: {porcentaje} %", self.rates)]
        if wanted.operator == "invoice":
            text = f"{self.company}, NIF {self.nif}\n{self.item}, clase {self.tax}\n"
            data: dict[str, Value] = {"proveedor": self.company, "nif": self.nif}
            data |= {"concepto": self.item, "clase": self.tax, "base": self.base}
            return [Fact(f"{text}Base imponible {self.base} EUR", data)]
        if wanted.operator == "supplier":
            kind = "autónomo" if self.kept else "sociedad"
            text = f"Régimen: {kind}\nTerritorio: {self.region}"
            data = {"regimen": kind, "territorio": self.region}
            if self.kept:
                text, data = f"{text}\nRetención: {self.kept} %", data | {"retencion": self.kept}
            return [Fact(text, data)]
        if wanted["numero"] != self.numero:
            return [Fact("No existe.", {"error": "no existe"})]
        if wanted.operator == "keep":
            return [Fact("Retención anotada.", {"anotada": True})]
        return [Fact("Asiento creado.", {"asiento": True})]


_DECISIONS = ("award", "reserve", "decline", "hold")


class GrantRound(Desk):
    """The sum of three scores decides; where a score is missing its reviewer is reminded."""

    name = "grant-round"
    difficulty = "a sum of three against two limits of another page, or reminders where one lacks"
    operators = (
        Operator("show", "GET /applications/{id}", about="An application with its reviews."),
        Operator("programme", "GET /programmes/{programme}", about="Limits of a programme."),
        Operator("remind", "POST /applications/{id}/reminders {reviewer}", about="Sends a mail."),
        Operator("decide", "PUT /applications/{id}/decision {decision}", about="Final."),
    )
    changing, irrevocable, finals = ("remind",), ("remind",), ("decide",)
    horizon = 7

    wordings = (
        "Please bring application {id} ({applicant}) to a decision.",
        "Decide on {id}.",
        "{applicant} asks how {id} stands; reviews should be in. Record the decision.",
        "Application {id}: close the review.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw reviews and limits."""
        names, (team,), others = self.draw(PEOPLE, 4), self.draw(TEAMS), self.draw(PARTS, 2)
        (town,) = self.draw(CITIES)
        self.id, self.programme = self.identifier("ap##a##"), f"{team}-{others[0].split()[0]}"
        self.applicant, self.year = f"{town} Institute", self.rng.randint(2023, 2026)
        self.limits = (self.rng.randint(32, 40), self.rng.randint(22, 29))
        award, reserve = self.limits
        low, high = self.rng.choice(((award, 51), (reserve, award - 1), (15, reserve - 1)))
        scores = [0, 0, 0]
        while not low <= sum(scores) <= high:
            scores = [self.rng.randint(4, 17) for _ in range(3)]
        missing = self.rng.choice((0, 0, 0, 0, 1, 2))
        lacking = self.rng.sample(range(3), missing)
        self.reviews: list[dict[str, Value]] = [
            {"reviewer": name.lower(), "score": "pending" if i in lacking else str(score)}
            for i, (name, score) in enumerate(zip(names, scores, strict=False))
        ]
        total, plan = sum(scores), [call("show", id=self.id)]
        if missing:
            decision = "hold"
            plan += [
                call("remind", id=self.id, reviewer=row["reviewer"])
                for row in self.reviews
                if row["score"] == "pending"
            ]
        else:
            plan.append(call("programme", programme=self.programme))
            decision = "award" if total >= award else "reserve" if total >= reserve else "decline"
        plan.append(call("decide", id=self.id, decision=decision))
        offered = [call("remind", id=self.id, reviewer=r["reviewer"]) for r in self.reviews]
        offered += [call("decide", id=self.id, decision=each) for each in _DECISIONS]
        wrong = f"{team}-{others[1].split()[0]}"
        offered += [call("programme", programme=p) for p in (self.programme, wrong)]
        self.lay_out(plan, offered)
        asked = self.rng.choice(self.wordings).format(id=self.id, applicant=self.applicant)
        return asked, [Fact("200 OK, session for the panel office", {"status": 200})]

    def answer(self, wanted: Call) -> Result:
        """Show, remind or decide."""
        if wanted.operator == "show":
            data: dict[str, Value] = {"id": self.id, "programme": self.programme}
            data |= {"applicant": self.applicant, "year": self.year}
            text = "\n".join(f"{key}: {value}" for key, value in data.items())
            line = "review by {reviewer}: {score}"
            return [Fact(f"200 OK\n{text}", data), Rows("reviews", line, self.reviews)]
        if wanted.operator == "programme":
            if wanted["programme"] != self.programme:
                return [Fact("404 Not Found", {"error": "not found"})]
            award, reserve = self.limits
            text = f"200 OK\naward from: {award}\nreserve from: {reserve}\nscore: sum of reviews"
            return [Fact(text, {"award_from": award, "reserve_from": reserve})]
        return [Fact("202 Accepted" if wanted.operator == "remind" else "201 Created", {"ok": 1})]
