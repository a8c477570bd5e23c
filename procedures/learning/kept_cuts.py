"""Read from a library's files how another cut the demonstrations of its plans.

Learning again, with more episodes or after play, reuses these cuts without asking again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from ..conditions.language import Condition
from ..model.procedure import MetaProcedure, Procedure
from .cuts import Mark
from .segments import SEGMENTED_BY, Wording

__all__ = ["SEGMENTED_BY", "goal_of", "kept_cuts"]

_SLOT = re.compile(r"\{(?:([a-h])|slot(\d+))\}")
_OBSERVED = re.compile(r'observed\((".*")\)')


def kept_cuts(
    procedures: Mapping[str, Procedure], metas: Mapping[str, MetaProcedure]
) -> dict[str, tuple[Mark, ...]]:
    """Map each goal (as episodes write it) to the ends of its segments, with their wordings."""
    marks_by_goal: dict[str, tuple[Mark, ...]] = {}
    for meta in metas.values():
        if SEGMENTED_BY not in meta.provenance:
            continue
        procedures_run = [procedures.get(place.run or "") for place in meta.plan]
        marks = tuple(_marks([each for each in procedures_run if each is not None]))
        if marks and len(marks) == len(procedures_run):
            marks_by_goal.setdefault(goal_of(meta.goal), marks)
    return marks_by_goal


def goal_of(goal: str) -> str:
    """Return the goal of a plan as episodes have it, with numbered slots."""
    return _SLOT.sub(_numbered_slot, goal)


def _numbered_slot(slot: re.Match[str]) -> str:
    return "{" + (slot[2] or str("abcdefgh".index(slot[1]))) + "}"


def _marks(procedures: Sequence[Procedure]) -> Iterator[Mark]:
    for procedure in procedures:
        frames = [_frame(step.do) for step in procedure.steps if step.do is not None]
        by = procedure.provenance.get(SEGMENTED_BY)
        if by is not None and frames:
            wording = Wording(
                procedure.goal,
                tuple(_patterns(procedure.preconditions)),
                tuple(_patterns(procedure.postconditions)),
                by,
            )
            yield Mark(frames[-1], frames.count(frames[-1]), wording)


def _frame(template: str) -> str:
    number = count()
    return re.sub(r"\{\w+\}", lambda _: "{" + str(next(number)) + "}", template)


def _patterns(conditions: Sequence[Condition]) -> Iterator[str]:
    for condition in conditions:
        if (match := _OBSERVED.fullmatch(condition.to_text())) is not None:
            try:
                yield str(json.loads(match[1]))
            except ValueError:
                continue  # several patterns, joined
