"""The values of one field: of a small set, of an open shape, or between sizes that were shown."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..episodes.tokens import has_digit, magnitude, tokens
from ..redaction.randomness import is_random
from ..tooling.tool_episodes import REDACTED
from .relations import Place

__all__ = [
    "Range",
    "hull_of",
    "identifying",
    "is_open",
    "is_various",
    "measured",
    "range_of",
    "widened",
]

_IDENTIFIERS = 2
_NAMES = 3
_WORDS = 8
"""Different values from which more of them are to be expected."""
_GROWN = 5
"""Sizes from which one that grew each time is expected to grow further."""
_NAMED = re.compile(r"(?:^|[_.])(?:id|ids|uuid|guid)$|[a-z](?:Id|ID|Ids|IDs)$", re.ASCII)
"""Keys whose figures name something and measure nothing, as data are usually written."""
_NEW_SHARE = 0.5
"""Good and Turing's chance of a new value above which a field of words is open."""
_LONGER = 3
"""So many times as many words may a value of the task have."""
_SPOKEN = 2.0
"""Least number that is told like all others: of none, one and less one speaks in other words."""


@dataclass(frozen=True, slots=True)
class Range:
    """The values of one field.

    Attributes:
        values: Those that were shown and lie in no hull, and have no shape of an open field.
        hulls: Type of size → least and greatest, with room for what lies between those shown.
        shapes: How the values of an open field are built.
        different: How many were shown.
        signs: All signs that stand in them, beside words and figures.
        words: The most that one of them has.
    """

    values: frozenset[str] = frozenset()
    hulls: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    shapes: frozenset[str] = frozenset()
    different: int = 0
    signs: frozenset[str] = frozenset()
    words: int = 0

    @classmethod
    def closed(cls, values: Iterable[str]) -> Range:
        """Return the range of just these values."""
        members = frozenset(values)
        return cls(members, {}, frozenset(), len(members), *_built(members))

    def holds(self, value: str) -> bool:
        """Whether a value lies in it."""
        if value in self.values:
            return True
        size = measured(value)
        if self.hulls and size is not None:
            low, high = self.hulls.get(size[0], (1.0, 0.0))
            return low <= size[1] <= high
        return _shape(value) in self.shapes or (bool(self.shapes) and self._alike(value))

    @property
    def closed_set(self) -> bool:
        """Whether the values are a small set of words, of which no others are to be expected."""
        return 0 < self.different < _WORDS and not self.hulls and not self.shapes

    @property
    def varied(self) -> bool:
        """Whether the values are no sizes, and so many that others are to be expected."""
        return not self.hulls and self.different >= _NAMES

    @property
    def shared_words(self) -> frozenset[str]:
        """The words that all the values have, where there are several."""
        each = [frozenset(tokens(value)) for value in self.values]
        return frozenset.intersection(*each) if len(each) > 1 else frozenset()

    def built_alike(self, value: str) -> bool:
        """Whether a value has no other signs, and not far more words, than those shown."""
        few = 0 < len(tokens(value)) <= _LONGER * self.words
        return few and _signs(value) <= self.signs

    def _alike(self, value: str) -> bool:
        """Whether a text has no other letters, figures or signs than those shown."""
        built = _LETTERS if _RANDOM in self.shapes else set("".join(self.shapes))
        return (
            measured(value) is None
            and self.built_alike(value)
            and _LETTERS & {*_shape(value)} <= built
        )


def range_of(place: Place, values: Sequence[str], *, opened: bool) -> Range:
    """Return the range of the values that a field had.

    Args:
        place: The field.
        values: Those that were shown.
        opened: Whether others are to be expected.
    """
    counts = Counter(values)
    sizes: dict[str, list[float]] = defaultdict(list)
    for value in values:
        if (size := measured(value)) is not None:
            sizes[size[0]].append(size[1])
    hulls = {type_: hull_of(each) for type_, each in sizes.items() if len(set(each)) > 1}
    shapes = frozenset(_shape(v) for v in counts if measured(v) is None and opened)
    if _NAMED.search(place[1]) and len(counts) >= _IDENTIFIERS:
        hulls, shapes = {}, frozenset(map(_shape, counts))
    span = Range(frozenset(), hulls, shapes - {_shape("")}, len(counts), *_built(counts))
    return replace(span, values=frozenset(v for v in counts if not span.holds(v)))


def is_various(values: Sequence[str]) -> bool:
    """Whether new values are to be expected where none of them is judged."""
    counts = Counter(values)
    once = sum(count == 1 for count in counts.values())
    return len(counts) >= _NAMES and once > _NEW_SHARE * len(values)


def widened(span: Range, values: Sequence[str]) -> Range:
    """Return a range in which all lies that is told in the same words."""
    hulls = dict(span.hulls)
    if "number" in hulls:
        low, high = hulls["number"]
        figures = len(str(int(high))) if math.isfinite(high) else 0
        hulls["number"] = min(low, _SPOKEN), 10.0**figures if figures else high
    texts = {value for value in values if measured(value) is None}
    shapes = span.shapes | ({*map(_shape, texts)} - {_shape("")})
    wide = replace(span, hulls=hulls, shapes=frozenset(shapes))
    return replace(wide, values=frozenset(v for v in values if not wide.holds(v)))


def measured(value: str) -> tuple[str, float] | None:
    """Return the type and size of what measures something; a moment is new each time, as a name."""
    size = magnitude(value)
    return None if size and size[0] == "moment" else size


def _built(values: Collection[str]) -> tuple[frozenset[str], int]:
    """Return the signs that stand in values, and the most words that one has."""
    words = max((len(tokens(value)) for value in values), default=0)
    return frozenset[str]().union(*map(_signs, values)), words


def _signs(value: str) -> frozenset[str]:
    """Return the signs of a text that are no part of a number or of a word."""
    return frozenset(_SIGN.findall(value))


def hull_of(sizes: Sequence[float]) -> tuple[float, float]:
    """Return the least and greatest that were shown; sizes in order of time."""
    low, high = min(sizes), max(sizes)
    if len(sizes) >= _GROWN and all(a < b for a, b in itertools.pairwise(sizes)):
        return low, math.inf  # it grows from time to time, as serial numbers and days do
    return low, high


def is_open(counts: Counter[str]) -> bool:
    """Whether values that were never shown are to be expected."""
    values = [value for value in counts if value]
    if len(values) < _IDENTIFIERS:
        return False
    if all(map(identifying, values)) or len(values) >= _WORDS:
        return True
    once = sum(counts[value] == 1 for value in values) / sum(counts[value] for value in values)
    several = all(len(tokens(value)) > 1 for value in values)
    return several and len(values) >= _NAMES and once > _NEW_SHARE


def identifying(value: str) -> bool:
    """Whether a value looks like what names something."""
    return has_digit(value) or any(sign in value for sign in "@/\\_")


_SIGN = re.compile(r"[^\w\s]+(?!\w)|(?<!\w)[^\w\s]+|\n")
_LETTERS = frozenset("Aa9")
_RANDOM = "random"
"""In the place of a shape: all that looks random."""
_RUN = re.compile(r"[^\W\d_]+|\d+|\s+|[^\w\s]|_")


def _shape(value: str) -> str:
    """Return how a value is built: words, figures and signs, each run of words as one.

    What is random is built alike, also where it is kept as the mark of a secret.
    """
    if REDACTED.fullmatch(value) or is_random(value):
        return _RANDOM
    out: list[str] = []
    for match in _RUN.finditer(value):
        text = match.group()
        sign = "9" if text[0].isdigit() else "a" if text[0].isalpha() else text
        if text.isspace():
            continue
        if sign == "a" and text[0].isupper():
            sign = "A"
        if not out or out[-1] != sign:
            out.append(sign)
    return "".join(out)
