"""Leave out a part of the method, to see what it is worth: one switch, one thing.

A part that is left out is really off: what it knows is taken out of what the loop plays with, so
that nothing downstream can use it.

- ``posterior``: each procedure, plan and program has the prior, whatever it did.
- ``risk``: Risk is 0.
- ``information``: λ is 0.
- ``reading``: Rel is the cosine of task and goal, and nothing tells readings apart.
- ``search``: where things are looked for goes by likeness of words alone.
- ``guards``: optional steps are always done.
- ``preconditions``: nothing is checked before a procedure or plan is run.
- ``idle``: in demonstrations neither failed nor idle steps are told apart.
- ``contrast``: nothing is refined.
- ``meta``: no plans; procedures are chosen one at a time for the task itself.
- ``ontology``: no similarity between words and no clusters: a word that was never seen means
  nothing, kinds that are alike share nothing, and duplicates in other words are not merged.
- ``pruning``: nothing is forgotten for want of room.
- ``programs``: nothing is learned or followed as a program; there are only procedures and plans.
- ``floor``: no demonstration is done again, in the very same situation or re-bound.

Two names stand for several: ``bayes`` for the first five, ``contrastive`` for the next four.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Literal, get_args

from ..common.errors import MaclaError
from ..model.procedure import MetaProcedure, Procedure

__all__ = ["GROUPS", "PARTS", "Part", "parse_parts", "procedures_without", "unchecked"]

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
"""Names that stand for several parts."""


def parse_parts(names: Iterable[str]) -> frozenset[Part]:
    """Return the parts that are named, each perhaps as a comma-separated list.

    Raises:
        MaclaError: There is no such part.
    """
    given = {part.strip() for name in names for part in name.split(",") if part.strip()}
    unknown = sorted(given.difference(PARTS, GROUPS))
    if unknown:
        raise MaclaError(
            f"there is no part {unknown[0]!r} to leave out; choose among "
            f"{', '.join((*PARTS, *GROUPS))}"
        )
    grouped = {part for name in given & GROUPS.keys() for part in GROUPS[name]}
    return frozenset(part for part in PARTS if part in given or part in grouped)


def procedures_without(
    procedures: Mapping[str, Procedure], parts: Collection[Part]
) -> Mapping[str, Procedure]:
    """Return the procedures without guards of their steps, or without preconditions."""
    found = procedures
    if "guards" in parts:
        found = {
            name: replace(
                each, steps=tuple(replace(step, when=None, unless=None) for step in each.steps)
            )
            for name, each in found.items()
        }
    if "preconditions" in parts:
        found = {name: replace(each, preconditions=()) for name, each in found.items()}
    return found


def unchecked(metas: Mapping[str, MetaProcedure]) -> dict[str, MetaProcedure]:
    """Return the plans without preconditions."""
    return {name: replace(each, preconditions=()) for name, each in metas.items()}
