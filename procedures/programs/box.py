"""What was shown where a step was done: outside of that nobody knows whether it is right.

A box is the most specific description of the moments of a step that is read off fact by fact:
values of a small set, shapes of open ones, hulls of sizes, what always was equal or related, and
pairs of facts that only other demonstrations have. A step that commits, or changes or says
something, is done within its box only.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ..episodes.facts import UNREAD, Fact
from ..episodes.history import EARLIER, INSTRUCTIONS, TASK, History
from ..episodes.tokens import magnitude, tokens
from .chance import is_no_chance
from .notation import condition_text
from .pairs import ANY, Atom, atoms_in, pairs_of
from .program_conditions import Condition, ToldField
from .ranges import Range, hull_of, is_open, is_various, measured, range_of, widened
from .relations import (
    Named,
    Place,
    Relation,
    fields_of,
    members_of,
    named_fields,
    named_rows,
    related,
    relations_of,
    row_kind,
    single_fields,
)
from .size_gaps import gaps_of, totals_of
from .terms import kinds_of, terms_of

__all__ = ["Box", "learn_box", "open_fields"]

_LEAST_RUNS = 5
"""Runs of a step of which the wordings say which others there may be."""


@dataclass(frozen=True)
class Box:
    """What was shown where a step was done.

    Attributes:
        runs: In how many demonstrations it was done; 0 where only ``needs``, ``provided`` and
            ``sizes`` count.
        needs: Steps that were done before it each time; of one with guards, any with its operator.
        provided: What else held each time.
        sizes: For each argument the type of size that it had each time; empty where it had none.
        wordings: Templates of the tasks.
        kinds: Kinds of facts that were told before, at least once.
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
    ranges: Mapping[Place, Range] = field(default_factory=dict)
    relations: frozenset[Relation] = frozenset()
    pairs: frozenset[tuple[Atom, Atom]] = frozenset()
    doubted: int = 0
    signs: tuple[str, ...] = ()
    results: frozenset[str] = frozenset()

    @cached_property
    def _naming(self) -> tuple[Relation, ...]:
        """The lists of which a row is named, whose fields have ranges of their own."""
        known = {kind for kind, _ in self.ranges}
        every = (each for each in sorted(self.relations) if each[1] == "has once")
        return tuple(each for each in every if row_kind(each[0], each[2]) in known)

    def _dated(self) -> frozenset[Place]:
        """Return the fields that are measured from the day: days go on, and they go with them."""
        return frozenset(
            (term.kind, term.field)
            for condition in self.provided
            if any(kind == INSTRUCTIONS for kind in kinds_of(condition))
            for term in terms_of(condition)
            if isinstance(term, ToldField)
        )

    def always_told(self, place: Place, value: str) -> bool:
        """Whether a field had this value, and no other, whenever the step was shown."""
        span = self.ranges.get(place)
        return span is not None and span.values == {value}

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

    def strange(
        self,
        history: History,
        passed: Collection[Place] = (),
        answered: Collection[str] = (),
    ) -> str | None:
        """Say what was never shown; None if all lies within.

        Args:
            history: Before the step.
            passed: Fields, and slots of the task, that are passed on as arguments: which words
                they hold does not matter, once they have held some.
            answered: Operators whose refusals are no news: the arguments answer them.
        """
        for condition in self.provided:
            if not condition.holds(history):
                return f"it was always shown that {condition_text(condition)}"
        for fact in history.last_alike if history.before not in answered else ():
            if fact.kind == UNREAD:
                return f"{fact.fields.get('1', '')!r} was never told"
        if (new := self.new_kind(history)) is not None or not self.runs:
            return new
        named, dated = named_fields(self._naming, history), self._dated()
        here = _told_once(history, named)
        for place, value in here.items():
            span = self.ranges.get(place)
            if span is None:
                return f"{place[1]!r} was never told in {place[0]!r}"
            if span.holds(value) or place in dated or place[0] == INSTRUCTIONS:
                continue
            anywhere = named[place][0] if place in named else place
            if anywhere in passed and span.varied and span.built_alike(value):
                continue
            if not _echoed(place, value, history, span.shared_words):
                return f"{value!r} was never told for {place[1]!r} in {place[0]!r}"
        for place, value in _others(history):
            span = self.ranges.get(place)
            within = span is None or not span.closed_set or span.holds(value)
            if not within and not _echoed(place, value, history):
                return f"{value!r} was never told for {place[1]!r} in {place[0]!r}"
        for relation in sorted(self.relations):
            if not related(relation, history, named):
                (one, left), how, (other, right) = relation
                return f"not {left!r} in {one!r} {how} {right!r} in {other!r}, as each time before"
        opened = {place for place, span in self.ranges.items() if span.shapes}
        fields = {p: ANY if v and p in opened else v for p, v in here.items()}
        atoms = set(atoms_in(fields, history.kinds, self.kinds))
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
            if measured(value) is None:
                columns[place][value] += 1
    return frozenset(p for p, counts in columns.items() if p[0] != EARLIER and is_open(counts))


def learn_box(
    runs: int,
    shown: Sequence[History],
    rivals: Sequence[History],
    opened: Collection[Place],
    repeated: Collection[Place] = (),
    wordings: Mapping[str, int] | None = None,
) -> Box:
    """Describe the moments at which a step was done.

    Args:
        runs: In how many runs it was done.
        shown: These moments.
        rivals: Moments at which something else was done.
        opened: Fields of which new values are to be expected.
        repeated: Fields whose values are only repeated by what is said.
        wordings: Template of a task → in how many runs it was asked for so.
    """
    members = list(members_of(shown))
    naming = _naming_rows(members, shown)
    named = [named_fields(naming, history) for history in shown]
    told = [_told_once(history, each) for history, each in zip(shown, named, strict=True)]
    anywhere = {place: inner[0] for each in named for place, inner in each.items()}
    columns: dict[Place, list[str]] = defaultdict(list)
    for fields in told:
        for place, value in fields.items():
            columns[place].append(value)
    for history in shown:
        for place, value in _others(history):
            columns[place].append(value)
    ranges = {
        place: range_of(place, values, opened=anywhere.get(place, place) in opened)
        for place, values in columns.items()
    }
    for place in columns:
        if anywhere.get(place, place) in repeated and is_various(columns[place]):
            ranges[place] = widened(ranges[place], columns[place])
    kinds = [set(history.kinds) for history in shown]
    always = frozenset(set.intersection(*kinds)) if kinds else frozenset[str]()
    hulls = {p: span.hulls for p, span in ranges.items() if p not in anywhere}
    each_time = always | {kind for kind, _ in anywhere}
    return Box(
        runs,
        provided=(*gaps_of(shown, told, hulls, hull_of), *totals_of(shown, told, hulls)),
        wordings=frozenset(history.wording for history in shown).union(
            _missed_by_chance(wordings or {}, runs)
        ),
        kinds=frozenset().union(*kinds),
        ranges=ranges,
        relations=frozenset(members).union(
            relations_of(shown, told, named, list(_sized(ranges, each_time)))
        ),
        pairs=frozenset(
            pairs_of(shown, rivals, ranges, lambda h: _told_once(h, named_fields(naming, h)))
        ),
    )


def _missed_by_chance(wordings: Mapping[str, int], runs: int) -> Iterator[str]:
    """Yield the wordings of which there may be none among some runs, though they ask the same.

    Of tasks that no template reads nobody knows what they ask.
    """
    total = sum(wordings.values())
    for wording, number in wordings.items() if runs >= _LEAST_RUNS else ():
        others = ((total - number - drawn) / (total - drawn) for drawn in range(runs))
        if wording and not is_no_chance(others):
            yield wording


# ---------------------------------------------------------------------------- fields
def _told_once(history: History, named: Named) -> dict[Place, str]:
    """Return what is told once: by the task, by single facts, and by the rows that are named."""
    return {**dict(single_fields(history)), **{place: each[1] for place, each in named.items()}}


def _naming_rows(members: Sequence[Relation], shown: Sequence[History]) -> list[Relation]:
    """Return lists of which a value names a row, each row but once, the task's own values first."""
    naming: dict[tuple[frozenset[tuple[str, str]], ...], Relation] = {}
    once = (each for each in members if each[1] == "has once")
    for each in sorted(once, key=lambda each: (each[2][0] != TASK, each)):
        rows = [frozenset(row.fields.items()) for h in shown for _, row in named_rows([each], h)]
        naming.setdefault(tuple(rows), each)
    return list(naming.values())


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


# ---------------------------------------------------------------------------- relations
def _sized(ranges: Mapping[Place, Range], always: Collection[str]) -> Iterator[tuple[Place, Place]]:
    """Yield places told each time whose sizes overlap, so that either could be the greater."""
    places = [p for p, s in sorted(ranges.items()) if s.hulls and (p[0] in always or p[0] == TASK)]
    for one, other in itertools.combinations(places, 2):
        for type_, (low, high) in ranges[one].hulls.items():
            least, most = ranges[other].hulls.get(type_, (math.inf, -math.inf))
            if low <= most and least <= high:
                yield one, other
