"""Nested prints and logs: a value of one environment goes into another; how long a job took."""

from __future__ import annotations

from ...ladder.names import PARTS, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk


class YamlMemory(Desk):
    """A service's memory in production is set to what it has in staging, if they differ."""

    name = "yaml-memory"
    difficulty = "the same key stands in a nested print four times; two headings above say whose"
    operators = (
        Operator("cat", "cat deploy/values.yaml", about="Print the file."),
        Operator("set", "yq -i '.{env}.{service}.memory = \"{value}\"' deploy/values.yaml"),
        Operator("commit", "git commit -am {message}", about="Final."),
        Operator("nothing", "echo nothing to do", about="Nothing differs. Final."),
    )
    changing, finals, free = ("set",), ("commit", "nothing"), ("set", "commit")
    horizon = 6

    wordings = (
        "Give {service} in production the memory it has in staging.",
        "production: {service} should have as much memory as in staging. Commit it.",
        "Please align the memory of {service} (production) with staging.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a file of two environments with two services each."""
        services = [each.replace(" ", "-") for each in self.draw(PARTS, 2)]
        sizes = ("256Mi", "384Mi", "512Mi", "768Mi", "1Gi", "2Gi")
        same = self.rng.random() < 0.25
        self.service = services[self.rng.randrange(2)]
        self.values = {e: self.rng.sample(sizes, 2) for e in ("staging", "production")}
        at = services.index(self.service)
        wanted = self.values["staging"][at]
        others = [each for each in sizes if each != wanted]
        self.values["production"][at] = wanted if same else self.rng.choice(others)
        lines = ["# rendered by helm", "registry: eu.registry.example"]
        data: dict[str, Value] = {"registry": "eu.registry.example"}
        for env, memory in self.values.items():
            lines += [f"{env}:", f"  region: {self.rng.choice(('eu-1', 'eu-2'))}"]
            for service, size in zip(services, memory, strict=True):
                tag = f"{self.rng.randint(1, 9)}.{self.rng.randint(0, 30)}"
                lines += [f"  {service}:", f"    image: {service}:{tag}"]
                lines += [f"    replicas: {self.rng.randint(1, 6)}", f"    memory: {size}"]
                data[f"{env}.{service}.image"] = f"{service}:{tag}"
                data[f"{env}.{service}.memory"] = size
        self.text, self.data = "\n".join(lines), data
        change = call("set", env="production", service=self.service, value=wanted)
        message = call("commit", message=f"{self.service}: memory {wanted}")
        offered = [
            call("set", env=env, service=each, value=size)
            for env, memory in self.values.items()
            for each in services
            for size in memory
        ]
        offered += [call("cat"), message, call("nothing")]
        self.lay_out([call("cat"), *([call("nothing")] if same else [change, message])], offered)
        asked = self.rng.choice(self.wordings).format(service=self.service)
        return asked, [Fact("~/infra (main)", {"cwd": "~/infra"})]

    def answer(self, wanted: Call) -> Result:
        """Print, set, or end."""
        if wanted.operator == "cat":
            return [Fact(self.text, self.data)]
        if wanted.operator == "set":
            return [Fact("(no output)", {"exit_code": 0})]
        return [Fact("1 file changed", {"exit_code": 0})]


class JobDuration(Desk):
    """A job's time from its start to its end is told; a warning of it is passed on first."""

    name = "job-duration"
    difficulty = "two lines of the task's job among others give a duration; only its WARN counts"
    operators = (
        Operator("log", "tail -n 20 /var/log/batch/{date}.log", about="The log of a day."),
        Operator("warn", "notify {team} about {job}", about="Tell the owners."),
        Operator("record", "record {job} took {duration}", about="Final."),
    )
    changing, finals, free = ("warn",), ("record",), ("record",)
    horizon = 6

    wordings = (
        "How long did {job} run on {date}? Owner: {team}.",
        "Record the run time of {job} ({date}). If it warned, {team} wants to know.",
        "{team} asks: what did {job} take on {date}? Record it, thank you.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw three jobs that run one into the other."""
        jobs = [
            f"{each.replace(' ', '_')}_{self.rng.choice(('load', 'sync'))}"
            for each in self.draw(PARTS, 3)
        ]
        team, other = self.draw(TEAMS, 2)
        self.job = jobs[0]
        self.date = f"2024-{self.rng.randint(1, 12):02}-{self.rng.randint(1, 28):02}"
        lines: list[tuple[int, str, str, str]] = []
        warned = False
        for job in jobs:
            start = self.rng.randint(3600, 5 * 3600)
            end = start + self.rng.randint(40, 2 * 3600)
            lines += [(start, "INFO", job, "started"), (end, "INFO", job, "finished")]
            if self.rng.random() < 0.5:
                middle = self.rng.randint(start + 1, end - 1)
                lines.append((middle, "WARN", job, "slow input"))
                warned = warned or job == self.job
            if job == self.job:
                took = end - start
        lines.sort()
        self.rows: list[dict[str, Value]] = [
            {"time": _clock(at), "level": level, "job": job, "message": message}
            for at, level, job, message in lines
        ]
        record = call("record", job=self.job, duration=_clock(took))
        warn = [call("warn", team=each, job=self.job) for each in (team, other)]
        near = [call("record", job=self.job, duration=_clock(took + n)) for n in (60, 1, -30)]
        self.lay_out(
            [call("log", date=self.date), *(warn[:1] if warned else []), record], [*warn, *near]
        )
        names = {"job": self.job, "date": self.date, "team": team}
        return self.rng.choice(self.wordings).format(**names), [
            Fact("ops@batch:~$", {"host": "batch"})
        ]

    def answer(self, wanted: Call) -> Result:
        """Show the log, notify, or record."""
        if wanted.operator == "log":
            line = f"{self.date}T{{time}}Z {{level}} [{{job}}] {{message}}"
            return [Rows("lines", line, self.rows)]
        return [Fact("ok", {"ok": True})]


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
