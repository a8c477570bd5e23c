"""Expressions of few operations over quantities, each with its column of sizes.

Expressions grow by one operation at a time. Of those with equal sizes at all moments one stays.
Sizes are floats, so that the caller checks an expression exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..program_conditions import Arithmetic, Size, Term
from ..quantities import OPERATIONS, Quantity, quantity_of

Floats = NDArray[np.float64]
_PAIRS = 512
"""Pairs of expressions that are combined at once; bounds the memory."""
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


class Expressions:
    """Expressions, whose terms are made when one is asked for: of thousands hardly one is.

    Args:
        makers: Functions that make a term from a number.
        origins: For each expression the number of its function, and the number that it takes;
            shape (expressions, 2).
        types: Type of each.
        sizes: Their sizes; shape (expressions, moments).
        operations: Number of operations of each.
    """

    def __init__(
        self,
        makers: Sequence[Callable[[int], Term]],
        origins: NDArray[np.intp],
        types: NDArray[np.str_],
        sizes: Floats,
        operations: NDArray[np.intp],
    ) -> None:
        self._makers = makers
        self._origins = origins
        self.types = types
        self.sizes = sizes
        self.operations = operations

    @classmethod
    def made(
        cls,
        make: Callable[[int], Term],
        types: NDArray[np.str_],
        sizes: Floats,
        operations: NDArray[np.intp],
    ) -> Expressions:
        """Return expressions that one function makes."""
        origins = np.zeros((len(types), 2), np.intp)
        origins[:, 1] = np.arange(len(types))
        return cls([make], origins, types, sizes, operations)

    @classmethod
    def of(cls, items: Sequence[Expression]) -> Expressions:
        """Return expressions as they are."""
        terms = [each.term for each in items]
        return cls.made(
            terms.__getitem__,
            np.array([each.type for each in items], np.str_),
            np.array([each.sizes for each in items]),
            np.array([each.operations for each in items], np.intp),
        )

    @classmethod
    def joined(cls, parts: Sequence[Expressions]) -> Expressions:
        """Return all expressions of some parts; at least one."""
        makers: list[Callable[[int], Term]] = []
        origins: list[NDArray[np.intp]] = []
        filled = [part for part in parts if len(part)] or parts[:1]
        if len(filled) == 1:
            return filled[0]
        for part in filled:
            origins.append(part._origins + np.array([len(makers), 0]))
            makers += part._makers
        return cls(
            makers,
            np.concatenate(origins),
            np.concatenate([part.types for part in filled]),
            np.concatenate([part.sizes for part in filled]),
            np.concatenate([part.operations for part in filled]),
        )

    def __len__(self) -> int:
        return len(self.types)

    def __iter__(self) -> Iterator[Expression]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, number: int) -> Expression:
        maker, place = self._origins[number].tolist()
        term = self._makers[maker](place)
        return Expression(
            term, str(self.types[number]), self.sizes[number], int(self.operations[number])
        )

    @property
    def keys(self) -> list[tuple[str, bytes]]:
        """Type and rounded sizes of each, equal for expressions that agree at all moments."""
        return keys_of(self.types.tolist(), self.sizes)

    def selected(self, numbers: Sequence[int] | NDArray[np.intp]) -> Expressions:
        """Return some of the expressions."""
        at = np.asarray(numbers, np.intp)
        return Expressions(
            self._makers, self._origins[at], self.types[at], self.sizes[at], self.operations[at]
        )


def expressions(leaves: Sequence[Expression], operations: int, most: int) -> Iterator[Expressions]:
    """Yield the leaves, then the expressions of one operation, of two, and so on.

    Args:
        leaves: Terms with a quantity.
        operations: The most operations.
        most: Expressions of one level above which the next level is not built.
    """
    seen_keys: set[tuple[str, bytes]] = set()
    levels = [_new(Expressions.of(leaves), seen_keys)]
    yield levels[0]
    for number in range(1, operations + 1 if leaves else 1):
        grown = [
            _new(block, seen_keys)
            for operations_left in range(number)
            for block in _combinations(
                levels[operations_left], levels[number - 1 - operations_left]
            )
        ]
        signed = [levels[0], *grown] if number == 1 else grown
        absolute = [_new(_absolute_values(part), seen_keys) for part in signed]
        levels.append(Expressions.joined([*grown, *absolute]))
        yield levels[-1]
        if len(levels[-1]) > most:
            return


def _new(candidates: Expressions, seen_keys: set[tuple[str, bytes]]) -> Expressions:
    """Return candidates with new sizes, and add their keys to the seen ones."""
    numbers: list[int] = []
    for number, key in enumerate(candidates.keys):
        if key not in seen_keys:
            seen_keys.add(key)
            numbers.append(number)
    return candidates.selected(numbers)


def keys_of(types: Sequence[str], sizes: Floats) -> list[tuple[str, bytes]]:
    """Return the keys of expressions with these types and sizes; shape (expressions, moments)."""
    rounded = np.ascontiguousarray(_rounded(sizes))
    rows = rounded.view(np.dtype((np.void, rounded.itemsize * rounded.shape[-1])))
    return list(zip(types, rows.ravel().tolist(), strict=True))


def _rounded(sizes: Floats) -> Floats:
    return np.asarray(np.round(sizes, _DIGITS) + 0.0)


def _combinations(lefts: Expressions, rights: Expressions) -> Iterator[Expressions]:
    """Yield the expressions of one operation over two, many at once: few of them are new."""
    rows = max(1, _PAIRS // max(1, len(rights)))
    for at in range(0, max(1, len(lefts)), rows):
        yield _block(lefts.selected(range(at, min(at + rows, len(lefts)))), rights)


def _block(lefts: Expressions, rights: Expressions) -> Expressions:
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        one, other = lefts.sizes[:, np.newaxis], rights.sizes[np.newaxis]
        sizes = np.stack([_sizes(one, sign, other) for sign in OPERATIONS], axis=2)
    sizes[~np.isfinite(sizes)] = np.nan
    places = np.argwhere(_allowed(lefts, rights) & ~np.isnan(sizes).all(axis=3))
    left, right, _ = places.T
    types = lefts.types[left]
    return Expressions.made(
        partial(_arithmetic, lefts, rights, places),
        np.where(types == rights.types[right], "number", types),
        sizes[tuple(places.T)],
        lefts.operations[left] + rights.operations[right] + 1,
    )


def _arithmetic(
    lefts: Expressions, rights: Expressions, places: NDArray[np.intp], number: int
) -> Term:
    left, right, sign = places[number].tolist()
    return Arithmetic(lefts[left].term, OPERATIONS[sign], rights[right].term)


def _allowed(lefts: Expressions, rights: Expressions) -> NDArray[np.bool_]:
    """Return which operations pairs of expressions allow; shape (lefts, rights, operations)."""
    left_kinds, right_kinds = (
        list(zip(each.types.tolist(), each.operations.tolist(), strict=True))
        for each in (lefts, rights)
    )
    allowed = {
        (one, other): [sign in operations_of(one, other) for sign in OPERATIONS]
        for one in set(left_kinds)
        for other in set(right_kinds)
    }
    rows = [[allowed[one, other] for other in right_kinds] for one in left_kinds]
    return np.array(rows, np.bool_).reshape(len(lefts), len(rights), len(OPERATIONS))


def _absolute_values(candidates: Expressions) -> Expressions:
    """Return the absolute values of numbers that are sometimes positive and sometimes negative."""
    with np.errstate(invalid="ignore"):
        changes_sign = (candidates.sizes < 0).any(axis=1) & (candidates.sizes > 0).any(axis=1)
    numbers = np.flatnonzero(changes_sign & (candidates.types == "number"))
    chosen = candidates.selected(numbers)
    return Expressions.made(
        partial(_size, chosen),
        chosen.types,
        np.abs(chosen.sizes),
        np.maximum(1, chosen.operations),
    )


def _size(expressions_of_sizes: Expressions, number: int) -> Term:
    return Size(expressions_of_sizes[number].term)


def operations_of(left: tuple[str, int], right: tuple[str, int]) -> str:
    """Return the operations that two expressions allow; commutative ones in one order only.

    Args:
        left: Type of an expression, and its number of operations.
        right: The same of the other.
    """
    types = left[0], right[0]
    if types == ("number", "number"):
        return "".join(sign for sign in OPERATIONS if sign in "-/" or left[1] >= right[1])
    if left[0] == right[0]:
        return "-"
    return "+-" if right[0] == "number" else ""


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
