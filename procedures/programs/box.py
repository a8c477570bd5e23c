"""Boxes: what was shown around a step. Outside of its box a step may be wrong.

A box is the most specific description of the moments of a step, built from single facts: values of
small sets, shapes of open ones, hulls of sizes, relations that always held, and pairs of facts that
only other demonstrations have. A step that commits, changes or says something is done only within
its box.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ..episodes.facts import UNREAD, Fact
from ..episodes.history import EARLIER, INSTRUCTIONS, OTHER, TASK, Done, History
from ..episodes.tokens import magnitude, tokens
from .chance import is_no_chance
from .coincidences import Coincidence, coincidences
from .computed_fields import (
    computed_fields,
    computed_places,
    computed_range,
    computed_term,
    has_limit,
    has_telling_sign,
    is_sum,
)
from .named_rows import is_foremost, named_fields, naming_of, naming_rows
from .notation import condition_text
from .pairs import ANY, Atom, atoms_in, pairs_of
from .program_conditions import Condition, ToldField
from .ranges import Range, is_open, is_various, measured, quantities_of, range_of, widened
from .relations import (
    COMPUTED,
    Named,
    Place,
    Relation,
    fields_of,
    members_of,
    related,
    relations_of,
    single_fields,
)
from .size_limits import SizesByClass, beyond_class, is_beyond, limits_of, sizes_by_class
from .terms import kinds_of_terms, parts_of, terms_of

_LEAST_RUNS = 5
"""Least runs of a step from which on other wordings may be missing by chance."""


@dataclass(frozen=True)
class Box:
    """What was shown around a step.

    Attributes:
        runs: Number of demonstrations that did the step; 0 where only ``needs``, ``provided`` and
            ``sizes`` count.
        needs: Steps that always came before it; for a guarded one any with its operator counts.
        provided: Other conditions that always held.
        sizes: Type of size of each argument; empty where it had no single one.
        wordings: Templates of the tasks.
        kinds: Kinds of facts that were told before at least once.
        ranges: Kind and field → range of values.
        relations: Relations of fields that always held.
        met: Coincidences of two fields that were told.
        limits: Limits of sizes in rows of lists, and of their sums: where another step has sizes
            beyond those of this one.
        sizes_by_class: Sizes that values of small sets came with, where they reach less far.
        pairs: Pairs of facts that were never told together here: rivals have them, or both are
            values of small sets.
        doubted: Number of demonstrations that did another step within the box.
        chance: Whether names tell it apart from other steps that may do so by chance.
        signs: Signs with a meaning that each argument had.
        results: Forms of its results: text, object, list or nothing.
        ahead_of: Tools that no step calls, and demonstrations called behind the step only.
        reasons: Of several guards, the number of demonstrations that did the step for each.
    """

    runs: int = 0
    needs: tuple[str, ...] = ()
    provided: tuple[Condition, ...] = ()
    sizes: tuple[str, ...] = ()
    wordings: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    ranges: Mapping[Place, Range] = field(default_factory=dict)
    relations: frozenset[Relation] = frozenset()
    met: frozenset[Coincidence] = frozenset()
    limits: Mapping[Place, Range] = field(default_factory=dict)
    sizes_by_class: SizesByClass = field(default_factory=dict)
    pairs: frozenset[tuple[Atom, Atom]] = frozenset()
    doubted: int = 0
    chance: bool = False
    signs: tuple[str, ...] = ()
    results: frozenset[str] = frozenset()
    ahead_of: frozenset[str] = frozenset()
    reasons: tuple[int, ...] = ()

    @cached_property
    def _naming(self) -> tuple[Relation, ...]:
        """The memberships that name a row whose fields have ranges."""
        return tuple(naming_of({kind for kind, _ in self.ranges}, self.relations))

    @cached_property
    def _secret(self) -> frozenset[Place]:
        """The fields of which only marks were shown."""
        return _secret_places(self.ranges)

    @cached_property
    def _computed(self) -> Sequence[Place]:
        """The figures that have to be computed, in order."""
        places = frozenset(
            place
            for place in (
                *self.ranges,
                *(place for one, _, other in self.relations for place in (one, other)),
                *((kind, name) for pair in self.pairs for kind, name, _ in pair),
            )
            if place[0] == COMPUTED
        )
        return sorted(places)

    def _dated(self) -> frozenset[Place]:
        """Return the fields that are compared with the current day, and so change with it."""
        compared = (terms_of(condition) for condition in self.provided)
        computed = (parts_of(computed_term(place)) for place in self._computed)
        return frozenset(
            (term.kind, term.field)
            for terms in map(list, itertools.chain(compared, computed))
            if INSTRUCTIONS in kinds_of_terms(terms)
            for term in terms
            if isinstance(term, ToldField)
        )

    def always_told(self, place: Place, value: str) -> bool:
        """Whether a field always had this one value."""
        span = self.ranges.get(place)
        return span is not None and span.values == {value}

    def unsized(self, arguments: Sequence[str]) -> str | None:
        """Return why an argument has not the shown type of size; None if all have it."""
        for value, type_ in zip(arguments, self.sizes, strict=False):
            size = magnitude(value)
            if type_ and (size is None or size[0] != type_):
                return f"{value!r} is no {type_}, as it was in every demonstration"
        return None

    def new_kind(self, history: History) -> str | None:
        """Return which kind of fact was never told before the step; None if there is none."""
        if history.wording not in self.wordings:
            return "the task was never worded so"
        for kind in history.kinds:
            if kind not in self.kinds:
                fields = history.newest(kind)[0].fields
                return f"never told before: {next(iter(fields.values()), kind)!r}"
        return None

    def overlong(self, slots: Iterable[str], history: History) -> str | None:
        """Return which slot of the task says more than shown ones, as with a further wish."""
        for slot in slots:
            value, span = history.asked.fields.get(slot, ""), self.ranges.get((TASK, slot))
            if span is not None and not span.holds(value) and not span.built_alike(value):
                return f"{value!r} is built unlike what tasks said there"
        return None

    def tells(self, fact: Fact, history: History) -> bool:
        """Whether a fact holds a varying value that repeats no other."""
        for place, value in fields_of(fact):
            span = self.ranges.get(place)
            varies = span is None or span.different > 1
            if varies and not _repeats_other_value(place, value, history):
                return True
        return False

    def strange(
        self,
        history: History,
        answered: Collection[str] = (),
        decisive: Collection[Place] = (),
    ) -> str | None:
        """Return what lies outside of the box; None if all lies within.

        Args:
            history: The history before the step.
            answered: Operators whose refusals do not count, as the arguments answer them.
            decisive: Fields that the program decides by: passing their values on makes them no
                less new.
        """
        for condition in self.provided:
            if not condition.holds(history):
                return f"it was always shown that {condition_text(condition)}"
        for fact in history.last_alike if history.before not in answered else ():
            if fact.kind == UNREAD:
                return f"{fact.fields.get('1', '')!r} was never told"
        if not self.runs:
            return None
        history = history.apart()
        if (unknown_kind := self.new_kind(history)) is not None:
            return unknown_kind
        fields_of_rows = {
            **named_fields(self._naming, history),
            **computed_fields(self._computed, history),
        }
        dated = self._dated()
        values_by_place = _single_values(history, fields_of_rows)
        for place, value in values_by_place.items():
            span = self.ranges.get(place)
            if place[0] == COMPUTED:
                if span is None or span.holds(value):
                    continue
                # The rows that a sum is made of may have other sizes.
                is_free = is_sum(place) and span.has_sign_of(value)
                if not is_free or is_beyond(self.limits.get(place), value):
                    return f"{place[1]} was never {value}"
                continue
            if span is None:
                return f"{place[1]!r} was never told in {place[0]!r}"
            if span.holds(value) or place in dated or place[0] == INSTRUCTIONS:
                continue
            original_place = _origin(fields_of_rows[place][0] if place in fields_of_rows else place)
            shared_words = span.shared_words
            if not _repeats_other_value(original_place, value, history, shared_words, decisive):
                return f"{value!r} was never told for {place[1]!r} in {place[0]!r}"
        for place, value in _fields_of_lists(history):
            span = self.ranges.get(place)
            original_place = _origin(place)
            # A list holds rows that do not matter; an earlier result of a tool was asked for.
            free = place == original_place or original_place not in decisive
            is_within = span is None or span.holds(value) or (free and span.has_sign_of(value))
            is_within = is_within and not is_beyond(self.limits.get(place), value)
            is_within = is_within or _repeats_other_value(
                original_place, value, history, decisive=decisive
            )
            if not is_within:
                return f"{value!r} was never told for {place[1]!r} in {place[0]!r}"
        for relation in sorted(self.relations):
            if not related(relation, history, fields_of_rows):
                (one, left), how, (other, right) = relation
                return f"not {left!r} in {one!r} {how} {right!r} in {other!r}, as each time before"
        for pair, value in coincidences(history, fields_of_rows, self._secret).items():
            if pair not in self.met:
                fields_of_pair = " and for ".join(repr(name) for _, name in pair)
                return f"{value!r} was never told both for {fields_of_pair}"
        if (why := beyond_class(self.sizes_by_class, values_by_place)) is not None:
            return why
        opened = {place for place, span in self.ranges.items() if span.shapes}
        fields = {p: ANY if v and p in opened else v for p, v in values_by_place.items()}
        atoms = set(atoms_in(fields, history.kinds, self.kinds))
        for a, b in self.pairs:
            if a in atoms and b in atoms:
                return f"{a[1]} {a[2]!r} and {b[1]} {b[2]!r} were never told together"
        return None


def open_fields(ends: Sequence[History]) -> frozenset[Place]:
    """Return the open fields, of which new values are to be expected.

    Args:
        ends: Histories of whole runs.
    """
    columns: dict[Place, Counter[str]] = defaultdict(Counter)
    for history in ends:
        values_of_run: set[tuple[Place, str]] = set()
        for fact in (Fact(TASK, history.asked.fields), *(f for r in history.results for f in r)):
            values_of_run.update(fields_of(fact))
        for place, value in values_of_run:
            if measured(value) is None:
                columns[place][value] += 1
    for counts in columns.values():
        for value in quantities_of(counts):
            del counts[value]
    return frozenset(p for p, counts in columns.items() if p[0] != EARLIER and is_open(counts))


def learn_box(
    runs: int,
    histories: Sequence[History],
    rivals: Sequence[History],
    opened: Collection[Place],
    repeated: Collection[Place] = (),
    wordings: Mapping[str, int] | None = None,
    ends: Sequence[History] = (),
    passed: Collection[Place] = (),
) -> Box:
    """Return the box of a step.

    Args:
        runs: Number of runs that did the step.
        histories: Histories before the step.
        rivals: Histories before other steps.
        opened: Fields of which new values are to be expected.
        repeated: Fields whose values the step only repeats.
        wordings: Wording of a task → number of runs.
        ends: Whole histories without the step, which its guard rules out there.
        passed: Fields, and slots of the task, that are passed on as arguments: their words do not
            matter where most runs had new ones.
    """
    histories = [history.apart() for history in histories]
    rivals = [history.apart() for history in rivals]
    others = [*rivals, *(history.apart() for history in ends)]
    members = list(members_of(histories))
    naming = naming_rows(members, histories)
    row_fields = [named_fields(naming, history) for history in histories]
    single_values = [
        _single_values(history, each) for history, each in zip(histories, row_fields, strict=True)
    ]
    original_places = {place: inner[0] for each in row_fields for place, inner in each.items()}
    columns: dict[Place, list[str]] = defaultdict(list)
    for fields in single_values:
        for place, value in fields.items():
            columns[place].append(value)
    columns_of_lists = _columns_of_lists(histories)
    for place, values in columns_of_lists.items():
        columns[place] += values
    sources = {place: _origin(original_places.get(place, place)) for place in columns}
    # Of a foremost row one value each time is a reason; others are among those of its list.
    any_value = {p for p, values in columns.items() if is_foremost(p[0]) and len({*values}) > 1}
    any_value |= {p for p, v in columns.items() if sources[p] in passed and is_various(v)}
    ranges = {
        place: range_of(place, values, opened=place in any_value or sources[place] in opened)
        for place, values in columns.items()
    }
    for place in columns:
        if sources[place] in repeated and is_various(columns[place]):
            ranges[place] = widened(ranges[place], columns[place])
    told = {place: span for place, span in ranges.items() if place == sources[place]}
    computed = computed_places(histories, single_values, told)
    named = [
        {**fields, **computed_fields(computed, history)}
        for fields, history in zip(row_fields, histories, strict=True)
    ]
    single_values = [
        _single_values(history, each) for history, each in zip(histories, named, strict=True)
    ]
    values_by_place = {p: tuple(each[p] for each in single_values if p in each) for p in computed}
    # Of figures that agree while they vary one has a range; that they agree is a relation.
    always = {p: v for p, v in values_by_place.items() if len(v) == len(histories)}
    constant_places = [place for place, values in always.items() if len({*values}) == 1]
    varying_places = {v: p for p, v in reversed(always.items()) if p not in constant_places}
    figures = [*constant_places, *varying_places.values()]
    ranges |= {place: computed_range(place, always[place]) for place in figures}
    ranges |= {p: computed_range(p, v) for p, v in values_by_place.items() if p not in always}
    rival_values = [
        _single_values(h, {**named_fields(naming, h), **computed_fields(computed, h)})
        for h in others
    ]
    beside = _columns_of_lists(others)
    for fields in rival_values:  # a rival's list may have a single row
        for place, value in fields.items():
            if place in columns_of_lists or is_sum(place):
                beside[place].append(value)
    kinds = [set(history.kinds) for history in histories]
    all_kinds = frozenset({COMPUTED}).union(*kinds, (kind for kind, _ in original_places))
    signed = [place for place in figures if has_telling_sign(place)]
    return Box(
        runs,
        wordings=frozenset(history.wording for history in histories).union(
            _missed_by_chance(wordings or {}, runs)
        ),
        kinds=frozenset().union(*kinds),
        ranges=ranges,
        relations=frozenset(members).union(
            relations_of(
                histories,
                single_values,
                named,
                list(_overlapping_pairs(ranges, all_kinds, single_values)),
            )
        ),
        met=frozenset[Coincidence]().union(
            *(
                coincidences(history, fields, _secret_places(ranges))
                for history, fields in zip(histories, named, strict=True)
            )
        ),
        limits=limits_of(beside, ranges),
        sizes_by_class=sizes_by_class(single_values, rival_values, ranges),
        pairs=frozenset(
            pairs_of(
                histories,
                rivals,
                ranges,
                lambda h: _single_values(
                    h, {**named_fields(naming, h), **computed_fields(signed, h)}
                ),
                others[len(rivals) :],
            )
        ),
    )


def _secret_places(ranges: Mapping[Place, Range]) -> frozenset[Place]:
    return frozenset(place for place, span in ranges.items() if span.secret)


def _missed_by_chance(wordings: Mapping[str, int], runs: int) -> Iterator[str]:
    """Yield the wordings that some runs may lack by chance.

    Tasks without a wording do not count, as they may ask for anything.
    """
    total = sum(wordings.values())
    for wording, number in wordings.items() if runs >= _LEAST_RUNS else ():
        others = ((total - number - drawn) / (total - drawn) for drawn in range(runs))
        if wording and not is_no_chance(others):
            yield wording


# ---------------------------------------------------------------------------- fields
def _single_values(history: History, fields_of_rows: Named) -> dict[Place, str]:
    """Return the single values: of the task, of single facts, and of rows that are named."""
    return {
        **dict(single_fields(history)),
        **{place: each[1] for place, each in fields_of_rows.items()},
    }


def _fields_of_lists(history: History) -> Iterator[tuple[Place, str]]:
    """Yield the fields of kinds with several facts."""
    for kind in history.kinds:
        facts = history.newest(kind)
        if len(facts) > 1:
            for fact in facts:
                yield from fields_of(fact)


def _columns_of_lists(histories: Iterable[History]) -> dict[Place, list[str]]:
    """Map each field of lists to its values in all histories."""
    columns: dict[Place, list[str]] = defaultdict(list)
    for history in histories:
        for place, value in _fields_of_lists(history):
            columns[place].append(value)
    return columns


def _origin(place: Place) -> Place:
    """Return the place in the record itself of a field that stands apart."""
    return place[0].removeprefix(OTHER), place[1]


def _repeats_other_value(
    place: Place,
    value: str,
    history: History,
    always: Collection[str] = (),
    decisive: Collection[Place] = (),
) -> bool:
    """Whether a value of a result repeats one of the task or of a call.

    What a task says anew stays new where a record repeats it, as one that was asked for does.
    Words that all values of the field have, ``always``, need not be repeated. Of a ``decisive``
    field a call that came after the value was told, and may have taken it from there, does not
    count.
    """
    if place[0] == TASK:
        return False
    if value and value in history.asked.fields.values():
        return True
    calls = _calls_before(place, value, history) if place in decisive else history.calls
    if any(value in call.arguments for call in calls):
        return True
    argument_words = {word for call in calls for each in call.arguments for word in tokens(each)}
    words = [word for word in tokens(value) if word[0].isalnum() and word not in always]
    return bool(words) and argument_words.issuperset(words)


def _calls_before(place: Place, value: str, history: History) -> Sequence[Done]:
    """Return the calls up to the one that first told a value of a field."""
    kind, name = place
    for number, facts in enumerate(history.results):
        if any(fact.kind == kind and fact.fields.get(name) == value for fact in facts):
            return history.calls[:number]
    return history.calls


# ---------------------------------------------------------------------------- relations
def _overlapping_pairs(
    ranges: Mapping[Place, Range],
    kinds: Collection[str],
    moments: Sequence[Mapping[Place, str]],
) -> Iterator[tuple[Place, Place]]:
    """Yield pairs of places whose sizes overlap, so that either could be the greater.

    What is computed is held against single values that are told; it might go as far again. Dates
    of lists, and those that are told at times only, might lie anywhere.
    """
    places = [p for p, s in sorted(ranges.items()) if s.hulls and (p[0] in kinds or p[0] == TASK)]
    singles = frozenset[Place]().union(*moments[:1]).intersection(*moments[1:])
    for one, other in itertools.combinations(places, 2):
        computed = [place for place in (one, other) if place[0] == COMPUTED]
        if computed and not singles.issuperset((one, other)):
            continue
        if not all(has_limit(place, other if place == one else one) for place in computed):
            continue
        for type_, (low, high) in ranges[one].hulls.items():
            least, most = ranges[other].hulls.get(type_, (math.inf, -math.inf))
            spreads = (each[1] - each[0] for p in computed if (each := ranges[p].hulls.get(type_)))
            reach = max(spreads, default=0.0)
            if type_ == "date" and not singles.issuperset((one, other)):
                reach = math.inf  # no hull holds the dates of a list
            if low - reach <= most and least <= high + reach:
                yield one, other
