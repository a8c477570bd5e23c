"""Trades of offices: certificates of hosts, shifts of crews, and invoices of suppliers."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

from langchain_core.tools import ToolException

from ..trade import Policy, Record, Result
from .desk import Desk

__all__ = ["Certs", "Crews", "Payables"]


class Certs(Desk):
    """Certificates told as lines of text; renewals that are busy are tried once more."""

    name = "certs"
    prompt = "You look after certificates of hosts. Today is 2026-09-01."
    reading = ("get_cert", "get_team", "list_names", "get_freeze")
    traps = (
        "frozen",
        "wildcard",
        "otherteam",
        "busytwice",
        "rehearse",
        "listed",
        "public",
        "superseded",
        "noowner",
        "tooearly",
        "smallteam",
    )
    tools = (
        "get_cert",
        "get_team",
        "list_names",
        "get_freeze",
        "renew",
        "revoke",
        "add_names",
        "hand_over",
        "open_change",
        "page",
    )

    def get_cert(self, host: str) -> Result:
        """Look up the certificate of a host."""
        return "\n".join(f"{key}: {value}" for key, value in self.row("cert", host).items())

    def get_team(self, team: str) -> Result:
        """Look up a team."""
        return {"team": self.row("team", team)}

    def list_names(self, cert: str) -> Result:
        """Names in a certificate."""
        return self.row("sans", cert)

    def get_freeze(self, zone: str) -> Result:
        """Whether changes in a zone are frozen."""
        return zone in self.db.get("frozen", [])

    def renew(self, cert: str, days: int, dry_run: bool) -> Result:
        """Renew a certificate, or only rehearse it."""
        if self.db["busy"].get(cert, 0):
            self.db["busy"][cert] -= 1
            raise ToolException("429 busy, try again")
        return {"cert": cert, "days": days}

    def revoke(self, cert: str, reason: str) -> Result:
        """Revoke a certificate."""
        return {"cert": cert, "state": "revoked"}

    def add_names(self, cert: str, names: list[str]) -> Result:
        """Add names to a certificate."""
        return {"cert": cert, "added": len(names)}

    def hand_over(self, cert: str, team: str) -> Result:
        """Hand a certificate over to another team."""
        return "done"

    def open_change(self, cert: str, approver: str, what: str) -> Result:
        """Ask for a change to be approved."""
        return {"change": "open"}

    def page(self, team: str, text: str) -> Result:
        """Page a team."""
        return {"paged": True}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        kind = rng.choice(["renew", "renew", "both", "names", "revoke"])
        if trap in ("wildcard", "listed"):
            kind = "names"
        elif trap == "otherteam":
            kind = "revoke"
        elif trap in ("busytwice", "rehearse", "tooearly"):
            kind = "renew"
        elif trap == "smallteam":
            kind = "both"
        elif trap:
            kind = rng.choice(["renew", "both"])
        host, cert = f"{self.fresh(rng, 'h', 4)}.corp.example", self.fresh(rng, "CRT-", 6)
        team, other = self.fresh(rng, "team-", 3), self.fresh(rng, "team-", 3)
        zone = self.fresh(rng, "zone", 3)
        info: Record = {
            "host": host,
            "cert": cert,
            "zone": zone,
            "issuer": "internal",
            "state": rng.choice(["valid"] * 6 + ["revoked"]),
            "expires": f"2026-{rng.choice(['09', '09', '09', '11'])}-{rng.randrange(10, 30)}",
            "owner": team,
        }
        group: Record = {
            "name": team,
            "lead": self.person(rng),
            "tier": rng.choice(["1", "2", "3"]),
            "size": rng.randrange(3, 9),
        }
        second: Record = {**group, "name": other, "lead": self.person(rng), "size": 5}
        names = [f"{self.fresh(rng, 'n', 4)}.example" for _ in range(rng.randrange(1, 4))]
        busy = 1 if rng.random() < 0.2 else 0
        added = [f"{self.fresh(rng, 'n', 4)}.example" for _ in range(rng.choice([1, 2, 2, 3]))]
        asker = team
        extra = ""
        if rng.random() < 0.1 and not trap:
            self.db.setdefault("frozen", []).append(zone)
        if trap:
            info.update(state="valid", expires="2026-09-20")
            group["tier"], busy = "2", 0
        match trap:
            case "frozen":
                info["hold"] = "audit"
            case "wildcard":
                added[-1] = f"*.{added[-1]}"
            case "otherteam":
                asker = other
            case "busytwice":
                busy = 3
            case "rehearse":
                extra = " Rehearse it only."
            case "listed":
                added = [names[0]]
            case "public":
                info["issuer"] = "public"
            case "superseded":
                info["superseded_by"] = self.fresh(rng, "CRT-", 6)
            case "noowner":
                info["owner"] = "-"
            case "tooearly":
                info["expires"] = "2026-10-02"
            case "smallteam":
                second["size"] = 0
        self.put("cert", host, info)
        self.put("sans", cert, names)
        self.put("team", team, group)
        self.put("team", other, second)
        self.put("busy", cert, busy)
        reason = rng.choice(["key lost", "host gone", "wrong name"])
        wording = {
            "renew": [
                "Renew the certificate of {h}.",
                "{h} needs a new certificate.",
                "The certificate of {h} runs out, see to it.",
                "Please renew {h}.",
            ],
            "both": [
                "Renew {h} and hand it over to {o}.",
                "{o} takes over {h}; renew it as well.",
                "Hand {h} over to {o}, renewed.",
            ],
            "names": [
                "Add {n} to the certificate of {h}.",
                "{h} shall also answer to {n}.",
                "The certificate of {h} lacks {n}.",
            ],
            "revoke": [
                "Revoke {h} ({r}), says {a}.",
                "{a} wants {h} revoked: {r}.",
                "On behalf of {a}: revoke the certificate of {h}, {r}.",
            ],
        }[kind]
        text = rng.choice(wording).format(h=host, o=other, n=" and ".join(added), r=reason, a=asker)
        asked = SimpleNamespace(
            kind=kind,
            host=host,
            other=other,
            added=added,
            reason=reason,
            asker=asker,
            dry=bool(extra),
        )
        return text + extra, asked

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        host = asked.host
        told = yield ("get_cert", {"host": host})
        info = dict(line.split(": ") for line in told.split("\n"))
        cert = info["cert"]
        if info["state"] != "valid":
            return f"{cert} of {host} is {info['state']}."
        if info.get("hold"):
            return f"{cert} is kept as it is: {info['hold']}."
        if info.get("superseded_by"):
            return f"{host} uses {info['superseded_by']} by now."
        if info["owner"] == "-":
            yield ("page", {"team": "platform", "text": f"Who owns {host}?"})
            return f"Nobody owns {host}; platform is paged."
        if asked.kind == "revoke" and asked.asker != info["owner"]:
            return f"{host} belongs to {info['owner']}, not to {asked.asker}."
        team = (yield ("get_team", {"team": info["owner"]}))["team"]
        if asked.kind == "revoke":
            if team["tier"] == "1":
                yield (
                    "open_change",
                    {"cert": cert, "approver": team["lead"], "what": f"revoke: {asked.reason}"},
                )
                return f"{team['lead']} has to approve that {cert} is revoked."
            yield ("revoke", {"cert": cert, "reason": asked.reason})
            yield ("page", {"team": info["owner"], "text": f"{cert} of {host} is revoked."})
            return f"{cert} of {host} is revoked: {asked.reason}."
        if (yield ("get_freeze", {"zone": info["zone"]})):
            return f"{info['zone']} is frozen."
        if asked.kind == "names":
            if any(each.startswith("*") for each in asked.added):
                yield (
                    "open_change",
                    {"cert": cert, "approver": team["lead"], "what": "wildcard"},
                )
                return f"{team['lead']} has to approve the wildcard in {cert}."
            names = yield ("list_names", {"cert": cert})
            new = [each for each in asked.added if each not in names]
            if not new:
                return f"{cert} has {', '.join(asked.added)} already."
            yield ("add_names", {"cert": cert, "names": new})
            return f"{cert} also has {', '.join(new)}."
        if asked.kind == "both":
            second = (yield ("get_team", {"team": asked.other}))["team"]
            if second["size"] == 0:
                return f"{asked.other} has no members."
        if info["expires"] > "2026-10-01":
            if asked.kind == "both":
                yield ("hand_over", {"cert": cert, "team": asked.other})
                return f"{cert} goes to {second['lead']} as it is, valid until {info['expires']}."
            return f"{cert} is valid until {info['expires']}; that is long enough."
        if info["issuer"] != "internal":
            yield (
                "open_change",
                {"cert": cert, "approver": team["lead"], "what": "buy a renewal"},
            )
            return f"{team['lead']} has to buy a renewal of {cert}."
        call = ("renew", {"cert": cert, "days": 90, "dry_run": asked.dry})
        done = yield call
        if isinstance(done, str):
            done = yield call
        if isinstance(done, str):
            yield ("page", {"team": "platform", "text": f"{cert} cannot be renewed."})
            return f"{cert} cannot be renewed now; platform is paged."
        if asked.kind == "both":
            yield ("hand_over", {"cert": cert, "team": asked.other})
            return f"{cert} is renewed for 90 days and goes to {second['lead']}."
        return f"{cert} {'could be' if asked.dry else 'is'} renewed for 90 days."


class Crews(Desk):
    """Shifts handed on and swapped between people who are looked up by name, all at once."""

    name = "crews"
    prompt = "You keep the roster of crews. Today is 2026-04-06. A week has 40 hours at most."
    reading = ("find_people", "get_shift", "list_shifts")
    traps = (
        "twins",
        "nottheirs",
        "noskill",
        "sameday",
        "exactly40",
        "locked",
        "othersite",
        "past",
        "onleave",
        "silent",
        "unknown",
    )
    tools = (
        "find_people",
        "get_shift",
        "list_shifts",
        "assign",
        "release",
        "swap",
        "record_absence",
        "ask_manager",
        "message",
    )

    def find_people(self, name: str) -> Result:
        """People of a name."""
        return {"people": self.row("people", name)}

    def get_shift(self, shift: str) -> Result:
        """Look up a shift."""
        return self.row("shift", shift)

    def list_shifts(self, person: str, week: int) -> Result:
        """Shifts of a person in a week."""
        return self.row("week", person)

    def assign(self, shift: str, person: str) -> Result:
        """Give a shift to a person."""
        return {"shift": shift, "person": person}

    def release(self, shift: str) -> Result:
        """Leave a shift open."""
        return {"shift": shift, "person": None}

    def swap(self, shifts: list[str]) -> Result:
        """Swap two shifts."""
        return {"swapped": shifts}

    def record_absence(self, person: str, first: str, last: str) -> Result:
        """Record that a person is away."""
        return {"days": 1}

    def ask_manager(self, site: str, about: dict[str, str]) -> Result:
        """Ask the manager of a site."""
        return True

    def message(self, people: list[str], text: str) -> Result:
        """Send people a message."""
        return True

    def _add(self, rng: Random, site: str) -> Record:
        row: Record = {
            "id": self.fresh(rng, "E", 5),
            "name": self.person(rng),
            "site": {"id": site, "floor": rng.randrange(4)},
            "skills": rng.choice([["desk"], ["desk", "forklift"], ["forklift", "desk"]]),
            "active": True,
        }
        self.put("people", row["name"], [row])
        self.put("week", row["id"], [])
        return row

    def _shift(self, rng: Random, person: Record, date: str) -> Record:
        row: Record = {
            "shift": self.fresh(rng, "sh-", 5),
            "person": person["id"],
            "site": person["site"]["id"],
            "date": date,
            "hours": rng.choice([6, 8, 8]),
            "needs": "desk",
            "week": 16,
        }
        self.put("shift", row["shift"], row)
        return row

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        kind = rng.choice(["over", "over", "swap", "ill"])
        if trap in ("sameday", "exactly40", "noskill", "othersite", "onleave"):
            kind = "over"
        elif trap:
            kind = rng.choice(["over", "swap"])
        site = rng.choice(["Kiel", "Bonn", "Ulm"])
        first, second = self._add(rng, site), self._add(rng, site)
        dates = [f"2026-04-{number}" for number in rng.sample(range(13, 18), 4)]
        one, two = self._shift(rng, first, dates[0]), self._shift(rng, second, dates[1])
        busy = [
            {"shift": self.fresh(rng, "sh-", 5), "date": date, "hours": 8}
            for date in dates[1 : rng.choice([2, 3, 4])]
        ]
        if rng.random() < 0.2:
            one["needs"] = "forklift"
        if rng.random() < 0.12:
            busy[0]["hours"] = 34
        if trap:
            one["needs"], one["hours"], busy = "desk", 8, busy[:1]
            busy[0]["hours"] = 8
        silent = False
        match trap:
            case "twins":
                self.put("people", second["name"], [second, {**second, "id": "E1"}])
            case "nottheirs":
                one["person"] = self.fresh(rng, "E", 5)
            case "noskill":
                one["needs"] = "crane"
            case "sameday":
                busy[0]["date"] = one["date"]
            case "exactly40":
                busy[0]["hours"] = 32
            case "locked":
                one["locked"] = "payroll"
            case "othersite":
                second["site"]["id"] = "Jena"
            case "past":
                one["date"] = "2026-04-02"
            case "onleave":
                second["active"] = False
            case "silent":
                silent = True
            case "unknown":
                self.put("people", second["name"], [])
        self.put("week", second["id"], busy)
        self.put("week", first["id"], [one])
        until = f"2026-04-{rng.randrange(18, 29)}"
        wording = {
            "over": [
                "{a} cannot do {s}, {b} takes it.",
                "Give {s} of {a} to {b}.",
                "{b} works {s} instead of {a}.",
                "Please put {b} on {s}, {a} has no time.",
            ],
            "swap": [
                "{a} and {b} swap {s} and {t}.",
                "Swap {s} of {a} with {t} of {b}.",
                "{a} would do {t} if {b} does {s}.",
            ],
            "ill": [
                "{a} is ill until {u}, so {s} is open.",
                "Ill until {u}: {a}. Release {s}.",
                "{a} stays at home until {u}; free {s}.",
            ],
        }[kind]
        text = rng.choice(wording).format(
            a=first["name"], b=second["name"], s=one["shift"], t=two["shift"], u=until
        )
        asked = SimpleNamespace(
            kind=kind,
            first=first["name"],
            second=second["name"],
            one=one["shift"],
            two=two["shift"],
            until=until,
            silent=silent,
        )
        return text + (" Do not message them, they know." if silent else ""), asked

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        names = [asked.first] + ([] if asked.kind == "ill" else [asked.second])
        shifts = [asked.one] + ([asked.two] if asked.kind == "swap" else [])
        told = yield [
            *(("find_people", {"name": name}) for name in names),
            *(("get_shift", {"shift": shift}) for shift in shifts),
        ]
        found = [each["people"] for each in told[: len(names)]]
        rows = told[len(names) :]
        for name, people in zip(names, found, strict=True):
            if len(people) != 1:
                return f"There are {len(people)} people called {name}."
        people = [each[0] for each in found]
        one = rows[0]
        for person, row in zip(people, rows, strict=False):
            if row["person"] != person["id"]:
                return f"{row['shift']} is not a shift of {person['name']}."
            if row["date"] <= "2026-04-06":
                return f"{row['shift']} was on {row['date']}."
            if row.get("locked"):
                return f"{row['shift']} is locked by {row['locked']}."
        first = people[0]
        if asked.kind == "ill":
            yield (
                "record_absence",
                {"person": first["id"], "first": "2026-04-06", "last": asked.until},
            )
            yield ("release", {"shift": asked.one})
            return f"{first['name']} is away until {asked.until}; {asked.one} is open."
        second = people[1]
        if not second["active"]:
            return f"{second['name']} is on leave."
        if asked.kind == "swap":
            if any(
                row["needs"] not in person["skills"]
                for row, person in zip(rows, [second, first], strict=True)
            ):
                yield (
                    "ask_manager",
                    {"site": one["site"], "about": {"shift": one["shift"], "why": "skills"}},
                )
                return "The manager is asked about the skills."
            yield ("swap", {"shifts": [asked.one, asked.two]})
            if not asked.silent:
                yield (
                    "message",
                    {"people": [first["id"], second["id"]], "text": "Your shifts are swapped."},
                )
            return f"{first['name']} works on {rows[1]['date']}, {second['name']} on {one['date']}."
        if one["needs"] not in second["skills"] or second["site"]["id"] != one["site"]:
            why = "site" if second["site"]["id"] != one["site"] else one["needs"]
            yield (
                "ask_manager",
                {"site": one["site"], "about": {"shift": one["shift"], "why": why}},
            )
            return f"The manager of {one['site']} is asked about {second['name']}."
        own = yield ("list_shifts", {"person": second["id"], "week": one["week"]})
        if any(each["date"] == one["date"] for each in own):
            return f"{second['name']} works on {one['date']} already."
        hours = sum(each["hours"] for each in own) + one["hours"]
        if hours > 40:
            return f"{second['name']} would have {hours} hours."
        yield ("assign", {"shift": asked.one, "person": second["id"]})
        if not asked.silent:
            yield (
                "message",
                {"people": [second["id"], first["id"]], "text": f"{asked.one} is handed on."},
            )
        return f"{second['name']} works {asked.one} on {one['date']}."


class Payables(Desk):
    """Invoices paid against orders and deliveries; amounts are strings."""

    name = "payables"
    prompt = "You pay invoices of suppliers. Today is 2026-03-10."
    reading = ("get_invoice", "get_supplier", "get_order", "list_deliveries")
    traps = (
        "newaccount",
        "seenbefore",
        "creditnote",
        "dollars",
        "exactlimit",
        "stopped",
        "noorder",
        "undelivered",
        "lastday",
        "netofdiscount",
        "ownbuyer",
    )
    tools = (
        "get_invoice",
        "get_supplier",
        "get_order",
        "list_deliveries",
        "pay",
        "dispute",
        "postpone",
        "ask_approval",
        "write_note",
    )

    def get_invoice(self, invoice: str) -> Result:
        """Look up an invoice."""
        return self.row("invoice", invoice)

    def get_supplier(self, supplier: str) -> Result:
        """Look up a supplier."""
        return self.row("supplier", supplier)

    def get_order(self, order: str) -> Result:
        """Look up an order."""
        return self.row("po", order)

    def list_deliveries(self, order: str) -> Result:
        """Deliveries on an order."""
        return self.row("deliveries", order)

    def pay(self, invoice: str, account: str, amount: float) -> Result:
        """Pay an amount to an account."""
        return {"paid": f"{amount:.2f}"}

    def dispute(self, invoice: str, reasons: list[str]) -> Result:
        """Dispute an invoice."""
        return {"invoice": invoice, "state": "disputed"}

    def postpone(self, invoice: str, on: str) -> Result:
        """Have an invoice paid on another day."""
        return {"due": on}

    def ask_approval(self, invoice: str, person: str) -> Result:
        """Ask a person to approve an invoice."""
        return {"asked": person}

    def write_note(self, invoice: str, text: str) -> Result:
        """Note something on an invoice."""
        return None

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        kind = "pay" if trap else rng.choice(["pay", "pay", "later", "dispute"])
        invoice, supplier, order = (
            self.fresh(rng, "INV/", 6),
            self.fresh(rng, "S", 5),
            self.fresh(rng, "PO.", 6),
        )
        account = self.fresh(rng, "ACC", 5)
        cents = rng.choice([rng.randrange(8000, 300000), rng.randrange(8000, 300000), 620050])
        count = rng.randrange(2, 9)
        row: Record = {
            "invoice": invoice,
            "supplier": supplier,
            "order": order,
            "total": {"value": _money(cents), "currency": "EUR"},
            "state": rng.choice(["open"] * 7 + ["paid", "disputed"]),
            "due": "2026-04-05",
            "discount": rng.choice(
                [None, None, {"percent": "2", "until": f"2026-03-{rng.choice(['05', '18'])}"}]
            ),
            "note": rng.choice(["", "Thank you.", "Please state the number of the invoice."]),
        }
        buyer = self.person(rng)
        ordered: Record = {
            "order": order,
            "supplier": supplier,
            "buyer": buyer,
            "count": count,
            "limit": _money(cents + rng.choice([0, 5000, 90000, 90000, -3000])),
        }
        firm: Record = {
            "supplier": supplier,
            "name": f"{buyer.split()[1]} & Co",
            "account": account,
            "stopped": False,
        }
        deliveries: list[Record] = [{"day": "2026-03-01", "count": count}]
        if rng.random() < 0.3:
            deliveries = [
                {"day": "2026-02-20", "count": 1},
                {"day": "2026-03-02", "count": count - 1},
            ]
        if rng.random() < 0.12:
            deliveries[-1]["count"] -= 1
        extra = ""
        if trap:
            cents = rng.randrange(8000, 300000)
            row.update(state="open", discount=None, total={"value": _money(cents)})
            row["total"]["currency"] = "EUR"
            ordered["limit"] = _money(cents + 90000)
            deliveries = [{"day": "2026-03-01", "count": count}]
        match trap:
            case "newaccount":
                row["note"] = f"Please pay to our new account {self.fresh(rng, 'ACC', 5)}."
            case "seenbefore":
                row["same_as"] = self.fresh(rng, "INV/", 6)
            case "creditnote":
                row["total"]["value"] = "-" + _money(cents)
            case "dollars":
                row["total"]["currency"] = "USD"
            case "exactlimit":
                row["total"]["value"], ordered["limit"] = "5,000.00", "6,000.00"
            case "stopped":
                firm["stopped"] = True
            case "noorder":
                row["order"] = None
            case "undelivered":
                deliveries = []
            case "lastday":
                row["discount"] = {"percent": "2", "until": "2026-03-10"}
            case "netofdiscount":
                row["discount"] = {"percent": "2", "until": "2026-03-18"}
                extra = " Without the discount, we promised."
            case "ownbuyer":
                ordered["supplier"] = self.fresh(rng, "S", 5)
        self.put("invoice", invoice, row)
        self.put("supplier", supplier, firm)
        self.put("po", order, ordered)
        self.put("deliveries", order, deliveries)
        on = f"2026-0{rng.choice([3, 4])}-{rng.randrange(11, 29)}"
        why = rng.choice(["broken goods", "wrong price", "never ordered"])
        wording = {
            "pay": [
                "Pay {i}.",
                "Can {i} be paid? Then pay it.",
                "Please settle invoice {i}.",
                "{i} is to be paid.",
            ],
            "later": [
                "Pay {i} on {d} only.",
                "Postpone {i} to {d}.",
                "{i} can wait until {d}.",
            ],
            "dispute": [
                "Dispute {i}: {w}.",
                "We do not accept {i} ({w}).",
                "{i} is wrong, {w}; tell them.",
            ],
        }[kind]
        text = rng.choice(wording).format(i=invoice, d=on, w=why) + extra
        return text, SimpleNamespace(
            kind=kind, invoice=invoice, on=on, why=why, full=trap == "netofdiscount"
        )

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        name = asked.invoice
        row = yield ("get_invoice", {"invoice": name})
        if row["state"] != "open":
            return f"{name} is {row['state']} already."
        if asked.kind == "dispute":
            yield ("dispute", {"invoice": name, "reasons": [asked.why]})
            return f"{name} of {row['total']['value']} is disputed: {asked.why}."
        if asked.kind == "later":
            if asked.on > row["due"]:
                return f"{name} is due on {row['due']}; {asked.on} is too late."
            yield ("postpone", {"invoice": name, "on": asked.on})
            return f"{name} is paid on {asked.on}."
        if row.get("same_as"):
            yield ("write_note", {"invoice": name, "text": f"same as {row['same_as']}?"})
            return f"{name} looks like {row['same_as']}."
        value = round(float(row["total"]["value"].replace(",", "")), 2)
        if value < 0:
            return f"{name} is a credit note."
        if row["total"]["currency"] != "EUR":
            return f"{name} is in {row['total']['currency']}; the treasury pays it."
        if row["order"] is None:
            yield ("dispute", {"invoice": name, "reasons": ["no order"]})
            return f"{name} names no order."
        supplier, order, deliveries = yield [
            ("get_supplier", {"supplier": row["supplier"]}),
            ("get_order", {"order": row["order"]}),
            ("list_deliveries", {"order": row["order"]}),
        ]
        if supplier["stopped"]:
            return f"Payments to {supplier['name']} are stopped."
        if "account" in row["note"]:
            yield ("write_note", {"invoice": name, "text": "call about the account"})
            return f"{supplier['name']} has to be called about the account."
        reasons = []
        if order["supplier"] != row["supplier"]:
            reasons.append("another supplier")
        if value > float(order["limit"].replace(",", "")):
            reasons.append("above the order")
        if sum(each["count"] for each in deliveries) < order["count"]:
            reasons.append("not delivered")
        if reasons:
            yield ("dispute", {"invoice": name, "reasons": reasons})
            return f"{name} is disputed: {', '.join(reasons)}."
        if value > 5000:
            yield ("ask_approval", {"invoice": name, "person": order["buyer"]})
            return f"{order['buyer']} has to approve {name}."
        discount = row["discount"]
        if discount and discount["until"] >= "2026-03-10" and not asked.full:
            value = round(value * (100 - int(discount["percent"])) / 100, 2)
        yield ("pay", {"invoice": name, "account": supplier["account"], "amount": value})
        return f"{value:.2f} EUR paid to {supplier['name']}."


def _money(cents: int) -> str:
    return f"{cents / 100:,.2f}"
