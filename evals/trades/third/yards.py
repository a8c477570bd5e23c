"""Trades of yards and servers: a fleet, a shop's prices, shared folders, and permits."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

from ..trade import Policy, Record, Result
from .desk import Desk

__all__ = ["Fleet", "Folders", "Permits", "Prices"]


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


class Folders(Desk):
    """Folders shared, enlarged and restored, as far as who asks may do it."""

    name = "folders"
    prompt = "You administer shared folders. Only owners and admins of a folder decide."
    reading = ("get_folder", "get_user", "list_versions", "get_usage", "get_project")
    traps = (
        "editor",
        "legalhold",
        "terabytes",
        "exactquota",
        "external",
        "hasmore",
        "nofile",
        "deletedfolder",
        "twousers",
        "untilfriday",
        "inherited",
    )
    tools = (
        "get_folder",
        "get_user",
        "list_versions",
        "get_usage",
        "get_project",
        "share",
        "set_quota",
        "restore",
        "request_consent",
        "open_ticket",
    )

    def get_folder(self, path: str) -> Result:
        """Look up a folder."""
        return self.row("folder", path)

    def get_user(self, login: str) -> Result:
        """Users of a login."""
        return self.row("user", login)

    def list_versions(self, path: str, file: str) -> Result:
        """Versions of a file, in no order."""
        return {"file": file, "versions": self.row("versions", path).get(file, [])}

    def get_usage(self, path: str) -> Result:
        """How full a folder is."""
        return self.row("usage", path)

    def get_project(self, project: str) -> Result:
        """Look up a project."""
        return self.row("project", project)

    def share(self, path: str, login: str, level: str, notify: bool) -> Result:
        """Share a folder with a user."""
        return {"members": 4}

    def set_quota(self, path: str, gigabytes: int) -> Result:
        """Set the quota of a folder."""
        return {"quota": f"{gigabytes} GB"}

    def restore(self, path: str, file: str, version: int) -> Result:
        """Restore a version of a file."""
        return {"restored": version}

    def request_consent(self, owner: str, path: str, what: str) -> Result:
        """Ask an owner for consent."""
        return "requested"

    def open_ticket(self, queue: str, subject: str) -> Result:
        """Open a ticket."""
        return {"ticket": 7}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        kind = rng.choice(["share", "share", "quota", "restore"])
        if trap in ("external", "hasmore", "twousers", "untilfriday"):
            kind = "share"
        elif trap in ("terabytes", "exactquota"):
            kind = "quota"
        elif trap == "nofile":
            kind = "restore"
        path, project = f"/p/{self.fresh(rng, 'f', 5)}", self.fresh(rng, "pr", 4)
        asker, login = self.fresh(rng, "u", 5), self.fresh(rng, "u", 5)
        owner = asker if rng.random() < 0.6 else self.fresh(rng, "u", 5)
        role = "owner" if owner == asker else rng.choice(["admin", "admin", "viewer"])
        level = rng.choice(["read", "write"])
        quota = rng.choice([50, 100, 200])
        row: Record = {
            "path": path,
            "project": project,
            "members": {owner: "owner", asker: role},
            "quota_gb": str(quota),
            "deleted": False,
        }
        user: Record = {"login": login, "name": self.person(rng), "external": False}
        users = [user] if rng.random() < 0.88 or trap else []
        new = quota + rng.choice([20, 50, 100, 400])
        budget: Record = {"project": project, "free_gb": rng.choice([60, 120, 300]), "cost": "C1"}
        file = f"{self.fresh(rng, 'doc', 4)}.txt"
        versions: list[Record] = [
            {"version": number, "by": rng.choice([asker, login]), "intact": number != 2}
            for number in range(1, rng.randrange(3, 6))
        ]
        if rng.random() < 0.25:
            versions[-2]["intact"] = False
        extra, said = "", f"{new} GB"
        if trap:
            row["members"] = {owner: "owner", asker: "owner" if owner == asker else "admin"}
            new, budget["free_gb"] = quota + 20, 300
            said = f"{new} GB"
        match trap:
            case "editor":
                row["members"] = {self.fresh(rng, "u", 5): "owner", asker: "editor"}
            case "legalhold":
                row["legal_hold"] = self.fresh(rng, "case", 3)
            case "terabytes":
                new, said = 1000, "1 TB"
            case "exactquota":
                budget["free_gb"] = 20
            case "external":
                user["external"] = True
            case "hasmore":
                level = "read"
                row["members"][login] = "write"
            case "nofile":
                versions = []
            case "deletedfolder":
                row["deleted"] = True
            case "twousers":
                users = [user, {**user, "name": self.person(rng), "external": True}]
            case "untilfriday":
                extra = " Only until Friday."
            case "inherited":
                row["members"] = {owner: "owner", "everyone": "admin"}
        rng.shuffle(versions)
        self.put("folder", path, row)
        self.put("user", login, users)
        self.put("versions", path, {file: versions})
        self.put("usage", path, {"path": path, "used": f"{quota - rng.randrange(1, 9)} GB"})
        self.put("project", project, budget)
        wording = {
            "share": [
                "{a} asks: share {p} with {l} ({v}).",
                "{a} wants {l} to {v} {p}.",
                "Give {l} the right to {v} in {p}, says {a}.",
                "For {a}: {l} needs to {v} {p}.",
            ],
            "quota": [
                "{a} asks for {q} in {p}.",
                "{a} needs {p} to have {q}.",
                "Raise {p} to {q} for {a}.",
            ],
            "restore": [
                "{a} wants {f} in {p} as it was before.",
                "For {a}: bring back the previous {f} in {p}.",
                "Restore {f} in {p}, asks {a}.",
            ],
        }[kind]
        text = rng.choice(wording).format(a=asker, p=path, l=login, v=level, q=said, f=file)
        return text + extra, SimpleNamespace(
            kind=kind,
            asker=asker,
            path=path,
            login=login,
            level=level,
            new=new,
            file=file,
            until=bool(extra),
        )

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        path = asked.path
        row = yield ("get_folder", {"path": path})
        if row["deleted"]:
            return f"{path} is deleted."
        if row.get("legal_hold"):
            yield (
                "open_ticket",
                {"queue": "legal", "subject": f"{path}, {row['legal_hold']}"},
            )
            return f"{path} is on legal hold ({row['legal_hold']})."
        members = row["members"]
        owner = next(login for login, level in members.items() if level == "owner")
        if members.get(asked.asker) not in ("owner", "admin"):
            yield ("request_consent", {"owner": owner, "path": path, "what": asked.kind})
            return f"{owner} is asked, as {asked.asker} may not decide on {path}."
        if asked.kind == "restore":
            told = yield ("list_versions", {"path": path, "file": asked.file})
            versions = sorted(told["versions"], key=lambda each: -each["version"])
            intact = [each for each in versions[1:] if each["intact"]]
            if not intact:
                return f"There is no previous {asked.file}."
            version = intact[0]["version"]
            yield ("restore", {"path": path, "file": asked.file, "version": version})
            return f"{asked.file} is version {version} again, by {intact[0]['by']}."
        if asked.kind == "quota":
            usage, project = yield [
                ("get_usage", {"path": path}),
                ("get_project", {"project": row["project"]}),
            ]
            more = asked.new - int(row["quota_gb"])
            if more > project["free_gb"]:
                yield (
                    "open_ticket",
                    {"queue": "storage", "subject": f"{more} GB for {row['project']}"},
                )
                return f"{row['project']} has only {project['free_gb']} GB left."
            yield ("set_quota", {"path": path, "gigabytes": asked.new})
            return f"{path} has {asked.new} GB now, {usage['used']} are used."
        if asked.until:
            return f"Shares of {path} cannot end by themselves."
        users = yield ("get_user", {"login": asked.login})
        if len(users) != 1:
            return f"{asked.login} fits {len(users)} users."
        if members.get(asked.login) in ("write", "admin", "owner"):
            return f"{users[0]['name']} may {members[asked.login]} {path} already."
        if users[0]["external"] and asked.asker != owner:
            yield ("request_consent", {"owner": owner, "path": path, "what": "external"})
            return f"{owner} is asked about {users[0]['name']} from outside."
        yield (
            "share",
            {
                "path": path,
                "login": asked.login,
                "level": asked.level,
                "notify": not users[0]["external"],
            },
        )
        return f"{users[0]['name']} may {asked.level} {path}."


class Permits(Desk):
    """Tarjetas de aparcamiento: renewed, moved to another plate, or given up."""

    name = "permits"
    prompt = "Gestionas tarjetas de aparcamiento de una ciudad. Hoy es 2026-10-05."
    reading = ("buscar_tarjeta", "ver_vecino", "ver_multas", "ver_zona", "ver_vehiculo")
    traps = (
        "suspendida",
        "multapequena",
        "mudado",
        "vehiculoajeno",
        "ultimodia",
        "zonallena",
        "electrico",
        "sindevolver",
        "dosanos",
        "pesado",
        "sinvehiculo",
    )
    tools = (
        "buscar_tarjeta",
        "ver_vecino",
        "ver_multas",
        "ver_zona",
        "ver_vehiculo",
        "renovar",
        "cambiar_matricula",
        "dar_de_baja",
        "devolver_tasa",
        "citar",
    )

    def buscar_tarjeta(self, numero: str) -> Result:
        """Buscar una tarjeta."""
        return {"total": 1, "tarjetas": [self.row("tarjeta", numero)]}

    def ver_vecino(self, dni: str) -> Result:
        """Ver un vecino."""
        return self.row("vecino", dni)

    def ver_multas(self, matricula: str) -> Result:
        """Multas de una matrícula, una por línea."""
        return self.row("multas", matricula)

    def ver_zona(self, zona: str) -> Result:
        """Ver una zona."""
        return self.row("zona", zona)

    def ver_vehiculo(self, matricula: str) -> Result:
        """Ver un vehículo."""
        return self.row("vehiculo", matricula)

    def renovar(self, numero: str, hasta: str, tasa: int) -> Result:
        """Renovar una tarjeta."""
        return {"hecho": True}

    def cambiar_matricula(self, numero: str, matricula: str) -> Result:
        """Cambiar la matrícula de una tarjeta."""
        return {"hecho": True}

    def dar_de_baja(self, numero: str) -> Result:
        """Dar de baja una tarjeta."""
        return {"hecho": True}

    def devolver_tasa(self, numero: str, euros: int) -> Result:
        """Devolver la tasa."""
        return {"devuelto": euros}

    def citar(self, dni: str, motivo: str) -> Result:
        """Citar a un vecino."""
        return {"cita": "2026-10-20"}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        kind = rng.choice(["renovar", "renovar", "cambiar", "baja"])
        if trap in ("multapequena", "mudado", "ultimodia", "zonallena", "electrico", "dosanos"):
            kind = "renovar"
        elif trap in ("vehiculoajeno", "pesado", "sinvehiculo"):
            kind = "cambiar"
        elif trap == "sindevolver":
            kind = "baja"
        numero, dni = f"T/{self.fresh(rng, '', 5)}", self.fresh(rng, "D", 7)
        old, new = f"{self.fresh(rng, '', 4)} KLM", f"{self.fresh(rng, '', 4)} NPR"
        zona, name = rng.choice(["Centro", "Puerto", "Norte"]), self.person(rng)
        tasas = {"Centro": 60, "Puerto": 45, "Norte": 24}
        for each, tasa in tasas.items():
            self.put("zona", each, {"zona": each, "tasa": tasa, "libres": 12})
        row: Record = {
            "numero": numero,
            "dni": dni,
            "matricula": old,
            "zona": zona,
            "hasta": rng.choice(["2026-10-31", "2026-11-15", "2027-06-30", "2026-10-12"]),
            "estado": rng.choice(["vigente"] * 6 + ["anulada"]),
        }
        vecino: Record = {"dni": dni, "nombre": name, "empadronado": True, "domicilio": zona}
        multas = [
            f"{self.fresh(rng, 'M', 4)} {rng.choice([60, 90, 200])} EUR pagada"
            for _ in range(rng.randrange(3))
        ]
        if rng.random() < 0.2:
            multas.append(f"{self.fresh(rng, 'M', 4)} {rng.choice([90, 200])} EUR pendiente")
        vehiculo: Record = {
            "matricula": new,
            "titular": dni if rng.random() < 0.8 else self.fresh(rng, "D", 7),
            "tipo": "turismo",
            "peso_kg": str(rng.randrange(900, 2200)),
        }
        if rng.random() < 0.1:
            vecino["empadronado"] = False
        extra = ""
        if trap:
            row.update(estado="vigente", hasta="2026-10-31")
            vecino["empadronado"], vehiculo["titular"], multas = True, dni, multas[:1]
            multas = [each for each in multas if "pagada" in each]
        match trap:
            case "suspendida":
                row["suspendida"] = "por orden judicial"
            case "multapequena":
                multas.append(f"{self.fresh(rng, 'M', 4)} 20 EUR pendiente")
            case "mudado":
                vecino["domicilio"] = next(each for each in tasas if each != zona)
            case "vehiculoajeno":
                vehiculo["titular"] = self.fresh(rng, "D", 7)
            case "ultimodia":
                row["hasta"] = "2026-10-05"
            case "zonallena":
                row["zona"] = vecino["domicilio"] = "Playa"
                self.put("zona", "Playa", {"zona": "Playa", "tasa": 80, "libres": 0})
            case "electrico":
                row["distintivo"] = "0 emisiones"
            case "sindevolver":
                row["hasta"] = "2027-06-30"
                extra = " No hace falta devolver la tasa."
            case "dosanos":
                extra = " Esta vez por dos años."
            case "pesado":
                vehiculo["peso_kg"] = "3600"
            case "sinvehiculo":
                new = f"{self.fresh(rng, '', 4)} ZZZ"
        self.put("tarjeta", numero, row)
        self.put("vecino", dni, vecino)
        self.put("multas", old, "\n".join(multas) or "sin multas")
        self.put("vehiculo", vehiculo["matricula"], vehiculo)
        wording = {
            "renovar": [
                "Renueva la tarjeta {n}.",
                "La tarjeta {n} caduca pronto, renuévala.",
                "Por favor, renovar {n}.",
                "Renew permit {n}.",
            ],
            "cambiar": [
                "Cambia la matrícula de {n} a {m}.",
                "La tarjeta {n} es ahora para el coche {m}.",
                "{n}: nueva matrícula {m}.",
            ],
            "baja": [
                "Da de baja la tarjeta {n}.",
                "Ya no necesito la tarjeta {n}.",
                "Anula {n}, he vendido el coche.",
            ],
        }[kind]
        text = rng.choice(wording).format(n=numero, m=new) + extra
        return text, SimpleNamespace(
            kind=kind,
            numero=numero,
            matricula=new,
            years=2 if trap == "dosanos" else 1,
            keep=trap == "sindevolver",
        )

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        numero = asked.numero
        row = (yield ("buscar_tarjeta", {"numero": numero}))["tarjetas"][0]
        if row["estado"] != "vigente":
            return f"La tarjeta {numero} está {row['estado']}."
        if row.get("suspendida"):
            return f"La tarjeta {numero} está suspendida {row['suspendida']}."
        if asked.kind == "baja":
            zona = yield ("ver_zona", {"zona": row["zona"]})
            yield ("dar_de_baja", {"numero": numero})
            if row["hasta"] > "2027-04-05" and not asked.keep:
                half = zona["tasa"] // 2
                yield ("devolver_tasa", {"numero": numero, "euros": half})
                return f"{numero} queda de baja; se devuelven {half} euros."
            return f"{numero} queda de baja."
        vecino = yield ("ver_vecino", {"dni": row["dni"]})
        if not vecino["empadronado"]:
            yield ("citar", {"dni": row["dni"], "motivo": "padrón"})
            return f"{vecino['nombre']} no está en el padrón y tiene cita."
        if asked.kind == "cambiar":
            car = yield ("ver_vehiculo", {"matricula": asked.matricula})
            if isinstance(car, str):
                return f"No existe el vehículo {asked.matricula}."
            if car["titular"] != row["dni"]:
                yield ("citar", {"dni": row["dni"], "motivo": "titular"})
                return f"{asked.matricula} no es de {vecino['nombre']}."
            if int(car["peso_kg"]) > 3500:
                return f"{asked.matricula} pesa {car['peso_kg']} kg."
            yield ("cambiar_matricula", {"numero": numero, "matricula": asked.matricula})
            return f"{numero} vale ahora para {asked.matricula}, antes {row['matricula']}."
        if row["hasta"] > "2027-01-05":
            return f"{numero} vale hasta {row['hasta']}; es pronto."
        if vecino["domicilio"] != row["zona"]:
            yield ("citar", {"dni": row["dni"], "motivo": "domicilio"})
            return f"{vecino['nombre']} vive ahora en {vecino['domicilio']}."
        multas, zona = yield [
            ("ver_multas", {"matricula": row["matricula"]}),
            ("ver_zona", {"zona": row["zona"]}),
        ]
        owed = sum(
            int(line.split()[1]) for line in multas.split("\n") if line.endswith("pendiente")
        )
        if owed > 50:
            yield ("citar", {"dni": row["dni"], "motivo": "multas"})
            return f"{vecino['nombre']} debe {owed} euros en multas."
        if zona["libres"] == 0:
            return f"La zona {row['zona']} está llena."
        tasa = zona["tasa"] * asked.years
        if row.get("distintivo") == "0 emisiones":
            tasa //= 4
        year = int(row["hasta"][:4]) + asked.years
        hasta = f"{year}{row['hasta'][4:]}"
        yield ("renovar", {"numero": numero, "hasta": hasta, "tasa": tasa})
        return f"{numero} vale hasta {hasta}; tasa {tasa} euros."
