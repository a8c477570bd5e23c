"""What may be computed of quantities: expressions of few operations, each with its column of sizes.

Expressions are grown by one operation at a time; of those that are alike at all moments one is
kept. Sizes are floats here: whoever takes an expression checks it exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..program_conditions import Arithmetic, Size, Term
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
        return self.type, _rounded(self.sizes).tobytes()


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
    seen: set[tuple[str, bytes]] = set()
    levels: list[list[Expression]] = [[]]
    for each in leaves:
        if (key := each.key) not in seen:
            seen.add(key)
            levels[0].append(each)
    yield levels[0]
    for number in range(1, operations + 1):
        made: list[_Made] = []
        for first in range(number):
            others = levels[number - 1 - first]
            table = np.array([each.sizes for each in others])
            for left in levels[first] if others else ():
                made += _of_two(left, others, table)
        signed = [_of_one(each) for each in levels[0]] if number == 1 else []
        levels.append(_new([*made, *_without_signs([*signed, *made])], seen))
        yield levels[-1]
        if len(levels[-1]) > most:
            return


_Parts: TypeAlias = "tuple[Term | _Parts, str, Term | None]"
_Made: TypeAlias = tuple[_Parts, str, Floats, int]
"""What may become an expression, if none is like it, as few do: of what parts it is, its type, its
sizes and the number of its operations. Without a right part its left loses its sign (``||``), or
it is the left as it is."""


def _term(parts: _Parts) -> Term:
    left, sign, right = parts
    made = _term(left) if isinstance(left, tuple) else left
    if right is not None:
        return Arithmetic(made, sign, right)
    return Size(made) if sign else made


def _new(made: Sequence[_Made], seen: set[tuple[str, bytes]]) -> list[Expression]:
    """Return what is like nothing that was seen, which is noted as seen."""
    level: list[Expression] = []
    rounded = _rounded(np.array([sizes for _, _, sizes, _ in made]))
    for (parts, type_, sizes, operations), row in zip(made, rounded, strict=True):
        if (key := (type_, row.tobytes())) not in seen:
            seen.add(key)
            level.append(Expression(_term(parts), type_, sizes, operations))
    return level


def _rounded(sizes: Floats) -> Floats:
    return np.asarray(np.round(sizes, _DIGITS) + 0.0)


def _of_one(each: Expression) -> _Made:
    return (each.term, "", None), each.type, each.sizes, each.operations


def _of_two(left: Expression, rights: Sequence[Expression], table: Floats) -> Iterator[_Made]:
    """Yield what comes of an expression and each of some others by one operation.

    Args:
        left: The expression.
        rights: The others, at least one.
        table: Their sizes; shape (others, moments).
    """
    made: dict[str, tuple[Floats, NDArray[np.bool_]]] = {}
    for number, right in enumerate(rights):
        type_ = "number" if left.type == right.type else left.type
        operations = left.operations + right.operations + 1
        for sign in operations_of(left, right):
            if sign not in made:
                with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                    sizes = _sizes(left.sizes, sign, table)
                sizes[~np.isfinite(sizes)] = np.nan
                made[sign] = sizes, np.asarray(~np.isnan(sizes).all(axis=1))
            sizes, known = made[sign]
            if known[number]:
                yield (left.term, sign, right.term), type_, sizes[number], operations


def _without_signs(made: Sequence[_Made]) -> Iterator[_Made]:
    """Yield by how much quantities differ: of what is now more and now less than nothing."""
    numbers = [each for each in made if each[1] == "number"]
    if not numbers:
        return
    table = np.array([sizes for _, _, sizes, _ in numbers])
    with np.errstate(invalid="ignore"):
        both = (table < 0).any(axis=1) & (table > 0).any(axis=1)
    for i in np.nonzero(both)[0].tolist():
        parts, type_, sizes, operations = numbers[i]
        yield (parts, "||", None), type_, np.abs(sizes), max(1, operations)


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
