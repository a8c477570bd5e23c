"""Worlds in which harmless things can be done that help nothing."""

from __future__ import annotations

from collections.abc import Iterator

from ..names import CITIES, COLOURS, PEOPLE, PRODUCTS
from ..world import Call, Fact, Operator, Result, Rows, World, call

__all__ = ["ParcelChutes", "TeaKitchen"]


class TeaKitchen(World):
    """Tea is made; much that helps nothing is listed, and some that is accepted is not."""

    name = "tea-kitchen"
    difficulty = "needed actions are listed in some states only; useless ones are always possible"
    operators = (
        Operator("fill", "fill the kettle", about="Put water into the kettle."),
        Operator("heat", "heat the kettle", about="Bring the water to the boil."),
        Operator("hang", "hang a {tea} bag into the cup of {person}", about="Put tea into a cup."),
        Operator("pour", "pour for {person}", about="Pour boiling water, for good."),
        Operator("wipe", "wipe the table", about="Clean the table."),
        Operator("admire", "admire the {tea} tin", about="Look at a tin."),
        Operator("hum", "hum a tune", about="Make music."),
        Operator("listen", "listen at the {thing}", about="Hear what a thing sounds like."),
    )
    horizon = 11

    def begin(self) -> tuple[str, Result]:
        """Draw people and teas."""
        self.people, self.teas = self.draw(PEOPLE, 3), self.draw(COLOURS, 4)
        self.person, self.tea = self.people[0], self.teas[0]
        self.kettle = "empty"
        self.cups: dict[str, str] = {}
        cups = [{"cup_of": person} for person in self.arranged(self.people, self.person)]
        tins = [{"tin": tea} for tea in self.arranged(self.teas, self.tea)]
        start = Fact("The kettle is empty.", {"kettle": "empty"})
        asked = f"Make {self.tea} tea for {self.person}."
        return asked, [
            start,
            Rows("cups", "Cup of {cup_of}", cups),
            Rows("tins", "{tin} tin", tins),
        ]

    def possible(self) -> list[Call]:
        """Bags and useless things at any time; what the kettle allows."""
        listed = [
            call("hang", tea=tea, person=person) for tea in self.teas for person in self.people
        ]
        listed += [call("wipe"), *(call("admire", tea=tea) for tea in self.teas)]
        due = {"empty": "fill", "full": "heat"}.get(self.kettle)
        if due is None:
            return [*listed, *(call("pour", person=person) for person in self.people)]
        return [*listed, call(due)]

    def accepts(self, wanted: Call) -> bool:
        """Humming and listening are possible, too."""
        if wanted.operator == "listen":
            return wanted["thing"] in ("kettle", "table", "door")
        return wanted.operator == "hum" or wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Change the kettle or a cup; pouring is final."""
        if wanted.operator in ("fill", "heat"):
            self.kettle = {"fill": "full", "heat": "boiling"}[wanted.operator]
            return [Fact(f"The kettle is {self.kettle}.", {"kettle": self.kettle})]
        if wanted.operator == "hang":
            tea, person = wanted["tea"], wanted["person"]
            self.cups[person] = tea
            return [Fact(f"{person} has {tea} now.", {"cup_of": person, "tea": tea})]
        if wanted.operator == "pour":
            person = wanted["person"]
            self.end(won=person == self.person and self.cups.get(person) == self.tea)
            return [Fact("It steams.", {"cup": "steams"})]
        return [Fact("That is nice.", {"nice": True})]

    def expert(self) -> Iterator[Call]:
        """Boil water, hang the bag, pour."""
        yield call("fill")
        yield call("heat")
        yield call("hang", tea=self.tea, person=self.person)
        yield call("pour", person=self.person)


class ParcelChutes(World):
    """A parcel is wrapped, weighed, stamped and dropped; who shows it dawdles now and then."""

    name = "parcel-chutes"
    difficulty = "demonstrations hold harmless steps of varying kind that help nothing"
    operators = (
        Operator("wrap", "wrap the {thing}", about="Pack a thing."),
        Operator("weigh", "weigh the {thing}", about="Put a thing on the scales."),
        Operator("glue", "glue {number} stamps onto the {thing}", ("number",), "Pay for a thing."),
        Operator("drop", "drop the {thing} into chute {city}", about="Send a thing for good."),
        Operator("glance", "glance at the clock", about="See what time it is."),
        Operator("greet", "greet {person}", about="Say hello to somebody."),
        Operator("count", "count the coins", about="See how many coins there are."),
        Operator("tidy", "tidy the counter", about="Make order."),
    )
    horizon = 18

    def begin(self) -> tuple[str, Result]:
        """Draw things with weights, chutes, people, and where the expert dawdles."""
        rng = self.rng
        self.things, self.cities = self.draw(PRODUCTS, 3), self.draw(CITIES, 4)
        self.people, self.thing, self.city = self.draw(PEOPLE, 3), self.things[0], self.cities[0]
        weights = rng.sample(range(2, 14), 4)
        self.weights, self.coins = dict(zip(self.things, weights[:3], strict=True)), weights[3]
        self.time = f"{rng.randint(10, 17)}:{rng.randint(10, 59)}"
        self.idle = [rng.choice(self._useless()) if rng.random() < 0.35 else None for _ in range(4)]
        self.wrapped: set[str] = set()
        self.stamps: dict[str, int] = {}
        desk = [{"thing": thing} for thing in self.arranged(self.things, self.thing)]
        chutes = [{"chute": city} for city in self.arranged(self.cities, self.city)]
        line = [{"person": person} for person in self.people]
        asked = f"Send the {self.thing} to {self.city}."
        return asked, [
            Rows("desk", "On the desk: {thing}", desk),
            Rows("chutes", "Chute {chute}", chutes),
            Rows("queue", "{person} stands in the queue.", line),
        ]

    def possible(self) -> list[Call]:
        """All of it at any time."""
        listed = self._useless()
        for thing in self.things:
            listed += [call("wrap", thing=thing), call("weigh", thing=thing)]
            listed += [call("glue", number=number, thing=thing) for number in range(2, 14)]
            listed += [call("drop", thing=thing, city=city) for city in self.cities]
        return listed

    def do(self, wanted: Call) -> Result:
        """Wrap, weigh, stamp; dropping is final. The rest only says something."""
        name, thing = wanted.operator, wanted.values.get("thing", "")
        if name == "wrap":
            self.wrapped.add(thing)
            return [Fact(f"The {thing} is in paper.", {"in_paper": thing})]
        if name == "weigh":
            weight = self.weights[thing]
            return [Fact(f"It needs {weight} stamps.", {"stamps_needed": weight})]
        if name == "glue":
            self.stamps[thing] = self.stamps.get(thing, 0) + int(wanted["number"])
            return [Fact("They stick.", {"stamps": "stick"})]
        if name == "drop":
            right = (thing, wanted["city"]) == (self.thing, self.city) and thing in self.wrapped
            self.end(won=right and self.stamps.get(thing) == self.weights[thing])
            return [Fact("It slides away.", {"parcel": "slides away"})]
        if name == "glance":
            return [Fact(f"It is {self.time}.", {"time": self.time})]
        if name == "greet":
            return [Fact(f"{wanted['person']} smiles.", {"smiles": wanted["person"]})]
        if name == "count":
            return [Fact(f"There are {self.coins} coins.", {"coins": self.coins})]
        return [Fact("The counter looks better.", {"counter": "looks better"})]

    def expert(self) -> Iterator[Call]:
        """Do what is needed, and before some of it something else."""
        steps = [
            call("wrap", thing=self.thing),
            call("weigh", thing=self.thing),
            call("glue", number=self.weights[self.thing], thing=self.thing),
            call("drop", thing=self.thing, city=self.city),
        ]
        for idle, step in zip(self.idle, steps, strict=True):
            if idle is not None:
                yield idle
            yield step

    def _useless(self) -> list[Call]:
        greeted = [call("greet", person=person) for person in self.people]
        return [call("glance"), call("count"), call("tidy"), *greeted]
