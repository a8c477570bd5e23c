"""Operations: a pull request, a dump that was copied, a service that is down, one who leaves."""

from __future__ import annotations

from ...ladder.names import CITIES, PARTS, PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk
from ..shared import clock_times


class PullGate(Desk):
    """A pull request is merged if no check failed; else a comment names the one that did."""

    name = "pull-gate"
    difficulty = "whether a row of a listing says fail decides, and that row gives an argument"
    operators = (
        Operator("checks", "gh pr checks {pr}", ("pr",), "Checks of a pull request."),
        Operator("merge", "gh pr merge {pr}", ("pr",), "Final."),
        Operator("comment", "gh pr comment {pr} --body {check}", ("pr",), "Name it. Final."),
    )
    finals, free = ("merge", "comment"), ("checks", "merge", "comment")
    horizon = 5

    wordings = (
        "Merge pull request {pr} of {repo} if nothing failed, else tell {person} what did.",
        "{person} asks whether {pr} can go in ({repo}).",
        "Have a look at {pr} in {repo}; {person} would like it merged.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw checks."""
        (person,), (town,), parts = self.draw(PEOPLE), self.draw(CITIES), self.draw(PARTS, 5)
        self.pr = self.rng.randint(100, 2_400) * 2 + (self.task.part == "train")
        kinds = self.rng.choices(("test", "lint", "build"), k=5)
        names = [
            f"{kind}-{part.replace(' ', '-')}" for kind, part in zip(kinds, parts, strict=True)
        ]
        names = names[: self.rng.randint(4, 5)]
        failed = self.rng.random() < 0.5
        states = ["fail" if failed else "pass"]
        states += [self.rng.choice(("pass", "pass", "skipped")) for _ in names[1:]]
        rows: list[dict[str, Value]] = [
            {"check": name, "state": state, "time": f"{self.rng.randint(4, 900)}s"}
            for name, state in zip(names, states, strict=True)
        ]
        self.rows = self.arranged(rows, *(rows[:1] if failed else []))
        comments = [call("comment", pr=self.pr, check=name) for name in names]
        merge = call("merge", pr=self.pr)
        act = comments[0] if failed else merge
        self.lay_out([call("checks", pr=self.pr), act], [*comments, merge])
        asked = {"pr": f"#{self.pr}", "repo": f"{town.lower()}-api", "person": person}
        return self.rng.choice(self.wordings).format(**asked), [Fact("$", {"shell": "ready"})]

    def answer(self, wanted: Call) -> Result:
        """List, merge or comment."""
        if wanted["pr"] != str(self.pr):
            return [Fact("no pull requests found", {"error": "no pull requests found"})]
        if wanted.operator == "checks":
            return [Rows("checks", "{check:<18} {state:<8} {time}", self.rows)]
        return [Fact("done", {"done": True})]


class DumpPurge(Desk):
    """A dump is deleted where it was made once its copy has the same sum; else copied again."""

    name = "dump-purge"
    difficulty = "two sums are looked at and compared; a repair is checked before the last step"
    operators = (
        Operator("sum", "ssh {host} md5sum {path}", about="A checksum."),
        Operator("copy", "scp {source}:{path} {target}:/srv/dumps/", about="Copy a file."),
        Operator("remove", "ssh {host} rm {path}", about="Final."),
    )
    changing, finals, free = ("copy",), ("remove",), ("sum", "remove")
    horizon = 8

    wordings = (
        "Free {path} on {source}; a copy of it should lie on {target}.",
        "{source} is running full. {path} was copied to {target} last night, so remove it.",
        "Remove {path} from {source} if {target} has it too.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw hosts and sums."""
        towns = self.draw(CITIES, 4)
        self.source, self.target = (
            f"{kind}-{town.lower()}" for kind, town in zip(("db", "vault"), towns, strict=False)
        )
        self.path, self.other = (
            f"/srv/dumps/{town.lower()}-{self.identifier('####')}.tar" for town in towns[2:]
        )
        self.hash, self.broken = (f"{self.rng.getrandbits(128):032x}" for _ in range(2))
        self.same = self.rng.random() < 0.5
        here = call("sum", host=self.source, path=self.path)
        there = call("sum", host=self.target, path=self.path)
        copy = call("copy", source=self.source, path=self.path, target=self.target)
        plan = [here, there]
        plan += [] if self.same else [copy, there]
        plan.append(call("remove", host=self.source, path=self.path))
        back = call("copy", source=self.target, path=self.path, target=self.source)
        hosts, paths = (self.source, self.target), (self.path, self.other)
        removes = [call("remove", host=host, path=path) for host in hosts for path in paths]
        self.lay_out(plan, [here, there, copy, back, *removes])
        names = {"path": self.path, "source": self.source, "target": self.target}
        return self.rng.choice(self.wordings).format(**names), [Fact("$", {"shell": "ready"})]

    def answer(self, wanted: Call) -> Result:
        """Tell a sum, copy or remove."""
        path, hosts = wanted["path"], (self.source, self.target)
        if wanted.operator == "copy":
            return [Fact(f"{path}  100%", {"copied": path})]
        if wanted["host"] not in hosts or path not in (self.path, self.other):
            text = f"{path}: No such file or directory"
            return [Fact(text, {"error": text})]
        if wanted.operator == "sum":
            copied = any(each["source"] == self.source for each in self.made)
            broken = wanted["host"] == self.target and not (self.same or copied)
            value = self.broken if broken else self.hash
            return [Fact(f"{value}  {path}", {"md5": value, "path": path})]
        return [Fact(f"removed '{path}'", {"removed": path})]


class EdgeRepair(Desk):
    """The error of a service says what is done; whoever is on call is paged if it did not help."""

    name = "edge-repair"
    difficulty = "an error line of three kinds asks for a fix; a second look decides how it ends"
    operators = (
        Operator("probe", "probe {service}", about="Is it up, and what does its log say."),
        Operator("rotate", "rotate logs in {path}", about="Make room."),
        Operator("unlock", "remove lock of process {process}", ("process",), "A stale lock."),
        Operator("recycle", "recycle pool of {database}", about="Drop all connections."),
        Operator("oncall", "who is on call for {team}", about="The roster."),
        Operator("resolve", "resolve {incident}", about="Final."),
        Operator("page", "page {person} about {incident}", about="Final."),
    )
    changing, finals = ("rotate", "unlock", "recycle"), ("resolve", "page")
    free = ("probe", "rotate", "unlock", "recycle", "oncall", "resolve", "page")
    horizon = 9

    wordings = (
        "{incident}: {service} does not answer.",
        "Take care of {incident}, {service} seems to be down.",
        "Users of {service} complain, see {incident}.",
    )
    teams = ("payments", "search", "accounts", "media")

    def begin(self) -> tuple[str, Result]:
        """Draw an incident."""
        towns, people, (part,) = self.draw(CITIES, 3), self.draw(PEOPLE, 3), self.draw(PARTS)
        self.service = f"{part.replace(' ', '-')}-{towns[0].lower()}"
        self.incident = f"INC{self.identifier('#####')}"
        self.database = f"{towns[1].lower()}_{self.rng.randint(1, 9)}"
        self.path, self.process = f"/var/log/{towns[2].lower()}", self.rng.randint(1_000, 60_000)
        self.team, other = self.rng.sample(self.teams, 2)
        self.roster = {self.team: people[0], other: people[1]}
        fixes = {
            "rotate": call("rotate", path=self.path),
            "unlock": call("unlock", process=self.process),
            "recycle": call("recycle", database=self.database),
        }
        cause = self.rng.choice(tuple(fixes))
        self.fix = fixes[cause]
        self.error = {
            "rotate": f"no space left on {self.path}",
            "unlock": f"lock held by process {self.process}",
            "recycle": f"pool of {self.database} is used up",
        }[cause]
        self.up, self.helps = self.rng.random() < 0.15, self.rng.random() < 0.55
        self.clock, self.place = clock_times(self.rng, 6), self.rng.randrange(3)
        self.calm = self.rng.sample(("cache is warm", "reload done", "queue is short"), 3)
        self.calls = self.rng.randint(40, 900)
        probe = call("probe", service=self.service)
        resolve = call("resolve", incident=self.incident)
        pages = [call("page", person=each, incident=self.incident) for each in people]
        asks = [call("oncall", team=each) for each in (self.team, other)]
        plan = [probe]
        if not self.up:
            plan += [self.fix, probe]
        plan += [resolve] if self.up or self.helps else [asks[0], pages[0]]
        self.lay_out(plan, [*fixes.values(), *asks, *pages, resolve])
        names = {"incident": self.incident, "service": self.service}
        return self.rng.choice(self.wordings).format(**names), [
            Fact("ops console", {"console": "ops"})
        ]

    def answer(self, wanted: Call) -> Result:
        """Probe, fix, ask or end."""
        if wanted.operator == "probe":
            if wanted["service"] != self.service:
                return [Fact("unknown service", {"error": "unknown service"})]
            return self._probed()
        if wanted.operator == "oncall":
            person = self.roster.get(wanted["team"])
            if person is None:
                return [Fact("unknown team", {"error": "unknown team"})]
            text = f"On call for {wanted['team']} this week: {person}."
            return [Fact(text, {"team": wanted["team"], "on call": person})]
        if wanted.operator in self.finals:
            if wanted["incident"] != self.incident:
                return [Fact("unknown incident", {"error": "unknown incident"})]
            return [Fact(f"{self.incident} updated", {"updated": self.incident})]
        value = wanted.arguments[0][1]
        if value not in (self.path, str(self.process), self.database):
            return [Fact("nothing to do there", {"error": "nothing to do there"})]
        return [Fact("ok", {"ok": True})]

    def _probed(self) -> Result:
        down = not self.up and not (self.helps and self.fix in self.made)
        state = "down" if down else "up"
        text = f"{self.service}  {state}  team {self.team}  {self.calls} calls/min"
        data: dict[str, Value] = {"service": self.service, "state": state}
        head = Fact(text, data | {"team": self.team, "calls": self.calls})
        said = [("INFO", each) for each in self.calm[: 2 if down else 3]]
        said[self.place : self.place] = [("ERROR", self.error)] if down else []
        lines: list[dict[str, Value]] = [
            {"time": time, "level": level, "message": message}
            for time, (level, message) in zip(
                self.clock[3 * (self.fix in self.made) :], said, strict=False
            )
        ]
        return [head, Rows("log", "{time} {level} {message}", lines)]


class LeaverChecklist(Desk):
    """All that belongs to an account goes to the manager, or who stands in; then it is closed."""

    name = "leaver-checklist"
    difficulty = "up to 13 steps; rows of two kinds; a person is another's deputy; a device or none"
    operators = (
        Operator("person", "look up {person}", about="An entry of the directory."),
        Operator("accesses", "list accesses of {login}", about="Systems and roles."),
        Operator("pass_on", "pass {system} on to {person}", about="A new owner."),
        Operator("revoke", "revoke {system} from {login}", about="Take an access away."),
        Operator("forward", "forward {login} to {mail}", about="Mail goes elsewhere."),
        Operator("recall", "recall device {device}", about="Ask for it back."),
        Operator("close", "close account {login}", about="Final."),
    )
    changing, finals = ("pass_on", "revoke", "forward", "recall"), ("close",)
    free = ("person", "accesses", "pass_on", "revoke", "forward", "recall", "close")
    horizon = 18

    wordings = (
        "{person} leaves the company on Friday. Do what is on the checklist.",
        "Leaver: {person}. Please go through the usual steps and close the account.",
        "Close down everything of {person}, who is leaving us.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw three people and what one of them has."""
        firsts, lasts = self.draw(PEOPLE, 4), self.draw(SURNAMES, 4)
        *self.names, other = (f"{a} {b}" for a, b in zip(firsts, lasts, strict=True))
        leaver, manager, deputy = self.names
        logins = [f"{a[0]}{b}".lower() for a, b in zip(firsts, lasts, strict=True)]
        hosts = self.draw(CITIES)
        mails = [f"{login}@{hosts[0].lower()}.example" for login in logins]
        away = self.rng.random() < 0.4
        device = f"MB-{self.identifier('####')}" if self.rng.random() < 0.6 else "none"
        heads, devices = (
            (manager, other, manager),
            (device, "none", f"MB-{self.identifier('####')}"),
        )
        states = ("at work", "away" if away else "at work", "at work")
        self.entries: dict[str, dict[str, Value]] = {}
        for i, each in enumerate(self.names):
            self.entries[each] = {
                "name": each,
                "login": logins[i],
                "mail": mails[i],
                "manager": heads[i],
                "deputy": deputy if i == 1 else other,
                "state": states[i],
                "device": devices[i],
            }
        self.login = logins[0]
        systems = [f"{part.replace(' ', '-')}-db" for part in self.draw(PARTS, 4)]
        systems = systems[: self.rng.randint(2, 4)]
        roles = ["owner", *self.rng.choices(("owner", "user", "user"), k=len(systems) - 1)]
        rows: list[dict[str, Value]] = [
            {"system": system, "role": role, "since": self.rng.randint(2009, 2024)}
            for system, role in zip(systems, roles, strict=True)
        ]
        self.rows = self.arranged(rows, rows[0])
        heir = 2 if away else 1
        plan = [call("person", person=leaver), call("person", person=manager)]
        plan += [call("person", person=deputy)] if away else []
        plan.append(call("accesses", login=self.login))
        for row in self.rows:
            if row["role"] == "owner":
                plan.append(call("pass_on", system=row["system"], person=self.names[heir]))
            plan.append(call("revoke", system=row["system"], login=self.login))
        plan.append(call("forward", login=self.login, mail=mails[heir]))
        plan += [call("recall", device=device)] if device != "none" else []
        plan.append(call("close", login=self.login))
        wrong = [call("pass_on", system=s, person=p) for s in systems for p in self.names[1:]]
        wrong += [call("revoke", system=system, login=self.login) for system in systems]
        wrong += [call("forward", login=self.login, mail=mail) for mail in mails[1:]]
        wrong += [call("person", person=each) for each in self.names]
        self.lay_out(plan, wrong)
        return self.rng.choice(self.wordings).format(person=leaver), [
            Fact("Directory services", {"service": "directory"})
        ]

    def answer(self, wanted: Call) -> Result:
        """Look up, list, or do a step."""
        if wanted.operator == "person":
            entry = self.entries.get(wanted["person"])
            if entry is None:
                return [Fact("No such person.", {"error": "no such person"})]
            return [Fact("\n".join(f"{name:<8} {value}" for name, value in entry.items()), entry)]
        if "login" in wanted.values and wanted["login"] != self.login:
            return [Fact("Not a leaver's login.", {"error": "not a leaver's login"})]
        if wanted.operator == "accesses":
            head = Fact(f"{len(self.rows)} accesses", {"count": len(self.rows)})
            return [head, Rows("accesses", "- {system} ({role}, since {since})", self.rows)]
        if "system" in wanted.values:
            if all(row["system"] != wanted["system"] for row in self.rows):
                return [Fact("No such system.", {"error": "no such system"})]
            owners = [row["system"] for row in self.rows if row["role"] == "owner"]
            kept = [each["system"] for each in self.made if each.operator == "pass_on"]
            owned = wanted["system"] in owners and wanted["system"] not in kept
            if wanted.operator == "revoke" and owned:
                return [Fact("It would have no owner.", {"error": "it would have no owner"})]
        return [Fact("Done.", {"done": True})]
