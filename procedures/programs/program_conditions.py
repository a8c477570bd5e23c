"""Readable conditions over a candidate, facts, the task and earlier calls.

Each has the name of its word in files, such as ``said(…)`` or ``unused(…)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from ..episodes.facts import Fact
from ..episodes.history import History, Telling
from ..episodes.tokens import PARTS, has_part, magnitude, occurs
from .exact_numbers import EXACT, number_of, written_number
from .quantities import Quantity, combine, period, quantity_of, rounded, without_sign


# ---------------------------------------------------------------------------- terms
@dataclass(frozen=True, slots=True)
class Field:
    """A field of the candidate."""

    name: str


@dataclass(frozen=True, slots=True)
class ToldField:
    """A field of the one fact of a kind in a result.

    Attributes:
        kind: Kind of the fact.
        field: Name of the field.
        at: Which of the results with such facts counts.
    """

    kind: str
    field: str
    at: Telling = "newest"


@dataclass(frozen=True, slots=True)
class TaskSlot:
    """A slot of the task; slots of the same part have one name in all wordings."""

    slot: str


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of the newest call of an operator."""

    operator: str
    index: int


@dataclass(frozen=True, slots=True)
class Own:
    """Another argument of the same call; it has no value until that argument is bound."""

    index: int


@dataclass(frozen=True, slots=True)
class Literal:
    """A value of the program."""

    value: str


@dataclass(frozen=True, slots=True)
class Row:
    """A field of the one fact of a kind whose key equals a term: a look-up in a table.

    Attributes:
        kind: Kind of the facts in the newest result that has any.
        key: Field that is compared.
        by: Term that the key has to equal.
        field: Field that gives the value.
        before: Whether the result before the newest one with such facts counts.
    """

    kind: str
    key: str
    by: Term
    field: str
    before: bool = False


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """A sum, difference, product or quotient of two quantities.

    Each of the two may be computed itself. A day minus a day is a number of days. A time plus a
    number of minutes is another time.
    """

    left: Term
    sign: str
    right: Term


@dataclass(frozen=True, slots=True)
class Rounded:
    """A computed number, rounded.

    Attributes:
        term: The number.
        how: ``up``, ``down`` or ``nearest``.
        decimals: Number of decimals that are left.
    """

    term: Term
    how: str
    decimals: int = 0


@dataclass(frozen=True, slots=True)
class Size:
    """The absolute value of a number, such as a difference."""

    term: Term


@dataclass(frozen=True, slots=True)
class Period:
    """A number of months or years, which is added to a day.

    Attributes:
        term: The number.
        unit: ``months`` or ``years``.
    """

    term: Term
    unit: str


@dataclass(frozen=True, slots=True)
class Total:
    """The rows of a kind in the newest result that has any: their number, or the sum of a field.

    Attributes:
        kind: Kind of the rows.
        field: Field that is summed; None: the rows are counted.
        where: Conditions of the rows that count.
        ever: Whether the rows of all results count: each once, but in a sum once for each call.
    """

    kind: str
    field: str | None = None
    where: tuple[Condition, ...] = ()
    ever: bool = False

    def figures(self, history: History) -> list[str]:
        """Return the figures of a sum; ``1`` for each row that is counted."""
        facts = self._facts(history)
        rows = (row for row in facts if all_hold(self.where, history, row))
        if self.field is None:
            return ["1" for _ in rows]
        return [row.fields.get(self.field, "") for row in rows]

    def _facts(self, history: History) -> Sequence[Fact]:
        if not self.ever:
            return history.told(self.kind)
        return (
            history.all(self.kind) if self.field is None else history.told_by_each_call(self.kind)
        )

    def number(self, history: History) -> Decimal | None:
        """Return the number; None where the kind was never told, or a figure is no number."""
        total = Decimal(0) if self.kind in history.kinds else None
        for text in self.figures(history):
            number = number_of(text)
            if total is None or number is None:
                return None
            total = EXACT.add(total, number)
        return total


@dataclass(frozen=True, slots=True)
class Times:
    """How often a step of the program was done."""

    step: str

    def count(self, history: History) -> int:
        """Return the number of the step's calls so far."""
        return sum(call.step == self.step for call in history.calls)


Term = (
    Field
    | ToldField
    | TaskSlot
    | Argument
    | Own
    | Literal
    | Row
    | Total
    | Times
    | Arithmetic
    | Rounded
    | Size
    | Period
)
Computation = Total | Arithmetic | Rounded | Size
"""Terms that compute a number."""


def value_of(term: Term, history: History, candidate: Fact | None = None) -> str | None:
    """Return the value of a term now; None where it has none."""
    # Learners ask for millions of these, and a pattern with parts takes three times as long.
    if isinstance(term, Field):
        return candidate.fields.get(term.name) if candidate else None
    if isinstance(term, ToldField):
        fact = history.single(term.kind, term.at)
        return fact.fields.get(term.field) if fact else None
    if isinstance(term, TaskSlot):
        return history.asked.fields.get(term.slot)
    match term:
        case Own():
            return None
        case Literal(value):
            return value
        case Argument(operator, index):
            arguments = history.arguments(operator)
            return arguments[index] if index < len(arguments) else None
        case Row(kind, key, by, name, before):
            key_value = value_of(by, history, candidate)
            rows = history.keyed(kind, key, before=before).get(key_value, ()) if key_value else ()
            return rows[0].fields.get(name) if len(rows) == 1 else None
        case Total():
            number = term.number(history)
            return None if number is None else written_number(number)
        case Times():
            return str(term.count(history))
        case Arithmetic() | Rounded() | Size() | Period():
            quantity = quantity_in(term, history, candidate)
            return quantity.text() if quantity else None


def quantity_in(term: Term, history: History, candidate: Fact | None = None) -> Quantity | None:
    """Return the quantity of a term now; None where it has none."""
    match term:
        case Arithmetic(left, sign, right):
            return combine(
                quantity_in(left, history, candidate), sign, quantity_in(right, history, candidate)
            )
        case Rounded(inner, how, decimals):
            return rounded(quantity_in(inner, history, candidate), how, decimals)
        case Size(inner):
            return without_sign(quantity_in(inner, history, candidate))
        case Period(inner, unit):
            return period(quantity_in(inner, history, candidate), unit)
        case _:
            return quantity_of(value_of(term, history, candidate))


# ---------------------------------------------------------------------------- conditions
@dataclass(frozen=True, slots=True)
class Said:
    """The task says a value: spelled exactly, or between signs in any capitals.

    Attributes:
        term: Term of the value.
        before: Signs before the value.
        behind: Signs behind the value, except at the end of the task.
    """

    term: Term
    before: str = ""
    behind: str = ""

    def holds(self, history: History, candidate: Fact | None = None) -> bool:
        """Whether it holds now."""
        value = value_of(self.term, history, candidate) or ""
        if not self.before and not self.behind:
            if not value or not history.said(value):
                return False
            if candidate is None or not isinstance(self.term, Field):
                return True
            others = (f.fields.get(self.term.name, "") for f in history.all(candidate.kind))
            return history.said_apart(value, others)
        return value.casefold() in said_between(history.task, self.before, self.behind)


def said_between(task: str, before: str, behind: str) -> list[str]:
    """Return the parts of a task between signs, in lower case; the last may end the task."""
    parts = task.casefold().split(before.casefold())[1:]
    return [part.partition(behind.casefold())[0].strip() if behind else part for part in parts]


@dataclass(frozen=True, slots=True)
class EverySaid:
    """Each part that the task says between signs is in a fact of the newest result.

    Attributes:
        kind: Kind of the facts.
        field: Field of the facts, in any capitals.
        before: Signs before a part.
        behind: Signs behind a part.
    """

    kind: str
    field: str
    before: str
    behind: str
    negated: bool = False

    def holds(self, history: History, candidate: Fact | None = None) -> bool:
        """Whether it holds now."""
        values_told = {f.fields[self.field].casefold() for f in history.last if f.kind == self.kind}
        parts_said = said_between(history.task, self.before, self.behind)
        return values_told.issuperset(parts_said) != self.negated


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two values are related: ``=``, ``≠``, ``≈``, ``has``, ``lacks``, by their parts or by size.

    ``≈`` ignores case. A list ``has`` its items, which commas separate. Signs divide a value into
    parts: it ``begins`` with the first ones, ``ends`` with the last ones, and ``contains`` any that
    follow each other. ``<=``, ``>=``, ``<`` and ``>`` compare numbers, dates and times, and nothing
    else. ``!>`` and ``!<`` hold unless a value is known to be greater, or less.
    """

    left: Term
    relation: str
    right: Term

    def holds(self, history: History, candidate: Fact | None = None) -> bool:
        """Whether it holds now. A missing value only fulfils ``!>`` and ``!<``."""
        left = value_of(self.left, history, candidate)
        return self.relates(left, value_of(self.right, history, candidate))

    def relates(self, left: str | None, right: str | None) -> bool:
        """Whether the relation holds of two values."""
        if left is None or right is None:
            return self.relation in ("!>", "!<")
        if self.relation in ("=", "≠"):
            return (left == right) == (self.relation == "=")
        if self.relation == "≈":
            return left.casefold() == right.casefold()
        if self.relation in ("has", "lacks"):
            inside = right == left or occurs(right, left)
            return inside == (self.relation == "has")
        if (negated := self.relation.startswith("not ")) or self.relation in PARTS:
            return has_part(left, self.relation.removeprefix("not "), right) != negated
        one, other = magnitude(left), magnitude(right)
        if one is None or other is None or one[0] != other[0]:
            return self.relation in ("!>", "!<")
        return _related(one[1], self.relation, other[1])


def _related(one: float, relation: str, other: float) -> bool:
    match relation:
        case "<=":
            return one <= other
        case ">=":
            return one >= other
        case "<":
            return one < other
        case "!>":
            return one <= other
        case "!<":
            return one >= other
        case _:
            return one > other


@dataclass(frozen=True, slots=True)
class OneOf:
    """A value is one of a set."""

    term: Term
    values: tuple[str, ...]

    def holds(self, history: History, candidate: Fact | None = None) -> bool:
        """Whether it holds now."""
        return value_of(self.term, history, candidate) in self.values


@dataclass(frozen=True, slots=True)
class Together:
    """Two values are one of some pairs, or one of them is unknown."""

    left: Term
    right: Term
    values: tuple[tuple[str, str], ...]

    def holds(self, history: History, candidate: Fact | None = None) -> bool:
        """Whether it holds now."""
        pair = value_of(self.left, history, candidate), value_of(self.right, history, candidate)
        return None in pair or pair in self.values


@dataclass(frozen=True, slots=True)
class Known:
    """A term has a value."""

    term: Term
    negated: bool = False

    def holds(self, history: History, candidate: Fact | None = None) -> bool:
        """Whether it holds now."""
        return (value_of(self.term, history, candidate) is not None) != self.negated


@dataclass(frozen=True, slots=True)
class Unused:
    """A value was not yet an argument of an operator; it does not hold without a value.

    Attributes:
        term: The value.
        operator: The operator.
        negated: Whether it was one.
        beside: Further values: no one call had all of them.
    """

    term: Term
    operator: str
    negated: bool = False
    beside: tuple[Term, ...] = ()

    def holds(self, history: History, candidate: Fact | None = None) -> bool:
        """Whether it holds now."""
        values = [value_of(term, history, candidate) for term in (self.term, *self.beside)]
        is_used = any(
            call.operator == self.operator and all(value in call.arguments for value in values)
            for call in history.calls
        )
        return (None not in values and not is_used) != self.negated


@dataclass(frozen=True, slots=True)
class Shown:
    """The newest result has a fact of a kind, or, if not ``now``, one of the results had it."""

    kind: str
    now: bool = True
    negated: bool = False

    def holds(self, history: History, candidate: Fact | None = None) -> bool:
        """Whether it holds now."""
        newest_result = history.kinds.get(self.kind)
        is_told = newest_result is not None and (
            not self.now or newest_result == len(history.results) - 1
        )
        return is_told != self.negated


@dataclass(frozen=True, slots=True)
class Only:
    """The newest result has only facts of these kinds.

    Attributes:
        kinds: The kinds.
        ever: Whether all results of the newest call's operator count.
    """

    kinds: tuple[str, ...]
    ever: bool = False

    def holds(self, history: History, candidate: Fact | None = None) -> bool:
        """Whether it holds now."""
        facts = history.last_alike if self.ever else history.last
        return all(fact.kind in self.kinds for fact in facts)


@dataclass(frozen=True, slots=True)
class DoneStep:
    """A step of the program was done, at least so many times."""

    step: str
    negated: bool = False
    times: int = 1

    def holds(self, history: History, candidate: Fact | None = None) -> bool:
        """Whether it holds now."""
        return (Times(self.step).count(history) >= self.times) != self.negated


@dataclass(frozen=True, slots=True)
class After:
    """A step of the program was the last; an empty name stands for the beginning."""

    step: str
    negated: bool = False

    def holds(self, history: History, candidate: Fact | None = None) -> bool:
        """Whether it holds now."""
        last = (history.calls[-1].step or "") if history.calls else ""
        return (last == self.step) != self.negated


Condition = (
    Said
    | EverySaid
    | Comparison
    | OneOf
    | Together
    | Known
    | Unused
    | Shown
    | Only
    | DoneStep
    | After
)


class Holding(Protocol):
    """An object that may hold at a moment."""

    def holds(self, history: History, candidate: Fact | None = None) -> bool:
        """Whether it holds now."""
        ...


def all_hold(
    conditions: Sequence[Holding], history: History, candidate: Fact | None = None
) -> bool:
    """Whether all conditions hold now."""
    for condition in conditions:  # noqa: SIM110 - all() of a generator takes twice as long
        if not condition.holds(history, candidate):
            return False
    return True
