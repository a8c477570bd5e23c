"""Counters: water meters, cars that were towed, tickets of a help desk."""

from __future__ import annotations

from ...ladder.names import COLOURS, PEOPLE, PRODUCTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class LecturaContador(Desk):
    """Spanish: what was used since the last reading is entered; too much is also inspected."""

    name = "lectura-contador"
    difficulty = "Spanish; a difference decides: none below nought, an inspection above a limit"
    operators = (
        Operator("consultar", "consultar {cliente}", about="Ficha de un cliente."),
        Operator(
            "registrar",
            "registrar {consumo} m3 a {cliente}",
            ("consumo",),
            "Apunta el consumo.",
        ),
        Operator("inspeccion", "pedir inspección de {contador}", about="Manda un técnico."),
        Operator("cerrar", "cerrar {cliente}", about="Último paso."),
        Operator("rechazar", "rechazar {cliente}", about="Último paso: lectura imposible."),
    )
    changing, irrevocable = ("registrar", "inspeccion"), ("registrar", "inspeccion")
    finals = ("cerrar", "rechazar")
    free = ("consultar", "registrar", "inspeccion", "cerrar", "rechazar")
    horizon = 7

    wordings = (
        "El cliente {cliente} comunica una lectura de {valor} m3.",
        "Lectura nueva: {valor} m3, cliente {cliente}.",
        "Ha llamado {persona}, cliente {cliente}: el contador marca {valor} m3.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a reading and the one before."""
        self.cliente, self.contador = self.identifier("C-#####"), self.identifier("AA####")
        (self.persona,) = self.draw(SURNAMES)
        kind = case_of(self.name, self.task, ("normal", "normal", "alto", "menor"))
        tope, self.antes = self.rng.randrange(60, 150, 10), self.rng.randint(300, 4000)
        ranges = {"normal": (5, tope), "alto": (tope + 1, tope * 3), "menor": (-90, -1)}
        used = self.rng.randint(*ranges[kind])
        enter = call("registrar", consumo=abs(used), cliente=self.cliente)
        inspect = call("inspeccion", contador=self.contador)
        close = call("cerrar", cliente=self.cliente)
        reject = call("rechazar", cliente=self.cliente)
        ends = {"normal": [enter, close], "alto": [enter, inspect, close], "menor": [reject]}
        plan = [call("consultar", cliente=self.cliente), *ends[kind]]
        self.lay_out(plan, [enter, inspect, close, reject])
        asked = self.rng.choice(self.wordings).format(
            cliente=self.cliente, valor=self.antes + used, persona=self.persona
        )
        text = f"Oficina del agua. Se inspecciona un consumo de más de {tope} m3."
        self.year = self.rng.randint(2004, 2024)
        return asked, [Fact(text, {"tope": tope})]

    def answer(self, wanted: Call) -> Result:
        """Show, enter or end."""
        known = self.contador if wanted.operator == "inspeccion" else self.cliente
        if known not in wanted.values.values():
            return [Fact("No existe.", {"error": "no existe"})]
        if wanted.operator == "consultar":
            text = f"Titular: {self.persona}\nContador: {self.contador}, de {self.year}\n"
            text += f"Última lectura: {self.antes} m3"
            data: dict[str, Value] = {"titular": self.persona, "contador": self.contador}
            return [Fact(text, data | {"año": self.year, "ultima_lectura": self.antes})]
        return [Fact("Hecho.", {"hecho": True})]


class ImpoundLot(Desk):
    """A towed car goes to its keeper, or to whom a letter of the keeper names."""

    name = "impound-lot"
    difficulty = (
        "sentences; who asks is compared with one record, then maybe with another; days by a rate"
    )
    operators = (
        Operator("car", "Look up the car {plate}.", about="What is known of a car."),
        Operator("letter", "Read the letter for {plate}.", about="A letter of the keeper."),
        Operator(
            "charge", "Charge {amount} euros to {person}.", ("amount",), "Days here by daily rate."
        ),
        Operator("release", "Release the car in bay {bay}.", ("bay",), "Final."),
        Operator("away", "Send {person} away.", about="Final."),
    )
    changing, irrevocable, finals = ("charge",), ("charge",), ("release", "away")
    free = ("car", "letter", "charge", "release", "away")
    horizon = 7

    wordings = (
        "{person} is at the window for the car {plate}.",
        "The car {plate} was towed. {person} wants it back.",
        "Deal with {person}, who came for {plate}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a car, its keeper and who has come."""
        self.plate, self.bay = self.identifier("AA ###"), self.rng.randint(1, 80)
        firsts, lasts = self.draw(PEOPLE, 3), self.draw(SURNAMES, 3)
        person, keeper, third = (f"{f} {s}" for f, s in zip(firsts, lasts, strict=True))
        cases = ("keeper", "keeper", "letter", "other", "none")
        kind = case_of(self.name, self.task, cases)
        self.keeper = person if kind == "keeper" else keeper
        names = {"keeper": self.rng.choice((None, third)), "letter": person, "other": third}
        self.named = names.get(kind)
        rate, self.days = self.rng.randrange(10, 45, 5), self.rng.randint(1, 14)
        (self.colour,) = self.draw(COLOURS)
        self.make = self.rng.choice(("van", "estate", "hatchback", "pickup"))
        charge = call("charge", amount=rate * self.days, person=person)
        release, away = call("release", bay=self.bay), call("away", person=person)
        plan = [call("car", plate=self.plate)]
        plan += [] if kind == "keeper" else [call("letter", plate=self.plate)]
        plan += [charge, release] if self.named == person or kind == "keeper" else [away]
        self.lay_out(plan, [charge, release, away])
        asked = self.rng.choice(self.wordings).format(person=person, plate=self.plate)
        text = f"Car pound, window 2. A day costs {rate} euros."
        return asked, [Fact(text, {"daily_rate": rate})]

    def answer(self, wanted: Call) -> Result:
        """Show, charge or end."""
        if wanted.operator in ("car", "letter") and wanted["plate"] != self.plate:
            return [Fact("There is no such car.", {"error": "no such car"})]
        if wanted.operator == "car":
            text = f"The {self.colour} {self.make} in bay {self.bay} is here for {self.days} days. "
            data: dict[str, Value] = {"colour": self.colour, "make": self.make, "bay": self.bay}
            data |= {"days": self.days, "keeper": self.keeper}
            return [Fact(f"{text}Its keeper is {self.keeper}.", data)]
        if wanted.operator == "letter":
            if self.named is None:
                return [Fact("There is no letter.", {"names": None})]
            return [Fact(f"The letter lets {self.named} take the car.", {"names": self.named})]
        return [Fact("Done.", {"done": True})]


class TicketDupes(Desk):
    """A new ticket is a duplicate, is related to an open one, or goes to who has least to do."""

    name = "ticket-dupes"
    difficulty = "command line; rows of a search by two fields, one of another record; else a least"
    operators = (
        Operator("show", "ticket show {ticket}", about="A ticket."),
        Operator("search", "ticket search --code {code}", about="Older tickets of a code."),
        Operator("team", 'team list --product "{product}"', about="Who works on a product."),
        Operator("dupe", "ticket link {ticket} --duplicate-of {other}", about="Links a ticket."),
        Operator("relate", "ticket link {ticket} --related-to {other}", about="Links a ticket."),
        Operator("close", "ticket close {ticket}", about="Final."),
        Operator("assign", "ticket assign {ticket} --to {agent}", about="Final."),
    )
    changing, irrevocable = ("dupe", "relate"), ("dupe", "relate")
    finals = ("close", "assign")
    free = ("show", "search", "team", "dupe", "relate", "close", "assign")
    horizon = 8

    wordings = ("Triage {ticket}.", "{ticket} is new. Where does it go?", "Sort out {ticket}.")

    def begin(self) -> tuple[str, Result]:
        """Draw a ticket, older ones and a team."""
        self.ticket, self.code = self.identifier("T-#####"), self.identifier("E####")
        (self.product,) = self.draw(PRODUCTS)
        self.customer, *customers = self.draw(SURNAMES, 6)
        agents = [name.lower() for name in self.draw(PEOPLE, 8)]
        kind = case_of(self.name, self.task, ("same", "same", "open", "open", "none", "none"))
        states = {"same": ("open", "closed"), "open": ("open", "closed"), "none": ("closed",) * 2}
        whose = [self.customer if kind == "same" else customers[0], customers[1]]
        whose.append(self.customer if kind != "same" and self.rng.random() < 0.5 else customers[2])
        kinds = [*states[kind], "open" if kind == "same" else "closed"]
        numbers = distinct(lambda: self.identifier("T-#####"), 3)
        older: list[dict[str, Value]] = [
            {"ticket": t, "customer": c, "state": s, "agent": a}
            for t, c, s, a in zip(numbers, whose, kinds, agents[:3], strict=True)
        ]
        self.older = self.arranged(older, older[0])
        loads = self.rng.sample(range(1, 30), 4)
        team: list[dict[str, Value]] = [
            {"agent": agent, "open": load} for agent, load in zip(agents[3:7], loads, strict=True)
        ]
        least = team[loads.index(min(loads))]["agent"]
        self.team = self.arranged(team)
        dupes = [call("dupe", ticket=self.ticket, other=n) for n in numbers]
        relates = [call("relate", ticket=self.ticket, other=n) for n in numbers]
        assigns = [call("assign", ticket=self.ticket, agent=agent) for agent in agents[:7]]
        close = call("close", ticket=self.ticket)
        plan = [call("show", ticket=self.ticket), call("search", code=self.code)]
        ends = {
            "same": [dupes[0], close],
            "open": [relates[0], assigns[0]],
            "none": [
                call("team", product=self.product),
                call("assign", ticket=self.ticket, agent=least),
            ],
        }
        self.lay_out([*plan, *ends[kind]], [*dupes, *relates, *assigns, close])
        asked = self.rng.choice(self.wordings).format(ticket=self.ticket)
        new = self.rng.randint(2, 40)
        return asked, [Fact(f"helpdesk 4.2 ({new} new)", {"new": new})]

    def answer(self, wanted: Call) -> Result:
        """Show, link or end."""
        if wanted.operator == "search":
            if wanted["code"] != self.code:
                return [Fact("no matches", {"error": "no matches"})]
            line = "{ticket}  {state:<6}  customer={customer}  agent={agent}"
            return [Rows("tickets", line, self.older)]
        if wanted.operator == "team":
            if wanted["product"] != self.product:
                return [Fact("no such product", {"error": "no such product"})]
            return [Rows("team", "{agent:<9} {open} open", self.team)]
        if wanted["ticket"] != self.ticket:
            return [Fact("no such ticket", {"error": "no such ticket"})]
        if wanted.operator == "show":
            text = f"{self.ticket}\ncustomer: {self.customer}\nproduct: {self.product}\n"
            data: dict[str, Value] = {"customer": self.customer, "product": self.product}
            return [Fact(f"{text}code: {self.code}", data | {"code": self.code})]
        return [Fact("ok", {"ok": True})]
