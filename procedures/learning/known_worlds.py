"""What was learned, in the worlds of a library that has several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..episodes.recognising import fit, world_of
from ..model.procedure import Ontology
from .abstraction import slug
from .learner import Learned

__all__ = ["in_known_worlds"]

_LIKE = 0.5
"""How well what tells one world has to fit another that is the same."""


def in_known_worlds(learned: Learned, ontology: Ontology) -> Learned:
    """Return what was learned under the names that its worlds have in a library.

    A library of one world takes the first that was learned for its own.
    """
    if not ontology.worlds:
        return learned
    known = ontology.told_by_world
    own, worlds = dict(learned.ontology), dict(learned.ontology.get("worlds", {}))
    own.pop("worlds", None)
    names: dict[str, str] = {}
    for name, words in {"": own, **worlds}.items():
        told = words.get("told", ())
        same = world_of(known, " ".join(told))
        alike = fit(known[same], told) >= _LIKE
        names[name] = same if alike else slug(name or " ".join(told[:2]), {*known, *names.values()})
    head: dict[str, Any] = {key: own.pop(key) for key in ("kind", "version") if key in own}
    placed = {names[name]: words for name, words in {"": own, **worlds}.items()}
    first = placed.pop("", {})

    def renamed(documents: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
        moved = {
            id_: {**each, "world": names[each.get("world", "")]} for id_, each in documents.items()
        }
        return {
            id_: {key: value for key, value in each.items() if key != "world" or value}
            for id_, each in moved.items()
        }

    return replace(
        learned,
        procedures=renamed(learned.procedures),
        metas=renamed(learned.metas),
        ontology={**head, **first, **({"worlds": placed} if placed else {})},
    )
