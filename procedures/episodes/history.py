"""The history of an episode up to a moment: the task, the calls, and the facts of results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from .facts import UNREAD, Fact, Reader, each_of
from .tokens import occurs

EARLIER = "said before"
"""Kind of the fact that holds the messages before the task."""
INSTRUCTIONS = "instructions"
"""Kind of the fact that holds the days that an agent's instructions name, usually today."""
OTHER = "other "
"""Begin of the kind of facts that a tool told when it was called with other arguments."""
TASK = "task"
"""Kind of the task's fact."""
Telling = Literal["newest", "before", "first"]
"""Choice among the results with facts of a kind: the newest, the one before it, or the first."""


@dataclass(frozen=True, slots=True)
class Done:
    """A call that was made.

    Attributes:
        step: Id of the program's step; None if unknown.
        operator: Its operator.
        arguments: Values, in the operator's order.
        worked: Whether it had an effect.
    """

    step: str | None
    operator: str
    arguments: tuple[str, ...]
    worked: bool = True


ASKED = re.compile(r"asked ([1-9])")
"""Field of a fact with the argument, by its number from 1, of the call that told it."""
_MOST_BESIDE = 40
"""Most calls, from the newest on, among which those of one operator are held apart."""


class Memory(Protocol):
    """A memory of facts that hold only at some places; it adds them to results there."""

    def note(
        self, call: Done | None, facts: Sequence[Fact]
    ) -> tuple[Sequence[Fact], Collection[str]]:
        """Return a result with the facts that hold again, and the kinds that do not hold now."""
        ...

    def copy(self) -> Memory:
        """Return an independent copy."""
        ...


class Experience(Protocol):
    """The experience of earlier episodes with the candidates of a choice."""

    @property
    def trial(self) -> float | None:
        """The candidate to try out, as a share of the list in [0, 2); None for no trial.

        From 1 on, the candidate that seems best is tried.
        """
        ...

    def taken(self, task: str) -> Mapping[str, float]:
        """Map each candidate to the task's likeness to one that it was taken for, in [0, 1]."""
        ...

    def weight(self, word: str) -> float:
        """Return the weight of a task's word, at least 0."""
        ...

    def told(self, kind: str, candidate: str) -> Collection[str] | None:
        """Return the words of a candidate's page when it was opened; None if unknown."""
        ...

    def further(self, kind: str, candidate: str) -> Collection[str]:
        """Return what the read parts of its page led to."""
        ...

    def like(self, kind: str, words: Mapping[str, float], most: int) -> Sequence[Fact]:
        """Return the lines of at most ``most`` remembered candidates with most of these words."""
        ...


class History:
    """An episode up to a moment. It only grows; :meth:`copy` is cheap.

    Attributes:
        task: Text of the task.
        asked: The task as a fact, its slots as fields.
        wording: Template of the task; empty where none reads it.
        calls: Calls so far, oldest first.
        results: Facts of each result; the first before any call.
        memory: Memory of facts that hold at some places; None where facts hold everywhere.
        memo: Cache of derived values; a new result empties it.
        experience: Experience of earlier episodes; None where it does not count.
        left: Number of calls that may still be made; None if unknown.
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
        self._tables: dict[str, tuple[int, list[Fact]]] = {}
        self._arguments: dict[str, tuple[str, ...]] = {}
        self.memory = memory
        self._see(None, first)

    def add(self, call: Done, result: Sequence[Fact]) -> None:
        """Add a call and the facts of its result."""
        self.calls.append(call)
        self._arguments[call.operator] = call.arguments
        self._see(call, result)

    def _see(self, call: Done | None, facts: Sequence[Fact]) -> None:
        at = len(self.results)
        self.memo = {}
        if self.memory is not None:
            facts, outdated_kinds = self.memory.note(call, facts)
            self._facts |= {kind: [] for kind in outdated_kinds if kind in self._facts}
            for kind in outdated_kinds:
                self._tables.pop(kind, None)
        self.results.append(facts)
        for fact in facts:
            if self._newest.get(fact.kind) != at:
                self._newest[fact.kind] = at
                if fact.kind in self._facts:
                    self._earlier[fact.kind] = self._facts[fact.kind]
                self._facts[fact.kind] = []  # a new list: copies share the old one
                self._first.setdefault(fact.kind, self._facts[fact.kind])
            self._facts[fact.kind].append(fact)
        for kind in {fact.kind for fact in facts}:
            # A shorter table of the same operator takes a table's place, too.
            table = self._tables.get(kind)
            if len(self._facts[kind]) > 1 or (table and self._told_alike(table[0], at)):
                self._tables[kind] = at, self._facts[kind]

    def copy(self) -> History:
        """Return an independent copy."""
        other = History.__new__(History)
        other.task, other.asked, other.wording = self.task, self.asked, self.wording
        other.calls, other.results = self.calls[:], self.results[:]
        other.memo = self.memo
        other.experience, other.left = self.experience, self.left
        other._newest, other._facts = dict(self._newest), dict(self._facts)
        other._earlier, other._first = dict(self._earlier), dict(self._first)
        other._tables, other._arguments = dict(self._tables), dict(self._arguments)
        other.memory = self.memory.copy() if self.memory is not None else None
        return other

    @property
    def last(self) -> Sequence[Fact]:
        """The newest result."""
        return self.results[-1]

    @property
    def last_alike(self) -> list[Fact]:
        """The facts of all results of the newest call's operator."""
        if not self.calls:
            return list(self.last)
        answered_calls = zip(self.calls, self.results[1:], strict=True)
        return [
            f for call, result in answered_calls if call.operator == self.before for f in result
        ]

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

    def apart(self) -> History:
        """Return the history with kinds of their own for what calls beside the newest told.

        Such a call differs from a newer one in its arguments alone: it looked up another record,
        of which the newest one holds nothing. Of very many calls the newest count.
        """
        view: History | None = self.memo.get("apart")
        if view is not None:
            return view
        newest: dict[str, tuple[str, ...]] = {}
        beside: list[int] = []
        for at in range(len(self.calls), max(0, len(self.calls) - _MOST_BESIDE), -1):
            call = self.calls[at - 1]
            if newest.setdefault(call.operator, call.arguments) != call.arguments:
                beside.append(at)
        if not beside:
            return self
        view = self.memo["apart"] = self.copy()
        view.memo = {}
        for kind in [each for each, at in self._newest.items() if at in beside and each != UNREAD]:
            del view._newest[kind], view._facts[kind]
        for at in reversed(beside):
            for fact in self.results[at] if at < len(self.results) else ():
                if fact.kind != UNREAD:
                    other = replace(fact, kind=OTHER + fact.kind)
                    view._newest[other.kind] = at
                    view._facts.setdefault(other.kind, []).append(other)
        return view

    def table(self, kind: str) -> Sequence[Fact]:
        """Return the facts of a kind in the newest result that tells it as a table.

        A single fact of another operator is like a row of the table, and takes its place in none.
        """
        facts = self._facts.get(kind, ())
        return self._tables[kind][1] if len(facts) == 1 and kind in self._tables else facts

    def _told_alike(self, one: int, other: int) -> bool:
        """Whether two results are of one operator."""
        before, now = (self.calls[at - 1].operator if at else "" for at in (one, other))
        return before == now

    def keyed(self, kind: str, key: str, *, before: bool = False) -> Mapping[str, Sequence[Fact]]:
        """Return the facts of :meth:`table`, or of the result before, by the value of a field."""
        place = ("keyed", kind, key, before)
        rows: dict[str, list[Fact]] | None = self.memo.get(place)
        if rows is None:
            rows = self.memo[place] = {}
            for fact in self.told(kind, "before") if before else self.table(kind):
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

    def with_asked(self, kind: str, field: str) -> list[Fact]:
        """Return what calls of one operator told of a kind, with an argument of each as a field.

        A result that does not repeat what it was asked for tells it so. Of calls with one argument
        the newest counts, of several facts of one call none, and of very many calls the newest.

        Args:
            kind: The kind.
            field: Name of the field, as :data:`ASKED` has it.
        """
        memo: list[Fact] | None = self.memo.get(("asked", kind, field))
        if memo is not None:
            return memo
        match = ASKED.fullmatch(field)
        newest = self._newest.get(kind, 0)
        if match is None or not newest:
            return []
        place, operator = int(match[1]) - 1, self.calls[newest - 1].operator
        facts: dict[str, Fact] = {}
        for call, result in self.answered_calls():
            alike = [fact for fact in result if fact.kind == kind]
            if call.operator == operator and place < len(call.arguments) and len(alike) == 1:
                value = call.arguments[place]
                facts.pop(value, None)
                facts[value] = replace(alike[0], fields={**alike[0].fields, field: value})
        memo = self.memo["asked", kind, field] = list(facts.values())
        return memo

    def answered_calls(self) -> Iterable[tuple[Done, Sequence[Fact]]]:
        """Return the newest calls, each with its result; of very many calls not all."""
        begin = max(0, len(self.calls) - _MOST_BESIDE)
        return zip(self.calls[begin:], self.results[begin + 1 :], strict=False)

    def told_by_each_call(self, kind: str) -> list[Fact]:
        """Return the facts of a kind in all results, in order, also where several are equal.

        What a call told before, and tells again, counts once.
        """
        memo: list[Fact] | None = self.memo.get(("each", kind))
        if memo is not None:
            return memo
        facts: dict[Hashable, Fact] = {}
        calls = ((call.operator, call.arguments) for call in self.calls)
        for call, result in zip((None, *calls), self.results, strict=True):
            count: Counter[Hashable] = Counter()
            for fact in result:
                if fact.kind == kind:
                    fields = frozenset(fact.fields.items())
                    count[fields] += 1
                    facts[call, fields, count[fields]] = fact
        memo = self.memo["each", kind] = list(facts.values())
        return memo

    def single(self, kind: str, at: Telling = "newest") -> Fact | None:
        """Return the only fact of a kind in one of the results that have any; None if several."""
        facts = self._facts.get(kind, ()) if at == "newest" else self.told(kind, at)
        return facts[0] if len(facts) == 1 else None

    @property
    def kinds(self) -> Mapping[str, int]:
        """Kind → index of the newest result that has it."""
        return self._newest

    def arguments(self, operator: str) -> tuple[str, ...]:
        """Return the arguments of the newest call of an operator; empty without a call."""
        return self._arguments.get(operator, ())

    def said(self, value: str) -> bool:
        """Tell whether the task holds a value."""
        return occurs(value, self.task)

    def mentions(self, value: str) -> bool:
        """Tell whether the task or a result holds a value."""
        fields = (v for result in self.results for fact in result for v in fact.fields.values())
        return self.said(value) or any(occurs(value, each) for each in fields)

    def said_apart(self, value: str, others: Iterable[str]) -> bool:
        """Tell whether the task holds a value outside of longer values that it holds."""
        task = self.task
        for other in others:
            if len(other) > len(value) and value in other and self.said(other):
                task = task.replace(other, "\0")
        return task is self.task or occurs(value, task)


def kinds_of_any(histories: Iterable[History]) -> list[str]:
    """Return the kinds of read facts that some history has, sorted."""
    return sorted({kind for history in histories for kind in history.kinds} - {UNREAD})


def kinds_of_all(histories: Sequence[History]) -> list[str]:
    """Return the kinds of read facts that all histories have, sorted; there is at least one."""
    return sorted(set.intersection(*(set(history.kinds) for history in histories)) - {UNREAD})


def beginning(reader: Reader, tasks: Reader, task: str, observation: str) -> History:
    """Start a history from texts."""
    task_fact, listed_facts, wording = read_task(tasks, task.replace("\n", " "))
    return History(task, task_fact, (*reader.read(observation), *listed_facts), wording)


def read_task(tasks: Reader, task: str) -> tuple[Fact, tuple[Fact, ...], str]:
    """Return a task as a fact, the facts of the items that it lists, and its template.

    Fields and template are empty where no template reads it. The items of a slot have one kind,
    whatever the wording of the task.
    """
    line, *inner = tasks.line(task)
    if line.kind == UNREAD:
        return Fact(TASK, {}), (), ""
    kind_by_line_kind = {each_of(slot, line.kind): each_of(slot) for slot in line.fields}
    listed_facts = tuple(
        replace(fact, kind=kind_by_line_kind[fact.kind])
        for fact in inner
        if fact.kind in kind_by_line_kind
    )
    return Fact(TASK, line.fields), listed_facts, line.kind
