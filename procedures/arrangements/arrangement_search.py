"""The cheapest arrangement that keeps what is required.

Variables are assigned best first, by a bound that no arrangement with them can be cheaper than.
For one assignment what has to be covered is chosen by depth first search, and all the rest is the
cheapest that is left; what cannot be filled is given up, and the next assignment is tried.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .arrangement import Arrangement, Form
from .decision_problem import Decision, Problem, RowKey, Tableset, Unknown
from .table_rows import Row, Tables
from .wishes import parts_of

_MOST_ASSIGNMENTS = 100_000
"""Assignments of variables whose cost is bounded; limits the time."""
_MOST_TRIED = 300
"""Assignments for which an arrangement is looked for."""
_BRANCHES = 6
"""Ways in which one thing that has to be covered is tried."""

Chosen = dict[Decision, tuple[Row, Form]]


@dataclass(frozen=True, slots=True)
class Solution:
    """An arrangement.

    Attributes:
        values: Variable → its value.
        chosen: Decision → row and form; what stays empty is missing.
        cost: Of all together, as far as it is known before it is asked.
    """

    values: Mapping[str, str]
    chosen: Mapping[Decision, tuple[Row, Form]]
    cost: float


def arranged(
    arrangement: Arrangement, task: str, tables: Tables, banned: frozenset[RowKey] = frozenset()
) -> tuple[Problem, Solution]:
    """Return what a task asks, and the cheapest arrangement of it.

    Where none has all that is wished, what the task says in a form of a word that was never shown
    is not taken for a wish.

    Args:
        arrangement: What was learned.
        task: What is asked.
        tables: What was told.
        banned: Rows that turned out not to be had.

    Raises:
        Unknown: There is none.
    """
    problem = Problem(arrangement, task, tables, banned)
    try:
        return problem, solve(problem)
    except Unknown:
        if not problem.doubtful:
            raise
    problem = Problem(arrangement, task, tables, banned, firm=True)
    return problem, solve(problem)


def solve(problem: Problem) -> Solution:
    """Return the first arrangement within the limit, else the cheapest.

    Raises:
        Unknown: There is none.
    """
    best: Solution | None = None
    ranked = sorted(_assignments(problem), key=lambda each: each[0])
    if not ranked:
        raise Unknown("nothing that was told fits all places")
    for bound, values, tables in ranked[:_MOST_TRIED]:
        if best is not None and bound >= best.cost:
            break
        solution = _cheapest_filling(problem, values, tables)
        if solution is None or (best is not None and best.cost <= solution.cost):
            continue
        best = solution
        if best.cost <= problem.limit:
            break
    if best is None:
        raise Unknown("no arrangement has all that is wanted")
    return best


# ------------------------------------------------------------------ variables
def _assignments(
    problem: Problem,
) -> Iterator[tuple[float, dict[str, str], Mapping[str, Tableset]]]:
    """Yield variables and tables, with a bound of the cost, where every decision has an option."""
    names = [variable.name for variable in problem.shape.variables]
    domains = [problem.domain(index) for index in range(len(names))]
    groups = Counter(
        Decision(((0, d.slot),) * d.uses, d.slot, d.at, d.day)
        for d in problem.decisions
        if d.filled == "always" and not d.extra
    )
    by_slot: dict[str, list[tuple[Decision, int]]] = {}
    for group, count in groups.items():
        by_slot.setdefault(group.slot, []).append((group, count))
    values = itertools.islice(itertools.product(*domains), _MOST_ASSIGNMENTS)
    for assignment in values:
        if len(set(assignment)) < len(assignment):
            continue  # variables differ: else they would be one
        value_by_name = dict(zip(names, assignment, strict=True))
        for tables in _tablesets(problem, by_slot, value_by_name):
            yield tables[0], value_by_name, tables[1]


def _tablesets(
    problem: Problem,
    by_slot: Mapping[str, Sequence[tuple[Decision, int]]],
    values: Mapping[str, str],
) -> Iterator[tuple[float, Mapping[str, Tableset]]]:
    """Yield the bound and the tables of each slot, for each way to fill slots from tables."""
    ways: list[list[tuple[float, str, Tableset]]] = []
    for slot, groups in by_slot.items():
        costs = []
        for tables in problem.together.get(slot, ()):
            cost = sum(
                _least_cost(problem, group, count, values, tables) for group, count in groups
            )
            if cost < math.inf:
                costs.append((cost, slot, tables))
        if not costs:
            return
        ways.append(costs)
    for way in itertools.product(*ways):
        yield sum(cost for cost, _, _ in way), {slot: tables for _, slot, tables in way}


def _least_cost(
    problem: Problem,
    decision: Decision,
    count: int,
    values: Mapping[str, str],
    tables: Tableset,
) -> float:
    options = problem.options(decision, values, tables)
    if len(options) < (count if tables & problem.distinct else 1):
        return math.inf
    if tables & problem.distinct:
        return sum(cost for cost, _, _ in options[:count])
    return options[0][0] * count


# ------------------------------------------------------------------ rows
class _Filling:
    """One assignment of variables and tables: rows are chosen for all decisions."""

    def __init__(
        self, problem: Problem, values: Mapping[str, str], tables: Mapping[str, Tableset]
    ) -> None:
        self.problem = problem
        self.values = values
        self.options = {
            decision: problem.options(
                decision, values, tables.get(decision.slot) or _any_table(problem, decision.slot)
            )
            for decision in problem.decisions
        }
        self.best: tuple[float, Chosen] | None = None
        # What has the fewest options is chosen first, what is one more of a slot last.
        self.order = sorted(
            problem.decisions, key=lambda d: (d.extra, len(self.options[d]), d.places)
        )

    def search(self, uncovered: Sequence[tuple[str, str, str]], row_by_decision: Chosen) -> None:
        """Cover what has to be, then fill the rest; the best is kept."""
        if not uncovered:
            self._complete(row_by_decision)
            return
        table, column, value = min(
            uncovered, key=lambda each: len(self._covering(each, row_by_decision))
        )
        ways = self._covering((table, column, value), row_by_decision)
        for _, decision, row, form in ways[:_BRANCHES]:
            remaining = [each for each in uncovered if not _covers(row, each)]
            self.search(remaining, {**row_by_decision, decision: (row, form)})

    def _covering(
        self, requirement: tuple[str, str, str], row_by_decision: Chosen
    ) -> list[tuple[float, Decision, Row, Form]]:
        """Return the ways to cover something, by what they cost more than the cheapest row."""
        used_rows = {id(row) for row, _ in row_by_decision.values()}
        ways = []
        keys: set[tuple[int, tuple[str, ...], bool]] = set()
        for decision in self.order:
            if decision in row_by_decision:
                continue
            options = self.options[decision]
            for cost, row, form in options:
                if not _covers(row, requirement) or self._blocked(row, used_rows):
                    continue
                key = (id(row), decision.at, decision.filled == "seldom")
                if key not in keys:  # another decision of the same kind is no other way
                    keys.add(key)
                    usual = 0.0 if decision.filled == "seldom" else options[0][0]
                    ways.append((cost - usual, decision, row, form))
        ways.sort(key=lambda each: each[0])
        return ways

    def _complete(self, row_by_decision: Chosen) -> None:
        filled_rows = dict(row_by_decision)
        used_rows = {id(row) for row, _ in filled_rows.values()}
        for decision in self.order:
            if decision in filled_rows or decision.filled == "seldom":
                continue
            option = next(
                (o for o in self.options[decision] if not self._blocked(o[1], used_rows)), None
            )
            if option is not None:
                filled_rows[decision] = option[1:]
                used_rows.add(id(option[1]))
            elif not decision.extra and decision.filled == "always":
                return
        costs = {d: self.problem.cost(row) * d.uses for d, (row, _) in filled_rows.items()}
        cost = sum(costs.values())
        for decision in sorted(
            filled_rows.keys() - row_by_decision.keys(), key=lambda d: (-costs[d], d.places)
        ):
            if cost > self.problem.limit and decision.filled == "usually":
                cost -= costs[decision]
                del filled_rows[decision]
        if self.best is None or cost < self.best[0]:
            self.best = cost, filled_rows

    def _blocked(self, row: Row, used_rows: set[int]) -> bool:
        return row.table in self.problem.distinct and id(row) in used_rows


def _cheapest_filling(
    problem: Problem, values: Mapping[str, str], tables: Mapping[str, Tableset]
) -> Solution | None:
    filling = _Filling(problem, values, tables)
    uncovered = [
        (table, column, value)
        for table, demand in sorted(problem.demands.items())
        for column, value in sorted(demand.covered)
    ]
    filling.search(uncovered, {})
    if filling.best is None:
        return None
    cost, row_by_decision = filling.best
    return Solution(values, row_by_decision, cost)


def _any_table(problem: Problem, slot: str) -> Tableset:
    return frozenset().union(*problem.together.get(slot, ()))


def _covers(row: Row, requirement: tuple[str, str, str]) -> bool:
    table, column, value = requirement
    return row.table == table and value in parts_of(row.fields.get(column, ""))
