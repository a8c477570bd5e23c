"""Where the arguments of a step come from; each is bound as late as possible."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ..arrangements import Arrangement
from ..arrangements.arrangement_steps import next_enquiry, whole
from ..compositions import Composition
from ..compositions.composition_steps import first_chance, next_text
from ..episodes.facts import UNREAD, Fact
from ..episodes.history import History
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
    TaskSlot,
    Term,
    Total,
    all_hold,
    quantity_in,
    value_of,
)
from .quantities import combine, quantity_of
from .terms import class_of
from .value_notation import Writing

__all__ = [
    "ANY",
    "Arranged",
    "Base",
    "Best",
    "Case",
    "Choice",
    "Composed",
    "Computed",
    "Constant",
    "Kept",
    "Line",
    "Offered",
    "Order",
    "Piece",
    "Recalled",
    "Rule",
    "Source",
    "Written",
    "candidates",
    "case_of",
    "chance_of",
    "chosen",
    "chosen_facts",
    "chosen_values",
    "foremost",
    "lines_told",
    "meant_facts",
    "rows",
    "size_of",
    "stands_beside",
    "texts_instead",
    "values_beside",
    "with_figure",
]


_MOST_VALUES = 50
"""Values of a source of which texts are made, and texts: more are no choice of a person."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A value of the program; if ``said``, only where task or results say it."""

    value: str
    said: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """Of the candidates those of which a value is the least or the greatest.

    Attributes:
        by: The value: a field, or what is computed of two.
        greatest: Whether the greatest comes first.
        said: Instead of by size by where the task says the value.
        rank: 2 for the second, and so on, by this order and those behind it, which part ties.
        behind: Instead of what comes there all that come behind it: all but the greatest.
    """

    by: Field | Arithmetic
    greatest: bool
    said: bool = False
    rank: int = 1
    behind: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """Which candidates are chosen: those for which all conditions hold, then the foremost.

    Attributes:
        where: The conditions.
        order: By what they are ordered; each order after the first parts those that tie.
    """

    where: tuple[Condition, ...] = ()
    order: tuple[Order, ...] = ()

    def without(self, term: Term) -> tuple[Condition, ...]:
        """Return the conditions that say nothing of a class."""
        return tuple(each for each in self.where if class_of(each) != term)


@dataclass(frozen=True, slots=True)
class Case:
    """A rule, and where it is meant.

    Attributes:
        when: Where it is meant; nothing: everywhere else.
        rule: What is done.
        others: All other rules that fit the demonstrations just as well.
        settled: Whether the rule singles out what was shown in every demonstration.
        always: What held of whatever was chosen, and not of all that was left.
        known: Values of the rule's classes that were shown where all else of it held: what is done
            with a candidate of another class nobody knows.
    """

    when: tuple[Condition, ...]
    rule: Rule
    others: tuple[Rule, ...] = ()
    settled: bool = True
    always: tuple[Condition, ...] = ()
    known: tuple[OneOf, ...] = ()

    def unknown(self, facts: Sequence[Fact], history: History) -> tuple[Term, str] | None:
        """Return class and value of a candidate of which nobody knows whether it is meant."""
        for each in self.known:
            for fact in chosen_facts(Rule(self.rule.without(each.term)), facts, history):
                value = value_of(each.term, history, fact)
                if value is not None and value not in each.values:
                    return each.term, value
        return None


At = Literal["newest", "first", "ever"]
"""Which of the results that have facts of a kind count."""
ANY: tuple[Case, ...] = (Case((), Rule(), settled=False),)
"""Any of the candidates."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A field of a fact that is chosen among the facts of a kind.

    Attributes:
        kind: Of the facts.
        field: The value that is taken, or a figure of two of its values, such as ``{3} * {4}``.
        at: Which of the results that have such facts counts: the newest, the first, or all so far.
        cases: The rules; the first that is meant is taken.
        steady: Whether all facts of the kind so far told the same value each time.
        beside: The step's argument, from 0, whose fact is taken; None: a fact is chosen.
        worth: What candidates are worth that no rule tells apart; None where that is not known.
    """

    kind: str
    field: str
    at: At
    cases: tuple[Case, ...]
    steady: bool = False
    beside: int | None = None
    worth: Worth | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A whole line of the newest result of an operator, in whichever words.

    Attributes:
        operator: The operator; empty: what was told at first.
        number: Which line, from 0.
    """

    operator: str
    number: int


Base = Constant | TaskSlot | Argument | Choice | Line
"""A source of values as they are said, shown or fixed; any may be a part of a text."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What a source gives, as a part of a text, written anew."""

    base: Base
    writing: Writing


@dataclass(frozen=True, slots=True)
class Written:
    """A text that is composed of parts.

    Attributes:
        parts: What always stands there, or what is written there: all pieces that fit the
            demonstrations, the shortest first; where they differ each makes a candidate.
    """

    parts: tuple[str | tuple[Piece, ...], ...]

    @property
    def pieces(self) -> Iterator[Piece]:
        """All that may be written in its parts."""
        return (piece for part in self.parts if not isinstance(part, str) for piece in part)

    @property
    def bases(self) -> tuple[Base, ...]:
        """The sources of its parts, each once."""
        return tuple(dict.fromkeys(piece.base for piece in self.pieces))

    @property
    def base(self) -> Base | None:
        """The source of all of its parts; None where they are of several."""
        return self.bases[0] if len(self.bases) == 1 else None

    def made_of(self, values: Mapping[Base, str]) -> list[str]:
        """Return the texts that are made of these values, each once, at most some."""
        parts = ([p] if isinstance(p, str) else _pieces(p, values) for p in self.parts)
        return ["".join(way) for way in itertools.islice(itertools.product(*parts), _MOST_VALUES)]


def _pieces(pieces: Sequence[Piece], values: Mapping[Base, str]) -> list[str]:
    """Return what pieces write, each once; nothing where the first writes nothing."""
    written = [p.writing.write(values[p.base]) if p.base in values else None for p in pieces]
    return list(dict.fromkeys(text for text in written if text)) if written[0] else []


@dataclass(frozen=True, slots=True)
class Computed:
    """A number that is computed.

    Attributes:
        computations: All that fit the demonstrations; where they differ each is a candidate.
        decimals: How many are written; None: no more than needed.
        duration: How minutes are written, as a length of time; empty: as a number.
    """

    computations: tuple[Computation, ...]
    decimals: int | None = None
    duration: str = ""


@dataclass(frozen=True, slots=True)
class Arranged:
    """JSON of several choices that fit together.

    Attributes:
        arrangement: What is chosen, and what has to hold.
        whole: Whether all of it is given, once nothing is left to ask; else the next record to ask
            about.
    """

    arrangement: Arrangement
    whole: bool


@dataclass(frozen=True, slots=True)
class Composed:
    """Actions that end with a text made of parts: look-ups of names, then the likeliest texts.

    Attributes:
        composition: How texts are composed.
    """

    composition: Composition


@dataclass(frozen=True, slots=True)
class Kept:
    """A text of words of the task, in their order, without signs around them.

    Attributes:
        drop: Words that are left out, in small letters.
    """

    drop: tuple[str, ...] = ()

    def text(self, task: str) -> str:
        """Return the words that are left of a task."""
        return " ".join(word for word in plain_words(task) if word.casefold() not in self.drop)

    @staticmethod
    def alike(one: str, other: str) -> bool:
        """Whether two texts have most of their words in common, so that they bring the same."""
        mine, theirs = (set(plain_words(text.casefold())) for text in (one, other))
        return 2 * len(mine & theirs) >= len(mine | theirs)


@dataclass(frozen=True, slots=True)
class Recalled:
    """What a candidate is asked for by that is not listed, but remembered, and promises most.

    Attributes:
        choice: What it is a candidate of.
    """

    choice: Choice


Source = Base | Written | Computed | Tabled | Arranged | Composed | Kept | Recalled


@dataclass(frozen=True, slots=True)
class Offered:
    """A candidate that fits is among what was told: a condition.

    Attributes:
        choice: What a candidate has to fit.
        negated: Whether there must be none.
        several: Whether values that differ have to fit, so that the choice is a tie.
        where: What has to hold of the candidate as well.
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
    """What a step opened last is open, and the best of what is offered.

    Attributes:
        step: The step.
    """

    step: str = ""

    def holds(self, history: History, candidate: Fact | None = None) -> bool:
        """Whether it holds now."""
        choice, best = self.choice, candidates(self.choice, history)[:1]
        kept = (
            choice.worth is not None
            and _recalled(choice, history) is None
            and any(
                is_open(choice.worth, choice.kind, choice.field, name, history) for name in best
            )
        )
        return kept != self.negated


def candidates(source: Source, history: History) -> list[str]:
    """Return the values that a source gives now, in the order in which they were shown."""
    memo = history.memo.get(source)
    if memo is None:
        memo = history.memo[source] = _candidates(source, history)
    return memo


def chance_of(source: Source, value: str, history: History) -> float | None:
    """Return the chance that a value is right, by what it is ranked by; None where nobody knows."""
    if isinstance(source, Composed):
        return first_chance(source.composition, history, value)
    return None


def _candidates(source: Source, history: History) -> list[str]:
    match source:
        case Constant(value, said):
            return [value] if not said or _mentioned(value, history) else []
        case Choice(beside=int()):
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
            given = source.value(history)
            return [given] if given else []
        case Kept():
            kept = source.text(history.task)
            return [kept] if kept else []
        case Recalled(choice):
            fact = _recalled(choice, history)
            return [line_text(fact, choice.field)] if fact else []
        case Arranged(arrangement, all_of_it):
            text = (whole if all_of_it else next_enquiry)(arrangement, history)
            return [text] if text else []
        case Composed(composition):
            text = next_text(composition, history)
            return [text] if text else []
        case _:
            stands_for = value_of(source, history)
            return [stands_for] if stands_for else []


def _recalled(choice: Choice, history: History) -> Fact | None:
    """Return the candidate that is meant though it is not listed; None where none is."""
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
    """Return the texts that are composed now, each once."""
    made = (text for texts in _made(source, history) for text in texts)
    return list(dict.fromkeys(made))


def _made(source: Written, history: History) -> Iterator[list[str]]:
    """Yield the texts that are made of the same values; parts of one source are made of one."""
    given = {base: candidates(base, history)[:_MOST_VALUES] for base in source.bases}
    known = {base: values for base, values in given.items() if values}
    for way in itertools.islice(itertools.product(*known.values()), _MOST_VALUES):
        yield source.made_of(dict(zip(known, way, strict=True)))


def texts_instead(source: Source, text: str, history: History) -> list[str]:
    """Return what else might have been written of the same values as a text."""
    made = _made(source, history) if isinstance(source, Written) else ()
    return [other for texts in made if text in texts for other in texts if other != text]


def lines_told(operator: str, history: History) -> list[str]:
    """Return the lines of the newest result of an operator; empty: of what was told at first."""
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
    """Return what one of a source's computations gives, as it is written, or None."""
    if isinstance(each, Total):
        number = each.number(history)
        return None if number is None else written_number(number, source.decimals)
    quantity = quantity_in(each, history)
    if quantity is None:
        return None
    if source.duration:
        return quantity.duration(source.duration) if quantity.type == "number" else None
    return quantity.text(source.decimals)


def case_of(choice: Choice, history: History) -> Case | None:
    """Return the case that is meant now."""
    return next((each for each in choice.cases if all_hold(each.when, history)), None)


def chosen(choice: Choice, history: History) -> list[Fact]:
    """Return the facts that are chosen now."""
    case = case_of(choice, history)
    return meant_facts(case, choice, history) if case else []


def chosen_values(rule: Rule, choice: Choice, history: History) -> list[str]:
    """Return the values that a rule chooses, each once."""
    return _values(chosen_facts(rule, rows(choice, history), history), choice.field)


def _values(facts: Iterable[Fact], name: str) -> list[str]:
    values = (fact.fields.get(name) for fact in facts)
    return list(dict.fromkeys(value for value in values if value))


def stands_beside(choice: Choice, sources: Sequence[Source]) -> bool:
    """Whether a step chooses another argument among the facts that a value beside it is of."""
    if choice.beside is None or not 0 <= choice.beside < len(sources):
        return False
    other = sources[choice.beside]
    base = other.base if isinstance(other, Written) else other
    if not isinstance(base, Choice) or base.beside is not None:
        return False
    return (base.kind, base.at) == (choice.kind, choice.at)


def values_beside(choice: Choice, other: Source, value: str, history: History) -> list[str]:
    """Return the values of the facts that gave a value to another argument.

    Args:
        choice: Takes a value of the fact of another argument.
        other: Source of that argument.
        value: What it gave.
        history: What is known.
    """
    base = other.base if isinstance(other, Written) else other
    if not isinstance(base, Choice) or (base.kind, base.at) != (choice.kind, choice.at):
        return []
    same = []
    for fact in rows(base, history):
        text = fact.fields.get(base.field, "")
        written = other.made_of({base: text}) if isinstance(other, Written) else [text]
        if value in written:
            same.append(with_figure(fact, choice.field))
    return _values(same, choice.field)


def meant_facts(case: Case, choice: Choice, history: History) -> list[Fact]:
    """Return the facts that a case chooses among those that are as all that were shown, if any."""
    every = rows(choice, history)
    alike = [fact for fact in every if all_hold(case.always, history, fact)]
    return chosen_facts(case.rule, alike, history) or chosen_facts(case.rule, every, history)


def chosen_facts(rule: Rule, facts: Sequence[Fact], history: History) -> list[Fact]:
    """Return the facts that a rule chooses among others."""
    left = [fact for fact in facts if all_hold(rule.where, history, fact)]
    if not rule.order:
        return left
    sizes = [[size_of(order, fact, history) for fact in left] for order in rule.order]
    return [left[i] for i in foremost(rule.order, sizes)]


def foremost(orders: Sequence[Order], sizes: Sequence[Sequence[float | None]]) -> list[int]:
    """Return the candidates that come first, or at the rank that the first order says, or behind.

    Where no candidate has a size that order says nothing; else what has none comes in no place.

    Args:
        orders: One or more, the first counts most.
        sizes: For each order those of all candidates.
    """
    telling = [
        (column, -1.0 if order.greatest else 1.0)
        for order, column in zip(orders, sizes, strict=True)
        if any(size is not None for size in column)
    ]
    number = len(sizes[0]) if sizes else 0
    if not telling:
        return list(range(number))
    places: dict[tuple[float, ...], list[int]] = {}
    for i in range(number):
        place = tuple(size * sign for column, sign in telling if (size := column[i]) is not None)
        if len(place) == len(telling):
            places.setdefault(place, []).append(i)
    rank = orders[0].rank
    if orders[0].behind:
        return sorted(i for place in sorted(places)[rank:] for i in places[place])
    return places[sorted(places)[rank - 1]] if len(places) >= rank else []


def rows(choice: Choice, history: History) -> list[Fact]:
    """Return the facts among which is chosen."""
    at = choice.at
    facts = history.all(choice.kind) if at == "ever" else history.told(choice.kind, at)
    return [with_figure(fact, choice.field) for fact in facts]


def with_figure(fact: Fact, name: str) -> Fact:
    """Return a fact with a figure of two of its fields, if the name of a field says one."""
    figure = FIGURE.fullmatch(name)
    if figure is None or name in fact.fields:
        return fact
    left, sign, right = (fact.fields.get(figure[1]), figure[2], fact.fields.get(figure[3]))
    figure_of_both = combine(quantity_of(left), sign, quantity_of(right))
    if figure_of_both is None or figure_of_both.type != "number":
        return fact
    decimals = max(decimals_of(left or "") or 0, decimals_of(right or "") or 0)
    text = figure_of_both.text(decimals) or figure_of_both.text()
    return replace(fact, fields={**fact.fields, name: text}) if text else fact


def size_of(order: Order, fact: Fact, history: History) -> float | None:
    """Return by what a fact is ordered; None for what has no place in the order."""
    value = value_of(order.by, history, fact) or ""
    if order.said:
        at = history.task.find(value) if value and history.said(value) else -1
        return float(at) if at >= 0 else None
    size = magnitude(value)
    return size[1] if size else None


def _mentioned(value: str, history: History) -> bool:
    if history.said(value):
        return True
    return any(
        value == each for result in history.results for f in result for each in f.fields.values()
    )
