"""Consoles: a home directory that is full, two machines with one address, a tape for tonight."""

from __future__ import annotations

from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class QuotaGrow(Desk):
    """Who is nearly full gets more by the group; whose group gets none loses a folder of trash."""

    name = "quota-grow"
    difficulty = "a percentage; a sum with a step by a table; or the largest of a list"
    operators = (
        Operator("usage", "usage {user}", about="How full it is."),
        Operator("who", "who {user}", about="Group of a user."),
        Operator("trash", "trash {user}", about="Folders in the trash."),
        Operator("grow", "quota {user} {gb}G", ("gb",), "Sets a quota."),
        Operator("purge", "purge {user} {folder}", about="Empties a folder of trash."),
        Operator("resolve", "resolve {ticket}", about="Final."),
        Operator("decline", "decline {ticket}", about="Final: there is room enough."),
    )
    changing, irrevocable, finals = ("grow", "purge"), ("purge",), ("resolve", "decline")
    free = ("usage", "who", "trash", "grow", "purge", "resolve", "decline")
    horizon = 8

    wordings = (
        "{ticket}: user {user} asks for more space.",
        "User {user} cannot save any more (ticket {ticket}).",
        "Work on {ticket}, from {user}: disk full?",
    )
    groups = ("staff", "lab", "press", "legal", "studio", "intern")
    folders = ("photos", "drafts", "exports", "old-mail", "backup", "video", "cache", "scans")

    def begin(self) -> tuple[str, Result]:
        """Draw a user, the steps of the groups and what lies in the trash."""
        kind = case_of(self.name, self.task, ("grow", "grow", "purge", "decline", "purge"))
        self.ticket, self.user = self.identifier("IT-####"), self.identifier("aaa##")
        groups = self.rng.sample(self.groups, 4)
        steps = [0, *(10 * each for each in self.rng.sample(range(1, 9), 3))]
        self.quota = self.rng.randrange(50, 400, 10)
        self.full = self.rng.randint(40, 88) if kind == "decline" else self.rng.randint(90, 100)
        mine = 0 if kind == "purge" else self.rng.randint(1, 3)
        self.group = groups[mine]
        table: list[dict[str, Value]] = [
            {"group": group, "step": f"{step}G"} for group, step in zip(groups, steps, strict=True)
        ]
        folders = self.rng.sample(self.folders, 4)
        sizes = self.rng.sample(range(2, 90), 4)
        rows: list[dict[str, Value]] = [
            {"folder": folder, "size": size} for folder, size in zip(folders, sizes, strict=True)
        ]
        best = sizes.index(max(sizes))
        self.rows = self.arranged(rows, rows[best])
        grows = [call("grow", user=self.user, gb=self.quota + step) for step in (5, *steps)]
        purges = [call("purge", user=self.user, folder=folder) for folder in folders]
        resolve, decline = call("resolve", ticket=self.ticket), call("decline", ticket=self.ticket)
        usage, who, trash = (call(each, user=self.user) for each in ("usage", "who", "trash"))
        plan = {
            "grow": [usage, who, grows[mine + 1], resolve],
            "purge": [usage, who, trash, purges[best], resolve],
            "decline": [usage, decline],
        }[kind]
        self.lay_out(plan, [usage, who, trash, *grows, *purges, resolve, decline])
        asked = self.rng.choice(self.wordings).format(ticket=self.ticket, user=self.user)
        head = Fact("step by group", {"about": "step by group"})
        return asked, [head, Rows("steps", "{group:<8}+{step}", self.arranged(table))]

    def answer(self, wanted: Call) -> Result:
        """Show, change or end."""
        values = wanted.values
        if (values.get("user", self.user), values.get("ticket", self.ticket)) != (
            self.user,
            self.ticket,
        ):
            return [Fact("not known here", {"error": "not known"})]
        if wanted.operator == "usage":
            text = f"quota={self.quota}G used={self.full}%"
            return [Fact(text, {"quota": self.quota, "used": self.full})]
        if wanted.operator == "who":
            return [Fact(f"uid={self.user} group={self.group}", {"group": self.group})]
        if wanted.operator == "trash":
            return [Rows("trash", "{size:>3}G  {folder}", self.rows)]
        if wanted.operator == "grow":
            self.overwrite(wanted, "user")
        return [Fact("ok", {"ok": True})]


class AddressClash(Desk):
    """Of two machines with one address a printer stays, else the older; the other one moves."""

    name = "address-clash"
    difficulty = "two look-ups compared; an exception by kind; the first free of a list; or none"
    operators = (
        Operator("arp", "show arp {address}", about="Who answers at an address."),
        Operator("lease", "show lease {mac}", about="What a machine is."),
        Operator("pool", "show pool {vlan}", about="Addresses of a network."),
        Operator("move", "move {mac} to {address}", about="Gives another address."),
        Operator("close", "close {ticket} as fixed", about="Final."),
        Operator("dismiss", "close {ticket} as no clash", about="Final."),
    )
    changing, irrevocable, finals = ("move",), ("move",), ("close", "dismiss")
    free = ("arp", "lease", "pool", "move", "close", "dismiss")
    horizon = 9

    wordings = (
        "{ticket}: address {address} is said to be used twice.",
        "There may be a clash at {address}, ticket {ticket}.",
        "Users of {address} lose their connection. The ticket is {ticket}.",
    )
    kinds = ("laptop", "desktop", "camera", "phone", "scanner")

    def begin(self) -> tuple[str, Result]:
        """Draw two machines and a network."""
        cases = (("printer", 0), ("printer", 1), ("old", 0), ("old", 1), ("none", 0))
        kind, stays = case_of(self.name, self.task, cases)
        self.ticket, self.vlan = self.identifier("N-####"), f"v{self.rng.randint(100, 900)}"
        net = f"10.{self.rng.randint(1, 250)}.{self.rng.randint(1, 250)}"
        own, *hosts = self.rng.sample(range(10, 250), 6)
        self.address = f"{net}.{own}"
        macs = distinct(lambda: self.identifier("##:##:##:##"), 2)
        days = [f"2026-{each // 28 + 1:02}-{each % 28 + 1:02}" for each in self._days()]
        turned = kind == "printer" and self.rng.random() < 0.5
        if turned or (kind, stays) == ("old", 1):
            days.reverse()
        sorts = self.rng.sample(self.kinds, 2)
        if kind == "printer":
            sorts[stays] = "printer"
        self.machines: dict[str, dict[str, Value]] = {
            mac: {"kind": sort, "since": day, "vlan": self.vlan}
            for mac, sort, day in zip(macs, sorts, days, strict=True)
        }
        self.here = macs[:1] if kind == "none" else macs
        states = ["free", "free", *(self.rng.choice(("free", "used")) for _ in range(3))]
        self.rng.shuffle(states)
        rows: list[dict[str, Value]] = [
            {"address": f"{net}.{host}", "state": state}
            for host, state in zip(sorted(hosts), states, strict=True)
        ]
        self.rows, target = rows, states.index("free")
        moves = [call("move", mac=mac, address=row["address"]) for mac in macs for row in rows]
        close, dismiss = call("close", ticket=self.ticket), call("dismiss", ticket=self.ticket)
        leases, pool = [call("lease", mac=mac) for mac in macs], call("pool", vlan=self.vlan)
        plan = [call("arp", address=self.address)]
        if kind == "none":
            plan.append(dismiss)
        else:
            move = call("move", mac=macs[1 - stays], address=rows[target]["address"])
            plan += [*leases, pool, move, close]
        self.lay_out(plan, [*leases, pool, *moves, close, dismiss])
        asked = self.rng.choice(self.wordings).format(ticket=self.ticket, address=self.address)
        text = f"{self.rng.randint(20, 90)} networks, {self.rng.randint(1, 9)} open tickets"
        return asked, [Fact(text, {"state": text})]

    def _days(self) -> list[int]:
        """Draw two days of the year, the older first."""
        return sorted(self.rng.sample(range(320), 2))

    def answer(self, wanted: Call) -> Result:
        """Show, move or end."""
        if wanted.operator == "arp" and wanted["address"] == self.address:
            rows: list[dict[str, Value]] = [{"mac": mac, "on": self.address} for mac in self.here]
            return [Rows("entries", "{on} is at {mac}", rows)]
        if wanted.operator == "lease" and wanted["mac"] in self.machines:
            machine = self.machines[wanted["mac"]]
            text = "; ".join(f"{key} {value}" for key, value in machine.items())
            return [Fact(text, machine)]
        if wanted.operator == "pool" and wanted["vlan"] == self.vlan:
            return [Rows("addresses", "{address:<15} {state}", self.rows)]
        if wanted.operator == "move" and wanted["mac"] in self.here:
            return [Fact("moved", {"moved": True})]
        if wanted.operator in self.finals and wanted["ticket"] == self.ticket:
            return [Fact("closed", {"closed": True})]
        return [Fact("% not found", {"error": "not found"})]


class TapeTonight(Desk):
    """The tape that expired first and is here is used; one with too many errors is retired.

    Half of the tests mount a tape that is write protected: nobody has shown what to do then.
    """

    name = "tape-tonight"
    difficulty = "the earliest of some dates; the next where a check fails; what nobody showed"
    operators = (
        Operator("tapes", "tapes", about="All tapes."),
        Operator("mount", "mount {tape}", about="Tells its errors."),
        Operator("retire", "retire {tape}", about="A tape with too many errors."),
        Operator("run", "run {job} on {tape}", about="Final."),
        Operator("buy", "buy a tape for {job}", about="Final: none has expired."),
    )
    changing, irrevocable, finals = ("retire",), ("retire",), ("run", "buy")
    free = ("tapes", "mount", "retire", "run", "buy")
    horizon = 9
    abstaining = True

    wordings = (
        "Today is {today}. Job {job} needs a tape.",
        "Start backup {job}, it is {today}.",
        "Backup {job} is due today, {today}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw tapes and their errors."""
        bad, some = case_of(
            self.name, self.task, ((0, True), (1, True), (0, True), (1, True), (0, False))
        )
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        some = some or self.unsettled
        self.job, self.mounted = self.identifier("aaaa-##"), ""
        month = self.rng.randint(3, 10)
        today = f"2026-{month:02}-{self.rng.randint(10, 25):02}"
        self.limit = self.rng.randint(6, 20)
        names = distinct(lambda: self.identifier("AA####"), 7)
        past = [f"2026-{month - 1:02}-{d:02}" for d in sorted(self.rng.sample(range(1, 29), 4))]
        ahead = [f"2026-{month + 1:02}-{d:02}" for d in self.rng.sample(range(1, 29), 3)]
        states = ["here"] * 3 + ["vault"]
        if self.rng.random() < 0.6:
            states.reverse()
        states = states if some else ["vault"] * 4
        states += ["here", "here", self.rng.choice(("here", "vault"))]
        dates = [*past, *ahead]
        rows: list[dict[str, Value]] = [
            {"tape": name, "expires": date, "state": state}
            for name, date, state in zip(names, dates, states, strict=True)
        ]
        fit = [name for name, state in zip(names[:4], states, strict=False) if state == "here"]
        first, second = fit[:2] if some else ("", "")
        self.errors = {name: self.rng.randint(0, self.limit) for name in names}
        if bad:
            self.errors[first] = self.limit + self.rng.randint(1, 30)
        self.best = first
        self.rows = self.arranged(rows, *(row for row in rows if row["tape"] == first))
        mounts = {name: call("mount", tape=name) for name in names}
        retires = {name: call("retire", tape=name) for name in names}
        runs = {name: call("run", job=self.job, tape=name) for name in names}
        buy, used = call("buy", job=self.job), second if bad else first
        plan = [call("tapes"), *((mounts[first],) if some else (buy,))]
        plan += [retires[first], mounts[second]] if bad else []
        plan += [runs[used]] if some else []
        self.lay_out(plan, [*mounts.values(), *retires.values(), *runs.values(), buy])
        asked = self.rng.choice(self.wordings).format(today=today, job=self.job)
        text = f"robot ready, most errors allowed: {self.limit}"
        return asked, [Fact(text, {"robot": "ready", "most_errors_allowed": self.limit})]

    def answer(self, wanted: Call) -> Result:
        """Show, mount, retire or run."""
        if wanted.operator == "tapes":
            line = "{tape}\t{expires}\t{state}"
            return [Fact("tape\texpires\tstate"), Rows("tapes", line, self.rows)]
        if wanted.values.get("job", self.job) != self.job:
            return [Fact("no such job", {"error": "no such job"})]
        if wanted.operator == "buy":
            return [Fact("ordered", {"ordered": True})]
        if wanted["tape"] not in self.errors:
            return [Fact("no such tape", {"error": "no such tape"})]
        if wanted.operator == "mount":
            self.mounted = wanted["tape"]
            if self.unsettled and self.mounted == self.best:
                self.met = True
                return [Fact(f"{self.mounted} is write protected", {"state": "write protected"})]
            text = f"{self.mounted} mounted, {self.errors[self.mounted]} errors"
            return [Fact(text, {"mounted": self.mounted, "errors": self.errors[self.mounted]})]
        if wanted.operator == "run":
            self.out_of_turn = wanted["tape"] != self.mounted
        return [Fact("ok", {"ok": True})]
