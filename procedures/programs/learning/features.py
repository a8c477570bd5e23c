"""Conditions that may guard steps, and the moments at which each holds."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter

from ...episodes.facts import UNREAD, list_field
from ...episodes.history import TASK, History, Telling, kinds_of_any
from ...episodes.tokens import magnitude, words_of
from ..exact_numbers import number_of
from ..program_conditions import (
    After,
    Argument,
    Arithmetic,
    Comparison,
    Condition,
    DoneStep,
    Field,
    Known,
    Literal,
    OneOf,
    Said,
    Shown,
    TaskSlot,
    Term,
    Times,
    ToldField,
    Total,
    value_of,
)
from ..sources import Choice, Offered
from ..terms import terms_of
from .joins import learn_lookups, learn_memberships
from .known_terms import single_facts
from .limits import LEAST_SIZES, finite, limits_between
from .margins import Margins
from .markers import learn_markers
from .moments import Guarding, Moment
from .occurrences import Few
from .picked import Picked
from .truths import Column, Sizes, mask_of, truth_of

_MOST_MOMENTS = 300
"""Most moments at which relations are looked for; more take time and show nothing new."""
_MOST_KINDS = 20
"""Kinds of facts that each of these moments contributes, the newest first."""
_MOST_FIELDS = 12
"""Fields of each kind that are compared, the first ones."""
_MOST_RELATIONS = 200
"""Relations of each sort that become conditions, the most frequent."""
_MOST_CLASSES = 6
"""Most values that a condition lists; nobody reads more."""
_SIZES_BITS = 2.5
"""Bits that sizes cost beyond names: a limit says the same, and knows of sizes never shown."""
_LEAST_AGAIN = 4
"""Least moments with a second result of a kind for which its first result counts, too."""
_MOST_TIMES = 9
"""Most repetitions of a call that a condition counts: people count few tries."""


_PRICE = itemgetter(0)


class Features:
    """Conditions that may guard a step, and the moments at which each holds, as bits.

    Args:
        moments: All moments.
        few: Kind → its fields that have few values.
        offers: Choices that may matter by having a candidate.
    """

    def __init__(
        self,
        moments: Sequence[Moment],
        few: Few,
        offers: Sequence[Choice] = (),
    ) -> None:
        self.moments = moments
        self.all = (1 << len(moments)) - 1
        self.guardings: dict[tuple[int, int], Guarding | None] = {}
        self._sizes: dict[Term, Sizes] = {}
        self.values: dict[Term, dict[str, int]] = {}
        self._quantities: dict[Term, None] = {}
        self.truth: dict[Condition | Offered, int] = {}
        self._few = few
        self._counts: dict[Term, Sizes] | None = None
        self._picked: list[Picked] | None = None
        self._columns: dict[Term, Column] = {}
        self.rows = learn_lookups([moment.history for moment in moments])
        self._again = _kinds_told_again(moments)
        self._made = _made_arguments([moment.history for moment in moments])
        self._repeated = _repetitions(moments)
        self._tell(few)
        self._prices: list[tuple[float, Condition | Offered, int]] = []
        self._compared: list[Margins] = []
        for condition in self._relations():
            self._note(condition)
        for condition in self._marked():
            self._note(condition)
        lists = learn_memberships([moment.history for moment in moments])
        terms: list[Term] = [*self._sometimes(), *lists]
        for term in terms:
            self._note(Known(term))
            self._note(Known(term, negated=True))
        for step in sorted({m.step for m in moments if m.step}):
            for negated in (False, True):
                self._note(DoneStep(step, negated))
                self._note(After(step, negated))
        for step, most in sorted(self._repeated.items()):
            for times in range(2, min(most, _MOST_TIMES) + 1):
                self._note(DoneStep(step, False, times))
                self._note(DoneStep(step, True, times))
        self._note(After(""))
        for condition in _task_words(moments):
            self._note(condition)
        self._offers = offers
        for choice in offers:
            for several in (False, True):
                self._note(Offered(choice, False, several))
                self._note(Offered(choice, True, several))
        for kind in kinds_of_any(moment.history for moment in moments):
            self._note(Shown(kind))
            self._note(Shown(kind, negated=True))
            self._note(Shown(kind, now=False))
            self._note(Shown(kind, now=False, negated=True))

    def forget(self, steps: Container[str]) -> None:
        """Drop the conditions over steps that are no part of the program."""
        self.guardings = {}
        for condition in list(self.truth):
            named = [each.step for each in terms_of(condition) if isinstance(each, Times)]
            if isinstance(condition, After | DoneStep):
                named.append(condition.step)
            if any(step in steps for step in named):
                del self.truth[condition]

    def _priced(self) -> Sequence[tuple[float, Condition | Offered, int]]:
        """Return the conditions with price and truth. The list is cached."""
        if len(self._prices) != len(self.truth):
            self._prices = [(_price(each), each, truth) for each, truth in self.truth.items()]
        return self._prices

    def _note(self, condition: Condition | Offered) -> None:
        if isinstance(condition, Comparison):
            left_column, right_column = self._column(condition.left), self._column(condition.right)
            truth = truth_of(condition, left_column, right_column)
        elif isinstance(condition, Known):
            column = self._column(condition.term)
            truth = mask_of((value is not None) != condition.negated for value in column)
        else:
            truth = mask_of(condition.holds(moment.history) for moment in self.moments)
        if truth and truth != self.all:
            self.truth[condition] = truth

    def _column(self, term: Term) -> Column:
        """Return the value of a term at each moment. The list is cached."""
        column = self._columns.get(term)
        if column is None:
            column = Column(value_of(term, moment.history) for moment in self.moments)
            self._columns[term] = column
        return column

    def _tell(self, few: Few) -> None:
        numbers: dict[Term, dict[int, float]] = defaultdict(dict)
        for i, moment in enumerate(self.moments):
            history = moment.history
            told: list[tuple[Term, str]] = []
            for kind, at in self._results(history):
                fact = history.single(kind, at)
                if fact is None:
                    continue
                for name in sorted(few.get(kind, ())):
                    if name in fact.fields:
                        self._tell_class(ToldField(kind, name, at), fact.fields[name], i)
                told += ((ToldField(kind, name, at), each) for name, each in fact.fields.items())
            for row in self.rows:
                looked_up = value_of(row, history)
                if looked_up is not None:
                    if row.field in few.get(row.kind, ()):
                        self._tell_class(row, looked_up, i)
                    told.append((row, looked_up))
            self._quantities |= dict.fromkeys(t for t, value in told if magnitude(value))
            told += ((each, value_of(each, history) or "") for each in self._made)
            for term, value in told:
                if (number := finite(value)) is not None:
                    numbers[term][i] = number
            for slot in sorted(few.get(TASK, ())):
                if slot in history.asked.fields:
                    self._tell_class(TaskSlot(slot), history.asked.fields[slot], i)
        self._sizes = {term: Sizes(column) for term, column in numbers.items()}

    def _tell_class(self, term: Term, value: str, moment: int) -> None:
        values = self.values.setdefault(term, {})
        values[value] = values.get(value, 0) | 1 << moment

    def _results(self, history: History) -> Iterator[tuple[str, Telling]]:
        """Yield the kinds of facts, with ``first`` for those with several results, too."""
        for kind in history.kinds:
            yield from self._tellings(kind)

    def _tellings(self, kind: str) -> Iterator[tuple[str, Telling]]:
        yield kind, "newest"
        if kind in self._again:
            yield kind, "first"

    def _marked(self) -> Iterator[Condition]:
        """Yield comparisons of fields with the value that marks them as empty."""
        ends = [moment.history for moment in self.moments if moment.step is None]
        for (kind, name), value in learn_markers(ends).items():
            for _, at in self._tellings(kind) if name not in self._few.get(kind, ()) else ():
                for relation in ("=", "≠"):
                    yield Comparison(ToldField(kind, name, at), relation, Literal(value))

    def _sometimes(self) -> list[ToldField]:
        """Return the fields that some facts of a kind have, and others lack."""
        names: dict[str, Counter[str]] = defaultdict(Counter)
        for moment in self.moments:
            for fact in single_facts(moment.history):
                names[fact.kind].update(["", *fact.fields])
        return [
            ToldField(kind, name)
            for kind, counts in sorted(names.items())
            for name, count in sorted(counts.items())
            if name and count < counts[""]
        ]

    def _relations(self) -> Iterator[Condition]:
        """Yield relations of told fields to slots, to other fields and to earlier values."""
        numbers: dict[Term, int] = {}  # numbers count faster than terms
        equal: Counter[tuple[int, int]] = Counter()
        said_count: Counter[int] = Counter()
        ordered: Counter[tuple[int, int]] = Counter()
        lists: Counter[tuple[int, int]] = Counter()
        figures: list[Term] = [*self._made, *_times_done(self._repeated)]
        for moment in self.moments[:: max(1, len(self.moments) // _MOST_MOMENTS)]:
            history = moment.history
            told_fields = _newest_fields(history)
            before = {
                place: (ToldField(term.kind, term.field, "before"), fact.fields[term.field])
                for place, (term, _) in enumerate(told_fields)
                if isinstance(term, ToldField) and (fact := history.single(term.kind, "before"))
                if term.field in fact.fields
            }
            told_fields += [
                (row, other_value) for row in self.rows if (other_value := value_of(row, history))
            ]
            task_fields: list[tuple[Term, str]] = [
                (TaskSlot(slot), value) for slot, value in history.asked.fields.items()
            ]
            task_fields += [(term, made) for term in figures if (made := value_of(term, history))]
            field_names = {getattr(term, "field", "") for term, _ in told_fields}
            others, earlier = (
                [(numbers.setdefault(term, len(numbers)), value) for term, value in fields]
                for fields in ([*task_fields, *told_fields], before.values())
            )
            earlier_at = dict(zip(before, earlier, strict=True))
            places = _places_of(value for _, value in others)
            sized = _places_of_types(value for _, value in others)
            for place, (term, value) in enumerate(told_fields):
                number, _ = others[len(task_fields) + place]
                said_count[number] += history.said(value)
                size = magnitude(value)
                listed = list_field(getattr(term, "field", "")) in field_names
                items = () if listed else frozenset(value.split(", "))
                # Fields up to this place were compared with this one already.
                compared = range(len(task_fields), len(task_fields) + place + 1)
                item_places = sorted(i for item in items for i in places.get(item, ()))
                equals, contained, comparable = (
                    [others[i] for i in among if i not in compared]
                    + ([earlier_at[place]] if place in earlier_at else [])
                    for among in (places[value], item_places, sized[size[0]] if size else ())
                )
                equal.update((number, other) for other, each in equals if each == value)
                lists.update((number, other) for other, each in contained if each in items)
                for other, each in comparable:
                    if size and (other_size := magnitude(each)) and size[0] == other_size[0]:
                        ordered[number, other] += 1
        # The order of insertion does not depend on a hash.
        terms = list(numbers)
        for number, count in said_count.items():
            if count > 1:
                yield Said(terms[number])
        for (number, other), count in equal.most_common(_MOST_RELATIONS):
            if count > 1:
                yield Comparison(terms[number], "=", terms[other])
                yield Comparison(terms[number], "≠", terms[other])
        for (number, other), count in lists.most_common(_MOST_RELATIONS):
            if count > max(1, equal[number, other]):
                yield Comparison(terms[number], "has", terms[other])
                yield Comparison(terms[number], "lacks", terms[other])
        for (number, other), count in ordered.most_common(_MOST_RELATIONS):
            if count > 2:
                for relation in ("<=", "<", ">=", ">"):
                    yield Comparison(terms[number], relation, terms[other])

    def _counted(self) -> Mapping[Term, Sizes]:
        """Return the number of rows of each class at each moment. Few guards need it."""
        if self._counts is None:
            self._counts = {
                term: Sizes(
                    {
                        i: float(number)
                        for i, moment in enumerate(self.moments)
                        if (number := term.number(moment.history)) is not None
                    }
                )
                for term in self._totals()
            }
        return self._counts

    def _totals(self) -> Iterator[Total]:
        rows: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        several: set[str] = set()
        for moment in self.moments:
            for kind in moment.history.kinds:
                facts = moment.history.newest(kind) if kind != UNREAD else []
                several.update((kind,) if len(facts) > 1 else ())
                for fact in facts if self._few.get(kind) else ():
                    for name in self._few[kind]:
                        rows[kind][name].update((fact.fields[name],) if name in fact.fields else ())
        for kind in sorted(several):
            classes = [
                (OneOf(Field(name), (value,)),)
                for name, values in sorted(rows[kind].items())
                for value in sorted(values)
            ]
            # Rows of an earlier result may still exist.
            for ever in (False, True) if kind in self._again else (False,):
                yield Total(kind, ever=ever)
                yield from (Total(kind, None, where, ever) for where in classes)

    def _chosen(self) -> Sequence[Picked]:
        """Return what each choice would take. Few guards need it."""
        if self._picked is None:
            histories = [moment.history for moment in self.moments]
            self._picked = [
                Picked(each, histories, self._few.get(each.kind, frozenset()))
                for each in self._offers
            ]
        return self._picked

    def _of_chosen(
        self, positives: int, negatives: int
    ) -> Iterator[tuple[Condition | Offered, int]]:
        """Yield conditions over the candidate that a choice would take, with their truth."""
        for picked in self._chosen():
            yield from picked.conditions(positives, negatives)

    def _sums(self) -> Iterator[Total]:
        """Yield sums of numeric fields over several rows."""
        names: dict[str, dict[str, None]] = defaultdict(dict)
        for moment in self.moments:
            for kind in moment.history.kinds:
                facts = moment.history.newest(kind) if kind != UNREAD else []
                for fact in facts if len(facts) > 1 else ():
                    names[kind] |= dict.fromkeys(
                        name for name, value in fact.fields.items() if number_of(value) is not None
                    )
        yield from (Total(kind, name) for kind in sorted(names) for name in sorted(names[kind]))

    def _margins(
        self, positives: int, negatives: int
    ) -> Iterator[tuple[float, Condition | Offered, int]]:
        """Yield computed figures that stay within another one at all positive moments, with prices.

        Figures of the candidate that a choice would take are compared as well.
        """
        if not self._compared:
            slots = dict.fromkeys(s for m in self.moments for s in m.history.asked.fields)
            terms = [*map(TaskSlot, slots), *self._quantities]
            sums = list(self._sums())
            self._compared.append(Margins(terms, self._column, len(self.moments), sums))
            for picked in self._chosen():
                column = partial(self._column_beside, picked)
                candidate_terms: list[Term] = [*picked.columns, *terms]
                margins = Margins(candidate_terms, column, len(self.moments), plain=True)
                self._compared.append(margins)
        told_margins, *margins_by_choice = self._compared
        for margin, truth in told_margins.parting(positives, negatives):
            yield _margin_price(margin), margin, truth
        for picked, margins in zip(self._chosen(), margins_by_choice, strict=True):
            for margin, truth in margins.parting(positives, negatives):
                if not picked.columns.keys().isdisjoint(terms_of(margin)):
                    yield _margin_price(margin), *picked.offered(margin, truth)

    def _column_beside(self, picked: Picked, term: Term) -> Sequence[str | None]:
        """Return the value of a term at each moment, or of a field of the one candidate."""
        return picked.column(term) if term in picked.columns else self._column(term)

    def candidates(
        self, positives: int, negatives: int
    ) -> list[tuple[float, Condition | Offered, int]]:
        """Return conditions with price and truth, the cheapest first.

        A set of values holds all values of the positive moments. It is a condition only if a
        negative moment has another value.
        """
        here = positives | negatives
        out: list[tuple[float, Condition | Offered, int]] = []
        for term, values in self.values.items():
            shown_values = tuple(sorted(v for v, truth in values.items() if truth & positives))
            rival_values = [
                v for v, truth in values.items() if truth & negatives and v not in shown_values
            ]
            if shown_values and rival_values and len(shown_values) <= _MOST_CLASSES:
                truth = 0
                for value in shown_values:
                    truth |= values[value]
                several = len(shown_values) > 1 or len(rival_values) >= LEAST_SIZES
                sizes = several and all(map(magnitude, (*shown_values, *rival_values)))
                price = 1.5 + 0.5 * len(shown_values) + _SIZES_BITS * sizes
                out.append((price, OneOf(term, shown_values), truth & here))
                if len(shown_values) > 1:
                    out += [(2.0, OneOf(term, (v,)), values[v] & here) for v in shown_values]
            elif 1 < len(shown_values) <= _MOST_CLASSES:
                # Another reason may hold where values are those of rivals, too.
                own_values = [v for v in shown_values if not values[v] & negatives]
                out += [(2.0, OneOf(term, (v,)), values[v] & here) for v in own_values]
        limits = limits_between(self._sizes, positives, negatives)
        out += [(4.0, limit, truth & here) for limit, truth in limits]
        out += [
            (price, condition, truth_here)
            for price, condition, truth in self._priced()
            if (truth_here := truth & here) and truth_here != here
        ]
        if not any(
            not positives & ~truth and not negatives & truth and not _is_word(condition)
            for _, condition, truth in out
        ):
            out += self._costlier(positives, negatives, here)
        out = [each for each in out if each[2] & positives and each[2] != here]
        return sorted(out, key=_PRICE)

    def limits(
        self, positives: int, negatives: int, context: int
    ) -> list[tuple[float, Condition | Offered, int]]:
        """Return limits that part the moments of a context, with price and truth at all moments.

        Args:
            positives: Moments, as bits.
            negatives: Moments, as bits.
            context: The moments at which another condition holds, all positive ones too.
        """
        here = positives | negatives
        limits = limits_between(self._sizes, positives, negatives & context)
        out = [(4.0, limit, truth & here) for limit, truth in limits]
        return out + self._costlier(positives, negatives & context, here)

    def _costlier(
        self, positives: int, negatives: int, here: int
    ) -> list[tuple[float, Condition | Offered, int]]:
        """Return limits of counts, of what a choice would take, and of computed figures."""
        counts = limits_between(self._counted(), positives, negatives)
        of_choices = self._of_chosen(positives, negatives)
        out = [(5.0, each, truth & here) for each, truth in itertools.chain(counts, of_choices)]
        margins = self._margins(positives, negatives)
        return out + [(price, each, truth & here) for price, each, truth in margins]


def _places_of(values: Iterable[str]) -> dict[str, list[int]]:
    """Return value → its places."""
    places: dict[str, list[int]] = {}
    for i, value in enumerate(values):
        places.setdefault(value, []).append(i)
    return places


def _places_of_types(values: Iterable[str]) -> dict[str, list[int]]:
    """Return type of size → the places of its values."""
    places: dict[str, list[int]] = {}
    for i, value in enumerate(values):
        if (size := magnitude(value)) is not None:
            places.setdefault(size[0], []).append(i)
    return places


def _kinds_told_again(moments: Sequence[Moment]) -> set[str]:
    """Return the kinds of facts with a first and a newer result at enough moments."""
    times = Counter(
        kind
        for moment in moments
        for kind in moment.history.kinds
        if kind != UNREAD and moment.history.told(kind, "first") is not moment.history.told(kind)
    )
    return {kind for kind, number in times.items() if number >= _LEAST_AGAIN}


def _made_arguments(histories: Sequence[History]) -> list[Argument]:
    """Return the arguments that were computed: numbers that neither the task nor a result says."""
    made: Counter[Argument] = Counter()
    typed: Counter[Argument] = Counter()
    for history in histories:
        if not history.calls:
            continue
        *_, call = history.calls
        before = (fact for facts in (*history.results[:-1], [history.asked]) for fact in facts)
        said = {value for fact in before for value in fact.fields.values()}
        for index, value in enumerate(call.arguments):
            typed[Argument(call.operator, index)] += 1
            if number_of(value) is not None and value not in said:
                made[Argument(call.operator, index)] += 1
    return [each for each, count in sorted(typed.items(), key=str) if made[each] * 2 > count]


def _newest_fields(history: History) -> list[tuple[Term, str]]:
    """Return fields of the newest facts, with their values."""
    newest = sorted(history.kinds.items(), key=lambda x: -x[1])[:_MOST_KINDS]
    return [
        (ToldField(kind, name), value)
        for kind, _ in newest
        if kind != UNREAD and (fact := history.single(kind))
        for name, value in itertools.islice(fact.fields.items(), _MOST_FIELDS)
    ]


def _repetitions(moments: Sequence[Moment]) -> Counter[str]:
    """Return repeated step → the most times that one of its calls was made."""
    most: Counter[str] = Counter()
    for moment in moments:
        calls = Counter((c.step, c.operator, c.arguments) for c in moment.history.calls)
        for (step, _, _), count in calls.items():
            if step is not None and count > 1:
                most[step] = max(most[step], count)
    return most


def _times_done(steps: Iterable[str]) -> list[Times]:
    """Return how often steps were done, as figures that others are compared with."""
    return [Times(step) for step in steps]


def _task_words(moments: Sequence[Moment]) -> Iterator[Condition]:
    """Yield words that some tasks say and others do not, apart from the values of slots."""
    tasks = {moment.history.task: moment.history.asked for moment in moments}
    counts: Counter[str] = Counter()
    for task, slots in tasks.items():
        values = {word for value in slots.fields.values() for word in words_of(value)}
        counts.update(set(words_of(task)) - values)
    for word, count in sorted(counts.items()):
        if LEAST_SIZES <= count <= len(tasks) - LEAST_SIZES:
            yield Said(Literal(word))


def _margin_price(margin: Condition) -> float:
    """Return the bits of a computed limit. One of two operations costs more than two relations."""
    signs = sum(isinstance(each, Arithmetic) for each in terms_of(margin))
    return 4.0 + 2.5 * max(1, signs)


def _is_word(condition: Condition | Offered) -> bool:
    """Whether it asks for a word of the task that is no value."""
    return isinstance(condition, Said) and isinstance(condition.term, Literal)


def _price(condition: Condition | Offered) -> float:
    match condition:
        case Shown(_, now, negated):
            return 1.0 + (not now) * 1.5 + negated
        case Comparison(_, relation, _):
            return 2.5 if relation in ("=", "≠") else 3.5
        case Said(Literal()):  # that tasks are worded so may be chance
            return 5.5
        case After(_, negated):
            return 2.0 + negated
        case DoneStep(_, negated, times):
            return 2.5 + 0.2 * negated + (times > 1)
        case _:
            return 2.0
