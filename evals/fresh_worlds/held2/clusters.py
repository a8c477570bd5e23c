"""Clusters and databases: a rollout that is waited for, customers that are merged."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import CITIES, PEOPLE, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call


class KubeRollout(World):
    """A version is rolled out and waited for; where it fails, it is taken back."""

    name = "kube-rollout"
    difficulty = "a status is asked for until it settles; the old version is told after a failure"
    operators = (
        Operator("list", "kubectl get deploy -A", about="List deployments."),
        Operator("pods", "kubectl get pods -n {namespace}", about="List pods."),
        Operator("set", "kubectl set image deploy/{app} main={image}:{tag} -n {namespace}"),
        Operator("status", "kubectl rollout status deploy/{app} -n {namespace}"),
        Operator("undo", "kubectl rollout undo deploy/{app} -n {namespace}"),
        Operator("live", "say {app} {tag} is live", about="Final."),
        Operator("back", "say {app} is back at {tag}", about="Final."),
    )
    horizon = 13
    refusal = Fact("Error from server (NotFound)", {"error": "NotFound"})

    wordings = (
        "Roll out {app} {tag}.",
        "{app} should run {tag}. Tell us when it does.",
        "Version {tag} of {app} is released, please deploy it.",
        "deploy {app} {tag}",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw deployments, how long the rollout takes, and whether it fails."""
        teams, places = self.draw(TEAMS, 4), self.draw(CITIES, 4)
        kinds = [self.rng.choice(("api", "web", "worker")) for _ in teams]
        apps = [f"{team}-{kind}" for team, kind in zip(teams, kinds, strict=True)]
        spaces = [each.lower() for each in places]
        self.rows: list[dict[str, Value]] = [
            {
                "namespace": space,
                "app": app,
                "image": f"{self.identifier('r##')}/{app.partition('-')[0]}",
                "tag": self._tag(),
            }
            for space, app in zip(spaces, apps, strict=True)
        ]
        self.right = self.rows[0]
        self.app, self.space = apps[0], spaces[0]
        self.old, self.tag = str(self.right["tag"]), self._tag()
        if self.rng.random() < 0.15:
            self.right["tag"] = self.old = self.tag
        self.rows = self.arranged(self.rows, self.right)
        self.fails, self.waits = self.rng.random() < 0.4, self.rng.choice((0, 1, 2, 3))
        self.total = self.waits + self.rng.randint(1, 3)
        self.looks = [self.rng.random() < 0.25 for _ in range(2)]
        self.listed, self.state, self.asked = False, "old", 0
        text = self.rng.choice(self.wordings).format(app=self.app, tag=self.tag)
        cluster = f"cluster-{self.rng.randint(1, 99)}"
        return text, [Fact(f"context: {cluster}", {"context": cluster})]

    def _tag(self) -> str:
        return f"v{self.rng.randint(1, 4)}.{self.rng.randint(0, 30)}.{self.rng.randint(0, 9)}"

    def possible(self) -> list[Call]:
        """The list; then all commands on all deployments."""
        calls = [call("list")]
        if not self.listed:
            return calls
        for row in self.rows:
            app, space = row["app"], row["namespace"]
            calls += [
                call("pods", namespace=space),
                self._setting(row),
                call("status", app=app, namespace=space),
                call("undo", app=app, namespace=space),
                call("live", app=app, tag=self.tag),
                call("back", app=app, tag=row["tag"]),
            ]
        return calls

    def _setting(self, row: dict[str, Value]) -> Call:
        app, image, space = row["app"], row["image"], row["namespace"]
        return call("set", app=app, image=image, tag=self.tag, namespace=space)

    def do(self, wanted: Call) -> Result:
        """Run a command, or end."""
        name = wanted.operator
        if name == "list":
            self.listed = True
            head = Fact("NAMESPACE NAME IMAGE")
            return [head, Rows("deployments", "{namespace} {app} {image}:{tag}", self.rows)]
        if name == "pods":
            count = self.rng.randint(1, 5)
            return [Fact(f"{count} pods are Running", {"running": count})]
        if name in ("live", "back"):
            self.end(won=wanted == self._last() and self.state == self._settled())
            return [Fact("said", {"said": True})]
        if wanted["app"] != self.app:
            if name == "status":
                return [Fact(f"{wanted['app']} is unchanged", {"status": "unchanged"})]
            self.end(won=False)  # what was not asked for is changed
            return [Fact(f"deployment.apps/{wanted['app']} changed", {"changed": True})]
        if name == "set":
            self.state, self.asked = "under way", 0
            return [Fact(f"deployment.apps/{self.app} image updated", {"updated": True})]
        if name == "undo":
            self.state = "old"
            if self.asked > self.waits and self.fails:
                self.state = "undone"
            return [Fact(f"deployment.apps/{self.app} rolled back", {"rolled_back": True})]
        return [self._status()]

    def _status(self) -> Fact:
        if self.state in ("old", "undone"):
            return Fact(f"{self.app} is unchanged", {"status": "unchanged"})
        self.asked += 1
        if self.asked <= self.waits:
            text = f"Waiting: {self.asked} of {self.total} new replicas are available..."
            return Fact(text, {"status": "waiting", "available": self.asked, "of": self.total})
        if self.fails:
            text = f"error: {self.app} exceeded its progress deadline"
            return Fact(text, {"status": "failed"})
        self.state = "live"
        return Fact(f"{self.app} successfully rolled out", {"status": "rolled out"})

    def _settled(self) -> str:
        if self.old == self.tag:
            return "old"
        return "undone" if self.fails else "live"

    def _last(self) -> Call:
        if self._settled() == "undone":
            return call("back", app=self.app, tag=self.old)
        return call("live", app=self.app, tag=self.tag)

    def expert(self) -> Iterator[Call]:
        """Find the namespace, set, wait, take back what fails, tell."""
        first, second = self.looks
        yield call("list")
        if self.old != self.tag:
            if first:
                yield call("pods", namespace=self.space)
            yield self._setting(self.right)
            for _ in range(self.waits + 1):
                yield call("status", app=self.app, namespace=self.space)
            if second:
                yield call("pods", namespace=self.space)
            if self.fails:
                yield call("undo", app=self.app, namespace=self.space)
        yield self._last()


class PsqlMerge(World):
    """Records of one customer are merged into the oldest; orders are moved before."""

    name = "psql-merge"
    difficulty = "the earliest row stays; for each other row a field decides what is done to it"
    operators = (
        Operator("find", "SELECT * FROM customers WHERE name = '{name}';", about="Find records."),
        Operator("count", "SELECT count(*) FROM customers;", about="Count all records."),
        Operator(
            "move",
            "UPDATE orders SET customer = {keep} WHERE customer = {drop};",
            ("keep", "drop"),
            "Move orders.",
        ),
        Operator("delete", "DELETE FROM customers WHERE id = {id};", ("id",), "Drop a record."),
        Operator("commit", "COMMIT;", about="Final."),
        Operator("rollback", "ROLLBACK;", about="Final; nothing is changed."),
    )
    horizon = 9
    refusal = Fact("ERROR:  not possible here", {"error": "not possible"})

    wordings = (
        "{name} is among the customers more than once. Merge that.",
        "Please clean up the duplicates of {name}.",
        "{name} gets every letter twice, it seems. Check, and merge the records.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw records of the same name."""
        (first,), (last,) = self.draw(PEOPLE), self.draw(SURNAMES)
        self.customer = f"{first} {last}"
        count = self.rng.choice((1, 2, 2, 2, 3, 3))
        days = self.rng.sample(range(28 * 60), count)
        cities = self.draw(CITIES, count)
        ids = self.rng.sample(range(100, 9999), count)
        rows: list[dict[str, Value]] = [
            {
                "id": number,
                "city": city,
                "created": f"{2019 + day // 336}-{day % 336 // 28 + 1:02}-{day % 28 + 1:02}",
                "orders": self.rng.choice((0, self.rng.randint(1, 9))),
            }
            for number, city, day in zip(ids, cities, days, strict=True)
        ]
        keep = min(rows, key=lambda row: str(row["created"]))
        self.rows, self.keep = self.arranged(rows, keep), keep
        self.others = [row for row in self.rows if row is not keep]
        self.found, self.counts = False, self.rng.random() < 0.25
        self.moved: list[Call] = []
        self.total = self.rng.randint(200, 9000)
        name = f"shop_{self.rng.randint(1, 9)}"
        asked = self.rng.choice(self.wordings).format(name=self.customer)
        return asked, [Fact(f"{name}=# BEGIN;\nBEGIN", {"database": name})]

    def possible(self) -> list[Call]:
        """Finding; then every record with every other one."""
        ids = [row["id"] for row in self.rows] if self.found else []
        calls = [call("find", name=self.customer), call("count")]
        calls += [call("move", keep=k, drop=d) for k in ids for d in ids if k != d]
        calls += [call("delete", id=each) for each in ids]
        return [*calls, call("commit"), call("rollback")]

    def do(self, wanted: Call) -> Result:
        """Run a statement, or end."""
        if wanted.operator == "find":
            self.found = True
            head = Fact(" id | city | created | orders\n----+------+---------+--------")
            rows = Rows("rows", " {id} | {city} | {created} | {orders}", self.rows)
            return [head, rows, Fact(f"({len(self.rows)} rows)", {"count": len(self.rows)})]
        if wanted.operator == "count":
            return [Fact(f" {self.total}", {"count": self.total})]
        if wanted.operator in ("move", "delete"):
            self.moved.append(wanted)
            row = next(r for r in self.rows if str(r["id"]) in wanted.values.values())
            number = row["orders"] if wanted.operator == "move" else 1
            verb = "UPDATE" if wanted.operator == "move" else "DELETE"
            return [Fact(f"{verb} {number}", {"rows": number})]
        changed = self.moved if wanted.operator == "commit" else []
        self.end(won=self.found and changed == self._steps())
        return [Fact(wanted.operator.upper(), {"ended": wanted.operator})]

    def _steps(self) -> list[Call]:
        steps = []
        for row in self.others:
            if row["orders"]:
                steps.append(call("move", keep=self.keep["id"], drop=row["id"]))
            steps.append(call("delete", id=row["id"]))
        return steps

    def expert(self) -> Iterator[Call]:
        """Find, move and delete from top to bottom, commit; or take all back."""
        if self.counts:
            yield call("count")
        yield call("find", name=self.customer)
        yield from self._steps()
        yield call("commit" if self.others else "rollback")
