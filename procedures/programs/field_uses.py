"""What a program does with fields: it decides by them, holds them against limits, repeats them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..episodes.history import TASK
from .decision_tables import Tabled
from .program_conditions import Comparison, Field, Row, TaskSlot, Term, ToldField, Total
from .sources import Choice, Computed, Offered, Source, choices_in
from .terms import parts_of, terms_of

if TYPE_CHECKING:
    from .program import Program, ProgramStep

_Place = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Uses:
    """What a program does with slots of the task and fields of results.

    Attributes:
        passed: Those that it passes on as arguments.
        decisive: Those that it decides by.
        limited: Sizes that guards hold against limits which rows tell, and these limits.
    """

    passed: frozenset[_Place] = frozenset()
    decisive: frozenset[_Place] = frozenset()
    limited: frozenset[_Place] = frozenset()

    @classmethod
    def of(cls, program: Program) -> Uses:
        """Return what a program does with them."""
        return cls(program.passed, program.decisive, _limited(program))


def repeated(program: Program, step: ProgramStep) -> frozenset[_Place]:
    """Return the slots and fields that a step says and that decide nothing."""
    places = {
        (TASK, source.slot) if isinstance(source, TaskSlot) else (source.kind, source.field)
        for source in step.sources
        if isinstance(source, TaskSlot | Choice)
    }
    return frozenset(places) - program.decisive if step.says else frozenset()


def decisive(program: Program) -> frozenset[_Place]:
    """Return the slots and fields that a program decides by."""
    terms: list[tuple[str, Term]] = [("", term) for term in program.few]
    terms += (("", term) for pair in program.together for term in terms_of(pair))
    choices = [source for step in program.steps for source in _choices_of(step.sources)]
    for step in program.steps:
        for condition in step.conditions:
            if isinstance(condition, Offered):
                choices.append(condition.choice)
                terms_of_row = (term for each in condition.where for term in terms_of(each))
                terms += ((condition.choice.kind, term) for term in terms_of_row)
            else:
                terms += (("", term) for term in terms_of(condition))
    places: set[_Place] = set()
    for step in program.steps:
        for source in step.sources:
            if isinstance(source, Computed):
                terms += (("", t) for each in source.computations for t in parts_of(each))
            elif isinstance(source, Tabled):
                terms += (("", term) for table in source.tables for term in table.by)
    for choice in choices:
        conditions = (each for case in choice.cases for each in case.conditions)
        terms += ((choice.kind, term) for each in conditions for term in terms_of(each))
        orders = (each for case in choice.cases for rule in case.rules for each in rule.order)
        terms += ((choice.kind, term) for order in orders for term in parts_of(order.by))
    return frozenset(places.union(*(places_in(term, kind) for kind, term in terms)))


def _limited(program: Program) -> frozenset[_Place]:
    """Return the sizes that guards compare with rows; what fits as well may do so by chance."""
    comparisons = (
        each
        for step in program.steps
        for guard in step.guards
        for each in guard.when
        if isinstance(each, Comparison) and {"<", ">"}.intersection(each.relation)
    )
    sides = (frozenset((each.left, each.right)) for each in comparisons)
    terms = (term for pair in sides if any(isinstance(t, Row) for t in pair) for term in pair)
    return frozenset[_Place]().union(*map(places_in, terms))


def _choices_of(sources: tuple[Source, ...]) -> Iterator[Choice]:
    return itertools.chain.from_iterable(map(choices_in, sources))


def places_in(term: Term, kind: str = "") -> set[_Place]:
    """Return the slots and fields whose values a term has.

    Args:
        term: The term; parts of it have places of their own.
        kind: Of the row whose fields it may name.
    """
    match term:
        case ToldField(told, name):
            return {(told, name)}
        case TaskSlot(slot):
            return {(TASK, slot)}
        case Field(name):
            return {(kind, name)}
        case Row(told, key, _, name):
            return {(told, key), (told, name)}
        case Total(told, name, where, _):
            fields = {f.name for each in where for f in terms_of(each) if isinstance(f, Field)}
            return {(told, field) for field in (*fields, *((name,) if name else ()))}
        case _:
            return set()
