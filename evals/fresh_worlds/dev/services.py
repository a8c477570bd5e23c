"""What is done for services that run: reviews, exports, retries, rollbacks."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import PARTS, PEOPLE, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call
from ..shared import clock_times


class ChangeReview(World):
    """A change is approved once all of its files were read; one unsigned file sends it back."""

    name = "change-review"
    difficulty = "each item of a list is looked at, as long as all is well; a state is new"
    operators = (
        Operator("open", "open change {change}", about="Show a change and its files."),
        Operator("read", "read {file}", about="Show a file's head."),
        Operator("approve", "approve change {change}", about="Final."),
        Operator("back", "send change {change} back because of {file}", about="Final."),
    )
    horizon = 9
    abstaining = True

    def begin(self) -> tuple[str, Result]:
        """Draw changes, files, and what is wrong with one of them."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        self.changes = list(dict.fromkeys(self.identifier("CR-####") for _ in range(3)))
        self.change = self.changes[0]
        stems = self.draw(PARTS, self.rng.randint(2, 5))
        ends = ("py", "sql", "yaml", "md")
        self.files = [f"{stem.replace(' ', '_')}.{self.rng.choice(ends)}" for stem in stems]
        people = self.draw(PEOPLE, 4)
        self.heads = {file: f"signed by {self.rng.choice(people)}" for file in self.files}
        self.bad = ""
        if self.unsettled:
            self.heads[self.rng.choice(self.files)] = f"locked by {people[0]}"
        elif self.rng.random() < 0.5:
            self.bad = self.rng.choice(self.files)
            self.heads[self.bad] = "not signed"
        self.seen: set[str] = set()
        names = " ".join(self.arranged(self.changes, self.change))
        return f"Review {self.change}.", [Fact(f"waiting: {names}", {"waiting": names})]

    def possible(self) -> list[Call]:
        """Every change, every file."""
        calls = [call(n, change=each) for n in ("open", "approve") for each in self.changes]
        calls += [call("read", file=each) for each in self.files]
        return [*calls, *(call("back", change=self.change, file=each) for each in self.files)]

    def do(self, wanted: Call) -> Result:
        """Show, or end."""
        if wanted.operator == "open":
            change = wanted["change"]
            files = self.files if change == self.change else []
            head = Fact(f"{change}: {len(files)} files changed", {"change": change})
            return [head, Rows("files", " M {file}", [{"file": each} for each in files])]
        if wanted.operator == "read":
            file = wanted["file"]
            self.seen.add(file)
            head_line = self.heads[file]
            self.met = self.met or head_line.startswith("locked")
            state, _, person = head_line.partition(" by ")
            data: dict[str, Value] = {"file": file, "state": state}
            return [Fact(f"-- {file} -- {head_line}", data | ({"by": person} if person else {}))]
        if wanted.operator == "approve":
            right = wanted["change"] == self.change and self.seen == set(self.files)
            right = right and not self.bad
        else:
            right = wanted["file"] == self.bad and self.bad in self.seen
        self.end(won=right and not self.unsettled)
        return [Fact("Noted.", {"noted": True})]

    def expert(self) -> Iterator[Call]:
        """Open, read until a file is not signed; approve, or send back."""
        yield call("open", change=self.change)
        for file in self.files:
            yield call("read", file=file)
            if file == self.bad:
                yield call("back", change=self.change, file=file)
                return
        yield call("approve", change=self.change)


class ExportJob(World):
    """An export takes its time; its state is asked for until the file is there."""

    name = "export-job"
    difficulty = "a job is waited for, then its file is taken; a job may stop"
    operators = (
        Operator("start", "POST /exports/{team}", about="Start an export."),
        Operator("status", "GET /jobs/{job}", about="Tell how far a job is."),
        Operator("download", "GET /files/{file}", about="Final."),
    )
    horizon = 9
    abstaining = True

    def begin(self) -> tuple[str, Result]:
        """Draw how long the job takes, and whether it stops."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        self.teams = self.draw(TEAMS, 3)
        self.team = self.teams[0]
        self.job = self.identifier("#####")
        self.files = [f"{self.identifier('aaaa####')}.csv" for _ in range(3)]
        self.waits = self.rng.randint(0, 4)
        self.polls = 0
        self.started = ""
        rows = [
            {"file": f, "team": t}
            for f, t in zip(self.files[1:], self.rng.sample(self.teams, 2), strict=True)
        ]
        asked = f"Fetch a new export of {self.team}."
        return asked, [Rows("old_files", "-rw-r--r-- {file}  ({team}, old)", rows)]

    def possible(self) -> list[Call]:
        """Every team; the job, once there is one; every file."""
        calls = [call("start", team=each) for each in self.teams]
        calls += [call("status", job=self.job)] if self.started else []
        ready = self.files if self.started and self.polls > self.waits else self.files[1:]
        return [*calls, *(call("download", file=each) for each in ready)]

    def do(self, wanted: Call) -> Result:
        """Start, tell, or end."""
        if wanted.operator == "start":
            self.started, self.polls = wanted["team"], 0
            text = f'HTTP/1.1 202 Accepted\n{{"job": {self.job}}}'
            return [Fact(text, {"status": 202, "job": int(self.job)})]
        if wanted.operator == "status":
            self.polls += 1
            return [self._state()]
        right = self.started == self.team and wanted["file"] == self.files[0]
        self.end(won=right and not self.unsettled)
        return [Fact("HTTP/1.1 200 OK", {"status": 200})]

    def _state(self) -> Fact:
        left = self.waits + 1 - self.polls
        if left > 0:
            state, more = ("queued", left) if left > 2 else ("running", 100 - 30 * left)
            word = "before" if state == "queued" else "percent"
            text = f'HTTP/1.1 200 OK\n{{"state": "{state}", "{word}": {more}}}'
            return Fact(text, {"state": state, word: more})
        if self.unsettled:
            self.met = True
            text = 'HTTP/1.1 200 OK\n{"state": "stopped", "cause": "quota"}'
            return Fact(text, {"state": "stopped", "cause": "quota"})
        text = f'HTTP/1.1 200 OK\n{{"state": "done", "file": "{self.files[0]}"}}'
        return Fact(text, {"state": "done", "file": self.files[0]})

    def expert(self) -> Iterator[Call]:
        """Start, ask until it is done, download."""
        yield call("start", team=self.team)
        for _ in range(self.waits + 1):
            yield call("status", job=self.job)
        yield call("download", file=self.files[0])


class ThirdFailure(World):
    """A job is run again; after the third failure whoever is on call is told."""

    name = "third-failure"
    difficulty = "the third failure of the same kind leads elsewhere; a success does at once"
    operators = (
        Operator("run", "rerun {job}", about="Run a job again."),
        Operator("close", "close the ticket of {job}", about="Final."),
        Operator("page", "page {person} about {job}", about="Final."),
    )
    horizon = 6
    tries = 3

    def begin(self) -> tuple[str, Result]:
        """Draw jobs, who is on call, and which run succeeds if any does."""
        self.jobs = [f"nightly-{part.replace(' ', '-')}" for part in self.draw(PARTS, 3)]
        self.job = self.jobs[0]
        self.people = self.draw(PEOPLE, 3)
        self.good = self.rng.choice((1, 2, 3, 0, 0))
        self.runs = 0
        self.ended = False
        duty, second, asker = self.people
        text = f"#ops-night  on call: {duty} (until 6:00), then {second}\n"
        text += f"#ops-night  {asker}: {self.job} is red again"
        first = Fact(text, {"on_call": duty, "then": second, "reported_by": asker})
        return f"Look after {self.job} tonight.", [first]

    def possible(self) -> list[Call]:
        """Every job; everybody."""
        calls = [call(n, job=each) for n in ("run", "close") for each in self.jobs]
        return [*calls, *(call("page", person=each, job=self.job) for each in self.people)]

    def do(self, wanted: Call) -> Result:
        """Run, or end."""
        job = wanted["job"]
        if wanted.operator == "run":
            self.runs += job == self.job
            self.ended = self.ended or (job == self.job and self.runs == self.good)
            code = 0 if self.ended and job == self.job else 1
            seconds = self.rng.randint(5, 90)
            text = f"[{job}] exit code {code} after {seconds} s"
            return [Fact(text, {"job": job, "exit_code": code, "seconds": seconds})]
        if wanted.operator == "close":
            self.end(won=job == self.job and self.ended)
        else:
            enough = self.runs == self.tries and not self.ended
            self.end(won=enough and wanted["person"] == self.people[0])
        return [Fact("ok", {"ok": True})]

    def expert(self) -> Iterator[Call]:
        """Run until it succeeds or failed for the third time."""
        for _ in range(self.good or self.tries):
            yield call("run", job=self.job)
        if self.good:
            yield call("close", job=self.job)
        else:
            yield call("page", person=self.people[0], job=self.job)


class RollbackTime(World):
    """Of a service's releases the last one before the alarm is taken back."""

    name = "rollback-time"
    difficulty = "of the rows of one kind the last one before the task's time counts"
    operators = (
        Operator("log", "show the deployments", about="Show what was deployed today."),
        Operator("back", "roll back {release}", about="Final."),
    )
    horizon = 4

    def begin(self) -> tuple[str, Result]:
        """Draw a day's deployments of three services, and an alarm among them."""
        services = self.draw(PARTS, 3)
        times = clock_times(self.rng, 12)
        alarm = self.rng.randrange(4, 10)
        owners = [self.rng.choice(services) for _ in times]
        right = self.rng.randrange(1, alarm)
        owners[right + 1 : alarm] = self.rng.choices(services[1:], k=alarm - right - 1)
        owners[right], owners[-1] = services[0], services[0]
        self.rows: list[dict[str, Value]] = [
            {"time": time, "service": owner, "release": self.identifier("r#####")}
            for time, owner in zip(times, owners, strict=True)
        ]
        self.release = str(self.rows[right]["release"])
        at = self.rows.pop(alarm)["time"]
        asked = f"{services[0]} has thrown errors since {at}. Undo the release that did it."
        names = ", ".join(sorted(services))
        return asked, [Fact(f"deployctl 2.7 ({names})", {"services": names})]

    def possible(self) -> list[Call]:
        """The log; every release."""
        return [call("log"), *(call("back", release=row["release"]) for row in self.rows)]

    def do(self, wanted: Call) -> Result:
        """Show, or end."""
        if wanted.operator == "back":
            self.end(won=wanted["release"] == self.release)
            return [Fact("rolled back", {"rolled_back": wanted["release"]})]
        return [Rows("deployments", "{time} deploy {service}@{release} ok", self.rows)]

    def expert(self) -> Iterator[Call]:
        """Show the log, roll back."""
        yield call("log")
        yield call("back", release=self.release)
