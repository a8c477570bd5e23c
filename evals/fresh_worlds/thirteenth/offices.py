"""Offices: a ferry behind a flight, a file of a tenant in French, a mailing list in German."""

from __future__ import annotations

from ...ladder.names import CITIES, PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class FerryTransfer(Desk):
    """The first ferry behind an arrival that has seats enough is booked, or a hotel."""

    name = "ferry-transfer"
    difficulty = "JSON; the nearest time behind another that has enough of something; or none"
    operators = (
        Operator("flight", '["flight", "{flight}"]', about="When one is at which port."),
        Operator("sailings", '["sailings", "{port}"]', about="Ferries of a port."),
        Operator("book", '["book", "{ship}", {seats}]', ("seats",), "Books seats."),
        Operator("confirm", '["confirm", "{trip}"]', about="Final."),
        Operator("hotel", '["hotel", "{port}", {seats}]', ("seats",), "Final: next day."),
    )
    changing, irrevocable, finals = ("book",), ("book",), ("confirm", "hotel")
    free = ("flight", "sailings", "book", "confirm", "hotel")
    horizon = 7

    wordings = (
        "Trip {trip}: {seats} people on flight {flight} need a ferry.",
        "Flight {flight} brings {seats} guests, get them over. Trip {trip}.",
        "Please arrange the ferry of trip {trip} ({seats} people, flight {flight}).",
    )
    ships = (
        *(
            "Sea Rose",
            "North Wind",
            "Albatross",
            "Blue Star",
            "Old Mary",
            "Cormorant",
            "Silver Tern",
        ),
        *("Grey Goose", "Morning Light", "Puffin"),
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a flight and ferries."""
        self.trip, self.flight = self.identifier("T-####"), self.identifier("AA###")
        (self.port,), seats = self.draw(CITIES), self.rng.randint(2, 9)
        some = case_of(self.name, self.task, (True, True, True, False))
        names, arrival = self.draw(self.ships, 5), self.rng.randint(600, 1000)
        self.lands, self.there = _clock(arrival - self.rng.randint(25, 70)), _clock(arrival)
        while True:
            rows: list[dict[str, Value]] = [
                {
                    "ship": name,
                    "departs": _clock(minute),
                    "free": self.rng.choice((0, 1, seats - 1, seats, seats + 2, 20, 30)),
                }
                for name, minute in zip(names, self.rng.sample(range(420, 1380), 5), strict=True)
            ]
            later = [row for row in rows if str(row["departs"]) > self.there]
            fit = [row for row in later if int(str(row["free"])) >= seats]
            if len(fit) >= 2 if some else later and not fit:
                break
        best = min(fit, key=lambda row: str(row["departs"])) if fit else rows[0]
        books = [call("book", ship=name, seats=seats) for name in names]
        confirm, hotel = (
            call("confirm", trip=self.trip),
            call("hotel", port=self.port, seats=seats),
        )
        plan = [call("flight", flight=self.flight), call("sailings", port=self.port)]
        plan += [books[rows.index(best)], confirm] if fit else [hotel]
        self.rows = self.arranged(rows, best)
        self.lay_out(plan, [*books, confirm, hotel])
        asked = self.rng.choice(self.wordings).format(
            trip=self.trip, seats=seats, flight=self.flight
        )
        desks = self.rng.randint(2, 9)
        return asked, [Fact(f'{{"desk": {desks}}}', {"desk": desks})]

    def answer(self, wanted: Call) -> Result:
        """Show, book or end."""
        if wanted.operator == "flight" and wanted["flight"] == self.flight:
            text = f'{{"lands": "{self.lands}", "port": "{self.port}", "at_port": "{self.there}"}}'
            data: dict[str, Value] = {"lands": self.lands, "port": self.port}
            return [Fact(text, data | {"at_port": self.there})]
        if wanted.operator == "sailings" and wanted["port"] == self.port:
            line = '{{"ship": "{ship}", "departs": "{departs}", "free": {free}}}'
            return [Rows("sailings", line, self.rows)]
        if wanted.operator in ("flight", "sailings"):
            return [Fact('{"error": "not found"}', {"error": "not found"})]
        return [Fact('{"ok": true}', {"ok": True})]


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


class BailDossier(Desk):
    """French: what lacks in a file is asked for; else income and guarantor decide."""

    name = "bail-dossier"
    difficulty = "French; a sentence of documents, one letter for each that lacks; two conditions"
    operators = (
        Operator("ouvrir", "ouvrir {dossier}", about="Le dossier d'un candidat."),
        Operator("logement", "logement {reference}", about="Loyer et revenu exigé."),
        Operator("reclamer", "réclamer à {nom} : {piece}", about="Demande une pièce."),
        Operator("suspendre", "suspendre {dossier}", about="Dernier pas : dossier incomplet."),
        Operator("valider", "valider {dossier}", about="Dernier pas."),
        Operator("cautionner", "cautionner {dossier}", about="Dernier pas : avec le garant."),
        Operator("refuser", "refuser {dossier}", about="Dernier pas."),
    )
    changing, irrevocable = ("reclamer",), ("reclamer",)
    finals = ("suspendre", "valider", "cautionner", "refuser")
    free = ("ouvrir", "logement", "reclamer", "suspendre", "valider", "cautionner", "refuser")
    horizon = 7

    wordings = (
        "Traitez le dossier {dossier}.",
        "{nom} attend une réponse, dossier {dossier}.",
        "Le dossier {dossier} est arrivé.",
    )
    pieces = ("pièce d'identité", "bulletin de paie", "avis d'impôt", "contrat de travail")

    def begin(self) -> tuple[str, Result]:
        """Draw a file and a flat."""
        self.dossier, self.reference = self.identifier("D-#####"), self.identifier("AP-###")
        (self.nom,) = self.draw(SURNAMES)
        kind = case_of(self.name, self.task, ("riche", "garant", "pauvre", "une", "deux"))
        self.loyer = self.rng.randrange(450, 1300, 10)
        self.exige = self.loyer * 3
        enough = kind == "riche" or (kind in ("une", "deux") and self.rng.random() < 0.5)
        self.revenu = self.exige + self.rng.randint(10, 900) * (1 if enough else -1)
        self.revenu = max(self.revenu, 300)
        sure = {"garant": "oui", "pauvre": "non"}
        self.garant = sure.get(kind) or self.rng.choice(("oui", "non"))
        shown = self.rng.sample(self.pieces, 4)
        lacking = self.rng.sample(shown, {"une": 1, "deux": 2}.get(kind, 0))
        self.states = {piece: "manque" if piece in lacking else "reçu" for piece in shown}
        asks = {p: call("reclamer", nom=self.nom, piece=p) for p in shown}
        ends = {each: call(each, dossier=self.dossier) for each in self.finals}
        end = {"riche": "valider", "garant": "cautionner", "pauvre": "refuser"}.get(kind, "")
        plan = [call("ouvrir", dossier=self.dossier)]
        if lacking:
            plan += [*(asks[p] for p in shown if p in lacking), ends["suspendre"]]
        else:
            plan += [call("logement", reference=self.reference), ends[end]]
        self.lay_out(plan, [*asks.values(), *ends.values()])
        asked = self.rng.choice(self.wordings).format(dossier=self.dossier, nom=self.nom)
        attente = self.rng.randint(2, 50)
        return asked, [Fact(f"{attente} dossiers en attente", {"attente": attente})]

    def answer(self, wanted: Call) -> Result:
        """Show, ask or end."""
        if wanted.values.get("dossier", self.dossier) != self.dossier:
            return [Fact("dossier inconnu", {"error": "dossier inconnu"})]
        if wanted.operator == "ouvrir":
            pieces = ", ".join(f"{piece} : {state}" for piece, state in self.states.items())
            text = f"Candidat : {self.nom}\nLogement : {self.reference}\n"
            text += f"Revenu : {self.revenu} €\nGarant : {self.garant}\nPièces : {pieces}"
            data: dict[str, Value] = {"candidat": self.nom, "logement": self.reference}
            data |= {"revenu": self.revenu, "garant": self.garant}
            return [Fact(text, data | self.states)]
        if wanted.operator == "logement":
            if wanted["reference"] != self.reference:
                return [Fact("logement inconnu", {"error": "logement inconnu"})]
            text = f"Loyer : {self.loyer} €\nRevenu exigé : {self.exige} €"
            return [Fact(text, {"loyer": self.loyer, "revenu_exige": self.exige})]
        return [Fact("Fait.", {"fait": True})]


class VerteilerPflege(Desk):
    """German: each person of a request is added; outsiders are asked for, blocked ones left out."""

    name = "verteiler-pflege"
    difficulty = "German; people whom the task names, each looked up, then one of three ways"
    operators = (
        Operator("liste", "Verteiler {liste} anzeigen", about="Wem er gehört."),
        Operator("konto", "Konto {person} anzeigen", about="Art und Adresse."),
        Operator("aufnehmen", "{adresse} in {liste} aufnehmen", about="Für interne."),
        Operator("freigabe", "{chef} um Freigabe von {adresse} bitten", about="Für externe."),
        Operator("schliessen", "Auftrag {auftrag} schließen", about="Letzter Schritt."),
    )
    changing, irrevocable = ("aufnehmen", "freigabe"), ("aufnehmen", "freigabe")
    finals = ("schliessen",)
    free = ("liste", "konto", "aufnehmen", "freigabe", "schliessen")
    horizon = 13

    wordings = (
        "Auftrag {auftrag}: {namen} sollen in den Verteiler {liste}.",
        "Bitte {namen} in {liste} aufnehmen (Auftrag {auftrag}).",
        "In {liste} fehlen {namen}, siehe Auftrag {auftrag}.",
    )
    themen = ("bau", "messe", "lager", "umzug", "werbung", "einkauf")

    def begin(self) -> tuple[str, Result]:
        """Draw a list and people."""
        self.auftrag, (self.chef,) = self.identifier("AU####"), self.draw(SURNAMES)
        self.liste = f"{self.rng.choice(self.themen)}-{self.identifier('##')}"
        count = case_of(self.name, self.task, (2, 3, 4))
        people = self.draw(PEOPLE, count)
        numbers = distinct(lambda: self.identifier("a###"), count)
        kinds = ("intern", "intern", "extern", "gesperrt")
        self.konten: dict[str, dict[str, Value]] = {
            person: {
                "art": self.rng.choice(kinds),
                "adresse": f"{number}@firma.de",
                "raum": self.rng.randint(100, 499),
            }
            for person, number in zip(people, numbers, strict=True)
        }
        plan, every = [call("liste", liste=self.liste)], []
        for person, konto in self.konten.items():
            add = call("aufnehmen", adresse=konto["adresse"], liste=self.liste)
            ask = call("freigabe", chef=self.chef, adresse=konto["adresse"])
            ways = {"intern": [add], "extern": [ask]}
            plan += [call("konto", person=person), *ways.get(str(konto["art"]), [])]
            every += [add, ask]
        close = call("schliessen", auftrag=self.auftrag)
        self.lay_out([*plan, close], [*every, close])
        *first, last = people
        asked = self.rng.choice(self.wordings).format(
            auftrag=self.auftrag, namen=f"{', '.join(first)} und {last}", liste=self.liste
        )
        offen = self.rng.randint(2, 40)
        self.mitglieder = self.rng.randint(5, 90)
        return asked, [Fact(f"{offen} offene Aufträge", {"offen": offen})]

    def answer(self, wanted: Call) -> Result:
        """Show, add, ask or end."""
        values = wanted.values
        if values.get("liste", self.liste) != self.liste:
            return [Fact("Unbekannter Verteiler", {"error": "unbekannt"})]
        if values.get("auftrag", self.auftrag) != self.auftrag:
            return [Fact("Unbekannter Auftrag", {"error": "unbekannt"})]
        if wanted.operator == "liste":
            text = f"Besitzer: {self.chef}\nMitglieder: {self.mitglieder}"
            return [Fact(text, {"besitzer": self.chef, "mitglieder": self.mitglieder})]
        if wanted.operator == "konto":
            konto = self.konten.get(wanted["person"])
            if konto is None:
                return [Fact("Kein Konto", {"error": "kein Konto"})]
            text = f"Art: {konto['art']}\nAdresse: {konto['adresse']}\nRaum: {konto['raum']}"
            return [Fact(text, konto)]
        return [Fact("Erledigt.", {"erledigt": True})]
