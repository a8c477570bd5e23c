"""Order and guards of steps, by contrast: moments at which a step was done, and was not."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from ...episodes.facts import UNREAD, listed
from ...episodes.history import TASK, History
from ...episodes.tokens import magnitude
from ..conditions import (
    After,
    Argument,
    Asked,
    Before,
    Compared,
    Condition,
    DoneStep,
    Known,
    Literal,
    OneOf,
    Present,
    Said,
    Shown,
    Term,
    Told,
    Unexplored,
    Unused,
    value_of,
    words_of,
)
from ..program import Guard
from ..sources import Choice, Offered
from .joins import looked_up

__all__ = ["Features", "Guarding", "Moment", "learn_guards", "order_of_steps", "told_apart"]

_MOST_CONDITIONS = 3
_MOST_GUARDS = 4
_MOST_MOMENTS = 300
_MOST_KINDS = 20
_MOST_FIELDS = 12
_MOST_RELATIONS = 200
"""Moments, kinds of facts at each, the newest first, and their first fields, between which
relations are looked for; the most frequent are taken."""
_LEAST_SIZES = 3
_BEAM = 6
_TRIED = 40
"""Of conjunctions the best few are made longer, by the conditions that are best alone."""
_TRIED_OF_PLACES = 1000
"""Where something is searched for, what holds of the place is one part, what is done the other."""
_Any = Condition | Offered
_OPPOSITE = {
    "has": "lacks",
    "lacks": "has",
    "=": "≠",
    "≠": "=",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a demonstration.

    Attributes:
        history: What was known.
        step: What was done; None at the end.
        open: Steps that could have been done, were it not for their guards.
        beside: The moment, by its number, at which one could have gone to this one instead; None
            of a moment that was met.
        ahead: Whether it is the one to which the demonstrator went.
    """

    history: History
    step: str | None
    open: frozenset[str]
    beside: int | None = None
    ahead: bool = False


@dataclass(frozen=True, slots=True)
class Guarding:
    """Guards of a step, the moments at which one of them holds, and what they cost in bits."""

    guards: tuple[Guard, ...]
    truth: int
    bits: float


def order_of_steps(moments: Sequence[Moment]) -> list[str]:
    """Order steps so that the first that can be done is, as far as possible, what was done.

    Of two steps that could both be done the one that was done rather comes first; steps between
    which that does not decide stand in the order of time.
    """
    wins: Counter[tuple[str, str]] = Counter()
    times: dict[str, list[int]] = defaultdict(list)
    for moment in moments:
        if moment.step is None:
            continue
        times[moment.step].append(len(moment.history.calls))
        for other in moment.open - {moment.step}:
            wins[moment.step, other] += 1
    left = sorted(times, key=lambda s: (sum(times[s]) / len(times[s]), s))
    order: list[str] = []
    while left:
        losses = {
            step: sum(
                wins[other, step] / (wins[other, step] + wins[step, other])
                for other in left
                if wins[other, step]
            )
            for step in left
        }
        best = min(left, key=lambda s: (round(losses[s], 6), left.index(s)))
        order.append(best)
        left.remove(best)
    return order


# ---------------------------------------------------------------------------- conditions
class Features:
    """Conditions that may guard a step, and the moments at which each holds, as bits.

    Args:
        moments: All moments.
        few: Kind → its fields that have few values.
        offers: Choices of which it may matter whether there is a candidate.
    """

    def __init__(
        self,
        moments: Sequence[Moment],
        few: Mapping[str, frozenset[str]],
        offers: Sequence[Choice] = (),
    ) -> None:
        self.moments = moments
        self.all = (1 << len(moments)) - 1
        self.guardings: dict[tuple[int, int], Guarding | None] = {}
        self.sizes: dict[Term, dict[int, float]] = {}
        self.values: dict[Term, dict[str, int]] = {}
        self.truth: dict[Condition | Offered, int] = {}
        self.rows = looked_up([moment.history for moment in moments])
        self._tell(few)
        for condition in self._relations():
            self._note(condition)
        for term in self._sometimes():
            self._note(Known(term))
            self._note(Known(term, negated=True))
        for step in sorted({m.step for m in moments if m.step}):
            for negated in (False, True):
                self._note(DoneStep(step, negated))
                self._note(After(step, negated))
        self._note(After(""))
        self.tried = _TRIED
        if any(m.history.memory is not None for m in moments):
            self.tried = _TRIED_OF_PLACES
            for condition in _of_places(moments):
                self._note(condition)
        for choice in offers:
            self._note(Offered(choice))
            self._note(Offered(choice, negated=True))
        kinds = sorted({kind for m in moments for kind in m.history.kinds} - {UNREAD})
        for kind in kinds:
            self._note(Shown(kind))
            self._note(Shown(kind, negated=True))
            self._note(Shown(kind, now=False))
            self._note(Shown(kind, now=False, negated=True))

    def forget(self, steps: Container[str]) -> None:
        """Leave out what is said of steps that are no part of the program."""
        self.guardings = {}
        for condition in list(self.truth):
            if isinstance(condition, After | DoneStep) and condition.step in steps:
                del self.truth[condition]

    def _note(self, condition: Condition | Offered) -> None:
        truth = 0
        for i, moment in enumerate(self.moments):
            if condition.holds(moment.history):
                truth |= 1 << i
        if truth and truth != self.all:
            self.truth[condition] = truth

    def _tell(self, few: Mapping[str, frozenset[str]]) -> None:
        for i, moment in enumerate(self.moments):
            history = moment.history
            for kind in history.kinds:
                fact = history.single(kind)
                if fact is None:
                    continue
                for name in sorted(few.get(kind, ())):
                    if name in fact.fields:
                        values = self.values.setdefault(Told(kind, name), {})
                        value = fact.fields[name]
                        values[value] = values.get(value, 0) | 1 << i
                for name, value in fact.fields.items():
                    size = magnitude(value)
                    if size is not None and size[0] == "number" and math.isfinite(size[1]):
                        self.sizes.setdefault(Told(kind, name), {})[i] = size[1]
            for term in self.rows:
                looked_up_value = value_of(term, history)
                if looked_up_value is None:
                    continue
                if term.field in few.get(term.kind, ()):
                    values = self.values.setdefault(term, {})
                    values[looked_up_value] = values.get(looked_up_value, 0) | 1 << i
                size = magnitude(looked_up_value)
                if size is not None and size[0] == "number" and math.isfinite(size[1]):
                    self.sizes.setdefault(term, {})[i] = size[1]
            asked = history.asked
            for slot in sorted(few.get(TASK, ())):
                if slot in asked.fields:
                    values = self.values.setdefault(Asked(slot), {})
                    value = asked.fields[slot]
                    values[value] = values.get(value, 0) | 1 << i

    def _sometimes(self) -> list[Told]:
        """Fields that some facts of a kind have, and others do not."""
        names: dict[str, Counter[str]] = defaultdict(Counter)
        for moment in self.moments:
            for kind in moment.history.kinds:
                fact = moment.history.single(kind)
                if fact is not None:
                    names[kind].update(["", *fact.fields])
        return [
            Told(kind, name)
            for kind, counts in sorted(names.items())
            for name, count in sorted(counts.items())
            if name and count < counts[""]
        ]

    def _relations(self) -> Iterator[Condition]:
        """Relations of what was told to the task, and to what was told elsewhere and before."""
        equal: Counter[tuple[Term, Term]] = Counter()
        said: Counter[Term] = Counter()
        ordered: Counter[tuple[Term, Term]] = Counter()
        lists: Counter[tuple[Term, Term]] = Counter()
        for moment in self.moments[:: max(1, len(self.moments) // _MOST_MOMENTS)]:
            history = moment.history
            newest = sorted(history.kinds.items(), key=lambda x: -x[1])[:_MOST_KINDS]
            told: list[tuple[Term, str]] = [
                (Told(kind, name), value)
                for kind, _ in newest
                if kind != UNREAD and (fact := history.single(kind))
                for name, value in itertools.islice(fact.fields.items(), _MOST_FIELDS)
            ]
            before: dict[Term, list[tuple[Term, str]]] = {
                term: [(Before(term.kind, term.field), fact.fields[term.field])]
                for term, _ in told
                if isinstance(term, Told) and (fact := history.earlier(term.kind))
                if term.field in fact.fields
            }
            told += [(row, each) for row in self.rows if (each := value_of(row, history))]
            asked: list[tuple[Term, str]] = [
                (Asked(slot), value) for slot, value in history.asked.fields.items()
            ]
            values = itertools.chain(told, asked, *before.values())
            sizes = {value: magnitude(value) for _, value in values}
            names = {getattr(term, "field", "") for term, _ in told}
            for n, (term, value) in enumerate(told):
                said[term] += history.said(value)
                for other, each in [*asked, *told[n + 1 :], *before.get(term, ())]:
                    if value == each:
                        equal[term, other] += 1
                    if listed(getattr(term, "field", "")) not in names:
                        lists[term, other] += each in value.split(", ")
                    one, two = sizes[value], sizes[each]
                    if one and two and one[0] == two[0]:
                        ordered[term, other] += 1
        # In the order in which they were met, which does not depend on a hash.
        for term, count in said.items():
            if count > 1:
                yield Said(term)
        for (term, other), count in equal.most_common(_MOST_RELATIONS):
            if count > 1:
                yield Compared(term, "=", other)
                yield Compared(term, "≠", other)
        for (term, other), count in lists.most_common(_MOST_RELATIONS):
            if count > max(1, equal[term, other]):
                yield Compared(term, "has", other)
                yield Compared(term, "lacks", other)
        for (term, other), count in ordered.most_common(_MOST_RELATIONS):
            if count > 2:
                for relation in ("<=", "<", ">=", ">"):
                    yield Compared(term, relation, other)

    def _limits(self, positives: int, negatives: int) -> Iterator[tuple[Condition, int]]:
        """Numbers on one side of which all positive moments lie, and a negative one on the other.

        People set round limits: of the numbers that part the moments the roundest is taken.
        """
        for term, column in self.sizes.items():
            good = [size for i, size in column.items() if positives >> i & 1]
            bad = [size for i, size in column.items() if negatives >> i & 1]
            if len(good) < _LEAST_SIZES or len(bad) < _LEAST_SIZES:
                continue
            if max(bad) < min(good):
                limit, relation = _roundest(max(bad), min(good)), ">="
            elif max(good) < min(bad):
                limit, relation = _roundest(max(good), min(bad)), "<"
            else:
                continue
            truth = 0
            for i, size in column.items():
                if (size >= limit) == (relation == ">="):
                    truth |= 1 << i
            yield Compared(term, relation, Literal(_plainly(limit))), truth

    def candidates(
        self, positives: int, negatives: int
    ) -> list[tuple[float, Condition | Offered, int]]:
        """Return conditions with price and truth, of equal truth the cheapest ones.

        A set of values is the set that was told at the positive moments, and a condition only if
        another value was told at a negative one.
        """
        here = positives | negatives
        out: list[tuple[float, Condition | Offered, int]] = []
        for term, values in self.values.items():
            members = tuple(sorted(v for v, truth in values.items() if truth & positives))
            rivals = [v for v, truth in values.items() if truth & negatives and v not in members]
            if members and rivals and len(members) <= 6:
                truth = 0
                for value in members:
                    truth |= values[value]
                out.append((1.5 + 0.5 * len(members), OneOf(term, members), truth & here))
                if len(members) > 1:
                    out += [(2.0, OneOf(term, (v,)), values[v] & here) for v in members]
        limits = self._limits(positives, negatives)
        out += [(4.0, limit, truth & here) for limit, truth in limits]
        for condition, truth in self.truth.items():
            out.append((_price(condition), condition, truth & here))
        out = [each for each in out if each[2] & positives and each[2] != here]
        return sorted(out, key=lambda x: x[0])


def _of_places(moments: Sequence[Moment]) -> Iterator[Condition]:
    """Conditions over what is known of the place."""
    tasks = {moment.history.task: moment.history.asked for moment in moments}
    counts = Counter(slot for asked in tasks.values() for slot in asked.fields)
    slots = sorted(slot for slot, count in counts.items() if count * 2 > len(tasks))
    for slot, part, negated in itertools.product(slots, (False, True), (False, True)):
        yield Present(Asked(slot), part, negated)
    moves = {
        (operator, index)
        for moment in moments
        for call in moment.history.calls
        for operator, index in itertools.product([call.operator], range(len(call.arguments)))
    }
    for operator, index in sorted(moves):
        argument = Argument(operator, index)
        yield Said(argument, part=True)
        memory = moments[0].history.memory
        if memory is None or operator not in memory.moves:
            continue  # kinds of places say what can be done there
        values = (value_of(argument, moment.history) for moment in moments)
        words = Counter(word for value in values for word in words_of(value or ""))
        for word, count in sorted(words.items()):
            if count >= _LEAST_SIZES:
                yield Compared(argument, "says", Literal(word))
    yield from _handed_on(moments)
    yield from _words_asked(moments)
    yield Unexplored()
    yield Unexplored(negated=True)


def _handed_on(moments: Sequence[Moment]) -> Iterator[Condition]:
    """Whether what was done with one operator waits to be used by another: it is at hand."""
    flows: set[tuple[str, int, str]] = set()
    for moment in moments:
        calls = moment.history.calls if moment.step is not None else []
        memory = moment.history.memory
        for call in calls[:-1]:
            if memory is not None and call.operator in memory.moves:
                continue  # a place is at hand as long as one is there
            for index, value in enumerate(call.arguments):
                if calls[-1].operator != call.operator and value in calls[-1].arguments:
                    flows.add((call.operator, index, calls[-1].operator))
    for operator, index, other in sorted(flows):
        yield Unused(Argument(operator, index), other)
        yield Unused(Argument(operator, index), other, negated=True)


def _words_asked(moments: Sequence[Moment]) -> Iterator[Condition]:
    """Words that some tasks say, and others do not."""
    tasks = {moment.history.task for moment in moments}
    counts = Counter(word for task in tasks for word in set(words_of(task)))
    for word, count in sorted(counts.items()):
        if _LEAST_SIZES <= count <= len(tasks) - _LEAST_SIZES:
            yield Said(Literal(word))


def _roundest(low: float, high: float) -> float:
    """Return the number above ``low``, up to ``high``, with the fewest figures."""
    for digits in range(-9, 7):
        unit = 10.0**-digits
        candidate = math.floor(high / unit + 1e-9) * unit
        if low < candidate <= high:
            return round(candidate, max(0, digits))
    return high


def _plainly(number: float) -> str:
    """Return a number as people write it, with all its figures and no exponent."""
    return f"{Decimal(repr(number)):f}".removesuffix(".0")


def _price(condition: Condition | Offered) -> float:
    match condition:
        case Shown(_, now, negated):
            return 1.0 + (not now) * 1.5 + negated
        case Compared(_, relation, _):
            return 2.5 if relation in ("=", "≠") else 3.5
        case After(_, negated):
            return 2.0 + negated
        case DoneStep(_, negated):
            return 2.5 + 0.2 * negated
        case _:
            return 2.0


# ---------------------------------------------------------------------------- guards
def learn_guards(
    features: Features, positives: int, negatives: int, *, seldom: bool = False
) -> Guarding | None:
    """Return guards that hold at the positive and not at the negative moments.

    None where what they save is less than what they cost.

    Args:
        features: The conditions.
        positives: Moments at which the step was done.
        negatives: Moments at which it could have been done, and something else was.
        seldom: Whether a guard without an error is learned even if it saves nothing: what ends a
            demonstration is never idle.
    """
    if not negatives:
        return Guarding((), positives, 0.0)
    key = positives, negatives
    if key not in features.guardings:
        features.guardings[key] = _learned(features, positives, negatives)
    guarding = features.guardings[key]
    if guarding is None:
        return None
    exact = not guarding.truth & negatives and not positives & ~guarding.truth
    saves = guarding.bits < _bits(positives.bit_count(), (positives | negatives).bit_count())
    return guarding if saves or (seldom and exact) else None


def _learned(features: Features, positives: int, negatives: int) -> Guarding | None:
    """Return the best guards, whether they save anything or not; None if there are none."""
    candidates = features.candidates(positives, negatives)
    guards: list[Guard] = []
    left, wrong, cover = positives, negatives, 0
    total = positives.bit_count() + negatives.bit_count()
    distinct = list({truth: each for each in reversed(candidates) for truth in each[2:]}.values())
    distinct.reverse()
    while left and len(guards) < _MOST_GUARDS:
        best = _conjunction(distinct, left, negatives, total, features.tried)
        if best is None:
            break
        conditions, truth = best
        others = _others(features, candidates, conditions, truth & left, truth, negatives)
        guards.append(Guard(conditions, others))
        cover |= truth
        left &= ~truth
    wrong = cover & negatives
    bits = _bits(left.bit_count(), total) + _bits(wrong.bit_count(), total)
    # To name one of so many conditions costs their logarithm.
    bits += sum(len(guard.when) for guard in guards) * math.log2(len(distinct) + 1)
    return Guarding(tuple(guards), cover, bits) if guards else None


def told_apart(
    features: Features, guards: tuple[Guard, ...], positives: int, rivals: int
) -> tuple[Guard, ...]:
    """Add to the guards of a step that commits what tells it apart from its rivals.

    The order of steps may make a guard superfluous as long as nothing new is told; a value that
    was never told must not lead to whichever step stands last.

    Args:
        features: The conditions.
        guards: What was learned with the order of steps.
        positives: Moments at which the step was done.
        rivals: Moments at which it could have been done, and another that commits was.
    """
    if not rivals:
        return guards
    for _, condition, truth in features.candidates(positives, rivals):
        told = isinstance(condition, OneOf | Compared | Said | Known | Shown)
        if told and not positives & ~truth and not rivals & truth:
            if any(condition in guard.when for guard in guards):
                return guards
            return tuple(Guard((*g.when, condition), g.others) for g in guards or (Guard(()),))
    return guards


@lru_cache(100_000)
def _bits(errors: int, total: int) -> float:
    """Bits to say which of the moments are exceptions."""
    if not errors:
        return 0.0
    return (
        math.lgamma(total + 1) - math.lgamma(errors + 1) - math.lgamma(total - errors + 1)
    ) / math.log(2) + math.log2(total + 1)


def _conjunction(
    candidates: Sequence[tuple[float, Condition | Offered, int]],
    positives: int,
    negatives: int,
    total: int,
    tried: int,
) -> tuple[tuple[Condition | Offered, ...], int] | None:
    """Return the conjunction that is the best description of positive moments."""
    best: tuple[float, tuple[Condition | Offered, ...], int] | None = None

    def consider(conditions: tuple[Condition | Offered, ...], truth: int, price: float) -> None:
        nonlocal best
        right, wrong = (truth & positives).bit_count(), (truth & negatives).bit_count()
        missed = positives.bit_count() - right
        score = price + _bits(wrong, total) + _bits(missed, total)
        if right and (best is None or score < best[0] - 1e-9):
            best = score, conditions, truth

    scored: list[tuple[float, int, _Any, int, float]] = []
    for price, condition, truth in candidates:
        consider((condition,), truth, price)
        right, wrong = (truth & positives).bit_count(), (truth & negatives).bit_count()
        scored.append(
            (
                _bits(wrong, total) + _bits(positives.bit_count() - right, total) + price,
                len(scored),
                condition,
                truth,
                price,
            )
        )
    scored.sort(key=lambda x: x[:2])
    if not scored or not scored[0][0] - scored[0][4]:  # it parts the moments without an error
        return (best[1], best[2]) if best else None
    beam: list[tuple[tuple[_Any, ...], int, float]] = [
        ((c,), t, p) for _, _, c, t, p in scored[:30]
    ]
    for _ in range(_MOST_CONDITIONS - 1):
        longer: list[tuple[float, int, tuple[_Any, ...], int, float]] = []
        for (conditions, truth, price), (_, _, condition, other, cost) in itertools.product(
            beam[:_BEAM], scored[:tried]
        ):
            both = truth & other
            if condition not in conditions and both != truth and both & positives:
                consider((*conditions, condition), both, price + cost + 1.0)
                right, wrong = (both & positives).bit_count(), (both & negatives).bit_count()
                bits = _bits(wrong, total) + _bits(positives.bit_count() - right, total)
                longer.append(
                    (
                        bits + price + cost,
                        len(longer),
                        (*conditions, condition),
                        both,
                        price + cost + 1.0,
                    )
                )
        longer.sort(key=lambda x: x[:2])
        beam = [(c, t, p) for _, _, c, t, p in longer[:_BEAM]]
    if best is None:
        return None
    right, wrong = (best[2] & positives).bit_count(), (best[2] & negatives).bit_count()
    if wrong * 2 > right:
        return None
    return best[1], best[2]


def _others(
    features: Features,
    candidates: Sequence[tuple[float, Condition | Offered, int]],
    conditions: tuple[Condition | Offered, ...],
    positives: int,
    truth: int,
    negatives: int,
) -> tuple[Condition, ...]:
    """Return conditions over what was told that part the moments as well as the guard does.

    A relation counts only if its opposite was met: one that is just not defined at the other
    moments always held, as relations of unrelated numbers do by chance.
    """
    if len(conditions) > 1 or truth & negatives:
        return ()
    return tuple(
        condition
        for _, condition, other in candidates
        if isinstance(condition, Compared | Said)
        and condition not in conditions
        and not positives & ~other
        and not other & negatives
        and _opposed(features, condition) & negatives
    )


def _opposed(features: Features, condition: Condition) -> int:
    """Return the moments at which the opposite of a relation holds; all for what is none."""
    if not isinstance(condition, Compared) or condition.relation not in _OPPOSITE:
        return features.all
    opposite = replace(condition, relation=_OPPOSITE[condition.relation])
    return features.truth.get(opposite, 0)
