"""Decision tables: a value that a few classes, told or said, decide together."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from ..episodes.history import History
from .program_conditions import Term, value_of

__all__ = ["DecisionTable", "Tabled"]


@dataclass(frozen=True)
class DecisionTable:
    """What each combination of classes gives.

    Attributes:
        by: The classes.
        rows: Each combination that was shown, and what it gives.
    """

    by: tuple[Term, ...]
    rows: tuple[tuple[tuple[str, ...], str], ...] = field(hash=False)

    @cached_property
    def _given(self) -> dict[tuple[str | None, ...], str]:
        return dict(self.rows)

    def value(self, history: History) -> str | None:
        """Return what is given now; None where the combination was never shown."""
        return self._given.get(tuple(value_of(term, history) for term in self.by))


@dataclass(frozen=True, slots=True)
class Tabled:
    """What a decision table gives.

    Attributes:
        tables: All that fit the demonstrations; where one of them gives nothing, or they differ,
            nobody knows.
    """

    tables: tuple[DecisionTable, ...]

    def value(self, history: History) -> str | None:
        """Return what all tables give now."""
        values = {table.value(history) for table in self.tables}
        return values.pop() if len(values) == 1 else None
