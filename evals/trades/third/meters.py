"""Zählerstände, Auszüge und Abschläge; numbers are written the German way."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

from ..trade import Policy, Record, Result
from .desk import Desk

__all__ = ["Meters"]


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
