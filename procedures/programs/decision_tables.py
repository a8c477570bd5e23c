"""Decision tables: a few classes, of facts or of the task, decide a value together."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from ..episodes.history import History
from .program_conditions import Term, value_of


@dataclass(frozen=True)
class DecisionTable:
    """A table from combinations of classes to values.

    Attributes:
        by: Terms of the classes.
        rows: Each combination that was shown, with its value.
    """

    by: tuple[Term, ...]
    rows: tuple[tuple[tuple[str, ...], str], ...] = field(hash=False)

    @cached_property
    def _given(self) -> dict[tuple[str | None, ...], str]:
        return dict(self.rows)

    def value(self, history: History) -> str | None:
        """Return the value now; None where the combination was never shown."""
        return self._given.get(tuple(value_of(term, history) for term in self.by))


@dataclass(frozen=True, slots=True)
class Tabled:
    """A source that takes its value from a decision table.

    Attributes:
        tables: All tables that fit the demonstrations. Where one has no value, or they differ, the
            value is unknown.
    """

    tables: tuple[DecisionTable, ...]

    def value(self, history: History) -> str | None:
        """Return the value of all tables now; None where they differ."""
        values = {table.value(history) for table in self.tables}
        return values.pop() if len(values) == 1 else None
