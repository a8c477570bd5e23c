"""Stations: frames for pictures, water of an aquarium, porters of a hospital."""

from __future__ import annotations

from ...ladder.names import PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class FrameCounter(Desk):
    """A picture gets the narrowest frame that takes it, by its kind a pane; or one is made."""

    name = "frame-counter"
    difficulty = "the smallest that is large enough; a pane by a table of kinds; or none is"
    operators = (
        Operator("picture", "measure picture {picture}", about="Width and kind."),
        Operator("frames", "frames in {colour}", about="Frames of a colour."),
        Operator("take", "take frame {frame}", about="From the shelf."),
        Operator("pane", "cut {pane} for {picture}", about="By the table."),
        Operator("mount", "mount {picture}", about="Final."),
        Operator("make", "have a frame made for {picture}", about="Final: all are too narrow."),
    )
    changing, irrevocable, finals = ("take", "pane"), ("take", "pane"), ("mount", "make")
    free = ("picture", "frames", "take", "pane", "mount", "make")
    horizon = 8

    wordings = (
        "Frame picture {picture} in {colour}.",
        "{person} wants {picture} in {colour}.",
        "Picture {picture} needs a frame; the colour is {colour}.",
    )
    colours = ("oak", "walnut", "black", "white", "gold", "silver", "ash", "cherry")
    kinds = ("watercolour", "photograph", "etching", "poster", "pastel")
    panes = ("clear glass", "museum glass", "acrylic", "matt glass")

    def begin(self) -> tuple[str, Result]:
        """Draw a picture and the frames of the shop."""
        some = case_of(self.name, self.task, (True, True, True, False))
        self.picture, (person,) = self.identifier("P-####"), self.draw(SURNAMES)
        self.colour, self.width = self.rng.choice(self.colours), self.rng.randint(30, 120)
        kinds, panes = self.rng.sample(self.kinds, 3), self.rng.sample(self.panes, 3)
        self.kind = kinds[0]
        table: list[dict[str, Value]] = [
            {"kind": kind, "pane": pane} for kind, pane in zip(kinds, panes, strict=True)
        ]
        names = distinct(lambda: self.identifier("F###"), 5)
        narrow = [self.width - each for each in self.rng.sample(range(1, 25), 5)]
        wide = [self.width + each for each in self.rng.sample(range(1, 40), 3)]
        widths = [*wide, *narrow[:2]] if some else narrow
        rows: list[dict[str, Value]] = [
            {"frame": name, "width": width} for name, width in zip(names, widths, strict=True)
        ]
        best = widths.index(min(wide)) if some else 0
        self.rows = self.arranged(rows, rows[best])
        takes = [call("take", frame=name) for name in names]
        cuts = [call("pane", pane=pane, picture=self.picture) for pane in panes]
        mount, make = call("mount", picture=self.picture), call("make", picture=self.picture)
        plan = [call("picture", picture=self.picture), call("frames", colour=self.colour)]
        plan += [takes[best], cuts[0], mount] if some else [make]
        self.lay_out(plan, [*takes, *cuts, mount, make])
        asked = self.rng.choice(self.wordings).format(
            picture=self.picture, colour=self.colour, person=person
        )
        return asked, [Rows("panes", "{kind}: {pane}", self.arranged(table))]

    def answer(self, wanted: Call) -> Result:
        """Show, take, cut or end."""
        values = wanted.values
        if (values.get("picture", self.picture), values.get("colour", self.colour)) != (
            self.picture,
            self.colour,
        ):
            return [Fact("we do not have that", {"error": "not here"})]
        if wanted.operator == "picture":
            text = f"{self.kind}, {self.width} cm wide"
            return [Fact(text, {"kind": self.kind, "width": self.width})]
        if wanted.operator == "frames":
            return [Rows("frames", "{frame} ... takes up to {width} cm", self.rows)]
        if wanted.operator == "take" and wanted["frame"] not in [r["frame"] for r in self.rows]:
            return [Fact("we do not have that", {"error": "not here"})]
        return [Fact("done", {"done": True})]


class AquariumTests(Desk):
    """Water is changed until the nitrate is low enough; heat and sick fish are seen to."""

    name = "aquarium-tests"
    difficulty = "a limit that is looked up; change and test again; two further conditions"
    operators = (
        Operator("plate", "read the plate of tank {tank}", about="What a tank holds."),
        Operator("test", "test tank {tank}", about="The water."),
        Operator("change", "change a third of tank {tank}", about="Less nitrate."),
        Operator("heater", "set the heater of {tank} to {degrees}", ("degrees",), "By the plate."),
        Operator("vet", "call the vet for tank {tank}", about="Final: fish are sick."),
        Operator("sign", "sign the sheet of {tank}", about="Final."),
    )
    changing, irrevocable, finals = ("change", "heater"), ("heater",), ("vet", "sign")
    free = ("plate", "test", "change", "heater", "vet", "sign")
    counted = True
    horizon = 12

    wordings = (
        "Tank {tank} is due today.",
        "Look after tank {tank}.",
        "Do the weekly care of {tank}, please.",
    )
    fish = ("neons", "guppies", "discus", "cichlids", "barbs", "rays")

    def begin(self) -> tuple[str, Result]:
        """Draw a tank and its water."""
        cases = (
            *((0, False), (0, True), (1, False), (1, True), (2, False), (2, True)),
            *((-1, False), (-1, True)),
        )
        changes, cold = case_of(self.name, self.task, cases)
        self.tank, self.kind = self.identifier("A##"), self.rng.choice(self.fish)
        self.limit, self.wanted = self.rng.randint(20, 40), self.rng.randint(22, 29)
        sick = changes < 0
        self.look = "sick" if sick else self.rng.choice(("lively", "calm"))
        self.degrees = self.wanted - self.rng.randint(1, 5) * cold
        low, over = self.rng.randint(5, self.limit), self.limit + self.rng.randint(2, 9)
        self.nitrate = [over + self.rng.randint(12, 30), over, low][2 - max(changes, 0) :]
        plate, test, change, vet, sign = (
            call(each, tank=self.tank) for each in ("plate", "test", "change", "vet", "sign")
        )
        heaters = [
            call("heater", tank=self.tank, degrees=self.wanted + each) for each in (-2, -1, 0, 1)
        ]
        plan = [plate, test, *[change, test] * max(changes, 0), *[heaters[2]] * cold, sign]
        self.lay_out([plate, test, vet] if sick else plan, [change, *heaters, vet, sign])
        asked = self.rng.choice(self.wordings).format(tank=self.tank)
        text = f"Water outside: {self.rng.randint(8, 16)} degrees."
        return asked, [Fact(text, {"note": text})]

    def answer(self, wanted: Call) -> Result:
        """Show, test, mend or end."""
        if wanted["tank"] != self.tank:
            return [Fact("No such tank.", {"error": "no such tank"})]
        if wanted.operator == "plate":
            text = f"{self.kind.capitalize()}. Keep at {self.wanted} degrees, "
            text += f"nitrate at most {self.limit} mg."
            data: dict[str, Value] = {"fish": self.kind, "keep_at": self.wanted}
            return [Fact(text, data | {"nitrate_at_most": self.limit})]
        if wanted.operator == "test":
            text = f"nitrate {self.nitrate[0]} mg / {self.degrees} degrees / fish {self.look}"
            data = {"nitrate": self.nitrate[0], "degrees": self.degrees, "fish": self.look}
            return [Fact(text, data)]
        if wanted.operator == "change":
            self.nitrate = self.nitrate[1:] or self.nitrate
        return [Fact("Done.", {"done": True})]


class PorterBoard(Desk):
    """The urgent job is taken, else the oldest; a mask and a vehicle go by the patient's sheet."""

    name = "porter-board"
    difficulty = "one row by a word, else the earliest; then a sheet decides what is fetched"
    operators = (
        Operator("board", "board {wing}", about="Jobs of a wing."),
        Operator("sheet", "sheet {patient}", about="How a patient moves."),
        Operator("take", "take job {job}", about="Takes it on."),
        Operator("mask", "put on a mask", about="Where a patient is isolated."),
        Operator("fetch", "fetch a {vehicle}", about="A wheelchair or a bed."),
        Operator("bring", "bring {patient} to {place}", about="Final."),
        Operator("rest", "report {wing} quiet", about="Final: there is no job."),
    )
    changing, irrevocable = ("take", "mask", "fetch"), ("take", "fetch")
    finals = ("bring", "rest")
    free = ("board", "sheet", "take", "mask", "fetch", "bring", "rest")
    horizon = 9

    wordings = (
        "You are the porter of {wing}.",
        "What is next in {wing}? Do it.",
        "{wing} needs a porter.",
    )
    places = ("X-ray", "theatre", "dialysis", "ward 3", "the gym", "discharge", "the lab")

    def begin(self) -> tuple[str, Result]:
        """Draw jobs and patients."""
        cases = (
            *(("urgent", "bed"), ("oldest", "chair"), ("urgent", "chair"), ("oldest", "bed")),
            *(("oldest", "walks"), ("urgent", "walks"), ("quiet", "")),
        )
        kind, moves = case_of(self.name, self.task, cases)
        self.wing, patients = f"wing {self.identifier('A##')}", self.draw(PEOPLE, 4)
        jobs = distinct(lambda: self.identifier("J###"), 4)
        minutes = self.rng.sample(range(420, 1000), 4)
        level = ["routine"] * 4
        best = minutes.index(min(minutes))
        if kind == "urgent":
            best = self.rng.choice([i for i in range(4) if i != best])
            level[best] = "urgent"
        places = self.rng.sample(self.places, 4)
        rows: list[dict[str, Value]] = [
            {
                "job": job,
                "patient": patient,
                "to": place,
                "called": f"{minute // 60:02}:{minute % 60:02}",
                "level": each,
            }
            for job, patient, place, minute, each in zip(
                jobs, patients, places, minutes, level, strict=True
            )
        ]
        self.rows = [] if kind == "quiet" else self.arranged(rows, rows[best])
        self.sheets: dict[str, dict[str, Value]] = {
            patient: {
                "moves": moves if i == best else self.rng.choice(("bed", "chair", "walks")),
                "isolated": self.rng.choice(("yes", "no")),
            }
            for i, patient in enumerate(patients)
        }
        person = patients[best]
        isolated = self.sheets[person]["isolated"] == "yes"
        fetches = {
            "chair": call("fetch", vehicle="wheelchair"),
            "bed": call("fetch", vehicle="bed"),
        }
        takes = [call("take", job=job) for job in jobs]
        brings = [call("bring", patient=row["patient"], place=row["to"]) for row in rows]
        sheets = [call("sheet", patient=patient) for patient in patients]
        board, mask, rest = (
            call("board", wing=self.wing),
            call("mask"),
            call("rest", wing=self.wing),
        )
        plan = [board, takes[best], sheets[best], *[mask] * isolated]
        plan += [*([fetches[moves]] if moves in fetches else []), brings[best]]
        every = [*takes, *sheets, mask, *fetches.values(), *brings, rest]
        self.lay_out([board, rest] if kind == "quiet" else plan, every)
        asked = self.rng.choice(self.wordings).format(wing=self.wing)
        text = (
            f"Shift {self.rng.choice(('early', 'late', 'night'))}, {self.rng.randint(2, 9)} porters"
        )
        return asked, [Fact(text, {"shift": text})]

    def answer(self, wanted: Call) -> Result:
        """Show, take, fetch or end."""
        values = wanted.values
        if values.get("wing", self.wing) != self.wing:
            return [Fact("no such wing", {"error": "no such wing"})]
        if values.get("patient", next(iter(self.sheets))) not in self.sheets:
            return [Fact("no such patient", {"error": "no such patient"})]
        if wanted.operator == "board":
            if not self.rows:
                return [Fact("no jobs", {"jobs": 0})]
            head = Fact("| job | patient | to | called | level |\n|---|---|---|---|---|")
            return [
                head,
                Rows("jobs", "| {job} | {patient} | {to} | {called} | {level} |", self.rows),
            ]
        if wanted.operator == "sheet":
            data = self.sheets[wanted["patient"]]
            return [Fact(f"moves: {data['moves']}\nisolated: {data['isolated']}", data)]
        if wanted.operator == "fetch" and wanted["vehicle"] not in ("wheelchair", "bed"):
            return [Fact("there is none", {"error": "there is none"})]
        return [Fact("ok", {"ok": True})]
