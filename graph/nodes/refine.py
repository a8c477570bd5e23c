"""refine: note what this episode charged each version with; what failed is contrasted after it."""

from __future__ import annotations

from langgraph.runtime import Runtime

from ..context import MaclaContext
from ..events import emit
from ..state import MaclaState, Update, is_over


def refine(state: MaclaState, runtime: Runtime[MaclaContext]) -> Update:
    """Add the new outcomes to what was charged.

    When the episode is over, ``contrast`` looks at the versions that failed: within it, a version
    that changed would no longer be what the outcomes of its first runs are about.
    """
    evidence = state["evidence"]
    counts = {ref: list(known) for ref, known in evidence["counts"].items()}
    runs = {ref: list(known) for ref, known in evidence["runs"].items()}
    for row in state["pending"]:
        if row["subject_kind"] not in ("procedure", "meta"):
            continue
        ref, worked = f"{row['subject']}@{row['version']}", row["successes"] > row["failures"]
        here = counts.setdefault(ref, [0.0, 0.0])
        here[0] += row["successes"]
        here[1] += row["failures"]
        if row["successes"] != row["failures"]:
            features = row["context"].get("situation", [])
            runs.setdefault(ref, []).append({"situation": features, "worked": worked})
    emit(runtime, "refine", state, charged=counts)
    return {
        "pending": [],
        "evidence": {**evidence, "counts": counts, "runs": runs},
        "route": "contrast" if is_over(state) else "retrieve",
    }
