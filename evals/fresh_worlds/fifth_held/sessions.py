"""Sessions at a prompt: certificates, a crontab, dead letters, and an account that is closed."""

from __future__ import annotations

from ...ladder.names import CITIES, PARTS, PEOPLE, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk
from ..shared import clock_times

_ISSUERS = ("corp-ca", "open-acme", "edge-ca")


class CertRenewal(Desk):
    """Certificates that run out soon are renewed; where the old one is served, a reload helps."""

    name = "cert-renewal"
    difficulty = "rows below a limit that another page gives; each is done, checked, and fixed"
    operators = (
        Operator("list", "certctl list --host {host}", about="Certificates of a host."),
        Operator("policy", "certctl policy --env {env}", about="Rules of an environment."),
        Operator("renew", "certctl renew --name {cert} --issuer {issuer}", about="Costs a quota."),
        Operator("check", "certctl check --name {cert}", about="What is served now."),
        Operator("reload", "certctl reload --service {service}", about="Drops connections."),
        Operator("sign", "certctl sign-off --change {change}", about="Final."),
    )
    changing, irrevocable, finals = ("renew", "reload"), ("renew", "reload"), ("sign",)
    horizon = 16

    wordings = (
        "Renew whatever is due on {host} and sign off {change}.",
        "{person} has opened {change}: certificates of {host}, the usual round.",
        "Certificate round for host {host}, change {change}.",
        "Please go through the certificates of {host}. The change is {change}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw certificates of a host."""
        (town,), (person,), parts = self.draw(CITIES), self.draw(PEOPLE), self.draw(PARTS, 5)
        teams = self.draw(TEAMS, 5)
        self.host = f"web{self.rng.randint(1, 40):02}.{town.lower()}.example"
        self.env = self.rng.choice(("prod", "staging", "intern"))
        self.limit, self.grace = self.rng.randint(14, 45), self.rng.randint(2, 9)
        count, due = self.rng.randint(4, 5), self.rng.randint(1, 3)
        rows: list[dict[str, Value]] = []
        self.stale: dict[str, bool] = {}
        for i, part in enumerate(parts[:count]):
            cert = f"{part.replace(' ', '-')}-tls"
            days = self.rng.randint(1, self.limit - 1) if i < due else self.limit
            days += self.rng.randint(1, 200) if i >= due else 0
            row: dict[str, Value] = {"cert": cert, "issuer": self.rng.choice(_ISSUERS)}
            rows.append(row | {"days": days, "service": f"{teams[i]}-gw"})
            self.stale[cert] = self.rng.random() < 0.4
        self.rows = self.arranged(rows, *rows[:due])
        self.change = self.identifier("CHG######")
        plan = [call("list", host=self.host), call("policy", env=self.env)]
        for row in self.rows:
            if row in rows[:due]:
                cert = str(row["cert"])
                plan += [call("renew", cert=cert, issuer=row["issuer"]), call("check", cert=cert)]
                plan += [call("reload", service=row["service"])] if self.stale[cert] else []
        plan.append(call("sign", change=self.change))
        offered = [call("policy", env=each) for each in ("prod", "staging", "intern")]
        offered += [call("renew", cert=r["cert"], issuer=i) for r in rows for i in _ISSUERS]
        offered += [call("check", cert=row["cert"]) for row in rows]
        offered += [call("reload", service=row["service"]) for row in rows]
        self.lay_out(plan, offered)
        names = {"host": self.host, "person": person, "change": self.change}
        asked = self.rng.choice(self.wordings).format(**names)
        return asked, [Fact("certctl 2.8 -- connected", {"certctl": "2.8"})]

    def answer(self, wanted: Call) -> Result:
        """List, tell the rules, renew, check, reload or sign off."""
        if wanted.operator == "list":
            head = Fact(f"host {self.host}  env {self.env}", {"host": self.host, "env": self.env})
            title = Fact("NAME  ISSUER  DAYS  SERVICE")
            return [head, title, Rows("certs", "{cert}  {issuer}  {days}  {service}", self.rows)]
        if wanted.operator == "policy":
            if wanted["env"] != self.env:
                return [Fact("no host of yours is there", {"error": "no host of yours is there"})]
            text = f"{self.env}: renew below {self.limit} days, grace {self.grace} days"
            return [Fact(text, {"renew_below": self.limit, "grace": self.grace})]
        if wanted.operator == "check":
            cert = wanted["cert"]
            done = any(each.operator == "renew" and each["cert"] == cert for each in self.made)
            served = "old" if self.stale[cert] or not done else "new"
            return [Fact(f"{cert}: chain ok, serving {served}", {"chain": "ok", "serving": served})]
        if wanted.operator == "sign":
            return [Fact(f"{self.change} signed off", {"signed_off": self.change})]
        what = wanted.values.get("cert") or wanted["service"]
        text = "renewed" if wanted.operator == "renew" else "reloaded"
        return [Fact(f"{what}: {text}", {text: what})]


_DAYS = {
    "every day": "* * *",
    "on weekdays": "* * 1-5",
    "on Sundays": "* * 0",
    "on the first of each month": "1 * *",
}


class CrontabLine(Desk):
    """A job gets a new line in the crontab of its user; its old line goes first."""

    name = "crontab-line"
    difficulty = "a line is made of a time, a word for days and a path looked up; an old line goes"
    operators = (
        Operator("jobs", "jobs --host {host}", about="Jobs with their scripts and users."),
        Operator("show", "crontab -u {user} -l", about="Lines of a user."),
        Operator("remove", "crontab -u {user} --drop {number}", ("number",), "Drop a line."),
        Operator("add", "crontab -u {user} --add '{line}'", about="Add a line."),
        Operator("done", "resolve {ticket}", about="Resolve a ticket. Final."),
    )
    changing, irrevocable, finals = ("remove", "add"), ("remove", "add"), ("done",)
    free = ("add",)
    horizon = 8

    wordings = (
        "{ticket}: the job {job} on {host} shall run {days} at {time}.",
        "Please let {job} run at {time} {days} (host {host}, {ticket}).",
        "{person} wants {job} on {host} to start {days} at {time}; see {ticket}.",
        "Schedule for {job}: {days}, {time}. Host {host}. Ticket {ticket}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a job, when it runs and what the crontab has."""
        (town,), (person,), parts = self.draw(CITIES), self.draw(PEOPLE), self.draw(PARTS, 4)
        teams = self.draw(TEAMS, 4)
        self.host = f"{town.lower()}-batch-{self.rng.randint(1, 9)}"
        jobs: list[dict[str, Value]] = []
        for part, team in zip(parts, teams, strict=True):
            stem = part.replace(" ", "-")
            job = f"{stem}-{self.rng.choice(('export', 'report', 'sync', 'backup'))}"
            script = f"/srv/{team}/{stem}_{self.rng.randint(10, 99)}.sh"
            jobs.append({"job": job, "user": f"svc-{team}", "script": script})
        right = jobs[0]
        self.jobs = self.arranged(jobs, right)
        self.user, script = str(right["user"]), str(right["script"])
        hour, minute = self.rng.randint(0, 23), self.rng.choice(range(0, 60, 5))
        days = self.rng.choice([*_DAYS])
        scripts = [f"/usr/bin/{each}" for each in ("logrotate", "tidy", "updatedb", "quota")]
        lines = self.rng.sample(scripts, self.rng.randint(1, 3))
        if self.rng.random() < 0.5:
            lines.append(script)
        self.rng.shuffle(lines)
        self.lines: list[dict[str, Value]] = []
        for number, what in enumerate(lines, 1):
            old = f"{self.rng.randint(1, 59)} {self.rng.randint(0, 23)} {_DAYS['every day']}"
            self.lines.append({"number": number, "when": old, "script": what})
        ticket, other = self.identifier("JOB-####"), self.identifier("JOB-####")
        plan = [call("jobs", host=self.host), call("show", user=self.user)]
        plan += [
            call("remove", user=self.user, number=row["number"])
            for row in self.lines
            if row["script"] == script
        ]
        line = f"{minute} {hour} {_DAYS[days]} {script}"
        plan += [call("add", user=self.user, line=line), call("done", ticket=ticket)]
        offered = [call("show", user=row["user"]) for row in jobs]
        offered += [call("remove", user=self.user, number=n) for n in range(1, 5)]
        offered += [
            call("add", user=self.user, line=f"{minute} {hour} {when} {row['script']}")
            for when in _DAYS.values()
            for row in jobs
        ]
        self.lay_out(plan, [*offered, call("done", ticket=other)])
        asked = self.rng.choice(self.wordings).format(
            ticket=ticket,
            job=right["job"],
            host=self.host,
            days=days,
            time=f"{hour:02}:{minute:02}",
            person=person,
        )
        return asked, [Fact(f"ops@{self.host}:~$", {"shell": self.host})]

    def answer(self, wanted: Call) -> Result:
        """Show jobs or lines, change lines, or resolve."""
        if wanted.operator == "jobs":
            return [Fact("# job user script"), Rows("jobs", "{job} {user} {script}", self.jobs)]
        if wanted.operator == "done":
            return [Fact(f"{wanted['ticket']} resolved", {"resolved": wanted["ticket"]})]
        if wanted["user"] != self.user:
            text = f"no crontab for {wanted['user']}"
            return [Fact(text, {"error": text})]
        if wanted.operator == "show":
            head = Fact(f"# crontab of {self.user}", {"user": self.user})
            return [head, Rows("lines", "{number}: {when} {script}", self.lines)]
        if wanted.operator == "remove":
            return [Fact(f"line {wanted['number']} dropped", {"dropped": int(wanted["number"])})]
        return [Fact("crontab: installing new crontab", {"installed": True})]


_TRANSIENT = ("timeout", "lock_wait", "unreachable")
_BROKEN = ("bad_schema", "duplicate")


class DeadLetters(Desk):
    """Dead letters are put back, dropped or parked, one after the other, until none is left."""

    name = "dead-letters"
    difficulty = (
        "until nothing is left; a reason decides, and a count against a limit told at first"
    )
    operators = (
        Operator("stats", '["stats", "{queue}"]', about="Settings of a queue."),
        Operator("peek", '["peek", "{queue}"]', about="The oldest dead letter."),
        Operator("requeue", '["requeue", {id}]', ("id",), "Put a letter back."),
        Operator("drop", '["drop", {id}]', ("id",), "Delete a letter for good."),
        Operator("park", '["park", {id}, "{lane}"]', ("id",), "Put a letter aside."),
        Operator("close", '["close", "{queue}"]', about="Final."),
    )
    changing, finals = ("requeue", "drop", "park"), ("close",)
    irrevocable = changing
    horizon = 16

    wordings = (
        "Work through the dead letters of {queue}, then close it.",
        "{queue} has dead letters again. Please clean up and close.",
        "{person} is on leave, so the dead letters in {queue} are yours today.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw letters."""
        (team,), (person,), (part,) = self.draw(TEAMS), self.draw(PEOPLE), self.draw(PARTS)
        (town,) = self.draw(CITIES)
        self.queue = f"{team}.{part.replace(' ', '-')}.dlq"
        self.limit, self.lane = self.rng.randint(3, 8), f"lane-{town.lower()}"
        ids = self.rng.sample(range(1000, 9999), self.rng.randint(2, 4))
        self.letters: list[dict[str, Value]] = []
        plan = [call("stats", queue=self.queue)]
        lanes = (self.lane, "lane-default")
        offered = [call("park", id=number, lane=lane) for number in ids for lane in lanes]
        offered += [call(name, id=number) for number in ids for name in ("requeue", "drop")]
        times = clock_times(self.rng, len(ids))
        for number, since in zip(ids, times, strict=True):
            reason = self.rng.choice((*_TRANSIENT, *_BROKEN))
            attempts = self.rng.randint(1, self.limit + 3)
            letter: dict[str, Value] = {"id": number, "reason": reason, "attempts": attempts}
            self.letters.append(letter | {"since": since})
            plan.append(call("peek", queue=self.queue))
            if reason in _BROKEN:
                plan.append(call("drop", id=number))
            elif attempts < self.limit:
                plan.append(call("requeue", id=number))
            else:
                plan.append(call("park", id=number, lane=self.lane))
        plan += [call("peek", queue=self.queue), call("close", queue=self.queue)]
        self.lay_out(plan, offered)
        asked = self.rng.choice(self.wordings).format(queue=self.queue, person=person)
        return asked, [Fact('"ready"', {"state": "ready"})]

    def answer(self, wanted: Call) -> Result:
        """Tell settings or the oldest letter, or do something with it."""
        left = self.letters[len(self.made) :]
        if wanted.operator == "stats":
            text = f'"max_attempts": {self.limit}, "parking": "{self.lane}", "consumers": 2'
            data: dict[str, Value] = {"max_attempts": self.limit, "parking": self.lane}
            return [Fact(text, data | {"consumers": 2})]
        if wanted.operator == "close":
            return [Fact('"closed"', {"state": "closed"})]
        if wanted.operator == "peek":
            if not left:
                return [Fact('"empty": true', {"empty": True})]
            first = left[0]
            text = f'"id": {first["id"]}, "reason": "{first["reason"]}", '
            text += f'"attempts": {first["attempts"]}, "since": "{first["since"]}"'
            return [Fact(text, first)]
        if not left or wanted["id"] != str(left[0]["id"]):
            return [Fact('"not the oldest letter"', {"error": "not the oldest letter"})]
        return [Fact('"ok"', {"ok": True})]


class Offboarding(Desk):
    """An account loses its groups, its mail goes on where it is shared, and it is disabled."""

    name = "offboarding"
    difficulty = "all rows but those of one kind; a step with a look-up only where a page says so"
    operators = (
        Operator("find", "find-user '{name}'", about="Accounts with the same surname."),
        Operator("groups", "get-groups {login}", about="Groups of an account."),
        Operator("leave", "remove-member {login} -group {group}", about="Cannot be undone."),
        Operator("mailbox", "get-mailbox {login}", about="About a mailbox."),
        Operator("head", "get-head {department}", about="Who leads a department."),
        Operator("forward", "set-forward {login} -to {target}", about="Pass mail on."),
        Operator("disable", "disable-user {login}", about="Final."),
    )
    changing, irrevocable, finals = ("leave", "forward"), ("leave", "forward"), ("disable",)
    horizon = 13

    wordings = (
        "{name} leaves on {date}. Please close the account.",
        "Offboarding: {name}, last day {date}.",
        "HR tells us that {name} is gone since {date}; do what is needed.",
        "Last day {date}, name {name}: account to be closed.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw an account, its groups and its mailbox."""
        people, (surname,), teams = self.draw(PEOPLE, 5), self.draw(SURNAMES), self.draw(TEAMS, 6)
        found: list[dict[str, Value]] = []
        for person, team in zip(people[:3], teams, strict=False):
            login = f"{person[:2]}{surname[:4]}{self.rng.randint(10, 99)}".lower()
            found.append({"name": f"{person} {surname}", "login": login, "department": team})
        right = found[0]
        self.found = self.arranged(found, right)
        self.asked, self.login = str(right["name"]), str(right["login"])
        self.department, self.size = str(right["department"]), self.rng.randint(1, 90)
        self.shared = self.rng.choice(("yes", "no"))
        self.boss = f"{people[3]}.{people[4]}".lower()
        count = self.rng.randint(3, 5)
        kinds = ["baseline", "access", *self.rng.choices(("access", "list", "baseline"), k=count)]
        groups: list[dict[str, Value]] = [
            {"group": f"{team}-{self.rng.choice(('read', 'edit', 'news'))}", "kind": kind}
            for team, kind in zip(teams, kinds[:count], strict=False)
        ]
        self.groups = self.arranged(groups, *(g for g in groups if g["kind"] != "baseline"))
        plan = [call("find", name=self.asked), call("groups", login=self.login)]
        plan += [
            call("leave", login=self.login, group=row["group"])
            for row in self.groups
            if row["kind"] != "baseline"
        ]
        plan.append(call("mailbox", login=self.login))
        pass_on = call("forward", login=self.login, target=self.boss)
        if self.shared == "yes":
            plan += [call("head", department=self.department), pass_on]
        plan.append(call("disable", login=self.login))
        offered = [call("groups", login=row["login"]) for row in found]
        offered += [call("leave", login=self.login, group=row["group"]) for row in groups]
        offered += [call("head", department=row["department"]) for row in found]
        offered += [call("mailbox", login=self.login), pass_on]
        offered += [call("disable", login=row["login"]) for row in found]
        self.lay_out(plan, offered)
        date = f"2025-{self.rng.randint(1, 12):02}-{self.rng.randint(1, 28):02}"
        asked = self.rng.choice(self.wordings).format(name=self.asked, date=date)
        return asked, [Fact("Directory shell. 0 pending changes.", {"pending": 0})]

    def answer(self, wanted: Call) -> Result:
        """Look things up or change them."""
        if wanted.operator == "find":
            return [Rows("accounts", "{name} <{login}> {department}", self.found)]
        if wanted.operator == "head":
            if wanted["department"] != self.department:
                return [Fact("vacant", {"head": None})]
            text = f"{self.department} is led by {self.boss}"
            return [Fact(text, {"department": self.department, "head": self.boss})]
        if wanted.operator == "disable":
            return [Fact(f"{wanted['login']} disabled", {"disabled": wanted["login"]})]
        if wanted["login"] != self.login:
            return [Fact("access denied", {"error": "access denied"})]
        if wanted.operator == "groups":
            return [Rows("groups", "{group} [{kind}]", self.groups)]
        if wanted.operator == "mailbox":
            text = f"size {self.size} GB, shared: {self.shared}, forward: none"
            return [Fact(text, {"size": self.size, "shared": self.shared, "forward": None})]
        return [Fact("ok", {"ok": True})]
