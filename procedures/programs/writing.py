"""How a value is written anew: a part of it, with other signs or capitals, as another date."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..episodes.dates import days_of, written_date

__all__ = ["CASES", "ENDS", "SIDES", "Part", "Writing", "learn_writings"]

SIDES = ("before", "after")
ENDS = ("first", "last")
CASES = ("", "lower", "upper")
_SIGNS = "./-_@:, "
_SWAPS = (*((" ", sign) for sign in ("_", "-", ".", "")), (",", ""), ("_", " "), ("-", " "))
_SHORTEST = 2
"""Characters that a part, but not the whole, has at least."""
_LEAST = 3
"""Different values from which it is no chance that all are written in one way."""
_MOST = 4


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
class Writing:
    """How a value is written anew, step by step.

    Attributes:
        part: What of it is taken; None: all.
        swap: A sign, and what stands in its place.
        case: ``lower`` or ``upper``; empty: as it is.
        dates: Notation in which it is a date, and the one in which that is written.
        before: What is put before it.
        behind: What is put behind it.
    """

    part: Part | None = None
    swap: tuple[str, str] | None = None
    case: str = ""
    dates: tuple[str, str] | None = None
    before: str = ""
    behind: str = ""

    def write(self, value: str) -> str | None:
        """Return a value written so; None where that is not possible."""
        core = self._core(value)
        return self.before + core + self.behind if core else None

    def _core(self, value: str) -> str:
        if self.dates is not None:
            read, write = self.dates
            day = next((day for notation, day in days_of(value) if notation == read), None)
            return written_date(day, write) if day else ""
        core = self.part.of(value) if self.part else value
        if self.swap:
            core = core.replace(*self.swap)
        return core.lower() if self.case == "lower" else core.upper() if self.case else core


def learn_writings(pairs: Sequence[tuple[str, str]]) -> tuple[Writing, ...]:
    """Return the simplest ways in which all values are written; none if there is no such way.

    Args:
        pairs: What was said, and how it was written.
    """
    if len({value for _, value in pairs}) < _LEAST:
        return ()
    sure = [way for way in dict.fromkeys(_ways(*pairs[0])) if _fits(way, pairs)]
    plain = [way for way in sure if way.part is None]
    simple = (
        way
        for way in plain or sure
        if not (way.case and replace(way, case="") in sure)
        and not (way.swap and replace(way, swap=None) in sure)
    )
    return tuple(simple)[:_MOST]


def _fits(way: Writing, pairs: Sequence[tuple[str, str]]) -> bool:
    return all(way.write(said) == value for said, value in pairs)


def _ways(said: str, value: str) -> Iterator[Writing]:
    """Yield ways in which one value may have been written, the simplest first."""
    for (read, day), (write, other) in itertools.product(days_of(said), days_of(value)):
        if day == other:
            yield Writing(dates=(read, write))
    parts = [None, *(Part(*each) for each in itertools.product(SIDES, ENDS, _SIGNS))]
    for part in parts:
        if part is not None and part.sign not in said:
            continue
        for swap, case in itertools.product((None, *_SWAPS), CASES):
            if swap and swap[0] not in said:
                continue
            way = Writing(part, swap, case)
            core = way.write(said)
            long_enough = core and (len(core) >= _SHORTEST or core == said)
            if core and long_enough and value.count(core) == 1:
                before, _, behind = value.partition(core)
                yield Writing(part, swap, case, before=before, behind=behind)
