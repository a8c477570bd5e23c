"""Two texts side by side: which lines stayed, which changed, and which words in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final, TypeAlias

_WORD: Final = re.compile(r"\w+|\s+|[^\w\s]")
_CONTEXT: Final = 3
"""Unchanged lines that are shown around a change."""
_MOST_LINES: Final = 3_000
"""Lines of a text that are shown; bounds the time of the comparison."""
_LONGEST: Final = 2_000
"""Longest line (characters) in which single words are compared."""

Piece: TypeAlias = tuple[str, bool]
"""Text, and whether it changed."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A line on one side.

    Attributes:
        number: Its number, from 1.
        pieces: The line in pieces.
    """

    number: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A line on both sides.

    Attributes:
        kind: same, changed, added, removed, or gap (unchanged lines left out).
        old: The line on the left, or None.
        new: The line on the right, or None.
    """

    kind: str
    old: Cell | None = None
    new: Cell | None = None


def rows_of(before: str, after: str) -> tuple[Row, ...]:
    """Lay two texts side by side, with a few unchanged lines around each change."""
    old, new = before.splitlines()[:_MOST_LINES], after.splitlines()[:_MOST_LINES]
    rows: list[Row] = []
    matcher = SequenceMatcher(None, old, new, autojunk=len(old) + len(new) > _MOST_LINES // 4)
    groups = list(matcher.get_grouped_opcodes(_CONTEXT))
    for index, group in enumerate(groups):
        if index or group[0][1] > 0:
            rows.append(Row("gap"))
        for tag, i1, i2, j1, j2 in group:
            rows += _rows(tag, old[i1:i2], new[j1:j2], i1, j1)
    if groups and groups[-1][-1][2] < len(old):
        rows.append(Row("gap"))
    return tuple(rows)


def _rows(tag: str, old: list[str], new: list[str], first: int, second: int) -> Iterator[Row]:
    for number, (left, right) in enumerate(zip_longest(old, new)):
        old_number, new_number = first + number + 1, second + number + 1
        if left is None:
            yield Row("added", None, Cell(new_number, ((right, False),)))
        elif right is None:
            yield Row("removed", Cell(old_number, ((left, False),)), None)
        elif tag == "equal":
            yield Row(
                "same", Cell(old_number, ((left, False),)), Cell(new_number, ((right, False),))
            )
        else:
            pieces = _pieces(left, right)
            yield Row("changed", Cell(old_number, pieces[0]), Cell(new_number, pieces[1]))


def _pieces(left: str, right: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Mark the words that differ; all of both where they have little in common."""
    if max(len(left), len(right)) > _LONGEST:
        return ((left, True),), ((right, True),)
    old, new = _WORD.findall(left), _WORD.findall(right)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < 0.4:
        return ((left, False),), ((right, False),)
    first: list[Piece] = []
    second: list[Piece] = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if i1 < i2:
            first.append(("".join(old[i1:i2]), tag != "equal"))
        if j1 < j2:
            second.append(("".join(new[j1:j2]), tag != "equal"))
    return tuple(first), tuple(second)
