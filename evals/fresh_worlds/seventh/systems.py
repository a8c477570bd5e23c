"""People who run systems: certificates, a billing database, webhooks, and units that fail."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import ClassVar

from ...ladder.names import CITIES, PARTS, PEOPLE, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of, day_month
from ..desk import Desk
from ..shared import clock_times


class CertRenew(Desk):
    """A certificate is renewed by the way of its issuer if it ends within the issuer's days."""

    name = "cert-renew"
    difficulty = "days between two dates against a limit of a class; the class also tells how"
    operators = (
        Operator("show", "certctl show {host}", about="A certificate."),
        Operator("policy", "cat /etc/certs/policy.ini", about="When to renew."),
        Operator("acme", "certbot renew --cert-name {host}", about="Renew in public."),
        Operator("vault", "vault write pki/issue cn={host}", about="Renew in house."),
        Operator("reload", "systemctl reload {unit}", about="Take the new file."),
        Operator("close", "ticket {ticket} --resolve {state}", about="Final."),
    )
    changing, finals = ("acme", "vault", "reload"), ("close",)
    irrevocable = ("acme", "vault")
    horizon = 10

    wordings = (
        "{ticket}: is the certificate of {host} still good? Renew it if it is due.",
        "Look after the certificate on {host}, please, and resolve {ticket}.",
        "{person} got a warning about {host}. Check the certificate, ticket {ticket}.",
    )
    units = ("nginx", "haproxy", "postfix", "dovecot")

    def begin(self) -> tuple[str, Result]:
        """Draw a certificate and the limits."""
        (town,), (person,), parts = self.draw(CITIES), self.draw(PEOPLE), self.draw(PARTS, 2)
        hosts = [f"{part.replace(' ', '-')}.{town.lower()}.example" for part in parts]
        self.host, ticket = hosts[0], self.identifier("CERT-####")
        cases = (
            ("letsencrypt", True),
            ("letsencrypt", False),
            ("corp-ca", True),
            ("corp-ca", False),
        )
        self.issuer, due = case_of(self.name, self.task, cases)
        limits = {"letsencrypt": self.rng.randint(20, 35), "corp-ca": self.rng.randint(45, 70)}
        self.limits: list[dict[str, Value]] = [
            {"issuer": issuer, "renew_before_days": days, "key": self.rng.choice(("rsa", "ecdsa"))}
            for issuer, days in limits.items()
        ]
        limit = limits[self.issuer]
        left = self.rng.randint(2, limit - 1) if due else limit + self.rng.randint(1, 60)
        today = date(2026, 1, 2) + timedelta(self.rng.randint(0, 330))
        self.ends, self.began = today + timedelta(left), today - timedelta(self.rng.randint(5, 80))
        self.unit, other = self.rng.sample(self.units, 2)
        renew = {"letsencrypt": "acme", "corp-ca": "vault"}[self.issuer]
        plan = [call("show", host=self.host), call("policy")]
        plan += [call(renew, host=self.host), call("reload", unit=self.unit)] if due else []
        plan.append(call("close", ticket=ticket, state="renewed" if due else "not-due"))
        offered = [call(name, host=self.host) for name in ("acme", "vault")]
        offered += [call("show", host=hosts[1]), call("acme", host=hosts[1])]
        offered += [call("reload", unit=unit) for unit in (self.unit, other)]
        offered += [call("close", ticket=ticket, state=state) for state in ("renewed", "not-due")]
        self.lay_out(plan, offered)
        names = {"ticket": ticket, "host": self.host, "person": person}
        text = f"jump host, {today.isoformat()}\nops$"
        return self.rng.choice(self.wordings).format(**names), [
            Fact(text, {"today": today.isoformat()})
        ]

    def answer(self, wanted: Call) -> Result:
        """Show, renew, reload or close."""
        if wanted.operator == "show":
            if wanted["host"] != self.host:
                return [Fact("certctl: no certificate here", {"error": "no certificate"})]
            began, ends = day_month(self.began), day_month(self.ends)
            text = f"subject={self.host}\nissuer={self.issuer}\nnotBefore={began}\n"
            data: dict[str, Value] = {"subject": self.host, "issuer": self.issuer}
            data |= {"notBefore": began, "notAfter": ends, "used_by": self.unit}
            return [Fact(f"{text}notAfter={ends}\nused by={self.unit}", data)]
        if wanted.operator == "policy":
            line = "[{issuer}]\nrenew_before_days = {renew_before_days}\nkey = {key}"
            return [Rows("policy", line, self.limits)]
        if wanted.operator == "reload":
            self.out_of_turn |= not self.made
            return [Fact(f"{wanted['unit']}.service reloaded", {"exit_code": 0})]
        if wanted.operator == "close":
            return [Fact(f"{wanted['ticket']} resolved", {"resolved": wanted["ticket"]})]
        return [Fact(f"new certificate for {wanted['host']} stored", {"exit_code": 0})]


class SqlRefund(Desk):
    """The last payment of a subscription is given back, or the subscription just ends."""

    name = "sql-refund"
    difficulty = "a row under two conditions, the latest of other rows, and days against a limit"
    operators = (
        Operator(
            "subscriptions",
            "SELECT id, plan, state, seats FROM subscription WHERE customer = {customer};",
            about="Subscriptions of a customer.",
        ),
        Operator(
            "payments",
            "SELECT id, paid_on, amount FROM payment WHERE subscription = {subscription};",
            about="Payments of a subscription.",
        ),
        Operator("refund", "CALL refund({payment}, {amount});", about="Final."),
        Operator("cancel", "CALL cancel_at_period_end({subscription});", about="Final."),
    )
    finals, free = ("refund", "cancel"), ("subscriptions", "payments")
    horizon = 7

    wordings = (
        "Customer {customer} wants out of {plan} and asks for the money back.",
        "{plan}: refund what customer {customer} paid last, if we still can.",
        "Customer {customer} does not want {plan} any longer. Refund, or let it run out.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw subscriptions and payments."""
        parts, kind = self.draw(PARTS, 3), case_of(self.name, self.task, ("refund", "cancel"))
        plans = [
            f"{p.replace(' ', '_')}_{self.rng.choice(('basic', 'pro', 'team'))}" for p in parts
        ]
        numbers = self.rng.sample(range(1000, 5000), 9)
        odd = self.task.part == "train"
        self.customer, *ids = (2 * number + odd for number in numbers)
        self.right = ids[0]
        states = ("active", "cancelled", "active", self.rng.choice(("active", "paused")))
        owned = (plans[0], plans[0], plans[1], plans[2])
        rows: list[dict[str, Value]] = [
            {"id": known, "plan": plan, "state": state, "seats": self.rng.randint(1, 40)}
            for known, plan, state in zip(ids, owned, states, strict=False)
        ]
        self.subscriptions = self.arranged(rows, rows[0])
        window = self.rng.choice((10, 14, 21, 30))
        gap = self.rng.randint(1, window - 1) if kind == "refund" else 0
        gap = gap or window + self.rng.randint(1, 25)
        today = date(2026, 2, 1) + timedelta(self.rng.randint(0, 300))
        price = self.rng.randint(9, 480)
        paid: list[dict[str, Value]] = [
            {
                "id": number,
                "paid_on": (today - timedelta(gap + 30 * i)).isoformat(),
                "amount": f"{price - self.rng.randint(0, 3) * (i > 0)}.{self.rng.choice('059')}0",
            }
            for i, number in enumerate(ids[4 : 6 + self.rng.randint(0, 2)])
        ]
        last, self.payments = paid[0], self.arranged(paid, paid[0])
        refunds = [call("refund", payment=row["id"], amount=row["amount"]) for row in paid]
        cancel = call("cancel", subscription=self.right)
        plan = [call("subscriptions", customer=self.customer)]
        plan += [call("payments", subscription=self.right)]
        plan.append(refunds[paid.index(last)] if kind == "refund" else cancel)
        offered = [*refunds, *(call("cancel", subscription=row["id"]) for row in rows)]
        offered += [call("payments", subscription=row["id"]) for row in rows]
        self.lay_out(plan, offered)
        names = {"customer": self.customer, "plan": plans[0]}
        text = f"psql (17.2), connected to billing\ntoday {today.isoformat()}"
        text += f"\nnotice: refunds up to {window} days after a payment"
        data: dict[str, Value] = {"today": today.isoformat(), "refund_days": window}
        return self.rng.choice(self.wordings).format(**names), [Fact(text, data)]

    def answer(self, wanted: Call) -> Result:
        """Query, give back or cancel."""
        if wanted.operator == "subscriptions":
            rows = self.subscriptions if wanted["customer"] == str(self.customer) else []
            line = " {id} | {plan:<18} | {state:<9} | {seats}"
            head = Fact(" id   | plan               | state     | seats\n" + "-" * 46)
            tail = f"({len(rows)} rows)"
            return [head, Rows("rows", line, rows), Fact(tail, {"count": len(rows)})]
        if wanted.operator == "payments":
            rows = self.payments if wanted["subscription"] == str(self.right) else []
            head, tail = Fact(" id   | paid_on    | amount\n" + "-" * 28), f"({len(rows)} rows)"
            line = " {id} | {paid_on} | {amount}"
            return [head, Rows("rows", line, rows), Fact(tail, {"count": len(rows)})]
        return [Fact("CALL", {"called": wanted.operator})]


class HookRedelivery(Desk):
    """Deliveries that the other side failed on are sent again; where it is gone, the hook stops."""

    name = "hook-redelivery"
    difficulty = "JSON lines; each row with a code in a range, and an end that another code decides"
    operators = (
        Operator("hooks", "GET /v2/shops/{shop}/hooks", about="Hooks of a shop."),
        Operator("deliveries", "GET /v2/hooks/{hook}/deliveries", about="The latest deliveries."),
        Operator("again", "POST /v2/deliveries/{delivery}/redeliver", about="Send once more."),
        Operator("acknowledge", "POST /v2/hooks/{hook}/acknowledge", about="Final."),
        Operator("pause", "POST /v2/hooks/{hook}/pause", about="Final."),
    )
    changing, irrevocable, finals = ("again",), ("again",), ("acknowledge", "pause")
    horizon = 9

    wordings = (
        "Webhook alarm: {event} of shop {shop}. Redeliver what failed.",
        "Shop {shop} misses events of the kind {event}; please see to it.",
        "{person} reports failed {event} deliveries for {shop}. Clear the alarm.",
    )
    events = ("order.paid", "order.shipped", "refund.created", "stock.low")

    def begin(self) -> tuple[str, Result]:
        """Draw hooks and deliveries."""
        (town,), (person,), (team,) = self.draw(CITIES), self.draw(PEOPLE), self.draw(TEAMS)
        self.shop, events = f"{town.lower()}-{team}", self.rng.sample(self.events, 3)
        hooks: list[dict[str, Value]] = [
            {"id": self.identifier("hk_##aa##"), "event": event, "active": True} for event in events
        ]
        self.hooks, self.hook = self.arranged(hooks, hooks[0]), str(hooks[0]["id"])
        cases = tuple((count, stops) for count in range(3) for stops in (False, True))
        failed, gone = case_of(self.name, self.task, cases)
        codes = [self.rng.choice((500, 502, 503, 504)) for _ in range(failed)]
        codes += [410] if gone else []
        codes += [self.rng.choice((200, 200, 202, 204)) for _ in range(self.rng.randint(2, 3))]
        times = clock_times(self.rng, len(codes))
        self.rng.shuffle(times)
        rows: list[dict[str, Value]] = [
            {"id": self.identifier("dl_####"), "code": code, "at": time}
            for code, time in zip(codes, times, strict=True)
        ]
        bad = [row for row in rows if int(str(row["code"])) >= 500]
        self.rows = self.arranged(rows, *bad)
        plan = [call("hooks", shop=self.shop), call("deliveries", hook=self.hook)]
        plan += [call("again", delivery=row["id"]) for row in self.rows if row in bad]
        plan.append(call("pause" if gone else "acknowledge", hook=self.hook))
        offered = [call("again", delivery=row["id"]) for row in self.rows]
        for name in ("deliveries", "acknowledge", "pause"):
            offered += [call(name, hook=row["id"]) for row in hooks[:2]]
        self.lay_out(plan, offered)
        names = {"event": events[0], "shop": self.shop, "person": person}
        data: dict[str, Value] = {"api": "v2", "status": 200}
        return self.rng.choice(self.wordings).format(**names), [Fact(json.dumps(data), data)]

    def answer(self, wanted: Call) -> Result:
        """List, send again, or end."""
        if wanted.operator == "hooks":
            line = '{{"id": "{id}", "event": "{event}", "active": true}}'
            return [Fact("200 OK", {"status": 200}), Rows("hooks", line, self.hooks)]
        if wanted.operator == "deliveries":
            rows = self.rows if wanted["hook"] == self.hook else []
            line = '{{"id": "{id}", "code": {code}, "at": "{at}"}}'
            head = Fact(f"200 OK, {len(rows)} lines", {"status": 200})
            return [head, Rows("deliveries", line, rows)]
        if wanted.operator == "again":
            return [Fact('202 Accepted\n{"queued": true}', {"status": 202, "queued": True})]
        return [Fact("204 No Content", {"status": 204})]


class UnitFaults(Desk):
    """What keeps a unit from running is put right until it runs; some faults are not ours."""

    name = "unit-faults"
    difficulty = "check, fix, restart, check again; the fault decides the fix, one goes to others"
    operators = (
        Operator("status", "systemctl status {unit}", about="State and last message."),
        Operator("free", "fuser -k {port}/tcp", about="Free a port."),
        Operator("own", "chown -R {user} {path}", about="Change an owner."),
        Operator("make", "mkdir -p {path}", about="Make a folder."),
        Operator("restart", "systemctl restart {unit}", about="Start it again."),
        Operator("close", "incident close {incident}", about="Final."),
        Operator("page", "incident page {incident} {team}", about="Call a team. Final."),
    )
    changing, finals = ("free", "own", "make", "restart"), ("close", "page")
    irrevocable, counted = ("free", "own", "make"), True
    horizon = 12

    wordings = (
        "{incident}: {unit} does not come up. Follow the runbook.",
        "{unit} is down ({incident}).",
        "{person} says {unit} is not running. Get it back and close {incident}.",
    )
    messages: ClassVar[dict[str, str]] = {
        "free": "bind: address already in use",
        "own": "open: permission denied",
        "make": "chdir: no such directory",
        "page": "killed: out of memory",
    }

    def begin(self) -> tuple[str, Result]:
        """Draw a unit and its faults."""
        (person,), (part,), (town,) = self.draw(PEOPLE), self.draw(PARTS), self.draw(CITIES)
        self.team, other = self.draw(TEAMS, 2)
        self.unit = f"{part.replace(' ', '-')}-{self.rng.choice(('api', 'worker', 'sync'))}"
        self.incident, self.user = self.identifier("INC#####"), f"svc_{self.identifier('aaa')}"
        port, path = self.rng.randint(2000, 9999), f"/srv/{town.lower()}/{part.replace(' ', '_')}"
        fixes = ["free", "own", "make"]
        self.rng.shuffle(fixes)
        cases = (("free",), ("own",), ("make",), ("page",), (*fixes[:2],), (fixes[2], "page"))
        self.faults = case_of(self.name, self.task, cases)
        self.subjects = {"free": str(port), "own": path, "make": path, "page": "pid 1"}
        self.at, self.fixed, self.pid = 0, False, self.rng.randint(300, 9000)
        self.clock = iter(clock_times(self.rng, 14))
        self.fixes = {
            "free": call("free", port=port),
            "own": call("own", user=self.user, path=path),
            "make": call("make", path=path),
        }
        page, close = (
            call("page", incident=self.incident, team=self.team),
            call("close", incident=self.incident),
        )
        status, restart = call("status", unit=self.unit), call("restart", unit=self.unit)
        plan = [status]
        for fault in self.faults:
            plan += [page] if fault == "page" else [self.fixes[fault], restart, status]
        plan += [] if page in plan else [close]
        wrong = [call("free", port=22), call("page", incident=self.incident, team=other)]
        self.lay_out(plan, [*self.fixes.values(), restart, close, page, *wrong])
        names = {"incident": self.incident, "unit": self.unit, "person": person}
        text = f"pager: {self.incident} acknowledged"
        return self.rng.choice(self.wordings).format(**names), [
            Fact(text, {"acknowledged": self.incident})
        ]

    def answer(self, wanted: Call) -> Result:
        """Tell the state, or put something right."""
        if wanted.operator == "status":
            fault = self.faults[self.at] if self.at < len(self.faults) else None
            state = "failed" if fault else "active (running)"
            text = f"{self.unit}.service\n   Loaded: loaded\n   Active: {state}\n"
            text += f"   Owner: {self.team}\n   User: {self.user}"
            data: dict[str, Value] = {"active": state, "owner": self.team, "user": self.user}
            when, said = next(self.clock), "listening"
            if fault:
                said, data = self.messages[fault], data | {"subject": self.subjects[fault]}
                text += f"\n{when} {self.unit}[{self.pid}]: {said}: {self.subjects[fault]}"
            else:
                text += f"\n{when} {self.unit}[{self.pid}]: {said}"
            return [Fact(text, data | {"at": when, "message": said})]
        if wanted.operator == "restart":
            self.at, self.fixed = self.at + self.fixed, False
            return [Fact(f"restarting {self.unit}", {"exit_code": 0})]
        if wanted.operator in self.fixes:
            here = self.faults[self.at] if self.at < len(self.faults) else ""
            self.fixed |= here == wanted.operator
            return [Fact("(ok)", {"exit_code": 0})]
        return [Fact("recorded", {"recorded": wanted.operator})]
