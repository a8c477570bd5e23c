"""Yards: a seal, an oven, a pool."""

from __future__ import annotations

from datetime import date, timedelta

from ...ladder.names import CITIES, COLOURS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class SealCheck(Desk):
    """The seal of the papers is compared with the one that a camera sees."""

    name = "seal-check"
    difficulty = "two values of two places are equal or not; both go into a report if not"
    operators = (
        Operator("papers", "yard papers --truck {truck}", about="What the papers say."),
        Operator("camera", "yard camera --truck {truck}", about="What stands on the door."),
        Operator("release", "yard release --truck {truck} --dock {dock}", about="Final."),
        Operator(
            "report",
            "yard report --truck {truck} --listed {listed} --found {found}",
            about="Tells the customs office.",
        ),
        Operator("hold", "yard hold --truck {truck}", about="Keeps a truck. Final."),
    )
    changing, irrevocable = ("report",), ("report",)
    finals, free = ("release", "hold"), ("papers", "camera", "release", "report", "hold")
    horizon = 8

    wordings = (
        "Truck {truck} is at the gate. Check its seal.",
        "Compare the seal of {truck} with its papers and let it go on if they agree.",
        "{truck} has arrived, please see to it.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a truck, its papers and a seal."""
        (self.city,), (self.driver,) = self.draw(CITIES), self.draw(SURNAMES)
        self.truck, self.dock = self.identifier("AA-###-AA"), self.identifier("D##")
        self.agree = case_of(self.name, self.task, (True, False, True, False))
        self.listed, other = distinct(lambda: self.identifier("######"), 2)
        # one digit misread is what a seal that was changed looks like at a glance
        if self.rng.random() < 0.5:
            place = self.rng.randrange(6)
            digit = str((int(self.listed[place]) + self.rng.randint(1, 9)) % 10)
            other = self.listed[:place] + digit + self.listed[place + 1 :]
        self.found = self.listed if self.agree else other
        release = call("release", truck=self.truck, dock=self.dock)
        report = call("report", truck=self.truck, listed=self.listed, found=other)
        hold = call("hold", truck=self.truck)
        plan = [call("papers", truck=self.truck), call("camera", truck=self.truck)]
        plan += [release] if self.agree else [report, hold]
        self.lay_out(plan, [release, report, hold])
        waiting = self.rng.randint(0, 9)
        asked = self.rng.choice(self.wordings).format(truck=self.truck)
        return asked, [Fact(f"yard shell, {waiting} in the queue", {"queue": waiting})]

    def answer(self, wanted: Call) -> Result:
        """Show or decide."""
        if wanted["truck"] != self.truck:
            return [Fact("yard: unknown truck", {"error": "unknown truck"})]
        if wanted.operator == "papers":
            day = (date(2026, 1, 1) + timedelta(self.rng.randint(0, 360))).isoformat()
            data: dict[str, Value] = {"from": self.city, "driver": self.driver, "loaded": day}
            data |= {"seal": self.listed, "dock": self.dock}
            return [Fact("\n".join(f"{key:<8}{value}" for key, value in data.items()), data)]
        if wanted.operator == "camera":
            sure = self.rng.randint(91, 99)
            text = f"seal on door reads {self.found} ({sure}% sure)"
            return [Fact(text, {"seal": self.found, "sure": sure})]
        return [Fact("ok", {"ok": True})]


class OvenBatch(Desk):
    """An oven is read until it is as hot as the task wants, then it is loaded."""

    name = "oven-batch"
    difficulty = "a number is read until it reaches one of the task"
    operators = (
        Operator("set", "oven.set({degrees})", ("degrees",), "How hot it is to be."),
        Operator("temp", "oven.temp()", about="How hot it is."),
        Operator("load", 'oven.load("{batch}")', about="Puts a batch in."),
        Operator("timer", "oven.timer({minutes})", ("minutes",), "Final."),
    )
    changing, irrevocable = ("set", "load"), ("load",)
    finals, free = ("timer",), ("set", "load", "timer")
    horizon = 12

    wordings = (
        "Bake {batch} at {degrees} degrees for {minutes} minutes.",
        "{batch} is next: {minutes} min, {degrees} C.",
        "Oven to {degrees} C, then {batch} goes in for {minutes} minutes.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a batch and how the oven heats up."""
        batch = self.identifier("A-##")
        degrees, minutes = self.rng.randrange(160, 265, 5), self.rng.randint(12, 70)
        polls = case_of(self.name, self.task, (0, 1, 2, 3, 4))
        cold = sorted(self.rng.sample(range(degrees - 110, degrees), polls))
        self.readings = [*cold, degrees + self.rng.randint(0, 4)]
        self.read_so_far = 0
        plan = [call("set", degrees=degrees), *[call("temp")] * len(self.readings)]
        plan += [call("load", batch=batch), call("timer", minutes=minutes)]
        self.lay_out(plan, [call("temp")])
        asked = self.rng.choice(self.wordings).format(batch=batch, degrees=degrees, minutes=minutes)
        return asked, [Fact(">>> oven\n<Oven 2, idle>", {"oven": 2, "state": "idle"})]

    def answer(self, wanted: Call) -> Result:
        """Set, read, load or end."""
        if wanted.operator == "set":
            self.made = [each for each in self.made if each.operator != "set"]
            return [Fact("heating", {"state": "heating"})]
        if wanted.operator == "temp":
            last = len(self.readings) - 1
            if not any(each.operator == "set" for each in self.made):
                return [Fact("21", {"celsius": 21})]
            reading = self.readings[min(self.read_so_far, last)]
            self.read_so_far += 1
            return [Fact(str(reading), {"celsius": reading})]
        if wanted.operator == "load" and self.read_so_far < len(self.readings):
            self.out_of_turn = True
        return [Fact("True", {"done": True})]


class PoolCheck(Desk):
    """The water of a pool is put right, dose by dose, before the pool opens."""

    name = "pool-check"
    difficulty = "check, fix, check: two numbers, each against limits that stand on the first page"
    operators = (
        Operator("measure", "measure {pool}", about="Takes a sample."),
        Operator("dose", "dose {what} into {pool}", about="acid, soda or chlorine."),
        Operator("open", "open {pool} to the public", about="Final."),
    )
    changing, irrevocable, finals = ("dose",), ("dose",), ("open",)
    free, counted = ("measure", "open"), True
    horizon = 12

    wordings = (
        "Check {pool} before it opens.",
        "Morning round: {pool}. Open it when the water is fine.",
        "{pool} opens at {hour}. See to the water.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a pool and its water."""
        (colour,) = self.draw(COLOURS)
        self.pool = f"the {colour} pool"
        cases = ((0, 0), (1, 0), (2, 0), (-1, 0), (-2, 0), (0, 1), (1, 1), (-1, 1))
        self.off, self.low = case_of(self.name, self.task, cases)
        doses = ["acid" if self.off > 0 else "soda"] * abs(self.off) + ["chlorine"] * self.low
        plan = [call("measure", pool=self.pool)]
        for what in doses:
            plan += [call("dose", what=what, pool=self.pool), call("measure", pool=self.pool)]
        plan.append(call("open", pool=self.pool))
        kinds = ("acid", "soda", "chlorine")
        self.lay_out(plan, [call("dose", what=what, pool=self.pool) for what in kinds])
        asked = self.rng.choice(self.wordings).format(pool=self.pool, hour=self.rng.randint(7, 11))
        text = "Limits: pH 7.0 to 7.6, chlorine 0.5 mg/l or more.\n"
        text += "Too high a pH: acid. Too low: soda. Little chlorine: chlorine."
        return asked, [Fact(text, {"ph_from": 7.0, "ph_to": 7.6, "chlorine_from": 0.5})]

    def answer(self, wanted: Call) -> Result:
        """Measure, dose or open."""
        if wanted["pool"] != self.pool:
            return [Fact("There is no such pool.", {"error": "no such pool"})]
        if wanted.operator == "measure":
            acid, soda, chlorine = (
                self.times(call("dose", what=what, pool=self.pool))
                for what in ("acid", "soda", "chlorine")
            )
            off = self.off - acid + soda
            tenths = self.rng.randint(70, 76)
            if off:
                near, far = (abs(off) - 1) * 4 + 1, abs(off) * 4
                by = self.rng.randint(near, far)
                tenths = 76 + by if off > 0 else 70 - by
            low = self.low > chlorine
            free = self.rng.randint(1, 4) if low else self.rng.randint(5, 15)
            data: dict[str, Value] = {"ph": tenths / 10, "chlorine": free / 10}
            data["celsius"] = self.rng.randint(22, 29)
            text = f"pH {tenths / 10}, chlorine {free / 10} mg/l, {data['celsius']} C"
            return [Fact(text, data)]
        return [Fact("Done.", {"done": True})]
