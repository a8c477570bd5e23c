"""Vans released after a look at defects and mileage; some clocks count miles."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

from ..trade import Policy, Record, Result
from .desk import Desk

__all__ = ["Fleet"]


class Fleet(Desk):
    """Vans released after a look at defects and mileage; some clocks count miles."""

    name = "fleet"
    prompt = "You run a fleet of rented vans. Today is 2026-07-15."
    reading = ("get_van", "list_defects", "get_model", "list_bookings")
    traps = (
        "recall",
        "miles",
        "defectnull",
        "gone",
        "inspectiontoday",
        "lent",
        "onlysay",
        "noclock",
        "minorsafety",
        "nodefectlist",
        "samedefect",
    )
    tools = (
        "get_van",
        "list_defects",
        "get_model",
        "list_bookings",
        "release_van",
        "send_to_workshop",
        "report_defect",
        "close_defects",
        "lock_van",
        "tell_renter",
    )

    def get_van(self, van: str) -> Result:
        """Look up a van."""
        return self.row("van", van)

    def list_defects(self, van: str, include_closed: bool) -> Result:
        """Defects of a van."""
        rows = self.row("defects", van)
        return [each for each in rows if include_closed or each["closed"] is None]

    def get_model(self, model: str) -> Result:
        """Look up a model of vans."""
        return self.row("model", model)

    def list_bookings(self, van: str) -> Result:
        """Bookings of a van, the next one first."""
        return {"van": van, "bookings": self.row("bookings", van)}

    def release_van(self, van: str) -> Result:
        """Release a van to be rented."""
        return {"van": van, "released": True}

    def send_to_workshop(self, van: str, jobs: list[str]) -> Result:
        """Send a van to the workshop."""
        return {"van": van, "jobs": len(jobs)}

    def report_defect(self, van: str, part: str, safety: bool) -> Result:
        """Report a defect."""
        return {"defect": "new"}

    def close_defects(self, van: str, defects: list[str]) -> Result:
        """Close defects that are repaired."""
        return {"closed": defects}

    def lock_van(self, van: str, reason: str) -> Result:
        """Lock a van."""
        return {"locked": True}

    def tell_renter(self, booking: str, text: str) -> Result:
        """Tell the renter of a booking."""
        return {"told": True}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        kind = rng.choice(["release", "release", "defect", "repaired"])
        if trap == "samedefect":
            kind = "defect"
        elif trap in ("lent", "gone", "nodefectlist"):
            kind = rng.choice(["release", "repaired"]) if trap != "lent" else "defect"
        elif trap:
            kind = "release"
        van = f"{rng.choice(['KI', 'HH', 'B'])}-{self.fresh(rng, 'V ', 4)}"
        model = rng.choice(["Crafter", "Transit", "Sprinter"])
        self.put("model", "Crafter", {"model": "Crafter", "service_every_km": 30000})
        self.put("model", "Transit", {"model": "Transit", "service_every_km": 40000})
        self.put("model", "Sprinter", {"model": "Sprinter", "service_every_km": 50000})
        served = rng.randrange(10000, 90000)
        driven = rng.choice([5000, 12000, 20000, 28000, 45000])
        row: Record = {
            "van": van,
            "model": model,
            "clock": {"value": f"{served + driven}", "unit": "km"},
            "last_service": {"value": f"{served}", "unit": "km"},
            "inspection_until": rng.choice(["2026-12", "2027-03", "2026-10", "2026-06"]),
            "state": rng.choice(["returned"] * 6 + ["sold"]),
            "renter": None,
        }
        parts = rng.sample(["mirror", "brakes", "lamp", "seat", "door", "tyre"], 3)
        defects: list[Record] = [
            {
                "id": self.fresh(rng, "d", 5),
                "part": part,
                "safety": part in ("brakes", "tyre", "lamp"),
                "closed": rng.choice([None, "2026-05-02", "2026-06-11"]),
            }
            for part in parts[: rng.randrange(3)]
        ]
        if kind == "repaired" and not any(each["closed"] is None for each in defects):
            defects.append(
                {
                    "id": self.fresh(rng, "d", 5),
                    "part": parts[2],
                    "safety": False,
                    "closed": rng.choice([None, None, "2026-07-01"]),
                }
            )
        bookings = [
            {"booking": self.fresh(rng, "bk", 5), "from": f"2026-07-{rng.randrange(15, 29)}"}
            for _ in range(rng.choice([0, 0, 1, 2]))
        ]
        bookings.sort(key=lambda each: each["from"])
        extra, part = "", rng.choice(["brakes", "door", "seat", "radio", "tyre"])
        if trap:
            row.update(state="returned", inspection_until="2026-12", model="Transit")
            row["clock"]["value"] = f"{served + 9000}"
            if kind == "release":
                defects = []
        match trap:
            case "recall":
                row["recall"] = "fuel pump"
            case "miles":
                row["clock"] = {"value": f"{(served + 39000) * 5 // 8}", "unit": "mi"}
            case "defectnull":
                defects = [
                    {"id": self.fresh(rng, "d", 5), "part": None, "safety": True, "closed": None}
                ]
            case "gone":
                row["state"] = "stolen"
            case "inspectiontoday":
                row["inspection_until"] = "2026-07"
            case "lent":
                row.update(state="rented", renter={"name": self.person(rng), "until": "18:00"})
                part = "brakes"
                bookings = []
            case "onlysay":
                extra = " Do not do it, just say whether you would."
            case "noclock":
                row["clock"]["value"] = None
            case "minorsafety":
                defects = [
                    {"id": self.fresh(rng, "d", 5), "part": "lamp", "safety": True, "closed": None}
                ]
            case "nodefectlist":
                defects = []
            case "samedefect":
                defects = [
                    {"id": self.fresh(rng, "d", 5), "part": part, "safety": False, "closed": None}
                ]
        self.put("van", van, row)
        self.put("defects", van, defects)
        self.put("bookings", van, bookings)
        wording = {
            "release": [
                "Release {v}.",
                "Can {v} be rented again? Release it if so.",
                "{v} came back, get it ready.",
            ],
            "defect": [
                "The {p} of {v} is broken.",
                "{v}: {p} broken.",
                "Renter says {p} is damaged on {v}.",
                "Report a defect of the {p} on {v}.",
            ],
            "repaired": [
                "{v} is repaired.",
                "The workshop gave {v} back, all is repaired.",
                "Close what is open on {v}, it is repaired.",
            ],
        }[kind]
        text = rng.choice(wording).format(v=van, p=part) + extra
        return text, SimpleNamespace(kind=kind, van=van, part=part, say=bool(extra))

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        van = asked.van
        row = yield ("get_van", {"van": van})
        if row["state"] in ("sold", "stolen"):
            return f"{van} is {row['state']}."
        if asked.kind == "repaired":
            defects = yield ("list_defects", {"van": van, "include_closed": False})
            if not defects:
                return f"Nothing is open on {van}."
            ids = [each["id"] for each in defects]
            yield ("close_defects", {"van": van, "defects": ids})
            return f"{len(ids)} defects of {van} are closed."
        if asked.kind == "defect":
            defects = yield ("list_defects", {"van": van, "include_closed": False})
            if any(each["part"] == asked.part for each in defects):
                return f"The {asked.part} of {van} is reported already."
            safety = asked.part in ("brakes", "tyre")
            yield ("report_defect", {"van": van, "part": asked.part, "safety": safety})
            if not safety:
                return f"The {asked.part} of {van} is reported."
            yield ("lock_van", {"van": van, "reason": asked.part})
            if row["renter"]:
                return f"{van} is locked; call {row['renter']['name']} at once."
            told = (yield ("list_bookings", {"van": van}))["bookings"]
            if told:
                yield (
                    "tell_renter",
                    {"booking": told[0]["booking"], "text": f"{van} cannot be rented."},
                )
            return f"{van} is locked ({asked.part}); {min(1, len(told))} renters told."
        if row.get("recall"):
            yield ("lock_van", {"van": van, "reason": row["recall"]})
            return f"{van} is recalled ({row['recall']})."
        if row["inspection_until"] < "2026-07":
            yield ("send_to_workshop", {"van": van, "jobs": ["inspection"]})
            return f"{van} goes to the workshop: inspection."
        defects, model = yield [
            ("list_defects", {"van": van, "include_closed": False}),
            ("get_model", {"model": row["model"]}),
        ]
        jobs = [each["part"] or "unknown" for each in defects if each["safety"]]
        clock = row["clock"]
        if clock["value"] is None:
            return f"The clock of {van} cannot be read."
        value = int(clock["value"]) * (8 / 5 if clock["unit"] == "mi" else 1)
        since = value - int(row["last_service"]["value"])
        if since >= 0.9 * model["service_every_km"]:
            jobs.append("service")
        if asked.say:
            return f"{van} would {'go to the workshop' if jobs else 'be released'}."
        if jobs:
            yield ("send_to_workshop", {"van": van, "jobs": jobs})
            return f"{van} goes to the workshop: {', '.join(jobs)}."
        yield ("release_van", {"van": van})
        return f"{van} is released with {len(defects)} small defects."
