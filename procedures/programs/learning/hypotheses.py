"""Conditions by which demonstrations may have chosen: what holds of the candidates that were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...episodes.facts import Fact
from ...episodes.history import History
from ...episodes.tokens import magnitude, occurs
from ..conditions import (
    Argument,
    Comparison,
    Condition,
    Field,
    Known,
    OneOf,
    Row,
    Said,
    TaskSlot,
    Term,
    ToldField,
    Unused,
    value_of,
)
from .joins import learn_candidate_lookups, repeats_row
from .occurrences import Use

__all__ = ["Few", "hypotheses", "limits"]

Few = Mapping[str, frozenset[str]]
"""Kind of facts → its fields that have few values."""
_Candidate = tuple[Use, Fact]


def hypotheses(
    operator: str,
    candidates: Sequence[_Candidate],
    right: Sequence[_Candidate],
    few: Few,
    lookups: Sequence[Row],
) -> Iterator[Condition]:
    """Yield conditions over candidates that may have counted.

    Args:
        operator: Of the step, for candidates that were used before.
        candidates: Of all choices.
        right: Those that have the value that was chosen.
        few: Fields that have few values.
        lookups: Fields of other tables with which those of a candidate may be compared.
    """
    uses = list({id(use): use for use, _ in candidates}.values())
    kind = candidates[0][1].kind
    names = sorted({name for _, row in candidates for name in row.fields})
    others = [row for row in lookups if row.kind != kind]
    for name in names:
        yield Unused(Field(name), operator)
        both = Known(Row(kind, name, Field(name), name, before=True))
        if sum(both.holds(use.history, row) for use, row in right) * 2 > len(right):
            yield both  # two results of this kind tell it
    tables = learn_candidate_lookups(kind, ((use.history, use.rows) for use in uses))
    terms: list[Field | Row] = [*map(Field, names), *tables]
    for term in terms:
        yield Said(term)
        place = (kind, term.name) if isinstance(term, Field) else (term.kind, term.field)
        if place[1] in few.get(place[0], ()):
            values = {value_of(term, use.history, row) for use, row in right}
            for value in sorted(each for each in values if each):
                yield OneOf(term, (value,))
        yield from _equalities(term, right, others)
    yield from limits(terms, candidates, others)


def limits(
    terms: Sequence[Term], candidates: Sequence[_Candidate], lookups: Sequence[Row]
) -> Iterator[Comparison]:
    """Yield comparisons of a candidate's sizes with those that the task says, or a table."""
    histories = list({id(use): use.history for use, _ in candidates}.values())
    types = {term: _types(term, candidates) for term in terms}
    for asked, type_ in _task_sizes(histories, lookups):
        for term in terms:
            if type_ in types[term]:
                for relation in ("<=", ">=", "<", ">"):
                    yield Comparison(term, relation, asked)


def _types(term: Term, candidates: Iterable[_Candidate]) -> set[str]:
    """Return the types of sizes that a term stands for, of any candidate."""
    column = (value_of(term, use.history, row) for use, row in candidates)
    return {size[0] for value in column if value and (size := magnitude(value))}


def _equalities(
    field: Field | Row, right: Sequence[_Candidate], rows: Sequence[Row]
) -> Iterator[Condition]:
    """Fields that equal a slot of the task, something told or an argument, where they are right."""
    hits: Counter[Term] = Counter()
    slots: Counter[str] = Counter()
    for use, row in right:
        history = use.history
        value = value_of(field, history, row)
        if not value:
            continue
        hits.update(term for term in rows if value_of(term, history) == value)
        slots.update(slot for slot, asked in history.asked.fields.items() if asked == value)
        for kind in history.kinds:
            fact = history.single(kind)
            again = kind != row.kind and repeats_row(kind, row.kind, history)
            if fact is not None and fact is not row and not again:
                for name, each in fact.fields.items():
                    if each == value:
                        hits[ToldField(kind, name)] += 1
        for call in {c.operator: c for c in history.calls}.values():
            for index, each in enumerate(call.arguments):
                if each == value:
                    hits[Argument(call.operator, index)] += 1
    for slot, count in sorted(slots.items()):
        if count * 10 >= 9 * len(right):
            yield Comparison(field, "=", TaskSlot(slot))
    for term, count in sorted(hits.items(), key=str):
        if count * 2 > len(right):
            yield Comparison(field, "=", term)
    yield from _nearly(field, right)


def _nearly(field: Field | Row, right: Sequence[_Candidate]) -> Iterator[Condition]:
    """Slots of the task that a field equals but for capitals, or has as one of its items."""
    alike: Counter[str] = Counter()
    has: Counter[str] = Counter()
    for use, row in right:
        value = value_of(field, use.history, row) or ""
        for slot, asked in use.history.asked.fields.items():
            alike[slot] += value != asked and value.casefold() == asked.casefold()
            has[slot] += value != asked and occurs(asked, value)
    for slot, count in sorted(alike.items()):
        if count * 2 > len(right):
            yield Comparison(field, "≈", TaskSlot(slot))
    for slot, count in sorted(has.items()):
        if count * 2 > len(right):
            yield Comparison(field, "has", TaskSlot(slot))


def _task_sizes(histories: Iterable[History], rows: Sequence[Row]) -> list[tuple[Term, str]]:
    """Return the task's slots, and look-ups, that hold sizes, with their types."""
    terms: dict[tuple[Term, str], None] = {}
    for history in histories:
        for slot in history.asked.fields:
            terms.update(_typed_terms(TaskSlot(slot), history))
        for row in rows:
            terms.update(_typed_terms(row, history))
    return sorted(terms, key=str)


def _typed_terms(term: Term, history: History) -> dict[tuple[Term, str], None]:
    size = magnitude(value_of(term, history) or "")
    return {(term, size[0]): None} if size else {}
