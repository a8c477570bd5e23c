"""A French desk for leave and a Spanish library."""

from __future__ import annotations

from ...ladder.names import CITIES, PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk
from ..shared import clock_times

_MOIS = ("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août")


class CongesDemande(Desk):
    """A request for leave is granted if as many days are left, else refused with what is left."""

    name = "conges-demande"
    difficulty = "French; a number of one page is compared with one of another; a rest is computed"
    operators = (
        Operator("request", "ouvrir la demande {demande}", about="Une demande de congé."),
        Operator("balance", "solde de {personne}", about="Jours qui restent."),
        Operator("grant", "valider {demande} reste {jours}", ("jours",), "Définitif."),
        Operator("refuse", "refuser {demande} solde {jours}", ("jours",), "Définitif."),
    )
    finals, free = ("grant", "refuse"), ("balance", "grant", "refuse")
    horizon = 6

    wordings = (
        "Traitez la demande {demande}, s'il vous plaît.",
        "La demande de congé {demande} attend depuis hier ; merci de la traiter.",
        "Bonjour, où en est {demande} ? Valider si le solde suffit, sinon refuser.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a request and what is left."""
        names = self.draw(PEOPLE, 2), self.draw(SURNAMES, 2)
        self.person, other = (f"{a} {b}" for a, b in zip(*names, strict=True))
        number = self.rng.randint(50, 499) * 2 + (self.task.part == "train")
        self.demande = f"DC-{number}"
        self.days = self.rng.randint(2, 20)
        enough = self.rng.random() < 0.55
        low, high = (self.days, self.days + 12) if enough else (0, self.days - 1)
        self.left = self.rng.randint(low, high)
        self.taken, self.month = self.rng.randint(0, 20), self.rng.choice(_MOIS)
        self.replaced = other
        grant = call("grant", demande=self.demande, jours=self.left - self.days)
        refuse = call("refuse", demande=self.demande, jours=self.left)
        self.lay_out(
            [
                call("request", demande=self.demande),
                call("balance", personne=self.person),
                grant if enough else refuse,
            ],
            [
                call("balance", personne=other),
                call("grant", demande=self.demande, jours=self.days),
                call("grant", demande=self.demande, jours=abs(self.left - self.days) + 1),
                refuse if self.left else call("refuse", demande=self.demande, jours=self.days),
                call("refuse", demande=self.demande, jours=self.left + 1),
            ],
        )
        asked = self.rng.choice(self.wordings).format(demande=self.demande)
        return asked, [Fact("Espace RH", {"espace": "RH"})]

    def answer(self, wanted: Call) -> Result:
        """Show, grant or refuse."""
        if wanted.operator == "request":
            text = (
                f"Demande {self.demande}\nSalarié : {self.person}\nDurée : {self.days} jours\n"
                f"À partir de : lundi, en {self.month}\nRemplacement : {self.replaced}"
            )
            data: dict[str, Value] = {"demande": self.demande, "salarié": self.person}
            data |= {"jours": self.days, "mois": self.month, "remplacement": self.replaced}
            return [Fact(text, data)]
        if wanted.operator == "balance":
            if wanted["personne"] != self.person:
                return [Fact("Accès refusé.", {"error": "accès refusé"})]
            text = f"{self.person}\nPris : {self.taken}\nReste : {self.left}"
            return [Fact(text, {"pris": self.taken, "reste": self.left})]
        return [Fact("Décision enregistrée.", {"enregistré": True})]


class PrestamoSala(Desk):
    """A loan is renewed if nobody has reserved the book, else it is called back."""

    name = "prestamo-sala"
    difficulty = "Spanish; the row of a title is opened, and whether it is reserved decides"
    operators = (
        Operator("loans", "préstamos de {persona}", about="Libros prestados."),
        Operator("book", "ficha {codigo}", about="Ficha de un libro."),
        Operator("renew", "renovar {codigo}", about="Final."),
        Operator("recall", "reclamar {codigo}", about="Final."),
    )
    finals, free = ("renew", "recall"), ("loans",)
    horizon = 7

    wordings = (
        "{persona} quiere quedarse más tiempo con «{titulo}».",
        "Por favor, renueva «{titulo}» de {persona} si nadie lo espera; si no, reclámalo.",
        "Préstamo de {persona}: ¿se puede ampliar «{titulo}»? Gracias.",
    )
    titles = ("Luces de", "Cartas desde", "El puente de", "Adiós a", "Mar de")

    def begin(self) -> tuple[str, Result]:
        """Draw loans."""
        (first,), (last,), towns = self.draw(PEOPLE), self.draw(SURNAMES), self.draw(CITIES, 4)
        self.person = f"{first} {last}"
        starts = self.rng.sample(self.titles, 4)
        rows: list[dict[str, Value]] = [
            {
                "codigo": f"B-{self.identifier('####')}",
                "titulo": f"{start} {town}",
                "hasta": f"{self.rng.randint(1, 28)}/{self.rng.randint(1, 12)}",
            }
            for start, town in zip(starts, towns, strict=True)
        ]
        self.rows = self.arranged(rows, rows[0])
        codes = [str(row["codigo"]) for row in rows]
        self.reserved = {code: self.rng.choice((0, 0, 1, 2, 3)) for code in codes}
        shelf = [f"{t[:2]}.{t[3:5]}" for t in clock_times(self.rng, 4)]
        self.shelves = dict(zip(codes, shelf, strict=True))
        act = "recall" if self.reserved[codes[0]] else "renew"
        plan = [call("loans", persona=self.person), call("book", codigo=codes[0])]
        plan.append(call(act, codigo=codes[0]))
        self.lay_out(plan, [call(n, codigo=c) for n in ("book", "renew", "recall") for c in codes])
        asked = self.rng.choice(self.wordings).format(persona=self.person, titulo=rows[0]["titulo"])
        return asked, [Fact("Mostrador de la biblioteca", {"mostrador": 2})]

    def answer(self, wanted: Call) -> Result:
        """List, show, renew or call back."""
        if wanted.operator == "loans":
            if wanted["persona"] != self.person:
                return [Fact("Socio desconocido", {"error": "socio desconocido"})]
            line = "{codigo}  {titulo}  (hasta el {hasta})"
            return [Fact(f"Préstamos: {len(self.rows)}", {}), Rows("prestamos", line, self.rows)]
        code = wanted["codigo"]
        if wanted.operator == "book":
            count = self.reserved[code]
            text = f"{code}\nEstante: {self.shelves[code]}\nReservas: {count}\nEstado: bueno"
            data: dict[str, Value] = {
                "codigo": code,
                "estante": self.shelves[code],
                "reservas": count,
            }
            return [Fact(text, data | {"estado": "bueno"})]
        return [Fact("Hecho.", {"hecho": True})]
