"""Shells: pods that are swept away, and a branch that is named after an issue."""

from __future__ import annotations

from ...ladder.names import CITIES, PARTS, PRODUCTS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk


class PodSweep(Desk):
    """Pods of one deployment that are not well are deleted, those of others are left."""

    name = "pod-sweep"
    difficulty = (
        "every row whose name begins with the task's app and that is not Running is deleted"
    )
    operators = (
        Operator("pods", "kubectl get pods -n {namespace}", about="List the pods."),
        Operator("delete", "kubectl delete pod {pod} -n {namespace}", about="Cannot be undone."),
        Operator(
            "rollout",
            "kubectl rollout status deployment/{app} -n {namespace}",
            about="Wait for the deployment. Final.",
        ),
    )
    changing, irrevocable, finals = ("delete",), ("delete",), ("rollout",)
    horizon = 12

    wordings = (
        "Get rid of the broken pods of {app} in namespace {space}.",
        "Some pods of {app} ({space}) are stuck. Delete those and check the rollout, please.",
        "In {space}: delete every pod of {app} that is not running.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw pods of two deployments."""
        (town,) = self.draw(CITIES)
        apps = [each.replace(" ", "-") for each in self.draw(PARTS, 2)]
        self.app, other = apps
        self.space = f"{town.lower()}-{self.rng.choice(('prod', 'stage'))}"
        bad = ("CrashLoopBackOff", "ImagePullBackOff", "Error", "Pending")
        wrong = self.rng.randint(1, 3)
        states = [(self.app, self.rng.choice(bad)) for _ in range(wrong)]
        states += [(self.app, "Running") for _ in range(self.rng.randint(1, 2))]
        states += [(other, self.rng.choice(("Running", *bad))) for _ in range(2)]
        hashes = {each: self.identifier("#a#aa##a#") for each in apps}
        rows: list[dict[str, Value]] = []
        for app, state in states:
            runs = state == "Running"
            rows.append(
                {
                    "name": f"{app}-{hashes[app]}-{self.identifier('aa#a#')}",
                    "ready": "1/1" if runs else "0/1",
                    "status": state,
                    "restarts": self.rng.randint(0, 3) if runs else self.rng.randint(0, 40),
                    "age": f"{self.rng.randint(1, 30)}{self.rng.choice('hd')}",
                }
            )
        due = rows[:wrong]
        self.rows = self.arranged(
            [tuple(row.items()) for row in rows], *(tuple(row.items()) for row in due)
        )
        self.table = [dict(row) for row in self.rows]
        names = [str(row["name"]) for row in due]
        wanted = [str(row["name"]) for row in self.table if row["name"] in names]
        self.names = [str(row["name"]) for row in self.table]
        self.lay_out(
            [
                call("pods", namespace=self.space),
                *(call("delete", pod=each, namespace=self.space) for each in wanted),
                call("rollout", app=self.app, namespace=self.space),
            ],
            [
                call("pods", namespace=self.space),
                *(call("delete", pod=each, namespace=self.space) for each in self.names),
                *(call("rollout", app=each, namespace=self.space) for each in apps),
            ],
        )
        asked = self.rng.choice(self.wordings).format(app=self.app, space=self.space)
        return asked, [Fact("$", {"shell": "bash"})]

    def answer(self, wanted: Call) -> Result:
        """List, delete, or wait."""
        if wanted.operator == "pods":
            line = "{name:<38}{ready:<8}{status:<19}{restarts:<11}{age}"
            head = line.format(
                name="NAME", ready="READY", status="STATUS", restarts="RESTARTS", age="AGE"
            )
            return [Fact(head), Rows("items", line, self.table)]
        if wanted.operator == "delete":
            pod = wanted["pod"]
            return [Fact(f'pod "{pod}" deleted', {"deleted": pod})]
        text = f'deployment "{wanted["app"]}" successfully rolled out'
        return [Fact(text, {"rolled_out": wanted["app"]})]


_KINDS = {"Bug": "bugfix", "Story": "feature", "Task": "chore", "Incident": "hotfix"}


class BranchName(Desk):
    """A branch gets a name made of an issue's type, key and title; changes are put aside first."""

    name = "branch-name"
    difficulty = "a name is put together of a type, a key and a title in small letters with hyphens"
    operators = (
        Operator("issue", "jira view {key}", about="Show an issue."),
        Operator("status", "git status --short", about="Tell what is changed."),
        Operator("stash", "git stash push -m {key}", about="Put changes aside."),
        Operator("branch", "git switch -c {branch}", about="Make a branch."),
        Operator("push", "git push -u origin {branch}", about="Final."),
    )
    changing, finals, free = ("stash", "branch"), ("push",), ("branch", "push")
    horizon = 9

    wordings = (
        "Start work on {key}: branch and push, the usual way.",
        "I'd like to begin with {key} today. Set up the branch for me, will you?",
        "Create and push a branch for {key}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw an issue and whether anything is changed."""
        self.key, (part,), (product,) = (
            self.identifier("AAA-###"),
            self.draw(PARTS),
            self.draw(PRODUCTS),
        )
        self.kind = self.rng.choice([*_KINDS])
        verb = self.rng.choice(("Show", "Repair", "Rename", "Hide", "Count"))
        self.title = f"{verb} the {part} of each {product}"
        self.changed = self.rng.random() < 0.5
        branch = f"{_KINDS[self.kind]}/{self.key}-{self.title.lower().replace(' ', '-')}"
        plan = [call("issue", key=self.key), call("status")]
        plan += [call("stash", key=self.key)] if self.changed else []
        plan += [call("branch", branch=branch), call("push", branch=branch)]
        names = [f"{each}/{self.key}" for each in _KINDS.values()]
        offered = [call("issue", key=self.key), call("status"), call("stash", key=self.key)]
        offered += [call(n, branch=each) for n in ("branch", "push") for each in names]
        self.file = f"src/{part.replace(' ', '_')}.py"
        self.lay_out(plan, offered)
        asked = self.rng.choice(self.wordings).format(key=self.key)
        return asked, [Fact("On branch main", {"branch": "main"})]

    def answer(self, wanted: Call) -> Result:
        """Show, or do as git does."""
        if wanted.operator == "issue":
            text = f"{self.key}  {self.title}\n  Type:      {self.kind}\n  Status:    To Do"
            text += "\n  Component: core"
            data = {"key": self.key, "summary": self.title, "type": self.kind, "status": "To Do"}
            return [Fact(text, data)]
        if wanted.operator == "status":
            changes = self.changed and not self.times(call("stash", key=self.key))
            text = f" M {self.file}" if changes else "(clean)"
            return [Fact(text, {"modified": self.file if changes else None})]
        if wanted.operator == "stash":
            if not self.changed:
                return [Fact("No local changes to save", {"error": "no local changes to save"})]
            return [Fact(f"Saved working directory: On main: {self.key}", {"stashed": self.key})]
        if wanted.operator == "branch":
            return [Fact(f"Switched to a new branch '{wanted['branch']}'", {"exit_code": 0})]
        text = f"branch '{wanted['branch']}' set up to track 'origin/{wanted['branch']}'."
        return [Fact(text, {"exit_code": 0})]
