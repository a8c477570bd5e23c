"""refine: note what this episode charged each version with; what failed is contrasted after it."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ..context import MaclaContext
from ..state import MaclaState

__all__ = ["refine"]


def refine(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Add the new outcomes to what was charged.

    When the episode is over, ``contrast`` looks at the versions that failed: within it, a version
    that changed would no longer be what the outcomes of its first runs are about.
    """
    charged = {ref: list(counts) for ref, counts in (state.get("charged") or {}).items()}
    met = {ref: list(runs) for ref, runs in (state.get("met") or {}).items()}
    for row in state.get("pending") or []:
        if row["subject_kind"] not in ("procedure", "meta"):
            continue
        here = charged.setdefault(f"{row['subject']}@{row['version']}", [0.0, 0.0])
        here[0] += row["successes"]
        here[1] += row["failures"]
        if row["successes"] != row["failures"]:
            features = (row.get("context") or {}).get("situation", [])
            run = [features, row["successes"] > row["failures"]]
            met.setdefault(f"{row['subject']}@{row['version']}", []).append(run)
    ended = bool(state.get("done")) or len(state.get("history") or []) >= state["horizon"]
    runtime.stream_writer(
        {"node": "refine", "step": len(state.get("history") or []), "charged": charged}
    )
    return {
        "pending": [],
        "charged": charged,
        "met": met,
        "route": "contrast" if ended else "retrieve",
    }
