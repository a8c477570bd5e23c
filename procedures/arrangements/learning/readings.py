"""How values that a task says are told from others of their type."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence

from ..model import Reading
from ..reading import Candidate, read_value

__all__ = ["learn_reading"]

_LEAST = 2
"""Tasks in which a word stands beside a value."""
_SPEAKS = 0.5
"""Bits from which on a word speaks for or against a value."""
_MOST = 60
"""Words of a reading: those that say most in all tasks together."""


def learn_reading(
    name: str,
    type_: str,
    said: Sequence[Sequence[Candidate]],
    targets: Sequence[str],
    *,
    default: bool,
) -> Reading:
    """Learn which of the values of its type is meant.

    Args:
        name: Of the value.
        type_: ``name`` or ``number``.
        said: The candidates of each task.
        targets: What was meant.
        default: Whether there may be none; then the usual value is meant.

    The words beside a value count by how much more often they stand beside what was meant.
    """
    good: Counter[str] = Counter()
    bad: Counter[str] = Counter()
    meant = others = 0
    for candidates, target in zip(said, targets, strict=True):
        for candidate in candidates:
            right = candidate.value == target
            (good if right else bad).update(candidate.words)
            meant += right
            others += not right
    words = []
    for word in good.keys() | bad.keys():
        if good[word] + bad[word] >= _LEAST:
            bits = math.log2((good[word] + 0.5) / (meant + 1)) - math.log2(
                (bad[word] + 0.5) / (others + 1)
            )
            if abs(bits) >= _SPEAKS:
                words.append((word, round(bits, 1)))
    words.sort(key=lambda each: (-abs(each[1]) * (good[each[0]] + bad[each[0]]), each[0]))
    kept = tuple(sorted(words[:_MOST], key=lambda each: (-each[1], each[0])))
    reading = Reading(name, type_, kept)
    if not default:
        return reading
    return Reading(name, type_, kept, _usual(kept, name, type_, said, targets))


def _usual(
    words: Sequence[tuple[str, float]],
    name: str,
    type_: str,
    said: Sequence[Sequence[Candidate]],
    targets: Collection[str],
) -> str:
    """Return what is meant where nothing speaks for any value."""
    probe = Reading(name, type_, tuple(words), "\0")
    silent = [t for each, t in zip(said, targets, strict=True) if read_value(probe, each) == "\0"]
    return Counter(silent or targets).most_common(1)[0][0]
