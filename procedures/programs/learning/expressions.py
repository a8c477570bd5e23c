"""Expressions of few operations over quantities, each with its column of sizes.

Expressions grow by one operation at a time. Of those with equal sizes at all moments one stays.
Sizes are floats, so that the caller checks an expression exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..program_conditions import Arithmetic, Size, Term
from ..quantities import OPERATIONS, Quantity, quantity_of

Floats = NDArray[np.float64]
_DIGITS = 7
"""Decimals up to which equal sizes agree: floats err behind them."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A term with its type, its sizes at all moments, and the number of its operations.

    Attributes:
        term: The term.
        type: Type of its quantities.
        sizes: Size at each moment, NaN where there is none; shape (moments,).
        operations: Number of operations.
    """

    term: Term
    type: str
    sizes: Floats
    operations: int = 0

    @property
    def key(self) -> tuple[str, bytes]:
        """Type and rounded sizes, equal for expressions that agree at all moments."""
        return self.type, _rounded(self.sizes).tobytes()


def size(quantity: Quantity | None) -> float:
    """Return the size of a quantity as a float; NaN for None."""
    return float("nan") if quantity is None else float(quantity.size)


def leaf(term: Term, texts: Sequence[str | None]) -> Expression | None:
    """Return a term as an expression, if its quantities differ and have one type; else None."""
    quantities = [quantity_of(text) for text in texts]
    types = {each.type for each in quantities if each}
    sizes = np.array([size(each) for each in quantities])
    if len(types) != 1 or len(set(sizes[~np.isnan(sizes)].tolist())) < 2:
        return None
    return Expression(term, types.pop(), sizes)


def expressions(
    leaves: Sequence[Expression], operations: int, most: int
) -> Iterator[Sequence[Expression]]:
    """Yield the leaves, then the expressions of one operation, of two, and so on.

    Args:
        leaves: Terms with a quantity.
        operations: The most operations.
        most: Expressions of one level above which the next level is not built.
    """
    seen_keys: set[tuple[str, bytes]] = set()
    levels: list[list[Expression]] = [[]]
    for each in leaves:
        if (key := each.key) not in seen_keys:
            seen_keys.add(key)
            levels[0].append(each)
    yield levels[0]
    for number in range(1, operations + 1):
        parts_grown: list[_Candidate] = []
        for operations_left in range(number):
            second_operands = levels[number - 1 - operations_left]
            table = np.array([each.sizes for each in second_operands])
            for first_operand in levels[operations_left] if second_operands else ():
                parts_grown += _candidates_of_two(first_operand, second_operands, table)
        single_terms = [_candidate(each) for each in levels[0]] if number == 1 else []
        levels.append(
            _new_expressions(
                [*parts_grown, *_absolute_values([*single_terms, *parts_grown])], seen_keys
            )
        )
        yield levels[-1]
        if len(levels[-1]) > most:
            return


_Parts: TypeAlias = "tuple[Term | _Parts, str, Term | None]"
_Candidate: TypeAlias = tuple[_Parts, str, Floats, int]
"""A candidate for an expression: its parts, its type, its sizes and the number of operations.

Few candidates are new. Without a second part the first one loses its sign (``||``), or stays."""


def _term(parts: _Parts) -> Term:
    first_part, sign, second_part = parts
    inner = _term(first_part) if isinstance(first_part, tuple) else first_part
    if second_part is not None:
        return Arithmetic(inner, sign, second_part)
    return Size(inner) if sign else inner


def _new_expressions(
    candidates: Sequence[_Candidate], seen_keys: set[tuple[str, bytes]]
) -> list[Expression]:
    """Return candidates with new sizes as expressions, and add their keys to the seen ones."""
    level: list[Expression] = []
    rounded = _rounded(np.array([sizes for _, _, sizes, _ in candidates]))
    for (parts, type_, sizes, operations), row in zip(candidates, rounded, strict=True):
        if (key := (type_, row.tobytes())) not in seen_keys:
            seen_keys.add(key)
            level.append(Expression(_term(parts), type_, sizes, operations))
    return level


def keys_of(types: Sequence[str], sizes: Floats) -> list[tuple[str, bytes]]:
    """Return the keys of expressions with these types and sizes; shape (expressions, moments)."""
    return [(type_, row.tobytes()) for type_, row in zip(types, _rounded(sizes), strict=True)]


def _rounded(sizes: Floats) -> Floats:
    return np.asarray(np.round(sizes, _DIGITS) + 0.0)


def _candidate(expression: Expression) -> _Candidate:
    return (expression.term, "", None), expression.type, expression.sizes, expression.operations


def _candidates_of_two(
    left: Expression, rights: Sequence[Expression], table: Floats
) -> Iterator[_Candidate]:
    """Yield the candidates of one operation over an expression and each of some others.

    Args:
        left: The expression.
        rights: The others, at least one.
        table: Their sizes; shape (others, moments).
    """
    sizes_by_sign: dict[str, tuple[Floats, NDArray[np.bool_]]] = {}
    for number, right in enumerate(rights):
        type_ = "number" if left.type == right.type else left.type
        operations = left.operations + right.operations + 1
        for sign in operations_of(left, right):
            if sign not in sizes_by_sign:
                with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                    sizes = _sizes(left.sizes, sign, table)
                sizes[~np.isfinite(sizes)] = np.nan
                sizes_by_sign[sign] = sizes, np.asarray(~np.isnan(sizes).all(axis=1))
            sizes, is_known = sizes_by_sign[sign]
            if is_known[number]:
                yield (left.term, sign, right.term), type_, sizes[number], operations


def _absolute_values(candidates: Sequence[_Candidate]) -> Iterator[_Candidate]:
    """Yield the absolute values of numbers that are sometimes positive and sometimes negative."""
    numbers = [each for each in candidates if each[1] == "number"]
    if not numbers:
        return
    table = np.array([sizes for _, _, sizes, _ in numbers])
    with np.errstate(invalid="ignore"):
        changes_sign = (table < 0).any(axis=1) & (table > 0).any(axis=1)
    for i in np.nonzero(changes_sign)[0].tolist():
        parts, type_, sizes, operations = numbers[i]
        yield (parts, "||", None), type_, np.abs(sizes), max(1, operations)


def operations_of(left: Expression, right: Expression) -> Iterator[str]:
    """Yield the operations that two expressions allow; commutative ones in one order only."""
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
