"""Plans: a train to change to, hours of a month, what a kitchen must order."""

from __future__ import annotations

from ...ladder.names import CITIES, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class ConnectionBoard(Desk):
    """A traveller changes to the first train to the city that leaves late enough after arrival.

    Late enough is the arrival plus the minutes for a change. A cancelled train does not count.
    Where no train is left, a taxi is called.
    """

    name = "connection-board"
    difficulty = "the earliest of the rows for a city after a time that is a sum; a mark; or none"
    operators = (
        Operator("arrival", "arrival of {train}", about="When it comes in."),
        Operator("board", "departures", about="All trains of the evening."),
        Operator("announce", "announce {train}, platform {platform}", ("platform",), "Final."),
        Operator("taxi", "taxi to {city}", about="Final: no train is left."),
    )
    finals = ("announce", "taxi")
    free = ("arrival", "board", "announce", "taxi")
    horizon = 5

    wordings = (
        "A traveller on {train} wants to go on to {city}.",
        "Connection from {train} to {city}?",
        "Which train to {city} will be reached from {train}?",
        "{train} is late; find the way on to {city}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw an arrival and a board."""
        kind = case_of(self.name, self.task, ("first", "cancelled", "first", "none", "cancelled"))
        self.train, *trains = distinct(lambda: self.identifier("AA ###"), 8)
        city, *others = self.draw(CITIES, 4)
        self.change = self.rng.randint(4, 14)
        come = self.rng.randint(17 * 60, 20 * 60)
        self.come, ready = come, come + self.change
        early = [come - self.rng.randint(3, 30), ready - self.rng.randint(1, 3)]
        late = sorted(self.rng.sample(range(ready, ready + 100), 3))
        times = [(city, each, "on time") for each in early]
        if kind != "none":
            first = "cancelled" if kind == "cancelled" else "on time"
            times += [(city, late[0], first), (city, late[1], "on time")]
        spread = range(ready - 20, ready + 90)
        times += [(self.rng.choice(others), each, "on time") for each in late[:2]]
        times.append((others[0], self.rng.choice(spread), "cancelled"))
        times.sort(key=lambda each: each[1])
        self.rows: list[dict[str, Value]] = [
            {"time": _clock(minutes), "train": name, "to": to, "state": state}
            | {"platform": self.rng.randint(1, 14)}
            for name, (to, minutes, state) in zip(trains, times, strict=False)
        ]
        fit = [
            row
            for row, (to, minutes, state) in zip(self.rows, times, strict=True)
            if to == city and minutes >= ready and state == "on time"
        ]
        announces = {
            row["train"]: call("announce", train=row["train"], platform=row["platform"])
            for row in self.rows
        }
        taxi, looks = call("taxi", city=city), [call("arrival", train=self.train), call("board")]
        end = announces[fit[0]["train"]] if fit else taxi
        self.lay_out([*looks, end], [*looks, *announces.values(), taxi])
        asked = self.rng.choice(self.wordings).format(train=self.train, city=city)
        text = f"Changing trains takes {self.change} minutes here."
        return asked, [Fact(text, {"minutes_to_change": self.change})]

    def answer(self, wanted: Call) -> Result:
        """Show or end."""
        if wanted.operator == "arrival":
            if wanted["train"] != self.train:
                return [Fact("That train does not call here.", {"error": "does not call"})]
            text = f"{self.train} arrives at {_clock(self.come)}."
            return [Fact(text, {"arrives": _clock(self.come)})]
        if wanted.operator == "board":
            line = "{time}  {train}  {to:<10} platform {platform:<2}  {state}"
            return [Rows("departures", line, self.rows)]
        return [Fact("Done.", {"done": True})]


class OvertimeSheet(Desk):
    """The hours of four weeks are added up and held against what the contract asks for.

    What is above it is paid if the contract says so, and else goes to the time account; what is
    missing is noted. Equal hours are approved as they are.
    """

    name = "overtime-sheet"
    difficulty = "a sum of a column less a number of another look; the sign; a class for one sign"
    operators = (
        Operator("contract", "contract {worker}", about="Hours and what happens with more."),
        Operator("sheet", "hours {worker} {month}", about="Hours by week."),
        Operator("pay", "pay {hours} h to {worker}", ("hours",), "More hours, paid."),
        Operator("save", "credit {hours} h to {worker}", ("hours",), "More hours, saved."),
        Operator("owe", "debit {hours} h from {worker}", ("hours",), "Hours that are missing."),
        Operator("approve", "approve {worker} {month}", about="Final."),
    )
    changing = irrevocable = ("pay", "save", "owe")
    finals = ("approve",)
    free = ("contract", "sheet", "pay", "save", "owe", "approve")
    horizon = 6

    wordings = (
        "Close {month} for {worker}.",
        "Time sheet of {worker}, {month}.",
        "Worker {worker}: settle the hours of {month}.",
    )
    months = ("January", "March", "April", "June", "August", "October", "November")

    def begin(self) -> tuple[str, Result]:
        """Draw a contract and hours."""
        kind = case_of(self.name, self.task, ("pay", "save", "owe", "pay", "none", "save", "owe"))
        self.worker, self.month = self.identifier("W####"), self.rng.choice(self.months)
        (self.person,) = self.draw(SURNAMES)
        self.hours = self.rng.randrange(80, 168, 4)
        more = self.rng.randint(2, 24)
        total = self.hours + {"owe": -more, "none": 0}.get(kind, more)
        parts = [total // 4 + self.rng.randint(-6, 6) for _ in range(3)]
        self.rows = [
            {"week": i, "hours": each} for i, each in enumerate([*parts, total - sum(parts)], 1)
        ]
        self.extra = kind if kind in ("pay", "save") else self.rng.choice(("pay", "save"))
        acts = {
            (each, hours): call(each, hours=hours, worker=self.worker)
            for each in ("pay", "save", "owe")
            for hours in (more, total, more + 4)
        }
        contract = call("contract", worker=self.worker)
        sheet, approve = (
            call(each, worker=self.worker, month=self.month) for each in ("sheet", "approve")
        )
        right = [] if kind == "none" else [acts[kind, more]]
        looks = [contract, sheet]
        self.lay_out([*looks, *right, approve], [*looks, *acts.values(), approve])
        asked = self.rng.choice(self.wordings).format(worker=self.worker, month=self.month)
        waiting = self.rng.randint(2, 60)
        return asked, [Fact(f"open sheets: {waiting}", {"open_sheets": waiting})]

    def answer(self, wanted: Call) -> Result:
        """Show, book or end."""
        values = wanted.values
        known = (values.get("worker", self.worker), values.get("month", self.month))
        if known != (self.worker, self.month):
            return [Fact("no entry", {"error": "no entry"})]
        if wanted.operator == "contract":
            extra = {"pay": "paid out", "save": "time account"}[self.extra]
            text = f"name: {self.person}\nhours per month: {self.hours}\novertime: {extra}"
            data: dict[str, Value] = {"name": self.person, "hours_per_month": self.hours}
            return [Fact(text, data | {"overtime": extra})]
        if wanted.operator == "sheet":
            return [Fact("week\thours"), Rows("weeks", "{week}\t{hours}", self.rows)]
        return [Fact("ok", {"ok": True})]


class CateringOrder(Desk):
    """Italian: what a dish needs for all guests, less what is in stock, is ordered.

    What is needed is the amount for one guest times the guests. Where the stock is enough, nothing
    is ordered of that ingredient. The supplier is the one of the ingredient's row in the pantry.
    """

    name = "catering-order"
    difficulty = "Italian; each row times a number less a number of another table; only if above it"
    operators = (
        Operator("evento", "apri evento {evento}", about="Piatto e ospiti."),
        Operator("ricetta", "leggi ricetta {piatto}", about="Dosi per un ospite."),
        Operator("dispensa", "guarda dispensa", about="Scorte e fornitori."),
        Operator(
            "ordina",
            "ordina {grammi} g di {merce} da {fornitore}",
            ("grammi",),
            "Quello che manca.",
        ),
        Operator("chiudi", "chiudi evento {evento}", about="Ultimo passo."),
    )
    changing, irrevocable, finals = ("ordina",), ("ordina",), ("chiudi",)
    free = ("evento", "ricetta", "dispensa", "ordina", "chiudi")
    horizon = 9

    wordings = (
        "Prepara la spesa per l'evento {evento}.",
        "Evento {evento}: ordina quello che manca.",
        "Che cosa serve ancora per {evento}?",
    )
    goods = ("riso", "farina", "burro", "funghi", "zucca", "pesce", "patate", "fagioli", "ricotta")
    dishes = ("risotto", "zuppa", "sformato", "timballo", "gratin", "insalata")

    def begin(self) -> tuple[str, Result]:
        """Draw an event, a recipe and a pantry."""
        short = case_of(self.name, self.task, (1, 2, 0, 1, 3, 2))
        self.evento, self.dish = self.identifier("EV-####"), self.rng.choice(self.dishes)
        self.guests, (self.person,) = self.rng.randint(11, 60), self.draw(SURNAMES)
        goods, suppliers = self.rng.sample(self.goods, 5), self.draw(CITIES, 5)
        doses = [self.rng.randrange(20, 200, 5) for _ in range(3)]
        lacking = set(self.rng.sample(range(3), short))
        self.doses: list[dict[str, Value]] = [
            {"merce": good, "grammi": dose} for good, dose in zip(goods, doses, strict=False)
        ]
        plan, every, stock = [], [], list[dict[str, Value]]()
        for i, (good, town) in enumerate(zip(goods, suppliers, strict=True)):
            need = doses[i] * self.guests if i < len(doses) else 900
            part = self.rng.randint(1, need // 10 - 1) * 10
            have = need - part if i in lacking else need + self.rng.randint(0, 40) * 10
            stock.append({"merce": good, "grammi": have, "fornitore": f"{town} srl"})
            orders = [
                call("ordina", grammi=each, merce=good, fornitore=f"{town} srl")
                for each in (need - have, need, have)
            ]
            plan += orders[:1] if i in lacking else []
            every += orders[0 if i in lacking else 1 :]
        self.stock = self.arranged(stock)
        evento, chiudi = (call(each, evento=self.evento) for each in ("evento", "chiudi"))
        looks = [evento, call("ricetta", piatto=self.dish), call("dispensa")]
        self.lay_out([*looks, *plan, chiudi], [*looks, *every, chiudi])
        asked = self.rng.choice(self.wordings).format(evento=self.evento)
        return asked, [Fact("Cucina centrale, buongiorno.", {"saluto": "buongiorno"})]

    def answer(self, wanted: Call) -> Result:
        """Show, order or end."""
        values = wanted.values
        known = (values.get("evento", self.evento), values.get("piatto", self.dish))
        if known != (self.evento, self.dish):
            return [Fact("Non trovato.", {"errore": "non trovato", "error": "non trovato"})]
        if wanted.operator == "evento":
            text = f"Cliente: {self.person}\nPiatto: {self.dish}\nOspiti: {self.guests}"
            data: dict[str, Value] = {"Cliente": self.person, "Piatto": self.dish}
            return [Fact(text, data | {"Ospiti": self.guests})]
        if wanted.operator == "ricetta":
            return [Rows("dosi", "- {merce}: {grammi} g a persona", self.doses)]
        if wanted.operator == "dispensa":
            line = "{merce} | {grammi} g | {fornitore}"
            return [Fact("merce | scorta | fornitore"), Rows("scorte", line, self.stock)]
        return [Fact("Fatto.", {"fatto": True})]


def _clock(minutes: int) -> str:
    """Write minutes of a day as a time."""
    return f"{minutes // 60:02}:{minutes % 60:02}"
