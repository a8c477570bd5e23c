"""The problem that a task and tables pose: decisions, their options and costs."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property

from .arrangement import (
    Arrangement,
    AtMostUses,
    Cost,
    Distinct,
    Form,
    Limit,
    Same,
    Shape,
    Together,
    Wish,
)
from .days import days_said
from .said_values import names_said, numbers_said, read_value
from .table_rows import Row, Tables, number_of
from .wishes import Wished, parts_of, wished

FREE = 0.0
"""Cost of a row whose cost is not known, or that costs nothing."""
Tableset = frozenset[str]
RowKey = tuple[str, frozenset[tuple[str, str]]]
"""A row as its table and fields."""


class Unknown(Exception):  # noqa: N818 (no error: the task asks for what was never shown)
    """Something that an arrangement needs is not known; the text says what."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Slots that one row fills.

    Attributes:
        places: Number of a record and key of a slot, each; the first says how the rest is written.
        slot: The key whose forms are meant.
        at: The variables.
        day: Of the record; None where that plays no part.
        filled: ``always``, ``usually`` (unless that is too much) or ``seldom`` (only for something
            that has to be covered).
        extra: Whether it is one more row of a slot that has one: filled if one is left.
    """

    places: tuple[tuple[int, str], ...]
    slot: str
    at: tuple[str, ...]
    day: date | None
    filled: str = "always"
    extra: bool = False

    @property
    def uses(self) -> int:
        """How often the row is chosen."""
        return len(self.places)


@dataclass(slots=True)
class Demand:
    """The demands of a task on the rows of a table.

    Attributes:
        refused: Column and value that no row may have.
        wanted: Column → values of which every row has one.
        covered: Column and value that one row at least has.
    """

    refused: set[tuple[str, str]] = field(default_factory=set)
    wanted: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    covered: set[tuple[str, str]] = field(default_factory=set)

    def allows(self, row: Row) -> bool:
        """Whether a row may be chosen."""
        return not any(
            value in parts_of(row.fields.get(column, "")) for column, value in self.refused
        ) and all(
            not values.isdisjoint(parts_of(row.fields.get(column, "")))
            for column, values in self.wanted.items()
        )


class Problem:
    """One task, with the tables that were told.

    Args:
        arrangement: What was learned.
        task: Its text.
        tables: What was told.
        banned: Rows, as their table and fields, that turned out not to be had.
        firm: Whether only wishes count that are spelled as they were shown.

    Attributes:
        said: Reading → its value.
        doubtful: Whether the task speaks of something in a form of a word that was never shown.
        shape: Of the arrangement.
        limit: What all may cost; infinite where nothing limits it.
        decisions: What has to be chosen.
        demands: Table → what the task wants of its rows.
        together: Slot → the sets of tables from which it may be filled.

    Raises:
        Unknown: The task has a size that was never shown, or does not say what is needed.
    """

    def __init__(
        self,
        arrangement: Arrangement,
        task: str,
        tables: Tables,
        banned: frozenset[RowKey] = frozenset(),
        *,
        firm: bool = False,
    ) -> None:
        self.arrangement = arrangement
        self.tables = tables
        self._banned = banned
        self._firm = firm
        self.doubtful = False
        self._days = days_said(task)
        names = {
            value
            for table, column in arrangement.name_columns
            for value in tables.values(table, column)
        }
        self.said: dict[str, str] = {}
        names_read: set[str] = set()
        for reading in arrangement.readings:
            candidates = (
                numbers_said(task)
                if reading.type == "number"
                else names_said(task, names - names_read)
            )
            self.said[reading.name] = read_value(reading, candidates)
            if reading.type == "name":
                names_read.add(self.said[reading.name])
        self.shape = self._shape()
        self.limit = self._limit()
        self._tables_refused: dict[str, set[str]] = defaultdict(set)
        self._tables_wanted: dict[str, set[str]] = defaultdict(set)
        self.demands: dict[str, Demand] = defaultdict(Demand)
        self._read_wishes(task)
        self.together = self._together()
        self.decisions = self._decisions()
        self._options: dict[tuple[object, ...], tuple[tuple[float, Row, Form], ...]] = {}

    # ------------------------------------------------------------------ what the task says
    def _shape(self) -> Shape:
        size = self.size
        shape = self.arrangement.shape_of(size)
        if shape is None:
            raise Unknown(f"an arrangement of {size} records was never shown")
        return shape

    @property
    def size(self) -> int:
        """How many records are wanted; 0 where the task does not say it."""
        if self.arrangement.size == "days":
            return (self._days[-1] - self._days[0]).days + 1 if self._days else 0
        return int(float(self.said.get(self.arrangement.size) or 0))

    def day(self, record: int) -> date | None:
        """Return the day of a record."""
        return self._days[0] + timedelta(days=record) if self._days else None

    def _limit(self) -> float:
        limits = [each for each in self.arrangement.require if isinstance(each, Limit)]
        values = [number_of(self.said[each.said]) for each in limits]
        return min((value for value in values if value is not None), default=math.inf)

    def _read_wishes(self, task: str) -> None:
        for wish in self.arrangement.wishes:
            for wished_value in wished(wish, task):
                self.doubtful |= not wished_value.firm
                if not self._firm or wished_value.firm:
                    self._add_wish(wish, wished_value)

    def _add_wish(self, wish: Wish, wished_value: Wished) -> None:
        if wish.slot:
            tables_by_slot = (
                self._tables_refused if wished_value.means == "none" else self._tables_wanted
            )
            tables_by_slot[wish.slot].add(wished_value.value)
        elif wished_value.means == "none":
            self.demands[wish.among].refused.add((wish.column, wished_value.value))
        elif wished_value.means == "all":
            self.demands[wish.among].wanted[wish.column].add(wished_value.value)
        else:
            self.demands[wish.among].covered.add((wish.column, wished_value.value))

    def _together(self) -> dict[str, tuple[Tableset, ...]]:
        """Return for each slot the sets of tables that go together and are not refused."""
        sets: dict[str, tuple[Tableset, ...]] = {
            name: (frozenset(form.among for form in forms),)
            for name, forms in self.arrangement.forms_of.items()
        }
        for requirement in self.arrangement.require:
            if isinstance(requirement, Together):
                sets[requirement.slot] = tuple(frozenset(tables) for tables in requirement.tables)
        sets_by_slot = {}
        for slot, groups in sets.items():
            refused_tables, wanted_tables = self._tables_refused[slot], self._tables_wanted[slot]
            allowed = dict.fromkeys(
                frozenset((group & wanted_tables if wanted_tables else group) - refused_tables)
                for group in groups
            )
            sets_by_slot[slot] = tuple(group for group in allowed if group)
        return sets_by_slot

    # ------------------------------------------------------------------ what is to be chosen
    def _decisions(self) -> tuple[Decision, ...]:
        same = {each.among for each in self.arrangement.require if isinstance(each, Same)}
        shared: dict[tuple[str, tuple[str, ...]], list[tuple[int, str]]] = defaultdict(list)
        decisions: list[Decision] = []
        for number, record in enumerate(self.shape.records):
            for slot in record:
                forms = self.arrangement.forms_of.get(slot.name, ())
                if not any(form.among for form in forms):
                    continue
                place = (number, slot.name)
                if all(form.among in same for form in forms):
                    shared[slot.name, slot.at].append(place)
                    continue
                day = self.day(number) if any(form.dated for form in forms) else None
                decisions += [
                    Decision((place,), slot.name, slot.at, day, slot.filled, extra=turn > 0)
                    for turn in range(slot.times)
                ]
        for (name, at), places in shared.items():
            decisions.append(Decision(tuple(places), name, at, None))
        return tuple(decisions)

    @cached_property
    def distinct(self) -> frozenset[str]:
        """Tables of which no row may be chosen twice."""
        every = self.arrangement.require
        return frozenset(each.among for each in every if isinstance(each, Distinct))

    # ------------------------------------------------------------------ variables
    def domain(self, index: int) -> tuple[str, ...]:
        """Return the values that a variable may have."""
        variable = self.shape.variables[index]
        value = self.said.get(variable.said, "")
        if not value:
            raise Unknown(f"the task does not say the {variable.said}")
        if not variable.among:
            return (value,)
        rows = self.tables.where(variable.among, (variable.where,), (value,))
        return tuple(dict.fromkeys(row.fields[variable.take] for row in rows))

    # ------------------------------------------------------------------ options
    def options(
        self, decision: Decision, values: Mapping[str, str], tables: Tableset
    ) -> tuple[tuple[float, Row, Form], ...]:
        """Return the rows that fit a decision, each with its cost, the cheapest first.

        Args:
            decision: What is chosen.
            values: Variable → its value.
            tables: From which it may be.
        """
        at = tuple(values[name] for name in decision.at)
        key = (decision.slot, at, decision.day, decision.uses, tables)
        options = self._options.get(key)
        if options is None:
            options = self._options[key] = self._find_options(decision, at, tables)
        return options

    def _find_options(
        self, decision: Decision, at: tuple[str, ...], tables: Tableset
    ) -> tuple[tuple[float, Row, Form], ...]:
        options: list[tuple[float, Row, Form]] = []
        for form in self.arrangement.forms_of[decision.slot]:
            if form.among not in tables or len(form.at) != len(at):
                continue
            options += [
                (self.cost(row) * decision.uses, row, form)
                for row in self.tables.where(form.among, form.at, at)
                if self._fits(row, form, decision)
            ]
        options.sort(key=lambda each: each[0])
        return tuple(options)

    def _fits(self, row: Row, form: Form, decision: Decision) -> bool:
        if form.dated and str(decision.day) != row.fields.get(form.dated):
            return False
        for requirement in self.arrangement.require:
            if isinstance(requirement, AtMostUses) and requirement.among == row.table:
                least = number_of(row.fields.get(requirement.column, ""))
                if least is not None and least > decision.uses:
                    return False
        if self._banned and (row.table, frozenset(row.fields.items())) in self._banned:
            return False
        return row.table not in self.demands or self.demands[row.table].allows(row)

    def cost(self, row: Row) -> float:
        """Return what a row costs, as far as that was learned."""
        cost = self.arrangement.cost_of.get(row.table)
        return cost_of_row(cost, row, self.said) if cost is not None else FREE


def cost_of_row(cost: Cost, row: Row, value_by_reading: Mapping[str, str]) -> float:
    """Return what a row costs; nothing where the row or the task does not say it."""
    price = number_of(row.fields.get(cost.column, ""))
    times = number_of(value_by_reading.get(cost.times, "")) if cost.times else 1.0
    if price is None or times is None:
        return FREE
    if cost.per:
        per = number_of(row.fields.get(cost.per, cost.per))
        times = math.ceil(times / per) if per else times
    return price * times
