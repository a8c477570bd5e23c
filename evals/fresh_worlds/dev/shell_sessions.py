"""Sessions on a command line: a backport with git, an API whose lists go on behind a cursor."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import PARTS, PEOPLE, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, World, call


class GitBackport(World):
    """A commit is picked onto a release branch; if it conflicts, its author is told."""

    name = "git-backport"
    difficulty = "a hash is found by its subject; a conflict is undone and told to the author"
    operators = (
        Operator("status", "git status", about="Tell the branch and what is changed."),
        Operator("log", "git log --oneline main", about="List commits."),
        Operator("switch", "git switch {branch}", about="Change the branch."),
        Operator("pick", "git cherry-pick -x {commit}", about="Copy a commit to this branch."),
        Operator("abort", "git cherry-pick --abort", about="Give up a pick that conflicts."),
        Operator("reset", "git reset --hard HEAD~1", about="Drop the last commit."),
        Operator("show", "git show --stat {commit}", about="Tell author and files of a commit."),
        Operator("push", "git push origin {branch}", about="Final."),
        Operator("mail", "mail {person} -s '{commit} conflicts with {branch}'", about="Final."),
    )
    horizon = 12
    refusal = Fact("fatal: not possible here", {"error": "fatal"})

    wordings = (
        "Backport '{subject}' to {branch}.",
        "{branch} needs the commit '{subject}' from main.",
        "Customers on {branch} are waiting for '{subject}', please get it there.",
        "'{subject}' -> {branch}",
    )
    verbs = ("Fix", "Test", "Rename", "Document", "Speed up")

    def begin(self) -> tuple[str, Result]:
        """Draw branches and a history; some picks conflict."""
        branches = [f"release/{self.rng.randint(1, 9)}.{each}" for each in self._digits(3)]
        parts = self.draw(PARTS, 4)
        subjects = {
            f"{self.rng.choice(self.verbs)} the {each}": each for each in (parts[0], *parts)
        }
        people, names = self.draw(PEOPLE, len(subjects)), self.draw(SURNAMES, len(subjects))
        self.commits = {
            self.identifier("#a##a#a"): (subject, f"{first} {last}", f"src/{part}.py")
            for (subject, part), first, last in zip(subjects.items(), people, names, strict=True)
        }
        self.commit = next(iter(self.commits))
        self.subject, self.author, _ = self.commits[self.commit]
        self.branch, self.branches = branches[0], self.arranged(["main", *branches], branches[0])
        self.log = self.arranged(list(self.commits), self.commit)
        self.conflicts = self.rng.random() < 0.4
        self.at, self.stuck = "main", False
        self.picked: dict[str, list[str]] = {each: [] for each in self.branches}
        # What the person at the keyboard does besides: looks around, or errs and takes it back.
        self.looks = [self.rng.random() < 0.3 for _ in range(3)]
        self.errs = self.rng.random() < 0.15
        self.wrong = self.rng.choice(list(self.commits)[1:])
        rows = Rows("branches", "  {branch}", [{"branch": each} for each in self.branches])
        wording = self.rng.choice(self.wordings)
        asked = wording.format(subject=self.subject, branch=self.branch)
        return asked, [Fact("$ git branch\n* main", {"on": "main"}), rows]

    def _digits(self, count: int) -> list[int]:
        return self.rng.sample(range(10), count)

    def possible(self) -> list[Call]:
        """All commands with the branches and commits that there are."""
        if self.stuck:
            return [call("abort"), call("status")]
        calls = [call("status"), call("log")]
        calls += [call("switch", branch=each) for each in self.branches if each != self.at]
        if self.picked[self.at]:
            calls.append(call("reset"))
        calls += [call("push", branch=each) for each in self.branches]
        for commit in self.commits:
            calls.append(call("show", commit=commit))
            if commit not in self.picked[self.at] and self.at != "main":
                calls.append(call("pick", commit=commit))
            authors = [author for _, author, _ in self.commits.values()]
            calls += [
                call("mail", person=author, commit=commit, branch=self.branch) for author in authors
            ]
        return calls

    def do(self, wanted: Call) -> Result:
        """Run a command."""
        name = wanted.operator
        if name == "status":
            state = "you are cherry-picking" if self.stuck else "working tree clean"
            return [Fact(f"On branch {self.at}, {state}", {"on": self.at, "state": state})]
        if name == "log":
            rows = [{"commit": each, "subject": self.commits[each][0]} for each in self.log]
            return [Rows("commits", "{commit} {subject}", rows)]
        if name == "switch":
            self.at = wanted["branch"]
            return [Fact(f"Switched to branch '{self.at}'", {"on": self.at})]
        if name == "show":
            subject, author, file = self.commits[wanted["commit"]]
            text = f"commit {wanted['commit']}\nAuthor: {author}\n    {subject}\n {file} | 4 ++--"
            return [Fact(text, {"commit": wanted["commit"], "author": author, "file": file})]
        if name == "pick":
            return self._pick(wanted["commit"])
        if name == "abort":
            self.stuck = False
            return [Fact("(the pick was given up)", {"on": self.at})]
        if name == "reset":
            self.picked[self.at].pop()
            return [Fact("HEAD is one commit back", {"on": self.at})]
        right = call("mail", person=self.author, commit=self.commit, branch=self.branch)
        if name == "push":
            right = call("push", branch=self.branch)
            pushed = self.picked[self.branch] == [self.commit]
            self.end(won=wanted == right and pushed and not self.conflicts)
            return [Fact(f"To origin: {wanted['branch']} -> {wanted['branch']}", {"pushed": True})]
        self.end(won=wanted == right and self.conflicts and not any(self.picked.values()))
        return [Fact("sent", {"sent": True})]

    def _pick(self, commit: str) -> Result:
        subject, _, file = self.commits[commit]
        if commit == self.commit and self.conflicts and self.at == self.branch:
            self.stuck = True
            text = f"CONFLICT (content): Merge conflict in {file}\nerror: could not apply {commit}"
            return [Fact(text, {"conflict": file})]
        self.picked[self.at].append(commit)
        new = self.identifier("a#a##a#")
        return [Fact(f"[{self.at} {new}] {subject}", {"on": self.at, "commit": new})]

    def expert(self) -> Iterator[Call]:
        """Find the hash, switch, pick; push, or give up and tell the author."""
        first, second, third = self.looks
        if first:
            yield call("status")
        yield call("log")
        yield call("switch", branch=self.branch)
        if second:
            yield call("status")
        if self.errs:
            yield call("pick", commit=self.wrong)
            yield call("reset")
        yield call("pick", commit=self.commit)
        if self.conflicts:
            yield call("abort")
            yield call("show", commit=self.commit)
            yield call("mail", person=self.author, commit=self.commit, branch=self.branch)
            return
        if third:
            yield call("status")
        yield call("push", branch=self.branch)


class CursorApi(World):
    """A subscription is searched page by page; each page names the cursor of the next one."""

    name = "cursor-api"
    difficulty = "pages are followed by a cursor until a row is found, or until they end"
    operators = (
        Operator("first", "GET /subscriptions?limit=3", about="The first page."),
        Operator("after", "GET /subscriptions?limit=3&after={cursor}", about="A further page."),
        Operator("delete", "DELETE /subscriptions/{id}", about="Final."),
        Operator("answer", "POST /answers to={email} reason={reason}", about="Final."),
    )
    horizon = 8
    refusal = Fact('{"error": 404}', {"error": 404})

    wordings = (
        "{email} wants out. End the subscription.",
        "Please unsubscribe {email}",
        "Cancellation received from {email}, see to it.",
        "end subscription: {email}",
    )
    reasons = ("already-ended", "not-found")

    def begin(self) -> tuple[str, Result]:
        """Draw subscribers on some pages; the one that is asked for may be missing."""
        count = self.rng.randint(2, 5)
        firsts, lasts = self.draw(PEOPLE, 3 * count), self.draw(SURNAMES, 6)
        (team,) = self.draw(TEAMS)
        emails = [
            f"{first}.{self.rng.choice(lasts)}@{team}.example".lower()
            for first in (*firsts, firsts[0][:3] + "a")
        ]
        self.email = emails[0]
        kind = self.rng.choice(("active", "active", "ended", "missing"))
        rows = [
            {
                "id": self.identifier("sub_####"),
                "email": each,
                "state": self.rng.choice(("active", "active", "ended")),
            }
            for each in emails[: 3 * count]
        ]
        self.row = rows[0]
        if kind == "missing":
            self.row["email"] = emails[-1]
        else:
            self.row["state"] = kind
        self.kind = kind
        listed = self.arranged(rows, self.row)
        self.pages = [listed[at : at + 3] for at in range(0, len(listed), 3)]
        self.cursors = ["", *(self.identifier("c_a#a#") for _ in self.pages[1:])]
        self.seen = 0
        asked = self.rng.choice(self.wordings).format(email=self.email)
        return asked, [Fact("API ready: /subscriptions, /answers", {"ready": True})]

    def possible(self) -> list[Call]:
        """The pages so far and the next one; the rows that were shown."""
        rows = [row for page in self.pages[: self.seen] for row in page]
        cursors = self.cursors[1 : self.seen + 1] if self.seen else []
        return [
            call("first"),
            *(call("after", cursor=each) for each in cursors),
            *(call("delete", id=row["id"]) for row in rows),
            *(call("answer", email=self.email, reason=each) for each in self.reasons),
        ]

    def do(self, wanted: Call) -> Result:
        """Show a page, or end."""
        if wanted.operator in ("first", "after"):
            at = self.cursors.index(wanted.values.get("cursor", ""))
            self.seen = max(self.seen, at + 1)
            following = self.cursors[at + 1] if at + 1 < len(self.pages) else None
            line = '{{"id": "{id}", "email": "{email}", "state": "{state}"}}'
            end = f'"next": "{following}"' if following else '"next": null'
            return [Rows("data", line, self.pages[at]), Fact(end, {"next": following})]
        self.end(won=wanted == self._last() and self.seen >= self._needed())
        return [Fact("204" if wanted.operator == "delete" else "201", {"done": True})]

    def _needed(self) -> int:
        if self.kind == "missing":
            return len(self.pages)
        return 1 + next(at for at, page in enumerate(self.pages) if self.row in page)

    def _last(self) -> Call:
        if self.kind == "active":
            return call("delete", id=self.row["id"])
        reason = "already-ended" if self.kind == "ended" else "not-found"
        return call("answer", email=self.email, reason=reason)

    def expert(self) -> Iterator[Call]:
        """Follow the cursors, then end it, or answer why not."""
        yield call("first")
        for cursor in self.cursors[1 : self._needed()]:
            yield call("after", cursor=cursor)
        yield self._last()
