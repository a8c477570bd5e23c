"""Limits that are computed: what comes of figures is at most another figure, or more.

Of so many comparisons some part few moments by chance: those of more operations have to part more
moments.
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

__all__ = ["Margins"]

_MOST_FIGURES = 10
"""Figures of which margins are made, the first that were told."""
_LEAST = 4
"""Moments on either side of a limit of one operation below which it may be chance."""
_LEAST_WAYS = 252
"""Ways to part the moments so, of which one is shown, below which it may be chance: five of ten."""
_OPERATIONS = 2
_MOST_GROWN = 600
"""Expressions of one operation from which on none of two are made: it would take long."""
_SURE_BITS = 8.0
"""By so much the moments that are parted tell more than which comparison it was."""
_ROUNDING = 5e-10
"""What may be left of a difference of figures that are written alike."""
_BLOCK = 64
"""Expressions that are compared at once: their differences have to stay in a processor's cache."""
_Bytes = NDArray[np.uint8]
"""Truths, eight moments a byte, the first the lowest bit."""
_ONES = np.array([byte.bit_count() for byte in range(256)], np.uint8)


@dataclass(frozen=True, slots=True)
class _Level:
    """Comparisons of as many operations.

    Attributes:
        made: What is compared with figures.
        limits: The figures.
        pairs: Which of the one is compared with which of the other; shape (comparisons, 2).
        within: Whether it is at most that; shape (moments / 8, comparisons).
        below: Whether it is less than that.
        there: Whether both are known.
    """

    made: Sequence[Term]
    limits: Sequence[Term]
    pairs: NDArray[np.intp]
    within: _Bytes
    below: _Bytes
    there: _Bytes

    def related(self, chosen: NDArray[np.intp]) -> Iterator[tuple[str, _Bytes]]:
        """Yield the relations, and where each holds of some comparisons."""
        within, below, there = (a[:, chosen] for a in (self.within, self.below, self.there))
        yield "<=", within & there
        yield ">", ~within & there
        yield "<", below & there
        yield ">=", ~below & there


class Margins:
    """Comparisons of what comes of figures with another one, and the moments at which they hold.

    Args:
        terms: The figures.
        column: What a term says at each moment.
        moments: How many there are.
        sums: Sums of rows, which are compared as they are.
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
        next(self._grown)  # no operation: relations of what was told are looked for elsewhere
        self._sums = [each for term in sums if (each := leaf(term, column(term))) is not None]
        self._levels: list[_Level] = []
        self._moments = moments

    def parting(self, positives: int, negatives: int) -> Iterator[tuple[Condition, int]]:
        """Yield comparisons that hold at all positive moments and at no negative one, the simplest.

        Args:
            positives: Moments, as bits.
            negatives: The same.
        """
        fewer, more = sorted((positives.bit_count(), negatives.bit_count()))
        if fewer < _LEAST or math.comb(fewer + more, fewer) < _LEAST_WAYS or not self._figures:
            return
        good, bad = self._mask(positives), self._mask(negatives)
        tried = 0
        for number in range(_OPERATIONS):
            if number and _least(positives.bit_count(), tried) > negatives.bit_count():
                return  # with more that are tried it takes more still
            level = self._level(number)
            tried += 4 * len(level.pairs)
            least = _LEAST if number == 0 else _least(positives.bit_count(), tried)
            if not len(level.pairs) or least > negatives.bit_count():
                continue
            chosen = np.nonzero(_hold(level.there, good))[0]
            chosen = chosen[_number(level.there[:, chosen], bad) >= least]
            right: list[tuple[Condition, int]] = []
            for relation, truth in level.related(chosen):
                parts = _hold(truth, good) & (_number(truth, bad) == 0)
                for i in np.nonzero(parts)[0].tolist():
                    left, limit = level.pairs[chosen[i]]
                    condition = Comparison(level.made[left], relation, level.limits[limit])
                    right.append((condition, int.from_bytes(truth[:, i].tobytes(), "little")))
            yield from right
            if right:
                return

    def _level(self, number: int) -> _Level:
        while len(self._levels) <= number:
            sums = () if self._levels else self._sums
            level = (*sums, *next(self._grown, ()))
            self._levels.append(_compared(level, self._figures))
        return self._levels[number]

    def _mask(self, moments: int) -> _Bytes:
        """Return moments as a column of bytes."""
        text = moments.to_bytes(-(-self._moments // 8), "little")
        return np.frombuffer(text, np.uint8)[:, None]


def _hold(truths: _Bytes, moments: _Bytes) -> NDArray[np.bool_]:
    """Return what is true at all of some moments."""
    rows = np.flatnonzero(moments)
    return np.asarray(((truths[rows] & moments[rows]) == moments[rows]).all(axis=0))


def _number(truths: _Bytes, moments: _Bytes) -> NDArray[np.intp]:
    """Return at how many of some moments each is true."""
    rows = np.flatnonzero(moments)
    return np.asarray(_ONES[truths[rows] & moments[rows]].sum(axis=0))


def _least(good: int, tried: int) -> int:
    """Return how many moments have to be parted from others so that it is no chance."""
    bad = _LEAST
    while math.log2(math.comb(good + bad, bad)) <= math.log2(tried or 1) + _SURE_BITS:
        bad += 1
    return bad


def _compared(level: Sequence[Expression], figures: Sequence[Expression]) -> _Level:
    terms: list[Term] = []
    against: list[Term] = []
    pairs: list[NDArray[np.intp]] = [np.empty((0, 2), np.intp)]
    nothing = np.empty((0, -(-len(figures[0].sizes) // 8)), np.uint8)
    shown: tuple[list[_Bytes], ...] = ([nothing], [nothing], [nothing])
    for type_ in dict.fromkeys(each.type for each in level):
        limits = {each.term: each for each in figures if each.type == type_}
        numbers = {term: number for number, term in enumerate(limits)}
        made = [each for each in level if each.type == type_] if limits else []
        if not made:
            continue
        apart = np.ones((len(made), len(limits)), bool)
        known: dict[int, frozenset[int]] = {}
        for row, each in enumerate(made):  # what is made of a figure is not compared with it
            apart[row, list(_figures_in(each.term, numbers, known))] = False
        sizes = np.array([each.sizes for each in made])
        others = np.array([each.sizes for each in limits.values()])
        for first in range(0, len(made), _BLOCK):
            block = slice(first, first + _BLOCK)
            with np.errstate(invalid="ignore"):
                rest = (sizes[block, None] - others)[apart[block]]
                truths = rest <= _ROUNDING, rest < -_ROUNDING, ~np.isnan(rest)
            for column, truth in zip(shown, truths, strict=True):
                column.append(np.packbits(truth, axis=1, bitorder="little"))
        pairs.append(np.argwhere(apart) + np.array([len(terms), len(against)]))
        terms += (each.term for each in made)
        against += limits
    within, below, there = (np.ascontiguousarray(np.concatenate(column).T) for column in shown)
    return _Level(terms, against, np.concatenate(pairs), within, below, there)


def _figures_in(
    term: Term, numbers: Mapping[Term, int], known: dict[int, frozenset[int]]
) -> frozenset[int]:
    """Return the figures of which a term is made, by their numbers.

    Args:
        term: The term.
        numbers: Figure → its number.
        known: Identity of a term → its figures, to ask for the same part but once.
    """
    found = known.get(id(term))
    if found is None:
        match term:
            case Arithmetic(left, _, right):
                found = _figures_in(left, numbers, known) | _figures_in(right, numbers, known)
            case Size(inner) | Rounded(inner):
                found = _figures_in(inner, numbers, known)
            case _:
                found = frozenset(numbers[part] for part in parts_of(term) if part in numbers)
        known[id(term)] = found
    return found
