"""Kinds of facts that a program looks at."""

from __future__ import annotations

from .decision_tables import Tabled
from .planning.operators import Operator
from .program import Program
from .sources import Arranged, Choice, Computed, Offered, Source, Written
from .terms import kinds_of, kinds_of_terms


def kinds_of_program(program: Program) -> frozenset[str]:
    """Return the kinds of facts that a program looks at."""
    kinds = set(kinds_of_terms(program.few)).union(*map(kinds_of, program.together))
    for step in program.steps:
        kinds.update(*map(kinds_of_source, step.sources), *map(kinds_of, step.box.provided))
        for condition in step.conditions:
            if isinstance(condition, Offered):
                kinds |= kinds_of_source(condition.choice)
                kinds = kinds.union(*map(kinds_of, condition.where))
            else:
                kinds |= kinds_of(condition)
    for operator in program.planner.operators if program.planner is not None else ():
        kinds |= _kinds_of_operator(operator)
    return frozenset(kinds)


def kinds_of_source(source: Source) -> frozenset[str]:
    """Return the kinds of facts that a source looks at."""
    match source:
        case Choice(kind, _, _, cases):
            conditions = (each for case in cases for each in (*case.conditions, *case.known))
            return frozenset((kind,)).union(*map(kinds_of, conditions))
        case Computed(computations):
            return kinds_of_terms(computations)
        case Written():
            return frozenset().union(*map(kinds_of_source, source.bases))
        case Tabled(tables):
            return frozenset().union(*(kinds_of_terms(table.by) for table in tables))
        case Arranged(arrangement, _):
            tells = {arrangement.enquiry.tells} if arrangement.enquiry else set()
            return frozenset({*arrangement.tables, *tells})
        case _:
            return frozenset()


def _kinds_of_operator(operator: Operator) -> frozenset[str]:
    """Return the kinds of facts that an operator of a planner looks at."""
    states = (state for each in operator.parameters for state in (*each.states, *each.mends))
    return operator.answers.union(state.kind for state in states)
