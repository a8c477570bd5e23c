"""Rename the ids of learned documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .learner import Learned


def _made_by(document: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a plan's parameters, with new ids of the procedures whose observations name them."""
    if "parameters" not in document:
        return {}
    parameters = {
        name: {**each, "by": names.get(each["by"], each["by"])} if "by" in each else each
        for name, each in document["parameters"].items()
    }
    return {"parameters": parameters}


def renamed(learned: Learned, names: Mapping[str, str]) -> Learned:
    """Return learned documents with other ids; plans refer to the new ids.

    Args:
        learned: Learned documents and evidence.
        names: Old id → new id; other ids stay.
    """
    if not names:
        return learned

    def new(name: str) -> str:
        return names.get(name, name)

    metas = {
        new(name): {
            **document,
            "id": new(name),
            "plan": [{**p, "run": new(p["run"])} if "run" in p else p for p in document["plan"]],
            **_made_by(document, names),
        }
        for name, document in learned.metas.items()
    }
    return replace(
        learned,
        procedures={new(k): {**d, "id": new(k)} for k, d in learned.procedures.items()},
        metas=metas,
        procedure_counts={new(k): counts for k, counts in learned.procedure_counts.items()},
        meta_counts={new(k): counts for k, counts in learned.meta_counts.items()},
        kind_counts={(new(k), p, kind): n for (k, p, kind), n in learned.kind_counts.items()},
    )
