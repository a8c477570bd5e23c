"""Consoles: pull requests, a cluster, a roster."""

from __future__ import annotations

from ...ladder.names import PARTS, PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk


class MergeQueue(Desk):
    """A pull request is brought up to date, waited for and merged by the way of its base."""

    name = "merge-queue"
    difficulty = "command line; look again until it is decided; a flag by category; or sent back"
    operators = (
        Operator("view", "gh pr view {number}", ("number",), "A pull request."),
        Operator("update", "gh pr update-branch {number}", ("number",), "Takes its base in."),
        Operator("checks", "gh pr checks {number}", ("number",), "How the checks go."),
        Operator("merge", "gh pr merge {number} --{method}", ("number",), "Final."),
        Operator("label", "gh pr edit {number} --add-label {label}", ("number",), "Final."),
    )
    changing, finals = ("update",), ("merge", "label")
    free = ("view", "update", "checks", "merge", "label")
    horizon = 10

    wordings = (
        "Merge #{number} if it is ready.",
        "Pull request {number} by {person} is approved, take it in.",
        "Please see to pull request {number}.",
    )
    methods = (("main", "squash"), ("release", "merge"))

    def begin(self) -> tuple[str, Result]:
        """Draw a pull request and how its checks go."""
        self.number = self.rng.randint(100, 9999)
        (self.person,), (part,) = self.draw(PEOPLE), self.draw(PARTS)
        self.title = f"{self.rng.choice(('Fix', 'Add', 'Speed up', 'Test'))} {part}"
        cases = (
            *(("main", False, True), ("main", True, True), ("release", False, True)),
            *(("release", True, True), ("main", False, False), ("release", True, False)),
        )
        self.base, self.behind, self.good = case_of(self.name, self.task, cases)
        self.late, self.looked, self.updated = self.rng.randint(0, 2), 0, False
        self.lines = self.rng.randint(1, 400)
        merges = {b: call("merge", number=self.number, method=m) for b, m in self.methods}
        label = call("label", number=self.number, label="needs-work")
        update = call("update", number=self.number)
        plan = [call("view", number=self.number), *([update] if self.behind else [])]
        plan += [call("checks", number=self.number)] * (self.late + 1)
        plan.append(merges[self.base] if self.good else label)
        self.lay_out(plan, [*merges.values(), label, update])
        asked = self.rng.choice(self.wordings).format(number=self.number, person=self.person)
        waiting = self.rng.randint(1, 30)
        return asked, [Fact(f"{waiting} open pull requests", {"open": waiting})]

    def answer(self, wanted: Call) -> Result:
        """Show, update, check or end."""
        if wanted["number"] != str(self.number):
            return [Fact("no pull request found", {"error": "not found"})]
        if wanted.operator == "view":
            state = "behind" if self.behind and not self.updated else "up to date"
            text = f"{self.title}\nauthor: {self.person}  +{self.lines}\n"
            text += f"base: {self.base}\nbranch: {state}"
            data: dict[str, Value] = {"title": self.title, "author": self.person}
            return [Fact(text, data | {"base": self.base, "branch": state})]
        if wanted.operator == "checks":
            self.looked += 1
            found = "pass" if self.good else "fail"
            state = "pending" if self.looked <= self.late else found
            return [Fact(f"build and test: {state}", {"state": state})]
        if wanted.operator == "update":
            self.looked, self.updated = 0, True
            return [Fact("branch updated", {"updated": True})]
        self.out_of_turn = self.looked <= self.late
        return [Fact("done", {"done": True})]


class KubeRunbook(Desk):
    """A deployment gets memory, goes back a revision or is handed over, by why it fails."""

    name = "kube-runbook"
    difficulty = "three remedies by a reason: a doubled number, a last good row, an owner; waiting"
    operators = (
        Operator("describe", "kubectl describe deploy {app} -n {space}", about="Its state."),
        Operator(
            "memory",
            "kubectl set resources deploy {app} -n {space} --limits=memory={memory}Mi",
            ("memory",),
            "Sets the limit.",
        ),
        Operator("history", "kubectl rollout history deploy {app} -n {space}", about="Revisions."),
        Operator(
            "undo",
            "kubectl rollout undo deploy {app} -n {space} --to-revision={revision}",
            ("revision",),
            "Goes back.",
        ),
        Operator("status", "kubectl rollout status deploy {app} -n {space}", about="Progress."),
        Operator("close", "incident close {incident}", about="Final."),
        Operator("hand", "incident handover {incident} --to {owner}", about="Final."),
    )
    changing, irrevocable, finals = ("memory", "undo"), ("memory", "undo"), ("close", "hand")
    free = ("describe", "memory", "history", "undo", "status", "close", "hand")
    horizon = 10

    wordings = (
        "Incident {incident}: {app} in {space} is down.",
        "{app} (namespace {space}) does not come up, see {incident}.",
        "Namespace {space}: pods of {app} fail. Incident {incident}.",
    )
    kinds = ("OOMKilled", "ImagePullBackOff", "ConfigError")

    def begin(self) -> tuple[str, Result]:
        """Draw a deployment and why it fails."""
        self.incident = self.identifier("INC####")
        (part,), (owner,) = self.draw(PARTS), self.draw(SURNAMES)
        self.app = f"{part.replace(' ', '-')}-{self.rng.choice(('api', 'web', 'job'))}"
        self.space, self.owner = self.identifier("aaa-##"), owner.lower()
        self.reason = case_of(self.name, self.task, self.kinds)
        self.memory = self.rng.randrange(64, 1024, 32)
        self.late, self.looked, self.mended = self.rng.randint(0, 2), 0, False
        last = self.rng.randint(5, 60)
        good = last - self.rng.randint(1, 3)
        self.rows: list[dict[str, Value]] = [
            {
                "revision": n,
                "image": f"1.{n}.{self.rng.randint(0, 9)}",
                "result": self._result(n, good),
            }
            for n in range(last - 4, last + 1)
        ]
        where = {"app": self.app, "space": self.space}
        memory = call("memory", **where, memory=2 * self.memory)
        undos = {
            row["revision"]: call("undo", **where, revision=row["revision"]) for row in self.rows
        }
        waits = [call("status", **where)] * (self.late + 1)
        close = call("close", incident=self.incident)
        hand = call("hand", incident=self.incident, owner=self.owner)
        remedies = {
            "OOMKilled": [memory, *waits, close],
            "ImagePullBackOff": [call("history", **where), undos[good], *waits, close],
            "ConfigError": [hand],
        }
        plan = [call("describe", **where), *remedies[self.reason]]
        self.lay_out(plan, [memory, *undos.values(), close, hand])
        asked = self.rng.choice(self.wordings).format(incident=self.incident, **where)
        nodes = self.rng.randint(3, 40)
        return asked, [Fact(f"context prod, {nodes} nodes", {"nodes": nodes})]

    def _result(self, revision: int, good: int) -> str:
        """Say how a revision went; ``good`` is the last that went well."""
        if revision == good:
            return "ok"
        return "failed" if revision > good else self.rng.choice(("ok", "failed"))

    def answer(self, wanted: Call) -> Result:
        """Show, mend, wait or end."""
        if wanted.operator in self.finals:
            self.out_of_turn = wanted.operator == "close" and self.looked <= self.late
            return [Fact("ok", {"ok": True})]
        if (wanted["app"], wanted["space"]) != (self.app, self.space):
            return [Fact("Error: not found", {"error": "not found"})]
        if wanted.operator == "describe":
            text = f"Name: {self.app}\nOwner: {self.owner}\nLimits: memory {self.memory}Mi\n"
            data: dict[str, Value] = {"owner": self.owner, "memory": f"{self.memory}Mi"}
            return [Fact(f"{text}Reason: {self.reason}", data | {"reason": self.reason})]
        if wanted.operator == "history":
            line = "{revision:<4} {image:<9} {result}"
            return [Fact("REVISION IMAGE RESULT"), Rows("revisions", line, self.rows)]
        if wanted.operator == "status":
            self.looked += 1
            ready = self.mended and self.looked > self.late
            text = "successfully rolled out" if ready else "waiting for pods"
            return [Fact(text, {"status": text})]
        self.looked, self.mended = 0, True
        return [Fact("deployment updated", {"updated": True})]


class ShiftCover(Desk):
    """Whoever is off, has the same grade and the fewest hours steps in; else the agency."""

    name = "shift-cover"
    difficulty = "JSON; the grade of one row, then the least of the rows that share it; or none"
    operators = (
        Operator("roster", '["roster", "{ward}", "{day}"]', about="Who is on, off or away."),
        Operator("assign", '["assign", "{day}", "{shift}", "{who}"]', about="Plans somebody."),
        Operator("notify", '["notify", "{who}"]', about="Final: tells who was planned."),
        Operator("agency", '["agency", "{ward}", "{day}", "{grade}"]', about="Final."),
    )
    changing, irrevocable, finals = ("assign",), ("assign",), ("notify", "agency")
    free = ("roster", "assign", "notify", "agency")
    horizon = 6

    wordings = (
        "{who} called in sick for the {shift} shift on {day}, ward {ward}.",
        "Ward {ward}, {day}: {who} is ill and cannot do {shift}. Find cover.",
        "Cover the {shift} shift of {who} on {day} (ward {ward}).",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a ward and its people."""
        self.ward = self.identifier("A#")
        self.day = f"2026-{self.rng.randint(1, 12):02}-{self.rng.randint(1, 28):02}"
        shift = self.rng.choice(("early", "late", "night"))
        some = case_of(self.name, self.task, (True, True, False))
        people, hours = self.draw(SURNAMES, 8), self.rng.sample(range(8, 41), 8)
        grades = self.rng.sample(("nurse", "midwife", "assistant"), 3)
        sick = people[0]
        while True:
            rows: list[dict[str, Value]] = [
                {
                    "name": name,
                    "grade": grades[0] if name == sick else self.rng.choice(grades),
                    "state": "sick"
                    if name == sick
                    else self.rng.choice(("off", "off", "on", "leave")),
                    "hours": worked,
                }
                for name, worked in zip(people, hours, strict=True)
            ]
            fit = [r for r in rows if (r["grade"], r["state"]) == (grades[0], "off")]
            if len(fit) >= 2 if some else not fit:
                break
        assigns = [call("assign", day=self.day, shift=shift, who=name) for name in people]
        agency = call("agency", ward=self.ward, day=self.day, grade=grades[0])
        plan, best = [call("roster", ward=self.ward, day=self.day)], rows[0]
        if fit:
            best = min(fit, key=lambda row: int(str(row["hours"])))
            plan += [assigns[rows.index(best)], call("notify", who=best["name"])]
        else:
            plan.append(agency)
        self.rows = self.arranged(rows, best)
        self.lay_out(plan, [*assigns, agency])
        asked = self.rng.choice(self.wordings).format(
            who=sick, shift=shift, day=self.day, ward=self.ward
        )
        beds = self.rng.randint(12, 40)
        return asked, [Fact(f'{{"hospital": "St. Anne", "beds": {beds}}}', {"beds": beds})]

    def answer(self, wanted: Call) -> Result:
        """Show, plan or end."""
        if wanted.operator == "roster":
            if (wanted["ward"], wanted["day"]) != (self.ward, self.day):
                return [Fact('{"error": "no roster"}', {"error": "no roster"})]
            line = '{{"name": "{name}", "grade": "{grade}", "state": "{state}", "hours": {hours}}}'
            return [Rows("roster", line, self.rows)]
        return [Fact('{"ok": true}', {"ok": True})]
