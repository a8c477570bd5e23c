"""What was shown where a step was done: outside of that nobody knows whether it is right.

A box is the most specific description of the moments of a step that is read off fact by fact:
values of a small set, shapes of open ones, hulls of sizes, what always was equal or related, and
pairs of facts that only other demonstrations have. A step that commits, or changes or says
something, is done within its box only.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..episodes.facts import UNREAD, Fact
from ..episodes.history import EARLIER, INSTRUCTIONS, TASK, History
from ..episodes.tokens import has_digit, magnitude, tokens
from ..redaction.randomness import is_random
from ..tooling.episodes import REDACTED
from .conditions import Condition, DoneStep, ToldField, kinds_of, terms_of
from .gaps import gaps_of
from .notation import condition_text
from .relations import Place, Relation, fields_of, related, relations_of, single_fields

__all__ = ["ANY", "NOT_TOLD", "TOLD", "Box", "Range", "learn_box", "open_fields"]

_IDENTIFIERS = 2
_NAMES = 3
_WORDS = 8
"""Different values from which more of them are to be expected."""
_MANY = 13
"""Different values from which a field is open in any case."""
_GROWN = 5
"""Sizes from which one that grew each time is expected to grow further."""
_NAMED = re.compile(r"(?:^|[_.])(?:id|ids|uuid|guid)$|[a-z](?:Id|ID|Ids|IDs)$", re.ASCII)
"""Keys whose figures name something and measure nothing, as data are usually written."""
_NEW_SHARE = 0.5
"""Good and Turing's chance of a new value above which a field of words is open."""
_GAPS = 2
_MANY_SIZES = 10
"""Sizes from which a hull is wider than what was shown, by some gaps as if they lay evenly."""
_LONGER = 3
"""So many times as many words may a value of the task have."""
_MOST_PAIRS = 500
_STATES = 2
"""Values of a field of which all that is told together has to be shown, as of a flag."""
_CLASSES = 3
"""The same of a field that stands beside a size which is nothing or something."""
ANY = "\0"
"""Stands for any value of a field whose values name something."""
NONE = "0"
"""Stands for a size that is nothing: it often means something else than any other."""
_ZERO = ("number", 0.0)
ALIKE = "any"
"""In the place of a shape: all that is built of the same letters, figures and signs."""
_SPOKEN = 2.0
"""Least number that is told like all others: of none, one and less one speaks in other words."""
TOLD, NOT_TOLD = "told", "not told"
_Atom = tuple[str, str, str]
"""Kind and field, and a value; without a field whether the kind was told."""


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
        size = _measured(value)
        if self.hulls and size is not None:
            low, high = self.hulls.get(size[0], (1.0, 0.0))
            return low <= size[1] <= high
        return _shape(value) in self.shapes or (ALIKE in self.shapes and self._alike(value))

    @property
    def closed_set(self) -> bool:
        """Whether the values are a set of words, of which no others are to be expected."""
        return bool(self.values) and not self.hulls and not self.shapes

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
        built = set("".join(self.shapes - {ALIKE}))
        return (
            _measured(value) is None
            and self.built_alike(value)
            and _LETTERS & {*_shape(value)} <= built
        )


@dataclass(frozen=True, slots=True)
class Box:
    """What was shown where a step was done.

    Attributes:
        runs: In how many demonstrations it was done; 0 where only ``needs``, ``provided`` and
            ``sizes`` count.
        needs: Steps that were done before it each time.
        provided: What else held each time.
        sizes: For each argument the type of size that it had each time; empty where it had none.
        wordings: Templates of the tasks.
        kinds: Kinds of facts that were told before, at least once.
        always: Kinds that were told before each time.
        ranges: Kind and field → values.
        relations: How fields were related each time.
        pairs: Two facts that were never told together here, but where something else was done, or
            that are values of small sets.
        doubted: How many demonstrations did something else within the box.
        signs: For each argument the signs with a meaning that were shown in it.
        results: Forms in which it was answered: text, object, list or nothing.
    """

    runs: int = 0
    needs: tuple[str, ...] = ()
    provided: tuple[Condition, ...] = ()
    sizes: tuple[str, ...] = ()
    wordings: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    always: frozenset[str] = frozenset()
    ranges: Mapping[Place, Range] = field(default_factory=dict)
    relations: frozenset[Relation] = frozenset()
    pairs: frozenset[tuple[_Atom, _Atom]] = frozenset()
    doubted: int = 0
    signs: tuple[str, ...] = ()
    results: frozenset[str] = frozenset()

    def _dated(self) -> frozenset[Place]:
        """Return the fields that are measured from the day: days go on, and they go with them."""
        return frozenset(
            (term.kind, term.field)
            for condition in self.provided
            if any(kind == INSTRUCTIONS for kind in kinds_of(condition))
            for term in terms_of(condition)
            if isinstance(term, ToldField)
        )

    def unsized(self, arguments: Sequence[str]) -> str | None:
        """Say which argument is no size of the type that was shown; None if all are."""
        for value, type_ in zip(arguments, self.sizes, strict=False):
            size = magnitude(value)
            if type_ and (size is None or size[0] != type_):
                return f"{value!r} is no {type_}, as it was in every demonstration"
        return None

    def new_kind(self, history: History) -> str | None:
        """Say which kind of fact was never told before the step; None if there is none."""
        if not self.runs:
            return None
        if history.wording not in self.wordings:
            return "the task was never worded so"
        for kind in history.kinds:
            if kind not in self.kinds:
                what = history.newest(kind)[0].fields
                return f"never told before: {next(iter(what.values()), kind)!r}"
        return None

    def tells(self, fact: Fact, history: History) -> bool:
        """Whether a fact holds a value that differs from time to time and repeats nothing."""
        for place, value in fields_of(fact):
            span = self.ranges.get(place)
            varies = span is None or span.different > 1
            if varies and not _echoed(place, value, history):
                return True
        return False

    def strange(self, history: History, passed: Collection[Place] = ()) -> str | None:
        """Say what was never shown; None if all lies within.

        Args:
            history: Before the step.
            passed: Fields, and slots of the task, that are passed on as arguments: which words
                they hold does not matter, once they have held some.
        """
        for need in self.needs:
            if not DoneStep(need).holds(history):
                return f"{need} was done before it in every demonstration"
        for condition in self.provided:
            if not condition.holds(history):
                return f"it was always shown that {condition_text(condition)}"
        for fact in history.last_alike:
            if fact.kind == UNREAD:
                return f"{fact.fields.get('1', '')!r} was never told"
        if (new := self.new_kind(history)) is not None or not self.runs:
            return new
        for kind in sorted(self.always - history.kinds.keys()):
            return f"{kind!r} was told each time before"
        here, dated = dict(single_fields(history)), self._dated()
        for place, value in here.items():
            span = self.ranges.get(place)
            if span is None:
                return f"{place[1]!r} was never told in {place[0]!r}"
            if span.holds(value) or place in dated or place[0] == INSTRUCTIONS:
                continue
            if place in passed and span.varied and span.built_alike(value):
                continue
            if not _echoed(place, value, history, span.shared_words):
                return f"{value!r} was never told for {place[1]!r} in {place[0]!r}"
        for place, value in _others(history):
            span = self.ranges.get(place)
            within = span is None or not span.closed_set or span.holds(value)
            if not within and not _echoed(place, value, history):
                return f"{value!r} was never told for {place[1]!r} in {place[0]!r}"
        for relation in sorted(self.relations):
            if not related(relation, history):
                (one, left), how, (other, right) = relation
                return f"not {left!r} in {one!r} {how} {right!r} in {other!r}, as each time before"
        opened = {place for place, span in self.ranges.items() if span.shapes}
        fields = {p: ANY if v and p in opened else v for p, v in here.items()}
        atoms = set(_atoms(fields, history.kinds, self.kinds))
        for a, b in self.pairs:
            if a in atoms and b in atoms:
                return f"{a[1]} {a[2]!r} and {b[1]} {b[2]!r} were never told together"
        return None


def open_fields(ends: Sequence[History]) -> frozenset[Place]:
    """Return the fields of which values that were never shown are to be expected.

    Args:
        ends: Whole runs.
    """
    columns: dict[Place, Counter[str]] = defaultdict(Counter)
    for history in ends:
        seen: set[tuple[Place, str]] = set()
        for fact in (Fact(TASK, history.asked.fields), *(f for r in history.results for f in r)):
            seen.update(fields_of(fact))
        for place, value in seen:
            if _measured(value) is None:
                columns[place][value] += 1
    return frozenset(p for p, counts in columns.items() if p[0] != EARLIER and _open(counts))


def learn_box(
    runs: int,
    shown: Sequence[History],
    rivals: Sequence[History],
    opened: Collection[Place],
    repeated: Collection[Place] = (),
) -> Box:
    """Describe the moments at which a step was done.

    Args:
        runs: In how many runs it was done.
        shown: These moments.
        rivals: Moments at which something else was done.
        opened: Fields of which new values are to be expected.
        repeated: Fields whose values are only repeated by what is said.
    """
    told = [dict(single_fields(history)) for history in shown]
    columns: dict[Place, list[str]] = defaultdict(list)
    for fields in told:
        for place, value in fields.items():
            columns[place].append(value)
    for history in shown:
        for place, value in _others(history):
            columns[place].append(value)
    ranges = {
        place: _range(place, values, opened=place in opened) for place, values in columns.items()
    }
    for place in repeated:
        if place in columns and _various(columns[place]):
            ranges[place] = _widened(ranges[place], columns[place])
    kinds = [set(history.kinds) for history in shown]
    always = frozenset(set.intersection(*kinds)) if kinds else frozenset[str]()
    hulls = {place: span.hulls for place, span in ranges.items()}
    return Box(
        runs,
        provided=tuple(gaps_of(shown, hulls, _hull)),
        wordings=frozenset(history.wording for history in shown),
        kinds=frozenset().union(*kinds),
        always=always,
        ranges=ranges,
        relations=frozenset(relations_of(shown, list(_sized(ranges, always)))),
        pairs=frozenset(_pairs(shown, rivals, ranges)),
    )


# ---------------------------------------------------------------------------- fields
def _others(history: History) -> Iterator[tuple[Place, str]]:
    """Yield the fields of kinds that are told several times: only how they are built counts."""
    for kind in history.kinds:
        facts = history.newest(kind)
        if len(facts) > 1:
            for fact in facts:
                yield from fields_of(fact)


def _echoed(place: Place, value: str, history: History, always: Collection[str] = ()) -> bool:
    """Whether a value repeats what was said elsewhere: by the task, a call or a result.

    Words that the values of a field always have, ``always``, are no part of what is repeated.
    """
    if place[0] == TASK:
        return any(value in f.fields.values() for result in history.results for f in result)
    if value and value in history.asked.fields.values():
        return True
    if any(value in call.arguments for call in history.calls):
        return True
    said = {word for call in history.calls for each in call.arguments for word in tokens(each)}
    words = [word for word in tokens(value) if word[0].isalnum() and word not in always]
    return bool(words) and said.issuperset(words)


def _range(place: Place, values: Sequence[str], *, opened: bool) -> Range:
    counts = Counter(values)
    sizes: dict[str, list[float]] = defaultdict(list)
    for value in values:
        if (size := _measured(value)) is not None:
            sizes[size[0]].append(size[1])
    hulls = {type_: _hull(each) for type_, each in sizes.items() if len(set(each)) > 1}
    shapes = frozenset(_shape(v) for v in counts if _measured(v) is None and opened)
    if _NAMED.search(place[1]) and len(counts) >= _IDENTIFIERS:
        hulls, shapes = {}, frozenset(map(_shape, counts))
    span = Range(frozenset(), hulls, shapes - {_shape("")}, len(counts), *_built(counts))
    return replace(span, values=frozenset(v for v in counts if not span.holds(v)))


def _various(values: Sequence[str]) -> bool:
    """Whether new values are to be expected where none of them is judged."""
    counts = Counter(values)
    once = sum(count == 1 for count in counts.values())
    return len(counts) >= _NAMES and once > _NEW_SHARE * len(values)


def _widened(span: Range, values: Sequence[str]) -> Range:
    """Return a range in which all lies that is told in the same words."""
    hulls = dict(span.hulls)
    if "number" in hulls:
        low, high = hulls["number"]
        figures = len(str(int(high))) if math.isfinite(high) else 0
        hulls["number"] = min(low, _SPOKEN), 10.0**figures if figures else high
    texts = {value for value in values if _measured(value) is None}
    shapes = span.shapes | ({ALIKE, *map(_shape, texts)} - {_shape("")} if texts else set())
    wide = replace(span, hulls=hulls, shapes=frozenset(shapes))
    return replace(wide, values=frozenset(v for v in values if not wide.holds(v)))


def _measured(value: str) -> tuple[str, float] | None:
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


def _hull(sizes: Sequence[float]) -> tuple[float, float]:
    low, high = min(sizes), max(sizes)
    if len(sizes) >= _GROWN and all(a < b for a, b in itertools.pairwise(sizes)):
        return low, math.inf  # it grows from time to time, as serial numbers and days do
    room = _GAPS * (high - low) / len(sizes) if len(sizes) >= _MANY_SIZES else 0.0
    return low - room, high + room


def _open(counts: Counter[str]) -> bool:
    """Whether values that were never shown are to be expected."""
    values = [value for value in counts if value]
    if len(values) < _IDENTIFIERS:
        return False
    if all(map(_identifying, values)) or len(values) >= _MANY:
        return True
    once = sum(counts[value] == 1 for value in values) / sum(counts[value] for value in values)
    least = _NAMES if all(len(tokens(value)) > 1 for value in values) else _WORDS
    return len(values) >= least and once > _NEW_SHARE


def _identifying(value: str) -> bool:
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


# ---------------------------------------------------------------------------- relations
def _sized(ranges: Mapping[Place, Range], always: Collection[str]) -> Iterator[tuple[Place, Place]]:
    """Yield places told each time whose sizes overlap, so that either could be the greater."""
    places = [p for p, s in sorted(ranges.items()) if s.hulls and (p[0] in always or p[0] == TASK)]
    for one, other in itertools.combinations(places, 2):
        for type_, (low, high) in ranges[one].hulls.items():
            least, most = ranges[other].hulls.get(type_, (math.inf, -math.inf))
            if one[0] != other[0] and low <= most and least <= high:
                yield one, other


def _atoms(
    fields: Mapping[Place, str], told: Collection[str], kinds: Collection[str]
) -> Iterator[_Atom]:
    """Yield values, of those that name something only that there is one, and the kinds told."""
    for (kind, name), value in fields.items():
        size = magnitude(value)
        named = size is not None or _identifying(value)
        yield kind, name, NONE if size == _ZERO else ANY if named else value
    for kind in kinds:
        yield kind, "", TOLD if kind in told else NOT_TOLD


def _cases(place: Place, sizes: Collection[Place], ranges: Mapping[Place, Range]) -> float:
    """Return how many cases a field tells apart: its values, or of a size nothing and something."""
    if place in sizes:
        return _STATES
    span = ranges.get(place)
    closed = span is not None and not span.hulls and not span.shapes
    return span.different if span is not None and closed and span.different > 1 else math.inf


def _pairs(
    shown: Sequence[History], rivals: Sequence[History], ranges: Mapping[Place, Range]
) -> Iterator[tuple[_Atom, _Atom]]:
    """Yield facts that were told here, but never together: those that rivals have together.

    Values of small sets need no rival: what two of them mean together nobody has shown.
    """
    kinds = sorted(frozenset().union(*(history.kinds for history in shown)) - {UNREAD})
    opened = {place for place, span in ranges.items() if span.shapes}

    def atoms_of(history: History) -> frozenset[_Atom]:
        fields = {p: ANY if v and p in opened else v for p, v in single_fields(history)}
        return frozenset(_atoms(fields, history.kinds, kinds))

    here = [atoms_of(history) for history in shown]
    known = frozenset[_Atom]().union(*here)
    together = {pair for each in here for pair in itertools.combinations(sorted(each), 2)}
    none = {atom[:2] for atom in known if atom[2] == NONE}
    some = {atom[:2] for atom in known if atom[2] == ANY}
    sizes = none & some
    cases = {place: _cases(place, sizes, ranges) for place in {atom[:2] for atom in known}}
    few = sorted(atom for atom in known if cases[atom[:2]] < math.inf)
    alone = (
        (one, other)
        for one, other in itertools.combinations(few, 2)
        if one[:2] != other[:2]
        and cases[one[:2]] * cases[other[:2]]
        <= (_STATES * _STATES if sizes.isdisjoint((one[:2], other[:2])) else _STATES * _CLASSES)
    )
    contrasts = (
        pair
        for rival in rivals
        for pair in itertools.combinations(sorted(atoms_of(rival) & known), 2)
    )
    seen: set[tuple[_Atom, _Atom]] = set()
    for pair in itertools.chain(contrasts, alone):
        if pair not in together and pair not in seen and len(seen) < _MOST_PAIRS:
            seen.add(pair)
            yield pair
