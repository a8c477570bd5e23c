"""Switch off parts of the method to measure their worth.

A part that is switched off is removed from the loop's data, so that nothing downstream can use it.

- ``posterior``: each procedure, plan and program has the prior, whatever its evidence.
- ``risk``: Risk is 0.
- ``information``: λ is 0.
- ``reading``: Rel is the cosine of task and goal, and readings are not compared.
- ``search``: the order of search goes by similarity of words alone.
- ``guards``: optional steps are always done.
- ``preconditions``: nothing is checked before a procedure or plan runs.
- ``idle``: failed and idle steps of demonstrations stay.
- ``contrast``: nothing is refined.
- ``meta``: no plans; procedures are chosen one at a time for the task itself.
- ``ontology``: no similarity between words and no clusters: new words mean nothing, similar kinds
  share no evidence, and duplicates in other words are not merged.
- ``pruning``: nothing is removed for want of room.
- ``programs``: no program is learned or followed; there are only procedures and plans.
- ``floor``: no demonstration is repeated, in the same situation or re-bound.

Two names stand for groups: ``bayes`` for the first five, ``contrastive`` for the next four.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Literal, get_args

from ..common.errors import MaclaError
from ..model.procedure import MetaProcedure, Procedure

Part = Literal[
    "posterior",
    "risk",
    "information",
    "reading",
    "search",
    "guards",
    "preconditions",
    "idle",
    "contrast",
    "meta",
    "ontology",
    "pruning",
    "programs",
    "floor",
]
PARTS: tuple[Part, ...] = get_args(Part)
GROUPS: Mapping[str, tuple[Part, ...]] = {
    "bayes": ("posterior", "risk", "information", "reading", "search"),
    "contrastive": ("guards", "preconditions", "idle", "contrast"),
}
"""Names of groups of parts."""


def parse_parts(names: Iterable[str]) -> frozenset[Part]:
    """Return the named parts; a name may be a comma-separated list.

    Raises:
        MaclaError: There is no such part.
    """
    part_names = {part.strip() for name in names for part in name.split(",") if part.strip()}
    unknown = sorted(part_names.difference(PARTS, GROUPS))
    if unknown:
        raise MaclaError(
            f"there is no part {unknown[0]!r} to leave out; choose among "
            f"{', '.join((*PARTS, *GROUPS))}"
        )
    grouped = {part for name in part_names & GROUPS.keys() for part in GROUPS[name]}
    return frozenset(part for part in PARTS if part in part_names or part in grouped)


def procedures_without(
    procedures: Mapping[str, Procedure], parts: Collection[Part]
) -> Mapping[str, Procedure]:
    """Return the procedures without the guards or preconditions that ``parts`` names."""
    result = procedures
    if "guards" in parts:
        result = {
            name: replace(
                each, steps=tuple(replace(step, when=None, unless=None) for step in each.steps)
            )
            for name, each in result.items()
        }
    if "preconditions" in parts:
        result = {name: replace(each, preconditions=()) for name, each in result.items()}
    return result


def unchecked(metas: Mapping[str, MetaProcedure]) -> dict[str, MetaProcedure]:
    """Return the plans without preconditions."""
    return {name: replace(each, preconditions=()) for name, each in metas.items()}
