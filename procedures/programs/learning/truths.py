"""Truths of relations at many places, as bits."""

from __future__ import annotations

import math
import operator
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

from ...episodes.tokens import magnitude
from ..program_conditions import Comparison

_FIGURES = bytes.maketrans(b"\0\1", b"01")
_ORDERS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}


class Column(list[str | None]):
    """Values of a term at many places. What is worked out of all of them is cached."""

    @cached_property
    def there(self) -> int:
        """Return the places that have a value, as bits."""
        return mask_of(value is not None for value in self)

    @cached_property
    def sizes(self) -> Mapping[str, Sequence[float]]:
        """Return type → the size at each place; NaN, which is in no order, where there is none."""
        sizes: dict[str, list[float]] = {}
        for place, value in enumerate(self):
            if value is not None and (size := magnitude(value)) is not None:
                sizes.setdefault(size[0], [math.nan] * len(self))[place] = size[1]
        return sizes


class Sizes:
    """Sizes of a term at places, in order, so that limits are found without a look at each place.

    Args:
        size_by_place: Place → size; no NaN.

    Attributes:
        values: The different sizes, rising.
        places: Places that have a size, as bits.
    """

    def __init__(self, size_by_place: Mapping[int, float]) -> None:
        masks: dict[float, int] = defaultdict(int)
        for place, size in size_by_place.items():
            masks[size] |= 1 << place
        self.values = sorted(masks)
        # How many of the lowest sizes → the places that have one of them.
        self._lowest = list(accumulate((masks[v] for v in self.values), operator.or_, initial=0))
        self.places = self._lowest[-1]

    def span(self, places: int) -> tuple[int, int]:
        """Return the numbers of the least and of the greatest size at places; not for no place."""
        numbers = range(len(self.values))
        return (
            bisect_left(numbers, True, key=lambda n: bool(places & self._lowest[n + 1])),
            bisect_left(numbers, True, key=lambda n: not places & ~self._lowest[n + 1]),
        )

    def beside(self, first: int, last: int) -> tuple[int, int]:
        """Return the places below one number of a size, and those above another one."""
        return self._lowest[first], self.places & ~self._lowest[last + 1]

    def related(self, relation: str, limit: float) -> int:
        """Return the places whose size is ``<``, ``<=``, ``>`` or ``>=`` a limit."""
        number = (bisect_left if relation in ("<", ">=") else bisect_right)(self.values, limit)
        lower = self._lowest[number]
        return lower if relation in ("<", "<=") else self.places & ~lower


def mask_of(flags: Iterable[bool]) -> int:
    """Return flags as bits, the first flag as the lowest bit."""
    return int(bytes(flags)[::-1].translate(_FIGURES) or b"0", 2)


def bits_of(mask: int) -> Iterator[int]:
    """Yield the places of the bits of a mask, rising."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def truth_of(condition: Comparison, left: Column, right: Column) -> int:
    """Return the places at which two columns of values are related, as bits.

    The result is that of :meth:`Comparison.relates` for each pair, in less time.

    Args:
        condition: The relation.
        left: Value of the condition's left term at each place.
        right: Value of its right term at each place.
    """
    if condition.relation == "=":
        return mask_of(map(operator.eq, left, right)) & left.there
    if condition.relation == "≠":
        return mask_of(map(operator.ne, left, right)) & left.there & right.there
    if (ordered := _ORDERS.get(condition.relation)) is not None:
        truth = 0
        for kind in left.sizes.keys() & right.sizes.keys():
            truth |= mask_of(map(ordered, left.sizes[kind], right.sizes[kind]))
        return truth
    return mask_of(condition.relates(one, other) for one, other in zip(left, right, strict=True))
