"""Parts of terms and conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from .program_conditions import (
    Arithmetic,
    Comparison,
    Condition,
    EverySaid,
    Field,
    Known,
    Literal,
    OneOf,
    Only,
    Own,
    Period,
    Rounded,
    Row,
    Said,
    Shown,
    Size,
    Term,
    Together,
    ToldField,
    Total,
    Unused,
)


def class_of(condition: object) -> Term | None:
    """Return the term whose class a condition names; None for other conditions."""
    match condition:
        case OneOf(term) | Comparison(term, "≠", Literal()):
            return term
        case _:
            return None


def terms_of(condition: object) -> Iterator[Term]:
    """Yield the terms of a condition and their parts."""
    match condition:
        case Comparison(left, _, right) | Together(left, right):
            terms: tuple[Term, ...] = (left, right)
        case Unused(term, beside=beside):
            terms = (term, *beside)
        case Said(term) | OneOf(term) | Known(term):
            terms = (term,)
        case _:
            terms = ()
    for each in terms:
        yield from parts_of(each)


def parts_of(term: Term) -> Iterator[Term]:
    """Yield a term and its parts: operands, and keys of look-ups."""
    yield term
    if isinstance(term, Row):
        yield from parts_of(term.by)
    elif isinstance(term, Total):
        for condition in term.where:
            for each in terms_of(condition):
                yield from (part for part in parts_of(each) if not isinstance(part, Field))
    elif isinstance(term, Arithmetic):
        yield from parts_of(term.left)
        yield from parts_of(term.right)
    elif isinstance(term, Rounded | Size | Period):
        yield from parts_of(term.term)


def kinds_of(condition: object) -> frozenset[str]:
    """Return the kinds of facts that a condition looks at."""
    match condition:
        case Shown(kind) | EverySaid(kind):
            return frozenset((kind,))
        case Only(kinds):
            return frozenset(kinds)
        case _:
            return kinds_of_terms(terms_of(condition))


def kinds_of_terms(terms: Iterable[Term]) -> frozenset[str]:
    """Return the kinds of facts that terms look at."""
    parts = (part for each in terms for part in parts_of(each))
    return frozenset(each.kind for each in parts if isinstance(each, ToldField | Row | Total))


def bound_term(term: Term, arguments: Sequence[str]) -> Term:
    """Return a term with the arguments of its call as values; itself where it looks at none."""
    match term:
        case Own(index):
            return Literal(arguments[index]) if index < len(arguments) else term
        case Row(by=by):
            bound_by = bound_term(by, arguments)
            return term if bound_by is by else replace(term, by=bound_by)
        case Total(where=where):
            bound_where = tuple(bound_condition(each, arguments) for each in where)
            return term if bound_where == where else replace(term, where=bound_where)
        case Arithmetic(left, sign, right):
            return Arithmetic(bound_term(left, arguments), sign, bound_term(right, arguments))
        case Rounded(inner) | Size(inner) | Period(inner):
            return replace(term, term=bound_term(inner, arguments))
        case _:
            return term


def bound_condition(condition: Condition, arguments: Sequence[str]) -> Condition:
    """Return a condition with the arguments of its call as values; itself where it has none."""
    match condition:
        case Comparison(left, _, right):
            ends = bound_term(left, arguments), bound_term(right, arguments)
            if ends[0] is left and ends[1] is right:
                return condition
            return Comparison(ends[0], condition.relation, ends[1])
        case Said(term) | OneOf(term) | Known(term) | Unused(term):
            bound_inner = bound_term(term, arguments)
            return condition if bound_inner is term else replace(condition, term=bound_inner)
        case _:
            return condition
