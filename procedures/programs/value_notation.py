"""Notations of values: a part of a value, other signs or capitals, other dates and numbers."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from ..episodes.date_notations import partial_dates_of, written_partial
from ..episodes.tokens import letters_of

SIDES = ("before", "after")
ENDS = ("first", "last")
CASES = ("", "lower", "upper", "sentence", "title")
KEEPS = ("", "initials", "digits", "letters", "first letter")
_SIGNS = (*"./-_@:, ", ", ", ": ", "  ", " - ", *"|#();='", '"')
"""Signs that divide a value into parts."""
_JOINTS = ("-", "_", ".", "", " ", "+", "%20")
_SWAPS = (
    *((" ", sign) for sign in ("_", "-", ".", "", "+", "%20", ",", ", ")),
    *((",", ""), ("_", " "), ("-", " "), ("-", "_"), ("-", ""), ("/", "-"), (".", ","), (",", ".")),
)
_WIDEST = 8
"""Most figures of a number that is padded with zeros."""
_MOST_DECIMALS = 4
"""Number of fixed counts of decimals that are tried, from 0 to 3."""
_DATE_FIGURES = (6, 8)
"""Figures of a bare number that may be a date."""
_POINTS = (".", ",")
_GROUPS = ("", ",", ".", " ", "'")
_GROUPED = {each: re.compile(rf"[ ',.](?=\d{{3}}(?!\d))(?<!{re.escape(each)})") for each in _POINTS}
_NUMBER = {each: re.compile(rf"(-?)(\d+)(?:{re.escape(each)}(\d+))?") for each in _POINTS}
"""Decimal sign → pattern of a number."""
_MOST_FIGURES = 40
"""Most characters of a number: Python reads none of some thousand figures."""
_TIME = re.compile(
    r"(\d{1,2})(?:[:.h](\d\d)|(?=\d\d$)(\d\d))?(?::(\d\d))?(?: ?([ap])\.?m\.?)?", re.I
)
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Part:
    """The part of a value before or after the first or last occurrence of a sign."""

    side: str
    end: str
    sign: str

    def of(self, value: str) -> str:
        """Return the part; empty where the sign does not occur."""
        if self.sign not in value:
            return ""
        split = value.partition if self.end == "first" else value.rpartition
        before, _, after = split(self.sign)
        return before if self.side == "before" else after


@dataclass(frozen=True, slots=True)
class NumberNotation:
    """A notation of numbers.

    Attributes:
        reads: Decimal sign of the numbers that are read.
        point: Decimal sign of the numbers that are written.
        group: Separator of groups of three figures; may be empty.
        decimals: Number of decimals; None: as many as there are.
    """

    reads: str
    point: str
    group: str = ""
    decimals: int | None = None

    def write(self, value: str) -> str:
        """Return a number in this notation; empty where it is none, or would have to be rounded."""
        number = _number_in(value, self.reads)
        return self.written(*number) if number else ""

    def written(self, integer_part: str, decimals: str) -> str:
        """Return a number that :func:`_number_in` read, in this notation; empty as in `write`."""
        if self.decimals is not None:
            if decimals[self.decimals :].strip("0"):
                return ""
            decimals = decimals[: self.decimals].ljust(self.decimals, "0")
        return integer_part.replace(",", self.group) + (self.point + decimals if decimals else "")


_WAYS_OF_NUMBERS = {
    reads: tuple(
        NumberNotation(reads, point, group, decimals)
        for point, group in itertools.product(_POINTS, _GROUPS)
        for decimals in ((None, *range(_MOST_DECIMALS)) if group != point else ())
    )
    for reads in _POINTS
}
"""Decimal sign of the numbers that are read → notations."""


@dataclass(frozen=True, slots=True)
class Writing:
    """A notation of a value, step by step.

    Attributes:
        parts: Parts that are taken, one after the other; empty: the whole value.
        dates: Notation of the date, or part of one, that is read, and notation that is written.
        clock: Notation of a time of the day that is written.
        numbers: Notation of a number.
        table: Value → written text; other values have no text.
        keep: One of :data:`KEEPS`: the first letters of its words, its figures, its letters.
        joint: Separator of its words, without other signs; None: unchanged.
        swap: A sign, and its replacement.
        case: One of :data:`CASES`; empty: unchanged.
        width: Figures that an integer is padded to with zeros; 1: no zeros; 0: unchanged.
        add: Number that is added to an integer.
    """

    parts: tuple[Part, ...] = ()
    dates: tuple[str, str] | None = None
    clock: str = ""
    numbers: NumberNotation | None = None
    table: tuple[tuple[str, str], ...] = ()
    keep: str = ""
    joint: str | None = None
    swap: tuple[str, str] | None = None
    case: str = ""
    width: int = 0
    add: int = 0

    @property
    def bits(self) -> float:
        """Bits of the notation."""
        steps = bool(self.keep) + (self.joint is not None) + bool(self.swap) + bool(self.case)
        kinds = (self.dates is not None) + bool(self.clock) + (self.numbers is not None)
        return (
            4.0 * len(self.parts)
            + 3.0 * (steps + bool(self.width) + bool(self.add))
            + 4.0 * kinds
            + 6.0 * len(self.table)
        )

    def write(self, value: str) -> str | None:
        """Return a value in this notation; None where that is not possible."""
        for part in self.parts:
            value = part.of(value)
        if not value:
            return None
        if self.table:
            return dict(self.table).get(value)
        if self.dates is not None:
            read_notation, written_notation = self.dates
            partial_date = next(
                (day for each, day in partial_dates_of(value) if each == read_notation), None
            )
            return (
                dict(written_partial(partial_date)).get(written_notation) if partial_date else None
            )
        if self.clock:
            return dict(_clock_notations(value)).get(self.clock)
        if self.numbers is not None:
            return self.numbers.write(value) or None
        return _in_case(self._joined(_selected_letters(value, self.keep)), self.case) or None

    def _joined(self, value: str) -> str:
        if self.add:
            sum_ = int(value) + self.add if value.isdecimal() else -1
            return str(sum_).zfill(self.width or 1) if sum_ >= 0 else ""
        if self.width:
            number = value.lstrip("0") or "0"
            return number.zfill(self.width) if value.isdigit() else ""
        if self.joint is not None:
            return self.joint.join(_WORD.findall(value))
        return value.replace(*self.swap) if self.swap else value


def _number_in(value: str, point: str) -> tuple[str, str] | None:
    """Return the integer part of a number, with commas between groups, and its decimals."""
    if len(value) > _MOST_FIGURES:
        return None
    match = _NUMBER[point].fullmatch(_GROUPED[point].sub("", value))
    return (f"{match[1]}{int(match[2]):,}", match[3] or "") if match else None


def _selected_letters(value: str, keep: str) -> str:
    match keep:
        case "initials":
            return "".join(word[0] for word in _WORD.findall(value))
        case "digits":
            return "".join(filter(str.isdigit, value))
        case "letters":
            return "".join(filter(str.isalpha, value))
        case "first letter":
            return value[:1]
        case _:
            return value


def _in_case(value: str, case: str) -> str:
    match case:
        case "lower":
            return value.lower()
        case "upper":
            return value.upper()
        case "sentence":
            return value[:1].upper() + value[1:]
        case "title":
            return re.sub(r"[^\W\d_]+", lambda word: word[0][:1].upper() + word[0][1:], value)
        case _:
            return value


@lru_cache(20_000)
def writings_of(value: str, text: str) -> tuple[tuple[Writing, str], ...]:
    """Return the notations of a value that a text contains, each with the written text.

    Args:
        value: The value.
        text: The text, which may contain the written value in several places.
    """
    return tuple(_writings(value, text))


def _writings(value: str, text: str) -> Iterator[tuple[Writing, str]]:
    letters = letters_of(text)
    for parts, core in _parts_with_texts(value):
        if core in text:
            yield Writing(parts), core
        for writing, respelling in itertools.chain(
            _respellings(core, text, letters), _notations(core, text, letters)
        ):
            if respelling and respelling in text and respelling != core:
                yield replace(writing, parts=parts), respelling


def _parts_with_texts(value: str) -> Iterator[tuple[tuple[Part, ...], str]]:
    """Yield a value, its parts, and the parts of these, with the parts that lead to each."""
    yield (), value
    core_by_part: list[tuple[Part, str]] = []
    for part in _parts_in(value):
        core = part.of(value)
        if core:
            core_by_part.append((part, core))
            yield (part,), core
    texts_seen = {value, *(core for _, core in core_by_part)}
    for part, core in core_by_part:
        for other in _parts_in(core):
            inner_core = other.of(core)
            if inner_core and inner_core not in texts_seen:
                yield (part, other), inner_core


def _parts_in(value: str) -> Iterator[Part]:
    for sign in _SIGNS:
        if sign in value:
            yield from (Part(side, end, sign) for side in SIDES for end in ENDS)


def _respellings(core: str, text: str, letters: str) -> Iterator[tuple[Writing, str]]:
    """Yield spellings with other capitals, signs and choices of letters."""
    for keep in KEEPS:
        letters_taken = _selected_letters(core, keep)
        taken_letters = letters_of(letters_taken)
        if not taken_letters or taken_letters not in letters or (keep and letters_taken == core):
            continue
        words = _WORD.findall(letters_taken)
        ways = [(Writing(keep=keep), letters_taken)]
        if words != [letters_taken]:
            joints = _JOINTS if len(words) > 1 else (" ",)
            ways += [(Writing(keep=keep, joint=joint), joint.join(words)) for joint in joints]
        ways += [
            (Writing(keep=keep, swap=swap), letters_taken.replace(*swap))
            for swap in _SWAPS
            if swap[0] in letters_taken
        ]
        for way, plain in ways:
            if not plain:
                continue
            yield way, plain
            for case in CASES[1:]:
                text_in_case = _in_case(plain, case)
                if text_in_case != plain and text_in_case in text:
                    yield replace(way, case=case), text_in_case
    if core.isdigit():
        for width in range(1, _WIDEST + 1):
            filled = (core.lstrip("0") or "0").zfill(width)
            if filled in text:
                yield Writing(width=width), filled
        for add in (1, -1):
            width = len(core) if core[0] == "0" else 0
            raised = Writing(width=width, add=add)
            yield raised, raised.write(core) or ""


def _notations(core: str, text: str, letters: str) -> Iterator[tuple[Writing, str]]:
    """Yield other notations of a date, a time or a number."""
    if not core.isdigit() or len(core) in _DATE_FIGURES:
        for read_notation, day in partial_dates_of(core):
            for notation, spelling in written_partial(day):
                if notation != read_notation and spelling in text:
                    yield Writing(dates=(read_notation, notation)), spelling
    for notation, spelling in _clock_notations(core):
        yield Writing(clock=notation), spelling
    for reads in _POINTS:
        number = _number_in(core, reads)
        if number is None or letters_of(number[0]) not in letters:
            continue
        for way in _WAYS_OF_NUMBERS[reads]:
            if (spelling := way.written(*number)) in text:
                yield Writing(numbers=way), spelling


def _clock_notations(value: str) -> list[tuple[str, str]]:
    """Return a time of the day in all notations; an empty list for other values."""
    match = _TIME.fullmatch(value)
    if match is None or not (match[2] or match[3] or match[5]):
        return []
    hour, minute = int(match[1]), int(match[2] or match[3] or 0)
    if match[5]:
        hour = hour % 12 + 12 * (match[5].lower() == "p")
    if hour > 23 or minute > 59:
        return []
    half, twelve = ("pm" if hour >= 12 else "am"), (hour - 1) % 12 + 1
    out = [
        *(("HH:MM", f"{hour:02}:{minute:02}"), ("H:MM", f"{hour}:{minute:02}")),
        *(("HH.MM", f"{hour:02}.{minute:02}"), ("H.MM", f"{hour}.{minute:02}")),
        *(("HHMM", f"{hour:02}{minute:02}"), ("HHhMM", f"{hour:02}h{minute:02}")),
        *(("H:MM am", f"{twelve}:{minute:02} {half}"), ("HH:MM:SS", f"{hour:02}:{minute:02}:00")),
    ]
    return out if minute else [*out, ("H am", f"{twelve} {half}")]
