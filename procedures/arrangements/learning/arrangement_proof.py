"""Proof of an arrangement: is what was shown among what it holds possible?"""

from __future__ import annotations

from collections.abc import Sequence

from ..arrangement import Arrangement, AtMostUses, Distinct, Together
from ..arrangement_search import arranged
from ..decision_problem import Problem, Unknown
from ..table_rows import number_of
from ..wishes import parts_of
from .arrangement_learner import learn_arrangement
from .requirements import choices_of
from .shapes import Traced, trace
from .shown import Shown
from .slot_forms import Writing, rows_chosen
from .wish_learning import Similarity


def held_out(
    demonstrations: Sequence[Shown], folds: int, similarity: Similarity | None
) -> list[str]:
    """Return for each demonstration why an arrangement learned without it would not do it.

    The reason is "" where it would.

    Args:
        demonstrations: The demonstrations.
        folds: In so many parts they are held out.
        similarity: Of two words.
    """
    reasons = [""] * len(demonstrations)
    for fold in range(folds):
        others = [each for i, each in enumerate(demonstrations) if i % folds != fold]
        arrangement = learn_arrangement(others, similarity)
        for i in range(fold, len(demonstrations), folds):
            none = "without it nothing was learned"
            reasons[i] = (
                divergence_of(arrangement, demonstrations[i]) if arrangement is not None else none
            )
    return reasons


def divergence_of(arrangement: Arrangement, demonstration: Shown) -> str:
    """Return why an arrangement would not do what was shown; "" where it holds that possible.

    It has to find an arrangement at all, and what was shown has to be one: rows that the task's
    wishes allow, within the limit, keeping all that is required.
    """
    try:
        problem, _ = arranged(arrangement, demonstration.task, demonstration.tables)
    except Unknown as unknown:
        return str(unknown)
    rows = tuple(form for form in arrangement.forms if form.among)
    free = tuple(dict.fromkeys(form.slot for form in arrangement.forms if not form.among))
    writing = Writing(rows, free, arrangement.nothing, arrangement.numbered)
    chosen_rows = tuple(rows_chosen(demonstration, rows, arrangement.nothing))
    traced = trace(demonstration, chosen_rows, writing)
    return (
        _place_problem(problem, traced)
        or _row_problem(problem, traced)
        or _broken_requirement(problem, traced)
    )


def _place_problem(problem: Problem, traced: Traced) -> str:
    if problem.size != len(traced.records):
        return f"{problem.size} records are not {len(traced.records)}"
    if len(traced.values) != len(problem.shape.variables):
        return f"{len(traced.values)} places are not {len(problem.shape.variables)}"
    for index, value in enumerate(traced.values):
        if value not in problem.domain(index):
            return f"{value!r} is no {problem.shape.variables[index].name}"
    return ""


def _row_problem(problem: Problem, traced: Traced) -> str:
    for chosen_row in traced.chosen:
        if not problem.demands[chosen_row.row.table].allows(chosen_row.row):
            return (
                f"the task does not allow the {chosen_row.slot} of record {chosen_row.record + 1}"
            )
        if not any(chosen_row.row.table in tables for tables in problem.together[chosen_row.slot]):
            return f"the task does not allow {chosen_row.row.table} for {chosen_row.slot}"
    for table, demand in problem.demands.items():
        for column, value in sorted(demand.covered):
            rows = [chosen_row.row for chosen_row in traced.chosen if chosen_row.row.table == table]
            if not any(value in parts_of(row.fields.get(column, "")) for row in rows):
                return f"no {column} is {value!r}"
    return ""


def _broken_requirement(problem: Problem, traced: Traced) -> str:
    arrangement, total = problem.arrangement, traced.shown.total
    if total is not None and total > problem.limit:
        return f"{total:g} is more than {problem.limit:g}"
    choices = choices_of(traced, arrangement.forms)
    for requirement in arrangement.require:
        match requirement:
            case Distinct(table):
                rows = [id(c.row) for group in choices.get(table, ()) for c in group.chosen]
                if len(set(rows)) < len(rows):
                    return f"a row of {table} is chosen twice"
            case AtMostUses(table, column):
                for group in choices.get(table, ()):
                    ids = [id(chosen_row.row) for chosen_row in group.chosen]
                    for c in group.chosen:
                        number = number_of(c.row.fields.get(column, ""))
                        if number is not None and number > ids.count(id(c.row)):
                            return f"{column} {number:g} is more than {ids.count(id(c.row))}"
            case Together(slot, tables):
                slot_tables = {c.row.table for c in traced.chosen if c.slot == slot}
                if not any(slot_tables <= set(group) for group in tables):
                    return f"{slot} is filled from {' and '.join(sorted(slot_tables))}"
    return ""
