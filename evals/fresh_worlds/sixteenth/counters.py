"""Counters: a locker for parcels, a hotline of numbered menus, goods that are brought back."""

from __future__ import annotations

from datetime import date, timedelta

from ...ladder.names import PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk


class ParcelLocker(Desk):
    """A parcel goes into the first free box of its size, and its phone number gets a text.

    A parcel that must be cooled, and one whose size has no free box, goes to the counter. Half of
    the tests have a damaged parcel: nobody has shown what to do then.
    """

    name = "parcel-locker"
    difficulty = (
        "the first row that is free and of the right size; two ways to the counter; unshown"
    )
    operators = (
        Operator("scan", "scan {parcel}", about="A label."),
        Operator("boxes", "show boxes", about="The wall of boxes, in order."),
        Operator("put", "put {parcel} into box {box}", about="Locks the box."),
        Operator("text", "text {phone}: box {box}", about="Tells where it is."),
        Operator("done", "finish {parcel}", about="Final."),
        Operator("counter", "keep {parcel} at the counter", about="Final: no box for it."),
    )
    changing, irrevocable, finals = ("put", "text"), ("put", "text"), ("done", "counter")
    free = ("scan", "boxes", "put", "text", "done", "counter")
    horizon = 7
    abstaining = True

    wordings = (
        *("Parcel {parcel} has come in.", "Store {parcel}.", "Please put {parcel} away."),
        "The driver left {parcel} for the locker.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a parcel and the boxes."""
        kind = case_of(self.name, self.task, ("box", "box", "cooled", "box", "full"))
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        self.parcel, self.phone = self.identifier("JD########"), self.identifier("07##-######")
        self.size = self.rng.choice(("S", "M", "L"))
        self.kind = "cooled" if kind == "cooled" else self.rng.choice(("normal", "fragile"))
        self.kilos, (self.person,) = self.rng.randint(1, 19), self.draw(SURNAMES)
        first = self.rng.randint(1, 60)
        while True:
            sizes, states = self.rng.choices("SML", k=9), self.rng.choices(("free", "taken"), k=9)
            wall = enumerate(zip(sizes, states, strict=True), first)
            self.rows = [{"box": str(box), "size": size, "state": how} for box, (size, how) in wall]
            fit = [r["box"] for r in self.rows if (r["size"], r["state"]) == (self.size, "free")]
            if len(fit) >= 2 if kind != "full" else not fit:
                break
        boxes = [row["box"] for row in self.rows]
        puts = {each: call("put", parcel=self.parcel, box=each) for each in boxes}
        texts = {each: call("text", phone=self.phone, box=each) for each in boxes}
        verbs = ("scan", "done", "counter")
        scan, done, counter = (call(each, parcel=self.parcel) for each in verbs)
        plan = [scan, *([call("boxes")] if kind != "cooled" else [])]
        plan += [puts[fit[0]], texts[fit[0]], done] if kind == "box" else [counter]
        self.lay_out(plan, [scan, call("boxes"), *puts.values(), *texts.values(), done, counter])
        asked = self.rng.choice(self.wordings).format(parcel=self.parcel)
        text = f"Locker station {self.rng.randint(100, 999)} ready."
        return asked, [Fact(text, {"greeting": text})]

    def answer(self, wanted: Call) -> Result:
        """Show, put, tell or end."""
        values = wanted.values
        known = (values.get("parcel", self.parcel), values.get("phone", self.phone))
        if known != (self.parcel, self.phone):
            return [Fact("unknown", {"error": "unknown"})]
        if values.get("box", self.rows[0]["box"]) not in [row["box"] for row in self.rows]:
            return [Fact("no such box", {"error": "no such box"})]
        if wanted.operator == "scan":
            self.met = self.unsettled
            wrapping = "torn, something leaks" if self.unsettled else "in order"
            data: dict[str, Value] = {"to": self.person, "phone": self.phone, "size": self.size}
            data |= {"weight": f"{self.kilos} kg", "kind": self.kind, "wrapping": wrapping}
            return [Fact(" / ".join(f"{key}: {value}" for key, value in data.items()), data)]
        if wanted.operator == "boxes":
            return [Rows("boxes", "[{box:>3}] {size} {state}", self.rows)]
        return [Fact("beep", {"done": True})]


class CardHotline(Desk):
    """A bank's hotline is walked by its numbered menus, whose numbers change from call to call.

    Lost and stolen cards are blocked, a forgotten PIN is sent anew, a daily limit is set; the
    number of the card is typed in, and for a limit the amount; then yes is said. The hotline says
    so where a card is blocked already: then one hangs up.
    """

    name = "card-hotline"
    difficulty = "menus whose numbers change; three purposes in many words; a stop on what it says"
    operators = (
        Operator("press", "press {key}", about="A number of the menu."),
        Operator("type", "type {text}", about="Where it asks for something."),
        Operator("hang_up", "hang up", about="Final."),
    )
    finals = ("hang_up",)
    free = ("press", "type", "hang_up")
    horizon = 9

    wordings = (
        ("block", "{person} has lost card {card}."),
        *(("block", "Card {card} was stolen."), ("block", "Block card {card}, please.")),
        *(("pin", "{person} forgot the PIN of {card}."), ("pin", "Card {card} needs a new PIN.")),
        ("limit", "Set the daily limit of card {card} to {euro} EUR."),
        ("limit", "Card {card} should be able to spend {euro} EUR a day."),
    )
    labels = (("block", "Block a card"), ("pin", "Order a new PIN"), ("limit", "Change the limit"))

    def begin(self) -> tuple[str, Result]:
        """Draw a card, a purpose and the menus."""
        cases = (("block", 0), ("pin", 0), ("limit", 0), ("block", 1), ("limit", 0))
        kind, again = case_of(self.name, self.task, cases)
        self.card, self.euro = self.identifier("#### ####"), self.rng.randrange(150, 3000, 50)
        (person,), self.again = self.draw(PEOPLE), bool(again)
        self.menus = {
            "main": self._numbered(("Cards", "Accounts", "Loans", "Opening hours")),
            "cards": self._numbered((*dict(self.labels).values(), "Main menu")),
            "sure": self._numbered(("Yes", "No")),
        }
        self.where, self.chosen, self.typed, self.ready = "main", "", [""], ""
        label = dict(self.labels)[kind]
        texts = [self.card, *[str(self.euro)] * (kind == "limit")]
        plan = [self._press("main", "Cards"), self._press("cards", label)]
        plan += [call("type", text=each) for each in texts]
        plan += [] if again else [self._press("sure", "Yes")]
        self.wanted = "" if again else f"{label} {' '.join(texts)}"
        keys = [call("press", key=each) for each in range(1, 5)]
        self.lay_out([*plan, call("hang_up")], keys)
        wording = self.rng.choice([text for each, text in self.wordings if each == kind])
        return wording.format(person=person, card=self.card, euro=self.euro), self._say()

    def _numbered(self, labels: tuple[str, ...]) -> list[dict[str, Value]]:
        """Number labels in an order that is drawn."""
        order = self.rng.sample(labels, len(labels))
        return [{"key": place, "label": label} for place, label in enumerate(order, 1)]

    def _press(self, menu: str, label: str) -> Call:
        return call("press", key=next(r["key"] for r in self.menus[menu] if r["label"] == label))

    def _say(self) -> Result:
        """Tell what the hotline says now."""
        if self.where in self.menus:
            head = {"main": "Main menu", "cards": "Cards", "sure": "Are you sure?"}[self.where]
            rows = self.menus[self.where]
            return [Fact(head, {"menu": head}), Rows("keys", "{key} {label}", rows)]
        texts = {"card": "Type the card number.", "amount": "Type the new limit in EUR."}
        texts |= {"blocked": "This card is blocked already.", "end": "Thank you. It is done."}
        return [Fact(texts[self.where], {"says": texts[self.where]})]

    def answer(self, wanted: Call) -> Result:
        """Go on in the menus, take a text, or hang up."""
        if wanted.operator == "hang_up":
            self.out_of_turn = self.ready != self.wanted or (self.again and self.where != "blocked")
            return [Fact("The line is closed.", {"closed": True})]
        if wanted.operator == "press":
            rows = self.menus.get(self.where, [])
            label = next((str(r["label"]) for r in rows if str(r["key"]) == wanted["key"]), "")
            if not label:
                return [Fact("That is not possible.", {"error": "not possible"})]
            if self.where == "sure":
                self.ready = f"{self.chosen} {' '.join(self.typed)}" if label == "Yes" else ""
            to = {each: "card" for _, each in self.labels} | {"Cards": "cards", "Yes": "end"}
            self.where, self.chosen = to.get(label, "main"), label
            return self._say()
        if self.where not in ("card", "amount"):
            return [Fact("That is not possible.", {"error": "not possible"})]
        if self.where == "card" and wanted["text"] != self.card:
            return [Fact("There is no such card.", {"error": "no such card"})]
        self.typed = [wanted["text"]] if self.where == "card" else [*self.typed, wanted["text"]]
        more = self.where == "card" and self.chosen == "Change the limit"
        self.where = "amount" if more else "blocked" if self.again else "sure"
        return self._say()


class UmtauschTheke(Desk):
    """German: what is brought back is paid back, gets a voucher, or is refused.

    Faulty goods are always paid back the way they were paid. Else hygiene goods are refused, and
    so is what was bought more days ago than the sign allows. Else remnants get a voucher, and the
    others are paid back the way they were paid.
    """

    name = "umtausch-theke"
    difficulty = "German; a word in the task that overrides; days between two dates; a class; a way"
    operators = (
        Operator("bon", "lies Bon {bon}", about="Ein Kassenbon."),
        Operator("zahlen", "erstatte {euro} per {weg}", about="Geld zurück."),
        Operator("gutschein", "Gutschein über {euro}", about="Statt Geld."),
        Operator("fertig", "schließe Bon {bon}", about="Letzter Schritt."),
        Operator("ablehnen", "lehne Bon {bon} ab", about="Letzter Schritt."),
    )
    changing = irrevocable = ("zahlen", "gutschein")
    finals = ("fertig", "ablehnen")
    free = ("bon", "zahlen", "gutschein", "fertig", "ablehnen")
    horizon = 6

    wordings = (
        "{person} bringt einen Artikel zurück, Bon {bon}.",
        *("Umtausch zu Bon {bon}.", "Rückgabe: Bon {bon}, Name {person}."),
    )
    articles = ("Lampe", "Mixer", "Wecker", "Rasierer", "Decke", "Kissen", "Waage", "Topf")
    faults = ("Der Artikel ist defekt.", "Er funktioniert nicht.", "Grund: kaputt.")
    others = ("Er gefällt nicht.", "Grund: falsche Farbe.", "")

    def begin(self) -> tuple[str, Result]:
        """Draw a receipt."""
        cases = (
            *(("Standard", 0, 0), ("Restposten", 0, 0), ("Standard", 1, 0), ("Standard", 0, 1)),
            *(("Hygiene", 0, 0), ("Standard", 0, 0), ("Restposten", 1, 0), ("Hygiene", 0, 1)),
            *(("Standard", 1, 1), ("Restposten", 0, 0)),
        )
        self.group, late, faulty = case_of(self.name, self.task, cases)
        self.bon, (self.person,) = self.identifier("B-#####"), self.draw(SURNAMES)
        self.article, most = self.rng.choice(self.articles), self.rng.randint(8, 45)
        today = date(2026, 1, 5) + timedelta(self.rng.randint(0, 350))
        ago = most + self.rng.randint(1, 40) if late else self.rng.randint(1, most)
        self.bought = f"{today - timedelta(ago):%d.%m.%Y}"
        self.price = f"{self.rng.randint(4, 180)},{self.rng.choice(('00', '50', '90', '95'))} EUR"
        ways = self.rng.sample(("Karte", "Bar", "Rechnung"), 2)
        self.way = ways[0]
        pays = [call("zahlen", euro=self.price, weg=each) for each in ways]
        voucher = call("gutschein", euro=self.price)
        read, done, refuse = (call(each, bon=self.bon) for each in ("bon", "fertig", "ablehnen"))
        if faulty or (self.group == "Standard" and not late):
            steps = [pays[0], done]
        else:
            steps = [voucher, done] if self.group == "Restposten" and not late else [refuse]
        self.lay_out([read, *steps], [read, *pays, voucher, done, refuse])
        asked = self.rng.choice(self.wordings).format(person=self.person, bon=self.bon)
        asked += " " + self.rng.choice(self.faults if faulty else self.others)
        text = f"Heute ist der {today:%d.%m.%Y}. Rückgabe bis {most} Tage nach dem Kauf."
        return asked.strip(), [Fact(text, {"heute": f"{today:%d.%m.%Y}", "tage": most})]

    def answer(self, wanted: Call) -> Result:
        """Show, pay or end."""
        if wanted.values.get("bon", self.bon) != self.bon:
            return [Fact("Diesen Bon gibt es nicht.", {"error": "nicht gefunden"})]
        if wanted.operator == "bon":
            data: dict[str, Value] = {"Artikel": self.article, "Warengruppe": self.group}
            data |= {"Kaufdatum": self.bought, "Preis": self.price, "Zahlung": self.way}
            return [Fact("\n".join(f"{key}: {value}" for key, value in data.items()), data)]
        return [Fact("Erledigt.", {"erledigt": True})]
