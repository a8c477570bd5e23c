"""Worlds in which what is read decides what is done next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ..names import CITIES, PEOPLE, PRODUCTS
from ..world import Call, Fact, Operator, Result, World, call

__all__ = ["BookReturns", "BranchOffices", "DamageClaim"]


class DamageClaim(World):
    """A claim is asked for question by question; the order varies, and some are left out."""

    name = "damage-claim"
    difficulty = "questions in an order that varies are answered from the task; some come sometimes"
    operators = (
        Operator("start", "start a claim", about="Start; the first question comes."),
        Operator("reply", "reply {value} to it", about="Answer the question."),
        Operator("agree", "agree to the terms", about="Agree, when that is the question."),
        Operator("submit", "submit the claim", about="Submit the answers; final."),
        Operator("drop", "drop the claim", about="Give up; final."),
    )
    horizon = 18

    questions: ClassVar[dict[str, str]] = {
        "person": "Who makes the claim?",
        "thing": "Which object is it about?",
        "city": "In which town did it happen?",
        "day": "On what date?",
        "worth": "How many euros was it worth?",
        "terms": "Do you agree to the terms?",
    }

    def begin(self) -> tuple[str, Result]:
        """Draw the values, and which questions come in which order."""
        (person,), (thing,), (city,) = self.draw(PEOPLE), self.draw(PRODUCTS), self.draw(CITIES)
        day = f"{self.rng.randint(2022, 2025)}-{self.rng.randint(1, 12):02}"
        day += f"-{self.rng.randint(1, 28):02}"
        worth = str(self.rng.randint(20, 900))
        self.values = {"person": person, "thing": thing, "city": city, "day": day, "worth": worth}
        topics = [t for t in self.questions if t in ("person", "city") or self.rng.random() < 0.6]
        self.topics: list[str] = self.rng.sample(topics, len(topics))
        self.place, self.faults = -1, 0
        start = Fact("Insurance desk. No claim is open.", {"claim": "none"})
        request = f"On {day} a {thing} of {person}, worth {worth} euros, broke in {city}. Claim it."
        return request, [start]

    def possible(self) -> list[Call]:
        """Values of the task for every question; agreeing where that is asked."""
        if self.place < 0:
            return [call("start"), call("drop")]
        if self.place == len(self.topics):
            return [call("submit"), call("drop")]
        if self.topics[self.place] == "terms":
            return [call("agree"), call("drop")]
        return [*(call("reply", value=value) for value in self.values.values()), call("drop")]

    def accepts(self, wanted: Call) -> bool:
        """Any text is taken for an answer."""
        if wanted.operator != "reply":
            return wanted in self.possible()
        return 0 <= self.place < len(self.topics) and self.topics[self.place] != "terms"

    def do(self, wanted: Call) -> Result:
        """Take an answer and ask the next question; none can be changed."""
        if wanted.operator in ("submit", "drop"):
            self.end(won=wanted.operator == "submit" and not self.faults)
            return [Fact("The desk closes.", {"claim": "none"})]
        if wanted.operator == "reply":
            self.faults += wanted["value"] != self.values[self.topics[self.place]]
        self.place += 1
        if self.place == len(self.topics):
            return [Fact("That was the last question.", {"questions": "none"})]
        question = self.questions[self.topics[self.place]]
        return [Fact(question, {"question": question})]

    def expert(self) -> Iterator[Call]:
        """Answer what is asked."""
        yield call("start")
        for topic in self.topics:
            yield call("agree") if topic == "terms" else call("reply", value=self.values[topic])
        yield call("submit")


class BookReturns(World):
    """What is done with a book that comes back depends on what the scanner says of it."""

    name = "book-returns"
    difficulty = "a status that is read decides which of three commands is right"
    operators = (
        Operator("scan", "scan the book of {reader}", about="Scan a book."),
        Operator("shelve", "shelve the book of {reader}", about="Put it on its shelf; final."),
        Operator("charge", "charge {reader} for lateness", about="Charge a reader; final."),
        Operator("keep", "keep the book of {reader} aside", about="Keep it aside; final."),
    )
    horizon = 6

    remedies: ClassVar[dict[str, str]] = {
        "in time": "shelve",
        "overdue": "charge",
        "reserved": "keep",
    }

    def begin(self) -> tuple[str, Result]:
        """Draw six readers, the state of each one's book and its shelf."""
        people = self.draw(PEOPLE, 6)
        self.states = {person: self.rng.choice([*self.remedies]) for person in people}
        self.shelves = {person: self.rng.randint(1, 40) for person in people}
        self.reader, self.people = people[0], self.arranged(people, people[0])
        names = ", ".join(self.people)
        start = Fact(f"Return desk. Readers: {names}.", {"readers": names})
        return f"Take back the book that {self.reader} brings.", [start]

    def possible(self) -> list[Call]:
        """All commands for all readers, all the time."""
        names = [operator.name for operator in self.operators]
        return [call(name, reader=person) for name in names for person in self.people]

    def do(self, wanted: Call) -> Result:
        """Tell the state of a book; anything else is final."""
        reader = wanted["reader"]
        if wanted.operator == "scan":
            state, shelf = self.states[reader], self.shelves[reader]
            text = f"This book of shelf {shelf} is {state}."
            return [Fact(text, {"shelf": shelf, "state": state})]
        self.end(won=wanted == self._remedy())
        return [Fact("Next, please.", {"desk": "next, please"})]

    def expert(self) -> Iterator[Call]:
        """Scan the book, do what its state asks for."""
        yield call("scan", reader=self.reader)
        yield self._remedy()

    def _remedy(self) -> Call:
        return call(self.remedies[self.states[self.reader]], reader=self.reader)


class BranchOffices(World):
    """Who runs an office has to be looked up; others who work there are named with them."""

    name = "branch-offices"
    difficulty = "an observation names whom to act on, while others are named and listed too"
    operators = (
        Operator("ask", "ask about {city}", about="Ask who works in an office."),
        Operator("notify", "notify {person} of it", about="Notify somebody; final."),
    )
    horizon = 6

    def begin(self) -> tuple[str, Result]:
        """Draw three offices, and three people for each."""
        cities, people, (thing,) = self.draw(CITIES, 3), self.draw(PEOPLE, 9), self.draw(PRODUCTS)
        self.city, self.person = cities[0], people[0]
        self.staff = {city: people[3 * i : 3 * i + 3] for i, city in enumerate(cities)}
        self.turns = {city: self.arranged(("runs", "cleans", "guards"), "runs") for city in cities}
        self.cities = self.arranged(cities, self.city)
        self.people = self.arranged(people, self.person)
        offices, book = ", ".join(self.cities), ", ".join(self.people)
        start = [Fact(f"Offices: {offices}.", {"offices": offices})]
        start.append(Fact(f"Address book: {book}.", {"address book": book}))
        return f"The {thing} for {self.city} is here. Notify who runs that office.", start

    def possible(self) -> list[Call]:
        """Ask about any office, notify anybody."""
        asking = [call("ask", city=city) for city in self.cities]
        return asking + [call("notify", person=person) for person in self.people]

    def do(self, wanted: Call) -> Result:
        """Tell who works in an office; notifying is final."""
        if wanted.operator == "ask":
            staff = dict(zip(("runs", "cleans", "guards"), self.staff[wanted["city"]], strict=True))
            return [
                Fact(f"{staff[work]} {work} the {wanted['city']} office.", {work: staff[work]})
                for work in self.turns[wanted["city"]]
            ]
        self.end(won=wanted["person"] == self.person)
        return [Fact(f"{wanted['person']} thanks you.", {"thanks": wanted["person"]})]

    def expert(self) -> Iterator[Call]:
        """Ask about the office, notify who runs it."""
        yield call("ask", city=self.city)
        yield call("notify", person=self.person)
