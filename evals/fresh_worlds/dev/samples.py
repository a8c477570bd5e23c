"""Samples and courses: several are named, each has a row by two values, some are left out."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import COLOURS, PEOPLE
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call
from ..shared import distinct


class LabSamples(World):
    """Each sample that is named is analysed by the method for its material and hazard."""

    name = "lab-samples"
    difficulty = (
        "for each of one to four samples two values tell the method; one that is void is left"
    )
    operators = (
        Operator("methods", "methods list", about="Material, hazard and method."),
        Operator("fetch", "sample {sample} fetch", about="Tell what a sample is."),
        Operator("analyse", "{sample} with {method} analyse", about="Cannot be undone."),
        Operator("sign", "journal sign", about="Final."),
    )
    horizon = 14

    wordings = ("Analyse {samples}.", "Samples {samples} came in, to be analysed")
    materials = ("water", "soil", "air")
    hazards = ("low", "high")

    def begin(self) -> tuple[str, Result]:
        """Draw samples, and a method for each material and hazard."""
        samples = distinct(lambda: self.identifier("AA-###"), 6)
        pairs = [(m, h) for m in self.materials for h in self.hazards]
        methods = distinct(lambda: self.identifier("M##"), len(pairs))
        self.method = dict(zip(pairs, methods, strict=True))
        self.kind = {each: self.rng.choice(pairs) for each in samples}
        self.state = {each: self.rng.choice(("sealed", "sealed", "void")) for each in samples}
        self.named = samples[: self.rng.randint(1, 4)]
        self.due = {each for each in self.named if self.state[each] == "sealed"}
        self.seen: set[str] = set()
        self.rows = self.arranged(pairs)
        asked = self.rng.choice(self.wordings).format(samples=" + ".join(self.named))
        return asked, [Fact("The lab is ready.", {"ready": True})]

    def _right(self, sample: str) -> Call:
        return call("analyse", sample=sample, method=self.method[self.kind[sample]])

    def possible(self) -> list[Call]:
        """The list, every sample, every method for it, the end."""
        calls = [call("fetch", sample=each) for each in self.kind]
        methods = self.method.values()
        calls += [call("analyse", sample=s, method=m) for s in self.kind for m in methods]
        return [call("methods"), *calls, call("sign")]

    def do(self, wanted: Call) -> Result:
        """Show, analyse, or end."""
        if wanted.operator == "methods":
            rows: list[dict[str, Value]] = [
                {"material": m, "hazard": h, "method": self.method[m, h]} for m, h in self.rows
            ]
            return [Rows("methods", "{material} | {hazard} | {method}", rows)]
        if wanted.operator == "sign":
            self.end(won=not self.due and self.seen.issuperset(self.named))
            return [Fact("Signed.", {"signed": True})]
        sample = wanted["sample"]
        if wanted.operator == "fetch":
            self.seen.add(sample)
            material, hazard = self.kind[sample]
            state = self.state[sample]
            text = f"sample: {sample}\nmaterial: {material}\nhazard: {hazard}\nstate: {state}"
            row = {"sample": sample, "material": material, "hazard": hazard, "state": state}
            return [Fact(text, row)]
        if sample not in self.due or wanted != self._right(sample):
            self.end(won=False)
        self.due.discard(sample)
        return [Fact("Analysed.", {"analysed": True})]

    def expert(self) -> Iterator[Call]:
        """List the methods; fetch each sample, analyse it unless it is void; sign."""
        yield call("methods")
        for sample in self.named:
            yield call("fetch", sample=sample)
            if sample in self.due:
                yield self._right(sample)
        yield call("sign")


class CoursePlaces(World):
    """Each person that is named gets the group of the course for the person's level."""

    name = "course-places"
    difficulty = "for each of one to four people the course and the person's level tell the group"
    operators = (
        Operator("levels", "show the levels", about="Person, level and state."),
        Operator("groups", "show the groups", about="Course, level and group."),
        Operator("enrol", "enrol {person} in {group}", about="Cannot be undone."),
        Operator("post", "post the lists", about="Final."),
    )
    horizon = 8

    wordings = (
        "Enrol {people} in the {course} course.",
        "For {course} we have {people}. Enrol them.",
    )
    levels = ("beginner", "middle", "expert")

    def begin(self) -> tuple[str, Result]:
        """Draw people with a level and a state, and groups of two courses."""
        people, self.courses = self.draw(PEOPLE, 6), self.draw(COLOURS, 2)
        self.level = {each: self.rng.choice(self.levels) for each in people}
        self.state = {each: self.rng.choice(("here", "here", "away")) for each in people}
        pairs = [(course, level) for course in self.courses for level in self.levels]
        groups = distinct(lambda: self.identifier("A#"), len(pairs))
        self.group = dict(zip(pairs, groups, strict=True))
        self.course = self.rng.choice(self.courses)
        self.named = people[: self.rng.randint(1, 4)]
        self.due = {each for each in self.named if self.state[each] == "here"}
        self.people, self.rows = self.arranged(people), self.arranged(pairs)
        *others, last = self.named
        named = f"{', '.join(others)} & {last}" if others else last
        asked = self.rng.choice(self.wordings).format(people=named, course=self.course)
        return asked, [Fact("The office is open.", {"office": "open"})]

    def _right(self, person: str) -> Call:
        group = self.group[self.course, self.level[person]]
        return call("enrol", person=person, group=group)

    def possible(self) -> list[Call]:
        """Both lists, every place, the end."""
        groups = self.group.values()
        places = [call("enrol", person=p, group=g) for p in self.level for g in groups]
        return [call("levels"), call("groups"), *places, call("post")]

    def do(self, wanted: Call) -> Result:
        """Show, enrol, or end."""
        if wanted.operator == "levels":
            rows: list[dict[str, Value]] = [
                {"person": p, "level": self.level[p], "state": self.state[p]} for p in self.people
            ]
            return [Rows("levels", "{person}, {level}, is {state}", rows)]
        if wanted.operator == "groups":
            rows = [
                {"course": c, "level": level, "group": self.group[c, level]}
                for c, level in self.rows
            ]
            return [Rows("groups", "{group}: {course} for {level}", rows)]
        if wanted.operator == "post":
            self.end(won=not self.due)
            return [Fact("Posted.", {"posted": True})]
        person = wanted["person"]
        if person not in self.due or wanted != self._right(person):
            self.end(won=False)
        self.due.discard(person)
        return [Fact(f"{person} has a place.", {"person": person})]

    def expert(self) -> Iterator[Call]:
        """Show both lists; enrol each who is here; post."""
        yield call("levels")
        yield call("groups")
        for person in self.named:
            if person in self.due:
                yield self._right(person)
        yield call("post")
