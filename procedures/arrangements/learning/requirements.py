"""Learning requirements: conditions that all demonstrations keep, and not by chance."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ..arrangement import AtMostUses, Distinct, Form, Requirement, Same, Together
from ..table_rows import Row, number_of
from .shapes import Traced
from .shown import ChosenRow

_SURE_BITS = 10.0
"""Bits: chance would have kept it in one of 1,000 such sets of demonstrations."""
_USUAL_SHARE = 0.9
"""Share of demonstrations that keep to what only makes the search simpler."""


class Choice:
    """Rows of one table that were chosen at one place, and those that could have been.

    Attributes:
        chosen: One for each slot.
        among: The candidates.
    """

    def __init__(self, chosen: Sequence[ChosenRow], among: Sequence[Row]) -> None:
        self.chosen = chosen
        self.among = among


def choices_of(demonstration: Traced, forms: Sequence[Form]) -> dict[str, list[Choice]]:
    """Return table → what was chosen of it, by the values that the slots share."""
    at_of = {(form.slot, form.among): form.at for form in forms}
    groups: dict[tuple[str, tuple[str, ...], tuple[str, ...]], list[ChosenRow]] = defaultdict(list)
    for chosen_row in demonstration.chosen:
        at = at_of[chosen_row.slot, chosen_row.row.table]
        values = tuple(chosen_row.row.fields[column] for column in at)
        groups[chosen_row.row.table, at, values].append(chosen_row)
    choices_by_table: dict[str, list[Choice]] = defaultdict(list)
    for (table, at, values), members in groups.items():
        choices_by_table[table].append(
            Choice(members, demonstration.shown.tables.where(table, at, values))
        )
    return choices_by_table


def learn_requirements(traced: Sequence[Traced], forms: Sequence[Form]) -> list[Requirement]:
    """Return the requirements that no demonstration refutes and chance does not explain."""
    choices: dict[str, list[list[Choice]]] = defaultdict(list)
    for demonstration in traced:
        for table, groups in choices_of(demonstration, forms).items():
            choices[table].append(groups)
    requirements: list[Requirement] = []
    for table in sorted(choices):
        requirements += _distinct(table, choices[table])
        requirements += _same(table, choices[table])
        requirements += _at_most_uses(table, choices[table])
    return [*requirements, *_together(traced, forms)]


def _distinct(table: str, choices: Sequence[Sequence[Choice]]) -> Iterator[Requirement]:
    bits = 0.0
    for groups in choices:
        rows = [id(chosen_row.row) for group in groups for chosen_row in group.chosen]
        if len(set(rows)) < len(rows):
            return
        for group in groups:
            bits += sum(bits_of(1 - i / len(group.among)) for i in range(len(group.chosen)))
    if bits >= _SURE_BITS:
        yield Distinct(table)


def _same(table: str, choices: Sequence[Sequence[Choice]]) -> Iterator[Requirement]:
    """Yield that slots have the same row, where that is usual: who keeps to it forgoes little."""
    bits = 0.0
    groups = [group for each in choices for group in each if len(group.chosen) > 1]
    equal_groups = [
        group for group in groups if len({id(chosen_row.row) for chosen_row in group.chosen}) == 1
    ]
    if not groups or len(equal_groups) < _USUAL_SHARE * len(groups):
        return
    for group in equal_groups:
        bits += (len(group.chosen) - 1) * math.log2(max(1, len(group.among)))
    if bits >= _SURE_BITS:
        yield Same(table)


def _at_most_uses(table: str, choices: Sequence[Sequence[Choice]]) -> Iterator[Requirement]:
    groups = [group for each in choices for group in each]
    columns = {column for group in groups for row in group.among[:1] for column in row.fields}
    for column in sorted(columns):
        bits = 0.0
        for group in groups:
            uses = Counter(id(chosen_row.row) for chosen_row in group.chosen)
            rows = {id(chosen_row.row): chosen_row.row for chosen_row in group.chosen}
            for key, count in uses.items():
                number = number_of(rows[key].fields.get(column, ""))
                if number is None or number > count:
                    bits = -math.inf
                else:
                    sizes = [number_of(row.fields.get(column, "")) for row in group.among]
                    fitting = sum(size is not None and size <= count for size in sizes)
                    bits += bits_of(fitting / len(sizes))
        if bits >= _SURE_BITS:
            yield AtMostUses(table, column)


def _together(traced: Sequence[Traced], forms: Sequence[Form]) -> Iterator[Requirement]:
    """Yield the sets of tables from which a slot was filled, where these are not all."""
    tables: Mapping[str, set[str]] = defaultdict(set)
    for form in forms:
        if form.among:
            tables[form.slot].add(form.among)
    for slot, every in tables.items():
        if len(every) < 2:
            continue
        sets = {
            frozenset(c.row.table for c in each.chosen if c.slot == slot) for each in traced
        } - {frozenset()}
        largest = [s for s in sets if not any(s < other for other in sets)]
        if frozenset(every) not in largest:
            yield Together(slot, tuple(sorted(tuple(sorted(each)) for each in largest)))


def bits_of(probability: float) -> float:
    """Return how surprising something is that has a probability."""
    return -math.log2(probability) if probability > 0 else 0.0
