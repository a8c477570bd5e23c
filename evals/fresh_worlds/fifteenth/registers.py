"""Registers: Swedish school transport, a French farm's baskets, briefs that reach a court."""

from __future__ import annotations

from ...ladder.names import CITIES, PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class Skolskjuts(Desk):
    """Swedish: who lives far enough for the stage, or on a dangerous road, gets a bus card."""

    name = "skolskjuts"
    difficulty = "Swedish; a limit by a table, with an exception; a row by a town and a word"
    operators = (
        Operator("elev", "visa elev {elev}", about="Ort, stadium och avstånd."),
        Operator("linjer", "visa linjerna", about="Bussar per ort."),
        Operator("kort", "skriv ut kort till {elev} för linje {linje}", about="Busskort."),
        Operator("bevilja", "bevilja {arende}", about="Sista steget."),
        Operator("avsla", "avslå {arende}", about="Sista steget: för nära."),
    )
    changing = irrevocable = ("kort",)
    finals = ("bevilja", "avsla")
    free = ("elev", "linjer", "kort", "bevilja", "avsla")
    horizon = 7

    wordings = (
        "Ärende {arende}: elev {elev} söker skolskjuts.",
        "Elev {elev} vill ha busskort, ärende {arende}.",
        "Handlägg ansökan {arende} för elev {elev}.",
    )
    stadier = ("lågstadiet", "mellanstadiet", "högstadiet", "gymnasiet")

    def begin(self) -> tuple[str, Result]:
        """Draw a pupil, limits and buses."""
        kind = case_of(self.name, self.task, ("långt", "nära", "farlig", "långt", "nära"))
        self.elev, self.arende = self.identifier("E####"), self.identifier("SK-####")
        (self.namn,), orter = self.draw(PEOPLE), self.draw(CITIES, 4)
        self.ort = orter[0]
        limits = sorted(self.rng.sample(range(1500, 6500, 250), 4))
        stage = self.rng.randrange(4)
        self.stadium, limit = self.stadier[stage], limits[stage]
        nearer, farther = self.rng.randint(20, 1200), self.rng.randint(0, 2500)
        self.meter = limit + farther if kind == "långt" else limit - nearer
        risky = {"farlig": True, "nära": False}.get(kind, self.rng.random() < 0.3)
        self.farlig = "ja" if risky else "nej"
        table: list[dict[str, Value]] = [
            {"stadium": stadium, "meter": each}
            for stadium, each in zip(self.stadier, limits, strict=True)
        ]
        self.linjer = distinct(lambda: str(self.rng.randint(11, 399)), 6)
        towns = [orter[0], orter[0], *orter[1:], self.rng.choice(orter[1:])]
        states = ["plats", "full", *(self.rng.choice(("plats", "full")) for _ in range(4))]
        rows: list[dict[str, Value]] = [
            {"linje": number, "ort": town, "tid": f"07:{self.rng.randint(10, 59)}", "läge": state}
            for number, town, state in zip(self.linjer, towns, states, strict=True)
        ]
        self.rows = self.arranged(rows, rows[0])
        cards = [call("kort", elev=self.elev, linje=number) for number in self.linjer]
        look, lines = call("elev", elev=self.elev), call("linjer")
        grant, deny = (call(each, arende=self.arende) for each in self.finals)
        plan = [look, *([deny] if kind == "nära" else [lines, cards[0], grant])]
        self.lay_out(plan, [look, lines, *cards, grant, deny])
        asked = self.rng.choice(self.wordings).format(arende=self.arende, elev=self.elev)
        head = Fact("Skolskjuts från:", {"om": "skolskjuts från"})
        return asked, [head, Rows("gränser", "{stadium}: {meter} m", table)]

    def answer(self, wanted: Call) -> Result:
        """Show, print or end."""
        values = wanted.values
        known = (values.get("elev", self.elev), values.get("arende", self.arende))
        if known != (self.elev, self.arende):
            return [Fact("Finns inte.", {"error": "finns inte"})]
        if wanted.operator == "elev":
            data: dict[str, Value] = {
                "namn": self.namn,
                "ort": self.ort,
                "stadium": self.stadium,
                "avstånd": f"{self.meter} m",
                "farlig väg": self.farlig,
            }
            return [
                Fact("\n".join(f"{key.capitalize()}: {each}" for key, each in data.items()), data)
            ]
        if wanted.operator == "linjer":
            return [Rows("linjer", "Linje {linje}, {ort}, kl. {tid}, {läge}", self.rows)]
        if values.get("linje", self.linjer[0]) not in self.linjer:
            return [Fact("Linjen finns inte.", {"error": "finns inte"})]
        return [Fact("Klart.", {"klart": True})]


class FermePanier(Desk):
    """French: each thing of a basket is weighed; what lacks is added, what is out is replaced."""

    name = "ferme-panier"
    difficulty = "French; a list of weights, each weighed; a difference in grams, or a substitute"
    operators = (
        Operator("panier", "ouvrir le panier {panier}", about="Ce qui est commandé."),
        Operator("peser", "peser {article}", about="Ce qui est dans le panier."),
        Operator("ajouter", "ajouter {grammes} g de {article}", ("grammes",), "Ce qui manque."),
        Operator("remplacer", "remplacer {article} par {autre}", about="Ce qui est épuisé."),
        Operator("fermer", "fermer le panier {panier}", about="Dernière étape."),
    )
    changing = irrevocable = ("ajouter", "remplacer")
    finals = ("fermer",)
    free = ("panier", "peser", "ajouter", "remplacer", "fermer")
    horizon = 12

    wordings = (
        "Le panier {panier} est à contrôler.",
        "{personne} vient chercher le panier {panier}.",
        "Préparer le panier {panier} pour {personne}.",
    )
    articles = (
        *("carottes", "poireaux", "navets", "tomates", "pommes", "poires", "radis", "courges"),
        *("choux", "betteraves"),
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a basket, its weights and what may replace what."""
        must = case_of(self.name, self.task, ("manque", "épuisé", "manque", "assez"))
        self.panier, (personne,) = self.identifier("P###"), self.draw(PEOPLE)
        names = self.rng.sample(self.articles, 8)
        table: list[dict[str, Value]] = [
            {"article": names[i], "autre": names[i + 4]} for i in range(4)
        ]
        others = dict(zip(names[:4], names[4:], strict=True))
        things = self.rng.sample(names[:4], self.rng.randint(2, 4))
        ways = [must, *(self.rng.choice(("manque", "épuisé", "assez")) for _ in things[1:])]
        self.rng.shuffle(ways)
        self.rows: list[dict[str, Value]] = []
        self.poids: dict[str, int] = {}
        plan, every = [call("panier", panier=self.panier)], []
        for thing, way in zip(things, ways, strict=True):
            asked = self.rng.randrange(500, 2500, 50)
            less = self.rng.randrange(20, 400, 10)
            more = self.rng.randrange(0, 90, 10)
            has = {"manque": asked - less, "assez": asked + more, "épuisé": 0}[way]
            self.rows.append({"grammes": asked, "article": thing})
            self.poids[thing] = has
            adds = [
                call("ajouter", grammes=each, article=thing)
                for each in (less, less + 10, asked, asked + less)
            ]
            swaps = [call("remplacer", article=thing, autre=each) for each in names[4:]]
            swap = swaps[names[4:].index(others[thing])]
            look = call("peser", article=thing)
            plan += [look, *{"manque": [adds[0]], "épuisé": [swap]}.get(way, [])]
            every += [look, *adds, *swaps]
        close = call("fermer", panier=self.panier)
        self.lay_out([*plan, close], [plan[0], *every, close])
        asked_text = self.rng.choice(self.wordings).format(panier=self.panier, personne=personne)
        head = Fact("Ardoise du jour", {"titre": "ardoise du jour"})
        line = "Plus de {article} ? Mettre {autre}."
        return asked_text, [head, Rows("ardoise", line, self.arranged(table))]

    def answer(self, wanted: Call) -> Result:
        """Show, weigh, add, replace or end."""
        if wanted.values.get("panier", self.panier) != self.panier:
            return [Fact("Panier inconnu.", {"error": "inconnu"})]
        if wanted.operator == "panier":
            return [Rows("commande", "- {grammes} g de {article}", self.rows)]
        if wanted.values.get("article", next(iter(self.poids))) not in self.poids:
            return [Fact("Cet article n'est pas commandé.", {"error": "inconnu"})]
        if wanted.operator == "peser":
            grams = self.poids[wanted["article"]]
            if not grams:
                return [Fact("Épuisé, rien sur la balance.", {"balance": "épuisé"})]
            return [Fact(f"La balance affiche {grams} g.", {"balance": f"{grams} g"})]
        return [Fact("C'est fait.", {"fait": True})]


class BriefFiling(Desk):
    """A brief within its time, or a longer one, is filed; a fee that lacks is claimed first."""

    name = "brief-filing"
    difficulty = "a date within a first or a second limit, or neither; a fee by a table less a sum"
    operators = (
        Operator("docket", "look up case {case}", about="Kind of a case, and its time limit."),
        Operator("orders", "read the orders in {case}", about="Where the time is over."),
        Operator("fees", "read the fee table", about="Fees by kind."),
        Operator("paid", "see what was paid with {brief}", about="In euros."),
        Operator("claim", "claim {euro} euros from {person}", ("euro",), "What lacks of the fee."),
        Operator("enter", "enter {brief} in {case}", about="Final."),
        Operator("give_back", "give back {brief} as late", about="Final."),
    )
    changing = irrevocable = ("claim",)
    finals = ("enter", "give_back")
    free = ("docket", "orders", "fees", "paid", "claim", "enter", "give_back")
    horizon = 9

    wordings = (
        "{person} has handed in brief {brief} in case {case} on {day}.",
        "Brief {brief} by {person} came on {day}, the case is {case}.",
        "On {day} we received {brief} in {case} from {person}.",
        "Register {brief} of {person}: case {case}, received {day}.",
    )
    kinds = ("appeal", "claim", "objection", "petition", "review", "probate")

    def begin(self) -> tuple[str, Result]:
        """Draw a brief, its case and what was paid."""
        cases = (
            *(("within", 0), ("within", 1), ("longer", 1), ("over", 0)),
            *(("within", 1), ("longer", 0), ("never", 0)),
        )
        kind, lacks = case_of(self.name, self.task, cases)
        self.case, self.brief = self.identifier("##-####"), self.identifier("BR####")
        (self.person,), self.judge = self.draw(SURNAMES), self.rng.choice(SURNAMES[:10])
        month = self.rng.randint(3, 10)
        received = self.rng.randint(5, 24)
        first = self.rng.randint(received - 4, received - 1)
        if kind == "within":
            first = self.rng.randint(received, received + 4)
        second = self.rng.randint(first, received - 1) if kind == "over" else received
        second += self.rng.randint(0, 3) if kind == "longer" else 0
        self.until = f"2026-{month:02}-{first:02}"
        self.longer = "" if kind in ("within", "never") else f"2026-{month:02}-{second:02}"
        kinds, fees = self.rng.sample(self.kinds, 4), self.rng.sample(range(40, 480, 5), 4)
        self.kind = kinds[0]
        table: list[dict[str, Value]] = [
            {"kind": each, "fee": fee} for each, fee in zip(kinds, fees, strict=True)
        ]
        self.table = self.arranged(table)
        less = self.rng.randint(5, fees[0] - 10) if lacks else 0
        self.sum = fees[0] - less
        wrong = {self.sum, fees[0], fees[1], abs(fees[1] - self.sum), less + 5} - {less}
        claims = [call("claim", euro=each, person=self.person) for each in (less, *sorted(wrong))]
        claims = claims if lacks else claims[1:]
        docket, orders = call("docket", case=self.case), call("orders", case=self.case)
        table_look, paid = call("fees"), call("paid", brief=self.brief)
        enter = call("enter", brief=self.brief, case=self.case)
        back = call("give_back", brief=self.brief)
        money = [table_look, paid, *claims[:1]] if lacks else [table_look, paid]
        plan = {
            "within": [docket, *money, enter],
            "longer": [docket, orders, *money, enter],
        }.get(kind, [docket, orders, back])
        self.lay_out(plan, [docket, orders, table_look, paid, *claims, enter, back])
        asked = self.rng.choice(self.wordings).format(
            person=self.person,
            brief=self.brief,
            case=self.case,
            day=f"2026-{month:02}-{received:02}",
        )
        shelf = self.rng.randint(2, 60)
        text = f"There are {shelf} briefs in the tray."
        return asked, [Fact(text, {"in_the_tray": shelf})]

    def answer(self, wanted: Call) -> Result:
        """Show, claim or end."""
        values = wanted.values
        known = (
            values.get("case", self.case),
            values.get("brief", self.brief),
            values.get("person", self.person),
        )
        if known != (self.case, self.brief, self.person):
            return [Fact("Nothing under that name.", {"error": "nothing"})]
        if wanted.operator == "docket":
            text = f"Kind {self.kind}, judge {self.judge}. Briefs may come until {self.until}."
            data: dict[str, Value] = {"kind": self.kind, "judge": self.judge}
            return [Fact(text, data | {"until": self.until})]
        if wanted.operator == "orders":
            if not self.longer:
                return [Fact("There are no orders.", {"orders": "none"})]
            text = f"By order of judge {self.judge} the time is longer: until {self.longer}."
            return [Fact(text, {"longer_until": self.longer})]
        if wanted.operator == "fees":
            return [Rows("fees", "{kind}: {fee} euros", self.table)]
        if wanted.operator == "paid":
            return [Fact(f"{self.sum} euros were paid.", {"paid": self.sum})]
        return [Fact("It is in the register.", {"done": True})]
