"""Generalise sentences that differ in one place: the place holds a value.

A gauge that showed red, blue and green may show a new colour next.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from itertools import accumulate

_LEAST_VALUES = 3
"""Different values; fewer may be all there are."""
_LONGEST_VALUE = 3
"""Most words of a value."""
_LEAST_WORDS = 2
"""Fewest words (or slots) that must stay, or any sentence would match."""
_MOST_PATTERNS = 3_000
"""Different sentences; among more, sentences that differ in one place do not share a value."""
_LONGEST_PATTERN = 500
"""Characters; longer sentences are texts of their own and have too many openings."""
_PIECE = re.compile(r"\\.|\{\d+\}|\w+|\s+|.", re.DOTALL)


def open_values(patterns: Collection[str]) -> dict[str, str]:
    """Find patterns that differ in one run of words, three or more of them.

    Returns:
        Pattern → its general pattern, with ``*`` where they differ; others are left out.

    >>> open_values(["It is red.", "It is blue.", "It is sea green.", "It broke."])["It is red."]
    'It is *.'
    """
    if not _LEAST_VALUES <= len(patterns) <= _MOST_PATTERNS:
        return {}
    short_patterns = [pattern for pattern in patterns if len(pattern) <= _LONGEST_PATTERN]
    # Hashes save memory: nearly all openings occur once.
    opening_count = Counter(
        hash(context) for pattern in short_patterns for context in _openings(pattern)
    )
    patterns_by_context: dict[tuple[str, str], set[str]] = defaultdict(set)
    for pattern in short_patterns:
        for context in _openings(pattern):
            if opening_count[hash(context)] >= _LEAST_VALUES:
                patterns_by_context[context].add(pattern)
    # The largest family first; among equals the one with the most text around the value.
    ranked = sorted(
        (-len(members), -len(before) - len(after), before, after)
        for (before, after), members in patterns_by_context.items()
        if len(members) >= _LEAST_VALUES
    )
    general_by_pattern: dict[str, str] = {}
    for _, _, before, after in ranked:
        members = patterns_by_context[before, after] - general_by_pattern.keys()
        if len(members) >= _LEAST_VALUES:
            general_by_pattern.update(dict.fromkeys(members, f"{before}*{after}"))
    return general_by_pattern


def _openings(pattern: str) -> Iterator[tuple[str, str]]:
    """Yield the text before and after each run of words that may be a value."""
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
