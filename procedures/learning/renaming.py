"""What was learned, under other ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .learner import Learned

__all__ = ["renamed"]


def renamed(learned: Learned, names: Mapping[str, str]) -> Learned:
    """Return what was learned with other ids; plans run what they ran.

    Args:
        learned: What was learned.
        names: Old id → new id; what is not among them keeps its own.
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
