"""Match learned worlds with those of a library that has several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..episodes.recognising import fit, world_of
from ..model.procedure import Ontology
from .abstraction import slug
from .learner import Learned

_LIKE = 0.5
"""Least fit, in [0, 1], of a learned world's telling words to a stored world that is the same."""


def in_known_worlds(learned: Learned, ontology: Ontology) -> Learned:
    """Return learned documents with the names that their worlds have in a library.

    In a library of one world, the first learned world is that world.
    """
    if not ontology.worlds:
        return learned
    telling_by_world = ontology.told_by_world
    first_ontology, worlds = dict(learned.ontology), dict(learned.ontology.get("worlds", {}))
    first_ontology.pop("worlds", None)
    names: dict[str, str] = {}
    for name, words in {"": first_ontology, **worlds}.items():
        telling = words.get("told", ())
        nearest = world_of(telling_by_world, " ".join(telling))
        matches = fit(telling_by_world[nearest], telling) >= _LIKE
        names[name] = (
            nearest
            if matches
            else slug(name or " ".join(telling[:2]), {*telling_by_world, *names.values()})
        )
    head: dict[str, Any] = {
        key: first_ontology.pop(key) for key in ("kind", "version") if key in first_ontology
    }
    ontology_by_name = {
        names[name]: words for name, words in {"": first_ontology, **worlds}.items()
    }
    first = ontology_by_name.pop("", {})

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
        ontology={**head, **first, **({"worlds": ontology_by_name} if ontology_by_name else {})},
    )
