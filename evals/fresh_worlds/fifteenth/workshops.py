"""Workshops: a cart of old books, four tyres, a photometer and its blank, a disk that fails."""

from __future__ import annotations

from ...ladder.names import PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class WeedingCart(Desk):
    """Each book of a cart stays, goes, or is stored where its subject is kept."""

    name = "weeding-cart"
    difficulty = "a list of things, each looked at; a year, then a number; a place by a table"
    operators = (
        Operator("cart", "show cart {cart}", about="Barcodes on a cart."),
        Operator("book", "scan {barcode}", about="What a book is."),
        Operator("keep", "keep {barcode}", about="It was lent of late."),
        Operator("withdraw", "withdraw {barcode}", about="There are other copies."),
        Operator("store", "store {barcode} at {stack}", about="It is the last copy."),
        Operator("empty", "cart {cart} is empty", about="Final."),
    )
    changing = irrevocable = ("keep", "withdraw", "store")
    finals = ("empty",)
    free = ("cart", "book", "keep", "withdraw", "store", "empty")
    horizon = 14

    wordings = (
        "Weed cart {cart}.",
        "Cart {cart} has come from the shelves, go through it.",
        "Decide on the books of cart {cart}.",
    )
    subjects = ("history", "music", "law", "travel", "poetry", "botany", "chess", "cookery")

    def begin(self) -> tuple[str, Result]:
        """Draw books and where subjects are kept."""
        must = case_of(self.name, self.task, ("store", "withdraw", "store", "keep"))
        self.title, self.year = self.identifier("C-###"), self.rng.randint(2011, 2020)
        subjects = self.rng.sample(self.subjects, 4)
        stacks = distinct(lambda: self.identifier("A#"), 4)
        table: list[dict[str, Value]] = [
            {"subject": subject, "stack": stack}
            for subject, stack in zip(subjects, stacks, strict=True)
        ]
        where = dict(zip(subjects, stacks, strict=True))
        count = self.rng.randint(2, 4)
        codes = distinct(lambda: self.identifier("##-#####"), count)
        ways = [must, *(self.rng.choice(("keep", "withdraw", "store")) for _ in codes[1:])]
        self.rng.shuffle(ways)
        self.books: dict[str, dict[str, Value]] = {}
        plan, every = [call("cart", cart=self.title)], []
        for code, way in zip(codes, ways, strict=True):
            subject = self.rng.choice(subjects)
            more = self.rng.randint(0, 4) if way == "keep" else -self.rng.randint(1, 15)
            copies = self.rng.randint(1, 4) if way == "withdraw" else 0
            copies = self.rng.randint(0, 4) if way == "keep" else copies
            self.books[code] = {
                "subject": subject,
                "last lent": self.year + more,
                "other copies": copies,
            }
            stores = {each: call("store", barcode=code, stack=each) for each in stacks}
            keep, withdraw = call("keep", barcode=code), call("withdraw", barcode=code)
            todo = {"keep": keep, "withdraw": withdraw, "store": stores[where[subject]]}
            plan += [call("book", barcode=code), todo[way]]
            every += [call("book", barcode=code), keep, withdraw, *stores.values()]
        empty = call("empty", cart=self.title)
        self.lay_out([*plan, empty], [plan[0], *every, empty])
        asked = self.rng.choice(self.wordings).format(cart=self.title)
        head = Fact(f"Lent since {self.year}: stays. Stacks:", {"lent_since": self.year})
        return asked, [head, Rows("stacks", "* {subject} -> {stack}", self.arranged(table))]

    def answer(self, wanted: Call) -> Result:
        """Show, decide or end."""
        if wanted.values.get("cart", self.title) != self.title:
            return [Fact("no such cart", {"error": "no such cart"})]
        if wanted.operator == "cart":
            rows: list[dict[str, Value]] = [{"barcode": code} for code in self.books]
            return [Rows("books", "[ ] {barcode}", rows)]
        if wanted.values.get("barcode", next(iter(self.books))) not in self.books:
            return [Fact("no such book", {"error": "no such book"})]
        if wanted.operator == "book":
            book = self.books[wanted["barcode"]]
            return [Fact("\n".join(f"- {key}: {value}" for key, value in book.items()), book)]
        return [Fact("noted", {"noted": True})]


class TyreBay(Desk):
    """Four wheels are measured; worn ones get new tyres; the owner is phoned if most are."""

    name = "tyre-bay"
    difficulty = "four looks, each against a limit by a table; how many failed; then one end"
    operators = (
        Operator("card", "read the card of {plate}", about="Owner, kind and size of the tyres."),
        Operator("measure", "measure the {wheel} wheel", about="Tread that is left."),
        Operator("phone", "phone {person}", about="Where three or four are worn."),
        Operator("fit", "fit a {size} on the {wheel} wheel", about="A new tyre."),
        Operator("release", "release {plate}", about="Final."),
    )
    changing = irrevocable = ("phone", "fit")
    finals = ("release",)
    free = ("card", "measure", "phone", "fit", "release")
    horizon = 14

    wordings = (
        "Check the tyres of {plate}.",
        "The car {plate} is in the tyre bay.",
        "{person} has brought {plate} for its tyres.",
    )
    wheels = ("front left", "front right", "rear left", "rear right")
    kinds = ("summer", "winter", "all-season", "racing")

    def begin(self) -> tuple[str, Result]:
        """Draw a car, its treads and the limits."""
        worn = case_of(self.name, self.task, (0, 1, 2, 3, 4, 1, 2, 3))
        self.plate, (self.person,) = self.identifier("AA-###-A"), self.draw(SURNAMES)
        kinds = self.rng.sample(self.kinds, 3)
        limits = self.rng.sample(range(16, 50, 2), 3)
        self.kind, limit = kinds[0], limits[0]
        table: list[dict[str, Value]] = [
            {"kind": kind, "mm": f"{each / 10:.1f}"}
            for kind, each in zip(kinds, limits, strict=True)
        ]
        sizes = distinct(self._size, 3)
        self.size = sizes[0]
        bad = set(self.rng.sample(self.wheels, worn))
        self.treads = {
            wheel: limit - self.rng.randint(1, 15)
            if wheel in bad
            else limit + self.rng.randint(0, 35)
            for wheel in self.wheels
        }
        looks = [call("measure", wheel=wheel) for wheel in self.wheels]
        fits = {
            (size, wheel): call("fit", size=size, wheel=wheel)
            for size in sizes
            for wheel in self.wheels
        }
        card, phone = call("card", plate=self.plate), call("phone", person=self.person)
        release = call("release", plate=self.plate)
        plan = [card, *looks, *[phone] * (worn > 2)]
        plan += [fits[self.size, wheel] for wheel in self.wheels if wheel in bad]
        self.lay_out([*plan, release], [card, *looks, phone, *fits.values(), release])
        asked = self.rng.choice(self.wordings).format(plate=self.plate, person=self.person)
        head = Fact("Least tread:", {"about": "least tread"})
        return asked, [head, Rows("limits", "{kind:<12}{mm} mm", self.arranged(table))]

    def _size(self) -> str:
        """Draw a size of tyres."""
        wide, high = self.rng.randrange(175, 255, 10), self.rng.randrange(40, 70, 5)
        return f"{wide}/{high} R{self.rng.randint(15, 19)}"

    def answer(self, wanted: Call) -> Result:
        """Show, measure, fit or end."""
        values = wanted.values
        known = (values.get("plate", self.plate), values.get("person", self.person))
        if known != (self.plate, self.person):
            return [Fact("Not known here.", {"error": "not known"})]
        if values.get("wheel", self.wheels[0]) not in self.wheels:
            return [Fact("There is no such wheel.", {"error": "no such wheel"})]
        if wanted.operator == "card":
            text = f"The car of {self.person} runs on {self.kind} tyres, size {self.size}."
            data: dict[str, Value] = {"owner": self.person, "kind": self.kind}
            return [Fact(text, data | {"size": self.size})]
        if wanted.operator == "measure":
            tread = f"{self.treads[wanted['wheel']] / 10:.1f}"
            return [Fact(f"It has {tread} mm left.", {"mm": tread})]
        return [Fact("Done.", {"done": True})]


class PhotometerBlank(Desk):
    """A cuvette is rinsed until the blank is low; the sample less the blank is reported."""

    name = "photometer-blank"
    difficulty = "JSON lines; mend until a number is low; a difference, unless one is above the top"
    operators = (
        Operator("method", "load method {method}", about="Its limits."),
        Operator("blank", "read the blank", about="As the cuvette is now."),
        Operator("rinse", "rinse the cuvette", about="Where the blank is too high."),
        Operator("read_sample", "read sample {sample}", about="Once the blank is low."),
        Operator("report", "report {value} for {sample}", ("value",), "Final."),
        Operator("dilute", "put {sample} aside to dilute", about="Final: it is above the top."),
    )
    changing, finals = ("rinse",), ("report", "dilute")
    free = ("method", "blank", "rinse", "read_sample", "report", "dilute")
    counted = True
    horizon = 12

    wordings = (
        "Sample {sample} by method {method}.",
        "Measure {sample}, the method is {method}.",
        "{person} needs the value of {sample} (method {method}).",
        "Run {method} on sample {sample}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a method, blanks and a sample."""
        cases = ((0, True), (1, True), (0, False), (2, True), (1, False), (1, True))
        rinses, fits = case_of(self.name, self.task, cases)
        self.sample, self.code = self.identifier("S-####"), self.identifier("A##")
        (person,) = self.draw(PEOPLE)
        self.most, self.top = self.rng.randint(15, 45), self.rng.randrange(600, 1800, 50)
        last = self.rng.randint(3, self.most)
        highs = [self.most + self.rng.randint(1, 20), self.most + self.rng.randint(21, 60)]
        self.blanks = [*reversed(highs[:rinses]), last]
        less = self.rng.randint(0, self.top - 150)
        self.reading = self.top - less if fits else self.top + self.rng.randint(1, 90)
        value = self.reading - last
        wrong = {self.reading, self.reading + last, value + 1, self.reading - self.most, value - 10}
        wrong |= {self.reading - high for high in self.blanks[:-1]}
        values = [value, *sorted(wrong - {value})]
        reports = [call("report", value=each, sample=self.sample) for each in values]
        method, blank, rinse = call("method", method=self.code), call("blank"), call("rinse")
        sample, dilute = (call(each, sample=self.sample) for each in ("read_sample", "dilute"))
        plan = [method, blank, *[rinse, blank] * rinses, sample]
        plan.append(reports[0] if fits else dilute)
        self.lay_out(plan, [method, blank, rinse, sample, *reports, dilute])
        asked = self.rng.choice(self.wordings).format(
            sample=self.sample, method=self.code, person=person
        )
        hours = self.rng.randint(40, 900)
        return asked, [Fact(f'{{"lamp": "on", "hours": {hours}}}', {"lamp": "on", "hours": hours})]

    def answer(self, wanted: Call) -> Result:
        """Show, read, rinse or end."""
        values = wanted.values
        known = (values.get("sample", self.sample), values.get("method", self.code))
        if known != (self.sample, self.code):
            return [Fact('{"error": "unknown"}', {"error": "unknown"})]
        if wanted.operator == "method":
            text = f'{{"nm": 540, "blank_at_most": {self.most}, "top": {self.top}}}'
            data: dict[str, Value] = {"nm": 540, "blank_at_most": self.most}
            return [Fact(text, data | {"top": self.top})]
        if wanted.operator == "blank":
            return [Fact(f'{{"blank": {self.blanks[0]}}}', {"blank": self.blanks[0]})]
        if wanted.operator == "rinse":
            self.blanks = self.blanks[1:] or self.blanks
        if wanted.operator == "read_sample":
            return [Fact(f'{{"reading": {self.reading}}}', {"reading": self.reading})]
        return [Fact('{"ok": true}', {"ok": True})]


class ArrayDisk(Desk):
    """Every disk of an array is asked; one that fails is swapped and rebuilt, two go to the owner.

    Half of the tests have a disk that does not answer: nobody has shown what to do then.
    """

    name = "array-disk"
    difficulty = "looks at all of a list; by how many fail; the least that fits; waiting; unshown"
    operators = (
        Operator("array", "array {array}", about="Disks and owner."),
        Operator("smart", "smart {disk}", about="Health of a disk."),
        Operator("spares", "spares", about="Disks on the shelf."),
        Operator("swap", "swap {disk} {spare}", about="Takes a disk out, puts a spare in."),
        Operator("progress", "progress {array}", about="Of a rebuild."),
        Operator("close", "close {ticket}", about="Final."),
        Operator("escalate", "escalate {ticket} {person}", about="Final: two disks fail."),
    )
    changing = irrevocable = ("swap",)
    finals = ("close", "escalate")
    free = ("array", "smart", "spares", "swap", "progress", "close", "escalate")
    horizon = 14
    abstaining = True

    wordings = (
        "{ticket}: array {array} beeps.",
        "Ticket {ticket}, look after array {array}.",
        "See to the disks of {array} ({ticket}).",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw disks, their health and spares."""
        bad, waits = case_of(self.name, self.task, ((1, 0), (1, 1), (0, 0), (1, 2), (2, 0)))
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        bad = min(bad, 1) if self.unsettled else bad
        self.ticket, self.title = self.identifier("OPS-####"), self.identifier("aaa##")
        (self.person, other), self.limit = self.draw(PEOPLE, 2), self.rng.randint(10, 60)
        self.size = self.rng.choice((4, 6, 8, 10, 12))
        disks = distinct(lambda: self.identifier("ZA####"), self.rng.randint(3, 4))
        failing = set(self.rng.sample(disks, bad))
        self.sectors = {
            disk: self.limit + self.rng.randint(1, 200)
            if disk in failing
            else self.rng.randint(0, self.limit)
            for disk in disks
        }
        self.hours = {disk: self.rng.randint(900, 60000) for disk in disks}
        spares = distinct(lambda: self.identifier("SP###"), 5)
        more = sorted(self.rng.sample(range(0, 14, 2), 3))
        sizes = [self.size + each for each in more]
        sizes += [self.size - each for each in self.rng.sample((1, 2, 3), 2)]
        rows: list[dict[str, Value]] = [
            {"spare": spare, "tb": size} for spare, size in zip(spares, sizes, strict=True)
        ]
        self.rows = self.arranged(rows, rows[0])
        self.spares = spares
        self.states = [*sorted(self.rng.sample(range(4, 99), waits)), 100]
        looks = [call("smart", disk=disk) for disk in disks]
        swaps = {
            (disk, spare): call("swap", disk=disk, spare=spare)
            for disk in disks
            for spare in spares
        }
        array, progress = (call(each, array=self.title) for each in ("array", "progress"))
        close = call("close", ticket=self.ticket)
        ups = [call("escalate", ticket=self.ticket, person=p) for p in (self.person, other)]
        plan = [array, *looks]
        if bad == 1:
            plan += [call("spares"), swaps[next(iter(failing)), spares[0]]]
            plan += [progress] * len(self.states)
        plan.append(ups[0] if bad == 2 else close)
        self.rebuilt = bad != 1
        self.lay_out(plan, [array, *looks, call("spares"), *swaps.values(), progress, close, *ups])
        asked = self.rng.choice(self.wordings).format(ticket=self.ticket, array=self.title)
        text = f"runbook disks: reallocated > {self.limit} means failing; on call: {other}"
        return asked, [Fact(text, {"reallocated_more_than": self.limit, "on_call": other})]

    def answer(self, wanted: Call) -> Result:
        """Show, swap, wait or end."""
        values = wanted.values
        known = (values.get("array", self.title), values.get("ticket", self.ticket))
        if known != (self.title, self.ticket):
            return [Fact("unknown", {"error": "unknown"})]
        if wanted.operator == "array":
            text = f"owner={self.person} disk_size={self.size}TB"
            fact = Fact(text, {"owner": self.person, "disk_size": self.size})
            rows: list[dict[str, Value]] = [{"disk": disk} for disk in self.sectors]
            return [fact, Rows("disks", "disk {disk}", rows)]
        if wanted.operator == "spares":
            return [Rows("spares", "{spare} {tb}TB", self.rows)]
        if values.get("disk", next(iter(self.sectors))) not in self.sectors:
            return [Fact("no such disk", {"error": "no such disk"})]
        if values.get("spare", self.spares[0]) not in self.spares:
            return [Fact("no such spare", {"error": "no such spare"})]
        if wanted.operator == "smart":
            disk = wanted["disk"]
            if self.unsettled and disk == [*self.sectors][-1]:
                self.met = True
                return [Fact("the disk does not answer", {"state": "does not answer"})]
            text = f"hours={self.hours[disk]} reallocated={self.sectors[disk]}"
            data: dict[str, Value] = {"hours": self.hours[disk]}
            return [Fact(text, data | {"reallocated": self.sectors[disk]})]
        if wanted.operator == "progress":
            state = self.states[0] if self.made else 100
            self.states = self.states[1:] or self.states if self.made else self.states
            self.rebuilt = self.rebuilt or (state == 100 and bool(self.made))
            return [Fact(f"rebuild={state}%", {"rebuild": state})]
        if wanted.operator == "close":
            self.out_of_turn = not self.rebuilt
        return [Fact("ok", {"ok": True})]
