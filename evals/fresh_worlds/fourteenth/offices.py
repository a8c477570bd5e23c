"""Offices: a move to another town in Italian, garden plots in Dutch, a jury that is called."""

from __future__ import annotations

from ...ladder.names import CITIES, PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct, enumerated


class CambioResidenza(Desk):
    """Italian: by the title a contract is checked or an owner asked; the former town is told."""

    name = "cambio-residenza"
    difficulty = "Italian; three ways by a word; a date compared with one that the task names"
    operators = (
        Operator("aprire", "apri pratica {pratica}", about="Dati della domanda."),
        Operator("contratto", "verifica contratto {numero}", about="Scadenza di un contratto."),
        Operator("immobile", "consulta immobile {immobile}", about="Proprietario."),
        Operator("consenso", "chiedi il consenso a {persona}", about="Per gli ospiti."),
        Operator("avvisare", "avvisa il comune di {comune}", about="Comune di provenienza."),
        Operator("registrare", "registra {pratica}", about="Ultimo passo."),
        Operator("respingere", "respingi {pratica}", about="Ultimo passo: contratto scaduto."),
    )
    changing, irrevocable = ("consenso", "avvisare"), ("consenso", "avvisare")
    finals = ("registrare", "respingere")
    free = (
        *("aprire", "contratto", "immobile", "consenso", "avvisare"),
        *("registrare", "respingere"),
    )
    horizon = 8

    wordings = (
        "Oggi è il {oggi}. Evadere la pratica {pratica}.",
        "Pratica {pratica}, cambio di residenza (data di oggi: {oggi}).",
        "{persona} aspetta allo sportello: pratica {pratica}, oggi {oggi}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw an application and what stands behind it."""
        titles = ("proprietà", "affitto", "affitto", "ospite")
        place = case_of(self.name, self.task, (0, 1, 2, 3))
        self.titolo, scaduto = titles[place], place == 1
        self.pratica, self.immobile = self.identifier("PR-####"), self.identifier("IM###")
        self.numero = self.identifier("##/####")
        self.persona, self.padrone = self.draw(SURNAMES, 2)
        (self.comune,) = self.draw(CITIES)
        month, day = self.rng.randint(2, 11), self.rng.randint(1, 28)
        oggi = f"2026-{month:02}-{day:02}"
        month += self.rng.choice((-1, 0)) if scaduto else 1
        day = self.rng.randint(1, 28) if f"{month:02}" != oggi[5:7] else max(day - 1, 1)
        self.scade = f"2026-{month:02}-{day:02}"
        if scaduto and self.scade >= oggi:
            self.scade = f"2026-{month - 1:02}-{day:02}"
        apri = call("aprire", pratica=self.pratica)
        contratto = call("contratto", numero=self.numero)
        immobile = call("immobile", immobile=self.immobile)
        consensi = [call("consenso", persona=each) for each in (self.padrone, self.persona)]
        avvisa = call("avvisare", comune=self.comune)
        registra, respingi = (call(each, pratica=self.pratica) for each in self.finals)
        behind = {"affitto": [contratto], "ospite": [immobile, consensi[0]]}.get(self.titolo, [])
        plan = [apri, *behind, *([respingi] if scaduto else [avvisa, registra])]
        others = [contratto, immobile, *consensi, avvisa, registra, respingi]
        self.lay_out(plan, others)
        asked = self.rng.choice(self.wordings).format(
            pratica=self.pratica, oggi=oggi, persona=self.persona
        )
        coda = self.rng.randint(2, 40)
        return asked, [Fact(f"Persone in attesa: {coda}", {"persone_in_attesa": coda})]

    def answer(self, wanted: Call) -> Result:
        """Show, ask, tell or end."""
        if wanted.values.get("pratica", self.pratica) != self.pratica:
            return [Fact("Pratica sconosciuta.", {"error": "sconosciuta"})]
        if wanted.operator == "aprire":
            data: dict[str, Value] = {
                "richiedente": self.persona,
                "comune di provenienza": self.comune,
                "immobile": self.immobile,
                "titolo": self.titolo,
            }
            data |= {"contratto": self.numero} if self.titolo == "affitto" else {}
            text = "\n".join(f"{key.capitalize()}: {value}" for key, value in data.items())
            return [Fact(text, data)]
        if wanted.operator == "contratto" and wanted["numero"] == self.numero:
            return [Fact(f"Il contratto scade il {self.scade}.", {"scade": self.scade})]
        if wanted.operator == "immobile" and wanted["immobile"] == self.immobile:
            text = f"Il proprietario è {self.padrone}."
            return [Fact(text, {"proprietario": self.padrone})]
        if wanted.operator in ("contratto", "immobile"):
            return [Fact("Non trovato.", {"error": "non trovato"})]
        return [Fact("Fatto.", {"fatto": True})]


class TuinToewijzen(Desk):
    """Dutch: a plot goes to the member who has waited longest for its size, or is advertised."""

    name = "tuin-toewijzen"
    difficulty = "Dutch; the earliest of the rows that fit; a price by a table; or none fits"
    operators = (
        Operator("tuin", "bekijk tuin {tuin}", about="Maat van een tuin."),
        Operator("lijst", "bekijk de wachtlijst", about="Wie wacht, en waarop."),
        Operator("tarieven", "bekijk de tarieven", about="Huur per maat."),
        Operator("toewijzen", "wijs tuin {tuin} toe aan {persoon}", about="Kan niet terug."),
        Operator("rekening", "stuur {persoon} een rekening van {euro} euro", ("euro",), "Huur."),
        Operator("sluiten", "sluit melding {melding}", about="Laatste stap."),
        Operator("adverteren", "zet tuin {tuin} in de krant", about="Laatste stap: niemand wacht."),
    )
    changing, irrevocable = ("toewijzen", "rekening"), ("toewijzen", "rekening")
    finals = ("sluiten", "adverteren")
    free = (
        *("tuin", "lijst", "tarieven", "toewijzen", "rekening"),
        *("sluiten", "adverteren"),
    )
    horizon = 8

    wordings = (
        "Tuin {tuin} is vrij, melding {melding}.",
        "Melding {melding}: wie krijgt tuin {tuin}?",
        "De huurder van tuin {tuin} is weg. Handel melding {melding} af.",
    )
    maten = ("klein", "middel", "groot", "dubbel")

    def begin(self) -> tuple[str, Result]:
        """Draw a plot and who waits."""
        kind = case_of(self.name, self.task, ("lid", "lid", "lid", "niemand"))
        self.tuin, self.melding = self.identifier("T###"), self.identifier("M-####")
        maten = self.rng.sample(self.maten, 4)
        self.maat = maten[0]
        people = self.draw(PEOPLE, 6)
        days = self.rng.sample(range(1, 336), 6)
        sizes = [maten[0]] * 3 if kind == "lid" else self.rng.choices(maten[1:], k=3)
        sizes += self.rng.choices(maten[1:], k=3)
        rows: list[dict[str, Value]] = [
            {"sinds": f"2025-{d // 28 + 1:02}-{d % 28 + 1:02}", "naam": name, "maat": size}
            for d, name, size in zip(days, people, sizes, strict=True)
        ]
        best = days.index(min(days[:3]))
        self.rows, winner = self.arranged(rows, rows[best]), people[best]
        prices = self.rng.sample(range(40, 290, 5), 4)
        table: list[dict[str, Value]] = [
            {"maat": size, "euro": price} for size, price in zip(maten, prices, strict=True)
        ]
        self.table = self.arranged(table)
        gives = [call("toewijzen", tuin=self.tuin, persoon=each) for each in people]
        bills = [call("rekening", persoon=p, euro=each) for p in people[:4] for each in prices]
        close, advert = call("sluiten", melding=self.melding), call("adverteren", tuin=self.tuin)
        looks = [call("tuin", tuin=self.tuin), call("lijst")]
        done = [gives[best], call("tarieven"), call("rekening", persoon=winner, euro=prices[0])]
        plan = [*looks, *([*done, close] if kind == "lid" else [advert])]
        self.lay_out(plan, [call("tarieven"), *gives, *bills, close, advert])
        asked = self.rng.choice(self.wordings).format(tuin=self.tuin, melding=self.melding)
        leden = self.rng.randint(40, 200)
        return asked, [Fact(f"De vereniging heeft {leden} leden.", {"leden": leden})]

    def answer(self, wanted: Call) -> Result:
        """Show, give, bill or end."""
        values = wanted.values
        if (values.get("tuin", self.tuin), values.get("melding", self.melding)) != (
            self.tuin,
            self.melding,
        ):
            return [Fact("Onbekend.", {"error": "onbekend"})]
        if wanted.operator == "tuin":
            metres = {"klein": 60, "middel": 110, "groot": 180, "dubbel": 260}[self.maat]
            text = f"Tuin {self.tuin}: maat {self.maat}, {metres} m2, waterpunt aanwezig."
            return [Fact(text, {"maat": self.maat, "m2": metres})]
        if wanted.operator == "lijst":
            return [Rows("wachtlijst", "* {naam} wacht sinds {sinds} (maat {maat})", self.rows)]
        if wanted.operator == "tarieven":
            return [Rows("tarieven", "{maat}: {euro} euro per jaar", self.table)]
        if wanted.values.get("persoon", self.rows[0]["naam"]) not in [r["naam"] for r in self.rows]:
            return [Fact("Die persoon wacht niet.", {"error": "wacht niet"})]
        return [Fact("Gedaan.", {"gedaan": True})]


class JuryCall(Desk):
    """Each person of a panel is seated, excused or put off by the answer that came in."""

    name = "jury-call"
    difficulty = "people of a list, each with an answer; one way needs the first session with room"
    operators = (
        Operator("panel", "PANEL {panel}", about="Who is called."),
        Operator("answer", "ANSWER OF {person}", about="What a person has written."),
        Operator("sessions", "SESSIONS", about="Later sessions, in order."),
        Operator("seat", "SEAT {person}", about="Who can come."),
        Operator("excuse", "EXCUSE {person}", about="Who is over 70, or ill."),
        Operator("defer", "DEFER {person} TO {session}", about="Who cannot come now."),
        Operator("publish", "PUBLISH {panel}", about="Final."),
    )
    changing, irrevocable = ("seat", "excuse", "defer"), ("seat", "excuse", "defer")
    finals = ("publish",)
    free = ("panel", "answer", "sessions", "seat", "excuse", "defer", "publish")
    horizon = 16

    wordings = (
        "Go through panel {panel} and publish it.",
        "Panel {panel} has been called; {names} have answered.",
        "Settle the answers of panel {panel} ({names}).",
    )
    replies = (
        ("seat", ("I will be there", "I can come", "Yes, I will come")),
        ("excuse", ("I am ill", "My health does not allow it")),
        ("defer", ("I am abroad that week", "I have an exam that week")),
    )

    def begin(self) -> tuple[str, Result]:
        """Draw people, their answers and the sessions to come."""
        kind = case_of(self.name, self.task, ("none", "one", "old", "one", "old"))
        self.panel, count = self.identifier("J-####"), self.rng.randint(3, 4)
        people = self.draw(PEOPLE, count)
        ways = [self.rng.choice(("seat", "excuse")) for _ in people]
        if kind == "one":
            ways[self.rng.randrange(count)] = "defer"
        aged = self.rng.randrange(count) if kind == "old" else -1
        said = dict(self.replies)
        self.people: dict[str, dict[str, Value]] = {
            person: {
                "age": self.rng.randint(71, 92) if i == aged else self.rng.randint(20, 69),
                "answer": self.rng.choice(said["seat" if i == aged else way]),
            }
            for i, (person, way) in enumerate(zip(people, ways, strict=True))
        }
        names = distinct(lambda: self.identifier("S##"), 4)
        places = [0, self.rng.randint(1, 9), self.rng.randint(0, 4), 0]
        if self.rng.random() < 0.4:
            places[0] = 3
        rows: list[dict[str, Value]] = [
            {"session": name, "places": free} for name, free in zip(names, places, strict=True)
        ]
        self.rows, first = rows, names[next(i for i, free in enumerate(places) if free)]
        plan, every = [call("panel", panel=self.panel)], [call("sessions")]
        for i, (person, way) in enumerate(zip(people, ways, strict=True)):
            plan.append(call("answer", person=person))
            if way == "defer":
                plan += [call("sessions"), call("defer", person=person, session=first)]
            else:
                plan.append(call("excuse" if i == aged else way, person=person))
            every += [call("seat", person=person), call("excuse", person=person)]
            every += [call("defer", person=person, session=name) for name in names]
        publish = call("publish", panel=self.panel)
        self.lay_out([*plan, publish], [*every, publish])
        asked = self.rng.choice(self.wordings).format(panel=self.panel, names=enumerated(people))
        text = f"COURT {self.rng.randint(2, 9)}: GOOD MORNING"
        return asked, [Fact(text, {"greeting": text})]

    def answer(self, wanted: Call) -> Result:
        """Show, settle or publish."""
        if wanted.operator == "sessions":
            return [Rows("sessions", "{session} .... {places} PLACES LEFT", self.rows)]
        if wanted.values.get("panel", self.panel) != self.panel:
            return [Fact("NO SUCH PANEL", {"error": "no such panel"})]
        if wanted.operator == "panel":
            rows: list[dict[str, Value]] = [
                {"name": name, "age": person["age"]} for name, person in self.people.items()
            ]
            return [Rows("people", "{name}, AGED {age}", rows)]
        if wanted.values.get("person", next(iter(self.people))) not in self.people:
            return [Fact("NO SUCH PERSON", {"error": "no such person"})]
        if wanted.operator == "answer":
            said = self.people[wanted["person"]]["answer"]
            return [Fact(f'{wanted["person"]} WRITES: "{said}."', {"answer": said})]
        return [Fact("RECORDED", {"recorded": True})]
