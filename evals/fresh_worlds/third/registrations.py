"""A German form of several pages, and a Japanese warehouse."""

# ruff: noqa: RUF001  (full-width signs are as Japanese writes them)
from __future__ import annotations

from ...ladder.names import CITIES, PEOPLE, SURNAMES, of_part
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk


class FahrzeugForm(Desk):
    """A vehicle is registered page by page; labels become codes of a second table."""

    name = "fahrzeug-formular"
    difficulty = (
        "German; three pages, a date turned round, a code looked up, an error once in a while"
    )
    operators = (
        Operator("start", "Formular öffnen", about="Zeigt die erste Seite."),
        Operator("fill", "{field} ausfüllen: {value}", about="Füllt ein Feld."),
        Operator("table", "Schlüsseltabelle aufrufen", about="Kraftstoffe und ihre Schlüssel."),
        Operator("next", "weiter", about="Nächste Seite."),
        Operator("send", "absenden", about="Endgültig."),
    )
    changing, finals, free = ("fill",), ("send",), ("fill",)
    horizon = 16

    wordings = (
        "Bitte {plate} für {first} {last} anmelden: {fuel}, Erstzulassung {date}, Halter aus "
        "{town}.",
        "{first} {last} aus {town} meldet {plate} an. Das Fahrzeug fährt mit {fuel} und wurde am "
        "{date} zugelassen.",
        "Anmeldung {plate}: {last}, {first}, {town}; {fuel}; {date}. Danke!",
    )
    fuels = ("Benzin", "Diesel", "Erdgas", "Strom", "Wasserstoff")

    def begin(self) -> tuple[str, Result]:
        """Draw a vehicle, its holder and the codes."""
        (first,), (last,), (town,) = (self.draw(each) for each in (PEOPLE, SURNAMES, CITIES))
        plate = self.identifier("AA-AA ###")
        year, month, day = (self.rng.randint(*r) for r in ((2001, 2023), (1, 12), (1, 28)))
        codes = self.rng.sample(range(1, 40), 5)
        self.codes = {f: f"{n:04}" for f, n in zip(self.fuels, codes, strict=True)}
        fuel = self.rng.choice(self.fuels)
        self.recall = self.rng.random() < 0.4
        pages = [
            [("Halter", f"{last}, {first}"), ("Wohnort", town)],
            [("Kennzeichen", plate), ("Erstzulassung", f"{day:02}.{month:02}.{year}")],
            [("Kraftstoff", self.codes[fuel])],
        ]
        self.fields = [[name for name, _ in page] for page in pages]
        self.page = -1
        fills = [[call("fill", field=n, value=v) for n, v in page] for page in pages]
        plan = [call("start"), *fills[0], call("next"), *fills[1], call("next"), call("table")]
        plan += fills[2]
        if self.recall:  # the last page has one box more
            plan += [call("fill", field="Rückruf geprüft", value="ja")]
            self.fields[2].append("Rückruf geprüft")
        offered = [call("fill", field="Kraftstoff", value=each) for each in self.codes.values()]
        offered += [call("fill", field="Halter", value=f"{first} {last}")]
        self.lay_out([*plan, call("send")], offered)
        names = {"plate": plate, "first": first, "last": last, "fuel": fuel, "town": town}
        asked = self.rng.choice(self.wordings).format(**names, date=f"{year}-{month:02}-{day:02}")
        return asked, [Fact("Zulassungsstelle Online", {"dienst": "Zulassung"})]

    def answer(self, wanted: Call) -> Result:
        """Show a page, the table, or take a value."""
        if wanted.operator == "table":
            rows: list[dict[str, Value]] = [
                {"schluessel": code, "kraftstoff": fuel} for fuel, code in self.codes.items()
            ]
            line = "{schluessel} = {kraftstoff}"
            return [Fact("Schlüssel nach KBA"), Rows("schluessel", line, rows)]
        if wanted.operator == "send":
            if self.page < 2:
                return [Fact("Seite unvollständig.", {"error": "unvollständig"})]
            return [Fact("Ihr Antrag ist eingegangen.", {"eingegangen": True})]
        if wanted.operator == "fill":
            if self.page < 0 or wanted["field"] not in self.fields[self.page]:
                return [Fact("Kein solches Feld.", {"error": "kein Feld"})]
            return [Fact("Gespeichert.", {"gespeichert": wanted["field"]})]
        if wanted.operator == "next" and not 0 <= self.page < 2:
            return [Fact("Keine weitere Seite.", {"error": "keine Seite"})]
        self.page = 0 if wanted.operator == "start" else self.page + 1
        fields = self.fields[self.page]
        text = "\n".join([f"Seite {self.page + 1}/3", *(f"[ ] {each} *" for each in fields)])
        return [Fact(text, {"seite": self.page + 1, "felder": ", ".join(fields)})]


_GOODS = (
    *("机", "椅子", "照明", "本棚", "時計", "鏡", "絨毯", "毛布", "枕", "傘", "鞄", "財布"),
    *("包丁", "鍋", "皿", "箸", "急須", "湯呑", "花瓶", "電池"),
)
_CUSTOMERS = (
    *("佐藤", "鈴木", "高橋", "田中", "伊藤", "渡辺", "山本", "中村", "小林", "加藤", "吉田"),
    *("山田", "佐々木", "山口", "松本", "井上", "木村", "林", "清水", "斎藤"),
)


class SoukoShipping(Desk):
    """Each line of an order is shipped, or ordered where the stock does not reach."""

    name = "souko-shipping"
    difficulty = "Japanese, without blanks; each line of an order is compared with a second table"
    operators = (
        Operator("order", "注文{order}を表示", about="注文の明細。"),
        Operator("stock", "在庫を表示", about="在庫の一覧。"),
        Operator("ship", "{item}を{count}個出荷", ("count",), "取り消せない。"),
        Operator("request", "{item}を取り寄せ", about="取り消せない。"),
        Operator("finish", "注文{order}を完了", about="最後。"),
    )
    changing, irrevocable, finals = ("ship", "request"), ("ship", "request"), ("finish",)
    horizon = 10

    wordings = (
        "{customer}様の注文{order}を処理してください。",
        "注文{order}（{customer}様）をお願いします。在庫がない品は取り寄せです。",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw an order and what is in stock."""
        goods = self.rng.sample(of_part(_GOODS, self.task.part), 6)
        (customer,) = self.rng.sample(of_part(_CUSTOMERS, self.task.part), 1)
        order = self.identifier("A-####")
        count = self.rng.randint(1, 3)
        needed = {each: self.rng.randint(2, 9) for each in goods[:count]}
        stock = {each: self.rng.randint(0, 30) for each in goods}
        for each, n in needed.items():
            if self.rng.random() < 0.5:
                stock[each] = self.rng.randint(0, n - 1)
        self.lines: list[dict[str, Value]] = [
            {"品名": each, "数量": n} for each, n in needed.items()
        ]
        self.stock: list[dict[str, Value]] = [
            {"品名": each, "在庫": stock[each]} for each in self.arranged(goods)
        ]
        plan = [call("order", order=order), call("stock")]
        for each, n in needed.items():
            enough = stock[each] >= n
            plan.append(call("ship", item=each, count=n) if enough else call("request", item=each))
        offered = [call("ship", item=each, count=n) for each in goods for n in range(2, 10)]
        offered += [call("request", item=each) for each in goods]
        self.order_id = order
        self.lay_out([*plan, call("finish", order=order)], offered)
        asked = self.rng.choice(self.wordings).format(customer=customer, order=order)
        return asked, [Fact("倉庫システム", {"画面": "倉庫"})]

    def answer(self, wanted: Call) -> Result:
        """Show, ship, order, or end."""
        if wanted.operator == "order":
            return [
                Fact(f"注文番号：{self.order_id}", {"注文番号": self.order_id}),
                Rows("明細", "・{品名}　{数量}個", self.lines),
            ]
        if wanted.operator == "stock":
            return [Fact("品名｜在庫数"), Rows("在庫", "{品名}｜{在庫}", self.stock)]
        return [Fact("完了しました。", {"結果": "完了"})]
