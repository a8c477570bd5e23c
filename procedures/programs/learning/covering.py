"""The steps of a program: operators with the sources that explain the demonstrated arguments.

Steps are found by a greedy cover: one is added while it saves more bits than it costs. A source
that is no constant has to explain values that differ in the same situation; else it may be a
shortcut that all demonstrations share.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...episodes.facts import UNREAD
from ..computing import Total
from ..conditions import Argument, Row, TaskSlot
from ..figures import SIGNS, number_of
from ..sources import (
    ANY,
    Arranged,
    Base,
    Case,
    Choice,
    Composed,
    Computed,
    Constant,
    Kept,
    Rewriting,
    Rule,
    Source,
    candidates,
    stands_beside,
    values_beside,
    with_figure,
)
from .choices import MISSED_BITS, learn_cases
from .computing import computed
from .deriving import rewritings
from .joins import learn_lookups
from .occurrences import Occurrence, Use

__all__ = ["Shape", "cover", "source_bits"]

_CONSTANT_BITS = 12.0
_SAID_BITS = 6.0
"""Of a constant that is said before each of its calls, where all stand in one order: such a list
points at words, and does not spell them."""
_STEP_BITS = 2.0
_MOST_STEPS = 40
_MOST_SOURCES = 14
_MOST_COMBINATIONS = 400
"""Of many arguments fewer sources each are tried, so that not more combinations are."""
_MOST_REVISED = 6
_LEAST_UNSAID = 3
_LOOKED_AT = 5
"""Occurrences whose facts and slots tell what values may be made of."""
_LEAST_STEADY = 5
"""Times at which several facts have to agree, so that it is no chance."""
_MADE = Constant | Computed | Rewriting | Arranged | Composed | Kept
"""Sources of which nothing is made."""
_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Shape:
    """A step: the sources of its arguments, and choices that explain the same values."""

    sources: tuple[Source, ...]
    offers: tuple[Choice, ...] = ()


def cover(
    operator: str, occurrences: Sequence[Occurrence], few: Mapping[str, frozenset[str]]
) -> list[Shape]:
    """Return the steps of an operator.

    Args:
        operator: The operator.
        occurrences: All its demonstrated calls.
        few: Kind of facts → its fields that have few values.
    """
    if not occurrences[0].arguments:
        return [Shape(())]
    lookups = learn_lookups([occurrence.history for occurrence in occurrences])
    columns = [
        _columns(index, occurrences, _proposals(operator, index, occurrences, few, lookups))
        for index in range(_arity(occurrences))
    ]
    for index, column in enumerate(columns):
        unsaid = _unsaid_occurrences(column, occurrences)
        if len(unsaid) >= _LEAST_UNSAID:
            bases = _bases(unsaid, [each for n, each in enumerate(columns) if n != index])
            column |= _columns(index, occurrences, rewritings(index, unsaid, bases))
        # A small number stands among others in many a line: that alone says nothing of it.
        vague = _unsaid_occurrences(column, occurrences, alone=True)
        if len({each.arguments[index] for each in vague}) >= _LEAST_UNSAID:
            column |= _columns(index, occurrences, computed(index, occurrences, few))
    for index, column in enumerate(columns):
        if not any((bits == 0).all() for bits, _ in column.values()):
            others = {n: each for n, each in enumerate(columns) if n != index}
            column |= _beside(index, occurrences, others)
    return [Shape(s, tuple(_offers(s, columns))) for s in _Cover(occurrences, columns).steps()]


def _offers(
    sources: Sequence[Source],
    columns: Sequence[Mapping[Source, tuple[_Floats, NDArray[np.bool_]]]],
) -> Iterator[Choice]:
    """Choices that give what a step's own source gives, wherever that is right."""
    right = np.isfinite(np.sum([c[s][0] for s, c in zip(sources, columns, strict=True)], axis=0))
    for source, column in zip(sources, columns, strict=True):
        for other, (bits, _) in column.items():
            if (
                isinstance(other, Choice)
                and other != source
                and all(case.settled for case in other.cases)
                and np.isfinite(bits[right]).all()
            ):
                yield other


def _arity(occurrences: Sequence[Occurrence]) -> int:
    return len(occurrences[0].arguments)


# ---------------------------------------------------------------------------- proposals
def _columns(
    index: int, occurrences: Sequence[Occurrence], sources: Iterable[Source]
) -> dict[Source, tuple[_Floats, NDArray[np.bool_]]]:
    """Return sources of an argument: bits of each occurrence, and where it gives any value."""
    columns: dict[Source, tuple[_Floats, NDArray[np.bool_]]] = {}
    for source in sources:
        bits = np.full(len(occurrences), np.inf)
        fires = np.zeros(len(occurrences), bool)
        for i, occurrence in enumerate(occurrences):
            values = candidates(source, occurrence.history)
            fires[i] = bool(values)
            if occurrence.arguments[index] in values:
                bits[i] = math.log2(len(values))
        if np.isfinite(bits).any():
            columns[source] = bits, fires
    return columns


def _beside(
    index: int, occurrences: Sequence[Occurrence], others: Mapping[int, Iterable[Source]]
) -> dict[Source, tuple[_Floats, NDArray[np.bool_]]]:
    """Return values of the facts that another argument is taken from: columns of such sources."""
    columns: dict[Source, tuple[_Floats, NDArray[np.bool_]]] = {}
    for other, sources in others.items():
        bases: dict[tuple[str, bool, str], Source] = {}
        for source in sources:
            base = source.base if isinstance(source, Rewriting) else source
            if isinstance(base, Choice) and base.beside is None:
                bases.setdefault((base.kind, base.newest, base.field), source)
        for (kind, newest, _), source in bases.items():
            for name in _fields_beside(kind, newest, index, occurrences):
                choice = Choice(kind, name, newest, (), beside=other)
                bits = np.full(len(occurrences), np.inf)
                several = 0  # of one row, or of rows that say the same, it explains nothing
                for i, each in enumerate(occurrences):
                    values = values_beside(choice, source, each.arguments[other], each.history)
                    if each.arguments[index] in values:
                        bits[i] = math.log2(len(values))
                        several += len(candidates(choice, each.history)) > len(values)
                if several >= _LEAST_UNSAID:
                    columns[choice] = bits, np.isfinite(bits)
    return columns


def _fields_beside(
    kind: str, newest: bool, index: int, occurrences: Sequence[Occurrence]
) -> list[str]:
    """Return fields, and figures of two fields, that have the value in the first calls."""
    names: dict[str, None] = {}
    for occurrence in occurrences[:_LOOKED_AT]:
        history, value = occurrence.history, occurrence.arguments[index]
        for fact in history.newest(kind) if newest else history.all(kind):
            names |= dict.fromkeys(n for n, each in fact.fields.items() if each == value)
            figures = [n for n, each in fact.fields.items() if number_of(each) is not None]
            for left, right in itertools.permutations(figures, 2):
                if number_of(value) is None:
                    continue
                for sign in SIGNS if figures.index(left) < figures.index(right) else ("-",):
                    name = f"{{{left}}} {sign} {{{right}}}"
                    if with_figure(fact, name).fields.get(name) == value:
                        names[name] = None
    return list(names)


def _unsaid_occurrences(
    column: Mapping[Source, tuple[_Floats, NDArray[np.bool_]]],
    occurrences: Sequence[Occurrence],
    *,
    alone: bool = False,
) -> list[Occurrence]:
    """Return the occurrences whose value nothing gives, but for constants.

    Args:
        column: Sources of the value.
        occurrences: All calls.
        alone: Whether a source that gives other values as well gives nothing.
    """
    right = np.zeros(len(occurrences), bool)
    for source, (bits, _) in column.items():
        if not isinstance(source, Constant):
            right |= bits == 0 if alone else np.isfinite(bits)
    return [each for each, known in zip(occurrences, right, strict=True) if not known]


def _bases(
    occurrences: Sequence[Occurrence],
    others: Sequence[Mapping[Source, tuple[_Floats, NDArray[np.bool_]]]],
) -> list[Base]:
    """Return what a value may be made of: the task's slots, what is told once, other arguments."""
    bases: dict[Base, None] = {}
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
    bases |= {
        Choice(kind, name, True, ANY if many else (Case((), Rule()),)): None
        for (kind, name), many in several.items()
    }
    for column in others:
        exact = (source for source, (bits, _) in column.items() if (bits == 0).any())
        bases.update(dict.fromkeys(s for s in exact if not isinstance(s, _MADE)))
    return list(bases)


def _proposals(
    operator: str,
    index: int,
    occurrences: Sequence[Occurrence],
    few: Mapping[str, frozenset[str]],
    lookups: Sequence[Row],
) -> Iterator[Source]:
    yield from _slots(index, occurrences)
    yield from _earlier(index, occurrences)
    yield from _choices(operator, index, occurrences, few, lookups)
    values: dict[str, list[bool]] = defaultdict(list)
    for occurrence in occurrences:
        value = occurrence.arguments[index]
        values[value].append(bool(candidates(Constant(value, said=True), occurrence.history)))
    ranked = sorted(values.items(), key=lambda x: (-len(x[1]), x[0]))
    for value, said in [x for x in ranked if len(x[1]) > 1][:30]:
        yield Constant(value, said=all(said))


def _slots(index: int, occurrences: Sequence[Occurrence]) -> Iterator[Source]:
    hits: Counter[str] = Counter()
    for occurrence in occurrences:
        value = occurrence.arguments[index]
        fields = occurrence.history.asked.fields
        hits.update(slot for slot, asked in fields.items() if asked == value)
    yield from (TaskSlot(slot) for slot, _ in hits.most_common())


def _earlier(index: int, occurrences: Sequence[Occurrence]) -> Iterator[Source]:
    hits: Counter[Argument] = Counter()
    for occurrence in occurrences:
        for operator in {call.operator for call in occurrence.history.calls}:
            for i, value in enumerate(occurrence.history.arguments(operator)):
                if value == occurrence.arguments[index]:
                    hits[Argument(operator, i)] += 1
    yield from (term for term, count in sorted(hits.items(), key=str) if count > 1)


def _choices(
    operator: str,
    index: int,
    occurrences: Sequence[Occurrence],
    few: Mapping[str, frozenset[str]],
    lookups: Sequence[Row],
) -> Iterator[Source]:
    """Fields of facts in which the demonstrated values stand."""
    newest: dict[tuple[str, str], list[Use]] = defaultdict(list)
    ever: dict[tuple[str, str], list[Use]] = defaultdict(list)
    tellers: dict[int, set[str]] = defaultdict(set)
    for occurrence in occurrences:
        history, value = occurrence.history, occurrence.arguments[index]
        for kind in history.kinds:
            if kind == UNREAD:
                continue
            now, so_far = history.newest(kind), history.all(kind)
            for by_field, facts in ((newest, now), (ever, so_far)):
                for name in sorted({n for f in facts for n, v in f.fields.items() if v == value}):
                    by_field[kind, name].append(Use(history, value, tuple(facts)))
                    tellers[id(history)].add(kind)
    least = max(2, len(occurrences) // 20)
    for key in sorted(ever):
        kind, name = key
        uses = newest[key]
        if len(uses) >= least:
            cases = _cases(uses, name, operator, few, lookups)
            steady = len(uses) == len(ever[key]) and _steady(ever[key], name)
            yield Choice(kind, name, True, cases, steady)
        # Another kind may be what was looked at, and this one say the same by chance.
        alone = [use for use in uses if len(tellers[id(use.history)]) == 1]
        if least <= len(alone) < len(uses):
            yield Choice(kind, name, True, _cases(alone, name, operator, few, lookups))
        more = ever[key]
        if len(more) >= least and len(more) > len(uses):
            yield Choice(kind, name, False, _cases(more, name, operator, few, lookups))


def _steady(uses: Sequence[Use], field: str) -> bool:
    """Whether all that was told so far agreed each time, and often enough could have differed."""
    told = [[row.fields.get(field) for row in use.rows] for use in uses]
    return all(len(set(values)) == 1 for values in told) and (
        sum(len(values) > 1 for values in told) >= _LEAST_STEADY
    )


def _cases(
    uses: Sequence[Use],
    field: str,
    operator: str,
    few: Mapping[str, frozenset[str]],
    lookups: Sequence[Row],
) -> tuple[Case, ...]:
    if all(len(use.rows) == 1 for use in uses):
        return (Case((), Rule()),)
    return learn_cases(uses, field, operator, few, lookups)


# ---------------------------------------------------------------------------- cover
def source_bits(source: Source) -> float:
    """Return what a source costs in the program, in bits."""
    match source:
        case Constant():
            return _CONSTANT_BITS
        case Argument():
            return 10.0
        case TaskSlot():
            return 8.0
        case Choice(beside=int()):
            return 8.0
        case Choice(_, _, newest, cases, _):
            rules = sum(3 * len(c.rule.where) + 4 * len(c.rule.order) + 4 for c in cases)
            return 10.0 + rules + (not newest)
        case Rewriting(base, _):
            return 6.0 + source_bits(base)
        case Computed((Total(_, _, where), *_)):
            return 14.0 + 3 * len(where)
        case Computed():
            return 18.0
        case Arranged() | Composed() | Kept():
            return math.inf  # it is never one of several sources that are tried


def _is_settled(source: Source) -> bool:
    """Whether a source singles out a value."""
    return not isinstance(source, Choice) or all(case.settled for case in source.cases)


def _together(sources: Sequence[Source]) -> bool:
    """Whether those that take a value beside another are of the facts that this is chosen among."""
    beside = (s for s in sources if isinstance(s, Choice) and s.beside is not None)
    return all(stands_beside(source, sources) for source in beside)


class _Cover:
    def __init__(
        self,
        occurrences: Sequence[Occurrence],
        columns: Sequence[Mapping[Source, tuple[_Floats, NDArray[np.bool_]]]],
    ) -> None:
        self.columns = columns
        self.values = [occurrence.arguments for occurrence in occurrences]
        self.episodes = [occurrence.episode for occurrence in occurrences]
        before = [occurrence.history.before for occurrence in occurrences]
        names = {name: i for i, name in enumerate(dict.fromkeys(before))}
        self.place = np.array([names[name] for name in before])
        self.places = len(names)
        self.situation = before
        self.now = np.full(len(occurrences), MISSED_BITS * len(columns))
        self.chosen: list[tuple[Source, ...]] = []

    def steps(self) -> list[tuple[Source, ...]]:
        """Return the cover with the shortest description that was met.

        A greedy cover prefers what explains much to what explains it well. So it is compared with
        one of sources that single out a value, and each of its steps is left out once.
        """
        best = min((self._greedy(), self._greedy(exact=True)), key=self._total)
        shortest = self._total(best)
        banned: frozenset[tuple[Source, ...]] = frozenset()
        for step in list(best)[:_MOST_REVISED]:
            other = self._greedy(banned=banned | {step})
            total = self._total(other)
            if total < shortest - 1e-6:
                best, shortest, banned = other, total, banned | {step}
        return best

    def _greedy(
        self, *, banned: frozenset[tuple[Source, ...]] = frozenset(), exact: bool = False
    ) -> list[tuple[Source, ...]]:
        """Add the step that saves most bits, as long as one does; constants come last."""
        self.now = np.full(len(self.values), MISSED_BITS * len(self.columns))
        self.chosen = []
        for constants in (False, True):
            while len(self.chosen) < _MOST_STEPS:
                every = self._options(constants=constants, exact=exact)
                options = (option for option in every if option[1] not in banned)
                best = max(options, default=None, key=lambda x: x[0])
                if best is None or best[0][0] <= 0:
                    break
                self.chosen.append(best[1])
                self.now = np.minimum(self.now, self._price(best[1]))
        return self.chosen

    def _total(self, chosen: Sequence[tuple[Source, ...]]) -> float:
        """Return the bits of steps, of which one is done after which operator, and of values."""
        if not chosen:
            return float(MISSED_BITS * len(self.columns) * len(self.values))
        bits = np.array(
            [
                sum(column[s][0] for s, column in zip(step, self.columns, strict=True))
                for step in chosen
            ]
        )
        bits = np.vstack([bits, np.full(len(self.values), MISSED_BITS * len(self.columns))])
        labels = bits.argmin(axis=0)
        total = float(bits.min(axis=0).sum())
        sources = list(itertools.chain(*chosen))
        constants = [source for source in sources if isinstance(source, Constant)]
        if len(constants) == len(sources) and self._in_one_order(labels):
            total += math.log2(math.factorial(len(chosen))) + _STEP_BITS * len(chosen)
            return total + sum(_SAID_BITS if each.said else _CONSTANT_BITS for each in constants)
        total += self._entropy(labels)
        return total + sum(_STEP_BITS + sum(map(source_bits, step)) for step in chosen)

    def _entropy(self, labels: NDArray[np.intp]) -> float:
        """Return the bits that say which step was done after which operator."""
        total = 0.0
        for place in range(self.places):
            counts = np.bincount(labels[self.place == place])
            counts = counts[counts > 0]
            total -= float((counts * np.log2(counts / counts.sum())).sum())
        return total

    def _in_one_order(self, labels: NDArray[np.intp]) -> bool:
        """Whether steps always were done in the same order, however many of them."""
        done: dict[int, list[int]] = defaultdict(list)
        for episode, label in zip(self.episodes, labels, strict=True):
            done[episode].append(int(label))
        pairs = {pair for steps in done.values() for pair in itertools.combinations(steps, 2)}
        return all((later, sooner) not in pairs for sooner, later in pairs)

    def _options(
        self, *, constants: bool, exact: bool
    ) -> Iterator[tuple[tuple[float, float, int], tuple[Source, ...]]]:
        tops = []
        arity = len(self.columns)
        most = min(_MOST_SOURCES, max(2, int(_MOST_COMBINATIONS ** (1 / arity))))
        for column in self.columns:
            share = self.now / len(self.columns)
            alone = {
                source: round(float(np.maximum(0, share - bits).sum()))
                for source, (bits, _) in column.items()
                if constants or len(self.columns) > 1 or not isinstance(source, Constant)
                if not exact or _is_settled(source)
            }
            ranked = sorted(alone, key=lambda s: (-alone[s], source_bits(s)))
            tops.append(ranked[: most if arity > 1 else 80])
        for number, combination in enumerate(itertools.product(*tops)):
            if not constants and all(isinstance(s, Constant) for s in combination):
                continue
            if not _together(combination):
                continue
            cost = sum(map(source_bits, combination))
            yield (self._gain(combination, cost), -cost, -number), combination

    def _price(self, combination: Sequence[Source]) -> _Floats:
        """Return the bits of every occurrence: the choice, and how often the source is right."""
        bits = np.zeros(len(self.values))
        fires = np.ones(len(self.values), bool)
        for source, column in zip(combination, self.columns, strict=True):
            bits = bits + column[source][0]
            fires &= column[source][1]
        right = np.isfinite(bits)
        good = np.bincount(self.place[right], minlength=self.places)
        all_ = np.bincount(self.place[fires], minlength=self.places)
        return np.asarray(bits - np.log2((good + 0.5) / (all_ + 1))[self.place])

    def _gain(self, combination: Sequence[Source], cost: float) -> float:
        saved = self.now - self._price(combination) - (_STEP_BITS if self.chosen else 0)
        cost += _STEP_BITS
        where = np.nonzero(saved > 0)[0]
        if all(isinstance(source, Constant) for source in combination):
            return float(saved[where].sum()) - cost
        by_situation: dict[tuple[str, tuple[str, ...]], float] = defaultdict(float)
        for i in where:
            by_situation[self.situation[i], self.values[i]] += float(saved[i])
        many = Counter(situation for situation, _ in by_situation)
        varied = {value for situation, value in by_situation if many[situation] > 1}
        counts = Counter(self.values)
        if len(varied) < 3 and len(counts) > 1 and max(counts.values()) > 4:
            return -cost
        most: dict[tuple[str, ...], float] = defaultdict(float)
        for (_, value), bits in by_situation.items():
            most[value] = max(most[value], min(bits, 2 * _CONSTANT_BITS))
        # The first value would cost no more as a constant.
        return sum(most[value] for value in varied) - _CONSTANT_BITS - cost
