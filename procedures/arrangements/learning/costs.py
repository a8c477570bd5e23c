"""Learning what rows cost: a column, and a factor, that explain the totals of records."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..arrangement import Cost
from ..decision_problem import cost_of_row
from ..table_rows import Row, number_of
from .shapes import Traced

_LEAST_RECORDS = 3
"""Records that tell what a table costs."""
_EXPLAINED_SHARE = 0.9
"""Share of them that it has to explain, to the cent."""
_CENT = 0.005
"""Largest difference of two equal sums: half a cent."""
_MOST_UNKNOWN = 3
"""Tables whose costs are learned together."""
_MOST_WAYS = 60_000
"""Combinations of costs that are tried for such tables; bounds the time."""
_MOST_RECORDS = 60
"""Records that are looked at for one set of tables."""
_SHARERS = tuple(map(str, range(2, 10)))
"""So many may share what is paid once."""


@dataclass(frozen=True, slots=True)
class _Bill:
    """A record with its total, its rows by table, and the values that the task says."""

    number: float
    rows: Mapping[str, tuple[Row, ...]]
    said: Mapping[str, str]


def learn_costs(traced: Sequence[Traced], readings: Mapping[str, str]) -> list[Cost]:
    """Return what the rows of tables cost; those that cost nothing are missing.

    Args:
        traced: The demonstrations.
        readings: Key of what was added to an enquiry → reading.
    """
    bills = list(_bills(traced, readings))
    tables = sorted({table for bill in bills for table in bill.rows})
    cost_by_table: dict[str, Cost | None] = {}
    while len(cost_by_table) < len(tables):
        bills_by_unknown: dict[frozenset[str], list[_Bill]] = defaultdict(list)
        for bill in bills:
            unknown = frozenset(bill.rows.keys() - cost_by_table.keys())
            if unknown:
                bills_by_unknown[unknown].append(bill)
        sets = sorted(
            (
                unknown
                for unknown, group in bills_by_unknown.items()
                if len(group) >= _LEAST_RECORDS
            ),
            key=lambda unknown: (len(unknown), -len(bills_by_unknown[unknown]), sorted(unknown)),
        )
        explained = next(
            (
                ways
                for unknown in sets
                if len(unknown) <= _MOST_UNKNOWN
                and (
                    ways := _explain(
                        bills_by_unknown[unknown],
                        sorted(unknown),
                        cost_by_table,
                        set(readings.values()),
                    )
                )
            ),
            None,
        )
        if explained is None:
            break
        cost_by_table |= explained
    return [cost for _, cost in sorted(cost_by_table.items()) if cost is not None]


def _bills(traced: Sequence[Traced], readings: Mapping[str, str]) -> Iterator[_Bill]:
    for demonstration in traced:
        for answer in demonstration.shown.told:
            rows: dict[str, list[Row]] = defaultdict(list)
            for chosen_row in demonstration.chosen:
                if chosen_row.record == answer.record:
                    rows[chosen_row.row.table].append(chosen_row.row)
            value_by_reading = {
                readings[key]: str(v) for key, v in answer.extra.items() if key in readings
            }
            yield _Bill(
                answer.number,
                {t: tuple(demonstration) for t, demonstration in rows.items()},
                value_by_reading,
            )


def _explain(
    bills: Sequence[_Bill],
    unknown: Sequence[str],
    cost_by_table: Mapping[str, Cost | None],
    readings: Iterable[str],
) -> dict[str, Cost | None]:
    """Return what some tables cost, if that explains the bills; the simplest that does."""
    sample = bills[:: max(1, len(bills) // _MOST_RECORDS)]
    remainders = [
        bill.number
        - sum(
            cost_of_row(cost, row, bill.said)
            for table, rows in bill.rows.items()
            if (cost := cost_by_table.get(table)) is not None
            for row in rows
        )
        for bill in sample
    ]
    ways = [
        [(cost, _amounts(cost, table, sample)) for cost in _ways(table, sample, readings)]
        for table in unknown
    ]
    best: tuple[int, dict[str, Cost | None]] | None = None
    for way in itertools.islice(itertools.product(*ways), _MOST_WAYS):
        wrong = 0
        allowed = (1 - _EXPLAINED_SHARE) * len(sample) if best is None else best[0] - 1
        for i, remainder in enumerate(remainders):
            if abs(remainder - sum(amounts[i] for _, amounts in way)) > _CENT:
                wrong += 1
                if wrong > allowed:
                    break
        if wrong <= allowed:
            best = wrong, {t: cost for t, (cost, _) in zip(unknown, way, strict=True)}
            if not wrong:
                break
    return best[1] if best else {}


def _amounts(cost: Cost | None, table: str, bills: Sequence[_Bill]) -> list[float]:
    if cost is None:
        return [0.0] * len(bills)
    return [sum(cost_of_row(cost, row, bill.said) for row in bill.rows[table]) for bill in bills]


def _ways(table: str, bills: Sequence[_Bill], readings: Iterable[str]) -> list[Cost | None]:
    """Return the costs that rows of a table may have, the simplest first."""
    rows = [row for bill in bills for row in bill.rows[table]]
    columns = [
        column
        for column in rows[0].fields
        if all(number_of(row.fields.get(column, "")) is not None for row in rows)
    ]
    ways: list[Cost | None] = [None, *(Cost(table, column) for column in columns)]
    for times in sorted(readings):
        ways += [Cost(table, column, times) for column in columns]
        for column in columns:
            others = [other for other in columns if other != column]
            ways += [Cost(table, column, times, per) for per in (*others, *_SHARERS)]
    return ways
