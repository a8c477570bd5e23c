"""Values that a task says: which of them is meant by what stands beside it."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from ..episodes.numerals import NUMERALS
from .arrangement import Reading
from .days import without_days

_WORD = re.compile(r"\d[\d,]*(?:\.\d+)?|[^\W\d_]+(?:'[^\W\d_]+)?|[^\w\s-]")
_MOST_BESIDE = 2
"""Words on each side that are looked at."""
_OF_A_GROUP = {
    **dict.fromkeys(("single", "solo", "alone"), 1),
    **dict.fromkeys(("both", "couple", "duo", "pair"), 2),
    "trio": 3,
}
"""Words of English that say how many belong together: with one of them the others are known."""
_SAID_NUMBERS = {**NUMERALS, **_OF_A_GROUP}
GROUP = "(group)"
"""Sign for any word of :data:`_OF_A_GROUP` among the words of a candidate."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value that a task says, with the words in and beside it."""

    value: str
    words: frozenset[str]


@lru_cache(4_096)
def numbers_said(text: str) -> tuple[Candidate, ...]:
    """Return the numbers that a text says, in figures or in words; days it names are none."""
    text = without_days(text)
    words = [(match.start(), match.end()) for match in _WORD.finditer(text)]
    return tuple(
        Candidate(value, _words_beside(text, words, i, i))
        for i, (start, end) in enumerate(words)
        if (value := _number(text[start:end])) is not None
    )


def names_said(text: str, names: Collection[str]) -> tuple[Candidate, ...]:
    """Return which of some names a text says, longer ones before those that stand inside them."""
    words = [(match.start(), match.end()) for match in _WORD.finditer(text)]
    starts = {start: i for i, (start, _) in enumerate(words)}
    ends = {end: i for i, (_, end) in enumerate(words)}
    candidates: list[Candidate] = []
    used_positions: set[int] = set()
    for name in sorted(names, key=lambda each: (-len(each), each)):
        for match in re.finditer(re.escape(name), text) if name else ():
            first, last = starts.get(match.start()), ends.get(match.end())
            if (
                first is None
                or last is None
                or not used_positions.isdisjoint(range(first, last + 1))
            ):
                continue
            used_positions.update(range(first, last + 1))
            candidates.append(Candidate(name, _words_beside(text, words, first, last, inner=False)))
    return tuple(candidates)


def read_value(reading: Reading, candidates: Collection[Candidate]) -> str:
    """Return the candidate with the most bits; the reading's default where none has any.

    What stands beside the unit of another quantity is none of these values.
    """
    weights = dict(reading.words)
    best, value = (0.0 if reading.default else -math.inf), reading.default
    for candidate in candidates:
        if not reading.units.isdisjoint(candidate.words):
            continue
        bits = sum(weights.get(word, 0.0) for word in candidate.words)
        if bits > best:
            best, value = bits, candidate.value
    return value


def _words_beside(
    text: str, words: list[tuple[int, int]], first: int, last: int, *, inner: bool = True
) -> frozenset[str]:
    return frozenset(_parts(text, words, first, last, inner=inner))


def _parts(
    text: str, words: list[tuple[int, int]], first: int, last: int, *, inner: bool
) -> Iterator[str]:
    """Yield what stands before, in and behind a value: numbers as such, words in small letters."""

    def word(i: int) -> str:
        plain = text[slice(*words[i])].lower()
        return "#" if plain[:1].isdigit() else plain

    before = [word(i) for i in range(max(0, first - _MOST_BESIDE), first)]
    behind = [word(i) for i in range(last + 1, min(len(words), last + 1 + _MOST_BESIDE))]
    if inner:
        yield word(first)
        if word(first) in _OF_A_GROUP:
            yield GROUP
    for i in range(len(before)):
        yield " ".join((*before[i:], "_"))
    for i in range(1, len(behind) + 1):
        yield " ".join(("_", *behind[:i]))


def _number(word: str) -> str | None:
    lowered = word.lower()
    if lowered in _SAID_NUMBERS:
        return str(_SAID_NUMBERS[lowered])
    if not word[:1].isdigit():
        return None
    return word.replace(",", "").rstrip(".") or None
