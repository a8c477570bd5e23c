"""Learning to plan: operators, places, and the goals of wordings, over all kinds of tasks."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace

from ...episodes.facts import Reader
from ..planning.goals import Goal
from ..planning.operators import Operator
from ..planning.places import Places
from ..planning.planner import Planner
from ..program import Program, planning_program
from .goal_learning import learn_goals
from .lessons import Lesson
from .operator_learning import learn_operators, place_bits
from .place_learning import learn_names, learn_places, learn_ways

_SHOWING = 40
"""Demonstrations by which proposals of places are compared; more take time."""


def learn_planner(lessons: Sequence[Lesson], results: Reader) -> Program:
    """Learn a program that plans; return one without steps where there are no places.

    Args:
        lessons: Demonstrations of all kinds of tasks.
        results: Reader of their results.
    """
    places = _places(lessons)
    if places is None:
        return Program(())
    operators = learn_operators(lessons, places, results.templates)
    goals = learn_goals(lessons, places, operators)
    return planning_program(Planner(_planning_operators(operators, goals), tuple(goals)), places)


def _reduced(operator: Operator, goals: Sequence[Goal], operator_texts: Container[str]) -> Operator:
    """Return an operator with only the parts that a plan looks at.

    Args:
        operator: The operator.
        goals: Goals of the tasks.
        operator_texts: Texts of the operators that plans may contain.
    """
    free = {
        index
        for goal in goals
        for want in goal.wants
        for index, number in enumerate(want.variables)
        if want.operator == operator.text and not goal.variables[number].slot
    }
    # Then the thing is found at the place.
    is_at_place = any(each.here for each in operator.parameters)
    return replace(
        operator,
        parameters=tuple(
            replace(
                each,
                states=each.states if operator.reveals else frozenset(),
                mends={s: by for s, by in each.mends.items() if by in operator_texts},
                after=frozenset(deed for deed in each.after if deed.operator in operator_texts),
                kinds=each.kinds if index in free and not (each.at and is_at_place) else {},
            )
            for index, each in enumerate(operator.parameters)
        ),
    )


def _planning_operators(
    operators: Sequence[Operator], goals: Sequence[Goal]
) -> tuple[Operator, ...]:
    """Return the operators that plans may contain."""
    operator_by_text = {operator.text: operator for operator in operators}
    pending = [want.operator for goal in goals for want in goal.wants]
    pending += [operator.text for operator in operators if operator.reveals or operator.enables]
    needed_texts: set[str] = set()
    while pending:
        text = pending.pop()
        if text not in needed_texts and text in operator_by_text:
            needed_texts.add(text)
            for parameter in operator_by_text[text].parameters:
                pending += [need.operator for need in parameter.needs]
                pending += parameter.mends.values()
    return tuple(
        _reduced(each, goals, needed_texts) for each in operators if each.text in needed_texts
    )


def _places(lessons: Sequence[Lesson]) -> Places | None:
    """Return the proposal of places that explains most about where things are done."""
    names = learn_names(lessons)
    proposals = [replace(each, names=names) for each in learn_places(lessons)]
    ranked = sorted(
        ((place_bits(lessons[:_SHOWING], each), each) for each in proposals),
        key=lambda each: (-each[0], not each[1].named, each[1].moves, each[1].told_by),
    )
    with_ways = (learn_ways(lessons, places) for bits, places in ranked if bits)
    return next((places for places in with_ways if places is not None), None)
