"""Pairs of facts that were told around a step, but never together."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

from ..episodes.history import History, kinds_of_any
from ..episodes.tokens import magnitude
from .ranges import Range, identifying
from .relations import COMPUTED, Place

_MOST_PAIRS = 500
"""Most pairs of a box; it bounds the size of its file."""
_STATES = 2
"""Most values of a field, such as a flag, whose pairs all have to be shown."""
_CLASSES = 3
"""Most values of a field beside a size that is zero or not."""
ANY = "\0"
"""Mark for any value of a field whose values are names."""
NONE = "0"
"""Mark for a size of zero, which often means something else than any other."""
LESS = "-"
"""Mark for a size below zero: of two figures the sign of their difference tells the order."""
TOLD, NOT_TOLD = "told", "not told"
Atom: TypeAlias = tuple[str, str, str]
"""Kind, field and value; without a field whether the kind was told."""


def atoms_in(
    fields: Mapping[Place, str], kinds_told: Collection[str], kinds: Collection[str]
) -> Iterator[Atom]:
    """Yield the atoms of fields and kinds. A name or a size is reduced to a mark."""
    for (kind, name), value in fields.items():
        yield kind, name, _mark(value)
    for kind in kinds:
        yield kind, "", TOLD if kind in kinds_told else NOT_TOLD


def _mark(value: str) -> str:
    size = magnitude(value)
    if size is not None and size[0] == "number" and size[1] <= 0:
        return LESS if size[1] < 0 else NONE
    return ANY if size is not None or identifying(value) else value


def _number_of_cases(
    place: Place, sizes: Collection[Place], ranges: Mapping[Place, Range]
) -> float:
    """Return the number of cases of a field: its values, or zero and not zero for a size."""
    if place in sizes:
        return _STATES
    span = ranges.get(place)
    return span.different if span is not None and span.small_set else math.inf


def _have_one_name(one: Atom, other: Atom) -> bool:
    """Whether two values are of fields of one name, in two records; a number is no name."""
    return one[1] == other[1] and not one[1].isdigit() and one[1] != ""


def _may_interact(one: Atom, other: Atom) -> bool:
    """Whether two facts may mean something together that no rival shows.

    Two computed figures may not: a box has many of them, and most decide nothing.
    """
    return one[:2] != other[:2] and not one[0] == other[0] == COMPUTED


def pairs_of(
    histories: Sequence[History],
    rivals: Sequence[History],
    ranges: Mapping[Place, Range],
    fields_at: Callable[[History], Mapping[Place, str]],
    ends: Sequence[History] = (),
) -> Iterator[tuple[Atom, Atom]]:
    """Yield pairs of facts that were told here, but never together.

    Rivals have these pairs. Values of small sets need no rival, as a new pair of them may mean
    anything; nor do values of two records' fields of one name, as people hold these together.

    Args:
        histories: Histories before the step.
        rivals: Histories before other steps.
        ranges: Place → range of values.
        fields_at: Function from a history to its single values.
        ends: Ends of demonstrations at which the step is ruled out. As more was told by an end
            than at a moment before it, which kinds were told there does not count.
    """
    kinds = kinds_of_any(histories)
    opened = {place for place, span in ranges.items() if span.shapes}

    def atoms_of(history: History) -> frozenset[Atom]:
        fields = {p: ANY if v and p in opened else v for p, v in fields_at(history).items()}
        return frozenset(atoms_in(fields, history.kinds, kinds))

    atoms_by_history = [atoms_of(history) for history in histories]
    known_atoms = frozenset[Atom]().union(*atoms_by_history)
    shown_pairs = {
        pair for each in atoms_by_history for pair in itertools.combinations(sorted(each), 2)
    }
    places_of_zero = {atom[:2] for atom in known_atoms if atom[2] == NONE}
    places_of_any = {atom[:2] for atom in known_atoms if atom[2] == ANY}
    sizes = places_of_zero & places_of_any
    cases_by_place = {
        place: _number_of_cases(place, sizes, ranges)
        for place in {atom[:2] for atom in known_atoms}
    }
    class_atoms = sorted(atom for atom in known_atoms if cases_by_place[atom[:2]] < math.inf)
    class_pairs = [pair for pair in itertools.combinations(class_atoms, 2) if _may_interact(*pair)]
    pairs_of_classes = (
        (one, other)
        for one, other in class_pairs
        if cases_by_place[one[:2]] * cases_by_place[other[:2]]
        <= (_STATES * _STATES if sizes.isdisjoint((one[:2], other[:2])) else _STATES * _CLASSES)
    )
    pairs_of_one_name = (pair for pair in class_pairs if _have_one_name(*pair))
    pairs_of_rivals = (
        pair
        for rival in rivals
        for pair in itertools.combinations(sorted(atoms_of(rival) & known_atoms), 2)
    )
    pairs_of_ends = (
        pair
        for end in ends
        for pair in itertools.combinations(sorted(atoms_of(end) & known_atoms), 2)
        if all(name for _, name, _ in pair)
    )
    pairs_seen: set[tuple[Atom, Atom]] = set()
    pairs = itertools.chain(pairs_of_rivals, pairs_of_ends, pairs_of_classes, pairs_of_one_name)
    for pair in pairs:
        if pair not in shown_pairs and pair not in pairs_seen and len(pairs_seen) < _MOST_PAIRS:
            pairs_seen.add(pair)
            yield pair
