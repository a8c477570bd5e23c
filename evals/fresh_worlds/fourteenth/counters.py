"""Counters: a hotline for bins, a kennel that is full or not, umbrellas that were found."""

from __future__ import annotations

from ...ladder.names import CITIES, COLOURS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class BinTelephone(Desk):
    """A hotline tells which key means what; what a bin costs is accepted or not."""

    name = "bin-telephone"
    difficulty = "keys are told in sentences and differ each time; a price within a limit"
    operators = (
        Operator("press", "press {key}", ("key",), "What the voice offers."),
        Operator("enter", "enter {number}", about="A number that the voice asks for."),
        Operator("hang_up", "hang up", about="Final."),
    )
    changing, irrevocable, finals = ("press", "enter"), (), ("hang_up",)
    free = ("press", "enter", "hang_up")
    counted = True
    horizon = 8

    wordings = (
        "Customer {number} wants a new bin of {litres} litres for at most {most} euros.",
        "Order a new bin, {litres} litres, up to {most} euros. The customer number is {number}.",
    )
    missed = (
        "The bin of customer {number} was not emptied. Report the missed collection.",
        "Report a missed collection for customer {number}.",
    )
    services = ("a new bin", "a missed collection", "bulky waste", "opening hours")

    def begin(self) -> tuple[str, Result]:
        """Draw keys, a fee and what is wanted."""
        kind = case_of(self.name, self.task, ("cheap", "missed", "dear"))
        self.number, self.reply = self.identifier("#######"), self.identifier("AA####")
        litres = self.rng.sample((40, 60, 80, 120, 240, 360), 3)
        most = self.rng.randint(20, 80)
        self.fee = most + self.rng.randint(1, 15) * (1 if kind == "dear" else -1)
        keys = [*map(str, range(1, 10))]
        top, sizes = self.rng.sample(keys, 4), self.rng.sample(keys, 3)
        self.top = dict(zip(top, self.rng.sample(self.services, 4), strict=True))
        self.sizes = dict(zip(sizes, litres, strict=True))
        self.last = dict(zip(self.rng.sample(keys, 2), ("accept", "decline"), strict=True))
        service = self.services[1 if kind == "missed" else 0]
        wanted = [key for key, each in self.top.items() if each == service]
        if kind != "missed":
            wanted += [sizes[0], [*self.last][kind == "dear"]]
        self.calls = [call("press", key=key) for key in wanted]
        self.calls.insert(1, call("enter", number=self.number))
        self.at = 0
        self.calls.append(call("hang_up"))
        others = [call("press", key=key) for key in keys]
        self.lay_out(self.calls, [*others, call("hang_up")])
        wordings = self.missed if kind == "missed" else self.wordings
        asked = self.rng.choice(wordings).format(number=self.number, litres=litres[0], most=most)
        return asked, [self._told(f"Welcome to the city's bins. {_offer(self.top, 'For {}')}")]

    def answer(self, wanted: Call) -> Result:
        """Say what the voice says next; a wrong key leads nowhere."""
        right = self.at < len(self.calls) and wanted == self.calls[self.at]
        if wanted.operator == "hang_up":
            self.out_of_turn = not right
            return [Fact("The line is dead.", {"over": True})]
        if not right:
            self.out_of_turn = True
            text = "We are sorry, nobody can help you with that now."
            return [Fact(text, {"voice": text})]
        self.at += 1
        if self.at == 1:
            return [self._told("Please enter your customer number.")]
        if self.at == 2 and len(self.calls) > 3:
            return [self._told(f"Which size? {_offer(self.sizes, 'For {} litres')}")]
        if self.at == 3:
            return [self._told(f"That is {self.fee} euros. {_offer(self.last, 'To {}')}")]
        return [self._told(f"Thank you. Your reference is {self.reply}.")]

    def _told(self, text: str) -> Fact:
        return Fact(text, {"voice": text})


def _offer(keys: dict[str, str] | dict[str, int], form: str) -> str:
    """Write a menu as it is spoken."""
    parts = [f"{form.format(each)} press {key}" for key, each in keys.items()]
    return f"{', '.join(parts).capitalize()}."


class KennelStay(Desk):
    """A dog gets the smallest free run that it fits; without a valid vaccination it gets none."""

    name = "kennel-stay"
    difficulty = "JSON lines; two dates compared; the smallest that is free and large enough"
    operators = (
        Operator("dog", "GET /dogs/{dog}", about="Weight and vaccination of a dog."),
        Operator("runs", "GET /runs/{day}", about="Runs on a day."),
        Operator("stay", "POST /runs/{run}/dogs/{dog}", about="Gives a run to a dog."),
        Operator("mail", "POST /mails/{owner}", about="Writes to an owner."),
        Operator("confirm", "PUT /dogs/{dog}/confirmed", about="Final: there is a run."),
        Operator("refuse", "PUT /dogs/{dog}/refused", about="Final: the vaccination ends before."),
        Operator("queue", "PUT /dogs/{dog}/queued", about="Final: no run is free for it."),
    )
    changing, irrevocable = ("stay", "mail"), ("stay",)
    finals = ("confirm", "refuse", "queue")
    free = ("dog", "runs", "stay", "mail", "confirm", "refuse", "queue")
    horizon = 8

    wordings = (
        "Dog {dog} comes on {day}.",
        "Find a run for {dog}, it arrives on {day}.",
        "The owner of dog {dog} asks for {day}.",
        "On {day} we may get {dog}: see to it.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a dog and the runs of a day."""
        kind = case_of(self.name, self.task, ("free", "free", "free", "refuse", "queue"))
        self.dog, (self.owner,) = self.identifier("D####"), self.draw(SURNAMES)
        month = self.rng.randint(2, 11)
        self.day = f"2026-{month:02}-{self.rng.randint(1, 28):02}"
        other = month - 1 if kind == "refuse" else month + 1
        self.until = f"2026-{other:02}-{self.rng.randint(1, 28):02}"
        self.kilos = self.rng.randint(12, 50)
        names = distinct(lambda: self.identifier("A-##"), 5)
        sizes = [self.kilos + each for each in self.rng.sample(range(1, 25), 3)]
        sizes += [self.kilos - each for each in self.rng.sample(range(1, 11), 2)]
        states = ["free", "free", self.rng.choice(("free", "taken")), "free", "taken"]
        if self.rng.random() < 0.6:  # then the tightest is not always the first of the free ones
            states[sizes.index(min(sizes[:3]))] = "taken"
        if kind == "queue":
            states[:3] = ["taken"] * 3
        rows: list[dict[str, Value]] = [
            {"run": name, "up_to_kilos": size, "state": state}
            for name, size, state in zip(names, sizes, states, strict=True)
        ]
        fits = [i for i in range(3) if states[i] == "free"]
        best = min(fits, key=lambda i: sizes[i]) if fits else 0
        self.rows = self.arranged(rows, rows[best])
        stays = [call("stay", run=name, dog=self.dog) for name in names]
        confirm, refuse, queue = (call(each, dog=self.dog) for each in self.finals)
        looks = [call("dog", dog=self.dog), call("runs", day=self.day)]
        mail = call("mail", owner=self.owner)
        plan = {
            "free": [*looks, stays[best], confirm],
            "refuse": [looks[0], mail, refuse],
            "queue": [*looks, mail, queue],
        }[kind]
        self.lay_out(plan, [*looks, *stays, mail, confirm, refuse, queue])
        asked = self.rng.choice(self.wordings).format(dog=self.dog, day=self.day)
        dogs = self.rng.randint(3, 30)
        return asked, [Fact(f'{{"dogs_here": {dogs}}}', {"dogs_here": dogs})]

    def answer(self, wanted: Call) -> Result:
        """Show, book, write or end."""
        values = wanted.values
        known = (self.dog, self.day, self.owner)
        if (values.get("dog", known[0]), values.get("day", known[1])) != known[:2]:
            return [Fact('{"error": 404}', {"error": 404})]
        if values.get("owner", self.owner) != self.owner:
            return [Fact('{"error": 404}', {"error": 404})]
        if wanted.operator == "dog":
            text = f'{{"owner": "{self.owner}", "kilos": {self.kilos}, '
            text += f'"vaccinated_until": "{self.until}"}}'
            data: dict[str, Value] = {"owner": self.owner, "kilos": self.kilos}
            return [Fact(text, data | {"vaccinated_until": self.until})]
        if wanted.operator == "runs":
            line = '{{"run": "{run}", "up_to_kilos": {up_to_kilos}, "state": "{state}"}}'
            return [Rows("runs", line, self.rows)]
        if wanted.operator == "stay" and wanted["run"] not in [row["run"] for row in self.rows]:
            return [Fact('{"error": 404}', {"error": 404})]
        return [Fact('{"status": 200}', {"status": 200})]


class UmbrellaDesk(Desk):
    """What was lost is sought among what was found since; what is dear needs papers as well."""

    name = "umbrella-desk"
    difficulty = "rows that fit a colour, found since a day; papers above a value; or nothing is"
    operators = (
        Operator("finds", "leaf through the {item} pages", about="What was found."),
        Operator("papers", "ask {person} for papers", about="Where it is worth much."),
        Operator("hand_out", "hand out no. {number} to {person}", ("number",), "Final."),
        Operator("note", "write down for {person}: {item}, {colour}", about="Final: not here."),
    )
    changing, finals = ("papers",), ("hand_out", "note")
    free = ("finds", "papers", "hand_out", "note")
    horizon = 6

    wordings = (
        "{person} lost something on {day}: {item}, {colour}.",
        "On {day} {person} left the {colour} {item} on the train.",
        "{person} has missed this {item} since {day}. The colour is {colour}.",
    )
    items = ("umbrella", "scarf", "suitcase", "rucksack", "hat", "wallet", "glove")

    def begin(self) -> tuple[str, Result]:
        """Draw what was lost and what was found."""
        kind = case_of(self.name, self.task, ("cheap", "dear", "cheap", "dear", "none"))
        (self.person,), item = self.draw(SURNAMES), self.rng.choice(self.items)
        colour, *others = self.rng.sample(COLOURS, 4)
        limit, lost = self.rng.randrange(30, 80, 5), self.rng.randint(8, 20)
        self.item, month = item, self.rng.randint(1, 12)
        worth = limit + self.rng.randint(1, 40) * (1 if kind == "dear" else -1)
        worth = max(worth, 4)
        numbers = self.rng.sample(range(1000, 9999), 5)
        finds = [(colour, lost + self.rng.randint(0, 6), worth)] if kind != "none" else []
        finds += [(colour, lost - self.rng.randint(1, 7), self.rng.randint(4, 110))]
        finds += [(c, self.rng.randint(1, 28), self.rng.randint(4, 110)) for c in others]
        rows: list[dict[str, Value]] = [
            {
                "no": number,
                "colour": each,
                "day": f"2026-{month:02}-{day:02}",
                "place": self.rng.choice(CITIES),
                "worth": value,
            }
            for number, (each, day, value) in zip(numbers, finds, strict=False)
        ]
        self.rows = self.arranged(rows, rows[0])
        hands = [call("hand_out", number=row["no"], person=self.person) for row in rows]
        papers = call("papers", person=self.person)
        note = call("note", person=self.person, item=item, colour=colour)
        plan = [call("finds", item=item), *[papers] * (kind == "dear")]
        plan.append(note if kind == "none" else hands[0])
        self.lay_out(plan, [*hands, papers, note])
        asked = self.rng.choice(self.wordings).format(
            person=self.person, colour=colour, item=item, day=f"2026-{month:02}-{lost:02}"
        )
        text = f"Papers are asked for from {limit} euros."
        return asked, [Fact(text, {"papers_from": limit})]

    def answer(self, wanted: Call) -> Result:
        """Show, ask or end."""
        if wanted.values.get("person", self.person) != self.person:
            return [Fact("Nobody of that name stands here.", {"error": "nobody"})]
        if wanted.operator == "finds":
            if wanted["item"] != self.item:
                return [Fact("Nothing on those pages.", {"error": "nothing"})]
            line = "{no}. {colour}, found {day} near {place}, worth about {worth} euros"
            return [Rows("finds", line, self.rows)]
        if wanted.operator == "papers":
            return [Fact("They are in order.", {"papers": True})]
        return [Fact("Done.", {"done": True})]
