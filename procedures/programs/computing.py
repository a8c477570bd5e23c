"""Numbers that are computed: rows that are counted or added up, and what comes of quantities."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from ..episodes.history import History
from .conditions import Arithmetic, Condition, Rounded, all_hold, kinds_of
from .figures import EXACT, number_of

__all__ = ["Computation", "Total"]


@dataclass(frozen=True, slots=True)
class Total:
    """The rows of a kind in the newest result that has any: their number, or the sum of a field.

    Attributes:
        kind: Of the rows.
        field: What is added up; None: the rows are counted.
        where: Which rows count.
    """

    kind: str
    field: str | None = None
    where: tuple[Condition, ...] = ()

    @property
    def kinds(self) -> frozenset[str]:
        """Kinds of facts that it looks at."""
        return frozenset((self.kind,)).union(*map(kinds_of, self.where))

    def figures(self, history: History) -> list[str]:
        """Return the figures that are added up; of rows that are counted ones."""
        rows = (row for row in history.newest(self.kind) if all_hold(self.where, history, row))
        if self.field is None:
            return ["1" for _ in rows]
        return [row.fields.get(self.field, "") for row in rows]

    def number(self, history: History) -> Decimal | None:
        """Return the number; None where there is no such row, or a figure is none."""
        total = Decimal(0) if self.kind in history.kinds else None
        for text in self.figures(history):
            number = number_of(text)
            if total is None or number is None:
                return None
            total = EXACT.add(total, number)
        return total


Computation = Total | Arithmetic | Rounded
