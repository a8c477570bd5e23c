"""Ranges of one field's values: a small set, open shapes, or hulls of sizes."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..episodes.tokens import has_digit, magnitude, quantity, tokens
from ..redaction.randomness import is_random
from ..tooling.tool_episodes import REDACTED
from .relations import Place

_IDENTIFIERS = 2
"""Least different identifiers from which on new ones are to be expected."""
_NAMES = 3
"""Least different names from which on new ones are to be expected."""
_WORDS = 8
"""Least different words from which on new ones are to be expected."""
_GROWN = 5
"""Least dates from which on a steady growth is expected to go on."""
_COUNTED = 8
"""Least numbers, none twice as great as another, from which on they are taken for serial numbers.

Amounts may rise by chance: where memory does what lies between two shown ones, a run that is
learned from has a new least or a new greatest one."""
_NAMED = re.compile(r"(?:^|[_.])(?:id|ids|uuid|guid)$|[a-z](?:Id|ID|Ids|IDs)$", re.ASCII)
"""Keys whose figures are identifiers and no sizes."""
_NEW_SHARE = 0.5
"""Good and Turing's chance of a new value above which a field of few values is open."""
_LONGER = 3
"""Most ratio of the words of a new text to those of the longest shown one."""
_NAME_WORDS = 3
"""Most words of a name; a longer value is a text.

A name with more words than any shown one may hold a wish: ``tea, but only if it is cheap``."""
_LETTERS_OF_NAMES = 3
"""Least different letters right behind a number that are part of a name, as of seats: ``30F``."""
_SPOKEN = 2.0
"""Least number that texts word like all greater ones: 0 and 1 have other wordings."""


@dataclass(frozen=True, slots=True)
class Range:
    """The values of one field.

    Attributes:
        values: Shown values outside of all hulls and open shapes.
        hulls: Type of size → least and greatest.
        shapes: Shapes of the values of an open field.
        different: Number of different values.
        signs: All signs of the values, besides words and figures.
        words: Most words of a value.
    """

    values: frozenset[str] = frozenset()
    hulls: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    shapes: frozenset[str] = frozenset()
    different: int = 0
    signs: frozenset[str] = frozenset()
    words: int = 0

    @classmethod
    def closed(cls, values: Iterable[str]) -> Range:
        """Return the range of exactly these values."""
        members = frozenset(values)
        return cls(members, {}, frozenset(), len(members), *_signs_and_words(members))

    def holds(self, value: str) -> bool:
        """Whether a value lies in the range."""
        if value in self.values:
            return True
        size = self.size_of(value)
        if self.hulls and size is not None:
            low, high = self.hulls.get(size[0], (math.inf, -math.inf))
            return low <= size[1] <= high
        shape = _shape(value)
        if shape in _DISORDERLY:
            return not _DISORDERLY.isdisjoint(self.shapes)
        if shape in self.shapes and self.built_alike(value):
            return True
        return bool(self.shapes) and self._alike(value)

    def size_of(self, value: str) -> tuple[str, float] | None:
        """Return the type and size of a value; of a quantity if its unit was shown, else None."""
        size = quantity(value)
        return size if size is not None and size[0] in self.hulls else measured(value)

    def has_sign_of(self, value: str) -> bool:
        """Whether a size is of a shown type, and a number on a shown side of nothing."""
        type_, size = self.size_of(value) or ("", 0.0)
        if type_ not in self.hulls:
            return False
        low, high = self.hulls[type_]
        is_shown = low <= 0 if size == 0 else low < 0 if size < 0 else high > 0
        return is_shown or (type_ != "number" and quantity(value) is None)

    @property
    def closed_set(self) -> bool:
        """Whether the values are a set of words, so that no new ones are to be expected."""
        return self.different > 0 and not self.hulls and not self.shapes

    @property
    def small_set(self) -> bool:
        """Whether the values are a set of few words, of which each pair may be shown."""
        return self.closed_set and 1 < self.different < _WORDS

    @property
    def secret(self) -> bool:
        """Whether all shown values were secrets, of which only marks are known, or nothing."""
        return self.shapes == {_SECRET} and self.values <= {""} and not self.hulls

    @property
    def shared_words(self) -> frozenset[str]:
        """Words that all of several values have."""
        words_by_value = [frozenset(tokens(value)) for value in self.values]
        return frozenset.intersection(*words_by_value) if len(words_by_value) > 1 else frozenset()

    def built_alike(self, value: str) -> bool:
        """Whether a value has no new signs, and as few words as the shown ones.

        Of texts, which are longer than names, a new one may be far longer.
        """
        most = self.words if self.words <= _NAME_WORDS else _LONGER * self.words
        few = 0 < len(tokens(value)) <= most
        return few and _signs(value) <= self.signs

    def _alike(self, value: str) -> bool:
        """Whether a text has no new sorts of letters, figures or signs."""
        is_disorderly = not _DISORDERLY.isdisjoint(self.shapes)
        letters = _LETTERS if is_disorderly else set("".join(self.shapes))
        return (
            measured(value) is None
            and self.built_alike(value)
            and _LETTERS & {*_shape(value)} <= letters
        )


def range_of(place: Place, values: Sequence[str], *, opened: bool, growing: bool = True) -> Range:
    """Return the range of a field's values.

    Args:
        place: The field.
        values: Its shown values.
        opened: Whether new values are to be expected.
        growing: Whether dates and serial numbers that grew may grow further.
    """
    counts = Counter(values)
    sizes: dict[str, list[float]] = defaultdict(list)
    quantities = quantities_of(counts)
    for value in values:
        if (size := quantities.get(value) or measured(value)) is not None:
            sizes[size[0]].append(size[1])
    hulls = {
        type_: hull_of(each, type_) if growing and not quantities else (min(each), max(each))
        for type_, each in sizes.items()
        if len(set(each)) > 1
    }
    unmeasured = (v for v in counts if measured(v) is None and v not in quantities)
    shapes = frozenset(map(_shape, unmeasured)) if opened else frozenset()
    if _NAMED.search(place[1]) and len(counts) >= _IDENTIFIERS:
        hulls, shapes = {}, frozenset(map(_shape, counts))
    span = Range(
        frozenset(),
        hulls,
        shapes - {_shape("")},
        len(counts),
        *_signs_and_words(counts),
    )
    return replace(span, values=frozenset(v for v in counts if not span.holds(v)))


def overlap(one: Range, other: Range) -> bool:
    """Whether either of two sizes could be the greater."""
    return any(
        low <= other.hulls[type_][1] and other.hulls[type_][0] <= high
        for type_, (low, high) in one.hulls.items()
        if type_ in other.hulls
    )


def is_various(values: Sequence[str]) -> bool:
    """Whether the values vary so much that new ones are to be expected."""
    counts = Counter(values)
    single_count = sum(count == 1 for count in counts.values())
    return len(counts) >= _NAMES and single_count > _NEW_SHARE * len(values)


def widened(span: Range, values: Sequence[str]) -> Range:
    """Return a range widened to all numbers and shapes that texts word alike."""
    hulls = dict(span.hulls)
    if "number" in hulls:
        low, high = hulls["number"]
        figures = len(str(int(high))) if math.isfinite(high) else 0
        hulls["number"] = min(low, _SPOKEN), 10.0**figures if figures else high
    unmeasured = {value for value in values if measured(value) is None}
    shapes = span.shapes | ({*map(_shape, unmeasured)} - {_shape("")})
    wide = replace(span, hulls=hulls, shapes=frozenset(shapes))
    return replace(wide, values=frozenset(v for v in values if not wide.holds(v)))


def quantities_of(values: Collection[str]) -> dict[str, tuple[str, float]]:
    """Return the quantities among different values, with unit and size, where a unit comes again.

    Else ``12a``, ``7f`` and ``3c`` are identifiers, as they are where several letters are units, or
    where most have a unit of their own: ``XZ 193.1``.
    """
    sizes = {value: size for value in values if (size := quantity(value)) is not None}
    units = [unit for unit, _ in sizes.values()]
    letters = {unit for unit in units if len(unit) == len("#a")}
    recur = len({*units}) < len(units) and not is_various(units)
    return sizes if recur and len(letters) < _LETTERS_OF_NAMES else {}


def measured(value: str) -> tuple[str, float] | None:
    """Return the type and size of a value; None for others and for moments."""
    size = magnitude(value)
    return None if size and size[0] == "moment" else size


def _signs_and_words(values: Collection[str]) -> tuple[frozenset[str], int]:
    """Return the signs of values, and the most words of one."""
    words = max((len(tokens(value)) for value in values), default=0)
    return frozenset[str]().union(*map(_signs, values)), words


def _signs(value: str) -> frozenset[str]:
    """Return the signs of a text that are no part of a number or of a word."""
    return frozenset(_SIGN.findall(value))


def hull_of(sizes: Sequence[float], type_: str = "number") -> tuple[float, float]:
    """Return the least and greatest size, or infinity where dates or serial numbers grew steadily.

    Args:
        sizes: In order of time.
        type_: Type of the sizes.
    """
    low, high = min(sizes), max(sizes)
    grew = all(a < b for a, b in itertools.pairwise(sizes))
    is_serial = len(sizes) >= _COUNTED and high < 2 * low
    if grew and (is_serial or (type_ == "date" and len(sizes) >= _GROWN)):
        return low, math.inf
    return low, high


def is_open(counts: Counter[str]) -> bool:
    """Whether new values of a field are to be expected.

    Of few identifiers or phrases most come once; of a small set, such as ``tier1`` to ``tier3``,
    each value comes again. Many values are names, and there are further ones.

    Args:
        counts: Value → number of runs that tell it.
    """
    values = [value for value in counts if value]
    if len(values) < _IDENTIFIERS:
        return False
    if len(values) >= _WORDS:
        return True
    single_count = sum(counts[value] == 1 for value in values)
    single_share = single_count / sum(counts[value] for value in values)
    are_phrases = len(values) >= _NAMES and all(len(tokens(value)) > 1 for value in values)
    return (are_phrases or all(map(identifying, values))) and single_share > _NEW_SHARE


def identifying(value: str) -> bool:
    """Whether a value looks like an identifier."""
    return has_digit(value) or any(sign in value for sign in "@/\\_")


_SIGN = re.compile(r"[^\w\s]+(?!\w)|(?<!\w)[^\w\s]+|\n")
_LETTERS = frozenset("Aa9")
_RANDOM = "random"
"""Shape of all values that look random."""
_SECRET = "secret"  # noqa: S105 - a shape, not a secret
"""Shape of the marks of secrets, which tell what is equal, and nothing else."""
_DISORDERLY = frozenset({_RANDOM, _SECRET})
_RUN = re.compile(r"[^\W\d_]+|\d+|\s+|[^\w\s]|_")


def _shape(value: str) -> str:
    """Return the shape of a value: words, figures and signs, each run of words as one.

    All random values have one shape, and so have the marks of secrets.
    """
    if REDACTED.fullmatch(value):
        return _SECRET
    if is_random(value):
        return _RANDOM
    signs: list[str] = []
    for match in _RUN.finditer(value):
        run = match.group()
        run_sign = "9" if run[0].isdigit() else "a" if run[0].isalpha() else run
        if run.isspace():
            continue
        if run_sign == "a" and run[0].isupper():
            run_sign = "A"
        if not signs or signs[-1] != run_sign:
            signs.append(run_sign)
    return "".join(signs)
