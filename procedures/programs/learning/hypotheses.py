"""Conditions by which demonstrations may have chosen: what holds of the candidates that were."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...episodes.facts import UNREAD, Fact
from ...episodes.history import History
from ...episodes.tokens import PARTS, has_part, magnitude, occurs, tokens
from ..exact_numbers import SIGNS
from ..program_conditions import (
    Argument,
    Arithmetic,
    Comparison,
    Condition,
    Field,
    Known,
    Literal,
    OneOf,
    Row,
    Said,
    TaskSlot,
    Term,
    ToldField,
    Total,
    Unused,
    value_of,
)
from .joins import learn_candidate_lookups, repeats_row
from .occurrences import Use

__all__ = ["Few", "between", "computed_limits", "hypotheses", "limits"]

Few = Mapping[str, frozenset[str]]
"""Kind of facts → its fields that have few values."""
_Candidate = tuple[Use, Fact]
_LEAST_VALUES = 3
"""Values that were chosen, from which on it is no chance that all begin with one word, or that
all but one class are."""
_MOST_NUMBERS = 6
"""Numbers that are told of which two are put together: a quantity and the weight of a piece."""
_REVERSED = {f"{place} of": place for place in PARTS}
"""How the other value is related to a candidate's."""


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
    numbers: dict[Term, int] = {}  # to count by numbers is quicker
    known = [
        [
            (numbers.setdefault(t, len(numbers)), v)
            for t, v in _known_values(use.history, row, others)
        ]
        for use, row in right
    ]
    for term in terms:
        yield Said(term)
        place = (kind, term.name) if isinstance(term, Field) else (term.kind, term.field)
        if place[1] in few.get(place[0], ()):
            yield from _classes(term, candidates, right)
        elif isinstance(term, Field):
            yield from _words_of_class(term, candidates, right)
        yield from _equalities(term, right, known, list(numbers))
    yield from limits(terms, candidates, others)
    yield from _against_tables([*map(Field, names)], tables, candidates)


def limits(
    terms: Sequence[Term], candidates: Sequence[_Candidate], lookups: Sequence[Row]
) -> Iterator[Comparison]:
    """Yield comparisons of a candidate's sizes with those that the task, a fact or a table says."""
    kind = candidates[0][1].kind
    histories = list({id(use): use.history for use, _ in candidates}.values())
    types = {term: _types(term, candidates) for term in terms}
    for asked, type_ in _known_sizes(histories, lookups, kind):
        for term in terms:
            looked_up = isinstance(asked, Row) and isinstance(term, Row)
            if type_ in types[term] and not looked_up:  # of two tables neither is the candidate's
                for relation in ("<=", ">=", "<", ">"):
                    yield Comparison(term, relation, asked)


def computed_limits(
    terms: Sequence[Term], candidates: Sequence[_Candidate]
) -> Iterator[Comparison]:
    """Yield comparisons of a candidate's numbers with a figure of two that another fact tells."""
    kind = candidates[0][1].kind
    histories = list({id(use): use.history for use, _ in candidates}.values())
    numbers = [term for term, type_ in _known_sizes(histories, (), kind) if type_ == "number"]
    told = [each for each in numbers if isinstance(each, ToldField)][:_MOST_NUMBERS]
    sized = [term for term in terms if "number" in _types(term, candidates)]
    for (i, one), (j, other) in itertools.permutations(enumerate(told), 2):
        signs = SIGNS if i < j else "-"  # of the others the order does not count
        for sign in signs if one.kind == other.kind else ():
            for term in sized:
                for relation in ("<=", ">=", "<", ">"):
                    yield Comparison(term, relation, Arithmetic(one, sign, other))


def between(fields: Sequence[Field], candidates: Sequence[_Candidate]) -> Iterator[Comparison]:
    """Yield comparisons of two sizes of a candidate with each other."""
    types = {field: _types(field, candidates) for field in fields}
    for left, right in itertools.combinations(fields, 2):
        if types[left] & types[right]:
            for relation in ("<=", ">=", "<", ">"):
                yield Comparison(left, relation, right)


def _against_tables(
    fields: Sequence[Field], tables: Sequence[Row], candidates: Sequence[_Candidate]
) -> Iterator[Comparison]:
    """Yield comparisons of a candidate's sizes with those that another table tells of it."""
    types = {field: _types(field, candidates) for field in fields}
    for table in tables:
        there = _types(table, candidates)
        for field in fields:
            if field != table.by and there & types[field]:
                for relation in ("<=", ">=", "<", ">"):
                    yield Comparison(field, relation, table)


def _types(term: Term, candidates: Iterable[_Candidate]) -> set[str]:
    """Return the types of sizes that a term stands for, of any candidate."""
    column = (value_of(term, use.history, row) for use, row in candidates)
    return {size[0] for value in column if value and (size := magnitude(value))}


def _classes(
    term: Term, candidates: Sequence[_Candidate], right: Sequence[_Candidate]
) -> Iterator[Condition]:
    """Values of a class: one that was chosen, all of these, and any but one that never was."""
    chosen = {value for use, row in right if (value := value_of(term, use.history, row))}
    for value in sorted(chosen):
        yield OneOf(term, (value,))
    rest = {value_of(term, use.history, row) for use, row in candidates} - chosen - {None}
    own = all(value_of(term, use.history, row) == use.value for use, row in right)
    if len(chosen) >= _LEAST_VALUES and rest and not own:  # two are rather two ways to do it
        yield OneOf(term, tuple(sorted(chosen)))
        for value in sorted(each for each in rest if each and magnitude(each) is None):
            yield Comparison(term, "≠", Literal(value))


def _words_of_class(
    field: Field, candidates: Sequence[_Candidate], right: Sequence[_Candidate]
) -> Iterator[Condition]:
    """A word with which all values that were chosen begin or end, and others do not."""
    chosen = [row.fields.get(field.name, "") for _, row in right]
    others = {row.fields.get(field.name, "") for _, row in candidates}.difference(chosen)
    if len(set(chosen)) < _LEAST_VALUES or not others:
        return
    for place, at in (("begins", 0), ("ends", -1)):
        words = {(tokens(value) or ("",))[at] for value in chosen}
        word = words.pop()
        if words or not word.isalpha():
            continue
        if not all(has_part(value, place, word) for value in others):
            yield Comparison(field, place, Literal(word))


def _equalities(
    field: Field | Row,
    right: Sequence[_Candidate],
    known: Sequence[Sequence[tuple[int, str]]],
    terms: Sequence[Term],
) -> Iterator[Condition]:
    """Relations, where they are right, to a slot of the task, something told or an argument."""
    hits: Counter[tuple[str, int]] = Counter()
    for (use, row), others in zip(right, known, strict=True):
        value = value_of(field, use.history, row)
        for number, other in others if value else ():
            for relation in _relations(value or "", other):
                hits[relation, number] += 1
    found = ((relation, terms[number], count) for (relation, number), count in hits.items())
    for relation, term, count in sorted(found, key=str):
        if isinstance(field, Row) and isinstance(term, Row):
            continue  # of two tables neither is the candidate's
        asked = isinstance(term, TaskSlot)
        if (relation == "=" and asked and count * 10 >= 9 * len(right)) or (
            count * 2 > len(right) and not (relation == "=" and asked)
        ):
            if relation in _REVERSED:
                yield Comparison(term, _REVERSED[relation], field)
            elif asked or relation not in ("≈", "has"):
                yield Comparison(field, relation, term)


def _known_values(history: History, row: Fact, rows: Sequence[Row]) -> Iterator[tuple[Term, str]]:
    """Yield what else is known where a candidate is chosen."""
    for term in rows:
        if value := value_of(term, history):
            yield term, value
    for slot, asked in history.asked.fields.items():
        yield TaskSlot(slot), asked
    for kind in history.kinds:
        fact = history.single(kind)
        if (
            fact is None
            or fact is row
            or (kind != row.kind and repeats_row(kind, row.kind, history))
        ):
            continue
        for name, each in fact.fields.items():
            yield ToldField(kind, name), each
    for call in {c.operator: c for c in history.calls}.values():
        for index, each in enumerate(call.arguments):
            yield Argument(call.operator, index), each


def _relations(value: str, other: str) -> Sequence[str]:
    """Return how a value is related to another one; sizes are compared as such, not by parts."""
    if value == other:
        return ("=",)
    if other in value:
        found = ("has",) if occurs(other, value) else ()
        if magnitude(other) is not None:
            return found
        return (*found, *(place for place in PARTS if has_part(value, place, other)))
    if value in other:
        if magnitude(value) is not None:
            return ()
        return tuple(f"{place} of" for place in PARTS if has_part(other, place, value))
    return ("≈",) if value.casefold() == other.casefold() else ()


def _known_sizes(
    histories: Iterable[History], rows: Sequence[Row], kind: str
) -> list[tuple[Term, str]]:
    """Return the task's slots, facts of other kinds and look-ups that hold sizes, with types."""
    terms: dict[tuple[Term, str], None] = {}
    for history in histories:
        for slot in history.asked.fields:
            terms.update(_typed_terms(TaskSlot(slot), history))
        for other in history.kinds:
            fact = history.single(other) if other != kind else None
            if fact is not None and not repeats_row(other, kind, history):
                for name in fact.fields:
                    terms.update(_typed_terms(ToldField(other, name), history))
            elif other not in (kind, UNREAD) and (told := history.newest(other)):
                for name in told[0].fields:
                    terms.update(_typed_terms(Total(other, name), history))
        for row in rows:
            terms.update(_typed_terms(row, history))
    return sorted(terms, key=str)


def _typed_terms(term: Term, history: History) -> dict[tuple[Term, str], None]:
    size = magnitude(value_of(term, history) or "")
    return {(term, size[0]): None} if size else {}
