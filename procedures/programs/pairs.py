"""Facts that were told where a step was done, but never together."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

from ..episodes.facts import UNREAD
from ..episodes.history import History
from ..episodes.tokens import magnitude
from .ranges import Range, identifying
from .relations import Place

__all__ = ["ANY", "NOT_TOLD", "TOLD", "Atom", "atoms_in", "pairs_of"]

_MOST_PAIRS = 500
_STATES = 2
"""Values of a field of which all that is told together has to be shown, as of a flag."""
_CLASSES = 3
"""The same of a field that stands beside a size which is nothing or something."""
ANY = "\0"
"""Stands for any value of a field whose values name something."""
NONE = "0"
"""Stands for a size that is nothing: it often means something else than any other."""
_ZERO = ("number", 0.0)
TOLD, NOT_TOLD = "told", "not told"
Atom: TypeAlias = tuple[str, str, str]
"""Kind and field, and a value; without a field whether the kind was told."""


def atoms_in(
    fields: Mapping[Place, str], told: Collection[str], kinds: Collection[str]
) -> Iterator[Atom]:
    """Yield values, of those that name something only that there is one, and the kinds told."""
    for (kind, name), value in fields.items():
        size = magnitude(value)
        named = size is not None or identifying(value)
        yield kind, name, NONE if size == _ZERO else ANY if named else value
    for kind in kinds:
        yield kind, "", TOLD if kind in told else NOT_TOLD


def _cases(place: Place, sizes: Collection[Place], ranges: Mapping[Place, Range]) -> float:
    """Return how many cases a field tells apart: its values, or of a size nothing and something."""
    if place in sizes:
        return _STATES
    span = ranges.get(place)
    closed = span is not None and not span.hulls and not span.shapes
    return span.different if span is not None and closed and span.different > 1 else math.inf


def pairs_of(
    shown: Sequence[History],
    rivals: Sequence[History],
    ranges: Mapping[Place, Range],
    fields_at: Callable[[History], Mapping[Place, str]],
) -> Iterator[tuple[Atom, Atom]]:
    """Yield facts that were told here, but never together: those that rivals have together.

    Values of small sets need no rival: what two of them mean together nobody has shown.

    Args:
        shown: The moments at which a step was done.
        rivals: Moments at which something else was done.
        ranges: Place → values.
        fields_at: Returns what a moment told once.
    """
    kinds = sorted(frozenset().union(*(history.kinds for history in shown)) - {UNREAD})
    opened = {place for place, span in ranges.items() if span.shapes}

    def atoms_of(history: History) -> frozenset[Atom]:
        fields = {p: ANY if v and p in opened else v for p, v in fields_at(history).items()}
        return frozenset(atoms_in(fields, history.kinds, kinds))

    here = [atoms_of(history) for history in shown]
    known = frozenset[Atom]().union(*here)
    together = {pair for each in here for pair in itertools.combinations(sorted(each), 2)}
    none = {atom[:2] for atom in known if atom[2] == NONE}
    some = {atom[:2] for atom in known if atom[2] == ANY}
    sizes = none & some
    cases = {place: _cases(place, sizes, ranges) for place in {atom[:2] for atom in known}}
    few = sorted(atom for atom in known if cases[atom[:2]] < math.inf)
    alone = (
        (one, other)
        for one, other in itertools.combinations(few, 2)
        if one[:2] != other[:2]
        and cases[one[:2]] * cases[other[:2]]
        <= (_STATES * _STATES if sizes.isdisjoint((one[:2], other[:2])) else _STATES * _CLASSES)
    )
    contrasts = (
        pair
        for rival in rivals
        for pair in itertools.combinations(sorted(atoms_of(rival) & known), 2)
    )
    seen: set[tuple[Atom, Atom]] = set()
    for pair in itertools.chain(contrasts, alone):
        if pair not in together and pair not in seen and len(seen) < _MOST_PAIRS:
            seen.add(pair)
            yield pair
