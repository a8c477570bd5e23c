"""Sentences that differ in one place say one thing of many values.

A gauge that showed red, blue and green shows a value; the next may be one never seen.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from itertools import accumulate

__all__ = ["open_values"]

_LEAST_VALUES = 3
"""Fewer different values than this may be all there are."""
_LONGEST_VALUE = 3
"""Most words of a value."""
_LEAST_WORDS = 2
"""Fewest words (or slots) that must stay, or any sentence would do."""
_MOST_PATTERNS = 3_000
"""More different sentences than this are not values of one another."""
_LONGEST_PATTERN = 500
"""Longer sentences (characters) are texts of their own; their openings are too many."""
_PIECE = re.compile(r"\\.|\{\d+\}|\w+|\s+|.", re.DOTALL)


def open_values(patterns: Collection[str]) -> dict[str, str]:
    """Find patterns that differ in one run of words, three or more of them.

    Returns:
        Such a pattern → the one with ``*`` where they differ; others are left out.

    >>> open_values(["It is red.", "It is blue.", "It is sea green.", "It broke."])["It is red."]
    'It is *.'
    """
    if not _LEAST_VALUES <= len(patterns) <= _MOST_PATTERNS:
        return {}
    short = [pattern for pattern in patterns if len(pattern) <= _LONGEST_PATTERN]
    # Nearly all openings are met once, and all of them together take much memory.
    met = Counter(hash(around) for pattern in short for around in _openings(pattern))
    families: dict[tuple[str, str], set[str]] = defaultdict(set)
    for pattern in short:
        for around in _openings(pattern):
            if met[hash(around)] >= _LEAST_VALUES:
                families[around].add(pattern)
    # The largest family first; among equals the one that leaves the most text as it is.
    ranked = sorted(
        (-len(members), -len(before) - len(after), before, after)
        for (before, after), members in families.items()
        if len(members) >= _LEAST_VALUES
    )
    opened: dict[str, str] = {}
    for _, _, before, after in ranked:
        members = families[before, after] - opened.keys()
        if len(members) >= _LEAST_VALUES:
            opened.update(dict.fromkeys(members, f"{before}*{after}"))
    return opened


def _openings(pattern: str) -> Iterator[tuple[str, str]]:
    """Yield what stands before and after each run of words that may be a value."""
    pieces = _PIECE.findall(pattern)
    words = [i for i, piece in enumerate(pieces) if _is_word(piece)]
    slots = sum(piece[0] == "{" for piece in pieces)
    begins = [0, *accumulate(map(len, pieces))]
    for first, start in enumerate(words):
        for stop in words[first : first + _LONGEST_VALUE]:
            inside = pieces[start : stop + 1]
            if any(piece[0] in "{*\\" for piece in inside):
                break
            stay = len(words) + slots - sum(_is_word(piece) for piece in inside)
            if stay >= _LEAST_WORDS:
                yield pattern[: begins[start]], pattern[begins[stop + 1] :]


def _is_word(piece: str) -> bool:
    return piece[0].isalnum() or piece[0] == "_"
