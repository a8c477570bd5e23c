"""Numbers that are computed: rows that are counted or added up, and two figures together."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Context, Decimal

from ..episodes.history import History
from ..episodes.tokens import figure
from .conditions import Condition, Term, all_hold, kinds_of, kinds_of_terms, value_of

__all__ = ["SIGNS", "Computation", "Pair", "Total", "decimals_of", "number_of", "written_number"]

SIGNS = ("+", "-", "*")
_LONGEST = 24
"""Characters of a figure; what is longer is a name."""
_EXACT = Context(prec=100)
"""Wide enough that sums and products of such figures are never rounded."""


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
            total = _EXACT.add(total, number)
        return total


@dataclass(frozen=True, slots=True)
class Pair:
    """The sum, difference or product of two figures."""

    left: Term
    sign: str
    right: Term

    @property
    def kinds(self) -> frozenset[str]:
        """Kinds of facts that it looks at."""
        return kinds_of_terms((self.left, self.right))

    def number(self, history: History) -> Decimal | None:
        """Return the number; None where one of the two is none."""
        left = number_of(value_of(self.left, history))
        right = number_of(value_of(self.right, history))
        if left is None or right is None:
            return None
        match self.sign:
            case "+":
                return _EXACT.add(left, right)
            case "-":
                return _EXACT.subtract(left, right)
            case _:
                return _EXACT.multiply(left, right)


Computation = Total | Pair


def written_number(number: Decimal, decimals: int | None = None) -> str | None:
    """Return a number in plain digits; None where that would have to be rounded.

    Args:
        number: The number.
        decimals: How many stand behind the point; None: no more than needed.
    """
    whole, _, part = format(number if number else Decimal(0), "f").partition(".")
    part = part.rstrip("0")
    if decimals is None:
        decimals = len(part)
    if len(part) > decimals:
        return None
    return f"{whole}.{part.ljust(decimals, '0')}" if decimals else whole


def decimals_of(text: str) -> int | None:
    """Return how many decimals a number in plain digits has; None if it is written otherwise."""
    number = number_of(text)
    if number is None:
        return None
    decimals = len(text.partition(".")[2])
    return decimals if written_number(number, decimals) == text else None


def number_of(text: str | None) -> Decimal | None:
    """Return the number that can be computed with; shares of a hundred are none."""
    computable = text and len(text) <= _LONGEST and not text.endswith("%")
    return figure(text) if text and computable else None
