"""Learning which of several values of one type a task means, by the words beside it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from ..arrangement import Reading
from ..said_values import Candidate, read_value

_LEAST_TASKS = 2
"""Tasks in which a word stands beside a value."""
_LEAST_BITS = 0.5
"""Bits of a word that counts for or against a value, at least."""
_UNIT = re.compile(r"_ (?:\w+|[%‰°$€£¥])|[$€£¥] _")
_BY_CHANCE = 0.05
"""Share of the numbers beside a word that may have been meant, where it is another's unit."""
_MOST_WORDS = 60
"""Words of a reading: those that say most in all tasks together."""


def learn_reading(
    name: str,
    type_: str,
    candidates_by_task: Sequence[Sequence[Candidate]],
    targets: Sequence[str],
    *,
    default: bool,
) -> Reading:
    """Learn which of the values of its type is meant.

    Args:
        name: Of the value.
        type_: ``name`` or ``number``.
        candidates_by_task: The candidates of each task.
        targets: What was meant.
        default: Whether there may be none; then the usual value is meant.

    The words beside a value count by how much more often they stand beside what was meant. A number
    beside the unit of another quantity is never meant.
    """
    units = (
        _units(candidates_by_task, targets, default=default) if type_ == "number" else frozenset()
    )
    meant_count_by_word: Counter[str] = Counter()
    other_count_by_word: Counter[str] = Counter()
    meant_count = other_count = 0
    for candidates, target in zip(candidates_by_task, targets, strict=True):
        for candidate in candidates:
            right = candidate.value == target and units.isdisjoint(candidate.words)
            (meant_count_by_word if right else other_count_by_word).update(candidate.words)
            meant_count += right
            other_count += not right
    words = []
    for word in meant_count_by_word.keys() | other_count_by_word.keys():
        if meant_count_by_word[word] + other_count_by_word[word] >= _LEAST_TASKS:
            bits = math.log2((meant_count_by_word[word] + 0.5) / (meant_count + 1)) - math.log2(
                (other_count_by_word[word] + 0.5) / (other_count + 1)
            )
            if abs(bits) >= _LEAST_BITS:
                words.append((word, round(bits, 1)))
    words.sort(
        key=lambda each: (
            -abs(each[1]) * (meant_count_by_word[each[0]] + other_count_by_word[each[0]]),
            each[0],
        )
    )
    weights = tuple(sorted(words[:_MOST_WORDS], key=lambda each: (-each[1], each[0])))
    reading = Reading(name, type_, weights, units=units)
    return (
        replace(reading, default=_usual_value(reading, candidates_by_task, targets))
        if default
        else reading
    )


def _units(
    candidates_by_task: Sequence[Sequence[Candidate]], targets: Sequence[str], *, default: bool
) -> frozenset[str]:
    """Return the words, and the signs of money and the like, beside numbers that were never meant.

    A word that stands beside the number that was meant only where the same number is said without
    it as well, or need not be said, is beside that one by chance. Words are taken one after
    another, that of most numbers first; what it explains says nothing of others.
    """
    unsaid = Counter(
        target
        for candidates, target in zip(candidates_by_task, targets, strict=True)
        if default and all(each.value != target for each in candidates)
    )
    usual = unsaid.most_common(1)[0][0] if unsaid else None
    remaining = [list(candidates) for candidates in candidates_by_task]
    units: set[str] = set()
    while True:
        count_by_word: Counter[str] = Counter()
        meant_count_by_word: Counter[str] = Counter()
        for candidates, target in zip(remaining, targets, strict=True):
            for each in candidates:
                if each.value != target or each.value != usual:
                    count_by_word.update(filter(_UNIT.fullmatch, each.words))
            word_sets = [each.words for each in candidates if each.value == target != usual]
            if word_sets:
                meant_count_by_word.update(frozenset.intersection(*word_sets))
        others = [
            word for word, n in count_by_word.items() if meant_count_by_word[word] <= _BY_CHANCE * n
        ]
        best = min(others, key=lambda word: (-count_by_word[word], word), default="")
        if count_by_word[best] < _LEAST_TASKS:
            return frozenset(units)
        units.add(best)
        remaining = [[c for c in candidates if best not in c.words] for candidates in remaining]


def _usual_value(
    reading: Reading, candidates_by_task: Sequence[Sequence[Candidate]], targets: Collection[str]
) -> str:
    """Return what is meant where nothing speaks for any value."""
    probe = replace(reading, default="\0")
    silent = [
        t
        for each, t in zip(candidates_by_task, targets, strict=True)
        if read_value(probe, each) == "\0"
    ]
    return Counter(silent or targets).most_common(1)[0][0]
