"""An Arabic library and a French shop that takes things back."""

# ruff: noqa: RUF001  (Arabic letters)
from __future__ import annotations

from ...ladder.names import PEOPLE, PRODUCTS, SURNAMES, of_part
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk

_READERS = (
    *("أحمد", "سارة", "خالد", "ليلى", "يوسف", "مريم", "عمر", "هدى", "حسن", "زينب"),
    *("طارق", "نور", "سامي", "رنا", "فؤاد", "سلمى", "ياسر", "دينا", "رامي", "هالة"),
)
_BOOKS = (
    *("البحر", "الجبل", "المدينة", "الصحراء", "النهر", "الحديقة", "السماء", "القمر"),
    *("الطريق", "البيت", "الغابة", "الجزيرة", "السفر", "المطر", "الربيع", "الشتاء"),
)


class MaktabaLoan(Desk):
    """A book is lent if the reader owes nothing; else it is put aside."""

    name = "maktaba-loan"
    difficulty = (
        "Arabic, written right to left; two look-ups decide between lending and putting aside"
    )
    operators = (
        Operator("reader", "عرض القارئ {reader}", about="بيانات القارئ"),
        Operator("book", "البحث عن {book}", about="نسخ الكتاب"),
        Operator("lend", "إعارة النسخة {copy} إلى {card}", about="نهائي"),
        Operator("hold", "حجز {book} باسم {reader}", about="نهائي"),
    )
    finals = ("lend", "hold")
    horizon = 7

    wordings = (
        "يريد القارئ {reader} استعارة كتاب «{book}».",
        "من فضلك أعر كتاب «{book}» إلى {reader}، وشكرا.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a reader and a book's copies."""
        readers, books = of_part(_READERS, self.task.part), of_part(_BOOKS, self.task.part)
        (self.reader,), (one, two) = self.rng.sample(readers, 1), self.rng.sample(books, 2)
        self.book = f"{one} و{two}"
        self.card, self.fine = self.identifier("K-####"), self.rng.choice((0, 0, 0, 5, 12, 30))
        copies = [f"N{n}" for n in self.rng.sample(range(100, 999), 3)]
        free = self.rng.choice((None, *copies, *copies))
        self.rows: list[dict[str, Value]] = [
            {"نسخة": each, "حالة": "متاحة" if each == free else "معارة"} for each in copies
        ]
        lend = bool(free) and not self.fine
        hold = call("hold", book=self.book, reader=self.reader)
        act = call("lend", copy=free, card=self.card) if lend else hold
        look = [call("reader", reader=self.reader), call("book", book=self.book)]
        every = [call("lend", copy=each, card=self.card) for each in copies]
        self.lay_out([*look, act], [*every, hold])
        asked = self.rng.choice(self.wordings).format(reader=self.reader, book=self.book)
        return asked, [Fact("نظام المكتبة", {"نظام": "مكتبة"})]

    def answer(self, wanted: Call) -> Result:
        """Show the reader or the book, lend, or put aside."""
        if wanted.operator == "reader":
            text = f"القارئ: {self.reader}\nالبطاقة: {self.card}\nالغرامة: {self.fine} دينار"
            return [Fact(text, {"قارئ": self.reader, "بطاقة": self.card, "غرامة": self.fine})]
        if wanted.operator == "book":
            return [
                Fact(f"كتاب: {self.book}", {"كتاب": self.book}),
                Rows("نسخ", "{نسخة} — {حالة}", self.rows),
            ]
        return [Fact("تم.", {"تم": True})]


class RetourMagasin(Desk):
    """Goods come back: refunded within thirty days, else a voucher; a manager above a limit."""

    name = "retour-magasin"
    difficulty = (
        "French; days and an amount decide together what is done, and whether a head agrees"
    )
    operators = (
        Operator("ticket", "chercher le ticket {ticket}", about="Affiche un achat."),
        Operator("approve", "demander l'accord de {manager}", about="Au-dessus de 100 €."),
        Operator("refund", "rembourser {amount} € sur {ticket}", about="Définitif."),
        Operator("voucher", "émettre un bon de {amount} € pour {client}", about="Définitif."),
    )
    changing, finals = ("approve",), ("refund", "voucher")
    horizon = 6

    wordings = (
        "{client} rapporte un article, ticket {ticket}. Responsable du jour : {manager}.",
        "Retour du ticket {ticket} ({client}). En cas de besoin, {manager} est là. Merci.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a purchase."""
        (client, manager), (last,), (self.item,) = (
            self.draw(PEOPLE, 2),
            self.draw(SURNAMES),
            self.draw(PRODUCTS),
        )
        self.ticket, self.client = self.identifier("T######"), f"{client} {last}"
        self.days = self.rng.choice((self.rng.randint(1, 30), self.rng.randint(31, 90)))
        cents = self.rng.choice((self.rng.randint(500, 10000), self.rng.randint(10001, 40000)))
        self.amount = f"{cents // 100},{cents % 100:02}"
        refund = call("refund", amount=self.amount, ticket=self.ticket)
        voucher = call("voucher", amount=self.amount, client=self.client)
        approve = call("approve", manager=manager)
        plan = [call("ticket", ticket=self.ticket), *([approve] if cents > 10000 else [])]
        plan.append(refund if self.days <= 30 else voucher)
        rounded = f"{cents // 100},00"
        every = [
            call("refund", amount=rounded, ticket=self.ticket),
            call("voucher", amount=rounded, client=self.client),
        ]
        self.lay_out(plan, [approve, refund, voucher, *every])
        names = {"client": self.client, "ticket": self.ticket, "manager": manager}
        return self.rng.choice(self.wordings).format(**names), [Fact("Caisse 2", {"caisse": 2})]

    def answer(self, wanted: Call) -> Result:
        """Show the purchase, ask, or end."""
        if wanted.operator == "ticket":
            text = (
                f"TICKET {self.ticket}\n1 x {self.item:<24}{self.amount} €\n"
                f"TOTAL TTC {self.amount:>18} €\nAcheté il y a {self.days} jours"
            )
            data = {"ticket": self.ticket, "article": self.item, "total": self.amount}
            return [Fact(text, data | {"jours": self.days})]
        return [Fact("C'est fait.", {"fait": True})]
