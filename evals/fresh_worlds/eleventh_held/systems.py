"""Systems: two folders, tapes, a van's checklist."""

from __future__ import annotations

from datetime import date, timedelta

from ...ladder.names import SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class DirSync(Desk):
    """Two folders are made alike: each line of a comparison says what is to be done."""

    name = "dir-sync"
    difficulty = "each row by its sign: copied, removed or left as it is"
    operators = (
        Operator("compare", "compare {source} {target}", about="How two folders differ."),
        Operator("copy", "cp {path} {target}", about="Copies a file."),
        Operator("remove", "rm {path}", about="Removes a file."),
        Operator("leave", "exit", about="Final."),
    )
    changing, irrevocable, finals = ("copy", "remove"), ("remove",), ("leave",)
    free = ("compare",)
    horizon = 10

    wordings = (
        "Make {target} like {source}.",
        "Bring {target} up to date from {source}.",
        "{target} is to hold just what {source} holds.",
    )
    stems = ("notes", "plan", "budget", "photo", "index", "readme", "draft", "list", "map")

    def begin(self) -> tuple[str, Result]:
        """Draw two folders."""
        self.source, self.target = (
            f"/{root}/{self.identifier('aaa##')}" for root in ("data", "mirror")
        )
        signs = case_of(
            self.name, self.task, ("+-=", "++-=", "+==", "-==", "~+=", "~-=", "~~=", "+~-")
        )
        stems = self.rng.sample(self.stems, len(signs))
        ends = [self.rng.choice(("txt", "pdf", "csv")) for _ in stems]
        rows: list[dict[str, Value]] = [
            {"sign": sign, "file": f"{stem}.{end}"}
            for sign, stem, end in zip(signs, stems, ends, strict=True)
        ]
        self.rows = self.arranged(rows, *(row for row in rows if row["sign"] != "="))
        copies = {
            row["file"]: call("copy", path=f"{self.source}/{row['file']}", target=self.target)
            for row in rows
        }
        removes = {row["file"]: call("remove", path=f"{self.target}/{row['file']}") for row in rows}
        plan = [call("compare", source=self.source, target=self.target)]
        for row in self.rows:
            plan += [copies[row["file"]]] if row["sign"] in ("+", "~") else []
            plan += [removes[row["file"]]] if row["sign"] == "-" else []
        self.lay_out([*plan, call("leave")], [*copies.values(), *removes.values()])
        asked = self.rng.choice(self.wordings).format(source=self.source, target=self.target)
        text = "+ only in source, - only in target, ~ differs, = alike"
        return asked, [Fact(text, {"signs": text})]

    def answer(self, wanted: Call) -> Result:
        """Compare, copy, remove or leave."""
        if wanted.operator == "compare":
            if (wanted["source"], wanted["target"]) != (self.source, self.target):
                return [Fact("no such folder", {"error": "no such folder"})]
            return [Rows("files", "{sign} {file}", self.rows)]
        return [Fact("ok", {"ok": True})]


class TapeRotate(Desk):
    """The oldest tape of a pool that is not locked is loaded, erased and labelled."""

    name = "tape-rotate"
    difficulty = "key=value rows; of those of one pool that are free the one with the least date"
    operators = (
        Operator("tapes", "tapes list", about="All tapes."),
        Operator("load", "tapes load id={tape} drive={drive}", about="Loads a tape."),
        Operator("erase", "tapes erase drive={drive}", about="Erases what is loaded."),
        Operator("label", "tapes label id={tape} job={job}", about="Final."),
    )
    changing, irrevocable, finals = ("load", "erase"), ("load",), ("label",)
    free = ("erase", "label")
    horizon = 7

    wordings = (
        "Job {job} needs a tape of pool {pool} in drive {drive}.",
        "Prepare a {pool} tape for {job}, drive {drive}.",
        "Drive {drive}: next {pool} tape, for job {job}.",
    )
    pools = ("daily", "weekly", "monthly")

    def begin(self) -> tuple[str, Result]:
        """Draw tapes."""
        job, drive = self.identifier("J####"), self.identifier("D#")
        pool = case_of(self.name, self.task, self.pools)
        tapes = distinct(lambda: self.identifier("AA####"), 9)
        days = sorted(self.rng.sample(range(900), 9))
        right = 2
        rows: list[dict[str, Value]] = []
        for place, (tape, day) in enumerate(zip(tapes, days, strict=True)):
            others = [each for each in self.pools if each != pool]
            kind = pool if place in (right, 5, 7) else self.rng.choice(others)
            locked = "yes" if self.rng.random() < 0.3 else "no"
            if place == 0:
                kind, locked = pool, "yes"
            locked = "no" if place == right else locked
            written = (date(2023, 1, 1) + timedelta(day)).isoformat()
            rows.append({"id": tape, "pool": kind, "written": written, "locked": locked})
        self.rows = self.arranged(rows, rows[right])
        loads = [call("load", tape=tape, drive=drive) for tape in tapes]
        labels = [call("label", tape=tape, job=job) for tape in tapes]
        plan = [call("tapes"), loads[right], call("erase", drive=drive), labels[right]]
        self.lay_out(plan, [*loads, *labels])
        asked = self.rng.choice(self.wordings).format(job=job, pool=pool, drive=drive)
        drives = self.rng.randint(2, 9)
        return asked, [Fact(f"library=up drives={drives}", {"drives": drives})]

    def answer(self, wanted: Call) -> Result:
        """Show, load, erase or label."""
        if wanted.operator == "tapes":
            line = "id={id} pool={pool} written={written} locked={locked}"
            return [Rows("tapes", line, self.rows)]
        return [Fact("result=ok", {"result": "ok"})]


class VanCheck(Desk):
    """A van's checklist: each point is checked; what fails is mended and checked again."""

    name = "van-check"
    difficulty = "a list of points from a page; one that fails is mended and checked again"
    operators = (
        Operator("sheet", "sheet {van}", about="The points of a van."),
        Operator("check", "check {point}", about="Checks a point."),
        Operator("mend", "mend {point}", about="Puts it right."),
        Operator("sign", "sign {van} by {driver}", about="Final."),
    )
    changing, irrevocable, finals = ("mend",), ("mend",), ("sign",)
    free = ("sheet", "check", "sign")
    horizon = 14

    wordings = (
        "Check van {van} before {driver} leaves.",
        "{driver} takes {van} today, go through its sheet.",
        "Van {van}: checklist, please. The driver is {driver}.",
    )
    points = ("tyres", "lights", "oil", "brakes", "wipers", "mirrors", "horn", "belts")

    def begin(self) -> tuple[str, Result]:
        """Draw a van, its points and which fail."""
        self.van, (driver,) = self.identifier("AA-##-AA"), self.draw(SURNAMES)
        count, bad = case_of(self.name, self.task, ((3, 0), (3, 1), (4, 1), (3, 2), (4, 2)))
        self.listed = self.rng.sample(self.points, count)
        self.bad = self.rng.sample(self.listed, bad)
        self.checked: set[str] = set()
        plan = [call("sheet", van=self.van)]
        for point in self.listed:
            check = call("check", point=point)
            plan += [check, call("mend", point=point), check] if point in self.bad else [check]
        plan.append(call("sign", van=self.van, driver=driver))
        self.lay_out(plan, [call("mend", point=point) for point in self.listed])
        asked = self.rng.choice(self.wordings).format(van=self.van, driver=driver)
        vans = self.rng.randint(5, 60)
        return asked, [Fact(f"Garage, {vans} vans", {"vans": vans})]

    def answer(self, wanted: Call) -> Result:
        """Show, check, mend or sign."""
        if wanted.operator == "sheet":
            if wanted["van"] != self.van:
                return [Fact("no such van", {"error": "no such van"})]
            return [Rows("points", "[ ] {point}", [{"point": each} for each in self.listed])]
        if wanted.operator == "check":
            point = wanted["point"]
            if point not in self.listed:
                return [Fact("not on the sheet", {"error": "not on the sheet"})]
            mended = self.times(call("mend", point=point))
            state = "worn" if point in self.bad and not mended else "fine"
            if state == "fine":
                self.checked.add(point)
            return [Fact(f"{point} {state}", {"point": point, "state": state})]
        if wanted.operator == "sign":
            self.out_of_turn |= self.checked != set(self.listed)
        return [Fact("ok", {"ok": True})]
