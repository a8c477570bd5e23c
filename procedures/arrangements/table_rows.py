"""Rows of tables: the facts of a result, by the columns that are asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..episodes.fact import Fact
from ..episodes.tokens import magnitude


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A row, which is itself only: two rows may say the same."""

    table: str
    fields: Mapping[str, str]

    @property
    def values(self) -> Iterable[str]:
        """Values of all columns."""
        return self.fields.values()


def number_of(text: str) -> float | None:
    """Return the size of a number; None for what is none."""
    size = magnitude(text)
    return size[1] if size is not None and size[0] == "number" else None


@dataclass(slots=True)
class Tables:
    """All rows that were told.

    Attributes:
        rows: Table → its rows.
    """

    rows: Mapping[str, Sequence[Row]]
    _keyed: dict[tuple[str, tuple[str, ...]], dict[tuple[str, ...], list[Row]]] = field(
        default_factory=dict
    )

    @classmethod
    def of(cls, facts: Iterable[Fact]) -> Tables:
        """Read the facts of results."""
        rows: dict[str, list[Row]] = defaultdict(list)
        for fact in facts:
            rows[fact.kind].append(Row(fact.kind, fact.fields))
        return cls(dict(rows))

    def where(self, table: str, columns: tuple[str, ...], values: tuple[str, ...]) -> Sequence[Row]:
        """Return the rows of a table that have some values in some columns."""
        key = (table, columns)
        if key not in self._keyed:
            index: dict[tuple[str, ...], list[Row]] = defaultdict(list)
            for row in self.rows.get(table, ()):
                index[tuple(row.fields.get(column, "") for column in columns)].append(row)
            self._keyed[key] = index
        return self._keyed[key].get(values, ())

    def all_values(self, table: str) -> Iterable[str]:
        """Return the values of all columns of a table, each once."""
        key = (table, ("*",))
        if key not in self._keyed:
            rows = self.rows.get(table, ())
            self._keyed[key] = {(value,): [] for row in rows for value in row.values if value}
        return (value for (value,) in self._keyed[key])

    def values(self, table: str, column: str) -> dict[str, None]:
        """Return the values of a column, each once, in order."""
        rows = self.rows.get(table, ())
        return dict.fromkeys(row.fields[column] for row in rows if row.fields.get(column))
