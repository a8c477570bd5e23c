"""Refills from a table of lots told in text; orders cancelled or sent elsewhere."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

from ..trade import Policy, Record, Result, day
from .desk import Desk

__all__ = ["Pharmacy"]

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
