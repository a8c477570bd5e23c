"""Trades of papers: insurance claims, and customs."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

from ..trade import Policy, Record, Result, Trade

__all__ = ["Claims", "Customs"]


class Claims(Trade):
    """Insurance claims, with covers inside of policies and payments on several pages."""

    name = "claims"
    prompt = "You decide insurance claims."
    reading = ("get_claim", "get_policy", "list_payments")
    traps = (
        "hold",
        "lapsed",
        "paidbefore",
        "negative",
        "lastday",
        "thirdparty",
        "onlytell",
        "newkind",
        "manypages",
        "dollars",
        "exactlimit",
    )
    tools = ("get_claim", "get_policy", "list_payments", "pay", "reject", "assign")

    def get_claim(self, claim_id: str) -> Result:
        """Look up a claim."""
        return {"claim": self.db["cl"][claim_id]}

    def get_policy(self, policy: str) -> Result:
        """Look up a policy."""
        return {"policy": self.db["po"][policy]}

    def list_payments(self, policy: str, page: int) -> Result:
        """Payments on a policy, two on a page."""
        rows = self.db["pa"][policy]
        more = len(rows) > 2 * page
        return {"payments": rows[2 * page - 2 : 2 * page], "next": page + 1 if more else None}

    def pay(self, claim_id: str, amount: int) -> Result:
        """Pay a claim."""
        return {"paid": amount}

    def reject(self, claim_id: str, reason: str) -> Result:
        """Reject a claim."""
        return {"rejected": claim_id}

    def assign(self, claim_id: str, desk: str) -> Result:
        """Assign a claim to a desk."""
        return {"assigned": desk}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        claim_id, policy_id = self.fresh(rng, "CL-"), self.fresh(rng, "PN", 6)
        kind = rng.choice(["water", "fire", "theft"])
        items: list[Record] = [
            {
                "what": rng.choice(["sofa", "floor", "bike", "lamp"]),
                "amount": rng.randrange(60, 400),
            }
            for _ in range(rng.randrange(1, 4))
        ]
        claim: Record = {
            "claim_id": claim_id,
            "policy": policy_id,
            "kind": kind,
            "date": f"2026-{rng.randrange(3, 11):02d}-{rng.randrange(1, 29):02d}",
            "items": items,
            "photos": rng.choice([0, 1, 2, 3]),
        }
        covers = {
            each: {
                "limit": rng.choice([1500, 2000, 3000]),
                "deductible": rng.choice([50, 100, 150]),
            }
            for each in ["water", "fire", "theft"]
        }
        policy: Record = {
            "policy": policy_id,
            "from": "2026-01-01",
            "to": f"2026-12-{rng.randrange(10, 29)}",
            "status": "active",
            "covers": covers,
        }
        if rng.random() < 0.12:
            del covers[kind]
        if rng.random() < 0.1:
            policy["from"] = "2026-12-01"
        payments = [
            {
                "claim": self.fresh(rng, "CL-"),
                "amount": rng.choice([100, 200, 900]),
                "date": rng.choice(["2026-02-02", "2026-01-14", "2025-08-01"]),
            }
            for _ in range(rng.choice([0, 0, 1, 2, 3, 4]))
        ]
        wish = None
        if trap:
            covers[kind] = {"limit": 3000, "deductible": 50}
            policy["from"] = "2026-01-01"
            claim["photos"] = 2
            payments = payments[:1]
            items[0]["amount"] = rng.randrange(100, 400)
        match trap:
            case "hold":
                policy["hold"] = "fraud desk"
            case "lapsed":
                policy["status"] = "lapsed"
            case "paidbefore":
                payments.append({"claim": claim_id, "amount": 60, "date": "2026-11-02"})
            case "negative":
                items.append({"what": "salvage", "amount": -40})
            case "lastday":
                claim["date"] = policy["to"]
            case "thirdparty":
                claim["liable"] = {"name": "Rohr & Co", "insurer": "Nordstern"}
            case "onlytell":
                wish = 1
            case "newkind":
                claim["kind"] = "hail"
                covers["hail"] = {"limit": 3000, "deductible": 50, "percent": 20}
            case "manypages":
                payments = [
                    {"claim": self.fresh(rng, "CL-"), "amount": 600, "date": "2026-02-03"}
                    for _ in range(6)
                ]
            case "dollars":
                items[0]["currency"] = "USD"
            case "exactlimit":
                covers[kind]["limit"] = sum(each["amount"] for each in items)
                payments = []
        self.db.setdefault("cl", {})[claim_id] = claim
        self.db.setdefault("po", {})[policy_id] = policy
        self.db.setdefault("pa", {})[policy_id] = payments
        text = rng.choice(
            ["Decide claim {c}.", "Claim {c}, please.", "What about claim {c}? Settle it."]
        ).format(c=claim_id)
        if wish:
            text += " Only tell me what we would pay."
        return text, SimpleNamespace(claim_id=claim_id, wish=wish)

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        name = asked.claim_id
        claim = (yield ("get_claim", {"claim_id": name}))["claim"]
        if claim.get("liable"):
            return f"{claim['liable']['insurer']} has to pay for {name}."
        policy = (yield ("get_policy", {"policy": claim["policy"]}))["policy"]
        if policy.get("hold"):
            yield ("assign", {"claim_id": name, "desk": policy["hold"]})
            return f"{name} waits for the {policy['hold']}."
        if policy["status"] != "active" or not policy["from"] <= claim["date"] <= policy["to"]:
            yield ("reject", {"claim_id": name, "reason": "not insured then"})
            return f"{name} is rejected: not insured on {claim['date']}."
        cover = policy["covers"].get(claim["kind"])
        if cover is None:
            yield ("reject", {"claim_id": name, "reason": f"no cover for {claim['kind']}"})
            return f"{name} is rejected: no cover for {claim['kind']}."
        if any(each.get("currency", "EUR") != "EUR" for each in claim["items"]):
            yield ("assign", {"claim_id": name, "desk": "abroad"})
            return f"{name} goes to the desk abroad."
        if any(each["amount"] < 0 for each in claim["items"]):
            yield ("assign", {"claim_id": name, "desk": "salvage"})
            return f"{name} goes to the desk salvage."
        total = sum(each["amount"] for each in claim["items"])
        if total > 500 and claim["photos"] == 0:
            yield ("assign", {"claim_id": name, "desk": "evidence"})
            return f"{name} goes to the desk evidence."
        page: int | None = 1
        paid = 0
        while page is not None:
            told = yield ("list_payments", {"policy": claim["policy"], "page": page})
            if any(each["claim"] == name for each in told["payments"]):
                return f"{name} was paid before."
            paid += sum(
                each["amount"] for each in told["payments"] if each["date"][:4] == claim["date"][:4]
            )
            page = told["next"]
        if total + paid > cover["limit"]:
            yield ("assign", {"claim_id": name, "desk": "limits"})
            return f"{name} goes to the desk limits."
        due = total - cover["deductible"] - total * cover.get("percent", 0) // 100
        if due <= 0:
            yield ("reject", {"claim_id": name, "reason": "below the deductible"})
            return f"{name} is rejected: below the deductible of {cover['deductible']}."
        if asked.wish:
            return f"We would pay {due} for {name}."
        yield ("pay", {"claim_id": name, "amount": due})
        return f"{name}: {due} paid."


class Customs(Trade):
    """Shipments declared line by line; rates and tariffs are told in text."""

    name = "customs"
    prompt = "You clear shipments through customs."
    reading = ("get_shipment", "get_tariff", "get_rate")
    traps = (
        "embargo",
        "prohibited",
        "quota",
        "negative",
        "nolines",
        "norate",
        "exactlimit",
        "norelease",
        "sample",
        "seized",
        "lookalike",
    )
    tools = ("get_shipment", "get_tariff", "get_rate", "declare", "license", "release", "stop")

    def get_shipment(self, shipment: str) -> Result:
        """Look up a shipment: its head, then a line for each kind of goods."""
        return self.db["sh"][shipment]

    def get_tariff(self, code: str) -> Result:
        """What the tariff says about a code."""
        return self.db["ta"][code]

    def get_rate(self, currency: str, month: str) -> Result:
        """Rate of a currency in a month."""
        return self.db["ra"][currency, month]

    def declare(self, shipment: str, code: str, value: float, duty: float) -> Result:
        """Declare a line, with value and duty in euros."""
        return "declared"

    def license(self, shipment: str, code: str) -> Result:
        """Request a licence."""
        return "requested"

    def release(self, shipment: str) -> Result:
        """Release a shipment."""
        return "released"

    def stop(self, shipment: str, reason: str) -> Result:
        """Stop a shipment."""
        return "stopped"

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        shipment, month = self.fresh(rng, "SH"), f"2026-{rng.randrange(1, 13):02d}"
        currency = rng.choice(["EUR", "EUR", "USD", "CHF"])
        origin = rng.choice(["US", "CH", "CN", "JP"])
        rate = {"USD": 0.9, "CHF": 1.05}.get(currency, 1.0)
        lines: list[Record] = []
        for _ in range(rng.choice([1, 1, 2, 3])):
            code = f"{self.fresh(rng, '', 4)}.{rng.randrange(10, 99)}"
            lines.append({"code": code, "value": 10 * rng.choice([rng.randrange(3, 9), 30, 80])})
        tariffs = {
            each["code"]: {
                "duty": rng.choice([0, 2, 5, 12]),
                "licence": "required" if rng.random() < 0.12 else "none",
                "rest": "",
            }
            for each in lines
        }
        first = lines[0]
        wish, status = None, "arrived"
        if rng.random() < 0.12:
            status = "in transit"
        if trap:
            status = "arrived"
            first["value"] = 500
            for each in tariffs.values():
                each["licence"] = "none"
        match trap:
            case "embargo":
                origin = "KP"
            case "prohibited":
                tariffs[first["code"]]["licence"] = "never given"
            case "quota":
                tariffs[first["code"]]["rest"] = "\nquota: used up"
            case "negative":
                first["value"] = -500
            case "nolines":
                lines = []
            case "norate":
                currency = "NOK"
            case "exactlimit":
                lines = [{"code": first["code"], "value": 150}]
                currency, rate = "EUR", 1.0
            case "norelease":
                wish = 1
            case "sample":
                first["value"] = 0
            case "seized":
                status = "arrived, seized by police"
            case "lookalike":
                lines.append({"code": first["code"], "value": 40})
        self.db.setdefault("ra", {}).update(
            {(currency, month): f"1 {currency} = {rate} EUR in {month}"}
        )
        if currency == "NOK":
            self.db["ra"][currency, month] = f"no rate for NOK in {month}"
        for code, told in tariffs.items():
            self.db.setdefault("ta", {})[code] = (
                f"code: {code}\nduty: {told['duty']} %\nlicence: {told['licence']}{told['rest']}"
            )
        rows = [f"{each['code']};{each['value']};{currency}" for each in lines]
        head = f"shipment {shipment} from {origin}, {status}, {month}"
        self.db.setdefault("sh", {})[shipment] = "\n".join([head, "code;value;currency", *rows])
        text = rng.choice(
            ["Clear {s}.", "Please clear shipment {s}.", "Verzolle bitte {s}."]
        ).format(s=shipment)
        if wish:
            text += " Do not release it yet."
        return text, SimpleNamespace(shipment=shipment, wish=wish)

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        name = asked.shipment
        head, _, *rows = (yield ("get_shipment", {"shipment": name})).split("\n")
        _, _, _, origin, *status, month = head.replace(",", "").split()
        if " ".join(status) == "in transit":
            return f"{name} is still in transit."
        if "seized" in status:
            return f"{name} is seized."
        if origin == "KP":
            yield ("stop", {"shipment": name, "reason": "embargo"})
            return f"{name} is stopped: embargo."
        lines = [row.split(";") for row in rows]
        if not lines or any(int(value) < 0 for _, value, _ in lines):
            return f"The lines of {name} are not valid."
        rate = 1.0
        currency = lines[0][2]
        if currency != "EUR":
            told = yield ("get_rate", {"currency": currency, "month": month})
            if not told.startswith("1 "):
                return f"There is no rate for {currency}."
            rate = float(told.split()[3])
        total = round(sum(int(value) * rate for _, value, _ in lines), 2)
        licences = 0
        if total >= 150:
            for code, value, _ in lines:
                tariff = (yield ("get_tariff", {"code": code})).split("\n")
                fields = dict(line.split(": ") for line in tariff)
                if fields["licence"] == "never given":
                    yield ("stop", {"shipment": name, "reason": f"{code} is prohibited"})
                    return f"{name} is stopped: {code} is prohibited."
                if fields["licence"] == "required":
                    yield ("license", {"shipment": name, "code": code})
                    licences += 1
                    continue
                percent = int(fields["duty"].split()[0])
                if fields.get("quota") == "used up":
                    percent += 20
                euros = round(int(value) * rate, 2)
                if euros == 0:
                    continue
                yield (
                    "declare",
                    {
                        "shipment": name,
                        "code": code,
                        "value": euros,
                        "duty": round(euros * percent / 100, 2),
                    },
                )
        if licences:
            return f"{name} waits for {licences} licences."
        if asked.wish:
            return f"{name} is declared, worth {total} EUR, and not released."
        yield ("release", {"shipment": name})
        return f"{name} is released, worth {total} EUR."
