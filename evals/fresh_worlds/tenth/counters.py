"""Counters: a label, a table, a meter, a barrier."""

from __future__ import annotations

from ...ladder.names import CITIES, PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Value, call
from ..cases import case_of
from ..desk import Desk


class ParcelLabel(Desk):
    """A label is filled in from the task; a sticker goes on what can break."""

    name = "parcel-label"
    difficulty = "four values of the task into a form, one in capitals, and a step that is optional"
    operators = (
        Operator("to", 'set to="{name}"', about="Who gets the parcel."),
        Operator("city", 'set city="{city}"', about="Where it goes."),
        Operator("kg", "set kg={weight}", about="What it weighs."),
        Operator("service", "set service={service}", about="How it travels."),
        Operator("sticker", "sticker FRAGILE", about="Puts a sticker on the parcel."),
        Operator("print", "print label", about="Final."),
    )
    changing = ("to", "city", "kg", "service", "sticker")
    finals, free = ("print",), ("to", "city", "kg", "service")
    horizon = 10

    wordings = (
        "Parcel for {person} in {city}, {weight} kg, {service}{more}.",
        "Send {weight} kg to {person}, {city}, by {service} post{more}.",
        "Label wanted: {service}, {weight} kg{more}, to {person} ({city}).",
    )
    services = ("express", "standard", "economy")

    def begin(self) -> tuple[str, Result]:
        """Draw a parcel."""
        (first,), (last,), (city,) = self.draw(PEOPLE), self.draw(SURNAMES), self.draw(CITIES)
        cases = tuple((s, breaks) for s in self.services for breaks in (True, False))
        service, breaks = case_of(self.name, self.task, cases)
        person, weight = f"{first} {last}", f"{self.rng.randint(3, 199) / 10:.1f}"
        plan = [call("to", name=person), call("city", city=city), call("kg", weight=weight)]
        plan.append(call("service", service=service.upper()))
        plan += [call("sticker")] if breaks else []
        others = [call("service", service=each.upper()) for each in self.services]
        self.lay_out([*plan, call("print")], [*others, call("sticker")])
        asked = self.rng.choice(self.wordings).format(
            person=person,
            city=city,
            weight=weight,
            service=service,
            more=", fragile" if breaks else "",
        )
        printed = self.rng.randint(2, 240)
        return asked, [Fact(f"LABELS 2.4, {printed} printed today", {"printed": printed})]

    def answer(self, wanted: Call) -> Result:
        """Fill a field, put the sticker on or print."""
        if wanted.operator == "print":
            return [Fact("printing ...", {"printing": True})]
        self.made = [each for each in self.made if each.operator != wanted.operator]
        return [Fact("ok", {"ok": True})]


class TableReserve(Desk):
    """Guests get a table in the bistro or, if they are many, in the hall."""

    name = "bistro-table"
    difficulty = "one sentence takes four values; a number decides one of them"
    operators = (
        Operator(
            "put",
            "put {name} down for {guests} at {time} in the {room}",
            ("guests",),
            "Writes guests into the book.",
        ),
        Operator("chair", "have a high chair ready for {name}", about="For small children."),
        Operator("confirm", "confirm to {phone}", about="Final."),
    )
    changing, finals, free = ("put", "chair"), ("confirm",), ("put", "chair", "confirm")
    horizon = 6

    wordings = (
        "{name} wants a table for {guests} at {time}{more}. Phone {phone}.",
        "Table for {guests}{more}: {name}, {time}. Call back on {phone}.",
        "At {time} {name} comes with a party of {guests} in all{more}. The number is {phone}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw guests."""
        (name,) = self.draw(SURNAMES)
        cases = tuple((many, baby) for many in (False, True) for baby in (False, False, True))
        many, baby = case_of(self.name, self.task, cases)
        guests = self.rng.randint(7, 18) if many else self.rng.randint(2, 6)
        time = f"{self.rng.randint(17, 21)}:{self.rng.choice(('00', '15', '30', '45'))}"
        phone = self.identifier("07## ####")
        rooms = ("hall", "bistro") if many else ("bistro", "hall")
        puts = [call("put", name=name, guests=guests, time=time, room=room) for room in rooms]
        chair = call("chair", name=name)
        plan = [puts[0], *([chair] if baby else []), call("confirm", phone=phone)]
        self.lay_out(plan, [*puts, chair])
        asked = self.rng.choice(self.wordings).format(
            name=name,
            guests=guests,
            time=time,
            phone=phone,
            more=", one of them a baby" if baby else "",
        )
        text = "Book of the day. Bistro: up to 6 at a table. Hall: parties of 7 and more."
        return asked, [Fact(text, {"bistro": "up to 6", "hall": "7 and more"})]

    def answer(self, wanted: Call) -> Result:
        """Write into the book or confirm."""
        if wanted.operator == "put":
            self.overwrite(wanted, "name")
            return [Fact("Written into the book.", {"written": True})]
        if wanted.operator == "chair":
            return [Fact("A high chair is set aside.", {"set_aside": True})]
        return [Fact("Confirmed.", {"confirmed": True})]


class MeterReading(Desk):
    """A reading is entered for the account of its meter; some get a bill on paper."""

    name = "meter-slip"
    difficulty = "a record leads to an account, and a word in it to a step more"
    operators = (
        Operator("meter", "/meter {meter}", about="A meter's record."),
        Operator("reading", "/reading account={account} m3={value}", ("value",), "Enters it."),
        Operator("paper", "/paperbill account={account}", about="A bill by post."),
        Operator("done", "/done {ticket}", about="Final."),
    )
    changing, irrevocable, finals = ("reading", "paper"), ("reading", "paper"), ("done",)
    free = ("meter", "reading", "done")
    horizon = 8

    wordings = (
        "{ticket}: meter {meter} reads {value}.",
        "The photo in {ticket} shows {value} on meter {meter}. Enter it.",
        "Please enter {value} m3 for water meter {meter} and finish {ticket}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a meter."""
        self.meter, self.ticket = self.identifier("W########"), self.identifier("T-####")
        account, (self.city,) = self.identifier("####/##"), self.draw(CITIES)
        last = self.rng.randint(100, 5000)
        value = last + self.rng.randint(20, 300)
        bill = case_of(self.name, self.task, ("post", "mail", "app", "post"))
        self.record: dict[str, Value] = {
            "meter": self.meter,
            "town": self.city,
            "account": account,
            "last": last,
            "bill": bill,
        }
        readings = [call("reading", account=account, value=each) for each in (value, last)]
        paper = call("paper", account=account)
        plan = [call("meter", meter=self.meter), readings[0]]
        plan += [paper] if bill == "post" else []
        self.lay_out([*plan, call("done", ticket=self.ticket)], [*readings, paper])
        asked = self.rng.choice(self.wordings).format(
            ticket=self.ticket, meter=self.meter, value=value
        )
        online = self.rng.randint(3, 20)
        return asked, [Fact(f"#meter-desk ({online} online)", {"online": online})]

    def answer(self, wanted: Call) -> Result:
        """Show, enter, order a bill or finish."""
        if wanted.operator == "meter":
            if wanted["meter"] != self.meter:
                return [Fact("bot: no such meter", {"error": "no such meter"})]
            text = ", ".join(f"{key} {value}" for key, value in self.record.items())
            return [Fact(f"bot: {text}", self.record)]
        if wanted.operator == "done" and wanted["ticket"] != self.ticket:
            return [Fact("bot: no such ticket", {"error": "no such ticket"})]
        return [Fact("bot: noted", {"noted": True})]


class BarrierKeys(Desk):
    """The number beside the kind of vehicle is pressed; a coach tells its passengers."""

    name = "barrier-keys"
    difficulty = "a menu whose numbers are drawn anew; the task's word chooses the line"
    operators = (
        Operator("key", "{number}", ("number",), "A number of the menu."),
        Operator("plate", "plate {plate}", about="Types the plate."),
        Operator("passengers", "passengers {count}", ("count",), "How many sit in a coach."),
        Operator("raise", "raise", about="Opens the barrier. Final."),
    )
    changing, finals = ("key", "plate", "passengers"), ("raise",)
    free = ("plate", "passengers")
    horizon = 8

    wordings = (
        "A {kind} is at the barrier, plate {plate}{more}.",
        "Let the {kind} {plate} in{more}.",
        "{plate} ({kind}) wants to come in{more}.",
    )
    kinds = ("car", "van", "lorry", "coach")

    def begin(self) -> tuple[str, Result]:
        """Draw a vehicle and a menu."""
        kind = case_of(self.name, self.task, (*self.kinds, "coach"))
        plate, people = self.identifier("AA ###-A"), self.rng.randint(12, 55)
        menu = self.rng.sample(self.kinds, len(self.kinds))
        numbers = {each: str(n) for n, each in enumerate(menu, 1)}
        plan = [call("key", number=numbers[kind]), call("plate", plate=plate)]
        plan += [call("passengers", count=people)] if kind == "coach" else []
        self.lay_out([*plan, call("raise")], [call("key", number=n) for n in numbers.values()])
        asked = self.rng.choice(self.wordings).format(
            kind=kind, plate=plate, more=f" with {people} on board" if kind == "coach" else ""
        )
        lines = "\n".join(f"[{number}] {each}" for each, number in numbers.items())
        data: dict[str, Value] = {number: each for each, number in numbers.items()}
        return asked, [Fact(f"GATE {self.rng.randint(1, 9)}\n{lines}", data)]

    def answer(self, wanted: Call) -> Result:
        """Take a key, a plate or a number; open."""
        if wanted.operator == "raise":
            return [Fact("The barrier is up.", {"up": True})]
        self.made = [each for each in self.made if each.operator != wanted.operator]
        return [Fact(f"{wanted.operator}: ok", {"ok": wanted.operator})]
