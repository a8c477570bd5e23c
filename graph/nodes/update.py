"""update: write what came of it to the evidence ledger."""

from __future__ import annotations

from langgraph.runtime import Runtime

from ..context import MaclaContext
from ..events import emit
from ..outcomes import kept_context
from ..phases import PendingOutcome
from ..state import MaclaState, Update


def update(state: MaclaState, runtime: Runtime[MaclaContext]) -> Update:
    """Record pending outcomes; each has a number in the episode, so a retry counts once."""
    evidence = state["evidence"]
    first = evidence["recorded"]
    knowledge = runtime.context.knowledge
    refining = runtime.context.refinery is not None
    rows: list[PendingOutcome] = []
    for i, row in enumerate(state["pending"]):
        key = (row["subject_kind"], row["subject"], row["version"], "")
        counts = knowledge.counts.get(key, (0.0, 0.0))
        context = kept_context(row, state, counts, refining=refining)
        rows.append({**row, "step": first + i, "context": context})
    runtime.context.record(state, rows)
    emit(runtime, "update", state, outcomes=rows)
    return {"evidence": {**evidence, "recorded": first + len(rows)}, "route": "refine"}
