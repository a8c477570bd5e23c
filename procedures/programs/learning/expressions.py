"""What may be computed of quantities: expressions of few operations, each with its column of sizes.

Expressions are grown by one operation at a time; of those that are alike at all moments one is
kept. Sizes are floats here: whoever takes an expression checks it exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..conditions import Arithmetic, Size, Term
from ..quantities import OPERATIONS, Quantity, quantity_of

__all__ = ["Expression", "Floats", "expressions", "leaf", "operations_of", "size"]

Floats = NDArray[np.float64]
_DIGITS = 7
"""Decimals up to which sizes that are alike are the same: floats err behind them."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A term with its type, its sizes at all moments, and the number of its operations.

    Attributes:
        term: The term.
        type: Of its quantities.
        sizes: NaN where it has none; shape (moments,).
        operations: How many it has.
    """

    term: Term
    type: str
    sizes: Floats
    operations: int = 0

    @property
    def key(self) -> tuple[str, bytes]:
        """What expressions that are alike at all moments have in common."""
        return self.type, (np.round(self.sizes, _DIGITS) + 0.0).tobytes()


def size(quantity: Quantity | None) -> float:
    """Return the size of a quantity as a float; NaN of none."""
    return float("nan") if quantity is None else float(quantity.size)


def leaf(term: Term, texts: Sequence[str | None]) -> Expression | None:
    """Return what a term says, if it is of one type wherever it is a quantity, and differs."""
    quantities = [quantity_of(text) for text in texts]
    types = {each.type for each in quantities if each}
    sizes = np.array([size(each) for each in quantities])
    if len(types) != 1 or len(set(sizes[~np.isnan(sizes)].tolist())) < 2:
        return None
    return Expression(term, types.pop(), sizes)


def expressions(
    leaves: Sequence[Expression], operations: int, most: int
) -> Iterator[Sequence[Expression]]:
    """Yield the leaves, then what comes of them by one operation, by two, and so on.

    Args:
        leaves: Terms that say a quantity.
        operations: The most operations.
        most: Expressions of so many operations from which on none of more are made.
    """
    seen: dict[tuple[str, bytes], None] = {}
    levels: list[list[Expression]] = [[]]
    for each in leaves:
        if (key := each.key) not in seen:
            seen[key] = None
            levels[0].append(each)
    yield levels[0]
    for number in range(1, operations + 1):
        level: list[Expression] = []
        made: list[Expression] = []
        for first in range(number):
            others = levels[number - 1 - first]
            table = np.array([each.sizes for each in others])
            for left in levels[first] if others else ():
                made += _of_two(left, others, table)
        more = _without_signs([*(levels[0] if number == 1 else ()), *made])
        for each in (*made, *more):
            if (key := each.key) not in seen:
                seen[key] = None
                level.append(each)
        levels.append(level)
        yield level
        if len(level) > most:
            return


def _of_two(left: Expression, rights: Sequence[Expression], table: Floats) -> Iterator[Expression]:
    """Yield what comes of an expression and each of some others by one operation.

    Args:
        left: The expression.
        rights: The others, at least one.
        table: Their sizes; shape (others, moments).
    """
    made: dict[str, tuple[Floats, NDArray[np.bool_]]] = {}
    for number, right in enumerate(rights):
        both_timed = left.type == right.type
        for sign in operations_of(left, right):
            if sign not in made:
                with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                    sizes = _sizes(left.sizes, sign, table)
                sizes[~np.isfinite(sizes)] = np.nan
                made[sign] = sizes, ~np.isnan(sizes).all(axis=1)
            sizes, known = made[sign]
            if known[number]:
                term = Arithmetic(left.term, sign, right.term)
                operations = left.operations + right.operations + 1
                type_ = "number" if both_timed else left.type
                yield Expression(term, type_, sizes[number], operations)


def _without_signs(made: Iterable[Expression]) -> Iterator[Expression]:
    """Yield by how much quantities differ: of what is now more and now less than nothing."""
    for each in made:
        known = each.sizes[~np.isnan(each.sizes)]
        if each.type == "number" and (known < 0).any() and (known > 0).any():
            operations = max(1, each.operations)
            yield Expression(Size(each.term), each.type, np.abs(each.sizes), operations)


def operations_of(left: Expression, right: Expression) -> Iterator[str]:
    """Yield the operations that two expressions allow, in one order where it does not count."""
    types = left.type, right.type
    if types == ("number", "number"):
        ordered = left.operations >= right.operations
        yield from (sign for sign in OPERATIONS if sign in "-/" or ordered)
    elif left.type == right.type:
        yield "-"
    elif right.type == "number":
        yield from "+-"


def _sizes(left: Floats, sign: str, right: Floats) -> Floats:
    match sign:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case _:
            return left / right
