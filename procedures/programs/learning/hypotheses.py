"""Conditions by which demonstrations may have chosen their candidates."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

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
    Own,
    Row,
    Said,
    TaskSlot,
    Term,
    ToldField,
    Total,
    Unused,
    value_of,
)
from ..terms import bound_term
from .joins import learn_candidate_lookups, repeats_row
from .occurrences import Few, Setting, Use

_Candidate = tuple[Use, Fact]
_LEAST_VALUES = 3
"""Least chosen values from which on it is no chance that all begin with one word, or that
all classes but one are chosen."""
_TIMES = ("date", "time", "moment")
"""Types of which a difference is an age, or the time that is left."""
_MOST_TIMES = 4
"""Most known days and times that a candidate's are compared with, the first ones."""
_LONGEST_SIZE = 24
"""Characters of a size that people write; a quotient without end has more."""
_MOST_NUMBERS = 6
"""Most told numbers that are combined in pairs, as a quantity and the weight of a piece."""
_PART = re.compile(r"[^\W_]+")
_REVERSED = {f"{place} of": place for place in PARTS}
"""Relation of a candidate's value to another → the relation the other way round."""


def hypotheses(
    setting: Setting, candidates: Sequence[_Candidate], right: Sequence[_Candidate]
) -> Iterator[Condition]:
    """Yield conditions over candidates that may explain the choices.

    Args:
        setting: Of the step.
        candidates: The candidates of all choices.
        right: The candidates with the chosen value.
    """
    operator, few = setting.operator, setting.few
    uses = list({id(use): use for use, _ in candidates}.values())
    kind = candidates[0][1].kind
    names = sorted({name for _, row in candidates for name in row.fields})
    others = [row for row in setting.lookups if row.kind != kind or _names_another(row, right)]
    if whole := tuple(Field(name) for name, _ in uses[0].whole):
        for name in names:
            yield Unused(Field(name), operator, beside=whole)
    for name in names:
        yield Unused(Field(name), operator)
        repeated = Known(Row(kind, name, Field(name), name, before=True))
        if sum(repeated.holds(use.history, row) for use, row in right) * 2 > len(right):
            yield repeated  # two results of this kind tell it
            yield from _classes_before(kind, name, candidates, right, few)
    tables = learn_candidate_lookups(kind, ((use.history, use.rows) for use in uses))
    terms: list[Field | Row] = [*map(Field, names), *tables]
    numbers: dict[Term, int] = {}  # numbers count faster than terms
    values_by_candidate = [
        [(numbers.setdefault(t, len(numbers)), v) for t, v in _known_values(use, row, others)]
        for use, row in right
    ]
    yield from _presences(tables)
    for term in terms:
        yield Said(term)
        place = (kind, term.name) if isinstance(term, Field) else (term.kind, term.field)
        if place[1] in few.get(place[0], ()):
            yield from _classes(term, candidates, right)
        elif isinstance(term, Field):
            yield from _class_of_all(term, candidates, right)
            yield from _words_of_class(term, candidates, right)
        yield from _equalities(term, right, values_by_candidate, list(numbers))
    yield from limits(terms, candidates, others)
    yield from _comparisons_with_tables([*map(Field, names)], tables, candidates)


def _classes_before(
    kind: str,
    name: str,
    candidates: Sequence[_Candidate],
    right: Sequence[_Candidate],
    few: Few,
) -> Iterator[Condition]:
    """Yield conditions over the classes of a candidate's record in the result before."""
    for field in sorted(few.get(kind, frozenset()) - {name}):
        yield from _classes(Row(kind, name, Field(name), field, before=True), candidates, right)


def _presences(tables: Sequence[Row]) -> Iterator[Known]:
    """Yield whether a candidate has a row in another table, and whether it has none."""
    for table in {(each.kind, each.key, each.by): each for each in tables}.values():
        yield from (Known(table), Known(table, negated=True))


def _names_another(lookup: Row, right: Sequence[_Candidate]) -> bool:
    """Whether the task names a row of the candidates' own table, and never a chosen one."""
    return isinstance(lookup.by, TaskSlot) and all(
        value_of(bound_term(lookup.by, use.others), use.history) != row.fields.get(lookup.key)
        for use, row in right
    )


def _ordered(left: Term, right: Term) -> Iterator[Comparison]:
    """Yield the comparisons of two sizes."""
    for relation in ("<=", ">=", "<", ">"):
        yield Comparison(left, relation, right)


def limits(
    terms: Sequence[Term], candidates: Sequence[_Candidate], lookups: Sequence[Row]
) -> Iterator[Comparison]:
    """Yield comparisons of a candidate's sizes with those of the task, a fact or a table."""
    types = {term: _types(term, candidates) for term in terms}
    for bound, bound_type in _sizes_beside(candidates, lookups):
        for term in terms:
            looked_up = isinstance(bound, Row) and isinstance(term, Row)
            if bound_type in types[term] and not looked_up:  # one term has to be of the candidate
                yield from _ordered(term, bound)


def ages(fields: Sequence[Field], candidates: Sequence[_Candidate]) -> list[Arithmetic]:
    """Return the times between a candidate's day or time and a known one, mostly above zero."""
    known = [each for each in _sizes_beside(candidates) if each[1] in _TIMES]
    spans: list[Arithmetic] = []
    for field in fields:
        types = _types(field, candidates)
        alike = [term for term, type_ in known if {type_} == types]
        for term in alike[:_MOST_TIMES]:
            numbers = _numbers(Arithmetic(term, "-", field), candidates)
            negative = sum(number < 0 for number in numbers) * 2 > len(numbers)
            spans.append(Arithmetic(field, "-", term) if negative else Arithmetic(term, "-", field))
    return spans


def limits_of_ages(
    spans: Sequence[Arithmetic],
    candidates: Sequence[_Candidate],
    right: Sequence[_Candidate],
    lookups: Sequence[Row],
) -> Iterator[Comparison]:
    """Yield comparisons of :func:`ages` with known numbers, tables and the nearest never chosen."""
    kind = candidates[0][1].kind
    tables = learn_candidate_lookups(kind, ((use.history, use.rows) for use, _ in candidates))
    yield from limits(spans, candidates, lookups)
    yield from _comparisons_with_tables(spans, tables, candidates)
    yield from fixed_limits(spans, candidates, right)


def _numbers(term: Term, candidates: Iterable[_Candidate]) -> list[float]:
    """Return the numbers that a term has over all candidates."""
    sizes = map(magnitude, _values(term, candidates))
    return [size[1] for size in sizes if size is not None and size[0] == "number"]


def fixed_limits(
    terms: Sequence[Term], candidates: Sequence[_Candidate], right: Sequence[_Candidate]
) -> Iterator[Comparison]:
    """Yield comparisons with the nearest size that was never chosen, above or below all chosen."""
    for term in terms:
        chosen_sizes = _sizes(term, right)
        sizes = _sizes(term, candidates)
        if len({type_ for type_, _ in [*chosen_sizes, *sizes]}) != 1 or not chosen_sizes:
            continue
        below = [size for size in sizes if size < min(chosen_sizes)]
        above = [size for size in sizes if size > max(chosen_sizes)]
        if below:
            yield Comparison(term, ">", Literal(sizes[max(below)]))
        if above:
            yield Comparison(term, "<", Literal(sizes[min(above)]))


def _sizes(term: Term, candidates: Iterable[_Candidate]) -> dict[tuple[str, float], str]:
    """Return type and size → how it is written, of a term of candidates."""
    texts = {text for text in _values(term, candidates) if len(text) <= _LONGEST_SIZE}
    return {size: text for text in sorted(texts) if (size := magnitude(text)) is not None}


def computed_limits(
    terms: Sequence[Term], candidates: Sequence[_Candidate]
) -> Iterator[Comparison]:
    """Yield comparisons of a candidate's numbers with a figure of two numbers of another fact."""
    numbers = [term for term, type_ in _sizes_beside(candidates) if type_ == "number"]
    told_numbers = [each for each in numbers if isinstance(each, ToldField)][:_MOST_NUMBERS]
    sized = [term for term in terms if "number" in _types(term, candidates)]
    for (i, first_term), (j, second_term) in itertools.permutations(enumerate(told_numbers), 2):
        signs = SIGNS if i < j else "-"  # only the difference depends on the order
        for sign in signs if first_term.kind == second_term.kind else ():
            for term in sized:
                yield from _ordered(term, Arithmetic(first_term, sign, second_term))


def between(fields: Sequence[Field], candidates: Sequence[_Candidate]) -> Iterator[Comparison]:
    """Yield comparisons of two sizes of a candidate with each other."""
    types = {field: _types(field, candidates) for field in fields}
    for first_field, second_field in itertools.combinations(fields, 2):
        if types[first_field] & types[second_field]:
            yield from _ordered(first_field, second_field)


def _comparisons_with_tables(
    fields: Sequence[Term], tables: Sequence[Row], candidates: Sequence[_Candidate]
) -> Iterator[Comparison]:
    """Yield comparisons of a candidate's fields with those of its row in another table."""
    types = {field: _types(field, candidates) for field in fields}
    for table in tables:
        table_types = _types(table, candidates)
        for field in fields:
            if field != table.by:
                yield Comparison(field, "≠", table)
            if field != table.by and table_types & types[field]:
                yield from _ordered(field, table)


def _types(term: Term, candidates: Iterable[_Candidate]) -> set[str]:
    """Return the types of the sizes of a term over all candidates."""
    return {size[0] for value in _values(term, candidates) if (size := magnitude(value))}


def _values(term: Term, candidates: Iterable[_Candidate]) -> Iterator[str]:
    """Yield the values of a term over candidates that have one."""
    values = (value_of(term, use.history, row) for use, row in candidates)
    return (value for value in values if value)


def _classes(
    term: Term, candidates: Sequence[_Candidate], right: Sequence[_Candidate]
) -> Iterator[Condition]:
    """Yield conditions over a class: one chosen value, all of them, and any but an unchosen one."""
    chosen_values = set(_values(term, right))
    for value in sorted(chosen_values):
        yield OneOf(term, (value,))
    other_values = {value_of(term, use.history, row) for use, row in candidates} - chosen_values
    other_values.discard(None)
    names_candidates = all(value_of(term, use.history, row) == use.value for use, row in right)
    # Two values are probably two ways to choose.
    if len(chosen_values) >= _LEAST_VALUES and other_values and not names_candidates:
        yield OneOf(term, tuple(sorted(chosen_values)))
        for value in sorted(each for each in other_values if each and magnitude(each) is None):
            yield Comparison(term, "≠", Literal(value))


def _class_of_all(
    field: Field, candidates: Sequence[_Candidate], right: Sequence[_Candidate]
) -> Iterator[OneOf]:
    """Yield the word that all chosen rows have in a column of names, and not all others."""
    values = {row.fields.get(field.name, "") for _, row in right}
    others = {row.fields.get(field.name, "") for _, row in candidates} - values
    value = min(values, default="")
    if value and len(values) == 1 and others and len(right) >= _LEAST_VALUES:
        yield from () if magnitude(value) else (OneOf(field, (value,)),)


def _words_of_class(
    field: Field, candidates: Sequence[_Candidate], right: Sequence[_Candidate]
) -> Iterator[Condition]:
    """Yield comparisons with a part that begins, or ends, all chosen values, and not all others."""
    chosen_values = [row.fields.get(field.name, "") for _, row in right]
    others = {row.fields.get(field.name, "") for _, row in candidates}.difference(chosen_values)
    if len(set(chosen_values)) < _LEAST_VALUES or not others:
        return
    for place, end in (("begins", 0), ("ends", -1)):
        words = {_part_at(end, value) for value in chosen_values}
        word = words.pop()
        if words or not word.isalpha():
            continue
        if not all(has_part(value, place, word) for value in others):
            yield Comparison(field, place, Literal(word))


def _part_at(end: int, value: str) -> str:
    """Return the first part of a value (0), or the last (-1), as :func:`has_part` parts it."""
    token = (tokens(value) or ("",))[end]
    return (_PART.findall(token) or (token,))[end]


def _equalities(
    field: Field | Row,
    right: Sequence[_Candidate],
    values_by_candidate: Sequence[Sequence[tuple[int, str]]],
    terms: Sequence[Term],
) -> Iterator[Condition]:
    """Yield relations that hold of the right candidates: to a slot, a told value or an argument."""
    hits: Counter[tuple[str, int]] = Counter()
    for (use, row), others in zip(right, values_by_candidate, strict=True):
        value = value_of(field, use.history, row)
        for number, other in others if value else ():
            for relation in _relations(value or "", other):
                hits[relation, number] += 1
    relations = ((relation, terms[number], count) for (relation, number), count in hits.items())
    for relation, term, count in sorted(relations, key=str):
        if isinstance(field, Row) and isinstance(term, Row):
            continue  # one term has to be of the candidate
        in_task = isinstance(term, TaskSlot)
        if (relation == "=" and in_task and count * 10 >= 9 * len(right)) or (
            count * 2 > len(right) and not (relation == "=" and in_task)
        ):
            if relation in _REVERSED:
                yield Comparison(term, _REVERSED[relation], field)
            elif in_task or relation not in ("≈", "has"):
                yield Comparison(field, relation, term)


def _known_values(use: Use, row: Fact, rows: Sequence[Row]) -> Iterator[tuple[Term, str]]:
    """Yield the terms that are known besides a candidate, with their values."""
    history = use.history
    for term in rows:
        if value := value_of(bound_term(term, use.others), history):
            yield term, value
    yield from ((Own(place), value) for place, value in enumerate(use.others) if value)
    for slot, value_asked in history.asked.fields.items():
        yield TaskSlot(slot), value_asked
    for kind in history.kinds:
        fact = history.single(kind)
        if (
            fact is None
            or fact is row
            or (kind != row.kind and repeats_row(kind, row.kind, history))
        ):
            continue
        for name, known_value in fact.fields.items():
            yield ToldField(kind, name), known_value
    yield from _told_before(row.kind, history)
    for call in {c.operator: c for c in history.calls}.values():
        for index, known_value in enumerate(call.arguments):
            yield Argument(call.operator, index), known_value


def _told_before(kind: str, history: History) -> Iterator[tuple[ToldField, str]]:
    """Yield what the result before told of the candidates' kind, and candidates do not tell.

    Objects have one kind, whatever they tell.
    """
    fact, rows = history.single(kind, "before"), history.newest(kind)
    names = {name for row in rows for name in row.fields}
    for name, value in fact.fields.items() if fact is not None else ():
        if name not in names:
            yield ToldField(kind, name, "before"), value


def _relations(value: str, other: str) -> Sequence[str]:
    """Return the relations of a value to another one. Sizes have no parts."""
    if value == other:
        return ("=",)
    if other in value:
        whole_words = ("has",) if occurs(other, value) else ()
        if magnitude(other) is not None:
            return whole_words
        return (*whole_words, *(place for place in PARTS if has_part(value, place, other)))
    if value in other:
        if magnitude(value) is not None:
            return ()
        return tuple(f"{place} of" for place in PARTS if has_part(other, place, value))
    return ("≈",) if value.casefold() == other.casefold() else ()


def _sizes_beside(
    candidates: Sequence[_Candidate], rows: Sequence[Row] = ()
) -> list[tuple[Term, str]]:
    """Return the terms besides candidates that hold sizes, with their types."""
    histories = {id(use): use.history for use, _ in candidates}.values()
    return _known_sizes(histories, rows, candidates[0][1].kind)


def _known_sizes(
    histories: Iterable[History], rows: Sequence[Row], kind: str
) -> list[tuple[Term, str]]:
    """Return the slots, facts of other kinds and look-ups that hold sizes, with their types."""
    terms: dict[tuple[Term, str], None] = {}
    for history in histories:
        for slot in history.asked.fields:
            terms.update(_typed_terms(TaskSlot(slot), history))
        for other in history.kinds:
            fact = history.single(other) if other != kind else None
            if fact is not None and not repeats_row(other, kind, history):
                for name in fact.fields:
                    terms.update(_typed_terms(ToldField(other, name), history))
            elif other not in (kind, UNREAD) and (told_facts := history.newest(other)):
                for name in told_facts[0].fields:
                    terms.update(_typed_terms(Total(other, name), history))
        for earlier_term, _ in _told_before(kind, history):
            terms.update(_typed_terms(earlier_term, history))
        for row in rows:
            terms.update(_typed_terms(row, history))
    return sorted(terms, key=str)


def _typed_terms(term: Term, history: History) -> dict[tuple[Term, str], None]:
    size = magnitude(value_of(term, history) or "")
    return {(term, size[0]): None} if size else {}
