"""What is known at a moment of an episode: the task, what was done, what was told."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from .facts import UNREAD, Fact, Reader, each_of
from .tokens import occurs

__all__ = [
    "EARLIER",
    "INSTRUCTIONS",
    "TASK",
    "Done",
    "Experience",
    "History",
    "Memory",
    "Telling",
    "beginning",
    "read_task",
]

EARLIER = "said before"
"""Kind of the fact that tells what was said before the task."""
INSTRUCTIONS = "instructions"
"""Kind of the fact that tells the days that an agent's instructions name: today, as a rule."""
TASK = "task"
"""Kind of the fact that a task is."""
Telling = Literal["newest", "before", "first"]
"""Which of the results that have facts of a kind: the newest, the one before it, or the first."""


@dataclass(frozen=True, slots=True)
class Done:
    """A call that was made.

    Attributes:
        step: Id of the program's step that it was; None where nothing is known of it.
        operator: Its operator.
        arguments: Values, in the operator's order.
        worked: Whether it did anything.
    """

    step: str | None
    operator: str
    arguments: tuple[str, ...]
    worked: bool = True


class Memory(Protocol):
    """What holds only here and there: it adds to results what is known again."""

    def note(
        self, call: Done | None, facts: Sequence[Fact]
    ) -> tuple[Sequence[Fact], Collection[str]]:
        """Return a result with what is known again, and kinds of facts that do not hold now."""
        ...

    def copy(self) -> Memory:
        """Return the same, which then grows on its own."""
        ...


class Experience(Protocol):
    """What earlier episodes told of the candidates of a choice."""

    @property
    def trial(self) -> float | None:
        """Where candidates are tried out, which: a share of their list, in [0, 2); else None.

        From 1 on the one that seems best is meant.
        """
        ...

    def taken(self, task: str) -> Mapping[str, float]:
        """Return candidate → how like a task is to one for which it was taken, from 0 to 1."""
        ...

    def weight(self, word: str) -> float:
        """Return how much a word of a task tells, at least 0."""
        ...

    def told(self, kind: str, candidate: str) -> Collection[str] | None:
        """Return what was told of a candidate when it was opened; None where nothing is known."""
        ...

    def further(self, kind: str, candidate: str) -> Collection[str]:
        """Return what parts of its page led to, as far as they were read."""
        ...

    def like(self, kind: str, words: Mapping[str, float], most: int) -> Sequence[Fact]:
        """Return the lines of remembered candidates of which most of these words were told."""
        ...


class History:
    """An episode up to a moment. It only grows; :meth:`copy` is cheap.

    Attributes:
        task: What was asked.
        asked: The same as a fact, its slots as fields.
        wording: Template of the task; empty where none reads it.
        calls: What was done.
        results: Facts of each result; the first before any call.
        memory: What is known again at a place; None where all results count alike.
        memo: What was found out about this moment; a new result empties it.
        experience: What earlier episodes told; None where that does not count.
        left: How many calls may still be made; None where nobody knows.
    """

    def __init__(
        self,
        task: str,
        asked: Fact,
        first: Sequence[Fact],
        wording: str = "",
        memory: Memory | None = None,
    ) -> None:
        self.task = task
        self.asked = asked
        self.wording = wording
        self.calls: list[Done] = []
        self.results: list[Sequence[Fact]] = []
        self.memo: dict[Any, Any] = {}
        self.experience: Experience | None = None
        self.left: int | None = None
        self._newest: dict[str, int] = {}
        self._facts: dict[str, list[Fact]] = {}
        self._earlier: dict[str, list[Fact]] = {}
        self._first: dict[str, list[Fact]] = {}
        self._arguments: dict[str, tuple[str, ...]] = {}
        self.memory = memory
        self._see(None, first)

    def add(self, call: Done, result: Sequence[Fact]) -> None:
        """Go on: a call was made and answered."""
        self.calls.append(call)
        self._arguments[call.operator] = call.arguments
        self._see(call, result)

    def _see(self, call: Done | None, facts: Sequence[Fact]) -> None:
        at = len(self.results)
        self.memo = {}
        if self.memory is not None:
            facts, past = self.memory.note(call, facts)
            self._facts |= {kind: [] for kind in past if kind in self._facts}
        self.results.append(facts)
        for fact in facts:
            if self._newest.get(fact.kind) != at:
                self._newest[fact.kind] = at
                if fact.kind in self._facts:
                    self._earlier[fact.kind] = self._facts[fact.kind]
                self._facts[fact.kind] = []  # a copy keeps the list that it has
                self._first.setdefault(fact.kind, self._facts[fact.kind])
            self._facts[fact.kind].append(fact)

    def copy(self) -> History:
        """Return the same history, which then grows on its own."""
        other = History.__new__(History)
        other.task, other.asked, other.wording = self.task, self.asked, self.wording
        other.calls, other.results = self.calls[:], self.results[:]
        other.memo = self.memo
        other.experience, other.left = self.experience, self.left
        other._newest, other._facts = dict(self._newest), dict(self._facts)
        other._earlier, other._first = dict(self._earlier), dict(self._first)
        other._arguments = dict(self._arguments)
        other.memory = self.memory.copy() if self.memory is not None else None
        return other

    @property
    def last(self) -> Sequence[Fact]:
        """The newest result."""
        return self.results[-1]

    @property
    def last_alike(self) -> list[Fact]:
        """The newest result, and all others of the same operator: what was asked of each thing."""
        if not self.calls:
            return list(self.last)
        told = zip(self.calls, self.results[1:], strict=True)
        return [f for call, result in told if call.operator == self.before for f in result]

    @property
    def before(self) -> str:
        """The operator of the newest call; empty at first."""
        return self.calls[-1].operator if self.calls else ""

    def newest(self, kind: str) -> list[Fact]:
        """Return the facts of a kind in the newest result that has any."""
        return list(self._facts.get(kind, ()))

    def told(self, kind: str, at: Telling = "newest") -> Sequence[Fact]:
        """Return the facts of a kind in one of the results that have any."""
        match at:
            case "newest":
                return self._facts.get(kind, ())
            case "before":
                return self._earlier.get(kind, ())
            case "first":
                return self._first.get(kind, ())

    def keyed(self, kind: str, key: str, *, before: bool = False) -> Mapping[str, Sequence[Fact]]:
        """Return the facts of :meth:`newest`, or of the result before, by the value of a field."""
        place = ("keyed", kind, key, before)
        rows: dict[str, list[Fact]] | None = self.memo.get(place)
        if rows is None:
            rows = self.memo[place] = {}
            for fact in self.told(kind, "before" if before else "newest"):
                if key in fact.fields:
                    rows.setdefault(fact.fields[key], []).append(fact)
        return rows

    def all(self, kind: str) -> list[Fact]:
        """Return all facts of a kind, the newest last, each once."""
        memo: list[Fact] | None = self.memo.get(("all", kind))
        if memo is not None:
            return memo
        facts: dict[frozenset[tuple[str, str]], Fact] = {}
        for result in self.results if kind in self._newest else ():
            for fact in result:
                if fact.kind == kind:
                    key = frozenset(fact.fields.items())
                    facts.pop(key, None)
                    facts[key] = fact
        memo = self.memo["all", kind] = list(facts.values())
        return memo

    def single(self, kind: str, at: Telling = "newest") -> Fact | None:
        """Return the fact of a kind in one of the results that have any, if there is just one."""
        facts = self.told(kind, at)
        return facts[0] if len(facts) == 1 else None

    @property
    def kinds(self) -> Mapping[str, int]:
        """Kind → the newest result that has it."""
        return self._newest

    def arguments(self, operator: str) -> tuple[str, ...]:
        """Return the arguments of the newest call of an operator; none where there was none."""
        return self._arguments.get(operator, ())

    def said(self, value: str) -> bool:
        """Whether the task says a value."""
        return occurs(value, self.task)

    def mentions(self, value: str) -> bool:
        """Whether the task or a result says a value."""
        fields = (v for result in self.results for fact in result for v in fact.fields.values())
        return self.said(value) or any(occurs(value, each) for each in fields)

    def said_apart(self, value: str, others: Iterable[str]) -> bool:
        """Whether the task says a value, and not only as a part of a longer one that it says."""
        task = self.task
        for other in others:
            if len(other) > len(value) and value in other and self.said(other):
                task = task.replace(other, "\0")
        return task is self.task or occurs(value, task)


def beginning(reader: Reader, tasks: Reader, task: str, observation: str) -> History:
    """Start a history from texts."""
    asked, named, wording = read_task(tasks, task.replace("\n", " "))
    return History(task, asked, (*reader.read(observation), *named), wording)


def read_task(tasks: Reader, task: str) -> tuple[Fact, tuple[Fact, ...], str]:
    """Return a task as a fact, the things that it lists, and its template.

    No fields, and no text, where no template reads it. Things are of one kind for each slot,
    in whichever words the task lists them.
    """
    line, *inner = tasks.line(task)
    if line.kind == UNREAD:
        return Fact(TASK, {}), (), ""
    kinds = {each_of(slot, line.kind): each_of(slot) for slot in line.fields}
    named = tuple(replace(fact, kind=kinds[fact.kind]) for fact in inner if fact.kind in kinds)
    return Fact(TASK, line.fields), named, line.kind
