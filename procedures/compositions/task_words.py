"""A task as composed texts read it: its words, and the values that it says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ..episodes.numerals import NUMERALS
from ..episodes.tokens import quoted_spans

_WORD = re.compile("\\d+(?:\\.\\d+)?|[^\\W\\d_][\\w'\u2019-]*|[^\\w\\s]")
_SHORT, _LONG = 3, 7
"""Letters of what is short for a word, and of such a word."""
_STEM, _ENDING = 4, 4
"""Letters that two forms of a word have in common at least, and by which one is longer at most."""


@dataclass(frozen=True, slots=True)
class Said:
    """A value that a task says.

    Attributes:
        text: The value.
        kind: ``quoted``, ``number``, ``capital`` or ``word``.
        at: Of its first word.
        end: Behind its last word.
    """

    text: str
    kind: str
    at: int
    end: int


@dataclass(frozen=True, slots=True)
class Mention:
    """How a task speaks of a name.

    Attributes:
        level: ``full``, ``part``, ``hint`` or ``none``.
        at: Word of the task, from 0; -1 for none.
        words: Words of the task that speak of it.
        score: From 0 to 1.
    """

    level: str
    at: int
    words: frozenset[int]
    score: float


@dataclass(frozen=True)
class Wording:
    """A task.

    Attributes:
        text: As it was asked.
    """

    text: str

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words, numbers and signs, as spelled."""
        return tuple(match[0] for match in _WORD.finditer(self.text))

    @cached_property
    def small(self) -> tuple[str, ...]:
        """The same in small letters."""
        return tuple(word.lower() for word in self.words)

    @cached_property
    def said(self) -> tuple[Said, ...]:
        """The values that it says, in order."""
        starts = [match.start() for match in _WORD.finditer(self.text)]
        values: list[Said] = []
        covered: set[int] = set()
        for begin, behind in quoted_spans(self.text):
            inside = [i for i, at in enumerate(starts) if begin - 1 <= at <= behind]
            if inside:
                value = self.text[begin:behind].strip()
                values.append(Said(value, "quoted", inside[0], inside[-1] + 1))
                covered.update(inside)
        number = 0
        while number < len(self.words):
            word = self.words[number]
            end = number + 1
            if number in covered:
                pass
            elif word[0].isdigit():
                values.append(Said(word, "number", number, end))
            elif word.lower() in NUMERALS:
                values.append(Said(str(NUMERALS[word.lower()]), "number", number, end))
            elif self._is_name(number):
                while end < len(self.words) and end not in covered and self.words[end][0].isupper():
                    end += 1
                first, last = starts[number], starts[end - 1] + len(self.words[end - 1])
                values.append(
                    Said(self.text[first:last].removesuffix("'s"), "capital", number, end)
                )
            number = end
        return tuple(sorted(values, key=lambda each: each.at))

    def _is_name(self, number: int) -> bool:
        """Whether a word has a capital that no beginning of a sentence gives it."""
        word = self.words[number]
        inside = number > 0 and self.words[number - 1] not in ".?!:"
        return word[0].isupper() and (inside or (word.isupper() and len(word) > 1))


@lru_cache(200_000)
def alike(one: str, other: str) -> bool:
    """Whether two words are forms of one word, or one is short for the other.

    >>> alike("countries", "country"), alike("singer", "sing"), alike("dest", "destination")
    (True, True, True)
    """
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    same = 0
    while same < len(short) and short[same] == long[same]:
        same += 1
    if same == len(short) and same >= _SHORT:
        return len(long) - same <= _ENDING or len(long) >= _LONG
    return same >= _STEM and same >= len(short) - 2 and len(long) - same <= _ENDING
