"""Prices of articles changed, one or several at once; told as a table."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

from ..trade import Policy, Record, Result
from .desk import Desk

__all__ = ["Prices"]


class Prices(Desk):
    """Prices of articles changed, one or several at once; told as a table."""

    name = "prices"
    prompt = "You keep the prices of a web shop. Prices move by 20 % at most without approval."
    reading = ("get_articles", "get_supplier_price", "list_campaigns", "get_approver")
    traps = (
        "fixed",
        "exactly20",
        "belowcost",
        "inpounds",
        "missing",
        "campaign",
        "relative",
        "draftonly",
        "bundle",
        "several",
        "sameprice",
    )
    tools = (
        "get_articles",
        "get_supplier_price",
        "list_campaigns",
        "get_approver",
        "set_price",
        "take_offline",
        "set_tags",
        "ask_approval",
        "end_campaign",
    )

    def get_articles(self, skus: list[str]) -> Result:
        """Table of articles."""
        rows = [self.row("article", sku) for sku in skus if sku in self.db["article"]]
        lines = ["sku;price;currency;group;flags"]
        lines += [
            f"{each['sku']};{each['price']};{each['currency']};{each['group']};{each['flags']}"
            for each in rows
        ]
        return "\n".join(lines)

    def get_supplier_price(self, sku: str) -> Result:
        """What an article costs us."""
        return {"sku": sku, "cost": self.row("cost", sku)}

    def list_campaigns(self, sku: str) -> Result:
        """Running campaigns of an article."""
        return self.row("campaigns", sku)

    def get_approver(self, group: str) -> Result:
        """Who approves prices of a group."""
        return {"group": group, "approver": {"G1": "Rita", "G2": "Stan", "G3": "Theo"}[group]}

    def set_price(self, sku: str, cents: int, options: dict[str, bool]) -> Result:
        """Set a price."""
        return {"sku": sku, "cents": cents}

    def take_offline(self, skus: list[str]) -> Result:
        """Take articles offline."""
        return {"offline": skus}

    def set_tags(self, sku: str, tags: list[str]) -> Result:
        """Set the tags of an article."""
        return {"tags": tags}

    def ask_approval(self, approver: str, sku: str, cents: int) -> Result:
        """Ask for a price to be approved."""
        return {"asked": approver}

    def end_campaign(self, campaign: str) -> Result:
        """End a campaign."""
        return {"ended": campaign}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        kind = "price" if trap else rng.choice(["price", "price", "offline", "campaign"])
        count = 1 if kind != "offline" else rng.choice([1, 2, 3])
        if trap == "several":
            count = 2
        skus = [self.fresh(rng, f"{rng.choice('XYZ')}-", 5) for _ in range(count)]
        price = rng.randrange(20, 90) * 50
        for sku in skus:
            flags = rng.choice(["-", "-", "-", "new"] + ([] if trap else ["retired"]))
            row: Record = {
                "sku": sku,
                "price": f"{price / 100:.2f}",
                "currency": "EUR",
                "group": rng.choice(["G1", "G2", "G3"]),
                "flags": flags,
            }
            self.put("article", sku, row)
            self.put("cost", sku, f"{price * 0.6 / 100:.2f}")
            running = [{"campaign": self.fresh(rng, "cmp", 4), "percent": rng.choice([5, 10])}]
            chance = 0.8 if kind == "campaign" else 0.15
            self.put("campaigns", sku, running if rng.random() < chance and not trap else [])
        sku = skus[0]
        cents = round(price * rng.choice([0.85, 0.9, 0.95, 1.05, 1.1, 1.15, 1.3, 0.7]))
        if trap:
            cents = round(price * 1.1)
        extra, said = "", f"{cents / 100:.2f} euros"
        match trap:
            case "fixed":
                self.row("article", sku)["flags"] = "fixed by law"
            case "exactly20":
                cents = price * 6 // 5
                said = f"{cents / 100:.2f} euros"
            case "belowcost":
                self.put("cost", sku, f"{price * 1.2 / 100:.2f}")
            case "inpounds":
                self.row("article", sku)["currency"] = "GBP"
            case "missing":
                del self.db["article"][sku]
            case "campaign":
                running = [{"campaign": self.fresh(rng, "cmp", 4), "percent": 30}]
                self.put("campaigns", sku, running)
            case "relative":
                cents = price + 150
                said = "1.50 euros more"
            case "draftonly":
                extra = " Keep it as a draft."
            case "bundle":
                self.row("article", sku)["flags"] = f"bundle with {self.fresh(rng, 'X-', 5)}"
            case "sameprice":
                cents = price
                said = f"{cents / 100:.2f} euros"
        if trap == "relative":
            text = f"Make {sku} {said}."
        else:
            wording = {
                "price": [
                    "Set the price of {s} to {p}.",
                    "{s} shall cost {p}.",
                    "Please sell {s} for {p} from now on.",
                    "New price for {s}: {p}.",
                ],
                "offline": [
                    "Take {s} offline.",
                    "{s} must not be sold any more.",
                    "Stop selling {s}.",
                ],
                "campaign": [
                    "End the campaign on {s}.",
                    "{s} is no longer reduced.",
                    "No discount on {s} from now on.",
                ],
            }[kind]
            text = rng.choice(wording).format(s=" and ".join(skus), p=said)
        return text + extra, SimpleNamespace(
            kind=kind, skus=skus, cents=cents, draft=bool(extra), more=trap == "relative"
        )

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        table = yield ("get_articles", {"skus": asked.skus})
        rows = [line.split(";") for line in table.split("\n")[1:]]
        found = {row[0]: row for row in rows}
        lacking = [sku for sku in asked.skus if sku not in found]
        if lacking:
            return f"There is no {lacking[0]}."
        if asked.kind == "offline":
            gone = [sku for sku in asked.skus if found[sku][4] != "retired"]
            if not gone:
                return "Nothing is left to take offline."
            yield ("take_offline", {"skus": gone})
            for sku in gone:
                yield ("set_tags", {"sku": sku, "tags": ["ended"]})
            return f"{', '.join(gone)} offline."
        if asked.kind == "campaign":
            sku = asked.skus[0]
            running = yield ("list_campaigns", {"sku": sku})
            if not running:
                return f"{sku} has no campaign."
            yield ("end_campaign", {"campaign": running[0]["campaign"]})
            return f"{sku} costs {found[sku][1]} again, no {running[0]['percent']} % off."
        said = []
        for sku in asked.skus:
            _, price, currency, group, flags = found[sku]
            if flags == "retired":
                return f"{sku} is retired."
            if flags == "fixed by law" or flags.startswith("bundle"):
                return f"The price of {sku} cannot be set: {flags}."
            if currency != "EUR":
                return f"{sku} is sold in {currency}."
            now = round(float(price) * 100)
            if now == asked.cents:
                return f"{sku} costs {price} already."
            cost = (yield ("get_supplier_price", {"sku": sku}))["cost"]
            if asked.cents < float(cost) * 100:
                return f"{sku} costs us {cost}."
            if (yield ("list_campaigns", {"sku": sku})):
                return f"A campaign on {sku} is running."
            if abs(asked.cents - now) * 5 > now:
                who = (yield ("get_approver", {"group": group}))["approver"]
                yield (
                    "ask_approval",
                    {"approver": who, "sku": sku, "cents": asked.cents},
                )
                return f"{who} has to approve {asked.cents / 100:.2f} for {sku}."
            yield (
                "set_price",
                {
                    "sku": sku,
                    "cents": asked.cents,
                    "options": {"draft": asked.draft, "notify": asked.cents < now},
                },
            )
            said.append(f"{sku}: {asked.cents / 100:.2f} instead of {price}")
        return "; ".join(said) + "."
