"""How a value is written anew: a part of it, with other signs or capitals, in another notation."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from ..episodes.date_notations import partial_dates_of, written_partial
from ..episodes.tokens import letters_of

__all__ = [
    "CASES",
    "CLOCKS",
    "ENDS",
    "KEEPS",
    "SIDES",
    "NumberNotation",
    "Part",
    "Writing",
    "writings_of",
]

SIDES = ("before", "after")
ENDS = ("first", "last")
CASES = ("", "lower", "upper", "sentence", "title")
KEEPS = ("", "initials", "digits", "letters", "first letter")
CLOCKS = ("HH:MM", "H:MM", "HH.MM", "H.MM", "HHMM", "HHhMM", "H:MM am", "H am", "HH:MM:SS")
_SIGNS = (*"./-_@:, ", ", ", ": ", "  ", " - ", *"|#();='", '"')
"""Signs at which a part is taken."""
_JOINTS = ("-", "_", ".", "", " ", "+", "%20")
_SWAPS = (
    *((" ", sign) for sign in ("_", "-", ".", "", "+", "%20", ",", ", ")),
    *((",", ""), ("_", " "), ("-", " "), ("-", "_"), ("-", ""), ("/", "-"), (".", ","), (",", ".")),
)
_WIDEST = 8
"""Figures of a number that is filled up with zeros."""
_MOST_DECIMALS = 4
_DATE_FIGURES = (6, 8)
"""Figures of a number alone that may be a date: of fewer a width says as much."""
_POINTS = (".", ",")
_GROUPS = ("", ",", ".", " ", "'")
_GROUPED = {each: re.compile(rf"[ ',.](?=\d{{3}}(?!\d))(?<!{re.escape(each)})") for each in _POINTS}
_NUMBER = {each: re.compile(rf"(-?)(\d+)(?:{re.escape(each)}(\d+))?") for each in _POINTS}
"""By the decimal sign."""
_MOST_FIGURES = 40
"""Signs of a number: Python reads none of some thousand figures."""
_TIME = re.compile(
    r"(\d{1,2})(?:[:.h](\d\d)|(?=\d\d$)(\d\d))?(?::(\d\d))?(?: ?([ap])\.?m\.?)?", re.I
)
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Part:
    """What stands before or after the first or last of a sign."""

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
    """How a number is written.

    Attributes:
        reads: The decimal sign of what is read.
        point: The decimal sign that is written.
        group: What stands between groups of three figures; empty: nothing.
        decimals: How many are written; None: as many as there are.
    """

    reads: str
    point: str
    group: str = ""
    decimals: int | None = None

    def write(self, value: str) -> str:
        """Return a number written so; empty where it is none, or would have to be rounded."""
        number = _number_in(value, self.reads)
        return self.written(*number) if number else ""

    def written(self, whole: str, decimals: str) -> str:
        """Return a number written so, as :func:`_number_in` reads it; empty as above."""
        if self.decimals is not None:
            if decimals[self.decimals :].strip("0"):
                return ""
            decimals = decimals[: self.decimals].ljust(self.decimals, "0")
        return whole.replace(",", self.group) + (self.point + decimals if decimals else "")


_WAYS_OF_NUMBERS = {
    reads: tuple(
        NumberNotation(reads, point, group, decimals)
        for point, group in itertools.product(_POINTS, _GROUPS)
        for decimals in ((None, *range(_MOST_DECIMALS)) if group != point else ())
    )
    for reads in _POINTS
}
"""By the decimal sign of what is read."""


@dataclass(frozen=True, slots=True)
class Writing:
    """How a value is written anew, step by step.

    Attributes:
        parts: What of it is taken, one after the other; nothing: all.
        dates: Notation in which it is a date, or part of one, and the one in which that is written.
        clock: The same of a time of the day.
        numbers: How it is written as a number.
        table: Value → what is written; of others nobody knows how they are written.
        keep: One of :data:`KEEPS`: the first letters of its words, its figures, its letters.
        joint: What stands between its words, and no other sign; None: as it is.
        swap: A sign, and what stands in its place.
        case: One of :data:`CASES`; empty: as it is.
        width: Figures to which a whole number is filled up with zeros; 1: it has none; 0: as it is.
        add: What a whole number is raised by.
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
        """What it costs to say, in bits."""
        steps = bool(self.keep) + (self.joint is not None) + bool(self.swap) + bool(self.case)
        kinds = (self.dates is not None) + bool(self.clock) + (self.numbers is not None)
        return (
            4.0 * len(self.parts)
            + 3.0 * (steps + bool(self.width) + bool(self.add))
            + 4.0 * kinds
            + 6.0 * len(self.table)
        )

    def write(self, value: str) -> str | None:
        """Return a value written so; None where that is not possible."""
        for part in self.parts:
            value = part.of(value)
        if not value:
            return None
        if self.table:
            return dict(self.table).get(value)
        if self.dates is not None:
            read, write = self.dates
            found = next((day for each, day in partial_dates_of(value) if each == read), None)
            return dict(written_partial(found)).get(write) if found else None
        if self.clock:
            return dict(_clock_notations(value)).get(self.clock)
        if self.numbers is not None:
            return self.numbers.write(value) or None
        return _in_case(self._joined(_kept(value, self.keep)), self.case) or None

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
    """Return the whole of a number, with a comma between groups, and its decimals."""
    if len(value) > _MOST_FIGURES:
        return None
    match = _NUMBER[point].fullmatch(_GROUPED[point].sub("", value))
    return (f"{match[1]}{int(match[2]):,}", match[3] or "") if match else None


def _kept(value: str, keep: str) -> str:
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
    """Return ways in which a value may have been written in a text, and what they write.

    Args:
        value: What is known.
        text: In which what is written stands; it may stand in several places.
    """
    return tuple(_writings(value, text))


def _writings(value: str, text: str) -> Iterator[tuple[Writing, str]]:
    letters = letters_of(text)
    for parts, core in _cores(value):
        if core in text:
            yield Writing(parts), core
        for writing, written in itertools.chain(
            _respelled(core, text, letters), _notations(core, text, letters)
        ):
            if written and written in text and written != core:
                yield replace(writing, parts=parts), written


def _cores(value: str) -> Iterator[tuple[tuple[Part, ...], str]]:
    """Yield the whole, its parts, and parts of these, each text once for each way to take it."""
    yield (), value
    inner: list[tuple[Part, str]] = []
    for part in _parts_in(value):
        core = part.of(value)
        if core:
            inner.append((part, core))
            yield (part,), core
    seen = {value, *(core for _, core in inner)}
    for part, core in inner:
        for other in _parts_in(core):
            within = other.of(core)
            if within and within not in seen:
                yield (part, other), within


def _parts_in(value: str) -> Iterator[Part]:
    for sign in _SIGNS:
        if sign in value:
            yield from (Part(side, end, sign) for side in SIDES for end in ENDS)


def _respelled(core: str, text: str, letters: str) -> Iterator[tuple[Writing, str]]:
    """Yield other capitals, signs and choices of letters."""
    for keep in KEEPS:
        taken = _kept(core, keep)
        small = letters_of(taken)
        if not small or small not in letters or (keep and taken == core):
            continue
        words = _WORD.findall(taken)
        ways = [(Writing(keep=keep), taken)]
        if words != [taken]:
            joints = _JOINTS if len(words) > 1 else (" ",)
            ways += [(Writing(keep=keep, joint=joint), joint.join(words)) for joint in joints]
        ways += [
            (Writing(keep=keep, swap=swap), taken.replace(*swap))
            for swap in _SWAPS
            if swap[0] in taken
        ]
        for way, plain in ways:
            if not plain:
                continue
            yield way, plain
            for case in CASES[1:]:
                written = _in_case(plain, case)
                if written != plain and written in text:
                    yield replace(way, case=case), written
    if core.isdigit():
        for width in range(1, _WIDEST + 1):
            filled = (core.lstrip("0") or "0").zfill(width)
            if filled in text:
                yield Writing(width=width), filled
        for add in (1, -1):
            width = len(core) if core[0] == "0" else 0
            further = Writing(width=width, add=add)
            yield further, further.write(core) or ""


def _notations(core: str, text: str, letters: str) -> Iterator[tuple[Writing, str]]:
    """Yield other notations of dates, times and numbers."""
    if not core.isdigit() or len(core) in _DATE_FIGURES:
        for read, day in partial_dates_of(core):
            for notation, written in written_partial(day):
                if notation != read and written in text:
                    yield Writing(dates=(read, notation)), written
    for notation, written in _clock_notations(core):
        yield Writing(clock=notation), written
    for reads in _POINTS:
        number = _number_in(core, reads)
        if number is None or letters_of(number[0]) not in letters:
            continue
        for way in _WAYS_OF_NUMBERS[reads]:
            if (written := way.written(*number)) in text:
                yield Writing(numbers=way), written


def _clock_notations(value: str) -> list[tuple[str, str]]:
    """Return a time of the day in all notations; nothing where it is none."""
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
