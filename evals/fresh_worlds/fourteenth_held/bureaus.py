"""Bureaus: seats of a licence, tickets that come back in Polish, robes of a choir."""

from __future__ import annotations

from ...ladder.names import PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class SeatReclaim(Desk):
    """Who asks gets a seat; where none is left, who was idle longest loses one, but not owners."""

    name = "seat-reclaim"
    difficulty = "two numbers compared; the earliest of some rows, with an exception; a manager"
    operators = (
        Operator("request", "lic request {request}", about="Who wants what."),
        Operator("product", "lic product {product}", about="Seats of a product."),
        Operator("users", "lic users {product}", about="Who has a seat."),
        Operator("revoke", "lic revoke {product} --from {user}", about="Takes a seat."),
        Operator("assign", "lic assign {product} --to {user}", about="Gives a seat."),
        Operator("tell", "lic tell {user}", about="Tells somebody that a seat was taken."),
        Operator("done", "lic done {request}", about="Final."),
    )
    changing, irrevocable = ("revoke", "assign", "tell"), ("revoke", "assign", "tell")
    finals = ("done",)
    free = ("request", "product", "users", "revoke", "assign", "tell", "done")
    horizon = 9

    wordings = (
        "Fulfil request {request}.",
        "Request {request} waits for a licence.",
        "See to licence request {request}.",
    )
    products = ("drawpad", "mindboard", "pixelkit", "formcast", "notelab", "cadline")

    def begin(self) -> tuple[str, Result]:
        """Draw a request, a product and who uses it."""
        taken = case_of(self.name, self.task, (False, True, True))
        self.request, (self.user, *others) = self.identifier("RQ####"), self.draw(PEOPLE, 6)
        self.product, self.seats = self.rng.choice(self.products), self.rng.randint(5, 60)
        self.used = self.seats if taken else self.seats - self.rng.randint(1, 4)
        days = self.rng.sample(range(1, 300), 5)
        roles = ["member"] * 5
        if self.rng.random() < 0.6:
            roles[days.index(min(days))] = "owner"
        idle = [day for day, role in zip(days, roles, strict=True) if role == "member"]
        best = days.index(min(idle))
        rows: list[dict[str, Value]] = [
            {"user": user, "role": role, "last": f"2026-{d // 28 + 1:02}-{d % 28 + 1:02}"}
            for user, role, d in zip(others, roles, days, strict=True)
        ]
        self.rows = self.arranged(rows, rows[best])
        names = [self.user, *others]
        revokes = [call("revoke", product=self.product, user=user) for user in others]
        tells = [call("tell", user=user) for user in others]
        assigns = [call("assign", product=self.product, user=user) for user in names]
        users, done = call("users", product=self.product), call("done", request=self.request)
        plan = [call("request", request=self.request), call("product", product=self.product)]
        plan += [users, revokes[best], tells[best]] if taken else []
        every = [users, *revokes, *tells, *assigns, done]
        self.lay_out([*plan, assigns[0], done], every)
        asked = self.rng.choice(self.wordings).format(request=self.request)
        text = f"lic 2.{self.rng.randint(0, 9)} connected"
        return asked, [Fact(text, {"state": text})]

    def answer(self, wanted: Call) -> Result:
        """Show, take, give or end."""
        values = wanted.values
        if (values.get("request", self.request), values.get("product", self.product)) != (
            self.request,
            self.product,
        ):
            return [Fact("! unknown", {"error": "unknown"})]
        if wanted.operator == "request":
            text = f"user={self.user}\nproduct={self.product}"
            return [Fact(text, {"user": self.user, "product": self.product})]
        if wanted.operator == "product":
            text = f"seats={self.seats}\nused={self.used}"
            return [Fact(text, {"seats": self.seats, "used": self.used})]
        if wanted.operator == "users":
            head = Fact("user\trole\tlast used")
            return [head, Rows("users", "{user}\t{role}\t{last}", self.rows)]
        return [Fact("ok", {"ok": True})]


class ZwrotBiletu(Desk):
    """Polish: a fee by the kind of ticket is kept, the rest goes back; used ones are refused."""

    name = "zwrot-biletu"
    difficulty = "Polish; a difference with a number by a table; one kind goes back as a voucher"
    operators = (
        Operator("bilet", "pokaż bilet {bilet}", about="Dane biletu."),
        Operator("oplaty", "pokaż opłaty", about="Opłaty według taryfy."),
        Operator("przelej", "przelej {kwota} zł dla {osoba}", ("kwota",), "Zwrot."),
        Operator("bon", "wystaw bon na {kwota} zł dla {osoba}", ("kwota",), "Zapłacone bonem."),
        Operator("zamknij", "zamknij sprawę {sprawa}", about="Ostatni krok."),
        Operator("odrzuc", "odrzuć sprawę {sprawa}", about="Ostatni krok: bilet skasowany."),
    )
    changing, irrevocable = ("przelej", "bon"), ("przelej", "bon")
    finals = ("zamknij", "odrzuc")
    free = ("bilet", "oplaty", "przelej", "bon", "zamknij", "odrzuc")
    horizon = 7

    wordings = (
        "Sprawa {sprawa}: zwrot biletu {bilet}.",
        "Proszę rozpatrzyć zwrot biletu {bilet} (sprawa {sprawa}).",
        "{osoba} oddaje bilet {bilet}, numer sprawy {sprawa}.",
    )
    taryfy = ("normalna", "promocyjna", "grupowa", "rodzinna", "nocna")

    def begin(self) -> tuple[str, Result]:
        """Draw a ticket and the fees."""
        kind = case_of(self.name, self.task, ("karta", "bon", "karta", "bon", "skasowany"))
        self.sprawa, self.bilet = self.identifier("S####"), self.identifier("BL-######")
        (self.osoba,) = self.draw(SURNAMES)
        taryfy, fees = self.rng.sample(self.taryfy, 4), self.rng.sample(range(5, 45), 4)
        self.taryfa, self.cena = taryfy[0], self.rng.randint(60, 300)
        self.stan = "skasowany" if kind == "skasowany" else "ważny"
        self.zaplata = self.rng.choice(("karta", "bon")) if kind == "skasowany" else kind
        table: list[dict[str, Value]] = [
            {"taryfa": taryfa, "oplata": fee} for taryfa, fee in zip(taryfy, fees, strict=True)
        ]
        self.table = self.arranged(table)
        sums = [self.cena, *(self.cena - fee for fee in fees)]
        pays = {
            way: [call(operator, kwota=each, osoba=self.osoba) for each in sums]
            for way, operator in (("karta", "przelej"), ("bon", "bon"))
        }
        zamknij, odrzuc = (call(each, sprawa=self.sprawa) for each in self.finals)
        oplaty, plan = call("oplaty"), [call("bilet", bilet=self.bilet)]
        plan += [odrzuc] if kind == "skasowany" else [oplaty, pays[kind][1], zamknij]
        self.lay_out(plan, [oplaty, *pays["karta"], *pays["bon"], zamknij, odrzuc])
        asked = self.rng.choice(self.wordings).format(
            sprawa=self.sprawa, bilet=self.bilet, osoba=self.osoba
        )
        numer = self.rng.randint(2, 60)
        return asked, [Fact(f"Kolejka: {numer}", {"kolejka": numer})]

    def answer(self, wanted: Call) -> Result:
        """Show, pay or end."""
        values = wanted.values
        if (values.get("sprawa", self.sprawa), values.get("bilet", self.bilet)) != (
            self.sprawa,
            self.bilet,
        ):
            return [Fact("Nie ma takiego numeru.", {"error": "nie ma"})]
        if wanted.operator == "bilet":
            data: dict[str, Value] = {
                "podróżny": self.osoba,
                "taryfa": self.taryfa,
                "cena": f"{self.cena} zł",
                "stan": self.stan,
                "zapłata": self.zaplata,
            }
            return [Fact("\n".join(f"{key}: {value}" for key, value in data.items()), data)]
        if wanted.operator == "oplaty":
            return [Rows("oplaty", "- taryfa {taryfa}: {oplata} zł", self.table)]
        return [Fact("Gotowe.", {"gotowe": True})]


class RobeSizes(Desk):
    """A singer gets a clean robe of the size that the chart gives for the height; or a seamstress.

    The robe that hangs first in the list is taken.
    """

    name = "robe-sizes"
    difficulty = "a range of a chart; the first row of two that fit; what lies in the wash is left"
    operators = (
        Operator("singer", "singer {singer}", about="Height and voice of a singer."),
        Operator("robes", "robes of size {size}", about="Robes of a size."),
        Operator("lend", "lend robe {robe} to {singer}", about="Enters it in the book."),
        Operator("sash", "add a {colour} sash", about="By the voice."),
        Operator("done", "cross {singer} off", about="Final."),
        Operator("sew", "ask the seamstress for {singer}", about="Final: no robe is clean."),
    )
    changing, irrevocable, finals = ("lend", "sash"), ("lend", "sash"), ("done", "sew")
    free = ("singer", "robes", "lend", "sash", "done", "sew")
    horizon = 8

    wordings = (
        "{singer} needs a robe.",
        "Find a robe for {singer}, who is new in the choir.",
        "Robe for {singer}, please.",
    )
    voices = ("soprano", "alto", "tenor", "bass")
    sashes = ("white", "blue", "red", "green")

    def begin(self) -> tuple[str, Result]:
        """Draw a singer, a chart and robes."""
        some = case_of(self.name, self.task, (True, True, True, False))
        (self.singer,), code = self.draw(PEOPLE), self.rng.randint(100, 999)
        self.singer = f"{self.singer} {code}"
        low, sizes = self.rng.randint(146, 152), self.rng.sample(("A", "B", "C", "D", "E"), 4)
        chart: list[dict[str, Value]] = []
        for size in sizes:
            high = low + self.rng.randint(7, 12)
            chart.append({"size": size, "from": low, "to": high})
            low = high + 1
        at = self.rng.randrange(4)
        self.size, self.voice = sizes[at], self.rng.choice(self.voices)
        self.height = self.rng.randint(int(str(chart[at]["from"])), int(str(chart[at]["to"])))
        sashes = self.rng.sample(self.sashes, 4)
        names = distinct(lambda: self.identifier("R###"), 5)
        states = ["clean", "clean", "wash", "lent", self.rng.choice(("clean", "wash"))]
        states = states if some else self.rng.choices(("wash", "lent"), k=5)
        rows: list[dict[str, Value]] = [
            {"robe": name, "state": state} for name, state in zip(names, states, strict=True)
        ]
        self.rng.shuffle(rows)
        self.rows = rows
        lends = [call("lend", robe=row["robe"], singer=self.singer) for row in rows]
        colours = dict(zip(self.voices, sashes, strict=True))
        adds = {voice: call("sash", colour=colour) for voice, colour in colours.items()}
        looks = {size: call("robes", size=size) for size in sizes}
        done, sew = call("done", singer=self.singer), call("sew", singer=self.singer)
        plan = [call("singer", singer=self.singer), looks[self.size]]
        if some:
            first = next(i for i, row in enumerate(rows) if row["state"] == "clean")
            plan += [lends[first], adds[self.voice], done]
        else:
            plan.append(sew)
        self.lay_out(plan, [*looks.values(), *lends, *adds.values(), done, sew])
        asked = self.rng.choice(self.wordings).format(singer=self.singer)
        told = ", ".join(f"{voice} {colour}" for voice, colour in colours.items())
        head = Fact(f"Sashes: {told}", dict(colours))
        return asked, [head, Rows("chart", "Size {size}: {from} to {to} cm", chart)]

    def answer(self, wanted: Call) -> Result:
        """Show, lend or end."""
        if wanted.values.get("singer", self.singer) != self.singer:
            return [Fact("Nobody of that name sings here.", {"error": "nobody"})]
        if wanted.operator == "singer":
            text = f"{self.singer} sings {self.voice} and is {self.height} cm tall."
            return [Fact(text, {"voice": self.voice, "height": self.height})]
        if wanted.operator == "robes":
            if wanted["size"] != self.size:
                return [Fact("All of them are lent.", {"robes": 0})]
            return [Rows("robes", "{robe} ({state})", self.rows)]
        if wanted.operator == "lend" and wanted["robe"] not in [r["robe"] for r in self.rows]:
            return [Fact("There is no such robe.", {"error": "no such robe"})]
        return [Fact("Done.", {"done": True})]
