"""Sources of the arguments of steps; each value is bound as late as possible."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ..arrangements import Arrangement
from ..arrangements.arrangement_steps import next_enquiry, whole
from ..compositions import Composition
from ..compositions.composition_steps import first_chance, next_text
from ..episodes.facts import UNREAD, Fact
from ..episodes.history import ASKED, History
from ..episodes.templates import fact_line
from ..episodes.tokens import magnitude, plain_words
from ..worth.candidate_choice import is_open, line_text, preferred, recalled
from ..worth.reward_model import Worth
from .decision_tables import Tabled
from .exact_numbers import FIGURE, decimals_of, written_number
from .program_conditions import (
    Argument,
    Arithmetic,
    Computation,
    Condition,
    Field,
    OneOf,
    Own,
    TaskSlot,
    Term,
    Total,
    all_hold,
    quantity_in,
    value_of,
)
from .quantities import combine, quantity_of
from .terms import bound_condition, class_of, terms_of
from .value_notation import Writing

_MOST_VALUES = 50
"""Most values of a source for texts, and most texts: a person cannot choose among more."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A value of the program; with ``said`` only where the task or a result says it."""

    value: str
    said: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """An order that takes the candidates with the least or greatest value.

    Attributes:
        by: The value: a field, or a figure of two.
        greatest: Whether the greatest comes first.
        said: Whether the place of the value in the task counts instead of its size.
        rank: 2 for the second place, and so on; later orders break ties.
        behind: Whether all candidates behind that place are taken instead.
        listed: Whether the place in the list counts instead of the size.
    """

    by: Field | Arithmetic
    greatest: bool
    said: bool = False
    rank: int = 1
    behind: bool = False
    listed: bool = False

    @property
    def plain(self) -> bool:
        """Whether the first by size is taken."""
        return self.rank == 1 and not (self.said or self.behind or self.listed)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of choice: candidates for which all conditions hold, then the foremost.

    Attributes:
        where: The conditions.
        order: The orders; each after the first breaks ties.
    """

    where: tuple[Condition, ...] = ()
    order: tuple[Order, ...] = ()

    def without(self, term: Term) -> tuple[Condition, ...]:
        """Return the conditions that do not name a class."""
        return tuple(each for each in self.where if class_of(each) != term)

    def with_arguments(self, arguments: Sequence[str]) -> Rule:
        """Return the rule with the arguments of its call as values."""
        return Rule(tuple(bound_condition(each, arguments) for each in self.where), self.order)


@dataclass(frozen=True, slots=True)
class Case:
    """A rule, and the situations that it applies to.

    Attributes:
        when: Conditions of the situations; empty: all others.
        rule: The rule.
        others: All other rules that fit the demonstrations as well.
        settled: Whether the rule singles out the demonstrated value in every demonstration.
        always: Conditions that held of all chosen candidates, and not of all others.
        known: Values of the rule's classes that were shown where the rest of the rule held. The
            rule does not cover a candidate of another class.
    """

    when: tuple[Condition, ...]
    rule: Rule
    others: tuple[Rule, ...] = ()
    settled: bool = True
    always: tuple[Condition, ...] = ()
    known: tuple[OneOf, ...] = ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Its rule, and all others that fit as well."""
        return self.rule, *self.others

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """All conditions: of its situations, of what was always chosen, and of its rules."""
        return *self.when, *self.always, *(each for rule in self.rules for each in rule.where)

    @property
    def looks_at(self) -> frozenset[int]:
        """Places of the other arguments of the call that its rules look at, from 0."""
        terms = (term for rule in self.rules for each in rule.where for term in terms_of(each))
        return frozenset(term.index for term in terms if isinstance(term, Own))

    def with_arguments(self, arguments: Sequence[str]) -> Case:
        """Return the case with the arguments of its call as values."""
        others = tuple(rule.with_arguments(arguments) for rule in self.others)
        return replace(self, rule=self.rule.with_arguments(arguments), others=others)

    def unknown(self, facts: Sequence[Fact], history: History) -> tuple[Term, str] | None:
        """Return class and value of a candidate that the rule does not cover; else None."""
        for values_of_class in self.known:
            for fact in chosen_facts(Rule(self.rule.without(values_of_class.term)), facts, history):
                value = value_of(values_of_class.term, history, fact)
                if value is not None and value not in values_of_class.values:
                    return values_of_class.term, value
        return None


At = Literal["newest", "first", "ever"]
"""Which of the results with facts of a kind count."""
ANY: tuple[Case, ...] = (Case((), Rule(), settled=False),)
"""Cases of a choice without a rule: any candidate."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A field of a fact that is chosen among the facts of a kind.

    Attributes:
        kind: Kind of the facts.
        field: Field of the value, a figure of two fields, such as ``{3} * {4}``, or, of all results
            so far, an argument of the call that told it, such as ``asked 1``.
        at: Which of the results with such facts counts: the newest, the first, or all so far.
        cases: The cases; the first that applies counts.
        steady: Whether all facts of the kind so far always had the same value.
        beside: Place of the argument, from 0, whose fact is taken; None: a fact is chosen.
        worth: Worth of candidates that no rule tells apart; None if unknown.
        looks_at: Places of the other arguments of its call that it depends on, from 0.
    """

    kind: str
    field: str
    at: At
    cases: tuple[Case, ...]
    steady: bool = False
    beside: int | None = None
    worth: Worth | None = None
    looks_at: frozenset[int] = dataclasses.field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Note what it depends on: that is asked at every decision."""
        looks_at = frozenset[int]().union(*(case.looks_at for case in self.cases))
        looks_at |= frozenset() if self.beside is None else {self.beside}
        object.__setattr__(self, "looks_at", looks_at)

    def with_arguments(self, arguments: Sequence[str]) -> Choice:
        """Return the choice with the other arguments of its call as values in its rules."""
        return replace(self, cases=tuple(each.with_arguments(arguments) for each in self.cases))


@dataclass(frozen=True, slots=True)
class Line:
    """A whole line of the newest result of an operator, in whichever words.

    Attributes:
        operator: The operator; empty: the first observation.
        number: Number of the line, from 0.
    """

    operator: str
    number: int


Base = Constant | TaskSlot | Argument | Choice | Line
"""A source of unchanged values, which may be a part of a text."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text: the value of a source in a notation."""

    base: Base
    writing: Writing


@dataclass(frozen=True, slots=True)
class Written:
    """A text that is composed of parts.

    Attributes:
        parts: Fixed texts, and pieces: all that fit the demonstrations, the shortest first. Where
            pieces differ each makes a candidate.
    """

    parts: tuple[str | tuple[Piece, ...], ...]

    @property
    def pieces(self) -> Iterator[Piece]:
        """All pieces of its parts."""
        return (piece for part in self.parts if not isinstance(part, str) for piece in part)

    @property
    def bases(self) -> tuple[Base, ...]:
        """The sources of its parts, each once."""
        return tuple(dict.fromkeys(piece.base for piece in self.pieces))

    @property
    def base(self) -> Base | None:
        """The one source of its parts; None where there are several."""
        return self.bases[0] if len(self.bases) == 1 else None

    def with_bases(self, others: Mapping[Base, Base]) -> Written:
        """Return the text made of other sources."""

        def with_base(piece: Piece) -> Piece:
            return replace(piece, base=others.get(piece.base, piece.base))

        parts = (p if isinstance(p, str) else tuple(map(with_base, p)) for p in self.parts)
        return Written(tuple(parts))

    def made_of(self, values: Mapping[Base, str]) -> list[str]:
        """Return the texts that these values make, each once, up to a limit."""
        parts = ([p] if isinstance(p, str) else _pieces(p, values) for p in self.parts)
        return ["".join(way) for way in itertools.islice(itertools.product(*parts), _MOST_VALUES)]


def _pieces(pieces: Sequence[Piece], values: Mapping[Base, str]) -> list[str]:
    """Return the texts of pieces, each once; none where the first piece has no text."""
    texts = [p.writing.write(values[p.base]) if p.base in values else None for p in pieces]
    return list(dict.fromkeys(text for text in texts if text)) if texts[0] else []


@dataclass(frozen=True, slots=True)
class Computed:
    """A computed number.

    Attributes:
        computations: All that fit the demonstrations; where they differ each is a candidate.
        decimals: Number of decimals; None: no more than needed.
        duration: Notation of minutes as a length of time; empty: as a number.
        point: Decimal sign.
        positive: Whether a difference of zero or less is none: where nothing is left, nothing is
            due.
    """

    computations: tuple[Computation, ...]
    decimals: int | None = None
    duration: str = ""
    point: str = "."
    positive: bool = False


@dataclass(frozen=True, slots=True)
class Arranged:
    """JSON of several choices that fit together.

    Attributes:
        arrangement: The choices and their constraints.
        whole: Whether the source gives all records once nothing is left to ask; else the next
            record to ask about.
    """

    arrangement: Arrangement
    whole: bool


@dataclass(frozen=True, slots=True)
class Composed:
    """Actions that end with a text made of parts: look-ups of names, then the likeliest texts.

    Attributes:
        composition: The composition.
    """

    composition: Composition


@dataclass(frozen=True, slots=True)
class Kept:
    """A text of words of the task, in their order, without signs around them.

    Attributes:
        drop: Words that are left out, in lower case.
    """

    drop: tuple[str, ...] = ()

    def text(self, task: str) -> str:
        """Return the words of a task that are not left out."""
        return " ".join(word for word in plain_words(task) if word.casefold() not in self.drop)

    @staticmethod
    def alike(one: str, other: str) -> bool:
        """Whether two texts share at least half of all their words."""
        words, other_words = (set(plain_words(text.casefold())) for text in (one, other))
        return 2 * len(words & other_words) >= len(words | other_words)


@dataclass(frozen=True, slots=True)
class Recalled:
    """A text that asks for the most promising candidate that is remembered but not listed.

    Attributes:
        choice: The choice of the candidate.
    """

    choice: Choice


Source = Base | Written | Computed | Tabled | Arranged | Composed | Kept | Recalled


@dataclass(frozen=True, slots=True)
class Offered:
    """A condition: the facts offer a fitting candidate.

    Attributes:
        choice: The choice that a candidate has to fit.
        negated: Whether there must be none.
        several: Whether candidates with different values have to fit, so that the choice is a tie.
        where: Further conditions of the candidate.
    """

    choice: Choice
    negated: bool = False
    several: bool = False
    where: tuple[Condition, ...] = ()

    def holds(self, history: History, candidate: Fact | None = None) -> bool:
        """Whether it holds now."""
        values = candidates(self.choice, history)
        if self.where:
            facts = chosen(self.choice, history)
            values = _values(
                (fact for fact in facts if all_hold(self.where, history, fact)), self.choice.field
            )
        return (len(values) > self.several) != self.negated


@dataclass(frozen=True, slots=True)
class Best(Offered):
    """A condition: the best candidate of a choice is the one that a step opened last.

    Attributes:
        step: The step.
    """

    step: str = ""

    def holds(self, history: History, candidate: Fact | None = None) -> bool:
        """Whether it holds now."""
        choice, best_name = self.choice, candidates(self.choice, history)[:1]
        is_kept = (
            choice.worth is not None
            and _remembered_fact(choice, history) is None
            and any(
                is_open(choice.worth, choice.kind, choice.field, name, history)
                for name in best_name
            )
        )
        return is_kept != self.negated


def choices_in(source: Source) -> Iterator[Choice]:
    """Yield the choices that a source makes: itself, or those of the parts of a text."""
    bases = source.bases if isinstance(source, Written) else (source,)
    return (base for base in bases if isinstance(base, Choice))


def is_settled(source: Source) -> bool:
    """Whether a source singles out a value in every demonstration."""
    return all(case.settled for choice in choices_in(source) for case in choice.cases)


def candidates(source: Source, history: History) -> list[str]:
    """Return the values of a source now, in the order of its facts or of their worth."""
    memo = history.memo.get(source)
    if memo is None:
        memo = history.memo[source] = _candidates(source, history)
    return memo


def chance_of(source: Source, value: str, history: History) -> float | None:
    """Return the chance that a value is right, for ranked values; None where it is unknown."""
    if isinstance(source, Composed):
        return first_chance(source.composition, history, value)
    return None


def _candidates(source: Source, history: History) -> list[str]:
    match source:
        case Constant(value, said):
            return [value] if not said or _is_mentioned(value, history) else []
        case Choice() if source.looks_at:  # without its other arguments: all that may be
            return _values(rows(source, history), source.field)
        case Choice():
            facts = chosen(source, history)
            if source.worth is not None:
                facts = preferred(source.worth, facts, source.field, history)
            return _values(facts, source.field)
        case Written():
            return _texts(source, history)
        case Line(operator, number):
            lines = lines_told(operator, history)
            return lines[number : number + 1]
        case Computed(computations):
            texts = (computed_text(each, source, history) for each in computations)
            return list(dict.fromkeys(text for text in texts if text))
        case Tabled():
            table_value = source.value(history)
            return [table_value] if table_value else []
        case Kept():
            kept_text = source.text(history.task)
            return [kept_text] if kept_text else []
        case Recalled(choice):
            fact = _remembered_fact(choice, history)
            return [line_text(fact, choice.field)] if fact else []
        case Arranged(arrangement, all_of_it):
            text = (whole if all_of_it else next_enquiry)(arrangement, history)
            return [text] if text else []
        case Composed(composition):
            text = next_text(composition, history)
            return [text] if text else []
        case _:
            term_value = value_of(source, history)
            return [term_value] if term_value else []


def _remembered_fact(choice: Choice, history: History) -> Fact | None:
    """Return the remembered candidate that is preferred to the listed ones; else None."""
    memo = history.memo.get(("recalled", choice))
    if memo is None:
        case, worth = case_of(choice, history), choice.worth
        facts = meant_facts(case, choice, history) if case else []
        fact = None
        if case is not None and worth is not None and facts:
            where = case.rule.where

            def fits(fact: Fact) -> bool:
                return all_hold(where, history, fact)

            fact = recalled(worth, facts, choice.field, history, fits)
        memo = history.memo["recalled", choice] = (fact,)
    return memo[0]


def _texts(source: Written, history: History) -> list[str]:
    """Return the composed texts now, each once."""
    texts_made = (text for texts in _texts_by_values(source, history) for text in texts)
    return list(dict.fromkeys(texts_made))


def _texts_by_values(source: Written, history: History) -> Iterator[list[str]]:
    """Yield the texts of each combination of values, with one value for each source."""
    values_by_base = {base: candidates(base, history)[:_MOST_VALUES] for base in source.bases}
    given_values = {base: values for base, values in values_by_base.items() if values}
    for way in itertools.islice(itertools.product(*given_values.values()), _MOST_VALUES):
        yield source.made_of(dict(zip(given_values, way, strict=True)))


def texts_instead(source: Source, text: str, history: History) -> list[str]:
    """Return other texts that the same values might have made."""
    alternatives = _texts_by_values(source, history) if isinstance(source, Written) else ()
    return [other for texts in alternatives if text in texts for other in texts if other != text]


def lines_told(operator: str, history: History) -> list[str]:
    """Return the lines of an operator's newest result; of the first observation for no operator."""
    memo: list[str] | None = history.memo.get(("lines", operator))
    if memo is not None:
        return memo
    at = 0 if not operator else None
    for number, call in enumerate(history.calls, 1):
        if call.operator == operator:
            at = number
    lines: list[str] = []
    for fact in history.results[at] if at is not None else ():
        text = fact.fields.get("1", "") if fact.kind == UNREAD else fact_line(fact)
        if text is not None and lines[-1:] != [text]:
            lines.append(text)
    history.memo["lines", operator] = lines
    return lines


def computed_text(each: Computation | Term, source: Computed, history: History) -> str | None:
    """Return the result of a computation in the source's notation; None where it has none."""
    if isinstance(each, Total):
        number = each.number(history)
        if number is None:
            return None
        return written_number(number, source.decimals, source.point)
    quantity = quantity_in(each, history)
    if quantity is None or (source.positive and quantity.size <= 0):
        return None
    if source.duration:
        return quantity.duration(source.duration) if quantity.type == "number" else None
    return quantity.text(source.decimals, source.point)


def case_of(choice: Choice, history: History) -> Case | None:
    """Return the case that applies now; None if none does."""
    return next((each for each in choice.cases if all_hold(each.when, history)), None)


def chosen(choice: Choice, history: History) -> list[Fact]:
    """Return the facts that a choice takes now."""
    case = case_of(choice, history)
    return meant_facts(case, choice, history) if case else []


def chosen_values(rule: Rule, choice: Choice, history: History) -> list[str]:
    """Return the values that a rule chooses, each once."""
    return _values(chosen_facts(rule, rows(choice, history), history), choice.field)


def _values(facts: Iterable[Fact], name: str) -> list[str]:
    values = (fact.fields.get(name) for fact in facts)
    return list(dict.fromkeys(value for value in values if value))


def base_of(source: Source) -> Source | None:
    """Return a source, or the one source of the parts of a text."""
    return source.base if isinstance(source, Written) else source


def stands_beside(choice: Choice, sources: Sequence[Source]) -> bool:
    """Whether the argument beside a choice is chosen among the same facts."""
    if choice.beside is None or not 0 <= choice.beside < len(sources):
        return False
    base = base_of(sources[choice.beside])
    if not isinstance(base, Choice) or base.beside is not None:
        return False
    return (base.kind, base.at) == (choice.kind, choice.at)


def values_beside(choice: Choice, other: Source, value: str, history: History) -> list[str]:
    """Return the values of the facts that gave a value to another argument.

    Args:
        choice: The choice of a value beside another argument.
        other: Source of that argument.
        value: Value of that argument.
        history: The history.
    """
    base = base_of(other)
    if not isinstance(base, Choice) or (base.kind, base.at) != (choice.kind, choice.at):
        return []

    def is_meant(fact: Fact) -> bool:
        text = fact.fields.get(base.field, "")
        return value in (other.made_of({base: text}) if isinstance(other, Written) else [text])

    # Several rows may have the value; the one that gave it was chosen.
    matching_facts = list(filter(is_meant, chosen(base, history)))
    matching_facts = matching_facts or list(filter(is_meant, rows(base, history)))
    return _values((with_figure(fact, choice.field) for fact in matching_facts), choice.field)


def meant_facts(case: Case, choice: Choice, history: History) -> list[Fact]:
    """Return the facts that a case chooses, if possible among those like all shown ones."""
    all_facts = rows(choice, history)
    usual_facts = [fact for fact in all_facts if all_hold(case.always, history, fact)]
    return chosen_facts(case.rule, usual_facts, history) or chosen_facts(
        case.rule, all_facts, history
    )


def chosen_facts(rule: Rule, facts: Sequence[Fact], history: History) -> list[Fact]:
    """Return the facts that a rule chooses."""
    matching_facts = [fact for fact in facts if all_hold(rule.where, history, fact)]
    if not rule.order:
        return matching_facts
    sizes = [_sizes(order, matching_facts, history) for order in rule.order]
    return [matching_facts[i] for i in foremost(rule.order, sizes)]


def _sizes(order: Order, facts: Sequence[Fact], history: History) -> list[float | None]:
    """Return the size of each fact in an order; None where it has no place."""
    if order.listed:
        return [float(place) for place, _ in enumerate(facts)]
    return [size_of(order, fact, history) for fact in facts]


def foremost(orders: Sequence[Order], sizes: Sequence[Sequence[float | None]]) -> list[int]:
    """Return the candidates that come first, at the rank of the first order, or behind it.

    An order in which no candidate has a size is ignored; else candidates without a size have no
    place.

    Args:
        orders: One or more orders; the first counts most.
        sizes: For each order the sizes of all candidates.
    """
    signed_columns = [
        (column, -1.0 if order.greatest else 1.0)
        for order, column in zip(orders, sizes, strict=True)
        if any(size is not None for size in column)
    ]
    number = len(sizes[0]) if sizes else 0
    if not signed_columns:
        return list(range(number))
    places: dict[tuple[float, ...], list[int]] = {}
    for i in range(number):
        place = tuple(
            size * sign for column, sign in signed_columns if (size := column[i]) is not None
        )
        if len(place) == len(signed_columns):
            places.setdefault(place, []).append(i)
    rank = orders[0].rank
    if orders[0].behind:
        return sorted(i for place in sorted(places)[rank:] for i in places[place])
    return places[sorted(places)[rank - 1]] if len(places) >= rank else []


def rows(choice: Choice, history: History) -> list[Fact]:
    """Return the facts that a choice is made among."""
    at = choice.at
    if at == "ever" and ASKED.fullmatch(choice.field):
        return history.with_asked(choice.kind, choice.field)
    facts = history.all(choice.kind) if at == "ever" else history.told(choice.kind, at)
    return [with_figure(fact, choice.field) for fact in facts]


def with_figure(fact: Fact, name: str) -> Fact:
    """Return a fact with a figure of two of its fields, if a name is that of a figure."""
    figure = FIGURE.fullmatch(name)
    if figure is None or name in fact.fields:
        return fact
    first_value, sign, second_value = (
        fact.fields.get(figure[1]),
        figure[2],
        fact.fields.get(figure[3]),
    )
    quantity = combine(quantity_of(first_value), sign, quantity_of(second_value))
    if quantity is None or quantity.type != "number":
        return fact
    decimals = max(decimals_of(first_value or "") or 0, decimals_of(second_value or "") or 0)
    text = quantity.text(decimals) or quantity.text()
    return replace(fact, fields={**fact.fields, name: text}) if text else fact


def size_of(order: Order, fact: Fact, history: History) -> float | None:
    """Return the size of a fact in an order; None where it has no place."""
    value = value_of(order.by, history, fact) or ""
    if order.said:
        at = history.task.find(value) if value and history.said(value) else -1
        return float(at) if at >= 0 else None
    size = magnitude(value)
    return size[1] if size else None


def _is_mentioned(value: str, history: History) -> bool:
    if history.said(value):
        return True
    return any(
        value == each for result in history.results for f in result for each in f.fields.values()
    )
