"""Leave out a part of the method, to see what it is worth.

An ablated part is really off: its knowledge is taken out of what the loop plays with, so nothing
downstream can use it.

- ``bayes``: no evidence: candidates are chosen by cosine similarity alone, search goes by
  similarity, the risk is unknown.
- ``contrastive``: what contrast taught is gone: guards of steps, preconditions and optional steps'
  conditions; nothing is refined.
- ``meta``: no plans; procedures are chosen one at a time for the task itself.
- ``ontology``: no similarity between words and no clusters: a word that was never seen means
  nothing, kinds that are alike share nothing, and duplicates in other words are not merged.
- ``floor``: no demonstration is done again, in the very same situation or re-bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal, get_args

from .errors import MaclaError
from .model import Procedure

__all__ = ["PARTS", "Part", "parse_parts", "without_contrast"]

Part = Literal["bayes", "contrastive", "meta", "ontology", "floor"]
PARTS: tuple[Part, ...] = get_args(Part)


def parse_parts(names: Iterable[str]) -> frozenset[Part]:
    """Return the parts that are named, each perhaps as a comma-separated list.

    Raises:
        MaclaError: There is no such part.
    """
    given = {part.strip() for name in names for part in name.split(",") if part.strip()}
    unknown = sorted(given.difference(PARTS))
    if unknown:
        raise MaclaError(
            f"there is no part {unknown[0]!r} to leave out; choose among {', '.join(PARTS)}"
        )
    return frozenset(part for part in PARTS if part in given)


def without_contrast(procedures: Mapping[str, Procedure]) -> dict[str, Procedure]:
    """Return the procedures without what contrast taught: every step is done, always."""
    return {
        name: replace(
            procedure,
            preconditions=(),
            steps=tuple(replace(step, when=None, unless=None) for step in procedure.steps),
        )
        for name, procedure in procedures.items()
    }
