"""Counters: a German workshop, a French parcel shop, a Spanish school, and a pharmacy."""

from __future__ import annotations

from datetime import date, timedelta

from ...ladder.names import CITIES, COLOURS, PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk

_WORK = (
    *("Inspektion", "Hauptuntersuchung", "Bremsprüfung", "Ölwechsel", "Klimawartung"),
    *("Achsvermessung", "Reifenwechsel", "Lichttest", "Batterietausch", "Unterbodenschutz"),
)


class WerkstattTermin(Desk):
    """The first bay of the right kind that is free long enough; it may be gone already."""

    name = "werkstatt-termin"
    difficulty = "German, verbs last; the first row under two conditions, the next if it is taken"
    operators = (
        Operator("car", "Fahrzeug {kennzeichen} aufrufen", about="Stammdaten."),
        Operator("work", "Leistung {leistung} nachschlagen", about="Katalog."),
        Operator("bays", "Bühnen am {tag} anzeigen", about="Freie Zeiten."),
        Operator("reserve", "{kennzeichen} auf {buehne} um {zeit} eintragen", about="Bindend."),
        Operator("rental", "Leihwagen zu {kennzeichen} vormerken", about="Kostet."),
        Operator("close", "Auftrag {kennzeichen} abschließen", about="Ende."),
    )
    changing, irrevocable, finals = ("reserve", "rental"), ("reserve", "rental"), ("close",)
    horizon = 10

    wordings = (
        "{kunde} möchte am {tag} mit {kennzeichen} zur {leistung} kommen.",
        "Bitte einen Termin eintragen: {leistung} für {kennzeichen}, {tag}.",
        "Termin am {tag}, Fahrzeug {kennzeichen}, Arbeit: {leistung}.",
        "{kennzeichen} braucht eine {leistung}, und zwar am {tag} ({kunde}).",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a car, some work and the bays."""
        (last,), work, colours = self.draw(SURNAMES), self.draw(_WORK, 2), self.draw(COLOURS, 6)
        self.plate, self.work = self.identifier("AA-AA ###"), work[0]
        self.tag = f"{self.rng.randint(1, 28):02}.{self.rng.randint(1, 12):02}.2025"
        self.kind, self.hours = self.rng.choice(("Pkw", "Transporter")), self.rng.randint(2, 4)
        self.rental, self.price = self.rng.choice(("ja", "nein")), self.rng.randint(60, 400)
        other = "Pkw" if self.kind == "Transporter" else "Transporter"
        fits = sorted(self.rng.sample(range(6), self.rng.randint(2, 3)))
        starts = sorted(self.rng.sample(range(14, 34), 6))
        self.rows: list[dict[str, Value]] = []
        for i, (colour, start) in enumerate(zip(colours, starts, strict=True)):
            kind = self.kind if i in fits or self.rng.random() < 0.5 else other
            free = self.hours + self.rng.randint(0, 3)
            if i not in fits and kind == self.kind:
                free = self.rng.randint(1, self.hours - 1)
            row: dict[str, Value] = {"buehne": f"{colour}-{self.rng.randint(1, 9)}", "art": kind}
            row |= {"zeit": f"{start // 2:02}:{start % 2 * 30:02}", "stunden": free}
            self.rows.append(row)
        tries = 2 if self.rng.random() < 0.35 else 1
        self.taken = [self._entry(self.rows[i]) for i in fits[: tries - 1]]
        plan = [call("car", kennzeichen=self.plate), call("work", leistung=self.work)]
        plan += [call("bays", tag=self.tag), *(self._entry(self.rows[i]) for i in fits[:tries])]
        hire = call("rental", kennzeichen=self.plate)
        plan += [hire] if self.rental == "ja" else []
        plan.append(call("close", kennzeichen=self.plate))
        offered = [*(self._entry(row) for row in self.rows), hire]
        self.lay_out(plan, [*offered, call("work", leistung=work[1])])
        names = {"kunde": f"Familie {last}", "tag": self.tag, "kennzeichen": self.plate}
        asked = self.rng.choice(self.wordings).format(**names, leistung=self.work)
        return asked, [Fact("Werkstattplaner bereit.", {"bereit": True})]

    def _entry(self, row: dict[str, Value]) -> Call:
        return call("reserve", kennzeichen=self.plate, buehne=row["buehne"], zeit=row["zeit"])

    def answer(self, wanted: Call) -> Result:
        """Look things up, enter, hire or close."""
        if wanted.operator == "car":
            data: dict[str, Value] = {"art": self.kind, "leihwagen_im_vertrag": self.rental}
            text = f"{self.plate}\nFahrzeugart: {self.kind}\nLeihwagen im Vertrag: {self.rental}"
            return [Fact(text, data)]
        if wanted.operator == "work":
            if wanted["leistung"] != self.work:
                return [Fact("Zur Zeit nicht im Angebot.", {"error": "nicht im Angebot"})]
            text = f"{self.work}: {self.hours} Stunden, {self.price} Euro"
            return [Fact(text, {"stunden": self.hours, "preis": self.price})]
        if wanted.operator == "bays":
            line = "{buehne} ({art}) ab {zeit}, {stunden} Stunden frei"
            return [Fact(f"Bühnen am {self.tag}"), Rows("buehnen", line, self.rows)]
        if wanted.operator == "reserve" and wanted in self.taken:
            return [Fact("Leider soeben vergeben.", {"eingetragen": False})]
        if wanted.operator == "reserve":
            return [Fact("Eingetragen.", {"eingetragen": True})]
        text = "Leihwagen vorgemerkt." if wanted.operator == "rental" else "Abgeschlossen."
        return [Fact(text, {"fertig": True})]


class ColisRelais(Desk):
    """A parcel is handed over, sent back or refused; what is owed is cashed first."""

    name = "colis-relais"
    difficulty = "French; days since a date, a name told late, a list of others who may; an amount"
    operators = (
        Operator("parcel", "consulter colis {colis}", about="Fiche d'un colis."),
        Operator("rules", "consulter règles {transporteur}", about="Délai de garde."),
        Operator("identity", "demander une pièce d'identité", about="Le nom du client."),
        Operator("proxies", "consulter procurations {colis}", about="Personnes autorisées."),
        Operator("cash", "encaisser {montant} euros", ("montant",), "Paiement."),
        Operator("hand", "remettre {colis} à {nom}", about="Définitif."),
        Operator("back", "retourner {colis}", about="Définitif."),
        Operator("refuse", "refuser {colis}", about="Définitif."),
    )
    changing, irrevocable, finals = ("cash",), ("cash",), ("hand", "back", "refuse")
    free = ("cash",)
    horizon = 9

    wordings = (
        "Un client est au comptoir pour le colis {colis}.",
        "Quelqu'un vient retirer {colis}, merci de vous en occuper.",
        "Retrait demandé : colis {colis}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a parcel, its owner and who has come."""
        people, surnames, (town,) = self.draw(PEOPLE, 5), self.draw(SURNAMES, 5), self.draw(CITIES)
        names = [f"{a} {b}" for a, b in zip(people, surnames, strict=True)]
        self.colis, self.carrier = self.identifier("XR######"), f"{town}-Express"
        self.garde, self.owed = self.rng.randint(7, 20), self.rng.choice((0, 0, *range(5, 90)))
        if self.rng.random() < 0.5:
            self.owed = 0
        case = self.rng.choice(("owner", "owner", "proxy", "stranger", "late"))
        waited = self.rng.randint(1, self.garde)
        waited += self.garde if case == "late" else 0
        today = date(2025, 2, 1) + timedelta(self.rng.randint(0, 300))
        self.since = (today - timedelta(waited)).isoformat()
        self.owner, self.client = names[0], names[0] if case == "owner" else names[1]
        listed = [*names[2 : self.rng.randint(3, 5)], *([names[1]] if case == "proxy" else [])]
        rows: list[dict[str, Value]] = [{"nom": name, "niveau": "retrait"} for name in listed]
        self.proxies = self.arranged(rows, rows[-1]) if case == "proxy" else self.arranged(rows)
        hand = call("hand", colis=self.colis, nom=self.client)
        plan = [call("parcel", colis=self.colis), call("rules", transporteur=self.carrier)]
        if case == "late":
            plan.append(call("back", colis=self.colis))
        else:
            plan.append(call("identity"))
            plan += [] if case == "owner" else [call("proxies", colis=self.colis)]
            cash = [call("cash", montant=self.owed)] if self.owed else []
            plan += [call("refuse", colis=self.colis)] if case == "stranger" else [*cash, hand]
        offered = [call(name, colis=self.colis) for name in ("proxies", "back", "refuse")]
        offered += [call("hand", colis=self.colis, nom=name) for name in names[:3]]
        offered += [call("identity"), *(call("cash", montant=n) for n in (self.owed + 1, 10))]
        self.lay_out(plan, offered)
        asked = self.rng.choice(self.wordings).format(colis=self.colis)
        text = f"Point relais, aujourd'hui {today.isoformat()}"
        return asked, [Fact(text, {"aujourd_hui": today.isoformat()})]

    def answer(self, wanted: Call) -> Result:
        """Show, ask, cash, or do what ends it."""
        if wanted.operator == "parcel":
            data: dict[str, Value] = {"destinataire": self.owner, "transporteur": self.carrier}
            data |= {"arrive_le": self.since, "a_payer": self.owed}
            text = f"Destinataire : {self.owner}\nTransporteur : {self.carrier}\n"
            return [Fact(f"{text}Arrivé le {self.since}\nÀ payer : {self.owed} euros", data)]
        if wanted.operator == "rules":
            text = f"{self.carrier} : garde de {self.garde} jours, puis retour"
            return [Fact(text, {"garde": self.garde})]
        if wanted.operator == "identity":
            return [Fact(f"Pièce au nom de {self.client}", {"nom": self.client})]
        if wanted.operator == "proxies":
            head = Fact("Personnes autorisées :")
            return [head, Rows("procurations", "- {nom} ({niveau})", self.proxies)]
        return [Fact("C'est enregistré.", {"enregistre": True})]


_LEVELS = ("A1", "A2", "B1", "B2")


class MatriculaCurso(Desk):
    """Points give a level, the level a list of groups, and the fullest choice has most seats."""

    name = "matricula-curso"
    difficulty = "Spanish; a range, then of the rows of one shift that with most seats, or a list"
    operators = (
        Operator("student", "alumno {alumno}", about="Ficha y prueba."),
        Operator("levels", "niveles", about="Puntos de cada nivel."),
        Operator("groups", "grupos {nivel}", about="Grupos de un nivel."),
        Operator("discount", "descuento {alumno}", about="Aplica el descuento."),
        Operator("enrol", "matricular {alumno} > {grupo}", about="Definitivo."),
        Operator("wait", "espera {alumno} > {nivel} {turno}", about="Definitivo."),
    )
    changing, irrevocable, finals = ("discount",), ("discount",), ("enrol", "wait")
    horizon = 7

    wordings = (
        "Matricula a {alumno} en un grupo de {turno}.",
        "{alumno} ha hecho la prueba y solo puede venir por la {turno}.",
        "Alta de {alumno}, turno de {turno}, por favor.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a student, limits and groups."""
        (first,), (last,), rooms = self.draw(PEOPLE), self.draw(SURNAMES), self.draw(CITIES, 6)
        self.who = f"{first} {last}"
        self.shift = self.rng.choice(("mañana", "tarde", "noche"))
        bounds = [0, *sorted(self.rng.sample(range(15, 90), 3)), 101]
        level = self.rng.randrange(4)
        self.level = _LEVELS[level]
        self.points = self.rng.randrange(bounds[level], bounds[level + 1])
        self.levels: list[dict[str, Value]] = [
            {"nivel": name, "desde": bounds[i], "hasta": bounds[i + 1] - 1}
            for i, name in enumerate(_LEVELS)
        ]
        self.large = self.rng.choice(("sí", "no", "no"))
        fitting = self.rng.choice((0, 1, 2, 2))
        seats = self.rng.sample(range(1, 15), fitting)
        others = [each for each in ("mañana", "tarde", "noche") if each != self.shift]
        groups: list[dict[str, Value]] = []
        for i, room in enumerate(rooms[: self.rng.randint(4, 6)]):
            shift = self.shift if i <= fitting else self.rng.choice(others)
            free = seats[i] if i < fitting else 0 if shift == self.shift else None
            code = f"{self.level}-{self.identifier('A##')}"
            free = self.rng.randint(0, 15) if free is None else free
            groups.append({"grupo": code, "turno": shift, "plazas": free, "aula": room})
        best = max(groups[:fitting], key=lambda row: int(str(row["plazas"])), default=None)
        self.groups = self.arranged(groups, *([best] if best else []))
        plan = [call("student", alumno=self.who), call("levels"), call("groups", nivel=self.level)]
        plan += [call("discount", alumno=self.who)] if self.large == "sí" else []
        if best:
            plan.append(call("enrol", alumno=self.who, grupo=best["grupo"]))
        else:
            plan.append(call("wait", alumno=self.who, nivel=self.level, turno=self.shift))
        offered = [call("groups", nivel=each) for each in _LEVELS]
        offered += [call("enrol", alumno=self.who, grupo=row["grupo"]) for row in groups]
        offered += [call("wait", alumno=self.who, nivel=e, turno=self.shift) for e in _LEVELS]
        self.lay_out(plan, [*offered, call("discount", alumno=self.who)])
        asked = self.rng.choice(self.wordings).format(alumno=self.who, turno=self.shift)
        return asked, [Fact("Secretaría de la escuela", {"curso": "2025/26"})]

    def answer(self, wanted: Call) -> Result:
        """Show, or do what ends it."""
        if wanted.operator == "student":
            text = f"{self.who}\nPrueba: {self.points} puntos\nFamilia numerosa: {self.large}"
            return [Fact(text, {"puntos": self.points, "familia_numerosa": self.large})]
        if wanted.operator == "levels":
            return [Rows("niveles", "{nivel}: de {desde} a {hasta} puntos", self.levels)]
        if wanted.operator == "groups":
            if wanted["nivel"] != self.level:
                return [Fact("Sin grupos abiertos.", {"error": "sin grupos abiertos"})]
            line = "{grupo} | {turno} | {plazas} plazas | aula {aula}"
            return [Rows("grupos", line, self.groups)]
        return [Fact("Hecho.", {"hecho": True})]


_DRUGS = (
    *("Amolin", "Bexaril", "Cortavan", "Dolirex", "Enaprol", "Fexonil", "Glucobay", "Histadin"),
    *("Ibrafen", "Jantosin", "Ketorin", "Lorazine", "Metrofan", "Nebilox", "Oxaprin", "Pantozol"),
)


class PharmacyRefill(Desk):
    """A prescription is filled, planned for the day it is due, or its doctor is asked."""

    name = "pharmacy-refill"
    difficulty = "a count, a date plus days and a stock decide; a day is told only by the order"
    operators = (
        Operator("open", "[Prescriptions] {rx}", about="Show a prescription."),
        Operator("stock", "[Shelf] {drug}", about="What is on the shelf."),
        Operator("order", "[Wholesaler] {drug}", about="Order a pack; it tells the day."),
        Operator("fill", "[Fill] {rx} x {quantity}", ("quantity",), "Final."),
        Operator("plan", "[Calendar] {rx} on {day}", about="Plan a refill. Final."),
        Operator("ask", "[Fax] {doctor} about {rx}", about="Ask for a new one. Final."),
    )
    changing, irrevocable, finals = ("order",), ("order",), ("fill", "plan", "ask")
    free = ("fill", "plan")
    horizon = 6

    wordings = (
        "{patient} asks for a refill of {rx}.",
        "Refill, please: prescription {rx} for {patient}.",
        "{rx} ({patient}) again, same as last time.",
        "Can {patient} have {rx} refilled?",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a prescription."""
        people, surnames = self.draw(PEOPLE, 2), self.draw(SURNAMES, 2)
        (self.drug, other), case = self.draw(_DRUGS, 2), self.rng.choice(("none", "early", "", ""))
        self.rx, self.doctor = self.identifier("RX-#####"), f"Dr {surnames[1]}"
        self.quantity, self.supply = 10 * self.rng.randint(2, 9), self.rng.choice((14, 28, 30, 60))
        self.left = 0 if case == "none" else self.rng.randint(1, 5)
        today = date(2025, 3, 1) + timedelta(self.rng.randint(0, 280))
        gone = self.supply + self.rng.randint(0, 25)
        if case == "early":
            gone = self.rng.randint(1, self.supply - 1)
        last = today - timedelta(gone)
        self.last, due = last.isoformat(), (last + timedelta(self.supply)).isoformat()
        enough = self.rng.random() < 0.5
        self.shelf = self.quantity + self.rng.randint(0, 80)
        if not enough:
            self.shelf = self.rng.randint(0, self.quantity - 1)
        self.comes = (today + timedelta(self.rng.randint(1, 4))).isoformat()
        plan = [call("open", rx=self.rx)]
        if case == "none":
            plan.append(call("ask", doctor=self.doctor, rx=self.rx))
        elif case == "early":
            plan.append(call("plan", rx=self.rx, day=due))
        else:
            plan.append(call("stock", drug=self.drug))
            if enough:
                plan.append(call("fill", rx=self.rx, quantity=self.quantity))
            else:
                plan += [call("order", drug=self.drug), call("plan", rx=self.rx, day=self.comes)]
        offered = [
            call(name, drug=each) for name in ("stock", "order") for each in (self.drug, other)
        ]
        days = (due, self.comes, today.isoformat(), (today + timedelta(7)).isoformat())
        offered += [call("plan", rx=self.rx, day=each) for each in days]
        offered += [call("fill", rx=self.rx, quantity=n) for n in (self.quantity, 1, 100)]
        self.lay_out(plan, [*offered, call("ask", doctor=self.doctor, rx=self.rx)])
        patient = f"{people[0]} {surnames[0]}"
        asked = self.rng.choice(self.wordings).format(patient=patient, rx=self.rx)
        return asked, [Fact(f"Today is {today.isoformat()}.", {"today": today.isoformat()})]

    def answer(self, wanted: Call) -> Result:
        """Show, order, or do what ends it."""
        if wanted.operator == "open":
            data: dict[str, Value] = {"drug": self.drug, "quantity": self.quantity}
            data |= {"refills_left": self.left, "last_filled": self.last}
            data |= {"days_of_supply": self.supply, "prescriber": self.doctor}
            lines = [f"{key.replace('_', ' ')}: {value}" for key, value in data.items()]
            return [Fact("\n".join(lines), data)]
        if wanted.operator in ("stock", "order") and wanted["drug"] != self.drug:
            return [Fact("Not carried.", {"error": "not carried"})]
        if wanted.operator == "stock":
            text = f"{self.drug}: {self.shelf} tablets on the shelf"
            return [Fact(text, {"on_shelf": self.shelf})]
        if wanted.operator == "order":
            return [Fact(f"Ordered, arrives {self.comes}.", {"arrives": self.comes})]
        return [Fact("Noted.", {"noted": self.rx})]
