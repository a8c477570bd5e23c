"""Computed limits: comparisons of a computed figure with another figure.

Among so many comparisons some part few moments by chance. So comparisons of more operations have to
part more moments.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..program_conditions import Arithmetic, Comparison, Condition, Rounded, Size, Term
from ..terms import parts_of
from .expressions import Expression, expressions, leaf

_MOST_FIGURES = 10
"""Most figures that margins combine, the first ones."""
_LEAST = 4
"""Least moments on either side of a limit of one operation; with fewer it may be chance."""
_LEAST_WAYS = 252
"""Least ways to split the moments, of which one is shown: five of ten. Fewer may be chance."""
_OPERATIONS = 2
"""Most operations of a computed figure; more would take long."""
_MOST_GROWN = 600
"""Expressions of one operation above which none of two are built, as that would take long."""
_SURE_BITS = 8.0
"""Bits by which the parted moments have to exceed the choice of the comparison."""
_ROUNDING = 5e-10
"""Largest difference of equal figures: floats err."""
_BLOCK = 64
"""Expressions that are compared at once: their differences fit into a processor's cache."""
_Bytes = NDArray[np.uint8]
"""Truths, eight moments a byte, the first the lowest bit."""
_ONES = np.array([byte.bit_count() for byte in range(256)], np.uint8)


@dataclass(frozen=True, slots=True)
class _Level:
    """Comparisons of one number of operations.

    Attributes:
        made: Computed terms.
        limits: Figures that they are compared with.
        pairs: Indices of a computed term and a figure; shape (comparisons, 2).
        within: Whether the term is at most the figure; shape (moments / 8, comparisons).
        below: Whether the term is less than the figure; the same shape.
        there: Whether both are known; the same shape.
    """

    made: Sequence[Term]
    limits: Sequence[Term]
    pairs: NDArray[np.intp]
    within: _Bytes
    below: _Bytes
    there: _Bytes

    def related(self, indices: NDArray[np.intp]) -> Iterator[tuple[str, _Bytes]]:
        """Yield each relation with the moments at which it holds, for some comparisons."""
        within, below, there = (a[:, indices] for a in (self.within, self.below, self.there))
        yield "<=", within & there
        yield ">", ~within & there
        yield "<", below & there
        yield ">=", ~below & there


class Margins:
    """Comparisons of computed figures with another figure, and the moments at which they hold.

    Args:
        terms: The figures.
        column: Function from a term to its value at each moment.
        moments: Number of moments.
        sums: Sums of rows, which are compared without an operation.
    """

    def __init__(
        self,
        terms: Sequence[Term],
        column: Callable[[Term], Sequence[str | None]],
        moments: int,
        sums: Sequence[Term] = (),
    ) -> None:
        leaves = (each for term in terms if (each := leaf(term, column(term))) is not None)
        self._figures = list(itertools.islice(leaves, _MOST_FIGURES))
        self._grown = iter(expressions(self._figures, _OPERATIONS, _MOST_GROWN))
        next(self._grown)  # ``Features`` compares figures without operations
        self._sums = [each for term in sums if (each := leaf(term, column(term))) is not None]
        self._levels: list[_Level] = []
        self._moments = moments

    def parting(self, positives: int, negatives: int) -> Iterator[tuple[Condition, int]]:
        """Yield the simplest comparisons that hold at all positive moments and at no negative one.

        Args:
            positives: Moments, as bits.
            negatives: Moments, as bits.
        """
        fewer, more = sorted((positives.bit_count(), negatives.bit_count()))
        if fewer < _LEAST or math.comb(fewer + more, fewer) < _LEAST_WAYS or not self._figures:
            return
        positive_mask, negative_mask = self._mask(positives), self._mask(negatives)
        comparison_count = 0
        for number in range(_OPERATIONS):
            if (
                number
                and _least_negatives(positives.bit_count(), comparison_count)
                > negatives.bit_count()
            ):
                return  # further comparisons would need even more
            level = self._level(number)
            comparison_count += 4 * len(level.pairs)
            least = (
                _LEAST if number == 0 else _least_negatives(positives.bit_count(), comparison_count)
            )
            if not len(level.pairs) or least > negatives.bit_count():
                continue
            indices = np.nonzero(_always_true(level.there, positive_mask))[0]
            indices = indices[_count_true(level.there[:, indices], negative_mask) >= least]
            parting_conditions: list[tuple[Condition, int]] = []
            for relation, truth in level.related(indices):
                parts = _always_true(truth, positive_mask) & (
                    _count_true(truth, negative_mask) == 0
                )
                for i in np.nonzero(parts)[0].tolist():
                    computed, limit = level.pairs[indices[i]]
                    condition = Comparison(level.made[computed], relation, level.limits[limit])
                    parting_conditions.append(
                        (condition, int.from_bytes(truth[:, i].tobytes(), "little"))
                    )
            yield from parting_conditions
            if parting_conditions:
                return

    def _level(self, number: int) -> _Level:
        while len(self._levels) <= number:
            sums = () if self._levels else self._sums
            level = (*sums, *next(self._grown, ()))
            self._levels.append(_compare(level, self._figures))
        return self._levels[number]

    def _mask(self, moments: int) -> _Bytes:
        """Return moments as a column of bytes."""
        text = moments.to_bytes(-(-self._moments // 8), "little")
        return np.frombuffer(text, np.uint8)[:, None]


def _always_true(truths: _Bytes, moments: _Bytes) -> NDArray[np.bool_]:
    """Return which columns are true at all of some moments."""
    rows = np.flatnonzero(moments)
    return np.asarray(((truths[rows] & moments[rows]) == moments[rows]).all(axis=0))


def _count_true(truths: _Bytes, moments: _Bytes) -> NDArray[np.intp]:
    """Return at how many of some moments each column is true."""
    rows = np.flatnonzero(moments)
    return np.asarray(_ONES[truths[rows] & moments[rows]].sum(axis=0))


def _least_negatives(positives: int, comparison_count: int) -> int:
    """Return how many negative moments have to be parted so that it is no chance."""
    needed = _LEAST
    while (
        math.log2(math.comb(positives + needed, needed))
        <= math.log2(comparison_count or 1) + _SURE_BITS
    ):
        needed += 1
    return needed


def _compare(level: Sequence[Expression], figures: Sequence[Expression]) -> _Level:
    terms: list[Term] = []
    limit_terms: list[Term] = []
    pairs: list[NDArray[np.intp]] = [np.empty((0, 2), np.intp)]
    no_rows = np.empty((0, -(-len(figures[0].sizes) // 8)), np.uint8)
    truth_columns: tuple[list[_Bytes], ...] = ([no_rows], [no_rows], [no_rows])
    for type_ in dict.fromkeys(each.type for each in level):
        limits = {each.term: each for each in figures if each.type == type_}
        numbers = {term: number for number, term in enumerate(limits)}
        computed = [each for each in level if each.type == type_] if limits else []
        if not computed:
            continue
        comparable = np.ones((len(computed), len(limits)), bool)
        figures_by_term: dict[int, frozenset[int]] = {}
        for row, each in enumerate(computed):  # a term is not compared with its own figures
            comparable[row, list(_figures_in(each.term, numbers, figures_by_term))] = False
        sizes = np.array([each.sizes for each in computed])
        limit_sizes = np.array([each.sizes for each in limits.values()])
        for start in range(0, len(computed), _BLOCK):
            block = slice(start, start + _BLOCK)
            with np.errstate(invalid="ignore"):
                differences = (sizes[block, None] - limit_sizes)[comparable[block]]
                truths = differences <= _ROUNDING, differences < -_ROUNDING, ~np.isnan(differences)
            for column, truth in zip(truth_columns, truths, strict=True):
                column.append(np.packbits(truth, axis=1, bitorder="little"))
        pairs.append(np.argwhere(comparable) + np.array([len(terms), len(limit_terms)]))
        terms += (each.term for each in computed)
        limit_terms += limits
    within, below, there = (
        np.ascontiguousarray(np.concatenate(column).T) for column in truth_columns
    )
    return _Level(terms, limit_terms, np.concatenate(pairs), within, below, there)


def _figures_in(
    term: Term, numbers: Mapping[Term, int], figures_by_term: dict[int, frozenset[int]]
) -> frozenset[int]:
    """Return the numbers of the figures in a term.

    Args:
        term: The term.
        numbers: Figure → its number.
        figures_by_term: Identity of a term → its figures, a cache.
    """
    figures = figures_by_term.get(id(term))
    if figures is None:
        match term:
            case Arithmetic(left, _, right):
                figures = _figures_in(left, numbers, figures_by_term) | _figures_in(
                    right, numbers, figures_by_term
                )
            case Size(inner) | Rounded(inner):
                figures = _figures_in(inner, numbers, figures_by_term)
            case _:
                figures = frozenset(numbers[part] for part in parts_of(term) if part in numbers)
        figures_by_term[id(term)] = figures
    return figures
