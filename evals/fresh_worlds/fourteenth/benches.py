"""Benches: a kiln, a tailor's table, a watch that gains or loses."""

from __future__ import annotations

from ...ladder.names import PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk


class KilnShelf(Desk):
    """Damp pieces go to the cupboard, the kiln cools, and fires as the weakest piece bears."""

    name = "kiln-shelf"
    difficulty = "some of a list are seen to; wait until a number is low; the smallest of a column"
    operators = (
        Operator("ticket", "read ticket {ticket}", about="The pieces of a shelf."),
        Operator("dry", "dry piece {piece}", ("piece",), "Puts a piece into the cupboard."),
        Operator("kiln", "look at the kiln", about="How hot it is."),
        Operator("wait", "wait an hour", about="The kiln cools."),
        Operator("fire", "fire {ticket} at {degrees} degrees", ("degrees",), "Final."),
    )
    changing, finals = ("dry",), ("fire",)
    free = ("ticket", "dry", "kiln", "wait", "fire")
    horizon = 14

    wordings = (
        "Shelf {ticket} is to be fired.",
        "Please fire what is on ticket {ticket}.",
        "{person} wants shelf {ticket} fired tonight.",
        "Do the firing of {ticket}, the pots are all there.",
    )
    things = ("mug", "bowl", "jug", "plate", "vase", "tile", "lid", "egg cup")
    cold = 90

    def begin(self) -> tuple[str, Result]:
        """Draw a shelf and how hot the kiln is."""
        self.ticket, (person,) = self.identifier("SH###"), self.draw(SURNAMES)
        cases = tuple((damp, hot) for damp in (0, 1, 2) for hot in (0, 1, 2))
        damp, hot = case_of(self.name, self.task, cases)
        count = self.rng.randint(4, 6)
        numbers = sorted(self.rng.sample(range(11, 99), count))
        states = ["damp"] * damp + ["dry"] * (count - damp)
        self.rng.shuffle(states)
        bears = self.rng.sample(range(980, 1300, 5), count)
        rows: list[dict[str, Value]] = [
            {"piece": number, "thing": self.rng.choice(self.things), "state": state, "bears": most}
            for number, state, most in zip(numbers, states, bears, strict=True)
        ]
        self.rows = rows
        top = self.rng.randint(100, 240)
        self.heats = [top + 150, top, self.rng.randint(25, 85)][2 - hot :]
        dries = [call("dry", piece=number) for number in numbers]
        fires = [call("fire", ticket=self.ticket, degrees=each) for each in bears]
        kiln, wait = call("kiln"), call("wait")
        plan = [call("ticket", ticket=self.ticket)]
        plan += [each for each, state in zip(dries, states, strict=True) if state == "damp"]
        plan += [kiln, *[wait, kiln] * hot, fires[bears.index(min(bears))]]
        self.lay_out(plan, [*dries, *fires, kiln, wait])
        asked = self.rng.choice(self.wordings).format(ticket=self.ticket, person=person)
        text = f"The kiln was last swept {self.rng.randint(2, 30)} days ago."
        return asked, [Fact(text, {"note": text})]

    def answer(self, wanted: Call) -> Result:
        """Show, dry, wait or fire."""
        if wanted.values.get("ticket", self.ticket) != self.ticket:
            return [Fact("There is no such ticket.", {"error": "no such ticket"})]
        if wanted.operator == "ticket":
            line = "No. {piece}, a {thing}: {state}, bears {bears} degrees"
            return [Rows("pieces", line, self.rows)]
        if wanted.operator == "kiln":
            text = f"The kiln shows {self.heats[0]} degrees."
            return [Fact(text, {"degrees": self.heats[0]})]
        if wanted.operator == "wait":
            self.heats = self.heats[1:] or self.heats
            return [Fact("An hour goes by.", {"waited": 1})]
        if wanted.operator == "dry":
            if wanted["piece"] not in [str(row["piece"]) for row in self.rows]:
                return [Fact("There is no such piece.", {"error": "no such piece"})]
            return [Fact("It is in the cupboard.", {"dried": True})]
        self.out_of_turn = self.heats[0] > self.cold
        return [Fact("The kiln is on.", {"on": True})]


class TailorCard(Desk):
    """A garment is taken in or let out by what it differs; too little cloth sends it back."""

    name = "tailor-card"
    difficulty = "a table; a difference for each row, with its sign; one that is too large ends it"
    operators = (
        Operator("card", "card {order}", about="Measures of a garment."),
        Operator("take_in", "take in {part} by {cm} cm", ("cm",), "Makes it smaller."),
        Operator("let_out", "let out {part} by {cm} cm", ("cm",), "Makes it wider."),
        Operator("rail", "hang {order} on the rail", about="Final: it is done."),
        Operator("send_back", "send {order} back", about="Final: the seams are too narrow."),
    )
    changing, irrevocable = ("take_in", "let_out"), ("take_in", "let_out")
    finals = ("rail", "send_back")
    free = ("card", "take_in", "let_out", "rail", "send_back")
    horizon = 8

    wordings = (
        "Order {order} is on your table.",
        "{person} brought a {garment}, see order {order}.",
        "Alter the {garment} of order {order}.",
    )
    garments = ("jacket", "dress", "coat", "shirt", "waistcoat", "gown")
    parts = ("chest", "waist", "hip", "sleeve", "back", "collar")

    def begin(self) -> tuple[str, Result]:
        """Draw a garment and what is wanted."""
        self.order, (self.person,) = self.identifier("T-####"), self.draw(PEOPLE)
        self.garment, self.seam = self.rng.choice(self.garments), self.rng.randint(2, 4)
        kinds = {"in": (-1, 0), "out": (1, 0), "both": (-1, 1), "ins": (-1, -1), "tight": (9, -1)}
        kind = case_of(self.name, self.task, tuple(kinds))
        parts = self.rng.sample(self.parts, 4)
        signs = dict(zip(parts, (*kinds[kind], 0, 0), strict=True))
        self.rows: list[dict[str, Value]] = []
        work, every = [], []
        for part in self.arranged(parts):
            has, sign = self.rng.randint(38, 110), signs[part]
            by = self.rng.randint(1, self.seam)
            more = self.seam + self.rng.randint(1, 4) if sign == 9 else by * sign
            self.rows.append({"part": part, "has": has, "wanted": has + more})
            for cm in {abs(more) or by, by + 1, self.seam}:
                every.append(call("take_in", part=part, cm=cm))
                every.append(call("let_out", part=part, cm=cm))
            if sign:
                work.append(call("let_out" if sign > 0 else "take_in", part=part, cm=abs(more)))
        rail, back = call("rail", order=self.order), call("send_back", order=self.order)
        done = [back] if kind == "tight" else [*work, rail]
        self.lay_out([call("card", order=self.order), *done], [*every, rail, back])
        asked = self.rng.choice(self.wordings).format(
            order=self.order, person=self.person, garment=self.garment
        )
        text = f"{self.rng.randint(3, 30)} garments are waiting"
        return asked, [Fact(text, {"note": text})]

    def answer(self, wanted: Call) -> Result:
        """Show, sew or end."""
        if wanted.values.get("order", self.order) != self.order:
            return [Fact("no such order", {"error": "no such order"})]
        if wanted.operator == "card":
            text = f"**{self.garment}** of {self.person}, seams hold {self.seam} cm\n\n"
            text += "| part | has | wanted |\n|---|---|---|"
            data: dict[str, Value] = {"garment": self.garment, "of": self.person}
            fact = Fact(text, data | {"seams_hold": self.seam})
            return [fact, Rows("measures", "| {part} | {has} | {wanted} |", self.rows)]
        if wanted.operator in self.changing:
            if wanted["part"] not in [row["part"] for row in self.rows]:
                return [Fact("no such part", {"error": "no such part"})]
            return [Fact("sewn", {"sewn": True})]
        return [Fact("noted", {"noted": True})]


class WatchRate(Desk):
    """A watch is timed and turned until it keeps time; one that swings badly is oiled first."""

    name = "watch-rate"
    difficulty = "measure, mend, measure again; which way by a word, how long by a looked-up limit"
    operators = (
        Operator("slip", "slip {watch}", about="What a watch is."),
        Operator("time", "time {watch}", about="How it runs now."),
        Operator("oil", "oil {watch}", about="Where it swings below 220 degrees."),
        Operator("turn", "turn {watch} to {mark}", about="To minus or to plus."),
        Operator("box", "box {watch}", about="Final: it is ready."),
        Operator("maker", "post {watch} to the maker", about="Final: sealed ones."),
    )
    changing, irrevocable, finals = ("oil", "turn"), ("oil",), ("box", "maker")
    free = ("slip", "time", "oil", "turn", "box", "maker")
    counted = True
    horizon = 12

    wordings = (
        "Watch {watch} is next.",
        "{person} says that watch {watch} does not keep time.",
        "Regulate {watch}.",
    )
    makes = ("Falke", "Norden", "Petit", "Sirius", "Tempo", "Alba", "Orion")

    def begin(self) -> tuple[str, Result]:
        """Draw a watch and how it runs."""
        self.watch, (self.person,) = self.identifier("W####"), self.draw(PEOPLE)
        cases = (
            *((True, 0), (True, 1), (False, 0), (False, 1), (False, 2), (False, 2)),
            *((True, 2), (False, -1)),
        )
        weak, turns = case_of(self.name, self.task, cases)
        self.sealed = turns < 0
        self.limit, self.make = self.rng.randint(5, 15), self.rng.choice(self.makes)
        self.weak, self.verb = weak, self.rng.choice(("gains", "loses"))
        self.case = "sealed" if self.sealed else self.rng.choice(("screwed", "pressed"))
        self.swings = {True: self.rng.randint(160, 215), False: self.rng.randint(225, 310)}
        ends = self.rng.randint(0, self.limit)
        steps = [ends + self.rng.randint(16, 30), ends + self.rng.randint(40, 70)]
        self.rates = [*reversed(steps[: max(turns, 0)]), ends]
        watch = self.watch
        slip, time = call("slip", watch=watch), call("time", watch=watch)
        oil, box, maker = (call(each, watch=watch) for each in ("oil", "box", "maker"))
        turn = {
            verb: call("turn", watch=watch, mark=mark)
            for verb, mark in (("gains", "minus"), ("loses", "plus"))
        }
        plan = [slip, time, *[oil, time] * weak, *[turn[self.verb], time] * turns, box]
        plan = [slip, maker] if self.sealed else plan
        self.lay_out(plan, [time, oil, *turn.values(), box, maker])
        asked = self.rng.choice(self.wordings).format(watch=watch, person=self.person)
        text = f"room: {self.rng.randint(17, 25)} C"
        return asked, [Fact(text, {"room": text[6:]})]

    def answer(self, wanted: Call) -> Result:
        """Show, measure, mend or end."""
        if wanted["watch"] != self.watch:
            return [Fact("no such watch", {"error": "no such watch"})]
        if wanted.operator == "slip":
            data: dict[str, Value] = {
                "owner": self.person,
                "make": self.make,
                "case": self.case,
                "limit": f"{self.limit} seconds",
            }
            return [Fact("\n".join(f"{key}: {value}" for key, value in data.items()), data)]
        if wanted.operator == "time":
            swing = self.swings[self.weak]
            text = f"{self.verb} {self.rates[0]} seconds a day, swings {swing} degrees"
            return [Fact(text, {"rate": self.rates[0], "verb": self.verb, "swing": swing})]
        if wanted.operator == "oil":
            self.weak = False
        elif wanted.operator == "turn":
            if wanted["mark"] not in ("minus", "plus"):
                return [Fact("minus or plus?", {"error": "minus or plus?"})]
            self.rates = self.rates[1:] or self.rates
        return [Fact("done", {"done": True})]
