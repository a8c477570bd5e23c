"""Machines: migrations, alerts that are silenced, a release, the image of a deployment."""

from __future__ import annotations

from ...ladder.names import CITIES, PARTS, PEOPLE, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk


class MigrationRun(Desk):
    """Migrations are applied one by one until none is pending, in maintenance if one locks."""

    name = "migration-run"
    difficulty = "one step is repeated until nothing is left; another is first where a line says so"
    operators = (
        Operator("status", "migrate status {database}", about="What is pending."),
        Operator("maintenance", "maintenance on {database}", about="Lock users out."),
        Operator("up", "migrate up {database}", about="Apply the next migration."),
        Operator("verify", "migrate verify {database}", about="Check and finish. Final."),
    )
    changing, finals = ("maintenance", "up"), ("verify",)
    counted = True
    horizon = 12

    wordings = (
        "Bring {database} up to date and verify it.",
        "{person} deployed a release. Please run all pending migrations on {database}.",
        "Migrate {database}, one step after the other, then verify.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a database and what is pending."""
        (town,), (person,), parts = self.draw(CITIES), self.draw(PEOPLE), self.draw(PARTS, 5)
        self.database = f"{town.lower()}_{self.rng.choice(('live', 'demo', 'audit'))}"
        count, start = self.rng.randint(1, 5), self.rng.randint(12, 480)
        verbs = ("add", "drop", "rename", "index")
        self.pending = [
            f"{start + i:04}_{self.rng.choice(verbs)}_{part.replace(' ', '_')}"
            for i, part in enumerate(parts[:count])
        ]
        self.locking = self.rng.random() < 0.45
        self.locks = self.rng.randrange(count) if self.locking else -1
        data = self.database
        plan = [call("status", database=data)]
        plan += [call("maintenance", database=data)] if self.locking else []
        plan += [*[call("up", database=data)] * count, call("verify", database=data)]
        names = [each.name for each in self.operators]
        self.lay_out(plan, [call(each, database=data) for each in names])
        asked = self.rng.choice(self.wordings).format(database=data, person=person)
        return asked, [Fact("dbtool ready", {"ready": True})]

    def answer(self, wanted: Call) -> Result:
        """Tell, apply or verify."""
        done = self.times(call("up", database=self.database))
        left = len(self.pending) - done
        if wanted.operator == "status":
            rows: list[dict[str, Value]] = [
                {"name": name, "kind": "LOCKS TABLE" if i == self.locks else "online"}
                for i, name in enumerate(self.pending)
                if i >= done
            ]
            head = Fact(f"{self.database}: {left} pending", {"pending": left})
            return [head, Rows("migrations", "  {name:<24} {kind}", rows)]
        if wanted.operator == "maintenance":
            self.out_of_turn |= done > 0
            return [Fact("Maintenance page is up.", {"maintenance": True})]
        if wanted.operator == "up":
            if not left:
                return [Fact("Nothing to apply.", {"error": "nothing to apply"})]
            text = f"applied {self.pending[done]}\n{left - 1} pending"
            return [Fact(text, {"applied": self.pending[done], "pending": left - 1})]
        return [Fact("Schema verified.", {"verified": True})]


class AlertSilence(Desk):
    """An alert of a host is silenced for so many minutes from now."""

    name = "alert-silence"
    difficulty = "the row of an alert and a host is chosen; the end is the time told plus minutes"
    operators = (
        Operator("alerts", "alerts", about="What is firing, and the time."),
        Operator("silence", "silence {id} until {time}", about="Final."),
    )
    finals, free = ("silence",), ("silence",)
    horizon = 5

    wordings = (
        "Silence {alert} on {host} for {minutes} minutes.",
        "{person} works on {host} for the next {minutes} minutes; mute {alert} there.",
        "Mute {alert}@{host}: {minutes} min, please.",
    )
    kinds = ("DiskFull", "HighLoad", "PingLost", "SwapUsed", "CertExpiry")

    def begin(self) -> tuple[str, Result]:
        """Draw alerts and the time."""
        (person,), towns = self.draw(PEOPLE), self.draw(CITIES, 3)
        hosts = [f"{town.lower()}-{self.rng.randint(1, 9)}" for town in towns]
        kinds = self.rng.sample(self.kinds, 3)
        pairs = [(kinds[0], hosts[0]), (kinds[1], hosts[0]), (kinds[0], hosts[1])]
        pairs += [(kinds[2], hosts[2]), (kinds[1], hosts[1])]
        rows: list[dict[str, Value]] = [
            {
                "id": self.identifier("#A#A"),
                "alert": alert,
                "host": host,
                "since": f"{self.rng.randint(2, 90)}m",
            }
            for alert, host in pairs
        ]
        self.rows = self.arranged(rows, rows[0])
        now, minutes = self.rng.randint(0, 21 * 60), self.rng.choice((15, 20, 30, 45, 60, 90, 120))
        ends = [f"{t // 60:02}:{t % 60:02}" for t in (now, now + minutes, now + 60 + minutes)]
        self.now = ends[0]
        right = call("silence", id=rows[0]["id"], time=ends[1])
        every = [call("silence", id=row["id"], time=end) for row in rows for end in ends[1:]]
        self.lay_out([call("alerts"), right], every)
        names = {"alert": pairs[0][0], "host": hosts[0], "minutes": minutes, "person": person}
        return self.rng.choice(self.wordings).format(**names), [Fact("alertctl", {"v": 2})]

    def answer(self, wanted: Call) -> Result:
        """List, or silence."""
        if wanted.operator == "alerts":
            head = Fact(f"It is {self.now} UTC. Firing:", {"now": self.now})
            return [head, Rows("alerts", "[{id}] {alert} {host} ({since})", self.rows)]
        return [Fact("Silenced.", {"silenced": wanted["id"]})]


class ReleaseTag(Desk):
    """The last tag is raised: its middle number if a commit is a feature, else its last."""

    name = "release-tag"
    difficulty = "one number of three is raised; which one, what a list has in it decides"
    operators = (
        Operator("describe", "git describe --tags --abbrev=0", about="The last tag."),
        Operator("log", "git log --oneline {tag}..HEAD", about="Commits since a tag."),
        Operator("status", "git status --short", about="What is changed."),
        Operator("tag", "git tag {tag}", about="Make a tag."),
        Operator("push", "git push origin {tag}", about="Push a tag. Final."),
    )
    changing, finals, free = ("tag",), ("push",), ("tag", "push", "log")
    horizon = 9

    wordings = (
        "Release the {part} library as usual.",
        "{person} asks for a new release of {part} from main. Tag and push it.",
        "Cut the next version of our {part} package, will you?",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a version and commits."""
        (self.part,), (person,), parts = self.draw(PARTS), self.draw(PEOPLE), self.draw(PARTS, 5)
        major, minor, patch = (self.rng.randint(*r) for r in ((0, 6), (0, 19), (0, 19)))
        self.tag = f"v{major}.{minor}.{patch}"
        feature, count = self.rng.random() < 0.5, self.rng.randint(2, 5)
        kinds = [self.rng.choice(("fix", "docs", "chore", "test")) for _ in range(count)]
        if feature:
            kinds[self.rng.randrange(count)] = "feat"
        rows: list[dict[str, Value]] = [
            {"hash": self.identifier("#a#a#a#"), "kind": kind, "title": f"handle {each}"}
            for kind, each in zip(kinds, parts, strict=False)
        ]
        self.rows = self.arranged(rows, *(row for row in rows if row["kind"] == "feat"))
        versions = (f"v{major}.{minor + 1}.0", f"v{major}.{minor}.{patch + 1}")
        best = versions[0] if feature else versions[1]
        plan = [call("status")] if self.rng.random() < 0.3 else []
        plan += [call("describe"), call("log", tag=self.tag)]
        plan += [call("tag", tag=best), call("push", tag=best)]
        offered = [call(name, tag=each) for name in ("tag", "push") for each in versions]
        offered += [call("tag", tag=self.tag), call("push", tag=self.tag), call("status")]
        self.lay_out(plan, offered)
        words = self.part if self.rng.random() < 0.5 else f"{self.part} ({person})"
        return (
            self.rng.choice(self.wordings).format(part=words, person=person)
            + f" Ticket {self.identifier('REL-###')}.",
            [Fact("On branch main, up to date with origin.", {"branch": "main"})],
        )

    def answer(self, wanted: Call) -> Result:
        """Answer as git does."""
        if wanted.operator == "status":
            return [Fact("(clean)", {"clean": True})]
        if wanted.operator == "describe":
            return [Fact(self.tag, {"tag": self.tag})]
        if wanted.operator == "log":
            if wanted["tag"] != self.tag:
                return [Fact("fatal: ambiguous argument", {"error": "ambiguous argument"})]
            count = Fact("", {"commits": len(self.rows)})
            return [count, Rows("log", "{hash} {kind}: {title}", self.rows)]
        if wanted.operator == "tag":
            if wanted["tag"] == self.tag:
                return [Fact("fatal: tag already exists", {"error": "tag already exists"})]
            return [Fact(f"tagged {wanted['tag']}", {"exit_code": 0})]
        return [Fact(f" * [new tag] {wanted['tag']}", {"exit_code": 0})]


class YamlImage(Desk):
    """The newest signed image of a service goes into its values file, which is committed."""

    name = "yaml-image"
    difficulty = "the newest of the signed rows goes elsewhere; a message is put together"
    operators = (
        Operator("cat", "cat {path}", about="Show a file."),
        Operator("images", "registry ls {repository}", about="Images of a repository."),
        Operator("set", "yq set image.tag {tag} in {path}", about="Change the file."),
        Operator("commit", "git commit -am '{message}'", about="Commit; deploys. Final."),
    )
    changing, finals, free = ("set",), ("commit",), ("cat", "images", "set", "commit")
    horizon = 8

    wordings = (
        "Deploy the newest signed image of {service} ({path}).",
        "{path}: take {service} to the latest image that is signed, and commit.",
        "{person} would like {service} upgraded. Values are in {path}; signed images only.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a values file and images."""
        (part,), (person,), (team,) = self.draw(PARTS), self.draw(PEOPLE), self.draw(TEAMS)
        self.service = f"{part.replace(' ', '-')}-{self.rng.choice(('api', 'web', 'jobs'))}"
        self.path = f"deploy/{team}/{self.service}.yaml"
        self.repository = f"{team}/{self.identifier('aa##')}-{part.replace(' ', '-')}"
        days = sorted(self.rng.sample(range(1, 29), 5))
        month = self.rng.randint(1, 12)
        signed = [self.rng.random() < 0.5 for _ in days]
        signed[self.rng.randrange(1, 4)] = True
        tags = [self.identifier("aa#a##a") for _ in days]
        rows: list[dict[str, Value]] = [
            {
                "tag": tag,
                "pushed": f"2025-{month:02}-{day:02}",
                "signed": "yes" if sign else "no",
                "mb": self.rng.randint(40, 900),
            }
            for tag, day, sign in zip(tags, days, signed, strict=True)
        ]
        best = rows[max(i for i, sign in enumerate(signed) if sign)]
        self.rows, self.replicas = self.arranged(rows, best), self.rng.randint(1, 6)
        self.tag = self.identifier("aa#a##a")
        plan = [call("cat", path=self.path), call("images", repository=self.repository)]
        plan += [call("set", tag=best["tag"], path=self.path)]
        plan += [call("commit", message=f"{self.service}: image {best['tag']}")]
        offered = [call("set", tag=tag, path=self.path) for tag in tags]
        offered += [call("commit", message=f"{self.service}: image {tag}") for tag in tags]
        self.lay_out(plan, offered)
        names = {"service": self.service, "path": self.path, "person": person}
        return self.rng.choice(self.wordings).format(**names), [Fact("$", {"shell": "sh"})]

    def answer(self, wanted: Call) -> Result:
        """Show, list, change or commit."""
        if wanted.operator == "cat":
            if wanted["path"] != self.path:
                return [Fact("cat: no such file", {"error": "no such file"})]
            text = (
                f"service: {self.service}\nreplicas: {self.replicas}\nimage:\n"
                f"  repository: {self.repository}\n  tag: {self.tag}\nresources: {{}}"
            )
            data: dict[str, Value] = {"service": self.service, "replicas": self.replicas}
            return [Fact(text, data | {"repository": self.repository, "tag": self.tag})]
        if wanted.operator == "images":
            if wanted["repository"] != self.repository:
                return [Fact("no such repository", {"error": "no such repository"})]
            line = "{tag:<10} {pushed}  signed={signed:<4} {mb} MB"
            return [Fact(f"{self.repository}:", {}), Rows("images", line, self.rows)]
        if wanted.operator == "set":
            self.overwrite(wanted, "path")
            return [Fact(f"{wanted['path']} written", {"written": wanted["path"]})]
        return [Fact("1 file changed", {"files": 1})]
