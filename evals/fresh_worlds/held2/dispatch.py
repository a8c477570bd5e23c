"""Dispatch: requests in Russian go to a free master; a report is fetched from a busy server."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import PEOPLE, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call
from ..shared import MONTHS, clock_times


class Zayavki(World):
    """The most urgent request of a street goes to a free master of its trade."""

    name = "zayavki"
    difficulty = "Russian, verbs last; rows are ranked by a word, then joined with a second table"
    operators = (
        Operator("requests", "заявки {street} показать", about="Список заявок."),
        Operator("masters", "мастеров показать", about="Список мастеров."),
        Operator("assign", "заявку {number} мастеру {master} передать", about="Окончательно."),
        Operator("postpone", "заявку {number} отложить", about="Окончательно."),
    )
    horizon = 6
    refusal = Fact("Невозможно.", {"error": "невозможно"})

    streets = (
        *("Садовая", "Лесная", "Речная", "Полевая", "Школьная", "Зелёная", "Горная", "Новая"),
        *("Морская", "Мирная", "Тихая", "Луговая", "Южная", "Северная", "Парковая", "Кленовая"),
    )
    surnames = (
        *("Шевченко", "Черных", "Коваленко", "Седых", "Бондаренко", "Долгих", "Петренко"),
        *("Белых", "Лысенко", "Русских", "Ткаченко", "Сухих", "Юрченко", "Кудрявых"),
        *("Павленко", "Малых"),
    )
    trades = ("сантехник", "электрик", "столяр", "слесарь")
    ranks = ("авария", "срочно", "обычно")
    troubles = (
        ("сантехник", "течёт кран"),
        ("сантехник", "засор"),
        ("электрик", "нет света"),
        ("электрик", "искрит розетка"),
        ("столяр", "сломан стул"),
        ("столяр", "скрипит дверь"),
        ("слесарь", "заел замок"),
        ("слесарь", "потерян ключ"),
    )
    wordings = (
        "Улица {street}: что самое срочное? Передай мастеру.",
        "Пожалуйста, самую срочную заявку по улице {street} передать.",
        "{street}, первая по срочности заявка",
        "По улице {street} опять звонят. Займись самым срочным.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw requests and masters; sometimes nobody of the trade is free."""
        streets = self.draw(self.streets, 3)
        self.street, self.streets_here = streets[0], self.arranged(streets, streets[0])
        count = self.rng.randint(3, 6)
        times = clock_times(self.rng, count)
        rows: list[dict[str, Value]] = []
        for time in times:
            trade, trouble = self.rng.choice(self.troubles)
            row: dict[str, Value] = {"number": self.identifier("####"), "time": time[:5]}
            row |= {"rank": self.rng.choice(self.ranks), "trade": trade, "trouble": trouble}
            rows.append(row)
        # Sorting is stable: of one rank the earliest stands first.
        right = min(rows, key=lambda row: self.ranks.index(str(row["rank"])))
        self.number, trade = str(right["number"]), str(right["trade"])
        self.rows = self.arranged(rows, right)
        names = self.draw(self.surnames, 6)
        others = [each for each in self.trades if each != trade]
        masters: list[dict[str, Value]] = [
            {"master": names[0], "trade": trade, "free": self.rng.choice(("да", "да", "нет"))},
            {"master": names[1], "trade": trade, "free": "нет"},
        ]
        for name, other in zip(names[2:], [*others, others[0]], strict=True):
            free = self.rng.choice(("да", "нет"))
            masters.append({"master": name, "trade": other, "free": free})
        self.master = names[0] if masters[0]["free"] == "да" else ""
        self.masters = self.arranged(masters, masters[0])
        self.open, self.known = False, False
        asked = self.rng.choice(self.wordings).format(street=self.street)
        text = ", ".join(self.streets_here)
        return asked, [Fact(f"Улицы: {text}", {"streets": text})]

    def possible(self) -> list[Call]:
        """Lists; then every request with every master."""
        calls = [call("requests", street=each) for each in self.streets_here]
        calls.append(call("masters"))
        numbers = [row["number"] for row in self.rows] if self.open else []
        names = [row["master"] for row in self.masters] if self.known else []
        calls += [call("assign", number=n, master=m) for n in numbers for m in names]
        return [*calls, *(call("postpone", number=each) for each in numbers)]

    def do(self, wanted: Call) -> Result:
        """Show, or end."""
        if wanted.operator == "requests":
            self.open = wanted["street"] == self.street
            if not self.open:
                return [Fact("Заявок нет.", {"count": 0})]
            line = "№{number} | {time} | {rank} | {trouble} | {trade}"
            return [Rows("requests", line, self.rows)]
        if wanted.operator == "masters":
            self.known = True
            return [Rows("masters", "{master}: {trade}, свободен: {free}", self.masters)]
        self.end(won=self.known and wanted == self._last())
        return [Fact("Готово.", {"done": True})]

    def _last(self) -> Call:
        if self.master:
            return call("assign", number=self.number, master=self.master)
        return call("postpone", number=self.number)

    def expert(self) -> Iterator[Call]:
        """Show both lists, then pass on or postpone."""
        yield call("requests", street=self.street)
        yield call("masters")
        yield self._last()


class RetryAfter(World):
    """A report is asked for until the server gives it; each refusal says what it wants."""

    name = "retry-after"
    difficulty = "a request is repeated after what its answer asks for, then its link is sent"
    operators = (
        Operator("get", "GET /reports/{team}/{year}/{month}", ("year",), "Ask for a report."),
        Operator("token", "POST /token {key}", about="Get a new token."),
        Operator("sleep", "sleep {seconds}", ("seconds",), "Wait."),
        Operator("ping", "GET /health", about="Ask whether the server lives."),
        Operator("mail", "mail {person} {link}", about="Final."),
        Operator("regret", "mail {person} there is no report", about="Final."),
    )
    horizon = 14
    refusal = Fact("400 Bad Request", {"status": 400})

    wordings = (
        "{person} wants the {team} report of {month} {year}.",
        "Send {person} the report: {team}, {month} {year}",
        "Has {person} got the {month} {year} report of {team}? No? Then send it.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a report and what stands in its way."""
        teams, self.people = self.draw(TEAMS, 2), self.draw(PEOPLE, 3)
        self.person, self.year = self.people[0], str(self.rng.randint(2019, 2026))
        self.month, self.teams = self.rng.choice(MONTHS), teams
        self.keys = [self.identifier("key-aa##") for _ in range(2)]
        hurdles = [
            self.rng.choice(("busy", "busy", "token")) for _ in range(self.rng.randint(0, 3))
        ]
        self.hurdles = [each for each in hurdles if each == "busy"]
        if "token" in hurdles:
            self.hurdles.insert(self.rng.randint(0, len(self.hurdles)), "token")
        self.waits = [str(self.rng.randint(2, 90)) for _ in self.hurdles]
        self.key_wanted = self.keys[0]
        self.missing = self.rng.random() < 0.2
        self.link = f"https://files.example/{self.identifier('a#a#a#')}"
        self.other = f"https://files.example/{self.identifier('a#a#a#')}"
        self.at, self.shown = 0, False
        self.pings = self.rng.random() < 0.25
        values = {"person": self.person, "team": teams[0], "month": self.month, "year": self.year}
        text = f"server: reports, read key: {self.keys[0]}, write key: {self.keys[1]}"
        data: dict[str, Value] = {"read_key": self.keys[0], "write_key": self.keys[1]}
        return self.rng.choice(self.wordings).format(**values), [Fact(text, data)]

    def possible(self) -> list[Call]:
        """Reports, keys, some times to wait, and whom to write to."""
        waits = list(dict.fromkeys([*self.waits[: self.at + 1], "1"]))
        links = [self.link, self.other] if self.shown else []
        return [
            *(call("get", team=each, year=self.year, month=self.month) for each in self.teams),
            *(call("token", key=each) for each in self.keys),
            *(call("sleep", seconds=each) for each in waits),
            call("ping"),
            *(call("mail", person=p, link=each) for p in self.people for each in links),
            *(call("regret", person=each) for each in self.people),
        ]

    def accepts(self, wanted: Call) -> bool:
        """Any time can be waited."""
        if wanted.operator == "sleep":
            return wanted["seconds"].isdigit()
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Answer a request, or end."""
        name = wanted.operator
        if name == "ping":
            return [Fact("200 ok", {"status": 200})]
        if name in ("sleep", "token"):
            return [self._overcome(wanted)]
        if name == "get":
            return [self._answer(wanted)]
        self.end(won=wanted == self._last() and self.shown)
        return [Fact("sent", {"sent": True})]

    def _overcome(self, wanted: Call) -> Fact:
        hurdle = self.hurdles[self.at] if self.at < len(self.hurdles) else ""
        if wanted.operator == "sleep":
            if hurdle == "busy" and int(wanted["seconds"]) >= int(self.waits[self.at]):
                self.at += 1
            return Fact(f"({wanted['seconds']} s later)", {"slept": int(wanted["seconds"])})
        if wanted["key"] != self.key_wanted:
            return Fact("403 this key may not read", {"status": 403})
        self.at += hurdle == "token"
        return Fact("201 token renewed", {"status": 201})

    def _answer(self, wanted: Call) -> Fact:
        if self.at < len(self.hurdles):
            if self.hurdles[self.at] == "token":
                return Fact("401 token expired", {"status": 401, "error": "token expired"})
            seconds = self.waits[self.at]
            return Fact(
                f"429 retry after {seconds} seconds", {"status": 429, "after": int(seconds)}
            )
        if wanted["team"] != self.teams[0]:
            return Fact(f"200 {self.other}", {"status": 200, "link": self.other})
        self.shown = True
        if self.missing:
            return Fact("404 no such report", {"status": 404})
        return Fact(f"200 {self.link}", {"status": 200, "link": self.link})

    def _last(self) -> Call:
        if self.missing:
            return call("regret", person=self.person)
        return call("mail", person=self.person, link=self.link)

    def expert(self) -> Iterator[Call]:
        """Ask, do what the answer wants, ask again; send the link, or regret."""
        if self.pings:
            yield call("ping")
        report = call("get", team=self.teams[0], year=self.year, month=self.month)
        for hurdle, seconds in zip(self.hurdles, self.waits, strict=True):
            yield report
            if hurdle == "token":
                yield call("token", key=self.key_wanted)
            else:
                yield call("sleep", seconds=seconds)
        yield report
        yield self._last()
