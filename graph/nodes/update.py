"""update: write what came of it to the evidence ledger."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ..context import MaclaContext
from ..state import MaclaState

__all__ = ["update"]


def update(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Record pending outcomes; each has a number in the episode, so a retry counts once."""
    first = state.get("recorded", 0)
    rows = [
        {
            **row,
            "step": first + i,
            "context": {**row.get("context", {}), "after_actions": row["step"]},
        }
        for i, row in enumerate(state.get("pending") or [])
    ]
    runtime.context.record(state, rows)
    runtime.stream_writer(
        {"node": "update", "step": len(state.get("history") or []), "outcomes": rows}
    )
    return {"recorded": first + len(rows), "route": "refine"}
