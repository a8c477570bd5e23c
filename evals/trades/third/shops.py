"""Trades with customers at the counter: a pharmacy, a utility, and a theatre."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

from ..trade import Policy, Record, Result, day
from .desk import Desk

__all__ = ["Meters", "Pharmacy", "Seats"]

_TODAY = "2026-11-20"


class Pharmacy(Desk):
    """Refills from a table of lots told in text; orders cancelled or sent elsewhere."""

    name = "pharmacy"
    prompt = "You work for a pharmacy. Today is 2026-11-20."
    reading = ("get_prescription", "get_patient", "list_dispensings", "get_stock", "get_order")
    traps = (
        "hold",
        "allergy",
        "lastday",
        "recalled",
        "onlycheck",
        "othername",
        "emptyshelf",
        "controlled",
        "nopacks",
        "twolots",
        "paidorder",
    )
    tools = (
        "get_prescription",
        "get_patient",
        "list_dispensings",
        "get_stock",
        "get_order",
        "dispense",
        "order_stock",
        "ask_doctor",
        "cancel_order",
        "move_order",
        "notify",
    )

    def get_prescription(self, rx: str) -> Result:
        """Look up a prescription."""
        return self.row("rx", rx)

    def get_patient(self, patient: str) -> Result:
        """Look up a patient."""
        return self.row("patient", patient)

    def list_dispensings(self, rx: str) -> Result:
        """Days on which a prescription was dispensed, oldest first."""
        return self.row("days", rx)

    def get_stock(self, article: str) -> Result:
        """Lots of an article, as a table."""
        return self.row("stock", article)

    def get_order(self, order: str) -> Result:
        """Look up a customer's order."""
        return self.row("order", order)

    def dispense(self, rx: str, lot: str, packs: int) -> Result:
        """Dispense packs of a lot."""
        return {"rx": rx, "dispensed": packs}

    def order_stock(self, article: str, packs: int) -> Result:
        """Order an article from the wholesaler."""
        return {"ordered": article, "eta": "tomorrow"}

    def ask_doctor(self, doctor: str, rx: str, question: str) -> Result:
        """Ask a doctor about a prescription."""
        return "asked"

    def cancel_order(self, order: str) -> Result:
        """Cancel a customer's order."""
        return {"order": order, "state": "cancelled"}

    def move_order(self, order: str, branch: str) -> Result:
        """Send a customer's order to another branch."""
        return {"order": order, "branch": branch}

    def notify(self, patient: str, text: str) -> Result:
        """Send a patient a message."""
        return {"sent": True}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        kind = rng.choice(["refill", "refill", "cancel", "move"])
        if trap:
            kind = rng.choice(["cancel", "move"]) if trap == "paidorder" else "refill"
        patient, name = self.fresh(rng, "P", 6), self.person(rng)
        if kind != "refill":
            order = self.fresh(rng, "O-")
            info: Record = {
                "order": order,
                "patient": patient,
                "branch": rng.choice(["North", "South"]),
                "state": rng.choice(["open", "open", "packed", "collected"]),
                "lines": [{"article": self.fresh(rng, "A"), "packs": str(rng.randrange(1, 4))}],
            }
            if trap:
                info.update(state="open", paid={"by": "insurer", "euros": "31,20"})
            self.put("order", order, info)
            branch = rng.choice(["East", "West", "Harbour"])
            wording = {
                "cancel": ["Cancel order {o}.", "{o} is not needed any more.", "Drop order {o}."],
                "move": [
                    "Send order {o} to {b}.",
                    "{o} will be collected in {b}.",
                    "Please have {o} brought to branch {b}.",
                ],
            }[kind]
            asked = SimpleNamespace(kind=kind, order=order, branch=branch)
            return rng.choice(wording).format(o=order, b=branch), asked
        rx, article, doctor = (
            self.fresh(rng, "RX"),
            self.fresh(rng, "A"),
            self.fresh(rng, "DR", 4),
        )
        lots: list[Record] = [
            {"lot": self.fresh(rng, "L", 4), "packs": rng.randrange(2, 15), "state": "ok"}
            for _ in range(rng.choice([1, 1, 2]))
        ]
        packs: Record = {
            "rx": rx,
            "patient": patient,
            "doctor": {"id": doctor, "name": self.person(rng)},
            "article": {"id": article, "strength": rng.choice(["20 mg", "5 mg", "100 mg"])},
            "packs": str(rng.choice([1, 1, 2])),
            "repeats_left": rng.choice([0, 1, 2, 3]),
            "valid_until": rng.choice(["2026-12-31", "2027-02-28", "2026-12-15", "2026-10-31"]),
            "status": rng.choice(["active"] * 7 + ["withdrawn"]),
        }
        days = sorted(day(rng, month) for month in rng.sample(range(6, 10), rng.randrange(3)))
        if rng.random() < 0.15:
            days.append("2026-11-14")
        if rng.random() < 0.15:
            for each in lots:
                each["packs"] = 0
        person: Record = {"patient": patient, "name": name, "allergies": [], "minor": False}
        wish = None
        if trap:
            packs.update(status="active", repeats_left=2, valid_until="2026-12-31")
            lots = lots[:1]
            lots[0]["packs"] = 9
            days = days[:1]
        match trap:
            case "hold":
                packs["hold"] = "insurer"
            case "allergy":
                person["allergies"] = [article]
            case "lastday":
                packs["valid_until"] = _TODAY
            case "recalled":
                lots[0]["state"] = "recalled"
            case "onlycheck":
                wish = "check"
            case "othername":
                wish = self.person(rng)
            case "emptyshelf":
                lots = []
            case "controlled":
                packs["class"] = "controlled"
            case "nopacks":
                packs["packs"] = None
            case "twolots":
                lots = [
                    {"lot": self.fresh(rng, "L", 4), "packs": 0, "state": "ok"},
                    {"lot": self.fresh(rng, "L", 4), "packs": 7, "state": "ok"},
                ]
        self.put("rx", rx, packs)
        self.put("patient", patient, person)
        self.put("days", rx, days)
        table = [f"{each['lot']} | {each['packs']} | {each['state']}" for each in lots]
        self.put("stock", article, "\n".join(["lot | packs | state", *table]))
        text = rng.choice(
            ["Refill {r}.", "Please dispense {r} again.", "{r} is needed once more.", "Fill {r}."]
        ).format(r=rx)
        if wish == "check":
            text += " Only check whether it can be done."
        elif wish:
            text += f" It is for {wish}."
        return text, SimpleNamespace(kind=kind, rx=rx, wish=wish)

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        if asked.kind != "refill":
            order = asked.order
            info = yield ("get_order", {"order": order})
            if info["state"] in ("collected", "packed") and asked.kind == "cancel":
                return f"{order} is {info['state']} already."
            if info["state"] == "collected":
                return f"{order} is collected already."
            if info.get("paid"):
                yield (
                    "notify",
                    {"patient": info["patient"], "text": f"{order} is paid; please call us."},
                )
                return f"{order} is paid by the {info['paid']['by']}; the patient calls."
            if asked.kind == "cancel":
                yield ("cancel_order", {"order": order})
                return f"{order} is cancelled."
            yield ("move_order", {"order": order, "branch": asked.branch})
            yield (
                "notify",
                {"patient": info["patient"], "text": f"{order} is in {asked.branch}."},
            )
            return f"{order} goes from {info['branch']} to {asked.branch}."
        rx = asked.rx
        told = yield ("get_prescription", {"rx": rx})
        if told["status"] != "active":
            return f"{rx} is {told['status']}."
        if told.get("hold"):
            return f"{rx} is held by the {told['hold']}."
        doctor, article = told["doctor"]["id"], told["article"]["id"]
        if told["valid_until"] < _TODAY or told["repeats_left"] == 0 or told["packs"] is None:
            question = "how many packs?" if told["packs"] is None else "a new prescription?"
            yield ("ask_doctor", {"doctor": doctor, "rx": rx, "question": question})
            return f"{told['doctor']['name']} is asked about {rx}."
        person = yield ("get_patient", {"patient": told["patient"]})
        if asked.wish not in (None, "check", person["name"]):
            return f"{rx} is not for {asked.wish}."
        if article in person["allergies"]:
            yield ("ask_doctor", {"doctor": doctor, "rx": rx, "question": "allergy?"})
            return f"{person['name']} is allergic; {told['doctor']['name']} is asked."
        if told.get("class") == "controlled":
            return f"{rx} is controlled; a pharmacist has to hand it out."
        days = yield ("list_dispensings", {"rx": rx})
        if days and days[-1] > "2026-11-01":
            return f"{rx} was dispensed on {days[-1]}; that is too early."
        table = yield ("get_stock", {"article": article})
        lots = [line.split(" | ") for line in table.split("\n")[1:]]
        needed = int(told["packs"])
        good = [lot for lot, packs, state in lots if int(packs) >= needed and state == "ok"]
        if asked.wish == "check":
            return f"{rx} can be filled." if good else f"{rx} cannot be filled today."
        if not good:
            yield ("order_stock", {"article": article, "packs": needed})
            yield ("notify", {"patient": told["patient"], "text": f"{rx} is ready tomorrow."})
            return f"{needed} of {article} ordered for {person['name']}."
        yield ("dispense", {"rx": rx, "lot": good[0], "packs": needed})
        return f"{needed} of lot {good[0]} dispensed to {person['name']}."


class Meters(Desk):
    """Zählerstände, Auszüge und Abschläge; numbers are written the German way."""

    name = "meters"
    prompt = "Du bearbeitest Zählerstände und Verträge eines Stadtwerks. Heute ist der 2026-11-20."
    reading = ("get_meter", "list_readings", "get_contract", "get_customer")
    traps = (
        "locked",
        "megawatt",
        "twotariffs",
        "sameday",
        "arrears",
        "othercustomer",
        "noreadings",
        "exactlimit",
        "estimated",
        "notclose",
        "newmeter",
    )
    tools = (
        "get_meter",
        "list_readings",
        "get_contract",
        "get_customer",
        "record_reading",
        "open_ticket",
        "close_contract",
        "set_advance",
        "send_letter",
    )

    def get_meter(self, meter: str) -> Result:
        """Zähler nachschlagen."""
        return self.row("meter", meter)

    def list_readings(self, meter: str) -> Result:
        """Stände eines Zählers, der neueste zuerst, je einer in einer Zeile."""
        return self.row("readings", meter)

    def get_contract(self, contract: str) -> Result:
        """Vertrag nachschlagen."""
        return {"vertrag": self.row("contract", contract)}

    def get_customer(self, customer: str) -> Result:
        """Kunden nachschlagen."""
        return self.row("customer", customer)

    def record_reading(self, meter: str, value: int, estimated: bool) -> Result:
        """Stand eintragen."""
        return {"ok": True, "stand": value}

    def open_ticket(self, meter: str, reason: str) -> Result:
        """Prüfauftrag anlegen."""
        return {"auftrag": f"T-{meter}"}

    def close_contract(self, contract: str, on: str) -> Result:
        """Vertrag beenden."""
        return {"beendet": on}

    def set_advance(self, contract: str, euros: int) -> Result:
        """Abschlag festlegen."""
        return {"abschlag": euros}

    def send_letter(self, customer: str, template: str) -> Result:
        """Brief senden."""
        return None

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        kind = rng.choice(["read", "read", "leave", "advance"])
        if trap in ("locked", "megawatt", "twotariffs", "sameday", "noreadings", "newmeter"):
            kind = rng.choice(["read", "leave"])
        elif trap in ("exactlimit", "estimated"):
            kind = "read"
        elif trap in ("othercustomer", "notclose"):
            kind = "leave"
        elif trap == "arrears":
            kind = "advance"
        meter, contract, customer = (
            self.fresh(rng, "Z", 7),
            self.fresh(rng, "V-", 6),
            self.fresh(rng, "K", 6),
        )
        info: Record = {
            "zaehler": meter,
            "vertrag": contract,
            "status": rng.choice(["aktiv"] * 7 + ["ausgebaut"]),
            "einheit": "kWh",
            "jahresverbrauch": str(rng.randrange(1500, 4000, 100)),
        }
        last = rng.randrange(4000, 60000)
        rate = rng.choice([0.5, 0.7, 0.9, 0.9, 1.1, 2.6, -0.1])
        if trap:
            info["status"], rate = "aktiv", 0.8
        value = last + int(int(info["jahresverbrauch"]) * rate)
        readings = [f"2025-{rng.randrange(10, 13)}-{rng.randrange(10, 29)}: {_german(last)} kWh"]
        readings.append(f"2024-11-{rng.randrange(10, 29)}: {_german(last - 2100)} kWh")
        present = rng.randrange(40, 200)
        row: Record = {
            "vertrag": contract,
            "kunde": customer,
            "abschlag": f"{present},00",
            "gekuendigt": rng.random() < 0.1 and not trap,
        }
        person: Record = {"kunde": customer, "name": self.person(rng), "rueckstand": "0,00"}
        said, extra, owner = f"{_german(value)}", "", person["name"]
        match trap:
            case "locked":
                info["sperre"] = "Manipulation"
            case "megawatt":
                said = f"{_german(value)} MWh"
            case "twotariffs":
                info["register"] = ["HT", "NT"]
            case "sameday":
                readings.insert(0, f"2026-11-20: {_german(value)} kWh")
            case "arrears":
                person["rueckstand"] = "212,40"
            case "othercustomer":
                owner = self.person(rng)
            case "noreadings":
                readings = []
            case "exactlimit":
                value = last + 2 * int(info["jahresverbrauch"])
                said = _german(value)
            case "estimated":
                extra = " Das ist nur geschätzt."
            case "notclose":
                extra = " Den Vertrag aber noch nicht beenden."
            case "newmeter":
                info["nachfolger"] = self.fresh(rng, "Z", 7)
        self.put("meter", meter, info)
        self.put("readings", meter, "\n".join(readings))
        self.put("contract", contract, row)
        self.put("customer", customer, person)
        until = f"2026-{rng.choice([11, 12])}-{rng.randrange(10, 31)}"
        factor = 0.8 if trap == "arrears" else rng.choice([0.4, 0.8, 1.2, 1.5, 2.5])
        euros = int(present * factor) + 1
        wording = {
            "read": [
                "Zähler {m} steht auf {v}.",
                "Bitte den Stand {v} für {m} eintragen.",
                "{m}: abgelesen wurde {v}.",
            ],
            "leave": [
                "{o} zieht zum {d} aus, Zähler {m} steht auf {v}.",
                "Auszug von {o} am {d}: {m} zeigt {v}.",
                "Zum {d} zieht {o} aus und meldet {v} für {m}.",
            ],
            "advance": [
                "Abschlag von {c} auf {e} Euro ändern.",
                "{c} soll künftig {e} Euro zahlen.",
                "Bitte bei {c} {e} Euro Abschlag einstellen.",
            ],
        }[kind]
        text = rng.choice(wording).format(m=meter, v=said, o=owner, d=until, c=contract, e=euros)
        return text + extra, SimpleNamespace(
            kind=kind,
            meter=meter,
            contract=contract,
            value=value,
            unit="MWh" if "MWh" in said else "kWh",
            owner=owner,
            until=until,
            euros=euros,
            estimated=trap == "estimated",
            keep=trap == "notclose",
        )

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        if asked.kind == "advance":
            contract = (yield ("get_contract", {"contract": asked.contract}))["vertrag"]
            if contract["gekuendigt"]:
                return f"{asked.contract} ist gekündigt."
            customer = yield ("get_customer", {"customer": contract["kunde"]})
            present = int(contract["abschlag"].split(",")[0])
            low = asked.euros < present
            if low and customer["rueckstand"] != "0,00":
                return f"{customer['name']} ist mit {customer['rueckstand']} Euro im Rückstand."
            if not present / 2 <= asked.euros <= 2 * present:
                yield ("send_letter", {"customer": contract["kunde"], "template": "Bestätigung"})
                return f"{customer['name']} wird um Bestätigung gebeten."
            yield ("set_advance", {"contract": asked.contract, "euros": asked.euros})
            return f"{asked.contract} zahlt nun {asked.euros} Euro."
        meter = yield ("get_meter", {"meter": asked.meter})
        if meter["status"] != "aktiv":
            return f"{asked.meter} ist {meter['status']}."
        if meter.get("nachfolger"):
            return f"{asked.meter} ist durch {meter['nachfolger']} ersetzt."
        if meter.get("sperre"):
            yield ("open_ticket", {"meter": asked.meter, "reason": meter["sperre"]})
            return f"{asked.meter} ist gesperrt ({meter['sperre']})."
        if len(meter.get("register", [])) > 1:
            return f"{asked.meter} hat zwei Zählwerke; bitte beide Stände."
        if asked.unit != meter["einheit"]:
            return f"{asked.meter} zählt in {meter['einheit']}."
        if asked.kind == "leave":
            contract = (yield ("get_contract", {"contract": meter["vertrag"]}))["vertrag"]
            customer = yield ("get_customer", {"customer": contract["kunde"]})
            if customer["name"] != asked.owner:
                return f"{asked.meter} gehört nicht zu {asked.owner}."
            if contract["gekuendigt"]:
                return f"{meter['vertrag']} ist schon gekündigt."
        told = yield ("list_readings", {"meter": asked.meter})
        lines = [line.split(": ") for line in told.split("\n") if line]
        if lines and lines[0][0] == "2026-11-20":
            return f"Für {asked.meter} ist heute schon {lines[0][1]} eingetragen."
        if lines:
            last = int(lines[0][1].split()[0].replace(".", ""))
            used = asked.value - last
            if used < 0 or used > 2 * int(meter["jahresverbrauch"]):
                yield ("open_ticket", {"meter": asked.meter, "reason": "unplausibel"})
                return f"{_german(asked.value)} für {asked.meter} ist unplausibel."
        yield (
            "record_reading",
            {"meter": asked.meter, "value": asked.value, "estimated": asked.estimated},
        )
        if asked.kind == "leave" and not asked.keep:
            yield ("close_contract", {"contract": meter["vertrag"], "on": asked.until})
            return f"{asked.meter} steht auf {_german(asked.value)}; Ende am {asked.until}."
        return f"{asked.meter} steht auf {_german(asked.value)}."


def _german(number: int) -> str:
    return f"{number:,}".replace(",", ".")


class Seats(Desk):
    """Bookings of a theatre moved or given back; looked up at once with the show."""

    name = "seats"
    prompt = "You change bookings of a theatre. Now it is 2026-05-10, noon."
    reading = ("get_booking", "get_show", "list_free")
    traps = (
        "voucher",
        "wheelchair",
        "blocked",
        "agency",
        "oneseat",
        "francs",
        "calledoff",
        "nofree",
        "noresale",
        "sameshow",
        "past",
    )
    tools = (
        "get_booking",
        "get_show",
        "list_free",
        "move_booking",
        "refund",
        "resell",
        "send_tickets",
        "join_waitlist",
        "hand_to_office",
    )

    def get_booking(self, booking: str) -> Result:
        """Look up a booking."""
        return self.row("booking", booking)

    def get_show(self, show: str) -> Result:
        """Look up a show."""
        return self.row("show", show)

    def list_free(self, show: str, zone: str) -> Result:
        """Free seats of a zone."""
        return self.row("free", show)[zone]

    def move_booking(self, booking: str, show: str, seats: list[str]) -> Result:
        """Move a booking to seats of a show."""
        return {"booking": booking, "show": show, "seats": seats}

    def refund(self, booking: str, cents: int, to: str) -> Result:
        """Pay back."""
        return {"refunded": cents}

    def resell(self, show: str, seats: list[str]) -> Result:
        """Put seats on sale again."""
        return {"on_sale": seats}

    def send_tickets(self, booking: str, by: str) -> Result:
        """Send the tickets again."""
        return {"sent": True}

    def join_waitlist(self, show: str, booking: str, count: int) -> Result:
        """Put a booking on the waiting list."""
        return {"place": 4}

    def hand_to_office(self, booking: str, why: str) -> Result:
        """Leave a booking to the office."""
        return {"ok": True}

    def _show(self, rng: Random) -> tuple[str, Record]:
        show = self.fresh(rng, "S", 4)
        row: Record = {
            "show": show,
            "title": rng.choice(["Hamlet", "Faust", "Tosca", "Medea"]),
            "day": f"2026-{rng.choice(['05', '06'])}-{rng.randrange(14, 29)}",
            "prices": {"A": rng.choice([6000, 7000]), "B": 4000},
            "state": "on sale",
        }
        self.put("show", show, row)
        free = {
            zone: [f"{zone}{n}" for n in sorted(rng.sample(range(1, 90), rng.choice([1, 3, 5, 6])))]
            for zone in "AB"
        }
        self.put("free", show, free)
        return show, row

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        kind = rng.choice(["move", "move", "back", "send"])
        if trap in ("nofree", "sameshow", "wheelchair"):
            kind = "move"
        elif trap in ("oneseat", "noresale", "francs", "calledoff"):
            kind = "back"
        elif trap:
            kind = rng.choice(["move", "back"])
        booking = self.fresh(rng, "B", 6)
        old, old_row = self._show(rng)
        new, new_row = self._show(rng)
        zone, count = rng.choice("AB"), rng.choice([1, 2, 2, 3])
        start = rng.randrange(1, 80)
        row: Record = {
            "booking": booking,
            "show": old,
            "zone": zone,
            "seats": [f"{zone}{start + n}" for n in range(count)],
            "paid": {"cents": old_row["prices"][zone] * count, "currency": "EUR", "by": "card"},
            "state": rng.choice(["valid"] * 6 + ["used"]),
            "needs": [],
        }
        if rng.random() < 0.2:
            old_row["day"] = "2026-05-11"
        extra = ""
        if trap:
            row["state"], old_row["day"] = "valid", "2026-05-28"
            new_row["prices"] = dict(old_row["prices"])
            self.row("free", new)[zone] = [f"{zone}{n}" for n in range(81, 86)]
        match trap:
            case "voucher":
                row["paid"]["by"] = "voucher"
            case "wheelchair":
                row["needs"] = ["wheelchair"]
            case "blocked":
                row["blocked"] = "chargeback"
            case "agency":
                row["sold_by"] = "Tickets & Co"
            case "oneseat":
                row["seats"] = [f"{zone}{start}", f"{zone}{start + 1}"]
                row["paid"]["cents"] = old_row["prices"][zone] * 2
                extra = f" Only seat {zone}{start}."
            case "francs":
                row["paid"]["currency"] = "CHF"
            case "calledoff":
                old_row["state"] = "called off"
                old_row["day"] = "2026-05-11"
            case "nofree":
                self.row("free", new)[zone] = []
            case "noresale":
                extra = " Do not sell the seats again."
            case "sameshow":
                new = old
            case "past":
                old_row["day"] = "2026-05-02"
        self.put("booking", booking, row)
        by = rng.choice(["mail", "text message"])
        wording = {
            "move": [
                "Move booking {b} to show {s}.",
                "{b} would rather come to {s}.",
                "Exchange {b} for {s}, please.",
            ],
            "back": [
                "Give {b} back.",
                "{b} cannot come; refund it.",
                "Refund booking {b} and sell the seats again.",
            ][: 2 if trap == "noresale" else 3],
            "send": [
                "Send the tickets of {b} again by {y}.",
                "{b} lost the tickets, send them by {y}.",
                "Tickets {b} once more, by {y}.",
            ],
        }[kind]
        text = rng.choice(wording).format(b=booking, s=new, y=by) + extra
        return text, SimpleNamespace(
            kind=kind, booking=booking, show=new, by=by, trap=trap, only=extra.split()[-1:]
        )

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        name = asked.booking
        if asked.kind == "move":
            row, new = yield [
                ("get_booking", {"booking": name}),
                ("get_show", {"show": asked.show}),
            ]
        else:
            row = yield ("get_booking", {"booking": name})
        if row["state"] != "valid":
            return f"{name} is {row['state']}."
        if asked.kind == "send":
            yield ("send_tickets", {"booking": name, "by": asked.by})
            return f"The tickets of {name} are sent by {asked.by}."
        if row.get("blocked"):
            yield ("hand_to_office", {"booking": name, "why": row["blocked"]})
            return f"{name} is blocked: {row['blocked']}."
        if row.get("sold_by"):
            return f"{name} was sold by {row['sold_by']}; ask there."
        old = yield ("get_show", {"show": row["show"]})
        if old["day"] < "2026-05-10":
            return f"{old['title']} was on {old['day']}."
        seats = row["seats"]
        if asked.kind == "back":
            if row["paid"]["currency"] != "EUR":
                yield ("hand_to_office", {"booking": name, "why": "currency"})
                return f"{name} was paid in {row['paid']['currency']}; the office refunds it."
            cents = row["paid"]["cents"]
            if asked.trap == "oneseat":
                cents, seats = cents // len(seats), seats[:1]
            if old["state"] == "called off":
                yield ("refund", {"booking": name, "cents": cents, "to": row["paid"]["by"]})
                return f"{old['title']} is called off; {cents} cents refunded."
            if old["day"] < "2026-05-13":
                cents //= 2
            yield ("refund", {"booking": name, "cents": cents, "to": row["paid"]["by"]})
            if asked.trap != "noresale":
                yield ("resell", {"show": row["show"], "seats": seats})
            return f"{cents} cents for {name} go back by {row['paid']['by']}."
        if asked.show == row["show"]:
            return f"{name} is for {asked.show} already."
        if row["needs"]:
            yield ("hand_to_office", {"booking": name, "why": row["needs"][0]})
            return f"The office finds places for {name} ({row['needs'][0]})."
        more = (new["prices"][row["zone"]] - old["prices"][row["zone"]]) * len(seats)
        if more > 0:
            return f"{name} has to pay {more} cents more for {new['title']}."
        free = yield ("list_free", {"show": asked.show, "zone": row["zone"]})
        if len(free) < len(seats):
            yield (
                "join_waitlist",
                {"show": asked.show, "booking": name, "count": len(seats)},
            )
            return f"{name} waits for {len(seats)} seats on {new['day']}."
        taken = free[: len(seats)]
        yield ("move_booking", {"booking": name, "show": asked.show, "seats": taken})
        return f"{name} moves to {new['title']} on {new['day']}: {', '.join(taken)}."
