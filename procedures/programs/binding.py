"""Sources that depend on other arguments of their call, which are bound first."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..episodes.history import History
from .decision_tables import Tabled
from .program_conditions import Arithmetic, Own, Rounded, Term, Total
from .sources import Choice, Computed, Source, candidates, values_beside
from .terms import bound_term, parts_of


def looks_at(source: Source) -> frozenset[int]:
    """Return the places of the other arguments that a source depends on, from 0."""
    if isinstance(source, Choice):
        return source.looks_at
    return frozenset(
        part.index for term in _terms(source) for part in parts_of(term) if isinstance(part, Own)
    )


def bound(source: Source, arguments: Sequence[str]) -> Source:
    """Return a source with the other arguments of its call as values in it."""
    if not looks_at(source):
        return source
    match source:
        case Choice(beside=None):
            return source.with_arguments(arguments)
        case Computed():
            bound_terms = (bound_term(each, arguments) for each in source.computations)
            computations = (
                each for each in bound_terms if isinstance(each, Total | Arithmetic | Rounded)
            )
            return replace(source, computations=tuple(computations))
        case Tabled():
            tables = (
                replace(table, by=tuple(bound_term(term, arguments) for term in table.by))
                for table in source.tables
            )
            return Tabled(tuple(tables))
        case _:
            return source


def values_with(
    index: int, sources: Sequence[Source], arguments: Sequence[str], history: History
) -> list[str]:
    """Return the values that one source of a step gives beside its other arguments.

    Args:
        index: Place of the source.
        sources: Sources of all arguments of the step.
        arguments: All arguments; shape (sources,).
        history: The history.
    """
    source = sources[index]
    if isinstance(source, Choice) and source.beside is not None:
        other = source.beside
        return values_beside(source, sources[other], arguments[other], history)
    return candidates(bound(source, arguments), history)


def combinations(
    sources: Sequence[Source], history: History, most: int
) -> Iterator[tuple[str, ...]]:
    """Yield the combinations of arguments of a step; dependent ones follow from the others.

    Args:
        sources: Sources of all arguments.
        history: The history.
        most: Most values of a source that are tried.
    """
    later = {i for i, source in enumerate(sources) if looks_at(source)}
    for first_arguments in _first_arguments(sources, history, most):
        values_by_argument = [
            values_with(i, sources, first_arguments, history)[:most] if i in later else [value]
            for i, value in enumerate(first_arguments)
        ]
        yield from itertools.product(*values_by_argument)


def _first_arguments(
    sources: Sequence[Source], history: History, most: int
) -> Iterator[tuple[str, ...]]:
    """Yield the combinations of independent arguments; dependent ones are empty."""
    lists = ([""] if looks_at(each) else candidates(each, history)[:most] for each in sources)
    return itertools.product(*lists)


def unanswered(sources: Sequence[Source], history: History, most: int) -> Iterator[tuple[str, ...]]:
    """Yield arguments of a step for which a choice that looks at them has no row.

    Args:
        sources: Sources of all arguments.
        history: The history.
        most: Most values of a source that are tried.

    Yields:
        Shape (sources,); empty in the place of each argument that depends on others.
    """
    named = [
        i
        for i, each in enumerate(sources)
        if isinstance(each, Choice) and each.beside is None and each.looks_at
    ]
    for arguments in _first_arguments(sources, history, most) if named else ():
        if not all(values_with(i, sources, arguments, history) for i in named):
            yield arguments


def _terms(source: Source) -> Iterator[Term]:
    match source:
        case Computed(computations):
            yield from computations
        case Tabled(tables):
            for table in tables:
                yield from table.by
        case _:
            return
