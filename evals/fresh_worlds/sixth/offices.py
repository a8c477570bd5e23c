"""Offices: a Portuguese surgery, a club's transfers, a board of examiners, Japanese expenses."""

from __future__ import annotations

import json

from ...ladder.names import CITIES, PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk
from ..shared import distinct

_FARMACOS = (
    *("amoxicilina", "ibuprofeno", "metformina", "losartan", "omeprazol", "sertralina"),
    *("atorvastatina", "bisoprolol", "cetirizina", "paracetamol", "naproxeno", "ramipril"),
    *("salbutamol", "furosemida", "tramadol", "varfarina", "insulina", "codeína"),
)


class ReceitaRenovar(Desk):
    """A prescription is renewed, unless the patient is allergic to it or no renewal is left."""

    name = "receita-renovar"
    difficulty = "Portuguese; an enumeration on one page forbids it, a number of a row sends it on"
    operators = (
        Operator("card", "abrir ficha de {utente}", about="A ficha do utente."),
        Operator("list", "listar receitas de {utente}", about="As receitas."),
        Operator("renew", "renovar {receita}", about="Definitivo."),
        Operator("refuse", "recusar {receita} por alergia", about="Definitivo."),
        Operator("pass_on", "enviar {receita} a {medico}", about="Definitivo."),
    )
    finals = ("renew", "refuse", "pass_on")
    free = ("card", "list", "renew", "refuse", "pass_on")
    horizon = 6

    wordings = (
        "{utente} pede a renovação de {farmaco}.",
        "Renove {farmaco} para {utente}, por favor, se for possível.",
        "Telefonema de {utente}: acabou-se {farmaco} e precisa de nova receita.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a patient and prescriptions."""
        firsts, lasts, drugs = self.draw(PEOPLE, 2), self.draw(SURNAMES, 2), self.draw(_FARMACOS, 6)
        self.utente, self.medico = f"{firsts[0]} {lasts[0]}", f"Dr. {lasts[1]}"
        outcome = self.rng.choice(("renew", "renew", "refuse", "pass_on"))
        allergies = drugs[4 : 4 + self.rng.randint(0, 2)]
        allergies += drugs[:1] if outcome == "refuse" else []
        self.rng.shuffle(allergies)
        self.allergies = ", ".join(allergies) or "nenhuma"
        self.year, self.number = self.rng.randint(1935, 2010), self.identifier("#########")
        left = 0 if outcome == "pass_on" else self.rng.randint(1, 5)
        if outcome == "refuse":
            left = self.rng.randint(0, 3)
        rows: list[dict[str, Value]] = [
            {
                "receita": receita,
                "farmaco": drug,
                "restam": rest,
            }
            for receita, drug, rest in zip(
                distinct(lambda: self.identifier("R#####"), 4),
                drugs[:4],
                (left, *(self.rng.randint(0, 4) for _ in range(3))),
                strict=True,
            )
        ]
        self.rows = self.arranged(rows, rows[0])
        ids = [row["receita"] for row in rows]
        acts = {
            "renew": call("renew", receita=ids[0]),
            "refuse": call("refuse", receita=ids[0]),
            "pass_on": call("pass_on", receita=ids[0], medico=self.medico),
        }
        wrong = [call(name, receita=each) for name in ("renew", "refuse") for each in ids]
        plan = [call("card", utente=self.utente), call("list", utente=self.utente), acts[outcome]]
        self.lay_out(plan, [*acts.values(), *wrong])
        names = {"utente": self.utente, "farmaco": drugs[0]}
        return self.rng.choice(self.wordings).format(**names), [
            Fact("Centro de saúde, receitas", {"balcão": "receitas"})
        ]

    def answer(self, wanted: Call) -> Result:
        """Open, list or decide."""
        if wanted.operator in ("card", "list"):
            if wanted["utente"] != self.utente:
                return [Fact("Utente desconhecido.", {"error": "utente desconhecido"})]
            if wanted.operator == "list":
                head = Fact("| receita | fármaco | restam |", {"total": len(self.rows)})
                return [head, Rows("receitas", "| {receita} | {farmaco} | {restam} |", self.rows)]
            data: dict[str, Value] = {
                "utente": self.utente,
                "número": self.number,
                "nascimento": self.year,
                "médico": self.medico,
                "alergias": self.allergies,
            }
            return [Fact("\n".join(f"{name}: {value}" for name, value in data.items()), data)]
        if all(row["receita"] != wanted["receita"] for row in self.rows):
            return [Fact("Receita desconhecida.", {"error": "receita desconhecida"})]
        return [Fact("Registado.", {"registado": True})]


class ClubTransfer(Desk):
    """A member's transfer is entered from three records, or returned while fees are owed."""

    name = "club-transfer"
    difficulty = "a form is filled from records; one field only for juniors; money owed stops it"
    operators = (
        Operator("member", "get member {licence}", ("licence",), "A member's record."),
        Operator("club", "get club {club}", about="A club's record."),
        Operator("fill", "set {field} to {value}", about="A field of the form."),
        Operator("submit", "submit transfer", about="Final."),
        Operator("decline", "return request: {owed} EUR owed", ("owed",), "Final."),
    )
    changing, finals = ("fill",), ("submit", "decline")
    free = ("member", "club", "fill", "decline")
    horizon = 12

    wordings = (
        "Transfer of licence {licence} to {club}.",
        "{club} would like to take over the member with licence {licence}.",
        "Please move licence {licence}; the new club is {club}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a member and clubs."""
        firsts, lasts, towns = self.draw(PEOPLE, 4), self.draw(SURNAMES, 3), self.draw(CITIES, 3)
        kinds = self.rng.choices(("Rowing Club", "Chess Union", "Harriers"), k=3)
        clubs = [f"{town} {kind}" for town, kind in zip(towns, kinds, strict=True)]
        self.licence = self.rng.randint(10_000, 49_000) * 2 + (self.task.part == "train")
        junior, owing = self.rng.random() < 0.45, self.rng.random() < 0.25
        owed = self.rng.randint(8, 190) if owing else 0
        self.entry: dict[str, Value] = {
            "licence": self.licence,
            "name": f"{firsts[0]} {lasts[0]}",
            "class": "junior" if junior else "senior",
            "guardian": f"{firsts[1]} {lasts[0]}" if junior else None,
            "club": clubs[0],
            "owed": owed,
        }
        codes = distinct(lambda: self.identifier("###"), 3)
        districts = self.rng.choices(("North", "South", "Coast"), k=3)
        people = [f"{first} {last}" for first, last in zip(firsts[2:], lasts[1:], strict=True)]
        self.clubs: dict[str, dict[str, Value]] = {
            club: {"club": club, "code": f"C{code}", "district": district, "secretary": person}
            for club, code, district, person in zip(
                clubs, codes, districts, [*people, people[0]], strict=True
            )
        }
        fields: dict[str, Value] = {
            "name": self.entry["name"],
            "from": self.clubs[clubs[0]]["code"],
            "to": self.clubs[clubs[1]]["code"],
            "district": districts[1],
        }
        fields |= {"guardian": self.entry["guardian"]} if junior else {}
        plan = [call("member", licence=self.licence)]
        decline = call("decline", owed=owed or self.rng.randint(8, 190))
        if owing:
            plan.append(decline)
        else:
            plan += [call("club", club=club) for club in clubs[:2]]
            plan += [call("fill", field=name, value=value) for name, value in fields.items()]
            plan.append(call("submit"))
        wrong = [call("club", club=club) for club in clubs]
        wrong += [call("fill", field=name, value=value) for name, value in fields.items()]
        for name in ("from", "to"):
            wrong += [call("fill", field=name, value=f"C{code}") for code in codes]
        wrong += [call("fill", field="district", value=each) for each in set(districts)]
        self.typed: set[str] = set()
        self.lay_out(plan, [*wrong, call("submit"), decline])
        asked = self.rng.choice(self.wordings).format(licence=self.licence, club=clubs[1])
        return asked, [Fact("Federation office. The transfer form is empty.", {"form": "transfer"})]

    def answer(self, wanted: Call) -> Result:
        """Show a record, fill in a field, submit or return."""
        if wanted.operator == "member":
            if wanted["licence"] != str(self.licence):
                return [Fact("404 not found", {"error": "404 not found"})]
            return [Fact(json.dumps(self.entry), self.entry)]
        if wanted.operator == "club":
            entry = self.clubs.get(wanted["club"])
            if entry is None:
                return [Fact("404 not found", {"error": "404 not found"})]
            return [Fact(json.dumps(entry), entry)]
        if wanted.operator == "fill":
            if wanted["field"] not in ("name", "from", "to", "district", "guardian"):
                return [Fact("no such field", {"error": "no such field"})]
            self.overwrite(wanted, "field")
            self.typed.add(wanted["field"])
            return [Fact(f"{wanted['field']} = {wanted['value']}", {"field": wanted["field"]})]
        if wanted.operator == "submit":
            for needed in ("name", "from", "to", "district"):
                if needed not in self.typed:
                    return [Fact(f"{needed} is missing", {"error": f"{needed} is missing"})]
            return [Fact("Transfer registered.", {"registered": True})]
        return [Fact("The club is told.", {"returned": True})]


class ExamBoard(Desk):
    """Each candidate passes, fails by the sum, or sits the one paper again that is too weak."""

    name = "exam-board"
    difficulty = "for each candidate a sum and the least of its parts are compared with two limits"
    operators = (
        Operator("board", "open exam {exam}", about="Limits and candidates."),
        Operator("sheet", "sheet of {candidate}", about="Points by paper."),
        Operator("passed", "record {candidate} passed with {total}", ("total",), "A result."),
        Operator("failed", "record {candidate} failed with {total}", ("total",), "A result."),
        Operator("resit", "record {candidate} resits {paper}", about="A result."),
        Operator("publish", "publish exam {exam}", about="Final."),
    )
    changing, finals = ("passed", "failed", "resit"), ("publish",)
    free = ("board", "sheet", "passed", "failed", "resit", "publish")
    horizon = 16

    wordings = (
        "Enter the results of exam {exam} and publish them.",
        "{person} has marked all papers of {exam}. Record who passed, then publish.",
        "Exam {exam} is ready for the board; please do the results.",
    )
    papers = ("reading", "writing", "listening", "speaking")

    def begin(self) -> tuple[str, Result]:
        """Draw an exam."""
        (person,), (last,) = self.draw(PEOPLE), self.draw(SURNAMES)
        self.exam = self.identifier("AA-###")
        papers = self.rng.sample(self.papers, 3)
        self.least, self.needed = self.rng.randint(15, 25), self.rng.randint(100, 170)
        count = self.rng.randint(3, 4)
        kinds = [self.rng.choice(("passed", "failed", "resit")) for _ in range(count)]
        self.sheets: dict[str, list[dict[str, Value]]] = {}
        plan, wrong = [call("board", exam=self.exam)], [call("publish", exam=self.exam)]
        candidates = distinct(lambda: str(self.rng.randint(1_000, 9_999)), count)
        for candidate, kind in zip(candidates, kinds, strict=True):
            points = self._points(kind)
            sheet: list[dict[str, Value]] = [
                {"paper": paper, "points": each} for paper, each in zip(papers, points, strict=True)
            ]
            self.sheets[candidate] = sheet
            total = sum(points)
            acts = {
                "passed": call("passed", candidate=candidate, total=total),
                "failed": call("failed", candidate=candidate, total=total),
                "resit": call(
                    "resit", candidate=candidate, paper=papers[points.index(min(points))]
                ),
            }
            plan += [call("sheet", candidate=candidate), acts[kind]]
            wrong += acts.values()
            wrong += [call("resit", candidate=candidate, paper=paper) for paper in papers]
        plan.append(call("publish", exam=self.exam))
        self.examiner = f"{person} {last}"
        self.lay_out(plan, wrong)
        return self.rng.choice(self.wordings).format(exam=self.exam, person=person), [
            Fact("Examinations office", {"office": "examinations"})
        ]

    def _points(self, kind: str) -> list[int]:
        """Draw points of three papers; a failed sheet may have a weak paper, too."""
        while True:
            points = self.rng.sample(range(5, 90), 3)
            enough, weak = sum(points) >= self.needed, sum(p < self.least for p in points)
            if kind == "failed" and not enough:
                return points
            if kind != "failed" and enough and weak == (kind == "resit"):
                return points

    def answer(self, wanted: Call) -> Result:
        """Open, show, record or publish."""
        if "exam" in wanted.values:
            if wanted["exam"] != self.exam:
                return [Fact("No such exam.", {"error": "no such exam"})]
            if wanted.operator == "publish":
                return [Fact("Published.", {"published": self.exam})]
            text = (
                f"Exam {self.exam}, examiner {self.examiner}\npass mark: {self.needed}\n"
                f"least in each paper: {self.least}\ncandidates:"
            )
            data: dict[str, Value] = {"exam": self.exam, "examiner": self.examiner}
            data |= {"pass mark": self.needed, "least in each paper": self.least}
            rows: list[dict[str, Value]] = [{"candidate": each} for each in self.sheets]
            return [Fact(text, data), Rows("candidates", "  {candidate}", rows)]
        candidate = wanted["candidate"]
        if candidate not in self.sheets:
            return [Fact("No such candidate.", {"error": "no such candidate"})]
        if wanted.operator == "sheet":
            head = Fact("paper,points", {"candidate": candidate})
            return [head, Rows("papers", "{paper},{points}", self.sheets[candidate])]
        self.made = [each for each in self.made if each["candidate"] != candidate]
        return [Fact(f"{candidate}: recorded", {"recorded": candidate})]


_MYOJI = (
    *(
        "佐藤",
        "鈴木",
        "高橋",
        "田中",
        "渡辺",
        "伊藤",
        "山本",
        "中村",
        "小林",
        "加藤",
        "吉田",
        "山田",
    ),
    *("佐々木", "山口", "松本", "井上", "木村", "林", "清水", "山崎", "森", "池田", "橋本", "石川"),
)
_TOSHI = (
    *("札幌", "仙台", "新潟", "金沢", "名古屋", "京都", "大阪", "神戸", "岡山", "広島"),
    *("高松", "福岡", "長崎", "熊本", "鹿児島", "那覇"),
)
_BUSHO = ("営業部", "開発部", "総務部", "経理部", "企画部", "製造部", "広報部", "法務部")


class ShucchouSeisan(Desk):
    """Expenses of a journey are added up from three pages and met by a budget, or sent back."""

    name = "shucchou-seisan"
    difficulty = (
        "Japanese; nights times a rate of the grade plus fares; a rest decides, and is told"
    )
    operators = (
        Operator("request", "申請{number}を開く", about="出張の申請。"),
        Operator("staff", "社員{name}を調べる", about="社員の情報。"),
        Operator("rates", "宿泊費の表を開く", about="等級と金額。"),
        Operator("budget", "{section}の予算を見る", about="予算の残り。"),
        Operator("approve", "{number}を{amount}円で承認する", ("amount",), "取り消せない。"),
        Operator("back", "{number}を差し戻す 不足{amount}円", ("amount",), "取り消せない。"),
    )
    finals = ("approve", "back")
    free = ("request", "staff", "budget", "approve", "back")
    horizon = 8

    wordings = (
        "出張の申請{number}を精算してください。",
        "{name}さんから申請{number}が届きました。処理をお願いします。",
        "申請{number}の精算がまだです。予算を確かめて、承認か差し戻しをお願いします。",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a journey."""
        (self.person, boss), (self.town,) = self.draw(_MYOJI, 2), self.draw(_TOSHI)
        (self.section,), self.boss = self.draw(_BUSHO), boss
        self.number = self.identifier("S-#####")
        self.nights, self.fare = self.rng.randint(1, 6), self.rng.randint(20, 400) * 100
        grades, rates = self.rng.sample(range(1, 8), 4), self.rng.sample(range(70, 160), 4)
        self.grade = grades[0]
        rows: list[dict[str, Value]] = [
            {"等級": grade, "一泊": rate * 100} for grade, rate in zip(grades, rates, strict=True)
        ]
        self.rows = self.arranged(rows, rows[0])
        sums = [self.nights * rate * 100 + self.fare for rate in rates]
        over = self.rng.random() < 0.4
        low, high = (5, sums[0] // 100 - 1) if over else (sums[0] // 100, sums[0] // 100 + 2_000)
        self.left = self.rng.randint(low, high) * 100
        approve = [call("approve", number=self.number, amount=each) for each in (*sums, self.fare)]
        lacking = [each - self.left for each in (*sums, self.left + self.fare)]
        back = [call("back", number=self.number, amount=each) for each in lacking if each > 0]
        right = call("back", number=self.number, amount=sums[0] - self.left) if over else approve[0]
        plan = [
            call("request", number=self.number),
            call("staff", name=self.person),
            call("rates"),
            call("budget", section=self.section),
            right,
        ]
        self.lay_out(plan, [*approve, *back])
        asked = self.rng.choice(self.wordings).format(number=self.number, name=self.person)
        return asked, [Fact("経費システム", {"画面": "経費"})]

    def answer(self, wanted: Call) -> Result:
        """Show a page, approve or send back."""
        unknown = [Fact("見つかりません。", {"error": "見つかりません"})]
        if wanted.operator == "rates":
            return [Rows("宿泊費", "{等級}級 {一泊}円", self.rows)]
        if wanted.operator == "staff":
            if wanted["name"] != self.person:
                return unknown
            data: dict[str, Value] = {"氏名": self.person, "部署": self.section}
            data |= {"等級": self.grade, "上司": self.boss}
            return [Fact("\n".join(f"{name}:{value}" for name, value in data.items()), data)]
        if wanted.operator == "budget":
            if wanted["section"] != self.section:
                return unknown
            text = f"{self.section}の出張予算の残りは{self.left}円です。"
            return [Fact(text, {"部署": self.section, "残り": self.left})]
        if wanted["number"] != self.number:
            return unknown
        if wanted.operator == "request":
            data = {"番号": self.number, "氏名": self.person, "行き先": self.town}
            data |= {"泊数": self.nights, "交通費": self.fare}
            return [Fact("\n".join(f"{name}:{value}" for name, value in data.items()), data)]
        return [Fact("登録しました。", {"登録": True})]
