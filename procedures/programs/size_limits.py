"""Limits of sizes: of classes, within what was shown of all, and of rows of lists, beyond it.

Single sizes need none, as nothing is done past those that were shown.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from ..episodes.history import EARLIER, INSTRUCTIONS
from ..episodes.tokens import quantity
from .chance import is_no_chance
from .computed_fields import is_count_or_sum
from .pairs import Atom
from .ranges import Range, measured
from .relations import Place

SizesByClass: TypeAlias = Mapping[Atom, Mapping[Place, Range]]
"""Field and its value → fields of sizes, each with the sizes that it had then."""
_ASIDE = 0.5
"""Chance below which sizes that reach no further than others hint at a limit."""
_Moments: TypeAlias = Sequence[Mapping[Place, str]]


def sizes_by_class(
    moments: _Moments, rivals: _Moments, ranges: Mapping[Place, Range]
) -> dict[Atom, dict[Place, Range]]:
    """Return the sizes of classes that reach less far than those of all classes together.

    They count where a class hardly has such sizes by chance. Where other steps have sizes beyond
    all of them, so that there is a limit, less is enough.

    Args:
        moments: Single values of each moment of a step.
        rivals: Single values of the moments of other steps.
        ranges: Place → range of its values.
    """
    classes = [p for p, span in sorted(ranges.items()) if span.small_set and p[0] != EARLIER]
    by_class: dict[Atom, dict[Place, Range]] = defaultdict(dict)
    for place, span in sorted(ranges.items()):
        if place[0] == INSTRUCTIONS or len(span.hulls) != 1 or is_count_or_sum(place):
            continue
        ((type_, (low, high)),) = span.hulls.items()
        sizes = [_size(each.get(place), type_) for each in moments]
        all_sizes = [size for size in sizes if size is not None]
        beyond = _sizes([each[place] for each in rivals if place in each], type_)
        for of in classes:
            sizes_of_value: dict[str, list[float]] = defaultdict(list)
            for each, size in zip(moments, sizes, strict=True):
                if size is not None and of in each:
                    sizes_of_value[each[of]].append(size)
            for value, inside in sizes_of_value.items():
                least = -_most([-s for s in inside], [-s for s in all_sizes], [-s for s in beyond])
                most = _most(inside, all_sizes, beyond)
                hull = max(low, least), min(high, most)
                if hull != (low, high):
                    by_class[of[0], of[1], value][place] = Range(hulls={type_: hull})
    return dict(by_class)


def limits_of(
    rivals: Mapping[Place, Sequence[str]], ranges: Mapping[Place, Range]
) -> dict[Place, Range]:
    """Return the limits of sizes in rows of lists and of their sums; infinite where there is none.

    Other sizes than those shown are allowed there, but not where another step has one beyond them.

    Args:
        rivals: Field of lists, or sum → its values in moments of other steps.
        ranges: Place → range of the step's values.
    """
    limits: dict[Place, Range] = {}
    for place in sorted(rivals.keys() & ranges.keys()):
        hulls: dict[str, tuple[float, float]] = {}
        for type_, (low, high) in ranges[place].hulls.items():
            beyond = _sizes(rivals[place], type_)
            is_below, is_above = any(s < low for s in beyond), any(s > high for s in beyond)
            if is_below or is_above:
                hulls[type_] = low if is_below else -math.inf, high if is_above else math.inf
        if hulls:
            limits[place] = Range(hulls=hulls)
    return limits


def is_beyond(limit: Range | None, value: str) -> bool:
    """Whether a size lies beyond a limit, if there is one."""
    return limit is not None and limit.size_of(value) is not None and not limit.holds(value)


def beyond_class(by_class: SizesByClass, values: Mapping[Place, str]) -> str | None:
    """Return which size its class never had; None if there is none."""
    for (kind, name, value), ranges in by_class.items():
        if values.get((kind, name)) == value:
            for place, span in ranges.items():
                if (size := values.get(place)) is not None and not span.holds(size):
                    return f"{place[1]!r} was never {size} where {name!r} is {value!r}"
    return None


def _most(inside: Sequence[float], all_sizes: Sequence[float], beyond: Sequence[float]) -> float:
    """Return how far the sizes of a class reach; infinity where they might reach further."""
    most, last = max(inside), max(all_sizes)
    chance = _chance(len(inside), len(all_sizes), sum(size > most for size in all_sizes))
    has_limit = any(size > last for size in beyond) and chance < _ASIDE
    return most if has_limit or is_no_chance([chance]) else math.inf


def _chance(own: int, total: int, above: int) -> float:
    """Return the chance that some of all sizes, drawn blindly, are none of the greatest.

    Args:
        own: Number of the sizes that are drawn.
        total: Number of all sizes.
        above: Number of the greatest ones.
    """
    return math.comb(total - above, own) / math.comb(total, own)


def _sizes(values: Sequence[str], type_: str) -> list[float]:
    return [size for each in values if (size := _size(each, type_)) is not None]


def _size(value: str | None, type_: str) -> float | None:
    size = (quantity(value) or measured(value)) if value is not None else None
    return size[1] if size is not None and size[0] == type_ else None
