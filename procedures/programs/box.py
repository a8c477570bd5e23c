"""Boxes: what was shown around a step. Outside of its box a step may be wrong.

A box is the most specific description of the moments of a step, built from single facts: values of
small sets, shapes of open ones, hulls of sizes, relations that always held, and pairs of facts that
only other demonstrations have. A step that commits, changes or says something is done only within
its box.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ..episodes.facts import UNREAD, Fact
from ..episodes.history import INSTRUCTIONS, TASK, Done, History
from ..episodes.tokens import magnitude, tokens
from .coincidences import Coincidence, coincidences
from .computed_fields import computed_fields, computed_term, is_sum
from .named_rows import named_fields, naming_of
from .notation import condition_text
from .pairs import ANY, Atom, atoms_in
from .program_conditions import Condition, ToldField
from .ranges import Range
from .relations import COMPUTED, Named, Place, Relation, fields_of, related
from .size_limits import SizesByClass, beyond_class, is_beyond
from .terms import kinds_of_terms, parts_of, terms_of
from .told_values import fields_of_lists, origin, secret_places, single_values


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
        decimals: Counts of decimals that the numbers of each argument had; empty: whole ones.
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
    decimals: tuple[frozenset[int], ...] = ()
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
        return secret_places(self.ranges)

    @cached_property
    def _computed(self) -> Sequence[Place]:
        """The figures that have to be computed, in order."""
        places = frozenset(
            place
            for place in (
                *self.ranges,
                *(place for one, _, other in self.relations for place in (one, other)),
                *(place for sizes in self.sizes_by_class.values() for place in sizes),
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
        return next(self._strange(history, answered, decisive), None)

    def _strange(
        self,
        history: History,
        answered: Collection[str],
        decisive: Collection[Place],
    ) -> Iterator[str]:
        """Yield what lies outside of the box."""
        for condition in self.provided:
            if not condition.holds(history):
                yield f"it was always shown that {condition_text(condition)}"
        for fact in history.last_alike if history.before not in answered else ():
            if fact.kind == UNREAD:
                yield f"{fact.fields.get('1', '')!r} was never told"
        if not self.runs:
            return
        history = history.apart()
        if (unknown_kind := self.new_kind(history)) is not None:
            yield unknown_kind
        named = {
            **named_fields(self._naming, history),
            **computed_fields(self._computed, history),
        }
        values = single_values(history, named)
        yield from self._strange_figures(values)
        yield from self._strange_values(values, named, history, decisive)
        yield from self._strange_rows(history, decisive)
        yield from self._strange_together(values, named, history)

    def _strange_figures(self, values: Mapping[Place, str]) -> Iterator[str]:
        """Yield computed figures outside of their ranges."""
        for place, value in values.items():
            span = self.ranges.get(place) if place[0] == COMPUTED else None
            if span is None or span.holds(value):
                continue
            # The rows that a sum is made of may have other sizes.
            is_free = is_sum(place) and span.has_sign_of(value)
            if not is_free or is_beyond(self.limits.get(place), value):
                yield f"{place[1]} was never {value}"

    def _strange_values(
        self,
        values: Mapping[Place, str],
        named: Named,
        history: History,
        decisive: Collection[Place],
    ) -> Iterator[str]:
        """Yield single values that were told, outside of their ranges."""
        dated = self._dated()
        for place, value in values.items():
            if place[0] == COMPUTED:
                continue
            span = self.ranges.get(place)
            if span is None:
                yield f"{place[1]!r} was never told in {place[0]!r}"
                continue
            if span.holds(value) or place in dated or place[0] == INSTRUCTIONS:
                continue
            original_place = origin(named[place][0] if place in named else place)
            if original_place[0] == TASK:
                # What a task says anew stays new where a record repeats it, as one that was asked
                # for does. Only of an open field it is a name, whatever its length.
                is_repeated = bool(span.shapes) and _is_told(value, history)
            else:
                is_repeated = _repeats_other_value(
                    original_place, value, history, span.shared_words, decisive
                )
            if not is_repeated:
                yield f"{value!r} was never told for {place[1]!r} in {place[0]!r}"

    def _strange_rows(self, history: History, decisive: Collection[Place]) -> Iterator[str]:
        """Yield values of lists outside of their ranges."""
        for place, value in fields_of_lists(history):
            span = self.ranges.get(place)
            original_place = origin(place)
            # A list holds rows that do not matter; an earlier result of a tool was asked for.
            free = place == original_place or original_place not in decisive
            is_within = span is None or span.holds(value) or (free and span.has_sign_of(value))
            is_within = is_within and not is_beyond(self.limits.get(place), value)
            is_within = is_within or _repeats_other_value(
                original_place, value, history, decisive=decisive
            )
            if not is_within:
                yield f"{value!r} was never told for {place[1]!r} in {place[0]!r}"

    def _strange_together(
        self, values: Mapping[Place, str], named: Named, history: History
    ) -> Iterator[str]:
        """Yield values that may each be ordinary, and were never told together."""
        for relation in sorted(self.relations):
            if not related(relation, history, named):
                (one, left), how, (other, right) = relation
                yield f"not {left!r} in {one!r} {how} {right!r} in {other!r}, as each time before"
        for pair, value in coincidences(history, named, self._secret).items():
            if pair not in self.met:
                fields_of_pair = " and for ".join(repr(name) for _, name in pair)
                yield f"{value!r} was never told both for {fields_of_pair}"
        if (why := beyond_class(self.sizes_by_class, values)) is not None:
            yield why
        opened = {place for place, span in self.ranges.items() if span.shapes}
        marked = {p: ANY if v and p in opened else v for p, v in values.items()}
        atoms = set(atoms_in(marked, history.kinds, self.kinds))
        for a, b in self.pairs:
            if a in atoms and b in atoms:
                yield f"{a[1]} {a[2]!r} and {b[1]} {b[2]!r} were never told together"


def _is_told(value: str, history: History) -> bool:
    """Whether a field of a result has a value."""
    facts = (fact for result in history.results for fact in result)
    return value != "" and any(value in fact.fields.values() for fact in facts)


def _repeats_other_value(
    place: Place,
    value: str,
    history: History,
    always: Collection[str] = (),
    decisive: Collection[Place] = (),
) -> bool:
    """Whether a value of a result repeats one of the task or of a call.

    Words that all values of the field have, ``always``, need not be repeated. Of a ``decisive``
    field a call that came after the value was told, and may have taken it from there, does not
    count.
    """
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
