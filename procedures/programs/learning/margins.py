"""Computed limits: comparisons of a computed figure with another figure.

Among so many comparisons some part few moments by chance. So comparisons of more operations have to
part more moments.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..program_conditions import Comparison, Condition, Term
from ..terms import parts_of
from .expressions import Expression, Expressions, expressions, leaf

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
        made: Computed terms, made when one is asked for.
        limits: Figures that they are compared with.
        pairs: Indices of a computed term and a figure; shape (comparisons, 2).
        within: Whether the term is at most the figure; shape (moments / 8, comparisons).
        below: Whether the term is less than the figure; the same shape.
        there: Whether both are known; the same shape.
    """

    made: Expressions
    limits: Sequence[Term]
    pairs: NDArray[np.intp]
    within: _Bytes
    below: _Bytes
    there: _Bytes

    def parting(
        self, positives: _Bytes, negatives: _Bytes, least: int
    ) -> Iterator[tuple[str, int, _Bytes]]:
        """Yield relation, comparison and truth where it holds at all positive, no negative moment.

        Comparisons drop out a byte of moments at a time: hardly any is left after the first.

        Args:
            positives: Moments, eight a byte.
            negatives: Moments, eight a byte.
            least: Negative moments at which both figures have to be known.
        """
        moments = positives | negatives
        rows = np.flatnonzero(moments)
        # A byte with many moments drops most.
        rows = rows[np.argsort(-_ONES[moments[rows]].astype(int), kind="stable")]
        for relation in ("<=", ">", "<", ">="):
            indices = np.arange(len(self.pairs))
            for at, row in enumerate(rows.tolist()):
                truth = self._truth(relation, row, indices if at else slice(None))
                indices = indices[truth & moments[row] == positives[row]]
                if not len(indices):
                    break
            else:
                yield from self._known_enough(relation, indices, negatives, least)

    def _known_enough(
        self, relation: str, indices: NDArray[np.intp], negatives: _Bytes, least: int
    ) -> Iterator[tuple[str, int, _Bytes]]:
        known = _ONES[self.there[:, indices] & negatives[:, None]].sum(axis=0)
        for index in indices[known >= least].tolist():
            yield relation, index, self._truth(relation, slice(None), index)

    def _truth(self, relation: str, row: int | slice, at: NDArray[np.intp] | slice | int) -> _Bytes:
        there = self.there[row, at]
        held = (self.within if relation in ("<=", ">") else self.below)[row, at]
        return held & there if relation[0] == "<" else ~held & there


class Margins:
    """Comparisons of computed figures with another figure, and the moments at which they hold.

    Args:
        terms: The figures.
        column: Function from a term to its value at each moment.
        moments: Number of moments.
        sums: Sums of rows, which are compared without an operation.
        plain: Whether all figures are compared without an operation, too.
    """

    def __init__(
        self,
        terms: Sequence[Term],
        column: Callable[[Term], Sequence[str | None]],
        moments: int,
        sums: Sequence[Term] = (),
        *,
        plain: bool = False,
    ) -> None:
        leaves = (each for term in terms if (each := leaf(term, column(term))) is not None)
        self._figures = list(itertools.islice(leaves, _MOST_FIGURES))
        self._grown = iter(expressions(self._figures, _OPERATIONS, _MOST_GROWN))
        compared = [each for term in sums if (each := leaf(term, column(term))) is not None]
        figures = next(self._grown, None)
        plain_level = [figures] if plain and figures is not None else []
        self._plain = [Expressions.of(compared)] * bool(compared) + plain_level
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
            parting_conditions: list[tuple[Condition, int]] = []
            for relation, index, truth in level.parting(positive_mask, negative_mask, least):
                computed, limit = level.pairs[index].tolist()
                term, figure = level.made[computed].term, level.limits[limit]
                if figure not in parts_of(term):  # that would be a limit of the other part
                    held = int.from_bytes(truth.tobytes(), "little")
                    parting_conditions.append((Comparison(term, relation, figure), held))
            yield from parting_conditions
            if parting_conditions:
                return

    def _level(self, number: int) -> _Level:
        while len(self._levels) <= number:
            first = [] if self._levels else self._plain
            parts = [*first, *itertools.islice(self._grown, 1)]
            level = Expressions.joined(parts or [Expressions.of(())])
            self._levels.append(_compare(level, self._figures))
        return self._levels[number]

    def _mask(self, moments: int) -> _Bytes:
        """Return moments as bytes."""
        return np.frombuffer(moments.to_bytes(-(-self._moments // 8), "little"), np.uint8)


def _least_negatives(positives: int, comparison_count: int) -> int:
    """Return how many negative moments have to be parted so that it is no chance."""
    needed = _LEAST
    while (
        math.log2(math.comb(positives + needed, needed))
        <= math.log2(comparison_count or 1) + _SURE_BITS
    ):
        needed += 1
    return needed


def _compare(level: Expressions, figures: Sequence[Expression]) -> _Level:
    """Compare all expressions of a level with all figures of their type."""
    limit_terms: list[Term] = []
    pairs: list[NDArray[np.intp]] = [np.empty((0, 2), np.intp)]
    no_rows = np.empty((0, -(-len(figures[0].sizes) // 8)), np.uint8)
    truth_columns: tuple[list[_Bytes], ...] = ([no_rows], [no_rows], [no_rows])
    for type_ in dict.fromkeys(level.types.tolist()):
        limits = {each.term: each.sizes for each in figures if each.type == type_}
        numbers = np.flatnonzero(level.types == type_)
        if not limits:
            continue
        limit_sizes = np.array([*limits.values()])
        for start in range(0, len(numbers), _BLOCK):
            sizes = level.sizes[numbers[start : start + _BLOCK], None]
            with np.errstate(invalid="ignore"):
                differences = (sizes - limit_sizes).reshape(-1, limit_sizes.shape[1])
                truths = differences <= _ROUNDING, differences < -_ROUNDING, ~np.isnan(differences)
            for column, truth in zip(truth_columns, truths, strict=True):
                column.append(np.packbits(truth, axis=1, bitorder="little"))
        limit_numbers = len(limit_terms) + np.arange(len(limits))
        grid = np.meshgrid(numbers, limit_numbers, indexing="ij")
        pairs.append(np.stack(grid, axis=-1).reshape(-1, 2))
        limit_terms += limits
    within, below, there = (
        np.ascontiguousarray(np.concatenate(column).T) for column in truth_columns
    )
    return _Level(level, limit_terms, np.concatenate(pairs), within, below, there)
