"""Which entry of a list became which of another: an edit distance, then moves.

The distance is that of Needleman and Wunsch (1970) with a cost of 1 for an entry that was
added or removed and a cost below 2 for one that became another. What is left over on both
sides and has the same key was moved.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final, TypeVar

_T = TypeVar("_T")

_TOO_MUCH: Final = 2.0
"""Cost of removing one entry and adding another."""

_MOST_CELLS: Final = 100_000
"""Largest table of the edit distance: what a stranger's file of thousands of steps may cost."""


@dataclass(frozen=True, slots=True)
class Pair:
    """An entry before and after.

    Attributes:
        old: Its place in the old list, from 0, or None for one that was added.
        new: Its place in the new list, from 0, or None for one that was removed.
        moved: Whether it stands elsewhere among those that stayed.
    """

    old: int | None
    new: int | None
    moved: bool = False


def align(
    before: Sequence[_T],
    after: Sequence[_T],
    cost: Callable[[_T, _T], float],
    key: Callable[[_T], Hashable],
) -> list[Pair]:
    """Pair the entries of two lists so that the sum of the costs is smallest.

    Args:
        before: The old list.
        after: The new list.
        cost: Cost of one entry becoming another: 0 for equal ones; from 2 on they are
            rather one removed and one added.
        key: What an entry that moved keeps.

    Returns:
        Pairs in the order of the new list, each removed entry where it used to stand.
    """
    start = 0
    shorter = min(len(before), len(after))
    while start < shorter and before[start] == after[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    pairs = [Pair(i, i) for i in range(start)]
    if len(old) * len(new) > _MOST_CELLS:
        middle = [Pair(i, None) for i in range(len(old))]
        middle += [Pair(None, j) for j in range(len(new))]
    else:
        middle = _cheapest(old, new, cost)
    pairs += [
        Pair(
            None if pair.old is None else pair.old + start,
            None if pair.new is None else pair.new + start,
        )
        for pair in middle
    ]
    tail = range(1, end + 1)
    pairs += [Pair(len(before) - i, len(after) - i) for i in reversed(tail)]
    return _with_moves(pairs, before, after, key)


def _cheapest(old: Sequence[_T], new: Sequence[_T], cost: Callable[[_T, _T], float]) -> list[Pair]:
    rows, columns = len(old), len(new)
    costs = [[_finite(cost(a, b)) for b in new] for a in old]
    best = [
        [float(i + j) if not i or not j else 0.0 for j in range(columns + 1)]
        for i in range(rows + 1)
    ]
    for i in range(1, rows + 1):
        above, row, row_costs = best[i - 1], best[i], costs[i - 1]
        for j in range(1, columns + 1):
            row[j] = min(above[j - 1] + row_costs[j - 1], above[j] + 1.0, row[j - 1] + 1.0)
    pairs: list[Pair] = []
    i, j = rows, columns
    while i or j:
        if i and j and best[i][j] == best[i - 1][j - 1] + costs[i - 1][j - 1]:
            i, j = i - 1, j - 1
            pairs.append(Pair(i, j))
        elif j and (not i or best[i][j] == best[i][j - 1] + 1.0):
            j -= 1
            pairs.append(Pair(None, j))
        else:
            i -= 1
            pairs.append(Pair(i, None))
    pairs.reverse()
    return pairs


def _finite(cost: float) -> float:
    """Make sure that entries which are too different are not paired, not even in a tie."""
    return cost if cost < _TOO_MUCH else inf


def _with_moves(
    pairs: list[Pair], before: Sequence[_T], after: Sequence[_T], key: Callable[[_T], Hashable]
) -> list[Pair]:
    """Join what was removed here and added there."""
    removed_by_key: defaultdict[Hashable, list[int]] = defaultdict(list)
    for pair in pairs:
        if pair.new is None and pair.old is not None:
            removed_by_key[key(before[pair.old])].append(pair.old)
    if not removed_by_key:
        return pairs
    joined: set[int] = set()
    result: list[Pair] = []
    for pair in pairs:
        if pair.old is None and pair.new is not None:
            places = removed_by_key.get(key(after[pair.new]), [])
            if places:
                old = next((i for i in places if before[i] == after[pair.new]), places[0])
                places.remove(old)
                joined.add(old)
                pair = Pair(old, pair.new, moved=True)
        result.append(pair)
    return [p for p in result if not (p.new is None and p.old in joined)]
