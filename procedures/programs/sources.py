"""Where the arguments of a step come from; each is bound as late as possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..arrangements import Arrangement
from ..arrangements.asking import next_enquiry, whole
from ..compositions import Composition
from ..compositions.asking import next_text
from ..episodes.facts import Fact
from ..episodes.history import History
from ..episodes.tokens import magnitude, plain_words
from ..worth.model import Worth
from ..worth.preference import is_open, preferred
from .computing import Computation
from .conditions import (
    Argument,
    Arithmetic,
    Condition,
    Field,
    OneOf,
    TaskSlot,
    Term,
    all_hold,
    class_of,
    value_of,
)
from .figures import FIGURE, combined, decimals_of, written_number
from .tables import Tabled
from .writing import Writing

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
    "Offered",
    "Order",
    "Rewriting",
    "Rule",
    "Source",
    "candidates",
    "case_of",
    "chosen_facts",
    "chosen_values",
    "meant_facts",
    "rows",
    "size_of",
    "stands_beside",
    "values_beside",
    "with_figure",
]


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
        rank: 2 for the second of the sizes, and so on.
    """

    by: Field | Arithmetic
    greatest: bool
    said: bool = False
    rank: int = 1


@dataclass(frozen=True, slots=True)
class Rule:
    """Which candidates are chosen: those for which all conditions hold, then the foremost."""

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


ANY: tuple[Case, ...] = (Case((), Rule(), settled=False),)
"""Any of the candidates."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A field of a fact that is chosen among the facts of a kind.

    Attributes:
        kind: Of the facts.
        field: The value that is taken, or a figure of two of its values, such as ``{3} * {4}``.
        newest: Whether only the newest result that has such facts counts, or all so far.
        cases: The rules; the first that is meant is taken.
        steady: Whether all facts of the kind so far told the same value each time.
        beside: The step's argument, from 0, whose fact is taken; None: a fact is chosen.
        worth: What candidates are worth that no rule tells apart; None where that is not known.
    """

    kind: str
    field: str
    newest: bool
    cases: tuple[Case, ...]
    steady: bool = False
    beside: int | None = None
    worth: Worth | None = None


Base = Constant | TaskSlot | Argument | Choice
"""A source of values as they are said, shown or fixed; any may be written anew, once."""


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What a source gives, written anew.

    Attributes:
        base: The source.
        writings: All ways that fit the demonstrations; where they differ each is a candidate.
    """

    base: Base
    writings: tuple[Writing, ...]


@dataclass(frozen=True, slots=True)
class Computed:
    """A number that is computed.

    Attributes:
        computations: All that fit the demonstrations; where they differ each is a candidate.
        decimals: How many are written; None: no more than needed.
    """

    computations: tuple[Computation, ...]
    decimals: int | None = None


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


Source = Base | Rewriting | Computed | Tabled | Arranged | Composed | Kept


@dataclass(frozen=True, slots=True)
class Offered:
    """A candidate that fits is among what was told: a condition.

    Attributes:
        choice: What a candidate has to fit.
        negated: Whether there must be none.
        several: Whether values that differ have to fit, so that the choice is a tie.
    """

    choice: Choice
    negated: bool = False
    several: bool = False

    def holds(self, history: History, candidate: Fact | None = None) -> bool:
        """Whether it holds now."""
        return (len(candidates(self.choice, history)) > self.several) != self.negated


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
        kept = choice.worth is not None and any(
            is_open(choice.worth, choice.kind, choice.field, name, history) for name in best
        )
        return kept != self.negated


def candidates(source: Source, history: History) -> list[str]:
    """Return the values that a source gives now, in the order in which they were shown."""
    memo = history.memo.get(source)
    if memo is None:
        memo = history.memo[source] = _candidates(source, history)
    return memo


def _candidates(source: Source, history: History) -> list[str]:
    match source:
        case Constant(value, said):
            return [value] if not said or _mentioned(value, history) else []
        case Choice(beside=int()):
            return _values(rows(source, history), source.field)
        case Choice():
            case = case_of(source, history)
            facts = meant_facts(case, source, history) if case else []
            if source.worth is not None:
                facts = preferred(source.worth, facts, source.field, history)
            return _values(facts, source.field)
        case Rewriting(base, writings):
            made = (w.write(value) for value in candidates(base, history) for w in writings)
            return list(dict.fromkeys(value for value in made if value))
        case Computed(computations, decimals):
            texts = (computed_text(each, decimals, history) for each in computations)
            return list(dict.fromkeys(text for text in texts if text))
        case Tabled():
            given = source.value(history)
            return [given] if given else []
        case Kept():
            kept = source.text(history.task)
            return [kept] if kept else []
        case Arranged(arrangement, all_of_it):
            text = (whole if all_of_it else next_enquiry)(arrangement, history)
            return [text] if text else []
        case Composed(composition):
            text = next_text(composition, history)
            return [text] if text else []
        case _:
            stands_for = value_of(source, history)
            return [stands_for] if stands_for else []


def computed_text(each: Computation, decimals: int | None, history: History) -> str | None:
    """Return what is computed, as it is written; None where it cannot be."""
    number = each.number(history)
    if number is not None:
        return written_number(number, decimals)
    return each.moment(history) if isinstance(each, Arithmetic) else None


def case_of(choice: Choice, history: History) -> Case | None:
    """Return the case that is meant now."""
    return next((each for each in choice.cases if all_hold(each.when, history)), None)


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
    base = other.base if isinstance(other, Rewriting) else other
    if not isinstance(base, Choice) or base.beside is not None:
        return False
    return (base.kind, base.newest) == (choice.kind, choice.newest)


def values_beside(choice: Choice, other: Source, value: str, history: History) -> list[str]:
    """Return the values of the facts that gave a value to another argument.

    Args:
        choice: Takes a value of the fact of another argument.
        other: Source of that argument.
        value: What it gave.
        history: What is known.
    """
    base = other.base if isinstance(other, Rewriting) else other
    if not isinstance(base, Choice) or (base.kind, base.newest) != (choice.kind, choice.newest):
        return []
    same = []
    for fact in rows(base, history):
        text = fact.fields.get(base.field, "")
        written = (
            [w.write(text) for w in other.writings] if isinstance(other, Rewriting) else [text]
        )
        if value in written:
            same.append(with_figure(fact, choice.field))
    return _values(same, choice.field)


def meant_facts(case: Case, choice: Choice, history: History) -> list[Fact]:
    """Return the facts that a case chooses; of several those that are as all that were shown."""
    left = chosen_facts(case.rule, rows(choice, history), history)
    alike = [fact for fact in left if all(each.holds(history, fact) for each in case.always)]
    return alike or left


def chosen_facts(rule: Rule, facts: Sequence[Fact], history: History) -> list[Fact]:
    """Return the facts that a rule chooses among others."""
    left = [fact for fact in facts if all_hold(rule.where, history, fact)]
    for order in rule.order:
        left = _foremost(left, order, history)
    return left


def rows(choice: Choice, history: History) -> list[Fact]:
    """Return the facts among which is chosen."""
    facts = history.newest(choice.kind) if choice.newest else history.all(choice.kind)
    return [with_figure(fact, choice.field) for fact in facts]


def with_figure(fact: Fact, name: str) -> Fact:
    """Return a fact with a figure of two of its fields, if the name of a field says one."""
    figure = FIGURE.fullmatch(name)
    if figure is None or name in fact.fields:
        return fact
    left, sign, right = (fact.fields.get(figure[1]), figure[2], fact.fields.get(figure[3]))
    number = combined(left, sign, right)
    if number is None:
        return fact
    decimals = max(decimals_of(left or "") or 0, decimals_of(right or "") or 0)
    text = written_number(number, decimals) or written_number(number)
    return replace(fact, fields={**fact.fields, name: text}) if text else fact


def size_of(order: Order, fact: Fact, history: History) -> float | None:
    """Return by what a fact is ordered; None for what has no place in the order."""
    value = value_of(order.by, history, fact) or ""
    if order.said:
        at = history.task.find(value) if value and history.said(value) else -1
        return float(at) if at >= 0 else None
    size = magnitude(value)
    return size[1] if size else None


def _foremost(facts: Sequence[Fact], order: Order, history: History) -> list[Fact]:
    sizes = [(size, f) for f in facts if (size := size_of(order, f, history)) is not None]
    if not sizes:
        return list(facts)
    ranked = sorted({size for size, _ in sizes}, reverse=order.greatest)
    if len(ranked) < order.rank:
        return []
    best = ranked[order.rank - 1]
    return [fact for size, fact in sizes if size == best]


def _mentioned(value: str, history: History) -> bool:
    if history.said(value):
        return True
    return any(
        value == each for result in history.results for f in result for each in f.fields.values()
    )
