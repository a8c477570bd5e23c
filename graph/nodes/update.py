"""update: write what came of it to the evidence ledger."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ..context import MaclaContext
from ..outcomes import kept_context
from ..state import MaclaState

__all__ = ["update"]


def update(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Record pending outcomes; each has a number in the episode, so a retry counts once."""
    first = state.get("recorded", 0)
    knowledge = runtime.context.knowledge
    refining = runtime.context.refinery is not None
    rows = []
    for i, row in enumerate(state.get("pending") or []):
        key = (row["subject_kind"], row["subject"], row["version"], "")
        counts = knowledge.counts.get(key, (0.0, 0.0))
        context = kept_context(row, state, counts, refining=refining)
        rows.append({**row, "step": first + i, "context": context})
    runtime.context.record(state, rows)
    runtime.stream_writer(
        {"node": "update", "step": len(state.get("history") or []), "outcomes": rows}
    )
    return {"recorded": first + len(rows), "route": "refine"}
