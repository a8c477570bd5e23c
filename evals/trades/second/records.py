"""Trades of records: results of a laboratory, and members of newsletters."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

from ..trade import Policy, Record, Result, Trade

__all__ = ["Lab", "News"]

_RANGES = {"K": (3.5, 5.1, 2.8, 6.2), "Na": (135, 145, 120, 160), "Hb": (8.0, 11.0, 5.0, 14.0)}
"""Test → normal range, critical range."""


class Lab(Trade):
    """Results released; the newest measurement counts, critical ones are telephoned."""

    name = "lab"
    prompt = "You validate results of a laboratory."
    reading = ("get_sample", "get_results", "get_range")
    traps = (
        "unit",
        "belowdetection",
        "quarantined",
        "nosex",
        "preliminary",
        "otherpatient",
        "nocall",
        "remeasured",
        "empty",
        "diluted",
        "onlow",
    )
    tools = ("get_sample", "get_results", "get_range", "publish", "call_ward", "repeat")

    def get_sample(self, sample: str) -> Result:
        """Look up a sample."""
        return self.db["sa"][sample]

    def get_results(self, sample: str) -> Result:
        """Measurements of a sample, in no order."""
        return {"sample": sample, "measurements": self.db["rs"][sample]}

    def get_range(self, test: str, sex: str) -> Result:
        """Normal and critical range of a test."""
        low, high, critically_low, critically_high = _RANGES[test]
        shift = 0.5 if sex == "f" and test == "Hb" else 0
        return {
            "test": test,
            "normal": {"low": low - shift, "high": high - shift},
            "critical": {"low": critically_low, "high": critically_high},
        }

    def publish(self, sample: str, test: str, value: float, flag: str) -> Result:
        """Publish a result."""
        return {"published": True}

    def call_ward(self, ward: str, sample: str, value: float) -> Result:
        """Telephone a ward."""
        return {"reached": True}

    def repeat(self, sample: str, test: str) -> Result:
        """Measure again."""
        return {"queued": True}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        sample, test = self.fresh(rng, "S-", 6), rng.choice(["K", "K", "Na", "Hb"])
        patient = self.fresh(rng, "PT")
        info: Record = {
            "sample": sample,
            "patient": {"id": patient, "sex": rng.choice(["f", "m"])},
            "ward": f"W{self.fresh(rng, '', 3)}",
            "state": rng.choice(["good", "good", "good", "hemolysed"]),
        }
        low, high, critically_low, critically_high = _RANGES[test]
        span = high - low

        def value(kind: str) -> float:
            match kind:
                case "normal":
                    return round(low + span * rng.uniform(0.1, 0.8), 1)
                case "high":
                    return round(high + (critically_high - high) * rng.uniform(0.2, 0.8), 1)
                case "low":
                    return round(low - (low - critically_low) * rng.uniform(0.5, 0.8), 1)
                case _:
                    return round(critically_high + span * rng.uniform(0.1, 0.5), 1)

        kind = rng.choice(["normal", "normal", "normal", "high", "low", "critical"])
        if trap:
            info["state"] = "good"
            kind = "normal"
        measurement: Record = {
            "test": test,
            "value": value(kind),
            "unit": "g/l" if test == "Hb" else "mmol/l",
            "at": f"{rng.randrange(10, 19)}:{rng.randrange(10, 60)}",
            "final": True,
        }
        measurements = [measurement]
        if rng.random() < 0.3 and not trap:
            measurements.append({**measurement, "value": value("high"), "at": "07:30"})
        measurements += [
            {
                "test": other,
                "value": round(_RANGES[other][0] * rng.uniform(0.9, 1.4), 1),
                "unit": "g/l" if other == "Hb" else "mmol/l",
                "at": f"{rng.randrange(10, 19)}:{rng.randrange(10, 60)}",
                "final": True,
            }
            for other in ("K", "Na", "Hb")
            if other != test and rng.random() < 0.5
        ]
        rng.shuffle(measurements)
        wish = None
        match trap:
            case "unit":
                measurement["unit"] = "mg/dl"
            case "belowdetection":
                measurement["value"] = "<0.1"
            case "quarantined":
                info["quarantine"] = "until the courier is found"
            case "nosex":
                info["patient"]["sex"] = None
            case "preliminary":
                measurement["final"] = False
            case "otherpatient":
                measurement["patient"] = self.fresh(rng, "PT")
            case "nocall":
                measurement["value"] = value("critical")
                wish = 1
            case "remeasured":
                measurements.append({**measurement, "value": value("critical"), "at": "20:30"})
            case "empty":
                measurements = []
            case "diluted":
                measurement["dilution"] = 2
            case "onlow":
                measurement["value"] = float(low)
        self.db.setdefault("sa", {})[sample] = info
        self.db.setdefault("rs", {})[sample] = measurements
        text = rng.choice(
            ["Validate {t} of {s}.", "{s}: is {t} all right? Release it.", "{t} in {s}, please."]
        ).format(t=test, s=sample)
        if wish:
            text += " Do not telephone, I am on the ward."
        return text, SimpleNamespace(sample=sample, test=test, wish=wish)

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        info = yield ("get_sample", {"sample": asked.sample})
        if info.get("quarantine"):
            return f"{asked.sample} is in quarantine {info['quarantine']}."
        if info["state"] == "hemolysed" and asked.test == "K":
            yield ("repeat", {"sample": asked.sample, "test": asked.test})
            return f"{asked.sample} is hemolysed; {asked.test} is measured again."
        told = (yield ("get_results", {"sample": asked.sample}))["measurements"]
        own = [each for each in told if each["test"] == asked.test]
        if not own:
            return f"There is no {asked.test} of {asked.sample}."
        newest = max(own, key=lambda each: each["at"])
        if newest.get("patient", info["patient"]["id"]) != info["patient"]["id"]:
            return f"{asked.sample} is of another patient."
        if not newest["final"]:
            return f"{asked.test} of {asked.sample} is preliminary."
        if newest["unit"] not in ("g/l", "mmol/l") or isinstance(newest["value"], str):
            yield ("repeat", {"sample": asked.sample, "test": asked.test})
            return f"{asked.test} of {asked.sample} is measured again."
        if info["patient"]["sex"] is None and asked.test == "Hb":
            return f"The sex of {info['patient']['id']} is not known."
        value = newest["value"] * newest.get("dilution", 1)
        sex = info["patient"]["sex"] or "m"
        limits = yield ("get_range", {"test": asked.test, "sex": sex})
        normal, critical = limits["normal"], limits["critical"]
        flag = "H" if value > normal["high"] else "L" if value < normal["low"] else "N"
        alarming = not critical["low"] <= value <= critical["high"]
        if alarming and not asked.wish:
            yield ("call_ward", {"ward": info["ward"], "sample": asked.sample, "value": value})
        yield (
            "publish",
            {"sample": asked.sample, "test": asked.test, "value": value, "flag": flag},
        )
        called = f" {info['ward']} was told." if alarming and not asked.wish else ""
        return f"{asked.test} of {asked.sample} is {value} ({flag}).{called}"


class News(Trade):
    """Members put on newsletters, and taken off; what they have is told page by page."""

    name = "news"
    prompt = "You look after newsletters."
    reading = ("find_member", "list_subscriptions", "get_letter")
    traps = (
        "shared",
        "legal",
        "pausedone",
        "twice",
        "plus",
        "nextmonth",
        "merged",
        "minor",
        "fullletter",
        "bounced",
        "longlist",
    )
    tools = (
        "find_member",
        "list_subscriptions",
        "get_letter",
        "subscribe",
        "unsubscribe",
        "send_consent",
    )
    letters = ("Garden", "Travel", "Books", "Chess", "Opera", "Cycling", "Stars")

    def find_member(self, number: str) -> Result:
        """Look up a member."""
        return {"member": self.db["me"][number]}

    def list_subscriptions(self, key: str, page: int) -> Result:
        """Subscriptions of a member, two on a page."""
        rows = self.db["su"][key]
        return {
            "page": page,
            "of": max(1, (len(rows) + 1) // 2),
            "rows": rows[2 * page - 2 : 2 * page],
        }

    def get_letter(self, letter: str) -> Result:
        """Look up a newsletter."""
        return {"letter": letter, "kind": "free", **self.db.get("le", {}).get(letter, {})}

    def subscribe(self, key: str, letter: str) -> Result:
        """Put a member on a newsletter."""
        return {"subscription": f"{key}-{letter}"}

    def unsubscribe(self, subscription: str) -> Result:
        """End a subscription."""
        return {"ended": subscription}

    def send_consent(self, key: str, letter: str) -> Result:
        """Send a question for consent."""
        return {"sent": True}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        number, key = self.fresh(rng, "M-"), self.fresh(rng, "k", 6)
        off = rng.random() < 0.6
        chosen = rng.sample(self.letters, rng.randrange(1, 6))
        letter = rng.choice(self.letters)
        member: Record = {
            "number": number,
            "key": key,
            "consent": rng.random() < 0.7,
            "language": rng.choice(["en", "de"]),
            "state": rng.choice(["active"] * 6 + ["closed"]),
        }
        if trap:
            member.update(state="active", consent=True)
            off = trap not in ("minor", "fullletter", "bounced", "merged")
            letter = rng.choice(self.letters)
            chosen = [each for each in chosen if each != letter] + ([letter] if off else [])
        rows: list[Record] = [
            {"id": self.fresh(rng, "sub"), "letter": each, "paused": False} for each in chosen
        ]
        wish = None
        match trap:
            case "shared":
                rows[-1]["household"] = 3
            case "legal":
                rows[-1]["required"] = "by contract"
            case "pausedone":
                rows[-1]["paused"] = True
            case "twice":
                rows.insert(0, {**rows[-1], "id": self.fresh(rng, "sub")})
            case "plus":
                rows.insert(0, {**rows[-1], "id": self.fresh(rng, "sub")})
                rows[0]["letter"] = rows[-1]["letter"] + " Plus"
            case "nextmonth":
                wish = 1
            case "merged":
                member["merged_into"] = self.fresh(rng, "M-")
            case "minor":
                member["born"] = 2015
            case "fullletter":
                letter = "Opera Club"
                self.db.setdefault("le", {})[letter] = {"kind": "members", "full": True}
            case "bounced":
                member["bounces"] = 7
            case "longlist":
                rows = [
                    {"id": self.fresh(rng, "sub"), "letter": f"Local {number}", "paused": False}
                    for number in range(8)
                ] + rows[-1:]
        self.db.setdefault("me", {})[number] = member
        self.db.setdefault("su", {})[key] = rows
        if off:
            text = rng.choice(
                [
                    "Take {n} off the newsletter {b}.",
                    "{n} no longer wants {b}.",
                    "Mitglied {n} möchte {b} abbestellen.",
                ]
            ).format(n=number, b=letter)
        else:
            text = rng.choice(
                ["Put {n} on the newsletter {b}.", "{n} wants {b}.", "Mitglied {n} bestellt {b}."]
            ).format(n=number, b=letter)
        if wish:
            text += " Not before next month."
        return text, SimpleNamespace(number=number, letter=letter, off=off, wish=wish)

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        member = (yield ("find_member", {"number": asked.number}))["member"]
        key = member["key"]
        if member["state"] != "active":
            return f"The membership of {asked.number} is {member['state']}."
        if member.get("merged_into"):
            return f"{asked.number} is {member['merged_into']} now."
        if asked.wish:
            return f"{asked.number} and {asked.letter}: I come back to it next month."
        page, pages = 1, 1
        found: list[Record] = []
        while page <= pages and not found:
            told = yield ("list_subscriptions", {"key": key, "page": page})
            found = [each for each in told["rows"] if each["letter"] == asked.letter]
            page, pages = page + 1, told["of"]
        if asked.off:
            if not found:
                return f"{asked.number} does not get {asked.letter}."
            if found[0].get("required"):
                return f"{asked.letter} is required {found[0]['required']}."
            if found[0].get("household"):
                return f"{asked.letter} is shared by {found[0]['household']}; ask them first."
            yield ("unsubscribe", {"subscription": found[0]["id"]})
            return f"{asked.number} no longer gets {asked.letter}."
        if found:
            return f"{asked.number} gets {asked.letter} already."
        if member.get("bounces", 0) > 3:
            return f"Mail to {asked.number} bounces."
        letter = yield ("get_letter", {"letter": asked.letter})
        if letter.get("full"):
            return f"{asked.letter} is full."
        if not member["consent"] or member.get("born", 0) > 2010:
            yield ("send_consent", {"key": key, "letter": asked.letter})
            return f"{asked.number} is asked for consent to {asked.letter}."
        yield ("subscribe", {"key": key, "letter": asked.letter})
        return f"{asked.number} gets {asked.letter} now."
