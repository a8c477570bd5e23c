"""The sign between the items of lists in tasks, learned from what stands between used values."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from .templates import COMMA, Line, Template
from .tokens import has_digit, spans

_SEVERAL = 2
"""Least tasks in which a sign stands more than once; fewer do not show a list."""


def mined_with_sign(
    tasks: Sequence[Line],
    values: Collection[str],
    mine: Callable[[Sequence[Line]], tuple[Template, ...]],
) -> tuple[Template, ...]:
    """Return the templates of tasks, whose lists have the sign that stands between items.

    Args:
        tasks: The tasks.
        values: Values that were used.
        mine: Function from tasks to templates; commas part the items of its lists.
    """
    sign = _list_sign((task.text for task in tasks), values)
    if sign == COMMA:
        return mine(tasks)
    plain = [replace(task, text=_with_commas(task.text, values, sign)) for task in tasks]
    templates = mine(plain)
    signed = tuple(replace(each, between=sign) if each.lists else each for each in templates)
    for task, plain_task in zip(tasks, plain, strict=True):
        is_read = any(each.read(plain_task.text) is not None for each in templates)
        if is_read and all(each.read(task.text) is None for each in signed):
            return mine(tasks)  # some sign is no part of a list
    return signed


def _list_sign(tasks: Iterable[str], values: Collection[str]) -> str:
    """Return what stands between the items of lists: a comma, unless something else does.

    It stands between used values in some tasks more often than in others, as lists differ in
    length. What stands between two parts of a sentence stands there once.

    Args:
        tasks: The tasks.
        values: Values that were used.
    """
    counts_by_sign: dict[str, Counter[int]] = defaultdict(Counter)
    for task in tasks:
        places = _places(task, values)
        between = Counter(task[end:begin] for (_, end), (begin, _) in itertools.pairwise(places))
        for sign, count in between.items():
            counts_by_sign[sign][count] += 1
    number_by_sign = {
        sign: counts.total()
        for sign, counts in counts_by_sign.items()
        if sign.strip() and not has_digit(sign)
        if counts.total() - counts[1] >= _SEVERAL and len(counts) > 1
    }
    return max(
        number_by_sign, key=lambda sign: (number_by_sign[sign], sign == COMMA), default=COMMA
    )


def _with_commas(text: str, values: Collection[str], sign: str) -> str:
    """Return a task with commas in place of a sign beside used values."""
    places = _places(text, values)
    begins, ends = {begin for begin, _ in places}, {end for _, end in places}
    parts: list[str] = []
    at = 0
    while (place := text.find(sign, at)) >= 0:
        beside = place in ends or place + len(sign) in begins
        parts += [text[at:place], COMMA if beside else sign]
        at = place + len(sign)
    return "".join([*parts, text[at:]])


def _places(text: str, values: Collection[str]) -> list[tuple[int, int]]:
    """Return where used values stand in a text as whole words, the longest first, apart."""
    words = spans(text)
    begins, ends = {begin for begin, _ in words}, {end for _, end in words}
    places: list[tuple[int, int]] = []
    parts = sorted(value for value in set(values) if value and value in text)
    for value in sorted(parts, key=len, reverse=True):
        begin = text.find(value)
        while begin >= 0:
            end = begin + len(value)
            whole = begin in begins and end in ends
            if whole and all(end <= first or begin >= last for first, last in places):
                places.append((begin, end))
            begin = text.find(value, begin + 1)
    return sorted(places)
