"""Desks abroad: an Italian supplier, a Polish shop, Japanese parcels, an Arabic laboratory."""

from __future__ import annotations

from datetime import date, timedelta

from ...ladder.names import CITIES, PRODUCTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk


class BollettaControllo(Desk):
    """A bill is confirmed or corrected by two readings; an estimated one is read again."""

    name = "bolletta-controllo"
    difficulty = "Italian; two rows found by two dates, their difference against a billed amount"
    operators = (
        Operator("bill", "apri bolletta {numero}", about="Una bolletta."),
        Operator("readings", "letture del contatore {contatore}", about="Le letture."),
        Operator("confirm", "conferma {numero}", about="Definitivo."),
        Operator("correct", "rettifica {numero} a {kwh} kWh", ("kwh",), "Definitivo."),
        Operator("read", "chiedi lettura del contatore {contatore}", about="Definitivo."),
    )
    finals, free = ("confirm", "correct", "read"), ("correct", "readings")
    horizon = 7

    wordings = (
        "Il cliente {cliente} contesta la bolletta {numero}: verificala.",
        "Controlla la bolletta {numero}, per favore.",
        "Reclamo di {cliente} sulla bolletta {numero}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a bill and readings."""
        (self.client,), (self.town,) = self.draw(SURNAMES), self.draw(CITIES)
        self.numero, self.meter = self.identifier("B26-#####"), self.identifier("IT###A####")
        case = case_of(self.name, self.task, ("confirm", "correct", "read"))
        days, step = [], date(2026, 1, 3) + timedelta(self.rng.randint(0, 120))
        count, value = self.rng.randint(4, 5), self.rng.randint(10_000, 70_000)
        values = []
        for _ in range(count):
            days.append(f"{step:%d/%m/%Y}")
            values.append(value)
            step += timedelta(self.rng.randint(28, 33))
            value += self.rng.randint(90, 480)
        start = self.rng.randrange(count - 1)
        kinds = [self.rng.choice(("rilevata", "rilevata", "stimata")) for _ in days]
        kinds[start], kinds[start + 1] = "rilevata", "stimata" if case == "read" else "rilevata"
        self.rows: list[dict[str, Value]] = [
            {"data": day, "lettura": f"{n:,}".replace(",", "."), "tipo": kind}
            for day, n, kind in zip(days, values, kinds, strict=True)
        ]
        self.period = (days[start], days[start + 1])
        used = values[start + 1] - values[start]
        gap = self.rng.choice((-1, 1)) * self.rng.randint(8, 70)
        self.billed = used if case == "confirm" else used + gap
        self.price = f"{self.billed * self.rng.randint(20, 34) / 100:.2f}".replace(".", ",")
        ends = {
            "confirm": call("confirm", numero=self.numero),
            "correct": call("correct", numero=self.numero, kwh=used),
            "read": call("read", contatore=self.meter),
        }
        plan = [call("bill", numero=self.numero), call("readings", contatore=self.meter)]
        wrong = [call("correct", numero=self.numero, kwh=n) for n in (self.billed, used + 10)]
        self.lay_out([*plan, ends[case]], [*ends.values(), *wrong])
        asked = self.rng.choice(self.wordings).format(cliente=self.client, numero=self.numero)
        return asked, [Fact("Sportello energia", {"anno": 2026})]

    def answer(self, wanted: Call) -> Result:
        """Show, or end."""
        if wanted.operator == "bill":
            start, end = self.period
            text = f"Bolletta {self.numero} intestata a {self.client}, {self.town}\n"
            text += f"Contatore: {self.meter}\nPeriodo: dal {start} al {end}\n"
            text += f"Consumo fatturato: {self.billed} kWh\nImporto: € {self.price}"
            data: dict[str, Value] = {"cliente": self.client, "contatore": self.meter}
            data |= {"dal": start, "al": end, "consumo": self.billed, "importo": self.price}
            return [Fact(text, data)]
        if wanted.operator == "readings":
            if wanted["contatore"] != self.meter:
                return [Fact("Contatore sconosciuto.", {"error": "contatore sconosciuto"})]
            line = "{data} | {lettura} | {tipo}"
            return [Fact("data | lettura | tipo"), Rows("letture", line, self.rows)]
        if wanted.operator == "correct" and wanted["numero"] != self.numero:
            return [Fact("Bolletta sconosciuta.", {"error": "bolletta sconosciuta"})]
        return [Fact("Registrato.", {"registrato": True})]


class Reklamacja(Desk):
    """A claim is too late, or money comes back, or goods from the nearest store that has some."""

    name = "reklamacja"
    difficulty = "Polish; days against a limit, an amount against another, else the nearest row"
    operators = (
        Operator("order", "pokaż zamówienie {numer}", about="Zamówienie."),
        Operator("rules", "pokaż regulamin działu {dzial}", about="Zasady reklamacji."),
        Operator("stock", "sprawdź stan {produkt}", about="Stany magazynów."),
        Operator("reject", "odrzuć reklamację {numer}", about="Ostateczne."),
        Operator("refund", "zwróć {kwota} zł za {numer}", about="Ostateczne."),
        Operator("exchange", "wymień {numer} z magazynu {magazyn}", about="Ostateczne."),
    )
    finals = ("reject", "refund", "exchange")
    horizon = 8

    wordings = (
        "Reklamacja do zamówienia {numer}, zgłasza {klient}.",
        "Rozpatrz reklamację zamówienia {numer}.",
        "{klient} reklamuje towar z zamówienia {numer} - proszę załatwić.",
    )
    departments = ("agd", "meble", "ogród", "biuro")

    def begin(self) -> tuple[str, Result]:
        """Draw an order and stores."""
        (self.client,), (self.product,) = self.draw(SURNAMES), self.draw(PRODUCTS)
        towns, self.numero = self.draw(CITIES, 5), self.identifier("Z/#####/26")
        self.department, wrong = self.rng.sample(self.departments, 2)
        case = case_of(self.name, self.task, ("reject", "refund", "exchange"))
        self.days, self.limit = self.rng.choice((14, 21, 30)), self.rng.randrange(200, 1400, 50)
        late = case == "reject"
        gap = self.days + self.rng.randint(1, 40) if late else self.rng.randint(1, self.days - 1)
        today = date(2026, 2, 15) + timedelta(self.rng.randint(0, 280))
        self.delivered = f"{today - timedelta(gap):%d.%m.%Y}"
        span = {"refund": (40, self.limit - 5), "exchange": (self.limit + 5, self.limit + 900)}
        low, high = span.get(case, (40, self.limit + 600))
        self.price = self._money(self.rng.randint(low, high))
        distances = self.rng.sample(range(2, 300), 4)
        pieces = [self.rng.choice((0, 0, *range(1, 9))) for _ in distances]
        nearest = min(range(4), key=distances.__getitem__)
        pieces[nearest] = self.rng.choice((0, pieces[nearest]))
        pieces[(nearest + 1) % 4] = self.rng.randint(1, 9)
        rows: list[dict[str, Value]] = [
            {"magazyn": town, "sztuk": count, "km": km}
            for town, count, km in zip(towns, pieces, distances, strict=False)
        ]
        having = [row for row in rows if row["sztuk"]]
        best = min(having, key=lambda row: int(str(row["km"])))
        self.rows = self.arranged(rows, best)
        exchanges = [call("exchange", numer=self.numero, magazyn=row["magazyn"]) for row in rows]
        reject = call("reject", numer=self.numero)
        refund = call("refund", kwota=self.price, numer=self.numero)
        plan = [call("order", numer=self.numero), call("rules", dzial=self.department)]
        if case == "exchange":
            plan += [call("stock", produkt=self.product), exchanges[rows.index(best)]]
        else:
            plan.append(reject if late else refund)
        offered = [*exchanges, reject, refund, call("rules", dzial=wrong)]
        offered.append(call("refund", kwota=self._money(self.limit), numer=self.numero))
        self.lay_out(plan, [*offered, call("stock", produkt=self.product)])
        asked = self.rng.choice(self.wordings).format(numer=self.numero, klient=self.client)
        day = f"{today:%d.%m.%Y}"
        return asked, [Fact(f"Dział reklamacji, dziś jest {day}", {"dzisiaj": day})]

    @staticmethod
    def _money(amount: int) -> str:
        return f"{amount:,},00".replace(",", " ", 1) if amount >= 1000 else f"{amount},00"

    def answer(self, wanted: Call) -> Result:
        """Show, or end."""
        if wanted.operator == "order":
            text = f"Zamówienie {self.numero}\nKlient: {self.client}\nProdukt: {self.product}\n"
            text += f"Dział: {self.department}\nDostarczono: {self.delivered}\n"
            data: dict[str, Value] = {"klient": self.client, "produkt": self.product}
            data |= {"dzial": self.department, "dostarczono": self.delivered, "cena": self.price}
            return [Fact(f"{text}Cena: {self.price} zł", data)]
        if wanted.operator == "rules":
            if wanted["dzial"] != self.department:
                return [Fact("Brak takiego działu.", {"error": "brak działu"})]
            limit = self._money(self.limit)
            text = f"Zgłoszenie do {self.days} dni od dostawy.\n"
            text += f"Zwrot pieniędzy przy cenie do {limit} zł, powyżej wymiana."
            return [Fact(text, {"dni": self.days, "zwrot_do": limit})]
        if wanted.operator == "stock":
            line = "{magazyn:<12}  {sztuk:>2} szt.  {km} km"
            return [Rows("magazyny", line, self.rows)]
        return [Fact("Zapisano.", {"zapisano": True})]


_AREAS = (
    *("渋谷", "品川", "浅草", "中野", "目黒", "池袋", "赤坂", "神田", "銀座", "大崎"),
    *("恵比寿", "新橋", "三鷹", "蒲田", "練馬", "葛西"),
)
_CLIENTS = (
    *("田中", "鈴木", "高橋", "伊藤", "渡辺", "山本", "中村", "小林", "加藤", "吉田"),
    *("山田", "佐々木", "松本", "井上", "木村", "清水"),
)


class SaihaitatsuYoyaku(Desk):
    """A parcel gets the first open slot of the wanted part of the day, or goes back."""

    name = "saihaitatsu-yoyaku"
    difficulty = "Japanese; a date against another, the first row under two conditions, a step"
    operators = (
        Operator("parcel", "伝票 {denpyo} を照会", about="荷物の情報。"),
        Operator("slots", "{area} の {hi} の枠を表示", about="空き枠。"),
        Operator("cold", "{denpyo} に保冷車を手配", about="冷蔵便。"),
        Operator("reserve", "{denpyo} を {waku} で予約", about="確定。"),
        Operator("back", "{denpyo} を返送", about="確定。"),
    )
    changing, irrevocable, finals = ("cold",), ("cold",), ("reserve", "back")
    horizon = 8

    wordings = (
        "伝票{denpyo}の再配達を{hi}の{jikan}に希望されています。",
        "{kyaku}様より再配達の依頼:{denpyo}、{hi}、{jikan}。",
        "{denpyo}を{hi}の{jikan}に届けてください。",
    )
    kinds = ("午前", "午後", "夜間")

    def begin(self) -> tuple[str, Result]:
        """Draw a parcel and slots."""
        (self.area,), (self.client,) = self.draw(_AREAS), self.draw(_CLIENTS)
        self.number, case = (
            self.identifier("####-####"),
            case_of(self.name, self.task, ("常温", "冷蔵", "late", "any")),
        )
        self.kind = case if case in ("常温", "冷蔵") else self.rng.choice(("常温", "冷蔵"))
        day = date(2026, 1, 15) + timedelta(self.rng.randint(0, 330))
        gap = -self.rng.randint(1, 9) if case == "late" else self.rng.randint(1, 9)
        limit, wanted = day + timedelta(gap), self.rng.choice(self.kinds)
        self.day, self.limit = f"{day.month}月{day.day}日", f"{limit.month}月{limit.day}日"
        starts = (8, 9, 10, 12, 14, 16, 18, 19, 20)
        codes = self.rng.sample(range(100, 999), 9)
        rows: list[dict[str, Value]] = []
        for i, (start, code) in enumerate(zip(starts, codes, strict=True)):
            left = self.rng.choice((0, 0, 1, 2, 3))
            data: dict[str, Value] = {"waku": f"W{code}", "jikan": self.kinds[i // 3]}
            rows.append(data | {"kara": f"{start:02}:00", "nokori": left})
        mine = [row for row in rows if row["jikan"] == wanted]
        best = self.rng.choice((0, 1, 1, 2))
        for i, row in enumerate(mine[: best + 1]):
            row["nokori"] = self.rng.randint(1, 4) if i == best else 0
        self.rows = rows
        cold, back = call("cold", denpyo=self.number), call("back", denpyo=self.number)
        slots = call("slots", area=self.area, hi=self.day)
        reserves = [call("reserve", denpyo=self.number, waku=row["waku"]) for row in rows]
        plan = [call("parcel", denpyo=self.number)]
        if case == "late":
            plan.append(back)
        else:
            plan += [slots, *([cold] if self.kind == "冷蔵" else [])]
            plan.append(reserves[rows.index(mine[best])])
        self.lay_out(plan, [*reserves, cold, back, slots])
        names = {"denpyo": self.number, "hi": self.day, "jikan": wanted, "kyaku": self.client}
        asked = self.rng.choice(self.wordings).format(**names)
        return asked, [Fact("再配達センター", {"center": "再配達"})]

    def answer(self, wanted: Call) -> Result:
        """Show, arrange or end."""
        if wanted.operator == "parcel":
            text = f"伝票番号:{self.number}\nお客様:{self.client}様\n荷物種別:{self.kind}\n"
            text += f"担当エリア:{self.area}\n保管期限:{self.limit}"
            data: dict[str, Value] = {"client": self.client, "kind": self.kind}
            return [Fact(text, data | {"area": self.area, "keep_until": self.limit})]
        if wanted.operator == "slots":
            line = "{waku} | {jikan} | {kara} | 残り{nokori}"
            return [Fact(f"{self.day} {self.area}"), Rows("slots", line, self.rows)]
        text = "手配しました。" if wanted.operator == "cold" else "受付しました。"
        return [Fact(text, {"done": True})]


_DOCTORS = (
    *("د. سامي", "د. ليلى", "د. كريم", "د. هدى", "د. ياسر", "د. منى", "د. فارس", "د. سلمى"),
    *("د. طارق", "د. نادية", "د. عمر", "د. رانيا"),
)
_PATIENTS = (
    *("أحمد حسن", "مريم علي", "خالد يوسف", "زينب صالح", "إبراهيم ناصر", "فاطمة خليل"),
    *("محمود عيسى", "عائشة سعيد", "يوسف حداد", "سارة منصور", "علي رشيد", "نور حمدان"),
)
_TESTS = {
    "الصوديوم": 130,
    "السكر": 70,
    "الحديد": 50,
    "الكوليسترول": 120,
    "الزنك": 60,
    "البروتين": 64,
}


class MukhtabarNataij(Desk):
    """Each result outside its range is marked; where there is one, the doctor gets the order."""

    name = "mukhtabar-nataij"
    difficulty = "Arabic, right to left; each row with a value outside its own range; two ends"
    operators = (
        Operator("order", "افتح الطلب {order}", about="بيانات الطلب."),
        Operator("results", "اعرض نتائج العينة {sample}", about="النتائج."),
        Operator("mark", "علّم {test} في العينة {sample}", about="علامة."),
        Operator("approve", "اعتمد الطلب {order}", about="نهائي."),
        Operator("refer", "حوّل الطلب {order} إلى {doctor}", about="نهائي."),
    )
    changing, irrevocable, finals = ("mark",), ("mark",), ("approve", "refer")
    horizon = 9

    wordings = (
        "راجع نتائج الطلب {order} للمريض {patient}.",
        "الطلب {order} ينتظر المراجعة.",
        "نتائج {patient} وصلت، الطلب رقم {order}، أكمل الإجراء.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw an order and results."""
        (self.patient,), doctors = self.draw(_PATIENTS), self.draw(_DOCTORS, 2)
        self.doctor, self.order = doctors[0], self.identifier("L-####")
        self.sample = self.identifier("S#####")
        tests = self.rng.sample([*_TESTS], self.rng.randint(4, 5))
        out = self.rng.sample(tests, case_of(self.name, self.task, (0, 1, 2, 0, 3)))
        rows: list[dict[str, Value]] = []
        for test in tests:
            low = _TESTS[test] + self.rng.randint(0, 9)
            high = low + self.rng.randint(15, 40)
            value = self.rng.randint(low + 1, high - 1)
            if test in out:
                beyond = self.rng.randint(1, 30)
                value = self.rng.choice((low - beyond, high + beyond))
            rows.append({"test": test, "value": value, "low": low, "high": high})
        bad = [row for row in rows if row["test"] in out]
        self.rows = self.arranged(rows, *bad)
        approve = call("approve", order=self.order)
        refers = [call("refer", order=self.order, doctor=doctor) for doctor in doctors]
        plan = [call("order", order=self.order), call("results", sample=self.sample)]
        plan += [self._mark(row) for row in self.rows if row in bad]
        plan.append(refers[0] if out else approve)
        self.lay_out(plan, [*(self._mark(row) for row in rows), approve, *refers])
        names = {"order": self.order, "patient": self.patient}
        return self.rng.choice(self.wordings).format(**names), [Fact("المختبر", {"lab": "المختبر"})]

    def _mark(self, row: dict[str, Value]) -> Call:
        return call("mark", test=row["test"], sample=self.sample)

    def answer(self, wanted: Call) -> Result:
        """Show, mark or end."""
        if wanted.operator == "order":
            text = [f"الطلب: {self.order}", f"المريض: {self.patient}"]
            text += [f"الطبيب: {self.doctor}", f"العينة: {self.sample}"]
            data: dict[str, Value] = {"patient": self.patient, "doctor": self.doctor}
            return [Fact("\n".join(text), data | {"sample": self.sample})]
        if wanted.operator == "results":
            line = "• {test}: {value} (المدى {low} - {high})"
            return [Rows("results", line, self.rows)]
        return [Fact("تم.", {"done": True})]
