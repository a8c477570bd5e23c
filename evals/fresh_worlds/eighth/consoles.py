"""Consoles: a probe, a rollout, a printer, a release."""

from __future__ import annotations

from typing import ClassVar

from ...ladder.names import CITIES, COLOURS, PARTS, PEOPLE, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import clock_times


class ProbeLog(Desk):
    """Where a sample stands is asked, the slot is measured, one of the values is logged."""

    name = "probe-log"
    difficulty = "a slot leads to three values; the task's word says which of them is logged"
    operators = (
        Operator("find", "FIND {sample}", about="Where a sample stands."),
        Operator("measure", "MEAS? {slot}", ("slot",), "Measures a slot."),
        Operator("log", "LOG {sample} {value}", about="Final."),
    )
    finals, free = ("log",), ("find", "measure", "log")
    horizon = 6

    wordings = (
        "Log the {quantity} of sample {sample}.",
        "Sample {sample}: measure and log {quantity}.",
        "We need the {quantity} of {sample} in the log.",
    )
    keys: ClassVar[dict[str, str]] = {
        "acidity": "PH",
        "temperature": "TEMP",
        "conductivity": "COND",
    }

    def begin(self) -> tuple[str, Result]:
        """Draw a sample and what is measured."""
        self.sample, self.slot = self.identifier("AA-####"), str(self.rng.randint(1, 24))
        quantity = case_of(self.name, self.task, tuple(self.keys))
        self.values: dict[str, Value] = {
            "PH": f"{self.rng.randint(410, 999) / 100:.2f}",
            "TEMP": f"{self.rng.randint(150, 399) / 10:.1f}",
            "COND": str(self.rng.randint(200, 1900)),
        }
        logs = {key: call("log", sample=self.sample, value=v) for key, v in self.values.items()}
        plan = [call("find", sample=self.sample), call("measure", slot=self.slot)]
        others = [call("measure", slot=n) for n in (3, 7) if str(n) != self.slot]
        others += [call("log", sample=self.sample, value=n) for n in (self.slot, "7.0")]
        self.lay_out([*plan, logs[self.keys[quantity]]], [*logs.values(), *others])
        asked = self.rng.choice(self.wordings).format(quantity=quantity, sample=self.sample)
        (time,) = clock_times(self.rng, 1)
        return asked, [Fact(f"MULTIPROBE 3.1 READY {time}", {"state": "ready", "time": time})]

    def answer(self, wanted: Call) -> Result:
        """Find, measure or log."""
        if wanted.operator != "measure" and wanted["sample"] != self.sample:
            return [Fact("ERR 21 NO SUCH SAMPLE", {"error": "no such sample"})]
        if wanted.operator == "find":
            return [Fact(f"{self.sample}: SLOT {self.slot}", {"slot": int(self.slot)})]
        if wanted.operator == "measure":
            if wanted["slot"] != self.slot:
                return [Fact("ERR 30 SLOT EMPTY", {"error": "slot empty"})]
            text = "; ".join(f"{key} {value}" for key, value in self.values.items())
            return [Fact(text, self.values)]
        return [Fact("LOGGED", {"logged": True})]


class CanaryRollout(Desk):
    """A version is tried on a few; its state is asked until it is known, then on or back."""

    name = "canary-rollout"
    difficulty = "a loop until a state; one of two ends, the longer with a team that is told late"
    operators = (
        Operator("start", "rollout start {service} --version {version}", about="On a few hosts."),
        Operator("status", "rollout status {service}", about="How they do."),
        Operator("promote", "rollout promote {service}", about="To all hosts. Final."),
        Operator("undo", "rollout undo {service}", about="Back to what was before."),
        Operator("tell", "notify {team} --failed {service}@{version}", about="Final."),
    )
    changing, irrevocable = ("start", "undo"), ("undo",)
    finals, free = ("promote", "tell"), ("tell",)
    horizon = 14

    wordings = (
        "Roll out {service} {version}.",
        "{version} of {service} is ready to go out. Canary first.",
        "Please ship {service}, version {version}, and keep an eye on it.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a service and how it goes."""
        (part,), teams = self.draw(PARTS), self.draw(TEAMS, 2)
        self.service, self.team = f"{part.replace(' ', '-')}-svc", teams[0]
        self.version = (
            f"{self.rng.randint(1, 9)}.{self.rng.randint(0, 30)}.{self.rng.randint(0, 9)}"
        )
        cases = tuple((healthy, polls) for healthy in (True, False) for polls in (0, 1, 2, 3))
        self.healthy, self.polls = case_of(self.name, self.task, cases)
        plan = [call("start", service=self.service, version=self.version)]
        plan += [call("status", service=self.service)] * (self.polls + 1)
        promote, undo = (call(each, service=self.service) for each in ("promote", "undo"))
        told = [call("tell", team=t, service=self.service, version=self.version) for t in teams]
        plan += [promote] if self.healthy else [undo, told[0]]
        self.started = False
        self.lay_out(plan, [promote, undo, *told])
        asked = self.rng.choice(self.wordings).format(service=self.service, version=self.version)
        return asked, [Fact("ops@bastion:~$", {"host": "bastion"})]

    def answer(self, wanted: Call) -> Result:
        """Start, tell the state or end."""
        if wanted.operator == "start":
            self.started = True
            hosts = self.rng.randint(2, 9)
            return [Fact(f"canary on {hosts} hosts", {"hosts": hosts})]
        if not self.started:
            return [Fact("error: no rollout in progress", {"error": "no rollout"})]
        if wanted.operator == "status":
            if self.polls:
                self.polls -= 1
                share = self.rng.randint(10, 95)
                text = f"{self.service}: warming up ({share} % ready)"
                return [Fact(text, {"state": "warming up", "ready": share})]
            state = "healthy" if self.healthy else "degraded"
            rate = self.rng.randint(0, 9) / 10 + (0 if self.healthy else 3)
            text = f"{self.service}: {state}, error rate {rate:.1f} %"
            return [Fact(text, {"state": state, "error_rate": rate})]
        if self.polls:
            self.out_of_turn = True
        if wanted.operator == "undo":
            return [Fact(f"rolled back. owner: {self.team}", {"owner": self.team})]
        return [Fact("done", {"done": True})]


class PrinterMenu(Desk):
    """What a printer reports is put right from its menu, until it reports that it is ready."""

    name = "printer-menu"
    difficulty = "check, fix, check: each fault has its number in a menu, one to three of them"
    operators = (
        Operator("check", "check {printer}", about="What it reports."),
        Operator("press", "press {key}", ("key",), "A number of the menu."),
        Operator("close", "close {ticket}", about="Final."),
    )
    changing, irrevocable, finals = ("press",), ("press",), ("close",)
    horizon = 12

    wordings = (
        "Ticket {ticket}: printer {printer} does not print.",
        "{person} cannot print on {printer} ({ticket}).",
        "Get {printer} going again and close {ticket}.",
    )
    faults: ClassVar[dict[str, str]] = {
        "paper jam": "1",
        "toner empty": "2",
        "queue stuck": "3",
        "cover open": "4",
    }

    def begin(self) -> tuple[str, Result]:
        """Draw a printer and its faults."""
        (colour,), (person,), (city,) = self.draw(COLOURS), self.draw(PEOPLE), self.draw(CITIES)
        self.printer, self.ticket = f"{city.lower()}-{colour}", self.identifier("INC####")
        count = case_of(self.name, self.task, (1, 1, 2, 3))
        self.queue = self.rng.sample(tuple(self.faults), count)
        check = call("check", printer=self.printer)
        plan = [check]
        for fault in self.queue:
            plan += [call("press", key=self.faults[fault]), check]
        plan.append(call("close", ticket=self.ticket))
        self.lay_out(plan, [call("press", key=key) for key in self.faults.values()])
        asked = self.rng.choice(self.wordings).format(
            ticket=self.ticket, printer=self.printer, person=person
        )
        text = "MENU  1 eject paper  2 change toner  3 clear queue  4 latch cover"
        return asked, [Fact(text, {"menu": text})]

    def answer(self, wanted: Call) -> Result:
        """Report, fix or close."""
        if wanted.operator == "check":
            left = [f for f in self.queue if not self.times(call("press", key=self.faults[f]))]
            pages = self.rng.randint(1_000, 90_000)
            state = left[0] if left else "ready"
            text = f"{self.printer} / pages {pages} / {state.upper()}"
            return [Fact(text, {"pages": pages, "state": state.upper()})]
        return [Fact("OK", {"ok": True})]


class ReleaseSteps(Desk):
    """Services are changed in the order of their step numbers; some are restarted too."""

    name = "release-steps"
    difficulty = "all rows in the order of a column, an optional step after each"
    operators = (
        Operator("runbook", "runbook {release}", about="What a release changes."),
        Operator("apply", "apply {service}", about="Changes a service."),
        Operator("restart", "restart {service}", about="Stops and starts it."),
        Operator("close", "close release {release}", about="Final."),
    )
    changing, irrevocable, finals = ("apply", "restart"), ("apply", "restart"), ("close",)
    counted = True
    horizon = 14

    wordings = (
        "Carry out release {release}.",
        "Release {release} is due tonight, please work through its runbook.",
        "Work through the runbook of {release}, step by step.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a release."""
        self.release = self.identifier("REL-###")
        count = case_of(self.name, self.task, (2, 3, 3, 4))
        services = [part.replace(" ", "-") for part in self.draw(PARTS, count)]
        self.rows: list[dict[str, Value]] = [
            {"service": service, "step": n, "restart": self.rng.choice(("yes", "no"))}
            for n, service in enumerate(services, 1)
        ]
        plan = [call("runbook", release=self.release)]
        for row in self.rows:
            plan.append(call("apply", service=row["service"]))
            if row["restart"] == "yes":
                plan.append(call("restart", service=row["service"]))
        close = call("close", release=self.release)
        offered = [call(o, service=s) for o in ("apply", "restart") for s in services]
        self.turns = [each for each in plan if each.operator in self.changing]
        self.lay_out([*plan, close], offered)
        self.shown = self.arranged(self.rows)
        asked = self.rng.choice(self.wordings).format(release=self.release)
        (time,) = clock_times(self.rng, 1)
        return asked, [Fact(f"[{time}] shift log opened", {"time": time})]

    def answer(self, wanted: Call) -> Result:
        """Show, change or close."""
        if wanted.operator == "runbook":
            line = "| {service} | {step} | {restart} |"
            head = f"{self.release}\n| service | step | restart |\n|---------|------|---------|"
            return [Fact(head), Rows("services", line, self.shown)]
        if wanted.operator == "close":
            return [Fact("closed", {"closed": True})]
        place = len(self.made)
        if place >= len(self.turns) or self.turns[place] != wanted:
            self.out_of_turn = True
        (time,) = clock_times(self.rng, 1)
        rows = self.rng.randint(0, 400)
        said = f"{rows} rows migrated" if wanted.operator == "apply" else "up again"
        return [Fact(f"[{time}] {wanted['service']}: {said}", {"time": time, "said": said})]
