"""Candidates that are taken one after the other in the order of their list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ..chance import is_no_chance
from ..program_conditions import Field, Unused
from ..sources import Case, Order, Rule
from .occurrences import Use, take_several
from .turns import are_sorted


def learn_listed(uses: Sequence[Use], field: str, operator: str) -> Case | None:
    """Return the rule that takes the first of a list that was not taken yet; else None.

    A search goes along its list until something is found, so that it leaves candidates. In a
    sorted list the order may be that of a size.

    Args:
        uses: The choices.
        field: The field whose value was chosen.
        operator: Operator of the step.
    """
    values_by_episode: dict[int, set[str]] = defaultdict(set)
    for use in uses:
        values_by_episode[use.episode].add(use.value)
    several = sum(len(values) > 1 for values in values_by_episode.values())
    if not take_several(several, len(values_by_episode)):
        return None
    unused = Unused(Field(field), operator)
    shares: list[float] = []
    for use in uses:
        left = [row for row in use.rows if unused.holds(use.history, row)]
        if not left or not use.takes(left[0], field):
            return None
        shares.append(1 / len({row.fields.get(field) for row in left}))
    names = {name for use in uses for row in use.rows for name in row.fields}
    if not is_no_chance(shares) or any(are_sorted([u.rows for u in uses], n) for n in names):
        return None
    order = Order(Field(field), greatest=False, listed=True)
    return Case((), Rule((unused,), (order,)))
