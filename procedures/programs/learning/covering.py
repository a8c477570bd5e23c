"""The steps of a program: operators with the sources that explain the demonstrated arguments.

Steps are found by a greedy cover: one is added while it saves more bits than it costs. A source
that is no constant has to explain values that differ in the same situation; else it may be a
shortcut that all demonstrations share.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ...episodes.facts import UNREAD
from ...episodes.history import TASK, History
from ..binding import bound, looks_at
from ..decision_tables import Tabled
from ..exact_numbers import SIGNS, number_of
from ..program_conditions import Argument, Field, OneOf, TaskSlot
from ..sources import (
    ANY,
    Arranged,
    At,
    Base,
    Case,
    Choice,
    Composed,
    Computed,
    Constant,
    Kept,
    Line,
    Recalled,
    Rule,
    Source,
    Written,
    base_of,
    candidates,
    lines_told,
    rows,
    values_beside,
    with_figure,
)
from .choices import learn_cases, learn_listed, named_by_others, uses_that_fit, whole_rows
from .chosen_parts import with_rules
from .composed_texts import written_texts
from .computing import computed
from .joins import learn_lookups
from .occurrences import Few, Occurrence, Setting, Use, uses_by_field
from .step_cover import Columns, Floats, StepCover
from .tabling import tabled

_LEAST_UNSAID = 3
"""Least unexplained values from which on a computed or composed source is searched for."""
_LOOKED_AT = 5
"""Occurrences whose facts and slots supply the parts of composed values."""
_LEAST_STEADY = 5
"""Least times that several facts have to agree, so that it is no chance."""
_MOST_LINES = 3
"""Most lines of a result that a text may quote as a whole; headings stand first."""
_MADE = Constant | Computed | Tabled | Written | Arranged | Composed | Kept | Recalled
"""Sources that are no part of composed values."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A step: the sources of its arguments, and choices that explain the same values."""

    sources: tuple[Source, ...]
    offers: tuple[Choice, ...] = ()


def cover(operator: str, occurrences: Sequence[Occurrence], few: Few) -> list[Shape]:
    """Return the steps of an operator.

    Args:
        operator: The operator.
        occurrences: All its demonstrated calls.
        few: Kind of facts → its fields that have few values.
    """
    if not occurrences[0].arguments:
        return [Shape(())]
    lookups = learn_lookups([occurrence.history for occurrence in occurrences])
    setting = Setting(operator, few, lookups)
    arguments = [_Argument(i, occurrences, setting) for i in range(len(occurrences[0].arguments))]
    for argument in arguments:
        index, others = argument.index, [a.columns for a in arguments if a is not argument]
        argument.write(_situations(index, argument.unsaid()), others)
        # A small number stands in many lines by chance, so that a line alone does not explain it.
        if argument.varies(argument.vague(), _LEAST_UNSAID):
            argument.add(computed(index, occurrences, setting))
        vague = argument.vague()
        argument.compute(_situations(index, vague))
        if len(vague) * 2 > len(occurrences):
            argument.add(tabled(index, occurrences, setting))
            vague = argument.vague()
        argument.write(_by_classes(argument.unsaid(), few), others)
        argument.compute(_by_classes(vague, few))
    for argument in arguments:
        if argument.varies(argument.vague(), _LEAST_UNSAID):
            argument.add(_asked_choices(argument.index, occurrences, setting))
    for argument in arguments:
        if not argument.explained:
            sources = {a.index: a.columns for a in arguments if a is not argument}
            argument.columns |= _columns_beside(argument.index, occurrences, sources)
        if not argument.explained:
            argument.add(named_by_others(argument.index, occurrences, setting))
    columns = [argument.columns for argument in arguments]
    return [Shape(s, tuple(_offers(s, columns))) for s in StepCover(occurrences, columns).steps()]


class _Argument:
    """An argument of an operator, and the sources that may give it.

    Args:
        index: Its place.
        occurrences: All calls of the operator.
        setting: Of the calls.
    """

    def __init__(self, index: int, occurrences: Sequence[Occurrence], setting: Setting) -> None:
        self.index, self._occurrences, self._setting = index, occurrences, setting
        self.columns = _columns(index, occurrences, _proposals(index, occurrences, setting))

    @property
    def explained(self) -> bool:
        """Whether a source gives each value, and no other."""
        return any((bits == 0).all() for bits, _ in self.columns.values())

    def add(self, sources: Iterable[Source]) -> None:
        """Add sources; those that never give the value are left out."""
        self.columns |= _columns(self.index, self._occurrences, sources)

    def write(self, groups: Iterable[Sequence[Occurrence]], others: Sequence[Columns]) -> None:
        """Add texts that compose the values of some calls, also of other arguments' sources."""
        for similar in groups:
            if len(similar) >= _LEAST_UNSAID:
                texts = written_texts(self.index, similar, _bases(similar, others))
                self.add(with_rules(texts, self.index, similar, self._setting))

    def compute(self, groups: Iterable[Sequence[Occurrence]]) -> None:
        """Add computations of the values of some calls."""
        for similar in groups:
            if self.varies(similar, _LEAST_STEADY):
                self.add(computed(self.index, similar, self._setting))

    def varies(self, occurrences: Iterable[Occurrence], least: int) -> bool:
        """Whether some calls have at least so many values."""
        return len({each.arguments[self.index] for each in occurrences}) >= least

    def unsaid(self) -> list[Occurrence]:
        """Return the calls whose value only constants give."""
        return self._left(np.isfinite)

    def vague(self) -> list[Occurrence]:
        """Return the calls whose value no source but a constant gives alone."""
        return self._left(lambda bits: bits == 0)

    def _left(self, explains: Callable[[Floats], NDArray[np.bool_]]) -> list[Occurrence]:
        right = np.zeros(len(self._occurrences), bool)
        for source, (bits, _) in self.columns.items():
            if not isinstance(source, Constant):
                right |= explains(bits)
        pairs = zip(self._occurrences, right, strict=True)
        return [each for each, explained in pairs if not explained]


def _offers(sources: Sequence[Source], columns: Sequence[Columns]) -> Iterator[Choice]:
    """Yield choices that are right wherever the sources of a step are."""
    right = np.isfinite(np.sum([c[s][0] for s, c in zip(sources, columns, strict=True)], axis=0))
    for column in columns:
        for other, (bits, _) in column.items():
            if (
                isinstance(other, Choice)
                and all(case.settled and not case.looks_at for case in other.cases)
                and np.isfinite(bits[right]).all()
            ):
                yield other


# ---------------------------------------------------------------------------- proposals
def _columns(
    index: int, occurrences: Sequence[Occurrence], sources: Iterable[Source]
) -> dict[Source, tuple[Floats, NDArray[np.bool_]]]:
    """Return source → its bits at each occurrence, and whether it gives any value there."""
    columns: dict[Source, tuple[Floats, NDArray[np.bool_]]] = {}
    for source in sources:
        bits = np.full(len(occurrences), np.inf)
        fires = np.zeros(len(occurrences), bool)
        depends = bool(looks_at(source))
        for i, occurrence in enumerate(occurrences):
            here = bound(source, occurrence.arguments) if depends else source
            values = candidates(here, occurrence.history)
            fires[i] = bool(values)
            if occurrence.arguments[index] in values:
                bits[i] = math.log2(len(values))
        if np.isfinite(bits).any():
            columns[source] = bits, fires
    return columns


def _columns_beside(
    index: int, occurrences: Sequence[Occurrence], others: Mapping[int, Iterable[Source]]
) -> dict[Source, tuple[Floats, NDArray[np.bool_]]]:
    """Return the columns of sources that take a value beside another argument, in its facts."""
    columns: dict[Source, tuple[Floats, NDArray[np.bool_]]] = {}
    for other, sources in others.items():
        bases: dict[tuple[str, At, str], Source] = {}
        for source in sources:
            base = base_of(source)
            if isinstance(base, Choice) and base.beside is None:
                bases.setdefault((base.kind, base.at, base.field), source)
        for (kind, at, _), source in bases.items():
            for name in _fields_beside(kind, at, index, occurrences):
                choice = Choice(kind, name, at, (), beside=other)
                bits = np.full(len(occurrences), np.inf)
                several = 0  # one row, or rows that agree, explain nothing
                for i, occurrence in enumerate(occurrences):
                    values = values_beside(
                        choice, source, occurrence.arguments[other], occurrence.history
                    )
                    if occurrence.arguments[index] in values:
                        bits[i] = math.log2(len(values))
                        several += len(candidates(choice, occurrence.history)) > len(values)
                if several >= _LEAST_UNSAID:
                    columns[choice] = bits, np.isfinite(bits)
    return columns


def _fields_beside(kind: str, at: At, index: int, occurrences: Sequence[Occurrence]) -> list[str]:
    """Return fields, and figures of two fields, that hold the value in the first calls."""
    names: dict[str, None] = {}
    for occurrence in occurrences[:_LOOKED_AT]:
        history, value = occurrence.history, occurrence.arguments[index]
        for fact in rows(Choice(kind, "", at, ()), history):
            names |= dict.fromkeys(n for n, each in fact.fields.items() if each == value)
            figures = [n for n, each in fact.fields.items() if number_of(each) is not None]
            for first_name, second_name in itertools.permutations(figures, 2):
                if number_of(value) is None:
                    continue
                for sign in (
                    SIGNS if figures.index(first_name) < figures.index(second_name) else ("-",)
                ):
                    name = f"{{{first_name}}} {sign} {{{second_name}}}"
                    if with_figure(fact, name).fields.get(name) == value:
                        names[name] = None
    return list(names)


def _situations(index: int, occurrences: Sequence[Occurrence]) -> list[list[Occurrence]]:
    """Return all occurrences, and those that share another argument, a wording or a result's kinds.

    One action may fill every field of a form, each written in its own way.
    """
    groups: dict[Hashable, list[Occurrence]] = defaultdict(list)
    for occurrence in occurrences:
        kinds = frozenset(fact.kind for fact in occurrence.history.last)
        others = (pair for pair in enumerate(occurrence.arguments) if pair[0] != index)
        wording = ("wording", occurrence.history.wording)
        for situation in (None, kinds, wording, *others):
            groups[situation].append(occurrence)
    return list({tuple(map(id, group)): group for group in groups.values()}.values())


def _by_classes(occurrences: Sequence[Occurrence], few: Few) -> list[list[Occurrence]]:
    """Return, for each class, the occurrences whose task or facts tell it, and the others."""
    classes = [_classes(each.history, few) for each in occurrences]
    groups: dict[tuple[int, ...], list[Occurrence]] = {}
    for member in dict.fromkeys(itertools.chain(*classes)):
        for present in (True, False):
            pairs = zip(occurrences, classes, strict=True)
            group = [each for each, members in pairs if (member in members) == present]
            groups.setdefault(tuple(map(id, group)), group)
    return list(groups.values())


def _classes(history: History, few: Few) -> dict[tuple[str, str, str], None]:
    """Return the classes that the task or some fact tells: kind, field and value."""
    slots = {name: history.asked.fields.get(name) for name in sorted(few.get(TASK, ()))}
    asked = {(TASK, name, value): None for name, value in slots.items() if value is not None}
    return asked | {
        (kind, name, fact.fields[name]): None
        for kind in history.kinds
        if kind != UNREAD
        for name in sorted(few.get(kind, ()))
        for fact in history.newest(kind)
        if name in fact.fields
    }


def _bases(
    occurrences: Sequence[Occurrence],
    others: Sequence[Columns],
) -> list[Base]:
    """Return the possible parts of a value: slots, fields of facts, arguments and lines."""
    bases: dict[Base, None] = {}
    lines: dict[Base, None] = {}
    several: dict[tuple[str, str], bool] = defaultdict(bool)
    for occurrence in occurrences[:_LOOKED_AT]:
        history = occurrence.history
        bases.update(dict.fromkeys(TaskSlot(slot) for slot in history.asked.fields))
        for kind in history.kinds:
            facts = history.newest(kind) if kind != UNREAD else []
            for name in facts[0].fields if facts else ():
                several[kind, name] |= len(facts) > 1
        for call in history.calls:
            for index in range(len(call.arguments)):
                bases[Argument(call.operator, index)] = None
        for operator in dict.fromkeys(("", *(call.operator for call in history.calls))):
            for number, _ in enumerate(lines_told(operator, history)[:_MOST_LINES]):
                lines[Line(operator, number)] = None
    bases |= {
        Choice(kind, name, "newest", ANY if many else (Case((), Rule()),)): None
        for (kind, name), many in several.items()
    }
    for column in others:
        exact = (source for source, (bits, _) in column.items() if (bits == 0).any())
        bases.update(dict.fromkeys(s for s in exact if not isinstance(s, _MADE)))
    return [*bases, *lines]


def _proposals(index: int, occurrences: Sequence[Occurrence], setting: Setting) -> Iterator[Source]:
    yield from _slots(index, occurrences)
    yield from _earlier_arguments(index, occurrences)
    yield from _choices(index, occurrences, setting)
    values: dict[str, list[bool]] = defaultdict(list)
    for occurrence in occurrences:
        value = occurrence.arguments[index]
        values[value].append(bool(candidates(Constant(value, said=True), occurrence.history)))
    ranked = sorted(values.items(), key=lambda x: (-len(x[1]), x[0]))
    for value, mentions in [x for x in ranked if len(x[1]) > 1][:30]:
        yield Constant(value, said=all(mentions))


def _slots(index: int, occurrences: Sequence[Occurrence]) -> Iterator[Source]:
    hits: Counter[str] = Counter()
    for occurrence in occurrences:
        value = occurrence.arguments[index]
        fields = occurrence.history.asked.fields
        hits.update(slot for slot, slot_value in fields.items() if slot_value == value)
    yield from (TaskSlot(slot) for slot, _ in hits.most_common())


def _earlier_arguments(index: int, occurrences: Sequence[Occurrence]) -> Iterator[Source]:
    hits: Counter[Argument] = Counter()
    for occurrence in occurrences:
        for operator in {call.operator for call in occurrence.history.calls}:
            for i, value in enumerate(occurrence.history.arguments(operator)):
                if value == occurrence.arguments[index]:
                    hits[Argument(operator, i)] += 1
    yield from (term for term, count in sorted(hits.items(), key=str) if count > 1)


def _choices(index: int, occurrences: Sequence[Occurrence], setting: Setting) -> Iterator[Source]:
    """Yield choices by the fields of facts that hold the demonstrated values."""
    newest = uses_by_field(index, occurrences, History.newest)
    ever = uses_by_field(index, occurrences, History.all)
    first = uses_by_field(index, occurrences, partial(History.told, at="first"))
    kinds_by_history: dict[int, set[str]] = defaultdict(set)
    for (kind, _), uses in ever.items():
        for use in uses:
            kinds_by_history[id(use.history)].add(kind)
    least = _least_uses(occurrences)
    for key in sorted(ever):
        kind, name = key
        uses = newest[key]
        if len(uses) >= least:
            whole = whole_rows(index, name, occurrences, uses)
            if whole and (cases := learn_cases(whole, name, setting)):
                yield Choice(kind, name, "newest", cases)
            cases = _cases(uses, name, setting)
            if not all(case.settled for case in cases):
                listed = learn_listed(uses, name, setting.operator)
                yield from [Choice(kind, name, "newest", (listed,))] if listed else []
                yield from _choices_of_classes(kind, name, uses, setting.few, least)
                fitting = uses_that_fit(uses, name, setting)
                if least <= len(fitting) < len(uses):
                    yield Choice(kind, name, "newest", learn_cases(fitting, name, setting))
            steady = len(uses) == len(ever[key]) and _always_agree(ever[key], name)
            yield Choice(kind, name, "newest", cases, steady)
        # Facts of another kind may explain a value that this kind holds by chance.
        sole_uses = [use for use in uses if len(kinds_by_history[id(use.history)]) == 1]
        if least <= len(sole_uses) < len(uses):
            yield Choice(kind, name, "newest", _cases(sole_uses, name, setting))
        ever_uses = ever[key]
        if len(ever_uses) >= least and len(ever_uses) > len(uses):
            yield Choice(kind, name, "ever", _cases(ever_uses, name, setting))
        if len(first_uses := first[key]) >= least and len(first_uses) > len(uses):
            yield Choice(kind, name, "first", _cases(first_uses, name, setting))


def _least_uses(occurrences: Sequence[Occurrence]) -> int:
    """Return how often a field has to hold the value to be a choice of it."""
    return max(2, len(occurrences) // 20)


def _asked_choices(
    index: int, occurrences: Sequence[Occurrence], setting: Setting
) -> Iterator[Choice]:
    """Yield choices among what earlier calls asked for, by what they told."""
    uses: dict[tuple[str, str], list[Use]] = defaultdict(list)
    for occurrence in occurrences:
        history, value = occurrence.history, occurrence.arguments[index]
        for kind, name in _asked_fields(value, history):
            facts = history.with_asked(kind, name)
            if len(facts) > 1:
                uses[kind, name].append(Use(occurrence.episode, history, value, tuple(facts)))
    least = _least_uses(occurrences)
    for (kind, name), each in sorted(uses.items()):
        if len(each) >= least:
            yield Choice(kind, name, "ever", _cases(each, name, setting))


def _asked_fields(value: str, history: History) -> Iterable[tuple[str, str]]:
    """Return the kinds of facts that calls for a value told, with the field that holds it."""
    pairs: dict[tuple[str, str], None] = {}
    for call, result in history.answered_calls():
        if value not in call.arguments or any(value in fact.fields.values() for fact in result):
            continue
        field = f"asked {call.arguments.index(value) + 1}"
        pairs |= dict.fromkeys((fact.kind, field) for fact in result if fact.kind != UNREAD)
    return pairs


def _choices_of_classes(
    kind: str, name: str, uses: Sequence[Use], few: Few, least: int
) -> Iterator[Choice]:
    """Yield the choice of each class: a menu offers all of them, and guards tell which is due."""
    for field in sorted(few.get(kind, frozenset()) - {name}):
        counts: Counter[str] = Counter()
        for use in uses:
            classes = [row.fields.get(field, "") for row in use.rows]
            right = {row.fields.get(field, "") for row in use.rows if use.takes(row, name)}
            counts.update(value for value in right if value and classes.count(value) == 1)
        chosen = [value for value, count in sorted(counts.items()) if count >= least]
        if len(chosen) > 1:
            for value in chosen:
                rule = Rule((OneOf(Field(field), (value,)),))
                yield Choice(kind, name, "newest", (Case((), rule),))


def _always_agree(uses: Sequence[Use], field: str) -> bool:
    """Whether all facts so far agreed each time, and often enough there were several."""
    values_by_use = [[row.fields.get(field) for row in use.rows] for use in uses]
    return all(len(set(values)) == 1 for values in values_by_use) and (
        sum(len(values) > 1 for values in values_by_use) >= _LEAST_STEADY
    )


def _cases(uses: Sequence[Use], field: str, setting: Setting) -> tuple[Case, ...]:
    if all(len(use.rows) == 1 for use in uses):
        return (Case((), Rule()),)
    return learn_cases(uses, field, setting)
